//! What `cuox_bind._native` tells `cuox._native` about objects of C values, which are arguments of launches: a table in
//! a capsule, so that each class exists once.

use std::ffi::{CStr, c_int, c_void};

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The lowest address that may be memory: the first page is never mapped.
pub const MIN_ADDRESS: u64 = 4096;

/// The module, its attribute, and the name of the capsule there.
const MODULE: &str = "cuox_bind._native";
const ATTRIBUTE: &str = "_C_VALUES";
const CAPSULE: &CStr = c"cuox_bind._native._C_VALUES";

/// The form of [`Table`] and of what its functions promise.
const VERSION: u32 = 1;

/// Where an object's C value lies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Location {
    /// Its address, which is good as long as the object.
    pub address: u64,
    /// The size of a handle or record; 0 for other kinds.
    pub size: usize,
}

/// What can be asked of objects of C values. All functions are called with the interpreter's lock held.
#[repr(C)]
pub struct Table {
    version: u32,
    /// The offset of an object's value: of a handle's.
    pub value: usize,
    /// The offset of an object's flags, of 64 bits.
    pub flags: usize,
    /// The flags of objects whose value is not at `value`.
    pub elsewhere: u64,
    /// Writes the value of an open handle that may be an address, is of no subclass, and lies nowhere else. Returns 1;
    /// or 0 for all other objects. No Python code runs.
    plain_handle: unsafe extern "C" fn(*mut ffi::PyObject, *mut u64) -> c_int,
    /// Writes where the value lies of an object whose class is of a C type, and no subclass. Returns 1; 0 for all other
    /// objects; or -1 with an exception set: it is closed, or null.
    location: unsafe extern "C" fn(*mut ffi::PyObject, *mut Location) -> c_int,
    /// From now on C may call Python code, for all that bound functions know.
    assume_callbacks: extern "C" fn(),
}

impl Table {
    /// A table of these functions: those of [`Table`]'s members of these names.
    pub const fn new(
        [value, flags]: [usize; 2],
        elsewhere: u64,
        plain_handle: unsafe extern "C" fn(*mut ffi::PyObject, *mut u64) -> c_int,
        location: unsafe extern "C" fn(*mut ffi::PyObject, *mut Location) -> c_int,
        assume_callbacks: extern "C" fn(),
    ) -> Self {
        Self {
            version: VERSION,
            value,
            flags,
            elsewhere,
            plain_handle,
            location,
            assume_callbacks,
        }
    }

    /// See the member.
    #[inline]
    pub fn plain_handle(&self, object: &Bound<'_, PyAny>) -> Option<u64> {
        let mut value = 0;
        // SAFETY: a live object, with the lock held, and a place for the value.
        let found = unsafe { (self.plain_handle)(object.as_ptr(), &raw mut value) };
        (found == 1).then_some(value)
    }

    /// See the member.
    #[inline]
    pub fn location(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Location>> {
        let mut location = Location::default();
        // SAFETY: a live object, with the lock held, and a place for the answer.
        match unsafe { (self.location)(object.as_ptr(), &raw mut location) } {
            0 => Ok(None),
            1 => Ok(Some(location)),
            _ => Err(PyErr::fetch(object.py())),
        }
    }

    /// See the member.
    pub fn assume_callbacks(&self) {
        (self.assume_callbacks)();
    }
}

/// Puts the table into the module `cuox_bind._native`.
pub fn tell(module: &Bound<'_, PyModule>, table: &'static Table) -> PyResult<()> {
    let table = std::ptr::from_ref(table).cast_mut().cast::<c_void>();
    // SAFETY: the table and the name live as long as the process; the result is a new reference, or null with an
    // exception set.
    let capsule = unsafe {
        let capsule = ffi::PyCapsule_New(table, CAPSULE.as_ptr(), None);
        Bound::from_owned_ptr_or_err(module.py(), capsule)?
    };
    module.add(ATTRIBUTE, capsule)
}

/// The table that [`find`] has found.
static TABLE: PyOnceLock<&'static Table> = PyOnceLock::new();

/// Imports `cuox_bind._native`, whose version has to be `version`. Raises ImportError.
pub fn find(py: Python<'_>, version: &str) -> PyResult<()> {
    let module = py.import(MODULE)?;
    let found: String = module.getattr("__version__")?.extract()?;
    let wrong = |what: String| {
        PyImportError::new_err(format!(
            "cuox {version} needs cuox-bind {version}, but {what} is installed: install both again from one release, or \
             by `pip install --force-reinstall .` in a clone"
        ))
    };
    if found != version {
        return Err(wrong(format!("cuox-bind {found}")));
    }
    let Some(capsule) = module.getattr_opt(ATTRIBUTE)? else {
        return Err(wrong("another build of it".to_owned()));
    };
    // SAFETY: a live object, with the lock held. A capsule of this name holds a table, which begins with its version
    // and lives as long as the process, in every version of it.
    let table = unsafe {
        let table = ffi::PyCapsule_GetPointer(capsule.as_ptr(), CAPSULE.as_ptr()).cast::<Table>();
        if table.is_null() {
            return Err(PyErr::fetch(py));
        }
        if (&raw const (*table).version).read() != VERSION {
            return Err(wrong("another build of it".to_owned()));
        }
        &*table
    };
    let _ = TABLE.set(py, table);
    Ok(())
}

/// The table.
///
/// # Panics
/// [`find`] has not succeeded: it is called when the module is imported.
#[inline]
#[allow(clippy::expect_used, reason = "the module is not imported without it")]
pub fn table(py: Python<'_>) -> &'static Table {
    TABLE.get(py).expect("found as the module was imported")
}

/// The value at an offset in an object.
///
/// # Safety
/// The object lives, and has such a value there.
#[inline]
pub unsafe fn word_at(object: *mut ffi::PyObject, offset: usize) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { object.byte_add(offset).cast::<u64>().read() }
}
