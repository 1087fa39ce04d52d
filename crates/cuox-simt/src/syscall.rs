//! Services of the driver that device code calls, the same for both engines.

use crate::env::GridEnv;
use crate::fault::{Fault, FaultKind};
use crate::ir::Syscall;
use crate::sem::format::{BadAddress, Reader, read_string, vprintf};

/// Performs `call` for a thread of the block `ctaid`; gives its result (0 if it has none). `read` reads the program's
/// memory, or says that it cannot.
pub fn perform(
    grid: &GridEnv<'_>,
    ctaid: [u32; 3],
    thread: u32,
    call: Syscall,
    args: &[u64],
    read: &mut Reader<'_>,
) -> Result<u64, Fault> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
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
        Syscall::AssertFail => {
            let mut text = |address| {
                read_string(read, address).map_or("?".into(), |bytes| {
                    String::from_utf8_lossy(&bytes).into_owned()
                })
            };
            let [bx, by, bz] = ctaid;
            let [tx, ty, tz] = grid.tid(thread);
            let (message, file, line, function) =
                (text(arg(0)), text(arg(1)), arg(2) as u32, text(arg(3)));
            let line = format!(
                "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] \
                 Assertion `{message}` failed.\n"
            );
            grid.host.print(line.as_bytes());
            let mut fault = Fault::new(FaultKind::Assert, line.trim_end());
            fault.thread = Some([tx, ty, tz]);
            Err(fault)
        }
    }
}

/// Reads the program's memory for [`perform`]: answers false where nothing is mapped or nothing may be read.
pub fn read_memory(address: u64, into: &mut [u8]) -> bool {
    let (base, mask) = crate::space::check();
    let last = address.wrapping_add(into.len().max(1) as u64 - 1);
    if ((address ^ base) | (last ^ base)) & mask != 0 {
        return false;
    }
    // SAFETY: the destination is ours; a source that is not mapped makes the copy answer an error.
    unsafe { crate::trap::copy(into.as_mut_ptr() as u64, address, into.len()) }.is_ok()
}
