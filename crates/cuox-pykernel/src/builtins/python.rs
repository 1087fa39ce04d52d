//! Python's builtins and the functions of `operator`.

use super::Builtin;
use crate::ast::{BinaryOp, CompareOp, UnaryOp};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame, MOST_LENGTH_BITS};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{FLOAT64, INT64, Type, UINT64, promote};

/// The function of a name.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "len" => len,
        "range" => range,
        "min" | "max" => extreme,
        "abs" => super::number::abs,
        "round" => super::number::round,
        "divmod" => divmod,
        "pow" => pow,
        "int" | "float" | "bool" | "complex" => super::number::builtin_type,
        "print" => super::cuda::print::print,
        "breakpoint" => |frame, _, arguments| frame.breakpoint(arguments),
        "enumerate" | "zip" | "reversed" => iterator,
        "tuple" | "list" => tuple,
        "sum" => sum,
        "any" | "all" => any,
        "slice" => slice,
        "isinstance" => isinstance,
        "ord" => ord,
        "str" => text,
        "type" => type_of,
        _ => return None,
    })
}

fn len(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [object] = arguments.exactly()?;
    let object = match object {
        Operand::Constant(Value::State(..)) => frame.value(object)?.into(),
        other => other,
    };
    if let Operand::Iterator(..) | Operand::Begun(..) = &object {
        return Err(Failure::new(
            Code::Type,
            format!("{} has no len()", object.described()),
        ));
    }
    let known = match &object {
        Operand::Tuple(items) => Some(items.len()),
        Operand::Constant(Value::Str(text)) => Some(text.chars().count()),
        Operand::Constant(Value::Bytes(bytes)) => Some(bytes.len()),
        Operand::Constant(Value::Struct(_, fields)) => Some(fields.len()),
        Operand::Constant(Value::Array { shape, .. }) => shape.first().copied(),
        Operand::Value(value) => match &value.ty {
            Type::Tuple(tuple) => Some(tuple.items.len()),
            Type::Array(array) => array
                .shape
                .as_ref()
                .and_then(|shape| shape.first())
                .map(|n| *n as usize),
            Type::Chars { .. } => {
                frame.need("chars");
                return Ok(Expr::new(INT64, format!("py::length({})", value.text)).into());
            }
            _ => None,
        },
        _ => None,
    };
    if let Some(known) = known {
        return Ok(Operand::known(Value::Int(known as i128)));
    }
    let text = frame.length_of(&object)?;
    let mut value = Expr::new(INT64, text);
    value.is_pure = true;
    // A range can be longer than any array.
    let is_short = matches!(object, Operand::Value(_));
    Ok(value
        .natural(if is_short { MOST_LENGTH_BITS } else { 63 })
        .into())
}

fn range(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let mut values = Vec::new();
    if !arguments.keywords.is_empty() {
        return Err(Failure::new(
            Code::Arguments,
            "range() takes no keyword arguments",
        ));
    }
    for operand in arguments.positional {
        let value = frame.value(operand)?;
        if !value.ty.is_integral() {
            return Err(Failure::new(
                Code::Type,
                format!("range() takes ints, got {}", value.ty.shown()),
            ));
        }
        values.push(value);
    }
    let number = |value| {
        Expr::number(&Value::Int(value)).ok_or_else(|| Failure::new(Code::Type, "expected an int"))
    };
    let range = match <[Expr; 1]>::try_from(values) {
        Ok([stop]) => [number(0)?, stop, number(1)?],
        Err(values) => match <[Expr; 2]>::try_from(values) {
            Ok([start, stop]) => [start, stop, number(1)?],
            Err(values) => <[Expr; 3]>::try_from(values).map_err(|values| {
                Failure::new(
                    Code::Arguments,
                    format!("range() takes 1 to 3 arguments, {} given", values.len()),
                )
            })?,
        },
    };
    frame.checked_range(range)
}

/// `min` and `max` of several values, or of the items of one.
fn extreme(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    if !arguments.keywords.is_empty() {
        return Err(Failure::new(
            Code::Arguments,
            format!("{name}() takes no keyword arguments in kernels"),
        ));
    }
    let mut items = arguments.positional;
    if items.len() == 1
        && let Some(only) = items.pop()
    {
        if let Operand::Value(value) = &only
            && value.ty.as_array().is_some()
        {
            let method = if name == "min" { "min" } else { "max" };
            return super::method(frame, only, method, Arguments::of(name, Vec::new()));
        }
        items = frame.items(only)?;
    }
    let mut values = Vec::new();
    for item in items {
        values.push(frame.value(item)?);
    }
    let values = frame.in_order(values);
    let mut values = values.into_iter();
    let Some(mut best) = values.next() else {
        return Err(Failure::new(
            Code::Arguments,
            format!("{name}() takes at least one value"),
        ));
    };
    frame.need("math");
    for value in values {
        // Of a number that is known, only what it is matters.
        let is_positive = |value: &Expr| value.constant_int().is_some_and(|known| known >= 0);
        let both = [(&best, &value), (&value, &best)];
        let is_unsigned = both
            .iter()
            .any(|(one, other)| one.ty == UINT64 && other.ty.is_int() && is_positive(other));
        let ty = if is_unsigned {
            Some(UINT64)
        } else {
            promote::numbers(&best.ty, &value.ty)
        };
        let ty = ty.ok_or_else(|| {
            Failure::new(
                Code::Type,
                format!(
                    "{name}() cannot compare {} and {}",
                    best.ty.shown(),
                    value.ty.shown()
                ),
            )
        })?;
        if ty.is_complex() {
            return Err(Failure::new(
                Code::Type,
                format!("{name}() cannot compare complex numbers"),
            ));
        }
        let (a, b) = (frame.convert(best, &ty)?, frame.convert(value, &ty)?);
        let is_pure = a.is_pure && b.is_pure;
        let function = match &ty {
            Type::Float(32) => format!("::f{name}f"),
            Type::Float(64) => format!("::f{name}"),
            _ => format!("py::{name}"),
        };
        let bits = match (a.bits(), b.bits()) {
            (Some(a), Some(b)) if name == "min" => Some(a.min(b)),
            (Some(a), Some(b)) => Some(a.max(b)),
            _ if name == "max" && (a.bits().is_some() || b.bits().is_some()) => Some(63),
            _ => None,
        };
        best = Expr::new(ty, format!("{function}({}, {})", a.text, b.text));
        best.is_pure = is_pure;
        if best.ty.is_int() {
            best = best.natural(bits.unwrap_or(0));
        }
    }
    Ok(best.into())
}

fn divmod(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [left, right] = arguments.exactly()?;
    let (left, right) = (frame.settled_value(left)?, frame.settled_value(right)?);
    let quotient = frame.binary(BinaryOp::FloorDiv, left.clone(), right.clone())?;
    let rest = frame.binary(BinaryOp::Mod, left, right)?;
    Ok(Operand::Tuple(vec![quotient, rest]))
}

fn pow(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [base, exponent, modulus] = arguments.bind(["base", "exp", "mod"], 2)?;
    let none = Operand::Constant(Value::None);
    if modulus.is_some_and(|modulus| modulus != none) {
        return Err(Failure::new(
            Code::Unsupported,
            "pow() with a modulus is not supported in kernels",
        )
        .help("multiply and take the remainder in a loop, or use base ** exp % mod if base ** exp fits into 64 bits"));
    }
    let (base, exponent) = (base.unwrap_or(none.clone()), exponent.unwrap_or(none));
    frame.binary(BinaryOp::Pow, base, exponent)
}

fn iterator(frame: &mut Frame<'_, '_>, name: &str, mut arguments: Arguments) -> Result<Operand> {
    for part in &mut arguments.positional {
        let given = std::mem::replace(part, Operand::Tuple(Vec::new()));
        *part = match given {
            Operand::Constant(Value::Array { .. } | Value::State(..)) => frame.value(given)?.into(),
            Operand::Begun(..) if name == "reversed" => {
                return Err(Failure::new(
                    Code::Type,
                    format!("{} has no last item to begin with", given.described()),
                ));
            }
            given => frame.handed_over(given),
        };
    }
    let kind = match name {
        "enumerate" => {
            let [object, start] = arguments.bind(["iterable", "start"], 1)?;
            let mut parts: Vec<_> = object.into_iter().collect();
            parts.extend(start);
            return Ok(Operand::Iterator("enumerate", parts));
        }
        "zip" => "zip",
        _ => "reversed",
    };
    if arguments.positional.is_empty() || kind == "reversed" && arguments.positional.len() != 1 {
        return Err(Failure::new(
            Code::Arguments,
            format!("{name}(): wrong number of arguments"),
        ));
    }
    Ok(Operand::Iterator(kind, arguments.positional))
}

fn tuple(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    match arguments.positional.len() {
        0 => Ok(Operand::Tuple(Vec::new())),
        _ => {
            let [items] = arguments.exactly()?;
            frame.items(items).map(Operand::Tuple)
        }
    }
}

fn sum(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [items, start] = arguments.bind(["iterable", "start"], 1)?;
    let items = items.unwrap_or(Operand::Tuple(Vec::new()));
    if let Operand::Value(value) = &items
        && value.ty.as_array().is_some()
    {
        let total = super::method(frame, items, "sum", Arguments::of("sum", Vec::new()))?;
        return match start {
            Some(start) => frame.binary(BinaryOp::Add, start, total),
            None => Ok(total),
        };
    }
    if let Operand::Range(range) = &items {
        let total = frame.range_sum(range);
        return match start {
            Some(start) => frame.binary(BinaryOp::Add, start, total.into()),
            None => Ok(total.into()),
        };
    }
    let mut total = start.unwrap_or(Operand::known(Value::Int(0)));
    for item in frame.items(items)? {
        total = frame.binary(BinaryOp::Add, total, item)?;
    }
    Ok(total)
}

fn any(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [items] = arguments.exactly()?;
    if let Operand::Value(value) = &items
        && value.ty.as_array().is_some()
    {
        return super::method(frame, items, name, Arguments::of(name, Vec::new()));
    }
    let mut texts = Vec::new();
    let (sign, binding) = if name == "any" {
        (" || ", Binding::Or)
    } else {
        (" && ", Binding::And)
    };
    for item in frame.items(items)? {
        texts.push(frame.truth(item)?.inside(binding));
    }
    if texts.is_empty() {
        return Ok(Operand::known(Value::Bool(name == "all")));
    }
    Ok(Expr::bound(Type::Bool, texts.join(sign), binding).into())
}

fn slice(_: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let count = arguments.positional.len();
    if !(1..=3).contains(&count) || !arguments.keywords.is_empty() {
        return Err(Failure::new(
            Code::Arguments,
            format!("slice() takes 1 to 3 arguments, {count} given: slice(start, stop, step)"),
        ));
    }
    let mut parts = arguments.positional.into_iter();
    let parts = match parts.len() {
        1 => [None, parts.next(), None],
        _ => [parts.next(), parts.next(), parts.next()],
    };
    Ok(Operand::Slice(Box::new(parts)))
}

fn isinstance(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [object, classes] = arguments.exactly()?;
    let classes = match classes {
        Operand::Tuple(classes) => classes,
        other => vec![other],
    };
    let mut found = false;
    for class in classes {
        found |= is_of_class(frame, &object, &class)?;
    }
    Ok(Operand::known(Value::Bool(found)))
}

/// True if an object is of a class. Of classes that kernels do not know nobody can tell.
fn is_of_class(frame: &mut Frame<'_, '_>, object: &Operand, class: &Operand) -> Result<bool> {
    let ty = frame.runtime_type(object);
    Ok(match (class, ty) {
        (Operand::Constant(Value::Type(class)), ty) => ty.is_some_and(|ty| ty == *class),
        (Operand::Constant(Value::NamedTuple(name, fields)), ty) => {
            let names = ty.as_ref().and_then(Type::as_tuple);
            let names = names.and_then(|tuple| tuple.names.as_ref());
            let fields = fields.iter().map(|(field, _)| field);
            names.is_some_and(|(of, names)| of == name && names.iter().eq(fields))
        }
        (Operand::Constant(Value::Path(path)), ty) => match (path.as_str(), ty) {
            ("builtins.object", _) => true,
            ("builtins.int", Some(ty)) => ty.is_int(),
            ("builtins.float", Some(ty)) => ty.is_float(),
            ("builtins.bool", Some(ty)) => ty == Type::Bool,
            ("builtins.complex", Some(ty)) => ty.is_complex(),
            ("builtins.tuple", Some(ty)) => ty.as_tuple().is_some(),
            ("numpy.ndarray", Some(ty)) => ty.as_array().is_some(),
            ("builtins.str", None) => matches!(object, Operand::Constant(Value::Str(_))),
            ("builtins.bytes", None) => matches!(object, Operand::Constant(Value::Bytes(_))),
            (path, _) if NEVER.contains(&path) => false,
            _ => return Err(no_class(class)),
        },
        _ => return Err(no_class(class)),
    })
}

/// The classes of which, besides those above, no value of a kernel is.
const NEVER: [&str; 13] = [
    "builtins.bool",
    "builtins.bytearray",
    "builtins.bytes",
    "builtins.complex",
    "builtins.dict",
    "builtins.float",
    "builtins.frozenset",
    "builtins.int",
    "builtins.list",
    "builtins.set",
    "builtins.str",
    "builtins.tuple",
    "numpy.ndarray",
];

#[cold]
fn no_class(class: &Operand) -> Failure {
    Failure::new(
        Code::Unsupported,
        format!(
            "isinstance: kernels cannot tell what is of {}",
            class.described()
        ),
    )
}

fn ord(_: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [text] = arguments.exactly()?;
    if let Operand::Constant(Value::Str(text)) = &text
        && let (Some(c), 1) = (text.chars().next(), text.chars().count())
    {
        return Ok(Operand::known(Value::Int(i128::from(u32::from(c)))));
    }
    match text {
        Operand::Value(value) if value.ty.is_int() => Ok(value.into()),
        other => Err(Failure::new(
            Code::Type,
            format!("ord() takes one character, got {}", other.described()),
        )),
    }
}

fn text(_: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [object] = arguments.exactly()?;
    match object.constant() {
        Some(Value::Str(text)) => Ok(Operand::Constant(Value::Str(text))),
        Some(Value::Int(value)) => Ok(Operand::Constant(Value::Str(value.to_string()))),
        _ => Err(Failure::new(
            Code::Unsupported,
            "kernels cannot make text of values; print() takes them as they are",
        )),
    }
}

fn type_of(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let [object] = arguments.exactly()?;
    let value = frame.value(object)?;
    Ok(Operand::Constant(Value::Type(value.ty)))
}

/// Methods of tuples.
pub fn tuple_method(
    frame: &mut Frame<'_, '_>,
    object: Operand,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    let [wanted] = arguments.exactly()?;
    let wanted = frame.settled_value(wanted)?;
    let items = frame.items(object)?;
    let mut texts = Vec::new();
    for item in items {
        texts.push(frame.compare(CompareOp::Eq, item, wanted.clone())?);
    }
    match name {
        "count" => {
            let counts: Vec<_> = texts
                .iter()
                .map(|one| format!("int64({})", one.text))
                .collect();
            let text = if counts.is_empty() {
                "0ll".to_owned()
            } else {
                counts.join(" + ")
            };
            Ok(Expr::bound(INT64, text, Binding::Sum).into())
        }
        "index" => {
            let number = frame.exception(
                "ValueError",
                Some("tuple.index(x): x not in tuple".to_owned()),
            );
            let mut text = format!("(py::raise({number}), -1ll)");
            for (index, one) in texts.iter().enumerate().rev() {
                text = format!("({} ? {index}ll : {text})", one.inside(Binding::Or));
            }
            Ok(Expr::new(INT64, text).with_effect().into())
        }
        _ => Err(Failure::new(
            Code::Attribute,
            format!("a tuple has no method '{name}' in kernels"),
        )),
    }
}

/// The functions of `operator`.
pub fn find_operator(name: &str) -> Option<Builtin> {
    binary_operator(name)
        .map(|_| operator_call as Builtin)
        .or_else(|| compare_operator(name).map(|_| operator_call as Builtin))
        .or_else(|| unary_operator(name).map(|_| operator_call as Builtin))
        .or(match name {
            "getitem" => Some(|frame, _, arguments| {
                let [object, index] = arguments.exactly()?;
                frame.item(object, index)
            }),
            "truth" => Some(|frame, _, arguments| {
                let [object] = arguments.exactly()?;
                frame.truth(object).map(Operand::Value)
            }),
            "abs" => Some(super::number::abs),
            _ => None,
        })
}

fn binary_operator(name: &str) -> Option<BinaryOp> {
    let name = name
        .strip_prefix('i')
        .filter(|rest| !matches!(*rest, "nvert" | "s_" | "s_not" | "nv"))
        .unwrap_or(name);
    Some(match name.trim_matches('_') {
        "add" | "concat" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        "truediv" => BinaryOp::Div,
        "floordiv" => BinaryOp::FloorDiv,
        "mod" => BinaryOp::Mod,
        "pow" => BinaryOp::Pow,
        "lshift" => BinaryOp::LShift,
        "rshift" => BinaryOp::RShift,
        "and" => BinaryOp::BitAnd,
        "or" => BinaryOp::BitOr,
        "xor" => BinaryOp::BitXor,
        "matmul" => BinaryOp::MatMul,
        _ => return None,
    })
}

fn compare_operator(name: &str) -> Option<CompareOp> {
    Some(match name {
        "eq" => CompareOp::Eq,
        "ne" => CompareOp::NotEq,
        "lt" => CompareOp::Lt,
        "le" => CompareOp::LtE,
        "gt" => CompareOp::Gt,
        "ge" => CompareOp::GtE,
        "is_" => CompareOp::Is,
        "is_not" => CompareOp::IsNot,
        _ => return None,
    })
}

fn unary_operator(name: &str) -> Option<UnaryOp> {
    Some(match name {
        "neg" => UnaryOp::Neg,
        "pos" => UnaryOp::Pos,
        "invert" | "inv" => UnaryOp::Invert,
        "not_" => UnaryOp::Not,
        _ => return None,
    })
}

fn operator_call(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    if let Some(operator) = unary_operator(name) {
        let [operand] = arguments.exactly()?;
        return frame.unary(operator, operand);
    }
    let [left, right] = arguments.exactly()?;
    if let Some(operator) = compare_operator(name) {
        return frame.compare(operator, left, right).map(Operand::Value);
    }
    match binary_operator(name) {
        Some(operator) => frame.binary(operator, left, right),
        None => Err(Failure::new(
            Code::Unsupported,
            format!("operator.{name}() is not supported in kernels"),
        )),
    }
}

/// A float constant's type, for functions that compute in float64 unless told otherwise.
pub fn float_type(ty: &Type) -> Type {
    if ty.is_float() || ty.is_complex() {
        ty.clone()
    } else {
        FLOAT64
    }
}
