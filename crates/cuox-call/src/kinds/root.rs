//! The class `CValue`, which all classes of C values descend from.

use crate::objects::lifetime;
use std::ffi::{c_int, c_void};
use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::interpreter::guard;
use crate::interpreter::methods::method;
use crate::interpreter::type_builder::TypeBuilder;
use crate::objects::bases::bases;
use crate::objects::object_ref::ObjectRef;
use crate::types::object::Object;

pub(crate) fn root(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    TypeBuilder::new("cuox_bind.CValue".to_owned(), size_of::<Object>())?
        .doc(Some("A value of C that has no Python type."))
        .slot(ffi::Py_tp_new, lifetime::create as *const c_void)
        .slot(ffi::Py_tp_dealloc, lifetime::deallocate as *const c_void)
        .slot(ffi::Py_tp_traverse, lifetime::traverse as *const c_void)
        .slot(ffi::Py_tp_clear, lifetime::clear as *const c_void)
        .methods(vec![
            method!(
                c"getPtr",
                [],
                0,
                get_ptr,
                c"getPtr($self)\n--\n\nReturn the address of the value, for a C function that reads or fills it."
            ),
            method!(
                c"__reduce_ex__",
                ["protocol"],
                0,
                refuse_pickle,
                c"Refused: an address means nothing in another process."
            ),
            method!(
                c"__reduce__",
                [],
                0,
                refuse_pickle,
                c"Refused: an address means nothing in another process."
            ),
        ])
        .properties(vec![ffi::PyGetSetDef {
            name: c"__class__".as_ptr(),
            get: Some(get_class),
            set: Some(set_class),
            doc: c"The object's class, which cannot be changed.".as_ptr(),
            closure: ptr::null_mut(),
        }])
        .make(py, None, ffi::Py_TPFLAGS_HAVE_GC)
}

unsafe extern "C" fn get_class(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter with an object, whose class is returned.
    unsafe { ffi::Py_NewRef(ffi::Py_TYPE(object).cast()) }
}

unsafe extern "C" fn set_class(
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the interpreter calls this as a setter, with the GIL held.
    unsafe {
        guard::status(|_| {
            Err(PyTypeError::new_err(
                "the class of a C value cannot be changed",
            ))
        })
    }
}

fn refuse_pickle<'py, const N: usize>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; N],
) -> PyResult<Bound<'py, PyAny>> {
    Err(PyTypeError::new_err(format!(
        "{} cannot be pickled: it stands for something in this process",
        this.get_type().name()?
    )))
}

fn get_ptr<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let address = ObjectRef { object: this }.location()?;
    Ok(address.into_pyobject(this.py())?.into_any())
}

/// Gives a class of C values another type than `type`: the attributes of the class, and of those made of it, follow
/// its rules. Python itself refuses to assign `__class__` where it is `type`.
pub fn set_metaclass(class: &Bound<'_, PyType>, metaclass: &Bound<'_, PyType>) -> PyResult<()> {
    let py = class.py();
    let plain = py.get_type::<PyType>();
    let size = intern!(py, "__basicsize__");
    let size_of = |of: &Bound<'_, PyType>| of.getattr(size)?.extract::<usize>();
    let is_made = class.is_subclass(bases(py)?.root.bind(py))?;
    if !is_made
        || !class.get_type().is(&plain)
        || !metaclass.is_subclass(&plain)?
        || size_of(metaclass)? != size_of(&plain)?
    {
        return Err(PyTypeError::new_err(format!(
            "expected a class of C values and a metaclass without slots, got {} and {}",
            class.repr()?,
            metaclass.repr()?
        )));
    }
    // SAFETY: the class is alive, and with the GIL held nothing else looks at its type now. It is on the heap, as all
    // classes of C values are but their bases, whose attributes nobody sets. The new type has the memory layout of the
    // old one, `type`, which is static: it owns no reference. The object keeps one to the new type.
    unsafe {
        let new = metaclass.clone().into_ptr();
        (*class.as_ptr()).ob_type = new.cast();
    }
    Ok(())
}
