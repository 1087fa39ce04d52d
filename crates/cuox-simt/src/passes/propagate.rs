//! Propagation of copies, constants and sums with constants to their uses, and constant folding.
//!
//! Before: blocks in reverse post-order. After: the same results; operands of `Mov`s replaced; operations on constants
//! folded; constant parts of addresses in `Address::offset`. Returns whether a branch became a jump.
//!
//! A register is *plain* if it has one definition that dominates every use. Replacing a plain copy of a plain register
//! is safe: between the copy and its use the original cannot be written again without the copy being executed again.

use crate::analysis::dominators::Dominators;
use crate::ir::{
    Address, Args, BlockId, Conversion, Function, Inst, IntOp, Num, Op, Operand, PredOp, Reg,
    Space, Terminator, Ty,
};

pub(super) fn run(f: &mut Function) -> bool {
    let info = Definitions::new(f);
    let mut values: Vec<Option<Operand>> = vec![None; f.regs.len()];
    let mut sums: Vec<Option<(Reg, u64)>> = vec![None; f.regs.len()];
    let mut folded = false;
    for block in &mut f.blocks {
        for inst in &mut block.insts {
            inst.uses_mut(|operand| replace(operand, &values));
            match inst {
                Inst::Op { dst, op, args } => {
                    fold(op, args, &sums);
                    learn(*dst, *op, args, &info, &mut values, &mut sums);
                }
                Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::Atomic { addr, .. } => {
                    fold_address(addr, &f.regs, &sums);
                }
                Inst::Special { .. }
                | Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Check { .. }
                | Inst::Fence(_)
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => {}
            }
        }
        if let Terminator::Branch {
            cond, then, other, ..
        } = block.end
            && let Some(Operand::Imm(bit)) = values[cond.index()]
        {
            block.end = Terminator::Jump(if bit & 1 != 0 { then } else { other });
            folded = true;
        }
        block.end.uses_mut(|operand| replace(operand, &values));
    }
    folded
}

fn replace(operand: &mut Operand, values: &[Option<Operand>]) {
    if let Operand::Reg(reg) = operand
        && let Some(value) = values[reg.index()]
    {
        *operand = value;
    }
}

/// Number and kind of each register's definitions.
struct Definitions {
    single: Vec<bool>,
    plain: Vec<bool>,
}

impl Definitions {
    fn new(f: &Function) -> Self {
        let dominators = Dominators::new(f);
        let count = f.regs.len();
        let mut defs = vec![0u32; count];
        let mut place = vec![(BlockId(0), 0usize); count];
        for (b, block) in f.blocks.iter().enumerate() {
            let b = BlockId(b as u32);
            for (k, inst) in block.insts.iter().enumerate() {
                inst.defs(|reg| {
                    defs[reg.index()] += 1;
                    place[reg.index()] = (b, k);
                });
            }
            block.end.defs(|reg| {
                defs[reg.index()] += 1;
                place[reg.index()] = (b, block.insts.len());
            });
        }
        let single: Vec<bool> = defs.iter().map(|&n| n == 1).collect();
        let mut plain = single.clone();
        let mut check = |operand: Operand, b: BlockId, k: usize| {
            if let Operand::Reg(reg) = operand
                && plain[reg.index()]
            {
                let (def_block, def_index) = place[reg.index()];
                let fine = if def_block == b {
                    def_index < k
                } else {
                    dominators.dominates(def_block, b)
                };
                plain[reg.index()] = fine;
            }
        };
        for (b, block) in f.blocks.iter().enumerate() {
            let b = BlockId(b as u32);
            for (k, inst) in block.insts.iter().enumerate() {
                inst.uses(|operand| check(operand, b, k));
            }
            let k = block.insts.len();
            block.end.uses(|operand| check(operand, b, k));
        }
        Definitions { single, plain }
    }
}

/// Records the value of `dst`, if it is a constant, a copy, or a sum with a constant.
fn learn(
    dst: Reg,
    op: Op,
    args: &Args,
    info: &Definitions,
    values: &mut [Option<Operand>],
    sums: &mut [Option<(Reg, u64)>],
) {
    let plain = |reg: Reg| info.plain[reg.index()];
    match (op, &args[..]) {
        // A register that is read before it is written has no value to preserve.
        (Op::Mov(ty), [Operand::Imm(bits)]) if info.single[dst.index()] && ty != Ty::B128 => {
            values[dst.index()] = Some(Operand::Imm(*bits));
        }
        (Op::Mov(_), &[Operand::Reg(from)]) if plain(dst) && plain(from) => {
            values[dst.index()] = Some(Operand::Reg(from));
        }
        (Op::Int(IntOp::Add, Ty::B32 | Ty::B64), &[Operand::Reg(base), Operand::Imm(bits)])
            if plain(dst) && plain(base) =>
        {
            sums[dst.index()] = Some((base, bits));
        }
        _ => {}
    }
}

fn fold_address(addr: &mut Address, types: &[Ty], sums: &[Option<(Reg, u64)>]) {
    match addr.base {
        Operand::Reg(reg) => {
            if let Some((base, bits)) = sums[reg.index()] {
                let ty = types[reg.index()];
                // A 32-bit sum wraps where a host address does not.
                if addr.space == Space::Flat && ty != Ty::B64 {
                    return;
                }
                addr.base = Operand::Reg(base);
                addr.offset = addr.offset.wrapping_add(ty.extend(bits, true) as i64);
            }
        }
        Operand::Imm(bits) => {
            addr.base = Operand::Imm(0);
            addr.offset = addr.offset.wrapping_add(bits as i64);
        }
    }
}

/// Simplifies an operation in place; a constant or copied result turns it into a `Mov`.
fn fold(op: &mut Op, args: &mut Args, sums: &[Option<(Reg, u64)>]) {
    let (result, ty) = match *op {
        Op::Int(int, ty) => (fold_int(int, ty, args, sums), op.signature().result),
        Op::Convert(conversion) => (fold_convert(conversion, args[0]), conversion.to.ty()),
        Op::Select(ty) => (fold_select(args), ty),
        Op::Logic(logic) => (fold_logic(logic, args), Ty::Pred),
        Op::Mov(_)
        | Op::Float { .. }
        | Op::Float2 { .. }
        | Op::Approx { .. }
        | Op::Class(..)
        | Op::Convert2 { .. }
        | Op::Narrow { .. }
        | Op::Widen { .. }
        | Op::Compare { .. }
        | Op::PredToInt
        | Op::Half128(_)
        | Op::Pack128 => return,
    };
    if let Some(value) = result {
        *op = Op::Mov(ty);
        *args = Args::new(&[value]);
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "an operation that is not folded is right, too"
)]
fn fold_int(op: IntOp, ty: Ty, args: &mut Args, sums: &[Option<(Reg, u64)>]) -> Option<Operand> {
    use IntOp::{Add, And, Mul, MulWideS, MulWideU, Or, Shl, ShrS, ShrU, Sub, Xor};
    if ty == Ty::B128 || args.len() != 2 {
        return None;
    }
    let commutes = matches!(op, Add | Mul | And | Or | Xor);
    if commutes && args[0].reg().is_none() && args[1].reg().is_some() {
        args.swap(0, 1);
    }
    let mask = ty.mask();
    match (args[0], args[1]) {
        (Operand::Imm(a), Operand::Imm(b)) => {
            let (a, b) = (a & mask, b & mask);
            let signed = |x| ty.extend(x, true);
            let bits = match op {
                Add => a.wrapping_add(b),
                Sub => a.wrapping_sub(b),
                Mul => a.wrapping_mul(b),
                And => a & b,
                Or => a | b,
                Xor => a ^ b,
                Shl if b < u64::from(ty.bits()) => a << b,
                ShrU if b < u64::from(ty.bits()) => a >> b,
                MulWideU if ty != Ty::B64 => return Some(Operand::Imm(a * b)),
                MulWideS if ty != Ty::B64 => {
                    let wide = signed(a).wrapping_mul(signed(b));
                    return Some(Operand::Imm(wider(ty).extend(wide, false)));
                }
                _ => return None,
            };
            Some(Operand::Imm(bits & mask))
        }
        (a @ Operand::Reg(reg), Operand::Imm(b)) => {
            let b = b & mask;
            match op {
                Add | Sub | Or | Xor | Shl | ShrS | ShrU if b == 0 => Some(a),
                Mul if b == 1 => Some(a),
                And if b == mask => Some(a),
                And | Mul if b == 0 => Some(Operand::Imm(0)),
                Add => {
                    if let Some((base, more)) = sums[reg.index()] {
                        args[0] = Operand::Reg(base);
                        args[1] = Operand::Imm(b.wrapping_add(more) & mask);
                    }
                    None
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn wider(ty: Ty) -> Ty {
    match ty {
        Ty::B8 => Ty::B16,
        Ty::B16 => Ty::B32,
        Ty::Pred | Ty::B32 | Ty::B64 | Ty::B128 => Ty::B64,
    }
}

fn fold_convert(c: Conversion, arg: Operand) -> Option<Operand> {
    let (Num::U(to) | Num::S(to), Num::U(from) | Num::S(from), Operand::Imm(bits)) =
        (c.to, c.from, arg)
    else {
        return None;
    };
    if c.sat || to == Ty::B128 || from == Ty::B128 {
        return None;
    }
    let wide = from.extend(bits, c.from.is_signed());
    Some(Operand::Imm(to.extend(wide, false)))
}

fn fold_select(args: &Args) -> Option<Operand> {
    match args[0] {
        Operand::Imm(bit) => Some(if bit & 1 != 0 { args[1] } else { args[2] }),
        _ => (args[1] == args[2]).then_some(args[1]),
    }
}

fn fold_logic(op: PredOp, args: &mut Args) -> Option<Operand> {
    if op == PredOp::Not {
        return match args[0] {
            Operand::Imm(bit) => Some(Operand::Imm(!bit & 1)),
            Operand::Reg(_) => None,
        };
    }
    if args[0].reg().is_none() {
        args.swap(0, 1);
    }
    let Operand::Imm(b) = args[1] else {
        return None;
    };
    match (op, b & 1) {
        (PredOp::And, 1) | (PredOp::Or | PredOp::Xor, 0) => Some(args[0]),
        (PredOp::And, _) => Some(Operand::Imm(0)),
        (PredOp::Or, _) => Some(Operand::Imm(1)),
        _ => None,
    }
}
