//! Operations on textures and surfaces.

use crate::ir::{AtomOp, Num};
use serde::{Deserialize, Serialize};

/// The largest number of operands of an [`crate::ir::Inst::Image`], the object's handle included.
pub const MAX_IMAGE_ARGS: usize = 15;

/// The geometry of a texture or surface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Geometry {
    /// `.1d`.
    D1,
    /// `.2d`.
    D2,
    /// `.3d`.
    D3,
    /// `.a1d`: layers of one dimension.
    A1d,
    /// `.a2d`: layers of two dimensions.
    A2d,
    /// `.cube`.
    Cube,
    /// `.acube`: layers of cubes.
    Acube,
}

impl Geometry {
    /// Returns the number of coordinates besides the layer.
    pub fn axes(self) -> usize {
        match self {
            Geometry::D1 | Geometry::A1d => 1,
            Geometry::D2 | Geometry::A2d => 2,
            Geometry::D3 | Geometry::Cube | Geometry::Acube => 3,
        }
    }

    /// Returns true if the first coordinate is a layer.
    pub fn layered(self) -> bool {
        matches!(self, Geometry::A1d | Geometry::A2d | Geometry::Acube)
    }

    /// Returns true if the coordinates are a direction.
    pub fn cube(self) -> bool {
        matches!(self, Geometry::Cube | Geometry::Acube)
    }
}

/// The choice of the mipmap level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Lod {
    /// Level 0 with the sampler's bias and clamps: there are no neighbouring fragments that give a gradient.
    Implicit,
    /// Level 0 (`.base`).
    Base,
    /// The level is an operand (`.level`).
    Level,
    /// The gradients are operands (`.grad`).
    Grad,
}

/// A `tex` operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Fetch {
    /// Addressing.
    pub geometry: Geometry,
    /// True if coordinates are s32, false if they are f32.
    pub int_coords: bool,
    /// Level of detail.
    pub lod: Lod,
    /// True if texel offsets follow, one per axis.
    pub offset: bool,
}

impl Fetch {
    /// Returns the number of operand words for the level or the gradients.
    pub fn lod_words(self) -> usize {
        match self.lod {
            Lod::Implicit | Lod::Base => 0,
            Lod::Level => 1,
            Lod::Grad => 2 * self.geometry.axes(),
        }
    }

    /// Returns true if it may read linear memory.
    pub fn may_read_linear(self) -> bool {
        self.int_coords && !self.offset && self.geometry == Geometry::D1
    }
}

/// The treatment of surface accesses out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Bounds {
    /// A fault.
    Trap,
    /// An access to the nearest element.
    Clamp,
    /// No access; a load returns zero.
    Zero,
}

/// The attribute that `txq` and `suq` query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ImageQuery {
    /// Elements per row.
    Width,
    /// Rows.
    Height,
    /// Slices.
    Depth,
    /// A number for the type of the channels.
    ChannelDataType,
    /// A number for the order of the channels.
    ChannelOrder,
    /// 1 if coordinates are normalized.
    NormalizedCoords,
    /// Layers.
    ArraySize,
    /// Levels of the mipmap.
    NumMipmapLevels,
    /// Samples per pixel.
    NumSamples,
    /// 1 if the memory layout is linear.
    MemoryLayout,
}

/// An image operation. Its operands are the object's handle (b64), then the layer (u32) if the geometry has one, the
/// coordinates, and those that each variant lists; all but the handle are b32. The results, at most four, are b32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ImageOp {
    /// `tex`: operands are the level or two gradients, then the offsets; returns the four channels.
    Fetch(Fetch),
    /// `tld4`: operands are the offsets; returns one channel of the four texels that a linear filter would read.
    Gather {
        /// Addressing.
        geometry: Geometry,
        /// The channel, 0 to 3.
        channel: u8,
        /// True if texel offsets follow, one per axis.
        offset: bool,
    },
    /// `txq` of a texture; the operand after the handle is a level if `level`. Returns one word.
    QueryTexture {
        /// The attribute.
        query: ImageQuery,
        /// True if a level is given.
        level: bool,
    },
    /// `suq` of a surface. Returns one word.
    QuerySurface(ImageQuery),
    /// `suld.b`: `x` is in bytes. Returns one word for each element of up to 4 bytes, two for each element of 8.
    Load {
        /// Addressing.
        geometry: Geometry,
        /// Bytes of an element of the vector.
        size: u8,
        /// Elements.
        count: u8,
        /// The treatment of accesses out of bounds.
        bounds: Bounds,
    },
    /// `sust.b`: `x` is in bytes; the words of the elements follow, as for `Load`.
    Store {
        /// Addressing.
        geometry: Geometry,
        /// Bytes of an element of the vector.
        size: u8,
        /// Elements.
        count: u8,
        /// The treatment of accesses out of bounds.
        bounds: Bounds,
    },
    /// `sust.p`: `x` is in elements; a word for each of `count` channels follows, to be converted.
    StoreFormatted {
        /// Addressing.
        geometry: Geometry,
        /// Channels.
        count: u8,
        /// The treatment of accesses out of bounds.
        bounds: Bounds,
    },
    /// `sured`: the value follows, two words if it has 64 bits.
    Reduce {
        /// Addressing.
        geometry: Geometry,
        /// The operation.
        op: AtomOp,
        /// The number type of the memory.
        num: Num,
        /// True if `x` is in elements, false if in bytes.
        scaled: bool,
        /// The treatment of accesses out of bounds.
        bounds: Bounds,
    },
}

impl ImageOp {
    /// Returns true for fetches that may read linear memory.
    pub fn may_read_linear(self) -> bool {
        matches!(self, ImageOp::Fetch(fetch) if fetch.may_read_linear())
    }

    /// Returns the number of operand words after the handle, and of result words.
    pub fn words(self) -> (usize, usize) {
        let place = |g: Geometry| g.axes() + usize::from(g.layered());
        match self {
            ImageOp::Fetch(f) => {
                let axes = f.geometry.axes();
                let offset = if f.offset { axes } else { 0 };
                (place(f.geometry) + f.lod_words() + offset, 4)
            }
            ImageOp::Gather {
                geometry, offset, ..
            } => (place(geometry) + if offset { 2 } else { 0 }, 4),
            ImageOp::QueryTexture { level, .. } => (usize::from(level), 1),
            ImageOp::QuerySurface(_) => (0, 1),
            ImageOp::Load {
                geometry,
                size,
                count,
                ..
            } => (place(geometry), data_words(size, count)),
            ImageOp::Store {
                geometry,
                size,
                count,
                ..
            } => (place(geometry) + data_words(size, count), 0),
            ImageOp::StoreFormatted {
                geometry, count, ..
            } => (place(geometry) + usize::from(count), 0),
            ImageOp::Reduce { geometry, num, .. } => {
                let words = if num.ty().bytes() == 8 { 2 } else { 1 };
                (place(geometry) + words, 0)
            }
        }
    }

    /// Returns true if it writes memory.
    pub fn writes(self) -> bool {
        matches!(
            self,
            ImageOp::Store { .. } | ImageOp::StoreFormatted { .. } | ImageOp::Reduce { .. }
        )
    }
}

/// Returns the number of words for a vector of elements: one per element, two per element of 8 bytes.
fn data_words(size: u8, count: u8) -> usize {
    usize::from(count) * if size == 8 { 2 } else { 1 }
}
