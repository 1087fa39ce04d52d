//! `txq` and `suq`.

use super::{Channel, Image, Shape, Texture};
use crate::ir::ImageQuery;

/// What a texture answers, for one of its levels.
pub fn texture(texture: &Texture, query: ImageQuery, level: u32) -> u32 {
    match query {
        ImageQuery::NormalizedCoords => u32::from(texture.sampler.normalized),
        query => image(&texture.image, query, level),
    }
}

/// What an image answers, for one of its levels. The numbers of types and orders are OpenCL's, which PTX has taken over.
pub fn image(image: &Image, query: ImageQuery, level: u32) -> u32 {
    let Some(level) = image.levels.get(level as usize) else {
        return 0;
    };
    match query {
        ImageQuery::Width => level.width,
        ImageQuery::Height => level.height,
        ImageQuery::Depth => level.depth,
        ImageQuery::ArraySize => match image.shape {
            Shape::A1d | Shape::A2d | Shape::Acube => image.layers,
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
