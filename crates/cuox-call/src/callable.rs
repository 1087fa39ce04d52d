//! The object behind a callable.
//!
//! A callable is one of Python's builtin functions, whose `__self__` is an object of the type made here. It owns the
//! [`Signature`] and the method definition, and has the words that generated code reads in result_location: the C
//! function's address, what was returned last, and, for each parameter, the type that was accepted last, or the class
//! of what is returned.

use std::cell::{Cell, UnsafeCell};
use std::ffi::{CString, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use crate::errors::ArgumentContext;
use crate::interpreter::guard::attach_or_assume;
use crate::interpreter::methods::method;
use crate::mode::Mode;
use crate::signature::{Errno, Outputs, Return, Role, Signature};
use crate::types::abi::{MAX_STACK_ARGS, Passing, ResultLocation};
use crate::types::class::{Class, Kind};
use crate::types::scalar::Scalar;
use crate::types::value::{Element, Stored};

/// The object that is `__self__` of the builtin function.
#[repr(C)]
pub struct CFunctionObject {
    head: ffi::PyObject,
    size: isize,
    /// The C function's address.
    pub target: usize,
    /// The callable, which this object owns.
    pub callable: *mut Callable,
    /// The object for a status of 0, once there has been one; else null.
    pub zero_status: *mut ffi::PyObject,
    /// The last status that was returned for a failure, and its object or null.
    pub last_failure: (i64, *mut ffi::PyObject),
    /// The last tuple that was returned, or null. It is filled again if its only reference is this one.
    pub last_tuple: *mut ffi::PyObject,
    /// The class of the handles that C returns, if it does.
    pub handle_class: *const Class,
    /// The number of calls made without code.
    pub calls_without_code: usize,
    // The words follow.
}

/// The offset of the C function's address.
pub const TARGET_OFFSET: i32 = std::mem::offset_of!(CFunctionObject, target) as i32;

/// The offset of the object for a status of 0.
pub const ZERO_STATUS_OFFSET: i32 = std::mem::offset_of!(CFunctionObject, zero_status) as i32;

/// The offset of the last tuple.
pub const LAST_TUPLE_OFFSET: i32 = std::mem::offset_of!(CFunctionObject, last_tuple) as i32;

/// The offset of the class of the handles that C returns.
pub const HANDLE_CLASS_OFFSET: i32 = std::mem::offset_of!(CFunctionObject, handle_class) as i32;

/// The offset of the first parameter's word.
pub const WORDS_OFFSET: i32 = size_of::<CFunctionObject>() as i32;

/// Room behind each output that nobody reads: C that stores a few more values than it is expected to overwrites nothing
/// there.
const MARGIN: usize = 64;

/// The place of an output in a call's storage while C runs.
#[derive(Clone, Copy, Debug)]
pub struct StorageSlot {
    /// The offset in the call's storage, in bytes.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}

/// A callable: a signature and what follows from it.
pub struct Callable {
    /// Its signature.
    pub signature: Signature,
    /// The name with parentheses, for errors.
    pub whole: String,
    /// The parameters that the caller gives, in order.
    pub taken: Vec<usize>,
    /// The names of those, interned.
    pub keywords: Vec<Py<PyString>>,
    /// The number of those up to the last without a default.
    pub required: usize,
    /// Where each parameter's value is stored, if C takes its address.
    pub slots: Vec<Option<StorageSlot>>,
    /// The number of bytes of storage that a call needs.
    pub storage: usize,
    /// The number of stored values that are returned.
    pub outputs: usize,
    /// True if a parameter's value depends on the length of another's memory, or counts it.
    pub measures: bool,
    /// The place of C's result.
    pub result_location: ResultLocation,
    name: CString,
    doc: CString,
    /// The way in which its calls are made.
    pub mode: Cell<Mode>,
    /// The code that makes them while there are callbacks, or 0.
    pub watched: Cell<Entry>,
    /// The method definition, which the interpreter reads at each call.
    definition: UnsafeCell<ffi::PyMethodDef>,
}

fn bad(signature: &Signature, parameter: usize, text: &str) -> PyErr {
    let name = signature
        .parameters
        .get(parameter)
        .map_or("?", |parameter| parameter.name.as_str());
    PyValueError::new_err(format!("{}(): parameter '{name}' {text}", signature.name))
}

/// A stored value's size and alignment.
pub fn extent(stored: &Stored) -> Option<(usize, usize)> {
    Some(match stored {
        Stored::Scalar(scalar) | Stored::Enum(scalar, _) => (scalar.size(), scalar.size()),
        Stored::Handle { class, .. } => match &class.kind {
            Kind::Handle(handle) => (handle.scalar.size(), handle.scalar.size()),
            _ => return None,
        },
        Stored::Char => (1, 1),
        Stored::Pointer(_) | Stored::Text { .. } | Stored::Callback(_) => (8, 8),
        Stored::Record(class) => match &class.kind {
            Kind::Record(record) => (record.size, record.align),
            _ => return None,
        },
    })
}

const fn scalar_place(scalar: Scalar) -> ResultLocation {
    match scalar {
        Scalar::F32 | Scalar::F64 => ResultLocation::Vector,
        Scalar::Long => ResultLocation::X87,
        Scalar::I128 | Scalar::U128 => ResultLocation::IntegerPair,
        _ => ResultLocation::Integer,
    }
}

fn result_location(result: &Return) -> Option<ResultLocation> {
    let stored = match result {
        Return::Nothing => return Some(ResultLocation::Nothing),
        Return::Char | Return::Object => return Some(ResultLocation::Integer),
        Return::Status(status) => return Some(scalar_place(status.scalar)),
        Return::Value(stored) | Return::NotNull(stored) => stored,
    };
    Some(match stored {
        Stored::Scalar(scalar) | Stored::Enum(scalar, _) => scalar_place(*scalar),
        Stored::Char
        | Stored::Handle { .. }
        | Stored::Pointer(_)
        | Stored::Text { .. }
        | Stored::Callback(_) => ResultLocation::Integer,
        Stored::Record(class) => match &class.kind {
            Kind::Record(record) => match record.passing() {
                Passing::Memory => ResultLocation::Memory(record.size),
                Passing::Registers(classes) if classes.len() <= 2 => {
                    ResultLocation::Registers(classes.clone())
                }
                Passing::Registers(_) | Passing::Refused(_) => return None,
            },
            _ => return None,
        },
    })
}

impl Callable {
    /// Checks a signature and works out what follows from it.
    fn new(py: Python<'_>, mut signature: Signature, doc: &str) -> PyResult<Box<Self>> {
        for parameter in &mut signature.parameters {
            if let Role::Pointer { to, .. } = &mut parameter.role {
                *to = to.flat();
            }
        }
        let text = |text: &str| {
            CString::new(text).map_err(|_| {
                PyValueError::new_err(format!(
                    "{}(): the name or docstring has a NUL character",
                    signature.name
                ))
            })
        };
        if signature.target == 0 {
            return Err(PyValueError::new_err(format!(
                "{}(): the address of the C function must not be 0",
                signature.name
            )));
        }
        let mut slots = Vec::with_capacity(signature.parameters.len());
        let mut storage = 0usize;
        let mut room = |stored: &Stored| {
            let (size, align) = extent(stored)?;
            // Each output has whole words of its own, since generated code reads whole words.
            storage = storage.next_multiple_of(align.clamp(8, 16));
            let offset = storage;
            storage = storage.checked_add(size.next_multiple_of(8) + MARGIN)?;
            Some(StorageSlot { offset, size })
        };
        let mut on_stack = 0;
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let fail = |text: &str| Err(bad(&signature, index, text));
            slots.push(match &parameter.role {
                Role::OutputText { length, .. } => {
                    let counter = signature.parameters.get(*length).map(|other| &other.role);
                    if !matches!(counter, Some(Role::Counter(_))) {
                        return fail("needs a parameter where C writes its length");
                    }
                    room(&Stored::Text {
                        free: None,
                        copied: false,
                    })
                }
                Role::Counter(Stored::Scalar(scalar)) if scalar.is_float() || scalar.size() > 8 => {
                    return fail("counts, and is not an integer");
                }
                Role::Output(stored) | Role::Counter(stored) => match room(stored) {
                    Some(room) => Some(room),
                    None => return fail("is an output whose size is not known"),
                },
                Role::InOut(stored) | Role::Pointed(stored) => match stored {
                    Stored::Text { .. } => return fail("is text that C reads and replaces, which is not supported: C may have moved or freed it"),
                    Stored::Callback(_) => return fail("is a function pointer that C reads and replaces, which is not supported"),
                    _ => match room(stored) {
                        Some(room) => Some(room),
                        None => return fail("is an output whose size is not known"),
                    },
                },
                Role::OutputBuffer { length, unit, .. } => {
                    let right = signature.parameters.get(*length).is_some_and(|other| {
                        matches!(other.role, Role::Scalar(scalar) | Role::Fixed(scalar, _) | Role::InOut(Stored::Scalar(scalar)) | Role::Pointed(Stored::Scalar(scalar)) if !scalar.is_float() && scalar.size() <= 8)
                    });
                    if !right || *unit == 0 {
                        return fail("needs a length parameter that is an integer");
                    }
                    None
                }
                Role::Length { of, unit, scalar } => {
                    let right = signature.parameters.get(*of).is_some_and(|other| matches!(other.role, Role::Pointer { .. } | Role::Text { .. } | Role::Texts { .. } | Role::Edited { .. }));
                    if !right || *unit == 0 || scalar.is_float() || scalar.size() > 8 {
                        return fail("is the length of a parameter that is neither memory nor text");
                    }
                    None
                }
                Role::Record(class) => match &class.kind {
                    Kind::Record(record) if record.align <= 16 => {
                        on_stack = record.size.next_multiple_of(16).saturating_add(on_stack);
                        None
                    }
                    Kind::Record(_) => return fail("is a record aligned to more than 16 bytes, which is not passed by value"),
                    _ => return fail("is passed as a record, but its class is not a class of records"),
                },
                Role::Handle { class, .. } if !matches!(&class.kind, Kind::Handle(_)) => {
                    return fail("is passed as a handle, but its class is not a class of handles");
                }
                Role::Handle { class, by_address: true, .. } => {
                    room(&Stored::Handle { class: Arc::clone(class), owned: false })
                }
                _ => None,
            });
            on_stack = on_stack.saturating_add(16);
        }
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let Some(extent) = &parameter.extent else {
                continue;
            };
            let number = |index: usize| {
                signature.parameters.get(index).is_some_and(|other| {
                    matches!(other.role, Role::Scalar(scalar) | Role::Fixed(scalar, _) | Role::InOut(Stored::Scalar(scalar)) | Role::Pointed(Stored::Scalar(scalar)) | Role::Length { scalar, .. } if !scalar.is_float() && scalar.size() <= 8)
                })
            };
            if !extent.counts().all(number) || !matches!(parameter.role, Role::Pointer { .. }) {
                let text =
                    "has an extent, which needs a pointer and integer parameters that count it";
                return Err(bad(&signature, index, text));
            }
        }
        if on_stack > MAX_STACK_ARGS {
            return Err(PyValueError::new_err(format!(
                "{}() passes more than {MAX_STACK_ARGS} bytes on the stack, the most that is supported",
                signature.name
            )));
        }
        let Some(result_location) = result_location(&signature.result) else {
            return Err(PyValueError::new_err(format!(
                "{}() returns a record whose fields are not known",
                signature.name
            )));
        };
        if matches!(signature.outputs, Outputs::StatusTuple)
            && !matches!(signature.result, Return::Status(_))
        {
            return Err(PyValueError::new_err(format!(
                "{}() returns no status, which its outputs are to be returned with",
                signature.name
            )));
        }
        let told = match signature.errno {
            None | Some(Errno::Set) => true,
            Some(Errno::Status) => {
                matches!(signature.result, Return::Status(_))
                    && signature.outputs != Outputs::StatusTuple
            }
            Some(Errno::Result(_)) => {
                let scalar = signature.result.scalar();
                scalar.is_some_and(|scalar| !scalar.is_float() && scalar.size() <= 8)
            }
        };
        if !told {
            return Err(PyValueError::new_err(format!(
                "{}() returns no value that tells a failure, which errno needs",
                signature.name
            )));
        }
        let taken: Vec<usize> = (0..signature.parameters.len())
            .filter(|index| signature.parameters[*index].role.taken())
            .collect();
        let required = taken
            .iter()
            .rposition(|index| signature.parameters[*index].default.is_none())
            .map_or(0, |last| last + 1);
        Ok(Box::new(Self {
            whole: format!("{}()", signature.name),
            keywords: taken
                .iter()
                .map(|index| PyString::intern(py, &signature.parameters[*index].name).unbind())
                .collect(),
            required,
            slots,
            storage,
            outputs: (signature.parameters.iter())
                .filter(|parameter| matches!(parameter.role, Role::Output(_) | Role::InOut(_)))
                .count(),
            measures: signature.parameters.iter().any(|parameter| {
                parameter.extent.is_some()
                    || matches!(
                        parameter.role,
                        Role::Length { .. } | Role::OutputBuffer { .. }
                    )
            }),
            result_location,
            name: text(&signature.name)?,
            doc: text(doc)?,
            mode: Cell::new(Mode::NoJit),
            watched: Cell::new(0),
            definition: UnsafeCell::new(ffi::PyMethodDef::zeroed()),
            taken,
            signature,
        }))
    }

    /// True if arguments may be given by name.
    #[inline]
    pub fn takes_names(&self) -> bool {
        !self.taken.is_empty()
    }

    /// The context of errors about a parameter.
    #[inline]
    pub fn context(&self, parameter: usize) -> ArgumentContext<'_> {
        let parameter = &self.signature.parameters[parameter];
        ArgumentContext {
            whole: &self.whole,
            what: "parameter",
            name: &parameter.name,
            c_type: &parameter.c_type,
            cuts_floats: self.signature.cuts_floats,
        }
    }
}

/// The docstring, which begins with the signature as `inspect` reads it.
fn docstring(py: Python<'_>, signature: &Signature) -> String {
    let mut parameters: Vec<String> = Vec::new();
    for parameter in signature
        .parameters
        .iter()
        .filter(|parameter| parameter.role.taken())
    {
        parameters.push(match &parameter.default {
            None => parameter.name.clone(),
            Some(default) => {
                // `inspect` reads literals and no other expressions.
                let text = default
                    .bind(py)
                    .repr()
                    .map(|text| text.to_string())
                    .unwrap_or_default();
                let literal = !text.is_empty() && !text.contains(['<', '\n', '(']);
                format!("{}={}", parameter.name, if literal { &text } else { "..." })
            }
        });
    }
    if signature.variadic {
        parameters.push("*args".into());
    }
    format!(
        "{}({})\n--\n\n{}",
        signature.name,
        parameters.join(", "),
        signature.doc
    )
}

static OWNER: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Lets a function of a module be pickled by its name there: the interpreter pickles it as the attribute of its
/// `__self__`, and this says the module in place of that.
fn reduce<'py, const N: usize>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; N],
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    // SAFETY: the method is of this type, whose objects have a callable once they are made.
    let signature = unsafe { &(*(*this.as_ptr().cast::<CFunctionObject>()).callable).signature };
    let Some(module) = &signature.module else {
        return Err(PyTypeError::new_err(format!(
            "{}() cannot be pickled: it is of no module; those of a module that `python -m cuox_bind` has written can",
            signature.name
        )));
    };
    let import = py.import("importlib")?.getattr("import_module")?;
    Ok((import, (module,)).into_pyobject(py)?.into_any())
}

fn owner_type(py: Python<'_>) -> PyResult<&Py<PyType>> {
    OWNER.get_or_try_init(py, || {
        let methods = vec![
            method!(
                c"__reduce_ex__",
                ["protocol"],
                0,
                reduce,
                c"The module that has the function."
            ),
            method!(
                c"__reduce__",
                [],
                0,
                reduce,
                c"The module that has the function."
            ),
            ffi::PyMethodDef::zeroed(),
        ];
        let mut slots = [
            ffi::PyType_Slot {
                slot: ffi::Py_tp_methods,
                pfunc: methods.leak().as_mut_ptr().cast(),
            },
            ffi::PyType_Slot {
                slot: ffi::Py_tp_dealloc,
                pfunc: free as *mut c_void,
            },
            ffi::PyType_Slot {
                slot: ffi::Py_tp_traverse,
                pfunc: traverse as *mut c_void,
            },
            ffi::PyType_Slot {
                slot: 0,
                pfunc: null_mut(),
            },
        ];
        let mut spec = ffi::PyType_Spec {
            name: c"cuox_bind._native.CFunction".as_ptr(),
            basicsize: size_of::<CFunctionObject>() as c_int,
            itemsize: 8,
            flags: (ffi::Py_TPFLAGS_DEFAULT
                | ffi::Py_TPFLAGS_HAVE_GC
                | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION) as u32,
            slots: slots.as_mut_ptr(),
        };
        // SAFETY: a complete description; what it points at is static or copied.
        unsafe {
            Ok(
                Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec))?
                    .cast_into::<PyType>()?
                    .unbind(),
            )
        }
    })
}

/// The code of a callable, as the interpreter calls it: with names if it [takes](Callable::takes_names) any, else
/// without.
pub type Entry = usize;

fn pointer(entry: Entry) -> ffi::PyMethodDefPointer {
    ffi::PyMethodDefPointer {
        // SAFETY: all function pointers are words; the method's flags say which this is.
        PyCFunctionFastWithKeywords: unsafe {
            std::mem::transmute::<Entry, ffi::PyCFunctionFastWithKeywords>(entry)
        },
    }
}

impl Callable {
    /// The code that makes the calls, of a callable that takes names.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    pub unsafe fn entry(&self) -> ffi::PyCFunctionFastWithKeywords {
        // SAFETY: the lock is held (`# Safety`), so nobody writes the definition; its flags are those of a function
        // with keywords.
        unsafe { (*self.definition.get()).ml_meth.PyCFunctionFastWithKeywords }
    }

    /// Replaces the code that makes the calls. The new code takes arguments in the same way.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    pub unsafe fn set_entry(&self, entry: Entry) {
        // SAFETY: the interpreter reads it at each call, with its lock held; there is no other reference to it.
        unsafe { (*self.definition.get()).ml_meth = pointer(entry) }
    }
}

/// Makes the builtin function. `entry` gives the code for the callable.
pub fn make(
    py: Python<'_>,
    signature: Signature,
    entry: impl FnOnce(&Callable) -> Entry,
) -> PyResult<Py<PyAny>> {
    let doc = docstring(py, &signature);
    let mut callable = Callable::new(py, signature, &doc)?;
    let words = callable.signature.parameters.len();
    let definition = ffi::PyMethodDef {
        ml_name: callable.name.as_ptr(),
        ml_meth: pointer(entry(&callable)),
        ml_flags: match callable.takes_names() {
            true => ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            // The interpreter calls these a little faster.
            false => ffi::METH_FASTCALL,
        },
        ml_doc: callable.doc.as_ptr(),
    };
    *callable.definition.get_mut() = definition;
    let module = callable
        .signature
        .module
        .as_deref()
        .map(|name| PyString::intern(py, name));
    // SAFETY: a live type with this layout; the object is zeroed, and owns the box from here on.
    unsafe {
        let owner = Bound::from_owned_ptr_or_err(
            py,
            ffi::PyType_GenericAlloc(owner_type(py)?.as_ptr().cast(), words as isize),
        )?;
        let this = owner.as_ptr().cast::<CFunctionObject>();
        (*this).target = callable.signature.target;
        for (index, parameter) in callable.signature.parameters.iter().enumerate() {
            let class = match &parameter.role {
                Role::Fixed(_, value) => {
                    *word(this, index) = *value;
                    continue;
                }
                // The signature holds the class.
                Role::Output(Stored::Handle { class, .. }) => {
                    *word(this, index) = Arc::as_ptr(class) as u64;
                    continue;
                }
                Role::Handle { class, .. } | Role::Record(class) => class,
                Role::Pointer {
                    to: Element::Record(class),
                    ..
                } => class,
                _ => continue,
            };
            let class = class.python.as_ptr();
            ffi::Py_IncRef(class);
            *word(this, index) = class as u64;
        }
        if let Return::Value(stored) | Return::NotNull(stored) = &callable.signature.result
            && let Stored::Handle { class, .. } = stored
        {
            (*this).handle_class = Arc::as_ptr(class);
        }
        let callable = Box::into_raw(callable);
        (*this).callable = callable;
        let module = module.as_ref().map_or(null_mut(), |name| name.as_ptr());
        let function = ffi::PyCFunction_NewEx((*callable).definition.get(), owner.as_ptr(), module);
        Ok(Bound::from_owned_ptr_or_err(py, function)?.unbind())
    }
}

/// A parameter's word.
///
/// # Safety
/// The object has that many parameters.
#[inline]
unsafe fn word(this: *mut CFunctionObject, index: usize) -> *mut u64 {
    // SAFETY: the words follow the object.
    unsafe { this.add(1).cast::<u64>().add(index) }
}

/// Notes the type of an accepted argument, so that generated code accepts the next argument of this type at once.
///
/// # Safety
/// `this` is the `__self__` of a callable with such a parameter.
#[inline]
pub unsafe fn remember(this: *mut CFunctionObject, parameter: usize, object: *mut ffi::PyObject) {
    // SAFETY: the word is null or a type that it owns; so is what replaces it.
    unsafe {
        let class = ffi::Py_TYPE(object).cast::<ffi::PyObject>();
        let word = word(this, parameter);
        let before = *word as *mut ffi::PyObject;
        if before != class {
            ffi::Py_IncRef(class);
            *word = class as u64;
            ffi::Py_DecRef(before);
        }
    }
}

/// The words that are types.
///
/// # Safety
/// A live object of this type.
unsafe fn types(this: *mut CFunctionObject) -> impl Iterator<Item = *mut u64> {
    // SAFETY: the callable lives as long as the object, but for one that was never finished.
    let parameters = unsafe { (*this).callable.as_ref() }
        .map_or(&[][..], |callable| &callable.signature.parameters);
    parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| {
            !matches!(
                parameter.role,
                Role::Fixed(..) | Role::Output(Stored::Handle { .. })
            )
        })
        // SAFETY: one word for each parameter.
        .map(move |(index, _)| unsafe { word(this, index) })
}

/// Returned objects that may be returned again; each is an object or null.
///
/// # Safety
/// A live object of this type.
unsafe fn returned(this: *mut CFunctionObject) -> [*mut ffi::PyObject; 3] {
    // SAFETY: `this` is a live object of this type (`# Safety`), whose words are initialised.
    unsafe {
        [
            (*this).zero_status,
            (*this).last_failure.1,
            (*this).last_tuple,
        ]
    }
}

unsafe extern "C" fn free(object: *mut ffi::PyObject) {
    // SAFETY: called once by the interpreter, for an object of this type.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let this = object.cast::<CFunctionObject>();
        for word in types(this) {
            ffi::Py_DecRef(*word as *mut ffi::PyObject);
        }
        for held in returned(this) {
            ffi::Py_DecRef(held);
        }
        if !(*this).callable.is_null() {
            let callable = Box::from_raw((*this).callable);
            attach_or_assume(|_| drop(callable));
        }
        let class = ffi::Py_TYPE(object);
        ffi::PyObject_GC_Del(object.cast());
        ffi::Py_DecRef(class.cast());
    }
}

unsafe extern "C" fn traverse(
    object: *mut ffi::PyObject,
    visit: ffi::visitproc,
    argument: *mut c_void,
) -> c_int {
    // No `tp_clear`: while the function can be called its library has to stay; whoever holds the functions breaks the
    // cycle. SAFETY: called by the collector, for a live object of this type. Classes are shared by `Arc`, so this
    // object is not alone in owning their Python types and visits none through them.
    unsafe {
        let this = object.cast::<CFunctionObject>();
        let visit = |object: *mut ffi::PyObject| match object.is_null() {
            true => 0,
            false => visit(object, argument),
        };
        let mut result = visit(ffi::Py_TYPE(object).cast());
        let words = types(this).map(|word| *word as *mut ffi::PyObject);
        for held in words.chain(returned(this)) {
            if result == 0 {
                result = visit(held);
            }
        }
        let Some(callable) = (*this).callable.as_ref() else {
            return result;
        };
        let signature = &callable.signature;
        let defaults = signature
            .parameters
            .iter()
            .filter_map(|parameter| parameter.default.as_ref());
        for held in defaults.chain(&signature.keep) {
            if result == 0 {
                result = visit(held.as_ptr());
            }
        }
        if let Return::Status(status) = &signature.result {
            for held in [
                status.class.as_ref().map(Py::as_ptr),
                status.raise.as_ref().map(Py::as_ptr),
            ]
            .into_iter()
            .flatten()
            {
                if result == 0 {
                    result = visit(held);
                }
            }
        }
        result
    }
}
