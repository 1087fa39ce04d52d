//! Prefetches of the next block's memory.
//!
//! Where warps run from barrier to barrier, a block's accesses to global memory come all at once, too far from those of
//! the block before for a processor to foresee. The next block's are mostly where a row of threads would go on. In
//! loops wide code looks ahead instead ([`WideInput::Ahead`](crate::jit::avx512::lower::WideInput)).

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
        let is_wanted = match inst {
            Inst::Load { .. } => true,
            // Others may write whole lines past the caches.
            Inst::Store { .. } => !self.plan.unordered,
            _ => false,
        };
        if !is_wanted
            || !self.locals
            || !self.plan.has_barrier
            || self.plan.in_loop[self.at.index()]
            || self.masked
            || addr.space != Space::Flat
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

#[cfg(test)]
mod tests {
    use crate::jit::llvm::warp::gang_code;
    use crate::jit::plan::Plan;

    /// Number of lines that code of a kernel prefetches, whose threads have addresses `bytes` apart in `%d`.
    fn lines(bytes: i64, code: &str) -> usize {
        let text = format!(
            ".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p) {{ .reg .pred %p; \
             .reg .b32 %r<4>; .reg .b64 %d<3>; mov.u32 %r0, %tid.x; ld.param.u64 %d0, [p]; \
             mul.wide.u32 %d1, %r0, {bytes}; add.u64 %d1, %d0, %d1; {code} ret; }}"
        );
        let plan = Plan::for_test(&text);
        let module = gang_code(&plan).expect("code");
        module.text.matches("call void @llvm.prefetch").count()
    }

    #[test]
    fn a_warps_lines_are_prefetched_once() {
        let twice = "ld.global.u32 %r1, [%d1]; bar.sync 0; ld.global.u32 %r2, [%d1+4]; \
                     add.u32 %r1, %r1, %r2; st.global.u32 [%d0], %r1;";
        assert_eq!(lines(4, twice), 2);
        assert_eq!(lines(32, twice), 16);
    }

    #[test]
    fn nothing_is_prefetched_without_barriers_in_loops_or_far_apart() {
        let load = "ld.global.u32 %r1, [%d1]; st.global.u32 [%d0], %r1;";
        assert_eq!(lines(4, load), 0);
        let far = format!("bar.sync 0; {load}");
        assert_eq!(lines(128, &far), 0);
        // In loops the wide code looks ahead.
        let again = format!("L: {load} setp.lt.u32 %p, %r1, 9; @%p bra L;");
        assert_eq!(lines(4, &format!("bar.sync 0; {again}")), lines(4, &again));
    }
}
