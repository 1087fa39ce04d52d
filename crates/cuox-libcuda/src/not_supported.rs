//! The answer of functions that nobody implements: `CUDA_ERROR_NOT_SUPPORTED`.

use cuox_abi::for_each_driver_function;

macro_rules! not_supported {
    ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
        ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[allow(clippy::too_many_arguments, dead_code, non_snake_case, reason = "the header's functions")]
            pub unsafe fn $symbol($(_: $type),*) -> $result {
                <$result>::CUDA_ERROR_NOT_SUPPORTED
            }
        )*
    };
}

for_each_driver_function!(not_supported);
