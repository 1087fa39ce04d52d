//! Memory and events of other processes, as seen from one; the tests in Python have two.

mod common;
use common::*;

fn handle_of(at: CUdeviceptr) -> CUipcMemHandle {
    let mut handle = CUipcMemHandle::default();
    ok!(cuIpcGetMemHandle(&mut handle, at));
    handle
}

#[test]
fn an_allocation_has_one_handle_and_keeps_its_contents() {
    let _c = Context::new();
    let (small, other) = (upload(&[1u32, 2, 3]), upload(&[4u32]));
    let values: Vec<u32> = (0..1 << 18).collect();
    let large = upload(&values);
    for at in [small, large] {
        let handle = handle_of(at);
        assert_eq!(handle.reserved, handle_of(at).reserved);
        assert_eq!(handle.reserved, handle_of(at + 4).reserved);
    }
    assert_ne!(handle_of(small).reserved, handle_of(other).reserved);
    assert_eq!(download::<u32>(small, 3), [1, 2, 3]);
    assert_eq!(download::<u32>(other, 1), [4]);
    assert_eq!(download::<u32>(large, values.len()), values);
    ok!(cuMemFree_v2(small), cuMemFree_v2(large));
    // Pages that come back are zero or somebody's, but never those of the file.
    let again = upload(&values[..1 << 17]);
    assert_eq!(download::<u32>(again, 1 << 17), values[..1 << 17]);
}

#[test]
fn handles_are_had_for_device_memory_only() {
    let _c = Context::new();
    let mut handle = CUipcMemHandle::default();
    let mut host = std::ptr::null_mut();
    let mut managed = 0;
    ok!(
        cuMemHostAlloc(&mut host, 64, 0),
        cuMemAllocManaged(&mut managed, 64, 1)
    );
    for at in [0, 1, host as u64, managed] {
        code!(INVALID_VALUE, cuIpcGetMemHandle(&mut handle, at));
    }
    let at = alloc(64);
    code!(INVALID_VALUE, cuIpcGetMemHandle(std::ptr::null_mut(), at));
    let mut capable = -1i32;
    ok!(cuPointerGetAttribute(
        (&raw mut capable).cast(),
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
        at
    ));
    assert_eq!(capable, 1);
}

#[test]
fn a_process_does_not_open_its_own() {
    let _c = Context::new();
    let at = alloc(64);
    let mut opened = 0;
    code!(
        INVALID_CONTEXT,
        cuIpcOpenMemHandle_v2(&mut opened, handle_of(at), 1)
    );
    code!(
        INVALID_VALUE,
        cuIpcOpenMemHandle_v2(&mut opened, CUipcMemHandle::default(), 1)
    );
    code!(
        INVALID_VALUE,
        cuIpcOpenMemHandle_v2(&mut opened, handle_of(at), 2)
    );
    code!(INVALID_VALUE, cuIpcCloseMemHandle(at));
}

#[test]
fn interprocess_events_work_as_events() {
    let _c = Context::new();
    let (mut e, s) = (CUevent::null(), stream(1));
    code!(INVALID_VALUE, cuEventCreate(&mut e, 4));
    ok!(cuEventCreate(&mut e, 6), cuEventQuery(e));
    let at = alloc(4);
    ok!(
        cuMemsetD32Async(at, 5, 1, s),
        cuEventRecord(e, s),
        cuStreamWaitEvent(CUstream::null(), e, 0),
        cuEventSynchronize(e),
        cuEventQuery(e)
    );
    assert_eq!(download::<u32>(at, 1), [5]);
    let mut ms = 0.0;
    code!(INVALID_HANDLE, cuEventElapsedTime(&mut ms, e, e));
    let mut handle = CUipcEventHandle::default();
    ok!(cuIpcGetEventHandle(&mut handle, e));
    let mut opened = CUevent::null();
    code!(INVALID_CONTEXT, cuIpcOpenEventHandle(&mut opened, handle));
    code!(INVALID_HANDLE, cuIpcGetEventHandle(&mut handle, event()));
    ok!(cuEventDestroy_v2(e));
}
