//! The devices' memory. What other processes use is not known.

use crate::api::nvml_functions;
use crate::code::Code;
use crate::devices::find;
use crate::driver;
use crate::generated::{
    NVML_DEVICE_ADDRESSING_MODE_NONE, nvmlBAR1Memory_t, nvmlDevice_t, nvmlDeviceAddressingMode_t,
    nvmlDeviceAddressingMode_v1, nvmlMemory_t, nvmlMemory_v2, nvmlMemory_v2_t,
};
use crate::put::{put, versioned};

nvml_functions! {
    fn nvmlDeviceGetMemoryInfo(device: nvmlDevice_t, memory: *mut nvmlMemory_t) {
        let now = driver::memory(find(device)?);
        put(memory, nvmlMemory_t { total: now.total, free: now.free, used: now.total.saturating_sub(now.free) })
    }

    fn nvmlDeviceGetMemoryInfo_v2(device: nvmlDevice_t, memory: *mut nvmlMemory_v2_t) {
        let now = driver::memory(find(device)?);
        // NVIDIA's library has no function for other versions of this structure.
        let memory = versioned(memory, nvmlMemory_v2).map_err(|code| match code {
            Code::NVML_ERROR_ARGUMENT_VERSION_MISMATCH => Code::NVML_ERROR_FUNCTION_NOT_FOUND,
            other => other,
        })?;
        *memory = nvmlMemory_v2_t {
            version: memory.version,
            total: now.total,
            reserved: 0,
            free: now.free,
            used: now.total.saturating_sub(now.free),
        };
        Ok(())
    }

    /// The processor reaches all of the devices' memory.
    fn nvmlDeviceGetBAR1MemoryInfo(device: nvmlDevice_t, bar1Memory: *mut nvmlBAR1Memory_t) {
        let now = driver::memory(find(device)?);
        put(bar1Memory, nvmlBAR1Memory_t {
            bar1Total: now.total,
            bar1Free: now.free,
            bar1Used: now.total.saturating_sub(now.free),
        })
    }

    /// Kernels reach memory of the driver's only.
    fn nvmlDeviceGetAddressingMode(device: nvmlDevice_t, mode: *mut nvmlDeviceAddressingMode_t) {
        find(device)?;
        versioned(mode, nvmlDeviceAddressingMode_v1)?.value = NVML_DEVICE_ADDRESSING_MODE_NONE.0;
        Ok(())
    }
}
