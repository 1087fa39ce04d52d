//! How tensor cores add products of floating-point numbers.

use crate::ir::Element;

/// The rule of a sum. Products are exact. They and C are aligned to the largest exponent, cut off `kept` bits below it,
/// added, and rounded once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Bits below the largest exponent that take part in a sum.
    pub kept: i32,
    /// The products are added in two sums: the first pairs of every four, then the second ones with the first sum. C is
    /// added last, by ordinary arithmetic.
    pub apart: bool,
}

impl Rule {
    /// Returns the rule of an H200's `mma`. It multiplies 8-bit numbers as f16.
    pub fn of_warp(element: Element) -> Rule {
        Rule {
            kept: 25,
            apart: element.bits() == 8,
        }
    }

    /// Returns the rule of an H200's `wgmma`. Its sums of 8-bit numbers are short.
    pub fn of_warpgroup(element: Element) -> Rule {
        Rule {
            kept: if element.bits() == 8 { 13 } else { 25 },
            apart: false,
        }
    }
}
