//! Images: CUDA arrays, textures and surfaces.

pub(crate) mod array;
pub(crate) mod texture;
