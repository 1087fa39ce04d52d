//! `%feature("autodoc")`: docstrings that begin with how a function is called.

use super::super::{RuleError, RulePlace};
use super::Interface;
use super::scan::{Scanner, end, unquoted};
use super::typemap_code::{Signature, Since, since};
use crate::decl::{Header, Type};
use crate::plan::python::Names;
use crate::plan::types::pointee;
use crate::plan::{FunctionPlan, Plan, ResultPlan};

/// What the docstring of a function, or of all that follow, begins with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Autodoc {
    function: Option<String>,
    beginning: Beginning,
    since: Since,
}

#[derive(Clone, Debug, PartialEq)]
enum Beginning {
    Nothing,
    /// The parameters, with their types in C and as a list.
    Call {
        types: bool,
        list: bool,
    },
    Text(String),
}

/// `%feature("autodoc", "1") name;`, or the value behind the name.
pub(super) fn feature(
    scanner: &mut Scanner<'_>,
    value: Option<&str>,
    name: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<(), RuleError> {
    scanner.space();
    let value = match (value, scanner.string()) {
        (Some(value), _) => Some(value.to_owned()),
        (None, Some(text)) => Some(unquoted(text)),
        (None, None) => None,
    };
    end(scanner);
    let beginning = match value.as_deref() {
        Some("") => Beginning::Nothing,
        None | Some("1") => Beginning::Call {
            types: true,
            list: false,
        },
        Some("0") => Beginning::Call {
            types: false,
            list: false,
        },
        Some("2") => Beginning::Call {
            types: false,
            list: true,
        },
        Some("3") => Beginning::Call {
            types: true,
            list: true,
        },
        Some(text) => Beginning::Text(text.to_owned()),
    };
    let function = match name.trim() {
        "" => None,
        name => Some(super::rename::function_target(name, at)?),
    };
    let since = since(interface);
    interface.autodoc.push(Autodoc {
        function,
        beginning,
        since,
    });
    Ok(())
}

/// Puts the beginnings before the docstrings of a header's functions.
pub fn document(interface: &Interface, header: &mut Header, plan: &Plan) {
    for function in &plan.functions {
        let Some(text) = beginning(interface, header, plan, function) else {
            continue;
        };
        let declared = &mut header.functions[function.function as usize];
        declared.doc = Some(match declared.doc.take() {
            Some(doc) => format!("{text}\n{doc}"),
            None => text,
        });
    }
}

fn beginning(
    interface: &Interface,
    header: &Header,
    plan: &Plan,
    function: &FunctionPlan,
) -> Option<String> {
    let declared = &header.functions[function.function as usize];
    let signature = Signature::of(header, declared, interface);
    let mut all = interface.autodoc.iter().rev();
    let own = all.find(|it| it.function.as_ref() == Some(&declared.name));
    let general = || {
        let mut all = interface.autodoc.iter().rev();
        all.find(|it| it.function.is_none() && signature.is_behind(it.since))
    };
    let (types, list) = match &own.or_else(general)?.beginning {
        Beginning::Nothing => return None,
        Beginning::Text(text) => return Some(text.clone()),
        Beginning::Call { types, list } => (*types, *list),
    };
    let taken = || {
        let all = function.parameters.iter().zip(&declared.parameters);
        all.filter(|(plan, _)| plan.role.is_taken())
    };
    let parameter = |name: &str, ty: &Type| match types {
        true => header.declare(ty, name),
        false => name.to_owned(),
    };
    let shown: Vec<String> = taken()
        .map(|(plan, it)| parameter(&plan.name, &it.ty))
        .collect();
    let mut text = format!("{}({})", function.name, shown.join(", "));
    let record = match pointee(header, &declared.result) {
        Some((Type::Record(id), _)) if function.result == ResultPlan::Value => {
            let mut known = plan.records.iter();
            known.find(|(it, _)| it == id).map(|(_, name)| name.clone())
        }
        _ => None,
    };
    let names = Names::of_swig(header, plan);
    let result = record.unwrap_or_else(|| names.returns(function));
    if result != "None" {
        text.push_str(&format!(" -> {result}"));
    }
    if list && !shown.is_empty() {
        text.push_str("\n\nParameters\n----------");
        for (plan, it) in taken() {
            text.push_str(&format!("\n{}: {}", plan.name, header.c_type(&it.ty)));
        }
        text.push('\n');
    }
    Some(text)
}
