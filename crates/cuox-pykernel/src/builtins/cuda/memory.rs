//! Arrays of blocks, threads and constants.

use std::sync::Arc;

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{ArrayType, Layout, Type};

/// Bytes of shared memory that a block has unless its launch asks for more. CUDA C++ Programming Guide, "Compute
/// Capabilities".
pub(super) const MOST_SHARED: u64 = 48 << 10;

/// The function of a path.
pub fn find(path: &str) -> Option<Builtin> {
    Some(match path {
        "shared.array" => |frame, _, arguments| array(frame, true, arguments),
        "local.array" => |frame, _, arguments| array(frame, false, arguments),
        "const.array_like" => |frame, _, arguments| {
            let [array] = arguments.exactly()?;
            match &array {
                Operand::Constant(Value::Array { .. }) => frame.value(array).map(Operand::Value),
                Operand::Constant(Value::State(..)) => Ok(array),
                Operand::Tuple(_) if array.constant().is_some() => Ok(array),
                other => Err(Failure::new(
                    Code::NotConstant,
                    format!(
                        "cuda.const.array_like() takes a host array that the kernel captures, got {}",
                        other.described()
                    ),
                )),
            }
        },
        // Items of several types are gone through one by one in any case.
        "literal_unroll" => |frame, _, arguments| {
            let [items] = arguments.exactly()?;
            frame.items(items).map(Operand::Tuple)
        },
        // cffi's: a pointer to an array's elements.
        "from_buffer" => |frame, name, arguments| {
            let [array] = arguments.exactly()?;
            let array = frame.value(array)?;
            if array.ty.as_array().is_none_or(|ty| ty.layout != Layout::C) {
                return Err(Failure::new(
                    Code::Type,
                    format!(
                        "{name}() takes an array whose elements lie one behind the other, got {}",
                        array.ty.shown()
                    ),
                ));
            }
            super::super::attribute(frame, array.into(), "data")
        },
        "carray" => |frame, _, arguments| of_pointer(frame, Layout::C, arguments),
        "farray" => |frame, _, arguments| of_pointer(frame, Layout::F, arguments),
        _ => return None,
    })
}

/// An array over memory that a pointer leads to.
fn of_pointer(frame: &mut Frame<'_, '_>, layout: Layout, arguments: Arguments) -> Result<Operand> {
    let name = arguments.name.clone();
    let [pointer, shape, dtype] = arguments.bind(["ptr", "shape", "dtype"], 2)?;
    let pointer = frame.value(pointer.unwrap_or(Operand::Tuple(Vec::new())))?;
    // An address without a type is a number, as `voidptr` is.
    let to = match &pointer.ty {
        Type::Pointer(to) => Some((**to).clone()),
        ty if ty.is_int() => None,
        ty => {
            return Err(Failure::new(
                Code::Type,
                format!("{name}() takes a pointer, got {}", ty.shown()),
            ));
        }
    };
    let dtype = match dtype {
        None | Some(Operand::Constant(Value::None)) => None,
        Some(dtype) => Some(frame.dtype(dtype)?),
    };
    let element = match (to, dtype) {
        (Some(to), Some(dtype)) if to != dtype => {
            return Err(Failure::new(
                Code::Type,
                format!(
                    "{name}(): dtype {} does not match the pointer, which is one to {}",
                    dtype.shown(),
                    to.shown()
                ),
            ));
        }
        (_, Some(dtype)) => dtype,
        (Some(to), None) => to,
        (None, None) => {
            return Err(Failure::new(
                Code::Arguments,
                format!("{name}() of an address without a type needs a dtype"),
            ));
        }
    };
    let lengths = match shape.unwrap_or(Operand::Tuple(Vec::new())) {
        Operand::Value(value) if value.ty.is_integral() => vec![value.into()],
        other => frame.items(other)?,
    };
    let mut texts = Vec::new();
    for length in lengths {
        texts.push(frame.as_type(length, &crate::types::INT64)?.text);
    }
    let ndim = u8::try_from(texts.len()).unwrap_or(u8::MAX);
    let layout = if ndim < 2 { Layout::C } else { layout };
    let ty = Type::array(element.clone(), ndim, layout, true);
    frame.need_type(&ty);
    let lengths = if texts.is_empty() {
        String::new()
    } else {
        format!(", {{{}}}", texts.join(", "))
    };
    let text = format!(
        "{}{{({} *)({}){lengths}}}",
        ty.cxx(),
        element.storage(),
        pointer.text
    );
    Ok(Expr::new(ty, text).into())
}

fn constant_shape(operand: Operand) -> Result<Vec<u64>> {
    let refused = || {
        Failure::new(
            Code::NotConstant,
            "the shape of a shared or local array must be known when the kernel is compiled",
        )
        .help("use ints, or globals that are ints; shared memory of a size that only the launch knows is shared.array(0, dtype) with kernel[grid, block, stream, bytes]")
    };
    let items = match operand.constant().ok_or_else(refused)? {
        Value::Tuple(items) => items,
        one => vec![one],
    };
    let mut shape = Vec::new();
    for item in items {
        let length = Expr::number(&item).and_then(|value| value.constant_int());
        let length = length.and_then(|length| u64::try_from(length).ok());
        shape.push(length.ok_or_else(refused)?);
    }
    Ok(shape)
}

fn array(frame: &mut Frame<'_, '_>, is_shared: bool, arguments: Arguments) -> Result<Operand> {
    let [shape, dtype, alignment] = arguments.bind(["shape", "dtype", "alignment"], 2)?;
    let what = if is_shared {
        "cuda.shared.array"
    } else {
        "cuda.local.array"
    };
    let shape = constant_shape(shape.unwrap_or(Operand::Tuple(Vec::new())))?;
    let element = frame.dtype(dtype.unwrap_or(Operand::Tuple(Vec::new())))?;
    frame.need_type(&element);
    let alignment = match alignment {
        None | Some(Operand::Constant(Value::None)) => None,
        Some(operand) => {
            let value = operand.as_value().and_then(Expr::constant_int);
            let valid =
                value.filter(|value| *value > 0 && *value & (*value - 1) == 0 && *value <= 1 << 20);
            Some(valid.ok_or_else(|| {
                Failure::new(Code::Range, format!("{what}(): alignment must be a power of two that is known when the kernel is compiled"))
            })?)
        }
    };
    storage(frame, is_shared, &element, &shape, alignment)
}

/// `cuda.shared.array`.
pub(super) fn shared_array(frame: &mut Frame<'_, '_>, arguments: Arguments) -> Result<Operand> {
    array(frame, true, arguments)
}

/// A new `local.array` of this shape.
pub(crate) fn local_array(
    frame: &mut Frame<'_, '_>,
    element: &Type,
    shape: &[u64],
) -> Result<Operand> {
    frame.need_type(element);
    storage(frame, false, element, shape, None)
}

/// Counts a shared array. Those of a kernel are refused where they need more than a block has: the driver would load
/// it, and refuse to launch it without naming a line.
fn take_shared(frame: &mut Frame<'_, '_>, bytes: u64) -> Result<()> {
    let at = frame.span;
    frame
        .program
        .shared
        .insert((frame.owner, at.line, at.column), bytes);
    let all: u64 = frame.program.shared.values().sum();
    if all <= MOST_SHARED {
        return Ok(());
    }
    let text = if all == bytes {
        format!("cuda.shared.array(): {bytes} bytes; a block has {MOST_SHARED} of shared memory")
    } else {
        format!(
            "cuda.shared.array(): {bytes} bytes, with the other shared arrays of the kernel {all}; a block has \
             {MOST_SHARED} of shared memory"
        )
    };
    Err(Failure::new(Code::Range, text).help(
        "a launch gives more, up to device.properties.max_shared_memory_per_block_optin: \
         shared.array(0, dtype) with kernel[grid, block, stream, bytes]",
    ))
}

fn storage(
    frame: &mut Frame<'_, '_>,
    is_shared: bool,
    element: &Type,
    shape: &[u64],
    alignment: Option<i128>,
) -> Result<Operand> {
    let what = if is_shared {
        "cuda.shared.array"
    } else {
        "cuda.local.array"
    };
    let size = element.size().ok_or_else(|| {
        Failure::new(
            Code::Type,
            format!("{what}(): {} cannot be an element", element.shown()),
        )
    })?;
    let count = shape
        .iter()
        .try_fold(1_u64, |count, length| count.checked_mul(*length));
    let Some(count) =
        count.filter(|count| count.checked_mul(size).is_some_and(|bytes| bytes < 1 << 31))
    else {
        return Err(Failure::new(
            Code::Range,
            format!("{what}(): the array is too large"),
        ));
    };
    let is_dynamic = is_shared && count == 0;
    let align = alignment.map_or(i128::from(element.align().unwrap_or(1)), |value| value);
    let name = if is_dynamic {
        frame.need("dynamic_shared");
        String::new()
    } else {
        // Bytes, so that elements need no constructors.
        let name = frame.new_name(if is_shared { "shared" } else { "local" });
        let keyword = if is_shared { "__shared__ " } else { "" };
        let length = (count * size).max(1);
        if is_shared {
            take_shared(frame, length)?;
        }
        frame.code.statement(format!(
            "{keyword}alignas({align}) unsigned char {name}[{length}];"
        ));
        name
    };
    let ty = Type::Array(Arc::new(ArrayType {
        element: element.clone(),
        ndim: u8::try_from(shape.len()).unwrap_or(u8::MAX),
        layout: Layout::C,
        mutable: true,
        shape: (!is_dynamic).then(|| shape.iter().copied().collect()),
    }));
    frame.need_type(&ty);
    let storage = element.storage();
    let (data, lengths) = if is_dynamic {
        (
            "cuox_dynamic_shared".to_owned(),
            vec![format!("py::dynamic_shared_size() / {}", size.max(1))],
        )
    } else {
        (name, shape.iter().map(u64::to_string).collect::<Vec<_>>())
    };
    let lengths = if shape.is_empty() {
        String::new()
    } else {
        format!(", {{{}}}", lengths.join(", "))
    };
    let text = format!("{}{{({storage} *){data}{lengths}}}", ty.cxx());
    let mut value = Expr::new(ty, text);
    value.is_pure = true;
    Ok(value.into())
}
