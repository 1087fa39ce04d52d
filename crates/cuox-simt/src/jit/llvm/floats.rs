//! Instructions over floating-point numbers, and conversions from and to them.

use crate::jit::avx512::encode::Form;
use crate::jit::avx512::vcode::VInst;
use crate::jit::llvm::text::{DOUBLES, FLOATS, LONGS, Text, WORDS, WORDS_8, splat};
use crate::jit::llvm::vector::Lanes;

/// A kind of floating-point number.
#[derive(Clone, Copy)]
pub(super) struct Floats {
    pub(super) ty: &'static str,
    /// The suffix of intrinsics.
    name: &'static str,
    pub(super) count: u32,
    pub(super) double: bool,
}

const SINGLES: Floats = Floats {
    ty: FLOATS,
    name: "v16f32",
    count: 16,
    double: false,
};
const DOUBLE: Floats = Floats {
    ty: DOUBLES,
    name: "v8f64",
    count: 8,
    double: true,
};

pub(super) fn floats(wide: bool) -> Floats {
    match wide {
        true => DOUBLE,
        false => SINGLES,
    }
}

impl Text<'_> {
    /// Arithmetic of floating-point numbers; the rest are conversions. Of f64 it is what has a mask or a direction:
    /// what has none is [done bare](super::late_nans).
    pub(super) fn floating(&mut self, inst: &VInst) -> Option<(String, Lanes)> {
        let Form {
            map,
            prefix,
            wide,
            code,
            ..
        } = inst.form;
        let r = match (map, prefix, code) {
            (1, 0 | 1, 0x58 | 0x59 | 0x5c | 0x5e) if (prefix == 1) == wide => {
                let f = floats(wide);
                let op = match code {
                    0x58 => "fadd",
                    0x59 => "fmul",
                    0x5c => "fsub",
                    _ => "fdiv",
                };
                let (a, b) = self.both(inst, wide, f.ty)?;
                match (inst.round.unwrap_or(0), op) {
                    (3, "fmul") if !wide => self.product_towards_zero(&a, &b),
                    (round, op) => {
                        let r = match round {
                            0 => self.value(&format!("{op} {} {a}, {b}", f.ty)),
                            _ => self.directed(f, &op.replace('f', "v"), round, &[&a, &b], None),
                        };
                        let r = self.nan_of_operands(f, &r, &[&a, &b]);
                        self.words(f.ty, &r)
                    }
                }
            }
            (1, 0 | 1, 0x51) if (prefix == 1) == wide => {
                let f = floats(wide);
                let b = self.typed(inst.b, wide, f.ty)?;
                let r = match inst.round.unwrap_or(0) {
                    0 => self.intrinsic(&format!("sqrt.{}", f.name), f.ty, &[&b]),
                    round => self.directed(f, "vsqrt", round, &[&b], None),
                };
                let r = self.nan_of_operands(f, &r, &[&b]);
                self.words(f.ty, &r)
            }
            (1, 0 | 1, 0x5d | 0x5f) if (prefix == 1) == wide => {
                let f = floats(wide);
                let (a, b) = self.both(inst, wide, f.ty)?;
                let less = if code == 0x5d { "olt" } else { "ogt" };
                let first = self.value(&format!("fcmp {less} {} {a}, {b}", f.ty));
                let r = self.value(&format!(
                    "select <{} x i1> {first}, {} {a}, {} {b}",
                    f.count, f.ty, f.ty
                ));
                self.words(f.ty, &r)
            }
            (2, 1, 0xb8 | 0xbc) => {
                let f = floats(wide);
                let (a, b) = self.both(inst, wide, f.ty)?;
                let c = format!("%v{}", inst.tied?.0);
                let c = self.cast(WORDS, &c, f.ty);
                let factor = match code {
                    0xbc => self.value(&format!("fneg {} {a}", f.ty)),
                    _ => a.clone(),
                };
                let r = match inst.round.unwrap_or(0) {
                    0 => self.intrinsic(&format!("fma.{}", f.name), f.ty, &[&factor, &b, &c]),
                    round => self.directed(f, "vfmadd231", round, &[&factor, &b], Some(&c)),
                };
                // In this order, as the instruction has it.
                let r = self.nan_of_operands(f, &r, &[&a, &b, &c]);
                self.words(f.ty, &r)
            }
            (3, 1, 0x08 | 0x09) => {
                let f = floats(code == 0x09);
                let b = self.typed(inst.b, f.double, f.ty)?;
                let imm = inst.imm?;
                if imm & 0xf4 != 0 {
                    return None;
                }
                let name = direction(imm & 3);
                let r = self.intrinsic(&format!("{name}.{}", f.name), f.ty, &[&b]);
                self.words(f.ty, &r)
            }
            _ => return self.converted(inst),
        };
        let lanes = if wide { Lanes::Longs } else { Lanes::Words };
        Some((r, lanes))
    }

    /// The first operand that is a NaN, quiet, in place of a result that is one; f32 results keep any NaN, as their
    /// users make them canonical.
    fn nan_of_operands(&mut self, f: Floats, result: &str, operands: &[&str]) -> String {
        match f.double {
            true => self.double_nan_of(f.count, result, operands),
            false => result.to_owned(),
        }
    }

    /// The first operand that is a NaN, quiet, in place of a result that is one, in each of `count` f64.
    pub(super) fn double_nan_of(
        &mut self,
        count: u32,
        result: &str,
        operands: &[impl AsRef<str>],
    ) -> String {
        const QUIET: u64 = 1 << 51;
        let (ty, integers, flags, zero, quiet) = match count {
            1 => (
                "double".to_owned(),
                "i64".to_owned(),
                "i1".to_owned(),
                "0.0",
                QUIET.to_string(),
            ),
            _ => (
                format!("<{count} x double>"),
                format!("<{count} x i64>"),
                format!("<{count} x i1>"),
                "zeroinitializer",
                splat("i64", QUIET),
            ),
        };
        let mut r = result.to_owned();
        for operand in operands.iter().rev().map(AsRef::as_ref) {
            let nan = self.value(&format!("fcmp uno {ty} {operand}, {zero}"));
            let bits = self.value(&format!("bitcast {ty} {operand} to {integers}"));
            let bits = self.value(&format!("or {integers} {bits}, {quiet}"));
            let quiet = self.value(&format!("bitcast {integers} {bits} to {ty}"));
            r = self.value(&format!("select {flags} {nan}, {ty} {quiet}, {ty} {r}"));
        }
        r
    }

    /// Products of f32 towards zero: the product is exact in f64.
    fn product_towards_zero(&mut self, a: &str, b: &str) -> String {
        let [a, b] = [a, b].map(|v| self.value(&format!("fpext {FLOATS} {v} to <16 x double>")));
        let exact = self.value(&format!("fmul <16 x double> {a}, {b}"));
        self.cut(&exact)
    }

    /// f64 as f32, towards zero.
    fn cut(&mut self, exact: &str) -> String {
        let near = self.value(&format!("fptrunc <16 x double> {exact} to {FLOATS}"));
        let again = self.value(&format!("fpext {FLOATS} {near} to <16 x double>"));
        let [large, size] = [again.as_str(), exact].map(|v| {
            self.call(
                "<16 x double>",
                "fabs.v16f64",
                &[format!("<16 x double> {v}")],
            )
        });
        let beyond = self.value(&format!("fcmp ogt <16 x double> {large}, {size}"));
        let step = self.value(&format!("sext <16 x i1> {beyond} to {WORDS}"));
        let bits = self.words(FLOATS, &near);
        self.value(&format!("add {WORDS} {bits}, {step}"))
    }

    /// Conversions between integers and floating point, and between sizes of it.
    fn converted(&mut self, inst: &VInst) -> Option<(String, Lanes)> {
        let Form {
            map,
            prefix,
            wide,
            code,
            ..
        } = inst.form;
        let round = inst.round.unwrap_or(0);
        let found = match (map, prefix, wide, code) {
            // Integers to floating point.
            (1, 0, false, 0x5b) if round == 3 => {
                let b = self.source(inst.b, false)?;
                let exact = self.value(&format!("sitofp {WORDS} {b} to <16 x double>"));
                (self.cut(&exact), Lanes::Words)
            }
            (1, 0, false, 0x5b) | (1, 3, false, 0x7a) => {
                let b = self.source(inst.b, false)?;
                let op = if code == 0x5b { "sitofp" } else { "uitofp" };
                let r = self.value(&format!("{op} {WORDS} {b} to {FLOATS}"));
                (self.words(FLOATS, &r), Lanes::Words)
            }
            (1, 2, false, 0xe6 | 0x7a) => {
                let b = self.low_source(inst.b)?;
                let op = if code == 0xe6 { "sitofp" } else { "uitofp" };
                let r = self.value(&format!("{op} {WORDS_8} {b} to {DOUBLES}"));
                (self.words(DOUBLES, &r), Lanes::Longs)
            }
            (1, 2, true, 0xe6 | 0x7a) => {
                let b = self.typed(inst.b, true, LONGS)?;
                let op = if code == 0xe6 { "sitofp" } else { "uitofp" };
                let r = self.value(&format!("{op} {LONGS} {b} to {DOUBLES}"));
                (self.words(DOUBLES, &r), Lanes::Longs)
            }
            (1, 0, true, 0x5b) | (1, 3, true, 0x7a) => {
                let b = self.typed(inst.b, true, LONGS)?;
                let op = if code == 0x5b { "sitofp" } else { "uitofp" };
                let r = self.value(&format!("{op} {LONGS} {b} to <8 x float>"));
                let r = self.value(&format!("bitcast <8 x float> {r} to {WORDS_8}"));
                (self.above_zero(&r), Lanes::LowWords)
            }
            // Floating point to integers.
            (1, 2, false, 0x5b) => (self.integers(inst, SINGLES, 3, "i32", true)?, Lanes::Words),
            (1, 1, false, 0x5b) => (
                self.integers(inst, SINGLES, round, "i32", true)?,
                Lanes::Words,
            ),
            (1, 0, false, 0x79) => (
                self.integers(inst, SINGLES, round, "i32", false)?,
                Lanes::Words,
            ),
            (1, 1, true, 0xe6) => (
                self.integers(inst, DOUBLE, 3, "i32", true)?,
                Lanes::LowWords,
            ),
            (1, 0, true, 0x78) => (
                self.integers(inst, DOUBLE, 3, "i32", false)?,
                Lanes::LowWords,
            ),
            (1, 1, true, 0x78) => (self.integers(inst, DOUBLE, 3, "i64", false)?, Lanes::Longs),
            (1, 1, true, 0x7b) => (
                self.integers(inst, DOUBLE, round, "i64", true)?,
                Lanes::Longs,
            ),
            (1, 1, true, 0x79) => (
                self.integers(inst, DOUBLE, round, "i64", false)?,
                Lanes::Longs,
            ),
            // Other sizes of floating point.
            (1, 0, false, 0x5a) => {
                let b = self.low_source(inst.b)?;
                let b = self.value(&format!("bitcast {WORDS_8} {b} to <8 x float>"));
                let r = self.value(&format!("fpext <8 x float> {b} to {DOUBLES}"));
                (self.words(DOUBLES, &r), Lanes::Longs)
            }
            (1, 1, true, 0x5a) => {
                let b = self.typed(inst.b, true, DOUBLES)?;
                let r = self.value(&format!("fptrunc {DOUBLES} {b} to <8 x float>"));
                let r = self.value(&format!("bitcast <8 x float> {r} to {WORDS_8}"));
                (self.above_zero(&r), Lanes::LowWords)
            }
            (2, 1, false, 0x13) => {
                let b = self.low_source(inst.b)?;
                let b = self.value(&format!("bitcast {WORDS_8} {b} to <16 x half>"));
                let r = self.value(&format!("fpext <16 x half> {b} to {FLOATS}"));
                (self.words(FLOATS, &r), Lanes::Words)
            }
            _ => return None,
        };
        Some(found)
    }

    /// Integers of floating-point numbers, rounded in a direction. What does not fit is the sign bit alone, or all ones
    /// for unsigned integers.
    fn integers(
        &mut self,
        inst: &VInst,
        f: Floats,
        round: u8,
        to: &str,
        signed: bool,
    ) -> Option<String> {
        let b = self.typed(inst.b, f.double, f.ty)?;
        let whole = self.intrinsic(&format!("{}.{}", direction(round), f.name), f.ty, &[&b]);
        let element = if f.double { "double" } else { "float" };
        let bits: i32 = if to == "i64" { 64 } else { 32 };
        // Exact in both types.
        let power = |n: i32| format!("splat ({element} {:e})", 2f64.powi(n));
        let (least, beyond) = match signed {
            true => (
                format!("splat ({element} {:e})", -(2f64.powi(bits - 1))),
                power(bits - 1),
            ),
            false => ("zeroinitializer".to_owned(), power(bits)),
        };
        let above = self.value(&format!("fcmp oge {} {whole}, {least}", f.ty));
        let below = self.value(&format!("fcmp olt {} {whole}, {beyond}", f.ty));
        let fits = self.value(&format!("and <{} x i1> {above}, {below}", f.count));
        let op = if signed { "fptosi" } else { "fptoui" };
        let ty = format!("<{} x {to}>", f.count);
        let number = self.value(&format!("{op} {} {whole} to {ty}", f.ty));
        let other = match (signed, bits) {
            (false, _) => format!("splat ({to} -1)"),
            (true, 64) => format!("splat (i64 {})", i64::MIN),
            (true, _) => format!("splat (i32 {})", i32::MIN),
        };
        let r = self.value(&format!(
            "select <{} x i1> {fits}, {ty} {number}, {ty} {other}",
            f.count
        ));
        Some(match ty.as_str() {
            WORDS_8 => self.above_zero(&r),
            ty => self.words(ty, &r),
        })
    }
}

/// The intrinsic that rounds to whole numbers in a direction.
fn direction(round: u8) -> &'static str {
    match round {
        0 => "roundeven",
        1 => "floor",
        2 => "ceil",
        _ => "trunc",
    }
}
