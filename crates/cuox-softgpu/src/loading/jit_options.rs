//! JIT options: the log buffers and the most registers count, the rest is accepted.

use crate::code::{INVALID_VALUE, Res};
use core::ffi::c_void;
use cuox_abi::CUjit_option as O;

/// A log buffer of the caller's, and where its size goes back to.
#[derive(Clone, Copy, Default)]
struct Log {
    buffer: usize,
    size: usize,
    size_out: usize,
}

/// The options that a program has given.
#[derive(Clone, Copy, Default)]
pub struct JitOptions {
    info: Log,
    error: Log,
    /// The most registers of a thread; what the kernels report stays within it.
    pub max_registers: Option<u32>,
}

impl JitOptions {
    /// Reads the caller's arrays.
    ///
    /// # Safety
    /// If `count` is not 0 and the arrays are not null, they have `count` elements, and log buffers in
    /// them are as large as said and live as long as the result.
    pub unsafe fn read(count: u32, options: *const O, values: *mut *mut c_void) -> Res<JitOptions> {
        let mut found = JitOptions::default();
        if count == 0 {
            return Ok(found);
        }
        if options.is_null() || values.is_null() {
            return Err(INVALID_VALUE);
        }
        for i in 0..count as usize {
            // SAFETY: the caller's arrays have `count` elements.
            let (option, slot) = unsafe { (options.add(i).read(), values.add(i)) };
            // SAFETY: `slot` is an element of the values, since `i` is below `count`. Its value is a number or an
            // address, and any bits are either.
            let value = unsafe { slot.read() } as usize;
            match option {
                O::CU_JIT_INFO_LOG_BUFFER => found.info.buffer = value,
                O::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES => {
                    found.info.size = value & u32::MAX as usize;
                    found.info.size_out = slot as usize;
                }
                O::CU_JIT_ERROR_LOG_BUFFER => found.error.buffer = value,
                O::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES => {
                    found.error.size = value & u32::MAX as usize;
                    found.error.size_out = slot as usize;
                }
                O::CU_JIT_MAX_REGISTERS => {
                    found.max_registers = Some(value as u32).filter(|&n| n > 0);
                }
                _ if option.0 >= O::CU_JIT_NUM_OPTIONS.0 => return Err(INVALID_VALUE),
                _ => {}
            }
        }
        found.info.write("");
        found.error.write("");
        Ok(found)
    }

    /// Puts a text into the error log.
    pub fn write_error(&self, text: &str) {
        self.error.write(text);
    }
}

impl Log {
    fn write(&self, text: &str) {
        if self.buffer == 0 || self.size == 0 {
            return;
        }
        let mut len = text.len().min(self.size - 1);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        // SAFETY: the caller of `read` says that the buffer has `size` bytes and the slot is writable;
        // at most size - 1 bytes and a NUL are written.
        unsafe {
            let buffer = self.buffer as *mut u8;
            buffer.copy_from_nonoverlapping(text.as_ptr(), len);
            buffer.add(len).write(0);
            if self.size_out != 0 {
                (self.size_out as *mut usize).write(if len == 0 { 0 } else { len + 1 });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_cut_and_terminated() {
        let mut buffer = [0xffu8; 8];
        let names = [
            O::CU_JIT_TARGET,
            O::CU_JIT_MAX_REGISTERS,
            O::CU_JIT_ERROR_LOG_BUFFER,
            O::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [
            90usize as *mut c_void,
            40usize as *mut c_void,
            buffer.as_mut_ptr().cast(),
            6usize as *mut c_void,
        ];
        // SAFETY: arrays of four, a buffer of eight of which six are named.
        let options = unsafe { JitOptions::read(4, names.as_ptr(), values.as_mut_ptr()) }.unwrap();
        assert_eq!(options.max_registers, Some(40));
        assert_eq!((buffer[0], values[3] as usize), (0, 0));
        options.write_error("déjà vu");
        assert_eq!(&buffer, b"d\xc3\xa9j\0\xff\xff\xff");
        assert_eq!(values[3] as usize, 5);
        // SAFETY: nothing is read.
        assert!(unsafe { JitOptions::read(1, core::ptr::null(), values.as_mut_ptr()) }.is_err());
    }
}
