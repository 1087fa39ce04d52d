//! Arrays: device memory with a shape, strides and an element type. [`Array`] is typed; [`layout`] has the rules of
//! shapes and strides, which the arrays of every language share.

pub mod layout;
pub mod strided;
mod typed;

pub use layout::{Index, Layout, LayoutError, Order};
pub use strided::StridedCopy;
pub use typed::Array;
