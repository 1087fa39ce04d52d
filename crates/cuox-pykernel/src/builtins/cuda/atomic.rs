//! `cuda.atomic.*`: operations on one element that no other thread can interrupt. Each returns the old value.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{COMPLEX128, Type, promote};

/// The function of a name.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "add" | "sub" | "and_" | "or_" | "xor" | "inc" | "dec" | "exch" | "max" | "min"
        | "nanmax" | "nanmin" => update,
        "compare_and_swap" => |frame, _, arguments| {
            let [array, old, new] = arguments.bind(["array", "old", "val"], 3)?;
            let zero = Operand::known(crate::host::Value::Int(0));
            swap(frame, array, zero, old, new)
        },
        "cas" => |frame, _, arguments| {
            let [array, index, old, new] = arguments.bind(["array", "index", "old", "val"], 4)?;
            swap(
                frame,
                array,
                index.unwrap_or(Operand::Tuple(Vec::new())),
                old,
                new,
            )
        },
        _ => return None,
    })
}

fn missing(operand: Option<Operand>) -> Result<Operand> {
    operand.ok_or_else(|| Failure::new(Code::Arguments, "an argument is missing"))
}

fn takes(name: &str, ty: &Type) -> bool {
    match name {
        "add" | "sub" => matches!(
            ty,
            Type::Int { bits: 8.., .. } | Type::Float(_) | Type::BFloat16 | Type::Complex(_)
        ),
        "max" | "min" | "nanmax" | "nanmin" => {
            matches!(ty, Type::Int { .. } | Type::Float(_) | Type::BFloat16)
        }
        "exch" | "cas" => ty.is_number() && *ty != COMPLEX128 || matches!(ty, Type::Time { .. }),
        "inc" | "dec" => matches!(ty, Type::Int { bits: 32 | 64, .. }),
        _ => ty.is_integral(),
    }
}

fn place(frame: &mut Frame<'_, '_>, name: &str, array: Operand, index: Operand) -> Result<Expr> {
    let array = frame.value(array)?;
    if let Some(ty) = array.ty.as_array() {
        if !ty.mutable {
            return Err(Failure::new(Code::Type, "the array is read-only"));
        }
        if !takes(name, &ty.element) {
            return Err(Failure::new(
                Code::Type,
                format!("cuda.atomic.{name}() cannot take an {}", array.ty.shown()),
            ));
        }
    } else {
        return Err(Failure::new(
            Code::Type,
            format!(
                "cuda.atomic.{name}() takes an array, got {}",
                array.ty.shown()
            ),
        ));
    }
    frame.place_of(array.into(), index)
}

fn update(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [array, index, value] = arguments.bind(["array", "index", "value"], 3)?;
    let place = place(frame, name, missing(array)?, missing(index)?)?;
    let value = frame.value(missing(value)?)?;
    if !promote::converts(&value.ty, &place.ty) {
        return Err(Failure::new(
            Code::Type,
            format!(
                "cuda.atomic.{name}() on an element of {} cannot take {}",
                place.ty.shown(),
                value.ty.shown()
            ),
        ));
    }
    let value = frame.convert(value, &place.ty)?;
    frame.need(if place.ty.is_complex() {
        "atomic_complex"
    } else {
        "atomic"
    });
    let name = match name {
        "and_" => "and",
        "or_" => "or",
        other => other,
    };
    let text = format!("py::atomic_{name}(&{}, {})", place.text, value.text);
    Ok(Expr::new(place.ty, text).with_effect().into())
}

fn swap(
    frame: &mut Frame<'_, '_>,
    array: Option<Operand>,
    index: Operand,
    old: Option<Operand>,
    new: Option<Operand>,
) -> Result<Operand> {
    let place = place(frame, "cas", missing(array)?, index)?;
    let ty = place.ty.clone();
    let old = frame.as_type(missing(old)?, &ty)?;
    let new = frame.as_type(missing(new)?, &ty)?;
    frame.need("atomic");
    let text = format!(
        "py::atomic_cas(&{}, {}, {})",
        place.text, old.text, new.text
    );
    Ok(Expr::new(ty, text).with_effect().into())
}
