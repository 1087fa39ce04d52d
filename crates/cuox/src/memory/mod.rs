//! Memory: device buffers, pinned host memory and copies (Driver API manual, *Memory Management* and *Stream
//! Ordered Memory Allocator*). All sizes and offsets are in bytes unless a slice's type says otherwise.

pub mod batch;
mod buffer;
mod ordered;
pub mod peer;
mod pinned;
pub mod pool;
pub mod raw;
pub mod uses;

pub use buffer::{Buffer, Fill, WeakBuffer};
pub(crate) use ordered::Begun;
pub use pinned::{PinnedBuffer, PinnedOptions};

/// Types that may be copied to and from a device byte by byte.
///
/// # Safety
/// Every bit pattern is a value, and there is no padding.
pub unsafe trait Pod: Copy + Send + Sync + 'static {}

macro_rules! pod {
    ($($ty:ty)*) => {
        // SAFETY: a number of fixed size without padding.
        $(unsafe impl Pod for $ty {})*
    };
}
pod!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64);

// SAFETY: an array has no padding beyond its elements'.
unsafe impl<T: Pod, const N: usize> Pod for [T; N] {}
