//! The sets of headers, and where the Rust made from each goes.

/// Declarations of `cudaProfiler.h`, which the runtime wheel of some versions leaves out; `cudaProfilerTypedefs.h`
/// names the functions and their version.
const DRIVER_PRELUDE: &str = "#include <cuda.h>
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR, CU_OUT_CSV } CUoutput_mode;
CUresult cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
";

/// `cuda_profiler_api.h` includes C++ headers; these two are all that it declares.
const RUNTIME_PRELUDE: &str = "#include <cuda_runtime_api.h>
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
";

/// The management library's header needs nothing else.
const NVML_PRELUDE: &str = "#include <nvml.h>\n";

/// A set of headers.
pub struct Profile {
    /// The C text that both the preprocessor and the probe compile.
    pub prelude: &'static str,
    /// Options under which the headers show every symbol that they know.
    pub defines: &'static [&'static str],
    /// Headers whose declarations are wanted.
    pub files: &'static [&'static str],
    /// Headers whose macros are wanted, the first of which has the chapters of the documentation.
    pub macro_files: &'static [&'static str],
    /// Beginnings of the names of macros that stand for a value.
    pub macro_starts: &'static [&'static str],
    /// The macro before the name in the declaration of a function.
    pub convention: &'static str,
    /// The beginning of functions' names.
    pub function_start: &'static str,
    /// Types that functions return.
    pub results: &'static [&'static str],
    /// The type of result codes.
    pub codes: &'static str,
    /// The folder of the Rust files, from the repository's root.
    pub folder: &'static str,
    /// Where the generated code finds `foreign_enum!` and its like, and `EnumInfo` and its like.
    pub macros: &'static str,
    pub info: &'static str,
    /// Path of the generated types wherever `for_each` is used.
    pub types: &'static str,
    /// The macro that replays the functions.
    pub for_each: &'static str,
    /// Whether that macro, the tables of types and the `cuGetProcAddress` table are for other crates.
    pub public: bool,
}

/// The driver API.
pub static DRIVER: Profile = Profile {
    prelude: DRIVER_PRELUDE,
    defines: &[
        "-D__CUDA_API_VERSION_INTERNAL",
        "-D__CUDA_API_VERSION_INTERNAL_ODR",
    ],
    files: &["cuda.h"],
    macro_files: &["cuda.h"],
    macro_starts: &["CU_", "CUDA_", "RESOURCE_"],
    convention: "CUDAAPI",
    function_start: "cu",
    results: &["CUresult"],
    codes: "CUresult",
    folder: "crates/cuox-abi/src/generated",
    macros: "crate::macros",
    info: "crate::info",
    types: "$crate::",
    for_each: "for_each_driver_function",
    public: true,
};

/// The runtime API.
pub static RUNTIME: Profile = Profile {
    prelude: RUNTIME_PRELUDE,
    defines: &["-D__CUDA_API_VERSION_INTERNAL", "-D__attribute__(x)="],
    files: &[
        "cuda_runtime_api.h",
        "driver_types.h",
        "texture_types.h",
        "surface_types.h",
        "vector_types.h",
    ],
    macro_files: &["cuda_runtime_api.h", "driver_types.h"],
    macro_starts: &["cuda", "CUDART_VERSION", "CUDA_IPC_"],
    convention: "CUDARTAPI",
    function_start: "cuda",
    results: &["cudaError_t", "const char *", "cudaChannelFormatDesc"],
    codes: "cudaError",
    folder: "crates/cuox-cudart/src/generated",
    macros: "cuox_abi",
    info: "cuox_abi",
    types: "crate::generated::",
    for_each: "for_each_runtime_function",
    public: false,
};

/// The management library. It has the older versions of functions, too.
pub static NVML: Profile = Profile {
    prelude: NVML_PRELUDE,
    defines: &["-DNVML_NO_UNVERSIONED_FUNC_DEFS"],
    files: &["nvml.h"],
    macro_files: &["nvml.h"],
    macro_starts: &["NVML_", "nvml"],
    convention: "DECLDIR",
    function_start: "nvml",
    results: &["nvmlReturn_t", "const char *"],
    codes: "nvmlReturn_t",
    folder: "crates/cuox-nvml/src/generated",
    macros: "cuox_abi",
    info: "cuox_abi",
    types: "crate::generated::",
    for_each: "for_each_nvml_function",
    public: false,
};
