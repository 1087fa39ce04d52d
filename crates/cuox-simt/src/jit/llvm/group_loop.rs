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

/// Labels of a loop: before it, its start, the end of an iteration, and behind it.
pub(super) struct Labels {
    pub(super) before: String,
    pub(super) turn: String,
    pub(super) end: String,
    pub(super) after: String,
}

impl Labels {
    /// Labels of a loop whose names begin so.
    pub(super) fn new(name: &str) -> Labels {
        let label = |rest: &str| format!("{name}{rest}");
        Labels {
            before: label("_before"),
            turn: label(""),
            end: label("_end"),
            after: label("_after"),
        }
    }
}

/// Largest number of instructions of an iteration of which two groups' are made one after the other.
const MAX_PAIRED: usize = 160;

impl LoopCode {
    /// Tells whether two groups may go around together: one group's iterations mostly wait for their own results. Then
    /// a group may go around with no lane that is active.
    pub(super) fn is_paired(&self) -> bool {
        let harmless = |op: &Vop| {
            matches!(
                op,
                Vop::Vector { .. }
                    | Vop::ShiftBy { .. }
                    | Vop::Narrow { .. }
                    | Vop::Test { .. }
                    | Vop::LookUp { .. }
                    | Vop::Mask { .. }
                    | Vop::UpperHalf { .. }
                    | Vop::LoadMask { .. }
                    | Vop::Affine { .. }
                    | Vop::Rare { .. }
            )
        };
        let mut ops = self.blocks.iter().flat_map(|(_, ops)| ops);
        ops.clone().count() <= MAX_PAIRED && ops.all(harmless)
    }
}

impl Text<'_> {
    /// Adds the code of a group loop for a group. Returns `None` if LLVM IR has no equal for an instruction.
    pub(super) fn group_loop(&mut self, code: &LoopCode) -> Option<()> {
        let labels = Labels::new("turn");
        self.loop_before(code, true)?;
        self.loop_top(&labels, "%turns");
        self.loop_values(code, &labels);
        let left = self.loop_turn(code)?;
        self.loop_end(&labels, "%turns", code.most, &left);
        self.loop_after(code)
    }

    /// Adds what comes before the iterations, and for a group without active lanes goes on with the next one if it
    /// `skips`.
    pub(super) fn loop_before(&mut self, code: &LoopCode, skips: bool) -> Option<()> {
        for (_, ops) in &code.blocks {
            self.ranges.accesses(ops);
        }
        let stays = |op: &&Vop| skips || !matches!(op, Vop::SkipUnless { .. });
        self.ops(code.before.iter().filter(stays))
    }

    /// Begins an iteration, and counts it.
    pub(super) fn loop_top(&mut self, labels: &Labels, turns: &str) {
        let Labels {
            before, turn, end, ..
        } = labels;
        self.line(&format!("br label %{before}"));
        self.block(before);
        self.line(&format!("br label %{turn}"));
        self.block(turn);
        self.line(&format!(
            "{turns} = phi i64 [ 0, %{before} ], [ {turns}_next, %{end} ]"
        ));
    }

    /// Adds the values that a group's iterations begin with.
    pub(super) fn loop_values(&mut self, code: &LoopCode, labels: &Labels) {
        let Labels { before, end, .. } = labels;
        for [first, turn, next] in code.vectors.iter().map(|all| all.map(|v| v.0)) {
            self.line(&format!(
                "%v{turn} = phi {WORDS} [ %v{first}, %{before} ], [ %v{next}, %{end} ]"
            ));
        }
        for [first, turn, next] in code.masks.iter().map(|all| all.map(|k| k.0)) {
            self.line(&format!(
                "%k{turn} = phi <16 x i1> [ %k{first}, %{before} ], [ %k{next}, %{end} ]"
            ));
        }
    }

    /// Adds a group's iteration. Returns whether lanes are left (`i1`).
    pub(super) fn loop_turn(&mut self, code: &LoopCode) -> Option<String> {
        for (fault, ops) in &code.blocks {
            self.fault_code = *fault;
            for op in ops {
                self.op(op)?;
            }
        }
        self.settle_nans();
        let left = self.mask_bits(code.again);
        Some(self.value(&format!("icmp ne i16 {left}, 0")))
    }

    /// Ends an iteration. After `most` of them no other follows.
    pub(super) fn loop_end(&mut self, labels: &Labels, turns: &str, most: i64, left: &str) {
        let Labels {
            turn, end, after, ..
        } = labels;
        self.line(&format!("{turns}_next = add i64 {turns}, 1"));
        let time = self.value(&format!("icmp ult i64 {turns}_next, {most}"));
        let again = self.value(&format!("and i1 {left}, {time}"));
        self.line(&format!("br label %{end}"));
        self.block(end);
        self.line(&format!("br i1 {again}, label %{turn}, label %{after}"));
        self.block(after);
    }

    pub(super) fn loop_after(&mut self, code: &LoopCode) -> Option<()> {
        self.ops(&code.after)
    }
}
