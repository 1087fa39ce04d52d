//! The compiler, and the code of each shape.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use parking_lot::Mutex;

use crate::callable::Entry;
use crate::compile::shape::Shape;
use crate::compile::{arena, function};
use crate::interpreter::layout::ObjectLayout;

/// The state of a shape's code.
pub enum CodeState {
    /// Its code, or `None` where there can be none.
    Made(Option<Entry>),
    /// No code yet.
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

    fn entry(
        &mut self,
        shape: Shape,
        layout: &ObjectLayout,
        later: bool,
        dispatch: usize,
    ) -> CodeState {
        // The layouts used in one process differ only in reading objects in place or not.
        let key = (shape, layout.long.is_some());
        if let Some(made) = self.made.get(&key) {
            return CodeState::Made(*made);
        }
        if later {
            return CodeState::Later;
        }
        let made = catch_unwind(AssertUnwindSafe(|| self.make(&key.0, layout, dispatch)))
            .unwrap_or_else(|panic| {
                // The state that a panic has left is not used again. The generic call path is right for every shape.
                self.context = Context::new();
                self.builder = FunctionBuilderContext::new();
                if cfg!(debug_assertions) {
                    resume_unwind(panic)
                }
                None
            });
        self.made.insert(key, made);
        CodeState::Made(made)
    }

    fn make(&mut self, shape: &Shape, layout: &ObjectLayout, dispatch: usize) -> Option<Entry> {
        self.context.clear();
        function::emit(
            &mut self.context.func,
            &mut self.builder,
            &*self.isa,
            shape,
            layout,
            dispatch,
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

/// The compiler; `None` if memory cannot be executed or Cranelift does not support the processor.
static COMPILER: LazyLock<Mutex<Option<Compiler>>> = LazyLock::new(|| {
    STARTED.store(true, Ordering::Relaxed);
    Mutex::new(Compiler::new().ok())
});

/// True once the compiler was made, which takes longer than making most code.
static STARTED: AtomicBool = AtomicBool::new(false);

/// The code for a shape; `None` in it where generated code does not cover that. With `later`, code that has yet to be
/// made is not made. `dispatch` is the address of the function that makes calls which are not of the usual kind.
pub fn code_for(
    shape: Option<Shape>,
    layout: &ObjectLayout,
    later: bool,
    dispatch: usize,
) -> CodeState {
    if later && shape.is_some() && !STARTED.load(Ordering::Relaxed) {
        return CodeState::Later;
    }
    match (shape, COMPILER.lock().as_mut()) {
        (Some(shape), Some(compiler)) => compiler.entry(shape, layout, later, dispatch),
        _ => CodeState::Made(None),
    }
}
