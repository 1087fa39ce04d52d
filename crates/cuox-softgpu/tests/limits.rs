//! Launches and kernels beyond what a device allows: each gives the error that CUDA has for it, and a context that is
//! ill says so until it is destroyed or reset.

mod common;
use common::*;
use std::ffi::CString;
use std::time::{Duration, Instant};

const MISALIGNED: CUresult = CUresult::CUDA_ERROR_MISALIGNED_ADDRESS;
const LAUNCH_FAILED: CUresult = CUresult::CUDA_ERROR_LAUNCH_FAILED;
const OUT_OF_MEMORY: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;

const KERNELS: &str = ".version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 size);
.extern .func free(.param .b64 at);

.func (.param .b32 r) down(.param .b32 n) {
	.local .b8 frame[64];
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	ld.param.b32 %r1, [n];
	st.local.b32 [frame], %r1;
	add.s32 %r2, %r1, 1;
	{
		.param .b32 a;
		.param .b32 b;
		st.param.b32 [a], %r2;
		call.uni (b), down, (a);
		ld.param.b32 %r3, [b];
	}
	ld.local.b32 %r4, [frame];
	add.s32 %r3, %r3, %r4;
	st.param.b32 [r], %r3;
	ret;
}
.visible .entry recursion(.param .u64 p) {
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	{
		.param .b32 a;
		.param .b32 b;
		st.param.b32 [a], 0;
		call.uni (b), down, (a);
		ld.param.b32 %r1, [b];
	}
	st.global.b32 [%rd1], %r1;
	ret;
}
.visible .entry store(.param .u64 p) {
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	st.global.b32 [%rd1], 1;
	ret;
}
.visible .entry wide_store(.param .u64 p) {
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	mov.b32 %r1, 1;
	ld.param.u64 %rd1, [p];
	st.global.v4.b32 [%rd1], {%r1, %r1, %r1, %r1};
	ret;
}
.visible .entry atomic(.param .u64 p) {
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	atom.global.add.u32 %r1, [%rd1], 1;
	ret;
}
.visible .entry beyond_shared(.param .u64 p) {
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	.shared .b32 s[4];
	ld.param.u64 %rd1, [p];
	cvt.u32.u64 %r1, %rd1;
	st.shared.b32 [%r1], 1;
	ret;
}
.visible .entry beyond_local(.param .u64 p) {
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	.local .b32 l[4];
	ld.param.u64 %rd1, [p];
	cvt.u32.u64 %r1, %rd1;
	st.local.b32 [%r1], 1;
	ret;
}
.visible .entry trapped(.param .u64 p) {
	trap;
	ret;
}
.visible .entry bounded(.param .u64 p) .maxntid 64 { ret; }
.visible .entry exact(.param .u64 p) .reqntid 64 { ret; }
.visible .entry empty(.param .u64 p) { ret; }
.visible .entry short(.param .u64 p) {
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	prefetch.global.L2 [%rd1];
	membar.cta;
	ret;
}
.visible .entry deep(.param .u64 p) {
	.local .b8 l[524288];
	.reg .b64 %rd<9>;
	.reg .b32 %r<9>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mul.lo.u32 %r2, %r1, 512;
	cvt.u64.u32 %rd2, %r2;
	mov.u64 %rd3, l;
	add.u64 %rd4, %rd3, %rd2;
	st.local.b32 [%rd4], %r1;
	st.local.b32 [l+524284], %r1;
	ld.local.b32 %r3, [%rd4];
	ld.local.b32 %r4, [l+524284];
	add.u32 %r3, %r3, %r4;
	mad.wide.u32 %rd5, %r1, 4, %rd1;
	st.global.b32 [%rd5], %r3;
	ret;
}
.visible .entry heap(.param .u64 p) {
	.reg .b64 %rd<4>;
	.reg .b32 %r<3>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [p];
	mov.b32 %r1, 0;
$more:
	{
		.param .b64 a;
		.param .b64 b;
		st.param.b64 [a], 1048576;
		call.uni (b), malloc, (a);
		ld.param.b64 %rd2, [b];
	}
	setp.eq.u64 %p1, %rd2, 0;
	@%p1 bra $end;
	add.u32 %r1, %r1, 1;
	bra $more;
$end:
	st.global.b32 [%rd1], %r1;
	ret;
}
";

fn run(
    m: CUmodule,
    name: &str,
    mut p: u64,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
) -> CUresult {
    let mut values = [pointer(&mut p)];
    // SAFETY: each kernel has one parameter of eight bytes.
    unsafe {
        cuLaunchKernel(
            function(m, name),
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            shared,
            CUstream::null(),
            values.as_mut_ptr(),
            std::ptr::null_mut(),
        )
    }
}

const ONE: [u32; 3] = [1, 1, 1];

#[test]
fn a_fault_has_its_code_and_sticks() {
    let cases = [
        ("recursion", 0u64, true, ILLEGAL_ADDRESS),
        ("store", 0, false, ILLEGAL_ADDRESS),
        ("store", 64, false, ILLEGAL_ADDRESS),
        ("store", 1, true, MISALIGNED),
        ("wide_store", 4, true, MISALIGNED),
        ("atomic", 2, true, MISALIGNED),
        ("atomic", 0, false, ILLEGAL_ADDRESS),
        ("store", 1 << 40, true, ILLEGAL_ADDRESS),
        ("store", (1 << 63) + 8, false, ILLEGAL_ADDRESS),
        ("beyond_shared", 4 << 20, false, ILLEGAL_ADDRESS),
        ("beyond_shared", 2, false, MISALIGNED),
        ("beyond_local", 4 << 20, false, ILLEGAL_ADDRESS),
        ("beyond_local", 0xffff_fff0, false, ILLEGAL_ADDRESS),
        ("trapped", 0, false, LAUNCH_FAILED),
    ];
    for (name, offset, in_buffer, want) in cases {
        let _c = Context::new();
        let m = module(KERNELS);
        let at = alloc(64);
        let p = if in_buffer {
            at.wrapping_add(offset)
        } else {
            offset
        };
        assert_eq!(run(m, name, p, ONE, ONE, 0), OK, "{name}");
        code!(want, cuCtxSynchronize());
        // From now on every call that has to do with the device says the same.
        let (mut more, mut free, mut total) = (0, 0, 0);
        let (mut s, mut e, mut other) = (CUstream::null(), CUevent::null(), CUmodule::null());
        let text = CString::new(KERNELS).expect("no NUL");
        code!(want, cuMemAlloc_v2(&mut more, 4));
        code!(want, cuMemFree_v2(at));
        code!(want, cuMemGetInfo_v2(&mut free, &mut total));
        code!(want, cuMemsetD8_v2(at, 0, 4));
        code!(want, cuStreamCreate(&mut s, 0));
        code!(want, cuStreamQuery(CUstream::null()));
        code!(want, cuEventCreate(&mut e, 0));
        code!(want, cuModuleLoadData(&mut other, text.as_ptr().cast()));
        code!(want, cuCtxSynchronize());
    }
    // The contexts that come after are well.
    let _c = Context::new();
    let at = alloc(64);
    assert_eq!(run(module(KERNELS), "store", at, ONE, ONE, 0), OK);
    ok!(cuCtxSynchronize());
    assert_eq!(download::<u32>(at, 1), [1]);
}

#[test]
fn a_reset_heals_the_primary_context() {
    let mut primary = CUcontext::null();
    ok!(
        cuInit(0),
        cuDevicePrimaryCtxRetain(&mut primary, 0),
        cuCtxSetCurrent(primary)
    );
    assert_eq!(run(module(KERNELS), "store", 0, ONE, ONE, 0), OK);
    code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
    ok!(cuDevicePrimaryCtxReset_v2(0));
    code!(DESTROYED, cuCtxSynchronize());
    ok!(
        cuDevicePrimaryCtxRetain(&mut primary, 0),
        cuCtxSetCurrent(primary)
    );
    let at = alloc(64);
    assert_eq!(run(module(KERNELS), "store", at, ONE, ONE, 0), OK);
    ok!(cuCtxSynchronize(), cuDevicePrimaryCtxRelease_v2(0));
}

#[test]
fn shapes_beyond_the_limits_are_refused() {
    let _c = Context::new();
    let m = module(KERNELS);
    let shared = 227 << 10;
    for (name, grid, block, bytes, want) in [
        ("empty", ONE, [1024, 1, 1], 0, OK),
        ("empty", ONE, [1025, 1, 1], 0, INVALID_VALUE),
        ("empty", ONE, [32, 32, 2], 0, INVALID_VALUE),
        ("empty", ONE, [1, 1, 64], 0, OK),
        ("empty", ONE, [1, 1, 65], 0, INVALID_VALUE),
        ("empty", ONE, [0, 1, 1], 0, INVALID_VALUE),
        ("empty", [0, 1, 1], ONE, 0, INVALID_VALUE),
        ("empty", [1, 65535, 65535], ONE, 0, OK),
        ("empty", [1, 65536, 1], ONE, 0, INVALID_VALUE),
        ("empty", [1, 1, 65536], ONE, 0, INVALID_VALUE),
        ("empty", [i32::MAX as u32, 65535, 65535], ONE, 0, OK),
        ("empty", [1 << 31, 1, 1], ONE, 0, INVALID_VALUE),
        ("empty", ONE, ONE, 48 << 10, OK),
        ("empty", ONE, ONE, (48 << 10) + 1, INVALID_VALUE),
        ("empty", ONE, ONE, u32::MAX, INVALID_VALUE),
        ("bounded", ONE, [64, 1, 1], 0, OK),
        ("bounded", ONE, [65, 1, 1], 0, INVALID_VALUE),
        ("exact", ONE, [64, 1, 1], 0, OK),
        ("exact", ONE, [32, 1, 1], 0, INVALID_VALUE),
    ] {
        assert_eq!(
            run(m, name, 0, grid, block, bytes),
            want,
            "{name} {grid:?} {block:?} {bytes}"
        );
        // A launch that is refused leaves the context well.
        ok!(cuCtxSynchronize());
    }
    let f = function(m, "short");
    let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    code!(INVALID_VALUE, cuFuncSetAttribute(f, most, shared + 1));
    code!(INVALID_VALUE, cuFuncSetAttribute(f, most, -1));
    ok!(cuFuncSetAttribute(f, most, shared));
    let at = alloc(64);
    assert_eq!(run(m, "short", at, ONE, ONE, shared as u32), OK);
    assert_eq!(
        run(m, "short", at, ONE, ONE, shared as u32 + 1),
        INVALID_VALUE
    );
    ok!(cuCtxSynchronize());
}

#[test]
fn the_largest_grid_is_accepted_and_can_be_stopped() {
    let c = Context::new();
    let at = alloc(64);
    assert_eq!(
        run(
            module(KERNELS),
            "short",
            at,
            [i32::MAX as u32, 65535, 65535],
            ONE,
            0
        ),
        OK
    );
    code!(NOT_READY, cuStreamQuery(CUstream::null()));
    let start = Instant::now();
    drop(c);
    assert!(start.elapsed() < Duration::from_secs(8));
}

#[test]
fn memory_ends_with_an_error_or_a_null() {
    let _c = Context::new();
    let m = module(KERNELS);
    let mut p = 0;
    code!(OUT_OF_MEMORY, cuMemAlloc_v2(&mut p, 1 << 60));
    code!(INVALID_VALUE, cuMemAlloc_v2(&mut p, 0));
    // 8 MiB of heap unless a limit says otherwise.
    let at = alloc(4096);
    assert_eq!(run(m, "heap", at, ONE, ONE, 0), OK);
    let got = download::<u32>(at, 1)[0];
    assert!((4..=8).contains(&got), "{got} MiB");
    // A full block whose threads have as much local memory as they can have.
    assert_eq!(run(m, "deep", at, ONE, [1024, 1, 1], 0), OK);
    ok!(cuCtxSynchronize());
    let sums: Vec<u32> = (0..1024).map(|n| 2 * n).collect();
    assert_eq!(download::<u32>(at, 1024), sums);
}
