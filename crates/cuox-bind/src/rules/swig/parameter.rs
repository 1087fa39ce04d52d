//! Parameters as interface files write them.

use super::super::{RuleError, RulePlace};
use super::scan::split;
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

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
    if tokens.iter().any(|token| token == "[" || token == "(") {
        return Err(RuleError::new(
            at,
            format!("'{text}': write a pointer for an array here"),
        ));
    }
    const TYPES: [&str; 15] = [
        "int", "char", "short", "long", "float", "double", "void", "unsigned", "signed", "const",
        "struct", "union", "enum", "bool", "_Bool",
    ];
    let is_word = |token: &String| is_identifier(token) && !TYPES.contains(&token.as_str());
    let tagged = tokens.len() >= 2
        && ["struct", "union", "enum"].contains(&tokens[tokens.len() - 2].as_str());
    let name = match tokens.last() {
        Some(last) if is_word(last) && tokens.len() > 1 && !tagged => {
            tokens.pop().unwrap_or_default()
        }
        _ => String::new(),
    };
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
