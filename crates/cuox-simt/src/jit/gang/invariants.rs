//! Invariants of a running gang: its size, the addresses of its lane slots, the range of legal addresses.
//!
//! All are in memory, and a block loads those that it needs. If they were kept in registers throughout the function, a
//! dozen values would be spilled around every call, and register allocation takes time in proportion to the length of
//! live ranges.

use crate::jit::avx512::args;
use crate::jit::emit::value::trusted;
use crate::jit::gang::GangCodegen;
use crate::jit::runtime::layout::{Env, Gang};
use cranelift_codegen::ir::{InstBuilder, Value, types};
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

impl GangCodegen<'_, '_, '_, '_> {
    pub(crate) fn invariant(&mut self, which: Invariant) -> Value {
        if let Some(value) = self.invariants[which as usize] {
            return value;
        }
        let gang = |offset: usize| (self.gang, offset);
        let env = |offset: usize| (self.env, offset);
        let (base, offset) = match which {
            Invariant::Count => gang(offset_of!(Gang, count)),
            Invariant::Width => gang(offset_of!(Gang, width)),
            Invariant::Ahead => gang(offset_of!(Gang, ahead)),
            Invariant::LastRow => gang(offset_of!(Gang, last_row)),
            Invariant::Inverse => gang(offset_of!(Gang, inverse)),
            Invariant::SpaceBase => env(offset_of!(Env, space_base)),
            Invariant::SpaceMask => env(offset_of!(Env, space_mask)),
            Invariant::Shared => env(offset_of!(Env, shared)),
            Invariant::SharedBytes => env(offset_of!(Env, shared_bytes)),
            Invariant::Slots2 => return self.header_field(which, args::SLOTS_2),
            Invariant::Slots4 => return self.header_field(which, args::SLOTS_4),
            Invariant::Slots8 => return self.header_field(which, args::SLOTS_8),
            Invariant::Masks => return self.header_field(which, args::BITS),
        };
        let b = &mut self.g.e.b;
        let value = b.ins().load(types::I64, trusted(), base, offset as i32);
        self.loaded(which, value)
    }

    fn header_field(&mut self, which: Invariant, offset: i32) -> Value {
        let (slot, ty) = (self.wide_args, types::I64);
        let value = self.g.e.b.ins().stack_load(ty, ty, slot, offset);
        self.loaded(which, value)
    }

    fn loaded(&mut self, which: Invariant, value: Value) -> Value {
        if self.early {
            self.invariants[which as usize] = Some(value);
        }
        value
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

    /// Loads the invariants that loops over lanes use, before the first loop. Unused loads cost nothing. The code after
    /// this call may be conditional.
    pub(crate) fn load_invariants(&mut self) {
        self.early = true;
        for which in [
            Invariant::Count,
            Invariant::Inverse,
            Invariant::Ahead,
            Invariant::Width,
            Invariant::Slots2,
            Invariant::Slots4,
            Invariant::Slots8,
            Invariant::Masks,
            Invariant::SpaceBase,
            Invariant::SpaceMask,
            Invariant::Shared,
            Invariant::SharedBytes,
        ] {
            self.invariant(which);
        }
        self.early = false;
    }
}
