//! A program in device memory, with kernels that can be launched.

use crate::env::{Deadline, GridEnv};
use crate::fault::{Fault, FaultKind};
use crate::grid::{self, Code};
use crate::interp::Interpreter;
use crate::ir::Unit;
use crate::jit::code::cache;
use crate::jit::{self, Compiled, Maker, Plan, Shape, Warps};
use crate::launch::{Engine, Launch, MAX_STACK, MIN_STACK};
use crate::program::{KernelInfo, Program};
use crate::tier::{Gangs, State, Tier};
use crate::window::{PARAM_LIMIT, Params};
use crate::{passes, pool, verify};
use cuox_cache::Key;
use cuox_ptx::diagnostic::{Diagnostic, Diagnostics};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// The reason why a kernel is not available.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// The module has no kernel of that name.
    NotFound,
    /// The kernel uses something that is not supported; the diagnostics say what.
    Unsupported(Diagnostics),
    /// The kernel is invalid.
    Invalid(Diagnostics),
}

/// A program whose variables have addresses.
pub struct Module {
    program: Arc<Program>,
    addresses: Arc<[u64]>,
    kernels: Mutex<HashMap<String, Arc<Kernel>>>,
}

impl Module {
    /// Loads a program: `addresses[i]` is the address of `variables()[i]`, which gets its initial value.
    ///
    /// # Safety
    /// Each address must be writable for its variable's size while the module lives.
    pub unsafe fn load(program: Arc<Program>, addresses: Vec<u64>) -> Result<Module, Diagnostics> {
        // SAFETY: by this function's contract.
        Ok(unsafe { Module::with_variables(program, addresses, &[]) })
    }

    /// Loads the program once more, with variables at other addresses. Those at the same address share their storage,
    /// and keep their values.
    ///
    /// # Safety
    /// As for [`Module::load`].
    pub unsafe fn load_again(&self, addresses: Vec<u64>) -> Module {
        // SAFETY: by this function's contract.
        unsafe { Module::with_variables(self.program.clone(), addresses, &self.addresses) }
    }

    /// # Safety
    /// As for [`Module::load`].
    unsafe fn with_variables(program: Arc<Program>, addresses: Vec<u64>, shared: &[u64]) -> Module {
        for (index, variable) in program.variables().iter().enumerate() {
            let at = addresses.get(index).copied().unwrap_or(0);
            if at == 0 || shared.get(index) == Some(&at) {
                continue;
            }
            let size = variable.size as usize;
            let initial = program.initial_bytes(index, &addresses).unwrap_or_default();
            let given = initial.len().min(size);
            // SAFETY: the caller guarantees that `size` bytes are writable at each address; `given` is at most that.
            unsafe {
                std::ptr::copy_nonoverlapping(initial.as_ptr(), at as *mut u8, given);
                std::ptr::write_bytes((at as *mut u8).add(given), 0, size - given);
            }
        }
        Module {
            program,
            addresses: addresses.into(),
            kernels: Mutex::default(),
        }
    }

    /// Returns the program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Returns a kernel. It is lowered and verified on first use; machine code is made at its first launch.
    pub fn kernel(&self, name: &str) -> Result<Arc<Kernel>, LoadError> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels.get(name) {
            return Ok(Arc::clone(kernel));
        }
        let info = self.program.kernel_info(name).ok_or(LoadError::NotFound)?;
        let unit = self.program.lower(name).map_err(|diagnostics| {
            if diagnostics.is_unsupported() {
                LoadError::Unsupported(diagnostics)
            } else {
                LoadError::Invalid(diagnostics)
            }
        })?;
        if let Err(errors) = verify::verify(&unit) {
            let list = errors
                .iter()
                .map(|e| Diagnostic::bug("E-verify", Default::default(), e.to_string()))
                .collect();
            return Err(LoadError::Unsupported(Diagnostics::new(
                list,
                self.program.text(),
            )));
        }
        let mut info = info.clone();
        info.local_bytes = unit.kernel.local_bytes;
        let kernel = Arc::new_cyclic(|own| Kernel {
            own: Weak::clone(own),
            program: Arc::clone(&self.program),
            info,
            has_barrier: unit.has_barrier(),
            unit,
            addresses: Arc::clone(&self.addresses),
            checked: OnceLock::new(),
            jitted: Mutex::default(),
            interpreters: Default::default(),
            tier: Tier::default(),
        });
        kernels.insert(name.to_owned(), Arc::clone(&kernel));
        Ok(kernel)
    }
}

/// Machine code, or the reason why there is none.
pub(crate) type Jitted = Arc<Result<Compiled, String>>;

/// A kernel that can be launched.
pub struct Kernel {
    own: Weak<Kernel>,
    program: Arc<Program>,
    info: KernelInfo,
    unit: Unit,
    /// The code with checks of its accesses.
    checked: OnceLock<Unit>,
    addresses: Arc<[u64]>,
    jitted: Mutex<HashMap<Make, Jitted>>,
    /// The interpreters without checks and with checks.
    interpreters: [OnceLock<Interpreter>; 2],
    /// True if threads wait for each other at a barrier.
    has_barrier: bool,
    pub(crate) tier: Tier,
}

/// The key of machine code: the block's shape, its largest number of threads, whether the last warp may be partial,
/// its vectors, the stack's size, whether accesses are checked.
pub(crate) type Make = (Shape, u32, bool, Vectors, u32, bool);

/// How per-lane code is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Vectors {
    /// With vectors of 128 bits.
    Narrow,
    /// With AVX-512.
    Wide,
    /// By LLVM, with the processor's vectors.
    Llvm { warps: Warps },
}

/// The largest number of blocks of a cluster on any device.
pub const MAX_CLUSTER: u32 = 16;
/// A GPU gives shared memory in units of this size, and compilers make wide loads that go past the end of an array.
/// Only checked launches fault there.
const SHARED_UNIT: u32 = 128;

static GRIDS: AtomicU64 = AtomicU64::new(1);

impl Kernel {
    /// Returns the kernel's attributes.
    pub fn info(&self) -> &KernelInfo {
        &self.info
    }

    /// Returns the program that it belongs to.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the lowered code.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// Returns the code to run, with checks of its accesses or without.
    fn code(&self, checked: bool) -> &Unit {
        match checked {
            true => self.checked.get_or_init(|| passes::with_checks(&self.unit)),
            false => &self.unit,
        }
    }

    /// Returns the kernel, for who works on it later.
    pub(crate) fn shared(&self) -> Option<Arc<Kernel>> {
        self.own.upgrade()
    }

    /// Returns the key of machine code for blocks of this size.
    fn make(&self, block: [u32; 3], vectors: Vectors, stack: u32, checked: bool) -> Make {
        let threads: u32 = block.iter().product();
        (
            Shape::of(block, self.has_barrier, vectors != Vectors::Narrow),
            threads.next_power_of_two().max(32),
            !threads.is_multiple_of(32),
            vectors,
            stack,
            checked,
        )
    }

    /// Returns machine code.
    pub(crate) fn jitted(&self, key: Make) -> Jitted {
        let (shape, .., vectors, _, _) = key;
        let mut jitted = self.jitted.lock().unwrap_or_else(PoisonError::into_inner);
        let code = jitted.entry(key).or_insert_with(|| {
            let plan = |shape, partial| self.plan(key, shape, partial);
            let plan = match vectors {
                Vectors::Narrow | Vectors::Wide => plan(shape, true),
                Vectors::Llvm { warps } => jit::plan_for_llvm(warps, shape, plan),
            };
            Arc::new(plan.map(|plan| Compiled::new(plan, cache::installed())))
        });
        Arc::clone(code)
    }

    /// Returns the plan that a key stands for, with gangs of a shape, which have a `partial` warp only if they may.
    fn plan(&self, key: Make, shape: Shape, partial: bool) -> Result<Plan, String> {
        let (_, capacity, has_partial, vectors, stack, checked) = key;
        let partial = partial && has_partial;
        let maker = match vectors {
            Vectors::Narrow => Maker::Narrow,
            Vectors::Wide => Maker::Wide,
            Vectors::Llvm { .. } => Maker::Llvm,
        };
        let code = self.code(checked);
        let bytes = self.info.param_bytes;
        Plan::with_stack(code, shape, capacity, partial, bytes, maker, stack)
    }

    /// Returns the number of the kernel's instructions, before it has a plan.
    pub(crate) fn insts(&self) -> usize {
        let blocks = &self.unit.kernel.blocks;
        blocks.iter().map(|block| block.insts.len()).sum()
    }

    /// Returns the key under which is kept what code of the second tier there is.
    pub(crate) fn tier_key(&self, key: Make) -> Option<Key> {
        let (.., checked) = key;
        cache::key::of_tier(self.code(checked), self.info.param_bytes, key)
    }

    /// Returns machine code whose hot part was kept, for such gangs.
    pub(crate) fn with_hot(&self, key: Make, gangs: Gangs, hot: &[u8]) -> Result<Compiled, String> {
        let (shape, .., vectors, _, _) = key;
        let plan = |shape| self.plan(key, shape, gangs.partial);
        let plan = match vectors {
            Vectors::Llvm { warps } if gangs.warp => jit::plan_for_warps(warps, plan),
            Vectors::Llvm { .. } => plan(shape),
            Vectors::Narrow | Vectors::Wide => Err("not by LLVM".to_owned()),
        };
        Compiled::with_hot(plan?, cache::installed(), hot)
    }

    /// Runs the grid to its end on the worker pool; the calling thread also runs blocks.
    pub fn launch(&self, launch: &Launch<'_>) -> Result<(), Fault> {
        let too_much = |what: &str| Err(Fault::new(FaultKind::OutOfResources, what));
        let threads = launch.block.iter().try_fold(1u32, |a, &b| a.checked_mul(b));
        let Some(1..=1024) = threads else {
            return too_much("a block must have 1 to 1024 threads");
        };
        if launch.params.len() > PARAM_LIMIT || launch.grid.contains(&0) {
            return too_much(
                "a grid must have at least one block, and parameters at most 32764 bytes",
            );
        }
        let cluster = launch.cluster.or(self.info.required_cluster);
        let grid = match cluster.filter(|_| self.info.grid_of_clusters) {
            // The launch's grid counts clusters.
            Some(cluster) => [0, 1, 2].map(|n| launch.grid[n].saturating_mul(cluster[n])),
            None => launch.grid,
        };
        if let Some(cluster) = cluster {
            let even = |(&grid, &cluster): (&u32, &u32)| cluster > 0 && grid % cluster == 0;
            let blocks = cluster.iter().try_fold(1u32, |a, &b| a.checked_mul(b));
            if !grid.iter().zip(&cluster).all(even) || !matches!(blocks, Some(1..=MAX_CLUSTER)) {
                return too_much("a grid must consist of whole clusters of at most 16 blocks");
            }
        }
        // The largest grid of an empty kernel has 2^63 blocks.
        if self.unit.kernel.does_nothing() {
            return Ok(());
        }
        let stack = match self.unit.functions.is_empty() {
            true => 0,
            false => launch
                .stack
                .clamp(MIN_STACK, MAX_STACK)
                .next_multiple_of(16),
        };
        let checked = launch.host.checks_memory();
        let llvm = Vectors::Llvm {
            warps: Warps::of(launch.block),
        };
        let vectors = match launch.engine {
            Engine::Interpreter => None,
            Engine::Auto | Engine::Jit if jit::has_wide() => Some(Vectors::Wide),
            Engine::Auto | Engine::Jit | Engine::JitNarrow => Some(Vectors::Narrow),
            Engine::Llvm => {
                jit::has_llvm().map_err(|why| Fault::new(FaultKind::Unsupported, why))?;
                Some(llvm)
            }
        };
        // Kernels that run long get better code: then later launches take that.
        let key = (launch.engine == Engine::Auto && vectors.is_some())
            .then(|| self.make(launch.block, llvm, stack, checked));
        let threads: u32 = launch.block.iter().product();
        let state = key.map(|key| self.tier.state(self, key, threads));
        // Until it is asked for, the time of launches counts.
        let counts = key.filter(|_| matches!(state, Some(State::Unknown | State::Doubtful)));
        let (ready, trial) = match state {
            Some(State::Ready(code)) => (Some(code), None),
            Some(State::Trial(trial)) => (trial.turn(), Some(trial)),
            Some(State::Unknown | State::Doubtful | State::Unavailable) | None => (None, None),
        };
        let trial = trial
            .zip(key)
            .map(|(trial, key)| (trial, key, ready.is_some()));
        let usual = |vectors| self.jitted(self.make(launch.block, vectors, stack, checked));
        let jitted = ready.or_else(|| vectors.map(usual));
        let ready = jitted.as_deref().map(|jitted| match jitted {
            Ok(compiled) => compiled.prepare(threads).map(|()| compiled),
            Err(why) => Err(why.as_str()),
        });
        let code = match ready {
            Some(Ok(compiled)) => Code::Jit(compiled),
            Some(Err(why)) if launch.engine != Engine::Auto => {
                let message = format!("the JIT cannot compile this kernel: {why}");
                return Err(Fault::new(FaultKind::Unsupported, message));
            }
            _ => Code::Interpreter(
                self.interpreters[usize::from(checked)]
                    .get_or_init(|| Interpreter::new(self.code(checked))),
            ),
        };
        let (local_bytes, stack_bytes) = match code {
            Code::Jit(compiled) => {
                let plan = &compiled.plan;
                let block = u64::from(plan.stack_bytes) * u64::from(plan.layout.capacity);
                (plan.local_bytes, block)
            }
            Code::Interpreter(_) => {
                let own = self.unit.kernel.local_bytes.next_multiple_of(16);
                (own.saturating_add(stack), 0)
            }
        };
        let params = Params::new(launch.params)?;
        let mut envregs = [0u32; 32];
        if launch.cooperative {
            // The location of a grid barrier's counter.
            envregs[1] = (params.workspace() >> 32) as u32;
            envregs[2] = params.workspace() as u32;
        }
        let asked = self.unit.static_shared;
        let asked = asked.saturating_add(launch.dynamic_shared);
        let shared_bytes = match checked {
            true => asked,
            false => asked.div_ceil(SHARED_UNIT).saturating_mul(SHARED_UNIT),
        };
        let env = GridEnv {
            grid,
            block: launch.block,
            cluster: cluster.unwrap_or([1; 3]),
            explicit_cluster: cluster.is_some(),
            shared_bytes,
            dynamic_shared: launch.dynamic_shared,
            params: params.address(),
            param_bytes: self.info.param_bytes,
            local_bytes,
            stack_bytes,
            symbols: &self.addresses,
            grid_id: GRIDS.fetch_add(1, Ordering::Relaxed),
            multiprocessors: pool::multiprocessors(),
            envregs,
            cancel: launch.cancel,
            deadline: launch.timeout.map(Deadline::new),
            checked,
            host: launch.host,
        };
        let began = counts.map(|key| (key, Instant::now()));
        let result = grid::run(code, &env, launch.resident, launch.multiprocessors);
        params.keep();
        if let Some((key, began)) = began {
            self.tier.ran(self, key, threads, began.elapsed());
        }
        if let (Some((trial, key, new)), &Ok(time)) = (trial, &result) {
            self.tier.tried(self, key, &trial, new, time);
        }
        result.map(drop).map_err(|mut fault| {
            let source_of = |line| self.program.source_of(line);
            let source = fault.line.and_then(source_of);
            fault.source = source.map(String::into_boxed_str);
            if let Some(places) = fault.places.take() {
                fault.message.push_str(&places.describe(&source_of));
            }
            fault
        })
    }
}
