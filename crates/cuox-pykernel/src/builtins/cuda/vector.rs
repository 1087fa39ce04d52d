//! CUDA's vectors: `cuda.float32x4(a, b, c, d)`, `.x`, `.y`, `.z`, `.w` (CUDA programming guide, *Built-in Vector
//! Types*).

use std::sync::Arc;

use crate::diagnostic::{Code, Failure, Result};
use crate::infer::{Arguments, Frame};
use crate::operand::{Binding, Expr, Operand};
use crate::types::Type;

/// A vector of numbers and other vectors, whose elements together are as many as it has.
pub fn construct(
    frame: &mut Frame<'_, '_>,
    element: &Type,
    count: u8,
    arguments: Arguments,
) -> Result<Operand> {
    let ty = Type::Vector(Arc::new(element.clone()), count);
    if let Some((name, _)) = arguments.keywords.first() {
        return Err(Failure::new(
            Code::Arguments,
            format!("{}() has no argument '{name}'", ty.shown()),
        ));
    }
    let mut values = Vec::new();
    for operand in arguments.positional {
        let value = frame.value(operand)?;
        if let Type::Vector(..) = value.ty {
            for item in frame.items(value.into())? {
                values.push(frame.as_type(item, element)?);
            }
        } else {
            values.push(frame.convert(value, element)?);
        }
    }
    if values.len() != usize::from(count) {
        return Err(Failure::new(
            Code::Arguments,
            format!(
                "{}() takes {count} elements, {} given: numbers, and vectors for as many as they have",
                ty.shown(),
                values.len()
            ),
        ));
    }
    frame.need_type(&ty);
    let is_pure = values.iter().all(|value| value.is_pure);
    // Braces are evaluated from left to right.
    let texts: Vec<_> = values.into_iter().map(|value| value.text).collect();
    let mut value = Expr::new(ty.clone(), format!("{}{{{}}}", ty.cxx(), texts.join(", ")));
    value.is_pure = is_pure;
    Ok(value.into())
}

/// An element by its name.
pub fn attribute(value: &Expr, element: &Type, count: u8, name: &str) -> Option<Operand> {
    let names = ["x", "y", "z", "w"];
    let index = names.iter().position(|known| *known == name)?;
    if index >= usize::from(count) {
        return None;
    }
    let mut item = Expr::new(
        element.clone(),
        format!("{}.{name}", value.inside(Binding::Primary)),
    );
    item.is_pure = value.is_pure;
    Some(item.into())
}
