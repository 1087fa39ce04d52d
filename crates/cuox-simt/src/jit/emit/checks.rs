//! Checks of memory accesses ([`crate::memcheck`]): those in the allocation that the check found last take no call.

use crate::ir::{Access, Ty};
use crate::jit::code::symbol::{Helper, Site};
use crate::jit::emit::generator::Gen;
use crate::jit::emit::value::{Lanes, trusted};
use crate::jit::runtime::layout::Env;
use crate::memcheck::Hits;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use std::mem::offset_of;

impl Gen<'_, '_> {
    /// Checks the access of one lane (I64), at `base` plus an offset.
    pub(crate) fn check_access(
        &mut self,
        (env, gang): (Value, Value),
        lane: Value,
        access: Access,
        base: Lanes,
        offset: i64,
    ) {
        let address = self.checked_address(base, offset);
        self.unless_known(env, access, [address; 2], |this, site| {
            this.e
                .call(Helper::CheckOne, &[env, gang, site, lane, address]);
        });
    }

    /// Checks the accesses of all lanes of a gang of `count` (I64), the first at `base` plus an offset.
    pub(crate) fn check_line(
        &mut self,
        (env, gang): (Value, Value),
        count: Value,
        stride: i64,
        access: Access,
        base: Lanes,
        offset: i64,
    ) {
        let address = self.checked_address(base, offset);
        let b = &mut self.e.b;
        let ahead = b.ins().iadd_imm_s(count, -1);
        let ahead = b.ins().imul_imm_s(ahead, stride);
        let last = b.ins().iadd(address, ahead);
        let ends = match stride < 0 {
            true => [last, address],
            false => [address, last],
        };
        self.unless_known(env, access, ends, |this, site| {
            let stride = this.e.iconst(types::I64, stride);
            this.e
                .call(Helper::CheckLine, &[env, gang, site, stride, address]);
        });
    }

    /// The address of a check's first access.
    fn checked_address(&mut self, base: Lanes, offset: i64) -> Value {
        let address = match base.ty {
            Ty::B64 => base.one(),
            _ => self.e.b.ins().uextend(types::I64, base.one()),
        };
        self.e.b.ins().iadd_imm_s(address, offset)
    }

    /// Emits code for a check, whose number it gets, that runs unless two accesses, and so all between them, are known
    /// to be in an allocation: as [`Hits::know_all`](crate::memcheck::Hits::know_all).
    fn unless_known(
        &mut self,
        env: Value,
        access: Access,
        [least, most]: [Value; 2],
        check: impl FnOnce(&mut Self, Value),
    ) {
        let number = self.e.numbers.site(Site::Check(access));
        let site = self.e.iconst(types::I64, number);
        let b = &mut self.e.b;
        let load = |b: &mut FunctionBuilder, from: Value, at: usize| {
            b.ins().load(types::I64, trusted(), from, at as i32)
        };
        let hits = load(b, env, offset_of!(Env, hits));
        let freed = load(b, env, offset_of!(Env, freed));
        // Other threads count there.
        let now = b.ins().atomic_load(types::I64, trusted(), freed);
        let places = Hits::places(number as usize);
        let [of, start, span, epoch] = places.map(|at| load(b, hits, at));
        let ahead = b.ins().isub(least, start);
        let mut unknown = b.ins().icmp(IntCC::UnsignedGreaterThan, ahead, span);
        let mut tests = vec![(IntCC::NotEqual, of, site), (IntCC::NotEqual, epoch, now)];
        if least != most {
            let ahead = b.ins().isub(most, start);
            tests.push((IntCC::UnsignedGreaterThan, ahead, span));
            tests.push((IntCC::UnsignedGreaterThan, least, most));
        }
        for (code, x, y) in tests {
            let holds = b.ins().icmp(code, x, y);
            unknown = b.ins().bor(unknown, holds);
        }
        let [call, on] = [(); 2].map(|()| b.create_block());
        b.set_cold_block(call);
        b.ins().brif(unknown, call, &[], on, &[]);
        b.switch_to_block(call);
        check(self, site);
        let b = &mut self.e.b;
        b.ins().jump(on, &[]);
        b.switch_to_block(on);
    }
}
