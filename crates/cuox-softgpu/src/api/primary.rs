//! The devices' primary contexts.

use crate::api::{driver_functions, put};
use crate::code::{INVALID_VALUE, NOT_PERMITTED};
use crate::driver;
use crate::{context, current, fault};
use cuox_abi::{CUcontext, CUdevice};

fn release(dev: CUdevice) -> crate::code::Res {
    let driver = driver::get()?;
    if let Some(gone) = driver.device(dev)?.primary.release()? {
        driver.end_context(&gone);
    }
    Ok(())
}

fn reset(dev: CUdevice) -> crate::code::Res {
    let driver = driver::get()?;
    let device = driver.device(dev)?;
    let greens = driver.greens.select(|green| {
        green.base.state.device == device.ordinal && current::check_alive(driver, green).is_ok()
    });
    if !greens.is_empty() {
        fault::explain(format!(
            "{} green contexts of the device are alive: destroy them first (cuGreenCtxDestroy)",
            greens.len()
        ));
        return Err(NOT_PERMITTED);
    }
    if let Some(gone) = device.primary.reset() {
        driver.end_context(&gone);
    }
    Ok(())
}

fn set_flags(dev: CUdevice, flags: u32) -> crate::code::Res {
    let driver = driver::get()?;
    let device = driver.device(dev)?;
    if flags & !context::FLAGS != 0 {
        return Err(INVALID_VALUE);
    }
    device.primary.set_flags(flags);
    Ok(())
}

driver_functions! {
    fn cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice) {
        let primary = &driver::get()?.device(dev)?.primary;
        put(pctx, CUcontext::from_addr(primary.handle() as usize))?;
        primary.retain();
        Ok(())
    }

    fn cuDevicePrimaryCtxRelease(dev: CUdevice) { release(dev) }

    fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice) { release(dev) }

    fn cuDevicePrimaryCtxReset(dev: CUdevice) { reset(dev) }

    fn cuDevicePrimaryCtxReset_v2(dev: CUdevice) { reset(dev) }

    fn cuDevicePrimaryCtxSetFlags(dev: CUdevice, flags: u32) { set_flags(dev, flags) }

    fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: u32) { set_flags(dev, flags) }

    fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut u32, active: *mut i32) {
        let (now, is_active) = driver::get()?.device(dev)?.primary.state();
        put(flags, now)?;
        put(active, i32::from(is_active))
    }
}
