//! From coordinates to texels: one axis at a time.
//!
//! A coordinate becomes a fixed-point number with 8 bits of fraction (CUDA C++ Programming Guide, "Texture Fetching"),
//! then an index, then a texel inside or none.

use super::Wrap;

/// Bits of a fixed-point coordinate's fraction.
pub const FRACTION: u32 = 8;
/// One texel.
pub const ONE: i64 = 1 << FRACTION;

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
    /// Texels to go on.
    pub offset: i32,
}

impl Along {
    /// For a coordinate.
    #[inline]
    pub fn at(self, coordinate: f32) -> Axis {
        let texels = self.texels(coordinate);
        if !self.linear {
            return Axis {
                first: whole(texels.floor()) + i64::from(self.offset),
                share: 0,
            };
        }
        let fixed = whole((texels * ONE as f32 + 0.5).floor()) - ONE / 2;
        Axis {
            first: (fixed >> FRACTION) + i64::from(self.offset),
            share: (fixed & (ONE - 1)) as u32,
        }
    }

    /// The coordinate in texels, near the image.
    fn texels(self, coordinate: f32) -> f32 {
        if !self.normalized {
            return coordinate;
        }
        let inside = match self.wrap {
            Wrap::Repeat => coordinate - coordinate.floor(),
            Wrap::Mirror => {
                let whole = coordinate.floor();
                let rest = coordinate - whole;
                if (whole * 0.5).fract() == 0.0 {
                    rest
                } else {
                    1.0 - rest
                }
            }
            Wrap::Clamp | Wrap::Border => coordinate,
        };
        inside * self.size as f32
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

/// A float as an integer; far ones stay far, a NaN is 0.
fn whole(value: f32) -> i64 {
    const FAR: f32 = (1u64 << 40) as f32;
    value.clamp(-FAR, FAR) as i64
}
