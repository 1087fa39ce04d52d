//! Integers.

use super::*;
use crate::sem::eval128;

fn int(op: IntOp, ty: Ty, args: &[u64]) -> u64 {
    let mut all = [0; 4];
    all[..args.len()].copy_from_slice(args);
    eval(Op::Int(op, ty), &all)
}

fn b32(op: IntOp, args: &[u64]) -> u64 {
    int(op, Ty::B32, args)
}

/// Results are those of arithmetic in 128 bits, for every width.
#[test]
fn arithmetic() {
    let mut random = Random(2);
    for ty in TYPES {
        let bits = ty.bits();
        let (mask, sign) = (u128::from(ty.mask()), 1u128 << (bits - 1));
        let signed = |v: u128| v as i128 - if v & sign != 0 { 1 << bits } else { 0 };
        for _ in 0..20_000 {
            let (a, b) = (random.bits() & ty.mask(), random.bits() & ty.mask());
            let (ua, ub) = (u128::from(a), u128::from(b));
            let (sa, sb) = (signed(ua), signed(ub));
            let carry = a >> 3 & 1;
            let c = u128::from(carry);
            let (least, most) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
            let cases: Vec<(IntOp, i128)> = vec![
                (IntOp::Add, sa + sb),
                (IntOp::Sub, sa - sb),
                (IntOp::Mul, ua.wrapping_mul(ub) as i128),
                (IntOp::MulHiU, ((ua * ub) >> bits) as i128),
                (IntOp::MulHiS, (sa * sb) >> bits),
                (IntOp::DivU, ua.checked_div(ub).map_or(-1, |q| q as i128)),
                (IntOp::DivS, if ub == 0 { -1 } else { sa / sb }),
                (IntOp::RemU, if ub == 0 { -1 } else { (ua % ub) as i128 }),
                (IntOp::RemS, if ub == 0 { -1 } else { sa % sb }),
                (IntOp::MinU, ua.min(ub) as i128),
                (IntOp::MinS, sa.min(sb)),
                (IntOp::MaxU, ua.max(ub) as i128),
                (IntOp::MaxS, sa.max(sb)),
                (IntOp::Neg, -sa),
                (IntOp::Abs, sa.abs()),
                (IntOp::Not, !sa),
                (IntOp::AddSatS, (sa + sb).clamp(least, most)),
                (IntOp::SubSatS, (sa - sb).clamp(least, most)),
                (IntOp::AbsDiffU, ua.abs_diff(ub) as i128),
                (IntOp::AbsDiffS, (sa - sb).abs()),
                (IntOp::AddCarry, (ua + ub + c) as i128),
                (IntOp::SubBorrow, sa - sb - c as i128),
            ];
            for (op, want) in cases {
                let got = int(op, ty, &[a, b, carry]);
                assert_eq!(
                    u128::from(got),
                    want as u128 & mask,
                    "{op:?} {ty} {a:#x} {b:#x}"
                );
            }
            assert_eq!(
                int(IntOp::AddCarryOut, ty, &[a, b, carry]),
                u64::from(ua + ub + c > mask)
            );
            assert_eq!(
                int(IntOp::SubBorrowOut, ty, &[a, b, carry]),
                u64::from(ua < ub + c)
            );
            if ty == Ty::B64 {
                let args = [ua, ub, 0, 0];
                assert_eq!(eval128(Op::Int(IntOp::MulWideU, ty), &args), ua * ub);
                assert_eq!(
                    eval128(Op::Int(IntOp::MulWideS, ty), &args),
                    (sa * sb) as u128
                );
            } else {
                let wide = (1u128 << (2 * bits)) - 1;
                assert_eq!(u128::from(int(IntOp::MulWideU, ty, &[a, b])), ua * ub);
                assert_eq!(
                    u128::from(int(IntOp::MulWideS, ty, &[a, b])),
                    (sa * sb) as u128 & wide
                );
            }
        }
    }
}

/// Results are those of the manual's pseudocode, bit by bit.
#[test]
fn bit_fields() {
    let mut random = Random(3);
    for ty in [Ty::B32, Ty::B64] {
        let top = i64::from(ty.bits()) - 1;
        let bit = |v: u64, i: i64| v >> i & 1;
        for _ in 0..20_000 {
            let (a, b) = (random.bits() & ty.mask(), random.bits() & ty.mask());
            let (p, l) = (random.next() % 80, random.next() % 80);
            let (p, l) = (
                p | random.next() << 8 & 0xff00,
                l | random.next() << 8 & 0xff00,
            );
            // The manual stops at 255; beyond, the two widths differ.
            let seen = if ty == Ty::B64 { u64::MAX } else { 0xff };
            let (pos, len) = ((p & seen) as i64, (l & seen) as i64);
            for signed in [false, true] {
                let fill = if signed && len > 0 {
                    bit(a, (pos + len - 1).min(top))
                } else {
                    0
                };
                let mut want = 0;
                for i in 0..=top {
                    let inside = i < len && pos + i <= top;
                    want |= if inside { bit(a, pos + i) } else { fill } << i;
                }
                let op = if signed { IntOp::BfeS } else { IntOp::BfeU };
                assert_eq!(
                    int(op, ty, &[a, p, l]),
                    want,
                    "{op:?} {ty} {a:#x} {pos} {len}"
                );
            }
            let mut want = b;
            for i in 0..len.min(64) {
                if pos + i <= top {
                    want = want & !(1 << (pos + i))
                        | (if i <= top { bit(a, i) } else { 0 }) << (pos + i);
                }
            }
            assert_eq!(
                int(IntOp::Bfi, ty, &[a, b, p, l]),
                want,
                "bfi {ty} {a:#x} {b:#x} {pos} {len}"
            );
        }
    }
}

#[test]
fn shifts_clamp() {
    for amount in [31, 32, 33, 64, 255, 0xffff_ffff] {
        let big = amount >= 32;
        assert_eq!(b32(IntOp::Shl, &[1, amount]), if big { 0 } else { 1 << 31 });
        assert_eq!(
            b32(IntOp::ShrU, &[1 << 31, amount]),
            if big { 0 } else { 1 }
        );
        assert_eq!(b32(IntOp::ShrS, &[1 << 31, amount]), 0xffff_ffff);
    }
    assert_eq!(int(IntOp::ShrS, Ty::B64, &[1 << 63, 1000]), u64::MAX);
    assert_eq!(int(IntOp::Shl, Ty::B64, &[3, 63]), 1 << 63);
    assert_eq!(
        b32(IntOp::ShfL(true), &[0x1234_5678, 0x9abc_def0, 8]),
        0xbcde_f012
    );
    assert_eq!(
        b32(IntOp::ShfL(true), &[0x1234_5678, 0x9abc_def0, 40]),
        0x1234_5678
    );
    assert_eq!(
        b32(IntOp::ShfL(false), &[0x1234_5678, 0x9abc_def0, 40]),
        0xbcde_f012
    );
    assert_eq!(
        b32(IntOp::ShfR(true), &[0x1234_5678, 0x9abc_def0, 8]),
        0xf012_3456
    );
    assert_eq!(
        b32(IntOp::ShfR(true), &[0x1234_5678, 0x9abc_def0, 99]),
        0x9abc_def0
    );
    assert_eq!(
        b32(IntOp::ShfR(false), &[0x1234_5678, 0x9abc_def0, 32]),
        0x1234_5678
    );
}

#[test]
fn counts_and_searches() {
    assert_eq!(b32(IntOp::Clz, &[0]), 32);
    assert_eq!(int(IntOp::Clz, Ty::B64, &[1]), 63);
    assert_eq!(int(IntOp::Clz, Ty::B16, &[0x0100]), 7);
    assert_eq!(b32(IntOp::Popc, &[u64::MAX]), 32);
    assert_eq!(b32(IntOp::Brev, &[1]), 1 << 31);
    assert_eq!(int(IntOp::Brev, Ty::B64, &[2]), 1 << 62);
    assert_eq!(b32(IntOp::BfindU, &[0]), 0xffff_ffff);
    assert_eq!(b32(IntOp::BfindU, &[0x10]), 4);
    assert_eq!(b32(IntOp::BfindShiftU, &[0x10]), 27);
    assert_eq!(b32(IntOp::BfindS, &[0xffff_ffff]), 0xffff_ffff);
    assert_eq!(b32(IntOp::BfindS, &[0xffff_fff0]), 3);
    assert_eq!(int(IntOp::BfindShiftS, Ty::B64, &[!0xf]), 60);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 0, 1]), 2);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 0, 3]), 5);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 31, (-1i64) as u64]), 7);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 4, (-2i64) as u64]), 2);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 2, 0]), 2);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 3, 0]), 0xffff_ffff);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 40, 0]), 0xffff_ffff);
    assert_eq!(b32(IntOp::Fns, &[0b1011_0100, 0, 1 << 31]), 0);
}

#[test]
fn permutations() {
    let (a, b) = (0x0302_0100, 0x0706_0584);
    let p = |mode, selector| b32(IntOp::Prmt(mode), &[a, b, selector]);
    assert_eq!(p(PrmtMode::Index, 0x7531), 0x0705_0301);
    assert_eq!(p(PrmtMode::Index, 0xc40f), 0xff84_0000);
    assert_eq!(p(PrmtMode::F4e, 1), 0x8403_0201);
    assert_eq!(p(PrmtMode::B4e, 0), 0x0506_0700);
    assert_eq!(p(PrmtMode::B4e, 2), 0x0700_0102);
    assert_eq!(p(PrmtMode::Rc8, 2), 0x0202_0202);
    assert_eq!(p(PrmtMode::Ecl, 1), 0x0302_0101);
    assert_eq!(p(PrmtMode::Ecr, 2), 0x0202_0100);
    assert_eq!(p(PrmtMode::Rc16, 1), 0x0302_0302);
    assert_eq!(p(PrmtMode::Rc16, 2), 0x0100_0100);
}

#[test]
fn logic_tables_and_masks() {
    let (a, b, c) = (0xf0f0_1234, 0xcccc_5678, 0xaaaa_9abc);
    let lop = |t| b32(IntOp::Lop3(t), &[a, b, c]);
    assert_eq!(lop(0xf0), a);
    assert_eq!(lop(0xcc), b);
    assert_eq!(lop(0xaa), c);
    assert_eq!(lop(0x96), a ^ b ^ c);
    assert_eq!(lop(0xe8), (a & b) | (a & c) | (b & c));
    assert_eq!(lop(0xca), (a & b) | (!a & c & 0xffff_ffff));
    assert_eq!(b32(IntOp::Szext(true, false), &[0x80, 8]), 0xffff_ff80);
    assert_eq!(b32(IntOp::Szext(false, false), &[0xf80, 8]), 0x80);
    assert_eq!(b32(IntOp::Szext(true, false), &[0xf80, 40]), 0xf80);
    assert_eq!(b32(IntOp::Szext(true, true), &[0xf80, 40]), 0xffff_ff80);
    assert_eq!(b32(IntOp::Szext(true, false), &[0xf80, 0]), 0);
    assert_eq!(b32(IntOp::Bmsk(false), &[4, 8]), 0xff0);
    assert_eq!(b32(IntOp::Bmsk(false), &[4, 40]), 0xffff_fff0);
    assert_eq!(b32(IntOp::Bmsk(true), &[4, 40]), 0xff0);
    assert_eq!(b32(IntOp::Bmsk(false), &[40, 8]), 0);
    assert_eq!(b32(IntOp::Bmsk(true), &[36, 4]), 0xf0);
    assert_eq!(b32(IntOp::Bmsk(false), &[28, 8]), 0xf000_0000);
}

#[test]
fn dot_products() {
    // -1·2 + 2·-3 + 3·4 + -128·127, added to 10.
    let (a, b) = (0x8003_02ff, 0x7f04_fd02);
    let want = 10 - 2 - 6 + 12 - 128 * 127i64;
    assert_eq!(
        b32(IntOp::Dp4a(true, true), &[a, b, 10]),
        want as u64 & 0xffff_ffff
    );
    let want = 10 + 255 * 2 + 2 * 0xfd + 12 + 128 * 127u64;
    assert_eq!(b32(IntOp::Dp4a(false, false), &[a, b, 10]), want);
    let a = 0xfffe_0003; // (3, -2)
    assert_eq!(b32(IntOp::Dp2a(true, true, false), &[a, b, 0]), 3 * 2 + 6);
    assert_eq!(
        b32(IntOp::Dp2a(true, false, true), &[a, b, 1]),
        (1 + 12 - 254i64) as u64 & 0xffff_ffff
    );
    assert_eq!(
        b32(IntOp::Dp4a(false, false), &[0, 0, u64::MAX]),
        0xffff_ffff
    );
}
