//! Peer access on a system with one device, and copies between contexts.

mod common;
use common::*;

#[test]
fn a_device_is_no_peer_of_itself() {
    let first = Context::new();
    let mut can = -1;
    ok!(cuDeviceCanAccessPeer(&mut can, 0, 0));
    assert_eq!(can, 0);
    code!(
        CUresult::CUDA_ERROR_INVALID_DEVICE,
        cuDeviceCanAccessPeer(&mut can, 0, 1)
    );
    let rank = CUdevice_P2PAttribute::CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK;
    code!(
        CUresult::CUDA_ERROR_INVALID_DEVICE,
        cuDeviceGetP2PAttribute(&mut can, rank, 0, 0)
    );
    code!(
        INVALID_VALUE,
        cuDeviceGetP2PAttribute(&mut can, CUdevice_P2PAttribute(99), 0, 0)
    );
    code!(INVALID_CONTEXT, cuCtxEnablePeerAccess(CUcontext::null(), 0));
    let second = Context::new();
    code!(INVALID_VALUE, cuCtxEnablePeerAccess(first.0, 1));
    code!(
        CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
        cuCtxEnablePeerAccess(first.0, 0)
    );
    code!(
        CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
        cuCtxDisablePeerAccess(first.0)
    );
    let gone = second.0;
    drop(second);
    code!(INVALID_CONTEXT, cuCtxDisablePeerAccess(gone));
}

#[test]
fn copies_between_contexts() {
    let first = Context::new();
    let from = upload(&[1u32, 2, 3, 4]);
    let second = Context::new();
    let to = upload(&[0u32; 4]);
    ok!(cuMemcpyPeer(to, second.0, from, first.0, 16));
    assert_eq!(download::<u32>(to, 4), [1, 2, 3, 4]);
    let s = stream(1);
    ok!(
        cuMemcpyPeerAsync(to, second.0, from + 8, first.0, 8, s),
        cuStreamSynchronize(s)
    );
    assert_eq!(download::<u32>(to, 4), [3, 4, 3, 4]);
    let box_of_two = CUDA_MEMCPY3D_PEER {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        srcDevice: from,
        srcContext: first.0,
        srcPitch: 8,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstDevice: to,
        dstContext: second.0,
        dstPitch: 8,
        WidthInBytes: 4,
        Height: 2,
        Depth: 1,
        ..CUDA_MEMCPY3D_PEER::default()
    };
    ok!(cuMemcpy3DPeer(&box_of_two));
    assert_eq!(download::<u32>(to, 4), [1, 4, 3, 4]);
    code!(
        INVALID_CONTEXT,
        cuMemcpyPeer(to, CUcontext::null(), from, first.0, 16)
    );
}
