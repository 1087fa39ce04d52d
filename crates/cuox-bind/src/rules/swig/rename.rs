//! `%rename`, and the names that directives are for.

use super::super::{Glob, Located, Rename, RenameRule, RuleError, RulePlace};
use super::Interface;
use super::scan::{Scanner, split};
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

/// A directive's target: a name, perhaps in quotation marks, perhaps with parameters, which are not looked at.
pub(super) fn target(text: &str, at: &RulePlace) -> Result<String> {
    let text = text.trim();
    let text = text.split('(').next().unwrap_or("").trim();
    let quoted = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let name = quoted.unwrap_or(text);
    let name = name
        .rsplit([' ', '\t', '\n', '*', '&'])
        .next()
        .unwrap_or(name);
    match name {
        "" => Ok("*".to_owned()),
        name if name.contains("::") => Err(RuleError::new(
            at,
            format!(
                "'{name}' is inside a class or record; only what stands by itself can be named here"
            ),
        )),
        name if is_identifier(name) => Ok(name.to_owned()),
        name => Err(RuleError::new(at, format!("'{name}' is not a name in C"))),
    }
}

/// Reads what follows `%rename`.
pub(super) fn rename(
    scanner: &mut Scanner<'_>,
    options: Option<&str>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let error = |message: String| RuleError::new(at, message);
    let Some(options) = options else {
        return Err(error(
            "%rename is followed by the new name in parentheses".to_owned(),
        ));
    };
    let mut parts = split(options).into_iter();
    let new = parts.next().unwrap_or("").trim_matches('"').to_owned();
    if let Some(condition) = parts.find(|part| *part != "%$isfunction" && *part != "fullname=1") {
        return Err(error(format!(
            "%rename with the condition '{condition}' is not supported"
        )));
    }
    let names = Glob(target(scanner.take_to_semicolon(), at)?);
    if new == "%s" {
        // What is not left out by an earlier %ignore "".
        interface.only.push(names.0);
        return Ok(());
    }
    if new == "$ignore" {
        interface.rules.ignore.push(Located {
            value: names,
            at: at.clone(),
        });
        return Ok(());
    }
    let format = new
        .strip_prefix("%(")
        .and_then(|rest| rest.strip_suffix(")s"));
    let to = match format {
        Some(format) => {
            let strip = format
                .strip_prefix("strip:[")
                .and_then(|rest| rest.strip_suffix(']'));
            match (format, strip) {
                (_, Some(prefix)) => Rename::Strip(prefix.to_owned()),
                ("undercase", _) => Rename::Snake,
                ("camelcase", _) => Rename::Camel,
                ("lowercamelcase", _) => Rename::LowerCamel,
                _ => {
                    return Err(error(format!(
                        "%rename with '%({format})s' is not supported; strip, undercase, camelcase and lowercamelcase are"
                    )));
                }
            }
        }
        None if names.0 == "*" => {
            return Err(error("%rename gives one name to everything".to_owned()));
        }
        None if is_identifier(&new) => Rename::To(new),
        None => return Err(error(format!("'{new}' is not a name in Python"))),
    };
    interface.rules.rename.push(RenameRule {
        names,
        to,
        at: at.clone(),
    });
    Ok(())
}
