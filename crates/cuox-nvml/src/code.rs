//! Results and their texts.

use core::ffi::CStr;

pub use crate::generated::nvmlReturn_t as Code;

/// The result of a function: the code of its failure in the other case.
pub type Res<T = ()> = Result<T, Code>;

/// The code that C gets.
pub fn code(result: Res) -> Code {
    match result {
        Ok(()) => Code::NVML_SUCCESS,
        Err(code) => code,
    }
}

/// The text that `nvmlErrorString` gives: that of driver 580.159.
pub fn text(code: Code) -> &'static CStr {
    match code {
        Code::NVML_SUCCESS => c"Success",
        Code::NVML_ERROR_UNINITIALIZED => c"Uninitialized",
        Code::NVML_ERROR_INVALID_ARGUMENT => c"Invalid Argument",
        Code::NVML_ERROR_NOT_SUPPORTED => c"Not Supported",
        Code::NVML_ERROR_NO_PERMISSION => c"Insufficient Permissions",
        Code::NVML_ERROR_ALREADY_INITIALIZED => c"Already Initialized",
        Code::NVML_ERROR_NOT_FOUND => c"Not Found",
        Code::NVML_ERROR_INSUFFICIENT_SIZE => c"Insufficient Size",
        Code::NVML_ERROR_INSUFFICIENT_POWER => c"Insufficient External Power",
        Code::NVML_ERROR_DRIVER_NOT_LOADED => c"Driver Not Loaded",
        Code::NVML_ERROR_TIMEOUT => c"Timeout",
        Code::NVML_ERROR_IRQ_ISSUE => c"Interrupt Request Issue",
        Code::NVML_ERROR_LIBRARY_NOT_FOUND => c"NVML Shared Library Not Found",
        Code::NVML_ERROR_FUNCTION_NOT_FOUND => c"Function Not Found",
        Code::NVML_ERROR_CORRUPTED_INFOROM => c"Corrupted infoROM",
        Code::NVML_ERROR_GPU_IS_LOST => c"GPU is lost",
        Code::NVML_ERROR_RESET_REQUIRED => c"GPU requires reset",
        Code::NVML_ERROR_OPERATING_SYSTEM => c"GPU access blocked by the operating system",
        Code::NVML_ERROR_LIB_RM_VERSION_MISMATCH => c"Driver/library version mismatch",
        Code::NVML_ERROR_IN_USE => c"In use by another client",
        Code::NVML_ERROR_MEMORY => c"Insufficient Memory",
        Code::NVML_ERROR_NO_DATA => c"No data",
        Code::NVML_ERROR_VGPU_ECC_NOT_SUPPORTED => c"vGPU ECC not supported",
        Code::NVML_ERROR_INSUFFICIENT_RESOURCES => c"Insufficient Resources",
        Code::NVML_ERROR_FREQ_NOT_SUPPORTED => c"Invalid Frequency",
        Code::NVML_ERROR_ARGUMENT_VERSION_MISMATCH => c"Argument version mismatch",
        Code::NVML_ERROR_DEPRECATED => c"Requested functionality has been deprecated",
        Code::NVML_ERROR_NOT_READY => c"System is not in ready state",
        Code::NVML_ERROR_GPU_NOT_FOUND => c"No supported GPUs were found",
        Code::NVML_ERROR_INVALID_STATE => {
            c"Resource not in correct state to perform requested operation"
        }
        Code::NVML_ERROR_RESET_TYPE_NOT_SUPPORTED => {
            c"Reset type is not supported for given device"
        }
        _ => c"Unknown Error",
    }
}
