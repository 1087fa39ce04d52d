//! Memory pools of other processes: a file that stands for the pool, of which a process passes a descriptor on.

use crate::code::{OUT_OF_MEMORY, Res, UNKNOWN};
use crate::fault::explain;
use crate::ipc::{Bytes, Nonce, Shareable, descriptor_of, file_of_descriptor, read_words};
use std::fs::File;
use std::os::unix::fs::FileExt;

const BYTES: u64 = 4096;
const MAGIC: u64 = u64::from_le_bytes(*b"cuoxIPCp");
/// The place of the words behind the file's random number.
const WORDS: u64 = 16;

/// A pool's file.
pub struct SharedPool {
    file: File,
    nonce: Nonce,
}

impl SharedPool {
    /// A file for a pool of this process's, of a device's memory or the host's.
    pub fn new(device: usize, is_host: bool) -> Res<SharedPool> {
        let Shareable { file, nonce } = Shareable::new(BYTES, 0)?;
        let words = [MAGIC, device as u64, u64::from(is_host)]
            .map(u64::to_le_bytes)
            .concat();
        file.write_all_at(&words, WORDS)
            .map_err(|_| OUT_OF_MEMORY)?;
        Ok(SharedPool { file, nonce })
    }

    /// The bytes that stand for an allocation of this pool, made of its handle, or the handle of these bytes. Another
    /// pool makes a stale handle of them.
    pub fn marked(&self, mut bytes: Bytes) -> Bytes {
        let id = bytes.len() - size_of::<u64>();
        let mark = self.nonce[0].to_le_bytes();
        bytes[id..]
            .iter_mut()
            .zip(mark)
            .for_each(|(to, by)| *to ^= by);
        bytes
    }

    /// A new descriptor of the file, which the program closes.
    pub fn descriptor(&self) -> Res<i32> {
        descriptor_of(&self.file)
    }

    /// The pool that a descriptor, which stays the program's, stands for, the device whose memory it gives, and whether
    /// it gives the host's.
    pub fn of_descriptor(descriptor: i32) -> Res<(SharedPool, usize, bool)> {
        let known = file_of_descriptor(descriptor).and_then(|file| {
            let [magic, device, is_host] = read_words(&file, WORDS)?;
            let nonce = read_words(&file, 0)?;
            let pool = SharedPool { file, nonce };
            (magic == MAGIC).then_some((pool, device as usize, is_host != 0))
        });
        known.ok_or_else(|| {
            explain(format!(
                "descriptor {descriptor} is not that of a memory pool of the software GPU's"
            ));
            UNKNOWN
        })
    }
}
