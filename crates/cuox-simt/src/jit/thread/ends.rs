//! Terminators in thread mode, and the dispatch that records lane PCs and selects the next block.
//!
//! Jumps, branches and switches with one target lead to a common block that adds the lanes to their successors' PCs. It
//! then takes the first block that has lanes, or returns to the runtime when the step budget is used up.

use crate::jit::thread::*;

impl ThreadCodegen<'_, '_, '_, '_> {
    /// Records that a thread may wait for another one; the runtime is called after this block.
    pub(super) fn record_wait(&mut self) {
        let lane_pcs = self.lane_pcs;
        let b = &mut *self.g.e.b;
        let field = |offset: usize| offset as i32;
        let (steps_left, steps_unused) = (
            field(offset_of!(LanePcs, steps_left)),
            field(offset_of!(LanePcs, steps_unused)),
        );
        let waits = field(offset_of!(LanePcs, waits));
        let times = b.ins().load(types::I32, trusted(), lane_pcs, waits);
        let times = b.ins().iadd_imm_s(times, 1);
        b.ins().store(trusted(), times, lane_pcs, waits);
        let steps = b.ins().load(types::I32, trusted(), lane_pcs, steps_left);
        let less = b.ins().iadd_imm_s(steps, -1);
        b.ins().store(trusted(), less, lane_pcs, steps_unused);
        let one = b.ins().iconst(types::I32, 1);
        b.ins().store(trusted(), one, lane_pcs, steps_left);
    }

    /// Emits a switch. If all lanes have the same target, code continues there; otherwise the runtime moves the lanes.
    /// `some` and `all` have the bits that are set in some lane's index and in every lane's.
    pub(super) fn switch(&mut self, targets: &[BlockId], [some, all]: [Value; 2], mask: Value) {
        let (same, part) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        let agree = self.g.e.b.ins().icmp(IntCC::Equal, some, all);
        self.g.e.b.ins().brif(agree, same, &[], part, &[]);
        self.g.e.b.switch_to_block(same);
        let stubs: Vec<Block> = targets.iter().map(|_| self.g.e.b.create_block()).collect();
        let default = self.g.e.b.func.dfg.block_call(part, &[]);
        let calls: Vec<_> = stubs
            .iter()
            .map(|&stub| self.g.e.b.func.dfg.block_call(stub, &[]))
            .collect();
        let table = JumpTableData::new(default, &calls);
        let table = self.g.e.b.create_jump_table(table);
        self.g.e.b.ins().br_table(some, table);
        for (stub, to) in stubs.into_iter().zip(targets) {
            self.g.e.b.switch_to_block(stub);
            let to = self.g.e.iconst(types::I32, i64::from(to.0));
            let none = self.g.e.iconst(types::I32, 0);
            let args = [to.into(), mask.into(), to.into(), none.into()];
            self.g.e.b.ins().jump(self.arrive, &args);
        }
        self.g.e.b.switch_to_block(part);
    }

    /// Emits the block that all jumps and branches lead to: see `arrive`. `run` takes a block and lanes.
    pub(super) fn arrivals(&mut self, run: Block) {
        let lane_pcs = self.lane_pcs;
        let b = &mut *self.g.e.b;
        b.switch_to_block(self.arrive);
        let field = |offset: usize| offset as i32;
        let at = field(offset_of!(LanePcs, at));
        let at = b.ins().load(types::I64, trusted(), lane_pcs, at);
        let busy = field(offset_of!(LanePcs, busy));
        let busy = b.ins().load(types::I64, trusted(), lane_pcs, busy);
        let params = b.block_params(self.arrive).to_vec();
        for to in params.chunks_exact(2) {
            let (number, lanes) = (b.ins().uextend(types::I64, to[0]), to[1]);
            let by = b.ins().ishl_imm_u(number, 2);
            let here = b.ins().iadd(at, by);
            let old = b.ins().load(types::I32, trusted(), here, 0);
            let new = b.ins().bor(old, lanes);
            b.ins().store(trusted(), new, here, 0);
            let any = b.ins().icmp_imm_u(IntCC::NotEqual, lanes, 0);
            let any = b.ins().uextend(types::I64, any);
            // A shift takes its amount modulo 64.
            let bit = b.ins().ishl(any, number);
            let word = b.ins().ushr_imm_u(number, 6);
            let word = b.ins().ishl_imm_u(word, 3);
            let word = b.ins().iadd(busy, word);
            let old = b.ins().load(types::I64, trusted(), word, 0);
            let new = b.ins().bor(old, bit);
            b.ins().store(trusted(), new, word, 0);
        }
        let (out, scan, found) = (b.create_block(), b.create_block(), b.create_block());
        b.append_block_param(scan, types::I64);
        let on = b.create_block();
        let steps_left = field(offset_of!(LanePcs, steps_left));
        let steps = b.ins().load(types::I32, trusted(), lane_pcs, steps_left);
        let steps = b.ins().iadd_imm_s(steps, -1);
        b.ins().store(trusted(), steps, lane_pcs, steps_left);
        let zero = b.ins().iconst(types::I64, 0);
        b.ins().brif(steps, scan, &[zero.into()], out, &[]);

        // Some lane has a PC, unless the warp had not been here before.
        b.switch_to_block(scan);
        let word = b.block_params(scan)[0];
        let here = b.ins().iadd(busy, word);
        let bits = b.ins().load(types::I64, trusted(), here, 0);
        let next = b.ins().iadd_imm_u(word, 8);
        b.ins().brif(bits, found, &[], scan, &[next.into()]);

        b.switch_to_block(found);
        let bit = b.ins().ctz(bits);
        let number = b.ins().ishl_imm_u(word, 3);
        let number = b.ins().iadd(number, bit);
        let by = b.ins().ishl_imm_u(number, 2);
        let place = b.ins().iadd(at, by);
        let mask = b.ins().load(types::I32, trusted(), place, 0);
        // All lanes of a warp have the same PC: the warp may be able to return to gang mode.
        let stop_lanes = field(offset_of!(LanePcs, stop_if_together));
        let stop_lanes = b.ins().load(types::I32, trusted(), lane_pcs, stop_lanes);
        let all = b.ins().icmp(IntCC::Equal, mask, stop_lanes);
        b.ins().brif(all, out, &[], on, &[]);

        b.switch_to_block(on);
        let none = b.ins().iconst(types::I32, 0);
        b.ins().store(trusted(), none, place, 0);
        let less = b.ins().iadd_imm_s(bits, -1);
        let others = b.ins().band(bits, less);
        b.ins().store(trusted(), others, here, 0);
        let number = b.ins().ireduce(types::I32, number);
        let block = field(offset_of!(LanePcs, block));
        b.ins().store(trusted(), number, lane_pcs, block);
        let lanes = field(offset_of!(LanePcs, lanes));
        b.ins().store(trusted(), mask, lane_pcs, lanes);
        b.ins().jump(run, &[number.into(), mask.into()]);

        b.switch_to_block(out);
        let code = b.ins().iconst(types::I64, 0);
        b.ins().return_(&[code]);
    }
}
