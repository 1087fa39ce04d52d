//! The scalar phase of gang mode: instructions with uniform or affine results, executed once per gang.
//!
//! Each result is the value of the gang's first lane; its uniformity tells how the others follow. Comparisons of affine
//! values and widening operations add guards.

use crate::analysis::uniformity::{Uniformity, is_scalar, widens};
use crate::env::WARP_IDS;
use crate::ir::{Block, Inst, Op, Reg, Special, Ty};
use crate::jit::code::symbol::Helper;
use crate::jit::emit::value::{Lanes, trusted};
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::{GangCodegen, RegValue};
use crate::jit::runtime::layout::{Env, Gang};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;

impl GangCodegen<'_, '_, '_, '_> {
    pub(crate) fn is_scalar(&self, block: &Block, inst: &Inst) -> bool {
        is_scalar(&self.plan.uniformity, block, inst)
    }

    pub(crate) fn scalar_inst(
        &mut self,
        i: usize,
        inst: &Inst,
        scalars: &mut Vec<(usize, Reg, Lanes, Uniformity)>,
    ) {
        let plan = self.plan;
        match inst {
            Inst::Op { dst, op, args } => {
                let signature = op.signature();
                let uniformity: Vec<Uniformity> =
                    args.iter().map(|&a| self.uniformity_of(a)).collect();
                let values: Vec<Lanes> = args
                    .iter()
                    .zip(signature.args())
                    .map(|(&a, &ty)| self.noncanonical_scalar(a, ty))
                    .collect();
                let affine = uniformity.iter().find_map(|c| match c {
                    Uniformity::Affine(s) => Some(*s),
                    _ => None,
                });
                let value = match (op, affine) {
                    (Op::Compare { cmp, num, .. }, Some(stride)) => {
                        self.guarded_compare(*cmp, *num, &values, &uniformity, stride)
                    }
                    _ => {
                        if let (Some(signed), Some(stride)) = (widens(*op), affine) {
                            let which = usize::from(uniformity[0] == Uniformity::Uniform);
                            self.guard_no_wrap(values[which], stride, signed);
                        }
                        let step = self.step_after(*op, &values);
                        self.g.e.op(*op, &values).stepping(step)
                    }
                };
                let uniformity = plan.uniformity.of(*dst);
                scalars.push((i, *dst, value, uniformity));
                self.set(*dst, RegValue::Scalar(value, uniformity));
            }
            Inst::Special { dst, special } => {
                let value = self.special(*special);
                let uniformity = plan.uniformity.of(*dst);
                scalars.push((i, *dst, value, uniformity));
                self.set(*dst, RegValue::Scalar(value, uniformity));
            }
            Inst::SymbolAddress { dst, variable } => {
                let table = self.env_load(types::I64, offset_of!(Env, symbols));
                let value =
                    self.g
                        .e
                        .b
                        .ins()
                        .load(types::I64, trusted(), table, *variable as i32 * 8);
                let value = Lanes::new(Ty::B64, false, &[value]);
                scalars.push((i, *dst, value, Uniformity::Uniform));
                self.set(*dst, RegValue::Scalar(value, Uniformity::Uniform));
            }
            Inst::Load {
                dsts,
                ty,
                signed,
                addr,
                order,
            } => {
                let address = self.scalar_address(i, inst, addr);
                self.check_guards();
                for (n, dst) in dsts.iter().enumerate() {
                    let Some(dst) = dst else { continue };
                    let reg_ty = plan.func.ty(*dst);
                    let offset = n as i32 * ty.bytes() as i32;
                    let value = self
                        .g
                        .e
                        .load_one(*ty, *signed, reg_ty, *order, address, offset);
                    scalars.push((i, *dst, value, Uniformity::Uniform));
                    self.set(*dst, RegValue::Scalar(value, Uniformity::Uniform));
                }
            }
            Inst::Check { addr, access } => {
                // If the gang is about to bail out, addresses are arbitrary.
                self.check_guards();
                let base = self.scalar(addr.base, Ty::B64);
                if let Uniformity::Affine(stride) = self.uniformity_of(addr.base) {
                    let gang = (self.env, self.gang);
                    let count = self.invariant(Invariant::Count);
                    self.g
                        .check_line(gang, count, stride, *access, base, addr.offset);
                    return;
                }
                let lane = self.first_active();
                self.g
                    .check_access((self.env, self.gang), lane, *access, base, addr.offset);
            }
            Inst::FunctionAddress { dst, func } => {
                let value = self.g.e.constant(Ty::B64, false, u64::from(func.0) + 1);
                scalars.push((i, *dst, value, Uniformity::Uniform));
                self.set(*dst, RegValue::Scalar(value, Uniformity::Uniform));
            }
            Inst::Store { .. }
            | Inst::Atomic { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => {}
        }
    }

    pub(crate) fn special(&mut self, special: Special) -> Lanes {
        let env32 = |f: &mut Self, offset: usize| {
            let v = f.env_load(types::I32, offset);
            Lanes::new(Ty::B32, false, &[v])
        };
        let env64 = |f: &mut Self, offset: usize| {
            let v = f.env_load(types::I64, offset);
            Lanes::new(Ty::B64, false, &[v])
        };
        let axis = |base: usize, axis: u8| base + usize::from(axis) * 4;
        let number = |f: &mut Self, number: i64| {
            let v = f.g.e.iconst(types::I32, number);
            Lanes::new(Ty::B32, false, &[v])
        };
        match special {
            // LLVM finds which lanes have which number.
            Special::Tid(0) if self.plan.row == Some(32) => number(self, 0),
            Special::Tid(n) => {
                let at = axis(offset_of!(Gang, tid0), n);
                let v = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I32, trusted(), self.gang, at as i32);
                let step = self.tid_step(n);
                Lanes::new(Ty::B32, false, &[v]).stepping(step)
            }
            Special::Ntid(0) if let Some(row) = self.plan.row => number(self, row.into()),
            Special::Ntid(n) => env32(self, axis(offset_of!(Env, block), n)),
            Special::Ctaid(n) => env32(self, axis(offset_of!(Env, ctaid), n)),
            Special::Nctaid(n) => env32(self, axis(offset_of!(Env, grid), n)),
            Special::ClusterNctaid(n) => env32(self, axis(offset_of!(Env, cluster), n)),
            Special::ClusterRank => env32(self, offset_of!(Env, cluster_rank)),
            Special::ExplicitCluster => env32(self, offset_of!(Env, explicit_cluster)),
            Special::NWarpId => self.g.e.constant(Ty::B32, false, u64::from(WARP_IDS)),
            Special::SmId => env32(self, offset_of!(Env, worker)),
            Special::NSmId => env32(self, offset_of!(Env, multiprocessors)),
            Special::GridId => env64(self, offset_of!(Env, grid_id)),
            Special::DynamicSharedSize => env32(self, offset_of!(Env, dynamic_shared)),
            Special::TotalSharedSize => {
                let bytes = self.invariant(Invariant::SharedBytes);
                let v = self.g.e.b.ins().ireduce(types::I32, bytes);
                Lanes::new(Ty::B32, false, &[v])
            }
            Special::EnvReg(n) => env32(self, axis(offset_of!(Env, envregs), n)),
            Special::SharedBase => Lanes::new(Ty::B64, false, &[self.invariant(Invariant::Shared)]),
            Special::ParamBase => env64(self, offset_of!(Env, params)),
            Special::LocalWindow => {
                Lanes::new(Ty::B64, false, &[self.invariant(Invariant::SpaceBase)])
            }
            Special::LocalBase => {
                let v = self.local_base();
                let step = self.window_step(i64::from(self.plan.local_bytes));
                Lanes::new(Ty::B64, false, &[v]).stepping(step)
            }
            Special::Stack => {
                let stack = self.env_load(types::I64, offset_of!(Env, stack));
                let at = offset_of!(Gang, first) as i32;
                let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
                let ahead = self.g.e.b.ins().ishl_imm_u(first, 3);
                let v = self.g.e.b.ins().iadd(stack, ahead);
                let step = self.window_step(8);
                Lanes::new(Ty::B64, false, &[v]).stepping(step)
            }
            Special::Clock | Special::Clock64 | Special::GlobalTimer => {
                let which = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(special == Special::GlobalTimer));
                let value = self.g.e.call(Helper::Clock, &[which]);
                self.g.e.of_word(special.ty(), value)
            }
            // Those of a gang of one warp: of its first lane, and of all.
            Special::LaneId => self.g.e.constant(Ty::B32, false, 0),
            Special::WarpId => {
                let at = offset_of!(Gang, first) as i32;
                let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
                let b = &mut self.g.e.b;
                let warp = b.ins().ushr_imm_u(first, 5);
                let warp = b.ins().ireduce(types::I32, warp);
                Lanes::new(Ty::B32, false, &[warp])
            }
            // These differ between lanes, so the scalar phase never reads them.
            Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe => self.g.e.constant(Ty::B32, false, 0),
        }
    }

    /// Returns the address of the local memory of the gang's first lane.
    pub(crate) fn local_base(&mut self) -> Value {
        let at = offset_of!(Gang, local) as i32;
        self.g.e.b.ins().load(types::I64, trusted(), self.gang, at)
    }
}
