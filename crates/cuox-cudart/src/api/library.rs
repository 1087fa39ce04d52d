//! Libraries: code that the program loads itself.

use core::ffi::{c_char, c_void};

use cuox_abi::{CUkernel, CUlibrary, CUresult};

use crate::api::convert::{alike, alike_mut, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaJitOption, cudaKernel_t, cudaLibrary_t, cudaLibraryOption};
use crate::registration::know_kernel;
use crate::runtime::{current, runtime};

pub unsafe fn cudaLibraryLoadData(
    library: *mut cudaLibrary_t,
    code: *const c_void,
    jitOptions: *mut cudaJitOption,
    jitOptionsValues: *mut *mut c_void,
    numJitOptions: u32,
    libraryOptions: *mut cudaLibraryOption,
    libraryOptionValues: *mut *mut c_void,
    numLibraryOptions: u32,
) -> Result {
    let library = alike_mut(out(library)?);
    if code.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: both APIs number options alike; the caller gives an image, and lists of these lengths.
    unsafe {
        runtime()?
            .driver
            .cuLibraryLoadData(
                library,
                code,
                alike_mut(jitOptions),
                jitOptionsValues,
                numJitOptions,
                alike_mut(libraryOptions),
                libraryOptionValues,
                numLibraryOptions,
            )
            .check()
    }
}

pub unsafe fn cudaLibraryLoadFromFile(
    library: *mut cudaLibrary_t,
    fileName: *const c_char,
    jitOptions: *mut cudaJitOption,
    jitOptionsValues: *mut *mut c_void,
    numJitOptions: u32,
    libraryOptions: *mut cudaLibraryOption,
    libraryOptionValues: *mut *mut c_void,
    numLibraryOptions: u32,
) -> Result {
    let library = alike_mut(out(library)?);
    if fileName.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: both APIs number options alike; the caller gives a C string, and lists of these lengths.
    unsafe {
        runtime()?
            .driver
            .cuLibraryLoadFromFile(
                library,
                fileName,
                alike_mut(jitOptions),
                jitOptionsValues,
                numJitOptions,
                alike_mut(libraryOptions),
                libraryOptionValues,
                numLibraryOptions,
            )
            .check()
    }
}

/// A handle of the program's as the driver's.
fn known(library: cudaLibrary_t) -> Result<CUlibrary> {
    if library.is_null() {
        Err(cudaError::cudaErrorInvalidResourceHandle)
    } else {
        Ok(CUlibrary(library.0))
    }
}

pub unsafe fn cudaLibraryUnload(library: cudaLibrary_t) -> Result {
    let library = known(library)?;
    // SAFETY: the driver knows its libraries.
    unsafe { runtime()?.driver.cuLibraryUnload(library).check() }
}

pub unsafe fn cudaLibraryGetKernel(
    pKernel: *mut cudaKernel_t,
    library: cudaLibrary_t,
    name: *const c_char,
) -> Result {
    let pKernel = out(pKernel)?;
    let library = known(library)?;
    if name.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let mut kernel = CUkernel::null();
    // SAFETY: the caller gives a C string and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuLibraryGetKernel(&mut kernel, library, name)
            .check()?;
        know_kernel(kernel);
        pKernel.write(cudaKernel_t(kernel.0));
    }
    Ok(())
}

/// Writes what a library's variable is found to be.
unsafe fn variable(
    dptr: *mut *mut c_void,
    bytes: *mut usize,
    name: *const c_char,
    get: impl FnOnce(&mut u64, &mut usize) -> CUresult,
) -> Result {
    if (dptr.is_null() && bytes.is_null()) || name.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let (mut address, mut size) = (0, 0);
    get(&mut address, &mut size).check()?;
    // SAFETY: the caller gives null or pointers that may be written to.
    unsafe {
        if !dptr.is_null() {
            dptr.write(pointer(address));
        }
        if !bytes.is_null() {
            bytes.write(size);
        }
    }
    Ok(())
}

pub unsafe fn cudaLibraryGetGlobal(
    dptr: *mut *mut c_void,
    bytes: *mut usize,
    library: cudaLibrary_t,
    name: *const c_char,
) -> Result {
    let library = known(library)?;
    let driver = current()?.driver;
    // SAFETY: the caller gives a C string and pointers that may be written to.
    unsafe {
        variable(dptr, bytes, name, |address, size| {
            driver.cuLibraryGetGlobal(address, size, library, name)
        })
    }
}

pub unsafe fn cudaLibraryGetManaged(
    dptr: *mut *mut c_void,
    bytes: *mut usize,
    library: cudaLibrary_t,
    name: *const c_char,
) -> Result {
    let library = known(library)?;
    let driver = runtime()?.driver;
    // SAFETY: the caller gives a C string and pointers that may be written to.
    unsafe {
        variable(dptr, bytes, name, |address, size| {
            driver.cuLibraryGetManaged(address, size, library, name)
        })
    }
}

pub unsafe fn cudaLibraryGetUnifiedFunction(
    fptr: *mut *mut c_void,
    library: cudaLibrary_t,
    symbol: *const c_char,
) -> Result {
    let library = known(library)?;
    if symbol.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: the caller gives a C string and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuLibraryGetUnifiedFunction(out(fptr)?, library, symbol)
            .check()
    }
}

pub unsafe fn cudaLibraryGetKernelCount(count: *mut u32, lib: cudaLibrary_t) -> Result {
    let library = known(lib)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuLibraryGetKernelCount(out(count)?, library)
            .check()
    }
}

pub unsafe fn cudaLibraryEnumerateKernels(
    kernels: *mut cudaKernel_t,
    numKernels: u32,
    lib: cudaLibrary_t,
) -> Result {
    let library = known(lib)?;
    let kernels = out(kernels)?;
    let runtime = runtime()?;
    let mut count = 0;
    // SAFETY: the caller gives a list of this length; the driver fills as many places as the library has kernels, and
    // not more than that.
    unsafe {
        runtime
            .driver
            .cuLibraryGetKernelCount(&mut count, library)
            .check()?;
        runtime
            .driver
            .cuLibraryEnumerateKernels(alike_mut(kernels), numKernels, library)
            .check()?;
        for index in 0..count.min(numKernels) as usize {
            let kernel: CUkernel = alike(kernels.add(index).read());
            know_kernel(kernel);
        }
    }
    Ok(())
}
