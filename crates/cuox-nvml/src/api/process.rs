//! Processes that use a device: this one, if it has a driver. Others are not seen.

use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::find;
use crate::driver;
use crate::generated::{
    nvmlDevice_t, nvmlProcessDetail_v1_t, nvmlProcessDetailList_t, nvmlProcessDetailList_v1,
    nvmlProcessInfo_t, nvmlProcessInfo_v1_t, nvmlProcessInfo_v2_t,
};
use crate::put::{put_list, versioned};

/// The number of an instance where there is none.
const NO_INSTANCE: u32 = u32::MAX;

/// The modes of `nvmlProcessDetailList_t`.
const COMPUTE: u32 = 0;
const MPS: u32 = 2;

/// This process's number and the bytes that it uses, if it uses the device.
fn this_process(device: nvmlDevice_t) -> Res<Option<(u32, u64)>> {
    let memory = driver::memory(find(device)?);
    let used = memory.total.saturating_sub(memory.free);
    Ok(memory.in_use.then(|| (std::process::id(), used)))
}

/// # Safety
/// `count` is null or a number, `infos` null or room for so many.
unsafe fn first(device: nvmlDevice_t, count: *mut u32, infos: *mut nvmlProcessInfo_v1_t) -> Res {
    let list = this_process(device)?.map(|(pid, used)| nvmlProcessInfo_v1_t {
        pid,
        usedGpuMemory: used,
    });
    // SAFETY: as the caller promises.
    unsafe { put_list(count, infos, list.as_slice()) }
}

/// # Safety
/// As for [`first`].
unsafe fn second(device: nvmlDevice_t, count: *mut u32, infos: *mut nvmlProcessInfo_v2_t) -> Res {
    let list = this_process(device)?.map(|(pid, used)| nvmlProcessInfo_v2_t {
        pid,
        usedGpuMemory: used,
        gpuInstanceId: NO_INSTANCE,
        computeInstanceId: NO_INSTANCE,
    });
    // SAFETY: as the caller promises.
    unsafe { put_list(count, infos, list.as_slice()) }
}

nvml_functions! {
    fn nvmlDeviceGetComputeRunningProcesses(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_v1_t) {
        first(device, infoCount, infos)
    }

    fn nvmlDeviceGetComputeRunningProcesses_v2(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_v2_t) {
        second(device, infoCount, infos)
    }

    fn nvmlDeviceGetComputeRunningProcesses_v3(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_t) {
        second(device, infoCount, infos)
    }

    fn nvmlDeviceGetGraphicsRunningProcesses(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_v1_t) {
        find(device)?;
        put_list(infoCount, infos, &[])
    }

    fn nvmlDeviceGetGraphicsRunningProcesses_v2(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_v2_t) {
        find(device)?;
        put_list(infoCount, infos, &[])
    }

    fn nvmlDeviceGetGraphicsRunningProcesses_v3(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_t) {
        find(device)?;
        put_list(infoCount, infos, &[])
    }

    fn nvmlDeviceGetMPSComputeRunningProcesses(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_v1_t) {
        find(device)?;
        put_list(infoCount, infos, &[])
    }

    fn nvmlDeviceGetMPSComputeRunningProcesses_v2(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_v2_t) {
        find(device)?;
        put_list(infoCount, infos, &[])
    }

    fn nvmlDeviceGetMPSComputeRunningProcesses_v3(device: nvmlDevice_t, infoCount: *mut u32, infos: *mut nvmlProcessInfo_t) {
        find(device)?;
        put_list(infoCount, infos, &[])
    }

    fn nvmlDeviceGetRunningProcessDetailList(device: nvmlDevice_t, plist: *mut nvmlProcessDetailList_t) {
        let found = this_process(device)?;
        let list = versioned(plist, nvmlProcessDetailList_v1)?;
        if list.mode > MPS {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        let found = found.filter(|_| list.mode == COMPUTE).map(|(pid, used)| nvmlProcessDetail_v1_t {
            pid,
            usedGpuMemory: used,
            gpuInstanceId: NO_INSTANCE,
            computeInstanceId: NO_INSTANCE,
            usedGpuCcProtectedMemory: 0,
        });
        put_list(&raw mut list.numProcArrayEntries, list.procArray, found.as_slice())
    }
}
