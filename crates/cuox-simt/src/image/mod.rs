//! Textures and surfaces: plain descriptions of images in device memory, and what instructions make of them.
//!
//! The driver makes descriptions and keeps them under handles; kernels hold handles. An engine asks the launch's
//! [`Host`](crate::Host) what a handle means, so that one that means nothing is a fault that names it.
//!
//! Memory is read and written where a page may be missing: an engine calls [`perform`] inside a protected call.

mod cube;
mod filter;
mod lod;
mod mix;
mod perform;
mod place;
mod quad;
mod query;
mod surface;
mod texel;

use texel::Reading;

pub use perform::{Failure, Handles, Words, perform};

/// How a channel is stored.
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
    /// Bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Channel::U8 | Channel::S8 => 1,
            Channel::U16 | Channel::S16 | Channel::F16 => 2,
            Channel::U32 | Channel::S32 | Channel::F32 => 4,
        }
    }

    /// Whether it holds floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Channel::F16 | Channel::F32)
    }
}

/// What an element of an image is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Of each channel.
    pub channel: Channel,
    /// How many: 1, 2 or 4.
    pub channels: u8,
}

impl Format {
    /// Bytes of an element.
    pub fn bytes(self) -> u32 {
        self.channel.bytes() * u32::from(self.channels)
    }
}

/// One level of an image: rows of elements, slices or layers of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Address of the first element.
    pub at: u64,
    /// Elements of a row.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// Slices, at least 1; 1 if the image is layered.
    pub depth: u32,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Bytes from slice to slice, or from layer to layer.
    pub slice: u64,
}

/// How the elements of an image are arranged.
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

/// What coordinates outside mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrap {
    /// The image repeats.
    Repeat,
    /// The nearest texel.
    Clamp,
    /// The image repeats, every other time reversed.
    Mirror,
    /// The border's colour.
    Border,
}

/// How a texture is sampled.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampler {
    /// For each axis.
    pub wrap: [Wrap; 3],
    /// Linear rather than nearest.
    pub linear: bool,
    /// Between two levels rather than of the nearest.
    pub linear_levels: bool,
    /// Coordinates from 0 to 1 rather than in texels.
    pub normalized: bool,
    /// Integers are read as such, not as fractions.
    pub integers: bool,
    /// Values of 8 bits are sRGB.
    pub srgb: bool,
    /// A filter reaches over the edges of a cube.
    pub seamless: bool,
    /// Added to the level of detail.
    pub bias: f32,
    /// The least and the largest level of detail.
    pub levels: [f32; 2],
    /// The border's colour.
    pub border: [f32; 4],
}

/// A texture object.
#[derive(Clone, PartialEq, Debug)]
pub struct Texture {
    image: Image,
    sampler: Sampler,
    reading: Reading,
    /// A filter applies to what the image holds.
    filters: bool,
    /// The border's colour as an element.
    border: [u32; 4],
    /// One level of one layer, which most fetches read.
    plain: bool,
}

impl Texture {
    /// Of an image that has a level, and how to sample it.
    pub fn new(image: Image, mut sampler: Sampler) -> Texture {
        // There is no other way to address the levels of a mipmap.
        sampler.normalized |= image.levels.len() > 1;
        // Images repeat for normalized coordinates alone.
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

    /// Whether it has one level of one layer.
    fn is_plain(&self) -> bool {
        self.plain
    }

    /// What is read.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// How.
    pub fn sampler(&self) -> &Sampler {
        &self.sampler
    }
}

/// A surface object.
#[derive(Clone, PartialEq, Debug)]
pub struct Surface {
    /// What is read and written; level 0 of it.
    pub image: Image,
}
