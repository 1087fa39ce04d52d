//! Boundary branches: branches on affine comparisons that only the few gangs at a boundary, such as the edge of an
//! image, disagree on.
//!
//! Gang mode decides such a comparison once, under a guard. This pass moves the comparison into a block of its own, at
//! the end of the block that has it, and adds a *twin* of that block, which compares in every lane. A gang whose guard
//! fails goes on at the twin. From there masked copies lead to the reconvergence point.

use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{Block, BlockId, Function, Inst, Op, Operand, Reg, Terminator, Ty};
use crate::passes::linearize::Linearized;
use rustc_hash::FxHashSet;

/// Largest number of comparisons and logic on them that are moved for one branch.
const MAX_MOVED: usize = 64;

/// Guarded comparisons, and logic on their results, that decide a block's branch and can be moved to the end of the
/// block. Their results are read only by each other and by the branch.
pub struct BoundaryCompares {
    insts: Vec<usize>,
}

/// Numbers of definitions and uses of every register.
pub struct Counts {
    pub defs: Vec<u32>,
    pub uses: Vec<u32>,
}

impl Counts {
    pub fn new(func: &Function) -> Counts {
        let n = func.regs.len();
        let (mut defs, mut uses) = (vec![0u32; n], vec![0u32; n]);
        for block in &func.blocks {
            let mut used = |o: Operand| {
                if let Operand::Reg(reg) = o {
                    uses[reg.index()] += 1;
                }
            };
            block.insts.iter().for_each(|inst| inst.uses(&mut used));
            block.end.uses(&mut used);
            let mut defined = |reg: Reg| defs[reg.index()] += 1;
            block.insts.iter().for_each(|inst| inst.defs(&mut defined));
            block.end.defs(&mut defined);
        }
        Counts { defs, uses }
    }
}

impl BoundaryCompares {
    /// Returns the comparisons that decide a block's branch on `cond`, if the branch is a boundary branch.
    pub fn of(
        block: &Block,
        cond: Reg,
        uniformity: &UniformityInfo,
        counts: &Counts,
    ) -> Option<BoundaryCompares> {
        if uniformity.of(cond) != Uniformity::Uniform {
            return None;
        }
        let mut insts: Vec<usize> = Vec::new();
        // Numbers of reads of a register by the selected instructions and the branch.
        let mut wanted: Vec<(Reg, u32)> = vec![(cond, 1)];
        let mut changed_after: FxHashSet<Reg> = FxHashSet::default();
        let mut guarded = false;
        for (i, inst) in block.insts.iter().enumerate().rev() {
            if let Inst::Op { dst, op, args } = inst
                && let Some(&(_, reads)) = wanted.iter().find(|(reg, _)| reg == dst)
                && counts.defs[dst.index()] == 1
                && counts.uses[dst.index()] == reads
                && matches!(op, Op::Logic(_) | Op::Compare { .. })
                && !args
                    .iter()
                    .any(|a| a.reg().is_some_and(|reg| changed_after.contains(&reg)))
            {
                if insts.len() == MAX_MOVED {
                    return None;
                }
                let compares = matches!(op, Op::Compare { .. });
                guarded |= uniformity.is_guarded(*dst);
                insts.push(i);
                for reg in args.iter().filter_map(|a| a.reg()).filter(|_| !compares) {
                    match wanted.iter_mut().find(|(r, _)| *r == reg) {
                        Some((_, reads)) => *reads += 1,
                        None => wanted.push((reg, 1)),
                    }
                }
            } else {
                inst.defs(|reg| _ = changed_after.insert(reg));
            }
        }
        insts.reverse();
        guarded.then_some(BoundaryCompares { insts })
    }

    /// Moves the comparisons out of block `at` into a block of their own and creates its twin, whose predicates are
    /// varying. Returns the twin and the predicate that it branches on. The twin's branch has no `mixed` target yet.
    pub fn split_off(&self, out: &mut Linearized, at: BlockId) -> Option<(BlockId, Reg)> {
        let block = &mut out.func.blocks[at.index()];
        let Terminator::Branch {
            cond, then, other, ..
        } = block.end
        else {
            return None;
        };
        let (mut rest, mut own) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for (i, inst) in std::mem::take(&mut block.insts).into_iter().enumerate() {
            let to = match self.insts.contains(&i) {
                true => &mut own,
                false => &mut rest,
            };
            to.0.push(inst);
            to.1.push(block.lines[i]);
        }
        let last = block.lines.last().copied().unwrap_or(0);
        rest.1.push(last);
        own.1.push(last);
        (block.insts, block.lines) = rest;
        let decides = BlockId(out.func.blocks.len() as u32);
        let twin = BlockId(decides.0 + 1);
        out.func.blocks[at.index()].end = Terminator::Jump(decides);
        let mut names: Vec<(Reg, Reg)> = Vec::new();
        let mut copies: Vec<Inst> = own.0.clone();
        for inst in &mut copies {
            inst.uses_mut(|operand| {
                if let Operand::Reg(reg) = operand
                    && let Some((_, name)) = names.iter().find(|(old, _)| old == reg)
                {
                    *reg = *name;
                }
            });
            inst.defs_mut(|reg| {
                let name = out.new_reg(Ty::Pred);
                out.varying.insert(name);
                names.push((*reg, name));
                *reg = name;
            });
        }
        let (_, name) = names.iter().find(|(old, _)| *old == cond)?;
        let branch = |cond: Reg, mixed: Option<BlockId>| Terminator::Branch {
            cond,
            then,
            other,
            mixed,
        };
        out.func.blocks.push(Block {
            insts: own.0,
            end: branch(cond, Some(twin)),
            lines: own.1.clone(),
            mask: None,
        });
        out.func.blocks.push(Block {
            insts: copies,
            end: branch(*name, None),
            lines: own.1,
            mask: None,
        });
        Some((twin, *name))
    }
}
