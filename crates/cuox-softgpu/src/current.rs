//! The context and the stream that a call means: those of a handle, or of the calling thread.

use crate::code::{CONTEXT_IS_DESTROYED, INVALID_CONTEXT, INVALID_HANDLE, Res};
use crate::context::{self, Context, STREAM_LEGACY, STREAM_PER_THREAD};
use crate::driver::{Device, Driver};
use crate::green::Green;
use crate::handle::HandleKind;
use crate::loading::module::Function;
use crate::multiprocessors::Multiprocessors;
use crate::streams::stream::Stream;
use crate::thread;
use std::sync::Arc;

/// The calling thread's context.
pub fn context(driver: &Driver) -> Res<Arc<Context>> {
    match thread::top() {
        0 => Err(INVALID_CONTEXT),
        handle => by_handle(driver, handle).map_err(|_| CONTEXT_IS_DESTROYED),
    }
}

/// The calling thread's context, if it has no error.
pub fn healthy(driver: &Driver) -> Res<Arc<Context>> {
    let context = context(driver)?;
    context.state.sticky.check()?;
    Ok(context)
}

/// The calling thread's context, or where it has none that of an object that a call frees, if it has no error: NVIDIA's
/// driver frees objects without a current context.
pub fn healthy_or_owner(driver: &Driver, owner: u64) -> Res<Arc<Context>> {
    let context = match thread::top() {
        0 => by_handle(driver, owner)?,
        _ => context(driver)?,
    };
    context.state.sticky.check()?;
    Ok(context)
}

/// The context with that handle.
pub fn by_handle(driver: &Driver, handle: u64) -> Res<Arc<Context>> {
    match of_primary(driver, handle) {
        Some(device) => device.primary.active().ok_or(CONTEXT_IS_DESTROYED),
        None if HandleKind::GreenAsContext.is_of(handle) => {
            let green = green_by_context(driver, handle).ok_or(INVALID_CONTEXT)?;
            check_alive(driver, &green)?;
            Ok(green.base.clone())
        }
        None => driver.contexts.get(handle).ok_or(INVALID_CONTEXT),
    }
}

/// The green context that has that handle as a `CUcontext`.
pub fn green_by_context(driver: &Driver, handle: u64) -> Option<Arc<Green>> {
    if !HandleKind::GreenAsContext.is_of(handle) {
        return None;
    }
    driver
        .greens
        .get(HandleKind::GreenContext.with_rest_of(handle))
}

/// Refuses a green context whose primary context was reset.
pub fn check_alive(driver: &Driver, green: &Green) -> Res {
    let device = driver.devices.get(green.base.state.device);
    let active = device.and_then(|device| device.primary.active());
    let is_alive = active.is_some_and(|active| Arc::ptr_eq(&active, &green.base));
    is_alive.then_some(()).ok_or(CONTEXT_IS_DESTROYED)
}

/// The green context that a stream is of: a default stream is of the one that is current.
pub fn green_of(driver: &Driver, stream: &Stream) -> Option<Arc<Green>> {
    match stream.handle {
        STREAM_LEGACY | STREAM_PER_THREAD => green_by_context(driver, thread::top()),
        _ => driver.greens.get(stream.green.as_ref()?.handle),
    }
}

/// The multiprocessors that kernels in a stream run on, if these are not all.
pub fn part_of(driver: &Driver, stream: &Stream) -> Option<Arc<Multiprocessors>> {
    match stream.handle {
        STREAM_LEGACY | STREAM_PER_THREAD => {
            let green = green_by_context(driver, thread::top())?;
            Some(green.part.multiprocessors.clone())
        }
        _ => Some(stream.green.as_ref()?.multiprocessors.clone()),
    }
}

/// The number of multiprocessors of the context that is current, or of the device.
pub fn multiprocessors(driver: &Driver) -> u32 {
    let green = green_by_context(driver, thread::top());
    green.map_or_else(cuox_simt::multiprocessors, |green| {
        green.part.multiprocessors.numbers.len() as u32
    })
}

/// The device whose primary context has that handle.
pub fn of_primary(driver: &Driver, handle: u64) -> Option<&Device> {
    driver.devices.get(context::device_of_primary(handle)?)
}

/// The device of the context with that handle, which a thread may make current: a primary context need not be active.
pub fn device_of(driver: &Driver, handle: u64) -> Res<usize> {
    match of_primary(driver, handle) {
        Some(device) => Ok(device.ordinal),
        None => Ok(by_handle(driver, handle)?.state.device),
    }
}

/// The function that a call means in a context of a device: a library's kernel has one on each device.
pub fn function(driver: &Driver, named: Arc<Function>, device: usize) -> Res<Arc<Function>> {
    if !named.of_any_device {
        return Ok(named);
    }
    named.on_device(device, || {
        let module = driver.modules.get(named.module).ok_or(INVALID_HANDLE)?;
        let library = driver.libraries.get(module.library());
        let library = library.ok_or(INVALID_HANDLE)?;
        let module = library.on_device(&driver.memory, &driver.modules, device)?;
        let handle = module.function(&driver.functions, &named.name)?;
        driver.functions.get(handle).ok_or(INVALID_HANDLE)
    })
}

/// The stream with that handle.
pub fn stream(driver: &Driver, handle: u64) -> Res<Arc<Stream>> {
    match handle {
        0 => Ok(context(driver)?.default_stream()),
        STREAM_LEGACY => Ok(context(driver)?.legacy_stream()),
        STREAM_PER_THREAD => Ok(context(driver)?.per_thread_stream()),
        _ => {
            let stream = driver.streams.get(handle).ok_or(INVALID_HANDLE)?;
            check_green(driver, &stream)?;
            Ok(stream)
        }
    }
}

/// Refuses a stream whose green context was destroyed.
pub fn check_green(driver: &Driver, stream: &Stream) -> Res {
    match &stream.green {
        Some(green) if driver.greens.get(green.handle).is_none() => Err(CONTEXT_IS_DESTROYED),
        _ => Ok(()),
    }
}
