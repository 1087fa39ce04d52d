use cuox::{Context, Device, Fill, LaunchConfig, ObjectCode, Stream, StreamOptions};

use crate::code::saxpy_code;
use crate::ptx;

pub fn eight_threads(device: Device) {
    let n = 4096usize;
    let code = saxpy_code();
    std::thread::scope(|scope| {
        for thread in 0..8u32 {
            let code = code.clone();
            scope.spawn(move || {
                let kernel = code.kernel(device, "saxpy").unwrap();
                let stream = device.create_stream(StreamOptions::default()).unwrap();
                let x = device.allocate(4 * n, Some(&stream)).unwrap();
                let y = device.allocate(4 * n, Some(&stream)).unwrap();
                x.fill(Fill::U32(1.0f32.to_bits()), Some(&stream)).unwrap();
                y.fill(Fill::U32(0), Some(&stream)).unwrap();
                let config = LaunchConfig::for_elements(n as u32, 128);
                for _ in 0..100 {
                    // SAFETY: both buffers hold n floats and are freed in the stream's order.
                    unsafe { kernel.launch(&stream, &config, &[&(thread as f32), &x, &y, &n]) }
                        .unwrap();
                }
                let got = y.to_vec::<f32>(Some(&stream)).unwrap();
                assert!(
                    got.iter().all(|&v| v == 100.0 * thread as f32),
                    "{:?}",
                    &got[..4]
                );
            });
        }
    });
}

pub fn too_big_blocks_say_so(device: Device) {
    let kernel = saxpy_code().kernel(device, "saxpy").unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let buffer = device.allocate(4, None).unwrap();
    let text = |config: LaunchConfig| {
        // SAFETY: none of these launches starts.
        let done = unsafe { kernel.launch(&stream, &config, &[&1.0f32, &buffer, &buffer, &0]) };
        done.unwrap_err().to_string()
    };
    assert!(text(LaunchConfig::new(1, 0)).contains("the block's x is 0"));
    assert!(text(LaunchConfig::new((1, 70_000), 1)).contains("the grid's y is 70000"));
    let error = text(LaunchConfig::new(1, (64, 64)));
    assert!(
        error.contains("the block has 4096 threads; the device takes 1024"),
        "{error}"
    );
    let error = text(LaunchConfig::new(1, 1).shared(1 << 30));
    assert!(error.contains("shared memory"), "{error}");
    // Nothing is broken by that.
    // SAFETY: with n = 0 the kernel touches nothing.
    unsafe {
        kernel.launch(
            &stream,
            &LaunchConfig::new(1, 32),
            &[&1.0f32, &buffer, &buffer, &0],
        )
    }
    .unwrap();
    stream.sync().unwrap();
}

/// Writes the last word of its dynamic shared memory and reads it back.
const SHARED: &str = "
.extern .shared .align 4 .b8 mem[];
.visible .entry last(.param .u64 out, .param .u32 offset)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd2, %rd1;
    ld.param.u32 %r1, [offset];
    mov.u32 %r2, mem;
    add.s32 %r3, %r2, %r1;
    st.shared.u32 [%r3], 4711;
    bar.sync 0;
    ld.shared.u32 %r4, [%r3];
    st.global.u32 [%rd2], %r4;
    ret;
}
";

pub fn much_shared_memory(device: Device) {
    let limits = device.properties().unwrap();
    let most = limits
        .max_shared_memory_per_block_optin
        .max(limits.max_shared_memory_per_block) as u32;
    let kernel = ObjectCode::from_ptx(ptx(SHARED))
        .kernel(device, "last")
        .unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let out = device.allocate(4, Some(&stream)).unwrap();
    for bytes in [1024, most] {
        let config = LaunchConfig::new(1, 1).shared(bytes);
        // SAFETY: the kernel writes 4 bytes to `out` and stays within its shared memory.
        unsafe { kernel.launch(&stream, &config, &[&out, &(bytes - 4)]) }.unwrap();
        assert_eq!(out.to_vec::<u32>(Some(&stream)).unwrap(), [4711], "{bytes}");
    }
}

pub fn created_contexts(device: Device) {
    let primary = device.context().unwrap();
    let own = Context::create(device, 0).unwrap();
    assert_ne!(own, primary);
    let kernel = saxpy_code().kernel_in(&own, "saxpy").unwrap();
    let stream = Stream::new(&own, StreamOptions::default()).unwrap();
    assert_eq!(stream.raw_context().unwrap(), own.raw());
    let x = cuox::Buffer::allocate(&own, 4).unwrap();
    x.copy_from_slice(&[2.0f32], None).unwrap();
    // A call in the other context in between must not leave that one current for this one's calls.
    let elsewhere = device.allocate(4, None).unwrap();
    elsewhere.fill(Fill::U32(0), None).unwrap();
    // SAFETY: the buffer holds one float.
    unsafe { kernel.launch(&stream, &LaunchConfig::new(1, 1), &[&10.0f32, &x, &x, &1]) }.unwrap();
    stream.sync().unwrap();
    assert_eq!(x.to_vec::<f32>(None).unwrap(), [22.0]);
    drop((kernel, stream, x, own));
    primary.sync().unwrap();
}
