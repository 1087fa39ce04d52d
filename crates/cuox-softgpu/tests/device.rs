//! The device and its attributes.

mod common;
use common::*;
use std::ffi::{CStr, CString};

#[test]
fn one_device_with_every_attribute() {
    let mut n = 0;
    ok!(cuInit(0), cuDeviceGetCount(&mut n));
    assert_eq!(n, 1);
    code!(INVALID_VALUE, cuInit(1));
    code!(CUresult::CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&mut n, 1));
    ok!(cuDeviceGet(&mut n, 0));
    for a in 1..CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX.0 {
        let mut value = i32::MIN;
        ok!(cuDeviceGetAttribute(&mut value, CUdevice_attribute(a), 0));
        assert_ne!(value, i32::MIN, "attribute {a}");
    }
    code!(
        INVALID_VALUE,
        cuDeviceGetAttribute(&mut n, CUdevice_attribute(0), 0)
    );
    code!(
        INVALID_VALUE,
        cuDeviceGetAttribute(&mut n, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX, 0)
    );
    code!(
        INVALID_VALUE,
        cuDeviceGetAttribute(std::ptr::null_mut(), CUdevice_attribute(1), 0)
    );
    let multiprocessors = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    ok!(cuDeviceGetAttribute(&mut n, multiprocessors, 0));
    assert!(n >= 16, "programs share out {n} multiprocessors");
    let mut name = [1i8; 64];
    ok!(cuDeviceGetName(name.as_mut_ptr().cast(), 64, 0));
    // SAFETY: the driver ended it.
    let text = unsafe { CStr::from_ptr(name.as_ptr().cast()) };
    assert_eq!(text.to_str(), Ok("cuox software GPU"));
    ok!(cuDeviceGetName(name.as_mut_ptr().cast(), 5, 0));
    assert_eq!(&name[..5], &[99, 117, 111, 120, 0]);
    let (mut major, mut minor) = (0, 0);
    ok!(cuDeviceComputeCapability(&mut major, &mut minor, 0));
    assert!(major * 10 + minor >= 75);
    let (mut a, mut b) = (CUuuid::default(), CUuuid::default());
    ok!(cuDeviceGetUuid(&mut a, 0), cuDeviceGetUuid_v2(&mut b, 0));
    assert_eq!(a, b);
    assert_ne!(a, CUuuid::default());
    let bus = CString::new("0000:01:00.0").unwrap();
    ok!(cuDeviceGetByPCIBusId(&mut n, bus.as_ptr()));
}

#[test]
fn names_of_codes_need_no_start() {
    let mut text = std::ptr::null();
    ok!(cuGetErrorName(
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        &mut text
    ));
    // SAFETY: a static C string.
    let name = unsafe { CStr::from_ptr(text) };
    assert_eq!(name.to_str(), Ok("CUDA_ERROR_ILLEGAL_ADDRESS"));
    code!(INVALID_VALUE, cuGetErrorName(CUresult(12345), &mut text));
    assert!(text.is_null());
    let mut version = 0;
    ok!(cuDriverGetVersion(&mut version));
    assert_eq!(version, 13000);
}

#[test]
fn the_environment_sets_architecture_and_memory() {
    if std::env::var_os("CUOX_SOFT_MEMORY").is_none() {
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["the_environment_sets_architecture_and_memory", "--exact"])
            .env("CUOX_SOFT_MEMORY", "64MiB")
            .env("CUOX_SOFT_ARCH", "sm_86")
            .status();
        assert!(status.unwrap().success());
        return;
    }
    let _c = Context::new();
    let (mut major, mut minor, mut total, mut at) = (0, 0, 0, 0);
    ok!(
        cuDeviceComputeCapability(&mut major, &mut minor, 0),
        cuDeviceTotalMem_v2(&mut total, 0)
    );
    assert_eq!((major, minor, total), (8, 6, 64 << 20));
    code!(
        CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        cuMemAlloc_v2(&mut at, 65 << 20)
    );
    let held: Vec<_> = (0..4).map(|_| alloc(15 << 20)).collect();
    code!(
        CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        cuMemAlloc_v2(&mut at, 15 << 20)
    );
    for at in held {
        ok!(cuMemFree_v2(at));
    }
    ok!(cuMemFree_v2(alloc(60 << 20)));
}

#[test]
fn what_the_environment_does_not_mean_is_said() {
    const SETTINGS: [(&str, &str, &str); 6] = [
        (
            "CUOX_SOFT_MEMORY",
            "much",
            "expected a number of bytes, or one with a unit such as 512M, 4G or 4GiB",
        ),
        (
            "CUOX_SOFT_ARCH",
            "sm_1",
            "expected sm_ followed by one of [75, 80,",
        ),
        (
            "CUOX_SOFT_DEVICES",
            "0",
            "expected a number of devices from 1 to 16",
        ),
        (
            "CUOX_SOFT_ENGINE",
            "jitt",
            "expected auto, jit, jit-narrow, llvm or interpreter",
        ),
        ("CUOX_SOFT_THREADS", "0", "expected a number of at least 1"),
        (
            "CUOX_SOFT_MULTIPROCESSORS",
            "many",
            "expected a number of at least 1",
        ),
    ];
    if std::env::var_os("CUOX_SOFT_MEMORY").is_none() {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "what_the_environment_does_not_mean_is_said",
                "--exact",
                "--nocapture",
            ])
            .envs(SETTINGS.map(|(name, value, _)| (name, value)))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success(), "{said}");
        for (name, value, takes) in SETTINGS {
            let line = format!("cuox: {name}={value} is ignored: {takes}");
            assert_eq!(said.matches(&line).count(), 1, "{line} in {said}");
        }
        return;
    }
    let _c = Context::new();
    let m = module(PTX);
    let mut at = alloc(4);
    for _ in 0..2 {
        let params = &mut [pointer(&mut at)];
        assert_eq!(
            launch(function(m, "bad"), 1, 1, CUstream::null(), params),
            OK
        );
        ok!(cuCtxSynchronize());
    }
}
