//! Machine code for the call of the C function: the interpreter's lock, callbacks, `errno`, statuses, and handles that
//! C has taken.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I32, I64};
use cranelift_codegen::ir::{
    Block, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value,
};
use cuox_bind::plan::Gil;
use pyo3::ffi;

use crate::callable::TARGET_OFFSET;
use crate::callbacks::pending;
use crate::compile::builder::{Emit, M, result_type};
use crate::compile::runtime;
use crate::compile::shape::{Boxing, ResultPlan, SuccessTest};
use crate::signature::Errno;
use crate::types::abi::ResultLocation;
use crate::types::object::{CLOSED, CObject, OWNED};
use crate::types::scalar::Scalar;

/// Values saved on the stack.
struct Spilled {
    slot: StackSlot,
    types: Vec<Type>,
}

impl Spilled {
    fn reload(&self, emit: &mut Emit<'_, '_>) -> Vec<Value> {
        let load = |(index, kind): (usize, &Type)| {
            emit.b
                .ins()
                .stack_load(I64, *kind, self.slot, 8 * index as i32)
        };
        self.types.iter().enumerate().map(load).collect()
    }
}

impl Emit<'_, '_> {
    /// Raises `OSError` if `errno` is set and the result is a failure. For a status that is decided later.
    pub fn check_errno(&mut self, rule: Errno, results: &[Value]) {
        let failed = match rule {
            Errno::Status => return,
            Errno::Set => None,
            Errno::Result(failure) => {
                // The failure is cut to the bits of the result.
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

    /// Raises `OSError` if `errno` is set, else jumps to `next`.
    fn raise_errno(&mut self, next: Block) {
        let Some(errno) = self.errno else {
            self.b.ins().jump(next, &[]);
            return;
        };
        let raise = self.cold();
        self.b.ins().brif(errno, raise, &[], next, &[]);
        self.b.switch_to_block(raise);
        let os_error = runtime::os_error as *const () as usize;
        self.call(os_error, None, &[self.this, self.args, errno]);
        self.b.ins().jump(self.fail, &[]);
    }

    /// Calls C, and raises an exception that a callback has left.
    pub fn c_call(&mut self, values: &[Value]) -> Vec<Value> {
        if !self.shape.watched {
            return self.unwatched(values);
        }
        // Exceptions of callbacks are carried back to here. All values that live across the call lie on the stack
        // meanwhile.
        let live: Vec<Value> = [self.this]
            .into_iter()
            .chain(values.iter().copied())
            .collect();
        let spilled = self.spill(&live);
        let saved = self.call_word(pending::enter as *const () as usize, &[]);
        let saved = self.spill(&[saved]);
        let values = spilled.reload(self);
        self.this = values[0];
        let returned = self.unwatched(&values[1..]);
        let returned = self.spill(&returned);
        let saved = saved.reload(self);
        let leave = pending::leave as *const () as usize;
        if let Some(raised) = self.call(leave, Some(I32), &saved) {
            let fine = self.block();
            self.b.ins().brif(raised, self.fail, &[], fine, &[]);
            self.b.switch_to_block(fine);
        }
        self.this = spilled.reload(self)[0];
        returned.reload(self)
    }

    /// The C function's results in registers.
    fn result_types(&self) -> Vec<Type> {
        match (&self.shape.end, &self.shape.result_location) {
            (_, ResultLocation::Nothing | ResultLocation::Memory(_)) => Vec::new(),
            (
                ResultPlan::Boxing(Boxing::Integer(scalar) | Boxing::Float(scalar))
                | ResultPlan::Status(scalar, _, _),
                _,
            ) => vec![result_type(*scalar)],
            (ResultPlan::Boxing(Boxing::Bool), _) => vec![I8],
            (_, ResultLocation::Registers(classes)) => classes
                .iter()
                .map(|vector| if *vector { F64 } else { I64 })
                .collect(),
            (_, ResultLocation::Vector) => vec![F64],
            _ => vec![I64],
        }
    }

    /// Calls C, and gives the interpreter's lock up meanwhile if that is wanted.
    fn unwatched(&mut self, values: &[Value]) -> Vec<Value> {
        let give_up = match self.shape.gil {
            Gil::Hold | Gil::Python => false,
            Gil::Release => true,
            Gil::Auto => self.shape.watched,
        };
        let thread =
            give_up.then(|| self.call_word(ffi::PyEval_SaveThread as *const () as usize, &[]));
        let parameters: Vec<Type> = values
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        let target = self.b.ins().load(I64, M, self.this, TARGET_OFFSET);
        // Taking the lock again may set `errno`, so it is read before.
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
    fn spill(&mut self, values: &[Value]) -> Spilled {
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
        Spilled { slot, types }
    }

    /// A status in 64 bits.
    pub fn extended(&mut self, value: Value, scalar: Scalar) -> Value {
        match self.b.func.dfg.value_type(value) {
            I64 => value,
            _ if scalar.signed() => self.b.ins().sextend(I64, value),
            _ => self.b.ins().uextend(I64, value),
        }
    }

    /// Fails if C has set an exception; an object that it has made is given back.
    pub fn check_exception(&mut self, result: Option<Value>) {
        let raised = self.call_word(ffi::PyErr_Occurred as *const () as usize, &[]);
        let (next, failed) = (self.block(), self.cold());
        self.b.ins().brif(raised, failed, &[], next, &[]);
        self.b.switch_to_block(failed);
        if let (ResultPlan::Object, Some(made)) = (&self.shape.end, result) {
            let some = self.block();
            self.b.ins().brif(made, some, &[], self.fail, &[]);
            self.b.switch_to_block(some);
            self.call(ffi::Py_DecRef as *const () as usize, None, &[made]);
        }
        self.b.ins().jump(self.fail, &[]);
        self.b.switch_to_block(next);
    }

    /// Returns the failure unless the status is a success.
    pub fn status(&mut self, value: Value, scalar: Scalar, check: SuccessTest) {
        let ok = match check {
            SuccessTest::Zero | SuccessTest::ZeroAndOthers => {
                self.b.ins().icmp_imm_s(IntCC::Equal, value, 0)
            }
            SuccessTest::NonZero => self.b.ins().icmp_imm_s(IntCC::NotEqual, value, 0),
            SuccessTest::NotNegative => {
                let code = self.extended(value, scalar);
                self.b
                    .ins()
                    .icmp_imm_s(IntCC::SignedGreaterThanOrEqual, code, 0)
            }
            SuccessTest::Others => self.b.ins().iconst(I8, 0),
        };
        let (next, other) = (self.block(), self.cold());
        self.b.ins().brif(ok, next, &[], other, &[]);
        self.b.switch_to_block(other);
        let code = self.extended(value, scalar);
        if matches!(check, SuccessTest::ZeroAndOthers | SuccessTest::Others) {
            let ok = self.call_word(runtime::succeeded as *const () as usize, &[self.this, code]);
            let failed = self.cold();
            self.b.ins().brif(ok, next, &[], failed, &[]);
            self.b.switch_to_block(failed);
        }
        if self.shape.errno == Some(Errno::Status) {
            let untold = self.cold();
            self.raise_errno(untold);
            self.b.switch_to_block(untold);
        }
        let result = self.call_word(runtime::failed as *const () as usize, &[self.this, code]);
        self.b.ins().return_(&[result]);
        self.b.switch_to_block(next);
    }

    /// Closes a handle that C has taken.
    pub fn consume(&mut self, object: Value) {
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
        let held = self.block();
        self.b.ins().brif(keep, held, &[], next, &[]);
        self.b.switch_to_block(held);
        self.call(ffi::Py_DecRef as *const () as usize, None, &[keep]);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }
}
