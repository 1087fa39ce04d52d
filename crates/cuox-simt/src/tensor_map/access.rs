//! Copies and reductions of tensors in kernels, and changes of their maps.

use super::layout::{Inside, Layout, Rows, spatial};
use super::{ALIGN, BYTES, Element, Interleave, MAX_RANK, Shape, Swizzle, TensorMap};
use crate::env::{BlockEnv, GridEnv};
use crate::fault::{Fault, FaultKind};
use crate::ir::{AtomOp, Float, Num, TensorField, Ty};
use crate::syscall::{Protected, check, missing};
use crate::{memcheck, trap};

/// A tensor copy's operands.
pub(crate) struct Tensor {
    /// Generic address of the map.
    pub map: u64,
    /// Dimensions that the instruction names.
    pub rank: u8,
    /// True in im2col mode.
    pub im2col: bool,
    /// The coordinates, the first dimension first.
    pub coordinates: [i32; MAX_RANK],
    /// The im2col offsets, W first.
    pub offsets: [u16; 3],
}

fn illegal(message: String) -> Fault {
    Fault::new(FaultKind::IllegalInstruction, message)
}

/// Reads the bytes of a map from a kernel's memory.
fn read_bytes(grid: &GridEnv<'_>, block: &BlockEnv, at: u64) -> Result<[u8; BYTES], Fault> {
    check("the tensor map", at, BYTES as u64, ALIGN)?;
    memcheck::check_range(grid, block, "read of a tensor map", at, BYTES as u64)?;
    let mut bytes = [0; BYTES];
    // SAFETY: the destination is a variable of this function; `copy` returns an error if the source is not mapped.
    unsafe { trap::copy(bytes.as_mut_ptr() as u64, at, BYTES) }.map_err(|t| missing(t.address))?;
    Ok(bytes)
}

/// Reads a map from a kernel's memory.
fn read_map(grid: &GridEnv<'_>, block: &BlockEnv, at: u64) -> Result<TensorMap, Fault> {
    TensorMap::decode(&read_bytes(grid, block, at)?).ok_or_else(|| {
        illegal(format!(
            "the 128 bytes at {at:#x} are no tensor map that this device's driver has encoded (cuTensorMapEncodeTiled, \
             cuTensorMapEncodeIm2col)"
        ))
    })
}

/// Checks where a copy begins. A GPU has no copies from other places, be they in the tensor or not.
fn check_coordinates(map: &TensorMap, tensor: &Tensor) -> Result<(), Fault> {
    let at = i64::from(tensor.coordinates[0]) * map.element.bytes() as i64;
    if map.interleave == Interleave::None && at % 16 != 0 {
        return Err(illegal(format!(
            "a tensor copy whose first coordinate is {}: with elements of {} bytes it is {at} bytes, which is not a \
             multiple of 16",
            tensor.coordinates[0],
            map.element.bytes()
        )));
    }
    let Shape::Im2col { lower, upper, .. } = map.shape else {
        return Ok(());
    };
    let first = spatial(map);
    for n in 0..map.rank as usize - 2 {
        let at = i64::from(tensor.coordinates[first + n]);
        let limit = map.dims[first + n] as i64 + i64::from(upper[n]);
        if !(i64::from(lower[n])..limit).contains(&at) {
            return Err(illegal(format!(
                "a tensor copy in im2col mode whose coordinate {} is {at}; the bounding box of the tensor map at {:#x} is \
                 from {} to {}",
                first + n,
                tensor.map,
                lower[n],
                limit - 1
            )));
        }
    }
    Ok(())
}

/// A copy that can be made.
struct Transfer<'a> {
    grid: &'a GridEnv<'a>,
    block: &'a BlockEnv,
    map: TensorMap,
    layout: Layout,
    coordinates: [i32; MAX_RANK],
    offsets: [u16; 3],
}

impl<'a> Transfer<'a> {
    fn new(
        grid: &'a GridEnv<'a>,
        block: &'a BlockEnv,
        tensor: &Tensor,
    ) -> Result<Transfer<'a>, Fault> {
        let map = read_map(grid, block, tensor.map)?;
        map.check().map_err(|why| {
            illegal(format!(
                "the tensor map at {:#x} cannot be used: {why}",
                tensor.map
            ))
        })?;
        if map.rank != u32::from(tensor.rank) {
            return Err(illegal(format!(
                "a tensor copy names {} dimensions; the tensor map at {:#x} has {}",
                tensor.rank, tensor.map, map.rank
            )));
        }
        let Some(layout) = Layout::of(&map) else {
            return Err(illegal(format!(
                "the tensor map at {:#x} is for im2col::w mode (cuTensorMapEncodeIm2colWide), which devices of compute \
                 capability 10.0 or higher have; this one has 9.0",
                tensor.map
            )));
        };
        let is_im2col = matches!(map.shape, Shape::Im2col { .. });
        if is_im2col != tensor.im2col {
            let [of_copy, of_map] = match is_im2col {
                true => ["tile", "im2col"],
                false => ["im2col", "tile"],
            };
            return Err(illegal(format!(
                "a tensor copy in {of_copy} mode; the tensor map at {:#x} is for {of_map} mode",
                tensor.map
            )));
        }
        check_coordinates(&map, tensor)?;
        Ok(Transfer {
            grid,
            block,
            layout,
            map,
            coordinates: tensor.coordinates,
            offsets: tensor.offsets,
        })
    }

    fn rows(&self) -> Rows<'_> {
        Rows::new(&self.map, &self.layout, self.coordinates, self.offsets)
    }

    /// Checks the place in shared memory.
    fn check_shared(&self, at: u64) -> Result<(), Fault> {
        let bytes = self.layout.shared_bytes();
        check("the shared memory", at, bytes, 128)?;
        match memcheck::in_shared(self.grid, self.block, at, bytes) {
            true => Ok(()),
            false => Err(Fault::new(
                FaultKind::IllegalAddress,
                format!(
                    "a tensor copy of {bytes} bytes at {at:#x}, which are not all in shared memory of the block or its \
                     cluster"
                ),
            )),
        }
    }

    /// Returns the pieces of a row in shared memory: where each is, and its bytes in the row as it is without
    /// swizzling.
    fn pieces(&self, row: u64) -> impl Iterator<Item = (u64, std::ops::Range<usize>)> {
        let (swizzle, bytes) = (self.map.swizzle, self.layout.units * self.layout.unit);
        // Whole rows, if nothing changes places.
        let step = match swizzle {
            Swizzle::None => bytes,
            _ => 16,
        };
        (0..bytes).step_by(step as usize).map(move |at| {
            let place = swizzle.place(row + at);
            (place, at as usize..(at + step).min(bytes) as usize)
        })
    }

    /// Checks that units of global memory are there.
    fn check_global(&self, what: &str, inside: &Inside) -> Result<u64, Fault> {
        let span = self.layout.unit_step * self.layout.unit;
        let count = inside.end - inside.first;
        let bytes = (count - 1) * span + self.layout.unit;
        check("global memory", inside.address, bytes, 1)?;
        memcheck::check_range(self.grid, self.block, what, inside.address, bytes)?;
        Ok(bytes)
    }

    /// Goes through the units of global memory that a row has: their global address, and their bytes in the row.
    fn units(&self, inside: &Inside) -> impl Iterator<Item = (u64, std::ops::Range<usize>)> {
        let Layout {
            unit, unit_step, ..
        } = self.layout;
        let (first, end, address) = (inside.first, inside.end, inside.address);
        let step = if unit_step == 1 {
            (end - first).max(1)
        } else {
            1
        };
        (first..end).step_by(step as usize).map(move |n| {
            let at = (n * unit) as usize;
            let len = unit * step;
            let from = address.wrapping_add((n - first) * unit_step * unit);
            (from, at..at + len as usize)
        })
    }
}

/// Changes elements as a load does: to TF32. A GPU's loads leave subnormals of the types `_FTZ` as they are.
fn convert(element: Element, row: &mut [u8]) {
    if !matches!(element, Element::Tfloat32 | Element::Tfloat32Ftz) {
        return;
    }
    for word in row.as_chunks_mut::<4>().0 {
        let mut bits = u32::from_le_bytes(*word);
        if bits & 0x7f80_0000 != 0x7f80_0000 {
            // To the nearest number with 10 bits of fraction, ties to even.
            bits = (bits + 0xfff + (bits >> 13 & 1)) & !0x1fff;
        }
        *word = bits.to_le_bytes();
    }
}

/// The NaN for elements outside, in units of 16 bits; see `fma.oob`.
const OUTSIDE: [u8; 2] = 0x7ff7_u16.to_le_bytes();

/// Copies a part of a tensor to `to` in shared memory of the blocks at those distances. Returns the number of bytes
/// that count at an `mbarrier`.
pub(crate) fn load(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    tensor: &Tensor,
    to: u64,
    blocks: impl Iterator<Item = u64> + Clone,
) -> Result<u64, Fault> {
    let t = Transfer::new(grid, block, tensor)?;
    for ahead in blocks.clone() {
        t.check_shared(to + ahead)?;
    }
    let mut row = vec![0; (t.layout.units * t.layout.unit) as usize];
    for (n, coordinates) in t.rows().enumerate() {
        match t.map.fills_nan {
            true => row.as_chunks_mut().0.fill(OUTSIDE),
            false => row.fill(0),
        }
        if let Some(inside) = t.layout.inside(&t.map, coordinates) {
            t.check_global("read of a tensor copy", &inside)?;
            for (from, place) in t.units(&inside) {
                let part = &mut row[place];
                // SAFETY: the destination is this function's; `copy` returns an error if the source is not there.
                unsafe { trap::copy(part.as_mut_ptr() as u64, from, part.len()) }
                    .map_err(|t| missing(t.address))?;
                convert(t.map.element, part);
            }
        }
        for ahead in blocks.clone() {
            for (place, part) in t.pieces(to + ahead + n as u64 * t.layout.pitch) {
                let part = &row[part];
                // SAFETY: the destination is shared memory, which was checked; `copy` returns an error if it is not
                // there.
                unsafe { trap::copy(place, part.as_ptr() as u64, part.len()) }
                    .map_err(|t| missing(t.address))?;
            }
        }
    }
    Ok(t.layout.moved_bytes())
}

/// Gives `put` the parts of a store that are written: their global address and their bytes.
fn stored<F>(t: &Transfer<'_>, from: u64, what: &str, mut put: F) -> Result<(), Fault>
where
    F: FnMut(u64, &[u8]) -> Result<(), Fault>,
{
    t.check_shared(from)?;
    let mut row = vec![0; (t.layout.units * t.layout.unit) as usize];
    for (n, coordinates) in t.rows().enumerate() {
        let Some(inside) = t.layout.written(&t.map, coordinates) else {
            continue;
        };
        t.check_global(what, &inside)?;
        for (place, part) in t.pieces(from + n as u64 * t.layout.pitch) {
            let part = &mut row[part];
            // SAFETY: the source is shared memory, which was checked; the destination is this function's.
            unsafe { trap::copy(part.as_mut_ptr() as u64, place, part.len()) }
                .map_err(|t| missing(t.address))?;
        }
        for (to, part) in t.units(&inside) {
            put(to, &row[part])?;
        }
    }
    Ok(())
}

/// Copies a part of a tensor from `from` in shared memory.
pub(crate) fn store(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    tensor: &Tensor,
    from: u64,
) -> Result<(), Fault> {
    let t = Transfer::new(grid, block, tensor)?;
    stored(&t, from, "write of a tensor copy", |to, bytes| {
        // SAFETY: the destination is device memory, which was checked; `copy` returns an error if it is not there.
        unsafe { trap::copy(to, bytes.as_ptr() as u64, bytes.len()) }
            .map_err(|t| missing(t.address))
    })
}

/// Returns the numbers of a reduction (PTX ISA, *cp.reduce.async.bulk.tensor*); `None` if there is none of elements of
/// that type.
fn number(op: AtomOp, element: Element) -> Option<Num> {
    let num = match element {
        Element::Uint32 => Num::U(Ty::B32),
        Element::Int32 => Num::S(Ty::B32),
        Element::Uint64 => Num::U(Ty::B64),
        Element::Int64 => Num::S(Ty::B64),
        Element::Float16 => Num::F(Float::F16),
        Element::Bfloat16 => Num::F(Float::BF16),
        Element::Float32 | Element::Float32Ftz => Num::F(Float::F32),
        Element::Float64 => Num::F(Float::F64),
        _ => return None,
    };
    let fits = match op {
        AtomOp::Add => element != Element::Int64,
        AtomOp::Min | AtomOp::Max => !matches!(num, Num::F(Float::F32) | Num::F(Float::F64)),
        AtomOp::Inc | AtomOp::Dec => element == Element::Uint32,
        AtomOp::And | AtomOp::Or | AtomOp::Xor => !num.is_float(),
        _ => false,
    };
    fits.then_some(num)
}

/// Reduces a part of a tensor by elements from `from` in shared memory.
pub(crate) fn reduce(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    op: AtomOp,
    tensor: &Tensor,
    from: u64,
) -> Result<(), Fault> {
    let t = Transfer::new(grid, block, tensor)?;
    let Some(num) = number(op, t.map.element) else {
        return Err(illegal(format!(
            "a tensor reduction {op:?} of {:?} elements, which there is not",
            t.map.element
        )));
    };
    let size = u64::from(num.ty().bytes());
    stored(&t, from, "atomic of a tensor reduction", |to, bytes| {
        Protected {
            op,
            num,
            to,
            from: Some(bytes.as_ptr() as u64),
            count: bytes.len() as u64 / size,
            value: 0,
        }
        .run()
    })
}

/// `tensormap.replace`: changes a field of the map at that generic address. Bytes that are no map stay as they are: a
/// GPU does not look, and a copy by them is a fault.
pub(crate) fn replace(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    at: u64,
    field: TensorField,
    value: u64,
) -> Result<(), Fault> {
    let bytes = read_bytes(grid, block, at)?;
    let mut map = match TensorMap::decode(&bytes) {
        Some(map) => map,
        None if bytes == [0; BYTES] => TensorMap::BLANK,
        None => return Ok(()),
    };
    let Shape::Tiled(mut box_dims) = map.shape else {
        let mode = match map.shape {
            Shape::Im2colWide { .. } => "im2col::w",
            _ => "im2col",
        };
        return Err(illegal(format!(
            "tensormap.replace.tile of the tensor map at {at:#x}, which is for {mode} mode"
        )));
    };
    let word = value as u32;
    let unknown = || {
        illegal(format!(
            "tensormap.replace.{field:?} by {word}, which means nothing"
        ))
    };
    let n = |n: u8| usize::from(n).min(MAX_RANK - 1);
    match field {
        TensorField::Address => map.address = value,
        TensorField::Rank => map.rank = word.saturating_add(1),
        TensorField::BoxDim(axis) => {
            box_dims[n(axis)] = word;
            map.shape = Shape::Tiled(box_dims);
        }
        TensorField::Dim(axis) => map.dims[n(axis)] = word.into(),
        TensorField::Stride(axis) => map.strides[n(axis).min(MAX_RANK - 2)] = value,
        TensorField::ElementStride(axis) => map.element_strides[n(axis)] = word,
        TensorField::Element => map.element = Element::of_ptx(word).ok_or_else(unknown)?,
        TensorField::Interleave => {
            map.interleave = Interleave::of_code(word).ok_or_else(unknown)?
        }
        TensorField::Swizzle => map.swizzle = Swizzle::of_code(word).ok_or_else(unknown)?,
        TensorField::Fill => map.fills_nan = word == 1,
    }
    memcheck::check_range(grid, block, "write of a tensor map", at, BYTES as u64)?;
    let bytes = map.encode();
    // SAFETY: the destination is device memory, which `read_bytes` checked; `copy` returns an error if it cannot be
    // written.
    unsafe { trap::copy(at, bytes.as_ptr() as u64, BYTES) }.map_err(|t| missing(t.address))
}
