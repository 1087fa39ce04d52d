//! Where running code keeps things: the block's environment, a warp's header, its scalar and lane slots.
//!
//! Generated code and [`super::run`] meet in these structures and nowhere else.

use super::classes::{Class, Classes};
use super::liveness::{Liveness, RegSet};
use crate::ir::{BlockId, Function, Operand, Reg, Terminator, Ty};

/// What generated code reads of its block and launch.
#[repr(C)]
pub struct Env {
    /// Address of the parameters.
    pub params: u64,
    /// Address of the shared window.
    pub shared: u64,
    /// Addresses of the module's variables.
    pub symbols: *const u64,
    /// A legal flat address equals this in the bits of `space_mask`.
    pub space_base: u64,
    /// The bits in question; 0 when any address is legal.
    pub space_mask: u64,
    /// Bytes of shared memory.
    pub shared_bytes: u64,
    /// Steps until the warp has to give way.
    pub fuel: i64,
    /// Fresh warps that may follow the running one without a return to the runtime.
    pub warps_left: i64,
    /// Blocks that may follow the running one in the same way.
    pub blocks_left: i64,
    /// Warps of a block.
    pub warps_per_block: i64,
    /// Address of the local memory of the block's first thread.
    pub local: u64,
    /// `%gridid`.
    pub grid_id: u64,
    /// `%ctaid`.
    pub ctaid: [u32; 3],
    /// `%smid`.
    pub worker: u32,
    /// `%nctaid`.
    pub grid: [u32; 3],
    /// `%nsmid`.
    pub workers: u32,
    /// `%ntid`.
    pub block: [u32; 3],
    /// Dynamic shared memory.
    pub dynamic_shared: u32,
    /// `%envreg`.
    pub envregs: [u32; 32],
    /// The runtime, for helpers: a [`super::run::Runtime`].
    pub runtime: *const (),
}

/// The start of a warp's state; lane slots and scalar slots follow.
#[repr(C, align(16))]
pub struct WarpHeader {
    /// `%warpid`.
    pub warp: u32,
    /// Linear number of lane 0's thread.
    pub first_thread: u32,
    /// Lanes whose branch was taken, on a divergent exit.
    pub taken: u32,
    /// Instruction that faulted.
    pub fault_inst: u32,
    /// Address that faulted.
    pub fault_address: u64,
    /// Lane that faulted.
    pub fault_lane: u32,
    /// `%tid` of lane 0.
    pub tid0: [u32; 3],
    /// Address of lane 0's local memory.
    pub local: u64,
    /// Arguments of helper calls.
    pub scratch: [u64; 8],
    /// `%tid` of every lane, by axis.
    pub tid: [[u32; 32]; 3],
}

/// Bytes of [`WarpHeader`].
pub const HEADER_BYTES: u32 = size_of::<WarpHeader>() as u32;

/// Bytes a value takes in a lane slot: at least four, so that four neighbours fill a vector.
pub fn lane_bytes(ty: Ty) -> u32 {
    match ty {
        Ty::B64 => 8,
        Ty::B128 => 16,
        _ => 4,
    }
}

/// Where a register is kept between blocks.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    /// Its type.
    pub ty: Ty,
    /// Its class in warp mode.
    pub class: Class,
    /// Offset of the 32 lanes' values; for a predicate, of one u32 with a bit a lane.
    pub lanes: u32,
    /// Offset of the one value warp mode keeps of a uniform or affine register (8 bytes, 16 for b128).
    pub scalar: u32,
}

/// Homes of the registers that need one, and the size of a warp's state.
pub struct Layout {
    homes: Vec<Option<Home>>,
    /// Bytes of a warp's state.
    pub bytes: u32,
}

impl Layout {
    /// Gives a home to every register that lives across blocks or is read by a suspension.
    pub fn new(func: &Function, live: &Liveness, classes: &Classes) -> Self {
        let mut wanted = RegSet::new(func.regs.len());
        for (index, block) in func.blocks.iter().enumerate() {
            wanted.union(live.live_in(BlockId(index as u32)));
            block.end.defs(|reg| {
                wanted.insert(reg);
            });
            if !matches!(block.end, Terminator::Branch { .. }) {
                block.end.uses(|o| {
                    if let Operand::Reg(reg) = o {
                        wanted.insert(reg);
                    }
                });
            }
        }
        let mut homes = vec![None; func.regs.len()];
        let mut at = HEADER_BYTES;
        for reg in wanted.iter() {
            let ty = func.ty(reg);
            let lanes = at;
            at += if ty == Ty::Pred {
                16
            } else {
                32 * lane_bytes(ty)
            };
            homes[reg.index()] = Some(Home {
                ty,
                class: classes.of(reg),
                lanes,
                scalar: 0,
            });
        }
        for home in homes.iter_mut().flatten() {
            home.scalar = at;
            at += 16;
        }
        Layout {
            homes,
            bytes: at.next_multiple_of(64),
        }
    }

    /// The home of a register, if it has one.
    pub fn home(&self, reg: Reg) -> Option<Home> {
        self.homes[reg.index()]
    }
}

/// Why generated warp code returned; the low byte of its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// All lanes have ended.
    Done = 0,
    /// The block must be run thread by thread, from its start.
    Slow = 1,
    /// The block has run; its terminator sends lanes different ways.
    Diverge = 2,
    /// The block has run; its terminator is a barrier.
    Barrier = 3,
    /// Out of fuel; go on at the block named.
    Yield = 4,
    /// A fault, described in the header.
    Fault = 5,
    /// `trap`.
    Trap = 6,
}

impl Exit {
    /// From the low byte of a result.
    pub fn from_code(code: u64) -> Exit {
        match code as u8 {
            0 => Exit::Done,
            1 => Exit::Slow,
            2 => Exit::Diverge,
            3 => Exit::Barrier,
            4 => Exit::Yield,
            6 => Exit::Trap,
            _ => Exit::Fault,
        }
    }

    /// The result that names this exit and a block.
    pub fn code(self, block: BlockId) -> i64 {
        self as i64 | i64::from(block.0) << 8
    }
}

/// The value of an affine register in a lane.
pub fn affine(base: u64, stride: i64, lane: u32, ty: Ty) -> u64 {
    base.wrapping_add((stride as u64).wrapping_mul(u64::from(lane))) & ty.mask()
}
