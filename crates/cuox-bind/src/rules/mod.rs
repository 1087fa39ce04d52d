//! What a person says about a binding: rules files and SWIG interface files.
//!
//! [`Rules`] is what both come to. A rules file is TOML ([`Rules::from_toml`]); the same keys can be given as a dictionary
//! ([`Rules::from_tree`]). An interface file is read by [`swig`]. `docs/bind.md` describes both for users.

mod read;
pub mod swig;
mod tree;

use std::fmt;
use std::sync::Arc;

pub use tree::{Node, Tree};

use crate::decl::Value;
pub use crate::name_pattern::Glob;
pub use crate::policy::StatusChoice;
use crate::policy::{CallbackLife, Failure, Gil, StatusStyle, Success, Unit};

/// A place in a file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The file's name, or what else the rules are in.
    pub file: Arc<str>,
    /// The line, from 1; 0 where there are no lines.
    pub line: u32,
    /// The column in characters, from 1; 0 where it is not known.
    pub column: u32,
}

impl At {
    /// The place of what has no lines.
    pub fn whole(file: &str) -> Self {
        Self {
            file: file.into(),
            line: 0,
            column: 0,
        }
    }

    /// File and line, as [`Why::Rule`](crate::plan::Why::Rule) gives them.
    pub fn line(&self) -> String {
        match self.line {
            0 => self.file.to_string(),
            line => format!("{}:{line}", self.file),
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())?;
        match self.column {
            0 => Ok(()),
            column => write!(f, ":{column}"),
        }
    }
}

/// A rule that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {message}")]
pub struct RuleError {
    /// Where.
    pub at: At,
    /// What is wrong, as a sentence that stands alone.
    pub message: String,
}

impl RuleError {
    fn new(at: &At, message: impl Into<String>) -> Self {
        Self {
            at: at.clone(),
            message: message.into(),
        }
    }
}

/// Something with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot<T> {
    /// It.
    pub value: T,
    /// Where it is said.
    pub at: At,
}

/// All rules of a binding. What is not said is guessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// What names begin with in C and not in Python.
    pub prefixes: Vec<Spot<String>>,
    /// What becomes of status codes.
    pub status: Option<Spot<StatusChoice>>,
    /// What is done about the interpreter's lock where no function's rule says it.
    pub gil: Option<Spot<Gil>>,
    /// Which codes mean success.
    pub success: Option<Spot<SuccessRule>>,
    /// Which failures `errno` says the reason of.
    pub errno: Option<Spot<ErrnoRule>>,
    /// The function that gives a status code's text.
    pub error_text: Option<Spot<String>>,
    /// Rules for functions; a later one wins, and one without a wildcard wins over one with.
    pub functions: Vec<FunctionRule>,
    /// Types whose values are handles.
    pub handles: Vec<HandleRule>,
    /// What is not bound.
    pub ignore: Vec<Spot<Glob>>,
    /// Names in Python.
    pub rename: Vec<RenameRule>,
    /// Further constants.
    pub constants: Vec<Spot<(String, Value)>>,
    /// Rules for parameters by type and name, in whatever function.
    pub typemaps: Vec<Typemap>,
}

/// Which codes mean success, by value or by the name of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum SuccessRule {
    /// Known without the header.
    Is(Success),
    /// These.
    OneOf(Vec<CodeName>),
}

/// A status code.
#[derive(Clone, Debug, PartialEq)]
pub enum CodeName {
    /// Its value.
    Value(i64),
    /// A constant's name.
    Name(String),
}

/// A rule for one function, or for several.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionRule {
    /// Which functions, by their names in C.
    pub functions: Glob,
    /// Where the rule begins.
    pub at: At,
    /// The name in Python.
    pub name: Option<Spot<String>>,
    /// What is done about the interpreter's lock.
    pub gil: Option<Spot<Gil>>,
    /// What becomes of the result.
    pub result: Option<Spot<ResultRule>>,
    /// Which failures `errno` says the reason of.
    pub errno: Option<Spot<ErrnoRule>>,
    /// Rules for parameters.
    pub parameters: Vec<ParameterRule>,
}

/// What a rule says of `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrnoRule {
    /// It is not looked at.
    No,
    /// It is, after what usually means a failure: -1, null, a status that is none of success.
    Usual,
    /// It is, after such a failure.
    Is(Failure),
}

/// A rule for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterRule {
    /// Which parameter.
    pub parameter: ParameterKey,
    /// Where the rule is.
    pub at: At,
    /// The name in Python.
    pub name: Option<String>,
    /// What it is; `None` where only something else is said about it.
    pub role: Option<RoleRule>,
    /// Whether `None` is taken.
    pub nullable: Option<bool>,
    /// What it is if the caller leaves it out.
    pub default: Option<Value>,
    /// How much memory C reads or writes there.
    pub extent: Option<ExtentRule>,
}

/// How much memory there has to be behind a pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtentRule {
    /// The parameter that counts it.
    pub of: Option<ParameterKey>,
    /// What is added to that.
    pub plus: i32,
    /// What is counted.
    pub unit: Unit,
    /// The parameters that say how many rows of that there are, and their pitch in bytes.
    pub rows: Option<(ParameterKey, ParameterKey)>,
}

/// A parameter, by its name or its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKey {
    /// Its name in the header.
    Name(String),
    /// Its place, from 0.
    Index(u32),
}

impl fmt::Display for ParameterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "'{name}'"),
            Self::Index(index) => write!(f, "{index}"),
        }
    }
}

/// What a rule makes of a parameter. `None` leaves a part to the guesses.
#[derive(Clone, Debug, PartialEq)]
pub enum RoleRule {
    /// A value.
    Input,
    /// Text.
    Text,
    /// Memory.
    Memory {
        /// Whether C writes it.
        writable: Option<bool>,
    },
    /// A handle.
    Handle {
        /// Its class.
        class: Option<String>,
        /// Whether the call ends it.
        consumed: Option<bool>,
    },
    /// A callback.
    Callback {
        /// The parameter with the user data; `Some(None)` says that there is none.
        user_data: Option<Option<ParameterKey>>,
        /// How long it lives.
        life: Option<CallbackLife>,
    },
    /// An output.
    Output(OutputRule),
    /// Taken and returned.
    InOut,
    /// A length.
    Length {
        /// Of which parameter.
        of: ParameterKey,
        /// In what.
        unit: Option<Unit>,
    },
    /// Always the same.
    Fixed(Value),
}

/// What a rule makes of an output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputRule {
    /// The class of a handle.
    pub class: Option<String>,
    /// Whether a handle is the caller's.
    pub owned: Option<bool>,
    /// The function that frees a text.
    pub free: Option<String>,
    /// The parameter with a buffer's length.
    pub length: Option<ParameterKey>,
    /// What that counts.
    pub unit: Option<Unit>,
    /// Whether it is a value, whatever it looks like.
    pub plain: bool,
}

/// What a rule makes of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultRule {
    /// A status.
    Status {
        /// Which codes mean success.
        success: Option<SuccessRule>,
        /// What becomes of it.
        style: Option<StatusStyle>,
    },
    /// A value.
    Value,
    /// Not wanted.
    Nothing,
    /// Text.
    Text {
        /// The function that frees it.
        free: Option<String>,
    },
    /// A handle.
    Handle {
        /// Its class.
        class: Option<String>,
        /// Whether it is the caller's.
        owned: Option<bool>,
        /// Whether null raises.
        null_raises: Option<bool>,
    },
    /// What is returned is the caller's, be it text or a handle (SWIG's `%newobject`).
    Owned {
        /// The function that frees it if it is text; C's `free` if none is named.
        free: Option<String>,
    },
}

/// A type whose values are handles.
#[derive(Clone, Debug, PartialEq)]
pub struct HandleRule {
    /// The class's name in Python.
    pub class: String,
    /// The type in C, such as `foo_t *`.
    pub c_type: String,
    /// The function that ends one; an empty name says that none does.
    pub destroy: Option<String>,
    /// Where the rule is.
    pub at: At,
}

/// What names become in Python.
#[derive(Clone, Debug, PartialEq)]
pub struct RenameRule {
    /// Which names.
    pub names: Glob,
    /// What becomes of them.
    pub to: Rename,
    /// Where the rule is.
    pub at: At,
}

/// What a name becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rename {
    /// This.
    To(String),
    /// Itself without this at its beginning.
    Strip(String),
    /// `snake_case`.
    Snake,
    /// `lowerCamelCase`.
    LowerCamel,
    /// `CamelCase`.
    Camel,
}

impl Rename {
    /// The new name.
    pub fn apply(&self, name: &str) -> String {
        use crate::words::{camel, words};
        match self {
            Self::To(new) => new.clone(),
            Self::Strip(prefix) => name
                .strip_prefix(prefix.as_str())
                .unwrap_or(name)
                .to_owned(),
            Self::Snake => words(name).join("_"),
            Self::Camel => camel(name, true),
            Self::LowerCamel => camel(name, false),
        }
    }
}

/// A rule for parameters by type and name; several in a row for parameters that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Typemap {
    /// Types, as C writes them but without spaces, and names, which may be empty for any.
    pub parameters: Vec<(String, String)>,
    /// The roles of those parameters. A [`RoleRule::Length`] or [`OutputRule::length`] counts from the first of them.
    pub roles: Vec<RoleRule>,
    /// Where the rule is.
    pub at: At,
}

impl Rules {
    /// Reads a rules file.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, RuleError> {
        read::rules(&tree::from_toml(text, file)?)
    }

    /// Reads rules that were given as data: a table at the top.
    pub fn from_tree(node: &Node) -> Result<Self, RuleError> {
        read::rules(node)
    }

    /// Adds rules, which win over these.
    pub fn add(&mut self, more: Self) {
        self.prefixes.extend(more.prefixes);
        self.status = more.status.or(self.status.take());
        self.gil = more.gil.or(self.gil.take());
        self.success = more.success.or(self.success.take());
        self.errno = more.errno.or(self.errno.take());
        self.error_text = more.error_text.or(self.error_text.take());
        self.functions.extend(more.functions);
        self.handles.extend(more.handles);
        self.ignore.extend(more.ignore);
        self.rename.extend(more.rename);
        self.constants.extend(more.constants);
        self.typemaps.extend(more.typemaps);
    }
}
