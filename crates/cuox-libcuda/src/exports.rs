//! The exported functions.

use core::ffi::c_void;

use cuox_abi::for_each_driver_function;

use crate::{call_guard, trace};

macro_rules! class {
    (plain) => {
        cuox_abi::StreamClass::Plain
    };
    (ptds) => {
        cuox_abi::StreamClass::Ptds
    };
    (ptsz) => {
        cuox_abi::StreamClass::Ptsz
    };
}

macro_rules! exports {
    ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
        ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[doc = concat!("`", stringify!($symbol), "` of the driver API.")]
            ///
            /// # Safety
            ///
            /// Pointers are null where the driver API allows that, and valid elsewhere.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments, non_snake_case, reason = "the header's functions")]
            pub unsafe extern "C" fn $symbol($($parameter: $type),*) -> $result {
                let call = || {
                    // The innermost block that knows the name has the answer.
                    #[allow(unused_imports, reason = "each name is in one to three of them")]
                    {
                        use crate::not_supported::*;
                        {
                            use cuox_softgpu::api::*;
                            {
                                use crate::check::allocations::*;
                                use crate::initialization::*;
                                use crate::proc_address::*;
                                // SAFETY: the arguments go on as they came, so pointers are null or valid as the driver
                                // API asks.
                                unsafe { $plain($($parameter),*) }
                            }
                        }
                    }
                };
                let result = call_guard::enter(stringify!($symbol), class!($class), call);
                if trace::enabled() {
                    #[allow(unused_imports, reason = "which of the two a call needs depends on the parameter")]
                    use crate::trace::{ShowPointer as _, ShowValue as _};
                    trace::call(
                        stringify!($symbol),
                        &|_line| {
                            $(
                                trace::parameter(_line, stringify!($parameter));
                                (&trace::Argument(&$parameter)).show(_line);
                            )*
                        },
                        &|_line| {
                            $((&trace::Argument(&$parameter)).show_result(stringify!($parameter), _line);)*
                        },
                        result,
                    );
                }
                result
            }
        )*

        /// The exported functions, in the order of `cuox_abi::FUNCTIONS`.
        static ADDRESSES: &[Address] = &[$(Address($symbol as *const c_void)),*];
    };
}

/// An exported function's address.
struct Address(*const c_void);

// SAFETY: the address of a function is a number.
unsafe impl Sync for Address {}

for_each_driver_function!(exports);

macro_rules! known {
    ($($symbol:ident),* $(,)?) => {
        // A function of the software GPU whose name the header does not know would never be called.
        const _: () = {
            $(
                let _ = crate::not_supported::$symbol;
                let _ = cuox_softgpu::api::$symbol;
            )*
        };
    };
}

cuox_softgpu::implemented_functions!(known);

/// The exported function at this place of `cuox_abi::FUNCTIONS`.
pub fn address(function: usize) -> *mut c_void {
    ADDRESSES
        .get(function)
        .map_or(core::ptr::null_mut(), |address| address.0.cast_mut())
}
