//! From a unit to machine code: analyses, the two functions, and what the runtime must know of them.

use super::cache::Cache;
use super::classes::{Classes, Shape};
use super::code::{self, Code, Routine};
use super::group_loop::{self, GroupLoop};
use super::layout::{Env, Layout, Team};
use super::linearize::linearize;
use super::liveness::{Liveness, RegSet};
use super::object::Object;
use super::symbol::Ops;
use super::value::Emit;
use super::{fast, nans, prepare, slow};
use crate::ir::{AtomOp, Function, ImageOp, Inst, Num, Op, Syscall, Terminator, Unit};
use cranelift_codegen::ir::{
    AbiParam, Function as ClifFunction, SigRef, Signature, UserFuncName, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

/// Code of team mode: `(env, team, entry) -> exit code`.
pub type FastFn = unsafe extern "C" fn(*mut Env, *mut Team, u64) -> u64;
/// Code of thread mode: runs one block for the lanes in the mask; `(env, team of one warp, block, mask) -> taken lanes`, or with bit 32
/// set a fault.
pub type SlowFn = unsafe extern "C" fn(*mut Env, *mut Team, u64, u64) -> u64;

/// What a helper call refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// A driver service, with its number of arguments.
    Syscall(Syscall),
    /// A texture's or surface's operation.
    Image(ImageOp),
    /// An atomic without inline code.
    Atomic(AtomOp, Num, bool),
}

/// What both code generators work from.
pub struct Plan {
    /// The kernel, cut.
    pub func: Function,
    /// Live registers.
    pub live: Liveness,
    /// Registers whose values threads still need that a masked block, which writes them, is not for.
    pub kept: RegSet,
    /// Loops that groups of lanes run one by one, by first block.
    pub group_loops: Vec<Option<GroupLoop>>,
    /// Registers whose NaNs nobody can tell apart.
    pub nans_alike: RegSet,
    /// Classes of registers in team mode.
    pub classes: Classes,
    /// Homes of registers.
    pub layout: Layout,
    /// What blocks look like.
    pub shape: Shape,
    /// Bytes of local memory of a thread.
    pub local_bytes: u32,
    /// Static shared memory.
    pub static_shared: u32,
    /// Bytes of the launch's parameters.
    pub param_bytes: u32,
    /// Team mode's entry number of every block that has one.
    pub entries: Vec<Option<u32>>,
    /// Whether some block ends in a barrier.
    pub has_barrier: bool,
    /// Whether the lanes' work may have wide code.
    pub wide: bool,
    /// Whether some block ends in a step of the cluster's barrier.
    pub has_cluster_barrier: bool,
}

/// A kernel's machine code.
pub struct Compiled {
    /// What it was made from.
    pub plan: Plan,
    /// Team mode.
    pub fast: FastFn,
    /// Thread mode.
    pub slow: SlowFn,
    /// Sites of helper calls.
    pub sites: Vec<Site>,
    /// Addresses of wide functions, which team mode refers to by number.
    pub wide: Vec<usize>,
    _code: Code,
    _ops: Box<[Op]>,
}

/// Signatures of the helpers, imported into a function.
#[derive(Clone, Copy)]
pub struct HelperSigs {
    /// Five I64 to I64.
    pub five: SigRef,
    /// Four I64 to I64.
    pub four: SigRef,
    /// Three I64, no result.
    pub three: SigRef,
    /// One I64 to I64.
    pub one: SigRef,
}

fn signature(call_conv: CallConv, params: usize, result: bool) -> Signature {
    let mut sig = Signature::new(call_conv);
    sig.params = vec![AbiParam::new(types::I64); params];
    if result {
        sig.returns.push(AbiParam::new(types::I64));
    }
    sig
}

/// The function's parts while code is generated.
pub struct Gen<'a, 'f> {
    /// Emission.
    pub e: Emit<'a, 'f>,
    /// Helper signatures.
    pub sigs: HelperSigs,
    /// Sites of helper calls so far.
    pub sites: &'a mut Vec<Site>,
    /// Wide functions so far.
    pub wide: &'a mut Vec<Routine>,
}

fn build(
    params: usize,
    ops: &mut Ops,
    sites: &mut Vec<Site>,
    wide: &mut Vec<Routine>,
    body: impl FnOnce(&mut Gen) -> Result<(), String>,
) -> Result<Routine, String> {
    let isa = code::isa()?;
    let conv = isa.default_call_conv();
    let mut func =
        ClifFunction::with_name_signature(UserFuncName::default(), signature(conv, params, true));
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut func, &mut context);
    let sigs = HelperSigs {
        five: b.import_signature(signature(conv, 5, true)),
        four: b.import_signature(signature(conv, 4, true)),
        three: b.import_signature(signature(conv, 3, false)),
        one: b.import_signature(signature(conv, 1, true)),
    };
    let mut generator = Gen {
        e: Emit {
            b: &mut b,
            eval_sig: sigs.five,
            ops,
        },
        sigs,
        sites,
        wide,
    };
    body(&mut generator)?;
    b.seal_all_blocks();
    b.finalize(isa.frontend_config());
    code::compile(func)
}

impl Plan {
    /// The plan of a unit for blocks of one shape with at most `capacity` threads (a multiple of 32), for this machine's wide vectors if
    /// `wide`. An error names what the JIT cannot do; the interpreter then can.
    pub fn new(
        unit: &Unit,
        shape: Shape,
        capacity: u32,
        param_bytes: u32,
        wide: bool,
    ) -> Result<Plan, String> {
        if !unit.functions.is_empty() {
            return Err(
                "recursion, or a call through a pointer to one of many functions".to_owned(),
            );
        }
        let local_bytes = unit.kernel.local_bytes.next_multiple_of(16);
        let linear = {
            let none = RegSet::new(unit.kernel.regs.len());
            let live = Liveness::new(&unit.kernel, &none);
            let classes = Classes::new(&unit.kernel, &live, &none, shape, local_bytes);
            linearize(&unit.kernel, &live, &classes)
        };
        let func = {
            let live = Liveness::new(&linear.func, &linear.kept);
            let classes = Classes::new(&linear.func, &live, &linear.varying, shape, local_bytes);
            let narrow = !wide || shape == Shape::Quads;
            prepare::cut(&linear.func, &live, &classes, narrow)
        };
        let live = Liveness::new(&func, &linear.kept);
        let classes = Classes::new(&func, &live, &linear.varying, shape, local_bytes);
        let layout = Layout::new(&func, &live, &classes, capacity);
        let group_loops = group_loop::find(&func, &classes);
        let entries = fast::entries(&func, &classes, &group_loop::inside(&group_loops));
        let has_barrier = func.has_barrier();
        let has_cluster_barrier = func
            .blocks
            .iter()
            .any(|b| matches!(b.end, Terminator::Cluster { .. }));
        let nans_alike = nans::alike(&func);
        let plan = Plan {
            func,
            live,
            nans_alike,
            kept: linear.kept,
            group_loops,
            classes,
            layout,
            shape,
            local_bytes,
            static_shared: unit.static_shared,
            param_bytes,
            entries,
            has_barrier,
            wide,
            has_cluster_barrier,
        };
        let is_call = |inst: &Inst| matches!(inst, Inst::Call { .. });
        match plan.func.blocks.iter().flat_map(|b| &b.insts).any(is_call) {
            true => Err("calls that were not inlined".to_owned()),
            false => Ok(plan),
        }
    }

    /// Generates its code.
    pub(super) fn generate(&self) -> Result<Object, String> {
        let (mut ops, mut sites, mut wide) = (Ops::default(), Vec::new(), Vec::new());
        let fast = build(3, &mut ops, &mut sites, &mut wide, |g| {
            fast::generate(g, self)
        })?;
        let slow = build(4, &mut ops, &mut sites, &mut wide, |g| {
            slow::generate(g, self)
        })?;
        let mut routines = vec![fast, slow];
        routines.append(&mut wide);
        Ok(Object {
            routines,
            ops: ops.into_vec(),
            sites,
        })
    }
}

impl Compiled {
    fn new(plan: Plan, object: Object) -> Result<Compiled, String> {
        let ops = object.ops.into_boxed_slice();
        let (code, entries) = Code::place(&object.routines, &ops)?;
        let [fast, slow, wide @ ..] = entries.as_slice() else {
            return Err("code without its two functions".to_owned());
        };
        // SAFETY: `generate` builds functions of exactly these signatures, and `code` outlives the pointers.
        let (fast, slow) = unsafe {
            (
                std::mem::transmute::<usize, FastFn>(*fast),
                std::mem::transmute::<usize, SlowFn>(*slow),
            )
        };
        Ok(Compiled {
            plan,
            fast,
            slow,
            sites: object.sites,
            wide: wide.to_vec(),
            _code: code,
            _ops: ops,
        })
    }
}

/// Compiles a planned kernel, or takes its code from the cache.
pub fn compile(plan: Plan, cache: &Cache) -> Result<Compiled, String> {
    let object = cache.code(&plan, || plan.generate())?;
    Compiled::new(plan, object)
}
