//! Kernels that launch kernels of their own text and of others.

mod common;
use common::*;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// Stores 7 at the address that it is given.
const CHILD: &str = "
.visible .entry child(.param .u64 to)
{
    .reg .b64 %to;
    ld.param.u64 %to, [to];
    st.global.u32 [%to], 7;
    ret;
}
";

/// Launches it.
const PARENT: &str = "
.extern .entry child(.param .u64 to);
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
    (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);
.visible .entry parent(.param .u64 to)
{
    .reg .b64 %to, %kernel, %buffer;
    .reg .b32 %error;
    .param .b64 f, result;
    .param .align 4 .b8 one[12];
    .param .b32 shared;
    ld.param.u64 %to, [to];
    mov.u64 %kernel, child;
    st.param.b64 [f], %kernel;
    st.param.b32 [one], 1;
    st.param.b32 [one+4], 1;
    st.param.b32 [one+8], 1;
    st.param.b32 [shared], 0;
    call (result), __cudaCDP2GetParameterBufferV2, (f, one, one, shared);
    ld.param.b64 %buffer, [result];
    st.u64 [%buffer], %to;
    call (%error), __cudaCDP2LaunchDeviceV2, (%buffer, 0);
    ret;
}
.visible .entry other(.param .u64 to)
{
    .reg .b64 %to;
    ld.param.u64 %to, [to];
    st.global.u32 [%to], 9;
    ret;
}
";

fn linked(texts: &[&str]) -> CUmodule {
    let mut link = CUlinkState::null();
    ok!(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut link));
    for text in texts {
        let text = CString::new(format!("{HEAD}{text}")).unwrap();
        ok!(cuLinkAddData_v2(
            link,
            CUjitInputType::CU_JIT_INPUT_PTX,
            text.as_ptr().cast_mut().cast::<c_void>(),
            text.as_bytes_with_nul().len(),
            null(),
            0,
            null_mut(),
            null_mut()
        ));
    }
    let (mut image, mut size) = (null_mut(), 0);
    ok!(cuLinkComplete(link, &mut image, &mut size));
    let mut module = CUmodule::null();
    ok!(cuModuleLoadData(&mut module, image), cuLinkDestroy(link));
    module
}

fn run(f: CUfunction) -> u32 {
    let mut at = upload(&[0u32]);
    let code = launch(f, 1, 1, CUstream::null(), &mut [(&raw mut at).cast()]);
    assert_eq!(code, OK);
    ok!(cuCtxSynchronize());
    download::<u32>(at, 1)[0]
}

#[test]
fn a_kernel_of_another_text_is_launched() {
    let _c = Context::new();
    for texts in [[PARENT, CHILD], [CHILD, PARENT]] {
        let module = linked(&texts);
        assert_eq!(run(function(module, "parent")), 7);
        assert_eq!(run(function(module, "other")), 9);
    }
}

#[test]
fn a_kernel_that_is_nowhere_is_named() {
    let _c = Context::new();
    let text = CString::new(format!("{HEAD}{PARENT}")).unwrap();
    let mut module = CUmodule::null();
    code!(
        CUresult::CUDA_ERROR_INVALID_PTX,
        cuModuleLoadData(&mut module, text.as_ptr().cast())
    );
    let why = cuox_softgpu::last_fault();
    assert!(why.contains("parent uses child"), "{why}");
}

#[test]
fn a_declaration_that_nothing_uses_is_no_error() {
    let _c = Context::new();
    let text = format!("{HEAD}.extern .entry nowhere();{CHILD}");
    assert_eq!(run(function(self::module(&text), "child")), 7);
}

/// Asks for the attributes of `child`, copies and fills rows, and asks for what else there is. Results of the functions
/// go to `to`, the attributes behind them.
const RUNTIME: &str = "
.extern .func (.param .b32 r) cudaFuncGetAttributes (.param .b64 a, .param .b64 f);
.extern .func (.param .b32 r) cudaDeviceGetCacheConfig (.param .b64 to);
.extern .func (.param .b32 r) cudaOccupancyMaxActiveBlocksPerMultiprocessor
    (.param .b64 to, .param .b64 f, .param .b32 threads, .param .b64 shared);
.extern .func (.param .b32 r) cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
    (.param .b64 to, .param .b64 f, .param .b32 threads, .param .b64 shared, .param .b32 flags);
.extern .func (.param .b32 r) cudaMemset2DAsync
    (.param .b64 to, .param .b64 pitch, .param .b32 value, .param .b64 width, .param .b64 height, .param .b64 stream);
.extern .func (.param .b32 r) __cudaCDP2Memcpy2DAsync_ptsz
    (.param .b64 to, .param .b64 tp, .param .b64 from, .param .b64 fp, .param .b64 w, .param .b64 h, .param .b32 kind, .param .b64 s);
.visible .entry asks(.param .u64 to, .param .u64 rows)
{
    .reg .b64 %to, %rows, %kernel, %at, %there;
    .reg .b32 %error;
    ld.param.u64 %to, [to];
    ld.param.u64 %rows, [rows];
    mov.u64 %kernel, child;
    add.u64 %at, %to, 64;
    call (%error), cudaFuncGetAttributes, (%at, %kernel);
    st.global.u32 [%to], %error;
    call (%error), cudaFuncGetAttributes, (%at, 5);
    st.global.u32 [%to+4], %error;
    add.u64 %at, %to, 12;
    call (%error), cudaDeviceGetCacheConfig, (%at);
    st.global.u32 [%to+8], %error;
    add.u64 %at, %to, 20;
    call (%error), cudaOccupancyMaxActiveBlocksPerMultiprocessor, (%at, %kernel, 1024, 0);
    st.global.u32 [%to+16], %error;
    add.u64 %at, %to, 28;
    call (%error), cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, (%at, %kernel, 1024, 200000, 0);
    st.global.u32 [%to+24], %error;
    // Three bytes of each of two rows, then those rows again behind them.
    call (%error), cudaMemset2DAsync, (%rows, 8, 0x1ff, 3, 2, 0);
    st.global.u32 [%to+32], %error;
    add.u64 %there, %rows, 16;
    call (%error), __cudaCDP2Memcpy2DAsync_ptsz, (%there, 4, %rows, 8, 4, 2, 3, 0);
    st.global.u32 [%to+36], %error;
    // Wider than the pitch, and beyond the end.
    call (%error), cudaMemset2DAsync, (%rows, 8, 1, 9, 2, 0);
    st.global.u32 [%to+40], %error;
    call (%error), cudaMemset2DAsync, (%rows, 8, 1, 8, 100000000, 0);
    st.global.u32 [%to+44], %error;
    ret;
}
";

#[test]
fn the_device_runtime_answers() {
    let _c = Context::new();
    let module = module(&format!("{HEAD}{CHILD}{RUNTIME}"));
    let mut to = upload(&[0xa5a5_a5a5u32; 64]);
    let mut rows = upload(&[
        0u8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    let f = function(module, "asks");
    let mut values = [(&raw mut to).cast(), (&raw mut rows).cast()];
    assert_eq!(launch(f, 1, 1, CUstream::null(), &mut values), OK);
    ok!(cuCtxSynchronize());
    let words = download::<u32>(to, 64);
    let (invalid_value, invalid_function) = (1, 98);
    assert_eq!(words[..6], [0, invalid_function, 0, 0, 0, 2]);
    assert_eq!(words[6..8], [0, 1], "shared memory for one block");
    assert_eq!(words[8..12], [0, 0, invalid_value, invalid_value]);
    assert_eq!(words[12], 0xa5a5_a5a5);
    // Three sizes, then numbers, and nothing behind the reserved ones.
    assert_eq!(words[16..22], [0; 6]);
    let child = function(module, "child");
    for (word, attribute) in [
        (
            22,
            CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        ),
        (23, CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS),
        (24, CUfunction_attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION),
        (
            27,
            CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        ),
    ] {
        let mut value = 0;
        ok!(cuFuncGetAttribute(&mut value, attribute, child));
        assert_eq!(words[word] as i32, value, "{word}");
    }
    assert_eq!(words[52], 0xa5a5_a5a5);
    let bytes = download::<u8>(rows, 24);
    assert_eq!(bytes[..8], [255, 255, 255, 3, 4, 5, 6, 7]);
    assert_eq!(bytes[8..16], [255, 255, 255, 11, 12, 13, 14, 15]);
    assert_eq!(bytes[16..], [255, 255, 255, 3, 255, 255, 255, 11]);
}
