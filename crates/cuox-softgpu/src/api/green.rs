//! Green contexts, and the resources of devices that they are made of.

use crate::api::context_event::{Of, is_in};
use crate::api::{driver_functions, list_of, put, put_if, stream};
use crate::code::{INVALID_HANDLE, INVALID_RESOURCE_TYPE, INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::driver::{self, Driver};
use crate::graphs::capture;
use crate::green::Green;
use crate::handle::HandleKind;
use crate::multiprocessors::Part;
use crate::{context, current, fault};
use cuox_abi::{
    CUcontext, CUdevResource, CUdevResourceDesc, CUdevResourceType, CUdevice, CUgreenCtx, CUstream,
};
use std::sync::Arc;

/// `CU_GREEN_CTX_DEFAULT_STREAM`.
const DEFAULT_STREAM: u32 = 1;
/// `CU_STREAM_NON_BLOCKING`.
const NON_BLOCKING: u32 = 1;
/// The low bits of a descriptor stay zero, as in a pointer; 0 is none.
const DESCRIPTOR_STEP: u64 = 16;

fn named(driver: &Driver, green: CUgreenCtx) -> Res<Arc<Green>> {
    match Of::green(driver, green)? {
        Of::Green(green) => Ok(green),
        Of::Plain(_) => Err(INVALID_HANDLE),
    }
}

fn check_type(kind: CUdevResourceType) -> Res {
    match kind {
        CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM => Ok(()),
        other => {
            fault::explain(format!(
                "the resources of a device are its multiprocessors (CU_DEV_RESOURCE_TYPE_SM), not those of type {}",
                other.0
            ));
            Err(INVALID_RESOURCE_TYPE)
        }
    }
}

/// The number of the set of multiprocessors that a descriptor stands for.
fn set_of(descriptor: CUdevResourceDesc) -> Res<u64> {
    let word = descriptor.addr() as u64;
    let is_one = word != 0 && word.is_multiple_of(DESCRIPTOR_STEP);
    is_one
        .then(|| word / DESCRIPTOR_STEP - 1)
        .ok_or(INVALID_VALUE)
}

/// Lets the primary context go that a green one has retained, unless it was reset meanwhile.
fn release(driver: &Driver, green: &Green) -> Res {
    if current::check_alive(driver, green).is_err() {
        return Ok(());
    }
    if let Some(gone) = driver.devices[green.base.state.device].primary.release()? {
        driver.end_context(&gone);
    }
    Ok(())
}

driver_functions! {
    fn cuDeviceGetDevResource(device: CUdevice, resource: *mut CUdevResource, type_: CUdevResourceType) {
        let driver = driver::get()?;
        let device = driver.device(device)?.ordinal;
        if resource.is_null() {
            return Err(INVALID_VALUE);
        }
        check_type(type_)?;
        put(resource, driver.resources.describe(driver.resources.of_device(device)))
    }

    fn cuCtxGetDevResource(hCtx: CUcontext, resource: *mut CUdevResource, type_: CUdevResourceType) {
        let driver = driver::get()?;
        let of = Of::context(driver, hCtx)?;
        if resource.is_null() {
            return Err(INVALID_VALUE);
        }
        check_type(type_)?;
        let number = match of {
            Of::Green(green) => green.resource,
            Of::Plain(context) => driver.resources.of_device(context.state.device),
        };
        put(resource, driver.resources.describe(number))
    }

    fn cuGreenCtxGetDevResource(hCtx: CUgreenCtx, resource: *mut CUdevResource, type_: CUdevResourceType) {
        let driver = driver::get()?;
        let green = named(driver, hCtx)?;
        if resource.is_null() {
            return Err(INVALID_VALUE);
        }
        check_type(type_)?;
        put(resource, driver.resources.describe(green.resource))
    }

    fn cuDevSmResourceSplitByCount(result: *mut CUdevResource, nbGroups: *mut u32, input: *const CUdevResource, remaining: *mut CUdevResource, useFlags: u32, minCount: u32) {
        let driver = driver::get()?;
        let input = input.as_ref().ok_or(INVALID_VALUE)?;
        if nbGroups.is_null() {
            return Err(INVALID_VALUE);
        }
        let (_, set) = driver.resources.named(input)?;
        let most = match (result.is_null(), nbGroups.read_unaligned()) {
            (true, _) => None,
            (false, 0) => return Err(INVALID_VALUE),
            (false, most) => Some(most),
        };
        let (parts, left) = driver.resources.split(&set, most, minCount, useFlags)?;
        put(nbGroups, parts.len() as u32)?;
        put_if(remaining, driver.resources.describe(left));
        if most.is_some() {
            for (at, part) in parts.into_iter().enumerate() {
                put(result.add(at), driver.resources.describe(part))?;
            }
        }
        Ok(())
    }

    fn cuDevResourceGenerateDesc(phDesc: *mut CUdevResourceDesc, resources: *mut CUdevResource, nbResources: u32) {
        let driver = driver::get()?;
        if phDesc.is_null() {
            return Err(INVALID_VALUE);
        }
        let set = driver.resources.union(list_of(resources, nbResources as usize)?)?;
        put(phDesc, CUdevResourceDesc::from_addr(((set + 1) * DESCRIPTOR_STEP) as usize))
    }

    fn cuGreenCtxCreate(phCtx: *mut CUgreenCtx, desc: CUdevResourceDesc, dev: CUdevice, flags: u32) {
        let driver = driver::get()?;
        let device = driver.device(dev)?;
        if phCtx.is_null() || flags != DEFAULT_STREAM {
            return Err(INVALID_VALUE);
        }
        let resource = set_of(desc)?;
        let multiprocessors = driver.resources.get(resource).ok_or(INVALID_VALUE)?;
        if multiprocessors.device != device.ordinal {
            fault::explain(format!(
                "the resources are of device {}, the green context is to be on device {}",
                multiprocessors.device, device.ordinal
            ));
            return Err(INVALID_VALUE);
        }
        device.primary.retain();
        let base = device.primary.active();
        let made = base.and_then(|base| driver.greens.insert(|handle| Green {
            part: Arc::new(Part {
                handle,
                id: context::next_id(),
                multiprocessors,
                barriers: Default::default(),
            }),
            base,
            resource,
        }));
        match made {
            Some(made) => put(phCtx, CUgreenCtx::from_addr(made.handle() as usize)),
            None => {
                if let Some(gone) = device.primary.release()? {
                    driver.end_context(&gone);
                }
                Err(OUT_OF_MEMORY)
            }
        }
    }

    fn cuGreenCtxDestroy(hCtx: CUgreenCtx) {
        let driver = driver::get()?;
        let gone = driver.greens.remove(hCtx.addr() as u64).ok_or(INVALID_HANDLE)?;
        // Work that is queued goes on; the program destroys the streams, which take no more.
        for stream in driver.streams.select(|stream| is_in(stream, &gone)) {
            capture::abandon(&stream);
        }
        release(driver, &gone)
    }

    fn cuGreenCtxGetId(greenCtx: CUgreenCtx, greenCtxId: *mut u64) {
        put(greenCtxId, named(driver::get()?, greenCtx)?.part.id)
    }

    fn cuCtxFromGreenCtx(pContext: *mut CUcontext, hCtx: CUgreenCtx) {
        let green = named(driver::get()?, hCtx)?;
        put(pContext, CUcontext::from_addr(green.as_context() as usize))
    }

    fn cuGreenCtxStreamCreate(phStream: *mut CUstream, greenCtx: CUgreenCtx, flags: u32, priority: i32) {
        let driver = driver::get()?;
        let green = named(driver, greenCtx)?;
        if phStream.is_null() || flags != NON_BLOCKING {
            return Err(INVALID_VALUE);
        }
        let base = green.base.clone();
        base.state.sticky.check()?;
        put(phStream, stream::create_in(driver, &base, Some(green.part.clone()), flags, priority)?)
    }

    fn cuStreamGetGreenCtx(hStream: CUstream, phCtx: *mut CUgreenCtx) {
        let driver = driver::get()?;
        let stream = current::stream(driver, hStream.addr() as u64)?;
        let green = current::green_of(driver, &stream).map_or(0, |green| green.handle());
        put(phCtx, CUgreenCtx::from_addr(green as usize))
    }

    fn cuStreamGetCtx_v2(hStream: CUstream, pCtx: *mut CUcontext, pGreenCtx: *mut CUgreenCtx) {
        let driver = driver::get()?;
        let stream = current::stream(driver, hStream.addr() as u64)?;
        let green = current::green_of(driver, &stream);
        let plain = if green.is_some() { 0 } else { stream.context.handle };
        put(pCtx, CUcontext::from_addr(plain as usize))?;
        put(pGreenCtx, CUgreenCtx::from_addr(green.map_or(0, |green| green.handle()) as usize))
    }
}

/// The id of a green context that is meant by a `CUcontext`.
pub(super) fn id_of(driver: &Driver, context: u64) -> Option<u64> {
    HandleKind::GreenAsContext
        .is_of(context)
        .then(|| current::green_by_context(driver, context))?
        .map(|green| green.part.id)
}
