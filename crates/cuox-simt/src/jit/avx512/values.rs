//! Operands and results of wide code: conversion of register values to the form that an instruction needs.
//!
//! A register may be in memory, affine, or in vectors ([`crate::jit::avx512::lower::Val`]). The methods here load or
//! expand it on first use and remember the result.

use crate::analysis::uniformity::Uniformity;
use crate::ir::{Op, Operand, Reg, Ty};
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{
    AffineLanes, GroupInput, Lower, Result, Unsupported, Val, WideInput,
};
use crate::jit::avx512::vcode::{Constant, K, Mem, RESULT, SCRATCH, Src, V, Vop};
use crate::jit::code::symbol::Helper;
use crate::jit::runtime::layout::Home;

impl Lower<'_> {
    /// Returns the value of an operand.
    pub fn val(&mut self, operand: Operand) -> Val {
        let reg = match operand {
            Operand::Imm(bits) => return Val::Imm(bits),
            Operand::Reg(reg) => reg,
        };
        let ty = self.plan.func.ty(reg);
        let asked = match self.cur.get(&reg).copied() {
            Some(Val::Scalar(input, Uniformity::Affine(stride))) => {
                self.gang_line(input, stride, ty)
            }
            Some(Val::Scalar(input, _)) => {
                let mem = self.input(input);
                self.uniform(mem, ty)
            }
            Some(Val::Group(input, stride)) => self.group_line(input, stride),
            Some(val) => return val,
            None => return self.live_in(reg, ty),
        };
        self.cur.insert(reg, asked);
        asked
    }

    /// Returns the value of a register at the start of the block.
    fn live_in(&mut self, reg: Reg, ty: Ty) -> Val {
        let Some(home) = self.plan.layout.home(reg) else {
            // The register is never written, so any value will do.
            return Val::Imm(0);
        };
        let val = match home.uniformity {
            Uniformity::Uniform => {
                let mem = self.input(WideInput::LiveIn(reg));
                self.uniform(mem, ty)
            }
            Uniformity::Affine(stride) => self.gang_line(WideInput::LiveIn(reg), stride, ty),
            Uniformity::PiecewiseAffine(stride) => self.group_line(GroupInput::LiveIn(reg), stride),
            Uniformity::Varying => self.load_home(home),
        };
        self.cur.insert(reg, val);
        val
    }

    fn gang_line(&mut self, input: WideInput, stride: i64, ty: Ty) -> Val {
        let line = self.affine_lanes(input, stride);
        match (stride, line.skip) {
            (0, None) => self.uniform(line.from, ty),
            _ => Val::Affine(line),
        }
    }

    fn group_line(&mut self, input: GroupInput, stride: i64) -> Val {
        Val::Affine(AffineLanes {
            from: self.group_input(input),
            stride,
            group: true,
            skip: None,
        })
    }

    fn load_home(&mut self, home: Home) -> Val {
        let at = home.lanes as i32;
        match home.ty {
            Ty::Pred => {
                let dst = self.new_mask();
                self.code.push(Vop::LoadMask {
                    dst,
                    from: Mem::Bits(at),
                });
                Val::Mask(dst)
            }
            Ty::B64 => Val::Longs(
                [0, 64].map(|half| self.op1(forms::LOAD, Src::Mem(Mem::Slot(at + half, 8)))),
            ),
            _ => Val::Words(self.op1(forms::LOAD, Src::Mem(Mem::Slot(at, 4))), false),
        }
    }

    /// Returns an operand of up to 32 bits, whose NaNs may be non-canonical.
    pub fn noncanonical_words(&mut self, operand: Operand) -> Result<(V, bool)> {
        Ok(match self.val(operand) {
            Val::Imm(bits) => {
                let src = self.all32(bits as u32);
                (self.load_each(src, false), false)
            }
            Val::Each(mem) => (self.load_each(Src::Each(mem), false), false),
            Val::Affine(line) => (self.affine_words(line, 0), false),
            Val::Words(v, noncanonical) => (v, noncanonical),
            // The low halves.
            Val::Longs(parts) => (self.low_halves(parts), false),
            Val::Mask(_) | Val::Scalar(..) | Val::Group(..) => return Err(Unsupported),
        })
    }

    /// Returns affine values of 32 bits, with `ahead` added.
    pub(crate) fn affine_words(&mut self, line: AffineLanes, ahead: i64) -> V {
        let mut v = self.affine(line.from, line.stride, line.group, false);
        if (line.stride, ahead) != (0, 0) {
            let steps = self.each32(|n| n * line.stride + ahead);
            v = self.op2(forms::ADD32, v, steps);
        }
        if let Some(skip) = line.skip {
            for n in 1..=self.plan.shape.breaks() {
                let mask = self.behind(n, false);
                v = self.merge(forms::ADD32, v, mask, Some(v), Src::Each(skip));
            }
        }
        v
    }

    /// Returns affine values of 64 bits, with `ahead` added.
    pub(crate) fn affine_longs(&mut self, line: AffineLanes, ahead: i64) -> [V; 2] {
        let first = self.affine(line.from, line.stride, line.group, true);
        let mut parts = [first; 2];
        if (line.stride, ahead) != (0, 0) {
            for (v, from) in parts.iter_mut().zip([0, 8]) {
                let steps = self.each64(|n| (from + n) * line.stride + ahead);
                *v = self.op2(forms::ADD64, *v, steps);
            }
        }
        if let Some(skip) = line.skip {
            for n in 1..=self.plan.shape.breaks() {
                let mask = self.behind(n, false);
                let masks = [mask, self.upper(mask)];
                for (v, mask) in parts.iter_mut().zip(masks) {
                    *v = self.merge(forms::ADD64, *v, mask, Some(*v), Src::Each(skip));
                }
            }
        }
        parts
    }

    /// Returns the mask of the group's lanes after at least `breaks` row breaks, or exactly so many with `exact`.
    pub(crate) fn behind(&mut self, breaks: u8, exact: bool) -> K {
        if let Some(mask) = self.behind[usize::from(exact)][usize::from(breaks)] {
            return mask;
        }
        let (layout, most) = (&self.plan.layout, self.plan.shape.breaks());
        let from = Mem::Bits(layout.row_mask(most, breaks, exact) as i32);
        let dst = self.new_mask();
        self.code.push(Vop::LoadMask { dst, from });
        self.behind[usize::from(exact)][usize::from(breaks)] = Some(dst);
        dst
    }

    /// Returns the first lane's value of `[mem] + lane * stride` in all lanes. If memory has the gang's value, the
    /// group's is computed.
    pub(crate) fn affine(&mut self, mem: Mem, stride: i64, group: bool, wide: bool) -> V {
        if group {
            return self.load_each(Src::Each(mem), wide);
        }
        let dst = self.new_vector();
        self.code.push(Vop::Affine {
            dst,
            from: mem,
            stride: stride as i32,
            wide,
        });
        dst
    }

    /// Returns an operand of up to 32 bits with canonical NaNs.
    pub fn words(&mut self, operand: Operand) -> Result<V> {
        let (v, noncanonical) = self.noncanonical_words(operand)?;
        let observed = |reg| !self.plan.unobserved_nans.contains(reg);
        if !noncanonical || !operand.reg().is_none_or(observed) {
            return Ok(v);
        }
        let canonical = self.canonicalize_nans(v);
        if let Operand::Reg(reg) = operand {
            self.cur.insert(reg, Val::Words(canonical, false));
        }
        Ok(canonical)
    }

    /// Returns an operand as the last operand of an instruction, which may stay in memory if it is uniform.
    pub fn words_src(&mut self, operand: Operand) -> Result<Src> {
        Ok(match self.val(operand) {
            Val::Imm(bits) => self.all32(bits as u32),
            Val::Each(mem) => Src::Each(mem),
            _ => Src::V(self.words(operand)?),
        })
    }

    /// Like [`Lower::words_src`], but NaNs may be non-canonical.
    pub fn noncanonical_src(&mut self, operand: Operand) -> Result<Src> {
        Ok(match self.val(operand) {
            Val::Imm(bits) => self.all32(bits as u32),
            Val::Each(mem) => Src::Each(mem),
            _ => Src::V(self.noncanonical_words(operand)?.0),
        })
    }

    /// Returns a 64-bit operand.
    pub fn longs(&mut self, operand: Operand) -> Result<[V; 2]> {
        Ok(match self.val(operand) {
            Val::Imm(bits) => {
                let src = self.all64(bits);
                [self.load_each(src, true); 2]
            }
            Val::Each(mem) => [self.load_each(Src::Each(mem), true); 2],
            Val::Affine(line) => self.affine_longs(line, 0),
            Val::Longs(parts) => parts,
            Val::Words(v, _) => self.widen(v, false),
            Val::Mask(_) | Val::Scalar(..) | Val::Group(..) => return Err(Unsupported),
        })
    }

    /// Returns the parts of a 64-bit operand as last operands of instructions.
    pub fn longs_src(&mut self, operand: Operand) -> Result<[Src; 2]> {
        Ok(match self.val(operand) {
            Val::Imm(bits) => [self.all64(bits); 2],
            Val::Each(mem) => [Src::Each(mem); 2],
            _ => self.longs(operand)?.map(Src::V),
        })
    }

    /// Returns a predicate.
    pub fn mask(&mut self, operand: Operand) -> Result<K> {
        match self.val(operand) {
            Val::Mask(k) => Ok(k),
            Val::Imm(bits) => {
                let all = if bits & 1 != 0 { u16::MAX } else { 0 };
                let at = self.asm.constant(&[all.to_le_bytes(), [0; 2]].concat());
                let dst = self.new_mask();
                self.code.push(Vop::LoadMask {
                    dst,
                    from: Mem::Constant(at),
                });
                Ok(dst)
            }
            _ => Err(Unsupported),
        }
    }

    /// Calls [`crate::jit::avx512::helpers::eval_lanes`] for an operation without wide code.
    pub fn call_eval(&mut self, op: Op, operands: &[Operand]) -> Result<Val> {
        let signature = op.signature();
        if signature.result == Ty::B128 || signature.args().contains(&Ty::B128) {
            return Err(Unsupported);
        }
        for (n, (&operand, &ty)) in operands.iter().zip(signature.args()).enumerate() {
            self.put_scratch(operand, ty, 128 * n as i32)?;
        }
        let symbol = self.plan.numbers.op(op);
        self.code.push(Vop::Call {
            target: Helper::EvalLanes,
            constants: [Constant::Address(symbol), Constant::Value(0)],
            mask: self.active,
        });
        Ok(self.take_scratch(signature.result))
    }

    pub fn put_scratch(&mut self, operand: Operand, ty: Ty, at: i32) -> Result<()> {
        match ty {
            Ty::Pred => {
                let from = self.mask(operand)?;
                let to = Mem::Scratch(at);
                self.code.push(Vop::StoreMask { from, to });
            }
            Ty::B64 => {
                for (n, from) in self.longs(operand)?.into_iter().enumerate() {
                    self.store_scratch(from, at + 64 * n as i32);
                }
            }
            _ => {
                let from = self.words(operand)?;
                self.store_scratch(from, at);
            }
        }
        Ok(())
    }

    pub fn store_scratch(&mut self, from: V, at: i32) {
        debug_assert!(at + 64 <= SCRATCH);
        self.code.push(Vop::Store {
            form: forms::STORE64,
            from,
            to: Mem::Scratch(at),
            mask: None,
        });
    }

    pub fn take_scratch(&mut self, ty: Ty) -> Val {
        match ty {
            Ty::Pred => {
                let dst = self.new_mask();
                let from = Mem::Scratch(RESULT);
                self.code.push(Vop::LoadMask { dst, from });
                Val::Mask(dst)
            }
            Ty::B64 => Val::Longs(
                [0, 64].map(|half| self.op1(forms::LOAD, Src::Mem(Mem::Scratch(RESULT + half)))),
            ),
            _ => Val::Words(self.op1(forms::LOAD, Src::Mem(Mem::Scratch(RESULT))), false),
        }
    }
}
