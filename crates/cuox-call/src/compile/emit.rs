//! From a shape to the machine code of `PyObject *f(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)`.
//!
//! Reading arguments only reads memory: no Python code runs and nothing is taken that has to be given back. So as soon as one is not of the
//! usual kind, the whole call goes to [`without::entry`](crate::without::entry), which begins anew and has all rules and errors.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I8, I16, I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function, InstBuilder, MemFlagsData, Signature, StackSlot,
    StackSlotData, StackSlotKind, Type, UserFuncName, Value,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use pyo3::ffi;

use super::help;
use super::places;
use super::shape::{Check, End, Give, Pass, Shape, Take};
use crate::callable::{TARGET, WORDS};
use crate::layout::Layout;
use crate::objects::{CLOSED, CObject, OWNED};
use crate::signature::{Errno, Scalar};
use crate::values;
use crate::without;
use crate::without::sysv::Place;

/// Loads and stores of memory that is there.
pub const M: MemFlagsData = MemFlagsData::trusted();

/// The most storage on the stack for outputs; more is the careful way's.
const MOST_STORAGE: usize = 2048;

/// What an argument became.
pub struct Taken {
    /// The object.
    pub object: Value,
    /// What is passed, with its types.
    pub values: Vec<Value>,
    /// How many bytes of memory there are, if that was asked for.
    pub length: Option<Value>,
}

/// Values on the stack.
struct Kept {
    slot: StackSlot,
    types: Vec<Type>,
}

impl Kept {
    fn reload(&self, emit: &mut Emit<'_, '_>) -> Vec<Value> {
        let load = |(index, kind): (usize, &Type)| {
            emit.b
                .ins()
                .stack_load(I64, *kind, self.slot, 8 * index as i32)
        };
        self.types.iter().enumerate().map(load).collect()
    }
}

/// A function being made.
pub struct Emit<'a, 'f> {
    pub b: FunctionBuilder<'f>,
    pub shape: &'a Shape,
    pub layout: &'a Layout,
    conv: CallConv,
    pub this: Value,
    args: Value,
    /// Begins anew, the careful way.
    pub slow: Block,
    /// Returns null: there is an exception.
    pub fail: Block,
    /// What `errno` is after the call, if that is asked for.
    errno: Option<Value>,
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

    /// Goes to `other` unless `ok`; what follows is for when it is.
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

    fn call_indirect(
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
            .load(I64, M, self.this, WORDS + 8 * parameter as i32)
    }

    fn room(&mut self, size: usize) -> Value {
        let data = StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            size.next_multiple_of(16) as u32,
            4,
        );
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(I64, slot, 0)
    }

    /// Has a function that is called as this one was make the call.
    fn leave_to(&mut self, function: usize, count: Value, keywords: Value) {
        let result = self.call_word(function, &[self.this, self.args, count, keywords]);
        self.b.ins().return_(&[result]);
    }

    fn body(mut self, config: TargetFrontendConfig, count: Value, keywords: Value) {
        let shape = self.shape;
        let expected = shape
            .passes
            .iter()
            .filter(|pass| matches!(pass, Pass::Take(_) | Pass::InOut(..)))
            .count();

        // As many arguments as parameters, no keywords, and no callbacks that are to be watched. A function that takes nothing is not told of keywords.
        let (differs, keywords) = match expected {
            0 => (count, self.constant(0)),
            expected => {
                let differs = self.b.ins().bxor_imm_u(count, expected as i64);
                (self.b.ins().bor(differs, keywords), keywords)
            }
        };
        let (differs, otherwise) = match (shape.watched, expected) {
            (true, 0) => (differs, without::entry as *const () as usize),
            (true, _) => (differs, help::named as *const () as usize),
            (false, _) => {
                let live = self.constant(&raw const values::LIVE as usize);
                let live = self.b.ins().uload32(M, live, 0);
                let differs = self.b.ins().bor(differs, live);
                (differs, super::otherwise as *const () as usize)
            }
        };
        let (next, other) = (self.block(), self.cold());
        self.b.ins().brif(differs, other, &[], next, &[]);
        self.b.switch_to_block(other);
        self.leave_to(otherwise, count, keywords);
        self.b.switch_to_block(next);

        let storage = (shape.storage > 0).then(|| self.room(shape.storage));
        let mut taken: Vec<Option<Taken>> = Vec::new();
        let mut position = 0;
        for (parameter, pass) in shape.passes.iter().enumerate() {
            let (Pass::Take(take) | Pass::InOut(_, take, _)) = pass else {
                taken.push(None);
                continue;
            };
            let object = self.b.ins().load(I64, M, self.args, 8 * position);
            position += 1;
            let measured = shape
                .passes
                .iter()
                .any(|pass| matches!(pass, Pass::Length { of, .. } if *of == parameter));
            taken.push(Some(self.take(parameter, object, take, measured)));
        }

        let mut places = places::Places::default();
        let record = match &shape.place {
            Place::Memory(size) => {
                let at = self.room((*size).max(1));
                places.integer(at);
                Some(at)
            }
            _ => None,
        };
        for (parameter, pass) in shape.passes.iter().enumerate() {
            match pass {
                Pass::Take(take) => {
                    let Some(taken) = &taken[parameter] else {
                        continue;
                    };
                    match take {
                        Take::Record {
                            registers, align, ..
                        } => places.record(&mut self.b, &taken.values, registers, *align),
                        Take::Float(_) => places.vector(&mut self.b, taken.values[0]),
                        _ => places.integer(taken.values[0]),
                    }
                }
                Pass::Out(offset, _) | Pass::InOut(offset, ..) => {
                    let base = storage.unwrap_or(self.this);
                    let at = self.b.ins().iadd_imm_s(base, *offset as i64);
                    places.integer(at);
                }
                Pass::Fixed(scalar) => {
                    let word = WORDS + 8 * parameter as i32;
                    let float = scalar.is_float();
                    let kind = if float { result_type(*scalar) } else { I64 };
                    let value = self.b.ins().load(kind, M, self.this, word);
                    match float {
                        true => places.vector(&mut self.b, value),
                        false => places.integer(value),
                    }
                }
                Pass::Length { of, unit, most } => {
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
        if let Some(rule) = shape.errno {
            self.errno = results.pop();
            self.check_errno(rule, &results);
        }

        if let End::Status(scalar, check) = shape.end {
            self.status(results[0], scalar, check);
        }
        for (pass, taken) in shape.passes.iter().zip(&taken) {
            if let (Pass::Take(Take::Handle { consumed: true, .. }), Some(taken)) = (pass, taken) {
                self.consume(taken.object);
            }
        }

        let result = match (record, &results[..]) {
            (Some(record), _) => Some(record),
            (None, [value]) => Some(*value),
            (None, _) => None,
        };
        let object = self.results(result, &results, storage);
        self.b.ins().return_(&[object]);

        self.b.switch_to_block(self.slow);
        self.this = this;
        let (count, keywords) = (self.constant(expected), self.constant(0));
        self.leave_to(without::entry as *const () as usize, count, keywords);
        self.b.switch_to_block(self.fail);
        let null = self.constant(0);
        self.b.ins().return_(&[null]);
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// Clears what C is to fill, and stores what it is to read.
    fn fill(&mut self, storage: Value, taken: &[Option<Taken>]) {
        let zero = self.constant(0);
        for (start, size) in &self.shape.rooms {
            let read = self
                .shape
                .passes
                .iter()
                .any(|pass| matches!(pass, Pass::InOut(at, ..) if at == start));
            if !read {
                for offset in (*start..start + size).step_by(8) {
                    self.b.ins().store(M, zero, storage, offset as i32);
                }
            }
        }
        for (pass, taken) in self.shape.passes.iter().zip(taken) {
            if let (Pass::InOut(offset, ..), Some(taken)) = (pass, taken) {
                let value = taken.values[0];
                if self.b.func.dfg.value_type(value) == F32 {
                    self.b.ins().store(M, zero, storage, *offset as i32);
                }
                self.b.ins().store(M, value, storage, *offset as i32);
            }
        }
    }

    /// How many units so many bytes are.
    fn length(&mut self, bytes: Value, unit: usize, most: u64) -> Value {
        let mut count = bytes;
        if unit.is_power_of_two() && unit > 1 {
            let rest = self.b.ins().band_imm_u(bytes, unit as i64 - 1);
            let whole = self.b.ins().icmp_imm_u(IntCC::Equal, rest, 0);
            self.unless(whole, self.slow);
            count = self
                .b
                .ins()
                .ushr_imm_u(bytes, i64::from(unit.trailing_zeros()));
        } else if unit > 1 {
            count = self.b.ins().udiv_imm_u(bytes, unit as i64);
            let back = self.b.ins().imul_imm_u(count, unit as i64);
            let whole = self.b.ins().icmp(IntCC::Equal, back, bytes);
            self.unless(whole, self.slow);
        }
        if let Ok(most) = i64::try_from(most)
            && most != i64::MAX
        {
            let fits = self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, count, most);
            self.unless(fits, self.slow);
        }
        count
    }

    /// Leaves for the exception if there is an `errno` and the result is one that it belongs to. That of a status is known later.
    fn check_errno(&mut self, rule: Errno, results: &[Value]) {
        let failed = match rule {
            Errno::Status => return,
            Errno::Set => None,
            Errno::Result(failure) => {
                // As many bits of it as the result has.
                let bits = self.b.func.dfg.value_type(results[0]).bits();
                let failure = failure << (64 - bits) >> (64 - bits);
                Some(self.b.ins().icmp_imm_s(IntCC::Equal, results[0], failure))
            }
        };
        let next = self.block();
        if let Some(failed) = failed {
            let cold = self.cold();
            self.b.ins().brif(failed, cold, &[], next, &[]);
            self.b.switch_to_block(cold);
        }
        self.raise_errno(next);
        self.b.switch_to_block(next);
    }

    /// Leaves for the exception if there is an `errno`, else goes on at `next`.
    fn raise_errno(&mut self, next: Block) {
        let Some(errno) = self.errno else {
            self.b.ins().jump(next, &[]);
            return;
        };
        let raise = self.cold();
        self.b.ins().brif(errno, raise, &[], next, &[]);
        self.b.switch_to_block(raise);
        let os_error = help::os_error as *const () as usize;
        self.call(os_error, None, &[self.this, self.args, errno]);
        self.b.ins().jump(self.fail, &[]);
    }

    /// The call itself, and what a callback may have left.
    fn c_call(&mut self, values: &[Value]) -> Vec<Value> {
        if !self.shape.watched {
            return self.unwatched(values);
        }
        // What callbacks raise is carried back to here. All that lives across calls lies on the stack meanwhile.
        let kept: Vec<Value> = [self.this]
            .into_iter()
            .chain(values.iter().copied())
            .collect();
        let kept = self.keep(&kept);
        let saved = self.call_word(values::enter as *const () as usize, &[]);
        let saved = self.keep(&[saved]);
        let values = kept.reload(self);
        self.this = values[0];
        let returned = self.unwatched(&values[1..]);
        let returned = self.keep(&returned);
        let saved = saved.reload(self);
        let leave = values::leave as *const () as usize;
        if let Some(raised) = self.call(leave, Some(I32), &saved) {
            let fine = self.block();
            self.b.ins().brif(raised, self.fail, &[], fine, &[]);
            self.b.switch_to_block(fine);
        }
        self.this = kept.reload(self)[0];
        returned.reload(self)
    }

    /// The C function's results in registers.
    fn result_types(&self) -> Vec<Type> {
        match (&self.shape.end, &self.shape.place) {
            (_, Place::Nothing | Place::Memory(_)) => Vec::new(),
            (
                End::Give(Give::Integer(scalar) | Give::Float(scalar)) | End::Status(scalar, _),
                _,
            ) => vec![result_type(*scalar)],
            (End::Give(Give::Bool), _) => vec![I8],
            (_, Place::Registers(classes)) => classes
                .iter()
                .map(|vector| if *vector { F64 } else { I64 })
                .collect(),
            (_, Place::Vector) => vec![F64],
            _ => vec![I64],
        }
    }

    /// The call, with the interpreter's lock given up if that is wanted.
    fn unwatched(&mut self, values: &[Value]) -> Vec<Value> {
        let thread = match self.shape.release_gil {
            true => Some(self.call_word(ffi::PyEval_SaveThread as *const () as usize, &[])),
            false => None,
        };
        let parameters: Vec<Type> = values
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        let target = self.b.ins().load(I64, M, self.this, TARGET);
        // Taking the lock again may set it.
        let errno = self.shape.errno.map(|_| {
            let at = self.call_word(libc::__errno_location as *const () as usize, &[]);
            let zero = self.b.ins().iconst(I32, 0);
            self.b.ins().store(M, zero, at, 0);
            at
        });
        let mut results = self.call_indirect(target, &parameters, &self.result_types(), values);
        results.extend(errno.map(|at| self.b.ins().load(I32, M, at, 0)));
        if let Some(thread) = thread {
            let restore = ffi::PyEval_RestoreThread as *const () as usize;
            self.call(restore, None, &[thread]);
        }
        results
    }

    /// Stores values on the stack.
    fn keep(&mut self, values: &[Value]) -> Kept {
        let data = StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            8 * values.len().max(1) as u32,
            3,
        );
        let slot = self.b.create_sized_stack_slot(data);
        let types = values
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        for (index, value) in values.iter().enumerate() {
            self.b
                .ins()
                .stack_store(I64, *value, slot, 8 * index as i32);
        }
        Kept { slot, types }
    }

    /// A status in 64 bits.
    pub fn extended(&mut self, value: Value, scalar: Scalar) -> Value {
        match self.b.func.dfg.value_type(value) {
            I64 => value,
            _ if scalar.signed() => self.b.ins().sextend(I64, value),
            _ => self.b.ins().uextend(I64, value),
        }
    }

    /// Leaves unless the status is a success.
    fn status(&mut self, value: Value, scalar: Scalar, check: Check) {
        let ok = match check {
            Check::Zero | Check::ZeroAndOthers => self.b.ins().icmp_imm_s(IntCC::Equal, value, 0),
            Check::NonZero => self.b.ins().icmp_imm_s(IntCC::NotEqual, value, 0),
            Check::NotNegative => {
                let code = self.extended(value, scalar);
                self.b
                    .ins()
                    .icmp_imm_s(IntCC::SignedGreaterThanOrEqual, code, 0)
            }
            Check::Others => self.b.ins().iconst(I8, 0),
        };
        let (next, other) = (self.block(), self.cold());
        self.b.ins().brif(ok, next, &[], other, &[]);
        self.b.switch_to_block(other);
        let code = self.extended(value, scalar);
        if matches!(check, Check::ZeroAndOthers | Check::Others) {
            let ok = self.call_word(help::succeeded as *const () as usize, &[self.this, code]);
            let failed = self.cold();
            self.b.ins().brif(ok, next, &[], failed, &[]);
            self.b.switch_to_block(failed);
        }
        if self.shape.errno == Some(Errno::Status) {
            let untold = self.cold();
            self.raise_errno(untold);
            self.b.switch_to_block(untold);
        }
        let result = self.call_word(help::failed as *const () as usize, &[self.this, code]);
        self.b.ins().return_(&[result]);
        self.b.switch_to_block(next);
    }

    /// Closes a handle that C has taken.
    fn consume(&mut self, object: Value) {
        const VALUE: i32 = std::mem::offset_of!(CObject, value) as i32;
        const FLAGS: i32 = std::mem::offset_of!(CObject, flags) as i32;
        const KEEP: i32 = std::mem::offset_of!(CObject, keep) as i32;
        let none = self.constant(self.layout.types.none);
        let (some, next) = (self.block(), self.block());
        let is_none = self.b.ins().icmp(IntCC::Equal, object, none);
        self.b.ins().brif(is_none, next, &[], some, &[]);
        self.b.switch_to_block(some);
        let zero = self.constant(0);
        self.b.ins().store(M, zero, object, VALUE);
        let flags = self.b.ins().load(I64, M, object, FLAGS);
        let flags = self.b.ins().band_imm_s(flags, !OWNED as i64);
        let flags = self.b.ins().bor_imm_u(flags, CLOSED as i64);
        self.b.ins().store(M, flags, object, FLAGS);
        let keep = self.b.ins().load(I64, M, object, KEEP);
        self.b.ins().store(M, zero, object, KEEP);
        let kept = self.block();
        self.b.ins().brif(keep, kept, &[], next, &[]);
        self.b.switch_to_block(kept);
        self.call(ffi::Py_DecRef as *const () as usize, None, &[keep]);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    /// The object that is returned, or null.
    fn results(&mut self, result: Option<Value>, words: &[Value], storage: Option<Value>) -> Value {
        let shape = self.shape;
        /// Where a part's value is.
        enum From {
            /// In registers.
            Words(Vec<Value>),
            /// In memory.
            Memory(Value),
            /// It is the status.
            Status(Value),
        }
        // Parameter (or -1 for the result), how, and from where.
        let mut parts: Vec<(i64, Give, From)> = Vec::new();
        match shape.end {
            End::Give(give) | End::NotNull(give) => {
                if let (End::NotNull(_), Some(value)) = (&shape.end, result) {
                    let null = self.cold();
                    let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, value, 0);
                    self.unless(some, null);
                    let next = self.block();
                    self.b.ins().jump(next, &[]);
                    self.b.switch_to_block(null);
                    self.call(help::null_result as *const () as usize, None, &[self.this]);
                    self.b.ins().jump(self.fail, &[]);
                    self.b.switch_to_block(next);
                }
                let from = match (&shape.place, result) {
                    (Place::Memory(_), Some(at)) => From::Memory(at),
                    _ => From::Words(words.to_vec()),
                };
                parts.push((-1, give, from));
            }
            End::Status(scalar, _) if shape.tuple => {
                let code = self.extended(words[0], scalar);
                parts.push((-1, Give::Object, From::Status(code)));
            }
            End::Status(..) | End::Nothing => {}
        }
        for (parameter, pass) in shape.passes.iter().enumerate() {
            if let (Pass::Out(offset, give) | Pass::InOut(offset, _, give), Some(storage)) =
                (pass, storage)
            {
                let at = self.b.ins().iadd_imm_s(storage, *offset as i64);
                parts.push((parameter as i64, *give, From::Memory(at)));
            }
        }
        // A success is 0 and nothing else.
        let zero = matches!(shape.end, End::Status(_, Check::Zero));
        let make = |this: &mut Self, (which, give, from): (i64, Give, From)| {
            let value = match from {
                From::Status(_) if zero => return this.zero(),
                From::Status(code) => {
                    return this.call_word(help::status as *const () as usize, &[this.this, code]);
                }
                From::Memory(at) if give == Give::Object => at,
                From::Memory(at) => {
                    let kind = match give {
                        Give::Integer(scalar) | Give::Float(scalar) => result_type(scalar),
                        Give::Bool => I8,
                        _ => I64,
                    };
                    this.b.ins().load(kind, M, at, 0)
                }
                From::Words(words) if give == Give::Object => {
                    return this.give_stored(which, &words);
                }
                From::Words(words) => words[0],
            };
            match give {
                Give::Object => this.give_at(which, value),
                Give::Handle {
                    scalar,
                    owned,
                    plain,
                } => this.give_handle(which, scalar, owned, !plain, value),
                give => this.give(give, value),
            }
        };
        let count = parts.len();
        if count == 0 {
            return self.none();
        }
        if count == 1 && !shape.tuple {
            return parts.pop().map_or(self.this, |part| make(self, part));
        }
        let items = self.layout.tuple.unwrap_or_default();
        // Numbers, and handles that are as good as numbers, may live on in a tuple that nobody has any more: they tell nobody when they end.
        let values = |(_, give, from): &(i64, Give, From)| match from {
            From::Status(_) => zero,
            _ => matches!(
                give,
                Give::Integer(_) | Give::Float(_) | Give::Bool | Give::Handle { plain: true, .. }
            ),
        };
        if parts.iter().all(values) {
            let tuple = self.used_tuple(count);
            let drop = self.cold();
            for (index, part) in parts.into_iter().enumerate() {
                let offset = items + 8 * index as i32;
                match part {
                    (_, _, From::Status(_)) => {}
                    (which, Give::Handle { scalar, .. }, from) => {
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
            self.give_up(tuple, drop);
            return tuple;
        }
        // The tuple first: what fails later has one thing to give back.
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
        self.give_up(tuple, drop);
        tuple
    }

    /// Gives a tuple back and leaves, at `drop`.
    fn give_up(&mut self, tuple: Value, drop: Block) {
        let done = self.block();
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(drop);
        self.call(ffi::Py_DecRef as *const () as usize, None, &[tuple]);
        self.b.ins().jump(self.fail, &[]);
        self.b.switch_to_block(done);
    }
}

impl Emit<'_, '_> {
    /// Has Rust make the object for a value in memory: of a parameter, or, for -1, of the result.
    fn give_at(&mut self, which: i64, at: Value) -> Value {
        let which = self.b.ins().iconst(I64, which);
        let give = help::give as *const () as usize;
        self.call_word(give, &[self.this, self.args, which, at])
    }

    /// As [`Self::give_at`], for a value in registers.
    pub fn give_stored(&mut self, which: i64, words: &[Value]) -> Value {
        let at = self.room(16);
        for (index, word) in words.iter().enumerate() {
            self.b.ins().store(M, *word, at, 8 * index as i32);
        }
        self.give_at(which, at)
    }
}

/// Whether generated code does it all with what is known of the interpreter.
pub fn covers(shape: &Shape, layout: &Layout) -> bool {
    let outputs = shape
        .passes
        .iter()
        .filter(|pass| matches!(pass, Pass::Out(..) | Pass::InOut(..)))
        .count();
    let parts =
        outputs + usize::from(shape.tuple || matches!(shape.end, End::Give(_) | End::NotNull(_)));
    let size = match shape.place {
        Place::Memory(size) => size,
        _ => 0,
    };
    let tuple = parts < 2 && !shape.tuple || layout.tuple.is_some();
    tuple && shape.storage <= MOST_STORAGE && size <= MOST_STORAGE && layout.immortal.is_some()
}

/// The function for a shape.
pub fn emit(
    function: &mut Function,
    context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
    shape: &Shape,
    layout: &Layout,
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
    let [slow, fail] = [0; 2].map(|_| {
        let block = b.create_block();
        b.set_cold_block(block);
        block
    });
    let emit = Emit {
        b,
        shape,
        layout,
        conv,
        this,
        args,
        slow,
        fail,
        errno: None,
    };
    emit.body(isa.frontend_config(), count, keywords);
}
