//! Arithmetic that rounds in a direction. LLVM has none for vectors, so this is the processor's, as inline assembly:
//! with AVX-512 the instructions say the direction, before that the control register does.

use crate::jit::llvm::floats::Floats;
use crate::jit::llvm::text::{Text, list};
use crate::sys::level::{Level, level};

/// The control register with all exceptions masked (SDM, volume 1, section 10.2.3); the direction is in bits 13 and 14.
const MODE: u32 = 0x1f80;

impl Text<'_> {
    /// The result of an instruction (`vadd`) on `operands`, the first of which comes first in Intel's order, and on the
    /// former value `tied` of its destination. `round` is 1 for down, 2 for up, 3 for towards zero.
    pub(super) fn directed(
        &mut self,
        f: Floats,
        name: &str,
        round: u8,
        operands: &[&str],
        tied: Option<&str>,
    ) -> String {
        let name = format!("{name}{}", if f.double { "pd" } else { "ps" });
        match level() {
            Level::V4 => self.with_direction(f, &name, round, operands, tied),
            _ => self.in_mode(f, &name, round, operands, tied),
        }
    }

    fn with_direction(
        &mut self,
        f: Floats,
        name: &str,
        round: u8,
        operands: &[&str],
        tied: Option<&str>,
    ) -> String {
        let direction = ["rn", "rd", "ru", "rz"][usize::from(round & 3)];
        let sources: Vec<String> = (1..=operands.len())
            .rev()
            .map(|n| format!("${n}"))
            .collect();
        let mut constraints = format!("=&v{}", ",v".repeat(operands.len()));
        if tied.is_some() {
            constraints += ",0";
        }
        let all = operands.iter().copied().chain(tied);
        let arguments: Vec<String> = all.map(|v| format!("{} {v}", f.ty)).collect();
        self.value(&format!(
            "call {} asm \"{name} {{{direction}-sae}}, {}, $0\", \"{constraints}\"({})",
            f.ty,
            sources.join(", "),
            arguments.join(", ")
        ))
    }

    /// Sets the direction for two halves.
    fn in_mode(
        &mut self,
        f: Floats,
        name: &str,
        round: u8,
        operands: &[&str],
        tied: Option<&str>,
    ) -> String {
        let count = f.count / 2;
        let element = if f.double { "double" } else { "float" };
        let half = format!("<{count} x {element}>");
        let mut halves = |v: &str| {
            [0, count].map(|from| {
                let lanes = list("i32", (from..from + count).map(u64::from));
                self.value(&format!(
                    "shufflevector {} {v}, {} poison, <{count} x i32> {lanes}",
                    f.ty, f.ty
                ))
            })
        };
        let parts: Vec<[String; 2]> = operands.iter().map(|v| halves(v)).collect();
        let tied = tied.map(&mut halves);
        let mut arguments = vec!["ptr %mode".to_owned()];
        for n in 0..2 {
            arguments.extend(parts.iter().map(|both| format!("{half} {}", both[n])));
        }
        arguments.extend(tied.iter().flatten().map(|v| format!("{half} {v}")));
        let mut constraints = format!("=&x,=&x,r{}", ",x".repeat(2 * operands.len()));
        if tied.is_some() {
            constraints += ",0,1";
        }
        let each = |n: usize| {
            let first = 3 + n * operands.len();
            let sources = (first..first + operands.len()).rev();
            let sources: Vec<String> = sources.map(|n| format!("${n}")).collect();
            format!("{name} {}, ${n}", sources.join(", "))
        };
        let mode = MODE | u32::from(round & 3) << 13;
        let both = self.value(&format!(
            "call {{ {half}, {half} }} asm \"vstmxcsr ($2)\\0Amovl $${mode}, 4($2)\\0Avldmxcsr 4($2)\\0A{}\\0A{}\\0A\
             vldmxcsr ($2)\", \"{constraints}\"({})",
            each(0),
            each(1),
            arguments.join(", ")
        ));
        let [low, high] =
            [0, 1].map(|n| self.value(&format!("extractvalue {{ {half}, {half} }} {both}, {n}")));
        let order = list("i32", (0..f.count).map(u64::from));
        self.value(&format!(
            "shufflevector {half} {low}, {half} {high}, <{} x i32> {order}",
            f.count
        ))
    }
}
