//! The folder of a header that a program includes, and the package to install for it.

use std::path::{Path, PathBuf};

use super::{COMPONENTS, places};

/// Packages of headers, by how their names begin. `%` stands where the packages for CUDA 12 end in `-cu12`, `=` where
/// the version has to be the compiler's.
const PACKAGES: &[(&str, &str)] = &[
    ("curand", "nvidia-curand%"),
    ("cublas", "nvidia-cublas%"),
    ("cufft", "nvidia-cufft%"),
    ("cusparse", "nvidia-cusparse%"),
    ("cusolver", "nvidia-cusolver%"),
    ("nvJitLink", "nvidia-nvjitlink%"),
    ("nvjpeg", "nvidia-nvjpeg%"),
    ("npp", "nvidia-npp%"),
    ("cufile", "nvidia-cufile%"),
    ("cupti", "nvidia-cuda-cupti%"),
    ("nvtx3/", "nvidia-nvtx%"),
    ("nvToolsExt", "nvidia-nvtx%"),
    ("nvshmem", "nvidia-nvshmem-cu$"),
    ("nccl", "nvidia-nccl-cu$"),
    ("cudnn", "nvidia-cudnn-cu$"),
    ("cutensor", "cutensor-cu$"),
    ("cutlass/", "nvidia-cutlass"),
    ("cute/", "nvidia-cutlass"),
    ("cufftdx", "nvidia-mathdx"),
    ("cublasdx", "nvidia-mathdx"),
    ("cusolverdx", "nvidia-mathdx"),
    ("curanddx", "nvidia-mathdx"),
    ("cub/", "nvidia-cuda-cccl%="),
    ("thrust/", "nvidia-cuda-cccl%="),
    ("cuda/", "nvidia-cuda-cccl%="),
    ("nv/", "nvidia-cuda-cccl%="),
    ("crt/", "nvidia-cuda-crt="),
    ("nvrtc.h", "nvidia-cuda-nvrtc%="),
    ("nvvm.h", "nvidia-nvvm="),
];
/// Headers of the CUDA runtime's package; more begin with `cuda` or `cooperative_groups`.
const RUNTIME: &[&str] = &[
    "mma.h",
    "math_constants.h",
    "cuComplex.h",
    "library_types.h",
    "sm_",
    "vector_",
    "texture_",
    "surface_",
    "driver_",
    "device_",
];

/// The pip package that has a header, for a version of the compiler.
pub(crate) fn package_of_header(header: &str, (major, minor): (i32, i32)) -> Option<String> {
    let known = PACKAGES.iter().find(|(begin, _)| header.starts_with(begin));
    let is_runtime = header.starts_with("cuda")
        || header.starts_with("cooperative_groups")
        || RUNTIME.iter().any(|n| header.starts_with(n));
    let package = match known {
        // Before CUDA 13 the compiler's package had them.
        Some(("crt/", _)) if major < 13 => "nvidia-cuda-nvcc%=",
        Some((_, package)) => package,
        None if is_runtime => "nvidia-cuda-runtime%=",
        None => return None,
    };
    let suffix = if major < 13 {
        format!("-cu{major}")
    } else {
        String::new()
    };
    Some(
        package
            .replace('%', &suffix)
            .replace('$', &major.to_string())
            .replace("=", &format!("=={major}.{minor}.*")),
    )
}

/// A folder of an installed package or toolkit in which a header lies by this name.
pub(crate) fn folder_with(header: &Path) -> Option<PathBuf> {
    if header.as_os_str().is_empty() || header.is_absolute() {
        return None;
    }
    let holds = |folder: &PathBuf| folder.join(header).is_file();
    let mut sites = Vec::new();
    for site in places::site_packages() {
        let nvidia = std::fs::read_dir(site.join("nvidia"));
        let mut packages: Vec<PathBuf> = nvidia
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path().join("include"))
            .collect();
        packages.sort();
        sites.extend(packages.into_iter().rev());
        sites.push(site.join("cutlass_library/source/include"));
        sites.push(site.join("cutensor/include"));
        sites.push(site.join("triton/backends/nvidia/include"));
    }
    let toolkits = COMPONENTS
        .iter()
        .flat_map(|c| places::all(c.wheel_folder, places::Parts::Headers))
        .map(|(_, folder)| folder)
        // The system's own headers are for another compiler.
        .filter(|folder| folder != Path::new("/usr/include"));
    sites
        .into_iter()
        .chain(toolkits)
        .flat_map(|folder| [folder.join("cccl"), folder])
        .find(holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_by_header_and_version() {
        for (header, for_13, for_12) in [
            ("curand_kernel.h", "nvidia-curand", "nvidia-curand-cu12"),
            (
                "cub/cub.cuh",
                "nvidia-cuda-cccl==13.0.*",
                "nvidia-cuda-cccl-cu12==12.0.*",
            ),
            (
                "crt/mma.h",
                "nvidia-cuda-crt==13.0.*",
                "nvidia-cuda-nvcc-cu12==12.0.*",
            ),
            (
                "cuda_fp16.h",
                "nvidia-cuda-runtime==13.0.*",
                "nvidia-cuda-runtime-cu12==12.0.*",
            ),
            (
                "mma.h",
                "nvidia-cuda-runtime==13.0.*",
                "nvidia-cuda-runtime-cu12==12.0.*",
            ),
            ("nccl.h", "nvidia-nccl-cu13", "nvidia-nccl-cu12"),
            ("cutlass/cutlass.h", "nvidia-cutlass", "nvidia-cutlass"),
        ] {
            assert_eq!(package_of_header(header, (13, 0)).as_deref(), Some(for_13));
            assert_eq!(package_of_header(header, (12, 0)).as_deref(), Some(for_12));
        }
        assert_eq!(package_of_header("mine.h", (13, 0)), None);
        assert_eq!(folder_with(Path::new("no/such/header.h")), None);
    }
}
