//! Links that no device has: NVLink, NVLink-C2C, bridge chips.

use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::find;
use crate::generated::{
    NVML_FEATURE_DISABLED, NVML_NVLINK_MAX_LINKS, nvmlBridgeChipHierarchy_t, nvmlC2cModeInfo_v1_t,
    nvmlDevice_t, nvmlEnableState_t, nvmlNvLinkCapability_t,
};
use crate::put::put;

fn check_link(device: nvmlDevice_t, link: u32) -> Res {
    find(device)?;
    match link < NVML_NVLINK_MAX_LINKS {
        true => Ok(()),
        false => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
    }
}

nvml_functions! {
    fn nvmlDeviceGetNvLinkState(device: nvmlDevice_t, link: u32, isActive: *mut nvmlEnableState_t) {
        check_link(device, link)?;
        put(isActive, NVML_FEATURE_DISABLED)
    }

    /// One of the capabilities is that there is the link.
    fn nvmlDeviceGetNvLinkCapability(device: nvmlDevice_t, link: u32, capability: nvmlNvLinkCapability_t, capResult: *mut u32) {
        check_link(device, link)?;
        if capability.name().is_none() {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        put(capResult, 0)
    }

    fn nvmlDeviceGetC2cModeInfoV(device: nvmlDevice_t, c2cModeInfo: *mut nvmlC2cModeInfo_v1_t) {
        find(device)?;
        put(c2cModeInfo, nvmlC2cModeInfo_v1_t::default())
    }

    fn nvmlDeviceGetBridgeChipInfo(device: nvmlDevice_t, bridgeHierarchy: *mut nvmlBridgeChipHierarchy_t) {
        find(device)?;
        put(bridgeHierarchy, nvmlBridgeChipHierarchy_t::default())
    }
}
