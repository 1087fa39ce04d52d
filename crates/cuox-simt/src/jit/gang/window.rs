//! The lanes that a block visits, and what masks say of whole warps.
//!
//! A masked block is often run by few warps of a large block: by the first one, which sums what the others have
//! computed. So it looks which warps have active lanes, with a vector of masks at a time, and its loops over lanes go
//! from the first such warp to the last.

use crate::ir::{BlockId, Mask, Reg};
use crate::jit::emit::value::trusted;
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::lanes::Loop;
use crate::jit::gang::{GangCodegen, Votes};
use crate::jit::runtime::layout::Home;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};

/// Lanes whose masks are looked at together: those of sixteen warps.
const AT_ONCE: i64 = 512;
/// In a gang of so many lanes there is nothing to be gained.
const FEW: u32 = 128;

/// Lanes that the current block visits: those of whole warps.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// First lane (I64).
    from: Value,
    /// End (I64).
    end: Value,
    /// The block, or a superblock's number.
    at: BlockId,
    /// Its code from here on, with these two as parameters.
    code: Block,
}

impl GangCodegen<'_, '_, '_, '_> {
    /// True if masked blocks look which warps they have to visit.
    pub(crate) fn has_windows(&self) -> bool {
        self.plan.layout.capacity > FEW && !self.one_warp()
    }

    /// Finds the lanes that the current block visits if it has this mask.
    pub(crate) fn find_window(&mut self, mask: Mask) {
        let home = self.plan.layout.home(mask.reg);
        let Some(home) = home.filter(|_| self.has_windows()) else {
            return;
        };
        let none = if mask.negated { -1 } else { 0 };
        let [some] = self.warps_unlike(home, [none]);
        // A block without active lanes visits any warp: the loops are done at least once.
        let b = &mut self.g.e.b;
        let empty = b.ins().icmp_imm_u(IntCC::Equal, some, 0);
        let empty = b.ins().uextend(types::I64, empty);
        let some = b.ins().bor(some, empty);
        let first = b.ins().ctz(some);
        let after = b.ins().clz(some);
        let from = b.ins().ishl_imm_u(first, 5);
        let after = b.ins().ishl_imm_u(after, 5);
        let most = b.ins().iconst(types::I64, 64 * 32);
        let end = b.ins().isub(most, after);
        let code = b.create_block();
        let [first, last] = [(); 2].map(|()| b.append_block_param(code, types::I64));
        b.ins().jump(code, &[from.into(), end.into()]);
        b.switch_to_block(code);
        let (from, end) = (first, last);
        let at = self.at;
        self.window = Some(Window {
            from,
            end,
            at,
            code,
        });
    }

    /// Ends a masked block that may have visited some lanes only, with a branch for those of the gang that disagree:
    /// to `then` if any lane has the predicate. `visited` are the votes of the lanes that were visited.
    pub(crate) fn any_branch(
        &mut self,
        id: BlockId,
        (reg, home): (Reg, Home),
        visited: Option<Votes>,
        [then, other]: [BlockId; 2],
    ) {
        let [yes, no] = [(); 2].map(|()| self.g.e.b.create_block());
        if let Some(visited) = visited {
            let [some, look] = [(); 2].map(|()| self.g.e.b.create_block());
            self.g.e.b.ins().brif(visited.any, some, &[], look, &[]);
            self.g.e.b.switch_to_block(some);
            // A loop of one block is left by its lanes and never entered by others: it goes on with those warps.
            let own = self.plan.func.blocks[id.index()].mask.map(|mask| mask.reg);
            match self
                .window
                .filter(|window| then == id && window.at == id && own == Some(reg))
            {
                Some(Window {
                    from, end, code, ..
                }) => {
                    self.goto_code(id, then, code, &[from.into(), end.into()]);
                }
                None => self.goto(id, then),
            }
            self.g.e.b.switch_to_block(look);
        }
        let votes = self.stored_votes(home);
        self.g.e.b.ins().brif(votes.any, yes, &[], no, &[]);
        self.g.e.b.switch_to_block(yes);
        self.goto(id, then);
        self.g.e.b.switch_to_block(no);
        self.goto(id, other);
    }

    /// Starts a loop over the lanes to visit, `step` at a time. The code emitted next is its body, and
    /// [`Self::end_visits`] ends it.
    pub(crate) fn begin_visits(&mut self, step: i64) -> Loop {
        if self.one_warp() && step == 32 {
            return Loop::once(self.g.e.iconst(types::I64, 0));
        }
        let from = match self.window {
            Some(window) => window.from,
            None => self.g.e.iconst(types::I64, 0),
        };
        self.begin_loop(from)
    }

    /// Ends the body of a loop over the lanes to visit, `step` lanes at a time.
    pub(crate) fn end_visits(&mut self, this: &Loop, step: i64) {
        let end = match self.window {
            Some(window) => window.end,
            None => self.invariant(Invariant::Count),
        };
        self.end_loop(this, step, end);
    }

    /// Computes the votes on a predicate of an earlier block from the masks in its home.
    pub(crate) fn stored_votes(&mut self, home: Home) -> Votes {
        let [some, other] = self.warps_unlike(home, [0, -1]);
        let b = &mut self.g.e.b;
        let any = b.ins().icmp_imm_u(IntCC::NotEqual, some, 0);
        let any = b.ins().uextend(types::I32, any);
        let all = b.ins().icmp_imm_u(IntCC::Equal, other, 0);
        let all = b.ins().uextend(types::I32, all);
        let all = b.ins().ineg(all);
        Votes { all, any }
    }

    /// For each of the words, tells which warps of the gang have a mask that is not that word: a bit for each (I64).
    /// Threads that do not exist count as having the word's bit.
    fn warps_unlike<const N: usize>(&mut self, home: Home, words: [i64; N]) -> [Value; N] {
        if self.one_warp() {
            let zero = self.g.e.iconst(types::I64, 0);
            let held = self.mask_word(home, zero);
            let masks = self.mask_address(zero);
            let exists = self.plan.layout.exists.map(|at| {
                let b = &mut self.g.e.b;
                b.ins().load(types::I32, trusted(), masks, at as i32)
            });
            return words.map(|word| {
                let b = &mut self.g.e.b;
                let word = b.ins().iconst(types::I32, word & 0xffff_ffff);
                let unlike = match exists {
                    None => b.ins().icmp(IntCC::NotEqual, held, word),
                    Some(exists) => {
                        let differs = b.ins().bxor(held, word);
                        let differs = b.ins().band(differs, exists);
                        b.ins().icmp_imm_u(IntCC::NotEqual, differs, 0)
                    }
                };
                b.ins().uextend(types::I64, unlike)
            });
        }
        // What is beyond the gang's masks is read and ignored. Masks of 4 bytes are at multiples of 4.
        let flags = MemFlagsData::new().with_notrap();
        let exists = self.plan.layout.exists;
        let masks = self.invariant(Invariant::Masks);
        let count = self.invariant(Invariant::Count);
        let b = &mut self.g.e.b;
        let (header, done) = (b.create_block(), b.create_block());
        let at = b.append_block_param(header, types::I64);
        let before = [(); N].map(|()| b.append_block_param(header, types::I64));
        let zero = b.ins().iconst(types::I64, 0);
        let start: Vec<_> = std::iter::repeat_n(zero.into(), N + 1).collect();
        b.ins().jump(header, &start);
        b.switch_to_block(header);
        let ahead = b.ins().ushr_imm_u(at, 3);
        let place = b.ins().iadd(masks, ahead);
        let mut load = |offset: u32| {
            let four = |n| offset as i32 + 16 * n;
            [0, 1, 2, 3].map(|n| b.ins().load(types::I32X4, flags, place, four(n)))
        };
        let held = load(home.lanes);
        let exists = exists.map(load);
        let warp = b.ins().ushr_imm_u(at, 5);
        let mut found = before;
        for (found, word) in found.iter_mut().zip(words) {
            let word = self.g.e.vconst32([word as i32; 4]);
            let b = &mut self.g.e.b;
            let zero = b.ins().bxor(word, word);
            let same = std::array::from_fn::<_, 4, _>(|n| match exists {
                None => b.ins().icmp(IntCC::Equal, held[n], word),
                Some(exists) => {
                    let differs = b.ins().bxor(held[n], word);
                    let differs = b.ins().band(differs, exists[n]);
                    b.ins().icmp(IntCC::Equal, differs, zero)
                }
            });
            let low = b.ins().snarrow(same[0], same[1]);
            let high = b.ins().snarrow(same[2], same[3]);
            let same = b.ins().snarrow(low, high);
            let same = b.ins().vhigh_bits(types::I64, same);
            let bits = b.ins().bxor_imm_u(same, 0xffff);
            let bits = b.ins().ishl(bits, warp);
            *found = b.ins().bor(*found, bits);
        }
        let b = &mut self.g.e.b;
        let next = b.ins().iadd_imm_u(at, AT_ONCE);
        let more = b.ins().icmp(IntCC::UnsignedLessThan, next, count);
        let again: Vec<_> = [next].iter().chain(&found).map(|&v| v.into()).collect();
        b.ins().brif(more, header, &again, done, &[]);
        b.switch_to_block(done);
        // The last warp may lack threads.
        let warps = b.ins().iadd_imm_u(count, 31);
        let warps = b.ins().ushr_imm_u(warps, 5);
        let one = b.ins().iconst(types::I64, 1);
        let past = b.ins().ishl(one, warps);
        let real = b.ins().iadd_imm_s(past, -1);
        found.map(|found| b.ins().band(found, real))
    }

    /// Stores the lanes to visit for wide code, which reads them if its block is masked.
    pub(crate) fn store_window(&mut self, arguments: Value, [from, end]: [i32; 2]) {
        let Some(window) = self.window else { return };
        let b = &mut self.g.e.b;
        b.ins().store(trusted(), window.from, arguments, from);
        b.ins().store(trusted(), window.end, arguments, end);
    }
}
