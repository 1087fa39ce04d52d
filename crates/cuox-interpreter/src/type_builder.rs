//! Heap types, made from a description (`PyType_Spec`).

use std::ffi::{CStr, CString, c_int, c_ulong, c_void};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A builder of a heap type.
pub struct TypeBuilder {
    name: &'static CStr,
    slots: Vec<ffi::PyType_Slot>,
    size: usize,
}

impl TypeBuilder {
    /// A class of this full name, whose objects have this size.
    pub fn new(name: String, size: usize) -> PyResult<Self> {
        // CPython 3.11 keeps the pointer.
        let name = Box::leak(CString::new(name)?.into_boxed_c_str());
        Ok(Self {
            name,
            slots: Vec::new(),
            size,
        })
    }

    /// Adds a slot.
    pub fn slot(mut self, slot: c_int, value: *const c_void) -> Self {
        self.slots.push(ffi::PyType_Slot {
            slot,
            pfunc: value.cast_mut(),
        });
        self
    }

    /// Adds the docstring.
    pub fn doc(self, doc: Option<&str>) -> Self {
        match doc.and_then(|doc| CString::new(doc).ok()) {
            // Copied when the class is made; there are not many classes.
            Some(doc) => self.slot(ffi::Py_tp_doc, doc.into_raw().cast()),
            None => self,
        }
    }

    /// Adds methods.
    pub fn methods(self, mut methods: Vec<ffi::PyMethodDef>) -> Self {
        methods.push(ffi::PyMethodDef::zeroed());
        self.slot(ffi::Py_tp_methods, methods.leak().as_ptr().cast())
    }

    /// Adds properties.
    pub fn properties(self, mut properties: Vec<ffi::PyGetSetDef>) -> Self {
        properties.push(ffi::PyGetSetDef::default());
        self.slot(ffi::Py_tp_getset, properties.leak().as_ptr().cast())
    }

    /// Makes the class. It takes part in garbage collection if its base does.
    pub fn make<'py>(
        mut self,
        py: Python<'py>,
        base: Option<&Bound<'py, PyType>>,
        flags: c_ulong,
    ) -> PyResult<Bound<'py, PyType>> {
        self.slots.push(ffi::PyType_Slot::default());
        let size = c_int::try_from(self.size).map_err(|_| {
            PyRuntimeError::new_err("cuox: objects of this class would be too large")
        })?;
        let mut spec = ffi::PyType_Spec {
            name: self.name.as_ptr(),
            basicsize: size,
            itemsize: 0,
            flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE | flags) as _,
            slots: self.slots.as_mut_ptr(),
        };
        let base = base.map_or(std::ptr::null_mut(), |base| base.as_ptr());
        // SAFETY: the slots are terminated and their functions are of the slots' types; what they point at is never
        // freed.
        unsafe {
            let class = ffi::PyType_FromSpecWithBases(&mut spec, base);
            Ok(Bound::from_owned_ptr_or_err(py, class)?.cast_into_unchecked())
        }
    }
}
