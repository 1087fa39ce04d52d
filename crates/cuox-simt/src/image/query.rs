//! `txq` and `suq`.

use super::{Channel, Image, Level, Shape, Texture};
use crate::ir::ImageQuery;

/// Returns a texture's attribute, for one of its levels.
pub fn texture(texture: &Texture, query: ImageQuery, level: u32) -> u32 {
    match query {
        ImageQuery::NormalizedCoords => u32::from(texture.sampler.normalized),
        query => image(&texture.image, query, level, texture.image.layers / 6),
    }
}

/// Returns a surface's attribute. A cube counts as layers, and one dimension has height 0.
pub fn surface(of: &Image, query: ImageQuery) -> u32 {
    match (query, of.shape) {
        (ImageQuery::Height, Shape::D1) => 0,
        (ImageQuery::Depth, Shape::Cube) => of.layers,
        _ => image(of, query, 0, of.layers),
    }
}

/// Returns the height; images without one give the number of layers.
fn height(image: &Image, level: &Level) -> u32 {
    match image.shape {
        Shape::Linear => 0,
        Shape::A1d => image.layers,
        _ => level.height,
    }
}

/// Returns an image's attribute, for one of its levels. The numbers of channel types and orders are OpenCL's, which
/// PTX has adopted.
fn image(image: &Image, query: ImageQuery, level: u32, cubes: u32) -> u32 {
    let Some(level) = image.levels.get(level as usize) else {
        return 0;
    };
    match query {
        ImageQuery::Width => level.width,
        ImageQuery::Height => height(image, level),
        ImageQuery::Depth => match image.shape {
            Shape::D3 => level.depth,
            Shape::A2d => image.layers,
            Shape::Acube => cubes,
            _ => 0,
        },
        ImageQuery::ArraySize => match image.shape {
            Shape::A1d | Shape::A2d => image.layers,
            Shape::Acube => cubes,
            _ => 1,
        },
        ImageQuery::NumMipmapLevels => image.levels.len() as u32,
        ImageQuery::NumSamples => 1,
        ImageQuery::NormalizedCoords => 0,
        ImageQuery::MemoryLayout => u32::from(image.shape == Shape::Linear),
        ImageQuery::ChannelDataType => match image.format.channel {
            Channel::S8 => 0x10d7,
            Channel::S16 => 0x10d8,
            Channel::S32 => 0x10d9,
            Channel::U8 => 0x10da,
            Channel::U16 => 0x10db,
            Channel::U32 => 0x10dc,
            Channel::F16 => 0x10dd,
            Channel::F32 => 0x10de,
        },
        ImageQuery::ChannelOrder => match image.format.channels {
            1 => 0x10b0,
            2 => 0x10b2,
            _ => 0x10b5,
        },
    }
}
