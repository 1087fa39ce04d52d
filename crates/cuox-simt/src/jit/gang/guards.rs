//! Guards: conditions that gang mode checks before it does something once for all lanes, and the bailout taken when one
//! fails.
//!
//! The scalar phase collects guards and tests them together before its first side effect. A failed guard leads to a
//! bailout at the start of the block: to the twin of a boundary branch, to the single block of a superblock, or out of
//! gang code.

use crate::analysis::uniformity::Uniformity;
use crate::ir::{Cmp, Num, Terminator, Ty};
use crate::jit::chaos;
use crate::jit::emit::value::{Lanes, trusted};
use crate::jit::gang::GangCodegen;
use crate::jit::gang::invariants::Invariant;
use crate::jit::runtime::layout::{Env, Exit};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;

/// Lowest and highest of the lanes' values.
pub(crate) struct Bounds {
    pub low: Value,
    pub high: Value,
    /// True (I8) if no lane's value wraps between them.
    pub ok: Value,
}

impl GangCodegen<'_, '_, '_, '_> {
    /// Returns the difference between the last lane's value and the first's in 64 bits, for a gang without row steps.
    pub(crate) fn reach(&mut self, stride: i64) -> Value {
        let count = self.invariant(Invariant::Count);
        let steps = self.g.e.b.ins().iadd_imm_s(count, -1);
        self.g.e.b.ins().imul_imm_s(steps, stride)
    }

    /// Returns the lowest and highest of the lanes' values in 64 bits, computed from the first lane's value and the
    /// step, if there is one.
    pub(crate) fn extent(
        &mut self,
        first: Value,
        stride: i64,
        step: Option<Value>,
    ) -> (Value, Value) {
        let Some(step) = step else {
            let reach = self.reach(stride);
            let last = self.g.e.b.ins().iadd(first, reach);
            return match stride >= 0 {
                true => (first, last),
                false => (last, first),
            };
        };
        let last = self.invariant(Invariant::LastRow);
        let down = self.g.e.b.ins().imul(step, last);
        let zero = self.g.e.iconst(types::I64, 0);
        let b = &mut self.g.e.b;
        let back = b.ins().icmp(IntCC::SignedLessThan, down, zero);
        let least = b.ins().select(back, down, zero);
        let most = b.ins().select(back, zero, down);
        let mut low = b.ins().iadd(first, least);
        let mut high = b.ins().iadd(first, most);
        if stride != 0 {
            // The extent covers whole rows, although the gang may start or end within one.
            let (width, ahead) = (
                self.invariant(Invariant::Width),
                self.invariant(Invariant::Ahead),
            );
            let b = &mut self.g.e.b;
            let along = b.ins().iadd_imm_s(width, -1);
            let along = b.ins().isub(along, ahead);
            let along = b.ins().imul_imm_s(along, stride);
            let back = b.ins().imul_imm_s(ahead, -stride);
            let [down, up] = if stride > 0 {
                [back, along]
            } else {
                [along, back]
            };
            low = b.ins().iadd(low, down);
            high = b.ins().iadd(high, up);
        }
        (low, high)
    }

    /// Emits a test that [`GangCodegen::extent`] does not wrap at 64 bits for a step.
    pub(crate) fn near_rows(&mut self, step: Value) -> Value {
        let b = &mut self.g.e.b;
        let low = b.ins().ireduce(types::I32, step);
        let again = b.ins().sextend(types::I64, low);
        b.ins().icmp(IntCC::Equal, again, step)
    }

    /// Returns the bounds of an affine value, in signed or unsigned order.
    fn bounds(&mut self, value: Lanes, stride: i64, signed: bool) -> Bounds {
        let first = value.one();
        let code = match signed {
            true => IntCC::SignedLessThanOrEqual,
            false => IntCC::UnsignedLessThanOrEqual,
        };
        let long = value.ty == Ty::B64;
        let Some(step) = value.step else {
            let mut reach = self.reach(stride);
            let b = &mut self.g.e.b;
            if !long {
                reach = b.ins().ireduce(types::I32, reach);
            }
            let last = b.ins().iadd(first, reach);
            let (low, high) = match stride >= 0 {
                true => (first, last),
                false => (last, first),
            };
            let ok = b.ins().icmp(code, low, high);
            return Bounds { low, high, ok };
        };
        if long {
            let (low, high) = self.extent(first, stride, Some(step));
            let near = self.near_rows(step);
            let b = &mut self.g.e.b;
            let above = b.ins().icmp(code, low, first);
            let below = b.ins().icmp(code, first, high);
            let ok = b.ins().band(above, below);
            let ok = b.ins().band(ok, near);
            return Bounds { low, high, ok };
        }
        // The extent does not wrap in 64 bits; it must fit into 32.
        let step = self.g.e.b.ins().sextend(types::I64, step);
        let wide = self.extended(first, signed);
        let (low, high) = self.extent(wide, stride, Some(step));
        let mut holds = [low, high].map(|value| {
            let short = self.g.e.b.ins().ireduce(types::I32, value);
            let again = self.extended(short, signed);
            (short, self.g.e.b.ins().icmp(IntCC::Equal, again, value))
        });
        let [(low, ok), (high, also)] = &mut holds;
        let ok = self.g.e.b.ins().band(*ok, *also);
        Bounds {
            low: *low,
            high: *high,
            ok,
        }
    }

    fn extended(&mut self, value: Value, signed: bool) -> Value {
        match signed {
            true => self.g.e.b.ins().sextend(types::I64, value),
            false => self.g.e.b.ins().uextend(types::I64, value),
        }
    }

    /// Emits a comparison of an affine with a uniform value: one result, under the guard that the lowest and highest of
    /// the lanes' values give the same result and no lane between them can differ.
    pub(crate) fn guarded_compare(
        &mut self,
        cmp: Cmp,
        num: Num,
        values: &[Lanes],
        uniformity: &[Uniformity],
        stride: i64,
    ) -> Lanes {
        let which = usize::from(uniformity[0] == Uniformity::Uniform);
        let equality = matches!(cmp, Cmp::Eq | Cmp::Ne);
        // Signedness of the comparison; equality is compared unsigned.
        let signed = num.is_signed() && !equality;
        let Bounds { low, high, ok } = self.bounds(values[which], stride, signed);
        let other = values[1 - which].one();
        let b = &mut self.g.e.b;
        if equality {
            // All lanes differ from the other value if it is outside the bounds.
            let below = b.ins().icmp(IntCC::UnsignedLessThan, other, low);
            let above = b.ins().icmp(IntCC::UnsignedGreaterThan, other, high);
            let mut decided = b.ins().bor(below, above);
            let mut answer = self.g.e.iconst(types::I8, i64::from(cmp == Cmp::Ne));
            let b = &mut self.g.e.b;
            if stride == 0 {
                // Or all lanes have the same value.
                let same = b.ins().icmp(IntCC::Equal, low, high);
                decided = b.ins().bor(decided, same);
                let code = match cmp {
                    Cmp::Ne => IntCC::NotEqual,
                    _ => IntCC::Equal,
                };
                answer = b.ins().icmp(code, low, other);
            }
            let ok = b.ins().band(ok, decided);
            self.guard(ok);
            return Lanes::new(Ty::Pred, false, &[answer]);
        }
        let Some(code) = crate::jit::emit::ops::compare::int_code(cmp, num.is_signed()) else {
            return self.g.e.constant(Ty::Pred, false, 0);
        };
        let [at_low, at_high] = [low, high].map(|end| match which {
            0 => b.ins().icmp(code, end, other),
            _ => b.ins().icmp(code, other, end),
        });
        let same = b.ins().icmp(IntCC::Equal, at_low, at_high);
        let ok = b.ins().band(ok, same);
        self.guard(ok);
        Lanes::new(Ty::Pred, false, &[at_low])
    }

    /// Adds a guard that an affine value does not wrap at 32 bits in any lane.
    pub(crate) fn guard_no_wrap(&mut self, value: Lanes, stride: i64, signed: bool) {
        let Bounds { ok, .. } = self.bounds(value, stride, signed);
        self.guard(ok);
    }

    /// Adds a guard that the lanes' offsets, with `bytes` behind each, stay below `limit` and are aligned.
    pub(crate) fn guard_window(
        &mut self,
        (first, stride, step): (Value, i64, Option<Value>),
        bytes: u32,
        align: u32,
        limit: Value,
    ) {
        let (mut low, mut high) = (first, first);
        if stride != 0 || step.is_some() {
            (low, high) = self.extent(first, stride, step);
        }
        let e = &mut self.g.e;
        let end = e.b.ins().iadd_imm_s(high, i64::from(bytes));
        let mut ok = e.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, limit);
        if stride < 0 || step.is_some() {
            let above =
                e.b.ins()
                    .icmp_imm_s(IntCC::SignedGreaterThanOrEqual, low, 0);
            ok = e.b.ins().band(ok, above);
        }
        if align > 1 {
            let both = match step {
                Some(step) => e.b.ins().bor(first, step),
                None => first,
            };
            let odd = e.b.ins().band_imm_u(both, i64::from(align - 1));
            let even = e.b.ins().icmp_imm_u(IntCC::Equal, odd, 0);
            ok = e.b.ins().band(ok, even);
        }
        self.guard(ok);
    }

    pub(crate) fn guard(&mut self, ok: Value) {
        self.guards.push(ok);
    }

    /// Bails out at the block's start if a guard so far has failed.
    pub(crate) fn check_guards(&mut self) {
        let mut all: Option<Value> = None;
        for guard in std::mem::take(&mut self.guards) {
            all = Some(match all {
                None => guard,
                Some(a) => self.g.e.b.ins().band(a, guard),
            });
        }
        let Some(ok) = all else { return };
        self.bail_out_unless(ok);
    }

    /// The condition, or no in chaos.
    fn or_chaos(&mut self, ok: Value) -> Value {
        if !self.plan.chaos {
            return ok;
        }
        let lucky = self.lucky();
        self.g.e.b.ins().band(ok, lucky)
    }

    /// Yes, or at random no, one time of eight (I8). There must be chaos.
    pub(crate) fn lucky(&mut self) -> Value {
        let at = offset_of!(Env, chaos);
        let number = self.env_load(types::I64, at);
        let factor = self.g.e.iconst(types::I64, chaos::FACTOR as i64);
        let added = self.g.e.iconst(types::I64, chaos::ADDED as i64);
        let b = &mut self.g.e.b;
        let number = b.ins().imul(number, factor);
        let number = b.ins().iadd(number, added);
        b.ins().store(trusted(), number, self.env, at as i32);
        let rest = b.ins().ushr_imm_u(number, i64::from(chaos::FAILS_FROM));
        b.ins().icmp_imm_u(IntCC::NotEqual, rest, 0)
    }

    /// Bails out at the block's start unless the condition holds.
    pub(crate) fn bail_out_unless(&mut self, ok: Value) {
        let ok = self.or_chaos(ok);
        let exit = match self.bailout {
            Some(exit) => exit,
            None => {
                let exit = self.g.e.b.create_block();
                self.bailout = Some(exit);
                self.g.e.b.set_cold_block(exit);
                exit
            }
        };
        let on = self.g.e.b.create_block();
        self.g.e.b.ins().brif(ok, on, &[], exit, &[]);
        self.g.e.b.switch_to_block(on);
    }

    /// Emits the bailout that this block's guards jump to: to the block's twin for a boundary branch, else out of gang
    /// code. It is emitted after the block. Guards jump there before the block's results are stored, so the gang's
    /// state is still that of the block's start.
    pub(crate) fn finish_bailout(&mut self) {
        let Some(exit) = self.bailout.take() else {
            return;
        };
        self.g.e.b.switch_to_block(exit);
        if let Terminator::Branch {
            cond,
            mixed: Some(twin),
            ..
        } = self.plan.func.blocks[self.at.index()].end
            && self.plan.uniformity.of(cond).is_one_per_gang()
        {
            self.goto(self.at, twin);
            return;
        }
        self.leave(Exit::Bailout, self.at);
    }
}
