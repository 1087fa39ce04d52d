//! `CUOX_SOFT_CHECK=memory`: accesses of kernels are checked against what is allocated, in every engine.

mod common;
use common::*;
use std::process::Command;

/// Kernels of `(pointer, n, by)`, in which thread `i` accesses element `i + by`, if `i < n`.
fn kernels() -> String {
    let bodies = [
        ("fill", "st.global.u32 [%d2], %i0;"),
        (
            "copy",
            "ld.global.u32 %i5, [%d2]; st.global.u32 [%d0], %i5;",
        ),
        ("count", "red.global.add.u32 [%d2], 1;"),
        (
            "count_float",
            "mov.f32 %f0, 0f3f800000; atom.global.add.f32 %f1, [%d2], %f0;",
        ),
        ("swap", "atom.global.cas.b32 %i5, [%d2], 0, 1;"),
        ("quads", "st.global.v4.u32 [%d3], {%i0, %i0, %i0, %i0};"),
        ("halves", "st.global.u16 [%d2], 7;"),
        (
            "same",
            "ld.global.u32 %i5, [%d4]; st.global.u32 [%d0], %i5;",
        ),
        ("later", "bar.sync 0; st.global.u32 [%d2], %i0;"),
        (
            "odd",
            "and.b32 %i5, %i0, 1; setp.eq.u32 %p1, %i5, 0; @%p1 bra Out; st.global.u32 [%d2], %i0; Out:",
        ),
        (
            "squares",
            "mul.lo.u32 %i5, %i0, %i0; rem.u32 %i5, %i5, %i1; mul.wide.u32 %d5, %i5, 4; add.s64 %d5, %d0, %d5; st.global.u32 [%d5], %i0;",
        ),
        (
            "loop",
            "mov.u32 %i5, 0; Again: st.global.u32 [%d2], %i5; add.u32 %i5, %i5, 1; setp.lt.u32 %p1, %i5, %i0; @%p1 bra Again;",
        ),
        (
            "generic",
            "cvta.shared.u64 %d5, buffer; mul.wide.u32 %d6, %i0, 4; add.s64 %d5, %d5, %d6; st.u32 [%d5], %i0; ld.u32 %i5, [%d5]; st.u32 [%d2], %i5;",
        ),
    ];
    let mut text = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 buffer[4096];\n",
    );
    for (name, body) in bodies {
        text += &format!(
            ".visible .entry {name}(.param .u64 p, .param .u32 n, .param .s32 by)\n{{\n\
            .reg .pred %p<4>; .reg .b32 %i<8>; .reg .f32 %f<4>; .reg .b64 %d<8>;\n\
            ld.param.u64 %d0, [p]; ld.param.u32 %i1, [n]; ld.param.s32 %i2, [by];\n\
            mov.u32 %i3, %ctaid.x; mov.u32 %i4, %ntid.x; mov.u32 %i0, %tid.x; mad.lo.u32 %i0, %i3, %i4, %i0;\n\
            setp.ge.u32 %p0, %i0, %i1; @%p0 bra End;\n\
            add.s32 %i6, %i0, %i2; mul.wide.s32 %d1, %i6, 4; add.s64 %d2, %d0, %d1;\n\
            mul.wide.s32 %d1, %i6, 16; add.s64 %d3, %d0, %d1;\n\
            mul.wide.s32 %d1, %i2, 4; add.s64 %d4, %d0, %d1;\n\
            {body}\nEnd: ret;\n}}\n"
        );
    }
    text + ".visible .global .align 4 .b32 first[4];\n.visible .global .align 4 .b32 second[4] = {1, 2, 3, 4};\n\
        .visible .entry overrun(.param .u32 n)\n{\n.reg .b32 %i<4>; .reg .b64 %d<4>;\n\
        mov.u32 %i0, %tid.x; mov.u64 %d0, first; mul.wide.u32 %d1, %i0, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %i0; ret;\n}\n"
}

struct Case {
    kernel: &'static str,
    bytes: usize,
    threads: u32,
    n: u32,
    by: i32,
    /// The message about the first thread that goes wrong; empty if none does.
    said: &'static [&'static str],
}

const fn case(
    kernel: &'static str,
    bytes: usize,
    (threads, n, by): (u32, u32, i32),
    said: &'static [&'static str],
) -> Case {
    Case {
        kernel,
        bytes,
        threads,
        n,
        by,
        said,
    }
}

const CASES: &[Case] = &[
    case("fill", 400, (128, 100, 0), &[]),
    case(
        "fill",
        64,
        (300, 300, 0),
        &[
            "write of size 4 bytes",
            "thread (16, 0, 0)",
            "at the end of the allocation of 64 bytes",
        ],
    ),
    case(
        "fill",
        508,
        (128, 128, 0),
        &["write of size 4", "thread (127, 0, 0)"],
    ),
    case(
        "fill",
        510,
        (128, 128, 0),
        &[
            "thread (127, 0, 0)",
            "508 bytes into",
            "the last 2 of the 4 bytes are past its end",
        ],
    ),
    case("fill", 512, (128, 128, 0), &[]),
    case(
        "fill",
        512,
        (128, 128, -1),
        &[
            "thread (0, 0, 0)",
            "4 bytes before the allocation of 512 bytes",
        ],
    ),
    case(
        "copy",
        512,
        (128, 128, 3),
        &["read of size 4", "thread (125, 0, 0)"],
    ),
    case(
        "count",
        512,
        (128, 128, 1),
        &["atomic of size 4", "thread (127, 0, 0)"],
    ),
    case(
        "count_float",
        512,
        (128, 128, 1),
        &["atomic of size 4", "thread (127, 0, 0)"],
    ),
    case(
        "swap",
        512,
        (128, 128, 1),
        &["atomic of size 4", "thread (127, 0, 0)"],
    ),
    case("count", 512, (128, 128, 0), &[]),
    case("quads", 16 * 64, (64, 64, 0), &[]),
    case(
        "quads",
        16 * 64 - 4,
        (64, 64, 0),
        &[
            "write of size 16",
            "thread (63, 0, 0)",
            "the last 4 of the 16 bytes",
        ],
    ),
    case("halves", 4 * 63 + 2, (64, 64, 0), &[]),
    case(
        "halves",
        4 * 63 + 1,
        (64, 64, 0),
        &["write of size 2", "thread (63, 0, 0)"],
    ),
    case("same", 64, (64, 64, 15), &[]),
    case(
        "same",
        64,
        (64, 64, 16),
        &["read of size 4", "thread (0, 0, 0)"],
    ),
    case("later", 512, (128, 128, 0), &[]),
    case("later", 512, (160, 160, 0), &["thread (128, 0, 0)"]),
    case("odd", 512, (128, 128, 0), &[]),
    case(
        "odd",
        508,
        (128, 128, 0),
        &["write of size 4", "thread (127, 0, 0)"],
    ),
    // The last thread that writes is odd, so what is behind the last but one is nobody's business.
    case("odd", 512, (129, 129, 0), &[]),
    case("squares", 4 * 97, (97, 97, 0), &[]),
    case(
        "squares",
        4 * 96,
        (97, 97, 0),
        &["write of size 4", "thread (22, 0, 0)"],
    ),
    case("loop", 512, (128, 128, 0), &[]),
    case(
        "loop",
        508,
        (128, 128, 0),
        &["write of size 4", "thread (127, 0, 0)"],
    ),
    case("generic", 512, (128, 128, 0), &[]),
    case(
        "generic",
        512,
        (128, 128, 8),
        &["write of size 4", "thread (120, 0, 0)"],
    ),
    // Threads that make no access, in warps that lack threads.
    case("fill", 4 * 33, (37, 33, 0), &[]),
    case("fill", 4 * 33, (37, 34, 0), &["thread (33, 0, 0)"]),
];

fn run(m: CUmodule, name: &str, at: u64, threads: u32, n: u32, by: i32) -> CUresult {
    let (mut at, mut n, mut by) = (at, n, by);
    let mut values = [pointer(&mut at), pointer(&mut n), pointer(&mut by)];
    let f = function(m, name);
    assert_eq!(launch(f, 1, threads, CUstream::null(), &mut values), OK);
    // SAFETY: takes no pointer.
    unsafe { cuCtxSynchronize() }
}

/// Runs one test of this file in a process of its own, in every engine.
fn in_engines(name: &str, check: &str) {
    for engine in ["auto", "jit-narrow", "interpreter"] {
        let out = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture", "--test-threads=1"])
            .env("CUOX_CHECK_CHILD", "1")
            .env("CUOX_SOFT_ENGINE", engine)
            .env("CUOX_SOFT_CHECK", check)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "{engine}: {said}");
    }
}

fn is_child() -> bool {
    std::env::var_os("CUOX_CHECK_CHILD").is_some()
}

#[test]
fn accesses_are_checked_to_the_byte() {
    if !is_child() {
        return in_engines("accesses_are_checked_to_the_byte", "memory");
    }
    let text = kernels();
    for case in CASES {
        let what = format!(
            "{} {:?}",
            case.kernel,
            (case.bytes, case.threads, case.n, case.by)
        );
        let sick = Context::new();
        let m = module(&text);
        let around = [alloc(case.bytes), alloc(case.bytes), alloc(case.bytes)];
        let at = around[1];
        ok!(cuMemsetD8_v2(at, 0, case.bytes));
        let code = run(m, case.kernel, at, case.threads, case.n, case.by);
        let said = cuox_softgpu::last_fault();
        if case.said.is_empty() {
            assert_eq!(code, OK, "{what}: {said}");
        } else {
            assert_eq!(code, ILLEGAL_ADDRESS, "{what}");
            assert!(
                said.starts_with(&format!("kernel {}: Invalid __global__ ", case.kernel)),
                "{what}: {said}"
            );
            for part in case.said {
                assert!(said.contains(part), "{what}: {said}");
            }
            assert!(said.contains("PTX line"), "{what}: {said}");
        }
        drop(sick);
    }
}

#[test]
fn freed_memory_is_nobodys() {
    if !is_child() {
        return in_engines("freed_memory_is_nobodys", "memory");
    }
    let text = kernels();
    let freed = |sizes: [usize; 2], reuse: bool| {
        let _sick = Context::new();
        let m = module(&text);
        let at = alloc(sizes[0]);
        // A kernel that has found it before.
        assert_eq!(run(m, "fill", at, 32, 32, 0), OK);
        ok!(cuMemFree_v2(at));
        let next = reuse.then(|| alloc(sizes[1]));
        let code = run(m, "fill", at, 32, 32, 0);
        assert_eq!(code, ILLEGAL_ADDRESS, "{sizes:?}");
        let said = cuox_softgpu::last_fault();
        let size = sizes[0];
        assert!(
            said.contains(&format!("0 bytes into the allocation of {size} bytes"))
                && said.contains("which has been freed"),
            "{said}"
        );
        assert_ne!(next, Some(at));
    };
    freed([128, 128], false);
    freed([128, 128], true);
    freed([1 << 20, 1 << 20], true);

    // A stream's own memory is exact too.
    let _sick = Context::new();
    let m = module(&text);
    let mut at = 0;
    ok!(
        cuMemAllocAsync(&mut at, 100, CUstream::null()),
        cuCtxSynchronize()
    );
    assert_eq!(run(m, "fill", at, 32, 25, 0), OK);
    assert_eq!(run(m, "fill", at, 32, 26, 0), ILLEGAL_ADDRESS);
}

#[test]
fn variables_and_host_memory_have_bounds() {
    if !is_child() {
        return in_engines("variables_and_host_memory_have_bounds", "memory");
    }
    let text = kernels();
    {
        let _c = Context::new();
        let m = module(&text);
        let mut own = vec![0u32; 64];
        ok!(cuMemHostRegister_v2(own.as_mut_ptr().cast(), 128, 0));
        let at = own.as_ptr() as u64;
        assert_eq!(run(m, "fill", at, 32, 32, 0), OK);
        assert_eq!(own[31], 31);
        let mut managed = 0;
        ok!(cuMemAllocManaged(&mut managed, 128, 1));
        assert_eq!(run(m, "fill", managed, 32, 32, 0), OK);
        assert_eq!(run(m, "fill", managed, 32, 32, 1), ILLEGAL_ADDRESS);
        drop(own);
    }
    let _c = Context::new();
    let m = module(&text);
    let mut own = vec![0u32; 64];
    ok!(cuMemHostRegister_v2(own.as_mut_ptr().cast(), 128, 0));
    assert_eq!(
        run(m, "fill", own.as_ptr() as u64, 33, 33, 0),
        ILLEGAL_ADDRESS
    );

    let _c = Context::new();
    let m = module(&text);
    let f = function(m, "overrun");
    let mut n = 0u32;
    assert_eq!(
        launch(f, 1, 4, CUstream::null(), &mut [pointer(&mut n)]),
        OK
    );
    ok!(cuCtxSynchronize());
    assert_eq!(
        launch(f, 1, 5, CUstream::null(), &mut [pointer(&mut n)]),
        OK
    );
    code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
    assert!(cuox_softgpu::last_fault().contains("at the end of the allocation of 16 bytes"));
}

#[test]
fn small_mistakes_harm_no_neighbour_without_checks() {
    if !is_child() {
        return in_engines("small_mistakes_harm_no_neighbour_without_checks", "off");
    }
    let _c = Context::new();
    let m = module(&kernels());
    let [one, other] = [alloc(64), alloc(64)];
    let freed = alloc(64);
    ok!(cuMemsetD8_v2(one, 0, 64), cuMemsetD8_v2(other, 7, 64));
    // 300 words through an allocation of 16, whichever comes first.
    assert_eq!(run(m, "fill", one.min(other), 256, 256, 0), OK);
    if one < other {
        assert_eq!(download::<u8>(other, 64), [7; 64]);
    }
    // Memory that was freed is not at once somebody else's.
    ok!(cuMemFree_v2(freed));
    assert_ne!(alloc(64), freed);
}

#[test]
fn checks_begin_and_end_at_any_time() {
    if !is_child() {
        return in_engines("checks_begin_and_end_at_any_time", "");
    }
    let c = Context::new();
    let m = module(&kernels());
    let at = alloc(64);
    assert!(!cuox_softgpu::checks_memory());
    assert_eq!(run(m, "fill", at, 32, 32, 0), OK);
    cuox_softgpu::set_checks_memory(true);
    assert_eq!(run(m, "fill", at, 32, 16, 0), OK);
    let freed = alloc(64);
    ok!(cuMemFree_v2(freed));
    cuox_softgpu::set_checks_memory(false);
    assert_eq!(run(m, "fill", at, 32, 32, 0), OK);
    // Memory that rested for the checks' sake is used again, once the chunk that its block is from is full.
    assert!((0..2000).any(|_| alloc(64) == freed));
    cuox_softgpu::set_checks_memory(true);
    assert_eq!(run(m, "fill", at, 32, 32, 0), ILLEGAL_ADDRESS);
    drop(c);
}

/// Reads a texture of linear memory; copies in bulk from global memory to shared memory and back, as many bytes as it
/// is told.
const OTHERS: &str = ".version 8.0\n.target sm_90\n.address_size 64
.visible .entry fetch(.param .u64 texture, .param .u64 out) {
    .reg .b32 %i<4>; .reg .f32 %f<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [texture]; ld.param.u64 %d1, [out]; mov.u32 %i0, %tid.x;
    tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, {%i0}];
    mul.wide.u32 %d2, %i0, 4; add.s64 %d2, %d1, %d2; st.global.f32 [%d2], %f0; ret;
}
.visible .entry bulk(.param .u64 p, .param .u32 bytes) {
    .reg .pred %p; .reg .b32 %i<4>; .reg .b64 %d<4>;
    .shared .align 16 .b8 room[4096]; .shared .align 8 .b64 barrier;
    ld.param.u64 %d0, [p]; ld.param.u32 %i1, [bytes]; mov.u32 %i2, %tid.x;
    setp.ne.u32 %p, %i2, 0; @%p bra Out;
    mov.u32 %i0, barrier; mbarrier.init.shared.b64 [%i0], 1; mov.u32 %i3, room;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%i3], [%d0], %i1, [%i0];
    cp.async.bulk.global.shared::cta.bulk_group [%d0], [%i3], %i1;
Out: ret;
}\n";

#[test]
fn textures_and_bulk_copies_are_checked() {
    if !is_child() {
        return in_engines("textures_and_bulk_copies_are_checked", "memory");
    }
    {
        let _c = Context::new();
        let values: Vec<f32> = (0..128).map(|n| n as f32).collect();
        let at = upload(&values);
        let mut out = alloc(512);
        let mut resource = CUDA_RESOURCE_DESC {
            resType: CUresourcetype::CU_RESOURCE_TYPE_LINEAR,
            ..CUDA_RESOURCE_DESC::default()
        };
        resource.res.linear.devPtr = at;
        resource.res.linear.format = CUarray_format::CU_AD_FORMAT_FLOAT;
        resource.res.linear.numChannels = 1;
        resource.res.linear.sizeInBytes = 512;
        let mut texture = 0;
        let description = CUDA_TEXTURE_DESC::default();
        ok!(cuTexObjectCreate(
            &mut texture,
            &resource,
            &description,
            std::ptr::null()
        ));
        let f = function(module(OTHERS), "fetch");
        let mut values = [pointer(&mut texture), pointer(&mut out)];
        assert_eq!(launch(f, 1, 128, CUstream::null(), &mut values), OK);
        ok!(cuCtxSynchronize());
        assert_eq!(download::<f32>(out, 128)[127], 127.0);
        ok!(cuMemFree_v2(at));
        assert_eq!(launch(f, 1, 128, CUstream::null(), &mut values), OK);
        code!(ILLEGAL_ADDRESS, cuCtxSynchronize());
        let said = cuox_softgpu::last_fault();
        assert!(
            said.contains("Invalid access to texture object")
                && said.contains("which has been freed"),
            "{said}"
        );
    }
    let _c = Context::new();
    let mut at = alloc(1000);
    let f = function(module(OTHERS), "bulk");
    for (mut bytes, code) in [(992u32, OK), (1008, ILLEGAL_ADDRESS)] {
        let mut values = [pointer(&mut at), pointer(&mut bytes)];
        assert_eq!(launch(f, 1, 32, CUstream::null(), &mut values), OK);
        code!(code, cuCtxSynchronize());
    }
    let said = cuox_softgpu::last_fault();
    assert!(
        said.contains("read of a bulk copy of size 1008")
            && said.contains("thread (0, 0, 0)")
            && said.contains("the last 8 of the 1008 bytes"),
        "{said}"
    );
}
