//! `cuda.random.*`: random numbers of xoroshiro128+, whose states are the elements of a structured array.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::Frame;
use crate::operand::{Expr, Operand};
use crate::types::{FLOAT32, FLOAT64, Type, UINT32, UINT64};

/// The function of a name.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "xoroshiro128p_next"
        | "xoroshiro128p_jump"
        | "xoroshiro128p_uniform_float32"
        | "xoroshiro128p_uniform_float64"
        | "xoroshiro128p_normal_float32"
        | "xoroshiro128p_normal_float64" => |frame, name, arguments| {
            let [states, index] = arguments.bind(["states", "index"], 2)?;
            let state = state(frame, name, states, index)?;
            Ok(called(frame, name, &[state]))
        },
        "init_xoroshiro128p_state" => |frame, name, arguments| {
            let [states, index, seed] = arguments.bind(["states", "index", "seed"], 3)?;
            let state = state(frame, name, states, index)?;
            let seed = frame.as_type(seed.unwrap_or(Operand::known(Value::Int(0))), &UINT64)?;
            Ok(called(frame, name, &[state, seed.text]))
        },
        "uint64_to_unit_float32" | "uint64_to_unit_float64" => |frame, name, arguments| {
            let [x] = arguments.exactly()?;
            let x = frame.as_type(x, &UINT64)?;
            Ok(called(frame, name, &[x.text]))
        },
        "rotl" => |frame, name, arguments| {
            let [x, k] = arguments.exactly()?;
            let (x, k) = (frame.as_type(x, &UINT64)?, frame.as_type(k, &UINT32)?);
            Ok(called(frame, name, &[x.text, k.text]))
        },
        _ => return None,
    })
}

/// A pointer to the two words of a state.
fn state(
    frame: &mut Frame<'_, '_>,
    name: &str,
    states: Option<Operand>,
    index: Option<Operand>,
) -> Result<String> {
    let none = || Operand::Tuple(Vec::new());
    let states = frame.value(states.unwrap_or_else(none))?;
    let refused = |states: &Expr| {
        Failure::new(
            Code::Type,
            format!(
                "cuda.random.{name}() takes an array of states, got {}",
                states.ty.shown()
            ),
        )
        .help("cuda.random.create_xoroshiro128p_states(n, seed) makes one; elements are of cuda.random.xoroshiro128p_type")
    };
    let Some(array) = states.ty.as_array() else {
        return Err(refused(&states));
    };
    let is_state = match &array.element {
        Type::Record(record) => {
            record.size == 16
                && record.align == 8
                && record.fields.len() == 2
                && record
                    .fields
                    .iter()
                    .zip([0, 8])
                    .all(|(field, offset)| field.ty == UINT64 && field.offset == offset)
        }
        _ => false,
    };
    if !is_state || array.ndim != 1 {
        return Err(refused(&states));
    }
    if !array.mutable {
        return Err(Failure::new(Code::Type, "the array is read-only"));
    }
    let index = frame.value(index.unwrap_or_else(none))?;
    match frame.item_of(states, vec![index.into()])? {
        Operand::Value(state) => Ok(format!("(uint64 *)({})", state.text)),
        other => Err(Failure::new(
            Code::Type,
            format!("expected one state, got {}", other.described()),
        )),
    }
}

fn called(frame: &mut Frame<'_, '_>, name: &str, texts: &[String]) -> Operand {
    frame.need("random");
    let text = format!("py::{name}({})", texts.join(", "));
    let ty = match name {
        "xoroshiro128p_jump" | "init_xoroshiro128p_state" => {
            frame.code.statement(format!("{text};"));
            return Operand::Constant(Value::None);
        }
        _ if name.ends_with("float32") => FLOAT32,
        _ if name.ends_with("float64") => FLOAT64,
        _ => UINT64,
    };
    Expr::new(ty, text).with_effect().into()
}
