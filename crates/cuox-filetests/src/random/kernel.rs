//! Random kernels whose result does not depend on the order in which threads run.
//!
//! Threads touch memory of their own, or words that all threads change by one commutative operation, or words that a
//! barrier has made visible. Warp operations name the lanes that are left, at places that all of them reach together.

use std::fmt::Write as _;

pub(super) const KINDS: [char; 6] = ['h', 'r', 'd', 'f', 'e', 'p'];

/// Words of the buffer that all threads add to.
pub const SHARED_WORDS: usize = 16;
/// Input words of each thread.
pub const INPUTS: usize = 12;

/// A piece of a kernel that can be left out.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Instructions, and the registers that they write.
    Lines(String, Vec<(char, String)>),
    /// A branch: guard, both ways.
    If(String, Vec<Stmt>, Vec<Stmt>),
    /// A loop: counter, the operand that gives the number of turns, body.
    Loop(String, String, Vec<Stmt>),
    /// A jump through a table on two bits of an operand: a register to use, the operand, the ways.
    Switch(String, String, Vec<Vec<Stmt>>),
    /// Leaves the loop where the guard holds.
    Break(String),
    /// Goes on with the loop's next turn where the guard holds.
    Continue(String),
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its body.
    pub body: Vec<Stmt>,
    /// Registers stored at the end.
    pub(super) results: Vec<(char, String)>,
    pub(super) counts: [u32; 6],
    /// Results of a thread lie side by side.
    pub packed: bool,
    /// It reads other lanes without asking whether they are there: blocks must be of full warps.
    pub full_warps: bool,
}

pub(super) fn is_own_store(kind: char) -> &'static str {
    match kind {
        'h' => "b16",
        'r' => "b32",
        'f' => "f32",
        'e' => "f64",
        _ => "b64",
    }
}

impl Kernel {
    /// Result words of a thread.
    pub fn outputs(&self) -> usize {
        self.results.len()
    }

    /// The result register and the thread of word `n` of the output when `threads` run.
    pub fn output_at(&self, n: usize, threads: usize) -> (usize, usize) {
        if self.packed {
            (n % self.results.len(), n / self.results.len())
        } else {
            (n / threads, n % threads)
        }
    }

    /// The register and thread of word `n` of the output when `threads` run, in words.
    pub fn output_name(&self, n: usize, threads: usize) -> String {
        let (slot, thread) = self.output_at(n, threads);
        format!("{} of thread {thread}", self.results[slot].1)
    }

    /// The kernel as PTX.
    pub fn ptx(&self) -> String {
        let mut body = String::new();
        render(&self.body, &mut body, &mut 0, None);
        let mut t = String::from(PROLOGUE);
        if body.contains(INDIRECT_CALL) {
            t.push_str(INDIRECT_CALLEES);
        }
        t.push_str(ENTRY);
        for (&kind, &count) in KINDS.iter().zip(&self.counts) {
            let ty = match kind {
                'f' => "f32",
                'e' => "f64",
                'p' => "pred",
                _ => is_own_store(kind),
            };
            let _ = writeln!(t, "    .reg .{ty} %{kind}<{}>;", count.max(1));
        }
        t.push_str(SETUP);
        t.push_str(&body);
        let count = self.results.len();
        for (n, (kind, reg)) in self.results.iter().enumerate() {
            let (kind, reg) = if *kind == 'p' {
                let _ = writeln!(t, "    selp.b32 %t0, 1, 0, {reg};");
                ('r', "%t0")
            } else {
                (*kind, reg.as_str())
            };
            if self.packed {
                let _ = writeln!(t, "    mad.wide.u32 %a0, %id, {}, %out;", 8 * count);
                let _ = writeln!(
                    t,
                    "    st.global.{} [%a0+{}], {reg};",
                    is_own_store(kind),
                    8 * n
                );
            } else {
                let _ = writeln!(t, "    mul.wide.u32 %a0, %total, {};", 8 * n);
                let _ = writeln!(t, "    add.u64 %a0, %a0, %out;");
                let _ = writeln!(t, "    mad.wide.u32 %a0, %id, 8, %a0;");
                let _ = writeln!(t, "    st.global.{} [%a0], {reg};", is_own_store(kind));
            }
        }
        t.push_str("    ret;\n}\n");
        t
    }

    /// Kernels that are this one with something left out.
    pub fn smaller(&self) -> Vec<Kernel> {
        let mut all = Vec::new();
        let half = self.results.len() / 2;
        if half > 1 {
            for results in [&self.results[..half], &self.results[half..]] {
                all.push(Kernel {
                    results: results.to_vec(),
                    ..self.clone()
                });
            }
        }
        for n in (0..self.results.len()).filter(|_| self.results.len() > 1) {
            let mut results = self.results.clone();
            results.remove(n);
            all.push(Kernel {
                results,
                ..self.clone()
            });
        }
        for n in 0..count(&self.body) {
            let mut body = self.body.clone();
            let mut at = n;
            if drop_one(&mut body, &mut at) {
                all.push(Kernel {
                    body,
                    ..self.clone()
                });
            }
        }
        all
    }
}

fn count(body: &[Stmt]) -> usize {
    body.iter()
        .map(|s| match s {
            Stmt::If(_, a, b) => 2 + count(a) + count(b),
            Stmt::Loop(_, _, a) => 2 + count(a),
            Stmt::Switch(_, _, ways) => 1 + ways.iter().map(|w| count(w)).sum::<usize>(),
            _ => 1,
        })
        .sum()
}

fn zeros(dsts: &[(char, String)]) -> String {
    let mut t = String::new();
    for (kind, reg) in dsts {
        let _ = match kind {
            'f' => writeln!(t, "    mov.f32 {reg}, 0f00000000;"),
            'e' => writeln!(t, "    mov.f64 {reg}, 0d0000000000000000;"),
            'p' => writeln!(t, "    setp.ne.u32 {reg}, %zero, 0;"),
            _ => writeln!(t, "    mov.{} {reg}, 0;", is_own_store(*kind)),
        };
    }
    t
}

/// Leaves out statement number `at`: the registers that it writes become 0.
fn drop_one(body: &mut Vec<Stmt>, at: &mut usize) -> bool {
    let mut n = 0;
    while n < body.len() {
        if *at == 0 {
            match &body[n] {
                Stmt::Lines(text, dsts) if dsts.is_empty() || *text == zeros(dsts) => {
                    if !dsts.is_empty() {
                        return false;
                    }
                    body.remove(n);
                }
                Stmt::Lines(_, dsts) => {
                    let text = zeros(dsts);
                    body[n] = Stmt::Lines(text, dsts.clone());
                }
                _ => {
                    body.remove(n);
                }
            }
            return true;
        }
        *at -= 1;
        let replaced = match &mut body[n] {
            Stmt::If(_, a, b) => {
                if *at == 0 {
                    let mut both = std::mem::take(a);
                    both.append(b);
                    Some(both)
                } else {
                    *at -= 1;
                    if drop_one(a, at) || drop_one(b, at) {
                        return true;
                    }
                    None
                }
            }
            Stmt::Loop(_, _, a) => {
                if *at == 0 {
                    let only_once = !a.iter().any(has_jump);
                    if only_once {
                        Some(std::mem::take(a))
                    } else {
                        return false;
                    }
                } else {
                    *at -= 1;
                    if drop_one(a, at) {
                        return true;
                    }
                    None
                }
            }
            Stmt::Switch(_, _, ways) => {
                if ways.iter_mut().any(|w| drop_one(w, at)) {
                    return true;
                }
                None
            }
            _ => None,
        };
        if let Some(inner) = replaced {
            body.splice(n..=n, inner);
            return true;
        }
        n += 1;
    }
    false
}

fn has_jump(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Break(_) | Stmt::Continue(_) => true,
        Stmt::If(_, a, b) => a.iter().chain(b).any(has_jump),
        Stmt::Switch(_, _, ways) => ways.iter().flatten().any(has_jump),
        _ => false,
    }
}

fn render(body: &[Stmt], t: &mut String, labels: &mut u32, around: Option<u32>) {
    for stmt in body {
        match stmt {
            Stmt::Lines(text, _) => t.push_str(text),
            Stmt::If(guard, then, other) => {
                let l = *labels;
                *labels += 1;
                let _ = writeln!(t, "    @{guard} bra Then{l};");
                render(other, t, labels, around);
                let _ = writeln!(t, "    bra Join{l};\nThen{l}:");
                render(then, t, labels, around);
                let _ = writeln!(t, "Join{l}:");
            }
            Stmt::Loop(counter, times, inner) => {
                let l = *labels;
                *labels += 1;
                let _ = writeln!(t, "    and.b32 {counter}, {times}, 7;\nHead{l}:");
                render(inner, t, labels, Some(l));
                let _ = writeln!(t, "Next{l}:\n    sub.u32 {counter}, {counter}, 1;");
                let _ = writeln!(
                    t,
                    "    setp.ge.s32 %again, {counter}, 0;\n    @%again bra Head{l};\nEnd{l}:"
                );
            }
            Stmt::Switch(reg, operand, ways) => {
                let l = *labels;
                *labels += 1;
                let _ = writeln!(t, "    and.b32 {reg}, {operand}, 3;");
                let _ = writeln!(
                    t,
                    "    Ways{l}: .branchtargets Way{l}_0, Way{l}_1, Way{l}_2, Way{l}_1;"
                );
                let _ = writeln!(t, "    brx.idx {reg}, Ways{l};");
                for (n, way) in ways.iter().enumerate() {
                    let _ = writeln!(t, "Way{l}_{n}:");
                    render(way, t, labels, around);
                    if n % 2 == 0 {
                        let _ = writeln!(t, "    bra Join{l};");
                    }
                }
                let _ = writeln!(t, "Join{l}:");
            }
            Stmt::Break(guard) => {
                if let Some(l) = around {
                    let _ = writeln!(t, "    @{guard} bra End{l};");
                }
            }
            Stmt::Continue(guard) => {
                if let Some(l) = around {
                    let _ = writeln!(t, "    @{guard} bra Next{l};");
                }
            }
        }
    }
}

const PROLOGUE: &str = "\
.version 8.5
.target sm_90
.address_size 64
.func (.param .b32 result) twist(.param .b32 a, .param .b32 b)
{
    .reg .b32 %x<4>;
    .reg .pred %q;
    ld.param.b32 %x0, [a];
    ld.param.b32 %x1, [b];
    xor.b32 %x2, %x0, %x1;
    and.b32 %x3, %x2, 1;
    setp.eq.u32 %q, %x3, 0;
    @%q bra Even;
    mad.lo.u32 %x2, %x2, 5, %x1;
    st.param.b32 [result], %x2;
    ret;
Even:
    shr.s32 %x2, %x2, 1;
    st.param.b32 [result], %x2;
    ret;
}
";

/// The functions that calls through pointers choose from, besides `twist`; a kernel that makes such calls has them.
const INDIRECT_CALLEES: &str = "\
.func (.param .b32 result) bend(.param .b32 a, .param .b32 b)
{
    .reg .b32 %x<4>;
    .reg .pred %q;
    ld.param.b32 %x0, [a];
    ld.param.b32 %x1, [b];
    mov.u32 %x2, 0;
Again:
    add.u32 %x2, %x2, %x0;
    sub.u32 %x1, %x1, 1;
    and.b32 %x3, %x1, 3;
    setp.ne.u32 %q, %x3, 0;
    @%q bra Again;
    st.param.b32 [result], %x2;
    ret;
}
.func (.param .b32 result) pull(.param .b32 a, .param .b32 b)
{
    .reg .b32 %x<4>;
    .reg .pred %q;
    ld.param.b32 %x0, [a];
    ld.param.b32 %x1, [b];
    sub.u32 %x2, %x0, %x1;
    setp.eq.u32 %q, %x2, 0x9e3779b9;
    @%q trap;
    st.param.b32 [result], %x2;
    ret;
}
";

/// The beginning of a call through a pointer.
pub(super) const INDIRECT_CALL: &str = "    call (pr), %a0, ";

const ENTRY: &str = "\
.visible .entry kernel(.param .u64 in, .param .u64 out, .param .u64 scratch, .param .u64 words, .param .u32 u0,
    .param .u64 u1, .param .f32 u2, .param .u32 total)
{
    .local .align 16 .b8 local[64];
    .shared .align 16 .b8 shared[32768];
";

const SETUP: &str = "
    .reg .b32 %t<8>;
    .reg .b64 %a<8>;
    .reg .b64 %in, %out, %scratch, %words;
    .reg .b32 %id, %linear, %zero, %alive, %total, %own;
    .reg .pred %again, %gone;
    mov.u32 %zero, 0;
    mov.u32 %linear, %tid.z;
    mov.u32 %t0, %ntid.y;
    mov.u32 %t1, %tid.y;
    mad.lo.u32 %linear, %linear, %t0, %t1;
    mov.u32 %t0, %ntid.x;
    mov.u32 %t1, %tid.x;
    mad.lo.u32 %linear, %linear, %t0, %t1;
    mov.u32 %t1, %ntid.y;
    mul.lo.u32 %t0, %t0, %t1;
    mov.u32 %t1, %ntid.z;
    mul.lo.u32 %t0, %t0, %t1;
    mov.u32 %t1, %ctaid.x;
    mad.lo.u32 %id, %t0, %t1, %linear;
    ld.param.u64 %in, [in];
    ld.param.u64 %out, [out];
    ld.param.u64 %words, [words];
    ld.param.u64 %scratch, [scratch];
    ld.param.u32 %total, [total];
    mad.wide.u32 %scratch, %id, 64, %scratch;
    mov.u32 %own, shared;
    mad.lo.u32 %own, %linear, 64, %own;
    activemask.b32 %alive;
    mov.u32 %t0, shared;
    st.shared.b64 [%t0+32760], 0;
    st.shared.v2.b64 [%own], {%scratch, %scratch};
";
