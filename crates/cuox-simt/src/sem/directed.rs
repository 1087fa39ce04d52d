//! Arithmetic of f32 and f64 that rounds up, down or towards zero, by the processor's own rounding modes.

use crate::ir::{Float, FloatOp, Round};

/// Returns the processor's result in a rounding direction; the bits of a NaN result are unspecified. `None` if the
/// processor has no such instruction.
#[cfg(target_arch = "x86_64")]
pub fn native(op: FloatOp, ty: Float, round: Round, args: [u64; 3]) -> Option<u64> {
    let control = x86::control(round)?;
    if op == FloatOp::Fma && !is_x86_feature_detected!("fma") {
        return None;
    }
    match ty {
        Float::F32 => {
            let single = |n: usize| f32::from_bits(args[n] as u32);
            let args = [single(0), single(1), single(2)];
            Some(x86::single(op, control, args)?.to_bits().into())
        }
        Float::F64 => {
            let double = |n: usize| f64::from_bits(args[n]);
            let args = [double(0), double(1), double(2)];
            Some(x86::double(op, control, args)?.to_bits())
        }
        _ => None,
    }
}

/// Other processors have no such instructions: the result is always `None`.
#[cfg(not(target_arch = "x86_64"))]
pub fn native(_: FloatOp, _: Float, _: Round, _: [u64; 3]) -> Option<u64> {
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{FloatOp, Round};
    use std::arch::asm;

    /// Returns the control word for a rounding direction, with all exceptions masked (the default).
    pub fn control(round: Round) -> Option<u32> {
        let bits = match round {
            Round::Nearest => 0,
            Round::Down => 1,
            Round::Up => 2,
            Round::Zero => 3,
            Round::Away => return None,
        };
        Some(0x1f80 | bits << 13)
    }

    /// Executes an instruction on `{x}` and other operands between two changes of the control word.
    macro_rules! rounded {
        ($text:expr, $control:expr, $x:expr, $($name:ident = $value:expr),+) => {{
            let (new, mut old) = ($control, 0u32);
            let mut x = $x;
            // SAFETY: the control word is restored before other code computes, and only locals are written. The
            // caller checks that the processor has the instructions.
            unsafe {
                asm!(
                    "stmxcsr [{old}]",
                    "ldmxcsr [{new}]",
                    $text,
                    "ldmxcsr [{old}]",
                    old = in(reg) &raw mut old,
                    new = in(reg) &raw const new,
                    x = inout(xmm_reg) x,
                    $($name = in(xmm_reg) $value,)+
                    options(nostack),
                );
            }
            x
        }};
    }

    /// The operations of one type, whose instructions end in `$suffix`.
    macro_rules! operations {
        ($name:ident, $float:ty, $suffix:literal) => {
            pub fn $name(op: FloatOp, control: u32, [a, b, c]: [$float; 3]) -> Option<$float> {
                Some(match op {
                    FloatOp::Add => {
                        rounded!(concat!("add", $suffix, " {x}, {y}"), control, a, y = b)
                    }
                    FloatOp::Sub => {
                        rounded!(concat!("sub", $suffix, " {x}, {y}"), control, a, y = b)
                    }
                    FloatOp::Mul => {
                        rounded!(concat!("mul", $suffix, " {x}, {y}"), control, a, y = b)
                    }
                    FloatOp::Div => {
                        rounded!(concat!("div", $suffix, " {x}, {y}"), control, a, y = b)
                    }
                    FloatOp::Rcp => {
                        rounded!(
                            concat!("div", $suffix, " {x}, {y}"),
                            control,
                            1.0 as $float,
                            y = a
                        )
                    }
                    FloatOp::Sqrt => {
                        rounded!(concat!("sqrt", $suffix, " {x}, {y}"), control, a, y = a)
                    }
                    FloatOp::Fma => rounded!(
                        concat!("vfmadd231", $suffix, " {x}, {y}, {z}"),
                        control,
                        c,
                        y = a,
                        z = b
                    ),
                    _ => return None,
                })
            }
        };
    }

    operations!(single, f32, "ss");
    operations!(double, f64, "sd");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sem::float::exact;
    use crate::sem::soft::Format;
    use crate::sem::tests::Random;

    #[test]
    fn the_machine_rounds_as_exact_numbers_do() {
        let mut random = Random(1);
        let mut next = || random.next();
        let ops = [
            FloatOp::Add,
            FloatOp::Sub,
            FloatOp::Mul,
            FloatOp::Fma,
            FloatOp::Div,
            FloatOp::Rcp,
            FloatOp::Sqrt,
        ];
        for n in 0..60_000 {
            for ty in [Float::F32, Float::F64] {
                let format = Format::of(ty);
                let mask = ty.ty().mask();
                // Operands are often of the same magnitude.
                let a = next() & mask;
                let mut other = || match n % 3 {
                    0 => next() & mask,
                    _ => a ^ next() >> 40 & mask,
                };
                let args = [a, other(), other()];
                for op in ops {
                    for round in [Round::Up, Round::Down, Round::Zero] {
                        let Some(got) = native(op, ty, round, args) else {
                            continue;
                        };
                        let [a, b, c] = args;
                        let want = exact(op, ty, round, a, b, c).pack(ty, round);
                        let same = got == want || format.is_nan(got) && format.is_nan(want);
                        assert!(
                            same,
                            "{op:?} {ty:?} {round:?} {args:x?}: {got:#x} {want:#x}"
                        );
                    }
                }
            }
        }
    }
}
