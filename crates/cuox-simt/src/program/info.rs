//! The facts about a module: its kernels, parameters, variables and names.

use super::Initial;
use crate::ir::FuncId;
use cuox_ptx::ast::{self, Name};
use cuox_ptx::source::LineIndex;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The `.version` and `.target` of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// PTX ISA version, such as (9, 0).
    pub ptx: (u32, u32),
    /// The number of `sm_90`.
    pub sm: u32,
    /// The letter of `sm_90a` or `sm_100f`.
    pub suffix: Option<char>,
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamInfo {
    /// PTX name.
    pub name: String,
    /// Offset from the start of the parameters.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment of `offset`.
    pub align: u32,
}

/// A kernel's attributes, as a driver reports them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelInfo {
    /// PTX name.
    pub name: String,
    /// Parameters in order.
    pub params: Vec<ParamInfo>,
    /// Bytes of all parameters.
    pub param_bytes: u32,
    /// Bytes of shared memory whose size is known from the text.
    pub static_shared: u32,
    /// Bytes of local memory that the kernel itself declares; [`crate::ir::Function::local_bytes`] of the lowered
    /// kernel includes those of inlined functions.
    pub local_bytes: u32,
    /// Registers per thread: an estimate from the declarations, since registers are not allocated.
    pub registers: u32,
    /// A called function that neither the module nor the driver has.
    pub missing: Option<String>,
    /// The largest number of threads per block: 1024 unless `.maxntid` or `.reqntid` says otherwise.
    pub max_threads: u32,
    /// The block that `.reqntid` demands.
    pub required_block: Option<[u32; 3]>,
    /// The cluster that `.reqnctapercluster` demands.
    pub required_cluster: Option<[u32; 3]>,
    /// True if every launch has clusters (`.explicitcluster`, `.reqnctapercluster`).
    pub explicit_cluster: bool,
    /// True if a launch's grid counts clusters instead of blocks (`.blocksareclusters`).
    pub grid_of_clusters: bool,
    /// The largest number of blocks per cluster (`.maxclusterrank`).
    pub max_cluster: Option<u32>,
}

/// The memory of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarSpace {
    /// `.global`
    Global,
    /// `.const`
    Const,
}

/// A variable in global or constant memory.
#[derive(Clone, Debug)]
pub struct Variable {
    /// PTX name.
    pub name: String,
    /// Its memory.
    pub space: VarSpace,
    /// Size in bytes; 0 for an array whose size is not given.
    pub size: u64,
    /// Alignment of its address.
    pub align: u32,
    /// True if other modules and the host can access it.
    pub visible: bool,
    /// `.attribute(.managed)`.
    pub managed: bool,
    /// Its initial value; `None` for all zeros.
    pub initial: Option<Initial>,
}

/// The meaning of a module-scope name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol {
    /// Index into the variables.
    Variable(u32),
    /// Shared memory declared by that item.
    Shared(u32),
    /// The function of that item: its definition if there is one.
    Function(u32),
}

/// A parsed PTX module. Lowering is lazy, per kernel.
pub struct Program {
    pub(super) text: String,
    pub(super) lines: LineIndex,
    pub(super) module: ast::Module,
    pub(super) kernels: Vec<(u32, KernelInfo)>,
    pub(super) kernel_by_name: FxHashMap<String, u32>,
    pub(super) symbols: FxHashMap<Name, Symbol>,
    pub(super) variables: Vec<Variable>,
    /// Variables that are declared inside bodies, by the address of their declaration in `module`.
    pub(super) body_variables: FxHashMap<usize, u32>,
    /// Item numbers of the device functions that have a body, by [`FuncId`].
    pub(super) functions: Vec<u32>,
    pub(super) function_ids: FxHashMap<u32, FuncId>,
    pub(super) address_taken: OnceLock<Vec<FuncId>>,
}

/// Returns a key for a declaration: its address, which is fixed while the program lives.
pub(crate) fn declaration_key(v: &ast::Variable) -> usize {
    std::ptr::from_ref(v) as usize
}
