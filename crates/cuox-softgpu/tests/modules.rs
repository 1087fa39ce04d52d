//! Loading code, finding things in it, launching it.

mod common;
use common::*;
use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

/// A key of the list that `extra` is.
fn key(number: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(number)
}

fn run_add(f: CUfunction, extra: bool) {
    let mut at = upload(&[1u32, 2, 3, 4, 5]);
    let (mut n, mut add) = (5u32, 10u32);
    if extra {
        #[repr(C)]
        struct Args(u64, u32, u32);
        let args = Args(at, n, add);
        let mut size = size_of::<Args>();
        let mut list = [
            key(1),
            (&raw const args).cast_mut().cast(),
            key(2),
            pointer(&mut size),
            null_mut(),
        ];
        ok!(cuLaunchKernel(
            f,
            1,
            1,
            1,
            32,
            1,
            1,
            0,
            CUstream::null(),
            null_mut(),
            list.as_mut_ptr()
        ));
    } else {
        let mut values = [pointer(&mut at), pointer(&mut n), pointer(&mut add)];
        assert_eq!(launch(f, 2, 4, CUstream::null(), &mut values), OK);
    }
    assert_eq!(download::<u32>(at, 5), [11, 12, 13, 14, 15]);
    ok!(cuMemFree_v2(at));
}

#[test]
fn modules_have_functions_and_variables() {
    let _c = Context::new();
    let m = module(PTX);
    let mut f = CUfunction::null();
    code!(
        CUresult::CUDA_ERROR_NOT_FOUND,
        cuModuleGetFunction(&mut f, m, c"missing".as_ptr())
    );
    let mut count = 0;
    ok!(cuModuleGetFunctionCount(&mut count, m));
    assert_eq!(count, 4);
    f = function(m, "add");
    assert_eq!(f, function(m, "add"));
    let (mut offset, mut size) = (0, 0);
    ok!(cuFuncGetParamInfo(f, 2, &mut offset, &mut size));
    assert_eq!((offset, size), (12, 4));
    code!(
        INVALID_VALUE,
        cuFuncGetParamInfo(f, 3, &mut offset, &mut size)
    );
    let mut name = null();
    ok!(cuFuncGetName(&mut name, f));
    // SAFETY: the driver's string lives as long as the module.
    assert_eq!(unsafe { CStr::from_ptr(name) }, c"add");
    code!(INVALID_VALUE, cuFuncGetName(&mut name, CUfunction::null()));
    code!(INVALID_VALUE, cuKernelGetName(&mut name, CUkernel::null()));
    let mut ptx_version = 0;
    ok!(cuFuncGetAttribute(
        &mut ptx_version,
        CUfunction_attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION,
        f
    ));
    assert_eq!(ptx_version, 80, "the text's target, not the device's");
    let (mut at, mut len) = (0, 0);
    ok!(cuModuleGetGlobal_v2(
        &mut at,
        &mut len,
        m,
        c"counter".as_ptr()
    ));
    assert_eq!(len, 16);
    assert_eq!(download::<u32>(at, 4), [5, 6, 7, 8]);
    run_add(f, false);
    run_add(f, true);
    ok!(cuModuleUnload(m));
    code!(INVALID_HANDLE, cuModuleUnload(m));
    assert_eq!(launch(f, 1, 1, CUstream::null(), &mut []), INVALID_HANDLE);
}

#[test]
fn libraries_need_no_context_and_kernels_are_functions() {
    ok!(cuInit(0));
    let text = CString::new(PTX).unwrap();
    let mut library = CUlibrary::null();
    let none = null_mut;
    ok!(cuLibraryLoadData(
        &mut library,
        text.as_ptr().cast(),
        none(),
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0
    ));
    let mut kernel = CUkernel::null();
    ok!(cuLibraryGetKernel(&mut kernel, library, c"add".as_ptr()));
    let mut m = CUmodule::null();
    code!(INVALID_CONTEXT, cuLibraryGetModule(&mut m, library));
    let mut back = CUlibrary::null();
    ok!(cuKernelGetLibrary(&mut back, kernel));
    assert_eq!(back, library);
    {
        let _c = Context::new();
        run_add(CUfunction::from_addr(kernel.addr()), false);
        let mut f = CUfunction::null();
        ok!(
            cuKernelGetFunction(&mut f, kernel),
            cuLibraryGetModule(&mut m, library)
        );
        run_add(f, true);
        code!(INVALID_HANDLE, cuModuleUnload(m));
        let mut at = 0;
        ok!(cuLibraryGetGlobal(
            &mut at,
            null_mut(),
            library,
            c"counter".as_ptr()
        ));
        assert_eq!(download::<u32>(at, 1), [5]);
        code!(
            CUresult::CUDA_ERROR_NOT_FOUND,
            cuLibraryGetManaged(&mut at, null_mut(), library, c"counter".as_ptr())
        );
    }
    ok!(cuLibraryUnload(library));
    code!(INVALID_HANDLE, cuLibraryUnload(library));
    code!(
        INVALID_HANDLE,
        cuLibraryGetKernel(&mut kernel, library, c"add".as_ptr())
    );
}

#[test]
fn bad_images_are_explained() {
    let _c = Context::new();
    let mut log = vec![0x55u8; 2000];
    let mut names = [
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
    let mut m = CUmodule::null();
    let text = CString::new(
        ".version 8.0\n.targt sm_80\n.address_size 64\n.visible .entry k() { bogus.u32 }\n",
    )
    .unwrap();
    let load = |m: &mut CUmodule,
                image: *const c_void,
                names: &mut [CUjit_option; 2],
                values: &mut [*mut c_void; 2]| {
        // SAFETY: arrays of two.
        unsafe { cuModuleLoadDataEx(m, image, 2, names.as_mut_ptr(), values.as_mut_ptr()) }
    };
    let got = load(&mut m, text.as_ptr().cast(), &mut names, &mut values);
    assert_eq!(got, CUresult::CUDA_ERROR_INVALID_PTX);
    let text = CStr::from_bytes_until_nul(&log).unwrap().to_str().unwrap();
    assert!(
        !text.is_empty() && values[1] as usize == text.len() + 1,
        "{text}"
    );
    code!(
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU,
        cuModuleLoadData(&mut m, c"\x7fELF\x02\x01\x01".as_ptr().cast())
    );
    code!(
        CUresult::CUDA_ERROR_INVALID_IMAGE,
        cuModuleLoadData(&mut m, 0x40 as *const c_void)
    );
    code!(INVALID_VALUE, cuModuleLoadData(&mut m, null()));
    code!(
        CUresult::CUDA_ERROR_FILE_NOT_FOUND,
        cuModuleLoad(&mut m, c"/no/such/file".as_ptr())
    );
}

#[test]
fn launches_are_checked() {
    let _c = Context::new();
    let m = module(PTX);
    let f = function(m, "empty");
    assert_eq!(launch(f, 1, 1, CUstream::null(), &mut []), OK);
    assert_eq!(launch(f, 0, 1, CUstream::null(), &mut []), INVALID_VALUE);
    assert_eq!(launch(f, 1, 1025, CUstream::null(), &mut []), INVALID_VALUE);
    assert_eq!(
        launch(f, 1, 1, CUstream::from_addr(0x77), &mut []),
        INVALID_HANDLE
    );
    assert_eq!(
        launch(CUfunction::null(), 1, 1, CUstream::null(), &mut []),
        INVALID_HANDLE
    );
    let n = null_mut::<*mut c_void>;
    code!(
        INVALID_VALUE,
        cuLaunchKernel(f, 1, 65536, 1, 1, 1, 1, 0, CUstream::null(), n(), n())
    );
    code!(
        INVALID_VALUE,
        cuLaunchKernel(f, 1, 1, 1, 1, 1, 65, 0, CUstream::null(), n(), n())
    );
    code!(
        INVALID_VALUE,
        cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 49 << 10, CUstream::null(), n(), n())
    );
    let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    ok!(cuFuncSetAttribute(f, most, 100 << 10));
    ok!(cuLaunchKernel(
        f,
        1,
        1,
        1,
        1,
        1,
        1,
        49 << 10,
        CUstream::null(),
        n(),
        n()
    ));
    code!(INVALID_VALUE, cuFuncSetAttribute(f, most, 228 << 10));
    code!(
        INVALID_VALUE,
        cuLaunchKernel(
            function(m, "add"),
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            CUstream::null(),
            n(),
            n()
        )
    );
    code!(
        CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
        cuLaunchCooperativeKernel(f, 1 << 20, 1, 1, 1024, 1, 1, 0, CUstream::null(), n())
    );
    let mut attribute = CUlaunchAttribute {
        id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        ..Default::default()
    };
    attribute.value.cooperative = 1;
    let mut config = CUlaunchConfig {
        gridDimX: 2,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        attrs: &mut attribute,
        numAttrs: 1,
        ..Default::default()
    };
    ok!(cuLaunchKernelEx(&config, f, n(), n()));
    config.attrs = null_mut();
    code!(INVALID_VALUE, cuLaunchKernelEx(&config, f, n(), n()));
    ok!(cuCtxSynchronize());
}

#[test]
fn occupancy() {
    let _c = Context::new();
    let f = function(module(PTX), "empty");
    let (mut blocks, mut grid, mut block) = (0, 0, 0);
    ok!(cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &mut blocks,
        f,
        1024,
        0
    ));
    assert_eq!(blocks, 2);
    ok!(cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &mut blocks,
        f,
        32,
        100 << 10
    ));
    assert_eq!(blocks, 2);
    ok!(cuOccupancyMaxPotentialBlockSize(
        &mut grid, &mut block, f, None, 0, 0
    ));
    assert!(block >= 512 && grid >= 1);
    code!(
        INVALID_VALUE,
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, f, 0, 0)
    );
}

#[test]
fn the_linker_gives_back_what_can_be_loaded() {
    let _c = Context::new();
    let mut link = CUlinkState::null();
    ok!(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut link));
    let text = PTX.as_bytes();
    let data = text.as_ptr().cast_mut().cast::<c_void>();
    let no = null_mut;
    ok!(cuLinkAddData_v2(
        link,
        CUjitInputType::CU_JIT_INPUT_PTX,
        data,
        text.len(),
        null(),
        0,
        no(),
        null_mut()
    ));
    let (mut image, mut size) = (null_mut(), 0);
    ok!(cuLinkComplete(link, &mut image, &mut size));
    // SAFETY: the driver's image, while the link exists.
    let copy = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec();
    ok!(cuLinkDestroy(link));
    let mut m = CUmodule::null();
    ok!(cuModuleLoadData(&mut m, copy.as_ptr().cast()));
    run_add(function(m, "add"), false);
    code!(INVALID_HANDLE, cuLinkDestroy(link));
}

#[test]
fn the_deprecated_launch_works() {
    let _c = Context::new();
    let f = function(module(PTX), "add");
    let at = upload(&[1u32, 2]);
    ok!(
        cuFuncSetBlockShape(f, 8, 1, 1),
        cuParamSetv(f, 0, (&raw const at).cast_mut().cast(), 8),
        cuParamSeti(f, 8, 2),
        cuParamSeti(f, 12, 40),
        cuParamSetSize(f, 16),
        cuLaunchGrid(f, 1, 1)
    );
    assert_eq!(download::<u32>(at, 2), [41, 42]);
}

#[test]
fn eight_threads_launch_at_once() {
    const LAUNCHES: u32 = 100;
    let c = Context::new();
    let f = function(module(PTX), "add");
    let at = upload(&[0u32; 8 * 1000]);
    std::thread::scope(|scope| {
        for t in 0..8u64 {
            let context = c.0;
            scope.spawn(move || {
                ok!(cuCtxSetCurrent(context));
                let s = stream(1);
                let (mut mine, mut n, mut add) = (at + 4000 * t, 1000u32, 1u32);
                for _ in 0..LAUNCHES {
                    let mut values = [pointer(&mut mine), pointer(&mut n), pointer(&mut add)];
                    assert_eq!(launch(f, 8, 128, s, &mut values), OK);
                }
                ok!(cuStreamSynchronize(s));
            });
        }
    });
    assert!(download::<u32>(at, 8000).iter().all(|&x| x == LAUNCHES));
    ok!(cuMemFree_v2(at));
}

#[test]
fn text_in_any_encoding_loads_and_too_much_static_shared_memory_does_not_launch() {
    let _c = Context::new();
    let mut m = CUmodule::null();
    let mut text = b".version 8.0\n.target sm_80\n.address_size 64\n// caf\xe9\n".to_vec();
    text.extend_from_slice(b".visible .entry k() { .shared .b8 s[49152]; ret; }\0");
    ok!(cuModuleLoadData(&mut m, text.as_ptr().cast()));
    ok!(cuModuleUnload(m));
    let text = String::from_utf8_lossy(&text).replace("49152", "49153");
    ok!(cuModuleLoadData(&mut m, text.as_ptr().cast()));
    let f = function(m, "k");
    assert_eq!(launch(f, 1, 32, CUstream::null(), &mut []), INVALID_VALUE);
    // Calls of another test's thread do not matter: each thread hears of its own calls.
    assert!(cuox_softgpu::last_fault().contains("49153 bytes"));
}

#[test]
fn modules_for_other_targets_are_refused() {
    let _c = Context::new();
    let mut m = CUmodule::null();
    let load = |m: &mut CUmodule, target: &str| {
        let text = format!(
            ".version 9.0\n.target {target}\n.address_size 64\n.visible .entry k() {{ ret; }}\0"
        );
        // SAFETY: a text that ends with a zero.
        unsafe { cuModuleLoadData(m, text.as_ptr().cast()) }
    };
    for target in ["sm_50", "sm_75", "sm_90", "sm_90a", "compute_90"] {
        assert_eq!(load(&mut m, target), OK, "{target}");
        ok!(cuModuleUnload(m));
    }
    // The driver of an H200 does the same.
    for target in ["sm_100", "sm_100a", "sm_103f", "sm_120", "sm_90f", "sm_91"] {
        let code = load(&mut m, target);
        assert_eq!(code, CUresult::CUDA_ERROR_INVALID_PTX, "{target}");
        assert!(cuox_softgpu::last_fault().contains(target), "{target}");
    }
}
