//! Kernels that go wrong, contexts that die under work, fork, exit.

mod common;
use common::*;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn a_stray_store_sticks_to_its_context() {
    let _c = Context::new();
    let m = module(PTX);
    let at = alloc(4);
    for address in [0u64, 0x10, 1 << 60] {
        let mut bad = address;
        let sick = Context::new();
        let m = module(PTX);
        assert_eq!(
            launch(
                function(m, "bad"),
                1,
                1,
                CUstream::null(),
                &mut [pointer(&mut bad)]
            ),
            OK
        );
        code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
        code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
        let mut p = 0;
        code!(ILLEGAL_ADDRESS, cuMemAlloc_v2(&mut p, 4));
        code!(ILLEGAL_ADDRESS, cuStreamSynchronize(CUstream::null()));
        assert!(cuox_softgpu::last_fault().contains("bad"));
        drop(sick);
    }
    // The other context is well.
    ok!(cuMemsetD8_v2(at, 1, 4), cuCtxSynchronize());
    let mut good = at;
    assert_eq!(
        launch(
            function(m, "bad"),
            1,
            1,
            CUstream::null(),
            &mut [pointer(&mut good)]
        ),
        OK
    );
    ok!(cuCtxSynchronize());
}

#[test]
fn a_fault_is_explained_whatever_else_went_wrong() {
    const REFUSED: CUresult = CUresult::CUDA_ERROR_INVALID_PTX;
    let said = |what: &str| {
        let text = cuox_softgpu::last_fault();
        assert!(text.contains(what), "{text:?}");
    };
    let well = Context::new();
    let refuse = |sick: CUcontext| {
        ok!(cuCtxSetCurrent(well.0));
        let mut m = CUmodule::null();
        let text = c".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { blah; }\n";
        code!(REFUSED, cuModuleLoadData(&mut m, text.as_ptr().cast()));
        said("blah");
        ok!(cuCtxSetCurrent(sick));
    };
    for _ in 0..20 {
        let sick = Context::new();
        let m = module(PTX);
        let mut address = 1u64 << 60;
        let bad = function(m, "bad");
        assert_eq!(
            launch(bad, 1, 1, CUstream::null(), &mut [pointer(&mut address)]),
            OK
        );
        // While the kernel runs, and when it has failed: nobody takes a refusal for the fault.
        refuse(sick.0);
        code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
        said("0x1000000000000000");
        refuse(sick.0);
        code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
        said("0x1000000000000000");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                refuse(sick.0);
                code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
                said("0x1000000000000000");
            });
        });
    }
}

#[test]
fn an_endless_kernel_does_not_hold_up_the_end_of_its_context() {
    let c = Context::new();
    let s = stream(0);
    assert_eq!(launch(function(module(PTX), "spin"), 1, 1, s, &mut []), OK);
    code!(NOT_READY, cuStreamQuery(s));
    let start = Instant::now();
    drop(c);
    assert!(start.elapsed() < Duration::from_secs(8));
}

/// Runs one test of this file in a process of its own.
fn in_child(name: &str) -> std::process::Output {
    Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env("CUOX_FAULT_CHILD", "1")
        .output()
        .unwrap()
}

fn is_child() -> bool {
    std::env::var_os("CUOX_FAULT_CHILD").is_some()
}

#[test]
fn an_endless_kernel_does_not_stop_the_exit() {
    if !is_child() {
        let start = Instant::now();
        let out = in_child("an_endless_kernel_does_not_stop_the_exit");
        assert_eq!(out.status.code(), Some(7), "{out:?}");
        assert!(start.elapsed() < Duration::from_secs(20));
        return;
    }
    let c = Context::new();
    assert_eq!(
        launch(
            function(module(PTX), "spin"),
            1,
            1,
            CUstream::null(),
            &mut []
        ),
        OK
    );
    std::mem::forget(c);
    std::process::exit(7);
}

#[test]
fn a_forked_child_has_no_driver() {
    if !is_child() {
        let out = in_child("a_forked_child_has_no_driver");
        assert!(out.status.success(), "{out:?}");
        return;
    }
    let _c = Context::new();
    let at = alloc(16);
    ok!(cuMemsetD8Async(at, 1, 16, CUstream::null()));
    // SAFETY: the child calls the driver, which must refuse, and leaves by _exit.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let refused = CUresult::CUDA_ERROR_NOT_INITIALIZED;
            let mut p = 0;
            let all = cuCtxSynchronize() == refused
                && cuMemAlloc_v2(&mut p, 4) == refused
                && cuMemFree_v2(at) == refused
                && cuInit(0) == refused
                && cuStreamSynchronize(CUstream::null()) == refused
                && cuDevicePrimaryCtxRelease_v2(0) == refused;
            libc::_exit(if all { 0 } else { 1 });
        }
        let mut status = -1;
        libc::waitpid(child, &mut status, 0);
        assert_eq!(status, 0);
    }
    ok!(cuCtxSynchronize());
}

#[test]
fn exit_handlers_can_still_call() {
    extern "C" fn late() {
        // SAFETY: handles are looked up.
        unsafe {
            let mut now = CUcontext::null();
            cuCtxGetCurrent(&mut now);
            cuLibraryUnload(CUlibrary::from_addr(0x50));
            cuDevicePrimaryCtxRelease_v2(0);
            if cuDevicePrimaryCtxRelease_v2(0) == CUresult::CUDA_ERROR_INVALID_CONTEXT {
                libc::_exit(33);
            }
        }
    }
    if !is_child() {
        let out = in_child("exit_handlers_can_still_call");
        assert_eq!(out.status.code(), Some(33), "{out:?}");
        return;
    }
    // SAFETY: `late` is a function without state.
    unsafe { libc::atexit(late) };
    let mut primary = CUcontext::null();
    ok!(
        cuInit(0),
        cuDevicePrimaryCtxRetain(&mut primary, 0),
        cuCtxSetCurrent(primary)
    );
    ok!(cuMemsetD8Async(alloc(16), 1, 16, CUstream::null()));
    std::process::exit(1);
}
