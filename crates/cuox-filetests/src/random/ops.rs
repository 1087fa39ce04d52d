//! The instructions that random kernels are made of.

/// An instruction: its name, and the register kinds of its result and operands.
///
/// Kinds: `h` b16, `r` b32, `d` b64, `f` f32, `e` f64, `p` predicate; `i` is a b32 operand that may be any small
/// number, such as a shift's amount.
#[derive(Clone, Debug)]
pub struct Template {
    /// With its modifiers.
    pub name: String,
    /// The result's kind; two for `p|q`.
    pub dst: &'static str,
    /// The operands' kinds.
    pub src: &'static str,
    /// The text behind the operands.
    pub tail: String,
}

fn kind(bits: u32) -> &'static str {
    match bits {
        8 | 16 => "h",
        32 => "r",
        _ => "d",
    }
}

fn repeat(kind: &str, n: usize) -> &'static str {
    let all = ["hhh", "rrr", "ddd", "fff", "eee", "ppp"];
    all.iter()
        .find(|a| a.starts_with(kind))
        .map_or("", |a| &a[..n])
}

/// The instructions whose results the manual defines, with the approximate functions if `approximate`.
///
/// A recording of random kernels (`recorded.rs`) is of the kernels that this list makes.
pub fn defined(approximate: bool) -> Vec<Template> {
    let mut list = all();
    list.retain(|t| approximate || !t.name.contains(".approx") && !t.name.contains(".full"));
    for template in &mut list {
        // Without a rounding modifier a product and a sum may become one operation.
        let (op, rest) = template.name.split_once('.').unwrap_or(("", ""));
        let half = rest.ends_with("f16") || rest.ends_with("f16x2");
        if half && matches!(op, "add" | "sub" | "mul") {
            template.name = format!("{op}.rn.{rest}");
        }
    }
    list
}

/// Every instruction in use.
pub fn all() -> Vec<Template> {
    let mut list = Vec::new();
    integers(&mut list);
    bits(&mut list);
    floats(&mut list);
    halves(&mut list);
    conversions(&mut list);
    comparisons(&mut list);
    list
}

fn add(list: &mut Vec<Template>, name: impl Into<String>, dst: &'static str, src: &'static str) {
    list.push(Template {
        name: name.into(),
        dst,
        src,
        tail: String::new(),
    });
}

fn integers(list: &mut Vec<Template>) {
    for bits in [16, 32, 64] {
        let k = kind(bits);
        for sign in ["s", "u"] {
            for op in ["add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"] {
                add(list, format!("{op}.{sign}{bits}"), k, repeat(k, 2));
            }
            add(list, format!("mad.lo.{sign}{bits}"), k, repeat(k, 3));
            if bits > 16 {
                add(list, format!("mad.hi.{sign}{bits}"), k, repeat(k, 3));
            }
            add(list, format!("sad.{sign}{bits}"), k, repeat(k, 3));
            let (wide, narrow) = (kind(2 * bits), repeat(k, 2));
            if bits < 64 {
                add(list, format!("mul.wide.{sign}{bits}"), wide, narrow);
                add(
                    list,
                    format!("mad.wide.{sign}{bits}"),
                    wide,
                    if bits == 16 { "hhr" } else { "rrd" },
                );
            }
            let shift = if bits == 16 {
                "hi"
            } else if bits == 32 {
                "ri"
            } else {
                "di"
            };
            add(list, format!("shr.{sign}{bits}"), k, shift);
        }
        for op in ["neg.s", "abs.s", "not.b", "cnot.b"] {
            add(list, format!("{op}{bits}"), k, k);
        }
        for op in ["and", "or", "xor"] {
            add(list, format!("{op}.b{bits}"), k, repeat(k, 2));
        }
        add(
            list,
            format!("shl.b{bits}"),
            k,
            if bits == 16 {
                "hi"
            } else if bits == 32 {
                "ri"
            } else {
                "di"
            },
        );
    }
    for op in [
        "add.sat.s32",
        "sub.sat.s32",
        "mul24.lo.s32",
        "mul24.hi.u32",
        "mul24.lo.u32",
        "mul24.hi.s32",
    ] {
        add(list, op, "r", "rr");
    }
    for op in ["mad24.lo.s32", "mad24.hi.u32", "mad.hi.sat.s32"] {
        add(list, op, "r", "rrr");
    }
}

fn bits(list: &mut Vec<Template>) {
    for bits in [32, 64] {
        let k = kind(bits);
        for op in [
            "popc.b",
            "clz.b",
            "bfind.u",
            "bfind.s",
            "bfind.shiftamt.u",
            "bfind.shiftamt.s",
        ] {
            add(list, format!("{op}{bits}"), "r", k);
        }
        add(list, format!("brev.b{bits}"), k, k);
        for sign in ["s", "u"] {
            add(
                list,
                format!("bfe.{sign}{bits}"),
                k,
                if bits == 32 { "rii" } else { "dii" },
            );
        }
        add(
            list,
            format!("bfi.b{bits}"),
            k,
            if bits == 32 { "rrii" } else { "ddii" },
        );
    }
    for mode in ["", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"] {
        add(list, format!("prmt.b32{mode}"), "r", "rrr");
    }
    for table in ["0x96", "0xe8", "0x1b", "0x80"] {
        list.push(Template {
            name: "lop3.b32".into(),
            dst: "r",
            src: "rrr",
            tail: format!(", {table}"),
        });
    }
    for op in ["shf.l.wrap", "shf.l.clamp", "shf.r.wrap", "shf.r.clamp"] {
        add(list, format!("{op}.b32"), "r", "rri");
    }
    for op in [
        "dp4a.u32.u32",
        "dp4a.s32.u32",
        "dp4a.s32.s32",
        "dp2a.lo.s32.s32",
        "dp2a.hi.u32.s32",
    ] {
        add(list, op, "r", "rrr");
    }
    for op in [
        "szext.wrap.s32",
        "szext.clamp.u32",
        "bmsk.clamp.b32",
        "bmsk.wrap.b32",
    ] {
        add(list, op, "r", "ri");
    }
    add(list, "fns.b32", "r", "rii");
}

fn floats(list: &mut Vec<Template>) {
    for round in ["rn", "rz", "rm", "rp"] {
        for ftz in ["", ".ftz"] {
            for sat in ["", ".sat"] {
                for op in ["add", "sub", "mul"] {
                    add(list, format!("{op}.{round}{ftz}{sat}.f32"), "f", "ff");
                }
                add(list, format!("fma.{round}{ftz}{sat}.f32"), "f", "fff");
            }
            add(list, format!("div.{round}{ftz}.f32"), "f", "ff");
            add(list, format!("sqrt.{round}{ftz}.f32"), "f", "f");
            add(list, format!("rcp.{round}{ftz}.f32"), "f", "f");
        }
        for op in ["add", "sub", "mul", "div"] {
            add(list, format!("{op}.{round}.f64"), "e", "ee");
        }
        add(list, format!("fma.{round}.f64"), "e", "eee");
        add(list, format!("sqrt.{round}.f64"), "e", "e");
        add(list, format!("rcp.{round}.f64"), "e", "e");
    }
    for ftz in ["", ".ftz"] {
        for op in ["min", "max"] {
            add(list, format!("{op}{ftz}.f32"), "f", "ff");
            add(list, format!("{op}{ftz}.NaN.f32"), "f", "ff");
        }
        for op in ["neg", "abs"] {
            add(list, format!("{op}{ftz}.f32"), "f", "f");
        }
        for op in ["rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"] {
            add(list, format!("{op}.approx{ftz}.f32"), "f", "f");
        }
        for op in ["div.approx", "div.full"] {
            add(list, format!("{op}{ftz}.f32"), "f", "ff");
        }
    }
    add(list, "tanh.approx.f32", "f", "f");
    for op in ["min", "max"] {
        add(list, format!("{op}.f64"), "e", "ee");
    }
    for (ty, k) in [("f32", "f"), ("f64", "e")] {
        add(list, format!("copysign.{ty}"), k, repeat(k, 2));
        for class in [
            "finite",
            "infinite",
            "number",
            "notanumber",
            "normal",
            "subnormal",
        ] {
            add(list, format!("testp.{class}.{ty}"), "p", k);
        }
    }
    add(list, "neg.f64", "e", "e");
    add(list, "abs.f64", "e", "e");
}

fn halves(list: &mut Vec<Template>) {
    for op in [
        "add.f16",
        "sub.f16",
        "mul.f16",
        "min.f16",
        "max.f16",
        "add.sat.f16",
        "add.ftz.f16",
        "min.NaN.f16",
    ] {
        add(list, op, "h", "hh");
    }
    for op in [
        "add.f16x2",
        "sub.f16x2",
        "mul.f16x2",
        "min.f16x2",
        "max.f16x2",
        "min.bf16x2",
        "max.NaN.bf16x2",
    ] {
        add(list, op, "r", "rr");
    }
    add(list, "fma.rn.f16", "h", "hhh");
    add(list, "fma.rn.bf16", "h", "hhh");
    add(list, "fma.rn.f16x2", "r", "rrr");
    add(list, "fma.rn.bf16x2", "r", "rrr");
    add(list, "neg.f16", "h", "h");
    add(list, "abs.f16", "h", "h");
    add(list, "neg.bf16", "h", "h");
}

fn conversions(list: &mut Vec<Template>) {
    let ints = [
        ("s8", 8),
        ("u8", 8),
        ("s16", 16),
        ("u16", 16),
        ("s32", 32),
        ("u32", 32),
        ("s64", 64),
        ("u64", 64),
    ];
    for (to, to_bits) in ints {
        for (from, from_bits) in ints {
            add(
                list,
                format!("cvt.{to}.{from}"),
                kind(to_bits),
                kind(from_bits),
            );
            // Saturation stands only where something can be lost.
            let wider = match (from.starts_with('s'), to.starts_with('s')) {
                (true, false) => false,
                (false, true) => to_bits > from_bits,
                _ => to_bits >= from_bits,
            };
            if !wider {
                add(
                    list,
                    format!("cvt.sat.{to}.{from}"),
                    kind(to_bits),
                    kind(from_bits),
                );
            }
        }
        for (float, k) in [("f16", "h"), ("f32", "f"), ("f64", "e")] {
            for round in ["rni", "rzi", "rmi", "rpi"] {
                add(list, format!("cvt.{round}.{to}.{float}"), kind(to_bits), k);
            }
            for round in ["rn", "rz", "rm", "rp"] {
                add(list, format!("cvt.{round}.{float}.{to}"), k, kind(to_bits));
            }
        }
        add(list, format!("cvt.rzi.ftz.{to}.f32"), kind(to_bits), "f");
    }
    for round in ["rn", "rz", "rm", "rp"] {
        add(list, format!("cvt.{round}.f32.f64"), "f", "e");
        add(list, format!("cvt.{round}.ftz.f32.f64"), "f", "e");
    }
    for (ty, k) in [("f32", "f"), ("f64", "e")] {
        for round in ["rni", "rzi", "rmi", "rpi"] {
            add(list, format!("cvt.{round}.{ty}.{ty}"), k, k);
        }
        add(list, format!("cvt.sat.{ty}.{ty}"), k, k);
    }
    for (name, dst, src) in [
        ("cvt.rn.f16.f32", "h", "f"),
        ("cvt.rz.f16.f32", "h", "f"),
        ("cvt.rn.f16.f64", "h", "e"),
        ("cvt.rn.bf16.f32", "h", "f"),
        ("cvt.f32.f16", "f", "h"),
        ("cvt.f32.bf16", "f", "h"),
        ("cvt.f64.f16", "e", "h"),
        ("cvt.f64.f32", "e", "f"),
        ("cvt.ftz.f64.f32", "e", "f"),
        ("cvt.rn.f16x2.f32", "r", "ff"),
        ("cvt.rn.relu.bf16x2.f32", "r", "ff"),
        ("cvt.rna.tf32.f32", "r", "f"),
        ("cvt.pack.sat.u16.s32", "r", "rr"),
        ("cvt.pack.sat.s8.s32.b32", "r", "rrr"),
    ] {
        add(list, name, dst, src);
    }
}

fn comparisons(list: &mut Vec<Template>) {
    let ordered = ["eq", "ne", "lt", "le", "gt", "ge"];
    for (bits, k) in [(16, "h"), (32, "r"), (64, "d")] {
        for cmp in ordered {
            add(list, format!("setp.{cmp}.s{bits}"), "p", repeat(k, 2));
        }
        for cmp in ["eq", "ne", "lo", "ls", "hi", "hs"] {
            add(list, format!("setp.{cmp}.u{bits}"), "p", repeat(k, 2));
        }
        add(
            list,
            format!("selp.b{bits}"),
            k,
            if bits == 16 {
                "hhp"
            } else if bits == 32 {
                "rrp"
            } else {
                "ddp"
            },
        );
    }
    let mixed = [("and", "rrp"), ("or", "rrp"), ("xor", "rrp")];
    for (logic, src) in mixed {
        add(list, format!("setp.lt.{logic}.s32"), "p", src);
        add(list, format!("setp.hs.{logic}.u32"), "pp", src);
    }
    add(list, "setp.ge.and.f32", "pp", "ffp");
    for cmp in [
        "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
    ] {
        add(list, format!("setp.{cmp}.f32"), "p", "ff");
        add(list, format!("setp.{cmp}.ftz.f32"), "p", "ff");
        add(list, format!("setp.{cmp}.f64"), "p", "ee");
    }
    add(list, "setp.lt.f16", "p", "hh");
    add(list, "setp.geu.f16", "p", "hh");
    for (name, dst, src) in [
        ("set.lt.u32.s32", "r", "rr"),
        ("set.gtu.f32.f32", "f", "ff"),
        ("set.eq.or.s32.u64", "r", "ddp"),
        ("set.le.u32.f64", "r", "ee"),
        ("slct.b32.s32", "r", "rrr"),
        ("slct.f32.f32", "f", "fff"),
        ("slct.u64.s32", "d", "ddr"),
        ("selp.f32", "f", "ffp"),
        ("selp.f64", "e", "eep"),
        ("and.pred", "p", "pp"),
        ("or.pred", "p", "pp"),
        ("xor.pred", "p", "pp"),
        ("not.pred", "p", "p"),
        ("mov.b16", "h", "h"),
        ("mov.b32", "r", "r"),
        ("mov.b64", "d", "d"),
        ("mov.f32", "f", "f"),
        ("mov.f64", "e", "e"),
        ("mov.pred", "p", "p"),
        ("mov.b32", "r", "f"),
        ("mov.b32", "f", "r"),
        ("mov.b64", "d", "e"),
        ("mov.b64", "e", "d"),
    ] {
        add(list, name, dst, src);
    }
}
