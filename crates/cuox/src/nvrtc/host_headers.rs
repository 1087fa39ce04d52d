//! Headers that stand beside kernels for the sake of host code only: those of the system's libraries, CUDA's for
//! graphics libraries, and Thrust's containers and algorithms. And the macros by which host code tells its system.
//!
//! nvcc reads them for its host compiler, NVRTC does not find the ones and refuses the others. They are handed over as
//! good as empty, once NVRTC has complained: a program that NVRTC compiles with the real ones keeps those.

use std::path::{Component, Path};

use crate::cache::headers_named_by;
use crate::pathfinder;

pub(super) const SYSTEM: &str = include_str!("include/host_only.h");
pub(super) const OF_THRUST: &str = include_str!("include/thrust_host.h");

/// Headers of Thrust that NVRTC refuses.
pub(super) const THRUST: &[&str] = &[
    "thrust/adjacent_difference.h",
    "thrust/allocate_unique.h",
    "thrust/async/copy.h",
    "thrust/async/for_each.h",
    "thrust/async/reduce.h",
    "thrust/async/scan.h",
    "thrust/async/sort.h",
    "thrust/async/transform.h",
    "thrust/binary_search.h",
    "thrust/copy.h",
    "thrust/count.h",
    "thrust/device_allocator.h",
    "thrust/device_delete.h",
    "thrust/device_free.h",
    "thrust/device_make_unique.h",
    "thrust/device_malloc.h",
    "thrust/device_malloc_allocator.h",
    "thrust/device_new.h",
    "thrust/device_new_allocator.h",
    "thrust/device_ptr.h",
    "thrust/device_reference.h",
    "thrust/device_vector.h",
    "thrust/equal.h",
    "thrust/execution_policy.h",
    "thrust/extrema.h",
    "thrust/find.h",
    "thrust/gather.h",
    "thrust/host_vector.h",
    "thrust/inner_product.h",
    "thrust/iterator/retag.h",
    "thrust/logical.h",
    "thrust/memory.h",
    "thrust/merge.h",
    "thrust/mismatch.h",
    "thrust/partition.h",
    "thrust/reduce.h",
    "thrust/remove.h",
    "thrust/replace.h",
    "thrust/reverse.h",
    "thrust/scan.h",
    "thrust/scatter.h",
    "thrust/sequence.h",
    "thrust/set_operations.h",
    "thrust/shuffle.h",
    "thrust/sort.h",
    "thrust/system/cuda/execution_policy.h",
    "thrust/system/cuda/vector.h",
    "thrust/system_error.h",
    "thrust/tabulate.h",
    "thrust/transform.h",
    "thrust/transform_reduce.h",
    "thrust/transform_scan.h",
    "thrust/uninitialized_copy.h",
    "thrust/unique.h",
    "thrust/universal_allocator.h",
    "thrust/universal_ptr.h",
    "thrust/universal_vector.h",
];

/// CUDA's headers for what graphics libraries share with it; they need types of those libraries.
const INTEROP: &[&str] = &[
    "cuda_egl_interop.h",
    "cuda_gl_interop.h",
    "cuda_vdpau_interop.h",
    "cudaEGL.h",
    "cudaGL.h",
    "cudaVDPAU.h",
];

/// Macros of a host compiler for Linux, which nvcc has in device code too.
pub(super) const MACROS: &[&str] = &[
    "__linux__",
    "__linux",
    "__unix__",
    if cfg!(target_arch = "aarch64") {
        "__aarch64__"
    } else {
        "__x86_64__"
    },
];

/// Where host compilers look by themselves.
const FOLDERS: &[&str] = &[
    "/usr/local/include",
    "/usr/include",
    "/usr/include/x86_64-linux-gnu",
    "/usr/include/aarch64-linux-gnu",
];

/// True if NVRTC complains of a header of Thrust.
pub(super) fn is_thrusts(place: &str) -> bool {
    place.contains("/thrust/")
}

/// The header of CUDA's for a graphics library that NVRTC complains of.
pub(super) fn interop_at(place: &str) -> Option<String> {
    let file = place.rsplit_once('(').map_or(place, |(file, _)| file);
    let name = Path::new(file).file_name()?.to_str()?;
    INTEROP.contains(&name).then(|| name.to_owned())
}

/// True if a header of this name is in the system's folders, and in no package of CUDA.
fn is_systems(name: &str, folders: &[&Path]) -> bool {
    let path = Path::new(name);
    path.components().all(|c| matches!(c, Component::Normal(_)))
        && pathfinder::package_of_header(name, (13, 0)).is_none()
        && folders.iter().any(|folder| folder.join(path).is_file())
}

/// The header that NVRTC has not found, if it is the system's, and those that are included beside it: NVRTC names one
/// at a time. `place` is where it is included, `source` the program.
pub(super) fn beside(missing: &str, place: &str, source: &str) -> Vec<String> {
    let folders: Vec<&Path> = FOLDERS.iter().map(Path::new).collect();
    beside_in(&folders, missing, place, source)
}

fn beside_in(folders: &[&Path], missing: &str, place: &str, source: &str) -> Vec<String> {
    if !is_systems(missing, folders) {
        return Vec::new();
    }
    let file = place.rsplit_once('(').map_or(place, |(file, _)| file);
    let text = std::fs::read(file).unwrap_or_default();
    let mut names = headers_named_by(source);
    names.extend(headers_named_by(&String::from_utf8_lossy(&text)));
    let own = Path::new(file).parent().unwrap_or(Path::new(""));
    names.retain(|name| is_systems(name, folders) && !own.join(name).is_file());
    names.push(missing.to_owned());
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_system_are_found_together() {
        let folder = std::env::temp_dir().join(format!("cuox-system-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("GL")).unwrap();
        std::fs::create_dir_all(folder.join("own")).unwrap();
        for name in [
            "GL/gl.h",
            "GL/glu.h",
            "png.h",
            "cuda.h",
            "other.h",
            "mine.h",
            "own/mine.h",
        ] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let helper = folder.join("own/helper.h");
        std::fs::write(
            &helper,
            "#include <GL/gl.h>\n#include <GL/glu.h>\n#include \"mine.h\"\n",
        )
        .unwrap();
        let place = format!("{}(1): catastrophic", helper.display());
        let source = "#include \"helper.h\"\n#include <png.h>\n#include <cuda.h>\n";
        let found = |missing: &str| beside_in(&[&folder], missing, &place, source);
        assert_eq!(found("GL/gl.h"), ["GL/gl.h", "GL/glu.h", "png.h"]);
        // CUDA's headers are wanted, wherever they are.
        for not in ["cuda.h", "missing.h", "../GL/gl.h", "/etc/passwd", ""] {
            assert!(found(not).is_empty(), "{not}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
