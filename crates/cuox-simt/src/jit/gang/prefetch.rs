//! Prefetches of the next block's memory.
//!
//! Where warps run from barrier to barrier, a block's accesses to global memory come all at once, too far from those of
//! the block before for a processor to foresee. The next block's are mostly where a row of threads would go on.

use crate::ir::{Address, Inst, Space};
use crate::jit::gang::GangCodegen;
use crate::jit::gang::local::Local;
use crate::jit::runtime::layout::Env;
use cranelift_codegen::ir::{InstBuilder, types};
use std::mem::offset_of;

/// Bytes of a cache line.
const LINE: i64 = 64;
/// Most bytes between neighbouring threads' addresses.
const MOST: i64 = LINE;
/// Threads of a warp.
const THREADS: i64 = 32;

impl GangCodegen<'_, '_, '_, '_> {
    /// Emits, behind the address of a warp's access, prefetches of what the same warp of the next block accesses, if
    /// the code takes warps over barriers. Has an effect once for each register that addresses begin with.
    pub(crate) fn prefetch(&mut self, i: usize, inst: &Inst, addr: &Address) {
        let Some(ready) = self.ready[i] else {
            return;
        };
        if !self.locals
            || !self.plan.has_barrier
            || self.plan.in_loop[self.at.index()]
            || self.masked
            || addr.space != Space::Flat
            || !matches!(inst, Inst::Load { .. } | Inst::Store { .. })
            || !(1..=MOST).contains(&ready.stride)
            || !self.prefetched.insert(addr.base)
        {
            return;
        }
        let row = self.env_load(types::I32, offset_of!(Env, block));
        let b = &mut self.g.e.b;
        let row = b.ins().uextend(types::I64, row);
        let ahead = b.ins().imul_imm_s(row, ready.stride);
        let next = b.ins().iadd(ready.address, ahead);
        for at in (0..ready.stride * THREADS).step_by(LINE as usize) {
            let line = self.g.e.b.ins().iadd_imm_s(next, at);
            let target = Local::Prefetch.address(self.g.e.b);
            self.g.e.call_address(target, &[line]);
        }
    }
}
