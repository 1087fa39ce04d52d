//! Operations on numbers as NumPy defines them, one kernel for each operation and types.

use cuox::Result;
use cuox::launch::Dtype;
use cuox::signature::{Element, Scalar};

use crate::elementwise::{Elementwise, Parts};
use crate::parameter::Parameter;
use crate::template::file;

const NUMBERS: &str = include_str!("../templates/numbers.cuh");
const ARITHMETIC: &str = include_str!("../templates/arithmetic.cuh");
const FUNCTIONS: &str = include_str!("../templates/functions.cuh");
const COMPLEX: &str = include_str!("../templates/complex.inl");
const COMPLEX_ARITHMETIC: &str = include_str!("../templates/arithmetic_complex.cuh");

/// A type that there is arithmetic for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names of NumPy's types")]
pub enum Number {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
}

impl Number {
    /// The number that an array's elements are.
    pub fn of(dtype: Dtype) -> Option<Self> {
        let Element { scalar, lanes } = dtype.element()?;
        Some(match (scalar, lanes) {
            (Scalar::Bool, 1) => Self::Bool,
            (Scalar::Int { size, signed }, 1) => match (size, signed) {
                (1, true) => Self::Int8,
                (2, true) => Self::Int16,
                (4, true) => Self::Int32,
                (8, true) => Self::Int64,
                (1, false) => Self::UInt8,
                (2, false) => Self::UInt16,
                (4, false) => Self::UInt32,
                (8, false) => Self::UInt64,
                _ => return None,
            },
            (Scalar::Float { size: 2 }, 1) => Self::Float16,
            (Scalar::Float { size: 4 }, 1) => Self::Float32,
            (Scalar::Float { size: 8 }, 1) => Self::Float64,
            (Scalar::Float { size: 4 }, 2) => Self::Complex64,
            (Scalar::Float { size: 8 }, 2) => Self::Complex128,
            _ => return None,
        })
    }

    /// The type in the templates.
    pub fn c_type(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "signed char",
            Self::Int16 => "short",
            Self::Int32 => "int",
            Self::Int64 => "long long",
            Self::UInt8 => "unsigned char",
            Self::UInt16 => "unsigned short",
            Self::UInt32 => "unsigned int",
            Self::UInt64 => "unsigned long long",
            Self::Float16 => "cuox::half",
            Self::Float32 => "float",
            Self::Float64 => "double",
            Self::Complex64 => "cuox::complex<float>",
            Self::Complex128 => "cuox::complex<double>",
        }
    }

    /// True for complex numbers.
    pub fn is_complex(self) -> bool {
        matches!(self, Self::Complex64 | Self::Complex128)
    }
}

/// An operand: an array of `has`, or one value of `has`; it is converted to `in_type` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// The type of the elements.
    pub has: Number,
    /// The type that the operation takes.
    pub in_type: Number,
    /// An array, not one value for all.
    pub vector: bool,
}

/// The names of the operations that the templates have besides NumPy's: `(NumPy's name, the template's)`.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arcsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arctanh", "atanh"),
    ("divide", "true_divide"),
    ("real", "real_part"),
    ("imag", "imaginary_part"),
];

/// Functions that the templates have for real numbers only.
const REAL_ONLY: &[&str] = &[
    "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "exp2", "expm1", "log2", "log1p",
];

/// True if the templates have an operation of NumPy's for complex numbers too.
pub fn is_complex_operation(name: &str) -> bool {
    !REAL_ONLY.contains(&name)
}

/// `out[i] = name(operands[0][i], ...)`, with the operation's result of type `result` converted to `out`. `name` is
/// NumPy's.
///
/// # Errors
/// As [`Elementwise::new`].
pub fn operation(
    name: &str,
    operands: &[Operand],
    result: Number,
    out: Number,
) -> Result<Elementwise> {
    let function = OTHER_NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map_or(name, |(_, other)| other);
    let mut parameters = vec![Parameter::new(out.c_type(), "out", true)];
    let mut values = Vec::new();
    let mut numbers = vec![result, out];
    for (operand, name) in operands.iter().zip(["a", "b"]) {
        let (constant, index) = match operand.vector {
            true => ("const ", "[i]"),
            false => ("", ""),
        };
        let c_type = format!("{constant}{}", operand.has.c_type());
        parameters.push(Parameter::new(c_type, name, operand.vector));
        numbers.extend([operand.has, operand.in_type]);
        values.push(format!(
            "cuox::convert<{}>({name}{index})",
            operand.in_type.c_type()
        ));
    }
    let value = format!(
        "cuox::convert<{}>(cuox::{function}({}))",
        result.c_type(),
        values.join(", ")
    );
    internal(
        format!("cuox_{function}"),
        parameters,
        format!("out[i] = cuox::convert<{}>({value})", out.c_type()),
        &numbers,
    )
}

/// `out[i] = a[i]`, converted as NumPy's `astype` does.
///
/// # Errors
/// As [`Elementwise::new`].
pub fn conversion(from: Number, to: Number) -> Result<Elementwise> {
    internal(
        "cuox_convert".into(),
        vec![
            Parameter::new(to.c_type(), "out", true),
            Parameter::new(format!("const {}", from.c_type()), "a", true),
        ],
        format!("out[i] = cuox::convert<{}>(a[i])", to.c_type()),
        &[from, to],
    )
}

fn internal(
    name: String,
    parameters: Vec<Parameter>,
    operation: String,
    numbers: &[Number],
) -> Result<Elementwise> {
    Elementwise::new(Parts {
        parameters,
        operation,
        name,
        preamble: preamble(numbers.iter().any(|number| number.is_complex())),
        // Each operation is rounded, as on the host.
        options: vec!["--fmad=false".into()],
        pure: true,
        ..Parts::default()
    })
}

/// The operations; those of complex numbers only where they are asked for, since they take the compiler as long as all
/// else.
fn preamble(complex: bool) -> String {
    let mut text = file("cuox/numbers.cuh", NUMBERS);
    text += &file("cuox/arithmetic.cuh", ARITHMETIC);
    text += &file("cuox/functions.cuh", FUNCTIONS);
    if complex {
        let class = file("cuox/complex.inl", COMPLEX);
        text += &format!("namespace cuox {{\n{class}}}\n");
        text += &file("cuox/arithmetic_complex.cuh", COMPLEX_ARITHMETIC);
    }
    text
}
