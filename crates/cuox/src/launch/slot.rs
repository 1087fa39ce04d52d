//! The rule for one parameter: the values that it takes, and the bytes that each becomes.
//!
//! All launches follow it: [`ArgPacker`](super::ArgPacker) for Rust values, the Python launch for Python objects and
//! `kernelParams` for values in C's form ([`CValue`](super::CValue)). A front end says what a value *is* by the
//! method that it calls; a [`Refusal`] says why the parameter does not take it.

use std::mem::MaybeUninit;

use super::dtype::Dtype;
use super::f16::{bf16_bits, f16_bits};
use super::refusal::Refusal;
use crate::memory::uses::Access;
use crate::signature::{Element, Param, ParamKind};

/// The type of one parameter, in the form that a launch needs: [`ParamKind`] with all names read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A device pointer.
    Pointer {
        /// The kernel promises not to write there: the pointed-to type is const.
        read_only: bool,
        /// The pointed-to type; `None` takes arrays of any elements.
        element: Option<Element>,
    },
    /// Eight bytes of which only the PTX is known: a pointer or a 64-bit integer.
    PointerOrInt,
    /// An integer.
    Int {
        /// 8, 16, 32, 64 or 128.
        bits: u8,
        /// `None` where only the PTX is known, which has no signs: either range is taken.
        signed: Option<bool>,
    },
    /// A `bool`.
    Bool,
    /// A `__half`.
    F16,
    /// A `__nv_bfloat16`.
    BF16,
    /// A `float`.
    F32,
    /// A `double`.
    F64,
    /// A structure or an array by value.
    Struct {
        /// In bytes.
        size: u32,
        /// The elements of a vector type such as `float4`.
        element: Option<Element>,
    },
    /// Only the size in bytes is known (code without PTX).
    Unknown(u32),
}

/// Memory that an array describes.
#[derive(Clone, Copy, Debug)]
pub struct ArrayMemory {
    /// The device address of the first element.
    pub address: u64,
    /// The array forbids writing.
    pub read_only: bool,
    /// The type of its elements, if it gives one.
    pub dtype: Option<Dtype>,
}

/// The bytes of one parameter, or more behind it.
type Target = [MaybeUninit<u8>];

impl Slot {
    /// The slot of a parameter.
    pub fn of(param: &Param) -> Self {
        match &param.kind {
            ParamKind::Pointer { pointee } => Self::Pointer {
                read_only: pointee.as_deref().is_some_and(is_const),
                element: pointee.as_deref().and_then(Element::of),
            },
            ParamKind::PointerOrInt => Self::PointerOrInt,
            &ParamKind::Int {
                bits: bits @ (8 | 16 | 32 | 64 | 128),
                signed,
            } => Self::Int { bits, signed },
            ParamKind::Int { bits, .. } => Self::Unknown(u32::from(*bits) / 8),
            ParamKind::Float { bits: 16 } => Self::F16,
            ParamKind::Float { bits: 32 } => Self::F32,
            ParamKind::Float { .. } => Self::F64,
            ParamKind::BFloat16 => Self::BF16,
            ParamKind::Bool => Self::Bool,
            ParamKind::Struct { size, .. } => Self::Struct {
                size: *size,
                element: param
                    .cxx_type
                    .as_deref()
                    .and_then(Element::of)
                    .filter(|element| element.lanes > 1),
            },
            ParamKind::Unknown { size } => Self::Unknown(*size),
        }
    }

    /// The parameter's size in bytes.
    #[inline]
    pub fn size(self) -> u32 {
        match self {
            Self::Pointer { .. } | Self::PointerOrInt | Self::F64 => 8,
            Self::Int { bits, .. } => u32::from(bits) / 8,
            Self::Bool => 1,
            Self::F16 | Self::BF16 => 2,
            Self::F32 => 4,
            Self::Struct { size, .. } | Self::Unknown(size) => size,
        }
    }

    /// What a kernel may do with the memory that the parameter points to.
    #[inline]
    pub fn access(self) -> Access {
        match self {
            Self::Pointer {
                read_only: true, ..
            } => Access::Read,
            _ => Access::Write,
        }
    }

    /// True for floating-point numbers.
    #[inline]
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64)
    }

    /// True if the parameter may be a pointer, as far as its type is known.
    pub(super) fn is_pointer(self) -> bool {
        matches!(self, Self::Pointer { .. } | Self::PointerOrInt)
    }

    /// The integers that the parameter takes, the last one included; `None` if it takes none.
    pub(super) fn integers(self) -> Option<(i128, i128)> {
        match self {
            Self::Pointer { .. } => Some((0, i128::from(u64::MAX))),
            Self::PointerOrInt => Some(integers_of(64, None)),
            Self::Int { bits, signed } => Some(integers_of(bits, signed)),
            Self::Bool => Some((0, 1)),
            Self::Unknown(size @ (1 | 2 | 4 | 8)) => Some(integers_of(size as u8 * 8, None)),
            _ => None,
        }
    }

    /// Puts an integer: it must be in the parameter's range. A floating-point parameter takes the nearest number.
    ///
    /// # Errors
    /// [`Refusal::Range`], and [`Refusal::Kind`] for parameters that are no numbers.
    #[inline]
    pub fn put_integer(self, value: i128, target: &mut Target) -> Result<(), Refusal> {
        if self.is_float() {
            return self.put_float(value as f64, target);
        }
        let Some((low, high)) = self.integers() else {
            return Err(Refusal::Kind);
        };
        if value < low || value > high {
            return Err(Refusal::Range);
        }
        match self.size() {
            1 => put(target, (value as u8).to_ne_bytes()),
            2 => put(target, (value as u16).to_ne_bytes()),
            4 => put(target, (value as u32).to_ne_bytes()),
            8 => put(target, (value as u64).to_ne_bytes()),
            _ => put(target, value.to_ne_bytes()),
        }
        Ok(())
    }

    /// Puts a floating-point number, rounded to the parameter's format.
    ///
    /// # Errors
    /// [`Refusal::Range`] for finite numbers that would become infinite, [`Refusal::Kind`] for other parameters.
    #[inline]
    pub fn put_float(self, value: f64, target: &mut Target) -> Result<(), Refusal> {
        match self {
            Self::F32 => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Refusal::Range);
                }
                put(target, narrow.to_ne_bytes());
            }
            Self::F64 => put(target, value.to_ne_bytes()),
            Self::F16 | Self::BF16 => {
                let (bits, infinity) = match self {
                    Self::F16 => (f16_bits(value), 0x7c00),
                    _ => (bf16_bits(value), 0x7f80),
                };
                if bits & 0x7fff == infinity && value.is_finite() {
                    return Err(Refusal::Range);
                }
                put(target, bits.to_ne_bytes());
            }
            _ => return Err(Refusal::Kind),
        }
        Ok(())
    }

    /// Puts a truth value: the number 0 or 1, and never an address.
    ///
    /// # Errors
    /// [`Refusal::Kind`]; [`Refusal::AmbiguousBool`] where the parameter may be an integer or a pointer.
    #[inline]
    pub fn put_bool(self, value: bool, target: &mut Target) -> Result<(), Refusal> {
        match self {
            Self::Pointer { .. } => Err(Refusal::Kind),
            Self::PointerOrInt => Err(Refusal::AmbiguousBool),
            _ => self.put_integer(i128::from(value), target),
        }
    }

    /// Puts a device address.
    ///
    /// # Errors
    /// [`Refusal::Kind`] for parameters that are no pointers.
    #[inline]
    pub fn put_address(self, address: u64, target: &mut Target) -> Result<(), Refusal> {
        match self {
            Self::Pointer { .. } | Self::PointerOrInt | Self::Unknown(8) => {
                put(target, address.to_ne_bytes());
                Ok(())
            }
            _ => Err(Refusal::Kind),
        }
    }

    /// Puts the address of an array's memory, whose elements must be those that the parameter points to.
    ///
    /// # Errors
    /// [`Refusal::Elements`], [`Refusal::ReadOnly`], [`Refusal::Kind`].
    #[inline]
    pub fn put_array(self, array: &ArrayMemory, target: &mut Target) -> Result<(), Refusal> {
        if let Self::Pointer { read_only, element } = self {
            if let (Some(element), Some(dtype)) = (element, array.dtype)
                && !dtype.fits(element)
            {
                return Err(Refusal::Elements { element, dtype });
            }
            if array.read_only && !read_only {
                return Err(Refusal::ReadOnly);
            }
        }
        self.put_address(array.address, target)
    }

    /// Puts bytes as they are, in the layout that the kernel's C++ has. `dtype` is the type of the bytes, if it is
    /// known.
    ///
    /// # Errors
    /// [`Refusal::Size`] for another size than the parameter's; [`Refusal::BigEndian`], [`Refusal::VectorElements`].
    pub fn put_bytes(
        self,
        bytes: &[u8],
        dtype: Option<Dtype>,
        target: &mut Target,
    ) -> Result<(), Refusal> {
        if let Some(dtype) = dtype {
            if dtype.is_big_endian() {
                return Err(Refusal::BigEndian(dtype));
            }
            if let Self::Struct {
                element: Some(element),
                ..
            } = self
                && !dtype.fits(element)
            {
                return Err(Refusal::VectorElements { element, dtype });
            }
        }
        if bytes.len() != self.size() as usize {
            return Err(Refusal::Size(bytes.len()));
        }
        for (to, from) in target.iter_mut().zip(bytes) {
            to.write(*from);
        }
        Ok(())
    }
}

/// The integers of a width, the last one included; with the sign unknown, those of both signs.
#[inline]
fn integers_of(bits: u8, signed: Option<bool>) -> (i128, i128) {
    if bits >= 128 {
        // Larger unsigned numbers are passed as bytes.
        return match signed {
            Some(false) => (0, i128::MAX),
            _ => (i128::MIN, i128::MAX),
        };
    }
    let low = match signed {
        Some(false) => 0,
        _ => -1i128 << (bits - 1),
    };
    let high = match signed {
        Some(true) => (1i128 << (bits - 1)) - 1,
        _ => (1i128 << bits) - 1,
    };
    (low, high)
}

/// True if the type itself is const: `const float` and `float *const`, but not `const float *`.
fn is_const(pointee: &str) -> bool {
    let own = pointee.rsplit('*').next().unwrap_or_default();
    own.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == "const")
}

#[inline]
fn put<const N: usize>(target: &mut Target, value: [u8; N]) {
    for (to, from) in target[..N].iter_mut().zip(value) {
        to.write(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(bits: u8, signed: Option<bool>) -> Slot {
        Slot::Int { bits, signed }
    }

    fn taken(slot: Slot, value: i128) -> bool {
        slot.put_integer(value, &mut [MaybeUninit::uninit(); 16])
            .is_ok()
    }

    #[test]
    fn integers_must_be_in_range() {
        for (bits, signed, low, high) in [
            (8, None, -128, 255),
            (8, Some(true), -128, 127),
            (16, Some(false), 0, 65535),
            (32, Some(true), i128::from(i32::MIN), i128::from(i32::MAX)),
            (32, None, i128::from(i32::MIN), i128::from(u32::MAX)),
            (64, Some(false), 0, i128::from(u64::MAX)),
            (64, None, i128::from(i64::MIN), i128::from(u64::MAX)),
        ] {
            let slot = int(bits, signed);
            assert_eq!(slot.integers(), Some((low, high)));
            assert!(taken(slot, low) && taken(slot, high), "{slot:?}");
            assert!(!taken(slot, low - 1) && !taken(slot, high + 1), "{slot:?}");
        }
        assert!(taken(int(128, Some(true)), i128::MIN) && !taken(int(128, Some(false)), -1));
        assert!(taken(Slot::Bool, 1) && !taken(Slot::Bool, 2));
        assert!(taken(Slot::PointerOrInt, -1));
        let pointer = Slot::Pointer {
            read_only: false,
            element: None,
        };
        assert!(taken(pointer, 0) && !taken(pointer, -1));
    }

    #[test]
    fn finite_numbers_stay_finite() {
        for (slot, largest) in [(Slot::F16, 65504.0), (Slot::F32, f64::from(f32::MAX))] {
            let mut target = [MaybeUninit::uninit(); 8];
            assert_eq!(slot.put_float(largest, &mut target), Ok(()));
            assert_eq!(slot.put_float(f64::INFINITY, &mut target), Ok(()));
            assert_eq!(
                slot.put_float(2.0 * largest, &mut target),
                Err(Refusal::Range)
            );
        }
        // An integer goes to a floating-point parameter, and no floating-point number to an integer.
        let mut target = [MaybeUninit::uninit(); 8];
        assert_eq!(Slot::F32.put_integer(3, &mut target), Ok(()));
        assert_eq!(
            int(32, None).put_float(3.0, &mut target),
            Err(Refusal::Kind)
        );
    }

    #[test]
    fn truth_values_are_no_addresses() {
        let mut target = [MaybeUninit::uninit(); 8];
        assert_eq!(
            Slot::PointerOrInt.put_bool(true, &mut target),
            Err(Refusal::AmbiguousBool)
        );
        assert_eq!(int(32, None).put_bool(true, &mut target), Ok(()));
        assert_eq!(Slot::F32.put_bool(true, &mut target), Ok(()));
    }

    #[test]
    fn const_is_that_of_the_pointed_to_type() {
        for (pointee, wanted) in [
            ("const float", true),
            ("float const", true),
            ("float *const", true),
            ("const float *", false),
            ("constant", false),
        ] {
            assert_eq!(is_const(pointee), wanted, "{pointee}");
        }
    }
}
