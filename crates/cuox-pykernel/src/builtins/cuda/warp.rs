//! Functions of a warp.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{BOOL, FLOAT32, INT32, Type, UINT32};

/// The lanes that take part, as bits.
fn lanes(frame: &mut Frame<'_, '_>, mask: Operand) -> Result<Expr> {
    let mask = frame.value(mask)?;
    if !mask.ty.is_int() {
        return Err(Failure::new(
            Code::Type,
            format!("Mask type must be an integer, got {}", mask.ty.shown()),
        ));
    }
    frame.convert(mask, &UINT32)
}

/// The function of a path.
pub fn find(path: &str) -> Option<Builtin> {
    Some(match path {
        "syncwarp" => |frame, _, arguments| {
            let [mask] = arguments.bind(["membermask"], 0)?;
            let mask = mask.unwrap_or(Operand::known(Value::Int(0xffff_ffff)));
            let mask = lanes(frame, mask)?;
            frame.code.statement(format!("__syncwarp({});", mask.text));
            Ok(Operand::Constant(Value::None))
        },
        "shfl_sync" | "shfl_up_sync" | "shfl_down_sync" | "shfl_xor_sync" => shuffle,
        "all_sync" | "any_sync" | "eq_sync" | "ballot_sync" => vote,
        "match_any_sync" | "match_all_sync" => matching,
        "activemask" => |_, _, arguments| {
            let [] = arguments.exactly()?;
            Ok(Expr::new(UINT32, "__activemask()").with_effect().into())
        },
        "lanemask_lt" => |frame, _, arguments| {
            let [] = arguments.exactly()?;
            frame.need("warp");
            Ok(Expr::new(UINT32, "py::lanemask_lt()").into())
        },
        _ => return None,
    })
}

fn shuffle(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let names = match name {
        "shfl_sync" => ["mask", "value", "src_lane"],
        "shfl_xor_sync" => ["mask", "value", "lane_mask"],
        _ => ["mask", "value", "delta"],
    };
    let [mask, value, lane] = arguments.bind(names, 3)?;
    let none = || Operand::Tuple(Vec::new());
    let mask = lanes(frame, mask.unwrap_or_else(none))?;
    let value = frame.value(value.unwrap_or_else(none))?;
    let lane = frame.as_type(lane.unwrap_or_else(none), &INT32)?;
    if !value.ty.is_number() {
        return Err(Failure::new(
            Code::Type,
            format!("cuda.{name}() takes a number, got {}", value.ty.shown()),
        ));
    }
    frame.need("warp");
    let values = frame.in_order(vec![mask, value, lane]);
    let ty = values[1].ty.clone();
    let texts: Vec<_> = values.into_iter().map(|value| value.text).collect();
    let kind = name
        .trim_end_matches("_sync")
        .trim_start_matches("shfl")
        .trim_start_matches('_');
    let kind = if kind.is_empty() { "from" } else { kind };
    Ok(
        Expr::new(ty, format!("py::shuffle_{kind}({})", texts.join(", ")))
            .with_effect()
            .into(),
    )
}

fn vote(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [mask, test] = arguments.bind(["mask", "predicate"], 2)?;
    let none = || Operand::Tuple(Vec::new());
    let mask = lanes(frame, mask.unwrap_or_else(none))?;
    let test = frame.value(test.unwrap_or_else(none))?;
    if !test.ty.is_integral() && test.ty != Type::Never {
        return Err(Failure::new(
            Code::Type,
            format!(
                "Predicate must be an integer or boolean, got {}",
                test.ty.shown()
            ),
        )
        .help("compare it: x != 0"));
    }
    let test = frame.truth(test.into())?;
    let (ty, text) = match name {
        "ballot_sync" => (
            UINT32,
            format!("__ballot_sync({}, {})", mask.text, test.text),
        ),
        "eq_sync" => {
            frame.need("warp");
            (BOOL, format!("py::eq_sync({}, {})", mask.text, test.text))
        }
        _ => (
            BOOL,
            format!("bool(__{name}({}, {}))", mask.text, test.text),
        ),
    };
    Ok(Expr::new(ty, text).with_effect().into())
}

fn matching(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [mask, value] = arguments.bind(["mask", "value"], 2)?;
    let none = || Operand::Tuple(Vec::new());
    let mask = lanes(frame, mask.unwrap_or_else(none))?;
    let value = frame.value(value.unwrap_or_else(none))?;
    let ty = match &value.ty {
        Type::Bool | Type::Int { bits: 8 | 16, .. } => INT32,
        ty @ (Type::Int { .. } | Type::Float(32 | 64)) => ty.clone(),
        ty if ty.is_half() => FLOAT32,
        ty => {
            return Err(Failure::new(
                Code::Type,
                format!("cuda.{name}() takes a number, got {}", ty.shown()),
            ));
        }
    };
    let value = frame.convert(value, &ty)?;
    if name == "match_any_sync" {
        let text = format!("__match_any_sync({}, {})", mask.text, value.text);
        return Ok(Expr::new(UINT32, text).with_effect().into());
    }
    let all = frame.new_place("all", &INT32);
    let text = format!(
        "__match_all_sync({}, {}, &{})",
        mask.text, value.text, all.text
    );
    let lanes = frame.kept(Expr::new(UINT32, text).with_effect());
    let all = frame.convert(all, &BOOL)?;
    Ok(Operand::Tuple(vec![lanes.into(), all.into()]))
}
