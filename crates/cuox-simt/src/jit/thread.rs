//! Thread mode: code that runs one block for some lanes of a warp, one lane after the other.
//!
//! Every register that lives across blocks is read from and written to its lane slot, so that any lane may be anywhere.
//! At the end of a block its lanes are noted where they go on (`places.rs`), and the first block that has lanes runs next. What a jump or a
//! branch cannot say, and now and then whose turn it is, is left to the runtime.

use crate::env::WARP_IDS;
use crate::ir::{Address, BlockId, Inst, Mask, Operand, Reg, Space, Special, Terminator, Ty};
use crate::jit::code::symbol::{Helper, Site};
use crate::jit::compile::{Gen, Plan};
use crate::jit::emit::value::{Lanes, part_type, trusted};
use crate::jit::runtime::lane_pcs::LanePcs;
use crate::jit::runtime::layout::{Env, Gang, Home, lane_bytes};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Type, Value, types};
use std::mem::offset_of;

/// The bit of a result that says a lane faulted.
pub const FAULT: u64 = 1 << 32;
/// The bit of a result that says lanes are at an end of a block that the runtime sees to.
pub const AT_END: u64 = 1 << 33;
/// The instruction number that says the runtime has the fault.
pub const RUNTIME_FAULT: u32 = u32::MAX;

struct ThreadCodegen<'g, 'a, 'f, 'p> {
    g: &'g mut Gen<'a, 'f>,
    plan: &'p Plan,
    env: Value,
    gang: Value,
    /// Address of the warp's part of a lane slot at offset 0, for values of 4, 8 and 16 bytes.
    slots: [Value; 3],
    /// Address of the warp's mask of a predicate at offset 0.
    masks: Value,
    /// The lane at hand, I64.
    lane: Value,
    /// Address of the warp's [`LanePcs`].
    lane_pcs: Value,
    /// Takes two blocks and the lanes that go on at each, notes them, and goes on with the first block that has lanes.
    arrive: Block,
    cur: Vec<Option<Lanes>>,
    touched: Vec<Reg>,
}

/// Generates thread mode.
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
    let blocks: Vec<_> = plan
        .func
        .blocks
        .iter()
        .map(|_| {
            let block = b.create_block();
            b.append_block_param(block, types::I32);
            block
        })
        .collect();
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
        .map(|&block| b.func.dfg.block_call(block, &[mask.into()]))
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
        let mask = slow.g.e.b.block_params(start)[0];
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
        // For a branch the lanes that take it; for a switch all bits that are set in some lane's index, and those set in all.
        let taken = self.g.e.b.append_block_param(header, types::I32);
        let common = self.g.e.b.append_block_param(header, types::I32);
        let result = self.g.e.b.append_block_param(done, types::I32);
        let result_common = self.g.e.b.append_block_param(done, types::I32);
        let zero = self.g.e.iconst(types::I32, 0);
        let ones = self.g.e.iconst(types::I32, -1);
        self.g
            .e
            .b
            .ins()
            .jump(header, &[mask.into(), zero.into(), ones.into()]);
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
        let (mut taken_now, mut common_now) = (taken, common);
        match block.end {
            Terminator::Branch { cond, .. } => {
                let cond = self.value(Operand::Reg(cond), Ty::Pred);
                let bit = self.g.e.b.ins().uextend(types::I32, cond.one());
                let bit = self.g.e.b.ins().ishl(bit, lane);
                taken_now = self.g.e.b.ins().bor(taken, bit);
            }
            Terminator::Switch { index, .. } => {
                let index = self.value(index, Ty::B32).one();
                taken_now = self.g.e.b.ins().bor(taken, index);
                common_now = self.g.e.b.ins().band(common, index);
            }
            _ => {}
        }
        self.forget();
        let less = self.g.e.b.ins().iadd_imm_s(rest, -1);
        let rest = self.g.e.b.ins().band(rest, less);
        self.g.e.b.ins().brif(
            rest,
            header,
            &[rest.into(), taken_now.into(), common_now.into()],
            done,
            &[taken_now.into(), common_now.into()],
        );
        self.g.e.b.switch_to_block(done);
        if plan.busy_waits[id.index()] {
            let yes = self.g.e.iconst(types::I32, 1);
            let at = offset_of!(Env, spun) as i32;
            self.g.e.b.ins().store(trusted(), yes, self.env, at);
        }
        if plan.may_wait[id.index()] {
            self.look();
        }
        let (to, taken, other) = match &block.end {
            Terminator::Jump(to) => (*to, mask, *to),
            Terminator::Branch { then, other, .. } => (*then, result, *other),
            end => {
                if let Terminator::Switch { targets, .. } = end {
                    self.switch(targets, [result, result_common], mask);
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

    /// Notes that a thread may wait; the runtime is asked after this block.
    fn look(&mut self) {
        let lane_pcs = self.lane_pcs;
        let b = &mut *self.g.e.b;
        let field = |offset: usize| offset as i32;
        let (left, spare) = (
            field(offset_of!(LanePcs, left)),
            field(offset_of!(LanePcs, spare)),
        );
        let looked = field(offset_of!(LanePcs, looked));
        let times = b.ins().load(types::I32, trusted(), lane_pcs, looked);
        let times = b.ins().iadd_imm_s(times, 1);
        b.ins().store(trusted(), times, lane_pcs, looked);
        let steps = b.ins().load(types::I32, trusted(), lane_pcs, left);
        let less = b.ins().iadd_imm_s(steps, -1);
        b.ins().store(trusted(), less, lane_pcs, spare);
        let one = b.ins().iconst(types::I32, 1);
        b.ins().store(trusted(), one, lane_pcs, left);
    }

    /// Goes on where a switch leads if that is one place for all lanes; the runtime sees to it otherwise. `some` and `all` have the bits that are
    /// set in some lane's index and in all.
    fn switch(&mut self, targets: &[BlockId], [some, all]: [Value; 2], mask: Value) {
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

    /// The block that all jumps and branches lead to: see `arrive`. `run` takes a block and lanes.
    fn arrivals(&mut self, run: Block) {
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
            // A shift takes the number modulo 64.
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
        let left = field(offset_of!(LanePcs, left));
        let steps = b.ins().load(types::I32, trusted(), lane_pcs, left);
        let steps = b.ins().iadd_imm_s(steps, -1);
        b.ins().store(trusted(), steps, lane_pcs, left);
        let zero = b.ins().iconst(types::I64, 0);
        b.ins().brif(steps, scan, &[zero.into()], out, &[]);

        // Somebody is somewhere, or the warp had not been here.
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
        // All of a warp at one place: it may be a gang again.
        let whole = field(offset_of!(LanePcs, whole));
        let whole = b.ins().load(types::I32, trusted(), lane_pcs, whole);
        let all = b.ins().icmp(IntCC::Equal, mask, whole);
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

    /// Goes on where the answer says if the block is not for this lane.
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

    fn forget(&mut self) {
        for reg in self.touched.drain(..) {
            self.cur[reg.index()] = None;
        }
    }

    fn set(&mut self, reg: Reg, value: Lanes) {
        if self.cur[reg.index()].is_none() {
            self.touched.push(reg);
        }
        self.cur[reg.index()] = Some(value);
    }

    fn value(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let value = self.raw_value(operand, ty);
        if !value.noncanonical {
            return value;
        }
        let canonical = self.g.e.canonicalize_nans(value);
        if let Operand::Reg(reg) = operand {
            self.cur[reg.index()] = Some(canonical);
        }
        canonical
    }

    /// The same for arithmetic, which takes any NaN.
    fn raw_value(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let reg = match operand {
            Operand::Imm(bits) => return self.g.e.constant(ty, false, bits),
            Operand::Reg(reg) => reg,
        };
        if let Some(value) = self.cur[reg.index()] {
            return value;
        }
        let value = match self.plan.layout.home(reg) {
            Some(home) => self.load_home(home),
            // Never written: any value will do.
            None => self.g.e.constant(self.plan.func.ty(reg), false, 0),
        };
        self.set(reg, value);
        value
    }

    fn slot(&mut self, home: Home) -> Value {
        let by = self
            .g
            .e
            .b
            .ins()
            .ishl_imm_u(self.lane, i64::from(lane_bytes(home.ty).ilog2()));
        let shift = lane_bytes(home.ty).ilog2() as usize;
        self.g.e.b.ins().iadd(self.slots[shift - 2], by)
    }

    fn load_home(&mut self, home: Home) -> Lanes {
        let offset = home.lanes as i32;
        if home.ty == Ty::Pred {
            let bits = self
                .g
                .e
                .b
                .ins()
                .load(types::I32, trusted(), self.masks, offset);
            let bit = self.g.e.b.ins().ushr(bits, self.lane);
            let bit = self.g.e.b.ins().ireduce(types::I8, bit);
            let bit = self.g.e.b.ins().band_imm_u(bit, 1);
            return Lanes::new(Ty::Pred, false, &[bit]);
        }
        let at = self.slot(home);
        let part = part_type(home.ty, false);
        let first = self.g.e.b.ins().load(part, trusted(), at, offset);
        if home.ty == Ty::B128 {
            let second = self.g.e.b.ins().load(part, trusted(), at, offset + 8);
            return Lanes::new(home.ty, false, &[first, second]);
        }
        Lanes::new(home.ty, false, &[first])
    }

    fn store_home(&mut self, home: Home, value: Lanes) {
        let offset = home.lanes as i32;
        if home.ty == Ty::Pred {
            let old = self
                .g
                .e
                .b
                .ins()
                .load(types::I32, trusted(), self.masks, offset);
            let one = self.g.e.iconst(types::I32, 1);
            let here = self.g.e.b.ins().ishl(one, self.lane);
            let cleared = self.g.e.b.ins().band_not(old, here);
            let bit = self.g.e.b.ins().uextend(types::I32, value.one());
            let bit = self.g.e.b.ins().ishl(bit, self.lane);
            let new = self.g.e.b.ins().bor(cleared, bit);
            self.g.e.b.ins().store(trusted(), new, self.masks, offset);
            return;
        }
        let at = self.slot(home);
        for (i, &part) in value.parts().iter().enumerate() {
            self.g
                .e
                .b
                .ins()
                .store(trusted(), part, at, offset + i as i32 * 8);
        }
    }

    fn inst(&mut self, i: usize, inst: &Inst) -> Result<(), String> {
        match inst {
            Inst::Op { dst, op, args } => {
                let signature = op.signature();
                let values: Vec<Lanes> = args
                    .iter()
                    .zip(signature.args())
                    .map(|(&a, &ty)| self.raw_value(a, ty))
                    .collect();
                let value = self.g.e.op(*op, &values);
                self.set(*dst, value);
            }
            Inst::Special { dst, special } => {
                let value = self.special(*special);
                self.set(*dst, value);
            }
            Inst::SymbolAddress { dst, variable } => {
                let table = self.env_load(types::I64, offset_of!(Env, symbols));
                let v = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I64, trusted(), table, *variable as i32 * 8);
                self.set(*dst, Lanes::new(Ty::B64, false, &[v]));
            }
            Inst::FunctionAddress { dst, func } => {
                let value = self.g.e.constant(Ty::B64, false, u64::from(func.0) + 1);
                self.set(*dst, value);
            }
            Inst::Load {
                dsts,
                ty,
                signed,
                addr,
                order,
            } => {
                let at = self.address(i, addr, ty.bytes() * dsts.len() as u32);
                for (k, dst) in dsts.iter().enumerate() {
                    let Some(dst) = *dst else { continue };
                    let own = self.plan.func.ty(dst);
                    let offset = k as i32 * ty.bytes() as i32;
                    let value = self.g.e.load_one(*ty, *signed, own, *order, at, offset);
                    self.set(dst, value);
                }
            }
            Inst::Store {
                srcs,
                ty,
                addr,
                order,
            } => {
                let at = self.address(i, addr, ty.bytes() * srcs.len() as u32);
                for (k, &src) in srcs.iter().enumerate() {
                    let value = self.value(src, *ty);
                    self.g
                        .e
                        .store_one(*ty, value, *order, at, k as i32 * ty.bytes() as i32);
                }
            }
            Inst::Atomic {
                dst,
                op,
                num,
                packed,
                addr,
                args,
                ..
            } => {
                let ty = if *packed { Ty::B32 } else { num.ty() };
                let at = self.address(i, addr, ty.bytes());
                let values: Vec<Lanes> = args.iter().map(|&a| self.value(a, ty)).collect();
                let private = addr.space != Space::Flat;
                let old = self.g.atomic(
                    (self.env, self.gang),
                    (*op, *num, *packed),
                    at,
                    &values,
                    private,
                );
                if let Some(dst) = *dst {
                    let own = self.plan.func.ty(dst);
                    let value = if own == ty || ty == Ty::B128 {
                        old
                    } else {
                        crate::jit::emit::ops::convert::resize(&mut self.g.e, old, ty, own, false)
                    };
                    self.set(dst, value);
                }
            }
            Inst::Check { addr, access } => {
                let base = self.value(addr.base, Ty::B64);
                let block = (self.env, self.gang);
                self.g
                    .check_access(block, self.lane, *access, base, addr.offset);
            }
            Inst::Fence(_) => {
                self.g.e.b.ins().fence();
            }
            Inst::Syscall { dst, call, args } => {
                let site = self.plan.numbers.site(Site::Syscall(*call));
                for (k, &arg) in args.iter().enumerate() {
                    let value = self.value(arg, Ty::B64);
                    let word = self.g.e.as_word(value);
                    let at = (offset_of!(Gang, scratch) + 8 * k) as i32;
                    self.g.e.b.ins().store(trusted(), word, self.gang, at);
                }
                let result = self.g.call_syscall(self.env, self.gang, site, self.lane);
                if !call.faults_late() {
                    let failed = self.g.e.call(Helper::PendingFault, &[self.env]);
                    self.fault_if(failed, RUNTIME_FAULT, None);
                }
                if let Some(dst) = *dst {
                    let value = self.g.e.of_word(self.plan.func.ty(dst), result);
                    self.set(dst, value);
                }
            }
            Inst::Image { dsts, op, args } => {
                let values: Vec<Lanes> = args
                    .iter()
                    .enumerate()
                    .map(|(n, &a)| self.value(a, if n == 0 { Ty::B64 } else { Ty::B32 }))
                    .collect();
                let (env, gang, lane) = (self.env, self.gang, self.lane);
                let (failed, results) = self.g.image(env, gang, lane, *op, &values);
                self.fault_if(failed, RUNTIME_FAULT, None);
                for (dst, value) in dsts.iter().zip(results) {
                    if let Some(dst) = *dst {
                        self.set(dst, value);
                    }
                }
            }
            Inst::Call { .. } => return Err("calls that were not inlined".to_owned()),
        }
        Ok(())
    }

    fn env_load(&mut self, ty: Type, offset: usize) -> Value {
        self.g
            .e
            .b
            .ins()
            .load(ty, trusted(), self.env, offset as i32)
    }

    fn special(&mut self, special: Special) -> Lanes {
        let axis = |base: usize, axis: u8| base + usize::from(axis) * 4;
        let offset = match special {
            Special::Tid(n) => {
                let by = self.g.e.b.ins().ishl_imm_u(self.lane, 2);
                let at = self.g.e.b.ins().iadd(self.slots[0], by);
                let offset = u32::from(n) * 4 * self.plan.layout.capacity;
                let v = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I32, trusted(), at, offset as i32);
                return Lanes::new(Ty::B32, false, &[v]);
            }
            Special::LaneId => {
                let v = self.g.e.b.ins().ireduce(types::I32, self.lane);
                return Lanes::new(Ty::B32, false, &[v]);
            }
            Special::WarpId => {
                let at = offset_of!(Gang, first) as i32;
                let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
                let warp = self.g.e.b.ins().ushr_imm_u(first, 5);
                let v = self.g.e.b.ins().ireduce(types::I32, warp);
                return Lanes::new(Ty::B32, false, &[v]);
            }
            Special::NWarpId => return self.g.e.constant(Ty::B32, false, u64::from(WARP_IDS)),
            Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe => return self.g.lane_mask(special, self.lane),
            Special::LocalBase => {
                let v = self.local_base();
                return Lanes::new(Ty::B64, false, &[v]);
            }
            Special::Stack => {
                let stack = self.env_load(types::I64, offset_of!(Env, stack));
                let at = offset_of!(Gang, first) as i32;
                let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
                let thread = self.g.e.b.ins().iadd(first, self.lane);
                let ahead = self.g.e.b.ins().ishl_imm_u(thread, 3);
                let v = self.g.e.b.ins().iadd(stack, ahead);
                return Lanes::new(Ty::B64, false, &[v]);
            }
            Special::Clock | Special::Clock64 | Special::GlobalTimer => {
                let which = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(special == Special::GlobalTimer));
                let value = self.g.e.call(Helper::Clock, &[which]);
                return self.g.e.of_word(special.ty(), value);
            }
            Special::TotalSharedSize => offset_of!(Env, shared_bytes),
            Special::Ntid(n) => axis(offset_of!(Env, block), n),
            Special::Ctaid(n) => axis(offset_of!(Env, ctaid), n),
            Special::Nctaid(n) => axis(offset_of!(Env, grid), n),
            Special::ClusterNctaid(n) => axis(offset_of!(Env, cluster), n),
            Special::ClusterRank => offset_of!(Env, cluster_rank),
            Special::ExplicitCluster => offset_of!(Env, explicit_cluster),
            Special::SmId => offset_of!(Env, worker),
            Special::NSmId => offset_of!(Env, workers),
            Special::GridId => offset_of!(Env, grid_id),
            Special::DynamicSharedSize => offset_of!(Env, dynamic_shared),
            Special::EnvReg(n) => axis(offset_of!(Env, envregs), n),
            Special::SharedBase => offset_of!(Env, shared),
            Special::ParamBase => offset_of!(Env, params),
        };
        let ty = special.ty();
        let v = self.env_load(part_type(ty, false), offset);
        Lanes::new(ty, false, &[v])
    }

    fn local_base(&mut self) -> Value {
        let at = offset_of!(Gang, local) as i32;
        let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
        let ahead = self
            .g
            .e
            .b
            .ins()
            .imul_imm_s(self.lane, i64::from(self.plan.local_bytes));
        self.g.e.b.ins().iadd(first, ahead)
    }

    /// The host address of an access; leaves with a fault at instruction `i` if it is bad.
    fn address(&mut self, i: usize, addr: &Address, bytes: u32) -> Value {
        let base_ty = if addr.space == Space::Flat {
            Ty::B64
        } else {
            Ty::B32
        };
        let base = self.value(addr.base, base_ty);
        if addr.space == Space::Flat {
            let wide = match base.ty {
                Ty::B64 => base.one(),
                _ => self.g.e.b.ins().uextend(types::I64, base.one()),
            };
            let at = self.g.e.b.ins().iadd_imm_s(wide, addr.offset);
            let origin = self.env_load(types::I64, offset_of!(Env, space_base));
            let mask = self.env_load(types::I64, offset_of!(Env, space_mask));
            let mask = self.g.e.b.ins().bor_imm_u(mask, i64::from(bytes - 1));
            let off = self.g.e.b.ins().bxor(at, origin);
            let wrong = self.g.e.b.ins().band(off, mask);
            self.fault_if(wrong, i as u32, Some(at));
            return at;
        }
        let word = match base.ty {
            Ty::B64 => self.g.e.b.ins().ireduce(types::I32, base.one()),
            _ => base.one(),
        };
        let word = self
            .g
            .e
            .b
            .ins()
            .iadd_imm_s(word, i64::from(addr.offset as i32));
        let offset = self.g.e.b.ins().uextend(types::I64, word);
        let (limit, window) = match addr.space {
            Space::Shared => (
                self.env_load(types::I64, offset_of!(Env, shared_bytes)),
                self.env_load(types::I64, offset_of!(Env, shared)),
            ),
            Space::Local => {
                let limit = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(self.plan.local_bytes));
                (limit, self.local_base())
            }
            _ => {
                let limit = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(self.plan.param_bytes));
                (limit, self.env_load(types::I64, offset_of!(Env, params)))
            }
        };
        let end = self.g.e.b.ins().iadd_imm_u(offset, i64::from(bytes));
        let past = self
            .g
            .e
            .b
            .ins()
            .icmp(IntCC::UnsignedGreaterThan, end, limit);
        let odd = self.g.e.b.ins().band_imm_u(offset, i64::from(bytes - 1));
        let odd = self.g.e.b.ins().icmp_imm_u(IntCC::NotEqual, odd, 0);
        let bad = self.g.e.b.ins().bor(past, odd);
        self.fault_if(bad, i as u32, Some(offset));
        self.g.e.b.ins().iadd(window, offset)
    }

    fn fault_if(&mut self, condition: Value, inst: u32, address: Option<Value>) {
        let bad = self.g.e.b.create_block();
        let on = self.g.e.b.create_block();
        self.g.e.b.set_cold_block(bad);
        self.g.e.b.ins().brif(condition, bad, &[], on, &[]);
        self.g.e.b.switch_to_block(bad);
        let number = self.g.e.iconst(types::I32, i64::from(inst));
        let lane = self.g.e.b.ins().ireduce(types::I32, self.lane);
        let b = &mut self.g.e.b;
        b.ins().store(
            trusted(),
            number,
            self.gang,
            offset_of!(Gang, fault_inst) as i32,
        );
        b.ins().store(
            trusted(),
            lane,
            self.gang,
            offset_of!(Gang, fault_lane) as i32,
        );
        if let Some(address) = address {
            let at = offset_of!(Gang, fault_address) as i32;
            b.ins().store(trusted(), address, self.gang, at);
        }
        let code = self.g.e.iconst(types::I64, FAULT as i64);
        self.g.e.b.ins().return_(&[code]);
        self.g.e.b.switch_to_block(on);
    }
}
