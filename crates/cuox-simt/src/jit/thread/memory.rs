//! Checked addresses and faults in thread mode.

use crate::jit::thread::*;

impl ThreadCodegen<'_, '_, '_, '_> {
    /// Returns the host address of an access. Exits with a fault at instruction `i` if it is illegal.
    pub(super) fn address(&mut self, i: usize, addr: &Address, bytes: u32) -> Value {
        let base_ty = if addr.space == Space::Flat {
            Ty::B64
        } else {
            Ty::B32
        };
        let base = self.value(addr.base, base_ty);
        if addr.space == Space::Flat {
            let wide = match base.ty {
                Ty::B64 => base.one(),
                _ => self.g.e.b.ins().uextend(types::I64, base.one()),
            };
            let at = self.g.e.b.ins().iadd_imm_s(wide, addr.offset);
            let origin = self.env_load(types::I64, offset_of!(Env, space_base));
            let mask = self.env_load(types::I64, offset_of!(Env, space_mask));
            let mask = self.g.e.b.ins().bor_imm_u(mask, i64::from(bytes - 1));
            let off = self.g.e.b.ins().bxor(at, origin);
            let wrong = self.g.e.b.ins().band(off, mask);
            self.fault_if(wrong, i as u32, Some(at));
            return at;
        }
        let word = match base.ty {
            Ty::B64 => self.g.e.b.ins().ireduce(types::I32, base.one()),
            _ => base.one(),
        };
        let word = self
            .g
            .e
            .b
            .ins()
            .iadd_imm_s(word, i64::from(addr.offset as i32));
        let offset = self.g.e.b.ins().uextend(types::I64, word);
        let (limit, window) = match addr.space {
            Space::Shared => (
                self.env_load(types::I64, offset_of!(Env, shared_bytes)),
                self.env_load(types::I64, offset_of!(Env, shared)),
            ),
            Space::Local => {
                let limit = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(self.plan.local_bytes));
                (limit, self.local_base())
            }
            _ => {
                let limit = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(self.plan.param_bytes));
                (limit, self.env_load(types::I64, offset_of!(Env, params)))
            }
        };
        let end = self.g.e.b.ins().iadd_imm_u(offset, i64::from(bytes));
        let past = self
            .g
            .e
            .b
            .ins()
            .icmp(IntCC::UnsignedGreaterThan, end, limit);
        let odd = self.g.e.b.ins().band_imm_u(offset, i64::from(bytes - 1));
        let odd = self.g.e.b.ins().icmp_imm_u(IntCC::NotEqual, odd, 0);
        let bad = self.g.e.b.ins().bor(past, odd);
        self.fault_if(bad, i as u32, Some(offset));
        self.g.e.b.ins().iadd(window, offset)
    }

    pub(super) fn fault_if(&mut self, condition: Value, inst: u32, address: Option<Value>) {
        let bad = self.g.e.b.create_block();
        let on = self.g.e.b.create_block();
        self.g.e.b.set_cold_block(bad);
        self.g.e.b.ins().brif(condition, bad, &[], on, &[]);
        self.g.e.b.switch_to_block(bad);
        let number = self.g.e.iconst(types::I32, i64::from(inst));
        let lane = self.g.e.b.ins().ireduce(types::I32, self.lane);
        let b = &mut self.g.e.b;
        b.ins().store(
            trusted(),
            number,
            self.gang,
            offset_of!(Gang, fault_inst) as i32,
        );
        b.ins().store(
            trusted(),
            lane,
            self.gang,
            offset_of!(Gang, fault_lane) as i32,
        );
        if let Some(address) = address {
            let at = offset_of!(Gang, fault_address) as i32;
            b.ins().store(trusted(), address, self.gang, at);
        }
        let code = self.g.e.iconst(types::I64, FAULT as i64);
        self.g.e.b.ins().return_(&[code]);
        self.g.e.b.switch_to_block(on);
    }
}
