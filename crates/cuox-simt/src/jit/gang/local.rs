//! Addresses of what a gang of one warp keeps in locals of its code in place of memory: they stand for themselves until
//! that code is made ([`crate::jit::llvm::warp`]).

use crate::jit::emit::value::named_address;
use cranelift_codegen::ir::{
    ExternalName, Function, GlobalValue, GlobalValueData, UserExternalName, Value,
};
use cranelift_frontend::FunctionBuilder;

/// Namespaces of these names; those of [`crate::jit::code::symbol::Symbol`] are lower.
const SLOTS: u32 = 8;
const WIDE: u32 = 9;
const LEAVE: u32 = 10;
const MOVE: u32 = 11;
const ENTER: u32 = 12;
const PREFETCH: u32 = 13;

/// An address of a gang's state at offset 0, or a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Local {
    /// The gang's lanes in slots of 2, 4 and 8 bytes.
    Slots2,
    Slots4,
    Slots8,
    /// The warp's mask of a predicate.
    Masks,
    /// A wide function, by number.
    Wide(u32),
    /// A function that writes to memory what lives after a block.
    Leave(u32),
    /// A function that writes to memory what lives after the way from one block to another, the numbers of which are
    /// its arguments.
    Enter,
    /// A function that adds a number of bytes to the address of the gang's state, from the start of the code on.
    Move,
    /// A function that has memory at an address brought near.
    Prefetch,
}

impl Local {
    /// Those of the state.
    pub const ALL: [Local; 4] = [Local::Slots2, Local::Slots4, Local::Slots8, Local::Masks];

    fn name(self) -> UserExternalName {
        match self {
            Local::Slots2 => UserExternalName::new(SLOTS, 0),
            Local::Slots4 => UserExternalName::new(SLOTS, 1),
            Local::Slots8 => UserExternalName::new(SLOTS, 2),
            Local::Masks => UserExternalName::new(SLOTS, 3),
            Local::Wide(number) => UserExternalName::new(WIDE, number),
            Local::Leave(block) => UserExternalName::new(LEAVE, block),
            Local::Move => UserExternalName::new(MOVE, 0),
            Local::Enter => UserExternalName::new(ENTER, 0),
            Local::Prefetch => UserExternalName::new(PREFETCH, 0),
        }
    }

    /// Returns the address.
    pub fn address(self, b: &mut FunctionBuilder) -> Value {
        named_address(b, self.name())
    }

    /// Returns what a name stands for, if it is one of these.
    pub fn named(name: &UserExternalName) -> Option<Local> {
        match name.namespace {
            SLOTS => Local::ALL.get(name.index as usize).copied(),
            WIDE => Some(Local::Wide(name.index)),
            LEAVE => Some(Local::Leave(name.index)),
            MOVE => Some(Local::Move),
            ENTER => Some(Local::Enter),
            PREFETCH => Some(Local::Prefetch),
            _ => None,
        }
    }
}

/// Returns the name behind a global value.
pub(crate) fn name_of(func: &Function, value: GlobalValue) -> Option<&UserExternalName> {
    match &func.global_values[value] {
        GlobalValueData::Symbol {
            name: ExternalName::User(name),
            ..
        } => Some(&func.params.user_named_funcs()[*name]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jit::code::symbol::Symbol;

    #[test]
    fn names_stand_for_one_thing() {
        let all = Local::ALL.into_iter().chain([
            Local::Wide(3),
            Local::Leave(7),
            Local::Move,
            Local::Enter,
            Local::Prefetch,
        ]);
        for local in all {
            let name = local.name();
            assert_eq!(Local::named(&name), Some(local));
            assert_eq!(Symbol::from_name(&name), None);
        }
        assert_eq!(Local::named(&Symbol::Op(1).name()), None);
    }
}
