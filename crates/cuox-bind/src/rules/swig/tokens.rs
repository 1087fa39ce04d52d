//! Words of C text, as the preprocessor sees them.

use std::sync::Arc;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name.
    Word,
    Space,
    Comment,
    /// A text or a character, with its quotation marks.
    Quoted,
    /// A number or a sign.
    Other,
    /// The end of what a macro has become.
    End,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) text: Arc<str>,
    pub(super) kind: Kind,
    /// True for a name that stood in its own macro: it is no macro any more.
    pub(super) painted: bool,
}

impl Token {
    fn new(text: &str, kind: Kind) -> Self {
        Self {
            text: text.into(),
            kind,
            painted: false,
        }
    }

    pub(super) fn space() -> Self {
        Self::new(" ", Kind::Space)
    }

    pub(super) fn end() -> Self {
        Self::new("", Kind::End)
    }

    pub(super) fn other(text: &str) -> Self {
        Self::new(text, Kind::Other)
    }

    pub(super) fn quoted(text: &str) -> Self {
        Self::new(text, Kind::Quoted)
    }
}

/// The text of tokens.
pub(super) fn text_of(tokens: &[Token]) -> String {
    tokens.iter().map(|token| &*token.text).collect()
}

/// A text with another name in place of one.
pub(super) fn renamed(text: &str, old: &str, new: &str) -> String {
    let mut tokens = tokens(text);
    for token in &mut tokens {
        if token.kind == Kind::Word && *token.text == *old {
            token.text = new.into();
        }
    }
    text_of(&tokens)
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut made = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let to = |end: Option<usize>| end.unwrap_or(rest.len());
        let (length, kind) = match letter {
            _ if letter.is_whitespace() => (
                to(rest.find(|letter: char| !letter.is_whitespace())),
                Kind::Space,
            ),
            '/' if rest.starts_with("//") => (to(rest.find('\n')), Kind::Comment),
            '/' if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").map(|end| end + 4);
                (to(end), Kind::Comment)
            }
            '"' | '\'' => (to(end_of_text(rest, letter)), Kind::Quoted),
            '#' if rest.starts_with("##") => (2, Kind::Other),
            _ if letter.is_ascii_digit() => {
                let number = |letter: char| word(letter) || letter == '.';
                (to(rest.find(|letter: char| !number(letter))), Kind::Other)
            }
            _ if word(letter) => (to(rest.find(|letter: char| !word(letter))), Kind::Word),
            _ => (letter.len_utf8(), Kind::Other),
        };
        let (token, behind) = rest.split_at(length);
        made.push(Token::new(token, kind));
        rest = behind;
    }
    made
}

/// The length of a text in quotation marks; of one without an end, that of its first mark.
fn end_of_text(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => break,
            letter if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    Some(1)
}

/// True for a name as C has it.
pub(super) fn is_name(text: &str) -> bool {
    matches!(tokens(text)[..], [ref token] if token.kind == Kind::Word)
}
