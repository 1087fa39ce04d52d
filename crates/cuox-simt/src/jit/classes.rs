//! How a register's value varies over the lanes of a team.
//!
//! In team mode all lanes of a team (a block's full warps, or some of them) take every step together, so a value computed from uniform operands is uniform. That
//! makes this a plain data-flow problem over definitions; nothing depends on which branches diverge, because
//! lanes that diverge leave team mode and may only come back where [`super::run`] has checked that every register is
//! again what its class promises. (Registers that a divergent branch decides are made varying all the same: else such
//! lanes could never come back.)

use super::liveness::{Liveness, RegSet};
use crate::ir::{
    BlockId, Cmp, Function, Inst, IntOp, Num, Op, Operand, Reg, Space, Special, Terminator, Ty,
    WarpOp,
};

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

/// What decides the classes besides the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// One-dimensional: all lanes are neighbours along x, and a team is the whole block.
    Line,
    /// A team is the lanes with one z, row by row.
    Planes(RowShape),
    /// The x extent is a multiple of 16: a team is the whole block, and sixteen lanes are neighbours.
    Halves,
    /// The x extent is a multiple of 4: a team is the whole block, and four lanes are neighbours.
    Quads,
    /// Any other block; a team is the whole block.
    Any,
}

/// How the rows of a team lie in groups of sixteen lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RowShape {
    /// The most rows that begin within a group, behind its first lane.
    pub breaks: u8,
    /// How many rows end with every group, if that is always the same.
    pub ends: Option<u8>,
    /// A row is a multiple of four lanes.
    pub fours: bool,
}

impl RowShape {
    /// The most breaks that a group may have.
    pub const BREAKS: u8 = 3;

    /// That of rows of so many lanes, unless they are too short.
    fn of(width: u32) -> Option<RowShape> {
        if width < 4 {
            return None;
        }
        // Where in a row groups begin is a multiple of what both lengths are, and so is where the next row does.
        let breaks = match 1u32 << width.trailing_zeros().min(4) {
            16 => 0,
            first => (15 - first) / width + 1,
        };
        Some(RowShape {
            breaks: breaks as u8,
            ends: 16u32.is_multiple_of(width).then_some((16 / width) as u8),
            fours: width.is_multiple_of(4),
        })
    }
}

impl Shape {
    /// The shape of a block, for `wide` code or not. Planes that wait for each other at barriers would do so one by one: then the
    /// block goes together.
    pub fn of(block: [u32; 3], has_barrier: bool, wide: bool) -> Shape {
        let [x, y, z] = block;
        let alone = z == 1 || !has_barrier && x.wrapping_mul(y).is_multiple_of(32);
        // Narrow code has four neighbours in a row, or none.
        let rows = RowShape::of(x).filter(|rows| alone && (wide || rows.fours));
        match (block, rows) {
            ([_, 1, 1], _) => Shape::Line,
            (_, Some(rows)) => Shape::Planes(rows),
            _ if x % 16 == 0 => Shape::Halves,
            // Wide code takes sixteen lanes as they are.
            _ if x % 4 == 0 && !wide => Shape::Quads,
            _ => Shape::Any,
        }
    }

    /// How rows lie, where teams have some.
    pub fn rows(self) -> Option<RowShape> {
        match self {
            Shape::Planes(rows) => Some(rows),
            _ => None,
        }
    }

    /// Whether teams have rows.
    pub fn has_rows(self) -> bool {
        self.rows().is_some()
    }

    /// The most rows of a team that begin within a group of sixteen lanes, behind its first.
    pub fn breaks(self) -> u8 {
        self.rows().map_or(0, |rows| rows.breaks)
    }

    /// Whether rows may begin anywhere within four lanes.
    pub fn breaks_fours(self) -> bool {
        self.rows().is_some_and(|rows| !rows.fours)
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
        let mut classes = Classes {
            of: vec![Class::Uniform; func.regs.len()],
            guarded: guardable(func, varying),
            shape,
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
            if !classes.force_divergent(func, live, steady, &mut forced) {
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
            Inst::Store { .. } | Inst::Fence(_) => return None,
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

    /// Makes varying what a divergent branch decides: registers written between it and the point where its ways
    /// meet again, and live there. Says whether that changed anything.
    fn force_divergent(
        &self,
        func: &Function,
        live: &Liveness,
        steady: &[Reg],
        forced: &mut RegSet,
    ) -> bool {
        let mut changed = false;
        let mut post = None;
        for (index, block) in func.blocks.iter().enumerate() {
            let divergent = match &block.end {
                end if end.is_together() => false,
                Terminator::Branch { cond, .. } => {
                    self.of(*cond) == Class::Varying || self.is_guarded(*cond)
                }
                Terminator::Switch { index, .. } => self.operand(*index) != Class::Uniform,
                _ => false,
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

/// Predicates written once, by a comparison, and read only by branches and predicate logic: those may be decided on the
/// warp's first and last lane.
fn guardable(func: &Function, varying: &RegSet) -> RegSet {
    let mut set = RegSet::new(func.regs.len());
    let mut defs = vec![0u32; func.regs.len()];
    for block in &func.blocks {
        for inst in &block.insts {
            inst.defs(|reg| defs[reg.index()] += 1);
            if let Inst::Op {
                dst,
                op: Op::Compare { .. },
                ..
            } = inst
            {
                set.insert(*dst);
            }
        }
        block.end.defs(|reg| defs[reg.index()] += 1);
    }
    let bad = |reg: Reg, set: &mut RegSet| set.remove(reg);
    for block in &func.blocks {
        for inst in &block.insts {
            if !matches!(
                inst,
                Inst::Op {
                    op: Op::Logic(_),
                    ..
                }
            ) {
                inst.uses(|o| {
                    if let Operand::Reg(reg) = o {
                        bad(reg, &mut set);
                    }
                });
            }
        }
        if !matches!(block.end, Terminator::Branch { .. }) {
            block.end.uses(|o| {
                if let Operand::Reg(reg) = o {
                    bad(reg, &mut set);
                }
            });
        }
    }
    for (index, &n) in defs.iter().enumerate() {
        if n != 1 {
            set.remove(Reg(index as u32));
        }
    }
    varying.iter().for_each(|reg| set.remove(reg));
    let from_tid = from_tid(func, &defs);
    for inst in func.blocks.iter().flat_map(|b| &b.insts) {
        if let Inst::Op {
            dst,
            op: Op::Compare { .. },
            args,
        } = inst
            && args
                .iter()
                .any(|a| a.reg().is_some_and(|reg| from_tid.contains(reg)))
        {
            set.remove(*dst);
        }
    }
    set
}

/// Registers that are computed from `%tid`, `%ntid` and constants alone. A comparison with one of them parts the same threads in every
/// block, while one with the index of an element parts those of one block in a grid.
fn from_tid(func: &Function, defs: &[u32]) -> RegSet {
    let mut set = RegSet::new(func.regs.len());
    // The same in all threads.
    let mut extents = RegSet::new(func.regs.len());
    let mut changed = true;
    while changed {
        changed = false;
        for inst in func.blocks.iter().flat_map(|b| &b.insts) {
            let (dst, tid) = match inst {
                Inst::Special {
                    dst,
                    special: Special::Tid(_),
                } => (*dst, true),
                Inst::Special {
                    dst,
                    special: Special::Ntid(_),
                } => (*dst, false),
                Inst::Op {
                    dst,
                    op: Op::Mov(_) | Op::Int(..) | Op::Convert(_),
                    args,
                } => {
                    let of = |set: &RegSet, o: &Operand| o.reg().is_some_and(|r| set.contains(r));
                    let known = |o: &Operand| o.reg().is_none() || of(&set, o) || of(&extents, o);
                    if !args.iter().all(known) || args.iter().all(|o| o.reg().is_none()) {
                        continue;
                    }
                    (*dst, args.iter().any(|o| of(&set, o)))
                }
                _ => continue,
            };
            if defs[dst.index()] == 1 {
                let known = if tid { &mut set } else { &mut extents };
                changed |= known.insert(dst);
            }
        }
    }
    set
}

/// The immediate post-dominator of every block, where there is one.
pub(super) fn post_dominators(func: &Function) -> Vec<Option<usize>> {
    let n = func.blocks.len();
    let exit = n;
    let mut preds: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
    let mut succs: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, block) in func.blocks.iter().enumerate() {
        block.end.successors(|s| {
            succs[i].push(s.index());
            preds[s.index()].push(i);
        });
        if succs[i].is_empty() {
            succs[i].push(exit);
            preds[exit].push(i);
        }
    }
    // Order of the reversed graph: post-order from the virtual exit.
    let mut order = Vec::new();
    let mut seen = vec![false; n + 1];
    let mut stack = vec![(exit, 0usize)];
    seen[exit] = true;
    while let Some((at, next)) = stack.pop() {
        if let Some(&p) = preds[at].get(next) {
            stack.push((at, next + 1));
            if !std::mem::replace(&mut seen[p], true) {
                stack.push((p, 0));
            }
        } else {
            order.push(at);
        }
    }
    let mut rank = vec![usize::MAX; n + 1];
    for (i, &b) in order.iter().enumerate() {
        rank[b] = i;
    }
    let mut idom: Vec<Option<usize>> = vec![None; n + 1];
    idom[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &b in order.iter().rev().filter(|&&b| b != exit) {
            let mut new: Option<usize> = None;
            for &s in succs[b].iter().filter(|&&s| idom[s].is_some()) {
                new = Some(match new {
                    None => s,
                    Some(mut a) => {
                        let mut c = s;
                        while a != c {
                            while rank[a] < rank[c] {
                                a = idom[a].unwrap_or(exit);
                            }
                            while rank[c] < rank[a] {
                                c = idom[c].unwrap_or(exit);
                            }
                        }
                        a
                    }
                });
            }
            if idom[b] != new {
                idom[b] = new;
                changed = true;
            }
        }
    }
    idom.truncate(n);
    idom.into_iter().map(|d| d.filter(|&d| d != exit)).collect()
}

#[cfg(test)]
mod tests {
    use super::{RowShape, Shape};

    fn rows(breaks: u8, ends: Option<u8>, fours: bool) -> Shape {
        Shape::Planes(RowShape {
            breaks,
            ends,
            fours,
        })
    }

    #[test]
    fn shapes_of_blocks() {
        let whole = rows(0, None, true);
        for (block, alone, barriers) in [
            ([256, 1, 1], Shape::Line, Shape::Line),
            ([32, 8, 1], whole, whole),
            ([16, 16, 1], rows(0, Some(1), true), rows(0, Some(1), true)),
            ([96, 2, 3], whole, Shape::Halves),
            // A plane would end within a warp.
            ([16, 3, 2], Shape::Halves, Shape::Halves),
            ([4, 4, 4], Shape::Any, Shape::Any),
            ([48, 2, 1], whole, whole),
            ([8, 32, 1], rows(1, Some(2), true), rows(1, Some(2), true)),
            ([8, 8, 4], rows(1, Some(2), true), Shape::Any),
            ([5, 5, 1], rows(3, None, false), rows(3, None, false)),
            ([3, 3, 1], Shape::Any, Shape::Any),
        ] {
            assert_eq!(Shape::of(block, false, true), alone, "{block:?}");
            assert_eq!(Shape::of(block, true, true), barriers, "{block:?}");
        }
        assert_eq!(Shape::of([5, 5, 1], false, false), Shape::Any);
        assert_eq!(Shape::of([4, 4, 4], false, false), Shape::Quads);
        assert_eq!(Shape::of([24, 2, 1], false, false), rows(1, None, true));
    }

    #[test]
    fn breaks_of_groups() {
        for width in 4..=64 {
            let Some(shape) = RowShape::of(width) else {
                panic!("{width}");
            };
            let breaks = |first: u32| (first + 1..first + 16).filter(|l| l % width == 0).count();
            let most = (0..width).map(|n| breaks(16 * n)).max().unwrap_or(0);
            assert_eq!(usize::from(shape.breaks), most, "{width}");
            if let Some(ends) = shape.ends {
                assert_eq!(width * u32::from(ends), 16);
            }
        }
    }
}
