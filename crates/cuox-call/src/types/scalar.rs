//! Scalars of C.

/// A scalar of C as it is passed and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F32,
    F64,
    /// `long double`: 80 bits in 16 bytes; a Python float, rounded both ways.
    Long,
    /// A data pointer: an int in Python, when it is a value.
    Pointer,
}

impl Scalar {
    /// Its size in bytes, which is its alignment too.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::Pointer => 8,
            Self::I128 | Self::U128 | Self::Long => 16,
        }
    }

    /// True if it is an integer with negative values.
    #[inline]
    pub const fn signed(self) -> bool {
        matches!(
            self,
            Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::I128
        )
    }

    /// True if it is `float`, `double` or `long double`.
    #[inline]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64 | Self::Long)
    }

    /// The least and the greatest value of an integer of at most 64 bits.
    #[inline]
    pub const fn range(self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Bool => (0, 1),
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => {
                let half = 1i128 << (8 * self.size() - 1);
                (-half, half - 1)
            }
            Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::Pointer => {
                (0, (1i128 << (8 * self.size())) - 1)
            }
            _ => return None,
        })
    }

    /// The name of a scalar as an element, which is NumPy's if it has one.
    #[inline]
    pub const fn element_name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "int8",
            Self::U8 => "uint8",
            Self::I16 => "int16",
            Self::U16 => "uint16",
            Self::I32 => "int32",
            Self::U32 => "uint32",
            Self::I64 => "int64",
            Self::U64 => "uint64",
            Self::I128 => "__int128",
            Self::U128 => "unsigned __int128",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::Long => "long double",
            Self::Pointer => "pointers",
        }
    }

    /// The name of the type in C.
    pub const fn c_type(self) -> &'static str {
        match self {
            Self::Bool => "_Bool",
            Self::I8 => "signed char",
            Self::U8 => "unsigned char",
            Self::I16 => "short",
            Self::U16 => "unsigned short",
            Self::I32 => "int",
            Self::U32 => "unsigned int",
            Self::I64 => "long",
            Self::U64 => "unsigned long",
            Self::I128 => "__int128",
            Self::U128 => "unsigned __int128",
            Self::F32 => "float",
            Self::F64 => "double",
            Self::Long => "long double",
            Self::Pointer => "void *",
        }
    }
}

/// The least and greatest value of an integer of so many bits.
#[inline]
pub const fn limits(signed: bool, bits: u32) -> (i128, u128) {
    if signed {
        let most = i128::MAX >> (128 - bits);
        (-most - 1, most as u128)
    } else {
        (0, u128::MAX >> (128 - bits))
    }
}
