//! Classes of C values.

use crate::types::object::FreeList;
use cuox_bind::plan::Gil;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::types::abi::Passing;
use crate::types::callback_info::CallbackInfo;
use crate::types::object::Object;
use crate::types::scalar::Scalar;
use crate::types::status::Status;
use crate::types::value::{Element, FieldInfo, FieldKind};

/// A Python class of C values.
pub struct Class {
    /// The name in Python, and in errors.
    pub name: String,
    /// The C type in errors.
    pub c_type: String,
    /// Its kind.
    pub kind: Kind,
    /// The Python class, one of this module's base classes or a subclass of one.
    pub python: Py<PyType>,
    /// The operations of its kind.
    pub operations: &'static Operations,
    /// Memory for the next handles.
    pub(crate) free_list: FreeList,
    /// The class of arrays of this, or of what this points at; made when it is first needed.
    pub(crate) array: OnceLock<Arc<Class>>,
    /// The class of pointers to this; made when it is first needed.
    pub(crate) pointer: OnceLock<Arc<Class>>,
}

/// The kind of value that a class has.
pub enum Kind {
    /// A pointer to elements: indexing, slices, `contents`, array protocols once it has a shape.
    Pointer(Element),
    /// A handle.
    Handle(HandleKind),
    /// A structure or union.
    Record(RecordKind),
    /// An array in place.
    Array(ArrayKind),
    /// A pointer to a function.
    Callback(Arc<CallbackInfo>),
}

/// The names of a class.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassName<'a> {
    /// The name in Python.
    pub name: &'a str,
    /// The module's name, for `__module__`.
    pub module: Option<&'a str>,
    /// The C type in errors.
    pub c_type: &'a str,
    /// The docstring.
    pub doc: Option<&'a str>,
}

/// A handle's particulars.
pub struct HandleKind {
    /// The scalar by which it is passed: [`Scalar::Pointer`] or an integer.
    pub scalar: Scalar,
    /// The C function that ends one, called with the value alone, or its address.
    pub destroy: Option<Destructor>,
    /// True if plain ints are taken for it.
    pub takes_int: bool,
    /// True if its objects are plain values, as in `cuda.bindings`: made from ints (`takes_int`), also null ones, which
    /// else are `None`; `_ptr=` gives the address of the value.
    pub plain: bool,
}

/// The C function that destroys handles.
pub struct Destructor {
    /// The name in errors.
    pub name: String,
    /// The address.
    pub target: usize,
    /// True if it takes the address of a variable with the value, which it may change.
    pub by_address: bool,
    /// Keeping or giving up the interpreter's lock during that call.
    pub gil: Gil,
    /// The meaning of its result, if it has one. A handle that could not be destroyed stays open.
    pub status: Option<Status>,
}

/// The form of a class of records; its parts are explained at [`RecordKind`].
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "they stand at `RecordKind`")]
pub struct RecordForm {
    pub union: bool,
    pub plain: bool,
    pub open: bool,
}

/// A record's particulars.
pub struct RecordKind {
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// True if it is a union.
    pub union: bool,
    /// The scalar of its two parts, if it stands for a complex number, which is `complex` in Python.
    pub complex: Option<Scalar>,
    /// True if it is shown, listed and made as in `cuda.bindings`: one line for each field, no names but those of
    /// fields, and `_ptr=` for where it is.
    pub plain: bool,
    /// True if its objects have attributes beside the fields.
    pub open: bool,
    /// The fields, which [`Class::define`] gives.
    pub(crate) body: OnceLock<RecordBody>,
    /// The bytes of a new one that are not zero, by their offsets: a record may be larger than any memory.
    pub(crate) initial: OnceLock<InitialBytes>,
}

/// Places in a record, and the bytes there.
pub(crate) type InitialBytes = Box<[(usize, Box<[u8]>)]>;

/// The fields of a record.
pub struct RecordBody {
    /// Fields, those of anonymous members among them, with offsets from this record's start.
    pub fields: Vec<FieldInfo>,
    /// The way it is passed by value.
    pub passing: Passing,
    /// For each field `true` if another overlaps it, as in an anonymous union.
    pub overlapping: Vec<bool>,
    /// The fields by name; the first of a name counts.
    pub places: HashMap<String, usize>,
}

impl RecordKind {
    /// The fields: none until the record is defined.
    #[inline]
    pub fn fields(&self) -> &[FieldInfo] {
        self.body.get().map_or(&[], |body| &body.fields)
    }

    /// True if another field overlaps this one.
    pub fn overlaps(&self, index: usize) -> bool {
        self.body
            .get()
            .is_some_and(|body| body.overlapping.get(index) == Some(&true))
    }

    /// The field of a name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.body.get()?.places.get(name).copied()
    }

    /// The way it is passed by value.
    #[inline]
    pub fn passing(&self) -> &Passing {
        const UNKNOWN: &Passing = &Passing::Refused("its fields are not known");
        self.body.get().map_or(UNKNOWN, |body| &body.passing)
    }
}

/// An array's particulars. The number of elements follows from each object's `bytes`.
pub struct ArrayKind {
    /// The number of bytes of a new one; 0 for arrays that are not made by calling their class.
    pub bytes: usize,
    /// The elements of the first dimension.
    pub element: Arc<FieldKind>,
}

impl Class {
    /// A new record from a tuple of its first fields, or a dict of some; `None` for anything else.
    pub fn record_of<'py>(&self, value: &Bound<'py, PyAny>) -> Option<PyResult<Bound<'py, PyAny>>> {
        let python = self.python.bind(value.py());
        if let Ok(fields) = value.cast::<PyDict>() {
            return Some(python.call((), Some(fields)));
        }
        let fields = value.cast::<PyTuple>().ok()?;
        Some(python.call1(fields.clone()))
    }

    /// True if handles of both classes are plain values of one C type, as `CUstream` and `cudaStream_t` are.
    pub fn is_as_plain(&self, other: &Self) -> bool {
        let plain = |class: &Self| matches!(&class.kind, Kind::Handle(kind) if kind.takes_int);
        plain(self) && plain(other) && self.c_type == other.c_type
    }

    /// The record's particulars, if it is one.
    #[inline]
    pub fn as_record(&self) -> Option<&RecordKind> {
        match &self.kind {
            Kind::Record(kind) => Some(kind),
            _ => None,
        }
    }

    /// The scalar of a complex number's parts, if it is a class of these.
    pub fn complex_part(&self) -> Option<Scalar> {
        self.as_record().and_then(|kind| kind.complex)
    }

    /// The scalar by which handles of the class are passed; for other classes that of pointers.
    #[inline]
    pub fn handle_scalar(&self) -> Scalar {
        match &self.kind {
            Kind::Handle(kind) => kind.scalar,
            _ => Scalar::Pointer,
        }
    }
}

/// Operations of a kind of class: all that the life of an object needs to know of its kind.
pub struct Operations {
    /// `tp_dealloc`.
    pub deallocate: unsafe extern "C" fn(*mut ffi::PyObject),
    /// `tp_new`, for a new object that is all zero, with the keyword arguments of the call (a dict or null).
    ///
    /// # Safety
    /// A live object of a class of this kind, with the GIL held.
    pub create: unsafe fn(Python<'_>, *mut Object, *mut ffi::PyObject) -> PyResult<()>,
    /// Ends the C value that the object stands for, if the object owns it.
    ///
    /// # Safety
    /// An object of a class of this kind that is about to be freed or that the collector clears, with the GIL held.
    pub finish: unsafe fn(*mut Object),
    /// The object's part in `tp_clear`; `false` if the references that it holds have to stay.
    ///
    /// # Safety
    /// A live object of a class of this kind, with the GIL held.
    pub clear: unsafe fn(*mut Object) -> bool,
}
