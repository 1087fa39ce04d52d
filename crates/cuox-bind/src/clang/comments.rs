//! Comments as text.

/// Longer comments of macros are not read, nor longer lines of conditions: a header may have thousands of macros, and
/// of declarations.
const FAR: usize = 8 << 10;

/// The text of a comment, or of several in a row, without its marks: slashes, stars, Doxygen's `<`, frames of stars or
/// dashes. `None` if nothing is left.
pub fn text(raw: &str) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    let mut openings: Vec<usize> = Vec::new();
    let mut rest = raw;
    while let Some(start) = rest.find('/') {
        let (body, behind) = match rest.as_bytes().get(start + 1) {
            Some(b'*') => {
                let body = &rest[start + 2..];
                let (body, behind) = body.split_once("*/").unwrap_or((body, ""));
                (body.trim_end_matches('*'), behind)
            }
            Some(b'/') => {
                let body = &rest[start + 2..];
                body.split_once('\n').unwrap_or((body, ""))
            }
            _ => break,
        };
        let is_block = rest.as_bytes()[start + 1] == b'*';
        // `/**<`, `/*!`, `//!<`, `///`.
        let body = body.strip_prefix(['*', '!', '/']).unwrap_or(body);
        let body = body.strip_prefix('<').unwrap_or(body);
        let before = lines.len();
        match is_block {
            true => lines.extend(body.lines().map(inner)),
            false => lines.push(body.trim_end()),
        }
        // Text right behind `/*` has no indentation that the next lines could share.
        openings.extend((is_block && before < lines.len()).then_some(before));
        rest = behind;
    }
    for line in &mut lines {
        if is_frame(line) {
            *line = "";
        }
    }
    let blank = |line: &str| line.trim().is_empty();
    let first = lines.iter().position(|line| !blank(line))?;
    let last = lines.iter().rposition(|line| !blank(line))?;
    let counted = (first..=last).filter(|n| !openings.contains(n) && !blank(lines[*n]));
    let indent = counted
        .map(|n| lines[n].len() - lines[n].trim_start().len())
        .min();
    let kept = (first..=last).map(|n| match openings.contains(&n) {
        true => lines[n].trim_start(),
        false => lines[n].get(indent.unwrap_or(0)..).unwrap_or_default(),
    });
    let kept: Vec<&str> = kept.map(str::trim_end).collect();
    Some(kept.join("\n"))
}

/// A line of a block comment without the stars before it.
fn inner(line: &str) -> &str {
    let line = line.trim_end();
    let stars = line.trim_start();
    match stars.starts_with('*') {
        true => stars.trim_start_matches('*'),
        false => line,
    }
}

/// `*****`, `-----`: at least three, and nothing else.
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line
            .chars()
            .all(|c| matches!(c, '*' | '-' | '=' | '/' | '#' | '~' | '_' | '+'))
}

/// True if a comment is marked as documentation.
pub fn is_marked(raw: &str) -> bool {
    let raw = raw.trim_start();
    let marked = ["/**", "/*!", "///", "//!"]
        .iter()
        .any(|mark| raw.starts_with(mark));
    // `/****` and `/**/` are decoration.
    marked && !raw.starts_with("/***") && !raw.starts_with("/**/") && !raw.starts_with("////")
}

/// The comment of a macro, which the compiler does not keep: behind it on its line, or directly before that.
/// `offset` is within the line of its `#define`.
pub fn of_line(source: &[u8], offset: usize) -> Option<String> {
    let before = source.get(..offset)?;
    let start = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let line_end = |from: usize| {
        let rest = &source[from..];
        from + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
    };
    let mut end = line_end(offset);
    // A definition may go on over lines.
    while source[..end].ends_with(b"\\") && end < source.len() {
        end = line_end(end + 1);
    }
    let definition = String::from_utf8_lossy(&source[offset..end]).into_owned();
    if let Some(at) = comment_start(&definition) {
        let mut comment = definition[at..].to_owned();
        if comment.starts_with("/*") && !comment.contains("*/") {
            let rest = &source[end..source.len().min(end + FAR)];
            let rest = String::from_utf8_lossy(rest).into_owned();
            let close = rest.find("*/")?;
            comment.push_str(&rest[..close + 2]);
        }
        if let Some(text) = text(&comment) {
            return Some(text);
        }
    }
    let above = String::from_utf8_lossy(&source[start.saturating_sub(FAR)..start]).into_owned();
    let above = above
        .strip_suffix('\n')?
        .trim_end_matches([' ', '\t', '\r']);
    if above.ends_with("*/") {
        let at = above.rfind("/*")?;
        // A comment behind other code belongs to that.
        let line = above[..at].rsplit('\n').next().unwrap_or("");
        return line.trim().is_empty().then(|| text(&above[at..])).flatten();
    }
    let mut lines = above
        .rsplit('\n')
        .take_while(|line| line.trim_start().starts_with("//"));
    let first = lines.by_ref().last()?;
    let at = first.as_ptr() as usize - above.as_ptr() as usize;
    text(&above[at..])
}

/// The comment that is marked as documentation before the `#if` that a declaration stands behind, where no compiler
/// looks for it.
pub fn before_condition(source: &[u8], offset: usize) -> Option<String> {
    let mut above = source.get(..offset)?.trim_ascii_end();
    let mut conditions = 0;
    loop {
        let line = &above[above.len().saturating_sub(FAR)..];
        let start = match line.iter().rposition(|&b| b == b'\n') {
            Some(at) => above.len() - line.len() + at + 1,
            None if line.len() == above.len() => 0,
            // Thousands of declarations may be on this line, and none is worth going through all of it.
            None => break,
        };
        if !above[start..].trim_ascii_start().starts_with(b"#if") {
            break;
        }
        conditions += 1;
        above = above[..start].trim_ascii_end();
    }
    if conditions == 0 || !above.ends_with(b"*/") {
        return None;
    }
    let start = above.windows(2).rposition(|pair| pair == b"/*")?;
    let raw = String::from_utf8_lossy(&above[start..]).into_owned();
    is_marked(&raw).then_some(raw)
}

/// The index at which a comment begins in a line of code, outside of literals.
fn comment_start(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut quote = None;
    let mut at = 0;
    while at < bytes.len() {
        match (quote, bytes[at]) {
            (Some(_), b'\\') => at += 1,
            (Some(q), b) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(bytes[at]),
            (None, b'/') if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => return Some(at),
            (None, _) => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_a_comment_one_is_stripped() {
        let cases = [
            ("/* plain */", Some("plain")),
            (
                "/** \\brief Does it.\n *\n * Twice:\n *   x\n */",
                Some("\\brief Does it.\n\nTwice:\n  x"),
            ),
            ("/*!< behind */", Some("behind")),
            ("//!< behind", Some("behind")),
            ("/// one\n/// two", Some("one\ntwo")),
            ("// one\n    // two", Some("one\ntwo")),
            (
                "/*\n** CAPI3REF: Open\n** METHOD: db\n*/",
                Some("CAPI3REF: Open\nMETHOD: db"),
            ),
            (
                "/*\n   no stars\n     deeper\n */",
                Some("no stars\n  deeper"),
            ),
            ("/************\n * framed\n ************/", Some("framed")),
            ("/**** A frame ****/", Some("A frame")),
            ("/**/", None),
            ("/* unclosed", Some("unclosed")),
            ("/*----*/", None),
            ("", None),
            ("/", None),
            ("/* a */ /* b */", Some("a\nb")),
            ("/* é * ü */", Some("é * ü")),
        ];
        for (raw, expected) in cases {
            assert_eq!(text(raw).as_deref(), expected, "{raw:?}");
        }
    }

    #[test]
    fn a_condition_may_follow_a_comment() {
        let of = |source: &str| before_condition(source.as_bytes(), source.find("int").unwrap());
        assert_eq!(
            of("/** Own. */\n#ifndef A\n#if B\n\nint f;").as_deref(),
            Some("/** Own. */")
        );
        assert_eq!(of("/* Plain. */\n#ifndef A\nint f;"), None);
        assert_eq!(of("/** Another's. */\nvoid g;\n#if A\nint f;"), None);
        assert_eq!(of("/** Own. */\nint f;"), None);
        assert_eq!(of("int f;"), None);
    }

    #[test]
    fn macros_have_comments() {
        let of = |source: &str| {
            let offset = source.find("NAME").unwrap();
            of_line(source.as_bytes(), offset)
        };
        assert_eq!(of("#define NAME 1 /* one */\n").as_deref(), Some("one"));
        assert_eq!(of("#define NAME \"// no\"\n"), None);
        assert_eq!(of("#define NAME 1 // one").as_deref(), Some("one"));
        assert_eq!(
            of("/* before */\n#define NAME 1\n").as_deref(),
            Some("before")
        );
        assert_eq!(of("int x; /* x's */\n#define NAME 1\n"), None);
        assert_eq!(of("/* far */\n\n#define NAME 1\n"), None);
        assert_eq!(of("// a\n// b\n#define NAME 1\n").as_deref(), Some("a\nb"));
        assert_eq!(
            of("#define NAME 1 /* over\n two lines */\n").as_deref(),
            Some("over\ntwo lines")
        );
        assert_eq!(of("#define NAME \\\n  1 /* two */").as_deref(), Some("two"));
        assert_eq!(of("NAME"), None);
    }
}
