//! Type codes.

use std::fmt;
use std::sync::Arc;

use super::{ArrayType, Field, Layout, RecordType, TupleType, Type};

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Bool => f.write_str("bool"),
            Self::Int { bits, signed: true } => write!(f, "int{bits}"),
            Self::Int { bits, .. } => write!(f, "uint{bits}"),
            Self::Float(bits) => write!(f, "float{bits}"),
            Self::BFloat16 => f.write_str("bfloat16"),
            Self::Complex(bits) => write!(f, "complex{bits}"),
            Self::Time { date, unit } => {
                let name = if *date { "datetime64" } else { "timedelta64" };
                write!(f, "{name}({unit})")
            }
            Self::Chars { unicode, length } => {
                write!(f, "{}({length})", if *unicode { "unicode" } else { "char" })
            }
            Self::Array(array) => {
                let layout = match array.layout {
                    Layout::C => 'C',
                    Layout::F => 'F',
                    Layout::A => 'A',
                };
                let read_only = if array.mutable { "" } else { ",ro" };
                write!(
                    f,
                    "array({},{},{layout}{read_only})",
                    array.element, array.ndim
                )
            }
            Self::Tuple(tuple) => match &tuple.names {
                None => {
                    f.write_str("tuple(")?;
                    for (index, item) in tuple.items.iter().enumerate() {
                        write!(f, "{}{item}", if index > 0 { "," } else { "" })?;
                    }
                    f.write_str(")")
                }
                Some((name, fields)) => {
                    write!(f, "named({name};")?;
                    for (index, (field, item)) in fields.iter().zip(&tuple.items).enumerate() {
                        write!(f, "{}{field}:{item}", if index > 0 { "," } else { "" })?;
                    }
                    f.write_str(")")
                }
            },
            Self::Record(record) => {
                write!(f, "record({},{};", record.size, record.align)?;
                for (index, field) in record.fields.iter().enumerate() {
                    let comma = if index > 0 { "," } else { "" };
                    write!(f, "{comma}{}:{}:", field.name, field.offset)?;
                    if field.shape.is_empty() {
                        write!(f, "{}", field.ty)?;
                    } else {
                        let shape: Vec<_> = field.shape.iter().map(u32::to_string).collect();
                        write!(f, "nested({},{})", field.ty, shape.join("x"))?;
                    }
                }
                f.write_str(")")
            }
            Self::Pointer(to) => write!(f, "ptr({to})"),
            Self::Str => f.write_str("str"),
            Self::Vector(element, count) => write!(f, "vector({element},{count})"),
            Self::Opaque(name) => write!(f, "opaque({name})"),
            Self::Never => f.write_str("never"),
        }
    }
}

/// Deeper types are refused: no program has them, and the reader recurses.
const MOST_NESTED: u32 = 32;

struct Reader<'a> {
    text: &'a str,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn take(&mut self, sign: char) -> Option<()> {
        self.text = self.text.trim_start().strip_prefix(sign)?;
        Some(())
    }

    /// The text up to one of these characters, none of which is taken.
    fn until(&mut self, ends: &[char]) -> &'a str {
        let end = self.text.find(ends).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        word.trim()
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.until(&[',', ')', ';', ':', 'x']).parse().ok()
    }

    fn ty(&mut self) -> Option<Type> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return None;
        }
        let read = self.undeep();
        self.depth -= 1;
        read
    }

    fn undeep(&mut self) -> Option<Type> {
        let word = self.until(&['(', ',', ')', ';', ':']);
        if !self.text.starts_with('(') {
            return simple(word);
        }
        self.take('(')?;
        let ty = match word {
            "array" => {
                let element = self.ty()?;
                self.take(',')?;
                let ndim: u8 = self.number()?;
                self.take(',')?;
                let layout = match self.until(&[',', ')']) {
                    "C" => Layout::C,
                    "F" => Layout::F,
                    "A" => Layout::A,
                    _ => return None,
                };
                let mutable = match self.take(',') {
                    Some(()) => match self.until(&[')']) {
                        "ro" => false,
                        _ => return None,
                    },
                    None => true,
                };
                Type::Array(Arc::new(ArrayType {
                    element,
                    ndim,
                    layout: if ndim <= 1 && layout == Layout::F {
                        Layout::C
                    } else {
                        layout
                    },
                    mutable,
                    shape: None,
                }))
            }
            "tuple" => {
                let mut items = Vec::new();
                if !self.text.starts_with(')') {
                    items.push(self.ty()?);
                    while self.take(',').is_some() {
                        items.push(self.ty()?);
                    }
                }
                Type::tuple(items)
            }
            "named" => {
                let name = self.until(&[';', ')']).to_owned();
                self.take(';')?;
                let (mut names, mut items) = (Vec::new(), Vec::new());
                while !self.text.starts_with(')') {
                    names.push(self.until(&[':', ')']).to_owned());
                    self.take(':')?;
                    items.push(self.ty()?);
                    if self.take(',').is_none() {
                        break;
                    }
                }
                Type::Tuple(Arc::new(TupleType {
                    items,
                    names: Some((name, names)),
                }))
            }
            "record" => {
                let size = self.number()?;
                self.take(',')?;
                let align = self.number()?;
                self.take(';')?;
                let mut fields = Vec::new();
                while !self.text.starts_with(')') {
                    let name = self.until(&[':', ')']).to_owned();
                    self.take(':')?;
                    let offset = self.number()?;
                    self.take(':')?;
                    let (ty, shape) = self.field()?;
                    fields.push(Field {
                        name,
                        offset,
                        ty,
                        shape,
                    });
                    if self.take(',').is_none() {
                        break;
                    }
                }
                Type::Record(Arc::new(RecordType {
                    size,
                    align,
                    fields,
                }))
            }
            "ptr" => Type::Pointer(Arc::new(self.ty()?)),
            "vector" => {
                let element = self.ty()?;
                self.take(',')?;
                Type::Vector(Arc::new(element), self.number()?)
            }
            "opaque" => Type::Opaque(self.until(&[')']).into()),
            "char" | "unicode" => Type::Chars {
                unicode: word == "unicode",
                length: self.number()?,
            },
            "datetime64" | "timedelta64" => Type::Time {
                date: word == "datetime64",
                unit: self.until(&[')']).into(),
            },
            _ => return None,
        };
        self.take(')')?;
        Some(ty)
    }

    fn field(&mut self) -> Option<(Type, Vec<u32>)> {
        let Some(rest) = self.text.strip_prefix("nested(") else {
            return Some((self.ty()?, Vec::new()));
        };
        self.text = rest;
        let ty = self.ty()?;
        self.take(',')?;
        let shape = self.until(&[')']).split('x').map(|n| n.parse().ok());
        let shape = shape.collect::<Option<_>>()?;
        self.take(')')?;
        Some((ty, shape))
    }
}

fn simple(word: &str) -> Option<Type> {
    Some(match word {
        "none" => Type::None,
        "bool" => Type::Bool,
        "int8" => super::INT8,
        "int16" => super::INT16,
        "int32" => super::INT32,
        "int64" => super::INT64,
        "uint8" => super::UINT8,
        "uint16" => super::UINT16,
        "uint32" => super::UINT32,
        "uint64" => super::UINT64,
        "float16" => super::FLOAT16,
        "float32" => super::FLOAT32,
        "float64" => super::FLOAT64,
        "bfloat16" => Type::BFloat16,
        "complex64" => super::COMPLEX64,
        "complex128" => super::COMPLEX128,
        "str" => Type::Str,
        _ => return None,
    })
}

impl Type {
    /// Reads a type code.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { text, depth: 0 };
        let ty = reader.ty()?;
        reader.text.trim().is_empty().then_some(ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        for text in [
            "int64",
            "bool",
            "none",
            "array(float32,2,C)",
            "array(complex64,3,A,ro)",
            "tuple()",
            "tuple(int64,tuple(float32,bool))",
            "named(Point;x:int64,y:array(float32,1,C))",
            "record(24,8;x:0:float32,y:8:nested(int32,3x4))",
            "ptr(float32)",
            "datetime64(ns)",
            "char(5)",
            "vector(float32,4)",
        ] {
            assert_eq!(Type::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "int65",
            "array(float32,2)",
            "tuple(",
            "int64)",
            "record(1,1;x:0)",
        ] {
            assert_eq!(Type::parse(text), None, "{text}");
        }
        assert_eq!(Type::parse(&"tuple(".repeat(5000)), None);
    }
}
