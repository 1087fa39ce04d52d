//! The pointer: the base register of wide code's memory accesses, with prefetches and non-temporal stores.
//!
//! It is set to the address of an affine access at the group's first lane, and accesses use it with a constant offset.
//! Successive accesses with the same start share it.

use crate::jit::avx512::regalloc::*;

/// Non-temporal store.
const STREAM: Form = Form::new(1, 1, false, 0xe7);
const STORE: Form = Form::new(1, 2, false, 0x7f);

impl RegAlloc {
    /// Sets the pointer to an affine address.
    pub(crate) fn point_at_line(
        &mut self,
        from: Mem,
        stride: i64,
        window: Option<Mem>,
        down: Option<(Mem, u8)>,
    ) {
        let wanted = Some((from, stride, window, down));
        if self.pointer == wanted {
            return;
        }
        let scaled = matches!(stride, 0 | 1 | 2 | 4 | 8) && window.is_none();
        let above = down.filter(|(_, n)| *n > 0).map(|(skip, n)| (skip, n - 1));
        let next = above.is_some()
            && window.is_none()
            && self.base == POINTER
            && self.pointer == Some((from, stride, window, above));
        self.pointer = wanted;
        if let (Some((skip, _)), true) = (down, next) {
            let skip = self.place(skip);
            self.asm.general(true, &[0x03], POINTER, skip, &[]);
            return;
        }
        match self.pinned.line(from, down).filter(|_| scaled) {
            Some((held, 0)) => self.base = held,
            Some((held, more)) => {
                self.base = POINTER;
                self.asm.copy(POINTER, held);
                self.add_rows(down, more, true);
            }
            None => self.point(from, window, down),
        }
        self.pointer_scale = match stride {
            1 | 2 | 4 | 8 => stride as u8,
            _ => {
                self.advance(stride);
                0
            }
        };
    }

    /// Loads the pointer: an address, or an offset plus the window's address.
    pub(crate) fn point(&mut self, from: Mem, window: Option<Mem>, down: Option<(Mem, u8)>) {
        self.base = POINTER;
        let place = self.place(from);
        let rows = down.map_or(0, |(_, rows)| rows);
        match window {
            None => {
                self.asm.load(POINTER, place);
                self.add_rows(down, rows, true);
            }
            Some(window) => {
                // A lane that does not access the window may have any offset: movsxd.
                if rows == 0 {
                    self.asm.general(true, &[0x63], POINTER, place, &[]);
                } else {
                    self.asm.general(false, &[0x8b], POINTER, place, &[]);
                    self.add_rows(down, rows, false);
                    self.asm.general_regs(true, &[0x63], POINTER, POINTER, &[]);
                }
                let place = self.place(window);
                self.asm.general(true, &[0x03], POINTER, place, &[]);
            }
        }
    }

    /// Adds the row amount to the pointer.
    fn add_rows(&mut self, down: Option<(Mem, u8)>, rows: u8, long: bool) {
        let Some((skip, _)) = down else { return };
        let skip = self.place(skip);
        for _ in 0..rows {
            self.asm.general(long, &[0x03], POINTER, skip, &[]);
        }
    }

    /// Adds the lane's number times `stride` to the pointer.
    pub(crate) fn advance(&mut self, stride: i64) {
        if stride != 0 {
            self.asm.multiply(TEMP, LANE, stride as i32);
            self.asm.general_regs(true, &[0x03], POINTER, TEMP, &[]);
        }
    }

    /// Prefetches `bytes` at the pointer plus an offset plus `[ahead]`.
    pub(crate) fn prefetch(&mut self, ahead: Mem, offset: i32, bytes: i32, write: bool) {
        let above = self
            .pointer
            .filter(|(.., down)| down.is_none_or(|(_, n)| n == 0));
        let line = above.map(|(from, ..)| from);
        let base = match line.and_then(|from| self.pinned.ahead(from, ahead)) {
            Some(held) => held,
            None => {
                let from = self.place(ahead);
                self.asm.load(TEMP, from);
                self.asm.general_regs(true, &[0x03], TEMP, self.base, &[]);
                TEMP
            }
        };
        let index = (self.pointer_scale != 0).then_some((LANE, self.pointer_scale));
        for at in (0..bytes).step_by(64) {
            let place = MemOperand::Base {
                base,
                index,
                offset: offset + at,
            };
            // prefetchw or prefetcht0
            let code = if write { 0x0d } else { 0x18 };
            self.asm.general(false, &[0x0f, code], 1, place, &[]);
        }
    }

    /// Stores a vector that fills a cache line, with a non-temporal store if `[keep]` is 0.
    pub(crate) fn stream(&mut self, from: V, offset: i32, keep: Mem, ahead: Option<Mem>) {
        let from = self.vector(from, &[]);
        let to = Rm::Mem(self.place(Mem::Pointer(offset)));
        let keep = self.place(keep);
        let (past, done) = (self.asm.label(), self.asm.label());
        // cmp qword [keep], 0; je
        self.asm.general(true, &[0x83], 7, keep, &[0]);
        self.asm.jump(Some(0x4), past);
        if let Some(ahead) = ahead {
            self.prefetch(ahead, offset, 64, true);
        }
        self.asm.evex(STORE, from, 0, to, EvexOptions::default());
        self.asm.jump(None, done);
        self.asm.bind(past);
        self.asm.evex(STREAM, from, 0, to, EvexOptions::default());
        self.asm.bind(done);
    }
}
