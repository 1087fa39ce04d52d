//! How tensor cores add products of floating-point numbers.

use crate::ir::{Element, Sum};

/// The rule of a sum. Products are exact. They and C are aligned to the largest exponent, cut off `kept` bits below it,
/// added, and rounded once: to nearest as an f16, towards zero as an f32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Bits below the largest exponent that take part in a sum.
    pub kept: i32,
    /// The products are added in two sums: the first pairs of every four, then the second ones with the first sum. C is
    /// added last, by ordinary arithmetic.
    pub apart: bool,
    /// Bits of an f32 result behind the point.
    pub fraction: u32,
    /// An f16 C that is subnormal has the exponent of the smallest normal f16, as its bits say.
    pub raw_c: bool,
}

impl Rule {
    /// Returns the rule of an H200's `mma`. It multiplies 8-bit numbers as f16.
    pub fn of_warp(element: Element) -> Rule {
        Rule {
            kept: 25,
            apart: element.bits() == 8,
            fraction: 23,
            raw_c: false,
        }
    }

    /// Returns the rule of an H200's `wgmma`. Its sums of 8-bit numbers are short.
    pub fn of_warpgroup(element: Element) -> Rule {
        match element.bits() {
            8 => Rule {
                kept: 13,
                apart: false,
                fraction: 13,
                raw_c: true,
            },
            _ => Rule::of_warp(element),
        }
    }

    /// Returns the bits of an f32 result that are not always zero.
    pub fn mask(self) -> u32 {
        u32::MAX << (23 - self.fraction.min(23))
    }

    /// Returns the exponent field that a factor's subnormal numbers count as having, in an f32: that of the smallest
    /// normal number.
    pub fn least(self, element: Element) -> u32 {
        match element {
            Element::Bf16 | Element::Tf32 => 1,
            Element::E4m3 if !self.apart => 127 - 6,
            _ => 127 - 14,
        }
    }

    /// Returns the exponent field that a subnormal C counts as having, in an f32: that of the smallest normal number,
    /// of f32 if an f16 is normalized first.
    pub fn least_of_c(self, c: Sum) -> u32 {
        match c {
            Sum::F16 if self.raw_c => 127 - 14,
            _ => 1,
        }
    }
}
