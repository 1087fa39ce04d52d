//! Lowering of a block's instructions to wide code. It determines the operands, the results, and the inputs that gang
//! mode must compute before the call.

use crate::analysis::access_span::Span;
use crate::analysis::liveness::RegSet;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::Uniformity;
use crate::analysis::uniformity::is_scalar;
use crate::ir::{Block, BlockId, Float, Inst, Mask, Operand, Reg, Space, Special, Terminator, Ty};
use crate::jit::avx512::encode::Assembler;
use crate::jit::avx512::ops::f16::UniformF16;
use crate::jit::avx512::regalloc::RowEnds;
use crate::jit::avx512::vcode::{K, KOp, Mem, Src, V, Vop, args, without_unused};
use crate::jit::code::routine::Routine;
use crate::jit::llvm::body::{Code, Frame, Source};
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::Home;
use rustc_hash::FxHashMap;
use std::collections::{HashMap, HashSet};

/// Value that gang mode passes to wide code as an argument. Affine values and addresses are those of the gang's first
/// lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WideInput {
    /// Uniform or affine register at the start of the block.
    LiveIn(Reg),
    /// Result of the scalar phase for a register at an instruction.
    Scalar(usize, Reg),
    /// Checked address of the span that starts at an instruction.
    Address(usize),
    /// Distance between that address and the one two executions of the block later, for prefetches.
    Ahead(usize),
    /// 0 if stores to that address may be non-temporal.
    Keep(usize),
    /// Bits that all legal flat addresses have in common.
    SpaceBase,
    /// Mask of those bits, and of the bits that alignment to a number of bytes requires to be 0.
    SpaceMask(u32),
    /// Host address of a window; of the first lane's for local memory.
    Window(Window),
    /// Amount added to another of these values at the end of a row.
    Skip(usize),
    /// First offset at which an access of a number of bytes would leave a window.
    Limit(Window, u32),
}

/// Memory that is addressed by offsets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Window {
    Shared,
    Local,
    Param,
}

/// Value that gang mode computes once for every group of 16 lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupInput {
    /// Group's first value of a register at the start of the block.
    LiveIn(Reg),
    /// Group's first value of an instruction's result.
    Result(usize, Reg),
    /// Checked address of the group's first lane in the span that starts at an instruction.
    Address(usize),
}

/// Wide code of a block.
pub struct Body {
    /// Machine code, or what it is to be made of.
    pub code: WideCode,
    /// Contents of its arguments from `args::VALUES` on.
    pub inputs: Vec<WideInput>,
    /// True if some inputs are adjusted at the end of a row.
    pub rows: bool,
    /// Inputs that are stored for each group.
    pub group_inputs: Vec<GroupInput>,
    /// Tells for each instruction whether it is done once for a group, before the call.
    pub by_group: Vec<bool>,
    /// True if it votes on the predicate that the terminator branches on.
    pub votes: bool,
    /// True if it may find that an access is illegal.
    pub fails: bool,
    /// True if it is that of a group loop: it returns the exit of a fault.
    pub whole_loop: bool,
}

/// Affine values or addresses: `[from] + lane * stride`.
#[derive(Clone, Copy, Debug)]
pub struct AffineLanes {
    /// Location of the first lane's value.
    pub from: Mem,
    pub stride: i64,
    /// True if lanes are counted from the group's first lane, false if from the gang's.
    pub group: bool,
    /// Amount added after every row break within a group.
    pub skip: Option<Mem>,
}

/// Current value of a register or operand.
#[derive(Clone, Copy, Debug)]
pub enum Val {
    Imm(u64),
    /// The same value in all lanes, in memory.
    Each(Mem),
    /// Values computed from the first lane's.
    Affine(AffineLanes),
    /// Up to 32 bits per lane; `true` if the value is a result of f32 arithmetic with non-canonical NaNs.
    Words(V, bool),
    /// 64 bits per lane.
    Longs([V; 2]),
    Mask(K),
    /// Input of the given uniformity that has not been used yet.
    Scalar(WideInput, Uniformity),
    /// Group input that has not been used yet.
    Group(GroupInput, i64),
}

/// A wide function.
pub enum WideCode {
    Machine(Routine),
    Llvm(Box<Source>),
}

/// Marks a block that wide code does not support.
pub struct Unsupported;

pub type Result<T> = std::result::Result<T, Unsupported>;

pub struct Lower<'a> {
    pub plan: &'a Plan,
    pub block: &'a Block,
    pub asm: Assembler,
    pub code: Vec<Vop>,
    pub vectors: u32,
    pub masks: u32,
    pub inputs: Vec<WideInput>,
    pub group_inputs: Vec<GroupInput>,
    /// Numbers of these inputs.
    input_numbers: FxHashMap<WideInput, usize>,
    group_input_numbers: FxHashMap<GroupInput, usize>,
    /// f32 vectors whose subnormal numbers are flushed: the flushed vector and the original.
    pub flushed: HashMap<V, V>,
    /// f32 vectors and their products with a power of two.
    pub scaled: HashMap<V, V>,
    /// Vectors of 16-bit numbers, in the low or (`true`) upper halves of words, and the same numbers as f32, except for
    /// NaN payloads.
    pub f16_as_f32: HashMap<(V, Float, bool), V>,
    /// Uniform 16-bit numbers as f32.
    pub uniform_f32: Vec<(Float, UniformF16, V)>,
    /// Vectors of words, and their low halves packed together.
    pub halves: HashMap<V, V>,
    /// Vectors of words, and the same shifted left by 16 bits.
    pub raised: HashMap<V, V>,
    /// Vectors of words whose upper halves are 0.
    pub lows: HashSet<V>,
    /// Values of the registers that the block has used or written.
    pub cur: FxHashMap<Reg, Val>,
    /// Strides of the addresses that the scalar phase has checked, by instruction.
    pub ready: &'a [Option<i64>],
    /// Spans of the accesses.
    pub spans: &'a [Option<Span>],
    /// Lanes in which instructions are executed, if not all.
    pub active: Option<K>,
    /// Lanes whose registers the block writes, if not all.
    pub kept: Option<K>,
    /// Lanes that exist, if some may be missing.
    exists: Option<K>,
    pub by_group: Vec<bool>,
    /// Strides of group addresses, by instruction.
    pub group_address: Vec<Option<i64>>,
    /// True if additions to memory before the block's end may be made later.
    pub quiet_end: bool,
    /// True if the block mainly streams through memory, a step per iteration.
    pub streams: bool,
    /// True if it streams by the short rows of thread blocks, reading and writing.
    pub rows: bool,
    /// True if every thread runs the block at most once, and nothing orders its writes.
    pub once: bool,
    /// Index of the first instruction that has not been lowered.
    pub done: usize,
    /// Input from the scalar phase.
    work: &'a LanePhaseInput<'a>,
    /// Masks of the lanes after row breaks, by number and exactness.
    pub behind: [[Option<K>; 4]; 2],
    /// Masks of the active lanes after an exact number of row breaks.
    pub parts: [Option<K>; 4],
}

/// Input of the lane phase, from the scalar phase.
pub struct LanePhaseInput<'a> {
    /// Plan of the kernel.
    pub plan: &'a Plan,
    /// Block to be lowered.
    pub block: &'a Block,
    /// Its number, or that of a superblock.
    pub at: BlockId,
    /// Strides of the addresses that were checked, by instruction.
    pub ready: &'a [Option<i64>],
    /// Spans of the accesses.
    pub spans: &'a [Option<Span>],
    /// Tells for each checked address whether it has a step from row to row.
    pub skips: &'a [bool],
    /// Scalar results: instruction, register, uniformity, and whether there is a step.
    pub scalars: &'a [(usize, Reg, Uniformity, bool)],
    /// Registers that are live after the block.
    pub results: &'a [Reg],
    /// True if only the lanes from `args::FROM` to `args::END` are visited.
    pub window: bool,
}

impl LanePhaseInput<'_> {
    /// Tells whether an input is adjusted at the end of a row.
    fn skips(&self, input: WideInput) -> bool {
        match input {
            WideInput::LiveIn(reg) => {
                let uniformity = self.plan.layout.home(reg).map(|home| home.uniformity);
                self.plan.shape.has_rows() && matches!(uniformity, Some(Uniformity::Affine(_)))
            }
            WideInput::Scalar(i, reg) => self
                .scalars
                .iter()
                .any(|&(at, r, _, skips)| (at, r) == (i, reg) && skips),
            WideInput::Address(i) => self.skips[i],
            _ => false,
        }
    }
}

/// Lowers the lane phase of a block to wide code. Returns `None` if it has an instruction that only narrow code
/// supports.
pub fn lower(work: &LanePhaseInput) -> Option<Body> {
    let &LanePhaseInput {
        plan,
        block,
        scalars,
        results,
        ..
    } = work;
    let is_scalar = |inst: &Inst| is_scalar(&plan.uniformity, block, inst);
    let mut this = Lower::new(work);
    this.find_groups(block);
    let branch = match block.end {
        Terminator::Branch { cond, .. } => Some(cond),
        Terminator::Jump(_)
        | Terminator::Switch { .. }
        | Terminator::Exit
        | Terminator::Return
        | Terminator::Trap
        | Terminator::Barrier { .. }
        | Terminator::Cluster { .. }
        | Terminator::Pause { .. }
        | Terminator::Warp { .. } => None,
    };
    this.begin(block).ok()?;
    let mut next = scalars.iter().peekable();
    for (i, inst) in block.insts.iter().enumerate() {
        let mut scalar = false;
        while let Some(&(_, reg, uniformity, _)) = next.next_if(|(at, ..)| *at == i) {
            let val = Val::Scalar(WideInput::Scalar(i, reg), uniformity);
            this.cur.insert(reg, val);
            scalar = true;
        }
        if scalar || is_scalar(inst) {
            continue;
        }
        if this.by_group[i] {
            inst.defs(|reg| {
                let stride = group_stride(plan, inst, reg);
                let val = Val::Group(GroupInput::Result(i, reg), stride);
                this.cur.insert(reg, val);
            });
            continue;
        }
        if i >= this.done {
            this.inst(i, inst).ok()?;
        }
    }
    let mut votes = false;
    for &reg in results {
        let Some(home) = plan.layout.home(reg) else {
            continue;
        };
        this.keep(reg, home).ok()?;
        if Some(reg) == branch && home.ty == Ty::Pred {
            let any = this.mask(Operand::Reg(reg)).ok()?;
            let all = this.true_or_missing(any).ok()?;
            this.code.push(Vop::Vote { all, any });
            votes = true;
        }
    }
    this.finish(votes)
}

/// Tells whether a block is in a loop and does little besides a few accesses. Memory then limits it, and its next
/// iteration may access distant addresses.
fn streams(plan: &Plan, block: &Block, at: BlockId) -> bool {
    const MAX_STREAM_INSTS: usize = 24;
    block.insts.len() <= MAX_STREAM_INSTS && loops(plan, at)
}

/// Tells whether a block streams in the loop over the thread blocks of a grid, with rows too short for the hardware
/// prefetcher to follow. Blocks with many stores are excluded, since the rows of a large image share few cache sets.
fn streams_in_rows(plan: &Plan, block: &Block, at: BlockId) -> bool {
    const MAX_STREAM_INSTS: usize = 24;
    let work = |inst: &&Inst| !is_scalar(&plan.uniformity, block, inst);
    let store = |inst: &&Inst| match inst {
        Inst::Store { addr, .. } => addr.space == Space::Flat,
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Load { .. }
        | Inst::Atomic { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => false,
    };
    plan.shape.has_rows()
        && block.mask.is_none()
        && block.insts.iter().filter(work).count() <= MAX_STREAM_INSTS
        && block.insts.iter().filter(store).count() <= 1
        && !loops(plan, at)
}

/// Tells whether a block, or a later one, leads back to it or to an earlier block.
fn loops(plan: &Plan, at: BlockId) -> bool {
    plan.in_loop[plan.first_of(at).index()]
}

/// Returns the stride within a group of a result that is computed once for each group.
fn group_stride(plan: &Plan, inst: &Inst, reg: Reg) -> i64 {
    match (inst, plan.uniformity.of(reg)) {
        (_, Uniformity::PiecewiseAffine(stride)) => stride,
        (Inst::Special { special, .. }, _) => match special {
            Special::LaneId | Special::Tid(0) => 1,
            Special::LocalBase => i64::from(plan.local_bytes),
            Special::Stack => 8,
            _ => 0,
        },
        _ => 0,
    }
}

impl<'a> Lower<'a> {
    pub fn new(work: &'a LanePhaseInput<'a>) -> Lower<'a> {
        let &LanePhaseInput {
            plan,
            block,
            at,
            ready,
            spans,
            ..
        } = work;
        let count = block.insts.len();
        Lower {
            plan,
            block,
            asm: Assembler::default(),
            code: Vec::new(),
            vectors: 0,
            masks: 0,
            inputs: Vec::new(),
            group_inputs: Vec::new(),
            input_numbers: FxHashMap::default(),
            group_input_numbers: FxHashMap::default(),
            flushed: HashMap::new(),
            scaled: HashMap::new(),
            f16_as_f32: HashMap::new(),
            uniform_f32: Vec::new(),
            halves: HashMap::new(),
            raised: HashMap::new(),
            lows: HashSet::new(),
            cur: FxHashMap::default(),
            ready,
            spans,
            active: None,
            kept: None,
            exists: None,
            by_group: vec![false; count],
            group_address: vec![None; count],
            streams: streams(plan, block, at),
            quiet_end: plan.quiet_ends.get(at.index()).copied().unwrap_or(false),
            once: plan.unordered && block.mask.is_none() && !loops(plan, at),
            rows: streams_in_rows(plan, block, at),
            done: 0,
            work,
            behind: [[None; 4]; 2],
            parts: [None; 4],
        }
    }

    /// Returns the affine values of an input.
    pub fn affine_lanes(&mut self, input: WideInput, stride: i64) -> AffineLanes {
        let from = self.input(input);
        let skips = self.plan.shape.breaks() != 0 && self.work.skips(input);
        let skip = skips.then(|| self.input_skip(input));
        AffineLanes {
            from,
            stride,
            group: false,
            skip,
        }
    }

    fn input_skip(&mut self, input: WideInput) -> Mem {
        let n = self.input_numbers.get(&input).copied().unwrap_or(0);
        self.input(WideInput::Skip(n))
    }

    /// The lanes that a block's mask has.
    pub(super) fn active_of(&mut self, mask: Mask) -> Result<K> {
        let lanes = self.mask(Operand::Reg(mask.reg))?;
        if !mask.negated {
            return Ok(lanes);
        }
        let ones = self.mask(Operand::Imm(1))?;
        Ok(self.mask_op(KOp::AndNot, lanes, ones))
    }

    /// Determines the active lanes of a masked block; groups without any are skipped.
    pub fn begin(&mut self, block: &Block) -> Result<()> {
        if let Some(at) = self.plan.layout.exists {
            let dst = self.new_mask();
            let from = Mem::Bits(at as i32);
            self.code.push(Vop::LoadMask { dst, from });
            self.exists = Some(dst);
            self.active = self.exists;
        }
        let Some(mask) = block.mask else {
            return Ok(());
        };
        let mut active = self.active_of(mask)?;
        // A set predicate implies that the thread exists.
        if let (Some(exists), true) = (self.exists, mask.negated) {
            active = self.mask_op(KOp::And, active, exists);
        }
        self.active = Some(active);
        self.kept = Some(active);
        self.code.push(Vop::SkipUnless { any: active });
        Ok(())
    }

    /// Returns the lanes in which a predicate is true, and those that do not exist.
    fn true_or_missing(&mut self, mask: K) -> Result<K> {
        let Some(exists) = self.exists else {
            return Ok(mask);
        };
        let ones = self.mask(Operand::Imm(1))?;
        let others = self.mask_op(KOp::AndNot, exists, ones);
        Ok(self.mask_op(KOp::Or, mask, others))
    }

    /// Returns the inputs that are adjusted at the end of a row, and by what.
    pub(super) fn row_ends(&mut self) -> Vec<(i32, i32)> {
        let skips: Vec<WideInput> = self.inputs.clone();
        let skips = skips.into_iter().filter(|&input| self.work.skips(input));
        skips
            .filter_map(|input| match (self.input(input), self.input_skip(input)) {
                (Mem::Arg(value), Mem::Arg(skip)) => Some((value, skip)),
                _ => None,
            })
            .collect()
    }

    /// Generates code for the instructions lowered so far. Returns `None` if LLVM is to make it and has no equal for
    /// one.
    pub fn finish(mut self, votes: bool) -> Option<Body> {
        let rows = self.row_ends();
        let shape = self.work.plan.shape;
        let part = self.work.window;
        let Lower {
            asm,
            code,
            vectors,
            masks,
            inputs,
            group_inputs,
            by_group,
            ..
        } = self;
        let code = without_unused(code, [vectors, masks]);
        let group_bytes = group_inputs.len() as i32 * 8;
        let fails = code.iter().any(|op| matches!(op, Vop::Fault { .. }));
        let rows = RowEnds {
            values: &rows,
            shape: shape.rows(),
        };
        let code = match self.work.plan.llvm {
            true => {
                let source = Source {
                    constants: asm.constants().to_vec(),
                    frame: Frame {
                        group_bytes,
                        rows: rows.values.to_vec(),
                        shape: shape.rows(),
                        window: part,
                        ordered: self.block.insts.iter().any(|inst| inst.effects().strong),
                        flushes: self.plan.flushes,
                    },
                    code: Code::Block(code),
                };
                source.module()?;
                WideCode::Llvm(Box::new(source))
            }
            false => WideCode::Machine(crate::jit::avx512::regalloc::body(
                &code,
                asm,
                [vectors, masks],
                group_bytes,
                rows,
                part,
            )),
        };
        Some(Body {
            code,
            rows: !rows.values.is_empty(),
            inputs,
            group_inputs,
            by_group,
            votes,
            fails,
            whole_loop: false,
        })
    }
}

impl Lower<'_> {
    /// Finds the instructions and addresses that are uniform or affine within every group and do not depend on per-lane
    /// results.
    fn find_groups(&mut self, block: &Block) {
        let plan = self.plan;
        // Registers written by per-lane instructions.
        let mut late = RegSet::new(plan.func.regs.len());
        let mut early = RegSet::new(plan.func.regs.len());
        for (i, inst) in block.insts.iter().enumerate() {
            if is_scalar(&plan.uniformity, block, inst) {
                inst.defs(|reg| {
                    late.remove(reg);
                    early.insert(reg);
                });
                continue;
            }
            let known = |o: Operand| match o {
                Operand::Imm(_) => true,
                Operand::Reg(reg) if late.contains(reg) => false,
                Operand::Reg(reg) => {
                    early.contains(reg) || plan.uniformity.of(reg) != Uniformity::Varying
                }
            };
            let by_group = match inst {
                Inst::Op { dst, args, .. } => {
                    matches!(plan.uniformity.of(*dst), Uniformity::PiecewiseAffine(_))
                        && args.iter().all(|&a| known(a))
                }
                Inst::Special { special, .. } => match special {
                    Special::Tid(_) => plan.shape != Shape::Any && plan.shape.breaks() == 0,
                    other => !other.is_lane_mask(),
                },
                Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Load { .. }
                | Inst::Store { .. }
                | Inst::Atomic { .. }
                | Inst::Check { .. }
                | Inst::Fence(_)
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => false,
            };
            self.by_group[i] = by_group;
            if let Some(addr) = inst.address()
                && self.ready[i].is_none()
                && block.mask.is_none()
                && !plan.partial
                && known(addr.base)
                && !matches!(inst, Inst::Atomic { .. })
                && let Operand::Reg(base) = addr.base
                && let Uniformity::PiecewiseAffine(stride) = plan.uniformity.of(base)
                && let Some(span) = self.spans[i]
                && stride % i64::from(span.align) == 0
            {
                let per_lane = match addr.space {
                    Space::Local => i64::from(plan.local_bytes),
                    _ => 0,
                };
                self.group_address[i] = Some(stride + per_lane);
            }
            inst.defs(|reg| {
                if by_group {
                    late.remove(reg);
                    early.insert(reg);
                } else {
                    late.insert(reg);
                    early.remove(reg);
                }
            });
        }
    }

    pub fn input(&mut self, input: WideInput) -> Mem {
        let n = *self.input_numbers.entry(input).or_insert_with(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        Mem::Arg(args::VALUES + 8 * n as i32)
    }

    pub fn group_input(&mut self, input: GroupInput) -> Mem {
        let n = *self.group_input_numbers.entry(input).or_insert_with(|| {
            self.group_inputs.push(input);
            self.group_inputs.len() - 1
        });
        Mem::GroupArg(8 * n as i32)
    }

    pub fn uniform(&mut self, mem: Mem, ty: Ty) -> Val {
        if ty == Ty::Pred {
            let dst = self.new_mask();
            self.code.push(Vop::LoadMask { dst, from: mem });
            return Val::Mask(dst);
        }
        Val::Each(mem)
    }

    pub fn set(&mut self, reg: Reg, val: Val) {
        self.cur.insert(reg, val);
    }

    pub(super) fn inst(&mut self, i: usize, inst: &Inst) -> Result<()> {
        match inst {
            Inst::Op { dst, op, args } => {
                let val = self.op(*op, args)?;
                self.set(*dst, val);
            }
            Inst::Special { dst, special } => {
                let val = self.special(*special)?;
                self.set(*dst, val);
            }
            Inst::Load { .. } => self.load(i, inst)?,
            Inst::Store { .. } => self.store(i, inst)?,
            Inst::Atomic { .. } => self.atomic(i, inst)?,
            Inst::Check { addr, access } => self.check(addr, *access)?,
            Inst::Fence(_) => self.code.push(Vop::Fence),
            Inst::Image { dsts, op, args } => self.image(dsts, *op, args)?,
            Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Syscall { .. }
            | Inst::Call { .. } => return Err(Unsupported),
        }
        Ok(())
    }

    fn special(&mut self, special: Special) -> Result<Val> {
        match special {
            Special::Tid(axis) => {
                let at = i32::from(axis) * 4 * self.plan.layout.capacity as i32;
                let v = self.op1(crate::jit::avx512::forms::LOAD, Src::Mem(Mem::Slot(at, 4)));
                Ok(Val::Words(v, false))
            }
            _ => Err(Unsupported),
        }
    }

    /// Stores a register's value to its home.
    pub(super) fn keep(&mut self, reg: Reg, home: Home) -> Result<()> {
        if !self.cur.contains_key(&reg) {
            return Ok(());
        }
        let operand = Operand::Reg(reg);
        let val = self.val(operand);
        if let Uniformity::PiecewiseAffine(stride) = home.uniformity {
            return self.keep_group(val, stride, home, operand);
        }
        let at = home.lanes as i32;
        match home.ty {
            Ty::Pred => {
                let mut from = self.mask(operand)?;
                if let Some(active) = self.kept {
                    let old = self.new_mask();
                    self.code.push(Vop::LoadMask {
                        dst: old,
                        from: Mem::Bits(at),
                    });
                    let old = self.mask_op(KOp::AndNot, active, old);
                    let new = self.mask_op(KOp::And, active, from);
                    from = self.mask_op(KOp::Or, old, new);
                    self.set(reg, Val::Mask(from));
                } else if let Some(exists) = self.exists {
                    from = self.mask_op(KOp::And, exists, from);
                    self.set(reg, Val::Mask(from));
                }
                self.code.push(Vop::StoreMask {
                    from,
                    to: Mem::Bits(at),
                });
            }
            Ty::B64 => {
                let parts = self.longs(operand)?;
                let masks = self.halves(self.kept);
                for (n, from) in parts.into_iter().enumerate() {
                    self.code.push(Vop::Store {
                        form: crate::jit::avx512::forms::STORE64,
                        from,
                        to: Mem::Slot(at + 64 * n as i32, 8),
                        mask: masks[n],
                    });
                }
            }
            Ty::B128 => return Err(Unsupported),
            _ => {
                let from = self.words(operand)?;
                self.code.push(Vop::Store {
                    form: crate::jit::avx512::forms::STORE32,
                    from,
                    to: Mem::Slot(at, 4),
                    mask: self.kept,
                });
            }
        }
        Ok(())
    }

    /// Returns the masks of the lower and upper eight lanes.
    pub fn halves(&mut self, mask: Option<K>) -> [Option<K>; 2] {
        match mask {
            None => [None; 2],
            Some(k) => [Some(k), Some(self.upper(k))],
        }
    }

    /// Stores every fourth lane's value of a piecewise affine register.
    fn keep_group(&mut self, val: Val, stride: i64, home: Home, operand: Operand) -> Result<()> {
        let first = match val {
            Val::Affine(line) if line.group => self.load_each(Src::Each(line.from), true),
            _ if home.ty == Ty::B64 => {
                let [low, _] = self.longs(operand)?;
                self.first_of_all(low, true)
            }
            // The upper halves are irrelevant.
            _ => {
                let v = self.words(operand)?;
                self.first_of_all(v, false)
            }
        };
        let steps = self.each64(|n| 4 * n * stride);
        let all = self.op2(crate::jit::avx512::forms::ADD64, first, steps);
        self.code.push(Vop::Store {
            form: crate::jit::avx512::forms::STORE_HALF,
            from: all,
            to: Mem::Slot(home.groups as i32, 2),
            mask: None,
        });
        Ok(())
    }

    /// Returns the first lane's value in all (64-bit) lanes.
    fn first_of_all(&mut self, v: V, long: bool) -> V {
        if long {
            self.op1(crate::jit::avx512::forms::BROADCAST_LONG, Src::V(v))
        } else {
            self.op1(crate::jit::avx512::forms::BROADCAST_WORD, Src::V(v))
        }
    }
}
