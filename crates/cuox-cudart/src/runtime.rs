//! Devices and their primary contexts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use cuox_abi::{CUcontext, CUdevice, DriverTable};

use crate::driver;
use crate::error::{Check as _, Result};
use crate::generated::{cudaDeviceProp, cudaError};
use crate::thread;

/// A device of the driver's.
pub struct Device {
    pub ordinal: CUdevice,
    /// The primary context while this runtime holds it.
    primary: Mutex<Option<CUcontext>>,
    pub properties: OnceLock<Box<cudaDeviceProp>>,
}

/// The initialised driver and its devices.
pub struct Runtime {
    pub driver: &'static DriverTable,
    pub devices: Vec<Device>,
    /// Counts resets of devices: a thread that made sure of its context in another generation has to look again.
    generation: AtomicU64,
}

static RUNTIME: OnceLock<Result<Runtime>> = OnceLock::new();

/// The runtime; the first call initialises the driver.
#[inline]
pub fn runtime() -> Result<&'static Runtime> {
    match RUNTIME.get_or_init(start) {
        Ok(runtime) => Ok(runtime),
        Err(error) => Err(*error),
    }
}

fn start() -> Result<Runtime> {
    let driver = driver::driver()?;
    let mut count = 0;
    // SAFETY: the function writes to `count`.
    unsafe {
        driver.cuInit(0).check()?;
        driver.cuDeviceGetCount(&mut count).check()?;
    }
    if count < 1 {
        return Err(cudaError::cudaErrorNoDevice);
    }
    let device = |index| {
        let mut ordinal = 0;
        // SAFETY: the function writes to `ordinal`.
        unsafe { driver.cuDeviceGet(&mut ordinal, index).check()? };
        Ok(Device {
            ordinal,
            primary: Mutex::new(None),
            properties: OnceLock::new(),
        })
    };
    Ok(Runtime {
        driver,
        devices: (0..count).map(device).collect::<Result<_>>()?,
        generation: AtomicU64::new(1),
    })
}

/// The runtime, with a context that is current to the calling thread: the one that is, or else its device's primary
/// context.
#[inline]
pub fn current() -> Result<&'static Runtime> {
    let runtime = runtime()?;
    let mut context = CUcontext::null();
    // SAFETY: the function writes to `context`.
    unsafe { runtime.driver.cuCtxGetCurrent(&mut context).check()? };
    if context.is_null() || !runtime.sure() {
        runtime.make_sure(context)?;
    }
    Ok(runtime)
}

/// The runtime, for a call that fails by itself if the thread has no context. Threads that had one in this generation
/// are not asked again.
#[inline]
pub fn launching() -> Result<&'static Runtime> {
    let runtime = runtime()?;
    if runtime.sure() {
        Ok(runtime)
    } else {
        current()
    }
}

impl Device {
    fn primary(&self) -> MutexGuard<'_, Option<CUcontext>> {
        self.primary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The primary context, which is made if need be.
    pub fn retain(&self, driver: &DriverTable) -> Result<CUcontext> {
        let mut primary = self.primary();
        if let Some(context) = *primary {
            return Ok(context);
        }
        let mut context = CUcontext::null();
        // SAFETY: the function writes to `context`.
        unsafe {
            driver
                .cuDevicePrimaryCtxRetain(&mut context, self.ordinal)
                .check()?;
        }
        *primary = Some(context);
        Ok(context)
    }
}

impl Runtime {
    /// True if the thread has made sure of a context since the last reset.
    #[inline]
    fn sure(&self) -> bool {
        thread::generation() == self.generation.load(Ordering::Acquire)
    }

    #[cold]
    fn make_sure(&self, context: CUcontext) -> Result {
        let generation = self.generation.load(Ordering::Acquire);
        if context.is_null() {
            let primary = self.device(thread::device())?.retain(self.driver)?;
            // SAFETY: the context is alive.
            unsafe { self.driver.cuCtxSetCurrent(primary).check()? };
        } else if let Ok(device) = self.current_device() {
            // A primary context that was reset has to be retained again; another one is its owner's business.
            let mut flags = 0;
            let mut active = 1;
            // SAFETY: the function writes to both.
            let state = unsafe {
                self.driver
                    .cuDevicePrimaryCtxGetState(device.ordinal, &mut flags, &mut active)
            };
            if state.check().is_ok() && active == 0 {
                let primary = device.retain(self.driver)?;
                if primary != context {
                    // SAFETY: the context is alive.
                    unsafe { self.driver.cuCtxSetCurrent(primary).check()? };
                }
            }
        }
        thread::set_generation(generation);
        Ok(())
    }

    /// The context that is current to the thread.
    pub fn context(&self) -> Result<CUcontext> {
        let mut context = CUcontext::null();
        // SAFETY: the function writes to `context`.
        unsafe { self.driver.cuCtxGetCurrent(&mut context).check()? };
        Ok(context)
    }

    /// The device with this number.
    pub fn device(&self, ordinal: i32) -> Result<&Device> {
        let index = usize::try_from(ordinal).ok();
        index
            .and_then(|index| self.devices.get(index))
            .ok_or(cudaError::cudaErrorInvalidDevice)
    }

    /// The number of the device that calls of this thread mean.
    pub fn current_ordinal(&self) -> Result<i32> {
        let mut context = CUcontext::null();
        // SAFETY: the function writes to `context`.
        unsafe { self.driver.cuCtxGetCurrent(&mut context).check()? };
        if context.is_null() {
            return Ok(thread::device());
        }
        // Programs ask so often that a second call of the driver counts: PyTorch five times for each allocation.
        let mut devices = self.devices.iter();
        if let Some(index) = devices.position(|known| *known.primary() == Some(context)) {
            return i32::try_from(index).map_err(|_| cudaError::cudaErrorInvalidDevice);
        }
        let mut device = 0;
        // SAFETY: the function writes to `device`.
        unsafe { self.driver.cuCtxGetDevice(&mut device).check()? };
        let index = self
            .devices
            .iter()
            .position(|known| known.ordinal == device);
        index
            .and_then(|index| i32::try_from(index).ok())
            .ok_or(cudaError::cudaErrorInvalidDevice)
    }

    /// The device that calls of this thread mean.
    pub fn current_device(&self) -> Result<&Device> {
        self.device(self.current_ordinal()?)
    }

    /// Makes a device's primary context current to the thread.
    pub fn set_device(&self, ordinal: i32) -> Result {
        let primary = self.device(ordinal)?.retain(self.driver)?;
        // SAFETY: the context is alive.
        unsafe { self.driver.cuCtxSetCurrent(primary).check()? };
        thread::set_device(ordinal);
        thread::set_generation(self.generation.load(Ordering::Acquire));
        Ok(())
    }

    /// Waits for all devices. Nobody is left to be told of failures.
    pub fn finish(&self) {
        let mut before = CUcontext::null();
        // SAFETY: the contexts are alive while this runtime holds them.
        unsafe {
            let _ = self.driver.cuCtxGetCurrent(&mut before);
            for device in &self.devices {
                let Some(primary) = *device.primary() else {
                    continue;
                };
                if self.driver.cuCtxSetCurrent(primary).check().is_ok() {
                    let _ = self.driver.cuCtxSynchronize();
                }
            }
            let _ = self.driver.cuCtxSetCurrent(before);
        }
    }

    /// Destroys what the current device's primary context holds.
    pub fn reset(&self) -> Result {
        let device = self.current_device()?;
        let mut primary = device.primary();
        // Threads look again from now on, also those that fail in between.
        self.generation.fetch_add(1, Ordering::AcqRel);
        // SAFETY: plain numbers.
        let result = unsafe { self.driver.cuDevicePrimaryCtxReset_v2(device.ordinal) };
        // The reset gave up what was retained, so the next call that needs the context retains it again.
        *primary = None;
        self.generation.fetch_add(1, Ordering::AcqRel);
        result.check()
    }
}
