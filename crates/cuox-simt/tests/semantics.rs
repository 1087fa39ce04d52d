//! PTX snippets with known results, on both engines: the lowering of operands, guards, widths and calls.

use cuox_simt::{Engine, Host, Launch, Module, Program, space};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

struct NoHost;

impl Host for NoHost {
    fn print(&self, _: &[u8]) {}
    fn malloc(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) {}
}

const HEAD: &str = ".version 8.6\n.target sm_90\n.address_size 64\n";
const REGS: &str = "
    .reg .pred %p<10>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %d<20>; .reg .b128 %q<4>;
    .reg .f32 %f<20>; .reg .f64 %g<10>; .reg .b8 %c<4>;
    ld.param.u64 %d19, [out];\n";

/// Runs a module whose kernel `k(out)` writes 64-bit words; returns the first `count` of them.
fn run_module(text: &str, count: usize, engine: Engine) -> Vec<u64> {
    let program = match Program::from_ptx(text) {
        Ok(program) => Arc::new(program),
        Err(e) => panic!("{e}\n{text}"),
    };
    let page = 65536u64;
    let variables = program.variables().len() as u64;
    let base = space::reserve(page * (1 + variables), page).expect("address space");
    // SAFETY: just reserved, and no other code knows the range.
    unsafe { space::commit(base, page * (1 + variables)) }.expect("memory");
    let addresses = (0..variables).map(|i| base + page * (i + 1)).collect();
    // SAFETY: each variable has a page, more than any test's variable takes.
    let module = unsafe { Module::load(program, addresses) }.expect("variables are placed");
    let kernel = module
        .kernel("k")
        .unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let cancel = AtomicBool::new(false);
    let launch = Launch {
        grid: [1; 3],
        block: [1; 3],
        cluster: None,
        dynamic_shared: 64,
        stack: 0,
        params: &base.to_le_bytes(),
        cooperative: false,
        resident: 1,
        multiprocessors: &[],
        timeout: None,
        engine,
        cancel: &cancel,
        host: &NoHost,
    };
    kernel
        .launch(&launch)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    // SAFETY: the page is committed, the grid has ended.
    let out = (0..count)
        .map(|i| unsafe { (base as *const u64).add(i).read() })
        .collect();
    // SAFETY: no pointer into the range is left.
    unsafe {
        space::decommit(base, page * (1 + variables));
        space::unreserve(base, page * (1 + variables));
    }
    out
}

/// Runs on both engines; kernels that the JIT leaves to the interpreter run there twice.
fn module_gives(text: &str, want: &[u64]) {
    for engine in [Engine::Interpreter, Engine::Auto] {
        let got = run_module(text, want.len(), engine);
        assert_eq!(
            got, want,
            "{engine:?}: {got:#x?} instead of {want:#x?}\n{text}"
        );
    }
}

/// The body leaves its result in `result`, a 32-bit (or other) register, stored as `.b<bits>`.
fn gives(body: &str, bits: u32, result: &str, want: u64) {
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 out) {{{REGS}{body}\n st.global.b{bits} [%d19], {result};\n ret;\n}}"
    );
    module_gives(&text, &[want]);
}

fn gives32(body: &str, want: u32) {
    gives(body, 32, "%r0", u64::from(want));
}

fn gives64(body: &str, want: u64) {
    gives(body, 64, "%d0", want);
}

#[test]
fn constants_take_the_type_of_their_place() {
    gives32(
        "mov.f32 %f0, 0d3FF8000000000000; mov.b32 %r0, %f0;",
        1.5f32.to_bits(),
    );
    gives64(
        "mov.f64 %g0, 0f3FC00000; mov.b64 %d0, %g0;",
        1.5f64.to_bits(),
    );
    gives32("mov.b32 %r0, 0f3FC00000;", 1.5f32.to_bits());
    gives32("mov.u32 %r0, -1;", u32::MAX);
    gives64("mov.s64 %d0, -2;", -2i64 as u64);
    gives32("mov.u32 %r0, WARP_SZ;", 32);
}

#[test]
fn widths_are_cut_and_extended() {
    gives32(
        "mov.u32 %r1, 0x1ff; cvt.u8.u32 %h0, %r1; cvt.u32.u16 %r0, %h0;",
        0xff,
    );
    gives32(
        "mov.u32 %r1, 0x180; cvt.s8.s32 %h0, %r1; cvt.s32.s16 %r0, %h0;",
        -128i32 as u32,
    );
    gives32("mov.u16 %h0, 0x1280; cvt.s32.s8 %r0, %h0;", -128i32 as u32);
    gives64(
        "mov.u32 %r1, 0x80000000; cvt.s64.s32 %d0, %r1;",
        0xffff_ffff_8000_0000,
    );
    gives32("mov.u32 %r1, 300; cvt.sat.u8.u32 %r0, %r1;", 255);
    gives64(
        "mov.u32 %r1, 0xfffffffd; mul.wide.s32 %d0, %r1, 5;",
        -15i64 as u64,
    );
    gives64(
        "mov.u32 %r1, 0xfffffffd; mov.u64 %d1, 7; mad.wide.u32 %d0, %r1, 5, %d1;",
        0xffff_fffdu64 * 5 + 7,
    );
}

#[test]
fn guards_keep_the_old_value() {
    let pred = "mov.u32 %r1, 3; setp.eq.u32 %p1, %r1, 3;";
    gives32(&format!("{pred} mov.u32 %r0, 1; @%p1 mov.u32 %r0, 2;"), 2);
    gives32(&format!("{pred} mov.u32 %r0, 1; @!%p1 mov.u32 %r0, 2;"), 1);
    gives32(
        &format!("{pred} mov.u32 %r0, 1; @!%p1 add.u32 %r0, %r0, 5; @%p1 add.u32 %r0, %r0, 7;"),
        8,
    );
    // The guard is the result.
    gives32(
        &format!("{pred} @%p1 setp.ne.u32 %p1, %r1, 3; selp.u32 %r0, 1, 0, %p1;"),
        0,
    );
    // Two results under one guard.
    gives32(
        &format!(
            "{pred} mov.u32 %r2, 0x20001; mov.u16 %h1, 9; mov.u16 %h2, 9; @!%p1 mov.b32 {{%h1, %h2}}, %r2; mov.b32 %r0, {{%h1, %h2}};"
        ),
        0x0009_0009,
    );
    // Effects are skipped.
    gives32(
        &format!(
            "{pred} st.global.u32 [%d19+4], 0; @!%p1 bra L; mov.u32 %r0, 5; @%p1 bra M; L: mov.u32 %r0, 6; M:"
        ),
        5,
    );
    gives32(
        &format!(
            "{pred} mov.u32 %r0, 4; st.global.u32 [%d19+8], 11; @!%p1 ld.global.u32 %r0, [%d19+8];"
        ),
        4,
    );
    gives32(
        &format!(
            "{pred} mov.u32 %r0, 4; st.global.u32 [%d19+8], 11; @%p1 ld.global.u32 %r0, [%d19+8];"
        ),
        11,
    );
}

#[test]
fn vectors_pack_and_unpack() {
    gives32(
        "mov.u16 %h0, 0x1234; mov.u16 %h1, 0x5678; mov.b32 %r0, {%h0, %h1};",
        0x5678_1234,
    );
    gives64("mov.b64 %d0, {0x1, 0x2};", 0x2_0000_0001);
    gives32(
        "mov.u64 %d1, 0x1122334455667788; mov.b64 {_, %r0}, %d1;",
        0x1122_3344,
    );
    gives32(
        "mov.u64 %d1, 0x1122334455667788; mov.b64 {%h0, %h1, %h2, %h3}, %d1; cvt.u32.u16 %r0, %h2;",
        0x3344,
    );
    gives64(
        "mov.u64 %d1, 5; mov.u64 %d2, 6; mov.b128 %q0, {%d1, %d2}; mov.b128 {%d3, %d0}, %q0;",
        6,
    );
    // The source is a destination.
    gives32(
        "mov.u32 %r0, 0x00050003; mov.b32 {%h1, %h2}, %r0; cvt.u32.u16 %r1, %h1; cvt.u32.u16 %r2, %h2; sub.u32 %r0, %r2, %r1;",
        2,
    );
}

#[test]
fn carries_chain() {
    gives64(
        "mov.u32 %r1, 0xffffffff; mov.u32 %r2, 1; add.cc.u32 %r3, %r1, 1; addc.u32 %r4, %r2, 2; mov.b64 %d0, {%r3, %r4};",
        4 << 32,
    );
    gives64(
        "mov.u32 %r1, 0; sub.cc.u32 %r1, %r1, 1; subc.cc.u32 %r2, 5, 2; subc.u32 %r3, 9, 9; mov.b64 %d0, {%r1, %r2};",
        0x2_ffff_ffff,
    );
    gives32(
        "mov.u32 %r1, 0x80000000; mad.lo.cc.u32 %r2, %r1, 1, %r1; madc.hi.u32 %r0, %r1, 4, 10;",
        13,
    );
    // A guarded sum does not change the flag if the guard is false.
    gives32(
        "setp.eq.u32 %p1, 1, 2; mov.u32 %r1, 0xffffffff; add.cc.u32 %r2, %r1, 1; @%p1 add.cc.u32 %r2, 1, 1; addc.u32 %r0, 0, 0;",
        1,
    );
}

#[test]
fn comparisons_and_selections() {
    gives32(
        "setp.lt.and.s32 %p1|%p2, -1, 0, 1; selp.u32 %r1, 2, 0, %p1; selp.u32 %r2, 1, 0, %p2; or.b32 %r0, %r1, %r2;",
        2,
    );
    gives32(
        "mov.f32 %f1, 0f7FC00000; setp.ltu.f32 %p1, %f1, 0f00000000; selp.u32 %r0, 1, 0, %p1;",
        1,
    );
    gives32("setp.hi.u32 %p1, -1, 1; selp.u32 %r0, 1, 0, %p1;", 1);
    gives32("set.gt.u32.s32 %r0, 3, -3;", u32::MAX);
    gives32(
        "set.gt.f32.s32 %f0, 3, -3; mov.b32 %r0, %f0;",
        1f32.to_bits(),
    );
    gives32("slct.u32.s32 %r0, 7, 8, -1;", 8);
    gives32("slct.u32.f32 %r0, 7, 8, 0f80000000;", 7);
    gives32(
        "setp.ne.u32 %p1, 1, 1; setp.eq.or.u32 %p2, 1, 2, !%p1; selp.u32 %r0, 1, 0, %p2;",
        1,
    );
}

#[test]
fn bits() {
    gives32("lop3.b32 %r0, 0xf0, 0xcc, 0xaa, 0x96;", 0xf0 ^ 0xcc ^ 0xaa);
    gives32(
        "lop3.or.b32 %r1|%p1, 0xf0, 0x0f, 0, 0x80, 0; selp.u32 %r0, 1, 2, %p1;",
        2,
    );
    gives32("cnot.b32 %r0, 0;", 1);
    gives32("mul24.lo.s32 %r0, 0xffffff, 3;", -3i32 as u32);
    gives32("mul24.hi.u32 %r0, 0xffffff, 0x10000;", 0x00ff_ffff);
    gives32("sad.s32 %r0, -3, 4, 10;", 17);
    gives32("shf.l.wrap.b32 %r0, 0x80000000, 1, 33;", 3);
    gives32("shf.r.clamp.b32 %r0, 1, 2, 32;", 2);
    gives32("bfe.s32 %r0, 0xf0, 4, 4;", u32::MAX);
    gives32("prmt.b32 %r0, 0x33221100, 0x77665544, 0x7410;", 0x7744_1100);
    gives32("popc.b64 %r0, 0xff00ff;", 16);
    gives32("cvt.pack.sat.u8.s32.b32 %r0, 300, -5, 0x1234;", 0x1234_ff00);
    gives32(
        "mov.u32 %r1, 0x3f801fff; mov.b32 %f1, %r1; cvt.rna.tf32.f32 %r0, %f1;",
        0x3f80_2000,
    );
    gives32(
        "vabsdiff4.u32.u32.u32.add %r0, 0x01020304, 0x04030201, 100;",
        108,
    );
    gives32(
        "vadd4.u32.u32.u32 %r0, 0x01ff0304, 0x04030201, 0;",
        0x0502_0505,
    );
    gives32(
        "mov.b32 %r38, 0xffff0001; mov.b32 %r39, 0x00010001; add.u16x2 %r0, %r38, %r39;",
        2,
    );
}

#[test]
fn floats() {
    gives32(
        "mov.f32 %f1, 0fC0000000; max.xorsign.abs.f32 %f0, %f1, 0f3F800000; mov.b32 %r0, %f0;",
        (-2f32).to_bits(),
    );
    gives32(
        "mov.f32 %f1, 0f3F000000; fma.rn.sat.f32 %f0, %f1, 0f40800000, %f1; mov.b32 %r0, %f0;",
        1f32.to_bits(),
    );
    gives32("cvt.rzi.s32.f32 %r0, 0fC02CCCCD;", -2i32 as u32);
    gives32(
        "cvt.rmi.f32.f32 %f0, 0fC02CCCCD; mov.b32 %r0, %f0;",
        (-3f32).to_bits(),
    );
    gives32(
        "mov.b32 %r1, 0x3c004000; fma.rn.f16x2 %r0, %r1, %r1, %r1;",
        0x4000_4600,
    );
    gives32("cvt.rn.f16x2.f32 %r0, 0f3F800000, 0f40000000;", 0x3c00_4000);
    gives32(
        "mov.b16 %h1, 0xc000; mov.b16 %h2, 0x3c00; fma.rn.relu.f16 %h0, %h1, %h2, %h2; cvt.u32.u16 %r0, %h0;",
        0,
    );
    gives32(
        "testp.infinite.f32 %p1, 0f7F800000; selp.u32 %r0, 1, 0, %p1;",
        1,
    );
    gives32(
        "copysign.f32 %f0, 0fBF800000, 0f40000000; mov.b32 %r0, %f0;",
        (-2f32).to_bits(),
    );
}

#[test]
fn memory_and_addresses() {
    gives32(
        ".shared .align 8 .b8 s[32]; st.shared.u32 [s+4], 7; mov.u64 %d1, s; cvta.shared.u64 %d2, %d1; ld.u32 %r0, [%d2+4];",
        7,
    );
    gives32(
        ".local .align 8 .b8 a[8]; .local .align 8 .b8 b[8]; st.local.u32 [a], 3; st.local.u32 [b], 4; mov.u64 %d1, b; cvta.local.u64 %d2, %d1; ld.u32 %r1, [%d2]; sub.u64 %d2, %d2, 16; cvta.to.local.u64 %d3, %d2; ld.local.u32 %r2, [%d3]; shl.b32 %r2, %r2, 4; or.b32 %r0, %r1, %r2;",
        0x34,
    );
    gives32(
        ".shared .b32 s; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; isspacep.shared %p1, %d1; isspacep.global %p2, %d1; isspacep.global %p3, %d19; selp.u32 %r1, 4, 0, %p1; selp.u32 %r2, 2, 0, %p2; selp.u32 %r3, 1, 0, %p3; add.u32 %r0, %r1, %r2; add.u32 %r0, %r0, %r3;",
        5,
    );
    gives32(
        ".local .b32 s; mov.u64 %d1, s; cvta.local.u64 %d1, %d1; isspacep.local %p1, %d1; isspacep.local %p2, %d19; selp.u32 %r1, 2, 0, %p1; selp.u32 %r2, 1, 0, %p2; add.u32 %r0, %r1, %r2;",
        2,
    );
    gives32(
        "st.global.v2.b16 [%d19+8], {0x11, 0x22}; ld.global.s8 %r0, [%d19+10];",
        0x22,
    );
    gives32(
        "st.global.b8 [%d19+8], 0x80; ld.global.s8 %r0, [%d19+8];",
        -128i32 as u32,
    );
    gives64(
        "mov.u64 %d1, out; cvta.param.u64 %d2, %d1; ld.u64 %d3, [%d2]; sub.u64 %d0, %d3, %d19;",
        0,
    );
    gives32(
        "st.global.u32 [%d19+8], 5; atom.global.add.u32 %r1, [%d19+8], 3; red.global.max.s32 [%d19+8], 2; atom.global.cas.b32 %r2, [%d19+8], 8, 9; ld.global.u32 %r3, [%d19+8]; mad.lo.u32 %r0, %r1, 100, %r3;",
        509,
    );
    // All 16 bytes, then the first 5 followed by zeros.
    gives64(
        ".shared .align 16 .b8 s[16]; mov.u64 %d1, 0x1122334455667788; st.global.u64 [%d19+16], %d1; st.global.u64 [%d19+24], %d1; cp.async.ca.shared.global [s], [%d19+16], 16; ld.shared.u64 %d0, [s+8];",
        0x1122_3344_5566_7788,
    );
    gives64(
        ".shared .align 16 .b8 s[16]; mov.u64 %d1, 0x1122334455667788; st.global.u64 [%d19+16], %d1; st.shared.u64 [s], %d1; mov.u32 %r1, 5; cp.async.ca.shared.global [s], [%d19+16], 16, %r1; cp.async.wait_all; ld.shared.u64 %d0, [s];",
        0x44_5566_7788,
    );
}

#[test]
fn barriers_in_memory() {
    let word = ".shared .b64 b; mbarrier.init.shared.b64 [b], 2;";
    // Two arrivals complete a phase; only then does its state test true.
    gives32(
        &format!(
            "{word} mbarrier.arrive.shared.b64 %d1, [b]; mbarrier.test_wait.shared.b64 %p1, [b], %d1; mbarrier.arrive.shared.b64 _, [b]; mbarrier.try_wait.shared.b64 %p2, [b], %d1; selp.u32 %r1, 2, 0, %p1; selp.u32 %r2, 1, 0, %p2; or.b32 %r0, %r1, %r2;"
        ),
        1,
    );
    gives32(
        &format!(
            "{word} mbarrier.arrive.shared.b64 %d1, [b], 2; mbarrier.arrive.shared.b64 %d2, [b]; mbarrier.pending_count.b64 %r1, %d2; mbarrier.test_wait.parity.shared.b64 %p1, [b], 0; mbarrier.test_wait.parity.shared.b64 %p2, [b], 1; selp.u32 %r2, 20, 0, %p1; selp.u32 %r3, 10, 0, %p2; add.u32 %r0, %r1, %r2; add.u32 %r0, %r0, %r3;"
        ),
        22,
    );
    // A thread that drops out is not counted in the next phase.
    gives32(
        &format!(
            "{word} mbarrier.arrive_drop.shared.b64 %d1, [b]; mbarrier.arrive.shared.b64 %d1, [b]; mbarrier.arrive.shared.b64 %d2, [b]; mbarrier.pending_count.b64 %r1, %d2; mbarrier.test_wait.shared.b64 %p1, [b], %d2; selp.u32 %r2, 10, 0, %p1; add.u32 %r0, %r1, %r2;"
        ),
        11,
    );
}

#[test]
fn dynamic_shared_memory_follows_the_static() {
    let text = format!(
        "{HEAD}.extern .shared .align 16 .b8 dyn[];\n.shared .b32 unused[100];\n.visible .entry k(.param .u64 out) {{{REGS}
         .shared .b32 s[3]; mov.u64 %d1, dyn; mov.u64 %d2, s; sub.u64 %d3, %d1, %d2; st.global.u64 [%d19], %d3; ret; }}"
    );
    module_gives(&text, &[16]);
}

#[test]
fn switches_and_scopes() {
    gives32(
        "mov.u32 %r1, 1; t: .branchtargets A, B, C; brx.idx %r1, t; A: mov.u32 %r0, 10; bra E; B: mov.u32 %r0, 20; bra E; C: mov.u32 %r0, 30; E:",
        20,
    );
    gives32(
        "mov.u32 %r1, 4; { .reg .b32 %r1; mov.u32 %r1, 9; { .reg .b32 x<2>; add.u32 x1, %r1, 1; mov.u32 %r2, x1; } } add.u32 %r0, %r1, %r2;",
        14,
    );
    gives32(
        "mov.u32 %r0, 0; mov.u32 %r1, 0; L: add.u32 %r0, %r0, %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 10; @%p1 bra L;",
        45,
    );
}

const CALLEES: &str = "
.func (.param .b32 r) inc(.param .b32 a) { .reg .b32 %r<3>; .local .b32 l[4]; ld.param.u32 %r1, [a];
  st.local.u32 [l+4], %r1; ld.local.u32 %r1, [l+4]; add.u32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) fact(.param .b32 n) { .reg .b32 %r<5>; .reg .pred %p; .local .b32 l; ld.param.u32 %r1, [n];
  mov.u32 %r3, 1; setp.lt.u32 %p, %r1, 2; @%p bra D; st.local.u32 [l], %r1; sub.u32 %r2, %r1, 1;
  { .param .b32 a; st.param.b32 [a], %r2; .param .b32 o; call (o), fact, (a); ld.param.b32 %r4, [o]; }
  ld.local.u32 %r1, [l]; mul.lo.u32 %r3, %r4, %r1; D: st.param.b32 [r], %r3; ret; }
.func (.reg .u32 r) old(.reg .u32 a, .reg .u32 b) { sub.u32 r, a, b; ret; }
.func (.param .b32 r) byte2(.param .align 4 .b8 s[8], .param .b32 i) { .reg .b64 %d<4>; .reg .b32 %r<3>;
  mov.b64 %d1, s; ld.param.u32 %r1, [i]; cvt.u64.u32 %d2, %r1; add.u64 %d3, %d1, %d2; ld.local.u8 %r2, [%d3]; st.param.b32 [r], %r2; ret; }
.func (.param .b64 r) pair(.param .align 8 .b8 s[8]) { .reg .b64 %d<2>; ld.param.b64 %d1, [s]; st.param.b64 [r], %d1; ret; }
.global .align 8 .u64 table[2] = {inc, fact};
.global .align 8 .u64 self = generic(table)+8;
.global .align 1 .b8 split[3] = {0xFF(self), 0xFF00(self), 7};
";

fn with_callees(body: &str, want: u64) {
    let text = format!(
        "{HEAD}{CALLEES}.visible .entry k(.param .u64 out) {{{REGS}{body}\n cvt.u64.u32 %d0, %r0; st.global.b64 [%d19], %d0;\n ret;\n}}"
    );
    module_gives(&text, &[want]);
}

#[test]
fn calls() {
    let call = |f: &str, n: u32| {
        format!(
            "{{ .param .b32 a; st.param.b32 [a], {n}; .param .b32 o; call (o), {f}, (a); ld.param.b32 %r0, [o]; }}"
        )
    };
    with_callees(&call("inc", 4), 5);
    with_callees(&call("fact", 6), 720);
    with_callees(
        &format!(
            "{} {{ .param .b32 a; st.param.b32 [a], %r0; .param .b32 o; call (o), inc, (a); ld.param.b32 %r0, [o]; }}",
            call("fact", 5)
        ),
        121,
    );
    with_callees("call (%r0), old, (9, 5);", 4);
    with_callees(
        "{ .param .align 4 .b8 s[8]; .param .b32 i; .param .b32 o; st.param.v2.b32 [s], {0x11223344, 0x55667788}; st.param.b32 [i], 5; call (o), byte2, (s, i); ld.param.b32 %r0, [o]; }",
        0x77,
    );
    // Stored in two halves and read as a whole: the slot is in local memory.
    with_callees(
        "{ .param .align 8 .b8 s[8]; .param .b64 o; st.param.b32 [s], 3; st.param.b32 [s+4], 1; call (o), pair, (s); ld.param.b64 %d1, [o]; } shr.u64 %d1, %d1, 31; cvt.u32.u64 %r0, %d1;",
        2,
    );
    for (n, want) in [(0, 7), (1, 720)] {
        with_callees(
            &format!(
                "mov.u64 %d1, table; ld.global.u64 %d2, [%d1+{}]; {{ .param .b32 a; st.param.b32 [a], 6; .param .b32 o; p: .callprototype (.param .b32 _) _ (.param .b32 _); call (o), %d2, (a), p; ld.param.b32 %r0, [o]; }}",
                n * 8
            ),
            want,
        );
    }
    with_callees(
        "ld.global.u64 %d1, [self]; mov.u64 %d2, table; sub.u64 %d3, %d1, %d2; cvt.u32.u64 %r0, %d3;",
        8,
    );
    with_callees(
        "mov.u64 %d1, self; and.b64 %d1, %d1, 0xffff; ld.global.u16 %r1, [split]; cvt.u64.u32 %d2, %r1; sub.u64 %d3, %d1, %d2; cvt.u32.u64 %r1, %d3; ld.global.u8 %r2, [split+2]; add.u32 %r0, %r1, %r2;",
        7,
    );
}

#[test]
fn what_is_missing_is_named() {
    let fails = |body: &str, what: &str| {
        let text = format!(
            "{HEAD}.extern .func nowhere;\n.visible .entry k(.param .u64 out) {{{REGS}{body} ret; }}\n.visible .entry fine() {{ ret; }}"
        );
        let program = match Program::from_ptx(&text) {
            Ok(program) => program,
            Err(e) => panic!("{e}"),
        };
        let error = program.lower("k").expect_err(body).to_string();
        assert!(error.contains(what), "{error}");
        assert!(
            program.lower("fine").is_ok(),
            "one kernel's trouble is its own"
        );
    };
    fails("call nowhere;", "`nowhere`");
    fails("add.f32x2 %d0, %d1, %d2;", "sm_100");
}
