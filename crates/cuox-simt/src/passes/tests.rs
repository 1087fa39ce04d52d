use crate::ir::{Block, Callee, Function, Inst, IntOp, Op, Operand, Space, Terminator, Ty, Unit};
use crate::program::Program;

fn lower(body: &str) -> Unit {
    let text = format!(".version 8.6\n.target sm_90\n.address_size 64\n{body}");
    let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
    program.lower("k").unwrap_or_else(|e| panic!("{e}"))
}

fn kernel(body: &str) -> Function {
    let regs = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;";
    lower(&format!(
        ".entry k(.param .u64 a, .param .u32 n) {{ {regs} {body} }}"
    ))
    .kernel
}

fn insts(f: &Function) -> impl Iterator<Item = &Inst> {
    f.blocks.iter().flat_map(|b| &b.insts)
}

fn ops(f: &Function) -> Vec<Op> {
    insts(f)
        .filter_map(|i| match i {
            Inst::Op { op, .. } => Some(*op),
            _ => None,
        })
        .collect()
}

#[test]
fn a_multiply_and_add_is_two_operations() {
    let f = kernel(
        "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; mad.lo.s32 %r3, %r1, %r2, 5; ld.param.u64 %d1, [a]; cvta.to.global.u64 %d2, %d1; st.global.u32 [%d2], %r3; ret;",
    );
    assert_eq!(
        ops(&f),
        [Op::Int(IntOp::Mul, Ty::B32), Op::Int(IntOp::Add, Ty::B32)]
    );
    assert_eq!(f.blocks.len(), 1);
    assert!(matches!(f.blocks[0].end, Terminator::Exit));
}

#[test]
fn constant_parts_of_addresses_are_in_the_offset() {
    let f = kernel(
        ".shared .align 4 .b8 pad[64]; .shared .align 4 .b8 s[64]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; mov.u64 %d2, s; add.s64 %d3, %d2, %d1; add.s64 %d4, %d3, 8; st.shared.u32 [%d4+4], %r1; ret;",
    );
    let address = insts(&f).find_map(Inst::address).expect("a store");
    assert_eq!((address.space, address.offset), (Space::Shared, 64 + 8 + 4));
    assert_eq!(ops(&f), [Op::Int(IntOp::MulWideU, Ty::B32)]);
}

#[test]
fn copies_that_stand_for_phis_stay() {
    let f = kernel(
        "mov.u32 %r1, 0; mov.u32 %r2, 7; L: mov.u32 %r3, %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra L; ld.param.u64 %d1, [a]; st.global.u32 [%d1], %r3; ret;",
    );
    // %r3 copies a register that changes before %r3 is read, so it cannot be removed; the constant 7 can.
    let copies = ops(&f).iter().filter(|o| matches!(o, Op::Mov(_))).count();
    assert_eq!(copies, 2, "{:?}", ops(&f));
}

#[test]
fn a_copy_read_before_it_is_made_stays() {
    // In the second iteration %r2 is the first iteration's %r1.
    let f = kernel(
        "mov.u32 %r4, 0; L: st.shared.u32 [%r5], %r2; ld.shared.u32 %r1, [%r5+4]; mov.u32 %r2, %r1; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 3; @%p1 bra L; ret;",
    );
    assert!(ops(&f).contains(&Op::Mov(Ty::B32)));
    let loaded = insts(&f).find_map(|i| match i {
        Inst::Load { dsts, .. } => dsts[0],
        _ => None,
    });
    let stored = insts(&f).find_map(|i| match i {
        Inst::Store { srcs, .. } => srcs[0].reg(),
        _ => None,
    });
    assert_ne!(loaded, stored);
}

#[test]
fn blocks_are_in_reverse_post_order() {
    let f = kernel(
        "ld.param.u32 %r1, [n]; bra M; A: add.u32 %r1, %r1, 1; bra B; M: setp.eq.u32 %p1, %r1, 3; @%p1 bra A; mul.lo.u32 %r1, %r1, 3; B: setp.lt.u32 %p2, %r1, 100; @%p2 bra M; ld.param.u64 %d1, [a]; st.global.u32 [%d1], %r1; ret; D: bra D;",
    );
    let mut back_edges = Vec::new();
    for (b, block) in f.blocks.iter().enumerate() {
        block.end.successors(|s| {
            if s.index() <= b {
                back_edges.push((b, s.index()));
            }
        });
    }
    assert_eq!(back_edges.len(), 1, "{back_edges:?}");
    assert_eq!(f.blocks.len(), 6, "the unreachable loop is gone");
}

#[test]
fn an_endless_loop_stays() {
    let f = kernel("L: bra L;");
    assert!(
        f.blocks
            .iter()
            .any(|b: &Block| matches!(b.end, Terminator::Jump(_)))
    );
}

#[test]
fn call_slots_become_registers() {
    let unit = lower(
        ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
         .entry k(.param .u64 a) { .reg .b32 %r<3>; .reg .b64 %d<3>; mov.u32 %r1, %tid.x;
         { .param .b32 p; st.param.b32 [p], %r1; .param .b32 q; call (q), twice, (p); ld.param.b32 %r2, [q]; }
         ld.param.u64 %d1, [a]; st.global.u32 [%d1], %r2; ret; }",
    );
    assert_eq!(ops(&unit.kernel), [Op::Int(IntOp::Shl, Ty::B32)]);
    assert!(unit.kernel.slots.is_empty() && unit.functions.is_empty());
    assert_eq!((unit.kernel.local_bytes, unit.kernel.blocks.len()), (0, 1));
}

#[test]
fn frames_of_inlined_functions_do_not_overlap_their_callers() {
    let unit = lower(
        ".func g() { .local .b32 l[4]; st.local.u32 [l], 3; ret; }
         .func f() { .local .b32 l[8]; st.local.u32 [l+4], 2; call g; st.local.u32 [l+8], 2; ret; }
         .entry k() { .local .b32 l[4]; st.local.u32 [l+12], 1; call f; call g; ret; }",
    );
    let places: Vec<_> = insts(&unit.kernel)
        .filter_map(|i| match i {
            Inst::Store { srcs, addr, .. } => Some((srcs[0], addr.offset)),
            _ => None,
        })
        .collect();
    let imm = Operand::Imm;
    assert_eq!(
        places,
        [
            (imm(1), 12),
            (imm(2), 20),
            (imm(3), 48),
            (imm(2), 24),
            (imm(3), 16)
        ]
    );
    assert_eq!(unit.kernel.local_bytes, 64);
}

#[test]
fn recursion_stays_a_call() {
    let unit = lower(
        ".func (.param .b32 r) down(.param .b32 n) { .reg .b32 %r<3>; .reg .pred %p; ld.param.u32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p bra D;
           { .param .b32 a; sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; .param .b32 o; call (o), down, (a); } D: st.param.b32 [r], 1; ret; }
         .func helper() { { .param .b32 a; st.param.b32 [a], 3; .param .b32 o; call (o), down, (a); } ret; }
         .entry k() { call helper; ret; }",
    );
    assert_eq!(unit.functions.len(), 1);
    let calls: Vec<_> = insts(&unit.kernel)
        .filter_map(|i| match i {
            Inst::Call {
                callee,
                args,
                results,
            } => Some((callee.clone(), args.len(), results.len())),
            _ => None,
        })
        .collect();
    assert_eq!(
        calls,
        [(Callee::Direct(crate::ir::FuncId(0)), 1, 1)],
        "the helper is inlined"
    );
    let f = &unit.functions[0];
    assert_eq!((f.params.len(), f.results.len(), f.slots.len()), (1, 1, 4));
    assert!(insts(f).any(|i| {
        i.address()
            .is_some_and(|a| matches!(a.space, Space::Slot(_)))
    }));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the pass `breaks` produced an ill-formed function")]
fn a_pass_that_breaks_a_function_is_named() {
    let mut f = kernel("ret;");
    super::run_pass_on("keeps", crate::verify::Kind::Kernel, &mut f, |_| {});
    let breaks = |f: &mut Function| f.blocks[0].lines.clear();
    super::run_pass_on("breaks", crate::verify::Kind::Kernel, &mut f, breaks);
}

/// Returns a kernel that calls a tree of functions, each of which calls the next twice.
fn call_tree(depth: usize) -> String {
    let call = |n: usize| {
        format!(
            "{{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 o; call (o), f{n}, (a); ld.param.u32 %r1, [o]; }}"
        )
    };
    let mut text = String::from(".version 8.6\n.target sm_90\n.address_size 64\n");
    for n in (0..=depth).rev() {
        let body = match n == depth {
            true => "add.u32 %r1, %r1, 1;".to_owned(),
            false => call(n + 1).repeat(2),
        };
        text += &format!(
            ".func (.param .b32 r) f{n}(.param .b32 x) {{ .reg .b32 %r<2>; ld.param.u32 %r1, [x]; {body} st.param.b32 [r], %r1; ret; }}\n"
        );
    }
    let first = call(0);
    text + &format!(
        ".entry k(.param .u64 p) {{ .reg .b32 %r<2>; .reg .b64 %d; mov.u32 %r1, 0; {first} ld.param.u64 %d, [p]; st.global.u32 [%d], %r1; ret; }}"
    )
}

#[test]
fn calls_that_double_at_each_level_are_refused_or_stay_calls() {
    let lower = |depth| {
        let program = Program::from_ptx(&call_tree(depth)).unwrap_or_else(|e| panic!("{e}"));
        program.lower("k")
    };
    let small = lower(8).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(small.functions.len(), 0);
    let large = lower(24).unwrap_or_else(|e| panic!("{e}"));
    let size = |f: &Function| f.blocks.iter().map(|b| b.insts.len()).sum::<usize>();
    let sizes = large.functions.iter().map(size).sum::<usize>();
    assert!((1..super::MAX_INSTS).contains(&sizes), "{sizes}");
    let refused = lower(60).expect_err("too large").to_string();
    assert!(
        refused.contains("functions that call functions"),
        "{refused}"
    );
}
