//! Signatures: all that making a call needs, and nothing of where it came from.
//!
//! Functions whose signatures have the same *shape* (all but names, classes, texts and constants) share their machine
//! code.

use cuox_bind::plan::{Check, Gil};
use std::sync::Arc;

use pyo3::prelude::*;

use crate::types::callback_info::CallbackInfo;
use crate::types::class::Class;
use crate::types::scalar::Scalar;
use crate::types::status::Status;
use crate::types::value::{Element, Stored};

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
    /// The C function's result, and its use.
    pub result: Return,
    /// Keeping or giving up the interpreter's lock during the call.
    pub gil: Gil,
    /// The failures whose reason is in `errno`, and which raise `OSError`. If it is `None`, `errno` is neither cleared
    /// nor read.
    pub errno: Option<Errno>,
    /// True if further arguments may follow.
    pub variadic: bool,
    /// True if floats are taken for the integers that they are without their fractions.
    pub cuts_floats: bool,
    /// The form in which outputs are returned.
    pub outputs: Outputs,
    /// Kept alive as long as the callable: the library.
    pub keep: Option<Py<PyAny>>,
}

/// The calls that have failed, of those that have set `errno`. It is cleared before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Errno {
    /// Calls with this result (as far as its type goes): mostly -1, or 0 for a pointer.
    Result(i64),
    /// Calls whose status is a failure.
    Status,
    /// All.
    Set,
}

/// The form in which outputs are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outputs {
    /// Result (if it is one) and outputs: nothing as `None`, one as itself, several as a tuple.
    Plain,
    /// The same, but several as a list, and behind a list that is the result, as with SWIG.
    List,
    /// Always a tuple: the status first, then outputs, each `None` if the status is a failure.
    StatusTuple,
}

/// A parameter of the C function.
pub struct Parameter {
    /// The name in errors, and for keywords.
    pub name: String,
    /// The C type in errors, such as `const char *`.
    pub c_type: String,
    /// The role of the parameter.
    pub role: Role,
    /// Used if the caller leaves it out; only behind it may others be left out.
    pub default: Option<Py<PyAny>>,
    /// The amount of memory that C reads or writes where it points: a call with memory that is known to be shorter is
    /// refused.
    pub extent: Option<Extent>,
    /// The only values that are passed on.
    pub check: Option<Check>,
}

/// An amount of memory, in terms of other parameters, which are integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// The parameter that counts it; without one it is `plus` alone.
    pub of: Option<usize>,
    /// A constant that is added to that.
    pub plus: i32,
    /// The size in bytes of one counted unit.
    pub unit: usize,
    /// For several rows: these.
    pub rows: Option<Rows>,
}

/// Rows of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The parameter with their number.
    pub count: usize,
    /// The parameter with the distance from one to the next, which may be negative.
    pub pitch: usize,
    /// The size in bytes of the unit of that distance.
    pub unit: usize,
}

impl Extent {
    /// The parameters that count it.
    pub fn counts(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows.map(|rows| [rows.count, rows.pitch]);
        self.of.into_iter().chain(rows.into_iter().flatten())
    }

    /// The number of bytes for these values of the parameters.
    pub fn bytes(&self, value: impl Fn(usize) -> i128) -> i128 {
        let row = (self.of.map_or(0, &value) + i128::from(self.plus))
            .saturating_mul(self.unit as i128)
            .max(0);
        match self.rows {
            None => row,
            Some(rows) if row == 0 || value(rows.count) <= 0 => 0,
            Some(rows) => (value(rows.count) - 1)
                .saturating_mul(value(rows.pitch).saturating_abs())
                .saturating_mul(rows.unit as i128)
                .saturating_add(row),
        }
    }
}

/// The role of a parameter: the argument it takes, and the value that C gets.
pub enum Role {
    /// A number (for an enumeration too: its constants are ints).
    Scalar(Scalar),
    /// One character: `str` or `bytes` of length 1, or an int (`char`).
    Char,
    /// NUL-terminated text from `str` (UTF-8), `bytes`, or a path; an inner NUL is refused. A pointer object is taken
    /// too; an int is not.
    Text {
        /// True if `None` is taken.
        nullable: bool,
    },
    /// An address: from `None` if nullable, an int, a [`CObject`](crate::types::object::CObject) (a pointer or record
    /// object of a fitting class; others are refused by name), a buffer, an ndarray, `__cuda_array_interface__`,
    /// DLPack, or whatever has `.ctypes.data`.
    Pointer {
        /// The element that it points at.
        to: Element,
        /// True if C writes there: read-only buffers are refused.
        writable: bool,
        /// True if `None` is taken.
        nullable: bool,
    },
    /// A handle: an object of the class, an int address where the class says so, or `None`.
    Handle {
        /// The class.
        class: Arc<Class>,
        /// True if `None` is taken.
        nullable: bool,
        /// True if the object is closed after a call that has succeeded.
        consumed: bool,
        /// True if C takes the address of a variable with the value; of `None`, a null pointer.
        by_address: bool,
    },
    /// A record by value.
    Record(Arc<Class>),
    /// A callable for C, or a callback object made earlier, or `None`.
    Callback {
        /// The kind of callback.
        info: Arc<CallbackInfo>,
        /// True if `None` is taken.
        nullable: bool,
        /// True if C keeps the callback after the call.
        persistent: bool,
    },
    /// Not taken: zeroed storage on the stack, returned after the call.
    Output(Stored),
    /// Taken as its kind says, stored, and returned as C left it.
    InOut(Stored),
    /// Not taken: a buffer of as many elements as the parameter `length` says, returned as `bytes`, or as `str` up to
    /// the NUL.
    OutputBuffer {
        /// The parameter with the length.
        length: usize,
        /// An element's size in bytes, by which the length is multiplied.
        unit: usize,
        /// True if `str` is returned.
        text: bool,
    },
    /// Taken as its kind says, and stored: C gets the address.
    Pointed(Stored),
    /// Not taken: a buffer of one size, returned as `OutputBuffer` is.
    OutputRoom {
        /// The size in bytes.
        size: usize,
        /// True if `str` is returned.
        text: bool,
        /// True if that does not end at the NUL.
        whole: bool,
    },
    /// Text, copied to where C can change it.
    Edited {
        /// True if it is returned; else memory is taken as well.
        returned: bool,
        /// True if `None` is taken.
        nullable: bool,
        /// The most bytes that may be given.
        room: Option<usize>,
        /// The bytes that C may add.
        more: usize,
    },
    /// Not taken: storage for a pointer to text, which is returned.
    OutputText {
        /// The parameter where C writes its length.
        length: usize,
        /// The function that frees it.
        free: Option<usize>,
    },
    /// Not taken and not returned: zeroed storage for a number.
    Counter(Stored),
    /// A sequence of texts, passed as an array of pointers that ends with null.
    Texts {
        /// True if `None` is taken.
        nullable: bool,
    },
    /// Any object, passed as it is: `PyObject *`.
    Object,
    /// Not taken: the tuple of the further arguments of a variadic function, which C gets in this way alone.
    Rest,
    /// Not taken: the length of another parameter's memory or text.
    Length {
        /// The other parameter.
        of: usize,
        /// The size in bytes of one counted unit.
        unit: usize,
        /// The type of the length.
        scalar: Scalar,
    },
    /// Not taken: a constant of this type.
    Fixed(Scalar, u64),
}

impl Role {
    /// True if the caller gives an argument for it.
    pub const fn taken(&self) -> bool {
        !matches!(
            self,
            Self::Output(_)
                | Self::OutputBuffer { .. }
                | Self::OutputRoom { .. }
                | Self::OutputText { .. }
                | Self::Counter(_)
                | Self::Rest
                | Self::Length { .. }
                | Self::Fixed(..)
        )
    }
}

/// The use of the C function's result.
pub enum Return {
    /// `void`, or a result that is not returned.
    Nothing,
    /// A value, returned as if it was stored.
    Value(Stored),
    /// One character, as `str`.
    Char,
    /// An object that the caller gets; null where an exception is set.
    Object,
    /// A handle or pointer for which null is a failure.
    NotNull(Stored),
    /// A status.
    Status(Status),
}

impl Return {
    /// The number that C returns, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Nothing | Self::Object => None,
            Self::Char => Some(Scalar::I8),
            Self::Value(stored) | Self::NotNull(stored) => stored.scalar(),
            Self::Status(status) => Some(status.scalar),
        }
    }
}
