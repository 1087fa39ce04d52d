//! Compiled kernels: each part of a kernel's machine code is generated from the plan, or loaded from the cache, when it
//! is first needed, and then placed in executable memory.

use crate::analysis::uniformity::Uniformity;
use crate::env::BlockTime;
use crate::ir::BlockId;
use crate::jit::avx512::WideCode;
use crate::jit::code::cache::Cache;
use crate::jit::code::object::Object;
use crate::jit::code::routine::Code;
use crate::jit::emit::generator::{Gen, build};
use crate::jit::gang::{self, Style};
use crate::jit::llvm;
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::{Env, Gang, Home};
use crate::jit::runtime::link;
use crate::jit::thread;
use crate::passes::hot_cold::CodePart;
use crate::sys::heap;
use cuox_progress::Progress;
use cuox_ptx::demangle::readable_name;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time after which a compilation is one that took much memory.
const LONG: Duration = Duration::from_millis(500);

/// Gang code: `(env, gang, entry) -> exit code`.
pub type GangFn = unsafe extern "C" fn(*mut Env, *mut Gang, u64) -> u64;
/// Thread code: runs one block for the lanes in the mask, and further blocks they reach. `(env, gang of one warp,
/// block, mask) -> taken lanes`, with the last block above bit 32, or a fault if that bit is set.
pub type ThreadsFn = unsafe extern "C" fn(*mut Env, *mut Gang, u64, u64) -> u64;

/// One part of the gang code.
pub struct GangCode {
    /// Runs a gang.
    pub run: GangFn,
    /// Addresses of wide functions, which `run` refers to by index.
    pub wide: Vec<usize>,
    _code: Code,
}

/// Thread code.
pub struct ThreadCode {
    /// Runs a block.
    pub run: ThreadsFn,
    _code: Code,
}

/// Machine code of a kernel. Each part is compiled when it is first needed: in most kernels gangs never diverge, and
/// blocks of less than a warp have no gangs.
pub struct Compiled {
    /// Plan that the code is compiled from.
    pub plan: Plan,
    cache: &'static Cache,
    /// Results of [`Compiled::non_varying_homes`], by block.
    non_varying_homes: Vec<OnceLock<Box<[Home]>>>,
    /// The hot and the cold part.
    gang: [OnceLock<Result<GangCode, String>>; 2],
    thread: OnceLock<Result<ThreadCode, String>>,
    pub(crate) block_time: BlockTime,
}

/// Generates a part of a plan's code.
pub(crate) fn generate(plan: &Plan, part: CodePart) -> Result<Object, String> {
    if part == CodePart::Hot
        && let Some(module) = plan.take_ir().or_else(|| llvm::warp::gang_code(plan))
    {
        let routines = vec![llvm::compile(&module)?];
        return Ok(Object { routines });
    }
    assemble(plan, part, Style::Memory)
}

fn assemble(plan: &Plan, part: CodePart, style: Style) -> Result<Object, String> {
    let mut wide = Vec::new();
    let main = match part {
        CodePart::Hot | CodePart::Cold => {
            let generate = |g: &mut Gen| gang::generate(g, plan, part, style).map(drop);
            build(3, &plan.numbers, &mut wide, generate)?
        }
        CodePart::Thread => build(4, &plan.numbers, &mut wide, |g| thread::generate(g, plan))?,
    };
    let mut routines = vec![main];
    for code in wide {
        routines.push(match code {
            WideCode::Machine(routine) => routine,
            WideCode::Llvm(source) => {
                let module = source.module().ok_or("LLVM IR has no equal for it")?;
                llvm::compile(&module)?
            }
        });
    }
    Ok(Object { routines })
}

impl Compiled {
    /// Creates a kernel without code. Its code is loaded from `cache` or compiled later.
    pub fn new(plan: Plan, cache: &'static Cache) -> Compiled {
        Compiled {
            non_varying_homes: plan.func.blocks.iter().map(|_| OnceLock::new()).collect(),
            plan,
            cache,
            gang: Default::default(),
            thread: OnceLock::new(),
            block_time: BlockTime::default(),
        }
    }

    /// Creates a kernel whose hot gang code was made before.
    pub fn with_hot(plan: Plan, cache: &'static Cache, bytes: &[u8]) -> Result<Compiled, String> {
        let object = Object::decode(bytes, &plan.numbers);
        let object = object.ok_or("what is kept is no code of this plan")?;
        let (code, entries) = put(&plan, &object)?;
        let compiled = Compiled::new(plan, cache);
        compiled.gang[0].get_or_init(|| gang_code(code, &entries));
        Ok(compiled)
    }

    /// Compiles the parts that blocks of `threads` threads need in any case.
    pub fn prepare(&self, threads: u32) -> Result<(), &str> {
        let whole = self.plan.partial || threads.is_multiple_of(32);
        let gangs = (threads >= 32 || self.plan.partial) && !self.plan.threads_only;
        match (gangs, whole) {
            (true, true) => {
                self.gang(CodePart::Hot)?;
                // Narrow code, which is there without LLVM, does not support partial warps.
                let cold = self.plan.llvm && self.plan.partial && self.plan.has_cold();
                if cold {
                    self.gang(CodePart::Cold).map(drop)
                } else {
                    Ok(())
                }
            }
            (false, _) => self.thread().map(drop),
            (true, false) => std::thread::scope(|scope| {
                // Compile both at once, or one after the other if no thread can be started.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || self.thread().is_ok());
                self.gang(CodePart::Hot)?;
                self.thread().map(drop)
            }),
        }
    }

    /// Returns the homes of registers that are live at the start of a block and not varying in gang mode.
    pub(super) fn non_varying_homes(&self, block: BlockId) -> &[Home] {
        self.non_varying_homes[block.index()].get_or_init(|| {
            let live = self.plan.live.live_in(block);
            live.iter()
                .filter_map(|reg| self.plan.layout.home(reg))
                .filter(|home| home.uniformity != Uniformity::Varying)
                .collect()
        })
    }

    /// Returns a part of the gang code.
    pub fn gang(&self, part: CodePart) -> Result<&GangCode, &str> {
        let make = || {
            let (code, entries) = self.place(part)?;
            gang_code(code, &entries)
        };
        let place = &self.gang[usize::from(part == CodePart::Cold)];
        place.get_or_init(make).as_ref().map_err(String::as_str)
    }

    /// Returns the thread code.
    pub fn thread(&self) -> Result<&ThreadCode, &str> {
        let make = || {
            let (_code, entries) = self.place(CodePart::Thread)?;
            Ok(ThreadCode {
                // SAFETY: `generate` builds the first function of this part with exactly this signature, and `_code`
                // outlives the pointer.
                run: unsafe { std::mem::transmute::<usize, ThreadsFn>(entries[0]) },
                _code,
            })
        };
        self.thread
            .get_or_init(make)
            .as_ref()
            .map_err(String::as_str)
    }

    fn place(&self, part: CodePart) -> Result<(Code, Vec<usize>), String> {
        let make = || {
            let name = readable_name(&self.plan.func.name);
            let _progress =
                Progress::begin(&format!("compiling kernel {name} for the software GPU"));
            generate(&self.plan, part)
        };
        let began = Instant::now();
        let object = match self.cache.code(&self.plan, part, make) {
            // Threads are underway, and LLVM may have ended since the hot part was made. This code is not kept.
            Err(why) if part == CodePart::Cold && self.plan.llvm => {
                assemble(&self.plan, part, Style::Narrow).map_err(|_| why)?
            }
            made => made?,
        };
        let placed = put(&self.plan, &object);
        drop(object);
        if part == CodePart::Hot {
            // It was not needed if the code was kept.
            drop(self.plan.take_ir());
        }
        // A kernel of a hundred thousand instructions takes gigabytes to compile.
        if began.elapsed() > LONG {
            heap::give_back();
        }
        placed
    }
}

/// Places an object's code in executable memory.
fn put(plan: &Plan, object: &Object) -> Result<(Code, Vec<usize>), String> {
    let ops = plan.numbers.ops();
    Code::place(&object.routines, |symbol| link::address(symbol, ops))
}

fn gang_code(code: Code, entries: &[usize]) -> Result<GangCode, String> {
    let (run, wide) = entries.split_first().ok_or("no code")?;
    Ok(GangCode {
        // SAFETY: `generate` builds the first function of this part with exactly this signature, and `_code` outlives
        // the pointer.
        run: unsafe { std::mem::transmute::<usize, GangFn>(*run) },
        wide: wide.to_vec(),
        _code: code,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use crate::analysis::shape::Shape;
    use crate::ir::{Terminator, work};

    #[test]
    fn blocks_have_what_they_need_made_and_no_more() {
        let text = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() { bar.sync 0; ret; }";
        let program = Program::from_ptx(text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        for (threads, gang, thread) in [
            (1, false, true),
            (31, false, true),
            (32, true, false),
            (33, true, true),
            (64, true, false),
        ] {
            let plan = Plan::new(&unit, Shape::Line, 64, true, 0, false).expect("a plan");
            let compiled = Compiled::new(plan, &Cache::Off);
            assert_eq!(compiled.prepare(threads), Ok(()));
            let made = (
                compiled.gang[0].get().is_some(),
                compiled.thread.get().is_some(),
            );
            assert_eq!(made, (gang, thread), "{threads} threads");
        }
    }

    #[test]
    fn lanes_that_part_at_a_branch_go_to_the_masked_code_without_another_test() {
        let text = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p) { .reg .pred %p; .reg .b32 %r;
            .reg .b64 %d; ld.param.u64 %d, [p]; ld.global.u32 %r, [%d]; mov.u32 %r, %tid.x; mul.lo.u32 %r, %r, %r;
            setp.eq.u32 %p, %r, 4; @%p bra L; add.u32 %r, %r, 1; L: st.global.u32 [%d], %r; ret; }";
        let program = Program::from_ptx(text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let plan = Plan::new(&unit, Shape::Line, 32, false, 8, false).expect("a plan");
        let blocks = &plan.func.blocks;
        let copies = blocks.iter().filter_map(|block| match block.end {
            Terminator::Branch { mixed, .. } => mixed,
            _ => None,
        });
        let masked: Vec<_> = copies.map(|b| blocks[b.index()].mask.is_some()).collect();
        assert_eq!(masked, [true]);
    }

    #[test]
    fn a_function_of_many_blocks_has_thread_code_alone_where_code_is_narrow() {
        let branches: String = (0..6000)
            .map(|n| format!("setp.eq.u32 %p, %r, {n}; @%p bra L{n}; add.u32 %r, %r, 1; L{n}:\n"))
            .collect();
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {{ .reg .pred %p; .reg .b32 %r;
            mov.u32 %r, %tid.x; {branches} ret; }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        for wide in [false, true] {
            let plan = Plan::new(&unit, Shape::Line, 64, false, 0, wide).expect("a plan");
            assert_eq!(plan.threads_only, !wide);
            let copies = plan.func.blocks.iter().filter(|block| block.mask.is_some());
            assert_eq!(copies.count() == 0, !wide);
            if !wide {
                let compiled = Compiled::new(plan, &Cache::Off);
                assert_eq!(compiled.prepare(64), Ok(()));
                let made = (
                    compiled.gang[0].get().is_some(),
                    compiled.thread.get().is_some(),
                );
                assert_eq!(made, (false, true));
            }
        }
    }

    #[test]
    fn four_times_the_branches_take_about_four_times_the_steps_and_the_code() {
        let work = |branches: usize| {
            let mut text = String::from(
                ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p) { .reg .pred %p; .reg .b32 %r;
                .reg .b64 %d; ld.param.u64 %d, [p]; mov.u32 %r, %tid.x;",
            );
            for n in 0..branches {
                text +=
                    &format!("setp.eq.u32 %p, %r, {n}; @%p bra L{n}; add.u32 %r, %r, 1; L{n}:\n");
            }
            text += "st.global.u32 [%d], %r; ret; }";
            let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
            let (made, steps) = work::counted(|| {
                let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
                let plan = Plan::new(&unit, Shape::Line, 32, false, 8, false).expect("a plan");
                generate(&plan, CodePart::Hot).expect("code")
            });
            let bytes: usize = made.routines.iter().map(|r| r.bytes.len()).sum();
            [steps, bytes as u64]
        };
        let (few, many) = (work(750), work(3000));
        for (few, many) in few.into_iter().zip(many) {
            assert!(many < 5 * few, "{few}, {many}");
        }
    }
}
