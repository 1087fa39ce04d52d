//! Launches: checks of a grid's shape, and running it.

use crate::architecture::limits;
use crate::busy::Busy;
use crate::code::{
    COOPERATIVE_LAUNCH_TOO_LARGE, INVALID_CLUSTER_SIZE, INVALID_VALUE, LAUNCH_OUT_OF_RESOURCES, Res,
};
use crate::context_state::ContextState;
use crate::graphs::running::RunningGraph;
use crate::handle::Table;
use crate::images::texture::{SurfaceObject, TextureObject};
use crate::loading::module::{Function, Module};
use crate::memory::{Allocation, Kind, Memory, Place, Request};
use crate::multiprocessors::Multiprocessors;
use crate::streams::device_runtime::{DeviceRuntime, Parent, Work};
use crate::streams::print;
use crate::{breakpoint, busy, device, fault, settings, statistics};
use cuox_simt::demangle;
use cuox_simt::image::{Surface, Texture};
use cuox_simt::{Breakpoint, FaultKind, Host, Kernel, Launch, Resume, RuntimeCall};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A grid ready to run.
#[derive(Clone)]
pub struct GridLaunch {
    pub memory: &'static Memory,
    pub textures: &'static Table<TextureObject>,
    pub surfaces: &'static Table<SurfaceObject>,
    /// For the kernels that this one launches.
    pub modules: &'static Table<Module>,
    pub functions: &'static Table<Function>,
    /// The kernel's handle.
    pub function: u64,
    /// The handle of the module.
    pub module: u64,
    /// Launches between the host's and this one.
    pub depth: u32,
    pub kernel: Arc<Kernel>,
    pub name: Arc<str>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Blocks of a cluster, if the launch says so.
    pub cluster: Option<[u32; 3]>,
    pub dynamic_shared: u32,
    pub params: Vec<u8>,
    pub cooperative: bool,
    /// The graph that it is a node of, whose conditions it may set and which it may have launch others.
    pub graph: Option<Arc<dyn RunningGraph>>,
    /// The multiprocessors that it runs on, if these are not all.
    pub part: Option<Arc<Multiprocessors>>,
}

impl GridLaunch {
    /// Runs to the end, and returns what its threads asked for; a fault becomes the context's error.
    pub fn run(&self, context: &ContextState) -> Work {
        // Somebody may have put a signal handler in front of ours since.
        cuox_simt::trap::install();
        let host = LaunchHost {
            context,
            launch: self,
            stream: breakpoint::stream(),
            out: Mutex::new(Vec::new()),
            runtime: DeviceRuntime::default(),
        };
        let running = busy::of(context.device).map(Busy::kernel);
        let result = self.kernel.launch(&Launch {
            grid: self.grid,
            block: self.block,
            cluster: self.cluster,
            dynamic_shared: self.dynamic_shared,
            stack: context
                .stack_limit
                .load(Ordering::Relaxed)
                .min(u64::from(u32::MAX)) as u32,
            params: &self.params,
            cooperative: self.cooperative,
            resident: self.resident(),
            multiprocessors: self.part.as_deref().map_or(&[], |part| &part.numbers),
            timeout: settings::timeout(),
            engine: settings::engine(),
            cancel: &context.cancel,
            host: &host,
        });
        drop(running);
        print::to_stdout(&std::mem::take(&mut *host.out.lock()));
        let result = match result {
            Err(fault) if fault.kind == FaultKind::Quit => Ok(()),
            result => result,
        };
        statistics::launched(&self.name, result.is_err());
        if let Err(fault) = result {
            context.sticky.set(fault::code_of(&fault.kind), || {
                let near = fault
                    .address
                    .and_then(|at| self.memory.locate(at, u64::from(fault.bytes.max(1))));
                let near = near.map_or(String::new(), |near| {
                    let by = self.pointing_into(&near).unwrap_or_default();
                    format!("; the address is {}{by}", near.words)
                });
                format!("kernel {}: {fault}{near}", demangle::readable(&self.name))
            });
        }
        let launch = self;
        host.runtime.finish(Parent { launch, context })
    }
}

impl GridLaunch {
    /// The number of its blocks that the device holds at once.
    fn resident(&self) -> u64 {
        let threads = self.block.iter().product();
        let info = self.kernel.info();
        let shared = info.static_shared.saturating_add(self.dynamic_shared);
        resident_blocks(threads, shared, info.registers, self.part.as_deref()).max(1)
    }

    /// The parameters that hold an address of the allocation, in words.
    fn pointing_into(&self, place: &Place) -> Option<String> {
        let holds = |bytes: &[u8]| {
            let words = bytes
                .chunks_exact(8)
                .filter_map(|word| word.try_into().ok());
            let mut words = words.map(u64::from_le_bytes);
            words.any(|word| word.wrapping_sub(place.start) < place.len.max(1))
        };
        let all = self.kernel.info().params.iter().enumerate();
        let found: Vec<_> = all
            .filter(|(_, param)| {
                let (start, size) = (param.offset as usize, param.size as usize);
                self.params.get(start..start + size).is_some_and(holds)
            })
            .map(|(index, _)| format!("parameter {index}"))
            .collect();
        let (last, others) = found.split_last()?;
        Some(match others {
            [] => format!(", which {last} points to"),
            others => format!(", which {} and {last} point to", others.join(", ")),
        })
    }
}

/// The driver as a running grid sees it.
struct LaunchHost<'a> {
    context: &'a ContextState,
    launch: &'a GridLaunch,
    /// The id of the stream.
    stream: u64,
    out: Mutex<Vec<u8>>,
    runtime: DeviceRuntime,
}

impl LaunchHost<'_> {
    fn parent(&self) -> Parent<'_> {
        Parent {
            launch: self.launch,
            context: self.context,
        }
    }
}

impl Host for LaunchHost<'_> {
    fn checks_memory(&self) -> bool {
        settings::checks_memory()
    }

    fn allocation(&self, address: u64) -> Option<(u64, u64)> {
        self.launch.memory.extent(address, u64::MAX)
    }

    fn texture(&self, handle: u64) -> Option<Arc<Texture>> {
        let found = self.launch.textures.get(handle)?;
        Some(found.texture.clone())
    }

    fn surface(&self, handle: u64) -> Option<Arc<Surface>> {
        let found = self.launch.surfaces.get(handle)?;
        Some(found.surface.clone())
    }

    fn print(&self, bytes: &[u8]) {
        const ENOUGH: usize = 64 << 10;
        let mut out = self.out.lock();
        out.extend_from_slice(bytes);
        if out.len() >= ENOUGH {
            print::to_stdout(&out);
            out.clear();
        }
    }

    fn breakpoint(&self, at: &Breakpoint<'_>) -> Resume {
        // What the kernel has printed so far stands before what the debugger prints.
        let mut out = self.out.lock();
        print::to_stdout(&std::mem::take(&mut *out));
        drop(out);
        breakpoint::stop(at, self.stream)
    }

    fn malloc(&self, size: u64) -> u64 {
        device_malloc(self.parent(), size)
    }

    fn free(&self, address: u64) {
        device_free(self.parent(), address);
    }

    fn runtime(&self, call: RuntimeCall, thread: ([u32; 3], u32), args: &[u64]) -> u64 {
        self.runtime.call(self.parent(), call, thread, args)
    }
}

/// Memory of the kernels' heap, 0 if there is none left.
pub fn device_malloc(parent: Parent<'_>, size: u64) -> u64 {
    let context = parent.context;
    let limit = context.heap_limit.load(Ordering::Relaxed);
    let charged = context
        .heap_used
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(size).filter(|&sum| sum <= limit)
        });
    if size == 0 || charged.is_err() {
        return 0;
    }
    let request = Request::new(size, Kind::Heap, context.owner());
    match parent.launch.memory.allocate(request) {
        Ok(a) => a.start,
        Err(_) => {
            context.heap_used.fetch_sub(size, Ordering::Relaxed);
            0
        }
    }
}

/// Frees memory of the kernels' heap; answers whether it was that.
pub fn device_free(parent: Parent<'_>, address: u64) -> bool {
    let context = parent.context;
    let mine = |a: &Allocation| a.kind == Kind::Heap && a.owner.context == context.handle;
    let gone = parent.launch.memory.free(address, mine);
    if let Ok(gone) = &gone {
        context.heap_used.fetch_sub(gone.len, Ordering::Relaxed);
    }
    gone.is_ok()
}

/// The number of blocks that the device, or a part of it, holds at once.
fn resident_blocks(
    threads: u32,
    shared: u32,
    registers: u32,
    part: Option<&Multiprocessors>,
) -> u64 {
    let each = device::blocks_per_multiprocessor(threads, shared, registers);
    let count = part.map_or_else(cuox_simt::multiprocessors, |part| part.numbers.len() as u32);
    u64::from(each) * u64::from(count)
}

/// Checks the shape of a launch as CUDA does; gives its cluster.
pub fn check(
    function: &Function,
    grid: [u32; 3],
    block: [u32; 3],
    cluster: Option<[u32; 3]>,
    dynamic_shared: u32,
    cooperative: bool,
    part: Option<&Multiprocessors>,
) -> Res<Option<[u32; 3]>> {
    let info = &function.info;
    let threads = block.iter().map(|&n| u64::from(n)).product::<u64>();
    if grid.contains(&0) || block.contains(&0) || threads > u64::from(device::MAX_THREADS) {
        return Err(INVALID_VALUE);
    }
    let within = |have: [u32; 3], limit: [u32; 3]| have.iter().zip(limit).all(|(&h, l)| h <= l);
    if !within(block, device::MAX_BLOCK) || !within(grid, device::MAX_GRID) {
        return Err(INVALID_VALUE);
    }
    if threads > u64::from(info.max_threads) || info.required_block.is_some_and(|r| r != block) {
        let allowed = match info.required_block {
            Some(required) => format!(".reqntid requires blocks of {required:?}"),
            None => format!(".maxntid allows {} threads at most", info.max_threads),
        };
        fault::explain(format!(
            "kernel {}: {allowed}; the launch has blocks of {block:?}, {threads} threads",
            info.name
        ));
        return Err(INVALID_VALUE);
    }
    let cluster = cluster_of(function, grid, cluster)?;
    if dynamic_shared > function.max_dynamic_shared() {
        return Err(INVALID_VALUE);
    }
    // A module with such a kernel loads; only dynamic shared memory may be more.
    if info.static_shared > device::SHARED_DEFAULT {
        fault::explain(format!(
            "kernel {}: {} bytes of static shared memory, at most {} are allowed; use dynamic shared memory for more",
            info.name,
            info.static_shared,
            device::SHARED_DEFAULT
        ));
        return Err(INVALID_VALUE);
    }
    let shared = u64::from(info.static_shared) + u64::from(dynamic_shared);
    if shared > u64::from(limits().shared_optin) {
        return Err(LAUNCH_OUT_OF_RESOURCES);
    }
    if cooperative {
        let blocks = grid.iter().map(|&n| u64::from(n)).product::<u64>();
        if blocks > resident_blocks(threads as u32, shared as u32, info.registers, part) {
            return Err(COOPERATIVE_LAUNCH_TOO_LARGE);
        }
    }
    Ok(cluster)
}

/// The cluster of a launch, checked against its grid and the kernel's directives about clusters.
pub fn cluster_of(
    function: &Function,
    grid: [u32; 3],
    asked: Option<[u32; 3]>,
) -> Res<Option<[u32; 3]>> {
    let info = &function.info;
    let refuse = |why: String| {
        fault::explain(format!("kernel {}: {why}", info.name));
        Err(INVALID_CLUSTER_SIZE)
    };
    let required = function.required_cluster();
    let Some(size) = asked.or(required) else {
        return match info.explicit_cluster {
            true => refuse("it requires a cluster, and the launch has none; set CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION".into()),
            false => Ok(None),
        };
    };
    if let Some(required) = required
        && required != size
    {
        return refuse(format!(
            "it requires clusters of {required:?}; the launch has clusters of {size:?}"
        ));
    }
    let blocks = size.iter().fold(1u32, |n, &side| n.saturating_mul(side));
    if blocks > 1 && !limits().clusters {
        return refuse(format!(
            "clusters require compute capability 9.0; the device is an sm_{} (CUOX_SOFT_ARCH)",
            settings::sm()
        ));
    }
    let most = function.max_cluster();
    if blocks == 0 || blocks > most {
        return refuse(format!(
            "a cluster has 1 to {most} blocks; the launch has clusters of {blocks}"
        ));
    }
    let whole = |(&g, &c): (&u32, &u32)| g % c == 0;
    if !info.grid_of_clusters && !grid.iter().zip(&size).all(whole) {
        return refuse(format!(
            "the grid must consist of whole clusters of {size:?}; it has {grid:?} blocks"
        ));
    }
    Ok(Some(size))
}
