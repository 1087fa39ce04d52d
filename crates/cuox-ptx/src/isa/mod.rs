//! The instruction table: what may be written, as data.
//!
//! [`Opcode`] and [`Modifier`] are the vocabulary; each family file holds one [`Form`] for each way in
//! which its instructions may be written. The parser and the printer know no instruction by name except
//! `call`, whose operands have a syntax of their own.

pub(crate) mod lookup;
mod opcode;
mod vocabulary;

pub use opcode::Opcode;
pub use vocabulary::{Modifier, ScalarType, TypeKind};
/// One way in which an instruction may be written.
#[derive(Debug)]
pub struct Form {}
