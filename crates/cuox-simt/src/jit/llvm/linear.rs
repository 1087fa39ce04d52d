//! Addresses that are words of 32 bits times a constant, and values that all lanes have in common added: what array
//! elements have whose index is an `int`. Tests of the words take half as long as tests of the addresses.

use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::{
    ADD32, ADD64, MUL_EVEN_S, MUL_EVEN_U, SIGN_EXTEND, SUB32, UPPER_HALF, ZERO_EXTEND,
};
use crate::jit::avx512::vcode::{Mem, Src, V, VInst};
use crate::jit::llvm::text::{LONGS, Text, WORDS, WORDS_8, list};
use std::collections::HashMap;

/// Eight values of 64 bits: `extended(word) * scale` and the sum of what is in memory.
#[derive(Clone, PartialEq)]
pub(super) struct Linear {
    word: V,
    /// 0 or 8: the first of the words' lanes.
    from: u32,
    signed: bool,
    pub(super) scale: u64,
    added: Vec<Mem>,
}

/// What is known of the vectors of some code.
#[derive(Default)]
pub(super) struct Linears {
    of: HashMap<V, Linear>,
    /// Vectors that have the upper half of another.
    upper: HashMap<V, V>,
    /// Values of 64 bits that are the same constant in all lanes.
    constants: HashMap<V, u64>,
    /// Vectors of words that differ from another in what all lanes have in common.
    moved: HashMap<V, V>,
    /// That the words of a vector are neighbours (`i1`), but for wrapping.
    neighbours: HashMap<V, String>,
}

impl Linears {
    pub(super) fn narrow(&mut self, dst: V, form: Form, a: V, imm: Option<u8>) {
        if (form, imm) == (UPPER_HALF, Some(1)) {
            self.upper.insert(dst, a);
        }
    }

    /// Notes a shift by a constant: `digit` is that of the opcode.
    pub(super) fn shift(&mut self, dst: V, (form, digit): (Form, u8), a: V, by: u8) {
        if (form, digit) == (Form::new(1, 1, true, 0x73), 6)
            && by < 32
            && let Some(linear) = self.of.get(&a).filter(|linear| linear.added.is_empty())
        {
            let scale = linear.scale << by;
            let linear = Linear {
                scale,
                ..linear.clone()
            };
            self.of.insert(dst, linear);
        }
    }

    /// What is known of a vector.
    pub(super) fn get(&self, v: V) -> Option<&Linear> {
        self.of.get(&v)
    }

    /// What is known of both halves of sixteen values, if they are those of the same words.
    pub(super) fn pair(&self, halves: [V; 2]) -> Option<Linear> {
        let [low, high] = halves.map(|half| self.of.get(&half));
        let (low, high) = (low?, high?);
        let whole = Linear {
            from: 8,
            ..low.clone()
        };
        (low.from == 0 && *high == whole).then(|| low.clone())
    }
}

impl Text<'_> {
    /// Notes what an instruction's result is.
    pub(super) fn linear(&mut self, dst: V, inst: &VInst) {
        if inst.mask.is_some() || inst.round.is_some() {
            return;
        }
        let known = |this: &Self, v: V| this.linears.of.get(&v).cloned();
        let constant = |this: &Self, v: V| this.linears.constants.get(&v).copied();
        match (inst.form, inst.a, inst.b) {
            (form, None, Src::V(word)) if form == SIGN_EXTEND || form == ZERO_EXTEND => {
                let signed = form == SIGN_EXTEND;
                let (word, from) = match self.linears.upper.get(&word) {
                    Some(&whole) => (whole, 8),
                    None => (word, 0),
                };
                if let Some(bytes) = self.knowns.get(&word) {
                    let words: Vec<&[u8]> = bytes.chunks_exact(4).collect();
                    if words.iter().all(|other| *other == words[0]) {
                        let word = u32::from_le_bytes([
                            words[0][0],
                            words[0][1],
                            words[0][2],
                            words[0][3],
                        ]);
                        let value = match signed {
                            true => word as i32 as i64 as u64,
                            false => word.into(),
                        };
                        self.linears.constants.insert(dst, value);
                    }
                } else {
                    let linear = Linear {
                        word,
                        from,
                        signed,
                        scale: 1,
                        added: Vec::new(),
                    };
                    self.linears.of.insert(dst, linear);
                }
            }
            // The product of the lower halves, which are the words.
            (form, Some(a), Src::V(b)) if form == MUL_EVEN_S || form == MUL_EVEN_U => {
                let signed = form == MUL_EVEN_S;
                for (a, b) in [(a, b), (b, a)] {
                    if let (Some(linear), Some(scale @ 1..=4096)) =
                        (known(self, a), constant(self, b))
                        && linear.scale == 1
                        && linear.added.is_empty()
                        && linear.signed == signed
                    {
                        self.linears.of.insert(dst, Linear { scale, ..linear });
                    }
                }
            }
            (ADD32 | SUB32, Some(a), Src::Each(_)) => {
                let from = self.linears.moved.get(&a).copied().unwrap_or(a);
                self.linears.moved.insert(dst, from);
            }
            // What stays in memory until the code is done.
            (
                ADD64,
                Some(a),
                Src::Each(mem @ (Mem::Arg(_) | Mem::GroupArg(_) | Mem::Constant(_))),
            ) => {
                if let Some(mut linear) = known(self, a) {
                    linear.added.push(mem);
                    self.linears.of.insert(dst, linear);
                }
            }
            _ => {}
        }
    }

    /// The sum of what is added to the words (`i64`).
    fn added(&mut self, linear: &Linear) -> String {
        let mut sum = "0".to_owned();
        for &mem in &linear.added {
            let more = self.load(mem, "i64", 4);
            sum = self.value(&format!("add i64 {sum}, {more}"));
        }
        sum
    }

    /// Tells (`i1`) whether sixteen words are neighbours and do not wrap, and the first value (`i64`).
    pub(super) fn neighbours(&mut self, linear: &Linear) -> (String, String) {
        let word = format!("%v{}", linear.word.0);
        let first = self.value(&format!("extractelement {WORDS} {word}, i64 0"));
        let holds = self.are_steps(linear.word);
        let (test, most, extend) = match linear.signed {
            true => ("sle", i64::from(i32::MAX - 15), "sext"),
            false => ("ule", i64::from((u32::MAX - 15) as i32), "zext"),
        };
        let stays = self.value(&format!("icmp {test} i32 {first}, {most}"));
        let holds = self.value(&format!("and i1 {holds}, {stays}"));
        let first = self.value(&format!("{extend} i32 {first} to i64"));
        let first = self.value(&format!("mul i64 {first}, {}", linear.scale));
        let added = self.added(linear);
        let first = self.value(&format!("add i64 {first}, {added}"));
        (holds, first)
    }

    /// Tells (`i1`) whether each word is the one before plus 1, with the test of another vector where one has the same
    /// differences.
    fn are_steps(&mut self, word: V) -> String {
        let word = self.linears.moved.get(&word).copied().unwrap_or(word);
        if let Some(holds) = self.linears.neighbours.get(&word) {
            return holds.clone();
        }
        let vector = format!("%v{}", word.0);
        let first = self.value(&format!("extractelement {WORDS} {vector}, i64 0"));
        let all = self.splatted("i32", 16, &first);
        let row = self.value(&format!("add {WORDS} {all}, {}", list("i32", 0..16)));
        let other = self.value(&format!("icmp ne {WORDS} {vector}, {row}"));
        let other = self.value(&format!("bitcast <16 x i1> {other} to i16"));
        let holds = self.value(&format!("icmp eq i16 {other}, 0"));
        self.linears.neighbours.insert(word, holds.clone());
        holds
    }

    /// The words again, for code that is not always run. LLVM must not see that they are those of before, as it would
    /// compute there what they are needed for.
    fn words_again(&mut self, linear: &Linear) -> String {
        let word = format!("%v{}", linear.word.0);
        let half = self.part(&word, linear.from, 8);
        self.hidden(WORDS_8, &half)
    }

    /// The values and a base, as pointers, if a gather of the processor's takes words and their scale.
    pub(super) fn scaled_words(&mut self, linear: &Linear, base: &str) -> Option<String> {
        let element = match (linear.signed, linear.scale) {
            (true, 1) => "i8",
            (true, 2) => "i16",
            (true, 4) => "i32",
            (true, 8) => "i64",
            _ => return None,
        };
        let words = self.words_again(linear);
        let added = self.added(linear);
        let base = self.value(&format!("add i64 {base}, {added}"));
        let base = self.value(&format!("inttoptr i64 {base} to ptr"));
        Some(self.value(&format!(
            "getelementptr {element}, ptr {base}, {WORDS_8} {words}"
        )))
    }

    /// The values again, for code that is not always run.
    pub(super) fn linear_values(&mut self, linear: &Linear) -> String {
        let half = self.words_again(linear);
        let extend = if linear.signed { "sext" } else { "zext" };
        let all = self.value(&format!("{extend} <8 x i32> {half} to {LONGS}"));
        let all = self.value(&format!("mul {LONGS} {all}, splat (i64 {})", linear.scale));
        let added = self.added(linear);
        let added = self.splatted("i64", 8, &added);
        self.value(&format!("add {LONGS} {all}, {added}"))
    }
}
