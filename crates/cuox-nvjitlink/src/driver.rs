//! Linking PTX with the process's driver.

use core::ffi::{c_char, c_void};
use std::sync::OnceLock;

use cuox_abi::{CUcontext, CUjit_option, CUjitInputType, CUlinkState, CUresult, DriverTable};

use crate::library::Library;
use crate::link::Input;
use crate::status::{Failure, INTERNAL, INVALID_INPUT, PTX_COMPILE, Res};

/// Bytes of the driver's error log.
const LOG: usize = 64 << 10;

fn table() -> Option<&'static DriverTable> {
    static TABLE: OnceLock<Option<DriverTable>> = OnceLock::new();
    TABLE
        .get_or_init(|| {
            let library = Library::open(c"libcuda.so.1")?;
            // SAFETY: the symbols of a CUDA driver are the header's functions; the library stays open.
            let table = unsafe { DriverTable::load(|name| library.symbol(name).cast_const()) };
            // SAFETY: no pointers.
            (unsafe { table.cuInit(0) } == CUresult::CUDA_SUCCESS).then_some(table)
        })
        .as_ref()
}

/// A context to link in: the calling thread's, or the device's own for as long as this lives.
struct Current {
    table: &'static DriverTable,
    retained: bool,
}

impl Current {
    fn enter(table: &'static DriverTable) -> Option<Current> {
        let mut context = CUcontext::null();
        // SAFETY: a place for a handle.
        let known = unsafe { table.cuCtxGetCurrent(&mut context) };
        if known == CUresult::CUDA_SUCCESS && !context.is_null() {
            return Some(Current {
                table,
                retained: false,
            });
        }
        // SAFETY: a place for a handle.
        let retained = unsafe { table.cuDevicePrimaryCtxRetain(&mut context, 0) };
        if retained != CUresult::CUDA_SUCCESS {
            return None;
        }
        // SAFETY: the context is retained.
        unsafe { table.cuCtxPushCurrent_v2(context) };
        Some(Current {
            table,
            retained: true,
        })
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        if self.retained {
            let mut context = CUcontext::null();
            // SAFETY: a place for a handle; the context was pushed and retained by `enter`.
            unsafe {
                self.table.cuCtxPopCurrent_v2(&mut context);
                self.table.cuDevicePrimaryCtxRelease_v2(0);
            }
        }
    }
}

/// Links PTX texts and fat binaries with PTX to an image that the driver loads. No thread of its kernels has more
/// registers than that, if a number is given.
pub fn link(inputs: &[&Input], max_registers: Option<u32>) -> Res<Vec<u8>> {
    let table = table().ok_or_else(|| Failure::new(INTERNAL, "no CUDA driver was found"))?;
    let _current =
        Current::enter(table).ok_or_else(|| Failure::new(INTERNAL, "the device has no context"))?;
    let mut log = vec![0u8; LOG];
    let mut options = [
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        CUjit_option::CU_JIT_MAX_REGISTERS,
    ];
    let number = core::ptr::without_provenance_mut::<c_void>;
    let registers = number(max_registers.unwrap_or(0) as usize);
    let mut values = [log.as_mut_ptr().cast(), number(LOG), registers];
    let count = 2 + u32::from(max_registers.is_some());
    let mut state = CUlinkState::null();
    // SAFETY: at most three options with their values; the log lives longer than the link.
    let status = unsafe {
        table.cuLinkCreate_v2(count, options.as_mut_ptr(), values.as_mut_ptr(), &mut state)
    };
    if status != CUresult::CUDA_SUCCESS {
        return Err(Failure::new(INTERNAL, said(status, &log)));
    }
    let linked = complete(table, state, inputs).map_err(|status| {
        let code = match status {
            CUresult::CUDA_ERROR_INVALID_PTX => PTX_COMPILE,
            _ => INVALID_INPUT,
        };
        Failure::new(code, said(status, &log))
    });
    // SAFETY: the link is this function's.
    unsafe { table.cuLinkDestroy(state) };
    linked
}

fn complete(
    table: &DriverTable,
    state: CUlinkState,
    inputs: &[&Input],
) -> Result<Vec<u8>, CUresult> {
    let check = |status: CUresult| match status {
        CUresult::CUDA_SUCCESS => Ok(()),
        failure => Err(failure),
    };
    for input in inputs {
        let (data, size) = (input.data.as_ptr().cast_mut().cast(), input.data.len());
        let kind = CUjitInputType::CU_JIT_INPUT_PTX;
        let (none, no_values) = (core::ptr::null_mut(), core::ptr::null_mut());
        let name: *const c_char = input.name.as_ptr();
        // SAFETY: the data has that size, the name is a C string, there are no options.
        check(unsafe {
            table.cuLinkAddData_v2(state, kind, data, size, name, 0, none, no_values)
        })?;
    }
    let (mut image, mut size) = (core::ptr::null_mut(), 0);
    // SAFETY: places for the results.
    check(unsafe { table.cuLinkComplete(state, &mut image, &mut size) })?;
    // SAFETY: the image has that size and lives until the link is destroyed.
    Ok(unsafe { core::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec())
}

fn said(status: CUresult, log: &[u8]) -> String {
    let end = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
    let name = cuox_abi::result_name(status).map_or("error".into(), |name| name.to_string_lossy());
    format!("{name}\n{}", String::from_utf8_lossy(&log[..end]))
}
