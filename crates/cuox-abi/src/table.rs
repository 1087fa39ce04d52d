//! A driver's functions.

use core::ffi::{CStr, c_void};

use crate::for_each_driver_function;

macro_rules! driver_table {
    ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
        ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
        /// A driver's functions, one field and one method of the same name for each symbol of the header.
        ///
        /// A symbol that the driver does not have answers `CUDA_ERROR_NOT_SUPPORTED` when it is called, and is in
        /// [`missing`](DriverTable::missing).
        #[derive(Clone)]
        pub struct DriverTable {
            $(
                #[doc = concat!("The driver's `", stringify!($symbol), "`.")]
                pub $symbol: unsafe extern "C" fn($($type),*) -> $result,
            )*
            missing: Vec<&'static str>,
        }

        impl DriverTable {
            /// Asks `resolve` for every symbol.
            ///
            /// # Safety
            ///
            /// Each pointer that `resolve` gives is null or the function of that name with the header's signature,
            /// and stays so while the table or a copy of it lives.
            pub unsafe fn load(mut resolve: impl FnMut(&'static CStr) -> *const c_void) -> DriverTable {
                let mut missing = Vec::new();
                $(
                    let $symbol = {
                        unsafe extern "C" fn absent($(_: $type),*) -> $result {
                            <$result>::CUDA_ERROR_NOT_SUPPORTED
                        }
                        let found = resolve(symbol_name(concat!(stringify!($symbol), "\0")));
                        if found.is_null() {
                            missing.push(stringify!($symbol));
                            absent as unsafe extern "C" fn($($type),*) -> $result
                        } else {
                            // SAFETY: `load`'s caller promises that a found symbol is the driver's function of that
                            // name, whose signature is the header's.
                            unsafe {
                                core::mem::transmute::<*const c_void, unsafe extern "C" fn($($type),*) -> $result>(found)
                            }
                        }
                    };
                )*
                DriverTable { $($symbol,)* missing }
            }

            $(
                #[doc = concat!("Calls the driver's `", stringify!($symbol), "`.")]
                ///
                /// # Safety
                ///
                /// As the driver asks: each pointer argument is null where that is allowed or points to what the
                /// function reads or writes there, and each handle is alive.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "the header's parameters")]
                pub unsafe fn $symbol(&self, $($parameter: $type),*) -> $result {
                    // SAFETY: the caller guarantees the arguments; `load`'s caller guaranteed that the pointer is this
                    // function.
                    unsafe { (self.$symbol)($($parameter),*) }
                }
            )*
        }
    };
}

for_each_driver_function!(driver_table);

/// A literal with its terminator as a C string.
const fn symbol_name(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

impl DriverTable {
    /// The symbols that the driver does not have.
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }
}

impl core::fmt::Debug for DriverTable {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let found = crate::FUNCTIONS.len() - self.missing.len();
        write!(
            formatter,
            "DriverTable {{ found: {found}, missing: {} }}",
            self.missing.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CUDA_ERROR_NOT_SUPPORTED, CUDA_SUCCESS, CUresult, FUNCTIONS};

    extern "C" fn version(version: *mut i32) -> CUresult {
        // SAFETY: the test below gives a valid pointer.
        unsafe { *version = 4711 };
        CUDA_SUCCESS
    }

    #[test]
    fn found_symbols_are_called_and_missing_ones_say_so() {
        let mut asked = Vec::new();
        // SAFETY: the one function given has the header's signature.
        let table = unsafe {
            DriverTable::load(|symbol| {
                asked.push(symbol.to_str().unwrap());
                if symbol == c"cuDriverGetVersion" {
                    version as *const c_void
                } else {
                    core::ptr::null()
                }
            })
        };
        let symbols: Vec<_> = FUNCTIONS.iter().map(|function| function.symbol).collect();
        assert_eq!(asked, symbols);
        assert_eq!(table.missing().len(), symbols.len() - 1);
        let mut answer = 0;
        // SAFETY: valid arguments.
        let result = unsafe { table.cuDriverGetVersion(&mut answer) };
        assert_eq!((result, answer), (CUDA_SUCCESS, 4711));
        // SAFETY: valid arguments.
        let result = unsafe { table.cuInit(0) };
        assert_eq!(result, CUDA_ERROR_NOT_SUPPORTED);
    }
}
