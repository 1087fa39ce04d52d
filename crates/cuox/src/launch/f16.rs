//! Rounding to the two 16-bit formats, to nearest with ties to even.

/// The bits of the `__half` nearest to this number.
pub fn f16_bits(value: f64) -> u16 {
    round(value, 5, 10)
}

/// The bits of the `__nv_bfloat16` nearest to this number.
pub fn bf16_bits(value: f64) -> u16 {
    round(value, 8, 7)
}

/// Rounds to a format of one sign bit and so many exponent and fraction bits.
fn round(value: f64, exponent_bits: u32, fraction_bits: u32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    let infinity = ((1u16 << exponent_bits) - 1) << fraction_bits;
    if value.is_nan() {
        return sign | infinity | 1 << (fraction_bits - 1);
    }
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    if value == 0.0 || exponent < -1022 {
        // A double this small is far below half of the smallest number of either format.
        return sign;
    }
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    let significand = (bits & ((1 << 52) - 1)) | 1 << 52;
    // Numbers below the smallest normal one keep that one's exponent and lose leading bits instead.
    let lost = (1 - bias - exponent).max(0) as u32;
    let shift = 52 - fraction_bits + lost;
    if shift > 54 {
        return sign;
    }
    let kept = significand >> shift;
    let rest = significand & ((1u64 << shift) - 1);
    let half = 1u64 << (shift - 1);
    let up = u64::from(rest > half || (rest == half && kept & 1 == 1));
    // The implicit one adds 1 to the exponent field, as does a carry out of the fraction.
    let base = if lost > 0 {
        0
    } else {
        (exponent + bias - 1) as u64
    };
    let magnitude = (base << fraction_bits) + kept + up;
    sign | if magnitude >= u64::from(infinity) {
        infinity
    } else {
        magnitude as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of 16 bits, straight from the format's definition.
    fn value(bits: u16, exponent_bits: u32, fraction_bits: u32) -> f64 {
        let fraction =
            f64::from(bits & ((1 << fraction_bits) - 1)) / f64::from(1u32 << fraction_bits);
        let exponent = i32::from((bits & 0x7fff) >> fraction_bits);
        let bias = (1 << (exponent_bits - 1)) - 1;
        if exponent == 0 {
            fraction * 2f64.powi(1 - bias)
        } else {
            (1.0 + fraction) * 2f64.powi(exponent - bias)
        }
    }

    #[test]
    fn every_value_and_every_middle_rounds_as_it_should() {
        for (e, f) in [(5, 10), (8, 7)] {
            let infinity = ((1u16 << e) - 1) << f;
            for bits in 0..infinity {
                let here = value(bits, e, f);
                assert_eq!(round(here, e, f), bits, "{here}");
                assert_eq!(round(-here, e, f), bits | 0x8000);
                let next = value(bits + 1, e, f);
                let middle = here + (next - here) / 2.0;
                assert_eq!(
                    round(middle, e, f),
                    bits + (bits & 1),
                    "between {here} and {next}"
                );
                assert_eq!(round(here + (next - here) * 0.49, e, f), bits);
                assert_eq!(round(here + (next - here) * 0.51, e, f), bits + 1);
            }
            assert_eq!(round(f64::INFINITY, e, f), infinity);
            assert_eq!(round(1e300, e, f), infinity);
            assert!(round(f64::NAN, e, f) & 0x7fff > infinity);
            assert_eq!(round(5e-324, e, f), 0);
        }
    }
}
