//! Arrays: elements in an order of the device's choosing, which textures and surfaces read.

use cuox_abi::{CUDA_ARRAY3D_DESCRIPTOR, CUarray, CUarray_format as Format, CUmipmappedArray};

use crate::api::convert::{alike, alike_mut, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaArray_const_t, cudaArray_t, cudaArrayMemoryRequirements, cudaArraySparseProperties,
    cudaChannelFormatDesc, cudaChannelFormatKind as Kind, cudaError, cudaExtent,
    cudaMipmappedArray_const_t, cudaMipmappedArray_t,
};
use crate::runtime::{current, runtime};

/// Kinds that have one format of the driver's, whatever their bits.
const NAMED_FORMATS: [(Kind, Format); 27] = [
    (Kind::cudaChannelFormatKindNV12, Format::CU_AD_FORMAT_NV12),
    (
        Kind::cudaChannelFormatKindUnsignedNormalized8X1,
        Format::CU_AD_FORMAT_UNORM_INT8X1,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedNormalized8X2,
        Format::CU_AD_FORMAT_UNORM_INT8X2,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedNormalized8X4,
        Format::CU_AD_FORMAT_UNORM_INT8X4,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedNormalized16X1,
        Format::CU_AD_FORMAT_UNORM_INT16X1,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedNormalized16X2,
        Format::CU_AD_FORMAT_UNORM_INT16X2,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedNormalized16X4,
        Format::CU_AD_FORMAT_UNORM_INT16X4,
    ),
    (
        Kind::cudaChannelFormatKindSignedNormalized8X1,
        Format::CU_AD_FORMAT_SNORM_INT8X1,
    ),
    (
        Kind::cudaChannelFormatKindSignedNormalized8X2,
        Format::CU_AD_FORMAT_SNORM_INT8X2,
    ),
    (
        Kind::cudaChannelFormatKindSignedNormalized8X4,
        Format::CU_AD_FORMAT_SNORM_INT8X4,
    ),
    (
        Kind::cudaChannelFormatKindSignedNormalized16X1,
        Format::CU_AD_FORMAT_SNORM_INT16X1,
    ),
    (
        Kind::cudaChannelFormatKindSignedNormalized16X2,
        Format::CU_AD_FORMAT_SNORM_INT16X2,
    ),
    (
        Kind::cudaChannelFormatKindSignedNormalized16X4,
        Format::CU_AD_FORMAT_SNORM_INT16X4,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed1,
        Format::CU_AD_FORMAT_BC1_UNORM,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed1SRGB,
        Format::CU_AD_FORMAT_BC1_UNORM_SRGB,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed2,
        Format::CU_AD_FORMAT_BC2_UNORM,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed2SRGB,
        Format::CU_AD_FORMAT_BC2_UNORM_SRGB,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed3,
        Format::CU_AD_FORMAT_BC3_UNORM,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed3SRGB,
        Format::CU_AD_FORMAT_BC3_UNORM_SRGB,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed4,
        Format::CU_AD_FORMAT_BC4_UNORM,
    ),
    (
        Kind::cudaChannelFormatKindSignedBlockCompressed4,
        Format::CU_AD_FORMAT_BC4_SNORM,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed5,
        Format::CU_AD_FORMAT_BC5_UNORM,
    ),
    (
        Kind::cudaChannelFormatKindSignedBlockCompressed5,
        Format::CU_AD_FORMAT_BC5_SNORM,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed6H,
        Format::CU_AD_FORMAT_BC6H_UF16,
    ),
    (
        Kind::cudaChannelFormatKindSignedBlockCompressed6H,
        Format::CU_AD_FORMAT_BC6H_SF16,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed7,
        Format::CU_AD_FORMAT_BC7_UNORM,
    ),
    (
        Kind::cudaChannelFormatKindUnsignedBlockCompressed7SRGB,
        Format::CU_AD_FORMAT_BC7_UNORM_SRGB,
    ),
];

/// Formats whose bits and kind are the channel's own.
const PLAIN_FORMATS: [(Kind, i32, Format); 8] = [
    (
        Kind::cudaChannelFormatKindSigned,
        8,
        Format::CU_AD_FORMAT_SIGNED_INT8,
    ),
    (
        Kind::cudaChannelFormatKindSigned,
        16,
        Format::CU_AD_FORMAT_SIGNED_INT16,
    ),
    (
        Kind::cudaChannelFormatKindSigned,
        32,
        Format::CU_AD_FORMAT_SIGNED_INT32,
    ),
    (
        Kind::cudaChannelFormatKindUnsigned,
        8,
        Format::CU_AD_FORMAT_UNSIGNED_INT8,
    ),
    (
        Kind::cudaChannelFormatKindUnsigned,
        16,
        Format::CU_AD_FORMAT_UNSIGNED_INT16,
    ),
    (
        Kind::cudaChannelFormatKindUnsigned,
        32,
        Format::CU_AD_FORMAT_UNSIGNED_INT32,
    ),
    (
        Kind::cudaChannelFormatKindFloat,
        16,
        Format::CU_AD_FORMAT_HALF,
    ),
    (
        Kind::cudaChannelFormatKindFloat,
        32,
        Format::CU_AD_FORMAT_FLOAT,
    ),
];

/// The driver's format and number of channels for a description.
pub fn format(desc: &cudaChannelFormatDesc) -> Result<(Format, u32)> {
    let bits = [desc.x, desc.y, desc.z, desc.w];
    let channels = bits.iter().take_while(|&&b| b != 0).count();
    let rest = bits.iter().skip(channels);
    if channels == 0 || rest.into_iter().any(|&b| b != 0) {
        return Err(cudaError::cudaErrorInvalidChannelDescriptor);
    }
    if let Some((_, named)) = NAMED_FORMATS.iter().find(|(kind, _)| *kind == desc.f) {
        return Ok((*named, channels as u32));
    }
    let alike = bits[..channels].iter().all(|&b| b == desc.x);
    let known = PLAIN_FORMATS
        .iter()
        .find(|(kind, bits, _)| *kind == desc.f && *bits == desc.x);
    match known {
        Some((_, _, plain)) if alike && channels != 3 => Ok((*plain, channels as u32)),
        _ => Err(cudaError::cudaErrorInvalidChannelDescriptor),
    }
}

/// The description of the driver's format. The channels of named formats have 8 or 16 bits.
pub fn description(format: Format, channels: u32) -> Result<cudaChannelFormatDesc> {
    let (kind, bits) = if let Some((kind, bits, _)) =
        PLAIN_FORMATS.iter().find(|(_, _, known)| *known == format)
    {
        (*kind, *bits)
    } else {
        let (kind, _) = NAMED_FORMATS
            .iter()
            .find(|(_, known)| *known == format)
            .ok_or(cudaError::cudaErrorInvalidChannelDescriptor)?;
        let wide = [
            Format::CU_AD_FORMAT_UNORM_INT16X1,
            Format::CU_AD_FORMAT_UNORM_INT16X2,
            Format::CU_AD_FORMAT_UNORM_INT16X4,
            Format::CU_AD_FORMAT_SNORM_INT16X1,
            Format::CU_AD_FORMAT_SNORM_INT16X2,
            Format::CU_AD_FORMAT_SNORM_INT16X4,
            Format::CU_AD_FORMAT_BC6H_UF16,
            Format::CU_AD_FORMAT_BC6H_SF16,
        ];
        (*kind, if wide.contains(&format) { 16 } else { 8 })
    };
    let channel = |index: u32| if index < channels { bits } else { 0 };
    Ok(cudaChannelFormatDesc {
        x: channel(0),
        y: channel(1),
        z: channel(2),
        w: channel(3),
        f: kind,
    })
}

/// The driver's handle of an array, which is the runtime's.
pub fn driver_array(array: cudaArray_t) -> CUarray {
    // SAFETY: both are pointers, and any value is one.
    unsafe { alike(array) }
}

/// The driver's handle of a mipmapped array, which is the runtime's.
pub fn driver_mipmap(array: cudaMipmappedArray_t) -> CUmipmappedArray {
    // SAFETY: both are pointers, and any value is one.
    unsafe { alike(array) }
}

/// The driver's description of an array.
pub fn descriptor(array: cudaArray_t) -> Result<CUDA_ARRAY3D_DESCRIPTOR> {
    let mut found = CUDA_ARRAY3D_DESCRIPTOR::default();
    // SAFETY: the function writes to `found`; the driver checks the handle.
    unsafe {
        current()?
            .driver
            .cuArray3DGetDescriptor_v2(&mut found, driver_array(array))
            .check()?;
    }
    Ok(found)
}

/// Bytes of an element of an array. Block-compressed formats have none.
pub fn element_bytes(array: &CUDA_ARRAY3D_DESCRIPTOR) -> Result<usize> {
    let desc = description(array.Format, array.NumChannels)?;
    let bits = desc.x + desc.y + desc.z + desc.w;
    Ok(bits as usize / 8)
}

/// What the driver is asked for.
unsafe fn asked(
    desc: *const cudaChannelFormatDesc,
    extent: cudaExtent,
    flags: u32,
) -> Result<CUDA_ARRAY3D_DESCRIPTOR> {
    // SAFETY: the caller gives a description or null.
    let desc = unsafe { desc.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let (format, channels) = format(desc)?;
    // The flags of both APIs are the same bits.
    Ok(CUDA_ARRAY3D_DESCRIPTOR {
        Width: extent.width,
        Height: extent.height,
        Depth: extent.depth,
        Format: format,
        NumChannels: channels,
        Flags: flags,
    })
}

pub unsafe fn cudaMalloc3DArray(
    array: *mut cudaArray_t,
    desc: *const cudaChannelFormatDesc,
    extent: cudaExtent,
    flags: u32,
) -> Result {
    let array = out(array)?;
    let runtime = current()?;
    // SAFETY: the caller gives a description; the function writes a handle, a pointer as ours, to `array`.
    unsafe {
        let asked = asked(desc, extent, flags)?;
        runtime
            .driver
            .cuArray3DCreate_v2(alike_mut(array), &asked)
            .check()
    }
}

pub unsafe fn cudaMallocArray(
    array: *mut cudaArray_t,
    desc: *const cudaChannelFormatDesc,
    width: usize,
    height: usize,
    flags: u32,
) -> Result {
    let extent = cudaExtent {
        width,
        height,
        depth: 0,
    };
    // SAFETY: as here.
    unsafe { cudaMalloc3DArray(array, desc, extent, flags) }
}

pub unsafe fn cudaFreeArray(array: cudaArray_t) -> Result {
    let runtime = current()?;
    if array == cudaArray_t::null() {
        return Ok(());
    }
    // SAFETY: the driver checks the handle.
    unsafe { runtime.driver.cuArrayDestroy(driver_array(array)).check() }
}

pub unsafe fn cudaArrayGetInfo(
    desc: *mut cudaChannelFormatDesc,
    extent: *mut cudaExtent,
    flags: *mut u32,
    array: cudaArray_t,
) -> Result {
    let found = descriptor(array)?;
    let read = description(found.Format, found.NumChannels)?;
    // SAFETY: the caller gives pointers that may be written to, or null.
    unsafe {
        if !desc.is_null() {
            desc.write(read);
        }
        if !extent.is_null() {
            extent.write(cudaExtent {
                width: found.Width,
                height: found.Height,
                depth: found.Depth,
            });
        }
        if !flags.is_null() {
            flags.write(found.Flags);
        }
    }
    Ok(())
}

pub unsafe fn cudaGetChannelDesc(
    desc: *mut cudaChannelFormatDesc,
    array: cudaArray_const_t,
) -> Result {
    let desc = out(desc)?;
    let found = descriptor(array)?;
    let read = description(found.Format, found.NumChannels)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { desc.write(read) };
    Ok(())
}

pub unsafe fn cudaCreateChannelDesc(
    x: i32,
    y: i32,
    z: i32,
    w: i32,
    f: Kind,
) -> cudaChannelFormatDesc {
    cudaChannelFormatDesc { x, y, z, w, f }
}

pub unsafe fn cudaMallocMipmappedArray(
    mipmappedArray: *mut cudaMipmappedArray_t,
    desc: *const cudaChannelFormatDesc,
    extent: cudaExtent,
    numLevels: u32,
    flags: u32,
) -> Result {
    let mipmappedArray = out(mipmappedArray)?;
    let runtime = current()?;
    // SAFETY: the caller gives a description; the function writes a handle, a pointer as ours, to `mipmappedArray`.
    unsafe {
        let asked = asked(desc, extent, flags)?;
        runtime
            .driver
            .cuMipmappedArrayCreate(alike_mut(mipmappedArray), &asked, numLevels)
            .check()
    }
}

pub unsafe fn cudaGetMipmappedArrayLevel(
    levelArray: *mut cudaArray_t,
    mipmappedArray: cudaMipmappedArray_const_t,
    level: u32,
) -> Result {
    let levelArray = out(levelArray)?;
    let mipmap = driver_mipmap(mipmappedArray);
    // SAFETY: the function writes a handle, a pointer as ours, to `levelArray`; the driver checks the other.
    unsafe {
        current()?
            .driver
            .cuMipmappedArrayGetLevel(alike_mut(levelArray), mipmap, level)
            .check()
    }
}

pub unsafe fn cudaFreeMipmappedArray(mipmappedArray: cudaMipmappedArray_t) -> Result {
    let runtime = current()?;
    if mipmappedArray == cudaMipmappedArray_t::null() {
        return Ok(());
    }
    // SAFETY: the driver checks the handle.
    unsafe {
        runtime
            .driver
            .cuMipmappedArrayDestroy(driver_mipmap(mipmappedArray))
            .check()
    }
}

pub unsafe fn cudaArrayGetPlane(
    pPlaneArray: *mut cudaArray_t,
    hArray: cudaArray_t,
    planeIdx: u32,
) -> Result {
    let pPlaneArray = out(pPlaneArray)?;
    // SAFETY: the function writes a handle, a pointer as ours, to `pPlaneArray`; the driver checks the other.
    unsafe {
        current()?
            .driver
            .cuArrayGetPlane(alike_mut(pPlaneArray), driver_array(hArray), planeIdx)
            .check()
    }
}

pub unsafe fn cudaArrayGetMemoryRequirements(
    memoryRequirements: *mut cudaArrayMemoryRequirements,
    array: cudaArray_t,
    device: i32,
) -> Result {
    let requirements = alike_mut(out(memoryRequirements)?);
    let runtime = runtime()?;
    let device = runtime.device(device)?.ordinal;
    // SAFETY: the function writes to the caller's structure, which is laid out as the driver's.
    unsafe {
        runtime
            .driver
            .cuArrayGetMemoryRequirements(requirements, driver_array(array), device)
            .check()
    }
}

pub unsafe fn cudaMipmappedArrayGetMemoryRequirements(
    memoryRequirements: *mut cudaArrayMemoryRequirements,
    mipmap: cudaMipmappedArray_t,
    device: i32,
) -> Result {
    let requirements = alike_mut(out(memoryRequirements)?);
    let runtime = runtime()?;
    let device = runtime.device(device)?.ordinal;
    // SAFETY: the function writes to the caller's structure, which is laid out as the driver's.
    unsafe {
        runtime
            .driver
            .cuMipmappedArrayGetMemoryRequirements(requirements, driver_mipmap(mipmap), device)
            .check()
    }
}

pub unsafe fn cudaArrayGetSparseProperties(
    sparseProperties: *mut cudaArraySparseProperties,
    array: cudaArray_t,
) -> Result {
    let properties = alike_mut(out(sparseProperties)?);
    // SAFETY: the function writes to the caller's structure, which is laid out as the driver's.
    unsafe {
        current()?
            .driver
            .cuArrayGetSparseProperties(properties, driver_array(array))
            .check()
    }
}

pub unsafe fn cudaMipmappedArrayGetSparseProperties(
    sparseProperties: *mut cudaArraySparseProperties,
    mipmap: cudaMipmappedArray_t,
) -> Result {
    let properties = alike_mut(out(sparseProperties)?);
    // SAFETY: the function writes to the caller's structure, which is laid out as the driver's.
    unsafe {
        current()?
            .driver
            .cuMipmappedArrayGetSparseProperties(properties, driver_mipmap(mipmap))
            .check()
    }
}

pub unsafe fn cudaDeviceGetTexture1DLinearMaxWidth(
    maxWidthInElements: *mut usize,
    fmtDesc: *const cudaChannelFormatDesc,
    device: i32,
) -> Result {
    let width = out(maxWidthInElements)?;
    // SAFETY: the caller gives a description or null.
    let desc = unsafe { fmtDesc.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let (format, channels) = format(desc)?;
    let runtime = runtime()?;
    let device = runtime.device(device)?.ordinal;
    // SAFETY: the function writes to `width`.
    unsafe {
        runtime
            .driver
            .cuDeviceGetTexture1DLinearMaxWidth(width, format, channels, device)
            .check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desc(bits: [i32; 4], f: Kind) -> cudaChannelFormatDesc {
        let [x, y, z, w] = bits;
        cudaChannelFormatDesc { x, y, z, w, f }
    }

    #[test]
    fn formats_go_both_ways() {
        for (kind, bits, known) in PLAIN_FORMATS {
            for channels in [1, 2, 4] {
                let mut all = [0; 4];
                all[..channels].fill(bits);
                let desc = desc(all, kind);
                assert_eq!(format(&desc), Ok((known, channels as u32)));
                assert_eq!(description(known, channels as u32), Ok(desc));
            }
        }
        for (kind, known) in NAMED_FORMATS {
            assert_eq!(format(&desc([8, 8, 0, 0], kind)), Ok((known, 2)));
            assert_eq!(description(known, 2).map(|d| d.f), Ok(kind));
        }
    }

    #[test]
    fn descriptions_that_no_format_has_are_refused() {
        let refused = Err(cudaError::cudaErrorInvalidChannelDescriptor);
        let float = Kind::cudaChannelFormatKindFloat;
        for bits in [
            [0, 0, 0, 0],
            [0, 32, 0, 0],
            [32, 0, 32, 0],
            [32, 16, 0, 0],
            [32, 32, 32, 0],
            [64, 0, 0, 0],
            [8, 0, 0, 0],
        ] {
            assert_eq!(format(&desc(bits, float)), refused, "{bits:?}");
        }
        assert_eq!(
            format(&desc([32, 0, 0, 0], Kind::cudaChannelFormatKindNone)),
            refused
        );
    }
}
