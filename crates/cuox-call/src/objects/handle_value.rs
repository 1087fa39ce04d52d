//! Values of handles.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use crate::errors::ValueContext;
use crate::objects::address::Address;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::stored_number;
use crate::objects::stored_number::raw_integer;
use crate::types::class::{Class, HandleKind, Kind};
use crate::types::object::{CLOSED, OWNED};
use crate::types::scalar::Scalar;
use crate::types::value::Element;
use cuox_interpreter::integer::is_integer;

#[inline]
pub fn handle_kind(class: &Class) -> &HandleKind {
    const OTHER: &HandleKind = &HandleKind {
        scalar: Scalar::Pointer,
        destroy: None,
        takes_int: false,
        plain: false,
    };
    match &class.kind {
        Kind::Handle(kind) => kind,
        _ => OTHER,
    }
}

/// The value of a handle of this class, from an object of it, `None` or, with `int`, a plain int.
pub fn value_of<'py>(
    value: &Bound<'py, PyAny>,
    class: &Class,
    int: bool,
    context: ValueContext<'_>,
) -> PyResult<Address<'py>> {
    let kind = handle_kind(class);
    if value.is_none() {
        return Ok((0, None));
    }
    // A plain handle is made of any object with `__index__`.
    if let Some(this) = as_object(value)
        && !(int && kind.plain && !this.is(class))
    {
        let same = this.is(class)
            || (kind.scalar == Scalar::Pointer
                && matches!(&this.class().kind, Kind::Pointer(Element::Untyped)));
        if !same {
            let given = this.class();
            return Err(PyTypeError::new_err(format!(
                "{} (C '{}') takes a {}, got a {} (C '{}')",
                (context.what)(),
                context.c_type,
                class.name,
                given.name,
                given.c_type
            )));
        }
        if this.closed() {
            return Err(this.gone());
        }
        return Ok((masked(kind.scalar, this.value()), Some(value.clone())));
    }
    if int && is_integer(value) && !value.is_instance_of::<PyFloat>() {
        let (signed, bits) = (kind.scalar.signed(), 8 * kind.scalar.size() as u32);
        return Ok((
            stored_number::integer(value, signed, bits.min(64), context)?,
            None,
        ));
    }
    Err(context.refuse(&format!("a {}", class.name), value))
}

/// A value as C passes it: C may have written only the bytes of its type.
#[inline]
pub fn masked(scalar: Scalar, value: u64) -> u64 {
    let bytes = value.to_le_bytes();
    // SAFETY: eight bytes of our own.
    unsafe { raw_integer(scalar, bytes.as_ptr() as usize) }
}

/// Closes a handle that a C function has destroyed.
#[inline]
pub fn close_consumed(this: ObjectRef<'_, '_>) {
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe {
        let raw = this.raw();
        (*raw).c.value = 0;
        (*raw).c.flags = ((*raw).c.flags & !OWNED) | CLOSED;
    }
    this.set_keep(None);
}
