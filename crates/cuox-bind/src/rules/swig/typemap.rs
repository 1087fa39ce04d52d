//! Typemaps: `%apply` and `%clear` of those that are known by name, and `%typemap`.

use super::super::{
    Check, Located, OutputRule, ParameterKey, ResultRule, RoleRule, RuleError, RulePlace, Typemap,
};
use super::parameter::parameters;
use super::scan::{Scanner, end, scanner_until_brace, split, without_comments};
use super::typemap_code::{self, METHODS, Written};
use super::{Interface, ParameterValue, ValueCode};
use crate::policy::Unit;
use crate::words::is_identifier;

type Result<T> = std::result::Result<T, RuleError>;

/// The role of a parameter that has the name of a typemap.
pub(super) fn role_of_name(name: &str) -> Option<RoleRule> {
    Some(match name {
        "OUTPUT" => RoleRule::Output(OutputRule::default()),
        "INOUT" | "BOTH" => RoleRule::InOut,
        "INPUT" => RoleRule::Pointed,
        "POSITIVE" => RoleRule::Checked(Check::Positive),
        "NEGATIVE" => RoleRule::Checked(Check::Negative),
        "NONZERO" => RoleRule::Checked(Check::NonZero),
        "NONNEGATIVE" => RoleRule::Checked(Check::NonNegative),
        "NONPOSITIVE" => RoleRule::Checked(Check::NonPositive),
        "NONNULL" => RoleRule::Checked(Check::NonNull),
        "ALIGN8" => RoleRule::Checked(Check::Aligned(8)),
        "ALIGN4" => RoleRule::Checked(Check::Aligned(4)),
        "ALIGN2" => RoleRule::Checked(Check::Aligned(2)),
        _ => return None,
    })
}

/// The roles that typemaps of these names stand for.
pub(super) fn roles(names: &[&str], at: &RulePlace) -> Result<Vec<RoleRule>> {
    let error = |message: String| RuleError::new(at, message);
    if let [name] = names
        && let Some(role) = role_of_name(name)
    {
        return Ok(vec![role]);
    }
    Ok(match names[..] {
        ["ARGC", "ARGV"] => vec![elements_of(1), RoleRule::Texts],
        ["ARGV", "ARGC"] => vec![RoleRule::Texts, elements_of(0)],
        ["BYTES", "LENGTH"] | ["indata", "inlen"] => {
            vec![
                RoleRule::Memory {
                    writable: Some(false),
                },
                length_of_first(),
            ]
        }
        ["IN_ARRAY1", "DIM1"] => vec![
            RoleRule::Memory {
                writable: Some(false),
            },
            elements_of(0),
        ],
        ["DIM1", "IN_ARRAY1"] => vec![
            elements_of(1),
            RoleRule::Memory {
                writable: Some(false),
            },
        ],
        ["INPLACE_ARRAY1", "DIM1"] | ["INPLACE_ARRAY_FLAT", "DIM_FLAT"] => vec![
            RoleRule::Memory {
                writable: Some(true),
            },
            elements_of(0),
        ],
        ["DIM1", "INPLACE_ARRAY1"] => vec![
            elements_of(1),
            RoleRule::Memory {
                writable: Some(true),
            },
        ],
        ["ARGOUT_ARRAY1", "DIM1"] | ["DIM1", "ARGOUT_ARRAY1"] => {
            return Err(error(
                "(ARGOUT_ARRAY1, DIM1) is not supported: apply (INPLACE_ARRAY1, DIM1), and pass numpy.empty(n)".to_owned(),
            ));
        }
        _ if names.iter().any(|name| name.contains("ARRAY")) => {
            let names = names.join(", ");
            return Err(error(format!(
                "({names}): of numpy.i, (IN_ARRAY1, DIM1), (INPLACE_ARRAY1, DIM1) and (INPLACE_ARRAY_FLAT, DIM_FLAT) are known; without %apply, an array is passed as it is, with its sizes"
            )));
        }
        ["STRING", "LENGTH"] => vec![RoleRule::Memory { writable: None }, length_of_first()],
        _ => {
            let names = names.join(", ");
            return Err(error(format!(
                "unknown typemap '{names}'; OUTPUT, INOUT, INPUT, (char *STRING, size_t LENGTH), (int ARGC, char **ARGV), those of constraints.i and those of numpy.i for one dimension are known"
            )));
        }
    })
}

/// `%apply typemap { parameters, … }`.
pub(super) fn apply(
    scanner: &mut Scanner<'_>,
    options: Option<&str>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let error = |message: String| RuleError::new(at, message);
    let pattern = match options {
        Some(several) => several.to_owned(),
        None => scanner_until_brace(scanner),
    };
    scanner.space();
    let Some(targets) = scanner.bracket()? else {
        return Err(error(
            "%apply is followed by a typemap and the parameters it is for in braces".to_owned(),
        ));
    };
    end(scanner);
    let pattern = parameters(&pattern, at)?;
    let names: Vec<&str> = pattern.iter().map(|(_, name)| name.as_str()).collect();
    if names.iter().all(|name| name.is_empty()) {
        interface.notes.push(format!(
            "{at}: %apply of a type has no effect: values are passed as the types in C say"
        ));
        return Ok(());
    }
    let mut has_code = false;
    let mut all = Vec::new();
    for target in split(targets) {
        let inside = target
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let target = parameters(inside.unwrap_or(target), at)?;
        has_code |= typemap_code::apply(&pattern, &target, at, interface);
        all.push(target);
    }
    if has_code {
        return Ok(());
    }
    let roles = roles(&names, at)?;
    for (target, parameters) in split(targets).into_iter().zip(all) {
        if parameters.len() != roles.len() {
            return Err(error(format!(
                "'{target}' has {} parameters, and the typemap {}",
                parameters.len(),
                roles.len()
            )));
        }
        add(parameters, roles.clone(), at, interface);
    }
    Ok(())
}

/// `%typemap(default) T name "$1 = …;"` and `%typemap(in, numinputs=0) T name { $1 = …; }`; without code they end.
fn value(
    kind: &str,
    written: &Written,
    always: bool,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    for (parameters, variables) in &written.targets {
        let [parameter] = &parameters[..] else {
            continue;
        };
        interface
            .values
            .retain(|known| known.parameter != *parameter);
        let Some(code) = &written.code else {
            continue;
        };
        let Some((value, code)) = simple(code, variables, always) else {
            if always {
                // Code that needs more is compiled with the rest of the function's.
                continue;
            }
            return Err(RuleError::new(
                at,
                format!(
                    "%typemap({kind}) is understood where its code is one assignment, as in \"$1 = 3;\""
                ),
            ));
        };
        interface.values.push(ParameterValue {
            parameter: parameter.clone(),
            value,
            code,
            always,
        });
    }
    Ok(())
}

/// Code that needs nothing of Python: a value, or C that makes one.
fn simple(code: &str, variables: &str, always: bool) -> Option<(String, Option<ValueCode>)> {
    let code = without_comments(code);
    let code = code.trim().trim_end_matches(';').trim();
    let assigned = code
        .strip_prefix("$1")
        .map(str::trim_start)
        .and_then(|rest| rest.strip_prefix('='));
    let simple = assigned
        .filter(|value| !value.contains(['$', ';']) && !value.starts_with('='))
        .filter(|_| variables.is_empty());
    if let Some(value) = simple {
        return Some((value.trim().to_owned(), None));
    }
    let is_c = always
        && code.contains("$1")
        && !code.contains("$1_")
        && !code.replace("$1", "").contains('$');
    let of_python = |word: &str| word.starts_with("Py") || word.starts_with("SWIG_");
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    let text = (is_c && !words.any(of_python)).then(|| code.to_owned())?;
    let variables = variables.to_owned();
    Some((String::new(), Some(ValueCode { variables, text })))
}

/// Methods that are about other methods, or about what a binding does not have.
const WITHOUT_EFFECT: [&str; 3] = ["typecheck", "typecheck_noblock", "doc"];

/// `%typemap(method, options) parameters code`
pub(super) fn typemap(
    scanner: &mut Scanner<'_>,
    options: Option<&str>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let kind = options.unwrap_or("").trim();
    if kind == "newfree" {
        return newfree(scanner, at, interface);
    }
    let words: Vec<String> = split(kind)
        .into_iter()
        .map(|word| match word.contains('"') {
            true => word.to_owned(),
            false => word.replace(' ', ""),
        })
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let method = words.first().copied().unwrap_or("");
    let inputs = words.iter().find_map(|it| it.strip_prefix("numinputs="));
    let supported = match method {
        "default" => true,
        "in" => {
            matches!(inputs, None | Some("0" | "1"))
                && !words.iter().any(|it| it.starts_with("parse="))
        }
        method => METHODS.contains(&method) || WITHOUT_EFFECT.contains(&method),
    };
    if !supported {
        return Err(RuleError::new(
            at,
            format!(
                "%typemap({kind}) is not supported; {}, default and newfree are",
                METHODS.join(", ")
            ),
        ));
    }
    let written = typemap_code::written(scanner, kind, at, interface)?;
    let hidden = inputs == Some("0");
    if method == "default" || hidden {
        value(kind, &written, hidden, at, interface)?;
    }
    if METHODS.contains(&method) {
        typemap_code::keep(method, &words[1..], &written, at, interface)?;
    }
    Ok(())
}

/// `%typemap(newfree) T "foo_free($1);"`
fn newfree(scanner: &mut Scanner<'_>, at: &RulePlace, interface: &mut Interface) -> Result<()> {
    let mut of = String::new();
    while !scanner.done()
        && !scanner.peek_is(b'"')
        && !scanner.peek_is(b'{')
        && !scanner.peek_is(b';')
    {
        of.push_str(scanner.one());
    }
    let code = match scanner.string() {
        Some(code) => code,
        None => scanner.bracket()?.unwrap_or(""),
    };
    end(scanner);
    let name = code.split('(').next().unwrap_or("").trim();
    if !is_identifier(name) || !code.contains("$1") {
        return Err(RuleError::new(
            at,
            "%typemap(newfree) is understood where its code is one call, as in \"foo_free($1);\"",
        ));
    }
    if !of.contains("char") {
        // Records and handles are ended by their destructors.
        return Ok(());
    }
    // It applies to all that %newobject names, before and after it.
    interface.newfree = Some(name.to_owned());
    for rule in &mut interface.rules.functions {
        if let Some(Located {
            value: ResultRule::Owned { free },
            ..
        }) = &mut rule.result
        {
            *free = Some(name.to_owned());
        }
    }
    Ok(())
}

/// Adds a typemap.
pub(super) fn add(
    parameters: Vec<(String, String)>,
    roles: Vec<RoleRule>,
    at: &RulePlace,
    interface: &mut Interface,
) {
    // One that is there already is for what stands before this one.
    let mut except = Vec::new();
    let marks = interface.typemap_marks.iter();
    for (map, (names, headers)) in interface.rules.typemaps.iter_mut().zip(marks) {
        if map.parameters == parameters && *headers == interface.headers.len() {
            except.clone_from(&interface.declared);
            map.only
                .get_or_insert_with(|| interface.declared[*names..].to_vec());
        }
    }
    interface.rules.typemaps.push(Typemap {
        parameters,
        roles,
        at: at.clone(),
        only: None,
        except,
    });
    let mark = (interface.declared.len(), interface.headers.len());
    interface.typemap_marks.push(mark);
}

/// `%clear parameters;`: later declarations do not get their typemaps.
pub(super) fn clear(
    scanner: &mut Scanner<'_>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    for target in split(scanner.take_to_semicolon()) {
        let inside = target
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let cleared = parameters(inside.unwrap_or(target), at)?;
        typemap_code::clear(&cleared, at, interface);
        let marks = interface.typemap_marks.iter();
        for (map, (names, headers)) in interface.rules.typemaps.iter_mut().zip(marks) {
            if map.parameters != cleared || map.only.is_some() {
                continue;
            }
            if *headers != interface.headers.len() {
                interface.notes.push(format!(
                    "{at}: %clear has no effect on functions of headers: {} is about all of them",
                    map.at.line()
                ));
                continue;
            }
            map.only = Some(interface.declared[*names..].to_vec());
        }
    }
    Ok(())
}

/// Parameters that are named as typemaps are have their roles in headers, too; and pointers that the file makes are
/// for parameters.
pub(super) fn finish(interface: &mut Interface) {
    let at = RulePlace::whole("the interface file");
    let pointed = std::mem::take(&mut interface.pointed);
    let pointers = pointed.iter().map(|ty| Typemap {
        parameters: vec![(format!("{}*", ty.replace(' ', "")), String::new())],
        roles: vec![RoleRule::Input],
        at: at.clone(),
        only: None,
        except: Vec::new(),
    });
    let own = std::mem::take(&mut interface.rules.typemaps);
    interface.rules.typemaps = pointers.chain(own).collect();
    if !interface.has_typemaps {
        return;
    }
    let at = RulePlace::whole("typemaps.i");
    let names = [
        "OUTPUT",
        "INOUT",
        "BOTH",
        "INPUT",
        "POSITIVE",
        "NEGATIVE",
        "NONZERO",
        "NONNEGATIVE",
        "NONPOSITIVE",
        "NONNULL",
    ];
    let general = names.into_iter().filter_map(|name| {
        Some(Typemap {
            // Any type will do that the role is for.
            parameters: vec![(String::new(), name.to_owned())],
            roles: vec![role_of_name(name)?],
            at: at.clone(),
            only: None,
            except: Vec::new(),
        })
    });
    let own = std::mem::take(&mut interface.rules.typemaps);
    interface.rules.typemaps = general.chain(own).collect();
}

/// The number of elements of another parameter.
pub(super) fn elements_of(index: u32) -> RoleRule {
    RoleRule::Length {
        of: ParameterKey::Index(index),
        unit: Some(Unit::Elements),
    }
}

/// The number of bytes of the first parameter.
pub(super) fn length_of_first() -> RoleRule {
    RoleRule::Length {
        of: ParameterKey::Index(0),
        unit: Some(Unit::Bytes),
    }
}
