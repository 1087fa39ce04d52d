//! The tree of a Python function, as Python's own `ast` has it (Python reference, *Abstract syntax trees*).

/// A piece of a source file. Lines count from 1; columns are bytes from 0, as in Python's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column behind the end.
    pub end_column: u32,
}

/// A function or lambda.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name; `<lambda>` for a lambda.
    pub name: String,
    /// The parameters, in order: those by position, then `*args` if there is one, then those by keyword only.
    pub parameters: Vec<Parameter>,
    /// The statements; of a lambda, one `return`.
    pub body: Vec<Stmt>,
    /// From `def` to the end.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// How it is given.
    pub kind: ParameterKind,
    /// The expression of its default, for functions defined inside of kernels; the defaults of others are values
    /// ([`crate::host::FunctionSource`]).
    pub default: Option<Expr>,
}

/// How a parameter is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// By position or by name.
    Plain,
    /// `*args`.
    Variadic,
    /// Behind `*`: by name only.
    KeywordOnly,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    /// `a = b = value`. An annotated assignment is one without its annotation.
    Assign { targets: Vec<Expr>, value: Expr },
    /// `target op= value`.
    AugAssign {
        target: Expr,
        operator: BinaryOp,
        value: Expr,
    },
    /// An expression for its effect.
    Expr(Expr),
    /// `if test: … else: …`; `elif` is an `if` inside `orelse`.
    If {
        test: Expr,
        body: Vec<Stmt>,
        orelse: Vec<Stmt>,
    },
    /// `while test: … else: …`.
    While {
        test: Expr,
        body: Vec<Stmt>,
        orelse: Vec<Stmt>,
    },
    /// `for target in iterable: … else: …`.
    For {
        target: Expr,
        iterable: Expr,
        body: Vec<Stmt>,
        orelse: Vec<Stmt>,
    },
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `pass`, and statements without a meaning in kernels: annotations without a value, imports that were done by the
    /// frontend.
    Pass,
    /// `return value`.
    Return(Option<Expr>),
    /// `raise exception`.
    Raise(Option<Expr>),
    /// `assert test, message`.
    Assert { test: Expr, message: Option<Expr> },
    /// A function defined inside.
    FunctionDef(Box<Function>),
    /// `del name`.
    Delete(Vec<Expr>),
    /// A statement that kernels cannot have, by Python's word for it: `with`, `try`, `yield`, …
    Unsupported(String),
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Constant(Constant),
    /// A name.
    Name(String),
    /// `value.name`.
    Attribute { value: Box<Expr>, name: String },
    /// `value[index]`.
    Subscript { value: Box<Expr>, index: Box<Expr> },
    /// `lower:upper:step`, inside of a subscript.
    Slice {
        lower: Option<Box<Expr>>,
        upper: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
    /// `a, b`.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `left op right`.
    Binary {
        operator: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `op operand`.
    Unary {
        operator: UnaryOp,
        operand: Box<Expr>,
    },
    /// `a and b and c`.
    And(Vec<Expr>),
    /// `a or b or c`.
    Or(Vec<Expr>),
    /// `first op second op third`.
    Compare {
        first: Box<Expr>,
        rest: Vec<(CompareOp, Expr)>,
    },
    /// `function(*arguments, **keywords)`.
    Call {
        function: Box<Expr>,
        arguments: Vec<Expr>,
        keywords: Vec<(String, Expr)>,
    },
    /// `body if test else orelse`.
    Conditional {
        test: Box<Expr>,
        body: Box<Expr>,
        orelse: Box<Expr>,
    },
    /// `lambda …: …`.
    Lambda(Box<Function>),
    /// An f-string.
    FString(Vec<FStringPart>),
    /// `*value`, in calls and tuples.
    Starred(Box<Expr>),
    /// `target := value`.
    Named { target: String, value: Box<Expr> },
    /// An expression that kernels cannot have, by Python's word for it: a dictionary, a comprehension, `await`, …
    Unsupported(String),
}

/// A part of an f-string.
#[derive(Debug, Clone, PartialEq)]
pub enum FStringPart {
    /// Text.
    Text(String),
    /// `{value!r:format}`.
    Value {
        value: Expr,
        /// What stands behind `:`, if it is plain text.
        format: String,
    },
}

/// A literal.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// `None`.
    None,
    /// `True`, `False`.
    Bool(bool),
    /// An integer that fits; larger ones are [`ExprKind::Unsupported`].
    Int(i128),
    /// A float.
    Float(f64),
    /// An imaginary number.
    Imaginary(f64),
    /// Text.
    Str(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// `...`.
    Ellipsis,
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// `@`.
    MatMul,
    /// `/`.
    Div,
    /// `//`.
    FloorDiv,
    Mod,
    Pow,
    /// `<<`.
    LShift,
    /// `>>`.
    RShift,
    BitAnd,
    BitOr,
    BitXor,
}

impl BinaryOp {
    /// As Python writes it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::MatMul => "@",
            Self::Div => "/",
            Self::FloorDiv => "//",
            Self::Mod => "%",
            Self::Pow => "**",
            Self::LShift => "<<",
            Self::RShift => ">>",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
        }
    }

    /// NumPy's function of it.
    pub fn numpy_name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "subtract",
            Self::Mul => "multiply",
            Self::MatMul => "matmul",
            Self::Div => "true_divide",
            Self::FloorDiv => "floor_divide",
            Self::Mod => "remainder",
            Self::Pow => "power",
            Self::LShift => "left_shift",
            Self::RShift => "right_shift",
            Self::BitAnd => "bitwise_and",
            Self::BitOr => "bitwise_or",
            Self::BitXor => "bitwise_xor",
        }
    }
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`.
    Neg,
    /// `+x`.
    Pos,
    /// `~x`.
    Invert,
    /// `not x`.
    Not,
}

impl UnaryOp {
    /// As Python writes it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Neg => "-",
            Self::Pos => "+",
            Self::Invert => "~",
            Self::Not => "not ",
        }
    }
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    NotEq,
    Lt,
    LtE,
    Gt,
    GtE,
    Is,
    IsNot,
    In,
    NotIn,
}

impl CompareOp {
    /// As Python writes it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::NotEq => "!=",
            Self::Lt => "<",
            Self::LtE => "<=",
            Self::Gt => ">",
            Self::GtE => ">=",
            Self::Is => "is",
            Self::IsNot => "is not",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}
