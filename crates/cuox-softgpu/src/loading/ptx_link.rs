//! Linking PTX texts of separately compiled modules into one.
//!
//! A text that declares a symbol `.extern` which another one defines cannot be loaded alone. Texts are joined
//! by dropping all but one header and declarations that came before; a name that a text keeps to itself gets a suffix when
//! another text has it too. Texts that do not need each other stay apart.

use std::collections::HashSet;

/// Joins the texts that refer to each other; otherwise answers them as they are.
pub fn link(texts: Vec<String>) -> Vec<String> {
    if texts.len() < 2 {
        return texts;
    }
    let split: Vec<Vec<&str>> = texts.iter().map(|t| statements(t)).collect();
    let defined: HashSet<&str> = split
        .iter()
        .flatten()
        .filter(|s| is_definition(s))
        .filter_map(|s| symbol(s))
        .collect();
    let wanted = |s: &&&str| is_extern(s) && symbol(s).is_some_and(|n| defined.contains(n));
    if !split.iter().flatten().any(|s| wanted(&s)) {
        return texts;
    }
    let mut joined = String::new();
    let mut externs = HashSet::new();
    let mut weak = HashSet::new();
    let mut seen = HashSet::new();
    for (i, part) in split.iter().enumerate() {
        let own: HashSet<&str> = part
            .iter()
            .filter(|s| is_private(s))
            .filter_map(|s| symbol(s))
            .collect();
        let twice: HashSet<&str> = own
            .into_iter()
            .filter(|n| seen.contains(n) || defined.contains(n))
            .collect();
        seen.extend(part.iter().filter_map(|s| symbol(s)));
        for s in part {
            let head = directive(s);
            let header = [".version", ".target", ".address_size"].contains(&head);
            if header && i > 0 {
                continue;
            }
            let name = symbol(s);
            // The same outside function may be declared in each text, and a weak one be defined in each.
            if is_extern(s) && name.is_some_and(|n| !externs.insert(n)) {
                continue;
            }
            if head == ".weak" && is_definition(s) && name.is_some_and(|n| !weak.insert(n)) {
                continue;
            }
            push_renamed(&mut joined, s, &twice, i);
            joined.push('\n');
        }
    }
    vec![joined]
}

/// The first word behind comments.
pub fn directive(statement: &str) -> &str {
    uncommented(statement)
        .split_whitespace()
        .next()
        .unwrap_or("")
}

/// The statement without the comments in front of it.
fn uncommented(statement: &str) -> &str {
    let mut rest = statement.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix("//") {
            rest = after.split_once('\n').map_or("", |(_, r)| r).trim_start();
        } else if let Some(after) = rest.strip_prefix("/*") {
            rest = after.split_once("*/").map_or("", |(_, r)| r).trim_start();
        } else {
            return rest;
        }
    }
}

fn is_extern(statement: &str) -> bool {
    directive(statement) == ".extern"
}

/// True if a statement defines something that other texts can see.
fn is_definition(statement: &str) -> bool {
    // A function without a body is a declaration.
    let declared_only = statement.contains(".func") && !statement.trim_end().ends_with('}');
    matches!(
        directive(statement),
        ".visible" | ".weak" | ".common" | ".entry"
    ) && !declared_only
}

/// True if a statement defines something that other texts cannot see.
fn is_private(statement: &str) -> bool {
    matches!(
        directive(statement),
        ".global" | ".const" | ".shared" | ".func" | ".local"
    )
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_$%".contains(c)
}

/// Appends a statement in which each of `names` has the text's number behind it.
fn push_renamed(to: &mut String, statement: &str, names: &HashSet<&str>, text: usize) {
    if names.is_empty() {
        to.push_str(statement);
        return;
    }
    let mut rest = statement;
    while let Some(start) = rest.find(is_name) {
        let end = rest[start..]
            .find(|c| !is_name(c))
            .map_or(rest.len(), |n| start + n);
        to.push_str(&rest[..end]);
        if names.contains(&rest[start..end]) {
            to.push_str("$of");
            to.push_str(&text.to_string());
        }
        rest = &rest[end..];
    }
    to.push_str(rest);
}

/// The name that a module-scope statement declares or defines.
fn symbol(statement: &str) -> Option<&str> {
    let text = uncommented(statement);
    let name_of = |t: &'static str| -> Option<&str> {
        let mut rest = text.split_once(t)?.1.trim_start();
        if let Some(after) = rest.strip_prefix('(') {
            rest = after.split_once(')')?.1.trim_start();
        }
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        Some(&rest[..end]).filter(|n| !n.is_empty())
    };
    if let Some(name) = name_of(".func").or_else(|| name_of(".entry")) {
        return Some(name);
    }
    // A variable: the last word before an array bound, an initial value, or the end.
    let head = text.split(['[', '=', ';']).next()?;
    let name = head.split_whitespace().next_back()?;
    (directive(statement).starts_with('.') && name.chars().all(is_name)).then_some(name)
}

/// Module-scope statements: each ends with `;`, with `}`, or (headers) with its line.
fn statements(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut at, mut depth) = (0, 0, 0usize);
    let mut initial_value = false;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at..].find("*/").map_or(bytes.len(), |n| at + n + 2);
                continue;
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'=' if depth == 0 => initial_value = true,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && !initial_value {
                    found.push(&text[start..=at]);
                    start = at + 1;
                }
            }
            b';' if depth == 0 => {
                found.push(&text[start..=at]);
                start = at + 1;
                initial_value = false;
            }
            b'\n' if depth == 0 => {
                let line = uncommented(&text[start..at]);
                let alone = [".version", ".target", ".address_size", ".file", ".loc"];
                if alone.iter().any(|d| line.starts_with(d)) {
                    found.push(&text[start..at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    if !text[start..].trim().is_empty() {
        found.push(&text[start..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "// first { ;\n.version 9.0\n.target sm_90\n.address_size 64\n\n.extern .func (.param .b32 r) twice\n(\n\t.param .b32 a\n)\n;\n.extern .func (.param .b32 r) vprintf (.param .b64 f);\n.extern .global .align 4 .u32 total;\n.visible .entry k(\n.param .u64 p\n)\n{\n\tret; // }\n}\n";
    const B: &str = ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 f);\n.visible .global .align 4 .u32 total = 3;\n.global .align 1 .b8 $str[3] = {37, 100, 0};\n.visible .func (.param .b32 r) twice(\n.param .b32 a\n)\n{\n\tret;\n}\n";

    #[test]
    fn texts_that_need_each_other_are_joined() {
        let joined = link(vec![A.into(), B.into()]);
        assert_eq!(joined.len(), 1);
        let text = &joined[0];
        assert_eq!(text.matches(".version").count(), 1);
        // Declared, then defined.
        assert_eq!(text.matches("twice").count(), 2);
        assert_eq!(text.matches("total").count(), 2);
        assert_eq!(text.matches("vprintf").count(), 1);
        assert!(text.contains("$str[3] = {37, 100, 0};") && text.contains(".entry k"));
    }

    #[test]
    fn private_names_do_not_collide() {
        let mine =
            ".global .align 1 .b8 $str[2] = {1, 0};\n.func helper()\n{\n\tmov.u64 %rd1, $str;\n}\n";
        let joined = link(vec![format!("{A}{mine}"), format!("{B}{mine}")]).remove(0);
        assert_eq!(joined.matches(".b8 $str[").count(), 1);
        assert_eq!(
            joined.matches("$str$of1[").count(),
            2,
            "B has two of its own"
        );
        assert!(
            joined.contains("mov.u64 %rd1, $str;") && joined.contains("mov.u64 %rd1, $str$of1;")
        );
        assert!(joined.contains("helper()") && joined.contains("helper$of1()"));
    }

    #[test]
    fn others_stay_apart() {
        let two = vec![A.to_string(), A.to_string()];
        assert_eq!(link(two.clone()), two);
        assert_eq!(link(vec!["{ unbalanced".into(), "\" open".into()]).len(), 2);
    }
}
