//! The instruction table: what may be written, as data.
//!
//! [`Opcode`] and [`Modifier`] are the vocabulary; each family file holds one [`Form`] for each way in
//! which its instructions may be written. The parser and the printer know no instruction by name except
//! `call`, whose operands have a syntax of their own.

mod compare;
mod control;
mod copy;
mod float;
mod groups;
mod integer;
mod logic;
pub(crate) mod lookup;
mod matrix;
mod move_;
mod opcode;
pub(crate) mod resolve;
mod sync;
pub(crate) mod target;
mod texture;
mod video;
mod vocabulary;

/// The version of the PTX ISA whose instructions the table has, all of them.
pub const VERSION: (u32, u32) = (9, 0);

pub use opcode::Opcode;
pub use vocabulary::{Modifier, ScalarType, TypeKind};

/// One way in which an instruction may be written.
#[derive(Debug)]
pub struct Form {
    /// The PTX ISA section that describes it.
    pub section: &'static str,
    /// Its modifiers in the order of the manual.
    pub modifiers: &'static [Slot],
    /// Its operands.
    pub operands: &'static [OperandSlot],
}

/// One place for a modifier.
#[derive(Debug)]
pub struct Slot {
    /// The words that may stand here.
    pub choices: &'static [Modifier],
    /// Whether none may stand here.
    pub optional: bool,
}

/// One place for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandSlot {
    /// What may stand here.
    pub class: OperandClass,
    /// Whether it may be left out together with all that follow.
    pub optional: bool,
}

/// What may stand in an operand's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandClass {
    /// A register that is written.
    Destination,
    /// A register that is written, or two as `d|p`.
    DestinationPair,
    /// A register, a constant or a symbol that is read.
    Source,
    /// A source, perhaps negated: `-a`.
    SignedSource,
    /// A source or a vector of them.
    Vector,
    /// A predicate, perhaps negated.
    Predicate,
    /// An address in brackets.
    Address,
    /// An address in brackets, perhaps with coordinates.
    Coordinates,
    /// A label or another symbol.
    Symbol,
    /// A constant integer.
    Immediate,
    /// Any operand.
    Any,
}

impl OperandClass {
    /// The class in words, for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Destination => "a register",
            Self::DestinationPair => "a register or a pair of registers",
            Self::Source => "a register, a constant or a symbol",
            Self::SignedSource => "a register or a constant, perhaps negated",
            Self::Vector => "a register, a constant or a vector in braces",
            Self::Predicate => "a predicate register",
            Self::Address => "an address in brackets",
            Self::Coordinates => "an operand in brackets",
            Self::Symbol => "a symbol",
            Self::Immediate => "a constant integer",
            Self::Any => "an operand",
        }
    }
}

/// Short names for operand slots, for the rows: a leading `O` means that it may be left out.
mod slots {
    use super::{OperandClass as C, OperandSlot};
    const fn must(class: C) -> OperandSlot {
        OperandSlot {
            class,
            optional: false,
        }
    }
    const fn may(class: C) -> OperandSlot {
        OperandSlot {
            class,
            optional: true,
        }
    }
    pub(super) const D: OperandSlot = must(C::Destination);
    pub(super) const DP: OperandSlot = must(C::DestinationPair);
    pub(super) const S: OperandSlot = must(C::Source);
    pub(super) const N: OperandSlot = must(C::SignedSource);
    pub(super) const V: OperandSlot = must(C::Vector);
    pub(super) const P: OperandSlot = must(C::Predicate);
    pub(super) const A: OperandSlot = must(C::Address);
    pub(super) const T: OperandSlot = must(C::Coordinates);
    pub(super) const L: OperandSlot = must(C::Symbol);
    pub(super) const I: OperandSlot = must(C::Immediate);
    pub(super) const OS: OperandSlot = may(C::Source);
    pub(super) const OI: OperandSlot = may(C::Immediate);
    pub(super) const OX: OperandSlot = may(C::Any);
}

/// A slot of a row: `[A|B]` must be given, `{A|B}` may be; `[..NAME]` takes the words of a group.
macro_rules! slot {
    ([.. $group:ident]) => {
        $crate::isa::Slot { choices: super::groups::$group, optional: false }
    };
    ({.. $group:ident}) => {
        $crate::isa::Slot { choices: super::groups::$group, optional: true }
    };
    ([$($word:ident)|+]) => {
        $crate::isa::Slot { choices: &[$($crate::isa::Modifier::$word),+], optional: false }
    };
    ({$($word:ident)|+}) => {
        $crate::isa::Slot { choices: &[$($crate::isa::Modifier::$word),+], optional: true }
    };
}

/// Rows of one family: a section of the manual, the opcodes, and one row for each form.
macro_rules! family {
    ($($section:literal $($op:ident)|+ {
        $([$($slot:tt)*] $($operand:ident)*;)+
    })*) => {
        pub(super) fn forms(opcode: $crate::isa::Opcode) -> &'static [$crate::isa::Form] {
            #[allow(unused_imports, reason = "not every family has every class of operand")]
            use super::slots::*;
            match opcode {
                $($($crate::isa::Opcode::$op)|+ => {
                    static ROWS: &[$crate::isa::Form] = &[$($crate::isa::Form {
                        section: $section,
                        modifiers: &[$($crate::isa::slot!($slot)),*],
                        operands: &[$($operand),*],
                    }),+];
                    ROWS
                })*
                _ => &[],
            }
        }
    };
}

use {family, slot};
