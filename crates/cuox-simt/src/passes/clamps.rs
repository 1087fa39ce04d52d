//! Clamped indices: two codes for a block whose addresses depend on the minimum or maximum of an index and a bound.
//!
//! The pixels that a filter reads beyond the edge of an image are those of the edge, so their indices are
//! `min(max(x + d, 0), w - 1)`. In nearly all gangs no lane is clamped: the minimum is the index itself, and its
//! elements are neighbours. This pass adds a copy of the block in which that is so, with a guarded comparison before it
//! that decides for a gang which of the two it runs: the copy if no lane is clamped, the block itself if some are.

use crate::analysis::liveness::Liveness;
use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{
    Args, Block, BlockId, Cmp, Inst, IntOp, Num, Op, Operand, PredOp, Reg, Space, Special,
    Terminator, Ty,
};
use crate::passes::boundary_branch::Counts;
use crate::passes::linearize::Linearized;
use rustc_hash::{FxHashMap, FxHashSet};

/// Largest number of instructions of a block that is copied, and of all copies of a function.
const MAX_COPIED: usize = 400;
/// Largest number of instructions that are computed for the comparisons.
const MAX_BEFORE: usize = 64;

/// A clamp: the instruction is the same as a move of its first operand where that compares so with the second.
struct Clamp {
    index: Operand,
    bound: Operand,
    cmp: Cmp,
    num: Num,
}

/// The comparisons for a block's clamps, being made.
struct Guard<'a> {
    block: &'a Block,
    uniformity: &'a UniformityInfo,
    /// Registers whose values have a constant stride if no lane is clamped.
    lines: FxHashSet<Reg>,
    /// What each instruction's result is before the block.
    before: FxHashMap<usize, Operand>,
    insts: Vec<Inst>,
    /// The comparisons.
    compares: Vec<(Cmp, Num, [Operand; 2])>,
    /// Instructions that move their index if no lane is clamped.
    moves: Vec<(usize, Operand)>,
}

/// Copies the blocks with clamped indices. Tells whether there are any.
pub fn run(linear: &mut Linearized, live: &Liveness, uniformity: &UniformityInfo) -> bool {
    let mut insts = linear.func.blocks.iter().flat_map(|block| &block.insts);
    if !insts.any(is_clamp) {
        return false;
    }
    let func = linear.func.clone();
    let writers = Counts::new(&func).defs;
    let mut budget = MAX_COPIED;
    for (index, block) in func.blocks.iter().enumerate() {
        if block.mask.is_some() || block.insts.len() > budget {
            continue;
        }
        let wanted = addresses(block);
        if !wanted.iter().any(|&i| is_clamp(&block.insts[i])) {
            continue;
        }
        let mut guard = Guard {
            block,
            uniformity,
            lines: FxHashSet::default(),
            before: FxHashMap::default(),
            insts: Vec::new(),
            compares: Vec::new(),
            moves: Vec::new(),
        };
        guard.find(linear, &wanted);
        if guard.moves.is_empty() {
            continue;
        }
        budget -= block.insts.len();
        let at = BlockId(index as u32);
        let (live_in, live_out) = (live.live_in(at), live.live_out(&func, at));
        let own = |reg: Reg| {
            let here = block.insts.iter().filter(|inst| {
                let mut writes = false;
                inst.defs(|dst| writes |= dst == reg);
                writes
            });
            !live_in.contains(reg)
                && !live_out.contains(reg)
                && writers[reg.index()] as usize == here.count()
        };
        guard.split(linear, at, own);
    }
    let changed = linear.func.blocks.len() != func.blocks.len();
    if changed {
        crate::passes::reorder(&mut linear.func);
    }
    changed
}

fn is_clamp(inst: &Inst) -> bool {
    let Inst::Op { op, .. } = inst else {
        return false;
    };
    matches!(
        op,
        Op::Int(
            IntOp::MinS | IntOp::MaxS | IntOp::MinU | IntOp::MaxU,
            Ty::B32 | Ty::B64
        )
    )
}

/// Returns the instructions of a block whose results are part of an address in it.
fn addresses(block: &Block) -> Vec<usize> {
    let mut wanted: FxHashSet<Reg> = FxHashSet::default();
    let mut found = Vec::new();
    for (i, inst) in block.insts.iter().enumerate().rev() {
        if let Some(reg) = inst.address().and_then(|address| address.base.reg()) {
            wanted.insert(reg);
        }
        if let Inst::Op { dst, args, .. } = inst
            && wanted.remove(dst)
        {
            found.push(i);
            wanted.extend(args.iter().filter_map(|arg| arg.reg()));
        }
    }
    found
}

impl Guard<'_> {
    /// Finds the clamps among the instructions `wanted`.
    fn find(&mut self, linear: &mut Linearized, wanted: &[usize]) {
        for (i, inst) in self.block.insts.iter().enumerate() {
            if let Inst::Op { dst, op, args } = inst {
                let clamp = self.clamp(*op, args).filter(|_| wanted.contains(&i));
                let made = clamp.and_then(|clamp| Some((self.compare(linear, i, &clamp)?, clamp)));
                let line = match &made {
                    Some((compare, clamp)) => {
                        if !self.compares.contains(compare) {
                            self.compares.push(*compare);
                        }
                        self.moves.push((i, clamp.index));
                        true
                    }
                    None => self.is_line_of(*op, args),
                };
                self.lines.remove(dst);
                if line {
                    self.lines.insert(*dst);
                }
            } else {
                inst.defs(|reg| _ = self.lines.remove(&reg));
            }
        }
    }

    /// Tells whether lanes have values with a constant stride that is not 0, if none is clamped.
    fn is_line(&self, operand: Operand) -> bool {
        let here = operand.reg().is_some_and(|reg| self.lines.contains(&reg));
        here || matches!(self.uniformity.operand(operand), Uniformity::Affine(s) if s != 0)
    }

    fn is_uniform(&self, operand: Operand) -> bool {
        self.uniformity.operand(operand) == Uniformity::Uniform
    }

    /// The same of an operation's result.
    fn is_line_of(&self, op: Op, args: &[Operand]) -> bool {
        let of = |kind: IntOp| matches!(op, Op::Int(is, Ty::B32 | Ty::B64) if is == kind);
        match *args {
            [a] => matches!(op, Op::Mov(Ty::B32 | Ty::B64)) && self.is_line(a),
            [a, b] => {
                (of(IntOp::Add) || of(IntOp::Sub)) && self.is_line(a) && self.is_uniform(b)
                    || of(IntOp::Add) && self.is_uniform(a) && self.is_line(b)
            }
            _ => false,
        }
    }

    fn clamp(&self, op: Op, args: &[Operand]) -> Option<Clamp> {
        let Op::Int(op, ty @ (Ty::B32 | Ty::B64)) = op else {
            return None;
        };
        let kinds = [
            (IntOp::MinS, Cmp::Le, Num::S(ty)),
            (IntOp::MaxS, Cmp::Ge, Num::S(ty)),
            (IntOp::MinU, Cmp::Le, Num::U(ty)),
            (IntOp::MaxU, Cmp::Ge, Num::U(ty)),
        ];
        let (_, cmp, num) = kinds.into_iter().find(|(kind, ..)| *kind == op)?;
        let &[a, b] = args else { return None };
        let (index, bound) = match (self.is_line(a), self.is_line(b)) {
            (true, false) if self.is_uniform(b) => (a, b),
            (false, true) if self.is_uniform(a) => (b, a),
            _ => return None,
        };
        Some(Clamp {
            index,
            bound,
            cmp,
            num,
        })
    }

    /// The comparison that tells whether lanes are not clamped by the instruction `at`, of values before the block.
    fn compare(
        &mut self,
        linear: &mut Linearized,
        at: usize,
        clamp: &Clamp,
    ) -> Option<(Cmp, Num, [Operand; 2])> {
        let index = self.argument(linear, at, clamp.index)?;
        let bound = self.argument(linear, at, clamp.bound)?;
        Some((clamp.cmp, clamp.num, [index, bound]))
    }

    /// The result of the instruction `at`, computed before the block. `None` if that takes too much, or more than
    /// operations on registers.
    fn result(&mut self, linear: &mut Linearized, at: usize) -> Option<Operand> {
        if let Some(&made) = self.before.get(&at) {
            return Some(made);
        }
        if let Some(&(_, index)) = self.moves.iter().find(|(i, _)| *i == at) {
            let made = self.argument(linear, at, index)?;
            self.before.insert(at, made);
            return Some(made);
        }
        let mut inst = self.block.insts[at].clone();
        let plain = if let Inst::Op { op, .. } = &inst {
            matches!(
                op,
                Op::Mov(_)
                    | Op::Convert(_)
                    | Op::Int(
                        IntOp::Add
                            | IntOp::Sub
                            | IntOp::Mul
                            | IntOp::Shl
                            | IntOp::MulWideS
                            | IntOp::MulWideU,
                        _
                    )
            )
        } else if let Inst::Load { addr, dsts, .. } = &inst {
            addr.space == Space::Param && addr.base.reg().is_none() && dsts.len() == 1
        } else {
            matches!(
                inst,
                Inst::Special {
                    special: Special::Tid(_)
                        | Special::Ntid(_)
                        | Special::Ctaid(_)
                        | Special::Nctaid(_),
                    ..
                }
            )
        };
        if !plain {
            return None;
        }
        let mut failed = false;
        inst.uses_mut(|operand| match self.argument(linear, at, *operand) {
            Some(made) => *operand = made,
            None => failed = true,
        });
        if failed || self.insts.len() >= MAX_BEFORE {
            return None;
        }
        let mut made = None;
        inst.defs_mut(|reg| {
            *reg = linear.new_reg(linear.func.ty(*reg));
            made = Some(Operand::Reg(*reg));
        });
        self.insts.push(inst);
        self.before.insert(at, made?);
        made
    }

    /// An operand of the instruction `at`, computed before the block.
    fn argument(
        &mut self,
        linear: &mut Linearized,
        at: usize,
        operand: Operand,
    ) -> Option<Operand> {
        let Operand::Reg(reg) = operand else {
            return Some(operand);
        };
        let defines = |inst: &Inst| {
            let mut found = false;
            inst.defs(|dst| found |= dst == reg);
            found
        };
        match self.block.insts[..at].iter().rposition(defines) {
            None => Some(operand),
            Some(at) => self.result(linear, at),
        }
    }

    /// Makes the comparisons and both codes. Registers that are a block's `own` have other names in the copy.
    fn split(self, linear: &mut Linearized, at: BlockId, own: impl Fn(Reg) -> bool) {
        let mut insts = self.insts;
        let mut all: Option<Reg> = None;
        for (cmp, num, args) in self.compares {
            let holds = linear.new_reg(Ty::Pred);
            insts.push(Inst::Op {
                dst: holds,
                op: Op::Compare {
                    cmp,
                    num,
                    ftz: false,
                },
                args: Args::new(&args),
            });
            all = Some(match all {
                None => holds,
                Some(other) => {
                    let both = linear.new_reg(Ty::Pred);
                    insts.push(Inst::Op {
                        dst: both,
                        op: Op::Logic(PredOp::And),
                        args: Args::new(&[Operand::Reg(other), Operand::Reg(holds)]),
                    });
                    both
                }
            });
        }
        let Some(cond) = all else { return };
        let mut copy = self.block.clone();
        let mut names: FxHashMap<Reg, Reg> = FxHashMap::default();
        for (i, inst) in copy.insts.iter_mut().enumerate() {
            if let (Some(&(_, index)), Inst::Op { op, args, .. }) =
                (self.moves.iter().find(|(n, _)| *n == i), &mut *inst)
                && let Op::Int(_, ty) = *op
            {
                *op = Op::Mov(ty);
                *args = Args::new(&[index]);
            }
            inst.uses_mut(|operand| renamed(operand, &names));
            inst.defs_mut(|reg| {
                if own(*reg) {
                    let ty = linear.func.ty(*reg);
                    *reg = *names.entry(*reg).or_insert_with(|| linear.new_reg(ty));
                }
            });
        }
        copy.end.uses_mut(|operand| renamed(operand, &names));
        let line = self.block.lines.first().copied().unwrap_or(0);
        let blocks = &mut linear.func.blocks;
        let fast = BlockId(blocks.len() as u32);
        let slow = BlockId(fast.0 + 1);
        let guard = Block {
            lines: vec![line; insts.len() + 1],
            insts,
            end: Terminator::Branch {
                cond,
                then: fast,
                other: slow,
                mixed: Some(slow),
            },
            mask: None,
        };
        let block = std::mem::replace(&mut blocks[at.index()], guard);
        blocks.push(copy);
        blocks.push(block);
    }
}

fn renamed(operand: &mut Operand, names: &FxHashMap<Reg, Reg>) {
    if let Operand::Reg(reg) = operand
        && let Some(name) = names.get(reg)
    {
        *reg = *name;
    }
}
