//! Emits the merged function: the stack, calls and returns.
//!
//! Each function's blocks are copied into the merged function. A call pushes the live registers and the number of its
//! continuation, copies the arguments and jumps; `ret` becomes a switch on that number. An access beyond the stack
//! faults, which the runtime reports as a stack overflow.

use crate::analysis::liveness::RegSet;
use crate::ir::{
    Address, Args, Block, BlockId, Cmp, Function, Inst, IntOp, Num, Op, Operand, Order, Reg, Space,
    Special, Syscall, Terminator, Ty,
};
use crate::passes::call_flattening::{Body, PAST_THE_STACK};
use crate::passes::call_slots::SlotHome;
use crate::passes::resize_into;

/// Merged function under construction.
pub(crate) struct Flatten {
    pub out: Function,
    /// Bytes of a row of the stack: an element of 8 bytes for each thread.
    row: u64,
    /// Size of the block's stack in bytes.
    limit: u64,
    /// Bytes of the stack in use; b64.
    pub filled: Reg,
    /// Start of the current function's frame in local memory; b32.
    pub frame: Reg,
    /// Address of the thread's element in the first row.
    base: Reg,
    /// Instructions of the current block.
    insts: Vec<Inst>,
    lines: Vec<u32>,
    line: u32,
    at: BlockId,
    /// Blocks that end in a `ret`, each with its function.
    returning: Vec<(BlockId, usize)>,
}

/// Contents of one stack element.
enum StackElement {
    /// A 64-bit register.
    Word64(Reg),
    /// One 64-bit half of a 128-bit register.
    Half128(Reg, bool),
    /// Two registers of up to 32 bits, the first in the low word. The number of the call is the last low word.
    Pair32(Option<Reg>, Option<Reg>),
}

impl Flatten {
    pub(super) fn new(bodies: &mut [Body], capacity: u32, stack: u32) -> Flatten {
        let kernel = &bodies[0].code;
        let mut out = Function {
            regs: vec![Ty::B64, Ty::B32, Ty::B64],
            blocks: Vec::new(),
            slots: Vec::new(),
            ..kernel.clone()
        };
        let line = kernel.blocks[0].lines[0];
        let [filled, frame, base] = [0, 1, 2].map(Reg);
        let mut count = 1;
        for body in bodies.iter_mut() {
            body.first_block = count;
            count += body.code.blocks.len() as u32;
            out.regs.extend_from_slice(&body.code.regs);
        }
        let block = |end| Block {
            insts: Vec::new(),
            end,
            lines: vec![line],
            mask: None,
        };
        out.blocks.push(block(Terminator::Jump(BlockId(1))));
        out.blocks
            .extend((1..count).map(|_| block(Terminator::Trap)));
        let mut flat = Flatten {
            out,
            row: u64::from(capacity) * 8,
            limit: u64::from(capacity) * u64::from(stack),
            filled,
            frame,
            base,
            insts: Vec::new(),
            lines: Vec::new(),
            line,
            at: BlockId(0),
            returning: Vec::new(),
        };
        for (dst, ty) in [(filled, Ty::B64), (frame, Ty::B32)] {
            flat.op_into(dst, Op::Mov(ty), &[Operand::Imm(0)]);
        }
        flat.emit(Inst::Special {
            dst: base,
            special: Special::Stack,
        });
        flat.end(Terminator::Jump(BlockId(1)));
        flat
    }

    fn emit(&mut self, inst: Inst) {
        self.insts.push(inst);
        self.lines.push(self.line);
    }

    fn op_into(&mut self, dst: Reg, op: Op, args: &[Operand]) {
        let args = Args::new(args);
        self.emit(Inst::Op { dst, op, args });
    }

    fn op(&mut self, op: Op, args: &[Operand]) -> Reg {
        let dst = self.out.new_reg(op.signature().result);
        self.op_into(dst, op, args);
        dst
    }

    fn add(&mut self, a: Reg, b: impl Into<Operand>) -> Reg {
        let ty = self.out.ty(a);
        self.op(Op::Int(IntOp::Add, ty), &[a.into(), b.into()])
    }

    fn mov(&mut self, dst: Reg, from: Reg) {
        let ty = self.out.ty(dst);
        self.op_into(dst, Op::Mov(ty), &[from.into()]);
    }

    /// Sets `to` to the integer `from`, truncated or extended.
    fn resize(&mut self, to: Reg, from: Reg) {
        let mut insts = Vec::new();
        let ty = self.out.ty(from);
        resize_into(&mut self.out, &mut insts, to, from.into(), ty, false);
        insts.into_iter().for_each(|inst| self.emit(inst));
    }

    fn load(&mut self, dst: Reg, space: Space, base: Operand, offset: i64) {
        let ty = self.out.ty(dst);
        self.emit(Inst::Load {
            dsts: vec![Some(dst)],
            ty,
            signed: false,
            addr: Address {
                space,
                base,
                offset,
            },
            order: Order::Plain,
        });
    }

    fn store(&mut self, src: Operand, ty: Ty, space: Space, base: Operand, offset: i64) {
        self.emit(Inst::Store {
            srcs: vec![src],
            ty,
            addr: Address {
                space,
                base,
                offset,
            },
            order: Order::Plain,
        });
    }

    /// Ends the current block.
    fn end(&mut self, end: Terminator) {
        let block = &mut self.out.blocks[self.at.index()];
        block.insts = std::mem::take(&mut self.insts);
        block.lines = std::mem::take(&mut self.lines);
        block.lines.push(self.line);
        block.end = end;
    }

    fn new_block(&mut self) -> BlockId {
        self.out.blocks.push(Block {
            insts: Vec::new(),
            end: Terminator::Trap,
            lines: vec![self.line],
            mask: None,
        });
        BlockId(self.out.blocks.len() as u32 - 1)
    }

    /// Emits the blocks of a function.
    pub(super) fn body(&mut self, bodies: &mut [Body], n: usize, invariant: &RegSet) {
        let first = bodies[n].first_block;
        let mut call = 0;
        for index in 0..bodies[n].code.blocks.len() {
            self.at = BlockId(first + index as u32);
            let block = &mut bodies[n].code.blocks[index];
            let lines = std::mem::take(&mut block.lines);
            let insts = std::mem::take(&mut block.insts);
            let mut end = block.end.clone();
            for (inst, &line) in insts.into_iter().zip(&lines) {
                self.line = line;
                if matches!(inst, Inst::Call { .. }) {
                    self.call(bodies, n, call, invariant);
                    call += 1;
                } else if n == 0 {
                    self.emit(inst);
                } else {
                    self.in_frame(inst);
                }
            }
            self.line = lines.last().copied().unwrap_or(self.line);
            end.successors_mut(|b| b.0 += first);
            if end == Terminator::Return && n > 0 {
                self.returning.push((self.at, n));
            }
            self.end(end);
        }
    }

    /// Emits an instruction of a function, with local memory addressed relative to its frame.
    fn in_frame(&mut self, mut inst: Inst) {
        if let Inst::Special {
            dst,
            special: special @ Special::LocalBase,
        } = inst
        {
            let base = self.out.new_reg(Ty::B64);
            self.emit(Inst::Special { dst: base, special });
            let ahead = self.out.new_reg(Ty::B64);
            self.resize(ahead, self.frame);
            return self.op_into(
                dst,
                Op::Int(IntOp::Add, Ty::B64),
                &[base.into(), ahead.into()],
            );
        }
        if let Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::Atomic { addr, .. } =
            &mut inst
            && addr.space == Space::Local
        {
            addr.base = match addr.base {
                Operand::Imm(bits) => {
                    addr.offset = addr.offset.wrapping_add(bits as i64);
                    self.frame.into()
                }
                Operand::Reg(reg) => {
                    let word = self.out.new_reg(Ty::B32);
                    self.resize(word, reg);
                    self.add(self.frame, word).into()
                }
            };
        }
        self.emit(inst);
    }

    /// Packs registers into stack elements.
    fn elements(&self, across: &[Reg]) -> Vec<StackElement> {
        let mut elements = Vec::new();
        let mut short = Vec::new();
        for &reg in across {
            match self.out.ty(reg) {
                Ty::B64 => elements.push(StackElement::Word64(reg)),
                Ty::B128 => {
                    elements.extend([false, true].map(|high| StackElement::Half128(reg, high)))
                }
                Ty::Pred | Ty::B8 | Ty::B16 | Ty::B32 => short.push(reg),
            }
        }
        let last = short.pop();
        let pair = |two: &[Reg]| StackElement::Pair32(Some(two[0]), two.get(1).copied());
        elements.extend(short.chunks(2).map(pair));
        elements.push(StackElement::Pair32(None, last));
        elements
    }

    fn call(&mut self, bodies: &mut [Body], n: usize, call: usize, invariant: &RegSet) {
        let saved = self.elements(&bodies[n].calls[call].across);
        let after = self.new_block();
        let callees = bodies[n].calls[call].callees.clone();
        match bodies[n].calls[call].handle {
            None => self.jump(bodies, (n, call), callees[0], &saved, after, invariant),
            Some(handle) => {
                let wrong = self.new_block();
                let count = callees.iter().max().map_or(0, |&m| m as u32);
                let mut targets = vec![wrong; count as usize + 1];
                for &m in &callees {
                    targets[m] = self.new_block();
                }
                // A handle is a function's number plus one, which equals its index in the merged list.
                let last = Operand::Imm(u64::from(count) + 1);
                let index = self.op(Op::Int(IntOp::MinU, Ty::B64), &[handle, last]);
                let word = self.out.new_reg(Ty::B32);
                self.resize(word, index);
                let blocks = targets.clone();
                targets.push(wrong);
                let index = word.into();
                self.end(Terminator::switch(index, targets));
                for m in callees {
                    self.at = blocks[m];
                    self.jump(bodies, (n, call), m, &saved, after, invariant);
                }
                self.at = wrong;
                self.emit(Inst::Syscall {
                    dst: None,
                    call: Syscall::NoFunction,
                    args: vec![handle],
                });
                self.end(Terminator::Trap);
            }
        }
        self.at = after;
        if bodies[n].frame() > 0 {
            let back = Operand::Imm(u64::from(bodies[n].frame().wrapping_neg()));
            self.op_into(
                self.frame,
                Op::Int(IntOp::Add, Ty::B32),
                &[self.frame.into(), back],
            );
        }
        let back = Operand::Imm((saved.len() as u64 * self.row).wrapping_neg());
        self.op_into(
            self.filled,
            Op::Int(IntOp::Add, Ty::B64),
            &[self.filled.into(), back],
        );
        self.restore(&saved);
    }

    /// Emits the jump to function `m` for a call in function `n`; `after` is the continuation.
    fn jump(
        &mut self,
        bodies: &mut [Body],
        (n, call): (usize, usize),
        m: usize,
        saved: &[StackElement],
        after: BlockId,
        invariant: &RegSet,
    ) {
        let number = bodies[m].returns.len() as u64;
        let back = self.new_block();
        bodies[m].returns.push(back);
        let bodies = &*bodies;
        let (caller, callee) = (&bodies[n], &bodies[m]);
        let call = &caller.calls[call];
        // Without enough room the first access faults.
        let bytes = saved.len() as u64 * self.row;
        let new = self.add(self.filled, Operand::Imm(bytes));
        let int = |op| Op::Int(op, Ty::B64);
        let left = self.op(int(IntOp::Sub), &[Operand::Imm(self.limit), new.into()]);
        let over = self.op(int(IntOp::ShrU), &[left.into(), Operand::Imm(63)]);
        let shift = Operand::Imm(PAST_THE_STACK.ilog2().into());
        let past = self.op(int(IntOp::Shl), &[over.into(), shift]);
        let at = self.add(self.filled, past);
        let at = Operand::Reg(self.add(self.base, at));
        for (row, element) in (0..).zip(saved) {
            let value = self.pack(element, number);
            self.store(value, Ty::B64, Space::Flat, at, row * self.row as i64);
        }
        let frame = i64::from(caller.frame());
        if callee.frame() > 0 {
            // A frame without enough room is detected here.
            let end = frame + i64::from(callee.frame()) - 4;
            self.store(
                Operand::Imm(0),
                Ty::B32,
                Space::Local,
                self.frame.into(),
                end,
            );
        }
        for (&arg, &param) in call.args.iter().zip(&callee.code.params) {
            let to = callee.pieces(param).iter();
            for (&(_, from), &(_, to)) in caller.pieces(arg).iter().zip(to) {
                // A parameter that a function passes on to itself is already in place.
                if n != m || !invariant.contains(to) {
                    self.mov(to, from);
                }
            }
            if let (SlotHome::Local(from), SlotHome::Local(to)) =
                (&caller.homes[arg as usize], &callee.homes[param as usize])
            {
                let size = callee.sizes[param as usize];
                self.copy(i64::from(*from), frame + i64::from(*to), size);
            }
        }
        if frame > 0 {
            let ahead = Operand::Imm(frame as u64);
            self.op_into(
                self.frame,
                Op::Int(IntOp::Add, Ty::B32),
                &[self.frame.into(), ahead],
            );
        }
        self.mov(self.filled, new);
        self.end(Terminator::Jump(BlockId(callee.first_block)));
        self.at = back;
        for (&result, &own) in call.results.iter().zip(&callee.code.results) {
            let from = callee.pieces(own).iter();
            for (&(_, to), &(_, from)) in caller.pieces(result).iter().zip(from) {
                self.mov(to, from);
            }
            if let (SlotHome::Local(to), SlotHome::Local(from)) =
                (&caller.homes[result as usize], &callee.homes[own as usize])
            {
                let size = callee.sizes[own as usize];
                self.copy(i64::from(*from), i64::from(*to) - frame, size);
            }
        }
        self.end(Terminator::Jump(after));
    }

    /// Copies bytes of local memory; both offsets are relative to the current frame.
    fn copy(&mut self, from: i64, to: i64, bytes: u32) {
        let mut at = 0;
        while at < bytes {
            // Slots are aligned to 16 bytes.
            let ty = match bytes - at {
                8.. => Ty::B64,
                4.. => Ty::B32,
                2.. => Ty::B16,
                _ => Ty::B8,
            };
            let value = self.out.new_reg(ty);
            let ahead = i64::from(at);
            self.load(value, Space::Local, self.frame.into(), from + ahead);
            self.store(
                value.into(),
                ty,
                Space::Local,
                self.frame.into(),
                to + ahead,
            );
            at += ty.bytes();
        }
    }

    /// Returns the value of an element, for the call with this number.
    fn pack(&mut self, element: &StackElement, number: u64) -> Operand {
        let int = |op| Op::Int(op, Ty::B64);
        let (low, high) = match *element {
            StackElement::Word64(reg) => return reg.into(),
            StackElement::Half128(reg, high) => {
                return self.op(Op::Half128(high), &[reg.into()]).into();
            }
            StackElement::Pair32(low, high) => (low, high),
        };
        let low = match low {
            Some(reg) => self.widen(reg).into(),
            None => Operand::Imm(number),
        };
        let Some(high) = high else { return low };
        let high = self.widen(high);
        let high = self.op(int(IntOp::Shl), &[high.into(), Operand::Imm(32)]);
        self.op(int(IntOp::Or), &[high.into(), low]).into()
    }

    /// Widens a register of at most 32 bits to 64.
    fn widen(&mut self, reg: Reg) -> Reg {
        if self.out.ty(reg) == Ty::Pred {
            let bits = [reg.into(), Operand::Imm(1), Operand::Imm(0)];
            return self.op(Op::Select(Ty::B64), &bits);
        }
        let long = self.out.new_reg(Ty::B64);
        self.resize(long, reg);
        long
    }

    /// Sets `reg`, of at most 32 bits, to the low bits of `long`.
    fn truncate_into(&mut self, reg: Reg, long: Reg) {
        if self.out.ty(reg) != Ty::Pred {
            return self.resize(reg, long);
        }
        let word = self.out.new_reg(Ty::B32);
        self.resize(word, long);
        let differs = Op::Compare {
            cmp: Cmp::Ne,
            num: Num::U(Ty::B32),
            ftz: false,
        };
        self.op_into(reg, differs, &[word.into(), Operand::Imm(0)]);
    }

    fn restore(&mut self, saved: &[StackElement]) {
        let at = Operand::Reg(self.add(self.base, self.filled));
        let mut lower = None;
        for (row, element) in (0..).zip(saved) {
            let long = match element {
                StackElement::Word64(reg) => *reg,
                StackElement::Pair32(None, None) => continue,
                StackElement::Half128(..) | StackElement::Pair32(..) => self.out.new_reg(Ty::B64),
            };
            self.load(long, Space::Flat, at, row * self.row as i64);
            match *element {
                StackElement::Word64(_) => {}
                StackElement::Half128(_, false) => lower = Some(long),
                StackElement::Half128(reg, true) => {
                    if let Some(lower) = lower.take() {
                        self.op_into(reg, Op::Pack128, &[lower.into(), long.into()]);
                    }
                }
                StackElement::Pair32(low, high) => {
                    if let Some(low) = low {
                        self.truncate_into(low, long);
                    }
                    if let Some(high) = high {
                        let shift = Op::Int(IntOp::ShrU, Ty::B64);
                        let upper = self.op(shift, &[long.into(), Operand::Imm(32)]);
                        self.truncate_into(high, upper);
                    }
                }
            }
        }
    }

    /// Replaces every `ret` with a jump to the continuation of its call.
    pub(super) fn returns(&mut self, bodies: &[Body]) {
        for (at, n) in std::mem::take(&mut self.returning) {
            self.at = at;
            let block = &mut self.out.blocks[at.index()];
            self.insts = std::mem::take(&mut block.insts);
            self.lines = std::mem::take(&mut block.lines);
            self.line = self.lines.pop().unwrap_or(self.line);
            let at = self.add(self.base, self.filled);
            let last = self.out.new_reg(Ty::B64);
            self.load(last, Space::Flat, at.into(), -(self.row as i64));
            let number = self.out.new_reg(Ty::B32);
            self.resize(number, last);
            let targets = bodies[n].returns.clone();
            let index = number.into();
            self.end(Terminator::switch(index, targets));
        }
    }
}
