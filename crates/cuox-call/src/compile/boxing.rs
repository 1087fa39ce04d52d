//! How generated code makes objects.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use pyo3::ffi;

use super::emit::{Emit, M, arg};
use super::help;
use super::shape::Give;
use crate::signature::Scalar;

impl Emit<'_, '_> {
    /// `None`, with a reference of its own.
    pub fn none(&mut self) -> Value {
        let none = self.constant(self.layout.types.none);
        self.count(none);
        none
    }

    /// Counts a reference to an object that may be immortal.
    fn count(&mut self, object: Value) {
        if self.layout.immortal == Some(false) {
            let count = self.b.ins().load(I64, M, object, 0);
            let count = self.b.ins().iadd_imm_s(count, 1);
            self.b.ins().store(M, count, object, 0);
        }
    }

    /// A new reference, or null with an exception.
    pub fn give(&mut self, give: Give, value: Value) -> Value {
        match give {
            Give::Integer(scalar) => self.give_integer(scalar, value),
            Give::Bool => {
                let (yes, no) = (self.layout.types.true_, self.layout.types.false_);
                let (yes, no) = (self.constant(yes), self.constant(no));
                let object = self.b.ins().select(value, yes, no);
                self.count(object);
                object
            }
            Give::Float(scalar) => {
                let value = match scalar {
                    Scalar::F32 => self.b.ins().fpromote(F64, value),
                    _ => value,
                };
                self.call_word(ffi::PyFloat_FromDouble as *const () as usize, &[value])
            }
            Give::Text => {
                let (done, none, retry) = (self.block(), self.cold(), self.cold());
                let object = self.b.append_block_param(done, I64);
                self.unless(value, none);
                let text =
                    self.call_word(ffi::PyUnicode_FromString as *const () as usize, &[value]);
                self.b.ins().brif(text, done, &arg(text), retry, &[]);
                self.b.switch_to_block(retry);
                let text = self.call_word(help::text as *const () as usize, &[value]);
                self.b.ins().jump(done, &arg(text));
                self.b.switch_to_block(none);
                let nothing = self.none();
                self.b.ins().jump(done, &arg(nothing));
                self.b.switch_to_block(done);
                object
            }
            // `Emit::results` has Rust make those.
            Give::Object | Give::Handle => value,
        }
    }

    /// A handle: of a parameter, or, for -1, of the result.
    pub fn give_handle(&mut self, which: i64, value: Value) -> Value {
        let (done, some, null) = (self.block(), self.block(), self.cold());
        let object = self.b.append_block_param(done, I64);
        self.b.ins().brif(value, some, &[], null, &[]);
        self.b.switch_to_block(some);
        let parameter = self.b.ins().iconst(I64, which);
        let made = self.call_word(
            help::handle as *const () as usize,
            &[self.this, parameter, value],
        );
        self.b.ins().jump(done, &arg(made));
        self.b.switch_to_block(null);
        let made = self.give_stored(which, &[value]);
        self.b.ins().jump(done, &arg(made));
        self.b.switch_to_block(done);
        object
    }

    fn give_integer(&mut self, scalar: Scalar, value: Value) -> Value {
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
        // A large unsigned number would come round to the small ones: it is compared as it is.
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
        self.count(found);
        self.b.ins().jump(done, &arg(found));
        self.b.switch_to_block(large);
        let made = self.call_word(make as usize, &[value]);
        self.b.ins().jump(done, &arg(made));
        self.b.switch_to_block(done);
        object
    }
}
