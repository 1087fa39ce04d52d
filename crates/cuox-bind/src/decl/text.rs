//! Declarations as C writes them.

use std::fmt::{self, Display, Write as _};

use super::{
    Constant, Elements, Enum, Field, Float, Function, FunctionType, Header, Int, Place, Record,
    Type, Value, Variable,
};

impl Int {
    /// The type as C writes it, for x86-64.
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
    /// The type as C writes it.
    pub const fn c_name(self) -> &'static str {
        match self {
            Self::F32 => "float",
            Self::F64 => "double",
            Self::Long => "long double",
        }
    }
}

/// Puts something before a declarator: a name needs a space, a star or bracket may follow a star at once.
fn join(before: &str, declarator: &str) -> String {
    match declarator.is_empty() || before.is_empty() {
        true => format!("{before}{declarator}"),
        false if before.ends_with('*') => format!("{before}{declarator}"),
        false => format!("{before} {declarator}"),
    }
}

impl Header {
    /// A type as C writes it: `const char *`.
    pub fn c_type(&self, ty: &Type) -> String {
        self.declarator(ty, String::new(), false)
    }

    /// A declaration of a name, without the semicolon: `int (*compare)(const void *, const void *)`.
    pub fn declare(&self, ty: &Type, name: &str) -> String {
        self.declarator(ty, name.to_owned(), false)
    }

    /// A function's declaration, without the semicolon.
    pub fn prototype(&self, function: &Function) -> String {
        let parameters = function.parameters.iter().map(|p| (p.name.as_str(), &p.ty));
        let list = self.parameter_list(parameters, function.variadic);
        self.declarator(
            &function.result,
            format!("{}({list})", function.name),
            false,
        )
    }

    /// The file and line of a declaration: `foo.h:12`.
    pub fn place(&self, place: Place) -> String {
        let file = self.files.get(place.file as usize);
        format!("{}:{}", file.map_or("?", String::as_str), place.line)
    }

    fn declarator(&self, ty: &Type, inner: String, constant: bool) -> String {
        let base = |name: &str| {
            let name = if constant {
                format!("const {name}")
            } else {
                name.to_owned()
            };
            join(&name, &inner)
        };
        match ty {
            Type::Void => base("void"),
            Type::Bool => base("_Bool"),
            Type::Int(int) => base(int.c_name()),
            Type::Float(float) => base(float.c_name()),
            Type::Complex(float) => base(&format!("{} _Complex", float.c_name())),
            Type::Record(id) => base(&self.records.get(id.0 as usize).map_or_else(
                || "struct ?".into(),
                |r| tag(&r.name, r.tagged, if r.union { "union" } else { "struct" }),
            )),
            Type::Enum(id) => base(&self.enums.get(id.0 as usize).map_or_else(
                || "enum ?".into(),
                |e| match e.name.is_empty() {
                    true => e.underlying.c_name().into(),
                    false => tag(&e.name, e.tagged, "enum"),
                },
            )),
            Type::Typedef(id) => base(
                self.typedefs
                    .get(id.0 as usize)
                    .map_or("?", |t| t.name.as_str()),
            ),
            Type::VaList => base("va_list"),
            Type::Other(text) => base(text),
            Type::Pointer {
                to,
                constant: const_target,
            } => {
                let star = if constant {
                    join("*const", &inner)
                } else {
                    format!("*{inner}")
                };
                let star = match **to {
                    Type::Array { .. } | Type::Function(_) => format!("({star})"),
                    _ => star,
                };
                self.declarator(to, star, *const_target)
            }
            Type::Array { of, length } => {
                let length = length.map_or(String::new(), |n| n.to_string());
                self.declarator(of, format!("{inner}[{length}]"), constant)
            }
            Type::Function(function) => {
                let FunctionType {
                    parameters,
                    result,
                    variadic,
                } = &**function;
                let parameters = parameters.iter().map(|(name, ty)| (name.as_str(), ty));
                let list = self.parameter_list(parameters, *variadic);
                self.declarator(result, format!("{inner}({list})"), false)
            }
        }
    }

    fn parameter_list<'a>(
        &self,
        parameters: impl Iterator<Item = (&'a str, &'a Type)>,
        variadic: bool,
    ) -> String {
        let mut list: Vec<String> = parameters
            .map(|(name, ty)| self.declare(ty, name))
            .collect();
        match (list.is_empty(), variadic) {
            (true, true) => return String::new(),
            (true, false) => list.push("void".into()),
            (false, true) => list.push("...".into()),
            (false, false) => {}
        }
        list.join(", ")
    }
}

fn tag(name: &str, tagged: bool, keyword: &str) -> String {
    match tagged {
        true => format!("{keyword} {name}"),
        false => name.to_owned(),
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Text(bytes) => write!(f, "\"{}\"", bytes.escape_ascii()),
            Value::Null => f.write_str("NULL"),
        }
    }
}

/// All declarations as C, with facts that C cannot express in comments: tests compare this text, and people read it.
impl Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in &self.records {
            self.show_doc(f, "", record.doc.as_deref())?;
            self.show_record(f, record)?;
        }
        for enumeration in &self.enums {
            self.show_doc(f, "", enumeration.doc.as_deref())?;
            self.show_enum(f, enumeration)?;
        }
        for typedef in &self.typedefs {
            self.show_doc(f, "", typedef.doc.as_deref())?;
            let text = self.declare(&typedef.ty, &typedef.name);
            writeln!(f, "typedef {text}; // {}", self.place(typedef.place))?;
        }
        for function in &self.functions {
            self.show_doc(f, "", function.doc.as_deref())?;
            self.show_function(f, function)?;
        }
        for variable in &self.variables {
            let Variable {
                name,
                symbol,
                ty,
                constant,
                doc,
                place,
            } = variable;
            self.show_doc(f, "", doc.as_deref())?;
            let text = self.declarator(ty, name.clone(), *constant);
            let label = match symbol == name {
                true => String::new(),
                false => format!(" asm(\"{symbol}\")"),
            };
            writeln!(f, "extern {text}{label}; // {}", self.place(*place))?;
        }
        for constant in &self.constants {
            let Constant {
                name,
                value,
                function: _,
                doc,
                place,
            } = constant;
            self.show_doc(f, "", doc.as_deref())?;
            writeln!(f, "#define {name} {value} // {}", self.place(*place))?;
        }
        for refused in &self.refused {
            let place = self.place(refused.place);
            let (kind, name, reason) = (&refused.kind, &refused.name, &refused.reason);
            writeln!(f, "// refused {kind} {name} at {place}: {reason}")?;
        }
        Ok(())
    }
}

impl Header {
    fn show_doc(&self, f: &mut fmt::Formatter<'_>, indent: &str, doc: Option<&str>) -> fmt::Result {
        for line in doc.unwrap_or("").lines() {
            writeln!(f, "{}", format!("{indent}/// {line}").trim_end())?;
        }
        Ok(())
    }

    fn show_record(&self, f: &mut fmt::Formatter<'_>, record: &Record) -> fmt::Result {
        let keyword = if record.union { "union" } else { "struct" };
        let place = self.place(record.place);
        let note = if record.tagged { "" } else { ", no tag" };
        let Some(size) = record.size else {
            return writeln!(f, "{keyword} {}; // opaque{note}, {place}", record.name);
        };
        let align = record.align;
        let name = &record.name;
        writeln!(
            f,
            "{keyword} {name} {{ // size {size}, align {align}{note}, {place}"
        )?;
        for field in &record.fields {
            let Field {
                name,
                ty,
                offset,
                bits,
                constant,
                doc,
            } = field;
            self.show_doc(f, "    ", doc.as_deref())?;
            let mut text = self.declarator(ty, name.clone(), *constant);
            if let Some(bits) = bits {
                write!(text, " : {bits}")?;
            }
            match (offset / 8, offset % 8) {
                (bytes, 0) => writeln!(f, "    {text}; // at {bytes}")?,
                (bytes, rest) => writeln!(f, "    {text}; // at {bytes}, bit {rest}")?,
            }
        }
        writeln!(f, "}};")
    }

    fn show_enum(&self, f: &mut fmt::Formatter<'_>, enumeration: &Enum) -> fmt::Result {
        let Enum {
            name,
            tagged,
            underlying,
            values,
            doc: _,
            place,
        } = enumeration;
        let note = if *tagged || name.is_empty() {
            ""
        } else {
            ", no tag"
        };
        let head = join("enum", name);
        let (held_by, place) = (underlying.c_name(), self.place(*place));
        writeln!(f, "{head} {{ // {held_by}{note}, {place}")?;
        for value in values {
            self.show_doc(f, "    ", value.doc.as_deref())?;
            writeln!(f, "    {} = {},", value.name, value.value)?;
        }
        writeln!(f, "}};")
    }

    fn show_function(&self, f: &mut fmt::Formatter<'_>, function: &Function) -> fmt::Result {
        write!(f, "{}; // ", self.prototype(function))?;
        if function.symbol != function.name {
            write!(f, "symbol {}, ", function.symbol)?;
        }
        for (index, parameter) in function.parameters.iter().enumerate() {
            if parameter.nonnull {
                write!(f, "{} nonnull, ", index + 1)?;
            }
            match parameter.elements {
                Some(Elements::Number(number)) => write!(f, "{} is [{number}], ", index + 1)?,
                Some(Elements::Parameter(of)) => write!(f, "{} is [{}], ", index + 1, of + 1)?,
                None => {}
            }
            if let Some(default) = &parameter.default {
                write!(f, "{} defaults to {default}, ", index + 1)?;
            }
        }
        match function.deprecated.as_deref() {
            Some("") => f.write_str("deprecated, ")?,
            Some(text) => write!(f, "deprecated ({text}), ")?,
            None => {}
        }
        writeln!(f, "{}", self.place(function.place))
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
                elements: None,
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
