//! The functions that the software GPU has an answer to, under the header's names.
//!
//! Every function here is `unsafe` for one reason: pointer arguments must be null or point to the memory that the
//! header says. Handles need no trust; they are looked up.

mod clock;
mod device;
mod event;
mod field;
mod link;
mod memory;
mod mode;
mod performance;
mod process;
mod system;
mod topology;
mod unit;

pub use clock::*;
pub use device::*;
pub use event::*;
pub use field::*;
pub use link::*;
pub use memory::*;
pub use mode::*;
pub use performance::*;
pub use process::*;
pub use system::*;
pub use topology::*;
pub use unit::*;

/// Defines functions whose bodies give a [`Res`](crate::code::Res).
macro_rules! nvml_functions {
    ($($(#[$note:meta])* fn $name:ident($($parameter:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[$note])*
        #[doc = concat!("`", stringify!($name), "` of NVML.")]
        ///
        /// # Safety
        ///
        /// Pointers are null, or valid as `nvml.h` asks. Handles may be any.
        #[allow(non_snake_case, reason = "the header's names")]
        pub unsafe fn $name($($parameter: $type),*) -> $crate::code::Code {
            // SAFETY: bodies hand pointers to functions that look for null first; others are valid by this function's
            // contract.
            #[allow(unused_unsafe, reason = "some bodies have nothing unsafe")]
            let body = || -> $crate::code::Res { unsafe { $body } };
            $crate::code::code(body())
        }
    )*};
}
use nvml_functions;
