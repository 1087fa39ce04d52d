//! The folder of a header that a program includes, and the package to install for it.

use std::path::{Path, PathBuf};

use super::{COMPONENTS, places};

/// Packages of headers, by how their names begin. `%` stands where the packages for CUDA 12 end in `-cu12`, `=` where
/// the version has to be the compiler's.
const PACKAGES: &[(&str, &str)] = &[
    ("curand", "nvidia-curand%"),
    ("cublas", "nvidia-cublas%"),
    ("cufft", "nvidia-cufft%"),
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
    ("cudnn_frontend", "nvidia-cudnn-frontend"),
    ("cudnn", "nvidia-cudnn-cu$"),
    ("cutensornet", "cutensornet-cu$"),
    ("cutensor", "cutensor-cu$"),
    ("cusparseLt", "nvidia-cusparselt-cu$"),
    ("cusparse", "nvidia-cusparse%"),
    ("cudss", "nvidia-cudss-cu$"),
    ("nvcomp", "nvidia-nvcomp-cu$"),
    ("nvml.h", "nvidia-nvml-dev%"),
    ("nvFatbin.h", "nvidia-nvfatbin%"),
    ("nvPTXCompiler.h", "nvidia-nvptxcompiler%"),
    ("nv_decode.h", "nvidia-cuda-cuxxfilt%"),
    ("cuda_profiler_api.h", "nvidia-cuda-profiler-api%"),
    ("cudaProfiler.h", "nvidia-cuda-profiler-api%"),
    ("sanitizer.", "nvidia-cuda-sanitizer-api%"),
    ("sanitizer_", "nvidia-cuda-sanitizer-api%"),
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
pub fn package_of_header(header: &str, (major, minor): (i32, i32)) -> Option<String> {
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

/// A folder of an installed package or toolkit in which a header lies by this name, for a compiler of a file and a
/// major version: first those that came with it, and none of the packages of another major version.
pub(crate) fn folder_with(header: &Path, compiler: &Path, major: i32) -> Option<PathBuf> {
    if header.as_os_str().is_empty() || header.is_absolute() {
        return None;
    }
    let of_another = |folder: &Path| {
        folder.iter().any(|part| {
            let version = part
                .to_str()
                .and_then(|part| part.strip_prefix("cu")?.parse().ok());
            version.is_some_and(|version: i32| version != major)
        })
    };
    let holds = |folder: &PathBuf| folder.join(header).is_file() && !of_another(folder);
    let mut sites = Vec::new();
    if let Some(toolkit) = compiler.parent().and_then(Path::parent) {
        sites.push(toolkit.join("include"));
        // The packages of CUDA 12 have a folder each, beside the compiler's.
        let all = toolkit.parent().filter(|all| all.ends_with("nvidia"));
        let beside = all.and_then(|all| std::fs::read_dir(all).ok());
        let folders = beside.into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> = folders.map(|e| e.path().join("include")).collect();
        folders.sort();
        sites.extend(folders);
    }
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
    fn headers_are_of_the_compilers_major_version() {
        let site = std::env::temp_dir().join(format!("cuox-of-major-{}", std::process::id()));
        for folder in ["curand", "cu13"] {
            std::fs::create_dir_all(site.join("nvidia").join(folder).join("include")).unwrap();
        }
        let name = Path::new("cuox_test_of_major.h");
        let [old, new] =
            ["curand", "cu13"].map(|folder| site.join("nvidia").join(folder).join("include"));
        std::fs::write(new.join(name), "").unwrap();
        let compiler_12 = site.join("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
        let compiler_13 = site.join("nvidia/cu13/lib/libnvrtc.so.13");
        assert_eq!(folder_with(name, &compiler_12, 12), None);
        assert_eq!(folder_with(name, &compiler_13, 13), Some(new));
        std::fs::write(old.join(name), "").unwrap();
        assert_eq!(folder_with(name, &compiler_12, 12), Some(old));
        std::fs::remove_dir_all(site).unwrap();
    }

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
            ("nvml.h", "nvidia-nvml-dev", "nvidia-nvml-dev-cu12"),
            ("cusparse.h", "nvidia-cusparse", "nvidia-cusparse-cu12"),
            (
                "cusparseLt.h",
                "nvidia-cusparselt-cu13",
                "nvidia-cusparselt-cu12",
            ),
            (
                "cuda_profiler_api.h",
                "nvidia-cuda-profiler-api",
                "nvidia-cuda-profiler-api-cu12",
            ),
            (
                "cudnn_frontend.h",
                "nvidia-cudnn-frontend",
                "nvidia-cudnn-frontend",
            ),
            ("cutlass/cutlass.h", "nvidia-cutlass", "nvidia-cutlass"),
            (
                "nv_decode.h",
                "nvidia-cuda-cuxxfilt",
                "nvidia-cuda-cuxxfilt-cu12",
            ),
            (
                "nvPTXCompiler.h",
                "nvidia-nvptxcompiler",
                "nvidia-nvptxcompiler-cu12",
            ),
        ] {
            assert_eq!(package_of_header(header, (13, 0)).as_deref(), Some(for_13));
            assert_eq!(package_of_header(header, (12, 0)).as_deref(), Some(for_12));
        }
        assert!(package_of_header("sanitizer_memory.h", (13, 0)).is_some());
        for of_nobody in ["mine.h", "sanitizer/asan_interface.h"] {
            assert_eq!(package_of_header(of_nobody, (13, 0)), None);
        }
        let none = Path::new("");
        assert_eq!(folder_with(Path::new("no/such/header.h"), none, 13), None);
    }
}
