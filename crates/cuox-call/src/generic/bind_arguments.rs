//! Arguments sorted to parameters.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use smallvec::SmallVec;

use crate::callable::Callable;
use crate::signature::{Outputs, Role};

/// The arguments of a call, by parameter.
#[derive(Default)]
pub struct BoundArguments<'a, 'py> {
    /// For each parameter.
    pub arguments: SmallVec<[Option<&'a Bound<'py, PyAny>>; 12]>,
    /// The arguments after the parameters of a variadic function.
    pub more: &'a [Bound<'py, PyAny>],
    /// True if outputs were given too, as objects to fill in.
    pub filled: bool,
}

/// Sorts what a function was called with into `bound`, which is empty.
///
/// # Safety
/// The arguments are those with which the interpreter calls a `METH_FASTCALL | METH_KEYWORDS` function.
#[inline(never)]
pub unsafe fn bind<'a, 'py>(
    py: Python<'py>,
    callable: &'a Callable,
    given: *const *mut ffi::PyObject,
    count: usize,
    keywords: *mut ffi::PyObject,
    bound: &mut BoundArguments<'a, 'py>,
) -> PyResult<()> {
    let positional: &'a [Bound<'py, PyAny>] = match count {
        0 => &[],
        // SAFETY: `count` live objects; a `Bound` is a reference as C has it.
        _ => unsafe { std::slice::from_raw_parts(given.cast(), count) },
    };
    let parameters = &callable.signature.parameters;
    let arguments = &mut bound.arguments;
    arguments.resize(parameters.len(), None);
    let taken = &callable.taken;
    // SAFETY: the keywords are null or a tuple of names, which lives as long as the call.
    let keywords = unsafe { Bound::from_borrowed_ptr_or_opt(py, keywords) };
    let keywords = keywords
        .as_ref()
        .map(|names| names.cast::<PyTuple>())
        .transpose()?;
    if count > taken.len()
        && keywords.is_none()
        && callable.signature.outputs == Outputs::StatusTuple
        && count == places(callable)
    {
        let open = parameters
            .iter()
            .enumerate()
            .filter(|(_, parameter)| has_place(&parameter.role));
        for ((index, _), argument) in open.zip(positional) {
            arguments[index] = Some(argument);
        }
        bound.filled = true;
        return Ok(());
    }
    if count > taken.len() && !callable.signature.variadic {
        return Err(too_many(callable, count));
    }
    for (index, argument) in taken.iter().zip(positional) {
        arguments[*index] = Some(argument);
    }
    if let Some(names) = keywords {
        for (offset, name) in names.iter_borrowed().enumerate() {
            let name = name.cast::<PyString>()?;
            let found = callable
                .keywords
                .iter()
                .position(|keyword| keyword.is(&*name))
                .or_else(|| {
                    callable
                        .keywords
                        .iter()
                        .position(|keyword| keyword.bind(py).as_any().eq(&*name).unwrap_or(false))
                });
            let Some(found) = found else {
                return Err(PyTypeError::new_err(format!(
                    "{} has no parameter '{}': {}",
                    callable.whole,
                    name.to_string_lossy(),
                    listed(callable)
                )));
            };
            let argument = &mut arguments[taken[found]];
            if argument.is_some() {
                return Err(PyTypeError::new_err(format!(
                    "{} got '{}' twice, by place and by name: {}",
                    callable.whole,
                    name.to_string_lossy(),
                    listed(callable)
                )));
            }
            // SAFETY: the keyword arguments follow the positional ones, one for each name.
            *argument = Some(unsafe { &*given.add(count + offset).cast::<Bound<'_, PyAny>>() });
        }
    }
    let mut missing = Vec::new();
    for index in taken {
        if arguments[*index].is_none() {
            match &parameters[*index].default {
                Some(default) => arguments[*index] = Some(default.bind(py)),
                None => missing.push(format!("'{}'", parameters[*index].name)),
            }
        }
    }
    if !missing.is_empty() {
        let plural = if missing.len() == 1 { "" } else { "s" };
        return Err(PyTypeError::new_err(format!(
            "{} is missing argument{plural} {}: {}",
            callable.whole,
            missing.join(", "),
            listed(callable)
        )));
    }
    bound.more = positional.get(taken.len()..).unwrap_or_default();
    Ok(())
}

/// True if the caller may give something for it: an argument, or an object to fill in.
fn has_place(role: &Role) -> bool {
    role.taken() || matches!(role, Role::Output(_) | Role::OutputBuffer { .. })
}
fn places(callable: &Callable) -> usize {
    callable
        .signature
        .parameters
        .iter()
        .filter(|parameter| has_place(&parameter.role))
        .count()
}

#[cold]
fn too_many(callable: &Callable, count: usize) -> PyErr {
    let plural = if count == 1 { "" } else { "s" };
    PyTypeError::new_err(format!(
        "{} got {count} argument{plural}, expected {}: {}",
        callable.whole,
        match (callable.required, callable.taken.len()) {
            (_, 0) => "none".to_owned(),
            (least, most) if least == most => most.to_string(),
            (_, most) => format!("at most {most}"),
        },
        listed(callable)
    ))
}

/// The function with its parameters.
fn listed(callable: &Callable) -> String {
    let mut names: Vec<String> = callable
        .taken
        .iter()
        .map(|index| {
            let parameter = &callable.signature.parameters[*index];
            match &parameter.default {
                None => parameter.name.clone(),
                Some(_) => format!("{}=...", parameter.name),
            }
        })
        .collect();
    if callable.signature.variadic {
        names.push("...".into());
    }
    format!("{}({})", callable.signature.name, names.join(", "))
}
