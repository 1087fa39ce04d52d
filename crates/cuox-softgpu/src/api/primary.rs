//! The device's primary context.

use crate::api::{check_device, driver_functions, put};
use crate::code::INVALID_VALUE;
use crate::context::{self, PRIMARY_HANDLE};
use crate::driver;
use cuox_abi::{CUcontext, CUdevice};

fn release(dev: CUdevice) -> crate::code::Res {
    let driver = driver::get()?;
    check_device(dev)?;
    if let Some(gone) = driver.primary.release()? {
        driver.end_context(&gone);
    }
    Ok(())
}

fn reset(dev: CUdevice) -> crate::code::Res {
    let driver = driver::get()?;
    check_device(dev)?;
    if let Some(gone) = driver.primary.reset() {
        driver.end_context(&gone);
    }
    Ok(())
}

fn set_flags(dev: CUdevice, flags: u32) -> crate::code::Res {
    let driver = driver::get()?;
    check_device(dev)?;
    if flags & !context::FLAGS != 0 {
        return Err(INVALID_VALUE);
    }
    driver.primary.set_flags(flags);
    Ok(())
}

driver_functions! {
    fn cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice) {
        let driver = driver::get()?;
        check_device(dev)?;
        put(pctx, CUcontext::from_addr(PRIMARY_HANDLE as usize))?;
        driver.primary.retain();
        Ok(())
    }

    fn cuDevicePrimaryCtxRelease(dev: CUdevice) { release(dev) }

    fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice) { release(dev) }

    fn cuDevicePrimaryCtxReset(dev: CUdevice) { reset(dev) }

    fn cuDevicePrimaryCtxReset_v2(dev: CUdevice) { reset(dev) }

    fn cuDevicePrimaryCtxSetFlags(dev: CUdevice, flags: u32) { set_flags(dev, flags) }

    fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: u32) { set_flags(dev, flags) }

    fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut u32, active: *mut i32) {
        let driver = driver::get()?;
        check_device(dev)?;
        let (now, is_active) = driver.primary.state();
        put(flags, now)?;
        put(active, i32::from(is_active))
    }
}
