//! An argument for a pointer, whoever's object it is.

use cuox::launch::Dtype;

/// An object, seen as a device pointer.
pub enum PointerLike {
    /// An integer or a handle: an address, as it is.
    Address(u64),
    /// Memory that says where it is.
    Memory {
        address: u64,
        read_only: bool,
        /// None where the producer does not say it.
        dtype: Option<Dtype>,
    },
    /// An array of which a mask says what elements count.
    Masked,
    /// Host memory that the device does not reach.
    Host,
    /// Memory whose elements are not one after another.
    Strided,
    /// An integer outside 0..2^64.
    OutOfRange,
    /// Nothing that points.
    Nothing,
}
