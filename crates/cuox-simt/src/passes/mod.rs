//! From lowered functions to a [`Unit`] that the verifier accepts and the engines run.
//!
//! Order: `inline` (calls gone where possible, frames placed), `call_slots` (call slots become registers or local
//! memory), `cleanup` (`cfg`, `propagate` by `dominators`, `dead`), `lockstep` (where warps go in lockstep). Each file says what it expects and what it leaves.

// A new operation, instruction or terminator must be thought of everywhere here.
#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub(crate) mod block_split;
pub(crate) mod boundary_branch;
pub(crate) mod call_flattening;
pub(crate) mod call_slots;
pub(crate) mod cfg;
pub(crate) mod checks;
pub(crate) mod cleanup;
pub(crate) mod compare_remat;
pub(crate) mod dead;
pub(crate) mod hot_cold;
pub(crate) mod inline;
pub(crate) mod linearize;
pub(crate) mod lockstep;
pub(crate) mod propagate;
pub(crate) mod superblock;
pub(crate) mod switch_fork;

#[cfg(test)]
mod tests;

pub(crate) use crate::analysis::dominators::{post_dominators, predecessors};
pub(crate) use cfg::{reorder, resize_into};
pub(crate) use cleanup::tidy;

use crate::hash::FastMap;
use crate::ir::{Block, Callee, FuncId, Function, Inst, Op, Operand, Reg, Terminator, Unit};
use crate::lower::{Lowered, MAX_LOCAL};
pub(crate) use inline::MAX_INSTS;

/// Puts a unit together from a kernel and the functions it may reach; `taken` are those that a call through a
/// pointer may reach. The error says which limit the kernel breaks.
pub(crate) fn assemble(
    kernel: Lowered,
    functions: Vec<(FuncId, Lowered)>,
    taken: &[FuncId],
    static_shared: u32,
) -> Result<Unit, String> {
    let library = inline::Library::new(functions);
    let kernel = finish(kernel, &library)?;
    let mut wanted = Vec::new();
    let mut done: FastMap<u32, Function> = FastMap::default();
    want(&kernel, taken, &mut wanted);
    while let Some(id) = wanted.pop() {
        if done.contains_key(&id.0) {
            continue;
        }
        let Some(lowered) = library.get(id) else {
            continue;
        };
        let function = finish(lowered.clone(), &library)?;
        want(&function, taken, &mut wanted);
        done.insert(id.0, function);
    }
    let count = done.keys().max().map_or(0, |&last| last + 1);
    let functions = (0..count)
        .map(|id| done.remove(&id).unwrap_or_else(unreached))
        .collect();
    Ok(Unit {
        kernel,
        functions,
        static_shared,
    })
}

/// Adds the functions that `f` may still call.
fn want(f: &Function, taken: &[FuncId], wanted: &mut Vec<FuncId>) {
    for inst in f.blocks.iter().flat_map(|b| &b.insts) {
        if let Inst::Call { callee, .. } = inst {
            match callee {
                Callee::Direct(id) => wanted.push(*id),
                Callee::Indirect(_) => wanted.extend_from_slice(taken),
            }
        }
    }
}

/// Stands for a function that this kernel cannot reach, so that the numbers of the others hold.
fn unreached() -> Function {
    Function {
        name: String::new(),
        regs: Vec::new(),
        blocks: vec![Block {
            insts: Vec::new(),
            end: Terminator::Trap,
            lines: vec![0],
            mask: None,
        }],
        slots: Vec::new(),
        params: Vec::new(),
        results: Vec::new(),
        local_bytes: 0,
    }
}

fn finish(root: Lowered, library: &inline::Library) -> Result<Function, String> {
    let (mut f, frame_sizes) = inline::run(root, library);
    call_slots::run(&mut f);
    if u64::from(f.local_bytes) > MAX_LOCAL {
        return Err(format!(
            "`{}` needs {} bytes of local memory with all it calls, more than the 512 KiB of a thread",
            f.name, f.local_bytes
        ));
    }
    set_frame_sizes(&mut f, &frame_sizes);
    cleanup::run(&mut f);
    lockstep::run(&mut f);
    Ok(f)
}

/// Gives the registers that stand for the size of local memory their value, which nobody knew before.
fn set_frame_sizes(f: &mut Function, sizes: &[Reg]) {
    let mut is_size = vec![false; f.regs.len()];
    for reg in sizes {
        is_size[reg.index()] = true;
    }
    let bytes = u64::from(f.local_bytes);
    for inst in f.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        if let Inst::Op {
            dst,
            op: Op::Mov(_),
            args,
        } = inst
            && is_size[dst.index()]
        {
            args[0] = Operand::Imm(bytes);
        }
    }
}
