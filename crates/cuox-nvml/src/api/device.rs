//! Devices: how they are found, and what they are.

use core::ffi::{CStr, c_char};

use cuox_abi::CUdevice_attribute as A;

use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::{self, find, handle};
use crate::driver;
use crate::generated::{
    NVML_BRAND_UNKNOWN, NVML_BUS_TYPE_UNKNOWN, NVML_DEVICE_ARCH_ADA, NVML_DEVICE_ARCH_AMPERE,
    NVML_DEVICE_ARCH_BLACKWELL, NVML_DEVICE_ARCH_HOPPER, NVML_DEVICE_ARCH_TURING, nvmlBrandType_t,
    nvmlBusType_t, nvmlDevice_t, nvmlDeviceArchitecture_t, nvmlDeviceAttributes_t, nvmlPciInfo_t,
    nvmlPciInfoExt_t, nvmlPciInfoExt_v1, nvmlPdi_t, nvmlPdi_v1, nvmlUUID_t, nvmlUUID_v1,
    nvmlUUIDType_t,
};
use crate::put::{array, name_of, put, put_both, put_text, versioned};

fn by_uuid(text: &str) -> Res<nvmlDevice_t> {
    (0..devices::count())
        .find(|&device| text.eq_ignore_ascii_case(&devices::uuid(device)))
        .map_or(Err(Code::NVML_ERROR_NOT_FOUND), handle)
}

/// A device's place on the PCI bus. It has no numbers of a vendor.
fn pci_info(device: usize) -> nvmlPciInfo_t {
    nvmlPciInfo_t {
        busIdLegacy: array(&devices::short_pci_bus_id(device).to_uppercase()),
        domain: 0,
        bus: devices::pci_bus(device) as u32,
        device: 0,
        pciDeviceId: 0,
        pciSubSystemId: 0,
        busId: array(&devices::pci_bus_id(device)),
    }
}

/// Parts of a device; it has none for video.
fn attributes_of(device: usize) -> Res<nvmlDeviceAttributes_t> {
    Ok(nvmlDeviceAttributes_t {
        multiprocessorCount: devices::attribute(
            device,
            A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        )?,
        sharedCopyEngineCount: devices::attribute(
            device,
            A::CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT,
        )?,
        memorySizeMB: driver::memory(device).total >> 20,
        ..Default::default()
    })
}

nvml_functions! {
    fn nvmlDeviceGetCount(deviceCount: *mut u32) {
        put(deviceCount, devices::count() as u32)
    }

    fn nvmlDeviceGetCount_v2(deviceCount: *mut u32) {
        put(deviceCount, devices::count() as u32)
    }

    fn nvmlDeviceGetHandleByIndex(index: u32, device: *mut nvmlDevice_t) {
        put(device, handle(index as usize)?)
    }

    fn nvmlDeviceGetHandleByIndex_v2(index: u32, device: *mut nvmlDevice_t) {
        put(device, handle(index as usize)?)
    }

    /// There are no serial numbers.
    fn nvmlDeviceGetHandleBySerial(serial: *const c_char, device: *mut nvmlDevice_t) {
        match serial.is_null() || device.is_null() {
            true => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
            false => Err(Code::NVML_ERROR_NOT_FOUND),
        }
    }

    fn nvmlDeviceGetHandleByUUID(uuid: *const c_char, device: *mut nvmlDevice_t) {
        put(device, by_uuid(name_of(uuid)?)?)
    }

    fn nvmlDeviceGetHandleByUUIDV(uuid: *const nvmlUUID_t, device: *mut nvmlDevice_t) {
        let uuid = versioned(uuid.cast_mut(), nvmlUUID_v1)?;
        let found = match nvmlUUIDType_t(uuid.type_) {
            nvmlUUIDType_t::NVML_UUID_TYPE_ASCII => {
                let bytes = uuid.value.str.map(|byte| byte as u8);
                let text = CStr::from_bytes_until_nul(&bytes).ok().and_then(|text| text.to_str().ok());
                by_uuid(text.ok_or(Code::NVML_ERROR_INVALID_ARGUMENT)?)?
            }
            nvmlUUIDType_t::NVML_UUID_TYPE_BINARY => {
                let found = (0..devices::count()).find(|&at| devices::uuid_bytes(at) == uuid.value.bytes);
                handle(found.ok_or(Code::NVML_ERROR_NOT_FOUND)?)?
            }
            _ => return Err(Code::NVML_ERROR_INVALID_ARGUMENT),
        };
        put(device, found)
    }

    fn nvmlDeviceGetHandleByPciBusId(pciBusId: *const c_char, device: *mut nvmlDevice_t) {
        put(device, handle(devices::at_pci_bus_id(name_of(pciBusId)?)?)?)
    }

    fn nvmlDeviceGetHandleByPciBusId_v2(pciBusId: *const c_char, device: *mut nvmlDevice_t) {
        put(device, handle(devices::at_pci_bus_id(name_of(pciBusId)?)?)?)
    }

    fn nvmlDeviceGetName(device: nvmlDevice_t, name: *mut c_char, length: u32) {
        find(device)?;
        put_text(name, length, devices::NAME)
    }

    fn nvmlDeviceGetBrand(device: nvmlDevice_t, type_: *mut nvmlBrandType_t) {
        find(device)?;
        put(type_, NVML_BRAND_UNKNOWN)
    }

    fn nvmlDeviceGetIndex(device: nvmlDevice_t, index: *mut u32) {
        put(index, find(device)? as u32)
    }

    fn nvmlDeviceGetMinorNumber(device: nvmlDevice_t, minorNumber: *mut u32) {
        put(minorNumber, find(device)? as u32)
    }

    fn nvmlDeviceGetUUID(device: nvmlDevice_t, uuid: *mut c_char, length: u32) {
        put_text(uuid, length, &devices::uuid(find(device)?))
    }

    /// The UUID's last bytes, which tell devices and their architectures apart.
    fn nvmlDeviceGetPdi(device: nvmlDevice_t, pdi: *mut nvmlPdi_t) {
        let [.., a, b, c, d, e, f, g, h] = devices::uuid_bytes(find(device)?);
        versioned(pdi, nvmlPdi_v1)?.value = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        Ok(())
    }

    fn nvmlDeviceGetPciInfo(device: nvmlDevice_t, pci: *mut nvmlPciInfo_t) {
        put(pci, pci_info(find(device)?))
    }

    fn nvmlDeviceGetPciInfo_v2(device: nvmlDevice_t, pci: *mut nvmlPciInfo_t) {
        put(pci, pci_info(find(device)?))
    }

    fn nvmlDeviceGetPciInfo_v3(device: nvmlDevice_t, pci: *mut nvmlPciInfo_t) {
        put(pci, pci_info(find(device)?))
    }

    fn nvmlDeviceGetPciInfoExt(device: nvmlDevice_t, pci: *mut nvmlPciInfoExt_t) {
        let info = pci_info(find(device)?);
        let pci = versioned(pci, nvmlPciInfoExt_v1)?;
        *pci = nvmlPciInfoExt_t {
            version: pci.version,
            bus: info.bus,
            busId: info.busId,
            ..Default::default()
        };
        Ok(())
    }

    fn nvmlDeviceGetBusType(device: nvmlDevice_t, type_: *mut nvmlBusType_t) {
        find(device)?;
        put(type_, NVML_BUS_TYPE_UNKNOWN)
    }

    fn nvmlDeviceGetCudaComputeCapability(device: nvmlDevice_t, major: *mut i32, minor: *mut i32) {
        find(device)?;
        put_both(major, (devices::sm() / 10) as i32, minor, (devices::sm() % 10) as i32)
    }

    fn nvmlDeviceGetArchitecture(device: nvmlDevice_t, arch: *mut nvmlDeviceArchitecture_t) {
        find(device)?;
        put(arch, match devices::sm() {
            ..80 => NVML_DEVICE_ARCH_TURING,
            80..89 => NVML_DEVICE_ARCH_AMPERE,
            89 => NVML_DEVICE_ARCH_ADA,
            90..100 => NVML_DEVICE_ARCH_HOPPER,
            _ => NVML_DEVICE_ARCH_BLACKWELL,
        })
    }

    fn nvmlDeviceGetAttributes(device: nvmlDevice_t, attributes: *mut nvmlDeviceAttributes_t) {
        put(attributes, attributes_of(find(device)?)?)
    }

    fn nvmlDeviceGetAttributes_v2(device: nvmlDevice_t, attributes: *mut nvmlDeviceAttributes_t) {
        put(attributes, attributes_of(find(device)?)?)
    }

    /// Each device is a module of its own.
    fn nvmlDeviceGetModuleId(device: nvmlDevice_t, moduleId: *mut u32) {
        put(moduleId, find(device)? as u32)
    }

    fn nvmlDeviceGetMultiGpuBoard(device: nvmlDevice_t, multiGpuBool: *mut u32) {
        find(device)?;
        put(multiGpuBool, 0)
    }

    /// Each device is on a board of its own.
    fn nvmlDeviceGetBoardId(device: nvmlDevice_t, boardId: *mut u32) {
        put(boardId, (devices::pci_bus(find(device)?) as u32) << 8)
    }

    fn nvmlDeviceOnSameBoard(device1: nvmlDevice_t, device2: nvmlDevice_t, onSameBoard: *mut i32) {
        put(onSameBoard, i32::from(find(device1)? == find(device2)?))
    }

    fn nvmlDeviceGetMemoryBusWidth(device: nvmlDevice_t, busWidth: *mut u32) {
        let device = find(device)?;
        put(busWidth, devices::attribute(device, A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?)
    }
}
