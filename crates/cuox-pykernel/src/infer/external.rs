//! Functions of CUDA C++ that kernels call (`declare_device`).

use super::frame::Frame;
use crate::diagnostic::Result;
use crate::host::{External, Value};
use crate::operand::{Expr, Operand};
use crate::types::Type;

/// A call of such a function with arguments of its declared types.
pub(crate) fn call(
    frame: &mut Frame<'_, '_>,
    external: &External,
    arguments: Vec<(String, Operand)>,
    result: Type,
) -> Result<Operand> {
    let mut values = Vec::new();
    for (_, argument) in arguments {
        values.push(frame.value(argument)?);
    }
    let values = frame.in_order(values);
    let mut types: Vec<_> = values.iter().map(|value| value.ty.cxx()).collect();
    let mut texts: Vec<_> = values.into_iter().map(|value| value.text).collect();
    frame.need_type(&result);
    let symbol = &external.symbol;
    if !frame.program.external.contains(symbol) {
        frame.program.external.push(symbol.clone());
    }
    let ty = if result == Type::None {
        "void".to_owned()
    } else {
        result.cxx()
    };
    let (declared, done) = if external.numba_abi {
        // The result through the first parameter; a status, which is 0, is returned.
        let pointed = if result == Type::None {
            "void"
        } else {
            ty.as_str()
        };
        types.insert(0, format!("{pointed} *"));
        let declared = format!(
            "extern \"C\" __device__ int {symbol}({});",
            types.join(", ")
        );
        if result == Type::None {
            texts.insert(0, "nullptr".to_owned());
            frame
                .code
                .statement(format!("{symbol}({});", texts.join(", ")));
            (declared, Operand::Constant(Value::None))
        } else {
            let place = frame.new_place("result", &result);
            texts.insert(0, format!("&{}", place.text));
            frame
                .code
                .statement(format!("{symbol}({});", texts.join(", ")));
            (declared, place.into())
        }
    } else {
        let declared = format!(
            "extern \"C\" __device__ {ty} {symbol}({});",
            types.join(", ")
        );
        let text = format!("{symbol}({})", texts.join(", "));
        if result == Type::None {
            frame.code.statement(format!("{text};"));
            (declared, Operand::Constant(Value::None))
        } else {
            (declared, Expr::new(result, text).with_effect().into())
        }
    };
    if !frame.program.declarations.contains(&declared) {
        frame.program.declarations.push(declared);
    }
    Ok(done)
}
