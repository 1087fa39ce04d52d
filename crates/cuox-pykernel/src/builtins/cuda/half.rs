//! `cuda.fp16.*` and `cuda.bf16.*`: functions of floats of 16 bits (CUDA math API, *Half Precision Intrinsics*,
//! *Bfloat16 Precision Intrinsics*).
//!
//! Both types have the same functions, but for the names of conversions.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{
    BOOL, FLOAT16, FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, Type, UINT8, UINT16, UINT32, UINT64,
};

/// Functions by the number of their operands, which are all of the half type, and so is the result.
const ARITHMETIC: &[(usize, &str)] = &[
    (
        1,
        "habs hneg hceil hfloor hrint htrunc hsqrt hrsqrt hrcp hlog hlog2 hlog10 hcos hsin hexp hexp2 hexp10 htanh htanh_approx",
    ),
    (
        2,
        "hadd hsub hmul hdiv hadd_rn hsub_rn hmul_rn hadd_sat hsub_sat hmul_sat hmax hmin hmax_nan hmin_nan",
    ),
    (3, "hfma hfma_sat hfma_relu"),
];

/// Functions of two operands that return a bool.
const COMPARISONS: &str = "heq hne hge hgt hle hlt hequ hneu hgeu hgtu hleu hltu";

/// C's names of integers, NumPy's, and the types.
const INTEGERS: [(&str, &str, Type); 8] = [
    ("char", "int8", INT8),
    ("uchar", "uint8", UINT8),
    ("short", "int16", INT16),
    ("ushort", "uint16", UINT16),
    ("int", "int32", INT32),
    ("uint", "uint32", UINT32),
    ("ll", "int64", INT64),
    ("ull", "uint64", UINT64),
];

/// A function: its result, its parameters, what it is called in the prelude.
struct Shape {
    result: Type,
    parameters: Vec<Type>,
    text: String,
}

/// The functions of a half type, by their names without `__`.
fn functions(half: &Type) -> Vec<(String, Shape)> {
    let mut all = Vec::new();
    let mut add = |name: String, result: &Type, parameters: Vec<Type>, text: String| {
        let shape = Shape {
            result: result.clone(),
            parameters,
            text,
        };
        all.push((name, shape));
    };
    for (count, names) in ARITHMETIC {
        for name in names.split(' ') {
            let parameters = vec![half.clone(); *count];
            add(name.to_owned(), half, parameters, name.to_owned());
        }
    }
    for name in COMPARISONS.split(' ') {
        let parameters = vec![half.clone(); 2];
        add(name.to_owned(), &BOOL, parameters, name.to_owned());
    }
    add(
        "hisnan".to_owned(),
        &BOOL,
        vec![half.clone()],
        "hisnan".to_owned(),
    );
    add(
        "hisinf".to_owned(),
        &INT32,
        vec![half.clone()],
        "hisinf".to_owned(),
    );
    let is_bfloat = *half == Type::BFloat16;
    let (c, cxx) = if is_bfloat {
        ("bfloat16", "bfloat16")
    } else {
        ("half", "float16")
    };
    // bf16 has NumPy's names too: int32_to_bfloat16_rn.
    let mut convert =
        |from: [&str; 2], to: [&str; 2], mode: &str, shape: (&Type, &Type, String)| {
            let (result, parameter, text) = shape;
            let mut names = vec![format!("{}2{}{mode}", from[0], to[0])];
            if is_bfloat {
                names.push(format!("{}_to_{}{mode}", from[1], to[1]));
            }
            for name in names {
                add(name, result, vec![parameter.clone()], text.clone());
            }
        };
    let this = [c, cxx];
    let float = ["float", "float32"];
    convert(this, float, "", (&FLOAT32, half, "float32".to_owned()));
    convert(
        float,
        this,
        "",
        (half, &FLOAT32, format!("from_float<{cxx}, 'n'>")),
    );
    convert(
        ["double", "float64"],
        this,
        "",
        (half, &FLOAT64, cxx.to_owned()),
    );
    for mode in ["n", "z", "d", "u"] {
        let suffix = format!("_r{mode}");
        let text = format!("from_float<{cxx}, '{mode}'>");
        convert(float, this, &suffix, (half, &FLOAT32, text));
        for (name, numpy, ty) in &INTEGERS {
            let other = [*name, *numpy];
            let is_byte = ty.size() == Some(1);
            if !is_byte {
                let sign = if ty.is_unsigned() { "uint" } else { "int" };
                let text = format!("from_{sign}<{cxx}, '{mode}'>");
                convert(other, this, &suffix, (half, ty, text));
            }
            if !is_byte || mode == "z" {
                let text = format!("to_int<{}, '{mode}'>", ty.cxx());
                convert(this, other, &suffix, (ty, half, text));
            }
        }
    }
    for (name, numpy, ty) in &INTEGERS[2..4] {
        let mut pairs = vec![(*name, c)];
        if is_bfloat {
            pairs.push((*numpy, c));
        }
        for (name, c) in pairs {
            let text = format!("to_bits<{}>", ty.cxx());
            add(format!("{c}_as_{name}"), ty, vec![half.clone()], text);
            let text = format!("from_bits<{cxx}>");
            add(format!("{name}_as_{c}"), half, vec![ty.clone()], text);
        }
    }
    all
}

fn half_of(module: &str) -> Option<Type> {
    match module {
        "fp16" => Some(FLOAT16),
        "bf16" => Some(Type::BFloat16),
        _ => None,
    }
}

fn shape(module: &str, name: &str) -> Option<Shape> {
    let name = name.strip_prefix("__").unwrap_or(name);
    let half = half_of(module)?;
    let all = functions(&half).into_iter();
    all.into_iter()
        .find(|(known, _)| known == name)
        .map(|(_, shape)| shape)
}

/// The function of a path behind `cuda.`.
pub fn find(path: &str) -> Option<Builtin> {
    let (module, name) = path.split_once('.')?;
    shape(module, name)?;
    Some(if module == "fp16" {
        |frame, name, arguments| call(frame, "fp16", name, arguments)
    } else {
        |frame, name, arguments| call(frame, "bf16", name, arguments)
    })
}

/// All names of `fp16` or `bf16`, each with its parameters and what it returns.
pub fn documented(module: &str) -> Vec<(String, String)> {
    let Some(half) = half_of(module) else {
        return Vec::new();
    };
    let all = functions(&half).into_iter();
    all.map(|(name, shape)| {
        let parameters: Vec<_> = shape.parameters.iter().map(Type::to_string).collect();
        let text = format!(
            "`{name}({}) -> {}`: CUDA math API.",
            parameters.join(", "),
            shape.result
        );
        (name, text)
    })
    .collect()
}

fn call(
    frame: &mut Frame<'_, '_>,
    module: &str,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    let Some(shape) = shape(module, name) else {
        return Err(Failure::new(
            Code::Unsupported,
            format!("cuda.{module}.{name}()"),
        ));
    };
    let wanted = shape.parameters.len();
    if arguments.positional.len() != wanted || !arguments.keywords.is_empty() {
        return Err(Failure::new(
            Code::Arguments,
            format!(
                "cuda.{module}.{name}() takes {wanted} argument{} by position, {} given",
                if wanted == 1 { "" } else { "s" },
                arguments.positional.len()
            ),
        ));
    }
    frame.need("half");
    frame.need(if module == "fp16" {
        "half_float16"
    } else {
        "half_bfloat16"
    });
    let mut values = Vec::new();
    for (operand, ty) in arguments.positional.into_iter().zip(&shape.parameters) {
        frame.need_type(ty);
        values.push(frame.as_type(operand, ty)?);
    }
    let is_pure = values.iter().all(|value| value.is_pure);
    let values = frame.in_order(values);
    let texts: Vec<_> = values.into_iter().map(|value| value.text).collect();
    // A type's own name converts.
    let owner = if matches!(shape.text.as_str(), "float16" | "bfloat16" | "float32") {
        ""
    } else {
        "py::"
    };
    let mut value = Expr::new(
        shape.result,
        format!("{owner}{}({})", shape.text, texts.join(", ")),
    );
    value.is_pure = is_pure;
    Ok(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_types_have_the_functions_under_their_names() {
        for (module, names) in [
            (
                "fp16",
                [
                    "hadd",
                    "__hadd",
                    "int2half_rn",
                    "half2char_rz",
                    "half_as_short",
                    "__float2half_ru",
                ],
            ),
            (
                "bf16",
                [
                    "hfma_relu",
                    "bfloat16_to_int8_rz",
                    "ull2bfloat16_rd",
                    "uint16_as_bfloat16",
                    "float32_to_bfloat16",
                    "bfloat162float",
                ],
            ),
        ] {
            for name in names {
                assert!(find(&format!("{module}.{name}")).is_some(), "{name}");
            }
            assert!(find(&format!("{module}.half2char_rn")).is_none());
        }
        let mut names: Vec<_> = documented("bf16")
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
