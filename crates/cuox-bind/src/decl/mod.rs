//! The declarations of a header.
//!
//! A [`Header`] is plain data: declarations refer to each other by index, names are the header's, sizes and offsets are
//! those of its target. It says nothing about Python.

mod brief;
mod check;
pub mod doxygen;
pub mod file;
mod hide;
mod text;

use serde::{Deserialize, Serialize};

/// Index of a record of a [`Header`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RecordId(pub u32);
/// Index of an enumeration of a [`Header`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EnumId(pub u32);
/// Index of a typedef of a [`Header`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypedefId(pub u32);

/// The declarations of one or several headers, read together for one target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// A name for people: the first file's.
    pub name: String,
    /// The target's triple, such as `x86_64-unknown-linux-gnu`. Sizes and offsets are only right there.
    pub target: String,
    /// The files that declarations come from, by the name they were included with; [`Place::file`] is an index.
    pub files: Vec<String>,
    /// Structures and unions.
    pub records: Vec<Record>,
    /// Enumerations.
    pub enums: Vec<Enum>,
    /// Typedefs.
    pub typedefs: Vec<Typedef>,
    /// Functions that have a symbol.
    pub functions: Vec<Function>,
    /// Global variables that have a symbol.
    pub variables: Vec<Variable>,
    /// Macros and constant variables with a value that is known.
    pub constants: Vec<Constant>,
    /// Declarations that cannot be expressed here, and why.
    pub refused: Vec<Refused>,
}

/// The file and line of a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// An index into [`Header::files`].
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
}

/// A type of C.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    /// `void`: a result, or the pointee of an untyped pointer.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer that is not `_Bool` and not an enumeration.
    Int(Int),
    /// `float`, `double` or `long double`.
    Float(Float),
    /// `_Complex` of a float.
    Complex(Float),
    /// A pointer. A pointer to a [`Type::Function`] is a callback.
    Pointer {
        /// The pointee.
        #[serde(deserialize_with = "file::nested::deserialize")]
        to: Box<Type>,
        /// True if the pointee is `const`.
        constant: bool,
    },
    /// An array; as a parameter it has become a [`Type::Pointer`] already.
    Array {
        /// The type of the elements.
        #[serde(deserialize_with = "file::nested::deserialize")]
        of: Box<Type>,
        /// The number of elements; `None` for a flexible array member.
        length: Option<u64>,
    },
    /// A structure or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// A name for another type.
    Typedef(TypedefId),
    /// A function; only ever behind a pointer.
    Function(#[serde(deserialize_with = "file::nested::deserialize")] Box<FunctionType>),
    /// `va_list`.
    VaList,
    /// A type that cannot be passed; the text is C's. What uses it is in [`Header::refused`] unless it is behind a
    /// pointer.
    Other(String),
}

impl Type {
    /// A pointer to what is not `const`.
    pub fn pointer_to(to: Self) -> Self {
        Self::Pointer {
            to: Box::new(to),
            constant: false,
        }
    }
}

/// An integer type by its size. `char` is apart, since text is made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Int {
    /// Plain `char`, which is signed or not as the target likes ([`Int::signed`] says it is, as on x86-64).
    Char,
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
    /// `wchar_t` (32 bits, signed).
    WChar,
}

impl Int {
    /// Its size in bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::Char | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::WChar => 4,
            Self::I64 | Self::U64 => 8,
            Self::I128 | Self::U128 => 16,
        }
    }

    /// True if it holds negative values.
    pub const fn signed(self) -> bool {
        !matches!(
            self,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::U128
        )
    }
}

/// A floating-point type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Float {
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// `long double` (80 bits in 16 bytes).
    Long,
}

/// The parameters and the result of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FunctionType {
    /// The parameters' names (empty where there is none) and types.
    pub parameters: Vec<(String, Type)>,
    /// The result.
    pub result: Type,
    /// True if it ends in `...`.
    pub variadic: bool,
}

/// A structure or union.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its tag; for one without, the typedef's name, or the outer record's and the field's:
    /// `CUlaunchAttributeValue_clusterDim`.
    pub name: String,
    /// True if `name` is a tag, which C writes with `struct` or `union` before it.
    pub tagged: bool,
    /// True if it is a union.
    pub union: bool,
    /// Size in bytes; `None` for one that is only declared, of which there are only pointers.
    pub size: Option<u64>,
    /// Alignment in bytes; 0 where the size is not known.
    pub align: u64,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// The comment before it, without its stars.
    pub doc: Option<String>,
    /// The place where it is defined, or first declared.
    pub place: Place,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its name; empty for an anonymous record, whose fields are reached as the outer one's.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The offset in bits.
    pub offset: u64,
    /// A bit-field's width, in bits.
    pub bits: Option<u32>,
    /// True if it is `const`.
    pub constant: bool,
    /// The comment before or behind it.
    pub doc: Option<String>,
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Enum {
    /// Its tag, or the typedef's name; empty for an anonymous one, whose values are constants.
    pub name: String,
    /// True if `name` is a tag.
    pub tagged: bool,
    /// The integer that holds it.
    pub underlying: Int,
    /// Its constants in order; two may share a value.
    pub values: Vec<EnumValue>,
    /// The comment before it.
    pub doc: Option<String>,
    /// The place where it is defined.
    pub place: Place,
}

/// A constant of an enumeration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnumValue {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i128,
    /// The comment before or behind it.
    pub doc: Option<String>,
}

/// A name for a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Typedef {
    /// The name.
    pub name: String,
    /// The type that it stands for.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The comment before it.
    pub doc: Option<String>,
    /// The place where it is declared.
    pub place: Place,
}

/// A function with a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Its name in C.
    pub name: String,
    /// The symbol a library exports it by (another one where an `asm` label or a macro renames it).
    pub symbol: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its result.
    pub result: Type,
    /// True if it ends in `...`, or is declared without a prototype (`int f();`), which C calls in the same way.
    pub variadic: bool,
    /// The comment before it.
    pub doc: Option<String>,
    /// The text of a `deprecated` attribute (empty where it has none).
    pub deprecated: Option<String>,
    /// The place where it is declared.
    pub place: Place,
}

impl Function {
    /// The beginning of the symbols of functions that no library exports: `static inline` ones, which can be compiled.
    pub const INLINE: &str = "cuox_inline_";
    /// The beginning of the symbols of functions that convert their arguments themselves, by code of an interface file.
    pub const CONVERTING: &str = "cuox_python_";
    /// Their parameter for the further arguments.
    pub const REST: &str = "varargs";

    /// True if it is only in the header.
    pub fn is_inline(&self) -> bool {
        self.symbol.starts_with(Self::INLINE)
    }

    /// The symbol of the function that takes and returns what C does.
    pub fn plain_symbol(&self) -> &str {
        match self.symbol.starts_with(Self::CONVERTING) {
            true => &self.name,
            false => &self.symbol,
        }
    }

    /// True if its last parameter is a tuple of the further arguments.
    pub fn takes_rest(&self) -> bool {
        self.symbol.starts_with(Self::CONVERTING)
            && self.variadic
            && self
                .parameters
                .last()
                .is_some_and(|it| it.name == Self::REST)
    }
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name; empty where the header gives none.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Its default (C++ only), where that is a constant.
    pub default: Option<Value>,
    /// True if the header says that it is never null (`nonnull`, `_Nonnull`, a C++ reference).
    pub nonnull: bool,
    /// The number of elements of a parameter that is declared as an array.
    pub elements: Option<Elements>,
}

impl Parameter {
    /// False if the header says that it is an array of several values.
    pub fn may_be_one(&self) -> bool {
        matches!(self.elements, None | Some(Elements::Number(0 | 1)))
    }
}

/// A number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Elements {
    /// A constant: `const double a[3]`.
    Number(u64),
    /// The value of the function's parameter with this index: `(int n, const double a[n])`.
    Parameter(u32),
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name in C.
    pub name: String,
    /// The symbol a library exports it by: another one where a macro is a name for it (`#define stdlog g_log`).
    pub symbol: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// True if it is `const`.
    pub constant: bool,
    /// The comment before it.
    pub doc: Option<String>,
    /// The place where it is declared.
    pub place: Place,
}

impl Variable {
    /// True for a macro whose value C computes: the symbol is that of a function that returns where it is.
    pub fn is_inline(&self) -> bool {
        self.symbol.starts_with(Function::INLINE)
    }
}

/// A name with a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Constant {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Value,
    /// For a number that a macro makes a pointer to a function, the typedef that it is cast to (empty for none).
    pub function: Option<String>,
    /// The comment before it.
    pub doc: Option<String>,
    /// The place where it is defined.
    pub place: Place,
}

/// A value that is known without running anything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Of any integer type, or of an enumeration.
    Int(i128),
    /// Of any floating-point type.
    Float(f64),
    /// Of a string literal, without the NUL at its end.
    Text(Vec<u8>),
    /// A null pointer.
    Null,
}

/// A declaration that cannot be expressed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// Its name.
    pub name: String,
    /// The kind of declaration: `function`, `macro`, ….
    pub kind: String,
    /// The reason, as a sentence that stands alone.
    pub reason: String,
    /// The place where it is declared.
    pub place: Place,
}

impl Header {
    /// A record by its index.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// An enumeration by its index.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// A typedef by its index.
    pub fn typedef(&self, id: TypedefId) -> &Typedef {
        &self.typedefs[id.0 as usize]
    }

    /// Takes out functions and macros that are only in the header, for whoever does not compile them.
    pub fn without_inline(&mut self) {
        self.variables.retain(|it| !it.is_inline());
        let (inline, others) = std::mem::take(&mut self.functions)
            .into_iter()
            .partition(Function::is_inline);
        self.functions = others;
        let inline: Vec<Function> = inline;
        self.refused.extend(inline.into_iter().map(|it| Refused {
            reason: format!("`{}` is static: no library exports it", it.name),
            name: it.name,
            kind: "function".to_owned(),
            place: it.place,
        }));
    }

    /// A type with its typedefs looked through, at the top only.
    pub fn resolve<'a>(&'a self, mut ty: &'a Type) -> &'a Type {
        while let Type::Typedef(id) = ty {
            ty = &self.typedef(*id).ty;
        }
        ty
    }
}
