//! Allocations, copies, memsets, pointers, pools.

mod common;
use common::*;
use std::ffi::c_void;
use std::ptr::null_mut;

#[test]
fn allocations_and_their_errors() {
    let _c = Context::new();
    let at = alloc(1000);
    assert_eq!(at % 256, 0);
    let (mut base, mut size) = (0, 0);
    ok!(cuMemGetAddressRange_v2(&mut base, &mut size, at + 999));
    assert_eq!((base, size), (at, 1000));
    let mut p = 0;
    code!(INVALID_VALUE, cuMemAlloc_v2(&mut p, 0));
    code!(INVALID_VALUE, cuMemAlloc_v2(null_mut(), 4));
    code!(
        CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        cuMemAlloc_v2(&mut p, 1 << 50)
    );
    code!(
        CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        cuMemAlloc_v2(&mut p, usize::MAX)
    );
    code!(INVALID_VALUE, cuMemFree_v2(at + 4));
    code!(INVALID_VALUE, cuMemFree_v2(0xdead_beef));
    ok!(cuMemFree_v2(0), cuMemFree_v2(at));
    code!(INVALID_VALUE, cuMemFree_v2(at));
    let (mut free, mut total, mut less) = (0, 0, 0);
    ok!(cuMemGetInfo_v2(&mut free, &mut total));
    let at = alloc(32 << 20);
    ok!(cuMemGetInfo_v2(&mut less, null_mut()));
    assert!(
        free - less >= 16 << 20,
        "other tests may free, but not that much"
    );
    ok!(cuMemFree_v2(at));
    let mut pitch = 0;
    ok!(cuMemAllocPitch_v2(&mut p, &mut pitch, 100, 7, 4));
    assert_eq!(pitch % 512, 0);
}

#[test]
fn copies_of_every_direction() {
    let _c = Context::new();
    let a = upload(&(0..1000u32).collect::<Vec<_>>());
    let b = alloc(4000);
    ok!(cuMemcpyDtoD_v2(b, a, 4000));
    assert_eq!(download::<u32>(b, 1000)[999], 999);
    let mut host = [0u32; 4];
    ok!(cuMemcpy(host.as_mut_ptr() as u64, a + 16, 16));
    assert_eq!(host, [4, 5, 6, 7]);
    // Bad pointers are codes.
    let h: *mut c_void = host.as_mut_ptr().cast();
    code!(INVALID_VALUE, cuMemcpyHtoD_v2(b + 3990, h, 16));
    code!(INVALID_VALUE, cuMemcpyHtoD_v2(0x1000, h, 16));
    code!(INVALID_VALUE, cuMemcpyHtoD_v2(b, null_mut(), 16));
    code!(INVALID_VALUE, cuMemcpyHtoD_v2(b, 0x10 as *const c_void, 16));
    code!(INVALID_VALUE, cuMemcpyDtoH_v2(h, b + 4000, 1));
    code!(INVALID_VALUE, cuMemcpyDtoH_v2(0x10 as *mut c_void, b, 16));
    code!(INVALID_VALUE, cuMemcpyDtoH_v2(h, b, usize::MAX));
    ok!(cuMemcpyDtoH_v2(null_mut(), 0, 0), cuCtxSynchronize());
}

#[test]
fn boxes_of_memory() {
    let _c = Context::new();
    let src: Vec<u8> = (0..200).collect();
    let (mut dst, mut pitch) = (0, 0);
    ok!(cuMemAllocPitch_v2(&mut dst, &mut pitch, 10, 8, 4));
    let mut copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: src.as_ptr().cast(),
        srcPitch: 20,
        srcXInBytes: 3,
        srcY: 1,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstDevice: dst,
        dstPitch: pitch,
        WidthInBytes: 10,
        Height: 8,
        ..Default::default()
    };
    ok!(cuMemcpy2D_v2(&copy));
    let mut back = vec![0u8; 80];
    let out = CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_UNIFIED,
        srcDevice: dst,
        srcPitch: pitch,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_UNIFIED,
        dstDevice: back.as_mut_ptr() as u64,
        dstPitch: 10,
        WidthInBytes: 10,
        Height: 8,
        Depth: 1,
        ..Default::default()
    };
    ok!(cuMemcpy3D_v2(&out));
    for y in 0..8 {
        assert_eq!(back[y * 10..][..10], src[(y + 1) * 20 + 3..][..10]);
    }
    copy.Height = 9;
    code!(INVALID_VALUE, cuMemcpy2D_v2(&copy));
    copy.Height = 8;
    copy.srcPitch = 12;
    code!(INVALID_VALUE, cuMemcpy2D_v2(&copy));
    copy.srcPitch = usize::MAX;
    code!(INVALID_VALUE, cuMemcpy2DUnaligned_v2(&copy));
    code!(INVALID_VALUE, cuMemcpy2D_v2(std::ptr::null()));
}

#[test]
fn memsets() {
    let _c = Context::new();
    let at = alloc(64);
    ok!(
        cuMemsetD32_v2(at, 0x0102_0304, 16),
        cuMemsetD16_v2(at + 2, 0xabcd, 3),
        cuMemsetD8_v2(at + 9, 7, 2)
    );
    let got: Vec<u8> = download(at, 12);
    assert_eq!(got, [4, 3, 0xcd, 0xab, 0xcd, 0xab, 0xcd, 0xab, 4, 7, 7, 1]);
    ok!(cuMemsetD2D8_v2(at, 16, 0xee, 2, 4));
    assert_eq!(
        download::<u8>(at, 64)
            .iter()
            .filter(|&&b| b == 0xee)
            .count(),
        8
    );
    code!(INVALID_VALUE, cuMemsetD32_v2(at + 2, 1, 1));
    code!(INVALID_VALUE, cuMemsetD32_v2(at, 1, 17));
    code!(INVALID_VALUE, cuMemsetD32_v2(at, 1, usize::MAX / 2));
}

#[test]
fn host_memory() {
    let _c = Context::new();
    let mut p = null_mut();
    ok!(cuMemHostAlloc(&mut p, 5000, 2));
    let mut device = 0;
    let mut flags = 0;
    ok!(
        cuMemHostGetDevicePointer_v2(&mut device, p, 0),
        cuMemHostGetFlags(&mut flags, p)
    );
    assert_eq!((device, flags), (p as u64, 2));
    // SAFETY: the allocation is ours.
    unsafe { p.cast::<u8>().write_bytes(9, 5000) };
    assert_eq!(download::<u8>(device, 3), [9, 9, 9]);
    ok!(cuMemFreeHost(p));
    code!(INVALID_VALUE, cuMemFreeHost(p));
    let mut own = vec![1u8; 10_000];
    let at: *mut c_void = own.as_mut_ptr().cast();
    ok!(cuMemHostRegister_v2(at, 10_000, 0));
    code!(
        CUresult::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
        cuMemHostRegister_v2(at, 10, 0)
    );
    ok!(cuMemsetD8_v2(at as u64, 3, 10_000), cuMemHostUnregister(at));
    assert!(own.iter().all(|&b| b == 3));
    code!(
        CUresult::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
        cuMemHostUnregister(at)
    );
    code!(INVALID_VALUE, cuMemsetD8_v2(at as u64, 3, 1));
    for nowhere in [4096, 1 << 62, usize::MAX - 100] {
        code!(
            INVALID_VALUE,
            cuMemHostRegister_v2(nowhere as *mut c_void, 4096, 0)
        );
    }
    let mut managed = 0;
    ok!(cuMemAllocManaged(&mut managed, 64, 1));
    // SAFETY: managed memory is the host's as well.
    unsafe { (managed as *mut u32).write(77) };
    assert_eq!(download::<u32>(managed, 1), [77]);
    ok!(cuMemFree_v2(managed));
}

#[test]
fn pointer_attributes() {
    let c = Context::new();
    let at = alloc(100);
    let mut context = CUcontext::null();
    let mut kind = CUmemorytype(0);
    let mut host: *mut c_void = null_mut();
    ok!(
        cuPointerGetAttribute(
            (&raw mut context).cast(),
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_CONTEXT,
            at + 5
        ),
        cuPointerGetAttribute(
            (&raw mut kind).cast(),
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
            at
        )
    );
    assert_eq!((context, kind), (c.0, CUmemorytype::CU_MEMORYTYPE_DEVICE));
    code!(
        INVALID_VALUE,
        cuPointerGetAttribute(
            (&raw mut host).cast(),
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER,
            at
        )
    );
    let local = 5u8;
    let address = &raw const local as u64;
    let mut ids = [1, 2, 3, 4, 8, 9].map(CUpointer_attribute);
    let (mut device, mut managed, mut ordinal) = (1u64, 1i32, 1i32);
    let mut out = [
        (&raw mut context).cast(),
        (&raw mut kind).cast(),
        (&raw mut device).cast(),
        (&raw mut host).cast(),
        (&raw mut managed).cast(),
        (&raw mut ordinal).cast(),
    ];
    ok!(cuPointerGetAttributes(
        6,
        ids.as_mut_ptr(),
        out.as_mut_ptr(),
        address
    ));
    assert!(context.is_null() && kind.0 == 0 && device == 0 && managed == 0 && ordinal == -2);
    assert_eq!(host as u64, address);
    code!(
        INVALID_VALUE,
        cuPointerGetAttribute(
            (&raw mut kind).cast(),
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
            address
        )
    );
}

#[test]
fn pools() {
    let _c = Context::new();
    let mut pool = CUmemoryPool::null();
    let props = CUmemPoolProps {
        allocType: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: CUmemLocation {
            type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
            id: 0,
        },
        ..Default::default()
    };
    ok!(cuMemPoolCreate(&mut pool, &props));
    let used = || {
        let mut n = 0u64;
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT;
        ok!(cuMemPoolGetAttribute(pool, attribute, (&raw mut n).cast()));
        n
    };
    let s = stream(0);
    let mut at = 0;
    ok!(
        cuMemAllocFromPoolAsync(&mut at, 1000, pool, s),
        cuMemsetD8Async(at, 5, 1000, s)
    );
    assert_eq!(used(), 1000);
    ok!(cuMemFreeAsync(at, s));
    ok!(cuStreamSynchronize(s));
    assert_eq!(used(), 0);
    code!(INVALID_VALUE, cuMemFreeAsync(at, s));
    ok!(cuMemAllocAsync(&mut at, 1 << 20, s), cuMemFree_v2(at));
    let mut threshold = u64::MAX;
    let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    ok!(cuMemPoolSetAttribute(
        pool,
        attribute,
        (&raw mut threshold).cast()
    ));
    threshold = 0;
    ok!(cuMemPoolGetAttribute(
        pool,
        attribute,
        (&raw mut threshold).cast()
    ));
    assert_eq!(threshold, u64::MAX);
    ok!(cuMemPoolTrimTo(pool, 0), cuMemPoolDestroy(pool));
    code!(INVALID_HANDLE, cuMemPoolTrimTo(pool, 0));
    let mut default = CUmemoryPool::null();
    ok!(cuDeviceGetDefaultMemPool(&mut default, 0));
    code!(INVALID_VALUE, cuMemPoolDestroy(default));
}

fn at(type_: CUmemLocationType, id: i32) -> CUmemLocation {
    CUmemLocation { type_, id }
}

#[test]
fn pools_of_the_host_and_of_managed_memory() {
    use CUmemAllocationType as Type;
    use CUmemLocationType as At;
    let _c = Context::new();
    let s = stream(0);
    let host = at(At::CU_MEM_LOCATION_TYPE_HOST, 0);
    let device = at(At::CU_MEM_LOCATION_TYPE_DEVICE, 0);
    for (kind, place, memory_type, managed) in [
        (Type::CU_MEM_ALLOCATION_TYPE_PINNED, host, 1, 0),
        (Type::CU_MEM_ALLOCATION_TYPE_MANAGED, device, 2, 1),
    ] {
        let mut place = place;
        let (mut default, mut current) = (CUmemoryPool::null(), CUmemoryPool::null());
        ok!(
            cuMemGetDefaultMemPool(&mut default, &mut place, kind),
            cuMemGetMemPool(&mut current, &mut place, kind)
        );
        assert_eq!(default, current);
        code!(INVALID_VALUE, cuMemPoolDestroy(default));
        let mut pool = CUmemoryPool::null();
        let props = CUmemPoolProps {
            allocType: kind,
            location: place,
            ..Default::default()
        };
        ok!(
            cuMemPoolCreate(&mut pool, &props),
            cuMemSetMemPool(&mut place, kind, pool),
            cuMemGetMemPool(&mut current, &mut place, kind)
        );
        assert_eq!(current, pool);
        let mut address = 0;
        ok!(cuMemAllocFromPoolAsync(&mut address, 4096, pool, s));
        // SAFETY: the host reaches it.
        unsafe { (address as *mut u8).write_bytes(3, 4096) };
        let (mut seen, mut is_managed, mut of) = (0u32, 0i32, CUmemoryPool::null());
        ok!(
            cuPointerGetAttribute(
                (&raw mut seen).cast(),
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                address
            ),
            cuPointerGetAttribute(
                (&raw mut is_managed).cast(),
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED,
                address
            ),
            cuPointerGetAttribute(
                (&raw mut of).cast(),
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
                address
            )
        );
        assert_eq!((seen, is_managed, of), (memory_type, managed, pool));
        ok!(
            cuMemFreeAsync(address, s),
            cuStreamSynchronize(s),
            cuMemPoolDestroy(pool),
            cuMemGetMemPool(&mut current, &mut place, kind)
        );
        assert_eq!(current, default);
    }
    let mut nowhere = at(At::CU_MEM_LOCATION_TYPE_HOST_NUMA, 9999);
    let mut pool = CUmemoryPool::null();
    let pinned = Type::CU_MEM_ALLOCATION_TYPE_PINNED;
    code!(
        INVALID_VALUE,
        cuMemGetMemPool(&mut pool, &mut nowhere, pinned)
    );
    let mut of_device = device;
    ok!(cuDeviceGetDefaultMemPool(&mut pool, 0));
    code!(
        INVALID_VALUE,
        cuMemSetMemPool(&mut host.clone(), pinned, pool)
    );
    ok!(cuMemSetMemPool(&mut of_device, pinned, pool));
}

#[test]
fn batches_of_prefetches_and_discards() {
    let _c = Context::new();
    let s = stream(0);
    let mut starts = [0u64; 3];
    for start in &mut starts {
        ok!(cuMemAllocManaged(start, 4096, 1));
    }
    let mut sizes = [4096usize; 3];
    let mut places = [
        at(CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST, 0),
        at(CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, 0),
    ];
    let mut firsts = [0usize, 2];
    let last = |start: u64| {
        let mut place = 0i32;
        ok!(cuMemRangeGetAttribute(
            (&raw mut place).cast(),
            4,
            CUmem_range_attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
            start,
            4096
        ));
        place
    };
    let (d, z, p, f) = (
        starts.as_mut_ptr(),
        sizes.as_mut_ptr(),
        places.as_mut_ptr(),
        firsts.as_mut_ptr(),
    );
    ok!(cuMemPrefetchBatchAsync(d, z, 3, p, f, 2, 0, s));
    assert_eq!(starts.map(last), [-1, -1, 0]);
    ok!(
        cuMemDiscardBatchAsync(d, z, 3, 0, s),
        cuMemDiscardAndPrefetchBatchAsync(d, z, 3, p.wrapping_add(1), f, 1, 0, s)
    );
    assert_eq!(starts.map(last), [0, 0, 0]);
    let legacy = CUstream::null();
    code!(
        INVALID_VALUE,
        cuMemPrefetchBatchAsync(d, z, 3, p, f, 2, 1, s)
    );
    code!(
        INVALID_VALUE,
        cuMemPrefetchBatchAsync(d, z, 3, p, f, 2, 0, legacy)
    );
    code!(
        INVALID_VALUE,
        cuMemPrefetchBatchAsync(d, z, 2, p, f, 2, 0, s)
    );
    code!(
        INVALID_VALUE,
        cuMemPrefetchBatchAsync(d, z, 0, p, f, 2, 0, s)
    );
    code!(
        INVALID_VALUE,
        cuMemDiscardBatchAsync(std::ptr::null_mut(), z, 3, 0, s)
    );
    let mut others = [starts[0], alloc(4096)];
    code!(
        INVALID_VALUE,
        cuMemDiscardBatchAsync(others.as_mut_ptr(), z, 2, 0, s)
    );
}

#[test]
fn a_copy_past_the_end_is_explained() {
    let _c = Context::new();
    let at = alloc(100);
    let host = [0u8; 200];
    let explained = |what: &str| {
        let said = cuox_softgpu::last_fault();
        assert!(said.contains(what), "{said}");
    };
    code!(
        INVALID_VALUE,
        cuMemcpyHtoD_v2(at, host.as_ptr().cast(), 101)
    );
    explained("101 bytes at");
    explained("the last 1 of the 101 bytes are past its end");
    code!(INVALID_VALUE, cuMemsetD8_v2(at + 100, 0, 1));
    explained("right at the end of the allocation of 100 bytes");
}

#[test]
fn batches_are_checked_before_they_copy() {
    let _c = Context::new();
    let mut stream = CUstream::null();
    ok!(cuStreamCreate(&mut stream, 0));
    let (at, mut host) = (alloc(256), [7u8; 64]);
    ok!(cuMemsetD8_v2(at, 0, 256));
    let source = host.as_ptr() as u64;
    let (mut dsts, mut srcs, mut sizes) = ([at, at + 64], [source, source + 32], [16, 16]);
    let mut attributes = [CUmemcpyAttributes {
        srcAccessOrder: CUmemcpySrcAccessOrder::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL,
        ..Default::default()
    }];
    let mut run = |dsts: &mut [u64; 2], sizes: &mut [usize; 2], first: usize, order, stream| {
        attributes[0].srcAccessOrder = order;
        let mut failed = 99;
        // SAFETY: the lists have these lengths.
        let code = unsafe {
            cuMemcpyBatchAsync(
                dsts.as_mut_ptr(),
                srcs.as_mut_ptr(),
                sizes.as_mut_ptr(),
                2,
                attributes.as_mut_ptr(),
                &mut { first },
                1,
                &mut failed,
                stream,
            )
        };
        (code, failed)
    };
    use CUmemcpySrcAccessOrder as Order;
    let order = Order::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    let nothing = (INVALID_VALUE, usize::MAX);
    assert_eq!(run(&mut dsts, &mut sizes, 1, order, stream), nothing);
    assert_eq!(
        run(&mut dsts, &mut sizes, 0, order, CUstream::null()),
        nothing
    );
    let none = Order::CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    assert_eq!(
        run(&mut dsts, &mut sizes, 0, none, stream),
        (INVALID_VALUE, 0)
    );
    assert_eq!(
        run(&mut dsts, &mut [16, 0], 0, order, stream),
        (INVALID_VALUE, 1)
    );
    assert_eq!(
        run(&mut [at, 0], &mut sizes, 0, order, stream),
        (INVALID_VALUE, 1)
    );
    let mut back = [1u8; 256];
    ok!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), at, 256));
    assert_eq!(back, [0; 256], "nothing is copied if something is wrong");
    assert_eq!(run(&mut dsts, &mut sizes, 0, order, stream), (OK, 99));
    host.fill(0);
    ok!(cuStreamSynchronize(stream));
    ok!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), at, 256));
    assert_eq!((&back[..16], &back[16..64]), (&[7; 16][..], &[0; 48][..]));
    assert_eq!((&back[64..80], back[80]), (&[7; 16][..], 0));
    ok!(cuStreamDestroy_v2(stream), cuMemFree_v2(at));
}
