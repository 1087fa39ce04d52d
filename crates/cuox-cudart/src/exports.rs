//! The exported functions.

use crate::call_guard;
use crate::generated::for_each_runtime_function;

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
            #[doc = concat!("`", stringify!($symbol), "` of the runtime API.")]
            ///
            /// # Safety
            ///
            /// Pointers are null where the runtime API allows that, and valid elsewhere.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments, non_snake_case, reason = "the header's functions")]
            pub unsafe extern "C" fn $symbol($($parameter: $type),*) -> $result {
                call_guard::enter(stringify!($symbol), class!($class), || {
                    // The innermost block that knows the name has the answer.
                    #[allow(unused_imports, reason = "each name is in one or two of them")]
                    {
                        use crate::not_supported::*;
                        {
                            use crate::api::*;
                            // SAFETY: the arguments go on as they came, so pointers are null or valid as the runtime
                            // API asks.
                            unsafe { $plain($($parameter),*) }
                        }
                    }
                })
            }
        )*
    };
}

for_each_runtime_function!(exports);
