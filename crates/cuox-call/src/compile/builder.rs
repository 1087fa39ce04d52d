//! The builder of a function, which all of its parts use.

use crate::callable::WORDS_OFFSET;
use cranelift_codegen::ir::Signature;
use cranelift_codegen::ir::types::{F32, F64, I8, I16, I32, I64};
use cranelift_codegen::ir::{AbiParam, StackSlotData, StackSlotKind};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Type, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

use crate::compile::shape::Shape;
use crate::interpreter::layout::ObjectLayout;
use crate::types::scalar::Scalar;

/// Loads and stores of memory that is there.
pub const M: MemFlagsData = MemFlagsData::trusted();

/// An argument after it was read.
pub struct Unboxed {
    /// The object.
    pub object: Value,
    /// The values that are passed.
    pub values: Vec<Value>,
    /// The number of bytes of memory, if that was asked for.
    pub length: Option<Value>,
}

/// A function that is being made.
pub struct Emit<'a, 'f> {
    pub b: FunctionBuilder<'f>,
    pub shape: &'a Shape,
    pub layout: &'a ObjectLayout,
    pub conv: CallConv,
    /// The address of `dispatch::dispatch`, which makes calls with other than plain positional arguments, with
    /// callbacks, or without the lock.
    pub dispatch: usize,
    pub this: Value,
    pub args: Value,
    /// Calls the generic call path with all arguments.
    pub generic: Block,
    /// Returns null, with an exception set.
    pub fail: Block,
    /// The value of `errno` after the call, if the signature wants it.
    pub errno: Option<Value>,
}

pub fn arg(value: Value) -> [BlockArg; 1] {
    [BlockArg::Value(value)]
}

/// The type that a scalar has as a result in a register.
pub const fn result_type(scalar: Scalar) -> Type {
    match scalar {
        Scalar::Bool | Scalar::I8 | Scalar::U8 => I8,
        Scalar::I16 | Scalar::U16 => I16,
        Scalar::I32 | Scalar::U32 => I32,
        Scalar::F32 => F32,
        Scalar::F64 => F64,
        _ => I64,
    }
}

impl Emit<'_, '_> {
    pub fn constant(&mut self, value: usize) -> Value {
        self.b.ins().iconst(I64, value as i64)
    }

    pub fn block(&mut self) -> Block {
        self.b.create_block()
    }

    pub fn cold(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    /// Jumps to `other` unless `ok`, and goes on in a new block.
    pub fn unless(&mut self, ok: Value, other: Block) {
        let next = self.block();
        self.b.ins().brif(ok, next, &[], other, &[]);
        self.b.switch_to_block(next);
    }

    /// Calls a C function at a constant address.
    pub fn call(&mut self, to: usize, result: Option<Type>, arguments: &[Value]) -> Option<Value> {
        let to = self.constant(to);
        let parameters: Vec<Type> = arguments
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        let results: Vec<Type> = result.into_iter().collect();
        self.call_indirect(to, &parameters, &results, arguments)
            .first()
            .copied()
    }

    /// As [`Self::call`], for a function that returns a word.
    pub fn call_word(&mut self, to: usize, arguments: &[Value]) -> Value {
        match self.call(to, Some(I64), arguments) {
            Some(value) => value,
            None => self.constant(0),
        }
    }

    pub fn call_indirect(
        &mut self,
        to: Value,
        parameters: &[Type],
        results: &[Type],
        arguments: &[Value],
    ) -> Vec<Value> {
        let mut signature = Signature::new(self.conv);
        signature
            .params
            .extend(parameters.iter().map(|kind| AbiParam::new(*kind)));
        signature
            .returns
            .extend(results.iter().map(|kind| AbiParam::new(*kind)));
        let signature = self.b.import_signature(signature);
        let call = self.b.ins().call_indirect(signature, to, arguments);
        self.b.inst_results(call).to_vec()
    }

    /// A parameter's word in `self`.
    pub fn word(&mut self, parameter: usize) -> Value {
        self.b
            .ins()
            .load(I64, M, self.this, WORDS_OFFSET + 8 * parameter as i32)
    }

    pub fn room(&mut self, size: usize) -> Value {
        let data = StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            size.next_multiple_of(16) as u32,
            4,
        );
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(I64, slot, 0)
    }

    /// Tail-calls a function with this function's own arguments.
    pub fn leave_to(&mut self, function: usize, count: Value, keywords: Value) {
        let result = self.call_word(function, &[self.this, self.args, count, keywords]);
        self.b.ins().return_(&[result]);
    }
}
