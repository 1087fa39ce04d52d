//! Elements whose pointers may stand for each other.

use std::sync::Arc;

use crate::types::class::{Class, Kind};
use crate::types::scalar::Scalar;
use crate::types::value::{Element, FieldKind, Stored};

/// True if a pointer to one may be used as a pointer to the other.
pub fn same(wanted: &Element, given: &Element) -> bool {
    let bytes = |scalar: &Scalar| matches!(scalar, Scalar::I8 | Scalar::U8);
    match (wanted, given) {
        (Element::Untyped, _) | (_, Element::Untyped) => true,
        (Element::Scalar(a), Element::Scalar(b)) => a == b || (bytes(a) && bytes(b)),
        (Element::Record(a), Element::Record(b)) => Arc::ptr_eq(a, b),
        (Element::Field(a), Element::Field(b)) => same_kind(a, b),
        (Element::Field(a), b) | (b, Element::Field(a)) => match (&**a, b) {
            (FieldKind::One(Stored::Enum(a, _)), Element::Scalar(b)) => a == b,
            (FieldKind::One(stored), Element::Scalar(Scalar::Pointer)) => {
                matches!(
                    stored,
                    Stored::Pointer(_) | Stored::Text { .. } | Stored::Callback(_)
                )
            }
            _ => false,
        },
        _ => false,
    }
}

fn same_kind(a: &FieldKind, b: &FieldKind) -> bool {
    let classes = |a: &Arc<Class>, b: &Arc<Class>| match (&a.kind, &b.kind) {
        (Kind::Pointer(a), Kind::Pointer(b)) => same(a, b),
        _ => Arc::ptr_eq(a, b),
    };
    match (a, b) {
        (FieldKind::One(a), FieldKind::One(b)) => match (a, b) {
            (Stored::Scalar(a), Stored::Scalar(b)) => a == b,
            (Stored::Enum(a, x), Stored::Enum(b, y)) => a == b && x.is(y),
            (Stored::Handle { class: a, .. }, Stored::Handle { class: b, .. })
            | (Stored::Pointer(a), Stored::Pointer(b))
            | (Stored::Record(a), Stored::Record(b)) => classes(a, b),
            (Stored::Char, Stored::Char) | (Stored::Text { .. }, Stored::Text { .. }) => true,
            (Stored::Callback(a), Stored::Callback(b)) => Arc::ptr_eq(a, b),
            _ => false,
        },
        (FieldKind::Array(a, x, _), FieldKind::Array(b, y, _)) => x == y && same_kind(a, b),
        _ => false,
    }
}
