//! The version node of a library's symbols, for build scripts.

use std::path::Path;
use std::process::Command;

/// Gives rustc's list of exported symbols, which the linker gets as a version script without a name, the name of
/// NVIDIA's version node: programs that were linked with one of the two libraries then load the other without a
/// complaint of the dynamic linker's. A second version script cannot do that, since linkers refuse to mix named and
/// nameless ones. Where Zig links, build_backend/cuox_zig.py does the same.
const WRAPPER: &str = r#"#!/bin/sh
name_node() { sed -i '1s/^{/@NODE@ {/' "$1"; }
for argument in "$@"; do
    case $argument in
    --version-script=*) name_node "${argument#--version-script=}" ;;
    @*) sed -n 's/^"\{0,1\}--version-script=\([^"]*\)"\{0,1\}$/\1/p' "${argument#@}" |
        while read -r script; do name_node "$script"; done ;;
    esac
done
exec "$@"
"#;

/// Has the library's symbols carry the version `node`, unless cargo-zigbuild links.
pub fn name_node(node: &str) -> Result<(), String> {
    let linker = std::env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".into());
    if linker.contains("/zigcc-") {
        return Ok(());
    }
    let help = Command::new(&linker)
        .args(["-wrapper", "env", "-x", "c", "-E", "/dev/null"])
        .output()
        .map_err(|error| format!("{linker} does not start: {error}"))?;
    if !help.status.success() {
        return Err(format!("{linker} is not GCC"));
    }
    let folder = std::env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let wrapper = Path::new(&folder).join("name-version-node.sh");
    std::fs::write(&wrapper, WRAPPER.replace("@NODE@", node))
        .map_err(|error| format!("cannot write: {error}"))?;
    println!("cargo:rustc-cdylib-link-arg=-wrapper");
    println!("cargo:rustc-cdylib-link-arg=sh,{}", wrapper.display());
    Ok(())
}
