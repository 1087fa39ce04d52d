//! saxpy by cudarc: streams, events, copies and launches of a driver that it finds for itself.

use std::error::Error;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;

const N: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let stream = context.new_stream()?;
    let module = context.load_module(Ptx::from_src(include_str!("../../saxpy.ptx")))?;
    let saxpy = module.load_function("saxpy")?;

    let host: Vec<f32> = (0..N).map(|i| i as f32).collect();
    let x = stream.clone_htod(&host)?;
    let mut y = stream.alloc_zeros::<f32>(N)?;
    let (factor, count) = (2.0f32, N as i32);
    for _ in 0..3 {
        let mut launch = stream.launch_builder(&saxpy);
        launch.arg(&factor).arg(&x).arg(&mut y).arg(&count);
        // SAFETY: the arguments are the kernel's, and the vectors have `count` elements.
        unsafe { launch.launch(LaunchConfig::for_num_elems(N as u32)) }?;
    }
    let event = stream.record_event(None)?;
    let other = stream.fork()?;
    other.wait(&event)?;
    let copy = other.clone_dtod(&y)?;
    let result = other.clone_dtoh(&copy)?;
    other.synchronize()?;
    assert!(result.iter().enumerate().all(|(i, &v)| v == 6.0 * i as f32));

    // What is wrong is an error, and the context goes on.
    assert!(module.load_function("no_such_kernel").is_err());
    assert!(context.load_module(Ptx::from_src("this is no PTX")).is_err());
    println!("cudarc: {} elements on {}: OK", result.len(), context.name()?);
    Ok(())
}
