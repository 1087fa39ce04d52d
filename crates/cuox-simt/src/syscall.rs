//! The driver's services for device code, the same for both engines.

use crate::env::{BlockEnv, GridEnv, WINDOW_BITS};
use crate::fault::{Fault, FaultKind};
use crate::ir::{AtomOp, Num, Syscall, TensorCopy, Ty};
use crate::launch::{Breakpoint, Resume};
use crate::sem::atom::atomic;
use crate::sem::format::{BadAddress, Reader, read_string, vprintf};
use crate::sem::mbarrier;
use crate::tensor_map::{self, Tensor};
use crate::{memcheck, space, trap};
use std::time::Instant;

/// Performs `call` for a thread of a block; returns its result (0 if it has none). `read` reads the program's memory,
/// and returns false if it cannot.
pub fn perform(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    thread: u32,
    call: Syscall,
    args: &[u64],
    read: &mut Reader<'_>,
) -> Result<u64, Fault> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    // A text that is printed may be in local memory, of which its address is all that is known.
    let mut read = |address: u64, into: &mut [u8]| {
        let ahead = address.wrapping_sub(space::local_window());
        let own = block.local + u64::from(thread) * u64::from(grid.local_bytes);
        let is_local = ahead < u64::from(grid.local_bytes);
        read(if is_local { own + ahead } else { address }, into)
    };
    let read = &mut read;
    let of_thread = |mut fault: Fault| {
        fault.thread = Some(grid.tid(thread));
        fault
    };
    match call {
        Syscall::Printf => match vprintf(read, arg(0), arg(1)) {
            Ok((text, taken)) => {
                grid.host.print(&text);
                Ok(u64::from(taken))
            }
            Err(BadAddress(at)) => Err(Fault::new(
                FaultKind::IllegalAddress,
                format!("printf cannot read address {at:#x}"),
            )),
        },
        Syscall::Malloc => Ok(grid.host.malloc(arg(0))),
        Syscall::Free => {
            grid.host.free(arg(0));
            Ok(0)
        }
        Syscall::Breakpoint => {
            let place = read_string(read, arg(0)).map_err(|BadAddress(at)| {
                let message = format!("breakpoint cannot read address {at:#x}");
                of_thread(Fault::new(FaultKind::IllegalAddress, message))
            })?;
            let at = Breakpoint {
                place: &place,
                variables: arg(1),
                grid: grid.grid,
                block: grid.block,
                block_index: block.ctaid,
                thread_index: grid.tid(thread),
            };
            let from = Instant::now();
            let resume = grid.host.breakpoint(&at);
            if let Some(deadline) = &grid.deadline {
                deadline.stood_since(from);
            }
            match resume {
                Resume::With(value) => Ok(u64::from(value)),
                Resume::Quit => Err(of_thread(Fault::new(
                    FaultKind::Quit,
                    "the grid was ended at a breakpoint",
                ))),
            }
        }
        Syscall::NoFunction => {
            let handle = arg(0);
            let message = format!(
                "call through {handle:#x}, which is not a device function of that prototype"
            );
            let mut fault = Fault::new(FaultKind::IllegalInstruction, message);
            fault.thread = Some(grid.tid(thread));
            Err(fault)
        }
        Syscall::Runtime(call) => {
            let count = call.signature().0.len().min(args.len());
            Ok(grid
                .host
                .runtime(call, (block.ctaid, thread), &args[..count]))
        }
        Syscall::BulkCopy => {
            bulk_copy(grid, block, [0, 1, 2, 3, 4].map(arg)).map_err(of_thread)?;
            Ok(0)
        }
        Syscall::BulkReduce(op, num) => {
            bulk_reduce(grid, block, (op, num), [0, 1, 2, 3].map(arg)).map_err(of_thread)?;
            Ok(0)
        }
        Syscall::TensorLoad(copy) => {
            let tensor = tensor(copy, arg(1), [4, 5, 6, 7].map(arg));
            tensor_load(grid, block, &tensor, [0, 2, 3].map(arg)).map_err(of_thread)?;
            Ok(0)
        }
        Syscall::TensorStore(copy) => {
            let tensor = tensor(copy, arg(1), [arg(2), arg(3), arg(4), 0]);
            tensor_map::store(grid, block, &tensor, arg(0)).map_err(of_thread)?;
            Ok(0)
        }
        Syscall::TensorReduce(op, copy) => {
            let tensor = tensor(copy, arg(1), [arg(2), arg(3), arg(4), 0]);
            tensor_map::reduce(grid, block, op, &tensor, arg(0)).map_err(of_thread)?;
            Ok(0)
        }
        Syscall::TensorMapReplace(field) => {
            tensor_map::replace(grid, block, arg(0), field, arg(1)).map_err(of_thread)?;
            Ok(0)
        }
        Syscall::WgmmaFault => Err(of_thread(wgmma_fault(grid, arg(0) as u32))),
        Syscall::AssertFail => {
            let mut text = |address| {
                read_string(read, address).map_or("?".into(), |bytes| {
                    String::from_utf8_lossy(&bytes).into_owned()
                })
            };
            let [bx, by, bz] = block.ctaid;
            let [tx, ty, tz] = grid.tid(thread);
            let (message, file, line, function) =
                (text(arg(0)), text(arg(1)), arg(2) as u32, text(arg(3)));
            let line = format!(
                "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] \
                 Assertion `{message}` failed.\n"
            );
            grid.host.print(line.as_bytes());
            let mut fault = Fault::new(FaultKind::Assert, line.trim_end());
            fault.block = Some(block.ctaid);
            fault.thread = Some([tx, ty, tz]);
            Err(fault)
        }
    }
}

/// Returns the fault of a `wgmma`; see [`Syscall::WgmmaFault`].
fn wgmma_fault(grid: &GridEnv<'_>, what: u32) -> Fault {
    const OUTSIDE: u32 = 1 << 31;
    if what & OUTSIDE == 0 {
        let threads = grid.threads();
        let message = format!(
            "wgmma by a warp that is not one of four whole warps of a warpgroup (a block of {threads} threads)"
        );
        return Fault::new(FaultKind::IllegalInstruction, message);
    }
    let message = format!(
        "wgmma of a matrix at {:#x} in shared memory, which its descriptor gives, but the block has {:#x} bytes of it",
        what & !OUTSIDE,
        grid.shared_bytes,
    );
    Fault::new(FaultKind::IllegalAddress, message)
}

/// Returns a fault unless all of the bytes are device memory, at a multiple of `align`.
pub(crate) fn check(what: &str, address: u64, len: u64, align: u64) -> Result<(), Fault> {
    if !address.is_multiple_of(align) {
        return Err(Fault::new(
            FaultKind::MisalignedAddress,
            format!("{what} {address:#x} of a bulk copy is not a multiple of {align}"),
        ));
    }
    if space::contains(address, len) || space::outside_allowed() {
        return Ok(());
    }
    Err(Fault::new(
        FaultKind::IllegalAddress,
        format!("{what} {address:#x} of a bulk copy of {len} bytes, which no allocation covers"),
    ))
}

/// Returns the size of a bulk copy, which must be a multiple of 16.
fn bulk_size(bytes: u64) -> Result<u64, Fault> {
    if bytes.is_multiple_of(16) {
        return Ok(bytes);
    }
    Err(Fault::new(
        FaultKind::IllegalInstruction,
        format!("a bulk copy of {bytes} bytes, which is not a multiple of 16"),
    ))
}

/// Counts arrived bytes at an `mbarrier` object.
fn arrived(barrier: u64, bytes: u64) -> Result<(), Fault> {
    check("mbarrier", barrier, 8, 8)?;
    Protected {
        op: AtomOp::Mbarrier,
        num: Num::U(Ty::B64),
        to: barrier,
        from: None,
        count: 1,
        value: mbarrier::completed(bytes),
    }
    .run()
}

/// Read-modify-writes of consecutive elements; the argument of a protected call.
#[repr(C)]
pub(crate) struct Protected {
    pub op: AtomOp,
    pub num: Num,
    pub to: u64,
    /// The address of the operands; if `None`, the operand is `value`.
    pub from: Option<u64>,
    pub count: u64,
    pub value: u64,
}

unsafe extern "C" fn update(arg: *mut u8) -> u64 {
    // SAFETY: `run` passes its own structure with checked, aligned device addresses and runs this in a protected
    // call, which an inaccessible page ends.
    unsafe {
        let p = &*arg.cast::<Protected>();
        let size = u64::from(p.num.ty().bytes());
        for n in 0..p.count {
            let value = match p.from {
                None => p.value,
                Some(from) => {
                    let mut bytes = [0; 8];
                    let at = (from + n * size) as *const u8;
                    std::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), size as usize);
                    u64::from_le_bytes(bytes)
                }
            };
            atomic(p.op, p.num, false, (p.to + n * size) as *mut u8, [value, 0]);
        }
    }
    0
}

impl Protected {
    pub fn run(&mut self) -> Result<(), Fault> {
        // SAFETY: `update` holds no lock when it faults, and gets its own kind of argument.
        let done = unsafe { trap::protected(update, (&raw mut *self).cast()) };
        done.map(drop).map_err(|trap| missing(trap.address))
    }
}

pub(crate) fn missing(address: u64) -> Fault {
    Fault::new(
        FaultKind::IllegalAddress,
        format!("a bulk copy touches address {address:#x}, which no allocation covers"),
    )
}

/// A bulk copy, to one address or to several blocks of the cluster.
fn bulk_copy(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    [to, from, bytes, barrier, blocks]: [u64; 5],
) -> Result<(), Fault> {
    let bytes = bulk_size(bytes)?;
    check("source", from, bytes, 16)?;
    memcheck::check_range(grid, block, "read of a bulk copy", from, bytes)?;
    let one = |ahead: u64| {
        check("destination", to + ahead, bytes, 16)?;
        memcheck::check_range(grid, block, "write of a bulk copy", to + ahead, bytes)?;
        // SAFETY: both ranges are device memory, which was checked; `copy` returns an error if a page is
        // inaccessible.
        unsafe { trap::copy(to + ahead, from, bytes as usize) }.map_err(|t| missing(t.address))?;
        match barrier {
            0 => Ok(()),
            barrier => arrived(barrier + ahead, bytes),
        }
    };
    destinations(grid, blocks).try_for_each(one)
}

/// Returns the distances of the blocks that a copy goes to; see [`Syscall::BulkCopy`].
fn destinations(grid: &GridEnv<'_>, blocks: u64) -> impl Iterator<Item = u64> + Clone {
    let mask = if blocks == 0 { 1 } else { blocks };
    (0..u64::from(grid.cluster_blocks()))
        .filter(move |rank| mask >> rank & 1 == 1)
        .map(|rank| rank << WINDOW_BITS)
}

/// Returns the operands of a tensor copy.
fn tensor(copy: TensorCopy, map: u64, [c01, c23, c4, offsets]: [u64; 4]) -> Tensor {
    let high = |word: u64| (word >> 32) as i32;
    Tensor {
        map,
        rank: copy.rank,
        im2col: copy.im2col,
        coordinates: [c01 as i32, high(c01), c23 as i32, high(c23), c4 as i32],
        offsets: [0, 16, 32].map(|shift| (offsets >> shift) as u16),
    }
}

/// A copy of a part of a tensor to shared memory.
fn tensor_load(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    tensor: &Tensor,
    [to, barrier, blocks]: [u64; 3],
) -> Result<(), Fault> {
    let destinations = destinations(grid, blocks);
    let bytes = tensor_map::load(grid, block, tensor, to, destinations.clone())?;
    destinations
        .map(|ahead| barrier.wrapping_add(ahead))
        .try_for_each(|barrier| arrived(barrier, bytes))
}

/// A bulk reduction.
fn bulk_reduce(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    (op, num): (AtomOp, Num),
    [to, from, bytes, barrier]: [u64; 4],
) -> Result<(), Fault> {
    let bytes = bulk_size(bytes)?;
    check("source", from, bytes, 16)?;
    check("destination", to, bytes, 16)?;
    memcheck::check_range(grid, block, "read of a bulk reduction", from, bytes)?;
    memcheck::check_range(grid, block, "atomic of a bulk reduction", to, bytes)?;
    Protected {
        op,
        num,
        to,
        from: Some(from),
        count: bytes / u64::from(num.ty().bytes()),
        value: 0,
    }
    .run()?;
    match barrier {
        0 => Ok(()),
        barrier => arrived(barrier, bytes),
    }
}

/// Reads the program's memory for [`perform`]; returns false if the memory is not mapped or not readable.
pub fn read_memory(address: u64, into: &mut [u8]) -> bool {
    let (base, mask) = crate::space::check();
    let last = address.wrapping_add(into.len().max(1) as u64 - 1);
    if ((address ^ base) | (last ^ base)) & mask != 0 {
        return false;
    }
    // SAFETY: the destination is this function's argument; `copy` returns an error if the source is not mapped.
    unsafe { crate::trap::copy(into.as_mut_ptr() as u64, address, into.len()) }.is_ok()
}
