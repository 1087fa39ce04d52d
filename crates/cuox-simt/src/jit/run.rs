//! How a block runs under the JIT: its warps, each in warp mode or in thread mode, and what joins them.

use super::classes::{Class, Shape};
use super::compile::{Compiled, FastFn, Site, SlowFn};
use super::layout::{Env, Exit, Home, WarpHeader, affine, lane_bytes};
use super::slow::{FAULT, RUNTIME_FAULT};
use crate::env::{BlockEnv, BlockRun, GridEnv, Progress};
use crate::fault::{Fault, FaultKind};
use crate::ir::{
    AtomOp, BarrierKind, BlockId, Inst, Num, Operand, Reg, Space, Terminator, Ty, WarpOp,
};
use crate::{sem, space, syscall, trap};
use std::cell::RefCell;
use std::sync::atomic::Ordering;

/// Back edges a warp may take before another gets its turn.
const FUEL: i64 = 1 << 14;
/// Blocks that thread mode runs before another warp gets its turn.
const SLOW_STEPS: u32 = 1 << 12;
/// Rounds in which every warp only used up its fuel, after which the block gives way to others.
const SPIN_ROUNDS: u32 = 4;
/// Every so many steps, thread mode favours a block that is not the first, so that no lane starves.
const ROTATE: u32 = 16;

type Values = [u64; 32];

/// What helpers called by generated code see of their block.
pub struct Runtime<'g> {
    compiled: &'g Compiled,
    grid: &'g GridEnv<'g>,
    fault: RefCell<Option<Fault>>,
}

impl Runtime<'_> {
    /// Whether a helper has left a fault.
    pub fn has_fault(&self) -> bool {
        self.fault.borrow().is_some()
    }

    /// The operation of an atomic site.
    pub fn atomic_site(&self, site: usize) -> (AtomOp, Num, bool) {
        match self.compiled.sites[site] {
            Site::Atomic(op, num, packed) => (op, num, packed),
            Site::Syscall(_) => (AtomOp::Exch, Num::U(Ty::B32), false),
        }
    }

    /// A driver service for one thread.
    pub fn syscall(&self, site: usize, ctaid: [u32; 3], thread: u32, args: &[u64; 8]) -> u64 {
        let Site::Syscall(call) = self.compiled.sites[site] else {
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

    /// A warp operation of 32 converged lanes, at the end of `block`.
    ///
    /// # Safety
    /// `warp` is the state of a warp of this runtime's kernel.
    pub unsafe fn warp_op(&self, warp: *mut WarpHeader, block: usize) {
        let state = State {
            at: warp,
            compiled: self.compiled,
        };
        let Terminator::Warp {
            op,
            mask,
            args,
            dsts,
            ..
        } = &self.compiled.plan.func.blocks[block].end
        else {
            return;
        };
        let results = state.collective(*op, u32::MAX, *mask, args, true);
        for (dst, values) in dsts.iter().zip(&results) {
            if let Some(home) = dst.and_then(|dst| self.compiled.plan.layout.home(dst)) {
                state.write(home, u32::MAX, values, true);
            }
        }
    }
}

/// A warp's memory.
#[derive(Clone, Copy)]
struct State<'g> {
    at: *mut WarpHeader,
    compiled: &'g Compiled,
}

impl State<'_> {
    fn header(&self) -> &WarpHeader {
        // SAFETY: `at` points to a warp's state that only this worker touches, and no code runs on it now. The borrow
        // ends before the next call of generated code.
        unsafe { &*self.at }
    }

    fn header_mut(&mut self) -> &mut WarpHeader {
        // SAFETY: as above; nobody else holds a borrow of the header.
        unsafe { &mut *self.at }
    }

    fn slot(&self, offset: u32) -> *mut u8 {
        // SAFETY: offsets come from the layout that the state was sized by.
        unsafe { self.at.cast::<u8>().add(offset as usize) }
    }

    /// The value that warp mode keeps of a uniform or affine register, for lane 0.
    fn scalar(&self, home: Home) -> u64 {
        let at = self.slot(home.scalar);
        // SAFETY: scalar slots are 16 bytes, aligned to 16.
        unsafe {
            match home.ty {
                Ty::Pred => u64::from(*at),
                Ty::B64 | Ty::B128 => *at.cast::<u64>(),
                _ => u64::from(*at.cast::<u32>()),
            }
        }
    }

    fn set_scalar(&self, home: Home, value: u64) {
        let at = self.slot(home.scalar);
        // SAFETY: as above.
        unsafe {
            match home.ty {
                Ty::Pred => *at = value as u8 & 1,
                Ty::B64 | Ty::B128 => *at.cast::<u64>() = value,
                _ => *at.cast::<u32>() = value as u32,
            }
        }
    }

    /// All lanes' values; `converged` says whether warp mode left them.
    fn read(&self, home: Home, converged: bool) -> Values {
        if converged && home.class != Class::Varying {
            let base = self.scalar(home);
            let stride = match home.class {
                Class::Affine(stride) => stride,
                _ => 0,
            };
            return std::array::from_fn(|lane| affine(base, stride, lane as u32, home.ty));
        }
        let at = self.slot(home.lanes);
        std::array::from_fn(|lane| {
            // SAFETY: lane slots hold 32 values of `lane_bytes`, or one mask.
            unsafe {
                match home.ty {
                    Ty::Pred => u64::from(*at.cast::<u32>() >> lane & 1),
                    Ty::B64 => *at.cast::<u64>().add(lane),
                    Ty::B128 => *at.cast::<u64>().add(lane * 2),
                    _ => u64::from(*at.cast::<u32>().add(lane)),
                }
            }
        })
    }

    /// Sets the values of some lanes; `converged` says whether warp mode reads them next.
    fn write(&self, home: Home, lanes: u32, values: &Values, converged: bool) {
        if converged && home.class != Class::Varying {
            self.set_scalar(home, values[0]);
            return;
        }
        let at = self.slot(home.lanes);
        // SAFETY: as in `read`.
        unsafe {
            if home.ty == Ty::Pred {
                let mut mask = *at.cast::<u32>() & !lanes;
                for lane in sem::warp::lanes_of(lanes) {
                    mask |= (values[lane] as u32 & 1) << lane;
                }
                *at.cast::<u32>() = mask;
                return;
            }
            for lane in sem::warp::lanes_of(lanes) {
                match lane_bytes(home.ty) {
                    8 => *at.cast::<u64>().add(lane) = values[lane],
                    16 => *at.cast::<u64>().add(lane * 2) = values[lane],
                    _ => *at.cast::<u32>().add(lane) = values[lane] as u32,
                }
            }
        }
    }

    fn operand(&self, operand: Operand, converged: bool) -> Values {
        match operand {
            Operand::Imm(bits) => [bits; 32],
            Operand::Reg(reg) => match self.compiled.plan.layout.home(reg) {
                Some(home) => self.read(home, converged),
                None => [0; 32],
            },
        }
    }

    fn collective(
        &self,
        op: WarpOp,
        active: u32,
        mask: Operand,
        args: &[Operand],
        converged: bool,
    ) -> [Values; 2] {
        let masks = self.operand(mask, converged).map(|m| m as u32);
        let mut values = [[0u64; 32]; 3];
        for (value, &arg) in values.iter_mut().zip(args) {
            *value = self.operand(arg, converged);
        }
        sem::warp::collective(op, active, &masks, [&values[0], &values[1], &values[2]])
    }

    /// Writes the lane slots of what warp mode kept once.
    fn expand(&self, regs: impl Iterator<Item = Reg>) {
        for reg in regs {
            if let Some(home) = self.compiled.plan.layout.home(reg)
                && home.class != Class::Varying
            {
                let values = self.read(home, true);
                self.write(home, u32::MAX, &values, false);
            }
        }
    }

    /// Whether all lanes agree with the classes of `regs`; if so, writes what warp mode keeps once.
    fn contract(&self, regs: impl Iterator<Item = Reg> + Clone) -> bool {
        let homes = || {
            regs.clone()
                .filter_map(|reg| self.compiled.plan.layout.home(reg))
                .filter(|home| home.class != Class::Varying)
        };
        for home in homes() {
            let values = self.read(home, false);
            let stride = match home.class {
                Class::Affine(stride) => stride,
                _ => 0,
            };
            let agrees = values
                .iter()
                .enumerate()
                .all(|(lane, &v)| v == affine(values[0], stride, lane as u32, home.ty));
            if !agrees {
                return false;
            }
        }
        for home in homes() {
            let value = self.read(home, false)[0];
            self.set_scalar(home, value);
        }
        true
    }
}

/// What a warp is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// All lanes together, about to enter this block.
    Fast(BlockId),
    /// All lanes together, waiting at the barrier that ends this block.
    FastWait(BlockId, u32),
    /// Lane by lane.
    Slow,
    /// Every lane has ended.
    Done,
}

/// Where lanes are in thread mode.
#[derive(Default)]
struct Lanes {
    /// Lanes about to run each block.
    at: Vec<u32>,
    /// Lanes waiting at a block's warp operation.
    in_op: u32,
    /// Lanes waiting at a block's barrier.
    in_barrier: u32,
    /// The block whose end a waiting lane is at.
    block: [u32; 32],
    /// The barrier a waiting lane is at.
    barrier: [u32; 32],
    /// Steps so far.
    steps: u32,
    /// Where the last rotated pick was.
    last: usize,
    /// Steps before the lanes may come together again.
    hold: u32,
}

struct Warp {
    mode: Mode,
    /// Offset of its state in the block's memory; none before it starts.
    state: Option<usize>,
    alive: u32,
    lanes: Lanes,
    tids_known: bool,
}

#[derive(Clone, Copy, Default)]
struct Barrier {
    arrived: u32,
    /// The lanes of each warp that have arrived: a count takes a warp as 32 threads when none of it is missing.
    lanes: [u32; 32],
    expected: Option<u32>,
    popc: u32,
}

/// How a warp's turn ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// It waits or has ended.
    Stopped,
    /// It can go on.
    OutOfFuel,
}

/// Memory for warp states, kept between blocks.
#[derive(Default)]
struct Arena {
    bytes: Vec<u128>,
    size: usize,
    free: Vec<usize>,
    used: usize,
}

impl Arena {
    /// Room for `warps` states of `size` bytes.
    fn reset(&mut self, size: usize, warps: usize) {
        let words = (size * warps).div_ceil(16) + 4;
        if self.bytes.len() < words {
            self.bytes.resize(words, 0);
        }
        self.size = size;
        self.free.clear();
        self.used = 0;
    }

    fn take(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            (self.used - 1) * self.size
        })
    }
}

/// A block in flight.
pub struct JitBlock<'g> {
    compiled: &'g Compiled,
    grid: &'g GridEnv<'g>,
    block: BlockEnv,
    env: Box<Env>,
    runtime: Box<Runtime<'g>>,
    warps: Vec<Warp>,
    arena: Arena,
    barriers: [Barrier; 16],
    alive_threads: u32,
    /// Blocks of the grid that follow this one and are to be run too.
    following: u64,
    /// Warps that have been started: all before this one.
    started: usize,
    /// Warps with 32 threads: all before this one.
    full_warps: usize,
    spins: u32,
}

#[repr(C)]
struct FastCall {
    code: FastFn,
    env: *mut Env,
    warp: *mut WarpHeader,
    entry: u64,
}

unsafe extern "C" fn call_fast(arg: *mut u8) -> u64 {
    // SAFETY: called by `trap::protected` with the `FastCall` that `run_fast` made.
    let call = unsafe { &*arg.cast::<FastCall>() };
    // SAFETY: the code was generated for these structures.
    unsafe { (call.code)(call.env, call.warp, call.entry) }
}

#[repr(C)]
struct SlowCall {
    code: SlowFn,
    env: *mut Env,
    warp: *mut WarpHeader,
    block: u64,
    mask: u64,
}

unsafe extern "C" fn call_slow(arg: *mut u8) -> u64 {
    // SAFETY: called by `trap::protected` with the `SlowCall` that `slow_step` made.
    let call = unsafe { &*arg.cast::<SlowCall>() };
    // SAFETY: the code was generated for these structures.
    unsafe { (call.code)(call.env, call.warp, call.block, call.mask) }
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
        let runtime = Box::new(Runtime {
            compiled,
            grid,
            fault: RefCell::new(None),
        });
        let env = Box::new(Env {
            params: grid.params,
            shared: block.shared,
            symbols: grid.symbols.as_ptr(),
            space_base,
            space_mask,
            shared_bytes: u64::from(grid.shared_bytes),
            fuel: 0,
            warps_left: 0,
            blocks_left: 0,
            warps_per_block: i64::from(grid.warps()),
            local: block.local,
            grid_id: grid.grid_id,
            ctaid: block.ctaid,
            worker: block.worker,
            grid: grid.grid,
            workers: grid.workers,
            block: grid.block,
            dynamic_shared: grid.dynamic_shared,
            envregs: grid.envregs,
            runtime: (&raw const *runtime).cast(),
        });
        let mut this = JitBlock {
            compiled,
            grid,
            block,
            env,
            runtime,
            warps: Vec::new(),
            arena: Arena::default(),
            barriers: [Barrier::default(); 16],
            alive_threads: 0,
            following: 0,
            started: 0,
            full_warps: 0,
            spins: 0,
        };
        this.restart(block.ctaid, following);
        this
    }

    /// Makes this the block `ctaid` of the same launch, in the same windows; `following` blocks after it are run too.
    pub fn restart(&mut self, ctaid: [u32; 3], following: u64) {
        self.block.ctaid = ctaid;
        self.env.ctaid = ctaid;
        self.following = following;
        let count = self.grid.warps() as usize;
        self.arena
            .reset(self.compiled.plan.layout.bytes as usize, count);
        self.warps.truncate(count);
        while self.warps.len() < count {
            self.warps.push(Warp {
                mode: Mode::Done,
                state: None,
                alive: 0,
                lanes: Lanes::default(),
                tids_known: false,
            });
        }
        self.full_warps = self.grid.threads() as usize / 32;
        self.renew();
    }

    /// Makes every warp a fresh one.
    fn renew(&mut self) {
        let threads = self.grid.threads();
        for (n, warp) in self.warps.iter_mut().enumerate() {
            let here = (threads - n as u32 * 32).min(32);
            warp.alive = if here == 32 {
                u32::MAX
            } else {
                (1 << here) - 1
            };
            warp.mode = if here == 32 {
                Mode::Fast(BlockId(0))
            } else {
                Mode::Slow
            };
            warp.state = None;
            warp.tids_known = false;
        }
        self.alive_threads = threads;
        self.started = 0;
        if self.compiled.plan.has_barrier {
            self.barriers = [Barrier::default(); 16];
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

    fn state(&self, w: usize) -> State<'g> {
        let offset = self.warps[w].state.unwrap_or(0);
        // SAFETY: the arena has room for every warp of the block.
        let at = unsafe { self.arena.bytes.as_ptr().cast::<u8>().add(offset) };
        State {
            at: at as *mut WarpHeader,
            compiled: self.compiled,
        }
    }

    fn start(&mut self, w: usize) {
        let offset = self.arena.take();
        self.warps[w].state = Some(offset);
        self.started = self.started.max(w + 1);
        let first = w as u32 * 32;
        let mut state = self.state(w);
        let header = state.header_mut();
        header.warp = w as u32;
        header.first_thread = first;
        header.tid0 = self.grid.tid(first);
        header.local = self.block.local + u64::from(first) * u64::from(self.grid.local_bytes);
        if self.compiled.plan.shape == Shape::Any {
            self.know_tids(w);
        }
        if self.warps[w].mode == Mode::Slow {
            let alive = self.warps[w].alive;
            self.enter_slow(w);
            self.warps[w].lanes.at[0] = alive;
        }
    }

    fn know_tids(&mut self, w: usize) {
        if std::mem::replace(&mut self.warps[w].tids_known, true) {
            return;
        }
        let mut state = self.state(w);
        let header = state.header_mut();
        for lane in 0..32 {
            let tid = self.grid.tid(header.first_thread + lane);
            for (axis, &at) in tid.iter().enumerate() {
                header.tid[axis][lane as usize] = at;
            }
        }
    }

    /// Readies thread mode with no lane anywhere yet.
    fn enter_slow(&mut self, w: usize) {
        self.know_tids(w);
        let blocks = self.compiled.plan.func.blocks.len();
        let warp = &mut self.warps[w];
        warp.mode = Mode::Slow;
        let mut at = std::mem::take(&mut warp.lanes.at);
        at.clear();
        at.resize(blocks, 0);
        warp.lanes = Lanes {
            at,
            hold: 1,
            ..Lanes::default()
        };
    }

    fn finish(&mut self, w: usize) {
        let warp = &mut self.warps[w];
        warp.mode = Mode::Done;
        if let Some(offset) = warp.state.take() {
            self.arena.free.push(offset);
        }
    }

    fn place(&self, mut fault: Fault, thread: Option<u32>, line: Option<u32>) -> Fault {
        fault.block.get_or_insert(self.block.ctaid);
        if fault.thread.is_none() {
            fault.thread = thread.map(|t| self.grid.tid(t));
        }
        fault.line = fault.line.or(line);
        fault
    }

    fn trapped(&self, w: usize, trap: trap::Trap) -> Fault {
        let kind = match trap.signal {
            libc::SIGILL | libc::SIGFPE => FaultKind::IllegalInstruction,
            _ => FaultKind::IllegalAddress,
        };
        let message = format!(
            "access to address {:#x}, which no allocation covers (a thread of warp {w})",
            trap.address
        );
        self.place(Fault::new(kind, message), None, None)
    }

    fn run_fast(&mut self, started_as: &mut usize, at: BlockId) -> Result<Option<Turn>, Fault> {
        let w = *started_as;
        let state = self.state(w);
        let entry = self.compiled.plan.entries[at.index()].unwrap_or(0);
        self.env.fuel = FUEL;
        // Code that ends a warp goes straight on with the next if nothing was started after this one, and then with the next
        // block if nothing of this one is left.
        let fresh = w + 1 == self.started;
        let alone = fresh
            && self.full_warps == self.warps.len()
            && self.alive_threads == self.grid.threads() - 32 * w as u32;
        self.env.warps_left = if fresh {
            self.full_warps.saturating_sub(self.started) as i64
        } else {
            0
        };
        let following = if alone { self.following } else { 0 };
        self.env.blocks_left = following as i64;
        let mut call = FastCall {
            code: self.compiled.fast,
            env: &raw mut *self.env,
            warp: state.at,
            entry: u64::from(entry),
        };
        // SAFETY: generated code drops nothing, and helpers hold nothing where they touch the program's memory.
        let result = unsafe { trap::protected(call_fast, (&raw mut call).cast()) };
        let w = self.caught_up(w, following);
        *started_as = w;
        let code = result.map_err(|trap| self.trapped(w, trap))?;
        let block = BlockId((code >> 8) as u32);
        match Exit::from_code(code) {
            Exit::Done => {
                self.alive_threads -= 32;
                self.warps[w].alive = 0;
                self.finish(w);
                self.check_barriers()?;
                Ok(Some(Turn::Stopped))
            }
            Exit::Yield => {
                self.warps[w].mode = Mode::Fast(block);
                Ok(Some(Turn::OutOfFuel))
            }
            Exit::Slow => {
                state.expand(self.compiled.plan.live.live_in(block).iter());
                self.enter_slow(w);
                self.warps[w].lanes.at[block.index()] = u32::MAX;
                Ok(None)
            }
            Exit::Diverge => {
                self.expand_end(w, block);
                self.enter_slow(w);
                let taken = state.header().taken;
                self.transfer(w, block, u32::MAX, taken)?;
                Ok(None)
            }
            Exit::Barrier => self.fast_barrier(w, block),
            Exit::Trap => Err(self.place(
                Fault::new(FaultKind::Trap, "the kernel executed trap"),
                Some(state.header().first_thread),
                None,
            )),
            Exit::Fault => Err(self.fast_fault(w, block)),
        }
    }

    /// The warp whose state warp mode left off with: code may have ended `w` and gone on with warps and blocks after it.
    fn caught_up(&mut self, w: usize, following: u64) -> usize {
        let now = self.state(w).header().warp as usize;
        let left = self.env.blocks_left as u64;
        if left < following {
            // Other blocks have begun and ended; of the one at hand, so have the warps before this one.
            self.following -= following - left;
            self.block.ctaid = self.env.ctaid;
            let state = self.warps[w].state.take();
            self.renew();
            self.warps[now].state = state;
            self.started = now + 1;
            self.alive_threads -= 32 * now as u32;
            for done in &mut self.warps[..now] {
                done.mode = Mode::Done;
                done.alive = 0;
            }
            return now;
        }
        if now == w {
            return w;
        }
        let state = self.warps[w].state.take();
        for done in &mut self.warps[w..now] {
            done.mode = Mode::Done;
            done.alive = 0;
        }
        self.warps[now].state = state;
        self.alive_threads -= 32 * (now - w) as u32;
        self.started = self.started.max(now + 1);
        now
    }

    /// Spreads what lives after `block` and what its terminator reads.
    fn expand_end(&self, w: usize, block: BlockId) {
        let plan = &self.compiled.plan;
        let mut live = plan.live.live_out(&plan.func, block);
        plan.func.blocks[block.index()].end.uses(|o| {
            if let Operand::Reg(reg) = o {
                live.insert(reg);
            }
        });
        self.state(w).expand(live.iter());
    }

    fn fast_fault(&self, w: usize, block: BlockId) -> Fault {
        let state = self.state(w);
        let header = state.header();
        if header.fault_inst == RUNTIME_FAULT {
            return self.runtime_fault();
        }
        let plan = &self.compiled.plan;
        let inst = &plan.func.blocks[block.index()].insts[header.fault_inst as usize];
        let group = header.scratch;
        for (n, &address) in group.iter().enumerate().take(4) {
            if let Some(fault) = self.bad_access(inst, address) {
                let thread = header.first_thread + header.fault_lane + n as u32;
                let line = plan.func.blocks[block.index()]
                    .lines
                    .get(header.fault_inst as usize);
                return self.place(fault, Some(thread), line.copied());
            }
        }
        self.place(
            Fault::new(FaultKind::IllegalAddress, "an illegal address"),
            None,
            None,
        )
    }

    fn runtime_fault(&self) -> Fault {
        let fault = self.runtime.fault.borrow_mut().take();
        fault
            .unwrap_or_else(|| Fault::new(FaultKind::IllegalInstruction, "a device service failed"))
    }

    /// Why an access at `address` (an offset, for window spaces) is illegal, if it is.
    fn bad_access(&self, inst: &Inst, address: u64) -> Option<Fault> {
        let (what, bytes) = match inst {
            Inst::Load { dsts, ty, .. } => ("read", ty.bytes() * dsts.len() as u32),
            Inst::Store { srcs, ty, .. } => ("write", ty.bytes() * srcs.len() as u32),
            Inst::Atomic { num, packed, .. } => {
                ("atomic access", if *packed { 4 } else { num.ty().bytes() })
            }
            _ => return None,
        };
        let space = inst.address()?.space;
        let (limit, name) = match space {
            Space::Flat => {
                let (base, mask) = space::check();
                if (address ^ base) & mask != 0 {
                    let message = format!(
                        "{what} of {bytes} bytes at address {address:#x}, which no allocation covers"
                    );
                    return Some(Fault::new(FaultKind::IllegalAddress, message));
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

    fn fast_barrier(&mut self, w: usize, block: BlockId) -> Result<Option<Turn>, Fault> {
        let compiled = self.compiled;
        let Terminator::Barrier {
            kind,
            id,
            count,
            pred,
            next,
            ..
        } = &compiled.plan.func.blocks[block.index()].end
        else {
            return Ok(None);
        };
        let state = self.state(w);
        let ids = state.operand(*id, true);
        let counts = count.map(|c| state.operand(c, true));
        let same = |v: &Values| v.iter().all(|&x| x == v[0]);
        if !same(&ids) || counts.as_ref().is_some_and(|c| !same(c)) {
            self.expand_end(w, block);
            self.enter_slow(w);
            self.transfer(w, block, u32::MAX, 0)?;
            return Ok(None);
        }
        let held = match pred {
            Some(pred) => state
                .operand(*pred, true)
                .iter()
                .map(|&p| p as u32 & 1)
                .sum(),
            None => 0,
        };
        if *kind == BarrierKind::Arrive {
            self.warps[w].mode = Mode::Fast(*next);
        } else {
            self.warps[w].mode = Mode::FastWait(block, ids[0] as u32 % 16);
        }
        self.arrive(
            ids[0] as u32,
            (w, u32::MAX),
            held,
            counts.map(|c| c[0] as u32),
        )?;
        Ok(match self.warps[w].mode {
            Mode::FastWait(..) => Some(Turn::Stopped),
            _ => None,
        })
    }

    fn arrive(
        &mut self,
        id: u32,
        (warp, lanes): (usize, u32),
        held: u32,
        expected: Option<u32>,
    ) -> Result<(), Fault> {
        let refused = match expected {
            _ if id >= 16 => Some(format!("barrier {id} does not exist, there are 16")),
            Some(count) if count == 0 || !count.is_multiple_of(32) => Some(format!(
                "barrier {id} with {count} threads, which is no multiple of 32"
            )),
            _ => None,
        };
        if let Some(message) = refused {
            return Err(self.place(
                Fault::new(FaultKind::IllegalInstruction, message),
                None,
                None,
            ));
        }
        let barrier = &mut self.barriers[id as usize];
        barrier.arrived += lanes.count_ones();
        barrier.lanes[warp] |= lanes;
        barrier.popc += held;
        barrier.expected = expected.or(barrier.expected);
        self.check_barriers()
    }

    /// Opens every barrier at which all that are expected have arrived.
    fn check_barriers(&mut self) -> Result<(), Fault> {
        if !self.compiled.plan.has_barrier {
            return Ok(());
        }
        for id in 0..16 {
            let barrier = self.barriers[id];
            if barrier.arrived == 0 {
                continue;
            }
            let missing = match barrier.expected {
                Some(expected) => {
                    let counted = |(&here, warp): (&u32, &Warp)| match warp.alive & !here {
                        0 if here != 0 => 32,
                        _ => here.count_ones(),
                    };
                    let arrived: u32 = barrier.lanes.iter().zip(&self.warps).map(counted).sum();
                    arrived < expected && barrier.arrived < self.alive_threads
                }
                None => barrier.arrived < self.alive_threads,
            };
            if !missing {
                self.open(id as u32, barrier);
            }
        }
        Ok(())
    }

    fn open(&mut self, id: u32, barrier: Barrier) {
        self.barriers[id as usize] = Barrier::default();
        let compiled = self.compiled;
        let plan = &compiled.plan;
        let result = |kind: BarrierKind| match kind {
            BarrierKind::Popc => u64::from(barrier.popc),
            BarrierKind::And => u64::from(barrier.popc == barrier.arrived),
            BarrierKind::Or => u64::from(barrier.popc > 0),
            BarrierKind::Sync | BarrierKind::Arrive => 0,
        };
        for w in 0..self.warps.len() {
            match self.warps[w].mode {
                Mode::FastWait(block, at) if at == id => {
                    let Terminator::Barrier {
                        kind, dst, next, ..
                    } = &plan.func.blocks[block.index()].end
                    else {
                        continue;
                    };
                    if let Some(home) = dst.and_then(|dst| plan.layout.home(dst)) {
                        self.state(w)
                            .write(home, u32::MAX, &[result(*kind); 32], true);
                    }
                    self.warps[w].mode = Mode::Fast(*next);
                }
                Mode::Slow if self.warps[w].lanes.in_barrier != 0 => {
                    let waiting = self.warps[w].lanes.in_barrier;
                    for lane in sem::warp::lanes_of(waiting) {
                        if self.warps[w].lanes.barrier[lane] != id {
                            continue;
                        }
                        let block = self.warps[w].lanes.block[lane] as usize;
                        let Terminator::Barrier {
                            kind, dst, next, ..
                        } = &plan.func.blocks[block].end
                        else {
                            continue;
                        };
                        if let Some(home) = dst.and_then(|dst| plan.layout.home(dst)) {
                            self.state(w)
                                .write(home, 1 << lane, &[result(*kind); 32], false);
                        }
                        let lanes = &mut self.warps[w].lanes;
                        lanes.in_barrier &= !(1 << lane);
                        lanes.at[next.index()] |= 1 << lane;
                    }
                }
                _ => {}
            }
        }
    }

    /// Moves lanes past the end of a block that thread mode (or warp mode, diverging) has run.
    fn transfer(&mut self, w: usize, block: BlockId, mask: u32, taken: u32) -> Result<(), Fault> {
        let compiled = self.compiled;
        let plan = &compiled.plan;
        let code = &plan.func.blocks[block.index()];
        let state = self.state(w);
        match &code.end {
            Terminator::Jump(to) => self.warps[w].lanes.at[to.index()] |= mask,
            Terminator::Branch { then, other, .. } => {
                self.warps[w].lanes.at[then.index()] |= mask & taken;
                self.warps[w].lanes.at[other.index()] |= mask & !taken;
            }
            Terminator::Switch { index, targets } => {
                let values = state.operand(*index, false);
                for lane in sem::warp::lanes_of(mask) {
                    match targets.get(values[lane] as u32 as usize) {
                        Some(to) => self.warps[w].lanes.at[to.index()] |= 1 << lane,
                        None => {
                            let message = format!(
                                "a switch on {} has {} targets",
                                values[lane] as u32,
                                targets.len()
                            );
                            return Err(self.place(
                                Fault::new(FaultKind::IllegalInstruction, message),
                                Some(state.header().first_thread + lane as u32),
                                code.lines.last().copied(),
                            ));
                        }
                    }
                }
            }
            Terminator::Exit | Terminator::Return => {
                self.warps[w].alive &= !mask;
                self.alive_threads -= mask.count_ones();
                self.check_barriers()?;
            }
            Terminator::Trap => {
                let lane = mask.trailing_zeros();
                return Err(self.place(
                    Fault::new(FaultKind::Trap, "the kernel executed trap"),
                    Some(state.header().first_thread + lane),
                    code.lines.last().copied(),
                ));
            }
            Terminator::Warp {
                op: WarpOp::ActiveMask,
                dsts,
                next,
                ..
            } => {
                if let Some(home) = dsts[0].and_then(|dst| plan.layout.home(dst)) {
                    state.write(home, mask, &[u64::from(mask); 32], false);
                }
                self.warps[w].lanes.at[next.index()] |= mask;
            }
            Terminator::Warp { .. } => {
                let lanes = &mut self.warps[w].lanes;
                lanes.in_op |= mask;
                for lane in sem::warp::lanes_of(mask) {
                    lanes.block[lane] = block.0;
                }
                self.complete_ops(w, false);
            }
            Terminator::Barrier {
                kind,
                id,
                count,
                pred,
                next,
                ..
            } => {
                let ids = state.operand(*id, false);
                let counts = count.map(|c| state.operand(c, false));
                let preds = pred.map_or([0; 32], |p| state.operand(p, false));
                let waits = *kind != BarrierKind::Arrive;
                for lane in sem::warp::lanes_of(mask) {
                    let lanes = &mut self.warps[w].lanes;
                    if waits {
                        lanes.in_barrier |= 1 << lane;
                        lanes.block[lane] = block.0;
                        lanes.barrier[lane] = ids[lane] as u32 % 16;
                    } else {
                        lanes.at[next.index()] |= 1 << lane;
                    }
                }
                for lane in sem::warp::lanes_of(mask) {
                    let expected = counts.map(|c| c[lane] as u32);
                    self.arrive(
                        ids[lane] as u32,
                        (w, 1 << lane),
                        preds[lane] as u32 & 1,
                        expected,
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Does the warp operations whose members have all arrived; with `force`, also those that miss some. Says whether
    /// any was done.
    fn complete_ops(&mut self, w: usize, force: bool) -> bool {
        let compiled = self.compiled;
        let plan = &compiled.plan;
        let state = self.state(w);
        let mut any = false;
        let mut rest = self.warps[w].lanes.in_op;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let block = self.warps[w].lanes.block[lane];
            let Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                next,
            } = &plan.func.blocks[block as usize].end
            else {
                rest &= rest - 1;
                continue;
            };
            let masks = state.operand(*mask, false);
            let members = masks[lane] as u32;
            let here = sem::warp::lanes_of(self.warps[w].lanes.in_op)
                .filter(|&l| {
                    let at = self.warps[w].lanes.block[l];
                    if *op == WarpOp::Sync {
                        // A warp barrier may be reached at different places.
                        match &plan.func.blocks[at as usize].end {
                            Terminator::Warp {
                                op: WarpOp::Sync,
                                mask,
                                ..
                            } => state.operand(*mask, false)[l] as u32 == members,
                            _ => false,
                        }
                    } else {
                        at == block && masks[l] as u32 == members
                    }
                })
                .fold(0u32, |set, l| set | 1 << l);
            rest &= !here & !(1 << lane);
            let wanted = members & self.warps[w].alive;
            if wanted & !here != 0 && !force {
                continue;
            }
            any = true;
            if *op == WarpOp::Sync {
                for l in sem::warp::lanes_of(here) {
                    let at = self.warps[w].lanes.block[l] as usize;
                    if let Terminator::Warp { next, .. } = &plan.func.blocks[at].end {
                        self.warps[w].lanes.at[next.index()] |= 1 << l;
                    }
                }
                self.warps[w].lanes.in_op &= !here;
                continue;
            }
            let results = state.collective(*op, here, *mask, args, false);
            for (dst, values) in dsts.iter().zip(&results) {
                if let Some(home) = dst.and_then(|dst| plan.layout.home(dst)) {
                    state.write(home, here, values, false);
                }
            }
            let lanes = &mut self.warps[w].lanes;
            lanes.in_op &= !here;
            lanes.at[next.index()] |= here;
        }
        any
    }

    /// The block that thread mode runs next: the first that has lanes, now and then another.
    fn pick(&mut self, w: usize) -> Option<usize> {
        let lanes = &mut self.warps[w].lanes;
        lanes.steps += 1;
        if lanes.steps.is_multiple_of(ROTATE) {
            let after = lanes.at[lanes.last.min(lanes.at.len())..]
                .iter()
                .position(|&m| m != 0);
            let pick = match after {
                Some(n) => lanes.last + n,
                None => lanes.at.iter().position(|&m| m != 0)?,
            };
            lanes.last = pick + 1;
            return Some(pick);
        }
        lanes.at.iter().position(|&m| m != 0)
    }

    fn run_slow(&mut self, w: usize) -> Result<Option<Turn>, Fault> {
        for _ in 0..SLOW_STEPS {
            if self.warps[w].alive == 0 {
                self.finish(w);
                self.check_barriers()?;
                return Ok(Some(Turn::Stopped));
            }
            let Some(block) = self.pick(w) else {
                let stuck = self.warps[w].lanes.in_op != 0;
                if stuck && (self.complete_ops(w, false) || self.complete_ops(w, true)) {
                    continue;
                }
                return Ok(Some(Turn::Stopped));
            };
            let mask = self.warps[w].lanes.at[block];
            if mask == u32::MAX {
                let lanes = &mut self.warps[w].lanes;
                if lanes.hold > 0 {
                    lanes.hold -= 1;
                } else if self.converge(w, BlockId(block as u32)) {
                    return Ok(None);
                }
            }
            self.slow_step(w, block, mask)?;
        }
        Ok(Some(Turn::OutOfFuel))
    }

    /// Goes back to warp mode at `block` if the lanes' values allow it.
    fn converge(&mut self, w: usize, block: BlockId) -> bool {
        let plan = &self.compiled.plan;
        if plan.entries[block.index()].is_none() {
            return false;
        }
        if !self.state(w).contract(
            plan.live
                .live_in(block)
                .iter()
                .collect::<Vec<_>>()
                .into_iter(),
        ) {
            self.warps[w].lanes.hold = 16;
            return false;
        }
        self.warps[w].mode = Mode::Fast(block);
        true
    }

    fn slow_step(&mut self, w: usize, block: usize, mask: u32) -> Result<(), Fault> {
        let state = self.state(w);
        let mut call = SlowCall {
            code: self.compiled.slow,
            env: &raw mut *self.env,
            warp: state.at,
            block: block as u64,
            mask: u64::from(mask),
        };
        // SAFETY: as in `run_fast`.
        let result = unsafe { trap::protected(call_slow, (&raw mut call).cast()) };
        let taken = result.map_err(|trap| self.trapped(w, trap))?;
        if taken & FAULT != 0 {
            let header = state.header();
            if header.fault_inst == RUNTIME_FAULT {
                return Err(self.runtime_fault());
            }
            let code = &self.compiled.plan.func.blocks[block];
            let inst = &code.insts[header.fault_inst as usize];
            let fault = self
                .bad_access(inst, header.fault_address)
                .unwrap_or_else(|| Fault::new(FaultKind::IllegalAddress, "an illegal address"));
            let line = code.lines.get(header.fault_inst as usize).copied();
            return Err(self.place(fault, Some(header.first_thread + header.fault_lane), line));
        }
        self.warps[w].lanes.at[block] &= !mask;
        self.transfer(w, BlockId(block as u32), mask, taken as u32)
    }

    fn turn(&mut self, mut w: usize) -> Result<Turn, Fault> {
        if self.warps[w].state.is_none() {
            self.start(w);
        }
        loop {
            let turn = match self.warps[w].mode {
                Mode::Fast(block) => self.run_fast(&mut w, block)?,
                Mode::Slow => self.run_slow(w)?,
                Mode::FastWait(..) | Mode::Done => Some(Turn::Stopped),
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
                warp.state.is_none() || warp.lanes.in_barrier != warp.alive
            }
            Mode::FastWait(..) | Mode::Done => false,
        }
    }
}

impl BlockRun for JitBlock<'_> {
    fn run(&mut self) -> Result<Progress, Fault> {
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
            if self.grid.cancel.load(Ordering::Relaxed) {
                return Err(Fault::new(
                    FaultKind::Cancelled,
                    "the launch was told to stop",
                ));
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
            if self.spins >= SPIN_ROUNDS {
                self.spins = 0;
                return Ok(Progress::Yielded);
            }
        }
    }
}
