//! `cstring.i`: text that C writes.

use super::super::{OutputRule, ParameterKey, RoleRule, RuleError, RulePlace};
use super::parameter::{parameter, parameters};
use super::scan::split;
use super::{Interface, constant, typemap};
use crate::decl::Value;

/// The directives.
pub(super) const NAMES: [&str; 9] = [
    "cstring_output_allocate_size",
    "cstring_output_maxsize",
    "cstring_input_binary",
    "cstring_output_withsize",
    "cstring_output_allocate",
    "cstring_bounded_output",
    "cstring_bounded_mutable",
    "cstring_mutable",
    "cstring_chunk_output",
];

/// The most bytes that a directive may ask for.
const MOST: i128 = 1 << 30;

/// Reads a directive's arguments and adds its typemap.
pub(super) fn cstring(
    name: &str,
    options: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<(), RuleError> {
    let error = |message: String| RuleError::new(at, message);
    let given = split(options);
    let buffer = |room: Option<u32>, whole: bool| {
        RoleRule::Output(OutputRule {
            room,
            whole,
            ..OutputRule::default()
        })
    };
    let (parameters, roles) = match name {
        "cstring_output_maxsize" | "cstring_input_binary" | "cstring_output_withsize" => {
            let parameters = parameters(options, at)?;
            if parameters.len() != 2 {
                return Err(error(format!(
                    "%{name} takes two parameters, memory and its length"
                )));
            }
            let written = RoleRule::Output(OutputRule {
                length: Some(ParameterKey::Index(1)),
                ..OutputRule::default()
            });
            let roles = match name {
                "cstring_input_binary" => vec![RoleRule::Binary, typemap::length_of_first()],
                // C says how much it has written.
                "cstring_output_withsize" => vec![written, RoleRule::Pointed],
                _ => vec![written, RoleRule::Input],
            };
            (parameters, roles)
        }
        "cstring_output_allocate_size" => {
            let [text, size, release] = given[..] else {
                return Err(error(format!(
                    "%{name} takes two parameters and how the text is freed"
                )));
            };
            let free = release.split('(').next().unwrap_or("").trim().to_owned();
            let role = RoleRule::Output(OutputRule {
                free: Some(free).filter(|free| !free.is_empty()),
                length: Some(ParameterKey::Index(1)),
                ..OutputRule::default()
            });
            let parameters = vec![parameter(text, at)?, parameter(size, at)?];
            (parameters, vec![role, RoleRule::Counter])
        }
        "cstring_output_allocate" => {
            let [text, release] = given[..] else {
                return Err(error(format!(
                    "%{name} takes a parameter and how its text is freed"
                )));
            };
            let free = release.split('(').next().unwrap_or("").trim().to_owned();
            let role = RoleRule::Output(OutputRule {
                free: Some(free).filter(|free| !free.is_empty()),
                ..OutputRule::default()
            });
            (vec![parameter(text, at)?], vec![role])
        }
        _ => {
            let (Some(text), size) = (given.first(), given.get(1)) else {
                return Err(error(format!(
                    "%{name} takes a parameter and a number of bytes"
                )));
            };
            let size = match size {
                Some(size) => Some(bytes(size, interface).ok_or_else(|| {
                    error(format!("%{name}: expected a number of bytes, got '{size}'"))
                })?),
                None => None,
            };
            let role = match (name, size) {
                ("cstring_mutable", size) => RoleRule::Edited {
                    room: None,
                    more: size.unwrap_or(0),
                },
                ("cstring_bounded_mutable", Some(size)) => RoleRule::Edited {
                    room: Some(size),
                    more: 0,
                },
                ("cstring_bounded_output", Some(size)) => buffer(Some(size), false),
                ("cstring_chunk_output", Some(size)) => buffer(Some(size), true),
                _ => {
                    return Err(error(format!(
                        "%{name} takes a parameter and a number of bytes"
                    )));
                }
            };
            (vec![parameter(text, at)?], vec![role])
        }
    };
    typemap::add(parameters, roles, at, interface);
    Ok(())
}

/// A number of bytes: digits, or a macro of the file.
fn bytes(text: &str, interface: &Interface) -> Option<u32> {
    match constant::number(interface.meaning(text.trim()).trim())? {
        Value::Int(size) if (0..=MOST).contains(&size) => u32::try_from(size).ok(),
        _ => None,
    }
}
