//! Element types as other libraries call them: formats of the buffer protocol (PEP 3118) and of `__array_interface__`.

use crate::types::class::{Kind, RecordKind};
use crate::types::scalar::Scalar;
use crate::types::value::{Element, FieldKind, Stored};

/// The letter of the buffer protocol for a number in its standard size, and whether there is one.
pub fn letter(scalar: Scalar) -> Option<&'static str> {
    Some(match scalar {
        Scalar::Bool => "?",
        Scalar::I8 => "b",
        Scalar::U8 => "B",
        Scalar::I16 => "h",
        Scalar::U16 => "H",
        Scalar::I32 => "i",
        Scalar::U32 => "I",
        Scalar::I64 => "q",
        Scalar::U64 | Scalar::Pointer => "Q",
        Scalar::F32 => "f",
        Scalar::F64 => "d",
        Scalar::Long => "g",
        Scalar::I128 | Scalar::U128 => return None,
    })
}

fn number(stored: &Stored) -> Option<Scalar> {
    Some(match stored {
        Stored::Scalar(scalar) | Stored::Enum(scalar, _) => *scalar,
        Stored::Char => Scalar::I8,
        Stored::Handle { class, .. } => match &class.kind {
            Kind::Handle(kind) => kind.scalar,
            _ => Scalar::Pointer,
        },
        Stored::Pointer(_) | Stored::Text { .. } | Stored::Callback(_) => Scalar::Pointer,
        Stored::Record(_) => return None,
    })
}

/// The buffer protocol's format of an element that is not an array.
pub fn buffer(kind: &FieldKind) -> String {
    match kind {
        FieldKind::One(Stored::Record(class)) if class.complex_part().is_some() => {
            match kind.size() {
                8 => "Zf".to_owned(),
                _ => "Zd".to_owned(),
            }
        }
        FieldKind::One(Stored::Record(class)) => match class.as_record() {
            Some(record) => record_format(record),
            None => "B".to_owned(),
        },
        FieldKind::One(stored) => match number(stored).and_then(letter) {
            Some(letter) => letter.to_owned(),
            None => format!("{}x", kind.size()),
        },
        FieldKind::List(_) => "Q".to_owned(),
        other => format!("{}x", other.size()),
    }
}

/// `T{…}` with all padding in it. Unions, and what has no letter, are bytes.
fn record_format(record: &RecordKind) -> String {
    let opaque = || format!("T{{{}s:bytes:}}", record.size);
    if record.union || record.size == 0 {
        return opaque();
    }
    let (mut text, mut at) = ("T{".to_owned(), 0);
    for field in record.fields() {
        let offset = (field.offset / 8) as usize;
        let (element, lengths) = field.kind.innermost();
        if matches!(element, FieldKind::Bits(..)) || lengths.first() == Some(&0) {
            continue;
        }
        // Fields of an anonymous union overlap.
        if offset < at {
            return opaque();
        }
        if offset > at {
            text.push_str(&format!("{}x", offset - at));
        }
        if !lengths.is_empty() {
            let lengths: Vec<_> = lengths.iter().map(u64::to_string).collect();
            text.push_str(&format!("({})", lengths.join(",")));
        }
        let inner = buffer(element);
        // Without alignment and in this machine's order.
        if !inner.starts_with('T') {
            text.push('=');
        }
        text.push_str(&inner);
        text.push_str(&format!(":{}:", field.name));
        at = offset + field.kind.size();
    }
    if record.size > at {
        text.push_str(&format!("{}x", record.size - at));
    }
    text.push('}');
    text
}

/// The array interface's `typestr` of an element that is not an array.
pub fn typestr(kind: &FieldKind) -> String {
    let size = kind.size();
    let code = match kind {
        FieldKind::One(Stored::Record(class)) if class.complex_part().is_some() => "<c",
        FieldKind::One(stored) => match number(stored) {
            Some(Scalar::Bool) => "|b",
            Some(Scalar::I8) => "|i",
            Some(Scalar::U8) => "|u",
            Some(Scalar::F32 | Scalar::F64 | Scalar::Long) => "<f",
            Some(Scalar::I128 | Scalar::U128) | None => "|V",
            Some(scalar) if scalar.signed() => "<i",
            Some(_) => "<u",
        },
        _ => "|V",
    };
    format!("{code}{size}")
}

/// True if memory that a buffer's exporter calls by this format may be used as such elements.
pub fn fits(element: &Element, format: &str, item: usize) -> bool {
    let native = format.trim_start_matches(['@', '=', '<']);
    let class = match native {
        "?" => 'b',
        "b" | "h" | "i" | "l" | "q" | "n" => 'i',
        "B" | "H" | "I" | "L" | "Q" | "N" | "" | "c" => 'u',
        "e" | "f" | "d" | "g" => 'f',
        _ => 'v',
    };
    let number = |scalar: Scalar| match scalar {
        Scalar::Bool => item == 1,
        Scalar::I8 | Scalar::U8 => item == 1,
        Scalar::F32 | Scalar::F64 | Scalar::Long => class == 'f' && item == scalar.size(),
        Scalar::Pointer => matches!(class, 'i' | 'u') && item == 8,
        Scalar::I128 | Scalar::U128 => class == 'v' && item == 16,
        _ => item == scalar.size() && class == if scalar.signed() { 'i' } else { 'u' },
    };
    match element {
        // Pointers of other libraries and Python's objects are not memory to look into.
        Element::Untyped => !native.starts_with(['&', 'P', 'z', 'Z', 'O', 'X']),
        Element::Scalar(scalar) => number(*scalar),
        Element::Record(class) => {
            let size = class.as_record().map_or(0, |record| record.size);
            (class_is_bytes(native) && item == 1) || (native.starts_with('T') && item == size)
        }
        Element::Field(kind) => match &**kind {
            FieldKind::One(stored) => self::number(stored).is_some_and(number),
            FieldKind::Array(element, _, _) => match &**element {
                FieldKind::One(stored) => self::number(stored).is_some_and(number),
                _ => false,
            },
            FieldKind::Bits(..) | FieldKind::List(_) => false,
        },
    }
}

fn class_is_bytes(native: &str) -> bool {
    matches!(native, "b" | "B" | "c" | "")
}
