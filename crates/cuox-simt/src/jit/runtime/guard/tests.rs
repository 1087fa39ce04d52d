use super::*;
use crate::{Engine, Host, Launch, Module, Program};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

thread_local! {
    static PANICS: Cell<Option<Helper>> = const { Cell::new(None) };
}

/// Panics in the helper that the test on this thread has named.
pub(super) fn panic_if_asked(helper: Helper) {
    if PANICS.get() == Some(helper) {
        panic!("as the test asked");
    }
}

/// Host that reports one allocation covering all memory.
struct AnyHost {
    checks: bool,
}

impl Host for AnyHost {
    fn print(&self, _: &[u8]) {}
    fn malloc(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) {}
    fn checks_memory(&self) -> bool {
        self.checks
    }
    fn allocation(&self, address: u64) -> Option<(u64, u64)> {
        Some((address & !0xffff, 0x10000))
    }
}

/// Kernel whose code calls a helper, launched repeatedly on this thread.
struct Case {
    module: Module,
    memory: u64,
    threads: u32,
    engine: Engine,
    checks: bool,
}

impl Case {
    fn new(helper: Helper) -> Case {
        let fns = "ld.global.u32 %r1, [%d1]; fns.b32 %r1, %r1, 0, 1; st.global.u32 [%d1], %r1;";
        let inc = "atom.global.inc.u32 %r1, [%d2], 9; st.global.u32 [%d1], %r1;";
        let count = "red.global.add.u32 [%d1], 3;";
        let vector = "red.global.add.v2.f32 [%d1], {%f1, %f1};";
        let allocate = "{ .param .b64 p; .param .b64 q; st.param.b64 [p], 8; call.uni (q), malloc, (p); ld.param.b64 %d3, [q]; }
            st.global.u64 [%d1], %d3;";
        let fetch = "cvt.u64.u32 %d3, %r9; tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%d3, {%r9}];
            st.global.u32 [%d1], %r1;";
        let exchange = "mov.b128 %q1, {%d1, %d2}; atom.global.exch.b128 %q2, [%d2], %q1;";
        let warp = "match.any.sync.b32 %r1, %r9, 0xffffffff; st.global.u32 [%d1], %r1;";
        let clock = "mov.u64 %d3, %clock64; st.global.u64 [%d1], %d3;";
        let store =
            "ld.global.u32 %r1, [%d1]; mad.wide.u32 %d3, %r1, 4, %d2; st.global.u32 [%d3], %r9;";
        let (body, threads, engine) = match helper {
            Helper::Eval => (fns, 1, Engine::JitNarrow),
            Helper::EvalFour => (fns, 32, Engine::JitNarrow),
            Helper::EvalLanes => (fns, 32, Engine::Jit),
            Helper::WarpOp => (warp, 32, Engine::Jit),
            Helper::Syscall | Helper::PendingFault => (allocate, 32, Engine::Jit),
            Helper::Atomic => (inc, 1, Engine::JitNarrow),
            Helper::AtomicLanes => (inc, 32, Engine::Jit),
            Helper::AddLater => (count, 32, Engine::Jit),
            Helper::WideAtomic => (exchange, 1, Engine::JitNarrow),
            Helper::Clock => (clock, 32, Engine::Jit),
            Helper::ImageOfFour => (fetch, 32, Engine::JitNarrow),
            Helper::ImageLanes => (fetch, 32, Engine::Jit),
            Helper::ImageOfOne => (fetch, 1, Engine::JitNarrow),
            Helper::CheckOne => (store, 1, Engine::JitNarrow),
            Helper::AtomicNeighbours => (vector, 32, Engine::Jit),
            Helper::CheckLine | Helper::CheckLanes => (store, 32, Engine::Jit),
        };
        let text = format!(
            ".version 8.6\n.target sm_90\n.address_size 64
            .extern .func (.param .b64 q) malloc (.param .b64 p);
            .entry k(.param .u64 out) {{
                .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .b128 %q<4>; .reg .f32 %f<4>;
                ld.param.u64 %d2, [out]; mov.u32 %r9, %tid.x; mad.wide.u32 %d1, %r9, 16, %d2;
                {body} ret;
            }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let memory = space::reserve(65536, 65536).expect("address space");
        // SAFETY: the memory has just been reserved, and nothing else refers to it.
        unsafe { space::commit(memory, 65536) }.expect("memory");
        // SAFETY: the module has no variables.
        let module = unsafe { Module::load(Arc::new(program), Vec::new()) }.expect("a module");
        Case {
            module,
            memory,
            threads,
            engine,
            checks: matches!(
                helper,
                Helper::CheckOne | Helper::CheckLine | Helper::CheckLanes
            ),
        }
    }

    /// Launches one block, which runs on this thread.
    fn launch(&self) -> Result<(), Fault> {
        let kernel = self.module.kernel("k").expect("a kernel");
        kernel.launch(&Launch {
            grid: [1; 3],
            block: [self.threads, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            stack: 0,
            params: &self.memory.to_le_bytes(),
            cooperative: false,
            resident: 1,
            multiprocessors: &[],
            timeout: None,
            engine: self.engine,
            cancel: &AtomicBool::new(false),
            host: &AnyHost {
                checks: self.checks,
            },
        })
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        // SAFETY: nothing points to this memory any more.
        unsafe {
            space::decommit(self.memory, 65536);
            space::unreserve(self.memory, 65536);
        }
    }
}

#[test]
fn a_helper_that_panics_ends_its_kernel_and_no_other() {
    for &helper in Helper::ALL {
        let wide_only = matches!(
            helper,
            Helper::EvalLanes
                | Helper::CheckLanes
                | Helper::AtomicNeighbours
                | Helper::AddLater
                | Helper::ImageLanes
        );
        if wide_only && !crate::jit::has_wide() {
            continue;
        }
        let case = Case::new(helper);
        let textures = matches!(
            helper,
            Helper::ImageOfFour | Helper::ImageOfOne | Helper::ImageLanes
        );
        for _ in 0..2 {
            PANICS.set(Some(helper));
            let fault = case.launch().expect_err(helper.name());
            PANICS.set(None);
            assert_eq!(fault.kind, FaultKind::Internal, "{helper:?}: {fault}");
            let named = format!("internal error: `{}`, called", helper.name());
            assert!(fault.message.starts_with(&named), "{fault}");
            assert!(fault.message.ends_with("as the test asked"), "{fault}");
            match case.launch() {
                Ok(()) => assert!(!textures),
                // There is no texture.
                Err(fault) => assert!(textures && fault.kind != FaultKind::Internal, "{fault}"),
            }
        }
    }
}
