//! Names that CUDA has removed, and what has taken their place: by the headers of CUDA 11.8, 12.9 and 13.0.

/// Fields of `cudaDeviceProp` that CUDA 13 has removed.
const FIELDS: &[(&str, &str)] = &[
    ("clockRate", ASK_CLOCK),
    (
        "memoryClockRate",
        "cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, device)",
    ),
    (
        "computeMode",
        "cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, device)",
    ),
    ("deviceOverlap", "asyncEngineCount > 0"),
    (
        "kernelExecTimeoutEnabled",
        "cudaDeviceGetAttribute(&value, cudaDevAttrKernelExecTimeout, device)",
    ),
    (
        "singleToDoublePrecisionPerfRatio",
        "cudaDeviceGetAttribute(&value, cudaDevAttrSingleToDoublePrecisionPerfRatio, device)",
    ),
    (
        "maxTexture1DLinear",
        "cudaDeviceGetTexture1DLinearMaxWidth(&width, &format, device)",
    ),
    (
        "cooperativeMultiDeviceLaunch",
        "cooperativeLaunch, and a launch on each device",
    ),
];
const ASK_CLOCK: &str = "cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device)";

/// Functions of the runtime, the version of CUDA that has removed them, and what to call.
const FUNCTIONS: &[(&str, u32, &str)] = &[
    ("cudaThreadSynchronize", 13, "cudaDeviceSynchronize"),
    ("cudaThreadExit", 13, "cudaDeviceReset"),
    ("cudaThreadGetLimit", 13, "cudaDeviceGetLimit"),
    ("cudaThreadSetLimit", 13, "cudaDeviceSetLimit"),
    ("cudaThreadGetCacheConfig", 13, "cudaDeviceGetCacheConfig"),
    ("cudaThreadSetCacheConfig", 13, "cudaDeviceSetCacheConfig"),
    (
        "cudaLaunchCooperativeKernelMultiDevice",
        13,
        "cudaLaunchCooperativeKernel on each device",
    ),
    ("cudaEventElapsedTime_v2", 13, "cudaEventElapsedTime"),
    (
        "cudaGraphAddDependencies_v2",
        13,
        "cudaGraphAddDependencies",
    ),
    ("cudaGraphAddNode_v2", 13, "cudaGraphAddNode"),
    ("cudaGraphGetEdges_v2", 13, "cudaGraphGetEdges"),
    (
        "cudaGraphNodeGetDependencies_v2",
        13,
        "cudaGraphNodeGetDependencies",
    ),
    (
        "cudaGraphNodeGetDependentNodes_v2",
        13,
        "cudaGraphNodeGetDependentNodes",
    ),
    (
        "cudaGraphRemoveDependencies_v2",
        13,
        "cudaGraphRemoveDependencies",
    ),
    ("cudaMemAdvise_v2", 13, "cudaMemAdvise"),
    ("cudaMemPrefetchAsync_v2", 13, "cudaMemPrefetchAsync"),
    (
        "cudaSignalExternalSemaphoresAsync_v2",
        13,
        "cudaSignalExternalSemaphoresAsync",
    ),
    (
        "cudaStreamGetCaptureInfo_v2",
        13,
        "cudaStreamGetCaptureInfo",
    ),
    (
        "cudaStreamGetCaptureInfo_v3",
        13,
        "cudaStreamGetCaptureInfo",
    ),
    (
        "cudaStreamUpdateCaptureDependencies_v2",
        13,
        "cudaStreamUpdateCaptureDependencies",
    ),
    (
        "cudaWaitExternalSemaphoresAsync_v2",
        13,
        "cudaWaitExternalSemaphoresAsync",
    ),
    ("cudaProfilerInitialize", 12, "cudaProfilerStart"),
    ("cudaConfigureCall", 11, "kernel<<<grid, block>>>(...)"),
    ("cudaSetupArgument", 11, "kernel<<<grid, block>>>(...)"),
    ("cudaLaunch", 11, "cudaLaunchKernel"),
    ("cudaBindTexture", 12, TEXTURE),
    ("cudaBindTexture2D", 12, TEXTURE),
    ("cudaBindTextureToArray", 12, TEXTURE),
    ("cudaBindTextureToMipmappedArray", 12, TEXTURE),
    ("cudaUnbindTexture", 12, "cudaDestroyTextureObject"),
    ("cudaGetTextureReference", 12, TEXTURE),
    ("cudaGetTextureAlignmentOffset", 12, TEXTURE),
    ("cudaBindSurfaceToArray", 12, "cudaCreateSurfaceObject"),
    ("cudaGetSurfaceReference", 12, "cudaCreateSurfaceObject"),
];
const TEXTURE: &str = "cudaCreateTextureObject, whose object is a parameter of the kernel";

/// Operations of warps without a mask, which architectures from 7.0 on do not have.
const UNMASKED: [&str; 7] = [
    "__shfl",
    "__shfl_up",
    "__shfl_down",
    "__shfl_xor",
    "__ballot",
    "__any",
    "__all",
];

/// Headers that CUDA 12 has removed: of texture and surface references.
const HEADERS: [&str; 4] = [
    "texture_fetch_functions.h",
    "surface_functions.h",
    "cuda_texture_types.h",
    "cuda_surface_types.h",
];
/// Headers of NVIDIA's samples. Programs have others whose names begin so.
const SAMPLES: [&str; 12] = [
    "cutil.h",
    "cutil_inline.h",
    "cutil_math.h",
    "helper_cuda.h",
    "helper_cuda_drvapi.h",
    "helper_cusolver.h",
    "helper_functions.h",
    "helper_image.h",
    "helper_math.h",
    "helper_string.h",
    "helper_timer.h",
    "rendercheck_gl.h",
];

/// A hint for a header that no package of CUDA has.
pub(super) fn header(name: &str) -> Option<String> {
    if HEADERS.contains(&name) {
        return Some(format!(
            "CUDA 12 has removed {name}, and texture and surface references with it: leave the line out, and use \
             cudaTextureObject_t and cudaSurfaceObject_t."
        ));
    }
    SAMPLES.contains(&name).then(|| {
        format!(
            "{name} is a header of NVIDIA's cuda-samples, in their folder Common: name it, -I .../cuda-samples/Common."
        )
    })
}

/// A hint for an error's message, if it is about something that was removed.
pub(super) fn hint(message: &str) -> Option<String> {
    if ["texture", "surface"]
        .iter()
        .any(|kind| message.starts_with(&format!("{kind} is not a template")))
    {
        return Some(
            "CUDA 12 has removed texture and surface references: pass a cudaTextureObject_t as a parameter and read it with \
             tex2D<float>(object, x, y)."
                .to_owned(),
        );
    }
    if message.contains("convert from \"int\" to \"cudaMemLocation\"") {
        return Some(
            "Since CUDA 13 cudaMemPrefetchAsync and cudaMemAdvise take a place for the number of a device: \
             cudaMemLocation{cudaMemLocationTypeDevice, device}; behind it cudaMemPrefetchAsync takes flags, 0."
                .to_owned(),
        );
    }
    let mut quoted = message.split('"').skip(1).step_by(2);
    if message.starts_with("class \"cudaDeviceProp\" has no member ") {
        let field = quoted.nth(1)?;
        let (_, instead) = FIELDS.iter().find(|(name, _)| *name == field)?;
        return Some(format!(
            "CUDA 13 has removed cudaDeviceProp::{field}: use {instead}."
        ));
    }
    if message.starts_with("class \"cudaPointerAttributes\" has no member ") {
        let instead = match quoted.nth(1)? {
            "memoryType" => "type, whose values are cudaMemoryTypeDevice and the like",
            "isManaged" => "type == cudaMemoryTypeManaged",
            _ => return None,
        };
        return Some(format!(
            "CUDA 11 has removed this member of cudaPointerAttributes: use {instead}."
        ));
    }
    if message == "identifier \"cudaDeviceSynchronize\" is undefined in device code" {
        return Some(
            "CUDA 12 has removed cudaDeviceSynchronize from kernels: launch what is to come behind the other kernels into \
             cudaStreamTailLaunch, or wait on the host."
                .to_owned(),
        );
    }
    message.strip_prefix("identifier \"")?;
    let name = quoted.next()?;
    if UNMASKED.contains(&name) {
        return Some(format!(
            "{name} is not there for this architecture: {name}_sync takes the mask of the lanes first, {name}_sync(0xffffffff, ...)."
        ));
    }
    let (_, version, instead) = FUNCTIONS.iter().find(|(known, ..)| *known == name)?;
    Some(format!("CUDA {version} has removed {name}: use {instead}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_taken_a_names_place_is_said() {
        for (message, expected) in [
            (
                "identifier \"cudaThreadSynchronize\" is undefined",
                "CUDA 13 has removed cudaThreadSynchronize: use cudaDeviceSynchronize.",
            ),
            (
                "class \"cudaDeviceProp\" has no member \"deviceOverlap\"",
                "CUDA 13 has removed cudaDeviceProp::deviceOverlap: use asyncEngineCount > 0.",
            ),
            (
                "identifier \"cudaBindSurfaceToArray\" is undefined",
                "CUDA 12 has removed cudaBindSurfaceToArray: use cudaCreateSurfaceObject.",
            ),
        ] {
            assert_eq!(hint(message).as_deref(), Some(expected));
        }
        for (message, expected) in [
            (
                "identifier \"cudaDeviceSynchronize\" is undefined in device code",
                "cudaStreamTailLaunch",
            ),
            (
                "class \"cudaPointerAttributes\" has no member \"memoryType\"",
                "use type,",
            ),
            (
                "class \"cudaPointerAttributes\" has no member \"isManaged\"",
                "cudaMemoryTypeManaged",
            ),
        ] {
            assert!(hint(message).is_some_and(|hint| hint.contains(expected)));
        }
        for message in [
            "class \"cudaPointerAttributes\" has no member \"speed\"",
            "identifier \"cudaMalloc\" is undefined",
            "class \"cudaDeviceProp\" has no member \"speed\"",
            "class \"Mine\" has no member \"clockRate\"",
            "expected a \";\"",
            "identifier",
        ] {
            assert_eq!(hint(message), None, "{message}");
        }
    }
}
