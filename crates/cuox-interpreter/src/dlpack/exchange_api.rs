//! DLPack's table of C functions for a class of arrays, `__dlpack_c_exchange_api__`: a view of one of its objects
//! without a call of Python code.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};

use super::{Import, ManagedVersioned, Tensor};
use crate::gate;

/// The name of the capsule that has the table.
pub const NAME: &CStr = c"dlpack_exchange_api";

/// Tells a consumer in C of an error: its kind and its message.
pub type SetError = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char);

/// `DLPackManagedTensorAllocator`.
pub type Allocator = unsafe extern "C" fn(
    *mut Tensor,
    *mut *mut ManagedVersioned,
    *mut c_void,
    Option<SetError>,
) -> c_int;

/// `DLPackManagedTensorFromPyObjectNoSync`.
pub type ManagedFrom = unsafe extern "C" fn(*mut c_void, *mut *mut ManagedVersioned) -> c_int;

/// `DLPackManagedTensorToPyObjectNoSync`.
pub type ManagedTo = unsafe extern "C" fn(*mut ManagedVersioned, *mut *mut c_void) -> c_int;

/// `DLPackDLTensorFromPyObjectNoSync`.
pub type BorrowedFrom = unsafe extern "C" fn(*mut c_void, *mut Tensor) -> c_int;

/// `DLPackCurrentWorkStream`.
pub type CurrentStream = unsafe extern "C" fn(c_int, i32, *mut *mut c_void) -> c_int;

/// `DLPackExchangeAPI`.
#[repr(C)]
pub struct ExchangeApi {
    /// The version: its first number is the layout's.
    pub major: u32,
    /// Its second number.
    pub minor: u32,
    /// The table of an older version, or null.
    pub previous: *const ExchangeApi,
    /// Never null, as all but `borrowed_from`.
    pub allocator: Option<Allocator>,
    /// An object as a tensor that keeps it.
    pub managed_from: Option<ManagedFrom>,
    /// A tensor as an object of the class.
    pub managed_to: Option<ManagedTo>,
    /// An object as a tensor that does not keep it.
    pub borrowed_from: Option<BorrowedFrom>,
    /// The stream that the library works in.
    pub current_stream: Option<CurrentStream>,
}

// SAFETY: tables are constant.
unsafe impl Sync for ExchangeApi {}
// SAFETY: as above.
unsafe impl Send for ExchangeApi {}

/// The table of a class, which stays as long as the process.
#[derive(Clone, Copy)]
pub struct Found {
    /// The functions.
    pub api: &'static ExchangeApi,
    /// True if no object of the class is read-only, which a borrowed tensor does not say: PyTorch's tensors.
    pub is_writable: bool,
}

/// A class and its table, or None: nobody gives one to a class that cannot be changed.
struct Known {
    class: Py<PyType>,
    found: Option<Found>,
}

/// Most programs use one library of arrays, or two. Filled from the front; what stands there stays.
static KNOWN: [AtomicPtr<Known>; 16] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 16];

impl Known {
    /// What is known of an object's class.
    #[inline]
    fn of(object: &Bound<'_, PyAny>) -> Option<&'static Self> {
        let class = object.get_type_ptr();
        // SAFETY: null, or what `add` has put there for good.
        let mut known = KNOWN
            .iter()
            .map_while(|place| unsafe { place.load(Ordering::Acquire).as_ref() });
        known.find(|known| known.class.as_ptr() == class.cast())
    }

    /// Keeps what was found, if there is a place left.
    fn add(class: &Bound<'_, PyType>, found: Option<Found>) {
        let class = class.clone().unbind();
        let known = Box::into_raw(Box::new(Self { class, found }));
        let empty = KNOWN.iter().find(|place| {
            let none = std::ptr::null_mut();
            let put = place.compare_exchange(none, known, Ordering::AcqRel, Ordering::Relaxed);
            put.is_ok()
        });
        if empty.is_none() {
            // SAFETY: from a box, and nobody else has it.
            drop(unsafe { Box::from_raw(known) });
        }
    }
}

/// The table of this module's own class.
static OWN: AtomicPtr<ExchangeApi> = AtomicPtr::new(std::ptr::null_mut());

/// True if a class has its table of PyTorch's.
#[cold]
fn is_pytorchs(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let py = class.py();
    for base in class.mro() {
        let dict = base.getattr(intern!(py, "__dict__"))?;
        if dict.contains(intern!(py, "__dlpack_c_exchange_api__"))? {
            let module: String = base.getattr(intern!(py, "__module__"))?.extract()?;
            return Ok(module == "torch" || module.starts_with("torch."));
        }
    }
    Ok(false)
}

impl ExchangeApi {
    /// Makes this the table of the module's own class.
    pub fn set_own(&'static self) {
        OWN.store(std::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
    }

    /// True for the table of the module's own class.
    #[inline]
    pub fn is_own(&self) -> bool {
        std::ptr::eq(self, OWN.load(Ordering::Relaxed))
    }

    /// The table of an object's class, if that has one that can be used here.
    #[inline]
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<&'static Self>> {
        Ok(Self::found(object)?.map(|found| found.api))
    }

    /// The same, and what is known of its objects.
    #[inline]
    pub fn found(object: &Bound<'_, PyAny>) -> PyResult<Option<Found>> {
        if let Some(known) = Known::of(object) {
            return Ok(known.found);
        }
        Self::find_first(&object.get_type())
    }

    /// The same of a class that was seen before.
    #[inline]
    pub fn seen(object: &Bound<'_, PyAny>) -> Option<Found> {
        Known::of(object).and_then(|known| known.found)
    }

    #[cold]
    fn find_first(class: &Bound<'_, PyType>) -> PyResult<Option<Found>> {
        let found = match Self::find(class)? {
            None => None,
            Some(api) => Some(Found {
                api,
                is_writable: is_pytorchs(class)?,
            }),
        };
        // SAFETY: a live class.
        let lasting =
            unsafe { ffi::PyType_GetFlags(class.as_type_ptr()) } & ffi::Py_TPFLAGS_HEAPTYPE == 0;
        if found.is_some() || lasting {
            Known::add(class, found);
        }
        Ok(found)
    }

    #[cold]
    fn find(class: &Bound<'_, PyType>) -> PyResult<Option<&'static Self>> {
        let py = class.py();
        let Some(capsule) = class.getattr_opt(intern!(py, "__dlpack_c_exchange_api__"))? else {
            return Ok(None);
        };
        let Ok(capsule) = capsule.cast_into::<PyCapsule>() else {
            return Ok(None);
        };
        // SAFETY: a live capsule, whose name says what it points to. The table stays, as the protocol demands.
        let mut api = unsafe {
            if ffi::PyCapsule_IsValid(capsule.as_ptr(), NAME.as_ptr()) != 1 {
                return Ok(None);
            }
            &*ffi::PyCapsule_GetPointer(capsule.as_ptr(), NAME.as_ptr()).cast::<Self>()
        };
        while api.major > 1 {
            // SAFETY: null or another such table.
            match unsafe { api.previous.as_ref() } {
                Some(older) => api = older,
                None => return Ok(None),
            }
        }
        if api.major != 1 {
            return Ok(None);
        }
        // The capsule may be the one that has the table.
        std::mem::forget(capsule);
        Ok(Some(api))
    }

    /// An object of the class as a tensor that does not keep it; None if the library has no such function. What the
    /// tensor shows is there until Python code runs.
    #[inline]
    pub fn borrow(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Tensor>> {
        let Some(borrowed_from) = self.borrowed_from else {
            return Ok(None);
        };
        let mut tensor = MaybeUninit::<Tensor>::uninit();
        let fill = || {
            // SAFETY: an object of the class that the table is of, and a place for a tensor.
            unsafe { borrowed_from(object.as_ptr().cast(), tensor.as_mut_ptr()) }
        };
        match gate::hang_if_thread_exits(fill) {
            0 => {
                // SAFETY: the function has filled it.
                let tensor = unsafe { tensor.assume_init() };
                // SAFETY: the object is alive.
                unsafe { tensor.check_memory() }?;
                Ok(Some(tensor))
            }
            _ => Err(raised(object.py(), "dltensor_from_py_object_no_sync")),
        }
    }

    /// An object of the class as a tensor that keeps its memory, and tells whether that may only be read; None if the
    /// library has no such function.
    #[inline]
    pub fn take(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Import>> {
        let Some(managed_from) = self.managed_from else {
            return Ok(None);
        };
        let mut managed = std::ptr::null_mut();
        let fill = || {
            // SAFETY: an object of the class that the table is of, and a place for a pointer.
            unsafe { managed_from(object.as_ptr().cast(), &raw mut managed) }
        };
        match gate::hang_if_thread_exits(fill) {
            0 if !managed.is_null() => {
                // SAFETY: the function has made it, for whoever called.
                let taken = unsafe { Import::versioned(managed) }?;
                taken.with_memory().map(Some)
            }
            _ => Err(raised(object.py(), "managed_tensor_from_py_object_no_sync")),
        }
    }

    /// The stream in which the library works now, on the device of a tensor.
    #[inline]
    pub fn stream(&self, py: Python<'_>, tensor: &Tensor) -> PyResult<Option<usize>> {
        let Some(current_stream) = self.current_stream else {
            return Ok(None);
        };
        let device = tensor.device();
        let mut stream = std::ptr::null_mut();
        let ask = || {
            // SAFETY: a place for a pointer.
            unsafe { current_stream(device.device_type, device.device_id, &raw mut stream) }
        };
        match gate::hang_if_thread_exits(ask) {
            0 => Ok(Some(stream as usize)),
            _ => Err(raised(py, "current_work_stream")),
        }
    }
}

/// The exception that a function of a table has set.
#[cold]
fn raised(py: Python<'_>, function: &str) -> PyErr {
    PyErr::take(py).unwrap_or_else(|| {
        PyBufferError::new_err(format!("DLPack: {function} failed and raised no exception"))
    })
}

/// Takes over a tensor that a consumer of our own table gives back.
///
/// # Safety
/// Null, or a tensor that nobody else deletes.
pub unsafe fn import_versioned(tensor: *mut ManagedVersioned) -> PyResult<Import> {
    // SAFETY: as the caller says.
    unsafe { Import::versioned(tensor) }
}
