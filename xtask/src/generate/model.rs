//! Declarations that the parser finds in a header.

use std::collections::BTreeMap;

/// A C type, as far as `cuda.h` needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CType {
    /// A named type or a built-in one in its normal spelling, such as `unsigned int`.
    Base { name: String, is_const: bool },
    /// A pointer.
    Pointer { to: Box<CType>, is_const: bool },
    /// A fixed array; the length's expression in C, replaced by its value once it has been measured.
    Array { of: Box<CType>, length: String },
}

impl CType {
    /// The type as C writes it (without a declarator for arrays, which only fields have).
    pub fn spelled(&self) -> String {
        match self {
            CType::Base { name, is_const } => {
                if *is_const {
                    format!("const {name}")
                } else {
                    name.clone()
                }
            }
            CType::Pointer { to, is_const } => {
                let inner = to.spelled();
                let space = if inner.ends_with('*') { "" } else { " " };
                let suffix = if *is_const { " const" } else { "" };
                format!("{inner}{space}*{suffix}")
            }
            CType::Array { of, length } => format!("{}[{length}]", of.spelled()),
        }
    }

    fn is_const(&self) -> bool {
        match self {
            CType::Base { is_const, .. } | CType::Pointer { is_const, .. } => *is_const,
            CType::Array { of, .. } => of.is_const(),
        }
    }

    /// The type as Rust writes it; `prefix` goes before the names that the header defines.
    pub fn rust(&self, prefix: &str) -> String {
        match self {
            CType::Base { name, .. } => match rust_builtin(name) {
                Some(builtin) => builtin.to_owned(),
                None => format!("{prefix}{name}"),
            },
            CType::Pointer { to, .. } => {
                let kind = if to.is_const() { "const" } else { "mut" };
                format!("*{kind} {}", to.rust(prefix))
            }
            CType::Array { of, length } => format!("[{}; {length}]", of.rust(prefix)),
        }
    }
}

/// The Rust name of a type that C or its library defines. The ABI is 64-bit Linux, where `long` is 64 bits wide.
pub fn rust_builtin(name: &str) -> Option<&'static str> {
    Some(match name {
        "void" => "::core::ffi::c_void",
        "char" => "::core::ffi::c_char",
        "signed char" | "int8_t" => "i8",
        "unsigned char" | "uint8_t" => "u8",
        "short" | "int16_t" => "i16",
        "unsigned short" | "uint16_t" => "u16",
        "int" | "int32_t" => "i32",
        "unsigned int" | "uint32_t" => "u32",
        "long" | "long long" | "int64_t" => "i64",
        "unsigned long" | "unsigned long long" | "uint64_t" => "u64",
        "size_t" => "usize",
        "float" => "f32",
        "double" => "f64",
        _ => return None,
    })
}

/// A name that is safe to use as a Rust identifier.
pub fn rust_name(name: &str) -> String {
    const KEYWORDS: &[&str] = &[
        "as", "async", "await", "box", "break", "const", "crate", "dyn", "else", "enum", "extern",
        "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut",
        "pub", "ref", "return", "self", "static", "struct", "super", "trait", "type", "unsafe",
        "use", "where", "while", "yield",
    ];
    if KEYWORDS.contains(&name) {
        format!("{name}_")
    } else {
        name.to_owned()
    }
}

/// A function's parameter.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ctype: CType,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub constants: Vec<String>,
}

/// The type of a field of a record.
#[derive(Clone, Debug)]
pub enum FieldKind {
    /// A value of a type.
    Plain(CType),
    /// A record defined in place; an index into [`Header::records`].
    Nested(usize),
}

/// A field of a structure or union; an anonymous member has no name.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Option<String>,
    pub kind: FieldKind,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The Rust name: the header's `typedef` name, or the outer record's and the field's for one defined in place.
    pub name: String,
    /// The outermost record that holds this one, and where in it, as a C member expression; empty for itself.
    pub root: String,
    pub path: String,
    pub is_union: bool,
    pub over_aligned: bool,
    pub fields: Vec<Field>,
}

/// Another way to define a type.
#[derive(Clone, Debug)]
pub enum Item {
    Enum(Enum),
    /// `typedef struct X_st *X;`
    Handle {
        name: String,
    },
    /// `typedef old name;`
    Alias {
        name: String,
        target: CType,
    },
    /// `typedef void (*name)(...)`
    Callback {
        name: String,
        result: CType,
        params: Vec<Param>,
    },
}

/// A function's declaration.
#[derive(Clone, Debug)]
pub struct Function {
    pub symbol: String,
    pub result: CType,
    pub params: Vec<Param>,
}

/// The default stream that a symbol takes stream 0 for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Plain,
    Ptds,
    Ptsz,
}

impl Class {
    /// The Rust variant and the macro's word for it.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Class::Plain => ("Plain", "plain"),
            Class::Ptds => ("Ptds", "ptds"),
            Class::Ptsz => ("Ptsz", "ptsz"),
        }
    }
}

/// Splits a symbol into base name, version suffix (1 where there is none) and class; and gives the symbol without
/// its class's ending.
pub fn split_symbol(symbol: &str) -> (String, u32, Class, String) {
    let (plain, class) = if let Some(rest) = symbol.strip_suffix("_ptds") {
        (rest, Class::Ptds)
    } else if let Some(rest) = symbol.strip_suffix("_ptsz") {
        (rest, Class::Ptsz)
    } else {
        (symbol, Class::Plain)
    };
    if let Some((base, digits)) = plain.rsplit_once("_v")
        && let Ok(version) = digits.parse()
    {
        return (base.to_owned(), version, class, plain.to_owned());
    }
    (plain.to_owned(), 1, class, plain.to_owned())
}

/// All declarations of the header.
#[derive(Default, Debug)]
pub struct Header {
    pub items: Vec<Item>,
    pub records: Vec<Record>,
    pub functions: Vec<Function>,
    /// Structures and unions that C knows by their tag only: whether it is a union, and the tag.
    pub tags: Vec<(bool, String)>,
    /// Object-like macros with a value: name and text.
    pub macros: Vec<(String, String)>,
    /// The documentation group of a function's base name.
    pub groups: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_split_into_base_version_and_class() {
        let split = |symbol| {
            let (base, version, class, plain) = split_symbol(symbol);
            (base, version, class, plain)
        };
        assert_eq!(
            split("cuInit"),
            ("cuInit".into(), 1, Class::Plain, "cuInit".into())
        );
        assert_eq!(
            split("cuMemcpyHtoD_v2_ptds"),
            (
                "cuMemcpyHtoD".into(),
                2,
                Class::Ptds,
                "cuMemcpyHtoD_v2".into()
            )
        );
        assert_eq!(
            split("cuLaunchKernel_ptsz"),
            (
                "cuLaunchKernel".into(),
                1,
                Class::Ptsz,
                "cuLaunchKernel".into()
            )
        );
    }

    #[test]
    fn pointer_constness_is_that_of_what_is_pointed_at() {
        let text = CType::Base {
            name: "char".into(),
            is_const: true,
        };
        let out = CType::Pointer {
            to: Box::new(CType::Pointer {
                to: Box::new(text),
                is_const: false,
            }),
            is_const: false,
        };
        assert_eq!(out.rust(""), "*mut *const ::core::ffi::c_char");
        assert_eq!(out.spelled(), "const char **");
    }
}
