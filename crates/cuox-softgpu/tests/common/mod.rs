//! Helpers of the driver's tests. Every test makes a context of its own.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(
    clippy::macro_metavars_in_unsafe,
    reason = "the macros are for calls of driver functions"
)]

pub use cuox_abi::*;
pub use cuox_softgpu::api::*;
use std::ffi::{CString, c_void};

pub const OK: CUresult = CUresult::CUDA_SUCCESS;
pub const INVALID_VALUE: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
pub const INVALID_HANDLE: CUresult = CUresult::CUDA_ERROR_INVALID_HANDLE;
pub const INVALID_CONTEXT: CUresult = CUresult::CUDA_ERROR_INVALID_CONTEXT;
pub const DESTROYED: CUresult = CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED;
pub const NOT_READY: CUresult = CUresult::CUDA_ERROR_NOT_READY;
pub const ILLEGAL_ADDRESS: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;

/// Calls driver functions and expects success.
macro_rules! ok {
    ($($call:expr),+ $(,)?) => {$(
        // SAFETY: the tests pass valid pointers, or bad ones that the driver must notice.
        let code = unsafe { $call };
        assert_eq!(code, $crate::common::OK, stringify!($call));
    )+};
}

/// Calls a driver function and expects a code.
macro_rules! code {
    ($code:expr, $call:expr) => {
        // SAFETY: as in `ok`.
        let code = unsafe { $call };
        assert_eq!(code, $code, stringify!($call));
    };
}

#[allow(unused_imports, reason = "each test file uses a part")]
pub(crate) use {code, ok};

/// A context of the test's own, current on its thread.
pub struct Context(pub CUcontext);

impl Context {
    pub fn new() -> Context {
        let mut context = CUcontext::null();
        ok!(cuInit(0), cuCtxCreate_v2(&mut context, 0, 0));
        Context(context)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: a handle is looked up, not trusted.
        unsafe { cuCtxDestroy_v2(self.0) };
    }
}

pub fn alloc(bytes: usize) -> CUdeviceptr {
    let mut at = 0;
    ok!(cuMemAlloc_v2(&mut at, bytes));
    at
}

pub fn stream(flags: u32) -> CUstream {
    let mut stream = CUstream::null();
    ok!(cuStreamCreate(&mut stream, flags));
    stream
}

pub fn event() -> CUevent {
    let mut event = CUevent::null();
    ok!(cuEventCreate(&mut event, 0));
    event
}

pub fn upload<T: Copy>(values: &[T]) -> CUdeviceptr {
    let at = alloc(size_of_val(values));
    ok!(cuMemcpyHtoD_v2(
        at,
        values.as_ptr().cast(),
        size_of_val(values)
    ));
    at
}

pub fn download<T: Copy + Default>(at: CUdeviceptr, count: usize) -> Vec<T> {
    let mut values = vec![T::default(); count];
    ok!(cuMemcpyDtoH_v2(
        values.as_mut_ptr().cast(),
        at,
        count * size_of::<T>()
    ));
    values
}

pub fn module(ptx: &str) -> CUmodule {
    let text = CString::new(ptx).unwrap();
    let mut module = CUmodule::null();
    ok!(cuModuleLoadData(&mut module, text.as_ptr().cast()));
    module
}

pub fn function(module: CUmodule, name: &str) -> CUfunction {
    let name = CString::new(name).unwrap();
    let mut function = CUfunction::null();
    ok!(cuModuleGetFunction(&mut function, module, name.as_ptr()));
    function
}

/// Launches with pointers to values.
pub fn launch(
    f: CUfunction,
    grid: u32,
    block: u32,
    stream: CUstream,
    values: &mut [*mut c_void],
) -> CUresult {
    // SAFETY: the tests pass one pointer for each parameter.
    unsafe {
        cuLaunchKernel(
            f,
            grid,
            1,
            1,
            block,
            1,
            1,
            0,
            stream,
            values.as_mut_ptr(),
            std::ptr::null_mut(),
        )
    }
}

pub fn pointer<T>(value: &mut T) -> *mut c_void {
    (value as *mut T).cast()
}

/// Kernels: an endless loop, a stray store, nothing, and `p[i] = p[i] + add`.
pub const PTX: &str = "\n\n.version 8.0
.target sm_80
.address_size 64

.visible .global .align 4 .b32 counter[4] = {5, 6, 7, 8};

.visible .entry empty()
{
	ret;
}

.visible .entry spin()
{
$L__BB0_1:
	bra.uni 	$L__BB0_1;
}

.visible .entry bad(
	.param .u64 bad_param_0
)
{
	.reg .b32 	%r<2>;
	.reg .b64 	%rd<3>;

	ld.param.u64 	%rd1, [bad_param_0];
	cvta.to.global.u64 	%rd2, %rd1;
	mov.u32 	%r1, 1;
	st.global.u32 	[%rd2], %r1;
	ret;
}

.visible .entry add(
	.param .u64 add_param_0,
	.param .u32 add_param_1,
	.param .u32 add_param_2
)
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<5>;

	ld.param.u64 	%rd1, [add_param_0];
	ld.param.u32 	%r2, [add_param_1];
	ld.param.u32 	%r3, [add_param_2];
	mov.u32 	%r4, %ctaid.x;
	mov.u32 	%r5, %ntid.x;
	mov.u32 	%r6, %tid.x;
	mad.lo.s32 	%r1, %r4, %r5, %r6;
	setp.ge.u32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB3_2;

	cvta.to.global.u64 	%rd2, %rd1;
	mul.wide.u32 	%rd3, %r1, 4;
	add.s64 	%rd4, %rd2, %rd3;
	ld.global.u32 	%r7, [%rd4];
	add.s32 	%r8, %r7, %r3;
	st.global.u32 	[%rd4], %r8;

$L__BB3_2:
	ret;
}
";
