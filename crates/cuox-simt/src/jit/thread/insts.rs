//! Instructions in thread mode, for the current lane.

use crate::jit::thread::*;

impl ThreadCodegen<'_, '_, '_, '_> {
    pub(super) fn inst(&mut self, i: usize, inst: &Inst) -> Result<(), String> {
        match inst {
            Inst::Op { dst, op, args } => {
                let signature = op.signature();
                let values: Vec<Lanes> = args
                    .iter()
                    .zip(signature.args())
                    .map(|(&a, &ty)| self.noncanonical_value(a, ty))
                    .collect();
                let value = self.g.e.op(*op, &values);
                self.set(*dst, value);
            }
            Inst::Special { dst, special } => {
                let value = self.special(*special);
                self.set(*dst, value);
            }
            Inst::SymbolAddress { dst, variable } => {
                let table = self.env_load(types::I64, offset_of!(Env, symbols));
                let v = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I64, trusted(), table, *variable as i32 * 8);
                self.set(*dst, Lanes::new(Ty::B64, false, &[v]));
            }
            Inst::FunctionAddress { dst, func } => {
                let value = self.g.e.constant(Ty::B64, false, u64::from(func.0) + 1);
                self.set(*dst, value);
            }
            Inst::Load {
                dsts,
                ty,
                signed,
                addr,
                order,
            } => {
                let at = self.address(i, addr, ty.bytes() * dsts.len() as u32);
                for (k, dst) in dsts.iter().enumerate() {
                    let Some(dst) = *dst else { continue };
                    let own = self.plan.func.ty(dst);
                    let offset = k as i32 * ty.bytes() as i32;
                    let value = self.g.e.load_one(*ty, *signed, own, *order, at, offset);
                    self.set(dst, value);
                }
            }
            Inst::Store {
                srcs,
                ty,
                addr,
                order,
            } => {
                let at = self.address(i, addr, ty.bytes() * srcs.len() as u32);
                for (k, &src) in srcs.iter().enumerate() {
                    let value = self.value(src, *ty);
                    self.g
                        .e
                        .store_one(*ty, value, *order, at, k as i32 * ty.bytes() as i32);
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
                let ty = if *packed { Ty::B32 } else { num.ty() };
                let at = self.address(i, addr, ty.bytes());
                let values: Vec<Lanes> = args.iter().map(|&a| self.value(a, ty)).collect();
                let private = addr.space != Space::Flat;
                let old = self.g.atomic(
                    (self.env, self.gang),
                    (*op, *num, *packed),
                    at,
                    &values,
                    private,
                );
                if let Some(dst) = *dst {
                    let own = self.plan.func.ty(dst);
                    let value = if own == ty || ty == Ty::B128 {
                        old
                    } else {
                        crate::jit::emit::ops::convert::resize(&mut self.g.e, old, ty, own, false)
                    };
                    self.set(dst, value);
                }
            }
            Inst::Check { addr, access } => {
                let base = self.value(addr.base, Ty::B64);
                let block = (self.env, self.gang);
                self.g
                    .check_access(block, self.lane, *access, base, addr.offset);
            }
            Inst::Fence(_) => {
                self.g.e.b.ins().fence();
            }
            Inst::Syscall { dst, call, args } => {
                let site = self.plan.numbers.site(Site::Syscall(*call));
                for (k, &arg) in args.iter().enumerate() {
                    let value = self.value(arg, Ty::B64);
                    let word = self.g.e.as_word(value);
                    let at = (offset_of!(Gang, scratch) + 8 * k) as i32;
                    self.g.e.b.ins().store(trusted(), word, self.gang, at);
                }
                let result = self.g.call_syscall(self.env, self.gang, site, self.lane);
                if !call.faults_late() {
                    let failed = self.g.e.call(Helper::PendingFault, &[self.env]);
                    self.fault_if(failed, RUNTIME_FAULT, None);
                }
                if let Some(dst) = *dst {
                    let value = self.g.e.of_word(self.plan.func.ty(dst), result);
                    self.set(dst, value);
                }
            }
            Inst::Image { dsts, op, args } => {
                let values: Vec<Lanes> = args
                    .iter()
                    .enumerate()
                    .map(|(n, &a)| self.value(a, if n == 0 { Ty::B64 } else { Ty::B32 }))
                    .collect();
                let (env, gang, lane) = (self.env, self.gang, self.lane);
                let (failed, results) = self.g.image(env, gang, lane, *op, &values);
                self.fault_if(failed, RUNTIME_FAULT, None);
                for (dst, value) in dsts.iter().zip(results) {
                    if let Some(dst) = *dst {
                        self.set(dst, value);
                    }
                }
            }
            Inst::Call { .. } => {
                return Err("the kernel has calls that were not flattened".to_owned());
            }
        }
        Ok(())
    }
}
