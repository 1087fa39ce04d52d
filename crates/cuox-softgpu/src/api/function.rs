//! Functions: kernels of a module (and of a library: the handles are of one kind).

use crate::api::{driver_functions, put, put_if};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, Res};
use crate::loading::module::Function;
use crate::{current, driver};
use core::ffi::c_char;
use core::sync::atomic::Ordering;
use cuox_abi::{
    CUfunc_cache, CUfunction, CUfunction_attribute, CUfunctionLoadingState, CUmodule,
    CUsharedconfig,
};
use std::sync::Arc;

/// The function with that handle.
pub(super) fn named(function: CUfunction) -> Res<Arc<Function>> {
    driver::get()?
        .functions
        .get(function.addr() as u64)
        .ok_or(INVALID_HANDLE)
}

/// The function with that handle, for a library's kernel that of the current context's device.
fn here(function: CUfunction) -> Res<Arc<Function>> {
    let driver = driver::get()?;
    let device = current::context(driver).map_or(0, |context| context.state.device);
    current::function(driver, named(function)?, device)
}

/// Stores a parameter's offset and size.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe fn put_param_info(
    function: &Function,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Res {
    let param = function.info.params.get(index).ok_or(INVALID_VALUE)?;
    // SAFETY: by this function's contract both pointers are null, which `put` and `put_if` refuse, or writable.
    unsafe {
        put(offset, param.offset as usize)?;
        put_if(size, param.size as usize);
    }
    Ok(())
}

driver_functions! {
    fn cuFuncGetAttribute(pi: *mut i32, attrib: CUfunction_attribute, hfunc: CUfunction) {
        put(pi, here(hfunc)?.attribute(attrib)?)
    }

    fn cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: i32) {
        here(hfunc)?.set_attribute(attrib, value)
    }

    fn cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache) {
        here(hfunc)?.cache_config.store(config.0, Ordering::Relaxed);
        Ok(())
    }

    fn cuFuncSetSharedMemConfig(hfunc: CUfunction, _config: CUsharedconfig) {
        named(hfunc).map(drop)
    }

    fn cuFuncGetModule(hmod: *mut CUmodule, hfunc: CUfunction) {
        put(hmod, CUmodule::from_addr(named(hfunc)?.module as usize))
    }

    fn cuFuncGetName(name: *mut *const c_char, hfunc: CUfunction) {
        if hfunc.is_null() {
            // Unlike a stale handle, for NVIDIA's driver.
            return Err(INVALID_VALUE);
        }
        put(name, named(hfunc)?.c_name().as_ptr())
    }

    fn cuFuncGetParamInfo(func: CUfunction, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) {
        put_param_info(&*named(func)?, paramIndex, paramOffset, paramSize)
    }

    fn cuFuncIsLoaded(state: *mut CUfunctionLoadingState, function: CUfunction) {
        let loaded = here(function)?.is_loaded();
        put(state, if loaded {
            CUfunctionLoadingState::CU_FUNCTION_LOADING_STATE_LOADED
        } else {
            CUfunctionLoadingState::CU_FUNCTION_LOADING_STATE_UNLOADED
        })
    }

    fn cuFuncLoad(function: CUfunction) {
        here(function)?.kernel().map(drop)
    }
}
