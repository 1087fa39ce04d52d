//! Calls that inlining has left (recursion, calls through a pointer to one of many functions) become jumps, and a kernel with all
//! it calls one function.
//!
//! A call saves the registers that live across it on the thread's *stack*, leaves there which call it is, and jumps to the callee.
//! `ret` reads that number and goes where it says; there the registers are read back. So to everything behind this pass a
//! recursive function is a loop, and barriers, warp operations and divergence are in it what they are in any other.
//!
//! The stack belongs to the block: the elements of all threads for one register lie side by side, so threads that go together
//! save and restore with a few wide accesses. Its rows are as long as the largest block of the kind has threads, so distances
//! in it are constants. How far it is filled is one register, uniform where threads go together. Local variables of functions
//! are in local memory, where a second register says how far that is filled.
//!
//! Nothing is saved of the kernel, of which there is one activation; nor what each activation finds the same: values computed
//! from constants and indices, and parameters that are always handed on as they came.

pub(crate) mod stack;

use crate::analysis::liveness::RegSet;
use crate::ir::{
    BlockId, Callee, FuncId, Function, Inst, Op, Operand, Reg, Special, Terminator, Unit,
};
use crate::passes::call_slots::{self, Home};
use crate::passes::{MAX_INSTS, tidy};
use rustc_hash::FxHashMap;
use stack::Flatten;

/// What is added to the address of what does not fit on the stack: it is then one that nothing has.
pub const PAST_THE_STACK: u64 = 1 << 62;

/// A kernel without calls.
pub struct Flat {
    /// The code.
    pub func: Function,
    /// How far the stack and local memory are filled: registers that differ only between threads that are not together.
    pub steady: Vec<Reg>,
    /// Bytes of local memory of a thread.
    pub local_bytes: u32,
}

/// A call, in the function that has it.
struct Call {
    /// Whom it may call.
    callees: Vec<usize>,
    /// The handle, if it is through a pointer.
    handle: Option<Operand>,
    args: Vec<u32>,
    results: Vec<u32>,
    /// Registers that are read after it.
    across: Vec<Reg>,
}

/// A function to be put into the kernel.
pub(super) struct Body {
    code: Function,
    /// Bytes and homes of its slots.
    sizes: Vec<u32>,
    homes: Vec<Home>,
    calls: Vec<Call>,
    /// Where its blocks are put.
    first_block: u32,
    /// Where it is returned to, in the order of the calls of it.
    returns: Vec<BlockId>,
}

impl Body {
    /// The registers that a slot's pieces are in.
    fn pieces(&self, slot: u32) -> &[(u32, Reg)] {
        match &self.homes[slot as usize] {
            Home::Pieces(pieces) => pieces,
            Home::Slot(_) | Home::Local(_) => &[],
        }
    }

    fn slots(&self, list: &[u32]) -> Vec<Reg> {
        let each = list.iter().flat_map(|&slot| self.pieces(slot));
        each.map(|&(_, reg)| reg).collect()
    }

    /// Bytes of its frame in local memory.
    fn frame(&self) -> u32 {
        self.code.local_bytes.next_multiple_of(16)
    }
}

/// Sets of numbers that are joined.
struct Union(Vec<usize>);

impl Union {
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

/// Whether so much is called that one function of it would take too much memory: inlining has stopped at its limit, or analyses, which
/// have a bit for every register at every block, would need too many.
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

/// Makes one function of `unit`, whose blocks have at most `capacity` threads and whose threads have a stack of `stack` bytes.
pub fn run(unit: &Unit, capacity: u32, stack: u32) -> Flat {
    let mut parts = parts(unit);
    renumber(&mut parts);
    let same = unchanged(&parts);
    let mut flat = Flatten::new(&mut parts, capacity, stack);
    for (n, part) in parts.iter_mut().enumerate() {
        for call in &mut part.calls {
            call.across.retain(|&reg| n > 0 && !same.contains(reg));
        }
    }
    for n in 0..parts.len() {
        flat.part(&mut parts, n, &same);
    }
    flat.returns(&parts);
    let frames = parts[1..].iter().any(|part| part.frame() > 0);
    let steady = vec![flat.filled, flat.frame];
    let mut func = flat.out;
    tidy(&mut func);
    Flat {
        func,
        steady,
        local_bytes: parts[0].frame() + if frames { stack } else { 0 },
    }
}

/// The kernel and its functions, with a home for every slot.
fn parts(unit: &Unit) -> Vec<Body> {
    let all = std::iter::once(&unit.kernel).chain(&unit.functions);
    let mut parts: Vec<Body> = all
        .map(|code| Body {
            code: code.clone(),
            sizes: code.slots.iter().map(|slot| slot.size).collect(),
            homes: Vec::new(),
            calls: Vec::new(),
            first_block: 0,
            returns: Vec::new(),
        })
        .collect();
    let sizes = |part: &Body, slots: &[u32]| -> Vec<u32> {
        slots
            .iter()
            .map(|&slot| part.sizes[slot as usize])
            .collect()
    };
    // Slots that are bound to each other by some call, and so are made of the same pieces.
    let mut base = vec![0];
    for part in &parts {
        base.push(base[base.len() - 1] + part.code.slots.len());
    }
    let mut bound = Union((0..base[parts.len()]).collect());
    for n in 0..parts.len() {
        let code = &parts[n].code;
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
                let other = &parts[*m];
                !other.code.name.is_empty()
                    && sizes(other, &other.code.params) == sizes(&parts[n], args)
                    && sizes(other, &other.code.results) == sizes(&parts[n], results)
            };
            let (callees, handle) = match *callee {
                Callee::Direct(FuncId(id)) => (vec![id as usize + 1], None),
                Callee::Indirect(handle) => ((1..parts.len()).filter(fits).collect(), Some(handle)),
            };
            for &m in &callees {
                let other = &parts[m].code;
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
        parts[n].calls = calls;
    }
    let mut pieces: FxHashMap<usize, (Vec<(u32, u32)>, bool)> = FxHashMap::default();
    for (n, part) in parts.iter().enumerate() {
        let found = call_slots::accesses(&part.code);
        for (slot, offset, bytes) in found.pieces {
            let set = bound.find(base[n] + slot as usize);
            pieces.entry(set).or_default().0.push((offset, bytes));
        }
        for slot in (0..part.code.slots.len()).filter(|&slot| found.memory[slot]) {
            pieces.entry(bound.find(base[n] + slot)).or_default().1 = true;
        }
    }
    for (pieces, memory) in pieces.values_mut() {
        pieces.sort_unstable();
        pieces.dedup();
        *memory |= pieces.windows(2).any(|p| p[0].0 + p[0].1 > p[1].0);
    }
    for (n, part) in parts.iter_mut().enumerate() {
        part.homes = (0..part.code.slots.len())
            .map(|slot| match pieces.get(&bound.find(base[n] + slot)) {
                Some((_, true)) => call_slots::in_frame(&mut part.code, slot),
                Some((list, false)) => {
                    call_slots::in_registers(&mut part.code, list.iter().copied())
                }
                None => Home::Pieces(Vec::new()),
            })
            .collect();
        call_slots::place(&mut part.code, &part.homes);
    }
    parts
}

/// Registers that [`Flatten`] has for itself come first.
const OWN: u32 = 3;

/// Gives the registers of all parts numbers of their own, and finds what lives across calls.
fn renumber(parts: &mut [Body]) {
    let mut first = OWN;
    for part in parts.iter_mut() {
        let code = &mut part.code;
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
        for home in &mut part.homes {
            if let Home::Pieces(pieces) = home {
                pieces.iter_mut().for_each(|(_, reg)| rename(reg));
            }
        }
        let handles = part
            .calls
            .iter_mut()
            .filter_map(|call| call.handle.as_mut());
        handles.for_each(operand);
        first += code.regs.len() as u32;
    }
    for part in parts.iter_mut() {
        let across = live_across(part, first as usize);
        for (call, across) in part.calls.iter_mut().zip(across) {
            call.across = across.iter().collect();
        }
    }
}

/// The registers that live across each call of a part, of `count` in all.
fn live_across(part: &Body, count: usize) -> Vec<RegSet> {
    let code = &part.code;
    let results = part.slots(&code.results);
    let mut live_in = vec![RegSet::new(count); code.blocks.len()];
    let mut across = vec![RegSet::new(count); part.calls.len()];
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
                    let this = &part.calls[call];
                    part.slots(&this.results)
                        .into_iter()
                        .for_each(|reg| live.remove(reg));
                    across[call] = live.clone();
                    let args = part.slots(&this.args).into_iter().map(Operand::Reg);
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

/// Registers of the functions that have the same value in every activation within one call by the kernel.
fn unchanged(parts: &[Body]) -> RegSet {
    let count = OWN as usize + parts.iter().map(|p| p.code.regs.len()).sum::<usize>();
    let mut writers = vec![0u32; count];
    let mut copies: Vec<Option<Reg>> = vec![None; count];
    for block in parts.iter().flat_map(|p| &p.code.blocks) {
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
    for reg in parts.iter().flat_map(results) {
        writers[reg.index()] += 1;
    }
    // What a register that is written once is a copy of.
    let source = |mut reg: Reg| {
        while let (1, Some(from)) = (writers[reg.index()], copies[reg.index()]) {
            reg = from;
        }
        reg
    };
    let mut params = RegSet::new(count);
    for part in &parts[1..] {
        let own = part.slots(&part.code.params).into_iter();
        own.filter(|reg| writers[reg.index()] == 0).for_each(|reg| {
            params.insert(reg);
        });
    }
    // Parameters that are handed on to each other hold one value, unless two of them are of one function.
    let mut joined = Union((0..count).collect());
    let mut bad = Vec::new();
    for part in &parts[1..] {
        for call in &part.calls {
            for other in call.callees.iter().map(|&m| &parts[m]) {
                for (&arg, &param) in call.args.iter().zip(&other.code.params) {
                    for (&(_, from), &(_, to)) in part.pieces(arg).iter().zip(other.pieces(param)) {
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
    for part in &parts[1..] {
        let mut seen: FxHashMap<usize, ()> = FxHashMap::default();
        for reg in part.slots(&part.code.params) {
            let set = joined.find(reg.index());
            wrong[set] |= seen.insert(set, ()).is_some() || writers[reg.index()] > 0;
        }
    }
    let mut same = RegSet::new(count);
    for reg in params.iter() {
        if !wrong[joined.find(reg.index())] {
            same.insert(reg);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        let blocks = parts[1..].iter().flat_map(|p| &p.code.blocks);
        for inst in blocks.flat_map(|b| &b.insts) {
            let (dst, fixed) = match inst {
                Inst::Op { dst, args, .. } => {
                    let known = |o: &Operand| o.reg().is_none_or(|reg| same.contains(reg));
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
                changed |= same.insert(dst);
            }
        }
    }
    same
}
