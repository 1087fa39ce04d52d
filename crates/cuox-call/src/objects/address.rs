//! The address that a Python object stands for, when C wants a pointer.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use crate::errors::ValueContext;
use crate::objects::buffer::BufferView;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::{buffer_format, stored_number};
use crate::types::class::Kind;
use crate::types::compatible::same;
use crate::types::object::READ_ONLY;
use crate::types::scalar::Scalar;
use crate::types::value::{Element, FieldKind, MIN_ADDRESS, Stored};
use cuox_interpreter::integer::is_integer;

/// An address, and the object that must live as long as it is used.
pub type Address<'py> = (u64, Option<Bound<'py, PyAny>>);

/// The address of elements of this type. With `writable`, read-only memory is refused.
pub fn of<'py>(
    value: &Bound<'py, PyAny>,
    element: &Element,
    writable: bool,
    context: ValueContext<'_>,
) -> PyResult<Address<'py>> {
    if value.is_none() {
        return Ok((0, None));
    }
    if let Some(this) = as_object(value) {
        return of_ours(this, element, writable, context);
    }
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyFloat>() {
        return Err(context.refuse("an address, a pointer or a buffer", value));
    }
    if value.is_instance_of::<PyString>() {
        return Err(context.refuse(
            "an address, a pointer or a buffer (text is passed as bytes)",
            value,
        ));
    }
    if value.is_instance_of::<PyInt>() {
        return number(value, element, context);
    }
    // An exporter of device memory may have a buffer that it refuses to give.
    if let Some(interface) = value.getattr_opt("__cuda_array_interface__")? {
        return of_interface(value, &interface, element, writable, context);
    }
    // SAFETY: `value` is a `Bound`, so a live object with the GIL held.
    if unsafe { ffi::PyObject_CheckBuffer(value.as_ptr()) } != 0 {
        return of_buffer(value, element, writable, context);
    }
    if let Some(interface) = value.getattr_opt("__array_interface__")? {
        return of_interface(value, &interface, element, writable, context);
    }
    if is_integer(value) {
        return number(value, element, context);
    }
    Err(context.refuse("an address, a pointer or a buffer", value))
}

/// An int as an address. Small numbers mean something to some `void *`, but no element of a known type lies there.
fn number<'py>(
    value: &Bound<'py, PyAny>,
    element: &Element,
    context: ValueContext<'_>,
) -> PyResult<Address<'py>> {
    let address = stored_number::integer(value, false, 64, context)?;
    if !matches!(element, Element::Untyped) && (1..MIN_ADDRESS).contains(&address) {
        return Err(context.wrong(format_args!("must be memory or its address, got {address}")));
    }
    Ok((address, None))
}

fn of_interface<'py>(
    value: &Bound<'py, PyAny>,
    interface: &Bound<'py, PyAny>,
    element: &Element,
    writable: bool,
    context: ValueContext<'_>,
) -> PyResult<Address<'py>> {
    let (address, read_only): (u64, bool) = interface.get_item("data")?.extract()?;
    if read_only && writable {
        return Err(context.refuse("writable memory", value));
    }
    if !interface_fits(interface, element)? {
        return Err(context.refuse("a contiguous array of matching elements", value));
    }
    Ok((address, Some(value.clone())))
}

fn interface_fits(interface: &Bound<'_, PyAny>, element: &Element) -> PyResult<bool> {
    if let Ok(strides) = interface.get_item("strides")
        && !strides.is_none()
    {
        return Ok(false);
    }
    let typestr: String = interface.get_item("typestr")?.extract()?;
    let item: usize = typestr.get(2..).and_then(|n| n.parse().ok()).unwrap_or(0);
    let letter = match (typestr.get(1..2), item) {
        (Some("b"), 1) => "?",
        (Some("i"), 1) => "b",
        (Some("i"), 2) => "h",
        (Some("i"), 4) => "i",
        (Some("i"), 8) => "q",
        (Some("u"), 1) => "B",
        (Some("u"), 2) => "H",
        (Some("u"), 4) => "I",
        (Some("u"), 8) => "Q",
        (Some("f"), 2) => "e",
        (Some("f"), 4) => "f",
        (Some("f"), 8) => "d",
        (Some("V"), _) => "T",
        _ => "?!",
    };
    Ok(!(typestr.starts_with('>') && item > 1) && buffer_format::fits(element, letter, item))
}

fn of_ours<'py>(
    this: ObjectRef<'_, 'py>,
    element: &Element,
    writable: bool,
    context: ValueContext<'_>,
) -> PyResult<Address<'py>> {
    let class = this.class();
    let keep = Some(this.object.clone());
    if this.closed() {
        return Err(this.gone());
    }
    let fitting = match &class.kind {
        Kind::Pointer(to) => same(element, to) || same(&element.flat(), &to.flat()),
        Kind::Record(_) => match element {
            Element::Untyped => true,
            Element::Record(wanted) => this.is(wanted),
            Element::Scalar(Scalar::I8 | Scalar::U8) => true,
            _ => false,
        },
        Kind::Array(array) => {
            if writable && this.flags() & READ_ONLY != 0 {
                return Err(context.refuse("writable memory", this.object));
            }
            same(element, &array.element.as_element())
                || same(&element.flat(), &array.element.flat())
                || matches!(array.element.innermost(), (inner, [_, ..]) if same(element, &inner.as_element()))
        }
        Kind::Callback(_) => matches!(element, Element::Untyped),
        Kind::Handle(_) => {
            if let Element::Field(kind) = element
                && let FieldKind::One(Stored::Handle { class: wanted, .. }) = &**kind
                && this.is(wanted)
            {
                // The address of the handle's own value, for C to read or to fill.
                return Ok((this.location()? as u64, keep));
            }
            matches!(element, Element::Untyped)
        }
    };
    if !fitting {
        return Err(PyTypeError::new_err(format!(
            "{} (C '{}') takes a matching object, got a {} (C '{}')",
            (context.what)(),
            context.c_type,
            class.name,
            class.c_type
        )));
    }
    Ok((this.value(), keep))
}

fn of_buffer<'py>(
    value: &Bound<'py, PyAny>,
    element: &Element,
    writable: bool,
    context: ValueContext<'_>,
) -> PyResult<Address<'py>> {
    // A memoryview holds the buffer: a bytearray cannot be resized meanwhile.
    // SAFETY: an object; a new reference or null with an exception set.
    let keep = unsafe {
        Bound::from_owned_ptr_or_err(value.py(), ffi::PyMemoryView_FromObject(value.as_ptr()))
    }?;
    let view = BufferView::of(&keep, ffi::PyBUF_STRIDES | ffi::PyBUF_FORMAT)?;
    // SAFETY: a buffer that is held.
    if unsafe { ffi::PyBuffer_IsContiguous(&*view.0, b'A' as _) } == 0 {
        return Err(context.refuse("contiguous memory", value));
    }
    if writable && view.read_only() {
        return Err(context.refuse("writable memory", value));
    }
    if !buffer_format::fits(element, view.format(), view.item()) {
        return Err(PyTypeError::new_err(format!(
            "{} (C '{}') takes matching elements, got a {} with elements of format '{}'",
            (context.what)(),
            context.c_type,
            value.get_type().name()?,
            view.format()
        )));
    }
    Ok((view.address() as u64, Some(keep.clone())))
}
