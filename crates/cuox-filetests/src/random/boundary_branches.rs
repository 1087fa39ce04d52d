//! Branches that few warps disagree on.

use super::generate::{CodePosition, Generator};
use super::kernel::Stmt;
use std::fmt::Write as _;

impl Generator {
    /// A branch on comparisons of where threads are that nothing else reads, so that few warps disagree: those at the
    /// edges of what a kernel is for.
    pub(super) fn boundary_branch(&mut self, place: CodePosition, body: &mut Vec<Stmt>) -> Stmt {
        self.budget = self.budget.saturating_sub(1);
        let mut text = String::new();
        let mut guards: Vec<String> = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let guard = self.fresh('p');
            let cmp = *self
                .rng
                .pick(&["lt.u32", "ge.s32", "eq.s32", "ne.s32", "gt.s32", "le.u32"]);
            let limit = match self.rng.below(4) {
                0 => "%total".to_owned(),
                1 => "0".to_owned(),
                _ => self.rng.below(100).to_string(),
            };
            // Registers of its own: another value in one of them would be another way to vary.
            let place = match self.rng.below(4) {
                0 => "%id".to_owned(),
                1 => "%linear".to_owned(),
                axis => {
                    let axis = if axis == 2 { 'x' } else { 'y' };
                    let [block, extent, tid, sum] = [(); 4].map(|()| self.fresh('r'));
                    for (reg, special) in [(&block, "ctaid"), (&extent, "ntid"), (&tid, "tid")] {
                        let _ = writeln!(text, "    mov.u32 {reg}, %{special}.{axis};");
                    }
                    let _ = writeln!(text, "    mad.lo.u32 {sum}, {block}, {extent}, {tid};");
                    sum
                }
            };
            let (shifted, shift) = (self.fresh('r'), self.rng.below(40) as i32 - 20);
            let _ = writeln!(text, "    add.s32 {shifted}, {place}, {shift};");
            let _ = writeln!(text, "    setp.{cmp} {guard}, {shifted}, {limit};");
            guards.push(guard);
        }
        if let [first, second] = &guards[..] {
            let both = self.fresh('p');
            let op = *self.rng.pick(&["and", "or"]);
            let _ = writeln!(text, "    {op}.pred {both}, {first}, {second};");
            guards.push(both);
        }
        let guard = guards.pop().unwrap_or_default();
        body.push(Stmt::Lines(text, vec![('p', guard.clone())]));
        let place = CodePosition {
            together: false,
            warps: false,
            depth: place.depth + 1,
            ..place
        };
        let then = self.scope(place);
        let other = match self.rng.one_in(3) {
            true => self.scope(place),
            false => Vec::new(),
        };
        Stmt::If(guard, then, other)
    }
}
