//! Several devices. A process of its own, since the environment is read once. Tests run side by side: each has contexts
//! of its own, and those that count memory have devices of their own.

mod common;
use common::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Once;
use std::time::Duration;

const DEVICES: i32 = 6;
const MEMORY: usize = 64 << 20;
const INVALID_DEVICE: CUresult = CUresult::CUDA_ERROR_INVALID_DEVICE;
const OUT_OF_MEMORY: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;

fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: every test begins here, so no other thread reads the environment yet.
        unsafe {
            std::env::set_var("CUOX_SOFT_DEVICES", DEVICES.to_string());
            std::env::set_var("CUOX_SOFT_MEMORY", MEMORY.to_string());
        }
        ok!(cuInit(0));
    });
}

/// A context on a device, current on the calling thread.
fn context_on(device: i32) -> Context {
    init();
    let mut context = CUcontext::null();
    ok!(cuCtxCreate_v2(&mut context, 0, device));
    Context(context)
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(cuMemGetInfo_v2(&mut free, &mut total));
    assert_eq!(total, MEMORY);
    free
}

fn ordinal(at: CUdeviceptr) -> i32 {
    let mut device = -1;
    let attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
    ok!(cuPointerGetAttribute(pointer(&mut device), attribute, at));
    device
}

fn on(device: i32) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        id: device,
    }
}

extern "C" fn nap(_: *mut c_void) {
    std::thread::sleep(Duration::from_millis(50));
}

/// Fills memory in a stream, but not at once.
fn fill_later(at: CUdeviceptr, value: u32, count: usize, stream: CUstream) {
    ok!(
        cuLaunchHostFunc(stream, Some(nap), null_mut()),
        cuMemsetD32Async(at, value, count, stream)
    );
}

#[test]
fn devices_have_places_of_their_own() {
    init();
    let mut count = 0;
    ok!(cuDeviceGetCount(&mut count));
    assert_eq!(count, DEVICES);
    let mut uuids = Vec::new();
    for device in 0..DEVICES {
        let (mut got, mut bus, mut total) = (-1, -1, 0);
        let mut id = [0u8; 16];
        let mut uuid = CUuuid::default();
        let attribute = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID;
        ok!(
            cuDeviceGet(&mut got, device),
            cuDeviceGetPCIBusId(id.as_mut_ptr().cast(), 16, device),
            cuDeviceGetAttribute(&mut bus, attribute, device),
            cuDeviceGetUuid_v2(&mut uuid, device),
            cuDeviceTotalMem_v2(&mut total, device)
        );
        assert_eq!((got, bus, total), (device, device + 1, MEMORY));
        let text = format!("0000:{:02x}:00.0", device + 1);
        assert!(id.starts_with(text.as_bytes()), "{id:?}");
        let short = format!("0:{:x}:0.0", device + 1);
        let long = format!("0000{text}x");
        for asked in [&text, &text[5..], &text[..10], &short, &long] {
            let asked = std::ffi::CString::new(asked).unwrap();
            ok!(cuDeviceGetByPCIBusId(&mut got, asked.as_ptr()));
            assert_eq!(got, device, "{asked:?}");
        }
        assert!(!uuids.contains(&uuid.bytes));
        uuids.push(uuid.bytes);
    }
    let mut any = 0;
    for unknown in [-1, DEVICES] {
        code!(INVALID_DEVICE, cuDeviceGet(&mut any, unknown));
        let mut context = CUcontext::null();
        code!(INVALID_DEVICE, cuCtxCreate_v2(&mut context, 0, unknown));
        code!(
            INVALID_DEVICE,
            cuDevicePrimaryCtxRetain(&mut context, unknown)
        );
    }
    for (code, unknown) in [
        (INVALID_DEVICE, c"0000:07:00.0"),
        (INVALID_VALUE, c"01:00"),
        (INVALID_VALUE, c""),
        (INVALID_VALUE, c"zz"),
        (INVALID_VALUE, c"1:"),
    ] {
        code!(code, cuDeviceGetByPCIBusId(&mut any, unknown.as_ptr()));
    }
}

#[test]
fn contexts_know_their_device() {
    let c = context_on(1);
    let (s, mut device, mut context) = (stream(0), -1, CUcontext::null());
    ok!(
        cuStreamGetDevice(s, &mut device),
        cuStreamGetCtx(s, &mut context)
    );
    assert_eq!((device, context), (1, c.0));
    // The end of a primary context gives libraries' variables their first values: no other test has these devices'.
    let mut primaries = [CUcontext::null(); 2];
    for (device, primary) in (2..).zip(&mut primaries) {
        ok!(cuDevicePrimaryCtxRetain(primary, device));
        let (mut by_handle, mut current) = (-1, -1);
        ok!(
            cuCtxGetDevice_v2(&mut by_handle, *primary),
            cuCtxPushCurrent_v2(*primary),
            cuCtxGetDevice(&mut current),
            cuCtxPopCurrent_v2(null_mut())
        );
        assert_eq!((by_handle, current), (device, device));
    }
    assert_ne!(primaries[0], primaries[1]);
    let (mut flags, mut active) = (0, -1);
    ok!(
        cuDevicePrimaryCtxRelease_v2(3),
        cuDevicePrimaryCtxGetState(3, &mut flags, &mut active)
    );
    assert_eq!(active, 0);
    ok!(cuDevicePrimaryCtxGetState(2, &mut flags, &mut active));
    assert_eq!(active, 1);
    ok!(cuDevicePrimaryCtxRelease_v2(2));
}

#[test]
fn memory_counts_for_the_device_of_its_context_or_pool() {
    let (first, second) = (context_on(2), context_on(3));
    let most = MEMORY - (8 << 20);
    let at = alloc(most);
    assert_eq!((ordinal(at), free_bytes()), (3, MEMORY - most));
    let mut more = 0;
    code!(OUT_OF_MEMORY, cuMemAlloc_v2(&mut more, most));
    ok!(cuCtxSetCurrent(first.0));
    assert_eq!(free_bytes(), MEMORY);
    let here = alloc(most);
    assert_eq!(ordinal(here), 2);
    // Memory is freed where it is, whatever context is current.
    ok!(cuMemFree_v2(at), cuMemFree_v2(here));

    let (mut pools, mut current) = ([CUmemoryPool::null(); 2], CUmemoryPool::null());
    ok!(
        cuDeviceGetDefaultMemPool(&mut pools[0], 2),
        cuDeviceGetMemPool(&mut pools[1], 3),
        cuMemGetDefaultMemPool(
            &mut current,
            &mut on(3),
            CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED
        )
    );
    assert_ne!(pools[0], pools[1]);
    assert_eq!(current, pools[1]);
    code!(INVALID_VALUE, cuDeviceSetMemPool(2, pools[1]));
    code!(INVALID_VALUE, cuMemPoolDestroy(pools[1]));
    let (mut own, mut other) = (0, 0);
    ok!(
        cuMemAllocAsync(&mut own, most, CUstream::null()),
        cuMemAllocFromPoolAsync(&mut other, most, pools[1], CUstream::null())
    );
    assert_eq!((ordinal(own), ordinal(other)), (2, 3));
    assert_eq!(free_bytes(), MEMORY - most);
    ok!(cuCtxSetCurrent(second.0));
    assert_eq!(free_bytes(), MEMORY - most);
    ok!(
        cuMemFreeAsync(own, CUstream::null()),
        cuMemFreeAsync(other, CUstream::null()),
        cuCtxSynchronize()
    );
    assert_eq!(free_bytes(), MEMORY);

    let none = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    let both = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    let access = |device| {
        let mut flags = none;
        ok!(cuMemPoolGetAccess(&mut flags, pools[0], &mut on(device)));
        flags
    };
    let give = |device, flags| CUmemAccessDesc {
        location: on(device),
        flags,
    };
    assert_eq!((access(2), access(3)), (both, none));
    ok!(cuMemPoolSetAccess(pools[0], &give(3, both), 1));
    assert_eq!((access(2), access(3)), (both, both));
    ok!(cuMemPoolSetAccess(pools[0], &give(3, none), 1));
    assert_eq!((access(2), access(3)), (both, none));
    let mut flags = none;
    code!(
        INVALID_VALUE,
        cuMemPoolGetAccess(&mut flags, pools[0], &mut on(DEVICES))
    );
    let read = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READ;
    let unsupported = CUresult::CUDA_ERROR_NOT_SUPPORTED;
    for (wrong, code) in [
        (give(2, none), INVALID_DEVICE),
        (give(DEVICES, both), INVALID_DEVICE),
        (give(3, read), unsupported),
    ] {
        code!(code, cuMemPoolSetAccess(pools[0], &wrong, 1));
    }
}

#[test]
fn peer_access_is_given_once() {
    let (first, second) = (context_on(0), context_on(1));
    let mut can = -1;
    ok!(cuDeviceCanAccessPeer(&mut can, 0, 1));
    assert_eq!(can, 1);
    ok!(cuDeviceCanAccessPeer(&mut can, 1, 1));
    assert_eq!(can, 0);
    let attribute = CUdevice_P2PAttribute::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED;
    ok!(cuDeviceGetP2PAttribute(&mut can, attribute, 0, 1));
    assert_eq!(can, 1);
    code!(
        INVALID_DEVICE,
        cuDeviceGetP2PAttribute(&mut can, attribute, 1, 1)
    );
    let not_enabled = CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    code!(not_enabled, cuCtxDisablePeerAccess(first.0));
    ok!(cuCtxEnablePeerAccess(first.0, 0));
    code!(
        CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
        cuCtxEnablePeerAccess(first.0, 0)
    );
    ok!(cuCtxDisablePeerAccess(first.0));
    code!(not_enabled, cuCtxDisablePeerAccess(first.0));
    // It goes one way.
    ok!(cuCtxEnablePeerAccess(first.0, 0), cuCtxSetCurrent(first.0));
    code!(not_enabled, cuCtxDisablePeerAccess(second.0));
    code!(
        CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
        cuCtxEnablePeerAccess(first.0, 0)
    );
}

#[test]
fn fills_of_another_devices_memory_need_access() {
    let first = context_on(0);
    let (plain, mut pooled, mut managed) = (alloc(16), 0, 0);
    let (mut pool, mut pinned) = (CUmemoryPool::null(), null_mut());
    let props = CUmemPoolProps {
        allocType: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: on(0),
        ..CUmemPoolProps::default()
    };
    ok!(
        cuMemPoolCreate(&mut pool, &props),
        cuMemAllocFromPoolAsync(&mut pooled, 16, pool, CUstream::null()),
        cuMemAllocManaged(&mut managed, 16, 1),
        cuMemAllocHost_v2(&mut pinned, 16),
        cuCtxSynchronize()
    );
    let _second = context_on(1);
    ok!(
        cuMemsetD32_v2(managed, 1, 4),
        cuMemsetD32_v2(pinned as u64, 1, 4)
    );
    for at in [plain, pooled] {
        code!(INVALID_VALUE, cuMemsetD32_v2(at, 1, 4));
        assert!(cuox_softgpu::last_fault().contains("memory of device 0"));
    }
    let access = CUmemAccessDesc {
        location: on(1),
        flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    ok!(
        cuCtxEnablePeerAccess(first.0, 0),
        cuMemsetD32_v2(plain, 2, 4)
    );
    code!(
        INVALID_VALUE,
        cuMemsetD32Async(pooled, 2, 4, CUstream::null())
    );
    ok!(
        cuMemPoolSetAccess(pool, &access, 1),
        cuMemsetD32Async(pooled, 2, 4, CUstream::null())
    );
    assert_eq!(download::<u32>(plain, 4), download::<u32>(pooled, 4));
    assert_eq!(download::<u32>(plain, 4), [2; 4]);
}

#[test]
fn copies_go_between_devices() {
    let first = context_on(0);
    let from = upload(&[1u32, 2, 3, 4]);
    let second = context_on(1);
    let to = upload(&[0u32; 4]);
    let s = stream(1);
    let whole = |name: &str, code: CUresult| {
        assert_eq!(code, OK, "{name}");
        ok!(cuStreamSynchronize(s));
        assert_eq!(download::<u32>(to, 4), [1, 2, 3, 4], "{name}");
        ok!(cuMemsetD32_v2(to, 0, 4));
    };
    let device = CUmemorytype::CU_MEMORYTYPE_DEVICE;
    let flat = CUDA_MEMCPY2D {
        srcMemoryType: device,
        srcDevice: from,
        srcPitch: 8,
        dstMemoryType: device,
        dstDevice: to,
        dstPitch: 8,
        WidthInBytes: 8,
        Height: 2,
        ..CUDA_MEMCPY2D::default()
    };
    let solid = CUDA_MEMCPY3D_PEER {
        srcMemoryType: device,
        srcDevice: from,
        srcContext: first.0,
        srcPitch: 8,
        dstMemoryType: device,
        dstDevice: to,
        dstContext: second.0,
        dstPitch: 8,
        WidthInBytes: 8,
        Height: 2,
        Depth: 1,
        ..CUDA_MEMCPY3D_PEER::default()
    };
    // SAFETY: all memory has 16 bytes.
    unsafe {
        whole("DtoD", cuMemcpyDtoD_v2(to, from, 16));
        whole("DtoDAsync", cuMemcpyDtoDAsync_v2(to, from, 16, s));
        whole("any", cuMemcpy(to, from, 16));
        whole("any, later", cuMemcpyAsync(to, from, 16, s));
        whole("peer", cuMemcpyPeer(to, second.0, from, first.0, 16));
        let code = cuMemcpyPeerAsync(to, second.0, from, first.0, 16, s);
        whole("peer, later", code);
        whole("2D", cuMemcpy2D_v2(&flat));
        whole("2D, later", cuMemcpy2DAsync_v2(&flat, s));
        whole("3D, peer", cuMemcpy3DPeer(&solid));
        whole("3D, peer, later", cuMemcpy3DPeerAsync(&solid, s));
    }
}

#[test]
fn copies_in_the_default_stream_wait_for_both_devices() {
    let _first = context_on(0);
    let from = upload(&[0u32; 4]);
    let there = stream(1);
    let _second = context_on(1);
    let to = upload(&[0u32; 4]);
    fill_later(from, 5, 4, there);
    ok!(cuMemcpyDtoD_v2(to, from, 16));
    assert_eq!(download::<u32>(to, 4), [5; 4]);
    fill_later(from, 6, 4, there);
    ok!(cuMemcpyDtoDAsync_v2(to, from, 16, CUstream::null()));
    // What is submitted to the other device afterwards comes afterwards.
    ok!(cuMemsetD32Async(from, 7, 4, there));
    assert_eq!(download::<u32>(to, 4), [6; 4]);
}

#[test]
fn events_order_streams_of_two_devices() {
    let first = context_on(0);
    let (from, s0, e0) = (upload(&[0u32; 4]), stream(1), event());
    let _second = context_on(1);
    let (to, s1, e1) = (upload(&[0u32; 4]), stream(1), event());
    fill_later(from, 7, 4, s0);
    ok!(
        cuEventRecord(e0, s0),
        cuStreamWaitEvent(s1, e0, 0),
        cuMemcpyDtoDAsync_v2(to, from, 16, s1),
        cuEventRecord(e1, s1),
        cuEventSynchronize(e1)
    );
    assert_eq!(download::<u32>(to, 4), [7; 4]);
    code!(INVALID_HANDLE, cuEventRecord(e0, s1));
    code!(INVALID_HANDLE, cuEventRecord(e0, CUstream::null()));
    let mut time = 0.0;
    code!(INVALID_HANDLE, cuEventElapsedTime(&mut time, e0, e1));
    ok!(
        cuCtxSetCurrent(first.0),
        cuEventRecord(e0, CUstream::null())
    );
}

#[test]
fn a_fault_stays_on_its_device() {
    let _well = context_on(0);
    let f = function(module(PTX), "add");
    let at = upload(&[1u32]);
    {
        let _sick = context_on(1);
        let (bad, mut stray) = (function(module(PTX), "bad"), 64u64);
        let values = &mut [pointer(&mut stray)];
        assert_eq!(launch(bad, 1, 1, CUstream::null(), values), OK);
        code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
        let mut more = 0;
        code!(ILLEGAL_ADDRESS, cuMemAlloc_v2(&mut more, 16));
    }
    let (mut to, mut n, mut add) = (at, 1u32, 4u32);
    let values = &mut [pointer(&mut to), pointer(&mut n), pointer(&mut add)];
    assert_eq!(launch(f, 1, 1, CUstream::null(), values), OK);
    assert_eq!(download::<u32>(at, 1), [5]);
}

#[test]
fn kernels_reach_other_devices_pinned_and_managed_memory() {
    let _first = context_on(0);
    let there = upload(&[10u32]);
    let (mut pinned, mut managed) = (null_mut(), 0);
    ok!(
        cuMemAllocHost_v2(&mut pinned, 4),
        cuMemAllocManaged(&mut managed, 4, 1),
        cuMemsetD32_v2(managed, 10, 1)
    );
    // SAFETY: memory of this test's, which nothing else uses.
    unsafe { pinned.cast::<u32>().write(10) };
    let first_function = function(module(PTX), "add");
    let _second = context_on(1);
    let f = function(module(PTX), "add");
    for at in [there, pinned as u64, managed] {
        let (mut to, mut n, mut add) = (at, 1u32, 4u32);
        let values = &mut [pointer(&mut to), pointer(&mut n), pointer(&mut add)];
        assert_eq!(launch(f, 1, 1, CUstream::null(), values), OK);
        assert_eq!(download::<u32>(at, 1), [14]);
        // A module's function is of the context that the module was loaded in.
        let code = launch(first_function, 1, 1, CUstream::null(), values);
        assert_eq!(code, INVALID_HANDLE);
        assert!(cuox_softgpu::last_fault().contains("loaded on device 0"));
    }
}

/// A kernel that counts its launches in a variable and in a managed one.
const COUNTING: &std::ffi::CStr = c".version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 count = 5;
.visible .global .attribute(.managed) .align 4 .u32 total = 5;
.visible .entry work()
{
    .reg .b32 %r<2>;
    atom.global.add.u32 %r0, [count], 1;
    atom.global.add.u32 %r1, [total], 1;
    ret;
}
";

fn counting() -> (CUlibrary, CUkernel) {
    let (mut library, mut kernel) = (CUlibrary::null(), CUkernel::null());
    let text = COUNTING.as_ptr().cast();
    let (no, none) = (null_mut(), null_mut());
    ok!(
        cuLibraryLoadData(&mut library, text, null_mut(), no, 0, null_mut(), none, 0),
        cuLibraryGetKernel(&mut kernel, library, c"work".as_ptr())
    );
    (library, kernel)
}

#[test]
fn a_library_has_variables_on_each_device() {
    init();
    let (library, kernel) = counting();
    let contexts = [0, 1, 4].map(context_on);
    let as_function = CUfunction::from_addr(kernel.addr());
    let (mut counts, mut functions) = (Vec::new(), Vec::new());
    for (device, context) in [0, 1, 4].into_iter().zip(&contexts) {
        ok!(cuCtxSetCurrent(context.0));
        let (mut f, mut m) = (CUfunction::null(), CUmodule::null());
        ok!(
            cuKernelGetFunction(&mut f, kernel),
            cuLibraryGetModule(&mut m, library)
        );
        assert_eq!(function(m, "work"), f);
        assert!(f != as_function && !functions.contains(&f));
        functions.push(f);
        for _ in 0..device + 1 {
            assert_eq!(launch(f, 1, 1, CUstream::null(), &mut []), OK);
        }
        assert_eq!(launch(as_function, 1, 1, CUstream::null(), &mut []), OK);
        let (mut count, mut total, mut size) = (0, 0, 0);
        ok!(
            cuCtxSynchronize(),
            cuLibraryGetGlobal(&mut count, &mut size, library, c"count".as_ptr()),
            cuLibraryGetManaged(&mut total, &mut size, library, c"total".as_ptr())
        );
        assert_eq!(ordinal(count), device);
        assert_eq!(download::<u32>(count, 1), [device as u32 + 7]);
        counts.push((count, total));
    }
    // A function is of one device, a kernel is not.
    assert_eq!(
        launch(functions[0], 1, 1, CUstream::null(), &mut []),
        INVALID_HANDLE
    );
    assert_eq!(counts[0].1, counts[2].1);
    assert_eq!(download::<u32>(counts[0].1, 1), [5 + 2 + 3 + 6]);

    // Attributes are a device's own.
    let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    let mut values = [0; 2];
    ok!(
        cuKernelSetAttribute(attribute, 64 << 10, kernel, 4),
        cuKernelGetAttribute(&mut values[0], attribute, kernel, 1),
        cuFuncGetAttribute(&mut values[1], attribute, as_function)
    );
    assert_eq!(values, [48 << 10, 64 << 10]);
    ok!(cuLibraryUnload(library));
    let mut size = 0;
    let unknown = CUresult::CUDA_ERROR_NOT_FOUND;
    for (count, total) in counts {
        let mut base = 0;
        code!(
            unknown,
            cuMemGetAddressRange_v2(&mut base, &mut size, count)
        );
        code!(
            unknown,
            cuMemGetAddressRange_v2(&mut base, &mut size, total)
        );
    }
}

#[test]
fn a_captured_kernel_of_a_library_is_its_streams_devices() {
    let _first = context_on(0);
    let (library, kernel) = counting();
    let _second = context_on(5);
    let s = stream(1);
    let (mut graph, mut exec) = (CUgraph::null(), CUgraphExec::null());
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
    ok!(cuStreamBeginCapture_v2(s, mode));
    let as_function = CUfunction::from_addr(kernel.addr());
    assert_eq!(launch(as_function, 1, 1, s, &mut []), OK);
    let (mut count, mut size) = (0, 0);
    ok!(
        cuStreamEndCapture(s, &mut graph),
        cuGraphInstantiateWithFlags(&mut exec, graph, 0),
        cuGraphLaunch(exec, s),
        cuGraphLaunch(exec, s),
        cuStreamSynchronize(s),
        cuLibraryGetGlobal(&mut count, &mut size, library, c"count".as_ptr())
    );
    assert_eq!(ordinal(count), 5);
    assert_eq!(download::<u32>(count, 1), [7]);
    ok!(cuLibraryUnload(library));
}
