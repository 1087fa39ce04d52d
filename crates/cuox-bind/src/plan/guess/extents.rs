//! Guesses how long arrays have to be.

use super::names;
use crate::decl::{Function, Header, Int, Type};
use crate::plan::types::pointee;
use crate::plan::{Extent, Role, Unit, Why};
use crate::words::words;

/// Extents of arrays that are all as long as the function's only number says: `axpy(int n, double a, const double *x,
/// double *y)`.
pub(crate) fn guess(header: &Header, function: &Function, roles: &[Role]) -> Vec<Option<Extent>> {
    let none = vec![None; roles.len()];
    let parameters = || function.parameters.iter().zip(roles).enumerate();
    let integers: Vec<usize> = parameters()
        .filter(|(_, (it, _))| matches!(header.resolve(&it.ty), Type::Int(_)))
        .map(|(at, _)| at)
        .collect();
    let [count] = integers[..] else { return none };
    let name = words(&function.parameters[count].name);
    if !matches!(roles[count], Role::Input { .. })
        || !(names::is_number(&name) || names::is_length(&name))
    {
        return none;
    }
    let mut arrays: Vec<(usize, &Type, bool)> = Vec::new();
    for (at, (parameter, role)) in parameters() {
        let Some((to, constant)) = pointee(header, &parameter.ty) else {
            continue;
        };
        match (role, to) {
            (Role::Handle { .. } | Role::Fixed(_), _) => {}
            (
                Role::Memory { .. },
                Type::Float(_)
                | Type::Complex(_)
                | Type::Int(Int::I16 | Int::U16 | Int::I32 | Int::U32 | Int::I64 | Int::U64),
            ) if names::is_array(&words(&parameter.name)) => {
                arrays.push((at, to, constant));
            }
            _ => return none,
        }
    }
    let alike = arrays.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let read = arrays.iter().any(|(_, _, constant)| *constant);
    if arrays.len() < 2 || !alike || !read {
        return none;
    }
    let shown = &function.parameters[count].name;
    let mut extents = none;
    for (at, _, _) in arrays {
        extents[at] = Some(Extent {
            of: Some(count as u32),
            plus: 0,
            unit: Unit::Elements,
            rows: None,
            why: Why::Guess(format!(
                "{shown} is the only number that could count its elements"
            )),
        });
    }
    extents
}
