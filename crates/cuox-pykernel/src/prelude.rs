//! Sections of CUDA C++ that translated functions need: Python's types and the meaning of its operations. No headers:
//! those cost more time than all of this.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The sections, in an order in which none needs a later one, each with those that it needs.
const SECTIONS: &[(&str, &[&str], &str)] = &[
    ("types", &[], include_str!("../prelude/types.inl")),
    ("convert", &[], include_str!("../prelude/convert.inl")),
    ("raise", &[], include_str!("../prelude/raise.inl")),
    ("breakpoint", &[], include_str!("../prelude/breakpoint.inl")),
    ("compare", &[], include_str!("../prelude/compare.inl")),
    (
        "compare_runs",
        &[],
        include_str!("../prelude/compare_runs.inl"),
    ),
    ("range", &[], include_str!("../prelude/range.inl")),
    (
        "range_checked",
        &["range", "raise"],
        include_str!("../prelude/range_checked.inl"),
    ),
    ("float16", &[], include_str!("../prelude/float16.inl")),
    (
        "bfloat16",
        &["float16"],
        include_str!("../prelude/bfloat16.inl"),
    ),
    (
        "complex",
        &[],
        concat!(
            "namespace py {\n",
            include_str!("../prelude/complex-class.inl"),
            "}\n",
            include_str!("../prelude/complex.inl")
        ),
    ),
    ("tuple", &["raise"], include_str!("../prelude/tuple.inl")),
    (
        "division",
        &["raise"],
        include_str!("../prelude/division.inl"),
    ),
    ("power", &["division"], include_str!("../prelude/power.inl")),
    ("array", &["raise"], include_str!("../prelude/array.inl")),
    ("slice", &["array"], include_str!("../prelude/slice.inl")),
    ("record", &[], include_str!("../prelude/record.inl")),
    ("chars", &[], include_str!("../prelude/chars.inl")),
    ("vector", &[], include_str!("../prelude/vector.inl")),
    ("thread", &[], include_str!("../prelude/thread.inl")),
    ("math", &[], include_str!("../prelude/math.inl")),
    (
        "complex_math",
        &["complex"],
        include_str!("../prelude/complex_math.inl"),
    ),
    ("round", &[], include_str!("../prelude/round.inl")),
    ("times", &[], include_str!("../prelude/times.inl")),
    ("bits", &[], include_str!("../prelude/bits.inl")),
    ("whole", &[], include_str!("../prelude/whole.inl")),
    ("extreme", &[], include_str!("../prelude/extreme.inl")),
    (
        "transpose",
        &["array"],
        include_str!("../prelude/transpose.inl"),
    ),
    (
        "reduction",
        &["slice"],
        include_str!("../prelude/reduction.inl"),
    ),
    ("atomic", &[], include_str!("../prelude/atomic.inl")),
    (
        "atomic_complex",
        &["atomic", "complex"],
        include_str!("../prelude/atomic_complex.inl"),
    ),
    ("warp", &[], include_str!("../prelude/warp.inl")),
    (
        "collective",
        &["warp"],
        include_str!("../prelude/collective.inl"),
    ),
    (
        "collective_sort",
        &["collective"],
        include_str!("../prelude/collective_sort.inl"),
    ),
    (
        "collective_exchange",
        &["collective"],
        include_str!("../prelude/collective_exchange.inl"),
    ),
    (
        "collective_count",
        &["collective"],
        include_str!("../prelude/collective_count.inl"),
    ),
    (
        "dynamic_shared",
        &[],
        include_str!("../prelude/dynamic_shared.inl"),
    ),
    ("half", &[], include_str!("../prelude/half.inl")),
    (
        "half_float16",
        &["half", "float16"],
        include_str!("../prelude/half_float16.inl"),
    ),
    (
        "half_bfloat16",
        &["half", "bfloat16"],
        include_str!("../prelude/half_bfloat16.inl"),
    ),
    (
        "cache_hints",
        &["bits"],
        include_str!("../prelude/cache_hints.inl"),
    ),
    ("random", &[], include_str!("../prelude/random.inl")),
    ("grid_group", &[], include_str!("../prelude/grid_group.inl")),
];

/// The types that the sections define for all.
const NAMES: &[&str] = &[
    "py",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "none",
    "tuple",
    "array",
    "chars",
    "vec",
    "nan32",
    "nan64",
    "inf32",
    "inf64",
];

/// True for the functions of C that CUDA declares.
pub fn is_c_function(name: &str) -> bool {
    const NAMES: &str = " abs acos acosh asin asinh atan atan2 atanh cbrt ceil clock clock64 copysign cos cosh cospi erf erfc erfcinv erfcx \
        erfinv exp exp10 exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn labs ldexp lgamma llabs llrint llround log \
        log10 log1p log2 logb lrint lround modf nan nearbyint nextafter norm norm3d norm4d normcdf normcdfinv pow rcbrt remainder remquo rhypot rint \
        rnorm rnorm3d rnorm4d round rsqrt scalbln scalbn sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn ";
    let is_known = |name: &str| NAMES.split_whitespace().any(|known| known == name);
    is_known(name) || name.strip_suffix('f').is_some_and(is_known)
}

/// True if a name is one of the prelude's.
pub fn is_name(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The text of the sections and of all that they need.
pub fn sections(wanted: &BTreeSet<&'static str>) -> String {
    let mut needed = wanted.clone();
    loop {
        let before = needed.len();
        for (name, needs, _) in SECTIONS {
            if needed.contains(name) {
                needed.extend(needs.iter().copied());
            }
        }
        if needed.len() == before {
            break;
        }
    }
    let mut text = String::new();
    for (name, _, section) in SECTIONS {
        if needed.contains(name) {
            // The text may stand in front of another one with sections of its own.
            let _ = writeln!(
                text,
                "#ifndef CUOX_PYTHON_{name}\n#define CUOX_PYTHON_{name}"
            );
            text.push_str(section);
            text.push_str("#endif\n");
        }
    }
    text
}
