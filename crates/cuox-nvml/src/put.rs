//! What is written for callers.

use core::ffi::{CStr, c_char};

use crate::code::{Code, Res};

/// Stores a value.
///
/// # Safety
/// `to` is null or a place for it.
pub unsafe fn put<T>(to: *mut T, value: T) -> Res {
    if to.is_null() {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: not null, so a place for it; packed records of other languages have places that are not aligned.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Stores two values, or neither.
///
/// # Safety
/// Each is null or a place for its value.
pub unsafe fn put_both<T, U>(first: *mut T, one: T, second: *mut U, other: U) -> Res {
    if second.is_null() {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: as the caller promises.
    unsafe {
        put(first, one)?;
        put(second, other)
    }
}

/// Stores a text and its zero byte.
///
/// # Safety
/// `to` is null or has room for `length` bytes.
pub unsafe fn put_text(to: *mut c_char, length: u32, text: &str) -> Res {
    if to.is_null() {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    if text.len() >= length as usize {
        return Err(Code::NVML_ERROR_INSUFFICIENT_SIZE);
    }
    // SAFETY: the text and its zero byte are at most `length` bytes.
    unsafe {
        to.cast::<u8>()
            .copy_from_nonoverlapping(text.as_ptr(), text.len());
        to.add(text.len()).write(0);
    }
    Ok(())
}

/// Stores a text and its zero byte, cut if there is no room.
///
/// # Safety
/// `to` is null or has room for `length` bytes.
pub unsafe fn put_cut_text(to: *mut c_char, length: u32, text: &str) -> Res {
    let room = (length as usize)
        .checked_sub(1)
        .ok_or(Code::NVML_ERROR_INVALID_ARGUMENT)?;
    let cut = text.floor_char_boundary(room);
    // SAFETY: as the caller promises.
    unsafe { put_text(to, length, &text[..cut]) }
}

/// A text as the array of a structure, cut if need be, with a zero byte.
pub fn array<const N: usize>(text: &str) -> [c_char; N] {
    let mut array = [0; N];
    for (to, from) in array.iter_mut().take(N - 1).zip(text.bytes()) {
        *to = from.cast_signed();
    }
    array
}

/// A text that is not null and UTF-8.
///
/// # Safety
/// `text` is null or a C string that lives as long as the result is used.
pub unsafe fn name_of<'a>(text: *const c_char) -> Res<&'a str> {
    if text.is_null() {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: not null, so a C string.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Code::NVML_ERROR_INVALID_ARGUMENT)
}

/// The structure at a place, if its version is that.
///
/// # Safety
/// `at` is null or a structure that begins with its version, and that nothing else uses as long as the result is.
pub unsafe fn versioned<'a, T>(at: *mut T, version: u32) -> Res<&'a mut T> {
    if at.is_null() {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: not null, so a structure that begins with a number; one of another version may be shorter than `T`.
    if unsafe { at.cast::<u32>().read() } != version {
        return Err(Code::NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    }
    // SAFETY: of that version, so a whole `T`.
    Ok(unsafe { &mut *at })
}

/// Fills an array of which the caller gives the length: `count` becomes the number of values, and if there is no room
/// for them that is an error.
///
/// # Safety
/// `count` is null or a number, `values` null or room for so many.
pub unsafe fn put_list<T: Copy>(count: *mut u32, values: *mut T, list: &[T]) -> Res {
    if count.is_null() {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: not null, so a number.
    let room = unsafe { count.replace(list.len() as u32) } as usize;
    if room < list.len() {
        return Err(Code::NVML_ERROR_INSUFFICIENT_SIZE);
    }
    if list.is_empty() {
        return Ok(());
    }
    if values.is_null() {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: there is room for at least so many.
    unsafe { values.copy_from_nonoverlapping(list.as_ptr(), list.len()) };
    Ok(())
}
