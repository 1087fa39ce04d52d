//! Functions in C text.

use super::super::RulePlace;
use super::scan::matching;

/// A function's head, to the bracket that closes its parameters, and its body. `None` for other code.
pub(super) fn function_of(text: &str) -> Option<(&str, Option<&str>)> {
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

/// The name of a variable that `static` hides, where it is defined.
pub(super) fn static_variable(text: &str) -> Option<&str> {
    let text = text.strip_prefix("static")?;
    let end = text.find(['=', '[', ';', '(', '{', ','])?;
    let value = !text[end..].starts_with(['(', '{', ',']);
    last_name(&text[..end]).filter(|_| value && text[..end].starts_with(char::is_whitespace))
}

/// The name before the parameters.
pub(super) fn last_name(head: &str) -> Option<&str> {
    let before = head.split('(').next()?.trim_end();
    let start = before
        .rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
    Some(&before[start..]).filter(|name| !name.is_empty())
}

/// The first line of a text, for messages.
pub(super) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(60).collect()
}

/// Adds code, with the line that it is from.
pub(super) fn append(to: &mut String, code: &str, at: &RulePlace) {
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
