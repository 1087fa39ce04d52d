//! Memory and events of other processes.

use crate::api::{driver_functions, put};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::driver;
use crate::ipc::Bytes;
use crate::ipc::event::SharedEvent;
use crate::memory::Kind;
use crate::streams::event::Event;
use crate::{current, fault};
use cuox_abi::{CUdeviceptr, CUevent, CUipcEventHandle, CUipcMemHandle};
use std::sync::Arc;

const LAZY_ENABLE_PEER_ACCESS: u32 = 1;

fn open_memory(pdptr: *mut CUdeviceptr, handle: Bytes, flags: u32) -> Res<u64> {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    if pdptr.is_null() || flags & !LAZY_ENABLE_PEER_ACCESS != 0 {
        return Err(INVALID_VALUE);
    }
    driver.memory.open_import(&handle, now.state.owner(), 0)
}

fn bytes(reserved: [core::ffi::c_char; 64]) -> Bytes {
    reserved.map(|c| c as u8)
}

fn chars(bytes: Bytes) -> [core::ffi::c_char; 64] {
    bytes.map(|b| b as core::ffi::c_char)
}

driver_functions! {
    fn cuIpcGetMemHandle(pHandle: *mut CUipcMemHandle, dptr: CUdeviceptr) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        if pHandle.is_null() {
            return Err(INVALID_VALUE);
        }
        if driver.memory.find(dptr).is_some_and(|found| found.kind != Kind::Device) {
            fault::explain("an IPC handle is to be had for memory of cuMemAlloc and cuMemAllocPitch only".into());
            return Err(INVALID_VALUE);
        }
        put(pHandle, CUipcMemHandle { reserved: chars(driver.memory.export(dptr)?) })
    }

    fn cuIpcOpenMemHandle_v2(pdptr: *mut CUdeviceptr, handle: CUipcMemHandle, Flags: u32) {
        put(pdptr, open_memory(pdptr, bytes(handle.reserved), Flags)?)
    }

    fn cuIpcOpenMemHandle(pdptr: *mut CUdeviceptr, handle: CUipcMemHandle, Flags: u32) {
        put(pdptr, open_memory(pdptr, bytes(handle.reserved), Flags)?)
    }

    fn cuIpcCloseMemHandle(dptr: CUdeviceptr) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        // Whoever works on it must be done.
        now.state.wait();
        if let Some(found) = driver.memory.find(dptr)
            && found.owner.context != now.handle()
            && let Ok(owner) = current::by_handle(driver, found.owner.context)
        {
            owner.state.wait();
        }
        driver.memory.close_import(dptr)
    }

    fn cuIpcGetEventHandle(pHandle: *mut CUipcEventHandle, event: CUevent) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        let event = driver.events.get(event.addr() as u64).ok_or(INVALID_HANDLE)?;
        let Some(shared) = &event.shared else {
            fault::explain("the event was made without CU_EVENT_INTERPROCESS".into());
            return Err(INVALID_HANDLE);
        };
        put(pHandle, CUipcEventHandle { reserved: chars(shared.handle()?) })
    }

    fn cuIpcOpenEventHandle(phEvent: *mut CUevent, handle: CUipcEventHandle) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        if phEvent.is_null() {
            return Err(INVALID_VALUE);
        }
        let shared = Arc::new(SharedEvent::open(&bytes(handle.reserved))?);
        let make = |handle| Event {
            handle,
            flags: Event::INTERPROCESS | Event::DISABLE_TIMING,
            context: now.handle(),
            latest: Default::default(),
            shared: Some(shared),
        };
        let made = driver.events.insert(make).ok_or(OUT_OF_MEMORY)?;
        put(phEvent, CUevent::from_addr(made.handle as usize))
    }
}
