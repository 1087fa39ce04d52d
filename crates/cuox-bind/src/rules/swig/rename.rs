//! `%rename` and `%ignore`, and the names that directives are for.

use regex_lite::Regex;

use super::super::{
    Glob, Located, NameKind, NamePattern, Rename, RenameRule, RuleError, RulePlace,
};
use super::scan::{Scanner, split};
use super::tokens::is_name;
use super::{FieldName, Interface};
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

/// A name without quotation marks and parameters, perhaps of a member.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let text = text.split('(').next().unwrap_or("").trim();
    let quoted = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let name = quoted.unwrap_or(text);
    name.rsplit([' ', '\t', '\n', '*', '&'])
        .next()
        .unwrap_or(name)
}

/// A directive's target: a name, perhaps in quotation marks, perhaps with parameters, which are not looked at.
pub(super) fn target(text: &str, at: &RulePlace) -> Result<String> {
    match bare(text).trim_start_matches("::") {
        "" => Ok("*".to_owned()),
        name if name.contains("::") => Err(RuleError::new(
            at,
            format!(
                "'{name}' is inside a class or record; only what stands by itself can be named here"
            ),
        )),
        name if is_name(name) => Ok(name.to_owned()),
        name => Err(RuleError::new(at, format!("'{name}' is not a name in C"))),
    }
}

/// The C function that a directive is for; `record::name` is one that `%extend` adds.
pub(super) fn function_target(text: &str, at: &RulePlace) -> Result<String> {
    match bare(text).split_once("::") {
        Some((record, member)) if is_name(record) => match member.strip_prefix('~') {
            Some(name) if name == record => Ok(format!("delete_{record}")),
            _ if member == record => Ok(format!("new_{record}")),
            _ => target(&format!("{record}_{member}"), at),
        },
        _ => target(text, at),
    }
}

/// A record and its member.
pub(super) fn member(text: &str) -> Option<(&str, &str)> {
    let (record, member) = bare(text).split_once("::")?;
    (is_name(record) && is_name(member)).then_some((record, member))
}

/// `%ignore name;`
pub(super) fn ignore(text: &str, at: &RulePlace, interface: &mut Interface) -> Result<()> {
    if let Some((record, field)) = member(text) {
        hide(record, field, interface);
        return Ok(());
    }
    let name = target(text, at)?;
    interface.rules.ignore.push(Located {
        value: Glob(name),
        at: at.clone(),
    });
    Ok(())
}

/// A field stays where it is, under a name that says that it is not for users.
fn hide(record: &str, field: &str, interface: &mut Interface) {
    interface.fields.push(FieldName {
        record: record.to_owned(),
        field: field.to_owned(),
        name: format!("_{field}"),
    });
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
        // `%rename old "new";`
        let text = scanner.take_to_semicolon();
        let mut words = text.split_whitespace();
        let (Some(old), Some(new), None) = (words.next(), words.next(), words.next()) else {
            return Err(error(
                "%rename is followed by the new name in parentheses".to_owned(),
            ));
        };
        let text = format!("%rename({new}) {old};");
        return interface.read_generated(&text, at);
    };
    let mut parts = split(options).into_iter();
    let new = parts.next().unwrap_or("").trim_matches('"').to_owned();
    let mut rule = RenameRule {
        names: Glob("*".to_owned()),
        matching: None,
        kind: None,
        to: Rename::Ignore,
        at: at.clone(),
    };
    let mut by_regex = false;
    for condition in parts {
        match condition.split_once('=') {
            None => rule.kind = Some(kind(condition, at)?),
            Some(("fullname", _)) => {}
            Some(("regextarget", value)) => by_regex = value.trim() != "0",
            Some(("match", node)) => rule.kind = Some(node_kind(node, condition, at)?),
            Some(("match$name", name)) => {
                rule.names = Glob(name.trim().trim_matches('"').to_owned())
            }
            Some(("regexmatch$name", pattern)) => {
                rule.matching = Some(regex(pattern.trim().trim_matches('"'), at)?)
            }
            _ => {
                return Err(error(format!(
                    "%rename with the condition '{condition}' is not supported"
                )));
            }
        }
    }
    let text = scanner.take_to_semicolon();
    if by_regex {
        let pattern = text.trim();
        let pattern = pattern
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .unwrap_or(pattern);
        rule.matching = Some(regex(pattern, at)?);
    } else if let Some((record, field)) = member(text) {
        if new == "$ignore" {
            hide(record, field, interface);
        } else {
            interface.fields.push(FieldName {
                record: record.to_owned(),
                field: field.to_owned(),
                name: formatted(&new, at)?.apply(field),
            });
        }
        return Ok(());
    } else {
        let name = target(text, at)?;
        if name != "*" {
            rule.names = Glob(name);
        }
    }
    let everything = rule.names.0 == "*" && rule.matching.is_none() && rule.kind.is_none();
    if new == "%s" && rule.matching.is_none() && rule.kind.is_none() {
        // What is not left out by an earlier %ignore "".
        interface.only.push(rule.names.0);
        return Ok(());
    }
    if new == "$ignore" && rule.matching.is_none() && rule.kind.is_none() {
        interface.rules.ignore.push(Located {
            value: rule.names,
            at: at.clone(),
        });
        return Ok(());
    }
    rule.to = match new.as_str() {
        "$ignore" => Rename::Ignore,
        _ => formatted(&new, at)?,
    };
    if everything && matches!(rule.to, Rename::To(_)) {
        return Err(error("%rename gives one name to everything".to_owned()));
    }
    interface.rules.rename.push(rule);
    Ok(())
}

/// The things that a rule is about.
fn kind(condition: &str, at: &RulePlace) -> Result<NameKind> {
    Ok(match condition.trim() {
        "%$isfunction" => NameKind::Function,
        "%$isvariable" => NameKind::Variable,
        "%$isconstant" | "%$isenumitem" => NameKind::Constant,
        "%$isclass" | "%$isstruct" | "%$isunion" => NameKind::Record,
        "%$isenum" => NameKind::Enum,
        other => {
            return Err(RuleError::new(
                at,
                format!(
                    "%rename with the condition '{other}' is not supported; %$isfunction, %$isvariable, %$isconstant, %$isenumitem, %$isclass and %$isenum are"
                ),
            ));
        }
    })
}

/// The things that SWIG calls by this name.
fn node_kind(node: &str, condition: &str, at: &RulePlace) -> Result<NameKind> {
    Ok(match node.trim().trim_matches('"') {
        "enumitem" | "constant" => NameKind::Constant,
        "enum" => NameKind::Enum,
        "class" => NameKind::Record,
        _ => {
            return Err(RuleError::new(
                at,
                format!(
                    "%rename with the condition '{condition}' is not supported; match=\"enumitem\", \"constant\", \"enum\" and \"class\" are"
                ),
            ));
        }
    })
}

/// A pattern of names; in the file its backslashes may stand doubled.
fn regex(pattern: &str, at: &RulePlace) -> Result<NamePattern> {
    let pattern = pattern.replace("\\\\", "\\");
    match Regex::new(&pattern) {
        Ok(regex) => Ok(NamePattern(regex)),
        Err(error) => Err(RuleError::new(
            at,
            format!("'{pattern}' is not a regular expression that is understood: {error}"),
        )),
    }
}

/// A new name, or a format for one: `new`, `prefix_%s`, `%(undercase)s_suffix`.
pub(super) fn formatted(text: &str, at: &RulePlace) -> Result<Rename> {
    let error = |message: String| RuleError::new(at, message);
    let Some((before, format)) = text.split_once('%') else {
        return match is_identifier(text) {
            true => Ok(Rename::To(text.to_owned())),
            false => Err(error(format!("'{text}' is not a name in Python"))),
        };
    };
    let (change, after) = match format.strip_prefix('s') {
        Some(after) => (None, after),
        None => {
            let end = format.rfind(")s");
            let inside = end.and_then(|end| format.get(..end)?.strip_prefix('('));
            let (Some(inside), Some(end)) = (inside, end) else {
                return Err(error(format!("%rename with '{text}' is not supported")));
            };
            (Some(encoder(inside, at)?), &format[end + 2..])
        }
    };
    Ok(match change {
        Some(change) if before.is_empty() && after.is_empty() => change,
        change => Rename::Format {
            before: before.to_owned(),
            change: change.map(Box::new),
            after: after.to_owned(),
        },
    })
}

fn encoder(text: &str, at: &RulePlace) -> Result<Rename> {
    let argument = |name: &str| -> Option<String> {
        let rest = text.strip_prefix(name)?.strip_prefix(':')?;
        let inside = rest
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        Some(inside.unwrap_or(rest).to_owned())
    };
    if let Some(prefix) = argument("strip") {
        return Ok(Rename::Strip(prefix));
    }
    if let Some(suffix) = argument("rstrip") {
        return Ok(Rename::StripEnd(suffix));
    }
    if let Some(expression) = argument("regex") {
        let parts: Vec<&str> = expression
            .strip_prefix('/')
            .map_or(Vec::new(), |rest| rest.split('/').collect());
        let [pattern, replacement, _] = parts[..] else {
            return Err(RuleError::new(
                at,
                format!("'{text}': expected regex:/pattern/replacement/"),
            ));
        };
        // `\1` is a group.
        let replacement = replacement.replace("\\\\", "\\").replace('$', "$$");
        let mut made = String::new();
        let mut letters = replacement.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, letters.peek()) {
                ('\\', Some(digit)) if digit.is_ascii_digit() => {
                    made.push_str(&format!("${{{digit}}}"));
                    letters.next();
                }
                ('\\', _) => {
                    return Err(RuleError::new(
                        at,
                        format!(
                            "'{text}': \\1 to \\9 are understood in the replacement, and no other escapes"
                        ),
                    ));
                }
                _ => made.push(letter),
            }
        }
        return Ok(Rename::Regex {
            pattern: regex(pattern, at)?,
            replacement: made,
        });
    }
    Ok(match text {
        "undercase" => Rename::Snake,
        "camelcase" | "ctitle" | "utitle" => Rename::Camel,
        "lowercamelcase" => Rename::LowerCamel,
        "upper" | "uppercase" => Rename::Upper,
        "lower" | "lowercase" => Rename::Lower,
        "title" => Rename::Title,
        "firstuppercase" => Rename::FirstUpper,
        "firstlowercase" => Rename::FirstLower,
        other => {
            return Err(RuleError::new(
                at,
                format!(
                    "%rename with '%({other})s' is not supported; strip, rstrip, regex, undercase, camelcase, lowercamelcase, upper, lower, title and firstlowercase are"
                ),
            ));
        }
    })
}

/// Members of `%extend` get their names, and what is left are fields.
pub(super) fn finish(interface: &mut Interface) {
    let members = &mut interface.members;
    for member in members.iter_mut().filter(|it| !it.name.starts_with("__")) {
        // A rule for one name is for what stands by itself.
        let rule = interface.rules.renaming(&member.name, NameKind::Function);
        if let Some(rule) = rule.filter(|rule| !rule.names.is_exact() && rule.to != Rename::Ignore)
        {
            member.name = rule.to.apply(&member.name);
        }
    }
    let ignored = std::mem::take(&mut interface.fields);
    for field in ignored {
        let found = members
            .iter_mut()
            .find(|it| it.record == field.record && it.name == field.field);
        match found {
            Some(found) => found.name = field.name,
            None => interface.fields.push(field),
        }
    }
}
