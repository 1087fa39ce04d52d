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

/// The text that `nvmlErrorString` gives.
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
        Code::NVML_ERROR_OPERATING_SYSTEM => c"The operating system has blocked the request.",
        Code::NVML_ERROR_LIB_RM_VERSION_MISMATCH => {
            c"RM has detected an NVML/RM version mismatch."
        }
        Code::NVML_ERROR_IN_USE => c"In use by another client",
        Code::NVML_ERROR_MEMORY => c"Insufficient Memory",
        Code::NVML_ERROR_NO_DATA => c"No data",
        Code::NVML_ERROR_VGPU_ECC_NOT_SUPPORTED => {
            c"The requested vgpu operation is not available on target device, because ECC is enabled"
        }
        Code::NVML_ERROR_INSUFFICIENT_RESOURCES => {
            c"Ran out of critical resources, other than memory"
        }
        Code::NVML_ERROR_FREQ_NOT_SUPPORTED => c"Frequency not supported",
        Code::NVML_ERROR_ARGUMENT_VERSION_MISMATCH => c"Argument version mismatch",
        Code::NVML_ERROR_DEPRECATED => c"The requested functionality has been deprecated",
        Code::NVML_ERROR_NOT_READY => c"The system is not ready for the request",
        Code::NVML_ERROR_GPU_NOT_FOUND => c"No GPUs were found",
        Code::NVML_ERROR_INVALID_STATE => c"Resource not in correct state to perform the operation",
        Code::NVML_ERROR_RESET_TYPE_NOT_SUPPORTED => {
            c"Reset not supported for the given device or parameters"
        }
        _ => c"Unknown Error",
    }
}
