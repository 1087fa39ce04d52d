//! C code in an interface file: what it defines is compiled into a library of its own, and its declarations are for
//! clang to read.

use super::super::{RuleError, RulePlace};
use super::Interface;
use super::scan::{Scanner, matching, without_comments};
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

/// A method that `%extend` adds to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The record, by its name in C.
    pub record: String,
    /// The method's name.
    pub name: String,
    /// The C function, whose first argument is the record.
    pub function: String,
}

/// The code of `%{ %}` and its like: compiled if anything of it is bound; its includes and types are read as well.
pub(super) fn block(code: &str, at: &RulePlace, interface: &mut Interface) {
    append(&mut interface.code, code, at);
    for line in code.lines() {
        let Some(directive) = line.trim().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        if let Some(name) = directive.strip_prefix("include") {
            let name = name.trim();
            let end = name.find("/*").or_else(|| name.find("//"));
            let quoted = name.starts_with('<') || name.starts_with('"');
            let name = match quoted.then(|| name[1..].find(['>', '"'])).flatten() {
                Some(length) => &name[1..=length],
                None => name[..end.unwrap_or(name.len())].trim(),
            };
            if !name.is_empty() && !interface.prelude.iter().any(|known| known == name) {
                interface.prelude.push(name.to_owned());
                interface.header_places.push((name.to_owned(), at.clone()));
            }
        }
    }
    let mut scanner = Scanner::new(code, &at.file);
    while !scanner.done() {
        let statement = scanner.statement();
        let plain = without_comments(statement);
        let text = plain.trim();
        let first = text
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .next()
            .unwrap_or("");
        let function = function_of(text);
        if let Some((head, body)) = function {
            if body.is_some()
                && let Some(name) = last_name(head)
            {
                interface.defined.push(name.to_owned());
            }
        } else if ["typedef", "struct", "union", "enum"].contains(&first) && text.ends_with(';') {
            interface.types.push_str(statement);
            interface.types.push('\n');
        }
    }
}

/// The code of `%inline`: compiled, and bound.
pub(super) fn inline(code: &str, at: &RulePlace, interface: &mut Interface) {
    let shared = exported(code);
    append(&mut interface.code, &shared, at);
    interface.needs_compiler = true;
    let mut scanner = Scanner::new(&shared, &at.file);
    while !scanner.done() {
        let statement = scanner.statement();
        let declared = declaration(statement);
        let trimmed = declared.trim_start();
        if trimmed.starts_with("#include") || trimmed.starts_with("# include") {
            interface.source.push('\n');
            interface.source.push_str(trimmed);
        } else {
            super::declarations(&declared, interface);
        }
    }
}

/// `%init`: run when the library is loaded.
pub(super) fn init(code: &str, at: &RulePlace, interface: &mut Interface) {
    // NumPy's C API is not used here.
    let rest = code
        .replace("import_array();", "")
        .replace("import_array()", "");
    if rest.trim().is_empty() {
        return;
    }
    interface.inits += 1;
    let begin = format!(
        "\n__attribute__((constructor)) static void cuox_init_{}(void) {{",
        interface.inits
    );
    interface.code.push_str(&begin);
    append(&mut interface.code, &rest, at);
    interface.code.push_str("\n}\n");
    interface.needs_compiler = true;
}

/// `%extend record { … }`: functions whose first argument is the record.
pub(super) fn extend(
    record: &str,
    body: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let record = record.trim();
    let name = record.rsplit([' ', '\t', '\n']).next().unwrap_or(record);
    if !is_identifier(name) {
        return Err(RuleError::new(
            at,
            format!("%extend is followed by a record's name, got '{record}'"),
        ));
    }
    let mut scanner = Scanner::new(body, &at.file);
    while !scanner.done() {
        let inner = at.line + scanner.at().line - 1;
        let place = RulePlace {
            file: at.file.clone(),
            line: inner,
            column: 0,
        };
        scanner.space();
        if scanner.peek_is(b'%') {
            return Err(RuleError::new(
                &place,
                "directives inside %extend are not supported: write them before it",
            ));
        }
        let statement = scanner.statement();
        let plain = without_comments(statement);
        let text = plain.trim().trim_end_matches(';').trim_end();
        if text.is_empty() {
            continue;
        }
        let Some((head, code)) = function_of(text) else {
            return Err(RuleError::new(
                &place,
                format!(
                    "%extend {name}: expected a function, got '{}'",
                    first_line(text)
                ),
            ));
        };
        let head = head.trim();
        let open = head.find('(').unwrap_or(head.len());
        let before = head[..open].trim();
        let arguments = head[open..].trim();
        let inside = arguments
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .map(str::trim)
            .unwrap_or("");
        let inside = if inside == "void" { "" } else { inside };
        let comma = if inside.is_empty() { "" } else { ", " };
        let method = last_name(head).unwrap_or("");
        let (prototype, function, added) = if before == name {
            let function = format!("new_{name}");
            let inside = if inside.is_empty() { "void" } else { inside };
            (format!("{record} *{function}({inside})"), function, None)
        } else if before.replace(' ', "") == format!("~{name}") {
            let function = format!("delete_{name}");
            (format!("void {function}({record} *self)"), function, None)
        } else if is_identifier(method) && before != method {
            let function = format!("{name}_{method}");
            let result = before
                .strip_suffix(method)
                .unwrap_or(before)
                .replace("static ", "")
                .replace("inline ", "");
            let prototype = format!("{result}{function}({record} *self{comma}{inside})");
            (prototype, function, Some(method.to_owned()))
        } else {
            return Err(RuleError::new(
                &place,
                format!(
                    "%extend {name}: a function has a result and a name, got '{}'",
                    first_line(text)
                ),
            ));
        };
        if let Some(code) = code {
            let code = code.replace("$self", "self");
            append(
                &mut interface.code,
                &format!("{prototype} {code}\n"),
                &place,
            );
            interface.needs_compiler = true;
        }
        interface.source.push_str(&format!("\n{prototype};"));
        interface.lines = interface.lines.saturating_add(1);
        interface.declared.push(function.clone());
        if let Some(method) = added {
            interface.methods.push(Method {
                record: name.to_owned(),
                name: method,
                function,
            });
        }
    }
    Ok(())
}

/// Makes functions visible that are bound and that the code defines for itself.
pub(super) fn finish(interface: &mut Interface) {
    let bound: Vec<String> = interface
        .defined
        .iter()
        .filter(|name| interface.declared.contains(name))
        .cloned()
        .collect();
    if bound.is_empty() {
        return;
    }
    interface.needs_compiler = true;
    let code = std::mem::take(&mut interface.code);
    let mut scanner = Scanner::new(&code, "");
    while !scanner.done() {
        let statement = scanner.statement();
        let plain = without_comments(statement);
        let name = function_of(plain.trim()).and_then(|(head, _)| last_name(head));
        match name.is_some_and(|name| bound.iter().any(|known| known == name)) {
            true => interface.code.push_str(&without_storage(statement)),
            false => interface.code.push_str(statement),
        }
    }
}

/// Adds code, with the line that it is from.
fn append(to: &mut String, code: &str, at: &RulePlace) {
    let file: String = at
        .file
        .chars()
        .filter(|letter| !letter.is_control())
        .collect();
    let file = file.replace('\\', "\\\\").replace('"', "\\\"");
    to.push_str(&format!("\n#line {} \"{file}\"\n", at.line.max(1)));
    to.push_str(code);
    to.push('\n');
}

/// Code whose functions and variables can be seen from outside.
fn exported(code: &str) -> String {
    let mut made = String::with_capacity(code.len());
    let mut scanner = Scanner::new(code, "");
    while !scanner.done() {
        made.push_str(&without_storage(scanner.statement()));
    }
    made
}

/// A declaration without `static` and `inline` before its name.
fn without_storage(statement: &str) -> String {
    let mut probe = Scanner::new(statement, "");
    probe.space();
    let start = probe.offset();
    if statement[start..].starts_with('#') {
        return statement.to_owned();
    }
    let end = statement[start..]
        .find(['(', '{', '=', ';'])
        .map_or(statement.len(), |at| start + at);
    let mut made = statement[..start].to_owned();
    let mut rest = &statement[start..end];
    while let Some(letter) = rest.chars().next() {
        let size = rest
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        let (word, behind) = match size {
            0 => rest.split_at(letter.len_utf8()),
            size => rest.split_at(size),
        };
        match word {
            "static" | "inline" | "__inline" | "__inline__" | "__forceinline__" => {
                made.push_str(&" ".repeat(word.len()));
            }
            word => made.push_str(word),
        }
        rest = behind;
    }
    made + &statement[end..]
}

/// A definition as a declaration; lines stay.
fn declaration(statement: &str) -> String {
    let mut probe = Scanner::new(statement, "");
    probe.space();
    let start = probe.offset();
    let (comments, code) = statement.split_at(start);
    match function_of(code) {
        Some((head, Some(body))) => {
            let lines = "\n".repeat(body.matches('\n').count());
            format!("{comments}{};{lines}", head.trim_end())
        }
        _ => statement.to_owned(),
    }
}

/// A function's head, to the bracket that closes its parameters, and its body. `None` for other code.
fn function_of(text: &str) -> Option<(&str, Option<&str>)> {
    let open = text.find(['(', '{', '=', ';', '#', '"'])?;
    if !text[open..].starts_with('(') {
        return None;
    }
    let first = text.split(|letter: char| !letter.is_alphanumeric()).next();
    if first == Some("typedef") {
        return None;
    }
    let end = open + matching(&text[open..])?;
    let behind = text[end..].trim_start();
    match behind.starts_with('{') {
        true => Some((&text[..end], Some(behind))),
        false if behind.is_empty() || behind.starts_with(';') => Some((&text[..end], None)),
        false => None,
    }
}

/// The name before the parameters.
fn last_name(head: &str) -> Option<&str> {
    let before = head.split('(').next()?.trim_end();
    let start = before
        .rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
    Some(&before[start..]).filter(|name| !name.is_empty())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(60).collect()
}
