//! One call, from arguments to result.

use std::sync::atomic::Ordering;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use smallvec::SmallVec;

use super::arguments::Given;
use super::give::{self, Keep};
use super::more;
use super::sysv::{Arguments, MOST_STACK, Place};
use super::take::Passed;
use crate::callable::{Callable, Owner};
use crate::convert::memory::Hold;
use crate::convert::text;
use crate::gil;
use crate::objects::{CObject, Kind};
use crate::signature::{Outputs, Return, Role, Status, Stored};
use crate::values;

/// What a call has put together before C runs.
pub struct Call<'a, 'g, 'py> {
    pub py: Python<'py>,
    pub owner: *mut Owner,
    pub callable: &'a Callable,
    pub given: &'a Given<'g, 'py>,
    pub values: SmallVec<[Passed; 8]>,
    /// How many bytes of memory or text an argument has, where that is known; empty if nobody asks.
    pub extents: SmallVec<[Option<usize>; 8]>,
    pub storage: SmallVec<[u128; 8]>,
    pub holds: SmallVec<[Hold; 4]>,
    pub consumed: SmallVec<[*mut CObject; 1]>,
    pub buffers: Vec<(usize, Vec<u8>)>,
}

/// Makes a call.
pub fn call<'py>(
    py: Python<'py>,
    owner: *mut Owner,
    callable: &Callable,
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let parameters = callable.signature.parameters.len();
    let mut call = Call {
        py,
        owner,
        callable,
        given,
        values: SmallVec::new(),
        extents: SmallVec::new(),
        storage: SmallVec::new(),
        holds: SmallVec::new(),
        consumed: SmallVec::new(),
        buffers: Vec::new(),
    };
    // Filled where they are: to move them takes longer.
    call.values.resize(parameters, Passed::Integer(0));
    call.storage.resize(callable.storage.div_ceil(16), 0);
    if callable.measures {
        call.extents.resize(parameters, None);
    }
    call.convert()?;
    let mut record = Vec::new();
    if let Place::Memory(size) = callable.place {
        // Records are aligned to 16 bytes at most.
        record = vec![0u128; size.div_ceil(16).max(1)];
    }
    let mut arguments = Arguments::default();
    call.arguments(&mut arguments, record.as_mut_ptr())?;
    let live = values::LIVE.load(Ordering::Relaxed) != 0;
    let saved = if live {
        values::enter()
    } else {
        std::ptr::null_mut()
    };
    let thread = if gil::wanted(callable.signature.gil) {
        // SAFETY: the lock is held, and is taken again below by the same thread.
        unsafe { ffi::PyEval_SaveThread() }
    } else {
        std::ptr::null_mut()
    };
    // Taking the lock again may set it.
    let errno = callable.signature.errno.map(|_| {
        // SAFETY: this thread's own.
        unsafe {
            let at = libc::__errno_location();
            *at = 0;
            at
        }
    });
    // SAFETY: the signature says that the target is such a function. What the arguments point at is held by `call`.
    unsafe { arguments.call(callable.signature.target, &callable.place) }
    // SAFETY: as above.
    let errno = errno.map_or(0, |at| unsafe { *at });
    if !thread.is_null() {
        // SAFETY: it was saved above.
        unsafe { ffi::PyEval_RestoreThread(thread) }
    }
    // SAFETY: the lock is held again.
    if live && unsafe { values::leave(saved) } != 0 {
        return Err(PyErr::fetch(py));
    }
    let words = arguments.result(&callable.place);
    if errno != 0 && give::told(callable, words[0]) {
        return Err(give::os_error(py, callable, errno, &call.argument_of()));
    }
    let at = match callable.place {
        Place::Memory(_) => record.as_ptr().cast::<u8>(),
        _ => words.as_ptr().cast(),
    };
    // SAFETY: the result lies there.
    unsafe { call.finish(words[0], at) }
}

impl<'py> Call<'_, '_, 'py> {
    /// The address of a parameter's storage.
    pub fn room(&mut self, index: usize) -> u64 {
        let offset = self.callable.rooms[index].map_or(0, |room| room.offset);
        self.storage.as_mut_ptr() as u64 + offset as u64
    }

    /// The integer that a parameter's value is now, with its type.
    pub fn count(&self, index: usize) -> i128 {
        let role = &self.callable.signature.parameters[index].role;
        let (scalar, word) = match (role, self.values[index]) {
            (Role::InOut(Stored::Scalar(scalar)), _) => {
                let offset = self.callable.rooms[index].map_or(0, |room| room.offset);
                // SAFETY: each room has a whole word.
                (*scalar, unsafe {
                    self.storage
                        .as_ptr()
                        .cast::<u8>()
                        .add(offset)
                        .cast::<u64>()
                        .read()
                })
            }
            (Role::Scalar(scalar) | Role::Fixed(scalar, _), Passed::Integer(word)) => {
                (*scalar, word)
            }
            _ => return 0,
        };
        let shift = 64 - 8 * scalar.size() as u32;
        match scalar.signed() {
            true => i128::from(((word << shift) as i64) >> shift),
            false => i128::from((word << shift) >> shift),
        }
    }

    /// Registers and stack.
    fn arguments(&mut self, arguments: &mut Arguments, record: *mut u128) -> PyResult<()> {
        if let Place::Memory(_) = self.callable.place {
            arguments.integer(record as u64);
        }
        for (parameter, value) in self.callable.signature.parameters.iter().zip(&self.values) {
            match *value {
                Passed::Integer(value) => arguments.integer(value),
                Passed::Vector(value) => arguments.vector(value),
                Passed::Wide(value) => arguments.wide(value),
                Passed::Long(value) => arguments.long(value),
                Passed::Record(at) => {
                    if let Role::Record(class) = &parameter.role
                        && let Kind::Record(record) = &class.kind
                    {
                        // SAFETY: a record's value is the address of that many bytes.
                        let bytes = unsafe { std::slice::from_raw_parts(at, record.size) };
                        arguments.record(bytes, record.align, record.passing());
                    }
                }
            }
        }
        for (index, value) in self.given.more.iter().enumerate() {
            more::pass(
                &self.callable.whole,
                arguments,
                index,
                value,
                &mut self.holds,
            )?;
            if arguments.stack_bytes() > MOST_STACK {
                return Err(PyTypeError::new_err(format!(
                    "{} got too many arguments",
                    self.callable.whole
                )));
            }
        }
        Ok(())
    }

    /// The arguments by parameter, null where there is none.
    fn argument_of(&self) -> impl Fn(usize) -> *mut ffi::PyObject {
        let given = &self.given.arguments;
        |index: usize| given[index].map_or(std::ptr::null_mut(), Bound::as_ptr)
    }

    /// # Safety
    /// The call has returned and left its result at `at`.
    unsafe fn finish(&mut self, word: u64, at: *const u8) -> PyResult<Bound<'py, PyAny>> {
        let (py, callable) = (self.py, self.callable);
        let signature = &callable.signature;
        let status: Option<(&Status, i64)> = match &signature.result {
            Return::Status(status) => Some((status, give::code(status, word))),
            _ => None,
        };
        let succeeded = status.is_none_or(|(status, code)| give::succeeded(&status.success, code));
        let tuple = signature.outputs == Outputs::StatusTuple;
        if let Some((status, code)) = status
            && !succeeded
            && !tuple
        {
            return Err(give::failure(py, callable, status, code));
        }
        if succeeded {
            for object in &self.consumed {
                // SAFETY: an argument of this call.
                unsafe { values::close_consumed(*object) }
            }
        }
        let argument = self.argument_of();
        let keep = Keep::new(callable, &argument);
        let mut parts: SmallVec<[Bound<'py, PyAny>; 4]> = SmallVec::new();
        if let (Some((status, code)), true) = (status, tuple) {
            parts.push(give::status(py, status, code)?);
        }
        // SAFETY: the caller's promise.
        parts.extend(unsafe { give::result(py, callable, at, &keep) }?);
        if !self.given.filled {
            for (index, parameter) in signature.parameters.iter().enumerate() {
                let part = match &parameter.role {
                    Role::Output(_) | Role::InOut(_) | Role::OutputBuffer { .. } if !succeeded => {
                        py.None().into_bound(py)
                    }
                    Role::Output(stored) | Role::InOut(stored) => {
                        let offset = callable.rooms[index].map_or(0, |room| room.offset);
                        // SAFETY: the value lies in the call's storage, in whole words.
                        unsafe {
                            give::stored(
                                py,
                                stored,
                                self.storage.as_ptr().cast::<u8>().add(offset),
                                &keep,
                            )
                        }?
                    }
                    Role::OutputBuffer { length, unit, text } => {
                        self.filled_buffer(index, *length, *unit, *text)?
                    }
                    _ => continue,
                };
                parts.push(part);
            }
        }
        match parts.len() {
            _ if tuple => Ok(PyTuple::new(py, parts)?.into_any()),
            0 => Ok(py.None().into_bound(py)),
            1 => Ok(parts.remove(0)),
            _ => Ok(PyTuple::new(py, parts)?.into_any()),
        }
    }

    fn filled_buffer(
        &self,
        index: usize,
        length: usize,
        unit: usize,
        text: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some((_, memory)) = self
            .buffers
            .iter()
            .find(|(parameter, _)| *parameter == index)
        else {
            return Ok(self.py.None().into_bound(self.py));
        };
        let mut bytes = &memory[..memory.len() - 1];
        if matches!(
            self.callable.signature.parameters[length].role,
            Role::InOut(_)
        ) {
            // C has said how much of it is filled.
            let filled = usize::try_from(self.count(length))
                .unwrap_or(0)
                .saturating_mul(unit);
            bytes = &bytes[..filled.min(bytes.len())];
        }
        if text {
            let end = bytes
                .iter()
                .position(|byte| *byte == 0)
                .unwrap_or(bytes.len());
            return text::decode(self.py, &bytes[..end]);
        }
        Ok(PyBytes::new(self.py, bytes).into_any())
    }
}
