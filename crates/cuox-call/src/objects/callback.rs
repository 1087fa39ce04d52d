//! Python callables as C function pointers, and C function pointers as Python callables.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};

use super::base::{self, Object, This, as_object, bases, wrap};
use super::entry::{self, Making, method, property};
use super::field::{self, Keeper};
use super::scalar::{self, Place};
use super::thunk::{self, Frame};
use super::{CLOSED, CallbackInfo, CallbackValue, Class, Kind, Named, OWNED, Passing};
use crate::signature::{Element, Outputs, Parameter, Return, Role, Scalar, Signature, Stored};

/// How many callbacks C may call. As long as there are none, calls need neither [`enter`] nor [`leave`].
pub static LIVE: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// How many calls into C that have said so this thread is in, since Python code last ran.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// An exception that a callback of the current call has raised, and that callback.
    static PENDING: Cell<*mut ffi::PyObject> = const { Cell::new(ptr::null_mut()) };
    static RAISED_BY: Cell<*mut ffi::PyObject> = const { Cell::new(ptr::null_mut()) };
}

/// Called before a call into C that may call back; what it returns is for [`leave`].
pub extern "C" fn enter() -> *mut ffi::PyObject {
    DEPTH.set(DEPTH.get() + 1);
    PENDING.replace(ptr::null_mut())
}

/// Called after such a call. If a callback has raised an exception, it is set, and the result is 1.
///
/// # Safety
/// The GIL is held, and `saved` is from [`enter`].
pub unsafe extern "C" fn leave(saved: *mut ffi::PyObject) -> c_int {
    DEPTH.set(DEPTH.get().saturating_sub(1));
    RAISED_BY.set(ptr::null_mut());
    let raised = PENDING.replace(saved);
    if raised.is_null() {
        return 0;
    }
    // SAFETY: an exception that `called` counted.
    unsafe {
        let py = Python::assume_attached();
        PyErr::from_value(Bound::from_owned_ptr(py, raised)).restore(py);
    }
    1
}

/// Where the values of a callback are.
pub struct Plan {
    sources: Vec<Source>,
    back: Back,
}

enum Source {
    /// In registers: for each eight bytes whether it is a vector register, and which.
    Registers(Vec<(bool, usize)>),
    /// In memory.
    Stack { size: usize, align: usize },
}

enum Back {
    Nothing,
    Registers(Vec<bool>),
    /// Through a pointer in the first general register.
    Hidden,
    Long,
}

/// How one value is passed.
fn passing(value: &CallbackValue) -> Passing {
    match value {
        CallbackValue::UserData => Passing::Registers(vec![false]),
        CallbackValue::Stored(stored) => match stored {
            Stored::Scalar(Scalar::F32 | Scalar::F64) => Passing::Registers(vec![true]),
            Stored::Scalar(Scalar::I128 | Scalar::U128) => Passing::Registers(vec![false; 2]),
            Stored::Scalar(Scalar::Long) => Passing::Memory,
            Stored::Record(class) => match class.as_record() {
                Some(record) => record.passing().clone(),
                None => Passing::Refused("it is not a record"),
            },
            _ => Passing::Registers(vec![false]),
        },
    }
}

impl CallbackInfo {
    fn plan(&self) -> PyResult<&Plan> {
        if let Some(plan) = self.plan.get() {
            return Ok(plan);
        }
        let refuse = |what: &str, why: &str| {
            PyTypeError::new_err(format!("{}: {what} cannot be passed by value: {why}", self.name))
        };
        let (mut general, mut vector) = (0, 0);
        let back = match &self.result {
            None => Back::Nothing,
            Some(CallbackValue::Stored(Stored::Scalar(Scalar::Long))) => Back::Long,
            Some(value) => match passing(value) {
                Passing::Registers(parts) => Back::Registers(parts),
                Passing::Memory => {
                    general = 1;
                    Back::Hidden
                }
                Passing::Refused(why) => return Err(refuse("the result", why)),
            },
        };
        let mut sources = Vec::new();
        for (name, value) in &self.parameters {
            let (size, align) = match value {
                CallbackValue::UserData => (8, 8),
                CallbackValue::Stored(stored) => {
                    (field::stored_size(stored), field::stored_align(stored))
                }
            };
            let stack = Source::Stack {
                size,
                align: align.max(8),
            };
            sources.push(match passing(value) {
                Passing::Memory => stack,
                Passing::Refused(why) => return Err(refuse(&format!("parameter '{name}'"), why)),
                Passing::Registers(parts) => {
                    let vectors = parts.iter().filter(|vector| **vector).count();
                    // A value is in registers as a whole, or not at all.
                    if general + parts.len() - vectors > 6 || vector + vectors > 8 {
                        stack
                    } else {
                        Source::Registers(
                            parts
                                .iter()
                                .map(|is_vector| {
                                    let next = if *is_vector { &mut vector } else { &mut general };
                                    *next += 1;
                                    (*is_vector, *next - 1)
                                })
                                .collect(),
                        )
                    }
                }
            });
        }
        Ok(self.plan.get_or_init(|| Plan { sources, back }))
    }
}

/// The class of a kind of callback.
pub fn class(py: Python<'_>, info: &Arc<CallbackInfo>) -> PyResult<Arc<Class>> {
    if let Some(class) = info.class.get() {
        return Ok(Arc::clone(class));
    }
    let named = Named {
        name: &info.name,
        c_type: &info.name,
        ..Named::default()
    };
    let base = &bases(py)?.callback;
    let class = base::class(py, named, None, Kind::Callback(Arc::clone(info)), base, 0)?;
    Ok(Arc::clone(info.class.get_or_init(|| class)))
}

/// The class `Callback`.
pub fn root() -> PyResult<Making> {
    Ok(Making::new("cuox.Callback".to_owned(), size_of::<Object>())?
        .doc(Some(
            "A pointer to a function. `Class(callable)` is one that C can call, until it is closed or collected; \
             `Class(address)` is one that Python can call.",
        ))
        .slot(ffi::Py_tp_init, initialise as *const c_void)
        .slot(ffi::Py_tp_call, call as *const c_void)
        .slot(ffi::Py_tp_repr, repr as *const c_void)
        .slot(ffi::Py_tp_richcompare, compare as *const c_void)
        .slot(ffi::Py_tp_hash, hash as *const c_void)
        .slot(ffi::Py_nb_bool, truth as *const c_void)
        .slot(ffi::Py_nb_int, int as *const c_void)
        .slot(ffi::Py_nb_index, int as *const c_void)
        .methods(vec![
            method!(
                c"close",
                [],
                0,
                close,
                c"close($self)\n--\n\nC must not call it any more: its code is used again for another callback."
            ),
            method!(
                c"__enter__",
                [],
                0,
                entry::itself,
                c"__enter__($self)\n--\n\n"
            ),
            method!(
                c"__exit__",
                ["kind", "error", "traceback"],
                0,
                exit,
                c"__exit__($self, kind=None, error=None, traceback=None)\n--\n\nClose it."
            ),
        ])
        .properties(vec![
            property!(
                c"closed",
                super::handle::flag::<CLOSED>,
                c"Whether it has been closed."
            ),
            property!(
                c"callable",
                callable,
                c"What C calls; None if the function is C's own."
            ),
        ]))
}

fn callable<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let callable = This { object: this }.refs();
    Ok(callable.unwrap_or_else(|| this.py().None().into_bound(this.py())))
}

/// A C function pointer for a Python callable, and the object that must live as long as C may call it. A callback object gives its own; `None` is null.
/// One that is `kept` lives until it is closed, and the same callable gets the same one.
pub fn pointer(
    py: Python<'_>,
    info: &Arc<CallbackInfo>,
    value: &Bound<'_, PyAny>,
    kept: bool,
) -> PyResult<(u64, Option<Py<PyAny>>)> {
    if value.is_none() {
        return Ok((0, None));
    }
    let class = class(py, info)?;
    if let Some(this) = as_object(value)
        && let Kind::Callback(other) = &this.class().kind
    {
        if !Arc::ptr_eq(other, info) {
            return Err(PyTypeError::new_err(format!(
                "a {} is needed, got a {}",
                info.name, other.name
            )));
        }
        if this.closed() {
            return Err(this.gone());
        }
        return Ok((this.value(), Some(value.clone().unbind())));
    }
    let key = (Arc::as_ptr(&class) as usize, value.as_ptr() as usize);
    if kept && let Some(callback) = KEPT.lock().get(&key) {
        let callback = callback.clone_ref(py);
        let address = This {
            object: callback.bind(py),
        }
        .value();
        return Ok((address, Some(callback)));
    }
    if !value.is_callable() {
        return Err(PyTypeError::new_err(format!(
            "{} takes a callable, got {}",
            info.name,
            scalar::describe(value)
        )));
    }
    let new = wrap(py, &class, 0, false, None)?;
    let this = This { object: &new };
    give_code(this, info, value)?;
    if kept {
        KEPT.lock().insert(key, new.clone().unbind());
    }
    Ok((this.value(), Some(new.unbind())))
}

/// Callbacks that C keeps, by class and callable. They hold the callable, so that its address is its own.
static KEPT: Mutex<KeptMap> = Mutex::new(KeptMap(None));

struct KeptMap(Option<HashMap<(usize, usize), Py<PyAny>>>);

impl KeptMap {
    fn get(&self, key: &(usize, usize)) -> Option<&Py<PyAny>> {
        self.0.as_ref()?.get(key)
    }

    fn insert(&mut self, key: (usize, usize), value: Py<PyAny>) {
        self.0.get_or_insert_default().insert(key, value);
    }

    fn remove(&mut self, key: &(usize, usize)) -> Option<Py<PyAny>> {
        self.0.as_mut()?.remove(key)
    }
}

/// Makes a new callback object callable by C.
fn give_code(
    this: This<'_, '_>,
    info: &CallbackInfo,
    callable: &Bound<'_, PyAny>,
) -> PyResult<()> {
    info.plan()?;
    let code = thunk::take(this.object.as_ptr())?;
    // SAFETY: of one of our classes.
    unsafe {
        (*this.raw()).c.value = code as u64;
        (*this.raw()).c.flags = OWNED;
    }
    this.set_refs(Some(callable.clone()));
    LIVE.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Takes a callback's code away.
///
/// # Safety
/// Called for an object of a class of callbacks, with the GIL held.
pub unsafe fn finish(raw: *mut Object) {
    // SAFETY: the caller's promise.
    unsafe {
        if (*raw).c.flags & OWNED != 0 {
            thunk::give_back((*raw).c.value as usize);
            LIVE.fetch_sub(1, Ordering::Relaxed);
        }
        (*raw).c.value = 0;
        (*raw).c.flags = CLOSED;
    }
}

fn close<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let inside = This { object: this };
    if !inside.closed() {
        let callable = inside.refs();
        // SAFETY: of a class of callbacks.
        unsafe { finish(inside.raw()) };
        if let Some(callable) = callable {
            let class: *const Class = inside.class();
            let kept = KEPT.lock().remove(&(class as usize, callable.as_ptr() as usize));
            drop(kept.map(|kept| kept.into_bound(this.py())));
        }
        inside.set_refs(None);
        inside.set_keep(None);
        inside.set_extra(None);
    }
    Ok(this.py().None().into_bound(this.py()))
}

fn exit<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 3],
) -> PyResult<Bound<'py, PyAny>> {
    close(this, [])
}

/// Called by every thunk, on any thread.
///
/// # Safety
/// `at` is what a thunk leaves in r11, `frame` what the entry has stored.
pub unsafe extern "C" fn called(at: usize, frame: *mut Frame) {
    // SAFETY: the caller's promise.
    let frame = unsafe { &mut *frame };
    frame.integers = [0; 2];
    frame.vectors = [0; 2];
    frame.has_long = 0;
    // SAFETY: may be asked at any time.
    if unsafe { ffi::Py_IsInitialized() } == 0 {
        return;
    }
    // SAFETY: the interpreter runs; the state is given back below.
    unsafe {
        let state = ffi::PyGILState_Ensure();
        let py = Python::assume_attached();
        let depth = DEPTH.replace(0);
        let object = thunk::object(at);
        if object.is_null() {
            PyRuntimeError::new_err("C called a callback that had been closed")
                .write_unraisable(py, None);
        } else {
            let object = Bound::from_borrowed_ptr(py, object);
            serve(&object, frame, depth);
        }
        DEPTH.set(depth);
        ffi::PyGILState_Release(state);
    }
}

/// Runs a callback's callable. `depth` is how many calls into C the thread is in.
fn serve(object: &Bound<'_, PyAny>, frame: &mut Frame, depth: u32) {
    let py = object.py();
    // One that has raised is not asked again in the same call: a sort would ask it a thousand times.
    let again = depth > 0 && !PENDING.get().is_null() && RAISED_BY.get() == object.as_ptr();
    let pending = PENDING.replace(ptr::null_mut());
    let raised_by = RAISED_BY.replace(ptr::null_mut());
    let this = This { object };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let Kind::Callback(info) = &this.class().kind else {
            return Ok(());
        };
        answer(this, info, frame, again)
    }));
    PENDING.set(pending);
    RAISED_BY.set(raised_by);
    let error = match result {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error,
        Err(_) => PyRuntimeError::new_err("cuox: internal error: a panic in a callback"),
    };
    frame.integers[1] = 0;
    if depth > 0 && pending.is_null() {
        PENDING.set(error.into_value(py).into_ptr());
        RAISED_BY.set(object.as_ptr());
    } else {
        error.write_unraisable(py, this.refs().as_ref());
    }
}

fn answer(
    this: This<'_, '_>,
    info: &CallbackInfo,
    frame: &mut Frame,
    again: bool,
) -> PyResult<()> {
    let py = this.py();
    let plan = info.plan()?;
    let hidden = frame.general[0];
    if let Back::Hidden = plan.back {
        frame.integers[0] = hidden;
        let size = match &info.result {
            Some(CallbackValue::Stored(stored)) => field::stored_size(stored),
            _ => 0,
        };
        // SAFETY: C gives room for the result there.
        unsafe { (hidden as *mut u8).write_bytes(0, size) };
    }
    if again {
        return Ok(());
    }
    let Some(callable) = this.refs() else {
        return Ok(());
    };
    let mut arguments = Vec::with_capacity(info.parameters.len());
    let mut stack = frame.stack as usize;
    for ((_, value), source) in info.parameters.iter().zip(&plan.sources) {
        let mut room = [0u64; 2];
        let address = match source {
            Source::Registers(parts) => {
                for (word, (vector, i)) in room.iter_mut().zip(parts) {
                    *word = if *vector {
                        frame.vector[*i]
                    } else {
                        frame.general[*i]
                    };
                }
                (&raw const room) as usize
            }
            Source::Stack { size, align } => {
                let address = stack.next_multiple_of(*align);
                stack = address + size.next_multiple_of(8);
                address
            }
        };
        if let CallbackValue::Stored(stored) = value {
            // SAFETY: C passed such a value there.
            arguments.push(unsafe { field::load(py, address, stored, None)? });
        }
    }
    let result = callable.call1(PyTuple::new(py, arguments)?)?;
    let Some(CallbackValue::Stored(stored)) = &info.result else {
        return Ok(());
    };
    let what = || format!("the result of {}", info.name);
    let c_type = text_of(stored);
    let place = Place {
        what: &what,
        c_type: &c_type,
    };
    let mut kept = Vec::new();
    let mut keeper = Keeper::List(&mut kept);
    let mut room = [0u64; 2];
    let address = match plan.back {
        Back::Hidden => hidden as usize,
        _ => (&raw mut room) as usize,
    };
    // SAFETY: room for the value.
    unsafe { field::store(address, stored, &result, &mut keeper, place)? };
    match &plan.back {
        Back::Nothing | Back::Hidden => {}
        Back::Long => {
            frame.long[..8].copy_from_slice(&room[0].to_le_bytes());
            frame.long[8..].copy_from_slice(&room[1].to_le_bytes());
            frame.has_long = 1;
        }
        Back::Registers(parts) => {
            if let Stored::Scalar(scalar) | Stored::Enum(scalar, _) = stored
                && scalar::size(*scalar) < 8
                && !matches!(scalar, Scalar::F32)
            {
                // Callers may rely on an extended value.
                // SAFETY: written above.
                room[0] = unsafe { field::raw_integer(*scalar, (&raw const room) as usize) };
            }
            let (mut general, mut vector) = (0, 0);
            for (word, is_vector) in room.iter().zip(parts) {
                if *is_vector {
                    frame.vectors[vector] = *word;
                    vector += 1;
                } else {
                    frame.integers[general] = *word;
                    general += 1;
                }
            }
        }
    }
    if !kept.is_empty() {
        // What a pointer in the result points into lives until the next result.
        this.set_keep(Some(PyList::new(py, kept)?.into_any()));
    }
    Ok(())
}

/// A C type for errors, where nobody has said it.
fn text_of(stored: &Stored) -> String {
    match stored {
        Stored::Scalar(scalar) | Stored::Enum(scalar, _) => match scalar {
            Scalar::Bool => "_Bool",
            Scalar::I8 => "signed char",
            Scalar::U8 => "unsigned char",
            Scalar::I16 => "short",
            Scalar::U16 => "unsigned short",
            Scalar::I32 => "int",
            Scalar::U32 => "unsigned int",
            Scalar::I64 => "long",
            Scalar::U64 => "unsigned long",
            Scalar::I128 => "__int128",
            Scalar::U128 => "unsigned __int128",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
            Scalar::Long => "long double",
            Scalar::Pointer => "void *",
        }
        .to_owned(),
        Stored::Handle { class, .. } | Stored::Pointer(class) | Stored::Record(class) => {
            class.c_type.clone()
        }
        Stored::Text { .. } => "char *".to_owned(),
        Stored::Callback(info) => info.name.clone(),
    }
}

unsafe extern "C" fn initialise(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let this = This { object: &this };
            let class = this.class();
            let Kind::Callback(info) = &class.kind else {
                return Ok(());
            };
            let [value] = entry::read(py, &class.name, ["function"], 0, arguments, keywords)?;
            if this.flags() & OWNED != 0 {
                return Err(PyTypeError::new_err(format!(
                    "this {} has a function already",
                    class.name
                )));
            }
            let Some(value) = value.filter(|value| !value.is_none()) else {
                return Ok(());
            };
            if value.is_instance_of::<PyInt>() {
                let what = || format!("{}()", class.name);
                let place = Place {
                    what: &what,
                    c_type: &class.c_type,
                };
                let address = scalar::integer(&value, false, 64, place)?;
                (*this.raw()).c.value = address;
                (*this.raw()).c.flags = 0;
                this.set_extra(None);
                return Ok(());
            }
            if !value.is_callable() {
                return Err(PyTypeError::new_err(format!(
                    "{}() takes a callable or an address, got {}",
                    class.name,
                    scalar::describe(&value)
                )));
            }
            give_code(this, info, &value)
        })
    }
}

unsafe extern "C" fn call(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let inside = This { object: &this };
            let Kind::Callback(info) = &inside.class().kind else {
                return Err(inside.gone());
            };
            if inside.value() == 0 {
                return Err(inside.gone());
            }
            let function = match inside.extra() {
                Some(function) => function,
                None => {
                    let new = caller(py, signature(info, inside.value()))?;
                    let new = new.into_bound(py);
                    inside.set_extra(Some(new.clone()));
                    new
                }
            };
            let result = ffi::PyObject_Call(function.as_ptr(), arguments, keywords);
            Bound::from_owned_ptr_or_err(py, result)
        })
    }
}

fn caller(_: Python<'_>, signature: Signature) -> PyResult<Py<PyAny>> {
    Err(PyRuntimeError::new_err(signature.name))
}

/// What calling a C function of this kind takes.
fn signature(info: &Arc<CallbackInfo>, target: u64) -> Signature {
    let role = |value: &CallbackValue| match value {
        CallbackValue::UserData => Role::Fixed(Scalar::Pointer, 0),
        CallbackValue::Stored(stored) => match stored {
            Stored::Scalar(Scalar::Pointer) => Role::Pointer {
                to: Element::Untyped,
                writable: false,
                nullable: true,
            },
            Stored::Scalar(scalar) | Stored::Enum(scalar, _) => Role::Scalar(*scalar),
            Stored::Handle { class, .. } => Role::Handle {
                class: Arc::clone(class),
                nullable: true,
                consumed: false,
            },
            Stored::Pointer(class) => Role::Pointer {
                to: match &class.kind {
                    Kind::Pointer(element) => element.clone(),
                    _ => Element::Untyped,
                },
                writable: !class.c_type.starts_with("const "),
                nullable: true,
            },
            Stored::Text { .. } => Role::Text { nullable: true },
            Stored::Record(class) => Role::Record(Arc::clone(class)),
            Stored::Callback(info) => Role::Callback {
                info: Arc::clone(info),
                nullable: true,
                kept: true,
            },
        },
    };
    let parameters = info.parameters.iter().enumerate();
    Signature {
        name: info.name.clone(),
        doc: String::new(),
        module: None,
        target: target as usize,
        parameters: parameters
            .map(|(i, (name, value))| Parameter {
                name: if name.is_empty() {
                    format!("argument_{i}")
                } else {
                    name.clone()
                },
                c_type: match value {
                    CallbackValue::UserData => "void *".to_owned(),
                    CallbackValue::Stored(stored) => text_of(stored),
                },
                role: role(value),
                default: None,
            })
            .collect(),
        result: match &info.result {
            Some(CallbackValue::Stored(stored)) => Return::Value(stored.clone()),
            _ => Return::Nothing,
        },
        release_gil: false,
        variadic: false,
        outputs: Outputs::Plain,
        keep: None,
    }
}

unsafe extern "C" fn repr(this: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let inside = This { object: &this };
            let name = this.get_type().name()?;
            let text = match (inside.closed(), inside.value(), inside.refs()) {
                (true, _, _) => format!("<{name} closed>"),
                (_, 0, _) => format!("<{name} null>"),
                (_, value, Some(callable)) => {
                    format!("<{name} {value:#x} of {}>", callable.repr()?)
                }
                (_, value, None) => format!("<{name} {value:#x}>"),
            };
            Ok(text.into_pyobject(py)?.into_any())
        })
    }
}

unsafe extern "C" fn compare(
    this: *mut ffi::PyObject,
    other: *mut ffi::PyObject,
    operator: c_int,
) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter.
    unsafe { base::compare_values(this, other, operator) }
}

unsafe extern "C" fn hash(this: *mut ffi::PyObject) -> ffi::Py_hash_t {
    // SAFETY: called by the interpreter with an object of ours.
    unsafe { base::hash_value(this) }
}

unsafe extern "C" fn truth(this: *mut ffi::PyObject) -> c_int {
    // SAFETY: called by the interpreter with an object of ours.
    unsafe { ((*this.cast::<Object>()).c.value != 0).into() }
}

unsafe extern "C" fn int(this: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let inside = This { object: &this };
            if inside.closed() {
                return Err(inside.gone());
            }
            Ok(inside.value().into_pyobject(py)?.into_any())
        })
    }
}
