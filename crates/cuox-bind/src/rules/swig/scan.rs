//! The text of an interface file, piece by piece.

use std::sync::Arc;

use super::super::{RuleError, RulePlace};
use super::condition::Line;

/// The position of the reader in a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    place: usize,
    line: u32,
    line_start: usize,
    file: Arc<str>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, file: &str) -> Self {
        Self {
            text,
            place: 0,
            line: 1,
            line_start: 0,
            file: file.into(),
        }
    }

    /// Goes on counting lines from a place.
    pub(super) fn from(text: &'a str, at: &RulePlace) -> Self {
        Self {
            line: at.line,
            ..Self::new(text, &at.file)
        }
    }

    /// The place of the next character.
    pub(super) fn at(&self) -> RulePlace {
        let column = self.text[self.line_start..self.place].chars().count() + 1;
        RulePlace {
            file: self.file.clone(),
            line: self.line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// The number of bytes before the next character.
    pub(super) fn offset(&self) -> usize {
        self.place
    }

    fn rest(&self) -> &'a str {
        &self.text[self.place..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    pub(super) fn peek_is(&self, byte: u8) -> bool {
        self.peek() == Some(byte)
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn done(&self) -> bool {
        self.place >= self.text.len()
    }

    /// Goes on by bytes, which must end between characters.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let taken = &self.text[self.place..self.place + bytes];
        for (at, byte) in taken.bytes().enumerate() {
            if byte == b'\n' {
                self.line = self.line.saturating_add(1);
                self.line_start = self.place + at + 1;
            }
        }
        self.place += bytes;
        taken
    }

    /// Takes this text if it comes next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.advance(text.len());
        }
        found
    }

    /// Skips white space and comments.
    pub(super) fn space(&mut self) {
        loop {
            let rest = self.rest();
            let white = rest.len() - rest.trim_start().len();
            self.advance(white);
            let rest = self.rest();
            let comment = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.get(2..)
                    .and_then(|rest| rest.find("*/"))
                    .map_or(rest.len(), |end| end + 4)
            } else {
                return;
            };
            self.advance(comment);
        }
    }

    /// A name.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        (length > 0).then(|| self.advance(length))
    }

    /// The next character.
    pub(super) fn one(&mut self) -> &'a str {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        self.advance(length)
    }

    /// A string in quotation marks, of which this is the inside; escapes are left as they are.
    pub(super) fn string(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let quote = rest
            .bytes()
            .next()
            .filter(|byte| matches!(byte, b'"' | b'\''))?;
        let mut escaped = false;
        for (at, byte) in rest.bytes().enumerate().skip(1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                byte if byte == quote => {
                    let whole = self.advance(at + 1);
                    return Some(&whole[1..at]);
                }
                _ => {}
            }
        }
        None
    }

    /// Everything to `%}`, which is taken too.
    pub(super) fn until_close(&mut self, opened: &RulePlace) -> Result<&'a str, RuleError> {
        match self.rest().find("%}") {
            Some(length) => {
                let inside = self.advance(length);
                self.advance(2);
                Ok(inside)
            }
            None => Err(RuleError::new(opened, "this %{ is not closed by %}")),
        }
    }

    /// The text in the brackets that come next, strings and brackets inside included.
    pub(super) fn bracket(&mut self) -> Result<Option<&'a str>, RuleError> {
        let open = match self.peek() {
            Some(open @ (b'(' | b'{' | b'[')) => open,
            _ => return Ok(None),
        };
        let at = self.at();
        match matching(self.rest()) {
            Some(length) => {
                let whole = self.advance(length);
                Ok(Some(&whole[1..length - 1]))
            }
            None => {
                let open = open as char;
                Err(RuleError::new(&at, format!("this {open} is not closed")))
            }
        }
    }

    /// The rest of a directive, to its semicolon, which is taken too.
    pub(super) fn take_to_semicolon(&mut self) -> &'a str {
        let rest = self.rest();
        let mut inside = TextContext::default();
        let bytes = rest.as_bytes();
        for at in 0..bytes.len() {
            if !inside.step(bytes, at) || inside.depth > 0 {
                continue;
            }
            if bytes[at] == b';' {
                let text = self.advance(at);
                self.advance(1);
                return text;
            }
            // A macro's use may have the semicolon.
            if bytes[at] == b')' && next_is_directive(&rest[at + 1..]) {
                return self.advance(at + 1);
            }
        }
        self.advance(rest.len())
    }

    /// Everything to this text, which is taken too.
    pub(super) fn until(&mut self, end: &str) -> Option<&'a str> {
        let length = self.rest().find(end)?;
        let inside = self.advance(length);
        self.advance(end.len());
        Some(inside)
    }

    /// Skips blanks on the line.
    pub(super) fn blanks(&mut self) {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.advance(length);
    }

    /// The name that comes next behind space and comments, if it is one; nothing is taken.
    pub(super) fn peek_name(&self) -> Option<&'a str> {
        let mut probe = Scanner::new(self.rest(), "");
        probe.space();
        let rest = probe.rest();
        let length = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        let name = rest.get(..length).filter(|name| !name.is_empty())?;
        (!name.as_bytes()[0].is_ascii_digit()).then_some(name)
    }

    /// A line that begins, changes or ends a condition, if it comes next, behind space and comments.
    pub(super) fn condition(&mut self) -> Option<Line> {
        let mut probe = Scanner::new(self.rest(), "");
        probe.space();
        let place = probe.place;
        let word = word_of_line(probe.rest())?;
        if !["if", "ifdef", "ifndef", "elif", "else", "endif"].contains(&word) {
            return None;
        }
        self.advance(place);
        Some(self.line(word))
    }

    /// The next line of the preprocessor, wherever it is.
    pub(super) fn next_line(&mut self) -> Option<Line> {
        loop {
            if self.done() {
                return None;
            }
            self.take_to_line_end();
            self.take("\n");
            self.blanks();
            if let Some(word) = word_of_line(self.rest()) {
                return Some(self.line(word));
            }
        }
    }

    /// Takes a line of the preprocessor, with those that a backslash joins to it.
    fn line(&mut self, word: &'a str) -> Line {
        let at = self.at();
        let mut text = String::new();
        loop {
            let part = self.take_to_line_end();
            match part.trim_end_matches('\r').strip_suffix('\\') {
                Some(part) if !self.done() => {
                    text.push_str(part);
                    text.push(' ');
                    self.take("\n");
                }
                _ => {
                    text.push_str(part);
                    break;
                }
            }
        }
        let rest = text.split_once(word).map_or("", |(_, rest)| rest);
        Line {
            word: word.to_owned(),
            rest: rest.to_owned(),
            at,
        }
    }

    /// The rest of the line.
    pub(super) fn take_to_line_end(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find('\n').unwrap_or(rest.len());
        self.advance(length)
    }

    /// C text up to the end of a declaration or of a preprocessor's line, with the white space and the comments before
    /// it.
    pub(super) fn statement(&mut self) -> &'a str {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let start = {
            let mut probe = Scanner::new(rest, "");
            probe.space();
            probe.place
        };
        match bytes.get(start) {
            // A directive, or nothing but white space.
            None | Some(b'%') => return self.advance(start.max(1).min(bytes.len())),
            Some(b'#') => {
                let mut at = start;
                while at < bytes.len() {
                    if bytes[at] == b'\n' && bytes[at - 1] != b'\\' {
                        break;
                    }
                    at += 1;
                }
                return self.advance(at);
            }
            Some(_) => {}
        }
        let mut inside = TextContext::default();
        // The parameters of a function stand before the brace of its body.
        let mut head = None;
        for at in start..bytes.len() {
            if !inside.step(bytes, at) {
                continue;
            }
            if bytes[at] == b'{' && head.is_none() {
                head = Some(&rest[start..at]);
            }
            let ends = match bytes[at] {
                b';' => inside.depth <= 0,
                // A macro's use has no semicolon, and a directive is no C.
                b'\n' if inside.depth <= 0 => {
                    let mut probe = Scanner::new(&rest[at..], "");
                    probe.space();
                    match probe.rest().as_bytes() {
                        [b'%', letter, ..] => letter.is_ascii_alphabetic() || *letter == b'{',
                        [b'#', ..] => without_comments(&rest[start..at])
                            .trim_end()
                            .ends_with([')', '}']),
                        _ => false,
                    }
                }
                // A function's body ends without a semicolon; a record's does not.
                b'}' => {
                    let after = rest[at + 1..].trim_start();
                    let goes_on = after.starts_with(|next: char| {
                        next == ';' || next.is_alphanumeric() || next == '*' || next == '_'
                    });
                    inside.depth <= 0 && (!goes_on || head.is_some_and(|head| head.contains(')')))
                }
                _ => false,
            };
            if ends {
                return self.advance(at + 1);
            }
        }
        self.advance(rest.len())
    }
}

/// The text of a string, with its escapes.
pub(super) fn unquoted(text: &str) -> String {
    let inside = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(text);
    inside
        .replace("\\n", "\n")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
}

/// The code of a directive: `%{ … %}` or `{ … }`.
pub(super) fn code_block(
    scanner: &mut Scanner<'_>,
    name: &str,
    at: &RulePlace,
) -> Result<String, RuleError> {
    scanner.space();
    if scanner.take("%{") {
        return scanner.until_close(at).map(str::to_owned);
    }
    match scanner.peek_is(b'{') {
        true => Ok(scanner.bracket()?.unwrap_or("").to_owned()),
        false => Err(RuleError::new(at, format!("%{name} is followed by %{{"))),
    }
}

/// A semicolon behind a directive that needs none.
pub(super) fn end(scanner: &mut Scanner<'_>) {
    scanner.space();
    scanner.take(";");
}

/// The name that a feature is for, before its value.
pub(super) fn feature_target(scanner: &mut Scanner<'_>) -> String {
    let mut text = String::new();
    while !scanner.done()
        && !scanner.peek_is(b'"')
        && !scanner.peek_is(b'{')
        && !scanner.peek_is(b'%')
        && !scanner.peek_is(b';')
    {
        match scanner.name() {
            Some(name) => text.push_str(name),
            None => text.push_str(scanner.one()),
        }
    }
    text
}

/// The text before a brace or a semicolon.
pub(super) fn scanner_until_brace(scanner: &mut Scanner<'_>) -> String {
    let mut text = String::new();
    while !scanner.done() && !scanner.peek_is(b'{') && !scanner.peek_is(b';') {
        match scanner.name() {
            Some(name) => text.push_str(name),
            None => text.push_str(scanner.one()),
        }
    }
    text
}

/// True if the next line with anything in it begins with a directive or belongs to the preprocessor.
fn next_is_directive(text: &str) -> bool {
    let behind = text.trim_start_matches([' ', '\t', '\r']);
    if !behind.starts_with('\n') && !behind.starts_with('/') {
        return false;
    }
    let mut probe = Scanner::new(text, "");
    probe.space();
    match probe.rest().as_bytes() {
        [b'%', letter, ..] => letter.is_ascii_alphabetic() || *letter == b'{',
        [b'#', ..] => true,
        _ => false,
    }
}

/// True if a statement is a line of the preprocessor.
pub(super) fn is_line(text: &str) -> bool {
    let mut probe = Scanner::new(text, "");
    probe.space();
    probe.peek_is(b'#')
}

/// True if there are directives, or lines of the preprocessor, in a text.
pub(super) fn has_directive(text: &str) -> bool {
    let starts = |line: &str| line.trim_start().starts_with('#');
    without_comments(text)
        .split('%')
        .skip(1)
        .any(|behind| behind.starts_with(|next: char| next.is_ascii_alphabetic() || next == '{'))
        || text.lines().any(starts)
}

/// The first word of a line of the preprocessor.
fn word_of_line(text: &str) -> Option<&str> {
    let text = text.strip_prefix('#')?.trim_start_matches([' ', '\t']);
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic());
    let word = &text[..end.unwrap_or(text.len())];
    (!word.is_empty()).then_some(word)
}

/// The surroundings of a place in C text.
#[derive(Default)]
struct TextContext {
    depth: i32,
    quote: Option<u8>,
    escaped: bool,
    line_comment: bool,
    comment: bool,
}

impl TextContext {
    /// Goes on by a byte; says whether it is code.
    fn step(&mut self, bytes: &[u8], at: usize) -> bool {
        let byte = bytes[at];
        if self.line_comment {
            self.line_comment = byte != b'\n';
            return false;
        }
        if self.comment {
            let ends = byte == b'/' && at > 0 && bytes[at - 1] == b'*';
            self.comment = !ends;
            return false;
        }
        if let Some(quote) = self.quote {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                byte if byte == quote => self.quote = None,
                _ => {}
            }
            return false;
        }
        match (byte, bytes.get(at + 1)) {
            (b'"' | b'\'', _) => {
                self.quote = Some(byte);
                return false;
            }
            (b'/', Some(b'/')) => {
                self.line_comment = true;
                return false;
            }
            (b'/', Some(b'*')) => {
                self.comment = true;
                return false;
            }
            (b'(' | b'{' | b'[', _) => self.depth += 1,
            (b')' | b'}' | b']', _) => self.depth -= 1,
            _ => {}
        }
        true
    }
}

/// The length of the text that begins with a bracket and ends with the one that closes it.
pub(super) fn matching(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut inside = TextContext::default();
    (0..bytes.len()).find_map(|at| {
        let code = inside.step(bytes, at);
        (code && inside.depth == 0).then_some(at + 1)
    })
}

/// Text without its comments.
pub(super) fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut inside = TextContext::default();
    let mut kept = Vec::with_capacity(bytes.len());
    for at in 0..bytes.len() {
        let was_comment = inside.comment || inside.line_comment;
        inside.step(bytes, at);
        match was_comment || inside.comment || inside.line_comment {
            true => kept.push(b' '),
            false => kept.push(bytes[at]),
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// Splits at commas that are outside brackets and strings.
pub(super) fn split(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut inside = TextContext::default();
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 0..bytes.len() {
        if inside.step(bytes, at) && bytes[at] == b',' && inside.depth == 0 {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() || !parts.is_empty() {
        parts.push(last);
    }
    parts
}
