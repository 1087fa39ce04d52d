//! `%contract`: conditions on a function's arguments and its result.

use super::super::{RuleError, RulePlace};
use super::Interface;
use super::parameter::Declared;
use super::scan::{Scanner, split, without_comments};
use super::tokens::is_name;

/// Reads what follows `%contract`: a function, and conditions in braces. C code tells the first that is not met.
pub(super) fn contract(
    scanner: &mut Scanner<'_>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<(), RuleError> {
    let error = |message: &str| RuleError::new(at, message);
    let name = scanner.name().unwrap_or("").to_owned();
    scanner.space();
    let parameters = scanner.bracket()?;
    scanner.space();
    let body = scanner.bracket()?;
    let (Some(parameters), Some(body), true) = (parameters, body, is_name(&name)) else {
        return Err(error(
            "%contract is followed by a function with its parameters, and conditions in braces",
        ));
    };
    scanner.blanks();
    scanner.take(";");
    let body = without_comments(body);
    let parameters: Vec<Declared> = split(parameters).into_iter().map(Declared::read).collect();
    let list: Vec<&str> = parameters.iter().map(|it| it.text.as_str()).collect();
    let names: Vec<&str> = parameters.iter().map(|it| it.name.as_str()).collect();
    let (before, after) = match body.split_once("ensure:") {
        Some((before, after)) => (before, after),
        None => (body.as_str(), ""),
    };
    let before = before.trim().strip_prefix("require:").unwrap_or(before);
    let mut checks = Vec::new();
    for (kind, conditions) in [("require", before), ("ensure", after)] {
        let conditions: Vec<&str> = conditions
            .split(';')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        if conditions.is_empty() {
            checks.push("None".to_owned());
            continue;
        }
        let own = format!("cuox_{kind}_{name}");
        let mut list: Vec<String> = list.iter().map(|it| (*it).to_owned()).collect();
        if kind == "ensure" {
            list.push(format!("__typeof__({name}({})) {name}", zeros(&parameters)));
        }
        let prototype = format!("const char *{own}({})", list.join(", "));
        let mut code = String::new();
        for condition in conditions {
            let shown = condition
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', " ");
            code.push_str(&format!(
                " if (!({condition})) return \"Contract violation: {kind}: ({shown})\";"
            ));
        }
        interface
            .last_code
            .push_str(&format!("\n{prototype} {{{code} return 0; }}\n"));
        interface.last_source.push_str(&format!("\n{prototype};"));
        interface.declared.push(own.clone());
        interface.needs_compiler = true;
        checks.push(own);
    }
    interface.imported.push("with_contract".to_owned());
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    interface.python.push_str(&format!(
        "{name} = with_contract({name}, [{}], {})\n",
        names.join(", "),
        checks.join(", ")
    ));
    Ok(())
}

/// Arguments whose values do not matter.
fn zeros(parameters: &[Declared]) -> String {
    let zeros = parameters.iter().map(|it| {
        let mut it = it.clone();
        it.remove_name();
        format!("*(__typeof__({}) *)0", it.text)
    });
    zeros.collect::<Vec<_>>().join(", ")
}
