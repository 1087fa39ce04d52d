//! Wide code of group loops ([`crate::analysis::group_loop`]): each group of sixteen lanes runs the loop to its end,
//! with all that it writes in vectors.
//!
//! The blocks of a loop follow one another without branches, each for the lanes of its mask. Only LLVM makes code of
//! it.

use crate::analysis::group_loop::{GroupLoop, clears_predicate};
use crate::analysis::liveness::RegSet;
use crate::ir::{Block, BlockId, Inst, Operand, Reg, Ty};
use crate::jit::avx512::forms::{BLEND, long};
use crate::jit::avx512::lower::{Body, LanePhaseInput, Lower, Result, Unsupported, Val, WideCode};
use crate::jit::avx512::vcode::{K, KOp, Src, V, Vop};
use crate::jit::llvm::body::{Code, Frame, Source};
use crate::jit::llvm::group_loop::LoopCode;
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::Exit;

/// Parts of a register's value.
enum Parts {
    Word(V),
    Long([V; 2]),
    Mask(K),
}

/// Registers of a loop.
struct Registers {
    /// Those that it reads and does not write.
    read: Vec<Reg>,
    /// Those that the next iteration, or the code after the loop, needs.
    carried: Vec<Reg>,
    /// Predicates that are false between iterations: those of all blocks but the first.
    inner: Vec<Reg>,
}

impl Registers {
    fn of(plan: &Plan, this: &GroupLoop) -> Option<Registers> {
        let block = |b: &BlockId| &plan.func.blocks[b.index()];
        let head = this.blocks[0];
        let mask = block(&head).mask?;
        let mut written = RegSet::new(plan.func.regs.len());
        let mut read = RegSet::new(plan.func.regs.len());
        for inst in this.blocks.iter().flat_map(|b| &block(b).insts) {
            inst.defs(|reg| {
                written.insert(reg);
            });
            inst.uses(|o| {
                if let Operand::Reg(reg) = o {
                    read.insert(reg);
                }
            });
        }
        let masks = this.blocks[1..].iter().filter_map(|b| block(b).mask);
        let inner: Vec<Reg> = masks
            .map(|inner| inner.reg)
            .filter(|&reg| reg != mask.reg)
            .collect();
        let live = plan.live.live_in(head);
        Some(Registers {
            read: read.iter().filter(|&reg| !written.contains(reg)).collect(),
            carried: live
                .iter()
                .filter(|&reg| written.contains(reg) && !inner.contains(&reg))
                .collect(),
            inner,
        })
    }
}

/// Lowers a group loop, whose lanes run at most `most` iterations at a time. The votes are those on who goes on.
/// Returns `None` if it has an instruction that only narrow code supports.
pub fn lower(plan: &Plan, this: &GroupLoop, most: i64) -> Option<Body> {
    if !plan.llvm {
        return None;
    }
    let registers = Registers::of(plan, this)?;
    let block = |b: &BlockId| &plan.func.blocks[b.index()];
    let count = this.blocks.iter().map(|b| block(b).insts.len()).max()?;
    let (ready, spans, skips) = (vec![None; count], vec![None; count], vec![false; count]);
    let work = LanePhaseInput {
        plan,
        block: block(&this.blocks[0]),
        at: this.blocks[0],
        ready: &ready,
        spans: &spans,
        skips: &skips,
        scalars: &[],
        results: &[],
        window: false,
    };
    let mut lower = Lower::new(&work);
    lower.by_group = vec![false; count];
    lower.group_address = vec![None; count];
    let code = lower.group_loop(this, &registers, most).ok()?;
    lower.finish_loop(code)
}

impl<'a> Lower<'a> {
    fn group_loop(
        &mut self,
        this: &GroupLoop,
        registers: &Registers,
        most: i64,
    ) -> Result<LoopCode> {
        let plan = self.plan;
        let head = &plan.func.blocks[this.blocks[0].index()];
        let mask = head.mask.ok_or(Unsupported)?.reg;
        self.begin(head)?;
        for &reg in &registers.read {
            _ = self.val(Operand::Reg(reg));
        }
        let first: Vec<Parts> = self.all_parts(&registers.carried)?;
        let before = std::mem::take(&mut self.code);

        let mut code = LoopCode {
            before,
            most,
            ..LoopCode::default()
        };
        let mut turn = Vec::new();
        for (&reg, parts) in registers.carried.iter().zip(&first) {
            let (val, parts) = match parts {
                Parts::Word(_) => {
                    let v = self.new_vector();
                    (Val::Words(v, false), Parts::Word(v))
                }
                Parts::Long(_) => {
                    let both = [self.new_vector(), self.new_vector()];
                    (Val::Longs(both), Parts::Long(both))
                }
                Parts::Mask(_) => {
                    let k = self.new_mask();
                    (Val::Mask(k), Parts::Mask(k))
                }
            };
            self.set(reg, val);
            turn.push(parts);
        }
        let mut off = registers.inner.clone();
        for &reg in &off {
            self.set(reg, Val::Imm(0));
        }
        for &b in &this.blocks {
            self.loop_block(&plan.func.blocks[b.index()], &mut off)?;
            let fault = Exit::Fault.code(b);
            code.blocks.push((fault, std::mem::take(&mut self.code)));
        }
        let next = self.all_parts(&registers.carried)?;
        code.again = Some(self.mask(Operand::Reg(mask))?);
        if let Some((_, last)) = code.blocks.last_mut() {
            last.append(&mut self.code);
        }
        for ((first, turn), next) in first.iter().zip(&turn).zip(&next) {
            match (first, turn, next) {
                (&Parts::Word(first), &Parts::Word(turn), &Parts::Word(next)) => {
                    code.vectors.push([first, turn, next]);
                }
                (&Parts::Long(first), &Parts::Long(turn), &Parts::Long(next)) => {
                    let both = [0, 1].map(|n| [first[n], turn[n], next[n]]);
                    code.vectors.extend(both);
                }
                (&Parts::Mask(first), &Parts::Mask(turn), &Parts::Mask(next)) => {
                    code.masks.push([first, turn, next]);
                }
                _ => return Err(Unsupported),
            }
        }

        // Lanes that did not run have their old values.
        (self.active, self.kept) = (None, None);
        for &reg in &registers.carried {
            if let Some(home) = plan.layout.home(reg) {
                self.keep(reg, home)?;
            }
        }
        let any = self.mask(Operand::Reg(mask))?;
        self.code.push(Vop::Vote { all: any, any });
        code.after = std::mem::take(&mut self.code);
        Ok(code)
    }

    /// Returns the values of registers in vectors and masks.
    fn all_parts(&mut self, regs: &[Reg]) -> Result<Vec<Parts>> {
        let part = |&reg: &Reg| self.parts_of(reg);
        regs.iter().map(part).collect()
    }

    fn parts_of(&mut self, reg: Reg) -> Result<Parts> {
        let operand = Operand::Reg(reg);
        Ok(match self.plan.func.ty(reg) {
            Ty::Pred => Parts::Mask(self.mask(operand)?),
            Ty::B64 => Parts::Long(self.longs(operand)?),
            Ty::B128 => return Err(Unsupported),
            _ => Parts::Word(self.words(operand)?),
        })
    }

    /// Lowers a block's instructions, for the lanes of its mask. `off` are predicates that are false in all lanes.
    fn loop_block(&mut self, block: &'a Block, off: &mut Vec<Reg>) -> Result<()> {
        let Some(mask) = block.mask else {
            return Ok(());
        };
        let active = self.active_of(mask)?;
        (self.block, self.active, self.done) = (block, Some(active), 0);
        // Old values that the other lanes keep. A predicate known to be false has none.
        let mut before: Vec<(Reg, Option<Parts>)> = Vec::new();
        for inst in &block.insts {
            let mut defs = Vec::new();
            inst.defs(|reg| defs.push(reg));
            for reg in defs {
                if !self.plan.kept.contains(reg) || before.iter().any(|(r, _)| *r == reg) {
                    continue;
                }
                let own = reg == mask.reg && !mask.negated;
                if own || off.contains(&reg) {
                    before.push((reg, None));
                } else if self.cur.contains_key(&reg) {
                    before.push((reg, Some(self.parts_of(reg)?)));
                }
            }
        }
        for (i, inst) in block.insts.iter().enumerate() {
            if i >= self.done {
                self.inst(i, inst)?;
            }
        }
        for (reg, old) in before {
            off.retain(|&off| off != reg);
            if reg == mask.reg && clears_predicate(block, reg) {
                off.push(reg);
                continue;
            }
            let val = match (old, self.parts_of(reg)?) {
                (None, Parts::Mask(new)) => Val::Mask(self.mask_op(KOp::And, active, new)),
                (Some(Parts::Mask(old)), Parts::Mask(new)) => {
                    let old = self.mask_op(KOp::AndNot, active, old);
                    let new = self.mask_op(KOp::And, active, new);
                    Val::Mask(self.mask_op(KOp::Or, old, new))
                }
                (Some(Parts::Word(old)), Parts::Word(new)) => Val::Words(
                    self.full(BLEND, Some(old), Src::V(new), None, Some(active), None),
                    false,
                ),
                (Some(Parts::Long(old)), Parts::Long(new)) => {
                    let masks = [active, self.upper(active)];
                    Val::Longs([0, 1].map(|n| {
                        let new = Src::V(new[n]);
                        self.full(long(BLEND), Some(old[n]), new, None, Some(masks[n]), None)
                    }))
                }
                _ => return Err(Unsupported),
            };
            self.set(reg, val);
        }
        Ok(())
    }

    fn finish_loop(mut self, code: LoopCode) -> Option<Body> {
        let rows = self.row_ends();
        let adjusts = !rows.is_empty();
        let ops = code.blocks.iter().flat_map(|(_, ops)| ops);
        let fails = ops.into_iter().any(|op| matches!(op, Vop::Fault { .. }));
        let source = Source {
            constants: self.asm.constants().to_vec(),
            frame: Frame {
                group_bytes: self.group_inputs.len() as i32 * 8,
                rows,
                shape: self.plan.shape.rows(),
                window: false,
                ordered: false,
                flushes: self.plan.flushes,
            },
            code: Code::Loop(code),
        };
        source.module()?;
        Some(Body {
            code: WideCode::Llvm(Box::new(source)),
            rows: adjusts,
            inputs: self.inputs,
            group_inputs: self.group_inputs,
            by_group: Vec::new(),
            votes: true,
            fails,
            whole_loop: true,
        })
    }
}

/// A block of which only the live-in values count.
pub fn no_block(plan: &Plan, this: &GroupLoop) -> Block {
    let head = &plan.func.blocks[this.blocks[0].index()];
    Block {
        insts: Vec::<Inst>::new(),
        ..head.clone()
    }
}
