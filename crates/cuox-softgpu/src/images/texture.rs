//! Texture and surface objects.

use crate::code::{INVALID_HANDLE, INVALID_VALUE, NOT_SUPPORTED, Res};
use crate::device;
use crate::handle::Table;
use crate::images::array::{self, Array, Mipmap};
use crate::memory::Memory;
use cuox_abi::{
    CU_TRSF_NORMALIZED_COORDINATES, CU_TRSF_READ_AS_INTEGER, CU_TRSF_SEAMLESS_CUBEMAP,
    CU_TRSF_SRGB, CUDA_RESOURCE_DESC, CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC, CUaddress_mode,
    CUarray_format, CUdevice_attribute as A, CUfilter_mode, CUresourceViewFormat, CUresourcetype,
};
use cuox_simt::image::{Channel, Format, Image, Level, Sampler, Shape, Surface, Texture, Wrap};
use std::sync::Arc;

/// A record of the caller's, kept to be given back.
pub struct StoredDescriptor<T>(pub T);

// SAFETY: the records are plain numbers; the handles among them are never dereferenced.
unsafe impl<T> Send for StoredDescriptor<T> {}
// SAFETY: a shared record is only read, and its handles are never dereferenced.
unsafe impl<T> Sync for StoredDescriptor<T> {}

/// A texture object.
pub struct TextureObject {
    pub handle: u64,
    pub context: u64,
    pub resource: StoredDescriptor<CUDA_RESOURCE_DESC>,
    pub description: CUDA_TEXTURE_DESC,
    pub view: Option<CUDA_RESOURCE_VIEW_DESC>,
    /// The texture that kernels see.
    pub texture: Arc<Texture>,
}

/// A surface object.
pub struct SurfaceObject {
    pub handle: u64,
    pub context: u64,
    pub resource: StoredDescriptor<CUDA_RESOURCE_DESC>,
    /// The surface that kernels see.
    pub surface: Arc<Surface>,
}

/// The places where a resource may lie.
#[derive(Clone, Copy)]
pub struct ImageSources<'a> {
    pub memory: &'a Memory,
    pub arrays: &'a Table<Array>,
    pub mipmaps: &'a Table<Mipmap>,
}

/// A limit of any device: they have the same.
fn limit(attribute: A) -> u64 {
    device::attribute(0, attribute).map_or(0, |n| n as u64)
}

/// One level of memory that the program has laid out itself.
fn rows(
    shape: Shape,
    format: CUarray_format,
    channels: u32,
    at: u64,
    extent: [u64; 2],
    pitch: u64,
) -> Res<Image> {
    let format = array::format(format, channels)?;
    let [width, height] = extent;
    Ok(Image {
        shape,
        format,
        layers: 1,
        levels: vec![Level {
            at,
            width: width as u32,
            height: height as u32,
            depth: 1,
            pitch,
            slice: 0,
        }],
    })
}

/// The most elements that a texture of linear memory has, whatever their size.
pub fn most_linear(format: CUarray_format, channels: u32) -> Res<u64> {
    array::format(format, channels)?;
    Ok(limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH))
}

/// The image that a resource is.
fn image(sources: ImageSources<'_>, resource: &CUDA_RESOURCE_DESC) -> Res<Image> {
    if resource.flags != 0 {
        return Err(INVALID_VALUE);
    }
    // SAFETY: every part of the union is plain numbers, whichever was written.
    unsafe {
        match resource.resType {
            CUresourcetype::CU_RESOURCE_TYPE_ARRAY => {
                let handle = resource.res.array.hArray.addr() as u64;
                Ok(sources
                    .arrays
                    .get(handle)
                    .ok_or(INVALID_HANDLE)?
                    .image
                    .clone())
            }
            CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
                let handle = resource.res.mipmap.hMipmappedArray.addr() as u64;
                Ok(sources
                    .mipmaps
                    .get(handle)
                    .ok_or(INVALID_HANDLE)?
                    .image
                    .clone())
            }
            CUresourcetype::CU_RESOURCE_TYPE_LINEAR => {
                let r = resource.res.linear;
                let bytes = r.sizeInBytes as u64;
                let element = u64::from(array::format(r.format, r.numChannels)?.bytes());
                let width = bytes / element;
                let most = most_linear(r.format, r.numChannels)?;
                let aligned = r
                    .devPtr
                    .is_multiple_of(limit(A::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT));
                if width == 0 || width > most || !aligned {
                    return Err(INVALID_VALUE);
                }
                sources.memory.check_device(r.devPtr, bytes)?;
                rows(
                    Shape::Linear,
                    r.format,
                    r.numChannels,
                    r.devPtr,
                    [width, 1],
                    bytes,
                )
            }
            CUresourcetype::CU_RESOURCE_TYPE_PITCH2D => {
                let r = resource.res.pitch2D;
                let [width, height, pitch] = [r.width, r.height, r.pitchInBytes].map(|n| n as u64);
                let element = u64::from(array::format(r.format, r.numChannels)?.bytes());
                let fits = width >= 1
                    && width <= limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)
                    && height >= 1
                    && height <= limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)
                    && pitch <= limit(A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH);
                let aligned = r
                    .devPtr
                    .is_multiple_of(limit(A::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT))
                    && pitch.is_multiple_of(limit(A::CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT));
                if !fits || !aligned || pitch < width * element {
                    return Err(INVALID_VALUE);
                }
                let bytes = pitch * (height - 1) + width * element;
                sources.memory.check_device(r.devPtr, bytes)?;
                rows(
                    Shape::D2,
                    r.format,
                    r.numChannels,
                    r.devPtr,
                    [width, height],
                    pitch,
                )
            }
            _ => Err(INVALID_VALUE),
        }
    }
}

fn view_format(format: CUresourceViewFormat) -> Res<Option<Format>> {
    const CHANNELS: [u8; 3] = [1, 2, 4];
    const KINDS: [Channel; 8] = [
        Channel::U8,
        Channel::S8,
        Channel::U16,
        Channel::S16,
        Channel::U32,
        Channel::S32,
        Channel::F16,
        Channel::F32,
    ];
    // The header's numbers: three counts of channels for each kind, then the block-compressed ones.
    match format.0 {
        0 => Ok(None),
        n @ 1..=24 => Ok(Some(Format {
            channel: KINDS[(n as usize - 1) / 3],
            channels: CHANNELS[(n as usize - 1) % 3],
        })),
        _ if format <= CUresourceViewFormat::CU_RES_VIEW_FORMAT_UNSIGNED_BC7 => Err(NOT_SUPPORTED),
        _ => Err(INVALID_VALUE),
    }
}

/// The part of an image, and the reading of its elements, that a view asks for.
fn viewed(mut image: Image, view: &CUDA_RESOURCE_VIEW_DESC) -> Res<Image> {
    if let Some(format) = view_format(view.format)? {
        if format.bytes() != image.format.bytes() {
            return Err(INVALID_VALUE);
        }
        image.format = format;
    }
    let (first, last) = (
        view.firstMipmapLevel as usize,
        view.lastMipmapLevel as usize,
    );
    let levels = image
        .levels
        .get(first..=last)
        .ok_or(INVALID_VALUE)?
        .to_vec();
    let (front, back) = (view.firstLayer, view.lastLayer);
    let largest = &levels[0];
    let same = |asked: usize, is: u32| asked == is as usize || (asked == 0 && is == 1);
    if !same(view.width, largest.width) || !same(view.height, largest.height) {
        return Err(INVALID_VALUE);
    }
    image.levels = levels;
    if front > back || (back >= image.layers && back != 0) {
        return Err(INVALID_VALUE);
    }
    if image.layers > 1 {
        for level in &mut image.levels {
            level.at += u64::from(front) * level.slice;
        }
        image.layers = back - front + 1;
    }
    Ok(image)
}

fn sampler(d: &CUDA_TEXTURE_DESC, image: &Image) -> Res<Sampler> {
    const KNOWN: u32 = CU_TRSF_READ_AS_INTEGER
        | CU_TRSF_NORMALIZED_COORDINATES
        | CU_TRSF_SRGB
        | cuox_abi::CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION
        | CU_TRSF_SEAMLESS_CUBEMAP;
    if d.flags & !KNOWN != 0 {
        return Err(INVALID_VALUE);
    }
    let flag = |bit: u32| d.flags & bit != 0;
    let mut wrap = [Wrap::Clamp; 3];
    for (wrap, mode) in wrap.iter_mut().zip(d.addressMode) {
        *wrap = match mode {
            CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP => Wrap::Repeat,
            CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP => Wrap::Clamp,
            CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR => Wrap::Mirror,
            CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER => Wrap::Border,
            _ => return Err(INVALID_VALUE),
        };
    }
    let linear = |mode| match mode {
        CUfilter_mode::CU_TR_FILTER_MODE_POINT => Ok(false),
        CUfilter_mode::CU_TR_FILTER_MODE_LINEAR => Ok(true),
        _ => Err(INVALID_VALUE),
    };
    let cube = matches!(image.shape, Shape::Cube | Shape::Acube);
    if flag(CU_TRSF_SEAMLESS_CUBEMAP) && !cube {
        return Err(INVALID_VALUE);
    }
    Ok(Sampler {
        wrap,
        linear: linear(d.filterMode)?,
        linear_levels: linear(d.mipmapFilterMode)?,
        normalized: flag(CU_TRSF_NORMALIZED_COORDINATES),
        integers: flag(CU_TRSF_READ_AS_INTEGER),
        srgb: flag(CU_TRSF_SRGB),
        seamless: flag(CU_TRSF_SEAMLESS_CUBEMAP),
        bias: d.mipmapLevelBias,
        levels: [d.minMipmapLevelClamp, d.maxMipmapLevelClamp],
        border: d.borderColor,
    })
}

/// The texture that kernels see for a texture object with that description.
pub fn texture(
    sources: ImageSources<'_>,
    resource: &CUDA_RESOURCE_DESC,
    description: &CUDA_TEXTURE_DESC,
    view: Option<&CUDA_RESOURCE_VIEW_DESC>,
) -> Res<Texture> {
    let mut image = image(sources, resource)?;
    if let Some(view) = view {
        image = viewed(image, view)?;
    }
    let sampler = sampler(description, &image)?;
    Ok(Texture::new(image, sampler))
}

/// The surface that kernels see for a surface object.
pub fn surface(sources: ImageSources<'_>, resource: &CUDA_RESOURCE_DESC) -> Res<Surface> {
    if resource.resType != CUresourcetype::CU_RESOURCE_TYPE_ARRAY {
        return Err(INVALID_VALUE);
    }
    let image = image(sources, resource)?;
    Ok(Surface { image })
}
