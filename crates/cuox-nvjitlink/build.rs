//! The name under which programs find the library, and the version of its symbols.

#[path = "../cuox-cudart/version_node.rs"]
mod version_node;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../cuox-cudart/version_node.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libnvJitLink.so.13");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    if let Err(why) = version_node::name_node("libnvJitLink.so.13") {
        println!("cargo:warning=libnvJitLink.so.13 gets no symbol versions: {why}");
    }
}
