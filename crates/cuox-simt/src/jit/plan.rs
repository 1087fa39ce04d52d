//! The plan of a kernel: its IR as it is to be compiled for a shape of block, and everything that follows from it before there is code. All of the
//! JIT works from it, and so does the cache, which names code by it.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

use crate::analysis::group_loop::{self, GroupLoop};
use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::UniformityInfo;
use crate::analysis::{busy_wait, entry_points, nan_payload};
use crate::ir::{
    BarrierKind, Block, BlockId, Function, Inst, Operand, Reg, Terminator, Unit, WarpOp,
};
use crate::jit::code::symbol::Numbers;
use crate::jit::runtime::layout::Layout;
use crate::launch::MIN_STACK;
use crate::passes::hot_cold::{EntryPoint, HotCold};
use crate::passes::superblock::Superblock;
use crate::passes::{self, block_split};

/// What both code generators work from.
pub struct Plan {
    /// The kernel, cut.
    pub func: Function,
    /// Live registers.
    pub live: Liveness,
    /// Registers whose values threads still need that a masked block, which writes them, is not for.
    pub kept: RegSet,
    /// Loops that groups of lanes run one by one, by first block.
    pub group_loops: Vec<Option<GroupLoop>>,
    /// Blocks that gangs mostly go through one after the other, by first block.
    pub superblocks: Vec<Option<Superblock>>,
    /// Registers whose NaNs nobody can tell apart.
    pub unobserved_nans: RegSet,
    /// UniformityInfo of registers in gang mode.
    pub uniformity: UniformityInfo,
    /// Homes of registers.
    pub layout: Layout,
    /// What blocks look like.
    pub shape: Shape,
    /// Bytes of local memory of a thread.
    pub local_bytes: u32,
    /// Static shared memory.
    pub static_shared: u32,
    /// Bytes of the launch's parameters.
    pub param_bytes: u32,
    /// Whether the runtime may enter gang mode at a block.
    pub entries: Vec<bool>,
    /// The pieces of gang mode's code.
    pub(crate) hot_cold: HotCold,
    /// Whether some block ends in a barrier.
    pub has_barrier: bool,
    /// Whether nothing orders what threads write but the end of the grid.
    pub unordered: bool,
    /// Whether the lanes' work may have wide code.
    pub wide: bool,
    /// Whether gangs may have a last warp that lacks threads.
    pub partial: bool,
    /// Whether some block ends in a step of the cluster's barrier.
    pub has_cluster_barrier: bool,
    /// Blocks at whose end a thread that waits goes back.
    pub busy_waits: Vec<bool>,
    /// Blocks at whose end a thread goes back that may wait for another one of its warp.
    pub may_wait: Vec<bool>,
    /// Bytes of the stack of each thread that there is room for; 0 if there are no calls.
    pub stack_bytes: u32,
    /// How far the stack and local memory are filled.
    pub(crate) steady: Vec<Reg>,
    /// What code refers to by number.
    pub(crate) numbers: Numbers,
}

/// Whether a block has only plain accesses and nothing that makes them visible to other threads.
fn unordered(block: &Block) -> bool {
    !block.end.concerns_others() && !block.insts.iter().any(|inst| inst.effects().strong)
}

/// Whether a gang whose last warp lacks threads may run a block: wide code knows which lanes there are, and nothing else asks for all lanes
/// of a warp.
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
    end && !block.insts.iter().any(block_split::may_be_narrow)
}

impl Plan {
    /// The plan of a unit for blocks of one shape with at most `capacity` threads (a multiple of 32), with a `partial` warp or not, for this machine's wide vectors if
    /// `wide`. An error names what the JIT cannot do; the interpreter then can.
    pub fn new(
        unit: &Unit,
        shape: Shape,
        capacity: u32,
        partial: bool,
        param_bytes: u32,
        wide: bool,
    ) -> Result<Plan, String> {
        Plan::with_stack(unit, shape, capacity, partial, param_bytes, wide, MIN_STACK)
    }

    /// The same with so many bytes of a stack for each thread, if there are calls that need one.
    pub fn with_stack(
        unit: &Unit,
        shape: Shape,
        capacity: u32,
        partial: bool,
        param_bytes: u32,
        wide: bool,
        stack: u32,
    ) -> Result<Plan, String> {
        let narrow = !wide || shape == Shape::MultipleOf4;
        let passes::GangFunction {
            func,
            live,
            uniformity,
            kept,
            steady,
            local_bytes,
        } = passes::for_gangs(unit, shape, (capacity, stack), narrow)?;
        let calls = !unit.functions.is_empty();
        let partial = partial && wide && !calls && func.blocks.iter().all(may_lack_threads);
        let layout = Layout::new(
            &func,
            &live,
            &uniformity,
            (shape.breaks(), partial),
            capacity,
        );
        let group_loops = match partial {
            true => func.blocks.iter().map(|_| None).collect(),
            false => group_loop::find(&func, &uniformity),
        };
        let inside = group_loop::inside(&group_loops);
        let entries = entry_points::entries(&func, &uniformity, &inside);
        let superblocks = passes::superblocks(&func, &uniformity, &group_loops, &inside);
        let hot_cold = HotCold::new(&func, &uniformity, &superblocks, &group_loops, &entries);
        let has_barrier = func.has_barrier();
        let has_cluster_barrier = func
            .blocks
            .iter()
            .any(|b| matches!(b.end, Terminator::Cluster { .. }));
        let unobserved_nans = nan_payload::unobserved(&func);
        let busy_waits = busy_wait::find(&func);
        let may_wait = busy_wait::looks(&func);
        // What is on the stack is read again.
        let unordered = !calls && func.blocks.iter().all(unordered);
        let plan = Plan {
            numbers: Numbers::new(&func),
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
            partial,
            has_cluster_barrier,
            busy_waits,
            may_wait,
            stack_bytes: if calls { stack } else { 0 },
            steady,
        };
        let is_call = |inst: &Inst| matches!(inst, Inst::Call { .. });
        match plan.func.blocks.iter().flat_map(|b| &b.insts).any(is_call) {
            true => Err("calls that were not inlined".to_owned()),
            false => Ok(plan),
        }
    }

    /// The number under which faults name the superblock that begins with a block.
    pub(crate) fn superblock_number(&self, first: BlockId) -> BlockId {
        BlockId(self.func.blocks.len() as u32 + first.0)
    }

    /// How what has a number is entered: by itself, if it is a superblock that has been found not to be the way.
    pub(crate) fn entry_point(&self, id: BlockId) -> EntryPoint {
        match id.index() < self.func.blocks.len() {
            true => EntryPoint::Block(id),
            false => EntryPoint::SingleBlock(self.first_of(id)),
        }
    }

    /// The first block of what has a number.
    pub(crate) fn first_of(&self, id: BlockId) -> BlockId {
        let count = self.func.blocks.len() as u32;
        BlockId(id.0.checked_sub(count).unwrap_or(id.0))
    }

    /// A block, or superblock, by number.
    pub(crate) fn block(&self, id: BlockId) -> Option<&Block> {
        let count = self.func.blocks.len();
        match id.index().checked_sub(count) {
            None => self.func.blocks.get(id.index()),
            Some(first) => self.superblocks.get(first)?.as_ref().map(|s| &s.block),
        }
    }
}
