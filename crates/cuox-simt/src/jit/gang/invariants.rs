//! What does not change while a gang runs: its size, where its lanes' values are, what addresses are legal.
//!
//! All of it is in memory, and a block loads what it needs. Held in registers through the whole function, a dozen values would have to
//! be put aside around every call, and the register allocator takes its time by how long values live.

use crate::jit::avx512::args;
use crate::jit::emit::value::trusted;
use crate::jit::gang::GangCodegen;
use crate::jit::runtime::layout::{Env, Gang};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;

/// Such a value (I64).
#[derive(Clone, Copy)]
pub(crate) enum Fixed {
    /// How many lanes the gang has.
    Count,
    /// Lanes of a row of it; see [`Gang`].
    Width,
    Ahead,
    LastRow,
    Inverse,
    /// Address of the gang's part of a lane slot at offset 0, for values of 2, 4 and 8 bytes.
    Slots2,
    Slots4,
    Slots8,
    /// Address of the first warp's mask of a predicate at offset 0.
    Masks,
    /// See [`Env`].
    SpaceBase,
    SpaceMask,
    Shared,
    SharedBytes,
}

/// How many there are.
pub(crate) const COUNT: usize = Fixed::SharedBytes as usize + 1;

impl GangCodegen<'_, '_, '_, '_> {
    pub(crate) fn fixed(&mut self, which: Fixed) -> Value {
        if let Some(value) = self.fixed[which as usize] {
            return value;
        }
        let gang = |offset: usize| (self.gang, offset);
        let env = |offset: usize| (self.env, offset);
        let (base, offset) = match which {
            Fixed::Count => gang(offset_of!(Gang, count)),
            Fixed::Width => gang(offset_of!(Gang, width)),
            Fixed::Ahead => gang(offset_of!(Gang, ahead)),
            Fixed::LastRow => gang(offset_of!(Gang, last_row)),
            Fixed::Inverse => gang(offset_of!(Gang, inverse)),
            Fixed::SpaceBase => env(offset_of!(Env, space_base)),
            Fixed::SpaceMask => env(offset_of!(Env, space_mask)),
            Fixed::Shared => env(offset_of!(Env, shared)),
            Fixed::SharedBytes => env(offset_of!(Env, shared_bytes)),
            Fixed::Slots2 => return self.header_field(which, args::SLOTS_2),
            Fixed::Slots4 => return self.header_field(which, args::SLOTS_4),
            Fixed::Slots8 => return self.header_field(which, args::SLOTS_8),
            Fixed::Masks => return self.header_field(which, args::BITS),
        };
        let b = &mut self.g.e.b;
        let value = b.ins().load(types::I64, trusted(), base, offset as i32);
        self.loaded(which, value)
    }

    fn header_field(&mut self, which: Fixed, offset: i32) -> Value {
        let (slot, ty) = (self.wide_args, types::I64);
        let value = self.g.e.b.ins().stack_load(ty, ty, slot, offset);
        self.loaded(which, value)
    }

    fn loaded(&mut self, which: Fixed, value: Value) -> Value {
        if self.early {
            self.fixed[which as usize] = Some(value);
        }
        value
    }

    /// Address of the gang's part of a lane slot at offset 0, for values of 2 to the power of `shift` bytes.
    pub(crate) fn slots(&mut self, shift: u32) -> Value {
        match shift {
            1 => self.fixed(Fixed::Slots2),
            2 => self.fixed(Fixed::Slots4),
            3 => self.fixed(Fixed::Slots8),
            _ => {
                // Of 16, then: as far behind the start as the slots of 8, once more.
                let lanes = self.env_load(types::I64, offset_of!(Env, lanes));
                let eights = self.fixed(Fixed::Slots8);
                let b = &mut self.g.e.b;
                let ahead = b.ins().isub(eights, lanes);
                b.ins().iadd(eights, ahead)
            }
        }
    }

    /// Loads what loops over lanes use, before one begins; what it then does not use costs nothing. Code that follows may be one that not
    /// all comes by.
    pub(crate) fn hold_fixed(&mut self) {
        self.early = true;
        for which in [
            Fixed::Count,
            Fixed::Inverse,
            Fixed::Ahead,
            Fixed::Width,
            Fixed::Slots2,
            Fixed::Slots4,
            Fixed::Slots8,
            Fixed::Masks,
            Fixed::SpaceBase,
            Fixed::SpaceMask,
            Fixed::Shared,
            Fixed::SharedBytes,
        ] {
            self.fixed(which);
        }
        self.early = false;
    }
}
