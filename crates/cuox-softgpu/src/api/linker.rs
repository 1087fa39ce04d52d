//! `cuLink…`.

use crate::api::module::{read_file, reader_of};
use crate::api::{driver_functions, name_of, put, put_if};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::loading::jit_options::JitOptions;
use crate::loading::linker::Linker;
use crate::loading::module_image::reader::Reader;
use crate::{current, driver};
use core::ffi::{c_char, c_void};
use cuox_abi::{CUjit_option, CUjitInputType, CUlinkState};
use std::sync::Arc;

fn named(state: CUlinkState) -> Res<Arc<Linker>> {
    driver::get()?
        .linkers
        .get(state.addr() as u64)
        .ok_or(INVALID_HANDLE)
}

driver_functions! {
    fn cuLinkCreate_v2(numOptions: u32, options: *mut CUjit_option, optionValues: *mut *mut c_void, stateOut: *mut CUlinkState) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        if stateOut.is_null() {
            return Err(INVALID_VALUE);
        }
        let options = JitOptions::read(numOptions, options, optionValues)?;
        let made = driver.linkers.insert(|handle| Linker::new(handle, options)).ok_or(OUT_OF_MEMORY)?;
        put(stateOut, CUlinkState::from_addr(made.handle as usize))
    }

    fn cuLinkAddData_v2(state: CUlinkState, type_: CUjitInputType, data: *mut c_void, size: usize, name: *const c_char, _numOptions: u32, _options: *mut CUjit_option, _optionValues: *mut *mut c_void) {
        let linker = named(state)?;
        if data.is_null() || size == 0 {
            return Err(INVALID_VALUE);
        }
        let label = if name.is_null() { "input" } else { name_of(name)? };
        linker.add(type_, Reader::new(data as u64, Some(size as u64)), label)
    }

    fn cuLinkAddFile_v2(state: CUlinkState, type_: CUjitInputType, path: *const c_char, _numOptions: u32, _options: *mut CUjit_option, _optionValues: *mut *mut c_void) {
        let linker = named(state)?;
        let path = name_of(path)?;
        let bytes = read_file(path)?;
        linker.add(type_, reader_of(&bytes), path)
    }

    fn cuLinkComplete(state: CUlinkState, cubinOut: *mut *mut c_void, sizeOut: *mut usize) {
        let linker = named(state)?;
        let (at, len) = linker.complete().map_err(|failure| {
            linker.options.write_error(&failure.log);
            failure.code
        })?;
        put(cubinOut, at as *mut c_void)?;
        put_if(sizeOut, len);
        Ok(())
    }

    fn cuLinkDestroy(state: CUlinkState) {
        driver::get()?.linkers.remove(state.addr() as u64).map(drop).ok_or(INVALID_HANDLE)
    }
}
