//! Arrays: their attributes, methods and NumPy's functions of them.

use std::sync::Arc;

use super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame, MOST_LENGTH_BITS};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{ArrayType, BOOL, FLOAT64, INT64, Layout, Type, UINT64};

/// NumPy's functions of arrays.
pub fn find(module: &str, name: &str) -> Option<Builtin> {
    if module != "numpy" {
        return None;
    }
    Some(match name {
        "sum" | "prod" | "mean" | "var" | "std" | "min" | "max" | "amin" | "amax" | "argmin"
        | "argmax" | "all" | "any" | "nansum" | "nanprod" | "nanmin" | "nanmax" | "nanmean"
        | "median" | "count_nonzero" => function,
        "size" | "shape" | "ndim" => |frame, name, arguments| {
            let [array] = arguments.exactly()?;
            super::attribute(frame, array, name)
        },
        "transpose" => |frame, _, arguments| {
            let [array] = arguments.exactly()?;
            super::attribute(frame, array, "T")
        },
        "ravel" | "reshape" => |frame, name, mut arguments| {
            if arguments.positional.is_empty() {
                return Err(Failure::new(
                    Code::Arguments,
                    format!("{name}() needs an array"),
                ));
            }
            let array = arguments.positional.remove(0);
            super::method(frame, array, name, arguments)
        },
        "dtype" => |frame, _, arguments| {
            let [ty] = arguments.exactly()?;
            frame.dtype(ty).map(|ty| Operand::Constant(Value::Type(ty)))
        },
        "dot" => dot,
        _ => return None,
    })
}

/// Attributes of arrays. `None`: it has none of that name.
pub fn attribute(
    frame: &mut Frame<'_, '_>,
    array: &Expr,
    ty: &ArrayType,
    name: &str,
) -> Option<Result<Operand>> {
    let text = array.inside(Binding::Primary);
    let int = |value: i128| Ok(Operand::known(Value::Int(value)));
    let wide = |text: String| Expr::new(INT64, text);
    let length = |text: String| wide(text).natural(MOST_LENGTH_BITS);
    Some(match name {
        "shape" | "strides" => {
            let mut items = Vec::new();
            for axis in 0..usize::from(ty.ndim) {
                items.push(match (&ty.shape, name) {
                    (Some(shape), "shape") => Operand::known(Value::Int(i128::from(shape[axis]))),
                    (_, "shape") => length(format!("{text}.shape[{axis}]")).into(),
                    _ => wide(format!("{text}.stride({axis})")).into(),
                });
            }
            Ok(Operand::Tuple(items))
        }
        // Those of `coop.ThreadData`.
        "items_per_thread" => match ty.shape.as_deref() {
            Some([count]) => int(i128::from(*count)),
            _ => return None,
        },
        "ndim" => int(i128::from(ty.ndim)),
        "itemsize" => int(i128::from(ty.element.size()?)),
        "size" => match &ty.shape {
            Some(shape) => int(shape.iter().map(|n| i128::from(*n)).product()),
            None => Ok(length(format!("py::size({})", array.text)).into()),
        },
        "nbytes" => {
            let size = ty.element.size()?;
            Ok(Expr::bound(
                INT64,
                format!("py::size({}) * {size}", array.text),
                Binding::Product,
            )
            .into())
        }
        "dtype" => Ok(Operand::Constant(Value::Type(ty.element.clone()))),
        "T" => {
            frame.need("transpose");
            let layout = match ty.layout {
                Layout::C if ty.ndim > 1 => Layout::F,
                Layout::F => Layout::C,
                other => other,
            };
            let result = Type::Array(Arc::new(ArrayType {
                element: ty.element.clone(),
                ndim: ty.ndim,
                layout,
                mutable: ty.mutable,
                shape: ty
                    .shape
                    .as_ref()
                    .map(|shape| shape.iter().rev().copied().collect()),
            }));
            Ok(Expr::new(result, format!("py::transpose({})", array.text)).into())
        }
        "flat" => method(
            frame,
            array.clone(),
            ty,
            "ravel",
            Arguments::of("flat", Vec::new()),
        ),
        "real" | "imag" => {
            let Type::Complex(bits) = ty.element else {
                return None;
            };
            frame.need("slice");
            let part = Type::Float(bits / 2);
            let offset = if name == "imag" { bits / 16 } else { 0 };
            let result = Type::array(part.clone(), ty.ndim, Layout::A, ty.mutable);
            let text = format!("py::field<{}>({}, {offset})", part.cxx(), array.text);
            Ok(Expr::new(result, text).into())
        }
        "ctypes" => Ok(Operand::Method(
            Box::new(array.clone().into()),
            "ctypes".to_owned(),
        )),
        "data" => Ok(Expr::new(
            Type::Pointer(Arc::new(ty.element.clone())),
            format!("{text}.data"),
        )
        .into()),
        _ => match &ty.element {
            Type::Record(record) if record.field(name).is_some() => {
                let key = Operand::Constant(Value::Str(name.to_owned()));
                frame.item(array.clone().into(), key)
            }
            _ => return None,
        },
    })
}

/// True for methods of arrays.
pub fn is_method(name: &str) -> bool {
    matches!(
        name,
        "sum"
            | "prod"
            | "mean"
            | "var"
            | "std"
            | "min"
            | "max"
            | "argmin"
            | "argmax"
            | "all"
            | "any"
            | "item"
            | "ravel"
            | "flatten"
            | "reshape"
            | "transpose"
            | "fill"
            | "view"
            | "copy"
            | "take"
            | "itemset"
            | "squeeze"
    )
}

fn refused(name: &str, why: &str) -> Failure {
    Failure::new(
        Code::Unsupported,
        format!("{name}() of an array in a kernel: {why}"),
    )
}

/// A method of an array.
pub fn method(
    frame: &mut Frame<'_, '_>,
    array: Expr,
    ty: &ArrayType,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    match name {
        "item" => {
            if arguments.positional.is_empty() {
                frame.need("slice");
                return Ok(
                    Expr::new(ty.element.clone(), format!("py::flat({}, 0)", array.text)).into(),
                );
            }
            let [index] = arguments.exactly()?;
            let index = frame.index(index)?;
            frame.need("slice");
            Ok(Expr::new(
                ty.element.clone(),
                format!("py::flat({}, {})", array.text, index.text),
            )
            .into())
        }
        "fill" => {
            let [value] = arguments.exactly()?;
            frame.store(Operand::Value(array), value)?;
            Ok(Operand::Constant(Value::None))
        }
        "transpose" => {
            let [] = arguments.exactly()?;
            super::attribute(frame, array.into(), "T")
        }
        "ravel" | "flatten" => {
            if ty.layout != Layout::C {
                return Err(refused(
                    name,
                    "its elements do not lie one behind the other",
                ));
            }
            frame.need("transpose");
            let result = Type::array(ty.element.clone(), 1, Layout::C, ty.mutable);
            Ok(Expr::new(result, format!("py::ravel({})", array.text)).into())
        }
        "reshape" => {
            if ty.layout != Layout::C {
                return Err(refused(
                    name,
                    "its elements do not lie one behind the other",
                ));
            }
            let mut lengths = Vec::new();
            let given = match <[Operand; 1]>::try_from(arguments.positional) {
                Ok([Operand::Tuple(items)]) => items,
                Ok([Operand::Value(value)]) if value.ty.as_tuple().is_some() => {
                    frame.items(value.into())?
                }
                Ok([one]) => vec![one],
                Err(items) => items,
            };
            for item in given {
                lengths.push(frame.as_type(item, &INT64)?.text);
            }
            frame.need("transpose");
            let ndim = u8::try_from(lengths.len()).unwrap_or(u8::MAX);
            let result = Type::array(ty.element.clone(), ndim, Layout::C, ty.mutable);
            let text = format!(
                "py::reshape<{ndim}>({}, {})",
                array.text,
                lengths.join(", ")
            );
            let text = if frame.checks_bounds() {
                let message = "cannot reshape the array: the sizes differ".to_owned();
                let number = frame.exception("ValueError", Some(message));
                format!("py::same_size({text}, py::size({}), {number})", array.text)
            } else {
                text
            };
            Ok(Expr::new(result, text).into())
        }
        "view" => {
            let [dtype] = arguments.exactly()?;
            let element = frame.dtype(dtype)?;
            frame.need("transpose");
            if element.size() != ty.element.size() {
                return resized(frame, array, ty, &element);
            }
            let result = Type::array(element.clone(), ty.ndim, ty.layout, ty.mutable);
            Ok(Expr::new(
                result,
                format!("py::reinterpret<{}>({})", element.storage(), array.text),
            )
            .into())
        }
        "copy" => {
            let [] = arguments.exactly()?;
            let Some(shape) = ty.shape.clone() else {
                return Err(refused(
                    name,
                    "the copy needs memory, of a shape that is known when the kernel is compiled",
                ));
            };
            let copy = super::cuda::memory::local_array(frame, &ty.element, &shape)?;
            let copy = frame.settled_value(copy)?;
            frame.store(copy.clone(), array.into())?;
            Ok(copy)
        }
        _ => reduction(frame, array, ty, name, arguments),
    }
}

/// The same bytes as elements of another size.
fn resized(
    frame: &mut Frame<'_, '_>,
    array: Expr,
    ty: &ArrayType,
    element: &Type,
) -> Result<Operand> {
    // A kernel that checks nothing would read between the elements.
    let may_have_gaps = ty.layout == Layout::A && ty.ndim == 1 && !frame.checks_bounds();
    if ty.layout == Layout::F || ty.ndim == 0 || may_have_gaps {
        return Err(refused(
            "view",
            "elements of another size need an array whose last axis has its elements one behind the other",
        ));
    }
    let sizes = element.size().zip(ty.element.size());
    let Some((to, from)) = sizes.filter(|(to, _)| *to > 0) else {
        return Err(refused("view", "its elements have no size"));
    };
    let shape = match &ty.shape {
        None => None,
        Some(shape) => {
            let mut shape: Vec<_> = shape.to_vec();
            if let Some(last) = shape.last_mut() {
                let bytes = *last * from;
                if bytes % to != 0 {
                    return Err(Failure::new(
                        Code::Range,
                        format!("view(): {bytes} bytes cannot be divided into elements of {to}"),
                    ));
                }
                *last = bytes / to;
            }
            Some(shape.into())
        }
    };
    let number = if shape.is_none() && frame.checks_bounds() {
        let message = "the last axis of the array has gaps, or cannot be divided into elements of the view's size";
        frame.exception("ValueError", Some(message.to_owned()))
    } else {
        0
    };
    let result = Type::Array(Arc::new(ArrayType {
        element: element.clone(),
        ndim: ty.ndim,
        layout: ty.layout,
        mutable: ty.mutable,
        shape,
    }));
    frame.need_type(&result);
    let text = format!(
        "py::resized<{}>({}, {number})",
        element.storage(),
        array.text
    );
    Ok(Expr::new(result, text).into())
}

/// Reductions of a whole array, by one thread.
fn reduction(
    frame: &mut Frame<'_, '_>,
    array: Expr,
    ty: &ArrayType,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    let [axis] = arguments.bind(["axis"], 0)?;
    if axis.is_some_and(|axis| axis != Operand::Constant(Value::None)) {
        return Err(refused(name, "along an axis"));
    }
    if !ty.element.is_number() {
        return Err(refused(
            name,
            &format!("elements are {}", ty.element.shown()),
        ));
    }
    let element = ty.element.clone();
    let result = match name {
        "sum" | "prod" | "nansum" | "nanprod" if element.is_unsigned() => UINT64,
        "sum" | "prod" | "nansum" | "nanprod" if element.is_integral() => INT64,
        "mean" | "var" | "std" | "nanmean" | "median" if element.is_integral() => FLOAT64,
        "var" | "std" if element.is_complex() => FLOAT64,
        "argmin" | "argmax" | "count_nonzero" => INT64,
        "all" | "any" => BOOL,
        "sum" | "prod" | "mean" | "var" | "std" | "min" | "max" | "nansum" | "nanprod"
        | "nanmin" | "nanmax" | "nanmean" => element.clone(),
        _ => return Err(refused(name, "not supported")),
    };
    if element.is_complex()
        && matches!(
            name,
            "min" | "max" | "argmin" | "argmax" | "var" | "std" | "nanmin" | "nanmax"
        )
    {
        return Err(refused(name, "of complex numbers"));
    }
    frame.need("reduction");
    frame.need_type(&result);
    let array = if frame.options().debug
        && matches!(
            name,
            "min" | "max" | "argmin" | "argmax" | "nanmin" | "nanmax"
        ) {
        let message = format!("{name}() of an array without elements");
        let number = frame.exception("ValueError", Some(message));
        format!("py::not_empty({}, {number})", array.text)
    } else {
        array.text
    };
    // Half-precision numbers are added in single precision, as NumPy does.
    let computed = crate::infer::at_least_single(&result);
    let text = format!("py::array_{name}<{}>({array})", computed.cxx());
    let value = frame.cast(Expr::new(computed, text), &result);
    Ok(value.into())
}

fn function(frame: &mut Frame<'_, '_>, name: &str, mut arguments: Arguments) -> Result<Operand> {
    if arguments.positional.is_empty() {
        return Err(Failure::new(
            Code::Arguments,
            format!("{name}() needs an array"),
        ));
    }
    let array = arguments.positional.remove(0);
    let name = match name {
        "amin" => "min",
        "amax" => "max",
        other => other,
    };
    let value = frame.value(array)?;
    let Some(ty) = value.ty.as_array().cloned() else {
        return Err(Failure::new(
            Code::Type,
            format!("{name}() takes an array, got {}", value.ty.shown()),
        ));
    };
    reduction(frame, value, &ty, name, arguments)
}

fn dot(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [a, b] = arguments.exactly()?;
    let (a, b) = (frame.value(a)?, frame.value(b)?);
    match (a.ty.as_array().cloned(), b.ty.as_array().cloned()) {
        (Some(x), Some(y)) if x.ndim == 1 && y.ndim == 1 && x.element == y.element => {
            frame.need("reduction");
            let element = x.element.clone();
            Ok(Expr::new(
                element.clone(),
                format!("py::dot<{}>({}, {})", element.cxx(), a.text, b.text),
            )
            .into())
        }
        _ => Err(refused(name, "two arrays of one dimension and one type")),
    }
}
