//! Kinds of callbacks.

use crate::types::abi::CallbackLocations;
use std::sync::{Arc, OnceLock};

use crate::types::class::Class;
use crate::types::value::{MIN_ADDRESS, Stored};

/// The arguments with which C calls a Python callable, and the result that it expects.
pub struct CallbackInfo {
    /// The name in errors, such as the typedef's.
    pub name: String,
    /// Parameters: names and kinds.
    pub parameters: Vec<(String, CallbackValue)>,
    /// The result that C gets.
    pub result: Option<CallbackValue>,
    /// True if Python gets text where it calls such a function: its result is a `const char *`.
    pub gives_text: bool,
    /// As in [`HandleKind::plain`](crate::types::class::HandleKind::plain).
    pub plain: bool,
    /// Numbers that stand for functions, as the header says: `SIG_IGN`.
    pub numbers: Vec<i64>,
    /// Its Python class, made when it is first needed.
    pub(crate) class: OnceLock<Arc<Class>>,
    /// The places of its values, worked out when they are first needed.
    pub(crate) locations: OnceLock<CallbackLocations>,
}

impl CallbackInfo {
    /// True for a number that can be a function's address: 0, one that is large enough, or one that a macro of the
    /// header makes such a pointer.
    pub fn stands_for_function(&self, number: i64) -> bool {
        number == 0 || number >= MIN_ADDRESS as i64 || self.numbers.contains(&number)
    }

    /// A kind of callback.
    pub fn new(
        name: String,
        parameters: Vec<(String, CallbackValue)>,
        result: Option<CallbackValue>,
        gives_text: bool,
        plain: bool,
        numbers: Vec<i64>,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            parameters,
            result,
            gives_text,
            plain,
            numbers,
            class: OnceLock::new(),
            locations: OnceLock::new(),
        })
    }
}

/// A value that crosses from C to Python in a callback's argument, or back in its result.
pub enum CallbackValue {
    /// A value in the form in which C stores it.
    Stored(Stored),
    /// The user data, which is not shown to the callable.
    UserData,
}
