//! Peer access between devices. A device is no peer of itself: contexts on it reach each other's memory anyway.
//! Kernels and copies reach all memory whether access is enabled or not; fills do not, nor do they reach a pool of the
//! host's by themselves.

use crate::api::{check_device, driver_functions, put};
use crate::code::{
    INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, PEER_ACCESS_ALREADY_ENABLED,
    PEER_ACCESS_NOT_ENABLED, PEER_ACCESS_UNSUPPORTED, Res,
};
use crate::context_state::ContextState;
use crate::driver::{self, Driver};
use crate::memory::Kind;
use crate::{current, fault};
use cuox_abi::{CUcontext, CUdevice, CUdevice_P2PAttribute as A};
use std::sync::Arc;

fn peer(driver: &Driver, context: CUcontext) -> Res<Arc<ContextState>> {
    let peer = current::by_handle(driver, context.addr() as u64);
    peer.map(|peer| peer.state.clone())
        .map_err(|_| INVALID_CONTEXT)
}

/// Refuses memory of another device, or of a pool of the host's, that a context was not given access to.
pub(super) fn check_access(driver: &Driver, context: &ContextState, at: u64) -> Res {
    let Some(found) = driver.memory.find(at) else {
        return Ok(());
    };
    let device = found.owner.device;
    let pool = driver.pools.get(found.pool);
    let access = match (found.mapping(), &pool) {
        (Some(mapping), _) => {
            device == context.device
                || found.kind.is_host()
                || mapping.access().of_device(context.device) != 0
        }
        (None, Some(pool)) => pool.is_reached_by(context.device),
        (None, None)
            if device == context.device || found.kind.is_host() || found.kind.is_managed() =>
        {
            true
        }
        (None, None) => {
            let owner = current::by_handle(driver, found.owner.context);
            owner.is_ok_and(|owner| context.peers.lock().contains(&owner.state.id))
        }
    };
    if access {
        return Ok(());
    }
    let owner = match pool {
        Some(pool) if pool.kind == Kind::PooledHost => "a pool of the host's".into(),
        _ => format!("device {device}"),
    };
    fault::explain(format!(
        "{at:#x} is memory of {owner}, to which the context on device {} has no access: call cuCtxEnablePeerAccess, cuMemPoolSetAccess for memory of a pool, or cuMemSetAccess for mapped memory",
        context.device
    ));
    Err(INVALID_VALUE)
}

driver_functions! {
    fn cuDeviceCanAccessPeer(canAccessPeer: *mut i32, dev: CUdevice, peerDev: CUdevice) {
        check_device(dev)?;
        check_device(peerDev)?;
        put(canAccessPeer, i32::from(dev != peerDev))
    }

    fn cuDeviceGetP2PAttribute(value: *mut i32, attrib: A, srcDevice: CUdevice, dstDevice: CUdevice) {
        check_device(srcDevice)?;
        check_device(dstDevice)?;
        let answer = match attrib {
            A::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED
            | A::CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED
            | A::CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED => 1,
            // All connections are equally fast.
            A::CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK
            | A::CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED => 0,
            _ => return Err(INVALID_VALUE),
        };
        if value.is_null() {
            return Err(INVALID_VALUE);
        }
        if srcDevice == dstDevice {
            return Err(INVALID_DEVICE);
        }
        put(value, answer)
    }

    fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: u32) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        if Flags != 0 {
            return Err(INVALID_VALUE);
        }
        let peer = peer(driver, peerContext)?;
        if peer.device == now.state.device {
            fault::explain("both contexts are on the same device, whose contexts reach each other's memory without peer access".into());
            return Err(PEER_ACCESS_UNSUPPORTED);
        }
        if now.state.peers.lock().insert(peer.id) {
            Ok(())
        } else {
            Err(PEER_ACCESS_ALREADY_ENABLED)
        }
    }

    fn cuCtxDisablePeerAccess(peerContext: CUcontext) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        let peer = peer(driver, peerContext)?;
        if now.state.peers.lock().remove(&peer.id) {
            Ok(())
        } else {
            Err(PEER_ACCESS_NOT_ENABLED)
        }
    }
}
