//! What instructions do to textures and surfaces.

use crate::ir::{AtomOp, Num};

/// The most operands an [`crate::ir::Inst::Image`] has, the object's handle among them.
pub const MAX_IMAGE_ARGS: usize = 15;

/// How a texture or surface is addressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// Coordinates besides the layer.
    pub fn axes(self) -> usize {
        match self {
            Geometry::D1 | Geometry::A1d => 1,
            Geometry::D2 | Geometry::A2d => 2,
            Geometry::D3 | Geometry::Cube | Geometry::Acube => 3,
        }
    }

    /// Whether the first coordinate is a layer.
    pub fn layered(self) -> bool {
        matches!(self, Geometry::A1d | Geometry::A2d | Geometry::Acube)
    }

    /// Whether the coordinates are a direction.
    pub fn cube(self) -> bool {
        matches!(self, Geometry::Cube | Geometry::Acube)
    }
}

/// Which level of a mipmap a fetch reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lod {
    /// Level 0 with the sampler's bias and clamps: there are no neighbours to tell a size of a step.
    Implicit,
    /// Level 0 (`.base`).
    Base,
    /// The operand says (`.level`).
    Level,
    /// The steps from one sample to the next say (`.grad`).
    Grad,
}

/// A `tex`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fetch {
    /// Addressing.
    pub geometry: Geometry,
    /// Coordinates are s32 rather than f32.
    pub int_coords: bool,
    /// Level of detail.
    pub lod: Lod,
    /// Whether texel offsets follow, one an axis.
    pub offset: bool,
}

impl Fetch {
    /// Words of the level or of the gradients.
    pub fn lod_words(self) -> usize {
        match self.lod {
            Lod::Implicit | Lod::Base => 0,
            Lod::Level => 1,
            Lod::Grad => 2 * self.geometry.axes(),
        }
    }
}

/// Where a surface access outside goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bounds {
    /// It is a fault.
    Trap,
    /// To the nearest element.
    Clamp,
    /// Nowhere; a load gives zero.
    Zero,
}

/// What `txq` and `suq` ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageQuery {
    /// Elements of a row.
    Width,
    /// Rows.
    Height,
    /// Slices.
    Depth,
    /// A number for the type of a channel.
    ChannelDataType,
    /// A number for the order of the channels.
    ChannelOrder,
    /// Whether coordinates are normalized.
    NormalizedCoords,
    /// Layers.
    ArraySize,
    /// Levels of a mipmap.
    NumMipmapLevels,
    /// Samples of a pixel.
    NumSamples,
    /// Whether memory is linear.
    MemoryLayout,
}

/// What an [`crate::ir::Inst::Image`] does. Its operands are the object's handle (b64), then the layer (u32) where the
/// geometry has one, the coordinates, and what is named here; all of these are b32. So are its results, at most four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageOp {
    /// `tex`: then the level or two gradients, then the offsets; gives the four channels.
    Fetch(Fetch),
    /// `tld4`: then the offsets; gives one channel of the four texels that a linear filter would read.
    Gather {
        /// Addressing.
        geometry: Geometry,
        /// The channel, 0 to 3.
        channel: u8,
        /// Whether texel offsets follow, one an axis.
        offset: bool,
    },
    /// `txq` of a texture; the operand after the handle is a level if `level`. Gives one word.
    QueryTexture {
        /// What.
        query: ImageQuery,
        /// Of a level.
        level: bool,
    },
    /// `suq` of a surface. Gives one word.
    QuerySurface(ImageQuery),
    /// `suld.b`: `x` is in bytes. Gives a word for each element of up to 4 bytes, two for one of 8.
    Load {
        /// Addressing.
        geometry: Geometry,
        /// Bytes of an element of the vector.
        size: u8,
        /// Elements.
        count: u8,
        /// Outside.
        bounds: Bounds,
    },
    /// `sust.b`: `x` is in bytes; then the words of the elements, as for `Load`.
    Store {
        /// Addressing.
        geometry: Geometry,
        /// Bytes of an element of the vector.
        size: u8,
        /// Elements.
        count: u8,
        /// Outside.
        bounds: Bounds,
    },
    /// `sust.p`: `x` is in elements; then a word for each of `count` channels, to be converted.
    StoreFormatted {
        /// Addressing.
        geometry: Geometry,
        /// Channels.
        count: u8,
        /// Outside.
        bounds: Bounds,
    },
    /// `sured`: then the value, two words if it has 64 bits.
    Reduce {
        /// Addressing.
        geometry: Geometry,
        /// What.
        op: AtomOp,
        /// How memory is read as a number.
        num: Num,
        /// `x` is in elements rather than bytes.
        scaled: bool,
        /// Outside.
        bounds: Bounds,
    },
}

impl ImageOp {
    /// Words of operands after the handle, and words of results.
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

    /// Whether it writes memory.
    pub fn writes(self) -> bool {
        matches!(
            self,
            ImageOp::Store { .. } | ImageOp::StoreFormatted { .. } | ImageOp::Reduce { .. }
        )
    }
}

/// Words that hold a vector of elements: one an element, two an element of 8 bytes.
fn data_words(size: u8, count: u8) -> usize {
    usize::from(count) * if size == 8 { 2 } else { 1 }
}
