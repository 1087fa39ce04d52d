//! The process's driver: one object, made by `cuInit`, never dropped.

use crate::code::{INVALID_DEVICE, LAUNCH_TIMEOUT, NOT_INITIALIZED, Res};
use crate::context::{Context, Primary};
use crate::graphs::exec::Exec;
use crate::graphs::graph::{Graph, Tables};
use crate::graphs::node::Node;
use crate::graphs::user_object::UserObject;
use crate::graphs::{self, capture};
use crate::green::Green;
use crate::handle::{HandleKind, Table};
use crate::images::array::{Array, Mipmap};
use crate::images::texture::{SurfaceObject, TextureObject};
use crate::loading::linker::Linker;
use crate::loading::module::{Function, Library, Module};
use crate::memory::pool::{Defaults, Pool};
use crate::memory::{Kind, Memory};
use crate::multiprocessors::Resources;
use crate::streams::event::Event;
use crate::streams::stream::Stream;
use crate::{busy, settings};
use cuox_abi::{CUmemLocation, CUmemLocationType};
use cuox_simt::demangle;
use cuox_simt::jit::cache::{self, Cache};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A device.
pub struct Device {
    pub ordinal: usize,
    pub primary: Primary,
    pub default_pool: u64,
    /// The pool that `cuDeviceSetMemPool` chose; 0 for the default.
    pub current_pool: AtomicU64,
}

/// All objects of the driver, by their handles, and its memory.
pub struct Driver {
    pub since: Instant,
    pub devices: Vec<Device>,
    pub contexts: Table<Context>,
    pub streams: Table<Stream>,
    pub events: Table<Event>,
    pub modules: Table<Module>,
    pub functions: Table<Function>,
    pub libraries: Table<Library>,
    pub linkers: Table<Linker>,
    pub pools: Table<Pool>,
    pub default_pools: Defaults,
    pub arrays: Table<Array>,
    pub mipmaps: Table<Mipmap>,
    pub textures: Table<TextureObject>,
    pub surfaces: Table<SurfaceObject>,
    pub graphs: Table<Graph>,
    pub graph_nodes: Table<Node>,
    pub graph_execs: Table<Exec>,
    pub user_objects: Table<UserObject>,
    pub greens: Table<Green>,
    pub resources: Resources,
    pub memory: Memory,
}

impl Driver {
    /// The device with that number.
    pub fn device(&self, ordinal: i32) -> Res<&Device> {
        let device = usize::try_from(ordinal).ok();
        let device = device.and_then(|ordinal| self.devices.get(ordinal));
        device.ok_or(INVALID_DEVICE)
    }

    /// All contexts that are alive.
    pub fn all_contexts(&self) -> impl Iterator<Item = Arc<Context>> {
        let primaries = self.devices.iter().filter_map(|d| d.primary.active());
        primaries.chain(self.contexts.select(|_| true))
    }

    /// The tables that graphs are made of.
    pub fn graph_tables(&'static self) -> Tables {
        Tables {
            graphs: &self.graphs,
            nodes: &self.graph_nodes,
        }
    }

    /// Waits for all work of a device.
    pub fn wait_for_device(&self, device: usize) {
        for context in self.all_contexts() {
            if context.state.device == device {
                context.state.wait();
            }
        }
    }

    /// Waits for all work.
    pub fn wait_for_all(&self) {
        for context in self.all_contexts() {
            context.state.wait();
        }
    }

    /// Ends a context that no table holds any more: waits for or stops its work, frees its memory and objects.
    pub fn end_context(&self, context: &Context) {
        let state = &*context.state;
        let mut stopped = state.wait_until(Instant::now() + PATIENCE);
        if !stopped {
            state.cancel.store(true, Ordering::Release);
            state.sticky.set(LAUNCH_TIMEOUT, || {
                "the context was destroyed while work was running".into()
            });
            stopped = state.wait_until(Instant::now() + PATIENCE);
        }
        let mine = state.handle;
        for stream in self.streams.select(|s| s.context.handle == mine) {
            self.streams.remove(stream.handle);
            capture::abandon(&stream);
            stream.close();
        }
        context.close_streams();
        for event in self.events.select(|e| e.context == mine) {
            self.events.remove(event.handle);
        }
        for array in self.arrays.select(|a| a.context == mine) {
            self.arrays.remove(array.handle);
        }
        for mipmap in self.mipmaps.select(|m| m.context == mine) {
            self.mipmaps.remove(mipmap.handle);
        }
        for texture in self.textures.select(|t| t.context == mine) {
            self.textures.remove(texture.handle);
        }
        for surface in self.surfaces.select(|s| s.context == mine) {
            self.surfaces.remove(surface.handle);
        }
        for module in self.modules.select(|m| m.owner.context == mine) {
            module.forget(&self.memory, &self.modules, &self.functions);
        }
        // Memory that a kernel may still touch because it does not stop is lost rather than given to somebody else.
        if stopped {
            graphs::memory::end_context(&self.memory, mine);
            self.memory.free_where(|a| a.owner.context == mine);
        }
        if context.primary {
            let modules = self
                .modules
                .select(|m| m.of_library && m.owner.device == state.device);
            for module in modules {
                module.restore_variables();
            }
        }
    }
}

/// Time that the end of a context waits for its work before it cancels it, and then for the cancelling.
const PATIENCE: Duration = Duration::from_secs(2);

static DRIVER: OnceLock<&'static Driver> = OnceLock::new();
/// A forked child has this driver's memory but none of its threads.
static FORKED: AtomicBool = AtomicBool::new(false);

extern "C" fn in_child() {
    FORKED.store(true, Ordering::Relaxed);
}

/// Makes the driver. Later calls do nothing.
pub fn init() -> Res {
    if FORKED.load(Ordering::Relaxed) {
        return Err(NOT_INITIALIZED);
    }
    DRIVER.get_or_init(|| {
        // SAFETY: the handler only stores to an atomic.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
        if let Some(dir) = cuox_cache::directory() {
            cache::install(Cache::in_directory(dir, cache::WORTH, cuox_cache::limit()));
        }
        // A thread that cannot be had only makes the first launch slower.
        let builder = std::thread::Builder::new().name("cuox-warm-up".to_owned());
        drop(builder.spawn(cuox_simt::warm_up));
        let pools = Table::new(HandleKind::Pool);
        let devices = (0..settings::devices()).map(|ordinal| {
            // An empty table has room for its first entries; 0 would be a pool that nobody finds.
            let place = CUmemLocation {
                type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: ordinal as i32,
            };
            let pool = pools.insert(|handle| Pool::new(handle, ordinal, Kind::Pooled, place));
            Device {
                ordinal,
                primary: Primary::new(ordinal),
                default_pool: pool.map_or(0, |p| p.handle),
                current_pool: AtomicU64::new(0),
            }
        });
        let devices: Vec<_> = devices.collect();
        let memory = Memory::new(settings::memory_bytes(), devices.len());
        Box::leak(Box::new(Driver {
            since: Instant::now(),
            devices,
            contexts: Table::new(HandleKind::Context),
            streams: Table::new(HandleKind::Stream),
            events: Table::new(HandleKind::Event),
            modules: Table::new(HandleKind::Module),
            functions: Table::new(HandleKind::Function),
            libraries: Table::new(HandleKind::Library),
            linkers: Table::new(HandleKind::Linker),
            pools,
            default_pools: Defaults::default(),
            arrays: Table::new(HandleKind::Array),
            mipmaps: Table::new(HandleKind::Mipmap),
            textures: Table::new(HandleKind::Texture),
            surfaces: Table::new(HandleKind::Surface),
            graphs: Table::new(HandleKind::Graph),
            graph_nodes: Table::new(HandleKind::GraphNode),
            graph_execs: Table::new(HandleKind::GraphExec),
            user_objects: Table::new(HandleKind::UserObject),
            greens: Table::new(HandleKind::GreenContext),
            resources: Resources::default(),
            memory,
        }))
    });
    Ok(())
}

/// The driver, once `cuInit` has been called in this very process.
pub fn get() -> Res<&'static Driver> {
    match DRIVER.get() {
        Some(driver) if !FORKED.load(Ordering::Relaxed) => Ok(driver),
        _ => Err(NOT_INITIALIZED),
    }
}

/// Bytes of a device's memory that are free, and all of them. `None` if this process has not initialised the driver, or
/// there is no such device.
pub fn device_memory(device: usize) -> Option<(u64, u64)> {
    let driver = get().ok()?;
    driver.devices.get(device)?;
    Some((driver.memory.free_bytes(device), driver.memory.total()))
}

/// The time in which kernels have run on a device of this process, and that since the driver was initialised. `None` as
/// for [`device_memory`].
pub fn device_busy_time(device: usize) -> Option<(Duration, Duration)> {
    let driver = get().ok()?;
    driver.devices.get(device)?;
    Some((busy::of(device)?.time(), driver.since.elapsed()))
}

/// The name of the kernel with that handle, as programs write it.
pub fn kernel_name(handle: u64) -> Option<String> {
    let function = get().ok()?.functions.get(handle)?;
    Some(demangle::readable(&function.name).to_string())
}

/// Checks accesses of kernels that start from now on, or checks them no more.
pub fn set_checks_memory(on: bool) {
    settings::set_checks_memory(on);
    if let Ok(driver) = get()
        && !on
    {
        driver.memory.release_quarantined_blocks();
    }
}
