//! From a block's instructions to wide code: operands, results, and what must be computed before.

use crate::analysis::access_span::Span;
use crate::analysis::liveness::RegSet;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::Uniformity;
use crate::analysis::uniformity::is_scalar;
use crate::ir::{Block, BlockId, Float, Inst, Operand, Reg, Space, Special, Terminator, Ty};
use crate::jit::avx512::encode::Assembler;
use crate::jit::avx512::ops::f16::Same;
use crate::jit::avx512::regalloc::RowEnds;
use crate::jit::avx512::vcode::{K, KOp, Mem, Src, V, Vop, args, without_unused};
use crate::jit::code::routine::Routine;
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::Home;
use std::collections::{HashMap, HashSet};

/// A value that gang mode puts among the arguments of wide code. Affine ones and addresses are those of the gang's first lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// A uniform or affine register as it is where the block begins.
    LiveIn(Reg),
    /// What the first phase computed for a register at an instruction.
    Scalar(usize, Reg),
    /// The checked address of the span that begins at an instruction.
    Address(usize),
    /// How far that address will have moved when the block is run again and once more.
    Ahead(usize),
    /// 0 if what is written to that address may pass the caches by.
    Keep(usize),
    /// The bits that legal flat addresses have in common.
    SpaceBase,
    /// Where they have them, and what alignment to so many bytes forbids.
    SpaceMask(u32),
    /// Host address of a window; of the first lane's for local memory.
    Window(Window),
    /// What is added to another of these values at the end of a row.
    Skip(usize),
    /// The first offset at which an access of so many bytes would leave a window.
    Limit(Window, u32),
}

/// Memory that is addressed by offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Window {
    Shared,
    Local,
    Param,
}

/// A value that gang mode computes once for every group of 16 lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupWant {
    /// The group's first value of a register as it is where the block begins.
    LiveIn(Reg),
    /// The group's first value that an instruction gives a register.
    Result(usize, Reg),
    /// The checked address of the group's first lane in the span that begins at an instruction.
    Address(usize),
}

/// A block's wide code.
pub struct Body {
    /// Machine code.
    pub code: Routine,
    /// What its arguments hold from `args::VALUES` on.
    pub wants: Vec<Want>,
    /// Whether something is added to some of them at the end of a row.
    pub rows: bool,
    /// What is kept of each group.
    pub group_wants: Vec<GroupWant>,
    /// Instructions that are done once for a group, before.
    pub by_group: Vec<bool>,
    /// Whether it votes on the predicate that the terminator branches on.
    pub votes: bool,
    /// Whether it may find that an access is illegal.
    pub fails: bool,
}

/// Values, or addresses, that are so far apart: `[from] + lane * stride`.
#[derive(Clone, Copy, Debug)]
pub struct Along {
    /// The first lane's.
    pub from: Mem,
    pub stride: i64,
    /// Lanes count from the group's first, else from the gang's.
    pub group: bool,
    /// What is added to it behind every break within a group.
    pub skip: Option<Mem>,
}

/// What a register holds at the current point, or an operand is.
#[derive(Clone, Copy, Debug)]
pub enum Val {
    Imm(u64),
    /// The same in all lanes, in memory.
    Each(Mem),
    /// A value of its own in every lane, which follows from the first lane's.
    Affine(Along),
    /// Up to 32 bits a lane; `true`: f32 arithmetic made it and its NaNs are not a GPU's yet.
    Words(V, bool),
    /// 64 bits a lane.
    Longs([V; 2]),
    Mask(K),
    /// What was computed before, not yet asked for: of this class.
    Scalar(Want, Uniformity),
    /// The same of groups.
    Group(GroupWant, i64),
}

/// Why a block has no wide code.
pub struct Unsupported;

pub type Result<T> = std::result::Result<T, Unsupported>;

pub struct Lower<'a> {
    pub plan: &'a Plan,
    pub block: &'a Block,
    pub asm: Assembler,
    pub code: Vec<Vop>,
    pub vectors: u32,
    pub masks: u32,
    pub wants: Vec<Want>,
    pub group_wants: Vec<GroupWant>,
    /// Vectors of f32 whose subnormal numbers are flushed: themselves and what they were.
    pub flushed: HashMap<V, V>,
    /// Vectors of f32 and their products with a power of two.
    pub scaled: HashMap<V, V>,
    /// Vectors of numbers of 16 bits, in the low or (`true`) upper halves of words, and the same as f32, but for the bits of NaNs.
    pub singles: HashMap<(V, Float, bool), V>,
    /// Numbers of 16 bits that all lanes have, as f32.
    pub same_singles: Vec<(Float, Same, V)>,
    /// Vectors of words, and their low halves beside each other.
    pub halves: HashMap<V, V>,
    /// Vectors of words, and what they are when it is shifted left by 16 bits.
    pub raised: HashMap<V, V>,
    /// Vectors of words whose upper halves are 0.
    pub lows: HashSet<V>,
    pub cur: Vec<Option<Val>>,
    /// Strides of the addresses that the first phase checked, by instruction.
    pub ready: &'a [Option<i64>],
    /// Accesses that were checked together.
    pub spans: &'a [Option<Span>],
    /// Lanes that instructions are for, if not all.
    pub active: Option<K>,
    /// Those whose registers the block writes, if not all.
    pub kept: Option<K>,
    /// Those that there are, if some may be missing.
    exists: Option<K>,
    pub by_group: Vec<bool>,
    /// Strides of group addresses, by instruction.
    pub group_address: Vec<Option<i64>>,
    /// Whether the block mostly streams through memory, a step at a time.
    pub streams: bool,
    /// Whether it does so by the short rows of thread blocks, reading and writing.
    pub rows: bool,
    /// Whether every thread comes by once at most, and nothing orders what it writes.
    pub once: bool,
    /// Instructions before this one are done.
    pub done: usize,
    /// What was done before.
    work: &'a Work<'a>,
    /// Masks of the lanes behind breaks, by number and exactness.
    pub behind: [[Option<K>; 4]; 2],
    /// Those of the lanes behind exactly so many breaks for which instructions are done.
    pub parts: [Option<K>; 4],
}

/// What the first phase of a block leaves to the second.
pub struct Work<'a> {
    /// The kernel.
    pub plan: &'a Plan,
    /// The block.
    pub block: &'a Block,
    /// Its number, or that of a superblock.
    pub at: BlockId,
    /// Strides of the addresses that were checked, by instruction.
    pub ready: &'a [Option<i64>],
    /// Accesses that were checked together.
    pub spans: &'a [Option<Span>],
    /// Whether those addresses have a step from row to row.
    pub skips: &'a [bool],
    /// What was computed: instruction, register, class, and whether it has a step.
    pub scalars: &'a [(usize, Reg, Uniformity, bool)],
    /// Registers that live on.
    pub results: &'a [Reg],
}

impl Work<'_> {
    /// Whether something is added to a value at the end of a row.
    fn skips(&self, want: Want) -> bool {
        match want {
            Want::LiveIn(reg) => {
                let class = self.plan.layout.home(reg).map(|home| home.class);
                self.plan.shape.has_rows() && matches!(class, Some(Uniformity::Affine(_)))
            }
            Want::Scalar(i, reg) => self
                .scalars
                .iter()
                .any(|&(at, r, _, skips)| (at, r) == (i, reg) && skips),
            Want::Address(i) => self.skips[i],
            _ => false,
        }
    }
}

/// Wide code for the second phase of a block, unless it has something that only the narrow code knows.
pub fn lower(work: &Work) -> Option<Body> {
    let &Work {
        plan,
        block,
        scalars,
        results,
        ..
    } = work;
    let is_scalar = |inst: &Inst| is_scalar(&plan.uniformity, inst);
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
    let votes = results.iter().any(|&reg| Some(reg) == branch);
    this.begin(block, !votes).ok()?;
    let mut next = scalars.iter().peekable();
    for (i, inst) in block.insts.iter().enumerate() {
        let mut scalar = false;
        while let Some(&(_, reg, class, _)) = next.next_if(|(at, ..)| *at == i) {
            this.cur[reg.index()] = Some(Val::Scalar(Want::Scalar(i, reg), class));
            scalar = true;
        }
        if scalar || is_scalar(inst) {
            continue;
        }
        if this.by_group[i] {
            inst.defs(|reg| {
                let stride = group_stride(plan, inst, reg);
                this.cur[reg.index()] = Some(Val::Group(GroupWant::Result(i, reg), stride));
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
            let all = this.unopposed(any).ok()?;
            this.code.push(Vop::Vote { all, any });
            votes = true;
        }
    }
    Some(this.finish(votes))
}

/// Whether a block is in a loop and does little besides a few accesses: then memory is what it waits for, and its next step
/// may be far from this one.
fn streams(plan: &Plan, block: &Block, at: BlockId) -> bool {
    const MOST: usize = 24;
    block.insts.len() <= MOST && loops(plan, at)
}

/// The same where the loop is that over the thread blocks of a grid, whose rows are short: too short for the machine to see by
/// itself where they lead. Many writes at once are another matter: rows of a large picture share few places in a cache.
fn streams_in_rows(plan: &Plan, block: &Block, at: BlockId) -> bool {
    const MOST: usize = 24;
    let work = |inst: &&Inst| !is_scalar(&plan.uniformity, inst);
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
        && block.insts.iter().filter(work).count() <= MOST
        && block.insts.iter().filter(store).count() <= 1
        && !loops(plan, at)
}

/// Whether a block, or one behind it, leads to it or before it.
fn loops(plan: &Plan, at: BlockId) -> bool {
    let id = plan.first_of(at);
    plan.func.blocks[id.index()..].iter().any(|block| {
        let mut back = false;
        block.end.successors(|s| back |= s <= id);
        back
    })
}

/// How far neighbouring lanes' values are apart that an instruction computes once for a group.
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
    pub fn new(work: &'a Work<'a>) -> Lower<'a> {
        let &Work {
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
            wants: Vec::new(),
            group_wants: Vec::new(),
            flushed: HashMap::new(),
            scaled: HashMap::new(),
            singles: HashMap::new(),
            same_singles: Vec::new(),
            halves: HashMap::new(),
            raised: HashMap::new(),
            lows: HashSet::new(),
            cur: vec![None; plan.func.regs.len()],
            ready,
            spans,
            active: None,
            kept: None,
            exists: None,
            by_group: vec![false; count],
            group_address: vec![None; count],
            streams: streams(plan, block, at),
            once: plan.unordered && block.mask.is_none() && !loops(plan, at),
            rows: streams_in_rows(plan, block, at),
            done: 0,
            work,
            behind: [[None; 4]; 2],
            parts: [None; 4],
        }
    }

    /// The line that a value begins which the first phase computed.
    pub fn along(&mut self, want: Want, stride: i64) -> Along {
        let from = self.want(want);
        let skips = self.plan.shape.breaks() != 0 && self.work.skips(want);
        let skip = skips.then(|| self.want_skip(want));
        Along {
            from,
            stride,
            group: false,
            skip,
        }
    }

    fn want_skip(&mut self, want: Want) -> Mem {
        let n = self.wants.iter().position(|w| *w == want).unwrap_or(0);
        self.want(Want::Skip(n))
    }

    /// Finds out which lanes a masked block is for; with `skip`, passes over groups that it is not for.
    pub fn begin(&mut self, block: &Block, skip: bool) -> Result<()> {
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
        let mut active = self.mask(Operand::Reg(mask.reg))?;
        if mask.negated {
            let ones = self.mask(Operand::Imm(1))?;
            active = self.mask_op(KOp::AndNot, active, ones);
        }
        // What is set is set for threads that there are.
        if let (Some(exists), true) = (self.exists, mask.negated) {
            active = self.mask_op(KOp::And, active, exists);
        }
        self.active = Some(active);
        self.kept = Some(active);
        if skip {
            self.code.push(Vop::SkipUnless { any: active });
        }
        Ok(())
    }

    /// The lanes for which a predicate holds, and those that do not exist.
    fn unopposed(&mut self, mask: K) -> Result<K> {
        let Some(exists) = self.exists else {
            return Ok(mask);
        };
        let ones = self.mask(Operand::Imm(1))?;
        let others = self.mask_op(KOp::AndNot, exists, ones);
        Ok(self.mask_op(KOp::Or, mask, others))
    }

    /// Machine code of all instructions so far.
    pub fn finish(mut self, votes: bool) -> Body {
        let skips: Vec<Want> = self.wants.clone();
        let skips = skips.into_iter().filter(|&want| self.work.skips(want));
        let rows: Vec<(i32, i32)> = skips
            .filter_map(|want| match (self.want(want), self.want_skip(want)) {
                (Mem::Arg(value), Mem::Arg(skip)) => Some((value, skip)),
                _ => None,
            })
            .collect();
        let shape = self.work.plan.shape;
        let Lower {
            asm,
            code,
            vectors,
            masks,
            wants,
            group_wants,
            by_group,
            ..
        } = self;
        let code = without_unused(code, [vectors, masks]);
        let group_bytes = group_wants.len() as i32 * 8;
        let fails = code.iter().any(|op| matches!(op, Vop::Fault { .. }));
        let rows = RowEnds {
            values: &rows,
            shape: shape.rows(),
        };
        let code =
            crate::jit::avx512::regalloc::body(&code, asm, [vectors, masks], group_bytes, rows);
        Body {
            code,
            rows: !rows.values.is_empty(),
            wants,
            group_wants,
            by_group,
            votes,
            fails,
        }
    }
}

impl Lower<'_> {
    /// Finds the instructions and addresses that are the same or affine within every group and depend on nothing that the
    /// lanes' work computes.
    fn find_groups(&mut self, block: &Block) {
        let plan = self.plan;
        // Registers that the lanes' work has written.
        let mut late = RegSet::new(plan.func.regs.len());
        let mut early = RegSet::new(plan.func.regs.len());
        for (i, inst) in block.insts.iter().enumerate() {
            if is_scalar(&plan.uniformity, inst) {
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

    pub fn want(&mut self, want: Want) -> Mem {
        let n = self.wants.iter().position(|w| *w == want);
        let n = n.unwrap_or_else(|| {
            self.wants.push(want);
            self.wants.len() - 1
        });
        Mem::Arg(args::VALUES + 8 * n as i32)
    }

    pub fn group_want(&mut self, want: GroupWant) -> Mem {
        let n = self.group_wants.iter().position(|w| *w == want);
        let n = n.unwrap_or_else(|| {
            self.group_wants.push(want);
            self.group_wants.len() - 1
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
        self.cur[reg.index()] = Some(val);
    }

    fn inst(&mut self, i: usize, inst: &Inst) -> Result<()> {
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
            Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Syscall { .. }
            | Inst::Image { .. }
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

    /// Puts what a register holds where it lives across blocks.
    fn keep(&mut self, reg: Reg, home: Home) -> Result<()> {
        if self.cur[reg.index()].is_none() {
            return Ok(());
        }
        let operand = Operand::Reg(reg);
        let val = self.val(operand);
        if let Uniformity::PiecewiseAffine(stride) = home.class {
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

    /// Masks of the lower and upper eight lanes.
    pub fn halves(&mut self, mask: Option<K>) -> [Option<K>; 2] {
        match mask {
            None => [None; 2],
            Some(k) => [Some(k), Some(self.upper(k))],
        }
    }

    /// Every fourth lane's value of a register that is affine within groups.
    fn keep_group(&mut self, val: Val, stride: i64, home: Home, operand: Operand) -> Result<()> {
        let first = match val {
            Val::Affine(line) if line.group => self.load_each(Src::Each(line.from), true),
            _ if home.ty == Ty::B64 => {
                let [low, _] = self.longs(operand)?;
                self.first_of_all(low, true)
            }
            // The upper halves do not matter.
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

    /// The first lane's value in all (64-bit) lanes.
    fn first_of_all(&mut self, v: V, long: bool) -> V {
        if long {
            self.op1(crate::jit::avx512::forms::BROADCAST_LONG, Src::V(v))
        } else {
            self.op1(crate::jit::avx512::forms::BROADCAST_WORD, Src::V(v))
        }
    }
}
