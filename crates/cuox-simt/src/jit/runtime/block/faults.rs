//! Faults of generated code: their kind, position and message.
//!
//! Generated code reports the instruction, and the lane or the address. The message is composed here from the IR, in
//! the words that the interpreter uses.

use crate::ir::Address;
use crate::jit::runtime::block::*;
use crate::jit::runtime::guard;
use crate::passes::call_flattening::PAST_THE_STACK;

impl JitBlock<'_> {
    /// Adds the places where threads are, those that have ended left out.
    pub(in crate::jit) fn add_places(&self, add: &mut dyn FnMut(Place)) {
        let blocks = &self.compiled.plan.func.blocks;
        let first = |block: usize| blocks[block].lines.first().copied();
        let last = |block: usize| blocks[block].lines.last().copied();
        let mut put = |line: Option<u32>, waits: Waits, thread: u32, threads: u32| {
            if threads > 0 {
                add(Place {
                    line: line.unwrap_or(0),
                    waits,
                    threads,
                    thread: self.grid.tid(thread),
                    block: self.block.ctaid,
                });
            }
        };
        for (w, warp) in self.warps.iter().enumerate() {
            let start = w as u32 * 32;
            let gang = warp.gang.min(self.warps.len() - w);
            let all = || self.warps[w..w + gang].iter();
            let threads = all().map(|warp| warp.alive.count_ones()).sum();
            match warp.mode {
                Mode::Gang(block) => put(first(block.index()), Waits::No, start, threads),
                Mode::GangAtBarrier(block, _) => {
                    put(last(block.index()), Waits::Barrier, start, threads);
                }
                Mode::GangAtCluster(block) => {
                    put(last(block.index()), Waits::Cluster, start, threads);
                }
                Mode::Threads if w >= self.started => {
                    put(first(0), Waits::No, start, warp.alive.count_ones());
                }
                Mode::Threads => {
                    let lanes = &warp.lanes;
                    let mut next = lanes.pcs.first(0, 0);
                    while let Some(block) = next {
                        let here = lanes.pcs.lanes_at(block);
                        let thread = start + here.trailing_zeros();
                        put(first(block), Waits::No, thread, here.count_ones());
                        next = lanes.pcs.first(block + 1, 0);
                    }
                    for (waiting, waits) in [
                        (lanes.in_barrier, Waits::Barrier),
                        (lanes.in_cluster, Waits::Cluster),
                        (lanes.in_op, Waits::Warp),
                    ] {
                        for lane in sem::warp::lanes_of(waiting) {
                            let line = last(lanes.block[lane] as usize);
                            put(line, waits, start + lane as u32, 1);
                        }
                    }
                }
                Mode::Member | Mode::Done => {}
            }
        }
    }

    pub(in crate::jit) fn place(
        &self,
        mut fault: Fault,
        thread: Option<u32>,
        line: Option<u32>,
    ) -> Fault {
        fault.block.get_or_insert(self.block.ctaid);
        if fault.thread.is_none() {
            fault.thread = thread.map(|t| self.grid.tid(t));
        }
        fault.line = fault.line.or(line);
        fault
    }

    pub(in crate::jit) fn trapped(&self, w: usize, trap: trap::Trap) -> Fault {
        if let Some(fault) = guard::take_panic().or_else(|| self.runtime.take_fault()) {
            return self.place(fault, None, None);
        }
        let kind = match trap.signal {
            libc::SIGILL | libc::SIGFPE => FaultKind::IllegalInstruction,
            _ => FaultKind::IllegalAddress,
        };
        let message = format!(
            "access to address {:#x}, which no allocation covers (a thread of warp {w})",
            trap.address
        );
        self.place(Fault::new(kind, message).at(trap.address), None, None)
    }

    pub(in crate::jit) fn gang_fault(&self, w: usize, block: BlockId) -> Fault {
        let state = self.state(w);
        let header = state.gang();
        if header.fault_inst == RUNTIME_FAULT {
            return self.runtime_fault();
        }
        let plan = &self.compiled.plan;
        let number = header.fault_inst as usize;
        let found = plan.block(block);
        if let Some(inst) = found.and_then(|block| block.insts.get(number)) {
            let line = found.and_then(|block| block.lines.get(number));
            for (n, &address) in header.scratch.iter().enumerate().take(4) {
                if let Some(fault) = self.bad_access(inst, address) {
                    let thread = header.first as u32 + header.fault_lane + n as u32;
                    return self.place(fault, Some(thread), line.copied());
                }
            }
        }
        self.place(
            Fault::new(FaultKind::IllegalAddress, "an illegal address"),
            None,
            None,
        )
    }

    pub(in crate::jit) fn runtime_fault(&self) -> Fault {
        self.runtime
            .take_fault()
            .unwrap_or_else(|| Fault::new(FaultKind::IllegalInstruction, "a device service failed"))
    }

    /// Returns the fault of an access at `address` (an offset, for windows), if the access is illegal.
    pub(in crate::jit) fn bad_access(&self, inst: &Inst, address: u64) -> Option<Fault> {
        let (what, bytes) = match inst {
            Inst::Load { dsts, ty, .. } => ("read", ty.bytes() * dsts.len() as u32),
            Inst::Store { srcs, ty, .. } => ("write", ty.bytes() * srcs.len() as u32),
            Inst::Atomic { num, packed, .. } => {
                ("atomic access", if *packed { 4 } else { num.ty().bytes() })
            }
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => return None,
        };
        let plan = &self.compiled.plan;
        let Address { space, base, .. } = *inst.address()?;
        // The address is beyond the stack, or the frame starts beyond the end of local memory.
        let full = match space {
            Space::Flat => {
                let room = u64::from(plan.stack_bytes) * u64::from(plan.layout.capacity);
                let past = address.wrapping_sub(PAST_THE_STACK);
                past.wrapping_sub(self.env.stack) < 2 * room
            }
            _ => {
                let framed = base.reg().is_some_and(|reg| plan.steady.contains(&reg));
                framed && address + u64::from(bytes) > u64::from(plan.local_bytes)
            }
        };
        if full {
            let message = format!("the stack of {} bytes a thread is full", plan.stack_bytes);
            return Some(Fault::new(FaultKind::StackOverflow, message));
        }
        let (limit, name) = match space {
            Space::Flat => {
                let (base, mask) = space::check();
                if (address ^ base) & mask != 0 {
                    let message = format!(
                        "{what} of {bytes} bytes at address {address:#x}, which no allocation covers"
                    );
                    return Some(Fault::new(FaultKind::IllegalAddress, message).at(address));
                }
                (u64::MAX, "")
            }
            Space::Shared => (u64::from(self.grid.shared_bytes), "shared"),
            Space::Local => (u64::from(self.compiled.plan.local_bytes), "local"),
            Space::Param | Space::Slot(_) => {
                (u64::from(self.compiled.plan.param_bytes), "parameter")
            }
        };
        if space != Space::Flat && address + u64::from(bytes) > limit {
            let message = format!(
                "{what} of {bytes} bytes at offset {address:#x} of {name} memory, which has {limit} bytes"
            );
            return Some(Fault::new(FaultKind::IllegalAddress, message));
        }
        if !address.is_multiple_of(u64::from(bytes)) {
            let message = format!(
                "{what} of {bytes} bytes at address {address:#x}, which is not a multiple of {bytes}"
            );
            return Some(Fault::new(FaultKind::MisalignedAddress, message));
        }
        None
    }
}
