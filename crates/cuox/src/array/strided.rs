//! Copies between two layouts of one shape.
//!
//! On a device they are made of the driver's own copies: runs, rows (2D) and slices (3D). A copy that would take very
//! many of them ([`StridedCopy::calls`]) is better made elsewhere.

use crate::context::Context;
use crate::driver::sys::{CUDA_MEMCPY3D, CUdeviceptr, CUmemorytype, call};
use crate::error::Result;
use crate::memory::raw;
use crate::stream::Stream;

use super::layout::{Dims, Layout};

/// The largest pitch that all devices take (`CU_DEVICE_ATTRIBUTE_MAX_PITCH`).
const MAX_PITCH: isize = i32::MAX as isize;

/// A copy of all elements of one layout to those of another, in as few dimensions as possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StridedCopy {
    /// Bytes that lie one behind the other on both sides.
    run: usize,
    /// The dimensions above the runs; outermost first.
    axes: Dims<Axis>,
    /// Bytes from the first element to where the copy begins, on either side.
    to_start: isize,
    from_start: isize,
}

/// One dimension of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Axis {
    size: usize,
    /// Never negative.
    to: isize,
    from: isize,
}

/// One copy of the driver's: rows of `run` bytes, and slices of rows.
#[derive(Debug, Clone, Copy)]
struct Block {
    rows: Axis,
    slices: Axis,
}

const SINGLE: Axis = Axis {
    size: 1,
    to: 0,
    from: 0,
};

impl StridedCopy {
    /// Plans a copy; both layouts have the same shape and elements of the same size, or nothing is copied.
    pub fn new(to: &Layout, from: &Layout) -> Self {
        let mut plan = Self {
            run: 0,
            axes: Dims::new(),
            to_start: 0,
            from_start: 0,
        };
        if to.shape() != from.shape() || to.itemsize() != from.itemsize() || to.is_empty() {
            return plan;
        }
        // Dimensions that run backwards in the target are copied from their other end.
        let mut ends = (to.clone(), from.clone());
        for axis in 0..to.ndim() {
            if to.strides()[axis] < 0 {
                let last = to.shape()[axis] as isize - 1;
                plan.to_start += last * to.strides()[axis];
                plan.from_start += last * from.strides()[axis];
                ends.0.reverse(axis);
                ends.1.reverse(axis);
            }
        }
        let (shape, strides) = Layout::collapse(&[&ends.0, &ends.1]);
        plan.run = to.itemsize();
        plan.axes = (0..shape.len())
            .map(|i| Axis {
                size: shape[i],
                to: strides[0][i],
                from: strides[1][i],
            })
            .collect();
        if let Some(last) = plan.axes.last()
            && (last.to, last.from) == (plan.run as isize, plan.run as isize)
        {
            plan.run *= last.size;
            plan.axes.pop();
        }
        plan
    }

    /// True if both sides are the same bytes in the same order, without gaps.
    pub fn is_single_run(&self) -> bool {
        self.axes.is_empty()
    }

    /// The dimensions that one copy of the driver's takes, by their places in `axes`: those with most rows and slices.
    fn block(&self) -> (Block, Option<usize>, Option<usize>) {
        let run = self.run as isize;
        let fits = |axis: &Axis| {
            (run..=MAX_PITCH).contains(&axis.to) && (run..=MAX_PITCH).contains(&axis.from)
        };
        // A slice begins a whole number of rows behind the one before.
        let stacks = |row: &Axis, slice: isize, pitch: isize| {
            slice > 0 && slice % pitch == 0 && slice / pitch >= row.size as isize
        };
        let slices_of = |rows: usize| {
            let row = self.axes[rows];
            (0..self.axes.len())
                .filter(|&i| {
                    let axis = self.axes[i];
                    i != rows && stacks(&row, axis.to, row.to) && stacks(&row, axis.from, row.from)
                })
                .max_by_key(|&i| self.axes[i].size)
        };
        let count = |rows: usize| {
            self.axes[rows].size * slices_of(rows).map_or(1, |slices| self.axes[slices].size)
        };
        let rows = (0..self.axes.len())
            .filter(|&i| fits(&self.axes[i]))
            .max_by_key(|&i| count(i));
        let Some(rows) = rows else {
            let block = Block {
                rows: SINGLE,
                slices: SINGLE,
            };
            return (block, None, None);
        };
        let (row, slices) = (self.axes[rows], slices_of(rows));
        let block = Block {
            rows: row,
            slices: slices.map_or(SINGLE, |i| self.axes[i]),
        };
        (block, Some(rows), slices)
    }

    /// The number of driver calls that the copy takes on a device.
    pub fn calls(&self) -> usize {
        if self.run == 0 {
            return 0;
        }
        let (_, rows, slices) = self.block();
        self.others(rows, slices).iter().map(|a| a.size).product()
    }

    /// The number of runs of bytes that are copied.
    pub fn runs(&self) -> usize {
        match self.run {
            0 => 0,
            _ => self.axes.iter().map(|axis| axis.size).product(),
        }
    }

    fn others(&self, rows: Option<usize>, slices: Option<usize>) -> Dims<Axis> {
        (0..self.axes.len())
            .filter(|&i| Some(i) != rows && Some(i) != slices)
            .map(|i| self.axes[i])
            .collect()
    }

    /// Calls `each` with the two offsets of every position in `axes`.
    fn visit<E>(
        axes: &[Axis],
        start: (isize, isize),
        each: &mut impl FnMut(isize, isize) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let Some((first, rest)) = axes.split_first() else {
            return each(start.0, start.1);
        };
        let (mut to, mut from) = start;
        for _ in 0..first.size {
            Self::visit(rest, (to, from), each)?;
            to = to.wrapping_add(first.to);
            from = from.wrapping_add(first.from);
        }
        Ok(())
    }

    /// Copies on a device, or between memory of any kind that the driver knows. With a stream in its order, and it may
    /// return before the copy is done.
    ///
    /// # Safety
    /// `to` and `from` are the addresses of the first elements of the two layouts, whose memory stays until the copy is
    /// done, and do not overlap.
    ///
    /// # Errors
    /// The errors of the driver's copies.
    pub unsafe fn run_on_device(
        &self,
        context: &Context,
        to: CUdeviceptr,
        from: CUdeviceptr,
        stream: Option<&Stream>,
    ) -> Result<()> {
        if self.run == 0 {
            return Ok(());
        }
        let (block, rows, slices) = self.block();
        let others = self.others(rows, slices);
        Self::visit(
            &others,
            (self.to_start, self.from_start),
            &mut |to_offset, from_offset| {
                let to = to.wrapping_add_signed(to_offset as i64);
                let from = from.wrapping_add_signed(from_offset as i64);
                // SAFETY: the caller guarantees that all elements of both layouts are device memory; this is a part of
                // them.
                unsafe {
                    match rows {
                        None => raw::copy(context, to, from, self.run, stream),
                        Some(_) => self.copy_block(context, to, from, block, stream),
                    }
                }
            },
        )
    }

    /// # Safety
    /// As [`StridedCopy::run_on_device`].
    unsafe fn copy_block(
        &self,
        context: &Context,
        to: CUdeviceptr,
        from: CUdeviceptr,
        block: Block,
        stream: Option<&Stream>,
    ) -> Result<()> {
        let Block { rows, slices } = block;
        let height = |slice: isize, pitch: isize| match slices.size {
            1 => rows.size,
            _ => (slice / pitch) as usize,
        };
        let copy = CUDA_MEMCPY3D {
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_UNIFIED,
            srcDevice: from,
            srcPitch: rows.from as usize,
            srcHeight: height(slices.from, rows.from),
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_UNIFIED,
            dstDevice: to,
            dstPitch: rows.to as usize,
            dstHeight: height(slices.to, rows.to),
            WidthInBytes: self.run,
            Height: rows.size,
            Depth: slices.size,
            // SAFETY: numbers and null pointers, for which zero is a value.
            ..unsafe { std::mem::zeroed() }
        };
        context.bind()?;
        // SAFETY: the description lives for the call; the memory is as the caller promises.
        unsafe {
            match stream {
                Some(stream) => {
                    stream.context().check()?;
                    call!(context.driver(), cuMemcpy3DAsync_v2(&copy, stream.raw()))
                }
                None => call!(context.driver(), cuMemcpy3D_v2(&copy)),
            }
        }
    }

    /// Copies in host memory.
    ///
    /// # Safety
    /// `to` and `from` are the first elements of the two layouts: the one writable, the other readable, and they do not
    /// overlap.
    pub unsafe fn run_on_host(&self, to: *mut u8, from: *const u8) {
        if self.run == 0 {
            return;
        }
        let (outer, inner) = match self.axes.split_last() {
            Some((inner, outer)) => (outer, *inner),
            None => (&[][..], SINGLE),
        };
        let start = (self.to_start, self.from_start);
        let _ = Self::visit::<std::convert::Infallible>(outer, start, &mut |to_at, from_at| {
            let (to, from) = (to.wrapping_offset(to_at), from.wrapping_offset(from_at));
            // SAFETY: positions of elements of the two layouts, of which `run` bytes are of both.
            unsafe {
                match self.run {
                    1 => copy_row::<[u8; 1]>(to, from, inner),
                    2 => copy_row::<[u8; 2]>(to, from, inner),
                    4 => copy_row::<[u8; 4]>(to, from, inner),
                    8 => copy_row::<[u8; 8]>(to, from, inner),
                    16 => copy_row::<[u8; 16]>(to, from, inner),
                    run => {
                        for i in 0..inner.size as isize {
                            from.wrapping_offset(i * inner.from)
                                .copy_to_nonoverlapping(to.wrapping_offset(i * inner.to), run);
                        }
                    }
                }
            }
            Ok(())
        });
    }
}

/// Copies elements of a size that the compiler knows.
///
/// # Safety
/// As [`StridedCopy::run_on_host`], for one row.
unsafe fn copy_row<T: Copy>(to: *mut u8, from: *const u8, axis: Axis) {
    for i in 0..axis.size as isize {
        // SAFETY: the caller guarantees that every element of the row is readable and writable; `T` is an array of
        // bytes, without alignment.
        unsafe {
            *to.wrapping_offset(i * axis.to).cast::<T>() =
                *from.wrapping_offset(i * axis.from).cast::<T>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::layout::{Index, Order};

    fn numbers(shape: &[usize]) -> (Layout, Vec<u8>) {
        let layout = Layout::contiguous(shape, 2, Order::C).expect("a layout");
        let bytes = (0..layout.len() as u16)
            .flat_map(u16::to_ne_bytes)
            .collect();
        (layout, bytes)
    }

    /// The elements in C order, read one by one.
    fn elements(layout: &Layout, bytes: &[u8], first: isize) -> Vec<u16> {
        let mut found = Vec::new();
        let mut index = vec![0; layout.ndim()];
        for _ in 0..layout.len() {
            let at: isize = first
                + index
                    .iter()
                    .zip(layout.strides())
                    .map(|(&i, &stride)| i as isize * stride)
                    .sum::<isize>();
            found.push(u16::from_ne_bytes([
                bytes[at as usize],
                bytes[at as usize + 1],
            ]));
            for axis in (0..index.len()).rev() {
                index[axis] += 1;
                if index[axis] < layout.shape()[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
        found
    }

    #[test]
    fn host_copies_put_every_element_where_it_belongs() {
        let (whole, bytes) = numbers(&[4, 5, 6]);
        let all = Index::All;
        let range = |start, step, len| Index::Range { start, step, len };
        for (items, order) in [
            ([all, all, all], [0, 1, 2]),
            ([all, all, all], [2, 0, 1]),
            ([range(3, -1, 4), range(0, 2, 3), all], [1, 0, 2]),
            (
                [range(0, 3, 2), range(4, -2, 3), range(5, -1, 6)],
                [2, 1, 0],
            ),
            ([all, range(2, 1, 1), range(1, 1, 4)], [0, 2, 1]),
        ] {
            let (part, offset) = whole.index(&items).expect("a part");
            let from = part.transpose(Some(&order)).expect("a permutation");
            let mut to = vec![0u8; from.nbytes()];
            for target in [
                Layout::contiguous(from.shape(), 2, Order::C).expect("a layout"),
                Layout::contiguous(from.shape(), 2, Order::F).expect("a layout"),
            ] {
                let plan = StridedCopy::new(&target, &from);
                // SAFETY: both layouts lie in the vectors.
                unsafe {
                    plan.run_on_host(to.as_mut_ptr(), bytes.as_ptr().offset(offset));
                }
                assert_eq!(elements(&target, &to, 0), elements(&from, &bytes, offset));
                // And back, into an array that runs backwards.
                let mut back = bytes.clone();
                back.iter_mut().for_each(|byte| *byte = 0xff);
                let plan = StridedCopy::new(&from, &target);
                // SAFETY: both layouts lie in the vectors.
                unsafe { plan.run_on_host(back.as_mut_ptr().offset(offset), to.as_ptr()) };
                assert_eq!(elements(&from, &back, offset), elements(&target, &to, 0));
            }
        }
    }

    #[test]
    fn what_lies_in_rows_takes_one_call() {
        let (whole, _) = numbers(&[4, 5, 6]);
        let part = |items: &[Index]| whole.index(items).expect("a part").0;
        let calls = |from: &Layout| {
            let to = from.like(2).expect("a layout");
            StridedCopy::new(&to, from).calls()
        };
        let range = |start, step, len| Index::Range { start, step, len };
        assert_eq!(calls(&whole), 1);
        assert!(StridedCopy::new(&whole, &whole).is_single_run());
        assert_eq!(calls(&part(&[Index::All, Index::All, range(1, 1, 3)])), 1);
        assert_eq!(
            calls(&part(&[Index::All, range(1, 1, 3), range(1, 1, 3)])),
            1
        );
        assert_eq!(calls(&part(&[Index::All, Index::At(2), Index::At(1)])), 1);
        // A row that runs backwards is copied element by element.
        assert_eq!(
            calls(&part(&[Index::At(0), Index::At(0), range(5, -1, 6)])),
            6
        );
        assert_eq!(calls(&part(&[range(0, 1, 0)])), 0);
        assert_eq!(StridedCopy::new(&whole, &whole).runs(), 1);
        let part = part(&[Index::All, range(1, 1, 3), range(1, 1, 3)]);
        let to = part.like(2).expect("a layout");
        assert_eq!(StridedCopy::new(&to, &part).runs(), 12);
    }
}
