//! Wide code for shuffles in which all lanes read a lane at the same distance, or the same lane.

use crate::ir::Shuffle;
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{Body, LanePhaseInput, Lower};
use crate::jit::avx512::vcode::{Mem, Src, V, Vop};
use crate::jit::runtime::layout::Home;

/// Selects entries by an index.
const PERMUTE: Form = Form::new(2, 1, false, 0x36);

/// Generates code in which every lane of whole warps reads another lane's slot: `lane ^ by`, `lane ± by` where that is
/// in the warp, or lane `by`. The slots around a warp's are readable.
pub fn shuffle(
    work: &LanePhaseInput,
    mode: Shuffle,
    by: u32,
    source: Home,
    dst: Home,
) -> Option<Body> {
    let mut this = Lower::new(work);
    this.begin(work.block).ok()?;
    let (from, by) = (source.lanes as i32, by as i32);
    // Values of the lanes at a distance.
    let at = |lanes: i32| Src::Mem(Mem::Slot(from + 4 * lanes, 4));
    let value = match mode {
        Shuffle::Index => {
            let [low, high] = [by, by - 16].map(|n| this.op1(forms::BROADCAST_WORD, at(n)));
            this.by_half(low, high)
        }
        Shuffle::Butterfly => {
            let v = match by & 16 {
                0 => this.op1(forms::LOAD, at(0)),
                _ => {
                    let [low, high] = [16, -16].map(|n| this.op1(forms::LOAD, at(n)));
                    this.by_half(low, high)
                }
            };
            match by & 15 {
                0 => v,
                by => {
                    let order = this.each32(|lane| lane ^ i64::from(by));
                    let order = this.load_each(order, false);
                    this.op2(PERMUTE, order, Src::V(v))
                }
            }
        }
        Shuffle::Up | Shuffle::Down => {
            let down = mode == Shuffle::Down;
            let own = this.op1(forms::LOAD, at(0));
            let there = this.op1(forms::LOAD, at(if down { by } else { -by }));
            let half = this.half();
            let steps = this.each32(|lane| lane);
            let lanes = this.op2(forms::ADD32, half, steps);
            // Below, or not below.
            let (limit, code) = if down { (32 - by, 1) } else { (by, 5) };
            let limit = this.all32(limit as u32);
            let inside = this.test(forms::COMPARE_S, Some(lanes), limit, Some(code));
            this.choose(inside, there, own)
        }
    };
    this.code.push(Vop::Store {
        form: forms::STORE32,
        from: value,
        to: Mem::Slot(dst.lanes as i32, 4),
        mask: this.active,
    });
    this.finish(false)
}

impl Lower<'_> {
    /// Returns 16 in all lanes of groups that are the upper half of a warp, 0 in the others.
    fn half(&mut self) -> V {
        let zero = Mem::Constant(self.asm.constant(&0u64.to_le_bytes()));
        let lane = self.affine(zero, 1, false, false);
        let sixteen = self.all32(16);
        self.op2(forms::AND, lane, sixteen)
    }

    /// Selects a value for groups that are the lower half of a warp, another for the upper half.
    fn by_half(&mut self, low: V, high: V) -> V {
        let half = self.half();
        let sixteen = self.all32(16);
        let upper = self.test(forms::TEST, Some(half), sixteen, None);
        self.choose(upper, high, low)
    }

    fn choose(&mut self, mask: crate::jit::avx512::vcode::K, yes: V, no: V) -> V {
        self.full(forms::BLEND, Some(no), Src::V(yes), None, Some(mask), None)
    }
}
