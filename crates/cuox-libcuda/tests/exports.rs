//! The library as a program sees it.

use std::collections::BTreeSet;
use std::ffi::{CString, c_char, c_void};
use std::process::Command;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use cuox_abi::{
    CUdriverProcAddressQueryResult, CUresult, CUuuid, FUNCTIONS, PROC_TABLE, StreamClass,
};
use libloading::{Library, Symbol};

mod library;
use library::path;

fn open() -> Library {
    // SAFETY: loading the library runs no code but Rust's own start-up.
    unsafe { Library::new(path()) }.unwrap()
}

type GetProcAddress = unsafe extern "C" fn(
    *const c_char,
    *mut *mut c_void,
    i32,
    u64,
    *mut CUdriverProcAddressQueryResult,
) -> CUresult;

struct Answer {
    result: CUresult,
    address: *mut c_void,
    status: u32,
}

fn ask(library: &Library, name: &str, version: i32, flags: u64) -> Answer {
    // SAFETY: the header's signature.
    let get: Symbol<GetProcAddress> = unsafe { library.get(b"cuGetProcAddress_v2\0") }.unwrap();
    let name = CString::new(name).unwrap();
    let mut address = std::ptr::dangling_mut();
    let mut status = CUdriverProcAddressQueryResult(77);
    // SAFETY: valid arguments.
    let result = unsafe { get(name.as_ptr(), &mut address, version, flags, &mut status) };
    Answer {
        result,
        address,
        status: status.0,
    }
}

fn address(library: &Library, symbol: &str) -> *mut c_void {
    // SAFETY: only the address is taken.
    let found: Symbol<*mut c_void> =
        unsafe { library.get(symbol.as_bytes()) }.unwrap_or_else(|error| {
            panic!("{symbol} is not exported: {error}");
        });
    // SAFETY: the library stays loaded (it is marked so) and the address is not called.
    unsafe { found.into_raw() }.as_raw_ptr()
}

#[test]
fn every_function_of_the_header_is_exported() {
    let library = open();
    let addresses: BTreeSet<_> = FUNCTIONS
        .iter()
        .map(|function| address(&library, function.symbol))
        .collect();
    assert_eq!(
        addresses.len(),
        FUNCTIONS.len(),
        "two symbols share an address"
    );
}

#[test]
fn programs_find_it_as_libcuda_so_1() {
    let output = Command::new("readelf")
        .arg("-d")
        .arg(path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("[libcuda.so.1]"), "{text}");
    assert!(text.contains("NODELETE"), "{text}");
}

#[test]
fn proc_addresses_are_the_exports() {
    let library = open();
    for entry in PROC_TABLE {
        let flags = if entry.class == StreamClass::Plain {
            1
        } else {
            2
        };
        let answer = ask(&library, entry.base, entry.min_version, flags);
        assert_eq!(answer.result, CUresult::CUDA_SUCCESS, "{}", entry.symbol);
        assert_eq!(answer.status, 0);
        assert_eq!(
            answer.address,
            address(&library, entry.symbol),
            "{}",
            entry.symbol
        );
    }
}

#[test]
fn misses_are_told_apart() {
    let library = open();
    for (name, version, status) in [
        ("", 0, 1),
        ("cuNothing", 13000, 1),
        ("cuMemAlloc_v2", 13000, 1),
        ("cuCtxGetId", 11080, 2),
    ] {
        let answer = ask(&library, name, version, 0);
        assert_eq!(answer.result, CUresult::CUDA_ERROR_NOT_FOUND, "{name}");
        assert!(answer.address.is_null());
        assert_eq!(answer.status, status, "{name}");
    }
    assert_eq!(
        ask(&library, "cuInit", 13000, 64).result,
        CUresult::CUDA_ERROR_INVALID_VALUE
    );
}

#[test]
fn wrong_pointers_are_an_error() {
    let library = open();
    // SAFETY: the header's signature.
    let get: Symbol<GetProcAddress> = unsafe { library.get(b"cuGetProcAddress_v2\0") }.unwrap();
    // SAFETY: the functions refuse null pointers, and the test asks just that.
    let result = unsafe { get(c"cuInit".as_ptr(), null_mut(), 13000, 0, null_mut()) };
    assert_eq!(result, CUresult::CUDA_ERROR_INVALID_VALUE);
    let mut address = null_mut();
    // SAFETY: as before.
    let result = unsafe { get(null(), &mut address, 13000, 0, null_mut()) };
    assert_eq!(result, CUresult::CUDA_ERROR_INVALID_VALUE);
    // SAFETY: the status may be null.
    let result = unsafe { get(c"cuInit".as_ptr(), &mut address, 13000, 0, null_mut()) };
    assert_eq!(result, CUresult::CUDA_SUCCESS);
}

#[test]
fn what_is_missing_says_so() {
    let library = open();
    type Start = unsafe extern "C" fn(i32, *mut i32) -> CUresult;
    // SAFETY: the header's signature. Nobody can take a checkpoint of a process here.
    let call: Symbol<Start> = unsafe { library.get(b"cuCheckpointProcessGetState\0") }.unwrap();
    let mut state = 0;
    // SAFETY: valid arguments.
    let result = unsafe { call(1, &mut state) };
    assert_eq!(result, CUresult::CUDA_ERROR_NOT_SUPPORTED);
}

#[test]
fn there_are_no_export_tables() {
    let library = open();
    type Export = unsafe extern "C" fn(*mut *const c_void, *const CUuuid) -> CUresult;
    // SAFETY: the header's signature.
    let call: Symbol<Export> = unsafe { library.get(b"cuGetExportTable\0") }.unwrap();
    let mut table = std::ptr::dangling();
    let id = CUuuid::default();
    // SAFETY: valid arguments.
    let result = unsafe { call(&mut table, &id) };
    assert_eq!(result, CUresult::CUDA_ERROR_INVALID_VALUE);
    assert!(table.is_null());
}

#[test]
fn the_newest_failure_is_explained_and_an_older_one_is_not() {
    type LastFault = unsafe extern "C" fn(*mut u8, usize) -> usize;
    type Init = unsafe extern "C" fn(u32) -> CUresult;
    type Retain = unsafe extern "C" fn(*mut *mut c_void, i32) -> CUresult;
    type Current = unsafe extern "C" fn(*mut c_void) -> CUresult;
    type Load = unsafe extern "C" fn(*mut *mut c_void, *const c_char) -> CUresult;
    let library = open();
    // SAFETY: the export is an int by this library's own definition.
    let marker = unsafe { **library.get::<*const i32>(b"cuox_soft_driver\0").unwrap() };
    assert_eq!(marker, 1);
    // SAFETY: this library's own signature.
    let last: Symbol<LastFault> = unsafe { library.get(b"cuox_last_fault\0") }.unwrap();
    let said = |size: usize| {
        let mut text = vec![0; size];
        // SAFETY: the buffer has the stated size.
        let length = unsafe { last(text.as_mut_ptr(), size) };
        String::from_utf8(text[..length].to_vec()).unwrap()
    };
    // SAFETY: the header's signatures and valid arguments.
    unsafe {
        let init: Symbol<Init> = library.get(b"cuInit\0").unwrap();
        let retain: Symbol<Retain> = library.get(b"cuDevicePrimaryCtxRetain\0").unwrap();
        let current: Symbol<Current> = library.get(b"cuCtxSetCurrent\0").unwrap();
        let mut context = null_mut();
        assert_eq!(init(0), CUresult::CUDA_SUCCESS);
        assert_eq!(retain(&mut context, 0), CUresult::CUDA_SUCCESS);
        assert_eq!(current(context), CUresult::CUDA_SUCCESS);
    }
    // SAFETY: the header's signature.
    let load: Symbol<Load> = unsafe { library.get(b"cuModuleLoadData\0") }.unwrap();
    let mut module = null_mut();
    let text = c".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { blah; }\n";
    // SAFETY: a writable handle and a C string.
    let result = unsafe { load(&mut module, text.as_ptr()) };
    assert_eq!(result, CUresult::CUDA_ERROR_INVALID_PTX);
    assert!(said(1000).contains("blah"), "{}", said(1000));
    assert_eq!(said(5).len(), 5);
    // SAFETY: null pointers are refused, not read.
    let result = unsafe { load(null_mut(), null()) };
    assert_eq!(result, CUresult::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(said(1000), "");
    // SAFETY: null is permitted.
    assert_eq!(unsafe { last(null_mut(), 10) }, 0);
}

#[test]
fn a_wait_for_progress_without_news_takes_its_time() {
    type AwaitProgress = unsafe extern "C" fn(u64, u64) -> u64;
    let library = open();
    // SAFETY: the function's signature.
    let wait: Symbol<AwaitProgress> =
        unsafe { library.get(b"cuox_await_progress\0") }.expect("exported");
    // SAFETY: it takes any numbers. No stream runs in this process but those of other tests, which add to the count.
    unsafe {
        let mut seen = wait(0, 0);
        let waits = std::iter::repeat_with(|| {
            let begun = Instant::now();
            let before = seen;
            seen = wait(before, 1_000_000);
            (before == seen).then(|| begun.elapsed())
        });
        let taken = waits.flatten().next().expect("an endless iterator");
        assert!(taken >= Duration::from_millis(1));
        // For more than there is time, and news since: at once.
        assert!(wait(seen.wrapping_sub(1), u64::MAX) >= seen);
    }
}

#[test]
fn calls_are_logged_when_asked_for() {
    let calls = |log: &str| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "what_is_missing_says_so", "--nocapture"])
            .env("CUOX_LOG", log)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let line = "cuox driver: cuCheckpointProcessGetState -> 801 CUDA_ERROR_NOT_SUPPORTED\n";
    assert!(calls("other, driver").contains(line));
    assert!(!calls("other").contains(line));
}
