//! The devices: their name, limits and attributes. They differ in their places on the PCI bus only.

use crate::architecture::limits;
use crate::settings;
use cuox_abi::{CUdevice_attribute as A, CUuuid};

/// The name that `cuDeviceGetName` gives.
pub const NAME: &str = "cuox software GPU";
/// The CUDA version whose interface this is.
pub const DRIVER_VERSION: i32 = 13000;
pub const WARP: u32 = 32;
pub const MAX_THREADS: u32 = 1024;
pub const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
pub const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];
pub const SHARED_DEFAULT: u32 = 48 << 10;
const REGISTERS: u32 = 65536;
/// Blocks of a cluster that any device with clusters can run.
pub const PORTABLE_CLUSTER: u32 = 8;
/// Blocks of a cluster for kernels that are allowed more.
pub const MAX_CLUSTER: u32 = 16;
/// Bytes of cache that accesses may be kept in, and in which steps they are set aside: an H100's, for programs that
/// ask. Nothing is cached.
const PERSISTING_CACHE: u64 = 32_768_000;
const PERSISTING_STEP: u64 = PERSISTING_CACHE / 10;
/// Pitched allocations use rows of a multiple of this.
pub const PITCH_ALIGN: u64 = 512;
pub const MAX_PITCH: u64 = i32::MAX as u64;
const TEXTURE_1D: i32 = 131_072;
const TEXTURE_2D: i32 = 65_536;
const TEXTURE_3D: i32 = 16_384;
const LAYERS: i32 = 2048;

/// The stable name of a device: it says "cuox soft GPU", the device if there are several, and the architecture.
pub fn uuid(device: usize) -> CUuuid {
    let mut text = *b"cuox-soft-gpu-\0\0";
    if device > 0 {
        text[13] = b'a' + device as u8;
    }
    text[14] = b'0' + (settings::sm() / 10) as u8;
    text[15] = b'0' + (settings::sm() % 10) as u8;
    CUuuid {
        bytes: text.map(|b| b as core::ffi::c_char),
    }
}

/// A device's number on the PCI bus.
pub fn pci_bus(device: usize) -> i32 {
    device as i32 + 1
}

/// The place of a device on the PCI bus.
pub fn pci_bus_id(device: usize) -> String {
    format!("0000:{:02x}:00.0", pci_bus(device))
}

/// The domain, bus and device of `domain:bus:device` or `bus:device.function`, in hexadecimal digits; what follows is
/// not looked at. An H200's driver reads it so.
pub fn pci_place(id: &str) -> Option<[i64; 3]> {
    let mut rest = id;
    let mut number = || {
        let end = rest
            .find(|c: char| !c.is_ascii_hexdigit())
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        let mark = after.chars().next();
        rest = after.get(1..).unwrap_or_default();
        Some((i64::from_str_radix(digits, 16).ok()?, mark))
    };
    match (number()?, number()?) {
        ((bus, Some(':')), (device, Some('.'))) => Some([0, bus, device]),
        ((domain, Some(':')), (bus, Some(':'))) => Some([domain, bus, number()?.0]),
        _ => None,
    }
}

/// The bytes of cache that are set aside for so many that are asked for.
pub fn persisting_cache(asked: u64) -> u64 {
    asked
        .min(PERSISTING_CACHE)
        .next_multiple_of(PERSISTING_STEP)
}

/// The number of blocks of that shape that a multiprocessor would hold.
pub fn blocks_per_multiprocessor(threads: u32, shared: u32, registers: u32) -> u32 {
    let limits = limits();
    if threads == 0 || threads > MAX_THREADS || shared > limits.shared_optin {
        return 0;
    }
    let threads = threads.next_multiple_of(WARP);
    let by_threads = limits.threads / threads;
    let by_shared = if shared == 0 {
        u32::MAX
    } else {
        limits.shared / (shared + limits.shared_reserved)
    };
    let by_registers = REGISTERS / (threads * registers.max(1).next_multiple_of(8)).max(1);
    // The register count is a guess of ours: it never makes a launch that CUDA allows impossible.
    by_threads
        .min(by_shared)
        .min(by_registers.max(1))
        .min(limits.blocks)
}

/// A device's attribute, or `None` when the header does not know it. What is not there is 0.
pub fn attribute(device: usize, attribute: A) -> Option<i32> {
    let (sm, limits) = (settings::sm(), limits());
    if attribute.0 < 1 || attribute.0 >= A::CU_DEVICE_ATTRIBUTE_MAX.0 {
        return None;
    }
    let bytes = |n: u32| n as i32;
    Some(match attribute {
        A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK => bytes(MAX_THREADS),
        A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X => bytes(MAX_BLOCK[0]),
        A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y => bytes(MAX_BLOCK[1]),
        A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z => bytes(MAX_BLOCK[2]),
        A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X => bytes(MAX_GRID[0]),
        A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y => bytes(MAX_GRID[1]),
        A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z => bytes(MAX_GRID[2]),
        A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK => bytes(SHARED_DEFAULT),
        A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN => bytes(limits.shared_optin),
        A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR => bytes(limits.shared),
        A::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK => bytes(limits.shared_reserved),
        A::CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY => 64 << 10,
        A::CU_DEVICE_ATTRIBUTE_WARP_SIZE => bytes(WARP),
        A::CU_DEVICE_ATTRIBUTE_MAX_PITCH => MAX_PITCH as i32,
        A::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK
        | A::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR => bytes(REGISTERS),
        // Kilohertz. Programs turn clock cycles into time with it.
        A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE => 1_000_000,
        A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE => 1_000_000,
        A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH => 128,
        A::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE => 4 << 20,
        A::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT | A::CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT => 512,
        A::CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE => PERSISTING_CACHE as i32,
        A::CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE => 128 << 20,
        A::CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT => 32,
        A::CU_DEVICE_ATTRIBUTE_GPU_OVERLAP
        | A::CU_DEVICE_ATTRIBUTE_INTEGRATED
        | A::CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY
        | A::CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS
        | A::CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT
        | A::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING
        | A::CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY
        | A::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
        | A::CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
        | A::CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
        | A::CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH
        | A::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
        // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.
        | A::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES
        | A::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT
        | A::CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER
        | A::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED
        | A::CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED => 1,
        A::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID => pci_bus(device),
        A::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH => i32::from(limits.clusters),
        A::CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO => 2,
        A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR => (sm / 10) as i32,
        A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR => (sm % 10) as i32,
        A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT => bytes(cuox_simt::multiprocessors()),
        A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR => bytes(limits.threads),
        A::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR => bytes(limits.blocks),
        // The node of host memory that is nearest; the device has none of its own.
        A::CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID => 0,
        A::CU_DEVICE_ATTRIBUTE_NUMA_ID => -1,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH => TEXTURE_1D,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT => TEXTURE_2D,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT => 65_000,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE => 8192,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE => 32_768,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH => 2_097_120,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH => 1 << 28,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH => TEXTURE_3D,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH => 32_768,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS => LAYERS,
        A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS
        | A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS => 2046,
        _ => 0,
    })
}
