//! The name under which programs find the library, the version of its symbols, and that it stays once it is loaded.

mod version_node;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=version_node.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcudart.so.13");
    // Worker threads and handlers of exit run this library's code until the process ends, so a `dlclose` must not unmap
    // it.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // Programs that `cuox nvcc` has linked have an RPATH, the folder of this library and of the software GPU. The
    // loader takes it for what the program's libraries open too, so that NVIDIA's driver would not be found; but not
    // for a library that has a RUNPATH of its own. Nothing of that name is in this one.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--enable-new-dtags,-rpath,$ORIGIN/shims");
    if let Err(why) = version_node::name_node("libcudart.so.13") {
        println!("cargo:warning=libcudart.so.13 gets no symbol versions: {why}");
    }
}
