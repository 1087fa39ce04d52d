//! `%constant`.

use super::super::{Located, RuleError, RulePlace};
use super::Interface;
use crate::decl::Value;
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

/// A constant that is a function of C, under another name: `%callback`.
pub(super) fn function(
    pattern: &str,
    name: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    if pattern == "1" {
        interface.notes.push(format!(
            "{at}: %callback(1) has no effect: a bound function is passed as it is where C takes a pointer to a function"
        ));
        return Ok(());
    }
    let made = super::rename::formatted(pattern, at)?.apply(name);
    if made == name || !is_identifier(&made) {
        return Err(RuleError::new(
            at,
            format!("%callback: '{pattern}' makes no other name of '{name}'"),
        ));
    }
    pointer(&made, &format!("__typeof__({name}) *"), name, at, interface);
    Ok(())
}

/// A constant that only a compiler and a loader know: a function returns it.
fn pointer(name: &str, c_type: &str, value: &str, _at: &RulePlace, interface: &mut Interface) {
    let own = format!("cuox_constant_{name}");
    interface
        .last_code
        .push_str(&format!("\n{c_type}{own}(void) {{ return {value}; }}\n"));
    interface
        .last_source
        .push_str(&format!("\n{c_type}{own}(void);"));
    interface.declared.push(own.clone());
    interface.needs_compiler = true;
    interface.python.push_str(&format!("{name} = {own}()\n"));
    interface.exports.push(name.to_owned());
}

pub(super) fn constant(text: &str, at: &RulePlace, interface: &mut Interface) -> Result<()> {
    let Some((before, value)) = text.split_once('=') else {
        return Err(RuleError::new(
            at,
            "%constant is followed by a name, = and a value",
        ));
    };
    if let Some((result, rest)) = before.split_once("(*")
        && let Some((name, parameters)) = rest.split_once(')')
    {
        // A pointer to a function.
        let name = name.trim();
        if !is_identifier(name) {
            return Err(RuleError::new(at, format!("'{name}' is not a name")));
        }
        let c_type = format!("__typeof__({}{}) *", result.trim(), parameters.trim());
        pointer(name, &c_type, value.trim(), at, interface);
        return Ok(());
    }
    let mut names = before.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let name = names.rfind(|name| !name.is_empty()).unwrap_or("");
    if !is_identifier(name) {
        return Err(RuleError::new(
            at,
            format!("'{}' is not a name", before.trim()),
        ));
    }
    let value = value.trim();
    let value = match self::text(value).or_else(|| number(value)) {
        Some(value) => value,
        None => {
            // An expression of C: the compiler knows its value.
            interface.declared.push(name.to_owned());
            interface.last_source.push_str(&format!(
                "\n#define {name} ({})\n",
                value.replace('\n', " ")
            ));
            return Ok(());
        }
    };
    interface.declared.push(name.to_owned());
    interface.rules.constants.push(Located {
        value: (name.to_owned(), value),
        at: at.clone(),
    });
    Ok(())
}

/// A character as C writes it.
pub(super) fn character(text: &str) -> Option<char> {
    let inside = text.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    let mut letters = inside.chars();
    let made = match (letters.next()?, letters.as_str()) {
        ('\\', "n") => '\n',
        ('\\', "t") => '\t',
        ('\\', "r") => '\r',
        ('\\', "0") => '\0',
        ('\\', "\\") => '\\',
        ('\\', "'") => '\'',
        ('\\', "\"") => '"',
        (letter, "") if letter != '\\' => letter,
        _ => return None,
    };
    Some(made)
}

/// A text or a character without escapes.
pub(super) fn text(text: &str) -> Option<Value> {
    let quoted = |quote: char| {
        let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inside.contains(['\\', '"', '\''])).then(|| Value::Text(inside.as_bytes().to_vec()))
    };
    let character =
        quoted('\'').filter(|value| matches!(value, Value::Text(bytes) if bytes.len() == 1));
    quoted('"').or(character)
}

pub(super) fn number(text: &str) -> Option<Value> {
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
