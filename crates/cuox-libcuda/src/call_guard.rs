//! The frame of every call: no unwinding into C, the calling thread's kind of default stream, the log.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use cuox_abi::{CUresult, StreamClass, result_name};

use crate::{check, summary};

/// Makes one call from C.
///
/// A panic is a bug of ours that must not unwind into the caller's frames; it answers `CUDA_ERROR_UNKNOWN`.
#[inline]
pub fn enter(
    symbol: &'static str,
    class: StreamClass,
    call: impl FnOnce() -> CUresult,
) -> CUresult {
    let outcome = catch_unwind(AssertUnwindSafe(|| match class {
        StreamClass::Plain => call(),
        StreamClass::Ptds | StreamClass::Ptsz => cuox_softgpu::api::with_per_thread_stream(call),
    }));
    let result = outcome.unwrap_or(CUresult::CUDA_ERROR_UNKNOWN);
    if result != CUresult::CUDA_SUCCESS && result != CUresult::CUDA_ERROR_NOT_READY {
        failed(symbol, result);
    }
    if logging() {
        log(symbol, result);
    }
    result
}

#[cold]
fn failed(symbol: &'static str, result: CUresult) {
    cuox_softgpu::call_failed();
    if result == CUresult::CUDA_ERROR_NOT_SUPPORTED {
        summary::not_supported(symbol);
    }
    check::calls::failed(symbol, result);
}

/// True if `CUOX_LOG` lists `driver`.
#[inline]
fn logging() -> bool {
    static LOGGING: OnceLock<bool> = OnceLock::new();
    *LOGGING.get_or_init(|| {
        let topics = std::env::var("CUOX_LOG").unwrap_or_default();
        topics.split(',').any(|topic| topic.trim() == "driver")
    })
}

#[cold]
fn log(symbol: &str, result: CUresult) {
    let name = result_name(result).map_or("unknown code".into(), |name| name.to_string_lossy());
    // The program may have closed its standard error; that is no reason for a call to fail.
    let _ = writeln!(
        std::io::stderr(),
        "cuox driver: {symbol} -> {} {name}",
        result.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_leave_the_edge() {
        for class in [StreamClass::Plain, StreamClass::Ptds, StreamClass::Ptsz] {
            let result = enter("cuTest", class, || panic!("on purpose"));
            assert_eq!(result, CUresult::CUDA_ERROR_UNKNOWN);
            let result = enter("cuTest", class, || CUresult::CUDA_ERROR_NOT_READY);
            assert_eq!(result, CUresult::CUDA_ERROR_NOT_READY);
        }
    }
}
