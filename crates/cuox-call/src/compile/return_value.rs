//! The object that a call returns: `None`, one object, or a tuple or list of the result and the outputs.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use pyo3::ffi;

use crate::compile::builder::{Emit, M, result_type};
use crate::compile::runtime;
use crate::compile::shape::{Boxing, ParamPlan, ResultPlan, SuccessTest};
use crate::types::abi::ResultLocation;

impl Emit<'_, '_> {
    /// The object that is returned, or null.
    pub fn results(
        &mut self,
        result: Option<Value>,
        words: &[Value],
        storage: Option<Value>,
    ) -> Value {
        let shape = self.shape;
        /// The place of a part's value.
        enum From {
            /// In registers.
            Words(Vec<Value>),
            /// In memory.
            Memory(Value),
            /// The part is the status, with this code.
            Status(Value),
        }
        // The parameter (-1 for the result), the boxing, and the place of the value.
        let mut parts: Vec<(i64, Boxing, From)> = Vec::new();
        match shape.end {
            ResultPlan::Boxing(give) | ResultPlan::NotNull(give) => {
                if let (ResultPlan::NotNull(_), Some(value)) = (&shape.end, result) {
                    let null = self.cold();
                    let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, value, 0);
                    self.unless(some, null);
                    let next = self.block();
                    self.b.ins().jump(next, &[]);
                    self.b.switch_to_block(null);
                    self.call(
                        runtime::null_result as *const () as usize,
                        None,
                        &[self.this],
                    );
                    self.b.ins().jump(self.fail, &[]);
                    self.b.switch_to_block(next);
                }
                let from = match (&shape.result_location, result) {
                    (ResultLocation::Memory(_), Some(at)) => From::Memory(at),
                    _ => From::Words(words.to_vec()),
                };
                parts.push((-1, give, from));
            }
            ResultPlan::Status(scalar, _, returned) if shape.tuple || returned => {
                let code = self.extended(words[0], scalar);
                parts.push((-1, Boxing::Object, From::Status(code)));
            }
            ResultPlan::Status(..) | ResultPlan::Nothing | ResultPlan::Object => {}
        }
        for (parameter, pass) in shape.passes.iter().enumerate() {
            if let (
                ParamPlan::Output(offset, give) | ParamPlan::InOut(offset, _, give),
                Some(storage),
            ) = (pass, storage)
            {
                let at = self.b.ins().iadd_imm_s(storage, *offset as i64);
                parts.push((parameter as i64, *give, From::Memory(at)));
            }
        }
        // With this test the only success is 0.
        let zero = matches!(shape.end, ResultPlan::Status(_, SuccessTest::Zero, _));
        let make = |this: &mut Self, (which, give, from): (i64, Boxing, From)| {
            let value = match from {
                From::Status(_) if zero => return this.zero(),
                From::Status(code) => {
                    return this
                        .call_word(runtime::status as *const () as usize, &[this.this, code]);
                }
                From::Memory(at) if give == Boxing::Object => at,
                From::Memory(at) => {
                    let kind = match give {
                        Boxing::Integer(scalar) | Boxing::Float(scalar) => result_type(scalar),
                        Boxing::Bool => I8,
                        _ => I64,
                    };
                    this.b.ins().load(kind, M, at, 0)
                }
                From::Words(words) if give == Boxing::Object => {
                    return this.box_registers(which, &words);
                }
                From::Words(words) => words[0],
            };
            match give {
                Boxing::Object => this.box_memory(which, value),
                Boxing::Handle {
                    scalar,
                    owned,
                    plain,
                } => this.box_handle(which, scalar, owned, !plain, value),
                give => this.box_value(give, value),
            }
        };
        let count = parts.len();
        if count == 0 {
            return self.none();
        }
        if count == 1 && !shape.tuple {
            return parts.pop().map_or(self.this, |part| make(self, part));
        }
        if shape.list {
            // It is made first, so that a later failure has one object to give back.
            let size = self.constant(count);
            let list = self.call_word(ffi::PyList_New as *const () as usize, &[size]);
            self.unless(list, self.fail);
            let drop = self.cold();
            for (index, part) in parts.into_iter().enumerate() {
                let object = make(self, part);
                self.unless(object, drop);
                let index = self.constant(index);
                let put = ffi::PyList_SetItem as *const () as usize;
                self.call(put, None, &[list, index, object]);
            }
            self.drop_on_failure(list, drop);
            return list;
        }
        let items = self.layout.tuple.unwrap_or_default();
        // Numbers and plain handles may stay in a tuple that only the callable refers to: nothing observes when they
        // are freed.
        let values = |(_, give, from): &(i64, Boxing, From)| match from {
            From::Status(_) => zero && shape.tuple,
            _ => matches!(
                give,
                Boxing::Integer(_)
                    | Boxing::Float(_)
                    | Boxing::Bool
                    | Boxing::Handle { plain: true, .. }
            ),
        };
        if parts.iter().all(values) {
            let tuple = self.recycled_tuple(count);
            let drop = self.cold();
            for (index, part) in parts.into_iter().enumerate() {
                let offset = items + 8 * index as i32;
                match part {
                    (_, _, From::Status(_)) => {}
                    (which, Boxing::Handle { scalar, .. }, from) => {
                        let value = match from {
                            From::Memory(at) => self.b.ins().load(I64, M, at, 0),
                            From::Words(words) => words[0],
                            From::Status(code) => code,
                        };
                        self.replace_handle((tuple, offset), which, scalar, value, drop);
                    }
                    part => {
                        let object = make(self, part);
                        self.unless(object, drop);
                        self.replace(tuple, offset, object);
                    }
                }
            }
            self.drop_on_failure(tuple, drop);
            return tuple;
        }
        // The tuple is made first, so that a later failure has one object to give back.
        let size = self.constant(count);
        let tuple = self.call_word(ffi::PyTuple_New as *const () as usize, &[size]);
        self.unless(tuple, self.fail);
        let drop = self.cold();
        for (index, part) in parts.into_iter().enumerate() {
            let object = make(self, part);
            self.unless(object, drop);
            self.b
                .ins()
                .store(M, object, tuple, items + 8 * index as i32);
        }
        self.drop_on_failure(tuple, drop);
        tuple
    }

    /// At `drop`, gives the tuple or list back and returns null.
    fn drop_on_failure(&mut self, tuple: Value, drop: Block) {
        let done = self.block();
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(drop);
        self.call(ffi::Py_DecRef as *const () as usize, None, &[tuple]);
        self.b.ins().jump(self.fail, &[]);
        self.b.switch_to_block(done);
    }

    /// Calls Rust code that makes the object for a value in memory, of a parameter or (-1) of the result.
    pub fn box_memory(&mut self, which: i64, at: Value) -> Value {
        let which = self.b.ins().iconst(I64, which);
        let give = runtime::box_stored as *const () as usize;
        self.call_word(give, &[self.this, self.args, which, at])
    }

    /// [`Self::box_memory`] for a value in registers.
    pub fn box_registers(&mut self, which: i64, words: &[Value]) -> Value {
        let at = self.room(16);
        for (index, word) in words.iter().enumerate() {
            self.b.ins().store(M, *word, at, 8 * index as i32);
        }
        self.box_memory(which, at)
    }
}
