//! Directives: words that begin with `%`.

use super::super::{Located, ParameterKey, ParameterRule, RoleRule, RuleError, RulePlace};
use super::constant::constant;
use super::declaration::function_rule;
use super::rename::{function_target, rename, target};
use super::scan::{Scanner, code_block, end, scanner_until_brace, split, unquoted};
use super::{
    Interface, Open, contract, cstring, cwstring, feature, include, library, typemap, typemap_code,
};
use crate::policy::Gil;
use crate::words::nearest;

type Result<T> = std::result::Result<T, RuleError>;

/// Directives that are understood.
const SUPPORTED: [&str; 58] = [
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
    "varargs",
    "clear",
    "contract",
    "name",
    "pythonnondynamic",
    "nopythonnondynamic",
    "pythondynamic",
    "clearpythonnondynamic",
    "typedef",
    "pythonabc",
    "clearimmutable",
    "clearnodefaultdtor",
    "newfree",
    "fragment",
    "exception",
    "noexception",
    "allowexception",
];

/// Directives that are known and cannot be done, with advice for each.
const REFUSED: [(&[&str], &str); 5] = [
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
];

/// Reads a directive.
pub(super) fn read(
    scanner: &mut Scanner<'_>,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    let at = scanner.at();
    let error = |message: String| RuleError::new(&at, message);
    scanner.take("%");
    let Some(name) = scanner.name() else {
        return Err(error("a % is followed by a directive's name".to_owned()));
    };
    if interface.macros.is_block(name) {
        // `%name` is `name`, once it is a macro.
        return super::expand(name, scanner, &at, interface, open, depth);
    }
    if let Some((_, reason)) = REFUSED.iter().find(|(names, _)| names.contains(&name)) {
        return Err(error(format!("%{name} {reason}")));
    }
    let known = || {
        SUPPORTED
            .iter()
            .chain(&cstring::NAMES)
            .chain(&cwstring::NAMES)
            .chain(&library::NAMES)
    };
    if !known().any(|known| *known == name) {
        let known = known().chain(REFUSED.iter().flat_map(|(names, _)| *names));
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
    let whole = match options {
        Some(options) => interface.macros.expand(options, &at)?,
        None => None,
    };
    let options = whole.as_deref().or(options);
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
        "include" | "import" => include::include(scanner, name, &at, interface, open, depth)?,
        "header" | "begin" | "runtime" | "wrapper" => {
            let code = interface.macros.block(scanner, name, &at)?;
            super::code::block(&code, &at, interface, open);
        }
        "inline" => {
            let code = interface.macros.block(scanner, name, &at)?;
            super::code::inline(&code, &at, interface, open, depth)?;
        }
        "init" => {
            let code = interface.macros.block(scanner, name, &at)?;
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
            super::extend::extend(&record, body, &inner, interface)?;
        }
        "define" => {
            interface.macros.define_block(scanner, &at)?;
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
            let names = scanner.take_to_semicolon().trim();
            let pattern = unquoted(options.unwrap_or("%s").trim());
            if !names.is_empty() {
                let function = target(names, &at)?;
                if name == "callback" {
                    super::constant::function(&pattern, &function, &at, interface)?;
                }
            } else {
                let named = name == "callback" && !pattern.is_empty();
                interface.callback = named.then_some(pattern);
            }
        }
        "rename" => rename(scanner, options, &at, interface)?,
        "ignore" => {
            let text = rest(scanner, &at, interface)?;
            super::rename::ignore(&text, &at, interface)?;
        }
        "apply" => typemap::apply(scanner, options, &at, interface)?,
        "newobject" => {
            let text = rest(scanner, &at, interface)?;
            feature::new_object(&text, &at, interface)?;
        }
        "delobject" => {
            let name = function_target(scanner.take_to_semicolon(), &at)?;
            let mut rule = function_rule(&name, &at);
            interface.ending.push(name);
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
        "typemap" => typemap::typemap(scanner, options, &at, interface)?,
        "newfree" => return Err(error("it is written %typemap(newfree)".to_owned())),
        "constant" => {
            let text = rest(scanner, &at, interface)?;
            constant(text.trim_end().trim_end_matches(';'), &at, interface)?;
        }
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
                    let mut rule = function_rule(&function_target(of, &at)?, &at);
                    rule.gil = Some(Located { value: gil, at });
                    interface.rules.functions.push(rule);
                }
            }
        }
        "feature" => feature::feature(scanner, options.unwrap_or(""), &at, interface)?,
        name if cstring::NAMES.contains(&name) => {
            cstring::cstring(name, options.unwrap_or(""), &at, interface)?;
            end(scanner);
        }
        name if cwstring::NAMES.contains(&name) => {
            cwstring::cwstring(name, options.unwrap_or(""), &at, interface)?;
            end(scanner);
        }
        name if library::NAMES.contains(&name) => {
            end(scanner);
            library::function(name, options.unwrap_or(""), &at, interface)?;
        }
        "name" => {
            // The next declaration has this name in Python.
            let statement = scanner.statement();
            let new = options.unwrap_or("").trim().trim_matches('"').to_owned();
            let before = interface.declared.len();
            super::declaration::declarations(statement, &at, interface)?;
            let old = interface
                .declared
                .get(before..)
                .and_then(|names| names.first());
            if let Some(old) = old.cloned() {
                interface.read_generated(&format!("%rename({new}) {old};"), &at)?;
            }
        }
        "fragment" => typemap_code::fragment(scanner, options.unwrap_or(""), &at, interface)?,
        "exception" | "noexception" => {
            typemap_code::exception(scanner, name == "noexception", &at, interface)?;
        }
        "varargs" => varargs(scanner, options.unwrap_or(""), &at, interface)?,
        "clear" => typemap::clear(scanner, &at, interface)?,
        "contract" => contract::contract(scanner, &at, interface)?,
        "immutable" | "mutable" | "clearimmutable" => {
            let names = rest(scanner, &at, interface)?;
            feature::immutable(&names, name == "immutable", &at, interface)?;
        }
        "nodefaultctor" | "clearnodefaultctor" => {
            let names = rest(scanner, &at, interface)?;
            let set = name == "nodefaultctor";
            interface.no_constructors.set(&names, set, &at)?;
        }
        "pythonnondynamic" | "nopythonnondynamic" | "pythondynamic" | "clearpythonnondynamic" => {
            let names = rest(scanner, &at, interface)?;
            let set = name == "pythonnondynamic";
            interface.fixed.set(&names, set, &at)?;
        }
        // All other directives have no effect here.
        _ => {
            scanner.take_to_semicolon();
            note(interface, "has no effect here");
        }
    }
    Ok(())
}

/// The rest of a directive, to its semicolon, with its macros replaced.
fn rest(scanner: &mut Scanner<'_>, at: &RulePlace, interface: &mut Interface) -> Result<String> {
    let text = scanner.take_to_semicolon();
    let whole = interface.macros.expand(text, at)?;
    Ok(whole.unwrap_or_else(|| text.to_owned()))
}

/// `%insert("section") %{ … %}`, or a file's name in place of the code.
fn insert(
    scanner: &mut Scanner<'_>,
    options: Option<&str>,
    at: &RulePlace,
    interface: &mut Interface,
    open: Open<'_>,
) -> Result<()> {
    let section = unquoted(options.unwrap_or("").trim());
    let code = match scanner.string() {
        Some(file) => open(file, &at.file)
            .map(|(text, _)| text)
            .map_err(|reason| {
                RuleError::new(at, format!("%insert({section}) \"{file}\": {reason}"))
            })?,
        None => interface.macros.block(scanner, "insert", at)?,
    };
    match section.as_str() {
        "header" | "begin" | "runtime" | "wrapper" => {
            super::code::block(&code, at, interface, open)
        }
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
    open: Open<'_>,
) -> Result<()> {
    let code = match scanner.string() {
        Some(file) if file.ends_with(".py") => open(file, &at.file)
            .map(|(text, _)| text)
            .map_err(|reason| RuleError::new(at, format!("%{name} \"{file}\": {reason}")))?,
        Some(text) => unquoted(text),
        None => code_block(scanner, name, at)?,
    };
    end(scanner);
    let code = super::helpers::python_code(&code);
    interface
        .python_names
        .extend(super::helpers::public_names(&code));
    interface.python.push_str(&code);
    Ok(())
}

/// `%varargs(…) name;`: a fixed list in place of `...`, perhaps several times.
fn varargs(
    scanner: &mut Scanner<'_>,
    options: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let mut parameters: Vec<String> = split(options).into_iter().map(str::to_owned).collect();
    let count = parameters
        .first()
        .and_then(|first| first.parse::<usize>().ok());
    if let Some(count) = count {
        parameters.remove(0);
        if count * parameters.len() > 100 {
            return Err(RuleError::new(
                at,
                "%varargs stands for at most 100 parameters",
            ));
        }
        parameters = std::iter::repeat_n(parameters, count).flatten().collect();
    }
    if parameters.is_empty() {
        return Err(RuleError::new(
            at,
            "%varargs takes parameters, as in %varargs(5, char *x = NULL)",
        ));
    }
    let name = target(scanner.take_to_semicolon(), at)?;
    interface.varargs.insert(
        name,
        super::Varargs {
            parameters,
            at: at.clone(),
            used: false,
        },
    );
    Ok(())
}
