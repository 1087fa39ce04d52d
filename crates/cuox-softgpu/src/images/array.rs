//! CUDA arrays and mipmapped arrays: images that the driver lays out.

use crate::code::{INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, Res};
use crate::device;
use crate::handle::Table;
use crate::memory::{Kind, Memory, Owner, Request};
use cuox_abi::{
    CUDA_ARRAY3D_CUBEMAP, CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_SURFACE_LDST,
    CUDA_ARRAY3D_TEXTURE_GATHER, CUarray_format, CUdevice_attribute as A,
};
use cuox_simt::image::{Channel, Format, Image, Level, Shape};
use std::sync::Arc;

/// An array, or a level of a mipmapped one.
pub struct Array {
    pub handle: u64,
    pub context: u64,
    /// The caller's descriptor; of a level, with the level's extents.
    pub descriptor: CUDA_ARRAY3D_DESCRIPTOR,
    /// Its one level.
    pub image: Image,
    /// The mipmapped array it is a level of, 0 for none.
    pub mipmap: u64,
    memory: u64,
}

/// A mipmapped array.
pub struct Mipmap {
    pub handle: u64,
    pub context: u64,
    pub image: Image,
    /// Handles of its levels.
    pub levels: Vec<u64>,
    memory: u64,
}

/// Bytes that a row's length is a multiple of.
const ROW_ALIGN: u64 = 64;

/// The format that CUDA's names stand for.
pub fn format(format: CUarray_format, channels: u32) -> Res<Format> {
    let channel = match format {
        CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8 => Channel::U8,
        CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16 => Channel::U16,
        CUarray_format::CU_AD_FORMAT_UNSIGNED_INT32 => Channel::U32,
        CUarray_format::CU_AD_FORMAT_SIGNED_INT8 => Channel::S8,
        CUarray_format::CU_AD_FORMAT_SIGNED_INT16 => Channel::S16,
        CUarray_format::CU_AD_FORMAT_SIGNED_INT32 => Channel::S32,
        CUarray_format::CU_AD_FORMAT_HALF => Channel::F16,
        CUarray_format::CU_AD_FORMAT_FLOAT => Channel::F32,
        // Block-compressed, planar and packed formats, and those whose name is the whole of it.
        other if other.name().is_some() => return Err(NOT_SUPPORTED),
        _ => return Err(INVALID_VALUE),
    };
    match channels {
        1 | 2 | 4 => Ok(Format {
            channel,
            channels: channels as u8,
        }),
        _ => Err(INVALID_VALUE),
    }
}

/// Arrangement, extents and layers of an array, checked.
struct Plan {
    shape: Shape,
    extent: [u64; 3],
    layers: u64,
    format: Format,
}

/// A limit of any device: they have the same.
fn limit(attribute: A) -> u64 {
    device::attribute(0, attribute).map_or(0, |n| n as u64)
}

/// The greatest width of an array of that shape that surfaces are to write.
fn surface_width(shape: Shape) -> u64 {
    limit(match shape {
        Shape::D1 | Shape::Linear => A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH,
        Shape::D2 => A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
        Shape::D3 => A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH,
        Shape::A1d => A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH,
        Shape::A2d => A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH,
        Shape::Cube => A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH,
        Shape::Acube => A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
    })
}

fn plan(d: &CUDA_ARRAY3D_DESCRIPTOR) -> Res<Plan> {
    // Sparse and deferred memory, and video. Flags that the header does not have are nothing to NVIDIA's driver.
    const OTHERS: u32 = cuox_abi::CUDA_ARRAY3D_SPARSE
        | cuox_abi::CUDA_ARRAY3D_DEFERRED_MAPPING
        | cuox_abi::CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
    if d.Flags & cuox_abi::CUDA_ARRAY3D_DEPTH_TEXTURE != 0 {
        return Err(INVALID_VALUE);
    }
    if d.Flags & OTHERS != 0 {
        return Err(NOT_SUPPORTED);
    }
    let format = format(d.Format, d.NumChannels)?;
    let (layered, cube) = (
        d.Flags & CUDA_ARRAY3D_LAYERED != 0,
        d.Flags & CUDA_ARRAY3D_CUBEMAP != 0,
    );
    let [w, h, depth] = [d.Width, d.Height, d.Depth].map(|n| n as u64);
    let (shape, most, layers) = match (layered, cube) {
        (false, true) => {
            let most = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH);
            (Shape::Cube, [most, most, 6], 6)
        }
        (true, true) => {
            let most = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH);
            let layers = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS);
            (Shape::Acube, [most, most, layers], depth)
        }
        (true, false) if h == 0 => {
            let most = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH);
            let layers = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS);
            (Shape::A1d, [most, 0, layers], depth)
        }
        (true, false) => {
            let most = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH);
            let layers = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
            (Shape::A2d, [most, most, layers], depth)
        }
        (false, false) if depth != 0 => {
            let most = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH);
            (Shape::D3, [most; 3], 1)
        }
        (false, false) if h != 0 => {
            let most = [
                limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH),
                limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT),
                0,
            ];
            (Shape::D2, most, 1)
        }
        (false, false) => {
            let most = limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH);
            (Shape::D1, [most, 0, 0], 1)
        }
    };
    let within = |most: [u64; 3]| w <= most[0] && h <= most[1] && depth <= most[2];
    // Slices may be smaller and more.
    let alternate = [
        limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE),
        limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE),
        limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE),
    ];
    let fits = w >= 1 && (within(most) || shape == Shape::D3 && within(alternate));
    let whole = match shape {
        Shape::Cube => w == h && depth == 6,
        Shape::Acube => w == h && depth >= 6 && depth.is_multiple_of(6),
        Shape::A1d | Shape::A2d => depth >= 1,
        Shape::D3 => h >= 1,
        _ => true,
    };
    let gathers = d.Flags & CUDA_ARRAY3D_TEXTURE_GATHER == 0 || shape == Shape::D2;
    let fits = fits && (d.Flags & CUDA_ARRAY3D_SURFACE_LDST == 0 || w <= surface_width(shape));
    if !fits || !whole || !gathers {
        return Err(INVALID_VALUE);
    }
    let slices = if shape == Shape::D3 { depth } else { 1 };
    Ok(Plan {
        shape,
        extent: [w, h.max(1), slices],
        layers,
        format,
    })
}

/// The image of a plan with that many levels, at address 0, and its size.
fn lay_out(plan: &Plan, levels: u32) -> Res<(Image, u64)> {
    let mut list = Vec::with_capacity(levels as usize);
    let mut at = 0u64;
    for level in 0..levels {
        let [w, h, d] = plan.extent.map(|n| (n >> level).max(1));
        let row = w * u64::from(plan.format.bytes());
        let pitch = row.next_multiple_of(ROW_ALIGN);
        let slice = pitch.checked_mul(h).ok_or(OUT_OF_MEMORY)?;
        list.push(Level {
            at,
            width: w as u32,
            height: h as u32,
            depth: d as u32,
            pitch,
            slice,
        });
        let bytes = slice.checked_mul(d * plan.layers).ok_or(OUT_OF_MEMORY)?;
        at = at
            .checked_add(bytes.next_multiple_of(512))
            .ok_or(OUT_OF_MEMORY)?;
    }
    let image = Image {
        shape: plan.shape,
        format: plan.format,
        layers: plan.layers as u32,
        levels: list,
    };
    Ok((image, at))
}

/// Gives an image memory.
fn place(memory: &Memory, owner: Owner, image: &mut Image, bytes: u64) -> Res<u64> {
    let request = Request {
        align: 512,
        reserved_only: false,
        ..Request::new(bytes, Kind::Array, owner)
    };
    let at = memory.allocate(request)?.start;
    for level in &mut image.levels {
        level.at += at;
    }
    Ok(at)
}

/// Makes an array.
pub fn create(
    memory: &Memory,
    arrays: &Table<Array>,
    owner: Owner,
    d: &CUDA_ARRAY3D_DESCRIPTOR,
) -> Res<Arc<Array>> {
    let (mut image, bytes) = lay_out(&plan(d)?, 1)?;
    let at = place(memory, owner, &mut image, bytes)?;
    let made = arrays.insert(|handle| Array {
        handle,
        context: owner.context,
        descriptor: *d,
        image,
        mipmap: 0,
        memory: at,
    });
    made.ok_or(OUT_OF_MEMORY)
}

/// Makes a mipmapped array of at most as many levels as there can be.
pub fn create_mipmap(
    memory: &Memory,
    arrays: &Table<Array>,
    mipmaps: &Table<Mipmap>,
    owner: Owner,
    d: &CUDA_ARRAY3D_DESCRIPTOR,
    levels: u32,
) -> Res<Arc<Mipmap>> {
    let plan = plan(d)?;
    let largest = plan.extent.iter().copied().max().unwrap_or(1);
    let levels = levels.clamp(1, largest.ilog2() + 1);
    let (mut image, bytes) = lay_out(&plan, levels)?;
    let at = place(memory, owner, &mut image, bytes)?;
    let mut handles = Vec::with_capacity(levels as usize);
    let made = mipmaps.insert(|handle| {
        for (n, level) in image.levels.iter().enumerate() {
            let smaller = |size: usize| if size == 0 { 0 } else { (size >> n).max(1) };
            let deep = plan.shape == Shape::D3;
            let descriptor = CUDA_ARRAY3D_DESCRIPTOR {
                Width: smaller(d.Width),
                Height: smaller(d.Height),
                Depth: if deep { smaller(d.Depth) } else { d.Depth },
                ..*d
            };
            let array = arrays.insert(|own| Array {
                handle: own,
                context: owner.context,
                descriptor,
                image: Image {
                    levels: vec![*level],
                    ..image.clone()
                },
                mipmap: handle,
                memory: 0,
            });
            handles.extend(array.map(|a| a.handle));
        }
        Mipmap {
            handle,
            context: owner.context,
            image,
            levels: handles,
            memory: at,
        }
    });
    made.ok_or(OUT_OF_MEMORY)
}

fn free(memory: &Memory, at: u64) {
    // It may be gone already with its context.
    let _ = memory.free(at, |a| a.kind == Kind::Array);
}

impl Array {
    /// Takes it out of the driver's tables and frees its memory.
    pub fn forget(&self, memory: &Memory, arrays: &Table<Array>) {
        arrays.remove(self.handle);
        if self.mipmap == 0 {
            free(memory, self.memory);
        }
    }
}

impl Mipmap {
    /// The same, with its levels.
    pub fn forget(&self, memory: &Memory, arrays: &Table<Array>, mipmaps: &Table<Mipmap>) {
        mipmaps.remove(self.handle);
        for &level in &self.levels {
            arrays.remove(level);
        }
        free(memory, self.memory);
    }
}
