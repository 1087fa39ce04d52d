//! Positions of threads, barriers, fences, and small things.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{INT32, INT64, UINT32, promote};

/// The value of a path.
pub fn value(frame: &mut Frame<'_, '_>, path: &str) -> Option<Result<Operand>> {
    let (ty, text) = match path {
        "threadIdx.x" | "threadIdx.y" | "threadIdx.z" | "blockIdx.x" | "blockIdx.y"
        | "blockIdx.z" | "blockDim.x" | "blockDim.y" | "blockDim.z" | "gridDim.x" | "gridDim.y"
        | "gridDim.z" => (INT32, format!("int32({path})")),
        "laneid" => {
            frame.need("thread");
            (INT32, "py::laneid()".to_owned())
        }
        "warpsize" => {
            return Some(Ok(Operand::known(Value::Typed(
                INT32,
                Box::new(Value::Int(32)),
            ))));
        }
        _ => return None,
    };
    Some(Ok(Expr::new(ty, text).natural(position_bits(path)).into()))
}

/// The bits of a thread's or block's number, and of the numbers of them.
fn position_bits(path: &str) -> u8 {
    match path.split('.').next() {
        Some("threadIdx") => 10,
        Some("blockDim") => 11,
        Some("laneid") => 5,
        _ => 31,
    }
}

/// The function of a path.
pub fn find(path: &str) -> Option<Builtin> {
    Some(match path {
        "grid" | "gridsize" => grid,
        "syncthreads" | "threadfence" | "threadfence_block" | "threadfence_system" => plain,
        "syncthreads_and" | "syncthreads_or" | "syncthreads_count" => |frame, name, arguments| {
            let [test] = arguments.exactly()?;
            let test = frame.truth(test)?;
            frame.synchronized();
            let name = name.replace("syncthreads", "__syncthreads");
            Ok(Expr::new(INT32, format!("{name}({})", test.text))
                .with_effect()
                .into())
        },
        "nanosleep" => |frame, _, arguments| {
            let [time] = arguments.exactly()?;
            let time = frame.as_type(time, &UINT32)?;
            frame.code.statement(format!("__nanosleep({});", time.text));
            Ok(Operand::Constant(Value::None))
        },
        "selp" => |frame, _, arguments| {
            let [test, first, second] = arguments.exactly()?;
            select(frame, test, first, second)
        },
        "exit" => |frame, _, arguments| {
            let [] = arguments.exactly()?;
            frame.code.statement("asm volatile(\"exit;\");");
            Ok(Operand::Constant(Value::None))
        },
        _ => return None,
    })
}

fn grid(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [dimensions] = arguments.bind(["ndim"], 1)?;
    let dimensions = dimensions.and_then(|operand| operand.as_value().and_then(Expr::constant_int));
    let Some(dimensions @ 1..=3) = dimensions else {
        return Err(Failure::new(
            Code::NotConstant,
            format!("cuda.{name}() takes 1, 2 or 3, known when the kernel is compiled"),
        ));
    };
    frame.need("thread");
    let index32 = frame.options().index32;
    let mut items = Vec::new();
    for axis in ["x", "y", "z"]
        .iter()
        .take(usize::try_from(dimensions).unwrap_or(1))
    {
        let item = if index32 {
            let text = match name {
                "grid" => format!("int32(blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis})"),
                _ => format!("int32(gridDim.{axis} * blockDim.{axis})"),
            };
            Expr::new(INT32, text).natural(31)
        } else {
            Expr::new(INT64, format!("py::{name}_{axis}()")).natural(42)
        };
        items.push(Operand::Value(item));
    }
    Ok(match <[Operand; 1]>::try_from(items) {
        Ok([only]) => only,
        Err(items) => Operand::Tuple(items),
    })
}

fn plain(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [] = arguments.exactly()?;
    frame.code.statement(format!("__{name}();"));
    if name == "syncthreads" {
        frame.synchronized();
    }
    Ok(Operand::Constant(Value::None))
}

/// One of two values, both of which are evaluated.
pub fn select(
    frame: &mut Frame<'_, '_>,
    test: Operand,
    first: Operand,
    second: Operand,
) -> Result<Operand> {
    let test = frame.truth(test)?;
    let (first, second) = (frame.value(first)?, frame.value(second)?);
    let ty = promote::unify(&first.ty, &second.ty).ok_or_else(|| {
        Failure::new(
            Code::Type,
            format!(
                "expected values of one type, got {} and {}",
                first.ty.shown(),
                second.ty.shown()
            ),
        )
    })?;
    let values = vec![frame.convert(first, &ty)?, frame.convert(second, &ty)?];
    let values = frame.in_order(values);
    let texts: Vec<_> = values
        .iter()
        .map(|value| value.inside(Binding::Or))
        .collect();
    let text = format!("{} ? {}", test.inside(Binding::Or), texts.join(" : "));
    Ok(Expr::bound(ty, text, Binding::Conditional).into())
}

/// A thread's position as a tuple, where `cuda.threadIdx` stands alone.
pub fn whole(name: &str) -> Option<Operand> {
    if !matches!(name, "threadIdx" | "blockIdx" | "blockDim" | "gridDim") {
        return None;
    }
    let items = ["x", "y", "z"].map(|axis| {
        let value = Expr::new(INT32, format!("int32({name}.{axis})"));
        value.natural(position_bits(name)).into()
    });
    Some(Operand::Tuple(items.to_vec()))
}
