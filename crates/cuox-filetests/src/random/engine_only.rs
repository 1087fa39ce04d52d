//! Statements that only the engines are compared on: calls through pointers, barriers for some warps of a block,
//! exchanges between the lanes of a warp without a barrier, and predicates that are computed from themselves.

use super::generate::{CodePosition, Generator, OWN, Rules, index};
use super::kernel::{INDIRECT_CALL, Stmt};
use std::fmt::Write as _;

impl Generator {
    /// One of these statements, where one may stand.
    pub(super) fn part(&mut self, place: CodePosition) -> Option<Stmt> {
        if self.rules != Rules::Engines || !self.rng.one_in(14) {
            return None;
        }
        self.budget = self.budget.saturating_sub(1);
        Some(match self.rng.below(6) {
            0 | 1 if place.together => self.named_barrier(),
            2 if place.warps => self.exchange(),
            3 => self.own_predicate(),
            _ => self.call_through(),
        })
    }

    /// Threads store a value and load another lane's, with nothing between that orders it but the warp's lockstep. A
    /// lane that is not there is not read.
    fn exchange(&mut self) -> Stmt {
        let (value, dst) = (self.register('r', false), self.fresh('r'));
        let (across, at) = (1 + self.rng.below(31), 4 * self.rng.below(OWN / 4));
        let mut text = format!("    mov.u32 %t0, %laneid;\n    xor.b32 %t0, %t0, {across};\n");
        text.push_str("    shr.u32 %t1, %alive, %t0;\n    and.b32 %t1, %t1, 1;\n");
        text.push_str("    setp.eq.u32 %again, %t1, 1;\n");
        text.push_str("    mov.u32 %t1, shared;\n    sub.u32 %t0, %own, %t1;\n");
        let _ = writeln!(text, "    xor.b32 %t0, %t0, {};", OWN * across);
        text.push_str("    add.u32 %t0, %t0, %t1;\n    selp.b32 %t0, %t0, %own, %again;\n");
        let _ = writeln!(text, "    st.shared.b32 [%own+{at}], {value};");
        let _ = writeln!(text, "    ld.shared.b32 {dst}, [%t0+{at}];");
        self.know(vec![('r', dst.clone())], false);
        Stmt::Lines(text, vec![('r', dst)])
    }

    /// Predicates that are computed from themselves or from each other, as in a loop.
    fn own_predicate(&mut self) -> Stmt {
        let pool = &self.varying.0[index('p')];
        let (p, q) = (self.rng.pick(pool).clone(), self.rng.pick(pool).clone());
        let text = match self.rng.below(5) {
            0 => format!("    not.pred {p}, {p};\n"),
            1 => format!("    xor.pred {p}, {p}, {q};\n"),
            2 => format!("    and.pred {p}, {q}, {p};\n"),
            3 => format!("    or.pred {p}, {p}, {p};\n"),
            _ => format!(
                "    mov.pred %again, {p};\n    not.pred {p}, {q};\n    not.pred {q}, %again;\n"
            ),
        };
        Stmt::Lines(text, vec![('p', p), ('p', q)])
    }

    /// A call of one of three functions, the same for all threads or for each its own.
    fn call_through(&mut self) -> Stmt {
        let uniform = self.rng.one_in(3);
        let (choice, a) = (self.register('r', uniform), self.register('r', false));
        let (b, dst) = (self.operand('r', false), self.fresh('r'));
        let shift = self.rng.below(4);
        let mut text = String::from(
            "    mov.u64 %a0, twist;\n    mov.u64 %a1, bend;\n    mov.u64 %a2, pull;\n",
        );
        let _ = writeln!(text, "    shr.u32 %t0, {choice}, {shift};");
        text.push_str("    and.b32 %t0, %t0, 3;\n");
        for n in 1..3 {
            let _ = writeln!(text, "    setp.eq.u32 %again, %t0, {n};");
            let _ = writeln!(text, "    selp.b64 %a0, %a{n}, %a0, %again;");
        }
        text.push_str("    {\n    .param .b32 pa;\n    .param .b32 pb;\n    .param .b32 pr;\n");
        let _ = writeln!(
            text,
            "    st.param.b32 [pa], {a};\n    st.param.b32 [pb], {b};"
        );
        text.push_str(
            "    Kind: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n",
        );
        let _ = writeln!(
            text,
            "{INDIRECT_CALL}(pa, pb), Kind;\n    ld.param.b32 {dst}, [pr];\n    }}"
        );
        self.know(vec![('r', dst.clone())], false);
        Stmt::Lines(text, vec![('r', dst)])
    }

    /// Reads of values that other threads wrote before a barrier with a count: the threads of all warps that are left,
    /// or of every other one.
    fn named_barrier(&mut self) -> Stmt {
        let value = self.register('r', false);
        let dst = self.fresh('r');
        let apart = self.rng.one_in(2);
        // The first lanes that are left are counted.
        let mut text = String::from(
            "    brev.b32 %t0, %alive;\n    clz.b32 %t0, %t0;\n    mov.u32 %t1, %laneid;\n",
        );
        text.push_str("    setp.eq.u32 %again, %t0, %t1;\n    shr.u32 %t3, %linear, 5;\n");
        text.push_str("    and.b32 %t3, %t3, 1;\n    mov.u32 %t4, 3;\n");
        if apart {
            text.push_str("    setp.eq.and.u32 %gone, %t3, 0, %again;\n");
            text.push_str("    setp.eq.and.u32 %again, %t3, 1, %again;\n");
            text.push_str("    barrier.red.popc.u32 %t1, 0, %gone;\n");
            text.push_str("    barrier.red.popc.u32 %t2, 0, %again;\n");
            text.push_str("    setp.eq.u32 %again, %t3, 0;\n    selp.b32 %t2, %t1, %t2, %again;\n");
            text.push_str("    add.u32 %t4, %t3, 4;\n");
        } else {
            text.push_str("    barrier.red.popc.u32 %t2, 0, %again;\n");
        }
        text.push_str("    shl.b32 %t2, %t2, 5;\n");
        let _ = writeln!(text, "    st.shared.b32 [%own], {value};");
        text.push_str("    bar.sync %t4, %t2;\n");
        // The thread 64 before has a warp of the same kind.
        text.push_str("    mov.u32 %t0, shared;\n    sub.u32 %t1, %own, 4096;\n");
        let _ = writeln!(
            text,
            "    max.s32 %t0, %t0, %t1;\n    setp.lt.u32 %again, %linear, 64;"
        );
        text.push_str("    selp.b32 %t0, %own, %t0, %again;\n");
        let _ = writeln!(text, "    ld.shared.b32 {dst}, [%t0];");
        text.push_str("    bar.sync %t4, %t2;\n");
        self.know(vec![('r', dst.clone())], false);
        Stmt::Lines(text, vec![('r', dst)])
    }
}
