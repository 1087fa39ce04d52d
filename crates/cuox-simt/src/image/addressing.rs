//! Texel addressing: one axis of a sample, with the bits of an H200.
//!
//! A coordinate becomes a fixed-point number with 8 fraction bits (CUDA C++ Programming Guide, "Texture Fetching"),
//! then an index, then a texel inside the image or the border.

use super::Wrap;

/// Fraction bits of a fixed-point coordinate.
const FRACTION: u32 = 8;
/// One texel.
const ONE: i64 = 1 << FRACTION;

/// The two texels that an axis of a sample reads, and the weight of the second in 1/256. Without a filter the weight
/// is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The first texel's index before the addressing mode is applied.
    pub first: i64,
    /// Weight of the texel after `first`, 0 to 255.
    pub share: u32,
}

/// The sampling of one axis.
#[derive(Clone, Copy, Debug)]
pub struct Along {
    /// The size in texels.
    pub size: u32,
    /// The addressing mode.
    pub wrap: Wrap,
    /// True for coordinates from 0 to 1.
    pub normalized: bool,
    /// True for linear filtering.
    pub linear: bool,
    /// True if a filter stops at the edges that coordinates are clamped to.
    pub ends: bool,
    /// The offset in texels.
    pub offset: i32,
}

impl Along {
    /// Returns the texels for a coordinate.
    #[inline(always)]
    pub fn at(self, coordinate: f32) -> Axis {
        let coordinate = near(coordinate);
        let fixed = match (self.normalized, self.linear) {
            (false, false) => floor(coordinate) * ONE,
            (false, true) => floor(coordinate * 256.0 + 0.5) - ONE / 2,
            (true, false) => self.scaled(coordinate, 1) * ONE,
            (true, true) => ((self.scaled(coordinate, 2 * ONE) + 1) >> 1) - ONE / 2,
        };
        let offset = i64::from(self.offset);
        let last = i64::from(self.size) - 1;
        let fixed = match self.wrap {
            // Beyond the middle of the last texel there is no texel to mix with.
            Wrap::Clamp if self.linear && self.ends => {
                fixed.clamp(-offset * ONE, (last - offset) * ONE)
            }
            _ => fixed,
        };
        Axis {
            first: (fixed >> FRACTION) + offset,
            share: (fixed & (ONE - 1)) as u32,
        }
    }

    /// Converts a normalized coordinate to 1/256 of a texel, rounded down. The coordinate is first rounded down to 21
    /// bits, or to more if that many do not distinguish texels.
    #[inline(always)]
    fn scaled(self, coordinate: f64, parts: i64) -> i64 {
        let bits = match self.size {
            0..=16384 => 21,
            size => (size - 1).ilog2() + 8,
        };
        let fixed = floor(coordinate * (1u64 << bits) as f64);
        let (whole, rest) = (fixed >> bits, fixed & ((1 << bits) - 1));
        let parts = parts * i64::from(self.size);
        whole * parts + ((rest * parts) >> bits)
    }

    /// Returns the texel for an index, by the addressing mode.
    #[inline]
    pub fn texel(self, index: i64) -> Option<u32> {
        let size = i64::from(self.size);
        if (0..size).contains(&index) {
            return Some(index as u32);
        }
        match self.wrap {
            Wrap::Clamp => Some(index.clamp(0, size - 1) as u32),
            Wrap::Border => None,
            Wrap::Repeat => Some(index.rem_euclid(size) as u32),
            Wrap::Mirror => {
                let folded = index.rem_euclid(2 * size);
                Some(folded.min(2 * size - 1 - folded) as u32)
            }
        }
    }
}

/// Limits a coordinate to the range of fixed-point numbers. Far coordinates are even, so that they are at the image's
/// start. NaN and subnormal numbers become 0.
#[inline(always)]
fn near(coordinate: f32) -> f64 {
    const FAR: f32 = (1u32 << 25) as f32;
    if coordinate.abs() >= f32::MIN_POSITIVE {
        f64::from(coordinate.clamp(-FAR, FAR))
    } else {
        0.0
    }
}

/// Returns the largest integer that is not above a number, without the call that `f64::floor` makes on older
/// processors.
#[inline(always)]
fn floor(value: f64) -> i64 {
    let near = value as i64;
    near - i64::from(near as f64 > value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONG: Along = Along {
        size: 17,
        wrap: Wrap::Repeat,
        normalized: true,
        linear: false,
        ends: true,
        offset: 0,
    };

    #[test]
    fn coordinates_are_rounded_down() {
        // Recorded on an H200: just above a texel's edge, but by less than 2^-21.
        assert_eq!(ALONG.at(0.588_235_3).first, 9);
        assert_eq!(ALONG.at(-0.058_823_522).first, -2);
        assert_eq!(ALONG.at(f32::NAN).first, 0);
        assert_eq!(ALONG.at(-1e-45).first, 0);
        for far in [f32::INFINITY, 1e10, -1e30] {
            assert_eq!(ALONG.texel(ALONG.at(far).first), Some(0), "{far}");
        }
    }

    #[test]
    fn shares_have_eight_bits() {
        let along = Along {
            normalized: false,
            linear: true,
            ..ALONG
        };
        for (x, first, share) in [
            (0.5, 0, 0),
            (0.75, 0, 64),
            (1.5, 1, 0),
            (0.0, -1, 128),
            // Halfway between two texels, rounded up.
            (0.5 + 1.0 / 512.0, 0, 1),
        ] {
            assert_eq!(along.at(x), Axis { first, share }, "{x}");
        }
    }

    #[test]
    fn edges_wrap() {
        let at = |wrap, index| {
            Along {
                size: 3,
                wrap,
                ..ALONG
            }
            .texel(index)
        };
        for (index, repeat, mirror) in [(-1, 2, 0), (-4, 2, 2), (3, 0, 2), (5, 2, 0), (6, 0, 0)] {
            assert_eq!(at(Wrap::Repeat, index), Some(repeat));
            assert_eq!(at(Wrap::Mirror, index), Some(mirror));
            assert_eq!(at(Wrap::Border, index), None);
        }
        assert_eq!(
            (at(Wrap::Clamp, -7), at(Wrap::Clamp, 7)),
            (Some(0), Some(2))
        );
    }
}
