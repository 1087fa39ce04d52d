//! Lockstep of a warp: lanes that run together go through accesses that may meet together.
//!
//! A warp of a GPU executes each access for all its lanes before the next one. The engines run a stretch of code for
//! one lane, or a few, after the other: up to the end of a block in machine code, over many blocks in the interpreter.
//! CUDA promises nothing without `bar.warp.sync`, but much code relies on it: reductions in the last warp, transposes
//! and scans in shared memory, elements that are exchanged in place. So this pass puts a [`WarpOp::Step`], at which the
//! lanes meet, on every path from an access to a later one that may touch what another lane's first one touches, if one
//! of them writes and the path has no barrier or warp operation.
//!
//! Which accesses may meet ([`Access::meets`]) is decided by what their addresses are derived from and by how these
//! differ between lanes ([`lane_address`]). Two stores may meet in shared memory, if both are volatile, or at a known
//! small distance.
//! Accesses to global memory through different parameters do not.
//!
//! Lanes part, so what some of them [skip](skipped) is in front of the place where they meet, too.
//!
//! A step goes directly in front of the later access if both are in one block. Else it goes to the start of the later
//! access's block, or in front of the loop that begins there if no access inside the loop requires it.
//!
//! Before: the result of `cleanup`. After: the same, plus blocks that only perform a step.
//!
//! Machine code finishes a block for all lanes of a warp before the next one, so there such empty blocks go again
//! ([`skip_empty`]). What merges blocks asks [`Chains`] where it must not.

mod skipped;

use crate::analysis::lane_address::{
    LOCAL, LaneAddresses, Roots, SHARED, UNKNOWN, VOLATILE, Variation, is_rendezvous,
};
use crate::ir::{Block, BlockId, Function, Inst, Operand, Order, Reg, Terminator, Ty, WarpOp};
use crate::passes::{self, predecessors};
use crate::verify::Kind;
use rustc_hash::FxHashSet;

/// Largest number of accesses whose exact address is remembered.
const MAX_EXACT: usize = 12;
/// Largest number of times that the accesses before each block are computed. Each time deals with one more nested
/// loop.
const MAX_ROUNDS: usize = 16;
/// Lanes of a warp.
const LANES: i64 = crate::env::WARP as i64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Read,
    Write,
    Atomic,
}

/// Access to memory that lanes share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Access {
    action: Action,
    roots: Roots,
    base: Operand,
    variation: Variation,
    /// The bytes that it touches, from the base on.
    bytes: (i64, i64),
    /// True if the function also loads these.
    is_loaded: bool,
}

impl Access {
    fn of(inst: &Inst, addresses: &LaneAddresses) -> Option<Access> {
        let (action, elements, ty, order) = match inst {
            Inst::Load {
                dsts, ty, order, ..
            } => (Action::Read, dsts.len(), *ty, *order),
            Inst::Store {
                srcs, ty, order, ..
            } => (Action::Write, srcs.len(), *ty, *order),
            // An atomic operation is no reason for others to keep an order.
            Inst::Atomic { num, packed, .. } => {
                let ty = if *packed { Ty::B32 } else { num.ty() };
                (Action::Atomic, 1, ty, Order::Plain)
            }
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => return None,
        };
        let addr = inst.address()?;
        let roots = addresses.roots(addr, order);
        if roots & !VOLATILE == LOCAL {
            return None;
        }
        let start = match addr.base {
            Operand::Reg(_) => addr.offset,
            Operand::Imm(bits) => addr.offset.wrapping_add(bits as i64),
        };
        let bytes = elements as i64 * i64::from(ty.bytes());
        Some(Access {
            action,
            roots,
            base: match addr.base {
                Operand::Imm(_) => Operand::Imm(0),
                reg @ Operand::Reg(_) => reg,
            },
            variation: addresses.of(addr.base).variation,
            bytes: (start, start.saturating_add(bytes)),
            is_loaded: false,
        })
    }

    /// Tells whether this access of a lane may touch what another lane's earlier access `before` has touched, and must
    /// not change places with it. The register that both addresses are relative to, if it is one, has not changed.
    fn meets(&self, before: &Access) -> bool {
        use Action::{Atomic, Read, Write};
        let ordered = match (before.action, self.action) {
            (Read, Read) | (Atomic, Atomic) => false,
            (Write, Write) => self.overwrites(before),
            _ => true,
        };
        ordered
            && may_be_one(self.roots, before.roots)
            && (self.base != before.base || self.meets_beside(before))
    }

    /// Tells whether two stores that may touch the same memory must keep their order.
    fn overwrites(&self, before: &Access) -> bool {
        let common = self.roots & before.roots;
        if common & VOLATILE != 0 {
            return true;
        }
        if self.base != before.base {
            // Elements that change places belong to one lane.
            return common & SHARED != 0 && !(self.is_loaded && before.is_loaded);
        }
        // Of places at unknown distances, those at constant offsets are parts of one element. Of elements farther apart
        // than a warp is wide, those of other rows are rather in another warp.
        let Variation::Own { stride, line, .. } = self.variation else {
            return false;
        };
        let distance = self.bytes.0.saturating_sub(before.bytes.0).saturating_abs();
        let width = LANES.saturating_mul(i64::try_from(stride).unwrap_or(i64::MAX));
        distance < width && (line || common & SHARED != 0)
    }

    /// Tells whether two accesses relative to one register may touch the same bytes in different lanes.
    fn meets_beside(&self, before: &Access) -> bool {
        let ((from, to), (other_from, other_to)) = (self.bytes, before.bytes);
        let overlap = from < other_to && other_from < to;
        match self.variation {
            Variation::Unset | Variation::Uniform => overlap,
            // Rows are mostly longer than the distance of constant offsets.
            Variation::Own { stride: 0, .. } => {
                (self.roots | before.roots) & VOLATILE != 0 && from != other_from
            }
            Variation::Own { stride, line, .. } => {
                let stride = i64::try_from(stride).unwrap_or(i64::MAX);
                let in_element = to.max(other_to).saturating_sub(from.min(other_from)) <= stride;
                let distance = from.saturating_sub(other_from).saturating_abs();
                let beyond = line && distance >= stride.saturating_mul(LANES);
                !in_element && !beyond
            }
            // Mostly the numbers of rows and columns, put together again: an element of its own for each lane.
            Variation::Mixed => self.is_exchanged(before),
            Variation::Loaded => true,
        }
    }

    /// Tells whether one of two accesses is of a kind by which lanes exchange values.
    fn is_exchanged(&self, before: &Access) -> bool {
        (self.roots | before.roots) & (SHARED | VOLATILE) != 0
            || [self.action, before.action].contains(&Action::Atomic)
    }
}

/// Tells whether accesses with these roots may touch the same memory.
fn may_be_one(a: Roots, b: Roots) -> bool {
    a & b != 0 || a != 0 && b != 0 && (a | b) & UNKNOWN != 0
}

/// Accesses since the lanes last met.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Pending {
    exact: Vec<Access>,
    /// Roots of further accesses by action.
    others: [Roots; 3],
}

impl Pending {
    /// Tells whether lanes must meet before an access.
    fn must_precede(&self, access: &Access) -> bool {
        let [reads, writes, atomics] = self.others;
        let others = match access.action {
            Action::Read => writes | atomics,
            Action::Write if access.is_loaded => reads | atomics | writes & VOLATILE,
            Action::Write => reads | atomics | writes & (SHARED | VOLATILE),
            Action::Atomic => reads | writes,
        };
        may_be_one(others, access.roots) || self.exact.iter().any(|before| access.meets(before))
    }

    fn add(&mut self, access: &Access) {
        if self.exact.contains(access) {
            return;
        }
        match self.exact.len() < MAX_EXACT {
            true => self.exact.push(*access),
            false => self.add_other(access),
        }
    }

    fn add_other(&mut self, access: &Access) {
        self.others[access.action as usize] |= access.roots;
    }

    fn add_all(&mut self, more: &Pending) {
        more.exact.iter().for_each(|access| self.add(access));
        for (all, roots) in self.others.iter_mut().zip(more.others) {
            *all |= roots;
        }
    }

    /// Notes that a register has changed.
    fn overwrite(&mut self, reg: Reg) {
        let mut exact = std::mem::take(&mut self.exact);
        exact.retain(|access| {
            let changed = access.base == Operand::Reg(reg);
            if changed {
                self.add_other(access);
            }
            !changed
        });
        self.exact = exact;
    }

    /// Notes that code has run of which nothing is known.
    fn call(&mut self) {
        self.others = self.others.map(|roots| roots | !LOCAL);
    }
}

/// Part of a block that matters here, and the instruction's index.
enum Event {
    Access(Access),
    Overwrite(Reg),
    Call,
}

/// Returns what matters in each block.
fn events(f: &Function, addresses: &LaneAddresses) -> Vec<Vec<(usize, Event)>> {
    let mut is_base = vec![false; f.regs.len()];
    let mut loaded = FxHashSet::default();
    for inst in f.blocks.iter().flat_map(|b| &b.insts) {
        if let Some(access) = Access::of(inst, addresses) {
            if let Operand::Reg(reg) = access.base {
                is_base[reg.index()] = true;
            }
            if access.action == Action::Read {
                loaded.insert((access.base, access.bytes));
            }
        }
    }
    let of = |block: &Block| {
        let mut found = Vec::new();
        for (n, inst) in block.insts.iter().enumerate() {
            if let Some(mut access) = Access::of(inst, addresses) {
                access.is_loaded = loaded.contains(&(access.base, access.bytes));
                found.push((n, Event::Access(access)));
            }
            if matches!(inst, Inst::Call { .. }) {
                found.push((n, Event::Call));
            }
            inst.defs(|reg| {
                if is_base[reg.index()] {
                    found.push((n, Event::Overwrite(reg)));
                }
            });
        }
        block.end.defs(|reg| {
            if is_base[reg.index()] {
                found.push((block.insts.len(), Event::Overwrite(reg)));
            }
        });
        found
    };
    f.blocks.iter().map(of).collect()
}

/// Tells whether there are two accesses that may have to keep an order.
fn any_may_meet(events: &[Vec<(usize, Event)>]) -> bool {
    let mut all = Pending::default();
    for (_, event) in events.iter().flatten() {
        match event {
            Event::Access(access) => all.add_other(access),
            Event::Call => all.call(),
            Event::Overwrite(_) => {}
        }
    }
    let mut accesses = events.iter().flatten();
    accesses.any(|(_, event)| matches!(event, Event::Access(access) if all.must_precede(access)))
}

/// Splits blocks at which the warp must run in lockstep.
pub(crate) fn run(f: &mut Function, kind: Kind) {
    let addresses = LaneAddresses::new(f);
    let found = events(f, &addresses);
    if !any_may_meet(&found) {
        return;
    }
    if split_inside(f, &found) {
        passes::reorder(f);
    }
    let found = events(f, &addresses);
    let places = places(f, &found, &addresses, kind);
    insert(f, &places);
}

/// Splits blocks between accesses of one block; returns true if there were any.
fn split_inside(f: &mut Function, events: &[Vec<(usize, Event)>]) -> bool {
    let mut any = false;
    for (index, events) in events.iter().enumerate() {
        let mut cuts = Vec::new();
        let mut here = Pending::default();
        for (n, event) in events {
            match event {
                Event::Access(access) => {
                    if here.must_precede(access) {
                        cuts.push(*n);
                        here = Pending::default();
                    }
                    here.add(access);
                }
                Event::Overwrite(reg) => here.overwrite(*reg),
                Event::Call => here.call(),
            }
        }
        any |= !cuts.is_empty();
        for cut in cuts.into_iter().rev() {
            split(f, index, cut);
        }
    }
    any
}

/// Splits a block in front of an instruction.
fn split(f: &mut Function, index: usize, cut: usize) {
    let next = BlockId(f.blocks.len() as u32);
    let block = &mut f.blocks[index];
    let insts = block.insts.split_off(cut);
    let lines = block.lines.split_off(cut);
    block.lines.extend(lines.first());
    let end = std::mem::replace(&mut block.end, step(next));
    let mask = block.mask;
    f.blocks.push(Block {
        insts,
        end,
        lines,
        mask,
    });
}

fn step(next: BlockId) -> Terminator {
    Terminator::Warp {
        op: WarpOp::Step,
        mask: Operand::Imm(u64::from(u32::MAX)),
        args: Vec::new(),
        dsts: Vec::new(),
        next,
    }
}

/// Place of a step at a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// On the edges that enter the loop which begins with the block.
    InFront,
    /// At the start.
    Start,
}

/// Returns where steps are needed because of accesses in earlier blocks.
fn places(
    f: &Function,
    events: &[Vec<(usize, Event)>],
    addresses: &LaneAddresses,
    kind: Kind,
) -> Vec<Place> {
    let preds = predecessors(f);
    let skipped = skipped::skipped(f, events, addresses, &preds);
    let mut places = vec![Place::Nowhere; f.blocks.len()];
    let mut out = vec![Pending::default(); f.blocks.len()];
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for (index, events) in events.iter().enumerate() {
            let skipped::Skipped {
                mut entering,
                mut again,
            } = skipped[index].clone();
            if index == 0 && kind == Kind::Function {
                entering.call();
            }
            for pred in &preds[index] {
                match pred.index() < index {
                    true => entering.add_all(&out[pred.index()]),
                    false => again.add_all(&out[pred.index()]),
                }
            }
            let place = places[index];
            let mut all = match place {
                Place::Nowhere => entering,
                Place::InFront | Place::Start => Pending::default(),
            };
            if place != Place::Start {
                all.add_all(&again);
            }
            let (mut needed, mut after) = walk(events, all);
            if needed {
                let is_header = index > 0 && preds[index].iter().any(|p| p.index() >= index);
                let inside = walk(events, again.clone()).0;
                let new = match is_header && !inside && place == Place::Nowhere {
                    true => Place::InFront,
                    false => Place::Start,
                };
                places[index] = new;
                let before = match new {
                    Place::InFront => again,
                    Place::Nowhere | Place::Start => Pending::default(),
                };
                (needed, after) = walk(events, before);
                debug_assert!(!needed);
            }
            if is_rendezvous(&f.blocks[index].end) {
                after = Pending::default();
            }
            if after != out[index] {
                out[index] = after;
                changed = true;
            }
        }
        if !changed {
            return places;
        }
    }
    // The control flow is unusual: the lanes meet in front of all accesses.
    let accesses = |events: &Vec<(usize, Event)>| {
        let mut events = events.iter();
        events.any(|(_, event)| matches!(event, Event::Access(_)))
    };
    let place = |events| match accesses(events) {
        true => Place::Start,
        false => Place::Nowhere,
    };
    events.iter().map(place).collect()
}

/// Goes through a block after the accesses `before`. Tells whether the lanes must meet at its start, and returns the
/// accesses at its end.
fn walk(events: &[(usize, Event)], mut before: Pending) -> (bool, Pending) {
    let mut here = Pending::default();
    let mut needed = false;
    for (_, event) in events {
        match event {
            Event::Access(access) => {
                if before.must_precede(access) {
                    needed = true;
                    before = Pending::default();
                }
                here.add(access);
            }
            Event::Overwrite(reg) => {
                before.overwrite(*reg);
                here.overwrite(*reg);
            }
            Event::Call => here.call(),
        }
    }
    before.add_all(&here);
    (needed, before)
}

fn insert(f: &mut Function, places: &[Place]) {
    let preds = predecessors(f);
    let at = |wanted: Place| {
        let places = places.iter().enumerate();
        places.filter_map(move |(index, place)| (*place == wanted).then_some(index))
    };
    for index in at(Place::InFront) {
        let (header, new) = (BlockId(index as u32), BlockId(f.blocks.len() as u32));
        for pred in preds[index].iter().filter(|pred| **pred < header) {
            let end = &mut f.blocks[pred.index()].end;
            end.successors_mut(|to| {
                if *to == header {
                    *to = new;
                }
            });
        }
        f.blocks.push(Block {
            insts: Vec::new(),
            end: step(header),
            lines: f.blocks[index].lines[..1].to_vec(),
            mask: None,
        });
    }
    for index in at(Place::Start) {
        split(f, index, 0);
    }
    if places.iter().any(|place| *place != Place::Nowhere) {
        passes::reorder(f);
    }
}

/// Lets jumps and branches to empty blocks that only perform a step go on to the next block. Returns `None` if there
/// are none.
pub(crate) fn skip_empty(f: &Function) -> Option<Function> {
    let next = |block: &Block| {
        let mut next = None;
        if block.insts.is_empty() && block.end.is_step() {
            block.end.successors(|to| next = Some(to));
        }
        next
    };
    let next: Vec<Option<BlockId>> = f.blocks.iter().map(next).collect();
    if next.iter().all(Option::is_none) {
        return None;
    }
    let mut f = f.clone();
    for block in &mut f.blocks {
        block
            .end
            .successors_mut(|to| *to = next[to.index()].unwrap_or(*to));
    }
    passes::reorder(&mut f);
    Some(f)
}

/// The accesses of a function's blocks, for what merges blocks that follow each other.
pub(crate) struct Chains {
    /// Empty if no accesses need an order.
    events: Vec<Vec<(usize, Event)>>,
}

/// Accesses of the blocks that have been merged so far.
#[derive(Default)]
pub(crate) struct Chain {
    before: Pending,
}

impl Chains {
    pub fn new(f: &Function) -> Chains {
        let events = events(f, &LaneAddresses::new(f));
        Chains {
            events: match any_may_meet(&events) {
                true => events,
                false => Vec::new(),
            },
        }
    }

    /// Appends a block to a chain, unless the lanes must meet in front of it.
    pub fn append(&self, chain: &mut Chain, block: BlockId) -> bool {
        let Some(events) = self.events.get(block.index()) else {
            return true;
        };
        let (meet, after) = walk(events, chain.before.clone());
        if !meet {
            chain.before = after;
        }
        !meet
    }
}

#[cfg(test)]
mod tests {
    use crate::Program;

    /// Returns the number of steps in a kernel, and the number of those inside loops.
    fn steps(body: &str) -> (usize, usize) {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n
            .entry k(.param .u64 x, .param .u64 y, .param .u32 n) {{
                .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>; .shared .align 4 .b8 s[256];
                ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;
                mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2;
                shl.b32 %r2, %r1, 2; xor.b32 %r3, %r2, 124;
                {body}
                st.global.u32 [%d4], %r4; ret; }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let f = program.lower("k").unwrap_or_else(|e| panic!("{e}")).kernel;
        let in_loop = |at: usize| {
            let mut blocks = f.blocks[at..].iter();
            blocks.any(|block| {
                let mut back = false;
                block.end.successors(|to| back |= to.index() <= at);
                back
            })
        };
        let found = (0..f.blocks.len()).filter(|&at| f.blocks[at].end.is_step());
        (
            found.clone().count(),
            found.filter(|&at| in_loop(at)).count(),
        )
    }

    #[test]
    fn accesses_that_do_not_meet_need_no_step() {
        let again = "setp.lt.u32 %p0, %r1, %r0; add.u32 %r1, %r1, 32;";
        for body in [
            // Elements of two arrays, and one of each lane.
            "ld.global.u32 %r4, [%d3]; st.global.u32 [%d4], %r4; ld.global.u32 %r4, [%d3+4];",
            "ld.global.u32 %r4, [%d4]; add.u32 %r4, %r4, 1;",
            "st.shared.u32 [%r2], %r1; ld.shared.u32 %r4, [%r2]; st.shared.u32 [%r2], %r4;",
            // A barrier or a warp operation is enough.
            "st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r4, [%r3];",
            "st.shared.u32 [%r2], %r1; bar.warp.sync -1; ld.shared.u32 %r4, [%r3];",
            &format!(
                "L: ld.global.u32 %r4, [%d3]; st.global.u32 [%d4+4096], %r4; {again} @%p0 bra L;"
            ),
        ] {
            assert_eq!(steps(body), (0, 0), "{body}");
        }
    }

    #[test]
    fn accesses_that_may_meet_have_one_step_between_them() {
        let again = "setp.lt.u32 %p0, %r1, %r0; add.u32 %r1, %r1, 32;";
        for (body, wanted) in [
            (
                "st.shared.u32 [%r2], %r1; ld.shared.u32 %r4, [%r3]; ld.shared.u32 %r5, [%r3];",
                (1, 0),
            ),
            (
                "ld.shared.u32 %r4, [%r3]; st.shared.u32 [%r2], %r4;",
                (1, 0),
            ),
            ("st.global.u32 [%d4+4], %r1;", (0, 0)),
            ("ld.global.u32 %r4, [%d4+4];", (1, 0)),
            // From block to block.
            (
                "setp.lt.u32 %p0, %r0, 9; @%p0 bra L; st.shared.u32 [%r2], %r1; L: ld.shared.u32 %r4, [%r3];",
                (1, 0),
            ),
            // In front of a loop that only loads, and inside one that stores.
            (
                &format!(
                    "st.shared.u32 [%r2], %r1; L: ld.shared.u32 %r4, [%r3]; {again} @%p0 bra L;"
                ),
                (1, 0),
            ),
            (
                &format!(
                    "L: ld.shared.u32 %r4, [%r3]; bar.sync 0; st.shared.u32 [%r2], %r4; {again} @%p0 bra L;"
                ),
                (1, 1),
            ),
        ] {
            assert_eq!(steps(body), wanted, "{body}");
        }
    }
}
