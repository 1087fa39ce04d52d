//! Texture and surface objects.

use crate::api::{check_device, driver_functions, put};
use crate::code::{INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::current;
use crate::driver::{self, Driver};
use crate::images::texture::{self, ImageSources, StoredDescriptor, SurfaceObject, TextureObject};
use cuox_abi::{
    CUDA_RESOURCE_DESC, CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC, CUarray_format, CUdevice,
    CUsurfObject, CUtexObject,
};
use std::sync::Arc;

fn healthy() -> Res<&'static Driver> {
    let driver = driver::get()?;
    current::healthy(driver)?;
    Ok(driver)
}

/// The driver once no work is left that may read an object: programs destroy objects as soon as they have launched the
/// kernels that use them.
fn unused() -> Res<&'static Driver> {
    let driver = driver::get()?;
    let context = current::healthy(driver)?;
    context.state.wait();
    Ok(driver)
}

fn sources(driver: &Driver) -> ImageSources<'_> {
    ImageSources {
        memory: &driver.memory,
        arrays: &driver.arrays,
        mipmaps: &driver.mipmaps,
    }
}

fn named(driver: &Driver, object: CUtexObject) -> Res<Arc<TextureObject>> {
    driver.textures.get(object).ok_or(INVALID_VALUE)
}

driver_functions! {
    fn cuDeviceGetTexture1DLinearMaxWidth(maxWidthInElements: *mut usize, format: CUarray_format, numChannels: u32, dev: CUdevice) {
        driver::get()?;
        check_device(dev)?;
        put(maxWidthInElements, texture::most_linear(format, numChannels)? as usize)
    }

    fn cuTexObjectCreate(pTexObject: *mut CUtexObject, pResDesc: *const CUDA_RESOURCE_DESC, pTexDesc: *const CUDA_TEXTURE_DESC, pResViewDesc: *const CUDA_RESOURCE_VIEW_DESC) {
        let driver = driver::get()?;
        let context = current::healthy(driver)?.handle();
        let resource = pResDesc.as_ref().ok_or(INVALID_VALUE)?;
        let description = pTexDesc.as_ref().ok_or(INVALID_VALUE)?;
        let view = pResViewDesc.as_ref();
        if pTexObject.is_null() {
            return Err(INVALID_VALUE);
        }
        let texture = Arc::new(texture::texture(sources(driver), resource, description, view)?);
        let made = driver.textures.insert(|handle| TextureObject {
            handle,
            context,
            resource: StoredDescriptor(*resource),
            description: *description,
            view: view.copied(),
            texture,
        });
        put(pTexObject, made.ok_or(OUT_OF_MEMORY)?.handle)
    }

    fn cuTexObjectDestroy(texObject: CUtexObject) {
        // NVIDIA's driver does not mind a handle that is none.
        unused()?.textures.remove(texObject);
        Ok(())
    }

    fn cuTexObjectGetResourceDesc(pResDesc: *mut CUDA_RESOURCE_DESC, texObject: CUtexObject) {
        put(pResDesc, named(healthy()?, texObject)?.resource.0)
    }

    fn cuTexObjectGetTextureDesc(pTexDesc: *mut CUDA_TEXTURE_DESC, texObject: CUtexObject) {
        put(pTexDesc, named(healthy()?, texObject)?.description)
    }

    fn cuTexObjectGetResourceViewDesc(pResViewDesc: *mut CUDA_RESOURCE_VIEW_DESC, texObject: CUtexObject) {
        match named(healthy()?, texObject)?.view {
            Some(view) => put(pResViewDesc, view),
            None => Ok(()),
        }
    }

    fn cuSurfObjectCreate(pSurfObject: *mut CUsurfObject, pResDesc: *const CUDA_RESOURCE_DESC) {
        let driver = driver::get()?;
        let context = current::healthy(driver)?.handle();
        let resource = pResDesc.as_ref().ok_or(INVALID_VALUE)?;
        if pSurfObject.is_null() {
            return Err(INVALID_VALUE);
        }
        let surface = Arc::new(texture::surface(sources(driver), resource)?);
        let made = driver.surfaces.insert(|handle| SurfaceObject {
            handle,
            context,
            resource: StoredDescriptor(*resource),
            surface,
        });
        put(pSurfObject, made.ok_or(OUT_OF_MEMORY)?.handle)
    }

    fn cuSurfObjectDestroy(surfObject: CUsurfObject) {
        unused()?.surfaces.remove(surfObject);
        Ok(())
    }

    fn cuSurfObjectGetResourceDesc(pResDesc: *mut CUDA_RESOURCE_DESC, surfObject: CUsurfObject) {
        let found = healthy()?.surfaces.get(surfObject).ok_or(INVALID_VALUE)?;
        put(pResDesc, found.resource.0)
    }
}
