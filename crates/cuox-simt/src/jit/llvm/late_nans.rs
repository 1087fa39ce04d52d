//! f64 arithmetic whose NaNs are looked for late.
//!
//! Of several operands that are NaNs, a GPU propagates a certain one, and LLVM may swap them. To choose it takes
//! several instructions for each operation, and NaNs are rare. So the results are those of the bare operations until
//! something else reads one. All operations so far propagate NaNs: if no result that is left is one, none of the others
//! is. Otherwise code elsewhere does the operations again.

use crate::jit::avx512::encode::Form;
use crate::jit::avx512::vcode::{Src, V, VInst, Vop};
use crate::jit::llvm::text::{DOUBLES, Text, WORDS};
use std::collections::HashMap;

/// An operation whose result propagates NaNs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// By an instruction of LLVM IR.
    Binary(&'static str),
    Sqrt,
    /// A fused multiply-add, in the order of the instruction's operands, with the product negated or not.
    Fma {
        negated: bool,
    },
}

impl Operation {
    fn of(inst: &VInst) -> Option<Operation> {
        let Form {
            map,
            prefix,
            wide,
            code,
            ..
        } = inst.form;
        if !wide || inst.mask.is_some() || inst.round.unwrap_or(0) != 0 {
            return None;
        }
        Some(match (map, prefix, code) {
            (1, 1, 0x58) => Operation::Binary("fadd"),
            (1, 1, 0x59) => Operation::Binary("fmul"),
            (1, 1, 0x5c) => Operation::Binary("fsub"),
            (1, 1, 0x5e) => Operation::Binary("fdiv"),
            (1, 1, 0x51) => Operation::Sqrt,
            (2, 1, 0xb8 | 0xbc) => Operation::Fma {
                negated: code == 0xbc,
            },
            _ => return None,
        })
    }
}

/// An operation, its operands (those of vectors with the vector), and its result if no operand is a NaN.
struct Pending {
    dst: V,
    operation: Operation,
    operands: Vec<(String, Option<V>)>,
    result: String,
}

/// Operations whose NaNs have not been looked for yet.
#[derive(Default)]
pub(super) struct LateNans(Vec<Pending>);

impl LateNans {
    fn result(&self, v: V) -> Option<&String> {
        let pending = self.0.iter().find(|pending| pending.dst == v);
        pending.map(|pending| &pending.result)
    }

    /// Tells whether an instruction reads a result in another way than an operation would.
    pub(super) fn is_read_by(&self, op: &Vop) -> bool {
        if self.0.is_empty() {
            return false;
        }
        if let Vop::Vector { inst, .. } = op
            && Operation::of(inst).is_some()
        {
            return false;
        }
        // Code within code has values of its own.
        let mut read = matches!(op, Vop::Rare { .. });
        op.uses(&mut |v| read |= self.result(v).is_some(), &mut |_| {});
        read
    }
}

impl Text<'_> {
    /// Adds an operation if it is one of f64 that propagates NaNs. Returns whether it is.
    pub(super) fn late_nan(&mut self, dst: V, inst: &VInst) -> Option<bool> {
        let Some(operation) = Operation::of(inst) else {
            return Some(false);
        };
        let vector = |this: &mut Self, v: V| match this.late_nans.result(v) {
            Some(result) => (result.clone(), Some(v)),
            None => (this.cast(WORDS, &format!("%v{}", v.0), DOUBLES), None),
        };
        let last = match inst.b {
            Src::V(v) => vector(self, v),
            src => (self.typed(src, true, DOUBLES)?, None),
        };
        let operands = match operation {
            Operation::Binary(_) => vec![vector(self, inst.a?), last],
            Operation::Sqrt => vec![last],
            Operation::Fma { .. } => {
                vec![vector(self, inst.a?), last, vector(self, inst.tied?)]
            }
        };
        let names: Vec<&str> = operands.iter().map(|(name, _)| name.as_str()).collect();
        let result = self.bare(operation, &names);
        self.late_nans.0.push(Pending {
            dst,
            operation,
            operands,
            result,
        });
        Some(true)
    }

    /// The result of an operation, with any of its NaNs.
    fn bare(&mut self, operation: Operation, operands: &[&str]) -> String {
        match (operation, operands) {
            (Operation::Binary(op), [a, b]) => self.value(&format!("{op} {DOUBLES} {a}, {b}")),
            (Operation::Fma { negated: true }, [a, b, c]) => {
                let a = self.value(&format!("fneg {DOUBLES} {a}"));
                self.intrinsic("fma.v8f64", DOUBLES, &[&a, b, c])
            }
            (Operation::Sqrt, operands) => self.intrinsic("sqrt.v8f64", DOUBLES, operands),
            (_, operands) => self.intrinsic("fma.v8f64", DOUBLES, operands),
        }
    }

    /// Looks for NaNs in what is pending, and gives the vectors their values.
    pub(super) fn settle_nans(&mut self) {
        let pending = std::mem::take(&mut self.late_nans.0);
        let left = pending.iter().filter(|this| {
            let reads = |other: &Pending| other.operands.iter().any(|(_, v)| *v == Some(this.dst));
            !pending.iter().any(reads)
        });
        let mut any: Option<String> = None;
        for Pending { result, .. } in left {
            let nan = self.value(&format!("fcmp uno {DOUBLES} {result}, {result}"));
            any = Some(match any {
                Some(any) => self.value(&format!("or <8 x i1> {any}, {nan}")),
                None => nan,
            });
        }
        let Some(any) = any else { return };
        let bits = self.value(&format!("bitcast <8 x i1> {any} to i8"));
        let none = self.value(&format!("icmp eq i8 {bits}, 0"));
        let [before, again, on] = [(); 3].map(|()| self.label());
        self.line(&format!("br label %{before}"));
        self.block(&before);
        self.line(&format!(
            "br i1 {none}, label %{on}, label %{again}, !prof !1"
        ));
        let hot = std::mem::take(&mut self.body);
        self.block(&again);
        let mut found: HashMap<V, String> = HashMap::new();
        for this in &pending {
            let operands = this.operands.iter();
            let operands: Vec<String> = operands
                .map(|(name, v)| v.and_then(|v| found.get(&v)).unwrap_or(name).clone())
                .collect();
            let names: Vec<&str> = operands.iter().map(String::as_str).collect();
            let bare = self.bare(this.operation, &names);
            // The order is that of the instruction.
            let result = self.double_nan_of(8, &bare, &operands);
            found.insert(this.dst, result);
        }
        self.line(&format!("br label %{on}"));
        let cold = std::mem::replace(&mut self.body, hot);
        self.cold.push_str(&cold);
        self.block(&on);
        let values: Vec<(V, String)> = pending
            .iter()
            .map(|this| {
                let again_value = &found[&this.dst];
                let usual = &this.result;
                let value = self.value(&format!(
                    "phi {DOUBLES} [ {usual}, %{before} ], [ {again_value}, %{again} ]"
                ));
                (this.dst, value)
            })
            .collect();
        for (dst, value) in values {
            let words = self.words(DOUBLES, &value);
            self.set(dst, &words);
        }
    }
}
