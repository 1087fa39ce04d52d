//! Hand-built kernels, and memory for them: for the tests of both engines.

use super::Interpreter;
use crate::env::{BlockEnv, BlockRun, GridEnv, Progress};
use crate::fault::Fault;
use crate::ir::*;
use crate::launch::Host;
use crate::space;
use crate::verify::verify;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Builds a function block by block.
pub(crate) struct Builder {
    pub f: Function,
    /// Instructions of the current block.
    pub insts: Vec<Inst>,
}

pub(crate) fn imm(v: u64) -> Operand {
    Operand::Imm(v)
}

pub(crate) fn at(space: Space, base: impl Source, offset: i64) -> Address {
    Address {
        space,
        base: base.operand(),
        offset,
    }
}

/// A value that the builder accepts as an operand.
pub(crate) trait Source {
    fn operand(self) -> Operand;
}

impl Source for Reg {
    fn operand(self) -> Operand {
        Operand::Reg(self)
    }
}

impl Source for u64 {
    fn operand(self) -> Operand {
        Operand::Imm(self)
    }
}

impl Builder {
    pub(crate) fn new(name: &str) -> Builder {
        Builder {
            f: Function {
                name: name.into(),
                regs: vec![],
                blocks: vec![],
                slots: vec![],
                params: vec![],
                results: vec![],
                local_bytes: 0,
            },
            insts: vec![],
        }
    }

    pub(crate) fn op(&mut self, op: Op, args: &[Operand]) -> Reg {
        let dst = self.f.new_reg(op.signature().result);
        self.insts.push(Inst::Op {
            dst,
            op,
            args: Args::new(args),
        });
        dst
    }

    pub(crate) fn int(&mut self, op: IntOp, ty: Ty, a: impl Source, b: impl Source) -> Reg {
        self.op(Op::Int(op, ty), &[a.operand(), b.operand()])
    }

    pub(crate) fn compare(&mut self, cmp: Cmp, a: impl Source, b: impl Source) -> Reg {
        let op = Op::Compare {
            cmp,
            num: Num::U(Ty::B32),
            ftz: false,
        };
        self.op(op, &[a.operand(), b.operand()])
    }

    pub(crate) fn special(&mut self, special: Special) -> Reg {
        let dst = self.f.new_reg(special.ty());
        self.insts.push(Inst::Special { dst, special });
        dst
    }

    pub(crate) fn load(&mut self, ty: Ty, addr: Address) -> Reg {
        let dst = self.f.new_reg(ty);
        self.insts.push(Inst::Load {
            dsts: vec![Some(dst)],
            ty,
            signed: false,
            addr,
            order: Order::Relaxed,
        });
        dst
    }

    pub(crate) fn store(&mut self, ty: Ty, addr: Address, v: impl Source) {
        self.insts.push(Inst::Store {
            srcs: vec![v.operand()],
            ty,
            addr,
            order: Order::Relaxed,
        });
    }

    pub(crate) fn assign(&mut self, dst: Reg, v: impl Source) {
        let op = Op::Mov(self.f.ty(dst));
        self.insts.push(Inst::Op {
            dst,
            op,
            args: Args::new(&[v.operand()]),
        });
    }

    /// Returns `param[8 * index]` plus four bytes times the thread's number.
    pub(crate) fn element(&mut self, index: i64) -> Reg {
        let base = self.load(Ty::B64, at(Space::Param, 0, 8 * index));
        let tid = self.special(Special::Tid(0));
        let offset = self.int(IntOp::MulWideU, Ty::B32, tid, 4);
        self.int(IntOp::Add, Ty::B64, base, offset)
    }

    pub(crate) fn out(&mut self, v: impl Source) {
        let to = self.element(0);
        self.store(Ty::B32, at(Space::Flat, to, 0), v);
    }

    /// Ends the block; the next one has the next number.
    pub(crate) fn end(&mut self, end: Terminator) {
        let insts = std::mem::take(&mut self.insts);
        let first = 100 * self.f.blocks.len() as u32;
        self.f.blocks.push(Block {
            lines: (0..=insts.len() as u32).map(|i| first + i).collect(),
            insts,
            end,
            mask: None,
        });
    }

    pub(crate) fn next(&self) -> BlockId {
        BlockId(self.f.blocks.len() as u32 + 1)
    }

    pub(crate) fn barrier(&mut self, id: u64, count: Option<u64>) {
        let next = self.next();
        self.end(Terminator::Barrier {
            kind: BarrierKind::Sync,
            id: imm(id),
            count: count.map(imm),
            pred: None,
            dst: None,
            next,
        });
    }

    pub(crate) fn warp(
        &mut self,
        op: WarpOp,
        mask: impl Source,
        args: &[Operand],
        dsts: [Option<Reg>; 2],
    ) {
        let next = self.next();
        self.end(Terminator::Warp {
            op,
            mask: mask.operand(),
            args: args.to_vec(),
            dsts: dsts.to_vec(),
            next,
        });
    }

    pub(crate) fn branch(&mut self, cond: Reg, then: u32, other: u32) {
        self.end(Terminator::branch(cond, BlockId(then), BlockId(other)));
    }

    pub(crate) fn jump(&mut self, to: u32) {
        self.end(Terminator::Jump(BlockId(to)));
    }

    pub(crate) fn unit(self) -> Unit {
        Unit {
            kernel: self.f,
            functions: vec![],
            static_shared: 0,
        }
    }
}

#[derive(Default)]
pub(crate) struct Printed(pub Mutex<Vec<u8>>);

impl Host for Printed {
    fn print(&self, bytes: &[u8]) {
        self.0.lock().unwrap().extend_from_slice(bytes);
    }
    fn malloc(&self, size: u64) -> u64 {
        size * 2
    }
    fn free(&self, _: u64) {}
}

/// Device memory for one block: parameters, shared and local windows, and a buffer.
pub(crate) struct Memory {
    pub base: u64,
}

pub(crate) const PARAMS: u64 = 0;
pub(crate) const SHARED: u64 = 4096;
pub(crate) const BUFFER: u64 = 2 * 4096;
pub(crate) const LOCAL: u64 = 4 * 4096;
pub(crate) const LOCAL_BYTES: u32 = 1024;
pub(crate) const SIZE: u64 = LOCAL + 1024 * LOCAL_BYTES as u64;

impl Memory {
    pub(crate) fn new() -> Memory {
        // One page more than is ever committed.
        let base = space::reserve(SIZE + 4096, 4096).unwrap();
        // SAFETY: the range was just reserved.
        unsafe { space::commit(base, SIZE).unwrap() };
        let memory = Memory { base };
        memory.write(PARAMS, &(base + BUFFER).to_le_bytes());
        memory
    }

    pub(crate) fn write(&self, offset: u64, bytes: &[u8]) {
        // SAFETY: the address is inside this object's memory.
        unsafe {
            ((self.base + offset) as *mut u8).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
        };
    }

    pub(crate) fn words(&self, count: usize) -> Vec<u32> {
        // SAFETY: the buffer is inside this memory, and no kernel is running.
        unsafe { std::slice::from_raw_parts((self.base + BUFFER) as *const u32, count) }.to_vec()
    }

    pub(crate) fn run(&self, unit: &Unit, threads: u32, host: &dyn Host) -> Result<u32, Fault> {
        verify(unit).unwrap_or_else(|e| panic!("{e:#?}\n{unit}"));
        let cancel = AtomicBool::new(false);
        let symbols = [self.base + BUFFER];
        let grid = GridEnv {
            checked: false,
            grid: [2, 1, 1],
            block: [threads, 1, 1],
            cluster: [1; 3],
            explicit_cluster: false,
            shared_bytes: 4096,
            dynamic_shared: 0,
            stack_bytes: 0,
            params: self.base + PARAMS,
            param_bytes: 64,
            local_bytes: LOCAL_BYTES,
            symbols: &symbols,
            grid_id: 1,
            multiprocessors: 1,
            envregs: [0; 32],
            cancel: &cancel,
            deadline: None,
            host,
        };
        let block = BlockEnv {
            ctaid: [1, 0, 0],
            rank: 0,
            worker: 0,
            shared: self.base + SHARED,
            local: self.base + LOCAL,
        };
        let engine = Interpreter::new(unit);
        let mut run = engine.start(&grid, block);
        for yields in 0..2000 {
            if run.run(&mut || {})? == Progress::Done {
                return Ok(yields);
            }
        }
        cancel.store(true, Ordering::Relaxed);
        run.run(&mut || {}).map(|_| 2000)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the range belongs to this object, which is being dropped.
        unsafe {
            space::decommit(self.base, SIZE);
            space::unreserve(self.base, SIZE + 4096);
        }
    }
}

pub(crate) fn run(unit: &Unit, threads: u32) -> Vec<u32> {
    let memory = Memory::new();
    memory.run(unit, threads, &Printed::default()).unwrap();
    memory.words(threads as usize)
}

pub(crate) fn fault(unit: &Unit, threads: u32) -> Fault {
    Memory::new()
        .run(unit, threads, &Printed::default())
        .unwrap_err()
}
