//! The kernels of an algorithm that are loaded: one for each variant of its source and each device.

use std::sync::{PoisonError, RwLock};

use cuox::{Device, Kernel, Result};

/// A kernel, with more that is known of it or without.
pub(crate) trait Launchable: Clone {
    /// The kernel.
    fn kernel(&self) -> &Kernel;
}

impl Launchable for Kernel {
    fn kernel(&self) -> &Kernel {
        self
    }
}

/// Kernels by variant and device.
#[derive(Debug)]
pub(crate) struct Loaded<V, K>(RwLock<Vec<(V, Device, K)>>);

impl<V, K> Default for Loaded<V, K> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<V: Clone + PartialEq, K: Launchable> Loaded<V, K> {
    /// A kernel that was loaded before, in a context that still is.
    #[inline]
    pub fn find(&self, variant: &V, device: Device) -> Option<K> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut all = all.iter();
        let found =
            all.find(|(known, on, kernel)| known == variant && *on == device && is_alive(kernel))?;
        Some(found.2.clone())
    }

    /// The same, else what `load` makes, which is kept. Threads that ask for the same variant at once load it twice.
    pub fn find_or_load(
        &self,
        variant: &V,
        device: Device,
        load: impl FnOnce() -> Result<K>,
    ) -> Result<K> {
        if let Some(kernel) = self.find(variant, device) {
            return Ok(kernel);
        }
        let kernel = load()?;
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(_, _, kernel)| is_alive(kernel));
        all.push((variant.clone(), device, kernel.clone()));
        Ok(kernel)
    }
}

fn is_alive(kernel: &impl Launchable) -> bool {
    kernel.kernel().context().check().is_ok()
}
