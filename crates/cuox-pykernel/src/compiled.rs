//! What is asked of the compiler, and what it makes.

use crate::types::Type;

/// What is asked of the compiler.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Options {
    /// Indices out of range raise IndexError. Also wanted by `debug`.
    pub boundscheck: bool,
    /// Indices count from the end if they are negative, as in Python; those that cannot be negative need no code for
    /// that. Without it only negative constants do.
    pub wraparound: bool,
    /// Checks of Python's that cost time: division by zero, indices.
    pub debug: bool,
    /// What `breakpoint()` becomes.
    pub breakpoints: Breakpoints,
    /// Floats may be rounded otherwise: decides which functions are called; NVRTC's option is the caller's.
    pub fastmath: bool,
    /// `cuda.grid`, `range` and the lengths of arrays are 32 bits wide.
    pub index32: bool,
    /// The bounds for blocks: threads, and blocks on a multiprocessor.
    pub launch_bounds: Option<(u32, Option<u32>, Option<u32>)>,
    /// The most registers of a thread, where no bounds for blocks are given.
    pub max_registers: Option<u32>,
    /// NVRTC is told the most registers of a thread, which it would forget where a kernel has bounds for blocks.
    pub limits_registers: bool,
    /// It is for the software GPU: calls of collectives that a part of the threads may get to check whether all have,
    /// and none is left to the first warp of a block.
    pub for_software_gpu: bool,
    /// What a launch tells.
    pub launch: Option<Launch>,
    /// The result type of a kernel is None; `Some` asks for a device function with that name and C linkage instead.
    pub device: Option<DeviceFunction>,
}

/// What a launch tells of itself, for kernels that are compiled for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Launch {
    /// The shape of its blocks.
    pub block: [u32; 3],
    /// The values of arguments that are ints.
    pub values: Vec<Option<i128>>,
}

/// What `breakpoint()` in a kernel becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Breakpoints {
    /// An error: the kernel is not compiled for debugging.
    #[default]
    Refused,
    /// Nothing.
    Ignored,
    /// A call of the software GPU's function `cuox_breakpoint`, with the variables.
    Called,
    /// The instruction `brkpt`, for NVIDIA's debugger; without one it ends the kernel.
    Instruction,
}

/// A device function that other CUDA C++ calls.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DeviceFunction {
    /// Its name in CUDA C++; `None`: that of the function.
    pub name: Option<String>,
    /// The result type it must have; values are converted.
    pub result: Option<Type>,
    /// Numba's calling convention: a status is returned, the result through the first parameter. Else C's.
    pub numba_abi: bool,
    /// What it is in CUDA C++.
    pub form: DeviceForm,
}

/// What a device function is in CUDA C++.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeviceForm {
    /// A function with C linkage, in a module of its own.
    #[default]
    Linked,
    /// A function to be put into another kernel's text.
    Inline,
    /// A structure with a method `call`, to be put into another kernel's text, where others like it may be. Its members
    /// are the values of
    /// [`crate::host::Value::State`], in the order of [`Compiled::state`].
    Object,
}

/// The CUDA C++ of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The kernel's name in the code, with C linkage.
    pub symbol: String,
    /// The sections of the prelude that the text needs: types and functions of Python's meaning.
    pub prelude: String,
    /// The user's functions.
    pub text: String,
    /// Names and types of the parameters.
    pub parameters: Vec<(String, Type)>,
    /// Constants of the module that the launching side fills, `state_N` in C: the numbers of their values
    /// ([`crate::host::Value::State`]) and their types.
    pub state: Vec<(u32, Type)>,
    /// The type of the result; of a kernel, `None`.
    pub result: Type,
    /// The exceptions that it may raise. The number of one, counted from 1, is what the code writes.
    pub exceptions: Vec<Exception>,
    /// True if it waits for the whole grid, and must be launched so.
    pub is_cooperative: bool,
    /// True if it has `breakpoint()` somewhere.
    pub has_breakpoints: bool,
    /// The shape of the blocks that it must be launched with, and what says so.
    pub block: Option<([u32; 3], String)>,
    /// True if that shape is one that the launch told.
    pub has_launch_block: bool,
    /// The numbers of the parameters that are compiled into it, and their values.
    pub launch_values: Vec<(usize, i128)>,
    /// Warnings about the program.
    pub warnings: Vec<Warning>,
    /// True if it has checks that [`Options::for_software_gpu`] asks for.
    pub has_checks: bool,
    /// Files of CUDA C++ that it calls (`declare_device`): symbols.
    pub external: Vec<String>,
}

impl Compiled {
    /// The whole text for the compiler of CUDA C++.
    pub fn source(&self) -> String {
        format!("{}\n{}", self.prelude, self.text)
    }
}

/// A warning about a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// One sentence that stands alone.
    pub message: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// The name of the variable of a module that says which exception was raised: `struct { int number; int block[3]; int
/// thread[3]; }`, 28 bytes, number 0 for none.
pub const RAISED: &str = "cuox_raised";

/// An exception that a kernel may raise.
#[derive(Debug, Clone, PartialEq)]
pub struct Exception {
    /// The class: a builtin's name or the path that the host gave.
    pub class: String,
    /// The arguments, as Python writes them; the first is the message.
    pub arguments: Vec<String>,
    /// The function that raises it.
    pub function: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
}
