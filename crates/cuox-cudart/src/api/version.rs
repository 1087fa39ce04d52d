//! Versions of the driver and of this runtime.

use crate::api::convert::out;
use crate::driver::driver;
use crate::error::{Check as _, Result};
use crate::generated::CUDART_VERSION;

pub unsafe fn cudaDriverGetVersion(driverVersion: *mut i32) -> Result {
    let version = out(driverVersion)?;
    match driver() {
        // SAFETY: the caller gives a pointer that may be written to.
        Ok(driver) => unsafe { driver.cuDriverGetVersion(version).check() },
        Err(_) => {
            // There is no driver, which the runtime API says with a 0.
            // SAFETY: as above.
            unsafe { version.write(0) };
            Ok(())
        }
    }
}

pub unsafe fn cudaRuntimeGetVersion(runtimeVersion: *mut i32) -> Result {
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { out(runtimeVersion)?.write(CUDART_VERSION) };
    Ok(())
}
