//! Handles: values that only the library which made them can look into.

use crate::kinds::value_slots::flag;
use crate::objects::external::place_of;
use crate::objects::handle_value::{handle_kind, value_of};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::callbacks::pending;
use crate::errors::ValueContext;
use crate::interpreter::methods::{method, property};
use crate::interpreter::type_builder::TypeBuilder;
use crate::interpreter::{gil, guard, methods};
use crate::kinds::array;
use crate::objects::class_table::own_class;
use crate::objects::handle_value::masked;
use crate::objects::lifetime;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::slots::{equality, hash, truth, unary};
use crate::types::class::{ClassName, Destructor, HandleKind, Operations};
use crate::types::object::{CLOSED, EXTERNAL, OWNED, Object};
use crate::types::scalar::Scalar;
use crate::types::status::{Status, Success};
use cuox_bind::plan::Gil;

/// The docstring of a class of handles.
pub fn doc(named: &ClassName<'_>, kind: &HandleKind) -> String {
    let mut doc = match named.doc {
        Some(doc) => format!("{doc}\n\n"),
        None => String::new(),
    };
    doc.push_str(&format!("A handle of the C type '{}'.", named.c_type));
    if let Some(destroy) = &kind.destroy {
        doc.push_str(&format!(
            " One that is owned is ended by {}(), when it is closed or collected.",
            destroy.name
        ));
    }
    doc
}

/// The operations of objects of this kind.
pub static OPERATIONS: Operations = Operations {
    deallocate: lifetime::deallocate_handle,
    create: lifetime::create_null,
    finish,
    clear,
};

/// Nothing is let go of: what a handle keeps must end after the handle, and those references make no cycle by
/// themselves, since each is to something older.
unsafe fn clear(_: *mut Object) -> bool {
    false
}

fn new_array<'py>(
    python: &Bound<'py, PyAny>,
    [count]: [Option<Bound<'py, PyAny>>; 1],
) -> PyResult<Bound<'py, PyAny>> {
    let class = own_class(python)?;
    let count: usize = count.map_or(Ok(0), |count| count.extract())?;
    array::of_class(python.py(), class, count, class.handle_scalar().size())
}

/// The class `Handle`.
pub fn root() -> PyResult<TypeBuilder> {
    Ok(TypeBuilder::new("cuox_bind.Handle".to_owned(), size_of::<Object>())?
        .doc(Some(
            "A value that only the library which made it can look into. `Class(value)` is one that is not owned, `Class()` a null one.",
        ))
        .slot(ffi::Py_tp_init, initialise as *const c_void)
        .slot(ffi::Py_tp_repr, unary!(repr))
        .slot(ffi::Py_tp_richcompare, equality!(same))
        .slot(ffi::Py_tp_hash, hash!(hash))
        .slot(ffi::Py_nb_bool, truth!(truth))
        .slot(ffi::Py_nb_int, unary!(int))
        .slot(ffi::Py_nb_index, unary!(int))
        .methods(vec![
            method!(
                c"array",
                ffi::METH_CLASS,
                ["count"],
                1,
                new_array,
                c"array($type, count)\n--\n\nReturn an array of `count` null handles, for C to read or fill. An element is a handle that is not owned, or None."
            ),
            method!(
                c"close",
                [],
                0,
                close,
                c"close($self)\n--\n\nClose the handle, and destroy the C object if the handle owns it. A second call does nothing."
            ),
            method!(
                c"detach",
                [],
                0,
                detach,
                c"detach($self)\n--\n\nGive up ownership and return the value: the caller destroys the C object."
            ),
            method!(
                c"__enter__",
                [],
                0,
                methods::itself,
                c"__enter__($self)\n--\n\n"
            ),
            method!(
                c"__exit__",
                ["kind", "error", "traceback"],
                0,
                exit,
                c"__exit__($self, kind=None, error=None, traceback=None)\n--\n\nClose the handle."
            ),
        ])
        .properties(vec![
            property!(
                c"closed",
                flag::<CLOSED>,
                c"True if the handle was closed."
            ),
            property!(
                c"owned",
                flag::<OWNED>,
                c"True if closing the handle destroys the C object."
            ),
        ]))
}

unsafe extern "C" fn initialise(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: the interpreter calls this as `tp_init` of a live handle, with a tuple, and a dict or null.
    unsafe {
        if let Some(value) = plain_int(this, arguments, keywords) {
            let raw = this.cast::<Object>();
            (*raw).c.value = value;
            (*raw).c.flags &= !(CLOSED | EXTERNAL);
            return 0;
        }
        guard::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &this };
            let class = this.class();
            let names = ["value", "_ptr"];
            let [value, place] = methods::read(py, &class.name, names, 0, arguments, keywords)?;
            if this.flags() & OWNED != 0 {
                return Err(PyTypeError::new_err(format!(
                    "this {} is owned and cannot be given another value: make a new one",
                    class.name
                )));
            }
            let mut placed = 0;
            let (value, keep) = match (value, place) {
                (None, None) => (0, None),
                (None, Some(place)) => {
                    let keep = place_of(this, &place, handle_kind(class).plain)?;
                    placed = if keep.is_some() { EXTERNAL } else { 0 };
                    (0, keep)
                }
                (Some(_), Some(_)) => {
                    return Err(PyTypeError::new_err(format!(
                        "{}() takes a value or _ptr, not both",
                        class.name
                    )));
                }
                (Some(value), None) => {
                    let what = || format!("{}()", class.name);
                    let context = ValueContext {
                        what: &what,
                        c_type: &class.c_type,
                    };
                    value_of(&value, class, true, context)?
                }
            };
            let raw = this.raw();
            (*raw).c.value = value;
            (*raw).c.flags = (*raw).c.flags & !(CLOSED | EXTERNAL) | placed;
            this.set_keep(keep);
            Ok(())
        })
    }
}

/// The value, if all that is given is an int that fits a handle which owns and keeps nothing.
///
/// # Safety
/// The arguments of `__init__` of a handle, with the GIL held.
unsafe fn plain_int(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> Option<u64> {
    // SAFETY: `this` is a live handle, `arguments` a tuple and the GIL is held (`# Safety`); reading an int's value
    // runs no Python code.
    unsafe {
        let object = &*this.cast::<Object>();
        if !keywords.is_null()
            || ffi::PyTuple_Size(arguments) != 1
            || object.c.flags & OWNED != 0
            || !object.c.keep.is_null()
        {
            return None;
        }
        let value = ffi::PyTuple_GetItem(arguments, 0);
        if ffi::Py_TYPE(value) != &raw mut ffi::PyLong_Type {
            return None;
        }
        let mut overflow = 0;
        let value = ffi::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        let (low, high) = handle_kind(object.c.class.as_ref()?).scalar.range()?;
        let fits = overflow == 0 && (low..=high).contains(&i128::from(value));
        fits.then_some(value as u64)
    }
}

fn int<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    if this.closed() {
        return Err(this.gone());
    }
    number(this)
}

fn number<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let scalar = handle_kind(this.class()).scalar;
    let value = masked(scalar, this.value());
    let py = this.py();
    Ok(if scalar.signed() {
        (value as i64).into_pyobject(py)?.into_any()
    } else {
        value.into_pyobject(py)?.into_any()
    })
}

fn truth(this: ObjectRef<'_, '_>) -> PyResult<bool> {
    let kind = handle_kind(this.class());
    let value = masked(kind.scalar, this.value());
    // Plain handles are true, as in `cuda.bindings`, where device 0 is true.
    Ok(kind.plain || value != 0 && !this.closed())
}

fn repr<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let name = this.object.get_type().name()?;
    let value = if this.closed() {
        "closed".to_owned()
    } else if handle_kind(this.class()).scalar == Scalar::Pointer {
        match this.value() {
            0 if !handle_kind(this.class()).plain => "null".to_owned(),
            value => format!("{value:#x}"),
        }
    } else {
        number(this)?.to_string()
    };
    Ok(format!("<{name} {value}>").into_pyobject(py)?.into_any())
}

fn same(a: ObjectRef<'_, '_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
    let Some(b) = as_object(other).filter(|b| a.is(b.class())) else {
        return Ok(None);
    };
    let scalar = handle_kind(a.class()).scalar;
    // Closed handles have no value to compare.
    Ok(Some(
        ptr::eq(a.raw(), b.raw())
            || (!a.closed()
                && !b.closed()
                && masked(scalar, a.value()) == masked(scalar, b.value())),
    ))
}

fn hash(this: ObjectRef<'_, '_>) -> PyResult<u64> {
    Ok(masked(handle_kind(this.class()).scalar, this.value()))
}

fn close<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let this = ObjectRef { object: this };
    let (class, flags) = (this.class(), this.flags());
    if flags & CLOSED == 0 {
        let raw = this.raw();
        // The handle is closed before its destructor runs, as another thread may use or close it meanwhile. SAFETY:
        // every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for, guards
        // its words.
        let value = unsafe {
            (*raw).c.flags = (flags & !OWNED) | CLOSED;
            std::mem::replace(&mut (*raw).c.value, 0)
        };
        let kind = handle_kind(class);
        if let (Some(destroy), true, true) =
            (&kind.destroy, flags & OWNED != 0, to_end(kind, value))
            && let Err((error, alive)) = end(py, destroy, masked(kind.scalar, value))
        {
            if alive {
                // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound`
                // stands for, guards its words.
                unsafe {
                    (*raw).c.value = value;
                    (*raw).c.flags = flags;
                }
            } else {
                this.set_keep(None);
            }
            return Err(error);
        }
        this.set_keep(None);
    }
    Ok(py.None().into_bound(py))
}

/// True if there is a value to destroy: integers may be 0, pointers not.
fn to_end(kind: &HandleKind, value: u64) -> bool {
    value != 0 || kind.scalar != Scalar::Pointer
}

/// Calls the destructor; returns its result.
fn call_end(py: Python<'_>, destroy: &Destructor, value: u64) -> u64 {
    // SAFETY: the declaration says that it takes one value of an integer's class; a result is in the same register
    // whatever its type.
    let function: extern "C" fn(u64) -> u64 = unsafe { std::mem::transmute(destroy.target) };
    let mut variable = value;
    let argument = if destroy.by_address {
        (&raw mut variable) as u64
    } else {
        value
    };
    if gil::should_release(destroy.gil) {
        py.detach(|| function(argument))
    } else {
        function(argument)
    }
}

/// The status and code of a failure of the function that destroys a handle; `None` if it has succeeded.
fn end_status(destroy: &Destructor, result: u64) -> Option<(&Status, i64)> {
    let status = destroy.status.as_ref()?;
    let code = masked(status.scalar, result) as i64;
    let success = match &status.success {
        Success::Zero => code == 0,
        Success::NonZero => code != 0,
        Success::NotNegative => code >= 0,
        Success::OneOf(codes) => codes.contains(&code),
    };
    (!success).then_some((status, code))
}

fn end_error(py: Python<'_>, destroy: &Destructor, status: &Status, code: i64) -> PyErr {
    match &status.raise {
        Some(raise) => match raise.bind(py).call1((&destroy.name, code)) {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        },
        None => PyRuntimeError::new_err(format!("{}() failed with {code}", destroy.name)),
    }
}

/// Destroys a handle. With an error comes `true` if the handle is still alive.
fn end(py: Python<'_>, destroy: &Destructor, value: u64) -> Result<(), (PyErr, bool)> {
    let saved = pending::enter();
    let result = call_end(py, destroy, value);
    // SAFETY: the GIL is held, and `enter` was called.
    if unsafe { pending::leave(saved) } != 0 {
        return Err((PyErr::fetch(py), false));
    }
    if destroy.gil == Gil::Python
        && let Some(error) = PyErr::take(py)
    {
        return Err((error, false));
    }
    match end_status(destroy, result) {
        None => Ok(()),
        Some((status, code)) => Err((end_error(py, destroy, status, code), true)),
    }
}

fn detach<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let this = ObjectRef { object: this };
    if this.closed() {
        return Err(this.gone());
    }
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe { (*this.raw()).c.flags &= !OWNED };
    number(this)
}

fn exit<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 3],
) -> PyResult<Bound<'py, PyAny>> {
    close(this, [])
}

/// Destroys an owned handle that is collected. A failure goes to `sys.unraisablehook`.
///
/// # Safety
/// Called for an object of a class of handles that nobody refers to, with the GIL held.
pub unsafe fn finish(raw: *mut Object) {
    // SAFETY: `raw` is a handle that nobody refers to any more and the GIL is held (`# Safety`); its class lives as
    // long as the process.
    unsafe {
        let kind = handle_kind(&*(*raw).c.class);
        let flags = (*raw).c.flags;
        let value = (*raw).c.value;
        let Some(destroy) = &kind.destroy else {
            return;
        };
        // While the interpreter ends, the library may be gone already.
        if flags & OWNED == 0
            || flags & CLOSED != 0
            || !to_end(kind, value)
            || ffi::Py_IsInitialized() == 0
        {
            return;
        }
        (*raw).c.flags = (flags & !OWNED) | CLOSED;
        let py = Python::assume_attached();
        let value = masked(kind.scalar, value);
        // A pending exception must survive Python code: a callback, or the exception's constructor.
        let watched =
            gil::LIVE_CALLBACKS.load(Ordering::Relaxed) != 0 || destroy.gil == Gil::Python;
        let mut failed = None;
        if !watched {
            failed = end_status(destroy, call_end(py, destroy, value));
            if failed.is_none() {
                return;
            }
        }
        let (mut a, mut b, mut c) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        ffi::PyErr_Fetch(&mut a, &mut b, &mut c);
        let error = match failed {
            Some((status, code)) => Some(end_error(py, destroy, status, code)),
            None => end(py, destroy, value).err().map(|(error, _)| error),
        };
        if let Some(error) = error {
            Python::attach(|py| error.write_unraisable(py, None));
        }
        ffi::PyErr_Restore(a, b, c);
    }
}
