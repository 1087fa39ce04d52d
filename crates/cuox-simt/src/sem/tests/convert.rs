//! Conversions.

use super::*;

fn plain(from: Num, to: Num, round: Round) -> Conversion {
    Conversion {
        from,
        to,
        round,
        integral: false,
        ftz: false,
        sat: false,
        relu: false,
    }
}

fn convert(c: Conversion, a: u64) -> u64 {
    eval(Op::Convert(c), &[a, 0, 0, 0])
}

const F16: Num = Num::F(Float::F16);
const BF16: Num = Num::F(Float::BF16);
const F32: Num = Num::F(Float::F32);
const F64: Num = Num::F(Float::F64);

/// Returns the value of an f16, by its definition.
fn f16_value(bits: u64) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (e, m) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
    sign * match e {
        0 => m * 2f64.powi(-24),
        31 if m == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + m) * 2f64.powi(e - 25),
    }
}

#[test]
fn every_half_and_every_tie() {
    let to32 = plain(F16, F32, Round::Nearest);
    let from32 = |round| plain(F32, F16, round);
    for h in 0..0x1_0000u64 {
        let want = f16_value(h);
        let got = f32::from_bits(convert(to32, h) as u32);
        if want.is_nan() {
            assert_eq!(got.to_bits(), 0x7fff_ffff);
            continue;
        }
        assert_eq!(f64::from(got), want, "{h:#x}");
        assert_eq!(got.is_sign_negative(), h & 0x8000 != 0);
        for round in ROUNDS {
            assert_eq!(
                convert(from32(round), u64::from(got.to_bits())),
                h,
                "{h:#x} {round:?}"
            );
        }
        // Half way to the next number away from zero, and slightly to both sides of it.
        let next = h + 1;
        if h & 0x7fff >= 0x7bff {
            continue;
        }
        let middle = ((want + f16_value(next)) / 2.0) as f32;
        let even = if h & 1 == 0 { h } else { next };
        let outward = if h & 0x8000 == 0 {
            Round::Up
        } else {
            Round::Down
        };
        let inward = if h & 0x8000 == 0 {
            Round::Down
        } else {
            Round::Up
        };
        for (x, nearest, away) in [
            (middle, even, next),
            (f32::from_bits(middle.to_bits() - 1), h, h),
            (f32::from_bits(middle.to_bits() + 1), next, next),
        ] {
            let run = |round| convert(from32(round), u64::from(x.to_bits()));
            assert_eq!(run(Round::Nearest), nearest, "{x:e}");
            assert_eq!(run(Round::Away), away, "{x:e}");
            assert_eq!(run(Round::Zero), h, "{x:e}");
            assert_eq!(run(inward), h, "{x:e}");
            assert_eq!(run(outward), next, "{x:e}");
        }
    }
    // Overflow begins half way beyond the largest number.
    let run = |x: f32| convert(from32(Round::Nearest), u64::from(x.to_bits()));
    assert_eq!(
        (run(65519.0), run(65520.0), run(-1e9)),
        (0x7bff, 0x7c00, 0xfc00)
    );
}

#[test]
fn bfloat_rounds_its_lower_half_away() {
    let mut random = Random(8);
    for _ in 0..100_000 {
        let x = random.f32();
        let got = convert(plain(F32, BF16, Round::Nearest), u64::from(x.to_bits()));
        let want = if x.is_nan() {
            0x7fff
        } else {
            (x.to_bits() + 0x7fff + (x.to_bits() >> 16 & 1)) >> 16
        };
        assert_eq!(got, u64::from(want), "{x:e}");
        let truncated = convert(plain(F32, BF16, Round::Zero), u64::from(x.to_bits()));
        assert_eq!(
            truncated,
            if x.is_nan() {
                0x7fff
            } else {
                u64::from(x.to_bits() >> 16)
            }
        );
    }
}

/// Results recorded on an H200.
#[test]
fn nans() {
    let cases = [
        (F64, F32, 0xfffc_0000_bf80_0000, 0xffe0_0005),
        (F64, F32, 0x7ff0_0000_0000_0001, 0x7fc0_0000),
        (F64, F16, 0xfff0_0000_8000_0000, 0xfe00),
        (F64, F16, 0x7ffc_0000_ff80_0000, 0x7f00),
        (F32, F64, 0x7fc0_0000, 0x7ff8 << 48),
        (BF16, F32, 0xffe7, 0xffe7_0000),
        (F16, F32, 0xfe01, 0x7fff_ffff),
        (F32, F16, 0xffc0_0000, 0x7fff),
        (F32, F32, 0xffc0_0000, 0x7fff_ffff),
        (F64, F64, 0x7ff0_0000_0080_0000, 0x7ff8_0000_0080_0000),
    ];
    for (from, to, a, want) in cases {
        let mut c = plain(from, to, Round::Nearest);
        c.integral = from == to;
        assert_eq!(convert(c, a), want, "{from} {to} {a:#x}");
    }
    let mut c = plain(F32, F64, Round::Nearest);
    c.ftz = true;
    assert_eq!(convert(c, 0xffc0_0000), 0x7fff_ffff_e000_0000);
}

#[test]
fn between_single_and_double() {
    let mut random = Random(9);
    for _ in 0..100_000 {
        let x = random.f64();
        let got = f32::from_bits(convert(plain(F64, F32, Round::Nearest), x.to_bits()) as u32);
        assert!(got.to_bits() == (x as f32).to_bits() || x.is_nan(), "{x:e}");
        let down = f32::from_bits(convert(plain(F64, F32, Round::Down), x.to_bits()) as u32);
        let up = f32::from_bits(convert(plain(F64, F32, Round::Up), x.to_bits()) as u32);
        if !x.is_nan() {
            assert!(
                f64::from(down) <= x && x <= f64::from(up) && (down == up || down.next_up() == up)
            );
        }
        let y = random.f32();
        let wide = f64::from_bits(convert(
            plain(F32, F64, Round::Nearest),
            u64::from(y.to_bits()),
        ));
        assert!(wide.to_bits() == f64::from(y).to_bits() || y.is_nan());
    }
}

/// Results are those of the host's saturating casts.
#[test]
fn floats_to_integers() {
    let mut random = Random(10);
    for _ in 0..50_000 {
        let x = random.f64() * [1.0, 1e3, 1e9, 1e18][(random.next() & 3) as usize];
        if x.is_nan() {
            continue;
        }
        let whole = |round| match round {
            Round::Nearest => x.round_ties_even(),
            Round::Zero => x.trunc(),
            Round::Down => x.floor(),
            Round::Up => x.ceil(),
            Round::Away => x.round(),
        };
        for round in ROUNDS {
            let y = whole(round);
            for (to, want) in [
                (Num::S(Ty::B8), y as i8 as u8 as u64),
                (Num::U(Ty::B16), y as u16 as u64),
                (Num::S(Ty::B32), y as i32 as u32 as u64),
                (Num::U(Ty::B32), y as u32 as u64),
                (Num::S(Ty::B64), y as i64 as u64),
                (Num::U(Ty::B64), y as u64),
            ] {
                assert_eq!(
                    convert(plain(F64, to, round), x.to_bits()),
                    want,
                    "{x:e} {to} {round:?}"
                );
            }
            let mut integral = plain(F64, F64, round);
            integral.integral = true;
            assert_eq!(
                convert(integral, x.to_bits()),
                y.to_bits(),
                "{x:e} {round:?}"
            );
        }
    }
    let nan = u64::from(f32::NAN.to_bits());
    let cut = |from, to, a| convert(plain(from, to, Round::Zero), a);
    assert_eq!(cut(F32, Num::S(Ty::B32), nan), 0);
    assert_eq!(cut(F32, Num::S(Ty::B64), nan), 1 << 63);
    assert_eq!(cut(F32, Num::U(Ty::B64), nan), 1 << 63);
    assert_eq!(cut(F64, Num::S(Ty::B32), f64::NAN.to_bits()), 1 << 31);
    assert_eq!(cut(F16, Num::U(Ty::B16), 0x7e00), 0);
    // A flushed subnormal is not rounded up to 1.
    let mut up = plain(F32, Num::S(Ty::B32), Round::Up);
    assert_eq!(convert(up, 1), 1);
    up.ftz = true;
    assert_eq!(convert(up, 1), 0);
}

#[test]
fn integers_to_floats() {
    let mut random = Random(11);
    for _ in 0..50_000 {
        let v = random.bits();
        let near = |from, to| convert(plain(from, to, Round::Nearest), v);
        assert_eq!(
            near(Num::S(Ty::B64), F32),
            u64::from((v as i64 as f32).to_bits())
        );
        assert_eq!(near(Num::U(Ty::B64), F32), u64::from((v as f32).to_bits()));
        assert_eq!(near(Num::U(Ty::B64), F64), (v as f64).to_bits());
        assert_eq!(
            near(Num::S(Ty::B32), F32),
            u64::from((v as i32 as f32).to_bits())
        );
        assert_eq!(near(Num::S(Ty::B8), F64), f64::from(v as i8).to_bits());
        let down = f64::from_bits(convert(plain(Num::S(Ty::B64), F64, Round::Down), v));
        let up = f64::from_bits(convert(plain(Num::S(Ty::B64), F64, Round::Up), v));
        let exact = i128::from(v as i64);
        assert!(
            down as i128 <= exact && exact <= up as i128 && (down == up || down.next_up() == up)
        );
    }
    assert_eq!(
        convert(plain(Num::U(Ty::B32), F16, Round::Zero), 1 << 20),
        0x7bff
    );
    assert_eq!(
        convert(plain(Num::U(Ty::B32), F16, Round::Nearest), 1 << 20),
        0x7c00
    );
    assert_eq!(
        convert(plain(Num::S(Ty::B16), BF16, Round::Nearest), 0xfffe),
        0xc000
    );
}

#[test]
fn narrowing_and_clamping() {
    let int = |from, to, sat, a| {
        let mut c = plain(from, to, Round::Nearest);
        c.sat = sat;
        convert(c, a)
    };
    assert_eq!(int(Num::S(Ty::B32), Num::S(Ty::B8), false, 0x1ff), 0xff);
    assert_eq!(int(Num::S(Ty::B32), Num::S(Ty::B8), true, 0x1ff), 0x7f);
    assert_eq!(int(Num::S(Ty::B32), Num::U(Ty::B8), true, 0xffff_ffff), 0);
    assert_eq!(
        int(Num::U(Ty::B32), Num::S(Ty::B16), true, 0xffff_ffff),
        0x7fff
    );
    assert_eq!(
        int(Num::S(Ty::B8), Num::S(Ty::B64), false, 0x80),
        (-128i64) as u64
    );
    assert_eq!(int(Num::U(Ty::B8), Num::U(Ty::B32), false, 0x80), 0x80);
    let mut c = plain(F32, F32, Round::Nearest);
    c.sat = true;
    let f = |x: f32| u64::from(x.to_bits());
    assert_eq!(convert(c, f(1.5)), f(1.0));
    assert_eq!(convert(c, f(-0.0)), 0);
    assert_eq!(convert(c, f(f32::NAN)), 0);
    let mut c = plain(F32, F16, Round::Nearest);
    c.relu = true;
    assert_eq!(convert(c, f(-3.0)), 0);
    assert_eq!(convert(c, f(f32::NAN)), 0x7fff);
    // Flushing concerns f32 only.
    let mut c = plain(F32, F16, Round::Nearest);
    c.ftz = true;
    assert_eq!(convert(c, f(2f32.powi(-24))), 1);
    let mut c = plain(F64, F32, Round::Nearest);
    c.ftz = true;
    assert_eq!(convert(c, (-1e-40f64).to_bits()), 1 << 31);
    let packed = Op::Convert2 {
        to: Float::F16,
        round: Round::Nearest,
        relu: false,
    };
    assert_eq!(eval(packed, &[f(1.0), f(-2.0), 0, 0]), 0x3c00_c000);
}
