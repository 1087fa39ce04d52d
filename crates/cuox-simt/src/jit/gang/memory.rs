//! Memory accesses of gang mode: one vector access if the lanes' addresses are adjacent, else lane by lane.
//! `address.rs` computes and checks the addresses.

use crate::analysis::uniformity::Uniformity;
use crate::ir::{Inst, Order, Reg, Space, Ty};
use crate::jit::emit::memory::user;
use crate::jit::emit::value::{Emit, GROUP, Lanes};
use crate::jit::gang::{GangCodegen, RegValue};
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl GangCodegen<'_, '_, '_, '_> {
    pub(crate) fn group_load(&mut self, i: usize, inst: &Inst) {
        let Inst::Load {
            dsts,
            ty,
            signed,
            addr,
            order,
        } = inst
        else {
            return;
        };
        let (ty, signed, order) = (*ty, *signed, *order);
        let bytes = ty.bytes() * dsts.len() as u32;
        if let Some(mask) = self.mask
            && self.group_stride(addr, bytes).is_some()
        {
            self.load_base(addr);
            let wanted: Vec<Reg> = dsts.iter().flatten().copied().collect();
            self.full_or_partial(
                mask,
                &wanted,
                |this| this.group_load(i, inst),
                |this| {
                    let addresses = this.checked_lanes(i, addr, bytes);
                    this.load_each(dsts, ty, signed, order, addresses.map(|a| (a, 0)));
                },
            );
            return;
        }
        if let Some(ready) = self.group_access_address(i, addr, bytes) {
            let at = ready.address;
            if ready.stride == 0 {
                // One value for the group.
                for (k, dst) in dsts.iter().enumerate() {
                    let Some(dst) = *dst else { continue };
                    let own = self.plan.func.ty(dst);
                    let offset = k as i32 * ty.bytes() as i32;
                    let value = self.g.e.load_one(ty, signed, own, order, at, offset);
                    self.set(dst, RegValue::Scalar(value, Uniformity::PiecewiseAffine(0)));
                }
                return;
            }
            if let ([Some(dst)], Order::Plain) = (&dsts[..], order)
                && ready.stride == i64::from(ty.bytes())
                && self.load_neighbours(*dst, ty, signed, at)
            {
                return;
            }
            if order == Order::Plain && ready.stride == 16 && ty == Ty::B32 && dsts.len() == 4 {
                self.load_quads(dsts, at);
                return;
            }
            let addresses: [(Value, i32); GROUP] = std::array::from_fn(|n| {
                let offset = n as i64 * ready.stride;
                match i32::try_from(offset) {
                    Ok(offset) => (at, offset),
                    Err(_) => (self.offset(at, offset), 0),
                }
            });
            self.load_each(dsts, ty, signed, order, addresses);
            return;
        }
        let addresses = self.checked_lanes(i, addr, bytes);
        self.load_each(dsts, ty, signed, order, addresses.map(|a| (a, 0)));
    }

    fn load_each(
        &mut self,
        dsts: &[Option<Reg>],
        ty: Ty,
        signed: bool,
        order: Order,
        addresses: [(Value, i32); GROUP],
    ) {
        for (k, dst) in dsts.iter().enumerate() {
            let Some(dst) = *dst else { continue };
            let reg_ty = self.plan.func.ty(dst);
            let lanes = addresses.map(|(at, offset)| {
                let offset = offset + k as i32 * ty.bytes() as i32;
                self.g.e.load_one(ty, signed, reg_ty, order, at, offset)
            });
            let value = self.g.e.gather(&lanes);
            self.set(dst, RegValue::Group(value));
        }
    }

    /// Emits a load of adjacent elements, one per lane.
    fn load_neighbours(&mut self, dst: Reg, ty: Ty, signed: bool, at: Value) -> bool {
        let reg_ty = self.plan.func.ty(dst);
        let b = &mut self.g.e.b;
        let value = match (ty, reg_ty) {
            (Ty::B32, Ty::B32) => {
                let v = b.ins().load(types::I32X4, user(), at, 0);
                Lanes::new(Ty::B32, true, &[v])
            }
            (Ty::B64, Ty::B64) => {
                let low = b.ins().load(types::I64X2, user(), at, 0);
                let high = b.ins().load(types::I64X2, user(), at, 16);
                Lanes::new(Ty::B64, true, &[low, high])
            }
            (Ty::B16, Ty::B16 | Ty::B32) => {
                let v = if signed && reg_ty == Ty::B32 {
                    b.ins().sload16x4(user(), at, 0)
                } else {
                    b.ins().uload16x4(user(), at, 0)
                };
                Lanes::new(reg_ty, true, &[v])
            }
            (Ty::B8, Ty::B8 | Ty::B16 | Ty::B32) if !signed => {
                let word = b.ins().load(types::I32, user(), at, 0);
                let v = b.ins().scalar_to_vector(types::I32X4, word);
                let bytes = self.g.e.bits_as(types::I8X16, v);
                let halves = self.g.e.b.ins().uwiden_low(bytes);
                let words = self.g.e.b.ins().uwiden_low(halves);
                Lanes::new(reg_ty, true, &[words])
            }
            _ => return false,
        };
        self.set(dst, RegValue::Group(value));
        true
    }

    /// Emits a load of four 32-bit elements per lane: a 4 × 4 transposition.
    fn load_quads(&mut self, dsts: &[Option<Reg>], at: Value) {
        let rows: [Value; GROUP] = std::array::from_fn(|n| {
            self.g
                .e
                .b
                .ins()
                .load(types::I32X4, user(), at, n as i32 * 16)
        });
        let columns = self.transpose(rows);
        for (dst, column) in dsts.iter().zip(columns) {
            if let Some(dst) = dst {
                let ty = self.plan.func.ty(*dst);
                let value = Lanes::new(Ty::B32, true, &[column]);
                let value = crate::jit::emit::ops::convert::resize(
                    &mut self.g.e,
                    value,
                    Ty::B32,
                    ty,
                    false,
                );
                self.set(*dst, RegValue::Group(value));
            }
        }
    }

    /// Transposes a 4 × 4 matrix of 32-bit values.
    fn transpose(&mut self, rows: [Value; GROUP]) -> [Value; GROUP] {
        let low: [u8; 4] = [0, 16, 4, 20];
        let high: [u8; 4] = [8, 24, 12, 28];
        let first: [u8; 4] = [0, 4, 16, 20];
        let second: [u8; 4] = [8, 12, 24, 28];
        let a = self.words(rows[0], rows[1], low);
        let b = self.words(rows[2], rows[3], low);
        let c = self.words(rows[0], rows[1], high);
        let d = self.words(rows[2], rows[3], high);
        [
            self.words(a, b, first),
            self.words(a, b, second),
            self.words(c, d, first),
            self.words(c, d, second),
        ]
    }

    /// Selects four 32-bit words of two vectors by their byte positions.
    pub(crate) fn words(&mut self, a: Value, b: Value, starts: [u8; 4]) -> Value {
        let a = self.g.e.bits_as(types::I8X16, a);
        let b = self.g.e.bits_as(types::I8X16, b);
        let bytes: Vec<u8> = starts.iter().flat_map(|&at| at..at + 4).collect();
        let order = self.g.e.b.func.dfg.immediates.push(bytes.as_slice().into());
        let picked = self.g.e.b.ins().shuffle(a, b, order);
        self.g.e.bits_as(types::I32X4, picked)
    }

    pub(crate) fn group_store(&mut self, i: usize, inst: &Inst) {
        let Inst::Store {
            srcs,
            ty,
            addr,
            order,
        } = inst
        else {
            return;
        };
        let (ty, order) = (*ty, *order);
        let values: Vec<Lanes> = srcs
            .iter()
            .map(|&src| {
                let own = src.reg().map_or(ty, |r| self.plan.func.ty(r));
                self.group(src, own)
            })
            .collect();
        let bytes = ty.bytes() * srcs.len() as u32;
        if let Some(mask) = self.mask
            && self.group_stride(addr, bytes).is_some()
        {
            self.load_base(addr);
            self.full_or_partial(
                mask,
                &[],
                |this| this.group_store(i, inst),
                |this| {
                    let addresses = this.checked_lanes(i, addr, bytes);
                    for (n, address) in addresses.into_iter().enumerate() {
                        this.store_lane(&values, n, ty, order, address);
                    }
                },
            );
            return;
        }
        if let Some(ready) = self.group_access_address(i, addr, bytes) {
            let at = ready.address;
            if ready.stride == 0 {
                // All lanes write to one address; which one wins is undefined, here the last.
                for (k, &value) in values.iter().enumerate() {
                    let last = self.g.e.extract(value, GROUP - 1);
                    self.g
                        .e
                        .store_one(ty, last, order, at, k as i32 * ty.bytes() as i32);
                }
                return;
            }
            let plain = matches!(order, Order::Plain | Order::Relaxed);
            if let ([value], true) = (&values[..], plain && ready.stride == i64::from(ty.bytes()))
                && matches!((ty, value.ty), (Ty::B32, Ty::B32) | (Ty::B64, Ty::B64))
            {
                for (k, &part) in value.parts().iter().enumerate() {
                    self.g.e.b.ins().store(user(), part, at, k as i32 * 16);
                }
                return;
            }
            if plain
                && ready.stride == 16
                && ty == Ty::B32
                && values.len() == 4
                && values.iter().all(|v| v.ty == Ty::B32)
            {
                let rows = self.transpose(std::array::from_fn(|k| values[k].one()));
                for (n, row) in rows.into_iter().enumerate() {
                    self.g.e.b.ins().store(user(), row, at, n as i32 * 16);
                }
                return;
            }
            for n in 0..GROUP {
                let ahead = self.offset(at, n as i64 * ready.stride);
                self.store_lane(&values, n, ty, order, ahead);
            }
            return;
        }
        let addresses = self.checked_lanes(i, addr, bytes);
        for (n, address) in addresses.into_iter().enumerate() {
            self.store_lane(&values, n, ty, order, address);
        }
    }

    fn store_lane(&mut self, values: &[Lanes], lane: usize, ty: Ty, order: Order, address: Value) {
        for (k, &value) in values.iter().enumerate() {
            let one = self.g.e.extract(value, lane);
            self.g
                .e
                .store_one(ty, one, order, address, k as i32 * ty.bytes() as i32);
        }
    }

    pub(crate) fn group_atomic(&mut self, i: usize, inst: &Inst) {
        let Inst::Atomic {
            dst,
            op,
            num,
            packed,
            addr,
            args,
            ..
        } = inst
        else {
            return;
        };
        let ty = if *packed { Ty::B32 } else { num.ty() };
        let addresses = self.checked_lanes(i, addr, ty.bytes());
        let values: Vec<Lanes> = args.iter().map(|&a| self.group(a, ty)).collect();
        let private = addr.space != Space::Flat;
        if ty != Ty::B128 && (*packed || !Emit::has_atomic(*op, *num, private)) {
            let (env, mask) = (self.env, self.mask.map(|mask| mask.bits));
            let what = (*op, *num, *packed);
            let old = self
                .g
                .atomic_group(env, what, addresses, &values, (private, mask));
            if let Some(dst) = *dst {
                let own = self.plan.func.ty(dst);
                let value =
                    crate::jit::emit::ops::convert::resize(&mut self.g.e, old, ty, own, false);
                self.set(dst, RegValue::Group(value));
            }
            return;
        }
        let mut results = [Lanes::new(ty, false, &[self.lane]); GROUP];
        for (n, (&address, out)) in addresses.iter().zip(&mut results).enumerate() {
            let one: Vec<Lanes> = values.iter().map(|&v| self.g.e.extract(v, n)).collect();
            let on = self.begin_lane(n);
            let old = self.g.atomic(
                (self.env, self.gang),
                (*op, *num, *packed),
                address,
                &one,
                private,
            );
            *out = self.end_lane(on, old);
        }
        if let Some(dst) = *dst {
            let own = self.plan.func.ty(dst);
            let value = self.g.e.gather(&results);
            let value = if own == ty || ty == Ty::B128 {
                value
            } else {
                crate::jit::emit::ops::convert::resize(&mut self.g.e, value, ty, own, false)
            };
            self.set(dst, RegValue::Group(value));
        }
    }
}
