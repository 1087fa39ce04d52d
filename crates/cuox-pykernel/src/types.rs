//! The types of values in kernels, and their *type codes*: the text by which Python and Rust tell each other of types.

mod code;
pub mod overload;
pub mod promote;

use std::fmt::Write as _;
use std::sync::Arc;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `None`.
    None,
    /// A bool, one byte.
    Bool,
    /// An integer.
    Int {
        /// 8, 16, 32 or 64.
        bits: u8,
        /// Two's complement.
        signed: bool,
    },
    /// A float of 16, 32 or 64 bits.
    Float(u8),
    /// bfloat16.
    BFloat16,
    /// A complex number of 64 or 128 bits.
    Complex(u8),
    /// `datetime64` and `timedelta64` with their unit: 64-bit integers.
    Time {
        /// `datetime64`.
        date: bool,
        /// `ns`, `D`, …; empty for none.
        unit: Arc<str>,
    },
    /// A NumPy string of a fixed length, in bytes (`S`) or characters (`U`).
    Chars {
        /// `U`: four bytes each.
        unicode: bool,
        /// The number of characters.
        length: u32,
    },
    /// An array.
    Array(Arc<ArrayType>),
    /// A tuple.
    Tuple(Arc<TupleType>),
    /// A record of a structured array, in place or as a value.
    Record(Arc<RecordType>),
    /// A raw pointer.
    Pointer(Arc<Type>),
    /// Text that is known when the kernel is compiled.
    Str,
    /// A vector of CUDA (`float32x4`): element and length.
    Vector(Arc<Type>, u8),
    /// The state of a random number generator, a grid group, …: a type that only functions take. Its name in the
    /// prelude.
    Opaque(Arc<str>),
    /// The result of a call that never returns, or whose type is not known yet.
    Never,
}

/// An array's type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArrayType {
    /// The type of an element.
    pub element: Type,
    /// The number of dimensions.
    pub ndim: u8,
    /// The order in memory.
    pub layout: Layout,
    /// False if the elements cannot be written.
    pub mutable: bool,
    /// The lengths, where they are known when the kernel is compiled: of shared and local arrays and constants.
    pub shape: Option<Arc<[u64]>>,
}

/// The order of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// The last index runs fastest, without gaps.
    C,
    /// The first index runs fastest, without gaps.
    F,
    /// Any strides.
    A,
}

/// A tuple's type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TupleType {
    /// The items.
    pub items: Vec<Type>,
    /// The class and field names of a named tuple or a user's structure.
    pub names: Option<(String, Vec<String>)>,
}

/// A record's type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecordType {
    /// Bytes.
    pub size: u32,
    /// The alignment of the whole.
    pub align: u32,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Bytes from the record's begin.
    pub offset: u32,
    /// The type of the value, or of an element if it is an array.
    pub ty: Type,
    /// The lengths of an array field.
    pub shape: Vec<u32>,
}

pub const BOOL: Type = Type::Bool;
pub const INT8: Type = Type::int(8);
pub const INT16: Type = Type::int(16);
pub const INT32: Type = Type::int(32);
pub const INT64: Type = Type::int(64);
pub const UINT8: Type = Type::uint(8);
pub const UINT16: Type = Type::uint(16);
pub const UINT32: Type = Type::uint(32);
pub const UINT64: Type = Type::uint(64);
pub const FLOAT16: Type = Type::Float(16);
pub const FLOAT32: Type = Type::Float(32);
pub const FLOAT64: Type = Type::Float(64);
pub const COMPLEX64: Type = Type::Complex(64);
pub const COMPLEX128: Type = Type::Complex(128);

impl Type {
    /// A signed integer.
    pub const fn int(bits: u8) -> Self {
        Self::Int { bits, signed: true }
    }

    /// An unsigned integer.
    pub const fn uint(bits: u8) -> Self {
        Self::Int {
            bits,
            signed: false,
        }
    }

    /// An array type whose lengths are known at run time only.
    pub fn array(element: Self, ndim: u8, layout: Layout, mutable: bool) -> Self {
        let layout = if ndim == 1 && layout == Layout::F {
            Layout::C
        } else {
            layout
        };
        Self::Array(Arc::new(ArrayType {
            element,
            ndim,
            layout,
            mutable,
            shape: None,
        }))
    }

    /// A plain tuple.
    pub fn tuple(items: Vec<Self>) -> Self {
        Self::Tuple(Arc::new(TupleType { items, names: None }))
    }

    /// A tuple of equal items.
    pub fn uniform(item: Self, count: usize) -> Self {
        Self::tuple(vec![item; count])
    }

    pub fn is_int(&self) -> bool {
        matches!(self, Self::Int { .. })
    }

    /// An int or a bool.
    pub fn is_integral(&self) -> bool {
        matches!(self, Self::Int { .. } | Self::Bool)
    }

    pub fn is_float(&self) -> bool {
        matches!(self, Self::Float(_) | Self::BFloat16)
    }

    /// Sixteen-bit floats, which are classes in CUDA C++.
    pub fn is_half(&self) -> bool {
        matches!(self, Self::Float(16) | Self::BFloat16)
    }

    pub fn is_complex(&self) -> bool {
        matches!(self, Self::Complex(_))
    }

    pub fn is_unsigned(&self) -> bool {
        matches!(self, Self::Int { signed: false, .. })
    }

    /// A bool, int, float or complex number.
    pub fn is_number(&self) -> bool {
        self.is_integral() || self.is_float() || self.is_complex()
    }

    /// The array's type, if it is one.
    pub fn as_array(&self) -> Option<&Arc<ArrayType>> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The tuple's type, if it is one.
    pub fn as_tuple(&self) -> Option<&Arc<TupleType>> {
        match self {
            Self::Tuple(tuple) => Some(tuple),
            _ => None,
        }
    }

    /// Bytes of a value in memory; `None` for what is never in memory.
    pub fn size(&self) -> Option<u64> {
        Some(match self {
            Self::Bool => 1,
            Self::Int { bits, .. } | Self::Float(bits) | Self::Complex(bits) => {
                u64::from(*bits / 8)
            }
            Self::BFloat16 => 2,
            Self::Time { .. } | Self::Pointer(_) => 8,
            Self::Chars { unicode, length } => u64::from(*length) * if *unicode { 4 } else { 1 },
            Self::Record(record) => u64::from(record.size),
            Self::Vector(element, count) => element.size()? * u64::from(*count),
            Self::Array(array) => {
                let words = if array.layout == Layout::A { 2 } else { 1 };
                8 + 8 * words * u64::from(array.ndim)
            }
            Self::Tuple(tuple) => tuple.layout()?.1,
            Self::None => 1,
            Self::Str | Self::Opaque(_) | Self::Never => return None,
        })
    }

    /// The alignment of a value in memory, as CUDA C++ has it.
    pub fn align(&self) -> Option<u64> {
        Some(match self {
            // That of its parts.
            Self::Complex(bits) => u64::from(*bits / 16),
            Self::Chars { unicode, .. } => {
                if *unicode {
                    4
                } else {
                    1
                }
            }
            Self::Record(record) => u64::from(record.align.max(1)),
            Self::Array(_) => 8,
            Self::Tuple(tuple) => {
                let mut most = 1;
                for item in &tuple.items {
                    most = most.max(item.align()?);
                }
                most
            }
            Self::Vector(element, 1 | 3) => element.size()?,
            Self::Vector(..) => self.size()?.min(16),
            _ => self.size()?,
        })
    }

    /// The type in CUDA C++, with the names of the prelude.
    pub fn cxx(&self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Int { bits, signed: true } => format!("int{bits}"),
            Self::Int { bits, .. } => format!("uint{bits}"),
            Self::Float(bits) => format!("float{bits}"),
            Self::BFloat16 => "bfloat16".to_owned(),
            Self::Complex(bits) => format!("complex{bits}"),
            Self::Time { .. } => "int64".to_owned(),
            Self::Chars { unicode, length } => format!(
                "chars<{}, {length}>",
                if *unicode { "uint32" } else { "uint8" }
            ),
            Self::Array(array) => array.cxx(),
            Self::Tuple(tuple) => {
                let items: Vec<_> = tuple.items.iter().map(Self::cxx).collect();
                format!("tuple<{}>", items.join(", "))
            }
            // A record is where it lies; only arrays have it in place.
            Self::Record(record) => format!("{} *", record.cxx()),
            Self::Pointer(to) => format!("{} *", to.storage()),
            Self::Str => "const char *".to_owned(),
            Self::Vector(element, count) => format!("vec<{}, {count}>", element.cxx()),
            Self::Opaque(name) => name.to_string(),
            Self::Never => "void".to_owned(),
        }
    }

    /// The type of a value in memory: a record's own, where [`Type::cxx`] points to it.
    pub fn storage(&self) -> String {
        match self {
            Self::Record(record) => record.cxx(),
            other => other.cxx(),
        }
    }

    /// The type as messages name it.
    pub fn shown(&self) -> String {
        match self {
            Self::Array(array) => {
                let mut text = format!("array of {}", array.element.shown());
                if array.ndim != 1 {
                    let _ = write!(text, ", {} dimensions", array.ndim);
                }
                text
            }
            Self::Tuple(tuple) => match &tuple.names {
                Some((name, _)) => name.clone(),
                None => {
                    let items: Vec<_> = tuple.items.iter().map(Self::shown).collect();
                    format!("tuple ({})", items.join(", "))
                }
            },
            Self::Record(record) => {
                let names: Vec<_> = record.fields.iter().map(|f| f.name.as_str()).collect();
                format!("record ({})", names.join(", "))
            }
            Self::None => "None".to_owned(),
            Self::Pointer(to) => format!("pointer to {}", to.shown()),
            Self::Str => "str".to_owned(),
            Self::Opaque(name) => name.to_string(),
            Self::Never => "no value".to_owned(),
            Self::Vector(element, count) => format!("{}x{count}", element.shown()),
            _ => self.to_string(),
        }
    }
}

impl RecordType {
    /// That of a structure's fields, as C aligns them and NumPy with `align=True`; `None` if one is no number or
    /// record.
    pub fn of_fields<'a>(fields: impl IntoIterator<Item = (&'a str, &'a Type)>) -> Option<Self> {
        let (mut size, mut align) = (0_u64, 1_u64);
        let mut placed = Vec::new();
        for (name, ty) in fields {
            let ty = match ty {
                Type::Tuple(tuple) => Type::Record(Arc::new(tuple.record()?)),
                ty if ty.is_number() || matches!(ty, Type::Record(_)) => ty.clone(),
                _ => return None,
            };
            let own = ty.align()?;
            let offset = size.next_multiple_of(own);
            size = offset.checked_add(ty.size()?)?;
            align = align.max(own);
            placed.push(Field {
                name: name.to_owned(),
                offset: u32::try_from(offset).ok()?,
                ty,
                shape: Vec::new(),
            });
        }
        Some(Self {
            size: u32::try_from(size.next_multiple_of(align)).ok()?,
            align: u32::try_from(align).ok()?,
            fields: placed,
        })
    }
}

impl TupleType {
    /// The record of a structure's fields; `None` if it is no structure of numbers and records.
    pub fn record(&self) -> Option<RecordType> {
        let (_, names) = self.names.as_ref()?;
        RecordType::of_fields(names.iter().map(String::as_str).zip(&self.items))
    }

    /// The offsets of the items and the size of the whole, as CUDA C++ has them: those of a structure. Items behind the
    /// twelfth are a structure of their own.
    pub fn layout(&self) -> Option<(Vec<u64>, u64)> {
        let (offsets, size, _) = structure(&self.items)?;
        Some((offsets, size.max(1)))
    }
}

/// The items of a tuple that the prelude has as members of one structure.
pub(crate) const FLAT: usize = 12;

/// Offsets, size and alignment of a tuple's items.
fn structure(items: &[Type]) -> Option<(Vec<u64>, u64, u64)> {
    let mut offsets = Vec::with_capacity(items.len());
    let (mut size, mut align) = (0_u64, 1_u64);
    for item in items.iter().take(FLAT) {
        let own = item.align()?;
        let offset = size.next_multiple_of(own);
        offsets.push(offset);
        size = offset + item.size()?;
        align = align.max(own);
    }
    if let Some(rest) = items.get(FLAT..).filter(|rest| !rest.is_empty()) {
        let (inner, inner_size, own) = structure(rest)?;
        let begin = size.next_multiple_of(own);
        offsets.extend(inner.iter().map(|offset| begin + offset));
        size = begin + inner_size;
        align = align.max(own);
    }
    Some((offsets, size.next_multiple_of(align), align))
}

impl ArrayType {
    fn cxx(&self) -> String {
        let layout = match self.layout {
            Layout::C => 'C',
            Layout::F => 'F',
            Layout::A => 'A',
        };
        format!(
            "array<{}, {}, '{layout}'>",
            self.element.storage(),
            self.ndim
        )
    }
}

impl RecordType {
    /// The name of its structure in CUDA C++: by its content, so that equal types are one.
    pub(crate) fn cxx(&self) -> String {
        use std::hash::{Hash, Hasher};
        // Fixed keys: the same name in every process.
        #[expect(
            deprecated,
            reason = "its values do not change from process to process"
        )]
        let mut hasher = std::hash::SipHasher::new();
        self.hash(&mut hasher);
        format!("record_{:08x}", hasher.finish() as u32)
    }

    /// A field by its name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
