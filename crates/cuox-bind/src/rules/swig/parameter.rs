//! Parameters as interface files write them.

use super::super::{RuleError, RulePlace};
use super::scan::split;
use super::tokens::is_name;

type Result<T> = std::result::Result<T, RuleError>;

/// Words that are not names.
const TYPES: [&str; 15] = [
    "int", "char", "short", "long", "float", "double", "void", "unsigned", "signed", "const",
    "struct", "union", "enum", "bool", "_Bool",
];

pub(super) fn parameters(text: &str, at: &RulePlace) -> Result<Vec<(String, String)>> {
    split(text)
        .into_iter()
        .map(|part| parameter(part, at))
        .collect()
}

/// A type without spaces, and a name, which may be empty.
pub(super) fn parameter(text: &str, at: &RulePlace) -> Result<(String, String)> {
    let mut tokens: Vec<String> = Vec::new();
    for letter in text.chars() {
        let word = letter.is_alphanumeric() || letter == '_';
        match tokens.last_mut() {
            Some(last)
                if word && last.ends_with(|end: char| end.is_alphanumeric() || end == '_') =>
            {
                last.push(letter);
            }
            _ if letter.is_whitespace() => tokens.push(String::new()),
            _ => tokens.push(letter.to_string()),
        }
    }
    tokens.retain(|token| !token.is_empty());
    // An array is a pointer to its first element.
    let mut suffix = Vec::new();
    if let Some(open) = tokens.iter().position(|token| token == "[") {
        suffix = tokens.split_off(open);
    }
    let closes = suffix.iter().filter(|token| *token == "]").count();
    if closes > 1 || tokens.iter().any(|token| token == "(") {
        return Err(RuleError::new(
            at,
            format!("'{text}': write a typedef for this type, and use that"),
        ));
    }
    let is_word = |token: &String| is_name(token) && !TYPES.contains(&token.as_str());
    let tagged = tokens.len() >= 2
        && ["struct", "union", "enum"].contains(&tokens[tokens.len() - 2].as_str());
    let name = match tokens.last() {
        Some(last) if is_word(last) && tokens.len() > 1 && !tagged => {
            tokens.pop().unwrap_or_default()
        }
        _ => String::new(),
    };
    if closes == 1 {
        tokens.push("*".to_owned());
    }
    if tokens.len() > 1 && tokens[tokens.len() - 1] == "const" && tokens[tokens.len() - 2] == "*" {
        tokens.pop();
    }
    if tokens.is_empty() {
        return Err(RuleError::new(at, format!("'{text}' is not a parameter")));
    }
    Ok((normal(&tokens), name))
}

/// A type's words as [`Header::c_type`](crate::decl::Header::c_type) has them, without spaces.
fn normal(tokens: &[String]) -> String {
    let number = ["unsigned", "signed", "long", "short", "int", "char"];
    let (mut numbers, rest): (Vec<&str>, Vec<&str>) = tokens
        .iter()
        .map(String::as_str)
        .partition(|token| number.contains(token));
    let unsigned = numbers.contains(&"unsigned");
    let signed = numbers.contains(&"signed");
    numbers.retain(|token| !["unsigned", "signed"].contains(token));
    let base = match numbers[..] {
        [] if unsigned || signed => "int",
        [] => "",
        ["char"] if signed => "signedchar",
        ["char"] => "char",
        _ if numbers.contains(&"short") => "short",
        _ if numbers.contains(&"long") && rest.contains(&"double") => "long",
        _ if numbers.contains(&"long") => "long",
        _ => "int",
    };
    let sign = if unsigned { "unsigned" } else { "" };
    let mut text = String::new();
    let mut placed = base.is_empty();
    for token in rest {
        if !placed && token != "const" {
            text.push_str(sign);
            text.push_str(base);
            placed = true;
        }
        text.push_str(if token == "bool" { "_Bool" } else { token });
    }
    if !placed {
        text.push_str(sign);
        text.push_str(base);
    }
    text
}

/// A parameter as a declaration writes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Declared {
    /// Its text, without the default.
    pub(super) text: String,
    /// Its name; empty where there is none.
    pub(super) name: String,
    /// The default, as it is written.
    pub(super) default: Option<String>,
    /// The place of the name in the text; where it would be, if there is none.
    place: usize,
}

impl Declared {
    pub(super) fn read(text: &str) -> Self {
        let bare = text.trim();
        let (bare, default) = match assignment(bare) {
            Some(at) => (
                bare[..at].trim_end(),
                Some(bare[at + 1..].trim().to_owned()),
            ),
            None => (bare, None),
        };
        // `int (*f)(int)` has its name behind the star, `int x[3]` before the bracket.
        let end = match bare.find("(*") {
            Some(open) => bare[open..]
                .find(')')
                .map_or(bare.len(), |close| open + close),
            None => bare.find('[').unwrap_or(bare.len()),
        };
        let head = bare[..end].trim_end();
        let start = head
            .rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .map_or(0, |at| {
                at + head[at..].chars().next().map_or(1, char::len_utf8)
            });
        let name = &head[start..];
        let before = head[..start].trim_end();
        let tag = ["struct", "union", "enum"]
            .iter()
            .any(|word| before.ends_with(word));
        let named = is_name(name) && !TYPES.contains(&name) && !tag && !qualifiers_only(before);
        Self {
            text: bare.to_owned(),
            name: if named {
                name.to_owned()
            } else {
                String::new()
            },
            default,
            place: if named { start } else { head.len() },
        }
    }

    /// Removes the name.
    pub(super) fn remove_name(&mut self) {
        let end = self.place + self.name.len();
        self.text.replace_range(self.place..end, "");
        self.name.clear();
    }

    /// The text with another name.
    pub(super) fn named(mut self, name: &str) -> String {
        self.remove_name();
        self.text.insert_str(self.place, &format!(" {name}"));
        self.text
    }
}

/// True if no type is named before what may be a name.
fn qualifiers_only(text: &str) -> bool {
    let words = || text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    !words().any(|word| {
        !word.is_empty() && !["const", "volatile", "register", "restrict"].contains(&word)
    })
}

/// The place of the `=` of a default.
fn assignment(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.bytes().position(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        byte == b'=' && depth == 0
    })
}
