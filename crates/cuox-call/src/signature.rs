//! What a callable takes and gives.
//!
//! A [`Signature`] has everything that making a call needs and nothing of where it came from: no header, no rules. Functions whose
//! signatures have the same *shape* (all but names, classes, texts and constants) share their machine code.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::gil::Gil;
use crate::objects::{CallbackInfo, Class, FieldKind, Kind};

/// A scalar of C as it is passed and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F32,
    F64,
    /// `long double`: 80 bits in 16 bytes; a Python float, rounded both ways.
    Long,
    /// A data pointer: an int in Python, when it is a value.
    Pointer,
}

impl Scalar {
    /// Its size in memory, in bytes; also its alignment.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::Pointer => 8,
            Self::I128 | Self::U128 | Self::Long => 16,
        }
    }

    /// Whether it is an integer with negative values.
    pub const fn signed(self) -> bool {
        matches!(
            self,
            Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::I128
        )
    }

    /// Whether it is `float`, `double` or `long double`.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64 | Self::Long)
    }

    /// The least and the greatest value of an integer of at most 64 bits.
    pub const fn range(self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Bool => (0, 1),
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => {
                let half = 1i128 << (8 * self.size() - 1);
                (-half, half - 1)
            }
            Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::Pointer => {
                (0, (1i128 << (8 * self.size())) - 1)
            }
            _ => return None,
        })
    }
}

/// What an element in memory is, for checking a buffer's format and for the pointer classes.
#[derive(Clone)]
pub enum Element {
    /// `void`, or what nothing is known of: any buffer will do.
    Untyped,
    /// A scalar. `char` and `unsigned char` take any one-byte format.
    Scalar(Scalar),
    /// A record.
    Record(Arc<Class>),
    /// Anything else: text, pointers, handles, enumerations, callbacks, arrays.
    Field(Arc<FieldKind>),
}

impl Element {
    /// The same as a scalar or record, of which its memory is made: what an argument is checked against.
    pub fn flat(&self) -> Self {
        match self {
            Self::Field(kind) => kind.flat(),
            other => other.clone(),
        }
    }
}

/// A callable.
pub struct Signature {
    /// The name that errors and `__name__` give.
    pub name: String,
    /// The docstring; its first line need not be the signature, which is added.
    pub doc: String,
    /// The module's name, for `__module__`.
    pub module: Option<String>,
    /// The C function's address.
    pub target: usize,
    /// In the C function's order.
    pub parameters: Vec<Parameter>,
    /// What the C function returns, and what becomes of it.
    pub result: Return,
    /// What is done about the interpreter's lock during the call.
    pub gil: Gil,
    /// How a failure is told of which `errno` says the reason: it raises `OSError`. Without it `errno` is neither set nor looked at.
    pub errno: Option<Errno>,
    /// Whether further arguments may follow.
    pub variadic: bool,
    /// Whether floats are taken for the integers that they are.
    pub whole_floats: bool,
    /// What is returned when there are outputs.
    pub outputs: Outputs,
    /// Kept alive as long as the callable: the library.
    pub keep: Option<Py<PyAny>>,
}

/// Which calls have failed, of those that have set `errno`. It is cleared before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Errno {
    /// Those with this result, as far as its type goes: mostly -1, or 0 for a pointer.
    Result(i64),
    /// Those whose status is a failure.
    Status,
    /// All.
    Set,
}

/// How outputs are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outputs {
    /// Result (if it is one) and outputs: nothing as `None`, one as itself, several as a tuple.
    Plain,
    /// Always a tuple: the status first, then outputs, each `None` if the status is a failure.
    StatusTuple,
}

/// A parameter of the C function.
pub struct Parameter {
    /// The name in errors, and for keywords.
    pub name: String,
    /// The C type in errors, such as `const char *`.
    pub c_type: String,
    /// What is passed.
    pub role: Role,
    /// Used if the caller leaves it out; only behind it may others be left out.
    pub default: Option<Py<PyAny>>,
    /// How much memory C reads or writes where it points: where less is known to be there, the call is refused.
    pub extent: Option<Extent>,
}

/// An amount of memory, in terms of other parameters, which are integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// The parameter that counts it; without one it is `plus` alone.
    pub of: Option<usize>,
    /// What is added to that.
    pub plus: i32,
    /// How many bytes are one of what is counted.
    pub unit: usize,
    /// For rows of it: the parameters that say how many there are, and how many bytes the next begins behind one.
    pub rows: Option<(usize, usize)>,
}

impl Extent {
    /// The parameters that say it.
    pub fn counts(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows.map(|(rows, pitch)| [rows, pitch]);
        self.of.into_iter().chain(rows.into_iter().flatten())
    }

    /// How many bytes, if the parameters have these values.
    pub fn bytes(&self, value: impl Fn(usize) -> i128) -> i128 {
        let row = (self.of.map_or(0, &value) + i128::from(self.plus))
            .saturating_mul(self.unit as i128)
            .max(0);
        match self.rows {
            None => row,
            Some((rows, _)) if row == 0 || value(rows) <= 0 => 0,
            Some((rows, pitch)) => (value(rows) - 1).saturating_mul(value(pitch)) + row,
        }
    }
}

/// What is passed for a parameter.
pub enum Role {
    /// A number (for an enumeration too: its constants are ints).
    Scalar(Scalar),
    /// One character: `str` or `bytes` of length 1, or an int (`char`).
    Char,
    /// NUL-terminated text from `str` (UTF-8), `bytes`, or a path; an inner NUL is refused. A pointer object is taken too; an int is not.
    Text {
        /// Whether `None` is taken.
        nullable: bool,
    },
    /// An address: from `None` if nullable, an int, a [`CObject`](crate::objects::CObject) (a pointer or record object of a fitting class; others are refused by name), a
    /// buffer, an ndarray, `__cuda_array_interface__`, DLPack, or whatever has `.ctypes.data`.
    Pointer {
        /// What it points at.
        to: Element,
        /// Whether C writes there: read-only buffers are refused.
        writable: bool,
        /// Whether `None` is taken.
        nullable: bool,
    },
    /// A handle: an object of the class, an int address where the class says so, or `None`.
    Handle {
        /// The class.
        class: Arc<Class>,
        /// Whether `None` is taken.
        nullable: bool,
        /// Whether the object is closed after a call that has succeeded.
        consumed: bool,
        /// Whether C takes the address of a variable with the value; of `None`, a null pointer.
        by_address: bool,
    },
    /// A record by value.
    Record(Arc<Class>),
    /// A callable for C, or a callback object made earlier, or `None`.
    Callback {
        /// What C calls it with.
        info: Arc<CallbackInfo>,
        /// Whether `None` is taken.
        nullable: bool,
        /// Whether it lives on after the call.
        kept: bool,
    },
    /// Not taken: zeroed storage on the stack, returned after the call.
    Output(Stored),
    /// Taken as its kind says, stored, and returned as C left it.
    InOut(Stored),
    /// Not taken: a buffer of as many elements as the parameter `length` says, returned as `bytes`, or as `str` up to the NUL.
    OutputBuffer {
        /// The parameter with the length.
        length: usize,
        /// An element's size in bytes, by which the length is multiplied.
        unit: usize,
        /// Whether `str` is returned.
        text: bool,
    },
    /// Not taken: the length of another parameter's memory or text.
    Length {
        /// The other parameter.
        of: usize,
        /// How many bytes are one of what is counted.
        unit: usize,
        /// How the length is passed.
        scalar: Scalar,
    },
    /// Not taken: a constant of this type.
    Fixed(Scalar, u64),
}

/// What C stores for the caller.
pub enum Stored {
    /// A number.
    Scalar(Scalar),
    /// A constant of an enumeration, whose class is called with the number.
    Enum(Scalar, Py<PyType>),
    /// A handle; `owned` ones are destroyed when closed.
    Handle {
        /// The class.
        class: Arc<Class>,
        /// Whether closing destroys it.
        owned: bool,
    },
    /// A pointer object.
    Pointer(Arc<Class>),
    /// A `char *`, returned as `str`; freed afterwards by the function at `free`, if there is one.
    Text {
        /// The address of a `void (*)(void *)`.
        free: Option<usize>,
    },
    /// A record: an object of the class with memory of its own.
    Record(Arc<Class>),
    /// A pointer to a function.
    Callback(Arc<CallbackInfo>),
}

impl Stored {
    /// The number that is stored, if it is one; a pointer, in whatever object, is one too.
    pub fn scalar(&self) -> Option<Scalar> {
        Some(match self {
            Self::Scalar(scalar) | Self::Enum(scalar, _) => *scalar,
            Self::Handle { class, .. } => match &class.kind {
                Kind::Handle(kind) => kind.scalar,
                _ => return None,
            },
            Self::Pointer(_) | Self::Text { .. } | Self::Callback(_) => Scalar::Pointer,
            Self::Record(_) => return None,
        })
    }
}

impl Role {
    /// Whether the caller gives an argument for it.
    pub const fn taken(&self) -> bool {
        !matches!(
            self,
            Self::Output(_) | Self::OutputBuffer { .. } | Self::Length { .. } | Self::Fixed(..)
        )
    }
}

/// What becomes of the C function's result.
pub enum Return {
    /// `void`, or not wanted; the scalar says what the C function returns, which matters for nothing but the ABI.
    Nothing,
    /// Returned as what is stored would be.
    Value(Stored),
    /// One character, as `str`.
    Char,
    /// A handle or pointer for which null is a failure.
    NotNull(Stored),
    /// A status.
    Status(Status),
}

impl Return {
    /// The number that C returns, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Nothing => None,
            Self::Char => Some(Scalar::I8),
            Self::Value(stored) | Self::NotNull(stored) => stored.scalar(),
            Self::Status(status) => Some(status.scalar),
        }
    }
}

/// A status code.
pub struct Status {
    /// Its integer type.
    pub scalar: Scalar,
    /// Its enumeration's class, for [`Outputs::StatusTuple`] and for exceptions.
    pub class: Option<Py<PyType>>,
    /// What success looks like.
    pub success: Success,
    /// What is raised: called with (function's name, code). With [`Outputs::StatusTuple`] nothing is raised.
    pub raise: Option<Py<PyAny>>,
}

/// Which codes mean success.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Success {
    Zero,
    NonZero,
    NotNegative,
    OneOf(Vec<i64>),
}
