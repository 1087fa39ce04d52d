//! What can be looked for, and where packages, conda and the toolkit have it.

/// The kind of a thing that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A library that a process loads.
    Library,
    /// A folder of headers.
    Headers,
    /// A program of the toolkit.
    Binary,
    /// A library that a linker takes in.
    Static,
    /// LLVM's code for a linker of device code.
    Bitcode,
}

/// Whoever ships it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Package {
    /// The CUDA toolkit, as a whole or in packages.
    Toolkit,
    /// A product of its own.
    Other,
    /// NVIDIA's driver.
    Driver,
}

/// A thing that can be looked for. Folders are relative to the place that is searched; the first is the best.
#[derive(Debug)]
pub struct Entry {
    /// Its kind.
    pub kind: Kind,
    /// The name that it is asked for by.
    pub name: &'static str,
    /// Whoever ships it.
    pub package: Package,
    /// The names of its file, the newest version first; of headers, one that shows that the folder is the right one.
    pub files: &'static [&'static str],
    /// The folder of its own that packages for CUDA 12 have below `nvidia`; those of CUDA 13 have `cu13`.
    own_folder: &'static str,
    /// The folders in site-packages, if these are others.
    pub wheels: &'static [&'static str],
    /// The folders in conda's environment and in a toolkit.
    pub folders: &'static [&'static str],
    /// The same in conda's environment, where they differ.
    pub conda_folders: &'static [&'static str],
    /// Folders in such a folder of headers that come before it.
    pub inside: &'static [&'static str],
    /// Variables that name a folder of this product.
    pub roots: &'static [&'static str],
    /// The folders in that.
    pub in_roots: &'static [&'static str],
    /// Folders of the system; `*` stands for any text.
    pub system: &'static [&'static str],
    /// True if the system's folder of headers for this kind of machine comes before those.
    pub is_of_multiarch: bool,
    /// True if the toolkit is looked for by the runtime that the system's loader finds.
    pub is_beside_runtime: bool,
    /// Libraries that have to be loaded before.
    pub needs: &'static [&'static str],
    /// Libraries that are loaded before if they are there.
    pub may_need: &'static [&'static str],
    /// True if it is to see its own symbols first.
    pub binds_deep: bool,
    /// The package of pip's; of the toolkit, the extra of `cuda-toolkit`.
    pub pip: &'static str,
}

const NOTHING: Entry = Entry {
    kind: Kind::Library,
    name: "",
    package: Package::Toolkit,
    files: &[],
    own_folder: "",
    wheels: &[],
    folders: &["lib64", "lib"],
    conda_folders: &[],
    inside: &[],
    roots: &[],
    in_roots: &[],
    system: &[],
    is_of_multiarch: false,
    is_beside_runtime: false,
    needs: &[],
    may_need: &[],
    binds_deep: false,
    pip: "",
};

type Names = &'static [&'static str];

/// A library of the toolkit in `nvidia/cu13/lib` or `nvidia/<own folder>/lib`.
const fn toolkit(
    name: &'static str,
    files: Names,
    own_folder: &'static str,
    pip: &'static str,
) -> Entry {
    Entry {
        own_folder,
        ..of_toolkit(name, files, pip)
    }
}

const fn of_toolkit(name: &'static str, files: Names, pip: &'static str) -> Entry {
    Entry {
        name,
        files,
        pip,
        ..NOTHING
    }
}

const fn other(name: &'static str, files: Names, pip: &'static str) -> Entry {
    Entry {
        package: Package::Other,
        ..of_toolkit(name, files, pip)
    }
}

const fn driver(name: &'static str, files: Names) -> Entry {
    Entry {
        package: Package::Driver,
        ..of_toolkit(name, files, "")
    }
}

const fn toolkit_headers(name: &'static str, files: Names) -> Entry {
    Entry {
        kind: Kind::Headers,
        folders: &["include"],
        is_beside_runtime: true,
        ..of_toolkit(name, files, name)
    }
}

const fn other_headers(name: &'static str, files: Names, pip: &'static str) -> Entry {
    Entry {
        package: Package::Other,
        is_beside_runtime: false,
        pip,
        ..toolkit_headers(name, files)
    }
}

const fn binary(name: &'static str, files: Names) -> Entry {
    Entry {
        kind: Kind::Binary,
        folders: &["bin"],
        is_beside_runtime: true,
        ..of_toolkit(name, files, "nvcc")
    }
}

const fn bitcode(name: &'static str, files: Names, package: Package, pip: &'static str) -> Entry {
    Entry {
        kind: Kind::Bitcode,
        package,
        ..of_toolkit(name, files, pip)
    }
}

impl Entry {
    /// The folders in site-packages.
    pub fn wheel_folders(&self) -> Vec<String> {
        match self.own_folder {
            "" => self
                .wheels
                .iter()
                .map(|folder| (*folder).to_owned())
                .collect(),
            own => vec!["nvidia/cu13/lib".into(), format!("nvidia/{own}/lib")],
        }
    }
}

/// All that can be looked for.
pub const CATALOGUE: &[Entry] = &[
    toolkit(
        "cudart",
        &["libcudart.so.13", "libcudart.so.12"],
        "cuda_runtime",
        "cudart",
    ),
    toolkit(
        "nvfatbin",
        &["libnvfatbin.so.13", "libnvfatbin.so.12"],
        "nvfatbin",
        "nvfatbin",
    ),
    toolkit(
        "nvJitLink",
        &["libnvJitLink.so.13", "libnvJitLink.so.12"],
        "nvjitlink",
        "nvjitlink",
    ),
    toolkit(
        "nvrtc",
        &["libnvrtc.so.13", "libnvrtc.so.12"],
        "cuda_nvrtc",
        "nvrtc",
    ),
    Entry {
        wheels: &["nvidia/cu13/lib", "nvidia/cuda_nvcc/nvvm/lib64"],
        folders: &["nvvm/lib64"],
        is_beside_runtime: true,
        ..of_toolkit("nvvm", &["libnvvm.so.4", "libnvvm.so"], "nvvm")
    },
    Entry {
        needs: &["cublasLt"],
        ..toolkit(
            "cublas",
            &["libcublas.so.13", "libcublas.so.12"],
            "cublas",
            "cublas",
        )
    },
    toolkit(
        "cublasLt",
        &["libcublasLt.so.13", "libcublasLt.so.12"],
        "cublas",
        "cublas",
    ),
    toolkit(
        "cufft",
        &["libcufft.so.12", "libcufft.so.11"],
        "cufft",
        "cufft",
    ),
    Entry {
        needs: &["cufft"],
        ..toolkit(
            "cufftw",
            &["libcufftw.so.12", "libcufftw.so.11"],
            "cufft",
            "cufft",
        )
    },
    toolkit(
        "curand",
        &["libcurand.so.11", "libcurand.so.10"],
        "curand",
        "curand",
    ),
    Entry {
        needs: &["nvJitLink", "cusparse", "cublasLt", "cublas"],
        ..toolkit(
            "cusolver",
            &["libcusolver.so.12", "libcusolver.so.11"],
            "cusolver",
            "cusolver",
        )
    },
    Entry {
        needs: &["nvJitLink", "cublasLt", "cublas"],
        ..toolkit(
            "cusolverMg",
            &["libcusolverMg.so.12", "libcusolverMg.so.11"],
            "cusolver",
            "cusolver",
        )
    },
    Entry {
        needs: &["nvJitLink"],
        ..toolkit("cusparse", &["libcusparse.so.12"], "cusparse", "cusparse")
    },
    toolkit("nppc", &["libnppc.so.13", "libnppc.so.12"], "npp", "npp"),
    Entry {
        needs: &["nppc"],
        ..toolkit(
            "nppial",
            &["libnppial.so.13", "libnppial.so.12"],
            "npp",
            "npp",
        )
    },
    Entry {
        needs: &["nppc"],
        ..toolkit(
            "nppicc",
            &["libnppicc.so.13", "libnppicc.so.12"],
            "npp",
            "npp",
        )
    },
    Entry {
        needs: &["nppc"],
        ..toolkit(
            "nppidei",
            &["libnppidei.so.13", "libnppidei.so.12"],
            "npp",
            "npp",
        )
    },
    Entry {
        needs: &["nppc"],
        ..toolkit("nppif", &["libnppif.so.13", "libnppif.so.12"], "npp", "npp")
    },
    Entry {
        needs: &["nppc"],
        ..toolkit("nppig", &["libnppig.so.13", "libnppig.so.12"], "npp", "npp")
    },
    Entry {
        needs: &["nppc"],
        ..toolkit("nppim", &["libnppim.so.13", "libnppim.so.12"], "npp", "npp")
    },
    Entry {
        needs: &["nppc"],
        ..toolkit(
            "nppist",
            &["libnppist.so.13", "libnppist.so.12"],
            "npp",
            "npp",
        )
    },
    Entry {
        needs: &["nppc"],
        ..toolkit(
            "nppisu",
            &["libnppisu.so.13", "libnppisu.so.12"],
            "npp",
            "npp",
        )
    },
    Entry {
        needs: &["nppc"],
        ..toolkit(
            "nppitc",
            &["libnppitc.so.13", "libnppitc.so.12"],
            "npp",
            "npp",
        )
    },
    Entry {
        needs: &["nppc"],
        ..toolkit("npps", &["libnpps.so.13", "libnpps.so.12"], "npp", "npp")
    },
    Entry {
        needs: &["cublas", "cublasLt"],
        ..toolkit(
            "nvblas",
            &["libnvblas.so.13", "libnvblas.so.12"],
            "cublas",
            "cublas",
        )
    },
    toolkit(
        "nvjpeg",
        &["libnvjpeg.so.13", "libnvjpeg.so.12"],
        "nvjpeg",
        "nvjpeg",
    ),
    toolkit("cufile", &["libcufile.so.0"], "cufile", "cufile"),
    Entry {
        folders: &["extras/CUPTI/lib64", "lib"],
        is_beside_runtime: true,
        ..toolkit(
            "cupti",
            &["libcupti.so.13", "libcupti.so.12"],
            "cuda_cupti",
            "cupti",
        )
    },
    Entry {
        wheels: &["nvidia/cu13/lib"],
        ..of_toolkit("cudla", &["libcudla.so.1"], "cudla")
    },
    Entry {
        wheels: &["nvidia/cublasmp/cu13/lib", "nvidia/cublasmp/cu12/lib"],
        needs: &["cublas", "cublasLt", "nvshmem_host"],
        ..other("cublasmp", &["libcublasmp.so.0"], "nvidia-cublasmp-cu13")
    },
    Entry {
        wheels: &["nvidia/cufftmp/cu13/lib", "nvidia/cufftmp/cu12/lib"],
        needs: &["nvshmem_host"],
        binds_deep: true,
        ..other(
            "cufftMp",
            &["libcufftMp.so.12", "libcufftMp.so.11"],
            "nvidia-cufftmp-cu13",
        )
    },
    Entry {
        wheels: &["nvidia/cudnn/lib"],
        needs: &["cublasLt"],
        may_need: &["nvrtc"],
        roots: &["CUDNN_PATH"],
        in_roots: &["lib", "lib64"],
        ..other("cudnn", &["libcudnn.so.9"], "nvidia-cudnn-cu13")
    },
    Entry {
        wheels: &["nvidia/cu13/lib", "nvidia/cu12/lib"],
        needs: &["cublas", "cudart", "cusolver", "nccl"],
        ..other(
            "cusolverMp",
            &["libcusolverMp.so.0"],
            "nvidia-cusolvermp-cu13",
        )
    },
    Entry {
        wheels: &["nvidia/cu13/lib", "nvidia/cu12/lib"],
        needs: &["nvrtc"],
        ..other("mathdx", &["libmathdx.so.0"], "nvidia-libmathdx-cu13")
    },
    Entry {
        wheels: &["nvidia/cu13/lib", "nvidia/cu12/lib"],
        needs: &["cublas", "cublasLt"],
        may_need: &["nvrtc"],
        ..other(
            "cudss",
            &["libcudss.so.1", "libcudss.so.0"],
            "nvidia-cudss-cu13",
        )
    },
    Entry {
        wheels: &["nvidia/cu13/lib", "nvidia/cusparselt/lib"],
        ..other(
            "cusparseLt",
            &["libcusparseLt.so.0"],
            "nvidia-cusparselt-cu13",
        )
    },
    Entry {
        wheels: &["cutensor/lib"],
        needs: &["cublasLt"],
        ..other("cutensor", &["libcutensor.so.2"], "cutensor-cu13")
    },
    Entry {
        wheels: &["cutensor/lib"],
        needs: &["cutensor", "cublasLt"],
        ..other("cutensorMg", &["libcutensorMg.so.2"], "cutensor-cu13")
    },
    Entry {
        wheels: &["cutensor/lib"],
        needs: &["cutensor", "cublasLt", "cudart", "nccl"],
        ..other("cutensorMp", &["libcutensorMp.so.2"], "cutensor-cu13")
    },
    Entry {
        wheels: &["cuquantum/lib"],
        needs: &[
            "cutensornet",
            "cutensor",
            "cusolver",
            "cublasLt",
            "cublas",
            "curand",
            "cusparse",
            "nvJitLink",
        ],
        ..other(
            "cudensitymat",
            &["libcudensitymat.so.0"],
            "cudensitymat-cu13",
        )
    },
    Entry {
        wheels: &["cuquantum/lib"],
        ..other("cupauliprop", &["libcupauliprop.so.0"], "cupauliprop-cu13")
    },
    Entry {
        wheels: &["cuquantum/lib"],
        needs: &["cutensor", "cublas", "cusolver"],
        ..other("cutensornet", &["libcutensornet.so.2"], "cutensornet-cu13")
    },
    Entry {
        wheels: &["cuquantum/lib"],
        ..other(
            "custabilizer",
            &["libcustabilizer.so.0"],
            "custabilizer-cu13",
        )
    },
    Entry {
        wheels: &["cuquantum/lib"],
        needs: &["cublas", "cublasLt"],
        ..other("custatevec", &["libcustatevec.so.1"], "custatevec-cu13")
    },
    Entry {
        wheels: &["nvidia/nccl/lib"],
        roots: &["NCCL_HOME"],
        in_roots: &["lib", "lib64", "build/lib"],
        ..other("nccl", &["libnccl.so.2"], "nvidia-nccl-cu13")
    },
    Entry {
        wheels: &["nvpl/lib"],
        ..other("nvpl_fftw", &["libnvpl_fftw.so.0"], "nvpl-fft")
    },
    Entry {
        wheels: &["nvidia/nvshmem/lib"],
        ..other(
            "nvshmem_host",
            &["libnvshmem_host.so.3"],
            "nvidia-nvshmem-cu13",
        )
    },
    driver("cuda", &["libcuda.so.1"]),
    driver("nvcudla", &["libnvcudla.so"]),
    driver("nvml", &["libnvidia-ml.so.1"]),
    Entry {
        wheels: &["nvidia/cu13/include/cccl", "nvidia/cuda_cccl/include"],
        inside: &["cccl"],
        ..toolkit_headers("cccl", &["cuda/std/version"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cublas/include"],
        ..toolkit_headers("cublas", &["cublas.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cuda_runtime/include"],
        ..toolkit_headers("cudart", &["cuda_runtime.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cufft/include"],
        ..toolkit_headers("cufft", &["cufft.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cufile/include"],
        ..toolkit_headers("cufile", &["cufile.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/curand/include"],
        ..toolkit_headers("curand", &["curand.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cusolver/include"],
        ..toolkit_headers("cusolver", &["cusolverDn.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cusparse/include"],
        ..toolkit_headers("cusparse", &["cusparse.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/npp/include"],
        ..toolkit_headers("npp", &["npp.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cuda_profiler_api/include"],
        ..toolkit_headers("profiler", &["cuda_profiler_api.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cuda_nvcc/include"],
        ..toolkit_headers("nvcc", &["fatbinary_section.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/nvfatbin/include"],
        ..toolkit_headers("nvfatbin", &["nvFatbin.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/nvjitlink/include"],
        ..toolkit_headers("nvjitlink", &["nvJitLink.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/nvjpeg/include"],
        ..toolkit_headers("nvjpeg", &["nvjpeg.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cuda_nvrtc/include"],
        ..toolkit_headers("nvrtc", &["nvrtc.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cuda_nvcc/nvvm/include"],
        folders: &["nvvm/include"],
        ..toolkit_headers("nvvm", &["nvvm.h"])
    },
    Entry {
        wheels: &["nvidia/cu13/include"],
        ..toolkit_headers("cudla", &["cudla.h"])
    },
    Entry {
        wheels: &["nvidia/cudnn/include"],
        roots: &["CUDNN_PATH"],
        in_roots: &["include"],
        system: &["/usr/include", "/usr/local/include"],
        is_of_multiarch: true,
        ..other_headers("cudnn", &["cudnn.h"], "nvidia-cudnn-cu13")
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cu12/include"],
        ..other_headers("cusolverMp", &["cusolverMp.h"], "nvidia-cusolvermp-cu13")
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cusparselt/include"],
        ..other_headers("cusparseLt", &["cusparseLt.h"], "nvidia-cusparselt-cu13")
    },
    Entry {
        wheels: &["cutlass_library/source/include"],
        ..other_headers("cute", &["cute/tensor.hpp"], "nvidia-cutlass")
    },
    Entry {
        wheels: &["cutensor/include"],
        ..other_headers("cutensor", &["cutensor.h"], "cutensor-cu13")
    },
    Entry {
        wheels: &["cuquantum/include"],
        ..other_headers("cudensitymat", &["cudensitymat.h"], "cudensitymat-cu13")
    },
    Entry {
        wheels: &["cuquantum/include"],
        ..other_headers("cupauliprop", &["cupauliprop.h"], "cupauliprop-cu13")
    },
    Entry {
        wheels: &["cuquantum/include"],
        ..other_headers("cutensornet", &["cutensornet.h"], "cutensornet-cu13")
    },
    Entry {
        wheels: &["cuquantum/include"],
        ..other_headers("custabilizer", &["custabilizer.h"], "custabilizer-cu13")
    },
    Entry {
        wheels: &["cuquantum/include"],
        ..other_headers("custatevec", &["custatevec.h"], "custatevec-cu13")
    },
    Entry {
        wheels: &["cutlass_library/source/include"],
        ..other_headers("cutlass", &["cutlass/cutlass.h"], "nvidia-cutlass")
    },
    Entry {
        wheels: &["nvidia/cu13/include", "nvidia/cu12/include"],
        ..other_headers("mathdx", &["libmathdx.h"], "nvidia-libmathdx-cu13")
    },
    Entry {
        wheels: &["nvidia/nccl/include"],
        folders: &["include", "build/include"],
        roots: &["NCCL_HOME"],
        in_roots: &["include", "build/include"],
        system: &["/usr/include", "/usr/local/include"],
        ..other_headers("nccl", &["nccl.h"], "nvidia-nccl-cu13")
    },
    Entry {
        wheels: &["nvidia/nvshmem/include"],
        system: &["/usr/include/nvshmem_*"],
        ..other_headers("nvshmem", &["nvshmem.h"], "nvidia-nvshmem-cu13")
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("nvcc", &["nvcc"])
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("ptxas", &["ptxas"])
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("nvdisasm", &["nvdisasm"])
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("cuobjdump", &["cuobjdump"])
    },
    Entry {
        wheels: &["nvidia/cuda_nvcc/bin"],
        ..binary("nvprune", &["nvprune"])
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("fatbinary", &["fatbinary"])
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("bin2c", &["bin2c"])
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("nvlink", &["nvlink"])
    },
    Entry {
        wheels: &["nvidia/cuda_nvcc/bin"],
        ..binary("cuda-gdb", &["cuda-gdb"])
    },
    Entry {
        wheels: &["nvidia/cuda_nvcc/bin"],
        ..binary("cuda-gdbserver", &["cuda-gdbserver"])
    },
    Entry {
        wheels: &["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"],
        ..binary("compute-sanitizer", &["compute-sanitizer"])
    },
    Entry {
        wheels: &["nvidia/cuda_nvcc/bin"],
        ..binary("nvprof", &["nvprof"])
    },
    Entry {
        wheels: &["nvidia/nsight_systems/bin"],
        ..binary("nsys", &["nsys"])
    },
    Entry {
        wheels: &["nvidia/nsight_systems/bin"],
        ..binary("nsight-sys", &["nsight-sys"])
    },
    Entry {
        wheels: &["nvidia/nsight_compute/bin"],
        ..binary("ncu", &["ncu"])
    },
    Entry {
        wheels: &["nvidia/nsight_compute/bin"],
        ..binary("nsight-compute", &["nsight-compute"])
    },
    Entry {
        kind: Kind::Static,
        own_folder: "cuda_runtime",
        conda_folders: &["lib"],
        ..of_toolkit("cudadevrt", &["libcudadevrt.a"], "cudart")
    },
    Entry {
        wheels: &[
            "nvidia/cu13/nvvm/libdevice",
            "nvidia/cuda_nvcc/nvvm/libdevice",
        ],
        folders: &["nvvm/libdevice"],
        ..bitcode("device", &["libdevice.10.bc"], Package::Toolkit, "nvvm")
    },
    Entry {
        wheels: &["nvidia/nccl/lib"],
        folders: &["lib"],
        ..bitcode(
            "nccl_device",
            &["libnccl_device.bc"],
            Package::Other,
            "nvidia-nccl-cu13",
        )
    },
    Entry {
        wheels: &["nvidia/nvshmem/lib"],
        folders: &["lib"],
        ..bitcode(
            "nvshmem_device",
            &["libnvshmem_device.bc"],
            Package::Other,
            "nvidia-nvshmem-cu13",
        )
    },
];
