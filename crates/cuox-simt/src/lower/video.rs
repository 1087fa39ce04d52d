//! The video instructions: scalar ones on subwords of 32-bit registers, and SIMD ones on two or four lanes of a
//! register.
//!
//! Results are those of an H200. Scalar video instructions have no hardware; NVIDIA's assembler expands them, and the
//! expansion differs from the manual:
//! - `.h1` as a destination receives bits 16 to 31 of the result, not 0 to 15.
//! - `.sat` with a subword destination is the unsigned minimum of the result and the subword's largest number; for
//!   shifts it is saturation to 32 bits.
//! - `.sat` to u32 makes negative results 0, and takes the lower 32 bits of others; only `vshl` and `vmad` stop at
//!   the largest number.
//! - `vshl.sat` examines 34 bits of the result.
//! - `.min` and `.max` of unsigned results compare 64-bit numbers; a sum or difference is first sign-extended from 32
//!   bits.
//! - `vmad` treats 32-bit factors and the addend as signed, whatever their types.

use super::build::Lower;
use super::operand::arg;
use super::{Dest, Result, fail, unsupported};
use crate::ir::{Cmp, IntOp, Num, Op, Operand, Ty};
use cuox_ptx::ast::{self, Compare, Instruction, Modifier, Opcode, OperandKind, ScalarType};

/// A subword: some bits of a register.
#[derive(Clone, Copy)]
struct Subword {
    at: u32,
    bits: u32,
}

impl Subword {
    const WHOLE: Subword = Subword { at: 0, bits: 32 };

    /// Parses `b0` to `b3`, `h0`, `h1`.
    fn of(selector: &str) -> Option<Subword> {
        let (kind, digit) = selector.split_at_checked(1)?;
        let n: u32 = digit.parse().ok()?;
        match kind {
            "b" if n < 4 => Some(Subword { at: 8 * n, bits: 8 }),
            "h" if n < 2 => Some(Subword {
                at: 16 * n,
                bits: 16,
            }),
            _ => None,
        }
    }
}

fn imm(x: i64, ty: Ty) -> Operand {
    Operand::Imm(x as u64 & ty.mask())
}

/// Returns an operand's register or constant, and its selector.
fn split<'o>(l: &mut Lower<'_>, operand: &'o ast::Operand) -> Result<(Operand, Option<&'o str>)> {
    let selected = match &operand.kind {
        OperandKind::Selected { register, selector } => {
            let reg = l.register(register, operand.span)?;
            if l.ty(reg) != Ty::B32 {
                return fail(
                    operand.span,
                    "operands of video instructions must be 32-bit registers",
                );
            }
            (Operand::Reg(reg), Some(&**selector))
        }
        _ => (l.value(operand, ScalarType::B32)?, None),
    };
    Ok(selected)
}

/// Returns the destination register, and its selector.
fn destination<'o>(l: &mut Lower<'_>, i: &'o Instruction) -> Result<(Dest, Option<&'o str>)> {
    let operand = arg(i, 0)?;
    if let OperandKind::Selected { .. } = operand.kind {
        let (value, selector) = split(l, operand)?;
        return Ok((value.reg(), selector));
    }
    Ok((l.dest(i, 0, Ty::B32)?, None))
}

fn extract(l: &mut Lower<'_>, value: Operand, ty: ScalarType, subword: Subword) -> Operand {
    let op = if ty.is_signed() {
        IntOp::BfeS
    } else {
        IntOp::BfeU
    };
    let (at, bits) = (u64::from(subword.at), u64::from(subword.bits));
    l.int(op, Ty::B32, &[value, Operand::Imm(at), Operand::Imm(bits)])
}

fn compare(i: &Instruction) -> Option<Cmp> {
    Some(match i.modifiers.compare()? {
        Compare::Eq => Cmp::Eq,
        Compare::Ne => Cmp::Ne,
        Compare::Lt => Cmp::Lt,
        Compare::Le => Cmp::Le,
        Compare::Gt => Cmp::Gt,
        Compare::Ge => Cmp::Ge,
        _ => return None,
    })
}

/// Returns 1 if the comparison holds, else 0.
fn holds(l: &mut Lower<'_>, cmp: Cmp, ty: Ty, x: Operand, y: Operand) -> Operand {
    let compare = Op::Compare {
        cmp,
        num: Num::S(ty),
        ftz: false,
    };
    let holds = l.op(compare, &[x, y]);
    l.op(Op::PredToInt, &[holds])
}

/// Returns the range of a subword's values.
fn range(bits: u32, signed: bool) -> (i64, i64) {
    if signed {
        (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1)
    } else {
        (0, (1i64 << bits) - 1)
    }
}

/// `vadd`, `vsub`, `vabsdiff`, `vmin`, `vmax`, `vshl`, `vshr`, `vmad`, `vset`: 64-bit arithmetic on the selected
/// subwords. `.sat` limits the result; it is then inserted into `c`, added to it, or compared with it.
pub(super) fn scalar(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let (dt, at, bt) = match *m.types() {
        [d, a, b] => (d, a, b),
        [a, b] if i.opcode == Opcode::VSet => (ScalarType::U32, a, b),
        _ => return unsupported(i),
    };
    let (dest, selector) = destination(l, i)?;
    let place = match selector.map(Subword::of) {
        None => None,
        Some(Some(subword)) => Some(subword),
        Some(None) => return fail(arg(i, 0)?.span, "unknown subword selector"),
    };
    let mut minus = [false; 2];
    let mut sources = [Operand::Imm(0); 2];
    for (n, ty) in [(0, at), (1, bt)] {
        let mut operand = arg(i, n + 1)?;
        if let OperandKind::Minus(inner) = &operand.kind {
            (minus[n], operand) = (true, inner);
        }
        let (value, selector) = split(l, operand)?;
        let Some(subword) = selector.map_or(Some(Subword::WHOLE), Subword::of) else {
            return fail(operand.span, "unknown subword selector");
        };
        let value = extract(l, value, ty, subword);
        sources[n] = l.resize(value, Ty::B32, Ty::B64, ty.is_signed());
    }
    let [a, b] = sources;
    let wide = |l: &mut Lower<'_>, op| l.int(op, Ty::B64, &[a, b]);
    let value = match i.opcode {
        Opcode::VAdd => wide(l, IntOp::Add),
        Opcode::VSub => wide(l, IntOp::Sub),
        Opcode::VAbsDiff => wide(l, IntOp::AbsDiffS),
        Opcode::VMin => wide(l, IntOp::MinS),
        Opcode::VMax => wide(l, IntOp::MaxS),
        Opcode::VMad => return multiply(l, i, dest, [a, b], minus),
        Opcode::VSet => match compare(i) {
            Some(cmp) => {
                let bit = holds(l, cmp, Ty::B64, a, b);
                l.resize(bit, Ty::B32, Ty::B64, false)
            }
            None => return unsupported(i),
        },
        _ => shift(l, i, a, b, at.is_signed()),
    };
    let value = match m.sat() {
        true => saturated(l, i.opcode, dt.is_signed(), place, value),
        false => value,
    };
    let low = l.resize(value, Ty::B64, Ty::B32, false);
    let value = match (i.operands.len() > 3, place) {
        (false, None) => low,
        (false, Some(_)) => {
            return fail(
                i.span,
                "a subword destination requires a third operand for the other bits",
            );
        }
        (true, Some(subword)) => {
            let c = l.src32(i, 3)?;
            let upper = subword.at == 16 && subword.bits == 16;
            let value = match upper {
                true => l.int(IntOp::ShrU, Ty::B32, &[low, Operand::Imm(16)]),
                false => low,
            };
            let [at, bits] = [subword.at, subword.bits].map(|n| Operand::Imm(n.into()));
            l.int(IntOp::Bfi, Ty::B32, &[value, c, at, bits])
        }
        (true, None) if m.has(Modifier::Add) => {
            let c = l.src32(i, 3)?;
            l.int(IntOp::Add, Ty::B32, &[low, c])
        }
        (true, None) => {
            let signed = match i.opcode {
                Opcode::VSet => at.is_signed(),
                _ => dt.is_signed(),
            };
            let narrow = match i.opcode {
                Opcode::VAdd | Opcode::VSub => true,
                Opcode::VShl | Opcode::VShr => m.sat(),
                _ => false,
            };
            let value = match narrow {
                true => l.resize(low, Ty::B32, Ty::B64, true),
                false => value,
            };
            let op = match (m.has(Modifier::Min), signed) {
                (true, true) => IntOp::MinS,
                (true, false) => IntOp::MinU,
                (false, true) => IntOp::MaxS,
                (false, false) => IntOp::MaxU,
            };
            let c = l.src32(i, 3)?;
            let c = l.resize(c, Ty::B32, Ty::B64, signed);
            let value = l.int(op, Ty::B64, &[value, c]);
            l.resize(value, Ty::B64, Ty::B32, false)
        }
    };
    l.assign(dest, Ty::B32, value);
    Ok(())
}

/// `.sat` of a 64-bit result.
fn saturated(
    l: &mut Lower<'_>,
    opcode: Opcode,
    signed: bool,
    place: Option<Subword>,
    value: Operand,
) -> Operand {
    let shift = matches!(opcode, Opcode::VShl | Opcode::VShr);
    if let (Some(subword), false) = (place, shift) {
        let (_, high) = range(subword.bits, signed);
        return l.int(IntOp::MinU, Ty::B64, &[value, imm(high, Ty::B64)]);
    }
    let (low, high) = range(32, signed);
    let value = match opcode {
        Opcode::VShl => {
            let field = [value, Operand::Imm(0), Operand::Imm(34)];
            l.int(IntOp::BfeS, Ty::B64, &field)
        }
        _ => value,
    };
    let value = l.int(IntOp::MaxS, Ty::B64, &[value, imm(low, Ty::B64)]);
    match signed || shift {
        true => l.int(IntOp::MinS, Ty::B64, &[value, imm(high, Ty::B64)]),
        false => value,
    }
}

/// Shifts by at most 32, or by the amount modulo 32.
fn shift(l: &mut Lower<'_>, i: &Instruction, a: Operand, b: Operand, signed: bool) -> Operand {
    let amount = match i.modifiers.wrap() {
        true => l.int(IntOp::And, Ty::B64, &[b, Operand::Imm(31)]),
        false => l.int(IntOp::MinU, Ty::B64, &[b, Operand::Imm(32)]),
    };
    let amount = l.resize(amount, Ty::B64, Ty::B32, false);
    let op = match (i.opcode, signed) {
        (Opcode::VShl, _) => IntOp::Shl,
        (_, true) => IntOp::ShrS,
        _ => IntOp::ShrU,
    };
    l.int(op, Ty::B64, &[a, amount])
}

/// `vmad`: a 64-bit product and sum, shifted; the result is the lower 32 bits.
fn multiply(
    l: &mut Lower<'_>,
    i: &Instruction,
    dest: Dest,
    [a, b]: [Operand; 2],
    minus: [bool; 2],
) -> Result<()> {
    let m = &i.modifiers;
    let operand = arg(i, 3)?;
    let (minus_addend, operand) = match &operand.kind {
        OperandKind::Minus(inner) => (true, &**inner),
        _ => (false, operand),
    };
    let c = l.value(operand, ScalarType::B32)?;
    let minus_product = minus[0] != minus[1];
    let signed = minus_product || minus_addend || m.types().iter().skip(1).any(|ty| ty.is_signed());
    let [a, b, c] = [(a, Ty::B64), (b, Ty::B64), (c, Ty::B32)].map(|(x, ty)| {
        let low = l.resize(x, ty, Ty::B32, false);
        l.resize(low, Ty::B32, Ty::B64, true)
    });
    let product = l.int(IntOp::Mul, Ty::B64, &[a, b]);
    let sum = match (minus_product, minus_addend) {
        (false, false) => l.int(IntOp::Add, Ty::B64, &[product, c]),
        (true, false) => l.int(IntOp::Sub, Ty::B64, &[c, product]),
        (false, true) => l.int(IntOp::Sub, Ty::B64, &[product, c]),
        (true, true) => {
            let both = l.int(IntOp::Add, Ty::B64, &[product, c]);
            l.int(IntOp::Sub, Ty::B64, &[Operand::Imm(0), both])
        }
    };
    let one = Operand::Imm(m.has(Modifier::Po).into());
    let sum = l.int(IntOp::Add, Ty::B64, &[sum, one]);
    let by = Operand::Imm(match (m.has(Modifier::Shr7), m.has(Modifier::Shr15)) {
        (true, _) => 7,
        (_, true) => 15,
        _ => 0,
    });
    let shift = if signed { IntOp::ShrS } else { IntOp::ShrU };
    let mut value = match by {
        Operand::Imm(0) => sum,
        _ => l.int(shift, Ty::B64, &[sum, by]),
    };
    if m.sat() {
        let (low, high) = range(32, signed);
        value = l.int(IntOp::MaxS, Ty::B64, &[value, imm(low, Ty::B64)]);
        value = l.int(IntOp::MinS, Ty::B64, &[value, imm(high, Ty::B64)]);
    }
    let value = l.resize(value, Ty::B64, Ty::B32, false);
    l.assign(dest, Ty::B32, value);
    Ok(())
}

/// The operation on a pair of lanes.
#[derive(Clone, Copy)]
enum Lane {
    Op(IntOp),
    Average,
    Set(Cmp),
}

/// Returns the number of lanes in a register, and the operation on each.
fn lanes(i: &Instruction) -> Option<(u32, Lane)> {
    use Opcode::*;
    let lanes = match i.opcode {
        VAdd2 | VSub2 | VAvrg2 | VAbsDiff2 | VMin2 | VMax2 | VSet2 => 2,
        _ => 4,
    };
    let lane = match i.opcode {
        VAdd2 | VAdd4 => Lane::Op(IntOp::Add),
        VSub2 | VSub4 => Lane::Op(IntOp::Sub),
        VAbsDiff2 | VAbsDiff4 => Lane::Op(IntOp::AbsDiffS),
        VMin2 | VMin4 => Lane::Op(IntOp::MinS),
        VMax2 | VMax4 => Lane::Op(IntOp::MaxS),
        VAvrg2 | VAvrg4 => Lane::Average,
        VSet2 | VSet4 => Lane::Set(compare(i)?),
        _ => return None,
    };
    Some((lanes, lane))
}

/// Returns the digits of a selector or mask such as `h10` or `b3210`; there is one for each lane.
fn digits(selector: &str, lanes: u32) -> Option<Vec<u32>> {
    let text = selector.strip_prefix(if lanes == 2 { 'h' } else { 'b' })?;
    text.chars().map(|c| c.to_digit(2 * lanes)).collect()
}

/// `vop2` and `vop4`, with `.sat` or `.add`.
pub(super) fn simd(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let Some((count, lane)) = lanes(i) else {
        return unsupported(i);
    };
    let types = i.modifiers.types();
    let (dt, at, bt) = match *types {
        [d, a, b] => (d, a, b),
        [a, b] if matches!(lane, Lane::Set(_)) => (ScalarType::U32, a, b),
        _ => return unsupported(i),
    };
    let bits = 32 / count;
    let (dest, mask) = destination(l, i)?;
    let all: Vec<u32> = (0..count).collect();
    let Some(mask) = mask.map_or(Some(all), |mask| digits(mask, count)) else {
        return fail(arg(i, 0)?.span, "unknown lane mask");
    };
    let mut registers = [Operand::Imm(0); 2];
    let mut picked = [Vec::new(), Vec::new()];
    for n in 0..2u32 {
        let operand = arg(i, n as usize + 1)?;
        let (value, selector) = split(l, operand)?;
        registers[n as usize] = value;
        // From the lowest lane on.
        let pick = match selector {
            None => Some((n * count..(n + 1) * count).collect()),
            Some(selector) => digits(selector, count).map(|d| d.into_iter().rev().collect()),
        };
        match pick {
            Some(pick) if Vec::len(&pick) == count as usize => picked[n as usize] = pick,
            _ => return fail(operand.span, "unknown lane selector"),
        }
    }
    // A selector counts the lanes of `a`, then those of `b`.
    let pick = |l: &mut Lower<'_>, which: u32, ty| {
        let subword = Subword {
            at: which % count * bits,
            bits,
        };
        extract(l, registers[(which / count) as usize % 2], ty, subword)
    };
    let c = l.src32(i, 3)?;
    let sum = i.modifiers.has(Modifier::Add);
    let mut result = c;
    for k in (0..count).filter(|k| mask.contains(k)) {
        let x = pick(l, picked[0][k as usize], at);
        let y = pick(l, picked[1][k as usize], bt);
        let mut value = match lane {
            Lane::Op(op) => l.int(op, Ty::B32, &[x, y]),
            Lane::Average => average(l, x, y),
            Lane::Set(cmp) => holds(l, cmp, Ty::B32, x, y),
        };
        if sum {
            result = l.int(IntOp::Add, Ty::B32, &[result, value]);
            continue;
        }
        if i.modifiers.sat() {
            let (low, high) = range(bits, dt.is_signed());
            value = l.int(IntOp::MaxS, Ty::B32, &[value, imm(low, Ty::B32)]);
            value = l.int(IntOp::MinS, Ty::B32, &[value, imm(high, Ty::B32)]);
        }
        let place = [
            value,
            result,
            Operand::Imm(u64::from(k * bits)),
            Operand::Imm(u64::from(bits)),
        ];
        result = l.int(IntOp::Bfi, Ty::B32, &place);
    }
    l.assign(dest, Ty::B32, result);
    Ok(())
}

/// Returns half the sum, rounded away from zero.
fn average(l: &mut Lower<'_>, x: Operand, y: Operand) -> Operand {
    let both = l.int(IntOp::Add, Ty::B32, &[x, y]);
    let sign = l.int(IntOp::ShrS, Ty::B32, &[both, Operand::Imm(31)]);
    let one_more = l.int(IntOp::Add, Ty::B32, &[both, Operand::Imm(1)]);
    let both = l.int(IntOp::Add, Ty::B32, &[one_more, sign]);
    l.int(IntOp::ShrS, Ty::B32, &[both, Operand::Imm(1)])
}
