//! One thread: its frames, and the execution of instructions.

use super::memory::{Transfer, order_fence};
use super::warp::Meeting;
use super::{Env, memory};
use crate::analysis::loop_nest::Turns;
use crate::env::{WARP, WARP_IDS};
use crate::fault::{Fault, FaultKind};
use crate::image::Words;
use crate::ir::{
    Args, BlockId, Callee, Function, Inst, Mask, Op, Operand, Order, Reg, Special, Terminator, Ty,
};
use crate::{clock, sem, space, syscall};
use std::cmp::Ordering;

/// The smallest stack size of a call, besides the callee's local variables.
const CALL_BYTES: u64 = 8;
/// Instructions that a thread still runs in a slice after a turn of a loop in which it may wait for another thread.
const TURNS: u32 = 64;
/// The largest total size of the frames of a block's threads on the host.
const MAX_FRAME_BYTES: usize = 512 << 20;

/// The state of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// It can run.
    Runnable,
    /// It has arrived at a barrier and waits.
    Barrier { id: usize },
    /// It is at a barrier at which it has already arrived.
    Refused { id: usize },
    /// It waits at the cluster's barrier.
    Cluster,
    /// It waits for other lanes.
    Warp {
        meeting: Meeting,
        /// The round in which it began to, or in which others last got on.
        since: u32,
    },
    /// It has exited.
    Exited,
}

/// The reason why a thread stopped.
pub(super) enum Stop {
    /// Its slice has ended.
    Budget,
    /// It sleeps.
    Paused,
    /// It is at a barrier or warp operation.
    Waits,
    /// It has exited.
    Exited,
}

/// The events of a thread's slice.
pub(super) struct Slice {
    pub stop: Stop,
    pub instructions: u32,
    /// True if it read memory in a way that sees changes by other threads.
    pub looked: bool,
    /// True if it ran through a loop in which it may wait for another thread of its warp.
    pub waited: bool,
}

impl Slice {
    /// Adds the events of a later slice.
    pub fn add(&mut self, next: Slice) {
        self.stop = next.stop;
        self.instructions = self.instructions.saturating_add(next.instructions);
        self.looked |= next.looked;
        self.waited |= next.waited;
    }
}

/// A function call in progress.
pub(super) struct Frame {
    /// Index into the unit's functions, the kernel first.
    pub function: usize,
    pub block: u32,
    /// Index into the block's instructions; their number stands for the terminator.
    pub inst: u32,
    /// Values of registers, zero-extended.
    pub regs: Vec<u64>,
    /// Upper halves of 128-bit registers; empty if the function has none.
    high: Vec<u64>,
    pub slots: Vec<Vec<u8>>,
    /// The start of the frame in the thread's local window.
    pub local: u32,
    turns: Turns,
}

impl Frame {
    fn new(env: &Env<'_>, function: usize, local: u32) -> Frame {
        let prepared = &env.functions[function];
        let f = &prepared.function;
        Frame {
            function,
            block: 0,
            inst: 0,
            regs: vec![0; f.regs.len()],
            high: vec![0; if prepared.wide { f.regs.len() } else { 0 }],
            slots: f.slots.iter().map(|s| vec![0; s.size as usize]).collect(),
            local,
            turns: Turns::default(),
        }
    }

    /// Returns the low 64 bits of an operand.
    pub fn operand(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Reg(reg) => self.regs[reg.index()],
            Operand::Imm(bits) => bits,
        }
    }

    fn wide_operand(&self, operand: Operand) -> u128 {
        let high = operand
            .reg()
            .and_then(|reg| self.high.get(reg.index()))
            .copied()
            .unwrap_or(0);
        u128::from(high) << 64 | u128::from(self.operand(operand))
    }

    fn write_wide(&mut self, reg: Reg, value: u128) {
        self.regs[reg.index()] = value as u64;
        if let Some(high) = self.high.get_mut(reg.index()) {
            *high = (value >> 64) as u64;
        }
    }

    /// Continues at the start of a block.
    pub fn go(&mut self, env: &Env<'_>, to: BlockId) {
        let nest = &env.functions[self.function].nest;
        nest.jump(&mut self.turns, self.block, to.0);
        self.block = to.0;
        self.inst = 0;
    }
}

/// A thread of a block.
pub(super) struct Thread {
    /// Its linear number in the block.
    pub index: u32,
    /// Its frames, the innermost last; never empty.
    frames: Vec<Frame>,
    pub status: Status,
    /// True if its last slice went through a loop in which it may wait for another thread of its warp, or slept.
    pub waited: bool,
}

/// The next step after an instruction.
enum Then {
    Next,
    Called,
}

impl Thread {
    pub fn new(env: &Env<'_>, index: u32) -> Thread {
        Thread {
            index,
            frames: vec![Frame::new(env, 0, 0)],
            status: Status::Runnable,
            waited: false,
        }
    }

    /// Returns the innermost frame.
    pub fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Returns the terminator of the thread's block.
    pub fn terminator<'a>(&self, env: &Env<'a>) -> &'a Terminator {
        let top = self.top();
        &env.functions[top.function].function.blocks[top.block as usize].end
    }

    /// Returns the thread's PTX line.
    pub fn line(&self, env: &Env<'_>) -> Option<u32> {
        let top = self.top();
        let block = &env.functions[top.function].function.blocks[top.block as usize];
        block.lines.get(top.inst as usize).copied()
    }

    /// Compares its position with that of another thread of the warp. One that is less is behind: it may still reach
    /// the other's.
    pub fn position(&self, other: &Thread, env: &Env<'_>) -> Ordering {
        for (this, other) in self.frames.iter().zip(&other.frames) {
            let nest = &env.functions[this.function].nest;
            let order = this.function.cmp(&other.function).then_with(|| {
                let blocks = ((this.block, &this.turns), (other.block, &other.turns));
                nest.compare(blocks.0, blocks.1)
            });
            let order = order.then(this.inst.cmp(&other.inst));
            if order != Ordering::Equal {
                return order;
            }
        }
        // A thread that has returned is further than one in the call.
        other.frames.len().cmp(&self.frames.len())
    }

    /// Runs to the end of the block in which it has executed `budget` instructions.
    pub fn run(
        &mut self,
        env: &Env<'_>,
        budget: u32,
        frame_bytes: &mut usize,
    ) -> Result<Slice, Fault> {
        let mut slice = Slice {
            stop: Stop::Budget,
            instructions: 0,
            looked: false,
            waited: false,
        };
        match self.run_blocks(env, budget, frame_bytes, &mut slice) {
            Ok(stop) => {
                slice.stop = stop;
                Ok(slice)
            }
            Err(mut fault) => {
                fault.line = self.line(env);
                Err(env.at_thread(fault, self.index))
            }
        }
    }

    fn run_blocks(
        &mut self,
        env: &Env<'_>,
        mut budget: u32,
        frame_bytes: &mut usize,
        slice: &mut Slice,
    ) -> Result<Stop, Fault> {
        while slice.instructions < budget {
            let top = self.top();
            let function = &env.functions[top.function].function;
            let block = &function.blocks[top.block as usize];
            let mut first = top.inst as usize;
            slice.instructions += 1;
            let holds = |mask: Mask| top.regs[mask.reg.index()] & 1 == 1;
            let off = block.mask.is_some_and(|mask| holds(mask) == mask.negated);
            if off && first == 0 {
                first = block.insts.len();
            }
            let mut called = false;
            for inst in &block.insts[first.min(block.insts.len())..] {
                slice.instructions += 1;
                slice.looked |= looks(inst);
                match self.step(env, function, inst, frame_bytes)? {
                    Then::Next => self.top_mut().inst += 1,
                    Then::Called => {
                        called = true;
                        break;
                    }
                }
            }
            if called {
                continue;
            }
            let here = self.top();
            if env.functions[here.function].looks[here.block as usize] {
                // It may go round until another thread runs.
                slice.waited = true;
                budget = budget.min(slice.instructions + TURNS);
            }
            let top = self.top_mut();
            match &block.end {
                Terminator::Jump(to) => top.go(env, *to),
                Terminator::Branch {
                    cond, then, other, ..
                } => {
                    let to = if top.regs[cond.index()] & 1 == 1 {
                        then
                    } else {
                        other
                    };
                    top.go(env, *to);
                }
                Terminator::Switch { index, targets, .. } => {
                    let index = top.operand(*index) as u32;
                    match targets.get(index as usize) {
                        Some(to) => top.go(env, *to),
                        None => {
                            return Err(Fault::new(
                                FaultKind::IllegalInstruction,
                                format!(
                                    "branch index {index} is not below the {} targets",
                                    targets.len()
                                ),
                            ));
                        }
                    }
                }
                Terminator::Exit => return Ok(Stop::Exited),
                Terminator::Return => {
                    if !self.leave(env, frame_bytes) {
                        return Ok(Stop::Exited);
                    }
                }
                Terminator::Trap => {
                    return Err(Fault::new(FaultKind::Trap, "the kernel executed trap"));
                }
                Terminator::Pause { next } => {
                    top.go(env, *next);
                    slice.looked = true;
                    return Ok(Stop::Paused);
                }
                Terminator::Warp { next, .. } if off => top.go(env, *next),
                Terminator::Barrier { .. }
                | Terminator::Cluster { .. }
                | Terminator::Warp { .. } => return Ok(Stop::Waits),
            }
        }
        Ok(Stop::Budget)
    }

    fn step(
        &mut self,
        env: &Env<'_>,
        function: &Function,
        inst: &Inst,
        frame_bytes: &mut usize,
    ) -> Result<Then, Fault> {
        match inst {
            Inst::Op { dst, op, args } => self.compute(env, *dst, *op, args),
            Inst::Special { dst, special } => {
                let value = self.special(env, *special);
                self.top_mut().regs[dst.index()] = value;
            }
            Inst::SymbolAddress { dst, variable } => {
                let Some(&address) = env.grid.symbols.get(*variable as usize) else {
                    return Err(Fault::new(
                        FaultKind::IllegalInstruction,
                        format!("module variable {variable} has no address"),
                    ));
                };
                self.top_mut().regs[dst.index()] = address;
            }
            Inst::FunctionAddress { dst, func } => {
                self.top_mut().regs[dst.index()] = u64::from(func.0) + 1;
            }
            Inst::Load {
                dsts,
                ty,
                signed,
                addr,
                order,
            } => {
                let mut t = Transfer::new(dsts.len(), ty.bytes(), false);
                self.transfer(env, addr, *order, &mut t)?;
                let top = self.top_mut();
                for (dst, value) in dsts.iter().zip(t.values) {
                    if let Some(dst) = dst {
                        top.write_wide(*dst, extend(value, *ty, function.ty(*dst), *signed));
                    }
                }
            }
            Inst::Store {
                srcs,
                ty,
                addr,
                order,
            } => {
                let mut t = Transfer::new(srcs.len(), ty.bytes(), true);
                for (value, src) in t.values.iter_mut().zip(srcs) {
                    *value = self.top().wide_operand(*src);
                }
                self.transfer(env, addr, *order, &mut t)?;
            }
            Inst::Atomic {
                dst,
                op,
                num,
                packed,
                addr,
                args,
                ..
            } => {
                let mut values = [0; 2];
                for (value, arg) in values.iter_mut().zip(args.iter()) {
                    *value = self.top().wide_operand(*arg);
                }
                let old = self.update(env, addr, (*op, *num, *packed), values)?;
                if let Some(dst) = dst {
                    self.top_mut().write_wide(*dst, old);
                }
            }
            Inst::Check { addr, access } => self.check(env, addr, *access)?,
            Inst::Fence(order) => order_fence(*order),
            Inst::Syscall { dst, call, args } => {
                let mut values = [0; 8];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = self.top().operand(*arg);
                }
                let result = syscall::perform(
                    env.grid,
                    &env.block,
                    self.index,
                    *call,
                    &values[..args.len().min(8)],
                    &mut |address, into| memory::read(env, address, into),
                )?;
                if let Some(dst) = dst {
                    self.top_mut().regs[dst.index()] = result & function.ty(*dst).mask();
                }
            }
            Inst::Image { dsts, op, args } => {
                let mut words = Words::default();
                for (n, arg) in args.iter().enumerate() {
                    let value = self.top().operand(*arg);
                    match n {
                        0 => words.handles[0] = value,
                        n => words.rows[n - 1][0] = value as u32,
                    }
                }
                memory::image(env, *op, &mut words)?;
                for (dst, row) in dsts.iter().zip(&words.rows) {
                    if let Some(dst) = dst {
                        self.top_mut().regs[dst.index()] = u64::from(row[0]);
                    }
                }
            }
            Inst::Call { callee, args, .. } => {
                self.call(env, callee, args, frame_bytes)?;
                return Ok(Then::Called);
            }
        }
        Ok(Then::Next)
    }

    fn compute(&mut self, env: &Env<'_>, dst: Reg, op: Op, args: &Args) {
        let top = self.top_mut();
        if env.functions[top.function].wide {
            let mut values = [0; 4];
            for (value, arg) in values.iter_mut().zip(args.iter()) {
                *value = top.wide_operand(*arg);
            }
            top.write_wide(dst, sem::eval128(op, &values));
        } else {
            let mut values = [0; 4];
            for (value, arg) in values.iter_mut().zip(args.iter()) {
                *value = top.operand(*arg);
            }
            top.regs[dst.index()] = sem::eval(op, &values);
        }
    }

    fn special(&self, env: &Env<'_>, special: Special) -> u64 {
        let grid = env.grid;
        let axis = |v: [u32; 3], axis: u8| u64::from(v.get(axis as usize).copied().unwrap_or(0));
        let lane = self.index % WARP;
        let below = (1u64 << lane) - 1;
        match special {
            Special::Tid(a) => axis(grid.tid(self.index), a),
            Special::Ntid(a) => axis(grid.block, a),
            Special::Ctaid(a) => axis(env.block.ctaid, a),
            Special::Nctaid(a) => axis(grid.grid, a),
            Special::ClusterNctaid(a) => axis(grid.cluster, a),
            Special::ClusterRank => u64::from(env.block.rank),
            Special::ExplicitCluster => u64::from(grid.explicit_cluster),
            Special::LaneId => u64::from(lane),
            Special::WarpId => u64::from(self.index / WARP),
            Special::NWarpId => u64::from(WARP_IDS),
            Special::SmId => u64::from(env.block.worker),
            Special::NSmId => u64::from(grid.multiprocessors),
            Special::GridId => grid.grid_id,
            Special::LaneMaskEq => 1 << lane,
            Special::LaneMaskLt => below,
            Special::LaneMaskLe => below << 1 | 1,
            Special::LaneMaskGt => !(below << 1 | 1) & 0xffff_ffff,
            Special::LaneMaskGe => !below & 0xffff_ffff,
            Special::Clock => clock::read(special) & 0xffff_ffff,
            Special::Clock64 | Special::GlobalTimer => clock::read(special),
            Special::DynamicSharedSize => u64::from(grid.dynamic_shared),
            Special::TotalSharedSize => u64::from(grid.shared_bytes),
            Special::EnvReg(n) => grid.envregs.get(n as usize).copied().map_or(0, u64::from),
            Special::SharedBase => env.block.shared,
            Special::LocalBase => {
                let window = u64::from(self.index) * u64::from(grid.local_bytes);
                env.block.local + window + u64::from(self.top().local)
            }
            Special::LocalWindow => space::local_window(),
            Special::ParamBase => grid.params,
            // Used by flattened calls only, which the interpreter does not run.
            Special::Stack => 0,
        }
    }

    fn call(
        &mut self,
        env: &Env<'_>,
        callee: &Callee,
        args: &[u32],
        frame_bytes: &mut usize,
    ) -> Result<(), Fault> {
        let top = self.top();
        let target = match callee {
            Callee::Direct(id) => id.0 as usize + 1,
            Callee::Indirect(handle) => {
                let handle = top.operand(*handle);
                if handle == 0 || handle >= env.functions.len() as u64 {
                    return Err(Fault::new(
                        FaultKind::IllegalInstruction,
                        format!("call through {handle:#x}, which is not a device function"),
                    ));
                }
                handle as usize
            }
        };
        let prepared = &env.functions[target];
        let used = env.functions[top.function].function.local_bytes;
        let local = u64::from(top.local) + u64::from(used).next_multiple_of(16);
        let end = local + u64::from(prepared.function.local_bytes);
        let own = u64::from(env.functions[0].function.local_bytes).next_multiple_of(16);
        let stack = u64::from(env.grid.local_bytes).saturating_sub(own);
        if end > u64::from(env.grid.local_bytes).max(u64::from(top.local))
            && prepared.function.local_bytes > 0
            || self.frames.len() as u64 * CALL_BYTES > stack
            || *frame_bytes + prepared.frame_bytes > MAX_FRAME_BYTES
        {
            return Err(Fault::new(
                FaultKind::StackOverflow,
                format!(
                    "call of {} at depth {}: the stack of {} bytes a thread is full",
                    prepared.function.name,
                    self.frames.len(),
                    env.grid.local_bytes
                ),
            ));
        }
        *frame_bytes += prepared.frame_bytes;
        let mut frame = Frame::new(env, target, local.min(u64::from(u32::MAX)) as u32);
        for (param, arg) in prepared.function.params.iter().zip(args) {
            copy_slot(&self.top().slots, *arg, &mut frame.slots, *param);
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Returns to the caller; returns false if there is none.
    fn leave(&mut self, env: &Env<'_>, frame_bytes: &mut usize) -> bool {
        if self.frames.len() < 2 {
            return false;
        }
        let Some(done) = self.frames.pop() else {
            return false;
        };
        let prepared = &env.functions[done.function];
        *frame_bytes = frame_bytes.saturating_sub(prepared.frame_bytes);
        let top = self.top_mut();
        let block = &env.functions[top.function].function.blocks[top.block as usize];
        if let Some(Inst::Call { results, .. }) = block.insts.get(top.inst as usize) {
            for (from, to) in prepared.function.results.iter().zip(results) {
                copy_slot(&done.slots, *from, &mut top.slots, *to);
            }
        }
        top.inst += 1;
        true
    }
}

fn copy_slot(from: &[Vec<u8>], source: u32, to: &mut [Vec<u8>], target: u32) {
    if let (Some(source), Some(target)) = (from.get(source as usize), to.get_mut(target as usize)) {
        let len = source.len().min(target.len());
        target[..len].copy_from_slice(&source[..len]);
    }
}

/// Returns true if repeating the instruction sees changes by other threads.
fn looks(inst: &Inst) -> bool {
    match inst {
        Inst::Load { order, .. } => *order != Order::Plain,
        Inst::Atomic { .. } | Inst::Fence(_) => true,
        _ => false,
    }
}

/// Returns an element as the value of a register.
fn extend(value: u128, from: Ty, to: Ty, signed: bool) -> u128 {
    let shift = 128 - from.bits();
    let value = if signed {
        ((value << shift) as i128 >> shift) as u128
    } else {
        value
    };
    match to {
        Ty::B128 => value,
        _ => value & u128::from(to.mask()),
    }
}
