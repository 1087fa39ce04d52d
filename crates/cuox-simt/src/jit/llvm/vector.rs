//! What each vector instruction of wide code means, as instructions of LLVM IR.
//!
//! A vector is `<16 x i32>`, a mask `<16 x i1>`. Instructions over 64-bit lanes use the lower eight bits of a mask.
//! Where LLVM's operations are undefined (shifts by too much, conversions out of range), the values are those of the
//! x86 instruction that the form names ("Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2).

use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::{LESS, SUBNORMAL};
use crate::jit::avx512::vcode::{K, Mem, Src, V, VInst};
use crate::jit::llvm::floats::floats;
use crate::jit::llvm::text::{
    BYTES, FLOATS, HALF_WORDS, LONGS, Text, WORDS, WORDS_8, list, run, splat,
};
use crate::sys::level::{Level, level};

/// The lanes that a mask of an instruction stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lanes {
    /// Sixteen lanes of 32 bits.
    Words,
    /// Eight lanes of 64 bits.
    Longs,
    /// Eight lanes of 32 bits, and zeros above them.
    LowWords,
}

impl Text<'_> {
    /// A vector instruction.
    pub(super) fn vector_inst(&mut self, dst: V, inst: VInst) -> Option<()> {
        let form = inst.form;
        if !rounds(form, inst.round.unwrap_or(0)) {
            return None;
        }
        let blend = form.map == 2 && form.code == 0x64;
        let (result, lanes) = match blend {
            true => {
                let lanes = if form.wide {
                    Lanes::Longs
                } else {
                    Lanes::Words
                };
                (self.source(inst.b, form.wide)?, lanes)
            }
            false => self.computed(&inst)?,
        };
        let kept = match (blend, inst.tied) {
            (true, _) => format!("%v{}", inst.a?.0),
            (false, Some(tied)) => format!("%v{}", tied.0),
            (false, None) => "zeroinitializer".to_owned(),
        };
        let result = match inst.mask {
            None => result,
            Some(k) => self.select(k, lanes, &result, &kept),
        };
        let result = match self.constant_of(&inst) {
            Some(bytes) => {
                self.knowns.insert(dst, bytes);
                match self.flushes {
                    true => self.opaque(&result),
                    false => result,
                }
            }
            None => result,
        };
        self.ranges.vector(dst, &inst);
        self.linear(dst, &inst);
        self.set(dst, &result);
        Some(())
    }

    /// A vector that LLVM is not to compute with: it does not flush what the processor does.
    fn opaque(&mut self, vector: &str) -> String {
        if level() == Level::V4 {
            return self.hidden(WORDS, vector);
        }
        let [low, high] = [0, 8].map(|first| {
            let half = self.part(vector, first, 8);
            self.hidden(WORDS_8, &half)
        });
        self.value(&format!(
            "shufflevector {WORDS_8} {low}, {WORDS_8} {high}, <16 x i32> {}",
            run(0, 16)
        ))
    }

    /// The bytes of a vector that an instruction loads of the constants.
    fn constant_of(&self, inst: &VInst) -> Option<Vec<u8>> {
        let Form { map, code, .. } = inst.form;
        match (map, code, inst.b) {
            _ if inst.mask.is_some() => None,
            (1, 0x6f, Src::Mem(Mem::Constant(at))) => self.constant(at, 64),
            (2, 0x58, Src::Mem(Mem::Constant(at))) => Some(self.constant(at, 4)?.repeat(16)),
            (2, 0x59, Src::Mem(Mem::Constant(at))) => Some(self.constant(at, 8)?.repeat(8)),
            _ => None,
        }
    }

    /// Lanes of one vector where a mask is set, else of another.
    fn select(&mut self, k: K, lanes: Lanes, yes: &str, no: &str) -> String {
        match lanes {
            Lanes::Words => self.value(&format!(
                "select <16 x i1> %k{}, {WORDS} {yes}, {WORDS} {no}",
                k.0
            )),
            Lanes::Longs => {
                let mask = self.low_mask(k);
                let [yes, no] = [yes, no].map(|v| self.longs(v));
                let found = self.value(&format!(
                    "select <8 x i1> {mask}, {LONGS} {yes}, {LONGS} {no}"
                ));
                self.words(LONGS, &found)
            }
            Lanes::LowWords => {
                let mask = self.low_mask(k);
                let all = self.value(&format!(
                    "shufflevector <8 x i1> {mask}, <8 x i1> splat (i1 true), <16 x i32> {}",
                    run(0, 16)
                ));
                self.value(&format!(
                    "select <16 x i1> {all}, {WORDS} {yes}, {WORDS} {no}"
                ))
            }
        }
    }

    /// Calls an intrinsic over vectors of one type.
    pub(super) fn intrinsic(&mut self, name: &str, ty: &str, args: &[&str]) -> String {
        let args: Vec<String> = args.iter().map(|arg| format!("{ty} {arg}")).collect();
        self.call(ty, name, &args)
    }

    /// The results in all lanes.
    fn computed(&mut self, inst: &VInst) -> Option<(String, Lanes)> {
        let Form {
            map,
            prefix,
            wide,
            code,
            length,
        } = inst.form;
        let (ty, bits) = match wide {
            true => (LONGS, 64),
            false => (WORDS, 32),
        };
        let lanes = if wide { Lanes::Longs } else { Lanes::Words };
        let simple = |this: &mut Self, op: &str, ty: &str| -> Option<String> {
            let (a, b) = this.both(inst, wide, ty)?;
            let r = this.value(&format!("{op} {ty} {a}, {b}"));
            Some(this.words(ty, &r))
        };
        let r = match (map, prefix, code) {
            // Moves.
            (1, _, 0x6f) if length == 2 => self.loaded(inst, lanes)?,
            (1, _, 0x6f) if inst.mask.is_none() && length == 1 => {
                let low = self.low_source(inst.b)?;
                self.above_zero(&low)
            }
            (1, _, 0x6f) if inst.mask.is_none() => {
                let Src::Mem(mem) = inst.b else { return None };
                let four = self.load(mem, "<4 x i32>", 4);
                self.value(&format!(
                    "shufflevector <4 x i32> {four}, <4 x i32> zeroinitializer, <16 x i32> {}",
                    list("i32", (0..16).map(|n| n.min(4)))
                ))
            }
            (2, 1, 0x58) => self.broadcast(inst, 32)?,
            (2, 1, 0x59) => self.broadcast(inst, 64)?,
            (2, 1, 0x79) => self.broadcast(inst, 16)?,
            (2, 1, 0x78) => self.broadcast(inst, 8)?,
            // Integers.
            (1, 1, 0xfe) => simple(self, "add", WORDS)?,
            (1, 1, 0xd4) => simple(self, "add", LONGS)?,
            (1, 1, 0xfa) => simple(self, "sub", WORDS)?,
            (1, 1, 0xfb) => simple(self, "sub", LONGS)?,
            (2, 1, 0x40) => simple(self, "mul", ty)?,
            (1, 1, 0xdb) => simple(self, "and", WORDS)?,
            (1, 1, 0xeb) => simple(self, "or", WORDS)?,
            (1, 1, 0xef) => simple(self, "xor", WORDS)?,
            (1, 1, 0xdf) => {
                let (a, b) = self.both(inst, wide, WORDS)?;
                let a = self.value(&format!("xor {WORDS} {a}, splat (i32 -1)"));
                self.value(&format!("and {WORDS} {a}, {b}"))
            }
            (1, 1, 0xf4) | (2, 1, 0x28) if wide => {
                let (a, b) = self.both(inst, true, LONGS)?;
                let [a, b] = [a, b].map(|v| match code {
                    0xf4 => self.value(&format!("and {LONGS} {v}, splat (i64 4294967295)")),
                    _ => {
                        let up = self.value(&format!("shl {LONGS} {v}, splat (i64 32)"));
                        self.value(&format!("ashr {LONGS} {up}, splat (i64 32)"))
                    }
                });
                let r = self.value(&format!("mul {LONGS} {a}, {b}"));
                self.words(LONGS, &r)
            }
            (2, 1, 0x45..=0x47) => self.shift_each(inst, ty, bits)?,
            (2, 1, 0x39 | 0x3d | 0x3b | 0x3f) => {
                let name = match code {
                    0x39 => "smin",
                    0x3d => "smax",
                    0x3b => "umin",
                    _ => "umax",
                };
                let (a, b) = self.both(inst, wide, ty)?;
                let name = format!("{name}.{}", vector_name(ty));
                let r = self.intrinsic(&name, ty, &[&a, &b]);
                self.words(ty, &r)
            }
            (2, 1, 0x1e | 0x1f | 0x44 | 0x55) => {
                // Absolute values of the least number and leading zeros of 0 are defined.
                let (name, defined) = match code {
                    0x44 => ("ctlz", Some("i1 false")),
                    0x55 => ("ctpop", None),
                    _ => ("abs", Some("i1 false")),
                };
                let b = self.typed(inst.b, wide, ty)?;
                let args = [Some(format!("{ty} {b}")), defined.map(str::to_owned)];
                let args: Vec<String> = args.into_iter().flatten().collect();
                let r = self.call(ty, &format!("{name}.{}", vector_name(ty)), &args);
                self.words(ty, &r)
            }
            (1, 1, 0xda | 0xde) => {
                let (a, b) = self.both(inst, false, BYTES)?;
                let name = if code == 0xda { "umin" } else { "umax" };
                let r = self.intrinsic(&format!("{name}.v64i8"), BYTES, &[&a, &b]);
                self.words(BYTES, &r)
            }
            (1, 1, 0xf5) => self.dot(inst, false)?,
            (2, 1, 0x04) => self.dot(inst, true)?,
            (1, 1, 0xfd) => simple(self, "add", HALF_WORDS)?,
            (3, 1, 0x25) => self.ternary(inst)?,
            (2, 1, 0x00) => self.pick_bytes(inst)?,
            // Other widths.
            (2, 1, 0x25 | 0x35) => {
                let low = self.low_source(inst.b)?;
                let op = if code == 0x25 { "sext" } else { "zext" };
                let r = self.value(&format!("{op} {WORDS_8} {low} to {LONGS}"));
                return Some((self.words(LONGS, &r), Lanes::Longs));
            }
            (2, 1, 0x33) => self.extended(inst, "<16 x i16>", 32)?,
            (2, 1, 0x31) => self.extended(inst, "<16 x i8>", 16)?,
            (3, 1, 0x3a) if wide => {
                let a = format!("%v{}", inst.a?.0);
                let low = self.low_source(inst.b)?;
                let low = self.above_zero(&low);
                let order: Vec<u64> = match inst.imm? & 1 {
                    1 => (0..8).chain(16..24).collect(),
                    _ => (16..24).chain(8..16).collect(),
                };
                let order = list("i32", order);
                self.value(&format!(
                    "shufflevector {WORDS} {a}, {WORDS} {low}, <16 x i32> {order}"
                ))
            }
            (3, 1, 0x38) if !wide => {
                let a = format!("%v{}", inst.a?.0);
                let quarter = match inst.b {
                    Src::V(v) => format!("%v{}", v.0),
                    Src::Mem(mem) => {
                        let four = self.load(mem, "<4 x i32>", 4);
                        self.value(&format!(
                            "shufflevector <4 x i32> {four}, <4 x i32> poison, <16 x i32> {}",
                            list("i32", (0..16).map(|n| n % 4))
                        ))
                    }
                    Src::Each(_) => return None,
                };
                let at = u64::from(inst.imm? & 3) * 4;
                let order = (0..16).map(|n| match (at..at + 4).contains(&n) {
                    true => 16 + n - at,
                    false => n,
                });
                let order = list("i32", order);
                self.value(&format!(
                    "shufflevector {WORDS} {a}, {WORDS} {quarter}, <16 x i32> {order}"
                ))
            }
            // Permutations by an index.
            (2, 1, 0x36) if !wide => {
                let from = self.source(inst.b, false)?;
                self.permute(inst.a?, &from, 16)
            }
            (2, 1, 0x7e) if !wide => {
                let first = format!("%v{}", inst.tied?.0);
                let second = self.source(inst.b, false)?;
                let both = self.value(&format!(
                    "shufflevector {WORDS} {first}, {WORDS} {second}, <32 x i32> {}",
                    run(0, 32)
                ));
                self.permute(inst.a?, &both, 32)
            }
            _ => return self.floating(inst),
        };
        Some((r, lanes))
    }

    fn shift_each(&mut self, inst: &VInst, ty: &str, bits: u32) -> Option<String> {
        let (a, by) = self.both(inst, inst.form.wide, ty)?;
        let count = if bits == 64 { 8 } else { 16 };
        let element = if bits == 64 { "i64" } else { "i32" };
        let fits = self.value(&format!("icmp ult {ty} {by}, splat ({element} {bits})"));
        let r = match inst.form.code {
            0x46 => {
                let most = self.value(&format!(
                    "select <{count} x i1> {fits}, {ty} {by}, {ty} splat ({element} {})",
                    bits - 1
                ));
                self.value(&format!("ashr {ty} {a}, {most}"))
            }
            code => {
                let op = if code == 0x47 { "shl" } else { "lshr" };
                let shifted = self.value(&format!("{op} {ty} {a}, {by}"));
                self.value(&format!(
                    "select <{count} x i1> {fits}, {ty} {shifted}, {ty} zeroinitializer"
                ))
            }
        };
        Some(self.words(ty, &r))
    }

    /// Products of the elements of two vectors, added in pairs: of signed 16-bit values to words, or of unsigned and
    /// signed bytes to 16-bit values.
    fn dot(&mut self, inst: &VInst, bytes: bool) -> Option<String> {
        let (a, b) = self.both(inst, false, WORDS)?;
        if level() == Level::V4 {
            let (from, to, name) = match bytes {
                false => (HALF_WORDS, WORDS, "x86.avx512.pmaddw.d.512"),
                true => (BYTES, HALF_WORDS, "x86.avx512.pmaddubs.w.512"),
            };
            let [a, b] = [a, b].map(|v| self.cast(WORDS, &v, from));
            let r = self.intrinsic_of(name, from, to, [&a, &b]);
            return Some(self.cast(to, &r, WORDS));
        }
        let (from, to, name) = match bytes {
            false => ("<16 x i16>", WORDS_8, "x86.avx2.pmadd.wd"),
            true => ("<32 x i8>", "<16 x i16>", "x86.avx2.pmadd.ub.sw"),
        };
        let halves = [0, 8].map(|first| {
            let [a, b] = [&a, &b].map(|v| {
                let half = self.part(v, first, 8);
                self.cast(WORDS_8, &half, from)
            });
            let r = self.intrinsic_of(name, from, to, [&a, &b]);
            self.cast(to, &r, WORDS_8)
        });
        Some(self.value(&format!(
            "shufflevector {WORDS_8} {}, {WORDS_8} {}, <16 x i32> {}",
            halves[0],
            halves[1],
            run(0, 16)
        )))
    }

    /// Calls an intrinsic with two operands of one type and a result of another.
    fn intrinsic_of(&mut self, name: &str, from: &str, to: &str, args: [&str; 2]) -> String {
        self.call(to, name, &args.map(|arg| format!("{from} {arg}")))
    }

    /// Any function of three bits, by its table.
    fn ternary(&mut self, inst: &VInst) -> Option<String> {
        let table = inst.imm?;
        let (b, c) = self.both(inst, inst.form.wide, WORDS)?;
        let a = format!("%v{}", inst.tied?.0);
        let not =
            |this: &mut Self, v: &str| this.value(&format!("xor {WORDS} {v}, splat (i32 -1)"));
        // `a ? upper(b, c) : lower(b, c)`, each of which is `b ? … : …` of a constant, c or not c.
        let of_c = |this: &mut Self, two: u8| match two & 3 {
            0 => "zeroinitializer".to_owned(),
            1 => not(this, &c),
            2 => c.clone(),
            _ => "splat (i32 -1)".to_owned(),
        };
        let choose = |this: &mut Self, by: &str, yes: String, no: String| {
            if yes == no {
                return yes;
            }
            let yes = this.value(&format!("and {WORDS} {by}, {yes}"));
            let other = not(this, by);
            let no = this.value(&format!("and {WORDS} {other}, {no}"));
            this.value(&format!("or {WORDS} {yes}, {no}"))
        };
        let [lower, upper] = [table & 0xf, table >> 4].map(|four| {
            let [no, yes] = [four & 3, four >> 2].map(|two| of_c(self, two));
            choose(self, &b, yes, no)
        });
        Some(choose(self, &a, upper, lower))
    }

    /// A permutation of bytes within 128 bits, by a constant.
    fn pick_bytes(&mut self, inst: &VInst) -> Option<String> {
        let order = match inst.b {
            Src::Mem(Mem::Constant(at)) => self.constant(at, 64)?,
            Src::Each(Mem::Constant(at)) => self.constant(at, 4)?.repeat(16),
            Src::V(v) => self.knowns.get(&v)?.clone(),
            Src::Mem(_) | Src::Each(_) => return None,
        };
        let order = order.iter().enumerate().map(|(n, &by)| match by & 0x80 {
            0 => (n as u64 & !15) + u64::from(by & 15),
            _ => 64,
        });
        let a = format!("%v{}", inst.a?.0);
        let a = self.cast(WORDS, &a, BYTES);
        let order = list("i32", order);
        let r = self.value(&format!(
            "shufflevector {BYTES} {a}, {BYTES} zeroinitializer, <64 x i32> {order}"
        ));
        Some(self.words(BYTES, &r))
    }

    /// Elements of a vector of `count` words, by the lanes of an index.
    fn permute(&mut self, index: V, from: &str, count: u32) -> String {
        let ty = format!("<{count} x i32>");
        if let Some(bytes) = self.knowns.get(&index) {
            let order = list(
                "i32",
                words_of(bytes)
                    .map(|n| n & u64::from(count - 1))
                    .collect::<Vec<_>>(),
            );
            return self.value(&format!(
                "shufflevector {ty} {from}, {ty} poison, <16 x i32> {order}"
            ));
        }
        let index = format!("%v{}", index.0);
        if level() == Level::V4 {
            return match count {
                16 => self.intrinsic("x86.avx512.permvar.si.512", WORDS, &[from, &index]),
                _ => {
                    let [low, high] = [0, 16].map(|first| {
                        let lanes = run(first, 16);
                        self.value(&format!(
                            "shufflevector {ty} {from}, {ty} poison, <16 x i32> {lanes}"
                        ))
                    });
                    let name = "x86.avx512.vpermi2var.d.512";
                    self.intrinsic(name, WORDS, &[&low, &index, &high])
                }
            };
        }
        let index = self.value(&format!("and {WORDS} {index}, splat (i32 {})", count - 1));
        let mut all = "poison".to_owned();
        for lane in 0..16 {
            let at = self.value(&format!("extractelement {WORDS} {index}, i32 {lane}"));
            let one = self.value(&format!("extractelement {ty} {from}, i32 {at}"));
            all = self.value(&format!(
                "insertelement {WORDS} {all}, i32 {one}, i32 {lane}"
            ));
        }
        all
    }

    /// A whole vector from memory; only the lanes of the mask are read of the program's memory.
    fn loaded(&mut self, inst: &VInst, lanes: Lanes) -> Option<String> {
        let (Src::Mem(mem @ Mem::Pointer(_)), Some(k)) = (inst.b, inst.mask) else {
            return self.source(inst.b, inst.form.wide);
        };
        Some(match lanes {
            Lanes::Longs => {
                let mask = self.low_mask(k);
                let r = self.load_masked(mem, LONGS, "v8i64", 8, &mask);
                self.words(LONGS, &r)
            }
            _ => self.load_masked(mem, WORDS, "v16i32", 16, &format!("%k{}", k.0)),
        })
    }

    /// Words of 16 lanes of fewer bits.
    fn extended(&mut self, inst: &VInst, narrow: &str, bytes: u32) -> Option<String> {
        let low = match inst.b {
            Src::V(v) => {
                let (part, count) = match bytes {
                    32 => (WORDS_8, 8),
                    _ => ("<4 x i32>", 4),
                };
                let low = self.part(&format!("%v{}", v.0), 0, count);
                self.value(&format!("bitcast {part} {low} to {narrow}"))
            }
            Src::Mem(mem @ Mem::Pointer(_)) if inst.mask.is_some() => {
                let name = if bytes == 32 { "v16i16" } else { "v16i8" };
                self.load_narrow(mem, narrow, name, bytes, inst.mask?)
            }
            Src::Mem(mem) => self.load(mem, narrow, 1),
            Src::Each(_) => return None,
        };
        Some(self.value(&format!("zext {narrow} {low} to {WORDS}")))
    }

    /// The lower eight words of an operand.
    pub(super) fn low_source(&mut self, src: Src) -> Option<String> {
        match src {
            Src::V(v) => Some(self.part(&format!("%v{}", v.0), 0, 8)),
            Src::Mem(mem) => Some(self.load(mem, WORDS_8, 4)),
            Src::Each(mem) => {
                let one = self.load(mem, "i32", 4);
                Some(self.splatted("i32", 8, &one))
            }
        }
    }

    /// One element in all lanes. The program's memory is read only if a lane of the mask is to have it.
    fn broadcast(&mut self, inst: &VInst, bits: u32) -> Option<String> {
        let element = format!("i{bits}");
        let count = 512 / bits;
        let ty = format!("<{count} x {element}>");
        let one = match inst.b {
            Src::Mem(mem @ Mem::Pointer(_)) if inst.mask.is_some() => {
                // Masks of 8- and 16-bit lanes are of another kind.
                if bits < 32 {
                    return None;
                }
                let k = inst.mask?;
                let any = match bits {
                    32 => self.mask_bits(Some(k)),
                    _ => {
                        let low = self.low_mask(k);
                        self.value(&format!("bitcast <8 x i1> {low} to i8"))
                    }
                };
                let number = if bits == 32 { "i16" } else { "i8" };
                let any = self.value(&format!("icmp ne {number} {any}, 0"));
                let any = self.value(&format!("insertelement <1 x i1> poison, i1 {any}, i32 0"));
                let one = self.load_masked(
                    mem,
                    &format!("<1 x {element}>"),
                    &format!("v1{element}"),
                    1,
                    &any,
                );
                self.value(&format!("extractelement <1 x {element}> {one}, i32 0"))
            }
            Src::V(v) => {
                let v = format!("%v{}", v.0);
                let v = self.cast(WORDS, &v, &ty);
                self.value(&format!("extractelement {ty} {v}, i32 0"))
            }
            Src::Mem(mem) | Src::Each(mem) => self.load(mem, &element, bits / 8),
        };
        let r = self.splatted(&element, count, &one);
        Some(self.words(&ty, &r))
    }

    /// The first and the last operand, as vectors of a type.
    pub(super) fn both(&mut self, inst: &VInst, wide: bool, ty: &str) -> Option<(String, String)> {
        let a = format!("%v{}", inst.a?.0);
        let a = self.cast(WORDS, &a, ty);
        Some((a, self.typed(inst.b, wide, ty)?))
    }

    pub(super) fn typed(&mut self, src: Src, wide: bool, ty: &str) -> Option<String> {
        let v = self.source(src, wide)?;
        Some(self.cast(WORDS, &v, ty))
    }

    /// An operand, as words.
    pub(super) fn source(&mut self, src: Src, wide: bool) -> Option<String> {
        match src {
            Src::V(v) => Some(format!("%v{}", v.0)),
            Src::Mem(Mem::Constant(at)) => {
                let bytes = self.constant(at, 64)?;
                Some(list("i32", words_of(&bytes)))
            }
            Src::Each(Mem::Constant(at)) => {
                let bytes = self.constant(at, if wide { 8 } else { 4 })?;
                let words: Vec<u64> = words_of(&bytes).collect();
                Some(list("i32", (0..16).map(|n| words[n % words.len()])))
            }
            Src::Mem(mem) => Some(self.load(mem, WORDS, 4)),
            Src::Each(mem) => {
                let (element, count) = if wide { ("i64", 8) } else { ("i32", 16) };
                let one = self.load(mem, element, count / 2);
                let all = self.splatted(element, count, &one);
                let ty = if wide { LONGS } else { WORDS };
                Some(self.words(ty, &all))
            }
        }
    }

    /// Shifts by a constant.
    pub(super) fn shift_by(&mut self, dst: V, form: Form, digit: u8, a: V, by: u8) -> Option<()> {
        let (ty, element, bits) = match form.code {
            0x71 => (HALF_WORDS, "i16", 16),
            0x72 if !form.wide => (WORDS, "i32", 32),
            0x72 | 0x73 => (LONGS, "i64", 64),
            _ => return None,
        };
        let a = format!("%v{}", a.0);
        let a = self.cast(WORDS, &a, ty);
        let amount = |by: u32| splat(element, u64::from(by));
        let by = u32::from(by);
        let r = match (form.code, digit) {
            // Rotations to the right and to the left.
            (0x72, 0 | 1) => {
                let name = if digit == 0 { "fshr" } else { "fshl" };
                let by = amount(by % bits);
                self.intrinsic(&format!("{name}.{}", vector_name(ty)), ty, &[&a, &a, &by])
            }
            (_, 2) if by >= bits => "zeroinitializer".to_owned(),
            (_, 6) if by >= bits => "zeroinitializer".to_owned(),
            (_, 2) => self.value(&format!("lshr {ty} {a}, {}", amount(by))),
            (_, 4) => self.value(&format!("ashr {ty} {a}, {}", amount(by.min(bits - 1)))),
            (_, 6) => self.value(&format!("shl {ty} {a}, {}", amount(by))),
            _ => return None,
        };
        let r = self.words(ty, &r);
        self.set(dst, &r);
        Some(())
    }

    /// Makes lanes narrower, with zeros above them.
    pub(super) fn narrow(&mut self, dst: V, form: Form, a: V, imm: Option<u8>) -> Option<()> {
        self.linears.narrow(dst, form, a, imm);
        let a = format!("%v{}", a.0);
        let Form {
            map,
            prefix,
            wide,
            code,
            ..
        } = form;
        let low = match (map, prefix, wide, code) {
            (2, 2, false, 0x35) => {
                let a = self.longs(&a);
                self.value(&format!("trunc {LONGS} {a} to {WORDS_8}"))
            }
            (3, 1, true, 0x3b) => {
                let first = if imm? & 1 == 1 { 8 } else { 0 };
                self.part(&a, first, 8)
            }
            (3, 1, false, 0x39) => {
                let first = u32::from(imm? & 3) * 4;
                let four = self.part(&a, first, 4);
                self.value(&format!(
                    "shufflevector <4 x i32> {four}, <4 x i32> zeroinitializer, <8 x i32> {}",
                    run(0, 8)
                ))
            }
            (2, 2, false, 0x33) => {
                let r = self.value(&format!("trunc {WORDS} {a} to <16 x i16>"));
                self.value(&format!("bitcast <16 x i16> {r} to {WORDS_8}"))
            }
            (3, 1, false, 0x1d) if matches!(imm, Some(0 | 4)) => {
                let a = self.cast(WORDS, &a, FLOATS);
                let r = self.value(&format!("fptrunc {FLOATS} {a} to <16 x half>"));
                self.value(&format!("bitcast <16 x half> {r} to {WORDS_8}"))
            }
            _ => return None,
        };
        let all = self.above_zero(&low);
        self.set(dst, &all);
        Some(())
    }

    /// Comparisons and tests.
    pub(super) fn test(
        &mut self,
        dst: K,
        form: Form,
        a: Option<V>,
        b: Src,
        imm: Option<u8>,
        mask: Option<K>,
    ) -> Option<()> {
        let Form {
            map, wide, code, ..
        } = form;
        if matches!(b, Src::Mem(Mem::Pointer(_)) | Src::Each(Mem::Pointer(_))) {
            return None;
        }
        let (ty, count) = match wide {
            true => (LONGS, 8),
            false => (WORDS, 16),
        };
        let first = |this: &mut Self, ty: &str| -> Option<String> {
            let a = format!("%v{}", a?.0);
            Some(this.cast(WORDS, &a, ty))
        };
        let bits = match (map, code) {
            (3, 0x1f | 0x1e) => {
                let (a, b) = (first(self, ty)?, self.typed(b, wide, ty)?);
                let sign = if code == 0x1f { 's' } else { 'u' };
                let how = match imm? & 7 {
                    0 => "eq".to_owned(),
                    1 => format!("{sign}lt"),
                    2 => format!("{sign}le"),
                    4 => "ne".to_owned(),
                    5 => format!("{sign}ge"),
                    6 => format!("{sign}gt"),
                    _ => return None,
                };
                self.value(&format!("icmp {how} {ty} {a}, {b}"))
            }
            (2, 0x27) => {
                let operand = b;
                let (first, b) = (first(self, ty)?, self.typed(b, wide, ty)?);
                let both = self.value(&format!("and {ty} {first}, {b}"));
                if wide && mask.is_none() {
                    self.ranges.test(dst, form, a, operand, &both);
                }
                self.value(&format!("icmp ne {ty} {both}, zeroinitializer"))
            }
            (1, 0xc2) => {
                let f = floats(wide);
                let (a, b) = (first(self, f.ty)?, self.typed(b, wide, f.ty)?);
                let how = float_condition(imm?)?;
                self.value(&format!("fcmp {how} {} {a}, {b}", f.ty))
            }
            (3, 0x66) if imm? == SUBNORMAL => {
                let b = self.typed(b, wide, ty)?;
                let (exponent, fraction) = match wide {
                    true => (splat("i64", 0x7ff << 52), splat("i64", (1 << 52) - 1)),
                    false => (splat("i32", 0xff << 23), splat("i32", (1 << 23) - 1)),
                };
                let e = self.value(&format!("and {ty} {b}, {exponent}"));
                let m = self.value(&format!("and {ty} {b}, {fraction}"));
                let e = self.value(&format!("icmp eq {ty} {e}, zeroinitializer"));
                let m = self.value(&format!("icmp ne {ty} {m}, zeroinitializer"));
                self.value(&format!("and <{count} x i1> {e}, {m}"))
            }
            _ => return None,
        };
        let all = match wide {
            true => self.value(&format!(
                "shufflevector <8 x i1> {bits}, <8 x i1> zeroinitializer, <16 x i32> {}",
                run(0, 16)
            )),
            false => bits,
        };
        match mask {
            Some(k) => self.line(&format!("%k{} = and <16 x i1> {all}, %k{}", dst.0, k.0)),
            None => self.line(&format!(
                "%k{} = or <16 x i1> {all}, zeroinitializer",
                dst.0
            )),
        }
        Some(())
    }
}

/// Tells whether a form with a rounding direction is one that is translated: arithmetic and conversions to integers in
/// all directions, conversions of words towards zero.
fn rounds(form: Form, round: u8) -> bool {
    let Form {
        map,
        prefix,
        wide,
        code,
        ..
    } = form;
    match (map, prefix, wide, code) {
        _ if round == 0 => true,
        (1, 0, false, 0x5b) => round == 3,
        (1, 1, false, 0x5b) | (1, 0, false, 0x79) | (1, 1, true, 0x7b | 0x79) => true,
        (1, 0 | 1, _, 0x51 | 0x58 | 0x59 | 0x5c | 0x5e) | (2, 1, _, 0xb8 | 0xbc) => round < 4,
        _ => false,
    }
}

/// The words of a constant.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let word = |four: &[u8]| four.iter().rev().fold(0, |all, &b| all << 8 | u64::from(b));
    bytes.chunks(4).map(word)
}

/// The name of an integer vector's type in intrinsics.
fn vector_name(ty: &str) -> &'static str {
    match ty {
        LONGS => "v8i64",
        HALF_WORDS => "v32i16",
        _ => "v16i32",
    }
}

/// The condition of a comparison's code; whether it signals plays no part.
fn float_condition(imm: u8) -> Option<&'static str> {
    debug_assert_eq!(LESS & 15, 1);
    Some(match imm & 15 {
        0 => "oeq",
        1 => "olt",
        2 => "ole",
        3 => "uno",
        4 => "une",
        5 => "uge",
        6 => "ugt",
        7 => "ord",
        8 => "ueq",
        9 => "ult",
        10 => "ule",
        12 => "one",
        13 => "oge",
        14 => "ogt",
        _ => return None,
    })
}
