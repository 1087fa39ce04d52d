//! The answer of functions that nobody implements: `NVML_ERROR_NOT_SUPPORTED`, or that an argument is wrong which is
//! wrong for any device.

use crate::call_guard::Answer as _;
use crate::code::Code;
use crate::devices;
use crate::generated::{
    for_each_nvml_function, nvmlComputeInstance_t, nvmlDevice_t, nvmlGpuInstance_t, nvmlUnit_t,
};

/// An argument as far as it is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Number,
    Pointer,
    Null,
    GoodHandle,
    BadHandle,
}

/// Looks at an argument. Methods of its own type are found before that of the trait.
pub struct Look<T>(pub T);

pub trait AnyOther {
    fn seen(&self) -> Seen {
        Seen::Number
    }
}

impl<T> AnyOther for Look<T> {}

impl<T> Look<*mut T> {
    fn seen(&self) -> Seen {
        match self.0.is_null() {
            true => Seen::Null,
            false => Seen::Pointer,
        }
    }
}

impl<T> Look<*const T> {
    fn seen(&self) -> Seen {
        Look(self.0.cast_mut()).seen()
    }
}

impl Look<nvmlDevice_t> {
    fn seen(&self) -> Seen {
        match devices::find(self.0) {
            Ok(_) => Seen::GoodHandle,
            Err(_) => Seen::BadHandle,
        }
    }
}

macro_rules! never_made {
    ($($handle:ty),*) => {$(
        impl Look<$handle> {
            fn seen(&self) -> Seen {
                Seen::BadHandle
            }
        }
    )*};
}

// Nothing here gives a handle of these.
never_made!(nvmlUnit_t, nvmlGpuInstance_t, nvmlComputeInstance_t);

/// The code for arguments of a function that is not supported. One pointer alone is where the result goes; of several
/// some may be null.
fn refusal(arguments: &[Seen]) -> Code {
    let pointers = |seen: &&Seen| matches!(seen, Seen::Pointer | Seen::Null);
    let lacks_result =
        arguments.contains(&Seen::Null) && arguments.iter().filter(pointers).count() == 1;
    match lacks_result || arguments.contains(&Seen::BadHandle) {
        true => Code::NVML_ERROR_INVALID_ARGUMENT,
        false => Code::NVML_ERROR_NOT_SUPPORTED,
    }
}

macro_rules! not_supported {
    ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
        ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[allow(clippy::too_many_arguments, dead_code, non_snake_case, reason = "the header's functions")]
            pub unsafe fn $symbol($($parameter: $type),*) -> $result {
                <$result>::failure(refusal(&[$(Look($parameter).seen()),*]))
            }
        )*
    };
}

for_each_nvml_function!(not_supported);
