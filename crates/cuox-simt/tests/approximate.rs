//! Approximate functions against hashes of an H200's results (`ptx/approximate-h200.txt`), in both engines.

use cuox_simt::ir::{ApproxOp, Float, Op};
use cuox_simt::{Engine, Host, Launch, Module, Program, sem, space};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

struct Quiet;

impl Host for Quiet {
    fn print(&self, _: &[u8]) {}
    fn malloc(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) {}
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the hash of results: a sum, so that their order does not matter.
fn hash(results: impl Iterator<Item = (u32, u32)>) -> u64 {
    results.fold(0, |sum, (operand, result)| {
        sum.wrapping_add(mix(u64::from(operand) << 32 | u64::from(result)))
    })
}

/// Returns the operation of an instruction.
fn op(instruction: &str) -> Op {
    let op = match instruction.split('.').next() {
        Some("rcp") => ApproxOp::Rcp,
        Some("rsqrt") => ApproxOp::Rsqrt,
        Some("sqrt") => ApproxOp::Sqrt,
        Some("ex2") => ApproxOp::Ex2,
        Some("lg2") => ApproxOp::Lg2,
        Some("sin") => ApproxOp::Sin,
        Some("cos") => ApproxOp::Cos,
        Some("tanh") => ApproxOp::Tanh,
        _ if instruction.contains("full") => ApproxOp::DivFull,
        _ => ApproxOp::Div,
    };
    let ty = match instruction.rsplit('.').next() {
        Some("f16" | "f16x2") => Float::F16,
        Some("bf16" | "bf16x2") => Float::BF16,
        Some("f64") => Float::F64,
        _ => Float::F32,
    };
    Op::Approx {
        op,
        ty,
        ftz: instruction.contains("ftz"),
    }
}

/// Returns operands of `div`, by pairs: any bits, and ordinary dividends with ordinary and with large divisors.
fn pair(x: u32) -> (u32, u32) {
    let z = mix(u64::from(x.wrapping_add(1)));
    let (a, b) = ((z >> 32) as u32, z as u32);
    match x & 3 {
        0 | 2 => (a, b),
        1 => (a & 0x807f_ffff | 0x3f80_0000, b & 0x807f_ffff | 0x7e80_0000),
        _ => (a & 0x807f_ffff | 0x3f80_0000, b & 0x807f_ffff | 0x3f80_0000),
    }
}

/// Returns the result of `sem` for the operand that the recording calls `x`.
fn meaning(instruction: &str, x: u32) -> u32 {
    let op = op(instruction);
    let one = |a| sem::eval(op, &[a, 0, 0, 0]);
    let wide = u64::from(x);
    if instruction.starts_with("div") {
        let (a, b) = pair(x);
        return sem::eval(op, &[u64::from(a), u64::from(b), 0, 0]) as u32;
    }
    match instruction.rsplit('.').next() {
        Some("f64") => {
            let r = one(wide << 32 | u64::from(x.wrapping_mul(2_654_435_761)));
            (r >> 32) as u32 ^ r as u32
        }
        Some("f16x2" | "bf16x2") => {
            let r = one(wide) as u32;
            r << 16 | r
        }
        _ => one(wide) as u32,
    }
}

/// Returns memory for `count` words.
fn words(count: usize) -> *mut u32 {
    let len = (count as u64 * 4).next_multiple_of(4096);
    let at = space::reserve(len, 4096).unwrap();
    // SAFETY: just reserved, for this test.
    unsafe { space::commit(at, len).unwrap() };
    at as *mut u32
}

/// PTX that makes two operands of `%x`, as [`pair`] does.
const PAIR: &str = "
    add.u32 %t3, %x, 1;
    cvt.u64.u32 %z0, %t3;
    shr.u64 %z1, %z0, 30;
    xor.b64 %z0, %z0, %z1;
    mul.lo.u64 %z0, %z0, 0xbf58476d1ce4e5b9;
    shr.u64 %z1, %z0, 27;
    xor.b64 %z0, %z0, %z1;
    mul.lo.u64 %z0, %z0, 0x94d049bb133111eb;
    shr.u64 %z1, %z0, 31;
    xor.b64 %z0, %z0, %z1;
    and.b32 %t0, %x, 1;
    setp.ne.u32 %p0, %t0, 0;
    and.b32 %t1, %x, 2;
    setp.ne.u32 %p1, %t1, 0;
    mov.b64 {%y, %x}, %z0;
    and.b32 %t0, %x, 0x807fffff;
    or.b32 %t0, %t0, 0x3f800000;
    selp.b32 %x, %t0, %x, %p0;
    selp.b32 %t1, 0x3f800000, 0x7e800000, %p1;
    and.b32 %t0, %y, 0x807fffff;
    or.b32 %t0, %t0, %t1;
    selp.b32 %y, %t0, %y, %p0;
";

/// Kernels that apply an instruction to `base + index * step`, to its lower half, to that twice, or to its pair.
struct Machine {
    module: Module,
    out: *mut u32,
}

impl Machine {
    const COUNT: usize = 1 << 16;

    fn new(instruction: &str) -> Self {
        let (before, operands, after) = match instruction {
            div if div.starts_with("div") => (PAIR, "%r, %x, %y", ""),
            half if half.ends_with("f16") => {
                ("cvt.u16.u32 %h, %x;\n", "%h, %h", "cvt.u32.u16 %r, %h;\n")
            }
            double if double.ends_with("f64") => (
                "mul.lo.u32 %y, %x, 2654435761;\nmov.b64 %z0, {%y, %x};\n",
                "%z0, %z0",
                "mov.b64 {%x, %y}, %z0;\nxor.b32 %r, %x, %y;\n",
            ),
            pair if pair.ends_with("f16x2") => {
                let double = "prmt.b32 %x, %x, %x, 0x1010;\n";
                (double, "%r, %x", "")
            }
            _ => ("", "%r, %x", ""),
        };
        let text = format!(
            ".version 8.3\n.target sm_90\n.address_size 64\n\
             .visible .entry k(.param .u64 o, .param .u32 base, .param .u32 step)\n{{\n\
             .reg .b16 %h;\n.reg .b32 %x, %y, %r, %t<4>;\n.reg .b64 %o<3>, %z<2>;\n.reg .pred %p<2>;\n\
             ld.param.u64 %o0, [o];\nld.param.u32 %x, [base];\nld.param.u32 %t3, [step];\n\
             mov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\nmov.u32 %t2, %ntid.x;\nmad.lo.u32 %t0, %t1, %t2, %t0;\n\
             mad.lo.u32 %x, %t0, %t3, %x;\nmul.wide.u32 %o1, %t0, 4;\nadd.u64 %o1, %o0, %o1;\n\
             {before}{instruction} {operands};\n{after}st.global.u32 [%o1], %r;\nret;\n}}\n"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{instruction}: {e}"));
        // SAFETY: the program has no variables.
        let module = unsafe { Module::load(Arc::new(program), vec![]) }.unwrap();
        Machine {
            module,
            out: words(Self::COUNT),
        }
    }

    /// Returns the results for [`Self::COUNT`] operands; a small block runs one thread at a time.
    fn run(&self, (engine, block): (Engine, u32), base: u32, step: u32) -> &[u32] {
        let mut params = (self.out as u64).to_le_bytes().to_vec();
        params.extend([base, step].iter().flat_map(|w| w.to_le_bytes()));
        let launch = Launch {
            grid: [Self::COUNT as u32 / block, 1, 1],
            block: [block, 1, 1],
            dynamic_shared: 0,
            stack: 0,
            cluster: None,
            params: &params,
            cooperative: false,
            resident: 1,
            multiprocessors: &[],
            timeout: None,
            engine,
            cancel: &AtomicBool::new(false),
            host: &Quiet,
        };
        self.module.kernel("k").unwrap().launch(&launch).unwrap();
        // SAFETY: the kernel has ended, and it wrote every word.
        unsafe { std::slice::from_raw_parts(self.out, Self::COUNT) }
    }

    /// Returns the hash of the results for `count` operands.
    fn hash(&self, base: u32, step: u32, count: u64) -> u64 {
        (0..count / Self::COUNT as u64).fold(0, |sum, portion| {
            let first = (portion as u32).wrapping_mul(Self::COUNT as u32);
            let operand = |i: u32| base.wrapping_add(first.wrapping_add(i).wrapping_mul(step));
            let results = self.run((Engine::Jit, 256), operand(0), step);
            let pairs = results.iter().enumerate();
            sum.wrapping_add(hash(pairs.map(|(i, &r)| (operand(i as u32), r))))
        })
    }
}

const F32: [&str; 15] = [
    "rcp.approx.f32",
    "rsqrt.approx.f32",
    "sqrt.approx.f32",
    "ex2.approx.f32",
    "lg2.approx.f32",
    "sin.approx.f32",
    "cos.approx.f32",
    "tanh.approx.f32",
    "rcp.approx.ftz.f32",
    "rsqrt.approx.ftz.f32",
    "sqrt.approx.ftz.f32",
    "ex2.approx.ftz.f32",
    "lg2.approx.ftz.f32",
    "sin.approx.ftz.f32",
    "cos.approx.ftz.f32",
];

const SHORT: [&str; 8] = [
    "ex2.approx.f16",
    "tanh.approx.f16",
    "tanh.approx.bf16",
    "ex2.approx.ftz.bf16",
    "ex2.approx.f16x2",
    "tanh.approx.f16x2",
    "tanh.approx.bf16x2",
    "ex2.approx.ftz.bf16x2",
];

const F64: [&str; 3] = [
    "rcp.approx.ftz.f64",
    "rsqrt.approx.ftz.f64",
    "rsqrt.approx.f64",
];

const DIV: [&str; 4] = [
    "div.approx.f32",
    "div.approx.ftz.f32",
    "div.full.f32",
    "div.full.ftz.f32",
];

/// All bit patterns, with many around one and many subnormal and special ones: in blocks that run as many threads at
/// a time as fit, or four, and in blocks that run one.
#[test]
fn machine_code_agrees_with_the_meaning() {
    let some = u32::MAX / Machine::COUNT as u32;
    let ranges: [(u32, u32); 7] = [
        (0, some),
        (0x3f00_0000, 523),
        (0xbf00_0000, 523),
        (0, 251),
        (0x8000_0000, 251),
        (0x7f7f_8000, 1),
        (0xff7f_8000, 1),
    ];
    for instruction in [&F32[..], &SHORT, &F64, &DIV].concat() {
        let machine = Machine::new(instruction);
        for (base, step) in ranges {
            let operand = |i: usize| base.wrapping_add((i as u32).wrapping_mul(step));
            let want: Vec<u32> = (0..Machine::COUNT)
                .map(|i| meaning(instruction, operand(i)))
                .collect();
            for way in [
                (Engine::Jit, 4),
                (Engine::JitNarrow, 256),
                (Engine::Jit, 256),
            ] {
                let got = machine.run(way, base, step);
                if let Some(i) = (0..want.len()).find(|&i| got[i] != want[i]) {
                    panic!(
                        "{instruction} {:08x}: {:08x} {:08x}",
                        operand(i),
                        got[i],
                        want[i]
                    );
                }
            }
        }
    }
}

/// Returns the lines of the recording that `chosen` selects and that the results of machine code do not match.
fn differences(chosen: fn(&str) -> bool) -> Vec<String> {
    let lines: Vec<&str> = include_str!("ptx/approximate-h200.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && chosen(line))
        .collect();
    assert!(!lines.is_empty());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        let work = || {
            let mut wrong = Vec::new();
            while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                let [instruction, operands, recorded] =
                    line.split(' ').collect::<Vec<_>>().try_into().unwrap();
                let machine = Machine::new(instruction);
                let computed = match operands {
                    "whole" => machine.hash(0, 1, 1 << 32),
                    "one" => machine.hash(0x3f00_0000, 1, 1 << 24),
                    "strided" => machine.hash(0, 257, 1 << 24),
                    "small" => machine.hash(0, 1, 1 << 16),
                    _ => machine.hash(0, 1, 1 << 24),
                };
                if computed != u64::from_str_radix(recorded, 16).unwrap() {
                    wrong.push(format!("{instruction} {operands}"));
                }
            }
            wrong
        };
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().flat_map(|t| t.join().unwrap()).collect()
    })
}

/// `rsqrt.approx.f64`, which is computed from the SFU's result: any bits, positive numbers, ordinary and subnormal
/// ones.
#[test]
fn the_double_root_is_that_of_a_gpu() {
    let op = op("rsqrt.approx.f64");
    let sum = (0..1u64 << 24).fold(0u64, |sum, i| {
        let z = mix(i + 1);
        let mut x = match i & 3 {
            1 | 3 => z & ((1 << 52) - 1) | (1013 + (z >> 52) % 20) << 52,
            2 => z & i64::MAX as u64,
            _ => z,
        };
        if i & 31 == 16 {
            x &= 0x800f_ffff_ffff_ffff;
        }
        let r = sem::eval(op, &[x, 0, 0, 0]);
        sum.wrapping_add(mix(r ^ i.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    });
    assert_eq!(sum, 0x1e8e_cce8_f10a_6762);
    let special: [(u64, u64); 18] = [
        (0x8000_0000_0000_0000, 0xfff0_0000_0000_0000),
        (0x0000_0000_0000_0001, 0x6180_0000_0000_0000),
        (0x8000_0000_0000_0001, 0xfff8_0000_0000_0000),
        (0x7ff0_0000_0000_0000, 0x0000_0000_0000_0000),
        (0xfff0_0000_0000_0000, 0xfff8_0000_0000_0000),
        (0x7ff0_0000_0000_0001, 0x7ff8_0000_0000_0001),
        (0xfff0_0000_0000_0001, 0xfff8_0000_0000_0001),
        (0x7ff8_0000_0000_1234, 0x7ff8_0000_0000_1234),
        (0xfff8_0000_0000_1234, 0xfff8_0000_0000_1234),
        (0x3ff0_0000_0000_0000, 0x3ff0_0000_0000_0000),
        (0xbff0_0000_0000_0000, 0xfff8_0000_0000_0000),
        (0x0010_0000_0000_0000, 0x5fe0_0000_0000_0000),
        (0x000f_ffff_ffff_ffff, 0x5fe0_0000_0000_0001),
        (0x7fef_ffff_ffff_ffff, 0x1ff0_0000_0000_0000),
        (0x4000_0000_0000_0000, 0x3fe6_a09e_667f_3bcd),
        (0x4008_0000_0000_0000, 0x3fe2_79a7_4590_331c),
        (0x3fb9_9999_9999_999a, 0x4009_4c58_3ada_5b52),
        (0x8010_0000_0000_0000, 0xfff8_0000_0000_0000),
    ];
    for (x, root) in special {
        assert_eq!(sem::eval(op, &[x, 0, 0, 0]), root, "{x:016x}");
    }
}

#[test]
fn many_results_are_those_of_a_gpu() {
    assert_eq!(
        differences(|line| !line.contains("whole")),
        Vec::<String>::new()
    );
}

/// Takes minutes; run it after changes of `sem::approx`.
#[test]
#[ignore = "takes minutes"]
fn all_results_are_those_of_a_gpu() {
    assert_eq!(differences(|_| true), Vec::<String>::new());
}
