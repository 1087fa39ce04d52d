//! `%feature` and `%newobject`.

use super::super::{Located, ResultRule, RuleError, RulePlace};
use super::Interface;
use super::declaration::function_rule;
use super::rename::{function_target, target};
use super::scan::{Scanner, code_block, end, feature_target, split, unquoted};

type Result<T> = std::result::Result<T, RuleError>;

/// `%newobject name;`: the result of a function is the caller's.
pub(super) fn new_object(name: &str, at: &RulePlace, interface: &mut Interface) -> Result<()> {
    let name = function_target(name, at)?;
    let mut rule = function_rule(&name, at);
    rule.result = Some(Located {
        value: ResultRule::Owned {
            free: interface.newfree.clone(),
        },
        at: at.clone(),
    });
    interface.rules.functions.push(rule);
    interface.new_objects.push(name);
    Ok(())
}

/// `%immutable name;`, or of all that follows; `record::name` is a field.
pub(super) fn immutable(
    text: &str,
    set: bool,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    if text.trim().is_empty() {
        interface.immutable = set;
        return Ok(());
    }
    if let Some((record, field)) = super::rename::member(text) {
        let named = (record.to_owned(), Some(field.to_owned()));
        interface.immutable_fields.retain(|known| *known != named);
        if set {
            interface.immutable_fields.push(named);
        }
        return Ok(());
    }
    let name = target(text, at)?;
    interface.immutable_names.push((name, set));
    Ok(())
}

/// `%feature("name") target "value";`
pub(super) fn feature(
    scanner: &mut Scanner<'_>,
    options: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let feature = split(options)
        .first()
        .map_or("", |first| first.trim_matches('"'))
        .to_owned();
    let given = split(options).get(1).copied();
    let value = given.map(|value| value.trim_matches('"'));
    match feature.as_str() {
        "docstring" => {
            let name = function_target(&feature_target(scanner), at)?;
            scanner.space();
            let text = match (given, scanner.string()) {
                // `%feature("docstring", "text") name;`
                (Some(text), _) | (None, Some(text)) => unquoted(text),
                (None, None) => {
                    super::helpers::python_code(&code_block(scanner, "feature(\"docstring\")", at)?)
                }
            };
            end(scanner);
            interface.docs.push((name, text.trim().to_owned()));
            Ok(())
        }
        "nodefaultctor" => {
            let set = value != Some("0");
            let text = scanner.take_to_semicolon();
            interface.no_constructors.set(text, set, at)
        }
        "python:nondynamic" => {
            let set = value != Some("0");
            interface.fixed.set(scanner.take_to_semicolon(), set, at)
        }
        "autodoc" => {
            let name = feature_target(scanner);
            super::autodoc::feature(scanner, value, &name, at, interface)
        }
        "kwargs" | "compactdefaultargs" | "keyword" | "flatnested" | "nodefault"
        | "nodefaultdtor" | "notabstract" | "nothread" | "thread" | "minherit" | "valuewrapper" => {
            scanner.take_to_semicolon();
            interface
                .notes
                .push(format!("{at}: %feature(\"{feature}\") has no effect here"));
            Ok(())
        }
        "action" => {
            let name = feature_target(scanner);
            super::typemap_code::action(scanner, &name, at, interface)
        }
        "except" | "exception" => {
            super::typemap_code::exception(scanner, value == Some("0"), at, interface)
        }
        "new" => new_object(scanner.take_to_semicolon(), at, interface),
        "immutable" => {
            let set = value != Some("0");
            immutable(scanner.take_to_semicolon(), set, at, interface)
        }
        other => Err(RuleError::new(
            at,
            format!(
                "%feature(\"{other}\") is not supported; action, autodoc, docstring, exception, kwargs and new are"
            ),
        )),
    }
}
