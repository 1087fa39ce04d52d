//! Machine code that reads arguments.

use crate::interpreter::numpy::ndarray;
use std::sync::atomic::AtomicUsize;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I8, I8X16, I16, I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use crate::compile::builder::{Emit, M, Unboxed, arg};
use crate::compile::runtime;
use crate::compile::shape::{Pointee, Unbox};
use crate::convert::memory::MIN_ADDRESS;
use crate::interpreter::layout::{
    FLOAT, IntLayout, LENGTH, LONG_DIGITS, LONG_SIZE, LONG_SUBCLASS, TYPE, TYPE_FLAGS,
};
use crate::interpreter::numpy::{DTYPES, NDARRAY, dtype_index};
use crate::types::object::{CLOSED, CObject, EXTERNAL};
use crate::types::scalar::Scalar;

/// The question about the length of an argument's memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LengthWanted {
    /// The length is not wanted.
    No,
    /// Its exact length.
    Exact,
    /// An upper bound of it.
    UpperBound,
}

/// The offset of an object's value.
pub const VALUE: i32 = std::mem::offset_of!(CObject, value) as i32;

/// The offset of an object's flags.
pub const FLAGS: i32 = std::mem::offset_of!(CObject, flags) as i32;

const BYTES: i32 = std::mem::offset_of!(CObject, bytes) as i32;

impl Emit<'_, '_> {
    /// Reads an argument as the values that are passed.
    pub fn unbox(
        &mut self,
        parameter: usize,
        object: Value,
        take: &Unbox,
        measured: LengthWanted,
    ) -> Unboxed {
        let (values, length) = match take {
            // The caller keeps it alive.
            Unbox::Object => (vec![object], None),
            Unbox::Integer(scalar) => (vec![self.integer(object, *scalar)], None),
            Unbox::Float(scalar) => (vec![self.float(object, *scalar)], None),
            Unbox::Text { nullable } => {
                let (text, length) = self.text(object, *nullable);
                (vec![text], Some(length))
            }
            Unbox::Pointer {
                to,
                writable,
                nullable,
            } => {
                let (address, length) =
                    self.pointer(parameter, object, *to, *writable, *nullable, measured);
                (vec![address], length)
            }
            Unbox::Handle {
                integer,
                nullable,
                numbers,
                ..
            } => (
                vec![self.handle(parameter, object, *integer, *nullable, *numbers)],
                None,
            ),
            Unbox::Record {
                registers, size, ..
            } => (self.record(parameter, object, registers, *size), None),
        };
        Unboxed {
            object,
            values,
            length,
        }
    }

    fn type_of(&mut self, object: Value) -> Value {
        self.b.ins().load(I64, M, object, TYPE)
    }

    fn is(&mut self, value: Value, address: usize) -> Value {
        let address = self.constant(address);
        self.b.ins().icmp(IntCC::Equal, value, address)
    }

    /// An integer of at most 64 bits, extended to 64.
    fn integer(&mut self, object: Value, scalar: Scalar) -> Value {
        let types = &self.layout.types;
        let (long, bool_type, yes, no) = (types.long, types.bool, types.true_, types.false_);
        if scalar == Scalar::Bool {
            let yes = self.is(object, yes);
            let no = self.is(object, no);
            let either = self.b.ins().bor(yes, no);
            self.unless(either, self.generic);
            return self.b.ins().uextend(I64, yes);
        }
        let kind = self.type_of(object);
        let (read, other) = (self.block(), self.cold());
        let exact = self.is(kind, long);
        self.b.ins().brif(exact, read, &[], other, &[]);
        self.b.switch_to_block(other);
        // Objects of subclasses of int are laid out as ints: bools, and the members of enumerations.
        let fits = if self.layout.type_flags {
            let flags = self.b.ins().load(I64, M, kind, TYPE_FLAGS);
            let mask = self.constant(LONG_SUBCLASS);
            self.b.ins().band(flags, mask)
        } else {
            self.is(kind, bool_type)
        };
        self.b.ins().brif(fits, read, &[], self.generic, &[]);
        self.b.switch_to_block(read);
        let done = self.block();
        let value = self.b.append_block_param(done, I64);
        if scalar.signed() {
            self.signed_digits(object, scalar, done);
        } else {
            self.unsigned_digits(object, scalar, done);
        }
        self.b.switch_to_block(done);
        if scalar.size() < 4 {
            let narrow = if scalar.size() == 1 { I8 } else { I16 };
            let low = self.b.ins().ireduce(narrow, value);
            let back = match scalar.signed() {
                true => self.b.ins().sextend(I64, low),
                false => self.b.ins().uextend(I64, low),
            };
            let fits = self.b.ins().icmp(IntCC::Equal, back, value);
            self.unless(fits, self.generic);
        }
        value
    }

    fn long(&self) -> IntLayout {
        // `shape` admits integers only if this is known.
        self.layout.long.unwrap_or(IntLayout::Size)
    }

    fn size_word(&mut self, object: Value) -> Value {
        let word = self.b.ins().load(I64, M, object, LONG_SIZE);
        match self.long() {
            IntLayout::Size => word,
            IntLayout::Tag => self.b.ins().band_imm_s(word, !4),
        }
    }

    /// The size word of a positive int of so many digits.
    fn positive(&self, digits: i64) -> i64 {
        match self.long() {
            IntLayout::Size => digits,
            IntLayout::Tag => digits << 3,
        }
    }

    /// The size word of a negative int of so many digits.
    fn negative(&self, digits: i64) -> i64 {
        match self.long() {
            IntLayout::Size => -digits,
            IntLayout::Tag => digits << 3 | 2,
        }
    }

    /// The number that an int's lowest digits are.
    fn digits(&mut self, object: Value, count: i32) -> Value {
        let mut number = self.b.ins().uload32(M, object, LONG_DIGITS);
        for index in 1..count {
            let digit = self.b.ins().uload32(M, object, LONG_DIGITS + 4 * index);
            let digit = self.b.ins().ishl_imm_u(digit, 30 * i64::from(index));
            number = self.b.ins().bor(number, digit);
        }
        number
    }

    /// Jumps to `done` with an int of one digit; for others goes on at `larger`. Answers the size word.
    fn one_digit(&mut self, object: Value, done: Block, larger: Block) -> Value {
        let word = self.size_word(object);
        let compact = match self.long() {
            IntLayout::Size => {
                let shifted = self.b.ins().iadd_imm_s(word, 1);
                self.b
                    .ins()
                    .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, shifted, 2)
            }
            IntLayout::Tag => self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, word, 16),
        };
        self.unless(compact, larger);
        let digit = self.b.ins().uload32(M, object, LONG_DIGITS);
        let sign = match self.long() {
            IntLayout::Size => word,
            IntLayout::Tag => {
                let tag = self.b.ins().band_imm_u(word, 3);
                let one = self.constant(1);
                self.b.ins().isub(one, tag)
            }
        };
        let number = self.b.ins().imul(digit, sign);
        self.b.ins().jump(done, &arg(number));
        word
    }

    /// Jumps to `done` with an int of up to two digits, which fits 32 bits if that is all there is room for.
    fn signed_digits(&mut self, object: Value, scalar: Scalar, done: Block) {
        let two = self.block();
        let word = self.one_digit(object, done, two);
        self.b.switch_to_block(two);
        let minus = self.block();
        let size = self.positive(2);
        let positive = self.b.ins().icmp_imm_s(IntCC::Equal, word, size);
        self.unless(positive, minus);
        let number = self.digits(object, 2);
        if scalar.size() <= 4 {
            let fits = self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThan, number, 1 << 31);
            self.unless(fits, self.generic);
        }
        self.b.ins().jump(done, &arg(number));

        self.b.switch_to_block(minus);
        let size = self.negative(2);
        let negative = self.b.ins().icmp_imm_s(IntCC::Equal, word, size);
        self.unless(negative, self.generic);
        let number = self.digits(object, 2);
        if scalar.size() <= 4 {
            let fits = self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, number, 1 << 31);
            self.unless(fits, self.generic);
        }
        let number = self.b.ins().ineg(number);
        self.b.ins().jump(done, &arg(number));
    }

    /// Jumps to `done` with an int that is not negative.
    fn unsigned_digits(&mut self, object: Value, scalar: Scalar, done: Block) {
        let word = self.size_word(object);
        let one = self.positive(1);
        let two = self.block();
        let small = self
            .b
            .ins()
            .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, word, one);
        self.unless(small, two);
        let digit = self.b.ins().uload32(M, object, LONG_DIGITS);
        // Up to 3.11 zero has no digits, and the memory there may have any value.
        let number = match self.long() {
            IntLayout::Size => self.b.ins().imul(digit, word),
            IntLayout::Tag => digit,
        };
        self.b.ins().jump(done, &arg(number));
        self.b.switch_to_block(two);
        if scalar.size() <= 4 {
            let fits = self.b.ins().icmp_imm_u(IntCC::Equal, word, 2 * one);
            self.unless(fits, self.generic);
            let number = self.digits(object, 2);
            let fits = self
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThan, number, 1 << 32);
            self.unless(fits, self.generic);
            self.b.ins().jump(done, &arg(number));
            return;
        }
        let three = self.block();
        let fits = self.b.ins().icmp_imm_u(IntCC::Equal, word, 2 * one);
        self.unless(fits, three);
        let number = self.digits(object, 2);
        self.b.ins().jump(done, &arg(number));
        self.b.switch_to_block(three);
        let fits = self.b.ins().icmp_imm_u(IntCC::Equal, word, 3 * one);
        self.unless(fits, self.generic);
        let top = self.b.ins().uload32(M, object, LONG_DIGITS + 8);
        let fits = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, top, 16);
        self.unless(fits, self.generic);
        let number = self.digits(object, 2);
        let top = self.b.ins().ishl_imm_u(top, 60);
        let number = self.b.ins().bor(number, top);
        self.b.ins().jump(done, &arg(number));
    }

    fn float(&mut self, object: Value, scalar: Scalar) -> Value {
        let kind = self.type_of(object);
        let (done, other) = (self.block(), self.cold());
        let value = self.b.append_block_param(done, F64);
        let exact = self.is(kind, self.layout.types.float);
        self.unless(exact, other);
        let read = self.b.ins().load(F64, M, object, FLOAT);
        self.b.ins().jump(done, &arg(read));
        self.b.switch_to_block(other);
        if self.layout.long.is_some() {
            let exact = self.is(kind, self.layout.types.long);
            self.unless(exact, self.generic);
            let converted = self.block();
            let number = self.b.append_block_param(converted, I64);
            self.one_digit(object, converted, self.generic);
            self.b.switch_to_block(converted);
            let read = self.b.ins().fcvt_from_sint(F64, number);
            self.b.ins().jump(done, &arg(read));
        } else {
            self.b.ins().jump(self.generic, &[]);
        }
        self.b.switch_to_block(done);
        match scalar {
            Scalar::F32 => self.b.ins().fdemote(F32, value),
            _ => value,
        }
    }

    /// Text's address and length.
    fn text(&mut self, object: Value, nullable: bool) -> (Value, Value) {
        let Some((ascii, bytes)) = self.layout.ascii.zip(self.layout.bytes) else {
            self.b.ins().jump(self.generic, &[]);
            let unreachable = self.block();
            self.b.switch_to_block(unreachable);
            return (object, object);
        };
        let (done, other) = (self.block(), self.block());
        let address = self.b.append_block_param(done, I64);
        let length = self.b.append_block_param(done, I64);
        let kind = self.type_of(object);
        let exact = self.is(kind, self.layout.types.str);
        self.unless(exact, other);
        let flags = self.b.ins().load(I32, M, object, ascii.flags);
        let flags = self.b.ins().band_imm_u(flags, i64::from(ascii.mask));
        let ours = self
            .b
            .ins()
            .icmp_imm_u(IntCC::Equal, flags, i64::from(ascii.mask));
        self.unless(ours, self.generic);
        self.whole_text(object, ascii.data, done);

        self.b.switch_to_block(other);
        let none = self.cold();
        let exact = self.is(kind, self.layout.types.bytes);
        self.unless(exact, none);
        self.whole_text(object, bytes, done);

        self.b.switch_to_block(none);
        self.or_null(object, nullable, done, 2);
        self.b.switch_to_block(done);
        (address, length)
    }

    /// Jumps to `done` with zeros if the object is `None` and that is taken.
    fn or_null(&mut self, object: Value, nullable: bool, done: Block, zeros: usize) {
        if !nullable {
            self.b.ins().jump(self.generic, &[]);
            return;
        }
        let none = self.is(object, self.layout.types.none);
        self.unless(none, self.generic);
        let zero = self.constant(0);
        let zeros: Vec<_> = std::iter::repeat_n(zero, zeros).flat_map(arg).collect();
        self.b.ins().jump(done, &zeros);
    }

    /// Jumps to `done` with the text at this offset unless it has a NUL before its end.
    fn whole_text(&mut self, object: Value, data: i32, done: Block) {
        let address = self.b.ins().iadd_imm_s(object, i64::from(data));
        let length = self.b.ins().load(I64, M, object, LENGTH);
        let result = [arg(address), arg(length)].concat();
        // Short text lies within sixteen bytes that are aligned as the object is: to 16, if it was allocated, so that
        // they are all there. Objects that are part of the interpreter may be aligned to 8, and there is more of its
        // data behind them.
        let start = data & !15;
        let skipped = data - start;
        let long = self.block();
        let short =
            self.b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThan, length, i64::from(16 - skipped));
        self.unless(short, long);
        let chunk = self.b.ins().load(I8X16, M, object, start);
        let zero = self.b.ins().iconst(I8, 0);
        let zeros = self.b.ins().splat(I8X16, zero);
        let found = self.b.ins().icmp(IntCC::Equal, chunk, zeros);
        let found = self.b.ins().vhigh_bits(I32, found);
        let found = match skipped {
            0 => found,
            skipped => self.b.ins().ushr_imm_u(found, i64::from(skipped)),
        };
        let first = self.b.ins().ctz(found);
        let first = self.b.ins().uextend(I64, first);
        let whole = self.b.ins().icmp(IntCC::Equal, first, length);
        self.b.ins().brif(whole, done, &result, self.generic, &[]);
        self.b.switch_to_block(long);
        let first = self.call_word(runtime::first_nul as *const () as usize, &[address]);
        let whole = self.b.ins().icmp(IntCC::Equal, first, length);
        self.b.ins().brif(whole, done, &result, self.generic, &[]);
    }

    /// A handle: an object of the class that was accepted last, an int where `numbers` are taken, or `None`.
    fn handle(
        &mut self,
        parameter: usize,
        object: Value,
        integer: Option<Scalar>,
        nullable: bool,
        numbers: bool,
    ) -> Value {
        let (done, other) = (self.block(), self.cold());
        let value = self.b.append_block_param(done, I64);
        let kind = self.type_of(object);
        let wanted = self.word(parameter);
        let exact = self.b.ins().icmp(IntCC::Equal, kind, wanted);
        self.unless(exact, other);
        let read = self.b.ins().load(I64, M, object, VALUE);
        // An integer handle, and a nullable one, may be 0 without being closed or external: the flags tell.
        if integer.is_none() {
            let null = if nullable { self.cold() } else { self.generic };
            self.b.ins().brif(read, done, &arg(read), null, &[]);
            if nullable {
                self.b.switch_to_block(null);
            }
        }
        if integer.is_some() || nullable {
            let flags = self.b.ins().load(I64, M, object, FLAGS);
            let careful = self.b.ins().band_imm_u(flags, (CLOSED | EXTERNAL) as i64);
            self.b
                .ins()
                .brif(careful, self.generic, &[], done, &arg(read));
        }

        self.b.switch_to_block(other);
        if numbers {
            let none = self.cold();
            let exact = self.is(kind, self.layout.types.long);
            self.unless(exact, none);
            match integer {
                Some(scalar) => {
                    let number = self.integer(object, scalar);
                    self.b.ins().jump(done, &arg(number));
                }
                None if nullable => self.unsigned_digits(object, Scalar::U64, done),
                None => {
                    let some = self.block();
                    let number = self.b.append_block_param(some, I64);
                    self.unsigned_digits(object, Scalar::U64, some);
                    self.b.switch_to_block(some);
                    self.b
                        .ins()
                        .brif(number, done, &arg(number), self.generic, &[]);
                }
            }
            self.b.switch_to_block(none);
        }
        self.or_null(object, nullable, done, 1);
        self.b.switch_to_block(done);
        value
    }

    /// A record's eightbytes.
    fn record(
        &mut self,
        parameter: usize,
        object: Value,
        registers: &[bool],
        size: usize,
    ) -> Vec<Value> {
        let kind = self.type_of(object);
        let wanted = self.word(parameter);
        let exact = self.b.ins().icmp(IntCC::Equal, kind, wanted);
        self.unless(exact, self.generic);
        let at = self.b.ins().load(I64, M, object, VALUE);
        self.unless(at, self.generic);
        let mut values = Vec::new();
        for index in 0..size.div_ceil(8) {
            let vector = registers.get(index).is_some_and(|vector| *vector);
            let start = 8 * index;
            let bytes = size.saturating_sub(start).min(8);
            values.push(match (vector, bytes) {
                (true, 8) => self.b.ins().load(F64, M, at, start as i32),
                (true, _) => {
                    let low = self.b.ins().uload32(M, at, start as i32);
                    let flags = cranelift_codegen::ir::MemFlagsData::new();
                    self.b.ins().bitcast(F64, flags, low)
                }
                (false, bytes) => self.low_bytes(at, start as i32, bytes),
            });
        }
        values
    }

    /// So many bytes, and none behind them, as a word.
    fn low_bytes(&mut self, at: Value, start: i32, bytes: usize) -> Value {
        if bytes == 8 {
            return self.b.ins().load(I64, M, at, start);
        }
        let mut word = self.constant(0);
        let mut done = 0;
        for size in [4usize, 2, 1] {
            if bytes - done >= size {
                let offset = start + done as i32;
                let part = match size {
                    4 => self.b.ins().uload32(M, at, offset),
                    2 => self.b.ins().uload16(I64, M, at, offset),
                    _ => self.b.ins().uload8(I64, M, at, offset),
                };
                let part = self.b.ins().ishl_imm_u(part, 8 * done as i64);
                word = self.b.ins().bor(word, part);
                done += size;
            }
        }
        word
    }

    fn cell(&mut self, cell: &'static AtomicUsize) -> Value {
        let at = self.constant(std::ptr::from_ref(cell) as usize);
        self.b.ins().load(I64, M, at, 0)
    }

    /// An address, and the number of bytes there if that is wanted: `i64::MAX` if it is not known and an upper bound is
    /// enough.
    fn pointer(
        &mut self,
        parameter: usize,
        object: Value,
        to: Pointee,
        writable: bool,
        nullable: bool,
        measured: LengthWanted,
    ) -> (Value, Option<Value>) {
        let done = self.block();
        let address = self.b.append_block_param(done, I64);
        let length = (measured != LengthWanted::No).then(|| self.b.append_block_param(done, I64));
        let results = |value: Value, length: Option<Value>| {
            [Some(value), length]
                .into_iter()
                .flatten()
                .flat_map(arg)
                .collect::<Vec<_>>()
        };
        let kind = self.type_of(object);

        // The type that was accepted last.
        let other = self.block();
        let wanted = self.word(parameter);
        let exact = self.b.ins().icmp(IntCC::Equal, kind, wanted);
        self.unless(exact, other);
        let value = self.b.ins().load(I64, M, object, VALUE);
        self.unless(value, self.generic);
        let bytes = match measured {
            LengthWanted::No => None,
            LengthWanted::Exact => {
                let bytes = self.b.ins().load(I64, M, object, BYTES);
                self.unless(bytes, self.generic);
                Some(bytes)
            }
            LengthWanted::UpperBound => {
                let bytes = self.b.ins().load(I64, M, object, BYTES);
                let most = self.constant(i64::MAX as usize);
                Some(self.b.ins().select(bytes, bytes, most))
            }
        };
        self.b.ins().jump(done, &results(value, bytes));
        self.b.switch_to_block(other);

        if measured != LengthWanted::Exact {
            let other = self.block();
            let exact = self.is(kind, self.layout.types.long);
            self.unless(exact, other);
            match (measured, to) {
                (LengthWanted::UpperBound, _) | (_, Pointee::Record | Pointee::Scalar(_)) => {
                    let read = self.block();
                    let value = self.b.append_block_param(read, I64);
                    self.unsigned_digits(object, Scalar::U64, read);
                    self.b.switch_to_block(read);
                    let least = MIN_ADDRESS as i64;
                    let address =
                        self.b
                            .ins()
                            .icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, value, least);
                    self.unless(address, self.generic);
                    let most = (measured == LengthWanted::UpperBound)
                        .then(|| self.constant(i64::MAX as usize));
                    self.b.ins().jump(done, &results(value, most));
                }
                _ => self.unsigned_digits(object, Scalar::U64, done),
            }
            self.b.switch_to_block(other);
        }

        let elements = match to {
            Pointee::Untyped if measured != LengthWanted::Exact => Some(None),
            Pointee::Scalar(scalar)
                if !matches!(scalar, Scalar::I128 | Scalar::U128 | Scalar::Long) =>
            {
                Some(Some(scalar))
            }
            _ => None,
        };
        if let Some(elements) = elements {
            let other = self.block();
            let array = self.cell(&NDARRAY);
            let exact = self.b.ins().icmp(IntCC::Equal, kind, array);
            self.unless(exact, other);
            if let Some(scalar) = elements {
                let dtype = self.b.ins().load(I64, M, object, ndarray::DTYPE);
                let wanted = self.cell(&DTYPES[dtype_index(scalar)]);
                let exact = self.b.ins().icmp(IntCC::Equal, dtype, wanted);
                self.unless(exact, self.generic);
            }
            let all = ndarray::CONTIGUOUS
                | ndarray::ALIGNED
                | if writable { ndarray::WRITABLE } else { 0 };
            let flags = self.b.ins().load(I32, M, object, ndarray::FLAGS);
            let flags = self.b.ins().band_imm_u(flags, i64::from(all));
            let fits = self.b.ins().icmp_imm_u(IntCC::Equal, flags, i64::from(all));
            self.unless(fits, self.generic);
            let value = self.b.ins().load(I64, M, object, ndarray::DATA);
            let bytes = match (measured, elements) {
                (LengthWanted::No, _) => None,
                (_, Some(scalar)) => {
                    let count =
                        self.call_word(runtime::array_count as *const () as usize, &[object]);
                    Some(self.b.ins().imul_imm_u(count, scalar.size() as i64))
                }
                (_, None) => {
                    Some(self.call_word(runtime::array_bytes as *const () as usize, &[object]))
                }
            };
            self.b.ins().jump(done, &results(value, bytes));
            self.b.switch_to_block(other);
        }

        let raw = matches!(
            to,
            Pointee::Untyped | Pointee::Scalar(Scalar::I8 | Scalar::U8)
        );
        if let (true, false, Some(data)) = (raw, writable, self.layout.bytes) {
            let other = self.block();
            let exact = self.is(kind, self.layout.types.bytes);
            self.unless(exact, other);
            let value = self.b.ins().iadd_imm_s(object, i64::from(data));
            let bytes =
                (measured != LengthWanted::No).then(|| self.b.ins().load(I64, M, object, LENGTH));
            self.b.ins().jump(done, &results(value, bytes));
            self.b.switch_to_block(other);
        }
        if measured == LengthWanted::UpperBound && nullable {
            // A null pointer has any extent: C knows what it means.
            let some = self.block();
            let zero = self.b.append_block_param(some, I64);
            self.or_null(object, nullable, some, 1);
            self.b.switch_to_block(some);
            let most = self.constant(i64::MAX as usize);
            self.b.ins().jump(done, &results(zero, Some(most)));
        } else {
            self.or_null(object, nullable, done, results(kind, length).len());
        }
        self.b.switch_to_block(done);
        (address, length)
    }
}
