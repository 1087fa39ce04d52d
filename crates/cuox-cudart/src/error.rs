//! Codes: the driver's as the runtime's, their names and descriptions.

use core::ffi::CStr;

use cuox_abi::CUresult;

use crate::generated::{RESULT_NAMES, cudaError, cudaError as E};

pub type Result<T = ()> = core::result::Result<T, cudaError>;

/// A driver's answer as a [`Result`].
pub trait Check {
    fn check(self) -> Result;
}

impl Check for CUresult {
    #[inline]
    fn check(self) -> Result {
        if self == CUresult::CUDA_SUCCESS {
            Ok(())
        } else {
            Err(from_driver(self))
        }
    }
}

/// The runtime's code for the driver's. Both give one number to one error; what the runtime does not know is *unknown*.
#[cold]
pub fn from_driver(result: CUresult) -> cudaError {
    let code = cudaError(result.0);
    if name(code).is_some() {
        code
    } else {
        E::cudaErrorUnknown
    }
}

/// The name of a code, such as `cudaErrorInvalidValue`.
pub fn name(code: cudaError) -> Option<&'static CStr> {
    let index = RESULT_NAMES.binary_search_by_key(&code.0, |(code, _)| *code);
    index.ok().map(|index| RESULT_NAMES[index].1)
}

/// Describes a code in a few words.
pub fn description(code: cudaError) -> Option<&'static CStr> {
    let own = match code {
        E::cudaErrorInvalidConfiguration => c"invalid configuration argument",
        E::cudaErrorInvalidPitchValue => c"invalid pitch argument",
        E::cudaErrorInvalidSymbol => c"invalid device symbol",
        E::cudaErrorInvalidHostPointer => c"invalid host pointer",
        E::cudaErrorInvalidDevicePointer => c"invalid device pointer",
        E::cudaErrorInvalidTexture => c"invalid texture reference",
        E::cudaErrorInvalidTextureBinding => c"texture is not bound to a pointer",
        E::cudaErrorInvalidChannelDescriptor => c"invalid channel descriptor",
        E::cudaErrorInvalidMemcpyDirection => c"invalid copy direction for memcpy",
        E::cudaErrorAddressOfConstant => c"invalid address of constant",
        E::cudaErrorTextureFetchFailed => c"fetch from texture failed",
        E::cudaErrorTextureNotBound => c"cannot fetch from a texture that is not bound",
        E::cudaErrorSynchronizationError => c"incorrect use of __syncthreads()",
        E::cudaErrorInvalidFilterSetting => c"linear filtering not supported for non-float type",
        E::cudaErrorInvalidNormSetting => c"read as normalized float not supported for data type",
        E::cudaErrorMixedDeviceExecution => {
            c"device emulation mode and device execution mode cannot be mixed"
        }
        E::cudaErrorNotYetImplemented => c"feature not yet implemented",
        E::cudaErrorMemoryValueTooLarge => {
            c"memory size or pointer value too large to fit in 32 bit"
        }
        E::cudaErrorInsufficientDriver => {
            c"CUDA driver version is insufficient for CUDA runtime version"
        }
        E::cudaErrorInvalidSurface => c"invalid surface reference",
        E::cudaErrorDuplicateVariableName => c"duplicate global variable looked up by string name",
        E::cudaErrorDuplicateTextureName => c"duplicate texture looked up by string name",
        E::cudaErrorDuplicateSurfaceName => c"duplicate surface looked up by string name",
        E::cudaErrorIncompatibleDriverContext => c"incompatible driver context",
        E::cudaErrorMissingConfiguration => c"__global__ function call is not configured",
        E::cudaErrorPriorLaunchFailure => c"unspecified launch failure in prior launch",
        E::cudaErrorLaunchMaxDepthExceeded => {
            c"launch would exceed maximum depth of nested launches"
        }
        E::cudaErrorLaunchFileScopedTex => {
            c"launch failed because kernel uses unsupported, file-scope textures"
        }
        E::cudaErrorLaunchFileScopedSurf => {
            c"launch failed because kernel uses unsupported, file-scope surfaces"
        }
        E::cudaErrorSyncDepthExceeded => c"synchronization depth exceeds maximum",
        E::cudaErrorLaunchPendingCountExceeded => {
            c"launch failed because launch would exceed limit of pending launches"
        }
        E::cudaErrorInvalidDeviceFunction => c"invalid device function",
        E::cudaErrorSoftwareValidityNotEstablished => c"integrity checks failed",
        E::cudaErrorStartupFailure => c"startup failure in cuda runtime",
        E::cudaErrorApiFailureBase => c"api failure base",
        _ => {
            return cuox_abi::result_description(CUresult(code.0)).filter(|_| name(code).is_some());
        }
    };
    Some(own)
}
