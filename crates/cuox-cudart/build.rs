//! The name under which programs find the library, the version of its symbols, and that it stays once it is loaded.

use std::path::Path;
use std::process::Command;

/// Gives rustc's list of exported symbols, which the linker gets as a version script without a name, the name of
/// NVIDIA's version node: programs that were linked with one of the two libraries then load the other without a
/// complaint of the dynamic linker's. A second version script cannot do that, since linkers refuse to mix named and
/// nameless ones.
const WRAPPER: &str = r#"#!/bin/sh
name_node() { sed -i '1s/^{/libcudart.so.13 {/' "$1"; }
for argument in "$@"; do
    case $argument in
    --version-script=*) name_node "${argument#--version-script=}" ;;
    @*) sed -n 's/^"\{0,1\}--version-script=\([^"]*\)"\{0,1\}$/\1/p' "${argument#@}" |
        while read -r script; do name_node "$script"; done ;;
    esac
done
exec "$@"
"#;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcudart.so.13");
    // Worker threads and handlers of exit run this library's code until the process ends, so a `dlclose` must not unmap
    // it.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // Programs that `cuox nvcc` has linked have an RPATH, the folder of this library and of the software GPU. The
    // loader takes it for what the program's libraries open too, so that NVIDIA's driver would not be found; but not
    // for a library that has a RUNPATH of its own. Nothing of that name is in this one.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--enable-new-dtags,-rpath,$ORIGIN/shims");
    if let Err(why) = version_symbols() {
        println!("cargo:warning=libcudart.so.13 gets no symbol versions: {why}");
    }
}

fn version_symbols() -> Result<(), String> {
    let linker = std::env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".into());
    let help = Command::new(&linker)
        .args(["-wrapper", "env", "-x", "c", "-E", "/dev/null"])
        .output()
        .map_err(|error| format!("{linker} does not start: {error}"))?;
    if !help.status.success() {
        return Err(format!("{linker} is not GCC"));
    }
    let folder = std::env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let wrapper = Path::new(&folder).join("name-version-node.sh");
    std::fs::write(&wrapper, WRAPPER).map_err(|error| format!("cannot write: {error}"))?;
    println!("cargo:rustc-cdylib-link-arg=-wrapper");
    println!("cargo:rustc-cdylib-link-arg=sh,{}", wrapper.display());
    Ok(())
}
