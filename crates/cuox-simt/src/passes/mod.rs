//! Passes from lowered functions to a [`Unit`] that the verifier accepts and the engines run.
//!
//! [`finish`] has the pass order for every engine: `inline` (inlines calls and lays out frames), `call_slots` (turns
//! call slots into registers or local memory), `cleanup` (`cfg`, `propagate` with dominators, `dead`), `local_window`
//! (makes generic addresses of local memory the same in all threads) and `lockstep` (lets the lanes of a warp meet
//! between accesses that may touch the same memory). [`for_gangs`] has the passes that follow for the JIT:
//! `call_flattening`, `range_split`, `compare_remat`, `linearize` (with `boundary_branch`), `clamps` and `block_split`.
//! `superblock` and `hot_cold` then arrange the blocks for code generation. Each file documents what it expects and
//! what it guarantees. In debug builds [`run_pass`] verifies the result of each pass.

// The lint makes a new operation, instruction or terminator a compile error in every pass that must handle it.
#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub(crate) mod block_order;
pub(crate) mod block_split;
pub(crate) mod boundary_branch;
pub(crate) mod call_flattening;
pub(crate) mod call_slots;
pub(crate) mod cfg;
pub(crate) mod checks;
pub(crate) mod clamps;
pub(crate) mod cleanup;
pub(crate) mod compare_remat;
pub(crate) mod dead;
pub(crate) mod hot_cold;
pub(crate) mod inline;
pub(crate) mod linearize;
pub(crate) mod local_window;
pub(crate) mod lockstep;
pub(crate) mod propagate;
pub(crate) mod range_split;
pub(crate) mod superblock;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;

pub(crate) use crate::analysis::dominators::{post_dominators, predecessors};
pub(crate) use block_order::reorder;
pub(crate) use cfg::resize_into;
pub(crate) use cleanup::clean_up;

use crate::analysis::group_loop::GroupLoop;
use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::UniformityInfo;
use crate::ir::{Block, Callee, FuncId, Function, Inst, Op, Operand, Reg, Terminator, Unit};
use crate::ir::{Lowered, MAX_LOCAL};
use crate::verify::{self, Kind};
pub(crate) use inline::MAX_INSTS;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use superblock::Superblock;

/// Assembles a unit from a kernel and the functions it may reach; `taken` are those whose address is taken. The error
/// names the limit that the kernel exceeds.
pub(crate) fn assemble(
    kernel: Lowered,
    functions: Vec<(FuncId, Lowered)>,
    taken: &[FuncId],
    static_shared: u32,
) -> Result<Unit, String> {
    let library = inline::Library::new(functions);
    if inline::too_large(&kernel, &library) {
        return Err(format!(
            "`{}` calls functions that call functions, in all more than 2^40 instructions; call them in a loop",
            kernel.function.name
        ));
    }
    let kernel = finish(kernel, Kind::Kernel, &library)?;
    let mut wanted = Vec::new();
    let mut done: FxHashMap<u32, Function> = FxHashMap::default();
    collect_callees(&kernel, taken, &mut wanted);
    while let Some(id) = wanted.pop() {
        if done.contains_key(&id.0) {
            continue;
        }
        let Some(lowered) = library.get(id) else {
            continue;
        };
        let function = finish(lowered.clone(), Kind::Function, &library)?;
        collect_callees(&function, taken, &mut wanted);
        done.insert(id.0, function);
    }
    let count = done.keys().max().map_or(0, |&last| last + 1);
    let functions = (0..count)
        .map(|id| done.remove(&id).unwrap_or_else(unreached))
        .collect();
    Ok(Unit {
        kernel,
        functions,
        static_shared,
    })
}

/// Adds the functions that `f` may still call.
fn collect_callees(f: &Function, taken: &[FuncId], wanted: &mut Vec<FuncId>) {
    for inst in f.blocks.iter().flat_map(|b| &b.insts) {
        if let Inst::Call { callee, .. } = inst {
            match callee {
                Callee::Direct(id) => wanted.push(*id),
                Callee::Indirect(_) => wanted.extend_from_slice(taken),
            }
        }
    }
}

/// Returns a placeholder for a function that this kernel cannot reach, which keeps the function numbers valid.
fn unreached() -> Function {
    Function {
        name: String::new(),
        regs: Vec::new(),
        blocks: vec![Block {
            insts: Vec::new(),
            end: Terminator::Trap,
            lines: vec![0],
            mask: None,
        }],
        slots: Vec::new(),
        params: Vec::new(),
        results: Vec::new(),
        local_bytes: 0,
    }
}

/// Runs a pass. In debug builds, which tests and fuzzers use, the verifier then checks the result, so that an
/// ill-formed function is attributed to the pass that produced it.
fn run_pass<T: PassResult>(name: &str, kind: Kind, pass: impl FnOnce() -> T) -> T {
    let left = pass();
    if cfg!(debug_assertions)
        && let Some(function) = left.function()
    {
        let errors = verify::verify_function(function, kind, None);
        assert!(
            errors.is_empty(),
            "the pass `{name}` produced an ill-formed function: {errors:?}"
        );
    }
    left
}

/// Runs a pass that changes a function in place; checks the result like [`run_pass`].
fn run_pass_on(name: &str, kind: Kind, function: &mut Function, pass: impl FnOnce(&mut Function)) {
    run_pass(name, kind, || {
        pass(&mut *function);
        &*function
    });
}

/// Result of a pass.
trait PassResult {
    /// Returns the function that the pass has produced, if any.
    fn function(&self) -> Option<&Function>;
}

impl PassResult for &Function {
    fn function(&self) -> Option<&Function> {
        Some(self)
    }
}

impl PassResult for Function {
    fn function(&self) -> Option<&Function> {
        Some(self)
    }
}

impl PassResult for Option<Function> {
    fn function(&self) -> Option<&Function> {
        self.as_ref()
    }
}

impl PassResult for (Function, Vec<Reg>) {
    fn function(&self) -> Option<&Function> {
        Some(&self.0)
    }
}

impl PassResult for call_flattening::Flattened {
    fn function(&self) -> Option<&Function> {
        Some(&self.func)
    }
}

impl PassResult for linearize::Linearized {
    fn function(&self) -> Option<&Function> {
        Some(&self.func)
    }
}

impl PassResult for Unit {
    fn function(&self) -> Option<&Function> {
        Some(&self.kernel)
    }
}

/// Kernel as the JIT compiles it.
pub(crate) struct GangFunction {
    /// The code with masked copies and split blocks.
    pub func: Function,
    /// Live registers.
    pub live: Liveness,
    /// Uniformity of the registers.
    pub uniformity: UniformityInfo,
    /// Registers written by a masked block whose old value is still needed by masked-off threads.
    pub kept: RegSet,
    /// Registers that hold the fill levels of the stack and of local memory.
    pub steady: Vec<Reg>,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// True if there are too many blocks for gang code.
    pub threads_only: bool,
}

/// Number of blocks from which a function gets thread code alone where code is narrow: gang code, with its masked
/// copies, takes twice as long to compile, and where lanes part it needs thread code as well.
const HUGE: usize = 10_000;

/// Runs the JIT's passes, for gangs of a shape with at most `capacity` lanes. Each thread gets `stack` bytes of stack
/// if calls remain; blocks are split for narrow code if it `splits`, as
/// any block may have such code. The error names what the JIT does not support.
pub(crate) fn for_gangs(
    unit: &Unit,
    shape: Shape,
    (capacity, stack): (u32, u32),
    (narrow, splits): (bool, bool),
) -> Result<GangFunction, String> {
    let kind = Kind::Kernel;
    let calls = !unit.functions.is_empty();
    if calls && call_flattening::too_large(unit) {
        return Err("the kernel has calls and is too large to flatten".to_owned());
    }
    let flatten = || call_flattening::run(unit, capacity, stack);
    let flat = calls.then(|| run_pass("call_flattening", kind, flatten));
    let (kernel, local_bytes, steady) = match flat {
        Some(flat) => (Cow::Owned(flat.func), flat.local_bytes, flat.steady),
        None => {
            let kernel = &unit.kernel;
            (Cow::Borrowed(kernel), kernel.local_bytes, Vec::new())
        }
    };
    let kernel = lockstep::skip_empty(&kernel).map_or(kernel, Cow::Owned);
    let local_bytes = local_bytes.next_multiple_of(16);
    let analyse = |func: &Function, kept: &RegSet, own: &RegSet, varying: &RegSet| {
        let live = Liveness::new(func, kept, own);
        let uniformity = UniformityInfo::new(func, &live, varying, &steady, shape, local_bytes);
        (live, uniformity)
    };
    let threads_only = narrow && kernel.blocks.len() >= HUGE;
    let mut linear = if threads_only {
        let pass = || linearize::Linearized::for_threads(&kernel);
        run_pass("linearize", kind, pass)
    } else {
        let analyse = |func: &Function| {
            let none = RegSet::new(func.regs.len());
            analyse(func, &none, &none, &none)
        };
        let (mut live, mut uniformity) = analyse(&kernel);
        let split = || range_split::run(&kernel, &uniformity, &steady);
        let mut func = Cow::Borrowed(&*kernel);
        if let Some(split) = run_pass("range_split", kind, split) {
            (live, uniformity) = analyse(&split);
            func = Cow::Owned(split);
        }
        let remat = || compare_remat::run(&func, &uniformity);
        if let Some(made) = run_pass("compare_remat", kind, remat) {
            (live, uniformity) = analyse(&made);
            func = Cow::Owned(made);
        }
        let pass = || linearize::linearize(&func, &live, &uniformity, &steady);
        run_pass("linearize", kind, pass)
    };
    let of = |func: &Function, linear: &linearize::Linearized| {
        analyse(func, &linear.kept, &linear.own, &linear.varying)
    };
    let (mut live, mut uniformity) = of(&linear.func, &linear);
    if !threads_only && clamps::run(&mut linear, &live, &uniformity) {
        run_pass("clamps", kind, || &linear.func);
        (live, uniformity) = of(&linear.func, &linear);
    }
    let pass = || block_split::run(&linear.func, &live, &uniformity, splits);
    let func = run_pass("block_split", kind, pass);
    let (live, uniformity) = of(&func, &linear);
    Ok(GangFunction {
        func,
        live,
        uniformity,
        kept: linear.kept,
        steady,
        local_bytes,
        threads_only,
    })
}

/// Returns the superblocks of a function by first block. Verifies them in debug builds like [`run_pass`].
pub(crate) fn superblocks(
    func: &Function,
    uniformity: &UniformityInfo,
    group_loops: &[Option<GroupLoop>],
    inside: &[bool],
) -> Vec<Option<Superblock>> {
    let found = superblock::find(func, uniformity, group_loops, inside);
    if cfg!(debug_assertions) {
        for this in found.iter().flatten() {
            let errors = verify::verify_block(func, &this.block);
            assert!(
                errors.is_empty(),
                "the pass `superblock` produced an ill-formed block: {errors:?}"
            );
        }
    }
    found
}

/// Returns the unit with a check before every access that may be global.
pub(crate) fn with_checks(unit: &Unit) -> Unit {
    run_pass("checks", Kind::Kernel, || checks::insert(unit))
}

/// Runs the passes that every engine needs.
fn finish(root: Lowered, kind: Kind, library: &inline::Library) -> Result<Function, String> {
    let inlined = || inline::run(root, library);
    let (mut f, frame_sizes) = run_pass("inline", kind, inlined);
    run_pass_on("call_slots", kind, &mut f, call_slots::run);
    if u64::from(f.local_bytes) > MAX_LOCAL {
        return Err(format!(
            "`{}` needs {} bytes of local memory with all it calls, more than the 512 KiB of a thread",
            f.name, f.local_bytes
        ));
    }
    set_frame_sizes(&mut f, &frame_sizes);
    run_pass_on("cleanup", kind, &mut f, cleanup::run);
    if kind == Kind::Kernel {
        run_pass_on("local_window", kind, &mut f, local_window::run);
    }
    run_pass_on("lockstep", kind, &mut f, |f| lockstep::run(f, kind));
    Ok(f)
}

/// Sets the registers that stand for the size of local memory, which is known only now.
fn set_frame_sizes(f: &mut Function, sizes: &[Reg]) {
    let mut is_size = vec![false; f.regs.len()];
    for reg in sizes {
        is_size[reg.index()] = true;
    }
    let bytes = u64::from(f.local_bytes);
    for inst in f.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        if let Inst::Op {
            dst,
            op: Op::Mov(_),
            args,
        } = inst
            && is_size[dst.index()]
        {
            args[0] = Operand::Imm(bytes);
        }
    }
}
