//! The instruction table: all forms of all instructions, as data.
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
mod operand;
mod sync;
pub(crate) mod target;
mod texture;
mod video;
mod vocabulary;

/// The version of the PTX ISA whose instructions the table has, all of them.
pub const VERSION: (u32, u32) = (9, 0);

/// The version that an instruction came with, if it is later than [`VERSION`]: the table has those that NVRTC makes.
pub(crate) fn since(opcode: Opcode, modifiers: &Modifiers) -> Option<(u32, u32)> {
    let is_volatile = modifiers.semantics() == Some(Semantics::Volatile);
    match opcode {
        Opcode::Ld | Opcode::St if is_volatile && modifiers.space() == Some(StateSpace::Local) => {
            Some((9, 1))
        }
        _ => None,
    }
}

pub use opcode::Opcode;
pub use operand::{Limit, OperandClass, OperandSlot, OperandType};
pub use vocabulary::{Modifier, ScalarType, TypeKind};

use crate::ast::{Semantics, StateSpace};
use crate::modifiers::Modifiers;

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
    /// True if none may stand here.
    pub optional: bool,
}

/// Short names for operand slots, for the rows: a leading `O` means that it may be left out, a `K` behind a destination
/// that it may be `_`. In parentheses stands the type, without them the type of the instruction, or any type for
/// vectors and operands without a type of their own.
mod slots {
    use super::{Limit, OperandClass as C, OperandSlot, OperandType as Ty, ScalarType};
    const fn must(class: C, ty: Ty) -> OperandSlot {
        OperandSlot {
            class,
            ty,
            optional: false,
        }
    }
    const fn may(class: C, ty: Ty) -> OperandSlot {
        OperandSlot {
            class,
            ty,
            optional: true,
        }
    }
    pub(super) const D: OperandSlot = must(C::Destination, T0);
    pub(super) const DK: OperandSlot = must(C::DestinationOrNone, T0);
    pub(super) const DP: OperandSlot = must(C::DestinationPair, T0);
    pub(super) const DPK: OperandSlot = must(C::DestinationPairOrNone, T0);
    pub(super) const PAIR: OperandSlot = must(C::Pair, T0);
    pub(super) const S: OperandSlot = must(C::Source, T0);
    pub(super) const C: OperandSlot = must(C::Converted, T0);
    pub(super) const Y: OperandSlot = must(C::SourceOrSymbol, T0);
    pub(super) const M: OperandSlot = must(C::Moved, T0);
    pub(super) const N: OperandSlot = must(C::SignedSource, T0);
    pub(super) const V: OperandSlot = must(C::Vector, ANY);
    pub(super) const W: OperandSlot = must(C::DestinationVector, ANY);
    pub(super) const P: OperandSlot = must(C::Predicate, PRED);
    pub(super) const A: OperandSlot = must(C::Address, ANY);
    pub(super) const T: OperandSlot = must(C::Coordinates, ANY);
    pub(super) const L: OperandSlot = must(C::Symbol, ANY);
    pub(super) const I: OperandSlot = must(C::Immediate, ANY);
    pub(super) const OS: OperandSlot = may(C::Source, T0);
    pub(super) const OI: OperandSlot = may(C::Immediate, ANY);
    pub(super) const OX: OperandSlot = may(C::Any, ANY);

    /// The first of the instruction's types.
    pub(super) const T0: Ty = Ty::Of(0);
    pub(super) const T1: Ty = Ty::Of(1);
    /// At least as wide as that type.
    pub(super) const L0: Ty = Ty::AtLeast(0);
    pub(super) const L1: Ty = Ty::AtLeast(1);
    pub(super) const L2: Ty = Ty::AtLeast(2);
    pub(super) const WIDE: Ty = Ty::Wide;
    pub(super) const PRED: Ty = Ty::Is(ScalarType::Pred);
    pub(super) const U32: Ty = Ty::Is(ScalarType::U32);
    pub(super) const U64: Ty = Ty::Is(ScalarType::U64);
    pub(super) const F32: Ty = Ty::Is(ScalarType::F32);
    /// Limits of constants.
    pub(super) const BYTE: Ty = Ty::Limited(Limit::Most(255));
    pub(super) const BARRIER: Ty = Ty::Limited(Limit::Most(15));
    pub(super) const PARITY: Ty = Ty::Limited(Limit::Most(1));
    pub(super) const MASK: Ty = Ty::Limited(Limit::Most(0xffff));
    pub(super) const THREADS: Ty = Ty::Limited(Limit::Warps { least: 0 });
    pub(super) const WARPS: Ty = Ty::Limited(Limit::Warps { least: 32 });
    pub(super) const COUNT: Ty = Ty::Limited(Limit::Positive);
    pub(super) const ALIGNMENT: Ty = Ty::Limited(Limit::PowerOfTwo);
    pub(super) const POINTER: Ty = Ty::Pointer;
    pub(super) const ANY: Ty = Ty::Any;
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
        $([$($slot:tt)*] $($operand:ident $(($ty:ident))?)*;)+
    })*) => {
        pub(super) fn forms(opcode: $crate::isa::Opcode) -> &'static [$crate::isa::Form] {
            #[allow(unused_imports, reason = "not every family has every class of operand")]
            use super::slots::*;
            match opcode {
                $($($crate::isa::Opcode::$op)|+ => {
                    static ROWS: &[$crate::isa::Form] = &[$($crate::isa::Form {
                        section: $section,
                        modifiers: &[$($crate::isa::slot!($slot)),*],
                        operands: &[$($operand $(.of_type($ty))?),*],
                    }),+];
                    ROWS
                })*
                _ => &[],
            }
        }
    };
}

use {family, slot};
