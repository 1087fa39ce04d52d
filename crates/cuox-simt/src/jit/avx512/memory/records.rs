//! Loads and stores of records: a few adjacent values per lane, with the lanes' records adjacent as well.
//!
//! Whole vectors are loaded and their words permuted in registers, which is much faster than gathering single words.

use crate::ir::{IntOp, Ty};
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{AffineLanes, Lower, Val};
use crate::jit::avx512::vcode::{Mem, Src, V, Vop};

impl Lower<'_> {
    /// Returns the number of words in a record of `count` values, if the lanes' records are adjacent.
    pub(crate) fn record(&self, line: AffineLanes, ty: Ty, count: usize) -> Option<usize> {
        let bytes = ty.bytes() as usize * count;
        let beside = line.stride == bytes as i64 && line.skip.is_none() && self.active.is_none();
        (beside && count > 1 && ty.bytes() <= 4 && matches!(bytes, 4 | 8 | 16)).then_some(bytes / 4)
    }

    /// Loads the lanes' records from the pointer on and returns their values.
    pub(crate) fn load_record(&mut self, words: usize, ty: Ty, offset: i32) -> Vec<Val> {
        let vectors: Vec<V> = (0..words as i32)
            .map(|n| self.op1(forms::LOAD, Src::Mem(Mem::Pointer(offset + 64 * n))))
            .collect();
        let mut values = Vec::new();
        for word in 0..words {
            let v = match vectors[..] {
                [v] => v,
                [first, second] => self.picked(first, second, |lane| 2 * lane + word as i64),
                _ => {
                    let [low, high] = [0, 2].map(|n| {
                        let (first, second) = (vectors[n], vectors[n + 1]);
                        self.picked(first, second, |lane| 4 * lane % 32 + word as i64)
                    });
                    self.join(low, high)
                }
            };
            for at in (0..32).step_by(ty.bits() as usize) {
                values.push(self.part(v, at, ty));
            }
        }
        values
    }

    /// Stores the lanes' records from the pointer on.
    pub(crate) fn store_record(&mut self, values: &[V], ty: Ty, offset: i32) {
        let mut words = Vec::new();
        for parts in values.chunks(32 / ty.bits() as usize) {
            let mut word = None;
            for (n, &part) in parts.iter().enumerate() {
                // Registers may be wider than the stored values; the excess bits of the last value are shifted out.
                let part = match n + 1 < parts.len() {
                    true => {
                        let mask = self.all32(ty.mask() as u32);
                        self.op2(forms::AND, part, mask)
                    }
                    false => part,
                };
                word = Some(match word {
                    None => part,
                    Some(word) => {
                        let up = self.shift_by(IntOp::Shl, part, n as u32 * ty.bits());
                        self.op2(forms::OR, word, Src::V(up))
                    }
                });
            }
            words.extend(word);
        }
        // Order within records of eight lanes each, or of four.
        let order = |lane: i64| lane / 2 + lane % 2 * 16;
        let vectors = match words[..] {
            [x, y] => [0, 8]
                .map(|first| self.picked(x, y, |lane| first + order(lane)))
                .to_vec(),
            [x, y, z, w] => {
                let mut vectors = Vec::new();
                for eight in [0, 8] {
                    let [low, high] = [(x, y), (z, w)]
                        .map(|(x, y)| self.picked(x, y, |lane| eight + order(lane)));
                    for four in [0, 8] {
                        // Words in pairs.
                        let pairs = |lane: i64| four + lane / 4 * 2 + lane % 2 + lane / 2 % 2 * 16;
                        vectors.push(self.picked(low, high, pairs));
                    }
                }
                vectors
            }
            _ => words,
        };
        for (n, from) in vectors.into_iter().enumerate() {
            self.code.push(Vop::Store {
                form: forms::STORE32,
                from,
                to: Mem::Pointer(offset + 64 * n as i32),
                mask: None,
            });
        }
    }

    /// Permutes the words of two vectors; indices from 16 on select from the second.
    fn picked(&mut self, first: V, second: V, from: impl Fn(i64) -> i64) -> V {
        let index = self.each32(from);
        let index = self.load_each(index, false);
        self.full(
            forms::PERMUTE,
            Some(index),
            Src::V(second),
            None,
            None,
            Some(first),
        )
    }

    /// Extracts a value that starts at bit `at` of each word, zero-extended.
    fn part(&mut self, v: V, at: u32, ty: Ty) -> Val {
        let v = match at {
            0 => v,
            _ => self.shift_by(IntOp::ShrU, v, at),
        };
        if at + ty.bits() == 32 {
            return Val::Words(v, false);
        }
        let mask = self.all32(ty.mask() as u32);
        Val::Words(self.op2(forms::AND, v, mask), false)
    }
}
