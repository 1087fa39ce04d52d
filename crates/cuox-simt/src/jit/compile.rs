//! From a unit to machine code: analyses, the two functions, and what the runtime must know of them.

use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::analysis::{busy_wait, entry_points, nan_payload};
use crate::ir::{
    BarrierKind, Block, BlockId, Function, Inst, Operand, Reg, Terminator, Unit, WarpOp,
};
use crate::jit::code::cache::Cache;
use crate::jit::code::object::Object;
use crate::jit::code::routine::{self, Code, Routine};
use crate::jit::code::symbol::Numbers;
use crate::jit::emit::call::words_to_word;
use crate::jit::emit::value::Emit;
use crate::jit::gang;
use crate::jit::gang::group_loop::{self, GroupLoop};
use crate::jit::runtime::layout::{Env, Gang, Home, Layout};
use crate::jit::runtime::link;
use crate::jit::thread;
use crate::launch::MIN_STACK;
use crate::passes::hot_cold::{EntryPoint, HotCold};
use crate::passes::linearize::linearize;
use crate::passes::superblock::{self, Superblock};
use crate::passes::{block_split, call_flattening, compare_remat};
use cranelift_codegen::ir::{Function as ClifFunction, UserFuncName};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::sync::OnceLock;

/// Code of gang mode: `(env, gang, entry) -> exit code`.
pub type GangFn = unsafe extern "C" fn(*mut Env, *mut Gang, u64) -> u64;
/// Code of thread mode: runs one block for the lanes in the mask, and those that it may go on with; `(env, gang of one warp, block, mask)
/// -> taken lanes`, with the last block above bit 32, or a fault if that is set.
pub type ThreadsFn = unsafe extern "C" fn(*mut Env, *mut Gang, u64, u64) -> u64;

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
    pub(super) hot_cold: HotCold,
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
    pub(super) steady: Vec<Reg>,
    /// What code refers to by number.
    pub(super) numbers: Numbers,
}

/// One of the parts of a kernel's machine code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CodePart {
    /// What gangs of full warps run: [`fast`], and the wide functions that it calls.
    Hot,
    /// The rest of it (see [`crate::passes::hot_cold`]).
    Cold,
    /// What threads by themselves run: [`slow`].
    Thread,
}

/// Code of gang mode.
pub struct GangCode {
    /// Steps a gang.
    pub run: GangFn,
    /// Addresses of wide functions, to which `run` refers by number.
    pub wide: Vec<usize>,
    _code: Code,
}

/// Code of thread mode.
pub struct ThreadCode {
    /// Runs a block.
    pub run: ThreadsFn,
    _code: Code,
}

/// A kernel's machine code. Each part is made when it is first needed: most kernels never part their gangs, and blocks of less than a
/// warp have none.
pub struct Compiled {
    /// What it is made from.
    pub plan: Plan,
    cache: &'static Cache,
    /// What [`Compiled::classed`] has answered, by block.
    classed: Vec<OnceLock<Box<[Home]>>>,
    /// Both pieces.
    gang: [OnceLock<Result<GangCode, String>>; 2],
    thread: OnceLock<Result<ThreadCode, String>>,
}

/// The function's parts while code is generated.
pub struct Gen<'a, 'f> {
    /// Emission.
    pub e: Emit<'a, 'f>,
    /// Wide functions so far.
    pub wide: &'a mut Vec<Routine>,
}

fn build(
    params: usize,
    numbers: &Numbers,
    wide: &mut Vec<Routine>,
    body: impl FnOnce(&mut Gen) -> Result<(), String>,
) -> Result<Routine, String> {
    let isa = routine::isa()?;
    let conv = isa.default_call_conv();
    let mut func =
        ClifFunction::with_name_signature(UserFuncName::default(), words_to_word(conv, params));
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut func, &mut context);
    let mut generator = Gen {
        e: Emit {
            b: &mut b,
            signatures: Default::default(),
            numbers,
            area: None,
        },
        wide,
    };
    body(&mut generator)?;
    b.seal_all_blocks();
    b.finalize(isa.frontend_config());
    routine::compile(func)
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
        let calls = !unit.functions.is_empty();
        if calls && call_flattening::too_large(unit) {
            return Err("calls in a kernel that is too large for it".to_owned());
        }
        let flat = calls.then(|| call_flattening::run(unit, capacity, stack));
        let (kernel, local_bytes, steady) = match &flat {
            Some(flat) => (&flat.func, flat.local_bytes, flat.steady.clone()),
            None => (&unit.kernel, unit.kernel.local_bytes, Vec::new()),
        };
        let local_bytes = local_bytes.next_multiple_of(16);
        let linear = {
            let none = RegSet::new(kernel.regs.len());
            let live = Liveness::new(kernel, &none, &none);
            let uniformity = UniformityInfo::new(kernel, &live, &none, &steady, shape, local_bytes);
            match compare_remat::run(kernel, &uniformity) {
                None => linearize(kernel, &live, &uniformity, &steady),
                Some(kernel) => {
                    let none = RegSet::new(kernel.regs.len());
                    let live = Liveness::new(&kernel, &none, &none);
                    let uniformity =
                        UniformityInfo::new(&kernel, &live, &none, &steady, shape, local_bytes);
                    linearize(&kernel, &live, &uniformity, &steady)
                }
            }
        };
        let func = {
            let live = Liveness::new(&linear.func, &linear.kept, &linear.own);
            let varying = &linear.varying;
            let uniformity =
                UniformityInfo::new(&linear.func, &live, varying, &steady, shape, local_bytes);
            let narrow = !wide || shape == Shape::Quads;
            block_split::run(&linear.func, &live, &uniformity, narrow)
        };
        let live = Liveness::new(&func, &linear.kept, &linear.own);
        let varying = &linear.varying;
        let uniformity = UniformityInfo::new(&func, &live, varying, &steady, shape, local_bytes);
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
        let superblocks = superblock::find(&func, &uniformity, &group_loops, &inside);
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
            kept: linear.kept,
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
    pub(super) fn superblock_number(&self, first: BlockId) -> BlockId {
        BlockId(self.func.blocks.len() as u32 + first.0)
    }

    /// How what has a number is entered: by itself, if it is a superblock that has been found not to be the way.
    pub(super) fn entry_point(&self, id: BlockId) -> EntryPoint {
        match id.index() < self.func.blocks.len() {
            true => EntryPoint::Block(id),
            false => EntryPoint::Alone(self.first_of(id)),
        }
    }

    /// The first block of what has a number.
    pub(super) fn first_of(&self, id: BlockId) -> BlockId {
        let count = self.func.blocks.len() as u32;
        BlockId(id.0.checked_sub(count).unwrap_or(id.0))
    }

    /// A block, or superblock, by number.
    pub(super) fn block(&self, id: BlockId) -> Option<&Block> {
        let count = self.func.blocks.len();
        match id.index().checked_sub(count) {
            None => self.func.blocks.get(id.index()),
            Some(first) => self.superblocks.get(first)?.as_ref().map(|s| &s.block),
        }
    }

    /// Generates code.
    pub(super) fn generate(&self, part: CodePart) -> Result<Object, String> {
        let mut wide = Vec::new();
        let main = match part {
            CodePart::Hot | CodePart::Cold => {
                let generate = |g: &mut Gen| gang::generate(g, self, part);
                build(3, &self.numbers, &mut wide, generate)?
            }
            CodePart::Thread => build(4, &self.numbers, &mut wide, |g| thread::generate(g, self))?,
        };
        let mut routines = vec![main];
        routines.append(&mut wide);
        Ok(Object { routines })
    }
}

impl Compiled {
    /// No code yet of a plan; it will be made, or found in `cache`.
    pub fn new(plan: Plan, cache: &'static Cache) -> Compiled {
        Compiled {
            classed: plan.func.blocks.iter().map(|_| OnceLock::new()).collect(),
            plan,
            cache,
            gang: Default::default(),
            thread: OnceLock::new(),
        }
    }

    /// Makes what blocks of so many threads are sure to need.
    pub fn prepare(&self, threads: u32) -> Result<(), &str> {
        let whole = self.plan.partial || threads.is_multiple_of(32);
        match (threads >= 32 || self.plan.partial, whole) {
            (true, true) => self.gang(CodePart::Hot).map(drop),
            (false, _) => self.thread().map(drop),
            (true, false) => std::thread::scope(|scope| {
                // Both at once; without another thread, one after the other.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || self.thread().is_ok());
                self.gang(CodePart::Hot)?;
                self.thread().map(drop)
            }),
        }
    }

    /// The homes of registers that live at the start of a block and that gang mode does not keep lane by lane.
    pub(super) fn classed(&self, block: BlockId) -> &[Home] {
        self.classed[block.index()].get_or_init(|| {
            let live = self.plan.live.live_in(block);
            live.iter()
                .filter_map(|reg| self.plan.layout.home(reg))
                .filter(|home| home.class != Uniformity::Varying)
                .collect()
        })
    }

    /// A piece of its code of gang mode.
    pub fn gang(&self, part: CodePart) -> Result<&GangCode, &str> {
        let make = || {
            let (_code, entries) = self.place(part)?;
            let (run, wide) = entries.split_first().ok_or("no code")?;
            Ok(GangCode {
                // SAFETY: `generate` builds the first function of this part with exactly this signature, and `_code` outlives the pointer.
                run: unsafe { std::mem::transmute::<usize, GangFn>(*run) },
                wide: wide.to_vec(),
                _code,
            })
        };
        let place = &self.gang[usize::from(part == CodePart::Cold)];
        place.get_or_init(make).as_ref().map_err(String::as_str)
    }

    /// Its code of thread mode.
    pub fn thread(&self) -> Result<&ThreadCode, &str> {
        let make = || {
            let (_code, entries) = self.place(CodePart::Thread)?;
            Ok(ThreadCode {
                // SAFETY: as in `gang`.
                run: unsafe { std::mem::transmute::<usize, ThreadsFn>(entries[0]) },
                _code,
            })
        };
        self.thread
            .get_or_init(make)
            .as_ref()
            .map_err(String::as_str)
    }

    fn place(&self, part: CodePart) -> Result<(Code, Vec<usize>), String> {
        let object = self.cache.code(&self.plan, part)?;
        let ops = self.plan.numbers.ops();
        Code::place(&object.routines, |symbol| link::address(symbol, ops))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    #[test]
    fn blocks_have_what_they_need_made_and_no_more() {
        let text = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() { bar.sync 0; ret; }";
        let program = Program::from_ptx(text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        for (threads, gang, thread) in [
            (1, false, true),
            (31, false, true),
            (32, true, false),
            (33, true, true),
            (64, true, false),
        ] {
            let plan = Plan::new(&unit, Shape::Line, 64, true, 0, false).expect("a plan");
            let compiled = Compiled::new(plan, &Cache::Off);
            assert_eq!(compiled.prepare(threads), Ok(()));
            let made = (
                compiled.gang[0].get().is_some(),
                compiled.thread.get().is_some(),
            );
            assert_eq!(made, (gang, thread), "{threads} threads");
        }
    }
}
