//! How a register's value varies over the lanes of a team.
//!
//! In team mode all lanes of a team (a block's full warps, or some of them) take every step together, so a value computed from uniform operands is uniform. That
//! makes this a plain data-flow problem over definitions; nothing depends on which branches diverge, because
//! lanes that diverge leave team mode and may only come back where [`crate::jit::runtime::block`] has checked that every register is
//! again what its class promises. (Registers that a divergent branch decides are made varying all the same: else such
//! lanes could never come back.)

use crate::analysis::affine_compare::guardable;
use crate::analysis::known_bits::LowBits;
use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::ir::{
    BlockId, Cmp, Function, Inst, IntOp, Num, Op, Operand, Reg, Space, Special, Terminator, Ty,
    WarpOp,
};
use crate::passes;

/// The shape of a value over the lanes of a team.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// The same in every lane.
    Uniform,
    /// `base + lane * stride`, wrapping at the register's width. In a team of several rows ([`Shape::Planes`]) it is that along a row,
    /// and there is a *step* from row to row, which code computes as it does the base; only there the stride may be 0.
    Affine(i64),
    /// `base + (lane % n) * stride` with a base of its own for every `n` lanes; the stride may be 0. `n` is 4 where the block's shape is
    /// [`Shape::Quads`], else 16.
    Group(i64),
    /// Anything.
    Varying,
}

impl Class {
    /// The class of a register that holds one or the other.
    fn or(self, other: Class, shape: Shape) -> Class {
        use Class::{Affine, Group, Uniform, Varying};
        match (self, other) {
            (a, b) if a == b => a,
            (Uniform, Group(0)) | (Group(0), Uniform) => Group(0),
            (Uniform, Affine(0)) | (Affine(0), Uniform) => Affine(0),
            (Affine(s), Group(t)) | (Group(t), Affine(s)) if s == t && shape.breaks() == 0 => {
                Group(s)
            }
            _ => Varying,
        }
    }

    /// The distance between neighbouring lanes of a group, if it is constant.
    pub fn stride(self) -> Option<i64> {
        match self {
            Class::Uniform => Some(0),
            Class::Affine(s) | Class::Group(s) => Some(s),
            Class::Varying => None,
        }
    }

    /// Whether team mode keeps one value of it for the whole team.
    pub fn is_team(self) -> bool {
        matches!(self, Class::Uniform | Class::Affine(_))
    }
}

/// Largest stride followed; beyond it a value counts as varying.
const MAX_STRIDE: i64 = 1 << 20;

/// The class of every register.
#[derive(Hash)]
pub struct Classes {
    of: Vec<Class>,
    /// Predicates that are uniform only because a guard says so: an affine value compared with a uniform one.
    guarded: RegSet,
    /// What blocks look like.
    shape: Shape,
    local_bytes: u32,
    low_bits: LowBits,
}

impl Classes {
    /// The class of a register.
    pub fn of(&self, reg: Reg) -> Class {
        self.of[reg.index()]
    }

    /// The class of an operand.
    pub fn operand(&self, operand: Operand) -> Class {
        match operand {
            Operand::Reg(reg) => self.of(reg),
            Operand::Imm(_) => Class::Uniform,
        }
    }

    /// Whether all of them are uniform.
    pub fn all_uniform(&self, operands: &[Operand]) -> bool {
        operands.iter().all(|&o| self.operand(o) == Class::Uniform)
    }

    /// Whether a comparison into `dst` is done on the warp's first and last lane only, under a guard that both agree.
    pub fn is_guarded(&self, dst: Reg) -> bool {
        self.guarded.contains(dst)
    }

    /// Computes them.
    ///
    /// `varying` are registers that get no better class, whatever computes them; `steady` ones keep theirs, whatever divergent
    /// branches decide.
    pub fn new(
        func: &Function,
        live: &Liveness,
        varying: &RegSet,
        steady: &[Reg],
        shape: Shape,
        local_bytes: u32,
    ) -> Self {
        let guarded = guardable(func, varying);
        Classes::guarding(func, live, (varying, guarded), steady, (shape, local_bytes))
    }

    /// Those of the same function when no guard makes an answer the same for all lanes: what is uniform then is so whatever way they
    /// have come.
    pub fn without_guards(&self, func: &Function, live: &Liveness, steady: &[Reg]) -> Self {
        let none = RegSet::new(func.regs.len());
        let (shape, local_bytes) = (self.shape, self.local_bytes);
        Classes::guarding(
            func,
            live,
            (&none, none.clone()),
            steady,
            (shape, local_bytes),
        )
    }

    fn guarding(
        func: &Function,
        live: &Liveness,
        (varying, guarded): (&RegSet, RegSet),
        steady: &[Reg],
        (shape, local_bytes): (Shape, u32),
    ) -> Self {
        let mut classes = Classes {
            of: vec![Class::Uniform; func.regs.len()],
            guarded,
            shape,
            local_bytes,
            low_bits: LowBits::new(func, live, shape),
        };
        // `None` stands for "no definition seen yet", so that loop-carried copies start optimistic.
        let mut known: Vec<Option<Class>> = vec![None; func.regs.len()];
        let mut forced = varying.clone();
        loop {
            // What is read before it is written is no definition's, and the same nothing for all.
            for reg in live.live_in(BlockId(0)).iter() {
                known[reg.index()] = Some(match forced.contains(reg) {
                    true => Class::Varying,
                    false => Class::Uniform,
                });
            }
            classes.solve(func, shape, local_bytes, &mut known, &forced);
            let asked = classes.asked(func);
            if !classes.force_divergent(func, live, steady, &asked, &mut forced) {
                classes.guarded = asked;
                return classes;
            }
            known.iter_mut().for_each(|k| *k = None);
        }
    }

    fn solve(
        &mut self,
        func: &Function,
        shape: Shape,
        local_bytes: u32,
        known: &mut [Option<Class>],
        forced: &RegSet,
    ) {
        let mut changed = true;
        while changed {
            changed = false;
            let mut meet = |known: &mut [Option<Class>], reg: Reg, class: Option<Class>| {
                let Some(class) = class else { return };
                let class = if forced.contains(reg) {
                    Class::Varying
                } else {
                    class
                };
                let met = match known[reg.index()] {
                    None => class,
                    Some(old) => old.or(class, shape),
                };
                if known[reg.index()] != Some(met) {
                    known[reg.index()] = Some(met);
                    changed = true;
                }
            };
            for block in &func.blocks {
                for inst in &block.insts {
                    let mut class = self.inst_class(func, inst, shape, local_bytes, known);
                    // The lane that would speak for its group may be one that the block is not for.
                    if let (Some(_), Inst::Load { .. }, Some(Class::Group(_))) =
                        (block.mask, inst, class)
                    {
                        class = Some(Class::Varying);
                    }
                    inst.defs(|reg| meet(known, reg, class));
                }
                self.end_classes(func, &block.end, known, &mut meet);
            }
        }
        for ((class, known), ty) in self.of.iter_mut().zip(known.iter()).zip(&func.regs) {
            *class = match ty {
                Ty::B128 => Class::Varying,
                _ => known.unwrap_or(Class::Uniform),
            };
        }
    }

    fn end_classes(
        &self,
        func: &Function,
        end: &Terminator,
        known: &mut [Option<Class>],
        meet: &mut impl FnMut(&mut [Option<Class>], Reg, Option<Class>),
    ) {
        let class_of = |known: &[Option<Class>], o: Operand| match o {
            Operand::Reg(reg) => known[reg.index()],
            Operand::Imm(_) => Some(Class::Uniform),
        };
        match end {
            Terminator::Barrier { dst: Some(dst), .. } => meet(known, *dst, Some(Class::Uniform)),
            Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                ..
            } => {
                let one_group = class_of(known, *mask).is_none_or(|c| c == Class::Uniform);
                let same_args = args
                    .iter()
                    .all(|&a| class_of(known, a).is_none_or(|c| c == Class::Uniform));
                // One answer for a warp is one for each group of four lanes; one for the team only if nothing varies.
                let warp = match (one_group, same_args) {
                    (true, true) => Class::Uniform,
                    (true, false) => Class::Group(0),
                    _ => Class::Varying,
                };
                let (first, second) = match op {
                    WarpOp::Vote(_) | WarpOp::Redux(_) | WarpOp::MatchAll(_) => (warp, warp),
                    WarpOp::ActiveMask | WarpOp::Sync | WarpOp::Step => {
                        (Class::Uniform, Class::Uniform)
                    }
                    WarpOp::Shuffle(_) | WarpOp::MatchAny(_) if warp == Class::Uniform => {
                        (warp, Class::Varying)
                    }
                    WarpOp::Shuffle(_) | WarpOp::MatchAny(_) => (Class::Varying, Class::Varying),
                    WarpOp::Elect if one_group => (Class::Uniform, Class::Varying),
                    WarpOp::Elect | WarpOp::Matrix(_) => (Class::Varying, Class::Varying),
                };
                for (dst, class) in dsts
                    .iter()
                    .zip(std::iter::once(first).chain(std::iter::repeat(second)))
                {
                    if let Some(dst) = dst {
                        let group_pred =
                            matches!(class, Class::Group(_)) && func.ty(*dst) == Ty::Pred;
                        let class = if group_pred { Class::Varying } else { class };
                        meet(known, *dst, Some(class));
                    }
                }
            }
            _ => {}
        }
    }

    fn inst_class(
        &self,
        func: &Function,
        inst: &Inst,
        shape: Shape,
        local_bytes: u32,
        known: &[Option<Class>],
    ) -> Option<Class> {
        let class_of = |o: Operand| match o {
            Operand::Reg(reg) => known[reg.index()],
            Operand::Imm(_) => Some(Class::Uniform),
        };
        Some(match inst {
            Inst::Op { dst, op, args } => {
                let mut classes = [Class::Uniform; 4];
                for (class, &arg) in classes.iter_mut().zip(args.iter()) {
                    *class = class_of(arg)?;
                }
                self.op_class(func, *dst, *op, args, &classes[..args.len()])
            }
            Inst::Special { special, .. } => special_class(*special, shape, local_bytes),
            Inst::SymbolAddress { .. } | Inst::FunctionAddress { .. } => Class::Uniform,
            Inst::Load { addr, .. } => match (addr.space, class_of(addr.base)?) {
                (Space::Local, _) => Class::Varying,
                (_, Class::Uniform) => Class::Uniform,
                (_, Class::Group(0)) => Class::Group(0),
                (_, Class::Affine(0)) if shape.breaks() == 0 => Class::Group(0),
                _ => Class::Varying,
            },
            Inst::Atomic { .. } | Inst::Syscall { .. } | Inst::Image { .. } | Inst::Call { .. } => {
                Class::Varying
            }
            Inst::Store { .. } | Inst::Check { .. } | Inst::Fence(_) => return None,
        })
    }

    fn op_class(
        &self,
        func: &Function,
        dst: Reg,
        op: Op,
        args: &[Operand],
        classes: &[Class],
    ) -> Class {
        if classes.iter().all(|&c| c == Class::Uniform) {
            return Class::Uniform;
        }
        if let Op::Compare { cmp, num, .. } = op {
            let one_affine = matches!(
                (classes[0], classes[1]),
                (Class::Affine(_), Class::Uniform) | (Class::Uniform, Class::Affine(_))
            );
            let plain = matches!(
                cmp,
                Cmp::Eq | Cmp::Ne | Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge
            );
            let guarded = one_affine && plain && !num.is_float() && self.guarded.contains(dst);
            return if guarded {
                Class::Uniform
            } else {
                Class::Varying
            };
        }
        let ty = func.ty(dst);
        if matches!(ty, Ty::Pred | Ty::B128) {
            return Class::Varying;
        }
        let grouped = classes.iter().any(|c| matches!(c, Class::Group(_)));
        let affine = classes.iter().any(|c| matches!(c, Class::Affine(_)));
        // Lanes of a group may belong to different rows.
        let breaks = self.shape.breaks() != 0 && affine;
        let same = classes.iter().all(|c| c.stride() == Some(0));
        let of_bits = classes[0].stride().filter(|_| !breaks);
        if let Some(stride) = of_bits.and_then(|s| self.low_bits.stride(op, args, s)) {
            return Class::Group(stride);
        }
        match stride_of(op, args, classes).filter(|s| s.abs() <= MAX_STRIDE) {
            _ if grouped && breaks => Class::Varying,
            _ if grouped && same => Class::Group(0),
            Some(stride) if grouped => Class::Group(stride),
            Some(0) if !self.shape.has_rows() => Class::Uniform,
            Some(stride) => Class::Affine(stride),
            // Of rows, each its own.
            None if same && !breaks => Class::Group(0),
            None => Class::Varying,
        }
    }

    /// Those of the comparisons that may be guarded which need it: all lanes have the same answer to the others anyway.
    fn asked(&self, func: &Function) -> RegSet {
        let mut asked = RegSet::new(func.regs.len());
        for inst in func.blocks.iter().flat_map(|b| &b.insts) {
            if let Inst::Op { dst, args, .. } = inst
                && self.guarded.contains(*dst)
                && !self.all_uniform(args)
            {
                asked.insert(*dst);
            }
        }
        asked
    }

    /// Makes varying what a divergent branch decides: registers written between it and the point where its ways
    /// meet again, and live there. Says whether that changed anything.
    fn force_divergent(
        &self,
        func: &Function,
        live: &Liveness,
        steady: &[Reg],
        guarded: &RegSet,
        forced: &mut RegSet,
    ) -> bool {
        let mut changed = false;
        let mut post = None;
        for (index, block) in func.blocks.iter().enumerate() {
            let divergent = match &block.end {
                end if end.is_together() => false,
                Terminator::Branch { cond, .. } => {
                    self.of(*cond) == Class::Varying || guarded.contains(*cond)
                }
                Terminator::Switch { index, .. } => {
                    // Where lanes go is asked of each.
                    if let Operand::Reg(reg) = index
                        && matches!(self.of(*reg), Class::Affine(_) | Class::Group(_))
                    {
                        changed |= forced.insert(*reg);
                    }
                    self.operand(*index) != Class::Uniform
                }
                _ => false,
            };
            if !divergent {
                continue;
            }
            let post = post.get_or_insert_with(|| passes::post_dominators(func));
            let meet = post[index];
            let mut seen = vec![false; func.blocks.len()];
            let mut work = Vec::new();
            block.end.successors(|s| work.push(s));
            while let Some(at) = work.pop() {
                if Some(at.index()) == meet || std::mem::replace(&mut seen[at.index()], true) {
                    continue;
                }
                func.blocks[at.index()].end.successors(|s| work.push(s));
            }
            let Some(meet) = meet else { continue };
            let live_there = live.live_in(BlockId(meet as u32));
            for (at, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
                let mut force = |reg: Reg| {
                    // A guarded comparison diverges in few warps: those at an edge. Values that a whole warp
                    // agrees on elsewhere stay uniform, but for what the edge makes differ.
                    if live_there.contains(reg)
                        && self.of(reg) != Class::Varying
                        && !steady.contains(&reg)
                    {
                        changed |= forced.insert(reg);
                    }
                };
                func.blocks[at]
                    .insts
                    .iter()
                    .for_each(|inst| inst.defs(&mut force));
                func.blocks[at].end.defs(&mut force);
            }
        }
        changed
    }
}

/// The stride over lanes of an integer operation's result, if it has a constant one and depends on operands that are affine as a
/// sum or a product does.
fn stride_of(op: Op, args: &[Operand], classes: &[Class]) -> Option<i64> {
    let stride = |i: usize| classes[i].stride();
    let constant = |i: usize, bits: u32| match args[i] {
        Operand::Imm(v) if bits == 32 => Some(v as u32 as i32 as i64),
        Operand::Imm(v) => Some(v as i64),
        Operand::Reg(_) => None,
    };
    let wide_enough = |ty: Ty| matches!(ty, Ty::B32 | Ty::B64);
    match op {
        Op::Mov(ty) if wide_enough(ty) => stride(0),
        Op::Int(IntOp::Add, ty) if wide_enough(ty) => stride(0)?.checked_add(stride(1)?),
        Op::Int(IntOp::Sub, ty) if wide_enough(ty) => stride(0)?.checked_sub(stride(1)?),
        Op::Int(IntOp::Neg, ty) if wide_enough(ty) => stride(0)?.checked_neg(),
        Op::Int(IntOp::Mul, ty) if wide_enough(ty) => {
            match (constant(0, ty.bits()), constant(1, ty.bits())) {
                (_, Some(k)) => stride(0)?.checked_mul(k),
                (Some(k), _) => stride(1)?.checked_mul(k),
                _ => same_in_rows(classes),
            }
        }
        Op::Int(IntOp::Shl, ty) if wide_enough(ty) => {
            let by = constant(1, 32).filter(|by| (0..20).contains(by))?;
            stride(0)?.checked_mul(1 << by)
        }
        // Under a guard that no lane's operand wraps.
        Op::Int(IntOp::MulWideS, Ty::B32) => match constant(1, 32) {
            Some(k) => stride(0)?.checked_mul(k),
            None => same_in_rows(classes),
        },
        Op::Int(IntOp::MulWideU, Ty::B32) => match constant(1, 32) {
            Some(k) => stride(0)?.checked_mul(k as u32 as i64),
            None => same_in_rows(classes),
        },
        Op::Convert(c) => match (c.from, c.to) {
            (Num::S(Ty::B32) | Num::U(Ty::B32), Num::S(Ty::B64) | Num::U(Ty::B64)) if !c.sat => {
                stride(0)
            }
            (Num::S(a) | Num::U(a), Num::S(b) | Num::U(b))
                if !c.sat && wide_enough(a) && wide_enough(b) && b.bits() <= a.bits() =>
            {
                stride(0)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The stride of a product of a value that differs from row to row only and one that is uniform.
fn same_in_rows(classes: &[Class]) -> Option<i64> {
    let factors = matches!(
        classes[..2],
        [Class::Affine(0), Class::Uniform] | [Class::Uniform, Class::Affine(0)]
    );
    factors.then_some(0)
}

/// Whether an affine operand of this operation must not wrap over the lanes for the result to be affine, and how it is
/// read: `Some(signed)`.
pub fn widens(op: Op) -> Option<bool> {
    match op {
        Op::Int(IntOp::MulWideS, Ty::B32) => Some(true),
        Op::Int(IntOp::MulWideU, Ty::B32) => Some(false),
        Op::Convert(c) => match (c.from, c.to) {
            (Num::S(Ty::B32), Num::S(Ty::B64) | Num::U(Ty::B64)) => Some(true),
            (Num::U(Ty::B32), Num::S(Ty::B64) | Num::U(Ty::B64)) => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn special_class(special: Special, shape: Shape, local_bytes: u32) -> Class {
    match (special, shape) {
        (Special::Tid(0), Shape::Line | Shape::Planes(_)) => Class::Affine(1),
        (Special::Tid(1), Shape::Planes(_)) => Class::Affine(0),
        (Special::Tid(_), Shape::Line | Shape::Planes(_)) => Class::Uniform,
        (Special::Tid(0), Shape::Halves | Shape::Quads) => Class::Group(1),
        (Special::Tid(_), Shape::Halves | Shape::Quads) => Class::Group(0),
        (Special::Tid(_), Shape::Any) => Class::Varying,
        (Special::LaneId, _) => Class::Group(1),
        (Special::WarpId, _) => Class::Group(0),
        (
            Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe,
            _,
        ) => Class::Varying,
        (Special::LocalBase, _) if local_bytes > 0 => Class::Affine(i64::from(local_bytes)),
        (Special::Stack, _) => Class::Affine(8),
        _ => Class::Uniform,
    }
}
