//! Lists and tuples as C arrays that live as long as a call.

use crate::objects::object_ref::as_c_object;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::convert::memory::ArgumentHold;
use crate::convert::{memory, number, text};
use crate::errors::ArgumentContext;
use crate::types::class::Kind;
use crate::types::object::{CLOSED, EXTERNAL};
use crate::types::scalar::Scalar;
use crate::types::value::Element;

/// A C array.
pub struct SequenceArray {
    /// The elements, in words that are aligned for any type.
    words: Vec<u128>,
    bytes: usize,
    /// Holds on the memory that its pointers point at.
    #[allow(dead_code, reason = "held, not read")]
    held: Vec<ArgumentHold>,
}

impl SequenceArray {
    /// Its address.
    pub fn address(&self) -> u64 {
        self.words.as_ptr() as u64
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        // SAFETY: the words are as many bytes as the elements, and `at` is an element's start.
        unsafe {
            let to = self.words.as_mut_ptr().cast::<u8>().add(at);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }
}

/// A list or tuple as an array of such elements; `None` if there can be none of them.
pub fn array(
    context: ArgumentContext<'_>,
    element: &Element,
    value: &Bound<'_, PyAny>,
) -> PyResult<Option<SequenceArray>> {
    let size = match element {
        Element::Untyped | Element::Field(_) => return Ok(None),
        Element::Scalar(scalar) => scalar.size(),
        Element::Record(class) => match &class.kind {
            Kind::Record(record) => record.size,
            _ => return Ok(None),
        },
    };
    let items: Vec<Bound<'_, PyAny>> = value.try_iter()?.collect::<PyResult<_>>()?;
    let mut words = Vec::new();
    // One word more, so that an empty list has an address too.
    let mut room = |bytes: usize| words.try_reserve_exact(bytes / 16 + 1).is_ok();
    let Some(bytes) = items.len().checked_mul(size).filter(|b| room(*b)) else {
        return Err(PyMemoryError::new_err(format!(
            "{context}: no memory for {} elements of {size} bytes",
            items.len()
        )));
    };
    words.resize(bytes / 16 + 1, 0);
    let mut array = SequenceArray {
        words,
        bytes,
        held: Vec::new(),
    };
    for (index, item) in items.iter().enumerate() {
        let name = format!("{}[{index}]", context.name);
        let context = ArgumentContext {
            name: &name,
            ..context
        };
        let at = index * size;
        match element {
            Element::Scalar(Scalar::Pointer) => {
                let address = pointer(context, item, &mut array.held)?;
                array.put(at, &address.to_le_bytes());
            }
            Element::Scalar(scalar) => {
                // SAFETY: `as_c_object` answers only for live objects that begin with a `CObject`; the GIL guards its
                // words.
                let open = as_c_object(item)
                    .map(|object| unsafe { ((*object).flags, (*object).value) })
                    .filter(|(flags, _)| flags & (CLOSED | EXTERNAL) == 0);
                let bits = match open {
                    Some((_, value)) => u128::from(value),
                    None => number::scalar(context, *scalar, item)?,
                };
                array.put(at, &bits.to_le_bytes()[..size]);
            }
            Element::Record(class) => {
                // A tuple or a dict of fields.
                let made = match as_c_object(item) {
                    Some(_) => None,
                    None => class
                        .record_of(item)
                        .transpose()
                        .map_err(|error| context.inside(item.py(), error))?,
                };
                // SAFETY: a live object of that layout; a record's value is the address of as many bytes.
                let record = as_c_object(made.as_ref().unwrap_or(item))
                    .filter(|object| unsafe {
                        std::ptr::eq((**object).class, std::sync::Arc::as_ptr(class))
                            && (**object).value != 0
                    })
                    .ok_or_else(|| context.wrong_type(&format!("a {}", class.name), item))?;
                // SAFETY: `record` is a live record of this class, whose value is the address of `size` bytes; they are
                // copied at once.
                let bytes =
                    unsafe { std::slice::from_raw_parts((*record).value as *const u8, size) };
                array.put(at, bytes);
                // The record may keep alive what its fields point at.
                array
                    .held
                    .extend(made.map(|made| ArgumentHold::Object(made.unbind())));
            }
            Element::Untyped | Element::Field(_) => {}
        }
    }
    Ok(Some(array))
}

fn pointer(
    context: ArgumentContext<'_>,
    item: &Bound<'_, PyAny>,
    held: &mut Vec<ArgumentHold>,
) -> PyResult<u64> {
    if (item.is_instance_of::<PyString>() || item.is_instance_of::<PyBytes>())
        && let Some(text) = text::text(context, item)?
    {
        held.push(ArgumentHold::Object(text.object.unbind()));
        return Ok(text.address as u64);
    }
    let target = memory::PointerTarget {
        element: &Element::Untyped,
        writable: false,
        nullable: true,
    };
    let found = memory::memory(context, target, item)?;
    held.push(ArgumentHold::Object(item.clone().unbind()));
    held.push(found.hold);
    Ok(found.address)
}
