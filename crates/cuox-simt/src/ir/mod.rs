//! The IR that both engines run: typed registers, straight-line blocks, explicit suspension points.
//!
//! # Semantics
//! - A [`Function`] is the code of one thread. A register ([`Reg`]) has one type and may be written in several
//!   places: PTX out of a compiler is SSA with its phis turned into copies, so a register is one web of such
//!   copies and needs no renaming. Reading a register before any write gives an unspecified value.
//! - Operands are registers or immediates; an immediate is the low bits of a `u64`.
//! - Effects happen in block order. Everything that needs *other* threads — a block barrier, a shuffle, a
//!   vote — is a [`Terminator`], so that an engine may stop a thread at the end of a block and nowhere else.
//! - Addresses: [`Space::Flat`] is a host address (global, generic, constant); [`Space::Shared`] and
//!   [`Space::Local`] are 32-bit offsets into the block's and the thread's window; [`Space::Param`] an offset
//!   into the launch's parameters. The specials `SharedBase` and `LocalBase` are what `cvta` adds.
//! - [`Space::Slot`] is call-argument storage; `passes::slots` turns it into registers or local memory. What the
//!   engines still see are the slots of calls that are left and, in a device function, its parameters and results.
//! - In a device function, offsets in `Space::Local` and the special `LocalBase` are relative to its frame.

mod image;
mod matrix;
mod op;
mod print;
mod types;
mod warp;

pub use image::{Bounds, Fetch, Geometry, ImageOp, ImageQuery, Lod, MAX_IMAGE_ARGS};
pub use matrix::{Element, MatrixOp, Mma, Sparse, Sum};
pub use op::{
    ApproxOp, Cmp, Conversion, FloatClass, FloatOp, IntOp, Op, PredOp, PrmtMode, Signature,
};
pub use types::{Float, Float8, Num, Round, Ty};
pub use warp::{Redux, Shuffle, Vote, WarpOp};

/// A register of a [`Function`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Reg(pub u32);

/// A block of a [`Function`]; block 0 is the entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl Reg {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl BlockId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// Constant bits.
    Imm(u64),
}

impl Operand {
    /// The register, if it is one.
    pub fn reg(self) -> Option<Reg> {
        match self {
            Operand::Reg(r) => Some(r),
            Operand::Imm(_) => None,
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Operand::Reg(reg)
    }
}

/// Up to four operands, stored in place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Args {
    items: [Operand; 4],
    len: u8,
}

impl Args {
    /// The operands `items` (at most four).
    pub fn new(items: &[Operand]) -> Self {
        let mut all = [Operand::Imm(0); 4];
        all[..items.len()].copy_from_slice(items);
        Args {
            items: all,
            len: items.len() as u8,
        }
    }
}

impl std::ops::Deref for Args {
    type Target = [Operand];
    fn deref(&self) -> &[Operand] {
        &self.items[..self.len as usize]
    }
}

impl std::ops::DerefMut for Args {
    fn deref_mut(&mut self) -> &mut [Operand] {
        &mut self.items[..self.len as usize]
    }
}

/// Where an address points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// A host address: global, generic and constant memory.
    Flat,
    /// Offset into the block's shared window.
    Shared,
    /// Offset into the thread's local window.
    Local,
    /// Offset into the launch's parameters (read only).
    Param,
    /// Offset into a call slot of the function; gone after `passes::slots`.
    Slot(u32),
}

/// `base + offset` in a space. `base` is b64 (or b32 for the window spaces) or an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// Which space.
    pub space: Space,
    /// The varying part.
    pub base: Operand,
    /// The constant part, added with wrap-around at 64 bits (32 in window spaces).
    pub offset: i64,
}

/// How strongly a memory access is ordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// May be merged with its neighbours.
    #[default]
    Plain,
    /// Each access happens (`.volatile`, `.relaxed`, `.mmio`).
    Relaxed,
    /// Later accesses stay behind it.
    Acquire,
    /// Earlier accesses stay before it.
    Release,
    /// Both, and a single total order with other such.
    AcqRel,
}

/// Atomic read-modify-write operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomOp {
    /// `old + a`.
    Add,
    /// Smaller.
    Min,
    /// Larger.
    Max,
    /// `old >= a ? 0 : old + 1`.
    Inc,
    /// `old == 0 || old > a ? a : old - 1`.
    Dec,
    /// `old & a`.
    And,
    /// `old | a`.
    Or,
    /// `old ^ a`.
    Xor,
    /// `a`.
    Exch,
    /// `old == a ? b : old`.
    Cas,
    /// A step of an `mbarrier` object; `a` says how far, see [`crate::sem::mbarrier`].
    Mbarrier,
}

/// Values a thread is born with, and bases of its windows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Special {
    /// `%tid`, axis 0–2; b32.
    Tid(u8),
    /// `%ntid`.
    Ntid(u8),
    /// `%ctaid`.
    Ctaid(u8),
    /// `%nctaid`.
    Nctaid(u8),
    /// `%cluster_nctaid`.
    ClusterNctaid(u8),
    /// `%cluster_ctarank`; b32.
    ClusterRank,
    /// `%is_explicit_cluster`: 1 if the launch has clusters, else 0.
    ExplicitCluster,
    /// `%laneid`.
    LaneId,
    /// `%warpid`.
    WarpId,
    /// `%nwarpid`.
    NWarpId,
    /// `%smid`: the worker's number.
    SmId,
    /// `%nsmid`.
    NSmId,
    /// `%gridid`; b64.
    GridId,
    /// `%lanemask_eq`.
    LaneMaskEq,
    /// `%lanemask_lt`.
    LaneMaskLt,
    /// `%lanemask_le`.
    LaneMaskLe,
    /// `%lanemask_gt`.
    LaneMaskGt,
    /// `%lanemask_ge`.
    LaneMaskGe,
    /// `%clock`; b32.
    Clock,
    /// `%clock64`; b64.
    Clock64,
    /// `%globaltimer`, nanoseconds; b64.
    GlobalTimer,
    /// `%dynamic_smem_size`.
    DynamicSharedSize,
    /// `%total_smem_size`.
    TotalSharedSize,
    /// `%envreg`, number; b32.
    EnvReg(u8),
    /// Host address of the block's shared window; b64.
    SharedBase,
    /// Host address of the thread's local window; b64.
    LocalBase,
    /// Host address of the thread's element, of 8 bytes, in the first row of the block's stack; b64. The elements of a row lie side
    /// by side. For code whose calls have become jumps; see [`crate::jit`].
    Stack,
    /// Host address of the launch's parameters; b64.
    ParamBase,
}

impl Special {
    /// The type of the value.
    pub fn ty(self) -> Ty {
        match self {
            Special::GridId
            | Special::Clock64
            | Special::GlobalTimer
            | Special::SharedBase
            | Special::LocalBase
            | Special::Stack
            | Special::ParamBase => Ty::B64,
            _ => Ty::B32,
        }
    }
}

/// Services of the driver that device code calls by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syscall {
    /// `vprintf(format: b64, arguments: b64) -> b32`.
    Printf,
    /// `malloc(size: b64) -> b64`.
    Malloc,
    /// `free(address: b64)`.
    Free,
    /// `__assertfail(message: b64, file: b64, line: b32, function: b64, char size: b64)`; ends the grid.
    AssertFail,
    /// `(handle: b64)`: a call through something that is no device function with the prototype; ends the grid.
    NoFunction,
    /// A bulk copy: `(to: b64, from: b64, bytes: b64, mbarrier: b64, blocks: b64)`, all host addresses. What has been copied
    /// counts at the `mbarrier` object unless its address is 0. If `blocks` is not 0, `to` and `mbarrier` are those of the
    /// cluster's first block, and the copy goes to the blocks whose bits are set.
    BulkCopy,
    /// A bulk reduction, element by element: `(to: b64, from: b64, bytes: b64, mbarrier: b64)`.
    BulkReduce(AtomOp, Num),
}

/// A device function of a [`Unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FuncId(pub u32);

/// Whom a call calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A known function.
    Direct(FuncId),
    /// The function whose handle (its number plus one, b64) the operand holds.
    Indirect(Operand),
}

/// An instruction inside a block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Inst {
    /// A pure operation.
    Op {
        /// Result.
        dst: Reg,
        /// Which.
        op: Op,
        /// Operands, as the signature says.
        args: Args,
    },
    /// Reads a special value.
    Special {
        /// Result.
        dst: Reg,
        /// Which.
        special: Special,
    },
    /// The host address of module variable number `variable`; b64.
    SymbolAddress {
        /// Result.
        dst: Reg,
        /// Index into the program's variables.
        variable: u32,
    },
    /// The handle of a device function, for indirect calls; b64.
    FunctionAddress {
        /// Result.
        dst: Reg,
        /// The function.
        func: FuncId,
    },
    /// Reads memory: `dsts.len()` consecutive elements of `ty`, extended to each register's width.
    Load {
        /// Results, one an element.
        dsts: Vec<Option<Reg>>,
        /// Element type in memory.
        ty: Ty,
        /// Sign-extend (else zero-extend) when the register is wider.
        signed: bool,
        /// From where.
        addr: Address,
        /// Ordering.
        order: Order,
    },
    /// Writes memory: the low bits of each source.
    Store {
        /// Values, one an element.
        srcs: Vec<Operand>,
        /// Element type in memory.
        ty: Ty,
        /// Where to.
        addr: Address,
        /// Ordering.
        order: Order,
    },
    /// Atomic read-modify-write.
    Atomic {
        /// The old value, if wanted.
        dst: Option<Reg>,
        /// What.
        op: AtomOp,
        /// How the memory is read as a number. `None` when `packed`.
        num: Num,
        /// Two halves of a b32 at once (`f16x2`, `bf16x2`); `num` is then the half's.
        packed: bool,
        /// Where.
        addr: Address,
        /// One operand, two for `Cas` (compare, new).
        args: Args,
        /// Ordering.
        order: Order,
    },
    /// Orders this thread's memory accesses.
    Fence(Order),
    /// Calls a service of the driver.
    Syscall {
        /// Result, if the service has one and it is wanted.
        dst: Option<Reg>,
        /// Which.
        call: Syscall,
        /// Its arguments (up to five).
        args: Vec<Operand>,
    },
    /// Reads or writes a texture or surface.
    Image {
        /// Results, each b32.
        dsts: Vec<Option<Reg>>,
        /// What.
        op: ImageOp,
        /// The handle (b64), then what the operation names (b32).
        args: Vec<Operand>,
    },
    /// Calls a device function: `args` and `results` are slots of this function, bound to the callee's parameter
    /// and return slots in order. Only recursion and calls through pointers are left after inlining.
    Call {
        /// Whom.
        callee: Callee,
        /// Argument slots.
        args: Vec<u32>,
        /// Result slots.
        results: Vec<u32>,
    },
}

/// What a block barrier does besides waiting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BarrierKind {
    /// Waits.
    Sync,
    /// Counts without waiting.
    Arrive,
    /// Waits; result: how many threads' predicates held (b32).
    Popc,
    /// Waits; result: whether all held (pred).
    And,
    /// Waits; result: whether any held (pred).
    Or,
}

/// The two steps of the cluster's barrier (`barrier.cluster`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClusterStep {
    /// Counts without waiting.
    Arrive,
    /// Waits for the phase in which the thread has arrived to end.
    Wait,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Terminator {
    /// To a block.
    Jump(BlockId),
    /// To `then` if the predicate holds, else to `other`.
    Branch {
        /// The predicate.
        cond: Reg,
        /// When it holds.
        then: BlockId,
        /// When it does not.
        other: BlockId,
        /// Where threads that run together go, all of them, when it holds for some of them and not for others: code that does
        /// the same for each as its own way, in masked blocks (see [`Mask`]). No thread goes there by itself.
        mixed: Option<BlockId>,
    },
    /// To `targets[index]`; out of range is a fault.
    Switch {
        /// b32.
        index: Operand,
        /// Where to.
        targets: Vec<BlockId>,
    },
    /// The thread ends.
    Exit,
    /// Returns from a device function.
    Return,
    /// The grid ends with an error (`trap`).
    Trap,
    /// A barrier of the thread block, then `next`.
    Barrier {
        /// What it does.
        kind: BarrierKind,
        /// Barrier number, b32.
        id: Operand,
        /// Threads expected, b32; all of the block if absent.
        count: Option<Operand>,
        /// The predicate of the reducing kinds.
        pred: Option<Operand>,
        /// The result of the reducing kinds.
        dst: Option<Reg>,
        /// What follows.
        next: BlockId,
    },
    /// Arrives at the cluster's barrier, or waits until every thread of the cluster has arrived or ended; then `next`.
    Cluster {
        /// Which of the two.
        step: ClusterStep,
        /// What follows.
        next: BlockId,
    },
    /// Lets other threads and blocks run first, then `next`: what a thread does that waits for others by looking at memory,
    /// or that sleeps (`nanosleep`).
    Pause {
        /// What follows.
        next: BlockId,
    },
    /// A warp operation, then `next`.
    Warp {
        /// Which.
        op: WarpOp,
        /// Member mask, b32 (all ones for `ActiveMask` and `Step`).
        mask: Operand,
        /// Operands.
        args: Vec<Operand>,
        /// Results; an unwanted one is absent.
        dsts: Vec<Option<Reg>>,
        /// What follows.
        next: BlockId,
    },
}

impl Terminator {
    /// A branch of a thread by itself.
    pub fn branch(cond: Reg, then: BlockId, other: BlockId) -> Terminator {
        Terminator::Branch {
            cond,
            then,
            other,
            mixed: None,
        }
    }

    /// Whether threads that run together stay so however their predicates differ: a branch that goes one of its own ways with
    /// all of them.
    pub fn is_together(&self) -> bool {
        match self {
            Terminator::Branch {
                then, other, mixed, ..
            } => mixed.is_some_and(|m| m == *then || m == *other),
            _ => false,
        }
    }

    /// Whether it is a step of a warp, which asks nothing of it.
    pub fn is_step(&self) -> bool {
        matches!(
            self,
            Terminator::Warp {
                op: WarpOp::Step,
                ..
            }
        )
    }

    /// Calls `f` with every block it can go to.
    pub fn successors(&self, mut f: impl FnMut(BlockId)) {
        match self {
            Terminator::Jump(b) => f(*b),
            Terminator::Branch {
                then, other, mixed, ..
            } => {
                f(*then);
                f(*other);
                mixed.iter().copied().for_each(f);
            }
            Terminator::Switch { targets, .. } => targets.iter().copied().for_each(f),
            Terminator::Exit | Terminator::Return | Terminator::Trap => {}
            Terminator::Barrier { next, .. }
            | Terminator::Cluster { next, .. }
            | Terminator::Pause { next }
            | Terminator::Warp { next, .. } => f(*next),
        }
    }

    /// Calls `f` with every block it names, to change it.
    pub fn successors_mut(&mut self, mut f: impl FnMut(&mut BlockId)) {
        match self {
            Terminator::Jump(b) => f(b),
            Terminator::Branch {
                then, other, mixed, ..
            } => {
                f(then);
                f(other);
                mixed.iter_mut().for_each(f);
            }
            Terminator::Switch { targets, .. } => targets.iter_mut().for_each(f),
            Terminator::Exit | Terminator::Return | Terminator::Trap => {}
            Terminator::Barrier { next, .. }
            | Terminator::Cluster { next, .. }
            | Terminator::Pause { next }
            | Terminator::Warp { next, .. } => f(next),
        }
    }

    /// Calls `f` with every operand it reads.
    pub fn uses(&self, mut f: impl FnMut(Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(Operand::Reg(*cond)),
            Terminator::Switch { index, .. } => f(*index),
            Terminator::Barrier {
                id, count, pred, ..
            } => {
                f(*id);
                count.iter().copied().for_each(&mut f);
                pred.iter().copied().for_each(&mut f);
            }
            Terminator::Warp { mask, args, .. } => {
                f(*mask);
                args.iter().copied().for_each(f);
            }
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. } => {}
        }
    }

    /// Calls `f` with every register it writes.
    pub fn defs(&self, mut f: impl FnMut(Reg)) {
        match self {
            Terminator::Barrier { dst, .. } => dst.iter().copied().for_each(f),
            Terminator::Warp { dsts, .. } => dsts.iter().flatten().copied().for_each(&mut f),
            _ => {}
        }
    }

    /// Calls `f` with every register it writes, to change it.
    pub fn defs_mut(&mut self, f: impl FnMut(&mut Reg)) {
        match self {
            Terminator::Barrier { dst, .. } => dst.iter_mut().for_each(f),
            Terminator::Warp { dsts, .. } => dsts.iter_mut().flatten().for_each(f),
            _ => {}
        }
    }
}

impl Inst {
    /// Calls `f` with every operand it reads.
    pub fn uses(&self, mut f: impl FnMut(Operand)) {
        match self {
            Inst::Op { args, .. } => args.iter().copied().for_each(f),
            Inst::Load { addr, .. } => f(addr.base),
            Inst::Store { srcs, addr, .. } => {
                f(addr.base);
                srcs.iter().copied().for_each(f);
            }
            Inst::Atomic { addr, args, .. } => {
                f(addr.base);
                args.iter().copied().for_each(f);
            }
            Inst::Syscall { args, .. } | Inst::Image { args, .. } => {
                args.iter().copied().for_each(f);
            }
            Inst::Call {
                callee: Callee::Indirect(target),
                ..
            } => f(*target),
            Inst::Call { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Fence(_) => {}
        }
    }

    /// Calls `f` with every operand it reads, to change it.
    pub fn uses_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Inst::Op { args, .. } => args.iter_mut().for_each(f),
            Inst::Load { addr, .. } => f(&mut addr.base),
            Inst::Store { srcs, addr, .. } => {
                f(&mut addr.base);
                srcs.iter_mut().for_each(f);
            }
            Inst::Atomic { addr, args, .. } => {
                f(&mut addr.base);
                args.iter_mut().for_each(f);
            }
            Inst::Syscall { args, .. } | Inst::Image { args, .. } => args.iter_mut().for_each(f),
            Inst::Call {
                callee: Callee::Indirect(target),
                ..
            } => f(target),
            Inst::Call { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Fence(_) => {}
        }
    }

    /// Calls `f` with every register it writes.
    pub fn defs(&self, mut f: impl FnMut(Reg)) {
        match self {
            Inst::Op { dst, .. }
            | Inst::Special { dst, .. }
            | Inst::SymbolAddress { dst, .. }
            | Inst::FunctionAddress { dst, .. } => f(*dst),
            Inst::Load { dsts, .. } | Inst::Image { dsts, .. } => {
                dsts.iter().flatten().copied().for_each(f);
            }
            Inst::Atomic { dst, .. } | Inst::Syscall { dst, .. } => dst.iter().copied().for_each(f),
            Inst::Store { .. } | Inst::Fence(_) | Inst::Call { .. } => {}
        }
    }

    /// Calls `f` with every register it writes, to change it.
    pub fn defs_mut(&mut self, f: impl FnMut(&mut Reg)) {
        match self {
            Inst::Op { dst, .. }
            | Inst::Special { dst, .. }
            | Inst::SymbolAddress { dst, .. }
            | Inst::FunctionAddress { dst, .. } => std::iter::once(dst).for_each(f),
            Inst::Load { dsts, .. } | Inst::Image { dsts, .. } => {
                dsts.iter_mut().flatten().for_each(f);
            }
            Inst::Atomic { dst, .. } | Inst::Syscall { dst, .. } => dst.iter_mut().for_each(f),
            Inst::Store { .. } | Inst::Fence(_) | Inst::Call { .. } => {}
        }
    }

    /// The address it accesses, if it does.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::Atomic { addr, .. } => {
                Some(addr)
            }
            _ => None,
        }
    }
}

/// Which threads a block's instructions are for, and the warp operation at its end. One whose predicate says otherwise where the
/// block begins skips them all, and goes where the terminator leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mask {
    /// The predicate.
    pub reg: Reg,
    /// Those for which it does not hold.
    pub negated: bool,
}

/// Straight-line code and its end. `lines[i]` is the PTX line of `insts[i]`, and the last one the terminator's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub end: Terminator,
    /// PTX source lines (1-based), `insts.len() + 1` of them.
    pub lines: Vec<u32>,
    /// Threads that the instructions are for, if not all.
    pub mask: Option<Mask>,
}

/// Bytes passed in or out of a device function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Size.
    pub size: u32,
    /// Alignment.
    pub align: u32,
}

/// The code of one thread: a kernel or a device function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// PTX name.
    pub name: String,
    /// Register types.
    pub regs: Vec<Ty>,
    /// The blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// Call slots.
    pub slots: Vec<Slot>,
    /// Slots that hold the parameters (device functions).
    pub params: Vec<u32>,
    /// Slots that hold the results (device functions).
    pub results: Vec<u32>,
    /// Bytes of local memory of a frame, alignment 16.
    pub local_bytes: u32,
}

impl Function {
    /// A new register.
    pub fn new_reg(&mut self, ty: Ty) -> Reg {
        self.regs.push(ty);
        Reg(self.regs.len() as u32 - 1)
    }

    /// The type of a register.
    pub fn ty(&self, reg: Reg) -> Ty {
        self.regs[reg.index()]
    }

    /// Whether a thread ends where it begins.
    pub fn does_nothing(&self) -> bool {
        let ends = |b: &Block| {
            b.insts.is_empty() && matches!(b.end, Terminator::Exit | Terminator::Return)
        };
        matches!(&self.blocks[..], [only] if ends(only))
    }

    /// Whether threads wait for each other at a barrier.
    pub fn has_barrier(&self) -> bool {
        let waits = |block: &Block| {
            matches!(
                block.end,
                Terminator::Barrier { .. } | Terminator::Cluster { .. }
            )
        };
        self.blocks.iter().any(waits)
    }

    /// A new call slot.
    pub fn new_slot(&mut self, size: u32, align: u32) -> u32 {
        self.slots.push(Slot { size, align });
        self.slots.len() as u32 - 1
    }
}

/// A kernel with every device function it can reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The kernel's code.
    pub kernel: Function,
    /// Device functions still called (recursion, function pointers), by [`FuncId`].
    pub functions: Vec<Function>,
    /// Static shared memory, bytes.
    pub static_shared: u32,
}

impl Unit {
    /// Whether threads wait for each other at a barrier.
    pub fn has_barrier(&self) -> bool {
        self.kernel.has_barrier() || self.functions.iter().any(Function::has_barrier)
    }
}
