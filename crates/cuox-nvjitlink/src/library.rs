//! Opening other libraries.

use core::ffi::{CStr, c_void};

/// An open library, which stays open.
pub struct Library(*mut c_void);

impl Library {
    pub fn open(name: &CStr) -> Option<Library> {
        // SAFETY: a C string; a library's constructors run, as programs that load it expect.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!handle.is_null()).then_some(Library(handle))
    }

    /// The address of a symbol, null if there is none.
    pub fn symbol(&self, name: &CStr) -> *mut c_void {
        // SAFETY: an open library and a C string.
        unsafe { libc::dlsym(self.0, name.as_ptr()) }
    }
}
