//! Invariants of a running gang: its size, the addresses of its lane slots, the range of legal addresses.
//!
//! All are in memory, and a block loads those that it needs. If they were kept in registers throughout the function, a
//! dozen values would be spilled around every call, and register allocation takes time in proportion to the length of
//! live ranges.

use crate::jit::avx512::args;
use crate::jit::emit::value::trusted;
use crate::jit::gang::GangCodegen;
use crate::jit::gang::local::Local;
use crate::jit::runtime::layout::{Env, Gang};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Block, Function, Inst, InstBuilder, StackSlot, Value, types};
use std::mem::offset_of;

/// Invariant value of a gang (I64).
#[derive(Clone, Copy)]
pub(crate) enum Invariant {
    /// Number of lanes in the gang.
    Count,
    /// Number of lanes in a row; see [`Gang`].
    Width,
    Ahead,
    LastRow,
    Inverse,
    /// Address of the gang's lanes in a lane slot at offset 0, for values of 2, 4 and 8 bytes.
    Slots2,
    Slots4,
    Slots8,
    /// Address of the first warp's mask of a predicate at offset 0.
    Masks,
    /// Field of [`Env`] with the same name.
    SpaceBase,
    SpaceMask,
    Shared,
    SharedBytes,
}

/// Number of invariants.
pub(crate) const COUNT: usize = Invariant::SharedBytes as usize + 1;

/// Where an invariant is in memory.
enum Source {
    Memory(Value, usize),
    /// In the arguments of wide code.
    Header(StackSlot, i32),
}

impl Source {
    fn load<'f>(self, ins: impl InstBuilder<'f>) -> Value {
        match self {
            Source::Memory(base, offset) => ins.load(types::I64, trusted(), base, offset as i32),
            Source::Header(slot, offset) => ins.stack_load(types::I64, types::I64, slot, offset),
        }
    }
}

/// Place in code that has been generated: behind an instruction, or at the start of a block.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    block: Block,
    after: Option<Inst>,
}

impl Place {
    fn cursor(self, func: &mut Function) -> FuncCursor<'_> {
        let next = match self.after {
            Some(inst) => func.layout.next_inst(inst),
            None => func.layout.first_inst(self.block),
        };
        let cursor = FuncCursor::new(func);
        match next {
            Some(inst) => cursor.at_inst(inst),
            None => cursor.at_bottom(self.block),
        }
    }
}

impl GangCodegen<'_, '_, '_, '_> {
    pub(crate) fn invariant(&mut self, which: Invariant) -> Value {
        if let Some(value) = self.invariants[which as usize] {
            return value;
        }
        if let Some(value) = self.invariant_of_warp(which) {
            return value;
        }
        let gang = |offset: usize| Source::Memory(self.gang, offset);
        let env = |offset: usize| Source::Memory(self.env, offset);
        let header = |offset: i32| Source::Header(self.wide_args, offset);
        let source = match which {
            Invariant::Count => gang(offset_of!(Gang, count)),
            Invariant::Width => gang(offset_of!(Gang, width)),
            Invariant::Ahead => gang(offset_of!(Gang, ahead)),
            Invariant::LastRow => gang(offset_of!(Gang, last_row)),
            Invariant::Inverse => gang(offset_of!(Gang, inverse)),
            Invariant::SpaceBase => env(offset_of!(Env, space_base)),
            Invariant::SpaceMask => env(offset_of!(Env, space_mask)),
            Invariant::Shared => env(offset_of!(Env, shared)),
            Invariant::SharedBytes => env(offset_of!(Env, shared_bytes)),
            Invariant::Slots2 => header(args::SLOTS_2),
            Invariant::Slots4 => header(args::SLOTS_4),
            Invariant::Slots8 => header(args::SLOTS_8),
            Invariant::Masks => header(args::BITS),
        };
        let value = match self.before_loops {
            Some(place) if !self.early => source.load(place.cursor(self.g.e.b.func).ins()),
            _ => source.load(self.g.e.b.ins()),
        };
        if self.early || self.before_loops.is_some() {
            self.invariants[which as usize] = Some(value);
        }
        value
    }

    /// Returns what a gang of one warp needs no memory for.
    fn invariant_of_warp(&mut self, which: Invariant) -> Option<Value> {
        let local = match which {
            Invariant::Slots2 if self.locals => Local::Slots2,
            Invariant::Slots4 if self.locals => Local::Slots4,
            Invariant::Slots8 if self.locals => Local::Slots8,
            Invariant::Masks if self.locals => Local::Masks,
            Invariant::Count if self.plan.half => return Some(self.g.e.iconst(types::I64, 16)),
            Invariant::Count if self.one_warp() && !self.plan.partial => {
                return Some(self.g.e.iconst(types::I64, 32));
            }
            _ => return None,
        };
        Some(local.address(self.g.e.b))
    }

    /// Notes that a loop over lanes begins: invariants that are first needed in it or behind it are loaded here. The
    /// code after this call may be conditional.
    pub(crate) fn begin_loops(&mut self) {
        let b = &self.g.e.b;
        self.before_loops = b.current_block().map(|block| Place {
            block,
            after: b.func.layout.last_inst(block),
        });
        self.early = false;
    }

    /// Returns the address of the gang's lanes in a lane slot at offset 0, for values of `1 << shift` bytes.
    pub(crate) fn slots(&mut self, shift: u32) -> Value {
        match shift {
            1 => self.invariant(Invariant::Slots2),
            2 => self.invariant(Invariant::Slots4),
            3 => self.invariant(Invariant::Slots8),
            _ => {
                // For 16 bytes the offset is twice that of 8-byte slots.
                let lanes = self.env_load(types::I64, offset_of!(Env, lanes));
                let eights = self.invariant(Invariant::Slots8);
                let b = &mut self.g.e.b;
                let ahead = b.ins().isub(eights, lanes);
                b.ins().iadd(eights, ahead)
            }
        }
    }
}
