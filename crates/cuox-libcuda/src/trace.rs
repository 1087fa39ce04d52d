//! `CUOX_TRACE=1`: a line for every call, with its arguments and result.
//!
//! Memory behind pointers is read through the kernel (`process_vm_readv`), so a wrong pointer of the program's is an
//! address in a line and no fault.

use core::any::{Any, TypeId};
use core::ffi::{c_char, c_void};
use core::fmt::Debug;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::OnceLock;

use cuox_abi::{CUfunction, CUkernel, CUresult, result_name};

/// Longest text that is shown of a C string.
const LONGEST_TEXT: usize = 200;
/// Larger records are shown as an address.
const LARGEST_RECORD: usize = 512;

/// True if calls are to be traced.
#[inline]
pub fn enabled() -> bool {
    static ENABLED: OnceLock<bool> = OnceLock::new();
    *ENABLED.get_or_init(|| cuox_softgpu::is_set("CUOX_TRACE"))
}

/// An argument of a driver function, which is shown as a pointer ([`ShowPointer`]) or, if it is none, as a value
/// ([`ShowValue`]). The call is written `(&Argument(&x)).show(…)`, for which the compiler takes the first of the two
/// that fits.
pub struct Argument<'a, T>(pub &'a T);

/// Pointers: what they lead to.
pub trait ShowPointer {
    /// Writes the argument as the caller gave it.
    fn show(&self, line: &mut String);
    /// Writes what is there after a call that succeeded, if that is a result.
    fn show_result(&self, name: &str, line: &mut String);
}

/// Numbers, enumerations, handles, records and functions.
pub trait ShowValue {
    /// Writes the argument.
    fn show(&self, line: &mut String);
    /// A value holds no result.
    fn show_result(&self, _name: &str, _line: &mut String) {}
}

// Not a part of the exported functions, which would be many times as large for what few programs ask for.
impl<T: Debug + Copy + 'static> ShowPointer for Argument<'_, *mut T> {
    #[cold]
    fn show(&self, line: &mut String) {
        address(line, self.0.addr());
    }

    #[cold]
    fn show_result(&self, name: &str, line: &mut String) {
        if TypeId::of::<T>() == TypeId::of::<c_char>() && !self.0.is_null() {
            let _ = write!(line, ", *{name}=");
            text(line, self.0.addr());
        } else if let Some(value) = read(self.0.cast_const()) {
            let _ = write!(line, ", *{name}=");
            value_of(line, &value);
        }
    }
}

impl<T: Debug + Copy + 'static> ShowPointer for Argument<'_, *const T> {
    #[cold]
    fn show(&self, line: &mut String) {
        if TypeId::of::<T>() == TypeId::of::<c_char>() {
            return text(line, self.0.addr());
        }
        match read(*self.0) {
            Some(value) => value_of(line, &value),
            None => address(line, self.0.addr()),
        }
    }

    fn show_result(&self, _name: &str, _line: &mut String) {}
}

impl<T: Debug + 'static> ShowValue for &Argument<'_, T> {
    #[cold]
    fn show(&self, line: &mut String) {
        value_of(line, self.0);
    }
}

fn address(line: &mut String, at: usize) {
    let _ = match at {
        0 => write!(line, "NULL"),
        at => write!(line, "{at:#x}"),
    };
}

/// A value by its type: addresses in hexadecimal, handles of kernels with their names.
fn value_of<T: Debug + 'static>(line: &mut String, value: &T) {
    shown(line, value, value);
}

/// The value, as what it is and as what it prints.
fn shown(line: &mut String, any: &dyn Any, value: &dyn Debug) {
    let _ = match any.downcast_ref::<u64>() {
        Some(number) => write!(line, "{number:#x}"),
        None => write!(line, "{value:?}"),
    };
    let kernel = match (
        any.downcast_ref::<CUfunction>(),
        any.downcast_ref::<CUkernel>(),
    ) {
        (Some(function), _) => function.addr(),
        (_, Some(kernel)) => kernel.addr(),
        _ => return,
    };
    if let Some(name) = cuox_softgpu::kernel_name(kernel as u64) {
        let _ = write!(line, " {name}");
    }
}

/// Copies bytes of this process; fewer, or none, where there is no memory.
fn read_bytes(at: usize, bytes: &mut [u8]) -> usize {
    let local = libc::iovec {
        iov_base: bytes.as_mut_ptr().cast(),
        iov_len: bytes.len(),
    };
    let remote = libc::iovec {
        iov_base: at as *mut c_void,
        iov_len: bytes.len(),
    };
    // SAFETY: the kernel writes to `bytes` only, and answers with an error for addresses without memory.
    let got = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    usize::try_from(got).unwrap_or(0)
}

fn read<T: Copy + 'static>(at: *const T) -> Option<T> {
    let size = core::mem::size_of::<T>();
    if at.is_null()
        || size == 0
        || size > LARGEST_RECORD
        || TypeId::of::<T>() == TypeId::of::<c_void>()
    {
        return None;
    }
    let mut value = core::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: the bytes of `value`, which are initialised.
    let bytes = unsafe { core::slice::from_raw_parts_mut(value.as_mut_ptr().cast::<u8>(), size) };
    // SAFETY: records, handles and numbers of the header have no values that are invalid.
    (read_bytes(at.addr(), bytes) == size).then(|| unsafe { value.assume_init() })
}

fn text(line: &mut String, at: usize) {
    if at == 0 {
        return address(line, at);
    }
    let mut bytes = [0u8; LONGEST_TEXT];
    // A text may end right before memory that is not there.
    let page = 4096 - at % 4096;
    let mut got = read_bytes(at, &mut bytes[..LONGEST_TEXT.min(page)]);
    if got == page && page < LONGEST_TEXT && !bytes[..got].contains(&0) {
        got += read_bytes(at + page, &mut bytes[page..]);
    }
    let end = bytes[..got].iter().position(|&byte| byte == 0);
    let shown = String::from_utf8_lossy(&bytes[..end.unwrap_or(got)]);
    let _ = match end {
        Some(_) => write!(line, "{shown:?}"),
        None => write!(line, "{shown:?}..."),
    };
}

/// Writes the line of a call. `arguments` and `results` write their parts.
#[cold]
pub fn call(
    symbol: &str,
    arguments: &dyn Fn(&mut String),
    results: &dyn Fn(&mut String),
    result: CUresult,
) {
    // SAFETY: no arguments.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) };
    let mut line = format!("cuox trace [{thread}] {symbol}(");
    arguments(&mut line);
    let name = result_name(result).map_or("an unknown code".into(), |name| name.to_string_lossy());
    let _ = write!(line, ") -> {} {name}", result.0);
    if result == CUresult::CUDA_SUCCESS {
        results(&mut line);
    } else if result != CUresult::CUDA_ERROR_NOT_READY {
        let why = crate::summary::headline(&cuox_softgpu::last_fault());
        if !why.is_empty() {
            let _ = write!(line, ": {why}");
        }
    }
    line.push('\n');
    // One write, so that lines of several threads stay whole. The program may have closed its standard error.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Writes a parameter's name, behind a comma if it is not the first.
pub fn parameter(line: &mut String, name: &str) {
    let separator = if line.ends_with('(') { "" } else { ", " };
    let _ = write!(line, "{separator}{name}=");
}
