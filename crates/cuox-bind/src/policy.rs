//! Choices that rules express and plans record: both modules use these types, and neither needs the other for them.

use serde::{Deserialize, Serialize};

/// The treatment of the interpreter's lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Gil {
    /// Kept: for functions that need it. A function that waits for another thread that wants it waits for ever.
    Hold,
    /// Given up during the call: for functions that can block or take long. Costs some 45 ns.
    Release,
    /// Given up if another Python thread or a callback may want it: for functions that return soon. Costs nothing as
    /// long as there are none.
    Auto,
    /// Kept, and an exception that the function has set is raised: for code that uses Python's C API.
    Python,
}

/// The unit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unit {
    /// Elements of the type that is pointed at.
    Elements,
    /// Bytes.
    Bytes,
}

/// The values that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Check {
    /// Above zero.
    Positive,
    /// Below zero.
    Negative,
    /// Not zero.
    NonZero,
    /// Zero or above.
    NonNegative,
    /// Zero or below.
    NonPositive,
    /// A pointer that is not null.
    NonNull,
    /// A pointer to a multiple of that many bytes.
    Aligned(u8),
}

impl Check {
    /// The error for other values, in the words of SWIG's `constraints.i`.
    pub fn message(self) -> String {
        let kind = match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
            Self::NonZero => "nonzero",
            Self::NonNegative => "non-negative",
            Self::NonPositive => "non-positive",
            Self::NonNull => return "Received a NULL pointer.".to_owned(),
            Self::Aligned(bytes) => return format!("Pointer must be {bytes}-byte aligned."),
        };
        format!("Expected a {kind} value.")
    }

    /// The values, in words.
    pub fn words(self) -> String {
        match self {
            Self::Positive => "positive".to_owned(),
            Self::Negative => "negative".to_owned(),
            Self::NonZero => "other than 0".to_owned(),
            Self::NonNegative => "0 or positive".to_owned(),
            Self::NonPositive => "0 or negative".to_owned(),
            Self::NonNull => "a pointer that is not null".to_owned(),
            Self::Aligned(bytes) => format!("an address that is a multiple of {bytes}"),
        }
    }
}

/// The time during which C may call a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CallbackLife {
    /// During the call only.
    Call,
    /// Until the process ends, or the caller closes it.
    Kept,
}

/// The calls that have failed, of those that have set `errno`. It is cleared before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Failure {
    /// Calls with this result: mostly -1, or 0 for a pointer.
    Result(i64),
    /// Calls whose status is a failure.
    Status,
    /// All calls that have set it.
    Set,
}

/// The codes that mean success.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Success {
    /// Zero.
    Zero,
    /// Any that is not zero.
    NonZero,
    /// Any that is not negative.
    NotNegative,
    /// These codes.
    OneOf(Vec<i64>),
}

/// The treatment of a status in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StatusStyle {
    /// A failure raises; the outputs alone are returned.
    Raise,
    /// Always returned, first, in a tuple with the outputs, which are `None` after a failure.
    Tuple,
    /// A failure raises; any other status is a number, returned before the outputs.
    Value,
}

/// The treatment of statuses that a rule or the caller asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatusChoice {
    /// A failure raises.
    #[default]
    Raise,
    /// The status is returned first in a tuple.
    Tuple,
    /// A status is a value like any other.
    Return,
}
