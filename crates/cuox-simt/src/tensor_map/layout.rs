//! Where the elements of a box are: their rows in the tensor, and their bytes in shared memory.

use super::{MAX_RANK, Shape, Swizzle, TensorMap};

impl Swizzle {
    /// Returns the place in shared memory of the byte that would be at `address` without swizzling (PTX ISA,
    /// *Swizzling Modes*). Bits of the address of the line of 128 bytes change those of the 16 bytes in it.
    pub(super) fn place(self, address: u64) -> u64 {
        match self.span() {
            Some(span) => address ^ (((address >> 7) & (span / 16 - 1)) * 16),
            None => address,
        }
    }
}

/// The units in which a copy moves a row: elements, or slices of channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Bytes of a unit.
    pub unit: u64,
    /// Units of a row.
    pub units: u64,
    /// Units of the tensor from one of the row to the next.
    pub unit_step: u64,
    /// Rows.
    pub rows: u64,
    /// Bytes from one row to the next in shared memory.
    pub pitch: u64,
}

impl Layout {
    /// Returns the layout of a map that has been checked; `None` if it is for copies that this device does not have.
    pub fn of(map: &TensorMap) -> Option<Layout> {
        let slice = map.interleave.slice();
        let unit = slice.unwrap_or(map.element.bytes());
        let rank = map.rank as usize;
        let unit_step = match slice {
            Some(_) => u64::from(map.element_strides[0]),
            None => 1,
        };
        let (units, rows) = match map.shape {
            Shape::Tiled(dims) => {
                let steps = |n: usize| u64::from(dims[n].div_ceil(map.element_strides[n]));
                let units = match slice {
                    Some(_) => steps(0),
                    None => dims[0].into(),
                };
                (units, (1..rank).map(steps).product())
            }
            // A pixel of interleaved channels is one slice.
            Shape::Im2col {
                channels, pixels, ..
            } => match slice {
                Some(_) => (1, pixels.into()),
                None => (channels.into(), pixels.into()),
            },
            Shape::Im2colWide { .. } => return None,
        };
        // Rows that are shorter than the span of the swizzling have one each.
        let span = map.swizzle.span().unwrap_or(0);
        Some(Layout {
            unit,
            units,
            unit_step,
            rows,
            pitch: (units * unit).max(span),
        })
    }

    /// Returns the bytes that a copy moves, which count at an `mbarrier`.
    pub fn moved_bytes(&self) -> u64 {
        self.units * self.unit * self.rows
    }

    /// Returns the bytes of shared memory that a copy may touch.
    pub fn shared_bytes(&self) -> u64 {
        self.pitch * self.rows
    }
}

/// A row of a box: the coordinates of its first unit, in units along the first dimension.
pub(super) type Coordinates = [i64; MAX_RANK];

/// Goes through the rows of a copy in the order of shared memory.
pub(super) struct Rows<'a> {
    map: &'a TensorMap,
    /// The coordinates in the instruction.
    start: Coordinates,
    /// Where the next row is; for pixels, without the offset.
    now: Coordinates,
    /// Added to the coordinates of a pixel.
    offsets: Coordinates,
    left: u64,
}

impl<'a> Rows<'a> {
    /// Starts at the coordinates of an instruction; `offsets` are its im2col offsets, W first.
    pub fn new(
        map: &'a TensorMap,
        layout: &Layout,
        coordinates: [i32; MAX_RANK],
        offsets: [u16; 3],
    ) -> Rows<'a> {
        let start = coordinates.map(i64::from);
        // The instruction's offsets have fewer bits the more dimensions there are.
        let mask = match map.rank {
            3 => 0xffff,
            4 => 0xff,
            _ => 0x1f,
        };
        let mut ahead = [0; MAX_RANK];
        if let Shape::Im2col { .. } = map.shape {
            let axes = ahead.iter_mut().skip(spatial(map));
            for (at, offset) in axes.zip(offsets).take(map.rank as usize - 2) {
                *at = i64::from(offset & mask);
            }
        }
        Rows {
            map,
            start,
            now: start,
            offsets: ahead,
            left: layout.rows,
        }
    }

    /// Goes on to the next row of a box.
    fn next_of_box(&mut self, dims: [u32; MAX_RANK]) {
        let axes = self.now.iter_mut().zip(self.start).zip(dims);
        let steps = axes.zip(self.map.element_strides);
        for (((now, start), dim), step) in steps.take(self.map.rank as usize).skip(1) {
            *now += i64::from(step);
            if *now - start < i64::from(dim) {
                return;
            }
            *now = start;
        }
    }

    /// Goes on to the next pixel: along W, H and D within the bounding box, then to the next image.
    fn next_pixel(&mut self, lower: [i32; 3], upper: [i32; 3]) {
        let (first, rank) = (spatial(self.map), self.map.rank as usize);
        for n in 0..rank - 2 {
            let axis = first + n;
            self.now[axis] += i64::from(self.map.element_strides[axis]);
            if self.now[axis] < self.map.dims[axis] as i64 + i64::from(upper[n]) {
                return;
            }
            self.now[axis] = lower[n].into();
        }
        self.now[rank - 1] += i64::from(self.map.element_strides[rank - 1]);
    }
}

/// Returns the dimension of W: behind the channels, unless these are in slices.
pub(super) fn spatial(map: &TensorMap) -> usize {
    usize::from(map.interleave.slice().is_none())
}

impl Iterator for Rows<'_> {
    type Item = Coordinates;

    fn next(&mut self) -> Option<Coordinates> {
        self.left = self.left.checked_sub(1)?;
        let mut row = self.now;
        for (at, offset) in row.iter_mut().zip(self.offsets) {
            *at += offset;
        }
        match self.map.shape {
            Shape::Tiled(dims) => self.next_of_box(dims),
            Shape::Im2col { lower, upper, .. } => self.next_pixel(lower, upper),
            Shape::Im2colWide { .. } => return None,
        }
        Some(row)
    }
}

/// Bytes of a row.
const STORED_TOGETHER: u64 = 16;

/// The units of a row that are in the tensor.
pub(super) struct Inside {
    /// The first of them, counted from the row's first.
    pub first: u64,
    /// One behind the last.
    pub end: u64,
    /// Global address of the first.
    pub address: u64,
}

impl Layout {
    /// Returns the part of a row that is in the tensor; `None` if that is nothing.
    pub fn inside(&self, map: &TensorMap, row: Coordinates) -> Option<Inside> {
        self.up_to(map, row, map.dims[0])
    }

    /// Returns the part of a row that a store writes: an H200's go by 16 bytes, so that those that begin in the tensor
    /// are written whole.
    pub fn written(&self, map: &TensorMap, row: Coordinates) -> Option<Inside> {
        let together = (STORED_TOGETHER / self.unit).max(1);
        self.up_to(map, row, map.dims[0].next_multiple_of(together))
    }

    fn up_to(&self, map: &TensorMap, row: Coordinates, limit: u64) -> Option<Inside> {
        let mut address = map.address;
        let axes = row.iter().zip(map.dims).take(map.rank as usize).skip(1);
        for ((&at, dim), stride) in axes.zip(map.strides) {
            let at = u64::try_from(at).ok().filter(|&at| at < dim)?;
            address = address.wrapping_add(at.wrapping_mul(stride));
        }
        // Coordinates have 33 bits at most.
        let (step, at, limit) = (self.unit_step as i64, row[0], limit as i64);
        let first = (0_i64.saturating_sub(at).max(0) as u64).div_ceil(self.unit_step);
        let end = match limit - at {
            ..=0 => 0,
            room => (room as u64).div_ceil(step as u64).min(self.units),
        };
        if first >= end {
            return None;
        }
        let position = at + first as i64 * step;
        Some(Inside {
            first,
            end,
            address: address.wrapping_add(position as u64 * self.unit),
        })
    }
}
