//! Libraries: code that needs no context, and its kernels.

use crate::api::module::{read_file, reader_of};
use crate::api::{driver_functions, name_of, put, put_if};
use crate::code::{INVALID_CONTEXT, INVALID_HANDLE, INVALID_VALUE, NOT_FOUND, OUT_OF_MEMORY, Res};
use crate::driver::{self, Driver};
use crate::loading::jit_options::JitOptions;
use crate::loading::module::{Function, Library, Module};
use crate::loading::module_image;
use crate::loading::module_image::reader::Reader;
use crate::memory::Owner;
use crate::{current, settings};
use core::ffi::{c_char, c_void};
use core::sync::atomic::Ordering;
use cuox_abi::{
    CUdevice, CUdeviceptr, CUfunc_cache, CUfunction, CUfunction_attribute, CUjit_option, CUkernel,
    CUlibrary, CUlibraryOption, CUmodule,
};
use std::sync::Arc;

fn named(driver: &Driver, library: CUlibrary) -> Res<Arc<Library>> {
    driver
        .libraries
        .get(library.addr() as u64)
        .ok_or(INVALID_HANDLE)
}

fn kernel(driver: &Driver, kernel: CUkernel) -> Res<Arc<Function>> {
    driver
        .functions
        .get(kernel.addr() as u64)
        .ok_or(INVALID_HANDLE)
}

fn kernel_of(driver: &Driver, library: &Library, name: &str) -> Res<CUkernel> {
    let handle = library.kernel(&driver.functions, name, driver.devices.len())?;
    Ok(CUkernel::from_addr(handle as usize))
}

/// A kernel on a device.
fn on_device(kernel: CUkernel, device: CUdevice) -> Res<Arc<Function>> {
    let driver = driver::get()?;
    let kernel = self::kernel(driver, kernel)?;
    current::function(driver, kernel, driver.device(device)?.ordinal)
}

fn load(image: Reader, options: &JitOptions) -> Res<CUlibrary> {
    let driver = driver::get()?;
    let mut image = module_image::read(image, settings::sm())?;
    image.max_registers = options.max_registers.or(image.max_registers);
    let owner = Owner {
        context: 0,
        device: 0,
    };
    let module =
        Module::load(&driver.memory, &driver.modules, image, owner).map_err(|failure| {
            options.write_error(&failure.log);
            failure.code
        })?;
    let made = driver
        .libraries
        .insert(|handle| Library::new(handle, module.clone()));
    match made {
        Some(library) => Ok(CUlibrary::from_addr(library.handle as usize)),
        None => {
            module.forget(&driver.memory, &driver.modules, &driver.functions);
            Err(OUT_OF_MEMORY)
        }
    }
}

driver_functions! {
    fn cuLibraryLoadData(library: *mut CUlibrary, code: *const c_void, jitOptions: *mut CUjit_option, jitOptionsValues: *mut *mut c_void, numJitOptions: u32, _libraryOptions: *mut CUlibraryOption, _libraryOptionValues: *mut *mut c_void, _numLibraryOptions: u32) {
        if library.is_null() || code.is_null() {
            return Err(INVALID_VALUE);
        }
        // The needed parts of the image are copied, so it makes no difference if the caller preserves it.
        let options = JitOptions::read(numJitOptions, jitOptions, jitOptionsValues)?;
        put(library, load(Reader::new(code as u64, None), &options)?)
    }

    fn cuLibraryLoadFromFile(library: *mut CUlibrary, fileName: *const c_char, jitOptions: *mut CUjit_option, jitOptionsValues: *mut *mut c_void, numJitOptions: u32, _libraryOptions: *mut CUlibraryOption, _libraryOptionValues: *mut *mut c_void, _numLibraryOptions: u32) {
        let name = name_of(fileName)?;
        if library.is_null() {
            return Err(INVALID_VALUE);
        }
        driver::get()?;
        let options = JitOptions::read(numJitOptions, jitOptions, jitOptionsValues)?;
        let bytes = read_file(name)?;
        put(library, load(reader_of(&bytes), &options)?)
    }

    fn cuLibraryUnload(library: CUlibrary) {
        let driver = driver::get()?;
        let gone = driver.libraries.remove(library.addr() as u64).ok_or(INVALID_HANDLE)?;
        // Its kernels may be running in any context.
        for context in driver.all_contexts() {
            context.state.wait();
        }
        gone.forget(&driver.memory, &driver.modules, &driver.functions);
        Ok(())
    }

    fn cuLibraryGetKernel(pKernel: *mut CUkernel, library: CUlibrary, name: *const c_char) {
        let driver = driver::get()?;
        let name = name_of(name)?;
        if pKernel.is_null() {
            return Err(INVALID_VALUE);
        }
        put(pKernel, kernel_of(driver, &*named(driver, library)?, name)?)
    }

    fn cuLibraryGetKernelCount(count: *mut u32, lib: CUlibrary) {
        put(count, named(driver::get()?, lib)?.module.kernels().len() as u32)
    }

    fn cuLibraryEnumerateKernels(kernels: *mut CUkernel, numKernels: u32, lib: CUlibrary) {
        let driver = driver::get()?;
        let library = named(driver, lib)?;
        for (i, name) in library.module.kernels().iter().take(numKernels as usize).enumerate() {
            if kernels.is_null() {
                return Err(INVALID_VALUE);
            }
            put(kernels.add(i), kernel_of(driver, &library, name)?)?;
        }
        Ok(())
    }

    fn cuLibraryGetModule(pMod: *mut CUmodule, library: CUlibrary) {
        let driver = driver::get()?;
        let library = named(driver, library)?;
        let context = current::context(driver).map_err(|_| INVALID_CONTEXT)?;
        let module = library.on_device(&driver.memory, &driver.modules, context.state.device)?;
        put(pMod, CUmodule::from_addr(module.handle as usize))
    }

    fn cuLibraryGetGlobal(dptr: *mut CUdeviceptr, bytes: *mut usize, library: CUlibrary, name: *const c_char) {
        let driver = driver::get()?;
        let library = named(driver, library)?;
        // Without a context the variable is that on device 0.
        let device = current::context(driver).map_or(0, |context| context.state.device);
        let module = library.on_device(&driver.memory, &driver.modules, device)?;
        let global = module.global(name_of(name)?)?;
        put_if(dptr, global.at);
        put_if(bytes, global.len as usize);
        Ok(())
    }

    fn cuLibraryGetManaged(dptr: *mut CUdeviceptr, bytes: *mut usize, library: CUlibrary, name: *const c_char) {
        let library = named(driver::get()?, library)?;
        let global = library.module.global(name_of(name)?)?;
        if !global.managed {
            return Err(NOT_FOUND);
        }
        put_if(dptr, global.at);
        put_if(bytes, global.len as usize);
        Ok(())
    }

    fn cuKernelGetFunction(pFunc: *mut CUfunction, kernel: CUkernel) {
        let driver = driver::get()?;
        let kernel = self::kernel(driver, kernel)?;
        let device = current::context(driver)?.state.device;
        let found = current::function(driver, kernel, device)?;
        put(pFunc, CUfunction::from_addr(found.handle as usize))
    }

    fn cuKernelGetLibrary(pLib: *mut CUlibrary, kernel: CUkernel) {
        let driver = driver::get()?;
        let found = self::kernel(driver, kernel)?;
        let module = driver.modules.get(found.module).ok_or(INVALID_HANDLE)?;
        let library = driver.libraries.get(module.library()).ok_or(INVALID_HANDLE)?;
        put(pLib, CUlibrary::from_addr(library.handle as usize))
    }

    fn cuKernelGetName(name: *mut *const c_char, hfunc: CUkernel) {
        if hfunc.is_null() {
            // Unlike a stale handle, for NVIDIA's driver.
            return Err(INVALID_VALUE);
        }
        put(name, kernel(driver::get()?, hfunc)?.c_name().as_ptr())
    }

    fn cuKernelGetParamInfo(kernel: CUkernel, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) {
        let driver = driver::get()?;
        current::context(driver)?;
        let found = self::kernel(driver, kernel)?;
        crate::api::function::put_param_info(&found, paramIndex, paramOffset, paramSize)
    }

    fn cuKernelGetAttribute(pi: *mut i32, attrib: CUfunction_attribute, kernel: CUkernel, dev: CUdevice) {
        let found = on_device(kernel, dev)?;
        put(pi, found.attribute(attrib)?)
    }

    fn cuKernelSetAttribute(attrib: CUfunction_attribute, val: i32, kernel: CUkernel, dev: CUdevice) {
        let found = on_device(kernel, dev)?;
        found.set_attribute(attrib, val)
    }

    fn cuKernelSetCacheConfig(kernel: CUkernel, config: CUfunc_cache, dev: CUdevice) {
        let found = on_device(kernel, dev)?;
        found.cache_config.store(config.0, Ordering::Relaxed);
        Ok(())
    }
}
