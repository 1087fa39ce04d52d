//! Order: streams, events, host functions, default streams.

mod common;
use common::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A gate that a host function waits at, and a counter behind it.
#[derive(Default)]
struct Gate {
    open: AtomicU32,
    passed: AtomicU32,
}

impl Gate {
    fn pointer(&self) -> *mut c_void {
        (self as *const Gate).cast_mut().cast()
    }
    fn open(&self) {
        self.open.store(1, Ordering::SeqCst);
    }
    fn passed(&self) -> u32 {
        self.passed.load(Ordering::SeqCst)
    }
}

/// For host functions that need not wait.
static OPEN: Gate = Gate {
    open: AtomicU32::new(1),
    passed: AtomicU32::new(0),
};

unsafe extern "C" fn wait_at(gate: *mut c_void) {
    // SAFETY: the tests pass a gate that outlives the stream's work.
    let gate = unsafe { &*gate.cast::<Gate>() };
    while gate.open.load(Ordering::SeqCst) == 0 {
        std::thread::sleep(Duration::from_micros(100));
    }
    gate.passed.fetch_add(1, Ordering::SeqCst);
}

fn block(stream: CUstream, gate: &Gate) {
    ok!(cuLaunchHostFunc(stream, Some(wait_at), gate.pointer()));
}

#[test]
fn work_is_in_order_and_asynchronous() {
    let _c = Context::new();
    let (s, gate, at) = (stream(0), Gate::default(), alloc(4));
    ok!(cuMemsetD32_v2(at, 1, 1));
    block(s, &gate);
    ok!(cuMemsetD32Async(at, 2, 1, s));
    let e = event();
    ok!(cuEventRecord(e, s));
    code!(NOT_READY, cuStreamQuery(s));
    code!(NOT_READY, cuEventQuery(e));
    gate.open();
    ok!(
        cuEventSynchronize(e),
        cuEventQuery(e),
        cuStreamSynchronize(s),
        cuStreamQuery(s)
    );
    assert_eq!(download::<u32>(at, 1), [2]);
    let (second, mut ms) = (event(), -1.0);
    ok!(
        cuEventRecord(second, s),
        cuEventSynchronize(second),
        cuEventElapsedTime(&mut ms, e, second)
    );
    assert!((0.0..10_000.0).contains(&ms));
}

#[test]
fn events_order_streams() {
    let _c = Context::new();
    let (a, b, gate, at, e) = (stream(1), stream(1), Gate::default(), alloc(4), event());
    block(a, &gate);
    ok!(
        cuMemsetD32Async(at, 5, 1, a),
        cuEventRecord(e, a),
        cuStreamWaitEvent(b, e, 0)
    );
    // Recording again does not move what b waits for.
    ok!(cuEventRecord(e, b));
    let mut pinned = null_mut();
    ok!(
        cuMemHostAlloc(&mut pinned, 4, 0),
        cuMemcpyDtoHAsync_v2(pinned, at, 4, b)
    );
    std::thread::sleep(Duration::from_millis(5));
    code!(NOT_READY, cuStreamQuery(b));
    gate.open();
    ok!(cuStreamSynchronize(b));
    // SAFETY: the copy into it is complete.
    assert_eq!(unsafe { pinned.cast::<u32>().read() }, 5);
    ok!(cuStreamDestroy_v2(a));
    code!(INVALID_HANDLE, cuStreamQuery(a));
    code!(INVALID_HANDLE, cuStreamDestroy_v2(a));
}

#[test]
fn the_legacy_stream_waits_for_blocking_ones_and_they_for_it() {
    let _c = Context::new();
    let (blocking, free) = (stream(0), stream(1));
    let first = Gate::default();
    block(blocking, &first);
    ok!(
        cuMemsetD32Async(alloc(4), 5, 1, free),
        cuStreamSynchronize(free)
    );
    let on_legacy = Gate::default();
    on_legacy.open();
    block(CUstream::null(), &on_legacy);
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(
        on_legacy.passed(),
        0,
        "legacy waits for the blocking stream"
    );
    code!(NOT_READY, cuStreamQuery(CUstream::null()));
    first.open();
    ok!(cuStreamSynchronize(CUstream::from_addr(1)));
    assert_eq!((first.passed(), on_legacy.passed()), (1, 1));

    let second = Gate::default();
    block(CUstream::null(), &second);
    let after = Gate::default();
    after.open();
    block(blocking, &after);
    // A thread's default stream is a blocking stream.
    let mine = Gate::default();
    mine.open();
    with_per_thread_stream(|| block(CUstream::null(), &mine));
    let independent = Gate::default();
    independent.open();
    block(free, &independent);
    ok!(cuStreamSynchronize(free));
    assert_eq!(
        (independent.passed(), after.passed(), mine.passed()),
        (1, 0, 0)
    );
    second.open();
    ok!(cuCtxSynchronize());
    assert_eq!((second.passed(), after.passed(), mine.passed()), (1, 1, 1));
}

#[test]
fn pageable_memory_may_be_reused_at_once() {
    let _c = Context::new();
    let (s, gate, at) = (stream(0), Gate::default(), alloc(4));
    block(s, &gate);
    let mut value = 41u32;
    ok!(cuMemcpyHtoDAsync_v2(at, (&raw const value).cast(), 4, s));
    value = 0;
    std::hint::black_box(&mut value);
    gate.open();
    ok!(cuMemcpyDtoHAsync_v2((&raw mut value).cast(), at, 4, s));
    assert_eq!(value, 41, "a copy to pageable memory is complete on return");
}

#[test]
fn callbacks_get_the_stream_and_may_not_wait() {
    /// 1 when everything was as it should be, 2 when not: a panic may not cross the driver.
    static SEEN: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn callback(stream: CUstream, status: CUresult, data: *mut c_void) {
        let refused = CUresult::CUDA_ERROR_NOT_PERMITTED;
        // SAFETY: handles are looked up.
        let refuses = unsafe {
            cuStreamSynchronize(stream) == refused
                && cuCtxSynchronize_v2(CUcontext::null()) == refused
        };
        let good = refuses && status == OK && data as usize == 7 && !stream.is_null();
        SEEN.store(if good { 1 } else { 2 }, Ordering::SeqCst);
    }
    let _c = Context::new();
    let s = stream(0);
    ok!(cuStreamAddCallback(s, Some(callback), 7 as *mut c_void, 0));
    // Destroying a stream lets its work finish.
    ok!(cuStreamDestroy_v2(s), cuCtxSynchronize());
    code!(
        INVALID_VALUE,
        cuLaunchHostFunc(CUstream::null(), None, null_mut())
    );
    assert_eq!(SEEN.load(Ordering::SeqCst), 1);
}

/// The input of `try_everything`, and its findings.
#[derive(Default)]
struct Tried {
    stream: u64,
    event: u64,
    memory: u64,
    refused: AtomicU32,
    permitted: AtomicU32,
}

unsafe extern "C" fn try_everything(tried: *mut c_void) {
    // SAFETY: the data that the test passes outlives the stream's work.
    let tried = unsafe { &*tried.cast::<Tried>() };
    let (stream, event) = (
        CUstream::from_addr(tried.stream as usize),
        CUevent::from_addr(tried.event as usize),
    );
    let (mut word, mut address, mut bytes) = (0u32, 0u64, 0usize);
    let (mut other_stream, mut other_event) = (CUstream::null(), CUevent::null());
    let host = (&raw mut word).cast::<c_void>();
    // SAFETY: handles are looked up, and all pointers are to live locals.
    let (refused, permitted) = unsafe {
        (
            [
                cuStreamSynchronize(stream),
                cuStreamQuery(stream),
                cuCtxSynchronize(),
                cuEventSynchronize(event),
                cuEventRecord(event, stream),
                cuStreamWaitEvent(stream, event, 0),
                cuMemAlloc_v2(&mut address, 4),
                cuMemAllocAsync(&mut address, 4, stream),
                cuMemFree_v2(tried.memory),
                cuMemFreeAsync(tried.memory, stream),
                cuMemcpy(tried.memory, tried.memory, 4),
                cuMemcpyDtoH_v2(host, tried.memory, 4),
                cuMemcpyHtoDAsync_v2(tried.memory, host, 4, stream),
                cuMemsetD32_v2(tried.memory, 0, 1),
                cuStreamCreate(&mut other_stream, 0),
                cuStreamDestroy_v2(stream),
                cuEventCreate(&mut other_event, 0),
                cuLaunchHostFunc(stream, Some(wait_at), null_mut()),
                cuLaunchKernel(
                    CUfunction::null(),
                    1,
                    1,
                    1,
                    1,
                    1,
                    1,
                    0,
                    stream,
                    null_mut(),
                    null_mut(),
                ),
            ],
            [
                cuDriverGetVersion((&raw mut word).cast()),
                cuMemGetInfo_v2(&mut bytes, &mut bytes),
                cuEventQuery(event),
            ],
        )
    };
    let count = |codes: &[CUresult], pick: fn(&CUresult) -> bool| {
        codes.iter().filter(|code| pick(code)).count() as u32
    };
    let not_permitted = |code: &CUresult| *code == CUresult::CUDA_ERROR_NOT_PERMITTED;
    tried
        .refused
        .store(count(&refused, not_permitted), Ordering::SeqCst);
    tried.permitted.store(
        count(&permitted, |code| {
            !matches!(*code, CUresult::CUDA_ERROR_NOT_PERMITTED)
        }),
        Ordering::SeqCst,
    );
}

#[test]
fn host_functions_may_look_but_neither_wait_nor_make_work() {
    let _c = Context::new();
    let (s, e, at) = (stream(0), event(), alloc(4));
    let tried = Tried {
        stream: s.addr() as u64,
        event: e.addr() as u64,
        memory: at,
        ..Tried::default()
    };
    let data = (&raw const tried).cast_mut().cast();
    ok!(
        cuLaunchHostFunc(s, Some(try_everything), data),
        cuStreamSynchronize(s)
    );
    assert_eq!(tried.refused.load(Ordering::SeqCst), 19);
    assert_eq!(tried.permitted.load(Ordering::SeqCst), 3);
    // All is as before.
    ok!(cuMemsetD32Async(at, 5, 1, s), cuStreamSynchronize(s));
    assert_eq!(download::<u32>(at, 1), [5]);
}

#[test]
fn events_refuse_what_makes_no_sense() {
    let _c = Context::new();
    let (a, b, mut ms) = (event(), event(), 0.0);
    ok!(cuEventQuery(a), cuEventSynchronize(a));
    code!(INVALID_HANDLE, cuEventElapsedTime(&mut ms, a, b));
    let mut untimed = CUevent::null();
    ok!(
        cuEventCreate(&mut untimed, 2),
        cuEventRecord(untimed, CUstream::null()),
        cuEventRecord(a, CUstream::null())
    );
    code!(INVALID_HANDLE, cuEventElapsedTime_v2(&mut ms, a, untimed));
    let (s, gate) = (stream(0), Gate::default());
    block(s, &gate);
    ok!(cuEventRecord(b, s));
    code!(NOT_READY, cuEventElapsedTime(&mut ms, a, b));
    gate.open();
    ok!(cuEventDestroy_v2(b));
    code!(INVALID_HANDLE, cuEventQuery(b));
    code!(INVALID_HANDLE, cuEventRecord(CUevent::from_addr(8), s));
    code!(INVALID_VALUE, cuEventCreate(&mut untimed, 64));
    let other = Context::new();
    code!(INVALID_HANDLE, cuEventRecord(a, CUstream::null()));
    drop(other);
}

#[test]
fn eight_threads_submit_at_once() {
    let c = Context::new();
    let at = alloc(8 * 4);
    std::thread::scope(|scope| {
        for t in 0..8u64 {
            let context = c.0;
            scope.spawn(move || {
                ok!(cuCtxSetCurrent(context));
                let s = stream((t % 2) as u32);
                for i in 0..200 {
                    ok!(cuMemsetD32Async(at + 4 * t, i, 1, s));
                    if i % 20 == 0 {
                        ok!(cuStreamSynchronize(s));
                    }
                    // Only blocking streams are ordered with the legacy one.
                    if t % 2 == 0 && i % 50 == 0 {
                        ok!(cuMemsetD32Async(at + 4 * t, i, 1, CUstream::null()));
                    }
                }
                ok!(cuStreamSynchronize(s), cuStreamDestroy_v2(s));
            });
        }
    });
    ok!(cuCtxSynchronize());
    assert_eq!(download::<u32>(at, 8), [199; 8]);
}

#[test]
fn streams_come_and_go_without_leaving_threads() {
    let _c = Context::new();
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let at = alloc(4);
    for i in 0..300 {
        let s = stream(i % 2);
        ok!(cuMemsetD32Async(at, i, 1, s), cuStreamDestroy_v2(s));
    }
    ok!(cuCtxSynchronize());
    for _ in 0..100 {
        if threads() < 60 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} threads are left", threads());
}

/// What a stream takes before the next one waits. All of them run once its gate is open.
fn taken(add: impl Fn(CUstream) + Sync, most: u32) -> u32 {
    let (context, gate, count) = (Context::new(), Gate::default(), AtomicU32::new(0));
    let s = stream(1);
    block(s, &gate);
    let before = std::thread::scope(|scope| {
        scope.spawn(|| {
            ok!(cuCtxSetCurrent(context.0));
            for _ in 0..most {
                add(s);
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        let mut before = u32::MAX;
        while before != count.load(Ordering::SeqCst) {
            before = count.load(Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(300));
        }
        gate.open();
        before
    });
    ok!(cuStreamSynchronize(s));
    assert_eq!(count.load(Ordering::SeqCst), most);
    before
}

#[test]
fn a_full_queue_makes_the_host_wait() {
    let _c = Context::new();
    let (at, host) = (alloc(64 << 10), vec![1u8; 64 << 10]);
    let fill = |s| {
        ok!(cuMemsetD32Async(at, 2, 1, s));
    };
    assert_eq!(taken(fill, 3000), 1024);
    let copy = |s| {
        ok!(cuMemcpyHtoDAsync_v2(
            at,
            host.as_ptr().cast(),
            host.len(),
            s
        ));
    };
    assert_eq!(taken(copy, 200), 64, "4 MiB of pageable memory");
    let call = |s| {
        ok!(cuLaunchHostFunc(s, Some(wait_at), OPEN.pointer()));
    };
    assert_eq!(taken(call, 3000), 3000, "host functions have no bound");
}
