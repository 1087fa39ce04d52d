//! How a register's value varies over the lanes of a gang.
//!
//! In gang mode all lanes of a gang (a block's full warps, or some of them) take every step together, so a value computed from uniform operands is uniform. That
//! makes this a plain data-flow problem over definitions; nothing depends on which branches diverge, because
//! lanes that diverge leave gang mode and may only come back where [`crate::jit::runtime::block`] has checked that every register is
//! again what its class promises. (Registers that a divergent branch decides are made varying all the same: else such
//! lanes could never come back.)

use crate::analysis::affine_compare::guardable;
use crate::analysis::dominators::post_dominators;
use crate::analysis::known_bits::LowBits;
use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::ir::{
    BlockId, Cmp, Function, Inst, IntOp, Num, Op, Operand, Reg, Scope, Space, Special, Terminator,
    Ty, WarpOp,
};

/// The shape of a value over the lanes of a gang.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Uniformity {
    /// The same in every lane.
    Uniform,
    /// `base + lane * stride`, wrapping at the register's width. In a gang of several rows ([`Shape::Planes`]) it is that along a row,
    /// and there is a *step* from row to row, which code computes as it does the base; only there the stride may be 0.
    Affine(i64),
    /// `base + (lane % n) * stride` with a base of its own for every `n` lanes; the stride may be 0. `n` is 4 where the block's shape is
    /// [`Shape::Quads`], else 16.
    PiecewiseAffine(i64),
    /// Anything.
    Varying,
}

impl Uniformity {
    /// The class of a register that holds one or the other.
    fn or(self, other: Uniformity, shape: Shape) -> Uniformity {
        use Uniformity::{Affine, PiecewiseAffine, Uniform, Varying};
        match (self, other) {
            (a, b) if a == b => a,
            (Uniform, PiecewiseAffine(0)) | (PiecewiseAffine(0), Uniform) => PiecewiseAffine(0),
            (Uniform, Affine(0)) | (Affine(0), Uniform) => Affine(0),
            (Affine(s), PiecewiseAffine(t)) | (PiecewiseAffine(t), Affine(s))
                if s == t && shape.breaks() == 0 =>
            {
                PiecewiseAffine(s)
            }
            _ => Varying,
        }
    }

    /// The distance between neighbouring lanes of a group, if it is constant.
    pub fn stride(self) -> Option<i64> {
        match self {
            Uniformity::Uniform => Some(0),
            Uniformity::Affine(s) | Uniformity::PiecewiseAffine(s) => Some(s),
            Uniformity::Varying => None,
        }
    }

    /// Whether gang mode keeps one value of it for the whole gang.
    pub fn is_one_per_gang(self) -> bool {
        matches!(self, Uniformity::Uniform | Uniformity::Affine(_))
    }
}

/// Largest stride followed; beyond it a value counts as varying.
const MAX_STRIDE: i64 = 1 << 20;

/// The class of every register.
#[derive(Hash)]
pub struct UniformityInfo {
    of: Vec<Uniformity>,
    /// Predicates that are uniform only because a guard says so: an affine value compared with a uniform one.
    guarded: RegSet,
    /// What blocks look like.
    shape: Shape,
    local_bytes: u32,
    low_bits: LowBits,
}

impl UniformityInfo {
    /// The class of a register.
    pub fn of(&self, reg: Reg) -> Uniformity {
        self.of[reg.index()]
    }

    /// The class of an operand.
    pub fn operand(&self, operand: Operand) -> Uniformity {
        match operand {
            Operand::Reg(reg) => self.of(reg),
            Operand::Imm(_) => Uniformity::Uniform,
        }
    }

    /// Whether all of them are uniform.
    pub fn all_uniform(&self, operands: &[Operand]) -> bool {
        operands
            .iter()
            .all(|&o| self.operand(o) == Uniformity::Uniform)
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
        UniformityInfo::guarding(func, live, (varying, guarded), steady, (shape, local_bytes))
    }

    /// Those of the same function when no guard makes an answer the same for all lanes: what is uniform then is so whatever way they
    /// have come.
    pub fn without_guards(&self, func: &Function, live: &Liveness, steady: &[Reg]) -> Self {
        let none = RegSet::new(func.regs.len());
        let (shape, local_bytes) = (self.shape, self.local_bytes);
        UniformityInfo::guarding(
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
        let mut uniformity = UniformityInfo {
            of: vec![Uniformity::Uniform; func.regs.len()],
            guarded,
            shape,
            local_bytes,
            low_bits: LowBits::new(func, live, shape),
        };
        // `None` stands for "no definition seen yet", so that loop-carried copies start optimistic.
        let mut known: Vec<Option<Uniformity>> = vec![None; func.regs.len()];
        let mut forced = varying.clone();
        loop {
            // What is read before it is written is no definition's, and the same nothing for all.
            for reg in live.live_in(BlockId(0)).iter() {
                known[reg.index()] = Some(match forced.contains(reg) {
                    true => Uniformity::Varying,
                    false => Uniformity::Uniform,
                });
            }
            uniformity.solve(func, shape, local_bytes, &mut known, &forced);
            let asked = uniformity.asked(func);
            if !uniformity.force_divergent(func, live, steady, &asked, &mut forced) {
                uniformity.guarded = asked;
                return uniformity;
            }
            known.iter_mut().for_each(|k| *k = None);
        }
    }

    fn solve(
        &mut self,
        func: &Function,
        shape: Shape,
        local_bytes: u32,
        known: &mut [Option<Uniformity>],
        forced: &RegSet,
    ) {
        let mut changed = true;
        while changed {
            changed = false;
            let mut meet =
                |known: &mut [Option<Uniformity>], reg: Reg, class: Option<Uniformity>| {
                    let Some(class) = class else { return };
                    let class = if forced.contains(reg) {
                        Uniformity::Varying
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
                    if let (Some(_), Inst::Load { .. }, Some(Uniformity::PiecewiseAffine(_))) =
                        (block.mask, inst, class)
                    {
                        class = Some(Uniformity::Varying);
                    }
                    inst.defs(|reg| meet(known, reg, class));
                }
                self.end_classes(func, &block.end, known, &mut meet);
            }
        }
        for ((class, known), ty) in self.of.iter_mut().zip(known.iter()).zip(&func.regs) {
            // A register that nothing writes has no value that anybody may rely on.
            *class = match *ty == Ty::B128 {
                true => Uniformity::Varying,
                false => known.unwrap_or(Uniformity::Uniform),
            };
        }
    }

    fn end_classes(
        &self,
        func: &Function,
        end: &Terminator,
        known: &mut [Option<Uniformity>],
        meet: &mut impl FnMut(&mut [Option<Uniformity>], Reg, Option<Uniformity>),
    ) {
        let class_of = |known: &[Option<Uniformity>], o: Operand| match o {
            Operand::Reg(reg) => known[reg.index()],
            Operand::Imm(_) => Some(Uniformity::Uniform),
        };
        match end {
            Terminator::Barrier { dst: Some(dst), .. } => {
                meet(known, *dst, Some(Uniformity::Uniform))
            }
            Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                ..
            } => {
                let one_group = class_of(known, *mask).is_none_or(|c| c == Uniformity::Uniform);
                let same_args = args
                    .iter()
                    .all(|&a| class_of(known, a).is_none_or(|c| c == Uniformity::Uniform));
                // One answer for a warp is one for each group of four lanes; one for the gang only if nothing varies.
                let warp = match (one_group, same_args) {
                    (true, true) => Uniformity::Uniform,
                    (true, false) => Uniformity::PiecewiseAffine(0),
                    _ => Uniformity::Varying,
                };
                let (first, second) = match op {
                    WarpOp::Vote(_) | WarpOp::Redux(_) | WarpOp::MatchAll(_) => (warp, warp),
                    WarpOp::ActiveMask | WarpOp::Sync | WarpOp::Step => {
                        (Uniformity::Uniform, Uniformity::Uniform)
                    }
                    WarpOp::Shuffle(_) | WarpOp::MatchAny(_) if warp == Uniformity::Uniform => {
                        (warp, Uniformity::Varying)
                    }
                    WarpOp::Shuffle(_) | WarpOp::MatchAny(_) => {
                        (Uniformity::Varying, Uniformity::Varying)
                    }
                    WarpOp::Elect if one_group => (Uniformity::Uniform, Uniformity::Varying),
                    WarpOp::Elect | WarpOp::Matrix(_) => (Uniformity::Varying, Uniformity::Varying),
                };
                for (dst, class) in dsts
                    .iter()
                    .zip(std::iter::once(first).chain(std::iter::repeat(second)))
                {
                    if let Some(dst) = dst {
                        let group_pred = matches!(class, Uniformity::PiecewiseAffine(_))
                            && func.ty(*dst) == Ty::Pred;
                        let class = if group_pred {
                            Uniformity::Varying
                        } else {
                            class
                        };
                        meet(known, *dst, Some(class));
                    }
                }
            }
            Terminator::Barrier { dst: None, .. }
            | Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. } => {}
        }
    }

    fn inst_class(
        &self,
        func: &Function,
        inst: &Inst,
        shape: Shape,
        local_bytes: u32,
        known: &[Option<Uniformity>],
    ) -> Option<Uniformity> {
        let class_of = |o: Operand| match o {
            Operand::Reg(reg) => known[reg.index()],
            Operand::Imm(_) => Some(Uniformity::Uniform),
        };
        Some(match inst {
            Inst::Op { dst, op, args } => {
                let mut uniformity = [Uniformity::Uniform; 4];
                for (class, &arg) in uniformity.iter_mut().zip(args.iter()) {
                    *class = class_of(arg)?;
                }
                self.op_class(func, *dst, *op, args, &uniformity[..args.len()])
            }
            Inst::Special { special, .. } => special_class(*special, shape, local_bytes),
            Inst::SymbolAddress { .. } | Inst::FunctionAddress { .. } => Uniformity::Uniform,
            Inst::Load { addr, .. } => match (addr.space, class_of(addr.base)?) {
                (Space::Local, _) => Uniformity::Varying,
                (_, Uniformity::Uniform) => Uniformity::Uniform,
                (_, Uniformity::PiecewiseAffine(0)) => Uniformity::PiecewiseAffine(0),
                (_, Uniformity::Affine(0)) if shape.breaks() == 0 => Uniformity::PiecewiseAffine(0),
                _ => Uniformity::Varying,
            },
            Inst::Atomic { .. } | Inst::Syscall { .. } | Inst::Image { .. } | Inst::Call { .. } => {
                Uniformity::Varying
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
        uniformity: &[Uniformity],
    ) -> Uniformity {
        if uniformity.iter().all(|&c| c == Uniformity::Uniform) {
            return Uniformity::Uniform;
        }
        if let Op::Compare { cmp, num, .. } = op {
            let one_affine = matches!(
                (uniformity[0], uniformity[1]),
                (Uniformity::Affine(_), Uniformity::Uniform)
                    | (Uniformity::Uniform, Uniformity::Affine(_))
            );
            let plain = matches!(
                cmp,
                Cmp::Eq | Cmp::Ne | Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge
            );
            let guarded = one_affine && plain && !num.is_float() && self.guarded.contains(dst);
            return if guarded {
                Uniformity::Uniform
            } else {
                Uniformity::Varying
            };
        }
        let ty = func.ty(dst);
        if matches!(ty, Ty::Pred | Ty::B128) {
            return Uniformity::Varying;
        }
        let grouped = uniformity
            .iter()
            .any(|c| matches!(c, Uniformity::PiecewiseAffine(_)));
        let affine = uniformity
            .iter()
            .any(|c| matches!(c, Uniformity::Affine(_)));
        // Lanes of a group may belong to different rows.
        let breaks = self.shape.breaks() != 0 && affine;
        let same = uniformity.iter().all(|c| c.stride() == Some(0));
        let of_bits = uniformity[0].stride().filter(|_| !breaks);
        if let Some(stride) = of_bits.and_then(|s| self.low_bits.stride(op, args, s)) {
            return Uniformity::PiecewiseAffine(stride);
        }
        match stride_of(op, args, uniformity).filter(|s| s.abs() <= MAX_STRIDE) {
            _ if grouped && breaks => Uniformity::Varying,
            _ if grouped && same => Uniformity::PiecewiseAffine(0),
            Some(stride) if grouped => Uniformity::PiecewiseAffine(stride),
            Some(0) if !self.shape.has_rows() => Uniformity::Uniform,
            Some(stride) => Uniformity::Affine(stride),
            // Of rows, each its own.
            None if same && !breaks => Uniformity::PiecewiseAffine(0),
            None => Uniformity::Varying,
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
                    self.of(*cond) == Uniformity::Varying || guarded.contains(*cond)
                }
                Terminator::Switch { index, .. } => {
                    // Where lanes go is asked of each.
                    if let Operand::Reg(reg) = index
                        && matches!(
                            self.of(*reg),
                            Uniformity::Affine(_) | Uniformity::PiecewiseAffine(_)
                        )
                    {
                        changed |= forced.insert(*reg);
                    }
                    self.operand(*index) != Uniformity::Uniform
                }
                // These have one way to go, or none.
                Terminator::Jump(_)
                | Terminator::Exit
                | Terminator::Return
                | Terminator::Trap
                | Terminator::Barrier { .. }
                | Terminator::Cluster { .. }
                | Terminator::Pause { .. }
                | Terminator::Warp { .. } => false,
            };
            if !divergent {
                continue;
            }
            let post = post.get_or_insert_with(|| post_dominators(func));
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
                        && self.of(reg) != Uniformity::Varying
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
fn stride_of(op: Op, args: &[Operand], uniformity: &[Uniformity]) -> Option<i64> {
    let stride = |i: usize| uniformity[i].stride();
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
                _ => same_in_rows(uniformity),
            }
        }
        Op::Int(IntOp::Shl, ty) if wide_enough(ty) => {
            let by = constant(1, 32).filter(|by| (0..20).contains(by))?;
            stride(0)?.checked_mul(1 << by)
        }
        // Under a guard that no lane's operand wraps.
        Op::Int(IntOp::MulWideS, Ty::B32) => match constant(1, 32) {
            Some(k) => stride(0)?.checked_mul(k),
            None => same_in_rows(uniformity),
        },
        Op::Int(IntOp::MulWideU, Ty::B32) => match constant(1, 32) {
            Some(k) => stride(0)?.checked_mul(k as u32 as i64),
            None => same_in_rows(uniformity),
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
        Op::Mov(_)
        | Op::Int(..)
        | Op::Float { .. }
        | Op::Float2 { .. }
        | Op::Approx { .. }
        | Op::Class(..)
        | Op::Convert2 { .. }
        | Op::Narrow { .. }
        | Op::Widen { .. }
        | Op::Compare { .. }
        | Op::Select(_)
        | Op::Logic(_)
        | Op::PredToInt
        | Op::Half128(_)
        | Op::Pack128 => None,
    }
}

/// The stride of a product of a value that differs from row to row only and one that is uniform.
fn same_in_rows(uniformity: &[Uniformity]) -> Option<i64> {
    let factors = matches!(
        uniformity[..2],
        [Uniformity::Affine(0), Uniformity::Uniform] | [Uniformity::Uniform, Uniformity::Affine(0)]
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
        Op::Mov(_)
        | Op::Int(..)
        | Op::Float { .. }
        | Op::Float2 { .. }
        | Op::Approx { .. }
        | Op::Class(..)
        | Op::Convert2 { .. }
        | Op::Narrow { .. }
        | Op::Widen { .. }
        | Op::Compare { .. }
        | Op::Select(_)
        | Op::Logic(_)
        | Op::PredToInt
        | Op::Half128(_)
        | Op::Pack128 => None,
    }
}

/// Whether an instruction is done once for the gang: one of its results is uniform or affine, or it is a load of one value or the
/// check of one address.
pub(crate) fn is_scalar(uniformity: &UniformityInfo, inst: &Inst) -> bool {
    if let Inst::Load { addr, .. } = inst {
        return uniformity.operand(addr.base) == Uniformity::Uniform && addr.space != Space::Local;
    }
    if let Inst::Check { addr, .. } = inst {
        return uniformity.operand(addr.base) == Uniformity::Uniform;
    }
    let mut scalar = false;
    inst.defs(|reg| scalar |= uniformity.of(reg).is_one_per_gang());
    scalar
}

fn special_class(special: Special, shape: Shape, local_bytes: u32) -> Uniformity {
    match (special, shape) {
        (Special::Tid(0), Shape::Line | Shape::Planes(_)) => Uniformity::Affine(1),
        (Special::Tid(1), Shape::Planes(_)) => Uniformity::Affine(0),
        (Special::Tid(_), Shape::Line | Shape::Planes(_)) => Uniformity::Uniform,
        (Special::Tid(0), Shape::Halves | Shape::Quads) => Uniformity::PiecewiseAffine(1),
        (Special::Tid(_), Shape::Halves | Shape::Quads) => Uniformity::PiecewiseAffine(0),
        (Special::Tid(_), Shape::Any) => Uniformity::Varying,
        (Special::LaneId, _) => Uniformity::PiecewiseAffine(1),
        // No local memory: all have none at the same place.
        (Special::LocalBase, _) if local_bytes == 0 => Uniformity::Uniform,
        (Special::LocalBase, _) => Uniformity::Affine(i64::from(local_bytes)),
        (Special::Stack, _) => Uniformity::Affine(8),
        (other, _) => match other.scope() {
            Scope::Thread | Scope::Lane => Uniformity::Varying,
            Scope::Warp => Uniformity::PiecewiseAffine(0),
            // A gang asks for the time once.
            Scope::Block | Scope::Moment => Uniformity::Uniform,
        },
    }
}
