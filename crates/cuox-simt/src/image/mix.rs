//! Weighted means of neighbouring texels, with the bits of an H200.
//!
//! The CUDA C++ Programming Guide ("Linear Filtering") says that weights have 8 fraction bits. The rest was derived
//! from recordings: weights are split axis by axis into integers that sum to 256, and the sum is exact except for
//! bits that texels lose when they are aligned to the largest.

use super::texel::{Reading, Words};
use super::{Channel, Format};

/// The sum of all weights.
pub const WHOLE: u32 = 256;
/// The largest number of groups of a mean: two slices of two levels.
const GROUPS: usize = 4;
/// The largest number of texels of a mean; past a cube's corner one becomes three.
pub const MOST: usize = 6 * GROUPS;

/// Returns `share` of `of`, in 1/256.
#[inline]
fn part(of: u32, share: u32) -> u32 {
    (of * share + WHOLE / 2) / WHOLE
}

/// Splits the weight `of` between the two texels of a row.
#[inline]
pub fn line(of: u32, x: u32) -> [u32; 2] {
    let right = part(of, x);
    [of - right, right]
}

/// Splits the weight `of` between the two slices of a level.
#[inline]
pub fn slices(of: u32, z: u32) -> [u32; 2] {
    let near = part(of, WHOLE - z);
    [near, of - near]
}

/// Splits the weight `of` among the two rows of two texels.
#[inline]
pub fn square(of: u32, [x, y]: [u32; 2]) -> [[u32; 2]; 2] {
    let [left, right] = line(of, x);
    let (upper_left, lower_right) = (part(left, WHOLE - y), part(right, y));
    [
        [upper_left, right - lower_right],
        [left - upper_left, lower_right],
    ]
}

/// At most `N` texels and their weights, in groups; a group is one slice of one level. Floats are aligned within a
/// group.
pub struct Mean<const N: usize> {
    texels: [Words; N],
    shares: [u32; N],
    len: usize,
    /// The start of each group.
    starts: [usize; GROUPS],
    groups: usize,
}

impl<const N: usize> Mean<N> {
    /// Creates a mean of no texels.
    #[inline]
    pub fn new() -> Mean<N> {
        Mean {
            texels: [[0; 4]; N],
            shares: [0; N],
            len: 0,
            starts: [0; GROUPS],
            groups: 1,
        }
    }

    /// Starts the next group.
    pub fn next_group(&mut self) {
        if self.starts[self.groups - 1] < self.len && self.groups < GROUPS {
            self.starts[self.groups] = self.len;
            self.groups += 1;
        }
    }

    /// Adds a texel; a texel with zero weight changes nothing.
    #[inline]
    pub fn add(&mut self, texel: Words, share: u32) {
        if share > 0 && self.len < N {
            self.texels[self.len] = texel;
            self.shares[self.len] = share;
            self.len += 1;
        }
    }

    /// Returns the mean; the weights must sum to [`WHOLE`]. Channels that the format lacks are 0.
    #[inline]
    pub fn of(&self, format: Format, reading: Reading) -> Words {
        let mut out = [0; 4];
        let channels = usize::from(format.channels);
        for (n, out) in out[..channels].iter_mut().enumerate() {
            *out = self.channel(n, format, reading).to_bits();
        }
        out
    }

    fn channel(&self, n: usize, format: Format, reading: Reading) -> f32 {
        match reading {
            Reading::AsIs => self.floats(n, SINGLE),
            Reading::F16 => self.floats(n, F16),
            Reading::Srgb if n < reading.srgb_channels(format) => self.srgb(n),
            Reading::Srgb | Reading::Fraction => self.fractions(n, format.channel),
        }
    }

    fn sum(&self, value: impl Fn(&Words) -> i64) -> i64 {
        let terms = self.texels[..self.len].iter().zip(&self.shares);
        terms
            .map(|(texel, &share)| value(texel) * i64::from(share))
            .sum()
    }

    /// Returns the mean of fractions, which are extended to 16 bits; the sum is rounded and then divided.
    fn fractions(&self, n: usize, channel: Channel) -> f32 {
        let signed = |texel: &Words| i64::from(texel[n] as i32);
        match channel {
            Channel::U8 => {
                let sum = self.sum(|texel| i64::from(texel[n] * 257));
                ((sum + 128) >> 8) as f32 / 65535.0
            }
            Channel::S8 => {
                // 7 bits become 15 by repetition.
                let sum = self.sum(signed);
                let wide = (sum * 129 + (sum >> 12 << 4) + 64) >> 7;
                (wide as f32 / 32767.0).max(-1.0)
            }
            Channel::S16 => {
                let sum = self.sum(signed);
                (((sum + 128) >> 8) as f32 / 32767.0).max(-1.0)
            }
            _ => {
                let sum = self.sum(|texel| i64::from(texel[n]));
                ((sum + 128) >> 8) as f32 / 65535.0
            }
        }
    }

    /// Returns the mean of sRGB values. Linear values have 8 bits and an exponent each; the mean is an f16.
    fn srgb(&self, n: usize) -> f32 {
        let values = self.texels[..self.len]
            .iter()
            .map(|texel| super::texel::srgb(texel[n]));
        let most = values.clone().map(|(_, exponent)| exponent).max();
        let most = most.unwrap_or(0);
        let terms = values
            .zip(&self.shares)
            .map(|((value, _), &share)| i64::from(value >> most << most) * i64::from(share));
        // In 1/256 of 2^-14.
        rounded(terms.sum(), -22, 11)
    }

    /// Returns the mean of floats. In a group they are aligned to the largest, with four extra bits.
    fn floats(&self, n: usize, float: Float) -> f32 {
        let mut total = (0i64, 0i32);
        for group in 0..self.groups {
            let end = match group + 1 < self.groups {
                true => self.starts[group + 1],
                false => self.len,
            };
            let range = self.starts[group]..end;
            let texels = || self.texels[range.clone()].iter().map(|texel| texel[n]);
            let mut most = 1;
            for bits in texels() {
                most = most.max(float.exponent(bits));
            }
            if most == float.special() {
                return float.of_specials(self.texels[..self.len].iter().map(|texel| texel[n]));
            }
            let mut sum = 0i64;
            for (bits, &share) in texels().zip(&self.shares[range.clone()]) {
                let exponent = float.exponent(bits);
                let term = float.aligned(bits, most - exponent) * i64::from(share);
                sum += if float.negative(bits) { -term } else { term };
            }
            let unit = float.unit(most);
            total = if group == 0 {
                (sum, unit)
            } else {
                added(total, (sum, unit))
            };
        }
        rounded(total.0, total.1, float.bits + 1)
    }
}

/// Adds two sums of the form `sum * 2^unit`; the smaller one is truncated to the bits that fit.
fn added(a: (i64, i32), b: (i64, i32)) -> (i64, i32) {
    let (large, small) = if a.1 >= b.1 { (a, b) } else { (b, a) };
    if large.0 == 0 {
        return small;
    }
    let room = large.0.unsigned_abs().leading_zeros() as i32 - 2;
    let up = (large.1 - small.1).min(room);
    let down = (large.1 - up - small.1).min(63);
    ((large.0 << up) + (small.0 >> down), large.1 - up)
}

/// Extra bits of fractions when they are aligned.
const MORE: u32 = 4;

/// A floating-point format.
#[derive(Clone, Copy)]
pub(super) struct Float {
    /// Bits of the fraction, without the leading one.
    bits: u32,
    /// Bits of the exponent.
    exponent_bits: u32,
    bias: i32,
}

pub(super) const SINGLE: Float = Float {
    bits: 23,
    exponent_bits: 8,
    bias: 127,
};
pub(super) const F16: Float = Float {
    bits: 10,
    exponent_bits: 5,
    bias: 15,
};

impl Float {
    /// Returns the exponent field of infinities and NaNs.
    #[inline]
    pub(super) fn special(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }

    #[inline]
    fn field(self, bits: u32) -> u32 {
        bits >> self.bits & self.special()
    }

    /// Returns the exponent field; that of a subnormal number is 1, as if it were normal.
    #[inline]
    pub(super) fn exponent(self, bits: u32) -> u32 {
        self.field(bits).max(1)
    }

    /// Returns the fraction with its leading one.
    #[inline]
    fn fraction(self, bits: u32) -> u64 {
        let one = u32::from(self.field(bits) != 0) << self.bits;
        u64::from(bits & ((1 << self.bits) - 1) | one)
    }

    #[inline]
    pub(super) fn negative(self, bits: u32) -> bool {
        bits >> (self.bits + self.exponent_bits) & 1 == 1
    }

    /// Returns a number's fraction with the extra bits, shifted right.
    #[inline]
    pub(super) fn aligned(self, bits: u32, by: u32) -> i64 {
        ((self.fraction(bits) << MORE) >> by.min(63)) as i64
    }

    /// Returns the exponent of the unit of such fractions times 256, for numbers with that exponent.
    #[inline]
    fn unit(self, exponent: u32) -> i32 {
        exponent as i32 - self.bias - self.bits as i32 - MORE as i32 - 8
    }

    /// Rounds a sum of such products, for numbers with that exponent, as [`rounded`] does.
    #[inline]
    pub(super) fn rounded(self, sum: i64, exponent: u32) -> f32 {
        // The sum has fewer bits than an f64. Adding half of the last kept bit carries upwards.
        let dropped = 52 - self.bits;
        let bits = (sum.unsigned_abs() as f64).to_bits() + (1 << (dropped - 1));
        let kept = f64::from_bits(bits >> dropped << dropped);
        let scale = f64::from_bits(((1023 + self.unit(exponent)) as u64) << 52);
        let value = (kept * scale) as f32;
        if sum < 0 { -value } else { value }
    }

    /// Returns the mean of numbers some of which are infinite or NaN.
    fn of_specials(self, list: impl Iterator<Item = u32>) -> f32 {
        let (mut above, mut below, mut nan) = (false, false, false);
        for bits in list.filter(|&bits| self.field(bits) == self.special()) {
            nan |= bits & ((1 << self.bits) - 1) != 0;
            above |= !self.negative(bits);
            below |= self.negative(bits);
        }
        match (above && below || nan, above) {
            (true, _) => f32::from_bits(0x7fff_ffff),
            (false, true) => f32::INFINITY,
            (false, false) => f32::NEG_INFINITY,
        }
    }
}

/// Returns `sum * 2^unit` rounded to `bits` bits: to nearest, ties away from zero.
fn rounded(sum: i64, unit: i32, bits: u32) -> f32 {
    let magnitude = sum.unsigned_abs();
    let surplus = (64 - magnitude.leading_zeros()).saturating_sub(bits);
    let half = if surplus > 0 {
        1u64 << (surplus - 1)
    } else {
        0
    };
    let kept = (magnitude + half) >> surplus << surplus;
    // The exponents of all formats are well within an f64's range.
    let scale = f64::from_bits(((1023 + unit) as u64) << 52);
    let value = (kept as f64 * scale) as f32;
    if sum < 0 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        for x in 0..WHOLE {
            for y in 0..WHOLE {
                for of in [256, 255, 100, 1, 0] {
                    let [[a, b], [c, d]] = square(of, [x, y]);
                    assert_eq!(a + b + c + d, of, "{x} {y}");
                }
            }
        }
        // Recorded on an H200.
        assert_eq!(square(256, [134, 169]), [[41, 46], [81, 88]]);
        assert_eq!(square(256, [246, 251]), [[0, 5], [10, 241]]);
    }

    #[test]
    fn rounding_goes_away_from_zero() {
        assert_eq!(rounded(5, 0, 2), 6.0);
        assert_eq!(rounded(-5, 0, 2), -6.0);
        assert_eq!(rounded(7, -3, 2), 1.0);
        assert_eq!(rounded(0, 0, 24), 0.0);
    }
}
