//! Helpers that SWIG makes of C code and that need none here: `%pointer_functions`, `%array_functions` and their like.

use super::super::{RuleError, RulePlace};
use super::Interface;
use super::scan::split;
use crate::words::is_identifier;

/// Reads a helper's arguments, a type and a name, and adds its Python code.
pub(super) fn helper(
    directive: &str,
    options: Option<&str>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<(), RuleError> {
    let given = split(options.unwrap_or(""));
    let [c_type, name] = given[..] else {
        return Err(RuleError::new(
            at,
            format!("%{directive} takes a type and a name, as in %{directive}(int, intp)"),
        ));
    };
    if !is_identifier(name) {
        return Err(RuleError::new(
            at,
            format!("'{name}' is not a name in Python"),
        ));
    }
    let c_type: String = c_type.split_whitespace().collect::<Vec<_>>().join(" ");
    if c_type.is_empty() || c_type.contains(['"', '\\', '\'']) {
        return Err(RuleError::new(at, format!("'{c_type}' is not a type in C")));
    }
    let names: Vec<String> = match directive {
        "pointer_functions" => vec![
            format!("new_{name}"),
            format!("copy_{name}"),
            format!("delete_{name}"),
            format!("{name}_assign"),
            format!("{name}_value"),
        ],
        "array_functions" => vec![
            format!("new_{name}"),
            format!("delete_{name}"),
            format!("{name}_getitem"),
            format!("{name}_setitem"),
        ],
        _ => vec![name.to_owned()],
    };
    let call = match names.len() {
        // A class knows its name.
        1 => format!("{directive}(\"{c_type}\", \"{name}\", _record)"),
        _ => format!("{directive}(\"{c_type}\", _record)"),
    };
    interface.pointed.push(c_type.clone());
    interface.imported.push(directive.to_owned());
    interface
        .python
        .push_str(&format!("{} = {call}\n", names.join(", ")));
    interface.exports.extend(names);
    Ok(())
}

/// The names that Python code defines for users.
pub(super) fn public_names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in code.lines() {
        let words = line.strip_prefix("async ").unwrap_or(line);
        let rest = ["def ", "class "]
            .iter()
            .find_map(|it| words.strip_prefix(it));
        let text = rest.unwrap_or(words);
        let end = text
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(text.len());
        let (name, behind) = text.split_at(end);
        let behind = behind.trim_start();
        let assigned =
            behind.starts_with(':') || behind.starts_with('=') && !behind.starts_with("==");
        if (rest.is_some() || assigned) && is_identifier(name) && !name.starts_with('_') {
            names.push(name.to_owned());
        }
    }
    names
}

/// Python code as it stands in the file, less the indentation that its lines share.
pub(super) fn python_code(code: &str) -> String {
    let blank = |line: &&str| line.trim().is_empty();
    let lines: Vec<&str> = code.lines().skip_while(blank).collect();
    let indent = lines
        .iter()
        .filter(|line| !blank(line))
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let mut made = String::new();
    for line in lines {
        made.push_str(line.get(indent..).unwrap_or("").trim_end());
        made.push('\n');
    }
    made
}
