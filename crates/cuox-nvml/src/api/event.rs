//! Sets of events. Devices have no events, and those of the system, that a device's driver is bound or unbound, do not
//! happen: waiting ends when its time has passed.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::find;
use crate::generated::{
    nvmlDevice_t, nvmlEventData_t, nvmlEventSet_t, nvmlSystemEventSet_t,
    nvmlSystemEventSetCreateRequest_t, nvmlSystemEventSetCreateRequest_v1,
    nvmlSystemEventSetFreeRequest_t, nvmlSystemEventSetFreeRequest_v1,
    nvmlSystemEventSetWaitRequest_t, nvmlSystemEventSetWaitRequest_v1,
    nvmlSystemEventTypeGpuDriverBind, nvmlSystemEventTypeGpuDriverUnbind,
    nvmlSystemRegisterEventRequest_t, nvmlSystemRegisterEventRequest_v1,
};
use crate::put::{put, versioned};

/// The sets that there are, by their handles, which are numbers: a wrong one is found out.
struct Sets {
    next: usize,
    live: BTreeSet<usize>,
}

static DEVICE_SETS: Mutex<Sets> = Mutex::new(Sets::starting_at(0x1000));
static SYSTEM_SETS: Mutex<Sets> = Mutex::new(Sets::starting_at(0x1008));

impl Sets {
    const fn starting_at(first: usize) -> Sets {
        Sets {
            next: first,
            live: BTreeSet::new(),
        }
    }

    fn create(&mut self) -> usize {
        let made = self.next;
        self.next += 16;
        self.live.insert(made);
        made
    }

    fn check(&self, handle: usize) -> Res {
        match self.live.contains(&handle) {
            true => Ok(()),
            false => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
        }
    }

    fn free(&mut self, handle: usize) -> Res {
        match self.live.remove(&handle) {
            true => Ok(()),
            false => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
        }
    }
}

fn locked(sets: &'static Mutex<Sets>) -> MutexGuard<'static, Sets> {
    sets.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits in vain.
fn wait(milliseconds: u32) -> Res {
    std::thread::sleep(Duration::from_millis(milliseconds.into()));
    Err(Code::NVML_ERROR_TIMEOUT)
}

nvml_functions! {
    fn nvmlDeviceGetSupportedEventTypes(device: nvmlDevice_t, eventTypes: *mut u64) {
        find(device)?;
        put(eventTypes, 0)
    }

    fn nvmlEventSetCreate(set: *mut nvmlEventSet_t) {
        if set.is_null() {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        put(set, nvmlEventSet_t::from_addr(locked(&DEVICE_SETS).create()))
    }

    fn nvmlDeviceRegisterEvents(device: nvmlDevice_t, eventTypes: u64, set: nvmlEventSet_t) {
        find(device)?;
        locked(&DEVICE_SETS).check(set.addr())?;
        match eventTypes {
            0 => Ok(()),
            _ => Err(Code::NVML_ERROR_NOT_SUPPORTED),
        }
    }

    fn nvmlEventSetWait(set: nvmlEventSet_t, data: *mut nvmlEventData_t, timeoutms: u32) {
        if data.is_null() {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        locked(&DEVICE_SETS).check(set.addr())?;
        wait(timeoutms)
    }

    fn nvmlEventSetWait_v2(set: nvmlEventSet_t, data: *mut nvmlEventData_t, timeoutms: u32) {
        if data.is_null() {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        locked(&DEVICE_SETS).check(set.addr())?;
        wait(timeoutms)
    }

    fn nvmlEventSetFree(set: nvmlEventSet_t) {
        locked(&DEVICE_SETS).free(set.addr())
    }

    fn nvmlSystemEventSetCreate(request: *mut nvmlSystemEventSetCreateRequest_t) {
        let request = versioned(request, nvmlSystemEventSetCreateRequest_v1)?;
        request.set = nvmlSystemEventSet_t::from_addr(locked(&SYSTEM_SETS).create());
        Ok(())
    }

    fn nvmlSystemRegisterEvents(request: *mut nvmlSystemRegisterEventRequest_t) {
        let request = versioned(request, nvmlSystemRegisterEventRequest_v1)?;
        locked(&SYSTEM_SETS).check(request.set.addr())?;
        let known = nvmlSystemEventTypeGpuDriverBind | nvmlSystemEventTypeGpuDriverUnbind;
        match request.eventTypes & !u64::from(known) {
            0 => Ok(()),
            _ => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
        }
    }

    fn nvmlSystemEventSetWait(request: *mut nvmlSystemEventSetWaitRequest_t) {
        let request = versioned(request, nvmlSystemEventSetWaitRequest_v1)?;
        if request.data.is_null() || request.dataSize == 0 {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        locked(&SYSTEM_SETS).check(request.set.addr())?;
        request.numEvent = 0;
        wait(request.timeoutms)
    }

    fn nvmlSystemEventSetFree(request: *mut nvmlSystemEventSetFreeRequest_t) {
        let request = versioned(request, nvmlSystemEventSetFreeRequest_v1)?;
        locked(&SYSTEM_SETS).free(request.set.addr())
    }
}
