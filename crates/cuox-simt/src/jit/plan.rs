//! The plan of a kernel: its IR after all passes, for one shape of thread block, and everything derived from it before
//! code generation. Both code generators work from it. The cache hashes it to find compiled code.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

use crate::analysis::busy_wait::{self, Wait};
use crate::analysis::group_loop::{self, GroupLoop};
use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::UniformityInfo;
use crate::analysis::{entry_points, last_adds, nan_payload};
use crate::ir::{
    BarrierKind, Block, BlockId, Function, Inst, Operand, Reg, Terminator, Unit, WarpOp,
};
use crate::jit::chaos;
use crate::jit::code::symbol::Numbers;
use crate::jit::llvm::module::Module;
use crate::jit::runtime::layout::Layout;
use crate::launch::MIN_STACK;
use crate::passes::hot_cold::{CodePart, EntryPoint, HotCold};
use crate::passes::superblock::Superblock;
use crate::passes::{self, block_split};
use std::sync::{Mutex, PoisonError};

/// Bytes between the homes of a plan for LLVM: twice as far as a shuffle reads beyond a slot.
pub const APART: u32 = 256;

/// Input of both code generators.
pub struct Plan {
    /// The kernel, its blocks split.
    pub func: Function,
    /// Live registers.
    pub live: Liveness,
    /// Registers written by a masked block whose old value is still needed by masked-off threads.
    pub kept: RegSet,
    /// Loops that groups of lanes run one after another, by first block.
    pub group_loops: Vec<Option<GroupLoop>>,
    /// Superblocks, by first block.
    pub superblocks: Vec<Option<Superblock>>,
    /// Registers whose NaN payload is never observed.
    pub unobserved_nans: RegSet,
    /// Uniformity of registers in gang mode.
    pub uniformity: UniformityInfo,
    /// Homes of registers.
    pub layout: Layout,
    /// Shape of the thread blocks.
    pub shape: Shape,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Bytes of static shared memory.
    pub static_shared: u32,
    /// Bytes of the launch's parameters.
    pub param_bytes: u32,
    /// Tells for each block whether the runtime may enter gang mode there.
    pub entries: Vec<bool>,
    /// The hot and cold parts of the gang code.
    pub(crate) hot_cold: HotCold,
    /// True if a block ends in a barrier.
    pub has_barrier: bool,
    /// True if threads' writes are ordered only by the end of the grid.
    pub unordered: bool,
    /// Tells for each block whether additions to memory before its end may be made later.
    pub quiet_ends: Vec<bool>,
    /// True if per-lane code may be wide (AVX-512).
    pub wide: bool,
    /// True if LLVM makes it, for this processor's vectors.
    pub llvm: bool,
    /// The x extent of the blocks, if a gang is a warp and the warp or each of its halves is a row.
    pub row: Option<u32>,
    /// True if the blocks are half a warp, and a gang is a warp.
    pub half: bool,
    /// LLVM's IR of the hot code of a warp, from when it is known that there is some until code is made of it.
    pub(crate) ir: Mutex<Option<Module>>,
    /// True if gang code runs in the processor's mode that flushes subnormal numbers.
    pub flushes: bool,
    /// True if guards fail at random ([`chaos`]).
    pub chaos: bool,
    /// True if all warps stay in thread mode.
    pub threads_only: bool,
    /// True if the last warp of a gang may lack threads.
    pub partial: bool,
    /// True if a block ends in a step of the cluster's barrier.
    pub has_cluster_barrier: bool,
    /// Blocks from which, or from later ones, a way leads back to them or to earlier ones.
    pub in_loop: Vec<bool>,
    /// Degree to which the back edges of each block wait for other threads.
    pub busy_waits: Vec<Wait>,
    /// Blocks that end a loop in which a thread may wait for another thread of its warp.
    pub may_wait: Vec<bool>,
    /// Bytes of stack per thread; 0 if there are no calls.
    pub stack_bytes: u32,
    /// Registers that hold the fill levels of the stack and of local memory.
    pub(crate) steady: Vec<Reg>,
    /// Operations and call sites that code refers to by number.
    pub(crate) numbers: Numbers,
}

/// Tells for each block whether it, or a later one, leads back to it or to an earlier block.
pub(crate) fn in_loop(func: &Function) -> Vec<bool> {
    let mut found = vec![false; func.blocks.len()];
    // The first block that one of the blocks so far, from the last on, leads to.
    let mut first = func.blocks.len();
    for (index, block) in func.blocks.iter().enumerate().rev() {
        block.end.successors(|to| first = first.min(to.index()));
        found[index] = first <= index;
    }
    found
}

/// What makes per-lane code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Maker {
    /// Cranelift, for groups of four lanes.
    Narrow,
    /// The encoder for AVX-512, and Cranelift for blocks that it has no code for.
    Wide,
    /// LLVM, and Cranelift for those.
    Llvm,
}

/// Tells whether a block has only plain accesses and nothing that orders them for other threads.
fn unordered(block: &Block) -> bool {
    let orders = block.end.concerns_others() && !block.end.is_step();
    !orders && !block.insts.iter().any(|inst| inst.effects().strong)
}

/// Tells whether a gang whose last warp lacks threads may run a block: wide code knows which lanes exist, and nothing
/// else in the block needs all lanes of a warp.
fn may_lack_threads(block: &Block) -> bool {
    let end = match &block.end {
        Terminator::Warp { op, .. } => matches!(op, WarpOp::Sync | WarpOp::Step),
        Terminator::Barrier {
            kind,
            id: Operand::Imm(_),
            count: None,
            pred: None,
            ..
        } => *kind == BarrierKind::Sync,
        Terminator::Barrier { .. } | Terminator::Cluster { .. } => false,
        Terminator::Jump(_)
        | Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Exit
        | Terminator::Return
        | Terminator::Trap
        | Terminator::Pause { .. } => true,
    };
    end && !block.insts.iter().any(block_split::may_need_narrow_code)
}

impl Plan {
    /// Builds the plan of a unit for blocks of one shape with at most `capacity` threads (a multiple of 32), with a
    /// `partial` warp or not, and for 512-bit vectors if `wide`. The error names what the JIT does not support; the
    /// interpreter then runs the kernel.
    pub fn new(
        unit: &Unit,
        shape: Shape,
        capacity: u32,
        partial: bool,
        param_bytes: u32,
        wide: bool,
    ) -> Result<Plan, String> {
        let maker = match wide {
            true => Maker::Wide,
            false => Maker::Narrow,
        };
        Plan::with_stack(
            unit,
            shape,
            capacity,
            partial,
            param_bytes,
            maker,
            MIN_STACK,
        )
    }

    /// The same plan, with LLVM's IR of its hot code.
    pub(crate) fn with_ir(self, module: Module) -> Plan {
        Plan {
            ir: Mutex::new(Some(module)),
            ..self
        }
    }

    /// Returns that IR, once.
    pub(crate) fn take_ir(&self) -> Option<Module> {
        self.ir
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Builds the plan with a stack of the given size per thread, if calls need one.
    pub fn with_stack(
        unit: &Unit,
        shape: Shape,
        capacity: u32,
        partial: bool,
        param_bytes: u32,
        maker: Maker,
        stack: u32,
    ) -> Result<Plan, String> {
        let (wide, llvm) = (maker != Maker::Narrow, maker == Maker::Llvm);
        let narrow = !wide || shape == Shape::MultipleOf4;
        let passes::GangFunction {
            func,
            live,
            uniformity,
            kept,
            steady,
            local_bytes,
            threads_only,
        } = passes::for_gangs(unit, shape, (capacity, stack), (narrow, narrow || llvm))?;
        let calls = !unit.functions.is_empty();
        let partial =
            partial && wide && !threads_only && !calls && func.blocks.iter().all(may_lack_threads);
        // More blocks have narrow loops with LLVM, which all lanes of a warp run: one that reads beyond its register's
        // slot does not reach another's.
        let apart = if llvm { APART } else { 0 };
        let group_loops = match partial {
            true => func.blocks.iter().map(|_| None).collect(),
            false => group_loop::find(&func, &uniformity),
        };
        // Warps' code has no superblocks, in which registers would live longer.
        let sharing = shape.is_warp() && llvm;
        let layout = Layout::new(
            &func,
            &live,
            &uniformity,
            (shape.breaks(), partial),
            capacity,
            (apart, sharing.then_some(&group_loops[..])),
        );
        let inside = group_loop::inside(&group_loops);
        let entries = match threads_only {
            true => vec![false; func.blocks.len()],
            false => entry_points::entries(&func, &uniformity, &inside),
        };
        // LLVM sees the blocks of a warp's code together.
        let superblocks = match shape {
            Shape::Warp | Shape::HalfWarps => func.blocks.iter().map(|_| None).collect(),
            Shape::Line
            | Shape::Planes(_)
            | Shape::MultipleOf16
            | Shape::MultipleOf4
            | Shape::Any => passes::superblocks(&func, &uniformity, &group_loops, &inside),
        };
        let in_loop = in_loop(&func);
        let hot_cold = HotCold::new(
            &func,
            &uniformity,
            &superblocks,
            &group_loops,
            (&entries, &in_loop),
        );
        let has_barrier = func.has_barrier();
        let has_cluster_barrier = func
            .blocks
            .iter()
            .any(|b| matches!(b.end, Terminator::Cluster { .. }));
        let unobserved_nans = nan_payload::unobserved(&func);
        let busy_waits = busy_wait::find(&func);
        let may_wait = busy_wait::looks(&func);
        // Values on the stack are read again.
        let unordered = !calls && func.blocks.iter().all(unordered);
        let plan = Plan {
            numbers: Numbers::new(&func),
            quiet_ends: last_adds::quiet_ends(&func),
            func,
            live,
            unobserved_nans,
            kept,
            group_loops,
            superblocks,
            uniformity,
            layout,
            shape,
            local_bytes,
            static_shared: unit.static_shared,
            param_bytes,
            entries,
            hot_cold,
            has_barrier,
            unordered,
            wide,
            llvm,
            row: None,
            half: false,
            ir: Mutex::default(),
            flushes: false,
            chaos: chaos::seed().is_some(),
            threads_only,
            partial,
            has_cluster_barrier,
            in_loop,
            busy_waits,
            may_wait,
            stack_bytes: if calls { stack } else { 0 },
            steady,
        };
        let is_call = |inst: &Inst| matches!(inst, Inst::Call { .. });
        match plan.func.blocks.iter().flat_map(|b| &b.insts).any(is_call) {
            true => Err("the kernel has calls that were not flattened".to_owned()),
            false => Ok(plan),
        }
    }

    /// Returns the number that faults use for the superblock that starts with a block.
    pub(crate) fn superblock_number(&self, first: BlockId) -> BlockId {
        BlockId(self.func.blocks.len() as u32 + first.0)
    }

    /// Tells whether there is gang code behind failed guards.
    pub(crate) fn has_cold(&self) -> bool {
        !self.hot_cold.entry_points(CodePart::Cold).is_empty()
    }

    /// Returns the entry point for a number. A superblock's number stands for its first block alone, since gang mode
    /// has bailed out of the superblock.
    pub(crate) fn entry_point(&self, id: BlockId) -> EntryPoint {
        match id.index() < self.func.blocks.len() {
            true => EntryPoint::Block(id),
            false => EntryPoint::SingleBlock(self.first_of(id)),
        }
    }

    /// Returns the first block of a block's or superblock's number.
    pub(crate) fn first_of(&self, id: BlockId) -> BlockId {
        let count = self.func.blocks.len() as u32;
        BlockId(id.0.checked_sub(count).unwrap_or(id.0))
    }

    /// Returns a block or superblock by number.
    pub(crate) fn block(&self, id: BlockId) -> Option<&Block> {
        let count = self.func.blocks.len();
        match id.index().checked_sub(count) {
            None => self.func.blocks.get(id.index()),
            Some(first) => self.superblocks.get(first)?.as_ref().map(|s| &s.block),
        }
    }
}

#[cfg(test)]
impl Plan {
    /// LLVM's plan of the kernel `k` of a PTX text, for warps in blocks of 64 threads.
    pub(crate) fn for_test(text: &str) -> Plan {
        let program = crate::Program::from_ptx(text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let (maker, stack) = (Maker::Llvm, crate::launch::MIN_STACK);
        Plan::with_stack(&unit, Shape::Warp, 64, false, 8, maker, stack).expect("a plan")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    #[test]
    fn blocks_of_loops_are_those_with_a_way_back() {
        let text = ".version 8.6\n.target sm_90\n.address_size 64\n.entry k(.param .u32 n) { .reg .pred %p<2>; .reg .b32 %r<3>; \
                    ld.param.u32 %r1, [n]; bar.sync 0; L: bar.sync 0; add.u32 %r1, %r1, -1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L; \
                    bar.sync 0; ret; }";
        let program = Program::from_ptx(text).unwrap_or_else(|e| panic!("{e}"));
        let func = program.lower("k").unwrap_or_else(|e| panic!("{e}")).kernel;
        let found = in_loop(&func);
        let by_search: Vec<bool> = (0..func.blocks.len())
            .map(|id| {
                func.blocks[id..].iter().any(|block| {
                    let mut back = false;
                    block.end.successors(|to| back |= to.index() <= id);
                    back
                })
            })
            .collect();
        assert_eq!(found, by_search);
        assert!(found.contains(&true) && found.contains(&false));
    }
}
