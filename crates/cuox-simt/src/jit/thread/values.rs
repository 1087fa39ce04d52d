//! Register values of the current lane in thread mode: those it has computed, and those in its slots.

use crate::jit::thread::*;

impl ThreadCodegen<'_, '_, '_, '_> {
    pub(super) fn forget(&mut self) {
        for reg in self.touched.drain(..) {
            self.cur[reg.index()] = None;
        }
    }

    pub(super) fn set(&mut self, reg: Reg, value: Lanes) {
        if self.cur[reg.index()].is_none() {
            self.touched.push(reg);
        }
        self.cur[reg.index()] = Some(value);
    }

    pub(super) fn value(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let value = self.noncanonical_value(operand, ty);
        if !value.noncanonical {
            return value;
        }
        let canonical = self.g.e.canonicalize_nans(value);
        if let Operand::Reg(reg) = operand {
            self.cur[reg.index()] = Some(canonical);
        }
        canonical
    }

    /// Returns an operand's value for arithmetic, whose NaNs need not be canonical.
    pub(super) fn noncanonical_value(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let reg = match operand {
            Operand::Imm(bits) => return self.g.e.constant(ty, false, bits),
            Operand::Reg(reg) => reg,
        };
        if let Some(value) = self.cur[reg.index()] {
            return value;
        }
        let value = match self.plan.layout.home(reg) {
            Some(home) => self.load_home(home),
            // The register is never written, so any value will do.
            None => self.g.e.constant(self.plan.func.ty(reg), false, 0),
        };
        self.set(reg, value);
        value
    }

    pub(super) fn slot(&mut self, home: Home) -> Value {
        let by = self
            .g
            .e
            .b
            .ins()
            .ishl_imm_u(self.lane, i64::from(lane_bytes(home.ty).ilog2()));
        let shift = lane_bytes(home.ty).ilog2() as usize;
        self.g.e.b.ins().iadd(self.slots[shift - 2], by)
    }

    pub(super) fn load_home(&mut self, home: Home) -> Lanes {
        let offset = home.lanes as i32;
        if home.ty == Ty::Pred {
            let bits = self
                .g
                .e
                .b
                .ins()
                .load(types::I32, trusted(), self.masks, offset);
            let bit = self.g.e.b.ins().ushr(bits, self.lane);
            let bit = self.g.e.b.ins().ireduce(types::I8, bit);
            let bit = self.g.e.b.ins().band_imm_u(bit, 1);
            return Lanes::new(Ty::Pred, false, &[bit]);
        }
        let at = self.slot(home);
        let part = part_type(home.ty, false);
        let first = self.g.e.b.ins().load(part, trusted(), at, offset);
        if home.ty == Ty::B128 {
            let second = self.g.e.b.ins().load(part, trusted(), at, offset + 8);
            return Lanes::new(home.ty, false, &[first, second]);
        }
        Lanes::new(home.ty, false, &[first])
    }

    pub(super) fn store_home(&mut self, home: Home, value: Lanes) {
        let offset = home.lanes as i32;
        if home.ty == Ty::Pred {
            let old = self
                .g
                .e
                .b
                .ins()
                .load(types::I32, trusted(), self.masks, offset);
            let one = self.g.e.iconst(types::I32, 1);
            let here = self.g.e.b.ins().ishl(one, self.lane);
            let cleared = self.g.e.b.ins().band_not(old, here);
            let bit = self.g.e.b.ins().uextend(types::I32, value.one());
            let bit = self.g.e.b.ins().ishl(bit, self.lane);
            let new = self.g.e.b.ins().bor(cleared, bit);
            self.g.e.b.ins().store(trusted(), new, self.masks, offset);
            return;
        }
        let at = self.slot(home);
        for (i, &part) in value.parts().iter().enumerate() {
            self.g
                .e
                .b
                .ins()
                .store(trusted(), part, at, offset + i as i32 * 8);
        }
    }

    pub(super) fn env_load(&mut self, ty: Type, offset: usize) -> Value {
        self.g
            .e
            .b
            .ins()
            .load(ty, trusted(), self.env, offset as i32)
    }

    pub(super) fn special(&mut self, special: Special) -> Lanes {
        let axis = |base: usize, axis: u8| base + usize::from(axis) * 4;
        let offset = match special {
            Special::Tid(n) => {
                let by = self.g.e.b.ins().ishl_imm_u(self.lane, 2);
                let at = self.g.e.b.ins().iadd(self.slots[0], by);
                let offset = u32::from(n) * 4 * self.plan.layout.capacity;
                let v = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I32, trusted(), at, offset as i32);
                return Lanes::new(Ty::B32, false, &[v]);
            }
            Special::LaneId => {
                let v = self.g.e.b.ins().ireduce(types::I32, self.lane);
                return Lanes::new(Ty::B32, false, &[v]);
            }
            Special::WarpId => {
                let at = offset_of!(Gang, first) as i32;
                let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
                let warp = self.g.e.b.ins().ushr_imm_u(first, 5);
                let v = self.g.e.b.ins().ireduce(types::I32, warp);
                return Lanes::new(Ty::B32, false, &[v]);
            }
            Special::NWarpId => return self.g.e.constant(Ty::B32, false, u64::from(WARP_IDS)),
            Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe => return self.g.lane_mask(special, self.lane),
            Special::LocalBase => {
                let v = self.local_base();
                return Lanes::new(Ty::B64, false, &[v]);
            }
            Special::Stack => {
                let stack = self.env_load(types::I64, offset_of!(Env, stack));
                let at = offset_of!(Gang, first) as i32;
                let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
                let thread = self.g.e.b.ins().iadd(first, self.lane);
                let ahead = self.g.e.b.ins().ishl_imm_u(thread, 3);
                let v = self.g.e.b.ins().iadd(stack, ahead);
                return Lanes::new(Ty::B64, false, &[v]);
            }
            Special::Clock | Special::Clock64 | Special::GlobalTimer => {
                let which = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(special == Special::GlobalTimer));
                let value = self.g.e.call(Helper::Clock, &[which]);
                return self.g.e.of_word(special.ty(), value);
            }
            Special::TotalSharedSize => offset_of!(Env, shared_bytes),
            Special::Ntid(n) => axis(offset_of!(Env, block), n),
            Special::Ctaid(n) => axis(offset_of!(Env, ctaid), n),
            Special::Nctaid(n) => axis(offset_of!(Env, grid), n),
            Special::ClusterNctaid(n) => axis(offset_of!(Env, cluster), n),
            Special::ClusterRank => offset_of!(Env, cluster_rank),
            Special::ExplicitCluster => offset_of!(Env, explicit_cluster),
            Special::SmId => offset_of!(Env, worker),
            Special::NSmId => offset_of!(Env, multiprocessors),
            Special::GridId => offset_of!(Env, grid_id),
            Special::DynamicSharedSize => offset_of!(Env, dynamic_shared),
            Special::EnvReg(n) => axis(offset_of!(Env, envregs), n),
            Special::SharedBase => offset_of!(Env, shared),
            Special::LocalWindow => offset_of!(Env, space_base),
            Special::ParamBase => offset_of!(Env, params),
        };
        let ty = special.ty();
        let v = self.env_load(part_type(ty, false), offset);
        Lanes::new(ty, false, &[v])
    }

    pub(super) fn local_base(&mut self) -> Value {
        let at = offset_of!(Gang, local) as i32;
        let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
        let ahead = self
            .g
            .e
            .b
            .ins()
            .imul_imm_s(self.lane, i64::from(self.plan.local_bytes));
        self.g.e.b.ins().iadd(first, ahead)
    }
}
