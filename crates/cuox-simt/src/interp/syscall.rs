//! Services of the driver.

use super::{Env, memory};
use crate::fault::{Fault, FaultKind};
use crate::ir::Syscall;
use crate::sem::format::{BadAddress, read_string, vprintf};

/// Performs `call` for a thread; gives its result (0 if it has none).
pub(super) fn perform(
    env: &Env<'_>,
    thread: u32,
    call: Syscall,
    args: &[u64; 5],
) -> Result<u64, Fault> {
    let host = env.grid.host;
    let mut read = |address: u64, into: &mut [u8]| memory::read(env, address, into);
    match call {
        Syscall::Printf => match vprintf(&mut read, args[0], args[1]) {
            Ok((text, taken)) => {
                host.print(&text);
                Ok(u64::from(taken))
            }
            Err(BadAddress(at)) => Err(Fault::new(
                FaultKind::IllegalAddress,
                format!("printf cannot read address {at:#x}"),
            )),
        },
        Syscall::Malloc => Ok(host.malloc(args[0])),
        Syscall::Free => {
            host.free(args[0]);
            Ok(0)
        }
        Syscall::AssertFail => {
            let mut text = |address| {
                read_string(&mut read, address).map_or("?".into(), |bytes| {
                    String::from_utf8_lossy(&bytes).into_owned()
                })
            };
            let [bx, by, bz] = env.block.ctaid;
            let [tx, ty, tz] = env.grid.tid(thread);
            let (message, file, line, function) =
                (text(args[0]), text(args[1]), args[2] as u32, text(args[3]));
            let line = format!(
                "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] \
                 Assertion `{message}` failed.\n"
            );
            host.print(line.as_bytes());
            Err(Fault::new(FaultKind::Assert, line.trim_end()))
        }
    }
}
