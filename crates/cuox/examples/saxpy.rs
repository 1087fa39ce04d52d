//! SAXPY: CUDA C++ compiled at run time and launched, on a GPU or on the software GPU.
//!
//! ```text
//! cargo build -p cuox-libcuda && cargo run -p cuox --example saxpy
//! CUOX_DEVICE=soft cargo run -p cuox --example saxpy
//! ```

use std::process::ExitCode;
use std::time::Instant;

use cuox::{
    CodeFormat, Device, EventOptions, LaunchConfig, Program, Result, StreamOptions, choice_report,
};

const SOURCE: &str = r#"
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"#;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    const N: usize = 1 << 20;
    let device = Device::get(0)?;
    let (major, minor) = device.compute_capability();
    println!(
        "device   {} (compute capability {major}.{minor}): {}",
        device.name(),
        choice_report().reason
    );

    let begin = Instant::now();
    let compiled =
        Program::new(SOURCE, "saxpy.cu").compile(CodeFormat::Cubin, Some(device), &[])?;
    for warning in &compiled.warnings {
        println!("warning  {warning}");
    }
    println!("compile  {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);

    let begin = Instant::now();
    let kernel = compiled.code.kernel(device, "saxpy")?;
    println!("load     {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);
    if let Some(signature) = kernel.signature() {
        println!("kernel   {signature}");
    }

    let stream = device.create_stream(StreamOptions::default())?;
    let x: Vec<f32> = (0..N).map(|i| i as f32 * 0.5).collect();
    let y: Vec<f32> = (0..N).map(|i| 1.0 - i as f32).collect();
    let dx = device.allocate(4 * N, Some(&stream))?;
    let dy = device.allocate(4 * N, Some(&stream))?;
    dx.copy_from_slice(&x, Some(&stream))?;
    dy.copy_from_slice(&y, Some(&stream))?;

    let a = 2.5f32;
    let config = LaunchConfig::for_elements(N as u32, 256);
    let start = stream.record(EventOptions::default())?;
    // SAFETY: both buffers hold N floats, and are freed in the stream's order.
    unsafe { kernel.launch(&stream, &config, &[&a, &dx, &dy, &N]) }?;
    let end = stream.record(EventOptions::default())?;
    let result = dy.to_vec::<f32>(Some(&stream))?;
    println!(
        "run      {:.3} ms for {N} elements",
        end.elapsed_ms(&start)?
    );

    let wrong = (0..N)
        .filter(|&i| result[i] != a.mul_add(x[i], y[i]))
        .count();
    println!(
        "result   {}",
        if wrong == 0 {
            "correct".to_owned()
        } else {
            format!("{wrong} of {N} are wrong")
        }
    );
    Ok(wrong == 0)
}
