//! A binding as text: a Python module and its stub.
//!
//! The module carries header and plan as [`data`], so that its users need no libclang. Its exports are made when they
//! are first used.

pub mod data;
mod members;
mod stub;

use std::collections::HashSet;
use std::fmt::Write;

pub use self::stub::stub;
use crate::decl::file::FileError;
use crate::decl::{Enum, Header, Value};
use crate::plan::Plan;
use crate::plan::python::{Names, literal};
use crate::rules::swig::Additions;
use crate::words::is_identifier;

/// The parts that a module is written of.
pub struct Binding<'a> {
    /// The declarations.
    pub header: &'a Header,
    /// The plan for calling them.
    pub plan: &'a Plan,
    /// The libraries that have the functions, by file names, in the order in which they are looked through.
    pub libraries: &'a [String],
    /// The command that makes the module, for its first comment.
    pub command: &'a str,
    /// The library with the functions that are only in the header.
    pub inline: Option<&'a str>,
    /// The parts that come from an interface file.
    pub additions: &'a Additions,
}

/// The module's text.
///
/// # Errors
/// If the header is too large.
pub fn module(binding: &Binding<'_>) -> Result<String, FileError> {
    let data = data::pack(binding.header, binding.plan)?;
    let mut text = String::new();
    let additions = binding.additions;
    let title = match &additions.docstring {
        Some(said) => said.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\""),
        None => title(binding),
    };
    let _ = writeln!(text, "\"\"\"{title}\n");
    text.push_str("The names, their types and their documentation are in the stub beside this file.\n\"\"\"\n");
    let _ = writeln!(text, "# Made by: {}", line(binding.command));
    text.push_str("# ruff: noqa: F822 (the names are made by __getattr__)\n\nfrom __future__ import annotations\n\nfrom typing import Any\n\n");
    let mut imports: Vec<&str> = additions.imported.iter().map(String::as_str).collect();
    imports.push("open_binding");
    let variables: Vec<String> = (binding.plan.variables.iter())
        .map(|(_, name)| literal(name))
        .collect();
    if !variables.is_empty() {
        imports.push("with_variables");
    }
    let _ = writeln!(text, "from cuox_bind.bound import {}\n", imports.join(", "));
    text.push_str("__all__ = [\n");
    let mut bound = exported(binding.header, binding.plan);
    if has_variables(binding) && !bound.iter().any(|name| name == "cvar") {
        bound.push("cvar".to_owned());
    }
    let own = additions.exports.iter().chain(&additions.python_names);
    for name in bound.iter().chain(own) {
        let _ = writeln!(text, "    \"{name}\",");
    }
    text.push_str("]\n\n");
    let libraries: Vec<String> = binding
        .libraries
        .iter()
        .map(|name| crate::plan::python::literal(name))
        .collect();
    let _ = writeln!(text, "_LIBRARIES = [{}]", libraries.join(", "));
    text.push_str("# The header's declarations and how each function is called; `python -m cuox_bind --explain` prints them.\n_DATA = \"\"\"\n");
    let digits = data.as_bytes();
    for chunk in digits.chunks(100) {
        text.push_str(&String::from_utf8_lossy(chunk));
        text.push('\n');
    }
    text.push_str("\"\"\"\n\n");
    let mut options = String::new();
    if !additions.members.is_empty() {
        text.push_str(
            "# Records, members that they get, and the functions that these are: a method's, or those that read and write.\n_METHODS = [\n",
        );
        for member in &additions.members {
            let names: Vec<String> = member.words().iter().map(|it| literal(it)).collect();
            let _ = writeln!(text, "    ({}),", names.join(", "));
        }
        text.push_str("]\n\n");
        options.push_str(", methods=_METHODS");
    }
    if !additions.new_objects.is_empty() {
        let names: Vec<String> = additions.new_objects.iter().map(|it| literal(it)).collect();
        let _ = write!(options, ", new_objects=[{}]", names.join(", "));
    }
    if has_variables(binding) {
        let names: Vec<String> = additions.immutable.iter().map(|it| literal(it)).collect();
        let _ = write!(options, ", immutable=[{}]", names.join(", "));
    }
    if additions.code.is_some() {
        options.push_str(", code_is_last=True");
        if binding.additions.uses_python {
            options.push_str(", uses_python=True");
        }
    }
    if additions.variables {
        options.push_str(", swig=True");
    }
    if let Some(library) = binding.inline {
        let _ = write!(options, ", inline={}", literal(library));
    }
    text.push_str(
        &"_library: Any = None


def __getattr__(name: str) -> Any:
    global _library
    if name not in __all__:
        raise AttributeError(f\"module {__name__!r} has no attribute {name!r}\")
    if _library is None:
        _library = open_binding(_DATA, _LIBRARIES, __name__, beside=__file__)
    value = globals()[name] = getattr(_library, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
"
        .replace("beside=__file__", &format!("beside=__file__{options}")),
    );
    let lacking = not_bound(binding);
    if !lacking.is_empty() {
        text = text.replace(
            "    if name not in __all__:\n",
            "    if name not in __all__:\n        if name in _NOT_BOUND:\n            raise AttributeError(f\"{name} is not bound: {_NOT_BOUND[name]}\")\n",
        );
        text.push_str(
            "\n\n# Functions and variables of the header that the module lacks, and why.\n_NOT_BOUND = {\n",
        );
        for (name, reason) in lacking {
            let _ = writeln!(text, "    {}: {},", literal(name), literal(reason));
        }
        text.push_str("}\n");
    }
    if !variables.is_empty() {
        // A variable is asked for each time.
        text = text.replace(
            "    value = globals()[name] = getattr(_library, name)\n",
            "    value = getattr(_library, name)\n    if name not in _VARIABLES:\n        globals()[name] = value\n",
        );
        let _ = write!(
            text,
            "\n\n_VARIABLES = frozenset([{}])\nwith_variables(__name__)\n",
            variables.join(", ")
        );
    }
    if !additions.python.is_empty() {
        text.push_str("\n\n# The interface file's own Python code, and the names that it uses.\n\n_record = __getattr__\n");
        let used = identifiers(&additions.python);
        for name in bound.iter().filter(|name| used.contains(name.as_str())) {
            let _ = writeln!(text, "{name} = __getattr__(\"{name}\")");
        }
        text.push('\n');
        text.push_str(&additions.python);
    }
    Ok(text)
}

/// Functions and variables that are not bound, with reasons. (Macros, of which headers have many, are left out.)
fn not_bound<'a>(binding: &Binding<'a>) -> Vec<(&'a str, &'a str)> {
    let header = binding.header;
    let declared: HashSet<&str> = (header.functions.iter().map(|it| it.name.as_str()))
        .chain(header.variables.iter().map(|it| it.name.as_str()))
        .chain(
            (header.refused.iter())
                .filter(|it| it.kind != "macro")
                .map(|it| it.name.as_str()),
        )
        .collect();
    (binding.plan.left_out.iter())
        .map(|(name, reason)| (name.as_str(), reason.as_str()))
        .filter(|(name, _)| declared.contains(name))
        .collect()
}

/// True if global variables are attributes of `cvar`.
fn has_variables(binding: &Binding<'_>) -> bool {
    binding.additions.variables && !binding.plan.variables.is_empty()
}

/// All words of a text.
pub fn identifiers(text: &str) -> HashSet<&str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .collect()
}

fn title(binding: &Binding<'_>) -> String {
    let file = binding.header.name.rsplit('/').next().unwrap_or_default();
    format!("Bindings of {}.", line(file).replace(['"', '\\'], "_"))
}

/// A text without breaks, for a comment.
fn line(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// All names that a module exports, sorted and without repetition.
fn exported(header: &Header, plan: &Plan) -> Vec<String> {
    let mut names: Vec<String> = plan.functions.iter().map(|it| it.name.clone()).collect();
    names.extend(plan.handles.iter().map(|it| it.name.clone()));
    names.extend(plan.records.iter().map(|(_, name)| name.clone()));
    names.extend(plan.constants.iter().map(|(name, _)| name.clone()));
    names.extend(plan.variables.iter().map(|(_, name)| name.clone()));
    for (id, name) in &plan.enums {
        names.push(name.clone());
        let values = &header.enumeration(*id).values;
        names.extend(values.iter().map(|it| it.name.clone()));
    }
    names.retain(|name| is_identifier(name));
    names.sort();
    names.dedup();
    names
}

/// True if an enumeration's values are bits that are combined: all are single bits or made of others that are, there
/// are at least two bits, and they are not just counted up.
pub fn is_flags(enumeration: &Enum) -> bool {
    let values = || enumeration.values.iter().map(|it| it.value);
    if values().any(|value| value < 0) {
        return false;
    }
    let bits: i128 = values()
        .filter(|value| value.count_ones() == 1)
        .fold(0, |all, bit| all | bit);
    let made = values().all(|value| value & !bits == 0);
    // 0, 1, 2 are counted; 1, 2, 4 are bits, and so is what has a 4 but no 3 that is not named after two of them.
    made && bits.count_ones() >= 2
        && bits & !3 != 0
        && !values().any(|value| value == 3 && counted(enumeration))
}

/// True if values go up by one from each to the next.
fn counted(enumeration: &Enum) -> bool {
    let values: Vec<i128> = enumeration.values.iter().map(|it| it.value).collect();
    values
        .windows(2)
        .filter(|pair| pair[1] == pair[0] + 1)
        .count()
        + 1
        >= values.len()
}

/// A value's type in Python.
fn value_type(value: &Value) -> &'static str {
    match value {
        Value::Int(_) => "int",
        Value::Float(_) => "float",
        Value::Text(bytes) if std::str::from_utf8(bytes).is_ok() => "str",
        Value::Text(_) => "bytes",
        Value::Null => "None",
    }
}

fn names<'a>(binding: &Binding<'a>) -> Names<'a> {
    let mut names = Names::new(binding.header, binding.plan);
    names.own_texts = binding.additions.variables;
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decl::{EnumValue, Int, Place};

    #[test]
    fn flags_are_told_from_what_is_counted() {
        let flags = |values: &[i128]| {
            is_flags(&Enum {
                name: "e".into(),
                tagged: true,
                underlying: Int::U32,
                values: values
                    .iter()
                    .map(|value| EnumValue {
                        name: format!("E{value}"),
                        value: *value,
                        doc: None,
                    })
                    .collect(),
                doc: None,
                place: Place::default(),
            })
        };
        assert!(flags(&[0, 1, 2, 4]));
        assert!(flags(&[1, 2, 4, 7]));
        assert!(flags(&[0x10, 0x20]));
        assert!(!flags(&[0, 1, 2]));
        assert!(!flags(&[0, 1, 2, 3, 4]));
        assert!(!flags(&[0, 1, 2, 3, 4, 5, 6, 7, 8]));
        assert!(!flags(&[-1, 1, 2, 4]));
        assert!(!flags(&[1]));
        assert!(!flags(&[]));
    }
}
