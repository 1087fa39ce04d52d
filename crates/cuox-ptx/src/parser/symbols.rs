//! The meaning of a name: register, variable, label or function, and the signatures that calls must agree with.

use crate::ast::{Linkage, ScalarType, StateSpace, Variable};

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Register(Register),
    Variable(VariableSymbol),
    Label,
    /// `.branchtargets`.
    Branches,
    /// `.calltargets`.
    Targets,
    /// `.callprototype`, by its place in the list of signatures.
    Prototype(u32),
    /// A function or kernel, by its place in the list of signatures.
    Function(u32),
}

impl Symbol {
    /// The kind of symbol, for messages.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Register(_) => "a register",
            Self::Variable(_) => "a variable",
            Self::Label => "a label",
            Self::Branches => "a table of branch targets",
            Self::Targets => "a table of call targets",
            Self::Prototype(_) => "a call prototype",
            Self::Function(_) => "a function",
        }
    }
}

/// The contents of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    pub(super) ty: ScalarType,
    /// Elements of a vector register, else 1.
    pub(super) vector: u8,
}

/// A variable, as far as its uses depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VariableSymbol {
    pub(super) space: StateSpace,
    pub(super) role: VariableRole,
    pub(super) ty: ScalarType,
    pub(super) align: u32,
    /// True if it was declared with `[…]`.
    pub(super) array: bool,
    /// Bytes; 0 of an array without a size.
    pub(super) bytes: u64,
    pub(super) external: bool,
}

/// The role of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariableRole {
    /// A function's own, or the module's.
    Plain,
    /// A parameter of the function or kernel.
    Input,
    /// A result of the function.
    Result,
}

impl VariableSymbol {
    pub(super) fn of(v: &Variable, role: VariableRole) -> Self {
        Self {
            space: v.space,
            role,
            ty: v.ty,
            align: v.alignment(),
            array: !v.dims.is_empty(),
            bytes: v.size(),
            external: v.linkage == Linkage::Extern,
        }
    }
}

/// The signature that a call must agree with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Signature {
    pub(super) entry: bool,
    pub(super) returns: Vec<VariableSymbol>,
    pub(super) params: Vec<VariableSymbol>,
}

impl Signature {
    pub(super) fn of(entry: bool, returns: &[Variable], params: &[Variable]) -> Self {
        let places =
            |list: &[Variable], role| list.iter().map(|v| VariableSymbol::of(v, role)).collect();
        Self {
            entry,
            returns: places(returns, VariableRole::Result),
            params: places(params, VariableRole::Input),
        }
    }

    /// True if both are those of one function.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let same = |a: &[VariableSymbol], b: &[VariableSymbol]| {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(a, b)| a.ty == b.ty && a.bytes == b.bytes)
        };
        self.entry == other.entry
            && same(&self.returns, &other.returns)
            && same(&self.params, &other.params)
    }
}
