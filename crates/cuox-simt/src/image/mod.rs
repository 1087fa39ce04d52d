//! Textures and surfaces: descriptions of images in device memory, and the operations on them.
//!
//! The driver creates descriptions and keeps them by handle; kernels have handles. An engine asks the launch's
//! [`Host`](crate::Host) for the description of a handle. An invalid handle is a fault that names it.
//!
//! Image memory may be inaccessible, so an engine calls [`perform`] in a protected call.

mod addressing;
mod cube;
mod filter;
mod lod;
mod mix;
mod perform;
mod quad;
mod query;
mod surface;
mod texel;

use texel::Reading;

pub use filter::LinearWords;
pub use perform::{Failure, Fetched, Handles, Lanes, Words, perform, perform_lanes};

/// The storage format of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the type that its name spells")]
pub enum Channel {
    U8,
    U16,
    U32,
    S8,
    S16,
    S32,
    F16,
    F32,
}

impl Channel {
    /// Returns the size in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Channel::U8 | Channel::S8 => 1,
            Channel::U16 | Channel::S16 | Channel::F16 => 2,
            Channel::U32 | Channel::S32 | Channel::F32 => 4,
        }
    }

    /// Returns true for floating-point channels.
    pub fn is_float(self) -> bool {
        matches!(self, Channel::F16 | Channel::F32)
    }
}

/// The format of an image's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The channels' format.
    pub channel: Channel,
    /// The number of channels: 1, 2 or 4.
    pub channels: u8,
}

impl Format {
    /// Returns the size of an element in bytes.
    pub fn bytes(self) -> u32 {
        self.channel.bytes() * u32::from(self.channels)
    }
}

/// One level of an image: rows of elements, and slices or layers of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Address of the first element.
    pub at: u64,
    /// Elements per row.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// Slices, at least 1; 1 if the image is layered.
    pub depth: u32,
    /// Bytes from one row to the next.
    pub pitch: u64,
    /// Bytes from one slice to the next, or from one layer to the next.
    pub slice: u64,
}

/// The arrangement of an image's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Linear memory, read by integer coordinates.
    Linear,
    /// One dimension.
    D1,
    /// Two dimensions.
    D2,
    /// Three dimensions.
    D3,
    /// Layers of one dimension.
    A1d,
    /// Layers of two dimensions.
    A2d,
    /// A cube: six layers.
    Cube,
    /// Several cubes.
    Acube,
}

/// An image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// Arrangement.
    pub shape: Shape,
    /// Elements.
    pub format: Format,
    /// Layers, six to a cube; at least 1.
    pub layers: u32,
    /// The levels, the largest first; at least one.
    pub levels: Vec<Level>,
}

/// The addressing mode: the treatment of coordinates out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrap {
    /// The image repeats.
    Repeat,
    /// The nearest texel.
    Clamp,
    /// The image repeats, every other time reversed.
    Mirror,
    /// The border colour.
    Border,
}

/// A sampler: the way in which a texture is read.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampler {
    /// The addressing mode of each axis.
    pub wrap: [Wrap; 3],
    /// True for linear filtering, false for the nearest texel.
    pub linear: bool,
    /// True to interpolate between two levels, false for the nearest level.
    pub linear_levels: bool,
    /// True for coordinates from 0 to 1, false for coordinates in texels.
    pub normalized: bool,
    /// True to read integers as they are, false to read them as fractions.
    pub integers: bool,
    /// True if 8-bit values are sRGB.
    pub srgb: bool,
    /// True if a filter reaches over the edges of a cube.
    pub seamless: bool,
    /// The bias that is added to the level of detail.
    pub bias: f32,
    /// The smallest and the largest level of detail.
    pub levels: [f32; 2],
    /// The border colour.
    pub border: [f32; 4],
}

/// A texture object.
#[derive(Clone, PartialEq, Debug)]
pub struct Texture {
    image: Image,
    sampler: Sampler,
    reading: Reading,
    /// True if the image's format can be filtered.
    filters: bool,
    /// The border colour as an element.
    border: [u32; 4],
    /// True for one level of one layer, which most fetches read.
    plain: bool,
}

impl Texture {
    /// Creates a texture of an image with at least one level, and its sampler.
    pub fn new(image: Image, mut sampler: Sampler) -> Texture {
        // Mipmap levels have normalized coordinates only.
        sampler.normalized |= image.levels.len() > 1;
        // Images repeat for normalized coordinates only.
        for wrap in sampler.wrap.iter_mut().filter(|_| !sampler.normalized) {
            if matches!(wrap, Wrap::Repeat | Wrap::Mirror) {
                *wrap = Wrap::Clamp;
            }
        }
        let reading = Reading::new(image.format, &sampler);
        let fractions = reading != Reading::AsIs || image.format.channel.is_float();
        Texture {
            filters: sampler.linear && fractions && image.shape != Shape::Linear,
            border: texel::border(image.format, reading, sampler.border),
            plain: image.levels.len() == 1 && image.layers == 1 && image.shape != Shape::Linear,
            reading,
            image,
            sampler,
        }
    }

    /// Returns true if it has one level of one layer.
    fn is_plain(&self) -> bool {
        self.plain
    }

    /// Returns the image.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Returns the sampler.
    pub fn sampler(&self) -> &Sampler {
        &self.sampler
    }
}

/// A surface object.
#[derive(Clone, PartialEq, Debug)]
pub struct Surface {
    /// The image, of which level 0 is read and written.
    pub image: Image,
}
