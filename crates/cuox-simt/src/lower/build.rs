//! The function under construction: blocks, temporaries, and the code sequences that every family emits.

use super::contract::contract;
use super::names::Scope;
use super::open_block::Open;
use super::stack::Stack;
use super::{Context, Result, fail};
use crate::ir::{
    Address, Args, Block, BlockId, Conversion, Function, Inst, IntOp, Lowered, MAX_LOCAL, Num, Op,
    Operand, Order, PredOp, Reg, Round, Slot, Space, Special, Terminator, Ty, WarpOp,
};
use cuox_ptx::ast;

/// Lowers one function.
pub(super) struct Lower<'a> {
    pub cx: &'a Context<'a>,
    pub regs: Vec<Ty>,
    pub slots: Vec<Slot>,
    pub scopes: Vec<Scope<'a>>,
    /// The carry flag of `add.cc` and the other instructions of the carry chain.
    pub carry: Reg,
    pub frame: Reg,
    pub frame_size: Reg,
    pub local_bytes: u32,
    /// The stack of `alloca`.
    pub stack: Option<Stack>,
    pub is_kernel: bool,
    /// Registers that `ret` copies to result slots.
    pub result_regs: Vec<(u32, Reg)>,
    blocks: Vec<Open>,
    current: usize,
    /// The blocks in the order of their code.
    order: Vec<usize>,
    pub line: u32,
}

impl<'a> Lower<'a> {
    pub fn new(cx: &'a Context<'a>, is_kernel: bool) -> Self {
        let mut l = Lower {
            cx,
            regs: Vec::new(),
            slots: Vec::new(),
            scopes: Vec::new(),
            carry: Reg(0),
            frame: Reg(0),
            frame_size: Reg(0),
            local_bytes: 0,
            stack: None,
            is_kernel,
            result_regs: Vec::new(),
            blocks: Vec::new(),
            current: 0,
            order: vec![0],
            line: 1,
        };
        l.carry = l.temp(Ty::Pred);
        l.frame = l.temp(Ty::B64);
        l.frame_size = l.temp(Ty::B64);
        l.new_block();
        for reg in [l.frame, l.frame_size] {
            l.op_into(reg, Op::Mov(Ty::B64), &[Operand::Imm(0)]);
        }
        l
    }

    /// Closes the function: a body that runs off its end returns.
    pub fn finish(mut self, name: &str, params: Vec<u32>, results: Vec<u32>) -> Result<Lowered> {
        if self.blocks[self.current].end.is_none() {
            self.ret();
        }
        let ret = if self.is_kernel {
            Terminator::Exit
        } else {
            Terminator::Return
        };
        contract(&mut self.blocks, &self.order, &mut self.regs);
        let line = self.line;
        let blocks = self
            .blocks
            .into_iter()
            .map(|mut b| {
                if b.lines.len() == b.insts.len() {
                    b.lines.push(line);
                }
                Block {
                    insts: b.insts,
                    end: b.end.unwrap_or_else(|| ret.clone()),
                    lines: b.lines,
                    mask: None,
                }
            })
            .collect();
        Ok(Lowered {
            function: Function {
                name: name.to_owned(),
                regs: self.regs,
                blocks,
                slots: self.slots,
                params,
                results,
                local_bytes: self.local_bytes,
            },
            frame: self.frame,
            frame_size: self.frame_size,
        })
    }

    /// Returns a new register.
    pub fn temp(&mut self, ty: Ty) -> Reg {
        self.regs.push(ty);
        Reg(self.regs.len() as u32 - 1)
    }

    pub fn ty(&self, reg: Reg) -> Ty {
        self.regs[reg.index()]
    }

    pub fn new_slot(&mut self, size: u32, align: u32) -> u32 {
        self.slots.push(Slot { size, align });
        self.slots.len() as u32 - 1
    }

    /// Reserves bytes of the frame; returns the offset of the first.
    pub fn new_local(&mut self, size: u64, align: u32, span: ast::Span) -> Result<u32> {
        let align = u64::from(align.max(1));
        let start = u64::from(self.local_bytes).next_multiple_of(align);
        let end = start.saturating_add(size);
        if end > MAX_LOCAL {
            return fail(
                span,
                "the local memory of a function is larger than 512 KiB",
            );
        }
        self.local_bytes = (end as u32).next_multiple_of(16);
        Ok(start as u32)
    }

    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(Open::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Continues in `block`.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block.index();
        self.order.push(self.current);
    }

    /// Ends the contraction of products and sums with earlier arithmetic: there is a branch in between, or other code
    /// joins here.
    pub fn begin_stretch(&mut self) {
        let block = &mut self.blocks[self.current];
        block.breaks.push(block.insts.len());
    }

    /// Marks the arithmetic that is emitted next as free to be contracted.
    pub fn mark_free(&mut self) {
        let block = &mut self.blocks[self.current];
        if block.end.is_none() {
            block.free.push(block.insts.len());
        }
    }

    /// Continues in `block`, which the code so far falls into.
    pub fn fall_into(&mut self, block: BlockId) {
        if self.blocks[self.current].end.is_none() {
            self.end(Terminator::Jump(block));
        }
        self.switch_to(block);
    }

    pub fn emit(&mut self, inst: Inst) {
        if self.blocks[self.current].end.is_some() {
            // Unreachable code behind a jump: no label leads here.
            let next = self.new_block();
            self.switch_to(next);
        }
        let block = &mut self.blocks[self.current];
        block.insts.push(inst);
        block.lines.push(self.line);
    }

    /// Ends the current block.
    pub fn end(&mut self, end: Terminator) {
        if self.blocks[self.current].end.is_some() {
            let next = self.new_block();
            self.switch_to(next);
        }
        let block = &mut self.blocks[self.current];
        block.end = Some(end);
        block.lines.push(self.line);
    }

    /// Returns the position of the next instruction.
    pub fn mark(&self) -> (usize, usize) {
        (self.current, self.blocks[self.current].insts.len())
    }

    /// Returns the instructions emitted since `mark`, if they are in the same block and it is still open.
    pub fn since(&mut self, mark: (usize, usize)) -> Option<&mut [Inst]> {
        let block = &mut self.blocks[self.current];
        (self.current == mark.0 && block.end.is_none()).then(|| &mut block.insts[mark.1..])
    }

    pub fn op_into(&mut self, dst: Reg, op: Op, args: &[Operand]) {
        debug_assert_eq!(op.signature().args().len(), args.len(), "{op:?}");
        self.emit(Inst::Op {
            dst,
            op,
            args: Args::new(args),
        });
    }

    /// Emits `op` with a new result register.
    pub fn op(&mut self, op: Op, args: &[Operand]) -> Operand {
        let dst = self.temp(op.signature().result);
        self.op_into(dst, op, args);
        Operand::Reg(dst)
    }

    pub fn int(&mut self, op: IntOp, ty: Ty, args: &[Operand]) -> Operand {
        self.op(Op::Int(op, ty), args)
    }

    pub fn logic(&mut self, op: PredOp, args: &[Operand]) -> Operand {
        self.op(Op::Logic(op), args)
    }

    pub fn special(&mut self, special: Special) -> Operand {
        let dst = self.temp(special.ty());
        self.emit(Inst::Special { dst, special });
        Operand::Reg(dst)
    }

    /// Returns `value` in a register.
    pub fn in_reg(&mut self, value: Operand, ty: Ty) -> Reg {
        match value {
            Operand::Reg(reg) => reg,
            Operand::Imm(_) => {
                let dst = self.temp(ty);
                self.op_into(dst, Op::Mov(ty), &[value]);
                dst
            }
        }
    }

    /// Converts an integer of width `from` to width `to`: truncates, or extends as `signed` says.
    pub fn resize(&mut self, value: Operand, from: Ty, to: Ty, signed: bool) -> Operand {
        if from == to {
            return value;
        }
        if let Operand::Imm(bits) = value {
            return Operand::Imm(from.extend(bits, signed) & to.mask());
        }
        if to == Ty::B128 {
            let low = self.resize(value, from, Ty::B64, signed);
            let high = if signed {
                self.int(IntOp::ShrS, Ty::B64, &[low, Operand::Imm(63)])
            } else {
                Operand::Imm(0)
            };
            return self.op(Op::Pack128, &[low, high]);
        }
        if from == Ty::B128 {
            let low = self.op(Op::Half128(false), &[value]);
            return self.resize(low, Ty::B64, to, signed);
        }
        let num = if signed { Num::S } else { Num::U };
        self.op(Op::Convert(conversion(num(from), num(to))), &[value])
    }

    /// Returns the low or high half: 16 bits of a b32 or 32 bits of a b64.
    pub fn half(&mut self, value: Operand, whole: Ty, high: bool) -> Operand {
        let half = if whole == Ty::B64 { Ty::B32 } else { Ty::B16 };
        let value = if high {
            let bits = Operand::Imm(u64::from(half.bits()));
            self.int(IntOp::ShrU, whole, &[value, bits])
        } else {
            value
        };
        self.resize(value, whole, half, false)
    }

    /// Joins two halves.
    pub fn join(&mut self, low: Operand, high: Operand, whole: Ty) -> Operand {
        let half = if whole == Ty::B64 { Ty::B32 } else { Ty::B16 };
        let low = self.resize(low, half, whole, false);
        let high = self.resize(high, half, whole, false);
        let bits = Operand::Imm(u64::from(half.bits()));
        let high = self.int(IntOp::Shl, whole, &[high, bits]);
        self.int(IntOp::Or, whole, &[low, high])
    }

    /// Loads one value.
    pub fn load(&mut self, ty: Ty, space: Space, offset: i64) -> Operand {
        let dst = self.temp(ty);
        self.emit(Inst::Load {
            dsts: vec![Some(dst)],
            ty,
            signed: false,
            addr: fixed(space, offset),
            order: Order::Plain,
        });
        Operand::Reg(dst)
    }

    /// Stores one value.
    pub fn store(&mut self, value: Operand, ty: Ty, space: Space, offset: i64) {
        self.emit(Inst::Store {
            srcs: vec![value],
            ty,
            addr: fixed(space, offset),
            order: Order::Plain,
        });
    }

    /// Ends the block with a warp operation and continues behind it.
    pub fn warp(&mut self, op: WarpOp, mask: Operand, args: &[Operand], dsts: &[Option<Reg>]) {
        let next = self.new_block();
        self.end(Terminator::Warp {
            op,
            mask,
            args: args.to_vec(),
            dsts: dsts.to_vec(),
            next,
        });
        self.switch_to(next);
    }

    /// Lets other threads run first.
    pub fn pause(&mut self) {
        let next = self.new_block();
        self.end(Terminator::Pause { next });
        self.switch_to(next);
    }

    /// Leaves the function.
    pub fn ret(&mut self) {
        if self.is_kernel {
            self.end(Terminator::Exit);
            return;
        }
        for (slot, reg) in self.result_regs.clone() {
            let ty = self.ty(reg);
            self.store(Operand::Reg(reg), ty, Space::Slot(slot), 0);
        }
        self.end(Terminator::Return);
    }
}

/// Returns a constant address.
pub(super) fn fixed(space: Space, offset: i64) -> Address {
    Address {
        space,
        base: Operand::Imm(0),
        offset,
    }
}

/// Returns a conversion without modifiers.
pub(super) fn conversion(from: Num, to: Num) -> Conversion {
    Conversion {
        from,
        to,
        round: Round::Nearest,
        integral: false,
        ftz: false,
        sat: false,
        relu: false,
    }
}
