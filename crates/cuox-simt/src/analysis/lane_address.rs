//! Addresses over the lanes of a warp: the pointer that an address is derived from, and how it differs from lane to
//! lane.
//!
//! The facts hold for every shape of thread block, so they are coarser than [`crate::analysis::uniformity`]: the passes
//! that every engine needs ask for them. They are about the values that programs usually have, and no proof: a thread
//! number times a parameter counts as a number of its own for each lane, although the parameter may be 0. In a function
//! that reads two of the thread's coordinates, one of them alone is no number of its own.

use crate::analysis::dominators::post_dominators;
use crate::ir::{
    Address, BlockId, Function, Inst, IntOp, Num, Op, Operand, Order, Reg, Scope, Space, Special,
    Terminator, Ty,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Variation of a value over the lanes of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variation {
    /// No instruction that writes it has been looked at.
    Unset,
    /// All lanes have the same value.
    Uniform,
    /// Each lane has a value of its own.
    Own {
        /// Distance between the values of neighbours, 0 if unknown.
        stride: u64,
        /// True if lanes lie on one line: their values are `base + lane * stride`, or rows of such values.
        line: bool,
        /// The coordinates of the thread that it is computed from, a bit each; [`ALL_AXES`] for the lane.
        axes: u8,
    },
    /// Any other value that is computed from numbers of threads.
    Mixed,
    /// It depends on memory.
    Loaded,
}

const ALL_AXES: u8 = 0b111;
/// Largest number of blocks that are looked at to find those that only some lanes come to; beyond that, all are such.
const MAX_WORK: usize = 1 << 20;
/// Largest number of times that values are computed again because some branches were found to part lanes.
const MAX_ROUNDS: usize = 4;

/// Roots of addresses, one bit each: parameters, variables, and the following.
pub(crate) type Roots = u64;
/// The block's shared memory.
pub(crate) const SHARED: Roots = 1 << 63;
/// Pointers from memory, and those of which nothing is known.
pub(crate) const UNKNOWN: Roots = 1 << 62;
/// Not a root of addresses: marks volatile and synchronising accesses.
pub(crate) const VOLATILE: Roots = 1 << 61;
/// The thread's local memory.
pub(crate) const LOCAL: Roots = 1 << 60;
/// Number of bits for parameters and variables; if there are more, some share a bit.
const NAMED: u32 = 60;

/// Facts about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LaneValue {
    /// Its variation.
    pub variation: Variation,
    /// Roots of the pointers that it is derived from.
    pub roots: Roots,
}

const UNIFORM: LaneValue = LaneValue {
    variation: Variation::Uniform,
    roots: 0,
};

/// Facts about the registers of a function.
pub(crate) struct LaneAddresses {
    values: Vec<LaneValue>,
    /// The coordinates of the thread that the function reads.
    axes: u8,
}

/// Origin of a pointer.
#[derive(PartialEq, Eq, Hash)]
enum Origin {
    /// Kernel parameter at an offset.
    Param(i64),
    /// The parameters themselves.
    Params,
    /// Variable of the module.
    Variable(u32),
}

impl LaneAddresses {
    /// Computes the facts.
    pub fn new(f: &Function) -> LaneAddresses {
        let (writers, joins) = (Writers::new(f), post_dominators(f));
        let mut parted = vec![false; f.regs.len()];
        let mut this = LaneAddresses::given(f, &writers, &parted);
        for round in 0.. {
            let blocks = match round < MAX_ROUNDS {
                true => this.parted_blocks(f, &joins),
                false => None,
            };
            let mut changed = false;
            let is_in = |block: &BlockId| blocks.as_ref().is_none_or(|b| b[block.index()]);
            for (reg, parted) in parted.iter_mut().enumerate().filter(|(_, p)| !**p) {
                let writers = writers.of(Reg(reg as u32));
                *parted = writers.len() > 1 && writers.iter().any(is_in);
                changed |= *parted;
            }
            if !changed {
                break;
            }
            this = LaneAddresses::given(f, &writers, &parted);
        }
        this
    }

    /// Returns the blocks that lanes come to apart: those between a branch that parts them and the place where they
    /// meet again, as `joins` has it for each branch. None if that would take too long.
    fn parted_blocks(&self, f: &Function, joins: &[Option<usize>]) -> Option<Vec<bool>> {
        let (mut found, mut seen_for) = (
            vec![false; f.blocks.len()],
            vec![usize::MAX; f.blocks.len()],
        );
        let mut work = 0;
        for (index, block) in f.blocks.iter().enumerate() {
            if !self.parts(&block.end) {
                continue;
            }
            let mut stack = Vec::new();
            block.end.successors(|to| stack.push(to.index()));
            while let Some(at) = stack.pop() {
                if joins[index] == Some(at) || std::mem::replace(&mut seen_for[at], index) == index
                {
                    continue;
                }
                work += 1;
                if work > MAX_WORK {
                    return None;
                }
                found[at] = true;
                f.blocks[at].end.successors(|to| stack.push(to.index()));
            }
        }
        Some(found)
    }

    /// Tells whether lanes that are together at the end of a block may go on to different ones.
    pub fn parts(&self, end: &Terminator) -> bool {
        let decides = match end {
            Terminator::Branch { cond, .. } => Operand::Reg(*cond),
            Terminator::Switch { index, .. } => *index,
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => return false,
        };
        self.of(decides).variation != Variation::Uniform
    }

    /// Computes the facts, given the registers that lanes write apart.
    fn given(f: &Function, writers: &Writers, parted: &[bool]) -> LaneAddresses {
        let insts: Vec<&Inst> = f.blocks.iter().flat_map(|b| &b.insts).collect();
        let none = LaneValue {
            variation: Variation::Unset,
            roots: 0,
        };
        let mut axes = 0;
        for inst in &insts {
            if let Inst::Special {
                special: Special::Tid(axis),
                ..
            } = inst
            {
                axes |= 1 << axis;
            }
        }
        let mut this = LaneAddresses {
            values: vec![none; f.regs.len()],
            axes,
        };
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); f.regs.len()];
        for (n, inst) in insts.iter().enumerate() {
            if matches!(inst, Inst::Op { .. } | Inst::Load { .. }) {
                inst.uses(|operand| {
                    if let Operand::Reg(reg) = operand {
                        users[reg.index()].push(n as u32);
                    }
                });
            }
        }
        for block in &f.blocks {
            let variation = match matches!(block.end, Terminator::Barrier { .. }) {
                true => Variation::Uniform,
                false => Variation::Mixed,
            };
            block.end.defs(|reg| {
                this.values[reg.index()].variation = variation;
            });
        }
        for (value, writers) in this.values.iter_mut().zip(&writers.blocks) {
            if writers.is_empty() {
                *value = UNIFORM;
            }
        }
        let mut named = FxHashMap::default();
        let mut root = |origin: Origin| {
            let next = named.len() as u32 % NAMED;
            1 << *named.entry(origin).or_insert(next)
        };
        let mut work: VecDeque<u32> = (0..insts.len() as u32).collect();
        let mut waits = vec![true; insts.len()];
        while let Some(n) = work.pop_front() {
            waits[n as usize] = false;
            let inst = insts[n as usize];
            inst.defs(|reg| {
                let mut new = this.result(f, inst, reg, &mut root);
                if parted[reg.index()] && new.variation == Variation::Uniform {
                    new.variation = Variation::Mixed;
                }
                let old = this.values[reg.index()];
                let joined = old.join(new);
                if joined != old {
                    this.values[reg.index()] = joined;
                    for &user in &users[reg.index()] {
                        if !std::mem::replace(&mut waits[user as usize], true) {
                            work.push_back(user);
                        }
                    }
                }
            });
        }
        this
    }

    /// Returns the facts about an operand.
    pub fn of(&self, operand: Operand) -> LaneValue {
        let mut value = self.value(operand);
        if matches!(value.variation, Variation::Own { axes, .. } if axes & self.axes != self.axes) {
            value.variation = Variation::Mixed;
        }
        value
    }

    /// Returns the same, where one of several coordinates counts as a number of its own.
    fn value(&self, operand: Operand) -> LaneValue {
        match operand {
            Operand::Reg(reg) => self.values[reg.index()],
            Operand::Imm(_) => UNIFORM,
        }
    }

    /// Returns the roots of the memory that an access may touch.
    pub fn roots(&self, addr: &Address, order: Order) -> Roots {
        let roots = match addr.space {
            Space::Shared => SHARED,
            Space::Flat => match self.of(addr.base).roots {
                0 => UNKNOWN,
                roots => roots,
            },
            Space::Local | Space::Param | Space::Slot(_) => LOCAL,
        };
        match order {
            Order::Plain => roots,
            Order::Relaxed | Order::Acquire | Order::Release | Order::AcqRel => roots | VOLATILE,
        }
    }

    /// Returns the facts about the result `reg` of an instruction.
    fn result(
        &self,
        f: &Function,
        inst: &Inst,
        reg: Reg,
        root: &mut dyn FnMut(Origin) -> Roots,
    ) -> LaneValue {
        let is_pointer = f.ty(reg) == Ty::B64;
        let value = |variation, roots| LaneValue { variation, roots };
        match inst {
            Inst::Op { op, args, .. } => self.computed(*op, args, is_pointer),
            Inst::Special { special, .. } => {
                let roots = if *special == Special::SharedBase {
                    SHARED
                } else if matches!(special, Special::LocalBase | Special::Stack) {
                    LOCAL
                } else if *special == Special::ParamBase {
                    root(Origin::Params)
                } else {
                    0
                };
                value(variation_of(*special), roots)
            }
            Inst::SymbolAddress { variable, .. } => {
                value(Variation::Uniform, root(Origin::Variable(*variable)))
            }
            Inst::Load { addr, ty, dsts, .. } => {
                let element = dsts.iter().position(|dst| *dst == Some(reg)).unwrap_or(0);
                let offset = element as i64 * i64::from(ty.bytes());
                let roots = match addr.space {
                    _ if !is_pointer => 0,
                    Space::Param => root(Origin::Param(addr.offset.wrapping_add(offset))),
                    Space::Flat | Space::Shared | Space::Local | Space::Slot(_) => UNKNOWN,
                };
                let variation = match self.of(addr.base).variation {
                    _ if matches!(addr.space, Space::Local | Space::Slot(_)) => Variation::Loaded,
                    Variation::Uniform => Variation::Uniform,
                    Variation::Unset => Variation::Unset,
                    Variation::Own { .. } | Variation::Mixed | Variation::Loaded => {
                        Variation::Loaded
                    }
                };
                value(variation, roots)
            }
            Inst::FunctionAddress { .. } => UNIFORM,
            Inst::Atomic { .. }
            | Inst::Image { .. }
            | Inst::Syscall { .. }
            | Inst::Store { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Call { .. } => value(Variation::Loaded, if is_pointer { UNKNOWN } else { 0 }),
        }
    }

    fn computed(&self, op: Op, args: &[Operand], is_pointer: bool) -> LaneValue {
        let values = args.iter().map(|&arg| self.value(arg));
        // Products and shifts make indices, not pointers.
        let is_index = matches!(
            op,
            Op::Int(
                IntOp::Mul | IntOp::MulWideU | IntOp::MulWideS | IntOp::Shl | IntOp::ShrU,
                _
            )
        );
        let roots = match is_pointer && !is_index {
            true => values.clone().fold(0, |all, value| all | value.roots),
            false => 0,
        };
        let variations = values.map(|value| value.variation);
        LaneValue {
            variation: computed(op, args, &variations.collect::<Vec<_>>()),
            roots,
        }
    }
}

impl LaneValue {
    fn join(self, other: LaneValue) -> LaneValue {
        use Variation::{Loaded, Mixed, Own, Unset};
        let variation = match (self.variation, other.variation) {
            (Unset, one) | (one, Unset) => one,
            (one, other) if one == other => one,
            (Loaded, _) | (_, Loaded) => Loaded,
            (Own { axes: a, .. }, Own { axes: b, .. }) => Own {
                stride: 0,
                line: false,
                axes: a & b,
            },
            _ => Mixed,
        };
        LaneValue {
            variation,
            roots: self.roots | other.roots,
        }
    }
}

/// The blocks in which each register is written.
pub(crate) struct Writers {
    blocks: Vec<Vec<BlockId>>,
}

impl Writers {
    pub fn new(f: &Function) -> Writers {
        let mut blocks = vec![Vec::new(); f.regs.len()];
        for (index, block) in f.blocks.iter().enumerate() {
            let mut note = |reg: Reg| blocks[reg.index()].push(BlockId(index as u32));
            block.insts.iter().for_each(|inst| inst.defs(&mut note));
            block.end.defs(&mut note);
        }
        Writers { blocks }
    }

    /// Returns the blocks, one several times if it writes the register several times.
    pub fn of(&self, reg: Reg) -> &[BlockId] {
        &self.blocks[reg.index()]
    }
}

fn variation_of(special: Special) -> Variation {
    let axes = if special == Special::LaneId {
        ALL_AXES
    } else if let Special::Tid(axis) = special {
        1 << axis
    } else {
        0
    };
    if axes != 0 {
        let line = axes & 1 == 1;
        return Variation::Own {
            stride: 1,
            line,
            axes,
        };
    }
    match special.scope() {
        Scope::Thread | Scope::Lane | Scope::Moment => Variation::Mixed,
        Scope::Warp | Scope::Block => Variation::Uniform,
    }
}

fn computed(op: Op, args: &[Operand], values: &[Variation]) -> Variation {
    use Variation::{Loaded, Mixed, Own, Uniform, Unset};
    if values.contains(&Unset) {
        return Unset;
    }
    if values.iter().all(|v| *v == Uniform) {
        return Uniform;
    }
    let own = |stride, line, axes| Own { stride, line, axes };
    let is_integer = |num: Num| matches!(num, Num::U(_) | Num::S(_));
    let constant = |n: usize| match args[n] {
        Operand::Imm(bits) => Some(bits),
        Operand::Reg(_) => None,
    };
    let found = match (op, values) {
        (Op::Mov(_), [one]) => Some(*one),
        (Op::Convert(c), [one]) if is_integer(c.from) && is_integer(c.to) && !c.sat => Some(*one),
        (Op::Int(IntOp::Add, _), [one @ Own { .. }, Uniform] | [Uniform, one @ Own { .. }])
        | (Op::Int(IntOp::Sub, _), [one @ Own { .. }, Uniform]) => Some(*one),
        // Rows and columns of an array.
        (
            Op::Int(IntOp::Add, _),
            [
                Own {
                    stride: a,
                    axes: a_axes,
                    ..
                },
                Own {
                    stride: b,
                    axes: b_axes,
                    ..
                },
            ],
        ) if a != b || *a == 0 || a_axes == b_axes => {
            let strides = [*a, *b].into_iter().filter(|s| *s != 0);
            Some(own(strides.min().unwrap_or(0), false, a_axes | b_axes))
        }
        (
            Op::Int(IntOp::Mul | IntOp::MulWideU | IntOp::MulWideS, _),
            [Own { stride, line, axes }, Uniform] | [Uniform, Own { stride, line, axes }],
        ) => Some(match constant(1).or(constant(0)) {
            Some(0) => Uniform,
            Some(by) if by < 1 << 31 => own(stride.saturating_mul(by), *line, *axes),
            _ => own(0, false, *axes),
        }),
        (Op::Int(IntOp::Shl, _), [Own { stride, line, axes }, Uniform]) => {
            Some(match constant(1) {
                Some(by) if by < 32 => own(stride.saturating_mul(1 << by), *line, *axes),
                _ => own(0, false, *axes),
            })
        }
        // Sums whose operands have no bits in common.
        (Op::Int(IntOp::Or, _), [one @ Own { stride, .. }, Uniform]) => constant(1)
            .filter(|bits| stride.is_power_of_two() && bits < stride)
            .map(|_| *one),
        _ => None,
    };
    found.unwrap_or(match values.contains(&Loaded) {
        true => Loaded,
        false => Mixed,
    })
}

/// Tells whether all lanes of a warp that run together are at the end of a block at the same time.
pub(crate) fn is_rendezvous(end: &Terminator) -> bool {
    match end {
        Terminator::Barrier { kind, .. } => *kind != crate::ir::BarrierKind::Arrive,
        Terminator::Cluster { step, .. } => *step == crate::ir::ClusterStep::Wait,
        Terminator::Warp { .. } => true,
        Terminator::Jump(_)
        | Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Exit
        | Terminator::Return
        | Terminator::Trap
        | Terminator::Pause { .. } => false,
    }
}
