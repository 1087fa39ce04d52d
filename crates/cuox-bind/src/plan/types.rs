//! Questions about C types that plans depend on.

use crate::decl::{Float, FunctionType, Header, Int, Type, Value};
use crate::words::words;

/// The type that a pointer points at, with typedefs looked through, and true if it is constant.
pub(crate) fn pointee<'a>(header: &'a Header, ty: &'a Type) -> Option<(&'a Type, bool)> {
    match header.resolve(ty) {
        Type::Pointer { to, constant } => Some((header.resolve(to), *constant)),
        _ => None,
    }
}

/// True for a pointer to bytes whose type's name says that they are characters, such as libxml2's `xmlChar`.
pub(crate) fn named_characters(header: &Header, ty: &Type) -> bool {
    let Type::Pointer { to, .. } = header.resolve(ty) else {
        return false;
    };
    let (Type::Typedef(id), Type::Int(Int::U8)) = (&**to, header.resolve(to)) else {
        return false;
    };
    // `u_char` is any byte.
    let words = words(&header.typedef(*id).name);
    words.iter().any(|it| it == "char" || it == "char8")
        && !words
            .iter()
            .any(|it| ["u", "unsigned"].contains(&it.as_str()))
}

/// True for `PyObject *`.
pub(crate) fn is_object(header: &Header, ty: &Type) -> bool {
    matches!(pointee(header, ty), Some((Type::Record(id), _)) if header.record(*id).name == OBJECT)
}

/// The tag of Python's objects.
pub(crate) const OBJECT: &str = "_object";

/// The function that a pointer points at.
pub(crate) fn callback<'a>(header: &'a Header, ty: &'a Type) -> Option<&'a FunctionType> {
    match pointee(header, ty) {
        Some((Type::Function(function), _)) => Some(function),
        _ => None,
    }
}

/// The integer that a value is passed as: an enumeration's integer too, but not `_Bool`.
pub(crate) fn integer(header: &Header, ty: &Type) -> Option<Int> {
    match header.resolve(ty) {
        Type::Int(int) => Some(*int),
        Type::Enum(id) => Some(header.enumeration(*id).underlying),
        _ => None,
    }
}

/// True if it is a one-byte integer that text can be made of, or nothing is known of it.
pub(crate) fn is_character(ty: &Type) -> bool {
    matches!(ty, Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8))
}

/// Checks that C can store a value of this type and that it can be read back. The error is the reason why not.
pub(crate) fn storable(header: &Header, ty: &Type) -> Result<(), String> {
    passable(header, ty)
}

/// Checks that a value of this type can be passed. The error is the reason why not.
pub(crate) fn passable(header: &Header, ty: &Type) -> Result<(), String> {
    match header.resolve(ty) {
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) | Type::Pointer { .. } => Ok(()),
        Type::Record(id) if header.record(*id).size.is_some() => Ok(()),
        Type::Record(_) => Err(format!("{} is not defined here", header.c_type(ty))),
        Type::Void => Err("void is not a value".to_owned()),
        Type::Complex(Float::F32 | Float::F64) => Ok(()),
        Type::Complex(_) => Err(format!("{} by value is not supported", header.c_type(ty))),
        Type::Array { .. } => Err(format!("{} is an array, not a value", header.c_type(ty))),
        Type::Function(_) => Err("a function is not a value".to_owned()),
        Type::VaList => Err("a va_list can only be made by C".to_owned()),
        Type::Other(text) => Err(format!("the type {text} is not supported")),
        Type::Typedef(_) => Err("its type is a name for itself".to_owned()),
    }
}

/// The reason why C cannot call a Python callable as this function.
pub(crate) fn not_callable(header: &Header, function: &FunctionType) -> Option<String> {
    if function.variadic {
        return Some("it takes any number of arguments".to_owned());
    }
    let bad = function
        .parameters
        .iter()
        .find_map(|(_, ty)| passable(header, ty).err());
    bad.or_else(|| match header.resolve(&function.result) {
        Type::Void => None,
        _ => passable(header, &function.result).err(),
    })
}

/// Checks that a constant can be passed as this type. The error is the reason why not.
pub(crate) fn fits(header: &Header, value: &Value, ty: &Type) -> Result<(), String> {
    let c_type = || header.c_type(ty);
    match (header.resolve(ty), value) {
        (Type::Pointer { .. }, Value::Null | Value::Int(0)) => Ok(()),
        (Type::Bool, Value::Int(0 | 1)) => Ok(()),
        (Type::Float(_), Value::Float(_) | Value::Int(_)) => Ok(()),
        (Type::Int(_) | Type::Enum(_), Value::Int(value)) => match integer(header, ty) {
            Some(int) if !in_range(int, *value) => {
                Err(format!("{value} does not fit {}", c_type()))
            }
            _ => Ok(()),
        },
        (_, value) => Err(format!("{} is not a value of {}", spell(value), c_type())),
    }
}

fn in_range(int: Int, value: i128) -> bool {
    let bits = 8 * int.size();
    if bits >= 128 {
        return int.signed() || value >= 0;
    }
    let (low, high) = match int.signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    (low..=high).contains(&value)
}

/// A value as Python writes it.
pub(crate) fn spell(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "float(\"nan\")".to_owned(),
        Value::Float(value) if value.is_infinite() => {
            format!("float(\"{}inf\")", if *value < 0.0 { "-" } else { "" })
        }
        Value::Float(value) => format!("{value:?}"),
        Value::Text(bytes) => bytes_literal(bytes),
        Value::Null => "None".to_owned(),
    }
}

/// Bytes as Python writes them: as text if they are UTF-8.
fn bytes_literal(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => string_literal(text),
        Err(_) => {
            let escaped: String = bytes
                .iter()
                .map(|byte| match byte {
                    b'"' | b'\\' => format!("\\{}", *byte as char),
                    b' '..=b'~' => (*byte as char).to_string(),
                    _ => format!("\\x{byte:02x}"),
                })
                .collect();
            format!("b\"{escaped}\"")
        }
    }
}

/// Text as Python writes it.
pub(crate) fn string_literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => literal.extend(['\\', letter]),
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            '\r' => literal.push_str("\\r"),
            _ if letter.is_control() || (!letter.is_ascii() && !letter.is_alphanumeric()) => {
                let code = letter as u32;
                literal.push_str(&match code {
                    0..=0xff => format!("\\x{code:02x}"),
                    0x100..=0xffff => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                });
            }
            _ => literal.push(letter),
        }
    }
    literal.push('"');
    literal
}

/// True if a type is a float of any size.
pub(crate) fn float(header: &Header, ty: &Type) -> Option<Float> {
    match header.resolve(ty) {
        Type::Float(float) => Some(*float),
        _ => None,
    }
}

/// True if a type is `char *`.
pub(crate) fn text(header: &Header, ty: &Type) -> bool {
    pointee(header, ty).is_some_and(|(to, _)| matches!(header.resolve(to), Type::Int(Int::Char)))
}
