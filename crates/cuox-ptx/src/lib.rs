//! The PTX language: instruction table, lexer, parser, AST, printer, diagnostics.

pub mod ast;
pub mod diagnostic;
pub mod isa;
pub mod modifiers;
pub mod source;
pub mod special;
