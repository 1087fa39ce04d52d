//! Texture and surface objects.

use cuox_abi::{
    CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION, CU_TRSF_NORMALIZED_COORDINATES,
    CU_TRSF_READ_AS_INTEGER, CU_TRSF_SEAMLESS_CUBEMAP, CU_TRSF_SRGB, CUDA_RESOURCE_DESC,
    CUDA_RESOURCE_DESC_v1_res as Resource, CUDA_RESOURCE_DESC_v1_res_array as ResourceArray,
    CUDA_RESOURCE_DESC_v1_res_linear as ResourceLinear,
    CUDA_RESOURCE_DESC_v1_res_mipmap as ResourceMipmap,
    CUDA_RESOURCE_DESC_v1_res_pitch2D as ResourcePitch, CUDA_TEXTURE_DESC,
    CUarray_format as Format, CUresourcetype,
};

use crate::api::array::{description, driver_array, driver_mipmap, format};
use crate::api::convert::{alike, alike_mut, alike_ptr, device_pointer, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaArray_t, cudaError, cudaResourceDesc, cudaResourceDesc_res as OwnResource,
    cudaResourceDesc_res_array as OwnArray, cudaResourceDesc_res_linear as OwnLinear,
    cudaResourceDesc_res_mipmap as OwnMipmap, cudaResourceDesc_res_pitch2D as OwnPitch,
    cudaResourceType as Type, cudaResourceViewDesc, cudaSurfaceObject_t, cudaTextureDesc,
    cudaTextureFilterMode as Filter, cudaTextureObject_t, cudaTextureReadMode as ReadMode,
};
use crate::runtime::{Runtime, current};

/// The driver's description of a resource.
fn resource(desc: &cudaResourceDesc) -> Result<CUDA_RESOURCE_DESC> {
    // SAFETY: the kind says which member is there, and each is valid for any bits.
    let (kind, res) = unsafe {
        match desc.resType {
            Type::cudaResourceTypeArray => (
                CUresourcetype::CU_RESOURCE_TYPE_ARRAY,
                Resource {
                    array: ResourceArray {
                        hArray: driver_array(desc.res.array.array),
                    },
                },
            ),
            Type::cudaResourceTypeMipmappedArray => (
                CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                Resource {
                    mipmap: ResourceMipmap {
                        hMipmappedArray: driver_mipmap(desc.res.mipmap.mipmap),
                    },
                },
            ),
            Type::cudaResourceTypeLinear => {
                let linear = desc.res.linear;
                let (format, numChannels) = format(&linear.desc)?;
                let linear = ResourceLinear {
                    devPtr: device_pointer(linear.devPtr),
                    format,
                    numChannels,
                    sizeInBytes: linear.sizeInBytes,
                };
                (CUresourcetype::CU_RESOURCE_TYPE_LINEAR, Resource { linear })
            }
            Type::cudaResourceTypePitch2D => {
                let pitch = desc.res.pitch2D;
                let (format, numChannels) = format(&pitch.desc)?;
                let pitch2D = ResourcePitch {
                    devPtr: device_pointer(pitch.devPtr),
                    format,
                    numChannels,
                    width: pitch.width,
                    height: pitch.height,
                    pitchInBytes: pitch.pitchInBytes,
                };
                (
                    CUresourcetype::CU_RESOURCE_TYPE_PITCH2D,
                    Resource { pitch2D },
                )
            }
            _ => return Err(cudaError::cudaErrorInvalidValue),
        }
    };
    Ok(CUDA_RESOURCE_DESC {
        resType: kind,
        res,
        flags: desc.flags,
    })
}

/// The runtime's description of a resource of the driver's.
fn own_resource(desc: &CUDA_RESOURCE_DESC) -> Result<cudaResourceDesc> {
    // SAFETY: the kind says which member is there; handles of both APIs are pointers.
    let (resType, res) = unsafe {
        match desc.resType {
            CUresourcetype::CU_RESOURCE_TYPE_ARRAY => (
                Type::cudaResourceTypeArray,
                OwnResource {
                    array: OwnArray {
                        array: alike(desc.res.array.hArray),
                    },
                },
            ),
            CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => (
                Type::cudaResourceTypeMipmappedArray,
                OwnResource {
                    mipmap: OwnMipmap {
                        mipmap: alike(desc.res.mipmap.hMipmappedArray),
                    },
                },
            ),
            CUresourcetype::CU_RESOURCE_TYPE_LINEAR => {
                let linear = desc.res.linear;
                let linear = OwnLinear {
                    devPtr: pointer(linear.devPtr),
                    desc: description(linear.format, linear.numChannels)?,
                    sizeInBytes: linear.sizeInBytes,
                };
                (Type::cudaResourceTypeLinear, OwnResource { linear })
            }
            CUresourcetype::CU_RESOURCE_TYPE_PITCH2D => {
                let pitch = desc.res.pitch2D;
                let pitch2D = OwnPitch {
                    devPtr: pointer(pitch.devPtr),
                    desc: description(pitch.format, pitch.numChannels)?,
                    width: pitch.width,
                    height: pitch.height,
                    pitchInBytes: pitch.pitchInBytes,
                };
                (Type::cudaResourceTypePitch2D, OwnResource { pitch2D })
            }
            _ => return Err(cudaError::cudaErrorUnknown),
        }
    };
    Ok(cudaResourceDesc {
        resType,
        res,
        flags: desc.flags,
    })
}

/// The format of a resource's elements.
fn resource_format(runtime: &Runtime, desc: &CUDA_RESOURCE_DESC) -> Result<Format> {
    // SAFETY: the kind says which member is there; the functions write to locals, and the driver checks handles.
    unsafe {
        let array = match desc.resType {
            CUresourcetype::CU_RESOURCE_TYPE_LINEAR => return Ok(desc.res.linear.format),
            CUresourcetype::CU_RESOURCE_TYPE_PITCH2D => return Ok(desc.res.pitch2D.format),
            CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
                let mut level = cudaArray_t::null();
                let mipmap = desc.res.mipmap.hMipmappedArray;
                runtime
                    .driver
                    .cuMipmappedArrayGetLevel(alike_mut(&raw mut level), mipmap, 0)
                    .check()?;
                level
            }
            _ => alike(desc.res.array.hArray),
        };
        super::array::descriptor(array).map(|found| found.Format)
    }
}

/// The driver's description of a texture, of elements of this format.
fn texture(desc: &cudaTextureDesc, format: Format) -> Result<CUDA_TEXTURE_DESC> {
    let integer = [
        Format::CU_AD_FORMAT_UNSIGNED_INT8,
        Format::CU_AD_FORMAT_UNSIGNED_INT16,
        Format::CU_AD_FORMAT_UNSIGNED_INT32,
        Format::CU_AD_FORMAT_SIGNED_INT8,
        Format::CU_AD_FORMAT_SIGNED_INT16,
        Format::CU_AD_FORMAT_SIGNED_INT32,
    ]
    .contains(&format);
    let wide = [
        Format::CU_AD_FORMAT_UNSIGNED_INT32,
        Format::CU_AD_FORMAT_SIGNED_INT32,
    ]
    .contains(&format);
    let as_is = desc.readMode == ReadMode::cudaReadModeElementType;
    if !as_is && wide {
        return Err(cudaError::cudaErrorInvalidNormSetting);
    }
    if as_is && integer && desc.filterMode == Filter::cudaFilterModeLinear {
        return Err(cudaError::cudaErrorInvalidFilterSetting);
    }
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    let flags = flag(as_is && integer, CU_TRSF_READ_AS_INTEGER)
        | flag(desc.normalizedCoords != 0, CU_TRSF_NORMALIZED_COORDINATES)
        | flag(desc.sRGB != 0, CU_TRSF_SRGB)
        | flag(
            desc.disableTrilinearOptimization != 0,
            CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION,
        )
        | flag(desc.seamlessCubemap != 0, CU_TRSF_SEAMLESS_CUBEMAP);
    // SAFETY: modes are numbers, the same in both APIs; any is a value.
    unsafe {
        Ok(CUDA_TEXTURE_DESC {
            addressMode: alike(desc.addressMode),
            filterMode: alike(desc.filterMode),
            flags,
            maxAnisotropy: desc.maxAnisotropy,
            mipmapFilterMode: alike(desc.mipmapFilterMode),
            mipmapLevelBias: desc.mipmapLevelBias,
            minMipmapLevelClamp: desc.minMipmapLevelClamp,
            maxMipmapLevelClamp: desc.maxMipmapLevelClamp,
            borderColor: desc.borderColor,
            ..Default::default()
        })
    }
}

/// The runtime's description of a texture of the driver's, of elements of this format.
fn own_texture(desc: &CUDA_TEXTURE_DESC, format: Format) -> cudaTextureDesc {
    let has = |flag: u32| desc.flags & flag != 0;
    let float = [Format::CU_AD_FORMAT_FLOAT, Format::CU_AD_FORMAT_HALF].contains(&format);
    // SAFETY: modes are numbers, the same in both APIs; any is a value.
    unsafe {
        cudaTextureDesc {
            addressMode: alike(desc.addressMode),
            filterMode: alike(desc.filterMode),
            readMode: if float || has(CU_TRSF_READ_AS_INTEGER) {
                ReadMode::cudaReadModeElementType
            } else {
                ReadMode::cudaReadModeNormalizedFloat
            },
            sRGB: has(CU_TRSF_SRGB).into(),
            borderColor: desc.borderColor,
            normalizedCoords: has(CU_TRSF_NORMALIZED_COORDINATES).into(),
            maxAnisotropy: desc.maxAnisotropy,
            mipmapFilterMode: alike(desc.mipmapFilterMode),
            mipmapLevelBias: desc.mipmapLevelBias,
            minMipmapLevelClamp: desc.minMipmapLevelClamp,
            maxMipmapLevelClamp: desc.maxMipmapLevelClamp,
            disableTrilinearOptimization: has(CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION).into(),
            seamlessCubemap: has(CU_TRSF_SEAMLESS_CUBEMAP).into(),
        }
    }
}

pub unsafe fn cudaCreateTextureObject(
    pTexObject: *mut cudaTextureObject_t,
    pResDesc: *const cudaResourceDesc,
    pTexDesc: *const cudaTextureDesc,
    pResViewDesc: *const cudaResourceViewDesc,
) -> Result {
    let object = out(pTexObject)?;
    let runtime = current()?;
    // SAFETY: the caller gives descriptions or null; the view's is laid out as the driver's.
    unsafe {
        let resource = resource(pResDesc.as_ref().ok_or(cudaError::cudaErrorInvalidValue)?)?;
        let given = pTexDesc.as_ref().ok_or(cudaError::cudaErrorInvalidValue)?;
        let texture = texture(given, resource_format(runtime, &resource)?)?;
        runtime
            .driver
            .cuTexObjectCreate(object, &resource, &texture, alike_ptr(pResViewDesc))
            .check()
    }
}

pub unsafe fn cudaDestroyTextureObject(texObject: cudaTextureObject_t) -> Result {
    let runtime = current()?;
    if texObject == 0 {
        return Ok(());
    }
    // SAFETY: the driver checks the handle.
    unsafe { runtime.driver.cuTexObjectDestroy(texObject).check() }
}

/// The driver's description of a texture object's resource.
fn resource_of(runtime: &Runtime, object: cudaTextureObject_t) -> Result<CUDA_RESOURCE_DESC> {
    let mut found = CUDA_RESOURCE_DESC::default();
    // SAFETY: the function writes to `found`; the driver checks the handle.
    unsafe {
        runtime
            .driver
            .cuTexObjectGetResourceDesc(&mut found, object)
            .check()?;
    }
    Ok(found)
}

pub unsafe fn cudaGetTextureObjectResourceDesc(
    pResDesc: *mut cudaResourceDesc,
    texObject: cudaTextureObject_t,
) -> Result {
    let desc = out(pResDesc)?;
    let found = own_resource(&resource_of(current()?, texObject)?)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { desc.write(found) };
    Ok(())
}

pub unsafe fn cudaGetTextureObjectTextureDesc(
    pTexDesc: *mut cudaTextureDesc,
    texObject: cudaTextureObject_t,
) -> Result {
    let desc = out(pTexDesc)?;
    let runtime = current()?;
    let mut found = CUDA_TEXTURE_DESC::default();
    // SAFETY: the function writes to `found`; the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuTexObjectGetTextureDesc(&mut found, texObject)
            .check()?;
        let format = resource_format(runtime, &resource_of(runtime, texObject)?)?;
        desc.write(own_texture(&found, format));
    }
    Ok(())
}

pub unsafe fn cudaGetTextureObjectResourceViewDesc(
    pResViewDesc: *mut cudaResourceViewDesc,
    texObject: cudaTextureObject_t,
) -> Result {
    let desc = alike_mut(out(pResViewDesc)?);
    // SAFETY: the function writes to the caller's structure, which is laid out as the driver's.
    unsafe {
        current()?
            .driver
            .cuTexObjectGetResourceViewDesc(desc, texObject)
            .check()
    }
}

pub unsafe fn cudaCreateSurfaceObject(
    pSurfObject: *mut cudaSurfaceObject_t,
    pResDesc: *const cudaResourceDesc,
) -> Result {
    let object = out(pSurfObject)?;
    let runtime = current()?;
    // SAFETY: the caller gives a description or null; the function writes to `object`.
    unsafe {
        let given = pResDesc.as_ref().ok_or(cudaError::cudaErrorInvalidValue)?;
        if given.resType != Type::cudaResourceTypeArray {
            return Err(cudaError::cudaErrorInvalidValue);
        }
        runtime
            .driver
            .cuSurfObjectCreate(object, &resource(given)?)
            .check()
    }
}

pub unsafe fn cudaDestroySurfaceObject(surfObject: cudaSurfaceObject_t) -> Result {
    let runtime = current()?;
    if surfObject == 0 {
        return Ok(());
    }
    // SAFETY: the driver checks the handle.
    unsafe { runtime.driver.cuSurfObjectDestroy(surfObject).check() }
}

pub unsafe fn cudaGetSurfaceObjectResourceDesc(
    pResDesc: *mut cudaResourceDesc,
    surfObject: cudaSurfaceObject_t,
) -> Result {
    let desc = out(pResDesc)?;
    let mut found = CUDA_RESOURCE_DESC::default();
    // SAFETY: the function writes to `found`; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuSurfObjectGetResourceDesc(&mut found, surfObject)
            .check()?;
        desc.write(own_resource(&found)?);
    }
    Ok(())
}
