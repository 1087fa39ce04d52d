//! `mbarrier` objects: 64 bits of shared memory that threads and copies arrive at.
//!
//! PTX leaves the bits' meaning to the implementation. The low twenty bits count the arrivals that the current phase
//! still waits for. The next twenty are the initial count of each phase. The next 22 are the signed count of bytes
//! still to come (`tx-count`). The top bit is the phase's parity. A phase ends when both counts are zero.

/// The number of bits of a count of arrivals.
pub const COUNT_BITS: u32 = 20;
/// The lowest bit of the transaction count.
pub const TX_SHIFT: u32 = 2 * COUNT_BITS;
/// The number of bits of the transaction count.
const TX_BITS: u32 = 22;
/// The mask of a count of arrivals in the lowest bits.
pub const COUNT: u64 = (1 << COUNT_BITS) - 1;
/// The phase's parity bit, which changes when a phase ends.
pub const PHASE: u64 = 1 << 63;

const TX: u64 = ((1 << TX_BITS) - 1) << TX_SHIFT;

/// Returns the object's bits after a step. The low twenty bits of `by` are arrivals, the next twenty reduce the
/// initial count of later phases, and the rest, signed, is added to the transaction count.
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

/// Returns the argument of [`step`] for the arrival of `bytes`.
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
        // Bytes may arrive before they are expected.
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
