//! Calls from wide code, and operations that it performs lane by lane, on values in the scratch area.

use crate::jit::avx512::regalloc::*;

impl RegAlloc {
    pub(crate) fn call(&mut self, target: Helper, constants: [Constant; 2], mask: Option<K>) {
        match mask {
            Some(k) => {
                let k = self.mask(k, &[]);
                self.asm.vex_masks(1, 0, false, false, 0x93, [RAX, 0, k]);
            }
            None => self.asm.constant_into(RAX, 0xffff),
        }
        for register in 0..32 {
            if let Some(value) = self.vectors.holds[register as usize] {
                if self.vectors.needed_after(value, self.at).is_some() {
                    self.save_vector(value, register);
                }
                self.vectors.free(register);
            }
        }
        for register in 1..RESERVED_MASK {
            if let Some(value) = self.masks.holds[register as usize] {
                if self.masks.needed_after(value, self.at).is_some() {
                    self.save_mask(value, register);
                }
                self.masks.free(register);
            }
        }
        let asm = &mut self.asm;
        for (n, reg) in KEPT.into_iter().enumerate() {
            asm.store(reg, MemOperand::at(RSP, KEPT_AT + 8 * n as i32));
        }
        asm.load(RSI, MemOperand::at(ARGS, args::ENV));
        asm.copy(R8, RAX);
        for (register, constant) in [RDX, RCX].into_iter().zip(constants) {
            match constant {
                Constant::Value(value) => asm.constant_into(register, value),
                Constant::Address(symbol) => asm.address_into(register, symbol),
                Constant::Argument(at) => asm.load(register, MemOperand::at(ARGS, at)),
            }
        }
        // RDI has held the arguments until here. The call's sixth argument, the group's first lane, is in its register
        // already.
        asm.copy(RDI, RSP);
        asm.address_into(RAX, Symbol::Helper(target));
        // vzeroupper, for callees without AVX.
        asm.raw(&[0xc5, 0xf8, 0x77]);
        asm.call(RAX);
        for (n, reg) in KEPT.into_iter().enumerate() {
            asm.load(reg, MemOperand::at(RSP, KEPT_AT + 8 * n as i32));
        }
    }

    /// Starts a loop over the lanes. Returns the labels of its top and of its next iteration.
    pub(crate) fn lane_loop(&mut self, mask: Option<K>) -> [Label; 2] {
        let mask = mask.map(|k| self.mask(k, &[]));
        let asm = &mut self.asm;
        for (n, reg) in BORROWED.into_iter().enumerate() {
            asm.store(reg, MemOperand::at(RSP, KEPT_AT + 8 * n as i32));
        }
        let (top, next) = (asm.label(), asm.label());
        if let Some(k) = mask {
            asm.vex_masks(1, 0, false, false, 0x93, [LANE_MASK, 0, k]);
        }
        asm.general_regs(false, &[0x33], TEMP, TEMP, &[]);
        asm.bind(top);
        if mask.is_some() {
            // bt mask, lane; jnc
            asm.general_regs(false, &[0x0f, 0xa3], TEMP, LANE_MASK, &[]);
            asm.jump(Some(0x3), next);
        }
        [top, next]
    }

    pub(crate) fn end_lane_loop(&mut self, [top, next]: [Label; 2]) {
        let asm = &mut self.asm;
        asm.bind(next);
        asm.general_regs(false, &[0x83], 0, TEMP, &[1]);
        asm.general_regs(false, &[0x83], 7, TEMP, &[LANES as u8]);
        asm.jump(Some(0x2), top);
        for (n, reg) in BORROWED.into_iter().enumerate() {
            asm.load(reg, MemOperand::at(RSP, KEPT_AT + 8 * n as i32));
        }
    }

    pub(crate) fn rmw(&mut self, op: Rmw, wide: bool, locked: bool, old: bool, mask: Option<K>) {
        let labels = self.lane_loop(mask);
        let asm = &mut self.asm;
        let bytes = if wide { 8 } else { 4 };
        asm.general(true, &[0x8b], POINTER, by_lane(8, 0), &[]);
        asm.general(wide, &[0x8b], DATA, by_lane(bytes, 128), &[]);
        if locked {
            asm.raw(&[0xf0]);
        }
        let place = MemOperand::at(POINTER, 0);
        match (op, old) {
            (Rmw::Add, true) => asm.general(wide, &[0x0f, 0xc1], DATA, place, &[]),
            (Rmw::Add, false) => asm.general(wide, &[0x01], DATA, place, &[]),
            (Rmw::Exchange, _) => asm.general(wide, &[0x87], DATA, place, &[]),
        }
        if old {
            asm.general(wide, &[0x89], DATA, by_lane(bytes, 512), &[]);
        }
        self.end_lane_loop(labels);
    }

    /// Stores the lanes' values one after the other.
    pub(crate) fn store_lanes(&mut self, bytes: u8, mask: Option<K>) {
        let skip = self.lane_loop(mask);
        let value = |scale| MemOperand::Base {
            base: RSP,
            index: Some((TEMP, scale)),
            offset: 128,
        };
        self.asm.general(true, &[0x8b], POINTER, by_lane(8, 0), &[]);
        self.asm.general(
            bytes == 8,
            &[0x8b],
            DATA,
            value(if bytes == 8 { 8 } else { 4 }),
            &[],
        );
        match bytes {
            1 => self
                .asm
                .general(false, &[0x88], DATA, MemOperand::at(POINTER, 0), &[]),
            2 => {
                self.asm.raw(&[0x66]);
                self.asm
                    .general(false, &[0x89], DATA, MemOperand::at(POINTER, 0), &[]);
            }
            _ => self
                .asm
                .general(bytes == 8, &[0x89], DATA, MemOperand::at(POINTER, 0), &[]),
        }
        self.end_lane_loop(skip);
    }
}

/// Returns the memory operand of the current lane's value in the scratch area.
fn by_lane(bytes: u8, offset: i32) -> MemOperand {
    MemOperand::Base {
        base: RSP,
        index: Some((TEMP, bytes)),
        offset,
    }
}
