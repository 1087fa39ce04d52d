//! Peer access between devices. There is one device, which is no peer of itself: contexts on it reach each other's
//! memory anyway.

use crate::api::{check_device, driver_functions, put};
use crate::code::{
    INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, PEER_ACCESS_NOT_ENABLED,
    PEER_ACCESS_UNSUPPORTED,
};
use crate::{current, driver, fault};
use cuox_abi::{CUcontext, CUdevice, CUdevice_P2PAttribute};

driver_functions! {
    fn cuDeviceCanAccessPeer(canAccessPeer: *mut i32, dev: CUdevice, peerDev: CUdevice) {
        driver::get()?;
        check_device(dev)?;
        check_device(peerDev)?;
        put(canAccessPeer, 0)
    }

    fn cuDeviceGetP2PAttribute(value: *mut i32, attrib: CUdevice_P2PAttribute, srcDevice: CUdevice, dstDevice: CUdevice) {
        driver::get()?;
        check_device(srcDevice)?;
        check_device(dstDevice)?;
        let known = CUdevice_P2PAttribute::CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK.0
            ..=CUdevice_P2PAttribute::CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED.0;
        if value.is_null() || !known.contains(&attrib.0) {
            return Err(INVALID_VALUE);
        }
        // Both are the same device.
        Err(INVALID_DEVICE)
    }

    fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: u32) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        let peer = peerContext.addr() as u64;
        if Flags != 0 {
            return Err(INVALID_VALUE);
        }
        if current::by_handle(driver, peer).is_err() {
            return Err(INVALID_CONTEXT);
        }
        fault::explain("both contexts are on the same device, whose contexts reach each other's memory without peer access".into());
        Err(PEER_ACCESS_UNSUPPORTED)
    }

    fn cuCtxDisablePeerAccess(peerContext: CUcontext) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        current::by_handle(driver, peerContext.addr() as u64).map_err(|_| INVALID_CONTEXT)?;
        Err(PEER_ACCESS_NOT_ENABLED)
    }
}
