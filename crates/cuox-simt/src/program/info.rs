//! The facts about a module: its kernels, parameters, variables and names.

use super::Initial;
use crate::ir::FuncId;
use cuox_ptx::ast::{self, Name};
use cuox_ptx::source::LineIndex;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The contents of `.version` and `.target`.
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
    /// Bytes.
    pub size: u32,
    /// Alignment of `offset`.
    pub align: u32,
}

/// The facts that a driver reports about a kernel.
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
    /// kernel adds what inlined functions need.
    pub local_bytes: u32,
    /// Registers a thread would take: an estimate from the declarations, since nothing allocates registers here.
    pub registers: u32,
    /// A function that it calls, and that neither the module nor the driver has.
    pub missing: Option<String>,
    /// Most threads of a block: 1024 unless `.maxntid` or `.reqntid` says otherwise.
    pub max_threads: u32,
    /// The block that `.reqntid` demands.
    pub required_block: Option<[u32; 3]>,
    /// The cluster that `.reqnctapercluster` demands.
    pub required_cluster: Option<[u32; 3]>,
    /// Whether every launch has clusters (`.explicitcluster`, `.reqnctapercluster`).
    pub explicit_cluster: bool,
    /// Whether a launch's grid counts clusters instead of blocks (`.blocksareclusters`).
    pub grid_of_clusters: bool,
    /// Most blocks of a cluster that `.maxclusterrank` allows.
    pub max_cluster: Option<u32>,
}

/// Which memory a variable lives in.
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
    /// Where it lives.
    pub space: VarSpace,
    /// Bytes; 0 for an array whose size is not given.
    pub size: u64,
    /// Alignment of its address.
    pub align: u32,
    /// Whether other modules and the host can see it.
    pub visible: bool,
    /// `.attribute(.managed)`.
    pub managed: bool,
    /// Its initial value; `None` for all zeros.
    pub initial: Option<Initial>,
}

/// The meaning of a name at module scope.
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
    /// Variables declared inside bodies, by the address of their declaration in `module`.
    pub(super) body_variables: FxHashMap<usize, u32>,
    /// Items of the device functions that have a body, by [`FuncId`].
    pub(super) functions: Vec<u32>,
    pub(super) function_ids: FxHashMap<u32, FuncId>,
    pub(super) address_taken: OnceLock<Vec<FuncId>>,
}

/// A key for a declaration: its place in memory, which is fixed while the program lives.
pub(crate) fn declaration_key(v: &ast::Variable) -> usize {
    std::ptr::from_ref(v) as usize
}
