//! `math`, and NumPy's functions of numbers.

use super::Builtin;
use crate::ast::{BinaryOp, CompareOp, UnaryOp};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame, at_least_single};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, FLOAT32, FLOAT64, INT64, Type, promote};

/// Functions of one float, with CUDA's name for float64; that for float32 ends in `f`.
const UNARY: &[(&str, &str)] = &[
    ("acos", "acos"),
    ("arccos", "acos"),
    ("acosh", "acosh"),
    ("arccosh", "acosh"),
    ("asin", "asin"),
    ("arcsin", "asin"),
    ("asinh", "asinh"),
    ("arcsinh", "asinh"),
    ("atan", "atan"),
    ("arctan", "atan"),
    ("atanh", "atanh"),
    ("arctanh", "atanh"),
    ("cbrt", "cbrt"),
    ("cos", "cos"),
    ("cosh", "cosh"),
    ("erf", "erf"),
    ("erfc", "erfc"),
    ("exp", "exp"),
    ("exp2", "exp2"),
    ("exp10", "exp10"),
    ("expm1", "expm1"),
    ("gamma", "tgamma"),
    ("lgamma", "lgamma"),
    ("log10", "log10"),
    ("log1p", "log1p"),
    ("log2", "log2"),
    ("sin", "sin"),
    ("sinh", "sinh"),
    ("sqrt", "sqrt"),
    ("tan", "tan"),
    ("tanh", "tanh"),
    ("rint", "rint"),
    ("i0", "cyl_bessel_i0"),
    ("sinpi", "sinpi"),
    ("cospi", "cospi"),
    ("rsqrt", "rsqrt"),
];

/// Functions of two floats.
const BINARY: &[(&str, &str)] = &[
    ("atan2", "atan2"),
    ("arctan2", "atan2"),
    ("copysign", "copysign"),
    ("fmod", "fmod"),
    ("hypot", "hypot"),
    ("nextafter", "nextafter"),
    ("remainder", "remainder"),
];

/// Functions of NumPy that are operators.
const OPERATORS: &[(&str, BinaryOp)] = &[
    ("add", BinaryOp::Add),
    ("subtract", BinaryOp::Sub),
    ("multiply", BinaryOp::Mul),
    ("divide", BinaryOp::Div),
    ("true_divide", BinaryOp::Div),
    ("floor_divide", BinaryOp::FloorDiv),
    ("mod", BinaryOp::Mod),
    ("power", BinaryOp::Pow),
    ("float_power", BinaryOp::Pow),
    ("left_shift", BinaryOp::LShift),
    ("right_shift", BinaryOp::RShift),
    ("bitwise_left_shift", BinaryOp::LShift),
    ("bitwise_right_shift", BinaryOp::RShift),
    ("bitwise_and", BinaryOp::BitAnd),
    ("bitwise_or", BinaryOp::BitOr),
    ("bitwise_xor", BinaryOp::BitXor),
];

const COMPARISONS: &[(&str, CompareOp)] = &[
    ("equal", CompareOp::Eq),
    ("not_equal", CompareOp::NotEq),
    ("less", CompareOp::Lt),
    ("less_equal", CompareOp::LtE),
    ("greater", CompareOp::Gt),
    ("greater_equal", CompareOp::GtE),
];

fn in_table<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
}

/// The function of a name of `math` or NumPy.
pub fn find(module: &str, name: &str) -> Option<Builtin> {
    let is_numpy = module == "numpy";
    if module == "cmath" {
        return match name {
            "log" => Some(log),
            "isnan" | "isinf" | "isfinite" => Some(test),
            "phase" | "polar" | "rect" => Some(complex_parts),
            _ => complex_function(name).then_some(unary as Builtin),
        };
    }
    if is_numpy && (name == "remainder" || name == "mod") {
        return Some(|frame, _, arguments| {
            let [left, right] = arguments.exactly()?;
            frame.binary(BinaryOp::Mod, left, right)
        });
    }
    if is_numpy && in_table(OPERATORS, name).is_some() {
        return Some(operator);
    }
    if is_numpy && in_table(COMPARISONS, name).is_some() {
        return Some(comparison);
    }
    if in_table(UNARY, name).is_some() {
        return Some(unary);
    }
    if in_table(BINARY, name).is_some() {
        return Some(binary);
    }
    Some(match name {
        "log" => log,
        "pow" if !is_numpy => |frame, _, arguments| power(frame, arguments),
        "ceil" | "floor" | "trunc" | "fix" => {
            if is_numpy {
                to_whole_float
            } else {
                to_whole
            }
        }
        "fabs" => super::number::abs,
        "isnan" | "isinf" | "isfinite" | "signbit" | "isneginf" | "isposinf" => test,
        "isnat" if is_numpy => |frame, name, arguments| {
            let [operand] = arguments.exactly()?;
            let value = frame.value(operand)?;
            if !matches!(value.ty, Type::Time { .. } | Type::Never) {
                return Err(Failure::new(
                    Code::Type,
                    format!(
                        "{name}() takes a datetime64 or timedelta64, got {}",
                        value.ty.shown()
                    ),
                ));
            }
            test(frame, "isnan", Arguments::of(name, vec![value.into()]))
        },
        "ldexp" | "frexp" | "modf" => parts,
        "degrees" | "rad2deg" | "radians" | "deg2rad" => angle,
        "fma" => |frame, _, arguments| fma(frame, arguments),
        "factorial" => |frame, _, arguments| whole_function(frame, "factorial", arguments),
        "gcd" | "lcm" => gcd,
        "isclose" => isclose,
        "dist" | "prod" | "comb" | "perm" => return None,
        _ if !is_numpy => return None,
        "negative" => |frame, _, arguments| sign_change(frame, UnaryOp::Neg, arguments),
        "positive" => |frame, _, arguments| sign_change(frame, UnaryOp::Pos, arguments),
        "invert" | "bitwise_not" | "bitwise_invert" => {
            |frame, _, arguments| sign_change(frame, UnaryOp::Invert, arguments)
        }
        "logical_not" => |frame, _, arguments| sign_change(frame, UnaryOp::Not, arguments),
        "logical_and" | "logical_or" | "logical_xor" => logical,
        "maximum" | "minimum" | "fmax" | "fmin" => extreme,
        "square" => |frame, _, arguments| {
            let [operand] = arguments.exactly()?;
            let operand = frame.settled_value(operand)?;
            frame.binary(BinaryOp::Mul, operand.clone(), operand)
        },
        "reciprocal" => |frame, _, arguments| {
            let [operand] = arguments.exactly()?;
            let value = frame.value(operand)?;
            let ty = super::python::float_type(&value.ty);
            let one = frame.as_type(Operand::known(Value::Float(1.0)), &ty)?;
            frame
                .arithmetic(BinaryOp::Div, one, value)
                .map(Operand::Value)
        },
        "sign" => |frame, _, arguments| sign(frame, arguments),
        "heaviside" | "logaddexp" | "logaddexp2" => two_floats,
        "conjugate" | "conj" => |frame, _, arguments| {
            let [operand] = arguments.exactly()?;
            super::method(
                frame,
                operand,
                "conjugate",
                Arguments::of("conjugate", Vec::new()),
            )
        },
        "real" | "imag" => |frame, name, arguments| {
            let [operand] = arguments.exactly()?;
            super::attribute(frame, operand, name)
        },
        "clip" => |frame, _, arguments| {
            let [value, low, high] = arguments.exactly()?;
            let value = extreme(frame, "maximum", Arguments::of("clip", vec![value, low]))?;
            extreme(frame, "minimum", Arguments::of("clip", vec![value, high]))
        },
        "where" => |frame, _, arguments| {
            let [test, first, second] = arguments.exactly()?;
            super::cuda::thread::select(frame, test, first, second)
        },
        _ => return None,
    })
}

fn complex_function(name: &str) -> bool {
    matches!(
        name,
        "acos"
            | "acosh"
            | "asin"
            | "asinh"
            | "atan"
            | "atanh"
            | "cos"
            | "cosh"
            | "exp"
            | "exp2"
            | "log10"
            | "log2"
            | "sin"
            | "sinh"
            | "sqrt"
            | "tan"
            | "tanh"
    )
}

/// `cmath.phase`, `polar`, `rect`.
fn complex_parts(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    frame.need("complex_math");
    if name == "rect" {
        let [length, angle] = arguments.exactly()?;
        let (length, angle) = (
            float_operand(frame, name, length)?,
            float_operand(frame, name, angle)?,
        );
        let part = promote::numbers(&length.ty, &angle.ty).unwrap_or(FLOAT64);
        let part = at_least_single(&part);
        let ty = if part == FLOAT32 {
            crate::types::COMPLEX64
        } else {
            crate::types::COMPLEX128
        };
        frame.need_type(&ty);
        let (length, angle) = (frame.convert(length, &part)?, frame.convert(angle, &part)?);
        return Ok(Expr::new(
            ty,
            format!("py::cmath::rect({}, {})", length.text, angle.text),
        )
        .into());
    }
    let [value] = arguments.exactly()?;
    let value = frame.value(value)?;
    let value = if value.ty.is_complex() {
        value
    } else {
        frame.convert(value, &crate::types::COMPLEX128)?
    };
    let value = frame.hoist(value);
    let part = match value.ty {
        Type::Complex(bits) => Type::Float(bits / 2),
        _ => FLOAT64,
    };
    let phase = Expr::new(part.clone(), format!("py::arg({})", value.text));
    if name == "phase" {
        return Ok(phase.into());
    }
    let length = Expr::new(part, format!("py::abs({})", value.text));
    Ok(Operand::Tuple(vec![length.into(), phase.into()]))
}

/// A value as the float that a function computes with: ints become float64, bools too.
fn float_operand(frame: &mut Frame<'_, '_>, name: &str, operand: Operand) -> Result<Expr> {
    let value = frame.value(operand)?;
    match &value.ty {
        ty if ty.is_integral() => frame.convert(value, &FLOAT64),
        ty if ty.is_float() => Ok(value),
        Type::Never => Ok(value),
        ty => Err(Failure::new(
            Code::Type,
            format!("{name}() takes a number, got {}", ty.shown()),
        )),
    }
}

/// CUDA's function for a type: `sin` or `sinf`. Under `fastmath`, NVRTC takes the fast ones.
pub(super) fn cuda_name(function: &str, ty: &Type) -> String {
    if *ty == FLOAT32 {
        format!("::{function}f")
    } else {
        format!("::{function}")
    }
}

fn applied(
    frame: &mut Frame<'_, '_>,
    function: &str,
    values: Vec<Expr>,
    ty: &Type,
) -> Result<Expr> {
    let wide = at_least_single(ty);
    let mut texts = Vec::new();
    let mut is_pure = true;
    for value in values {
        is_pure &= value.is_pure;
        texts.push(frame.convert(value, &wide)?.text);
    }
    let mut result = Expr::new(
        wide.clone(),
        format!("{}({})", cuda_name(function, &wide), texts.join(", ")),
    );
    result.is_pure = is_pure;
    frame.convert(result, ty)
}

fn unary(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [operand] = arguments.exactly()?;
    let value = frame.value(operand)?;
    if value.ty.is_complex() {
        if !complex_function(in_table(UNARY, name).unwrap_or(name)) {
            return Err(Failure::new(
                Code::Type,
                format!("{name}() cannot take {}", value.ty.shown()),
            ));
        }
        frame.need("complex_math");
        let plain = in_table(UNARY, name).unwrap_or(name);
        let text = format!("py::cmath::{plain}({})", value.text);
        return Ok(Expr::new(value.ty.clone(), text).into());
    }
    let value = float_operand(frame, name, value.into())?;
    let ty = value.ty.clone();
    let function = in_table(UNARY, name).unwrap_or(name);
    applied(frame, function, vec![value], &ty).map(Operand::Value)
}

fn binary(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [left, right] = arguments.exactly()?;
    let (left, right) = (
        float_operand(frame, name, left)?,
        float_operand(frame, name, right)?,
    );
    let ty = promote::numbers(&left.ty, &right.ty).unwrap_or(FLOAT64);
    let function = in_table(BINARY, name).unwrap_or(name);
    applied(frame, function, vec![left, right], &ty).map(Operand::Value)
}

fn operator(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [left, right] = arguments.exactly()?;
    match in_table(OPERATORS, name) {
        Some(operator) => frame.binary(operator, left, right),
        None => Err(Failure::new(Code::Unsupported, format!("numpy.{name}"))),
    }
}

fn comparison(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [left, right] = arguments.exactly()?;
    let (left, right) = (frame.value(left)?, frame.value(right)?);
    if (left.ty.is_complex() || right.ty.is_complex())
        && !matches!(name, "equal" | "not_equal")
        && let Some(ty) = promote::numbers(&left.ty, &right.ty)
    {
        frame.need("complex_math");
        let (left, right) = (frame.convert(left, &ty)?, frame.convert(right, &ty)?);
        let mut result = Expr::new(BOOL, format!("py::{name}({}, {})", left.text, right.text));
        result.is_pure = left.is_pure && right.is_pure;
        return Ok(result.into());
    }
    let (left, right) = (left.into(), right.into());
    match in_table(COMPARISONS, name) {
        Some(operator) => frame.compare(operator, left, right).map(Operand::Value),
        None => Err(Failure::new(Code::Unsupported, format!("numpy.{name}"))),
    }
}

/// `log(x)`, `log(x, base)`.
fn log(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [number, base] = arguments.bind(["x", "base"], 1)?;
    let value = frame.value(number.unwrap_or(Operand::Tuple(Vec::new())))?;
    let result = if value.ty.is_complex() {
        frame.need("complex_math");
        Expr::new(value.ty.clone(), format!("py::cmath::log({})", value.text))
    } else {
        let value = float_operand(frame, name, value.into())?;
        let ty = value.ty.clone();
        applied(frame, "log", vec![value], &ty)?
    };
    match base {
        None => Ok(result.into()),
        Some(base) => {
            let base = log(frame, name, Arguments::of(name, vec![base]))?;
            frame.binary(BinaryOp::Div, result.into(), base)
        }
    }
}

/// `math.pow`: always a float.
fn power(frame: &mut Frame<'_, '_>, arguments: Arguments) -> Result<Operand> {
    let [base, exponent] = arguments.exactly()?;
    let (base, exponent) = (float_operand(frame, "pow", base)?, frame.value(exponent)?);
    let exponent = if exponent.ty.is_integral() {
        exponent
    } else {
        float_operand(frame, "pow", exponent.into())?
    };
    frame.binary(BinaryOp::Pow, base.into(), exponent.into())
}

/// `math.floor` and the like: an int.
fn to_whole(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let rounded = to_whole_float(frame, name, arguments)?;
    frame.as_type(rounded, &INT64).map(Operand::Value)
}

/// NumPy's: a float.
fn to_whole_float(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [operand] = arguments.exactly()?;
    let value = frame.value(operand)?;
    if value.ty.is_integral() && !matches!(name, "never") {
        return if frame_is_numpy_like(name) {
            frame.convert(value, &FLOAT64).map(Operand::Value)
        } else {
            Ok(value.into())
        };
    }
    let value = float_operand(frame, name, value.into())?;
    let ty = value.ty.clone();
    let function = if name == "fix" { "trunc" } else { name };
    applied(frame, function, vec![value], &ty).map(Operand::Value)
}

/// Only `fix` makes floats of ints.
fn frame_is_numpy_like(name: &str) -> bool {
    name == "fix"
}

fn test(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [operand] = arguments.exactly()?;
    let value = frame.value(operand)?;
    if value.ty.is_integral() {
        return Ok(match name {
            "isfinite" => Operand::known(Value::Bool(true)),
            "signbit" => {
                let zero = Operand::known(Value::Int(0));
                return frame
                    .compare(CompareOp::Lt, value.into(), zero)
                    .map(Operand::Value);
            }
            _ => Operand::known(Value::Bool(false)),
        });
    }
    if let Type::Complex(_) = value.ty {
        let value = frame.hoist(value);
        let sign = if name == "isfinite" { "&&" } else { "||" };
        let text = format!(
            "::{name}({0}.real()) {sign} ::{name}({0}.imag())",
            value.inside(Binding::Primary)
        );
        return Ok(Expr::bound(
            BOOL,
            text,
            if sign == "&&" {
                Binding::And
            } else {
                Binding::Or
            },
        )
        .into());
    }
    if let Type::Time { .. } = value.ty {
        return Ok(Expr::bound(
            BOOL,
            format!(
                "{} == -0x7fffffffffffffffll - 1",
                value.inside(Binding::Less)
            ),
            Binding::Equal,
        )
        .into());
    }
    let value = float_operand(frame, name, value.into())?;
    let wide = at_least_single(&value.ty);
    let value = frame.convert(value, &wide)?;
    let text = match name {
        "isneginf" | "isposinf" => {
            let infinity = if wide == FLOAT32 {
                "inf32()"
            } else {
                "inf64()"
            };
            let sign = if name == "isneginf" { "-" } else { "" };
            return Ok(Expr::bound(
                BOOL,
                format!("{} == {sign}{infinity}", value.inside(Binding::Less)),
                Binding::Equal,
            )
            .into());
        }
        _ => format!("bool(::{name}({}))", value.text),
    };
    let mut result = Expr::new(BOOL, text);
    result.is_pure = value.is_pure;
    Ok(result.into())
}

fn parts(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    if name == "ldexp" {
        let [value, exponent] = arguments.exactly()?;
        let value = float_operand(frame, name, value)?;
        let wide = at_least_single(&value.ty);
        let (value, exponent) = (
            frame.convert(value, &wide)?,
            frame.as_type(exponent, &crate::types::INT32)?,
        );
        let text = format!(
            "{}({}, {})",
            cuda_name("ldexp", &wide),
            value.text,
            exponent.text
        );
        return Ok(Expr::new(wide, text).into());
    }
    let [value] = arguments.exactly()?;
    let value = float_operand(frame, name, value)?;
    let wide = at_least_single(&value.ty);
    let value = frame.convert(value, &wide)?;
    let second = if name == "frexp" {
        crate::types::INT32
    } else {
        wide.clone()
    };
    let other = frame.new_place(if name == "frexp" { "exponent" } else { "whole" }, &second);
    let text = format!(
        "{}({}, &{})",
        cuda_name(name, &wide),
        value.text,
        other.text
    );
    let first = frame.kept(Expr::new(wide, text).with_effect());
    Ok(Operand::Tuple(vec![first.into(), other.into()]))
}

fn angle(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [value] = arguments.exactly()?;
    let value = float_operand(frame, name, value)?;
    let ty = value.ty.clone();
    let factor = if matches!(name, "degrees" | "rad2deg") {
        180.0 / std::f64::consts::PI
    } else {
        std::f64::consts::PI / 180.0
    };
    let factor = frame.as_type(Operand::known(Value::Float(factor)), &ty)?;
    frame
        .arithmetic(BinaryOp::Mul, value, factor)
        .map(Operand::Value)
}

pub(super) fn fma(frame: &mut Frame<'_, '_>, arguments: Arguments) -> Result<Operand> {
    let [a, b, c] = arguments.exactly()?;
    let (a, b, c) = (
        float_operand(frame, "fma", a)?,
        float_operand(frame, "fma", b)?,
        float_operand(frame, "fma", c)?,
    );
    let ty = promote::numbers(&a.ty, &b.ty)
        .and_then(|ty| promote::numbers(&ty, &c.ty))
        .unwrap_or(FLOAT64);
    if ty.is_half() {
        let mut texts = Vec::new();
        for value in [a, b, c] {
            texts.push(frame.convert(value, &ty)?.text);
        }
        return Ok(Expr::new(ty, format!("py::fma({})", texts.join(", "))).into());
    }
    applied(frame, "fma", vec![a, b, c], &ty).map(Operand::Value)
}

fn whole_function(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [value] = arguments.exactly()?;
    let value = frame.as_type(value, &INT64)?;
    frame.need("whole");
    Ok(Expr::new(INT64, format!("py::{name}({})", value.text)).into())
}

fn gcd(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [a, b] = arguments.exactly()?;
    let (a, b) = (frame.as_type(a, &INT64)?, frame.as_type(b, &INT64)?);
    frame.need("whole");
    Ok(Expr::new(INT64, format!("py::{name}({}, {})", a.text, b.text)).into())
}

fn isclose(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [a, b, relative, absolute] = arguments.bind(["a", "b", "rel_tol", "abs_tol"], 2)?;
    let mut texts = Vec::new();
    for (operand, default) in [(a, 0.0), (b, 0.0), (relative, 1e-9), (absolute, 0.0)] {
        let operand = operand.unwrap_or(Operand::known(Value::Float(default)));
        texts.push(frame.as_type(operand, &FLOAT64)?.text);
    }
    frame.need("whole");
    Ok(Expr::new(BOOL, format!("py::isclose({})", texts.join(", "))).into())
}

fn sign_change(
    frame: &mut Frame<'_, '_>,
    operator: UnaryOp,
    arguments: Arguments,
) -> Result<Operand> {
    let [operand] = arguments.exactly()?;
    frame.unary(operator, operand)
}

fn logical(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [a, b] = arguments.exactly()?;
    let (a, b) = (frame.truth(a)?, frame.truth(b)?);
    let (sign, binding) = match name {
        "logical_and" => ("&&", Binding::And),
        "logical_or" => ("||", Binding::Or),
        _ => ("!=", Binding::Equal),
    };
    Ok(crate::infer::infix(BOOL, &a, sign, &b, binding).into())
}

/// `maximum`, `minimum`: NaN if one is; `fmax`, `fmin`: the number if one is NaN.
fn extreme(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [a, b] = arguments.exactly()?;
    let (a, b) = (frame.value(a)?, frame.value(b)?);
    let ty = promote::numbers(&a.ty, &b.ty).ok_or_else(|| {
        Failure::new(
            Code::Type,
            format!("{name}() cannot take {} and {}", a.ty.shown(), b.ty.shown()),
        )
    })?;
    frame.need("extreme");
    if ty.is_complex() {
        frame.need("complex_math");
    }
    let (a, b) = (frame.convert(a, &ty)?, frame.convert(b, &ty)?);
    let mut result = Expr::new(ty, format!("py::{name}({}, {})", a.text, b.text));
    result.is_pure = a.is_pure && b.is_pure;
    Ok(result.into())
}

fn sign(frame: &mut Frame<'_, '_>, arguments: Arguments) -> Result<Operand> {
    let [value] = arguments.exactly()?;
    let value = frame.value(value)?;
    if value.ty.is_complex() {
        frame.need("complex_math");
    }
    frame.need("extreme");
    let own = value.ty.clone();
    let computed = crate::infer::at_least_single(&own);
    let value = frame.cast(value, &computed);
    let sign = Expr::new(computed, format!("py::sign({})", value.text));
    Ok(frame.cast(sign, &own).into())
}

fn two_floats(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [a, b] = arguments.exactly()?;
    let (a, b) = (
        float_operand(frame, name, a)?,
        float_operand(frame, name, b)?,
    );
    let ty = promote::numbers(&a.ty, &b.ty).unwrap_or(FLOAT64);
    let (a, b) = (frame.convert(a, &ty)?, frame.convert(b, &ty)?);
    frame.need("extreme");
    Ok(Expr::new(ty, format!("py::{name}({}, {})", a.text, b.text)).into())
}
