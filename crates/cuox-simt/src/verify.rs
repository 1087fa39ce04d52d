//! Verification: tells whether a unit is well formed. No engine panics on a unit that passes.
//!
//! A verified unit has these properties:
//! - A function has a block. Every block has one line number per instruction and one for its terminator. Local memory
//!   and slots have 1 GiB at most each.
//! - All registers, blocks, slots and functions that are named exist. Immediates are allowed as any operand.
//! - Operands and results of an [`Op`] have the types of its signature, and the operation exists for its width:
//!   integer operations require 8 to 64 bits, those of b32 only have 32.
//! - A load's registers and a store's sources are at least as wide as the element, which is not a predicate. An
//!   instruction moves 1 to 16 elements. Parameters are not written; call slots are not used atomically.
//! - The base of a [`Space::Flat`] address is b64; that of any other is b32 or b64 (of which the low half counts).
//! - Atomics have one operand (`Cas` two) of the number's type, and operations that the number has.
//! - A direct call passes as many slots as the callee takes. Services of the driver get their arguments.
//! - Conditions are predicates; barriers and warp operations have operands and results as documented.
//! - The kernel has no parameter and result slots and does not return.
//! - The mask of a block is a predicate; the first block has none.

use crate::ir::{
    Address, AtomOp, BarrierKind, Block, BlockId, Callee, Float, FuncId, Function, ImageOp, Inst,
    IntOp, MAX_IMAGE_ARGS, Num, Op, Operand, Reg, Space, Special, Syscall, Terminator, Ty, Unit,
    WarpOp,
};
use std::fmt;

/// The largest number of elements that one instruction moves.
pub(crate) const MAX_ELEMENTS: usize = 16;

/// The largest size of a frame or slot, with which sums of a few are 32 bits. Passes stop there, and launches much
/// earlier.
const MAX_FRAME: u32 = 1 << 30;

/// An error in a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function's name.
    pub function: String,
    /// Index of the block, if the error is in one.
    pub block: Option<u32>,
    /// Index of the instruction in the block (the number of instructions, for the terminator), if the error is in
    /// one.
    pub inst: Option<u32>,
    /// The description of the error.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.function)?;
        if let Some(block) = self.block {
            write!(f, ", block {block}")?;
        }
        if let Some(inst) = self.inst {
            write!(f, ", instruction {inst}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Returns all errors in `unit`.
pub fn verify(unit: &Unit) -> Result<(), Vec<VerifyError>> {
    let functions = Some(&unit.functions[..]);
    let mut errors = verify_function(&unit.kernel, Kind::Kernel, functions);
    for function in &unit.functions {
        errors.extend(verify_function(function, Kind::Function, functions));
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// The role of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It is launched.
    Kernel,
    /// It is called.
    Function,
}

/// Returns all errors in one function. `functions` are those that it may call; if `None`, calls are not checked.
pub fn verify_function(
    function: &Function,
    kind: Kind,
    functions: Option<&[Function]>,
) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    let mut verifier = Verifier {
        functions,
        function,
        kind,
        block: None,
        inst: None,
        errors: &mut errors,
    };
    verifier.function();
    errors
}

/// Returns all errors in a block that combines some blocks of a function.
pub(crate) fn verify_block(function: &Function, block: &Block) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    let mut verifier = Verifier {
        functions: None,
        function,
        kind: Kind::Kernel,
        block: None,
        inst: None,
        errors: &mut errors,
    };
    verifier.lines(block);
    verifier.block_body(block);
    errors
}

struct Verifier<'a> {
    functions: Option<&'a [Function]>,
    function: &'a Function,
    kind: Kind,
    block: Option<u32>,
    inst: Option<u32>,
    errors: &'a mut Vec<VerifyError>,
}

fn syscall_signature(call: Syscall) -> (&'static [Ty], Option<Ty>) {
    match call {
        Syscall::Printf => (&[Ty::B64, Ty::B64], Some(Ty::B32)),
        Syscall::Malloc => (&[Ty::B64], Some(Ty::B64)),
        Syscall::Free => (&[Ty::B64], None),
        Syscall::AssertFail => (&[Ty::B64, Ty::B64, Ty::B32, Ty::B64, Ty::B64], None),
        Syscall::Breakpoint => (&[Ty::B64, Ty::B64], Some(Ty::B32)),
        Syscall::NoFunction => (&[Ty::B64], None),
        Syscall::BulkCopy => (&[Ty::B64; 5], None),
        Syscall::BulkReduce(..) => (&[Ty::B64; 4], None),
        Syscall::TensorLoad(_) => (&[Ty::B64; 8], None),
        Syscall::TensorStore(_) | Syscall::TensorReduce(..) => (&[Ty::B64; 5], None),
        Syscall::TensorMapReplace(_) => (&[Ty::B64; 2], None),
        Syscall::WgmmaFault => (&[Ty::B32], None),
        Syscall::Runtime(call) => {
            let (args, result) = call.signature();
            (args, Some(result))
        }
    }
}

/// Returns true if arithmetic on integers of that type exists.
fn is_int(ty: Ty) -> bool {
    matches!(ty, Ty::B8 | Ty::B16 | Ty::B32 | Ty::B64)
}

fn is_number(num: Num) -> bool {
    num.is_float() || is_int(num.ty())
}

fn is_half(float: Float) -> bool {
    matches!(float, Float::F16 | Float::BF16)
}

/// Returns the reason why an operation does not exist; `None` if it exists.
fn op_flaw(op: Op) -> Option<&'static str> {
    let fixed = |op: IntOp| {
        matches!(
            op,
            IntOp::Prmt(_)
                | IntOp::Lop3(_)
                | IntOp::ShfL(_)
                | IntOp::ShfR(_)
                | IntOp::Dp4a(..)
                | IntOp::Dp2a(..)
                | IntOp::Fns
                | IntOp::Szext(..)
                | IntOp::Bmsk(_)
        )
    };
    match op {
        Op::Int(_, ty) if !is_int(ty) => Some("integer operations require 8, 16, 32 or 64 bits"),
        Op::Int(op, ty) if fixed(op) && ty != Ty::B32 => Some("the operation exists for b32 only"),
        Op::Float2 { ty, .. } | Op::Convert2 { to: ty, .. } if !is_half(ty) => {
            Some("packed operations require f16 or bf16")
        }
        Op::Convert(c) if !is_number(c.from) || !is_number(c.to) => {
            Some("converted integers must have 8, 16, 32 or 64 bits")
        }
        Op::Compare { num, .. } if !is_number(num) => {
            Some("compared integers must have 8, 16, 32 or 64 bits")
        }
        _ => None,
    }
}

impl<'a> Verifier<'a> {
    fn fail(&mut self, message: impl Into<String>) {
        self.errors.push(VerifyError {
            function: self.function.name.clone(),
            block: self.block,
            inst: self.inst,
            message: message.into(),
        });
    }

    fn check(&mut self, holds: bool, message: &str) {
        if !holds {
            self.fail(message);
        }
    }

    fn function(&mut self) {
        let f = self.function;
        self.check(!f.blocks.is_empty(), "the function has no block");
        let sizes = f.slots.iter().map(|slot| slot.size);
        self.check(
            sizes.chain([f.local_bytes]).all(|size| size <= MAX_FRAME),
            "the local memory or a slot is larger than 1 GiB",
        );
        for &slot in f.params.iter().chain(&f.results) {
            self.slot(slot);
        }
        if self.kind == Kind::Kernel && (!f.params.is_empty() || !f.results.is_empty()) {
            self.fail("a kernel has parameter or result slots");
        }
        for (b, block) in f.blocks.iter().enumerate() {
            self.block = Some(b as u32);
            self.inst = None;
            self.lines(block);
            self.check(
                b > 0 || block.mask.is_none(),
                "the first block must not have a mask",
            );
            self.block_body(block);
        }
    }

    fn lines(&mut self, block: &Block) {
        self.check(
            block.lines.len() == block.insts.len() + 1,
            "the block must have one line number for each instruction",
        );
    }

    fn block_body(&mut self, block: &Block) {
        for (i, inst) in block.insts.iter().enumerate() {
            self.inst = Some(i as u32);
            self.instruction(inst);
        }
        self.inst = Some(block.insts.len() as u32);
        let mut targets = Vec::new();
        block.end.successors(|b| targets.push(b));
        for BlockId(b) in targets {
            if b as usize >= self.function.blocks.len() {
                self.fail(format!("block {b} does not exist"));
            }
        }
        self.terminator(&block.end);
        if let Some(mask) = block.mask {
            self.operand(Operand::Reg(mask.reg), "mask", &[Ty::Pred]);
        }
    }

    /// Returns the type of a register; reports a register that does not exist.
    fn reg(&mut self, reg: Reg) -> Option<Ty> {
        let ty = self.function.regs.get(reg.index()).copied();
        if ty.is_none() {
            self.fail(format!("register {} does not exist", reg.0));
        }
        ty
    }

    fn result(&mut self, reg: Reg, want: Ty) {
        if let Some(ty) = self.reg(reg)
            && ty != want
        {
            self.fail(format!("result r{} is {ty}, not {want}", reg.0));
        }
    }

    fn operand(&mut self, operand: Operand, what: &str, want: &[Ty]) {
        if let Operand::Reg(reg) = operand
            && let Some(ty) = self.reg(reg)
            && !want.contains(&ty)
        {
            let want: Vec<String> = want.iter().map(Ty::to_string).collect();
            self.fail(format!(
                "{what} r{} is {ty}, not {}",
                reg.0,
                want.join(" or ")
            ));
        }
    }

    fn operands(&mut self, args: &[Operand], want: &[Ty]) {
        if args.len() != want.len() {
            self.fail(format!("{} operands instead of {}", args.len(), want.len()));
        }
        for (i, (arg, ty)) in args.iter().zip(want).enumerate() {
            self.operand(*arg, &format!("operand {i},"), &[*ty]);
        }
    }

    fn slot(&mut self, slot: u32) {
        if slot as usize >= self.function.slots.len() {
            self.fail(format!("call slot {slot} does not exist"));
        }
    }

    /// Returns a called function; `None` if no functions are given.
    fn callee(&mut self, FuncId(func): FuncId) -> Option<&'a Function> {
        let callee = self.functions?.get(func as usize);
        if callee.is_none() {
            self.fail(format!("device function {func} does not exist"));
        }
        callee
    }

    fn address(&mut self, addr: &Address) {
        let bases: &[Ty] = match addr.space {
            Space::Flat => &[Ty::B64],
            Space::Shared | Space::Local | Space::Param => &[Ty::B32, Ty::B64],
            Space::Slot(slot) => {
                self.slot(slot);
                &[Ty::B32, Ty::B64]
            }
        };
        self.operand(addr.base, "address", bases);
    }

    /// Checks that a register can hold an element of type `element`.
    fn carries(&mut self, reg: Reg, element: Ty) {
        if let Some(ty) = self.reg(reg)
            && (ty == Ty::Pred
                || ty.bytes() < element.bytes()
                || (ty == Ty::B128) != (element == Ty::B128))
        {
            self.fail(format!("r{} is {ty} and cannot carry a {element}", reg.0));
        }
    }

    fn elements(&mut self, count: usize, ty: Ty) {
        if count == 0 || count > MAX_ELEMENTS {
            self.fail(format!("{count} elements in one access"));
        }
        self.check(ty != Ty::Pred, "predicates cannot be in memory");
    }

    fn instruction(&mut self, inst: &Inst) {
        match inst {
            Inst::Op { dst, op, args } => {
                if let Some(flaw) = op_flaw(*op) {
                    self.fail(flaw);
                    return;
                }
                let signature = op.signature();
                self.operands(args, signature.args());
                self.result(*dst, signature.result);
            }
            Inst::Special { dst, special } => {
                self.result(*dst, special.ty());
                let exists = match special {
                    Special::Tid(a)
                    | Special::Ntid(a)
                    | Special::Ctaid(a)
                    | Special::Nctaid(a)
                    | Special::ClusterNctaid(a) => *a < 3,
                    Special::EnvReg(n) => *n < 32,
                    _ => true,
                };
                self.check(exists, "the special register does not exist");
            }
            Inst::SymbolAddress { dst, .. } => self.result(*dst, Ty::B64),
            // A function that is no longer called may have an address.
            Inst::FunctionAddress { dst, .. } => self.result(*dst, Ty::B64),
            Inst::Load { dsts, ty, addr, .. } => {
                self.address(addr);
                self.elements(dsts.len(), *ty);
                for dst in dsts.iter().flatten() {
                    self.carries(*dst, *ty);
                }
            }
            Inst::Store { srcs, ty, addr, .. } => {
                self.address(addr);
                self.elements(srcs.len(), *ty);
                self.check(addr.space != Space::Param, "parameters cannot be written");
                for src in srcs.iter().filter_map(|s| s.reg()) {
                    self.carries(src, *ty);
                }
            }
            Inst::Atomic {
                dst,
                op,
                num,
                packed,
                addr,
                args,
                ..
            } => {
                self.address(addr);
                let bad = matches!(addr.space, Space::Param | Space::Slot(_));
                self.check(
                    !bad,
                    "parameters and call slots cannot be accessed atomically",
                );
                self.atomic(*dst, *op, *num, *packed, args);
            }
            Inst::Check { addr, .. } => {
                self.address(addr);
                self.check(
                    addr.space == Space::Flat,
                    "only accesses to flat memory have checks",
                );
            }
            Inst::Fence(_) => {}
            Inst::Syscall { dst, call, args } => {
                let (want, result) = syscall_signature(*call);
                self.operands(args, want);
                match (dst, result) {
                    (Some(dst), Some(ty)) => self.result(*dst, ty),
                    (Some(_), None) => self.fail("the service has no result"),
                    (None, _) => {}
                }
            }
            Inst::Image { dsts, op, args } => self.image(dsts, *op, args),
            Inst::Call {
                callee,
                args,
                results,
            } => {
                for &slot in args.iter().chain(results) {
                    self.slot(slot);
                }
                match callee {
                    Callee::Direct(id) => {
                        if let Some(callee) = self.callee(*id) {
                            let fits = callee.params.len() == args.len()
                                && callee.results.len() == results.len();
                            self.check(fits, "the slots of the call and of its callee differ");
                        }
                    }
                    Callee::Indirect(target) => self.operand(*target, "callee", &[Ty::B64]),
                }
            }
        }
    }

    fn image(&mut self, dsts: &[Option<Reg>], op: ImageOp, args: &[Operand]) {
        let (given, made) = op.words();
        self.check(
            given < MAX_IMAGE_ARGS && made <= 4,
            "an image operation has at most 14 words of operands and four of results",
        );
        let mut want = vec![Ty::B32; given + 1];
        want[0] = Ty::B64;
        self.operands(args, &want);
        self.check(
            dsts.len() == made,
            "the operation has a different number of results",
        );
        for dst in dsts.iter().flatten() {
            self.result(*dst, Ty::B32);
        }
    }

    fn atomic(&mut self, dst: Option<Reg>, op: AtomOp, num: Num, packed: bool, args: &[Operand]) {
        let ty = if packed { Ty::B32 } else { num.ty() };
        let exists = match (op, num) {
            (AtomOp::Exch | AtomOp::Cas, _) => true,
            (AtomOp::Mbarrier, num) => num == Num::U(Ty::B64) && !packed,
            (AtomOp::Add | AtomOp::Min | AtomOp::Max, Num::F(_)) => true,
            (_, Num::F(_)) => false,
            (_, num) => is_int(num.ty()),
        };
        self.check(
            exists && ty != Ty::Pred,
            "the atomic operation does not exist for this number type",
        );
        if packed {
            self.check(
                matches!(num, Num::F(f) if is_half(f)),
                "packed atomics require f16 or bf16",
            );
        }
        let count = if op == AtomOp::Cas { 2 } else { 1 };
        self.operands(args, &[ty; 2][..count]);
        if let Some(dst) = dst {
            self.result(dst, ty);
        }
    }

    fn terminator(&mut self, end: &Terminator) {
        match end {
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Trap
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. } => {}
            Terminator::Branch { cond, .. } => {
                self.operand(Operand::Reg(*cond), "condition", &[Ty::Pred])
            }
            Terminator::Switch { index, .. } => self.operand(*index, "index", &[Ty::B32]),
            Terminator::Return => self.check(self.kind != Kind::Kernel, "a kernel must not return"),
            Terminator::Barrier {
                kind,
                id,
                count,
                pred,
                dst,
                ..
            } => {
                self.operand(*id, "barrier", &[Ty::B32]);
                if let Some(count) = count {
                    self.operand(*count, "count", &[Ty::B32]);
                }
                let result = match kind {
                    BarrierKind::Sync | BarrierKind::Arrive | BarrierKind::Warpgroup => None,
                    BarrierKind::Popc => Some(Ty::B32),
                    BarrierKind::And | BarrierKind::Or => Some(Ty::Pred),
                };
                self.check(
                    pred.is_some() == result.is_some(),
                    "only reducing barriers have a predicate, and they need one",
                );
                if let Some(pred) = pred {
                    self.operand(*pred, "predicate", &[Ty::Pred]);
                }
                match (dst, result) {
                    (Some(dst), Some(ty)) => self.result(*dst, ty),
                    (Some(_), None) => self.fail("the barrier has no result"),
                    (None, _) => {}
                }
            }
            Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                ..
            } => {
                if let WarpOp::MatchAny(ty) | WarpOp::MatchAll(ty) = op {
                    self.check(matches!(ty, Ty::B32 | Ty::B64), "match requires b32 or b64");
                }
                self.operand(*mask, "member mask", &[Ty::B32]);
                let (want, results) = op.signature();
                self.operands(args, &want);
                for (n, dst) in dsts.iter().enumerate() {
                    match (dst, results.get(n)) {
                        (Some(dst), Some(&ty)) => self.result(*dst, ty),
                        (Some(_), None) => self.fail("the operation has no such result"),
                        (None, _) => {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::testing::{Builder, at};
    use crate::ir::{Args, Cmp, Mask, Order, Slot};

    fn good() -> Unit {
        let mut b = Builder::new("k");
        let v = b.element(0);
        let x = b.load(Ty::B32, at(Space::Flat, v, 4));
        let p = b.compare(Cmp::Lt, x, 4);
        b.branch(p, 1, 2);
        b.store(Ty::B32, at(Space::Shared, x, 0), 1);
        b.jump(2);
        b.end(Terminator::Exit);
        b.unit()
    }

    /// Returns the verifier's errors for `good()` after a change.
    fn after(change: impl FnOnce(&mut Unit)) -> String {
        let mut unit = good();
        change(&mut unit);
        let errors = verify(&unit).expect_err("the change is a flaw");
        errors.iter().map(|e| format!("{e}\n")).collect()
    }

    #[test]
    fn flaws_are_named() {
        verify(&good()).unwrap();
        let k = |f: fn(&mut Function)| after(|u| f(&mut u.kernel));
        assert_eq!(
            k(|f| f.blocks[1].lines.clear()),
            "k, block 1: the block must have one line number for each instruction\n"
        );
        assert_eq!(
            k(|f| f.blocks[1].end = Terminator::Jump(BlockId(9))),
            "k, block 1, instruction 1: block 9 does not exist\n"
        );
        assert!(k(|f| f.blocks.clear()).contains("no block"));
        assert!(k(|f| f.local_bytes = u32::MAX).contains("larger than 1 GiB"));
        let slot = Slot {
            size: u32::MAX,
            align: 1,
        };
        assert!(after(|u| u.kernel.slots.push(slot)).contains("larger than 1 GiB"));
        let mask = |f: &mut Function, block: usize, ty: Ty| {
            let reg = f.new_reg(ty);
            f.blocks[block].mask = Some(Mask {
                reg,
                negated: false,
            });
        };
        assert!(after(|u| mask(&mut u.kernel, 1, Ty::B32)).contains("is b32, not pred"));
        assert!(after(|u| mask(&mut u.kernel, 0, Ty::Pred)).contains("must not have a mask"));
        assert!(k(|f| f.blocks[2].end = Terminator::Return).contains("a kernel must not return"));
        assert!(k(|f| f.regs.truncate(2)).contains("register 2 does not exist"));
        assert!(k(|f| f.regs.fill(Ty::B64)).contains("is b64, not b32"));
        assert!(k(|f| f.params.push(3)).contains("call slot 3 does not exist"));
        let put = |inst: Inst| {
            after(|u| {
                u.kernel.blocks[2].insts.push(inst);
                u.kernel.blocks[2].lines.push(1);
                u.kernel.regs.extend([Ty::B128, Ty::Pred, Ty::B16]);
            })
        };
        let first = good().kernel.regs.len() as u32;
        let (wide, pred, half) = (Reg(first), Reg(first + 1), Reg(first + 2));
        let op = |dst, op, args: &[Operand]| Inst::Op {
            dst,
            op,
            args: Args::new(args),
        };
        let zero = Operand::Imm(0);
        let add = Op::Int(IntOp::Add, Ty::B16);
        assert!(put(op(half, add, &[zero])).contains("1 operands instead of 2"));
        assert!(put(op(pred, add, &[zero; 2])).contains("is pred, not b16"));
        assert!(put(op(half, add, &[zero, pred.into()])).contains("operand 1, r"));
        assert!(
            put(op(wide, Op::Int(IntOp::Add, Ty::B128), &[zero; 2])).contains("8, 16, 32 or 64")
        );
        assert!(put(op(half, Op::Int(IntOp::Fns, Ty::B16), &[zero; 3])).contains("b32 only"));
        let load = |dst, ty, space| Inst::Load {
            dsts: vec![Some(dst)],
            ty,
            signed: false,
            addr: at(space, 0, 0),
            order: Order::Plain,
        };
        assert!(put(load(half, Ty::B32, Space::Flat)).contains("cannot carry"));
        assert!(put(load(pred, Ty::B8, Space::Flat)).contains("cannot carry"));
        assert!(put(load(half, Ty::B16, Space::Slot(0))).contains("call slot 0"));
        let store = |space, count| Inst::Store {
            srcs: vec![zero; count],
            ty: Ty::B32,
            addr: at(space, 0, 0),
            order: Order::Plain,
        };
        assert!(put(store(Space::Param, 1)).contains("cannot be written"));
        assert!(put(store(Space::Flat, 17)).contains("17 elements"));
        assert!(put(store(Space::Flat, 0)).contains("0 elements"));
        let atomic = |op, num| Inst::Atomic {
            dst: None,
            op,
            num,
            packed: false,
            addr: at(Space::Flat, 0, 0),
            args: Args::new(&[zero]),
            order: Order::Plain,
        };
        assert!(
            put(atomic(AtomOp::And, Num::F(Float::F32)))
                .contains("does not exist for this number type")
        );
        assert!(
            put(atomic(AtomOp::Add, Num::U(Ty::B128)))
                .contains("does not exist for this number type")
        );
        assert!(put(atomic(AtomOp::Cas, Num::U(Ty::B32))).contains("1 operands instead of 2"));
        let call = |callee| Inst::Call {
            callee,
            args: vec![],
            results: vec![],
        };
        assert!(put(call(Callee::Direct(FuncId(0)))).contains("function 0 does not exist"));
        assert!(put(call(Callee::Indirect(half.into()))).contains("is b16, not b64"));
        let special = |dst, special| Inst::Special { dst, special };
        assert!(put(special(Reg(2), Special::Tid(3))).contains("does not exist"));
        assert!(put(special(half, Special::Tid(0))).contains("is b16, not b32"));
    }

    #[test]
    fn calls_agree_with_their_callee() {
        let mut callee = Builder::new("f");
        callee.f.slots = vec![Slot { size: 4, align: 4 }];
        callee.f.params = vec![0];
        callee.end(Terminator::Return);
        let text = after(|u| {
            u.functions.push(callee.f);
            u.kernel.blocks[2].insts.push(Inst::Call {
                callee: Callee::Direct(FuncId(0)),
                args: vec![],
                results: vec![],
            });
            u.kernel.blocks[2].lines.push(1);
        });
        assert!(text.contains("of its callee differ"), "{text}");
    }

    #[test]
    fn units_print() {
        let text = good().to_string();
        assert!(text.contains("function \"k\" () -> () local 0 {"), "{text}");
        assert!(
            text.contains("%4 = load.b32 flat[%3 + 4] Relaxed"),
            "{text}"
        );
        assert!(text.contains("    branch %5, b1, b2  ; 6\n"), "{text}");
        assert!(
            text.contains("store.b32 shared[%4], 1 Relaxed  ; 100\n    jump b2  ; 101\n"),
            "{text}"
        );
    }
}
