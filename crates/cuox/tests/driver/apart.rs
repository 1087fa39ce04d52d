//! Tests that would spoil the process for others, run in a process of their own.

use std::process::Command;

use cuox::{Device, Driver, DriverKind, Error, LaunchConfig, StreamOptions};

use crate::code::saxpy_code;

/// Names the test that a child process runs.
pub const CHILD: &str = "CUOX_TEST_CHILD";

/// Runs what the parent asked for and ends the process.
pub fn run_child(name: &str) -> ! {
    let (kind, test) = name.split_once(' ').unwrap();
    let kind = if kind == "soft" {
        DriverKind::Soft
    } else {
        DriverKind::Nvidia
    };
    let device = Device::of(Driver::of(kind).unwrap(), 0).unwrap();
    match test {
        "stray" => stray(device),
        "fork" => fork(device),
        other => panic!("no test {other:?}"),
    }
    std::process::exit(0)
}

fn in_child(device: Device, test: &str) {
    let child = Command::new(std::env::current_exe().unwrap())
        .env(CHILD, format!("{} {test}", device.driver().kind().as_str()))
        .output()
        .unwrap();
    assert!(
        child.status.success(),
        "{:?}\n{}",
        child.status,
        String::from_utf8_lossy(&child.stderr)
    );
}

pub fn a_stray_pointer_is_an_error(device: Device) {
    in_child(device, "stray");
}

pub fn a_forked_child_is_told(device: Device) {
    in_child(device, "fork");
}

fn stray(device: Device) {
    let kernel = saxpy_code().kernel(device, "saxpy").unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    // SAFETY: it is not safe, and that is the point: the driver must turn it into an error.
    unsafe {
        kernel.launch(
            &stream,
            &LaunchConfig::new(1, 32),
            &[&1.0f32, &64, &64, &32],
        )
    }
    .unwrap();
    let error = stream.sync_with(&mut || false).unwrap_err();
    assert_eq!(error.driver_code(), Some(700), "{error}");
    assert!(error.is_sticky());
    // It stays: the context is lost.
    assert_eq!(device.sync().unwrap_err().driver_code(), Some(700));
    assert!(device.allocate(64, None).is_err());
}

fn fork(device: Device) {
    device.sync().unwrap();
    let buffer = device.allocate(64, None).unwrap();
    // SAFETY: the child calls only what must be possible after a fork, and ends with _exit.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let told = matches!(device.sync(), Err(Error::Forked))
            && matches!(device.allocate(64, None), Err(Error::Forked))
            && matches!(buffer.copy_from_slice(&[0u8; 4], None), Err(Error::Forked));
        drop(buffer);
        // SAFETY: ends the child without running the parent's exit handlers.
        unsafe { libc::_exit(if told { 0 } else { 1 }) };
    }
    assert!(child > 0);
    let mut status = 0;
    // SAFETY: waits for the child that was just made.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child was not told");
    // The parent goes on.
    buffer.copy_from_slice(&[1u8; 64], None).unwrap();
    device.sync().unwrap();
}
