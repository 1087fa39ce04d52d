//! Memory accesses. Every access is checked; one to an inaccessible page is a fault of the kernel.

use super::Env;
use super::thread::{Frame, Thread};
use crate::fault::{Fault, FaultKind};
use crate::image::{self, Handles, Words};
use crate::ir::{Access, Address, AtomOp, ImageOp, Num, Order, Space};
use crate::sem::atom;
use crate::verify::MAX_ELEMENTS;
use crate::{memcheck, space, trap};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering, fence};

/// The target of an access.
enum Target {
    /// Host memory.
    Host(u64),
    /// Bytes of a call slot.
    Slot(usize, usize),
}

/// Elements to move; the argument of a protected call.
#[repr(C)]
pub(super) struct Transfer {
    address: u64,
    pub count: usize,
    /// Bytes per element.
    pub size: u32,
    pub write: bool,
    pub values: [u128; MAX_ELEMENTS],
}

impl Transfer {
    pub fn new(count: usize, size: u32, write: bool) -> Transfer {
        Transfer {
            address: 0,
            count: count.min(MAX_ELEMENTS),
            size,
            write,
            values: [0; MAX_ELEMENTS],
        }
    }
}

/// A read-modify-write; the argument of a protected call.
#[repr(C)]
struct Update {
    address: u64,
    op: AtomOp,
    num: Num,
    packed: bool,
    wide: bool,
    args: [u128; 2],
    old: u128,
}

unsafe extern "C" fn transfer(arg: *mut u8) -> u64 {
    // SAFETY: the caller passes its own Transfer with a checked, aligned address and runs this in a protected call,
    // which an inaccessible page ends. Device memory is accessed atomically everywhere.
    unsafe {
        let t = &mut *arg.cast::<Transfer>();
        macro_rules! each {
            ($atomic:ident, $int:ty) => {
                for (i, value) in t.values[..t.count].iter_mut().enumerate() {
                    let at = t.address + i as u64 * size_of::<$int>() as u64;
                    let cell = $atomic::from_ptr(at as *mut $int);
                    if t.write {
                        cell.store(*value as $int, Ordering::Relaxed);
                    } else {
                        *value = u128::from(cell.load(Ordering::Relaxed));
                    }
                }
            };
        }
        match t.size {
            1 => each!(AtomicU8, u8),
            2 => each!(AtomicU16, u16),
            4 => each!(AtomicU32, u32),
            8 => each!(AtomicU64, u64),
            _ => {
                for (i, value) in t.values[..t.count].iter_mut().enumerate() {
                    let at = t.address + i as u64 * 16;
                    let low = AtomicU64::from_ptr(at as *mut u64);
                    let high = AtomicU64::from_ptr((at + 8) as *mut u64);
                    if t.write {
                        low.store(*value as u64, Ordering::Relaxed);
                        high.store((*value >> 64) as u64, Ordering::Relaxed);
                    } else {
                        let bits = u128::from(high.load(Ordering::Relaxed)) << 64;
                        *value = bits | u128::from(low.load(Ordering::Relaxed));
                    }
                }
            }
        }
    }
    0
}

unsafe extern "C" fn update(arg: *mut u8) -> u64 {
    // SAFETY: the caller passes its own Update with a checked, aligned address and runs this in a protected call,
    // which an inaccessible page ends.
    unsafe {
        let u = &mut *arg.cast::<Update>();
        let at = u.address as *mut u8;
        let [a, b] = u.args;
        u.old = if u.wide {
            atom::atomic128(u.op, at, a, b)
        } else {
            u128::from(atom::atomic(
                u.op,
                u.num,
                u.packed,
                at,
                [a as u64, b as u64],
            ))
        };
    }
    0
}

/// Returns true if a generic address may be accessed: device memory, or a window of the block.
fn legal(env: &Env<'_>, address: u64, len: u64) -> bool {
    let (grid, block) = (env.grid, &env.block);
    memcheck::in_cluster(grid, block, address, len).unwrap_or_else(|| {
        space::contains(address, len)
            || memcheck::in_window(grid, block, address, len)
            || space::outside_allowed()
    })
}

fn illegal(what: &str, verb: &str, len: u64, at: u64) -> Fault {
    let unit = if len == 1 { "byte" } else { "bytes" };
    Fault::new(
        FaultKind::IllegalAddress,
        format!("invalid {verb} of {len} {unit} at {what} {at:#x}"),
    )
}

/// Checks `[address, address + len)` and returns the target.
fn target(
    env: &Env<'_>,
    thread: u32,
    frame: &Frame,
    addr: &Address,
    len: u64,
    align: u64,
    verb: &str,
) -> Result<Target, Fault> {
    let base = frame.operand(addr.base);
    let window = |origin: u64, first: u64, size: u32, what: &str| {
        let offset = (base as u32)
            .wrapping_add(addr.offset as u32)
            .wrapping_add(first as u32);
        if u64::from(offset) + len > u64::from(size) {
            return Err(illegal(
                &format!("{what} offset (of {size} bytes)"),
                verb,
                len,
                u64::from(offset),
            ));
        }
        Ok((
            Target::Host(origin + u64::from(offset)),
            u64::from(offset),
            what.to_string(),
        ))
    };
    let (found, at, what) = match addr.space {
        Space::Flat => {
            let at = base.wrapping_add(addr.offset as u64);
            if !legal(env, at, len) {
                return Err(illegal("address", verb, len, at).at(at));
            }
            (Target::Host(at), at, "address".to_string())
        }
        Space::Shared => window(env.block.shared, 0, env.grid.shared_bytes, "shared memory")?,
        Space::Local => {
            let bytes = u64::from(env.grid.local_bytes);
            window(
                env.block.local + u64::from(thread) * bytes,
                u64::from(frame.local),
                env.grid.local_bytes,
                "local memory",
            )?
        }
        Space::Param => window(env.grid.params, 0, env.grid.param_bytes, "parameter")?,
        Space::Slot(slot) => {
            let offset = base.wrapping_add(addr.offset as u64) & 0xffff_ffff;
            let size = frame.slots.get(slot as usize).map_or(0, |s| s.len() as u64);
            if offset + len > size {
                return Err(illegal(
                    &format!("call slot {slot} (of {size} bytes) offset"),
                    verb,
                    len,
                    offset,
                ));
            }
            return Ok(Target::Slot(slot as usize, offset as usize));
        }
    };
    if !at.is_multiple_of(align) {
        return Err(Fault::new(
            FaultKind::MisalignedAddress,
            format!("misaligned {verb} of {len} bytes at {what} {at:#x}"),
        ));
    }
    Ok(found)
}

/// Returns the fences around an access with that ordering, as `(before, after)`.
fn fences(order: Order) -> (bool, bool) {
    match order {
        Order::Plain | Order::Relaxed => (false, false),
        Order::Acquire => (false, true),
        Order::Release => (true, false),
        Order::AcqRel => (true, true),
    }
}

/// Executes a fence with that ordering.
pub(super) fn order_fence(order: Order) {
    match order {
        Order::Plain | Order::Relaxed => {}
        Order::Acquire => fence(Ordering::Acquire),
        Order::Release => fence(Ordering::Release),
        Order::AcqRel => fence(Ordering::SeqCst),
    }
}

/// An image operation of one thread; the argument of a protected call.
struct ImageCall<'a> {
    op: ImageOp,
    words: &'a mut Words,
    objects: &'a Handles<'a>,
    result: Result<(), image::Failure>,
}

unsafe extern "C" fn perform(arg: *mut u8) -> u64 {
    // SAFETY: the caller passes its own ImageCall and runs this in a protected call.
    unsafe {
        let call = &mut *arg.cast::<ImageCall<'_>>();
        call.result = image::perform(call.op, call.words, 1, call.objects);
    }
    0
}

/// Performs an image operation for one thread.
pub(super) fn image(env: &Env<'_>, op: ImageOp, words: &mut Words) -> Result<(), Fault> {
    let objects = Handles::new(env.grid.host);
    let mut call = ImageCall {
        op,
        words,
        objects: &objects,
        result: Ok(()),
    };
    // SAFETY: `image::perform` holds no lock when it accesses the image's memory, so a fault may end it.
    match unsafe { trap::protected(perform, (&raw mut call).cast()) } {
        Ok(_) => call.result.map_err(|(_, fault)| fault),
        Err(trap) => Err(illegal("address", "image access", 0, trap.address).at(trap.address)),
    }
}

impl Thread {
    /// Returns a fault unless an access is to allocated memory.
    pub(super) fn check(&self, env: &Env<'_>, addr: &Address, access: Access) -> Result<(), Fault> {
        let at = self.top().operand(addr.base);
        let at = at.wrapping_add(addr.offset as u64);
        // Accesses of different sizes may share a line.
        let site = (access.bytes as usize) << 32 | access.line as usize;
        if env.hits.know_all(site, at, at) {
            return Ok(());
        }
        env.hits.check(env.grid, &env.block, site, access, at)
    }

    /// Moves elements between registers and memory.
    pub(super) fn transfer(
        &mut self,
        env: &Env<'_>,
        addr: &Address,
        order: Order,
        t: &mut Transfer,
    ) -> Result<(), Fault> {
        let verb = if t.write { "write" } else { "read" };
        let len = u64::from(t.size) * t.count as u64;
        let align = if t.count.is_power_of_two() {
            len
        } else {
            u64::from(t.size)
        };
        if t.write && addr.space == Space::Param {
            return Err(Fault::new(
                FaultKind::IllegalInstruction,
                "the kernel's parameters cannot be written",
            ));
        }
        match target(env, self.index, self.top(), addr, len, align, verb)? {
            Target::Host(at) => {
                t.address = at;
                let (before, after) = fences(order);
                if before {
                    fence(Ordering::SeqCst);
                }
                // SAFETY: `transfer` holds no lock when it faults. It gets its own kind of argument, with an aligned
                // device address that was checked.
                let done = unsafe { trap::protected(transfer, (&raw mut *t).cast()) };
                if after {
                    fence(Ordering::SeqCst);
                }
                done.map(drop)
                    .map_err(|_| illegal("address", verb, len, at).at(at))
            }
            Target::Slot(slot, offset) => {
                let size = t.size as usize;
                let bytes = &mut self.top_mut().slots[slot][offset..offset + len as usize];
                for (piece, value) in bytes.chunks_exact_mut(size).zip(&mut t.values) {
                    if t.write {
                        piece.copy_from_slice(&value.to_le_bytes()[..size]);
                    } else {
                        let mut all = [0; 16];
                        all[..size].copy_from_slice(piece);
                        *value = u128::from_le_bytes(all);
                    }
                }
                Ok(())
            }
        }
    }

    /// Performs an atomic operation; returns the old value.
    pub(super) fn update(
        &mut self,
        env: &Env<'_>,
        addr: &Address,
        (op, num, packed): (AtomOp, Num, bool),
        args: [u128; 2],
    ) -> Result<u128, Fault> {
        let bytes = if packed { 4 } else { num.ty().bytes() };
        let len = u64::from(bytes);
        let target = target(env, self.index, self.top(), addr, len, len, "atomic access")?;
        let (Target::Host(at), true) = (target, addr.space != Space::Param) else {
            return Err(Fault::new(
                FaultKind::IllegalInstruction,
                "an atomic access to a parameter",
            ));
        };
        let mut u = Update {
            address: at,
            op,
            num,
            packed,
            wide: bytes == 16,
            args,
            old: 0,
        };
        // SAFETY: `update` holds no lock when it faults. It gets this function's own Update, with a checked address.
        match unsafe { trap::protected(update, (&raw mut u).cast()) } {
            Ok(_) => Ok(u.old),
            Err(_) => Err(illegal("address", "atomic access", len, at).at(at)),
        }
    }
}

/// Reads device memory for the driver; returns false if that failed.
pub(super) fn read(env: &Env<'_>, address: u64, into: &mut [u8]) -> bool {
    let len = into.len();
    legal(env, address, len as u64)
        // SAFETY: the destination is this function's own buffer; the source is device memory, and `copy` returns an
        // error if a page is inaccessible.
        && unsafe { trap::copy(into.as_mut_ptr() as u64, address, len) }.is_ok()
}
