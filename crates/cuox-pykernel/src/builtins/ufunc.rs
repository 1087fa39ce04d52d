//! NumPy's functions of numbers with an array for their results: `np.sin(x, out)`, `np.add(x, 1, out=y)`, element by
//! element in one thread.

use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::Type;

const UNARY: &str = " absolute abs arccos acos arccosh acosh arcsin asin arcsinh asinh arctan atan arctanh atanh cbrt ceil conj conjugate cos cosh deg2rad \
    degrees exp exp2 expm1 fabs floor invert bitwise_not bitwise_invert isfinite isinf isnan isnat log log10 log1p log2 logical_not negative positive rad2deg \
    radians reciprocal rint sign signbit sin sinh sqrt square tan tanh trunc ";
const BINARY: &str = " add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal float_power \
    floor_divide fmax fmin fmod gcd greater greater_equal heaviside hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or \
    logical_xor maximum minimum mod multiply nextafter not_equal pow power remainder right_shift subtract true_divide ";

fn inputs_of(name: &str) -> Option<usize> {
    let listed = |list: &str| list.split_whitespace().any(|one| one == name);
    match (listed(UNARY), listed(BINARY)) {
        (true, _) => Some(1),
        (_, true) => Some(2),
        _ => None,
    }
}

/// Takes the array for the results out of the arguments, if there is one.
fn take_out(name: &str, arguments: &mut Arguments) -> Option<Operand> {
    let inputs = inputs_of(name)?;
    if arguments.positional.len() == inputs
        && let Some(place) = arguments.keywords.iter().position(|(key, _)| key == "out")
    {
        let (_, out) = arguments.keywords.remove(place);
        return match out {
            // `out=None` and `out=(y,)`, as NumPy takes them.
            Operand::Constant(Value::None) => None,
            Operand::Tuple(mut items) if items.len() == 1 => items.pop(),
            other => Some(other),
        };
    }
    match arguments.positional.len() == inputs + 1 && arguments.keywords.is_empty() {
        true => arguments.positional.pop(),
        false => None,
    }
}

/// Calls a function of NumPy with an array for its results; gives the arguments back for calls without one.
pub fn call(
    frame: &mut Frame<'_, '_>,
    path: &str,
    mut arguments: Arguments,
    function: super::Builtin,
) -> std::result::Result<Result<Operand>, Arguments> {
    let Some(name) = path.strip_prefix("numpy.") else {
        return Err(arguments);
    };
    match take_out(name, &mut arguments) {
        Some(out) => Ok(into(frame, name, arguments, out, function)),
        None => Err(arguments),
    }
}

fn into(
    frame: &mut Frame<'_, '_>,
    name: &str,
    arguments: Arguments,
    out: Operand,
    function: super::Builtin,
) -> Result<Operand> {
    let refused = |text: String| Failure::new(Code::Type, format!("np.{name}(): {text}"));
    if let Some((keyword, _)) = arguments.keywords.first() {
        return Err(refused(format!("'{keyword}' is not supported in kernels")));
    }
    let out = frame.value(out)?;
    let out = frame.hoist(out);
    let Type::Array(ty) = out.ty.clone() else {
        return Err(refused(format!(
            "the results must be put into an array, got {}",
            out.ty.shown()
        )));
    };
    if !ty.mutable {
        return Err(refused("the array for the results is read-only".to_owned()));
    }
    let mut inputs = Vec::new();
    for operand in arguments.positional {
        if let Operand::Tuple(_) = operand {
            let described = operand.described();
            return Err(refused(format!(
                "{described} is neither a number nor an array"
            )));
        }
        let value = frame.value(operand)?;
        let value = frame.hoist(value);
        if let Type::Array(from) = &value.ty
            && from.ndim > ty.ndim
        {
            return Err(refused(format!(
                "{} has more dimensions than the array for the results, {}",
                value.ty.shown(),
                out.ty.shown()
            )));
        }
        let fitting = frame.fitting(&out, &value);
        if fitting != value.text {
            frame.code.statement(format!("{fitting};"));
        }
        inputs.push(value);
    }
    frame.need("slice");
    let (at, step) = (frame.new_name("at"), frame.new_name("step"));
    let order = order_of_elements(frame, &out, &inputs);
    let line = frame.code.line;
    frame.code.begin();
    if let Some(order) = &order {
        let text = format!("{order} & 1 ? {step} : py::size({}) - 1 - {step}", out.text);
        frame.code.statement(format!("const int64 {at} = {text};"));
    }
    let stored = element_by_element(frame, name, &out, inputs, &at, function);
    let body = frame.code.take();
    stored?;
    let counted = if order.is_some() { &step } else { &at };
    let head = format!(
        "for (int64 {counted} = 0; {counted} < py::size({}); ++{counted})",
        out.text
    );
    frame.code.block(head, body, line);
    Ok(out.into())
}

/// The variable that says in which order the elements are written, if inputs may share memory with them: NumPy reads
/// all before it writes the first. An exception where no order does that.
fn order_of_elements(frame: &mut Frame<'_, '_>, out: &Expr, inputs: &[Expr]) -> Option<String> {
    let others = inputs
        .iter()
        .filter(|input| input.ty.as_array().is_some() && input.text != out.text);
    let each: Vec<_> = others
        .map(|input| format!("py::orders({}, {})", out.text, input.text))
        .collect();
    if each.is_empty() {
        return None;
    }
    let message = "the array for the results shares memory with an operand in another place";
    let number = frame.exception("ValueError", Some(message.to_owned()));
    let order = frame.new_name("order");
    frame
        .code
        .statement(format!("const int {order} = {};", each.join(" & ")));
    frame
        .code
        .statement(format!("if (!{order}) py::raise({number});"));
    Some(order)
}

/// The statements for one element.
fn element_by_element(
    frame: &mut Frame<'_, '_>,
    name: &str,
    out: &Expr,
    inputs: Vec<Expr>,
    at: &str,
    function: super::Builtin,
) -> Result<()> {
    let mut elements = Vec::new();
    for input in inputs {
        let Type::Array(ty) = &input.ty else {
            elements.push(input.into());
            continue;
        };
        let text = format!("py::spread({}, {}, {at})", out.text, input.text);
        let element = frame.loaded(&ty.element, text);
        elements.push(frame.settled_value(element)?);
    }
    let result = function(frame, name, Arguments::of(name, elements))?;
    let Type::Array(ty) = &out.ty else {
        return Ok(());
    };
    if let Some(value) = result.as_value()
        && !is_same_kind(&value.ty, &ty.element)
    {
        return Err(Failure::new(
            Code::Type,
            format!(
                "np.{name}(): the results are {}, which an array of {} cannot hold",
                value.ty.shown(),
                ty.element.shown()
            ),
        ));
    }
    let place = frame.loaded(&ty.element, format!("py::flat({}, {at})", out.text));
    frame.store(place, result)
}

/// False where NumPy refuses to put results of one type into elements of another.
fn is_same_kind(result: &Type, element: &Type) -> bool {
    match (result.is_integral(), element.is_integral()) {
        (false, true) => !result.is_number(),
        _ => !result.is_complex() || element.is_complex() || !element.is_number(),
    }
}
