//! Calls from gang mode to wide code (AVX-512): the values that wide code needs, computed before the call, and its
//! arguments.
//!
//! The inputs are the scalar results, checked addresses and group values that the wide code names
//! ([`crate::jit::avx512::lower`]). They are stored to the argument area, and the wide function is called once for all
//! lanes of the gang. It returns whether an access was illegal.

use crate::analysis::shape::Shape;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Block, Operand, Reg, Shuffle, Space};
use crate::jit::avx512::{self, Body, GroupInput, LanePhaseInput, WideInput, Window, args};
use crate::jit::emit::value::{Lanes, part_type, trusted};
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::local::Local;
use crate::jit::gang::{GangCodegen, RegValue, Scalar, Votes};
use crate::jit::runtime::layout::{Env, Exit, Home};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value, types};
use cranelift_frontend::FunctionBuilder;
use std::mem::offset_of;

/// Creates the stack slot for the arguments of wide code. Its size is set when their number is known.
pub(crate) fn arguments(b: &mut FunctionBuilder) -> StackSlot {
    let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
    b.create_sized_stack_slot(data)
}

/// Sets the arguments that are the same in all blocks, for a gang: addresses of its first lane's slots of 2, 4 and 8
/// bytes, its number of lanes, its first mask bits, its state, the environment, and the row length.
pub(crate) fn set_header(b: &mut FunctionBuilder, slot: StackSlot, values: [Value; 8]) {
    b.func.sized_stack_slots[slot].size = args::VALUES as u32;
    let at = b.ins().stack_addr(types::I64, slot, 0);
    let places = [
        args::SLOTS_2,
        args::SLOTS_4,
        args::SLOTS_8,
        args::COUNT,
        args::BITS,
        args::GANG,
        args::ENV,
        args::WIDTH,
    ];
    for (value, place) in values.into_iter().zip(places) {
        b.ins().store(trusted(), value, at, place);
    }
}

impl GangCodegen<'_, '_, '_, '_> {
    /// Generates the wide code of a block's lane phase, if it is supported.
    pub(crate) fn wide_body(
        &mut self,
        block: &Block,
        scalars: &[Scalar],
        results: &[Reg],
    ) -> Option<Body> {
        if !self.wide || self.plan.shape == Shape::MultipleOf4 {
            return None;
        }
        let plan = self.plan;
        let ready: Vec<Option<i64>> = self.ready.iter().map(|r| r.map(|r| r.stride)).collect();
        let known: Vec<(usize, Reg, Uniformity, bool)> = scalars
            .iter()
            .map(|&(i, reg, value, uniformity)| (i, reg, uniformity, value.step.is_some()))
            .collect();
        let skips: Vec<bool> = self
            .checked
            .iter()
            .map(|c| c.is_some_and(|c| c.step.is_some()))
            .collect();
        let work = LanePhaseInput {
            plan,
            block,
            at: self.at,
            ready: &ready,
            spans: &self.spans,
            skips: &skips,
            scalars: &known,
            results,
            window: self.window.is_some(),
        };
        avx512::lower(&work)
    }

    /// Calls the wide code for all lanes of the gang.
    pub(crate) fn wide_loop(
        &mut self,
        block: &Block,
        scalars: &[Scalar],
        body: Body,
    ) -> Option<Votes> {
        let groups = self.wide_groups(block, scalars, &body);
        let bytes = args::VALUES as u32 + 8 * body.inputs.len() as u32;
        let slot = self.wide_args;
        let data = &mut self.g.e.b.func.sized_stack_slots[slot];
        data.size = data.size.max(bytes);
        let at = self.g.e.b.ins().stack_addr(types::I64, slot, 0);
        self.store_window(at, [args::FROM, args::END]);
        if let Some(groups) = groups {
            self.g.e.b.ins().store(trusted(), groups, at, args::GROUPS);
        }
        if body.votes {
            let votes = self.g.e.iconst(types::I64, 0xffff);
            self.g.e.b.ins().store(trusted(), votes, at, args::VOTES);
        }
        for (n, &input) in body.inputs.iter().enumerate() {
            let value = match input {
                WideInput::Skip(which) => self.input_skip_value(body.inputs[which], scalars),
                _ => self.input_value(input, scalars),
            };
            let offset = args::VALUES + 8 * n as i32;
            self.g.e.b.ins().store(trusted(), value, at, offset);
        }
        if body.rows {
            let (width, ahead) = (
                self.invariant(Invariant::Width),
                self.invariant(Invariant::Ahead),
            );
            let b = &mut self.g.e.b;
            let end = b.ins().isub(width, ahead);
            b.ins().store(trusted(), end, at, args::ROW_END);
        }
        self.store_scalars();
        let number = self.g.wide.len();
        self.g.wide.push(body.code);
        let target = match self.locals {
            true => Local::Wide(number as u32).address(self.g.e.b),
            false => {
                let table = self.env_load(types::I64, offset_of!(Env, wide));
                let b = &mut self.g.e.b;
                b.ins()
                    .load(types::I64, trusted(), table, number as i32 * 8)
            }
        };
        let failed = self.g.e.call_address(target, &[at]);
        self.forget();
        if body.fails {
            self.leave_if_failed(failed, body.whole_loop);
        }
        body.votes.then(|| {
            let b = &mut self.g.e.b;
            Votes {
                all: b.ins().sload16(types::I32, trusted(), at, args::VOTES),
                any: b.ins().uload16(types::I32, trusted(), at, args::VOTES + 4),
            }
        })
    }

    /// Leaves after a fault; `failed` is the exit if the code `is_exit`.
    fn leave_if_failed(&mut self, failed: Value, is_exit: bool) {
        let (bad, on) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        self.g.e.b.set_cold_block(bad);
        self.g.e.b.ins().brif(failed, bad, &[], on, &[]);
        self.g.e.b.switch_to_block(bad);
        let code = match is_exit {
            true => failed,
            false => self.g.e.iconst(types::I64, Exit::Fault.code(self.at)),
        };
        self.g.e.b.ins().return_(&[code]);
        self.g.e.b.switch_to_block(on);
    }

    /// Emits a shuffle of the whole gang in wide code. Returns false if there is no such code.
    pub(crate) fn wide_shuffle(&mut self, mode: Shuffle, by: u32, source: Home, dst: Home) -> bool {
        if !self.wide {
            return false;
        }
        let block = &self.plan.func.blocks[self.at.index()];
        let work = LanePhaseInput {
            plan: self.plan,
            block,
            at: self.at,
            ready: &[],
            spans: &[],
            skips: &[],
            scalars: &[],
            results: &[],
            window: self.window.is_some(),
        };
        let body = avx512::shuffle(&work, mode, by, source, dst);
        let found = body.is_some();
        if let Some(body) = body {
            _ = self.wide_loop(block, &[], body);
        }
        found
    }

    /// Computes the piecewise affine values that wide code needs, once for each group. Returns their address.
    fn wide_groups(&mut self, block: &Block, scalars: &[Scalar], body: &Body) -> Option<Value> {
        if body.group_inputs.is_empty() {
            return None;
        }
        let plan = self.plan;
        let step = 8 * body.group_inputs.len() as u32;
        let count = plan.layout.capacity.div_ceil(avx512::LANES as u32);
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, step * count, 3);
        let slot = self.g.e.b.create_sized_stack_slot(data);
        let start = self.g.e.b.ins().stack_addr(types::I64, slot, 0);
        let early = std::mem::replace(&mut self.early, false);
        let lanes = std::mem::replace(&mut self.group_lanes, i64::from(avx512::LANES));
        if self.one_warp() {
            for half in 0..2 {
                self.lane = self.g.e.iconst(types::I64, half * i64::from(avx512::LANES));
                let to = self.g.e.b.ins().iadd_imm_s(start, half * i64::from(step));
                self.wide_group(block, scalars, body, to);
            }
        } else {
            let groups = self.begin_visits(i64::from(avx512::LANES));
            // Half of a value's size per lane.
            let halves = i64::from(step) / 8;
            let ahead = self.g.e.b.ins().imul_imm_s(groups.at, halves);
            let ahead = self.g.e.b.ins().ushr_imm_u(ahead, 1);
            let to = self.g.e.b.ins().iadd(start, ahead);
            self.lane = groups.at;
            self.active_ahead = block
                .mask
                .and_then(|mask| self.active_ahead(mask, groups.at));
            self.wide_group(block, scalars, body, to);
            self.end_visits(&groups, i64::from(avx512::LANES));
        }
        self.group_lanes = lanes;
        self.active_ahead = None;
        self.early = early;
        Some(start)
    }

    /// Computes the values that wide code needs of the current group, and stores them from `to` on.
    fn wide_group(&mut self, block: &Block, scalars: &[Scalar], body: &Body, to: Value) {
        let plan = self.plan;
        let put = |this: &mut Self, input: GroupInput, value: Value| {
            if let Some(n) = body.group_inputs.iter().position(|w| *w == input) {
                this.g.e.b.ins().store(trusted(), value, to, 8 * n as i32);
            }
        };
        for &input in &body.group_inputs {
            if let GroupInput::LiveIn(reg) = input {
                let value = self.group_scalar(Operand::Reg(reg), plan.func.ty(reg));
                let value = self.long(value);
                put(self, input, value);
            }
        }
        let mut next = scalars.iter().peekable();
        for (i, inst) in block.insts.iter().enumerate() {
            while let Some((_, reg, value, uniformity)) = next.next_if(|(at, ..)| *at == i) {
                self.set(*reg, RegValue::Scalar(*value, *uniformity));
            }
            let input = GroupInput::Address(i);
            if let (Some(addr), Some(span), true) = (
                inst.address(),
                self.spans[i],
                body.group_inputs.contains(&input),
            ) && let Some(ready) = self.group_span(i, &span.address(addr), span)
            {
                put(self, input, ready.address);
            }
            if !body.by_group[i] {
                if !crate::analysis::uniformity::is_scalar(&plan.uniformity, block, inst) {
                    inst.defs(|reg| self.set(reg, RegValue::Deferred));
                }
                continue;
            }
            // These are operations and special registers only, which cannot fail.
            let _ = self.group_inst(i, inst);
            let mut defs = Vec::new();
            inst.defs(|reg| defs.push(reg));
            for reg in defs {
                let input = GroupInput::Result(i, reg);
                if body.group_inputs.contains(&input) {
                    let value = self.group_scalar(Operand::Reg(reg), plan.func.ty(reg));
                    let value = self.g.e.canonicalize_nans(value);
                    let value = self.long(value);
                    put(self, input, value);
                }
            }
        }
        self.forget();
    }

    /// Widens one lane's value to 64 bits; a predicate becomes a mask.
    fn long(&mut self, value: Lanes) -> Value {
        let part = value.one();
        match part_type(value.ty, false) {
            types::I64 => part,
            types::I8 => {
                let bit = self.g.e.b.ins().uextend(types::I64, part);
                self.g.e.b.ins().ineg(bit)
            }
            _ => self.g.e.b.ins().uextend(types::I64, part),
        }
    }

    /// Returns the skip of a value at the end of a row (I64).
    fn input_skip_value(&mut self, input: WideInput, scalars: &[Scalar]) -> Value {
        let (step, stride) = match input {
            WideInput::LiveIn(reg) => {
                let value = self.scalar(Operand::Reg(reg), self.plan.func.ty(reg));
                (value.step, self.plan.uniformity.of(reg).stride())
            }
            WideInput::Scalar(i, reg) => scalars
                .iter()
                .find(|(at, r, ..)| (*at, *r) == (i, reg))
                .map_or((None, None), |(_, _, value, uniformity)| {
                    (value.step, uniformity.stride())
                }),
            WideInput::Address(i) => match self.checked[i] {
                Some(ready) => (ready.step, Some(ready.stride)),
                None => (None, None),
            },
            _ => (None, None),
        };
        match step.zip(stride) {
            Some((step, stride)) => self.skip(step, stride),
            None => self.g.e.iconst(types::I64, 0),
        }
    }

    fn input_value(&mut self, input: WideInput, scalars: &[Scalar]) -> Value {
        let plan = self.plan;
        match input {
            WideInput::LiveIn(reg) => {
                let value = self.scalar(Operand::Reg(reg), plan.func.ty(reg));
                self.long(value)
            }
            WideInput::Scalar(i, reg) => {
                let found = scalars.iter().find(|(at, r, ..)| (*at, *r) == (i, reg));
                let Some(&(_, _, value, _)) = found else {
                    return self.g.e.iconst(types::I64, 0);
                };
                let value = self.g.e.canonicalize_nans(value);
                self.long(value)
            }
            WideInput::Address(i) => match self.checked[i] {
                Some(ready) => ready.address,
                None => self.g.e.iconst(types::I64, 0),
            },
            WideInput::Ahead(i) => {
                let Some(ready) = self.checked[i] else {
                    return self.g.e.iconst(types::I64, 0);
                };
                // The initial content of the slot gives a meaningless address, which is harmless for a prefetch.
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
                let slot = self.g.e.b.create_sized_stack_slot(data);
                let last = self.g.e.b.ins().stack_load(types::I64, types::I64, slot, 0);
                self.g
                    .e
                    .b
                    .ins()
                    .stack_store(types::I64, ready.address, slot, 0);
                let step = self.g.e.b.ins().isub(ready.address, last);
                self.g.e.b.ins().ishl_imm_u(step, 1)
            }
            WideInput::Keep(i) => {
                let mask = self.env_load(types::I64, offset_of!(Env, stream_mask));
                let Some(ready) = self.checked[i] else {
                    return mask;
                };
                let b = &mut self.g.e.b;
                let all = match ready.step {
                    Some(step) => b.ins().bor(ready.address, step),
                    None => ready.address,
                };
                b.ins().band(all, mask)
            }
            // A skip is computed from another input's value.
            WideInput::Skip(_) => self.g.e.iconst(types::I64, 0),
            WideInput::SpaceBase => self.invariant(Invariant::SpaceBase),
            WideInput::SpaceMask(bytes) => self.access_mask(bytes),
            WideInput::Window(window) => {
                let (_, at, _) = self.window(space(window));
                at
            }
            WideInput::Limit(window, bytes) => {
                let (size, ..) = self.window(space(window));
                let e = &mut self.g.e;
                let past = e.b.ins().iadd_imm_s(size, 1 - i64::from(bytes));
                let none = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, past, 0);
                let zero = e.iconst(types::I64, 0);
                e.b.ins().select(none, zero, past)
            }
        }
    }
}

fn space(window: Window) -> Space {
    match window {
        Window::Shared => Space::Shared,
        Window::Local => Space::Local,
        Window::Param => Space::Param,
    }
}
