//! Memsets.

use crate::api::driver_functions;
use crate::api::peer::check_access;
use crate::code::{INVALID_VALUE, Res};
use crate::current;
use crate::driver::{self, Driver};
use crate::graphs::capture;
use crate::streams::geometry::{CopySide, Fill};
use crate::streams::stream_op::StreamOp;
use crate::streams::transfer;
use cuox_abi::{CUdeviceptr, CUstream};

pub(super) fn checked(driver: &Driver, fill: Fill) -> Res<Fill> {
    let width = fill.count.checked_mul(fill.size).ok_or(INVALID_VALUE)?;
    if !fill.at.is_multiple_of(fill.size) || (fill.height > 1 && fill.pitch < width) {
        return Err(INVALID_VALUE);
    }
    let side = CopySide {
        at: fill.at,
        pitch: fill.pitch,
        slice: 0,
    };
    let span = side.span(width, fill.height, 1).ok_or(INVALID_VALUE)?;
    driver.memory.check_device(fill.at, span)?;
    Ok(fill)
}

fn now(fill: Fill) -> Res {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    if fill.count == 0 || fill.height == 0 {
        return Ok(());
    }
    let fill = checked(driver, fill)?;
    check_access(driver, &now.state, fill.at)?;
    transfer::fill_sync(&now, &fill)
}

fn later(fill: Fill, stream: CUstream) -> Res {
    let driver = driver::get()?;
    let stream = current::stream(driver, stream.addr() as u64)?;
    stream.context.sticky.check()?;
    if fill.count == 0 || fill.height == 0 {
        return Ok(());
    }
    let fill = checked(driver, fill)?;
    check_access(driver, &stream.context, fill.at)?;
    capture::submit(&stream, StreamOp::Fill(fill)).map(drop)
}

fn row(at: u64, size: u64, value: u32, count: usize) -> Fill {
    rows(at, 0, size, value, count, 1)
}

fn rows(at: u64, pitch: usize, size: u64, value: u32, count: usize, height: usize) -> Fill {
    Fill {
        at,
        pitch: pitch as u64,
        count: count as u64,
        height: height as u64,
        size,
        value,
    }
}

driver_functions! {
    fn cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: u8, N: usize) { now(row(dstDevice, 1, uc.into(), N)) }

    fn cuMemsetD16_v2(dstDevice: CUdeviceptr, us: u16, N: usize) { now(row(dstDevice, 2, us.into(), N)) }

    fn cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: u32, N: usize) { now(row(dstDevice, 4, ui, N)) }

    fn cuMemsetD2D8_v2(dstDevice: CUdeviceptr, dstPitch: usize, uc: u8, Width: usize, Height: usize) {
        now(rows(dstDevice, dstPitch, 1, uc.into(), Width, Height))
    }

    fn cuMemsetD2D16_v2(dstDevice: CUdeviceptr, dstPitch: usize, us: u16, Width: usize, Height: usize) {
        now(rows(dstDevice, dstPitch, 2, us.into(), Width, Height))
    }

    fn cuMemsetD2D32_v2(dstDevice: CUdeviceptr, dstPitch: usize, ui: u32, Width: usize, Height: usize) {
        now(rows(dstDevice, dstPitch, 4, ui, Width, Height))
    }

    fn cuMemsetD8Async(dstDevice: CUdeviceptr, uc: u8, N: usize, hStream: CUstream) {
        later(row(dstDevice, 1, uc.into(), N), hStream)
    }

    fn cuMemsetD16Async(dstDevice: CUdeviceptr, us: u16, N: usize, hStream: CUstream) {
        later(row(dstDevice, 2, us.into(), N), hStream)
    }

    fn cuMemsetD32Async(dstDevice: CUdeviceptr, ui: u32, N: usize, hStream: CUstream) {
        later(row(dstDevice, 4, ui, N), hStream)
    }

    fn cuMemsetD2D8Async(dstDevice: CUdeviceptr, dstPitch: usize, uc: u8, Width: usize, Height: usize, hStream: CUstream) {
        later(rows(dstDevice, dstPitch, 1, uc.into(), Width, Height), hStream)
    }

    fn cuMemsetD2D16Async(dstDevice: CUdeviceptr, dstPitch: usize, us: u16, Width: usize, Height: usize, hStream: CUstream) {
        later(rows(dstDevice, dstPitch, 2, us.into(), Width, Height), hStream)
    }

    fn cuMemsetD2D32Async(dstDevice: CUdeviceptr, dstPitch: usize, ui: u32, Width: usize, Height: usize, hStream: CUstream) {
        later(rows(dstDevice, dstPitch, 4, ui, Width, Height), hStream)
    }
}
