//! Integer arithmetic and bit operations.
//!
//! Results that the manual leaves open are those of an H200. For example, division and remainder by zero give all
//! ones.

use crate::ir::{IntOp, PrmtMode, Ty};

/// Returns the low `bits` bits of `v` as a signed number.
#[inline(always)]
pub(super) fn sign_extend(v: u64, bits: u32) -> i64 {
    let shift = 64u32.saturating_sub(bits).min(63);
    ((v << shift) as i64) >> shift
}

/// Computes `op` on operands that are already cut to their types.
#[inline(always)]
pub(super) fn eval(op: IntOp, ty: Ty, args: &[u64; 4]) -> u64 {
    let bits = ty.bits();
    let mask = ty.mask();
    let [a, b, c, d] = *args;
    let (sa, sb) = (sign_extend(a, bits), sign_extend(b, bits));
    let (wa, wb) = (i128::from(sa), i128::from(sb));
    let low = i128::from(sign_extend(1 << (bits - 1).min(63), bits));
    match op {
        IntOp::Add => a.wrapping_add(b) & mask,
        IntOp::Sub => a.wrapping_sub(b) & mask,
        IntOp::Mul => a.wrapping_mul(b) & mask,
        IntOp::MulHiU => ((u128::from(a) * u128::from(b)) >> bits) as u64 & mask,
        IntOp::MulHiS => ((wa * wb) >> bits) as u64 & mask,
        IntOp::MulWideU => a.wrapping_mul(b) & wide_mask(bits),
        IntOp::MulWideS => sa.wrapping_mul(sb) as u64 & wide_mask(bits),
        IntOp::DivU => a.checked_div(b).unwrap_or(mask),
        IntOp::DivS => match sb {
            0 => mask,
            _ => sa.wrapping_div(sb) as u64 & mask,
        },
        IntOp::RemU => a.checked_rem(b).unwrap_or(mask),
        IntOp::RemS => match sb {
            0 => mask,
            _ => sa.wrapping_rem(sb) as u64 & mask,
        },
        IntOp::MinU => a.min(b),
        IntOp::MinS => sa.min(sb) as u64 & mask,
        IntOp::MaxU => a.max(b),
        IntOp::MaxS => sa.max(sb) as u64 & mask,
        IntOp::Neg => a.wrapping_neg() & mask,
        IntOp::Abs => sa.wrapping_abs() as u64 & mask,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Not => !a & mask,
        IntOp::Shl => shift(b, bits).map_or(0, |n| (a << n) & mask),
        IntOp::ShrU => shift(b, bits).map_or(0, |n| a >> n),
        IntOp::ShrS => (sa >> b.min(63)) as u64 & mask,
        IntOp::Popc => u64::from(a.count_ones()),
        IntOp::Clz => u64::from(a.leading_zeros().saturating_sub(64 - bits)),
        IntOp::Brev => a.reverse_bits() >> (64 - bits),
        IntOp::BfindU => highest(a, bits, false),
        IntOp::BfindS => highest(flip_negative(sa, mask), bits, false),
        IntOp::BfindShiftU => highest(a, bits, true),
        IntOp::BfindShiftS => highest(flip_negative(sa, mask), bits, true),
        IntOp::BfeU => extract(a, bits, b, c, false),
        IntOp::BfeS => extract(a, bits, b, c, true),
        IntOp::Bfi => {
            let (position, length) = (field_operand(c, bits), field_operand(d, bits));
            let field = field_mask(length) & mask;
            match shift(position, bits) {
                None => b,
                Some(n) => ((b & !(field << n)) | ((a & field) << n)) & mask,
            }
        }
        IntOp::AddSatS => (wa + wb).clamp(low, -low - 1) as u64 & mask,
        IntOp::SubSatS => (wa - wb).clamp(low, -low - 1) as u64 & mask,
        IntOp::AbsDiffU => a.abs_diff(b),
        IntOp::AbsDiffS => sa.abs_diff(sb) & mask,
        IntOp::AddCarry => a.wrapping_add(b).wrapping_add(c) & mask,
        IntOp::AddCarryOut => {
            u64::from(u128::from(a) + u128::from(b) + u128::from(c) > u128::from(mask))
        }
        IntOp::SubBorrow => a.wrapping_sub(b).wrapping_sub(c) & mask,
        IntOp::SubBorrowOut => u64::from(u128::from(a) < u128::from(b) + u128::from(c)),
        IntOp::Prmt(mode) => u64::from(permute(mode, a as u32, b as u32, c as u32)),
        IntOp::Lop3(table) => u64::from(lop3(table, a as u32, b as u32, c as u32)),
        IntOp::ShfL(clamp) => ((b << 32 | a) << funnel(c, clamp)) >> 32,
        IntOp::ShfR(clamp) => ((b << 32 | a) >> funnel(c, clamp)) & 0xffff_ffff,
        IntOp::Dp4a(signed_a, signed_b) => {
            let products = (0..4).map(|i| part(a, i, 8, signed_a) * part(b, i, 8, signed_b));
            (products.sum::<i64>().wrapping_add(c as i64)) as u64 & 0xffff_ffff
        }
        IntOp::Dp2a(signed_a, signed_b, high) => {
            let first = if high { 2 } else { 0 };
            let products =
                (0..2).map(|i| part(a, i, 16, signed_a) * part(b, first + i, 8, signed_b));
            (products.sum::<i64>().wrapping_add(c as i64)) as u64 & 0xffff_ffff
        }
        IntOp::Fns => u64::from(find_nth_set(a as u32, b as u32, c as u32)),
        IntOp::Szext(signed, wrap) => u64::from(size_extend(a as u32, b as u32, signed, wrap)),
        IntOp::Bmsk(wrap) => u64::from(bit_mask(a as u32, b as u32, wrap)),
    }
}

/// [`eval`] for several threads, specialised for every operation and width. Generated code calls it for operations
/// without inline code. It is inlined into callers that are compiled for particular processors.
#[inline(always)]
pub(super) fn eval_many<const N: usize>(op: IntOp, ty: Ty, args: &[[u64; N]; 4]) -> [u64; N] {
    use IntOp::*;
    #[inline(always)]
    fn each<const N: usize>(args: &[[u64; N]; 4], f: impl Fn(&[u64; 4]) -> u64) -> [u64; N] {
        let mut results = [0; N];
        for (lane, result) in results.iter_mut().enumerate() {
            *result = f(&[args[0][lane], args[1][lane], args[2][lane], args[3][lane]]);
        }
        results
    }
    // Matches the operations with these parameters.
    macro_rules! by {
        ($ty:expr; $($name:ident)*; $($many:ident($($flags:tt)*))*) => {
            match op {
                $($name => each(args, |x| eval($name, $ty, x)),)*
                $($many($($flags)*) => each(args, |x| eval($many($($flags)*), $ty, x)),)*
                _ => each(args, |x| eval_any(op, $ty, x)),
            }
        };
    }
    macro_rules! all {
        ($ty:expr; $($many:ident($($flags:tt)*))*) => {
            by!($ty;
                Add Sub Mul MulHiU MulHiS MulWideU MulWideS DivU DivS RemU RemS MinU MinS MaxU MaxS Neg Abs And Or Xor Not
                Shl ShrU ShrS Popc Clz Brev BfindU BfindS BfindShiftU BfindShiftS BfeU BfeS Bfi AddSatS SubSatS AbsDiffU
                AbsDiffS AddCarry AddCarryOut SubBorrow SubBorrowOut;
                $($many($($flags)*))*)
        };
    }
    match ty {
        Ty::B16 => all!(Ty::B16;),
        Ty::B32 => match op {
            Prmt(mode) => permute_many(mode, args),
            Lop3(table) => each(args, |x| eval(Lop3(table), Ty::B32, x)),
            Fns => each(args, |x| eval(Fns, Ty::B32, x)),
            Dp2a(false, false, high) => each(args, |x| eval(Dp2a(false, false, high), Ty::B32, x)),
            Dp2a(a, b, high) => each(args, |x| eval(Dp2a(a, b, high), Ty::B32, x)),
            _ => all!(Ty::B32;
                ShfL(true) ShfL(false) ShfR(true) ShfR(false) Bmsk(true) Bmsk(false)
                Szext(true, true) Szext(true, false) Szext(false, true) Szext(false, false)
                Dp4a(true, true) Dp4a(true, false) Dp4a(false, true) Dp4a(false, false)),
        },
        Ty::B64 => all!(Ty::B64;),
        _ => each(args, |x| eval_any(op, ty, x)),
    }
}

#[inline(always)]
fn permute_many<const N: usize>(mode: PrmtMode, args: &[[u64; N]; 4]) -> [u64; N] {
    let mut results = [0; N];
    macro_rules! each {
        ($($name:ident)*) => {
            match mode {
                $(PrmtMode::$name => for (lane, result) in results.iter_mut().enumerate() {
                    let [a, b, selector, _] = args;
                    let (a, b, selector) = (a[lane] as u32, b[lane] as u32, selector[lane] as u32);
                    *result = u64::from(permute(PrmtMode::$name, a, b, selector));
                },)*
            }
        };
    }
    each!(Index F4e B4e Rc8 Ecl Ecr Rc16);
    results
}

/// [`eval`], compiled once for all operations.
#[inline(never)]
pub(super) fn eval_any(op: IntOp, ty: Ty, args: &[u64; 4]) -> u64 {
    eval(op, ty, args)
}

#[inline(always)]
fn wide_mask(bits: u32) -> u64 {
    match bits {
        0..=31 => (1 << (2 * bits)) - 1,
        _ => u64::MAX,
    }
}

#[inline(always)]
fn shift(amount: u64, bits: u32) -> Option<u32> {
    (amount < u64::from(bits)).then_some(amount as u32)
}

#[inline(always)]
fn flip_negative(a: i64, mask: u64) -> u64 {
    (if a < 0 { !a } else { a }) as u64 & mask
}

#[inline(always)]
fn highest(a: u64, bits: u32, from_top: bool) -> u64 {
    match a.checked_ilog2() {
        None => 0xffff_ffff,
        Some(n) if from_top => u64::from(bits - 1 - n),
        Some(n) => u64::from(n),
    }
}

#[inline(always)]
fn field_mask(length: u64) -> u64 {
    match length {
        0..=63 => (1 << length) - 1,
        _ => u64::MAX,
    }
}

/// Returns a position or length of a bit field. The manual allows up to 255. Beyond that, the hardware uses the low
/// eight bits if the register has 32 bits, and all bits if it has 64.
#[inline(always)]
fn field_operand(v: u64, bits: u32) -> u64 {
    if bits == 64 { v } else { v & 0xff }
}

#[inline(always)]
fn extract(a: u64, bits: u32, position: u64, length: u64, signed: bool) -> u64 {
    let (position, length) = (field_operand(position, bits), field_operand(length, bits));
    let top = u64::from(bits - 1);
    let mask = field_mask(u64::from(bits));
    if length == 0 {
        return 0;
    }
    let fill = signed && a >> (position + length - 1).min(top) & 1 == 1;
    let field = field_mask(length) & mask;
    // Bits beyond the register repeat the sign; shifting it in from above does the same.
    let shifted = if fill {
        (sign_extend(a, bits) >> position.min(63)) as u64
    } else {
        shift(position, bits).map_or(0, |n| a >> n)
    };
    let kept = shifted & field;
    (if fill { kept | !field } else { kept }) & mask
}

#[inline(always)]
fn permute(mode: PrmtMode, a: u32, b: u32, selector: u32) -> u32 {
    let pool = u64::from(b) << 32 | u64::from(a);
    let n = selector & 3;
    let mut out = 0;
    for i in 0..4 {
        let nibble = selector >> (4 * i);
        let pick = match mode {
            PrmtMode::Index => nibble & 7,
            PrmtMode::F4e => n + i,
            PrmtMode::B4e => (n + 8 - i) % 8,
            PrmtMode::Rc8 => n,
            PrmtMode::Ecl => n.max(i),
            PrmtMode::Ecr => n.min(i),
            PrmtMode::Rc16 => 2 * (n & 1) + (i & 1),
        };
        let byte = (pool >> (8 * pick)) as u32 & 0xff;
        let sign = mode == PrmtMode::Index && nibble & 8 != 0;
        let byte = if sign { (byte >> 7) * 0xff } else { byte };
        out |= byte << (8 * i);
    }
    out
}

#[inline(always)]
fn lop3(table: u8, a: u32, b: u32, c: u32) -> u32 {
    let mut out = 0;
    for row in 0..8 {
        if table >> row & 1 == 1 {
            let pick = |on: u32, v: u32| if on != 0 { v } else { !v };
            out |= pick(row & 4, a) & pick(row & 2, b) & pick(row & 1, c);
        }
    }
    out
}

#[inline(always)]
fn funnel(amount: u64, clamp: bool) -> u64 {
    if clamp { amount.min(32) } else { amount & 31 }
}

/// Returns element `index` of `bits` bits.
#[inline(always)]
fn part(v: u64, index: u32, bits: u32, signed: bool) -> i64 {
    let raw = v >> (index * bits) & field_mask(u64::from(bits));
    if signed {
        sign_extend(raw, bits)
    } else {
        raw as i64
    }
}

#[inline(always)]
fn find_nth_set(mask: u32, base: u32, offset: u32) -> u32 {
    let offset = offset as i32;
    if offset == i32::MIN {
        // The lowest number has no magnitude; the hardware returns 0.
        return 0;
    }
    if base > 31 {
        return u32::MAX;
    }
    // Bits are counted upwards from the base; a negative offset mirrors the mask.
    let (mask, base, mirror) = match offset < 0 {
        true => (mask.reverse_bits(), 31 - base, 31),
        false => (mask, base, 0),
    };
    let mut left = mask & u32::MAX << base;
    if offset == 0 {
        left &= 1 << base;
    }
    let count = offset.unsigned_abs().max(1);
    if count > left.count_ones() {
        return u32::MAX;
    }
    for _ in 1..count {
        left &= left - 1;
    }
    left.trailing_zeros() ^ mirror
}

#[inline(always)]
fn size_extend(a: u32, b: u32, signed: bool, wrap: bool) -> u32 {
    let kept = b & 31;
    if !wrap && b >= 32 {
        return a;
    }
    let above = u32::MAX << kept;
    let sign = signed && kept > 0 && a >> (kept - 1) & 1 == 1;
    (a & !above) | if sign { above } else { 0 }
}

#[inline(always)]
fn bit_mask(position: u32, width: u32, wrap: bool) -> u32 {
    let from = if !wrap && position >= 32 {
        0
    } else {
        u32::MAX << (position & 31)
    };
    let end = (position & 31) + (width & 31);
    let past = if end >= 32 || (!wrap && (position >= 32 || width >= 32)) {
        0
    } else {
        u32::MAX << end
    };
    from & !past
}
