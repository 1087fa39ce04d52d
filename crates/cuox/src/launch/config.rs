//! The shape of a launch.

use crate::device::Device;
use crate::driver::sys::{CUlaunchAttribute, CUlaunchAttributeID, CUlaunchConfig};
use crate::stream::Stream;

/// Three sizes, of which missing ones are 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the three directions")]
pub struct Dim3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

impl Dim3 {
    /// The product of the three.
    pub fn volume(self) -> u64 {
        u64::from(self.x)
            .saturating_mul(u64::from(self.y))
            .saturating_mul(u64::from(self.z))
    }
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Self {
        Self { x, y: 1, z: 1 }
    }
}

impl From<(u32, u32)> for Dim3 {
    fn from((x, y): (u32, u32)) -> Self {
        Self { x, y, z: 1 }
    }
}

impl From<(u32, u32, u32)> for Dim3 {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self { x, y, z }
    }
}

impl From<[u32; 3]> for Dim3 {
    fn from([x, y, z]: [u32; 3]) -> Self {
        Self { x, y, z }
    }
}

/// The grid and the options of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// All blocks run at once and may wait for each other.
    pub cooperative: bool,
    /// Blocks of a cluster (compute capability 9.0).
    pub cluster: Option<Dim3>,
}

impl LaunchConfig {
    /// A grid of blocks, without shared memory.
    pub fn new(grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        Self {
            grid: grid.into(),
            block: block.into(),
            shared_bytes: 0,
            cooperative: false,
            cluster: None,
        }
    }

    /// As many blocks of `block` threads as give each of `count` elements a thread; at least one block.
    pub fn for_elements(count: u32, block: u32) -> Self {
        Self::new(count.div_ceil(block.max(1)).max(1), block)
    }

    /// With this much dynamic shared memory, in bytes.
    #[must_use]
    pub fn shared(mut self, bytes: u32) -> Self {
        self.shared_bytes = bytes;
        self
    }

    /// Hands it to `call` as the driver takes it, for a stream.
    pub(crate) fn with_driver_config<T>(
        &self,
        stream: &Stream,
        call: impl FnOnce(*const CUlaunchConfig) -> T,
    ) -> T {
        let mut attributes = [CUlaunchAttribute::default(), CUlaunchAttribute::default()];
        let mut count = 0;
        if self.cooperative {
            attributes[count].id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
            attributes[count].value.cooperative = 1;
            count += 1;
        }
        if let Some(cluster) = self.cluster {
            attributes[count].id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
            attributes[count].value.clusterDim.x = cluster.x;
            attributes[count].value.clusterDim.y = cluster.y;
            attributes[count].value.clusterDim.z = cluster.z;
            count += 1;
        }
        let raw = CUlaunchConfig {
            gridDimX: self.grid.x,
            gridDimY: self.grid.y,
            gridDimZ: self.grid.z,
            blockDimX: self.block.x,
            blockDimY: self.block.y,
            blockDimZ: self.block.z,
            sharedMemBytes: self.shared_bytes,
            hStream: stream.raw(),
            attrs: attributes.as_mut_ptr(),
            numAttrs: count as u32,
        };
        call(&raw const raw)
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        !self.cooperative && self.cluster.is_none()
    }

    /// Which limit of the device this breaks, in words.
    pub fn problem(&self, device: Device) -> Option<String> {
        let limits = device.properties().ok()?;
        for (what, dim, max) in [
            ("grid", self.grid, limits.max_grid_dim),
            ("block", self.block, limits.max_block_dim),
        ] {
            for (axis, size, max) in [
                ("x", dim.x, max[0]),
                ("y", dim.y, max[1]),
                ("z", dim.z, max[2]),
            ] {
                if size == 0 {
                    return Some(format!("the {what}'s {axis} is 0"));
                }
                if i64::from(size) > max {
                    return Some(format!(
                        "the {what}'s {axis} is {size}; the device takes {max}"
                    ));
                }
            }
        }
        let threads = self.block.volume();
        if threads > limits.max_threads_per_block.unsigned_abs() {
            let max = limits.max_threads_per_block;
            return Some(format!(
                "the block has {threads} threads; the device takes {max}"
            ));
        }
        let shared = limits
            .max_shared_memory_per_block_optin
            .max(limits.max_shared_memory_per_block);
        if i64::from(self.shared_bytes) > shared {
            let asked = self.shared_bytes;
            return Some(format!(
                "a block asks for {asked} bytes of shared memory; the device has {shared}"
            ));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_round_up() {
        assert_eq!(LaunchConfig::for_elements(1000, 256).grid, Dim3::from(4));
        assert_eq!(LaunchConfig::for_elements(0, 256).grid, Dim3::from(1));
        assert_eq!(Dim3::from((2, 3)).volume(), 6);
    }
}
