//! Dispatch of opcodes to instruction families, and the effect of a guard on an instruction.

use super::build::Lower;
use super::{
    Result, atomic, bulk, cluster, compare, control, convert, fail, float, image, int, logic,
    matrix, mbarrier, memory, misc, moves, stack, sync, tensor, unsupported, video, wgmma, wmma,
};
use crate::ir::{Args, Inst, Op, Operand, PredOp, Reg, Terminator, Ty};
use cuox_ptx::ast::{Guard, Instruction, Opcode, ScalarType};

/// The way in which a guarded instruction becomes conditional.
#[derive(PartialEq)]
enum Kind {
    /// It is always computed; its results are selected by the guard.
    Pure,
    /// A branch skips it.
    Effect,
    /// The instruction's lowering handles the guard.
    Branch,
}

fn kind(opcode: Opcode) -> Kind {
    use Opcode::*;
    match opcode {
        Bra => Kind::Branch,
        Add | Sub | Mul | Mad | Mul24 | Mad24 | Sad | Div | Rem | Abs | Neg | Min | Max | AddC
        | SubC | MadC | Popc | Clz | Bfind | Fns | Brev | Bfe | Bfi | Szext | Bmsk | Dp4a
        | Dp2a | TestP | CopySign | Fma | Rcp | Sqrt | Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh
        | Set | SetP | SelP | SlCt | And | Or | Xor | Not | CNot | Lop3 | Shf | Shl | Shr
        | Prmt | Mov | Cvt | CvtPack | Cvta | Isspacep | MapA | GetCtaRank | VAdd | VSub
        | VAbsDiff | VMin | VMax | VShl | VShr | VMad | VSet | VAdd2 | VSub2 | VAvrg2
        | VAbsDiff2 | VMin2 | VMax2 | VSet2 | VAdd4 | VSub4 | VAvrg4 | VAbsDiff4 | VMin4
        | VMax4 | VSet4 => Kind::Pure,
        _ => Kind::Effect,
    }
}

/// Lowers an instruction with its guard.
pub(super) fn instruction(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let Some(guard) = &i.guard else {
        return unguarded(l, i);
    };
    let cond = guard_register(l, guard)?;
    match kind(i.opcode) {
        Kind::Branch => control::conditional_branch(l, i, cond, guard.negated),
        Kind::Pure => {
            let mark = l.mark();
            let known = l.regs.len();
            unguarded(l, i)?;
            select_results(l, i, mark, known, cond, guard.negated)
        }
        Kind::Effect => {
            let (body, next) = (l.new_block(), l.new_block());
            let (then, other) = if guard.negated {
                (next, body)
            } else {
                (body, next)
            };
            l.end(Terminator::branch(cond, then, other));
            l.switch_to(body);
            l.begin_stretch();
            let result = unguarded(l, i);
            l.fall_into(next);
            l.begin_stretch();
            result
        }
    }
}

fn guard_register(l: &Lower<'_>, guard: &Guard) -> Result<Reg> {
    let reg = l.register(&guard.register, guard.span)?;
    match l.ty(reg) {
        Ty::Pred => Ok(reg),
        ty => fail(
            guard.span,
            format!("a guard must be a predicate; `{}` is {ty}", guard.register),
        ),
    }
}

/// Turns each write of a register that existed before `mark` into a write of a temporary and a selection.
fn select_results(
    l: &mut Lower<'_>,
    i: &Instruction,
    mark: (usize, usize),
    known: usize,
    cond: Reg,
    negated: bool,
) -> Result<()> {
    let Some(insts) = l.since(mark) else {
        return fail(i.span, "a guarded computation left its block");
    };
    let mut insts = insts.to_vec();
    let mut renamed: Vec<(Reg, Reg)> = Vec::new();
    for inst in &mut insts {
        inst.uses_mut(|operand| {
            if let Operand::Reg(reg) = operand
                && let Some((_, new)) = renamed.iter().rev().find(|(old, _)| old == reg)
            {
                *reg = *new;
            }
        });
        match inst {
            Inst::Op { dst, .. }
            | Inst::Special { dst, .. }
            | Inst::SymbolAddress { dst, .. }
            | Inst::FunctionAddress { dst, .. } => {
                if dst.index() < known {
                    let new = l.temp(l.ty(*dst));
                    renamed.retain(|(old, _)| old != dst);
                    renamed.push((*dst, new));
                    *dst = new;
                }
            }
            _ => return fail(i.span, "a guarded computation has an effect"),
        }
    }
    if let Some(place) = l.since(mark) {
        place.clone_from_slice(&insts);
    }
    // If the guard itself is a result, it is written last since the other selections read it.
    renamed.sort_by_key(|(old, _)| *old == cond);
    for (old, new) in renamed {
        let ty = l.ty(old);
        let (old_value, new_value) = (Operand::Reg(old), Operand::Reg(new));
        let (then, other) = if negated {
            (old_value, new_value)
        } else {
            (new_value, old_value)
        };
        l.emit(Inst::Op {
            dst: old,
            op: Op::Select(ty),
            args: Args::new(&[Operand::Reg(cond), then, other]),
        });
    }
    Ok(())
}

/// Returns true for instructions that end a contraction stretch: NVIDIA's assembler makes branches of them or treats
/// them as branches.
fn ends_stretch(i: &Instruction) -> bool {
    let m = &i.modifiers;
    let ty = m.first_type();
    match i.opcode {
        Opcode::Div | Opcode::Rcp | Opcode::Sqrt if float::is_float(i) => {
            !m.approx() && !m.full() && matches!(ty, Some(ScalarType::F32 | ScalarType::F64))
        }
        Opcode::Rsqrt => ty == Some(ScalarType::F64),
        Opcode::Div | Opcode::Rem => !float::is_float(i) && ty != Some(ScalarType::U32),
        Opcode::Call | Opcode::MemBar | Opcode::Fence => true,
        _ => false,
    }
}

fn unguarded(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let lowered = lower(l, i);
    if ends_stretch(i) {
        l.begin_stretch();
    }
    lowered
}

fn lower(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    use Opcode::*;
    match i.opcode {
        Add | Sub | Mul | Mad | Fma | Div | Abs | Neg | Min | Max => {
            if float::is_float(i) {
                float::arithmetic(l, i)
            } else {
                int::arithmetic(l, i)
            }
        }
        Rem | Sad | Mul24 | Mad24 | Popc | Clz | Bfind | Fns | Brev | Bfe | Bfi | Szext | Bmsk
        | Dp4a | Dp2a => int::arithmetic(l, i),
        AddC | SubC | MadC => int::carry(l, i),
        Rcp | Sqrt | Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh => float::function(l, i),
        TestP => float::test(l, i),
        CopySign => float::copysign(l, i),
        SetP => compare::setp(l, i),
        Set => compare::set(l, i),
        SelP => compare::selp(l, i),
        SlCt => compare::slct(l, i),
        And | Or | Xor | Not | CNot => logic::bitwise(l, i),
        Lop3 => logic::lop3(l, i),
        Shl | Shr => logic::shift(l, i),
        Shf => logic::funnel(l, i),
        Prmt => logic::prmt(l, i),
        Mov => moves::mov(l, i),
        Cvta => moves::cvta(l, i),
        Isspacep => moves::isspacep(l, i),
        MapA => cluster::mapa(l, i),
        GetCtaRank => cluster::rank_of(l, i),
        Cvt => convert::cvt(l, i),
        CvtPack => convert::pack(l, i),
        Ld | LdU => memory::load(l, i),
        St => memory::store(l, i),
        CpAsync => memory::copy_async(l, i),
        Atom | Red => atomic::atomic(l, i),
        Bra => control::branch(l, i),
        BrxIdx => control::switch(l, i),
        Call => control::call(l, i),
        Ret => {
            l.ret();
            Ok(())
        }
        Exit => {
            l.end(Terminator::Exit);
            Ok(())
        }
        Trap | Brkpt => {
            l.end(Terminator::Trap);
            Ok(())
        }
        Bar | Barrier => sync::barrier(l, i),
        BarWarpSync | Vote | Match | ActiveMask | Redux | Shfl | Elect => sync::warp(l, i),
        BarrierClusterArrive | BarrierClusterWait => cluster::barrier(l, i),
        Mma | MmaSp | MmaSpOrdered => matrix::mma(l, i),
        LdMatrix => matrix::load(l, i),
        StMatrix => matrix::store(l, i),
        WmmaLoad => wmma::load(l, i),
        WmmaStore => wmma::store(l, i),
        WmmaMma => wmma::mma(l, i),
        WgmmaMmaAsync | WgmmaMmaAsyncSp => wgmma::mma(l, i),
        WgmmaFence | WgmmaCommitGroup | WgmmaWaitGroup => wgmma::order(l, i),
        SetMaxNReg => wgmma::own_target(l, i),
        MovMatrix => matrix::transpose(l, i),
        MemBar | Fence | FenceProxy => sync::fence(l, i),
        NanoSleep => {
            l.pause();
            Ok(())
        }
        Prefetch
        | PrefetchU
        | Discard
        | ApplyPriority
        | PmEvent
        | GridDepControl
        | CpAsyncCommitGroup
        | CpAsyncWaitGroup
        | CpAsyncWaitAll
        | CpAsyncBulkPrefetch
        | CpAsyncBulkCommitGroup
        | CpAsyncBulkWaitGroup => Ok(()),
        CpAsyncBulkPrefetchTensor => tensor::prefetch(i),
        CpAsyncBulkTensor => tensor::copy(l, i),
        CpReduceAsyncBulkTensor => tensor::reduce(l, i),
        TensormapReplace => tensor::replace(l, i),
        TensormapCpFenceProxy => tensor::copy_map(l, i),
        CpAsyncBulk => bulk::copy(l, i),
        CpReduceAsyncBulk => bulk::reduce(l, i),
        StAsync => bulk::store(l, i),
        RedAsync => bulk::red(l, i),
        VAdd | VSub | VAbsDiff | VMin | VMax | VShl | VShr | VMad | VSet => video::scalar(l, i),
        VAdd2 | VSub2 | VAvrg2 | VAbsDiff2 | VMin2 | VMax2 | VSet2 | VAdd4 | VSub4 | VAvrg4
        | VAbsDiff4 | VMin4 | VMax4 | VSet4 => video::simd(l, i),
        MbarrierInit
        | MbarrierInval
        | MbarrierExpectTx
        | MbarrierCompleteTx
        | MbarrierArrive
        | MbarrierArriveDrop
        | MbarrierTestWait
        | MbarrierTryWait
        | MbarrierPendingCount
        | CpAsyncMbarrierArrive => mbarrier::mbarrier(l, i),
        Alloca | Stacksave | Stackrestore => stack::stack(l, i),
        Tex | Tld4 | Txq | Suq | IsTypeP | SuLd | SuSt | SuRed => image::image(l, i),
        CreatePolicy => misc::policy(l, i),
        _ => unsupported(i),
    }
}

/// Negates a predicate.
pub(super) fn negate(l: &mut Lower<'_>, pred: Operand) -> Operand {
    match pred {
        Operand::Imm(bit) => Operand::Imm(bit ^ 1),
        pred => l.logic(PredOp::Not, &[pred]),
    }
}
