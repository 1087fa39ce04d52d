//! Statements of a PTX text at module scope, found without parsing it.

/// The first word behind comments.
pub fn directive(statement: &str) -> &str {
    uncommented(statement)
        .split_whitespace()
        .next()
        .unwrap_or("")
}

/// The statement without the comments in front of it.
pub fn uncommented(statement: &str) -> &str {
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

pub fn is_extern(statement: &str) -> bool {
    directive(statement) == ".extern"
}

/// True if a statement defines something that other texts can see.
pub fn is_definition(statement: &str) -> bool {
    // A function without a body is a declaration.
    let declared_only = statement.contains(".func") && !statement.trim_end().ends_with('}');
    matches!(
        directive(statement),
        ".visible" | ".weak" | ".common" | ".entry"
    ) && !declared_only
}

/// True if a statement defines something that other texts cannot see.
pub fn is_private(statement: &str) -> bool {
    matches!(
        directive(statement),
        ".global" | ".const" | ".shared" | ".func" | ".local"
    )
}

pub fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_$%".contains(c)
}

/// The name that a module-scope statement declares or defines.
pub fn symbol(statement: &str) -> Option<&str> {
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
pub fn statements(text: &str) -> Vec<&str> {
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
