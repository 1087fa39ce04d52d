use super::*;

fn program(body: &str) -> Program {
    let text = format!(".version 8.6\n.target sm_90\n.address_size 64\n{body}");
    match Program::from_ptx(&text) {
        Ok(program) => program,
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn kernels_are_described() {
    let p = program(
        ".visible .entry k(.param .u8 a, .param .align 8 .b8 s[12], .param .u16 b, .param .u64 .ptr .global .align 16 c)
         .maxntid 16, 4 { .shared .align 4 .b8 x[10]; .shared .f64 y; .local .b32 z[3]; ret; }
         .entry other() .reqntid 32 { ret; }",
    );
    assert_eq!(
        p.target(),
        Target {
            ptx: (8, 6),
            sm: 90,
            suffix: None,
        }
    );
    assert_eq!(p.kernels(), ["k", "other"]);
    let k = p.kernel_info("k").expect("a kernel");
    let offsets: Vec<_> = k.params.iter().map(|p| (p.offset, p.size)).collect();
    assert_eq!(offsets, [(0, 1), (8, 12), (20, 2), (24, 8)]);
    assert_eq!(
        (k.param_bytes, k.static_shared, k.local_bytes),
        (32, 24, 12)
    );
    assert_eq!((k.max_threads, k.required_block), (64, None));
    let other = p.kernel_info("other").expect("a kernel");
    assert_eq!(
        (other.max_threads, other.required_block),
        (32, Some([32, 1, 1]))
    );
    assert!(p.kernel_info("nobody").is_none());
}

#[test]
fn shared_memory_of_callees_counts() {
    let p = program(
        ".shared .b32 m[4]; .shared .b32 unused[4];
         .func f() { .shared .b64 s; .reg .b64 %d; mov.u64 %d, m; ret; }
         .entry k() { .shared .b8 b; call f; ret; }
         .entry alone() { ret; }",
    );
    let bytes = |k| p.kernel_info(k).expect("a kernel").static_shared;
    assert_eq!((bytes("k"), bytes("alone")), (32, 0));
}

#[test]
fn initial_values_are_placed() {
    let p = program(
        ".global .align 4 .u32 a = 7; .const .align 8 .f64 f[3] = {1.5, 0d4000000000000000};
         .visible .global .u16 n[2][3] = {{1, 2}, {3}}; .global .b8 z[100];
         .global .u64 pa = a; .global .u64 late = generic(later)+4; .global .u32 later[4];
         .func g() { ret; } .global .u64 pf[2] = {g, pa}; .global .b8 open[] = {1, 2, 3};
         .extern .global .u32 far; .global .attribute(.managed) .u32 mg;
         .entry k() { .global .align 4 .u32 inner = 9; ret; }",
    );
    let addresses: Vec<u64> = (0..p.variables().len() as u64)
        .map(|i| 0x1000 * (i + 1))
        .collect();
    let index = |name: &str| {
        p.variables()
            .iter()
            .position(|v| v.name == name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    let bytes = |name: &str| p.initial_bytes(index(name), &addresses);
    let words = |list: &[u64]| {
        Some(
            list.iter()
                .flat_map(|w| w.to_le_bytes())
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(bytes("a"), Some(vec![7, 0, 0, 0]));
    assert_eq!(bytes("f"), words(&[1.5f64.to_bits(), 2f64.to_bits(), 0]));
    assert_eq!(bytes("n"), Some(vec![1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0]));
    assert_eq!(bytes("z"), None);
    assert_eq!(bytes("pa"), words(&[addresses[index("a")]]));
    assert_eq!(bytes("late"), words(&[addresses[index("later")] + 4]));
    assert_eq!(bytes("pf"), words(&[1, addresses[index("pa")]]));
    assert_eq!(bytes("open"), Some(vec![1, 2, 3]));
    assert_eq!(bytes("inner"), Some(vec![9, 0, 0, 0]));
    let v = |name: &str| &p.variables()[index(name)];
    assert_eq!(
        (v("f").space, v("f").size, v("f").align),
        (VarSpace::Const, 24, 8)
    );
    assert!(v("n").visible && !v("a").visible && v("mg").managed);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |body: &str| {
        let text = format!(".version 8.6\n.target sm_90\n.address_size 64\n{body}");
        Program::from_ptx(&text)
            .err()
            .unwrap_or_else(|| panic!("{body}"))
            .to_string()
    };
    assert!(refused(".global .u64 p = nobody;").contains("`nobody`"));
    assert!(
        refused(".entry k() { .shared .b8 s[1000000]; ret; }").contains("too much shared data")
    );
}

#[test]
fn lines_have_a_place_in_the_source() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .b32 %r<3>;\nmov.u32 %r0, 1;\n.loc 1 7 3\n{\nmov.u32 %r1, 2;\n}\n.loc 2 40 1, function_name $name, inlined_at 1 9 5\nmov.u32 %r2, 3;\nret;\n}\n.entry other() {\nret;\n.loc 1 0 0\nret;\n.loc 2 0 1, function_name $name, inlined_at 1 9 5\nret;\n}\n.file 1 \"a.cu\"\n.file 2 \"dir/b.h\"\n.section .debug_str { $name: .b8 0 }\n";
    let program = Program::from_ptx(text).unwrap_or_else(|e| panic!("{e}"));
    let at = |line| program.source_of(line);
    assert_eq!(at(6), None);
    assert_eq!(at(9).as_deref(), Some("a.cu:7"));
    assert_eq!(at(12).as_deref(), Some("dir/b.h:40, inlined at a.cu:9"));
    assert_eq!(at(16), None, "another function has places of its own");
    assert_eq!(at(18), None, "line 0 is no place");
    assert_eq!(at(20).as_deref(), Some("a.cu:9"));
}
