//! Runs one kernel on a GPU and on the software GPU, both open in this process, and compares the results bit by bit.
//!
//! ```text
//! cargo build -p cuox-libcuda && cargo run -p cuox --example both
//! ```

use std::process::ExitCode;

use cuox::{CodeFormat, Device, Driver, LaunchConfig, Program, Result, StreamOptions};

const SOURCE: &str = r#"
extern "C" __global__ void orbit(const float *start, float *end, unsigned steps, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = start[i], v = 0.0f;
    for (unsigned s = 0; s < steps; s++) {
        v -= 0.01f * x / sqrtf(1.0f + x * x);
        x += 0.01f * v;
    }
    end[i] = x;
}
"#;

const N: usize = 10_000;

fn on(device: Device) -> Result<Vec<f32>> {
    let compiled = Program::new(SOURCE, "orbit.cu").compile(CodeFormat::Ptx, Some(device), &[])?;
    let kernel = compiled.code.kernel(device, "orbit")?;
    let stream = device.create_stream(StreamOptions::default())?;
    let start: Vec<f32> = (0..N).map(|i| i as f32 / 100.0).collect();
    let from = device.allocate(4 * N, Some(&stream))?;
    let to = device.allocate(4 * N, Some(&stream))?;
    from.copy_from_slice(&start, Some(&stream))?;
    let config = LaunchConfig::for_elements(N as u32, 128);
    // SAFETY: both buffers hold N floats, and are freed in the stream's order.
    unsafe { kernel.launch(&stream, &config, &[&from, &to, &1000u32, &N]) }?;
    to.to_vec(Some(&stream))
}

fn run() -> Result<bool> {
    let gpu = Device::of(Driver::nvidia()?, 0)?;
    let soft = Device::of(Driver::soft()?, 0)?;
    println!("{}: {}", gpu.name(), gpu.driver().path().display());
    println!("{}: {}", soft.name(), soft.driver().path().display());
    let (a, b) = (on(gpu)?, on(soft)?);
    let different = a
        .iter()
        .zip(&b)
        .filter(|(a, b)| a.to_bits() != b.to_bits())
        .count();
    println!("{different} of {N} results differ");
    Ok(different == 0)
}

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
