//! The devices: their handles, and what the settings of the software GPU say of them.

use std::fmt::Write as _;
use std::sync::OnceLock;

use cuox_abi::CUdevice_attribute;
use cuox_softgpu::description;

use crate::code::{Code, Res};
use crate::generated::nvmlDevice_t;

pub use cuox_softgpu::description::{
    DRIVER_VERSION, NAME, pci_bus, pci_bus_id as short_pci_bus_id, sm,
};

/// The branch of NVIDIA's driver that came with the CUDA version whose interface the software GPU has: programs compare
/// numbers of this kind with the oldest driver that they take.
pub const DRIVER: &str = "580.0.0";
/// That branch's name.
pub const BRANCH: &str = "r580_00";
/// CUDA's version in front of the driver's, as NVML's own.
pub const NVML: &str = "13.580.0.0";

/// The addresses of these are the handles, as real ones are addresses, too.
static HANDLES: [u64; 16] = [0; 16];

/// The number of devices, which stays what it was when it was first asked for.
pub fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| description::devices().min(HANDLES.len()))
}

/// The handle of a device that there is.
pub fn handle(device: usize) -> Res<nvmlDevice_t> {
    let place = HANDLES
        .get(..count())
        .and_then(|handles| handles.get(device));
    let place = place.ok_or(Code::NVML_ERROR_INVALID_ARGUMENT)?;
    Ok(nvmlDevice_t(
        core::ptr::from_ref(place)
            .cast_mut()
            .cast::<core::ffi::c_void>(),
    ))
}

/// The device of a handle.
pub fn find(handle: nvmlDevice_t) -> Res<usize> {
    let offset = handle.0.addr().checked_sub(HANDLES.as_ptr().addr());
    offset
        .filter(|offset| offset.is_multiple_of(size_of::<u64>()))
        .map(|offset| offset / size_of::<u64>())
        .filter(|&device| device < count())
        .ok_or(Code::NVML_ERROR_INVALID_ARGUMENT)
}

/// The handles of all devices.
pub fn handles() -> Vec<nvmlDevice_t> {
    (0..count())
        .filter_map(|device| handle(device).ok())
        .collect()
}

/// The bytes of a device's UUID.
pub fn uuid_bytes(device: usize) -> [u8; 16] {
    description::uuid(device).bytes.map(|byte| byte as u8)
}

/// A device's UUID as NVML writes it.
pub fn uuid(device: usize) -> String {
    let mut text = "GPU".to_owned();
    for (at, byte) in uuid_bytes(device).iter().enumerate() {
        if matches!(at, 0 | 4 | 6 | 8 | 10) {
            text.push('-');
        }
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A device's place on the PCI bus, with the domain's eight digits.
pub fn pci_bus_id(device: usize) -> String {
    format!("0000{}", short_pci_bus_id(device)).to_uppercase()
}

/// The device at a place on the PCI bus.
pub fn at_pci_bus_id(id: &str) -> Res<usize> {
    let place = description::pci_place(id).ok_or(Code::NVML_ERROR_INVALID_ARGUMENT)?;
    (0..count())
        .find(|&device| place == [0, i64::from(pci_bus(device)), 0])
        .ok_or(Code::NVML_ERROR_NOT_FOUND)
}

/// A device's attribute as the driver gives it.
pub fn attribute(device: usize, attribute: CUdevice_attribute) -> Res<u32> {
    description::attribute(device, attribute)
        .and_then(|value| u32::try_from(value).ok())
        .ok_or(Code::NVML_ERROR_NOT_SUPPORTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_found_by_handle_and_place() {
        let first = handle(0).unwrap();
        assert_eq!(find(first), Ok(0));
        let wrong = [first.addr() + 1, first.addr() + 8 * 16, 8, 0];
        for address in wrong {
            let refused = find(nvmlDevice_t::from_addr(address));
            assert_eq!(refused, Err(Code::NVML_ERROR_INVALID_ARGUMENT));
        }
        assert_eq!(pci_bus_id(0), "00000000:01:00.0");
        assert_eq!(at_pci_bus_id(&pci_bus_id(0)), Ok(0));
        assert_eq!(
            at_pci_bus_id("0000:77:00.0"),
            Err(Code::NVML_ERROR_NOT_FOUND)
        );
        assert_eq!(at_pci_bus_id("gpu"), Err(Code::NVML_ERROR_INVALID_ARGUMENT));
    }

    #[test]
    fn uuids_are_written_in_groups() {
        let text = uuid(0);
        let lengths: Vec<usize> = text.split('-').map(str::len).collect();
        assert_eq!(lengths, [3, 8, 4, 4, 4, 12]);
        assert!(text.starts_with("GPU-63756f78-2d73-"));
    }
}
