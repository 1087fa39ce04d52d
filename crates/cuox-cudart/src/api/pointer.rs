//! What a pointer points to.

use core::ffi::c_void;

use cuox_abi::{CUmemorytype, CUpointer_attribute as A};

use crate::api::convert::{device_pointer, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{cudaInvalidDeviceId, cudaMemoryType, cudaPointerAttributes};
use crate::runtime::current;

pub unsafe fn cudaPointerGetAttributes(
    attributes: *mut cudaPointerAttributes,
    ptr: *const c_void,
) -> Result {
    let attributes = out(attributes)?;
    let mut kind = CUmemorytype(0);
    let (mut device, mut host) = (0u64, core::ptr::null_mut::<c_void>());
    let (mut ordinal, mut managed) = (cudaInvalidDeviceId, 0u32);
    let mut wanted = [
        A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        A::CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
        A::CU_POINTER_ATTRIBUTE_HOST_POINTER,
        A::CU_POINTER_ATTRIBUTE_IS_MANAGED,
        A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
    ];
    let mut data: [*mut c_void; 5] = [
        (&raw mut kind).cast(),
        (&raw mut device).cast(),
        (&raw mut host).cast(),
        (&raw mut managed).cast(),
        (&raw mut ordinal).cast(),
    ];
    // SAFETY: each place is of its attribute's type; the driver does not look behind the pointer.
    unsafe {
        current()?
            .driver
            .cuPointerGetAttributes(
                wanted.len() as u32,
                wanted.as_mut_ptr(),
                data.as_mut_ptr(),
                device_pointer(ptr),
            )
            .check()?;
    }
    let kind = match kind {
        _ if managed & 0xff != 0 => cudaMemoryType::cudaMemoryTypeManaged,
        CUmemorytype::CU_MEMORYTYPE_HOST => cudaMemoryType::cudaMemoryTypeHost,
        CUmemorytype::CU_MEMORYTYPE_DEVICE => cudaMemoryType::cudaMemoryTypeDevice,
        _ => cudaMemoryType::cudaMemoryTypeUnregistered,
    };
    let mut found = cudaPointerAttributes {
        type_: kind,
        device: ordinal,
        devicePointer: pointer(device),
        hostPointer: host,
        ..Default::default()
    };
    if kind == cudaMemoryType::cudaMemoryTypeUnregistered {
        found.device = cudaInvalidDeviceId;
        found.devicePointer = core::ptr::null_mut();
        found.hostPointer = ptr.cast_mut();
    }
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { attributes.write(found) };
    Ok(())
}
