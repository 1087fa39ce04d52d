//! `cuda.libdevice.*`: NVIDIA's library of device functions (libdevice user's guide).
//!
//! The compiler links that library, so that a function is called by its own name there. What a function writes through
//! pointers comes behind its result, in a tuple.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{FLOAT32, FLOAT64, INT16, INT32, INT64, Type};

/// Functions by their types: the result's letter, then those of the parameters; `*` before one that is written. `d`
/// float64, `f` float32, `h` int16, `i` int32, `l` int64, `v` nothing.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "dd",
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi drcp_rd drcp_rn drcp_ru \
         drcp_rz dsqrt_rd dsqrt_rn dsqrt_ru dsqrt_rz erf erfc erfcinv erfcx erfinv exp exp10 \
         exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf \
         normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc y0 y1",
    ),
    ("dd*d", "modf"),
    ("dd*i", "frexp"),
    (
        "ddd",
        "atan2 copysign dadd_rd dadd_rn dadd_ru dadd_rz ddiv_rd ddiv_rn ddiv_ru ddiv_rz \
         dmul_rd dmul_rn dmul_ru dmul_rz fdim fmax fmin fmod hypot nextafter pow remainder",
    ),
    ("ddd*i", "remquo"),
    ("dddd", "fma fma_rd fma_rn fma_ru fma_rz"),
    ("ddi", "ldexp powi scalbn"),
    ("di", "int2double_rn uint2double_rn"),
    ("did", "jn yn"),
    ("dii", "hiloint2double"),
    (
        "dl",
        "ll2double_rd ll2double_rn ll2double_ru ll2double_rz longlong_as_double ull2double_rd \
         ull2double_rn ull2double_ru ull2double_rz",
    ),
    (
        "fd",
        "double2float_rd double2float_rn double2float_ru double2float_rz",
    ),
    (
        "ff",
        "acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf cospif erfcf erfcinvf \
         erfcxf erff erfinvf exp10f exp2f expf expm1f fabsf fast_cosf fast_exp10f fast_expf \
         fast_log10f fast_log2f fast_logf fast_sinf fast_tanf floorf frcp_rd frcp_rn frcp_ru \
         frcp_rz frsqrt_rn fsqrt_rd fsqrt_rn fsqrt_ru fsqrt_rz j0f j1f lgammaf log10f log1pf \
         log2f logbf logf nearbyintf normcdff normcdfinvf rcbrtf rintf roundf rsqrtf \
         saturatef sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf y0f y1f",
    ),
    ("ff*f", "modff"),
    ("ff*i", "frexpf"),
    (
        "fff",
        "atan2f copysignf fadd_rd fadd_rn fadd_ru fadd_rz fast_fdividef fast_powf fdimf \
         fdiv_rd fdiv_rn fdiv_ru fdiv_rz fmaxf fminf fmodf fmul_rd fmul_rn fmul_ru fmul_rz \
         fsub_rd fsub_rn fsub_ru fsub_rz hypotf nextafterf powf remainderf",
    ),
    ("fff*i", "remquof"),
    ("ffff", "fmaf fmaf_rd fmaf_rn fmaf_ru fmaf_rz"),
    ("ffi", "ldexpf powif scalbnf"),
    ("fh", "half2float"),
    (
        "fi",
        "int2float_rd int2float_rn int2float_ru int2float_rz int_as_float uint2float_rd \
         uint2float_rn uint2float_ru uint2float_rz",
    ),
    ("fif", "jnf ynf"),
    (
        "fl",
        "ll2float_rd ll2float_rn ll2float_ru ll2float_rz ull2float_rd ull2float_rn \
         ull2float_ru ull2float_rz",
    ),
    ("hf", "float2half_rn"),
    (
        "id",
        "double2hiint double2int_rd double2int_rn double2int_ru double2int_rz double2loint \
         double2uint_rd double2uint_rn double2uint_ru double2uint_rz ilogb isfinited isinfd \
         isnand signbitd",
    ),
    (
        "if",
        "finitef float2int_rd float2int_rn float2int_ru float2int_rz float2uint_rd \
         float2uint_rn float2uint_ru float2uint_rz float_as_int ilogbf isinff isnanf signbitf",
    ),
    ("ii", "abs brev clz ffs popc"),
    (
        "iii",
        "hadd max min mul24 mulhi rhadd uhadd umax umin umul24 umulhi urhadd",
    ),
    ("iiii", "byte_perm sad usad"),
    ("il", "clzll ffsll popcll"),
    (
        "ld",
        "double2ll_rd double2ll_rn double2ll_ru double2ll_rz double2ull_rd double2ull_rn \
         double2ull_ru double2ull_rz double_as_longlong llrint llround",
    ),
    (
        "lf",
        "float2ll_rd float2ll_rn float2ll_ru float2ll_rz float2ull_rd float2ull_rn \
         float2ull_ru float2ull_rz llrintf llroundf",
    ),
    ("ll", "brevll llabs"),
    ("lll", "llmax llmin mul64hi ullmax ullmin umul64hi"),
    ("vd*d*d", "sincos sincospi"),
    ("vf*f*f", "fast_sincosf sincosf sincospif"),
];

/// The types of a function.
struct Shape {
    result: Option<Type>,
    /// With true for those that are written.
    parameters: Vec<(Type, bool)>,
}

fn letter(letter: char) -> Option<Type> {
    Some(match letter {
        'd' => FLOAT64,
        'f' => FLOAT32,
        'h' => INT16,
        'i' => INT32,
        'l' => INT64,
        _ => return None,
    })
}

fn shape(name: &str) -> Option<Shape> {
    let (types, _) = FUNCTIONS
        .iter()
        .find(|(_, names)| names.split(' ').any(|known| known == name))?;
    let mut letters = types.chars();
    let result = letters.next().and_then(letter);
    let (mut parameters, mut is_written) = (Vec::new(), false);
    for sign in letters {
        match letter(sign) {
            Some(ty) => parameters.push((ty, std::mem::take(&mut is_written))),
            None => is_written = true,
        }
    }
    Some(Shape { result, parameters })
}

/// The function of a name.
pub fn find(name: &str) -> Option<Builtin> {
    shape(name).map(|_| call as Builtin)
}

/// All names, each with its parameters and what it returns.
pub fn documented() -> Vec<(String, String)> {
    let names = FUNCTIONS.iter().flat_map(|(_, names)| names.split(' '));
    let mut all: Vec<_> = names
        .filter_map(|name| {
            let shape = shape(name)?;
            let list = |written| {
                let of = shape.parameters.iter().filter(|(_, is)| *is == written);
                of.map(|(ty, _)| ty.to_string()).collect::<Vec<_>>()
            };
            let mut results = list(true);
            if let Some(result) = &shape.result {
                results.insert(0, result.to_string());
            }
            let results = match <[String; 1]>::try_from(results) {
                Ok([only]) => only,
                Err(several) => format!("({})", several.join(", ")),
            };
            let text = format!(
                "`{name}({}) -> {results}`: libdevice user's guide, *__nv_{name}*.",
                list(false).join(", ")
            );
            Some((name.to_owned(), text))
        })
        .collect();
    all.sort();
    all
}

fn call(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let Some(Shape { result, parameters }) = shape(name) else {
        return Err(Failure::new(
            Code::Unsupported,
            format!("cuda.libdevice.{name}()"),
        ));
    };
    let wanted = parameters.iter().filter(|(_, written)| !written).count();
    if arguments.positional.len() != wanted || !arguments.keywords.is_empty() {
        return Err(Failure::new(
            Code::Arguments,
            format!(
                "cuda.libdevice.{name}() takes {wanted} argument{} by position, {} given",
                if wanted == 1 { "" } else { "s" },
                arguments.positional.len()
            ),
        ));
    }
    let mut values = Vec::new();
    let mut operands = arguments.positional.into_iter();
    for (ty, _) in parameters.iter().filter(|(_, written)| !written) {
        if let Some(operand) = operands.next() {
            values.push(frame.as_type(operand, ty)?);
        }
    }
    let is_pure = values.iter().all(|value| value.is_pure);
    let mut given = frame.in_order(values).into_iter();
    let (mut texts, mut types, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for (ty, is_written) in parameters {
        if is_written {
            let place = frame.new_place("part", &ty);
            texts.push(format!("&{}", place.text));
            types.push(format!("{} *", ty.cxx()));
            written.push(Operand::Value(place));
        } else {
            texts.extend(given.next().map(|value| value.text));
            types.push(ty.cxx());
        }
    }
    frame.need("types");
    let declaration = format!(
        "extern \"C\" __device__ {} __nv_{name}({});",
        result.as_ref().map_or("void".to_owned(), Type::cxx),
        types.join(", ")
    );
    if !frame.program.declarations.contains(&declaration) {
        frame.program.declarations.push(declaration);
    }
    let text = format!("::__nv_{name}({})", texts.join(", "));
    match result {
        Some(ty) if written.is_empty() => {
            let mut value = Expr::new(ty, text);
            value.is_pure = is_pure;
            return Ok(value.into());
        }
        Some(ty) => {
            let first = frame.kept(Expr::new(ty, text).with_effect());
            written.insert(0, first.into());
        }
        None => frame.code.statement(format!("{text};")),
    }
    Ok(Operand::Tuple(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_documented_with_their_types() {
        let all = documented();
        assert_eq!(all.len(), 317);
        let text = |name: &str| &all.iter().find(|(known, _)| known == name).unwrap().1;
        assert!(text("frexp").starts_with("`frexp(float64) -> (float64, int32)`"));
        assert!(text("sincosf").starts_with("`sincosf(float32) -> (float32, float32)`"));
        assert!(text("hiloint2double").starts_with("`hiloint2double(int32, int32) -> float64`"));
        assert!(find("nothing").is_none() && find("").is_none());
    }
}
