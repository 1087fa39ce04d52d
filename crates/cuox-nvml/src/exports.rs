//! The exported functions.

use crate::call_guard;
use crate::generated::for_each_nvml_function;

macro_rules! exports {
    ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
        ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[doc = concat!("`", stringify!($symbol), "` of NVML.")]
            ///
            /// # Safety
            ///
            /// Pointers are null, or valid as `nvml.h` asks. Handles may be any.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments, non_snake_case, reason = "the header's functions")]
            pub unsafe extern "C" fn $symbol($($parameter: $type),*) -> $result {
                call_guard::enter(stringify!($symbol), || {
                    // The innermost block that knows the name has the answer.
                    #[allow(unused_imports, reason = "each name is in one or two of them")]
                    {
                        use crate::not_supported::*;
                        {
                            use crate::api::*;
                            // SAFETY: the arguments go on as they came, so pointers are null or valid as the header
                            // asks.
                            unsafe { $plain($($parameter),*) }
                        }
                    }
                })
            }
        )*

        /// The names of all exported functions.
        pub const NAMES: &[&str] = &[$(stringify!($symbol)),*];
    };
}

for_each_nvml_function!(exports);
