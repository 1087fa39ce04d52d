//! From a shape to the machine code of `PyObject *f(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject
//! *kwnames)`.
//!
//! Reading arguments only reads memory: no Python code runs and nothing is taken that has to be given back. So as soon
//! as one is not of the usual kind, the whole call goes to [`call_generic`], which begins anew and has all rules and
//! errors.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I64};
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, UserFuncName, Value};
use cranelift_codegen::isa::{TargetFrontendConfig, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cuox_bind::plan::Gil;

use crate::callable::WORDS_OFFSET;
use crate::compile::arg_registers::ArgRegisters;
use crate::compile::builder::{Emit, M, Unboxed, result_type};
use crate::compile::runtime;
use crate::compile::shape::{MAX_COUNT, ParamPlan, ResultPlan, Shape, Unbox};
use crate::compile::unbox::LengthWanted;
use crate::generic::entry::call_generic;
use crate::interpreter::gil;
use crate::interpreter::layout::ObjectLayout;
use crate::signature::Extent;
use crate::types::abi::ResultLocation;

/// The most storage on the stack for outputs; more is for the generic call path.
const MAX_STORAGE: usize = 2048;

impl Emit<'_, '_> {
    fn body(mut self, config: TargetFrontendConfig, count: Value, keywords: Value) {
        let shape = self.shape;
        let expected = shape
            .passes
            .iter()
            .filter(|pass| matches!(pass, ParamPlan::Unbox(_) | ParamPlan::InOut(..)))
            .count();

        // One comparison for all that is unusual: another number of arguments, keywords, callbacks, other threads. A
        // function without parameters gets no keywords.
        let (differs, keywords) = match expected {
            0 => (count, self.constant(0)),
            expected => {
                let differs = self.b.ins().bxor_imm_u(count, expected as i64);
                (self.b.ins().bor(differs, keywords), keywords)
            }
        };
        let (differs, otherwise) = match (shape.watched, expected) {
            (true, 0) => (differs, call_generic as *const () as usize),
            (true, _) => (differs, runtime::named as *const () as usize),
            (false, _) => {
                let live = self.constant(&raw const gil::LIVE_CALLBACKS as usize);
                let live = self.b.ins().uload32(M, live, 0);
                let mut differs = self.b.ins().bor(differs, live);
                if shape.gil == Gil::Auto {
                    let others = self.constant(gil::other_threads_word());
                    let others = self.b.ins().load(I64, M, others, 0);
                    differs = self.b.ins().bor(differs, others);
                }
                (differs, self.dispatch)
            }
        };
        let (next, other) = (self.block(), self.cold());
        self.b.ins().brif(differs, other, &[], next, &[]);
        self.b.switch_to_block(other);
        self.leave_to(otherwise, count, keywords);
        self.b.switch_to_block(next);

        let storage = (shape.storage > 0).then(|| self.room(shape.storage));
        let mut taken: Vec<Option<Unboxed>> = Vec::new();
        let mut position = 0;
        for (parameter, pass) in shape.passes.iter().enumerate() {
            let (ParamPlan::Unbox(take) | ParamPlan::InOut(_, take, _)) = pass else {
                taken.push(None);
                continue;
            };
            let object = self.b.ins().load(I64, M, self.args, 8 * position);
            position += 1;
            let length =
                |pass: &ParamPlan| matches!(pass, ParamPlan::Length { of, .. } if *of == parameter);
            let measured = match shape.extents.iter().any(|(of, _)| *of == parameter) {
                _ if shape.passes.iter().any(length) => LengthWanted::Exact,
                true => LengthWanted::UpperBound,
                false => LengthWanted::No,
            };
            taken.push(Some(self.unbox(parameter, object, take, measured)));
        }

        for (parameter, extent) in &shape.extents {
            let length = taken[*parameter].as_ref().and_then(|taken| taken.length);
            if let Some(length) = length {
                self.reaches(length, extent, &taken);
            }
        }

        let mut places = ArgRegisters::default();
        let record = match &shape.result_location {
            ResultLocation::Memory(size) => {
                let at = self.room((*size).max(1));
                places.integer(at);
                Some(at)
            }
            _ => None,
        };
        for (parameter, pass) in shape.passes.iter().enumerate() {
            match pass {
                ParamPlan::Unbox(take) => {
                    let Some(taken) = &taken[parameter] else {
                        continue;
                    };
                    match take {
                        Unbox::Record {
                            registers, align, ..
                        } => places.record(&mut self.b, &taken.values, registers, *align),
                        Unbox::Float(_) => places.vector(&mut self.b, taken.values[0]),
                        _ => places.integer(taken.values[0]),
                    }
                }
                ParamPlan::Output(offset, _) | ParamPlan::InOut(offset, ..) => {
                    let base = storage.unwrap_or(self.this);
                    let at = self.b.ins().iadd_imm_s(base, *offset as i64);
                    places.integer(at);
                }
                ParamPlan::Fixed(scalar) => {
                    let word = WORDS_OFFSET + 8 * parameter as i32;
                    let float = scalar.is_float();
                    let kind = if float { result_type(*scalar) } else { I64 };
                    let value = self.b.ins().load(kind, M, self.this, word);
                    match float {
                        true => places.vector(&mut self.b, value),
                        false => places.integer(value),
                    }
                }
                ParamPlan::Length { of, unit, most } => {
                    let bytes = taken[*of]
                        .as_ref()
                        .and_then(|taken| taken.length)
                        .unwrap_or(self.this);
                    let length = self.length(bytes, *unit, *most);
                    places.integer(length);
                }
            }
        }
        let values = places.values(&mut self.b);
        if let Some(storage) = storage {
            self.fill(storage, &taken);
        }

        let this = self.this;
        let mut results = self.c_call(&values);
        if shape.gil == Gil::Python {
            self.check_exception(results.first().copied());
        }
        if let Some(rule) = shape.errno {
            self.errno = results.pop();
            self.check_errno(rule, &results);
        }

        if let ResultPlan::Status(scalar, check, _) = shape.end {
            self.status(results[0], scalar, check);
        }
        for (pass, taken) in shape.passes.iter().zip(&taken) {
            if let (ParamPlan::Unbox(Unbox::Handle { consumed: true, .. }), Some(taken)) =
                (pass, taken)
            {
                self.consume(taken.object);
            }
        }

        let result = match (record, &results[..]) {
            (Some(record), _) => Some(record),
            (None, [value]) => Some(*value),
            (None, _) => None,
        };
        let object = match (&shape.end, result) {
            (ResultPlan::Object, Some(made)) => made,
            _ => self.results(result, &results, storage),
        };
        self.b.ins().return_(&[object]);

        self.b.switch_to_block(self.generic);
        self.this = this;
        let (count, keywords) = (self.constant(expected), self.constant(0));
        self.leave_to(call_generic as *const () as usize, count, keywords);
        self.b.switch_to_block(self.fail);
        let null = self.constant(0);
        self.b.ins().return_(&[null]);
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// Clears the storage that C fills, and stores the values that it reads.
    fn fill(&mut self, storage: Value, taken: &[Option<Unboxed>]) {
        let zero = self.constant(0);
        for (start, size) in &self.shape.slots {
            let read = self
                .shape
                .passes
                .iter()
                .any(|pass| matches!(pass, ParamPlan::InOut(at, ..) if at == start));
            if !read {
                for offset in (*start..start + size).step_by(8) {
                    self.b.ins().store(M, zero, storage, offset as i32);
                }
            }
        }
        for (pass, taken) in self.shape.passes.iter().zip(taken) {
            if let (ParamPlan::InOut(offset, ..), Some(taken)) = (pass, taken) {
                let value = taken.values[0];
                if self.b.func.dfg.value_type(value) == F32 {
                    self.b.ins().store(M, zero, storage, *offset as i32);
                }
                self.b.ins().store(M, value, storage, *offset as i32);
            }
        }
    }

    /// Goes to the generic call path if memory is shorter than its extent.
    fn reaches(&mut self, length: Value, extent: &Extent, taken: &[Option<Unboxed>]) {
        let mut count = |index: usize| {
            let value = taken[index]
                .as_ref()
                .map_or(length, |taken| taken.values[0]);
            let small = self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThan, value, MAX_COUNT);
            self.unless(small, self.generic);
            value
        };
        let of = extent.of.map(&mut count);
        let rows = extent
            .rows
            .map(|rows| (count(rows.count), count(rows.pitch), rows.unit));
        let count = of.unwrap_or_else(|| self.constant(0));
        let count = self.b.ins().iadd_imm_s(count, i64::from(extent.plus));
        let mut needed = self.b.ins().imul_imm_u(count, extent.unit as i64);
        if let Some((rows, pitch, unit)) = rows {
            let pitch = match unit {
                1 => pitch,
                _ => self.b.ins().imul_imm_u(pitch, unit as i64),
            };
            // The product of two that are below 2³¹ is below 2⁶²; there may be no rows, or nothing in them, which the
            // generic call path knows.
            for value in [rows, pitch] {
                let small = self
                    .b
                    .ins()
                    .icmp_imm_u(IntCC::UnsignedLessThan, value, 1 << 31);
                self.unless(small, self.generic);
            }
            self.unless(rows, self.generic);
            let last = self.b.ins().iadd_imm_s(rows, -1);
            let before = self.b.ins().imul(last, pitch);
            needed = self.b.ins().iadd(before, needed);
        }
        let fits = self
            .b
            .ins()
            .icmp(IntCC::SignedLessThanOrEqual, needed, length);
        self.unless(fits, self.generic);
    }

    /// The number of units in a number of bytes.
    fn length(&mut self, bytes: Value, unit: usize, most: u64) -> Value {
        let mut count = bytes;
        if unit.is_power_of_two() && unit > 1 {
            let rest = self.b.ins().band_imm_u(bytes, unit as i64 - 1);
            let whole = self.b.ins().icmp_imm_u(IntCC::Equal, rest, 0);
            self.unless(whole, self.generic);
            count = self
                .b
                .ins()
                .ushr_imm_u(bytes, i64::from(unit.trailing_zeros()));
        } else if unit > 1 {
            count = self.b.ins().udiv_imm_u(bytes, unit as i64);
            let back = self.b.ins().imul_imm_u(count, unit as i64);
            let whole = self.b.ins().icmp(IntCC::Equal, back, bytes);
            self.unless(whole, self.generic);
        }
        if let Ok(most) = i64::try_from(most)
            && most != i64::MAX
        {
            let fits = self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, count, most);
            self.unless(fits, self.generic);
        }
        count
    }
}

/// True if the known layouts of the interpreter's objects are enough for generated code.
pub fn covers(shape: &Shape, layout: &ObjectLayout) -> bool {
    let outputs = shape
        .passes
        .iter()
        .filter(|pass| matches!(pass, ParamPlan::Output(..) | ParamPlan::InOut(..)))
        .count();
    let parts = outputs
        + usize::from(
            shape.tuple || matches!(shape.end, ResultPlan::Boxing(_) | ResultPlan::NotNull(_)),
        );
    let size = match shape.result_location {
        ResultLocation::Memory(size) => size,
        _ => 0,
    };
    let tuple = parts < 2 && !shape.tuple || layout.tuple.is_some();
    tuple && shape.storage <= MAX_STORAGE && size <= MAX_STORAGE && layout.immortal.is_some()
}

/// The function for a shape.
pub fn emit(
    function: &mut Function,
    context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
    shape: &Shape,
    layout: &ObjectLayout,
    dispatch: usize,
) {
    let conv = isa.default_call_conv();
    let mut signature = Signature::new(conv);
    signature.params.extend([AbiParam::new(I64); 4]);
    signature.returns.push(AbiParam::new(I64));
    *function = Function::with_name_signature(UserFuncName::user(0, 0), signature);
    let mut b = FunctionBuilder::new(function, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [this, args, count, keywords] = [0, 1, 2, 3].map(|index| b.block_params(entry)[index]);
    let [generic, fail] = [0; 2].map(|_| {
        let block = b.create_block();
        b.set_cold_block(block);
        block
    });
    let emit = Emit {
        b,
        shape,
        layout,
        conv,
        dispatch,
        this,
        args,
        generic,
        fail,
        errno: None,
    };
    emit.body(isa.frontend_config(), count, keywords);
}
