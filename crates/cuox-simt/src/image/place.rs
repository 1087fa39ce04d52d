//! From coordinates to texels: one axis at a time, with the bits that an H200 gives.
//!
//! A coordinate becomes a fixed-point number with 8 bits of fraction (CUDA C++ Programming Guide, "Texture Fetching"),
//! then an index, then a texel inside or none.

use super::Wrap;

/// Bits of a fixed-point coordinate's fraction.
const FRACTION: u32 = 8;
/// One texel.
const ONE: i64 = 1 << FRACTION;

/// The texels that an axis of a sample reads, and the share of the second in 1/256. Without a filter the share is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The texels' indices before anything is done about the edges.
    pub first: i64,
    /// Share of the texel after `first`, 0 to 255.
    pub share: u32,
}

/// Where on an axis to read.
#[derive(Clone, Copy, Debug)]
pub struct Along {
    /// Texels.
    pub size: u32,
    /// What coordinates outside mean.
    pub wrap: Wrap,
    /// Coordinates from 0 to 1.
    pub normalized: bool,
    /// Linear.
    pub linear: bool,
    /// A filter ends at the edges that coordinates are clamped to, and does not go on beyond.
    pub ends: bool,
    /// Texels to go on.
    pub offset: i32,
}

impl Along {
    /// For a coordinate.
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
            // Beyond the middle of the last texel there is nothing to share with.
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

    /// A coordinate from 0 to 1 in parts of a texel, rounded down. Before, the coordinate itself is rounded down to 21 bits,
    /// or to more where that many do not tell texels apart.
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

    /// The texel with that index.
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

/// A coordinate that fixed-point numbers hold. Far ones are even, so that they lie where the image begins; a NaN is 0, and
/// so are subnormal numbers.
#[inline(always)]
fn near(coordinate: f32) -> f64 {
    const FAR: f32 = (1u32 << 25) as f32;
    if coordinate.abs() >= f32::MIN_POSITIVE {
        f64::from(coordinate.clamp(-FAR, FAR))
    } else {
        0.0
    }
}

/// The largest integer that is not above; without a call, which `f64::floor` is on older processors.
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
        // Recorded: just above a texel's edge, but not by 2^-21.
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
            // In the middle between two, up.
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
