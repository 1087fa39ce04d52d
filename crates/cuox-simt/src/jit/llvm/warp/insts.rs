//! Instructions of Cranelift's IR as LLVM's.

use crate::jit::llvm::text::list;
use crate::jit::llvm::warp::function::{Translator, Val, type_name};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{AtomicRmwOp, Inst, InstructionData, Opcode, Type, Value, types};

/// A type of as many lanes, of `bits` bits each.
fn of_bits(ty: Type, bits: u32) -> String {
    match ty.lane_count() {
        1 => format!("i{bits}"),
        count => format!("<{count} x i{bits}>"),
    }
}

/// The integer type of the same size in each lane.
fn bits_of(ty: Type) -> String {
    of_bits(ty, ty.lane_bits())
}

/// The suffix of an intrinsic for a type.
fn suffix(ty: Type) -> String {
    let letter = if ty.lane_type().is_float() { 'f' } else { 'i' };
    match ty.lane_count() {
        1 => format!("{letter}{}", ty.bits()),
        count => format!("v{count}{letter}{}", ty.lane_bits()),
    }
}

fn float_name(code: FloatCC) -> &'static str {
    match code {
        FloatCC::Ordered => "ord",
        FloatCC::Unordered => "uno",
        FloatCC::Equal => "oeq",
        FloatCC::NotEqual => "une",
        FloatCC::OrderedNotEqual => "one",
        FloatCC::UnorderedOrEqual => "ueq",
        FloatCC::LessThan => "olt",
        FloatCC::LessThanOrEqual => "ole",
        FloatCC::GreaterThan => "ogt",
        FloatCC::GreaterThanOrEqual => "oge",
        FloatCC::UnorderedOrLessThan => "ult",
        FloatCC::UnorderedOrLessThanOrEqual => "ule",
        FloatCC::UnorderedOrGreaterThan => "ugt",
        FloatCC::UnorderedOrGreaterThanOrEqual => "uge",
    }
}

fn int_name(code: IntCC) -> &'static str {
    match code {
        IntCC::Equal => "eq",
        IntCC::NotEqual => "ne",
        IntCC::SignedLessThan => "slt",
        IntCC::SignedGreaterThanOrEqual => "sge",
        IntCC::SignedGreaterThan => "sgt",
        IntCC::SignedLessThanOrEqual => "sle",
        IntCC::UnsignedLessThan => "ult",
        IntCC::UnsignedGreaterThanOrEqual => "uge",
        IntCC::UnsignedGreaterThan => "ugt",
        IntCC::UnsignedLessThanOrEqual => "ule",
    }
}

/// The lanes of a constant.
fn constant(ty: Type, bytes: &[u8]) -> String {
    let size = (ty.lane_bits() / 8) as usize;
    let element = format!("i{}", ty.lane_bits());
    let lanes = bytes.chunks_exact(size).map(|lane| {
        lane.iter()
            .rev()
            .fold(0u64, |all, &byte| all << 8 | u64::from(byte))
    });
    list(&element, lanes)
}

impl Translator<'_> {
    /// Translates an instruction that neither branches nor calls.
    pub(super) fn plain(&mut self, inst: Inst) -> Option<()> {
        let func = self.func;
        let results = func.dfg.inst_results(inst);
        match func.dfg.insts[inst] {
            InstructionData::UnaryImm { imm, .. } => {
                self.set(results[0], Val::Plain(imm.bits().to_string()));
            }
            InstructionData::UnaryIeee32 { imm, .. } => {
                let text = format!("bitcast (i32 {} to float)", imm.bits() as i32);
                self.set(results[0], Val::Plain(text));
            }
            InstructionData::UnaryIeee64 { imm, .. } => {
                let text = format!("bitcast (i64 {} to double)", imm.bits() as i64);
                self.set(results[0], Val::Plain(text));
            }
            InstructionData::UnaryConst {
                opcode: Opcode::Vconst,
                constant_handle,
            } => {
                let bytes = func.dfg.constants.get(constant_handle);
                let ty = self.ty(results[0]);
                if !ty.lane_type().is_int() {
                    return None;
                }
                let text = constant(ty, bytes.as_slice());
                self.set(results[0], Val::Plain(text));
            }
            InstructionData::Unary { opcode, arg } => self.unary(opcode, arg, results[0])?,
            InstructionData::Binary { opcode, args } => self.binary(opcode, args, results[0])?,
            InstructionData::IntCompare { args, cond, .. } => {
                self.compared("icmp", int_name(cond), args, results[0])?;
            }
            InstructionData::FloatCompare { args, cond, .. } => {
                self.compared("fcmp", float_name(cond), args, results[0])?;
            }
            InstructionData::Ternary { opcode, args } => self.ternary(opcode, args, results[0])?,
            InstructionData::BinaryImm8 {
                opcode: Opcode::Extractlane,
                arg,
                imm,
            } => {
                let ty = self.name(arg)?;
                let v = self.operand(arg)?;
                self.define(results[0], &format!("extractelement {ty} {v}, i64 {}", imm));
            }
            InstructionData::TernaryImm8 {
                opcode: Opcode::Insertlane,
                args: [into, one],
                imm,
            } => {
                let (ty, element) = (self.name(into)?, self.name(one)?);
                let (into, one) = (self.operand(into)?, self.operand(one)?);
                self.define(
                    results[0],
                    &format!("insertelement {ty} {into}, {element} {one}, i64 {}", imm),
                );
            }
            InstructionData::Shuffle {
                args: [a, b], imm, ..
            } => {
                let ty = self.name(a)?;
                let (x, y) = (self.operand(a)?, self.operand(b)?);
                let order = func.dfg.immediates.get(imm)?;
                let order = list("i32", order.as_slice().iter().map(|&n| u64::from(n)));
                self.define(
                    results[0],
                    &format!("shufflevector {ty} {x}, {ty} {y}, <16 x i32> {order}"),
                );
            }
            InstructionData::Load {
                opcode,
                arg,
                offset,
                ..
            } => self.load(opcode, arg, i32::from(offset).into(), results[0])?,
            InstructionData::Store {
                opcode,
                args: [value, to],
                offset,
                ..
            } => {
                if let Some(at) = self.mask_of(to, i32::from(offset).into())? {
                    return self.set_mask_word(at, value);
                }
                let at = self.pointer(to, i32::from(offset).into())?;
                let (ty, mut text) = (self.ty(value), self.operand(value)?);
                let mut name = type_name(ty)?;
                let bits = match opcode {
                    Opcode::Store => ty.bits(),
                    Opcode::Istore8 => 8,
                    Opcode::Istore16 => 16,
                    Opcode::Istore32 => 32,
                    _ => return None,
                };
                if bits != ty.bits() {
                    text = self.text.value(&format!("trunc {name} {text} to i{bits}"));
                    name = format!("i{bits}");
                }
                self.text
                    .line(&format!("store {name} {text}, ptr {at}, align 1"));
            }
            InstructionData::LoadNoOffset {
                opcode: Opcode::AtomicLoad,
                arg,
                ..
            } => {
                let (ty, name) = (self.ty(results[0]), self.name(results[0])?);
                let at = self.pointer(arg, 0)?;
                self.define(
                    results[0],
                    &format!("load atomic {name}, ptr {at} seq_cst, align {}", ty.bytes()),
                );
            }
            InstructionData::LoadNoOffset {
                opcode: Opcode::Bitcast,
                arg,
                ..
            } => {
                let (from, to) = (self.name(arg)?, self.name(results[0])?);
                let value = self.operand(arg)?;
                self.define(results[0], &format!("bitcast {from} {value} to {to}"));
            }
            InstructionData::StoreNoOffset {
                opcode: Opcode::AtomicStore,
                args: [value, to],
                ..
            } => {
                let (ty, name, text) = (self.ty(value), self.name(value)?, self.operand(value)?);
                let at = self.pointer(to, 0)?;
                self.text.line(&format!(
                    "store atomic {name} {text}, ptr {at} seq_cst, align {}",
                    ty.bytes()
                ));
            }
            InstructionData::AtomicRmw {
                args: [at, value],
                op,
                ..
            } => {
                let (name, text) = (self.name(value)?, self.operand(value)?);
                let at = self.pointer(at, 0)?;
                let op = match op {
                    AtomicRmwOp::Add => "add",
                    AtomicRmwOp::Sub => "sub",
                    AtomicRmwOp::And => "and",
                    AtomicRmwOp::Nand => "nand",
                    AtomicRmwOp::Or => "or",
                    AtomicRmwOp::Xor => "xor",
                    AtomicRmwOp::Xchg => "xchg",
                    AtomicRmwOp::Umin => "umin",
                    AtomicRmwOp::Umax => "umax",
                    AtomicRmwOp::Smin => "min",
                    AtomicRmwOp::Smax => "max",
                };
                self.define(
                    results[0],
                    &format!("atomicrmw {op} ptr {at}, {name} {text} seq_cst"),
                );
            }
            InstructionData::AtomicCas {
                args: [at, old, new],
                ..
            } => {
                let name = self.name(old)?;
                let (old, new) = (self.operand(old)?, self.operand(new)?);
                let at = self.pointer(at, 0)?;
                let both = self.text.value(&format!(
                    "cmpxchg ptr {at}, {name} {old}, {name} {new} seq_cst seq_cst"
                ));
                self.define(
                    results[0],
                    &format!("extractvalue {{ {name}, i1 }} {both}, 0"),
                );
            }
            InstructionData::NullAry {
                opcode: Opcode::Fence,
            } => self.text.line("fence seq_cst"),
            _ => return None,
        }
        Some(())
    }

    /// Defines the result of a comparison: 0 or 1, or all ones in lanes where it holds.
    fn compared(&mut self, op: &str, code: &str, [a, b]: [Value; 2], result: Value) -> Option<()> {
        let operands = self.name(a)?;
        let (x, y) = (self.operand(a)?, self.operand(b)?);
        let holds = self.text.value(&format!("{op} {code} {operands} {x}, {y}"));
        let (ty, name) = (self.ty(result), self.name(result)?);
        let text = match ty.lane_count() {
            1 => format!("zext i1 {holds} to {name}"),
            count => format!("sext <{count} x i1> {holds} to {name}"),
        };
        self.define(result, &text);
        Some(())
    }

    /// Defines the result of an intrinsic.
    fn intrinsic(&mut self, name: &str, ty: Type, args: &[String], result: Value) -> Option<()> {
        let to = type_name(ty)?;
        let value = self.text.call(&to, &format!("{name}.{}", suffix(ty)), args);
        self.set(result, Val::Plain(value));
        Some(())
    }

    fn load(&mut self, opcode: Opcode, from: Value, offset: i64, result: Value) -> Option<()> {
        if let Some(at) = self.mask_of(from, offset)? {
            let fits = opcode == Opcode::Load && self.ty(result) == types::I32;
            return fits.then(|| self.mask_word(at, result));
        }
        let at = self.pointer(from, offset)?;
        let (ty, name) = (self.ty(result), self.name(result)?);
        let (bits, extend) = match opcode {
            Opcode::Load => (ty.lane_bits(), ""),
            Opcode::Uload8 | Opcode::Uload8x8 => (8, "zext"),
            Opcode::Sload8 | Opcode::Sload8x8 => (8, "sext"),
            Opcode::Uload16 | Opcode::Uload16x4 => (16, "zext"),
            Opcode::Sload16 | Opcode::Sload16x4 => (16, "sext"),
            Opcode::Uload32 | Opcode::Uload32x2 => (32, "zext"),
            Opcode::Sload32 | Opcode::Sload32x2 => (32, "sext"),
            _ => return None,
        };
        if extend.is_empty() {
            let fixed = if self.is_fixed(from, offset) {
                ", !invariant.load !3"
            } else {
                ""
            };
            self.define(result, &format!("load {name}, ptr {at}, align 1{fixed}"));
            return Some(());
        }
        let narrow = of_bits(ty, bits);
        let value = self
            .text
            .value(&format!("load {narrow}, ptr {at}, align 1"));
        self.define(result, &format!("{extend} {narrow} {value} to {name}"));
        Some(())
    }

    /// Defines the bits of a predicate in all lanes.
    fn mask_word(&mut self, at: i64, result: Value) {
        let [low, high] = [0, 1].map(|group| {
            let mask = self.text.mask_in(at, group);
            let bits = self.text.value(&format!("bitcast <16 x i1> {mask} to i16"));
            self.text.value(&format!("zext i16 {bits} to i32"))
        });
        let high = self.text.value(&format!("shl i32 {high}, 16"));
        self.define(result, &format!("or i32 {high}, {low}"));
    }

    fn set_mask_word(&mut self, at: i64, value: Value) -> Option<()> {
        if self.ty(value) != types::I32 {
            return None;
        }
        let word = self.operand(value)?;
        for group in 0..2 {
            let bits = match group {
                0 => word.clone(),
                _ => self.text.value(&format!("lshr i32 {word}, 16")),
            };
            let bits = self.text.value(&format!("trunc i32 {bits} to i16"));
            let mask = self.text.value(&format!("bitcast i16 {bits} to <16 x i1>"));
            self.text.set_mask_in(at, group, &mask);
        }
        Some(())
    }

    fn unary(&mut self, opcode: Opcode, arg: Value, result: Value) -> Option<()> {
        let (from, to) = (self.ty(arg), self.ty(result));
        let (ty, name) = (type_name(from)?, type_name(to)?);
        let x = self.operand(arg)?;
        let count = from.lane_count();
        let half = |high: bool| {
            let first = if high { u64::from(count / 2) } else { 0 };
            list("i32", first..first + u64::from(count / 2))
        };
        let text = match opcode {
            Opcode::Ireduce => format!("trunc {ty} {x} to {name}"),
            Opcode::Uextend => format!("zext {ty} {x} to {name}"),
            Opcode::Sextend => format!("sext {ty} {x} to {name}"),
            Opcode::Ineg => format!("sub {ty} {}, {x}", zero(from)),
            Opcode::Bnot => format!("xor {ty} {x}, {}", ones(from)),
            Opcode::Clz | Opcode::Ctz => {
                let which = if opcode == Opcode::Clz {
                    "ctlz"
                } else {
                    "cttz"
                };
                let args = [format!("{ty} {x}"), "i1 false".to_owned()];
                return self.intrinsic(which, to, &args, result);
            }
            Opcode::Popcnt => return self.intrinsic("ctpop", to, &[format!("{ty} {x}")], result),
            Opcode::Bitrev => {
                return self.intrinsic("bitreverse", to, &[format!("{ty} {x}")], result);
            }
            Opcode::Bswap => return self.intrinsic("bswap", to, &[format!("{ty} {x}")], result),
            Opcode::Iabs => {
                let args = [format!("{ty} {x}"), "i1 false".to_owned()];
                return self.intrinsic("abs", to, &args, result);
            }
            Opcode::Splat => {
                let count = to.lane_count();
                let one = self
                    .text
                    .value(&format!("insertelement {name} poison, {ty} {x}, i64 0"));
                format!(
                    "shufflevector {name} {one}, {name} poison, <{count} x i32> zeroinitializer"
                )
            }
            Opcode::ScalarToVector => {
                format!("insertelement {name} zeroinitializer, {ty} {x}, i64 0")
            }
            Opcode::SwidenLow | Opcode::SwidenHigh | Opcode::UwidenLow | Opcode::UwidenHigh => {
                let high = matches!(opcode, Opcode::SwidenHigh | Opcode::UwidenHigh);
                let signed = matches!(opcode, Opcode::SwidenLow | Opcode::SwidenHigh);
                let extend = if signed { "sext" } else { "zext" };
                let few = count / 2;
                let part = self.text.value(&format!(
                    "shufflevector {ty} {x}, {ty} poison, <{few} x i32> {}",
                    half(high)
                ));
                let narrow = format!("<{few} x i{}>", from.lane_bits());
                format!("{extend} {narrow} {part} to {name}")
            }
            Opcode::VhighBits => {
                let bits = self
                    .text
                    .value(&format!("icmp slt {ty} {x}, zeroinitializer"));
                let bits = self
                    .text
                    .value(&format!("bitcast <{count} x i1> {bits} to i{count}"));
                match to.bits().cmp(&count) {
                    std::cmp::Ordering::Greater => format!("zext i{count} {bits} to {name}"),
                    std::cmp::Ordering::Less => format!("trunc i{count} {bits} to {name}"),
                    std::cmp::Ordering::Equal => format!("or {name} {bits}, 0"),
                }
            }
            Opcode::VanyTrue | Opcode::VallTrue => {
                let (code, than) = match opcode {
                    Opcode::VanyTrue => ("ne", "0"),
                    _ => ("eq", "-1"),
                };
                let bits = self
                    .text
                    .value(&format!("icmp ne {ty} {x}, zeroinitializer"));
                let bits = self
                    .text
                    .value(&format!("bitcast <{count} x i1> {bits} to i{count}"));
                let holds = self
                    .text
                    .value(&format!("icmp {code} i{count} {bits}, {than}"));
                format!("zext i1 {holds} to {name}")
            }
            Opcode::Fneg => format!("fneg {ty} {x}"),
            Opcode::Fabs => return self.intrinsic("fabs", to, &[format!("{ty} {x}")], result),
            Opcode::Sqrt => {
                self.intrinsic("sqrt", to, &[format!("{ty} {x}")], result)?;
                return self.nan_of_operands(to, &[x], result);
            }
            Opcode::Ceil | Opcode::Floor | Opcode::Trunc | Opcode::Nearest => {
                let name = match opcode {
                    Opcode::Ceil => "ceil",
                    Opcode::Floor => "floor",
                    Opcode::Trunc => "trunc",
                    _ => "roundeven",
                };
                return self.intrinsic(name, to, &[format!("{ty} {x}")], result);
            }
            Opcode::Fpromote => format!("fpext {ty} {x} to {name}"),
            Opcode::Fdemote => format!("fptrunc {ty} {x} to {name}"),
            Opcode::FvpromoteLow => {
                let low = self.text.value(&format!(
                    "shufflevector {ty} {x}, {ty} poison, <2 x i32> <i32 0, i32 1>"
                ));
                format!("fpext <2 x float> {low} to {name}")
            }
            Opcode::Fvdemote => {
                let low = self.text.value(&format!("fptrunc {ty} {x} to <2 x float>"));
                format!(
                    "shufflevector <2 x float> {low}, <2 x float> zeroinitializer, \
                     <4 x i32> <i32 0, i32 1, i32 2, i32 3>"
                )
            }
            Opcode::FcvtFromSint => format!("sitofp {ty} {x} to {name}"),
            Opcode::FcvtFromUint => format!("uitofp {ty} {x} to {name}"),
            Opcode::FcvtToSintSat | Opcode::FcvtToUintSat => {
                let which = match opcode {
                    Opcode::FcvtToSintSat => "fptosi.sat",
                    _ => "fptoui.sat",
                };
                let which = format!("{which}.{}.{}", suffix(to), suffix(from));
                let value = self.text.call(&name, &which, &[format!("{ty} {x}")]);
                self.set(result, Val::Plain(value));
                return Some(());
            }
            _ => return None,
        };
        self.define(result, &text);
        Some(())
    }

    fn binary(&mut self, opcode: Opcode, [a, b]: [Value; 2], result: Value) -> Option<()> {
        if opcode == Opcode::Iadd
            && let Some(moved) = self.moved(a, b)
        {
            self.set(result, moved);
            return Some(());
        }
        let (from, to) = (self.ty(a), self.ty(result));
        let ty = type_name(from)?;
        let (x, y) = (self.operand(a)?, self.operand(b)?);
        if let (types::I64, Ok(x), Ok(y)) = (from, x.parse::<i64>(), y.parse::<i64>())
            && let Some(value) = folded(opcode, x, y)
        {
            self.set(result, Val::Plain(value.to_string()));
            return Some(());
        }
        let text = match opcode {
            Opcode::Iadd => format!("add {ty} {x}, {y}"),
            Opcode::Isub => format!("sub {ty} {x}, {y}"),
            Opcode::Imul => format!("mul {ty} {x}, {y}"),
            Opcode::Udiv => format!("udiv {ty} {x}, {y}"),
            Opcode::Sdiv => format!("sdiv {ty} {x}, {y}"),
            Opcode::Urem => format!("urem {ty} {x}, {y}"),
            Opcode::Srem => format!("srem {ty} {x}, {y}"),
            Opcode::Band | Opcode::Bor | Opcode::Bxor => {
                let integers = bits_of(from);
                let [x, y] = [x, y].map(|v| self.text.cast(&ty, &v, &integers));
                let op = match opcode {
                    Opcode::Band => "and",
                    Opcode::Bor => "or",
                    _ => "xor",
                };
                let text = format!("{op} {integers} {x}, {y}");
                if integers == ty {
                    text
                } else {
                    let bits = self.text.value(&text);
                    format!("bitcast {integers} {bits} to {ty}")
                }
            }
            Opcode::Ishl | Opcode::Ushr | Opcode::Sshr => {
                let by = self.amount(from, b, &y)?;
                let op = match opcode {
                    Opcode::Ishl => "shl",
                    Opcode::Ushr => "lshr",
                    _ => "ashr",
                };
                format!("{op} {ty} {x}, {by}")
            }
            Opcode::Rotl | Opcode::Rotr => {
                let by = self.amount(from, b, &y)?;
                let which = if opcode == Opcode::Rotl {
                    "fshl"
                } else {
                    "fshr"
                };
                let args = [&x, &x, &by].map(|v| format!("{ty} {v}"));
                return self.intrinsic(which, to, &args, result);
            }
            Opcode::Umin | Opcode::Umax | Opcode::Smin | Opcode::Smax => {
                let which = match opcode {
                    Opcode::Umin => "umin",
                    Opcode::Umax => "umax",
                    Opcode::Smin => "smin",
                    _ => "smax",
                };
                let args = [&x, &y].map(|v| format!("{ty} {v}"));
                return self.intrinsic(which, to, &args, result);
            }
            Opcode::Umulhi | Opcode::Smulhi => {
                let extend = if opcode == Opcode::Umulhi {
                    "zext"
                } else {
                    "sext"
                };
                let bits = from.lane_bits();
                let double = of_bits(from, 2 * bits);
                let [x, y] =
                    [x, y].map(|v| self.text.value(&format!("{extend} {ty} {v} to {double}")));
                let product = self.text.value(&format!("mul {double} {x}, {y}"));
                let shift = match from.lane_count() {
                    1 => bits.to_string(),
                    _ => format!("splat (i{} {bits})", 2 * bits),
                };
                let high = self
                    .text
                    .value(&format!("lshr {double} {product}, {shift}"));
                format!("trunc {double} {high} to {ty}")
            }
            Opcode::Fadd | Opcode::Fsub | Opcode::Fmul | Opcode::Fdiv => {
                let op = match opcode {
                    Opcode::Fadd => "fadd",
                    Opcode::Fsub => "fsub",
                    Opcode::Fmul => "fmul",
                    _ => "fdiv",
                };
                self.define(result, &format!("{op} {ty} {x}, {y}"));
                return self.nan_of_operands(to, &[x, y], result);
            }
            Opcode::Fmin | Opcode::Fmax | Opcode::Fcopysign => return None,
            Opcode::Snarrow => {
                // Saturates.
                let bits = to.lane_bits();
                let (least, most) = (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1);
                let element = format!("i{}", from.lane_bits());
                let limit = |value: i64| format!("{ty} splat ({element} {value})");
                let suffix = suffix(from);
                let mut halves = Vec::new();
                for v in [x, y] {
                    let low = self.text.call(
                        &ty,
                        &format!("smax.{suffix}"),
                        &[format!("{ty} {v}"), limit(least)],
                    );
                    let both = self.text.call(
                        &ty,
                        &format!("smin.{suffix}"),
                        &[format!("{ty} {low}"), limit(most)],
                    );
                    let narrow = of_bits(from, bits);
                    halves.push(self.text.value(&format!("trunc {ty} {both} to {narrow}")));
                }
                let narrow = of_bits(from, bits);
                let count = to.lane_count();
                format!(
                    "shufflevector {narrow} {}, {narrow} {}, <{count} x i32> {}",
                    halves[0],
                    halves[1],
                    list("i32", 0..u64::from(count))
                )
            }
            Opcode::IaddPairwise => {
                let count = from.lane_count();
                let [even, odd] = [0, 1].map(|first| {
                    let order = list("i32", (0..u64::from(count)).map(|n| 2 * n + first));
                    self.text.value(&format!(
                        "shufflevector {ty} {x}, {ty} {y}, <{count} x i32> {order}"
                    ))
                });
                format!("add {ty} {even}, {odd}")
            }
            _ => return None,
        };
        self.define(result, &text);
        Some(())
    }

    /// The amount of a shift: in all lanes, less what the width is a divisor of.
    fn amount(&mut self, ty: Type, by: Value, text: &str) -> Option<String> {
        let (own, bits) = (self.ty(by), ty.lane_bits());
        let element = format!("i{bits}");
        let scalar = match own.bits().cmp(&bits) {
            _ if own.is_vector() => return None,
            std::cmp::Ordering::Less => {
                let name = type_name(own)?;
                self.text.value(&format!("zext {name} {text} to {element}"))
            }
            std::cmp::Ordering::Greater => {
                let name = type_name(own)?;
                self.text
                    .value(&format!("trunc {name} {text} to {element}"))
            }
            std::cmp::Ordering::Equal => text.to_owned(),
        };
        let scalar = self
            .text
            .value(&format!("and {element} {scalar}, {}", bits - 1));
        Some(match ty.lane_count() {
            1 => scalar,
            count => self.text.splatted(&element, count, &scalar),
        })
    }

    fn ternary(&mut self, opcode: Opcode, args: [Value; 3], result: Value) -> Option<()> {
        let to = self.ty(result);
        let ty = type_name(to)?;
        let [a, b, c] = args;
        let (x, y, z) = (self.operand(a)?, self.operand(b)?, self.operand(c)?);
        let text = match opcode {
            Opcode::Select => {
                let name = self.name(a)?;
                if self.ty(a).is_vector() {
                    return None;
                }
                let holds = self.text.value(&format!("icmp ne {name} {x}, 0"));
                format!("select i1 {holds}, {ty} {y}, {ty} {z}")
            }
            Opcode::Bitselect => {
                let integers = bits_of(to);
                let [x, y, z] = [x, y, z].map(|v| self.text.cast(&ty, &v, &integers));
                let yes = self.text.value(&format!("and {integers} {x}, {y}"));
                let not = self
                    .text
                    .value(&format!("xor {integers} {x}, {}", ones(to)));
                let no = self.text.value(&format!("and {integers} {not}, {z}"));
                let all = format!("or {integers} {yes}, {no}");
                if integers == ty {
                    all
                } else {
                    let all = self.text.value(&all);
                    format!("bitcast {integers} {all} to {ty}")
                }
            }
            Opcode::Fma => {
                let args = [&x, &y, &z].map(|v| format!("{ty} {v}"));
                self.intrinsic("fma", to, &args, result)?;
                return self.nan_of_operands(to, &[x, y, z], result);
            }
            _ => return None,
        };
        self.define(result, &text);
        Some(())
    }

    /// Gives an f64 result that is a NaN the bits of the first operand that is one, quiet, as the processor does; f32
    /// results keep any, as their users make them canonical.
    fn nan_of_operands(&mut self, ty: Type, operands: &[String], result: Value) -> Option<()> {
        if ty.lane_type() == types::F64 {
            let found = self.operand(result)?;
            let found = self.text.double_nan_of(ty.lane_count(), &found, operands);
            self.set(result, Val::Plain(found));
        }
        Some(())
    }
}

/// The result of an operation on constants of 64 bits, of which addresses are made.
fn folded(opcode: Opcode, x: i64, y: i64) -> Option<i64> {
    Some(match opcode {
        Opcode::Iadd => x.wrapping_add(y),
        Opcode::Isub => x.wrapping_sub(y),
        Opcode::Imul => x.wrapping_mul(y),
        Opcode::Ishl => x.wrapping_shl(y as u32),
        Opcode::Ushr => (x as u64).wrapping_shr(y as u32) as i64,
        _ => return None,
    })
}

fn zero(ty: Type) -> &'static str {
    if ty.is_vector() {
        "zeroinitializer"
    } else {
        "0"
    }
}

fn ones(ty: Type) -> String {
    match ty.is_vector() {
        true => format!("splat (i{} -1)", ty.lane_bits()),
        false => "-1".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_lanes_from_the_lowest_byte_on() {
        let bytes: Vec<u8> = [1i32, -1, 256, i32::MIN]
            .iter()
            .flat_map(|n| n.to_le_bytes())
            .collect();
        let words = constant(types::I32X4, &bytes);
        assert_eq!(words, "<i32 1, i32 -1, i32 256, i32 -2147483648>");
        assert_eq!(
            constant(types::I64X2, &bytes),
            "<i64 -4294967295, i64 -9223372036854775552>"
        );
    }

    #[test]
    fn addresses_of_constants_are_constants() {
        assert_eq!(folded(Opcode::Ishl, 3, 4), Some(48));
        assert_eq!(folded(Opcode::Ushr, -1, 63), Some(1));
        assert_eq!(folded(Opcode::Iadd, i64::MAX, 1), Some(i64::MIN));
        assert_eq!(folded(Opcode::Udiv, 4, 2), None);
    }
}
