//! Guesses from types and names.
//!
//! A guess that is wrong must not corrupt memory: where a header does not say enough, a pointer stays a pointer that
//! takes anything with an address, and a rule has to say more.

mod doc;
pub(crate) mod extents;
pub(crate) mod gil;
pub(crate) mod handles;
mod names;
pub(crate) mod parameters;

use std::collections::HashMap;

use self::doc::ResultSaid;
use self::handles::{Handles, Pairs};
use crate::decl::{EnumId, Function, Header, Int, Type, Value};
use crate::plan::types::{named_characters, pointee};
use crate::plan::{Ownership, ResultPlan, Role, StatusStyle, Success, TextOwnership, Why};
use crate::words::words;

/// True if a field, a variable or a callback's argument is text: a `const char *` that is not named as bytes of which a
/// number beside it (`counted`) may be the length.
pub fn is_text(header: &Header, ty: &Type, name: &str, counted: bool) -> bool {
    let name = words(name);
    let binary =
        names::any(&name, &names::BINARY).is_some() && names::any(&name, &names::TEXTS).is_none();
    let characters = match pointee(header, ty) {
        Some((Type::Int(Int::Char), true)) => true,
        Some((_, true)) => named_characters(header, ty),
        _ => false,
    };
    characters && !(binary && counted)
}

/// True if a callback's argument is characters of which the one behind it is the number, `(const char *s, int len)`:
/// such a text need not end with a NUL.
pub fn has_own_length(header: &Header, arguments: &[(String, Type)], at: usize) -> bool {
    let Some((length, ty)) = arguments.get(at + 1) else {
        return false;
    };
    let (of, length) = (words(&arguments[at].0), words(length));
    let is_char = matches!(
        pointee(header, &arguments[at].1),
        Some((Type::Int(Int::Char), true))
    );
    // A path may have a size beside it, which is another thing's.
    let counts = match names::any(&of, &names::TEXTS) {
        Some(_) => names::is_text_length(&length) || names::length_of(&length, &of),
        None => {
            names::is_size(&length) || names::is_number(&length) || names::length_of(&length, &of)
        }
    };
    is_char && counts && matches!(header.resolve(ty), Type::Int(int) if *int != Int::Char)
}

/// True if any of some fields or arguments may be a number of bytes or elements.
pub fn has_count<'a>(
    header: &Header,
    mut named: impl Iterator<Item = (&'a str, &'a Type)>,
) -> bool {
    named.any(|(name, ty)| {
        let name = words(name);
        matches!(header.resolve(ty), Type::Int(_))
            && (names::is_count(&name) || names::may_count(&name))
    })
}

/// Facts about a whole header.
pub(crate) struct Guesser<'a> {
    pub(crate) header: &'a Header,
    pub(crate) handles: &'a Handles,
    pub(crate) pairs: &'a Pairs,
    /// Enumerations of status codes, with the constant that means success.
    statuses: HashMap<EnumId, String>,
    /// A constant for success that is 0, for functions that return `int`.
    ok: Option<String>,
    /// True if that is of an enumeration whose other constants are all negative: positive results are no errors.
    negative: bool,
    cuda: bool,
}

/// A guess about a function's result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusGuess {
    /// A status, surely.
    Sure,
    /// An integer or nothing: outputs are to be expected where their names say so.
    Possible,
    /// Something else.
    No,
}

impl StatusGuess {
    fn possible(self) -> bool {
        self != Self::No
    }
}

impl<'a> Guesser<'a> {
    pub(crate) fn new(header: &'a Header, handles: &'a Handles, pairs: &'a Pairs) -> Self {
        let mut returned: HashMap<EnumId, u32> = HashMap::new();
        for function in &header.functions {
            if let Type::Enum(id) = header.resolve(&function.result) {
                *returned.entry(*id).or_default() += 1;
            }
        }
        let mut statuses = HashMap::new();
        for (&id, &count) in &returned {
            let enumeration = header.enumeration(id);
            let named = |name: &str| {
                let words = words(name);
                STATUS_NAMES
                    .iter()
                    .any(|status| words.iter().any(|word| word == status))
            };
            let typedefs = header.typedefs.iter();
            let is_status = named(&enumeration.name)
                || typedefs
                    .filter(|typedef| typedef.ty == Type::Enum(id))
                    .any(|typedef| named(&typedef.name));
            let zero = enumeration.values.iter().find(|value| {
                value.value == 0 && (is_success(&value.name) || is_status && is_none(&value.name))
            });
            if let Some(zero) = zero
                && (is_status || count > 1)
            {
                statuses.insert(id, zero.name.clone());
            }
        }
        let macros = header
            .constants
            .iter()
            .filter(|constant| constant.value == Value::Int(0))
            .map(|constant| &constant.name);
        let values = header.enums.iter().flat_map(|it| &it.values);
        let zeros = macros.chain(
            values
                .filter(|value| value.value == 0)
                .map(|value| &value.name),
        );
        // A library with an enumeration of its own for statuses returns them as that.
        let ok = zeros.into_iter().find(|name| is_success(name)).cloned();
        let ok = ok.filter(|_| statuses.is_empty());
        let negative = header.enums.iter().any(|it| {
            let is_ok = |name: &str| ok.as_deref() == Some(name);
            it.values.len() > 1
                && it.values.iter().any(|value| is_ok(&value.name))
                && it.values.iter().all(|value| value.value <= 0)
        });
        let cuda = header
            .typedefs
            .iter()
            .any(|typedef| ["CUstream", "cudaStream_t"].contains(&typedef.name.as_str()));
        Self {
            header,
            handles,
            pairs,
            statuses,
            ok,
            negative,
            cuda,
        }
    }

    fn is_cuda(&self) -> bool {
        self.cuda
    }

    /// The guess about a function's result.
    fn statuses(&self, function: &Function) -> StatusGuess {
        match self.header.resolve(&function.result) {
            Type::Enum(id) if self.statuses.contains_key(id) => StatusGuess::Sure,
            Type::Int(Int::I32) | Type::Enum(_) | Type::Bool | Type::Void => StatusGuess::Possible,
            _ => StatusGuess::No,
        }
    }

    /// The reason why a handle that a function gives is the caller's, if it is.
    fn makes(&self, function: usize, handle: u32) -> Option<String> {
        let (ends, _) = self.pairs.ends.get(&handle)?;
        let function = &self.header.functions[function];
        let why = handles::makes(self.header, self.handles, function, handle)?;
        Some(format!(
            "{why}, and {} ends it",
            self.header.functions[*ends].name
        ))
    }

    /// True if a function's name says that it makes something that another function ends.
    fn pairs_with(&self, function: usize) -> bool {
        let function = &self.header.functions[function];
        let given = handles::gives(self.header, self.handles, function);
        given.is_some_and(|handle| {
            self.pairs.ends.contains_key(&handle)
                && handles::makes(self.header, self.handles, function, handle).is_some()
        })
    }

    /// The plan for a function's result.
    pub(crate) fn result(&self, index: usize, roles: &[Role]) -> (ResultPlan, Why) {
        let header = self.header;
        let function = &header.functions[index];
        let ty = &function.result;
        if let Some((handle, constant)) = self.handles.of(header, ty) {
            let made = self.makes(index, handle).filter(|_| !constant);
            let text = match &made {
                Some(why) => format!("{why}, so it is the caller's, and null is a failure"),
                None => "nothing says that it is the caller's to end".to_owned(),
            };
            let result = ResultPlan::Handle {
                handle,
                ownership: if made.is_some() {
                    Ownership::Owned
                } else {
                    Ownership::Borrowed
                },
                null_raises: made.is_some(),
            };
            return (result, Why::Guess(text));
        }
        if let Some((Type::Int(int @ (Int::Char | Int::U8)), constant)) = pointee(header, ty) {
            let name = words(&function.name);
            let text_like = [
                "text", "name", "string", "str", "error", "errmsg", "message", "version",
            ];
            let named = constant && named_characters(header, ty);
            if *int == Int::Char || named || names::any(&name, &text_like).is_some() {
                let text = "a char * is text, as a rule; nothing says that it must be freed";
                let ownership = TextOwnership::Borrowed;
                return (ResultPlan::Text { ownership }, Why::Guess(text.to_owned()));
            }
        }
        if let Some((success, style, why)) = self.is_status(function, roles) {
            let text = None;
            let status = ResultPlan::Status {
                success,
                style,
                text,
            };
            return (status, Why::Guess(why));
        }
        match header.resolve(ty) {
            Type::Void => (ResultPlan::Nothing, Why::Type),
            _ => (ResultPlan::Value, Why::Type),
        }
    }

    /// The meaning of a result that is a status, and the reason why it is one.
    fn is_status(
        &self,
        function: &Function,
        roles: &[Role],
    ) -> Option<(Success, StatusStyle, String)> {
        let name = words(&function.name);
        let header = self.header;
        match header.resolve(&function.result) {
            Type::Enum(id) => {
                let ok = self.statuses.get(id)?;
                // `cudaGetLastError` succeeds in telling of a failure.
                if function.parameters.len() < 2 && names::tells_error(&name) {
                    return None;
                }
                let why = format!("{} has {ok} for 0", header.c_type(&function.result));
                let values = header.enumeration(*id).values.iter();
                let ends: Vec<_> = values.filter(|it| is_end(&it.name)).collect();
                let Some(end) = ends.first() else {
                    return Some((Success::Zero, StatusStyle::Raise, why));
                };
                let why = format!("{why}, and {} is no failure", end.name);
                let codes = ends.iter().filter_map(|it| i64::try_from(it.value).ok());
                let codes = std::iter::once(0).chain(codes).collect();
                Some((Success::OneOf(codes), StatusStyle::Value, why))
            }
            Type::Int(Int::I32) => {
                if let Some((said, quote)) = doc::result(function.doc.as_deref().unwrap_or("")) {
                    let why = format!("its comment says so: {quote}");
                    return match said {
                        ResultSaid::ZeroIsSuccess => Some((Success::Zero, StatusStyle::Raise, why)),
                        ResultSaid::ZeroIsFailure => {
                            Some((Success::NonZero, StatusStyle::Raise, why))
                        }
                        ResultSaid::NumberOrError => {
                            Some((Success::NotNegative, StatusStyle::Value, why))
                        }
                        ResultSaid::Number => None,
                    };
                }
                let doc = function.doc.as_deref().unwrap_or("");
                if let Some((name, value)) = self.success_constant(doc) {
                    let why = format!("its comment says that {name} is success");
                    return (value == 0).then_some((Success::Zero, StatusStyle::Raise, why));
                }
                let ok = self.ok.as_ref()?;
                let output = roles
                    .iter()
                    .any(|role| matches!(role, Role::Output(_) | Role::InOut));
                // A function with outputs gives by them the value that its name says that it gets.
                let gets = [
                    "get", "version", "size", "name", "type", "id", "value", "status",
                ];
                let tells = name.iter().find(|word| {
                    TELLS.contains(&word.as_str()) && !(output && gets.contains(&word.as_str()))
                });
                if tells.is_some() {
                    return None;
                }
                let verb = name.iter().find(|word| {
                    ACTS.iter().any(|act| {
                        word.strip_suffix(act)
                            .is_some_and(|rest| rest.is_empty() || rest == "gz")
                    })
                });
                let why = match (output, verb) {
                    (true, _) => "what it gives is in its outputs".to_owned(),
                    (false, Some(verb)) => {
                        format!("“{verb}” in the name says what it does, not what it tells")
                    }
                    (false, None) => return None,
                };
                let (success, negative) = match self.negative {
                    true => (Success::NotNegative, ", and its errors are negative"),
                    false => (Success::Zero, ""),
                };
                let why = format!("the library has {ok} for 0{negative}, and {why}");
                Some((success, StatusStyle::Raise, why))
            }
            _ => None,
        }
    }

    /// The constant that a comment says is success, and its value.
    fn success_constant(&self, doc: &str) -> Option<(&str, i128)> {
        let wanted = doc::success_name(doc)?;
        let macros = (self.header.constants.iter()).filter_map(|it| match it.value {
            Value::Int(value) => Some((it.name.as_str(), value)),
            _ => None,
        });
        let values = self.header.enums.iter().flat_map(|it| &it.values);
        let mut all = macros.chain(values.map(|it| (it.name.as_str(), it.value)));
        all.find(|(name, _)| name.to_lowercase() == wanted)
    }

    /// The function that gives a text for status codes of a type.
    pub(crate) fn error_text(&self, status: &Type, taken: impl Fn(usize) -> bool) -> Option<usize> {
        let header = self.header;
        let wanted = header.resolve(status);
        header.functions.iter().enumerate().position(|(index, function)| {
            let name = words(&function.name);
            let told = name.iter().any(|word| ERROR_TEXTS.contains(&word.as_str()))
                || name.len() > 1 && name.last().is_some_and(|word| word == "error")
                || matches!(&name[..], [.., what, text]
                    if ["error", "status", "result", "code", "err"].contains(&what.as_str())
                        && ["string", "str", "text", "message", "description"].contains(&text.as_str()));
            let [first, rest @ ..] = &function.parameters[..] else { return false };
            let is_text = |ty: &Type| matches!(pointee(header, ty), Some((Type::Int(Int::Char), _)));
            let gives = match rest {
                [] => is_text(&function.result),
                [out] => matches!(header.resolve(&out.ty), Type::Pointer { to, constant: false } if is_text(to)),
                _ => false,
            };
            told && gives && header.resolve(&first.ty) == wanted && taken(index)
        })
    }
}

/// Words in the names of types for status codes.
const STATUS_NAMES: [&str; 10] = [
    "status", "result", "error", "err", "code", "return", "ret", "rc", "errors", "curlcode",
];

/// Words in the names of functions that give a status code's text.
const ERROR_TEXTS: [&str; 5] = ["strerror", "errstr", "errorstring", "errmsg", "strstatus"];

/// Words in the names of functions whose `int` is a number rather than a status.
const TELLS: [&str; 31] = [
    "get", "count", "size", "length", "len", "num", "number", "index", "version", "is", "has",
    "changes", "bytes", "step", "read", "write", "find", "compare", "cmp", "status", "id", "type",
    "level", "errcode", "error", "value", "max", "min", "peek", "next", "major",
];

/// Words in the names of functions that do something and say whether it has worked.
const ACTS: [&str; 34] = [
    "open",
    "close",
    "exec",
    "prepare",
    "bind",
    "init",
    "end",
    "reset",
    "finalize",
    "create",
    "destroy",
    "set",
    "config",
    "configure",
    "initialize",
    "shutdown",
    "register",
    "add",
    "remove",
    "delete",
    "load",
    "start",
    "stop",
    "begin",
    "commit",
    "rollback",
    "attach",
    "detach",
    "connect",
    "disconnect",
    "flush",
    "enable",
    "disable",
    "clear",
];

/// True if a status says that all is done, and nothing has failed: `LZMA_STREAM_END`.
fn is_end(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    words.len() > 1 && (words.ends_with(&["stream".into(), "end".into()]) || last == "done")
}

/// True if a constant's name means success.
fn is_success(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    let no_error = words.ends_with(&["no".into(), "error".into()])
        || words.ends_with(&["no".into(), "err".into()]);
    words.len() > 1
        && ([
            "ok",
            "success",
            "succeeded",
            "successful",
            "noerror",
            "noerr",
        ]
        .contains(&last)
            || no_error)
        && words.first().is_some_and(|first| first != "exit")
}

/// True if a status code's name means that there is no error.
fn is_none(name: &str) -> bool {
    words(name).last().is_some_and(|last| last == "none")
}
