//! Types of registers, and the number types by which operations interpret them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The width of a register. PTX registers are untyped bits; operations interpret them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ty {
    /// One truth value.
    Pred,
    /// 8 bits.
    B8,
    /// 16 bits.
    B16,
    /// 32 bits.
    B32,
    /// 64 bits.
    B64,
    /// 128 bits.
    B128,
}

impl Ty {
    /// Returns the size in memory and in a lane array, in bytes (1 for a predicate).
    pub fn bytes(self) -> u32 {
        match self {
            Ty::Pred | Ty::B8 => 1,
            Ty::B16 => 2,
            Ty::B32 => 4,
            Ty::B64 => 8,
            Ty::B128 => 16,
        }
    }

    /// Returns the bits of the value.
    pub fn bits(self) -> u32 {
        match self {
            Ty::Pred => 1,
            _ => self.bytes() * 8,
        }
    }

    /// Returns the type of `bytes` bytes.
    pub fn from_bytes(bytes: u32) -> Option<Ty> {
        Some(match bytes {
            1 => Ty::B8,
            2 => Ty::B16,
            4 => Ty::B32,
            8 => Ty::B64,
            16 => Ty::B128,
            _ => return None,
        })
    }

    /// Returns the low bits of `bits` as a 64-bit integer, sign-extended if `signed`.
    pub fn extend(self, bits: u64, signed: bool) -> u64 {
        let unused = 64 - self.bits().min(64);
        if signed {
            ((bits << unused) as i64 >> unused) as u64
        } else {
            bits & self.mask()
        }
    }

    /// Returns a mask of the value's bits, for widths up to 64.
    pub fn mask(self) -> u64 {
        match self.bits() {
            n if n >= 64 => u64::MAX,
            n => (1u64 << n) - 1,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Pred => f.write_str("pred"),
            other => write!(f, "b{}", other.bits()),
        }
    }
}

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Float {
    /// IEEE binary16 (f16).
    F16,
    /// bfloat16.
    BF16,
    /// IEEE binary32 (f32).
    F32,
    /// IEEE binary64 (f64).
    F64,
}

impl Float {
    /// Returns the register type for the format.
    pub fn ty(self) -> Ty {
        match self {
            Float::F16 | Float::BF16 => Ty::B16,
            Float::F32 => Ty::B32,
            Float::F64 => Ty::B64,
        }
    }
}

/// An 8-bit floating-point format; only conversions use it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Float8 {
    /// 4 bits of exponent and 3 of mantissa, up to 448; one NaN of each sign, no infinity.
    E4m3,
    /// 5 bits of exponent and 2 of mantissa: the upper half of an f16.
    E5m2,
}

/// The number type by which an operation interprets a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Num {
    /// Unsigned integer of a width.
    U(Ty),
    /// Two's complement integer of a width.
    S(Ty),
    /// Floating point.
    F(Float),
}

impl Num {
    /// Returns the register type for the number.
    pub fn ty(self) -> Ty {
        match self {
            Num::U(ty) | Num::S(ty) => ty,
            Num::F(float) => float.ty(),
        }
    }

    /// Returns true for signed integers.
    pub fn is_signed(self) -> bool {
        matches!(self, Num::S(_))
    }

    /// Returns true for floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Num::F(_))
    }
}

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Num::U(ty) => write!(f, "u{}", ty.bits()),
            Num::S(ty) => write!(f, "s{}", ty.bits()),
            Num::F(Float::F16) => f.write_str("f16"),
            Num::F(Float::BF16) => f.write_str("bf16"),
            Num::F(Float::F32) => f.write_str("f32"),
            Num::F(Float::F64) => f.write_str("f64"),
        }
    }
}

/// IEEE rounding direction of an arithmetic operation or conversion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Round {
    /// To nearest, ties to even (`.rn`, `.rni`).
    #[default]
    Nearest,
    /// Towards zero (`.rz`, `.rzi`).
    Zero,
    /// Towards minus infinity (`.rm`, `.rmi`).
    Down,
    /// Towards plus infinity (`.rp`, `.rpi`).
    Up,
    /// To nearest, ties away from zero (`.rna`).
    Away,
}
