//! Numbers: conversions, parts, rounding.

use super::Builtin;
use crate::ast::{BinaryOp, CompareOp};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame, infix};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, COMPLEX128, FLOAT32, FLOAT64, INT64, Type, promote};

/// Functions of NumPy on single numbers that other families have not.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "abs" | "absolute" | "fabs" => abs,
        "round" | "around" => round,
        _ => return None,
    })
}

fn refused(name: &str, ty: &Type) -> Failure {
    Failure::new(Code::Type, format!("{name}() cannot take {}", ty.shown()))
}

/// `abs(x)`: of a complex number its length.
pub fn abs(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [operand] = arguments.exactly()?;
    let value = frame.value(operand)?;
    frame.need("math");
    let (ty, value) = match value.ty.clone() {
        ty if ty.is_integral() && name == "fabs" => (FLOAT64, frame.convert(value, &FLOAT64)?),
        ty if ty.is_integral() => {
            let ty = promote::integers(&ty, &ty);
            (ty.clone(), frame.convert(value, &ty)?)
        }
        Type::Complex(bits) => (Type::Float(bits / 2), value),
        ty @ Type::Float(32 | 64) => (ty, value),
        ty if ty.is_half() => (ty, value),
        Type::Time { date: false, unit } => (Type::Time { date: false, unit }, value),
        ty => return Err(refused(name, &ty)),
    };
    let mut result = Expr::new(ty, format!("py::abs({})", value.text));
    result.is_pure = value.is_pure;
    Ok(result.into())
}

/// `round(x)`: to even; `round(x, digits)`.
pub fn round(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let is_method = name != "round" || arguments.name.contains('.');
    let [number, digits] = arguments.bind(["number", "ndigits"], 1)?;
    let value = frame.value(number.unwrap_or(Operand::Tuple(Vec::new())))?;
    if value.ty.is_integral() {
        return match digits {
            None | Some(Operand::Constant(Value::None)) => Ok(value.into()),
            Some(digits) => {
                let digits = frame.as_type(digits, &INT64)?;
                if digits.constant_int().is_some_and(|digits| digits >= 0) {
                    return Ok(value.into());
                }
                frame.need("round");
                let value = frame.convert(value, &INT64)?;
                let text = format!("py::round_int({}, {})", value.text, digits.text);
                Ok(Expr::new(INT64, text).into())
            }
        };
    }
    if !matches!(value.ty, Type::Float(_) | Type::BFloat16) {
        return Err(refused(name, &value.ty));
    }
    let ty = value.ty.clone();
    let wide = if ty == FLOAT64 { FLOAT64 } else { FLOAT32 };
    let value = frame.convert(value, &wide)?;
    let suffix = if wide == FLOAT32 { "f" } else { "" };
    match digits {
        None | Some(Operand::Constant(Value::None)) => {
            let rounded = Expr::new(wide, format!("::rint{suffix}({})", value.text));
            if is_method {
                frame.convert(rounded, &ty).map(Operand::Value)
            } else {
                frame.convert(rounded, &INT64).map(Operand::Value)
            }
        }
        Some(digits) => {
            let digits = frame.as_type(digits, &INT64)?;
            frame.need("round");
            let text = format!("py::round({}, {})", value.text, digits.text);
            let rounded = Expr::new(wide, text);
            frame.convert(rounded, &ty).map(Operand::Value)
        }
    }
}

/// `int(x)`, `float(x)`, `bool(x)`, `complex(a, b)`.
pub fn builtin_type(
    frame: &mut Frame<'_, '_>,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    let known = match arguments.positional.first().and_then(Operand::constant) {
        Some(Value::Float(value)) if name == "int" && value.abs() < 9e18 => {
            Some(Value::Int(value as i128))
        }
        Some(Value::Int(value)) if name == "int" => Some(Value::Int(value)),
        Some(Value::Int(value)) if name == "float" => Some(Value::Float(value as f64)),
        Some(Value::Float(value)) if name == "float" => Some(Value::Float(value)),
        Some(Value::Str(text)) if name == "float" => text.trim().parse().ok().map(Value::Float),
        Some(Value::Str(text)) if name == "int" => text.trim().parse().ok().map(Value::Int),
        _ => None,
    };
    if let (Some(known), 1) = (known, arguments.positional.len()) {
        return Ok(Operand::known(known));
    }
    if arguments.positional.is_empty() && arguments.keywords.is_empty() {
        return Ok(Operand::known(match name {
            "int" => Value::Int(0),
            "float" => Value::Float(0.0),
            "bool" => Value::Bool(false),
            _ => Value::Complex(0.0, 0.0),
        }));
    }
    match name {
        "bool" => {
            let [operand] = arguments.exactly()?;
            frame.truth(operand).map(Operand::Value)
        }
        "complex" => cast(frame, &COMPLEX128, arguments),
        "float" => {
            let [operand] = arguments.exactly()?;
            let value = frame.value(operand)?;
            // A float keeps its width, as with Numba.
            let ty = match &value.ty {
                ty @ Type::Float(32 | 64) => ty.clone(),
                _ => FLOAT64,
            };
            number_cast(frame, value, &ty, "float").map(Operand::Value)
        }
        _ => {
            let [operand] = arguments.exactly()?;
            let value = frame.value(operand)?;
            let ty = if value.ty.is_int() {
                value.ty.clone()
            } else {
                INT64
            };
            number_cast(frame, value, &ty, "int").map(Operand::Value)
        }
    }
}

fn number_cast(frame: &mut Frame<'_, '_>, value: Expr, ty: &Type, name: &str) -> Result<Expr> {
    let is_time = matches!(value.ty, Type::Time { .. }) && (ty.is_int() || ty.is_float());
    if !(value.ty.is_number() && !value.ty.is_complex() || is_time) && value.ty != Type::Never {
        return Err(Failure::new(
            Code::Type,
            format!("{name}() cannot take {}", value.ty.shown()),
        ));
    }
    frame.need_type(ty);
    let mut value = value;
    if is_time {
        value.ty = INT64;
    }
    let mut value = frame.cast(value, ty);
    value.is_place = false;
    Ok(value)
}

/// A type as a function.
pub fn cast(frame: &mut Frame<'_, '_>, ty: &Type, arguments: Arguments) -> Result<Operand> {
    if let Type::Complex(bits) = ty {
        let part = Type::Float(bits / 2);
        frame.need_type(ty);
        let [real, imaginary] = arguments.bind(["real", "imag"], 1)?;
        let real = frame.value(real.unwrap_or(Operand::known(Value::Int(0))))?;
        if real.ty.is_complex() && imaginary.is_none() {
            return frame.convert(real, ty).map(Operand::Value);
        }
        let real = frame.convert(real, &part)?;
        let imaginary = imaginary.unwrap_or(Operand::known(Value::Float(0.0)));
        let imaginary = frame.as_type(imaginary, &part)?;
        let text = format!("{}({}, {})", ty.cxx(), real.text, imaginary.text);
        return Ok(Expr::new(ty.clone(), text).into());
    }
    if let Type::Vector(element, count) = ty {
        return super::cuda::vector::construct(frame, element, *count, arguments);
    }
    let [operand] = arguments.exactly()?;
    if *ty == BOOL {
        return frame.truth(operand).map(Operand::Value);
    }
    let value = frame.value(operand)?;
    if matches!(ty, Type::Time { .. })
        && (value.ty.is_int() || matches!(value.ty, Type::Time { .. }))
    {
        let text = frame.cast(Expr { ty: INT64, ..value }, &INT64).text;
        return Ok(Expr::new(ty.clone(), text).into());
    }
    if !ty.is_number() {
        return frame.convert(value, ty).map(Operand::Value);
    }
    number_cast(frame, value, ty, &ty.to_string()).map(Operand::Value)
}

/// `.real`, `.imag`.
pub fn attribute(frame: &mut Frame<'_, '_>, value: &Expr, name: &str) -> Option<Result<Operand>> {
    let part = match &value.ty {
        Type::Complex(bits) => Type::Float(bits / 2),
        ty => ty.clone(),
    };
    let is_complex = value.ty.is_complex();
    Some(match name {
        "real" if !is_complex => Ok(value.clone().into()),
        "imag" if !is_complex => {
            let zero = Operand::known(Value::Int(0));
            frame.as_type(zero, &part).map(Operand::Value)
        }
        "real" | "imag" => {
            frame.need_type(&value.ty);
            let text = format!("{}.{name}()", value.inside(Binding::Primary));
            let mut part = Expr::new(part, text);
            part.is_pure = value.is_pure;
            Ok(part.into())
        }
        "dtype" => Ok(Operand::Constant(Value::Type(value.ty.clone()))),
        "ndim" => Ok(Operand::known(Value::Int(0))),
        "shape" => Ok(Operand::Tuple(Vec::new())),
        "size" => Ok(Operand::known(Value::Int(1))),
        "itemsize" | "nbytes" => Ok(Operand::known(Value::Int(i128::from(value.ty.size()?)))),
        _ => return None,
    })
}

/// Attributes of types: `dtype.itemsize`, `dtype.type`.
pub fn type_attribute(ty: &Type, name: &str) -> Option<Operand> {
    Some(match name {
        "itemsize" => Operand::known(Value::Int(i128::from(ty.size()?))),
        "type" | "dtype" => Operand::Constant(Value::Type(ty.clone())),
        "kind" => Operand::Constant(Value::Str(kind(ty)?.to_owned())),
        _ => return None,
    })
}

/// NumPy's letter for the kind of a type.
fn kind(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Bool => "b",
        Type::Int { signed: true, .. } => "i",
        Type::Int { .. } => "u",
        Type::Float(_) => "f",
        Type::Complex(_) => "c",
        Type::Time { date: true, .. } => "M",
        Type::Time { .. } => "m",
        Type::Chars { unicode: true, .. } => "U",
        Type::Chars { .. } => "S",
        Type::BFloat16 | Type::Record(_) => "V",
        _ => return None,
    })
}

/// True for methods of numbers.
pub fn is_method(name: &str) -> bool {
    matches!(
        name,
        "conjugate"
            | "conj"
            | "item"
            | "astype"
            | "view"
            | "is_integer"
            | "bit_count"
            | "bit_length"
    )
}

/// A method of a number.
pub fn method(
    frame: &mut Frame<'_, '_>,
    value: Expr,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    match name {
        "conjugate" | "conj" => {
            let [] = arguments.exactly()?;
            if !value.ty.is_complex() {
                return Ok(value.into());
            }
            frame.need("complex");
            Ok(Expr::new(value.ty.clone(), format!("py::conj({})", value.text)).into())
        }
        "item" => {
            let [] = arguments.exactly()?;
            Ok(value.into())
        }
        "bit_count" if value.ty.is_integral() => {
            let [] = arguments.exactly()?;
            // Of a negative number, the bits of its absolute value, as Python counts them.
            frame.need("math");
            let is_signed = !value.ty.is_unsigned();
            let wide = frame.convert(value, &INT64)?;
            let text = if is_signed {
                format!("::__popcll(py::abs({}))", wide.text)
            } else {
                format!("::__popcll({})", wide.text)
            };
            Ok(Expr::new(crate::types::INT32, text).into())
        }
        "is_integer" => {
            let [] = arguments.exactly()?;
            if value.ty.is_integral() {
                return Ok(Operand::known(Value::Bool(true)));
            }
            let value = frame.convert(value, &FLOAT64)?;
            let value = frame.hoist(value);
            let text = format!("::trunc({0}) == {0} && ::isfinite({0})", value.text);
            Ok(Expr::bound(BOOL, text, Binding::And).into())
        }
        "astype" => {
            let [ty] = arguments.exactly()?;
            let ty = frame.dtype(ty)?;
            cast(frame, &ty, Arguments::of("astype", vec![value.into()]))
        }
        "view" => {
            let [ty] = arguments.exactly()?;
            let ty = frame.dtype(ty)?;
            if ty.size() != value.ty.size() {
                return Err(Failure::new(
                    Code::Type,
                    format!(
                        "view(): {} and {} differ in size",
                        ty.shown(),
                        value.ty.shown()
                    ),
                ));
            }
            frame.need("bits");
            Ok(Expr::new(
                ty.clone(),
                format!("py::bits<{}>({})", ty.cxx(), value.text),
            )
            .into())
        }
        _ => Err(Failure::new(
            Code::Attribute,
            format!("{} has no method '{name}' in kernels", value.ty.shown()),
        )),
    }
}

/// Times: sums and differences.
pub fn operator(
    frame: &mut Frame<'_, '_>,
    operator: BinaryOp,
    left: &Expr,
    right: &Expr,
) -> Option<Result<Expr>> {
    if let (Type::Time { unit: a, .. }, Type::Time { unit: b, .. }) = (&left.ty, &right.ty)
        && a != b
    {
        return Some(Err(other_units(&left.ty, &right.ty)));
    }
    let result = match (&left.ty, operator, &right.ty) {
        (Type::Time { date: true, unit }, BinaryOp::Sub, Type::Time { date: true, .. }) => {
            Type::Time {
                date: false,
                unit: unit.clone(),
            }
        }
        (ty @ Type::Time { .. }, BinaryOp::Add | BinaryOp::Sub, Type::Time { date: false, .. }) => {
            ty.clone()
        }
        (Type::Time { date: false, .. }, BinaryOp::Add, ty @ Type::Time { date: true, .. }) => {
            ty.clone()
        }
        (ty @ Type::Time { date: false, .. }, BinaryOp::Mul | BinaryOp::FloorDiv, other)
            if other.is_integral() =>
        {
            ty.clone()
        }
        (other, BinaryOp::Mul, ty @ Type::Time { date: false, .. }) if other.is_integral() => {
            ty.clone()
        }
        (Type::Time { date: false, .. }, BinaryOp::Div, Type::Time { date: false, .. }) => FLOAT64,
        _ => return None,
    };
    let as_int = |value: &Expr| Expr {
        ty: if matches!(value.ty, Type::Time { .. }) {
            INT64
        } else {
            value.ty.clone()
        },
        ..value.clone()
    };
    // What is not a time stays so.
    frame.need("times");
    let times = [left, right].map(|value| matches!(value.ty, Type::Time { .. }));
    let (left, right) = (frame.hoist(as_int(left)), frame.hoist(as_int(right)));
    let nothing: Vec<_> = [&left, &right]
        .iter()
        .zip(times)
        .filter(|(_, is_time)| *is_time)
        .map(|(value, _)| format!("py::is_nat({})", value.text))
        .collect();
    let none = if result == FLOAT64 {
        "nan64()"
    } else {
        "py::nat"
    };
    Some(frame.arithmetic(operator, left, right).map(|value| {
        let text = format!(
            "({} ? {none} : {})",
            nothing.join(" || "),
            value.inside(Binding::Conditional)
        );
        Expr::new(result, text)
    }))
}

fn other_units(left: &Type, right: &Type) -> Failure {
    Failure::new(
        Code::Type,
        format!("{} and {} have other units", left.shown(), right.shown()),
    )
    .help("convert one of them on the host: x.astype('datetime64[s]')")
}

/// Comparisons of times and texts.
pub fn comparison(
    frame: &mut Frame<'_, '_>,
    operator: CompareOp,
    left: &Expr,
    right: &Expr,
) -> Option<Result<Expr>> {
    match (&left.ty, &right.ty) {
        (Type::Time { unit: a, .. }, Type::Time { unit: b, .. }) if a != b => {
            Some(Err(other_units(&left.ty, &right.ty)))
        }
        (Type::Time { date: a, .. }, Type::Time { date: b, .. }) if a == b => {
            frame.need("times");
            let (left, right) = (
                Expr {
                    ty: INT64,
                    ..left.clone()
                },
                Expr {
                    ty: INT64,
                    ..right.clone()
                },
            );
            let (left, right) = (frame.hoist(left), frame.hoist(right));
            let compared = infix(BOOL, &left, operator.sign(), &right, Binding::Less);
            // NaT is not equal to anything, and neither before nor after.
            let otherwise = operator == CompareOp::NotEq;
            Some(Ok(Expr::new(
                BOOL,
                format!(
                    "(py::is_nat({}) || py::is_nat({}) ? {otherwise} : {})",
                    left.text, right.text, compared.text
                ),
            )))
        }
        (Type::Chars { .. }, Type::Chars { .. })
            if matches!(operator, CompareOp::Eq | CompareOp::NotEq) =>
        {
            frame.need("chars");
            let sign = if operator == CompareOp::Eq { "" } else { "!" };
            let text = format!("{sign}py::same({}, {})", left.text, right.text);
            Some(Ok(Expr::bound(BOOL, text, Binding::Unary)))
        }
        _ => None,
    }
}
