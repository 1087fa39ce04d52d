//! Addresses of gang mode's memory accesses, and the guards and checks under which they are legal.
//!
//! A uniform or affine address is checked once for the gang, in the scalar phase, with its whole span. A piecewise
//! affine or varying address is checked for each group of four lanes.

use crate::analysis::access_span::{Span, access_bytes};
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Address, Inst, Operand, Space, Ty};
use crate::jit::emit::value::{GROUP, Lanes};
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::{CheckedAddress, GangCodegen};
use crate::jit::runtime::layout::Env;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;

impl GangCodegen<'_, '_, '_, '_> {
    /// Returns lane 0's host address of an access with a uniform or affine base, and its stride and step. Adds the
    /// guards under which every lane's access is legal.
    fn checked_address(&mut self, addr: &Address, span: Span) -> CheckedAddress {
        let Span { bytes, align, .. } = span;
        let stride = match self.uniformity_of(addr.base) {
            Uniformity::Affine(stride) => stride,
            _ => 0,
        };
        let aligned = stride % i64::from(align) == 0;
        match addr.space {
            Space::Flat => {
                let base = self.scalar(addr.base, Ty::B64);
                let step = base.step.map(|step| self.wide_step(step));
                let base = self.wide_base(base);
                let first = self.offset(base, addr.offset);
                let mask = self.access_mask(align);
                let one = stride == 0 && step.is_none();
                let bounds = (!one).then(|| self.extent(first, stride, step));
                let (low, high) = match bounds {
                    Some((low, high)) => (low, Some(high)),
                    None => (first, None),
                };
                let mut wrong = self.outside_bits(low, high, span.extra());
                if let Some(step) = step {
                    if align > 1 {
                        let odd = self.g.e.b.ins().band_imm_u(step, i64::from(align - 1));
                        wrong = self.g.e.b.ins().bor(wrong, odd);
                    }
                    let near = self.near_rows(step);
                    self.guard(near);
                }
                let wrong = self.g.e.b.ins().band(wrong, mask);
                let ok = self.g.e.b.ins().icmp_imm_u(IntCC::Equal, wrong, 0);
                self.guard(ok);
                self.guard_constant(aligned);
                CheckedAddress {
                    address: first,
                    stride,
                    step,
                }
            }
            Space::Shared => {
                let limit = self.invariant(Invariant::SharedBytes);
                let (first, step) = self.window_offset(addr);
                let known = match addr.base {
                    Operand::Imm(at) => {
                        let at = (at as u32).wrapping_add(addr.offset as u32);
                        at.is_multiple_of(align)
                            && u64::from(at) + u64::from(bytes)
                                <= u64::from(self.plan.static_shared)
                    }
                    Operand::Reg(_) => false,
                };
                if !known {
                    self.guard_window((first, stride, step), bytes, align, limit);
                    self.guard_constant(aligned);
                }
                CheckedAddress {
                    address: {
                        let shared = self.invariant(Invariant::Shared);
                        self.g.e.b.ins().iadd(shared, first)
                    },
                    stride,
                    step,
                }
            }
            Space::Local => {
                let size = i64::from(self.plan.local_bytes);
                let limit = self.g.e.iconst(types::I64, size);
                let (first, step) = self.window_offset(addr);
                let known = match addr.base {
                    Operand::Imm(at) => {
                        let at = i64::from((at as u32).wrapping_add(addr.offset as u32));
                        at % i64::from(align) == 0 && at + i64::from(bytes) <= size
                    }
                    Operand::Reg(_) => false,
                };
                if !known {
                    self.guard_window((first, stride, step), bytes, align, limit);
                    self.guard_constant(aligned);
                }
                let local = self.local_base();
                let windows = self.window_step(i64::from(self.plan.local_bytes));
                CheckedAddress {
                    address: self.g.e.b.ins().iadd(local, first),
                    stride: stride + size,
                    step: step.zip(windows).map(|(a, b)| self.g.e.b.ins().iadd(a, b)),
                }
            }
            Space::Param | Space::Slot(_) => {
                let size = i64::from(self.plan.param_bytes);
                let limit = self.g.e.iconst(types::I64, size);
                let (first, step) = self.window_offset(addr);
                let known = match addr.base {
                    Operand::Imm(at) => {
                        let at = i64::from((at as u32).wrapping_add(addr.offset as u32));
                        at % i64::from(align) == 0 && at + i64::from(bytes) <= size
                    }
                    Operand::Reg(_) => false,
                };
                if !known {
                    self.guard_window((first, stride, step), bytes, align, limit);
                    self.guard_constant(aligned);
                }
                let params = self.env_load(types::I64, offset_of!(Env, params));
                CheckedAddress {
                    address: self.g.e.b.ins().iadd(params, first),
                    stride,
                    step,
                }
            }
        }
    }

    /// Returns the bits in which an address of a span differs from the base of the legal range. The lanes' addresses
    /// are between `low` and `high`.
    fn outside_bits(&mut self, low: Value, mut high: Option<Value>, extra: i64) -> Value {
        if extra != 0 {
            high = Some(self.offset(high.unwrap_or(low), extra));
        }
        let base = self.invariant(Invariant::SpaceBase);
        let wrong = self.g.e.b.ins().bxor(low, base);
        match high {
            None => wrong,
            Some(high) => {
                let far = self.g.e.b.ins().bxor(high, base);
                self.g.e.b.ins().bor(wrong, far)
            }
        }
    }

    fn guard_constant(&mut self, ok: bool) {
        if !ok {
            let never = self.g.e.iconst(types::I8, 0);
            self.guard(never);
        }
    }

    pub(crate) fn offset(&mut self, base: Value, by: i64) -> Value {
        if by == 0 {
            base
        } else {
            self.g.e.b.ins().iadd_imm_s(base, by)
        }
    }

    fn wide_base(&mut self, base: Lanes) -> Value {
        match base.ty {
            Ty::B64 => base.one(),
            _ => self.g.e.b.ins().uextend(types::I64, base.one()),
        }
    }

    /// Extends the step of an address to 64 bits.
    fn wide_step(&mut self, step: Value) -> Value {
        match self.g.e.b.func.dfg.value_type(step) {
            types::I64 => step,
            _ => self.g.e.b.ins().sextend(types::I64, step),
        }
    }

    /// Returns the bits in which a legal address equals the base of the range, and those that alignment requires to be
    /// 0.
    pub(crate) fn access_mask(&mut self, bytes: u32) -> Value {
        let mask = self.invariant(Invariant::SpaceMask);
        match bytes {
            1 => mask,
            _ => self.g.e.b.ins().bor_imm_u(mask, i64::from(bytes - 1)),
        }
    }

    /// Returns lane 0's offset into a window, as an I64 below 2³², and its step.
    fn window_offset(&mut self, addr: &Address) -> (Value, Option<Value>) {
        if let Operand::Imm(at) = addr.base {
            let at = (at as u32).wrapping_add(addr.offset as u32);
            return (self.g.e.iconst(types::I64, i64::from(at)), None);
        }
        let base = self.scalar(addr.base, Ty::B32);
        let long = base.ty == Ty::B64;
        let b = &mut self.g.e.b;
        let mut low = |value: Value| match long {
            true => b.ins().ireduce(types::I32, value),
            false => value,
        };
        let (mut word, step) = (low(base.one()), base.step.map(&mut low));
        if addr.offset != 0 {
            word = b.ins().iadd_imm_s(word, i64::from(addr.offset as i32));
        }
        let first = b.ins().uextend(types::I64, word);
        (first, step.map(|step| b.ins().sextend(types::I64, step)))
    }

    /// Emits, in the scalar phase, the guards and the address of a load or store that the lane phase performs.
    pub(crate) fn prepare_access(&mut self, i: usize, inst: &Inst) {
        let (Some(span), Some(addr)) = (self.spans[i], inst.address()) else {
            return;
        };
        // In a masked block the active lanes' accesses are checked one by one. Only flat addresses in wide code are
        // checked for all lanes, as those of the other lanes hardly ever leave the device's memory.
        let anywhere = self.plan.wide && addr.space == Space::Flat;
        if self.masked && !anywhere || !self.uniformity_of(addr.base).is_one_per_gang() {
            return;
        }
        self.ready[i] = self.address_in_span(i, addr, span);
        self.prefetch(i, inst, addr);
    }

    /// Returns the address and stride of an access in a span that its leader checks for the whole gang, or `None` if
    /// the leader has not done so.
    fn address_in_span(&mut self, i: usize, addr: &Address, span: Span) -> Option<CheckedAddress> {
        if span.leader == i {
            let ready = self.checked_address(&span.address(addr), span);
            self.checked[i] = Some(ready);
        }
        // All accesses of the span have the leader's base.
        let mut ready = self.checked[span.leader]?;
        ready.address = self.offset(ready.address, span.ahead(addr));
        Some(ready)
    }

    /// Emits guards and address of a load that the scalar phase performs. Returns the address.
    pub(crate) fn scalar_address(&mut self, i: usize, inst: &Inst, addr: &Address) -> Value {
        let shared = self.spans[i].and_then(|span| self.address_in_span(i, addr, span));
        match shared {
            Some(ready) => ready.address,
            // The scalar phase has not checked the span, as the block is masked.
            None => {
                let bytes = access_bytes(inst).unwrap_or(1);
                let own = Span {
                    leader: i,
                    low: addr.offset,
                    bytes,
                    align: bytes,
                };
                self.checked_address(addr, own).address
            }
        }
    }

    /// Returns the address of the group's first lane.
    fn group_address(&mut self, mut ready: CheckedAddress) -> Value {
        if let Some(step) = ready.step {
            let ahead = self.accumulated_skip(step, ready.stride);
            ready.address = self.g.e.b.ins().iadd(ready.address, ahead);
        }
        match ready.stride {
            0 => ready.address,
            1 => self.g.e.b.ins().iadd(ready.address, self.lane),
            s if s > 0 && (s as u64).is_power_of_two() => {
                let ahead = self
                    .g
                    .e
                    .b
                    .ins()
                    .ishl_imm_u(self.lane, i64::from(s.trailing_zeros()));
                self.g.e.b.ins().iadd(ready.address, ahead)
            }
            s => {
                let ahead = self.g.e.b.ins().imul_imm_s(self.lane, s);
                self.g.e.b.ins().iadd(ready.address, ahead)
            }
        }
    }

    /// Returns the address of the group's first lane and the stride, for an address that is not varying. Exits with a
    /// fault at instruction `i` if the address is illegal and was not checked for the gang.
    pub(crate) fn group_access_address(
        &mut self,
        i: usize,
        addr: &Address,
        bytes: u32,
    ) -> Option<CheckedAddress> {
        // If four lanes may span two rows, each lane needs its own address.
        let spans_rows =
            |ready: &CheckedAddress| ready.step.is_some() && self.plan.shape.breaks_fours();
        if let Some(ready) = self.ready[i].filter(|ready| !spans_rows(ready)) {
            let address = self.group_address(ready);
            return Some(CheckedAddress {
                address,
                step: None,
                ..ready
            });
        }
        let span = Span {
            leader: i,
            low: addr.offset,
            bytes,
            align: bytes,
        };
        self.group_span(i, addr, span)
    }

    /// Returns the address of the group's first lane in a span, and the stride.
    pub(crate) fn group_span(
        &mut self,
        i: usize,
        addr: &Address,
        span: Span,
    ) -> Option<CheckedAddress> {
        let Span { bytes, align, .. } = span;
        let stride = self.group_stride(addr, align)?;
        let base_ty = addr.base.reg().map_or(Ty::B64, |r| self.plan.func.ty(r));
        let base = self.group_scalar(addr.base, base_ty);
        let reach = stride * (self.group_lanes - 1);
        if addr.space == Space::Flat {
            let base = self.wide_base(base);
            let first = self.offset(base, addr.offset);
            let mask = self.access_mask(align);
            let last = (stride != 0).then(|| self.offset(first, reach));
            let (low, high) = match last {
                Some(last) if stride < 0 => (last, Some(first)),
                last => (first, last),
            };
            let wrong = self.outside_bits(low, high, span.extra());
            let wrong = self.g.e.b.ins().band(wrong, mask);
            self.group_fault(i, wrong, first, stride);
            return Some(CheckedAddress {
                address: first,
                stride,
                step: None,
            });
        }
        let word = match base.ty {
            Ty::B64 => self.g.e.b.ins().ireduce(types::I32, base.one()),
            _ => base.one(),
        };
        let word = match addr.offset as i32 {
            0 => word,
            by => self.g.e.b.ins().iadd_imm_s(word, i64::from(by)),
        };
        let first = self.g.e.b.ins().uextend(types::I64, word);
        let (limit, window, per_lane) = self.window(addr.space);
        let e = &mut self.g.e;
        let end = e.b.ins().iadd_imm_s(first, reach.max(0) + i64::from(bytes));
        let mut bad = e.b.ins().icmp(IntCC::UnsignedGreaterThan, end, limit);
        if reach < 0 {
            let below = e.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, first, -reach);
            bad = e.b.ins().bor(bad, below);
        }
        if align > 1 {
            let odd = e.b.ins().band_imm_u(first, i64::from(align - 1));
            let odd = e.b.ins().icmp_imm_u(IntCC::NotEqual, odd, 0);
            bad = e.b.ins().bor(bad, odd);
        }
        self.group_fault(i, bad, first, stride);
        let mut address = self.g.e.b.ins().iadd(window, first);
        if per_lane != 0 {
            let ahead = self.g.e.b.ins().imul_imm_s(self.lane, per_lane);
            address = self.g.e.b.ins().iadd(address, ahead);
        }
        Some(CheckedAddress {
            address,
            stride: stride + per_lane,
            step: None,
        })
    }

    /// Emits the exit for an illegal address in a group.
    fn group_fault(&mut self, i: usize, bad: Value, first: Value, stride: i64) {
        if self.group_lanes == GROUP as i64 {
            let addresses = std::array::from_fn(|n| self.offset(first, stride * n as i64));
            self.fault_if(bad, i as u32, Some(addresses));
        } else {
            // Wide code has not started yet, so that thread mode can find the faulting lane.
            let ok = self.g.e.b.ins().icmp_imm_u(IntCC::Equal, bad, 0);
            self.bail_out_unless(ok);
        }
    }

    /// Returns the stride of the addresses in a group, if it is constant and keeps them aligned.
    pub(crate) fn group_stride(&self, addr: &Address, bytes: u32) -> Option<i64> {
        let stride = match self.uniformity_of(addr.base) {
            Uniformity::PiecewiseAffine(stride) => stride,
            Uniformity::Affine(_) if self.plan.shape.breaks_fours() => return None,
            uniformity if self.masked => uniformity.stride()?,
            _ => return None,
        };
        (stride % i64::from(bytes) == 0).then_some(stride)
    }

    /// Returns the size and host address of a window, and the distance between the windows of neighbouring lanes.
    pub(crate) fn window(&mut self, space: Space) -> (Value, Value, i64) {
        match space {
            Space::Shared => (
                self.invariant(Invariant::SharedBytes),
                self.invariant(Invariant::Shared),
                0,
            ),
            Space::Local => {
                let bytes = i64::from(self.plan.local_bytes);
                let limit = self.g.e.iconst(types::I64, bytes);
                (limit, self.local_base(), bytes)
            }
            _ => {
                let limit = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(self.plan.param_bytes));
                (limit, self.env_load(types::I64, offset_of!(Env, params)), 0)
            }
        }
    }

    /// Returns the checked host addresses of the group's lanes. Exits with a fault at instruction `i` if one is
    /// illegal. Masked-off lanes get another legal address.
    pub(crate) fn checked_lanes(&mut self, i: usize, addr: &Address, bytes: u32) -> [Value; GROUP] {
        let base_ty = addr.base.reg().map_or(Ty::B64, |r| self.plan.func.ty(r));
        let base = self.group(addr.base, base_ty);
        if addr.space == Space::Flat {
            let base = crate::jit::emit::ops::convert::resize(
                &mut self.g.e,
                base,
                base.ty,
                Ty::B64,
                false,
            );
            let mut at = [base.parts()[0], base.parts()[1]];
            let mask = self.access_mask(bytes);
            let mask = self.g.e.b.ins().splat(types::I64X2, mask);
            let space_base = self.invariant(Invariant::SpaceBase);
            let origin = self.g.e.b.ins().splat(types::I64X2, space_base);
            let mut wrong = None;
            let lanes = self.mask.map(|mask| self.g.e.masks(mask.lanes, Ty::B64));
            let mut lanes = lanes.into_iter().flatten();
            for part in &mut at {
                if addr.offset != 0 {
                    let by = self.g.e.vconst64([addr.offset; 2]);
                    *part = self.g.e.b.ins().iadd(*part, by);
                }
                let mut off = self.g.e.b.ins().bxor(*part, origin);
                if let Some(lanes) = lanes.next() {
                    off = self.g.e.b.ins().band(off, lanes);
                }
                wrong = Some(match wrong {
                    None => off,
                    Some(w) => self.g.e.b.ins().bor(w, off),
                });
            }
            let addresses = [(0, 0), (0, 1), (1, 0), (1, 1)]
                .map(|(part, lane)| self.g.e.b.ins().extractlane(at[part], lane));
            if let Some(wrong) = wrong {
                let wrong = self.g.e.b.ins().band(wrong, mask);
                let any = self.g.e.b.ins().vany_true(wrong);
                let seen = self.lane_addresses(addresses, space_base);
                self.fault_if(any, i as u32, Some(seen));
            }
            let aside = self.scratch_address();
            return self.lane_addresses(addresses, aside);
        }
        let word =
            crate::jit::emit::ops::convert::resize(&mut self.g.e, base, base.ty, Ty::B32, false);
        let (limit, window, _) = self.window(addr.space);
        let zero = self.g.e.iconst(types::I64, 0);
        let mut offsets = [limit; GROUP];
        let mut bad: Option<Value> = None;
        for (n, offset) in offsets.iter_mut().enumerate() {
            let one = self.g.e.extract(word, n).one();
            let one = if addr.offset == 0 {
                one
            } else {
                self.g
                    .e
                    .b
                    .ins()
                    .iadd_imm_s(one, i64::from(addr.offset as i32))
            };
            let wide = self.g.e.b.ins().uextend(types::I64, one);
            let wide = self.lane_address(n, wide, zero);
            let end = self.g.e.b.ins().iadd_imm_u(wide, i64::from(bytes));
            let past = self
                .g
                .e
                .b
                .ins()
                .icmp(IntCC::UnsignedGreaterThan, end, limit);
            let past = match self.mask {
                Some(mask) => {
                    let bit = self.lane_bit(mask, n);
                    self.g.e.b.ins().band(past, bit)
                }
                None => past,
            };
            bad = Some(match bad {
                None => past,
                Some(b) => self.g.e.b.ins().bor(b, past),
            });
            *offset = wide;
        }
        if bytes > 1 {
            let all = offsets
                .into_iter()
                .reduce(|a, b| self.g.e.b.ins().bor(a, b));
            if let Some(all) = all {
                let odd = self.g.e.b.ins().band_imm_u(all, i64::from(bytes - 1));
                let odd = self.g.e.b.ins().icmp_imm_u(IntCC::NotEqual, odd, 0);
                bad = bad.map(|b| self.g.e.b.ins().bor(b, odd));
            }
        }
        if let Some(bad) = bad {
            self.fault_if(bad, i as u32, Some(offsets));
        }
        let mut addresses = offsets;
        for (n, address) in addresses.iter_mut().enumerate() {
            *address = self.g.e.b.ins().iadd(window, *address);
            if addr.space == Space::Local {
                let lane = self.g.e.b.ins().iadd_imm_u(self.lane, n as i64);
                let ahead = self
                    .g
                    .e
                    .b
                    .ins()
                    .imul_imm_s(lane, i64::from(self.plan.local_bytes));
                *address = self.g.e.b.ins().iadd(*address, ahead);
            }
        }
        let aside = self.scratch_address();
        self.lane_addresses(addresses, aside)
    }
}
