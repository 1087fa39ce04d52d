//! The answer of functions that nobody implements: `cudaErrorNotSupported`.

use crate::call_guard::Answer as _;
use crate::generated::for_each_runtime_function;
use crate::log;

macro_rules! not_supported {
    ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
        ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[allow(clippy::too_many_arguments, dead_code, non_snake_case, reason = "the header's functions")]
            pub unsafe fn $symbol($(_: $type),*) -> $result {
                log::not_supported(stringify!($symbol));
                <$result>::not_supported()
            }
        )*
    };
}

for_each_runtime_function!(not_supported);
