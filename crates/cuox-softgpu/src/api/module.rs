//! Modules: code loaded into a context.

use crate::api::{driver_functions, name_of, put, put_if};
use crate::code::{FILE_NOT_FOUND, INVALID_HANDLE, INVALID_VALUE, Res};
use crate::driver::{self, Driver};
use crate::loading::jit_options::JitOptions;
use crate::loading::module::Module;
use crate::loading::module_image;
use crate::loading::module_image::reader::Reader;
use crate::{current, settings};
use core::ffi::{c_char, c_void};
use cuox_abi::{CUdeviceptr, CUfunction, CUjit_option, CUmodule};
use std::sync::Arc;

fn named(driver: &Driver, module: CUmodule) -> Res<Arc<Module>> {
    driver
        .modules
        .get(module.addr() as u64)
        .ok_or(INVALID_HANDLE)
}

/// Looks whether the calling thread's context has an error, or where it has none, the module's.
fn healthy(driver: &Driver, module: CUmodule) -> Res {
    match named(driver, module) {
        Ok(module) => current::healthy_or_owner(driver, module.owner.context)?,
        Err(_) => current::healthy(driver)?,
    };
    Ok(())
}

fn load(image: Reader, options: &JitOptions) -> Res<CUmodule> {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    let mut image = module_image::read(image, settings::sm())?;
    image.max_registers = options.max_registers.or(image.max_registers);
    let owner = now.state.owner();
    match Module::load(&driver.memory, &driver.modules, image, owner) {
        Ok(module) => Ok(CUmodule::from_addr(module.handle as usize)),
        Err(failure) => {
            options.write_error(&failure.log);
            Err(failure.code)
        }
    }
}

/// The contents of a file that a client names.
pub(super) fn read_file(name: &str) -> Res<Vec<u8>> {
    std::fs::read(name).map_err(|_| FILE_NOT_FOUND)
}

/// A reader of bytes in hand.
pub(super) fn reader_of(bytes: &[u8]) -> Reader {
    Reader::new(bytes.as_ptr() as u64, Some(bytes.len() as u64))
}

driver_functions! {
    fn cuModuleLoad(module: *mut CUmodule, fname: *const c_char) {
        let name = name_of(fname)?;
        if module.is_null() {
            return Err(INVALID_VALUE);
        }
        current::healthy(driver::get()?)?;
        let bytes = read_file(name)?;
        put(module, load(reader_of(&bytes), &JitOptions::default())?)
    }

    fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void) {
        if module.is_null() || image.is_null() {
            return Err(INVALID_VALUE);
        }
        put(module, load(Reader::new(image as u64, None), &JitOptions::default())?)
    }

    fn cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, numOptions: u32, options: *mut CUjit_option, optionValues: *mut *mut c_void) {
        if module.is_null() || image.is_null() {
            return Err(INVALID_VALUE);
        }
        let options = JitOptions::read(numOptions, options, optionValues)?;
        put(module, load(Reader::new(image as u64, None), &options)?)
    }

    fn cuModuleLoadFatBinary(module: *mut CUmodule, fatCubin: *const c_void) {
        if module.is_null() || fatCubin.is_null() {
            return Err(INVALID_VALUE);
        }
        put(module, load(Reader::new(fatCubin as u64, None), &JitOptions::default())?)
    }

    fn cuModuleUnload(hmod: CUmodule) {
        let driver = driver::get()?;
        let module = named(driver, hmod)?;
        if module.of_library {
            return Err(INVALID_HANDLE);
        }
        if let Ok(owner) = current::by_handle(driver, module.owner.context) {
            owner.state.wait();
        }
        module.forget(&driver.memory, &driver.modules, &driver.functions);
        Ok(())
    }

    fn cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char) {
        let driver = driver::get()?;
        healthy(driver, hmod)?;
        let name = name_of(name)?;
        if hfunc.is_null() {
            return Err(INVALID_VALUE);
        }
        put(hfunc, CUfunction::from_addr(named(driver, hmod)?.function(&driver.functions, name)? as usize))
    }

    fn cuModuleGetFunctionCount(count: *mut u32, mod_: CUmodule) {
        put(count, named(driver::get()?, mod_)?.kernels().len() as u32)
    }

    fn cuModuleEnumerateFunctions(functions: *mut CUfunction, numFunctions: u32, mod_: CUmodule) {
        let driver = driver::get()?;
        let module = named(driver, mod_)?;
        for (i, name) in module.kernels().iter().take(numFunctions as usize).enumerate() {
            if functions.is_null() {
                return Err(INVALID_VALUE);
            }
            put(functions.add(i), CUfunction::from_addr(module.function(&driver.functions, name)? as usize))?;
        }
        Ok(())
    }

    fn cuModuleGetGlobal_v2(dptr: *mut CUdeviceptr, bytes: *mut usize, hmod: CUmodule, name: *const c_char) {
        let driver = driver::get()?;
        healthy(driver, hmod)?;
        let module = named(driver, hmod)?;
        let global = module.global(name_of(name)?)?;
        put_if(dptr, global.at);
        put_if(bytes, global.len as usize);
        Ok(())
    }
}
