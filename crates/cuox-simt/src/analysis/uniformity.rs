//! Uniformity analysis: how each register varies over the lanes of a gang.
//!
//! In gang mode all lanes of a gang (the full warps of a block, or some of them) execute together, so a value computed
//! from uniform operands is uniform. This makes uniformity a plain data-flow problem over definitions. Divergent
//! branches do not affect it: lanes that diverge leave gang mode, and [`crate::jit::runtime::block`] lets them back in
//! only where it has checked that every register has its promised uniformity again. Registers written under a divergent
//! branch are made varying nevertheless, as such lanes could never come back otherwise.

use crate::analysis::affine_compare::guardable;
use crate::analysis::dominators::post_dominators;
use crate::analysis::known_bits::LowBits;
use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::ir::{
    Block, BlockId, Cmp, Function, Inst, IntOp, Num, Op, Operand, Reg, Scope, Space, Special,
    Terminator, Ty, WarpOp,
};

/// Uniformity of a value over the lanes of a gang.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Uniformity {
    /// One value for all lanes.
    Uniform,
    /// `base + lane * stride`, wrapping at the register's width. In a gang of several rows ([`Shape::Planes`]) this
    /// holds along each row; a *step* from row to row is computed at run time as the base is. The stride may be 0 only
    /// there.
    Affine(i64),
    /// `base + (lane % n) * stride`, with a separate base for each group of `n` lanes. The stride may be 0. `n` is 4
    /// for the block shape [`Shape::MultipleOf4`], else 16.
    PiecewiseAffine(i64),
    /// Any values.
    Varying,
}

impl Uniformity {
    /// Returns the uniformity of a register that may have either.
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

    /// Returns the distance between neighbouring lanes of a group, if it is constant.
    pub fn stride(self) -> Option<i64> {
        match self {
            Uniformity::Uniform => Some(0),
            Uniformity::Affine(s) | Uniformity::PiecewiseAffine(s) => Some(s),
            Uniformity::Varying => None,
        }
    }

    /// Tells whether gang mode keeps one value for the whole gang.
    pub fn is_one_per_gang(self) -> bool {
        matches!(self, Uniformity::Uniform | Uniformity::Affine(_))
    }
}

/// Largest stride tracked; a value with a larger one is varying.
const MAX_STRIDE: i64 = 1 << 20;

/// Uniformity of every register of a function.
#[derive(Hash)]
pub struct UniformityInfo {
    of: Vec<Uniformity>,
    /// Predicates that are uniform only under a guard: comparisons of an affine and a uniform value.
    guarded: RegSet,
    /// Shape of the blocks.
    shape: Shape,
    local_bytes: u32,
    low_bits: LowBits,
}

impl UniformityInfo {
    /// Returns the uniformity of a register.
    pub fn of(&self, reg: Reg) -> Uniformity {
        self.of[reg.index()]
    }

    /// Returns the shape of the blocks.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns a function for the uniformity of an instruction's result by itself, whatever else writes its register.
    pub fn of_results<'a>(&'a self, func: &'a Function) -> impl Fn(&Inst) -> Uniformity + 'a {
        let known: Vec<_> = self.of.iter().copied().map(Some).collect();
        move |inst| {
            let found = self.inst_uniformity(func, inst, self.shape, self.local_bytes, &known);
            found.unwrap_or(Uniformity::Varying)
        }
    }

    /// Returns the uniformity of an operand.
    pub fn operand(&self, operand: Operand) -> Uniformity {
        match operand {
            Operand::Reg(reg) => self.of(reg),
            Operand::Imm(_) => Uniformity::Uniform,
        }
    }

    /// Tells whether all operands are uniform.
    pub fn all_uniform(&self, operands: &[Operand]) -> bool {
        operands
            .iter()
            .all(|&o| self.operand(o) == Uniformity::Uniform)
    }

    /// Tells whether a comparison into `dst` is decided on the first and last lane of a warp, under a guard that both
    /// agree.
    pub fn is_guarded(&self, dst: Reg) -> bool {
        self.guarded.contains(dst)
    }

    /// Computes the uniformity of every register of a function.
    ///
    /// Registers of `varying` are varying whatever computes them. Registers of `steady` keep their uniformity even if
    /// written under a divergent branch.
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

    /// Computes the uniformity again with no comparison guarded. A register that is uniform in the result is uniform
    /// whatever path the lanes took.
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
        // `None` means that no definition has been seen yet, so that loop-carried copies start optimistically.
        let mut known: Vec<Option<Uniformity>> = vec![None; func.regs.len()];
        let mut forced = varying.clone();
        loop {
            // A register read before it is written has no definition; its value is the same in all lanes.
            for reg in live.live_in(BlockId(0)).iter() {
                known[reg.index()] = Some(match forced.contains(reg) {
                    true => Uniformity::Varying,
                    false => Uniformity::Uniform,
                });
            }
            uniformity.solve(func, shape, local_bytes, &mut known, &forced);
            let needed_guards = uniformity.needed_guards(func);
            let in_vain = uniformity.guards_in_vain(func, &needed_guards);
            if !in_vain.is_empty() {
                in_vain
                    .iter()
                    .for_each(|reg| uniformity.guarded.remove(*reg));
                known.iter_mut().for_each(|k| *k = None);
                continue;
            }
            if !uniformity.force_divergent(func, live, steady, &needed_guards, &mut forced) {
                uniformity.guarded = needed_guards;
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
                    let mut class = self.inst_uniformity(func, inst, shape, local_bytes, known);
                    // The lane that loads for its group may be masked off.
                    if let (Some(_), Inst::Load { .. }, Some(Uniformity::PiecewiseAffine(_))) =
                        (block.mask, inst, class)
                    {
                        class = Some(Uniformity::Varying);
                    }
                    inst.defs(|reg| meet(known, reg, class));
                }
                self.end_uniformity(func, &block.end, known, &mut meet);
            }
        }
        for ((class, known), ty) in self.of.iter_mut().zip(known.iter()).zip(&func.regs) {
            // The value of a register without definitions is never relied on.
            *class = match *ty == Ty::B128 {
                true => Uniformity::Varying,
                false => known.unwrap_or(Uniformity::Uniform),
            };
        }
    }

    fn end_uniformity(
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
                // A value that is uniform in a warp is uniform in each group of four lanes. It is uniform in the gang
                // only if no argument varies.
                let warp = match (one_group, same_args) {
                    (true, true) => Uniformity::Uniform,
                    (true, false) if self.shape.is_warp() => Uniformity::Uniform,
                    (true, false) => Uniformity::PiecewiseAffine(0),
                    _ => Uniformity::Varying,
                };
                let (first, second) = match op {
                    WarpOp::Vote(_) | WarpOp::Redux(_) | WarpOp::MatchAll(_) => (warp, warp),
                    WarpOp::ActiveMask | WarpOp::Sync | WarpOp::Step => {
                        (Uniformity::Uniform, Uniformity::Uniform)
                    }
                    WarpOp::Shuffle(_) | WarpOp::MatchAny(_) if one_group && same_args => {
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

    fn inst_uniformity(
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
                self.op_uniformity(func, *dst, *op, args, &uniformity[..args.len()])
            }
            Inst::Special { special, .. } => special_uniformity(*special, shape, local_bytes),
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

    fn op_uniformity(
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
            // Some lane of a warp often equals a number, and its vectors are few.
            let one_lane = self.shape.is_warp() && matches!(cmp, Cmp::Eq | Cmp::Ne);
            let guarded =
                one_affine && plain && !one_lane && !num.is_float() && self.guarded.contains(dst);
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
            return match (self.shape, stride) {
                // The group is the gang.
                (Shape::Warp, 0) => Uniformity::Uniform,
                (Shape::Warp, _) => Uniformity::Affine(stride),
                _ => Uniformity::PiecewiseAffine(stride),
            };
        }
        match stride_of(op, args, uniformity).filter(|s| s.abs() <= MAX_STRIDE) {
            _ if grouped && breaks => Uniformity::Varying,
            _ if grouped && same => Uniformity::PiecewiseAffine(0),
            Some(stride) if grouped => Uniformity::PiecewiseAffine(stride),
            Some(0) if !self.shape.has_rows() => Uniformity::Uniform,
            Some(stride) => Uniformity::Affine(stride),
            // Each row has a value of its own.
            None if same && !breaks => Uniformity::PiecewiseAffine(0),
            None => Uniformity::Varying,
        }
    }

    /// Returns the guardable comparisons that need a guard: those whose operands are not all uniform.
    fn needed_guards(&self, func: &Function) -> RegSet {
        let mut needed_guards = RegSet::new(func.regs.len());
        for inst in func.blocks.iter().flat_map(|b| &b.insts) {
            if let Inst::Op { dst, args, .. } = inst
                && self.guarded.contains(*dst)
                && !self.all_uniform(args)
            {
                needed_guards.insert(*dst);
            }
        }
        needed_guards
    }

    /// Returns the guarded comparisons of `guards` that no uniform branch depends on, as logic with what varies has
    /// their results. A guard would only bail out for what is compared in every lane as fast.
    fn guards_in_vain(&self, func: &Function, guards: &RegSet) -> Vec<Reg> {
        let uniform = |reg: Reg| self.of(reg) == Uniformity::Uniform;
        let mut useful = RegSet::new(func.regs.len());
        for block in &func.blocks {
            if let Terminator::Branch { cond, .. } = block.end
                && uniform(cond)
            {
                useful.insert(cond);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for inst in func.blocks.iter().rev().flat_map(|b| b.insts.iter().rev()) {
                if let Inst::Op {
                    dst,
                    op: Op::Logic(_),
                    args,
                } = inst
                    && useful.contains(*dst)
                    && uniform(*dst)
                {
                    for reg in args.iter().filter_map(|arg| arg.reg()) {
                        changed |= useful.insert(reg);
                    }
                }
            }
        }
        guards.iter().filter(|&reg| !useful.contains(reg)).collect()
    }

    /// Makes varying the registers that are written between a divergent branch and its reconvergence point, and live
    /// there. Tells whether anything changed.
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
        // The last divergent branch from which each block was reached.
        let mut seen_from = vec![usize::MAX; func.blocks.len()];
        for (index, block) in func.blocks.iter().enumerate() {
            let divergent = match &block.end {
                end if end.is_together() => false,
                Terminator::Branch { cond, .. } => {
                    self.of(*cond) == Uniformity::Varying || guarded.contains(*cond)
                }
                Terminator::Switch { index, .. } => {
                    // The switch reads its index in each lane.
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
                // These have at most one successor.
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
            let mut seen = Vec::new();
            let mut work = Vec::new();
            block.end.successors(|s| work.push(s));
            while let Some(at) = work.pop() {
                let is_seen = std::mem::replace(&mut seen_from[at.index()], index) == index;
                if Some(at.index()) == meet || is_seen {
                    continue;
                }
                seen.push(at.index());
                func.blocks[at.index()].end.successors(|s| work.push(s));
            }
            let Some(meet) = meet else { continue };
            let live_there = live.live_in(BlockId(meet as u32));
            for at in seen {
                let mut force = |reg: Reg| {
                    // A guarded comparison diverges only in the few warps that straddle a boundary. Registers that are
                    // uniform in the other warps keep their uniformity, unless the boundary branch writes them.
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

/// Returns the stride of an integer operation's result, if it is constant: sums and products of affine operands have
/// one.
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
        // A guard checks that no lane's operand wraps.
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

/// Returns the stride of the product of a uniform value and one that differs between rows only.
fn same_in_rows(uniformity: &[Uniformity]) -> Option<i64> {
    let factors = matches!(
        uniformity[..2],
        [Uniformity::Affine(0), Uniformity::Uniform] | [Uniformity::Uniform, Uniformity::Affine(0)]
    );
    factors.then_some(0)
}

/// Returns `Some(signed)` if the operation widens an operand, so that its result is affine only if the operand does not
/// wrap over the lanes. `signed` is the operand's signedness.
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

/// Tells whether an instruction of a block is executed once for the gang: one of its results is uniform or affine, it
/// loads from one address, or it checks one address, or addresses at one distance in all lanes.
pub(crate) fn is_scalar(uniformity: &UniformityInfo, block: &Block, inst: &Inst) -> bool {
    if let Inst::Load { addr, .. } = inst {
        return uniformity.operand(addr.base) == Uniformity::Uniform && addr.space != Space::Local;
    }
    if let Inst::Check { addr, .. } = inst {
        return match uniformity.operand(addr.base) {
            Uniformity::Uniform => true,
            Uniformity::Affine(_) => {
                // What the block prints before comes before a fault.
                let calls = |inst: &Inst| matches!(inst, Inst::Syscall { .. });
                block.mask.is_none()
                    && !uniformity.shape().has_rows()
                    && !block.insts.iter().any(calls)
            }
            Uniformity::PiecewiseAffine(_) | Uniformity::Varying => false,
        };
    }
    let mut scalar = false;
    inst.defs(|reg| scalar |= uniformity.of(reg).is_one_per_gang());
    scalar
}

fn special_uniformity(special: Special, shape: Shape, local_bytes: u32) -> Uniformity {
    match (special, shape) {
        (Special::Tid(0), Shape::Warp | Shape::Line | Shape::Planes(_)) => Uniformity::Affine(1),
        (Special::Tid(1), Shape::Planes(_)) => Uniformity::Affine(0),
        (Special::Tid(_), Shape::Warp | Shape::Line | Shape::Planes(_)) => Uniformity::Uniform,
        (Special::Tid(0), Shape::HalfWarps | Shape::MultipleOf16 | Shape::MultipleOf4) => {
            Uniformity::PiecewiseAffine(1)
        }
        (Special::Tid(_), Shape::HalfWarps | Shape::MultipleOf16 | Shape::MultipleOf4) => {
            Uniformity::PiecewiseAffine(0)
        }
        (Special::Tid(_), Shape::Any) => Uniformity::Varying,
        (Special::LaneId, Shape::Warp | Shape::HalfWarps) => Uniformity::Affine(1),
        (Special::LaneId, _) => Uniformity::PiecewiseAffine(1),
        // Without local memory the base is the same for all lanes.
        (Special::LocalBase, _) if local_bytes == 0 => Uniformity::Uniform,
        (Special::LocalBase, _) => Uniformity::Affine(i64::from(local_bytes)),
        (Special::Stack, _) => Uniformity::Affine(8),
        (other, _) => match other.scope() {
            Scope::Thread | Scope::Lane => Uniformity::Varying,
            Scope::Warp if shape.is_warp() => Uniformity::Uniform,
            Scope::Warp => Uniformity::PiecewiseAffine(0),
            // The gang reads the clock once.
            Scope::Block | Scope::Moment => Uniformity::Uniform,
        },
    }
}
