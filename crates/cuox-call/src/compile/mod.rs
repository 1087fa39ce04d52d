//! Machine code for callables.
//!
//! A signature's [`Shape`](shape::Shape) is all that its code depends on; callables of one shape share theirs, which is made when the first of
//! them is and stays as long as the process. What differs is read from the function's `self`.

mod arena;
mod boxing;
mod calling;
mod emit;
mod help;
mod places;
mod results;
mod shape;
mod unbox;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::null_mut;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use parking_lot::Mutex;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::callable::{self, Callable, Entry, Owner};
use crate::gil::{self, Gil};
use crate::layout::{self, Layout};
use crate::signature::Signature;
use crate::values::LIVE;
use crate::without;
use shape::Shape;

/// How calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As [`Mode::Code`] from a function's [`MANY`]th call on, or from the first where other functions have the code already; until then as
    /// [`Mode::Without`].
    Later,
    /// By generated code that reads the interpreter's objects in place.
    Code,
    /// By generated code that reads no object of Python's own in place: such arguments are converted the careful way.
    Careful,
    /// Without generated code.
    Without,
}

static MODE: LazyLock<Mutex<Mode>> = LazyLock::new(|| {
    Mutex::new(match std::env::var("CUOX_CALL").as_deref() {
        Ok("api") => Mode::Careful,
        Ok("nojit") => Mode::Without,
        Ok("code") => Mode::Code,
        Err(_) | Ok("") => Mode::Later,
        Ok(other) => {
            eprintln!("cuox: CUOX_CALL={other} is ignored: it takes api, code or nojit");
            Mode::Later
        }
    })
});

/// How many calls a function has before code is made for it. Making it takes as long as some hundreds of calls without it, so few calls more
/// than these cost less with code, and many functions are never called so often.
const MANY: usize = 64;

/// How callables that are made from now on make their calls; answers how it was before.
pub fn set_mode(mode: Mode) -> Mode {
    std::mem::replace(&mut *MODE.lock(), mode)
}

/// What there is for a shape.
enum Found {
    /// Its code, or `None` where there can be none.
    Made(Option<Entry>),
    /// Code that has yet to be made.
    Later,
}

struct Compiler {
    isa: OwnedTargetIsa,
    arena: arena::Arena,
    context: Context,
    builder: FunctionBuilderContext,
    /// The code of each shape, or `None` where there can be none.
    made: HashMap<(Shape, bool), Option<Entry>>,
}

impl Compiler {
    fn new() -> Result<Self, String> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "none"),
            ("regalloc_algorithm", "backtracking"),
            (
                "enable_verifier",
                if cfg!(debug_assertions) {
                    "true"
                } else {
                    "false"
                },
            ),
            ("preserve_frame_pointers", "true"),
            ("unwind_info", "false"),
        ] {
            flags
                .set(name, value)
                .map_err(|error| format!("{name}: {error}"))?;
        }
        let isa = cranelift_native::builder()?
            .finish(settings::Flags::new(flags))
            .map_err(|error| error.to_string())?;
        Ok(Self {
            isa,
            arena: arena::Arena::new().map_err(|error| error.to_string())?,
            context: Context::new(),
            builder: FunctionBuilderContext::new(),
            made: HashMap::new(),
        })
    }

    fn entry(&mut self, shape: Shape, layout: &Layout, later: bool) -> Found {
        // Nothing else differs between the layouts of one process than whether objects are read in place.
        let key = (shape, layout.long.is_some());
        if let Some(made) = self.made.get(&key) {
            return Found::Made(*made);
        }
        if later {
            return Found::Later;
        }
        let made =
            catch_unwind(AssertUnwindSafe(|| self.make(&key.0, layout))).unwrap_or_else(|panic| {
                // What a panic has left is not to be used again. The careful way is right for every shape.
                self.context = Context::new();
                self.builder = FunctionBuilderContext::new();
                if cfg!(debug_assertions) {
                    resume_unwind(panic)
                }
                None
            });
        self.made.insert(key, made);
        Found::Made(made)
    }

    fn make(&mut self, shape: &Shape, layout: &Layout) -> Option<Entry> {
        self.context.clear();
        emit::emit(
            &mut self.context.func,
            &mut self.builder,
            &*self.isa,
            shape,
            layout,
        );
        let code = match self
            .context
            .compile(&*self.isa, &mut ControlPlane::default())
        {
            Ok(code) => code,
            Err(error) => {
                debug_assert!(false, "{error:?}");
                return None;
            }
        };
        if !code.buffer.relocs().is_empty() {
            debug_assert!(false, "code for calls has relocations");
            return None;
        }
        self.arena.add(code.code_buffer()).ok()
    }
}

/// The compiler, or `None` where no code can be made: memory cannot be executed, or the processor is none that Cranelift knows.
static COMPILER: LazyLock<Mutex<Option<Compiler>>> = LazyLock::new(|| {
    STARTED.store(true, Ordering::Relaxed);
    Mutex::new(Compiler::new().ok())
});

/// Whether anybody has asked for the compiler, which takes longer to make than most code.
static STARTED: AtomicBool = AtomicBool::new(false);

/// Makes a callable: a builtin function, whose `__self__` owns the signature.
pub fn callable(py: Python<'_>, signature: Signature) -> PyResult<Py<PyAny>> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(pyo3::exceptions::PyNotImplementedError::new_err(format!(
            "{}(): C functions can be called on x86-64 Linux; this is {} {}",
            signature.name,
            std::env::consts::ARCH,
            std::env::consts::OS
        )));
    }
    gil::learn(py);
    let mode = *MODE.lock();
    callable::make(py, signature, |callable| {
        callable.mode.set(mode);
        if mode == Mode::Without {
            return without(callable);
        }
        match code(py, callable, false, mode == Mode::Later) {
            Found::Made(made) => made.unwrap_or_else(|| without(callable)),
            Found::Later if callable.takes_names() => later as *const () as Entry,
            Found::Later => later_without_names as *const () as Entry,
        }
    })
}

/// The code for a callable; if it would have to be made and that is for `later`, it is not.
fn code(py: Python<'_>, callable: &Callable, watched: bool, later: bool) -> Found {
    let careful;
    let layout = match callable.mode.get() {
        Mode::Careful => {
            careful = layout::layout(py).careful();
            &careful
        }
        _ => layout::layout(py),
    };
    let shape = shape::shape(callable, layout)
        .filter(|shape| emit::covers(shape, layout))
        .map(|shape| Shape { watched, ..shape });
    if later && shape.is_some() && !STARTED.load(Ordering::Relaxed) {
        return Found::Later;
    }
    match (shape, COMPILER.lock().as_mut()) {
        (Some(shape), Some(compiler)) => compiler.entry(shape, layout, later),
        _ => Found::Made(None),
    }
}

/// Code that is there now.
fn made(py: Python<'_>, callable: &Callable, watched: bool) -> Option<Entry> {
    match code(py, callable, watched, false) {
        Found::Made(made) => made,
        Found::Later => None,
    }
}

/// What generated code does with a call that is not of the usual kind at first sight: it is for the code that watches callbacks and gives the lock up, or has
/// other arguments than one for each parameter.
///
/// # Safety
/// As for [`without::entry`].
unsafe extern "C" fn otherwise(
    owner: *mut Owner,
    given: *const *mut ffi::PyObject,
    count: isize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the caller's promise; generated code is called as the interpreter calls it.
    unsafe {
        let callable = &*(*owner).callable;
        let live = LIVE.load(Ordering::Relaxed) != 0;
        let others = callable.signature.gil == Gil::Auto && gil::others();
        if !live && !others {
            return match callable.takes_names() {
                true => help::named(owner, given, count, names),
                false => without::entry(owner.cast(), given, count, names),
            };
        }
        if callable.watched.get() == 0 {
            (*owner).calls += 1;
            if callable.mode.get() != Mode::Later || (*owner).calls.is_multiple_of(MANY) {
                without::guard((), |py| {
                    let entry = made(py, callable, true);
                    callable
                        .watched
                        .set(entry.unwrap_or(without::entry as *const () as Entry));
                    Ok(())
                });
            }
        }
        let watched = match callable.watched.get() {
            0 => without::entry as *const () as Entry,
            watched => watched,
        };
        let watched = std::mem::transmute::<Entry, ffi::PyCFunctionFastWithKeywords>(watched);
        watched(owner.cast(), given, count, names)
    }
}

/// What the interpreter calls as long as there is no code.
///
/// # Safety
/// As for [`without::entry`].
unsafe extern "C" fn later(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        let owner = this.cast::<Owner>();
        (*owner).calls += 1;
        if (*owner).calls == MANY {
            without::guard((), |py| {
                let callable = &*(*owner).callable;
                let entry = made(py, callable, false);
                callable.set_entry(entry.unwrap_or_else(|| without(callable)));
                Ok(())
            });
        }
        without::entry(this, given, count, keywords)
    }
}

/// As [`later`], for a function that takes nothing by name.
///
/// # Safety
/// As for [`without::entry`].
unsafe extern "C" fn later_without_names(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
) -> *mut ffi::PyObject {
    // SAFETY: the caller's promise.
    unsafe { later(this, given, count, null_mut()) }
}

/// The code that is there for every callable.
fn without(callable: &Callable) -> Entry {
    match callable.takes_names() {
        true => without::entry as *const () as Entry,
        false => without::entry_without_names as *const () as Entry,
    }
}
