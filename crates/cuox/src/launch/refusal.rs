//! The reasons for which a parameter does not take a value, and their words.

use super::dtype::Dtype;
use crate::signature::Element;

/// The reason for which a parameter does not take a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A value of another kind than the parameter takes.
    Kind,
    /// A number that the parameter's type does not have.
    Range,
    /// So many bytes, and the parameter has another size.
    Size(usize),
    /// A truth value, where the parameter may be an integer or a pointer.
    AmbiguousBool,
    /// An array of other elements than the parameter points to.
    Elements {
        /// The elements that the parameter points to.
        element: Element,
        /// The elements of the array.
        dtype: Dtype,
    },
    /// The bytes of other elements than those of the vector that the parameter is (`float4`).
    VectorElements {
        /// The elements of the vector.
        element: Element,
        /// The elements that came.
        dtype: Dtype,
    },
    /// A read-only array for a kernel that may write to it.
    ReadOnly,
    /// An array with a mask, which a kernel does not see.
    Masked,
    /// An array in host memory that the device does not reach.
    HostMemory,
    /// An array whose elements do not lie one after another.
    Strided,
    /// Bytes in the order that no CUDA device has.
    BigEndian(Dtype),
    /// An integer in C's form, whose bits would be read as a floating-point number of so many bytes.
    IntegerBits(u32),
    /// The bytes of a host array in C's form, where a device pointer is wanted.
    HostBytes,
}

impl Refusal {
    /// `given` is the value as the user knows it: its type, or the number itself for [`Refusal::Range`].
    pub(super) fn got(self, given: &str) -> String {
        match self {
            Self::Kind => given.into(),
            Self::Range => shortened(given),
            Self::Size(size) => format!("{given} of {}", bytes_of(size)),
            Self::AmbiguousBool => format!("{given}; if it is the integer, pass int(value)"),
            Self::Elements { dtype, .. } => format!(
                "{given}[{dtype}]; convert it, or pass its address as an int to have the bytes taken as they are"
            ),
            Self::VectorElements { dtype, .. } => format!("{given}[{dtype}]; convert it"),
            Self::ReadOnly => format!(
                "{given} (read-only); the kernel may write to it: declare the parameter const, or pass a copy"
            ),
            Self::Masked => format!(
                "{given} with a mask, which a kernel does not see; pass the mask as an array of its own"
            ),
            Self::HostMemory => format!(
                "{given} (host memory); copy it to the device first: \
                 buffer = device.allocate(nbytes); buffer.copy_from_host(array)"
            ),
            Self::Strided => format!(
                "{given} whose elements are not contiguous in memory; pass a contiguous copy"
            ),
            Self::BigEndian(dtype) => format!(
                "{given}[{dtype}], whose byte order no CUDA device has; \
                 convert it: value.astype(value.dtype.newbyteorder('<'))"
            ),
            Self::IntegerBits(size) => {
                let cast = match size {
                    8 => "numpy.float64(value) or ctypes.c_double(value)",
                    4 => "numpy.float32(value) or ctypes.c_float(value)",
                    _ => "numpy.float16(value)",
                };
                format!("{given}, an integer; pass {cast}")
            }
            Self::HostBytes => format!("{given} (host memory); pass a device pointer"),
        }
    }
}

/// A size in words: `1 byte`, `8 bytes`.
fn bytes_of(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// A number of more digits than anybody reads, without those in the middle.
fn shortened(number: &str) -> String {
    let digits = number.chars().count();
    if digits <= 45 {
        return number.into();
    }
    let first: String = number.chars().take(20).collect();
    format!("{first}… ({digits} digits)")
}
