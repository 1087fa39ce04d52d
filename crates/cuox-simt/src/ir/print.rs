//! The IR as text, for people and for tests.
//!
//! A function is printed as its slots, its registers' types and its blocks; `%3` is a register, `b2` a block, `s1` a
//! call slot, `f0` a device function. A number after `;` is the PTX line, printed where it changes. Names of operations
//! are in Rusty Object Notation. [`super::read`] reads all of it.

use crate::ir::{
    Access, Address, Block, BlockId, Callee, Function, Inst, Mask, Operand, Reg, Space, Terminator,
    Unit,
};
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// The form of [`Name`]s.
pub(super) fn names() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// The name of an operation, with all that belongs to it.
struct Name<'a, T>(&'a T);

impl<T: Serialize> Display for Name<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let one_line = PrettyConfig::new().depth_limit(0);
        names()
            .to_writer_pretty(&mut *f, self.0, one_line)
            .map_err(|_| fmt::Error)
    }
}

impl Display for Reg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for BlockId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Reg(reg) => reg.fmt(f),
            Operand::Imm(bits) if *bits < 10 => write!(f, "{bits}"),
            Operand::Imm(bits) => write!(f, "{bits:#x}"),
        }
    }
}

impl Display for Space {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Space::Flat => f.write_str("flat"),
            Space::Shared => f.write_str("shared"),
            Space::Local => f.write_str("local"),
            Space::Param => f.write_str("param"),
            Space::Slot(slot) => write!(f, "s{slot}"),
        }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}", self.space, self.base)?;
        match self.offset {
            0 => {}
            n if n < 0 => write!(f, " - {}", n.unsigned_abs())?,
            n => write!(f, " + {n}")?,
        }
        f.write_str("]")
    }
}

/// A list with commas.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

/// The results in front of an operation, `_` for those that are discarded; nothing if there is none.
struct Results<'a>(&'a [Option<Reg>]);

impl Display for Results<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, dst) in self.0.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            match dst {
                Some(reg) => write!(f, "{comma}{reg}")?,
                None => write!(f, "{comma}_")?,
            }
        }
        match self.0 {
            [] => Ok(()),
            _ => f.write_str(" = "),
        }
    }
}

/// The result of an operation that has one at most.
struct Wanted(Option<Reg>);

impl Display for Wanted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(reg) => write!(f, "{reg} = "),
            None => Ok(()),
        }
    }
}

/// A slot number as `s3`.
struct SlotName(u32);

impl Display for SlotName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

fn slot_names(slots: &[u32]) -> Vec<SlotName> {
    slots.iter().copied().map(SlotName).collect()
}

impl Display for Inst {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Inst::Op { dst, op, args } => write!(f, "{dst} = {} {}", Name(op), List(args)),
            Inst::Special { dst, special } => write!(f, "{dst} = special {}", Name(special)),
            Inst::SymbolAddress { dst, variable } => write!(f, "{dst} = variable {variable}"),
            Inst::FunctionAddress { dst, func } => write!(f, "{dst} = function f{}", func.0),
            Inst::Load {
                dsts,
                ty,
                signed,
                addr,
                order,
            } => {
                let sign = if *signed { "signed." } else { "" };
                write!(f, "{}load.{sign}{ty} {addr}", Results(dsts))?;
                print_order(f, *order)
            }
            Inst::Store {
                srcs,
                ty,
                addr,
                order,
            } => {
                write!(f, "store.{ty} {addr}, {}", List(srcs))?;
                print_order(f, *order)
            }
            Inst::Atomic {
                dst,
                op,
                num,
                packed,
                addr,
                args,
                order,
            } => {
                let x2 = if *packed { " x2" } else { "" };
                write!(f, "{}atomic {} {}", Wanted(*dst), Name(op), Name(num))?;
                write!(f, "{x2} {addr}, {}", List(args))?;
                print_order(f, *order)
            }
            Inst::Check { addr, access } => {
                let Access { kind, bytes, line } = access;
                write!(f, "check {addr}, {} {bytes} line {line}", Name(kind))
            }
            Inst::Fence(order) => write!(f, "fence {}", Name(order)),
            Inst::Syscall { dst, call, args } => {
                write!(f, "{}syscall {} ({})", Wanted(*dst), Name(call), List(args))
            }
            Inst::Image { dsts, op, args } => {
                write!(f, "{}image {} ({})", Results(dsts), Name(op), List(args))
            }
            Inst::Call {
                callee,
                args,
                results,
            } => {
                write!(f, "({}) = call ", List(&slot_names(results)))?;
                match callee {
                    Callee::Direct(id) => write!(f, "f{}", id.0)?,
                    Callee::Indirect(target) => write!(f, "through {target}")?,
                }
                write!(f, " ({})", List(&slot_names(args)))
            }
        }
    }
}

fn print_order(f: &mut Formatter<'_>, order: crate::ir::Order) -> fmt::Result {
    match order {
        crate::ir::Order::Plain => Ok(()),
        other => write!(f, " {}", Name(&other)),
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(to) => write!(f, "jump {to}"),
            Terminator::Branch {
                cond,
                then,
                other,
                mixed,
            } => {
                write!(f, "branch {cond}, {then}, {other}")?;
                match mixed {
                    Some(mixed) => write!(f, ", together {mixed}"),
                    None => Ok(()),
                }
            }
            Terminator::Switch {
                index,
                targets,
                mixed,
            } => {
                write!(f, "switch {index} ({})", List(targets))?;
                match mixed {
                    Some(mixed) => write!(f, ", together {mixed}"),
                    None => Ok(()),
                }
            }
            Terminator::Exit => f.write_str("exit"),
            Terminator::Return => f.write_str("return"),
            Terminator::Trap => f.write_str("trap"),
            Terminator::Barrier {
                kind,
                id,
                count,
                pred,
                dst,
                next,
            } => {
                write!(f, "{}barrier.{} {id}", Wanted(*dst), Name(kind))?;
                if let Some(count) = count {
                    write!(f, " of {count}")?;
                }
                if let Some(pred) = pred {
                    write!(f, " if {pred}")?;
                }
                write!(f, ", {next}")
            }
            Terminator::Cluster { step, next } => write!(f, "cluster.{} {next}", Name(step)),
            Terminator::Pause { next } => write!(f, "pause {next}"),
            Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                next,
            } => write!(
                f,
                "{}warp.{} mask {mask} ({}), {next}",
                Results(dsts),
                Name(op),
                List(args)
            ),
        }
    }
}

fn print_block(f: &mut Formatter<'_>, number: usize, block: &Block) -> fmt::Result {
    match block.mask {
        None => writeln!(f, "b{number}:")?,
        Some(Mask { reg, negated }) => {
            let not = if negated { "!" } else { "" };
            writeln!(f, "b{number} if {not}{reg}:")?;
        }
    }
    // Line 0 stands for none.
    let mut last = 0;
    let mut line = |f: &mut Formatter<'_>, i: usize| match block.lines.get(i) {
        Some(&now) if now != last => {
            last = now;
            writeln!(f, "  ; {now}")
        }
        _ => writeln!(f),
    };
    for (i, inst) in block.insts.iter().enumerate() {
        write!(f, "    {inst}")?;
        line(f, i)?;
    }
    write!(f, "    {}", block.end)?;
    line(f, block.insts.len())
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "function {} ({}) -> ({}) local {} {{",
            Name(&self.name),
            List(&slot_names(&self.params)),
            List(&slot_names(&self.results)),
            self.local_bytes
        )?;
        for (i, slot) in self.slots.iter().enumerate() {
            writeln!(f, "    s{i}: {} bytes, alignment {}", slot.size, slot.align)?;
        }
        for (i, ty) in self.regs.iter().enumerate() {
            let before = if i % 12 == 0 { "    " } else { " " };
            let last = i + 1 == self.regs.len() || i % 12 == 11;
            write!(f, "{before}%{i}:{ty}{}", if last { "\n" } else { "" })?;
        }
        for (i, block) in self.blocks.iter().enumerate() {
            print_block(f, i, block)?;
        }
        f.write_str("}\n")
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "shared {}", self.static_shared)?;
        write!(f, "{}", self.kernel)?;
        for (i, function) in self.functions.iter().enumerate() {
            write!(f, "f{i}: {function}")?;
        }
        Ok(())
    }
}
