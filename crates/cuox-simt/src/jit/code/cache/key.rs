//! Cache keys: hashes of everything that a part of a plan's code depends on.

use crate::ir::{Function, Unit};
use crate::jit::avx512;
use crate::jit::chaos;
use crate::jit::code::routine;
use crate::jit::llvm;
use crate::jit::plan::Plan;
use crate::passes::hot_cold::CodePart;
use crate::sys::level::level;
use cuox_cache::{Digest, Key};
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// Returns the cache key of a part of a plan's code on this machine, if it can be compiled there.
pub fn of(plan: &Plan, part: CodePart) -> Option<Key> {
    let mut digest = Digest::new();
    engine()?.hash(&mut digest);
    (plan, part).hash(&mut digest);
    // Code for single threads is not by LLVM, which need not be started to find it.
    if plan.llvm && part != CodePart::Thread {
        llvm::describe().hash(&mut digest);
    }
    Some(Key::of(&digest))
}

/// Returns the key under which is kept whether a kernel has code of the second tier ([`crate::tier`]); `made` is how
/// that is made. LLVM is not asked for its version: code of another one is as right.
pub fn of_tier(unit: &Unit, param_bytes: u32, made: impl Hash) -> Option<Key> {
    let mut digest = Digest::new();
    (engine()?, "tier", level().name(), chaos::seed().is_some()).hash(&mut digest);
    std::env::var_os(llvm::child::LIBRARY).hash(&mut digest);
    let Unit {
        kernel,
        functions,
        static_shared,
    } = unit;
    (functions.len(), static_shared, param_bytes).hash(&mut digest);
    made.hash(&mut digest);
    for function in std::iter::once(kernel).chain(functions) {
        let Function {
            name: _,
            regs: _,
            blocks: _,
            slots,
            params,
            results,
            local_bytes,
        } = function;
        hash_code(function, &mut digest);
        (params, results, local_bytes, slots.len()).hash(&mut digest);
        for slot in slots {
            (slot.size, slot.align).hash(&mut digest);
        }
    }
    Some(Key::of(&digest))
}

/// Hashes a function's code. Line numbers are left out: a fault looks them up in the plan.
fn hash_code(func: &Function, state: &mut impl Hasher) {
    (&func.regs, func.blocks.len()).hash(state);
    for block in &func.blocks {
        (&block.insts, &block.end, block.mask).hash(state);
    }
}

/// Identifies the code generators, by a hash of their sources, and this machine's features.
fn engine() -> Option<&'static str> {
    static ENGINE: OnceLock<Option<String>> = OnceLock::new();
    let describe = || {
        let isa = routine::isa().ok()?;
        let machine: Vec<String> = isa.isa_flags().iter().map(ToString::to_string).collect();
        Some(format!(
            "{} {} {} cranelift {} {} {} {} {:?}",
            env!("CARGO_PKG_VERSION"),
            env!("CUOX_SIMT_SOURCES"),
            cfg!(debug_assertions),
            cranelift_codegen::VERSION,
            isa.triple(),
            isa.flags(),
            machine.join(" "),
            avx512::features(),
        ))
    };
    ENGINE.get_or_init(describe).as_deref()
}

/// Hashes everything that code generation reads. Derived data is skipped.
impl Hash for Plan {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Plan {
            func,
            live: _,
            kept,
            group_loops,
            superblocks: _,
            unobserved_nans,
            uniformity,
            layout,
            shape,
            local_bytes,
            static_shared,
            param_bytes,
            entries,
            hot_cold: _,
            has_barrier,
            unordered: _,
            quiet_ends: _,
            may_wait: _,
            wide,
            llvm,
            row,
            half,
            flushes,
            chaos,
            partial,
            has_cluster_barrier,
            // These are derived from the code.
            ir: _,
            threads_only: _,
            in_loop: _,
            busy_waits: _,
            stack_bytes: _,
            steady: _,
            numbers: _,
        } = self;
        hash_code(func, state);
        (kept, uniformity, layout, shape).hash(state);
        (group_loops, unobserved_nans).hash(state);
        (local_bytes, static_shared, param_bytes, entries).hash(state);
        (has_barrier, wide, partial, has_cluster_barrier).hash(state);
        (llvm, row, half, flushes, chaos).hash(state);
    }
}
