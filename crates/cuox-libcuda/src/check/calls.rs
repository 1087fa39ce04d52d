//! `CUOX_SOFT_API_ERRORS=1`: calls of the driver that failed.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use cuox_abi::{CUresult, result_name};

use super::place::Place;
use super::say;

/// Calls that have failed, by function and code.
static FAILED: Mutex<BTreeMap<(String, u32), u64>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// True in calls of cuox's CUDA runtime, which reports what fails.
    static IN_RUNTIME: Cell<bool> = const { Cell::new(false) };
}

/// A loop around a call that fails is one mistake: so many of its calls are written out.
const WRITTEN: u64 = 3;

/// Codes that stay in a context after a fault, which is reported itself.
const OF_A_FAULT: [CUresult; 7] = [
    CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
    CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
    CUresult::CUDA_ERROR_ASSERT,
    CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR,
    CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
    CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
    CUresult::CUDA_ERROR_LAUNCH_FAILED,
];
/// Questions to which an error is an answer: is there such a function, is this a pointer of the device's, is there a
/// context, has a kernel another parameter?
const ANSWERS: [(&str, CUresult); 11] = [
    ("cuGetProcAddress", CUresult::CUDA_ERROR_NOT_FOUND),
    ("cuGetProcAddress_v2", CUresult::CUDA_ERROR_NOT_FOUND),
    ("cuGetExportTable", CUresult::CUDA_ERROR_INVALID_VALUE),
    ("cuPointerGetAttribute", CUresult::CUDA_ERROR_INVALID_VALUE),
    ("cuPointerGetAttributes", CUresult::CUDA_ERROR_INVALID_VALUE),
    ("cuCtxGetDevice", CUresult::CUDA_ERROR_INVALID_CONTEXT),
    ("cuCtxGetDevice_v2", CUresult::CUDA_ERROR_INVALID_CONTEXT),
    ("cuCtxGetApiVersion", CUresult::CUDA_ERROR_INVALID_CONTEXT),
    ("cuFuncGetParamInfo", CUresult::CUDA_ERROR_INVALID_VALUE),
    ("cuKernelGetParamInfo", CUresult::CUDA_ERROR_INVALID_VALUE),
    ("cuModuleGetGlobal_v2", CUresult::CUDA_ERROR_NOT_FOUND),
];

/// True if failed calls are reported.
#[inline]
pub fn enabled() -> bool {
    static ENABLED: OnceLock<bool> = OnceLock::new();
    *ENABLED.get_or_init(|| cuox_softgpu::is_set("CUOX_SOFT_API_ERRORS"))
}

fn is_error(symbol: &str, result: CUresult) -> bool {
    let faults_or_waits = OF_A_FAULT.contains(&result) || result == CUresult::CUDA_ERROR_NOT_READY;
    !faults_or_waits && !ANSWERS.contains(&(symbol, result))
}

/// Reports a call of the driver that failed. The call's explanation is the thread's newest.
#[cold]
pub fn failed(symbol: &'static str, result: CUresult) {
    let in_runtime = IN_RUNTIME.try_with(Cell::get).unwrap_or(false);
    if enabled() && is_error(symbol, result) && !in_runtime {
        let name = result_name(result);
        let name = name.map_or("an unknown code".into(), |name| name.to_string_lossy());
        report(symbol, &name, result.0);
    }
}

/// A call of the CUDA runtime begins on this thread.
pub fn begin_runtime_call() {
    let _ = IN_RUNTIME.try_with(|inside| inside.set(true));
}

/// It ends, with a code of the runtime's, which gives one number to one error, as the driver does.
pub fn end_runtime_call(symbol: &str, name: &str, code: u32) {
    let _ = IN_RUNTIME.try_with(|inside| inside.set(false));
    if enabled() && code != 0 && is_error(symbol, CUresult(code)) {
        report(symbol.trim_start_matches('_'), name, code);
    }
}

fn report(symbol: &str, name: &str, code: u32) {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    let count = failed.entry((symbol.to_owned(), code)).or_insert(0);
    *count += 1;
    if *count > WRITTEN {
        return;
    }
    drop(failed);
    let why = crate::summary::headline(&cuox_softgpu::last_fault());
    let colon = if why.is_empty() { "" } else { ": " };
    let place = Place::here().describe(symbol);
    say(&format!(
        "{symbol} failed: {name} ({code}){colon}{why}{place}"
    ));
}

/// The number of calls that have failed.
pub fn count() -> u64 {
    let failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    failed.values().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_no_errors() {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        assert!(is_error("cuMemAlloc_v2", invalid));
        assert!(!is_error("cuPointerGetAttribute", invalid));
        assert!(!is_error("cuStreamQuery", CUresult::CUDA_ERROR_NOT_READY));
        let fault = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
        assert!(!is_error("cuMemFree_v2", fault));
    }
}
