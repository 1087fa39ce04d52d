//! `cuda.ldca(array, index)`, `cuda.stcg(array, index, value)` and the like: loads and stores of global memory with
//! cache hints (CUDA programming guide, *Load Functions Using Cache Hints*).

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::Frame;
use crate::operand::{Expr, Operand};
use crate::types::{INT64, Type};

/// The function of a name.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "ldca" | "ldcg" | "ldcs" | "ldlu" | "ldcv" => |frame, name, arguments| {
            let [array, index] = arguments.exactly()?;
            let place = place(frame, name, array, index)?;
            let text = format!("py::{name}(&{})", place.text);
            Ok(Expr::new(place.ty, text).with_effect().into())
        },
        "stcg" | "stcs" | "stwb" | "stwt" => |frame, name, arguments| {
            let [array, index, value] = arguments.exactly()?;
            let array = frame.value(array)?;
            if array.ty.as_array().is_some_and(|ty| !ty.mutable) {
                return Err(Failure::new(Code::Type, "the array is read-only"));
            }
            let place = place(frame, name, array.into(), index)?;
            let value = frame.as_type(value, &place.ty)?;
            let text = format!("py::{name}(&{}, {});", place.text, value.text);
            frame.code.statement(text);
            Ok(Operand::Constant(Value::None))
        },
        _ => return None,
    })
}

/// An element of an array, or behind a pointer.
fn place(frame: &mut Frame<'_, '_>, name: &str, array: Operand, index: Operand) -> Result<Expr> {
    frame.need("cache_hints");
    let array = frame.value(array)?;
    let element = match &array.ty {
        Type::Array(ty) => ty.element.clone(),
        Type::Pointer(to) => (**to).clone(),
        ty => {
            return Err(Failure::new(
                Code::Type,
                format!(
                    "cuda.{name}() takes an array or a pointer, got {}",
                    ty.shown()
                ),
            ));
        }
    };
    if !matches!(
        element,
        Type::Bool | Type::Int { .. } | Type::Float(_) | Type::BFloat16
    ) {
        return Err(Failure::new(
            Code::Type,
            format!(
                "cuda.{name} requires array of integer or float type, got {}",
                array.ty.shown()
            ),
        ));
    }
    if let Type::Array(ty) = &array.ty {
        let given = match &index {
            Operand::Tuple(items) => items.len(),
            Operand::Value(value) => value.ty.as_tuple().map_or(1, |tuple| tuple.items.len()),
            _ => 1,
        };
        if given != usize::from(ty.ndim) {
            return Err(Failure::new(
                Code::Type,
                format!(
                    "cuda.{name}() on an array of {} dimensions takes {0} indices, got {given}",
                    ty.ndim
                ),
            ));
        }
        return frame.place_of(array.into(), index);
    }
    let index = frame.value(index)?;
    if !index.ty.is_integral() {
        return Err(Failure::new(
            Code::Type,
            format!("{} is not the index of an element", index.ty.shown()),
        ));
    }
    let index = frame.convert(index, &INT64)?;
    let text = format!(
        "{}[{}]",
        array.inside(crate::operand::Binding::Primary),
        index.text
    );
    Ok(Expr::new(element, text).place())
}
