//! Call plans: data that says for every declared function how Python calls it.
//!
//! A [`Plan`] is data, like a [`Header`](crate::decl::Header), to whose declarations it refers by index. Every choice
//! in it carries its [`Why`], which [`explain`] prints.

mod check;
pub mod docs;
pub mod explain;
mod guess;
mod known;
mod make;
pub(crate) mod python;
pub(crate) mod types;

pub(crate) use types::OBJECT;

use serde::{Deserialize, Serialize};

pub use self::guess::{has_count, has_own_length, is_text};
pub use self::known::make_known;
pub use self::make::make;
use crate::decl::{EnumId, RecordId, TypedefId, Value, file};
use crate::name_pattern::Glob;
use crate::policy::StatusChoice;
pub use crate::policy::{CallbackLife, Check, Failure, Gil, StatusStyle, Success, Unit};
pub use crate::words::not_keyword;

/// Options of the call that makes a binding. They win over rules for the whole library, but not over rules for a
/// function.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The treatment of status codes.
    pub status: Option<StatusChoice>,
    /// The treatment of the interpreter's lock.
    pub gil: Option<Gil>,
    /// The only functions, constants and variables to bind, by names in C; everything if there are none.
    pub only: Vec<Glob>,
    /// Names that are not bound.
    pub ignore: Vec<Glob>,
}

/// A plan that cannot be carried out, or a rule that fits nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct PlanError {
    /// The function, by its name in Python.
    pub function: Option<String>,
    /// The parameter.
    pub parameter: Option<String>,
    /// The rule's place.
    pub place: Option<String>,
    /// The error, as a sentence.
    pub message: String,
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        if let Some(function) = &self.function {
            write!(f, "{function}(): ")?;
        }
        if let Some(parameter) = &self.parameter {
            write!(f, "parameter '{parameter}': ")?;
        }
        f.write_str(&self.message)
    }
}

/// The origin of a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Why {
    /// The C type leaves no other.
    Type,
    /// A guess; the text says from what, as a sentence that stands alone.
    Guess(String),
    /// A rule; the text is its place, such as `foo.toml:12`.
    Rule(String),
    /// An argument of the call that made the binding.
    Asked,
}

impl Why {
    /// The place of the rule, if it was one.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Rule(place) => Some(place.clone()),
            Self::Type | Self::Guess(_) | Self::Asked => None,
        }
    }
}

/// The bound part of a header, with a plan for each function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Functions, in the header's order.
    pub functions: Vec<FunctionPlan>,
    /// Types whose values are handles: pointers (or integers) that only the library can look into.
    pub handles: Vec<HandlePlan>,
    /// Records that become classes, with their Python names.
    pub records: Vec<(RecordId, String)>,
    /// Enumerations that become classes, with their Python names.
    pub enums: Vec<(EnumId, String)>,
    /// Constants, with their Python names.
    pub constants: Vec<(String, Value)>,
    /// Variables by their index in the header, with their Python names.
    pub variables: Vec<(u32, String)>,
    /// Declarations that are not bound: a name, and the reason as a sentence.
    pub left_out: Vec<(String, String)>,
}

/// A type of opaque values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandlePlan {
    /// The class's name in Python.
    pub name: String,
    /// Its type in C.
    pub of: HandleOf,
    /// The function that takes a handle of this type and ends it, as an index into [`Plan::functions`]. Handles that C
    /// gave to keep ([`Ownership::Owned`]) are given to it when they are closed or no longer used.
    pub destroy: Option<u32>,
    /// The origin of the class.
    pub why: Why,
    /// The origin of `destroy`.
    pub destroy_why: Option<Why>,
}

/// The type of a handle in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HandleOf {
    /// A pointer to this record, of which there are only pointers.
    Pointer(RecordId),
    /// A value of this typedef: of `void *`, of a pointer to a record, or of an integer.
    Typedef(TypedefId),
    /// A pointer to this typedef of `void`, such as `CURL *`.
    PointerTo(TypedefId),
}

/// The plan for calling one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionPlan {
    /// Its name in Python.
    pub name: String,
    /// Its index among the header's functions.
    pub function: u32,
    /// Plans for the parameters of the C function, in its order.
    pub parameters: Vec<ParameterPlan>,
    /// The plan for the result.
    pub result: ResultPlan,
    /// The origin of that plan.
    pub result_why: Why,
    /// The treatment of the interpreter's lock during the call.
    pub gil: Gil,
    /// The origin of that choice.
    pub gil_why: Why,
    /// True if further arguments may follow (`...`), passed by their Python types or as typed values.
    pub variadic: bool,
}

/// The plan for one parameter of the C function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterPlan {
    /// Its name in Python; `argN` (from 0) where the header gives none.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Its value if the caller leaves it out.
    pub default: Option<Value>,
    /// The origin of the role.
    pub why: Why,
    /// The amount of memory that C reads or writes where it points, if that is known.
    pub extent: Option<Extent>,
    /// The only values that are passed on.
    pub check: Option<Check>,
}

/// The amount of memory that C reads or writes where a parameter points: less is refused where the amount given is
/// known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// The parameter that counts it; without one it is `plus` alone.
    pub of: Option<u32>,
    /// A number that is added to the count.
    pub plus: i32,
    /// The unit of the count.
    pub unit: Unit,
    /// If it is several rows, each of that extent.
    pub rows: Option<Rows>,
    /// The origin of the extent.
    pub why: Why,
}

/// Rows of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    /// The parameter with the number of rows.
    pub count: u32,
    /// The parameter with the distance from one row to the next.
    pub pitch: u32,
    /// The unit of that distance, which may be negative.
    pub unit: Unit,
}

/// The role of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Role {
    /// A value, by the C type: a number, an enumeration's constant, a record by value, or a pointer whose use is not
    /// known (which takes anything with an address: an int, a buffer, an array, a bound object).
    Input {
        /// For a pointer: whether `None` is taken, as a null pointer.
        nullable: bool,
    },
    /// Text that C reads up to its NUL: `str` (as UTF-8), `bytes` or a path.
    Text {
        /// True if `None` is taken, as a null pointer.
        nullable: bool,
    },
    /// Memory that C reads or writes: any contiguous buffer or array whose elements are of the C type.
    Memory {
        /// True if `None` is taken, as a null pointer.
        nullable: bool,
        /// True if C writes it: read-only buffers are refused.
        writable: bool,
    },
    /// A handle of a bound type.
    Handle {
        /// The handle type, as an index into [`Plan::handles`].
        handle: u32,
        /// True if `None` is taken, as a null handle.
        nullable: bool,
        /// True if the call ends it: the object is closed when the call has succeeded.
        consumed: bool,
        /// True if C takes a pointer to the handle, as functions do that end one and set it to null
        /// (`nvrtcDestroyProgram`).
        by_address: bool,
    },
    /// A Python callable that C calls.
    Callback {
        /// True if `None` is taken, as a null pointer.
        nullable: bool,
        /// The parameters that carry user data to the callback; Python sees them on neither side.
        user_data: Option<UserData>,
        /// The time during which C may call it.
        life: CallbackLife,
    },
    /// Not taken: storage that C writes, and that is returned. The parameter's type is a pointer to it.
    Output(Output),
    /// A value that is taken and returned as C has changed it. The parameter's type is a pointer to it.
    InOut,
    /// A value that C gets the address of. The parameter's type is a pointer to it.
    Pointed,
    /// Text of which C gets a copy that it can change.
    Edited {
        /// True if what C has made of it is returned. Else memory is taken as well, which C gets itself.
        returned: bool,
        /// True if `None` is taken, as a null pointer.
        nullable: bool,
        /// The most bytes that the caller's text may have; any number if it is not said.
        room: Option<u32>,
        /// The bytes that C may add.
        more: u32,
    },
    /// A sequence of texts, of which C gets an array of pointers that ends with null.
    Texts {
        /// True if `None` is taken, as a null pointer.
        nullable: bool,
    },
    /// Not taken and not returned: storage where C writes the length of another parameter's text.
    Counter,
    /// Not taken: the length of the memory or text of another parameter.
    Length {
        /// The other parameter's index.
        of: u32,
        /// The unit of the length.
        unit: Unit,
    },
    /// Not taken: always this.
    Fixed(Value),
    /// A Python object, as it is: `PyObject *`.
    Object,
    /// Not taken: a `PyObject *` to the tuple of the further arguments.
    Rest,
}

impl Role {
    /// True if the caller gives something for it.
    pub const fn is_taken(&self) -> bool {
        !matches!(
            self,
            Self::Output(_) | Self::Length { .. } | Self::Fixed(_) | Self::Counter | Self::Rest
        )
    }

    /// True if something is returned for it.
    pub const fn is_returned(&self) -> bool {
        matches!(
            self,
            Self::Output(_) | Self::InOut | Self::Edited { returned: true, .. }
        )
    }
}

/// The way of user data to a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserData {
    /// The parameter of the function that takes it; not taken from the caller.
    pub parameter: u32,
    /// The parameter of the callback that gets it; not given to the callable.
    pub argument: u32,
}

/// The value returned for memory that C has written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Output {
    /// One value of the type that is pointed at.
    Value,
    /// A handle.
    Handle {
        /// The handle type, as an index into [`Plan::handles`].
        handle: u32,
        /// Its owner.
        ownership: Ownership,
    },
    /// A `char *` that C has set, as text.
    Text {
        /// Its owner.
        ownership: TextOwnership,
        /// The parameter where C writes its length; it ends at its NUL without one.
        length: Option<u32>,
    },
    /// Bytes in memory that the caller sizes by another parameter, which stays an input: a buffer of that many elements
    /// is made, and returned as `bytes`, or, for `char`, as `str` up to the NUL.
    Buffer {
        /// The parameter with the buffer's length.
        length: u32,
        /// The unit of the length.
        unit: Unit,
    },
    /// Bytes in memory of one size, returned as `bytes`, or, for `char`, as `str`.
    Room {
        /// The size in bytes.
        bytes: u32,
        /// True if `str` does not end at the NUL.
        whole: bool,
    },
}

/// The owner of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ownership {
    /// The library's: closing the object does nothing to it.
    Borrowed,
    /// The caller's: closing the object destroys it.
    Owned,
}

/// The owner of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TextOwnership {
    /// The library's.
    Borrowed,
    /// The caller's: freed by this function, an index into [`Plan::functions`], once it has been read; `None` means C's
    /// `free`.
    Owned(Option<u32>),
}

/// The plan for a function's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ResultPlan {
    /// `void`, or a result that nobody wants.
    Nothing,
    /// The result is returned, by the C type, before the outputs.
    Value,
    /// `char *`, returned as text (`None` for null).
    Text {
        /// Its owner.
        ownership: TextOwnership,
    },
    /// A handle.
    Handle {
        /// The handle type, as an index into [`Plan::handles`].
        handle: u32,
        /// Its owner.
        ownership: Ownership,
        /// True if null is a failure, which raises; else it is returned as `None`.
        null_raises: bool,
    },
    /// A code that says whether the call has succeeded.
    Status {
        /// The codes that mean success.
        success: Success,
        /// The treatment of the status.
        style: StatusStyle,
        /// A function that gives a code's text (`sqlite3_errstr`), an index into [`Plan::functions`].
        text: Option<u32>,
    },
    /// As `result` says, but for failures of which `errno` says the reason: they raise `OSError`.
    Errno {
        /// The test that tells a failure.
        failure: Failure,
        /// The origin of that test.
        why: Why,
        /// The plan for other results.
        #[serde(deserialize_with = "file::nested::deserialize")]
        result: Box<ResultPlan>,
    },
    /// A Python object that the caller gets; null where an exception is set, which is raised.
    Object,
}

impl ResultPlan {
    /// The plan for a result that is no failure with an `errno`.
    pub fn usual(&self) -> &Self {
        match self {
            Self::Errno { result, .. } => result,
            other => other,
        }
    }

    /// As [`Self::usual`].
    pub fn usual_mut(&mut self) -> &mut Self {
        match self {
            Self::Errno { result, .. } => result,
            other => other,
        }
    }
}
