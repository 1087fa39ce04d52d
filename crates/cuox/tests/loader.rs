//! Which library the loader takes, and why: with two stub drivers of one SONAME, each case in a process of its own,
//! since a driver stays loaded.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use cuox::{Device, Driver, choice_report, default_driver};

/// The folders of the two stubs, compiled once.
fn stubs() -> &'static (PathBuf, PathBuf) {
    static STUBS: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    STUBS.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stub-drivers");
        let build = |name: &str, soft: bool| {
            let folder = root.join(name);
            std::fs::create_dir_all(&folder).unwrap();
            let mut rustc =
                Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
            rustc.args([
                "--edition=2024",
                "-Clink-arg=-Wl,-soname,libcuda.so.1",
                "--check-cfg=cfg(soft)",
                "-Awarnings",
            ]);
            if soft {
                rustc.args(["--cfg", "soft"]);
            }
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stub_driver.rs");
            let done = rustc
                .arg(source)
                .arg("-o")
                .arg(folder.join("libcuda.so.1"))
                .status()
                .unwrap();
            assert!(done.success());
            folder
        };
        (build("gpu", false), build("soft", true))
    })
}

/// Runs [`child`] with these steps; gives its lines.
fn run(steps: &str, environment: &[(&str, &str)]) -> Vec<String> {
    run_with_warnings(steps, environment).0
}

/// Runs [`child`] with these steps; gives its lines, and those that begin with `cuox:` on standard error.
fn run_with_warnings(steps: &str, environment: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let (gpu, soft) = stubs();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("STEPS", steps);
    child
        .env_remove("CUOX_DEVICE")
        .env("LD_LIBRARY_PATH", gpu)
        .env("CUOX_SOFT_LIBRARY", soft.join("libcuda.so.1"));
    child.envs(environment.iter().copied());
    let output = child.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once("» "));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let warnings = errors.lines().filter(|line| line.starts_with("cuox:"));
    (
        lines.map(|(_, line)| line.to_owned()).collect(),
        warnings.map(str::to_owned).collect(),
    )
}

#[test]
fn a_driver_that_is_there_and_fails_is_warned_of() {
    let (lines, warnings) = run_with_warnings("default default", &[("STUB_INIT", "803")]);
    assert_eq!(lines, ["soft stub soft", "soft stub soft"]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    for part in [
        "warning",
        "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        "CUOX_DEVICE=soft",
    ] {
        assert!(warnings[0].contains(part), "{warnings:?}");
    }
    let broken = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stub-drivers/broken");
    std::fs::create_dir_all(&broken).unwrap();
    std::fs::write(broken.join("libcuda.so.1"), "no library").unwrap();
    let path = broken.to_str().unwrap();
    let (lines, warnings) = run_with_warnings("default", &[("LD_LIBRARY_PATH", path)]);
    assert_eq!(lines, ["soft stub soft"]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains(path), "{warnings:?}");
    // Nothing is wrong without a driver or without a device, nor where the software GPU is asked for.
    let empty = broken.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    for environment in [
        ("LD_LIBRARY_PATH", empty.to_str().unwrap()),
        ("STUB_INIT", "100"),
    ] {
        assert_eq!(run_with_warnings("default", &[environment]).1, [""; 0]);
    }
    let asked = [("STUB_INIT", "803"), ("CUOX_DEVICE", "soft")];
    assert_eq!(run_with_warnings("default", &asked).1, [""; 0]);
}

/// Not a test of its own: what the tests run in a child process.
#[test]
#[ignore = "run by the other tests"]
fn child() {
    for step in std::env::var("STEPS").unwrap().split(' ') {
        let driver = match step {
            "gpu" => Driver::nvidia(),
            "soft" => Driver::soft(),
            "default" => default_driver(),
            "fault" => {
                let device = Device::get(0).unwrap();
                println!("» {}", device.context().unwrap_err());
                continue;
            }
            "report" => {
                let report = choice_report();
                println!(
                    "» {} by {}: {}",
                    report.asked, report.asked_by, report.reason
                );
                continue;
            }
            other => panic!("no step {other:?}"),
        };
        match driver.and_then(|driver| Device::of(driver, 0)) {
            Ok(device) => println!("» {} {}", device.driver().kind().as_str(), device.name()),
            Err(error) => println!("» {}", error.to_string().replace('\n', "|")),
        }
    }
}

#[test]
fn both_are_open_at_once_in_either_order() {
    assert_eq!(
        run("gpu soft gpu", &[]),
        ["gpu stub gpu", "soft stub soft", "gpu stub gpu"]
    );
    // Ours first: the bare name then leads to it, and NVIDIA's must still be found.
    assert_eq!(
        run("soft gpu soft", &[]),
        ["soft stub soft", "gpu stub gpu", "soft stub soft"]
    );
}

#[test]
fn ours_is_never_taken_for_nvidias() {
    let (_, soft) = stubs();
    let lines = run(
        "gpu default",
        &[("LD_LIBRARY_PATH", soft.to_str().unwrap())],
    );
    assert!(
        lines[0].starts_with("NVIDIA's driver (libcuda.so.1) was not found."),
        "{lines:?}"
    );
    assert!(lines[0].contains("cuox's own driver"), "{lines:?}");
    assert_eq!(lines[1], "soft stub soft");
}

#[test]
fn nvidias_is_never_taken_for_ours() {
    let (gpu, _) = stubs();
    let path = gpu.join("libcuda.so.1");
    let lines = run("soft", &[("CUOX_SOFT_LIBRARY", path.to_str().unwrap())]);
    assert!(
        lines[0].contains("is not cuox's driver")
            && lines[0].contains("cargo build -p cuox-libcuda"),
        "{lines:?}"
    );
}

#[test]
fn the_environment_chooses() {
    assert_eq!(run("default", &[]), ["gpu stub gpu"]);
    assert_eq!(
        run("default", &[("CUOX_DEVICE", "soft")]),
        ["soft stub soft"]
    );
    assert_eq!(run("default", &[("CUOX_DEVICE", "gpu")]), ["gpu stub gpu"]);
    let no_gpu = ("STUB_INIT", "100");
    assert_eq!(run("default", &[no_gpu]), ["soft stub soft"]);
    let lines = run("default report", &[no_gpu, ("CUOX_DEVICE", "gpu")]);
    assert!(
        lines[0].starts_with("CUDA_ERROR_NO_DEVICE (100) from cuInit"),
        "{lines:?}"
    );
    assert!(
        lines[1].starts_with("gpu by CUOX_DEVICE: a GPU was asked for, and there is none"),
        "{lines:?}"
    );
    assert_eq!(
        run("default", &[("CUOX_DEVICE", "tpu")]),
        ["CUOX_DEVICE is \"tpu\"; it takes auto, gpu or soft"]
    );
    assert_eq!(
        run("report", &[]),
        ["auto by default: NVIDIA's driver shows a GPU"]
    );
}

#[test]
fn the_software_gpu_says_which_thread_failed() {
    let lines = run("fault", &[("CUOX_DEVICE", "soft")]);
    assert!(
        lines[0].starts_with("CUDA_ERROR_ILLEGAL_ADDRESS (700)"),
        "{lines:?}"
    );
    assert!(
        lines[0].ends_with("(thread (3, 0, 0) read 0x40)"),
        "{lines:?}"
    );
    let lines = run("fault", &[("CUOX_DEVICE", "gpu")]);
    assert!(lines[0].contains("CUOX_DEVICE=soft"), "{lines:?}");
}
