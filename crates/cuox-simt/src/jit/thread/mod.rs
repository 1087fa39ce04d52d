//! Thread mode: code that runs one block for some lanes of a warp, one lane after the other.
//!
//! Every register that lives across blocks is read from and written to its lane slot, so each lane can have a PC of its
//! own. At the end of a block the PCs of its lanes are updated (`runtime/lane_pcs.rs`), and the first block that has
//! lanes runs next. The runtime handles all terminators other than jumps, branches and switches, and from time to time
//! chooses another block.
//!
//! [`values`] has the registers of a lane, [`insts`] the instructions, [`memory`] addresses, [`ends`] the terminators.

mod ends;
mod insts;
mod memory;
mod values;

use crate::env::WARP_IDS;
use crate::ir::{
    Address, BlockId, Inst, Mask, Operand, Reg, Space, Special, Terminator, Ty, WarpOp,
};
use crate::jit::code::symbol::{Helper, Site};
use crate::jit::emit::generator::Gen;
use crate::jit::emit::value::{Lanes, part_type, trusted};
use crate::jit::plan::Plan;
use crate::jit::runtime::lane_pcs::LanePcs;
use crate::jit::runtime::layout::{Env, Gang, Home, lane_bytes};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, Type, Value, types};
use std::mem::offset_of;

/// Bit of a result that is set if a lane faulted.
pub const FAULT: u64 = 1 << 32;
/// Bit of a result that is set if lanes are at a terminator that the runtime handles.
pub const AT_END: u64 = 1 << 33;
/// Instruction number that stands for a fault recorded in the runtime.
pub const RUNTIME_FAULT: u32 = u32::MAX;

struct ThreadCodegen<'g, 'a, 'f, 'p> {
    g: &'g mut Gen<'a, 'f>,
    plan: &'p Plan,
    env: Value,
    gang: Value,
    /// Addresses of the warp's lanes in a lane slot at offset 0, for values of 4, 8 and 16 bytes.
    slots: [Value; 3],
    /// Address of the warp's mask of a predicate at offset 0.
    masks: Value,
    /// Current lane, I64.
    lane: Value,
    /// Address of the warp's [`LanePcs`].
    lane_pcs: Value,
    /// Takes two blocks and the lanes that continue at each, records them, and continues with the first block that has
    /// lanes.
    arrive: Block,
    cur: Vec<Option<Lanes>>,
    touched: Vec<Reg>,
}

/// Generates thread code.
pub fn generate(g: &mut Gen, plan: &Plan) -> Result<(), String> {
    let b = &mut *g.e.b;
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let (env, gang) = (params[0], params[1]);
    let number = b.ins().ireduce(types::I32, params[2]);
    let mask = b.ins().ireduce(types::I32, params[3]);
    let lanes = b
        .ins()
        .load(types::I64, trusted(), env, offset_of!(Env, lanes) as i32);
    let lane_pcs = b
        .ins()
        .load(types::I64, trusted(), env, offset_of!(Env, lane_pcs) as i32);
    let first = b
        .ins()
        .load(types::I64, trusted(), gang, offset_of!(Gang, first) as i32);
    let slots = [2, 3, 4].map(|shift| {
        let ahead = b.ins().ishl_imm_u(first, shift);
        b.ins().iadd(lanes, ahead)
    });
    // 32 lanes share a mask of 4 bytes.
    let ahead = b.ins().ushr_imm_u(first, 3);
    let masks = b.ins().iadd(lanes, ahead);
    let blocks: Vec<_> = plan.func.blocks.iter().map(|_| b.create_block()).collect();
    let run = b.create_block();
    b.append_block_param(run, types::I32);
    b.append_block_param(run, types::I32);
    let arrive = b.create_block();
    for ty in [types::I32; 4] {
        b.append_block_param(arrive, ty);
    }
    b.ins().jump(run, &[number.into(), mask.into()]);
    b.switch_to_block(run);
    let (number, mask) = (b.block_params(run)[0], b.block_params(run)[1]);
    let calls: Vec<_> = blocks
        .iter()
        // Without arguments: the register allocator for large functions would store them for every block, each time.
        .map(|&block| b.func.dfg.block_call(block, &[]))
        .collect();
    let default = calls[0];
    let table = b.create_jump_table(JumpTableData::new(default, &calls));
    b.ins().br_table(number, table);
    let mut slow = ThreadCodegen {
        plan,
        env,
        gang,
        slots,
        masks,
        lane: env,
        lane_pcs,
        arrive,
        cur: vec![None; plan.func.regs.len()],
        touched: Vec::new(),
        g,
    };
    for (index, &start) in blocks.iter().enumerate() {
        slow.g.e.b.switch_to_block(start);
        slow.block(BlockId(index as u32), mask)?;
    }
    slow.arrivals(run);
    Ok(())
}

impl ThreadCodegen<'_, '_, '_, '_> {
    fn block(&mut self, id: BlockId, mask: Value) -> Result<(), String> {
        let plan = self.plan;
        let block = &plan.func.blocks[id.index()];
        let header = self.g.e.b.create_block();
        let done = self.g.e.b.create_block();
        let rest = self.g.e.b.append_block_param(header, types::I32);
        // What the lanes find at the end. For a branch, those that take it. For a switch, the bits set in some lane's
        // index, and the bits set in every lane's.
        let found: &[i64] = match block.end {
            Terminator::Branch { .. } => &[0],
            Terminator::Switch { .. } => &[0, -1],
            _ => &[],
        };
        let so_far: Vec<Value> = found
            .iter()
            .map(|_| self.g.e.b.append_block_param(header, types::I32))
            .collect();
        let results: Vec<Value> = found
            .iter()
            .map(|_| self.g.e.b.append_block_param(done, types::I32))
            .collect();
        let mut args: Vec<BlockArg> = Vec::new();
        args.push(mask.into());
        args.extend(
            found
                .iter()
                .map(|&none| BlockArg::from(self.g.e.iconst(types::I32, none))),
        );
        self.g.e.b.ins().jump(header, &args);
        self.g.e.b.switch_to_block(header);
        let lane = self.g.e.b.ins().ctz(rest);
        self.lane = self.g.e.b.ins().uextend(types::I64, lane);
        let skip = block.mask.and_then(|mask| self.begin_mask(mask));
        for (i, inst) in block.insts.iter().enumerate() {
            self.inst(i, inst)?;
        }
        let live_out = plan.live.live_out(&plan.func, id);
        let mut keep = live_out;
        if skip.is_some() || !matches!(block.end, Terminator::Branch { .. }) {
            block.end.uses(|o| {
                if let Operand::Reg(reg) = o {
                    keep.insert(reg);
                }
            });
        }
        let mut written = Vec::new();
        for inst in &block.insts {
            inst.defs(|reg| written.push(reg));
        }
        written.sort_unstable();
        written.dedup();
        for reg in written {
            if let (true, Some(home), Some(value)) = (
                keep.contains(reg),
                plan.layout.home(reg),
                self.cur[reg.index()],
            ) {
                let value = self.g.e.canonicalize_nans(value);
                self.store_home(home, value);
            }
        }
        if let Some(skip) = skip {
            self.forget();
            self.g.e.b.ins().jump(skip, &[]);
            self.g.e.b.switch_to_block(skip);
        }
        let mut now: Vec<BlockArg> = Vec::new();
        match block.end {
            Terminator::Branch { cond, .. } => {
                let cond = self.value(Operand::Reg(cond), Ty::Pred);
                let bit = self.g.e.b.ins().uextend(types::I32, cond.one());
                let bit = self.g.e.b.ins().ishl(bit, lane);
                now.push(self.g.e.b.ins().bor(so_far[0], bit).into());
            }
            Terminator::Switch { index, .. } => {
                let index = self.value(index, Ty::B32).one();
                now.push(self.g.e.b.ins().bor(so_far[0], index).into());
                now.push(self.g.e.b.ins().band(so_far[1], index).into());
            }
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => {}
        }
        self.forget();
        let less = self.g.e.b.ins().iadd_imm_s(rest, -1);
        let rest = self.g.e.b.ins().band(rest, less);
        args.clear();
        args.push(rest.into());
        args.extend_from_slice(&now);
        self.g.e.b.ins().brif(rest, header, &args, done, &now);
        self.g.e.b.switch_to_block(done);
        // Lanes that leave the loop do not wait.
        let back = match &block.end {
            Terminator::Branch { then, other, .. } => match (*then <= id, *other <= id) {
                (true, false) => Some(results[0]),
                (false, true) => Some(self.g.e.b.ins().band_not(mask, results[0])),
                (true, true) | (false, false) => None,
            },
            _ => None,
        };
        self.g
            .record_busy_wait(self.env, plan.busy_waits[id.index()], back);
        if plan.may_wait[id.index()] {
            self.record_wait();
        }
        let (to, taken, other) = match &block.end {
            // All lanes that are here have finished the block, and those in earlier blocks run first.
            Terminator::Jump(to)
            | Terminator::Warp {
                op: WarpOp::Step,
                next: to,
                ..
            } => (*to, mask, *to),
            Terminator::Branch { then, other, .. } => (*then, results[0], *other),
            end => {
                if let Terminator::Switch { targets, .. } = end {
                    self.switch(targets, [results[0], results[1]], mask);
                }
                let code = self.g.e.iconst(types::I64, AT_END as i64);
                self.g.e.b.ins().return_(&[code]);
                return Ok(());
            }
        };
        let [to, other] = [to, other].map(|to| self.g.e.iconst(types::I32, i64::from(to.0)));
        let rest = self.g.e.b.ins().bxor(mask, taken);
        let args = [to.into(), taken.into(), other.into(), rest.into()];
        self.g.e.b.ins().jump(self.arrive, &args);
        Ok(())
    }

    /// Skips the block for a masked-off lane. Returns the block to continue at.
    fn begin_mask(&mut self, mask: Mask) -> Option<Block> {
        let home = self.plan.layout.home(mask.reg)?;
        let (body, skip) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        let holds = self.load_home(home).one();
        match mask.negated {
            false => self.g.e.b.ins().brif(holds, body, &[], skip, &[]),
            true => self.g.e.b.ins().brif(holds, skip, &[], body, &[]),
        };
        self.g.e.b.switch_to_block(body);
        Some(skip)
    }
}
