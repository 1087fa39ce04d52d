//! Instructions against results recorded on a GPU (`ptx/h200.txt`).

use cuox_simt::{Engine, Host, Launch, Module, Program, space};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const TUPLES: usize = 4096;

struct Quiet;

impl Host for Quiet {
    fn print(&self, _: &[u8]) {}
    fn malloc(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) {}
}

/// The operands that were recorded with: random bits, small numbers, special and ordinary floats of both widths.
fn operands() -> Vec<u64> {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let special = [
        0,
        1,
        0x80_0000,
        0x7f80_0000,
        0x7f7f_ffff,
        0x7fc0_0000,
        0x7f_ffff,
        0x3f80_0000,
    ];
    let special_high = [
        0,
        0,
        1 << 20,
        2046 << 20,
        2047 << 20,
        1023 << 20,
        0xf_ffff,
        0x7ffc_0000,
    ];
    let mut value = || {
        let kind = random() >> 61;
        let w = random();
        let sign = w & 1 << 31;
        let high = w >> 32;
        let ordinary_high = (high & 0x800f_ffff) | ((1013 + (w >> 23) % 20) << 20);
        match kind {
            0 | 1 => w,
            2 => w % 80,
            3 => {
                let high = special_high[(w >> 8 & 7) as usize] | (high & 1 << 31);
                special[(w & 7) as usize] | sign | high << 32
            }
            4 => (w & 0x8fff_ffff) | ordinary_high << 32,
            _ => (w & 0x807f_ffff) | ((117 + (w >> 40) % 20) << 23) | ordinary_high << 32,
        }
    };
    (0..TUPLES * 4).map(|_| value()).collect()
}

fn bits(class: char) -> u32 {
    match class {
        'h' => 16,
        'r' => 32,
        _ => 64,
    }
}

/// A kernel that applies an instruction to every tuple.
fn ptx(result: char, instruction: &str, classes: &str) -> String {
    // `mul24` has two operands, whatever the list says.
    let classes = if instruction.starts_with("mul24") {
        "rr"
    } else {
        classes
    };
    let mut body = String::new();
    let mut names = vec![format!("%{result}4")];
    for (i, class) in classes.chars().enumerate() {
        names.push(format!("%{class}{i}"));
        body += &format!("ld.global.u64 %y{i}, [%x5 + {}];\n", 8 * i);
        body += &match class {
            'd' => format!("mov.b64 %d{i}, %y{i};\n"),
            _ => format!("cvt.u{}.u64 %{class}{i}, %y{i};\n", bits(class)),
        };
    }
    body += &format!("{instruction} {};\n", names.join(", "));
    body += &match result {
        'p' => "selp.u64 %x4, 1, 0, %p4;\n".to_string(),
        'd' => "mov.b64 %x4, %d4;\n".to_string(),
        _ => format!("cvt.u64.u{} %x4, %{result}4;\n", bits(result)),
    };
    format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 i, .param .u64 o)\n{{\n\
         .reg .b64 %x<9>;\n.reg .b64 %y<5>;\n.reg .b16 %h<5>;\n.reg .b32 %r<5>;\n.reg .b64 %d<5>;\n.reg .pred %p<5>;\n.reg .b32 %t<4>;\n\
         ld.param.u64 %x0, [i];\nld.param.u64 %x1, [o];\n\
         mov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\nshl.b32 %t2, %t1, 8;\nadd.u32 %t3, %t0, %t2;\n\
         mul.wide.u32 %x2, %t3, 32;\nadd.u64 %x5, %x0, %x2;\nmul.wide.u32 %x6, %t3, 8;\nadd.u64 %x7, %x1, %x6;\n\
         {body}st.global.u64 [%x7], %x4;\nret;\n}}\n"
    )
}

/// The hash of the results. `neg` and `abs` of a NaN may be any NaN.
fn hash(instruction: &str, results: &[u64]) -> u64 {
    let any_nan = instruction.starts_with("neg") || instruction.starts_with("abs");
    let (mask, infinity) = match instruction.rsplit('.').next() {
        Some("f64") => (i64::MAX as u64, 0x7ff << 52),
        Some("bf16") => (0x7fff, 0x7f80),
        Some("f16") => (0x7fff, 0x7c00),
        _ => (0x7fff_ffff, 0x7f80_0000),
    };
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &result in results {
        let nan = any_nan && result & mask > infinity;
        for byte in (if nan { u64::MAX } else { result }).to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

/// Committed device memory for so many 64-bit words.
fn words(count: usize) -> *mut u64 {
    let len = (count as u64 * 8).next_multiple_of(4096);
    let at = space::reserve(len, 4096).unwrap();
    // SAFETY: reserved just now, for this test.
    unsafe { space::commit(at, len).unwrap() };
    at as *mut u64
}

fn differences(engine: Engine) -> Vec<String> {
    let input = operands();
    let (from, to) = (words(input.len()), words(TUPLES));
    // SAFETY: the memory is as long as the operands.
    unsafe { from.copy_from_nonoverlapping(input.as_ptr(), input.len()) };
    let params: Vec<u8> = [from as u64, to as u64]
        .iter()
        .flat_map(|p| p.to_le_bytes())
        .collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("ptx/h200.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let [recorded, result, instruction, classes] =
            line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let text = ptx(result.chars().next().unwrap(), instruction, classes);
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{instruction}: {e}"));
        // SAFETY: the program has no variables.
        let module = unsafe { Module::load(Arc::new(program), vec![]) }.unwrap();
        let kernel = module
            .kernel("k")
            .unwrap_or_else(|e| panic!("{instruction}: {e:?}"));
        let launch = Launch {
            grid: [TUPLES as u32 / 256, 1, 1],
            block: [256, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            params: &params,
            cooperative: false,
            engine,
            cancel: &AtomicBool::new(false),
            host: &Quiet,
        };
        kernel
            .launch(&launch)
            .unwrap_or_else(|e| panic!("{instruction}: {e}"));
        // SAFETY: the kernel has ended, and it wrote every word.
        let results = unsafe { std::slice::from_raw_parts(to, TUPLES) };
        if hash(instruction, results) != u64::from_str_radix(recorded, 16).unwrap() {
            wrong.push(instruction.to_string());
        }
        count += 1;
    }
    assert_eq!(count, 361, "the recording is whole");
    wrong
}

#[test]
fn the_interpreter_computes_what_a_gpu_does() {
    assert_eq!(differences(Engine::Interpreter), Vec::<String>::new());
}

/// Where machine code may differ: of several NaNs, which one an f64 fma hands on. The manual leaves it open.
const MAY_DIFFER: [&str; 1] = ["fma.rn.f64"];

#[test]
fn machine_code_computes_what_a_gpu_does() {
    let mut wrong = differences(Engine::Jit);
    wrong.retain(|instruction| !MAY_DIFFER.contains(&instruction.as_str()));
    assert_eq!(wrong, Vec::<String>::new());
}
