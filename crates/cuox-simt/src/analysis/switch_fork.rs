//! Where threads part: branches and switches.

use crate::ir::{
    Args, Block, BlockId, Cmp, Function, Inst, IntOp, Num, Op, Operand, Reg, Terminator, Ty,
};

/// What decides which way a thread goes.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// The first of two ways if the predicate holds, else the second.
    Cond(Reg),
    /// The way with that number.
    Index(Operand),
}

/// The ways from the end of a block, and what decides between them.
pub(crate) struct Fork {
    pub ways: Vec<BlockId>,
    pub by: By,
}

impl Fork {
    /// The fork at the end of a block.
    pub fn of(end: &Terminator) -> Option<Fork> {
        match end {
            Terminator::Branch {
                cond, then, other, ..
            } => Some(Fork {
                ways: vec![*then, *other],
                by: By::Cond(*cond),
            }),
            Terminator::Switch { index, targets, .. } => Some(Fork {
                ways: targets.clone(),
                by: By::Index(*index),
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

    /// The register that decides.
    pub fn reg(&self) -> Option<Reg> {
        match self.by {
            By::Cond(reg) => Some(reg),
            By::Index(index) => index.reg(),
        }
    }

    /// The numbers of the ways to a block.
    fn numbers(&self, to: BlockId) -> impl Iterator<Item = usize> {
        self.ways
            .iter()
            .enumerate()
            .filter(move |(_, way)| **way == to)
            .map(|(n, _)| n)
    }

    /// Code that says in `mask` whether a thread goes to block `to`. `new_reg` makes predicates.
    pub fn ask(
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
        let index = match self.by {
            By::Cond(cond) if self.ways[0] == to => {
                return emit(mask, Op::Mov(Ty::Pred), &[Operand::Reg(cond)]);
            }
            By::Cond(cond) if self.ways[1] == to => {
                return emit(mask, NOT, &[Operand::Reg(cond)]);
            }
            By::Cond(_) => return emit(mask, Op::Mov(Ty::Pred), &[Operand::Imm(0)]),
            By::Index(index) => index,
        };
        let mut goes: Option<Reg> = None;
        for n in self.numbers(to) {
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

/// Whether the index of the switch at the end of a block is sure to be that of a target.
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
    match bounded(block, reg, count) {
        Some(bounded) => bounded,
        None => compared(func, preds, at, reg, count),
    }
}

/// Whether what a block last puts into a register is below a number; none if it leaves it as it is.
fn bounded(block: &Block, mut reg: Reg, below: u64) -> Option<bool> {
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

/// Whether the only way to a block is past a comparison that finds a register below a number.
fn compared(func: &Function, preds: &[Vec<BlockId>], at: BlockId, reg: Reg, below: u64) -> bool {
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

    /// Whether a gang has a way to go together from each switch of a kernel with such functions and such a body.
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
        let ways = "T: .branchtargets A, B, C; brx.idx %i1, T; A: mov.u32 %i2, 5; bra On; B: mov.u32 %i2, 6; bra On;
            C: trap; On:";
        assert_eq!(together("", ways), [true]);
        // Within what some lanes pass by, it takes a comparison to know that all lanes that come there have a way.
        let inner = |ask: &str| {
            format!("mov.u32 %i2, 0; setp.lt.s32 %p0, %i1, %i0; @%p0 bra On; {ask} {ways}")
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
