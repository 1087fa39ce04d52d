//! The room in a stream's queue.
//!
//! A stream takes so many launches, copies and fills, then whoever adds one waits: so a program that launches faster
//! than its kernels run holds no more memory than its last thousand launches need, and what waits for a stream waits
//! for no more than these. An H200 takes 1021 of them; of copies from pageable memory it keeps 4 MiB. Recordings of
//! events, host functions and frees have no bound there, and none here.

use std::collections::VecDeque;
use std::time::Duration;

/// Launches, copies and fills that a stream takes.
const PIECES: usize = 1024;
/// Bytes of parameters and of copied host memory that a stream takes.
const BYTES: usize = 4 << 20;
/// Whoever has to wait waits until so many are done, and not for each of them.
const AT_ONCE: usize = 64;
/// And no longer than this: then the queue grows by one. So a program can be interrupted while its kernel never ends,
/// and one whose kernel waits for what the host does later goes on.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// The work in a queue that takes room, in order: its numbers and bytes.
#[derive(Default)]
pub struct Room {
    pieces: VecDeque<(u64, usize)>,
    bytes: usize,
}

impl Room {
    fn forget(&mut self, completed: u64) {
        while let Some(&(_, size)) = self.pieces.front().filter(|&&(seq, _)| seq <= completed) {
            self.pieces.pop_front();
            self.bytes -= size;
        }
    }

    /// Forgets what is complete. Answers the number of the work that must be complete for there to be room for so many
    /// bytes more, or `None` if there is.
    pub fn lacking(&mut self, completed: u64, bytes: usize) -> Option<u64> {
        self.forget(completed);
        if self.pieces.len() >= PIECES {
            return self.pieces.get(AT_ONCE).map(|&(seq, _)| seq);
        }
        let mut over = self.bytes.saturating_add(bytes).saturating_sub(BYTES);
        if over == 0 {
            return None;
        }
        for &(seq, size) in &self.pieces {
            over = over.saturating_sub(size);
            if over == 0 {
                return Some(seq);
            }
        }
        // Something larger than all of the room has it alone.
        self.pieces.back().map(|&(seq, _)| seq)
    }

    /// Forgets what is complete, and counts one piece of work.
    pub fn take(&mut self, completed: u64, seq: u64, bytes: usize) {
        self.forget(completed);
        self.pieces.push_back((seq, bytes));
        self.bytes += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_bytes_are_bounded() {
        let mut room = Room::default();
        for seq in 1..=PIECES as u64 {
            assert_eq!(room.lacking(0, 0), None);
            room.take(0, seq, 0);
        }
        assert_eq!(room.lacking(0, 0), Some(AT_ONCE as u64 + 1));
        assert_eq!(room.lacking(1, 0), None);
        room.take(1, 2000, BYTES);
        assert_eq!(room.lacking(1, 0), Some(AT_ONCE as u64 + 2));
        assert_eq!(room.lacking(1999, 0), None);
        assert_eq!(room.lacking(1999, 1), Some(2000));
        assert_eq!(room.lacking(2000, BYTES + 1), None, "alone");
        assert_eq!(room.bytes, 0);
        for seq in 3000..3004 {
            room.take(2999, seq, BYTES / 4);
        }
        assert_eq!(
            room.lacking(2999, BYTES / 4),
            Some(3000),
            "as much as is needed"
        );
        assert_eq!(room.lacking(2999, BYTES / 2), Some(3001));
    }
}
