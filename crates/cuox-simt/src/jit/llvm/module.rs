//! What LLVM gets.

use crate::jit::code::symbol::Symbol;

/// A function's text, and the symbols of its table of addresses.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Module {
    pub text: String,
    pub symbols: Vec<Symbol>,
}
