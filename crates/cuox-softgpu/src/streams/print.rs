//! Output of device `printf`.

use std::sync::Mutex;

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

static ORDER: Mutex<()> = Mutex::new(());

/// Writes bytes to the process's standard output, behind the text that the program has printed through C's
/// own buffer, and flushes it.
pub fn to_stdout(bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let _guard = ORDER
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    // SAFETY: C's standard output is open for the life of the process; the bytes are valid.
    unsafe {
        libc::fwrite(bytes.as_ptr().cast(), 1, bytes.len(), stdout);
        libc::fflush(stdout);
    }
}
