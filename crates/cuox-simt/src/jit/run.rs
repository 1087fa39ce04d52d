//! How a block runs under the JIT: its warps, each in team mode or in thread mode, and how they part and join.

mod faults;
mod threads;

use super::barrier::Barrier;
use super::classes::{Class, Shape};
use super::cluster::Cluster;
use super::compile::{Compiled, FastFn, SlowFn};
use super::layout::{Env, Exit, Line, Rows, Team};
use super::pieces::Door;
use super::places::Places;
use super::slow::{AT_END, FAULT, RUNTIME_FAULT};
use super::state::{Collective, State};
use super::symbol::Site;
use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress};
use crate::fault::{Fault, FaultKind};
use crate::image::{self, Handles, Words};
use crate::ir::{
    AtomOp, BarrierKind, BlockId, Inst, Num, Operand, Reg, Space, Terminator, Ty, WarpOp,
};
use crate::{sem, space, syscall, trap};
use std::cell::RefCell;
use std::sync::atomic::Ordering;

/// Back edges a warp may take before another gets its turn.
const FUEL: i64 = 1 << 14;
/// Rounds in which every warp only used up its fuel, after which the block gives way to others, if some thread waits.
const SPIN_ROUNDS: u32 = 4;
/// The same if none does, as far as the code shows.
const LONG_ROUNDS: u32 = 64;
/// Warps are no longer merged into a team once that has been in vain so often in the blocks of a worker.
const IN_VAIN: u32 = 4;
/// What helpers called by generated code see of their block.
pub struct Runtime<'g> {
    compiled: &'g Compiled,
    grid: &'g GridEnv<'g>,
    lanes: *mut u8,
    fault: RefCell<Option<Fault>>,
    objects: Handles<'g>,
}

impl Runtime<'_> {
    /// Whether a helper has left a fault.
    pub fn has_fault(&self) -> bool {
        self.fault.borrow().is_some()
    }

    /// The operation of an atomic site.
    pub fn atomic_site(&self, site: usize) -> (AtomOp, Num, bool) {
        match self.compiled.plan.numbers.site_at(site) {
            Some(Site::Atomic(op, num, packed)) => (op, num, packed),
            _ => (AtomOp::Exch, Num::U(Ty::B32), false),
        }
    }

    /// A driver service for one thread.
    pub fn syscall(&self, site: usize, ctaid: [u32; 3], thread: u32, args: &[u64; 8]) -> u64 {
        let Some(Site::Syscall(call)) = self.compiled.plan.numbers.site_at(site) else {
            return 0;
        };
        let mut read = |address, into: &mut [u8]| syscall::read_memory(address, into);
        match syscall::perform(self.grid, ctaid, thread, call, args, &mut read) {
            Ok(value) => value,
            Err(fault) => {
                self.fault.borrow_mut().get_or_insert(fault);
                0
            }
        }
    }

    /// An image operation of `count` threads from `thread` on; answers whether it failed.
    ///
    /// # Safety
    /// Called inside a protected call; see [`image::perform`].
    pub unsafe fn image(&self, site: usize, words: &mut Words, thread: u32, count: usize) -> bool {
        let Some(Site::Image(op)) = self.compiled.plan.numbers.site_at(site) else {
            return true;
        };
        // SAFETY: by contract.
        match unsafe { image::perform(op, words, count, &self.objects) } {
            Ok(()) => false,
            Err((lane, mut fault)) => {
                fault.thread = Some(self.grid.tid(thread + lane as u32));
                self.fault.borrow_mut().get_or_insert(fault);
                true
            }
        }
    }

    /// A warp operation of a team, warp by warp, at the end of `block`.
    ///
    /// # Safety
    /// `team` is a team of this runtime's block.
    pub unsafe fn warp_op(&self, team: *mut Team, block: usize) {
        let Some(op) = collective(&self.compiled.plan.func.blocks[block].end) else {
            return;
        };
        // SAFETY: by contract; nobody changes it meanwhile.
        let (first, count) = unsafe { ((*team).first, (*team).count) };
        let for_lanes = self.compiled.plan.func.blocks[block].mask;
        for warp in first / 32..(first + count) / 32 {
            let state = State {
                team,
                lanes: self.lanes,
                warp: warp as usize,
                ahead: warp * 32 - first,
                compiled: self.compiled,
            };
            if for_lanes.is_some_and(|mask| state.masked(mask) == 0) {
                continue;
            }
            state.warp_op(&op, u32::MAX, true);
        }
    }
}

/// The warp operation that a block ends with.
fn collective(end: &Terminator) -> Option<Collective<'_>> {
    let Terminator::Warp {
        op,
        mask,
        args,
        dsts,
        ..
    } = end
    else {
        return None;
    };
    Some(Collective {
        op: *op,
        mask: *mask,
        args,
        dsts,
    })
}

/// What a warp is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Leads a team that is about to enter this block.
    Fast(BlockId),
    /// Leads a team that waits at the barrier that ends this block.
    FastWait(BlockId, u32),
    /// Leads a team that waits at the cluster's barrier, which ends this block.
    FastCluster(BlockId),
    /// Belongs to the team of a warp before it.
    Member,
    /// Lane by lane.
    Slow,
    /// Every lane has ended.
    Done,
}

/// Where lanes are in thread mode.
#[derive(Default)]
pub(super) struct Lanes {
    /// Lanes about to run each block.
    pub(super) at: Places,
    /// Lanes waiting at a block's warp operation.
    in_op: u32,
    /// Lanes waiting at a block's barrier.
    pub(super) in_barrier: u32,
    /// Lanes waiting at the cluster's barrier.
    pub(super) in_cluster: u32,
    /// Lanes that let others run first.
    paused: u32,
    /// The block whose end a waiting lane is at.
    pub(super) block: [u32; 32],
    /// The barrier a waiting lane is at.
    pub(super) barrier: [u32; 32],
    /// Steps so far.
    steps: u32,
    /// Where the last rotated pick was.
    last: usize,
    /// Steps before the lanes may come together again.
    hold: u32,
}

pub(super) struct Warp {
    pub(super) mode: Mode,
    /// Warps of the team it leads.
    pub(super) team: usize,
    pub(super) alive: u32,
    pub(super) lanes: Lanes,
}

/// How a warp's turn ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// It waits or has ended.
    Stopped,
    /// It can go on.
    OutOfFuel,
}

/// A block in flight.
pub struct JitBlock<'g> {
    pub(super) compiled: &'g Compiled,
    grid: &'g GridEnv<'g>,
    block: BlockEnv,
    env: Box<Env>,
    runtime: Box<Runtime<'g>>,
    pub(super) warps: Vec<Warp>,
    /// The teams' states, one for each warp, and behind them the lane slots.
    memory: Vec<u128>,
    pub(super) barriers: [Barrier; 16],
    /// Barriers at which somebody has arrived, a bit each.
    pub(super) used_barriers: u32,
    pub(super) cluster: Cluster,
    pub(super) alive_threads: u32,
    /// Blocks of the grid that follow this one and are to be run too.
    following: u64,
    /// Warps that have been started: all before this one.
    started: usize,
    /// Warps that teams are made of, those with 32 threads in general: all before this one.
    full_warps: usize,
    /// Warps of a team to begin with.
    team_warps: usize,
    spins: u32,
    /// The team at hand was made by [`JitBlock::merge`] and has not yet proved worth it.
    merged: bool,
    /// How often such a team was broken up at once.
    in_vain: u32,
}

/// Why a launch cannot go on when code that it needs now cannot be made.
fn unsupported(why: &str) -> Fault {
    Fault::new(
        FaultKind::Unsupported,
        format!("the JIT does not support {why}"),
    )
}

#[repr(C)]
struct FastCall {
    code: FastFn,
    env: *mut Env,
    team: *mut Team,
    entry: u64,
}

unsafe extern "C" fn call_fast(arg: *mut u8) -> u64 {
    // SAFETY: called by `trap::protected` with the `FastCall` that `run_fast` made.
    let call = unsafe { &*arg.cast::<FastCall>() };
    // SAFETY: the code was generated for these structures.
    let code = unsafe { (call.code)(call.env, call.team, call.entry) };
    // What was written past the caches comes before all that follows.
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this kind has it.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
    code
}

/// Whether what a grid writes, a word a thread, is more than the caches hold. In builds for tests, every second grid does.
fn streams(grid: &GridEnv) -> bool {
    if cfg!(debug_assertions) {
        return grid.grid_id.count_ones() % 2 == 1;
    }
    let blocks: u64 = grid.grid.iter().map(|&n| u64::from(n)).product();
    let written = blocks.saturating_mul(u64::from(grid.threads()) * 4);
    // Small grids need not ask.
    written >= 1 << 20 && written >= crate::sys::cpus::cache_bytes()
}

impl<'g> JitBlock<'g> {
    /// A block ready to run, and `following` blocks after it.
    pub fn new(
        compiled: &'g Compiled,
        grid: &'g GridEnv<'g>,
        block: BlockEnv,
        following: u64,
    ) -> Self {
        let (space_base, space_mask) = space::check();
        let layout = &compiled.plan.layout;
        let warps = grid.warps() as usize;
        let full_warps = match compiled.plan.partial {
            true => warps,
            false => grid.threads() as usize / 32,
        };
        let team_warps = match compiled.plan.shape {
            Shape::Planes(_) if grid.block[2] > 1 => (grid.block[0] * grid.block[1]) as usize / 32,
            _ => full_warps.max(1),
        };
        let teams_bytes = warps * layout.team_bytes as usize;
        let mut memory = vec![0u128; (teams_bytes + layout.lane_bytes as usize).div_ceil(16)];
        let lanes = memory.as_mut_ptr().cast::<u8>().wrapping_add(teams_bytes);
        for lane in 0..grid.threads() {
            for (axis, &at) in grid.tid(lane).iter().enumerate() {
                let index = axis * layout.capacity as usize + lane as usize;
                // SAFETY: the lane slots begin with `%tid` of as many lanes as there is room for, by axis.
                unsafe { *lanes.cast::<u32>().add(index) = at };
            }
        }
        // SAFETY: as above.
        unsafe {
            layout.set_row_masks(lanes, compiled.plan.shape.breaks(), grid.block[0]);
            layout.set_exists(lanes, grid.threads());
        }
        let runtime = Box::new(Runtime {
            compiled,
            grid,
            lanes,
            fault: RefCell::new(None),
            objects: Handles::new(grid.host),
        });
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
            spun: 0,
            teams_left: 0,
            blocks_left: 0,
            teams: (warps / team_warps) as i64,
            local: block.local,
            stack: grid.stack_of(&block),
            grid_id: grid.grid_id,
            ctaid: block.ctaid,
            worker: block.worker,
            grid: grid.grid,
            workers: grid.workers,
            block: grid.block,
            dynamic_shared: grid.dynamic_shared,
            envregs: grid.envregs,
            wide: std::ptr::null(),
            cluster: grid.cluster,
            cluster_rank: block.rank,
            explicit_cluster: u32::from(grid.explicit_cluster),
            runtime: (&raw const *runtime).cast(),
            places: std::ptr::null_mut(),
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
                    team: 1,
                    alive: 0,
                    lanes: Lanes::default(),
                })
                .collect(),
            memory,
            barriers: [Barrier::default(); 16],
            used_barriers: 0,
            cluster: Cluster::default(),
            alive_threads: 0,
            following,
            started: 0,
            full_warps,
            team_warps,
            spins: 0,
            merged: false,
            in_vain: 0,
        };
        this.renew();
        this
    }

    /// Makes this the block `ctaid` of the same launch, in the same windows; `following` blocks after it are run too.
    pub fn restart(&mut self, ctaid: [u32; 3], following: u64) {
        self.block.ctaid = ctaid;
        self.env.ctaid = ctaid;
        self.following = following;
        self.renew();
    }

    /// Makes every warp a fresh one: full warps in teams, a last one that is not full by itself, lane by lane.
    fn renew(&mut self) {
        let threads = self.grid.threads();
        for n in 0..self.warps.len() {
            let warp = &mut self.warps[n];
            let here = (threads - n as u32 * 32).min(32);
            warp.alive = if here == 32 {
                u32::MAX
            } else {
                (1 << here) - 1
            };
            warp.team = 1;
            warp.mode = if n >= self.full_warps {
                Mode::Slow
            } else if n % self.team_warps == 0 {
                warp.team = self.team_warps;
                Mode::Fast(BlockId(0))
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
        self.spins = 0;
    }

    /// Goes on with the next block that was asked for, if there is one.
    fn next(&mut self) -> bool {
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

    /// The state of a warp that leads a team or is by itself.
    pub(super) fn state(&self, w: usize) -> State<'g> {
        self.member(w, w)
    }

    /// The state of a warp in the team that `leader` leads.
    pub(super) fn member(&self, leader: usize, w: usize) -> State<'g> {
        let bytes = self.compiled.plan.layout.team_bytes as usize;
        // SAFETY: the memory begins with a team's state for every warp.
        let team = unsafe { self.memory.as_ptr().cast::<u8>().add(leader * bytes) };
        State {
            team: team.cast_mut().cast(),
            lanes: self.env.lanes,
            warp: w,
            ahead: (w - leader) as u64 * 32,
            compiled: self.compiled,
        }
    }

    /// The rows of a team of `count` lanes from `first` on. What lies within one row is a row of its own.
    fn rows(&self, first: u64, count: u64) -> Rows {
        let width = match self.compiled.plan.shape {
            Shape::Planes(_) => u64::from(self.grid.block[0]),
            _ => u64::MAX,
        };
        let ahead = first % width;
        match ahead + count <= width {
            true => Rows {
                width: count,
                ahead: 0,
            },
            false => Rows { width, ahead },
        }
    }

    /// Sets up the team of `count` warps that `w` leads.
    fn lead(&mut self, w: usize, count: usize) {
        let lane = w as u32 * 32;
        let whole = u32::from(count == self.warps.len());
        let local = self.block.local + u64::from(lane) * u64::from(self.grid.local_bytes);
        let tid0 = self.grid.tid(lane);
        let lanes = (count as u64 * 32).min(u64::from(self.grid.threads() - lane));
        let rows = self.rows(u64::from(lane), lanes);
        let mut state = self.state(w);
        let team = state.team_mut();
        team.first = u64::from(lane);
        team.count = lanes;
        team.width = rows.width;
        team.ahead = rows.ahead;
        team.last_row = (rows.ahead + lanes - 1) / rows.width;
        team.inverse = (1u64 << 32).div_ceil(rows.width);
        team.whole = whole;
        team.tid0 = tid0;
        team.local = local;
        self.warps[w].team = count;
    }

    fn start(&mut self, w: usize) {
        self.lead(w, self.warps[w].team);
        self.started = self.started.max(w + self.warps[w].team);
        if self.warps[w].mode == Mode::Slow {
            let alive = self.warps[w].alive;
            self.enter_slow(w);
            self.warps[w].lanes.at.add(0, alive);
        }
    }

    /// Breaks a team up into its warps, each with its share of what the team keeps of `regs`, and calls `f` for each.
    pub(super) fn split(
        &mut self,
        leader: usize,
        regs: impl Iterator<Item = Reg> + Clone,
        mut f: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let count = self.warps[leader].team;
        let layout = &self.compiled.plan.layout;
        for w in (leader..leader + count).rev() {
            self.lead(w, 1);
            if w != leader {
                let (from, to) = (self.member(leader, w), self.state(w));
                for home in regs.clone().filter_map(|reg| layout.home(reg)) {
                    if home.class.is_team() {
                        let base = from.read(home, true)[0];
                        let line = from.line(home);
                        to.set_line(home, Line { base, ..line });
                    }
                }
            }
        }
        for w in leader..leader + count {
            f(self, w)?;
        }
        Ok(())
    }

    /// Makes one team of all warps again if each is by itself about to enter the same block and what they keep of its live
    /// registers fits.
    pub(super) fn merge(&mut self, block: BlockId) {
        let count = self.warps.len();
        let apart = |w: &Warp| w.mode == Mode::Fast(block) && w.team == 1;
        if self.in_vain >= IN_VAIN || count < 2 || self.team_warps != count {
            return;
        }
        if !self.warps.iter().all(apart) {
            return;
        }
        let rows = self.rows(0, u64::from(self.grid.threads()));
        // The first warp of another row than the first.
        let below = (1..count as u64).find(|w| !rows.same(32 * w));
        let mut lines = Vec::new();
        let live = self.compiled.plan.live.live_in(block);
        for home in live
            .iter()
            .filter_map(|reg| self.compiled.plan.layout.home(reg))
        {
            if !home.class.is_team() {
                continue;
            }
            let mut line = self.state(0).line(home);
            let affine = matches!(home.class, Class::Affine(_));
            if let Some(w) = below.filter(|_| affine && rows.same(31)) {
                let next = self.state(w as usize).line(home);
                line = Line::through(line.base, (32 * w, next.base), line.stride, rows);
            }
            let fits = (1..count).all(|w| {
                let (own, team) = (self.state(w).line(home), self.state(w).team().rows());
                let steps = team.same(31) || (own.step ^ line.step) & home.ty.mask() == 0;
                steps && own.base == line.at(w as u64 * 32, rows, home.ty)
            });
            if !fits {
                return;
            }
            lines.push((home, line));
        }
        self.lead(0, count);
        for (home, line) in lines {
            self.state(0).set_line(home, line);
        }
        self.merged = true;
        for warp in &mut self.warps[1..] {
            warp.mode = Mode::Member;
        }
    }

    fn run_fast(&mut self, leader: &mut usize, at: BlockId) -> Result<Option<Turn>, Fault> {
        let w = *leader;
        self.env.fuel = FUEL;
        // Code that ends a team goes straight on with the next if nothing was started after this one, and then with the next
        // block if nothing of this one is left.
        let team = self.warps[w].team;
        let fresh = team == self.team_warps
            && w + team == self.started
            && self.full_warps == self.warps.len();
        let alone = fresh && self.alive_threads == self.grid.threads() - 32 * w as u32;
        let rest = self.full_warps - self.started.min(self.full_warps);
        let following = if alone { self.following } else { 0 };
        self.env.teams_left = if alone {
            (rest / self.team_warps) as i64
        } else {
            0
        };
        self.env.blocks_left = following as i64;
        let mut door = Door::Block(at);
        let result = loop {
            let (part, entry) = self.compiled.plan.pieces.door(door);
            let code = self.compiled.team(part).map_err(unsupported)?;
            self.env.wide = code.wide.as_ptr();
            let mut call = FastCall {
                code: code.run,
                env: &raw mut *self.env,
                team: self.state(w).team,
                entry: u64::from(entry),
            };
            // SAFETY: generated code drops nothing, and helpers hold nothing where they touch the program's memory.
            let result = unsafe { trap::protected(call_fast, (&raw mut call).cast()) };
            match result {
                Ok(code) if Exit::from_code(code) == Exit::Elsewhere => {
                    door = self.compiled.plan.door(BlockId((code >> 8) as u32));
                }
                result => break result,
            }
        };
        let w = self.caught_up(w, following);
        *leader = w;
        let code = result.map_err(|trap| self.trapped(w, trap))?;
        let block = BlockId((code >> 8) as u32);
        let plan = &self.compiled.plan;
        if std::mem::take(&mut self.merged) {
            let broken = matches!(Exit::from_code(code), Exit::Slow | Exit::Diverge);
            self.in_vain += u32::from(broken);
        }
        match Exit::from_code(code) {
            Exit::Done => {
                let team = self.warps[w].team;
                self.alive_threads -= self.state(w).team().count as u32;
                for warp in &mut self.warps[w..w + team] {
                    warp.alive = 0;
                    warp.mode = Mode::Done;
                }
                self.check_barriers()?;
                Ok(Some(Turn::Stopped))
            }
            Exit::Yield => {
                self.warps[w].mode = Mode::Fast(block);
                Ok(Some(Turn::OutOfFuel))
            }
            Exit::Slow => {
                let live = plan.live.live_in(block);
                // A masked block is only for teams of which some lane is to run it.
                let masked = plan.func.blocks[block.index()].mask.is_some();
                let team = self.warps[w].team;
                if team > 1 && !masked && plan.entries[block.index()] {
                    // Perhaps only some warps cannot.
                    self.split(w, live.iter().collect::<Vec<_>>().into_iter(), |this, n| {
                        this.warps[n].mode = Mode::Fast(block);
                        Ok(())
                    })?;
                    return Ok(None);
                }
                self.split(w, live.iter().collect::<Vec<_>>().into_iter(), |this, n| {
                    this.state(n).expand(plan.live.live_in(block).iter());
                    this.enter_slow(n);
                    let alive = this.warps[n].alive;
                    this.warps[n].lanes.at.add(block.index(), alive);
                    Ok(())
                })?;
                Ok(None)
            }
            Exit::Diverge => {
                let live = self.after(block);
                self.split(w, live.clone().into_iter(), |this, n| {
                    this.diverge(n, block, &live)
                })?;
                Ok(None)
            }
            Exit::Barrier => self.fast_barrier(w, block),
            Exit::Trap => Err(self.place(
                Fault::new(FaultKind::Trap, "the kernel executed trap"),
                Some(self.state(w).team().first as u32),
                None,
            )),
            Exit::Fault | Exit::Elsewhere => Err(self.fast_fault(w, block)),
        }
    }

    /// What lives after `block`, and what its terminator reads.
    pub(super) fn after(&self, block: BlockId) -> Vec<Reg> {
        let plan = &self.compiled.plan;
        let mut live = plan.live.live_out(&plan.func, block);
        plan.func.blocks[block.index()].end.uses(|o| {
            if let Operand::Reg(reg) = o {
                live.insert(reg);
            }
        });
        live.iter().collect()
    }

    /// Goes on with a warp whose lanes may part at the end of `block`.
    pub(super) fn diverge(&mut self, w: usize, block: BlockId, live: &[Reg]) -> Result<(), Fault> {
        let plan = &self.compiled.plan;
        let (state, alive) = (self.state(w), self.warps[w].alive);
        let mut taken = 0;
        if let Terminator::Branch {
            cond, then, other, ..
        } = &plan.func.blocks[block.index()].end
        {
            taken = plan.layout.home(*cond).map_or(0, |home| state.pred(home));
            let to = match taken {
                0 => Some(*other),
                _ if taken == alive => Some(*then),
                _ => None,
            };
            if let Some(to) = to.filter(|to| plan.entries[to.index()]) {
                self.warps[w].mode = Mode::Fast(to);
                return Ok(());
            }
        }
        state.expand(live.iter().copied());
        self.enter_slow(w);
        self.transfer(w, block, alive, taken)
    }

    /// The warp that leads the team with which team mode left off: code may have ended that of `w` and gone on with teams
    /// and blocks after it, in the same memory.
    fn caught_up(&mut self, w: usize, following: u64) -> usize {
        let now = self.state(w).team().first as usize / 32;
        let left = self.env.blocks_left as u64;
        let moved = left < following;
        if !moved && now == w {
            return w;
        }
        if moved {
            self.following -= following - left;
            self.block.ctaid = self.env.ctaid;
            self.renew();
        }
        if now != w {
            let bytes = self.compiled.plan.layout.team_bytes as usize;
            let (from, to) = (self.state(w).team, self.state(now).team);
            // SAFETY: two different teams' states, each as long as the layout says.
            unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), bytes) };
        }
        for done in &mut self.warps[..now] {
            done.mode = Mode::Done;
            done.alive = 0;
        }
        self.alive_threads = self.grid.threads() - 32 * now as u32;
        self.started = now + self.warps[now].team;
        now
    }

    fn turn(&mut self, mut w: usize) -> Result<Turn, Fault> {
        if w >= self.started {
            self.start(w);
        }
        loop {
            let turn = match self.warps[w].mode {
                Mode::Fast(block) => self.run_fast(&mut w, block)?,
                Mode::Slow => self.run_slow(w)?,
                Mode::FastWait(..) | Mode::FastCluster(_) | Mode::Member | Mode::Done => {
                    Some(Turn::Stopped)
                }
            };
            if let Some(turn) = turn {
                return Ok(turn);
            }
        }
    }

    fn can_run(&self, w: usize) -> bool {
        match self.warps[w].mode {
            Mode::Fast(_) => true,
            Mode::Slow => {
                let warp = &self.warps[w];
                let lanes = &warp.lanes;
                let waits = lanes.in_barrier | lanes.in_cluster;
                // One whose last lanes ended with its last step is still to say so.
                w >= self.started
                    || warp.alive == 0
                    || waits != warp.alive && (waits == 0 || lanes.at.first(0, 0).is_some())
            }
            Mode::FastWait(..) | Mode::FastCluster(_) | Mode::Member | Mode::Done => false,
        }
    }
}

impl BlockRun for JitBlock<'_> {
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault> {
        loop {
            let (mut ran, mut stopped, mut left) = (false, false, false);
            for w in 0..self.warps.len() {
                if self.can_run(w) {
                    ran = true;
                    stopped |= self.turn(w)? == Turn::Stopped;
                }
                left |= self.warps[w].mode != Mode::Done;
            }
            if !left {
                if self.next() {
                    continue;
                }
                return Ok(Progress::Done);
            }
            meanwhile();
            if self.grid.cancel.load(Ordering::Relaxed) {
                return Err(Fault::new(
                    FaultKind::Cancelled,
                    "the launch was told to stop",
                ));
            }
            let alone = self.grid.cluster_blocks() == 1;
            if alone && self.opens() {
                self.open_cluster();
                continue;
            }
            if !ran && !alone && self.waits_for_cluster() {
                return Ok(Progress::Waiting);
            }
            if !ran && self.force_ops() {
                continue;
            }
            if !ran {
                let waiting: u32 = self.barriers.iter().map(|b| b.arrived).sum();
                let message = format!(
                    "deadlock: {waiting} threads wait at a barrier that the other {} never reach",
                    self.alive_threads.saturating_sub(waiting)
                );
                return Err(self.place(Fault::new(FaultKind::Deadlock, message), None, None));
            }
            self.spins = if stopped { 0 } else { self.spins + 1 };
            let rounds = match self.env.spun {
                0 => LONG_ROUNDS,
                _ => SPIN_ROUNDS,
            };
            if self.spins >= rounds {
                self.spins = 0;
                self.env.spun = 0;
                return Ok(Progress::Yielded);
            }
        }
    }

    fn arrivals(&self) -> Arrivals {
        self.cluster_arrivals()
    }

    fn open_cluster(&mut self) {
        self.release_cluster();
    }
}
