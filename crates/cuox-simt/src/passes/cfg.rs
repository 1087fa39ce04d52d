//! Simplifications of the control-flow graph alone.
//!
//! Empty blocks are skipped, unreachable ones are removed, and chains are merged. Blocks are then numbered in reverse
//! post-order, which most analyses rely on.

use crate::ir::{Args, Conversion, Function, Inst, Num, Op, Operand, Reg, Round, Terminator, Ty};
use crate::passes::block_order::reorder;

/// Appends code that sets `dst` to `value`, an integer of type `from`, truncated or extended to the width of `dst`.
pub(crate) fn resize_into(
    f: &mut Function,
    out: &mut Vec<Inst>,
    dst: Reg,
    value: Operand,
    from: Ty,
    signed: bool,
) {
    let to = f.ty(dst);
    let mut push = |dst, op, args: &[Operand]| {
        out.push(Inst::Op {
            dst,
            op,
            args: Args::new(args),
        });
    };
    if from == to {
        push(dst, Op::Mov(to), &[value]);
        return;
    }
    if from == Ty::B128 {
        let low = f.new_reg(Ty::B64);
        push(low, Op::Half128(false), &[value]);
        resize_into(f, out, dst, Operand::Reg(low), Ty::B64, signed);
        return;
    }
    let num = if signed { Num::S } else { Num::U };
    let convert = |to| {
        Op::Convert(Conversion {
            from: num(from),
            to: num(to),
            round: Round::Nearest,
            integral: false,
            ftz: false,
            sat: false,
            relu: false,
        })
    };
    if to == Ty::B128 {
        let mut low = value;
        if from != Ty::B64 {
            let reg = f.new_reg(Ty::B64);
            push(reg, convert(Ty::B64), &[value]);
            low = Operand::Reg(reg);
        }
        let mut high = Operand::Imm(0);
        if signed {
            let reg = f.new_reg(Ty::B64);
            let shift = Op::Int(crate::ir::IntOp::ShrS, Ty::B64);
            push(reg, shift, &[low, Operand::Imm(63)]);
            high = Operand::Reg(reg);
        }
        push(dst, Op::Pack128, &[low, high]);
        return;
    }
    push(dst, convert(to), &[value]);
}

/// Removes empty and unreachable blocks, merges blocks that always follow each other, and numbers the rest in reverse
/// post-order, with a branch's fall-through side first.
pub(super) fn simplify(f: &mut Function) {
    skip_empty(f);
    reorder(f);
    if merge(f) {
        reorder(f);
    }
}

/// Redirects jumps to empty blocks that only jump to the end of the chain.
fn skip_empty(f: &mut Function) {
    let mut to: Vec<u32> = (0..f.blocks.len() as u32).collect();
    for (b, block) in f.blocks.iter().enumerate() {
        if block.insts.is_empty()
            && let Terminator::Jump(next) = block.end
        {
            to[b] = next.0;
        }
    }
    for start in 0..to.len() {
        // Follow the chain twice: first to find its end, then to redirect all of it there. A cycle of empty blocks is
        // an endless loop and stays.
        let mut end = to[start];
        let mut steps = 0;
        while to[end as usize] != end && steps <= to.len() {
            end = to[end as usize];
            steps += 1;
        }
        if steps > to.len() {
            to[start] = start as u32;
            continue;
        }
        let mut at = start as u32;
        while to[at as usize] != end && at != end {
            at = std::mem::replace(&mut to[at as usize], end);
        }
    }
    for block in &mut f.blocks {
        block.end.successors_mut(|b| b.0 = to[b.index()]);
        if let Terminator::Branch { then, other, .. } = block.end
            && then == other
        {
            block.end = Terminator::Jump(then);
        }
    }
}

/// Merges each block with its jump target where that has no other predecessor. The merged targets become unreachable.
fn merge(f: &mut Function) -> bool {
    let mut incoming = vec![0u32; f.blocks.len()];
    incoming[0] = 1;
    for block in &f.blocks {
        block.end.successors(|b| incoming[b.index()] += 1);
    }
    let mut any = false;
    for b in 0..f.blocks.len() {
        while let Terminator::Jump(next) = f.blocks[b].end {
            if incoming[next.index()] != 1 || next.index() == b {
                break;
            }
            // `b` was its only predecessor and is about to be replaced.
            incoming[next.index()] = 0;
            any = true;
            let end = Terminator::Jump(next);
            let taken = std::mem::replace(&mut f.blocks[next.index()].end, end);
            let insts = std::mem::take(&mut f.blocks[next.index()].insts);
            let lines = std::mem::take(&mut f.blocks[next.index()].lines);
            let block = &mut f.blocks[b];
            block.lines.pop();
            block.insts.extend(insts);
            block.lines.extend(lines);
            block.end = taken;
        }
    }
    any
}
