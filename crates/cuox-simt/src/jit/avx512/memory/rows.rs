//! Accesses of adjacent lanes in groups that may span several rows: one access per row.

use crate::ir::Ty;
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{AffineLanes, Lower, Val, WideInput};
use crate::jit::avx512::vcode::{K, Mem, Src, V, Vop};

/// Replaces a quarter of `a` by `b`.
const INSERT_QUARTER: Form = Form::new(3, 1, false, 0x38);
const QUARTER: Form = Form::new(3, 1, false, 0x39);

impl Lower<'_> {
    /// Sets the pointer to the start of affine addresses, after a number of row breaks.
    pub(crate) fn point(&mut self, line: AffineLanes, breaks: u8, window: Option<Mem>) {
        self.code.push(Vop::Pointer {
            from: line.from,
            stride: if line.group { 0 } else { line.stride },
            window,
            down: line.skip.map(|skip| (skip, breaks)),
        });
    }

    /// Returns the parts of a group that lie in one row each: the number of row breaks before them, and their active
    /// lanes.
    fn parts(&mut self, line: AffineLanes) -> Vec<(u8, Option<K>)> {
        if line.skip.is_none() {
            return vec![(0, self.active)];
        }
        let parts = 0..=self.plan.shape.breaks();
        parts
            .map(|n| {
                let part = self.parts[usize::from(n)];
                let lanes = part.unwrap_or_else(|| {
                    let lanes = self.behind(n, true);
                    self.only_active(lanes)
                });
                self.parts[usize::from(n)] = Some(lanes);
                (n, Some(lanes))
            })
            .collect()
    }

    /// Prefetches the affine addresses plus `offset` that the block will access two executions later.
    pub(crate) fn prefetch(&mut self, i: usize, line: AffineLanes, offset: i32, write: bool) {
        let leader = self.spans[i].map_or(i, |span| span.leader);
        let ahead = self.input(WideInput::Ahead(leader));
        let (stride, breaks) = (line.stride as i32, i32::from(self.plan.shape.breaks()));
        let parts = if line.skip.is_some() {
            0..=breaks
        } else {
            0..=0
        };
        for n in parts.clone() {
            self.point(line, n as u8, None);
            // The position of row starts in the group is unknown, except that the last row extends to the group's end.
            let lane = match self.plan.shape.rows().and_then(|rows| rows.ends) {
                _ if n == 0 => 0,
                Some(ends) => 16 / i32::from(ends) * n,
                None => 15 * n / breaks,
            };
            let bytes = match parts.end() {
                0 => 16 * stride,
                _ => 1,
            };
            self.code.push(Vop::Prefetch {
                ahead,
                offset: offset + lane * stride,
                bytes,
                write,
            });
        }
    }

    /// Returns the number of rows per vector, if every group consists of whole rows with all lanes active.
    fn pieces(&self, line: AffineLanes, ty: Ty) -> Option<u8> {
        let rows = self.plan.shape.rows()?.ends?;
        let whole = line.skip.is_some() && self.active.is_none();
        match ty {
            Ty::B32 if whole => Some(rows),
            Ty::B64 if whole => Some(rows / 2),
            _ => None,
        }
    }

    /// Loads adjacent values, or one value for all lanes, at affine addresses plus `offset`.
    pub(crate) fn load_line(
        &mut self,
        line: AffineLanes,
        window: Option<Mem>,
        ty: Ty,
        offset: i32,
    ) -> Val {
        if let (Some(pieces), true) = (self.pieces(line, ty), line.stride != 0) {
            let vectors = ty.bytes() as u8 / 4;
            let all: Vec<V> = (0..vectors)
                .map(|n| self.load_pieces(line, window, (n * pieces, pieces), offset))
                .collect();
            return match all[..] {
                [low, high] => Val::Longs([low, high]),
                _ => Val::Words(all[0], false),
            };
        }
        let mut val = None;
        for (n, mask) in self.parts(line) {
            self.point(line, n, window);
            val = Some(match line.stride {
                0 => self.load_same(ty, offset, mask, val),
                _ => self.load_neighbours(ty, offset, mask, val),
            });
        }
        val.unwrap_or(Val::Imm(0))
    }

    /// Loads a vector that consists of `pieces` rows, from row `first` on.
    fn load_pieces(
        &mut self,
        line: AffineLanes,
        window: Option<Mem>,
        (first, pieces): (u8, u8),
        offset: i32,
    ) -> V {
        // The addresses count lanes from the start of the vector.
        let (length, insert) = piece(pieces, forms::JOIN_HALVES, INSERT_QUARTER);
        let mut v = None;
        for n in 0..pieces {
            self.point(line, first + n, window);
            let from = Src::Mem(Mem::Pointer(offset + self.lane_offset(first + n, line)));
            v = Some(match v {
                None => self.op1(
                    Form {
                        length,
                        ..forms::LOAD32
                    },
                    from,
                ),
                Some(v) => self.op_imm(insert, Some(v), from, n),
            });
        }
        v.unwrap_or(V(0))
    }

    /// Returns the offset of the first lane of a row from the first lane of the group.
    fn lane_offset(&self, row: u8, line: AffineLanes) -> i32 {
        let rows = self.plan.shape.rows().and_then(|rows| rows.ends);
        i32::from(row) * (16 / i32::from(rows.unwrap_or(1))) * line.stride as i32
    }

    /// Stores adjacent values at affine addresses plus `offset`.
    pub(crate) fn store_line(
        &mut self,
        line: AffineLanes,
        window: Option<Mem>,
        (value, ty): (Val, Ty),
        offset: i32,
    ) {
        let Some(pieces) = self.pieces(line, ty) else {
            for (n, mask) in self.parts(line) {
                self.point(line, n, window);
                self.store_neighbours(value, ty, offset, mask);
            }
            return;
        };
        let vectors = match value {
            Val::Longs(parts) => parts.to_vec(),
            Val::Words(v, _) => vec![v],
            _ => Vec::new(),
        };
        let (length, extract) = piece(pieces, forms::UPPER_HALF, QUARTER);
        let form = Form {
            length,
            ..forms::STORE32
        };
        for (first, v) in (0..).step_by(usize::from(pieces)).zip(vectors) {
            for n in 0..pieces {
                let from = match n {
                    0 => v,
                    n => self.narrow(extract, v, Some(n)),
                };
                self.point(line, first + n, window);
                let to = Mem::Pointer(offset + self.lane_offset(first + n, line));
                self.code.push(Vop::Store {
                    form,
                    from,
                    to,
                    mask: None,
                });
            }
        }
    }
}

/// Returns the length of vectors that are a half or quarter of a vector, and the form that inserts them.
fn piece(pieces: u8, half: Form, quarter: Form) -> (u8, Form) {
    match pieces {
        1 | 2 => (3 - pieces, half),
        _ => (0, quarter),
    }
}
