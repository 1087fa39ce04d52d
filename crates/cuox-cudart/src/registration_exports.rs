//! The functions that code made by nvcc calls.

#![allow(non_snake_case, reason = "the header's functions")]

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use cuox_abi::StreamClass;

use crate::api::launch_kernel;
use crate::call_guard::enter;
use crate::generated::{cudaError, cudaKernel_t, cudaStream_t, dim3};
use crate::registration;
use crate::report;
use crate::thread::{self, Configuration};

/// Runs code of the program's start or end. There is nobody to tell of a panic; what it was about is missing later.
fn quietly(work: impl FnOnce()) {
    let report = report::begin_own();
    let _ = catch_unwind(AssertUnwindSafe(work));
    if let Some(report) = report {
        report.end();
    }
}

/// The C string at `text`, unless that is null.
///
/// # Safety
///
/// `text` is null or a C string that outlives the result.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: as the caller promises.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

/// Registers a fat binary; nothing is loaded before something in it is used.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaRegisterFatBinary(fatCubin: *mut c_void) -> *mut *mut c_void {
    let handle = catch_unwind(|| registration::add_module(fatCubin));
    handle.map_or(core::ptr::null_mut(), |handle| handle.cast())
}

/// The end of a registration.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaRegisterFatBinaryEnd(_fatCubinHandle: *mut *mut c_void) {}

/// Forgets a fat binary and unloads it.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaUnregisterFatBinary(fatCubinHandle: *mut *mut c_void) {
    quietly(|| registration::remove_module(fatCubinHandle.cast()));
}

/// Registers a kernel.
///
/// # Safety
///
/// `deviceName` is null or a C string.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the header's parameters")]
pub unsafe extern "C" fn __cudaRegisterFunction(
    fatCubinHandle: *mut *mut c_void,
    hostFun: *const c_char,
    _deviceFun: *mut c_char,
    deviceName: *const c_char,
    _thread_limit: c_int,
    _tid: *mut c_void,
    _bid: *mut c_void,
    _bDim: *mut dim3,
    _gDim: *mut dim3,
    _wSize: *mut c_int,
) {
    quietly(|| {
        // SAFETY: as the caller promises.
        let name = unsafe { text(deviceName) };
        if let (Some(module), Some(name)) = (registration::module(fatCubinHandle.cast()), name) {
            registration::add_function(module, hostFun.cast(), name);
        }
    });
}

/// Registers a variable of device or constant memory.
///
/// # Safety
///
/// `deviceName` is null or a C string.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the header's parameters")]
pub unsafe extern "C" fn __cudaRegisterVar(
    fatCubinHandle: *mut *mut c_void,
    hostVar: *mut c_char,
    _deviceAddress: *mut c_char,
    deviceName: *const c_char,
    _ext: c_int,
    _size: usize,
    _constant: c_int,
    _global: c_int,
) {
    quietly(|| {
        // SAFETY: as the caller promises.
        let name = unsafe { text(deviceName) };
        if let (Some(module), Some(name)) = (registration::module(fatCubinHandle.cast()), name) {
            registration::add_variable(module, hostVar.cast(), name, false);
        }
    });
}

/// Registers a managed variable.
///
/// # Safety
///
/// `deviceName` is null or a C string, `hostVarPtrAddress` the program's pointer to the variable.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the header's parameters")]
pub unsafe extern "C" fn __cudaRegisterManagedVar(
    fatCubinHandle: *mut *mut c_void,
    hostVarPtrAddress: *mut *mut c_void,
    _deviceAddress: *mut c_char,
    deviceName: *const c_char,
    _ext: c_int,
    _size: usize,
    _constant: c_int,
    _global: c_int,
) {
    quietly(|| {
        // SAFETY: as the caller promises.
        let name = unsafe { text(deviceName) };
        if let (Some(module), Some(name)) = (registration::module(fatCubinHandle.cast()), name)
            && !hostVarPtrAddress.is_null()
        {
            registration::add_variable(module, hostVarPtrAddress.cast(), name, true);
        }
    });
}

/// Variables of the host that kernels reach through the system's page tables: there is nothing to do for them.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaRegisterHostVar(
    _fatCubinHandle: *mut *mut c_void,
    _deviceName: *const c_char,
    _hostVar: *mut c_char,
    _size: usize,
) {
}

/// A table of functions that kernels and the host share through the system's page tables: there is nothing to do for
/// it.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaRegisterUnifiedTable(
    _fatCubinHandle: *mut *mut c_void,
    _table: *mut c_void,
) {
}

/// Gives a module's managed variables their storage. Returns 1 when it is there.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaInitModule(fatCubinHandle: *mut *mut c_void) -> c_char {
    let result: cudaError = enter("__cudaInitModule", StreamClass::Plain, || {
        registration::module(fatCubinHandle.cast())
            .ok_or(cudaError::cudaErrorInvalidResourceHandle)?
            .place_managed()
    });
    c_char::from(result == cudaError::cudaSuccess)
}

/// `<<<`: keeps a configuration for the launch that follows. Returns 0, or else the launch is left out.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaPushCallConfiguration(
    gridDim: dim3,
    blockDim: dim3,
    sharedMem: usize,
    stream: cudaStream_t,
) -> c_uint {
    let configuration = Configuration {
        grid: gridDim,
        block: blockDim,
        shared: sharedMem,
        stream,
    };
    if thread::push(configuration) {
        return 0;
    }
    thread::record(cudaError::cudaErrorLaunchMaxDepthExceeded);
    1
}

/// Gives the configuration of the launch back to it.
///
/// # Safety
///
/// Each pointer is null or may be written to; `stream` points to a `cudaStream_t`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaPopCallConfiguration(
    gridDim: *mut dim3,
    blockDim: *mut dim3,
    sharedMem: *mut usize,
    stream: *mut c_void,
) -> cudaError {
    let stream = stream.cast::<cudaStream_t>();
    let Some(found) = thread::pop() else {
        thread::record(cudaError::cudaErrorMissingConfiguration);
        return cudaError::cudaErrorMissingConfiguration;
    };
    if gridDim.is_null() || blockDim.is_null() || sharedMem.is_null() || stream.is_null() {
        thread::record(cudaError::cudaErrorInvalidValue);
        return cudaError::cudaErrorInvalidValue;
    }
    // SAFETY: as the caller promises.
    unsafe {
        gridDim.write(found.grid);
        blockDim.write(found.block);
        sharedMem.write(found.shared);
        stream.write(found.stream);
    }
    cudaError::cudaSuccess
}

/// The handle with which code made by nvcc launches a kernel. It is this runtime's own, so it is there even if the
/// module does not load: each launch then says why.
///
/// # Safety
///
/// `kernelPtr` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaGetKernel(
    kernelPtr: *mut cudaKernel_t,
    entryFuncAddr: *const c_void,
) -> cudaError {
    enter("__cudaGetKernel", StreamClass::Plain, || {
        if kernelPtr.is_null() {
            return Err(cudaError::cudaErrorInvalidValue);
        }
        let function = registration::function(entryFuncAddr)
            .ok_or(cudaError::cudaErrorInvalidDeviceFunction)?;
        let handle = (&raw const *function).cast_mut().cast();
        // SAFETY: as the caller promises.
        unsafe { kernelPtr.write(cudaKernel_t(handle)) };
        Ok(())
    })
}

/// Launches a kernel.
///
/// # Safety
///
/// `args` points to as many pointers to arguments as the kernel has parameters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaLaunchKernel(
    kernel: cudaKernel_t,
    gridDim: dim3,
    blockDim: dim3,
    args: *mut *mut c_void,
    sharedMem: usize,
    stream: cudaStream_t,
) -> cudaError {
    enter("__cudaLaunchKernel", StreamClass::Plain, || {
        // SAFETY: as the caller promises.
        unsafe { launch_kernel(kernel.0, gridDim, blockDim, args, sharedMem, stream) }
    })
}

/// Launches a kernel; stream 0 is the calling thread's.
///
/// # Safety
///
/// As for [`__cudaLaunchKernel`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaLaunchKernel_ptsz(
    kernel: cudaKernel_t,
    gridDim: dim3,
    blockDim: dim3,
    args: *mut *mut c_void,
    sharedMem: usize,
    stream: cudaStream_t,
) -> cudaError {
    enter("__cudaLaunchKernel_ptsz", StreamClass::Ptsz, || {
        // SAFETY: as the caller promises.
        unsafe { launch_kernel(kernel.0, gridDim, blockDim, args, sharedMem, stream) }
    })
}
