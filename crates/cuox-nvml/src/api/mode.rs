//! Modes that a device is always in, and parts that it does not have.

use crate::api::nvml_functions;
use crate::code::Code;
use crate::devices::find;
use crate::generated::{
    NVML_COMPUTEMODE_DEFAULT, NVML_DEVICE_MIG_DISABLE, NVML_FEATURE_DISABLED, NVML_FEATURE_ENABLED,
    NVML_GPU_VIRTUALIZATION_MODE_NONE, nvmlComputeMode_t, nvmlDevice_t, nvmlDeviceCapabilities_t,
    nvmlDeviceCapabilities_v1, nvmlEnableState_t, nvmlGpuVirtualizationMode_t,
    nvmlGridLicensableFeatures_t, nvmlRepairStatus_t, nvmlRepairStatus_v1,
};
use crate::put::{put, put_both, versioned};

fn no_features(device: nvmlDevice_t, to: *mut nvmlGridLicensableFeatures_t) -> crate::code::Res {
    find(device)?;
    // SAFETY: null or a place for the structure, as the caller of the API promises.
    unsafe { put(to, nvmlGridLicensableFeatures_t::default()) }
}

nvml_functions! {
    fn nvmlDeviceGetComputeMode(device: nvmlDevice_t, mode: *mut nvmlComputeMode_t) {
        find(device)?;
        put(mode, NVML_COMPUTEMODE_DEFAULT)
    }

    /// The mode that there is can be set.
    fn nvmlDeviceSetComputeMode(device: nvmlDevice_t, mode: nvmlComputeMode_t) {
        find(device)?;
        match mode {
            NVML_COMPUTEMODE_DEFAULT => Ok(()),
            _ if mode.0 < nvmlComputeMode_t::NVML_COMPUTEMODE_COUNT.0 => Err(Code::NVML_ERROR_NOT_SUPPORTED),
            _ => Err(Code::NVML_ERROR_UNKNOWN),
        }
    }

    fn nvmlDeviceGetPersistenceMode(device: nvmlDevice_t, mode: *mut nvmlEnableState_t) {
        find(device)?;
        put(mode, NVML_FEATURE_DISABLED)
    }

    /// The mode that there is can be set.
    fn nvmlDeviceSetPersistenceMode(device: nvmlDevice_t, mode: nvmlEnableState_t) {
        find(device)?;
        match mode {
            NVML_FEATURE_DISABLED => Ok(()),
            NVML_FEATURE_ENABLED => Err(Code::NVML_ERROR_NOT_SUPPORTED),
            _ => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
        }
    }

    fn nvmlDeviceGetDisplayMode(device: nvmlDevice_t, display: *mut nvmlEnableState_t) {
        find(device)?;
        put(display, NVML_FEATURE_DISABLED)
    }

    fn nvmlDeviceGetDisplayActive(device: nvmlDevice_t, isActive: *mut nvmlEnableState_t) {
        find(device)?;
        put(isActive, NVML_FEATURE_DISABLED)
    }

    fn nvmlDeviceGetVirtualizationMode(device: nvmlDevice_t, pVirtualMode: *mut nvmlGpuVirtualizationMode_t) {
        find(device)?;
        put(pVirtualMode, NVML_GPU_VIRTUALIZATION_MODE_NONE)
    }

    fn nvmlDeviceGetCapabilities(device: nvmlDevice_t, caps: *mut nvmlDeviceCapabilities_t) {
        find(device)?;
        versioned(caps, nvmlDeviceCapabilities_v1)?.capMask = 0;
        Ok(())
    }

    fn nvmlDeviceGetGridLicensableFeatures(device: nvmlDevice_t, pGridLicensableFeatures: *mut nvmlGridLicensableFeatures_t) {
        no_features(device, pGridLicensableFeatures)
    }

    fn nvmlDeviceGetGridLicensableFeatures_v2(device: nvmlDevice_t, pGridLicensableFeatures: *mut nvmlGridLicensableFeatures_t) {
        no_features(device, pGridLicensableFeatures)
    }

    fn nvmlDeviceGetGridLicensableFeatures_v3(device: nvmlDevice_t, pGridLicensableFeatures: *mut nvmlGridLicensableFeatures_t) {
        no_features(device, pGridLicensableFeatures)
    }

    fn nvmlDeviceGetGridLicensableFeatures_v4(device: nvmlDevice_t, pGridLicensableFeatures: *mut nvmlGridLicensableFeatures_t) {
        no_features(device, pGridLicensableFeatures)
    }

    /// Nothing is broken.
    fn nvmlDeviceGetRepairStatus(device: nvmlDevice_t, repairStatus: *mut nvmlRepairStatus_t) {
        find(device)?;
        let status = versioned(repairStatus, nvmlRepairStatus_v1)?;
        (status.bChannelRepairPending, status.bTpcRepairPending) = (0, 0);
        Ok(())
    }

    fn nvmlDeviceGetNumFans(device: nvmlDevice_t, numFans: *mut u32) {
        find(device)?;
        put(numFans, 0)
    }

    fn nvmlDeviceGetMigMode(device: nvmlDevice_t, currentMode: *mut u32, pendingMode: *mut u32) {
        find(device)?;
        put_both(currentMode, NVML_DEVICE_MIG_DISABLE, pendingMode, NVML_DEVICE_MIG_DISABLE)
    }

    fn nvmlDeviceGetMaxMigDeviceCount(device: nvmlDevice_t, count: *mut u32) {
        find(device)?;
        put(count, 0)
    }

    fn nvmlDeviceIsMigDeviceHandle(device: nvmlDevice_t, isMigDevice: *mut u32) {
        find(device)?;
        put(isMigDevice, 0)
    }
}
