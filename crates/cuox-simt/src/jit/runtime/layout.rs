//! Where running code keeps things: the block's environment, a gang's state, the slots of lanes.
//!
//! Generated code and [`crate::jit::runtime::block`] meet in these structures and nowhere else.

use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::image::Words;
use crate::ir::{BlockId, Function, Operand, Reg, Terminator, Ty};
use crate::jit::runtime::lane_pcs::LanePcs;

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
    /// Bits that are 0 in the address of a line that may be written past the caches; all of them if none may be.
    pub stream_mask: u64,
    /// Bytes of shared memory.
    pub shared_bytes: u64,
    /// The lane slots of the block.
    pub lanes: *mut u8,
    /// Steps until the gang has to give way.
    pub fuel: i64,
    /// Whether a thread that waits for others went back to look again.
    pub spun: u32,
    /// Fresh gangs that may follow the running one without a return to the runtime.
    pub gangs_left: i64,
    /// Blocks that may follow the running one in the same way.
    pub blocks_left: i64,
    /// Gangs of a block.
    pub gangs: i64,
    /// Address of the local memory of the block's first thread.
    pub local: u64,
    /// Address of the block's stack.
    pub stack: u64,
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
    /// `%cluster_nctaid`.
    pub cluster: [u32; 3],
    /// `%cluster_ctarank`.
    pub cluster_rank: u32,
    /// `%is_explicit_cluster`.
    pub explicit_cluster: u32,
    /// `%ntid`.
    pub block: [u32; 3],
    /// Dynamic shared memory.
    pub dynamic_shared: u32,
    /// `%envreg`.
    pub envregs: [u32; 32],
    /// Addresses of the kernel's wide functions.
    pub wide: *const usize,
    /// The runtime, for helpers: a [`crate::jit::runtime::services::Runtime`].
    pub runtime: *const (),
    /// Where the lanes of the warp at hand are in thread mode.
    pub lane_pcs: *mut LanePcs,
}

/// The start of a gang's state; its scalar slots follow. The lanes' slots are the block's.
#[repr(C, align(16))]
pub struct Gang {
    /// Number of its first lane in the block.
    pub first: u64,
    /// How many lanes it has, a multiple of 32.
    pub count: u64,
    /// Lanes of a row of it.
    pub width: u64,
    /// Lanes of its first row that are before it.
    pub ahead: u64,
    /// The number of its last row; the first is 0.
    pub last_row: u64,
    /// 2³² divided by its width, rounded up: a lane's row is the upper half of the product with it, when `ahead` has been added.
    pub inverse: u64,
    /// Whether it is all there is of its block, so that a barrier of the block waits for nobody.
    pub whole: u32,
    /// Instruction that faulted.
    pub fault_inst: u32,
    /// Address that faulted.
    pub fault_address: u64,
    /// Lane that faulted, from `first`.
    pub fault_lane: u32,
    /// `%tid` of the first lane.
    pub tid0: [u32; 3],
    /// Address of the first lane's local memory.
    pub local: u64,
    /// Arguments of helper calls.
    pub scratch: [u64; 8],
    /// Operands and results of image operations.
    pub image: Words,
}

impl Gang {
    /// Where its rows begin.
    pub fn rows(&self) -> Rows {
        Rows {
            width: self.width,
            ahead: self.ahead,
        }
    }
}

/// Bytes of [`Gang`].
pub const TEAM_BYTES: u32 = size_of::<Gang>() as u32;

/// Bytes a value takes in a lane slot: at least four, so that four neighbours fill a vector.
pub fn lane_bytes(ty: Ty) -> u32 {
    match ty {
        Ty::B64 => 8,
        Ty::B128 => 16,
        _ => 4,
    }
}

/// Where a register is kept between blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Home {
    /// Its type.
    pub ty: Ty,
    /// Its class in gang mode.
    pub class: Uniformity,
    /// Offset of the lanes' values in the block's lane slots; for a predicate, of a u32 for each warp with a bit a lane.
    pub lanes: u32,
    /// Offset of the 8-byte values, one for every four lanes, that gang mode keeps of a register of that class.
    pub groups: u32,
    /// Offset in the gang's state of the one value that gang mode keeps of a uniform or affine register; 8 bytes on is the step of
    /// an affine one.
    pub scalar: u32,
}

/// How far the step of a register is behind its value.
pub const STEP: u32 = 8;

/// Homes of the registers that need one, and the sizes of what holds them.
#[derive(Hash)]
pub struct Layout {
    homes: Vec<Option<Home>>,
    /// Bytes of a gang's state.
    pub gang_bytes: u32,
    /// Bytes of the block's lane slots, which start with `%tid` of every lane, axis by axis.
    pub lane_bytes: u32,
    /// Lanes there is room for.
    pub capacity: u32,
    /// Offset of masks, a bit a lane: the lanes of every group of sixteen that are behind none of the breaks between rows, one, and so on;
    /// then those that are behind one of them at least, two, and so on. As many as rows have breaks.
    pub rows: u32,
    /// Offset of the mask of the threads that there are, where the last warp of a gang may lack some.
    pub exists: Option<u32>,
}

/// The bytes of a bit for every lane there is room for.
fn mask_bytes(capacity: u32) -> u32 {
    (capacity / 8).max(16)
}

impl Layout {
    /// Gives a home to every register that lives across blocks, is read by a suspension or decides a divergent branch. Groups of lanes have
    /// so many `breaks`, and gangs may have a `partial` warp.
    pub fn new(
        func: &Function,
        live: &Liveness,
        uniformity: &UniformityInfo,
        (breaks, partial): (u8, bool),
        capacity: u32,
    ) -> Self {
        let mut wanted = RegSet::new(func.regs.len());
        for (index, block) in func.blocks.iter().enumerate() {
            wanted.union(live.live_in(BlockId(index as u32)));
            block.end.defs(|reg| {
                wanted.insert(reg);
            });
            block.end.uses(|o| {
                if let Operand::Reg(reg) = o {
                    let branch = matches!(block.end, Terminator::Branch { .. });
                    if !branch || uniformity.of(reg) == Uniformity::Varying {
                        wanted.insert(reg);
                    }
                }
            });
        }
        let mut homes = vec![None; func.regs.len()];
        let rows = 3 * 4 * capacity;
        let masks = if breaks == 0 {
            0
        } else {
            2 * u32::from(breaks) + 1
        };
        let mut at = rows + masks * mask_bytes(capacity);
        let exists = partial.then_some(at);
        at += if partial { mask_bytes(capacity) } else { 0 };
        let mut scalar = TEAM_BYTES;
        for reg in wanted.iter() {
            let (ty, class) = (func.ty(reg), uniformity.of(reg));
            let lanes = at;
            at += if ty == Ty::Pred {
                mask_bytes(capacity)
            } else {
                capacity * lane_bytes(ty)
            };
            let groups = at;
            if matches!(class, Uniformity::PiecewiseAffine(_)) {
                at += capacity * 2;
            }
            homes[reg.index()] = Some(Home {
                ty,
                class,
                lanes,
                groups,
                scalar,
            });
            if class.is_one_per_gang() {
                scalar += 16;
            }
        }
        Layout {
            homes,
            gang_bytes: scalar.next_multiple_of(64),
            // Shuffles read up to a warp past a slot.
            lane_bytes: (at + 128).next_multiple_of(64),
            capacity,
            rows,
            exists,
        }
    }

    /// Writes the mask of the threads that there are into the block's lane slots.
    ///
    /// # Safety
    /// The slots are what this layout says.
    pub unsafe fn set_exists(&self, lanes: *mut u8, threads: u32) {
        let Some(at) = self.exists else { return };
        for lane in 0..threads.min(self.capacity) {
            // SAFETY: the lane is one of those that there is room for, and the slots are as large as this layout says.
            unsafe { *lanes.add((at + lane / 8) as usize) |= 1 << (lane % 8) };
        }
    }

    /// Offset of the mask of the lanes that are behind so many breaks of their group: no fewer, and with `exact` no more either.
    pub fn row_mask(&self, breaks: u8, behind: u8, exact: bool) -> u32 {
        let n = match exact {
            true => behind,
            false => breaks + behind,
        };
        self.rows + u32::from(n) * mask_bytes(self.capacity)
    }

    /// Writes these masks into the block's lane slots, for rows of so many lanes.
    ///
    /// # Safety
    /// The slots are what this layout says.
    pub unsafe fn set_row_masks(&self, lanes: *mut u8, breaks: u8, width: u32) {
        for group in (0..self.capacity).step_by(16).filter(|_| breaks != 0) {
            let behind = |lane: u32| (group + lane) / width - group / width;
            let masks = (0..=breaks).map(|n| (n, true));
            for (n, exact) in masks.chain((1..=breaks).map(|n| (n, false))) {
                let is = |&lane: &u32| match exact {
                    true => behind(lane) == u32::from(n),
                    false => behind(lane) >= u32::from(n),
                };
                let mask = (0..16).filter(is).fold(0u16, |mask, lane| mask | 1 << lane);
                let at = self.row_mask(breaks, n, exact) + group / 8;
                // SAFETY: the group is one of those that there is room for, the slots are as large as this layout says, and masks are
                // aligned to two bytes.
                unsafe { *lanes.add(at as usize).cast::<u16>() = mask };
            }
        }
    }

    /// The home of a register, if it has one.
    pub fn home(&self, reg: Reg) -> Option<Home> {
        self.homes[reg.index()]
    }
}

/// Why gang code returned; the low byte of its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// All lanes have ended.
    Done = 0,
    /// The block cannot be run by the whole gang, from its start.
    Bailout = 1,
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
    /// Goes on at the block named, in the other piece of the code.
    Elsewhere = 7,
}

impl Exit {
    /// From the low byte of a result.
    pub fn from_code(code: u64) -> Exit {
        match code as u8 {
            0 => Exit::Done,
            1 => Exit::Bailout,
            2 => Exit::Diverge,
            3 => Exit::Barrier,
            4 => Exit::Yield,
            6 => Exit::Trap,
            7 => Exit::Elsewhere,
            _ => Exit::Fault,
        }
    }

    /// The result that names this exit and a block.
    pub fn code(self, block: BlockId) -> i64 {
        self as i64 | i64::from(block.0) << 8
    }
}

/// Where the rows of a gang begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    /// Lanes of a row.
    pub width: u64,
    /// Lanes of the first row before the gang.
    pub ahead: u64,
}

impl Rows {
    /// Whether lanes 0 and `lane` are in one row.
    pub fn same(&self, lane: u64) -> bool {
        self.ahead + lane < self.width
    }
}

/// A value that is affine over the lanes of a gang.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Of the first lane.
    pub base: u64,
    /// From lane to lane.
    pub stride: i64,
    /// From the first lane of a row to that of the next.
    pub step: u64,
}

impl Line {
    /// The value in a lane.
    pub fn at(&self, lane: u64, rows: Rows, ty: Ty) -> u64 {
        let place = lane + rows.ahead;
        let width = rows.width.max(1);
        let down = self.step.wrapping_mul(place / width);
        let lanes = (place % width).wrapping_sub(rows.ahead);
        let along = (self.stride as u64).wrapping_mul(lanes);
        self.base.wrapping_add(along).wrapping_add(down) & ty.mask()
    }

    /// The values in 32 lanes from `first` on.
    pub fn values(&self, first: u64, rows: Rows, ty: Ty) -> [u64; 32] {
        let (width, place) = (rows.width.max(1), first + rows.ahead);
        let (mut row, mut at) = (place / width, place % width);
        let mask = ty.mask();
        if at + 32 <= width {
            // One row, as in most blocks.
            let start = self.base.wrapping_add(self.step.wrapping_mul(row));
            let (at, stride) = (at.wrapping_sub(rows.ahead), self.stride as u64);
            return std::array::from_fn(|n| {
                let along = stride.wrapping_mul(at.wrapping_add(n as u64));
                start.wrapping_add(along) & mask
            });
        }
        let mut values = [0; 32];
        for value in &mut values {
            let down = self.step.wrapping_mul(row);
            let along = (self.stride as u64).wrapping_mul(at.wrapping_sub(rows.ahead));
            *value = self.base.wrapping_add(along).wrapping_add(down) & mask;
            at += 1;
            if at == width {
                (row, at) = (row + 1, 0);
            }
        }
        values
    }

    /// The line through the values of the first lane and of one in the next row.
    pub fn through(base: u64, (lane, next): (u64, u64), stride: i64, rows: Rows) -> Line {
        let place = (lane + rows.ahead).wrapping_sub(rows.width);
        let along = (stride as u64).wrapping_mul(place.wrapping_sub(rows.ahead));
        Line {
            base,
            stride,
            step: next.wrapping_sub(base).wrapping_sub(along),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_in_the_next_row() {
        let rows = Rows {
            width: 16,
            ahead: 0,
        };
        let line = Line::through(5, (16, 1000), 3, rows);
        assert_eq!(line.at(15, rows, Ty::B32), 5 + 15 * 3);
        assert_eq!(line.at(16, rows, Ty::B32), 1000);
        assert_eq!(line.at(34, rows, Ty::B32), 5 + 2 * 995 + 2 * 3);
        let all: [u64; 32] = std::array::from_fn(|n| line.at(7 + n as u64, rows, Ty::B32));
        assert_eq!(line.values(7, rows, Ty::B32), all);
        let down = Line::through(5, (16, 3), 0, rows);
        assert_eq!(down.at(16 * 3, rows, Ty::B32), u64::from(u32::MAX));
    }

    #[test]
    fn gangs_may_begin_within_a_row() {
        // Rows of 24: the values are 1000 times the row and 3 times the place in it.
        let rows = Rows {
            width: 24,
            ahead: 8,
        };
        let value = |lane: u64| 1000 * ((lane + 8) / 24) + 3 * ((lane + 8) % 24);
        for other in [16, 20, 39] {
            let line = Line::through(value(0), (other, value(other)), 3, rows);
            for lane in 0..64 {
                assert_eq!(line.at(lane, rows, Ty::B64), value(lane), "{lane}");
            }
            let all: [u64; 32] = std::array::from_fn(|lane| value(11 + lane as u64));
            assert_eq!(line.values(11, rows, Ty::B64), all);
        }
        assert!(rows.same(15) && !rows.same(16));
        // Rows of 64, in one of which the values may all be.
        let rows = Rows {
            width: 64,
            ahead: 8,
        };
        let line = Line::through(5, (60, 7), 3, rows);
        for first in [0, 24, 25, 56] {
            let all: [u64; 32] = std::array::from_fn(|n| line.at(first + n as u64, rows, Ty::B32));
            assert_eq!(line.values(first, rows, Ty::B32), all);
        }
    }
}
