//! Copies and fills of arrays of any strides, for what the driver has no single call.

use std::sync::OnceLock;

use cuox::Result;
use cuox::array::layout::Dims;
use cuox::array::{Layout, LayoutError};
use smallvec::SmallVec;

use crate::elementwise::{Elementwise, Parts};
use crate::parameter::Parameter;
use crate::space::Joined;

/// Types of 1, 2, 4, 8 and 16 bytes, in which elements are moved.
const UNITS: [&str; 5] = [
    "unsigned char",
    "unsigned short",
    "unsigned int",
    "unsigned long long",
    "uint4",
];

/// A part of a copy: all elements of two layouts, in C's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The target, and the bytes from the whole target's first element to this one's.
    pub to: (Layout, isize),
    /// The source.
    pub from: (Layout, isize),
}

/// A copy between two layouts in elements that a kernel moves at once: of the size of the arrays', or parts of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Copies that are all of it together.
    pub parts: SmallVec<[Part; 1]>,
    /// The logarithm of the size of the moved elements.
    unit: usize,
}

/// The edge of the squares that a copy between different orders walks through, so that what is read together is used
/// together.
const TILE: usize = 32;

impl Moved {
    /// For two layouts of one shape and size of elements, and the addresses of their first elements.
    ///
    /// # Errors
    /// [`LayoutError::TooManyDims`].
    pub fn new(to: (&Layout, u64), from: (&Layout, u64)) -> Result<Self, LayoutError> {
        let itemsize = to.0.itemsize();
        let strides = to.0.strides().iter().chain(from.0.strides());
        let all = strides.fold(to.1 | from.1 | itemsize as u64, |all, &stride| {
            all | stride.unsigned_abs() as u64
        });
        let unit = all.trailing_zeros().min(4) as usize;
        let size = 1 << unit;
        let part = |layout: &Layout| match itemsize == size {
            true => Ok(layout.clone()),
            false => layout.field(size, &[itemsize / size]),
        };
        let (to, from) = (part(to.0)?, part(from.0)?);
        let joined = Joined::in_memory_order(&[&to, &from]);
        Ok(Self {
            parts: parts(&joined, size)?,
            unit,
        })
    }

    /// The kernel of all parts: `out[i] = a[i]`.
    ///
    /// # Errors
    /// None that can happen.
    pub fn kernel(&self) -> Result<&'static Elementwise> {
        static KERNELS: [OnceLock<Elementwise>; 5] = [const { OnceLock::new() }; 5];
        // Not pure: the layouts are in the order in which they are walked through.
        made(&KERNELS[self.unit], false, || {
            let (to, from) = (UNITS[self.unit], format!("const {}", UNITS[self.unit]));
            let parameters = vec![
                Parameter::new(to, "out", true),
                Parameter::new(from, "a", true),
            ];
            (parameters, "cuox_copy", "out[i] = a[i]")
        })
    }
}

/// The parts of a copy: one, or squares and what is left beside them if the elements that are neighbours in the source
/// are not in the target.
fn parts(joined: &Joined, size: usize) -> Result<SmallVec<[Part; 1]>, LayoutError> {
    let rank = joined.rank();
    let one = |shape: &[usize], strides: [&[isize]; 2], offsets: [isize; 2]| {
        Ok(Part {
            to: (Layout::strided(shape, strides[0], size)?, offsets[0]),
            from: (Layout::strided(shape, strides[1], size)?, offsets[1]),
        })
    };
    let strides = [&joined.strides[0][..], &joined.strides[1][..]];
    let shape = &joined.shape;
    let last = rank - 1;
    let nearest = (0..rank)
        .filter(|&axis| strides[1][axis] != 0)
        .min_by_key(|&axis| (strides[1][axis].unsigned_abs(), std::cmp::Reverse(axis)))
        .unwrap_or(last);
    if nearest == last || shape[nearest] < 2 * TILE || shape[last] < 2 * TILE {
        return Ok(SmallVec::from_iter([one(shape, strides, [0, 0])?]));
    }
    let (rows, columns) = (shape[nearest] / TILE, shape[last] / TILE);
    let mut all = SmallVec::new();
    // The squares: the dimensions of the squares come first, then those inside one.
    let mut tiled: Dims<usize> = shape.clone();
    (tiled[nearest], tiled[last]) = (rows, columns);
    tiled.extend([TILE, TILE]);
    let steps = strides.map(|strides| {
        let mut steps: Dims<isize> = strides.into();
        steps[nearest] *= TILE as isize;
        steps[last] *= TILE as isize;
        steps.extend([strides[nearest], strides[last]]);
        steps
    });
    all.push(one(&tiled, [&steps[0], &steps[1]], [0, 0])?);
    // Below the squares, and to the right of them.
    let (below, right) = (rows * TILE, columns * TILE);
    for (axis, begin) in [(nearest, below), (last, right)] {
        let mut rest = shape.clone();
        rest[axis] -= begin;
        if axis == last {
            rest[nearest] = below;
        }
        if !rest.contains(&0) {
            let offsets = strides.map(|strides| begin as isize * strides[axis]);
            all.push(one(&rest, strides, offsets)?);
        }
    }
    Ok(all)
}

/// The kernel that sets elements of this size to one value, `out[i] = value`; `None` if a kernel cannot: for another
/// size or alignment.
///
/// # Errors
/// None that can happen.
pub fn fill(layout: &Layout, address: u64) -> Result<Option<&'static Elementwise>> {
    static KERNELS: [OnceLock<Elementwise>; 5] = [const { OnceLock::new() }; 5];
    let size = layout.itemsize();
    let strides: Dims<u64> = layout
        .strides()
        .iter()
        .map(|stride| stride.unsigned_abs() as u64)
        .collect();
    let all = strides.iter().fold(address, |all, stride| all | stride);
    if !size.is_power_of_two() || size > 16 || !all.is_multiple_of(size as u64) {
        return Ok(None);
    }
    let unit = size.trailing_zeros() as usize;
    made(&KERNELS[unit], true, || {
        let parameters = vec![
            Parameter::new(UNITS[unit], "out", true),
            Parameter::new(UNITS[unit], "value", false),
        ];
        (parameters, "cuox_fill", "out[i] = value")
    })
    .map(Some)
}

fn made(
    place: &'static OnceLock<Elementwise>,
    pure: bool,
    parts: impl FnOnce() -> (Vec<Parameter>, &'static str, &'static str),
) -> Result<&'static Elementwise> {
    if let Some(kernel) = place.get() {
        return Ok(kernel);
    }
    let (parameters, name, operation) = parts();
    let kernel = Elementwise::new(Parts {
        parameters,
        name: name.into(),
        operation: operation.into(),
        pure,
        ..Parts::default()
    })?;
    Ok(place.get_or_init(|| kernel))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuox::array::Order;

    #[test]
    fn elements_are_moved_in_parts_where_they_must() {
        let layout = |size| Layout::strided(&[4, 3], &[320, 64], size).unwrap();
        let shape = |size, address| {
            let moved = Moved::new((&layout(size), 64), (&layout(size), address)).unwrap();
            (moved.parts[0].to.0.shape().to_vec(), 1 << moved.unit)
        };
        assert_eq!(shape(8, 64), (vec![4, 3], 8));
        assert_eq!(shape(8, 68), (vec![4, 3, 2], 4));
        assert_eq!(shape(12, 64), (vec![4, 3, 3], 4));
        assert_eq!(shape(32, 64), (vec![4, 3, 2], 16));
        assert_eq!(shape(2, 65), (vec![4, 3, 2], 1));
    }

    #[test]
    fn squares_and_their_borders_are_the_whole() {
        for (rows, columns) in [(64, 64), (100, 64), (64, 70), (130, 99), (10, 1000)] {
            let to = Layout::contiguous(&[3, rows, columns], 4, Order::C).unwrap();
            let from = to.transpose(Some(&[0, 2, 1])).unwrap();
            let to = Layout::contiguous(&[3, columns, rows], 4, Order::C).unwrap();
            let moved = Moved::new((&to, 0), (&from, 0)).unwrap();
            let elements: usize = moved.parts.iter().map(|part| part.to.0.len()).sum();
            assert_eq!(elements, to.len());
            let mut written = vec![0; to.len()];
            for part in &moved.parts {
                let mut index = vec![0; part.to.0.ndim()];
                for _ in 0..part.to.0.len() {
                    let at = |(layout, offset): &(Layout, isize)| {
                        let axes = index.iter().zip(layout.strides());
                        (offset + axes.map(|(&i, &s)| i as isize * s).sum::<isize>()) as usize / 4
                    };
                    let (here, there) = (at(&part.to), at(&part.from));
                    let (slice, row, column) =
                        (here / (rows * columns), here / rows % columns, here % rows);
                    assert_eq!(there, slice * rows * columns + column * columns + row);
                    written[here] += 1;
                    for axis in (0..index.len()).rev() {
                        index[axis] += 1;
                        if index[axis] < part.to.0.shape()[axis] {
                            break;
                        }
                        index[axis] = 0;
                    }
                }
            }
            assert!(written.iter().all(|&times| times == 1), "{rows} {columns}");
        }
    }
}
