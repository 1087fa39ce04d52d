//! C declarations between directives: the names that they declare, and the parts of them that only SWIG knows.

use super::super::{
    FunctionRule, Glob, Located, ParameterKey, ParameterRule, RoleRule, RuleError, RulePlace,
};
use super::c_text::{function_of, last_name};
use super::parameter::Declared;
use super::scan::{Scanner, matching, split, without_comments};
use super::tokens::is_name;
use super::{Interface, ParameterValue, constant, record, scan, typemap};
use crate::decl::Value;

/// C text between directives.
pub(super) fn declarations(
    text: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> super::Result<()> {
    let flat;
    if scan::is_line(text) {
        return line(text, at, interface);
    }
    let has_lines = |text: &str| text.lines().any(|line| line.trim_start().starts_with('#'));
    let text = match interface.expanding && !has_lines(text) {
        // The lines of a macro's text are not the file's.
        true => {
            flat = scan::without_comments(text).replace('\n', " ");
            &flat
        }
        false => text,
    };
    let in_record = text.contains('%') || text.contains("static");
    let changed = match in_record && text.contains('{') {
        true => record::without_directives(text, at, interface)?,
        false => None,
    };
    let text = changed.as_deref().unwrap_or(text);
    if let Some(rest) = record::empty_enumeration(text) {
        // C has none without constants, and only the macros in it are of use.
        return add(&rest, interface);
    }
    if !interface.inside_code && record::is_defined(text, interface) {
        // The code of %{ %} has the same definition.
        return keep_lines(text, interface);
    }
    let changed = function(text, at, interface)?;
    let text = changed.as_deref().unwrap_or(text);
    let plain = without_comments(text);
    // What is bound gets a symbol in the code's library.
    let seen = match plain.trim_start().starts_with("static") && function_of(plain.trim()).is_some()
    {
        true => Some(super::code::declaration(text)),
        false => None,
    };
    let text = seen.as_deref().unwrap_or(text);
    let mut probe = Scanner::new(text, "");
    probe.space();
    let trimmed = text[probe.offset()..].trim_end();
    add(text, interface)?;
    let before = interface.declared.len();
    names(trimmed, interface);
    if let Some(name) = record::defined(trimmed) {
        interface.no_constructors.defined(&name);
        interface.fixed.defined(&name);
    }
    if interface.immutable {
        let names = interface.declared[before..]
            .iter()
            .map(|name| (name.clone(), true));
        interface.immutable_names.extend(names);
        if let Some(name) = record::defined(trimmed) {
            interface.immutable_fields.push((name, None));
        }
    }
    Ok(())
}

/// A line of the preprocessor that is not a condition, with the comments before it.
pub(super) fn line(text: &str, at: &RulePlace, interface: &mut Interface) -> super::Result<()> {
    let mut probe = Scanner::from(text, at);
    probe.space();
    let at = probe.at();
    probe.take("#");
    probe.blanks();
    let word = probe.name().unwrap_or("");
    let behind = &text[probe.offset()..];
    let said = without_comments(behind);
    let said = said.trim();
    match word {
        "define" => {
            if let Some(name) = interface.macros.define_line(behind) {
                interface.declared.push(name);
            }
        }
        "undef" => interface.macros.undefine(said),
        "include" | "include_next" | "import" => {
            // As in SWIG: what is to be bound is named by %include.
            if interface.inside_code {
                interface.source.push('\n');
                interface.source.push_str(text.trim_start());
                interface.source.push('\n');
                return Ok(());
            }
            return keep_lines(text, interface);
        }
        "error" if !interface.inside_code && !interface.errors_are_notes => {
            return Err(RuleError::new(&at, format!("#error {said}")));
        }
        "error" | "warning" if !interface.inside_code => {
            interface.notes.push(format!("{at}: #{word} {said}"));
            return keep_lines(text, interface);
        }
        "pragma" if said.starts_with("SWIG") => {
            interface.errors_are_notes |= said.contains("cpperraswarn=1");
            return keep_lines(text, interface);
        }
        _ => {}
    }
    add(text, interface)
}

/// Notes the names that a declaration declares.
fn names(trimmed: &str, interface: &mut Interface) {
    if trimmed.is_empty() {
        return;
    }
    let code = scan::without_comments(trimmed);
    let head = code.split('{').next().unwrap_or_default();
    let before = head.split(['(', '=', '[']).next().unwrap_or_default();
    // `int a = 1, b;` declares several.
    if !head.contains('(') && !code.contains('{') {
        let list = split(code.trim_end_matches(';'));
        for item in list.into_iter().skip(1) {
            let name = Declared::read(&format!("int {item}")).name;
            if !name.is_empty() {
                interface.declared.push(name);
            }
        }
    }
    let before = before.split(',').next().unwrap_or(before);
    let mut names = before.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    if let Some(name) = names.rfind(|name| !name.is_empty())
        && !interface.declared.iter().any(|known| known == name)
    {
        interface.declared.push(name.to_owned());
    }
    if let Some(head) = head.split_once("(*").filter(|_| !head.contains("typedef")) {
        // A variable that points to a function.
        let end = head
            .1
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        if let Some(name) = end
            .and_then(|end| head.1.get(..end))
            .filter(|name| is_name(name))
        {
            interface.declared.push(name.to_owned());
        }
    }
}

/// Text for clang.
fn add(text: &str, interface: &mut Interface) -> super::Result<()> {
    interface.source.push_str(text);
    let lines = text.bytes().filter(|byte| *byte == b'\n').count();
    interface.lines = interface
        .lines
        .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    Ok(())
}

/// The lines of a text without the text.
fn keep_lines(text: &str, interface: &mut Interface) -> super::Result<()> {
    add(&"\n".repeat(text.matches('\n').count()), interface)
}

/// A function's declaration as C has it: without defaults, without `...` that %varargs replaces, and with names of
/// typemaps once. Rules say what is lost. `None` if nothing is.
pub(super) fn function(
    text: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> super::Result<Option<String>> {
    let mut probe = Scanner::new(text, "");
    probe.space();
    let (comments, code) = text.split_at(probe.offset());
    let plain = without_comments(code);
    let Some((head, body)) = function_of(plain.trim_end()) else {
        return Ok(None);
    };
    let Some(name) = last_name(head).map(str::to_owned) else {
        return Ok(None);
    };
    let Some(open) = head.find('(') else {
        return Ok(None);
    };
    if matching(&head[open..]).is_none_or(|end| open + end != head.len()) {
        return Ok(None);
    }
    if let Some(pattern) = interface.callback.clone() {
        super::constant::function(&pattern, &name, at, interface)?;
    }
    let inside = &head[open + 1..head.len() - 1];
    let mut parameters: Vec<Declared> = split(inside).into_iter().map(Declared::read).collect();
    let names = parameters.iter().map(|it| it.name.clone()).collect();
    interface.conversions.declared(&name, names);
    let mut rule = function_rule(&name, at);
    let mut changed = false;
    let mut seen: Vec<String> = Vec::new();
    for (index, parameter) in parameters.iter_mut().enumerate() {
        let index = index as u32;
        if parameter.default.is_none() {
            parameter.default = value(parameter, false, interface).map(|it| it.value.clone());
        }
        if let Some(value) = parameter.default.take() {
            changed = true;
            match default(&value, interface) {
                Some(value) => rule
                    .parameters
                    .push(parameter_rule(index, at, None, Some(value))),
                None => interface.default_of(&name, index, &value, at),
            }
        }
        if let Some(role) = typemap::role_of_name(&parameter.name)
            && parameter.text.contains(['*', '['])
        {
            rule.parameters
                .push(parameter_rule(index, at, Some(role), None));
        }
        if !parameter.name.is_empty() && seen.contains(&parameter.name) {
            changed = true;
            parameter.remove_name();
        }
        seen.push(parameter.name.clone());
    }
    let list: Vec<&str> = parameters.iter().map(|it| it.text.as_str()).collect();
    let result = head[..open].trim_end();
    let result = result[..result.len() - name.len()].to_owned();
    let extra = match list.last() {
        Some(&"...") => interface.varargs.get_mut(&name),
        _ => None,
    };
    let extra = extra.map(|extra| {
        extra.used = true;
        extra.clone()
    });
    if extra.is_some() || parameters.iter().any(|it| fixed(it, interface).is_some()) {
        let count = list.len() - usize::from(extra.is_some());
        let extra = extra.map_or_else(Vec::new, |extra| extra.parameters);
        wrapper(
            &result,
            &name,
            &parameters[..count],
            &extra,
            rule,
            at,
            interface,
        )?;
        keep_lines(text, interface)?;
        return Ok(Some(String::new()));
    }
    if super::cwstring::wrapper(&result, &name, &parameters, &rule, at, interface)? {
        keep_lines(text, interface)?;
        return Ok(Some(String::new()));
    }
    if !rule.parameters.is_empty() {
        interface.rules.functions.push(rule);
    }
    if !changed && body.is_none() {
        return Ok(None);
    }
    let lines = "\n".repeat(code.matches('\n').count());
    Ok(Some(format!(
        "{comments}{result}{name}({});{lines}",
        list.join(", ").replace('\n', " ")
    )))
}

/// The beginning of the names of functions whose parameters replace the `...` of those that headers declare.
pub const VARARGS: &str = "cuox_varargs_";

/// Declares the parameters that `%varargs` gives functions which the file itself does not declare.
pub(super) fn varargs_of_headers(interface: &mut Interface) {
    let of_headers = interface.varargs.iter().filter(|(_, it)| !it.used);
    let mut all: Vec<(String, super::Varargs)> = of_headers
        .map(|(name, varargs)| (name.clone(), varargs.clone()))
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, varargs) in all {
        let own = format!("{VARARGS}{name}");
        let mut rule = function_rule(&own, &varargs.at);
        let mut list = Vec::new();
        for (index, text) in (0..).zip(&varargs.parameters) {
            let mut parameter = Declared::read(text);
            if let Some(text) = parameter.default.take() {
                match default(&text, interface) {
                    value @ Some(_) => {
                        let rules = &mut rule.parameters;
                        rules.push(parameter_rule(index, &varargs.at, None, value));
                    }
                    None => interface.default_of(&own, index, &text, &varargs.at),
                }
            }
            parameter.remove_name();
            list.push(parameter.text);
        }
        let list = list.join(", ");
        interface
            .last_source
            .push_str(&format!("\nvoid {own}({list});"));
        interface.rules.functions.push(rule);
    }
}

pub(super) fn function_rule(name: &str, at: &RulePlace) -> FunctionRule {
    FunctionRule {
        functions: Glob(name.to_owned()),
        at: at.clone(),
        name: None,
        gil: None,
        result: None,
        errno: None,
        parameters: Vec::new(),
    }
}

pub(super) fn parameter_rule(
    index: u32,
    at: &RulePlace,
    role: Option<RoleRule>,
    default: Option<Value>,
) -> ParameterRule {
    ParameterRule {
        extent: None,
        parameter: ParameterKey::Index(index),
        at: at.clone(),
        name: None,
        role,
        nullable: None,
        default,
    }
}

/// A default that is known without a compiler.
fn default(text: &str, interface: &Interface) -> Option<Value> {
    let meaning = interface.meaning(text.trim());
    let text = meaning.as_str();
    match text {
        "NULL" | "nullptr" => Some(Value::Null),
        "true" => Some(Value::Int(1)),
        "false" => Some(Value::Int(0)),
        _ => match constant::character(text) {
            Some(letter) => Some(Value::Int(i128::from(u32::from(letter)))),
            None => constant::text(text).or_else(|| constant::number(text)),
        },
    }
}

/// The value that `%typemap(in, numinputs=0)` gives a parameter.
fn fixed<'a>(parameter: &Declared, interface: &'a Interface) -> Option<&'a ParameterValue> {
    value(parameter, true, interface)
}

/// The value that a typemap gives a parameter.
fn value<'a>(
    parameter: &Declared,
    always: bool,
    interface: &'a Interface,
) -> Option<&'a ParameterValue> {
    let values = interface
        .values
        .iter()
        .rev()
        .filter(|it| it.always == always);
    let mut values = values.peekable();
    values.peek()?;
    let known = super::parameter::parameter(&parameter.text, &RulePlace::whole("")).ok()?;
    if interface.conversions.goes_on(&known) {
        return None;
    }
    let fits = |of: &(String, String)| of.0 == known.0 && (of.1.is_empty() || of.1 == known.1);
    values.find(|it| fits(&it.parameter))
}

/// A function of the interface file's own that calls another one, with further arguments in place of `...`, and with
/// arguments that the caller does not give.
fn wrapper(
    result: &str,
    name: &str,
    parameters: &[Declared],
    extra: &[String],
    from: FunctionRule,
    at: &RulePlace,
    interface: &mut Interface,
) -> super::Result<()> {
    let own = format!("cuox_call_{name}");
    let mut rule = function_rule(&own, at);
    rule.name = Some(Located {
        value: name.to_owned(),
        at: at.clone(),
    });
    let (mut declared, mut given) = (Vec::new(), Vec::new());
    let (mut setup, mut closing) = (String::new(), String::new());
    for (place, parameter) in parameters.iter().enumerate() {
        if let Some(value) = fixed(parameter, interface) {
            given.push(match &value.code {
                Some(code) => {
                    let name = format!("cuox_given{place}");
                    let typed = parameter.clone().named(&name);
                    // A block for each: its variables live as long as the call.
                    let variables = split(&code.variables)
                        .into_iter()
                        .map(|it| format!("{it}; "));
                    let variables: String = variables.filter(|it| it.trim() != ";").collect();
                    let text = code.text.replace("$1", &name);
                    setup.push_str(&format!("{variables}{typed}; {text}; {{ "));
                    closing.push_str(" }");
                    name
                }
                None => value.value.clone(),
            });
            continue;
        }
        let (index, argument) = (declared.len() as u32, format!("arg{}", declared.len()));
        let said = from
            .parameters
            .iter()
            .filter(|it| it.parameter == ParameterKey::Index(place as u32));
        for said in said {
            rule.parameters.push(ParameterRule {
                parameter: ParameterKey::Index(index),
                ..said.clone()
            });
        }
        if !parameter.name.is_empty() {
            rule.parameters.push(ParameterRule {
                name: Some(parameter.name.clone()),
                ..parameter_rule(index, at, None, None)
            });
        }
        declared.push(parameter.clone().named(&argument));
        given.push(argument);
    }
    let mut last = None;
    for parameter in extra {
        let (index, argument) = (declared.len() as u32, format!("arg{}", declared.len()));
        let mut parameter = Declared::read(parameter);
        let value = parameter.default.take();
        declared.push(parameter.named(&argument));
        given.push(argument);
        if let Some(value) = value {
            match default(&value, interface) {
                Some(value) => rule
                    .parameters
                    .push(parameter_rule(index, at, None, Some(value))),
                None => interface.default_of(&own, index, &value, at),
            }
            last = Some(value);
        }
    }
    // The list ends where C looks for its end.
    given.extend(last);
    let result = result
        .replace("extern ", "")
        .replace("static ", "")
        .replace("inline ", "");
    let result = result.trim();
    let back = if result == "void" { "" } else { "return " };
    let list = if declared.is_empty() {
        "void".to_owned()
    } else {
        declared.join(", ")
    };
    let prototype = format!("{result} {own}({list})");
    interface.last_code.push_str(&format!(
        "\n{prototype} {{ {setup}{back}{name}({});{closing} }}\n",
        given.join(", ")
    ));
    interface.needs_compiler = true;
    interface.last_source.push_str(&format!("\n{prototype};"));
    interface.declared.push(own.clone());
    for rule in &mut interface.rules.functions {
        if rule.functions.0 == name {
            rule.functions = Glob(own.clone());
        }
    }
    interface.rules.functions.push(rule);
    Ok(())
}
