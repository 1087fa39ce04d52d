//! Texts that the program gave to `exec` and `compile`: sources of kernels that stand in no file.
//!
//! Python keeps lines of files, notebooks' cells and the interactive prompt, but not those of a text that is compiled.
//! An audit hook sees each of them (the event `compile`, Library Reference, *Audit events table*); it is written here
//! and not in Python, as it is called for every event of the process.

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::catch_unwind;
use std::sync::{Mutex, Once, PoisonError};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

/// Texts of more bytes than this, of one and of all together, are not kept.
const LONGEST: usize = 1 << 18;
const ALL: usize = 1 << 22;

#[derive(Default)]
struct Texts {
    /// The oldest first, with the file's name that was given, such as `<string>`.
    kept: VecDeque<(String, String)>,
    bytes: usize,
}

impl Texts {
    fn keep(&mut self, file: &str, text: &str) {
        let is_last = |(name, last): &(String, String)| name == file && last == text;
        if self.kept.back().is_some_and(is_last) {
            return;
        }
        self.bytes += text.len();
        self.kept.push_back((file.to_owned(), text.to_owned()));
        while self.bytes > ALL
            && let Some((_, oldest)) = self.kept.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }
}

static TEXTS: Mutex<Option<Texts>> = Mutex::new(None);
static INSTALLED: Once = Once::new();

type Hook = unsafe extern "C" fn(*const c_char, *mut ffi::PyObject, *mut c_void) -> c_int;

/// What Python calls for each event. Returns 0: nothing is refused.
unsafe extern "C" fn hook(
    event: *const c_char,
    arguments: *mut ffi::PyObject,
    _data: *mut c_void,
) -> c_int {
    // SAFETY: a name, as the manual says.
    if unsafe { CStr::from_ptr(event) } == c"compile" {
        let looked = catch_unwind(|| {
            // SAFETY: the event is raised with the GIL held, with a live tuple.
            unsafe {
                let py = Python::assume_attached();
                look(Bound::ref_from_ptr(py, &arguments));
            }
        });
        drop(looked);
    }
    0
}

/// Keeps the text of an event `compile` if functions are defined in it.
fn look(arguments: &Bound<'_, PyAny>) {
    let Ok(arguments) = arguments.cast::<PyTuple>() else {
        return;
    };
    let (Ok(text), Ok(file)) = (arguments.get_item(0), arguments.get_item(1)) else {
        return;
    };
    let Some(file) = file
        .cast::<PyString>()
        .ok()
        .and_then(|file| file.to_cow().ok())
    else {
        return;
    };
    // Texts of files are found where the files are.
    if !(file.starts_with('<') && file.ends_with('>')) {
        return;
    }
    if let Ok(text) = text.cast::<PyString>() {
        let text = text.to_cow().ok();
        keep(&file, text.as_deref());
    } else if let Ok(bytes) = text.cast::<PyBytes>() {
        keep(&file, std::str::from_utf8(bytes.as_bytes()).ok());
    }
}

/// Keeps a text that functions are defined in.
fn keep(file: &str, text: Option<&str>) {
    if let Some(text) = text
        && text.len() <= LONGEST
        && (text.contains("def ") || text.contains("lambda"))
        && let Some(texts) = TEXTS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
    {
        texts.keep(file, text);
    }
}

/// Keep the texts that the program compiles from now on. Without effect where Python has no audit hooks.
#[pyfunction]
pub fn _keep_compiled_texts() {
    INSTALLED.call_once(|| {
        let this = libloading::os::unix::Library::this();
        // SAFETY: the function has this type since Python 3.8. It is not part of the limited API, so it is looked for.
        let add = unsafe {
            this.get::<unsafe extern "C" fn(Hook, *mut c_void) -> c_int>(c"PySys_AddAuditHook")
        };
        let Ok(add) = add else { return };
        *TEXTS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Texts::default());
        // SAFETY: the hook lives as long as the process, as extension modules are never unloaded. If another hook
        // refuses it, an exception may be set.
        unsafe {
            if add(hook, std::ptr::null_mut()) != 0 {
                ffi::PyErr_Clear();
            }
        }
    });
}

/// Return the kept texts that were compiled under the name of this file, the newest first.
#[pyfunction]
pub fn _compiled_texts(file: &str) -> Vec<String> {
    let texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = texts.iter().flat_map(|texts| texts.kept.iter().rev());
    kept.filter(|(name, _)| name == file)
        .map(|(_, text)| text.clone())
        .collect()
}
