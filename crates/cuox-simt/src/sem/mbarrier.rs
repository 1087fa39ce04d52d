//! `mbarrier` objects: 64 bits of shared memory that threads and copies arrive at.
//!
//! What the bits mean is ours to choose. The low twenty count the arrivals that the current phase still waits for, the
//! twenty above them are what that count starts each phase with, the next 22 are the bytes that are still to come
//! (`tx-count`, signed), and the top bit is the phase's parity. A phase ends when both counts are zero.

/// Bits of a count of arrivals.
pub const COUNT_BITS: u32 = 20;
/// The lowest bit of the transaction count.
pub const TX_SHIFT: u32 = 2 * COUNT_BITS;
/// Bits of the transaction count.
const TX_BITS: u32 = 22;
/// A count of arrivals at the low end.
pub const COUNT: u64 = (1 << COUNT_BITS) - 1;
/// The bit that changes when a phase ends.
pub const PHASE: u64 = 1 << 63;

const TX: u64 = ((1 << TX_BITS) - 1) << TX_SHIFT;

/// The object's bits after a step: the low twenty bits of `by` are arrivals, the next twenty say by how many the counts to
/// come shrink, and the rest, signed, is added to the transaction count.
#[inline]
pub fn step(word: u64, by: u64) -> u64 {
    let pending = (word & COUNT).wrapping_sub(by & COUNT) & COUNT;
    let start = (word >> COUNT_BITS).wrapping_sub(by >> COUNT_BITS) & COUNT;
    let tx = (word & TX).wrapping_add(by >> TX_SHIFT << TX_SHIFT) & TX;
    let phase = word & PHASE;
    if pending == 0 && tx == 0 {
        return start << COUNT_BITS | start | (phase ^ PHASE);
    }
    phase | tx | start << COUNT_BITS | pending
}

/// What [`step`] takes for `bytes` that have arrived.
pub fn completed(bytes: u64) -> u64 {
    bytes.wrapping_neg() << TX_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_ends_when_all_have_come() {
        let two = 2 << COUNT_BITS | 2;
        let one_left = step(two, 1);
        assert_eq!(one_left & COUNT, 1);
        assert_eq!(step(one_left, 1), two | PHASE);
        assert_eq!(step(step(two | PHASE, 1), 1), two);
    }

    #[test]
    fn bytes_hold_a_phase_open() {
        let one = 1 << COUNT_BITS | 1;
        let expected = step(one, 1 | 256 << TX_SHIFT);
        assert_eq!(expected & PHASE, 0);
        let half = step(expected, completed(128));
        assert_eq!(half & PHASE, 0);
        assert_eq!(step(half, completed(128)), one | PHASE);
        // Bytes may come before they are expected.
        let early = step(one, completed(64));
        assert_eq!(early & PHASE, 0);
        assert_eq!(step(early, 1 | 64 << TX_SHIFT), one | PHASE);
    }

    #[test]
    fn who_drops_is_not_waited_for_again() {
        let two = 2 << COUNT_BITS | 2;
        let dropped = step(two, 1 | 1 << COUNT_BITS);
        assert_eq!(step(dropped, 1), PHASE | 1 << COUNT_BITS | 1);
    }
}
