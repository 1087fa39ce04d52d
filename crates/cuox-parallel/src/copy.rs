//! Copies and fills of arrays of any strides, for what the driver has no single call.

use std::sync::OnceLock;

use cuox::Result;
use cuox::array::layout::Dims;
use cuox::array::{Layout, LayoutError};

use crate::elementwise::{Elementwise, Parts};
use crate::parameter::Parameter;

/// Types of 1, 2, 4, 8 and 16 bytes, in which elements are moved.
const UNITS: [&str; 5] = [
    "unsigned char",
    "unsigned short",
    "unsigned int",
    "unsigned long long",
    "uint4",
];

/// The two sides of a copy, in elements that a kernel moves at once: of the size of the arrays', or parts of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The target.
    pub to: Layout,
    /// The source.
    pub from: Layout,
    /// The power of two that is the size of the moved elements.
    unit: usize,
}

impl Moved {
    /// For two layouts of one shape and size of elements, and the addresses of their first elements.
    ///
    /// # Errors
    /// [`LayoutError::TooManyDims`].
    pub fn new(to: (&Layout, u64), from: (&Layout, u64)) -> Result<Self, LayoutError> {
        let itemsize = to.0.itemsize();
        let strides = to.0.strides().iter().chain(from.0.strides());
        let all = strides.fold(to.1 | from.1 | itemsize as u64, |all, &stride| {
            all | stride.unsigned_abs() as u64
        });
        let unit = all.trailing_zeros().min(4) as usize;
        let size = 1 << unit;
        let part = |layout: &Layout| match itemsize == size {
            true => Ok(layout.clone()),
            false => layout.field(size, &[itemsize / size]),
        };
        Ok(Self {
            to: part(to.0)?,
            from: part(from.0)?,
            unit,
        })
    }

    /// The kernel: `out[i] = a[i]`.
    ///
    /// # Errors
    /// None that can happen.
    pub fn kernel(&self) -> Result<&'static Elementwise> {
        static KERNELS: [OnceLock<Elementwise>; 5] = [const { OnceLock::new() }; 5];
        made(&KERNELS[self.unit], || {
            let (to, from) = (UNITS[self.unit], format!("const {}", UNITS[self.unit]));
            let parameters = vec![
                Parameter::new(to, "out", true),
                Parameter::new(from, "a", true),
            ];
            (parameters, "cuox_copy", "out[i] = a[i]")
        })
    }
}

/// The kernel that sets elements of this size to one value, `out[i] = value`; `None` if a kernel cannot: for another size or alignment.
///
/// # Errors
/// None that can happen.
pub fn fill(layout: &Layout, address: u64) -> Result<Option<&'static Elementwise>> {
    static KERNELS: [OnceLock<Elementwise>; 5] = [const { OnceLock::new() }; 5];
    let size = layout.itemsize();
    let strides: Dims<u64> = layout
        .strides()
        .iter()
        .map(|stride| stride.unsigned_abs() as u64)
        .collect();
    let all = strides.iter().fold(address, |all, stride| all | stride);
    if !size.is_power_of_two() || size > 16 || !all.is_multiple_of(size as u64) {
        return Ok(None);
    }
    let unit = size.trailing_zeros() as usize;
    made(&KERNELS[unit], || {
        let parameters = vec![
            Parameter::new(UNITS[unit], "out", true),
            Parameter::new(UNITS[unit], "value", false),
        ];
        (parameters, "cuox_fill", "out[i] = value")
    })
    .map(Some)
}

fn made(
    place: &'static OnceLock<Elementwise>,
    parts: impl FnOnce() -> (Vec<Parameter>, &'static str, &'static str),
) -> Result<&'static Elementwise> {
    if let Some(kernel) = place.get() {
        return Ok(kernel);
    }
    let (parameters, name, operation) = parts();
    let kernel = Elementwise::new(Parts {
        parameters,
        name: name.into(),
        operation: operation.into(),
        pure: true,
        ..Parts::default()
    })?;
    Ok(place.get_or_init(|| kernel))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuox::array::Order;

    #[test]
    fn elements_are_moved_in_parts_where_they_must() {
        let layout = |size| Layout::contiguous(&[4, 3], size, Order::C).unwrap();
        let moved =
            |size, address| Moved::new((&layout(size), 64), (&layout(size), address)).unwrap();
        assert_eq!(moved(8, 64).to.shape(), [4, 3]);
        assert_eq!(moved(8, 68).to.shape(), [4, 3, 2]);
        assert_eq!(moved(12, 64).from.shape(), [4, 3, 3]);
        assert_eq!(moved(32, 64).from.shape(), [4, 3, 2]);
        assert_eq!(moved(2, 65).from.shape(), [4, 3, 2]);
    }
}
