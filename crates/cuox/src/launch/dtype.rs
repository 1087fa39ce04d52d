//! Element types of arrays, and which of them a kernel's pointer parameters take.

use std::fmt;

use crate::signature::{Element, Scalar};

/// The type of an array's elements, as the array's producer gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtype {
    kind: Kind,
    /// In bytes, of one element.
    size: u32,
    /// Set if the bytes are in the order that no CUDA device has.
    big_endian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    UInt,
    Float,
    BFloat16,
    Complex,
    /// Raw bytes and structures.
    Bytes,
    /// `datetime64` and `timedelta64`, which are counts.
    Time,
    /// By a letter of NumPy's, or by DLPack's number.
    Other(u8),
}

impl Dtype {
    /// Reads the `typestr` of an array interface: byte order, kind and size, such as `<f4`.
    pub fn of_typestr(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let order = letters
            .next()
            .filter(|c| matches!(c, '<' | '>' | '|' | '='))?;
        let kind = match letters.next()? {
            'b' => Kind::Bool,
            'i' => Kind::Int,
            'u' => Kind::UInt,
            'f' => Kind::Float,
            'c' => Kind::Complex,
            'V' | 'S' => Kind::Bytes,
            'm' | 'M' => Kind::Time,
            other if other.is_ascii_alphabetic() => Kind::Other(other as u8),
            _ => return None,
        };
        // Dates have their unit behind the size: `<M8[ns]`.
        let digits = letters.as_str().split('[').next()?;
        Some(Self {
            kind,
            size: digits.parse().ok()?,
            big_endian: order == '>',
        })
    }

    /// From DLPack's `DLDataType`: `DLDataTypeCode` and the bits of one lane.
    pub fn of_dlpack(code: u8, bits: u8) -> Self {
        let kind = match code {
            0 => Kind::Int,
            1 => Kind::UInt,
            2 => Kind::Float,
            4 => Kind::BFloat16,
            5 => Kind::Complex,
            6 => Kind::Bool,
            // Opaque handles and formats of less than a byte for each number.
            3 => Kind::Bytes,
            other => Kind::Other(other),
        };
        Self {
            kind,
            size: u32::from(bits).div_ceil(8),
            big_endian: false,
        }
    }

    /// True if the bytes are in the order that no CUDA device has.
    pub fn is_big_endian(self) -> bool {
        self.big_endian && self.size > 1 && self.kind != Kind::Bytes
    }

    /// The number that an element is, if C++ has it and its bytes are in the order that CUDA devices have. Complex
    /// numbers are two floating-point numbers.
    pub fn element(self) -> Option<Element> {
        let size = u8::try_from(self.size).ok()?;
        let lanes = if self.kind == Kind::Complex { 2 } else { 1 };
        let scalar = match self.kind {
            _ if self.is_big_endian() => return None,
            Kind::Bool => Scalar::Bool,
            Kind::Int => Scalar::Int { size, signed: true },
            Kind::UInt => Scalar::Int {
                size,
                signed: false,
            },
            Kind::Float => Scalar::Float { size },
            Kind::Complex => Scalar::Float { size: size / 2 },
            Kind::BFloat16 => Scalar::BFloat16,
            Kind::Bytes | Kind::Time | Kind::Other(_) => return None,
        };
        Some(Element { scalar, lanes })
    }

    /// The size of an element in bytes.
    pub fn size(self) -> u32 {
        self.size
    }

    /// True if an array of these can be passed for a pointer to `element`. Bytes fit everything, and an integer fits
    /// one of the other sign: few libraries have all unsigned types.
    pub fn fits(self, element: Element) -> bool {
        let size = self.size;
        if self.kind == Kind::Bytes || size == 1 && matches!(self.kind, Kind::Int | Kind::UInt) {
            return true;
        }
        if self.big_endian && size > 1 {
            return false;
        }
        let is_int = matches!(self.kind, Kind::Int | Kind::UInt | Kind::Time);
        match element.scalar {
            Scalar::Bool => self.kind == Kind::Bool,
            // Everything else of one byte, such as truth values and the 8-bit formats of machine learning, is a byte.
            Scalar::Int { size: 1, .. } => size == 1,
            Scalar::Int { size: wanted, .. } => is_int && size == u32::from(wanted),
            // 16-bit formats are often kept as integers, since not every library has them.
            Scalar::Float { size: 2 } => {
                size == 2 && matches!(self.kind, Kind::Float | Kind::UInt | Kind::Int)
            }
            Scalar::BFloat16 => {
                size == 2 && matches!(self.kind, Kind::BFloat16 | Kind::UInt | Kind::Int)
            }
            Scalar::Float { size: wanted } => match self.kind {
                Kind::Float => size == u32::from(wanted),
                Kind::Complex => element.lanes == 2 && size == 2 * u32::from(wanted),
                _ => false,
            },
            Scalar::Pointer => is_int && size == 8,
        }
    }
}

impl fmt::Display for Dtype {
    /// As NumPy names it: `float64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = u64::from(self.size) * 8;
        match self.kind {
            Kind::Bool => f.write_str("bool"),
            Kind::Int => write!(f, "int{bits}"),
            Kind::UInt => write!(f, "uint{bits}"),
            Kind::Float => write!(f, "float{bits}"),
            Kind::BFloat16 => f.write_str("bfloat16"),
            Kind::Complex => write!(f, "complex{bits}"),
            Kind::Bytes => write!(f, "void{bits}"),
            Kind::Time => f.write_str("datetime64"),
            Kind::Other(letter @ (b'a'..=b'z' | b'A'..=b'Z')) => {
                write!(f, "{}{}", char::from(letter), self.size)
            }
            Kind::Other(code) => write!(f, "DLPack type {code} of {bits} bits"),
        }?;
        if self.big_endian && self.size > 1 {
            f.write_str(", big-endian")?;
        }
        Ok(())
    }
}
