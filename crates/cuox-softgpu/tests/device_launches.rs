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
