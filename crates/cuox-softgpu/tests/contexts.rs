//! Contexts, created and primary. One test, because the primary context is the process's.

mod common;
use common::*;

fn current() -> CUcontext {
    let mut now = CUcontext::null();
    ok!(cuCtxGetCurrent(&mut now));
    now
}

#[test]
fn created_contexts_stack_and_die() {
    let a = Context::new();
    let b = Context::new();
    assert_eq!(current(), b.0);
    let mut popped = CUcontext::null();
    ok!(cuCtxPopCurrent_v2(&mut popped));
    assert_eq!((popped, current()), (b.0, a.0));
    ok!(cuCtxPushCurrent_v2(b.0), cuCtxDestroy_v2(b.0));
    assert_eq!(current(), a.0, "destroying the current context pops it");
    code!(INVALID_CONTEXT, cuCtxDestroy_v2(b.0));
    code!(INVALID_CONTEXT, cuCtxSetCurrent(b.0));
    code!(
        INVALID_CONTEXT,
        cuCtxPushCurrent_v2(CUcontext::from_addr(0x1234))
    );
    std::thread::spawn(|| {
        assert!(current().is_null());
        let mut at = 0;
        code!(INVALID_CONTEXT, cuMemAlloc_v2(&mut at, 16));
        code!(INVALID_CONTEXT, cuCtxSynchronize());
    })
    .join()
    .unwrap();
    let raw = a.0;
    std::thread::spawn(move || {
        ok!(cuCtxSetCurrent(raw), cuCtxDestroy_v2(raw));
    })
    .join()
    .unwrap();
    let mut at = 0;
    code!(DESTROYED, cuMemAlloc_v2(&mut at, 16));
    ok!(cuCtxSetCurrent(CUcontext::null()));
    assert!(current().is_null());
}

#[test]
fn limits_and_ids() {
    let a = Context::new();
    let mut n = 0usize;
    ok!(cuCtxSetLimit(CUlimit::CU_LIMIT_STACK_SIZE, 4096));
    ok!(cuCtxGetLimit(&mut n, CUlimit::CU_LIMIT_STACK_SIZE));
    assert_eq!(n, 4096);
    code!(INVALID_VALUE, cuCtxGetLimit(&mut n, CUlimit(99)));
    let (mut x, mut y, mut version) = (0, 0, 0);
    ok!(cuCtxGetId(a.0, &mut x));
    let b = Context::new();
    ok!(
        cuCtxGetId(CUcontext::null(), &mut y),
        cuCtxGetApiVersion(b.0, &mut version)
    );
    assert_ne!(x, y);
    assert_eq!(version, 3020);
    code!(INVALID_VALUE, cuCtxCreate_v2(std::ptr::null_mut(), 0, 0));
}

#[test]
fn the_primary_context_keeps_its_handle() {
    ok!(cuInit(0));
    code!(INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    let (mut first, mut again) = (CUcontext::null(), CUcontext::null());
    let (mut flags, mut active) = (0, -1);
    ok!(
        cuDevicePrimaryCtxSetFlags_v2(0, 4),
        cuDevicePrimaryCtxGetState(0, &mut flags, &mut active)
    );
    assert_eq!((flags, active), (4, 0));
    ok!(
        cuDevicePrimaryCtxRetain(&mut first, 0),
        cuDevicePrimaryCtxRetain(&mut again, 0)
    );
    assert_eq!(first, again);
    ok!(cuCtxSetCurrent(first));
    let at = alloc(100_000);
    ok!(cuDevicePrimaryCtxRelease_v2(0), cuMemsetD8_v2(at, 1, 10));
    ok!(cuDevicePrimaryCtxReset_v2(0));
    code!(DESTROYED, cuMemsetD8_v2(at, 1, 10));
    code!(INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    // An inactive primary context may be set and comes to life when it is retained.
    ok!(cuCtxSetCurrent(first));
    let mut device = -1;
    ok!(cuCtxGetDevice(&mut device));
    ok!(cuDevicePrimaryCtxRetain(&mut again, 0));
    assert_eq!(first, again);
    code!(INVALID_VALUE, cuMemsetD8_v2(at, 1, 10));
    ok!(cuMemFree_v2(alloc(16)), cuDevicePrimaryCtxRelease_v2(0));
    code!(INVALID_CONTEXT, cuCtxDestroy_v2(first));
}
