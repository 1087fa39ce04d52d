//! Call flattening: merges a kernel and all functions it calls into one function, in which the calls that inlining has
//! left (recursive calls, and calls through a pointer with several candidates) are jumps.
//!
//! A call saves the registers that live across it on the thread's *stack*, stores the number of the call site there,
//! and jumps to the callee. `ret` reads that number and jumps to the continuation, where the registers are restored.
//! Later passes thus see a recursive function as a loop; barriers, warp operations and divergence work in it as in any
//! other loop.
//!
//! The stack belongs to the block: the elements of all threads for one register are adjacent, so threads that run
//! together save and restore with a few wide accesses. Its rows are as long as the largest block of the launch kind has
//! threads, so distances in it are constants. One register holds its fill level, which is uniform where threads run
//! together. Local variables of functions are in local memory, whose fill level is in a second register.
//!
//! Registers of the kernel itself are not saved, as it has one activation. Neither are values that every activation
//! recomputes identically: values computed from constants and indices, and parameters that are always passed on
//! unchanged.

pub(crate) mod stack;

use crate::analysis::liveness::RegSet;
use crate::ir::{
    BlockId, Callee, FuncId, Function, Inst, Op, Operand, Reg, Special, Terminator, Unit,
};
use crate::passes::call_slots::{self, SlotHome};
use crate::passes::{MAX_INSTS, clean_up};
use rustc_hash::FxHashMap;
use stack::Flatten;

/// Added to the address of an element that does not fit on the stack, which makes the address invalid.
pub const PAST_THE_STACK: u64 = 1 << 62;

/// Kernel without calls.
pub struct Flattened {
    /// The code.
    pub func: Function,
    /// Fill levels of the stack and local memory: registers that differ only between threads that do not run together.
    pub steady: Vec<Reg>,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
}

/// Call site, within its function.
struct Call {
    /// Possible callees.
    callees: Vec<usize>,
    /// Function handle of a call through a pointer.
    handle: Option<Operand>,
    args: Vec<u32>,
    results: Vec<u32>,
    /// Registers live across the call.
    across: Vec<Reg>,
}

/// Function to be merged into the kernel.
pub(super) struct Body {
    code: Function,
    /// Sizes and homes of its slots.
    sizes: Vec<u32>,
    homes: Vec<SlotHome>,
    calls: Vec<Call>,
    /// Number of its first block in the merged function.
    first_block: u32,
    /// Continuations of the calls of this function, in order of call number.
    returns: Vec<BlockId>,
}

impl Body {
    /// Returns the registers of a slot's fields.
    fn pieces(&self, slot: u32) -> &[(u32, Reg)] {
        match &self.homes[slot as usize] {
            SlotHome::Registers(pieces) => pieces,
            SlotHome::Slot(_) | SlotHome::Local(_) => &[],
        }
    }

    fn slots(&self, list: &[u32]) -> Vec<Reg> {
        let each = list.iter().flat_map(|&slot| self.pieces(slot));
        each.map(|&(_, reg)| reg).collect()
    }

    /// Returns the size of its frame in local memory.
    fn frame(&self) -> u32 {
        self.code.local_bytes.next_multiple_of(16)
    }
}

/// Disjoint sets of numbers (union-find).
struct UnionFind(Vec<usize>);

impl UnionFind {
    fn find(&mut self, mut n: usize) -> usize {
        while self.0[n] != n {
            self.0[n] = self.0[self.0[n]];
            n = self.0[n];
        }
        n
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a] = b;
    }
}

/// Tells whether the unit is too large to flatten: inlining stopped at its limit, or analyses, which need a bit per
/// register and block, would take too much memory.
pub fn too_large(unit: &Unit) -> bool {
    let all = std::iter::once(&unit.kernel).chain(&unit.functions);
    let (mut insts, mut blocks, mut regs) = (0, 0, 0u64);
    for code in all {
        insts += code.blocks.iter().map(|b| b.insts.len()).sum::<usize>();
        blocks += code.blocks.len() as u64;
        regs += code.regs.len() as u64;
    }
    insts >= MAX_INSTS || blocks.saturating_mul(regs) > 1 << 29
}

/// Merges `unit` into one function, for blocks of at most `capacity` threads with a stack of `stack` bytes each.
pub fn run(unit: &Unit, capacity: u32, stack: u32) -> Flattened {
    let mut bodies = bodies(unit);
    renumber(&mut bodies);
    let invariant = invariant_registers(&bodies);
    let mut flat = Flatten::new(&mut bodies, capacity, stack);
    for (n, body) in bodies.iter_mut().enumerate() {
        for call in &mut body.calls {
            call.across.retain(|&reg| n > 0 && !invariant.contains(reg));
        }
    }
    for n in 0..bodies.len() {
        flat.body(&mut bodies, n, &invariant);
    }
    flat.returns(&bodies);
    let frames = bodies[1..].iter().any(|body| body.frame() > 0);
    let steady = vec![flat.filled, flat.frame];
    let mut func = flat.out;
    clean_up(&mut func);
    Flattened {
        func,
        steady,
        local_bytes: bodies[0].frame() + if frames { stack } else { 0 },
    }
}

/// Returns the kernel and its functions, with a home for every slot.
fn bodies(unit: &Unit) -> Vec<Body> {
    let all = std::iter::once(&unit.kernel).chain(&unit.functions);
    let mut bodies: Vec<Body> = all
        .map(|code| Body {
            code: code.clone(),
            sizes: code.slots.iter().map(|slot| slot.size).collect(),
            homes: Vec::new(),
            calls: Vec::new(),
            first_block: 0,
            returns: Vec::new(),
        })
        .collect();
    let sizes = |body: &Body, slots: &[u32]| -> Vec<u32> {
        slots
            .iter()
            .map(|&slot| body.sizes[slot as usize])
            .collect()
    };
    // Slots that some call binds to each other, which must have the same fields.
    let mut base = vec![0];
    for body in &bodies {
        base.push(base[base.len() - 1] + body.code.slots.len());
    }
    let mut bound = UnionFind((0..base[bodies.len()]).collect());
    for n in 0..bodies.len() {
        let code = &bodies[n].code;
        let mut calls = Vec::new();
        for inst in code.blocks.iter().flat_map(|b| &b.insts) {
            let Inst::Call {
                callee,
                args,
                results,
            } = inst
            else {
                continue;
            };
            let fits = |m: &usize| {
                let other = &bodies[*m];
                !other.code.name.is_empty()
                    && sizes(other, &other.code.params) == sizes(&bodies[n], args)
                    && sizes(other, &other.code.results) == sizes(&bodies[n], results)
            };
            let (callees, handle) = match *callee {
                Callee::Direct(FuncId(id)) => (vec![id as usize + 1], None),
                Callee::Indirect(handle) => {
                    ((1..bodies.len()).filter(fits).collect(), Some(handle))
                }
            };
            for &m in &callees {
                let other = &bodies[m].code;
                let ours = args.iter().chain(results);
                for (&a, &b) in ours.zip(other.params.iter().chain(&other.results)) {
                    bound.join(base[n] + a as usize, base[m] + b as usize);
                }
            }
            calls.push(Call {
                callees,
                handle,
                args: args.clone(),
                results: results.clone(),
                across: Vec::new(),
            });
        }
        bodies[n].calls = calls;
    }
    let mut pieces: FxHashMap<usize, (Vec<(u32, u32)>, bool)> = FxHashMap::default();
    for (n, body) in bodies.iter().enumerate() {
        let found = call_slots::accesses(&body.code);
        for (slot, offset, bytes) in found.pieces {
            let set = bound.find(base[n] + slot as usize);
            pieces.entry(set).or_default().0.push((offset, bytes));
        }
        for slot in (0..body.code.slots.len()).filter(|&slot| found.memory[slot]) {
            pieces.entry(bound.find(base[n] + slot)).or_default().1 = true;
        }
    }
    for (pieces, memory) in pieces.values_mut() {
        pieces.sort_unstable();
        pieces.dedup();
        *memory |= pieces.windows(2).any(|p| p[0].0 + p[0].1 > p[1].0);
    }
    for (n, body) in bodies.iter_mut().enumerate() {
        body.homes = (0..body.code.slots.len())
            .map(|slot| match pieces.get(&bound.find(base[n] + slot)) {
                Some((_, true)) => call_slots::in_frame(&mut body.code, slot),
                Some((list, false)) => {
                    call_slots::in_registers(&mut body.code, list.iter().copied())
                }
                None => SlotHome::Registers(Vec::new()),
            })
            .collect();
        call_slots::assign_homes(&mut body.code, &body.homes);
    }
    bodies
}

/// Number of registers reserved for [`Flatten`]; they come first.
const RESERVED_REGS: u32 = 3;

/// Renumbers the registers of all functions without overlap, and finds those live across calls.
fn renumber(bodies: &mut [Body]) {
    let mut first = RESERVED_REGS;
    for body in bodies.iter_mut() {
        let code = &mut body.code;
        let rename = |reg: &mut Reg| reg.0 += first;
        let operand = |operand: &mut Operand| {
            if let Operand::Reg(reg) = operand {
                rename(reg);
            }
        };
        for block in &mut code.blocks {
            for inst in &mut block.insts {
                inst.uses_mut(operand);
                inst.defs_mut(rename);
            }
            block.end.uses_mut(operand);
            block.end.defs_mut(rename);
        }
        for home in &mut body.homes {
            if let SlotHome::Registers(pieces) = home {
                pieces.iter_mut().for_each(|(_, reg)| rename(reg));
            }
        }
        let handles = body
            .calls
            .iter_mut()
            .filter_map(|call| call.handle.as_mut());
        handles.for_each(operand);
        first += code.regs.len() as u32;
    }
    for body in bodies.iter_mut() {
        let across = live_across(body, first as usize);
        for (call, across) in body.calls.iter_mut().zip(across) {
            call.across = across.iter().collect();
        }
    }
}

/// Returns the registers live across each call of a function, out of `count` registers in all.
fn live_across(body: &Body, count: usize) -> Vec<RegSet> {
    let code = &body.code;
    let results = body.slots(&code.results);
    let mut live_in = vec![RegSet::new(count); code.blocks.len()];
    let mut across = vec![RegSet::new(count); body.calls.len()];
    let mut first_call = 0;
    let calls_before: Vec<usize> = code
        .blocks
        .iter()
        .map(|block| {
            let before = first_call;
            let is_call = |i: &&Inst| matches!(i, Inst::Call { .. });
            first_call += block.insts.iter().filter(is_call).count();
            before
        })
        .collect();
    let add = |live: &mut RegSet, operand: Operand| {
        if let Operand::Reg(reg) = operand {
            live.insert(reg);
        }
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in code.blocks.iter().enumerate().rev() {
            let mut live = RegSet::new(count);
            block.end.successors(|s| {
                live.union(&live_in[s.index()]);
            });
            if block.end == Terminator::Return {
                results.iter().for_each(|&reg| add(&mut live, reg.into()));
            }
            block.end.defs(|reg| live.remove(reg));
            block.end.uses(|operand| add(&mut live, operand));
            let is_call = |i: &&Inst| matches!(i, Inst::Call { .. });
            let mut call = calls_before[index] + block.insts.iter().filter(is_call).count();
            for inst in block.insts.iter().rev() {
                if matches!(inst, Inst::Call { .. }) {
                    call -= 1;
                    let this = &body.calls[call];
                    body.slots(&this.results)
                        .into_iter()
                        .for_each(|reg| live.remove(reg));
                    across[call] = live.clone();
                    let args = body.slots(&this.args).into_iter().map(Operand::Reg);
                    args.for_each(|reg| add(&mut live, reg));
                }
                inst.defs(|reg| live.remove(reg));
                inst.uses(|operand| add(&mut live, operand));
            }
            changed |= live_in[index].union(&live);
        }
    }
    across
}

/// Returns the registers that have the same value in every activation within one call from the kernel.
fn invariant_registers(bodies: &[Body]) -> RegSet {
    let count = RESERVED_REGS as usize + bodies.iter().map(|p| p.code.regs.len()).sum::<usize>();
    let mut writers = vec![0u32; count];
    let mut copies: Vec<Option<Reg>> = vec![None; count];
    for block in bodies.iter().flat_map(|p| &p.code.blocks) {
        for inst in &block.insts {
            inst.defs(|reg| writers[reg.index()] += 1);
            if let Inst::Op {
                dst,
                op: Op::Mov(_),
                args,
            } = inst
            {
                copies[dst.index()] = args[0].reg();
            }
        }
        block.end.defs(|reg| writers[reg.index()] += 1);
    }
    let results = |p: &Body| -> Vec<Reg> {
        let calls = p.calls.iter().flat_map(|call| p.slots(&call.results));
        calls.collect()
    };
    for reg in bodies.iter().flat_map(results) {
        writers[reg.index()] += 1;
    }
    // Follows copies from a register that has one definition.
    let source = |mut reg: Reg| {
        while let (1, Some(from)) = (writers[reg.index()], copies[reg.index()]) {
            reg = from;
        }
        reg
    };
    let mut params = RegSet::new(count);
    for body in &bodies[1..] {
        let own = body.slots(&body.code.params).into_iter();
        own.filter(|reg| writers[reg.index()] == 0).for_each(|reg| {
            params.insert(reg);
        });
    }
    // Parameters passed on to each other hold one value, unless two of them belong to one function.
    let mut joined = UnionFind((0..count).collect());
    let mut bad = Vec::new();
    for body in &bodies[1..] {
        for call in &body.calls {
            for other in call.callees.iter().map(|&m| &bodies[m]) {
                for (&arg, &param) in call.args.iter().zip(&other.code.params) {
                    for (&(_, from), &(_, to)) in body.pieces(arg).iter().zip(other.pieces(param)) {
                        let from = source(from);
                        match params.contains(from) {
                            true => joined.join(from.index(), to.index()),
                            false => bad.push(to),
                        }
                    }
                }
            }
        }
    }
    let mut wrong = vec![false; count];
    for reg in bad {
        wrong[joined.find(reg.index())] = true;
    }
    for body in &bodies[1..] {
        let mut seen: FxHashMap<usize, ()> = FxHashMap::default();
        for reg in body.slots(&body.code.params) {
            let set = joined.find(reg.index());
            wrong[set] |= seen.insert(set, ()).is_some() || writers[reg.index()] > 0;
        }
    }
    let mut invariant = RegSet::new(count);
    for reg in params.iter() {
        if !wrong[joined.find(reg.index())] {
            invariant.insert(reg);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        let blocks = bodies[1..].iter().flat_map(|p| &p.code.blocks);
        for inst in blocks.flat_map(|b| &b.insts) {
            let (dst, fixed) = match inst {
                Inst::Op { dst, args, .. } => {
                    let known = |o: &Operand| o.reg().is_none_or(|reg| invariant.contains(reg));
                    (*dst, args.iter().all(known))
                }
                Inst::Special { dst, special } => {
                    let moves = matches!(
                        special,
                        Special::LocalBase
                            | Special::Clock
                            | Special::Clock64
                            | Special::GlobalTimer
                    );
                    (*dst, !moves)
                }
                Inst::SymbolAddress { dst, .. } | Inst::FunctionAddress { dst, .. } => (*dst, true),
                Inst::Load { .. }
                | Inst::Store { .. }
                | Inst::Atomic { .. }
                | Inst::Check { .. }
                | Inst::Fence(_)
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => continue,
            };
            if fixed && writers[dst.index()] == 1 {
                changed |= invariant.insert(dst);
            }
        }
    }
    invariant
}
