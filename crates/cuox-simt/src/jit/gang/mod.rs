//! Gang mode: code in which the lanes of a gang, all full warps of a block if possible, go through the kernel together.
//!
//! A block's code has two phases. The first computes, once, everything that is uniform or affine over the lanes and
//! checks the guards under which that is legal: affine values that must not wrap, addresses that must lie where they
//! may, comparisons whose first and last lane must agree. If a guard fails, nothing has happened yet; the gang is
//! broken up into warps, or a warp runs this block thread by thread instead. The second phase ([`crate::jit::gang::lanes`]) is
//! a loop over groups of four lanes that does the rest, on 128-bit vectors where the machine has them.

pub(crate) mod address;
pub(crate) mod end;
pub(crate) mod group_loop;
pub(crate) mod guards;
pub(crate) mod invariants;
pub(crate) mod lanes;
pub(crate) mod masked;
pub(crate) mod memory;
pub(crate) mod rows;
pub(crate) mod scalar;
pub(crate) mod warp;
pub(crate) mod wide_call;

use crate::analysis::access_span::{Span, spans};
use crate::analysis::busy_wait;
use crate::analysis::liveness::RegSet;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Access, Block as Source, BlockId, Operand, Reg, Special, Ty};
use crate::jit::code::symbol::{Helper, Site};
use crate::jit::emit::generator::Gen;
use crate::jit::emit::value::{GROUP, Lanes, part_type, trusted};
use crate::jit::gang::masked::GroupMask;
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::{Env, Exit, Gang, STEP};
use crate::passes::hot_cold::CodePart;
use crate::passes::hot_cold::EntryPoint;
use crate::passes::superblock::SideExit;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, StackSlot, Value, types};
use std::mem::offset_of;

/// What a register holds at the current point of a block.
#[derive(Clone, Copy)]
pub(crate) enum Cur {
    /// The value of the gang's first lane (of the group's, for that class), and how the others follow.
    Scalar(Lanes, Uniformity),
    /// Of the four lanes at hand.
    Group(Lanes),
    /// Written by the lanes' work, which is still to come.
    Deferred,
}

/// A memory access whose address is uniform or affine, prepared in the first phase.
#[derive(Clone, Copy)]
pub(crate) struct Ready {
    /// Host address of the first lane's access.
    pub address: Value,
    /// Distance between lanes.
    pub stride: i64,
    /// Distance between rows, if it is not what the stride makes it (I64).
    pub step: Option<Value>,
}

/// What a value computed in the first phase was for: instruction, register, value, class.
pub(crate) type Scalar = (usize, Reg, Lanes, Uniformity);

/// Whether a varying predicate holds in all lanes of the gang, and in any.
#[derive(Clone, Copy)]
pub(crate) struct Votes {
    pub all: Value,
    pub any: Value,
}

pub(crate) struct GangCodegen<'g, 'a, 'f, 'p> {
    pub g: &'g mut Gen<'a, 'f>,
    pub plan: &'p Plan,
    /// Which piece of the code this is.
    pub part: CodePart,
    pub env: Value,
    pub gang: Value,
    /// The code of each block.
    pub blocks: Vec<Block>,
    /// That of the first block of a superblock by itself.
    alone: Vec<Option<Block>>,
    /// Where a gang begins, with the number of its entry point.
    pub start: Block,
    pub cur: Vec<Option<Cur>>,
    pub touched: Vec<Reg>,
    /// What the gang's state holds of registers at the block's start, as far as it has been loaded where all of the block's code comes by.
    held: Vec<Option<Lanes>>,
    /// Whether all that follows of the block comes by here.
    pub(crate) early: bool,
    /// Uniform and affine results of the block that the gang's state is still to hold.
    finals: Vec<(Reg, Lanes)>,
    /// The block being generated.
    pub at: BlockId,
    pub(crate) bailout: Option<Block>,
    pub(crate) guards: Vec<Value>,
    /// Prepared accesses of this block, by instruction.
    pub ready: Vec<Option<Ready>>,
    /// Which accesses of this block are checked together.
    pub spans: Vec<Option<Span>>,
    /// Spans checked in the first phase, by their first instruction.
    pub checked: Vec<Option<Ready>>,
    /// The block at hand is masked.
    pub masked: bool,
    /// In the second phase of a masked block: which lanes of the group it is for.
    pub mask: Option<GroupMask>,
    /// In the second phase: how far into the gang the group at hand is (I64).
    pub lane: Value,
    /// What does not change while a gang runs, as far as it has been loaded where all of the block's code comes by.
    pub fixed: [Option<Value>; invariants::COUNT],
    /// Lanes of the groups at hand.
    pub group_lanes: i64,
    /// The arguments of wide code, of which those that are the same in all blocks are there for other code too; their end is known when
    /// all code is there.
    pub wide_args: StackSlot,
}

/// Generates a piece of gang mode.
pub fn generate(g: &mut Gen, plan: &Plan, part: CodePart) -> Result<(), String> {
    let b = &mut *g.e.b;
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let (env, gang) = (params[0], params[1]);
    let blocks: Vec<Block> = plan.func.blocks.iter().map(|_| b.create_block()).collect();
    let superblocks = plan.superblocks.iter();
    let alone = superblocks
        .map(|way| way.as_ref().map(|_| b.create_block()))
        .collect();
    let load = |b: &mut cranelift_frontend::FunctionBuilder, from: Value, offset: usize| {
        b.ins().load(types::I64, trusted(), from, offset as i32)
    };
    let start = b.create_block();
    let number = b.append_block_param(start, types::I64);
    b.ins().jump(start, &[params[2].into()]);
    b.switch_to_block(start);
    let first = load(b, gang, offset_of!(Gang, first));
    let count = load(b, gang, offset_of!(Gang, count));
    let width = load(b, gang, offset_of!(Gang, width));
    let lanes = load(b, env, offset_of!(Env, lanes));
    let [twos, fours, eights] = [1, 2, 3].map(|shift| {
        let ahead = b.ins().ishl_imm_u(first, shift);
        b.ins().iadd(lanes, ahead)
    });
    // 32 lanes share a mask of 4 bytes.
    let ahead = b.ins().ushr_imm_u(first, 3);
    let masks = b.ins().iadd(lanes, ahead);
    let wide_args = crate::jit::gang::wide_call::arguments(b);
    let values = [twos, fours, eights, count, masks, gang, env, width];
    crate::jit::gang::wide_call::set_header(b, wide_args, values);
    let mut fast = GangCodegen {
        plan,
        part,
        wide_args,
        env,
        gang,
        blocks,
        alone,
        start,
        cur: vec![None; plan.func.regs.len()],
        touched: Vec::new(),
        held: vec![None; plan.func.regs.len()],
        early: false,
        finals: Vec::new(),
        at: BlockId(0),
        bailout: None,
        guards: Vec::new(),
        ready: Vec::new(),
        spans: Vec::new(),
        checked: Vec::new(),
        masked: false,
        mask: None,
        lane: env,
        fixed: [None; invariants::COUNT],
        group_lanes: GROUP as i64,
        g,
    };
    fast.enter(number);
    let inside = crate::analysis::group_loop::inside(&plan.group_loops);
    for (index, this) in plan.group_loops.iter().enumerate() {
        let id = BlockId(index as u32);
        let here = plan.hot_cold.has(part, EntryPoint::Block(id));
        match this {
            _ if inside[index] => {}
            Some(this) if here => fast.group_loop(this)?,
            _ => fast.block(id, here)?,
        }
    }
    Ok(())
}

impl GangCodegen<'_, '_, '_, '_> {
    /// The dispatch on the number of a entry point.
    fn enter(&mut self, number: Value) {
        let entry_points = self.plan.hot_cold.entry_points(self.part).iter();
        let targets: Vec<Block> = entry_points
            .filter_map(|&entry_point| match entry_point {
                EntryPoint::Block(at) => Some(self.blocks[at.index()]),
                EntryPoint::SingleBlock(at) => self.alone[at.index()],
            })
            .collect();
        let calls: Vec<_> = targets
            .iter()
            .map(|target| self.g.e.b.func.dfg.block_call(*target, &[]))
            .collect();
        let b = &mut self.g.e.b;
        match (&targets[..], calls.first()) {
            (&[only], _) => _ = b.ins().jump(only, &[]),
            (_, None) => self.leave(Exit::Elsewhere, BlockId(0)),
            (_, Some(&default)) => {
                let table = b.create_jump_table(JumpTableData::new(default, &calls));
                let number = b.ins().ireduce(types::I32, number);
                b.ins().br_table(number, table);
            }
        }
    }

    /// The code of a block, if it is `here`, and before it that of the superblock that it begins.
    fn block(&mut self, id: BlockId, here: bool) -> Result<(), String> {
        let plan = self.plan;
        self.g.e.b.switch_to_block(self.blocks[id.index()]);
        if !here {
            self.leave(Exit::Elsewhere, id);
        }
        if let (Some(way), Some(alone)) = (&plan.superblocks[id.index()], self.alone[id.index()]) {
            // Whatever speaks against it leads to the block alone.
            if here {
                self.at = plan.superblock_number(id);
                self.bailout = Some(alone);
                let live_out = plan.live.live_out(&plan.func, way.last);
                let votes = self.phases(&way.block, &way.side_exits, &live_out)?;
                self.at = way.last;
                self.bailout = None;
                self.end(way.last, votes)?;
            }
            self.g.e.b.switch_to_block(alone);
            if self.part == CodePart::Hot {
                self.leave(Exit::Elsewhere, plan.superblock_number(id));
                return Ok(());
            }
        } else if !here {
            return Ok(());
        }
        self.at = id;
        self.bailout = None;
        let live_out = plan.live.live_out(&plan.func, id);
        let votes = self.phases(&plan.func.blocks[id.index()], &[], &live_out)?;
        self.end(id, votes)
    }

    /// A block's instructions; between them are the branches `turns`, which must answer as they do. Answers the votes on the predicate
    /// that it ends with.
    fn phases(
        &mut self,
        block: &Source,
        side_exits: &[SideExit],
        live_out: &RegSet,
    ) -> Result<Option<Votes>, String> {
        let plan = self.plan;
        self.guards.clear();
        self.ready = vec![None; block.insts.len()];
        self.checked = vec![None; block.insts.len()];
        self.spans = spans(&block.insts);
        self.masked = block.mask.is_some();
        self.begin();

        // Phase one: what is the same or affine over the lanes, in order.
        let mut scalars: Vec<Scalar> = Vec::new();
        let mut work = false;
        let mut side_exits = side_exits.iter().peekable();
        for (i, inst) in block.insts.iter().enumerate() {
            while let Some(side_exit) = side_exits.next_if(|side_exit| side_exit.before == i) {
                self.side_exit(side_exit);
            }
            if self.is_scalar(inst) {
                self.scalar_inst(i, inst, &mut scalars);
                // A value that is one here and varies elsewhere is kept lane by lane.
                inst.defs(|reg| work |= !plan.uniformity.of(reg).is_one_per_gang());
            } else {
                work = true;
                self.prepare_access(i, inst);
                inst.defs(|reg| self.set(reg, Cur::Deferred));
            }
        }
        side_exits.for_each(|side_exit| self.side_exit(side_exit));
        self.check_guards();
        // What lives on.
        let mut keep = live_out.clone();
        block.end.uses(|o| {
            if let Operand::Reg(reg) = o {
                keep.insert(reg);
            }
        });
        let finals: Vec<(Reg, Cur)> = self
            .touched
            .iter()
            .filter_map(|&r| Some((r, self.cur[r.index()]?)))
            .filter(|(reg, _)| keep.contains(*reg) && plan.uniformity.of(*reg).is_one_per_gang())
            .collect();
        self.finals = finals
            .iter()
            .filter_map(|&(reg, cur)| match cur {
                Cur::Scalar(value, _) => Some((reg, value)),
                _ => None,
            })
            .collect();
        self.forget();

        // Phase two: the lanes' work, four at a time.
        let mut votes = None;
        if work {
            votes = self.lane_loop(block, &scalars, &keep)?;
        }
        self.early = false;
        self.keep_finals();
        for (reg, cur) in finals {
            self.set(reg, cur);
        }
        Ok(votes)
    }

    /// Begins code that knows of no register yet; all of the block's code comes by what follows.
    pub(crate) fn begin(&mut self) {
        self.forget();
        self.held.fill(None);
        self.fixed = [None; invariants::COUNT];
        self.early = true;
    }

    /// Puts the block's uniform and affine results into the gang's state. From here on the block can no longer start again.
    pub(crate) fn keep_finals(&mut self) {
        for (reg, value) in std::mem::take(&mut self.finals) {
            let Some(home) = self.plan.layout.home(reg) else {
                continue;
            };
            let (gang, at) = (self.gang, home.scalar as i32);
            let before = self.held[reg.index()];
            let value = self.canonical(reg, value);
            if before.is_none_or(|old| old.one() != value.one()) {
                self.g.e.b.ins().store(trusted(), value.one(), gang, at);
            }
            if self.has_step(home.class) {
                let step = self.step_of(value);
                if before.is_none_or(|old| old.step != Some(step)) {
                    let at = at + STEP as i32;
                    self.g.e.b.ins().store(trusted(), step, gang, at);
                }
            }
        }
    }

    /// Whether the gang's state has a step of registers of a class.
    fn has_step(&self, class: Uniformity) -> bool {
        self.plan.shape.has_rows() && matches!(class, Uniformity::Affine(_))
    }

    /// What the gang's state holds of a uniform or affine register.
    pub(crate) fn stored(&mut self, reg: Reg) -> Lanes {
        if let Some(value) = self.held[reg.index()] {
            return value;
        }
        let ty = self.plan.func.ty(reg);
        let home = match self.plan.layout.home(reg) {
            Some(home) if home.class.is_one_per_gang() => home,
            // Never written: any value will do.
            _ => return self.g.e.constant(ty, false, 0),
        };
        let (gang, part, at) = (self.gang, part_type(ty, false), home.scalar as i32);
        let b = &mut self.g.e.b;
        let value = b.ins().load(part, trusted(), gang, at);
        let mut value = Lanes::new(ty, false, &[value]);
        if self.has_step(home.class) {
            let at = at + STEP as i32;
            let step = self.g.e.b.ins().load(part, trusted(), gang, at);
            value = value.stepping(Some(step));
        }
        if self.early {
            self.held[reg.index()] = Some(value);
        }
        value
    }

    /// Goes on where a branch leads in a superblock.
    fn side_exit(&mut self, side_exit: &SideExit) {
        self.check_guards();
        let cond = self.scalar(Operand::Reg(side_exit.cond), Ty::Pred).one();
        let ok = match side_exit.holds {
            true => cond,
            false => self.g.e.b.ins().icmp_imm_u(IntCC::Equal, cond, 0),
        };
        self.start_again_unless(ok);
    }

    /// Forgets what registers hold.
    pub(crate) fn forget(&mut self) {
        for reg in self.touched.drain(..) {
            self.cur[reg.index()] = None;
        }
    }

    /// The class of a value as computed here, which may be better than its register's.
    pub(crate) fn class_of(&self, operand: Operand) -> Uniformity {
        match operand {
            Operand::Imm(_) => Uniformity::Uniform,
            Operand::Reg(reg) => match self.cur[reg.index()] {
                Some(Cur::Scalar(_, class)) => class,
                Some(Cur::Group(_) | Cur::Deferred) => Uniformity::Varying,
                None => self.plan.uniformity.of(reg),
            },
        }
    }

    /// Lane 0's value of a uniform or affine operand.
    pub(crate) fn scalar(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let value = self.raw_scalar(operand, ty);
        if !value.noncanonical {
            return value;
        }
        let canonical = self.g.e.canonicalize_nans(value);
        if let Operand::Reg(reg) = operand
            && let Some(Cur::Scalar(_, class)) = self.cur[reg.index()]
        {
            self.cur[reg.index()] = Some(Cur::Scalar(canonical, class));
        }
        canonical
    }

    /// The same for arithmetic, which takes any NaN.
    pub(crate) fn raw_scalar(&mut self, operand: Operand, ty: Ty) -> Lanes {
        match operand {
            Operand::Imm(bits) => self.g.e.constant(ty, false, bits),
            Operand::Reg(reg) => match self.cur[reg.index()] {
                Some(Cur::Scalar(value, _)) => value,
                _ => self.stored(reg),
            },
        }
    }

    /// A register's value as others may see it.
    pub(crate) fn canonical(&mut self, reg: Reg, value: Lanes) -> Lanes {
        match self.plan.unobserved_nans.contains(reg) {
            true => value.marked(false),
            false => self.g.e.canonicalize_nans(value),
        }
    }

    pub(crate) fn set(&mut self, reg: Reg, cur: Cur) {
        if self.cur[reg.index()].is_none() {
            self.touched.push(reg);
        }
        self.cur[reg.index()] = Some(cur);
    }

    pub(crate) fn env_load(&mut self, ty: cranelift_codegen::ir::Type, offset: usize) -> Value {
        self.g
            .e
            .b
            .ins()
            .load(ty, trusted(), self.env, offset as i32)
    }

    /// Returns; the runtime finds registers in the gang's state and the lanes' slots.
    pub(crate) fn leave(&mut self, exit: Exit, block: BlockId) {
        let code = self.g.e.iconst(types::I64, exit.code(block));
        self.g.e.b.ins().return_(&[code]);
    }

    pub(crate) fn goto(&mut self, from: BlockId, to: BlockId) {
        let target = self.blocks[to.index()];
        if to.index() > from.index() {
            self.g.e.b.ins().jump(target, &[]);
            return;
        }
        // A back edge costs fuel, so that a warp that spins gives way.
        let cost = match self
            .plan
            .busy_waits
            .get(from.index())
            .copied()
            .unwrap_or(false)
        {
            true => busy_wait::COST,
            false => 1,
        };
        if cost > 1 {
            let yes = self.g.e.iconst(types::I32, 1);
            let at = offset_of!(Env, spun) as i32;
            self.g.e.b.ins().store(trusted(), yes, self.env, at);
        }
        let fuel = self.env_load(types::I64, offset_of!(Env, fuel));
        let fuel = self.g.e.b.ins().iadd_imm_s(fuel, -cost);
        self.g
            .e
            .b
            .ins()
            .store(trusted(), fuel, self.env, offset_of!(Env, fuel) as i32);
        let out = self.g.e.b.create_block();
        self.g.e.b.set_cold_block(out);
        let empty = self.g.e.b.ins().icmp_imm_s(IntCC::SignedLessThan, fuel, 0);
        self.g.e.b.ins().brif(empty, out, &[], target, &[]);
        self.g.e.b.switch_to_block(out);
        self.leave(Exit::Yield, to);
    }
}

impl Gen<'_, '_> {
    /// Calls a driver service for one lane; arguments are in the header.
    pub(crate) fn call_syscall(
        &mut self,
        env: Value,
        warp: Value,
        site: i64,
        lane: Value,
    ) -> Value {
        let site = self.e.iconst(types::I64, site);
        self.e.call(Helper::Syscall, &[env, warp, site, lane])
    }

    /// Checks the access of one lane (I64), at `base` and so much more.
    pub(crate) fn check_access(
        &mut self,
        (env, gang): (Value, Value),
        lane: Value,
        access: Access,
        base: Lanes,
        offset: i64,
    ) {
        let address = match base.ty {
            Ty::B64 => base.one(),
            _ => self.e.b.ins().uextend(types::I64, base.one()),
        };
        let address = self.e.b.ins().iadd_imm_s(address, offset);
        let site = self.e.numbers.site(Site::Check(access));
        let site = self.e.iconst(types::I64, site);
        self.e
            .call(Helper::CheckOne, &[env, gang, site, lane, address]);
    }

    /// One of the lane masks for a lane (I64).
    pub(crate) fn lane_mask(&mut self, special: Special, lane: Value) -> Lanes {
        let lane = self.e.b.ins().ireduce(types::I32, lane);
        let one = self.e.iconst(types::I32, 1);
        let eq = self.e.b.ins().ishl(one, lane);
        let lt = self.e.b.ins().iadd_imm_s(eq, -1);
        let v = match special {
            Special::LaneMaskEq => eq,
            Special::LaneMaskLt => lt,
            Special::LaneMaskLe => self.e.b.ins().bor(lt, eq),
            Special::LaneMaskGe => self.e.b.ins().bnot(lt),
            _ => {
                let le = self.e.b.ins().bor(lt, eq);
                self.e.b.ins().bnot(le)
            }
        };
        Lanes::new(Ty::B32, false, &[v])
    }
}
