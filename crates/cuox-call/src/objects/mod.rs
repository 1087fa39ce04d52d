//! Values of C that have no Python type: handles, records, pointers, arrays in place, pointers to functions.
//!
//! Every such value is an object of a Python class made at run time, which has a [`Class`]. All objects begin with
//! [`CObject`], which generated code reads in place. Classes live as long as the process, so an object's `class` is always good.
//!
//! * [`base`]: what all objects share: memory (handles': [`spare`]), life, garbage collection. [`entry`]: how the interpreter's calls come in.
//! * [`handle`], [`record`] (and [`shown`]), [`array`], [`pointer`], [`callback`] (with [`called`] and [`thunk`]): the kinds.
//!   [`view`]: memory with a shape, for NumPy and its like.
//! * [`field`] and [`store`]: reading and writing what is stored in memory, with [`scalar`] for numbers and [`address`] for pointers;
//!   [`format`]: how other libraries call a type.
//! * [`classify`]: how a record travels by value.

pub mod address;
pub mod array;
pub mod base;
pub mod callback;
pub mod called;
pub mod classify;
pub mod entry;
pub mod field;
pub mod format;
pub mod handle;
pub mod pointer;
pub mod record;
pub mod scalar;
pub mod shown;
mod slots;
pub mod spare;
pub mod store;
pub mod this;
pub mod thunk;
pub mod view;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::gil::Gil;
use crate::signature::{Element, Scalar, Status, Stored};

pub use base::{as_object, new_record, register, wrap};

/// What every object of a [`Class`] begins with: generated code reads these words in place.
///
/// `value` is what is passed to C: a pointer's or handle's value, or the address of a record's or array's memory. It is 0 for
/// a null pointer, for a closed object *and* for one that is [`PLACED`], so that one comparison sends all of them to the careful way.
#[repr(C)]
pub struct CObject {
    /// The interpreter's header: reference count and type.
    pub head: ffi::PyObject,
    /// What is passed to C.
    pub value: u64,
    /// The class's description, which lives as long as the process.
    pub class: *const Class,
    /// What must live as long as this does: the object that owns the memory, the library, or null.
    pub keep: *mut ffi::PyObject,
    /// [`OWNED`], [`CLOSED`] and others.
    pub flags: u64,
    /// For a record with memory of its own and for an array with known bounds: how many bytes there are; else 0.
    pub bytes: u64,
}

/// The object destroys what it stands for when it is closed or collected.
pub const OWNED: u64 = 1;
/// The object has been closed; its value is gone.
pub const CLOSED: u64 = 2;
/// The object's memory is from `aligned_alloc`, and freed with it.
pub const HEAP: u64 = 4;
/// The memory must not be written.
pub const READ_ONLY: u64 = 8;
/// It is a handle of no subclass that the garbage collector has been told of; of the others it is told when they keep something alive.
pub const TRACKED: u64 = 16;
/// A handle or callback whose value is elsewhere, at the address that `keep` is as an int, and is read there each time: another may write it.
pub const PLACED: u64 = 32;

/// A Python class of C values.
pub struct Class {
    /// The name in Python, and in errors.
    pub name: String,
    /// The C type in errors.
    pub c_type: String,
    /// What kind it is.
    pub kind: Kind,
    /// The Python class, one of this module's base classes or a subclass of one.
    pub python: Py<PyType>,
    /// Memory for the next handles.
    pub(crate) spare: spare::Spare,
    /// The class of arrays of this, or of what this points at; made when it is first needed.
    pub(crate) array: OnceLock<Arc<Class>>,
    /// The class of pointers to this; made when it is first needed.
    pub(crate) pointer: OnceLock<Arc<Class>>,
}

/// What kind of value a class has.
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

/// How a class is called.
#[derive(Clone, Copy, Debug, Default)]
pub struct Named<'a> {
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
    /// How it is passed: [`Scalar::Pointer`] or an integer.
    pub scalar: Scalar,
    /// The C function that ends one, called with the value alone, or its address.
    pub destroy: Option<Destroy>,
    /// Whether plain ints are taken for it.
    pub takes_int: bool,
    /// Whether its objects are nothing but values, as in `cuda.bindings`: made from ints (`takes_int`), null ones too, which else are `None`;
    /// `_ptr=` says where the value is.
    pub plain: bool,
}

/// How a handle ends.
pub struct Destroy {
    /// The name in errors.
    pub name: String,
    /// The address.
    pub target: usize,
    /// Whether it takes the address of a variable with the value, which it may change.
    pub by_address: bool,
    /// What is done about the interpreter's lock meanwhile.
    pub gil: Gil,
    /// What its result means, if it says anything. A handle that could not be ended stays open.
    pub status: Option<Status>,
}

/// A record's particulars.
pub struct RecordKind {
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// Whether it is a union.
    pub union: bool,
    /// Whether it is shown, listed and made as in `cuda.bindings`: one line for each field, no names but those of fields, and `_ptr=` for where it is.
    pub plain: bool,
    /// What [`Class::define`] says.
    pub(crate) body: OnceLock<RecordBody>,
    /// What is in a new one, if that is not all zero.
    pub(crate) initial: OnceLock<Box<[u8]>>,
}

/// What is inside a record.
pub struct RecordBody {
    /// Fields, those of anonymous members among them, with offsets from this record's start.
    pub fields: Vec<FieldInfo>,
    /// How it is passed by value.
    pub passing: Passing,
    /// For each field whether another lies where it does, as in an anonymous union.
    pub overlapping: Vec<bool>,
    /// The fields by name; the first of a name counts.
    pub places: HashMap<String, usize>,
}

impl RecordKind {
    /// The fields: none until the record is defined.
    pub fn fields(&self) -> &[FieldInfo] {
        self.body.get().map_or(&[], |body| &body.fields)
    }

    /// Whether another field lies where this one does.
    pub fn overlaps(&self, index: usize) -> bool {
        self.body
            .get()
            .is_some_and(|body| body.overlapping.get(index) == Some(&true))
    }

    /// The field of a name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.body.get()?.places.get(name).copied()
    }

    /// How it is passed by value.
    pub fn passing(&self) -> &Passing {
        const UNKNOWN: &Passing = &Passing::Refused("its fields are not known");
        self.body.get().map_or(UNKNOWN, |body| &body.passing)
    }
}

/// How a record travels by value (System V x86-64 psABI, 3.2.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// In memory, copied to the stack; as a result, through a pointer that the caller gives.
    Memory,
    /// In registers, one for each eight bytes that hold anything: `true` for a vector register. None for an empty record.
    Registers(Vec<bool>),
    /// It cannot be passed by value, for this reason.
    Refused(&'static str),
}

/// An array's particulars. How many elements there are, each object says by its `bytes`.
pub struct ArrayKind {
    /// What the first dimension is made of.
    pub element: Arc<FieldKind>,
}

/// A field of a record.
pub struct FieldInfo {
    /// Its name.
    pub name: String,
    /// Its C type in errors.
    pub c_type: String,
    /// The comment.
    pub doc: Option<String>,
    /// Where it starts, in bits.
    pub offset: u64,
    /// What it is.
    pub kind: FieldKind,
}

/// What a field is.
#[derive(Clone)]
pub enum FieldKind {
    /// One value.
    One(Stored),
    /// A bit-field in a unit of this type, a number or an enumeration, and its width.
    Bits(Stored, u32),
    /// An array of values in place; several lengths for several dimensions, none or a first one of 0 for a flexible array member.
    Array(Box<FieldKind>, Vec<u64>, ArrayForm),
    /// A pointer to values that are a list in Python.
    List(Arc<ListKind>),
}

/// What an array in a record is in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayForm {
    /// A view, whose elements are read and written where they are.
    InPlace,
    /// Text, up to the first NUL: for `char`.
    Text,
    /// Bytes, up to the first NUL: for `char`.
    ShortBytes,
    /// Bytes, all of them: for elements of one byte.
    Bytes,
    /// A list, made anew whenever the field is read.
    List,
}

impl ArrayForm {
    /// Whether the field is one value, and not several elements.
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Text | Self::ShortBytes | Self::Bytes)
    }
}

/// A pointer to several values, as a field that is a list in Python.
pub struct ListKind {
    /// What there are several of.
    pub element: FieldKind,
    /// The field that says how many there are: how many bytes behind this one it begins, and its type.
    pub length: Option<(i64, Scalar)>,
    /// The class of the arrays that lists become; made when it is first needed.
    pub(crate) array: OnceLock<Arc<Class>>,
}

impl ListKind {
    /// A list of such elements.
    pub fn new(element: FieldKind, length: Option<(i64, Scalar)>) -> Arc<Self> {
        Arc::new(Self {
            element,
            length,
            array: OnceLock::new(),
        })
    }
}

/// What C calls a Python callable with.
pub struct CallbackInfo {
    /// The name in errors, such as the typedef's.
    pub name: String,
    /// Parameters: names and kinds.
    pub parameters: Vec<(String, CallbackValue)>,
    /// What C gets back.
    pub result: Option<CallbackValue>,
    /// As in [`HandleKind::plain`].
    pub plain: bool,
    /// Its class; made when it is first needed.
    pub(crate) class: OnceLock<Arc<Class>>,
    /// Where its values are; worked out when it is first needed.
    pub(crate) plan: OnceLock<called::Plan>,
}

impl CallbackInfo {
    /// A kind of callback.
    pub fn new(
        name: String,
        parameters: Vec<(String, CallbackValue)>,
        result: Option<CallbackValue>,
        plain: bool,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            parameters,
            result,
            plain,
            class: OnceLock::new(),
            plan: OnceLock::new(),
        })
    }
}

/// A value that crosses from C to Python in a callback's argument, or back in its result.
pub enum CallbackValue {
    /// As it would be stored.
    Stored(Stored),
    /// The user data, which is not shown to the callable.
    UserData,
}

impl Class {
    /// A class of handles.
    pub fn handle(py: Python<'_>, named: Named<'_>, kind: HandleKind) -> PyResult<Arc<Self>> {
        let doc = handle::doc(&named, &kind);
        let base = &base::bases(py)?.handle;
        base::class(py, named, Some(doc), Kind::Handle(kind), base, 0)
    }

    /// A class of pointers.
    pub fn pointer(py: Python<'_>, named: Named<'_>, element: Element) -> PyResult<Arc<Self>> {
        let doc = named.doc.map(str::to_owned);
        let base = &base::bases(py)?.pointer;
        base::class(py, named, doc, Kind::Pointer(element), base, 0)
    }

    /// A class of records, whose fields [`define`](Self::define) gives: these may point at the record itself.
    pub fn record(
        py: Python<'_>,
        named: Named<'_>,
        size: usize,
        align: usize,
        union: bool,
        plain: bool,
    ) -> PyResult<Arc<Self>> {
        let kind = RecordKind {
            size,
            align: align.max(1),
            union,
            plain,
            body: OnceLock::new(),
            initial: OnceLock::new(),
        };
        let inline = record::inline(&kind);
        let doc = named.doc.map(str::to_owned);
        let base = &base::bases(py)?.record;
        base::class(py, named, doc, Kind::Record(kind), base, inline)
    }

    /// A new record from a tuple of its first fields, or a dict of some; `None` for anything else.
    pub fn record_of<'py>(&self, value: &Bound<'py, PyAny>) -> Option<PyResult<Bound<'py, PyAny>>> {
        let python = self.python.bind(value.py());
        if let Ok(fields) = value.cast::<PyDict>() {
            return Some(python.call((), Some(fields)));
        }
        let fields = value.cast::<PyTuple>().ok()?;
        Some(python.call1(fields.clone()))
    }

    /// Gives a class of records its fields, once.
    pub fn define(self: &Arc<Self>, py: Python<'_>, fields: Vec<FieldInfo>) -> PyResult<()> {
        record::define(py, self, fields)
    }

    /// Says what is in a new record, where that is not all zero: numbers by fields, and what inner records begin with. Once.
    pub fn begin_with(&self, numbers: impl Fn(&str) -> Option<i64>) {
        let Some(kind) = self.as_record().filter(|kind| !kind.union) else {
            return;
        };
        let mut bytes = vec![0; kind.size];
        for (index, field) in kind.fields().iter().enumerate() {
            if kind.overlaps(index) {
                continue;
            }
            let at = (field.offset / 8) as usize;
            match &field.kind {
                FieldKind::One(Stored::Record(class)) => {
                    if let Some(inner) = class.as_record().and_then(|kind| kind.initial.get()) {
                        bytes[at..at + inner.len()].copy_from_slice(inner);
                    }
                }
                FieldKind::One(Stored::Scalar(scalar)) => {
                    let number = numbers(&field.name).unwrap_or(0).to_le_bytes();
                    let size = scalar.size().min(number.len());
                    bytes[at..at + size].copy_from_slice(&number[..size]);
                }
                _ => {}
            }
        }
        if bytes.iter().any(|byte| *byte != 0) {
            let _ = kind.initial.set(bytes.into());
        }
    }

    /// Whether handles of both classes are plain values of one C type, as `CUstream` and `cudaStream_t` are.
    pub fn is_as_plain(&self, other: &Self) -> bool {
        let plain = |class: &Self| matches!(&class.kind, Kind::Handle(kind) if kind.takes_int);
        plain(self) && plain(other) && self.c_type == other.c_type
    }

    /// The record's particulars, if it is one.
    pub fn as_record(&self) -> Option<&RecordKind> {
        match &self.kind {
            Kind::Record(kind) => Some(kind),
            _ => None,
        }
    }
}

impl Clone for Stored {
    fn clone(&self) -> Self {
        match self {
            Self::Scalar(scalar) => Self::Scalar(*scalar),
            Self::Enum(scalar, class) => {
                // Declarations are made and cloned under the GIL.
                Self::Enum(*scalar, Python::attach(|py| class.clone_ref(py)))
            }
            Self::Handle { class, owned } => Self::Handle {
                class: Arc::clone(class),
                owned: *owned,
            },
            Self::Pointer(class) => Self::Pointer(Arc::clone(class)),
            Self::Text { free } => Self::Text { free: *free },
            Self::Record(class) => Self::Record(Arc::clone(class)),
            Self::Callback(info) => Self::Callback(Arc::clone(info)),
        }
    }
}
