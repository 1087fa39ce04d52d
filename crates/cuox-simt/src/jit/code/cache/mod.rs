//! Cache of machine code on disk, so that the next run of a program need not compile it again.
//!
//! A file has one part of one kernel's code for one block shape, in the format of [`crate::jit::code::object`]. It is
//! found by its [`key`], a hash of everything that the code depends on, so any change leads to another file.
//! [`cuox_cache::Store`] reads and writes the files.

pub(crate) mod key;
#[cfg(test)]
mod tests;

use crate::jit::code::object::Object;
use crate::jit::plan::Plan;
use crate::passes::hot_cold::CodePart;
use cuox_cache::Store;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Source of machine code.
#[derive(Default)]
pub enum Cache {
    /// Always compile.
    #[default]
    Off,
    /// Compile, encode and decode again. Tests do so with every kernel.
    RoundTrip,
    /// Look for files in a directory, and write new ones there.
    Directory(Arc<Store>),
}

/// Code that compiles in less time than this is not written to disk.
pub const WORTH: Duration = Duration::from_millis(1);

static INSTALLED: OnceLock<Cache> = OnceLock::new();

/// Sets the cache of this process. Only the first call has an effect.
pub fn install(cache: Cache) {
    // An earlier call had the same environment.
    let _ = INSTALLED.set(cache);
}

/// Returns the cache of this process.
pub fn installed() -> &'static Cache {
    INSTALLED.get_or_init(Cache::default)
}

impl Cache {
    /// Creates a cache in a directory, which is created when needed, for code that took at least `worth` to compile.
    /// Beyond `limit` bytes the oldest files are deleted.
    pub fn in_directory(path: PathBuf, worth: Duration, limit: u64) -> Cache {
        Cache::Directory(Arc::new(Store::new(path, worth, limit)))
    }

    /// Returns the number of parts of kernels that were found in files.
    pub fn found(&self) -> usize {
        match self {
            Cache::Directory(store) => store.found(),
            _ => 0,
        }
    }

    /// Returns its files, if it has any.
    pub(crate) fn store(&self) -> Option<&Arc<Store>> {
        match self {
            Cache::Off | Cache::RoundTrip => None,
            Cache::Directory(store) => Some(store),
        }
    }

    /// Returns a part of a plan's code, compiled with `make` if it is not cached.
    pub(crate) fn code(
        &self,
        plan: &Plan,
        part: CodePart,
        make: impl FnOnce() -> Result<Object, String>,
    ) -> Result<Object, String> {
        let store = match self {
            Cache::Off => return make(),
            Cache::RoundTrip => {
                let bytes = make()?.encode(&plan.numbers);
                let bytes = bytes.ok_or("the code refers to symbols that its plan lacks")?;
                return Object::decode(&bytes, &plan.numbers)
                    .ok_or_else(|| "the encoded code cannot be decoded".to_owned());
            }
            Cache::Directory(store) => store,
        };
        let Some(key) = key::of(plan, part) else {
            return make();
        };
        let found = store.load(&key);
        if let Some(object) = found.and_then(|bytes| Object::decode(&bytes, &plan.numbers)) {
            store.count();
            return Ok(object);
        }
        let start = Instant::now();
        let object = make()?;
        if start.elapsed() >= store.worth()
            && let Some(bytes) = object.encode(&plan.numbers)
        {
            Store::save(store, key, bytes);
        }
        Ok(object)
    }
}
