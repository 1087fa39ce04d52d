//! Classes of each kind, and the base classes themselves.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use pyo3::ffi;
use pyo3::prelude::*;

use crate::callbacks::function_pointer::function_pointer;
use crate::interpreter::type_builder::TypeBuilder;
use crate::kinds::array_view::ArrayView;
use crate::kinds::{array, callback, handle, pointer, record, record_fields, record_pickle, root};
use crate::objects::allocate::inline;
use crate::objects::bases::{Base, Bases, bases, fill};
use crate::objects::class_table::{make_class, with_weak_references};
use crate::objects::lifetime;
use crate::types::class::{
    ArrayKind, Class, ClassName, HandleKind, Kind, Operations, RecordForm, RecordKind,
};
use crate::types::scalar::Scalar;
use crate::types::value::{Element, FieldInfo, FieldKind, Stored};

/// Adds the base classes to a module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let bases = fill(py, || make_bases(py))?;
    for (name, class) in [
        ("CValue", &bases.root),
        ("Handle", &bases.handle.python),
        ("Record", &bases.record.python),
        ("CArray", &bases.array.python),
        ("Pointer", &bases.pointer.python),
        ("Callback", &bases.callback.python),
    ] {
        module.add(name, class)?;
    }
    module.add_function(wrap_pyfunction!(record_pickle::_restore_record, module)?)?;
    module.add_class::<ArrayView>()
}

fn make_bases(py: Python<'_>) -> PyResult<Bases> {
    let root = root::root(py)?;
    let under = |builder: TypeBuilder, operations: &'static Operations| -> PyResult<Base> {
        let builder = builder.slot(ffi::Py_tp_dealloc, lifetime::deallocate as *const c_void);
        Ok(Base {
            python: builder.make(py, Some(&root), 0)?.unbind(),
            operations,
        })
    };
    Ok(Bases {
        handle: under(handle::root()?, &handle::OPERATIONS)?,
        record: under(with_weak_references(record::root()?), &record::OPERATIONS)?,
        array: under(with_weak_references(array::root()?), &array::OPERATIONS)?,
        pointer: under(with_weak_references(pointer::root()?), &pointer::OPERATIONS)?,
        callback: under(
            with_weak_references(callback::root()?),
            &callback::OPERATIONS,
        )?,
        root: root.unbind(),
        function_pointer,
    })
}

impl Class {
    /// A class of handles.
    pub fn handle(py: Python<'_>, named: ClassName<'_>, kind: HandleKind) -> PyResult<Arc<Self>> {
        let doc = handle::doc(&named, &kind);
        let base = &bases(py)?.handle;
        make_class(py, named, Some(doc), Kind::Handle(kind), base, 0)
    }

    /// A class of pointers.
    pub fn pointer(py: Python<'_>, named: ClassName<'_>, element: Element) -> PyResult<Arc<Self>> {
        let doc = named.doc.map(str::to_owned);
        let base = &bases(py)?.pointer;
        make_class(py, named, doc, Kind::Pointer(element), base, 0)
    }

    /// A class of arrays of so many bytes, which have memory of their own.
    pub fn array(
        py: Python<'_>,
        named: ClassName<'_>,
        element: FieldKind,
        bytes: usize,
    ) -> PyResult<Arc<Self>> {
        let kind = ArrayKind {
            bytes,
            element: Arc::new(element),
        };
        let doc = named.doc.map(str::to_owned);
        let base = &bases(py)?.array;
        make_class(py, named, doc, Kind::Array(kind), base, 0)
    }

    /// A class of records, whose fields [`define`](Self::define) gives: these may point at the record itself.
    pub fn record(
        py: Python<'_>,
        named: ClassName<'_>,
        size: usize,
        align: usize,
        RecordForm { union, plain, open }: RecordForm,
    ) -> PyResult<Arc<Self>> {
        let kind = RecordKind {
            size,
            align: align.max(1),
            union,
            complex: None,
            plain,
            open,
            body: OnceLock::new(),
            initial: OnceLock::new(),
        };
        let inline = inline(&kind);
        let doc = named.doc.map(str::to_owned);
        let base = &bases(py)?.record;
        make_class(py, named, doc, Kind::Record(kind), base, inline)
    }

    /// The class of complex numbers of two such scalars.
    pub fn complex(py: Python<'_>, named: ClassName<'_>, part: Scalar) -> PyResult<Arc<Self>> {
        let kind = RecordKind {
            size: 2 * part.size(),
            align: part.size(),
            union: false,
            complex: Some(part),
            plain: false,
            open: false,
            body: OnceLock::new(),
            initial: OnceLock::new(),
        };
        let inline = inline(&kind);
        let base = &bases(py)?.record;
        let class = make_class(py, named, None, Kind::Record(kind), base, inline)?;
        let field = |name: &str, at: usize| FieldInfo {
            name: name.to_owned(),
            c_type: part.c_type().to_owned(),
            doc: None,
            offset: 8 * at as u64,
            constant: false,
            kind: FieldKind::One(Stored::Scalar(part)),
        };
        class.define(py, vec![field("real", 0), field("imag", part.size())])?;
        Ok(class)
    }

    /// Gives a class of records its fields, once.
    pub fn define(self: &Arc<Self>, py: Python<'_>, fields: Vec<FieldInfo>) -> PyResult<()> {
        record_fields::define(py, self, fields)
    }

    /// Sets the bytes of new records, once: numbers by field name, and the initial bytes of inner records.
    pub fn set_initial_values(&self, numbers: impl Fn(&str) -> Option<i64>) {
        let Some(kind) = self.as_record().filter(|kind| !kind.union) else {
            return;
        };
        let mut initial = Vec::new();
        for (index, field) in kind.fields().iter().enumerate() {
            if kind.overlaps(index) {
                continue;
            }
            let at = (field.offset / 8) as usize;
            match &field.kind {
                FieldKind::One(Stored::Record(class)) => {
                    let inner = class.as_record().and_then(|kind| kind.initial.get());
                    for (inside, bytes) in inner.into_iter().flatten() {
                        initial.push((at + inside, bytes.clone()));
                    }
                }
                FieldKind::One(Stored::Scalar(scalar)) => {
                    let number = numbers(&field.name).unwrap_or(0).to_le_bytes();
                    let bytes = &number[..scalar.size().min(number.len())];
                    if bytes.iter().any(|byte| *byte != 0) {
                        initial.push((at, bytes.into()));
                    }
                }
                _ => {}
            }
        }
        if !initial.is_empty() {
            let _ = kind.initial.set(initial.into());
        }
    }
}
