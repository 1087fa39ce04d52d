//! The PTX language: instruction table, lexer, parser, AST, printer, diagnostics.

pub mod ast;
pub mod diagnostic;
pub mod isa;
mod lexer;
pub mod modifiers;
mod parser;
pub mod source;
pub mod special;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use parser::parse;
