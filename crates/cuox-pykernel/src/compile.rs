//! From a function and the types of its arguments to CUDA C++.

use crate::builtins::LIBRARY;
use crate::compiled::{Compiled, Options};
use crate::diagnostic::Diagnostic;
use crate::host::{FunctionId, Host};
use crate::types::Type;

/// Translates a function for arguments of these types.
///
/// # Errors
/// A [`Diagnostic`] about the first thing in it that is wrong.
pub fn compile(
    host: &mut dyn Host,
    function: FunctionId,
    arguments: &[Type],
    options: &Options,
) -> Result<Compiled, Box<Diagnostic>> {
    crate::infer::program(host, &LIBRARY, function, arguments, options)
}
