//! Operations of the lanes of a warp.
//!
//! Lane sets are bit masks, lane values are arrays of 32. Elements of arguments count only for active lanes; the
//! results of other lanes are 0.
//!
//! Lanes at the same operation (with its qualifiers) with the same member mask *meet*, wherever each of them executes
//! it: they perform it together once every member that has not exited has arrived. Lanes with different masks whose
//! meetings are complete at one place execute a shuffle together, so each may read from all of them; other operations
//! keep to the mask. All this is as on an H100.

use super::same;
use crate::env::WARP;
use crate::fault::{Fault, FaultKind};
use crate::ir::{Operand, Redux, Shuffle, Ty, Vote, WarpOp};

/// A value for each lane.
pub type Lanes = [u64; WARP as usize];
/// A b32 for each lane.
pub type Words = [u32; WARP as usize];

/// Returns the lane numbers of a set, ascending.
pub fn lanes_of(set: u32) -> impl Iterator<Item = usize> {
    (0..WARP as usize).filter(move |lane| set >> lane & 1 == 1)
}

/// Tells whether all of `lanes`, which are at one operation, can perform it at once: the lanes with one member mask are
/// those members of it that have not exited (`alive`).
pub fn all_meet(masks: &Words, lanes: u32, alive: u32) -> bool {
    let same = same::of_words(masks);
    let mut apart = 0;
    for lane in 0..32 {
        if lanes >> lane & 1 == 1 {
            apart |= same[lane] & lanes ^ masks[lane] & alive;
        }
    }
    apart == 0
}

/// Returns the first of `lanes` that its member mask leaves out, with the fault that this is. A mask that is a constant
/// of the program is not checked.
pub fn left_out(op: WarpOp, mask: Operand, masks: &Lanes, lanes: u32) -> Option<(usize, Fault)> {
    let name = op.with_mask()?;
    mask.reg()?;
    let lane = lanes_of(lanes).find(|&lane| masks[lane] >> lane & 1 == 0)?;
    let message = format!(
        "the mask {:#010x} of {name} leaves out the lane that executes it (lane {lane})",
        masks[lane] as u32
    );
    Some((lane, Fault::new(FaultKind::IllegalInstruction, message)))
}

/// `shfl.sync`: the values, and the set of lanes whose source was in range.
///
/// A lane whose source is in range but not active gets 0, as on an H200; the manual leaves that open.
pub fn shuffle(mode: Shuffle, values: &Lanes, b: &Lanes, c: &Lanes, active: u32) -> (Lanes, u32) {
    let mut out = [0; 32];
    let mut in_range = 0;
    for lane in lanes_of(active) {
        let at = lane as i32;
        let by = (b[lane] & 31) as i32;
        let clamp = (c[lane] & 31) as i32;
        let segment = (c[lane] >> 8 & 31) as i32;
        let first = at & segment;
        let last = first | (clamp & !segment);
        let source = match mode {
            Shuffle::Up => at - by,
            Shuffle::Down => at + by,
            Shuffle::Butterfly => at ^ by,
            Shuffle::Index => first | (by & !segment),
        };
        let fits = match mode {
            Shuffle::Up => source >= last,
            _ => source <= last,
        };
        let from = if fits { (source & 31) as usize } else { lane };
        if active >> from & 1 == 1 {
            out[lane] = values[from] & 0xffff_ffff;
        }
        in_range |= u32::from(fits) << lane;
    }
    (out, in_range)
}

/// `vote.sync`: one result for all lanes.
pub fn vote(mode: Vote, values: &Lanes, active: u32) -> u64 {
    let holds = lanes_of(active)
        .filter(|&lane| values[lane] & 1 == 1)
        .fold(0u32, |set, lane| set | 1 << lane);
    match mode {
        Vote::All => u64::from(holds == active),
        Vote::Any => u64::from(holds != 0),
        Vote::Uni => u64::from(holds == 0 || holds == active),
        Vote::Ballot => u64::from(holds),
    }
}

/// `match.any.sync`: for each lane the set of lanes with its value.
pub fn match_any(ty: Ty, values: &Lanes, active: u32) -> Lanes {
    let sets = match ty {
        Ty::B64 => same::of_longs(values),
        _ => same::of_words(&values.map(|value| (value & ty.mask()) as u32)),
    };
    let mut out = [0; 32];
    for lane in lanes_of(active) {
        out[lane] = u64::from(sets[lane] & active);
    }
    out
}

/// `match.all.sync`: `(active, 1)` if all values are equal, else `(0, 0)`.
pub fn match_all(ty: Ty, values: &Lanes, active: u32) -> (u64, u64) {
    let mut all = lanes_of(active).map(|lane| values[lane] & ty.mask());
    let first = all.next();
    if all.all(|v| Some(v) == first) {
        (u64::from(active), 1)
    } else {
        (0, 0)
    }
}

/// `redux.sync`: one result for all lanes.
pub fn redux(op: Redux, values: &Lanes, active: u32) -> u64 {
    let neutral = match op {
        Redux::Add | Redux::MaxU | Redux::Or | Redux::Xor => 0,
        Redux::MinU | Redux::And => u32::MAX,
        Redux::MinS => i32::MAX as u32,
        Redux::MaxS => i32::MIN as u32,
    };
    let mut words = [neutral; 32];
    for lane in lanes_of(active) {
        words[lane] = values[lane] as u32;
    }
    u64::from(redux_words(op, &words))
}

/// [`redux`] of a whole warp.
fn redux_words(op: Redux, words: &Words) -> u32 {
    // The two halves of the warp are combined as vectors.
    fn all(words: &Words, combine: impl Fn(u32, u32) -> u32) -> u32 {
        let mut parts = [0; 8];
        parts.copy_from_slice(&words[..8]);
        for part in words[8..].chunks_exact(8) {
            for (to, &word) in parts.iter_mut().zip(part) {
                *to = combine(*to, word);
            }
        }
        parts.into_iter().reduce(combine).unwrap_or(0)
    }
    let signed = |v: u32| v as i32;
    match op {
        Redux::Add => all(words, u32::wrapping_add),
        Redux::MinU => all(words, u32::min),
        Redux::MaxU => all(words, u32::max),
        Redux::MinS => all(words, |a, b| signed(a).min(signed(b)) as u32),
        Redux::MaxS => all(words, |a, b| signed(a).max(signed(b)) as u32),
        Redux::And => all(words, |a, b| a & b),
        Redux::Or => all(words, |a, b| a | b),
        Redux::Xor => all(words, |a, b| a ^ b),
    }
}

/// `elect.sync`: the leader, which is the lowest lane.
pub fn elect(active: u32) -> u32 {
    active.trailing_zeros() % WARP
}

/// The operands and results of a warp operation.
pub trait Site {
    /// Returns the lanes' values of operand `n`; arbitrary values if there is no such operand.
    fn arg(&self, n: usize) -> Lanes;

    /// Sets result `n` of some lanes, if the result is used.
    fn put(&mut self, n: usize, lanes: u32, values: &Lanes);

    /// Returns a b32 operand.
    fn words(&self, n: usize) -> Words {
        self.arg(n).map(|value| value as u32)
    }

    /// Returns a b32 operand by reference, in place or in `room`.
    fn words_in<'a>(&'a self, n: usize, room: &'a mut Words) -> &'a Words {
        *room = self.words(n);
        room
    }

    /// Sets a b32 result.
    fn put_words(&mut self, n: usize, lanes: u32, values: &Words) {
        self.put(n, lanes, &values.map(u64::from));
    }
}

/// [`perform`] for a whole warp whose lanes have the same member mask.
pub fn perform_whole(op: WarpOp, site: &mut impl Site) {
    const ALL: u32 = u32::MAX;
    let mut room = [0; 32];
    match op {
        WarpOp::Matrix(op) => super::matrix::perform(op, ALL, site),
        WarpOp::Sync | WarpOp::Step => {}
        WarpOp::ActiveMask => site.put_words(0, ALL, &[ALL; 32]),
        WarpOp::Elect => {
            site.put_words(0, ALL, &[0; 32]);
            let mut leads = [0; 32];
            leads[0] = 1;
            site.put(1, ALL, &leads);
        }
        WarpOp::MatchAny(Ty::B64) => {
            let sets = same::of_longs(&site.arg(0));
            site.put_words(0, ALL, &sets);
        }
        WarpOp::MatchAny(_) => {
            let sets = same::of_words(site.words_in(0, &mut room));
            site.put_words(0, ALL, &sets);
        }
        WarpOp::MatchAll(ty) => {
            let values = site.arg(0);
            let differ = values
                .iter()
                .fold(0, |bits, value| bits | value ^ values[0]);
            let same = differ & ty.mask() == 0;
            site.put_words(0, ALL, &[if same { ALL } else { 0 }; 32]);
            site.put(1, ALL, &[u64::from(same); 32]);
        }
        WarpOp::Redux(op) => {
            let all = redux_words(op, site.words_in(0, &mut room));
            site.put_words(0, ALL, &[all; 32]);
        }
        WarpOp::Shuffle(_) | WarpOp::Vote(_) => {
            let args = [0, 1, 2].map(|n| match n < op.args() {
                true => site.arg(n),
                false => [0; 32],
            });
            let results = together(op, ALL, args.each_ref());
            for (n, values) in results.iter().enumerate().take(op.results()) {
                site.put(n, ALL, values);
            }
        }
    }
}

/// Performs `op` for the lanes `active`, whose meetings are complete. Lanes with the same member mask form a group; a
/// shuffle reads from all of the lanes.
pub fn perform(op: WarpOp, active: u32, masks: &[u32; 32], site: &mut impl Site) {
    if let WarpOp::Matrix(op) = op {
        return super::matrix::perform(op, active, site);
    }
    let one_group = matches!(op, WarpOp::Shuffle(_)) || masks.iter().all(|&mask| mask == masks[0]);
    if active == u32::MAX && one_group {
        return perform_whole(op, site);
    }
    let args = [0, 1, 2].map(|n| match n < op.args() {
        true => site.arg(n),
        false => [0; 32],
    });
    let results = collective(op, active, masks, args.each_ref());
    for (n, values) in results.iter().enumerate().take(op.results()) {
        site.put(n, active, values);
    }
}

/// Returns the operation's results, in order; a missing second one is 0. Results of inactive lanes are undefined.
fn collective(op: WarpOp, active: u32, masks: &[u32; 32], args: [&Lanes; 3]) -> [Lanes; 2] {
    // Nearly always all lanes have the same mask.
    let same = same::of_words(masks);
    if same[active.trailing_zeros() as usize % 32] & active == active
        || matches!(op, WarpOp::Shuffle(_))
    {
        return together(op, active, args);
    }
    let mut out = [[0; 32]; 2];
    let mut left = active;
    while left != 0 {
        let group = same[left.trailing_zeros() as usize] & left;
        left &= !group;
        let results = together(op, group, args);
        for (all, part) in out.iter_mut().zip(results) {
            for lane in lanes_of(group) {
                all[lane] = part[lane];
            }
        }
    }
    out
}

/// Performs `op` for one group of lanes.
fn together(op: WarpOp, group: u32, args: [&Lanes; 3]) -> [Lanes; 2] {
    let [a, b, c] = args;
    let none = [0; 32];
    match op {
        WarpOp::Shuffle(mode) => {
            let (values, in_range) = shuffle(mode, a, b, c, group);
            let mut flags = none;
            for lane in lanes_of(in_range) {
                flags[lane] = 1;
            }
            [values, flags]
        }
        WarpOp::Vote(mode) => [[vote(mode, a, group); 32], none],
        WarpOp::MatchAny(ty) => [match_any(ty, a, group), none],
        WarpOp::MatchAll(ty) => {
            let (mask, all) = match_all(ty, a, group);
            [[mask; 32], [all; 32]]
        }
        WarpOp::Redux(op) => [[redux(op, a, group); 32], none],
        WarpOp::Sync | WarpOp::Step | WarpOp::Matrix(_) => [none, none],
        WarpOp::ActiveMask => [[u64::from(group); 32], none],
        WarpOp::Elect => {
            let leader = elect(group);
            let mut flags = none;
            flags[leader as usize] = 1;
            [[u64::from(leader); 32], flags]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Lanes {
        std::array::from_fn(|i| 100 + i as u64)
    }

    fn shuffled(mode: Shuffle, b: u64, c: u64) -> (Lanes, u32) {
        shuffle(mode, &ramp(), &[b; 32], &[c; 32], u32::MAX)
    }

    #[test]
    fn shuffles_follow_clamp_and_segments() {
        // __shfl_down_sync(v, 1) and (v, 4, 8).
        let (v, p) = shuffled(Shuffle::Down, 1, 0x1f);
        assert_eq!((v[0], v[30], v[31], p), (101, 131, 131, u32::MAX >> 1));
        let (v, p) = shuffled(Shuffle::Down, 4, 0x181f);
        assert_eq!((v[3], v[4], v[11], v[12]), (107, 104, 115, 112));
        assert_eq!(p, 0x0f0f_0f0f);
        // __shfl_up_sync(v, 2) and (v, 1, 16).
        let (v, p) = shuffled(Shuffle::Up, 2, 0);
        assert_eq!((v[0], v[1], v[2], v[31], p), (100, 101, 100, 129, !3));
        let (v, p) = shuffled(Shuffle::Up, 1, 0x1000);
        assert_eq!((v[15], v[16], v[17], p), (114, 116, 116, !0x1_0001));
        // __shfl_xor_sync(v, 16), (v, 1, 2).
        let (v, p) = shuffled(Shuffle::Butterfly, 16, 0x1f);
        assert_eq!((v[0], v[31], p), (116, 115, u32::MAX));
        // __shfl_sync(v, 5), (v, 9, 8): the lane number wraps inside the segment.
        let (v, p) = shuffled(Shuffle::Index, 5, 0x1f);
        assert_eq!((v[0], v[31], p), (105, 105, u32::MAX));
        let (v, _) = shuffled(Shuffle::Index, 9, 0x181f);
        assert_eq!((v[0], v[8], v[31]), (101, 109, 125));
    }

    #[test]
    fn lanes_that_take_no_part_have_nothing_to_give() {
        // Results recorded on an H200, with lanes 0 to 15 and with every fourth.
        let shuffled = |by: u64, members: u32| {
            let (v, p) = shuffle(Shuffle::Down, &ramp(), &[by; 32], &[0x1f; 32], members);
            (v, p)
        };
        let (v, p) = shuffled(1, 0xffff);
        assert_eq!((v[0], v[14], v[15], p), (101, 115, 0, 0xffff));
        let (v, p) = shuffled(3, 0x1111_1111);
        assert_eq!((v[0], v[28], p), (0, 0, 0x1111_1111));
        let (v, p) = shuffled(16, 0x1111_1111);
        assert_eq!((v[0], v[12], v[16], p), (116, 128, 116, 0x1111));
    }

    #[test]
    fn only_members_count() {
        let even = 0x5555_5555;
        assert_eq!(redux(Redux::Add, &[1; 32], even), 16);
        assert_eq!(
            redux(Redux::MinS, &ramp().map(|v| v.wrapping_sub(120)), 0xff),
            0xffff_ffec
        );
        let bits: Lanes = std::array::from_fn(|i| u64::from(i % 4 == 0));
        assert_eq!(vote(Vote::Ballot, &bits, even), 0x1111_1111);
        assert_eq!(vote(Vote::All, &bits, 0x11), 1);
        assert_eq!(vote(Vote::Uni, &bits, 0x22), 1);
        assert_eq!(vote(Vote::Uni, &bits, 3), 0);
        assert_eq!(vote(Vote::Any, &bits, 0x22), 0);
        assert_eq!(match_all(Ty::B32, &bits, 0x11), (0x11, 1));
        assert_eq!(match_all(Ty::B32, &bits, 0x13), (0, 0));
        assert_eq!(match_any(Ty::B32, &bits, 0xff)[1], 0xee);
        assert_eq!(elect(0xf0), 4);
    }

    #[test]
    fn lanes_meet_if_their_masks_are_the_lanes_that_have_them() {
        let halves: Words = std::array::from_fn(|i| if i < 16 { 0xffff } else { 0xffff_0000 });
        let prefixes: Words = std::array::from_fn(|i| u32::MAX >> (31 - i));
        assert!(all_meet(&[u32::MAX; 32], u32::MAX, u32::MAX));
        assert!(all_meet(&halves, u32::MAX, u32::MAX));
        assert!(all_meet(&halves, 0xffff, u32::MAX));
        assert!(all_meet(&[u32::MAX; 32], 0xff, 0xff));
        assert!(!all_meet(&[u32::MAX; 32], 0xff, u32::MAX));
        assert!(!all_meet(&[0xfffe; 32], u32::MAX, u32::MAX));
        assert!(!all_meet(&prefixes, u32::MAX, u32::MAX));
        // Recorded on an H100: a shuffle reads from the other half, a vote does not.
        let lanes: Lanes = std::array::from_fn(|i| i as u64);
        let other = [&lanes, &[17; 32], &[31; 32]];
        let op = WarpOp::Shuffle(Shuffle::Butterfly);
        let [values, _] = collective(op, u32::MAX, &halves, other);
        assert_eq!((values[0], values[18]), (17, 3));
        let odd: Lanes = std::array::from_fn(|i| i as u64 & 1);
        let op = WarpOp::Vote(Vote::Ballot);
        let [votes, _] = collective(op, u32::MAX, &halves, [&odd, &odd, &odd]);
        assert_eq!((votes[0], votes[31]), (0xaaaa, 0xaaaa_0000));
    }

    #[test]
    fn a_register_mask_must_contain_the_lane() {
        let masks = [0xfffe; 32];
        let (vote, reg) = (WarpOp::Vote(Vote::Any), Operand::Reg(crate::ir::Reg(0)));
        let (lane, fault) = left_out(vote, reg, &masks, 0xf).expect("lane 0 is left out");
        assert_eq!((lane, fault.kind), (0, FaultKind::IllegalInstruction));
        assert_eq!(
            fault.message,
            "the mask 0x0000fffe of vote.sync leaves out the lane that executes it (lane 0)"
        );
        assert_eq!(left_out(vote, reg, &masks, 0xfffe), None);
        assert_eq!(left_out(vote, Operand::Imm(0xfffe), &masks, 0xf), None);
        assert_eq!(left_out(WarpOp::ActiveMask, reg, &masks, 0xf), None);
    }

    #[test]
    fn masks_make_groups() {
        let masks: [u32; 32] = std::array::from_fn(|i| if i < 16 { 0xffff } else { 0xffff_0000 });
        let args = [&[1; 32], &[0; 32], &[0; 32]];
        let [sum, _] = collective(WarpOp::Redux(Redux::Add), u32::MAX >> 4, &masks, args);
        assert_eq!((sum[0], sum[16], sum[31]), (16, 12, 0));
        let [leader, is] = collective(WarpOp::Elect, u32::MAX, &masks, args);
        assert_eq!((leader[20], is[16], is[0], is[20]), (16, 1, 1, 0));
    }
}
