//! Gang mode: code in which the lanes of a gang (all full warps of a block, if possible) run the kernel together.
//!
//! A block's code has two phases. The scalar phase executes, once, all instructions with uniform or affine results, and
//! checks the guards under which that is legal: affine values do not wrap, addresses lie in the legal range,
//! comparisons agree in the first and last lane. If a guard fails, nothing has been changed yet; the gang is then split
//! into warps, or a warp runs this block thread by thread instead. The lane phase ([`crate::jit::gang::lanes`]) is a
//! loop over groups of four lanes that executes the rest, on 128-bit vectors where the machine has them;
//! [`crate::jit::gang::wide_call`] replaces it by AVX-512 code.

pub(crate) mod address;
pub(crate) mod barriers;
pub(crate) mod end;
pub(crate) mod group_loop;
pub(crate) mod guards;
pub(crate) mod invariants;
pub(crate) mod lanes;
pub(crate) mod local;
pub(crate) mod masked;
pub(crate) mod memory;
pub(crate) mod piecewise;
mod prefetch;
pub(crate) mod rounds;
pub(crate) mod rows;
pub(crate) mod scalar;
pub(crate) mod warp;
pub(crate) mod wide_call;
pub(crate) mod window;

use crate::analysis::access_span::{Span, spans};
use crate::analysis::busy_wait::Wait;
use crate::analysis::liveness::RegSet;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Block as Source, BlockId, Inst, Operand, Reg, Special, Terminator, Ty};
use crate::jit::code::symbol::Helper;
use crate::jit::emit::generator::Gen;
use crate::jit::emit::value::{GROUP, Lanes, part_type, trusted};
use crate::jit::gang::barriers::{BarrierLoops, Segment};
use crate::jit::gang::local::Local;
use crate::jit::gang::masked::GroupMask;
use crate::jit::gang::window::Window;
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::{Env, Exit, Gang, STEP};
use crate::passes::hot_cold::CodePart;
use crate::passes::hot_cold::EntryPoint;
use crate::passes::superblock::SideExit;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, StackSlot, Value, types};
use rustc_hash::FxHashSet;
use std::mem::offset_of;

/// Current value of a register during code generation.
#[derive(Clone, Copy)]
pub(crate) enum RegValue {
    /// Value of the gang's first lane (of the group's, for piecewise affine values), and the uniformity that gives the
    /// others.
    Scalar(Lanes, Uniformity),
    /// Values of the current group's four lanes.
    Group(Lanes),
    /// Written in the lane phase, which has not been emitted yet.
    Deferred,
}

/// Checked address of a memory access whose address is uniform or affine.
#[derive(Clone, Copy)]
pub(crate) struct CheckedAddress {
    /// Host address of the first lane's access.
    pub address: Value,
    /// Distance between lanes.
    pub stride: i64,
    /// Distance between rows, if it does not follow from the stride (I64).
    pub step: Option<Value>,
}

/// Scalar result: instruction, register, value, uniformity.
pub(crate) type Scalar = (usize, Reg, Lanes, Uniformity);

/// Tells whether a varying predicate is true in all lanes of the gang, and in any.
#[derive(Clone, Copy)]
pub(crate) struct Votes {
    pub all: Value,
    pub any: Value,
}

pub(crate) struct GangCodegen<'g, 'a, 'f, 'p> {
    pub g: &'g mut Gen<'a, 'f>,
    pub plan: &'p Plan,
    /// Part of the code that is being generated.
    pub part: CodePart,
    pub env: Value,
    pub gang: Value,
    /// Code of each block.
    pub blocks: Vec<Block>,
    /// Code of each superblock's first block as a single block.
    single_block: Vec<Option<Block>>,
    /// Start of a gang, with the index of its entry point as a parameter.
    pub start: Block,
    pub cur: Vec<Option<RegValue>>,
    pub touched: Vec<Reg>,
    /// Values loaded from the gang's state that dominate the rest of the block's code.
    held: Vec<Option<Lanes>>,
    /// Registers with such a value.
    held_regs: Vec<Reg>,
    /// True while the code being emitted dominates the rest of the block.
    pub(crate) early: bool,
    /// Uniform and affine results of the block that are still to be stored in the gang's state.
    scalar_results: Vec<(Reg, Lanes)>,
    /// Block being generated.
    pub at: BlockId,
    pub(crate) bailout: Option<Block>,
    pub(crate) guards: Vec<Value>,
    /// Prepared accesses of this block, by instruction.
    pub ready: Vec<Option<CheckedAddress>>,
    /// Spans of the accesses of this block.
    pub spans: Vec<Option<Span>>,
    /// Spans checked in the scalar phase, by their first instruction.
    pub checked: Vec<Option<CheckedAddress>>,
    /// True if the current block is masked.
    pub masked: bool,
    /// In the lane phase of a masked block: the active lanes of the group.
    pub mask: Option<GroupMask>,
    /// In a masked block, from its lane phase on: the lanes to visit.
    window: Option<Window>,
    /// In the lane phase: the first lane of the current group, within the gang (I64).
    pub lane: Value,
    /// Invariants that have been loaded where they dominate the rest of the block's code.
    pub invariants: [Option<Value>; invariants::COUNT],
    /// From the first loop over lanes on: the place before it.
    before_loops: Option<invariants::Place>,
    /// Lanes of the current group.
    pub group_lanes: i64,
    /// Lanes from a group's first one to the first group of four that has an active lane (I64), where groups are wider
    /// than four and some of their lanes may be inactive.
    pub active_ahead: Option<Value>,
    /// Arguments of wide code. Those that are the same in all blocks are used by other code too. The size is known when
    /// all code has been generated.
    pub wide_args: StackSlot,
    /// True if the code keeps the gang's registers in locals ([`crate::jit::llvm::warp`]).
    pub locals: bool,
    /// True if blocks may get wide code.
    pub wide: bool,
    /// The loops before which values are written to memory, if they are in locals.
    barrier_loops: Option<BarrierLoops>,
    /// What warps run before such barriers, by block.
    segments: Vec<Option<Segment>>,
    /// Blocks that end with a barrier that code takes all warps over, and code with which they go on.
    pub after_barrier: Vec<(BlockId, Block)>,
    /// Registers that addresses begin with at which the next block's memory is prefetched.
    prefetched: FxHashSet<Operand>,
}

/// The start of gang code: the block that a gang's number of an entry point leads to, the code of these, and the
/// arguments of wide code.
pub struct Start {
    pub block: Block,
    pub entry_points: Vec<(Block, BlockId)>,
    pub wide_args: StackSlot,
}

/// How gang code is made: where the gang's registers are, and whether blocks get wide code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// In locals ([`crate::jit::llvm::warp`]), with wide code.
    Locals,
    /// In memory, with wide code.
    Memory,
    /// In memory, with loops over groups of four lanes alone.
    Narrow,
}

/// Generates a part of the gang code.
pub fn generate(g: &mut Gen, plan: &Plan, part: CodePart, style: Style) -> Result<Start, String> {
    let locals = style == Style::Locals;
    let b = &mut *g.e.b;
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let (env, gang) = (params[0], params[1]);
    let blocks: Vec<Block> = plan.func.blocks.iter().map(|_| b.create_block()).collect();
    let superblocks = plan.superblocks.iter();
    let single_block = superblocks
        .map(|superblock| superblock.as_ref().map(|_| b.create_block()))
        .collect();
    let load = |b: &mut cranelift_frontend::FunctionBuilder, from: Value, offset: usize| {
        b.ins().load(types::I64, trusted(), from, offset as i32)
    };
    let start = b.create_block();
    let number = b.append_block_param(start, types::I64);
    b.ins().jump(start, &[params[2].into()]);
    b.switch_to_block(start);
    let width = load(b, gang, offset_of!(Gang, width));
    let [twos, fours, eights, masks, count] = match locals {
        true => {
            let [twos, fours, eights, masks] = Local::ALL.map(|local| local.address(b));
            [twos, fours, eights, masks, b.ins().iconst(types::I64, 32)]
        }
        false => {
            let first = load(b, gang, offset_of!(Gang, first));
            let count = load(b, gang, offset_of!(Gang, count));
            let lanes = load(b, env, offset_of!(Env, lanes));
            let [twos, fours, eights] = [1, 2, 3].map(|shift| {
                let ahead = b.ins().ishl_imm_u(first, shift);
                b.ins().iadd(lanes, ahead)
            });
            // 32 lanes share a mask of 4 bytes.
            let ahead = b.ins().ushr_imm_u(first, 3);
            let masks = b.ins().iadd(lanes, ahead);
            [twos, fours, eights, masks, count]
        }
    };
    let wide_args = crate::jit::gang::wide_call::arguments(b);
    let values = [twos, fours, eights, count, masks, gang, env, width];
    crate::jit::gang::wide_call::set_header(b, wide_args, values);
    let mut fast = GangCodegen {
        plan,
        part,
        wide_args,
        locals,
        wide: plan.wide && style != Style::Narrow,
        barrier_loops: None,
        segments: Vec::new(),
        after_barrier: Vec::new(),
        prefetched: FxHashSet::default(),
        env,
        gang,
        blocks,
        single_block,
        start,
        cur: vec![None; plan.func.regs.len()],
        touched: Vec::new(),
        held: vec![None; plan.func.regs.len()],
        held_regs: Vec::new(),
        early: false,
        scalar_results: Vec::new(),
        at: BlockId(0),
        bailout: None,
        guards: Vec::new(),
        ready: Vec::new(),
        spans: Vec::new(),
        checked: Vec::new(),
        masked: false,
        mask: None,
        window: None,
        lane: env,
        invariants: [None; invariants::COUNT],
        before_loops: None,
        group_lanes: GROUP as i64,
        active_ahead: None,
        g,
    };
    if locals {
        let loops = BarrierLoops::new(plan);
        fast.segments = loops.segments(plan);
        fast.barrier_loops = Some(loops);
    }
    for index in 0..plan.func.blocks.len() {
        let id = BlockId(index as u32);
        if fast.has_round(id) && fast.has_code_after_barrier(id) {
            let code = fast.g.e.b.create_block();
            fast.after_barrier.push((id, code));
        }
    }
    fast.enter(number);
    let inside = crate::analysis::group_loop::inside(&plan.group_loops);
    for (index, this) in plan.group_loops.iter().enumerate() {
        fast.g.e.temporaries.release();
        let id = BlockId(index as u32);
        let here = plan.hot_cold.has(part, EntryPoint::Block(id));
        match this {
            _ if inside[index] => {}
            Some(this) if here => fast.group_loop(this)?,
            _ => fast.block(id, here)?,
        }
    }
    fast.after_barriers();
    let mut entry_points = fast.entry_points();
    for &(id, code) in &fast.after_barrier {
        if let Terminator::Barrier { next, .. } = plan.func.blocks[id.index()].end {
            entry_points.push((code, next));
        }
    }
    Ok(Start {
        block: start,
        entry_points,
        wide_args,
    })
}

impl GangCodegen<'_, '_, '_, '_> {
    /// True if every gang is one warp.
    pub(crate) fn one_warp(&self) -> bool {
        self.plan.shape.is_warp()
    }

    /// The code of the part's entry points, and their blocks.
    fn entry_points(&self) -> Vec<(Block, BlockId)> {
        let entry_points = self.plan.hot_cold.entry_points(self.part).iter();
        entry_points
            .filter_map(|&entry_point| match entry_point {
                EntryPoint::Block(at) => Some((self.blocks[at.index()], at)),
                EntryPoint::SingleBlock(at) => Some((self.single_block[at.index()]?, at)),
            })
            .collect()
    }

    /// Emits the dispatch on the index of an entry point.
    fn enter(&mut self, number: Value) {
        let entry_points = self.entry_points();
        let mut targets: Vec<Block> = entry_points.iter().map(|&(code, _)| code).collect();
        targets.extend(self.after_barrier.iter().map(|&(_, code)| code));
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

    /// Emits the code of a block, if it belongs `here`, after that of the superblock that it starts.
    fn block(&mut self, id: BlockId, here: bool) -> Result<(), String> {
        let plan = self.plan;
        self.g.e.b.switch_to_block(self.blocks[id.index()]);
        if !here {
            self.leave(Exit::Elsewhere, id);
        }
        if let (Some(superblock), Some(single_block)) =
            (&plan.superblocks[id.index()], self.single_block[id.index()])
        {
            // A failed guard or a side exit leads to the single block.
            if here {
                self.at = plan.superblock_number(id);
                self.bailout = Some(single_block);
                let live_out = plan.live.live_out(&plan.func, superblock.last);
                let votes = self.phases(&superblock.block, &superblock.side_exits, &live_out)?;
                self.at = superblock.last;
                self.bailout = None;
                self.end(superblock.last, votes)?;
            }
            self.g.e.b.switch_to_block(single_block);
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

    /// Emits a block's instructions, and the branches `side_exits` among them, which must stay in the superblock.
    /// Returns the votes on the predicate that the block ends with.
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
        if let Some(mask) = block.mask.filter(|_| self.visits_lanes(block)) {
            self.find_window(mask);
        }

        // Scalar phase: uniform and affine instructions, in order.
        let mut scalars: Vec<Scalar> = Vec::new();
        let mut work = false;
        let mut side_exits = side_exits.iter().peekable();
        for (i, inst) in block.insts.iter().enumerate() {
            while let Some(side_exit) = side_exits.next_if(|side_exit| side_exit.before == i) {
                self.side_exit(side_exit);
            }
            if self.is_scalar(block, inst) {
                self.scalar_inst(i, inst, &mut scalars);
                // A value that is scalar here but varying elsewhere is stored lane by lane.
                inst.defs(|reg| work |= !plan.uniformity.of(reg).is_one_per_gang());
            } else {
                work = true;
                self.prepare_access(i, inst);
                inst.defs(|reg| self.set(reg, RegValue::Deferred));
            }
        }
        side_exits.for_each(|side_exit| self.side_exit(side_exit));
        self.check_guards();
        // Registers to be kept: live after the block, or used by its terminator.
        let mut keep = live_out.clone();
        block.end.uses(|o| {
            if let Operand::Reg(reg) = o {
                keep.insert(reg);
            }
        });
        let scalar_results: Vec<(Reg, RegValue)> = self
            .touched
            .iter()
            .filter_map(|&r| Some((r, self.cur[r.index()]?)))
            .filter(|(reg, _)| keep.contains(*reg) && plan.uniformity.of(*reg).is_one_per_gang())
            .collect();
        self.scalar_results = scalar_results
            .iter()
            .filter_map(|&(reg, cur)| match cur {
                RegValue::Scalar(value, _) => Some((reg, value)),
                _ => None,
            })
            .collect();
        self.forget();

        // Lane phase: per-lane instructions, four lanes at a time.
        let mut votes = None;
        if work {
            votes = self.lane_loop(block, &scalars, &keep)?;
        }
        self.early = false;
        self.store_scalars();
        for (reg, cur) in scalar_results {
            self.set(reg, cur);
        }
        Ok(votes)
    }

    /// True if a block or its terminator has work for each lane.
    fn visits_lanes(&self, block: &Source) -> bool {
        let each = |inst: &Inst| {
            let mut each = !self.is_scalar(block, inst);
            inst.defs(|reg| each |= !self.plan.uniformity.of(reg).is_one_per_gang());
            each
        };
        matches!(block.end, Terminator::Warp { .. }) || block.insts.iter().any(each)
    }

    /// Starts code in which no register value is known yet, and which dominates the rest of the block.
    pub(crate) fn begin(&mut self) {
        self.forget();
        for reg in self.held_regs.drain(..) {
            self.held[reg.index()] = None;
        }
        self.invariants = [None; invariants::COUNT];
        self.before_loops = None;
        self.window = None;
        self.early = true;
    }

    /// Stores the block's uniform and affine results in the gang's state. The block can no longer restart after this.
    pub(crate) fn store_scalars(&mut self) {
        for (reg, value) in std::mem::take(&mut self.scalar_results) {
            let Some(home) = self.plan.layout.home(reg) else {
                continue;
            };
            let (gang, at) = (self.gang, home.scalar as i32);
            let before = self.held[reg.index()];
            let value = self.canonical(reg, value);
            if before.is_none_or(|old| old.one() != value.one()) {
                self.g.e.b.ins().store(trusted(), value.one(), gang, at);
            }
            if self.has_step(home.uniformity) {
                let step = self.step_of(value);
                if before.is_none_or(|old| old.step != Some(step)) {
                    let at = at + STEP as i32;
                    self.g.e.b.ins().store(trusted(), step, gang, at);
                }
            }
        }
    }

    /// Tells whether the gang's state has a step for registers of a uniformity.
    fn has_step(&self, uniformity: Uniformity) -> bool {
        self.plan.shape.has_rows() && matches!(uniformity, Uniformity::Affine(_))
    }

    /// Loads a uniform or affine register from the gang's state.
    pub(crate) fn stored(&mut self, reg: Reg) -> Lanes {
        if let Some(value) = self.held[reg.index()] {
            return value;
        }
        let ty = self.plan.func.ty(reg);
        let home = match self.plan.layout.home(reg) {
            Some(home) if home.uniformity.is_one_per_gang() => home,
            // The register is never written, so any value will do.
            _ => return self.g.e.constant(ty, false, 0),
        };
        let (gang, part, at) = (self.gang, part_type(ty, false), home.scalar as i32);
        let b = &mut self.g.e.b;
        let value = b.ins().load(part, trusted(), gang, at);
        let mut value = Lanes::new(ty, false, &[value]);
        if self.has_step(home.uniformity) {
            let at = at + STEP as i32;
            let step = self.g.e.b.ins().load(part, trusted(), gang, at);
            value = value.stepping(Some(step));
        }
        if self.early {
            self.held[reg.index()] = Some(value);
            self.held_regs.push(reg);
        }
        value
    }

    /// Emits a branch inside a superblock.
    fn side_exit(&mut self, side_exit: &SideExit) {
        self.check_guards();
        let cond = self.scalar(Operand::Reg(side_exit.cond), Ty::Pred).one();
        let ok = match side_exit.holds {
            true => cond,
            false => self.g.e.b.ins().icmp_imm_u(IntCC::Equal, cond, 0),
        };
        self.bail_out_unless(ok);
    }

    /// Forgets the values of all registers.
    pub(crate) fn forget(&mut self) {
        for reg in self.touched.drain(..) {
            self.cur[reg.index()] = None;
        }
    }

    /// Returns the uniformity of a value as computed here, which may be better than its register's.
    pub(crate) fn uniformity_of(&self, operand: Operand) -> Uniformity {
        match operand {
            Operand::Imm(_) => Uniformity::Uniform,
            Operand::Reg(reg) => match self.cur[reg.index()] {
                Some(RegValue::Scalar(_, uniformity)) => uniformity,
                Some(RegValue::Group(_) | RegValue::Deferred) => Uniformity::Varying,
                None => self.plan.uniformity.of(reg),
            },
        }
    }

    /// Returns lane 0's value of a uniform or affine operand.
    pub(crate) fn scalar(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let value = self.noncanonical_scalar(operand, ty);
        if !value.noncanonical {
            return value;
        }
        let canonical = self.g.e.canonicalize_nans(value);
        if let Operand::Reg(reg) = operand
            && let Some(RegValue::Scalar(_, uniformity)) = self.cur[reg.index()]
        {
            self.cur[reg.index()] = Some(RegValue::Scalar(canonical, uniformity));
        }
        canonical
    }

    /// Returns lane 0's value of an operand for arithmetic, whose NaNs need not be canonical.
    pub(crate) fn noncanonical_scalar(&mut self, operand: Operand, ty: Ty) -> Lanes {
        match operand {
            Operand::Imm(bits) => self.g.e.constant(ty, false, bits),
            Operand::Reg(reg) => match self.cur[reg.index()] {
                Some(RegValue::Scalar(value, _)) => value,
                _ => self.stored(reg),
            },
        }
    }

    /// Canonicalises a register's value if its NaN payload may be observed.
    pub(crate) fn canonical(&mut self, reg: Reg, value: Lanes) -> Lanes {
        match self.plan.unobserved_nans.contains(reg) {
            true => value.marked(false),
            false => self.g.e.canonicalize_nans(value),
        }
    }

    pub(crate) fn set(&mut self, reg: Reg, cur: RegValue) {
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

    /// Exits from gang code. The runtime finds registers in the gang's state and the lane slots.
    pub(crate) fn leave(&mut self, exit: Exit, block: BlockId) {
        let code = self.g.e.iconst(types::I64, exit.code(block));
        self.g.e.b.ins().return_(&[code]);
    }

    /// Ends the code with a branch to one of two blocks.
    pub(crate) fn branch(&mut self, from: BlockId, cond: Value, [then, other]: [BlockId; 2]) {
        let targets = [then, other].map(|to| self.way(from, to));
        let [yes, no] = targets.map(|(target, _)| target);
        self.g.e.b.ins().brif(cond, yes, &[], no, &[]);
        for (target, to) in targets {
            self.end_way(from, target, to);
        }
    }

    /// Returns the code that a branch from one block to another leads to, and the block if that code is still to be
    /// made by [`Self::end_way`].
    pub(crate) fn way(&mut self, from: BlockId, to: BlockId) -> (Block, Option<BlockId>) {
        match to.index() > from.index() && !self.enters_barrier_loop(from, to) {
            true => (self.blocks[to.index()], None),
            false => (self.g.e.b.create_block(), Some(to)),
        }
    }

    pub(crate) fn end_way(&mut self, from: BlockId, target: Block, to: Option<BlockId>) {
        if let Some(to) = to {
            self.g.e.b.switch_to_block(target);
            self.goto(from, to);
        }
    }

    pub(crate) fn goto(&mut self, from: BlockId, to: BlockId) {
        self.goto_code(from, to, self.blocks[to.index()], &[]);
    }

    /// Tells whether values are written to memory on a way from one block to another.
    fn enters_barrier_loop(&self, from: BlockId, to: BlockId) -> bool {
        let loops = self.barrier_loops.as_ref();
        loops.is_some_and(|loops| loops.enters(self.plan, from, to))
    }

    /// Continues at a block whose code for this case is `target`.
    pub(crate) fn goto_code(
        &mut self,
        from: BlockId,
        to: BlockId,
        target: Block,
        arguments: &[BlockArg],
    ) {
        if self.enters_barrier_loop(from, to) {
            let save = Local::Enter.address(self.g.e.b);
            let numbers = [from, to].map(|id| self.g.e.iconst(types::I64, id.0.into()));
            self.g.e.call_address(save, &numbers);
        }
        if to.index() > from.index() {
            self.g.e.b.ins().jump(target, arguments);
            return;
        }
        // A back edge costs fuel, so that a busy-waiting warp gives way.
        let waits = self.plan.busy_waits.get(from.index());
        let waits = waits.copied().unwrap_or(Wait::No);
        let cost = waits.cost();
        self.g.record_busy_wait(self.env, waits, None);
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
        self.g.e.b.ins().brif(empty, out, &[], target, arguments);
        self.g.e.b.switch_to_block(out);
        self.leave(Exit::Yield, to);
    }
}

impl Gen<'_, '_> {
    /// Records that a thread takes a back edge of a loop that waits; if `lanes` is given, only if there are any.
    pub(crate) fn record_busy_wait(&mut self, env: Value, waits: Wait, lanes: Option<Value>) {
        if waits == Wait::No {
            return;
        }
        let at = offset_of!(Env, waits) as i32;
        let mut bit = self.e.iconst(types::I32, 1 << waits as i64);
        if let Some(lanes) = lanes {
            let none = self.e.iconst(types::I32, 0);
            bit = self.e.b.ins().select(lanes, bit, none);
        }
        let b = &mut self.e.b;
        let before = b.ins().load(types::I32, trusted(), env, at);
        let now = b.ins().bor(before, bit);
        b.ins().store(trusted(), now, env, at);
    }

    /// Calls a driver service for one lane; the arguments are in the gang's scratch.
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

    /// Returns a lane mask register's value for a lane (I64).
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
