//! Where devices are: in the processor, which all of its cores and memory are equally near to.

use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::{self, find};
use crate::generated::{
    NVML_AFFINITY_SCOPE_SOCKET, NVML_P2P_CAPS_INDEX_ATOMICS, NVML_P2P_CAPS_INDEX_NVLINK,
    NVML_P2P_CAPS_INDEX_PROP, NVML_P2P_CAPS_INDEX_READ, NVML_P2P_CAPS_INDEX_WRITE,
    NVML_P2P_STATUS_NOT_SUPPORTED, NVML_P2P_STATUS_OK, NVML_TOPOLOGY_HOSTBRIDGE,
    nvmlAffinityScope_t, nvmlDevice_t, nvmlGpuP2PCapsIndex_t, nvmlGpuP2PStatus_t,
    nvmlGpuTopologyLevel_t,
};
use crate::put::{put, put_list};

/// Stores a set of numbers as bits.
///
/// # Safety
/// `words` is null or has room for so many.
unsafe fn put_set(words: *mut u64, count: u32, numbers: impl Iterator<Item = usize>) -> Res {
    if words.is_null() || count == 0 {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: room for so many words, and nothing else uses them during this call.
    let words = unsafe {
        words.write_bytes(0, count as usize);
        core::slice::from_raw_parts_mut(words, count as usize)
    };
    for number in numbers {
        if let Some(word) = words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }
    Ok(())
}

/// The processor's cores that this process may run on.
fn cores() -> Vec<usize> {
    let mut set = [0u64; 128];
    // SAFETY: room for so many bytes, which the call fills with bits.
    let filled = unsafe { libc::sched_getaffinity(0, size_of_val(&set), set.as_mut_ptr().cast()) };
    let has = |&core: &usize| filled == 0 && set[core / 64] >> (core % 64) & 1 == 1;
    (0..64 * set.len()).filter(has).collect()
}

fn check_scope(scope: nvmlAffinityScope_t) -> Res {
    match scope > NVML_AFFINITY_SCOPE_SOCKET {
        true => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
        false => Ok(()),
    }
}

nvml_functions! {
    fn nvmlDeviceGetCpuAffinity(device: nvmlDevice_t, cpuSetSize: u32, cpuSet: *mut u64) {
        find(device)?;
        put_set(cpuSet, cpuSetSize, cores().into_iter())
    }

    fn nvmlDeviceGetCpuAffinityWithinScope(device: nvmlDevice_t, cpuSetSize: u32, cpuSet: *mut u64, scope: nvmlAffinityScope_t) {
        find(device)?;
        check_scope(scope)?;
        put_set(cpuSet, cpuSetSize, cores().into_iter())
    }

    /// The driver says that the nearest node is the first.
    fn nvmlDeviceGetMemoryAffinity(device: nvmlDevice_t, nodeSetSize: u32, nodeSet: *mut u64, scope: nvmlAffinityScope_t) {
        find(device)?;
        check_scope(scope)?;
        put_set(nodeSet, nodeSetSize, core::iter::once(0))
    }

    /// As above.
    fn nvmlDeviceGetNumaNodeId(device: nvmlDevice_t, node: *mut u32) {
        find(device)?;
        put(node, 0)
    }

    fn nvmlDeviceGetTopologyCommonAncestor(device1: nvmlDevice_t, device2: nvmlDevice_t, pathInfo: *mut nvmlGpuTopologyLevel_t) {
        match find(device1)? == find(device2)? {
            true => Err(Code::NVML_ERROR_NOT_SUPPORTED),
            false => put(pathInfo, NVML_TOPOLOGY_HOSTBRIDGE),
        }
    }

    fn nvmlDeviceGetTopologyNearestGpus(device: nvmlDevice_t, level: nvmlGpuTopologyLevel_t, count: *mut u32, deviceArray: *mut nvmlDevice_t) {
        find(device)?;
        if level.name().is_none() {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        let mut others = devices::handles();
        others.retain(|&other| other != device && level == NVML_TOPOLOGY_HOSTBRIDGE);
        put_list(count, deviceArray, &others)
    }

    fn nvmlSystemGetTopologyGpuSet(cpuNumber: u32, count: *mut u32, deviceArray: *mut nvmlDevice_t) {
        if !cores().contains(&(cpuNumber as usize)) {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        put_list(count, deviceArray, &devices::handles())
    }

    /// Every device reaches every other's memory, as the driver says. An index that is none is refused by nobody.
    fn nvmlDeviceGetP2PStatus(device1: nvmlDevice_t, device2: nvmlDevice_t, p2pIndex: nvmlGpuP2PCapsIndex_t, p2pStatus: *mut nvmlGpuP2PStatus_t) {
        let same = find(device1)? == find(device2)?;
        let status = match p2pIndex {
            NVML_P2P_CAPS_INDEX_NVLINK | NVML_P2P_CAPS_INDEX_PROP => NVML_P2P_STATUS_NOT_SUPPORTED,
            NVML_P2P_CAPS_INDEX_READ | NVML_P2P_CAPS_INDEX_WRITE | NVML_P2P_CAPS_INDEX_ATOMICS if same => {
                NVML_P2P_STATUS_NOT_SUPPORTED
            }
            _ => NVML_P2P_STATUS_OK,
        };
        put(p2pStatus, status)
    }
}
