//! Which argument is which parameter's.

use crate::ast::{Function, ParameterKind};

/// `f() takes 2 arguments: f(a, b); 3 were given`.
pub(super) fn count_message(name: &str, tree: &Function, given: usize) -> String {
    let list: Vec<_> = tree
        .parameters
        .iter()
        .map(|parameter| match parameter.kind {
            ParameterKind::Variadic => format!("*{}", parameter.name),
            _ => parameter.name.clone(),
        })
        .collect();
    let wanted = list.len();
    format!(
        "{name}() takes {wanted} argument{}, {given} given: {name}({})",
        if wanted == 1 { "" } else { "s" },
        list.join(", ")
    )
}
