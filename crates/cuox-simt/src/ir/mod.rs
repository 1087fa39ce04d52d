//! The IR that both engines run: typed registers, straight-line blocks, explicit suspension points.
//!
//! # Semantics
//! - A [`Function`] is the code of one thread. A register ([`Reg`]) has one type and may be written in several
//!   places. Compilers emit PTX in SSA form with phis turned into copies, so a register is one web of such copies and
//!   needs no renaming. Reading a register before any write gives an unspecified value.
//! - Operands are registers or immediates; an immediate is the low bits of a `u64`.
//! - Effects happen in block order. Everything that involves *other* threads (a block barrier, a shuffle, a vote) is
//!   a [`Terminator`], so that an engine stops a thread only at the end of a block.
//! - Addresses: [`Space::Flat`] is a host address (global, generic, constant). [`Space::Shared`] and [`Space::Local`]
//!   are 32-bit offsets into the block's and the thread's window. [`Space::Param`] is an offset into the launch's
//!   parameters. `cvta` adds the specials `SharedBase` and `LocalBase`; `passes::local_window` then has local memory's
//!   generic addresses begin at `LocalWindow`.
//! - [`Space::Slot`] is storage for call arguments; `passes::call_slots` turns it into registers or local memory.
//!   Only the slots of remaining calls and, in a device function, of its parameters and results reach the engines.
//! - In a device function, offsets in `Space::Local` and the special `LocalBase` are relative to its frame.

mod effects;
mod function;
mod image;
mod inst;
mod lowered;
mod matrix;
mod op;
mod operand;
mod print;
mod read;
mod terminator;
mod types;
mod warp;
pub(crate) mod work;

pub use effects::Effects;
pub use function::{Block, Function, Mask, Slot, Unit};
pub use image::{Bounds, Fetch, Geometry, ImageOp, ImageQuery, Lod, MAX_IMAGE_ARGS};
pub use inst::{
    Access, AccessKind, AtomOp, Callee, FuncId, Inst, RuntimeCall, Scope, Special, Syscall,
    TensorCopy, TensorField,
};
pub(crate) use lowered::{Lowered, MAX_LOCAL};
pub use matrix::{Element, MatrixOp, Mma, Sparse, Sum, Wgmma};
pub use op::{
    ApproxOp, Cmp, Conversion, FloatClass, FloatOp, IntOp, Op, PredOp, PrmtMode, Signature,
};
pub use operand::{Address, Args, BlockId, Operand, Order, Reg, Space};
pub use read::ReadError;
pub use terminator::{BarrierKind, ClusterStep, Terminator};
pub use types::{Float, Float8, Num, Round, Ty};
pub use warp::{Redux, Shuffle, Vote, WarpOp};
