//! Machine code that makes Python objects of C values.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use pyo3::ffi;

use crate::callable::{HANDLE_CLASS_OFFSET, LAST_TUPLE_OFFSET, ZERO_STATUS_OFFSET};
use crate::compile::builder::{Emit, M, arg, result_type};
use crate::compile::runtime;
use crate::compile::shape::Boxing;
use crate::compile::unbox::{FLAGS, VALUE};
use crate::interpreter::layout::{TUPLE_WITH_HASH, TYPE};
use crate::types::class::Class;
use crate::types::object::{CLOSED, CObject};
use crate::types::scalar::Scalar;

pub const KEEP: i32 = std::mem::offset_of!(CObject, keep) as i32;

impl Emit<'_, '_> {
    /// `None`, with a reference of its own.
    pub fn none(&mut self) -> Value {
        let none = self.constant(self.layout.types.none);
        self.count_constant(none);
        none
    }

    /// Counts a reference to an object that is immortal in interpreters with immortal objects.
    fn count_constant(&mut self, object: Value) {
        if self.layout.immortal == Some(false) {
            let count = self.b.ins().load(I64, M, object, 0);
            let count = self.b.ins().iadd_imm_s(count, 1);
            self.b.ins().store(M, count, object, 0);
        }
    }

    /// Counts a reference to any object.
    fn count(&mut self, object: Value) {
        if self.layout.immortal == Some(false) {
            return self.count_constant(object);
        }
        // With immortal objects counts have 32 bits, and immortal objects have counts that are negative as such.
        let (large, next) = (self.cold(), self.block());
        let count = self.b.ins().load(I32, M, object, 0);
        let more = self.b.ins().iadd_imm_s(count, 1);
        let fine = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, more, 0);
        self.unless(fine, large);
        self.b.ins().store(M, more, object, 0);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(large);
        self.call(ffi::Py_IncRef as *const () as usize, None, &[object]);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    /// The object for a status of 0, or null with an exception.
    pub fn zero(&mut self) -> Value {
        let (there, done, first) = (self.block(), self.block(), self.cold());
        let object = self.b.append_block_param(done, I64);
        let zero = self.b.ins().load(I64, M, self.this, ZERO_STATUS_OFFSET);
        self.b.ins().brif(zero, there, &[], first, &[]);
        self.b.switch_to_block(first);
        let code = self.constant(0);
        let made = self.call_word(runtime::status as *const () as usize, &[self.this, code]);
        self.b.ins().jump(done, &arg(made));
        self.b.switch_to_block(there);
        self.count(zero);
        self.b.ins().jump(done, &arg(zero));
        self.b.switch_to_block(done);
        object
    }

    /// The last tuple that was returned, if only the callable still refers to it; else a new one. It has `count` items,
    /// of which the first is the status 0 if a status is returned.
    pub fn recycled_tuple(&mut self, count: usize) -> Value {
        let (there, reuse, done, new) = (self.block(), self.block(), self.block(), self.cold());
        let object = self.b.append_block_param(done, I64);
        let tuple = self.b.ins().load(I64, M, self.this, LAST_TUPLE_OFFSET);
        self.b.ins().brif(tuple, there, &[], new, &[]);
        self.b.switch_to_block(there);
        // The whole first word is compared, since an interpreter may keep more than the count there.
        let references = self.b.ins().load(I64, M, tuple, 0);
        let alone = self.b.ins().icmp_imm_s(IntCC::Equal, references, 1);
        self.b.ins().brif(alone, reuse, &[], new, &[]);
        self.b.switch_to_block(reuse);
        let two = self.constant(2);
        self.b.ins().store(M, two, tuple, 0);
        let (items, hash) = TUPLE_WITH_HASH;
        if self.layout.tuple == Some(items) {
            let none = self.b.ins().iconst(I64, -1);
            self.b.ins().store(M, none, tuple, hash);
        }
        self.b.ins().jump(done, &arg(tuple));
        self.b.switch_to_block(new);
        let size = self.constant(count);
        let made = self.call_word(runtime::tuple as *const () as usize, &[self.this, size]);
        self.unless(made, self.fail);
        self.b.ins().jump(done, &arg(made));
        self.b.switch_to_block(done);
        object
    }

    /// Replaces a number or `None` in a tuple by another number.
    pub fn replace(&mut self, tuple: Value, offset: i32, object: Value) {
        let (next, same, other) = (self.block(), self.block(), self.block());
        let before = self.b.ins().load(I64, M, tuple, offset);
        let equal = self.b.ins().icmp(IntCC::Equal, before, object);
        self.b.ins().brif(equal, same, &[], other, &[]);
        self.b.switch_to_block(same);
        // The new reference is one too many. The object is not freed by this: only constants appear twice at the same
        // place.
        if self.layout.immortal == Some(false) {
            let count = self.b.ins().load(I64, M, object, 0);
            let count = self.b.ins().iadd_imm_s(count, -1);
            self.b.ins().store(M, count, object, 0);
        }
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(other);
        self.b.ins().store(M, object, tuple, offset);
        self.call(ffi::Py_DecRef as *const () as usize, None, &[before]);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    /// A new reference, or null with an exception.
    pub fn box_value(&mut self, give: Boxing, value: Value) -> Value {
        match give {
            Boxing::Integer(scalar) => self.box_integer(scalar, value),
            Boxing::Bool => {
                let (yes, no) = (self.layout.types.true_, self.layout.types.false_);
                let (yes, no) = (self.constant(yes), self.constant(no));
                let object = self.b.ins().select(value, yes, no);
                self.count_constant(object);
                object
            }
            Boxing::Float(scalar) => {
                let value = match scalar {
                    Scalar::F32 => self.b.ins().fpromote(F64, value),
                    _ => value,
                };
                self.call_word(ffi::PyFloat_FromDouble as *const () as usize, &[value])
            }
            Boxing::Text => {
                let (done, none, retry) = (self.block(), self.cold(), self.cold());
                let object = self.b.append_block_param(done, I64);
                self.unless(value, none);
                let text =
                    self.call_word(ffi::PyUnicode_FromString as *const () as usize, &[value]);
                self.b.ins().brif(text, done, &arg(text), retry, &[]);
                self.b.switch_to_block(retry);
                let text = self.call_word(runtime::text as *const () as usize, &[value]);
                self.b.ins().jump(done, &arg(text));
                self.b.switch_to_block(none);
                let nothing = self.none();
                self.b.ins().jump(done, &arg(nothing));
                self.b.switch_to_block(done);
                object
            }
            // `Emit::results` calls Rust code for those.
            Boxing::Object | Boxing::Handle { .. } => value,
        }
    }

    /// Makes a handle, of a parameter or (-1) of the result. With `null`, a null pointer becomes `None`.
    pub fn box_handle(
        &mut self,
        which: i64,
        scalar: Scalar,
        owned: bool,
        null: bool,
        value: Value,
    ) -> Value {
        let done = self.block();
        let object = self.b.append_block_param(done, I64);
        let value = self.handle_value(scalar, value);
        if null && scalar == Scalar::Pointer {
            let (some, null) = (self.block(), self.cold());
            self.b.ins().brif(value, some, &[], null, &[]);
            self.b.switch_to_block(null);
            let made = self.box_registers(which, &[value]);
            self.b.ins().jump(done, &arg(made));
            self.b.switch_to_block(some);
        }
        let class = self.class_word(which);
        let make = match owned {
            true => runtime::owned_handle as *const (),
            false => runtime::handle as *const (),
        };
        let made = self.call_word(make as usize, &[class, value]);
        self.b.ins().jump(done, &arg(made));
        self.b.switch_to_block(done);
        object
    }

    /// Replaces a plain handle or `None` in a tuple by a handle: the same object, if the tuple has its only reference.
    /// Jumps to `drop` if no object can be made.
    pub fn replace_handle(
        &mut self,
        (tuple, offset): (Value, i32),
        which: i64,
        scalar: Scalar,
        value: Value,
        drop: Block,
    ) {
        let (next, other) = (self.block(), self.block());
        let value = self.handle_value(scalar, value);
        let class = self.class_word(which);
        let before = self.b.ins().load(I64, M, tuple, offset);
        let kind = self.b.ins().load(I64, M, before, TYPE);
        let python = std::mem::offset_of!(Class, python) as i32;
        let wanted = self.b.ins().load(I64, M, class, python);
        let same = self.b.ins().icmp(IntCC::Equal, kind, wanted);
        self.unless(same, other);
        let references = self.b.ins().load(I64, M, before, 0);
        let alone = self.b.ins().icmp_imm_s(IntCC::Equal, references, 1);
        self.unless(alone, other);
        // Python code may have closed it meanwhile, or made it keep an object.
        let keep = self.b.ins().load(I64, M, before, KEEP);
        let flags = self.b.ins().load(I64, M, before, FLAGS);
        let flags = self.b.ins().band_imm_s(flags, !CLOSED as i64);
        let more = self.b.ins().bor(keep, flags);
        let reuse = self.block();
        self.b.ins().brif(more, other, &[], reuse, &[]);
        self.b.switch_to_block(reuse);
        let none = self.constant(0);
        self.b.ins().store(M, value, before, VALUE);
        self.b.ins().store(M, none, before, FLAGS);
        self.b.ins().jump(next, &[]);

        self.b.switch_to_block(other);
        let make = runtime::handle as *const () as usize;
        let made = self.call_word(make, &[class, value]);
        self.unless(made, drop);
        self.b.ins().store(M, made, tuple, offset);
        self.call(ffi::Py_DecRef as *const () as usize, None, &[before]);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    /// A handle's value in 64 bits: C has written only the bytes of its type.
    fn handle_value(&mut self, scalar: Scalar, value: Value) -> Value {
        let low = match result_type(scalar) {
            I64 => return value,
            narrow => self.b.ins().ireduce(narrow, value),
        };
        self.extended(low, scalar)
    }

    /// The class of the handles that are stored for a parameter, or (-1) returned.
    fn class_word(&mut self, which: i64) -> Value {
        match usize::try_from(which) {
            Ok(parameter) => self.word(parameter),
            Err(_) => self.b.ins().load(I64, M, self.this, HANDLE_CLASS_OFFSET),
        }
    }

    fn box_integer(&mut self, scalar: Scalar, value: Value) -> Value {
        let value = self.extended(value, scalar);
        let signed = scalar.signed();
        let make = if signed {
            ffi::PyLong_FromLongLong as *const ()
        } else {
            ffi::PyLong_FromUnsignedLongLong as *const ()
        };
        let Some((first, stride)) = self.layout.small else {
            return self.call_word(make as usize, &[value]);
        };
        let (small, large, done) = (self.block(), self.block(), self.block());
        let object = self.b.append_block_param(done, I64);
        let index = self.b.ins().iadd_imm_s(value, 5);
        // The sum of 5 and a large unsigned number overflows to a small one, so the number itself is compared.
        let fits = match signed {
            true => self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, index, 261),
            false => self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, value, 256),
        };
        debug_assert!(self.b.func.dfg.value_type(fits) == I8);
        self.b.ins().brif(fits, small, &[], large, &[]);
        self.b.switch_to_block(small);
        let offset = match stride.is_power_of_two() {
            true => self
                .b
                .ins()
                .ishl_imm_u(index, i64::from(stride.trailing_zeros())),
            false => self.b.ins().imul_imm_u(index, stride as i64),
        };
        let first = self.constant(first);
        let found = self.b.ins().iadd(first, offset);
        self.count_constant(found);
        self.b.ins().jump(done, &arg(found));
        self.b.switch_to_block(large);
        let made = self.call_word(make as usize, &[value]);
        self.b.ins().jump(done, &arg(made));
        self.b.switch_to_block(done);
        object
    }
}
