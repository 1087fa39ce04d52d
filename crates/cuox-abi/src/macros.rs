//! What the generated lists of types expand to, here and in the crate of the runtime API.

/// An enumeration: an integer that may hold any value, with the header's constants.
#[doc(hidden)]
#[macro_export]
macro_rules! foreign_enum {
    ($name:ident: $integer:ident { $($constant:ident = $value:literal,)* }) => {
        #[doc = concat!("The header's enumeration `", stringify!($name), "`.")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub $integer);

        impl $name {
            $(pub const $constant: $name = $name($value);)*

            /// The names and values as data.
            pub const INFO: &'static EnumInfo = &EnumInfo {
                name: stringify!($name),
                signed: <$integer>::MIN != 0,
                constants: &[$((stringify!($constant), $value),)*],
            };

            /// The header's first name for this value.
            pub fn name(self) -> Option<&'static str> {
                Self::INFO.name_of(i64::from(self.0))
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.name() {
                    Some(name) => formatter.write_str(name),
                    None => write!(formatter, concat!(stringify!($name), "({})"), self.0),
                }
            }
        }

        $(pub const $constant: $name = $name::$constant;)*
    };
}

/// A handle: a pointer to something that only the driver looks into.
#[doc(hidden)]
#[macro_export]
macro_rules! handle {
    ($name:ident) => {
        #[doc = concat!("The header's handle `", stringify!($name), "`.")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub *mut core::ffi::c_void);

        impl $name {
            /// The null handle.
            pub const fn null() -> Self {
                Self(core::ptr::null_mut())
            }

            /// True for the null handle.
            pub fn is_null(self) -> bool {
                self.0.is_null()
            }

            /// The handle with this bit pattern.
            pub const fn from_addr(address: usize) -> Self {
                Self(address as *mut core::ffi::c_void)
            }

            /// The bit pattern.
            pub fn addr(self) -> usize {
                self.0.expose_provenance()
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::null()
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(formatter, concat!(stringify!($name), "({:p})"), self.0)
            }
        }

        // SAFETY: a handle is a name for something of the driver's; having it gives no access to memory.
        unsafe impl Send for $name {}
        // SAFETY: as for `Send`.
        unsafe impl Sync for $name {}
    };
}

/// The header's structures start their life zeroed.
#[doc(hidden)]
#[macro_export]
macro_rules! zeroed_default {
    ($name:ident) => {
        impl Default for $name {
            /// All bytes zero.
            fn default() -> Self {
                // SAFETY: the header's records hold integers, floats, raw pointers, handles and optional functions,
                // for all of which zero is a value.
                unsafe { core::mem::zeroed() }
            }
        }
    };
}

/// Prints a record whose contents depend on a tag by its name alone.
#[doc(hidden)]
#[macro_export]
macro_rules! opaque_debug {
    ($name:ident) => {
        impl core::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    };
}

pub(crate) use {foreign_enum, handle, opaque_debug, zeroed_default};
