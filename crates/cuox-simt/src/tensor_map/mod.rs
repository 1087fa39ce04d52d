//! Tensor maps: what the 128 opaque bytes of a `CUtensorMap` mean on the software GPU.
//!
//! The driver encodes them (`cuTensorMapEncodeTiled`), kernels read them (`cp.async.bulk.tensor`) and change them
//! (`tensormap.replace`). The encoding is cuox's own: a mark and a checksum come first, so that bytes that are no
//! tensor map are found to be none.

mod access;
mod check;
mod layout;
#[cfg(test)]
mod tests;

pub(crate) use access::{Tensor, load, reduce, replace, store};

/// Size of a tensor map in bytes.
pub const BYTES: usize = 128;
/// Alignment of a tensor map in memory.
pub const ALIGN: u64 = 64;
/// The largest number of dimensions.
pub const MAX_RANK: usize = 5;

const MARK: [u8; 4] = *b"cuTM";

/// The type of a tensor's elements, by its `CUtensorMapDataType`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names of the header")]
pub enum Element {
    Uint8,
    Uint16,
    Uint32,
    Int32,
    Uint64,
    Int64,
    Float16,
    Float32,
    Float64,
    Bfloat16,
    Float32Ftz,
    Tfloat32,
    Tfloat32Ftz,
}

impl Element {
    const ALL: [Element; 13] = [
        Element::Uint8,
        Element::Uint16,
        Element::Uint32,
        Element::Int32,
        Element::Uint64,
        Element::Int64,
        Element::Float16,
        Element::Float32,
        Element::Float64,
        Element::Bfloat16,
        Element::Float32Ftz,
        Element::Tfloat32,
        Element::Tfloat32Ftz,
    ];

    /// Returns the type with that `CUtensorMapDataType`.
    pub fn of_code(code: u32) -> Option<Element> {
        Self::ALL.get(code as usize).copied()
    }

    /// Returns the type that `tensormap.replace.elemtype` means by a number, which is not the driver's.
    pub fn of_ptx(code: u32) -> Option<Element> {
        match code {
            8 => Some(Element::Float32Ftz),
            9 => Some(Element::Float64),
            10 => Some(Element::Bfloat16),
            code => Self::of_code(code),
        }
    }

    /// Returns the size of an element in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Element::Uint8 => 1,
            Element::Uint16 | Element::Float16 | Element::Bfloat16 => 2,
            Element::Uint64 | Element::Int64 | Element::Float64 => 8,
            _ => 4,
        }
    }

    /// Returns true for types that have a NaN.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Element::Float16
                | Element::Float32
                | Element::Float64
                | Element::Bfloat16
                | Element::Float32Ftz
                | Element::Tfloat32
                | Element::Tfloat32Ftz
        )
    }
}

/// How channels are grouped, by `CUtensorMapInterleave`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interleave {
    /// They are not: the first dimension is that of channels.
    None,
    /// In slices of 16 bytes, which are the elements of the first dimension.
    B16,
    /// In slices of 32 bytes.
    B32,
}

impl Interleave {
    /// Returns the layout with that `CUtensorMapInterleave`.
    pub fn of_code(code: u32) -> Option<Interleave> {
        [Interleave::None, Interleave::B16, Interleave::B32]
            .get(code as usize)
            .copied()
    }

    /// Returns the bytes of a slice.
    pub fn slice(self) -> Option<u64> {
        match self {
            Interleave::None => None,
            Interleave::B16 => Some(16),
            Interleave::B32 => Some(32),
        }
    }
}

/// The order of bytes in shared memory, by `CUtensorMapSwizzle`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swizzle {
    /// That of the box.
    None,
    /// 16 bytes change places within 32.
    B32,
    /// 16 bytes change places within 64.
    B64,
    /// 16 bytes change places within 128.
    B128,
}

impl Swizzle {
    /// Returns the mode with that `CUtensorMapSwizzle`.
    pub fn of_code(code: u32) -> Option<Swizzle> {
        [Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128]
            .get(code as usize)
            .copied()
    }

    /// Returns the bytes within which others change places.
    fn span(self) -> Option<u64> {
        match self {
            Swizzle::None => None,
            Swizzle::B32 => Some(32),
            Swizzle::B64 => Some(64),
            Swizzle::B128 => Some(128),
        }
    }
}

/// The part of a tensor that a copy moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A box: `boxDim`, the first dimension first.
    Tiled([u32; MAX_RANK]),
    /// Pixels of images; see PTX ISA, *im2col mode*.
    Im2col {
        /// `pixelBoxLowerCorner`, W first.
        lower: [i32; 3],
        /// `pixelBoxUpperCorner`, W first.
        upper: [i32; 3],
        /// `channelsPerPixel`.
        channels: u32,
        /// `pixelsPerColumn`.
        pixels: u32,
    },
    /// Pixels of images along W alone; see PTX ISA, *im2col::w mode*. No copy of compute capability 9.0 takes them.
    Im2colWide {
        /// `pixelBoxLowerCornerWidth`.
        lower: i32,
        /// `pixelBoxUpperCornerWidth`.
        upper: i32,
        /// `channelsPerPixel`.
        channels: u32,
        /// `pixelsPerColumn`; `None` if the mode has 128 of them.
        pixels: Option<u32>,
    },
}

/// A tensor map. Its values need not fit together: [`TensorMap::check`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorMap {
    /// The part that a copy moves.
    pub shape: Shape,
    /// Address of the first element.
    pub address: u64,
    /// Number of dimensions.
    pub rank: u32,
    /// Type of the elements.
    pub element: Element,
    /// `globalDim`: elements along each dimension, the innermost first.
    pub dims: [u64; MAX_RANK],
    /// `globalStrides`: bytes between elements along each dimension but the first.
    pub strides: [u64; MAX_RANK - 1],
    /// `elementStrides`: the step along each dimension.
    pub element_strides: [u32; MAX_RANK],
    /// Grouping of channels.
    pub interleave: Interleave,
    /// Order of bytes in shared memory.
    pub swizzle: Swizzle,
    /// True if elements outside the tensor are NaN, else they are 0.
    pub fills_nan: bool,
    /// `CUtensorMapL2promotion`, which has no effect.
    pub l2_promotion: u8,
}

/// Reads or writes the fields of the encoding, one after the other.
struct Fields<'a> {
    bytes: &'a mut [u8; BYTES],
    at: usize,
}

impl Fields<'_> {
    fn put<const N: usize>(&mut self, value: [u8; N]) {
        if let Some(place) = self.bytes.get_mut(self.at..self.at + N) {
            place.copy_from_slice(&value);
        }
        self.at += N;
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut value = [0; N];
        if let Some(place) = self.bytes.get(self.at..self.at + N) {
            value.copy_from_slice(place);
        }
        self.at += N;
        value
    }
}

/// FNV-1a of the bytes behind the checksum.
fn checksum(bytes: &[u8; BYTES]) -> [u8; 4] {
    let sum = bytes[8..].iter().fold(0x811c_9dc5_u32, |sum, &byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    sum.to_le_bytes()
}

impl TensorMap {
    /// What 128 bytes of zeros are to `tensormap.replace`: kernels begin with them to set all values.
    const BLANK: TensorMap = TensorMap {
        shape: Shape::Tiled([1; MAX_RANK]),
        address: 0,
        rank: 1,
        element: Element::Uint8,
        dims: [1; MAX_RANK],
        strides: [0; MAX_RANK - 1],
        element_strides: [1; MAX_RANK],
        interleave: Interleave::None,
        swizzle: Swizzle::None,
        fills_nan: false,
        l2_promotion: 0,
    };

    /// Returns the 128 bytes. Values beyond all limits become others beyond them.
    pub fn encode(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let mut f = Fields {
            bytes: &mut bytes,
            at: 8,
        };
        f.put(self.address.to_le_bytes());
        for value in self.dims.iter().chain(&self.strides) {
            f.put(value.to_le_bytes());
        }
        f.put([
            u8::try_from(self.rank).unwrap_or(u8::MAX),
            self.element as u8,
            self.interleave as u8,
            self.swizzle as u8,
            u8::from(self.fills_nan),
            self.l2_promotion,
        ]);
        f.put(
            self.element_strides
                .map(|v| u8::try_from(v).unwrap_or(u8::MAX)),
        );
        let narrow = |v: u32| u16::try_from(v).unwrap_or(u16::MAX).to_le_bytes();
        let corner = |v: i32| (v.clamp(i16::MIN.into(), i16::MAX.into()) as i16).to_le_bytes();
        match self.shape {
            Shape::Tiled(dims) => {
                f.put([0]);
                for dim in dims {
                    f.put(narrow(dim));
                }
            }
            Shape::Im2col {
                lower,
                upper,
                channels,
                pixels,
            } => {
                f.put([1]);
                for at in lower.into_iter().chain(upper) {
                    f.put(corner(at));
                }
                f.put(narrow(channels));
                f.put(narrow(pixels));
            }
            Shape::Im2colWide {
                lower,
                upper,
                channels,
                pixels,
            } => {
                f.put([if pixels.is_some() { 2 } else { 3 }]);
                for at in [lower, upper] {
                    f.put(corner(at));
                }
                f.put(narrow(channels));
                f.put(narrow(pixels.unwrap_or(0)));
            }
        }
        bytes[..4].copy_from_slice(&MARK);
        let sum = checksum(&bytes);
        bytes[4..8].copy_from_slice(&sum);
        bytes
    }

    /// Returns the tensor map whose encoding this is; `None` if it is none's.
    pub fn decode(bytes: &[u8; BYTES]) -> Option<TensorMap> {
        if bytes[..4] != MARK || bytes[4..8] != checksum(bytes) {
            return None;
        }
        let mut bytes = *bytes;
        let mut f = Fields {
            bytes: &mut bytes,
            at: 8,
        };
        let address = u64::from_le_bytes(f.take());
        let dims = [(); MAX_RANK].map(|()| u64::from_le_bytes(f.take()));
        let strides = [(); MAX_RANK - 1].map(|()| u64::from_le_bytes(f.take()));
        let [rank, element, interleave, swizzle, fill, l2_promotion] = f.take();
        let element_strides = f.take::<MAX_RANK>().map(u32::from);
        let narrow = |f: &mut Fields<'_>| u32::from(u16::from_le_bytes(f.take()));
        let corner = |f: &mut Fields<'_>| i32::from(i16::from_le_bytes(f.take()));
        let shape = match f.take() {
            [0] => Shape::Tiled([(); MAX_RANK].map(|()| narrow(&mut f))),
            [1] => Shape::Im2col {
                lower: [(); 3].map(|()| corner(&mut f)),
                upper: [(); 3].map(|()| corner(&mut f)),
                channels: narrow(&mut f),
                pixels: narrow(&mut f),
            },
            [mode @ (2 | 3)] => {
                let [lower, upper] = [(); 2].map(|()| corner(&mut f));
                let channels = narrow(&mut f);
                let pixels = narrow(&mut f);
                Shape::Im2colWide {
                    lower,
                    upper,
                    channels,
                    pixels: (mode == 2).then_some(pixels),
                }
            }
            _ => return None,
        };
        Some(TensorMap {
            shape,
            address,
            rank: rank.into(),
            element: Element::of_code(element.into())?,
            dims,
            strides,
            element_strides,
            interleave: Interleave::of_code(interleave.into())?,
            swizzle: Swizzle::of_code(swizzle.into())?,
            fills_nan: fill != 0,
            l2_promotion,
        })
    }
}
