//! The PTX language. [`parse`] turns a module's text into an [`ast::Module`] or into [`Diagnostics`] that show the
//! source line and a caret under the token; [`print()`] turns a tree back into text. The table of instructions, with
//! their modifiers and operands, is in [`isa`] alone.
//!
//! * [`isa`]: the instruction table: opcodes, modifiers, scalar types, and the forms of each instruction.
//! * `lexer`: text to tokens; `parser`: tokens to tree, with checks of names (`scope`, `symbols`), of instructions
//!   against the table (`resolve`) and of operands (`operand_type`).
//! * [`ast`]: the tree; [`modifiers`]: an instruction's modifiers, and questions about them; [`special`]: special
//!   registers.
//! * [`printer`]: tree to text; [`diagnostic`]: errors and their rendering; [`source`]: positions in a text.
//! * [`demangle`]: names in it as the program has them.
//!
//! ```
//! let module = cuox_ptx::parse(".version 9.0\n.target sm_90\n.entry k() { ret; }")?;
//! assert_eq!(module.functions().next().map(|f| f.name.as_str()), Some("k"));
//! # Ok::<(), cuox_ptx::Diagnostics>(())
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod ast;
mod clear_spans;
pub mod demangle;
pub mod diagnostic;
pub mod isa;
mod lexer;
pub mod modifiers;
mod parser;
pub mod printer;
pub mod source;
pub mod special;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use parser::parse;
pub use printer::print;
