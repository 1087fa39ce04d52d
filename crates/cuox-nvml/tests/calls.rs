//! The functions as C calls them.

use core::ffi::{CStr, c_char};
use core::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nvidia_ml::exports::*;
use nvidia_ml::generated::*;

/// The count of initialisations is the process's.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const INVALID: nvmlReturn_t = NVML_ERROR_INVALID_ARGUMENT;

fn with_device(body: impl FnOnce(nvmlDevice_t)) {
    let _alone = alone();
    let mut device = nvmlDevice_t::null();
    // SAFETY: a place for a handle.
    unsafe {
        assert_eq!(nvmlInit_v2(), NVML_SUCCESS);
        assert_eq!(nvmlDeviceGetHandleByIndex_v2(0, &mut device), NVML_SUCCESS);
        body(device);
        assert_eq!(nvmlShutdown(), NVML_SUCCESS);
    }
}

fn text(bytes: &[c_char]) -> String {
    // SAFETY: callers' buffers end with a zero byte.
    let text = unsafe { CStr::from_ptr(bytes.as_ptr()) };
    text.to_str().unwrap().to_owned()
}

#[test]
fn initialisations_are_counted() {
    let _alone = alone();
    let mut count = 0;
    // SAFETY: a place for a number.
    unsafe {
        assert_eq!(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
        assert_eq!(nvmlDeviceGetCount_v2(&mut count), NVML_ERROR_UNINITIALIZED);
        // Also what nobody implements.
        let early = nvmlDeviceGetPowerUsage(nvmlDevice_t::null(), null_mut());
        assert_eq!(early, NVML_ERROR_UNINITIALIZED);
        for _ in 0..3 {
            assert_eq!(nvmlInit_v2(), NVML_SUCCESS);
        }
        for _ in 0..2 {
            assert_eq!(nvmlShutdown(), NVML_SUCCESS);
            assert_eq!(nvmlDeviceGetCount_v2(&mut count), NVML_SUCCESS);
        }
        assert!(count >= 1);
        assert_eq!(nvmlShutdown(), NVML_SUCCESS);
        assert_eq!(nvmlDeviceGetCount_v2(&mut count), NVML_ERROR_UNINITIALIZED);
        let mut version = 0;
        let early = nvmlSystemGetCudaDriverVersion_v2(&mut version);
        assert_eq!(early, NVML_ERROR_UNINITIALIZED);
        assert_eq!(nvmlInit_v2(), NVML_SUCCESS);
        assert_eq!(
            nvmlSystemGetCudaDriverVersion_v2(&mut version),
            NVML_SUCCESS
        );
        assert_eq!(version, 13000);
        assert_eq!(nvmlShutdown(), NVML_SUCCESS);
    }
}

#[test]
fn all_codes_have_texts() {
    let mut seen = std::collections::BTreeSet::new();
    for &(code, name) in RESULT_NAMES {
        // SAFETY: nothing is pointed to but the library's text.
        let text = unsafe { CStr::from_ptr(nvmlErrorString(nvmlReturn_t(code))) };
        assert!(seen.insert(text), "{name:?}: {text:?}");
    }
    // SAFETY: as above.
    let unknown = unsafe { CStr::from_ptr(nvmlErrorString(nvmlReturn_t(12345))) };
    assert_eq!(unknown, c"Unknown Error");
}

#[test]
fn devices_are_found_in_every_way() {
    with_device(|device| {
        let (mut uuid, mut pci) = ([0; 96], nvmlPciInfo_t::default());
        let mut found = nvmlDevice_t::null();
        // SAFETY: places with room for what is written, and C strings.
        unsafe {
            assert_eq!(
                nvmlDeviceGetUUID(device, uuid.as_mut_ptr(), 96),
                NVML_SUCCESS
            );
            assert_eq!(
                nvmlDeviceGetHandleByUUID(uuid.as_ptr(), &mut found),
                NVML_SUCCESS
            );
            assert_eq!(found, device);
            let short = nvmlDeviceGetUUID(device, uuid.as_mut_ptr(), 8);
            assert_eq!(short, NVML_ERROR_INSUFFICIENT_SIZE);
            let none = nvmlDeviceGetHandleByUUID(c"GPU-0".as_ptr(), &mut found);
            assert_eq!(none, NVML_ERROR_NOT_FOUND);
            assert_eq!(nvmlDeviceGetHandleByUUID(null(), &mut found), INVALID);

            assert_eq!(nvmlDeviceGetPciInfo_v3(device, &mut pci), NVML_SUCCESS);
            assert_eq!(text(&pci.busId), "00000000:01:00.0");
            let place = nvmlDeviceGetHandleByPciBusId_v2(pci.busId.as_ptr(), &mut found);
            assert_eq!((place, found), (NVML_SUCCESS, device));

            let mut value = nvmlUUID_t {
                version: nvmlUUID_v1,
                type_: NVML_UUID_TYPE_BINARY.0,
                ..Default::default()
            };
            value.value.bytes = *b"cuox-soft-gpu-\x39\x30";
            let binary = nvmlDeviceGetHandleByUUIDV(&value, &mut found);
            assert_eq!((binary, found), (NVML_SUCCESS, device));
            value.version += 1;
            let newer = nvmlDeviceGetHandleByUUIDV(&value, &mut found);
            assert_eq!(newer, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);

            let serial = nvmlDeviceGetHandleBySerial(c"1".as_ptr(), &mut found);
            assert_eq!(serial, NVML_ERROR_NOT_FOUND);
            assert_eq!(nvmlDeviceGetHandleByIndex_v2(99, &mut found), INVALID);
        }
    });
}

#[test]
fn memory_adds_up_without_a_driver() {
    with_device(|device| {
        let mut memory = nvmlMemory_t::default();
        let mut newer = nvmlMemory_v2_t {
            version: nvmlMemory_v2,
            ..Default::default()
        };
        let mut count = 0;
        // SAFETY: places for the structures and the number.
        unsafe {
            assert_eq!(nvmlDeviceGetMemoryInfo(device, &mut memory), NVML_SUCCESS);
            assert_eq!(nvmlDeviceGetMemoryInfo_v2(device, &mut newer), NVML_SUCCESS);
            let none = nvmlDeviceGetComputeRunningProcesses_v3(device, &mut count, null_mut());
            assert_eq!((none, count), (NVML_SUCCESS, 0));
            newer.version = 7;
            let wrong = nvmlDeviceGetMemoryInfo_v2(device, &mut newer);
            assert_eq!(wrong, NVML_ERROR_FUNCTION_NOT_FOUND);
            assert_eq!(nvmlDeviceGetMemoryInfo(device, null_mut()), INVALID);
        }
        assert!(memory.total > 0);
        assert_eq!((memory.free, memory.used), (memory.total, 0));
        assert_eq!(
            (newer.total, newer.free, newer.used),
            (memory.total, memory.total, 0)
        );
    });
}

#[test]
fn what_is_not_known_is_not_supported() {
    with_device(|device| {
        let mut number = 0;
        // SAFETY: places for numbers.
        unsafe {
            assert_eq!(
                nvmlDeviceGetPowerUsage(device, &mut number),
                NVML_ERROR_NOT_SUPPORTED
            );
            assert_eq!(nvmlDeviceGetPowerUsage(device, null_mut()), INVALID);
            let wrong = nvmlDevice_t::from_addr(device.addr() + 4);
            assert_eq!(nvmlDeviceGetPowerUsage(wrong, &mut number), INVALID);
            let unit = nvmlUnitGetTemperature(nvmlUnit_t::from_addr(8), 0, &mut number);
            assert_eq!(unit, INVALID);
            let mode = nvmlDeviceSetComputeMode(device, NVML_COMPUTEMODE_PROHIBITED);
            assert_eq!(mode, NVML_ERROR_NOT_SUPPORTED);
            let keep = nvmlDeviceSetPersistenceMode(device, NVML_FEATURE_DISABLED);
            assert_eq!(keep, NVML_SUCCESS);
            let change = nvmlDeviceSetPersistenceMode(device, NVML_FEATURE_ENABLED);
            assert_eq!(change, NVML_ERROR_NOT_SUPPORTED);
            let mut fields = [nvmlFieldValue_t::default(); 2];
            let asked = nvmlDeviceGetFieldValues(device, 2, fields.as_mut_ptr());
            assert_eq!(asked, NVML_SUCCESS);
            for field in fields {
                assert_eq!(field.nvmlReturn, NVML_ERROR_NOT_SUPPORTED);
            }
            assert_eq!(
                nvmlDeviceGetFieldValues(device, -1, fields.as_mut_ptr()),
                INVALID
            );
        }
    });
}

#[test]
fn waiting_for_events_ends_with_a_timeout() {
    with_device(|device| {
        let mut set = nvmlEventSet_t::null();
        let mut data = nvmlEventData_t::default();
        // SAFETY: places for the handle and the event.
        unsafe {
            assert_eq!(nvmlEventSetCreate(&mut set), NVML_SUCCESS);
            let clock = u64::from(nvmlEventTypeClock);
            let registered = nvmlDeviceRegisterEvents(device, clock, set);
            assert_eq!(registered, NVML_ERROR_NOT_SUPPORTED);
            let unknown = nvmlDeviceRegisterEvents(device, 1 << 40, set);
            assert_eq!(unknown, NVML_ERROR_NOT_SUPPORTED);
            assert_eq!(nvmlEventSetWait_v2(set, &mut data, 1), NVML_ERROR_TIMEOUT);
            assert_eq!(nvmlEventSetFree(set), NVML_SUCCESS);
            assert_eq!(nvmlEventSetFree(set), INVALID);
            assert_eq!(nvmlEventSetWait_v2(set, &mut data, 1), INVALID);
        }
    });
}
