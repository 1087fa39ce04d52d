//! What happens when C calls a callback.

use std::cell::Cell;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::AtomicU32;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use smallvec::SmallVec;

use super::base::This;
use super::field;
use super::scalar::{self, Place};
use super::store::{self, Keeper};
use super::thunk::{self, Frame};
use super::{CallbackInfo, CallbackValue, Kind, Passing, entry};
use crate::gate;
use crate::signature::{Scalar, Stored};

/// How many callbacks C may call. As long as there are none, calls need neither [`enter`] nor [`leave`].
pub static LIVE: AtomicU32 = AtomicU32::new(0);

/// What a thread is doing.
struct Watch {
    /// How many calls into C that have said so it is in, since Python code last ran.
    depth: Cell<u32>,
    /// An exception that a callback of the current call has raised.
    pending: Cell<*mut ffi::PyObject>,
    /// That callback.
    raised_by: Cell<*mut ffi::PyObject>,
}

thread_local! {
    static WATCH: Watch = const {
        Watch {
            depth: Cell::new(0),
            pending: Cell::new(ptr::null_mut()),
            raised_by: Cell::new(ptr::null_mut()),
        }
    };
}

/// Called before a call into C that may call back; what it returns is for [`leave`].
pub extern "C" fn enter() -> *mut ffi::PyObject {
    WATCH.with(|watch| {
        watch.depth.set(watch.depth.get() + 1);
        watch.pending.replace(ptr::null_mut())
    })
}

/// Called after such a call. If a callback has raised an exception, it is set, and the result is 1.
///
/// # Safety
/// The GIL is held, and `saved` is from [`enter`].
pub unsafe extern "C" fn leave(saved: *mut ffi::PyObject) -> c_int {
    let raised = WATCH.with(|watch| {
        watch.depth.set(watch.depth.get().saturating_sub(1));
        watch.raised_by.set(ptr::null_mut());
        watch.pending.replace(saved)
    });
    if raised.is_null() {
        return 0;
    }
    // SAFETY: an exception that `called` counted.
    unsafe {
        let py = Python::assume_attached();
        entry::restore(PyErr::from_value(Bound::from_owned_ptr(py, raised)));
    }
    1
}

/// Where the values of a callback are.
pub struct Plan {
    sources: Vec<Source>,
    back: Back,
    /// The result's type, for errors.
    result: String,
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
    /// Where its values are, if they can be passed.
    pub(super) fn plan(&self) -> PyResult<&Plan> {
        if let Some(plan) = self.plan.get() {
            return Ok(plan);
        }
        let refuse = |what: &str, why: &str| {
            PyTypeError::new_err(format!(
                "{}: {what} cannot be passed by value: {why}",
                self.name
            ))
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
                                    let next = if *is_vector {
                                        &mut vector
                                    } else {
                                        &mut general
                                    };
                                    *next += 1;
                                    (*is_vector, *next - 1)
                                })
                                .collect(),
                        )
                    }
                }
            });
        }
        let result = match &self.result {
            Some(CallbackValue::Stored(stored)) => text_of(stored),
            _ => String::new(),
        };
        Ok(self.plan.get_or_init(|| Plan {
            sources,
            back,
            result,
        }))
    }
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
    // C's own threads are not let in as the interpreter ends.
    let Some(inside) = gate::enter() else {
        return;
    };
    // SAFETY: the interpreter runs and its lock is held, until `inside` is dropped.
    gate::kept(|| unsafe {
        let py = Python::assume_attached();
        WATCH.with(|watch| {
            let depth = watch.depth.replace(0);
            let object = thunk::object(at);
            if object.is_null() {
                let error = PyRuntimeError::new_err("C called a callback that had been closed");
                Python::attach(|py| error.write_unraisable(py, None));
            } else {
                let object = Bound::from_borrowed_ptr(py, object);
                serve(&object, frame, watch, depth);
            }
            watch.depth.set(depth);
        });
    });
    drop(inside);
}

/// Runs a callback's callable. `depth` is how many calls into C the thread is in.
fn serve(object: &Bound<'_, PyAny>, frame: &mut Frame, watch: &Watch, depth: u32) {
    let py = object.py();
    // One that has raised is not asked again in the same call: a sort would ask it a thousand times.
    let pending = watch.pending.replace(ptr::null_mut());
    let raised_by = watch.raised_by.replace(ptr::null_mut());
    let again = depth > 0 && !pending.is_null() && raised_by == object.as_ptr();
    let this = This { object };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let Kind::Callback(info) = &this.class().kind else {
            return Ok(());
        };
        gate::kept(|| answer(this, info, frame, again))
    }));
    watch.pending.set(pending);
    watch.raised_by.set(raised_by);
    let error = match result {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error,
        Err(_) => PyRuntimeError::new_err("cuox: internal error: a panic in a callback"),
    };
    frame.integers[1] = 0;
    if depth > 0 && pending.is_null() {
        watch.pending.set(error.into_value(py).into_ptr());
        watch.raised_by.set(object.as_ptr());
    } else {
        Python::attach(|py| error.write_unraisable(py, this.refs().as_ref()));
    }
}

fn answer(this: This<'_, '_>, info: &CallbackInfo, frame: &mut Frame, again: bool) -> PyResult<()> {
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
    let mut arguments: SmallVec<[Bound<'_, PyAny>; 8]> = SmallVec::new();
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
    let result = invoke(&callable, &arguments)?;
    let Some(CallbackValue::Stored(stored)) = &info.result else {
        return Ok(());
    };
    let what = || format!("the result of {}", info.name);
    let place = Place {
        what: &what,
        c_type: &plan.result,
    };
    let mut kept = Vec::new();
    let mut keeper = Keeper::List(&mut kept);
    let mut room = [0u64; 2];
    let address = match plan.back {
        Back::Hidden => hidden as usize,
        _ => (&raw mut room) as usize,
    };
    // SAFETY: room for the value.
    unsafe { store::store(address, stored, &result, &mut keeper, place)? };
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

/// Calls a callable; up to four arguments need no tuple.
fn invoke<'py>(
    callable: &Bound<'py, PyAny>,
    arguments: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let py = callable.py();
    let null = ptr::null_mut::<ffi::PyObject>();
    let (function, a) = (callable.as_ptr(), |index: usize| arguments[index].as_ptr());
    use gate::raw::PyObject_CallFunctionObjArgs as call;
    // SAFETY: live objects, and null at the end; the result is a new reference, or null with an exception.
    unsafe {
        let result = match arguments.len() {
            0 => call(function, null),
            1 => call(function, a(0), null),
            2 => call(function, a(0), a(1), null),
            3 => call(function, a(0), a(1), a(2), null),
            4 => call(function, a(0), a(1), a(2), a(3), null),
            _ => return gate::call(callable, &PyTuple::new(py, arguments)?, None),
        };
        Bound::from_owned_ptr_or_err(py, result)
    }
}

/// A C type for errors, where nobody has said it.
pub fn text_of(stored: &Stored) -> String {
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
