//! The syntax tree of a PTX module.
//!
//! The tree has the text as it was written. Names are not resolved, except that a name declared `.reg` before
//! its use is an [`OperandKind::Register`] even without a leading `%`.

use crate::diagnostic::Diagnostic;
pub use crate::isa::{Modifier, Opcode, ScalarType, TypeKind};
pub use crate::modifiers::{
    AtomOp, BoolOp, Compare, FloatTest, Modifiers, PermuteMode, Rounding, Scope, Semantics,
    ShuffleMode, StateSpace, VoteMode,
};
pub use crate::source::Span;
pub use crate::special::{Component, SpecialRegister};
use std::sync::Arc;

/// An identifier; cloning it copies a pointer.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// A new name.
    pub fn new(text: &str) -> Self {
        Self(Arc::from(text))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

/// A whole module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// PTX ISA version of `.version`.
    pub version: (u32, u32),
    /// The target of a `.target` line.
    pub target: Target,
    /// Address width in bits of `.address_size`; 64 where it is not given.
    pub address_size: u32,
    /// Variables, functions and the rest, in written order.
    pub items: Vec<Item>,
    /// The `.file` table, in written order.
    pub files: Vec<File>,
    /// Debug sections, kept as text.
    pub sections: Vec<Section>,
}

impl Module {
    /// The functions, entries among them, in written order.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|i| match i {
            Item::Function(f) => Some(f),
            _ => None,
        })
    }

    /// The module-scope variables in written order.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.items.iter().filter_map(|i| match i {
            Item::Variable(v) => Some(v),
            _ => None,
        })
    }
}

/// The `.target` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The number of `sm_90`.
    pub sm: u32,
    /// The letter of `sm_90a` or `sm_100f`.
    pub suffix: Option<char>,
    /// Further words: `debug`, `texmode_independent`, ….
    pub options: Vec<Name>,
}

/// A line of the `.file` table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The number that `.loc` uses.
    pub index: u32,
    /// The path as written.
    pub path: String,
    /// Time stamp and size, where given.
    pub stamp: Option<(u64, u64)>,
}

/// A debug section; its contents are kept as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name, such as `.debug_info`.
    pub name: Name,
    /// The text between the braces, without blanks at both ends.
    pub text: String,
}

/// Something at module scope.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A variable.
    Variable(Variable),
    /// An entry or a device function.
    Function(Function),
    /// `.alias name, target;`
    Alias {
        /// The new name.
        name: Name,
        /// The function it stands for.
        target: Name,
        /// The whole directive.
        span: Span,
    },
    /// `.pragma "…";`
    Pragma(Vec<String>),
}

/// The visibility of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Only this module.
    #[default]
    None,
    /// Defined here, seen everywhere.
    Visible,
    /// Defined elsewhere.
    Extern,
    /// Defined here unless another definition wins.
    Weak,
    /// Merged with others of its name.
    Common,
}

/// True if the host can launch a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// `.entry`: a kernel.
    Entry,
    /// `.func`: a device function.
    Func,
}

/// An entry or a device function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its visibility.
    pub linkage: Linkage,
    /// Entry or device function.
    pub kind: FunctionKind,
    /// Its name.
    pub name: Name,
    /// The name in the text.
    pub span: Span,
    /// Return values; empty for an entry.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// The directives between the parameters and the body.
    pub directives: Vec<FunctionDirective>,
    /// The body; `None` for a declaration.
    pub body: Option<Vec<Statement>>,
}

impl Function {
    /// True if the host can launch it.
    pub fn is_entry(&self) -> bool {
        self.kind == FunctionKind::Entry
    }

    /// True if `.noreturn` is given.
    pub fn is_noreturn(&self) -> bool {
        self.directives.contains(&FunctionDirective::NoReturn)
    }

    /// The dimensions of `.maxntid`, those not given as 1.
    pub fn max_threads(&self) -> Option<[u32; 3]> {
        self.directives.iter().find_map(|d| match d {
            FunctionDirective::MaxNTid(v) => Some(dimensions(v)),
            _ => None,
        })
    }

    /// The dimensions of `.reqntid`, those not given as 1.
    pub fn required_threads(&self) -> Option<[u32; 3]> {
        self.directives.iter().find_map(|d| match d {
            FunctionDirective::ReqNTid(v) => Some(dimensions(v)),
            _ => None,
        })
    }

    /// The dimensions of `.reqnctapercluster`, those not given as 1.
    pub fn required_cluster(&self) -> Option<[u32; 3]> {
        self.directives.iter().find_map(|d| match d {
            FunctionDirective::ReqNCtaPerCluster(v) => Some(dimensions(v)),
            _ => None,
        })
    }
}

fn dimensions(given: &[u32]) -> [u32; 3] {
    let at = |i: usize| given.get(i).copied().unwrap_or(1);
    [at(0), at(1), at(2)]
}

/// A directive of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionDirective {
    /// `.maxntid x[, y[, z]]`
    MaxNTid(Vec<u32>),
    /// `.reqntid x[, y[, z]]`
    ReqNTid(Vec<u32>),
    /// `.minnctapersm n`
    MinNCtaPerSm(u32),
    /// `.maxnctapersm n` (deprecated)
    MaxNCtaPerSm(u32),
    /// `.maxnreg n`
    MaxNReg(u32),
    /// `.explicitcluster`
    ExplicitCluster,
    /// `.reqnctapercluster x[, y[, z]]`
    ReqNCtaPerCluster(Vec<u32>),
    /// `.maxclusterrank n`
    MaxClusterRank(u32),
    /// `.blocksareclusters`
    BlocksAreClusters,
    /// `.noreturn`
    NoReturn,
    /// `.abi_preserve n`
    AbiPreserve(u32),
    /// `.abi_preserve_control n`
    AbiPreserveControl(u32),
    /// `.pragma "…";`
    Pragma(Vec<String>),
    /// `.unique`: of a `.func` that returns a frame size; kept by name.
    Other(Name),
}

/// A declared variable, register or parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its visibility.
    pub linkage: Linkage,
    /// Its state space.
    pub space: StateSpace,
    /// The number of `.const[n]`, an old form of several constant banks.
    pub bank: Option<u32>,
    /// `.align`, where given.
    pub align: Option<u32>,
    /// Elements of a vector type: 1, 2, 4 or 8.
    pub vector: u8,
    /// The element type.
    pub ty: ScalarType,
    /// Its name; of `%r<12>`, `%r`.
    pub name: Name,
    /// 12 of `%r<12>`, which declares `%r0` … `%r11`.
    pub range: Option<u32>,
    /// Array dimensions, outermost first; 0 where none is given.
    pub dims: Vec<u64>,
    /// Initial value.
    pub init: Option<Init>,
    /// `.ptr` of a kernel parameter.
    pub ptr: Option<PtrInfo>,
    /// `.attribute(.managed)`.
    pub managed: bool,
    /// `.attribute(.unified(a, b))`.
    pub unified: Option<(u64, u64)>,
    /// The name in the text.
    pub span: Span,
}

impl Variable {
    /// Size in bytes of one element, a vector taken whole.
    pub fn element_size(&self) -> u64 {
        u64::from(self.ty.bytes()) * u64::from(self.vector)
    }

    /// Number of elements; 1 for a scalar, 0 where a dimension is not given.
    pub fn count(&self) -> u64 {
        self.dims.iter().fold(1, |n, &d| n.saturating_mul(d))
    }

    /// Size in bytes; 0 for an array without a size. The parser refuses sizes that do not fit.
    pub fn size(&self) -> u64 {
        self.element_size().saturating_mul(self.count())
    }

    /// Alignment in bytes: as given, else natural for the element.
    pub fn alignment(&self) -> u32 {
        self.align
            .unwrap_or_else(|| (self.ty.bytes() * u32::from(self.vector)).max(1))
    }

    /// True if it is an array without a size, such as dynamic shared memory.
    pub fn is_unsized(&self) -> bool {
        self.dims.contains(&0)
    }
}

/// The `.ptr` of a kernel parameter: facts about the memory that it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PtrInfo {
    /// The space; `None` for generic.
    pub space: Option<StateSpace>,
    /// `.align` of the memory.
    pub align: Option<u32>,
}

/// An initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Values in braces; elements that are not given are zero.
    List(Vec<Init>),
    /// An integer, sign-extended to 64 bits.
    Integer(u64),
    /// A double-precision constant; a `.f32` variable takes it rounded.
    Float64(u64),
    /// A single-precision constant, `0f…`.
    Float32(u32),
    /// The address of a symbol.
    Symbol {
        /// The variable or function.
        name: Name,
        /// Added to the address.
        offset: i64,
        /// True if it is `generic(name)`: the generic address, else the one in the symbol's space.
        generic: bool,
        /// `0xFF00(name)`: only these bits, shifted down to bit 0.
        mask: Option<u64>,
        /// The name in the text.
        span: Span,
    },
}

/// A statement of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A declaration.
    Variable(Variable),
    /// `name:`
    Label {
        /// Its name.
        name: Name,
        /// The name in the text.
        span: Span,
    },
    /// An instruction.
    Instruction(Instruction),
    /// Statements in braces, with names of their own.
    Block(Vec<Statement>),
    /// `.loc file line column`: where the following instructions come from.
    Loc(Loc),
    /// `.pragma "…";`
    Pragma(Vec<String>),
    /// `name: .branchtargets a, b;`
    BranchTargets {
        /// The table's name.
        name: Name,
        /// Its labels.
        labels: Vec<Name>,
        /// The name in the text.
        span: Span,
    },
    /// `name: .calltargets f, g;`
    CallTargets {
        /// The table's name.
        name: Name,
        /// Its functions.
        functions: Vec<Name>,
        /// The name in the text.
        span: Span,
    },
    /// `name: .callprototype (ret) _ (params);`
    CallPrototype(CallPrototype),
    /// An instruction of a newer PTX ISA than the table's, with the diagnostic for the place where it is needed.
    Unknown(Box<Diagnostic>),
}

/// `.loc`, with the parts of `inlined_at`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loc {
    /// Number in the `.file` table.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// `function_name` label and `inlined_at` position, where given.
    pub inlined_at: Option<InlinedAt>,
}

/// The place where inlined code was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedAt {
    /// Label in the debug strings that holds the function's name.
    pub function_name: Name,
    /// Added to that label.
    pub offset: u32,
    /// File of the call.
    pub file: u32,
    /// Line of the call.
    pub line: u32,
    /// Column of the call.
    pub column: u32,
}

/// The signature that an indirect call goes by.
#[derive(Clone, Debug, PartialEq)]
pub struct CallPrototype {
    /// The prototype's name.
    pub name: Name,
    /// The name in the text.
    pub span: Span,
    /// Return values.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// True if `.noreturn` is given.
    pub noreturn: bool,
}

/// `@p` or `@!p`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate register.
    pub register: Name,
    /// True if the instruction runs where the predicate is false.
    pub negated: bool,
    /// The register in the text.
    pub span: Span,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// From the guard or mnemonic to the semicolon.
    pub span: Span,
    /// The mnemonic with its modifiers.
    pub opcode_span: Span,
    /// The guard, if any.
    pub guard: Option<Guard>,
    /// The mnemonic.
    pub opcode: Opcode,
    /// The dotted words after it.
    pub modifiers: Modifiers,
    /// The operands; empty for `call`.
    pub operands: Vec<Operand>,
    /// The operands of `call`.
    pub call: Option<Box<CallOperands>>,
}

/// The operands of `call`.
#[derive(Clone, Debug, PartialEq)]
pub struct CallOperands {
    /// Destinations of results: parameters, registers or `_`.
    pub returns: Vec<Operand>,
    /// A function's symbol, or a register for an indirect call.
    pub callee: Operand,
    /// Arguments: parameters, registers or constants.
    pub args: Vec<Operand>,
    /// The prototype or the call targets of an indirect call.
    pub prototype: Option<Operand>,
}

/// An operand and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Its kind, with its parts.
    pub kind: OperandKind,
    /// Its place in the text.
    pub span: Span,
}

/// The kinds of operand.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandKind {
    /// A register.
    Register(Name),
    /// A part of a register: `v.x`, or `a.b0` of a video instruction.
    Selected {
        /// The register.
        register: Name,
        /// The word after the dot.
        selector: Name,
    },
    /// A variable, function or label, with a constant added (0 where none is).
    Symbol {
        /// The symbol.
        name: Name,
        /// The constant.
        offset: i64,
    },
    /// A special register; `%tid.x` has the component `x`.
    Special {
        /// The register.
        register: SpecialRegister,
        /// The component, where given.
        component: Option<Component>,
    },
    /// An integer constant.
    Integer {
        /// The value in two's complement.
        value: u64,
        /// True if it is below zero.
        negative: bool,
        /// True if it was written with `U`.
        unsigned: bool,
    },
    /// The bits of a single-precision constant.
    Float32(u32),
    /// The bits of a double-precision constant.
    Float64(u64),
    /// `[base + offset]`.
    Address {
        /// The base.
        base: AddressBase,
        /// The constant added.
        offset: i64,
    },
    /// `[a, {x, y}]`: a texture or tensor with coordinates. A first part that is a register with a
    /// constant added is an [`OperandKind::Address`].
    Bracketed(Vec<Operand>),
    /// `{a, b}`.
    Vector(Vec<Operand>),
    /// `p|q`.
    Pair(Box<Operand>, Box<Operand>),
    /// `!p`.
    Negated(Box<Operand>),
    /// `-a`: a register whose value is negated.
    Minus(Box<Operand>),
    /// `_`: a result that nobody wants.
    Sink,
}

/// The base of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressBase {
    /// A register's value.
    Register(Name),
    /// A symbol's address.
    Symbol(Name),
    /// Zero: the offset is the whole address.
    Absolute,
}
