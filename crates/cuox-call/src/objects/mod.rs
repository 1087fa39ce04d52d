//! Values of C that have no Python type.

use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::signature::{Element, Scalar, Stored};

/// What every object of a [`Class`] begins with: generated code reads these words in place.
///
/// `value` is what is passed to C: a pointer's or handle's value, or the address of a record's memory. It is 0 for a null pointer *and* for a
/// closed object, so that one comparison sends both to the careful way.
#[repr(C)]
pub struct CObject {
    /// The interpreter's header: reference count and type.
    pub head: ffi::PyObject,
    /// What is passed to C.
    pub value: u64,
    /// The class's description; as long as there is an object, so is its Python class, which owns it.
    pub class: *const Class,
    /// What must live as long as this does: the object that owns the memory, the library, or null.
    pub keep: *mut ffi::PyObject,
    /// [`OWNED`], [`CLOSED`].
    pub flags: u64,
    /// For a record with memory of its own and for an array with known bounds: how many bytes there are; else 0.
    pub bytes: u64,
}

/// The object destroys what it stands for when it is closed or collected.
pub const OWNED: u64 = 1;
/// The object has been closed; its value is gone.
pub const CLOSED: u64 = 2;

/// A Python class of C values.
pub struct Class {
    /// The name in Python, and in errors.
    pub name: String,
    /// The C type in errors.
    pub c_type: String,
    /// What kind it is.
    pub kind: Kind,
    /// The Python class, a subclass of one of this module's base classes, made by this module.
    pub python: Py<PyType>,
}

/// What kind of value a class has.
pub enum Kind {
    /// A pointer to elements: indexing, slices, `contents`, array protocols once it has a shape.
    Pointer(Element),
    /// A handle.
    Handle(HandleKind),
    /// A structure or union.
    Record(RecordKind),
}

/// A handle's particulars.
pub struct HandleKind {
    /// How it is passed: [`Scalar::Pointer`] or an integer.
    pub scalar: Scalar,
    /// The C function that ends one, called with the value alone: its address and what its result means.
    pub destroy: Option<Destroy>,
    /// Whether plain ints are taken for it.
    pub takes_int: bool,
}

/// How a handle ends.
pub struct Destroy {
    /// The name in errors.
    pub name: String,
    /// The address.
    pub target: usize,
    /// Whether the interpreter's lock is given up meanwhile.
    pub release_gil: bool,
}

/// A record's particulars.
pub struct RecordKind {
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// Whether it is a union.
    pub union: bool,
    /// Fields, those of anonymous members among them, with offsets from this record's start.
    pub fields: Vec<FieldInfo>,
    /// How it is passed by value.
    pub passing: Passing,
}

/// How a record travels by value (System V x86-64 psABI, 3.2.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// In memory, copied to the stack; as a result, through a pointer that the caller gives.
    Memory,
    /// In registers, one for each eight bytes: `true` for a vector register.
    Registers(Vec<bool>),
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
pub enum FieldKind {
    /// One value.
    One(Stored),
    /// A bit-field in a unit of this type.
    Bits(Scalar, u32),
    /// An array of values in place; several lengths for several dimensions. `char` arrays are text.
    Array(Box<FieldKind>, Vec<u64>, bool),
    /// A pointer to a function.
    Callback(Arc<CallbackInfo>),
}

/// What C calls a Python callable with.
pub struct CallbackInfo {
    /// The name in errors, such as the typedef's.
    pub name: String,
    /// Parameters: names and kinds.
    pub parameters: Vec<(String, CallbackValue)>,
    /// What C gets back.
    pub result: Option<CallbackValue>,
}

/// A value that crosses from C to Python in a callback's argument, or back in its result.
pub enum CallbackValue {
    /// As it would be stored.
    Stored(Stored),
    /// The user data, which is not shown to the callable.
    UserData,
}
