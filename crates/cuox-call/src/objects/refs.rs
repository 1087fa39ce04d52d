//! Objects kept alive for the pointers that C memory holds.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::objects::object_ref::{ObjectRef, as_object};

/// The keeper of the objects that written pointers point into.
pub enum RefKeeper<'a, 'py> {
    /// The object that owns the memory.
    CFunctionObject(ObjectRef<'a, 'py>),
    /// A list, for memory that nobody owns.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "made by callbacks")
    )]
    List(&'a mut Vec<Bound<'py, PyAny>>),
}

impl<'py> RefKeeper<'_, 'py> {
    /// Keeps an object alive for the pointer at an address. The object kept until now is returned: the caller drops it
    /// once the pointer has been replaced.
    pub fn keep(
        &mut self,
        address: usize,
        object: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Self::CFunctionObject(owner) => {
                let owner = owner.owner();
                let Some(owner) = as_object(&owner) else {
                    return Ok(None);
                };
                let old = owner.held(address);
                owner.hold(address, object.as_ref())?;
                Ok(old)
            }
            Self::List(list) => {
                list.extend(object);
                Ok(None)
            }
        }
    }
}

/// Keeps the objects alive for copied memory that were kept alive for the original.
pub fn carry<'py>(
    from: ObjectRef<'_, 'py>,
    source: usize,
    target: usize,
    size: usize,
    keeper: &mut RefKeeper<'_, 'py>,
) -> PyResult<()> {
    let owner = from.owner();
    let Some(refs) = as_object(&owner).and_then(ObjectRef::refs) else {
        return Ok(());
    };
    // The owner may be the same object, so its entries are collected before new ones are added.
    let held: Vec<(usize, Bound<'py, PyAny>)> = refs
        .cast::<PyDict>()?
        .iter()
        .filter_map(|(key, value)| Some((key.extract().ok()?, value)))
        .collect();
    for (at, object) in held {
        if (source..source + size).contains(&at) {
            keeper.keep(target + (at - source), Some(object))?;
        }
    }
    Ok(())
}
