//! C code in an interface file: what it defines is compiled into a library of its own, and its declarations are for
//! clang to read.

use super::super::{RuleError, RulePlace};
use super::c_text::{append, function_of, last_name, static_variable};
use super::parameter::Declared;
use super::scan::{Scanner, split, without_comments};
use super::{Interface, Open};

type Result<T> = std::result::Result<T, RuleError>;

/// The code of `%{ %}` and its like: compiled if anything of it is bound; its includes and types are read as well.
pub(super) fn block(code: &str, at: &RulePlace, interface: &mut Interface, open: Open<'_>) {
    append(&mut interface.code, code, at);
    for line in code.lines() {
        let Some(name) = included(line) else {
            continue;
        };
        if !interface.prelude.iter().any(|known| known == name) {
            interface.prelude.push(name.to_owned());
            interface.header_places.push((name.to_owned(), at.clone()));
            if line.contains('"') {
                header(name, interface, open);
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
        if text.starts_with('#') {
            interface.types.push_str(text);
            interface.types.push('\n');
        } else if let Some((head, body)) = function {
            if body.is_some()
                && let Some(name) = last_name(head)
            {
                interface.defined.push(name.to_owned());
            }
        } else if let Some(name) = static_variable(text) {
            interface.defined.push(name.to_owned());
        } else if ["typedef", "struct", "union", "enum"].contains(&first) && text.ends_with(';') {
            interface.types.push_str(statement);
            interface.types.push('\n');
        }
    }
}

/// The header that a line includes.
pub fn included(line: &str) -> Option<&str> {
    let directive = line.trim().strip_prefix('#').map(str::trim_start)?;
    let name = directive.strip_prefix("include")?.trim();
    let end = name.find("/*").or_else(|| name.find("//"));
    let quoted = name.starts_with('<') || name.starts_with('"');
    let name = match quoted.then(|| name[1..].find(['>', '"'])).flatten() {
        Some(length) => &name[1..=length],
        None => name[..end.unwrap_or(name.len())].trim(),
    };
    Some(name).filter(|name| !name.is_empty())
}

/// Functions that a header of the project defines for whoever includes it.
fn header(file: &str, interface: &mut Interface, open: Open<'_>) {
    if interface.headers_seen.iter().any(|seen| seen == file) || interface.headers_seen.len() > 100
    {
        return;
    }
    interface.headers_seen.push(file.to_owned());
    let Ok((text, _)) = open(file, "") else {
        return;
    };
    for line in text.lines().filter(|line| line.contains('"')) {
        if let Some(inner) = included(line) {
            header(inner, interface, open);
        }
    }
    let mut scanner = Scanner::new(&text, file);
    while !scanner.done() {
        let plain = without_comments(scanner.statement());
        let text = plain.trim();
        let function = function_of(text)
            .filter(|(_, body)| body.is_some() && text.starts_with("static"))
            .and_then(|(head, _)| last_name(head));
        if let Some(name) = function.or_else(|| static_variable(text)) {
            interface
                .header_functions
                .push((name.to_owned(), file.to_owned()));
        }
    }
    interface.header_texts.push_str(&text);
    interface.header_texts.push('\n');
}

/// The code of `%inline`: compiled, and bound.
pub(super) fn inline(
    code: &str,
    at: &RulePlace,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    append(&mut interface.code, &without_defaults(&exported(code)), at);
    interface.needs_compiler = true;
    let before = std::mem::replace(&mut interface.inside_code, true);
    let result = super::read_from(Scanner::from(code, at), interface, open, depth);
    interface.inside_code = before;
    result
}

/// Code of functions whose parameters have defaults, which C has not.
fn without_defaults(code: &str) -> String {
    let mut made = String::with_capacity(code.len());
    let mut scanner = Scanner::new(code, "");
    while !scanner.done() {
        let statement = scanner.statement();
        let mut probe = Scanner::new(statement, "");
        probe.space();
        let start = probe.offset();
        let plain = without_comments(&statement[start..]);
        let head = function_of(plain.trim_end()).and_then(|(head, body)| body.map(|_| head.len()));
        let head = head
            .filter(|end| plain[..*end].contains('='))
            .and_then(|end| {
                let head = plain.get(..end)?;
                let open = head.find('(')?;
                let list = split(head.get(open + 1..end - 1)?);
                let list: Vec<String> =
                    list.into_iter().map(|it| Declared::read(it).text).collect();
                Some((format!("{}({})", &head[..open], list.join(", ")), end))
            });
        match head {
            Some((head, end)) => {
                made.push_str(&statement[..start]);
                made.push_str(&head);
                made.push_str(statement.get(start + end..).unwrap_or(""));
            }
            None => made.push_str(statement),
        }
    }
    made
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
    let mut words = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    if words.any(|word| word.starts_with("Py")) {
        // It needs the GIL, which nobody holds while a library is loaded.
        append(&mut interface.python_init, &rest, at);
        interface.needs_compiler = true;
        return;
    }
    interface.inits += 1;
    // It may be about all that the file defines.
    let code = &mut interface.last_code;
    code.push_str(&format!(
        "\n__attribute__((constructor)) static void cuox_init_{}(void) {{",
        interface.inits
    ));
    append(code, &rest, at);
    code.push_str("\n}\n");
    interface.needs_compiler = true;
}

/// Declares the function that frees texts, if only the code of `%{ %}` has it.
pub(super) fn declare_newfree(interface: &mut Interface) -> Result<()> {
    let Some(name) = interface.newfree.clone() else {
        return Ok(());
    };
    if interface.declared.contains(&name) || !interface.defined.contains(&name) {
        return Ok(());
    }
    let code = interface.code.clone();
    let mut scanner = Scanner::new(&code, "");
    while !scanner.done() {
        let plain = without_comments(scanner.statement());
        if let Some((head, Some(_))) = function_of(plain.trim())
            && last_name(head) == Some(&name)
        {
            interface.declare(&without_storage(head), &RulePlace::whole("%{ %}"))?;
            return Ok(());
        }
    }
    Ok(())
}

/// Makes functions visible that are bound and that the code defines for itself.
pub(super) fn finish(interface: &mut Interface) {
    let bound = interface.defined.iter();
    let bound: Vec<String> = bound
        .filter(|name| interface.declared.contains(name))
        .cloned()
        .collect();
    // All that a header has is bound, if the header is.
    let of_headers = interface.header_functions.iter().filter(|(name, file)| {
        interface.declared.contains(name) || interface.headers.contains(file)
    });
    let mut static_names: Vec<String> = of_headers.map(|(name, _)| name.clone()).collect();
    static_names.dedup();
    if !bound.is_empty() {
        interface.needs_compiler = true;
        let code = std::mem::take(&mut interface.code);
        let mut scanner = Scanner::new(&code, "");
        while !scanner.done() {
            let statement = scanner.statement();
            let plain = without_comments(statement);
            let text = plain.trim();
            let name = function_of(text).and_then(|(head, _)| last_name(head));
            match name
                .or_else(|| static_variable(text))
                .is_some_and(|name| bound.iter().any(|known| known == name))
            {
                true => interface.code.push_str(&without_storage(statement)),
                false => interface.code.push_str(statement),
            }
        }
    }
    // A static function or variable of a header gets a symbol that can be found.
    for name in &static_names {
        interface.needs_compiler = true;
        interface
            .code
            .push_str(&format!("\n__attribute__((used)) static const void *const cuox_place_of_{name} = (const void *)&{name};\n__asm__(\".globl {name}\");\n"));
    }
    interface.static_names = static_names;
    let last = std::mem::take(&mut interface.last_code);
    interface.code.push_str(&last);
    let last = std::mem::take(&mut interface.last_source);
    interface.source.push_str(&last);
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

/// A definition as a declaration of what can be seen from outside; lines stay.
pub(super) fn declaration(statement: &str) -> String {
    let statement = &without_storage(statement);
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
