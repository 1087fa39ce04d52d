//! Machine code on disk, so that a program's next run need not make it again.
//!
//! A file has one part of the code of one kernel for one shape of block ([`crate::jit::code::object`] says how it looks). It is found by its [`key`], a hash of
//! all that the code depends on: a change of anything is another file. [`cuox_cache::Store`] reads and writes them.

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

/// Where machine code comes from.
#[derive(Default)]
pub enum Cache {
    /// It is always made.
    #[default]
    Off,
    /// It is made, encoded as for a file and decoded again: what tests do with every kernel.
    RoundTrip,
    /// It is looked for in a directory, and kept there.
    Directory(Arc<Store>),
}

/// Code that takes less than this to make is not kept.
pub const WORTH: Duration = Duration::from_millis(1);

static INSTALLED: OnceLock<Cache> = OnceLock::new();

/// Sets the cache of this process; the first one stays.
pub fn install(cache: Cache) {
    // Whoever came first had the same environment.
    let _ = INSTALLED.set(cache);
}

/// The cache of this process.
pub fn installed() -> &'static Cache {
    INSTALLED.get_or_init(Cache::default)
}

impl Cache {
    /// A cache in a directory, which is made when it is needed, for code that took at least `worth` to make; files beyond `limit` bytes
    /// go, the oldest first.
    pub fn in_directory(path: PathBuf, worth: Duration, limit: u64) -> Cache {
        Cache::Directory(Arc::new(Store::new(path, worth, limit)))
    }

    /// Parts of kernels' code that were found in files.
    pub fn found(&self) -> usize {
        match self {
            Cache::Directory(store) => store.found(),
            _ => 0,
        }
    }

    /// A part of a plan's code, which `make` makes.
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
                let bytes = bytes.ok_or("code that refers to more than its plan")?;
                return Object::decode(&bytes, &plan.numbers)
                    .ok_or_else(|| "code that cannot be read back".to_owned());
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
