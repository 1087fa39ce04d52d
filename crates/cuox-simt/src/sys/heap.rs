//! The process's heap.

/// Gives memory back to the system that was freed: the C library keeps what lies below something that is still in use.
/// Takes milliseconds.
pub fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it may be called at any time, from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}
