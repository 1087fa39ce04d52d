//! Classes of C values by their Python classes; making classes.

use crate::objects::bases::{Base, bases};
use crate::types::class::Operations;
use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use parking_lot::RwLock;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::interpreter::layout::layout;
use crate::interpreter::type_builder::TypeBuilder;
use crate::types::callback_info::CallbackInfo;
use crate::types::class::{ArrayKind, Class, ClassName, Kind};
use crate::types::object::{FreeList, INLINE, Object};
use crate::types::value::{Element, FieldKind};

/// The classes made here, by their Python classes.
static REGISTRY: OnceLock<RwLock<Registry>> = OnceLock::new();

type Registry = HashMap<usize, &'static Class, BuildHasherDefault<AddressHasher>>;

/// A hasher for addresses.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, address: usize) {
        // Fibonacci hashing: the high bits, which the table looks at, depend on all.
        self.0 = (self.0 ^ address as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(32);
    }
}

fn registry() -> &'static RwLock<Registry> {
    REGISTRY.get_or_init(Default::default)
}

/// Read by the interpreter alone.
struct Members([ffi::PyMemberDef; 2]);

// SAFETY: the definitions are constants, which only the interpreter reads.
unsafe impl Send for Members {}

// SAFETY: the definitions are constants, which only the interpreter reads.
unsafe impl Sync for Members {}

impl Members {
    /// The place of something in objects, by the name that makes it known.
    fn place(name: &'static CStr, offset: usize) -> Self {
        Self([
            ffi::PyMemberDef {
                name: name.as_ptr(),
                type_code: ffi::Py_T_PYSSIZET,
                offset: offset as ffi::Py_ssize_t,
                flags: ffi::Py_READONLY,
                doc: ptr::null(),
            },
            ffi::PyMemberDef::default(),
        ])
    }

    fn add(&'static self, making: TypeBuilder) -> TypeBuilder {
        making.slot(ffi::Py_tp_members, self.0.as_ptr().cast())
    }
}

/// Adds the place of weak references to a class.
pub fn with_weak_references(making: TypeBuilder) -> TypeBuilder {
    static MEMBERS: LazyLock<Members> =
        LazyLock::new(|| Members::place(c"__weaklistoffset__", std::mem::offset_of!(Object, weak)));
    MEMBERS.add(making)
}

/// Adds the place of attributes to a class of records, which use [`Object::extra`] for nothing else.
fn with_attributes(making: TypeBuilder) -> TypeBuilder {
    static MEMBERS: LazyLock<Members> =
        LazyLock::new(|| Members::place(c"__dictoffset__", std::mem::offset_of!(Object, extra)));
    MEMBERS.add(making).properties(vec![ffi::PyGetSetDef {
        name: c"__dict__".as_ptr(),
        get: Some(ffi::PyObject_GenericGetDict),
        set: Some(ffi::PyObject_GenericSetDict),
        doc: ptr::null(),
        closure: ptr::null_mut(),
    }])
}

/// Makes a class. Its objects have `inline` bytes of memory of their own.
pub fn make_class(
    py: Python<'_>,
    named: ClassName<'_>,
    doc: Option<String>,
    kind: Kind,
    base: &Base,
    inline: usize,
) -> PyResult<Arc<Class>> {
    let full = format!("{}.{}", named.module.unwrap_or("cuox_bind"), named.name);
    let size = if inline == 0 {
        size_of::<Object>()
    } else {
        INLINE + inline
    };
    let mut making = TypeBuilder::new(full, size)?.doc(doc.as_deref()).slot(
        ffi::Py_tp_dealloc,
        base.operations.deallocate as *const c_void,
    );
    // Plain handles are values, as ints are, and have no weak references.
    if matches!(&kind, Kind::Handle(kind) if !kind.plain) {
        making = with_weak_references(making);
    }
    if matches!(&kind, Kind::Record(kind) if kind.open) {
        making = with_attributes(making);
    }
    let python = making.make(py, Some(base.python.bind(py)), 0)?;
    let class = make_unlisted(named, kind, base.operations, python.clone().unbind());
    // The probe of the interpreter finds out if handles' memory may be used again.
    layout(py);
    // SAFETY: one count of it is never given back, so that it lives as long as the process.
    let forever = unsafe { &*Arc::into_raw(Arc::clone(&class)) };
    registry().write().insert(python.as_ptr() as usize, forever);
    Ok(class)
}

/// Makes a class whose objects are of a base class itself, and are not made by calling it.
pub fn make_unlisted(
    named: ClassName<'_>,
    kind: Kind,
    operations: &'static Operations,
    python: Py<PyType>,
) -> Arc<Class> {
    let class = Arc::new(Class {
        name: named.name.to_owned(),
        c_type: named.c_type.to_owned(),
        kind,
        python,
        operations,
        free_list: FreeList::default(),
        array: OnceLock::new(),
        pointer: OnceLock::new(),
    });
    // Objects hold its address without counting: it lives as long as the process.
    std::mem::forget(Arc::clone(&class));
    class
}

/// The class of a Python class: its own, or the one it descends from.
#[inline]
pub fn class_of(python: &Bound<'_, PyType>) -> Option<&'static Class> {
    /// The one that was found last.
    static LAST: AtomicPtr<Class> = AtomicPtr::new(ptr::null_mut());
    let mut at = python.as_type_ptr();
    // SAFETY: classes live as long as the process.
    if let Some(last) = unsafe { LAST.load(Ordering::Acquire).cast_const().as_ref() }
        && last.python.as_ptr() == at.cast()
    {
        return Some(last);
    }
    let registry = registry().read();
    while !at.is_null() {
        if let Some(class) = registry.get(&(at as usize)) {
            LAST.store(ptr::from_ref(*class).cast_mut(), Ordering::Release);
            return Some(class);
        }
        // SAFETY: a class's base is a class, or null; static classes answer since CPython 3.10.
        at = unsafe { ffi::PyType_GetSlot(at, ffi::Py_tp_base) }.cast();
    }
    None
}

/// A counted reference to a class, which is in an `Arc` like all of them.
#[inline]
pub fn shared(class: &'static Class) -> Arc<Class> {
    // SAFETY: `class` and `unlisted` make all classes, in an `Arc` whose count never becomes 0.
    unsafe {
        Arc::increment_strong_count(class);
        Arc::from_raw(class)
    }
}

/// The class that a class method was called on.
pub fn own_class(python: &Bound<'_, PyAny>) -> PyResult<&'static Class> {
    let python = python.cast::<PyType>()?;
    match class_of(python) {
        Some(class) => Ok(class),
        None => Err(PyTypeError::new_err(format!(
            "{} has no C type: call this on a class that was made from a C declaration",
            python.name()?
        ))),
    }
}

/// The class of a kind of callback.
pub fn callback_class(py: Python<'_>, info: &Arc<CallbackInfo>) -> PyResult<Arc<Class>> {
    if let Some(class) = info.class.get() {
        return Ok(Arc::clone(class));
    }
    let named = ClassName {
        name: &info.name,
        c_type: &info.name,
        ..ClassName::default()
    };
    let base = &bases(py)?.callback;
    let class = make_class(py, named, None, Kind::Callback(Arc::clone(info)), base, 0)?;
    Ok(Arc::clone(info.class.get_or_init(|| class)))
}

/// The class of arrays of such elements, kept at a place that goes with the kind.
pub fn array_class(
    py: Python<'_>,
    place: &OnceLock<Arc<Class>>,
    element: impl FnOnce() -> FieldKind,
    c_type: &str,
) -> PyResult<Arc<Class>> {
    if let Some(class) = place.get() {
        return Ok(Arc::clone(class));
    }
    let base = &bases(py)?.array;
    let named = ClassName {
        name: "CArray",
        c_type,
        ..ClassName::default()
    };
    let kind = ArrayKind {
        bytes: 0,
        element: Arc::new(element()),
    };
    let class = make_unlisted(
        named,
        Kind::Array(kind),
        base.operations,
        base.python.clone_ref(py),
    );
    Ok(Arc::clone(place.get_or_init(|| class)))
}

/// The class of plain `Pointer` objects to such elements.
pub fn pointer_class(
    py: Python<'_>,
    place: &OnceLock<Arc<Class>>,
    element: impl FnOnce() -> Element,
    c_type: &str,
) -> PyResult<Arc<Class>> {
    if let Some(class) = place.get() {
        return Ok(Arc::clone(class));
    }
    let base = &bases(py)?.pointer;
    let named = ClassName {
        name: "Pointer",
        c_type,
        ..ClassName::default()
    };
    let class = make_unlisted(
        named,
        Kind::Pointer(element()),
        base.operations,
        base.python.clone_ref(py),
    );
    Ok(Arc::clone(place.get_or_init(|| class)))
}
