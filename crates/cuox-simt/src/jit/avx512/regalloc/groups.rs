//! The groups that wide code visits: those of a window of lanes, row by row.

use crate::analysis::shape::RowShape;
use crate::jit::avx512::regalloc::*;

/// Row layout, and the arguments that are advanced at the end of a row.
#[derive(Clone, Copy)]
pub struct RowEnds<'a> {
    pub values: &'a [(i32, i32)],
    pub shape: Option<RowShape>,
}

impl RegAlloc {
    /// Begins at the first lane to visit, and ends after the last one. Values that are adjusted at ends of rows are
    /// those of the first lane: then the groups before are gone through too.
    pub(crate) fn enter_window(&mut self, group_bytes: i32, skips: bool) {
        let asm = &mut self.asm;
        asm.load(COUNT, MemOperand::at(ARGS, args::END));
        if !skips {
            return;
        }
        asm.load(LANE, MemOperand::at(ARGS, args::FROM));
        if !self.pinned.uses(BITS) {
            asm.copy(TEMP, LANE);
            // shr temp, 3
            asm.general_regs(true, &[0xc1], 5, TEMP, &[3]);
            asm.general_regs(true, &[0x03], BITS, TEMP, &[]);
        }
        if group_bytes != 0 {
            asm.copy(TEMP, LANE);
            // shr temp, 4
            asm.general_regs(true, &[0xc1], 5, TEMP, &[4]);
            asm.multiply(TEMP, TEMP, group_bytes);
            asm.general_regs(true, &[0x03], GROUPS, TEMP, &[]);
        }
    }

    /// Adds the row skips to the inputs for every row that has ended, and continues at `top`.
    pub(crate) fn next_row(&mut self, rows: RowEnds, top: Label) {
        let asm = &mut self.asm;
        if let Some(ends) = rows.shape.and_then(|shape| shape.ends) {
            for &(value, skip) in rows.values {
                (0..ends).for_each(|_| self.pinned.step(asm, value, skip));
            }
            asm.jump(None, top);
            return;
        }
        let again = asm.label();
        asm.bind(again);
        // cmp lane, row end; jb
        asm.general(
            true,
            &[0x3b],
            LANE,
            MemOperand::at(ARGS, args::ROW_END),
            &[],
        );
        asm.jump(Some(0x2), top);
        for &(value, skip) in rows.values.iter().chain([&(args::ROW_END, args::WIDTH)]) {
            self.pinned.step(asm, value, skip);
        }
        asm.jump(None, again);
    }
}
