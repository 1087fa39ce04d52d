//! Memory layout of running code: the block's environment, a gang's state and the lane slots.
//!
//! These structures are the only interface between generated code and [`crate::jit::runtime::block`].

use crate::analysis::group_loop::GroupLoop;
use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::image::{Fetched, Words};
use crate::ir::{BlockId, Function, Operand, Reg, Terminator, Ty};
use crate::jit::runtime::lane_pcs::LanePcs;
use crate::jit::sharing::partners;
use crate::memcheck::Hit;
use std::sync::atomic::AtomicU64;

/// Environment of a block: data of the block and its launch that generated code reads.
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
    /// Bits compared with `space_base`; 0 if any address is legal.
    pub space_mask: u64,
    /// Bits that are 0 in the address of a cache line that may be written with non-temporal stores. All bits are set if
    /// none may be.
    pub stream_mask: u64,
    /// Bytes of shared memory.
    pub shared_bytes: u64,
    /// The lane slots of the block.
    pub lanes: *mut u8,
    /// Number of back edges until the gang has to give way.
    pub fuel: i64,
    /// The last random number, if there is chaos ([`crate::jit::chaos`]).
    pub chaos: u64,
    /// Bits of the [`Wait`](crate::analysis::busy_wait::Wait)s of the back edges that were taken.
    pub waits: u32,
    /// Fresh gangs that may follow the running one without a return to the runtime.
    pub gangs_left: i64,
    /// Blocks that may follow the running one without a return to the runtime.
    pub blocks_left: i64,
    /// The round of the block's warps, if each is a gang.
    pub round: Round,
    /// Number of gangs of a block.
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
    pub multiprocessors: u32,
    /// `%cluster_nctaid`.
    pub cluster: [u32; 3],
    /// `%cluster_ctarank`.
    pub cluster_rank: u32,
    /// `%is_explicit_cluster`.
    pub explicit_cluster: u32,
    /// `%ntid`.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// `%envreg`.
    pub envregs: [u32; 32],
    /// The allocations that checks have found last.
    pub(crate) hits: *const Hit,
    /// The textures that fetches have read last.
    pub(crate) textures: Textures,
    /// A number that changes with each allocation that ends.
    pub freed: *const AtomicU64,
    /// Addresses of the kernel's wide functions.
    pub wide: *const usize,
    /// The runtime, for helpers: a [`crate::jit::runtime::services::Runtime`].
    pub runtime: *const (),
    /// Per-lane PCs of the current warp in thread mode.
    pub lane_pcs: *mut LanePcs,
}

/// What the textures that fetches have read last read. A texture stays that of its handle while a launch runs.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Textures([Fetched; Textures::COUNT]);

impl Textures {
    /// A power of 2.
    pub const COUNT: usize = 8;
    /// A handle's place is that of the bits from this one on.
    pub const FIRST_BIT: u32 = 4;

    pub fn put(&mut self, found: Fetched) {
        let place = found.handle >> Textures::FIRST_BIT;
        self.0[place as usize % Textures::COUNT] = found;
    }
}

/// A round of a block's warps in code ([`crate::jit::gang::rounds`]): the warps that are in it have come to one place,
/// one after the other, the first from `block`.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C)]
pub struct Round {
    /// Warps that have not run yet after the one that runs now; negative if there is no round.
    pub left: i64,
    /// Where the warps before it are: [`waits_at`] a barrier, or have [`ended`]; 0 for the first warp.
    pub exit: i64,
    /// Number of the entry point at which they began.
    pub entry: i64,
    /// Its block.
    pub block: i64,
    /// 1 more than the block whose barrier they came over before, or 0.
    pub barrier: i64,
    /// Fuel that the rounds have used.
    pub used: i64,
    /// Warps of the block.
    pub warps: i64,
    /// Threads for which the predicate of the barrier holds, so far.
    pub held: u32,
    /// The result of the barrier before.
    pub result: u32,
}

/// The place of warps at the barrier that ends a block.
pub fn waits_at(block: BlockId) -> i64 {
    i64::from(block.0) + 2
}

/// The place of warps that have ended.
pub fn ended() -> i64 {
    1
}

/// Start of a gang's state. Its scalar slots follow; the lane slots belong to the block.
#[repr(C, align(16))]
pub struct Gang {
    /// Number of its first lane in the block.
    pub first: u64,
    /// Number of its lanes, a multiple of 32.
    pub count: u64,
    /// Number of lanes in a row.
    pub width: u64,
    /// Lanes of its first row that precede the gang.
    pub ahead: u64,
    /// Number of its last row; the first is 0.
    pub last_row: u64,
    /// 2³² divided by its width, rounded up. The upper half of the product with a lane's number plus `ahead` is the
    /// lane's row.
    pub inverse: u64,
    /// Set if the gang is all of its block, so that a barrier of the block waits for no other warp.
    pub whole_block: u32,
    /// Instruction that faulted.
    pub fault_inst: u32,
    /// Address that faulted.
    pub fault_address: u64,
    /// Lane that faulted, counted from `first`.
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
    /// Returns the layout of its rows.
    pub fn rows(&self) -> Rows {
        Rows {
            width: self.width,
            ahead: self.ahead,
        }
    }
}

/// Size of [`Gang`] in bytes.
pub const GANG_BYTES: u32 = size_of::<Gang>() as u32;

/// Returns the size of a value in a lane slot: at least four bytes, so that four neighbours fill a vector.
pub fn lane_bytes(ty: Ty) -> u32 {
    match ty {
        Ty::B64 => 8,
        Ty::B128 => 16,
        _ => 4,
    }
}

/// Location of a register between blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Home {
    /// Type of the register.
    pub ty: Ty,
    /// Uniformity of the register in gang mode.
    pub uniformity: Uniformity,
    /// Offset of the lanes' values in the block's lane slots. For a predicate, offset of the masks: a u32 per warp with
    /// a bit per lane.
    pub lanes: u32,
    /// Offset of the group values of a piecewise affine register: 8 bytes for every four lanes.
    pub groups: u32,
    /// Offset in the gang's state of the value of a uniform or affine register; the step of an affine one follows 8
    /// bytes later.
    pub scalar: u32,
}

/// Distance of a register's step from its value.
pub const STEP: u32 = 8;

/// Homes of the registers that need one, and the sizes of the memory that holds them.
#[derive(Hash)]
pub struct Layout {
    homes: Vec<Option<Home>>,
    /// Size of a gang's state in bytes.
    pub gang_bytes: u32,
    /// Size of the block's lane slots in bytes. They start with `%tid` of every lane, axis by axis.
    pub lane_bytes: u32,
    /// Number of lanes for which the slots have room.
    pub capacity: u32,
    /// Offset of the row masks, with one bit per lane. First the masks of the lanes that follow exactly 0, 1, … row
    /// breaks in their group of sixteen, then of those that follow at least 1, 2, … breaks; as many as rows have
    /// breaks.
    pub rows: u32,
    /// Offset of the mask of existing threads, if the last warp of a gang may lack some.
    pub exists: Option<u32>,
}

/// Returns the size of a mask with a bit for every lane.
fn mask_bytes(capacity: u32) -> u32 {
    (capacity / 8).max(16)
}

impl Layout {
    /// Assigns a home to every register that lives across blocks, is read by a suspension or decides a divergent
    /// branch. `breaks` is the number of row breaks in a group; gangs may have a `partial` warp. Homes are `apart`
    /// bytes from each other. If registers may share a slot, the function's loops of groups are given.
    pub fn new(
        func: &Function,
        live: &Liveness,
        uniformity: &UniformityInfo,
        (breaks, partial): (u8, bool),
        capacity: u32,
        (apart, sharing): (u32, Option<&[Option<GroupLoop>]>),
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
        let partners =
            sharing.map(|loops| partners(func, live, uniformity, loops, &wanted, lane_bytes));
        let mut homes: Vec<Option<Home>> = vec![None; func.regs.len()];
        let rows = 3 * 4 * capacity;
        let masks = if breaks == 0 {
            0
        } else {
            2 * u32::from(breaks) + 1
        };
        let mut at = rows + masks * mask_bytes(capacity);
        let exists = partial.then_some(at);
        at += if partial { mask_bytes(capacity) } else { 0 };
        let mut scalar = GANG_BYTES;
        for reg in wanted.iter() {
            let (ty, uniformity) = (func.ty(reg), uniformity.of(reg));
            let partner = partners.as_ref().and_then(|partners| partners[reg.index()]);
            if let Some(slot) = partner.and_then(|partner| homes[partner.index()]) {
                homes[reg.index()] = Some(Home { ty, ..slot });
                continue;
            }
            at += apart;
            let lanes = at;
            at += if ty == Ty::Pred {
                mask_bytes(capacity)
            } else {
                capacity * lane_bytes(ty)
            };
            let groups = at;
            if matches!(uniformity, Uniformity::PiecewiseAffine(_)) {
                at += capacity * 2;
            }
            homes[reg.index()] = Some(Home {
                ty,
                uniformity,
                lanes,
                groups,
                scalar,
            });
            if uniformity.is_one_per_gang() {
                scalar += 16;
            }
        }
        Layout {
            homes,
            gang_bytes: scalar.next_multiple_of(64),
            // Shuffles read up to a warp beyond a slot.
            lane_bytes: (at + 128).next_multiple_of(64),
            capacity,
            rows,
            exists,
        }
    }

    /// Writes the mask of existing threads into the block's lane slots.
    ///
    /// # Safety
    /// `lanes` must point to slots of this layout.
    pub unsafe fn set_exists(&self, lanes: *mut u8, threads: u32) {
        let Some(at) = self.exists else { return };
        for lane in 0..threads.min(self.capacity) {
            // SAFETY: `lane` is less than the capacity, and the caller guarantees slots of this layout.
            unsafe { *lanes.add((at + lane / 8) as usize) |= 1 << (lane % 8) };
        }
    }

    /// Returns the offset of the mask of the lanes that follow at least `behind` breaks of their group, or exactly so
    /// many with `exact`.
    pub fn row_mask(&self, breaks: u8, behind: u8, exact: bool) -> u32 {
        let n = match exact {
            true => behind,
            false => breaks + behind,
        };
        self.rows + u32::from(n) * mask_bytes(self.capacity)
    }

    /// Writes the row masks into the block's lane slots, for rows of `width` lanes.
    ///
    /// # Safety
    /// `lanes` must point to slots of this layout.
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
                // SAFETY: the group is within the capacity, the caller guarantees slots of this layout, and masks are
                // aligned to two bytes.
                unsafe { *lanes.add(at as usize).cast::<u16>() = mask };
            }
        }
    }

    /// Returns the registers that have homes, and these.
    pub fn homes(&self) -> impl Iterator<Item = (Reg, Home)> {
        let homes = self.homes.iter().enumerate();
        homes.filter_map(|(n, home)| Some((Reg(n as u32), (*home)?)))
    }

    /// Returns the home of a register, if it has one.
    pub fn home(&self, reg: Reg) -> Option<Home> {
        self.homes[reg.index()]
    }
}

/// Reason why gang code returned; the low byte of its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// All lanes have ended.
    Done = 0,
    /// The whole gang cannot run the block; nothing of it has been executed.
    Bailout = 1,
    /// The block has run; its terminator may send lanes to different blocks.
    Diverge = 2,
    /// The block has run; its terminator is a barrier.
    Barrier = 3,
    /// Out of fuel; execution continues at the named block.
    Yield = 4,
    /// A fault, described in the gang's state.
    Fault = 5,
    /// `trap`.
    Trap = 6,
    /// Execution continues at the named block, in the other part of the code.
    Elsewhere = 7,
    /// Out of fuel behind a barrier that all warps have come to, with all values in memory; execution continues at the
    /// named block.
    Rest = 8,
}

impl Exit {
    /// Decodes the low byte of a result.
    pub fn from_code(code: u64) -> Exit {
        match code as u8 {
            0 => Exit::Done,
            1 => Exit::Bailout,
            2 => Exit::Diverge,
            3 => Exit::Barrier,
            4 => Exit::Yield,
            6 => Exit::Trap,
            7 => Exit::Elsewhere,
            8 => Exit::Rest,
            _ => Exit::Fault,
        }
    }

    /// Returns the result for this exit and a block.
    pub fn code(self, block: BlockId) -> i64 {
        self as i64 | i64::from(block.0) << 8
    }
}

/// Layout of a gang's rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    /// Number of lanes in a row.
    pub width: u64,
    /// Lanes of the first row that precede the gang.
    pub ahead: u64,
}

impl Rows {
    /// Tells whether lanes 0 and `lane` are in one row.
    pub fn same(&self, lane: u64) -> bool {
        self.ahead + lane < self.width
    }
}

/// Value that is affine over the lanes of a gang.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AffineValue {
    /// Value of the first lane.
    pub base: u64,
    /// Difference between neighbouring lanes.
    pub stride: i64,
    /// Difference between the first lanes of neighbouring rows.
    pub step: u64,
}

impl AffineValue {
    /// Returns the value in a lane.
    pub fn at(&self, lane: u64, rows: Rows, ty: Ty) -> u64 {
        let place = lane + rows.ahead;
        let width = rows.width.max(1);
        let down = self.step.wrapping_mul(place / width);
        let lanes = (place % width).wrapping_sub(rows.ahead);
        let along = (self.stride as u64).wrapping_mul(lanes);
        self.base.wrapping_add(along).wrapping_add(down) & ty.mask()
    }

    /// Returns the values in the 32 lanes from `first` on.
    pub fn values(&self, first: u64, rows: Rows, ty: Ty) -> [u64; 32] {
        let (width, place) = (rows.width.max(1), first + rows.ahead);
        let (mut row, mut at) = (place / width, place % width);
        let mask = ty.mask();
        if at + 32 <= width {
            // The lanes are in one row, as in most blocks.
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

    /// Returns the affine value with the given values in the first lane and in a lane of the next row.
    pub fn through(base: u64, (lane, next): (u64, u64), stride: i64, rows: Rows) -> AffineValue {
        let place = (lane + rows.ahead).wrapping_sub(rows.width);
        let along = (stride as u64).wrapping_mul(place.wrapping_sub(rows.ahead));
        AffineValue {
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
        let line = AffineValue::through(5, (16, 1000), 3, rows);
        assert_eq!(line.at(15, rows, Ty::B32), 5 + 15 * 3);
        assert_eq!(line.at(16, rows, Ty::B32), 1000);
        assert_eq!(line.at(34, rows, Ty::B32), 5 + 2 * 995 + 2 * 3);
        let all: [u64; 32] = std::array::from_fn(|n| line.at(7 + n as u64, rows, Ty::B32));
        assert_eq!(line.values(7, rows, Ty::B32), all);
        let down = AffineValue::through(5, (16, 3), 0, rows);
        assert_eq!(down.at(16 * 3, rows, Ty::B32), u64::from(u32::MAX));
    }

    #[test]
    fn gangs_may_begin_within_a_row() {
        // Rows of 24 lanes: the values are 1000 times the row plus 3 times the lane in it.
        let rows = Rows {
            width: 24,
            ahead: 8,
        };
        let value = |lane: u64| 1000 * ((lane + 8) / 24) + 3 * ((lane + 8) % 24);
        for other in [16, 20, 39] {
            let line = AffineValue::through(value(0), (other, value(other)), 3, rows);
            for lane in 0..64 {
                assert_eq!(line.at(lane, rows, Ty::B64), value(lane), "{lane}");
            }
            let all: [u64; 32] = std::array::from_fn(|lane| value(11 + lane as u64));
            assert_eq!(line.values(11, rows, Ty::B64), all);
        }
        assert!(rows.same(15) && !rows.same(16));
        // Rows of 64 lanes, one of which may contain all the values.
        let rows = Rows {
            width: 64,
            ahead: 8,
        };
        let line = AffineValue::through(5, (60, 7), 3, rows);
        for first in [0, 24, 25, 56] {
            let all: [u64; 32] = std::array::from_fn(|n| line.at(first + n as u64, rows, Ty::B32));
            assert_eq!(line.values(first, rows, Ty::B32), all);
        }
    }
}
