//! The shapes of blocks: how the lanes of a gang lie in rows.

/// What decides the classes besides the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// One-dimensional: all lanes are neighbours along x, and a gang is the whole block.
    Line,
    /// A gang is the lanes with one z, row by row.
    Planes(RowShape),
    /// The x extent is a multiple of 16: a gang is the whole block, and sixteen lanes are neighbours.
    Halves,
    /// The x extent is a multiple of 4: a gang is the whole block, and four lanes are neighbours.
    Quads,
    /// Any other block; a gang is the whole block.
    Any,
}

/// How the rows of a gang lie in groups of sixteen lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RowShape {
    /// The most rows that begin within a group, behind its first lane.
    pub breaks: u8,
    /// How many rows end with every group, if that is always the same.
    pub ends: Option<u8>,
    /// A row is a multiple of four lanes.
    pub fours: bool,
}

impl RowShape {
    /// The most breaks that a group may have.
    pub const BREAKS: u8 = 3;

    /// That of rows of so many lanes, unless they are too short.
    fn of(width: u32) -> Option<RowShape> {
        if width < 4 {
            return None;
        }
        // Where in a row groups begin is a multiple of what both lengths are, and so is where the next row does.
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
    /// The shape of a block, for `wide` code or not. Planes that wait for each other at barriers would do so one by one: then the
    /// block goes together.
    pub fn of(block: [u32; 3], has_barrier: bool, wide: bool) -> Shape {
        let [x, y, z] = block;
        let alone = z == 1 || !has_barrier && x.wrapping_mul(y).is_multiple_of(32);
        // Narrow code has four neighbours in a row, or none.
        let rows = RowShape::of(x).filter(|rows| alone && (wide || rows.fours));
        match (block, rows) {
            ([_, 1, 1], _) => Shape::Line,
            (_, Some(rows)) => Shape::Planes(rows),
            _ if x % 16 == 0 => Shape::Halves,
            // Wide code takes sixteen lanes as they are.
            _ if x % 4 == 0 && !wide => Shape::Quads,
            _ => Shape::Any,
        }
    }

    /// How rows lie, where gangs have some.
    pub fn rows(self) -> Option<RowShape> {
        match self {
            Shape::Planes(rows) => Some(rows),
            Shape::Line | Shape::Halves | Shape::Quads | Shape::Any => None,
        }
    }

    /// Whether gangs have rows.
    pub fn has_rows(self) -> bool {
        self.rows().is_some()
    }

    /// The most rows of a gang that begin within a group of sixteen lanes, behind its first.
    pub fn breaks(self) -> u8 {
        self.rows().map_or(0, |rows| rows.breaks)
    }

    /// Whether rows may begin anywhere within four lanes.
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
        for (block, alone, barriers) in [
            ([256, 1, 1], Shape::Line, Shape::Line),
            ([32, 8, 1], whole, whole),
            ([16, 16, 1], rows(0, Some(1), true), rows(0, Some(1), true)),
            ([96, 2, 3], whole, Shape::Halves),
            // A plane would end within a warp.
            ([16, 3, 2], Shape::Halves, Shape::Halves),
            ([4, 4, 4], Shape::Any, Shape::Any),
            ([48, 2, 1], whole, whole),
            ([8, 32, 1], rows(1, Some(2), true), rows(1, Some(2), true)),
            ([8, 8, 4], rows(1, Some(2), true), Shape::Any),
            ([5, 5, 1], rows(3, None, false), rows(3, None, false)),
            ([3, 3, 1], Shape::Any, Shape::Any),
        ] {
            assert_eq!(Shape::of(block, false, true), alone, "{block:?}");
            assert_eq!(Shape::of(block, true, true), barriers, "{block:?}");
        }
        assert_eq!(Shape::of([5, 5, 1], false, false), Shape::Any);
        assert_eq!(Shape::of([4, 4, 4], false, false), Shape::Quads);
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
