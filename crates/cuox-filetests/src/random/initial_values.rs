//! The first statements of random kernels: values to begin with.

use super::generate::{Generator, OWN, RegisterPool, Rules, bits, index};
use super::kernel::{Stmt, is_own_store};
use std::fmt::Write as _;

impl Generator {
    /// The first statements of every kernel: values of every kind, of all shapes, and memory with something in it.
    pub(super) fn start(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        let inputs = ['h', 'r', 'r', 'd', 'f', 'f', 'e', 'r', 'd', 'e'];
        for (n, kind) in inputs.into_iter().enumerate() {
            let (reg, size) = (self.fresh(kind), bits(kind) / 8);
            // One word a thread, each input by itself; every other one side by side.
            let stride = if n % 2 == 0 { size } else { 8 };
            let mut t = format!(
                "    mul.wide.u32 %a0, %total, {};\n    add.u64 %a0, %a0, %in;\n",
                8 * n
            );
            let _ = writeln!(t, "    mad.wide.u32 %a0, %id, {stride}, %a0;");
            let _ = writeln!(t, "    ld.global.{} {reg}, [%a0];", is_own_store(kind));
            body.push(Stmt::Lines(t, vec![(kind, reg.clone())]));
            self.varying.0[index(kind)].push(reg);
        }
        // And one from the last thread's to the first's.
        let reg = self.fresh('r');
        let mut t = String::from("    sub.u32 %t0, %total, %id;\n    sub.u32 %t0, %t0, 1;\n");
        let _ = writeln!(t, "    mad.wide.u32 %a0, %t0, 8, %in;");
        let _ = writeln!(t, "    ld.global.b32 {reg}, [%a0+4];");
        body.push(Stmt::Lines(t, vec![('r', reg.clone())]));
        self.varying.0[index('r')].push(reg);
        let line = |body: &mut Vec<Stmt>,
                    pool: &mut RegisterPool,
                    kind: char,
                    reg: String,
                    text: String| {
            body.push(Stmt::Lines(text, vec![(kind, reg.clone())]));
            pool.0[index(kind)].push(reg);
        };
        let mut uniform = std::mem::take(&mut self.uniform);
        for (kind, text) in [
            ('r', "ld.param.u32 %, [u0]"),
            ('d', "ld.param.u64 %, [u1]"),
            ('f', "ld.param.f32 %, [u2]"),
            ('r', "mov.u32 %, %ntid.x"),
            ('h', "ld.param.u16 %, [u0]"),
            ('e', "ld.param.f64 %, [u1]"),
            ('p', "setp.lt.u32 %, %total, 64"),
        ] {
            let reg = self.fresh(kind);
            let text = format!("    {};\n", text.replacen('%', &reg, 1));
            line(&mut body, &mut uniform, kind, reg, text);
        }
        self.uniform = uniform;
        let mut varying = std::mem::take(&mut self.varying);
        for (kind, text) in [
            ('r', "mov.u32 %, %tid.x"),
            ('r', "mov.u32 %, %laneid"),
            ('r', "mov.u32 %, %tid.y"),
            ('r', "shl.b32 %, %id, 3"),
            ('d', "mul.wide.u32 %, %id, 4"),
            ('r', "mov.u32 %, %lanemask_lt"),
            // Values that step from lane to lane, and wrap on the way, or run backwards.
            ('r', "add.u32 %, %linear, 0x7ffffff0"),
            ('r', "add.u32 %, %linear, -16"),
            ('r', "sub.u32 %, 21, %linear"),
            ('r', "mul.lo.u32 %, %linear, 0x08000001"),
            ('d', "mul.wide.s32 %, %linear, -12"),
            ('d', "mad.wide.u32 %, %linear, 8, 0x7fffffffffffff80"),
            ('p', "setp.lt.u32 %, %linear, 17"),
            ('p', "setp.gt.s32 %, %r0, %r1"),
        ] {
            let reg = self.fresh(kind);
            let text = format!("    {};\n", text.replacen('%', &reg, 1));
            line(&mut body, &mut varying, kind, reg, text);
        }
        self.varying = varying;
        if self.rules == Rules::Engines {
            self.start_rows(&mut body);
        }
        for text in ["setp.lt.u32 %, %linear, 32", "setp.ge.u32 %, %linear, 64"] {
            let reg = self.fresh('p');
            let text = format!("    {};\n", text.replacen('%', &reg, 1));
            body.push(Stmt::Lines(text, vec![('p', reg.clone())]));
            self.of_warps.push(reg);
        }
        let reg = self.fresh('p');
        let text = format!("    and.b32 %t0, %linear, 32;\n    setp.ne.u32 {reg}, %t0, 0;\n");
        body.push(Stmt::Lines(text, vec![('p', reg.clone())]));
        self.of_warps.push(reg);
        let mut fill = String::new();
        for n in 0..OWN / 8 {
            let _ = writeln!(fill, "    st.local.b64 [local+{}], %d{};", 8 * n, n % 2);
            let _ = writeln!(fill, "    st.shared.b64 [%own+{}], %d{};", 8 * n, n % 2);
        }
        body.push(Stmt::Lines(fill, Vec::new()));
        body
    }

    /// Values that are the same in all threads of a row of the block.
    fn start_rows(&mut self, body: &mut Vec<Stmt>) {
        let y = self.fresh('r');
        let lines = format!("    mov.u32 {y}, %tid.y;\n");
        body.push(Stmt::Lines(lines, vec![('r', y.clone())]));
        self.in_rows = true;
        self.know(vec![('r', y.clone())], false);
        for (kind, op, rest) in [
            ('f', "cvt.rn.f32.u32", ""),
            ('e', "cvt.rn.f64.u32", ""),
            ('h', "cvt.u16.u32", ""),
            ('d', "mul.wide.u32", ", 12"),
            ('p', "setp.lt.u32", ", 2"),
        ] {
            let reg = self.fresh(kind);
            let lines = format!("    {op} {reg}, {y}{rest};\n");
            body.push(Stmt::Lines(lines, vec![(kind, reg.clone())]));
            self.know(vec![(kind, reg)], false);
        }
        self.in_rows = false;
    }
}
