//! `%constant`.

use super::super::{Located, RuleError, RulePlace};
use super::Interface;
use crate::decl::Value;
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

pub(super) fn constant(text: &str, at: &RulePlace, interface: &mut Interface) -> Result<()> {
    let Some((before, value)) = text.split_once('=') else {
        return Err(RuleError::new(
            at,
            "%constant is followed by a name, = and a value",
        ));
    };
    let mut names = before.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let name = names.rfind(|name| !name.is_empty()).unwrap_or("");
    if !is_identifier(name) {
        return Err(RuleError::new(
            at,
            format!("'{}' is not a name", before.trim()),
        ));
    }
    let value = value.trim();
    let quoted = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|inside| !inside.contains(['\\', '"']));
    let value = match (quoted, number(value)) {
        (Some(text), _) => Value::Text(text.as_bytes().to_vec()),
        (None, Some(value)) => value,
        (None, None) => {
            // An expression of C: the compiler knows its value.
            interface.source.push_str(&format!(
                "\n#define {name} ({})\n",
                value.replace('\n', " ")
            ));
            return Ok(());
        }
    };
    interface.rules.constants.push(Located {
        value: (name.to_owned(), value),
        at: at.clone(),
    });
    Ok(())
}

fn number(text: &str) -> Option<Value> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    let plain = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let integer = match plain
        .strip_prefix("0x")
        .or_else(|| plain.strip_prefix("0X"))
    {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None if plain.len() > 1 && plain.starts_with('0') => i128::from_str_radix(plain, 8).ok(),
        None => plain.parse().ok(),
    };
    match integer {
        Some(value) => Some(Value::Int(if negative { -value } else { value })),
        None if plain.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
            let value: f64 = plain.trim_end_matches(['f', 'F']).parse().ok()?;
            Some(Value::Float(if negative { -value } else { value }))
        }
        None => None,
    }
}
