//! Records of structured arrays.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::host::{ArrayOrder, Value};
use crate::operand::{Binding, Expr};
use crate::types::{Field, RecordType, Type};

/// The structure of a record's size; fields are reached by their offsets, since NumPy may place them anywhere.
pub(crate) fn declaration(record: &RecordType) -> String {
    let mut text = String::new();
    for field in &record.fields {
        let dims: Vec<_> = field.shape.iter().map(u32::to_string).collect();
        let shape = if dims.is_empty() {
            String::new()
        } else {
            format!("[{}]", dims.join("]["))
        };
        let _ = write!(
            text,
            " // {}: {}{shape} at {}\n   ",
            field.name,
            field.ty.storage(),
            field.offset
        );
    }
    format!(
        "struct alignas({}) {} {{{text} unsigned char bytes[{}];\n}};",
        record.align.max(1),
        record.cxx(),
        record.size.max(1)
    )
}

/// A part of a captured record that is a record or an array itself: a constant as it is, of the same bytes.
pub(crate) fn captured_part(record: &Type, data: &[u8], name: &str) -> Option<Value> {
    let Type::Record(record) = record else {
        return None;
    };
    let field = record.field(name)?;
    let shape: Vec<usize> = field.shape.iter().map(|&size| size as usize).collect();
    let count: usize = shape.iter().product();
    let bytes = usize::try_from(field.ty.size()?).ok()?.checked_mul(count)?;
    let start = field.offset as usize;
    let data = data.get(start..start.checked_add(bytes)?)?.to_vec();
    match (&field.ty, shape.is_empty()) {
        (ty @ Type::Record(_), true) => Some(Value::Record(ty.clone(), data)),
        (_, true) => None,
        (element, false) => Some(Value::Array {
            element: element.clone(),
            shape,
            data,
            order: ArrayOrder::C,
        }),
    }
}

/// The place of a field: of an array field, its first element.
pub(crate) fn place(record: &Expr, field: &Field) -> String {
    let base = record.inside(Binding::Primary);
    let place = format!("{base}->bytes + {}", field.offset);
    if field.shape.is_empty() && !is_aligned(&record.ty, field) {
        // NumPy packs fields; a GPU reads and writes at multiples of the size only.
        return format!("py::unaligned<{}>({place}).get()", field.ty.storage());
    }
    format!("*({} *)({place})", field_type(&record.ty, field).storage())
}

/// The type of a field's value, or of an element of an array field. A record whose place in the outer one is less
/// aligned than its own type becomes one of that alignment: its fields are read byte by byte where they must be.
pub(crate) fn field_type(record: &Type, field: &Field) -> Type {
    let (Type::Record(outer), Type::Record(inner)) = (record, &field.ty) else {
        return field.ty.clone();
    };
    let mut align = outer.align.max(1);
    while !field.offset.is_multiple_of(align) {
        align /= 2;
    }
    if align >= inner.align {
        return field.ty.clone();
    }
    Type::Record(Arc::new(RecordType {
        align,
        ..(**inner).clone()
    }))
}

/// The statement that puts a value into a field that is not aligned; `None` for other places.
pub(crate) fn unaligned_store(place: &str, value: &str) -> Option<String> {
    let proxy = place.strip_suffix(".get()")?;
    proxy
        .starts_with("py::unaligned<")
        .then(|| format!("{proxy}.set({value});"))
}

/// True if a field lies where its type wants to be.
pub(crate) fn is_aligned(record: &Type, field: &Field) -> bool {
    let Type::Record(record) = record else {
        return true;
    };
    if matches!(field.ty, Type::Record(_)) {
        return true;
    }
    let Some(align) = field.ty.align() else {
        return false;
    };
    u64::from(field.offset).is_multiple_of(align) && u64::from(record.align) >= align
}
