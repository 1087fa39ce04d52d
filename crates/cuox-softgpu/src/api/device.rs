//! Devices.

use crate::api::{check_device, driver_functions, name_of, put};
use crate::code::{INVALID_DEVICE, INVALID_VALUE};
use crate::{device, driver, settings};
use core::ffi::c_char;
use cuox_abi::{CUdevice, CUdevice_attribute, CUdevprop, CUexecAffinityType, CUuuid};

/// Writes a C string cut to `len` bytes.
///
/// # Safety
/// `to` is null or has `len` writable bytes.
unsafe fn put_text(to: *mut c_char, len: i32, text: &str) -> crate::code::Res {
    let room = usize::try_from(len)
        .ok()
        .filter(|&n| n > 0 && !to.is_null())
        .ok_or(INVALID_VALUE)?;
    let count = text.len().min(room - 1);
    // SAFETY: count + 1 <= len bytes are written.
    unsafe {
        to.cast::<u8>()
            .copy_from_nonoverlapping(text.as_ptr(), count);
        to.add(count).write(0);
    }
    Ok(())
}

driver_functions! {
    fn cuDeviceGetCount(count: *mut i32) {
        put(count, driver::get()?.devices.len() as i32)
    }

    fn cuDeviceGet(device: *mut CUdevice, ordinal: i32) {
        check_device(ordinal)?;
        put(device, ordinal)
    }

    fn cuDeviceGetName(name: *mut c_char, len: i32, dev: CUdevice) {
        check_device(dev)?;
        put_text(name, len, device::NAME)
    }

    fn cuDeviceGetUuid(uuid: *mut CUuuid, dev: CUdevice) {
        put(uuid, device::uuid(driver::get()?.device(dev)?.ordinal))
    }

    fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, dev: CUdevice) {
        put(uuid, device::uuid(driver::get()?.device(dev)?.ordinal))
    }

    fn cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice) {
        let driver = driver::get()?;
        check_device(dev)?;
        put(bytes, driver.memory.total() as usize)
    }

    fn cuDeviceGetAttribute(pi: *mut i32, attrib: CUdevice_attribute, dev: CUdevice) {
        let device = driver::get()?.device(dev)?.ordinal;
        put(pi, device::attribute(device, attrib).ok_or(INVALID_VALUE)?)
    }

    fn cuDeviceComputeCapability(major: *mut i32, minor: *mut i32, dev: CUdevice) {
        check_device(dev)?;
        put(major, (settings::sm() / 10) as i32)?;
        put(minor, (settings::sm() % 10) as i32)
    }

    fn cuDeviceGetProperties(prop: *mut CUdevprop, dev: CUdevice) {
        let device = driver::get()?.device(dev)?.ordinal;
        let signed = |v: [u32; 3]| v.map(|n| n as i32);
        let of = |a| device::attribute(device, a).unwrap_or(0);
        put(prop, CUdevprop {
            maxThreadsPerBlock: device::MAX_THREADS as i32,
            maxThreadsDim: signed(device::MAX_BLOCK),
            maxGridSize: signed(device::MAX_GRID),
            sharedMemPerBlock: device::SHARED_DEFAULT as i32,
            totalConstantMemory: of(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY),
            SIMDWidth: device::WARP as i32,
            memPitch: of(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_PITCH),
            regsPerBlock: of(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
            clockRate: of(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
            textureAlign: of(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
        })
    }

    fn cuDeviceGetPCIBusId(pciBusId: *mut c_char, len: i32, dev: CUdevice) {
        let device = driver::get()?.device(dev)?.ordinal;
        put_text(pciBusId, len, &device::pci_bus_id(device))
    }

    fn cuDeviceGetByPCIBusId(dev: *mut CUdevice, pciBusId: *const c_char) {
        let driver = driver::get()?;
        let asked = device::pci_place(name_of(pciBusId)?).ok_or(INVALID_VALUE)?;
        let mut devices = driver.devices.iter();
        let found = devices.position(|one| asked == [0, i64::from(device::pci_bus(one.ordinal)), 0]);
        put(dev, found.ok_or(INVALID_DEVICE)? as i32)
    }

    fn cuDeviceGetExecAffinitySupport(pi: *mut i32, _type_: CUexecAffinityType, dev: CUdevice) {
        check_device(dev)?;
        put(pi, 0)
    }
}
