//! Generic addresses of local memory: the same in every thread, in the local window (PTX ISA, "State spaces").
//!
//! Lowering uses host addresses, and each thread's local memory has others. This pass gives `cvta.local` an address in
//! a window that nothing else uses ([`crate::space::local_window`]), and translates where such an address may be used:
//! the thread that uses it accesses its own local memory, whoever has computed the address, as on a GPU. Most pointers
//! are known not to be local, so that their accesses stay as they are, and most others to be local.
//!
//! Kernels with calls that are left (recursion, calls through pointers), and those that stop at breakpoints, keep host
//! addresses.

use crate::ir::{
    Address, Args, Block, Cmp, Function, Inst, IntOp, Num, Op, Operand, Reg, Space, Special,
    Syscall, Terminator, Ty,
};

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// Nothing is known yet.
    Unset,
    /// No address in the local window.
    Other,
    /// An address in the local window.
    Local,
    /// Any of these.
    Any,
}

impl Class {
    fn join(self, other: Class) -> Class {
        match (self, other) {
            (Class::Unset, one) | (one, Class::Unset) => one,
            (one, other) if one == other => one,
            _ => Class::Any,
        }
    }

    fn may_be_local(self) -> bool {
        matches!(self, Class::Local | Class::Any)
    }
}

struct Classes {
    of: Vec<Class>,
    /// True if such addresses are written to memory, so that what is read may be one.
    stored: bool,
}

/// Runs the pass on a kernel.
pub(crate) fn run(f: &mut Function) {
    let insts = || f.blocks.iter().flat_map(|block| &block.insts);
    let takes_address = |inst: &Inst| matches!(inst, Inst::Special { special, .. } if *special == Special::LocalBase);
    let keeps_host_addresses = |inst: &Inst| {
        let breaks = matches!(inst, Inst::Syscall { call, .. } if *call == Syscall::Breakpoint);
        breaks || matches!(inst, Inst::Call { .. })
    };
    if !insts().any(takes_address) || insts().any(keeps_host_addresses) {
        return;
    }
    let classes = Classes::new(f);
    let mut this = Translation {
        window: f.new_reg(Ty::B64),
        own: f.new_reg(Ty::B64),
        bytes: u64::from(f.local_bytes),
        classes,
        f,
    };
    this.translate();
}

impl Classes {
    fn new(f: &Function) -> Classes {
        let mut this = Classes {
            of: vec![Class::Unset; f.regs.len()],
            stored: false,
        };
        loop {
            let mut changed = false;
            for block in &f.blocks {
                for inst in &block.insts {
                    changed |= this.visit(f, inst);
                }
                if let Terminator::Warp { args, .. } = &block.end {
                    // A shuffle gives another lane's address, also in halves.
                    let class = this.mixed(args);
                    block.end.defs(|reg| changed |= this.set(reg, class));
                }
            }
            if changed {
                continue;
            }
            // Nothing writes what is left, and what is computed from it is yet to be classified.
            let unset = |class: &&mut Class| **class == Class::Unset;
            if this
                .of
                .iter_mut()
                .filter(unset)
                .map(|class| *class = Class::Other)
                .count()
                == 0
            {
                return this;
            }
        }
    }

    fn operand(&self, operand: Operand) -> Class {
        operand
            .reg()
            .map_or(Class::Other, |reg| self.of[reg.index()])
    }

    fn set(&mut self, reg: Reg, class: Class) -> bool {
        let old = self.of[reg.index()];
        self.of[reg.index()] = old.join(class);
        self.of[reg.index()] != old
    }

    /// The class of what is computed from values in any way.
    fn mixed(&self, args: &[Operand]) -> Class {
        let mut classes = args.iter().map(|&arg| self.operand(arg));
        match classes.clone().any(Class::may_be_local) {
            true => Class::Any,
            false if classes.all(|class| class == Class::Unset) && !args.is_empty() => Class::Unset,
            false => Class::Other,
        }
    }

    /// Classifies what an instruction writes; tells whether anything has changed.
    fn visit(&mut self, f: &Function, inst: &Inst) -> bool {
        // Also a part of an address.
        let read = if self.stored {
            Class::Any
        } else {
            Class::Other
        };
        let mut changed = false;
        let values: &[Operand] = match inst {
            Inst::Store { srcs, .. } => srcs,
            Inst::Atomic { args, .. } => args,
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Load { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => &[],
        };
        if !self.stored
            && values
                .iter()
                .any(|&value| self.operand(value).may_be_local())
        {
            self.stored = true;
            changed = true;
        }
        match inst {
            Inst::Op { dst, op, args } => {
                let class = self.computed(f, *dst, *op, args);
                changed |= self.set(*dst, class);
            }
            Inst::Special { dst, special } => {
                let class = match *special == Special::LocalBase {
                    true => Class::Local,
                    false => Class::Other,
                };
                changed |= self.set(*dst, class);
            }
            // A host's parameter is no local address, whatever the kernel stores.
            Inst::Load { addr, .. } if addr.space == Space::Param => {
                inst.defs(|reg| changed |= self.set(reg, Class::Other));
            }
            Inst::Load { .. } | Inst::Atomic { .. } => {
                inst.defs(|reg| changed |= self.set(reg, read));
            }
            Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Store { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => inst.defs(|reg| changed |= self.set(reg, Class::Other)),
        }
        changed
    }

    fn computed(&self, f: &Function, dst: Reg, op: Op, args: &Args) -> Class {
        if f.ty(dst) == Ty::Pred {
            return Class::Other;
        }
        let class = |n: usize| self.operand(args[n]);
        match op {
            Op::Mov(_) => class(0),
            Op::Select(_) => class(1).join(class(2)),
            Op::Int(op @ (IntOp::Add | IntOp::Sub), Ty::B64) => {
                match (class(0), class(1), op == IntOp::Add) {
                    (Class::Unset, Class::Unset, _) => Class::Unset,
                    (Class::Unset, _, _) | (_, Class::Unset, _) => Class::Unset,
                    (Class::Other, Class::Other, _) => Class::Other,
                    (Class::Local, Class::Other, _) | (Class::Other, Class::Local, true) => {
                        Class::Local
                    }
                    (Class::Local, Class::Local, false) => Class::Other,
                    _ => Class::Any,
                }
            }
            Op::Int(..)
            | Op::Float { .. }
            | Op::Float2 { .. }
            | Op::Approx { .. }
            | Op::Class(..)
            | Op::Convert(_)
            | Op::Convert2 { .. }
            | Op::Narrow { .. }
            | Op::Widen { .. }
            | Op::Compare { .. }
            | Op::Logic(_)
            | Op::PredToInt
            | Op::Half128(_)
            | Op::Pack128 => self.mixed(args),
        }
    }
}

struct Translation<'f> {
    f: &'f mut Function,
    classes: Classes,
    /// The start of the local window.
    window: Reg,
    /// The host address of the thread's local memory.
    own: Reg,
    /// Its size.
    bytes: u64,
}

impl Translation<'_> {
    fn translate(&mut self) {
        let blocks = std::mem::take(&mut self.f.blocks);
        self.f.blocks = blocks.into_iter().map(|block| self.block(block)).collect();
        let first = &mut self.f.blocks[0];
        let line = first.lines.first().copied().unwrap_or(0);
        for (dst, special) in [
            (self.own, Special::LocalBase),
            (self.window, Special::LocalWindow),
        ] {
            first.insts.insert(0, Inst::Special { dst, special });
            first.lines.insert(0, line);
        }
    }

    fn block(&mut self, block: Block) -> Block {
        let mut insts = Vec::with_capacity(block.insts.len());
        let mut lines = Vec::with_capacity(block.lines.len());
        for (mut inst, &line) in block.insts.into_iter().zip(&block.lines) {
            match &mut inst {
                Inst::Special { special, .. } if *special == Special::LocalBase => {
                    *special = Special::LocalWindow;
                }
                Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::Atomic { addr, .. }
                    if addr.space == Space::Flat =>
                {
                    *addr = self.address(*addr, &mut insts);
                }
                Inst::Syscall { args, .. } => {
                    for arg in args {
                        *arg = self.host_address(*arg, 0, &mut insts);
                    }
                }
                Inst::Op { .. }
                | Inst::Special { .. }
                | Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Load { .. }
                | Inst::Store { .. }
                | Inst::Atomic { .. }
                | Inst::Check { .. }
                | Inst::Fence(_)
                | Inst::Image { .. }
                | Inst::Call { .. } => {}
            }
            insts.push(inst);
            lines.resize(insts.len(), line);
        }
        lines.extend(block.lines.last());
        Block {
            insts,
            lines,
            ..block
        }
    }

    /// Returns the address at which an access to a flat address happens.
    fn address(&mut self, addr: Address, insts: &mut Vec<Inst>) -> Address {
        match self.classes.operand(addr.base) {
            Class::Unset | Class::Other => addr,
            Class::Local => Address {
                base: self.host_address(addr.base, 0, insts),
                ..addr
            },
            // With the offset, which may lead into the window.
            Class::Any => Address {
                base: self.host_address(addr.base, addr.offset, insts),
                offset: 0,
                ..addr
            },
        }
    }

    /// Returns the host address for `offset` bytes from a generic address.
    fn host_address(&mut self, at: Operand, offset: i64, insts: &mut Vec<Inst>) -> Operand {
        let class = self.classes.operand(at);
        if !class.may_be_local() || at.reg().is_none_or(|reg| self.f.ty(reg) != Ty::B64) {
            return at;
        }
        let mut push = |ty: Ty, op: Op, args: &[Operand]| {
            let dst = self.f.new_reg(ty);
            let args = Args::new(args);
            insts.push(Inst::Op { dst, op, args });
            Operand::Reg(dst)
        };
        let add = Op::Int(IntOp::Add, Ty::B64);
        let at = match offset {
            0 => at,
            _ => push(Ty::B64, add, &[at, Operand::Imm(offset as u64)]),
        };
        let (window, own) = (self.window.into(), self.own.into());
        let ahead = push(Ty::B64, Op::Int(IntOp::Sub, Ty::B64), &[at, window]);
        let host = push(Ty::B64, add, &[own, ahead]);
        if class == Class::Local {
            return host;
        }
        let less = Op::Compare {
            cmp: Cmp::Lt,
            num: Num::U(Ty::B64),
            ftz: false,
        };
        let inside = push(Ty::Pred, less, &[ahead, Operand::Imm(self.bytes)]);
        push(Ty::B64, Op::Select(Ty::B64), &[inside, host, at])
    }
}
