//! `%define` and the use of what it defines.

use std::collections::HashMap;

use super::super::{RuleError, RulePlace};
use super::scan::{Scanner, split};
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

/// The longest text that macros may become.
const MOST: usize = 1 << 20;

/// A macro of SWIG's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Macro {
    /// Its parameters; `None` if it is used without brackets.
    parameters: Option<Vec<String>>,
    body: String,
}

/// Reads what follows `%define`, to `%enddef`.
pub(super) fn define(scanner: &mut Scanner<'_>, at: &RulePlace) -> Result<(String, Macro)> {
    let error = |message: &str| RuleError::new(at, message);
    scanner.blanks();
    // `%define %name` is used as `%name`.
    scanner.take("%");
    let name = scanner
        .name()
        .filter(|name| is_identifier(name))
        .ok_or_else(|| error("%define is followed by a macro's name"))?
        .to_owned();
    let parameters = match scanner.peek_is(b'(') {
        true => {
            let inside = scanner.bracket()?.unwrap_or("");
            let names: Vec<String> = split(inside).into_iter().map(str::to_owned).collect();
            if let Some(bad) = names
                .iter()
                .find(|name| !is_identifier(name) && *name != "...")
            {
                return Err(error(&format!(
                    "%define {name}: '{bad}' is not a parameter's name"
                )));
            }
            Some(names)
        }
        false => None,
    };
    let Some(body) = scanner.until("%enddef") else {
        return Err(error("this %define is not closed by %enddef"));
    };
    let body = body.to_owned();
    Ok((name, Macro { parameters, body }))
}

impl Macro {
    /// The text that a use of the macro stands for; its arguments are taken.
    pub(super) fn expand(
        &self,
        name: &str,
        scanner: &mut Scanner<'_>,
        at: &RulePlace,
    ) -> Result<String> {
        let Some(parameters) = &self.parameters else {
            return Ok(self.body.clone());
        };
        scanner.blanks();
        let Some(inside) = scanner.bracket()? else {
            return Err(RuleError::new(
                at,
                format!("{name} takes {} arguments in brackets", parameters.len()),
            ));
        };
        let given = split(inside);
        let variadic = parameters.last().is_some_and(|last| last == "...");
        let fits = match variadic {
            true => given.len() + 1 >= parameters.len(),
            false => given.len() == parameters.len(),
        };
        if !fits {
            return Err(RuleError::new(
                at,
                format!(
                    "{name} takes {} arguments, got {}",
                    parameters.len(),
                    given.len()
                ),
            ));
        }
        let mut values: HashMap<&str, String> = HashMap::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let value = match parameter.as_str() {
                "..." => given[index.min(given.len())..].join(", "),
                _ => given[index].to_owned(),
            };
            let key = if parameter == "..." {
                "__VA_ARGS__"
            } else {
                parameter
            };
            values.insert(key, value);
        }
        substitute(&self.body, &values)
            .ok_or_else(|| RuleError::new(at, format!("{name} becomes too long a text")))
    }
}

/// A body with arguments for parameters: `x` is the argument, `#x` its text in quotation marks, `` `x` `` and `##` join
/// names.
fn substitute(body: &str, values: &HashMap<&str, String>) -> Option<String> {
    let mut made = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(letter) = rest.chars().next() {
        if made.len() > MOST {
            return None;
        }
        if letter.is_ascii_alphabetic() || letter == '_' {
            let end = rest
                .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                .unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            rest = behind;
            let Some(value) = values.get(word) else {
                made.push_str(word);
                continue;
            };
            if made.ends_with('`') && rest.starts_with('`') {
                made.pop();
                made.push_str(value);
                rest = &rest[1..];
            } else if made.ends_with('#') && !made.ends_with("##") {
                made.pop();
                made.push('"');
                made.push_str(&value.replace('\\', "\\\\").replace('"', "\\\""));
                made.push('"');
            } else {
                made.push_str(value);
            }
        } else if letter.is_ascii_digit() {
            // A number, with the letters that belong to it.
            let end = rest
                .find(|letter: char| !letter.is_ascii_alphanumeric())
                .unwrap_or(rest.len());
            made.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            made.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    // `a ## b` is one word.
    let mut joined = String::with_capacity(made.len());
    for (index, part) in made.split("##").enumerate() {
        match index {
            0 => joined.push_str(part),
            _ => {
                joined.truncate(joined.trim_end().len());
                joined.push_str(part.trim_start());
            }
        }
    }
    Some(joined)
}
