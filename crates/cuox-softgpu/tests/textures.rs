//! Arrays, texture and surface objects.

mod common;
use common::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const FLOAT: CUarray_format = CUarray_format::CU_AD_FORMAT_FLOAT;

fn descriptor(width: usize, height: usize, depth: usize, flags: u32) -> CUDA_ARRAY3D_DESCRIPTOR {
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: width,
        Height: height,
        Depth: depth,
        Format: FLOAT,
        NumChannels: 1,
        Flags: flags,
    }
}

fn array(d: &CUDA_ARRAY3D_DESCRIPTOR) -> CUarray {
    let mut array = CUarray::null();
    ok!(cuArray3DCreate_v2(&mut array, d));
    array
}

/// Copies all of an array from or to values.
fn whole(array: CUarray, values: &mut [f32], extent: [usize; 3], into: bool) {
    let mut copy = CUDA_MEMCPY3D {
        WidthInBytes: extent[0] * 4,
        Height: extent[1],
        Depth: extent[2],
        srcPitch: extent[0] * 4,
        srcHeight: extent[1],
        dstPitch: extent[0] * 4,
        dstHeight: extent[1],
        srcHost: values.as_ptr().cast(),
        dstHost: values.as_mut_ptr().cast(),
        srcArray: array,
        dstArray: array,
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        ..CUDA_MEMCPY3D::default()
    };
    if into {
        std::mem::swap(&mut copy.srcMemoryType, &mut copy.dstMemoryType);
    }
    ok!(cuMemcpy3D_v2(&copy));
}

fn of_array(array: CUarray) -> CUDA_RESOURCE_DESC {
    let mut resource = CUDA_RESOURCE_DESC {
        resType: CUresourcetype::CU_RESOURCE_TYPE_ARRAY,
        ..CUDA_RESOURCE_DESC::default()
    };
    resource.res.array.hArray = array;
    resource
}

fn clamped() -> CUDA_TEXTURE_DESC {
    CUDA_TEXTURE_DESC {
        addressMode: [CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP; 3],
        ..CUDA_TEXTURE_DESC::default()
    }
}

fn texture(resource: &CUDA_RESOURCE_DESC, d: &CUDA_TEXTURE_DESC) -> CUtexObject {
    let mut object = 0;
    ok!(cuTexObjectCreate(&mut object, resource, d, null()));
    object
}

/// Runs one of [`KERNELS`] for `n` threads with an object; gives the floats that it wrote.
fn run(kernel: &str, object: u64, inputs: &[f32], n: usize) -> Vec<f32> {
    let f = function(module(KERNELS), kernel);
    let (mut object, mut inputs) = (object, upload(inputs));
    let mut out = upload(&vec![-1.0f32; n]);
    let mut values = [
        pointer(&mut object),
        pointer(&mut inputs),
        pointer(&mut out),
    ];
    assert_eq!(launch(f, 1, n as u32, CUstream::null(), &mut values), OK);
    ok!(cuCtxSynchronize());
    download(out, n)
}

#[test]
fn arrays_hold_what_is_copied_to_them() {
    let _c = Context::new();
    let extent = [5, 3, 2];
    let a = array(&descriptor(5, 3, 2, 0));
    let mut values: Vec<f32> = (0..30).map(|n| n as f32).collect();
    whole(a, &mut values, extent, true);
    let mut back = vec![0.0f32; 30];
    whole(a, &mut back, extent, false);
    assert_eq!(back, values);
    // A part of a slice, to pitched memory.
    let mut part = [0.0f32; 8];
    let mut copy = CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        srcArray: a,
        srcXInBytes: 4,
        srcY: 1,
        srcZ: 1,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: part.as_mut_ptr().cast(),
        dstPitch: 16,
        WidthInBytes: 12,
        Height: 2,
        Depth: 1,
        ..CUDA_MEMCPY3D::default()
    };
    ok!(cuMemcpy3D_v2(&copy));
    assert_eq!(part, [21.0, 22.0, 23.0, 0.0, 26.0, 27.0, 28.0, 0.0]);
    // Past the row, past the rows, past the slices; half an element.
    for (x, y, z) in [(12, 1, 1), (4, 2, 1), (4, 1, 2), (2, 1, 1)] {
        (copy.srcXInBytes, copy.srcY, copy.srcZ) = (x, y, z);
        code!(INVALID_VALUE, cuMemcpy3D_v2(&copy));
    }
    ok!(cuArrayDestroy(a));
    code!(INVALID_HANDLE, cuArrayDestroy(a));
    code!(INVALID_HANDLE, cuMemcpy3D_v2(&copy));
}

#[test]
fn linear_copies_reach_arrays_of_one_row() {
    let _c = Context::new();
    let (a, b) = (
        array(&descriptor(8, 0, 0, 0)),
        array(&descriptor(8, 0, 0, 0)),
    );
    let values: Vec<f32> = (0..8).map(|n| n as f32).collect();
    let device = upload(&values);
    let stream = stream(0);
    let mut back = [0.0f32; 8];
    ok!(
        cuMemcpyDtoA_v2(a, 0, device, 32),
        cuMemcpyHtoA_v2(a, 4, values.as_ptr().cast(), 8),
        cuMemcpyAtoA_v2(b, 8, a, 0, 24),
        cuMemcpyAtoD_v2(device, b, 8, 16),
        cuMemcpyAtoH_v2(back.as_mut_ptr().cast(), b, 8, 24),
    );
    assert_eq!(back[..6], [0.0, 0.0, 1.0, 3.0, 4.0, 5.0]);
    assert_eq!(download::<f32>(device, 5), [0.0, 0.0, 1.0, 3.0, 4.0]);
    ok!(
        cuMemcpyHtoAAsync_v2(b, 0, values.as_ptr().cast(), 32, stream),
        cuMemcpyAtoHAsync_v2(back.as_mut_ptr().cast(), b, 0, 32, stream),
        cuStreamSynchronize(stream),
    );
    assert_eq!(back[..], values);
    code!(
        INVALID_VALUE,
        cuMemcpyAtoH_v2(back.as_mut_ptr().cast(), b, 8, 32)
    );
    code!(
        INVALID_HANDLE,
        cuMemcpyHtoA_v2(CUarray::null(), 0, values.as_ptr().cast(), 4)
    );
}

#[test]
fn descriptors_come_back() {
    let _c = Context::new();
    let (layered, cube) = (CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_CUBEMAP);
    for (w, h, d, flags) in [
        (5, 0, 0, 0),
        (5, 4, 0, CUDA_ARRAY3D_SURFACE_LDST),
        (5, 4, 3, 0),
        (5, 0, 3, layered),
        (5, 4, 3, layered),
        (8, 8, 6, cube),
        (8, 8, 12, cube | layered),
    ] {
        let d = descriptor(w, h, d, flags);
        let a = array(&d);
        let mut got = CUDA_ARRAY3D_DESCRIPTOR::default();
        let mut flat = CUDA_ARRAY_DESCRIPTOR::default();
        ok!(
            cuArray3DGetDescriptor_v2(&mut got, a),
            cuArrayGetDescriptor_v2(&mut flat, a),
            cuArrayDestroy(a),
        );
        assert_eq!(got, d);
        assert_eq!((flat.Width, flat.Height, flat.NumChannels), (w, h, 1));
    }
    let mut a = CUarray::null();
    for bad in [
        descriptor(0, 4, 0, 0),
        descriptor(5, 0, 3, 0),
        descriptor(5, 4, 0, layered),
        descriptor(8, 4, 6, cube),
        descriptor(8, 8, 5, cube),
        descriptor(8, 8, 7, cube | layered),
        descriptor(8, 8, 2, CUDA_ARRAY3D_TEXTURE_GATHER),
        descriptor(8, 8, 0, CUDA_ARRAY3D_DEPTH_TEXTURE),
        descriptor(1 << 16, 0, 0, CUDA_ARRAY3D_SURFACE_LDST),
        descriptor(1 << 20, 8, 0, 0),
        CUDA_ARRAY3D_DESCRIPTOR {
            NumChannels: 3,
            ..descriptor(8, 8, 0, 0)
        },
        CUDA_ARRAY3D_DESCRIPTOR {
            Format: CUarray_format(99),
            ..descriptor(8, 8, 0, 0)
        },
    ] {
        code!(INVALID_VALUE, cuArray3DCreate_v2(&mut a, &bad));
    }
    let compressed = CUDA_ARRAY3D_DESCRIPTOR {
        Format: CUarray_format::CU_AD_FORMAT_BC1_UNORM,
        NumChannels: 4,
        ..descriptor(8, 8, 0, 0)
    };
    code!(
        CUresult::CUDA_ERROR_NOT_SUPPORTED,
        cuArray3DCreate_v2(&mut a, &compressed)
    );
}

#[test]
fn arrays_take_from_the_devices_memory() {
    let _c = Context::new();
    let (mut before, mut total) = (0, 0);
    ok!(cuMemGetInfo_v2(&mut before, &mut total));
    let a = array(&descriptor(4096, 4096, 0, 0));
    let mut with = 0;
    ok!(cuMemGetInfo_v2(&mut with, &mut total));
    assert!(
        with + (32 << 20) <= before,
        "other tests free meanwhile, but not half of 64 MB"
    );
    ok!(cuArrayDestroy(a));
    let mut a = CUarray::null();
    code!(
        CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        cuArray3DCreate_v2(&mut a, &descriptor(16384, 16384, 16384, 0))
    );
}

#[test]
fn a_mipmapped_array_has_levels() {
    let _c = Context::new();
    let mut mipmap = CUmipmappedArray::null();
    ok!(cuMipmappedArrayCreate(
        &mut mipmap,
        &descriptor(8, 4, 0, 0),
        20
    ));
    let mut level = CUarray::null();
    let mut sizes = Vec::new();
    for n in 0..4 {
        ok!(cuMipmappedArrayGetLevel(&mut level, mipmap, n));
        let mut d = CUDA_ARRAY3D_DESCRIPTOR::default();
        ok!(cuArray3DGetDescriptor_v2(&mut d, level));
        sizes.push((d.Width, d.Height));
        let mut values = vec![n as f32; d.Width * d.Height];
        whole(level, &mut values, [d.Width, d.Height, 1], true);
    }
    assert_eq!(sizes, [(8, 4), (4, 2), (2, 1), (1, 1)]);
    code!(
        INVALID_VALUE,
        cuMipmappedArrayGetLevel(&mut level, mipmap, 4)
    );
    code!(INVALID_HANDLE, cuArrayDestroy(level));
    let mut resource = CUDA_RESOURCE_DESC {
        resType: CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
        ..CUDA_RESOURCE_DESC::default()
    };
    resource.res.mipmap.hMipmappedArray = mipmap;
    let mut d = CUDA_TEXTURE_DESC {
        flags: CU_TRSF_NORMALIZED_COORDINATES,
        maxMipmapLevelClamp: 10.0,
        ..clamped()
    };
    // The nearest level, then what lies between two.
    let lods = [-1.0, 0.0, 0.25, 0.75, 1.0, 2.25, 3.0, 9.0];
    let nearest = texture(&resource, &d);
    let expected = [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 3.0];
    assert_eq!(run("level", nearest, &lods, 8), expected);
    d.mipmapFilterMode = CUfilter_mode::CU_TR_FILTER_MODE_LINEAR;
    let between = texture(&resource, &d);
    let expected = [0.0, 0.0, 0.25, 0.75, 1.0, 2.25, 3.0, 3.0];
    assert_eq!(run("level", between, &lods, 8), expected);
    (
        d.mipmapLevelBias,
        d.minMipmapLevelClamp,
        d.maxMipmapLevelClamp,
    ) = (0.5, 1.0, 2.0);
    let biased = texture(&resource, &d);
    let expected = [1.0, 1.0, 1.0, 1.25, 1.5, 2.0, 2.0, 2.0];
    assert_eq!(run("level", biased, &lods, 8), expected);
    // A view of the two middle levels.
    let view = CUDA_RESOURCE_VIEW_DESC {
        format: CUresourceViewFormat::CU_RES_VIEW_FORMAT_FLOAT_1X32,
        width: 4,
        height: 2,
        firstMipmapLevel: 1,
        lastMipmapLevel: 2,
        ..CUDA_RESOURCE_VIEW_DESC::default()
    };
    let mut part = 0;
    d = CUDA_TEXTURE_DESC {
        flags: CU_TRSF_NORMALIZED_COORDINATES,
        maxMipmapLevelClamp: 10.0,
        ..clamped()
    };
    ok!(cuTexObjectCreate(&mut part, &resource, &d, &view));
    let expected = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0];
    assert_eq!(run("level", part, &lods, 8), expected);
    let mut got = CUDA_RESOURCE_VIEW_DESC::default();
    ok!(cuTexObjectGetResourceViewDesc(&mut got, part));
    assert_eq!(got, view);
    ok!(cuMipmappedArrayDestroy(mipmap));
    code!(INVALID_HANDLE, cuMipmappedArrayDestroy(mipmap));
}

#[test]
fn linear_textures_have_a_widest() {
    let _c = Context::new();
    let mut most = 0;
    ok!(cuDeviceGetTexture1DLinearMaxWidth(&mut most, FLOAT, 4, 0));
    assert_eq!(most, 1 << 28);
    code!(
        INVALID_VALUE,
        cuDeviceGetTexture1DLinearMaxWidth(&mut most, FLOAT, 3, 0)
    );
    code!(
        INVALID_VALUE,
        cuDeviceGetTexture1DLinearMaxWidth(&mut most, CUarray_format(0), 1, 0)
    );
    code!(
        INVALID_VALUE,
        cuDeviceGetTexture1DLinearMaxWidth(null_mut(), FLOAT, 1, 0)
    );
    code!(
        CUresult::CUDA_ERROR_INVALID_DEVICE,
        cuDeviceGetTexture1DLinearMaxWidth(&mut most, FLOAT, 1, 99)
    );
}

#[test]
fn objects_say_what_they_were_made_of() {
    let _c = Context::new();
    let a = array(&descriptor(4, 4, 0, CUDA_ARRAY3D_SURFACE_LDST));
    let resource = of_array(a);
    let d = CUDA_TEXTURE_DESC {
        filterMode: CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
        borderColor: [1.0, 2.0, 3.0, 4.0],
        ..clamped()
    };
    let object = texture(&resource, &d);
    let mut got = CUDA_TEXTURE_DESC::default();
    let mut from = CUDA_RESOURCE_DESC::default();
    ok!(
        cuTexObjectGetTextureDesc(&mut got, object),
        cuTexObjectGetResourceDesc(&mut from, object),
    );
    assert_eq!(got, d);
    // SAFETY: any bits are a handle.
    assert_eq!(unsafe { from.res.array.hArray }, a);
    ok!(cuTexObjectDestroy(object), cuTexObjectDestroy(object));
    code!(INVALID_VALUE, cuTexObjectGetTextureDesc(&mut got, object));
    let mut surface = 0;
    ok!(
        cuSurfObjectCreate(&mut surface, &resource),
        cuSurfObjectGetResourceDesc(&mut from, surface),
        cuSurfObjectDestroy(surface),
        cuSurfObjectDestroy(surface),
    );
    code!(
        INVALID_VALUE,
        cuSurfObjectGetResourceDesc(&mut from, surface)
    );
    let mut object = 0;
    for bad in [
        CUDA_TEXTURE_DESC {
            filterMode: CUfilter_mode(7),
            ..d
        },
        CUDA_TEXTURE_DESC {
            addressMode: [CUaddress_mode(9); 3],
            ..d
        },
        CUDA_TEXTURE_DESC {
            flags: 1 << 20,
            ..d
        },
        CUDA_TEXTURE_DESC {
            flags: CU_TRSF_SEAMLESS_CUBEMAP,
            ..d
        },
    ] {
        code!(
            INVALID_VALUE,
            cuTexObjectCreate(&mut object, &resource, &bad, null())
        );
    }
    code!(
        INVALID_VALUE,
        cuTexObjectCreate(null_mut(), &resource, &d, null())
    );
    code!(
        INVALID_VALUE,
        cuTexObjectCreate(&mut object, null(), &d, null())
    );
    ok!(cuArrayDestroy(a));
}

#[test]
fn surfaces_write_what_textures_read() {
    let _c = Context::new();
    let a = array(&descriptor(8, 2, 0, CUDA_ARRAY3D_SURFACE_LDST));
    let mut values = vec![0.0f32; 16];
    whole(a, &mut values, [8, 2, 1], true);
    let resource = of_array(a);
    let mut surface = 0;
    ok!(cuSurfObjectCreate(&mut surface, &resource));
    let written: Vec<f32> = (1..9).map(|n| n as f32).collect();
    run("write", surface, &written, 8);
    whole(a, &mut values, [8, 2, 1], false);
    assert_eq!(values[8..], written);
    let object = texture(&resource, &clamped());
    let read = run("second_row", object, &[0.0; 8], 8);
    assert_eq!(read, written);
}

#[test]
fn textures_read_the_programs_own_memory() {
    let _c = Context::new();
    let values: Vec<f32> = (0..128).map(|n| n as f32).collect();
    let at = upload(&values);
    let mut resource = CUDA_RESOURCE_DESC {
        resType: CUresourcetype::CU_RESOURCE_TYPE_LINEAR,
        ..CUDA_RESOURCE_DESC::default()
    };
    resource.res.linear = CUDA_RESOURCE_DESC_v1_res_linear {
        devPtr: at,
        format: FLOAT,
        numChannels: 1,
        sizeInBytes: 512,
    };
    let object = texture(&resource, &clamped());
    assert_eq!(run("linear", object, &[0.0; 32], 32), values[..32]);
    let mut resource = CUDA_RESOURCE_DESC {
        resType: CUresourcetype::CU_RESOURCE_TYPE_PITCH2D,
        ..CUDA_RESOURCE_DESC::default()
    };
    resource.res.pitch2D = CUDA_RESOURCE_DESC_v1_res_pitch2D {
        devPtr: at,
        format: FLOAT,
        numChannels: 1,
        width: 8,
        height: 4,
        pitchInBytes: 128,
    };
    let object = texture(&resource, &clamped());
    assert_eq!(run("second_row", object, &[0.0; 8], 8), values[32..40]);
    // Memory that is not there, and a pitch that is less than a row.
    let mut none = 0;
    resource.res.pitch2D.height = 5;
    code!(
        INVALID_VALUE,
        cuTexObjectCreate(&mut none, &resource, &clamped(), null())
    );
    (resource.res.pitch2D.height, resource.res.pitch2D.width) = (4, 33);
    code!(
        INVALID_VALUE,
        cuTexObjectCreate(&mut none, &resource, &clamped(), null())
    );
}

/// Runs a kernel that must fault; gives the code.
fn faulting(kernel: &str, object: u64) -> CUresult {
    let f = function(module(KERNELS), kernel);
    let (mut object, mut inputs, mut out) = (object, upload(&[0.0f32; 32]), alloc(128));
    let mut values: [*mut c_void; 3] = [
        pointer(&mut object),
        pointer(&mut inputs),
        pointer(&mut out),
    ];
    assert_eq!(launch(f, 1, 32, CUstream::null(), &mut values), OK);
    // SAFETY: no pointers.
    unsafe { cuCtxSynchronize() }
}

#[test]
fn a_handle_that_is_none_is_a_fault() {
    for (kernel, handle) in [("linear", 0u64), ("linear", 999), ("write", u64::MAX)] {
        let _c = Context::new();
        assert_eq!(faulting(kernel, handle), ILLEGAL_ADDRESS, "{handle:#x}");
    }
    let _c = Context::new();
    let a = array(&descriptor(8, 2, 0, 0));
    let object = texture(&of_array(a), &clamped());
    ok!(cuTexObjectDestroy(object));
    assert_eq!(faulting("linear", object), ILLEGAL_ADDRESS);
}

#[test]
fn launches_under_way_keep_their_texture() {
    let _c = Context::new();
    let a = array(&descriptor(8, 2, 0, 0));
    let object = texture(&of_array(a), &clamped());
    let f = function(module(KERNELS), "linear");
    let (mut handle, mut inputs, mut out) = (object, upload(&[0.0f32; 32]), alloc(128));
    let mut values: [*mut c_void; 3] = [
        pointer(&mut handle),
        pointer(&mut inputs),
        pointer(&mut out),
    ];
    for _ in 0..200 {
        assert_eq!(launch(f, 1, 32, CUstream::null(), &mut values), OK);
    }
    ok!(cuTexObjectDestroy(object), cuCtxSynchronize());
}

#[test]
fn memory_that_is_gone_is_a_fault() {
    let _c = Context::new();
    let a = array(&descriptor(1024, 1024, 0, 0));
    let object = texture(&of_array(a), &clamped());
    ok!(cuArrayDestroy(a));
    assert_eq!(faulting("second_row", object), ILLEGAL_ADDRESS);
}

#[test]
fn objects_end_with_their_context() {
    let c = Context::new();
    let a = array(&descriptor(8, 2, 0, 0));
    let object = texture(&of_array(a), &clamped());
    drop(c);
    let _c = Context::new();
    let mut d = clamped();
    code!(INVALID_VALUE, cuTexObjectGetTextureDesc(&mut d, object));
    code!(INVALID_HANDLE, cuArrayDestroy(a));
}

/// Each thread reads its float `f`, and writes one.
const KERNELS: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry level(.param .u64 t, .param .u64 in, .param .u64 out)
{
    .reg .u32 %n; .reg .u64 %t, %i, %o, %d; .reg .f32 %f, %r<4>;
    ld.param.u64 %t, [t]; ld.param.u64 %i, [in]; ld.param.u64 %o, [out];
    mov.u32 %n, %tid.x; mul.wide.u32 %d, %n, 4; add.u64 %i, %i, %d; add.u64 %o, %o, %d;
    ld.global.f32 %f, [%i];
    tex.level.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {0f3F000000, 0f3F000000}], %f;
    st.global.f32 [%o], %r0;
    ret;
}
.visible .entry linear(.param .u64 t, .param .u64 in, .param .u64 out)
{
    .reg .u32 %n; .reg .u64 %t, %o, %d; .reg .f32 %r<4>;
    ld.param.u64 %t, [t]; ld.param.u64 %o, [out];
    mov.u32 %n, %tid.x; mul.wide.u32 %d, %n, 4; add.u64 %o, %o, %d;
    tex.1d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%t, {%n}];
    st.global.f32 [%o], %r0;
    ret;
}
.visible .entry second_row(.param .u64 t, .param .u64 in, .param .u64 out)
{
    .reg .u32 %n; .reg .u64 %t, %o, %d; .reg .f32 %f, %r<4>;
    ld.param.u64 %t, [t]; ld.param.u64 %o, [out];
    mov.u32 %n, %tid.x; mul.wide.u32 %d, %n, 4; add.u64 %o, %o, %d;
    cvt.rn.f32.u32 %f, %n;
    tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f, 0f3FC00000}];
    st.global.f32 [%o], %r0;
    ret;
}
.visible .entry write(.param .u64 t, .param .u64 in, .param .u64 out)
{
    .reg .u32 %n, %x, %y; .reg .u64 %t, %i, %d; .reg .b32 %f;
    ld.param.u64 %t, [t]; ld.param.u64 %i, [in];
    mov.u32 %n, %tid.x; mul.wide.u32 %d, %n, 4; add.u64 %i, %i, %d;
    ld.global.b32 %f, [%i];
    shl.b32 %x, %n, 2;
    mov.u32 %y, 1;
    sust.b.2d.b32.trap [%t, {%x, %y}], {%f};
    ret;
}
";
