//! saxpy by cust, which is linked with `libcuda.so`.

use std::error::Error;

use cust::prelude::*;

const N: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let _context = cust::quick_init()?;
    let module = Module::from_ptx(include_str!("../../saxpy.ptx"), &[])?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;
    let saxpy = module.get_function("saxpy")?;
    let (_, block) = saxpy.suggested_launch_configuration(0, 0.into())?;
    let grid = (N as u32).div_ceil(block);

    let host: Vec<f32> = (0..N).map(|i| i as f32).collect();
    let x = DeviceBuffer::from_slice(&host)?;
    let y = DeviceBuffer::from_slice(&vec![1.0f32; N])?;
    for _ in 0..3 {
        // SAFETY: the arguments are the kernel's, and the vectors have N elements.
        unsafe {
            launch!(saxpy<<<grid, block, 0, stream>>>(2.0f32, x.as_device_ptr(), y.as_device_ptr(), N as i32))?;
        }
    }
    let done = Event::new(EventFlags::DEFAULT)?;
    done.record(&stream)?;
    done.synchronize()?;
    let mut result = vec![0.0f32; N];
    y.copy_to(&mut result)?;
    assert!(result.iter().enumerate().all(|(i, &v)| v == 6.0 * i as f32 + 1.0));
    assert!(module.get_function("no_such_kernel").is_err());
    println!("cust: {} elements on {}: OK", result.len(), Device::get_device(0)?.name()?);
    Ok(())
}
