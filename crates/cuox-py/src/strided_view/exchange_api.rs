//! `StridedMemoryView.__dlpack_c_exchange_api__`: views for consumers in C.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use cuox_interpreter::dlpack::exchange_api::{ExchangeApi, NAME, SetError, import_versioned};
use cuox_interpreter::dlpack::{self, ManagedVersioned, Tensor};
use cuox_interpreter::guard::panic_text;
use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;

use super::make::Kept;
use super::{StridedLayout, StridedMemoryView};
use crate::array::exchange;
use crate::support::names::type_name;

static API: ExchangeApi = ExchangeApi {
    major: 1,
    minor: 3,
    previous: std::ptr::null(),
    allocator: Some(allocate),
    managed_from: Some(managed_from),
    managed_to: Some(managed_to),
    borrowed_from: Some(borrowed_from),
    current_stream: Some(current_stream),
};

/// Adds the table to the class, under its name and the one that it had at first.
pub fn register(py: Python<'_>) -> PyResult<()> {
    API.set_own();
    // SAFETY: the table and the name are static; the result is a new reference, or null with an exception set.
    let capsule = unsafe {
        let table = (&raw const API).cast_mut().cast();
        Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(table, NAME.as_ptr(), None))?
    };
    let class = py.get_type::<StridedMemoryView>();
    class.setattr("__dlpack_c_exchange_api__", &capsule)?;
    class.setattr("__c_dlpack_exchange_api__", &capsule)
}

/// Runs what a consumer in C has called, with the GIL held, as the protocol says: 0, or -1 with an exception set.
fn answer(work: impl FnOnce(Python<'_>) -> PyResult<()>) -> c_int {
    // SAFETY: the consumer holds the GIL.
    let py = unsafe { Python::assume_attached() };
    let done = catch_unwind(AssertUnwindSafe(|| work(py)))
        .unwrap_or_else(|panic| Err(PyRuntimeError::new_err(panic_text(&*panic).to_owned())));
    match done {
        Ok(()) => 0,
        Err(error) => {
            error.restore(py);
            -1
        }
    }
}

/// The view that a consumer means.
///
/// # Safety
/// Null, or a live object.
unsafe fn view<'py>(
    py: Python<'py>,
    object: *mut c_void,
) -> PyResult<Bound<'py, StridedMemoryView>> {
    // SAFETY: as the caller says.
    let object = unsafe { Bound::from_borrowed_ptr_or_opt(py, object.cast()) };
    let Some(object) = object else {
        return Err(PyTypeError::new_err(
            "py_object must be a StridedMemoryView, got NULL",
        ));
    };
    object.cast_into::<StridedMemoryView>().map_err(|error| {
        PyTypeError::new_err(format!(
            "py_object must be a StridedMemoryView, got {}",
            type_name(&error.into_inner())
        ))
    })
}

unsafe extern "C" fn allocate(
    _prototype: *mut Tensor,
    out: *mut *mut ManagedVersioned,
    context: *mut c_void,
    set_error: Option<SetError>,
) -> c_int {
    const WHY: &std::ffi::CStr =
        c"managed_tensor_allocator is not supported: a StridedMemoryView allocates no memory";
    // SAFETY: null, or a place for a pointer; the consumer's function takes its own context.
    unsafe {
        if !out.is_null() {
            *out = std::ptr::null_mut();
        }
        if let Some(set_error) = set_error {
            set_error(context, c"NotImplementedError".as_ptr(), WHY.as_ptr());
            return -1;
        }
    }
    answer(|_| {
        Err(PyNotImplementedError::new_err(
            WHY.to_string_lossy().into_owned(),
        ))
    })
}

unsafe extern "C" fn managed_from(object: *mut c_void, out: *mut *mut ManagedVersioned) -> c_int {
    answer(|py| {
        // SAFETY: the consumer passes an object and a place for the tensor.
        unsafe {
            *out = std::ptr::null_mut();
            let view = view(py, object)?;
            *out = dlpack::export_versioned(StridedMemoryView::export(&view)?);
        }
        Ok(())
    })
}

unsafe extern "C" fn managed_to(tensor: *mut ManagedVersioned, out: *mut *mut c_void) -> c_int {
    answer(|py| {
        // SAFETY: the consumer passes a place for an object, and a tensor that it gives away.
        unsafe {
            *out = std::ptr::null_mut();
            if tensor.is_null() {
                return Err(PyRuntimeError::new_err("tensor cannot be NULL"));
            }
            let tensor = import_versioned(tensor)?;
            let mut view = StridedMemoryView::of_tensor(None, py, tensor.tensor())?;
            view.read_only = tensor.read_only;
            view.tensor = Some(Kept::Tensor(exchange::Kept::new(tensor)));
            let view = view.finish(&py.get_type::<StridedMemoryView>())?;
            *out = view.into_ptr().cast();
        }
        Ok(())
    })
}

unsafe extern "C" fn borrowed_from(object: *mut c_void, out: *mut Tensor) -> c_int {
    answer(|py| {
        // SAFETY: the consumer passes an object and a place for the tensor.
        unsafe {
            let view = view(py, object)?;
            let view = view.get();
            view.check_open(py)?;
            let layout = &view.layout()?.layout;
            let dtype = view.dlpack_type(py)?;
            let place = view.place(py)?;
            let (shape, strides) = view.dimensions.get_or_init(|| {
                let shape = layout.shape().iter().map(|&size| size as i64);
                let strides = StridedLayout::counts(layout).map(|stride| stride as i64);
                (shape.collect(), strides.collect())
            });
            *out = Tensor::new(view.ptr, place, dtype, shape, Some(strides));
        }
        Ok(())
    })
}

/// A view belongs to no stream.
unsafe extern "C" fn current_stream(_kind: c_int, _id: i32, out: *mut *mut c_void) -> c_int {
    // SAFETY: the consumer passes a place for a pointer.
    unsafe { *out = std::ptr::null_mut() };
    0
}
