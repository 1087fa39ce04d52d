//! Text to tokens, one at a time. A character that fits nowhere is reported and skipped.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The kind of a token; its text is found by its span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A name: `foo`, `%r1`, `$L__BB0_1`, `_`.
    Ident,
    /// A dot and the word after it, `::` included: `.shared::cta`.
    Dotted,
    Int {
        value: u64,
        unsigned: bool,
    },
    /// `0f…`
    F32(u32),
    /// `0d…` or a decimal number with a point or an exponent.
    F64(u64),
    /// The quotes are part of the span.
    Str,
    Punct(u8),
    Shl,
    Shr,
    LessEqual,
    GreaterEqual,
    EqualEqual,
    NotEqual,
    AndAnd,
    OrOr,
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// Invalid characters are reported this often; a binary file would give thousands.
const MAX_ERRORS: usize = 20;

#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    pub(crate) errors: Vec<Diagnostic>,
}

/// Bytes that continue a name.
pub(crate) fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$'
}

fn is_name_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$'
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            errors: Vec::new(),
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn error(&mut self, start: usize, end: usize, message: String) {
        if self.errors.len() < MAX_ERRORS {
            let span = Span::new(start as u32, end as u32);
            self.errors
                .push(Diagnostic::error("E-token", span, message));
        }
    }

    /// The offset from which the next token is looked for.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Goes on from another offset, which must be a character boundary.
    pub(crate) fn seek(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    /// The end of the dotted word that starts at `from`: `add.s32`, `ld.shared::cta.u32`.
    pub(crate) fn dotted_end(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.byte(at) {
                b if is_word(b) => at += 1,
                b'.' if is_word(self.byte(at + 1)) => at += 2,
                b':' if self.byte(at + 1) == b':' && is_word(self.byte(at + 2)) => at += 3,
                _ => return at,
            }
        }
    }

    /// The end of the run of NULs that starts at `from`; `from` if there is none.
    fn nul_run(&self, from: usize) -> usize {
        let rest = &self.bytes[from.min(self.bytes.len())..];
        from + rest.iter().take_while(|&&b| b == 0).count()
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.byte(self.at) {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.byte(self.at + 1) == b'/' => {
                    self.at = self.bytes[self.at..]
                        .iter()
                        .position(|&b| b == b'\n')
                        .map_or(self.bytes.len(), |n| self.at + n + 1);
                }
                b'/' if self.byte(self.at + 1) == b'*' => {
                    let start = self.at;
                    match self.text[start + 2..].find("*/") {
                        Some(n) => self.at = start + 2 + n + 2,
                        None => {
                            self.at = self.bytes.len();
                            self.error(
                                start,
                                start + 2,
                                "the comment that starts here has no end".into(),
                            );
                        }
                    }
                }
                // C strings bring NULs along at the very end.
                0 if self.nul_run(self.at) == self.bytes.len() => {
                    self.at = self.bytes.len();
                    return;
                }
                _ => return,
            }
        }
    }

    pub(crate) fn next(&mut self) -> Token {
        loop {
            self.skip_blanks();
            let start = self.at;
            if start >= self.bytes.len() {
                let end = self.bytes.len() as u32;
                return Token {
                    kind: Kind::Eof,
                    span: Span::new(end, end),
                };
            }
            if let Some(kind) = self.token(start) {
                return Token {
                    kind,
                    span: Span::new(start as u32, self.at as u32),
                };
            }
            // `token` has reported and stepped over a character that it could not read.
        }
    }

    fn token(&mut self, start: usize) -> Option<Kind> {
        let b = self.bytes[start];
        let next = self.byte(start + 1);
        if is_name_start(b) || (b == b'%' && is_name_start(next)) {
            self.at = start + 1;
            while is_word(self.byte(self.at)) {
                self.at += 1;
            }
            return Some(Kind::Ident);
        }
        if b.is_ascii_digit() {
            return Some(self.number(start));
        }
        if b == b'.' && is_word(next) {
            let mut at = start + 1;
            loop {
                match self.byte(at) {
                    c if is_word(c) => at += 1,
                    b':' if self.byte(at + 1) == b':' && is_word(self.byte(at + 2)) => at += 3,
                    _ => break,
                }
            }
            self.at = at;
            return Some(Kind::Dotted);
        }
        if b == b'"' {
            return self.string(start);
        }
        let two = match (b, next) {
            (b'<', b'<') => Some(Kind::Shl),
            (b'>', b'>') => Some(Kind::Shr),
            (b'<', b'=') => Some(Kind::LessEqual),
            (b'>', b'=') => Some(Kind::GreaterEqual),
            (b'=', b'=') => Some(Kind::EqualEqual),
            (b'!', b'=') => Some(Kind::NotEqual),
            (b'&', b'&') => Some(Kind::AndAnd),
            (b'|', b'|') => Some(Kind::OrOr),
            _ => None,
        };
        if two.is_some() {
            self.at = start + 2;
            return two;
        }
        if b"()[]{}<>,;:=+-*/%&|^~!?@".contains(&b) {
            self.at = start + 1;
            return Some(Kind::Punct(b));
        }
        let c = self.text[start..].chars().next().unwrap_or('\0');
        // A run of NULs is one error, so that none is looked at twice.
        self.at = self.nul_run(start).max(start + c.len_utf8());
        self.error(
            start,
            self.at,
            format!("unexpected character `{}`", c.escape_default()),
        );
        None
    }

    fn string(&mut self, start: usize) -> Option<Kind> {
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Some(Kind::Str);
                }
                Some(b'\n') | None => {
                    self.at = at;
                    self.error(start, at, "the string that starts here has no end".into());
                    return None;
                }
                // A path on Windows has backslashes that escape nothing, so only `\"` is special.
                Some(b'\\') if self.byte(at + 1) == b'"' => at += 2,
                Some(_) => at += 1,
            }
        }
    }

    fn number(&mut self, start: usize) -> Kind {
        let mut end = start;
        while is_word(self.byte(end)) {
            end += 1;
        }
        let word = &self.text[start..end];
        let b = word.as_bytes();
        self.at = end;
        if b[0] == b'0' && b.len() > 1 {
            let digits = &word[2..];
            let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
            match b[1] {
                b'f' | b'F' if digits.len() == 8 && hex => {
                    return Kind::F32(u32::from_str_radix(digits, 16).unwrap_or(0));
                }
                b'd' | b'D' if digits.len() == 16 && hex => {
                    return Kind::F64(u64::from_str_radix(digits, 16).unwrap_or(0));
                }
                b'f' | b'F' => {
                    self.error(
                        start,
                        end,
                        format!("`{word}` is not a number: 8 hexadecimal digits follow `0f`"),
                    );
                    return Kind::F32(0);
                }
                b'd' | b'D' => {
                    self.error(
                        start,
                        end,
                        format!("`{word}` is not a number: 16 hexadecimal digits follow `0d`"),
                    );
                    return Kind::F64(0);
                }
                b'x' | b'X' => return self.integer(start, end, digits, 16),
                b'b' | b'B' => return self.integer(start, end, digits, 2),
                _ => {}
            }
        }
        // A point or an exponent makes a decimal number floating.
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let exponent = |rest: &[u8]| matches!(rest, [b'e' | b'E', ..]);
        let fraction = digits == word.len()
            && self.byte(end) == b'.'
            && (self.byte(end + 1).is_ascii_digit() || !is_word(self.byte(end + 1)));
        if fraction || exponent(&b[digits..]) {
            let mut at = start + digits;
            if fraction {
                at += 1;
                while self.byte(at).is_ascii_digit() {
                    at += 1;
                }
            }
            if exponent(&self.bytes[at..]) {
                at += 1;
                if matches!(self.byte(at), b'+' | b'-') {
                    at += 1;
                }
                while self.byte(at).is_ascii_digit() {
                    at += 1;
                }
            }
            self.at = at.max(end);
            let text = &self.text[start..self.at];
            return match text.parse::<f64>() {
                Ok(v) => Kind::F64(v.to_bits()),
                Err(_) => {
                    self.error(start, self.at, format!("`{text}` is not a number"));
                    Kind::F64(0)
                }
            };
        }
        if b[0] == b'0' && b.len() > 1 && b[1].is_ascii_digit() {
            return self.integer(start, end, &word[1..], 8);
        }
        self.integer(start, end, word, 10)
    }

    fn integer(&mut self, start: usize, end: usize, digits: &str, radix: u32) -> Kind {
        let (digits, suffix) = match digits.strip_suffix('U') {
            Some(d) => (d, true),
            None => (digits, false),
        };
        match u64::from_str_radix(digits, radix) {
            Ok(value) if !digits.starts_with('+') => Kind::Int {
                value,
                unsigned: suffix || value > i64::MAX as u64,
            },
            result => {
                let word = &self.text[start..end];
                let too_big = result.is_err()
                    && !digits.is_empty()
                    && digits.chars().all(|c| c.is_digit(radix));
                let message = if too_big {
                    format!("`{word}` does not fit in 64 bits")
                } else {
                    format!("`{word}` is not a number")
                };
                self.error(start, end, message);
                Kind::Int {
                    value: 0,
                    unsigned: suffix,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> (Vec<Kind>, Vec<String>) {
        let mut lexer = Lexer::new(text);
        let mut out = Vec::new();
        loop {
            let t = lexer.next();
            if t.kind == Kind::Eof {
                break;
            }
            out.push(t.kind);
        }
        (out, lexer.errors.into_iter().map(|d| d.message).collect())
    }

    fn int(value: u64) -> Kind {
        Kind::Int {
            value,
            unsigned: false,
        }
    }

    #[test]
    fn numbers() {
        let (k, e) = kinds("0 12 017 0x1F 0b101 5U 0f3F800000 0d3FF0000000000000 1.5 2e3 9.0");
        assert!(e.is_empty(), "{e:?}");
        assert_eq!(
            k,
            [
                int(0),
                int(12),
                int(15),
                int(31),
                int(5),
                Kind::Int {
                    value: 5,
                    unsigned: true
                },
                Kind::F32(0x3F80_0000),
                Kind::F64(1f64.to_bits()),
                Kind::F64(1.5f64.to_bits()),
                Kind::F64(2000f64.to_bits()),
                Kind::F64(9f64.to_bits()),
            ]
        );
    }

    #[test]
    fn bad_input_is_reported_and_skipped() {
        let (k, e) = kinds("0f12 \u{e9} 0x 99999999999999999999 \"abc\n x /* ");
        assert_eq!(k, [Kind::F32(0), int(0), int(0), Kind::Ident]);
        assert_eq!(
            e,
            [
                "`0f12` is not a number: 8 hexadecimal digits follow `0f`",
                "unexpected character `\\u{e9}`",
                "`0x` is not a number",
                "`99999999999999999999` does not fit in 64 bits",
                "the string that starts here has no end",
                "the comment that starts here has no end",
            ]
        );
    }

    #[test]
    fn dotted_words_hold_double_colons() {
        let lexer = Lexer::new("ld.shared::cta.u32 x");
        assert_eq!(lexer.dotted_end(0), 18);
        let (k, _) = kinds(".L1::evict_last $L: a:");
        assert_eq!(
            k,
            [
                Kind::Dotted,
                Kind::Ident,
                Kind::Punct(b':'),
                Kind::Ident,
                Kind::Punct(b':')
            ]
        );
    }
}
