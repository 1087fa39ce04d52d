//! What machine code refers to by its address: names that stay the same from process to process, so that code can be kept on disk, and
//! the one place that turns them into addresses.

use super::helpers;
use super::wide::helpers as wide_helpers;
use crate::ir::Op;
use crate::sem::approx::tables;
use crate::sem::approx::unit::{Piece, TANH_PLACES};
use cranelift_codegen::ir::UserExternalName;

/// A function of the engine that generated code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Helper {
    /// [`helpers::eval`].
    Eval,
    /// [`helpers::warp_op`].
    WarpOp,
    /// [`helpers::syscall`].
    Syscall,
    /// [`helpers::pending_fault`].
    PendingFault,
    /// [`helpers::atomic`].
    Atomic,
    /// [`helpers::wide_atomic`].
    WideAtomic,
    /// [`helpers::clock`].
    Clock,
    /// [`helpers::image_of_four`].
    ImageOfFour,
    /// [`helpers::image_of_one`].
    ImageOfOne,
    /// [`wide_helpers::eval_lanes`].
    EvalLanes,
    /// [`wide_helpers::atomic_lanes`].
    AtomicLanes,
}

impl Helper {
    /// All of them, by number.
    const ALL: [Helper; 11] = [
        Helper::Eval,
        Helper::WarpOp,
        Helper::Syscall,
        Helper::PendingFault,
        Helper::Atomic,
        Helper::WideAtomic,
        Helper::Clock,
        Helper::ImageOfFour,
        Helper::ImageOfOne,
        Helper::EvalLanes,
        Helper::AtomicLanes,
    ];

    fn address(self) -> usize {
        match self {
            Helper::Eval => helpers::eval as *const () as usize,
            Helper::WarpOp => helpers::warp_op as *const () as usize,
            Helper::Syscall => helpers::syscall as *const () as usize,
            Helper::PendingFault => helpers::pending_fault as *const () as usize,
            Helper::Atomic => helpers::atomic as *const () as usize,
            Helper::WideAtomic => helpers::wide_atomic as *const () as usize,
            Helper::Clock => helpers::clock as *const () as usize,
            Helper::ImageOfFour => helpers::image_of_four as *const () as usize,
            Helper::ImageOfOne => helpers::image_of_one as *const () as usize,
            Helper::EvalLanes => wide_helpers::eval_lanes as *const () as usize,
            Helper::AtomicLanes => wide_helpers::atomic_lanes as *const () as usize,
        }
    }
}

/// Something that has another address in every process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A function of the engine.
    Helper(Helper),
    /// One of the kernel's [`Ops`], by number.
    Op(u32),
    /// One of [`TABLES`], by number.
    Table(u32),
}

/// The function unit's tables that code reads.
const TABLES: [&[Piece]; 8] = [
    &tables::RCP.0,
    &tables::RSQRT.0,
    &tables::SQRT.0,
    &tables::EX2.0,
    &tables::LG2.0,
    &tables::SIN.0,
    &tables::TANH.0,
    &TANH_PLACES.0,
];

impl Symbol {
    /// The symbol of a table; of one that is not among [`TABLES`], one without an address.
    pub fn of_table(pieces: &'static [Piece]) -> Symbol {
        let number = TABLES.iter().position(|&t| std::ptr::eq(t, pieces));
        Symbol::Table(number.map_or(u32::MAX, |n| n as u32))
    }

    /// Its name in Cranelift's functions and in files.
    pub fn name(self) -> UserExternalName {
        match self {
            Symbol::Helper(helper) => UserExternalName::new(0, helper as u32),
            Symbol::Op(number) => UserExternalName::new(1, number),
            Symbol::Table(number) => UserExternalName::new(2, number),
        }
    }

    /// The symbol of a name.
    pub fn from_name(name: &UserExternalName) -> Option<Symbol> {
        match name.namespace {
            0 => Helper::ALL
                .get(name.index as usize)
                .map(|&h| Symbol::Helper(h)),
            1 => Some(Symbol::Op(name.index)),
            2 => TABLES
                .get(name.index as usize)
                .map(|_| Symbol::Table(name.index)),
            _ => None,
        }
    }

    /// Its address in this process; `None` for an operation or a table that there is not.
    pub fn address(self, ops: &[Op]) -> Option<usize> {
        match self {
            Symbol::Helper(helper) => Some(helper.address()),
            Symbol::Op(number) => ops.get(number as usize).map(|op| &raw const *op as usize),
            Symbol::Table(number) => TABLES.get(number as usize).map(|t| t.as_ptr() as usize),
        }
    }
}

/// Operations that a kernel's code has evaluated by [`crate::sem`].
#[derive(Default)]
pub struct Ops(Vec<Op>);

impl Ops {
    /// The symbol of an operation.
    pub fn symbol(&mut self, op: Op) -> Symbol {
        let number = self.0.iter().position(|&o| o == op).unwrap_or_else(|| {
            self.0.push(op);
            self.0.len() - 1
        });
        Symbol::Op(number as u32)
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<Op> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_symbols_are_the_same() {
        for helper in Helper::ALL {
            let symbol = Symbol::Helper(helper);
            assert_eq!(Symbol::from_name(&symbol.name()), Some(symbol));
        }
        assert_eq!(
            Symbol::from_name(&Symbol::Op(7).name()),
            Some(Symbol::Op(7))
        );
        let unknown = UserExternalName::new(0, Helper::ALL.len() as u32);
        assert_eq!(Symbol::from_name(&unknown), None);
        assert_eq!(Symbol::Op(0).address(&[]), None);
        let table = Symbol::of_table(&tables::SIN.0);
        assert_eq!(Symbol::from_name(&table.name()), Some(table));
        let address = tables::SIN.0.as_ptr() as usize;
        assert_eq!(table.address(&[]), Some(address));
        let other = Symbol::of_table(&tables::SIN.0[1..]);
        assert_eq!(
            (other.address(&[]), Symbol::from_name(&other.name())),
            (None, None)
        );
    }
}
