//! The operands of a form: which class each is of, and which type it has.

use super::{ScalarType, TypeKind};

/// One place for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandSlot {
    /// The operands that may stand here.
    pub class: OperandClass,
    /// The type of the operand.
    pub ty: OperandType,
    /// True if it may be left out together with all that follow.
    pub optional: bool,
}

impl OperandSlot {
    pub(super) const fn of_type(self, ty: OperandType) -> Self {
        Self { ty, ..self }
    }
}

/// The operands that may stand in an operand's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandClass {
    /// A register that is written.
    Destination,
    /// A register that is written, or `_` if nobody wants the result.
    DestinationOrNone,
    /// A register that is written, or two as `d|p`, the second a predicate.
    DestinationPair,
    /// The same, or `_`.
    DestinationPairOrNone,
    /// Two registers that are written, as `d|p`, or `_|p`.
    Pair,
    /// A register or a constant that is read; a predicate perhaps negated.
    Source,
    /// A source, or a special register.
    Converted,
    /// A source, or a symbol whose address it is.
    SourceOrSymbol,
    /// Anything with a value: a source, a special register, a symbol, a vector of registers.
    Moved,
    /// A source, perhaps negated: `-a`.
    SignedSource,
    /// A register, a constant or a vector of them that is read.
    Vector,
    /// A register or a vector of registers that are written; `_` where nobody wants a result.
    DestinationVector,
    /// A predicate, perhaps negated, or a constant.
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
            Self::DestinationOrNone => "a register or `_`",
            Self::DestinationPair => "a register or a pair of registers",
            Self::DestinationPairOrNone => "a register, a pair of registers or `_`",
            Self::Pair => "a pair of registers such as `%r1|%p1`",
            Self::Source => "a register or a constant",
            Self::Converted => "a register, a constant or a special register",
            Self::SourceOrSymbol => "a register, a constant or a variable",
            Self::Moved => {
                "a register, a constant, a symbol, a special register or a vector in braces"
            }
            Self::SignedSource => "a register or a constant, perhaps negated",
            Self::Vector => "a register, a constant or a vector in braces",
            Self::DestinationVector => "a register or a vector of registers in braces",
            Self::Predicate => "a predicate",
            Self::Address => "an address in brackets",
            Self::Coordinates => "an operand in brackets",
            Self::Symbol => "a symbol",
            Self::Immediate => "a constant integer",
            Self::Any => "an operand",
        }
    }
}

/// The type that an operand's place has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandType {
    /// The instruction's type with this number.
    Of(u8),
    /// The same, but a wider register may stand there.
    AtLeast(u8),
    /// Twice as wide as the instruction's type.
    Wide,
    /// One type for all instructions of the row.
    Is(ScalarType),
    /// An integer of 32 bits; a constant there has a limit.
    Limited(Limit),
    /// An integer of 32 or 64 bits.
    Pointer,
    /// Whatever a register holds.
    Any,
}

impl OperandType {
    /// The type in an instruction that has these types; `None` if it is not one alone.
    pub(crate) fn among(self, types: &[ScalarType]) -> Option<ScalarType> {
        match self {
            Self::Of(n) | Self::AtLeast(n) => types.get(usize::from(n)).copied(),
            Self::Wide => Some(match types.first()? {
                ScalarType::U16 => ScalarType::U32,
                ScalarType::S16 => ScalarType::S32,
                ScalarType::U32 => ScalarType::U64,
                _ => ScalarType::S64,
            }),
            Self::Is(ty) => Some(ty),
            Self::Limited(_) => Some(ScalarType::U32),
            Self::Pointer | Self::Any => None,
        }
    }

    /// The type that such a place requires, for messages.
    pub(crate) fn describe(self, want: ScalarType) -> String {
        match (self, want.kind()) {
            (Self::AtLeast(_), _) => format!("a `{want}` or wider"),
            (_, TypeKind::Bits) => format!("a register of {} bits", want.bits()),
            _ => format!("a `{want}`"),
        }
    }

    /// True if a register may stand in a place of this type, which is `want`.
    pub(crate) fn takes(self, want: ScalarType, have: ScalarType) -> bool {
        let size = match self {
            Self::AtLeast(_) => have.bits() >= want.bits() && have != ScalarType::Pred,
            // Places that are integers whatever the instruction is take integers and bits.
            Self::Is(_) | Self::Limited(_) if have == ScalarType::F16x2 => false,
            _ => have.bits() == want.bits(),
        };
        size && alike(want, have)
    }
}

/// The limit of a constant in an operand's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// From 0 to this.
    Most(u16),
    /// Threads of whole warps, so many at least.
    Warps {
        /// The fewest threads.
        least: u16,
    },
    /// At least 1.
    Positive,
    /// A power of two.
    PowerOfTwo,
}

impl Limit {
    pub(crate) fn allows(self, value: u64) -> bool {
        match self {
            Self::Most(most) => value <= u64::from(most),
            Self::Warps { least } => value.is_multiple_of(32) && value >= u64::from(least),
            Self::Positive => (1..1 << 63).contains(&value),
            Self::PowerOfTwo => value.is_power_of_two(),
        }
    }

    pub(crate) fn describe(self) -> String {
        match self {
            Self::Most(most) => format!("from 0 to {most}"),
            Self::Warps { .. } => "the threads of whole warps, a multiple of 32".into(),
            Self::Positive => "at least 1".into(),
            Self::PowerOfTwo => "a power of two".into(),
        }
    }
}

/// Operand Types: bits go with everything, integers with integers, floating-point numbers with those of their
/// format. Numbers in packed and alternate formats are in registers of bits.
fn alike(want: ScalarType, have: ScalarType) -> bool {
    use ScalarType as S;
    if have == want || have.kind() == TypeKind::Bits {
        return true;
    }
    match want {
        S::U16x2 | S::S16x2 => have == S::F16x2,
        S::Pred => false,
        _ if want.kind() == TypeKind::Bits => have != S::Pred,
        // Two halves are as good as 32 bits.
        _ if want.is_integer() => have.is_integer() || have == S::F16x2,
        _ => false,
    }
}
