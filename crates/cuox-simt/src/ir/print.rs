//! The IR as text, for people and for tests.
//!
//! A function is printed as its registers' types, slots and blocks; `%3` is a register, `b2` a block, `s1` a call
//! slot. A number after `;` is the PTX line, printed where it changes.

use crate::ir::{
    Address, Block, Callee, Function, Inst, Mask, Operand, Reg, Space, Terminator, Unit,
};
use std::fmt::{self, Display, Formatter};

impl Display for Reg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
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

/// A register, or `_` if the result is discarded.
struct Wanted(Option<Reg>);

impl Display for Wanted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(reg) => reg.fmt(f),
            None => f.write_str("_"),
        }
    }
}

fn wanted(regs: &[Option<Reg>]) -> Vec<Wanted> {
    regs.iter().copied().map(Wanted).collect()
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
            Inst::Op { dst, op, args } => write!(f, "{dst} = {op:?} {}", List(args)),
            Inst::Special { dst, special } => write!(f, "{dst} = special {special:?}"),
            Inst::SymbolAddress { dst, variable } => write!(f, "{dst} = variable {variable}"),
            Inst::FunctionAddress { dst, func } => write!(f, "{dst} = function f{}", func.0),
            Inst::Load {
                dsts,
                ty,
                signed,
                addr,
                order,
            } => {
                let sign = if *signed { ".signed" } else { "" };
                write!(f, "{} = load.{ty}{sign} {addr}", List(&wanted(dsts)))?;
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
                let x2 = if *packed { "x2" } else { "" };
                write!(
                    f,
                    "{} = atomic.{op:?}.{num}{x2} {addr}, {}",
                    Wanted(*dst),
                    List(args)
                )?;
                print_order(f, *order)
            }
            Inst::Check { addr, access } => {
                write!(f, "check {addr}, {:?} {}", access.kind, access.bytes)
            }
            Inst::Fence(order) => write!(f, "fence {order:?}"),
            Inst::Syscall { dst, call, args } => {
                write!(f, "{} = syscall {call:?} ({})", Wanted(*dst), List(args))
            }
            Inst::Image { dsts, op, args } => {
                write!(f, "{} = image {op:?} ({})", List(&wanted(dsts)), List(args))
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
        other => write!(f, " {other:?}"),
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(to) => write!(f, "jump b{}", to.0),
            Terminator::Branch {
                cond,
                then,
                other,
                mixed,
            } => {
                write!(f, "branch {cond}, b{}, b{}", then.0, other.0)?;
                match mixed {
                    Some(mixed) => write!(f, ", together b{}", mixed.0),
                    None => Ok(()),
                }
            }
            Terminator::Switch {
                index,
                targets,
                mixed,
            } => {
                write!(f, "switch {index},")?;
                targets.iter().try_for_each(|b| write!(f, " b{}", b.0))?;
                match mixed {
                    Some(mixed) => write!(f, ", together b{}", mixed.0),
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
                write!(f, "{} = barrier.{kind:?} {id}", Wanted(*dst))?;
                if let Some(count) = count {
                    write!(f, " of {count}")?;
                }
                if let Some(pred) = pred {
                    write!(f, " if {pred}")?;
                }
                write!(f, ", b{}", next.0)
            }
            Terminator::Cluster { step, next } => write!(f, "cluster.{step:?} b{}", next.0),
            Terminator::Pause { next } => write!(f, "pause b{}", next.0),
            Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                next,
            } => write!(
                f,
                "{} = warp.{op:?} mask {mask} ({}), b{}",
                List(&wanted(dsts)),
                List(args),
                next.0
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
    let mut last = None;
    let mut line = |f: &mut Formatter<'_>, i: usize| {
        let now = block.lines.get(i).copied();
        if now != last {
            last = now;
            if let Some(now) = now {
                write!(f, "  ; {now}")?;
            }
        }
        writeln!(f)
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
            self.name,
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
