//! Loads, stores and atomics of one thread at a checked host address.
//!
//! Addresses have been checked by the caller. Ordinary loads and stores are plain Cranelift accesses; volatile and
//! synchronising ones are atomic. Atomics without inline code call a helper.

use crate::ir::{AtomOp, Cmp, Float, FloatOp, IntOp, Num, Op, Order, Round, Ty};
use crate::jit::avx512::RESULT;
use crate::jit::code::symbol::{Helper, Site};
use crate::jit::emit::generator::Gen;
use crate::jit::emit::value::{Emit, GROUP, Lanes, part_type, trusted};
use crate::jit::runtime::layout::Gang;
use cranelift_codegen::ir::{AtomicRmwOp, InstBuilder, MemFlagsData, Type, Value, types};
use std::mem::offset_of;

/// Returns the flags for an access to the program's memory, which may fault and need not be aligned.
pub fn user() -> MemFlagsData {
    MemFlagsData::new()
}

fn memory_type(ty: Ty) -> Type {
    match ty {
        Ty::Pred | Ty::B8 => types::I8,
        Ty::B16 => types::I16,
        Ty::B32 => types::I32,
        Ty::B64 | Ty::B128 => types::I64,
    }
}

impl Emit<'_, '_> {
    /// Loads one element and extends it to the width of `reg`.
    pub fn load_one(
        &mut self,
        ty: Ty,
        signed: bool,
        reg: Ty,
        order: Order,
        address: Value,
        offset: i32,
    ) -> Lanes {
        if ty == Ty::B128 {
            let low = self.b.ins().load(types::I64, user(), address, offset);
            let high = self.b.ins().load(types::I64, user(), address, offset + 8);
            return Lanes::new(reg, false, &[low, high]);
        }
        let part = part_type(reg, false);
        let memory = memory_type(ty);
        let value = if order == Order::Plain {
            let b = self.b.ins();
            match (memory, signed) {
                (types::I8, false) => b.uload8(part, user(), address, offset),
                (types::I8, true) => b.sload8(part, user(), address, offset),
                (types::I16, false) => b.uload16(part, user(), address, offset),
                (types::I16, true) => b.sload16(part, user(), address, offset),
                (types::I32, false) if part == types::I64 => b.uload32(user(), address, offset),
                (types::I32, true) if part == types::I64 => b.sload32(user(), address, offset),
                _ => b.load(memory, user(), address, offset),
            }
        } else {
            // An atomic load is never merged with another one, as busy-wait loops require.
            let at = self.b.ins().iadd_imm_s(address, i64::from(offset));
            let noncanonical = self.b.ins().atomic_load(memory, user(), at);
            if memory.bits() >= part.bits() {
                noncanonical
            } else if signed {
                self.b.ins().sextend(part, noncanonical)
            } else {
                self.b.ins().uextend(part, noncanonical)
            }
        };
        let value = if signed && reg.bits() < 32 {
            self.b.ins().band_imm_u(value, reg.mask() as i64)
        } else {
            value
        };
        if reg == Ty::B128 {
            let zero = self.iconst(types::I64, 0);
            return Lanes::new(reg, false, &[value, zero]);
        }
        Lanes::new(reg, false, &[value])
    }

    /// Stores the low bits of one thread's value.
    pub fn store_one(&mut self, ty: Ty, value: Lanes, order: Order, address: Value, offset: i32) {
        if ty == Ty::B128 {
            self.b
                .ins()
                .store(user(), value.parts()[0], address, offset);
            self.b
                .ins()
                .store(user(), value.parts()[1], address, offset + 8);
            return;
        }
        let from = self.b.func.dfg.value_type(value.one());
        let memory = memory_type(ty);
        let ordered =
            matches!(order, Order::Release | Order::AcqRel) && !cfg!(target_arch = "x86_64");
        if ordered {
            let narrow = if memory.bits() < from.bits() {
                self.b.ins().ireduce(memory, value.one())
            } else {
                value.one()
            };
            let at = self.b.ins().iadd_imm_s(address, i64::from(offset));
            self.b.ins().atomic_store(user(), narrow, at);
            return;
        }
        let b = self.b.ins();
        match memory {
            types::I8 if from != types::I8 => b.istore8(user(), value.one(), address, offset),
            types::I16 => b.istore16(user(), value.one(), address, offset),
            types::I32 if from == types::I64 => b.istore32(user(), value.one(), address, offset),
            _ => b.store(user(), value.one(), address, offset),
        };
    }

    /// Emits a read-modify-write by one thread. `private` memory (a window) is accessed by this worker only, so plain
    /// accesses suffice. Returns `None` if there is no inline code.
    pub fn atomic_one(
        &mut self,
        op: AtomOp,
        num: Num,
        address: Value,
        args: &[Lanes],
        private: bool,
    ) -> Option<Lanes> {
        let ty = num.ty();
        if !Self::has_atomic(op, num, private) {
            return None;
        }
        let part = part_type(ty, false);
        if private {
            let old = self.load_one(ty, false, ty, Order::Plain, address, 0);
            let new = self.updated(op, num, old, args)?;
            let new = self.canonicalize_nans(new);
            self.store_one(ty, new, Order::Plain, address, 0);
            return Some(old);
        }
        let rmw = match (op, num) {
            (AtomOp::Exch, _) => AtomicRmwOp::Xchg,
            (AtomOp::Cas, Num::F(_)) | (_, Num::F(_)) => return None,
            (AtomOp::Cas, _) => {
                let old = self
                    .b
                    .ins()
                    .atomic_cas(user(), address, args[0].one(), args[1].one());
                return Some(Lanes::new(ty, false, &[old]));
            }
            (AtomOp::Add, _) => AtomicRmwOp::Add,
            (AtomOp::And, _) => AtomicRmwOp::And,
            (AtomOp::Or, _) => AtomicRmwOp::Or,
            (AtomOp::Xor, _) => AtomicRmwOp::Xor,
            (AtomOp::Min, Num::S(_)) => AtomicRmwOp::Smin,
            (AtomOp::Min, Num::U(_)) => AtomicRmwOp::Umin,
            (AtomOp::Max, Num::S(_)) => AtomicRmwOp::Smax,
            (AtomOp::Max, Num::U(_)) => AtomicRmwOp::Umax,
            (AtomOp::Inc | AtomOp::Dec | AtomOp::Mbarrier, _) => return None,
        };
        let old = self
            .b
            .ins()
            .atomic_rmw(part, user(), rmw, address, args[0].one());
        Some(Lanes::new(ty, false, &[old]))
    }

    /// Tells whether [`Emit::atomic_one`] has inline code for an operation.
    pub fn has_atomic(op: AtomOp, num: Num, private: bool) -> bool {
        let exchange = op == AtomOp::Exch;
        matches!(num.ty(), Ty::B32 | Ty::B64)
            && (private || exchange || !num.is_float())
            && !matches!(op, AtomOp::Inc | AtomOp::Dec | AtomOp::Mbarrier)
    }

    /// Emits the value that a read-modify-write stores.
    fn updated(&mut self, op: AtomOp, num: Num, old: Lanes, args: &[Lanes]) -> Option<Lanes> {
        let ty = num.ty();
        let a = args[0];
        let int = |op: IntOp| Op::Int(op, ty);
        let float = |ty: Float, op: FloatOp| Op::Float {
            op,
            ty,
            round: Round::Nearest,
            ftz: false,
            sat: false,
        };
        let op = match (op, num) {
            (AtomOp::Exch, _) => return Some(a),
            (AtomOp::Cas, _) => {
                let hit = Op::Compare {
                    cmp: Cmp::Eq,
                    num: Num::U(ty),
                    ftz: false,
                };
                let hit = self.op(hit, &[old, a]);
                return Some(self.op(Op::Select(ty), &[hit, args[1], old]));
            }
            (AtomOp::Add, Num::F(f)) => float(f, FloatOp::Add),
            (AtomOp::Min, Num::F(f)) => float(f, FloatOp::Min),
            (AtomOp::Max, Num::F(f)) => float(f, FloatOp::Max),
            (AtomOp::Add, _) => int(IntOp::Add),
            (AtomOp::And, _) => int(IntOp::And),
            (AtomOp::Or, _) => int(IntOp::Or),
            (AtomOp::Xor, _) => int(IntOp::Xor),
            (AtomOp::Min, Num::S(_)) => int(IntOp::MinS),
            (AtomOp::Min, _) => int(IntOp::MinU),
            (AtomOp::Max, Num::S(_)) => int(IntOp::MaxS),
            (AtomOp::Max, _) => int(IntOp::MaxU),
            (AtomOp::Inc | AtomOp::Dec | AtomOp::Mbarrier, _) => return None,
        };
        Some(self.op(op, &[old, a]))
    }
}

impl Gen<'_, '_> {
    /// Emits a read-modify-write by one thread at a checked address.
    pub(crate) fn atomic(
        &mut self,
        (env, gang): (Value, Value),
        what: (AtomOp, Num, bool),
        address: Value,
        args: &[Lanes],
        private: bool,
    ) -> Lanes {
        let (op, num, packed) = what;
        if !packed && let Some(old) = self.e.atomic_one(op, num, address, args, private) {
            return old;
        }
        let ty = if packed { Ty::B32 } else { num.ty() };
        let number = self.e.numbers.site(Site::Atomic(op, num, packed));
        let site = self.e.iconst(types::I64, number);
        if ty == Ty::B128 {
            return self.wide_atomic((env, gang, site), address, args, private);
        }
        let a = self.e.as_word(args[0]);
        let b = match args.get(1) {
            Some(&b) => self.e.as_word(b),
            None => a,
        };
        let old = self.e.call(Helper::Atomic, &[env, site, address, a, b]);
        self.e.of_word(ty, old)
    }

    /// Emits a read-modify-write of at most 64 bits by the threads of a group that are in `mask` (I32), with one call.
    pub(crate) fn atomic_group(
        &mut self,
        env: Value,
        what: (AtomOp, Num, bool),
        addresses: [Value; GROUP],
        args: &[Lanes],
        (private, mask): (bool, Option<Value>),
    ) -> Lanes {
        let (op, num, packed) = what;
        let ty = if packed { Ty::B32 } else { num.ty() };
        let area = self.e.area();
        for (n, &address) in addresses.iter().enumerate() {
            let at = 8 * n as i32;
            self.e.b.ins().store(trusted(), address, area, at);
        }
        for (n, &arg) in args.iter().enumerate() {
            self.e.put(arg, area, 128 * (n as i32 + 1));
        }
        let number = self.e.numbers.site(Site::Atomic(op, num, packed));
        let site = self.e.iconst(types::I64, number);
        // Other blocks of the cluster may arrive at an mbarrier too.
        let private = private && op != AtomOp::Mbarrier;
        let private = self.e.iconst(types::I64, i64::from(private));
        let mask = match mask {
            Some(bits) => self.e.b.ins().uextend(types::I64, bits),
            None => self.e.iconst(types::I64, 0xf),
        };
        let values = [area, env, site, private, mask];
        self.e.call(Helper::AtomicLanes, &values);
        self.e.take(ty, area, RESULT)
    }

    /// Emits a 128-bit read-modify-write. Operands and result pass through the gang's scratch words.
    fn wide_atomic(
        &mut self,
        (env, gang, site): (Value, Value, Value),
        address: Value,
        args: &[Lanes],
        private: bool,
    ) -> Lanes {
        let at = |n: usize| (offset_of!(Gang, scratch) + 8 * n) as i32;
        for (k, part) in args.iter().flat_map(|a| a.parts()).enumerate() {
            self.e.b.ins().store(trusted(), *part, gang, at(k));
        }
        let private = self.e.iconst(types::I64, i64::from(private));
        self.e
            .call(Helper::WideAtomic, &[env, gang, site, address, private]);
        let parts = [0, 1].map(|k| {
            let b = self.e.b.ins();
            b.load(types::I64, trusted(), gang, at(k))
        });
        Lanes::new(Ty::B128, false, &parts)
    }
}
