//! A callback while C calls it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use smallvec::SmallVec;

use crate::callbacks::pending::{CallTracker, TRACKER};
use crate::callbacks::thunk;
use crate::callbacks::thunk::Frame;
use crate::errors::ValueContext;
use crate::interpreter::gate;
use crate::objects::object_ref::ObjectRef;
use crate::objects::refs::RefKeeper;
use crate::objects::stored_number::raw_integer;
use crate::objects::{load, store};
use crate::types::abi::{ArgLocation, CallbackResultLocation};
use crate::types::callback_info::{CallbackInfo, CallbackValue};
use crate::types::class::Kind;
use crate::types::scalar::Scalar;
use crate::types::value::Stored;

/// Called by every thunk, on any thread.
///
/// # Safety
/// `at` is what a thunk leaves in r11, `frame` what the entry has stored.
pub unsafe extern "C" fn callback_entry(at: usize, frame: *mut Frame) {
    // SAFETY: `frame` is on the stack of the thunks' common code, which nobody else refers to until this returns.
    let frame = unsafe { &mut *frame };
    frame.integers = [0; 2];
    frame.vectors = [0; 2];
    frame.has_long = 0;
    // C's own threads are not let in as the interpreter ends.
    let Some(inside) = gate::enter() else {
        return;
    };
    // SAFETY: the interpreter runs and its lock is held, until `inside` is dropped.
    gate::hang_if_thread_exits(|| unsafe {
        let py = Python::assume_attached();
        TRACKER.with(|watch| {
            let depth = watch.depth.replace(0);
            let object = thunk::object(at);
            if object.is_null() {
                let error = PyRuntimeError::new_err("C called a callback that had been closed");
                Python::attach(|py| error.write_unraisable(py, None));
            } else {
                let object = Bound::from_borrowed_ptr(py, object);
                run_callback(&object, frame, watch, depth);
            }
            watch.depth.set(depth);
        });
    });
    drop(inside);
}

/// Runs a callback's callable. `depth` is how many calls into C the thread is in.
fn run_callback(object: &Bound<'_, PyAny>, frame: &mut Frame, watch: &CallTracker, depth: u32) {
    let py = object.py();
    // A callback that has raised is not called again in the same call into C: a sort would call it a thousand times.
    let pending = watch.pending.replace(ptr::null_mut());
    let raised_by = watch.raised_by.replace(ptr::null_mut());
    let again = depth > 0 && !pending.is_null() && raised_by == object.as_ptr();
    let this = ObjectRef { object };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let Kind::Callback(info) = &this.class().kind else {
            return Ok(());
        };
        gate::hang_if_thread_exits(|| call_python(this, info, frame, again))
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

fn call_python(
    this: ObjectRef<'_, '_>,
    info: &CallbackInfo,
    frame: &mut Frame,
    again: bool,
) -> PyResult<()> {
    let py = this.py();
    let locations = info.locations()?;
    let hidden = frame.general[0];
    if let CallbackResultLocation::Memory = locations.result {
        frame.integers[0] = hidden;
        let size = match &info.result {
            Some(CallbackValue::Stored(stored)) => stored.size(),
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
    for ((_, value), source) in info.parameters.iter().zip(&locations.arguments) {
        let mut room = [0u64; 2];
        let address = match source {
            ArgLocation::Registers(registers) => {
                for (word, (vector, i)) in room.iter_mut().zip(registers) {
                    *word = if *vector {
                        frame.vector[*i]
                    } else {
                        frame.general[*i]
                    };
                }
                (&raw const room) as usize
            }
            ArgLocation::Stack { size, align } => {
                let address = stack.next_multiple_of(*align);
                stack = address + size.next_multiple_of(8);
                address
            }
        };
        if let CallbackValue::Stored(stored) = value {
            // SAFETY: C passed such a value there.
            arguments.push(unsafe { load::load(py, address, stored, None)? });
        }
    }
    let result = invoke(&callable, &arguments)?;
    let Some(CallbackValue::Stored(stored)) = &info.result else {
        return Ok(());
    };
    let what = || format!("the result of {}", info.name);
    let context = ValueContext {
        what: &what,
        c_type: &locations.result_type,
    };
    let mut references = Vec::new();
    let mut keeper = RefKeeper::List(&mut references);
    let mut room = [0u64; 2];
    let address = match locations.result {
        CallbackResultLocation::Memory => hidden as usize,
        _ => (&raw mut room) as usize,
    };
    // SAFETY: room for the value.
    unsafe { store::store(address, stored, &result, &mut keeper, context)? };
    match &locations.result {
        CallbackResultLocation::Nothing | CallbackResultLocation::Memory => {}
        CallbackResultLocation::X87 => {
            frame.long[..8].copy_from_slice(&room[0].to_le_bytes());
            frame.long[8..].copy_from_slice(&room[1].to_le_bytes());
            frame.has_long = 1;
        }
        CallbackResultLocation::Registers(registers) => {
            if let Stored::Scalar(scalar) | Stored::Enum(scalar, _) = stored
                && scalar.size() < 8
                && !matches!(scalar, Scalar::F32)
            {
                // Callers may rely on an extended value.
                // SAFETY: `room` is a local variable, into which `store` has written the scalar.
                room[0] = unsafe { raw_integer(*scalar, (&raw const room) as usize) };
            }
            let (mut general, mut vector) = (0, 0);
            for (word, is_vector) in room.iter().zip(registers) {
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
    if !references.is_empty() {
        // Memory that a pointer in the result points into lives until the next result.
        this.set_keep(Some(PyList::new(py, references)?.into_any()));
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
