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
        ".version 9.0\n.target sm_90\n.entry k() {{ {statement} }}"
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
ptx:3:17: error[E-modifier]: `add` takes no modifier `.foo`
  | .entry k() { add.foo.s32 %r1, %r2, %r3; }
  |                 ^^^^"
    );
}

#[test]
fn modifiers_that_do_not_go_together() {
    assert_eq!(
        refuse_statement("add.ftz.s32 %r1, %r2, %r3;"),
        "\
ptx:3:21: error[E-modifier]: `.s32` may not follow `add.ftz`
  | .entry k() { add.ftz.s32 %r1, %r2, %r3; }
  |                     ^^^^"
    );
    assert_eq!(
        refuse_statement("mul.u32 %r1, %r2, %r3;"),
        "\
ptx:3:14: error[E-modifier]: `mul.u32` needs one of `.hi`, `.lo`
  | .entry k() { mul.u32 %r1, %r2, %r3; }
  |              ^^^^^^^"
    );
}

#[test]
fn operands_by_number_and_class() {
    assert_eq!(
        refuse_statement("add.s32 %r1, %r2;"),
        "\
ptx:3:14: error[E-operand]: `add.s32` takes 3 operands, not 2
  | .entry k() { add.s32 %r1, %r2; }
  |              ^^^^^^^"
    );
    assert_eq!(
        refuse_statement("ld.global.u32 %r1, %rd2;"),
        "\
ptx:3:33: error[E-operand]: operand 2 of `ld.global.u32` must be an address in brackets
  | .entry k() { ld.global.u32 %r1, %rd2; }
  |                                 ^^^^"
    );
    assert_eq!(
        refuse_statement("neg.s32 %r1, %r2, %r3;"),
        "\
ptx:3:32: error[E-operand]: `neg.s32` takes 2 operands, not 3
  | .entry k() { neg.s32 %r1, %r2, %r3; }
  |                                ^^^"
    );
}

#[test]
fn several_errors_in_one_go() {
    assert_eq!(
        refuse_statement("ad.s32 %r1, %r2, %r3;\n sub.s32 %r1, , %r3;\n bra L\n ret;"),
        "\
ptx:3:14: error[E-instruction]: unknown instruction `ad`
  | .entry k() { ad.s32 %r1, %r2, %r3;
  |              ^^
  = did you mean `add`?
ptx:4:15: error[E-syntax]: expected an operand, found `,`
  |  sub.s32 %r1, , %r3;
  |               ^
ptx:6:2: error[E-syntax]: expected `;`, found `ret`
  |  ret; }
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
        "ptx:1:1: error[E-head]: the module has no `.version`\n  | .target sm_90\n  | ^"
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
    assert!(refuse("").contains("the module has no `.version`"));
    assert!(refuse("int main() {}").contains("expected a directive, found `int`"));
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
