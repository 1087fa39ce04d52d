//! Names and short descriptions of result codes.

use core::ffi::CStr;

use crate::generated::RESULT_NAMES;
use crate::{CUresult, CUresult as R};

/// The name of a code, such as `CUDA_ERROR_INVALID_VALUE`; `None` for a code that the header does not know.
pub fn result_name(code: CUresult) -> Option<&'static CStr> {
    let index = RESULT_NAMES.binary_search_by_key(&code.0, |(code, _)| *code);
    index.ok().map(|index| RESULT_NAMES[index].1)
}

/// Describes a code in a few words; `None` for a code that the header does not have.
pub fn result_description(code: CUresult) -> Option<&'static CStr> {
    Some(match code {
        R::CUDA_SUCCESS => c"no error",
        R::CUDA_ERROR_INVALID_VALUE => c"invalid argument",
        R::CUDA_ERROR_OUT_OF_MEMORY => c"out of memory",
        R::CUDA_ERROR_NOT_INITIALIZED => c"initialization error",
        R::CUDA_ERROR_DEINITIALIZED => c"driver shutting down",
        R::CUDA_ERROR_PROFILER_DISABLED => c"profiler disabled while using external profiling tool",
        R::CUDA_ERROR_PROFILER_NOT_INITIALIZED => c"profiler not initialized",
        R::CUDA_ERROR_PROFILER_ALREADY_STARTED => c"profiler already started",
        R::CUDA_ERROR_PROFILER_ALREADY_STOPPED => c"profiler already stopped",
        R::CUDA_ERROR_STUB_LIBRARY => c"CUDA driver is a stub library",
        R::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER => c"call requires a newer CUDA driver",
        R::CUDA_ERROR_DEVICE_UNAVAILABLE => c"CUDA device is busy or unavailable",
        R::CUDA_ERROR_NO_DEVICE => c"no CUDA-capable device is detected",
        R::CUDA_ERROR_INVALID_DEVICE => c"invalid device ordinal",
        R::CUDA_ERROR_DEVICE_NOT_LICENSED => c"device has no valid licence",
        R::CUDA_ERROR_INVALID_IMAGE => c"device kernel image is invalid",
        R::CUDA_ERROR_INVALID_CONTEXT => c"invalid device context",
        R::CUDA_ERROR_CONTEXT_ALREADY_CURRENT => c"context already current",
        R::CUDA_ERROR_MAP_FAILED => c"mapping of buffer object failed",
        R::CUDA_ERROR_UNMAP_FAILED => c"unmapping of buffer object failed",
        R::CUDA_ERROR_ARRAY_IS_MAPPED => c"array is mapped",
        R::CUDA_ERROR_ALREADY_MAPPED => c"resource already mapped",
        R::CUDA_ERROR_NO_BINARY_FOR_GPU => {
            c"no kernel image is available for execution on the device"
        }
        R::CUDA_ERROR_ALREADY_ACQUIRED => c"resource already acquired",
        R::CUDA_ERROR_NOT_MAPPED => c"resource not mapped",
        R::CUDA_ERROR_NOT_MAPPED_AS_ARRAY => c"resource not mapped as array",
        R::CUDA_ERROR_NOT_MAPPED_AS_POINTER => c"resource not mapped as pointer",
        R::CUDA_ERROR_ECC_UNCORRECTABLE => c"uncorrectable ECC error encountered",
        R::CUDA_ERROR_UNSUPPORTED_LIMIT => c"limit is not supported on this architecture",
        R::CUDA_ERROR_CONTEXT_ALREADY_IN_USE => {
            c"exclusive-thread device already in use by a different thread"
        }
        R::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED => {
            c"peer access is not supported between these two devices"
        }
        R::CUDA_ERROR_INVALID_PTX => c"a PTX JIT compilation failed",
        R::CUDA_ERROR_INVALID_GRAPHICS_CONTEXT => c"invalid graphics context",
        R::CUDA_ERROR_NVLINK_UNCORRECTABLE => {
            c"uncorrectable NVLink error detected during the execution"
        }
        R::CUDA_ERROR_JIT_COMPILER_NOT_FOUND => c"PTX JIT compiler library not found",
        R::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => {
            c"the provided PTX was compiled with an unsupported toolchain"
        }
        R::CUDA_ERROR_JIT_COMPILATION_DISABLED => c"PTX JIT compilation was disabled",
        R::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY => {
            c"the provided execution affinity is not supported"
        }
        R::CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC => {
            c"the provided PTX contains unsupported device-side synchronization"
        }
        R::CUDA_ERROR_CONTAINED => c"contained memory error",
        R::CUDA_ERROR_INVALID_SOURCE => c"device kernel image is invalid",
        R::CUDA_ERROR_FILE_NOT_FOUND => c"file not found",
        R::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND => c"shared object symbol not found",
        R::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED => c"shared object initialization failed",
        R::CUDA_ERROR_OPERATING_SYSTEM => c"OS call failed or operation not supported on this OS",
        R::CUDA_ERROR_INVALID_HANDLE => c"invalid resource handle",
        R::CUDA_ERROR_ILLEGAL_STATE => c"the operation cannot be performed in the present state",
        R::CUDA_ERROR_LOSSY_QUERY => c"an object was queried in a way that would lose information",
        R::CUDA_ERROR_NOT_FOUND => c"named symbol not found",
        R::CUDA_ERROR_NOT_READY => c"device not ready",
        R::CUDA_ERROR_ILLEGAL_ADDRESS => c"an illegal memory access was encountered",
        R::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => c"too many resources requested for launch",
        R::CUDA_ERROR_LAUNCH_TIMEOUT => c"the launch timed out and was terminated",
        R::CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING => c"launch uses incompatible texturing mode",
        R::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => c"peer access is already enabled",
        R::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED => c"peer access has not been enabled",
        R::CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE => {
            c"cannot set while device is active in this process"
        }
        R::CUDA_ERROR_CONTEXT_IS_DESTROYED => c"context is destroyed",
        R::CUDA_ERROR_ASSERT => c"device-side assert triggered",
        R::CUDA_ERROR_TOO_MANY_PEERS => c"peer mapping resources exhausted",
        R::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED => {
            c"part or all of the requested memory range is already mapped"
        }
        R::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED => {
            c"pointer does not correspond to a registered memory region"
        }
        R::CUDA_ERROR_HARDWARE_STACK_ERROR => c"hardware stack error",
        R::CUDA_ERROR_ILLEGAL_INSTRUCTION => c"an illegal instruction was encountered",
        R::CUDA_ERROR_MISALIGNED_ADDRESS => c"misaligned address",
        R::CUDA_ERROR_INVALID_ADDRESS_SPACE => {
            c"operation not supported on global/shared address space"
        }
        R::CUDA_ERROR_INVALID_PC => c"invalid program counter",
        R::CUDA_ERROR_LAUNCH_FAILED => c"unspecified launch failure",
        R::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE => c"too many blocks in cooperative launch",
        R::CUDA_ERROR_TENSOR_MEMORY_LEAK => c"tensor memory not completely freed",
        R::CUDA_ERROR_NOT_PERMITTED => c"operation not permitted",
        R::CUDA_ERROR_NOT_SUPPORTED => c"operation not supported",
        R::CUDA_ERROR_SYSTEM_NOT_READY => c"system not yet initialized",
        R::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => {
            c"system has unsupported display driver / CUDA driver combination"
        }
        R::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE => {
            c"forward compatibility was attempted on unsupported hardware"
        }
        R::CUDA_ERROR_MPS_CONNECTION_FAILED => {
            c"MPS client failed to connect to the MPS control daemon or server"
        }
        R::CUDA_ERROR_MPS_RPC_FAILURE => c"a call between MPS server and client failed",
        R::CUDA_ERROR_MPS_SERVER_NOT_READY => c"MPS server is not ready to accept new clients",
        R::CUDA_ERROR_MPS_MAX_CLIENTS_REACHED => c"too many MPS clients",
        R::CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED => {
            c"too many connections of MPS clients to the device"
        }
        R::CUDA_ERROR_MPS_CLIENT_TERMINATED => c"MPS client was terminated by the server",
        R::CUDA_ERROR_CDP_NOT_SUPPORTED => c"CUDA dynamic parallelism is not supported",
        R::CUDA_ERROR_CDP_VERSION_MISMATCH => {
            c"modules use different versions of CUDA dynamic parallelism"
        }
        R::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED => {
            c"operation not permitted when stream is capturing"
        }
        R::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED => {
            c"capture sequence was invalidated by an earlier error"
        }
        R::CUDA_ERROR_STREAM_CAPTURE_MERGE => {
            c"operation would merge two separate capture sequences"
        }
        R::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED => c"capture was not started in this stream",
        R::CUDA_ERROR_STREAM_CAPTURE_UNJOINED => c"capturing stream has unjoined work",
        R::CUDA_ERROR_STREAM_CAPTURE_ISOLATION => {
            c"dependency created on uncaptured work in another stream"
        }
        R::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT => {
            c"operation would make the legacy stream depend on a capturing stream"
        }
        R::CUDA_ERROR_CAPTURED_EVENT => {
            c"operation not permitted on an event last recorded in a capturing stream"
        }
        R::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD => c"capture was started by a different thread",
        R::CUDA_ERROR_TIMEOUT => c"wait operation timed out",
        R::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE => {
            c"the graph update was not performed because it included changes that are not allowed"
        }
        R::CUDA_ERROR_EXTERNAL_DEVICE => c"an asynchronous error occurred on an external device",
        R::CUDA_ERROR_INVALID_CLUSTER_SIZE => c"invalid cluster size",
        R::CUDA_ERROR_FUNCTION_NOT_LOADED => {
            c"a function handle is not loaded where a loaded one is needed"
        }
        R::CUDA_ERROR_INVALID_RESOURCE_TYPE => c"resource types do not fit the operation",
        R::CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION => {
            c"resources do not fit together or are not enough"
        }
        R::CUDA_ERROR_KEY_ROTATION => c"encryption keys are being rotated",
        R::CUDA_ERROR_UNKNOWN => c"unknown error",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_header_has_a_name_and_a_description() {
        assert!(RESULT_NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (code, name) in RESULT_NAMES {
            let code = CUresult(*code);
            assert_eq!(result_name(code), Some(*name));
            assert_eq!(format!("{code:?}"), name.to_str().unwrap());
            assert!(
                result_description(code).is_some(),
                "{code:?} has no description"
            );
        }
        assert_eq!(result_name(CUresult(12345)), None);
        assert_eq!(result_description(CUresult(12345)), None);
        assert_eq!(format!("{:?}", CUresult(12345)), "CUresult(12345)");
    }
}
