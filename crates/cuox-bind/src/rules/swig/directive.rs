//! Directives: words that begin with `%`.

use super::super::{
    FunctionRule, Glob, Located, OutputRule, ParameterKey, ParameterRule, ResultRule, RoleRule,
    RuleError, RulePlace, Typemap,
};
use super::constant::constant;
use super::parameter::{parameter, parameters};
use super::rename::{rename, target};
use super::scan::{Scanner, split};
use super::{DEPTH, Interface, KNOWN};
use crate::policy::{Gil, Unit};
use crate::words::{is_identifier, nearest};

type Result<T> = std::result::Result<T, RuleError>;

/// Directives that are understood.
const SUPPORTED: [&str; 45] = [
    "module",
    "include",
    "import",
    "rename",
    "ignore",
    "apply",
    "newobject",
    "delobject",
    "typemap",
    "constant",
    "thread",
    "nothread",
    "threadallow",
    "nothreadallow",
    "feature",
    "immutable",
    "mutable",
    "nodefaultctor",
    "nodefaultdtor",
    "clearnodefaultctor",
    "warnfilter",
    "header",
    "begin",
    "runtime",
    "wrapper",
    "init",
    "insert",
    "inline",
    "extend",
    "define",
    "pythoncode",
    "pythonbegin",
    "pointer_functions",
    "pointer_class",
    "array_functions",
    "array_class",
    "callback",
    "nocallback",
    "echo",
    "pragma",
    "autodoc",
    "cstring_output_maxsize",
    "cstring_output_allocate",
    "cstring_input_binary",
    "newfree",
];

/// Directives that are known and cannot be done, with advice for each.
const REFUSED: [(&[&str], &str); 14] = [
    (
        &["fragment"],
        "is code for Python's C API, which a binding does not use",
    ),
    (
        &["exception"],
        "wraps calls in code for Python's C API, which a binding does not use: a status becomes an exception by the rules 'status' and 'success'",
    ),
    (
        &["allowexception", "noexception"],
        "is about %exception, which is not supported: a status becomes an exception by the rules 'status' and 'success'",
    ),
    (&["catches"], "is for C++ exceptions, which are not caught"),
    (
        &["template"],
        "makes a class of a C++ template, which is not supported: write functions of C around it, with %inline",
    ),
    (
        &["pythonprepend", "pythonappend"],
        "puts code into SWIG's own functions: write a function around it with %pythoncode",
    ),
    (
        &["enddef"],
        "ends a macro, and there is no %define before it",
    ),
    (&["director", "shared_ptr"], "is for C++ classes"),
    (
        &["clear"],
        "ends what %apply has begun; here %apply is about all functions with such parameters",
    ),
    (
        &["cstring_bounded_output"],
        "needs a buffer of a fixed length: use cuox's rules, or pass a bytearray",
    ),
    (
        &["cstring_output_withsize"],
        "needs a length that C changes: pass a bytearray and its length",
    ),
    (
        &["cstring_bounded_mutable", "cstring_chunk_output"],
        "needs a buffer of a fixed length: pass a bytearray",
    ),
    (
        &["cstring_mutable"],
        "needs memory that C changes: pass a bytearray",
    ),
    (
        &["cstring_output_allocate_size"],
        "needs a length that C gives with the text: take both as outputs",
    ),
];

/// Reads a directive.
pub(super) fn read(
    scanner: &mut Scanner<'_>,
    interface: &mut Interface,
    open: &mut dyn FnMut(&str) -> std::result::Result<String, String>,
    depth: u32,
) -> Result<()> {
    let at = scanner.at();
    let error = |message: String| RuleError::new(&at, message);
    scanner.take("%");
    let Some(name) = scanner.name() else {
        return Err(error("a % is followed by a directive's name".to_owned()));
    };
    if interface.macros.contains_key(name) {
        // `%name` is `name`, once it is a macro.
        return super::expand(name, scanner, &at, interface, open, depth);
    }
    if let Some((_, reason)) = REFUSED.iter().find(|(names, _)| names.contains(&name)) {
        return Err(error(format!("%{name} {reason}")));
    }
    if !SUPPORTED.contains(&name) {
        let known = SUPPORTED
            .iter()
            .chain(REFUSED.iter().flat_map(|(names, _)| *names));
        let near = nearest(name, known.copied());
        let hint = near.map_or_else(String::new, |near| format!("; did you mean '%{near}'?"));
        return Err(error(format!("unknown directive %{name}{hint}")));
    }
    scanner.space();
    let options = match name {
        "include" | "import" | "define" | "extend" | "pythoncode" | "pythonbegin" => None,
        // `%inline { … }` has no options, but code.
        _ if !scanner.peek_is(b'(') => None,
        _ => scanner.bracket()?,
    };
    if name != "define" {
        scanner.space();
    }
    let note = |interface: &mut Interface, text: &str| {
        interface.notes.push(format!("{at}: %{name} {text}"));
    };
    match name {
        "module" => {
            let Some(module) = scanner.name().or_else(|| scanner.string()) else {
                return Err(error("%module is followed by the module's name".to_owned()));
            };
            if depth == 0 && interface.module.is_none() {
                interface.module = Some(module.to_owned());
                let docstring = split(options.unwrap_or("")).into_iter().find_map(|option| {
                    let (name, value) = option.split_once('=')?;
                    (name.trim() == "docstring").then(|| unquoted(value.trim()))
                });
                interface.docstring = docstring;
            }
            scanner.blanks();
            scanner.take(";");
        }
        "include" | "import" => include(scanner, name, &at, interface, open, depth)?,
        "header" | "begin" | "runtime" | "wrapper" => {
            let code = code_block(scanner, name, &at)?;
            super::code::block(&code, &at, interface);
        }
        "inline" => {
            let code = code_block(scanner, name, &at)?;
            super::code::inline(&code, &at, interface);
        }
        "init" => {
            let code = code_block(scanner, name, &at)?;
            super::code::init(&code, &at, interface);
        }
        "insert" => insert(scanner, options, &at, interface, open)?,
        "extend" => {
            let record = scanner_until_brace(scanner);
            let inner = scanner.at();
            let Some(body) = scanner.bracket()? else {
                return Err(error(
                    "%extend is followed by a record's name and functions in braces".to_owned(),
                ));
            };
            end(scanner);
            super::code::extend(&record, body, &inner, interface)?;
        }
        "define" => {
            let (name, defined) = super::macros::define(scanner, &at)?;
            interface.macros.insert(name, defined);
        }
        "pythoncode" | "pythonbegin" => python(scanner, name, &at, interface, open)?,
        "pointer_functions" | "pointer_class" | "array_functions" | "array_class" => {
            super::helpers::helper(name, options, &at, interface)?;
            end(scanner);
        }
        "echo" => {
            let text = scanner.string().unwrap_or("").to_owned();
            end(scanner);
            interface.notes.push(format!("{at}: {text}"));
        }
        "pragma" => {
            scanner.take_to_line_end();
            note(interface, "has no effect here");
        }
        "callback" | "nocallback" => {
            scanner.take_to_semicolon();
            note(
                interface,
                "has no effect here: a Python callable is passed where C wants a function",
            );
        }
        "rename" => rename(scanner, options, &at, interface)?,
        "ignore" => {
            let name = target(scanner.take_to_semicolon(), &at)?;
            interface.rules.ignore.push(Located {
                value: Glob(name),
                at,
            });
        }
        "apply" => apply(scanner, options, &at, interface)?,
        "newobject" => {
            let free = interface.newfree.clone();
            let mut rule = function(target(scanner.take_to_semicolon(), &at)?, &at);
            rule.result = Some(Located {
                value: ResultRule::Owned { free },
                at,
            });
            interface.rules.functions.push(rule);
        }
        "delobject" => {
            let mut rule = function(target(scanner.take_to_semicolon(), &at)?, &at);
            let role = RoleRule::Handle {
                class: None,
                consumed: Some(true),
            };
            rule.parameters.push(ParameterRule {
                extent: None,
                parameter: ParameterKey::Index(0),
                at,
                name: None,
                role: Some(role),
                nullable: None,
                default: None,
            });
            interface.rules.functions.push(rule);
        }
        "typemap" => typemap(scanner, options, &at, interface)?,
        "newfree" => return Err(error("it is written %typemap(newfree)".to_owned())),
        "constant" => constant(scanner.take_to_semicolon(), &at, interface)?,
        "thread" | "nothread" | "threadallow" | "nothreadallow" => {
            let gil = if name.starts_with("no") {
                Gil::Hold
            } else {
                Gil::Release
            };
            let of = scanner.take_to_semicolon().trim();
            match of.is_empty() {
                true => interface.rules.gil = Some(Located { value: gil, at }),
                false => {
                    let mut rule = function(target(of, &at)?, &at);
                    rule.gil = Some(Located { value: gil, at });
                    interface.rules.functions.push(rule);
                }
            }
        }
        "feature" => feature(scanner, options.unwrap_or(""), &at, interface)?,
        "cstring_output_maxsize" | "cstring_input_binary" => {
            let parameters = parameters(options.unwrap_or(""), &at)?;
            if parameters.len() != 2 {
                return Err(error(format!(
                    "%{name} takes two parameters, memory and its length"
                )));
            }
            let roles = match name {
                "cstring_input_binary" => vec![
                    RoleRule::Memory {
                        writable: Some(false),
                    },
                    length_of_first(),
                ],
                _ => vec![
                    RoleRule::Output(OutputRule {
                        length: Some(ParameterKey::Index(1)),
                        ..OutputRule::default()
                    }),
                    RoleRule::Input,
                ],
            };
            interface.rules.typemaps.push(Typemap {
                parameters,
                roles,
                at: at.clone(),
            });
            end(scanner);
        }
        "cstring_output_allocate" => {
            let parts = split(options.unwrap_or(""));
            let [text, release] = parts[..] else {
                return Err(error(format!(
                    "%{name} takes a parameter and how its text is freed"
                )));
            };
            let free = release.split('(').next().unwrap_or("").trim().to_owned();
            let roles = vec![RoleRule::Output(OutputRule {
                free: Some(free).filter(|free| !free.is_empty()),
                ..OutputRule::default()
            })];
            let parameters = vec![parameter(text, &at)?];
            interface.rules.typemaps.push(Typemap {
                parameters,
                roles,
                at: at.clone(),
            });
            end(scanner);
        }
        // All other directives have no effect here.
        _ => {
            scanner.take_to_semicolon();
            note(interface, "has no effect here");
        }
    }
    Ok(())
}

fn elements_of(index: u32) -> RoleRule {
    RoleRule::Length {
        of: ParameterKey::Index(index),
        unit: Some(Unit::Elements),
    }
}

fn length_of_first() -> RoleRule {
    RoleRule::Length {
        of: ParameterKey::Index(0),
        unit: Some(Unit::Bytes),
    }
}

/// The text of a string, with its escapes.
fn unquoted(text: &str) -> String {
    let inside = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(text);
    inside
        .replace("\\n", "\n")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
}

/// The code of a directive: `%{ … %}` or `{ … }`.
fn code_block(scanner: &mut Scanner<'_>, name: &str, at: &RulePlace) -> Result<String> {
    scanner.space();
    if scanner.take("%{") {
        return scanner.until_close(at).map(str::to_owned);
    }
    match scanner.peek_is(b'{') {
        true => Ok(scanner.bracket()?.unwrap_or("").to_owned()),
        false => Err(RuleError::new(at, format!("%{name} is followed by %{{"))),
    }
}

/// `%insert("section") %{ … %}`, or a file's name in place of the code.
fn insert(
    scanner: &mut Scanner<'_>,
    options: Option<&str>,
    at: &RulePlace,
    interface: &mut Interface,
    open: &mut dyn FnMut(&str) -> std::result::Result<String, String>,
) -> Result<()> {
    let section = unquoted(options.unwrap_or("").trim());
    let code = match scanner.string() {
        Some(file) => open(file).map_err(|reason| {
            RuleError::new(at, format!("%insert({section}) \"{file}\": {reason}"))
        })?,
        None => code_block(scanner, "insert", at)?,
    };
    match section.as_str() {
        "header" | "begin" | "runtime" | "wrapper" => super::code::block(&code, at, interface),
        "init" => super::code::init(&code, at, interface),
        "python" | "pythonbegin" => interface
            .python
            .push_str(&super::helpers::python_code(&code)),
        other => {
            return Err(RuleError::new(
                at,
                format!(
                    "%insert(\"{other}\"): expected begin, runtime, header, wrapper, init, python or pythonbegin"
                ),
            ));
        }
    }
    Ok(())
}

/// `%pythoncode %{ … %}`, `{ … }`, or a file's name.
fn python(
    scanner: &mut Scanner<'_>,
    name: &str,
    at: &RulePlace,
    interface: &mut Interface,
    open: &mut dyn FnMut(&str) -> std::result::Result<String, String>,
) -> Result<()> {
    let code = match scanner.string() {
        Some(file) if file.ends_with(".py") => open(file)
            .map_err(|reason| RuleError::new(at, format!("%{name} \"{file}\": {reason}")))?,
        Some(text) => unquoted(text),
        None => code_block(scanner, name, at)?,
    };
    end(scanner);
    interface
        .python
        .push_str(&super::helpers::python_code(&code));
    Ok(())
}

/// A semicolon behind a directive that needs none.
fn end(scanner: &mut Scanner<'_>) {
    scanner.space();
    scanner.take(";");
}

fn function(name: String, at: &RulePlace) -> FunctionRule {
    FunctionRule {
        functions: Glob(name),
        at: at.clone(),
        name: None,
        gil: None,
        result: None,
        errno: None,
        parameters: Vec::new(),
    }
}

fn include(
    scanner: &mut Scanner<'_>,
    directive: &str,
    at: &RulePlace,
    interface: &mut Interface,
    open: &mut dyn FnMut(&str) -> std::result::Result<String, String>,
    depth: u32,
) -> Result<()> {
    if scanner.bracket()?.is_some() {
        scanner.space();
    }
    let name = match scanner.string() {
        Some(name) => name.to_owned(),
        None => {
            let line = scanner
                .take_to_line_end()
                .trim()
                .trim_end_matches(';')
                .trim();
            line.trim_start_matches('<')
                .trim_end_matches('>')
                .to_owned()
        }
    };
    scanner.take(";");
    if name.is_empty() {
        return Err(RuleError::new(
            at,
            format!("%{directive} is followed by a file's name"),
        ));
    }
    let base = name.rsplit('/').next().unwrap_or(&name);
    if KNOWN.contains(&base) {
        return Ok(());
    }
    if !name.ends_with(".i") && !name.ends_with(".swg") {
        interface.header_places.push((name.clone(), at.clone()));
        match directive {
            "import" => interface.prelude.push(name),
            _ => interface.headers.push(name),
        }
        return Ok(());
    }
    if base.starts_with("std_") || base.starts_with("boost_") {
        interface.notes.push(format!(
            "{at}: {name} is about classes of C++ and has no effect on functions of C"
        ));
        return Ok(());
    }
    if ["cmalloc.i", "cdata.i", "pybuffer.i"].contains(&base) {
        return Err(RuleError::new(
            at,
            format!(
                "{name} is not supported: pass buffers and arrays as they are, and see docs/bind.md for lengths"
            ),
        ));
    }
    if depth >= DEPTH {
        return Err(RuleError::new(at, "too many files include one another"));
    }
    let text = open(&name)
        .map_err(|reason| RuleError::new(at, format!("%{directive} \"{name}\": {reason}")))?;
    super::read(&text, &name, interface, open, depth + 1)
}

fn apply(
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
    let roles = match names[..] {
        ["OUTPUT"] => vec![RoleRule::Output(OutputRule::default())],
        ["INOUT" | "BOTH"] => vec![RoleRule::InOut],
        ["INPUT"] => vec![RoleRule::Memory { writable: None }],
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
                "unknown typemap '{names}'; OUTPUT, INOUT, INPUT, (char *STRING, size_t LENGTH) and those of numpy.i for one dimension are known"
            )));
        }
    };
    for target in split(targets) {
        let inside = target
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let parameters = parameters(inside.unwrap_or(target), at)?;
        if parameters.len() != roles.len() {
            return Err(error(format!(
                "'{target}' has {} parameters, and the typemap {}",
                parameters.len(),
                roles.len()
            )));
        }
        interface.rules.typemaps.push(Typemap {
            parameters,
            roles: roles.clone(),
            at: at.clone(),
        });
    }
    Ok(())
}

fn scanner_until_brace(scanner: &mut Scanner<'_>) -> String {
    let mut text = String::new();
    while !scanner.done() && !scanner.peek_is(b'{') && !scanner.peek_is(b';') {
        match scanner.name() {
            Some(name) => text.push_str(name),
            None => text.push_str(scanner.one()),
        }
    }
    text
}

fn typemap(
    scanner: &mut Scanner<'_>,
    options: Option<&str>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let kind = options.unwrap_or("").trim();
    if kind != "newfree" {
        return Err(RuleError::new(
            at,
            format!(
                "%typemap({kind}) is code for Python's C API, which a binding does not use: use %apply or rules for the parameter instead"
            ),
        ));
    }
    while !scanner.done()
        && !scanner.peek_is(b'"')
        && !scanner.peek_is(b'{')
        && !scanner.peek_is(b';')
    {
        scanner.one();
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

/// The name that a feature is for, before its value.
fn feature_target(scanner: &mut Scanner<'_>) -> String {
    let mut text = String::new();
    while !scanner.done()
        && !scanner.peek_is(b'"')
        && !scanner.peek_is(b'{')
        && !scanner.peek_is(b'%')
        && !scanner.peek_is(b';')
    {
        match scanner.name() {
            Some(name) => text.push_str(name),
            None => text.push_str(scanner.one()),
        }
    }
    text
}

fn feature(
    scanner: &mut Scanner<'_>,
    options: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let feature = split(options)
        .first()
        .map_or("", |first| first.trim_matches('"'))
        .to_owned();
    match feature.as_str() {
        "docstring" => {
            let name = target(&feature_target(scanner), at)?;
            scanner.space();
            let text = match scanner.string() {
                Some(text) => unquoted(text),
                None => {
                    super::helpers::python_code(&code_block(scanner, "feature(\"docstring\")", at)?)
                }
            };
            end(scanner);
            interface.docs.push((name, text.trim().to_owned()));
            Ok(())
        }
        "autodoc" | "kwargs" | "compactdefaultargs" | "keyword" => {
            scanner.take_to_semicolon();
            interface.notes.push(format!(
                "{at}: %feature(\"{feature}\") has no effect here: documentation is the header's, and keywords are always taken"
            ));
            Ok(())
        }
        "new" => {
            let mut rule = function(target(scanner.take_to_semicolon(), at)?, at);
            rule.result = Some(Located {
                value: ResultRule::Owned {
                    free: interface.newfree.clone(),
                },
                at: at.clone(),
            });
            interface.rules.functions.push(rule);
            Ok(())
        }
        other => Err(RuleError::new(
            at,
            format!(
                "%feature(\"{other}\") is not supported; autodoc, docstring, kwargs and new are"
            ),
        )),
    }
}
