//! Branches and switches as one kind of terminator, a multiway branch at which threads may diverge.
//!
//! `linearize` uses it to compute masks for the blocks of each arm. [`in_range`] proves that a switch's index has a
//! target.

use crate::ir::{
    Args, Block, BlockId, Cmp, Function, Inst, IntOp, Num, Op, Operand, Reg, Terminator, Ty,
};

/// Operand that selects a target.
#[derive(Clone, Copy)]
pub(crate) enum BranchSelector {
    /// Predicate of a branch: the first of two targets is taken if it is true.
    Predicate(Reg),
    /// Index of a target.
    Index(Operand),
}

/// Targets of a branch or switch, and the operand that selects one.
pub(crate) struct MultiwayBranch {
    pub targets: Vec<BlockId>,
    pub selector: BranchSelector,
}

impl MultiwayBranch {
    /// Returns the multiway branch at the end of a block, if it has one.
    pub fn of(end: &Terminator) -> Option<MultiwayBranch> {
        match end {
            Terminator::Branch {
                cond, then, other, ..
            } => Some(MultiwayBranch {
                targets: vec![*then, *other],
                selector: BranchSelector::Predicate(*cond),
            }),
            Terminator::Switch { index, targets, .. } => Some(MultiwayBranch {
                targets: targets.clone(),
                selector: BranchSelector::Index(*index),
            }),
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => None,
        }
    }

    /// Returns the register that selects a target.
    pub fn reg(&self) -> Option<Reg> {
        match self.selector {
            BranchSelector::Predicate(reg) => Some(reg),
            BranchSelector::Index(index) => index.reg(),
        }
    }

    /// Returns the indices of the targets that equal a block.
    fn indices_of(&self, to: BlockId) -> impl Iterator<Item = usize> {
        self.targets
            .iter()
            .enumerate()
            .filter(move |(_, target)| **target == to)
            .map(|(n, _)| n)
    }

    /// Emits code that sets `mask` if a thread goes to block `to`. `new_reg` creates predicates.
    pub fn emit_taken(
        &self,
        to: BlockId,
        mask: Reg,
        new_reg: &mut impl FnMut() -> Reg,
        insts: &mut Vec<Inst>,
    ) {
        let mut emit = |dst, op, args: &[Operand]| {
            let args = Args::new(args);
            insts.push(Inst::Op { dst, op, args });
        };
        let index = match self.selector {
            BranchSelector::Predicate(cond) if self.targets[0] == to => {
                return emit(mask, Op::Mov(Ty::Pred), &[Operand::Reg(cond)]);
            }
            BranchSelector::Predicate(cond) if self.targets[1] == to => {
                return emit(mask, NOT, &[Operand::Reg(cond)]);
            }
            BranchSelector::Predicate(_) => {
                return emit(mask, Op::Mov(Ty::Pred), &[Operand::Imm(0)]);
            }
            BranchSelector::Index(index) => index,
        };
        let mut goes: Option<Reg> = None;
        for n in self.indices_of(to) {
            let equal = new_reg();
            let number = Operand::Imm(n as u64);
            emit(equal, EQUAL, &[index, number]);
            goes = Some(match goes {
                None => equal,
                Some(before) => {
                    let either = new_reg();
                    emit(either, OR, &[Operand::Reg(before), Operand::Reg(equal)]);
                    either
                }
            });
        }
        let goes = goes.map_or(Operand::Imm(0), Operand::Reg);
        emit(mask, Op::Mov(Ty::Pred), &[goes]);
    }
}

const NOT: Op = Op::Logic(crate::ir::PredOp::Not);
const OR: Op = Op::Logic(crate::ir::PredOp::Or);
const EQUAL: Op = Op::Compare {
    cmp: Cmp::Eq,
    num: Num::U(Ty::B32),
    ftz: false,
};

/// Tells whether the index of the switch at the end of a block is known to be in range.
pub(crate) fn in_range(func: &Function, preds: &[Vec<BlockId>], at: BlockId) -> bool {
    let block = &func.blocks[at.index()];
    let Terminator::Switch { index, targets, .. } = &block.end else {
        return false;
    };
    let count = targets.len() as u64;
    let reg = match *index {
        Operand::Imm(index) => return index < count,
        Operand::Reg(reg) => reg,
    };
    match bounded_in_block(block, reg, count) {
        Some(bounded) => bounded,
        None => bounded_by_branch(func, preds, at, reg, count),
    }
}

/// Tells whether the block's last write to a register is known to be less than `below`. Returns `None` if the block
/// does not write it.
fn bounded_in_block(block: &Block, mut reg: Reg, below: u64) -> Option<bool> {
    let mut found = None;
    for inst in block.insts.iter().rev() {
        let mut writes = false;
        inst.defs(|dst| writes |= dst == reg);
        if !writes {
            continue;
        }
        let Inst::Op { op, args, .. } = inst else {
            return Some(false);
        };
        match (op, args[0], args.get(1).copied()) {
            (Op::Mov(_), Operand::Reg(from), _) => reg = from,
            (Op::Convert(c), Operand::Reg(from), _)
                if matches!((c.from, c.to), (Num::U(_), Num::U(_))) && !c.sat =>
            {
                reg = from;
            }
            (Op::Int(IntOp::MinU | IntOp::And, _), _, Some(Operand::Imm(most))) => {
                return Some(most < below);
            }
            _ => return Some(false),
        }
        found = Some(false);
    }
    found
}

/// Tells whether a block's only predecessor branches to it on a comparison that proves a register less than `below`.
fn bounded_by_branch(
    func: &Function,
    preds: &[Vec<BlockId>],
    at: BlockId,
    reg: Reg,
    below: u64,
) -> bool {
    let [from] = preds[at.index()][..] else {
        return false;
    };
    let block = &func.blocks[from.index()];
    let Terminator::Branch { cond, then, .. } = block.end else {
        return false;
    };
    let holds = then == at;
    for inst in block.insts.iter().rev() {
        let (mut decides, mut writes) = (false, false);
        inst.defs(|dst| {
            decides |= dst == cond;
            writes |= dst == reg;
        });
        if decides {
            let Inst::Op {
                op:
                    Op::Compare {
                        cmp,
                        num: Num::U(Ty::B32),
                        ..
                    },
                args,
                ..
            } = inst
            else {
                return false;
            };
            let (Operand::Reg(compared), Operand::Imm(limit)) = (args[0], args[1]) else {
                return false;
            };
            return compared == reg
                && match (cmp, holds) {
                    (Cmp::Gt, false) | (Cmp::Le, true) => limit < below,
                    (Cmp::Ge, false) | (Cmp::Lt, true) => limit <= below,
                    _ => false,
                };
        }
        if writes {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::Program;
    use crate::analysis::shape::Shape;
    use crate::ir::Terminator;
    use crate::jit::plan::Plan;

    /// For each switch of a kernel, tells whether it is linearised.
    fn together(functions: &str, body: &str) -> Vec<bool> {
        let text = format!(
            ".version 8.0\n.target sm_70\n.address_size 64\n{functions}
            .entry k(.param .u64 r, .param .u64 f) {{
                .reg .b32 %i<8>; .reg .b64 %a<8>; .reg .pred %p<4>;
                ld.param.u64 %a0, [r]; mov.u32 %i0, %tid.x; mul.wide.u32 %a1, %i0, 4; add.u64 %a2, %a0, %a1;
                ld.global.u32 %i1, [%a2];
                {body}
                st.global.u32 [%a2], %i2; ret; }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let plan = Plan::new(&unit, Shape::Line, 64, false, 16, false).expect("a plan");
        let ends = plan.func.blocks.iter().map(|block| &block.end);
        ends.filter_map(|end| match end {
            Terminator::Switch { mixed, .. } => Some(mixed.is_some()),
            _ => None,
        })
        .collect()
    }

    #[test]
    fn gangs_go_through_switches_together() {
        let targets = "T: .branchtargets A, B, C; brx.idx %i1, T; A: mov.u32 %i2, 5; bra On; B: mov.u32 %i2, 6; bra On;
            C: trap; On:";
        assert_eq!(together("", targets), [true]);
        // In a region that some lanes bypass, a comparison must prove that every lane that arrives has a target.
        let inner = |ask: &str| {
            format!("mov.u32 %i2, 0; setp.lt.s32 %p0, %i1, %i0; @%p0 bra On; {ask} {targets}")
        };
        let switches = together("", &inner("setp.gt.u32 %p1, %i1, 2; @%p1 bra On;"));
        assert_eq!(switches, [true]);
    }

    #[test]
    fn gangs_go_through_calls_of_several_functions_together() {
        let function = |name: &str, op: &str| {
            format!(
                ".func (.param .b32 o) {name}(.param .b32 x) {{ .reg .b32 %x; ld.param.b32 %x, [x]; {op}.u32 %x, %x, 3;
                 st.param.b32 [o], %x; ret; }}\n"
            )
        };
        let functions = ["one", "two", "three"]
            .iter()
            .zip(["add", "sub", "mul.lo"])
            .map(|(name, op)| function(name, op))
            .collect::<String>();
        let call = "mov.u64 %a3, one; mov.u64 %a4, two; mov.u64 %a5, three;
            setp.lt.u32 %p0, %i1, 7; selp.b64 %a3, %a3, %a4, %p0; setp.lt.u32 %p0, %i1, 99; selp.b64 %a3, %a3, %a5, %p0;
            { .param .b32 p; .param .b32 q; st.param.b32 [p], %i1; K: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (q), %a3, (p), K; ld.param.b32 %i2, [q]; }";
        assert_eq!(together(&functions, call), [true]);
    }
}
