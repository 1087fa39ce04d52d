//! Shapes of thread blocks: the layout of a gang's lanes in rows along x.
//!
//! A gang's code is compiled for a shape. The shape determines how `%tid.x` and `%tid.y` vary over the lanes, and so
//! the uniformity of the registers computed from them.

/// Property of a block's extents that uniformity depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// The x extent is a multiple of 32, and a gang is one warp: its lanes are neighbours along x.
    Warp,
    /// The x extent is a multiple of 16, and a gang is one warp: the lanes of each half are neighbours along x.
    HalfWarps,
    /// One-dimensional: all lanes are neighbours along x, and a gang is the whole block.
    Line,
    /// A gang is all lanes with the same z, in rows along x.
    Planes(RowShape),
    /// The x extent is a multiple of 16. A gang is the whole block; aligned groups of sixteen lanes lie in one row.
    MultipleOf16,
    /// The x extent is a multiple of 4. A gang is the whole block; aligned groups of four lanes lie in one row.
    MultipleOf4,
    /// Any other block. A gang is the whole block.
    Any,
}

/// Layout of a gang's rows relative to groups of sixteen lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RowShape {
    /// Largest number of rows that begin within a group, after its first lane.
    pub breaks: u8,
    /// Number of rows that end in every group, if constant.
    pub ends: Option<u8>,
    /// True if the row length is a multiple of four lanes.
    pub fours: bool,
}

/// Where the lanes of a block's warps are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Warps {
    /// Some half of a warp has lanes in several rows along x.
    Mixed,
    /// Each half of a warp has its lanes in one row.
    HalvesInRows,
    /// Each half of a warp is a row.
    HalvesAreRows,
    /// There is one half of a warp, a row.
    Half,
    /// Each warp has its lanes in one row.
    InRows,
    /// Each warp is a row.
    AreRows,
}

impl Warps {
    /// Returns that of a block.
    pub fn of([x, y, z]: [u32; 3]) -> Warps {
        match x {
            32 => Warps::AreRows,
            16 if (y, z) == (1, 1) => Warps::Half,
            16 => Warps::HalvesAreRows,
            x if x.is_multiple_of(32) => Warps::InRows,
            x if x.is_multiple_of(16) => Warps::HalvesInRows,
            _ => Warps::Mixed,
        }
    }

    /// Returns the shape of gangs of one warp, if there are such gangs.
    pub fn shape(self) -> Option<Shape> {
        match self {
            Warps::Mixed => None,
            Warps::HalvesInRows | Warps::HalvesAreRows | Warps::Half => Some(Shape::HalfWarps),
            Warps::InRows | Warps::AreRows => Some(Shape::Warp),
        }
    }

    /// Returns the x extent of the block, if it is that of a row.
    pub fn row(self) -> Option<u32> {
        match self {
            Warps::Mixed | Warps::HalvesInRows | Warps::InRows => None,
            Warps::HalvesAreRows | Warps::Half => Some(16),
            Warps::AreRows => Some(32),
        }
    }
}

impl RowShape {
    /// Largest number of row breaks allowed in a group.
    pub const BREAKS: u8 = 3;

    /// Returns the layout of rows of `width` lanes, or `None` if they are too short.
    fn of(width: u32) -> Option<RowShape> {
        if width < 4 {
            return None;
        }
        // The offset in a row at which a group begins is a multiple of the largest power of two that divides both
        // lengths, and so is the start of the next row.
        let breaks = match 1u32 << width.trailing_zeros().min(4) {
            16 => 0,
            first => (15 - first) / width + 1,
        };
        Some(RowShape {
            breaks: breaks as u8,
            ends: 16u32.is_multiple_of(width).then_some((16 / width) as u8),
            fours: width.is_multiple_of(4),
        })
    }
}

impl Shape {
    /// Returns the shape of a block, for `wide` (512-bit) code or not. Planes of a block with barriers become one gang
    /// unless they are whole warps, since separate gangs would have to wait for each other.
    pub fn of(block: [u32; 3], has_barrier: bool, wide: bool) -> Shape {
        let [x, y, z] = block;
        let one_gang_per_plane = z == 1 || !has_barrier && x.wrapping_mul(y).is_multiple_of(32);
        // Narrow code requires that aligned groups of four lanes lie in one row.
        let rows = RowShape::of(x).filter(|rows| one_gang_per_plane && (wide || rows.fours));
        match (block, rows) {
            ([_, 1, 1], _) => Shape::Line,
            (_, Some(rows)) => Shape::Planes(rows),
            _ if x % 16 == 0 => Shape::MultipleOf16,
            // Wide code has no groups of four lanes.
            _ if x % 4 == 0 && !wide => Shape::MultipleOf4,
            _ => Shape::Any,
        }
    }

    /// Returns the layout of the rows, if gangs have rows.
    pub fn rows(self) -> Option<RowShape> {
        match self {
            Shape::Planes(rows) => Some(rows),
            Shape::Warp
            | Shape::HalfWarps
            | Shape::Line
            | Shape::MultipleOf16
            | Shape::MultipleOf4
            | Shape::Any => None,
        }
    }

    /// Tells whether a gang is one warp.
    pub fn is_warp(self) -> bool {
        matches!(self, Shape::Warp | Shape::HalfWarps)
    }

    /// Tells whether gangs have rows.
    pub fn has_rows(self) -> bool {
        self.rows().is_some()
    }

    /// Returns the largest number of rows that begin within a group of sixteen lanes, after its first lane.
    pub fn breaks(self) -> u8 {
        self.rows().map_or(0, |rows| rows.breaks)
    }

    /// Tells whether a row may begin within an aligned group of four lanes.
    pub fn breaks_fours(self) -> bool {
        self.rows().is_some_and(|rows| !rows.fours)
    }
}

#[cfg(test)]
mod tests {
    use super::{RowShape, Shape};

    fn rows(breaks: u8, ends: Option<u8>, fours: bool) -> Shape {
        Shape::Planes(RowShape {
            breaks,
            ends,
            fours,
        })
    }

    #[test]
    fn shapes_of_blocks() {
        let whole = rows(0, None, true);
        for (block, one_gang_per_plane, barriers) in [
            ([256, 1, 1], Shape::Line, Shape::Line),
            ([32, 8, 1], whole, whole),
            ([16, 16, 1], rows(0, Some(1), true), rows(0, Some(1), true)),
            ([96, 2, 3], whole, Shape::MultipleOf16),
            // A plane of 48 lanes would end within a warp.
            ([16, 3, 2], Shape::MultipleOf16, Shape::MultipleOf16),
            ([4, 4, 4], Shape::Any, Shape::Any),
            ([48, 2, 1], whole, whole),
            ([8, 32, 1], rows(1, Some(2), true), rows(1, Some(2), true)),
            ([8, 8, 4], rows(1, Some(2), true), Shape::Any),
            ([5, 5, 1], rows(3, None, false), rows(3, None, false)),
            ([3, 3, 1], Shape::Any, Shape::Any),
        ] {
            assert_eq!(
                Shape::of(block, false, true),
                one_gang_per_plane,
                "{block:?}"
            );
            assert_eq!(Shape::of(block, true, true), barriers, "{block:?}");
        }
        assert_eq!(Shape::of([5, 5, 1], false, false), Shape::Any);
        assert_eq!(Shape::of([4, 4, 4], false, false), Shape::MultipleOf4);
        assert_eq!(Shape::of([24, 2, 1], false, false), rows(1, None, true));
    }

    #[test]
    fn breaks_of_groups() {
        for width in 4..=64 {
            let Some(shape) = RowShape::of(width) else {
                panic!("{width}");
            };
            let breaks = |first: u32| (first + 1..first + 16).filter(|l| l % width == 0).count();
            let most = (0..width).map(|n| breaks(16 * n)).max().unwrap_or(0);
            assert_eq!(usize::from(shape.breaks), most, "{width}");
            if let Some(ends) = shape.ends {
                assert_eq!(width * u32::from(ends), 16);
            }
        }
    }
}
