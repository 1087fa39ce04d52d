//! Assignment of arguments to registers and to the stack (System V x86-64 psABI, 3.2.3).
//!
//! Cranelift places scalars by the same rules. It knows no records, whose parts go to registers all together or not at
//! all; so where something is on the stack, the integer registers before it are all filled.

use cranelift_codegen::ir::types::{F32, F64, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::FunctionBuilder;

/// The numbers of integers and of floats that are passed in registers.
const INTEGERS: usize = 6;

const VECTORS: usize = 8;

/// The arguments of one call.
#[derive(Default)]
pub struct ArgRegisters {
    integers: Vec<Value>,
    vectors: Vec<Value>,
    /// The words on the stack.
    stack: Vec<StackWord>,
}

enum StackWord {
    Value(Value),
    /// Padding in front of an aligned record.
    Nothing,
}

impl ArgRegisters {
    /// An integer or pointer, extended to 64 bits.
    pub fn integer(&mut self, value: Value) {
        match self.integers.len() < INTEGERS {
            true => self.integers.push(value),
            false => self.stack.push(StackWord::Value(value)),
        }
    }

    /// `float` or `double`.
    pub fn vector(&mut self, b: &mut FunctionBuilder<'_>, value: Value) {
        match self.vectors.len() < VECTORS {
            true => self.vectors.push(value),
            false => self.stack.push(StackWord::Value(stack_word(b, value))),
        }
    }

    /// A record's eightbytes. `registers` says which go to vector registers; it is empty for a record in memory.
    pub fn record(
        &mut self,
        b: &mut FunctionBuilder<'_>,
        words: &[Value],
        registers: &[bool],
        align: usize,
    ) {
        let vectors = registers.iter().filter(|vector| **vector).count();
        let integers = registers.len() - vectors;
        let fits =
            self.integers.len() + integers <= INTEGERS && self.vectors.len() + vectors <= VECTORS;
        if fits && !registers.is_empty() {
            for (stack_word, vector) in words.iter().zip(registers) {
                match vector {
                    true => self.vectors.push(*stack_word),
                    false => self.integers.push(*stack_word),
                }
            }
            return;
        }
        if align > 8 && !self.stack.len().is_multiple_of(2) {
            self.stack.push(StackWord::Nothing);
        }
        let words = words
            .iter()
            .map(|value| StackWord::Value(stack_word(b, *value)));
        self.stack.extend(words);
    }

    /// All arguments, in the order in which Cranelift takes them.
    pub fn values(self, b: &mut FunctionBuilder<'_>) -> Vec<Value> {
        let mut values = self.integers;
        if !self.stack.is_empty() {
            let nothing = b.ins().iconst(I64, 0);
            values.resize(INTEGERS, nothing);
        }
        values.extend(self.vectors);
        for stack_word in self.stack {
            values.push(match stack_word {
                StackWord::Value(value) => value,
                StackWord::Nothing => b.ins().iconst(I64, 0),
            });
        }
        values
    }
}

/// A value's bits as a word on the stack.
fn stack_word(b: &mut FunctionBuilder<'_>, value: Value) -> Value {
    let flags = MemFlagsData::new();
    match b.func.dfg.value_type(value) {
        F64 => b.ins().bitcast(I64, flags, value),
        F32 => {
            let bits = b.ins().bitcast(I32, flags, value);
            b.ins().uextend(I64, bits)
        }
        _ => value,
    }
}
