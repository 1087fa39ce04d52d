//! From a tree of values to rules. Every key is known here or refused.

use super::{
    CodeName, ErrnoRule, ExtentRule, FunctionRule, Glob, HandleRule, Located, Node, OutputRule,
    ParameterKey, ParameterRule, Rename, RenameRule, ResultRule, RoleRule, RuleError, Rules,
    StatusChoice, SuccessRule, Tree,
};
use crate::decl::Value;
use crate::policy::{CallbackLife, Failure, Gil, StatusStyle, Success, Unit};
use crate::words::did_you_mean;

type Result<T> = std::result::Result<T, RuleError>;

/// Tables at the top that are not functions.
const TABLES: [&str; 5] = ["library", "handles", "ignore", "rename", "constants"];

/// All rules.
pub(super) fn rules(node: &Node) -> Result<Rules> {
    let mut rules = Rules::default();
    for (key, value) in entries(node)? {
        match key.value.as_str() {
            "library" => library(value, &mut rules)?,
            "handles" => {
                for (class, value) in entries(value)? {
                    rules.handles.push(handle(class, value)?);
                }
            }
            "ignore" => {
                for name in list(value)? {
                    rules.ignore.push(Located {
                        value: Glob(text(name)?),
                        at: name.at.clone(),
                    });
                }
            }
            "rename" => {
                for (name, value) in entries(value)? {
                    rules.rename.push(RenameRule {
                        names: Glob(name.value.clone()),
                        matching: None,
                        kind: None,
                        to: Rename::To(identifier(value)?),
                        at: name.at.clone(),
                    });
                }
            }
            "constants" => {
                for (name, node) in entries(value)? {
                    rules.constants.push(Located {
                        value: (name.value.clone(), constant(node)?),
                        at: name.at.clone(),
                    });
                }
            }
            _ if matches!(value.value, Tree::Table(_)) => {
                rules.functions.push(function(key, value)?);
            }
            name => {
                let hint = did_you_mean(name, TABLES);
                return Err(RuleError::new(
                    &key.at,
                    format!(
                        "'{name}' is {}; the rules for a function are a table{hint}",
                        value.value.kind()
                    ),
                ));
            }
        }
    }
    Ok(rules)
}

fn library(node: &Node, rules: &mut Rules) -> Result<()> {
    for (key, value) in entries(node)? {
        let at = value.at.clone();
        match key.value.as_str() {
            "prefix" => {
                for prefix in one_or_more(value) {
                    rules.prefixes.push(Located {
                        value: text(prefix)?,
                        at: prefix.at.clone(),
                    });
                }
            }
            "status" => {
                let value = choice(
                    value,
                    &[
                        ("raise", StatusChoice::Raise),
                        ("tuple", StatusChoice::Tuple),
                        ("return", StatusChoice::Return),
                    ],
                )?;
                rules.status = Some(Located { value, at });
            }
            "gil" => {
                let value = gil(value)?;
                rules.gil = Some(Located { value, at });
            }
            "success" => {
                let value = success(value)?;
                rules.success = Some(Located { value, at });
            }
            "errno" => {
                let value = errno(value)?;
                rules.errno = Some(Located { value, at });
            }
            "error_text" => {
                let value = text(value)?;
                rules.error_text = Some(Located { value, at });
            }
            _ => {
                return Err(unknown(
                    key,
                    "[library]",
                    &["prefix", "status", "gil", "success", "errno", "error_text"],
                ));
            }
        }
    }
    Ok(())
}

fn handle(class: &Located<String>, node: &Node) -> Result<HandleRule> {
    let mut rule = HandleRule {
        class: class.value.clone(),
        c_type: String::new(),
        destroy: None,
        at: class.at.clone(),
    };
    check_identifier(&class.value, &class.at)?;
    if let Tree::Text(c_type) = &node.value {
        rule.c_type = c_type.clone();
        return Ok(rule);
    }
    for (key, value) in entries(node)? {
        match key.value.as_str() {
            "type" => rule.c_type = text(value)?,
            "destroy" if value.value == Tree::Bool(false) => rule.destroy = Some(String::new()),
            "destroy" => rule.destroy = Some(text(value)?),
            _ => return Err(unknown(key, "a handle", &["type", "destroy"])),
        }
    }
    if rule.c_type.is_empty() {
        return Err(RuleError::new(
            &node.at,
            format!(
                "the handle '{}' needs its C type, as in {} = {{ type = \"foo_t *\" }}",
                class.value, class.value
            ),
        ));
    }
    Ok(rule)
}

fn function(name: &Located<String>, node: &Node) -> Result<FunctionRule> {
    let mut rule = FunctionRule {
        functions: Glob(name.value.clone()),
        at: name.at.clone(),
        name: None,
        gil: None,
        result: None,
        errno: None,
        parameters: Vec::new(),
    };
    for (key, value) in entries(node)? {
        let at = value.at.clone();
        match key.value.as_str() {
            "name" => {
                let value = identifier(value)?;
                rule.name = Some(Located { value, at });
            }
            "gil" => {
                let value = gil(value)?;
                rule.gil = Some(Located { value, at });
            }
            "result" => {
                let value = result(value)?;
                rule.result = Some(Located { value, at });
            }
            "errno" => {
                let value = errno(value)?;
                rule.errno = Some(Located { value, at });
            }
            "params" => {
                for (parameter, value) in entries(value)? {
                    rule.parameters.push(self::parameter(parameter, value)?);
                }
            }
            _ => {
                let known = ["name", "gil", "result", "errno", "params"];
                return Err(unknown(key, &format!("[{}]", name.value), &known));
            }
        }
    }
    Ok(rule)
}

fn result(node: &Node) -> Result<ResultRule> {
    const ROLES: [&str; 5] = ["status", "value", "nothing", "text", "handle"];
    let (mut role, mut class, mut owned, mut null_raises) = (None, None, None, None);
    let (mut free, mut success_rule, mut style) = (None, None, None);
    if let Tree::Text(_) = node.value {
        role = Some(node);
    } else {
        for (key, value) in entries(node)? {
            match key.value.as_str() {
                "role" => role = Some(value),
                "handle" => class = Some(text(value)?),
                "owned" => owned = Some(truth(value)?),
                "null" => {
                    null_raises = Some(choice(value, &[("raise", true), ("none", false)])?);
                }
                "free" => free = Some(text(value)?),
                "success" => success_rule = Some(success(value)?),
                "style" => {
                    let styles = [
                        ("raise", StatusStyle::Raise),
                        ("tuple", StatusStyle::Tuple),
                        ("value", StatusStyle::Value),
                    ];
                    style = Some(choice(value, &styles)?);
                }
                _ => {
                    let known = [
                        "role", "handle", "owned", "null", "free", "success", "style",
                    ];
                    return Err(unknown(key, "a result", &known));
                }
            }
        }
    }
    let named = match role {
        Some(node) => choice(node, &ROLES.map(|role| (role, role)))?,
        None if class.is_some() || null_raises.is_some() => "handle",
        None if success_rule.is_some() || style.is_some() => "status",
        None if free.is_some() => "text",
        None if owned == Some(true) => return Ok(ResultRule::Owned { free: None }),
        None => {
            let message = format!("a result needs a role: {}", ROLES.join(", "));
            return Err(RuleError::new(&node.at, message));
        }
    };
    let belongs = |given: bool, key: &str, wanted: &str| {
        if given && named != wanted {
            let message = format!("'{key}' is for a result whose role is {wanted}, not {named}");
            return Err(RuleError::new(&node.at, message));
        }
        Ok(())
    };
    belongs(class.is_some(), "handle", "handle")?;
    belongs(owned.is_some(), "owned", "handle")?;
    belongs(null_raises.is_some(), "null", "handle")?;
    belongs(free.is_some(), "free", "text")?;
    belongs(success_rule.is_some(), "success", "status")?;
    belongs(style.is_some(), "style", "status")?;
    Ok(match named {
        "status" => ResultRule::Status {
            success: success_rule,
            style,
        },
        "value" => ResultRule::Value,
        "nothing" => ResultRule::Nothing,
        "text" => ResultRule::Text { free },
        _ => ResultRule::Handle {
            class,
            owned,
            null_raises,
        },
    })
}

/// The keys of a parameter's table, and the roles each belongs to.
const PARAMETER_KEYS: [(&str, &[&str]); 20] = [
    ("role", &[]),
    ("name", &[]),
    ("nullable", &[]),
    ("default", &[]),
    ("bytes", &[]),
    ("elements", &[]),
    ("rows", &[]),
    ("pitch", &[]),
    ("step", &[]),
    ("writable", &["memory"]),
    ("handle", &["handle", "output"]),
    ("owned", &["output"]),
    ("consumed", &["handle"]),
    ("user_data", &["callback"]),
    ("life", &["callback"]),
    ("length", &["output"]),
    ("unit", &["output", "length"]),
    ("free", &["output"]),
    ("length_of", &["length"]),
    ("fixed", &["fixed"]),
];

fn parameter(name: &Located<String>, node: &Node) -> Result<ParameterRule> {
    let key = match name.value.parse() {
        Ok(index) => ParameterKey::Index(index),
        Err(_) => ParameterKey::Name(name.value.clone()),
    };
    let mut rule = ParameterRule {
        parameter: key,
        at: name.at.clone(),
        name: None,
        role: None,
        nullable: None,
        default: None,
        extent: None,
    };
    if let Tree::Text(_) = node.value {
        rule.role = Some(role(node, &[])?);
        return Ok(rule);
    }
    let keys = entries(node)?;
    for (key, value) in keys {
        match key.value.as_str() {
            "name" => rule.name = Some(identifier(value)?),
            "nullable" => rule.nullable = Some(truth(value)?),
            "default" => rule.default = Some(constant(value)?),
            _ => {}
        }
    }
    let said = |name: &str| {
        keys.iter()
            .find(|(key, _)| key.value == name)
            .map(|(_, value)| value)
    };
    rule.extent = extent(node, &said)?;
    // A key that only one role has says the role.
    let implied = [
        "fixed",
        "length_of",
        "handle",
        "user_data",
        "life",
        "length",
        "free",
        "writable",
    ]
    .into_iter()
    .find(|name| said(name).is_some());
    match (said("role"), implied) {
        (Some(node), _) => rule.role = Some(role(node, keys)?),
        (None, Some(implied)) => {
            let (_, roles) = PARAMETER_KEYS
                .iter()
                .find(|(key, _)| *key == implied)
                .unwrap_or(&PARAMETER_KEYS[0]);
            let name = Node {
                value: Tree::Text((*roles.first().unwrap_or(&"input")).to_owned()),
                at: node.at.clone(),
            };
            rule.role = Some(role(&name, keys)?);
        }
        (None, None) => {
            for (key, _) in keys {
                let mut known = PARAMETER_KEYS.iter().filter(|(_, roles)| roles.is_empty());
                if !known.any(|(name, _)| *name == key.value) {
                    return Err(key_error(key, "none was given"));
                }
            }
        }
    }
    Ok(rule)
}

fn key_error(key: &Located<String>, found: &str) -> RuleError {
    match PARAMETER_KEYS.iter().find(|(name, _)| *name == key.value) {
        Some((name, roles)) => RuleError::new(
            &key.at,
            format!(
                "'{name}' belongs to the role {}; {found}",
                roles.join(" or ")
            ),
        ),
        None => unknown(key, "a parameter", &PARAMETER_KEYS.map(|(name, _)| name)),
    }
}

fn role(node: &Node, keys: &[(Located<String>, Node)]) -> Result<RoleRule> {
    const ROLES: [&str; 9] = [
        "input", "text", "memory", "handle", "callback", "output", "inout", "length", "fixed",
    ];
    let named = choice(node, &ROLES.map(|role| (role, role)))?;
    for (key, _) in keys {
        let fits = PARAMETER_KEYS.iter().any(|(name, roles)| {
            *name == key.value && (roles.is_empty() || roles.contains(&named))
        });
        if !fits {
            return Err(key_error(key, &format!("this one's is {named}")));
        }
    }
    let said = |name: &str| {
        keys.iter()
            .find(|(key, _)| key.value == name)
            .map(|(_, value)| value)
    };
    let needs = |name: &str| {
        said(name).ok_or_else(|| {
            RuleError::new(&node.at, format!("the role {named} needs '{name}' as well"))
        })
    };
    let unit = said("unit")
        .map(|node| {
            choice(
                node,
                &[("bytes", Unit::Bytes), ("elements", Unit::Elements)],
            )
        })
        .transpose()?;
    Ok(match named {
        "input" => RoleRule::Input,
        "text" => RoleRule::Text,
        "memory" => RoleRule::Memory {
            writable: said("writable").map(truth).transpose()?,
        },
        "handle" => RoleRule::Handle {
            class: said("handle").map(text).transpose()?,
            consumed: said("consumed").map(truth).transpose()?,
        },
        "callback" => RoleRule::Callback {
            user_data: match said("user_data") {
                Some(node) if node.value == Tree::Bool(false) => Some(None),
                Some(node) => Some(Some(parameter_key(node)?)),
                None => None,
            },
            life: said("life")
                .map(|node| {
                    let lives = [("call", CallbackLife::Call), ("kept", CallbackLife::Kept)];
                    choice(node, &lives)
                })
                .transpose()?,
        },
        "output" => RoleRule::Output(OutputRule {
            class: said("handle").map(text).transpose()?,
            owned: said("owned").map(truth).transpose()?,
            free: said("free").map(text).transpose()?,
            length: said("length").map(parameter_key).transpose()?,
            unit,
            room: None,
            whole: false,
            plain: false,
        }),
        "inout" => RoleRule::InOut,
        "length" => RoleRule::Length {
            of: parameter_key(needs("length_of")?)?,
            unit,
        },
        _ => RoleRule::Fixed(constant(needs("fixed")?)?),
    })
}

/// `bytes = "n"`, `elements = "n - 1"` or `elements = 4`; for rows of that, `rows = "height", pitch = "pitch"` as well;
/// for every so many elements, `elements = "n", step = "incx"`.
fn extent<'a>(node: &Node, said: &impl Fn(&str) -> Option<&'a Node>) -> Result<Option<ExtentRule>> {
    let (amount, unit) = match (said("bytes"), said("elements")) {
        (Some(amount), None) => (amount, Unit::Bytes),
        (None, Some(amount)) => (amount, Unit::Elements),
        (Some(_), Some(_)) => {
            let message = "a parameter has an extent in 'bytes' or in 'elements', not both";
            return Err(RuleError::new(&node.at, message));
        }
        (None, None) => match said("rows").or(said("pitch")).or(said("step")) {
            Some(node) => {
                let message = "'rows' and 'pitch' go with the 'bytes' or 'elements' of one row, 'step' with 'elements'";
                return Err(RuleError::new(&node.at, message));
            }
            None => return Ok(None),
        },
    };
    let rows = match (said("rows"), said("pitch")) {
        (Some(rows), Some(pitch)) => {
            Some((parameter_key(rows)?, parameter_key(pitch)?, Unit::Bytes))
        }
        (None, None) => None,
        _ => {
            let message = "'rows' and 'pitch' are needed together";
            return Err(RuleError::new(&node.at, message));
        }
    };
    let fault = || {
        let message = "expected a parameter's name, a number, or one of them with a number added, as in \"rank - 1\"";
        RuleError::new(&amount.at, message)
    };
    let number = |text: &str| text.trim().parse::<i32>().map_err(|_| fault());
    let (of, plus) = match &amount.value {
        Tree::Int(count) => (None, i32::try_from(*count).map_err(|_| fault())?),
        Tree::Text(text) => match text.split_once(['+', '-']) {
            Some((name, more)) if text.contains('-') => (Some(name), -number(more)?),
            Some((name, more)) => (Some(name), number(more)?),
            None => (Some(text.as_str()), 0),
        },
        _ => return Err(fault()),
    };
    let of = of.map(|name| ParameterKey::Name(name.trim().to_owned()));
    if let Some(step) = said("step") {
        let (Some(count), 0, Unit::Elements, None) = (of, plus, unit, rows) else {
            let message = "'step' goes with 'elements' that are one parameter's, as in { elements = \"n\", step = \"incx\" }";
            return Err(RuleError::new(&step.at, message));
        };
        return Ok(Some(ExtentRule {
            of: None,
            plus: 1,
            unit,
            rows: Some((count, parameter_key(step)?, Unit::Elements)),
        }));
    }
    Ok(Some(ExtentRule {
        of,
        plus,
        unit,
        rows,
    }))
}

fn parameter_key(node: &Node) -> Result<ParameterKey> {
    match &node.value {
        Tree::Text(name) => Ok(ParameterKey::Name(name.clone())),
        Tree::Int(index) => match u32::try_from(*index) {
            Ok(index) => Ok(ParameterKey::Index(index)),
            Err(_) => Err(RuleError::new(
                &node.at,
                format!("there is no parameter {index}"),
            )),
        },
        other => Err(wrong(
            node,
            "a parameter's name or its place, from 0",
            other,
        )),
    }
}

fn success(node: &Node) -> Result<SuccessRule> {
    if let Tree::Text(_) = node.value {
        let words = [
            ("zero", Success::Zero),
            ("nonzero", Success::NonZero),
            ("not negative", Success::NotNegative),
        ];
        return choice(node, &words).map(SuccessRule::Is);
    }
    let codes = list(node)?.iter().map(|node| match &node.value {
        Tree::Text(name) => Ok(CodeName::Name(name.clone())),
        Tree::Int(value) => i64::try_from(*value)
            .map(CodeName::Value)
            .map_err(|_| RuleError::new(&node.at, format!("{value} is not a status code"))),
        other => Err(wrong(node, "a constant's name or a number", other)),
    });
    Ok(SuccessRule::OneOf(codes.collect::<Result<_>>()?))
}

fn errno(node: &Node) -> Result<ErrnoRule> {
    Ok(match &node.value {
        Tree::Bool(true) => ErrnoRule::Usual,
        Tree::Bool(false) => ErrnoRule::No,
        Tree::Text(text) if text == "set" => ErrnoRule::Is(Failure::Set),
        Tree::Int(result) => match i64::try_from(*result) {
            Ok(result) => ErrnoRule::Is(Failure::Result(result)),
            Err(_) => {
                return Err(RuleError::new(&node.at, format!("no result is {result}")));
            }
        },
        other => {
            let wanted = "true, false, the result of a failure (such as -1) or \"set\"";
            return Err(wrong(node, wanted, other));
        }
    })
}

fn gil(node: &Node) -> Result<Gil> {
    choice(
        node,
        &[
            ("auto", Gil::Auto),
            ("hold", Gil::Hold),
            ("release", Gil::Release),
        ],
    )
}

fn constant(node: &Node) -> Result<Value> {
    Ok(match &node.value {
        Tree::Text(text) if text == "null" => Value::Null,
        Tree::Text(text) => Value::Text(text.clone().into_bytes()),
        Tree::Int(value) => Value::Int(*value),
        Tree::Float(value) => Value::Float(*value),
        Tree::Bool(value) => Value::Int(i128::from(*value)),
        other => return Err(wrong(node, "a number, a string or \"null\"", other)),
    })
}

fn entries(node: &Node) -> Result<&[(Located<String>, Node)]> {
    match &node.value {
        Tree::Table(entries) => Ok(entries),
        other => Err(wrong(node, "a table", other)),
    }
}

fn list(node: &Node) -> Result<&[Node]> {
    match &node.value {
        Tree::List(items) => Ok(items),
        other => Err(wrong(node, "a list", other)),
    }
}

fn one_or_more(node: &Node) -> &[Node] {
    match &node.value {
        Tree::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}

fn text(node: &Node) -> Result<String> {
    match &node.value {
        Tree::Text(text) => Ok(text.clone()),
        other => Err(wrong(node, "a string", other)),
    }
}

fn truth(node: &Node) -> Result<bool> {
    match node.value {
        Tree::Bool(truth) => Ok(truth),
        ref other => Err(wrong(node, "true or false", other)),
    }
}

fn identifier(node: &Node) -> Result<String> {
    let name = text(node)?;
    check_identifier(&name, &node.at)?;
    Ok(name)
}

fn check_identifier(name: &str, at: &super::RulePlace) -> Result<()> {
    if crate::words::is_identifier(name) {
        return Ok(());
    }
    Err(RuleError::new(
        at,
        format!("'{name}' is not a name in Python"),
    ))
}

fn choice<T: Clone>(node: &Node, choices: &[(&str, T)]) -> Result<T> {
    let names = || choices.iter().map(|(name, _)| *name);
    let given = match &node.value {
        Tree::Text(text) => text,
        other => {
            let wanted = names().collect::<Vec<_>>().join(", ");
            return Err(wrong(node, &format!("one of {wanted}"), other));
        }
    };
    let found = choices.iter().find(|(name, _)| name == given);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let known = names().collect::<Vec<_>>().join(", ");
        let hint = did_you_mean(given, names());
        RuleError::new(
            &node.at,
            format!("expected one of {known}, got '{given}'{hint}"),
        )
    })
}

fn wrong(node: &Node, wanted: &str, found: &Tree) -> RuleError {
    RuleError::new(&node.at, format!("expected {wanted}, got {}", found.kind()))
}

fn unknown(key: &Located<String>, of: &str, known: &[&str]) -> RuleError {
    let hint = did_you_mean(&key.value, known.iter().copied());
    let hint = match hint.is_empty() {
        true => format!("; there are {}", known.join(", ")),
        false => hint,
    };
    RuleError::new(&key.at, format!("{of} has no key '{}'{hint}", key.value))
}

#[cfg(test)]
mod tests {
    use super::super::{Located, Rules, StatusChoice};
    use super::*;

    fn error(text: &str) -> String {
        Rules::from_toml(text, "foo.toml").unwrap_err().to_string()
    }

    #[test]
    fn a_whole_file() {
        let rules = Rules::from_toml(
            r#"
ignore = ["foo_internal_*"]
rename = { foo_print = "show" }

[library]
prefix = "foo_"
status = "tuple"
gil = "release"
success = ["FOO_OK", 3]
errno = true
error_text = "foo_strerror"

[handles]
Foo = { type = "foo_t *", destroy = "foo_close" }

[foo_open]
name = "open_it"
gil = "release"
result = { role = "status", success = "nonzero" }
params.path = "text"
params.out = "output"
params.buf = { role = "memory", writable = true, nullable = false }
params.n = { length_of = "buf", unit = "bytes" }
params.cb = { role = "callback", user_data = "arg", life = "kept" }
params.3 = { fixed = 0 }

["foo_get_*"]
result = { handle = "Foo", owned = true, null = "raise" }
errno = -1

[constants]
FOO_MAX = 3
"#,
            "foo.toml",
        )
        .unwrap();
        assert_eq!(
            rules.status,
            Some(Located {
                value: StatusChoice::Tuple,
                at: super::super::RulePlace {
                    file: "foo.toml".into(),
                    line: 7,
                    column: 10
                }
            })
        );
        assert_eq!(rules.functions.len(), 2);
        let open = &rules.functions[0];
        assert_eq!(open.at.line(), "foo.toml:16");
        assert_eq!(rules.errno.unwrap().value, ErrnoRule::Usual);
        assert_eq!(open.errno, None);
        assert_eq!(
            rules.functions[1].errno.as_ref().unwrap().value,
            ErrnoRule::Is(Failure::Result(-1))
        );
        assert_eq!(open.parameters.len(), 6);
        assert_eq!(open.parameters[2].nullable, Some(false));
        assert_eq!(
            open.parameters[3].role,
            Some(RoleRule::Length {
                of: ParameterKey::Name("buf".into()),
                unit: Some(Unit::Bytes)
            })
        );
        assert_eq!(open.parameters[5].parameter, ParameterKey::Index(3));
        assert_eq!(
            open.parameters[5].role,
            Some(RoleRule::Fixed(Value::Int(0)))
        );
        assert_eq!(
            rules.functions[1].result.as_ref().unwrap().value,
            ResultRule::Handle {
                class: Some("Foo".into()),
                owned: Some(true),
                null_raises: Some(true)
            }
        );
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(
            error("[library]\nprefx = 'a'"),
            "foo.toml:2:1: [library] has no key 'prefx'; did you mean 'prefix'?"
        );
        assert_eq!(
            error("[f]\nparams.x = 'outptu'"),
            "foo.toml:2:12: expected one of input, text, memory, handle, callback, output, inout, length, fixed, got 'outptu'; did you mean 'output'?"
        );
        assert_eq!(
            error("[f]\nparams.x = { role = 'text', length_of = 'y' }"),
            "foo.toml:2:29: 'length_of' belongs to the role length; this one's is text"
        );
        assert_eq!(
            error("[f]\nparams.x = { role = 'length' }"),
            "foo.toml:2:21: the role length needs 'length_of' as well"
        );
        assert_eq!(
            error("[f]\nresult = { owned = false }"),
            "foo.toml:2:10: a result needs a role: status, value, nothing, text, handle"
        );
        assert_eq!(
            error("[f]\nerrno = 'null'"),
            "foo.toml:2:9: expected true, false, the result of a failure (such as -1) or \"set\", got a string"
        );
        assert_eq!(
            error("f = 3"),
            "foo.toml:1:1: 'f' is an integer; the rules for a function are a table"
        );
        assert_eq!(
            error("[f]\nname = 'not a name'"),
            "foo.toml:2:8: 'not a name' is not a name in Python"
        );
        assert!(error("[f\nx").starts_with("foo.toml:1:3: this is not TOML: "));
        assert_eq!(
            error("ignore = 'é'\n"),
            "foo.toml:1:10: expected a list, got a string"
        );
    }
}
