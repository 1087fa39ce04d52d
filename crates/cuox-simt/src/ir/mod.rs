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
//! - [`Space::Slot`] is call-argument storage; `passes::call_slots` turns it into registers or local memory. What the
//!   engines still see are the slots of calls that are left and, in a device function, its parameters and results.
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
mod terminator;
mod types;
mod warp;

pub use effects::Effects;
pub use function::{Block, Function, Mask, Slot, Unit};
pub use image::{Bounds, Fetch, Geometry, ImageOp, ImageQuery, Lod, MAX_IMAGE_ARGS};
pub use inst::{Access, AccessKind, AtomOp, Callee, FuncId, Inst, Scope, Special, Syscall};
pub(crate) use lowered::{Lowered, MAX_LOCAL};
pub use matrix::{Element, MatrixOp, Mma, Sparse, Sum};
pub use op::{
    ApproxOp, Cmp, Conversion, FloatClass, FloatOp, IntOp, Op, PredOp, PrmtMode, Signature,
};
pub use operand::{Address, Args, BlockId, Operand, Order, Reg, Space};
pub use terminator::{BarrierKind, ClusterStep, Terminator};
pub use types::{Float, Float8, Num, Round, Ty};
pub use warp::{Redux, Shuffle, Vote, WarpOp};
