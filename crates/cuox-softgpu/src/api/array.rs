//! Arrays and mipmapped arrays.

use crate::api::{driver_functions, put};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, Res};
use crate::current;
use crate::driver::{self, Driver};
use crate::images::array;
use cuox_abi::{CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR, CUarray, CUmipmappedArray};
use std::sync::Arc;

fn named(driver: &Driver, array: CUarray) -> Res<Arc<array::Array>> {
    driver.arrays.get(array.addr() as u64).ok_or(INVALID_HANDLE)
}

fn create(to: *mut CUarray, descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> Res {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    if to.is_null() {
        return Err(INVALID_VALUE);
    }
    let made = array::create(
        &driver.memory,
        &driver.arrays,
        now.state.owner(),
        descriptor,
    )?;
    // SAFETY: not null, so writable, as the header asks.
    unsafe { put(to, CUarray::from_addr(made.handle as usize)) }
}

driver_functions! {
    fn cuArrayCreate_v2(pHandle: *mut CUarray, pAllocateArray: *const CUDA_ARRAY_DESCRIPTOR) {
        let d = pAllocateArray.as_ref().ok_or(INVALID_VALUE)?;
        create(pHandle, &CUDA_ARRAY3D_DESCRIPTOR {
            Width: d.Width,
            Height: d.Height,
            Format: d.Format,
            NumChannels: d.NumChannels,
            ..CUDA_ARRAY3D_DESCRIPTOR::default()
        })
    }

    fn cuArray3DCreate_v2(pHandle: *mut CUarray, pAllocateArray: *const CUDA_ARRAY3D_DESCRIPTOR) {
        create(pHandle, pAllocateArray.as_ref().ok_or(INVALID_VALUE)?)
    }

    fn cuArrayGetDescriptor_v2(pArrayDescriptor: *mut CUDA_ARRAY_DESCRIPTOR, hArray: CUarray) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        let d = named(driver, hArray)?.descriptor;
        put(pArrayDescriptor, CUDA_ARRAY_DESCRIPTOR {
            Width: d.Width,
            Height: d.Height,
            Format: d.Format,
            NumChannels: d.NumChannels,
        })
    }

    fn cuArray3DGetDescriptor_v2(pArrayDescriptor: *mut CUDA_ARRAY3D_DESCRIPTOR, hArray: CUarray) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        put(pArrayDescriptor, named(driver, hArray)?.descriptor)
    }

    fn cuArrayDestroy(hArray: CUarray) {
        let driver = driver::get()?;
        let Ok(array) = named(driver, hArray) else {
            current::healthy(driver)?;
            return Err(INVALID_HANDLE);
        };
        let now = current::healthy_or_owner(driver, array.context)?;
        if array.mipmap != 0 {
            return Err(INVALID_HANDLE);
        }
        now.state.wait();
        array.forget(&driver.memory, &driver.arrays);
        Ok(())
    }

    fn cuMipmappedArrayCreate(pHandle: *mut CUmipmappedArray, pMipmappedArrayDesc: *const CUDA_ARRAY3D_DESCRIPTOR, numMipmapLevels: u32) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        let d = pMipmappedArrayDesc.as_ref().ok_or(INVALID_VALUE)?;
        if pHandle.is_null() {
            return Err(INVALID_VALUE);
        }
        let made = array::create_mipmap(&driver.memory, &driver.arrays, &driver.mipmaps, now.state.owner(), d, numMipmapLevels)?;
        put(pHandle, CUmipmappedArray::from_addr(made.handle as usize))
    }

    fn cuMipmappedArrayGetLevel(pLevelArray: *mut CUarray, hMipmappedArray: CUmipmappedArray, level: u32) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        let mipmap = driver.mipmaps.get(hMipmappedArray.addr() as u64).ok_or(INVALID_HANDLE)?;
        let handle = *mipmap.levels.get(level as usize).ok_or(INVALID_VALUE)?;
        put(pLevelArray, CUarray::from_addr(handle as usize))
    }

    fn cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        let mipmap = driver.mipmaps.get(hMipmappedArray.addr() as u64).ok_or(INVALID_HANDLE)?;
        now.state.wait();
        mipmap.forget(&driver.memory, &driver.arrays, &driver.mipmaps);
        Ok(())
    }
}
