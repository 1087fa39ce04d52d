//! The dimensions that a kernel walks through, and how it finds an element by its index: for `templates/index.cuh`.

use cuox::array::Layout;
use cuox::array::layout::Dims;
use smallvec::SmallVec;

/// Numbers of a launch, in the order in which the kernel's structure has them.
pub type Words = SmallVec<[i64; 24]>;

/// The largest count that 32-bit indices are used for: adding the number of threads that a grid of several turns has
/// does not overflow.
pub const MOST_NARROW: usize = (1 << 31) - (1 << 25);

/// Dimensions of several arrays of one shape, joined where they lie one behind the other in all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Joined {
    /// Sizes; outermost first. Never empty.
    pub shape: Dims<usize>,
    /// The strides in bytes, for each array.
    pub strides: SmallVec<[Dims<isize>; 4]>,
}

impl Joined {
    /// Joins dimensions and keeps C's order of the elements, which is the order of the indices in expressions.
    pub fn in_c_order(layouts: &[&Layout]) -> Self {
        let axes = layouts.first().map_or(0, |layout| layout.ndim());
        Self::of(layouts, 0..axes)
    }

    /// The same in the order in which the first array's elements lie, for operations to which the order is all the
    /// same.
    pub fn in_memory_order(layouts: &[&Layout]) -> Self {
        let axes = layouts
            .first()
            .map(|layout| layout.by_memory())
            .unwrap_or_default();
        Self::of(layouts, axes)
    }

    fn of(layouts: &[&Layout], axes: impl IntoIterator<Item = usize>) -> Self {
        let mut joined = Self {
            shape: Dims::new(),
            strides: layouts.iter().map(|_| Dims::new()).collect(),
        };
        for axis in axes {
            let size = layouts[0].shape()[axis];
            if size != 1 {
                joined.push(layouts, axis, size);
            }
        }
        if joined.shape.is_empty() {
            joined.shape.push(1);
            for strides in &mut joined.strides {
                strides.push(0);
            }
        }
        joined
    }

    fn push(&mut self, layouts: &[&Layout], axis: usize, size: usize) {
        let follows = |(layout, strides): (&&Layout, &Dims<isize>)| {
            strides.last() == Some(&(layout.strides()[axis].wrapping_mul(size as isize)))
        };
        let arrays = layouts.iter().zip(&self.strides);
        if let (Some(last), true) = (self.shape.last_mut(), arrays.clone().all(follows)) {
            *last *= size;
            for (layout, strides) in layouts.iter().zip(&mut self.strides) {
                if let Some(last) = strides.last_mut() {
                    *last = layout.strides()[axis];
                }
            }
            return;
        }
        self.shape.push(size);
        for (layout, strides) in layouts.iter().zip(&mut self.strides) {
            strides.push(layout.strides()[axis]);
        }
    }

    /// The number of dimensions, at least 1.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Adds the numbers of `cuox::shape`.
    pub fn push_shape(&self, words: &mut Words) {
        words.extend(self.shape.iter().map(|&size| size as i64));
        let divisors = self.shape.iter().map(|&size| divisor(size));
        words.extend(divisors.clone().map(|(factor, _)| factor));
        words.extend(divisors.map(|(_, shift)| shift));
    }

    /// Adds the numbers of `cuox::strides` of one of the arrays.
    pub fn push_strides(&self, array: usize, words: &mut Words) {
        words.extend(self.strides[array].iter().map(|&stride| stride as i64));
    }
}

/// The factor and the shift by which `(high(i * factor) + i) >> shift` is `i / size` for every i from 0 to 2^31 - 1
/// (Granlund and Montgomery). The factor is a 32-bit number, here with a sign as the kernel's `int` has it.
fn divisor(size: usize) -> (i64, i64) {
    let Some(size) = u32::try_from(size)
        .ok()
        .filter(|size| (1..=1 << 31).contains(size))
    else {
        return (0, 0);
    };
    let shift = size.next_power_of_two().trailing_zeros();
    let factor = ((1u64 << 32) * ((1u64 << shift) - u64::from(size))) / u64::from(size) + 1;
    (i64::from(factor as u32 as i32), i64::from(shift))
}

/// True if byte offsets in an array are 32-bit numbers.
pub fn is_narrow(layout: &Layout) -> bool {
    let (low, high) = layout.span();
    low > -(1 << 31) && high < 1 << 31
}

/// Writes numbers as the kernel's index type has them.
pub fn words_to_bytes(words: &[i64], wide: bool) -> SmallVec<[u8; 256]> {
    match wide {
        true => gathered(words, |word| word.to_ne_bytes()),
        false => gathered(words, |word| (word as i32).to_ne_bytes()),
    }
}

fn gathered<const SIZE: usize>(
    words: &[i64],
    bytes_of: impl Fn(i64) -> [u8; SIZE],
) -> SmallVec<[u8; 256]> {
    let mut bytes = SmallVec::from_elem(0, words.len() * SIZE);
    for (place, &word) in bytes.chunks_exact_mut(SIZE).zip(words) {
        place.copy_from_slice(&bytes_of(word));
    }
    bytes
}

/// The index type in C++.
pub fn index_type(wide: bool) -> &'static str {
    if wide { "long long" } else { "int" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuox::array::Order;

    #[test]
    fn division_is_exact() {
        let quotient = |i: u32, size: usize| {
            let (factor, shift) = divisor(size);
            let high = (u64::from(i) * u64::from(factor as u32)) >> 32;
            (high as u32 + i) >> shift
        };
        let interesting = [1u32, 2, 3, 5, 7, 10, 641, 1 << 16, 65537, (1 << 31) - 1];
        for size in interesting {
            for base in interesting {
                for i in [base - 1, base, base.saturating_mul(size).min((1 << 31) - 1)] {
                    let i = i.min((1 << 31) - 1);
                    assert_eq!(quotient(i, size as usize), i / size, "{i} / {size}");
                }
            }
        }
    }

    #[test]
    fn dimensions_are_joined_in_both_orders() {
        let c = Layout::contiguous(&[2, 1, 3, 4], 4, Order::C).unwrap();
        let f = Layout::contiguous(&[2, 1, 3, 4], 4, Order::F).unwrap();
        assert_eq!(Joined::in_c_order(&[&c, &c]).shape.as_slice(), [24]);
        assert_eq!(Joined::in_c_order(&[&c, &f]).rank(), 3);
        assert_eq!(Joined::in_c_order(&[&f]).rank(), 3);
        assert_eq!(Joined::in_memory_order(&[&f, &f]).shape.as_slice(), [24]);
        let none = Layout::contiguous(&[], 4, Order::C).unwrap();
        assert_eq!(Joined::in_c_order(&[&none]).shape.as_slice(), [1]);
    }
}
