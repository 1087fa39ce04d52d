//! The instructions of a block.

use crate::ir::{Address, Args, ImageOp, Num, Op, Operand, Order, Reg, Ty, work};
use serde::{Deserialize, Serialize};

/// Atomic read-modify-write operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AtomOp {
    /// `old + a`.
    Add,
    /// The smaller number.
    Min,
    /// The larger number.
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
    /// A step of an `mbarrier` object; `a` is the change, see [`crate::sem::mbarrier`].
    Mbarrier,
}

/// Special values of a thread, and the bases of its windows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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
    /// Host address of the thread's local memory; b64.
    LocalBase,
    /// Start of the local window, in which generic addresses of local memory are; b64. See
    /// [`crate::passes::local_window`].
    LocalWindow,
    /// Host address of the thread's element (8 bytes) in the first row of the block's stack; b64. A row has one
    /// element per thread, side by side. Used by flattened calls; see [`crate::jit`].
    Stack,
    /// Host address of the launch's parameters; b64.
    ParamBase,
}

impl Special {
    /// Returns the type of the value.
    pub fn ty(self) -> Ty {
        match self {
            Special::GridId
            | Special::Clock64
            | Special::GlobalTimer
            | Special::SharedBase
            | Special::LocalBase
            | Special::LocalWindow
            | Special::Stack
            | Special::ParamBase => Ty::B64,
            Special::Tid(_)
            | Special::Ntid(_)
            | Special::Ctaid(_)
            | Special::Nctaid(_)
            | Special::ClusterNctaid(_)
            | Special::ClusterRank
            | Special::ExplicitCluster
            | Special::LaneId
            | Special::WarpId
            | Special::NWarpId
            | Special::SmId
            | Special::NSmId
            | Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe
            | Special::Clock
            | Special::DynamicSharedSize
            | Special::TotalSharedSize
            | Special::EnvReg(_) => Ty::B32,
        }
    }

    /// Returns the set of threads that share the value.
    pub fn scope(self) -> Scope {
        match self {
            Special::Tid(_) | Special::LocalBase | Special::Stack => Scope::Thread,
            Special::LaneId
            | Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe => Scope::Lane,
            Special::WarpId => Scope::Warp,
            Special::Clock | Special::Clock64 | Special::GlobalTimer => Scope::Moment,
            Special::Ntid(_)
            | Special::Ctaid(_)
            | Special::Nctaid(_)
            | Special::ClusterNctaid(_)
            | Special::ClusterRank
            | Special::ExplicitCluster
            | Special::NWarpId
            | Special::SmId
            | Special::NSmId
            | Special::GridId
            | Special::DynamicSharedSize
            | Special::TotalSharedSize
            | Special::EnvReg(_)
            | Special::SharedBase
            | Special::LocalWindow
            | Special::ParamBase => Scope::Block,
        }
    }

    /// Returns true for `%lanemask_*`.
    pub fn is_lane_mask(self) -> bool {
        self.scope() == Scope::Lane && self != Special::LaneId
    }
}

/// The threads that share a special value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Each thread of a block has its own value.
    Thread,
    /// Each lane has its own value, which is the same in all warps.
    Lane,
    /// Each warp of a block has its own value.
    Warp,
    /// All threads of a block have the same value.
    Block,
    /// Threads that read it at the same time have the same value.
    Moment,
}

/// Services of the driver that device code calls by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Syscall {
    /// `vprintf(format: b64, arguments: b64) -> b32`.
    Printf,
    /// `malloc(size: b64) -> b64`.
    Malloc,
    /// `free(address: b64)`.
    Free,
    /// `__assertfail(message: b64, file: b64, line: b32, function: b64, char size: b64)`; ends the grid.
    AssertFail,
    /// `cuox_breakpoint(place: b64, variables: b64) -> b32`: stops the thread in a debugger of the host's.
    Breakpoint,
    /// `(handle: b64)`: a call through a handle of no device function with the prototype; ends the grid.
    NoFunction,
    /// A bulk copy: `(to: b64, from: b64, bytes: b64, mbarrier: b64, blocks: b64)`, all host addresses. The copied
    /// bytes count at the `mbarrier` object unless its address is 0. If `blocks` is not 0, `to` and `mbarrier` are in
    /// the window of the cluster's first block, and the copy goes to all blocks whose bits are set.
    BulkCopy,
    /// A bulk reduction, element by element: `(to: b64, from: b64, bytes: b64, mbarrier: b64)`.
    BulkReduce(AtomOp, Num),
    /// A copy of a part of a tensor to shared memory: `(to: b64, map: b64, mbarrier: b64, blocks: b64, coordinates: 3
    /// b64, im2col offsets: b64)`. The first four are as those of `BulkCopy`, and `map` is the address of the tensor
    /// map. Coordinates are 32 bits, two in each value; offsets are 16 bits.
    TensorLoad(TensorCopy),
    /// A copy of a part of a tensor from shared memory: `(from: b64, map: b64, coordinates: 3 b64)`.
    TensorStore(TensorCopy),
    /// A reduction of a part of a tensor; arguments as those of `TensorStore`.
    TensorReduce(AtomOp, TensorCopy),
    /// A change of a tensor map: `(map: b64, value: b64)`.
    TensorMapReplace(TensorField),
    /// `(what: b32)`: ends the grid since a `wgmma` is not possible: 1 if the warp is not in a warpgroup of four whole
    /// warps, else the offset in shared memory that no matrix can be at, with the top bit set.
    WgmmaFault,
    /// A function of CUDA's device runtime.
    Runtime(RuntimeCall),
}

/// What an instruction says of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TensorCopy {
    /// The number of dimensions.
    pub rank: u8,
    /// True in im2col mode, false in tile mode.
    pub im2col: bool,
}

/// A field of a tensor map; that of one dimension with its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum TensorField {
    /// The address of the tensor.
    Address,
    /// The number of dimensions, less 1.
    Rank,
    /// The extent of the box.
    BoxDim(u8),
    /// The extent of the tensor.
    Dim(u8),
    /// The bytes from an element to the next along the dimension behind this one.
    Stride(u8),
    /// The step.
    ElementStride(u8),
    /// The type of elements.
    Element,
    /// The grouping of channels.
    Interleave,
    /// The order in shared memory.
    Swizzle,
    /// The value of elements outside.
    Fill,
}

/// Functions of CUDA's device runtime, by which kernels launch kernels. Addresses that a function writes to are not
/// among the arguments here: the result is the value, or an error ([`RuntimeCall::ERROR`] plus its `cudaError_t`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RuntimeCall {
    /// `(kernel: b64, grid: 3 b32, block: 3 b32, dynamic shared memory: b32) -> b64`: memory for a launch's parameters,
    /// or 0.
    ParameterBuffer,
    /// `(parameters: b64, stream: b64) -> b32`: launches what the memory was got for.
    Launch,
    /// `() -> b32`: the calling thread's newest error, which is forgotten.
    LastError,
    /// `() -> b32`: the calling thread's newest error.
    PeekError,
    /// `(error: b32) -> b64`: the address of a text.
    ErrorName,
    /// `(error: b32) -> b64`: the address of a text.
    ErrorString,
    /// `(flags: b32) -> b64`.
    CreateStream,
    /// `(stream: b64) -> b32`.
    DestroyStream,
    /// `(flags: b32) -> b64`.
    CreateEvent,
    /// `(event: b64) -> b32`.
    DestroyEvent,
    /// `(event: b64, stream: b64) -> b32`.
    RecordEvent,
    /// `(stream: b64, event: b64, flags: b32) -> b32`.
    WaitEvent,
    /// `(bytes: b64) -> b64`.
    Malloc,
    /// `(address: b64) -> b32`.
    Free,
    /// `(to: b64, from: b64, bytes: b64, kind: b32, stream: b64) -> b32`.
    Copy,
    /// `(to: b64, value: b32, bytes: b64, stream: b64) -> b32`.
    Fill,
    /// `() -> b64`: the number of the device.
    Device,
    /// `() -> b64`: the number of devices.
    DeviceCount,
    /// `(attribute: b32, device: b32) -> b64`.
    Attribute,
    /// `(limit: b32) -> b64`.
    Limit,
    /// `() -> b64`: the version of the runtime.
    Version,
    /// `(to: b64, its pitch: b64, from: b64, its pitch: b64, width: b64, height: b64, kind: b32, stream: b64) -> b32`.
    Copy2d,
    /// `(to: b64, pitch: b64, value: b32, width: b64, height: b64, stream: b64) -> b32`.
    Fill2d,
    /// `() -> b64`: the preference between cache and shared memory, of which there is none.
    CacheConfig,
    /// `(kernel: b64, threads: b32, dynamic shared memory: b64) -> b64`: blocks that a multiprocessor holds.
    Occupancy,
    /// `(attributes: b64, kernel: b64) -> b32`: writes a `cudaFuncAttributes`.
    FunctionAttributes,
    /// `(condition: b64, value: b32) -> b32`: sets a condition of the graph that the kernel is a node of.
    SetCondition,
    /// `(graph: b64, stream: b64) -> b32`: launches an executable graph.
    LaunchGraph,
    /// `() -> b64`: the executable graph that the kernel is a node of, or 0.
    CurrentGraph,
}

impl RuntimeCall {
    /// Marks a result as an error.
    pub const ERROR: u64 = 1 << 63;

    /// Returns the types of the arguments and of the result.
    pub fn signature(self) -> (&'static [Ty], Ty) {
        use Ty::{B32, B64};
        match self {
            RuntimeCall::ParameterBuffer => (&[B64, B32, B32, B32, B32, B32, B32, B32], B64),
            RuntimeCall::Launch | RuntimeCall::RecordEvent | RuntimeCall::LaunchGraph => {
                (&[B64, B64], B32)
            }
            RuntimeCall::LastError | RuntimeCall::PeekError => (&[], B32),
            RuntimeCall::ErrorName
            | RuntimeCall::ErrorString
            | RuntimeCall::CreateStream
            | RuntimeCall::CreateEvent
            | RuntimeCall::Limit => (&[B32], B64),
            RuntimeCall::DestroyStream | RuntimeCall::DestroyEvent | RuntimeCall::Free => {
                (&[B64], B32)
            }
            RuntimeCall::WaitEvent => (&[B64, B64, B32], B32),
            RuntimeCall::Malloc => (&[B64], B64),
            RuntimeCall::Copy => (&[B64, B64, B64, B32, B64], B32),
            RuntimeCall::Fill => (&[B64, B32, B64, B64], B32),
            RuntimeCall::Device
            | RuntimeCall::DeviceCount
            | RuntimeCall::Version
            | RuntimeCall::CacheConfig
            | RuntimeCall::CurrentGraph => (&[], B64),
            RuntimeCall::Attribute => (&[B32, B32], B64),
            RuntimeCall::Copy2d => (&[B64, B64, B64, B64, B64, B64, B32, B64], B32),
            RuntimeCall::Fill2d => (&[B64, B64, B32, B64, B64, B64], B32),
            RuntimeCall::Occupancy => (&[B64, B32, B64], B64),
            RuntimeCall::FunctionAttributes => (&[B64, B64], B32),
            RuntimeCall::SetCondition => (&[B64, B32], B32),
        }
    }
}

impl Syscall {
    /// Returns true if other running threads of the block also reach this call before a fault ends the grid. A GPU
    /// prints the failed assertions of all threads.
    pub fn faults_late(self) -> bool {
        self == Syscall::AssertFail
    }
}

/// The kind of a memory access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads, modifies and writes.
    Atomic,
}

/// A memory access that is checked against the allocations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// The kind.
    pub kind: AccessKind,
    /// The size in bytes.
    pub bytes: u32,
    /// The PTX line.
    pub line: u32,
}

/// A device function of a [`Unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FuncId(pub u32);

/// The callee of a call.
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
        /// The result.
        dst: Reg,
        /// The operation.
        op: Op,
        /// Operands, as the operation's signature requires.
        args: Args,
    },
    /// Reads a special value.
    Special {
        /// The result.
        dst: Reg,
        /// The value to read.
        special: Special,
    },
    /// The host address of module variable number `variable`; b64.
    SymbolAddress {
        /// The result.
        dst: Reg,
        /// Index into the program's variables.
        variable: u32,
    },
    /// The handle of a device function, for indirect calls; b64.
    FunctionAddress {
        /// The result.
        dst: Reg,
        /// The function.
        func: FuncId,
    },
    /// Reads memory: `dsts.len()` consecutive elements of `ty`, extended to each register's width.
    Load {
        /// Results, one per element.
        dsts: Vec<Option<Reg>>,
        /// Element type in memory.
        ty: Ty,
        /// Sign-extend (else zero-extend) when the register is wider.
        signed: bool,
        /// The address.
        addr: Address,
        /// Ordering.
        order: Order,
    },
    /// Writes memory: the low bits of each source.
    Store {
        /// Values, one per element.
        srcs: Vec<Operand>,
        /// Element type in memory.
        ty: Ty,
        /// The address.
        addr: Address,
        /// Ordering.
        order: Order,
    },
    /// Atomic read-modify-write.
    Atomic {
        /// The old value, if it is used.
        dst: Option<Reg>,
        /// The operation.
        op: AtomOp,
        /// The number type of the memory; of each half if `packed`.
        num: Num,
        /// True for two numbers in a b32 (`f16x2`, `bf16x2`).
        packed: bool,
        /// The address.
        addr: Address,
        /// One operand, two for `Cas` (compare, new).
        args: Args,
        /// Ordering.
        order: Order,
    },
    /// Ends the grid with an error unless the following access is to allocated memory. See [`crate::memcheck`].
    Check {
        /// The address, in [`Space::Flat`](crate::ir::Space::Flat).
        addr: Address,
        /// The access.
        access: Access,
    },
    /// Orders this thread's memory accesses.
    Fence(Order),
    /// Calls a service of the driver.
    Syscall {
        /// The result, if the service has one and it is used.
        dst: Option<Reg>,
        /// The service.
        call: Syscall,
        /// The arguments (up to five).
        args: Vec<Operand>,
    },
    /// Reads or writes a texture or surface.
    Image {
        /// Results, each b32.
        dsts: Vec<Option<Reg>>,
        /// The operation.
        op: ImageOp,
        /// The handle (b64), then the operation's operands (b32).
        args: Vec<Operand>,
    },
    /// Calls a device function: `args` and `results` are slots of this function, bound to the callee's parameter and
    /// return slots in order. After inlining, only recursive calls and calls through pointers are left.
    Call {
        /// The callee.
        callee: Callee,
        /// Argument slots.
        args: Vec<u32>,
        /// Result slots.
        results: Vec<u32>,
    },
}

/// Visits every operand that an instruction reads, by `iter` or `iter_mut`.
macro_rules! each_use {
    ($inst:expr, $f:ident, $iter:ident $(, $mut:tt)?) => {
        match $inst {
            Inst::Op { args, .. } => args.$iter().for_each($f),
            Inst::Load { addr, .. } | Inst::Check { addr, .. } => $f(&$($mut)? addr.base),
            Inst::Store { srcs, addr, .. } => {
                $f(&$($mut)? addr.base);
                srcs.$iter().for_each($f);
            }
            Inst::Atomic { addr, args, .. } => {
                $f(&$($mut)? addr.base);
                args.$iter().for_each($f);
            }
            Inst::Syscall { args, .. } | Inst::Image { args, .. } => args.$iter().for_each($f),
            Inst::Call {
                callee: Callee::Indirect(target),
                ..
            } => $f(target),
            Inst::Call { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Fence(_) => {}
        }
    };
}

/// Visits every register that an instruction writes, by `iter` or `iter_mut`.
macro_rules! each_def {
    ($inst:expr, $f:ident, $iter:ident) => {
        match $inst {
            Inst::Op { dst, .. }
            | Inst::Special { dst, .. }
            | Inst::SymbolAddress { dst, .. }
            | Inst::FunctionAddress { dst, .. } => std::iter::once(dst).for_each($f),
            Inst::Load { dsts, .. } | Inst::Image { dsts, .. } => {
                dsts.$iter().flatten().for_each($f);
            }
            Inst::Atomic { dst, .. } | Inst::Syscall { dst, .. } => dst.$iter().for_each($f),
            Inst::Store { .. } | Inst::Check { .. } | Inst::Fence(_) | Inst::Call { .. } => {}
        }
    };
}

impl Inst {
    /// Calls `f` with every operand it reads.
    pub fn uses(&self, mut f: impl FnMut(Operand)) {
        work::count(1);
        let mut f = |operand: &Operand| f(*operand);
        each_use!(self, f, iter);
    }

    /// Calls `f` with every operand it reads, to change it.
    pub fn uses_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        work::count(1);
        each_use!(self, f, iter_mut, mut);
    }

    /// Calls `f` with every register it writes.
    pub fn defs(&self, mut f: impl FnMut(Reg)) {
        work::count(1);
        let f = |reg: &Reg| f(*reg);
        each_def!(self, f, iter);
    }

    /// Calls `f` with every register it writes, to change it.
    pub fn defs_mut(&mut self, f: impl FnMut(&mut Reg)) {
        work::count(1);
        each_def!(self, f, iter_mut);
    }

    /// Returns the address of a memory access; `None` for other instructions and for checks.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::Atomic { addr, .. } => {
                Some(addr)
            }
            _ => None,
        }
    }
}
