//! Uses of arrays in several streams.

use cuox::array::Index;
use cuox::{Array, Device, Kernel, KernelArg, LaunchConfig, Stream, StreamOptions};

use crate::code::code_of;

/// `y[i] = a * x[i] + b` for one block, after `turns` turns of a loop.
const STEP: &str = "
.visible .entry step(.param .u64 y, .param .u64 x, .param .u32 n, .param .u32 a, .param .u32 b, .param .u32 turns)
{
    .reg .pred %p<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [y];
    ld.param.u64 %rd2, [x];
    ld.param.u32 %r1, [n];
    ld.param.u32 %r2, [a];
    ld.param.u32 %r3, [b];
    ld.param.u32 %r4, [turns];
    mov.u32 %r5, %tid.x;
    mov.u32 %r6, 1;
TURN:
    mad.lo.u32 %r6, %r6, 1664525, 1013904223;
    sub.u32 %r4, %r4, 1;
    setp.ne.u32 %p1, %r4, 0;
    @%p1 bra TURN;
    // Never so, which nobody who compiles this can know.
    setp.eq.u32 %p2, %r6, 123456789;
    @%p2 bra DONE;
    setp.ge.u32 %p3, %r5, %r1;
    @%p3 bra DONE;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r7, [%rd5];
    mad.lo.u32 %r8, %r7, %r2, %r3;
    st.global.u32 [%rd4], %r8;
DONE:
    ret;
}
";
const STEP_SOURCE: &str = "extern \"C\" __global__ void step(unsigned *y, const unsigned *x, unsigned n, unsigned a, unsigned b, unsigned turns);";
/// Enough turns for a launch to be at work when the next call is made.
const LONG: u32 = 300_000;

fn step_of(device: Device) -> Kernel {
    let code = code_of("step.cu", STEP, STEP_SOURCE);
    let kernel = code.kernel(device, "step").unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let x = Array::<u32>::zeros(device, &[1], Some(&stream)).unwrap();
    step(&kernel, &stream, &x, &x, [0, 0, 1]); // compiled
    stream.sync().unwrap();
    kernel
}

fn step(kernel: &Kernel, stream: &Stream, y: &Array<u32>, x: &Array<u32>, [a, b, turns]: [u32; 3]) {
    let n = y.len() as u32;
    let arguments: [&dyn KernelArg; 6] = [y, x, &n, &a, &b, &turns];
    // SAFETY: both arrays have the elements that the kernel is told of.
    unsafe { kernel.launch(stream, &LaunchConfig::new(1, 32), &arguments) }.unwrap();
}

pub fn reads_wait_for_writes(device: Device) {
    let kernel = step_of(device);
    let streams = [0; 3].map(|_| device.create_stream(StreamOptions::default()).unwrap());
    for round in 0..10 {
        let x = Array::full(device, &[32], round, Some(&streams[0])).unwrap();
        let y = Array::<u32>::zeros(device, &[32], None).unwrap();
        step(&kernel, &streams[1], &y, &x, [2, 1, LONG]);
        step(&kernel, &streams[2], &x, &y, [3, 2, LONG]);
        assert_eq!(x.to_vec(None).unwrap(), [6 * round + 5; 32]);
        step(&kernel, &streams[1], &y, &x, [1, 1, LONG]);
        assert_eq!(y.to_vec(Some(&streams[0])).unwrap(), [6 * round + 6; 32]);
        // A copy into what is still read.
        step(&kernel, &streams[2], &y, &x, [1, 0, LONG]);
        x.copy_from_slice(&[9; 32], Some(&streams[0])).unwrap();
        assert_eq!(y.to_vec(None).unwrap(), [6 * round + 5; 32]);
        // Halves of one array, each in a stream of its own.
        let half = |start| Index::Range {
            start,
            step: 1,
            len: 16,
        };
        let [low, high] = [half(0), half(16)].map(|half| x.index(&[half]).unwrap());
        step(&kernel, &streams[1], &low, &low, [0, 1, LONG]);
        step(&kernel, &streams[2], &high, &high, [0, 2, LONG]);
        assert_eq!(x.to_vec(None).unwrap()[15..17], [1, 2]);
    }
}

pub fn memory_is_freed_behind_its_uses(device: Device) {
    let kernel = step_of(device);
    let [own, other] = [0; 2].map(|_| device.create_stream(StreamOptions::default()).unwrap());
    for _ in 0..10 {
        let x = Array::full(device, &[32], 1, Some(&own)).unwrap();
        step(&kernel, &other, &x, &x, [0, 5, 10 * LONG]);
        drop(x);
        // What was freed is given out again.
        let next = Array::full(device, &[32], 7, Some(&own)).unwrap();
        other.sync().unwrap();
        assert_eq!(next.to_vec(Some(&own)).unwrap(), [7; 32]);
    }
}

pub fn any_mix_of_streams_is_right(device: Device) {
    let kernel = step_of(device);
    let nonblocking = StreamOptions::default();
    let blocking = StreamOptions {
        nonblocking: false,
        ..nonblocking
    };
    let streams =
        [nonblocking, nonblocking, blocking].map(|options| device.create_stream(options).unwrap());
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let fresh = |stream: Option<&Stream>| Array::full(device, &[32], 3u32, stream).unwrap();
    let mut arrays: Vec<(Array<u32>, u32)> = (0..4).map(|_| (fresh(None), 3)).collect();
    for _ in 0..400 {
        let (to, from) = (random(4), random(4));
        let stream = streams.get(random(4));
        match random(8) {
            0 => assert_eq!(arrays[to].0.to_vec(stream).unwrap(), [arrays[to].1; 32]),
            1 => {
                arrays[to]
                    .0
                    .copy_from_slice(&[to as u32; 32], stream)
                    .unwrap();
                arrays[to].1 = to as u32;
            }
            2 => arrays[to] = (fresh(stream), 3),
            _ => {
                let (a, b) = (random(5) as u32, random(9) as u32);
                let turns = [1, LONG][usize::from(random(8) == 0)];
                step(
                    &kernel,
                    stream.unwrap_or(&streams[0]),
                    &arrays[to].0,
                    &arrays[from].0,
                    [a, b, turns],
                );
                arrays[to].1 = a.wrapping_mul(arrays[from].1).wrapping_add(b);
            }
        }
    }
    for (array, value) in &arrays {
        assert_eq!(array.to_vec(None).unwrap(), [*value; 32]);
    }
}
