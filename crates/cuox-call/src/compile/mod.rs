//! Machine code for callables.
//!
//! A signature's [`Shape`](shape::Shape) is all that its code depends on; callables of one shape share theirs, which is made when the first of
//! them is and stays as long as the process. What differs is read from the function's `self`.

mod arena;
mod boxing;
mod emit;
mod help;
mod shape;
mod unbox;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use parking_lot::Mutex;
use pyo3::prelude::*;

use crate::callable::{self, Callable, Entry};
use crate::layout::{self, Layout};
use crate::signature::Signature;
use crate::without;
use shape::Shape;

/// How calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
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
        _ => Mode::Code,
    })
});

/// How callables that are made from now on make their calls; answers how it was before.
pub fn set_mode(mode: Mode) -> Mode {
    std::mem::replace(&mut *MODE.lock(), mode)
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

    fn entry(&mut self, shape: Shape, layout: &Layout) -> Option<Entry> {
        // Nothing else differs between the layouts of one process than whether objects are read in place.
        let key = (shape, layout.long.is_some());
        if let Some(made) = self.made.get(&key) {
            return *made;
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
        made
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
static COMPILER: LazyLock<Mutex<Option<Compiler>>> =
    LazyLock::new(|| Mutex::new(Compiler::new().ok()));

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
    let mode = *MODE.lock();
    callable::make(py, signature, |callable| {
        let careful;
        let layout = match mode {
            Mode::Code => layout::layout(py),
            Mode::Careful => {
                careful = layout::layout(py).careful();
                &careful
            }
            Mode::Without => return without(callable),
        };
        shape::shape(callable, layout)
            .filter(|shape| emit::covers(shape, layout))
            .and_then(|shape| COMPILER.lock().as_mut()?.entry(shape, layout))
            .unwrap_or_else(|| without(callable))
    })
}

/// The code that is there for every callable.
fn without(callable: &Callable) -> Entry {
    match callable.takes_names() {
        true => without::entry as *const () as Entry,
        false => without::entry_without_names as *const () as Entry,
    }
}
