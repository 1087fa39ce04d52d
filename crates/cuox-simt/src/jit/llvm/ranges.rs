//! Quick tests that no lane's address is illegal, before the exact one. Lanes that are neighbours are in range if the
//! first and the last are, and are then accessed as a row.

use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms::{TEST64, XOR64};
use crate::jit::avx512::vcode::{K, Mem, Src, V, VInst, Vop};
use crate::jit::llvm::text::{LONGS, Text, list, run};
use std::collections::HashMap;

/// A test of eight addresses: `(at ^ [base]) & [mask]` is to be 0.
#[derive(Clone)]
pub(super) struct Check {
    /// Its result.
    lanes: String,
    at: V,
    base: Mem,
    mask: Mem,
}

/// What is known of the addresses of eight lanes.
#[derive(Clone)]
pub(super) struct Row {
    /// That they are neighbours (`i1`).
    pub(super) holds: String,
    /// The first one then (`i64`).
    pub(super) first: String,
    /// Bytes of an element.
    pub(super) bytes: u64,
}

/// What a function's text remembers of addresses and tests of them.
#[derive(Default)]
pub(super) struct Ranges {
    /// Bytes of the elements at addresses.
    bytes: HashMap<V, u64>,
    /// Addresses and what has been combined with them.
    combined: HashMap<V, (V, Mem)>,
    halves: HashMap<K, Check>,
    checks: HashMap<K, [Check; 2]>,
    rows: HashMap<V, Row>,
}

impl Ranges {
    /// Notes what the accesses of some code need.
    pub(super) fn accesses(&mut self, code: &[Vop]) {
        for op in code {
            if let Vop::Gather {
                form,
                index,
                pointer: false,
                ..
            }
            | Vop::Scatter {
                form,
                index,
                pointer: false,
                ..
            } = *op
            {
                self.bytes.insert(index, if form.wide { 8 } else { 4 });
            }
        }
    }

    pub(super) fn vector(&mut self, dst: V, inst: &VInst) {
        if let (XOR64, Some(at), Src::Each(base), None) = (inst.form, inst.a, inst.b, inst.mask) {
            self.combined.insert(dst, (at, base));
        }
    }

    pub(super) fn test(&mut self, dst: K, form: Form, a: Option<V>, b: Src, lanes: &str) {
        if let (TEST64, Some(a), Src::Each(mask)) = (form, a, b)
            && let Some(&(at, base)) = self.combined.get(&a)
        {
            let lanes = lanes.to_owned();
            let check = Check {
                lanes,
                at,
                base,
                mask,
            };
            self.halves.insert(dst, check);
        }
    }

    /// Notes that a mask tells what two do.
    pub(super) fn join(&mut self, dst: K, high: K, low: K) {
        if let (Some(low), Some(high)) = (self.halves.get(&low), self.halves.get(&high)) {
            self.checks.insert(dst, [low.clone(), high.clone()]);
        }
    }

    /// Notes that a mask has some of another's lanes.
    pub(super) fn some_of(&mut self, dst: K, [a, b]: [K; 2]) {
        let either = self.checks.get(&a).or_else(|| self.checks.get(&b));
        if let Some(checks) = either.cloned() {
            self.checks.insert(dst, checks);
        }
    }

    /// What is known of addresses of elements of that size.
    pub(super) fn row(&self, at: V, bytes: u64) -> Option<Row> {
        self.rows.get(&at).filter(|row| row.bytes == bytes).cloned()
    }
}

impl Text<'_> {
    /// Continues at `on` if a quick test of all lanes, active or not, finds that no bit of a mask is set.
    pub(super) fn quick_tests(&mut self, bad: K, on: &str) {
        let Some([low, high]) = self.ranges.checks.get(&bad).cloned() else {
            return;
        };
        let bytes = [&low, &high].map(|check| self.ranges.bytes.get(&check.at).copied());
        if let [Some(bytes), Some(same)] = bytes
            && bytes == same
        {
            let fine = self.row_test([&low, &high], bytes);
            let next = self.label();
            self.line(&format!("br i1 {fine}, label %{on}, label %{next}"));
            self.block(&next);
        }
        let all = self.value(&format!("or {LONGS} {}, {}", low.lanes, high.lanes));
        let fine = self.is_zero(&all);
        let next = self.label();
        self.line(&format!("br i1 {fine}, label %{on}, label %{next}"));
        self.block(&next);
    }

    /// Tells (`i1`) whether sixteen addresses are neighbours and legal.
    fn row_test(&mut self, checks: [&Check; 2], bytes: u64) -> String {
        let halves = checks.map(|check| check.at);
        let linear = self.linears.pair(halves);
        let (holds, first) = match linear.filter(|linear| linear.scale == bytes) {
            Some(linear) => self.neighbours(&linear),
            None => self.neighbour_addresses(halves, bytes),
        };
        for (n, check) in checks.into_iter().enumerate() {
            let first = self.value(&format!("add i64 {first}, {}", 8 * n as u64 * bytes));
            let row = Row {
                holds: holds.clone(),
                first,
                bytes,
            };
            self.ranges.rows.insert(check.at, row);
        }
        let last = self.value(&format!("add i64 {first}, {}", 15 * bytes));
        let base = self.load(checks[0].base, "i64", 4);
        let mask = self.load(checks[0].mask, "i64", 4);
        let ends = [first, last].map(|end| self.value(&format!("xor i64 {end}, {base}")));
        let ends = self.value(&format!("or i64 {}, {}", ends[0], ends[1]));
        let ends = self.value(&format!("and i64 {ends}, {mask}"));
        let inside = self.value(&format!("icmp eq i64 {ends}, 0"));
        self.value(&format!("and i1 {holds}, {inside}"))
    }

    /// Tells (`i1`) whether sixteen addresses are those of neighbours, and the first one (`i64`).
    fn neighbour_addresses(&mut self, at: [V; 2], bytes: u64) -> (String, String) {
        let at = at.map(|v| self.longs(&format!("%v{}", v.0)));
        let first = self.value(&format!("extractelement {LONGS} {}, i64 0", at[0]));
        let all = self.splatted("i64", 8, &first);
        let mut other = [String::new(), String::new()];
        for n in 0..2 {
            let steps = list("i64", (0..8).map(|lane| (8 * n as u64 + lane) * bytes));
            let row = self.value(&format!("add {LONGS} {all}, {steps}"));
            other[n] = self.value(&format!("xor {LONGS} {}, {row}", at[n]));
        }
        let other = self.value(&format!("or {LONGS} {}, {}", other[0], other[1]));
        (self.is_zero(&other), first)
    }

    /// Tells (`i1`) whether all bits of a vector are 0.
    fn is_zero(&mut self, all: &str) -> String {
        let halves = [0, 4].map(|from| {
            let lanes = run(from, 4);
            self.value(&format!(
                "shufflevector {LONGS} {all}, {LONGS} poison, <4 x i32> {lanes}"
            ))
        });
        let all = self.value(&format!("or <4 x i64> {}, {}", halves[0], halves[1]));
        let all = self.value(&format!("bitcast <4 x i64> {all} to i256"));
        self.value(&format!("icmp eq i256 {all}, 0"))
    }
}
