//! The elements that a pointer parameter points to, so far as arrays can be compared with them.

use std::fmt;

use super::cxx::integer;

/// A number of CUDA C++.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// `bool`, one byte.
    Bool,
    /// An integer; sizes are in bytes.
    Int {
        /// 1, 2, 4 or 8.
        size: u8,
        /// True for signed integers.
        signed: bool,
    },
    /// An IEEE floating-point number.
    Float {
        /// 2 (`__half`), 4 or 8.
        size: u8,
    },
    /// A `__nv_bfloat16`.
    BFloat16,
    /// A pointer, eight bytes: the parameter is a pointer to pointers.
    Pointer,
}

/// The type that a pointer parameter points to: a number, or a short vector of one (`float4`, `cuFloatComplex`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// The number.
    pub scalar: Scalar,
    /// Their number: 1 to 4.
    pub lanes: u8,
}

impl Element {
    /// Reads a pointed-to type as the source spells it. `None` where any array will do: for raw bytes (`void`, `char`,
    /// `unsigned char`, `std::byte`), and for types that are not known here, such as a program's own or a template's.
    pub fn of(pointee: &str) -> Option<Self> {
        if pointee.contains('*') {
            return Some(Self::number(Scalar::Pointer));
        }
        let text = unqualified(pointee);
        let plain = text.strip_prefix("::").unwrap_or(&text);
        if is_bytes(plain) {
            return None;
        }
        let scalar = match plain {
            "bool" => Scalar::Bool,
            "float" => Scalar::Float { size: 4 },
            "double" => Scalar::Float { size: 8 },
            "half" | "__half" => Scalar::Float { size: 2 },
            "nv_bfloat16" | "__nv_bfloat16" => Scalar::BFloat16,
            _ => match integer(plain) {
                Some((bits, signed)) => Scalar::Int {
                    size: bits / 8,
                    signed,
                },
                None => return vector(plain).or_else(|| complex(plain)),
            },
        };
        Some(Self::number(scalar))
    }

    /// True if the source's spelling of a pointed-to type is not known here: a template's parameter, an alias, a class.
    pub(crate) fn is_unknown(pointee: &str) -> bool {
        Self::of(pointee).is_none() && !is_bytes(&unqualified(pointee))
    }

    /// In bytes.
    pub fn size(self) -> u32 {
        let number = match self.scalar {
            Scalar::Bool => 1,
            Scalar::Int { size, .. } | Scalar::Float { size } => u32::from(size),
            Scalar::BFloat16 => 2,
            Scalar::Pointer => 8,
        };
        number * u32::from(self.lanes)
    }

    fn number(scalar: Scalar) -> Self {
        Self { scalar, lanes: 1 }
    }
}

/// A type without `const` and `volatile`.
fn unqualified(pointee: &str) -> String {
    let words: Vec<&str> = pointee
        .split_ascii_whitespace()
        .filter(|word| !matches!(*word, "const" | "volatile"))
        .collect();
    words.join(" ")
}

/// C's types for raw bytes.
fn is_bytes(plain: &str) -> bool {
    matches!(
        plain,
        "void" | "char" | "unsigned char" | "std::byte" | "cuda::std::byte"
    )
}

/// The vector types of `vector_types.h`, `cuda_fp16.h` and `cuda_bf16.h`.
fn vector(name: &str) -> Option<Element> {
    match name {
        "half2" | "__half2" => {
            return Some(Element {
                scalar: Scalar::Float { size: 2 },
                lanes: 2,
            });
        }
        "nv_bfloat162" | "__nv_bfloat162" => {
            return Some(Element {
                scalar: Scalar::BFloat16,
                lanes: 2,
            });
        }
        _ => {}
    }
    // Aligned kinds of CUDA 13: `double4_16a`, `long4_32a`.
    let name = name
        .strip_suffix("_16a")
        .or(name.strip_suffix("_32a"))
        .unwrap_or(name);
    let base = name.strip_suffix(['1', '2', '3', '4'])?;
    let lanes = name.as_bytes().last()? - b'0';
    let int = |size, signed| Scalar::Int { size, signed };
    let scalar = match base {
        "char" => int(1, true),
        "uchar" => int(1, false),
        "short" => int(2, true),
        "ushort" => int(2, false),
        "int" => int(4, true),
        "uint" => int(4, false),
        "long" | "longlong" => int(8, true),
        "ulong" | "ulonglong" => int(8, false),
        "float" => Scalar::Float { size: 4 },
        "double" => Scalar::Float { size: 8 },
        _ => return None,
    };
    Some(Element { scalar, lanes })
}

/// `cuComplex.h`, and the complex numbers of C++ libraries.
fn complex(name: &str) -> Option<Element> {
    let size = match name {
        "cuComplex" | "cuFloatComplex" => 4,
        "cuDoubleComplex" => 8,
        _ => {
            let (class, number) = name.strip_suffix('>')?.split_once('<')?;
            let class = class.rsplit("::").next().unwrap_or(class);
            match (class, number.trim()) {
                ("complex", "float") => 4,
                ("complex", "double") => 8,
                _ => return None,
            }
        }
    };
    Some(Element {
        scalar: Scalar::Float { size },
        lanes: 2,
    })
}

impl fmt::Display for Element {
    /// As NumPy names the elements of an array that fits: `float32`, `float32 or complex64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scalar {
            Scalar::Bool => f.write_str("bool"),
            Scalar::Int { size, signed } => {
                write!(f, "{}int{}", if signed { "" } else { "u" }, size * 8)
            }
            Scalar::Float { size } if self.lanes == 2 && size > 2 => {
                write!(f, "float{} or complex{}", size * 8, size * 16)
            }
            Scalar::Float { size } => write!(f, "float{}", size * 8),
            Scalar::BFloat16 => f.write_str("bfloat16"),
            Scalar::Pointer => f.write_str("uint64 (addresses)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_by_their_names() {
        for (pointee, expected) in [
            ("float", "float32"),
            ("const float", "float32"),
            ("volatile double", "float64"),
            ("unsigned long long", "uint64"),
            ("long", "int64"),
            ("size_t", "uint64"),
            ("std::uint32_t", "uint32"),
            ("signed char", "int8"),
            ("uint8_t", "uint8"),
            ("bool", "bool"),
            ("__half", "float16"),
            ("__nv_bfloat16", "bfloat16"),
            ("float2", "float32 or complex64"),
            ("float4", "float32"),
            ("uchar4", "uint8"),
            ("double4_16a", "float64"),
            ("cuDoubleComplex", "float64 or complex128"),
            ("cuda::std::complex<float>", "float32 or complex64"),
            ("const float *", "uint64 (addresses)"),
            ("void *", "uint64 (addresses)"),
        ] {
            let found = Element::of(pointee).map(|element| element.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{pointee}");
        }
    }

    #[test]
    fn any_array_will_do_for_bytes_and_for_what_is_not_known() {
        for pointee in [
            "void",
            "const void",
            "char",
            "unsigned char",
            "std::byte",
            "T",
            "Particle",
            "float5",
            "int0",
            "4",
            "",
            "é",
            "complex<T>",
            "Vec<float>",
            "curandState",
            "__int128",
        ] {
            assert_eq!(Element::of(pointee), None, "{pointee}");
        }
    }
}
