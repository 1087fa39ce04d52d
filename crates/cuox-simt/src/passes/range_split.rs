//! Splits live ranges: a value gets a register of its own where addresses are made of it, if that lets gangs have it
//! once.
//!
//! The index of a loop that threads enter or leave apart (`for (k = start + lane; k < end; k += 32)`) is one register
//! with several definitions, and varies since threads stay in the loop for different times. Before the loop it does
//! not. The pass expects a function that is not linearised yet; the old registers keep their values.

use crate::analysis::dominators::predecessors;
use crate::analysis::uniformity::{Uniformity, UniformityInfo, widens};
use crate::ir::{Args, BlockId, Function, Inst, Op, Operand, Reg, Ty};
use crate::passes::boundary_branch::Counts;

/// Largest number of registers times instructions that are looked at.
const MAX_WORK: usize = 1 << 22;

/// Position of an instruction: block and index.
type Place = (usize, usize);

/// Where the value of a register comes from: `Unset` where no way has been looked at, then `One`, then `Several`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Unset,
    /// From this definition.
    One(Place),
    /// From one of several, or none.
    Several,
}

impl Source {
    fn or(self, other: Source) -> Source {
        match (self, other) {
            (Source::Unset, one) | (one, Source::Unset) => one,
            (a, b) if a == b => a,
            _ => Source::Several,
        }
    }
}

/// Returns the function with more registers, or `None` if none of them would help. Registers of `steady` stay as they
/// are.
pub fn run(func: &Function, uniformity: &UniformityInfo, steady: &[Reg]) -> Option<Function> {
    let mut candidates = candidates(func, uniformity, steady);
    candidates.sort_unstable_by_key(|&(reg, place)| (reg.0, place));
    let of_one: Vec<&[(Reg, Place)]> = candidates.chunk_by(|(a, _), (b, _)| a == b).collect();
    let insts: usize = func.blocks.iter().map(|block| block.insts.len()).sum();
    if of_one.len().saturating_mul(insts) > MAX_WORK {
        return None;
    }
    // The definition, and the instructions that make addresses of its value alone.
    let mut found: Vec<(Reg, Place, Vec<Place>)> = Vec::new();
    for definitions in of_one {
        let Some(&(reg, _)) = definitions.first() else {
            continue;
        };
        let uses = address_uses(func, reg);
        for &(_, place) in definitions {
            let own = uses.iter().filter(|(_, from)| *from == Source::One(place));
            let own: Vec<Place> = own.map(|&(at, _)| at).collect();
            if !own.is_empty() {
                found.push((reg, place, own));
            }
        }
    }
    (!found.is_empty()).then(|| split(func, found))
}

/// Returns the definitions of registers that vary whose own values would not: one of several definitions.
fn candidates(func: &Function, uniformity: &UniformityInfo, steady: &[Reg]) -> Vec<(Reg, Place)> {
    let defs = Counts::new(func).defs;
    let mut in_addresses = vec![false; func.regs.len()];
    for inst in func.blocks.iter().flat_map(|block| &block.insts) {
        inst.uses(|operand| {
            if let Some(reg) = operand.reg() {
                in_addresses[reg.index()] |= makes_address(inst, reg);
            }
        });
    }
    let own = uniformity.of_results(func);
    let mut found = Vec::new();
    for (b, block) in func.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            if let Inst::Op { dst, .. } = inst
                && defs[dst.index()] > 1
                && in_addresses[dst.index()]
                && matches!(func.ty(*dst), Ty::B32 | Ty::B64)
                && uniformity.of(*dst) == Uniformity::Varying
                && own(inst).is_one_per_gang()
                && !steady.contains(dst)
            {
                found.push((*dst, (b, i)));
            }
        }
    }
    found
}

/// Returns the instructions that make an address of a register, with what its value comes from there.
fn address_uses(func: &Function, reg: Reg) -> Vec<(Place, Source)> {
    let walk = |b: usize, mut now: Source, mut visit: Option<&mut dyn FnMut(Place, Source)>| {
        for (i, inst) in func.blocks[b].insts.iter().enumerate() {
            if let Some(visit) = &mut visit
                && makes_address(inst, reg)
            {
                visit((b, i), now);
            }
            inst.defs(|dst| {
                if dst == reg {
                    now = Source::One((b, i));
                }
            });
        }
        func.blocks[b].end.defs(|dst| {
            if dst == reg {
                now = Source::Several;
            }
        });
        now
    };
    let before = predecessors(func);
    let mut after = vec![Source::Unset; func.blocks.len()];
    let at_start = |after: &[Source], b: usize| {
        let first = if b == 0 {
            Source::Several
        } else {
            Source::Unset
        };
        let ahead = before[b].iter().map(|p: &BlockId| after[p.index()]);
        ahead.fold(first, Source::or)
    };
    // What is known of a block's end only grows, so the iteration terminates.
    let mut changed = true;
    while changed {
        changed = false;
        for b in 0..func.blocks.len() {
            let end = walk(b, at_start(&after, b), None);
            changed |= end != after[b];
            after[b] = end;
        }
    }
    let mut found = Vec::new();
    for b in 0..func.blocks.len() {
        let mut visit = |place, source| found.push((place, source));
        walk(b, at_start(&after, b), Some(&mut visit));
    }
    found
}

/// Tells whether an instruction accesses memory at a register's value, or widens it to an address. Comparisons are left
/// alone: they would be decided once for a gang, whose threads part there.
fn makes_address(inst: &Inst, reg: Reg) -> bool {
    let is = |operand: &Operand| operand.reg() == Some(reg);
    if let Inst::Op { op, args, .. } = inst {
        let adds = matches!(op, Op::Int(_, Ty::B64) | Op::Mov(Ty::B64));
        return (adds || widens(*op).is_some()) && args.iter().any(is);
    }
    if let Inst::Check { addr, .. } = inst {
        return is(&addr.base);
    }
    inst.address().is_some_and(|addr| is(&addr.base))
}

/// Gives each definition a register for its uses.
fn split(func: &Function, mut found: Vec<(Reg, Place, Vec<Place>)>) -> Function {
    let mut out = func.clone();
    // From the last place on, as copies move what is behind them.
    found.sort_unstable_by_key(|&(_, place, _)| std::cmp::Reverse(place));
    let named: Vec<(Reg, Reg, Place)> = found
        .iter()
        .map(|(reg, place, uses)| {
            let name = out.new_reg(func.ty(*reg));
            for &(b, i) in uses {
                let inst = &mut out.blocks[b].insts[i];
                inst.uses_mut(|operand| {
                    if operand.reg() == Some(*reg) {
                        *operand = Operand::Reg(name);
                    }
                });
            }
            (*reg, name, *place)
        })
        .collect();
    for (reg, name, (b, i)) in named {
        let block = &mut out.blocks[b];
        block.insts[i].defs_mut(|dst| *dst = name);
        let copy = Inst::Op {
            dst: reg,
            op: Op::Mov(func.ty(reg)),
            args: Args::new(&[Operand::Reg(name)]),
        };
        block.insts.insert(i + 1, copy);
        block.lines.insert(i + 1, block.lines[i]);
    }
    out
}
