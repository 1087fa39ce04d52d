//! What all objects share: their memory and life, and the classes they descend from.

use std::alloc::Layout;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use parking_lot::RwLock;
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::entry::{self, Making, method};
use super::scalar::{self, Place};
use super::spare::Spare;
pub use super::this::This;
use super::{
    CLOSED, CObject, Class, HEAP, Kind, Named, OWNED, TRACKED, array, callback, handle, pointer,
    record,
};

/// A whole object. A record's own memory follows at [`INLINE`].
#[repr(C)]
pub struct Object {
    /// What generated code reads.
    pub c: CObject,
    /// Weak references to it.
    pub weak: *mut ffi::PyObject,
    /// Objects that C memory points into, as a dict from the pointer's address; or null. A callback's callable.
    pub refs: *mut ffi::PyObject,
    /// What calls a C function of a callback's class, once it has been made.
    pub extra: *mut ffi::PyObject,
}

/// Where a record's own memory begins in its object.
pub const INLINE: usize = size_of::<Object>().next_multiple_of(16);

/// The classes that all others descend from.
pub struct Bases {
    /// Of all of them.
    pub root: Py<PyType>,
    /// `Handle`.
    pub handle: Py<PyType>,
    /// `Record`.
    pub record: Py<PyType>,
    /// `Array`.
    pub array: Py<PyType>,
    /// `Pointer`.
    pub pointer: Py<PyType>,
    /// `Callback`.
    pub callback: Py<PyType>,
}

/// The base classes.
pub fn bases(py: Python<'_>) -> PyResult<&'static Bases> {
    static BASES: PyOnceLock<Bases> = PyOnceLock::new();
    BASES.get_or_try_init(py, || {
        let root = root(py)?;
        let under = |making: Making| -> PyResult<Py<PyType>> {
            let making = making.slot(ffi::Py_tp_dealloc, deallocate as *const c_void);
            Ok(making.make(py, Some(&root), 0)?.unbind())
        };
        Ok(Bases {
            handle: under(handle::root()?)?,
            record: under(with_weak_references(record::root()?))?,
            array: under(with_weak_references(array::root()?))?,
            pointer: under(with_weak_references(pointer::root()?))?,
            callback: under(with_weak_references(callback::root()?))?,
            root: root.unbind(),
        })
    })
}

/// Adds the base classes to a module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let bases = bases(py)?;
    for (name, class) in [
        ("CValue", &bases.root),
        ("Handle", &bases.handle),
        ("Record", &bases.record),
        ("Array", &bases.array),
        ("Pointer", &bases.pointer),
        ("Callback", &bases.callback),
    ] {
        module.add(name, class)?;
    }
    module.add_class::<super::view::ArrayView>()
}

/// Says where a class's objects have their weak references.
fn with_weak_references(making: Making) -> Making {
    /// Read by the interpreter alone.
    struct Members([ffi::PyMemberDef; 2]);
    // SAFETY: constants.
    unsafe impl Send for Members {}
    // SAFETY: as above.
    unsafe impl Sync for Members {}
    static MEMBERS: LazyLock<Members> = LazyLock::new(|| {
        Members([
            ffi::PyMemberDef {
                name: c"__weaklistoffset__".as_ptr(),
                type_code: ffi::Py_T_PYSSIZET,
                offset: std::mem::offset_of!(Object, weak) as ffi::Py_ssize_t,
                flags: ffi::Py_READONLY,
                doc: ptr::null(),
            },
            ffi::PyMemberDef::default(),
        ])
    });
    making.slot(ffi::Py_tp_members, MEMBERS.0.as_ptr().cast())
}

fn root(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    Making::new("cuox.CValue".to_owned(), size_of::<Object>())?
        .doc(Some("A value of C that has no Python type."))
        .slot(ffi::Py_tp_new, create as *const c_void)
        .slot(ffi::Py_tp_dealloc, deallocate as *const c_void)
        .slot(ffi::Py_tp_traverse, traverse as *const c_void)
        .slot(ffi::Py_tp_clear, clear as *const c_void)
        .methods(vec![
            method!(
                c"getPtr",
                [],
                0,
                get_ptr,
                c"getPtr($self)\n--\n\nThe address of the value, for a C function that reads or fills it."
            ),
            method!(
                c"__reduce_ex__",
                ["protocol"],
                0,
                refuse_pickle,
                c"Refused: an address means nothing in another process."
            ),
            method!(
                c"__reduce__",
                [],
                0,
                refuse_pickle,
                c"Refused: an address means nothing in another process."
            ),
        ])
        .properties(vec![ffi::PyGetSetDef {
            name: c"__class__".as_ptr(),
            get: Some(get_class),
            set: Some(set_class),
            doc: c"The object's class, which cannot be changed.".as_ptr(),
            closure: ptr::null_mut(),
        }])
        .make(py, None, ffi::Py_TPFLAGS_HAVE_GC)
}

/// The classes made here, by their Python classes.
static REGISTRY: OnceLock<RwLock<Registry>> = OnceLock::new();

type Registry = HashMap<usize, &'static Class, BuildHasherDefault<AddressHasher>>;

/// Addresses differ enough without much of a hash.
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

/// Makes a class. Its objects have `inline` bytes of memory of their own.
pub fn class(
    py: Python<'_>,
    named: Named<'_>,
    doc: Option<String>,
    kind: Kind,
    base: &Py<PyType>,
    inline: usize,
) -> PyResult<Arc<Class>> {
    let full = match named.module {
        Some(module) => format!("{module}.{}", named.name),
        None => format!("cuox.{}", named.name),
    };
    let size = if inline == 0 {
        size_of::<Object>()
    } else {
        INLINE + inline
    };
    let mut making = Making::new(full, size)?
        .doc(doc.as_deref())
        .slot(ffi::Py_tp_dealloc, deallocate_of(&kind));
    // Plain handles are values, as ints are: nobody is told when one ends.
    if matches!(&kind, Kind::Handle(kind) if !kind.plain) {
        making = with_weak_references(making);
    }
    let python = making.make(py, Some(base.bind(py)), 0)?;
    let class = unlisted(named, kind, python.clone().unbind());
    // What is known of the interpreter says whether handles' memory is used again.
    crate::layout::layout(py);
    // SAFETY: one count of it is never given back, so that it lives as long as the process.
    let forever = unsafe { &*Arc::into_raw(Arc::clone(&class)) };
    registry().write().insert(python.as_ptr() as usize, forever);
    Ok(class)
}

/// A class whose objects are of a base class itself: nobody makes them by calling it.
pub fn unlisted(named: Named<'_>, kind: Kind, python: Py<PyType>) -> Arc<Class> {
    let class = Arc::new(Class {
        name: named.name.to_owned(),
        c_type: named.c_type.to_owned(),
        kind,
        python,
        spare: Spare::default(),
        array: OnceLock::new(),
        pointer: OnceLock::new(),
    });
    // Objects hold its address without counting: it lives as long as the process.
    std::mem::forget(Arc::clone(&class));
    class
}

/// The class of a Python class: its own, or the one it descends from.
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

/// The object's inside, if it is of one of this module's classes.
#[inline]
pub fn as_object<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<This<'a, 'py>> {
    // SAFETY: a live object; addresses of classes.
    let common = unsafe {
        let class = ffi::Py_TYPE(object.as_ptr());
        [
            &raw mut ffi::PyLong_Type,
            &raw mut ffi::PyFloat_Type,
            &raw mut ffi::PyUnicode_Type,
            &raw mut ffi::PyBytes_Type,
        ]
        .contains(&class)
    };
    if common {
        return None;
    }
    let root = bases(object.py()).ok()?.root.as_ptr();
    // SAFETY: two classes.
    let ours = unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(object.as_ptr()), root.cast()) };
    (ours != 0).then_some(This { object })
}

/// Whether it is a handle of no subclass.
fn is_exact_handle(class: &Class, python: *mut ffi::PyTypeObject) -> bool {
    matches!(class.kind, Kind::Handle(_)) && class.python.as_ptr() == python.cast()
}

/// A new object of a class, or of a Python class that descends from it. It is null.
pub fn allocate<'py>(
    py: Python<'py>,
    class: &Class,
    python: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the class is a heap class of ours or descends from one; what is new is zero.
    unsafe {
        if is_exact_handle(class, python.as_type_ptr()) {
            return Bound::from_owned_ptr_or_err(py, new_handle(class, 0, false));
        }
        let new = ffi::PyType_GenericAlloc(python.as_type_ptr(), 0);
        let new = Bound::from_owned_ptr_or_err(py, new)?;
        (*new.as_ptr().cast::<Object>()).c.class = class;
        Ok(new)
    }
}

/// A handle of this value that keeps nothing alive: a new reference, or null with an exception.
///
/// The collector is not told of it: all that it refers to is its class, which lives as long as the process. [`This::set_keep`] tells it.
///
/// # Safety
/// The GIL is held; `class` is one of handles.
#[inline]
pub unsafe fn new_handle(class: &Class, value: u64, owned: bool) -> *mut ffi::PyObject {
    // SAFETY: the caller's promise; what is spare is a handle of this very class.
    unsafe {
        let new = match class.spare.take() {
            Some(spare) => spare,
            None => match fresh_handle(class) {
                new if new.is_null() => return ptr::null_mut(),
                new => new,
            },
        };
        (*new).c.value = value;
        (*new).c.flags = u64::from(owned) * OWNED;
        new.cast()
    }
}

#[cold]
unsafe fn fresh_handle(class: &Class) -> *mut Object {
    // SAFETY: the class of handles is a heap class of ours; what is new is zero.
    unsafe {
        let new = ffi::PyType_GenericAlloc(class.python.as_ptr().cast(), 0);
        if !new.is_null() {
            ffi::PyObject_GC_UnTrack(new.cast());
            (*new.cast::<Object>()).c.class = class;
        }
        new.cast()
    }
}

/// A handle, pointer or callback of this value; or a record or array at this address.
pub fn wrap<'py>(
    py: Python<'py>,
    class: &Class,
    value: u64,
    owned: bool,
    keep: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let new = allocate(py, class, class.python.bind(py))?;
    let this = This { object: &new };
    // SAFETY: of one of our classes.
    unsafe {
        let raw = this.raw();
        (*raw).c.value = value;
        if owned {
            (*raw).c.flags |= OWNED;
        }
    }
    if keep.is_some() {
        this.set_keep(keep);
    }
    Ok(new)
}

/// A record with memory of its own, zeroed; its `value` is the address.
pub fn new_record<'py>(py: Python<'py>, class: &Class) -> PyResult<Bound<'py, PyAny>> {
    let new = allocate(py, class, class.python.bind(py))?;
    record::give_memory(This { object: &new })?;
    Ok(new)
}

/// Gives an object zeroed memory from the heap, freed with it.
pub fn give_heap(this: This<'_, '_>, size: usize, align: usize) -> PyResult<()> {
    let none = || PyMemoryError::new_err(format!("{size} bytes for a {}", this.class().name));
    let layout = Layout::from_size_align(size.max(1), align.max(16)).map_err(|_| none())?;
    // SAFETY: the size is not 0.
    let memory = unsafe { std::alloc::alloc_zeroed(layout) };
    if memory.is_null() {
        return Err(none());
    }
    // SAFETY: of one of our classes.
    unsafe {
        let raw = this.raw();
        (*raw).c.value = memory as u64;
        (*raw).c.bytes = size as u64;
        (*raw).c.flags |= HEAP;
    }
    Ok(())
}

/// The address that `_ptr=` says, as in `cuda.bindings`: where the value is that a new object stands for. 0 is nowhere.
pub fn memory_of(this: This<'_, '_>, address: &Bound<'_, PyAny>) -> PyResult<u64> {
    let class = this.class();
    let what = || format!("{}(_ptr)", class.name);
    let place = Place {
        what: &what,
        c_type: "void *",
    };
    scalar::integer(address, false, 64, place)
}

/// What a handle or callback keeps to be [`PLACED`](super::PLACED) where `_ptr=` says, if that is somewhere; refused where the class has no such argument.
pub fn place_of<'py>(
    this: This<'_, 'py>,
    address: &Bound<'py, PyAny>,
    plain: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !plain {
        return Err(PyTypeError::new_err(format!(
            "{}() got an unexpected keyword argument '_ptr'",
            this.class().name
        )));
    }
    Ok(match memory_of(this, address)? {
        0 => None,
        place => Some(place.into_pyobject(this.py())?.into_any()),
    })
}

fn heap_align(class: &Class) -> usize {
    match &class.kind {
        Kind::Record(kind) => kind.align.max(16),
        Kind::Array(kind) => super::field::align(&kind.element).max(16),
        _ => 16,
    }
}

unsafe extern "C" fn create(
    python: *mut ffi::PyTypeObject,
    _: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter with a class, and a dict or null.
    unsafe {
        entry::object(|py| {
            let python =
                Bound::from_borrowed_ptr(py, python.cast()).cast_into_unchecked::<PyType>();
            let Some(class) = class_of(&python) else {
                let name = python.name()?;
                return Err(PyTypeError::new_err(format!(
                    "{name} cannot be called: its classes come from C declarations"
                )));
            };
            let new = allocate(py, class, &python)?;
            if let Kind::Record(_) = &class.kind {
                let this = This { object: &new };
                let keywords = Bound::from_borrowed_ptr_or_opt(py, keywords);
                match record::place_of(this, keywords.as_ref())? {
                    0 => record::give_memory(this)?,
                    address => (*this.raw()).c.value = address,
                }
            }
            Ok(new)
        })
    }
}

fn deallocate_of(kind: &Kind) -> *const c_void {
    match kind {
        Kind::Handle(_) => deallocate_handle as *const c_void,
        _ => deallocate as *const c_void,
    }
}

unsafe extern "C" fn deallocate(object: *mut ffi::PyObject) {
    // SAFETY: called by the interpreter for an object that nobody refers to any more.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let raw = object.cast::<Object>();
        if !(*raw).weak.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        // An object whose making failed has no class.
        if let Some(class) = (*raw).c.class.as_ref() {
            match &class.kind {
                Kind::Handle(kind) => handle::finish(raw, kind),
                Kind::Callback(_) => callback::finish(raw),
                _ => {}
            }
            if (*raw).c.flags & HEAP != 0 && (*raw).c.value != 0 {
                let size = ((*raw).c.bytes as usize).max(1);
                let layout = Layout::from_size_align_unchecked(size, heap_align(class));
                std::alloc::dealloc((*raw).c.value as *mut u8, layout);
            }
        }
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).refs, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).extra, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).c.keep, ptr::null_mut()));
        let python = ffi::Py_TYPE(object);
        let free: ffi::freefunc = std::mem::transmute(ffi::PyType_GetSlot(python, ffi::Py_tp_free));
        free(object.cast());
        ffi::Py_DECREF(python.cast());
    }
}

/// [`deallocate`] for handles, most of which nothing hangs on.
unsafe extern "C" fn deallocate_handle(object: *mut ffi::PyObject) {
    // SAFETY: called by the interpreter for an object that nobody refers to any more.
    unsafe {
        let raw = object.cast::<Object>();
        let python = ffi::Py_TYPE(object);
        if let Some(class) = (*raw).c.class.as_ref()
            && is_exact_handle(class, python)
            && (*raw).c.flags & TRACKED == 0
            && [(*raw).weak, (*raw).refs, (*raw).extra, (*raw).c.keep]
                .iter()
                .all(|held| held.is_null())
        {
            if (*raw).c.flags & OWNED != 0
                && let Kind::Handle(kind) = &class.kind
            {
                handle::finish(raw, kind);
            }
            if class.spare.give(raw) {
                return;
            }
        }
        deallocate(object);
    }
}

unsafe extern "C" fn traverse(
    object: *mut ffi::PyObject,
    visit: ffi::visitproc,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: called by the collector.
    unsafe {
        let raw = object.cast::<Object>();
        for reached in [
            ffi::Py_TYPE(object).cast(),
            (*raw).refs,
            (*raw).extra,
            (*raw).c.keep,
        ] {
            if !reached.is_null() {
                let stop = visit(reached, argument);
                if stop != 0 {
                    return stop;
                }
            }
        }
        0
    }
}

/// Breaks a cycle. What a handle keeps is not let go of: it must end after the handle, and those references make no cycle by
/// themselves, since each is to something older.
unsafe extern "C" fn clear(object: *mut ffi::PyObject) -> c_int {
    // SAFETY: called by the collector.
    unsafe {
        let raw = object.cast::<Object>();
        let Some(class) = (*raw).c.class.as_ref() else {
            return 0;
        };
        match &class.kind {
            Kind::Handle(_) => return 0,
            Kind::Callback(_) => callback::finish(raw),
            _ if (*raw).c.flags & HEAP == 0 => {
                // The memory may go away now.
                (*raw).c.value = 0;
                (*raw).c.bytes = 0;
                (*raw).c.flags |= CLOSED;
            }
            _ => {}
        }
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).refs, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).extra, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).c.keep, ptr::null_mut()));
        0
    }
}

unsafe extern "C" fn get_class(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter with an object, whose class is returned.
    unsafe { ffi::Py_NewRef(ffi::Py_TYPE(object).cast()) }
}

unsafe extern "C" fn set_class(
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
    _: *mut c_void,
) -> c_int {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::status(|_| {
            Err(PyTypeError::new_err(
                "the class of a C value cannot be changed",
            ))
        })
    }
}

/// `==` of pointers to data or functions: by value, among objects of fitting classes.
pub fn same_value(a: This<'_, '_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
    let Some(b) = as_object(other) else {
        return Ok(None);
    };
    let fitting = match (&a.class().kind, &b.class().kind) {
        (Kind::Pointer(x), Kind::Pointer(y)) => super::address::same(x, y),
        _ => a.is(b.class()),
    };
    Ok(fitting.then(|| a.value() == b.value() && a.closed() == b.closed()))
}

/// What the hash of a pointer to data or to a function is of.
pub fn hash_value(this: This<'_, '_>) -> PyResult<u64> {
    Ok(this.value())
}

/// Whether a pointer is not null. A callback of `cuda.bindings` is true anyhow.
pub fn truth_of_value(this: This<'_, '_>) -> PyResult<bool> {
    let plain = matches!(&this.class().kind, Kind::Callback(info) if info.plain);
    // SAFETY: of one of our classes. One that is placed somewhere is asked for no value that is there.
    Ok(plain || unsafe { (*this.raw()).c.value } != 0)
}

/// A counted reference to a class, which is in an `Arc` like all of them.
pub fn shared(class: &'static Class) -> Arc<Class> {
    // SAFETY: `class` and `unlisted` make all classes, in an `Arc` whose count never becomes 0.
    unsafe {
        Arc::increment_strong_count(class);
        Arc::from_raw(class)
    }
}

fn refuse_pickle<'py, const N: usize>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; N],
) -> PyResult<Bound<'py, PyAny>> {
    Err(PyTypeError::new_err(format!(
        "{} cannot be pickled: it stands for something in this process",
        this.get_type().name()?
    )))
}

/// A record's or array's memory, as a property.
pub fn memory_address<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let address = This { object: this }.address()?;
    Ok(address.into_pyobject(this.py())?.into_any())
}

fn get_ptr<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let address = This { object: this }.location()?;
    Ok(address.into_pyobject(this.py())?.into_any())
}
