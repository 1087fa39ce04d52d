//! Bad modules and exactly what is said about them.

fn refuse(text: &str) -> String {
    match cuox_ptx::parse(text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(d) => d.to_string(),
    }
}

/// The diagnostics for one statement in a kernel; it stands on line 3.
fn refuse_statement(statement: &str) -> String {
    refuse(&format!(
        ".version 9.0 .target sm_90 .entry k() {{\n.reg .b32 %r<4>; .reg .b64 %rd<4>; L:\n{{ {statement} }}}}"
    ))
}

#[test]
fn unknown_instruction() {
    assert_eq!(
        refuse(
            ".version 9.0\n.target sm_90\n.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n\tadd.s32 %r1, %r2, 1;\n\tmvo.u32 \t%r1, %tid.x;\n\tret;\n}\n"
        ),
        "\
ptx:7:2: error[E-instruction]: unknown instruction `mvo`
  |  mvo.u32  %r1, %tid.x;
  |  ^^^
  = did you mean `mov`?"
    );
}

#[test]
fn unknown_modifier() {
    assert_eq!(
        refuse_statement("add.foo.s32 %r1, %r2, %r3;"),
        "\
ptx:3:6: error[E-modifier]: `add` takes no modifier `.foo`
  | { add.foo.s32 %r1, %r2, %r3; }}
  |      ^^^^"
    );
}

#[test]
fn modifiers_that_do_not_go_together() {
    assert_eq!(
        refuse_statement("add.ftz.s32 %r1, %r2, %r3;"),
        "\
ptx:3:10: error[E-modifier]: `.s32` may not follow `add.ftz`
  | { add.ftz.s32 %r1, %r2, %r3; }}
  |          ^^^^"
    );
    assert_eq!(
        refuse_statement("mul.u32 %r1, %r2, %r3;"),
        "\
ptx:3:3: error[E-modifier]: `mul.u32` needs one of `.hi`, `.lo`
  | { mul.u32 %r1, %r2, %r3; }}
  |   ^^^^^^^"
    );
}

#[test]
fn operands_by_number_and_class() {
    assert_eq!(
        refuse_statement("add.s32 %r1, %r2;"),
        "\
ptx:3:3: error[E-operand]: `add.s32` takes 3 operands, not 2
  | { add.s32 %r1, %r2; }}
  |   ^^^^^^^"
    );
    assert_eq!(
        refuse_statement("ld.global.u32 %r1, %rd2;"),
        "\
ptx:3:22: error[E-operand]: operand 2 of `ld.global.u32` must be an address in brackets
  | { ld.global.u32 %r1, %rd2; }}
  |                      ^^^^"
    );
    assert_eq!(
        refuse_statement("neg.s32 %r1, %r2, %r3;"),
        "\
ptx:3:21: error[E-operand]: `neg.s32` takes 2 operands, not 3
  | { neg.s32 %r1, %r2, %r3; }}
  |                     ^^^"
    );
}

#[test]
fn several_errors_in_one_go() {
    assert_eq!(
        refuse_statement("ad.s32 %r1, %r2, %r3;\n sub.s32 %r1, , %r3;\n bra L\n ret;"),
        "\
ptx:3:3: error[E-instruction]: unknown instruction `ad`
  | { ad.s32 %r1, %r2, %r3;
  |   ^^
  = did you mean `add`?
ptx:4:15: error[E-syntax]: expected an operand, found `,`
  |  sub.s32 %r1, , %r3;
  |               ^
ptx:6:2: error[E-syntax]: expected `;`, found `ret`
  |  ret; }}
  |  ^^^"
    );
}

#[test]
fn ends_too_early() {
    assert_eq!(
        refuse(".version 9.0\n.target sm_90\n.entry k() {\n ret;\n"),
        "\
ptx:5:1: error[E-syntax]: a `}` is missing at the end
  | 
  | ^
ptx:3:12: note: this `{` is not closed
  | .entry k() {
  |            ^"
    );
    assert_eq!(
        refuse(".version 9.0\n.target sm_90\n.entry k() {\n ret;\n.entry j() { ret; }"),
        "\
ptx:5:1: error[E-syntax]: a function may not start inside another
  | .entry j() { ret; }
  | ^^^^^^
ptx:3:12: note: this `{` is not closed
  | .entry k() {
  |            ^"
    );
}

#[test]
fn heads() {
    assert_eq!(
        refuse(".target sm_90\n"),
        "ptx:1:1: error[E-head]: a module begins with `.version`\n  | .target sm_90\n  | ^^^^^^^"
    );
    assert_eq!(
        refuse(".version 9.0\n.target sm_90\n.address_size 32\n"),
        "\
ptx:3:15: not supported[E-address-size]: 32-bit addresses are not supported
  | .address_size 32
  |               ^^"
    );
    assert_eq!(
        refuse(".version 9.0\n.target sm_90\n.glabal .u32 x;"),
        "\
ptx:3:1: error[E-directive]: unknown directive `.glabal`
  | .glabal .u32 x;
  | ^^^^^^^
  = did you mean `.global`?"
    );
    assert!(refuse("").contains("a module begins with `.version`"));
    assert!(refuse("int main() {}").contains("a module begins with `.version`"));
    assert!(refuse(".version 9.0").contains("the module has no `.target`"));
    assert!(refuse(".version 8.9 .target sm_90").contains("unknown PTX ISA version 8.9"));
}

#[test]
fn declarations() {
    for (text, want) in [
        (
            ".global .align 3 .u32 x;",
            "the alignment 3 is not a power of two",
        ),
        (".global .u33 x;", "expected a type, found `.u33`"),
        (".global x;", "expected a type such as `.b32`, found `x`"),
        (
            ".global .b8 x[0x7fffffffffffffff][4];",
            "`x` is larger than any memory",
        ),
        (
            ".global .u32 x = 1/0;",
            "division by zero in a constant expression",
        ),
        (
            ".entry k(.global .u32 x) { ret; }",
            "a parameter lives in `.param` or `.reg`, not `.global`",
        ),
        (
            ".entry k() .maxntid 1,2,3,4 { ret; }",
            "`.maxntid` takes at most three numbers",
        ),
        (
            ".entry k() .fast { ret; }",
            "`.fast` is not a directive of a function",
        ),
        (
            ".section .debug_str { .b8 0",
            "the section `.debug_str` has no end",
        ),
        (
            ".entry k() { mov.u32 %r1, %tid.q; }",
            "`%tid` has no component `.q`",
        ),
        (
            ".entry k() { call 5; }",
            "`call` needs a function or a register",
        ),
    ] {
        let shown = refuse(&format!(".version 9.0\n.target sm_90\n{text}\n"));
        assert!(shown.contains(want), "{text}\n{shown}");
        assert!(shown.starts_with("ptx:3:"), "{text}\n{shown}");
    }
}

#[test]
fn floods_are_cut_off() {
    let text = format!(
        ".version 9.0\n.target sm_90\n.entry k() {{ {} }}",
        "foo; ".repeat(10_000)
    );
    let shown = refuse(&text);
    assert_eq!(shown.matches("unknown instruction `foo`").count(), 32);
}

/// The errors of a body with registers of each kind, a variable in each space and a function.
fn first_message(statement: &str) -> String {
    let text = format!(
        ".version 9.0\n.target sm_90\n.global .b32 g[4]; .shared .b32 s; .const .b32 c;\n\
         .func (.param .b32 r) f(.param .b64 a) {{ st.param.b32 [r], 1; ret; }}\n\
         .entry k(.param .u64 p) {{ .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>;\n\
         .reg .f32 %f<4>; .reg .u32 %u<4>; .reg .v2 .b32 %v; .param .b32 out; .param .b64 in;\n{statement}\n}}"
    );
    match cuox_ptx::parse(&text) {
        Ok(_) => String::new(),
        Err(d) => d.list()[0].message.clone(),
    }
}

#[test]
fn operands_by_type() {
    for accepted in [
        "add.f32 %f1, %r1, 1.5;",
        "add.s32 %r1, %u1, 0x1ffffffff;",
        "and.pred %p1, !%p2, %p3;",
        "mov.b64 %d1, {%r1, %f1};",
        "ld.global.u8 %d1, [g];",
        "cvt.u32.u16 %r1, %r2;",
        "shl.b64 %d1, %d2, %r1;",
        "mul.wide.u16 %r1, %h1, %h2;",
        "mov.u32 %r1, %tid.x;",
        "mov.u32 %r1, s;",
        "atom.global.add.u32 _, [g], 1;",
        "shfl.sync.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;",
        "call (out), f, (in);",
        "mov.b32 %r01, 1;",
    ] {
        assert_eq!(first_message(accepted), "", "{accepted}");
    }
    for (refused, want) in [
        (
            "add.f32 %f1, %u1, %f2;",
            "operand 2 of `add.f32`: `%u1` is a `.u32`, expected a `.f32`",
        ),
        (
            "add.s32 %r1, %f1, 1;",
            "operand 2 of `add.s32`: `%f1` is a `.f32`, expected a `.s32`",
        ),
        (
            "add.s32 %r1, %tid.x, 1;",
            "operand 2 of `add.s32` must be a register or a constant",
        ),
        (
            "add.u64 %d1, %d2, g;",
            "operand 3 of `add.u64` must be a register or a constant",
        ),
        (
            "shl.b64 %d1, %d2, %d3;",
            "operand 3 of `shl.b64`: `%d3` is a `.b64`, expected a `.u32`",
        ),
        (
            "ld.global.b64 %r1, [g];",
            "operand 1 of `ld.global.b64`: `%r1` is a `.b32`, expected a `.b64` or wider",
        ),
        (
            "ld.global.v2.b32 %r1, [g];",
            "operand 1 of `ld.global.v2.b32`: expected 2 registers in braces",
        ),
        (
            "ld.global.v2.b32 {%r1, %r2, %r3}, [g];",
            "operand 1 of `ld.global.v2.b32`: it has 3 parts, expected 2",
        ),
        (
            "mov.b32 %r1, {%r2, %r3};",
            "operand 2 of `mov.b32`: `%r2` is a `.b32`, expected a register of 16 bits",
        ),
        (
            "add.s32 %v, %r1, %r2;",
            "operand 1 of `add.s32`: `%v` is a `.v2 .b32`, expected a `.s32`",
        ),
        (
            "mov.b32 %r1, %v.z;",
            "operand 2 of `mov.b32`: `%v` has no part `.z`",
        ),
        (
            "bar.sync 16;",
            "operand 1 of `bar.sync`: the constant is from 0 to 15",
        ),
        (
            "bar.sync 0, 33;",
            "operand 2 of `bar.sync`: the constant is the threads of whole warps, a multiple of 32",
        ),
        (
            "bfe.u32 %r1, %r2, 256, 1;",
            "operand 3 of `bfe.u32`: the constant is from 0 to 255",
        ),
        (
            "add.s32 _, %r1, %r2;",
            "operand 1 of `add.s32` must be a register",
        ),
        (
            "ld.global.u32 %r1, [%r2];",
            "`%r2` has 32 bits where an address has 64",
        ),
        (
            "ld.global.u32 %r1, [%f2];",
            "`%f2` is a `.f32` register, not an address",
        ),
        (
            "ld.shared.u32 %r1, [g];",
            "`g` is in `.global`; the instruction accesses `.shared`",
        ),
        (
            "ld.u32 %r1, [c];",
            "`c` is in `.const`; the instruction accesses a generic address",
        ),
        (
            "st.param.u32 [p], %r1;",
            "`p` is a parameter, which is only read",
        ),
        (
            "ld.global.u32 %r1, [16];",
            "a constant is an address in `.local` only; elsewhere a register holds it",
        ),
        ("mov.u32 %r1, g;", "32 bits do not hold the address of `g`"),
        (
            "mul.s32.lo %r1, %r2, %r3;",
            "`.lo` stands right behind `mul`",
        ),
        (
            "@%r1 ret;",
            "a guard is a predicate register, and `%r1` is a `.b32` register",
        ),
    ] {
        assert_eq!(first_message(refused), want, "{refused}");
    }
}

#[test]
fn names_and_calls() {
    for (refused, want) in [
        ("mov.b32 %r4, 1;", "`%r4` is not declared"),
        ("ld.global.u32 %r1, [nothing];", "`nothing` is not declared"),
        ("{ .reg .b32 a; } mov.b32 a, 1;", "`a` is not declared"),
        (".reg .f32 %r1;", "`%r1` is declared twice"),
        (".reg .b32 p;", "`p` is declared twice"),
        ("A: A:", "`A` is declared twice"),
        ("{ A: } bra A;", "unknown label `A`"),
        ("bra g;", "unknown label `g`"),
        ("T: .branchtargets A; brx.idx %r1, T;", "unknown label `A`"),
        (
            "A: brx.idx %r1, A;",
            "`brx.idx` takes a table of `.branchtargets`; `A` is a label",
        ),
        ("call nowhere;", "`nowhere` is not declared"),
        ("call g;", "`g` is a variable, not a function"),
        (
            "call (out), f, ();",
            "the function has 1 argument, the call 0",
        ),
        ("call f, (in);", "the function has 1 result, the call 0"),
        (
            "call (out), f, (out);",
            "argument 1 of the call: `out` has 4 bytes, the parameter 8",
        ),
        (
            "call (out), f, (%r1);",
            "argument 1 of the call: `%r1` is a `.b32` register, the parameter has 8 bytes",
        ),
        (
            "call %d1;",
            "a call through `%d1` needs a prototype or a table of targets",
        ),
        (".reg .v4 .b64 w;", "`w`: a vector has at most 128 bits"),
        (
            ".reg .bf16x2 w;",
            "`w`: `.bf16x2` is a type of instructions, not of variables",
        ),
        (
            ".shared .b32 w = 1;",
            "`w`: a variable in `.shared` has no initial value",
        ),
        (
            ".local .b8 w[];",
            "`w`: an array needs its size, unless it is `.extern`",
        ),
        (
            ".global .b8 w[2] = {1, 2, 3};",
            "`w`: 3 initial values for 2 elements",
        ),
        (
            ".global .f32 w = 1;",
            "`w`: an integer is not a value of `.f32`",
        ),
    ] {
        assert_eq!(first_message(refused), want, "{refused}");
    }
    // Once a declaration could not be read, names may only look undeclared.
    let lost = first_message(".reg .u33 %z; mov.b32 %z, 1;");
    assert_eq!(lost, "expected a type, found `.u33`");
}

#[test]
fn kernels_and_modules() {
    for (text, want) in [
        (".entry k() .maxntid 0 { ret; }", "are at least 1"),
        (
            ".entry k() .maxntid 64 .reqntid 64 { ret; }",
            "do not go together",
        ),
        (
            ".entry k() .blocksareclusters { ret; }",
            "`.blocksareclusters` needs",
        ),
        (
            ".entry k() .noreturn { ret; }",
            "an `.entry` takes no `.noreturn`",
        ),
        (
            ".func k() .maxntid 64 { ret; }",
            "a `.func` takes no `.maxntid`",
        ),
        (
            ".entry k(.param .b8 p[32765]) { ret; }",
            "`k` has 32765 bytes of parameters; 32764 is the most",
        ),
        (
            ".entry k(.reg .b32 p) { ret; }",
            "a kernel's parameter lives in `.param`",
        ),
        (
            ".reg .b32 r;",
            "a variable of `.reg` belongs into a function",
        ),
        (".global .b32 x; .global .b64 x;", "`x` is declared twice"),
        (
            ".func f(.param .b32 a); .func f(.param .b64 a) { ret; }",
            "`f` is declared with other parameters",
        ),
        (
            ".shared .texref t;",
            "textures, samplers and surfaces are declared in `.global`",
        ),
    ] {
        let shown = refuse(&format!(".version 9.0\n.target sm_90\n{text}\n"));
        assert!(shown.contains(want), "{text}\n{shown}");
    }
    let twice = ".version 9.0\n.target sm_90\n.extern .global .b32 x; .visible .global .b32 x; .extern .global .b32 x;";
    assert!(cuox_ptx::parse(twice).is_ok());
}
