//! Hand-built kernels.

use super::testing::*;
use crate::fault::FaultKind;
use crate::ir::*;
use crate::space;

#[test]
fn vector_add() {
    let mut b = Builder::new("add");
    let a = b.element(0);
    let x = b.load(Ty::B32, at(Space::Flat, a, 0));
    let sum = b.int(IntOp::Add, Ty::B32, x, 5);
    b.store(Ty::B32, at(Space::Flat, a, 0), sum);
    b.end(Terminator::Exit);
    let memory = Memory::new();
    let words: Vec<u8> = (0..100u32).flat_map(|i| (i * i).to_le_bytes()).collect();
    memory.write(BUFFER, &words);
    memory.run(&b.unit(), 100, &Printed::default()).unwrap();
    assert_eq!(
        memory.words(100),
        (0..100).map(|i| i * i + 5).collect::<Vec<_>>()
    );
}

#[test]
fn divergence_and_switch() {
    let mut b = Builder::new("f");
    let out = b.f.new_reg(Ty::B32);
    let tid = b.special(Special::Tid(0));
    let index = b.int(IntOp::And, Ty::B32, tid, 3);
    let targets = vec![BlockId(1), BlockId(2), BlockId(1), BlockId(2)];
    b.end(Terminator::switch(index.into(), targets));
    b.assign(out, 7);
    b.jump(3);
    b.assign(out, tid);
    b.jump(3);
    b.out(out);
    b.end(Terminator::Exit);
    assert_eq!(run(&b.unit(), 6), [7, 1, 7, 3, 7, 5]);
}

/// A reduction: the number of adding threads is halved at each step.
#[test]
fn reduction_in_shared_memory() {
    let mut b = Builder::new("reduce");
    let stride = b.f.new_reg(Ty::B32);
    let tid = b.special(Special::Tid(0));
    let own = b.int(IntOp::Shl, Ty::B32, tid, 2);
    b.store(Ty::B32, at(Space::Shared, own, 64), tid);
    b.assign(stride, 128);
    b.barrier(0, None);
    // 1: the loop header.
    let active = b.compare(Cmp::Lt, tid, stride);
    b.branch(active, 2, 3);
    let other = b.int(IntOp::Shl, Ty::B32, stride, 2);
    let theirs = b.int(IntOp::Add, Ty::B32, own, other);
    let x = b.load(Ty::B32, at(Space::Shared, own, 64));
    let y = b.load(Ty::B32, at(Space::Shared, theirs, 64));
    let sum = b.int(IntOp::Add, Ty::B32, x, y);
    b.store(Ty::B32, at(Space::Shared, own, 64), sum);
    b.jump(3);
    let half = b.int(IntOp::ShrU, Ty::B32, stride, 1);
    b.assign(stride, half);
    b.barrier(0, None);
    let more = b.compare(Cmp::Ne, stride, 0);
    b.branch(more, 1, 5);
    let total = b.load(Ty::B32, at(Space::Shared, 64, 0));
    b.out(total);
    b.end(Terminator::Exit);
    assert_eq!(run(&b.unit(), 256), [255 * 256 / 2; 256]);
}

#[test]
fn shuffle_sum_and_redux() {
    let mut b = Builder::new("shuffle");
    let v = b.special(Special::LaneId);
    let sum = b.f.new_reg(Ty::B32);
    b.assign(sum, v);
    for by in [16, 8, 4, 2, 1] {
        let other = b.f.new_reg(Ty::B32);
        b.warp(
            WarpOp::Shuffle(Shuffle::Butterfly),
            u64::from(u32::MAX),
            &[sum.into(), imm(by), imm(31)],
            [Some(other), None],
        );
        let next = b.int(IntOp::Add, Ty::B32, sum, other);
        b.assign(sum, next);
    }
    let total = b.f.new_reg(Ty::B32);
    b.warp(
        WarpOp::Redux(Redux::Add),
        u64::from(u32::MAX),
        &[sum.into()],
        [Some(total), None],
    );
    b.out(total);
    b.end(Terminator::Exit);
    let out = run(&b.unit(), 32);
    assert_eq!(out, [496 * 32; 32]);
}

/// Odd and even lanes vote at different instructions with different masks; `activemask` returns each group by itself.
#[test]
fn masks_of_divergent_lanes() {
    let mut b = Builder::new("masks");
    let out = b.f.new_reg(Ty::B32);
    let lane = b.special(Special::LaneId);
    let odd = b.int(IntOp::And, Ty::B32, lane, 1);
    let p = b.compare(Cmp::Ne, odd, 0);
    b.branch(p, 1, 2);
    b.warp(
        WarpOp::Redux(Redux::MaxU),
        0xaaaa_aaaa,
        &[lane.into()],
        [Some(out), None],
    );
    b.f.blocks[1].end = match b.f.blocks[1].end.clone() {
        Terminator::Warp {
            op,
            mask,
            args,
            dsts,
            ..
        } => Terminator::Warp {
            op,
            mask,
            args,
            dsts,
            next: BlockId(3),
        },
        other => other,
    };
    b.warp(
        WarpOp::ActiveMask,
        u64::from(u32::MAX),
        &[],
        [Some(out), None],
    );
    b.warp(WarpOp::Sync, u64::from(u32::MAX), &[], [None, None]);
    b.out(out);
    b.end(Terminator::Exit);
    let out = run(&b.unit(), 32);
    assert_eq!(
        (out[0], out[1], out[30], out[31]),
        (0x5555_5555, 31, 0x5555_5555, 31)
    );
}

/// A lane takes the lock, adds, and releases it; the other lanes spin.
#[test]
fn spin_lock() {
    let mut b = Builder::new("lock");
    let lock = b.load(Ty::B64, at(Space::Param, 0, 0));
    b.jump(1);
    let old = b.f.new_reg(Ty::B32);
    b.insts.push(Inst::Atomic {
        dst: Some(old),
        op: AtomOp::Cas,
        num: Num::U(Ty::B32),
        packed: false,
        addr: at(Space::Flat, lock, 0),
        args: Args::new(&[imm(0), imm(1)]),
        order: Order::Acquire,
    });
    let taken = b.compare(Cmp::Ne, old, 0);
    b.branch(taken, 1, 2);
    let i = b.f.new_reg(Ty::B32);
    b.assign(i, 0);
    b.jump(3);
    // Long enough for the slice to end while the lock is held.
    let v = b.load(Ty::B32, at(Space::Flat, lock, 4));
    let more = b.int(IntOp::Add, Ty::B32, v, 1);
    b.store(Ty::B32, at(Space::Flat, lock, 4), more);
    let next = b.int(IntOp::Add, Ty::B32, i, 1);
    b.assign(i, next);
    let again = b.compare(Cmp::Lt, next, 300);
    b.branch(again, 3, 4);
    b.store(Ty::B32, at(Space::Flat, lock, 0), 0);
    b.end(Terminator::Exit);
    assert_eq!(run(&b.unit(), 40)[..2], [0, 300 * 40]);
}

#[test]
fn a_block_that_waits_for_another_yields() {
    let mut b = Builder::new("wait");
    let flag = b.load(Ty::B64, at(Space::Param, 0, 0));
    b.jump(1);
    let v = b.load(Ty::B32, at(Space::Flat, flag, 0));
    let zero = b.compare(Cmp::Eq, v, 0);
    b.branch(zero, 1, 2);
    b.end(Terminator::Exit);
    let f = fault(&b.unit(), 2);
    assert_eq!(
        f.kind,
        FaultKind::Cancelled,
        "2000 yields, then the test cancels"
    );
}

/// `fact(n) = n < 2 ? 1 : n * fact(n - 1)`, directly or through a pointer, with a local variable in every frame.
fn factorial(indirect: bool, n: u64) -> Unit {
    let slots = |b: &mut Builder| {
        b.f.slots = vec![Slot { size: 4, align: 4 }; 4];
    };
    let call = |b: &mut Builder, from: u32, to: u32| {
        let callee = if indirect {
            let handle = b.f.new_reg(Ty::B64);
            b.insts.push(Inst::FunctionAddress {
                dst: handle,
                func: FuncId(0),
            });
            Callee::Indirect(handle.into())
        } else {
            Callee::Direct(FuncId(0))
        };
        b.insts.push(Inst::Call {
            callee,
            args: vec![from],
            results: vec![to],
        });
    };
    let mut k = Builder::new("kernel");
    slots(&mut k);
    k.store(Ty::B32, at(Space::Slot(2), 0, 0), n);
    call(&mut k, 2, 3);
    let v = k.load(Ty::B32, at(Space::Slot(3), 0, 0));
    k.out(v);
    k.end(Terminator::Exit);
    let mut f = Builder::new("fact");
    slots(&mut f);
    f.f.params = vec![0];
    f.f.results = vec![1];
    f.f.local_bytes = 16;
    let n = f.load(Ty::B32, at(Space::Slot(0), 0, 0));
    f.store(Ty::B32, at(Space::Local, 0, 8), n);
    let base = f.compare(Cmp::Lt, n, 2);
    f.branch(base, 1, 2);
    f.store(Ty::B32, at(Space::Slot(1), 0, 0), 1);
    f.end(Terminator::Return);
    let less = f.int(IntOp::Sub, Ty::B32, n, 1);
    f.store(Ty::B32, at(Space::Slot(2), 0, 0), less);
    call(&mut f, 2, 3);
    let rest = f.load(Ty::B32, at(Space::Slot(3), 0, 0));
    // The generic address of the local variable, as `cvta` computes it.
    let local = f.special(Special::LocalBase);
    let saved = f.load(Ty::B32, at(Space::Flat, local, 8));
    let product = f.int(IntOp::Mul, Ty::B32, rest, saved);
    f.store(Ty::B32, at(Space::Slot(1), 0, 0), product);
    f.end(Terminator::Return);
    let mut unit = k.unit();
    unit.functions.push(f.f);
    unit
}

#[test]
fn recursion() {
    for indirect in [false, true] {
        assert_eq!(run(&factorial(indirect, 10), 3), [3_628_800; 3]);
        let f = fault(&factorial(indirect, 1000), 3);
        assert_eq!(f.kind, FaultKind::StackOverflow, "{f}");
    }
}

#[test]
fn bad_function_pointer() {
    let mut b = Builder::new("f");
    b.insts.push(Inst::Call {
        callee: Callee::Indirect(imm(77)),
        args: vec![],
        results: vec![],
    });
    b.end(Terminator::Exit);
    assert_eq!(fault(&b.unit(), 1).kind, FaultKind::IllegalInstruction);
}

#[test]
fn bad_addresses() {
    let store = |address: Address| {
        let mut b = Builder::new("store");
        b.insts.push(Inst::Fence(Order::Relaxed));
        b.store(Ty::B32, address, 1);
        b.end(Terminator::Exit);
        fault(&b.unit(), 1)
    };
    let f = store(at(Space::Flat, 0, 0));
    assert_eq!(
        f.to_string(),
        "invalid write of 4 bytes at address 0x0, block (1, 0, 0), thread (0, 0, 0), PTX line 1"
    );
    assert_eq!(f.kind, FaultKind::IllegalAddress);
    // Reserved, but not accessible.
    let (base, len) = space::range();
    assert_eq!(
        store(at(Space::Flat, base + len - 4096, 0)).kind,
        FaultKind::IllegalAddress
    );
    assert_eq!(
        store(at(Space::Flat, base, 2)).kind,
        FaultKind::MisalignedAddress
    );
    assert_eq!(
        store(at(Space::Shared, 4096, 0)).kind,
        FaultKind::IllegalAddress
    );
    assert_eq!(
        store(at(Space::Shared, 0, -4)).kind,
        FaultKind::IllegalAddress
    );
    assert_eq!(
        store(at(Space::Local, 1020, 2)).kind,
        FaultKind::IllegalAddress
    );
    assert_eq!(
        store(at(Space::Local, 2, 0)).kind,
        FaultKind::MisalignedAddress
    );
    let mut b = Builder::new("load");
    b.load(Ty::B64, at(Space::Param, 0, 64));
    b.end(Terminator::Exit);
    let f = fault(&b.unit(), 1);
    assert_eq!(
        f.message,
        "invalid read of 8 bytes at parameter offset (of 64 bytes) 0x40"
    );
}

#[test]
fn deadlocks() {
    // Thread 0 waits at barrier 3 with a count that is never reached.
    let mut b = Builder::new("dead");
    let tid = b.special(Special::Tid(0));
    let p = b.compare(Cmp::Lt, tid, 32);
    b.branch(p, 1, 2);
    b.barrier(3, Some(64));
    b.end(Terminator::Exit);
    let f = fault(&b.unit(), 96);
    assert_eq!(f.kind, FaultKind::Deadlock);
    assert!(f.message.contains("32 threads wait at barrier 3"), "{f}");
    // Half of a warp waits for the other half, which waits at a barrier.
    let mut b = Builder::new("dead");
    let lane = b.special(Special::LaneId);
    let p = b.compare(Cmp::Lt, lane, 16);
    b.branch(p, 1, 2);
    b.warp(WarpOp::Sync, u64::from(u32::MAX), &[], [None, None]);
    b.barrier(0, None);
    b.end(Terminator::Exit);
    let f = fault(&b.unit(), 32);
    assert!(
        f.message
            .contains("16 threads wait at barrier 0 and 16 threads wait in warp operations"),
        "{f}"
    );
}

/// Early exits count as arrivals, a warp arrives as a whole, and reductions see all predicates.
#[test]
fn barrier_counts() {
    let mut b = Builder::new("early");
    let tid = b.special(Special::Tid(0));
    let leaves = b.compare(Cmp::Ge, tid, 40);
    b.branch(leaves, 1, 2);
    b.end(Terminator::Exit);
    let even = b.int(IntOp::And, Ty::B32, tid, 1);
    let p = b.compare(Cmp::Eq, even, 0);
    let popc = b.f.new_reg(Ty::B32);
    b.end(Terminator::Barrier {
        kind: BarrierKind::Popc,
        id: imm(1),
        count: None,
        pred: Some(p.into()),
        dst: Some(popc),
        next: BlockId(3),
    });
    b.barrier(2, Some(64));
    b.out(popc);
    b.end(Terminator::Exit);
    let out = run(&b.unit(), 48);
    assert_eq!((out[0], out[39], out[40]), (20, 20, 0));
}

/// One warp produces, the other consumes: `bar.arrive` and `bar.sync` on two barriers.
#[test]
fn producer_and_consumer() {
    let mut b = Builder::new("pipe");
    let i = b.f.new_reg(Ty::B32);
    let total = b.f.new_reg(Ty::B32);
    b.assign(i, 0);
    b.assign(total, 0);
    let tid = b.special(Special::Tid(0));
    let lane = b.special(Special::LaneId);
    let own = b.int(IntOp::Shl, Ty::B32, lane, 2);
    let p = b.compare(Cmp::Lt, tid, 32);
    b.branch(p, 1, 4);
    let barrier = |b: &mut Builder, kind, id, next| {
        b.end(Terminator::Barrier {
            kind,
            id: imm(id),
            count: Some(imm(64)),
            pred: None,
            dst: None,
            next: BlockId(next),
        })
    };
    // 1: produce i + lane, signal "full", wait for "empty".
    let v = b.int(IntOp::Add, Ty::B32, i, lane);
    b.store(Ty::B32, at(Space::Shared, own, 0), v);
    barrier(&mut b, BarrierKind::Arrive, 1, 2);
    barrier(&mut b, BarrierKind::Sync, 2, 3);
    let next = b.int(IntOp::Add, Ty::B32, i, 1);
    b.assign(i, next);
    let more = b.compare(Cmp::Lt, i, 50);
    b.branch(more, 1, 7);
    // 4: wait for "full", add, signal "empty".
    barrier(&mut b, BarrierKind::Sync, 1, 5);
    let v = b.load(Ty::B32, at(Space::Shared, own, 0));
    let sum = b.int(IntOp::Add, Ty::B32, total, v);
    b.assign(total, sum);
    let next = b.int(IntOp::Add, Ty::B32, i, 1);
    b.assign(i, next);
    barrier(&mut b, BarrierKind::Arrive, 2, 6);
    let more = b.compare(Cmp::Lt, i, 50);
    b.branch(more, 4, 7);
    b.out(total);
    b.end(Terminator::Exit);
    let out = run(&b.unit(), 64);
    assert_eq!((out[0], out[32], out[63]), (0, 49 * 25, 49 * 25 + 50 * 31));
}

#[test]
fn printf_and_assert() {
    let mut b = Builder::new("print");
    let base = b.load(Ty::B64, at(Space::Param, 0, 0));
    let local = b.special(Special::LocalBase);
    b.store(Ty::B32, at(Space::Local, 0, 0), 42);
    let dst = b.f.new_reg(Ty::B32);
    b.insts.push(Inst::Syscall {
        dst: Some(dst),
        call: Syscall::Printf,
        args: vec![base.into(), local.into()],
    });
    let text = b.int(IntOp::Add, Ty::B64, base, 16);
    b.insts.push(Inst::Syscall {
        dst: None,
        call: Syscall::AssertFail,
        args: vec![text.into(), text.into(), imm(7), text.into(), imm(1)],
    });
    b.end(Terminator::Exit);
    let memory = Memory::new();
    memory.write(BUFFER, b"v = %d\n\0");
    memory.write(BUFFER + 16, b"x\0");
    let host = Printed::default();
    let f = memory.run(&b.unit(), 1, &host).unwrap_err();
    assert_eq!(f.kind, FaultKind::Assert);
    assert_eq!(
        String::from_utf8(host.0.into_inner().unwrap()).unwrap(),
        "v = 42\nx:7: x: block: [1,0,0], thread: [0,0,0] Assertion `x` failed.\n"
    );
}

#[test]
fn wide_registers() {
    let mut b = Builder::new("wide");
    let to = b.load(Ty::B64, at(Space::Param, 0, 0));
    let product = b.op(
        Op::Int(IntOp::MulWideU, Ty::B64),
        &[imm(u64::MAX), imm(u64::MAX)],
    );
    b.store(Ty::B128, at(Space::Flat, to, 0), product);
    let high = b.op(Op::Half128(true), &[product.into()]);
    b.store(Ty::B64, at(Space::Flat, to, 16), high);
    let back = b.load(Ty::B128, at(Space::Flat, to, 0));
    let old = b.f.new_reg(Ty::B128);
    b.insts.push(Inst::Atomic {
        dst: Some(old),
        op: AtomOp::Exch,
        num: Num::U(Ty::B128),
        packed: false,
        addr: at(Space::Flat, to, 32),
        args: Args::new(&[back.into()]),
        order: Order::Plain,
    });
    b.end(Terminator::Exit);
    let memory = Memory::new();
    memory.run(&b.unit(), 1, &Printed::default()).unwrap();
    let top = u32::MAX;
    assert_eq!(
        memory.words(12),
        [1, 0, top - 1, top, top - 1, top, 0, 0, 1, 0, top - 1, top]
    );
}

#[test]
fn loads_extend() {
    let mut b = Builder::new("extend");
    let from = b.load(Ty::B64, at(Space::Param, 0, 0));
    let r: Vec<Reg> = [Ty::B16, Ty::B32, Ty::B64]
        .into_iter()
        .map(|ty| b.f.new_reg(ty))
        .collect();
    b.insts.push(Inst::Load {
        dsts: vec![Some(r[0]), Some(r[1]), Some(r[2]), None],
        ty: Ty::B8,
        signed: true,
        addr: at(Space::Flat, from, 0),
        order: Order::Plain,
    });
    b.store(Ty::B16, at(Space::Flat, from, 0), r[0]);
    b.store(Ty::B32, at(Space::Flat, from, 4), r[1]);
    b.store(Ty::B64, at(Space::Flat, from, 8), r[2]);
    b.end(Terminator::Exit);
    let memory = Memory::new();
    memory.write(BUFFER, &[0x80, 0x81, 0xff, 1]);
    memory.run(&b.unit(), 1, &Printed::default()).unwrap();
    assert_eq!(
        memory.words(4),
        [0x01ff_ff80, 0xffff_ff81, u32::MAX, u32::MAX]
    );
}
