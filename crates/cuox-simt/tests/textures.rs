//! Texture fetches against results recorded on a GPU (`ptx/h200_textures.txt`).

use cuox_simt::image::{Channel, Format, Image, Level, Sampler, Shape, Surface, Texture, Wrap};
use cuox_simt::{Engine, Host, Launch, Module, Program, space};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

struct Objects(Arc<Texture>);

impl Host for Objects {
    fn print(&self, _: &[u8]) {}
    fn malloc(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) {}
    fn texture(&self, handle: u64) -> Option<Arc<Texture>> {
        (handle == 1).then(|| self.0.clone())
    }
    fn surface(&self, _: u64) -> Option<Arc<Surface>> {
        None
    }
}

/// Committed device memory.
fn memory(len: u64) -> u64 {
    let len = len.next_multiple_of(4096);
    let at = space::reserve(len, 4096).unwrap();
    // SAFETY: just reserved, for this test.
    unsafe { space::commit(at, len).unwrap() };
    at
}

/// The random numbers of the recording.
struct Random(u32);

impl Random {
    fn new(name: &str) -> Random {
        let hash = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
        Random(name.bytes().fold(2_166_136_261, hash))
    }

    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let x = (self.0 ^ self.0 >> 16).wrapping_mul(0x45d_9f3b);
        x ^ x >> 16
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / 16_777_216.0
    }
}

/// Converts a number of moderate size to f16.
fn half(f: f32) -> u32 {
    let bits = f.to_bits();
    let exponent = (bits >> 23 & 255) as i32 - 127 + 15;
    let sign = bits >> 16 & 0x8000;
    match exponent {
        ..=0 => sign,
        _ => sign | (exponent as u32) << 10 | bits >> 13 & 0x3ff,
    }
}

struct Case<'a> {
    name: &'a str,
    kernel: &'a str,
    texture: Texture,
    samples: Vec<(Vec<u32>, Vec<u32>)>,
}

/// Returns the elements of a level, as the recording made them.
fn texels(random: &mut Random, format: Format, data: &str, level: u32, count: usize) -> Vec<u8> {
    let channels = usize::from(format.channels);
    let mut bytes = Vec::new();
    for i in 0..count * channels {
        let (channel, texel) = (i % channels, i / channels);
        let hot = |at: usize| match texel == at {
            true => (1.0, u32::MAX),
            false => (0.0, 0),
        };
        let (float, bits) = match data {
            "random" => (random.unit() * 2.0 - 1.0, random.next()),
            "wide" => {
                let scale = (random.next() % 40) as i32 - 20;
                let float = (random.unit() * 2.0 - 1.0) * (scale as f32).exp2();
                (float, random.next())
            }
            "ramp" => (i as f32, i as u32),
            "onehot" => hot(channel),
            "onehot_hi" => hot(channel + 4),
            "level" => (level as f32, level),
            _ => (f32::from_bits(random.next()), random.next()),
        };
        let bits = match format.channel {
            Channel::F32 => float.to_bits(),
            Channel::F16 => half(float),
            _ => bits,
        };
        bytes.extend(&bits.to_le_bytes()[..format.channel.bytes() as usize]);
    }
    bytes
}

fn case<'a>(line: &'a str) -> Case<'a> {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |n: usize| words[n].parse::<u32>().unwrap();
    let float = |n: usize| words[n].parse::<f32>().unwrap();
    let [w, h, d, flags, levels] = [2, 3, 4, 5, 6].map(number);
    let channel = match words[7] {
        "u8" => Channel::U8,
        "u16" => Channel::U16,
        "u32" => Channel::U32,
        "s8" => Channel::S8,
        "s16" => Channel::S16,
        "s32" => Channel::S32,
        "f16" => Channel::F16,
        _ => Channel::F32,
    };
    let format = Format {
        channel,
        channels: number(8) as u8,
    };
    let wrap: Vec<Wrap> = words[9]
        .split(',')
        .map(|mode| match mode {
            "r" => Wrap::Repeat,
            "c" => Wrap::Clamp,
            "m" => Wrap::Mirror,
            _ => Wrap::Border,
        })
        .collect();
    let [linear, linear_levels] = [10, 11].map(|n| number(n) == 1);
    let texture_flags = number(12);
    let sampler = Sampler {
        wrap: wrap.try_into().unwrap(),
        linear,
        linear_levels,
        normalized: texture_flags & 2 != 0,
        integers: texture_flags & 1 != 0,
        srgb: texture_flags & 16 != 0,
        seamless: texture_flags & 64 != 0,
        bias: float(13),
        levels: [float(14), float(15)],
        border: [0.25, 0.5, 0.75, 0.125],
    };
    let shape = match (number(17), flags & 5) {
        (1, _) => Shape::Linear,
        (2, _) => Shape::D2,
        (_, 4) => Shape::Cube,
        (_, 5) => Shape::Acube,
        (_, 1) if h == 0 => Shape::A1d,
        (_, 1) => Shape::A2d,
        _ if d > 0 => Shape::D3,
        _ if h > 0 => Shape::D2,
        _ => Shape::D1,
    };
    let layers = if flags & 5 != 0 { d } else { 1 };
    let mut random = Random::new(words[0]);
    let mut list = Vec::new();
    for level in 0..levels {
        let smaller = |size: u32| (size >> level).max(1);
        let (width, height) = (smaller(w), smaller(h));
        let depth = if shape == Shape::D3 { smaller(d) } else { 1 };
        let rows = (height * depth * layers) as usize;
        let bytes = texels(&mut random, format, words[16], level, rows * width as usize);
        let row = bytes.len() / rows;
        let pitch = (number(18) as usize).max(row);
        let at = memory((pitch * rows) as u64);
        for (y, bytes) in bytes.chunks(row).enumerate() {
            let to = (at + (y * pitch) as u64) as *mut u8;
            // SAFETY: there is room for all rows.
            unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), row) };
        }
        list.push(Level {
            at,
            width,
            height,
            depth,
            pitch: pitch as u64,
            slice: (pitch * height as usize) as u64,
        });
    }
    let image = Image {
        shape,
        format,
        layers,
        levels: list,
    };
    Case {
        name: words[0],
        kernel: words[1],
        texture: Texture::new(image, sampler),
        samples: Vec::new(),
    }
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("ptx/h200_textures.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let Some(sample) = line.strip_prefix(' ') else {
            cases.push(case(line));
            continue;
        };
        let (operands, results) = sample.split_once(" = ").unwrap();
        let words = |text: &str| -> Vec<u32> {
            let word = |word| u32::from_str_radix(word, 16).unwrap();
            text.split(' ').map(word).collect()
        };
        let samples = &mut cases.last_mut().unwrap().samples;
        samples.push((words(operands), words(results)));
    }
    cases
}

/// Returns the kernel of that name: one instruction for every eight words of operands. Its operands are in the order
/// of the recording: a layer, coordinates, a level or gradients.
fn ptx(kernel: &str) -> String {
    let words: Vec<&str> = kernel.split('_').collect();
    let geometry = if words[0] == "tld4" {
        match words[1] {
            "cube" | "a2d" => words[1],
            _ => "2d",
        }
    } else {
        words[1]
    };
    let integer = words[0] == "tex" && words.last() == Some(&"s32");
    let bank = if integer { 'i' } else { 'f' };
    let (layer, axes) = match geometry {
        "1d" => (0, 1),
        "2d" => (0, 2),
        "3d" | "cube" => (0, 3),
        "a1d" => (1, 1),
        "a2d" => (1, 2),
        _ => (1, 3),
    };
    let used = layer + axes;
    let mut at: Vec<String> = (0..layer).map(|_| "%i0".to_owned()).collect();
    at.extend((layer..used).map(|n| format!("%{bank}{n}")));
    if at.len() == 3 {
        at.push(at[2].clone());
    }
    let at = format!("[%t, {{{}}}]", at.join(", "));
    let of = |n: usize| words.get(n).copied().unwrap_or("f32");
    let result = match of(2) {
        "f16x2" => "{%r0, %r1}",
        "f16" => "{%h0, %h1, %h2, %h3}",
        _ => "{%r0, %r1, %r2, %r3}",
    };
    let instruction = match words[0] {
        "tex" if of(2).starts_with("f16") => {
            let vector = if of(2) == "f16" { "v4" } else { "v2" };
            format!("tex.2d.{vector}.{}.f32 {result}, {at};", of(2))
        }
        "tex" => format!("tex.{geometry}.v4.{}.{} {result}, {at};", of(2), of(3)),
        "base" => format!("tex.base.{geometry}.v4.{}.f32 {result}, {at};", of(2)),
        "lod" => format!(
            "tex.level.{geometry}.v4.{}.f32 {result}, {at}, %f{used};",
            of(2)
        ),
        "grad" => {
            let vector = |from: usize| {
                let list: Vec<String> = (from..from + axes).map(|n| format!("%f{n}")).collect();
                list.join(", ")
            };
            let (dx, dy) = (vector(used), vector(used + axes));
            format!("tex.grad.{geometry}.v4.f32.f32 {result}, {at}, {{{dx}}}, {{{dy}}};")
        }
        _ => {
            let channel = if geometry == "2d" { words[1] } else { "r" };
            let of = if geometry == "2d" { of(2) } else { "f32" };
            format!("tld4.{channel}.{geometry}.v4.{of}.f32 {result}, {at};")
        }
    };
    let pack = match of(2) {
        "f16" => "mov.b32 %r0, {%h0, %h1}; mov.b32 %r1, {%h2, %h3};",
        _ => "",
    };
    let moves: String = (0..8).map(|n| format!("mov.b32 %f{n}, %i{n}; ")).collect();
    format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 t, .param .u64 i, .param .u64 o)\n{{\n\
         .reg .b64 %t, %a, %o, %x; .reg .b32 %n, %r<4>, %i<8>; .reg .f32 %f<8>; .reg .b16 %h<4>;\n\
         ld.param.u64 %t, [t]; ld.param.u64 %a, [i]; ld.param.u64 %o, [o];\n\
         mov.u32 %n, %tid.x; mul.wide.u32 %x, %n, 32; add.u64 %a, %a, %x;\n\
         mul.wide.u32 %x, %n, 16; add.u64 %o, %o, %x;\n\
         ld.global.v4.b32 {{%i0, %i1, %i2, %i3}}, [%a]; ld.global.v4.b32 {{%i4, %i5, %i6, %i7}}, [%a+16];\n\
         {moves}\nmov.b32 %r2, 0; mov.b32 %r3, 0;\n{instruction}\n{pack}\n\
         st.global.v4.b32 [%o], {{%r0, %r1, %r2, %r3}};\nret;\n}}\n"
    )
}

fn differences(engine: Engine) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut fetches, mut from, mut to) = (0, Vec::new(), 0);
    for case in cases() {
        let text = ptx(case.kernel);
        let program =
            Program::from_ptx(&text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", case.kernel));
        // SAFETY: the program has no variables.
        let module = unsafe { Module::load(Arc::new(program), vec![]) }.unwrap();
        let kernel = module
            .kernel("k")
            .unwrap_or_else(|e| panic!("{}: {e:?}\n{text}", case.kernel));
        // Whole groups of four threads: the last operands are repeated.
        let threads = case.samples.len().next_multiple_of(32);
        from.clear();
        for n in 0..threads {
            let operands = &case.samples[n.min(case.samples.len() - 1)].0;
            from.extend((0..8).map(|k| operands.get(k).copied().unwrap_or(0)));
        }
        let at = memory(from.len() as u64 * 4);
        to = if to == 0 { memory(4096) } else { to };
        // SAFETY: the memory is as long as the operands.
        unsafe { (at as *mut u32).copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        let params: Vec<u8> = [1, at, to]
            .iter()
            .flat_map(|p: &u64| p.to_le_bytes())
            .collect();
        kernel
            .launch(&Launch {
                grid: [1; 3],
                block: [threads as u32, 1, 1],
                cluster: None,
                dynamic_shared: 0,
                stack: 0,
                params: &params,
                cooperative: false,
                resident: 1,
                multiprocessors: &[],
                timeout: None,
                engine,
                cancel: &AtomicBool::new(false),
                host: &Objects(Arc::new(case.texture.clone())),
            })
            .unwrap_or_else(|e| panic!("{}: {e}", case.name));
        for (n, (operands, recorded)) in case.samples.iter().enumerate() {
            // SAFETY: the kernel has ended, and it wrote four words for every thread.
            let results = unsafe {
                std::slice::from_raw_parts((to as *const u32).add(4 * n), recorded.len())
            };
            if results != recorded {
                wrong.push(format!(
                    "{} {operands:x?}: {results:x?}, not {recorded:x?}",
                    case.name
                ));
            }
            fetches += 1;
        }
    }
    assert_eq!(fetches, 2352, "the recording is whole");
    wrong
}

#[test]
fn the_interpreter_fetches_what_a_gpu_does() {
    assert_eq!(differences(Engine::Interpreter), Vec::<String>::new());
}

#[test]
fn machine_code_fetches_what_a_gpu_does() {
    assert_eq!(differences(Engine::Jit), Vec::<String>::new());
}
