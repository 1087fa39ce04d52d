//! Symbols: process-independent names for what machine code refers to by address or number, so that code can be kept on
//! disk.
//! [`crate::jit::runtime::link`] resolves them to addresses.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

use crate::ir::{Access, AtomOp, Function, ImageOp, Inst, Num, Op, Syscall};
pub use crate::jit::code::helper::Helper;
use crate::sem::approx::sfu::{Parabola, TANH_REDUCTION};
use crate::sem::approx::tables;
use cranelift_codegen::ir::UserExternalName;
use std::collections::HashSet;
use std::hash::Hash;

/// Object or function whose address differs between processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// Helper function of the engine.
    Helper(Helper),
    /// Operation of the kernel, by its number in [`Numbers`].
    Op(u32),
    /// Table of [`TABLES`], by number.
    Table(u32),
}

/// SFU tables that code reads.
pub const TABLES: [&[Parabola]; 8] = [
    &tables::RCP.0,
    &tables::RSQRT.0,
    &tables::SQRT.0,
    &tables::EX2.0,
    &tables::LG2.0,
    &tables::SIN.0,
    &tables::TANH.0,
    &TANH_REDUCTION.0,
];

impl Symbol {
    /// Returns the symbol of a table. A table missing from [`TABLES`] gets a symbol without an address.
    pub fn of_table(pieces: &'static [Parabola]) -> Symbol {
        let number = TABLES.iter().position(|&t| std::ptr::eq(t, pieces));
        Symbol::Table(number.map_or(u32::MAX, |n| n as u32))
    }

    /// Returns the symbol's name in Cranelift functions and in files.
    pub fn name(self) -> UserExternalName {
        match self {
            Symbol::Helper(helper) => UserExternalName::new(0, helper as u32),
            Symbol::Op(number) => UserExternalName::new(1, number),
            Symbol::Table(number) => UserExternalName::new(2, number),
        }
    }

    /// Returns the symbol with a name.
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

    /// Tells whether the symbol exists for code with the operations `ops`.
    pub fn exists(self, ops: &[Op]) -> bool {
        match self {
            Symbol::Helper(_) => true,
            Symbol::Op(number) => (number as usize) < ops.len(),
            Symbol::Table(number) => (number as usize) < TABLES.len(),
        }
    }
}

/// Call site of a helper.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// Driver service, with its number of arguments.
    Syscall(Syscall),
    /// Texture or surface operation.
    Image(ImageOp),
    /// Atomic operation, which may have no inline code.
    Atomic(AtomOp, Num, bool),
    /// Check of a memory access.
    Check(Access),
}

impl Site {
    fn of(inst: &Inst) -> Option<Site> {
        match *inst {
            Inst::Syscall { call, .. } => Some(Site::Syscall(call)),
            Inst::Image { op, .. } => Some(Site::Image(op)),
            Inst::Atomic {
                op, num, packed, ..
            } => Some(Site::Atomic(op, num, packed)),
            Inst::Check { access, .. } => Some(Site::Check(access)),
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Fence(_)
            | Inst::Call { .. } => None,
        }
    }
}

/// Numbers of the operations and call sites that a kernel's code refers to. They are numbered in order of first
/// appearance, so code that is generated at another time or in another process has the same numbers.
#[derive(Default)]
pub struct Numbers {
    ops: Box<[Op]>,
    sites: Box<[Site]>,
}

impl Numbers {
    /// Numbers the operations and sites of a kernel.
    pub fn new(func: &Function) -> Numbers {
        let insts = || func.blocks.iter().flat_map(|b| &b.insts);
        let op = |inst: &Inst| match *inst {
            Inst::Op { op, .. } => Some(op),
            Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Atomic { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => None,
        };
        Numbers {
            ops: distinct(insts().filter_map(op)),
            sites: distinct(insts().filter_map(Site::of)),
        }
    }

    /// Returns the symbol of an operation. An operation that the kernel lacks gets a symbol without an address.
    pub fn op(&self, op: Op) -> Symbol {
        let number = self.ops.iter().position(|&o| o == op);
        Symbol::Op(number.map_or(u32::MAX, |n| n as u32))
    }

    /// Returns the number of a site. A site that the kernel lacks gets an unused number.
    pub fn site(&self, site: Site) -> i64 {
        let number = self.sites.iter().position(|&s| s == site);
        number.map_or(i64::from(u32::MAX), |n| n as i64)
    }

    /// Returns the operations. Their addresses stay the same as long as this value lives, even if it is moved.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns the site with a number.
    pub fn site_at(&self, number: usize) -> Option<Site> {
        self.sites.get(number).copied()
    }
}

fn distinct<T: Copy + Eq + Hash>(all: impl Iterator<Item = T>) -> Box<[T]> {
    let mut seen = HashSet::new();
    all.filter(|&item| seen.insert(item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_symbols_are_the_same() {
        for &helper in Helper::ALL {
            let symbol = Symbol::Helper(helper);
            assert_eq!(Symbol::from_name(&symbol.name()), Some(symbol));
        }
        assert_eq!(
            Symbol::from_name(&Symbol::Op(7).name()),
            Some(Symbol::Op(7))
        );
        let unknown = UserExternalName::new(0, Helper::ALL.len() as u32);
        assert_eq!(Symbol::from_name(&unknown), None);
        let table = Symbol::of_table(&tables::SIN.0);
        assert_eq!(Symbol::from_name(&table.name()), Some(table));
        let other = Symbol::of_table(&tables::SIN.0[1..]);
        assert_eq!(Symbol::from_name(&other.name()), None);
        let exist = [table, other, Symbol::Op(0)].map(|symbol| symbol.exists(&[]));
        assert_eq!(exist, [true, false, false]);
    }
}
