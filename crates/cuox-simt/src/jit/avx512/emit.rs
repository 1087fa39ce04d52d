//! Emission of virtual AVX-512 instructions while a block is lowered.

use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::Lower;
use crate::jit::avx512::vcode::{K, KOp, Mem, Src, V, VInst, Vop};

impl Lower<'_> {
    pub fn new_vector(&mut self) -> V {
        self.vectors += 1;
        V(self.vectors - 1)
    }

    pub fn new_mask(&mut self) -> K {
        self.masks += 1;
        K(self.masks - 1)
    }

    /// Returns a 32-bit constant for all lanes.
    pub fn all32(&mut self, value: u32) -> Src {
        Src::Each(Mem::Constant(self.asm.constant(&value.to_le_bytes())))
    }

    /// Returns a 64-bit constant for all lanes.
    pub fn all64(&mut self, value: u64) -> Src {
        Src::Each(Mem::Constant(self.asm.constant(&value.to_le_bytes())))
    }

    /// Returns a constant with a separate 32-bit value for every lane.
    pub fn each32(&mut self, f: impl Fn(i64) -> i64) -> Src {
        let bytes: Vec<u8> = (0..16).flat_map(|n| (f(n) as u32).to_le_bytes()).collect();
        Src::Mem(Mem::Constant(self.asm.constant(&bytes)))
    }

    /// Returns a constant with a separate value for each of eight 64-bit lanes.
    pub fn each64(&mut self, f: impl Fn(i64) -> i64) -> Src {
        let bytes: Vec<u8> = (0..8).flat_map(|n| f(n).to_le_bytes()).collect();
        Src::Mem(Mem::Constant(self.asm.constant(&bytes)))
    }

    /// Emits `form(a, b)`.
    pub fn op2(&mut self, form: Form, a: V, b: Src) -> V {
        self.full(form, Some(a), b, None, None, None)
    }

    /// Emits `form(b)`.
    pub fn op1(&mut self, form: Form, b: Src) -> V {
        self.full(form, None, b, None, None, None)
    }

    /// Emits `form(b, imm)`, or with `a`.
    pub fn op_imm(&mut self, form: Form, a: Option<V>, b: Src, imm: u8) -> V {
        self.full(form, a, b, Some(imm), None, None)
    }

    /// Emits `form(a, b)` in the lanes of a mask; the others keep the value of `tied`.
    pub fn merge(&mut self, form: Form, tied: V, mask: K, a: Option<V>, b: Src) -> V {
        self.full(form, a, b, None, Some(mask), Some(tied))
    }

    pub fn full(
        &mut self,
        form: Form,
        a: Option<V>,
        b: Src,
        imm: Option<u8>,
        mask: Option<K>,
        tied: Option<V>,
    ) -> V {
        let dst = self.new_vector();
        let inst = VInst {
            form,
            a,
            b,
            imm,
            mask,
            tied,
            round: None,
        };
        self.code.push(Vop::Vector { dst, inst });
        dst
    }

    /// Emits an instruction with a rounding direction; `b` must be a vector.
    pub fn rounded(
        &mut self,
        form: Form,
        a: Option<V>,
        b: V,
        tied: Option<V>,
        round: Option<u8>,
    ) -> V {
        let dst = self.new_vector();
        let inst = VInst {
            form,
            a,
            b: Src::V(b),
            imm: None,
            mask: None,
            tied,
            round,
        };
        self.code.push(Vop::Vector { dst, inst });
        dst
    }

    /// Returns `usual`, or what some code makes if a bit of a mask is set. For LLVM alone.
    pub fn rarely<E>(
        &mut self,
        any: K,
        usual: V,
        other: impl FnOnce(&mut Self) -> std::result::Result<V, E>,
    ) -> std::result::Result<V, E> {
        let (before, known) = (std::mem::take(&mut self.code), self.vectors);
        let other = other(self)?;
        let code = std::mem::replace(&mut self.code, before);
        // What is made there is not known elsewhere.
        for made in [&mut self.flushed, &mut self.scaled] {
            made.retain(|_, v| v.0 < known);
        }
        let dst = self.new_vector();
        self.code.push(Vop::Rare {
            dst,
            any,
            usual,
            code,
            other,
        });
        Ok(dst)
    }

    pub fn shift(&mut self, form: Form, digit: u8, a: V, by: u8) -> V {
        let dst = self.new_vector();
        self.code.push(Vop::ShiftBy {
            dst,
            form,
            digit,
            a,
            by,
        });
        dst
    }

    pub fn narrow(&mut self, form: Form, a: V, imm: Option<u8>) -> V {
        let dst = self.new_vector();
        self.code.push(Vop::Narrow { dst, form, a, imm });
        dst
    }

    pub fn test(&mut self, form: Form, a: Option<V>, b: Src, imm: Option<u8>) -> K {
        let dst = self.new_mask();
        self.code.push(Vop::Test {
            dst,
            form,
            a,
            b,
            imm,
            mask: None,
        });
        dst
    }

    pub fn mask_op(&mut self, op: KOp, a: K, b: K) -> K {
        let dst = self.new_mask();
        self.code.push(Vop::Mask { dst, op, a, b });
        dst
    }

    pub fn upper(&mut self, a: K) -> K {
        let dst = self.new_mask();
        self.code.push(Vop::UpperHalf { dst, a });
        dst
    }

    pub fn load_each(&mut self, src: Src, wide: bool) -> V {
        match src {
            Src::V(v) => v,
            Src::Mem(_) => self.op1(forms::LOAD, src),
            Src::Each(mem) => {
                let form = if wide {
                    forms::BROADCAST_LONG
                } else {
                    forms::BROADCAST_WORD
                };
                self.op1(form, Src::Mem(mem))
            }
        }
    }
}
