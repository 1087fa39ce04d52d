//! Execution of a thread block under the JIT: its warps, each in gang mode or in thread mode, and the transitions
//! between the modes.

pub(crate) mod faults;
pub(crate) mod gangs;
pub(crate) mod rounds;
pub(crate) mod threads;

use crate::analysis::busy_wait::Wait;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::Uniformity;
use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress};
use crate::fault::{Fault, FaultKind};
use crate::ir::{BarrierKind, BlockId, Inst, Operand, Reg, Space, Terminator, WarpOp};
use crate::jit::chaos;
use crate::jit::compile::{Compiled, GangFn, ThreadsFn};
use crate::jit::runtime::barrier::Barrier;
use crate::jit::runtime::cluster::Cluster;
use crate::jit::runtime::lane_pcs::LanePcs;
use crate::jit::runtime::layout::{AffineValue, Env, Exit, Gang, Round, Rows};
use crate::jit::runtime::services::Runtime;
use crate::jit::runtime::state::{Collective, State};
use crate::jit::thread::{AT_END, FAULT, RUNTIME_FAULT};
use crate::passes::hot_cold::EntryPoint;
use crate::places::{Place, Waits};
use crate::{memcheck, sem, space, trap};

/// Fuel of a warp's turn, after which another warp gets its turn: the number of back edges, if none waits.
pub(crate) const FUEL: i64 = 1 << 14;
/// Weighted fuel of rounds after which the block yields to other blocks.
const BLOCK_FUEL: i64 = 64 * FUEL;
/// Number of rounds with a waiting warp after which the block yields although other warps can work.
const WAITING_ROUNDS: i64 = 16;
/// Number of useless merges, in the blocks of a worker, after which warps are no longer merged into a gang.
const MAX_FAILED_MERGES: u32 = 4;
/// State of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Leads a gang that is about to enter this block.
    Gang(BlockId),
    /// Leads a gang that waits at the barrier that ends this block.
    GangAtBarrier(BlockId, u32),
    /// Leads a gang that waits at the cluster's barrier, which ends this block.
    GangAtCluster(BlockId),
    /// Belongs to the gang of an earlier warp.
    Member,
    /// In thread mode.
    Threads,
    /// Every lane has ended.
    Done,
}

/// State of a warp in thread mode.
#[derive(Default)]
pub(crate) struct Lanes {
    /// Per-lane PCs.
    pub(crate) pcs: LanePcs,
    /// Lanes waiting at a block's warp operation.
    in_op: u32,
    /// Lanes waiting at a block's barrier.
    pub(crate) in_barrier: u32,
    /// Lanes waiting at the cluster's barrier.
    pub(crate) in_cluster: u32,
    /// Lanes that do not run while others are favoured.
    paused: u32,
    /// Block at whose end each waiting lane is.
    pub(crate) block: [u32; 32],
    /// Barrier at which each waiting lane is.
    pub(crate) barrier: [u32; 32],
    /// Steps so far.
    steps: u32,
    /// Block after the one that was favoured last.
    last: usize,
    /// Step at which that was.
    turned: u32,
    /// Steps until the next block is favoured.
    patience: u32,
    /// Steps for which the other lanes remain paused.
    favoured: u32,
    /// Steps before reconvergence is tried again.
    hold: u32,
}

pub(crate) struct Warp {
    pub(crate) mode: Mode,
    /// Number of warps in the gang that it leads.
    pub(crate) gang: usize,
    pub(crate) alive: u32,
    pub(crate) lanes: Lanes,
}

/// Outcome of a warp's turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TurnOutcome {
    /// The warp waits or has ended.
    Stopped,
    /// The warp can continue.
    OutOfFuel,
    /// All lanes sleep; the warp can continue.
    Paused,
}

/// Thread block being executed.
pub struct JitBlock<'g> {
    pub(crate) compiled: &'g Compiled,
    grid: &'g GridEnv<'g>,
    block: BlockEnv,
    env: Box<Env>,
    runtime: Box<Runtime<'g>>,
    pub(crate) warps: Vec<Warp>,
    /// The gangs' states, one for each warp, followed by the lane slots.
    memory: Vec<u128>,
    pub(crate) barriers: [Barrier; BarrierKind::COUNT],
    /// Barriers with arrivals, one bit each.
    pub(crate) used_barriers: u32,
    pub(crate) cluster: Cluster,
    pub(crate) alive_threads: u32,
    /// Number of following blocks of the grid that are to be run too.
    following: u64,
    /// Fuel that the running turn has used.
    turn_fuel: i64,
    /// Number of warps that have been started.
    started: usize,
    /// Number of warps that can be in gangs, in general those with 32 threads.
    full_warps: usize,
    /// Number of warps in a gang initially.
    gang_warps: usize,
    /// Weighted fuel that was used since the block last yielded.
    used: i64,
    /// True if the current gang was created by [`JitBlock::merge`] and has not completed a block yet.
    merged: bool,
    /// Number of merged gangs that were split again at once.
    failed_merges: u32,
}

/// Returns the weight of a turn's fuel in that of its block, by the [`Wait`]s of its back edges: a block in which all
/// threads wait yields after one turn of each warp, one in which they only read what others may write after 16.
fn weight(waits: u32) -> i64 {
    let has = |wait: Wait| waits >> wait as u32 & 1 == 1;
    if has(Wait::Polls) || has(Wait::Works) {
        BLOCK_FUEL / FUEL
    } else if has(Wait::Reads) {
        4
    } else {
        1
    }
}

/// Returns the fault of a launch that needs code that cannot be compiled.
fn cannot_compile(why: &str) -> Fault {
    Fault::new(
        FaultKind::Unsupported,
        format!("the JIT cannot compile this kernel: {why}"),
    )
}

/// Tells whether a grid's output, estimated at a word per thread, exceeds the caches. In test builds this is so for
/// every second grid.
fn streams(grid: &GridEnv) -> bool {
    if cfg!(debug_assertions) {
        return grid.grid_id.count_ones() % 2 == 1;
    }
    let blocks: u64 = grid.grid.iter().map(|&n| u64::from(n)).product();
    let written = blocks.saturating_mul(u64::from(grid.threads()) * 4);
    // Small grids skip the query.
    written >= 1 << 20 && written >= crate::sys::cpus::cache_bytes()
}

impl<'g> JitBlock<'g> {
    /// Creates a block that is ready to run, with `following` blocks after it.
    pub fn new(
        compiled: &'g Compiled,
        grid: &'g GridEnv<'g>,
        block: BlockEnv,
        following: u64,
    ) -> Self {
        let (space_base, space_mask) = space::check();
        let layout = &compiled.plan.layout;
        let warps = grid.warps() as usize;
        let full_warps = match (compiled.plan.threads_only, compiled.plan.partial) {
            (true, _) => 0,
            (_, true) => warps,
            (_, false) => grid.threads() as usize / 32,
        };
        let gang_warps = match compiled.plan.shape {
            Shape::Warp | Shape::HalfWarps => 1,
            Shape::Planes(_) if grid.block[2] > 1 => (grid.block[0] * grid.block[1]) as usize / 32,
            Shape::Line
            | Shape::Planes(_)
            | Shape::MultipleOf16
            | Shape::MultipleOf4
            | Shape::Any => full_warps.max(1),
        };
        let gangs_bytes = warps * layout.gang_bytes as usize;
        let mut memory = vec![0u128; (gangs_bytes + layout.lane_bytes as usize).div_ceil(16)];
        let lanes = memory.as_mut_ptr().cast::<u8>().wrapping_add(gangs_bytes);
        for lane in 0..grid.threads() {
            for (axis, &at) in grid.tid(lane).iter().enumerate() {
                let index = axis * layout.capacity as usize + lane as usize;
                // SAFETY: the lane slots begin with `%tid` of every lane within the capacity, axis by axis.
                unsafe { *lanes.cast::<u32>().add(index) = at };
            }
        }
        // SAFETY: `lanes` points to slots of this layout, which `memory` owns and nothing else refers to yet.
        unsafe {
            layout.set_row_masks(lanes, compiled.plan.shape.breaks(), grid.block[0]);
            layout.set_exists(lanes, grid.threads());
        }
        let runtime = Box::new(Runtime::new(&compiled.plan, grid, lanes));
        let env = Box::new(Env {
            params: grid.params,
            shared: block.shared,
            symbols: grid.symbols.as_ptr(),
            space_base,
            space_mask,
            stream_mask: match compiled.plan.unordered && streams(grid) {
                true => 63,
                false => u64::MAX,
            },
            shared_bytes: u64::from(grid.shared_bytes),
            lanes,
            fuel: 0,
            chaos: match compiled.plan.chaos {
                true => chaos::begin(block.ctaid),
                false => 0,
            },
            waits: 0,
            gangs_left: 0,
            blocks_left: 0,
            round: Round {
                left: -1,
                warps: warps as i64,
                ..Round::default()
            },
            gangs: (warps / gang_warps) as i64,
            local: block.local,
            stack: grid.stack_of(&block),
            grid_id: grid.grid_id,
            ctaid: block.ctaid,
            worker: block.worker,
            grid: grid.grid,
            multiprocessors: grid.multiprocessors,
            block: grid.block,
            dynamic_shared: grid.dynamic_shared,
            envregs: grid.envregs,
            hits: runtime.hits(),
            textures: Default::default(),
            freed: memcheck::epoch(),
            wide: std::ptr::null(),
            cluster: grid.cluster,
            cluster_rank: block.rank,
            explicit_cluster: u32::from(grid.explicit_cluster),
            runtime: (&raw const *runtime).cast(),
            lane_pcs: std::ptr::null_mut(),
        });
        let mut this = JitBlock {
            compiled,
            grid,
            block,
            env,
            runtime,
            warps: (0..warps)
                .map(|_| Warp {
                    mode: Mode::Done,
                    gang: 1,
                    alive: 0,
                    lanes: Lanes::default(),
                })
                .collect(),
            memory,
            barriers: [Barrier::default(); BarrierKind::COUNT],
            used_barriers: 0,
            cluster: Cluster::default(),
            alive_threads: 0,
            following,
            turn_fuel: 0,
            started: 0,
            full_warps,
            gang_warps,
            used: 0,
            merged: false,
            failed_merges: 0,
        };
        this.reset_warps();
        this
    }

    /// Turns this into block `ctaid` of the same launch, with the same windows; `following` blocks after it are run
    /// too.
    pub fn restart(&mut self, ctaid: [u32; 3], following: u64) {
        self.block.ctaid = ctaid;
        self.env.ctaid = ctaid;
        self.following = following;
        self.reset_warps();
    }

    /// Resets every warp: full warps form gangs, others start in thread mode.
    fn reset_warps(&mut self) {
        let threads = self.grid.threads();
        for n in 0..self.warps.len() {
            let warp = &mut self.warps[n];
            let here = (threads - n as u32 * 32).min(32);
            warp.alive = if here == 32 {
                u32::MAX
            } else {
                (1 << here) - 1
            };
            warp.gang = 1;
            warp.mode = if n >= self.full_warps {
                Mode::Threads
            } else if n % self.gang_warps == 0 {
                warp.gang = self.gang_warps;
                Mode::Gang(BlockId(0))
            } else {
                Mode::Member
            };
        }
        self.alive_threads = threads;
        self.cluster = Cluster::default();
        self.started = 0;
        while self.used_barriers != 0 {
            let id = self.used_barriers.trailing_zeros();
            self.used_barriers &= self.used_barriers - 1;
            self.barriers[id as usize] = Barrier::default();
        }
        self.used = 0;
    }

    /// Continues with the next requested block, if there is one.
    fn next_block(&mut self) -> bool {
        if self.following == 0 {
            return false;
        }
        let [mut x, mut y, mut z] = self.block.ctaid;
        x += 1;
        if x == self.grid.grid[0] {
            (x, y) = (0, y + 1);
        }
        if y == self.grid.grid[1] {
            (y, z) = (0, z + 1);
        }
        self.restart([x, y, z], self.following - 1);
        true
    }

    /// Returns the state of a warp that leads a gang or is in thread mode.
    pub(crate) fn state(&self, w: usize) -> State<'g> {
        self.member(w, w)
    }

    /// Returns the state of a warp in the gang that `leader` leads.
    pub(crate) fn member(&self, leader: usize, w: usize) -> State<'g> {
        let bytes = self.compiled.plan.layout.gang_bytes as usize;
        // SAFETY: the memory begins with a gang's state for every warp.
        let gang = unsafe { self.memory.as_ptr().cast::<u8>().add(leader * bytes) };
        State {
            gang: gang.cast_mut().cast(),
            lanes: self.env.lanes,
            warp: w,
            ahead: (w - leader) as u64 * 32,
            plan: &self.compiled.plan,
        }
    }

    fn start(&mut self, w: usize) {
        self.set_up_gang(w, self.warps[w].gang);
        self.started = self.started.max(w + self.warps[w].gang);
        if self.warps[w].mode == Mode::Threads {
            let alive = self.warps[w].alive;
            self.enter_thread_mode(w);
            self.warps[w].lanes.pcs.add(0, alive);
        }
    }

    /// Runs a warp until it waits, ends or has used up its fuel. Returns the weighted fuel of the turn, too.
    fn turn(&mut self, mut w: usize) -> Result<i64, Fault> {
        if w >= self.started {
            self.start(w);
        }
        self.env.waits = 0;
        self.turn_fuel = 0;
        let outcome = loop {
            // A warp may change its mode in each turn of a loop.
            if self.turn_fuel >= FUEL {
                break TurnOutcome::OutOfFuel;
            }
            let turn = match self.warps[w].mode {
                Mode::Gang(block) => self.run_gang(&mut w, block)?,
                Mode::Threads => self.run_threads(w)?,
                Mode::GangAtBarrier(..) | Mode::GangAtCluster(_) | Mode::Member | Mode::Done => {
                    Some(TurnOutcome::Stopped)
                }
            };
            if let Some(turn) = turn {
                break turn;
            }
        };
        Ok(match outcome {
            TurnOutcome::Paused => BLOCK_FUEL,
            TurnOutcome::Stopped | TurnOutcome::OutOfFuel => {
                self.turn_fuel.saturating_mul(weight(self.env.waits))
            }
        })
    }

    fn can_run(&self, w: usize) -> bool {
        match self.warps[w].mode {
            Mode::Gang(_) => true,
            Mode::Threads => {
                let warp = &self.warps[w];
                let lanes = &warp.lanes;
                let waits = lanes.in_barrier | lanes.in_cluster;
                // A warp whose last lanes ended in its last step has not reported so yet.
                w >= self.started
                    || warp.alive == 0
                    || waits != warp.alive && (waits == 0 || lanes.pcs.first(0, 0).is_some())
            }
            Mode::GangAtBarrier(..) | Mode::GangAtCluster(_) | Mode::Member | Mode::Done => false,
        }
    }
}

impl BlockRun for JitBlock<'_> {
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault> {
        let progress = self.turns(meanwhile);
        self.runtime.add_now();
        progress
    }

    fn give_back(&mut self) -> u64 {
        std::mem::take(&mut self.following)
    }

    fn arrivals(&self) -> Arrivals {
        self.cluster_arrivals()
    }

    fn places(&self, add: &mut dyn FnMut(Place)) {
        self.add_places(add);
    }

    fn open_cluster(&mut self) {
        self.release_cluster();
    }
}

impl JitBlock<'_> {
    /// Gives each warp its turn, again and again.
    fn turns(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault> {
        loop {
            let (mut ran, mut left) = (false, false);
            let (mut least, mut most) = (i64::MAX, 0);
            let alive = self.alive_threads;
            for w in 0..self.warps.len() {
                if self.can_run(w) {
                    ran = true;
                    match self.turn(w) {
                        Ok(used) => (least, most) = (least.min(used), most.max(used)),
                        // An assertion has failed; other warps still reach theirs.
                        Err(fault) if fault.kind == FaultKind::Assert => {
                            self.runtime.put_fault(fault);
                        }
                        Err(_) if self.runtime.has_fault() => {}
                        Err(fault) => return Err(fault),
                    }
                }
                left |= self.warps[w].mode != Mode::Done;
            }
            if self.runtime.has_fault() {
                return Err(self.place(self.runtime_fault(), None, None));
            }
            if !left {
                if self.next_block() {
                    continue;
                }
                return Ok(Progress::Done);
            }
            meanwhile();
            self.grid.check_stopped()?;
            let single_block = self.grid.cluster_blocks() == 1;
            if single_block && self.opens() {
                self.open_cluster();
                continue;
            }
            if !ran && !single_block && self.waits_for_cluster() {
                return Ok(Progress::Waiting);
            }
            if !ran && self.force_warp_ops() {
                continue;
            }
            if !ran {
                let waiting: u32 = self.barriers.iter().map(|b| b.arrived).sum();
                let message = match self.alive_threads.saturating_sub(waiting) {
                    0 => format!(
                        "deadlock: all {waiting} threads wait, at different barriers or at one for more threads"
                    ),
                    others => format!(
                        "deadlock: {waiting} threads wait at a barrier that the other {others} never reach"
                    ),
                };
                return Err(self.place(Fault::new(FaultKind::Deadlock, message), None, None));
            }
            // Threads that take a lock one after the other wait for each other, not for other blocks.
            if self.alive_threads < alive {
                self.used = 0;
                continue;
            }
            // A block whose other warps can work need not give way at once.
            let round = least.max(most / WAITING_ROUNDS);
            self.used = self.used.saturating_add(round.min(BLOCK_FUEL));
            if self.used >= BLOCK_FUEL {
                self.used = 0;
                return Ok(Progress::Yielded);
            }
        }
    }
}
