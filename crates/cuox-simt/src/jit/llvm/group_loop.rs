//! Wide code of a group loop ([`crate::jit::avx512::group_loop`]) as a function of LLVM IR: within the loop over the
//! groups, another that the lanes of a group go around.

use crate::jit::avx512::vcode::{K, V, Vop};
use crate::jit::llvm::text::{Text, WORDS};

/// The code of a group loop.
#[derive(Default)]
pub struct LoopCode {
    /// What comes before the iterations.
    pub before: Vec<Vop>,
    /// The blocks of an iteration: what the function returns after a fault in it, and its instructions.
    pub blocks: Vec<(i64, Vec<Vop>)>,
    pub after: Vec<Vop>,
    /// Values that go from one iteration to the next: the first, that at an iteration's start, and that at its end,
    /// which the code after the loop reads too.
    pub vectors: Vec<[V; 3]>,
    pub masks: Vec<[K; 3]>,
    /// Lanes that go on, at an iteration's end.
    pub again: Option<K>,
    /// Iterations after which the group stops although lanes would go on.
    pub most: i64,
}

impl Text<'_> {
    /// Adds the code of a group loop for a group. Returns `None` if LLVM IR has no equal for an instruction.
    pub(super) fn group_loop(&mut self, code: &LoopCode) -> Option<()> {
        let text = self;
        for (_, ops) in &code.blocks {
            text.ranges.accesses(ops);
        }
        for op in &code.before {
            text.op(op)?;
        }
        text.line("br label %turn_before");
        text.block("turn_before");
        text.line("br label %turn");
        text.block("turn");
        text.line("%turns = phi i64 [ 0, %turn_before ], [ %turns_next, %turn_end ]");
        for [first, turn, next] in code.vectors.iter().map(|all| all.map(|v| v.0)) {
            text.line(&format!(
                "%v{turn} = phi {WORDS} [ %v{first}, %turn_before ], [ %v{next}, %turn_end ]"
            ));
        }
        for [first, turn, next] in code.masks.iter().map(|all| all.map(|k| k.0)) {
            text.line(&format!(
                "%k{turn} = phi <16 x i1> [ %k{first}, %turn_before ], [ %k{next}, %turn_end ]"
            ));
        }
        for (fault, ops) in &code.blocks {
            text.fault_code = *fault;
            for op in ops {
                text.op(op)?;
            }
        }
        let left = text.mask_bits(code.again);
        let left = text.value(&format!("icmp ne i16 {left}, 0"));
        text.line("%turns_next = add i64 %turns, 1");
        let time = text.value(&format!("icmp ult i64 %turns_next, {}", code.most));
        let again = text.value(&format!("and i1 {left}, {time}"));
        text.line("br label %turn_end");
        text.block("turn_end");
        text.line(&format!("br i1 {again}, label %turn, label %turn_after"));
        text.block("turn_after");
        for op in &code.after {
            text.op(op)?;
        }
        Some(())
    }
}
