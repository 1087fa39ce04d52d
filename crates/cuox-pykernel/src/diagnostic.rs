//! Messages about a user's function: what is wrong, where, and what to do.

use std::fmt;
use std::sync::Arc;

use crate::ast::Span;

/// The kinds of errors. A code keeps its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A name means nothing.
    UndefinedName,
    /// A variable has no value here on some way, or values that do not fit together.
    UndefinedVariable,
    /// Operands, arguments or values of the wrong type.
    Type,
    /// A statement or expression that kernels cannot have.
    Unsupported,
    /// Arguments that do not fit a function's parameters.
    Arguments,
    /// A value that must be known when the kernel is compiled.
    NotConstant,
    /// An attribute that the object lacks.
    Attribute,
    /// A function whose tree cannot be had.
    Source,
    /// An index or value outside of its range.
    Range,
    /// What only a launch tells: the shape of its blocks, values of its arguments.
    Launch,
}

impl Code {
    /// As it is shown.
    pub fn number(self) -> &'static str {
        match self {
            Self::UndefinedName => "K001",
            Self::UndefinedVariable => "K002",
            Self::Type => "K003",
            Self::Unsupported => "K004",
            Self::Arguments => "K005",
            Self::NotConstant => "K006",
            Self::Attribute => "K007",
            Self::Source => "K008",
            Self::Range => "K009",
            Self::Launch => "K010",
        }
    }
}

/// One error about a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// The message, one sentence that stands alone.
    pub message: String,
    /// A hint on what to do.
    pub help: Option<String>,
    /// Where.
    pub span: Span,
    /// The file.
    pub file: Arc<str>,
    /// The line of the source, if it is known.
    pub line: Option<String>,
    /// Calls that led here: function and place.
    pub calls: Vec<(String, Arc<str>, Span)>,
}

/// An error before it is known in which file it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Its kind.
    pub code: Code,
    /// The message.
    pub message: String,
    /// A hint on what to do.
    pub help: Option<String>,
    /// Where; the innermost expression with a place sets it.
    pub span: Option<Span>,
    /// The whole diagnostic, once it left its function.
    pub whole: Option<Box<Diagnostic>>,
}

impl Failure {
    /// A failure without a place yet.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: None,
            span: None,
            whole: None,
        }
    }

    /// A failure about an attribute that what is `described` lacks.
    pub fn no_attribute(described: impl fmt::Display, name: &str) -> Self {
        Self::new(
            Code::Attribute,
            format!("{described} has no attribute '{name}'"),
        )
    }

    /// Adds a hint.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the place, if there is none yet.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

/// What the parts of the compiler return.
pub type Result<T> = std::result::Result<T, Failure>;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code.number())?;
        write!(f, "\n  File \"{}\", line {}", self.file, self.span.line)?;
        if let Some(line) = &self.line {
            let shown = line.trim_start();
            let indent = line.len() - shown.len();
            write!(f, "\n    {}", shown.trim_end())?;
            let from = (self.span.column as usize).clamp(indent, line.len());
            let to = if self.span.end_line == self.span.line {
                (self.span.end_column as usize).clamp(from, line.len())
            } else {
                line.trim_end().len().max(from)
            };
            // Columns are bytes; carets stand under characters.
            if line.is_char_boundary(from) && line.is_char_boundary(to) {
                let blanks = line[indent..from].chars().count();
                let carets = line[from..to].chars().count().max(1);
                write!(f, "\n    {}{}", " ".repeat(blanks), "^".repeat(carets))?;
            }
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        for (function, file, span) in &self.calls {
            write!(
                f,
                "\n  called by {function}, \"{file}\", line {}",
                span.line
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
