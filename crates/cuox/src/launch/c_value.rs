//! The rule for values in C's form: bytes somewhere, of a size that their type has (`kernelParams` of
//! `cuLaunchKernel`).
//!
//! C passes addresses and trusts them. Where the values' types are known, they are compared with the kernel's
//! parameters: a value must have the parameter's size, and an integer becomes as large as its parameter.

use std::mem::MaybeUninit;

use super::refusal::Refusal;
use super::slot::Slot;

/// The size of a value in C's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CSize {
    /// The size of its type, in bytes.
    Known(usize),
    /// An integer without a type: any size that it fits.
    AnyInteger,
    /// Only the address is known.
    Unknown,
}

/// The number of elements of a value in C's form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CCount {
    /// A number or a record.
    #[default]
    One,
    /// An array of one integer: an address is often kept so.
    ArrayOfOneInteger,
    /// An array of one other number.
    ArrayOfOne,
    /// Any other array.
    Array,
}

/// A value in C's form, as a front end knows it. Questions that cost something are asked only if the answer matters.
pub trait CValue {
    /// Its size.
    fn size(&self) -> CSize;
    /// Its number of elements.
    fn count(&self) -> CCount;
    /// True for an integer, and not for a number that a floating-point type has made of one.
    fn is_integer(&self) -> bool;
    /// The value of an integer; `None` for everything else.
    fn integer(&self) -> Option<i128>;
}

/// The way in which a value in C's form is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// Its own bytes.
    AsIs,
    /// The low bytes of this word, as many as the parameter has.
    Word(u64),
}

impl Slot {
    /// Compares a value in C's form with the parameter.
    ///
    /// # Errors
    /// The [`Refusal`]; for [`Refusal::Range`], with the number that is out of range.
    #[inline]
    pub fn accept(self, value: &impl CValue) -> Result<Passed, (Refusal, Option<i128>)> {
        let is_right = value.size() == CSize::Known(self.size() as usize)
            && value.count() == CCount::One
            && !(self.is_float() && value.is_integer());
        match is_right {
            true => Ok(Passed::AsIs),
            false => self.accept_other(value),
        }
    }

    #[inline(never)]
    fn accept_other(self, value: &impl CValue) -> Result<Passed, (Refusal, Option<i128>)> {
        let refuse = |refusal| Err((refusal, None));
        let (size, wanted) = (value.size(), self.size() as usize);
        if self.is_float() && value.is_integer() {
            return refuse(Refusal::IntegerBits(self.size()));
        }
        let is_host_array = match value.count() {
            CCount::One | CCount::ArrayOfOneInteger => false,
            CCount::ArrayOfOne => self.is_pointer() || self == Self::Unknown(8),
            CCount::Array => wanted <= 8 && !matches!(self, Self::Struct { .. }),
        };
        match size {
            CSize::Known(size) if is_host_array && (size == wanted || self.is_pointer()) => {
                refuse(Refusal::HostBytes)
            }
            CSize::Known(size) if size == wanted => Ok(Passed::AsIs),
            CSize::Unknown => Ok(Passed::AsIs),
            // Eight bytes of an unknown type may be a double or an address, and neither is a smaller integer.
            CSize::Known(size) if matches!(self, Self::Unknown(_)) && size < wanted => {
                refuse(Refusal::Size(size))
            }
            CSize::Known(_) | CSize::AnyInteger => {
                let other = match size {
                    CSize::Known(size) => Refusal::Size(size),
                    _ => Refusal::Kind,
                };
                let Some(number) = value.integer().filter(|_| wanted <= 8) else {
                    return refuse(other);
                };
                match self.put_integer(number, &mut [MaybeUninit::uninit(); 8]) {
                    Ok(()) => Ok(Passed::Word(number as u64)),
                    Err(Refusal::Range) => Err((Refusal::Range, Some(number))),
                    Err(_) => refuse(other),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Given(CSize, CCount, Option<i128>);

    impl CValue for Given {
        fn size(&self) -> CSize {
            self.0
        }
        fn count(&self) -> CCount {
            self.1
        }
        fn is_integer(&self) -> bool {
            self.2.is_some()
        }
        fn integer(&self) -> Option<i128> {
            self.2
        }
    }

    const INT32: Slot = Slot::Int {
        bits: 32,
        signed: None,
    };
    const STRUCT8: Slot = Slot::Struct {
        size: 8,
        element: None,
    };

    fn sized(size: usize, value: Option<i128>) -> Given {
        Given(CSize::Known(size), CCount::One, value)
    }

    #[test]
    fn sizes_must_be_the_parameters() {
        for (slot, size) in [(Slot::F32, 4), (Slot::F64, 8), (STRUCT8, 8), (INT32, 4)] {
            assert_eq!(slot.accept(&sized(size, None)), Ok(Passed::AsIs));
            assert_eq!(
                slot.accept(&sized(size + 1, None)),
                Err((Refusal::Size(size + 1), None))
            );
        }
        let address = Given(CSize::Unknown, CCount::One, None);
        assert_eq!(STRUCT8.accept(&address), Ok(Passed::AsIs));
    }

    #[test]
    fn integers_become_as_large_as_their_parameters() {
        assert_eq!(
            INT32.accept(&sized(8, Some(-3))),
            Ok(Passed::Word(-3i64 as u64))
        );
        assert_eq!(
            Slot::PointerOrInt.accept(&sized(4, Some(7))),
            Ok(Passed::Word(7))
        );
        let any = Given(CSize::AnyInteger, CCount::One, Some(1 << 32));
        assert_eq!(INT32.accept(&any), Err((Refusal::Range, Some(1 << 32))));
        assert_eq!(Slot::Unknown(8).accept(&any), Ok(Passed::Word(1 << 32)));
        // Neither a double nor an address is a smaller integer.
        assert_eq!(
            Slot::Unknown(8).accept(&sized(4, Some(7))),
            Err((Refusal::Size(4), None))
        );
        assert_eq!(STRUCT8.accept(&any), Err((Refusal::Kind, None)));
        let wide = Slot::Int {
            bits: 128,
            signed: None,
        };
        assert_eq!(wide.accept(&any), Err((Refusal::Kind, None)));
    }

    #[test]
    fn integers_are_no_floating_point_numbers() {
        for slot in [Slot::F16, Slot::BF16, Slot::F32, Slot::F64] {
            let size = slot.size() as usize;
            assert_eq!(
                slot.accept(&sized(size, Some(2))),
                Err((Refusal::IntegerBits(slot.size()), None))
            );
            assert_eq!(slot.accept(&sized(size, None)), Ok(Passed::AsIs));
        }
    }

    #[test]
    fn host_arrays_are_no_pointers() {
        let array = |count| Given(CSize::Known(8), count, None);
        let refused = Err((Refusal::HostBytes, None));
        for slot in [Slot::PointerOrInt, Slot::Unknown(8)] {
            assert_eq!(slot.accept(&array(CCount::Array)), refused);
            assert_eq!(slot.accept(&array(CCount::ArrayOfOne)), refused);
            assert_eq!(
                slot.accept(&array(CCount::ArrayOfOneInteger)),
                Ok(Passed::AsIs)
            );
        }
        let long = Given(CSize::Known(24), CCount::Array, None);
        assert_eq!(Slot::PointerOrInt.accept(&long), refused);
        assert_eq!(INT32.accept(&long), Err((Refusal::Size(24), None)));
        assert_eq!(Slot::F64.accept(&array(CCount::Array)), refused);
        assert_eq!(
            Slot::F64.accept(&array(CCount::ArrayOfOne)),
            Ok(Passed::AsIs)
        );
        assert_eq!(STRUCT8.accept(&array(CCount::Array)), Ok(Passed::AsIs));
    }
}
