//! Rules for a binding, from rules files and SWIG interface files.
//!
//! Both become [`Rules`]. A rules file is TOML ([`Rules::from_toml`]); the same keys can be given as a dictionary
//! ([`Rules::from_tree`]). An interface file is read by [`swig`]. `docs/bind.md` describes both for users.

pub mod known;
mod read;
pub mod swig;
mod tree;

use std::fmt;
use std::sync::Arc;

pub use tree::{Node, Tree};

use crate::decl::{Header, Value};
pub use crate::name_pattern::Glob;
pub use crate::policy::Check;
pub use crate::policy::StatusChoice;
use crate::policy::{CallbackLife, Failure, Gil, StatusStyle, Success, Unit};
use crate::words::{KEYWORDS, is_identifier};

/// A place in a file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// The file's name, or the name of another source of rules.
    pub file: Arc<str>,
    /// The line, from 1; 0 where there are no lines.
    pub line: u32,
    /// The column in characters, from 1; 0 where it is not known.
    pub column: u32,
}

impl RulePlace {
    /// The place in a source without lines.
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

impl fmt::Display for RulePlace {
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
#[error("{at}: {message}{}", shown(at, line_text))]
pub struct RuleError {
    /// The place.
    pub at: RulePlace,
    /// The error, as a sentence that stands alone.
    pub message: String,
    /// The line of the file, where it is known.
    pub line_text: String,
}

/// The line, and a mark under the place in it.
fn shown(at: &RulePlace, source: &str) -> String {
    if source.trim().is_empty() || at.column == 0 || source.chars().count() > 200 {
        return String::new();
    }
    let before = source.chars().take(at.column as usize - 1);
    let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    format!("\n    {source}\n    {indent}^")
}

impl RuleError {
    fn new(at: &RulePlace, message: impl Into<String>) -> Self {
        Self {
            at: at.clone(),
            message: message.into(),
            line_text: String::new(),
        }
    }
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The thing itself.
    pub value: T,
    /// The place in its file.
    pub at: RulePlace,
}

/// All rules of a binding. What is not said is guessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// Prefixes that names have in C and not in Python.
    pub prefixes: Vec<Located<String>>,
    /// The treatment of status codes.
    pub status: Option<Located<StatusChoice>>,
    /// The treatment of the interpreter's lock where no function's rule names one.
    pub gil: Option<Located<Gil>>,
    /// The codes that mean success.
    pub success: Option<Located<SuccessRule>>,
    /// The failures of which `errno` says the reason.
    pub errno: Option<Located<ErrnoRule>>,
    /// The function that gives a status code's text.
    pub error_text: Option<Located<String>>,
    /// Rules for functions; a later one wins, and one without a wildcard wins over one with.
    pub functions: Vec<FunctionRule>,
    /// Types whose values are handles.
    pub handles: Vec<HandleRule>,
    /// Names that are not bound.
    pub ignore: Vec<Located<Glob>>,
    /// Names in Python.
    pub rename: Vec<RenameRule>,
    /// Further constants.
    pub constants: Vec<Located<(String, Value)>>,
    /// Rules for parameters by type and name, in whatever function.
    pub typemaps: Vec<Typemap>,
    /// True if `char *` is text where nothing else is known of it, and names that are words of Python have a `_`
    /// before them, not behind them.
    pub as_swig: bool,
}

/// The codes that mean success, by value or by the name of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum SuccessRule {
    /// Known without the header.
    Is(Success),
    /// These codes.
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
    /// The functions, by their names in C.
    pub functions: Glob,
    /// The place where the rule begins.
    pub at: RulePlace,
    /// The name in Python.
    pub name: Option<Located<String>>,
    /// The treatment of the interpreter's lock.
    pub gil: Option<Located<Gil>>,
    /// The rule for the result.
    pub result: Option<Located<ResultRule>>,
    /// The failures of which `errno` says the reason.
    pub errno: Option<Located<ErrnoRule>>,
    /// Rules for parameters.
    pub parameters: Vec<ParameterRule>,
}

/// A rule about `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrnoRule {
    /// `errno` is not looked at.
    No,
    /// `errno` is looked at after a result that usually means a failure: -1, null, a status that is none of success.
    Usual,
    /// `errno` is looked at after such a failure.
    Is(Failure),
}

/// A rule for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterRule {
    /// The parameter.
    pub parameter: ParameterKey,
    /// The place of the rule.
    pub at: RulePlace,
    /// The name in Python.
    pub name: Option<String>,
    /// Its role; `None` where the rule is about something else.
    pub role: Option<RoleRule>,
    /// True if `None` is taken.
    pub nullable: Option<bool>,
    /// Its value if the caller leaves it out.
    pub default: Option<Value>,
    /// The amount of memory that C reads or writes there.
    pub extent: Option<ExtentRule>,
}

/// The amount of memory that there has to be behind a pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtentRule {
    /// The parameter that counts it.
    pub of: Option<ParameterKey>,
    /// A number that is added to the count.
    pub plus: i32,
    /// The unit of the count.
    pub unit: Unit,
    /// The parameters with the number of rows, and with their pitch, and the pitch's unit.
    pub rows: Option<(ParameterKey, ParameterKey, Unit)>,
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

/// The role that a rule gives a parameter. `None` leaves a part to the guesses.
#[derive(Clone, Debug, PartialEq)]
pub enum RoleRule {
    /// A value.
    Input,
    /// Text.
    Text,
    /// Memory.
    Memory {
        /// True if C writes it.
        writable: Option<bool>,
    },
    /// A handle.
    Handle {
        /// Its class.
        class: Option<String>,
        /// True if the call ends it.
        consumed: Option<bool>,
    },
    /// A callback.
    Callback {
        /// The parameter with the user data; `Some(None)` says that there is none.
        user_data: Option<Option<ParameterKey>>,
        /// The time during which C may call it.
        life: Option<CallbackLife>,
    },
    /// An output.
    Output(OutputRule),
    /// Taken and returned.
    InOut,
    /// Taken as a value, of which C gets the address.
    Pointed,
    /// Text that C changes, and that is returned.
    Edited {
        /// The most bytes of it; as many as the text has if it is not said.
        room: Option<u32>,
        /// Bytes that C may add.
        more: u32,
    },
    /// Bytes or text, of which C gets a copy, or memory.
    Binary,
    /// A list of texts.
    Texts,
    /// Not taken: C writes there how long the text of another output is.
    Counter,
    /// What it would need is code for Python's C API: the text says so.
    Refused(String),
    /// What the type and the guesses say, and only some values.
    Checked(Check),
    /// A length.
    Length {
        /// Of which parameter.
        of: ParameterKey,
        /// The unit of the length.
        unit: Option<Unit>,
    },
    /// Always the same.
    Fixed(Value),
}

/// The output that a rule asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputRule {
    /// The class of a handle.
    pub class: Option<String>,
    /// True if a handle is the caller's.
    pub owned: Option<bool>,
    /// The function that frees a text.
    pub free: Option<String>,
    /// The parameter with a buffer's length.
    pub length: Option<ParameterKey>,
    /// The unit of that length.
    pub unit: Option<Unit>,
    /// The bytes of a buffer of one size.
    pub room: Option<u32>,
    /// True if all of that buffer is returned, and not only the text up to its NUL.
    pub whole: bool,
    /// True if it is a plain value, even if its type looks like a handle or text.
    pub plain: bool,
}

/// The result that a rule asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultRule {
    /// A status.
    Status {
        /// The codes that mean success.
        success: Option<SuccessRule>,
        /// The treatment of the status.
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
        /// True if it is the caller's.
        owned: Option<bool>,
        /// True if null raises.
        null_raises: Option<bool>,
    },
    /// A result that is the caller's, be it text or a handle (SWIG's `%newobject`).
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
    /// The place of the rule.
    pub at: RulePlace,
}

/// A rule for names in Python.
#[derive(Clone, Debug, PartialEq)]
pub struct RenameRule {
    /// The names in C.
    pub names: Glob,
    /// A pattern that the names fit as well.
    pub matching: Option<NamePattern>,
    /// The only kind of things that it is about.
    pub kind: Option<NameKind>,
    /// The change.
    pub to: Rename,
    /// The place of the rule.
    pub at: RulePlace,
}

impl RenameRule {
    /// True if it is about a name.
    pub fn fits(&self, name: &str, kind: NameKind) -> bool {
        // As in SWIG, fields are variables.
        let is = |only| only == kind || (only, kind) == (NameKind::Variable, NameKind::Field);
        self.kind.is_none_or(is)
            && self.names.fits(name)
            && self
                .matching
                .as_ref()
                .is_none_or(|pattern| pattern.0.is_match(name))
    }
}

impl Rules {
    /// The rule for a name: the last of those that name it, or else of those whose pattern it fits.
    pub fn renaming(&self, name: &str, kind: NameKind) -> Option<&RenameRule> {
        let rules = || {
            self.rename
                .iter()
                .rev()
                .filter(|rule| rule.fits(name, kind))
        };
        let exact = rules().find(|rule| rule.names.is_exact() && rule.matching.is_none());
        exact.or_else(|| rules().next())
    }

    /// Gives constants of enumerations and fields of records their names, which plans have not.
    pub fn rename_parts(&self, header: &mut Header) {
        let renamed = |name: &str, kind: NameKind| {
            let rule = self
                .renaming(name, kind)
                .filter(|rule| rule.to != Rename::Ignore)?;
            Some(rule.to.apply(name)).filter(|new| is_identifier(new))
        };
        let ignored = |name: &str| {
            let rule = self.renaming(name, NameKind::Constant);
            self.ignore
                .iter()
                .any(|rule| rule.value.is_exact() && rule.value.fits(name))
                || rule.is_some_and(|rule| rule.to == Rename::Ignore)
        };
        for enumeration in header.enums.iter_mut().filter(|it| !it.name.is_empty()) {
            enumeration.values.retain(|it| !ignored(&it.name));
            for value in &mut enumeration.values {
                if let Some(new) = renamed(&value.name, NameKind::Constant) {
                    value.name = new;
                }
            }
        }
        for record in &mut header.records {
            for index in 0..record.fields.len() {
                let name = &record.fields[index].name;
                if let Some(new) = renamed(name, NameKind::Field).filter(|_| !name.is_empty())
                    && record.fields.iter().all(|it| it.name != new)
                {
                    record.fields[index].name = new;
                }
                let name = &mut record.fields[index].name;
                if KEYWORDS.contains(&name.as_str()) {
                    // As in SWIG.
                    name.insert(0, '_');
                }
            }
        }
    }
}

/// The kinds of things that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A function.
    Function,
    /// A handle, a structure or a union.
    Record,
    /// An enumeration.
    Enum,
    /// A constant, also one of an enumeration.
    Constant,
    /// A variable.
    Variable,
    /// A record's field.
    Field,
}

/// A regular expression.
#[derive(Clone, Debug)]
pub struct NamePattern(pub regex_lite::Regex);

impl PartialEq for NamePattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for NamePattern {}

/// A change of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rename {
    /// This name.
    To(String),
    /// Itself without this at its beginning.
    Strip(String),
    /// `snake_case`.
    Snake,
    /// `lowerCamelCase`.
    LowerCamel,
    /// `CamelCase`.
    Camel,
    /// `UPPER`.
    Upper,
    /// `lower`.
    Lower,
    /// `First` letter in upper case.
    FirstUpper,
    /// `First` letter in upper case, and the others in lower case.
    Title,
    /// `first` letter in lower case.
    FirstLower,
    /// Itself without this at its end.
    StripEnd(String),
    /// A regular expression, and what stands for the part that fits. A name that does not fit stays.
    Regex {
        /// The expression.
        pattern: NamePattern,
        /// The replacement, in which `${1}` is a group.
        replacement: String,
    },
    /// Texts around the name.
    Format {
        /// The text before it.
        before: String,
        /// The change of the name itself.
        change: Option<Box<Rename>>,
        /// The text behind it.
        after: String,
    },
    /// It is not bound.
    Ignore,
}

impl Rename {
    /// The new name.
    pub fn apply(&self, name: &str) -> String {
        use crate::words::{camel, snake};
        match self {
            Self::To(new) => new.clone(),
            Self::Strip(prefix) => name
                .strip_prefix(prefix.as_str())
                .unwrap_or(name)
                .to_owned(),
            Self::Snake => snake(name),
            Self::Camel => camel(name, true),
            Self::LowerCamel => camel(name, false),
            Self::Upper => name.to_uppercase(),
            Self::Lower => name.to_lowercase(),
            Self::FirstUpper => first(name, |letter| letter.to_ascii_uppercase()),
            Self::Title => first(&name.to_lowercase(), |letter| letter.to_ascii_uppercase()),
            Self::FirstLower => first(name, |letter| letter.to_ascii_lowercase()),
            Self::StripEnd(suffix) => name
                .strip_suffix(suffix.as_str())
                .unwrap_or(name)
                .to_owned(),
            Self::Regex {
                pattern,
                replacement,
            } => pattern.0.replace(name, replacement.as_str()).into_owned(),
            Self::Format {
                before,
                change,
                after,
            } => {
                let changed = change
                    .as_ref()
                    .map_or_else(|| name.to_owned(), |change| change.apply(name));
                format!("{before}{changed}{after}")
            }
            Self::Ignore => name.to_owned(),
        }
    }
}

/// A name with another first letter.
fn first(name: &str, change: impl Fn(char) -> char) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |letter| {
        format!("{}{}", change(letter), letters.as_str())
    })
}

/// A rule for parameters by type and name; several in a row for parameters that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Typemap {
    /// Types, as C writes them but without spaces, and names, which may be empty for any.
    pub parameters: Vec<(String, String)>,
    /// The roles of those parameters. A [`RoleRule::Length`] or [`OutputRule::length`] counts from the first of them.
    pub roles: Vec<RoleRule>,
    /// The place of the rule.
    pub at: RulePlace,
    /// The only functions that it is for, if it is not for all.
    pub only: Option<Vec<String>>,
    /// Functions that it is not for.
    pub except: Vec<String>,
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
        self.as_swig |= more.as_swig;
    }
}
