//! Values as C stores them: elements behind pointers, fields of records, outputs.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::types::callback_info::CallbackInfo;
use crate::types::class::{Class, Kind};
use crate::types::scalar::Scalar;

pub use cuox_interpreter::c_values::MIN_ADDRESS;

/// The type of an element in memory: a buffer's format is checked against it, and pointer classes are told apart by it.
#[derive(Clone)]
pub enum Element {
    /// `void` or an unknown type: any buffer will do.
    Untyped,
    /// A scalar. `char` and `unsigned char` take any one-byte format.
    Scalar(Scalar),
    /// A record.
    Record(Arc<Class>),
    /// Anything else: text, pointers, handles, enumerations, callbacks, arrays.
    Field(Arc<FieldKind>),
}

impl Element {
    /// The scalar or record that its memory is made of: arguments are checked against it.
    pub fn flat(&self) -> Self {
        match self {
            Self::Field(kind) => kind.flat(),
            other => other.clone(),
        }
    }

    /// The field that a pointer to this element points at; `None` if it is not known.
    pub fn as_field(&self) -> Option<FieldKind> {
        match self {
            Self::Untyped => None,
            Self::Scalar(scalar) => Some(FieldKind::One(Stored::Scalar(*scalar))),
            Self::Record(class) => Some(FieldKind::One(Stored::Record(Arc::clone(class)))),
            Self::Field(kind) => Some((**kind).clone()),
        }
    }
}

/// A value that C stores for the caller.
pub enum Stored {
    /// A number.
    Scalar(Scalar),
    /// One character (`char`).
    Char,
    /// A constant of an enumeration, whose class is called with the number.
    Enum(Scalar, Py<PyType>),
    /// A handle; `owned` ones are destroyed when closed.
    Handle {
        /// The class.
        class: Arc<Class>,
        /// True if closing destroys it.
        owned: bool,
    },
    /// A pointer object.
    Pointer(Arc<Class>),
    /// A `char *`, returned as `str`; freed afterwards by the function at `free`, if there is one.
    Text {
        /// The address of a `void (*)(void *)`.
        free: Option<usize>,
        /// True if text that is written there is C's: a copy that `free` can end.
        copied: bool,
    },
    /// A record: an object of the class with memory of its own.
    Record(Arc<Class>),
    /// A pointer to a function.
    Callback(Arc<CallbackInfo>),
}

impl Stored {
    /// The type of the stored number, if it is one; pointers of all kinds are numbers.
    #[inline]
    pub fn scalar(&self) -> Option<Scalar> {
        Some(match self {
            Self::Scalar(scalar) | Self::Enum(scalar, _) => *scalar,
            Self::Char => Scalar::I8,
            Self::Handle { class, .. } => match &class.kind {
                Kind::Handle(kind) => kind.scalar,
                _ => return None,
            },
            Self::Pointer(_) | Self::Text { .. } | Self::Callback(_) => Scalar::Pointer,
            Self::Record(_) => return None,
        })
    }
}

impl Clone for Stored {
    fn clone(&self) -> Self {
        match self {
            Self::Scalar(scalar) => Self::Scalar(*scalar),
            Self::Char => Self::Char,
            Self::Enum(scalar, class) => {
                // Declarations are made and cloned under the GIL.
                Self::Enum(*scalar, Python::attach(|py| class.clone_ref(py)))
            }
            Self::Handle { class, owned } => Self::Handle {
                class: Arc::clone(class),
                owned: *owned,
            },
            Self::Pointer(class) => Self::Pointer(Arc::clone(class)),
            Self::Text { free, copied } => Self::Text {
                free: *free,
                copied: *copied,
            },
            Self::Record(class) => Self::Record(Arc::clone(class)),
            Self::Callback(info) => Self::Callback(Arc::clone(info)),
        }
    }
}

/// A field of a record.
pub struct FieldInfo {
    /// Its name.
    pub name: String,
    /// Its C type in errors.
    pub c_type: String,
    /// The comment.
    pub doc: Option<String>,
    /// Its offset in bits.
    pub offset: u64,
    /// True if C's code may not write it.
    pub constant: bool,
    /// Its kind.
    pub kind: FieldKind,
}

/// The kind of a field.
#[derive(Clone)]
pub enum FieldKind {
    /// One value.
    One(Stored),
    /// A bit-field in a unit of this type, a number or an enumeration, and its width.
    Bits(Stored, u32),
    /// An array of values in place; several lengths for several dimensions, none or a first one of 0 for a flexible
    /// array member.
    Array(Box<FieldKind>, Vec<u64>, ArrayForm),
    /// A pointer to values that are a list in Python.
    List(Arc<ListKind>),
}

/// The Python object that an array in a record is.
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
    /// True if the field is one value, and not several elements.
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Text | Self::ShortBytes | Self::Bytes)
    }
}

/// A pointer to several values, as a field that is a list in Python.
pub struct ListKind {
    /// The kind of each element.
    pub element: FieldKind,
    /// The field with the number of elements: its distance from this field in bytes, and its type.
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

impl Stored {
    /// The size in bytes of a stored value.
    #[inline]
    pub fn size(&self) -> usize {
        match self {
            Self::Scalar(scalar) | Self::Enum(scalar, _) => scalar.size(),
            Self::Char => 1,
            Self::Handle { class, .. } => class.handle_scalar().size(),
            Self::Pointer(_) | Self::Text { .. } | Self::Callback(_) => 8,
            Self::Record(class) => class.as_record().map_or(0, |record| record.size),
        }
    }

    /// The alignment of a stored value.
    #[inline]
    pub fn align(&self) -> usize {
        match self {
            Self::Record(class) => class.as_record().map_or(1, |record| record.align),
            other => other.size(),
        }
    }

    /// The C type of a stored value, for errors.
    pub fn c_type(&self) -> String {
        match self {
            Self::Scalar(scalar) | Self::Enum(scalar, _) => scalar.c_type().to_owned(),
            Self::Handle { class, .. } | Self::Pointer(class) | Self::Record(class) => {
                class.c_type.clone()
            }
            Self::Char => "char".to_owned(),
            Self::Text { .. } => "char *".to_owned(),
            Self::Callback(info) => info.name.clone(),
        }
    }
}

impl FieldKind {
    /// The size in bytes of a field; of a bit-field, that of its unit.
    #[inline]
    pub fn size(&self) -> usize {
        match self {
            Self::One(stored) | Self::Bits(stored, _) => stored.size(),
            Self::List(_) => Scalar::Pointer.size(),
            Self::Array(element, lengths, _) => match lengths.as_slice() {
                [] => 0,
                lengths => {
                    let count = lengths.iter().product::<u64>();
                    element.size().saturating_mul(count as usize)
                }
            },
        }
    }

    /// The alignment of a field.
    #[inline]
    pub fn align(&self) -> usize {
        match self {
            Self::One(stored) | Self::Bits(stored, _) => stored.align(),
            Self::List(_) => Scalar::Pointer.size(),
            Self::Array(element, _, _) => element.align(),
        }
    }

    /// The element that a pointer to such a field points at.
    pub fn as_element(&self) -> Element {
        match self {
            Self::One(Stored::Scalar(scalar)) => Element::Scalar(*scalar),
            Self::One(Stored::Record(class)) => Element::Record(Arc::clone(class)),
            other => Element::Field(Arc::new(other.clone())),
        }
    }

    /// The scalar or record that memory of this kind is made of.
    pub fn flat(&self) -> Element {
        match self {
            Self::One(Stored::Record(class)) => Element::Record(Arc::clone(class)),
            Self::One(stored) | Self::Bits(stored, _) => {
                Element::Scalar(stored.scalar().unwrap_or(Scalar::Pointer))
            }
            Self::List(_) => Element::Scalar(Scalar::Pointer),
            Self::Array(of, ..) => of.flat(),
        }
    }

    /// The innermost element of an array's element, and the inner dimensions.
    pub fn innermost(&self) -> (&Self, &[u64]) {
        match self {
            Self::Array(element, lengths, _) => (element, lengths),
            other => (other, &[]),
        }
    }
}

/// The elements of an array of this kind: arrays of one dimension less.
pub fn first_dimension(element: &FieldKind, lengths: &[u64], form: ArrayForm) -> FieldKind {
    match lengths {
        [] | [_] => element.clone(),
        [_, inner @ ..] => FieldKind::Array(Box::new(element.clone()), inner.to_vec(), form),
    }
}
