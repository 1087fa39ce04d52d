//! Code generation for one function: its state, and the driver that builds the function from its body.

use crate::jit::avx512::WideCode;
use crate::jit::code::routine::{self, Routine};
use crate::jit::code::symbol::Numbers;
use crate::jit::emit::call::words_to_word;
use crate::jit::emit::value::Emit;
use cranelift_codegen::ir::{Function, UserFuncName};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

/// State of a function under code generation.
pub struct Gen<'a, 'f> {
    /// Emitter of single operations.
    pub e: Emit<'a, 'f>,
    /// Wide functions generated so far.
    pub wide: &'a mut Vec<WideCode>,
}

/// Builds a function that takes `params` words and returns one. Its wide functions are added to `wide`.
pub fn build(
    params: usize,
    numbers: &Numbers,
    wide: &mut Vec<WideCode>,
    body: impl FnOnce(&mut Gen) -> Result<(), String>,
) -> Result<Routine, String> {
    routine::compile(function(params, numbers, wide, body)?.0)
}

/// The function that [`build`] compiles, and what `body` returns.
pub fn function<T>(
    params: usize,
    numbers: &Numbers,
    wide: &mut Vec<WideCode>,
    body: impl FnOnce(&mut Gen) -> Result<T, String>,
) -> Result<(Function, T), String> {
    let isa = routine::isa()?;
    let conv = isa.default_call_conv();
    let mut func =
        Function::with_name_signature(UserFuncName::default(), words_to_word(conv, params));
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut func, &mut context);
    let mut generator = Gen {
        e: Emit {
            b: &mut b,
            signatures: Default::default(),
            numbers,
            area: None,
            temporaries: Default::default(),
        },
        wide,
    };
    let made = body(&mut generator)?;
    b.seal_all_blocks();
    b.finalize(isa.frontend_config());
    Ok((func, made))
}
