//! One call, from arguments to result.

use crate::objects::handle_value::close_consumed;
use crate::objects::object_ref::ObjectRef;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use smallvec::SmallVec;

use crate::callable::{CFunctionObject, Callable};
use crate::callbacks::pending;
use crate::convert::text;
use crate::generic::bind_arguments::BoundArguments;
use crate::generic::prepared::{PassedValue, PreparedCall};
use crate::generic::results::KeepAlive;
use crate::generic::sysv::SysvArguments;
use crate::generic::{results, variadic};
use crate::interpreter::gil;
use crate::signature::{Outputs, Return, Role};
use crate::types::abi::{MAX_STACK_ARGS, ResultLocation};
use crate::types::class::Kind;
use crate::types::status::Status;
use crate::types::value::Stored;
use cuox_bind::plan::Gil;

/// Makes a call.
// A function of its own: the closures around it are inlined only if they are small.
#[inline(never)]
pub fn call<'py>(
    py: Python<'py>,
    owner: *mut CFunctionObject,
    callable: &Callable,
    given: &BoundArguments<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let parameters = callable.signature.parameters.len();
    let mut call = PreparedCall {
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
    // The vectors are filled in result_location, since moving them takes longer.
    call.values.resize(parameters, PassedValue::Integer(0));
    let words = callable.storage.div_ceil(16);
    if call.storage.try_reserve(words).is_err() {
        return Err(no_memory(callable, callable.storage, "outputs"));
    }
    call.storage.resize(words, 0);
    if callable.measures {
        call.extents.resize(parameters, None);
    }
    call.convert()?;
    let mut record = Vec::new();
    if let ResultLocation::Memory(size) = callable.result_location {
        // Records are aligned to 16 bytes at most.
        let words = size.div_ceil(16).max(1);
        if record.try_reserve_exact(words).is_err() {
            return Err(no_memory(callable, size, "result"));
        }
        record.resize(words, 0u128);
    }
    let mut arguments = SysvArguments::default();
    call.arguments(&mut arguments, record.as_mut_ptr())?;
    let live = gil::LIVE_CALLBACKS.load(Ordering::Relaxed) != 0;
    let saved = if live {
        pending::enter()
    } else {
        std::ptr::null_mut()
    };
    let thread = if gil::should_release(callable.signature.gil) {
        // SAFETY: the lock is held, and is taken again below by the same thread.
        unsafe { ffi::PyEval_SaveThread() }
    } else {
        std::ptr::null_mut()
    };
    // Taking the lock again may set `errno`, so it is read before.
    let errno = callable.signature.errno.map(|_| {
        // SAFETY: `errno` is a variable of this thread, which outlives the call.
        unsafe {
            let at = libc::__errno_location();
            *at = 0;
            at
        }
    });
    // SAFETY: the signature says that the target is such a function. What the arguments point at is held by `call`.
    unsafe { arguments.call(callable.signature.target, &callable.result_location) }
    // SAFETY: `at` points at this thread's `errno`.
    let errno = errno.map_or(0, |at| unsafe { *at });
    if !thread.is_null() {
        // SAFETY: it was saved above.
        unsafe { ffi::PyEval_RestoreThread(thread) }
    }
    // SAFETY: the lock is held again.
    if live && unsafe { pending::leave(saved) } != 0 {
        return Err(PyErr::fetch(py));
    }
    let words = arguments.result(&callable.result_location);
    if callable.signature.gil == Gil::Python
        && let Some(error) = PyErr::take(py)
    {
        if let Return::Object = callable.signature.result {
            // SAFETY: the result is an object of the caller's, or null.
            unsafe { ffi::Py_XDECREF(words[0] as *mut ffi::PyObject) }
        }
        return Err(error);
    }
    if errno != 0 && results::told(callable, words[0]) {
        return Err(results::os_error(py, callable, errno, &call.argument_of()));
    }
    let at = match callable.result_location {
        ResultLocation::Memory(_) => record.as_ptr().cast::<u8>(),
        _ => words.as_ptr().cast(),
    };
    // SAFETY: the call has returned, and `at` is the buffer of `ResultLocation::Memory` or the words of the registers,
    // both alive here.
    unsafe { call.finish(words[0], at) }
}

#[cold]
fn no_memory(callable: &Callable, bytes: usize, what: &str) -> PyErr {
    let whole = &callable.whole;
    PyMemoryError::new_err(format!(
        "{whole}: no memory for {bytes} bytes of its {what}"
    ))
}

impl<'py> PreparedCall<'_, '_, 'py> {
    /// The address of a parameter's storage.
    #[inline]
    pub fn room(&mut self, index: usize) -> u64 {
        let offset = self.callable.slots[index].map_or(0, |room| room.offset);
        self.storage.as_mut_ptr() as u64 + offset as u64
    }

    /// The integer that a parameter's value is now, with its type.
    #[inline]
    pub fn count(&self, index: usize) -> i128 {
        let role = &self.callable.signature.parameters[index].role;
        let (scalar, word) = match (role, self.values[index]) {
            (
                Role::InOut(Stored::Scalar(scalar))
                | Role::Pointed(Stored::Scalar(scalar))
                | Role::Counter(Stored::Scalar(scalar)),
                _,
            ) => {
                let offset = self.callable.slots[index].map_or(0, |room| room.offset);
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
            (
                Role::Scalar(scalar) | Role::Fixed(scalar, _) | Role::Length { scalar, .. },
                PassedValue::Integer(word),
            ) => (*scalar, word),
            _ => return 0,
        };
        let shift = 64 - 8 * scalar.size() as u32;
        match scalar.signed() {
            true => i128::from(((word << shift) as i64) >> shift),
            false => i128::from((word << shift) >> shift),
        }
    }

    /// Assigns registers and stack.
    #[inline]
    fn arguments(&mut self, arguments: &mut SysvArguments, record: *mut u128) -> PyResult<()> {
        if let ResultLocation::Memory(_) = self.callable.result_location {
            arguments.integer(record as u64);
        }
        for (parameter, value) in self.callable.signature.parameters.iter().zip(&self.values) {
            match *value {
                PassedValue::Integer(value) => arguments.integer(value),
                PassedValue::Vector(value) => arguments.vector(value),
                PassedValue::Wide(value) => arguments.wide(value),
                PassedValue::Long(value) => arguments.long(value),
                PassedValue::Record(at) => {
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
        let parameters = &self.callable.signature.parameters;
        if let Some(Role::Rest) = parameters.last().map(|it| &it.role) {
            return Ok(());
        }
        for (index, value) in self.given.more.iter().enumerate() {
            variadic::pass(
                &self.callable.whole,
                arguments,
                index,
                value,
                &mut self.holds,
            )?;
            if arguments.stack_bytes() > MAX_STACK_ARGS {
                return Err(PyTypeError::new_err(format!(
                    "{} got arguments of more than {MAX_STACK_ARGS} bytes, the most that is supported",
                    self.callable.whole
                )));
            }
        }
        Ok(())
    }

    /// The arguments by parameter, null where there is none.
    #[inline]
    fn argument_of(&self) -> impl Fn(usize) -> *mut ffi::PyObject {
        let given = &self.given.arguments;
        |index: usize| given[index].map_or(std::ptr::null_mut(), Bound::as_ptr)
    }

    /// # Safety
    /// The call has returned and left its result at `at`.
    #[inline]
    unsafe fn finish(&mut self, word: u64, at: *const u8) -> PyResult<Bound<'py, PyAny>> {
        let (py, callable) = (self.py, self.callable);
        let signature = &callable.signature;
        let status: Option<(&Status, i64)> = match &signature.result {
            Return::Status(status) => Some((status, results::code(status, word))),
            _ => None,
        };
        let succeeded =
            status.is_none_or(|(status, code)| results::succeeded(&status.success, code));
        let tuple = signature.outputs == Outputs::StatusTuple;
        if let Some((status, code)) = status
            && !succeeded
            && !tuple
        {
            return Err(results::failure(py, callable, status, code));
        }
        if succeeded {
            for object in &self.consumed {
                // SAFETY: an argument of this call, which the caller keeps alive until the call returns.
                let object = unsafe { Bound::from_borrowed_ptr(py, (*object).cast()) };
                close_consumed(ObjectRef { object: &object });
            }
        }
        let argument = self.argument_of();
        let keep = KeepAlive::new(callable, &argument);
        let mut parts: SmallVec<[Bound<'py, PyAny>; 4]> = SmallVec::new();
        if let (Some((status, code)), true) = (status, tuple) {
            parts.push(results::status(py, status, code)?);
        }
        // SAFETY: the C function has left its result at `at` (`# Safety`).
        parts.extend(unsafe { results::result(py, callable, at, &keep) }?);
        if !self.given.filled {
            for (index, parameter) in signature.parameters.iter().enumerate() {
                let part = match &parameter.role {
                    Role::Output(_)
                    | Role::InOut(_)
                    | Role::Edited { returned: true, .. }
                    | Role::OutputRoom { .. }
                    | Role::OutputText { .. }
                    | Role::OutputBuffer { .. }
                        if !succeeded =>
                    {
                        py.None().into_bound(py)
                    }
                    Role::Output(stored) | Role::InOut(stored) => {
                        let offset = callable.slots[index].map_or(0, |room| room.offset);
                        // SAFETY: the value lies in the call's storage, in whole words.
                        unsafe {
                            results::stored(
                                py,
                                stored,
                                self.storage.as_ptr().cast::<u8>().add(offset),
                                &keep,
                            )
                        }?
                    }
                    Role::OutputBuffer { length, unit, text } => {
                        self.filled_buffer(index, Some((*length, *unit)), *text, false)?
                    }
                    Role::OutputText { length, free } => {
                        self.counted_text(index, *length, *free)?
                    }
                    Role::OutputRoom { text, whole, .. } => {
                        self.filled_buffer(index, None, *text, *whole)?
                    }
                    Role::Edited { returned: true, .. } => {
                        self.filled_buffer(index, None, true, false)?
                    }
                    _ => continue,
                };
                parts.push(part);
            }
        }
        if signature.outputs == Outputs::List && parts.len() > 1 {
            let list = match parts[0].cast::<PyList>() {
                Ok(list) => list.clone(),
                Err(_) => PyList::new(py, &parts[..1])?,
            };
            for part in &parts[1..] {
                list.append(part)?;
            }
            return Ok(list.into_any());
        }
        match parts.len() {
            _ if tuple => Ok(PyTuple::new(py, parts)?.into_any()),
            0 => Ok(py.None().into_bound(py)),
            1 => Ok(parts.remove(0)),
            _ => Ok(PyTuple::new(py, parts)?.into_any()),
        }
    }

    /// Text of a length that C has written.
    fn counted_text(
        &self,
        index: usize,
        length: usize,
        free: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let offset = self.callable.slots[index].map_or(0, |room| room.offset);
        // SAFETY: each room has a whole word.
        let address = unsafe {
            self.storage
                .as_ptr()
                .cast::<u8>()
                .add(offset)
                .cast::<usize>()
                .read()
        };
        if address == 0 {
            return Ok(self.py.None().into_bound(self.py));
        }
        let length = usize::try_from(self.count(length))
            .unwrap_or(0)
            .min(isize::MAX as usize);
        // SAFETY: C says that it has put as many bytes there.
        let text = text::decode(self.py, unsafe {
            std::slice::from_raw_parts(address as *const u8, length)
        });
        if let Some(free) = free {
            // SAFETY: the plan says that this function frees such text.
            unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(usize)>(free)(address) }
        }
        text
    }

    fn filled_buffer(
        &self,
        index: usize,
        counted: Option<(usize, usize)>,
        text: bool,
        mut whole: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some((_, memory)) = self
            .buffers
            .iter()
            .find(|(parameter, _)| *parameter == index)
        else {
            return Ok(self.py.None().into_bound(self.py));
        };
        let mut bytes = &memory[..memory.len() - 1];
        if let Some((length, unit)) = counted
            && matches!(
                self.callable.signature.parameters[length].role,
                Role::InOut(_) | Role::Pointed(_)
            )
        {
            // C has said how much of it is filled.
            let filled = usize::try_from(self.count(length))
                .unwrap_or(0)
                .saturating_mul(unit);
            bytes = &bytes[..filled.min(bytes.len())];
            // A number that the caller gives and C changes is that of the bytes, NULs or not.
            whole |= matches!(
                self.callable.signature.parameters[length].role,
                Role::Pointed(_)
            );
        }
        if text {
            let end = bytes
                .iter()
                .position(|byte| *byte == 0 && !whole)
                .unwrap_or(bytes.len());
            return text::decode(self.py, &bytes[..end]);
        }
        Ok(PyBytes::new(self.py, bytes).into_any())
    }
}
