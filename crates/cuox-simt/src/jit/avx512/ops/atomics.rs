//! Wide code for atomics.

use crate::analysis::last_adds;
use crate::ir::{AtomOp, Inst, Operand, Reg, Space, Ty};
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{Lower, Result, Unsupported, Val};
use crate::jit::avx512::memory::LaneAddresses;
use crate::jit::avx512::vcode::{Constant, Mem, NEIGHBOURS, Rmw, Src, Vop};
use crate::jit::code::helper::Helper;
use crate::jit::code::symbol::Site;

impl Lower<'_> {
    pub(crate) fn atomic(&mut self, i: usize, inst: &Inst) -> Result<()> {
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
            return Err(Unsupported);
        };
        let ty = if *packed { Ty::B32 } else { num.ty() };
        if ty == Ty::B128 {
            return Err(Unsupported);
        }
        let count = self.neighbours(i);
        if count > 1 {
            return self.atomic_neighbours(i, count, ty);
        }
        let place = self.place(i, addr, ty.bytes())?;
        for (n, &arg) in args.iter().enumerate() {
            self.put_scratch(arg, ty, 128 * (n as i32 + 1))?;
        }
        self.put_addresses(&place, 0);
        let private = addr.space != Space::Flat;
        let plain = !packed && ty.bytes() >= 4;
        // An atomic on one address, or on adjacent ones within a word, is executed by a call.
        let one = matches!(place, LaneAddresses::Affine { line, .. } if line.stride.abs() <= 8);
        let simple = match op {
            AtomOp::Add if plain && !num.is_float() && (private || !one) => Some(Rmw::Add),
            AtomOp::Exch if plain && !private && !one => Some(Rmw::Exchange),
            _ => None,
        };
        let later = last_adds::may_come_later(&self.block.insts[i..], self.quiet_end);
        match simple {
            _ if later => self.code.push(Vop::Call {
                target: Helper::AddLater,
                constants: [
                    Constant::Value(u64::from(ty == Ty::B64)),
                    Constant::Value(0),
                ],
                mask: self.active,
            }),
            Some(rmw) => self.code.push(Vop::Rmw {
                op: rmw,
                wide: ty == Ty::B64,
                locked: !private,
                old: dst.is_some(),
                mask: self.active,
            }),
            None => {
                // Other blocks of the cluster may arrive at an mbarrier too.
                let private = private && *op != AtomOp::Mbarrier;
                let private = u64::from(private);
                let site = Site::Atomic(*op, *num, *packed);
                let site = self.plan.numbers.site(site) as u64;
                self.code.push(Vop::Call {
                    target: Helper::AtomicLanes,
                    constants: [Constant::Value(site), Constant::Value(private)],
                    mask: self.active,
                });
            }
        }
        if let Some(dst) = *dst {
            let old = self.take_scratch(ty);
            self.set_old(dst, old, ty);
        }
        Ok(())
    }

    fn set_old(&mut self, dst: Reg, old: Val, ty: Ty) {
        let own = self.plan.func.ty(dst);
        let val = match old {
            Val::Words(v, _) => self.extend(v, ty, own, false),
            Val::Longs(parts) if own != Ty::B64 => Val::Words(self.low_halves(parts), false),
            other => other,
        };
        self.set(dst, val);
    }

    /// Returns the number of atomics from instruction `i` on that update adjacent elements, as those of a vector do: 1,
    /// 2 or 4.
    fn neighbours(&self, i: usize) -> usize {
        let mut known: Vec<Reg> = Vec::new();
        let same = |n: usize, inst: &Inst, known: &mut Vec<Reg>| {
            let (
                Inst::Atomic {
                    dst,
                    op,
                    num,
                    packed,
                    addr,
                    args,
                    ..
                },
                Inst::Atomic {
                    op: first_op,
                    num: first_num,
                    packed: first_packed,
                    addr: first,
                    ..
                },
            ) = (inst, &self.block.insts[i])
            else {
                return false;
            };
            let bytes = if *packed { 4 } else { num.ty().bytes() };
            let is = (op, num, packed) == (first_op, first_num, first_packed)
                && !matches!(op, AtomOp::Cas | AtomOp::Mbarrier)
                && (addr.space, addr.base) == (Space::Flat, first.base)
                && addr.offset == first.offset.wrapping_add(n as i64 * i64::from(bytes))
                && bytes <= 4;
            // The result of an earlier atomic of the group is not available yet.
            let new = |operand: Operand| operand.reg().is_some_and(|reg| known.contains(&reg));
            let is = is && !new(addr.base) && !args.iter().any(|&arg| new(arg));
            known.extend(*dst);
            is
        };
        let insts = self.block.insts[i..].iter().take(4).enumerate();
        let count = insts
            .take_while(|(n, inst)| same(*n, inst, &mut known))
            .count();
        match count {
            4 => 4,
            2 | 3 => 2,
            _ => 1,
        }
    }

    /// Executes `count` atomics from instruction `i` on with one call.
    fn atomic_neighbours(&mut self, i: usize, count: usize, ty: Ty) -> Result<()> {
        let insts = self.block.insts[i..].iter().take(count).enumerate();
        let mut places = Vec::new();
        let mut site = None;
        for (n, inst) in insts.clone() {
            if let Inst::Atomic {
                op,
                num,
                packed,
                addr,
                args,
                ..
            } = inst
            {
                places.push(self.place(i + n, addr, ty.bytes())?);
                self.put_scratch(args[0], ty, 128 + 64 * n as i32)?;
                site.get_or_insert(Site::Atomic(*op, *num, *packed));
            }
        }
        let (Some(place), Some(site)) = (places.first(), site) else {
            return Err(Unsupported);
        };
        self.put_addresses(place, 0);
        let site = self.plan.numbers.site(site) as u64;
        self.code.push(Vop::Call {
            target: Helper::AtomicNeighbours,
            constants: [Constant::Value(site), Constant::Value(count as u64)],
            mask: self.active,
        });
        for (n, inst) in insts {
            if let Inst::Atomic { dst: Some(dst), .. } = *inst {
                let from = Src::Mem(Mem::Scratch(NEIGHBOURS + 64 * n as i32));
                let old = Val::Words(self.op1(forms::LOAD, from), false);
                self.set_old(dst, old, ty);
            }
        }
        self.done = i + count;
        Ok(())
    }
}
