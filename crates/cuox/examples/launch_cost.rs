//! The cost of this crate on top of the driver's own calls: each line times the C call through the function table and
//! the same work through the safe objects, in one run. Medians of 15 rounds.
//!
//! ```text
//! cargo run --release -p cuox --example launch_cost
//! ```

use std::ffi::c_void;
use std::process::ExitCode;
use std::time::Instant;

use cuox::driver::sys::{CUcontext, CUdeviceptr};
use cuox::{Device, EventOptions, LaunchConfig, ObjectCode, Result, StreamOptions};

const PTX: &str = ".version 7.0\n.target sm_70\n.address_size 64\n\
    .visible .entry empty4(.param .f32 a, .param .u64 b, .param .u64 c, .param .u32 d)\n{\n ret;\n}\n";

/// Median nanoseconds of a call.
fn median(
    inner: u32,
    wait: &dyn Fn() -> Result<()>,
    call: &mut dyn FnMut() -> Result<()>,
) -> Result<f64> {
    let mut rounds = Vec::new();
    for _ in 0..15 {
        wait()?;
        let begin = Instant::now();
        for _ in 0..inner {
            call()?;
        }
        rounds.push(begin.elapsed().as_secs_f64() * 1e9 / f64::from(inner));
    }
    wait()?;
    rounds.sort_by(f64::total_cmp);
    Ok(rounds[rounds.len() / 2])
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let device = Device::get(0)?;
    println!("{}", device.name());
    let kernel = ObjectCode::from_ptx(PTX).kernel(device, "empty4")?;
    let stream = device.create_stream(StreamOptions::default())?;
    let (x, y) = (
        device.allocate(1 << 20, None)?,
        device.allocate(1 << 20, None)?,
    );
    let event = stream.record(EventOptions {
        timing: true,
        ..EventOptions::default()
    })?;
    let table = device.driver().table();
    let wait = || stream.sync();
    let row = |what: &str, c: f64, ours: f64| {
        println!(
            "{what:<28} C {c:8.0} ns   cuox {ours:8.0} ns   +{:.0}",
            ours - c
        )
    };

    let (mut a, mut px, mut py, mut n) = (1.0f32, x.ptr(), y.ptr(), 128i32);
    let mut pointers: [*mut c_void; 4] = [
        (&raw mut a).cast(),
        (&raw mut px).cast(),
        (&raw mut py).cast(),
        (&raw mut n).cast(),
    ];
    let config = LaunchConfig::new(1, 32);
    let mut raw_launch = || {
        // SAFETY: the kernel touches nothing, and the pointers are to live locals of its types.
        unsafe {
            table.cuLaunchKernel(
                kernel.function(),
                1,
                1,
                1,
                32,
                1,
                1,
                0,
                stream.raw(),
                pointers.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        Ok(())
    };
    // SAFETY: the kernel touches nothing.
    let mut safe_launch =
        || unsafe { kernel.launch(&stream, &config, &[&1.0f32, &x, &y, &128i32]) };
    for _ in 0..2000 {
        safe_launch()?;
    }
    let (c, ours) = (
        median(500, &wait, &mut raw_launch)?,
        median(500, &wait, &mut safe_launch)?,
    );
    row("launch, 4 arguments", c, ours);

    let c = median(500, &wait, &mut || {
        // SAFETY: event and stream are alive.
        unsafe { table.cuEventRecord(event.raw(), stream.raw()) };
        Ok(())
    })?;
    row(
        "event record",
        c,
        median(500, &wait, &mut || event.record(&stream))?,
    );

    drop(device.allocate(1 << 20, Some(&stream))?);
    let c = median(500, &wait, &mut || {
        let mut pointer: CUdeviceptr = 0;
        // SAFETY: the pointer is to a live local and freed once.
        unsafe {
            table.cuMemAllocAsync(&mut pointer, 1 << 20, stream.raw());
            table.cuMemFreeAsync(pointer, stream.raw());
        }
        Ok(())
    })?;
    row(
        "allocate + free 1 MB",
        c,
        median(500, &wait, &mut || {
            device.allocate(1 << 20, Some(&stream)).map(drop)
        })?,
    );

    let mut current = CUcontext::null();
    let c = median(5000, &wait, &mut || {
        // SAFETY: the pointer is to a live local.
        unsafe { table.cuCtxGetCurrent(&mut current) };
        Ok(())
    })?;
    let context = stream.context();
    row(
        "current context",
        c,
        median(5000, &wait, &mut || context.bind())?,
    );

    let mut host = [0u8; 4];
    let c = median(200, &wait, &mut || {
        // SAFETY: both sides hold 4 bytes.
        unsafe { table.cuMemcpyHtoD_v2(x.ptr(), host.as_ptr().cast(), 4) };
        Ok(())
    })?;
    row(
        "copy 4 bytes to the device",
        c,
        median(200, &wait, &mut || x.copy_from_slice(&host, None))?,
    );
    let c = median(200, &wait, &mut || {
        // SAFETY: both sides hold 4 bytes.
        unsafe { table.cuMemcpyDtoH_v2(host.as_mut_ptr().cast(), x.ptr(), 4) };
        Ok(())
    })?;
    let mut back = [0u8; 4];
    row(
        "copy 4 bytes to the host",
        c,
        median(200, &wait, &mut || x.copy_to_slice(&mut back, None))?,
    );

    let c = median(200, &wait, &mut || {
        // SAFETY: the stream is alive.
        unsafe { table.cuStreamSynchronize(stream.raw()) };
        Ok(())
    })?;
    row(
        "stream sync, idle",
        c,
        median(200, &wait, &mut || stream.sync_with(&mut || false))?,
    );
    let c = median(200, &wait, &mut || {
        // SAFETY: the context is current.
        unsafe { table.cuCtxSynchronize() };
        Ok(())
    })?;
    row(
        "context sync, idle",
        c,
        median(200, &wait, &mut || context.sync_with(&mut || false))?,
    );
    let c = median(200, &wait, &mut || {
        raw_launch()?;
        // SAFETY: the stream is alive.
        unsafe { table.cuStreamSynchronize(stream.raw()) };
        Ok(())
    })?;
    let ours = median(200, &wait, &mut || {
        safe_launch()?;
        stream.sync_with(&mut || false)
    })?;
    row("launch + stream sync", c, ours);
    Ok(())
}
