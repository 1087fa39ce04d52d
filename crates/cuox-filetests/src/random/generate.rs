//! Writes random kernels, statement by statement.

use super::Rng;
use super::kernel::{KINDS, Kernel, Stmt, is_own_store};
use super::ops::{self, Template};
use std::fmt::Write as _;

/// Bytes of scratch memory that each thread owns, of the three kinds alike.
pub(super) const OWN: u32 = 64;

/// Values that are alive, by kind.
#[derive(Clone, Default)]
pub(super) struct RegisterPool(pub(super) [Vec<String>; 6]);

pub(super) struct Generator {
    pub(super) rng: Rng,
    pub(super) rules: Rules,
    /// Threads may be gone before the end, so no lane is read that may not be there.
    exits: bool,
    templates: Vec<Template>,
    counts: [u32; 6],
    /// Registers with the same value in all threads of the grid.
    pub(super) uniform: RegisterPool,
    pub(super) varying: RegisterPool,
    /// Varying registers with the same value in all threads of a row of the block.
    rows: RegisterPool,
    /// Values that are made now belong to the rows, and are made of them and of uniform ones.
    pub(super) in_rows: bool,
    /// Predicates on which the threads of a warp agree.
    pub(super) of_warps: Vec<String>,
    pub(super) budget: u32,
}

/// Instructions that make a NaN the one NaN, after those whose NaN may have other bits.
fn one_nan(template: &Template, reg: &str) -> String {
    let name = template.name.as_str();
    // Signs may be put on the next result; an extremum of equals is one of them.
    let sign = ["neg.", "abs.", "min.", "max."]
        .iter()
        .any(|op| name.starts_with(op));
    let (test, mov) = match template.dst {
        "e" if !name.starts_with("mov.") && !name.starts_with("selp.") => (
            format!("testp.notanumber.f64 %again, {reg}"),
            "mov.f64 %, 0d7ff8000000000000",
        ),
        "f" if sign => (
            format!("testp.notanumber.f32 %again, {reg}"),
            "mov.f32 %, 0f7fffffff",
        ),
        "h" if sign && name.ends_with(".bf16") => (
            format!("setp.nan.bf16 %again, {reg}, {reg}"),
            "mov.b16 %, 0x7fff",
        ),
        "h" if sign && name.ends_with(".f16") => (
            format!("setp.nan.f16 %again, {reg}, {reg}"),
            "mov.b16 %, 0x7fff",
        ),
        _ => return String::new(),
    };
    format!("    {test};\n    @%again {};\n", mov.replacen('%', reg, 1))
}

pub(super) fn index(kind: char) -> usize {
    KINDS.iter().position(|&k| k == kind).unwrap_or(1)
}

pub(super) fn bits(kind: char) -> u32 {
    match kind {
        'h' => 16,
        'r' | 'f' => 32,
        _ => 64,
    }
}

/// The instructions that a kernel may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Everything on which the engines must agree.
    Engines,
    /// Everything in which the manual leaves no choice: a GPU must agree too. Integers are not divided by zero, NaNs of
    /// which the manual does not give the bits are made the same, warp operations name no lane that is gone and read
    /// none, and nothing may be contracted. Left out is also what NVIDIA's assembler (13.0) gets wrong: `testp` and
    /// `set` to floats under a guard, which write although the guard is false, `bfe.s` at a constant place behind the
    /// end, which is -1, and `st.u8` of an f16, which stores a number and not bits.
    Defined,
}

/// The position of code in a kernel.
#[derive(Clone, Copy)]
pub(super) struct CodePosition {
    /// All threads of the block that are left come here together.
    pub(super) together: bool,
    /// All threads of a warp that are left come here together.
    pub(super) warps: bool,
    /// Inside a loop that threads may leave at different times.
    pub(super) in_loop: bool,
    pub(super) depth: u32,
}

impl Kernel {
    /// The kernel of a seed.
    pub fn new(seed: u64) -> Kernel {
        kernel(Rng::new(seed), Rules::Engines)
    }

    /// The kernel of a seed whose results a GPU must agree with.
    pub fn defined(seed: u64) -> Kernel {
        kernel(Rng::new(seed), Rules::Defined)
    }

    /// The kernel that these bytes decide.
    pub fn from_bytes(bytes: &[u8]) -> Kernel {
        kernel(Rng::from_bytes(bytes), Rules::Engines)
    }
}

/// The kernel that these decisions make.
fn kernel(mut rng: Rng, rules: Rules) -> Kernel {
    let budget = 20 + rng.below(60);
    let (exits, templates) = match rules {
        Rules::Engines => (true, ops::all()),
        Rules::Defined => (rng.one_in(2), ops::defined(rng.one_in(4))),
    };
    let mut g = Generator {
        rng,
        rules,
        exits,
        templates,
        counts: [0; 6],
        uniform: RegisterPool::default(),
        varying: RegisterPool::default(),
        rows: RegisterPool::default(),
        in_rows: false,
        of_warps: Vec::new(),
        budget,
    };
    let mut body = g.start();
    let top = CodePosition {
        together: true,
        warps: true,
        in_loop: false,
        depth: 0,
    };
    while g.budget > 0 {
        g.statements(top, &mut body);
    }
    let mut results = Vec::new();
    for (i, &kind) in KINDS.iter().enumerate() {
        for reg in g.varying.0[i].iter().chain(&g.uniform.0[i]) {
            results.push((kind, reg.clone()));
        }
    }
    let packed = g.rng.one_in(2);
    Kernel {
        body,
        results,
        counts: g.counts,
        packed,
        full_warps: rules == Rules::Defined && !exits,
    }
}

impl Generator {
    pub(super) fn fresh(&mut self, kind: char) -> String {
        let i = index(kind);
        self.counts[i] += 1;
        format!("%{kind}{}", self.counts[i] - 1)
    }

    /// An operand of a kind; only values that all threads share with `uniform`.
    pub(super) fn operand(&mut self, kind: char, uniform: bool) -> String {
        let number = match kind {
            'i' => self.rng.one_in(3),
            'h' | 'r' | 'd' => self.rng.one_in(6),
            _ => false,
        };
        if number {
            let small = [
                "0", "1", "2", "3", "5", "8", "16", "31", "32", "33", "40", "63", "64", "200",
            ];
            let large = ["-1", "-7", "255", "0x7fff", "0x8000", "1000", "-32768"];
            let all: &[&str] = if kind == 'i' || self.rng.one_in(2) {
                &small
            } else {
                &large
            };
            return (*self.rng.pick(all)).to_owned();
        }
        self.register(if kind == 'i' { 'r' } else { kind }, uniform)
    }

    pub(super) fn register(&mut self, kind: char, uniform: bool) -> String {
        let i = index(kind);
        if self.in_rows && !self.rng.one_in(4) {
            let pool = &self.rows.0[i];
            return self.rng.pick(pool).clone();
        }
        let uniform = uniform || self.in_rows;
        if uniform || self.rng.one_in(5) && !self.uniform.0[i].is_empty() {
            let pool = &self.uniform.0[i];
            return self.rng.pick(pool).clone();
        }
        let pool = &self.varying.0[i];
        // Favours the newest registers.
        let from = if self.rng.one_in(2) {
            pool.len().saturating_sub(4)
        } else {
            0
        };
        self.rng.pick(&pool[from..]).clone()
    }

    fn guard(&mut self, uniform: bool) -> String {
        let reg = self.register('p', uniform);
        if self.rng.one_in(2) {
            format!("!{reg}")
        } else {
            reg
        }
    }

    /// A register to write: a new one, or one that is alive.
    fn target(&mut self, kind: char, uniform: bool, place: CodePosition) -> (String, bool) {
        let pool = if uniform {
            &self.uniform
        } else {
            &self.varying
        };
        let reuse = self.rng.one_in(4) && (!uniform || place.together) && !self.in_rows;
        if reuse {
            return (self.rng.pick(&pool.0[index(kind)]).clone(), false);
        }
        (self.fresh(kind), true)
    }

    fn computation(&mut self, place: CodePosition) -> Stmt {
        let template = {
            let templates = &self.templates;
            self.rng.pick(templates).clone()
        };
        let uniform = self.rng.one_in(4);
        self.in_rows = self.rules == Rules::Engines && !uniform && self.rng.one_in(4);
        let registers = template.src.len() == 1 || template.name.contains("f16");
        let field = self.rules == Rules::Defined && template.name.starts_with("bf");
        let mut sources: Vec<String> = template
            .src
            .chars()
            .enumerate()
            .map(|(n, k)| {
                // Conversions and halves take registers only.
                if registers || field || n == 0 && self.rng.one_in(2) {
                    self.register(if k == 'i' { 'r' } else { k }, uniform)
                } else {
                    self.operand(k, uniform)
                }
            })
            .collect();
        let before = self.nonzero_divisor(&template, &mut sources);
        self.part_extrema(&template, &mut sources, uniform);
        let mut dsts = Vec::new();
        let mut new = Vec::new();
        for kind in template.dst.chars() {
            let (mut reg, mut is_new) = self.target(kind, uniform, place);
            if dsts.iter().any(|(_, r)| *r == reg) {
                (reg, is_new) = (self.fresh(kind), true);
            }
            dsts.push((kind, reg.clone()));
            if is_new {
                new.push((kind, reg));
            }
        }
        let names: Vec<&str> = dsts.iter().map(|(_, r)| r.as_str()).collect();
        let mut text = format!(
            "{} {}, {}{};\n",
            template.name,
            names.join("|"),
            sources.join(", "),
            template.tail
        );
        // A guarded write leaves the old value, so there must be one.
        let guarded = self.rules == Rules::Engines
            || !(template.name.starts_with("testp.")
                || template.name.starts_with("set.") && template.dst == "f");
        if guarded && new.is_empty() && self.rng.one_in(2) {
            text = format!("@{} {text}", self.guard(uniform));
        }
        self.know(new, uniform);
        self.in_rows = false;
        let after = match self.rules {
            Rules::Defined => one_nan(&template, &dsts[0].1),
            Rules::Engines => String::new(),
        };
        Stmt::Lines(format!("{before}    {text}{after}"), dsts)
    }

    /// Takes another second operand for `min` and `max` of floats if it is the first one: the larger of a number and
    /// itself may be that number, whatever NaN it is.
    fn part_extrema(&mut self, template: &Template, sources: &mut [String], uniform: bool) {
        let extremum = template.name.starts_with("min.") || template.name.starts_with("max.");
        let (true, Rules::Defined, [first, second]) =
            (extremum && template.name.contains('f'), self.rules, sources)
        else {
            return;
        };
        let kind = template.src.chars().next().unwrap_or('r');
        for _ in 0..16 {
            if first != second {
                break;
            }
            *second = self.register(kind, uniform);
        }
    }

    /// The instructions on a divisor that make the quotient defined; the divisor's register is changed in the list.
    fn nonzero_divisor(&mut self, template: &Template, sources: &mut [String]) -> String {
        let integer = template.name.starts_with("rem.")
            || template.name.starts_with("div.") && !template.src.starts_with(['f', 'e']);
        let (Rules::Defined, true, [_, divisor]) = (self.rules, integer, sources) else {
            return String::new();
        };
        let kind = template.src.chars().next().unwrap_or('r');
        let odd = self.fresh(kind);
        let text = format!("    or.b{} {odd}, {divisor}, 1;\n", bits(kind));
        *divisor = odd;
        text
    }

    pub(super) fn know(&mut self, new: Vec<(char, String)>, uniform: bool) {
        if self.in_rows {
            for (kind, reg) in &new {
                self.rows.0[index(*kind)].push(reg.clone());
            }
        }
        let pool = if uniform {
            &mut self.uniform
        } else {
            &mut self.varying
        };
        for (kind, reg) in new {
            pool.0[index(kind)].push(reg);
        }
    }

    fn make(&mut self, kind: char) -> String {
        let reg = self.fresh(kind);
        self.know(vec![(kind, reg.clone())], false);
        reg
    }

    fn carry(&mut self) -> Stmt {
        let (k, ty) = *self.rng.pick(&[('r', "u32"), ('d', "u64")]);
        let ops = *self.rng.pick(&[
            ["add.cc", "addc.cc", "addc"],
            ["sub.cc", "subc.cc", "subc"],
            ["mad.lo.cc", "madc.hi.cc", "addc"],
        ]);
        let mut text = String::new();
        let mut dsts = Vec::new();
        for op in ops {
            let sources = if op.starts_with("mad") { 3 } else { 2 };
            let sources: Vec<String> = (0..sources).map(|_| self.operand(k, false)).collect();
            let reg = self.fresh(k);
            let _ = writeln!(text, "    {op}.{ty} {reg}, {};", sources.join(", "));
            dsts.push((k, reg));
        }
        self.know(dsts.clone(), false);
        Stmt::Lines(text, dsts)
    }

    /// A load, store or atomic of the thread's own memory.
    fn memory(&mut self) -> Stmt {
        let space = *self.rng.pick(&["global", "local", "shared", "generic"]);
        let kind = *self.rng.pick(&['h', 'r', 'd', 'f', 'e']);
        let size = bits(kind) / 8;
        let lanes = match self.rng.below(6) {
            0 => 2,
            1 if size <= 4 => 4,
            _ => 1,
        };
        let bytes = size * lanes;
        let mut text = String::new();
        let constant = self.rng.one_in(2);
        let offset = self.rng.below(OWN / bytes) * bytes;
        if constant {
            text.push_str("    mov.u32 %t0, 0;\n");
        } else {
            let by = self.operand('r', false);
            let _ = writeln!(
                text,
                "    and.b32 %t0, {by}, {};",
                (OWN - bytes) & !(bytes - 1)
            );
        }
        let offset = if constant { offset } else { 0 };
        let (qualifier, base) = match space {
            "local" if constant => (".local", "local".to_owned()),
            "local" => {
                text.push_str("    mov.u32 %t1, local;\n    add.u32 %t0, %t0, %t1;\n");
                (".local", "%t0".to_owned())
            }
            "shared" => {
                text.push_str("    add.u32 %t0, %t0, %own;\n");
                (".shared", "%t0".to_owned())
            }
            "global" => {
                text.push_str("    cvt.u64.u32 %a0, %t0;\n    add.u64 %a0, %a0, %scratch;\n");
                (".global", "%a0".to_owned())
            }
            _ => {
                text.push_str("    cvt.u64.u32 %a1, %own;\n    cvta.shared.u64 %a1, %a1;\n");
                text.push_str("    cvt.u64.u32 %a0, %t0;\n    add.u64 %a0, %a0, %a1;\n");
                ("", "%a0".to_owned())
            }
        };
        let at = format!("[{base}+{offset}]");
        if lanes == 1 && space != "local" && matches!(kind, 'r' | 'd') && self.rng.one_in(3) {
            return self.own_atomic(text, qualifier, kind, &at);
        }
        let mut ty = is_own_store(kind).to_owned();
        if matches!(kind, 'h' | 'r' | 'd') && lanes == 1 {
            // Narrower accesses, and loads that extend.
            let narrow = 8 << self.rng.below(size.ilog2() + 1);
            ty = format!("{}{narrow}", self.rng.pick(&["s", "u"]));
            if kind == 'h' && self.rules == Rules::Defined {
                ty = "b16".to_owned();
            }
        }
        let vector = match lanes {
            1 => "",
            2 => ".v2",
            _ => ".v4",
        };
        let load = self.rng.one_in(2);
        let mut regs = Vec::new();
        for _ in 0..lanes {
            let reg = if load {
                self.fresh(kind)
            } else {
                self.register(kind, false)
            };
            regs.push((kind, reg));
        }
        let list: Vec<&str> = regs.iter().map(|(_, r)| r.as_str()).collect();
        let list = if lanes == 1 {
            list.join("")
        } else {
            format!("{{{}}}", list.join(", "))
        };
        if load {
            let _ = writeln!(text, "    ld{qualifier}{vector}.{ty} {list}, {at};");
            self.know(regs.clone(), false);
            return Stmt::Lines(text, regs);
        }
        let guard = if self.rng.one_in(3) {
            format!("@{} ", self.guard(false))
        } else {
            String::new()
        };
        let _ = writeln!(text, "    {guard}st{qualifier}{vector}.{ty} {at}, {list};");
        Stmt::Lines(text, Vec::new())
    }

    fn own_atomic(&mut self, mut text: String, qualifier: &str, kind: char, at: &str) -> Stmt {
        let (bits, value, dst) = (bits(kind), self.operand(kind, false), self.fresh(kind));
        let op = *self.rng.pick(&[
            "add.u", "min.s", "max.u", "and.b", "or.b", "xor.b", "exch.b", "inc.u", "cas.b",
        ]);
        let op = if op == "inc.u" && bits == 64 {
            "max.s"
        } else {
            op
        };
        if self.rules == Rules::Engines && self.rng.one_in(3) {
            // Statements that few kernels apply to their own memory.
            let short = ["dec.u32", "add.f32", "add.noftz.f16x2", "add.noftz.bf16x2"];
            let op = match bits {
                64 => "add.f64",
                _ => *self.rng.pick(&short),
            };
            let number = self.register(kind, false);
            let _ = writeln!(text, "    atom{qualifier}.{op} {dst}, {at}, {number};");
        } else if op == "cas.b" {
            let expected = self.register(kind, false);
            let _ = writeln!(
                text,
                "    atom{qualifier}.{op}{bits} {dst}, {at}, {expected}, {value};"
            );
        } else {
            let _ = writeln!(text, "    atom{qualifier}.{op}{bits} {dst}, {at}, {value};");
        }
        self.know(vec![(kind, dst.clone())], false);
        Stmt::Lines(text, vec![(kind, dst)])
    }

    /// A change of a word that all threads change in the same way.
    fn common_word(&mut self) -> Stmt {
        let ops = [
            "add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "min.u32", "max.s32",
        ];
        let n = self.rng.below(ops.len() as u32);
        let value = self.operand('r', false);
        let op = ops[n as usize];
        Stmt::Lines(
            format!("    red.global.{op} [%words+{}], {value};\n", 4 * n),
            Vec::new(),
        )
    }

    /// An operation of all lanes that are left.
    fn warp(&mut self) -> Stmt {
        let uniform = self.rng.one_in(5);
        let (value, other) = (self.register('r', uniform), self.operand('i', false));
        let pred = self.guard(uniform);
        let (text, dsts) = match self.rng.below(8) {
            0 | 1 if self.rules == Rules::Engines || !self.exits => {
                let mode = *self.rng.pick(&["up", "down", "bfly", "idx"]);
                let segment = *self.rng.pick(&["0x1f", "0", "0x1807", "0x1c1f", "0x181f"]);
                let (r, p) = (self.fresh('r'), self.fresh('p'));
                let text =
                    format!("shfl.sync.{mode}.b32 {r}|{p}, {value}, {other}, {segment}, %alive");
                (text, vec![('r', r), ('p', p)])
            }
            0..=2 => {
                let r = self.fresh('r');
                (
                    format!("vote.sync.ballot.b32 {r}, {pred}, %alive"),
                    vec![('r', r)],
                )
            }
            3 => {
                let (mode, p) = (*self.rng.pick(&["all", "any", "uni"]), self.fresh('p'));
                (
                    format!("vote.sync.{mode}.pred {p}, {pred}, %alive"),
                    vec![('p', p)],
                )
            }
            4 => {
                let op = *self.rng.pick(&[
                    "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32",
                ]);
                let r = self.fresh('r');
                (
                    format!("redux.sync.{op} {r}, {value}, %alive"),
                    vec![('r', r)],
                )
            }
            5 => {
                let r = self.fresh('r');
                (
                    format!("match.any.sync.b32 {r}, {value}, %alive"),
                    vec![('r', r)],
                )
            }
            6 => {
                let (r, p) = (self.fresh('r'), self.fresh('p'));
                (
                    format!("match.all.sync.b32 {r}|{p}, {value}, %alive"),
                    vec![('r', r), ('p', p)],
                )
            }
            _ => return Stmt::Lines("    bar.warp.sync %alive;\n".to_owned(), Vec::new()),
        };
        // Threads that are gone, or never were, may be named.
        let text = match self.rng.one_in(2) && self.rules == Rules::Engines {
            true => text.replace("%alive", "-1"),
            false => text,
        };
        let text = match self.rules == Rules::Engines && self.rng.one_in(3) {
            true => self.in_two_branches(&text, &value),
            false => format!("    {text};\n"),
        };
        self.know(dsts.clone(), false);
        Stmt::Lines(text, dsts)
    }

    /// A warp operation that some lanes execute in one branch and the others in another, where they have another value.
    fn in_two_branches(&mut self, op: &str, value: &str) -> String {
        let (pred, second) = (self.guard(false), self.register('r', false));
        let other = op.replace(&format!(" {value},"), &format!(" {second},"));
        format!(
            "    {{\n    @{pred} bra Other;\n    {op};\n    bra.uni Both;\nOther:\n    {other};\nBoth:\n    }}\n"
        )
    }

    /// Something that the whole block does.
    fn block(&mut self) -> Stmt {
        match self.rng.below(5) {
            4 => {
                // One thread writes, all read the same place.
                let (value, dst) = (self.register('d', false), self.fresh('d'));
                let writer = self.rng.below(32);
                let mut text =
                    format!("    bar.sync 0;\n    setp.eq.u32 %again, %linear, {writer};\n");
                text.push_str("    mov.u32 %t0, shared;\n");
                let _ = writeln!(text, "    @%again st.shared.b64 [%t0+32760], {value};");
                let _ = writeln!(
                    text,
                    "    bar.sync 0;\n    ld.shared.b64 {dst}, [%t0+32760];\n    bar.sync 0;"
                );
                self.know(vec![('d', dst.clone())], false);
                Stmt::Lines(text, vec![('d', dst)])
            }
            0 => Stmt::Lines("    bar.sync 0;\n".to_owned(), Vec::new()),
            1 => {
                let p = self.guard(false);
                let dst = self.make('r');
                let text = format!("    barrier.red.popc.u32 {dst}, 0, {p};\n");
                Stmt::Lines(text, vec![('r', dst)])
            }
            2 => {
                let (p, mode) = (self.guard(false), *self.rng.pick(&["and", "or"]));
                let dst = self.make('p');
                let text = format!("    barrier.red.{mode}.pred {dst}, 0, {p};\n");
                Stmt::Lines(text, vec![('p', dst)])
            }
            _ => {
                // A thread reads the word of its neighbour, or of the first thread.
                let value = self.register('r', false);
                let dst = self.make('r');
                let mut text = format!(
                    "    bar.sync 0;\n    st.shared.b32 [%own], {value};\n    bar.sync 0;\n"
                );
                text.push_str(match self.rng.below(2) {
                    0 => "    mov.u32 %t0, shared;\n",
                    _ => "    mov.u32 %t0, shared;\n    sub.u32 %t1, %own, 64;\n    max.s32 %t0, %t0, %t1;\n",
                });
                let _ = writeln!(text, "    ld.shared.b32 {dst}, [%t0];\n    bar.sync 0;");
                Stmt::Lines(text, vec![('r', dst)])
            }
        }
    }

    fn call(&mut self) -> Stmt {
        let (a, b) = (self.register('r', false), self.operand('r', false));
        let dst = self.make('r');
        let mut text =
            String::from("    {\n    .param .b32 pa;\n    .param .b32 pb;\n    .param .b32 pr;\n");
        let _ = writeln!(
            text,
            "    st.param.b32 [pa], {a};\n    st.param.b32 [pb], {b};"
        );
        let _ = writeln!(
            text,
            "    call.uni (pr), twist, (pa, pb);\n    ld.param.b32 {dst}, [pr];\n    }}"
        );
        Stmt::Lines(text, vec![('r', dst)])
    }

    pub(super) fn scope(&mut self, place: CodePosition) -> Vec<Stmt> {
        let pools = (
            self.uniform.clone(),
            self.varying.clone(),
            self.rows.clone(),
        );
        let mut body = Vec::new();
        for _ in 0..1 + self.rng.below(5) {
            if self.budget > 0 {
                self.statements(place, &mut body);
            }
        }
        (self.uniform, self.varying, self.rows) = pools;
        body
    }

    /// A statement, and statements that must come before it.
    fn statements(&mut self, place: CodePosition, body: &mut Vec<Stmt>) {
        let edge = self.rules == Rules::Engines && place.depth < 3 && self.rng.one_in(8);
        let stmt = match edge {
            true => self.boundary_branch(place, body),
            false => match self.part(place) {
                Some(stmt) => stmt,
                None => self.statement(place),
            },
        };
        body.push(stmt);
    }

    fn statement(&mut self, place: CodePosition) -> Stmt {
        self.budget = self.budget.saturating_sub(1);
        let choice = self.rng.below(100);
        let inside = |together, warps| CodePosition {
            together: place.together && together,
            warps: place.warps && warps,
            depth: place.depth + 1,
            ..place
        };
        match choice {
            0..10 if place.depth < 4 => {
                let uniform = self.rng.one_in(3);
                let by_warps = !uniform && self.rng.one_in(3);
                let guard = if by_warps {
                    self.rng.pick(&self.of_warps).clone()
                } else {
                    self.guard(uniform)
                };
                let place = inside(uniform, uniform || by_warps);
                let then = self.scope(place);
                let other = if self.rng.one_in(2) {
                    self.scope(place)
                } else {
                    Vec::new()
                };
                Stmt::If(guard, then, other)
            }
            10..16 if place.depth < 3 => {
                let uniform = self.rng.one_in(3);
                let times = self.register('r', uniform);
                let counter = self.fresh('r');
                let place = inside(uniform, uniform);
                let body = self.scope(CodePosition {
                    in_loop: !place.warps,
                    ..place
                });
                Stmt::Loop(counter, times, body)
            }
            16..19 if place.depth < 3 => {
                let uniform = self.rng.one_in(3);
                let operand = self.register('r', uniform);
                let reg = self.fresh('r');
                let place = inside(uniform, uniform);
                let ways = (0..3).map(|_| self.scope(place)).collect();
                Stmt::Switch(reg, operand, ways)
            }
            19..24 if place.in_loop => Stmt::Break(self.guard(false)),
            24..27 if place.in_loop => Stmt::Continue(self.guard(false)),
            27..35 if place.warps => self.warp(),
            35..39 if place.together => self.block(),
            39 if place.depth == 0 && self.exits => {
                let p = self.register('p', false);
                let text = format!(
                    "    mov.pred %gone, {p};\n    vote.sync.ballot.b32 %alive, !%gone, %alive;\n    @%gone exit;\n"
                );
                Stmt::Lines(text, Vec::new())
            }
            40..43 => self.common_word(),
            43..56 => self.memory(),
            56..59 => self.carry(),
            59..61 => self.call(),
            _ => self.computation(place),
        }
    }
}
