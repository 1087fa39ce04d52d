//! Types and functions as C writes them.

use std::fmt::Write;

use super::{Float, Function, FunctionType, Header, Int, Type};

impl Header {
    /// A type as C writes it without a name, such as `const char *`.
    pub fn c_type(&self, ty: &Type) -> String {
        self.declare(ty, "")
    }

    /// A declaration of `name` with this type, such as `int (*compare)(const void *, const void *)`.
    pub fn declare(&self, ty: &Type, name: &str) -> String {
        self.declare_inner(ty, name.to_owned(), false)
    }

    /// A function's prototype, without a semicolon.
    pub fn prototype(&self, function: &Function) -> String {
        let parameters = function.parameters.iter();
        let list = self.list(
            parameters.map(|parameter| (&*parameter.name, &parameter.ty)),
            function.variadic,
        );
        self.declare(&function.result, &format!("{}({list})", function.name))
    }

    /// C's declarators are written from the inside out: `inner` is what has been written so far.
    fn declare_inner(&self, ty: &Type, inner: String, constant: bool) -> String {
        match ty {
            Type::Pointer { to, constant } => {
                let bare = matches!(**to, Type::Array { .. } | Type::Function(_));
                let inner = if bare {
                    format!("(*{inner})")
                } else {
                    format!("*{inner}")
                };
                self.declare_inner(to, inner, *constant)
            }
            Type::Array { of, length } => {
                let length = length.map_or(String::new(), |length| length.to_string());
                self.declare_inner(of, format!("{inner}[{length}]"), constant)
            }
            Type::Function(function) => {
                let FunctionType {
                    parameters,
                    result,
                    variadic,
                } = &**function;
                let parameters = parameters.iter().map(|(name, ty)| (&**name, ty));
                let list = self.list(parameters, *variadic);
                self.declare_inner(result, format!("{inner}({list})"), false)
            }
            _ => {
                let mut text = String::new();
                if constant {
                    text.push_str("const ");
                }
                text.push_str(&self.base(ty));
                if !inner.is_empty() {
                    let _ = write!(text, " {inner}");
                }
                text
            }
        }
    }

    fn list<'a>(
        &self,
        parameters: impl Iterator<Item = (&'a str, &'a Type)>,
        variadic: bool,
    ) -> String {
        let mut texts: Vec<String> = parameters
            .map(|(name, ty)| self.declare(ty, name))
            .collect();
        if variadic {
            texts.push("...".into());
        } else if texts.is_empty() {
            return "void".into();
        }
        texts.join(", ")
    }

    /// A type that is no declarator.
    fn base(&self, ty: &Type) -> String {
        let tag = |tagged: bool, keyword: &str, name: &str| match (tagged, name) {
            (true, _) => format!("{keyword} {name}"),
            (false, "") => format!("{keyword} <unnamed>"),
            (false, _) => name.to_owned(),
        };
        match ty {
            Type::Record(id) => {
                let record = self.record(*id);
                tag(
                    record.tagged,
                    if record.union { "union" } else { "struct" },
                    &record.name,
                )
            }
            Type::Enum(id) => {
                let enumeration = self.enumeration(*id);
                tag(enumeration.tagged, "enum", &enumeration.name)
            }
            Type::Typedef(id) => self.typedef(*id).name.clone(),
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int(int) => int.c_name().into(),
            Type::Float(float) => float.c_name().into(),
            Type::Complex(float) => format!("{} _Complex", float.c_name()),
            Type::VaList => "va_list".into(),
            Type::Other(text) => text.clone(),
            Type::Pointer { .. } | Type::Array { .. } | Type::Function(_) => self.c_type(ty),
        }
    }
}

impl Int {
    /// The C type of this size (on LP64 systems).
    pub const fn c_name(self) -> &'static str {
        match self {
            Self::Char => "char",
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
            Self::WChar => "wchar_t",
        }
    }
}

impl Float {
    /// The C type.
    pub const fn c_name(self) -> &'static str {
        match self {
            Self::F32 => "float",
            Self::F64 => "double",
            Self::Long => "long double",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decl::Parameter;

    fn pointer(to: Type, constant: bool) -> Type {
        Type::Pointer {
            to: Box::new(to),
            constant,
        }
    }

    #[test]
    fn declarators_are_c() {
        let header = Header::default();
        let char_ = || Type::Int(Int::Char);
        assert_eq!(header.c_type(&pointer(char_(), true)), "const char *");
        assert_eq!(
            header.c_type(&pointer(pointer(char_(), true), false)),
            "const char **"
        );
        let compare = Type::Function(Box::new(FunctionType {
            parameters: vec![
                (String::new(), pointer(Type::Void, true)),
                ("b".into(), pointer(Type::Void, true)),
            ],
            result: Type::Int(Int::I32),
            variadic: false,
        }));
        let table = Type::Array {
            of: Box::new(pointer(compare, false)),
            length: Some(3),
        };
        assert_eq!(
            header.declare(&table, "f"),
            "int (*f[3])(const void *, const void *b)"
        );
        let row = Type::Array {
            of: Box::new(Type::Float(Float::F32)),
            length: None,
        };
        assert_eq!(header.declare(&pointer(row, false), "p"), "float (*p)[]");
        let printf = Function {
            name: "printf".into(),
            symbol: "printf".into(),
            parameters: vec![Parameter {
                name: "format".into(),
                ty: pointer(char_(), true),
                default: None,
                nonnull: false,
            }],
            result: Type::Int(Int::I32),
            variadic: true,
            doc: None,
            deprecated: None,
            place: Default::default(),
        };
        assert_eq!(
            header.prototype(&printf),
            "int printf(const char *format, ...)"
        );
    }
}
