//! A block's data and services for helpers that generated code calls.
//!
//! Each block owns one [`Runtime`], to which its environment points. A helper finds there the call site that the code
//! names by number, runs the service, and records a fault if there is one. The code asks for a recorded fault after the
//! call and exits with it.

use crate::env::{BlockEnv, GridEnv};
use crate::fault::{Fault, FaultKind};
use crate::image::{self, Failure, Handles, Lanes, Words};
use crate::ir::{Access, AtomOp, BlockId, ImageOp, Num, WarpOp};
use crate::jit::code::symbol::Site;
use crate::jit::plan::Plan;
use crate::jit::runtime::later::{self, Later};
use crate::jit::runtime::layout::{Gang, Textures};
use crate::jit::runtime::state::{Collective, State};
use crate::memcheck::{Hit, Hits};
use crate::{syscall, trap};
use std::cell::RefCell;

/// Data of a block that helpers need: the plan of its code, its launch, its lane slots, and the fault that a helper has
/// recorded.
/// [`crate::jit::runtime::layout::Env`] points to it.
pub struct Runtime<'g> {
    plan: &'g Plan,
    grid: &'g GridEnv<'g>,
    lanes: *mut u8,
    fault: RefCell<Option<Fault>>,
    objects: Handles<'g>,
    hits: Hits,
    /// Additions to memory that wait.
    later: Later,
}

/// Most bytes of a block's shared memory.
const MAX_SHARED: u64 = 1 << 18;

impl<'g> Runtime<'g> {
    /// Creates the runtime of a block whose lane slots are at `lanes`.
    pub fn new(plan: &'g Plan, grid: &'g GridEnv<'g>, lanes: *mut u8) -> Self {
        Runtime {
            plan,
            grid,
            lanes,
            fault: RefCell::new(None),
            objects: Handles::new(grid.host),
            hits: Hits::default(),
            later: Later::default(),
        }
    }

    /// Adds to a number in memory, later unless it is in shared memory.
    ///
    /// # Safety
    /// The address must be aligned and in the device's range. The caller handles the fault of inaccessible memory.
    pub unsafe fn add(&self, block: &BlockEnv, address: u64, wide: bool, by: u64) {
        let shared = address.wrapping_sub(block.shared) < MAX_SHARED;
        // SAFETY: the caller guarantees it.
        unsafe {
            match shared || self.grid.cluster_blocks() > 1 {
                false => self.later.add(address, wide, by),
                true => later::add(address, wide, by),
            }
        }
    }

    /// Makes the additions that wait.
    pub fn add_now(&self) {
        unsafe extern "C" fn flush(later: *mut u8) -> u64 {
            // SAFETY: the pointer is that of the additions below. Their addresses were accessible, and the runtime has
            // checked them.
            unsafe { (*later.cast::<Later>()).flush() };
            0
        }
        if !self.later.is_empty() {
            let later = std::ptr::from_ref(&self.later).cast_mut();
            // SAFETY: the function holds nothing where it accesses memory. Memory that has been freed meanwhile gets
            // nothing.
            let _ = unsafe { trap::protected(flush, later.cast()) };
        }
    }

    /// Takes the fault that a helper has recorded.
    pub fn take_fault(&self) -> Option<Fault> {
        self.fault.borrow_mut().take()
    }

    /// Records a fault, unless there is one already.
    pub fn put_fault(&self, fault: Fault) {
        self.fault.borrow_mut().get_or_insert(fault);
    }

    /// Tells whether a helper has recorded a fault.
    pub fn has_fault(&self) -> bool {
        self.fault.borrow().is_some()
    }

    /// Returns the site with a number, if `wanted` accepts it. Code names only sites of its own plan, each in calls of
    /// the right helper; anything else records a fault.
    fn site<T>(
        &self,
        number: usize,
        what: &str,
        wanted: impl FnOnce(Site) -> Option<T>,
    ) -> Option<T> {
        let site = self.plan.numbers.site_at(number);
        let found = site.and_then(wanted);
        if found.is_none() {
            let message = format!(
                "internal error: site {number} of a kernel is not {what}; this is a bug in cuox"
            );
            self.put_fault(Fault::new(FaultKind::Internal, message));
        }
        found
    }

    /// Returns the operation of an atomic site. Records a fault and returns `None` if there is none.
    pub fn atomic_site(&self, site: usize) -> Option<(AtomOp, Num, bool)> {
        self.site(site, "an atomic operation", |site| match site {
            Site::Atomic(op, num, packed) => Some((op, num, packed)),
            Site::Syscall(_) | Site::Image(_) | Site::Check(_) => None,
        })
    }

    /// Returns the access of a check's site. Records a fault and returns `None` if there is none.
    pub fn access_site(&self, site: usize) -> Option<Access> {
        self.site(site, "a check", |site| match site {
            Site::Check(access) => Some(access),
            Site::Syscall(_) | Site::Image(_) | Site::Atomic(..) => None,
        })
    }

    /// The allocations that checks have found last.
    pub fn hits(&self) -> *const Hit {
        match self.grid.checked {
            true => self.hits.all(),
            false => Hits::none(),
        }
    }

    /// Tells whether the masked accesses of a site lie in the allocation that its last check found.
    pub fn known(&self, site: usize, addresses: &[u64; 16], mask: u64) -> bool {
        self.hits.know(site, addresses, mask)
    }

    /// Tells whether the accesses of a site between two addresses, including the bytes of the one at the last, lie in
    /// the allocation that its last check found.
    pub fn knows_all(&self, site: usize, (least, most): (u64, u64)) -> bool {
        self.hits.know_all(site, least, most)
    }

    /// Checks the access of a site by one thread. Returns whether it failed, with a fault recorded.
    pub fn check(&self, site: usize, block: &BlockEnv, thread: u32, address: u64) -> bool {
        if self.hits.know_all(site, address, address) {
            return false;
        }
        let Some(access) = self.access_site(site) else {
            return true;
        };
        match self.hits.check(self.grid, block, site, access, address) {
            Ok(()) => false,
            Err(mut fault) => {
                fault.block = Some(block.ctaid);
                fault.thread = Some(self.grid.tid(thread));
                self.put_fault(fault);
                true
            }
        }
    }

    /// Returns the first active lane of a gang in a masked block.
    ///
    /// # Safety
    /// `gang` must be a gang of this runtime's block.
    pub unsafe fn first_of(&self, gang: *mut Gang, block: BlockId) -> u64 {
        let Some(mask) = self.plan.block(block).and_then(|b| b.mask) else {
            return 0;
        };
        // SAFETY: the gang's state is in the memory of its block, and the code that changes it waits for this call.
        let (first, count) = unsafe { ((*gang).first, (*gang).count) };
        let lanes = |ahead: u64| State {
            gang,
            lanes: self.lanes,
            warp: (first + ahead) as usize / 32,
            ahead,
            plan: self.plan,
        };
        (0..count)
            .step_by(32)
            .find_map(|ahead| match lanes(ahead).masked(mask) {
                0 => None,
                bits => Some(ahead + u64::from(bits.trailing_zeros())),
            })
            .unwrap_or(0)
    }

    /// Executes a driver service for one thread.
    pub fn syscall(&self, site: usize, block: &BlockEnv, thread: u32, args: &[u64; 8]) -> u64 {
        let call = self.site(site, "a service", |site| match site {
            Site::Syscall(call) => Some(call),
            Site::Image(_) | Site::Atomic(..) | Site::Check(_) => None,
        });
        let Some(call) = call else { return 0 };
        // After a failed assertion services have no effect.
        if self.has_fault() && !call.faults_late() {
            return 0;
        }
        let mut read = |address, into: &mut [u8]| syscall::read_memory(address, into);
        match syscall::perform(self.grid, block, thread, call, args, &mut read) {
            Ok(value) => value,
            Err(fault) => {
                self.put_fault(fault);
                0
            }
        }
    }

    /// Executes an image operation of `count` threads from `thread` on. Returns whether it failed.
    ///
    /// # Safety
    /// The call must be inside a protected call; see [`image::perform`].
    pub unsafe fn image(&self, site: usize, words: &mut Words, thread: u32, count: usize) -> bool {
        let Some(op) = self.image_site(site) else {
            return true;
        };
        // SAFETY: the caller guarantees a protected call, which handles accesses to unmapped memory of an image. No
        // lock is held and no destructor is pending meanwhile.
        let done = unsafe { image::perform(op, words, count, &self.objects) };
        self.image_done(done, thread)
    }

    /// Executes an image operation of the threads from `thread` on whose bits are set in `mask`, and notes the
    /// texture if generated code can read more of it. Returns whether it failed.
    ///
    /// # Safety
    /// As for [`Runtime::image`].
    pub unsafe fn image_lanes(
        &self,
        site: usize,
        lanes: &mut Lanes,
        thread: u32,
        mask: u32,
        textures: &mut Textures,
    ) -> bool {
        let Some(op) = self.image_site(site) else {
            return true;
        };
        // SAFETY: as above.
        let done = unsafe { image::perform_lanes(op, lanes, mask, &self.objects) };
        if let Ok(Some(found)) = done {
            textures.put(found);
        }
        self.image_done(done.map(|_| ()), thread)
    }

    fn image_site(&self, site: usize) -> Option<ImageOp> {
        self.site(site, "a texture or surface operation", |site| match site {
            Site::Image(op) => Some(op),
            Site::Syscall(_) | Site::Atomic(..) | Site::Check(_) => None,
        })
    }

    /// Records a failure of an operation of the threads from `thread` on. Returns whether there is one.
    fn image_done(&self, done: Result<(), Failure>, thread: u32) -> bool {
        let Err((lane, mut fault)) = done else {
            return false;
        };
        fault.thread = Some(self.grid.tid(thread + lane as u32));
        self.put_fault(fault);
        true
    }

    /// Executes the warp operation at the end of `block` for a gang, warp by warp. Returns false, with nothing done, if
    /// the masks of a warp's lanes do not let them all perform it at once.
    ///
    /// # Safety
    /// `gang` must be a gang of this runtime's block.
    pub unsafe fn warp_op(&self, gang: *mut Gang, block: usize) -> bool {
        let Some(op) = Collective::of(&self.plan.func.blocks[block].end) else {
            return true;
        };
        // SAFETY: the gang's state is in the memory of its block, and the code that changes it waits for this call.
        let (first, count) = unsafe { ((*gang).first, (*gang).count) };
        let for_lanes = self.plan.func.blocks[block].mask;
        let warp = |ahead: u64| {
            let state = State {
                gang,
                lanes: self.lanes,
                warp: (first + ahead) as usize / 32,
                ahead,
                plan: self.plan,
            };
            let active = for_lanes.is_none_or(|mask| state.masked(mask) != 0);
            active.then_some(state)
        };
        let warps = (0..count).step_by(32);
        if op.op.with_mask().is_some() && op.mask.reg().is_some() {
            // The last warp of a gang may lack threads.
            let exist = |ahead: u64| u32::MAX >> (32 - (count - ahead).min(32));
            let meet = |ahead| warp(ahead).is_none_or(|state| state.all_meet(&op, exist(ahead)));
            if !warps.clone().all(meet) {
                return false;
            }
        }
        if op.op != WarpOp::Sync {
            for state in warps.filter_map(warp) {
                state.warp_op(&op, u32::MAX, true);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::shape::Shape;
    use crate::env::BlockRun;
    use crate::jit::JitBlock;
    use crate::jit::code::cache::Cache;
    use crate::jit::compile::Compiled;
    use crate::{Host, Program, space};
    use std::sync::atomic::AtomicBool;

    struct NoHost;

    impl Host for NoHost {
        fn print(&self, _: &[u8]) {}
        fn malloc(&self, _: u64) -> u64 {
            0
        }
        fn free(&self, _: u64) {}
    }

    #[test]
    fn a_site_that_the_plan_lacks_is_a_fault() {
        let text = ".version 8.6\n.target sm_90\n.address_size 64
            .entry k(.param .u64 p) { .reg .b64 %d; .reg .b32 %r;
            ld.param.u64 %d, [p]; atom.global.inc.u32 %r, [%d], 9; ret; }";
        let program = Program::from_ptx(text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let plan = Plan::new(&unit, Shape::Line, 32, false, 8, false).expect("a plan");
        let mut compiled = Compiled::new(plan, &Cache::Off);
        assert_eq!(compiled.prepare(1), Ok(()));
        let page = space::reserve(4096, 4096).expect("address space");
        // SAFETY: the page has just been reserved, and nothing else refers to it.
        unsafe { space::commit(page, 4096) }.expect("memory");
        let params = [page];
        let cancel = AtomicBool::new(false);
        let grid = GridEnv {
            checked: false,
            grid: [1; 3],
            block: [1; 3],
            cluster: [1; 3],
            explicit_cluster: false,
            shared_bytes: 0,
            dynamic_shared: 0,
            stack_bytes: 0,
            params: params.as_ptr() as u64,
            param_bytes: 8,
            local_bytes: 0,
            symbols: &[],
            grid_id: 1,
            multiprocessors: 1,
            envregs: [0; 32],
            cancel: &cancel,
            deadline: None,
            host: &NoHost,
        };
        let block = BlockEnv {
            ctaid: [0; 3],
            rank: 0,
            worker: 0,
            shared: page,
            local: page,
        };
        let run = |compiled: &Compiled| {
            let mut block = JitBlock::new(compiled, &grid, block, 0);
            block.run(&mut || {}).map(drop)
        };
        assert_eq!(run(&compiled), Ok(()));
        // The code refers to the operations of its plan.
        let _numbers = std::mem::take(&mut compiled.plan.numbers);
        let fault = run(&compiled).expect_err("the site is not there");
        assert_eq!(fault.kind, FaultKind::Internal);
        assert!(
            fault
                .message
                .contains("site 0 of a kernel is not an atomic operation"),
            "{fault}"
        );
        // SAFETY: nothing points to this memory any more.
        unsafe {
            space::decommit(page, 4096);
            space::unreserve(page, 4096);
        }
    }
}
