//! The process's driver: one object, made by `cuInit`, never dropped.

use crate::array::{Array, Mipmap};
use crate::code::{NOT_INITIALIZED, Res};
use crate::context::{Context, Primary};
use crate::event::Event;
use crate::handle::{Noun, Table};
use crate::linker::Linker;
use crate::memory::Memory;
use crate::module::{Function, Library, Module};
use crate::pool::Pool;
use crate::settings;
use crate::stream::Stream;
use crate::texture::{SurfaceObject, TextureObject};
use cuox_simt::jit::cache::{self, Cache};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// All that there is.
pub struct Driver {
    pub primary: Primary,
    pub contexts: Table<Context>,
    pub streams: Table<Stream>,
    pub events: Table<Event>,
    pub modules: Table<Module>,
    pub functions: Table<Function>,
    pub libraries: Table<Library>,
    pub linkers: Table<Linker>,
    pub pools: Table<Pool>,
    pub arrays: Table<Array>,
    pub mipmaps: Table<Mipmap>,
    pub textures: Table<TextureObject>,
    pub surfaces: Table<SurfaceObject>,
    pub default_pool: u64,
    /// What `cuDeviceSetMemPool` chose; 0 for the default.
    pub current_pool: AtomicU64,
    pub memory: Memory,
}

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
            cache::install(Cache::in_directory(dir, cache::WORTH, cuox_cache::LIMIT));
        }
        // A thread that cannot be had only makes the first launch slower.
        let builder = std::thread::Builder::new().name("cuox-warm-up".to_owned());
        drop(builder.spawn(cuox_simt::warm_up));
        let pools = Table::new(Noun::Pool);
        // An empty table has room for its first entry; 0 would be a pool that nobody finds.
        let default_pool = pools.insert(Pool::new).map_or(0, |p| p.handle);
        Box::leak(Box::new(Driver {
            primary: Primary::new(),
            contexts: Table::new(Noun::Context),
            streams: Table::new(Noun::Stream),
            events: Table::new(Noun::Event),
            modules: Table::new(Noun::Module),
            functions: Table::new(Noun::Function),
            libraries: Table::new(Noun::Library),
            linkers: Table::new(Noun::Linker),
            pools,
            arrays: Table::new(Noun::Array),
            mipmaps: Table::new(Noun::Mipmap),
            textures: Table::new(Noun::Texture),
            surfaces: Table::new(Noun::Surface),
            default_pool,
            current_pool: AtomicU64::new(0),
            memory: Memory::new(settings::memory_bytes()),
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

/// Stream ids start at 1 and are never used twice.
pub fn next_stream_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
