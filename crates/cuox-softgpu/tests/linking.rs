//! Texts that are linked: functions declared with another result, common variables, the limit of registers, constant
//! memory.

mod common;
use common::*;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

const HEAD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n";

/// Links the texts with options (numbers and values) and loads the image's copy.
fn linked(texts: &[&str], options: &[(CUjit_option, usize)]) -> CUmodule {
    let (mut names, mut values): (Vec<_>, Vec<_>) = options
        .iter()
        .map(|&(name, value)| (name, std::ptr::without_provenance_mut::<c_void>(value)))
        .unzip();
    let mut link = CUlinkState::null();
    let count = names.len() as u32;
    ok!(cuLinkCreate_v2(
        count,
        names.as_mut_ptr(),
        values.as_mut_ptr(),
        &mut link
    ));
    for text in texts {
        let text = CString::new(format!("{HEAD}{text}")).unwrap();
        ok!(cuLinkAddData_v2(
            link,
            CUjitInputType::CU_JIT_INPUT_PTX,
            text.as_ptr().cast_mut().cast(),
            text.as_bytes_with_nul().len(),
            null(),
            0,
            null_mut(),
            null_mut()
        ));
    }
    let (mut image, mut size) = (null_mut(), 0);
    ok!(cuLinkComplete(link, &mut image, &mut size));
    // SAFETY: the driver's image, while the link exists.
    let copy = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec();
    ok!(cuLinkDestroy(link));
    let mut m = CUmodule::null();
    ok!(cuModuleLoadData(&mut m, copy.as_ptr().cast()));
    m
}

/// The words that the kernel `k` stores at the address which it is given.
fn results(m: CUmodule, count: usize) -> Vec<u32> {
    let mut at = upload(&vec![0xa5a5_a5a5u32; count]);
    let mut values = [pointer(&mut at)];
    assert_eq!(
        launch(function(m, "k"), 1, 1, CUstream::null(), &mut values),
        OK
    );
    ok!(cuCtxSynchronize());
    let words = download(at, count);
    ok!(cuMemFree_v2(at));
    words
}

fn attribute(f: CUfunction, attribute: CUfunction_attribute) -> i32 {
    let mut value = -1;
    ok!(cuFuncGetAttribute(&mut value, attribute, f));
    value
}

/// Calls `f(7, {1, 2, 3})` by the given result and stores it, then 1.
fn caller(result: &str, bits: u32) -> String {
    let call = match result {
        "" => "call.uni f, (a, b);\n mov.u64 %r, 5;".into(),
        _ => format!("call.uni (r), f, (a, b);\n ld.param.b{bits} %r, [r];"),
    };
    let local = match result {
        "" => String::new(),
        _ => format!("{};", &result[1..result.len() - 1]),
    };
    format!(
        ".extern .func {result} f (.param .b32 a, .param .align 4 .b8 b[12]);
.visible .entry k(.param .u64 to)
{{
    .reg .b64 %to, %r;
    .param .b32 a;
    .param .align 4 .b8 b[12];
    {local}
    ld.param.u64 %to, [to];
    st.param.b32 [a], 7;
    st.param.b32 [b], 1;
    st.param.b32 [b+4], 2;
    st.param.b32 [b+8], 3;
    {call}
    st.global.u64 [%to], %r;
    st.global.u32 [%to+12], 1;
    ret;
}}
"
    )
}

/// Stores 10 * a + b.z in `last`, and returns it with upper bits set as far as the result has any.
fn callee(result: &str, bits: u32) -> String {
    let give = match result {
        "" => String::new(),
        _ => format!("st.param.b{bits} [r], %r;"),
    };
    format!(
        ".visible .global .align 4 .u32 last;
.visible .func {result} f (.param .b32 a, .param .align 4 .b8 b[12])
{{
    .reg .b64 %r;
    .reg .b32 %a, %b;
    ld.param.b32 %a, [a];
    ld.param.b32 %b, [b+8];
    mad.lo.u32 %a, %a, 10, %b;
    st.global.u32 [last], %a;
    cvt.u64.u32 %r, %a;
    or.b64 %r, %r, 0x900000000;
    {give}
    ret;
}}
"
    )
}

#[test]
fn a_function_may_be_declared_with_another_result() {
    let _c = Context::new();
    let (none, narrow, wide) = ("", "(.param .b32 r)", "(.param .b64 r)");
    for (declared, bits, defined, defined_bits, expected) in [
        (wide, 64, wide, 64, [73, 9]),
        (wide, 64, narrow, 32, [73, 0]),
        (wide, 64, none, 0, [0, 0]),
        (narrow, 32, wide, 64, [73, 0]),
        (narrow, 32, none, 0, [0, 0]),
        (none, 0, wide, 64, [5, 0]),
    ] {
        let texts = [caller(declared, bits), callee(defined, defined_bits)];
        for texts in [[&texts[0], &texts[1]], [&texts[1], &texts[0]]] {
            let m = linked(&texts.map(|t| t.as_str()), &[]);
            let words = results(m, 4);
            assert_eq!(words[..2], expected, "{declared} for {defined}");
            assert_eq!(words[3], 1);
            let (mut last, mut size) = (0, 0);
            ok!(cuModuleGetGlobal_v2(
                &mut last,
                &mut size,
                m,
                c"last".as_ptr()
            ));
            assert_eq!(download::<u32>(last, 1), [73], "the function has run");
            ok!(cuModuleUnload(m));
        }
    }
}

#[test]
fn parameters_that_differ_are_an_error() {
    let _c = Context::new();
    let declared = caller("(.param .b32 r)", 32).replace("b[12]", "b[16]");
    let texts = [declared, callee("", 0)].map(|t| format!("{HEAD}{t}"));
    let mut link = CUlinkState::null();
    ok!(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut link));
    for text in &texts {
        ok!(cuLinkAddData_v2(
            link,
            CUjitInputType::CU_JIT_INPUT_PTX,
            text.as_ptr().cast_mut().cast(),
            text.len(),
            null(),
            0,
            null_mut(),
            null_mut()
        ));
    }
    let (mut image, mut size) = (null_mut(), 0);
    code!(
        CUresult::CUDA_ERROR_INVALID_PTX,
        cuLinkComplete(link, &mut image, &mut size)
    );
    ok!(cuLinkDestroy(link));
}

#[test]
fn common_variables_are_shared() {
    let _c = Context::new();
    let first = ".common .global .align 4 .u32 shared_word;
.extern .func set();
.visible .entry k(.param .u64 to)
{
    .reg .b64 %to;
    .reg .b32 %r;
    ld.param.u64 %to, [to];
    call.uni set, ();
    ld.global.u32 %r, [shared_word];
    st.global.u32 [%to], %r;
    ret;
}
";
    let second = ".common .global .align 8 .b8 shared_word[16];
.visible .func set()
{
    st.global.u32 [shared_word], 42;
    ret;
}
";
    let m = linked(&[first, second], &[]);
    assert_eq!(results(m, 1), [42]);
    let (mut at, mut size) = (0, 0);
    ok!(cuModuleGetGlobal_v2(
        &mut at,
        &mut size,
        m,
        c"shared_word".as_ptr()
    ));
    assert_eq!(size, 16, "the largest counts");
}

#[test]
fn registers_stay_within_the_limit() {
    let _c = Context::new();
    let text = ".visible .entry k(.param .u64 to)\n{\n    .reg .b64 %rd<200>;\n    ret;\n}\n";
    let registers = |m| {
        attribute(
            function(m, "k"),
            CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS,
        )
    };
    let limit = |n| [(CUjit_option::CU_JIT_MAX_REGISTERS, n)];
    assert!(registers(linked(&[text], &[])) > 57);
    assert_eq!(registers(linked(&[text], &limit(57))), 57);
    assert_eq!(
        registers(linked(&[text], &limit(3))),
        16,
        "no kernel has fewer"
    );
    let text = CString::new(format!("{HEAD}{text}")).unwrap();
    let mut m = CUmodule::null();
    let mut name = CUjit_option::CU_JIT_MAX_REGISTERS;
    let mut value = std::ptr::without_provenance_mut(40);
    ok!(cuModuleLoadDataEx(
        &mut m,
        text.as_ptr().cast(),
        1,
        &mut name,
        &mut value
    ));
    assert_eq!(registers(m), 40);
}

#[test]
fn constant_memory_is_that_of_the_module() {
    let _c = Context::new();
    // The same text gives 212 for both kernels on an H100.
    let m = linked(
        &[".visible .const .align 4 .b32 a[25];
.visible .const .align 8 .b64 b[10];
.const .align 4 .b32 c[7];
.visible .entry k() { .reg .b32 %r; ld.const.u32 %r, [c]; ret; }
.visible .entry none() { ret; }
"],
        &[],
    );
    for name in ["k", "none"] {
        let size = CUfunction_attribute::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES;
        assert_eq!(attribute(function(m, name), size), 212, "{name}");
    }
}
