//! Objects of C values, seen from inside.

use crate::objects::bases::bases;
use crate::types::object::CObject;
use std::ptr;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

use crate::objects::stored_number::raw_integer;
use crate::types::class::{Class, Kind};
use crate::types::object::{CLOSED, EXTERNAL, Object, READ_ONLY, TRACKED};
use crate::types::scalar::Scalar;

/// An object of this module's classes, as it is inside.
#[derive(Clone, Copy)]
pub struct ObjectRef<'a, 'py> {
    /// The object.
    pub object: &'a Bound<'py, PyAny>,
}

impl<'a, 'py> ObjectRef<'a, 'py> {
    /// The interpreter's lock.
    #[inline]
    pub fn py(self) -> Python<'py> {
        self.object.py()
    }

    /// The object's words. They are read and written under the GIL only.
    #[inline]
    pub fn raw(self) -> *mut Object {
        self.object.as_ptr().cast()
    }

    /// See [`CObject::value`]; for an [`EXTERNAL`] object it is read from its address now.
    #[inline]
    pub fn value(self) -> u64 {
        if self.flags() & EXTERNAL != 0 {
            return self.external_value();
        }
        // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
        // guards its words.
        unsafe { (*self.raw()).c.value }
    }

    #[cold]
    fn external_value(self) -> u64 {
        let scalar = match &self.class().kind {
            Kind::Handle(kind) => kind.scalar,
            _ => Scalar::Pointer,
        };
        match self.external_address() {
            // SAFETY: the program that made the object with `_ptr=` vouches for such a value there.
            Some(place) => unsafe { raw_integer(scalar, place as usize) },
            None => 0,
        }
    }

    /// See [`CObject::class`].
    #[inline]
    pub fn class(self) -> &'static Class {
        // SAFETY: set when the object was made; classes live as long as the process.
        unsafe { &*(*self.raw()).c.class }
    }

    /// See [`CObject::flags`].
    #[inline]
    pub fn flags(self) -> u64 {
        // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
        // guards its words.
        unsafe { (*self.raw()).c.flags }
    }

    /// See [`CObject::bytes`].
    #[inline]
    pub fn bytes(self) -> u64 {
        // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
        // guards its words.
        unsafe { (*self.raw()).c.bytes }
    }

    /// True if it has been closed.
    #[inline]
    pub fn closed(self) -> bool {
        self.flags() & CLOSED != 0
    }

    /// See [`CObject::keep`].
    #[inline]
    pub fn keep(self) -> Option<Bound<'py, PyAny>> {
        // SAFETY: the member is null or a reference that the object counts, and it is counted again here.
        unsafe { Bound::from_borrowed_ptr_or_opt(self.py(), (*self.raw()).c.keep) }
    }

    /// Sets what it keeps alive.
    #[inline]
    pub fn set_keep(self, keep: Option<Bound<'py, PyAny>>) {
        let new = keep.map_or(ptr::null_mut(), Bound::into_ptr);
        // SAFETY: the old reference is given back last, since that may run anything.
        unsafe {
            if !new.is_null() && ffi::PyObject_GC_IsTracked(self.object.as_ptr()) == 0 {
                // This handle has kept nothing so far, so the collector does not track it.
                ffi::PyObject_GC_Track(self.object.as_ptr().cast());
                (*self.raw()).c.flags |= TRACKED;
            }
            let old = std::mem::replace(&mut (*self.raw()).c.keep, new);
            ffi::Py_XDECREF(old);
        }
    }

    /// The address given as `_ptr=` to an [`EXTERNAL`] handle or callback, which keeps it as an int.
    #[inline]
    pub fn external_address(self) -> Option<u64> {
        if self.flags() & EXTERNAL == 0 {
            return None;
        }
        self.keep()?.cast::<PyInt>().ok()?.extract().ok()
    }

    /// True if this is of that class.
    #[inline]
    pub fn is(self, class: &Class) -> bool {
        ptr::eq(self.class(), class)
    }

    /// The address of its memory, which must be there.
    #[inline]
    pub fn address(self) -> PyResult<usize> {
        match self.value() {
            0 => Err(self.gone()),
            value => Ok(value as usize),
        }
    }

    /// The address of the value, for a C function that reads or fills it: the memory of a record or array; for other
    /// kinds the word in the object, or the address that was given as `_ptr=`.
    pub fn location(self) -> PyResult<usize> {
        match self.class().kind {
            Kind::Record(_) | Kind::Array(_) => self.address(),
            _ => match self.external_address() {
                Some(place) => Ok(place as usize),
                // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound`
                // stands for, guards its words.
                None => Ok(unsafe { (&raw const (*self.raw()).c.value) as usize }),
            },
        }
    }

    /// The error of use after close, or of a null pointer.
    #[cold]
    pub fn gone(self) -> PyErr {
        let class = self.class();
        PyValueError::new_err(if self.closed() {
            format!("this {} is closed", class.name)
        } else {
            format!("this {} ({}) is null", class.name, class.c_type)
        })
    }

    /// The address of its memory, which must be there and writable.
    pub fn writable(self) -> PyResult<usize> {
        if self.flags() & READ_ONLY != 0 {
            return Err(PyTypeError::new_err(format!(
                "this {} is in read-only memory",
                self.class().name
            )));
        }
        self.address()
    }

    /// The object that owns the memory this looks at: itself, or the last of those it keeps.
    #[inline]
    pub fn owner(self) -> Bound<'py, PyAny> {
        let mut owner = self.object.clone();
        loop {
            let next = match as_object(&owner) {
                Some(this) if looks_into(this.class()) => this.keep(),
                _ => return owner,
            };
            match next {
                Some(next) if as_object(&next).is_some_and(|next| looks_into(next.class())) => {
                    owner = next;
                }
                _ => return owner,
            }
        }
    }

    /// The objects that its memory points into.
    #[inline]
    pub fn refs(self) -> Option<Bound<'py, PyAny>> {
        // SAFETY: the member is null or a reference that the object counts, and it is counted again here.
        unsafe { Bound::from_borrowed_ptr_or_opt(self.py(), (*self.raw()).refs) }
    }

    /// Replaces what is kept alive for what its memory points into.
    pub fn set_refs(self, refs: Option<Bound<'py, PyAny>>) {
        let new = refs.map_or(ptr::null_mut(), Bound::into_ptr);
        // SAFETY: the new reference is stored before the old one is given back, since that may run anything.
        unsafe {
            let old = std::mem::replace(&mut (*self.raw()).refs, new);
            ffi::Py_XDECREF(old);
        }
    }

    /// See [`Object::extra`].
    #[inline]
    pub fn extra(self) -> Option<Bound<'py, PyAny>> {
        // SAFETY: the member is null or a reference that the object counts, and it is counted again here.
        unsafe { Bound::from_borrowed_ptr_or_opt(self.py(), (*self.raw()).extra) }
    }

    /// Replaces [`Object::extra`].
    pub fn set_extra(self, extra: Option<Bound<'py, PyAny>>) {
        let new = extra.map_or(ptr::null_mut(), Bound::into_ptr);
        // SAFETY: the new reference is stored before the old one is given back, since that may run anything.
        unsafe {
            let old = std::mem::replace(&mut (*self.raw()).extra, new);
            ffi::Py_XDECREF(old);
        }
    }

    /// Keeps `object` alive for the pointer at an address of its memory, or nothing any more.
    pub fn hold(self, address: usize, object: Option<&Bound<'py, PyAny>>) -> PyResult<()> {
        let refs = self.refs();
        match (object, refs) {
            (None, None) => Ok(()),
            (None, Some(refs)) => {
                // The key is looked up first, as deleting a missing one makes an exception.
                let refs = refs.cast::<PyDict>()?;
                if refs.contains(address)? {
                    refs.del_item(address)?;
                }
                Ok(())
            }
            (Some(object), Some(refs)) => refs.cast::<PyDict>()?.set_item(address, object),
            (Some(object), None) => {
                let refs = PyDict::new(self.py());
                refs.set_item(address, object)?;
                self.set_refs(Some(refs.into_any()));
                Ok(())
            }
        }
    }

    /// The object that is kept alive for the pointer at an address.
    pub fn held(self, address: usize) -> Option<Bound<'py, PyAny>> {
        let refs = self.refs()?;
        refs.cast::<PyDict>().ok()?.get_item(address).ok()?
    }
}

/// True if objects of a class look into memory, which another object may own.
fn looks_into(class: &Class) -> bool {
    matches!(
        class.kind,
        Kind::Record(_) | Kind::Array(_) | Kind::Pointer(_)
    )
}

/// The object's inside, if it is of one of this module's classes.
#[inline]
pub fn as_object<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<ObjectRef<'a, 'py>> {
    // SAFETY: a live object; addresses of classes.
    let common = unsafe {
        let class = ffi::Py_TYPE(object.as_ptr());
        [
            &raw mut ffi::PyLong_Type,
            &raw mut ffi::PyFloat_Type,
            &raw mut ffi::PyUnicode_Type,
            &raw mut ffi::PyBytes_Type,
        ]
        .contains(&class)
    };
    if common {
        return None;
    }
    let root = bases(object.py()).ok()?.root.as_ptr();
    // SAFETY: an object's type and the root class are both live types.
    let ours = unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(object.as_ptr()), root.cast()) };
    (ours != 0).then_some(ObjectRef { object })
}

/// The object's C part, if it is one of ours. No Python code runs.
#[inline]
pub fn as_c_object(value: &Bound<'_, PyAny>) -> Option<*mut CObject> {
    as_object(value).map(|this| this.raw().cast())
}
