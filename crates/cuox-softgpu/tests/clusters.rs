//! Clusters: launches, what kernels and the device say about them, and modules that need what is not supported.

mod common;
use common::*;
use std::ptr::null_mut;

const BAD_CLUSTER: CUresult = CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE;

/// `where` stores `%nclusterid.x`, the grid's blocks and whether the launch has clusters.
const PTX: &str = r"
.version 9.0
.target sm_90
.address_size 64
.visible .entry free(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %a;
    .reg .pred %q;
    ld.param.u64 %a, [p];
    mov.u32 %r0, %nclusterid.x;
    st.global.u32 [%a], %r0;
    mov.u32 %r0, %nctaid.x;
    st.global.u32 [%a+4], %r0;
    mov.pred %q, %is_explicit_cluster;
    selp.u32 %r0, 1, 0, %q;
    st.global.u32 [%a+8], %r0;
    ret;
}
.visible .entry explicit(.param .u64 p) .explicitcluster { ret; }
.visible .entry two(.param .u64 p) .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry four_at_most(.param .u64 p) .explicitcluster .maxclusterrank 4 { ret; }
.visible .entry of_clusters(.param .u64 p) .reqntid 32, 1, 1 .reqnctapercluster 2, 1, 1 .blocksareclusters
{
    .reg .b32 %r<4>;
    .reg .b64 %a;
    ld.param.u64 %a, [p];
    mov.u32 %r0, %nclusterid.x;
    st.global.u32 [%a], %r0;
    mov.u32 %r0, %nctaid.x;
    st.global.u32 [%a+4], %r0;
    ret;
}
";

fn attribute(size: [u32; 3]) -> CUlaunchAttribute {
    let mut attribute = CUlaunchAttribute {
        id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        ..Default::default()
    };
    let cluster = CUlaunchAttributeValue_clusterDim {
        x: size[0],
        y: size[1],
        z: size[2],
    };
    attribute.value.clusterDim = cluster;
    attribute
}

fn config(grid: u32, attributes: &mut [CUlaunchAttribute]) -> CUlaunchConfig {
    CUlaunchConfig {
        gridDimX: grid,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len() as u32,
        ..Default::default()
    }
}

/// Launches `grid` blocks, in clusters if a size is given.
fn run(f: CUfunction, grid: u32, cluster: Option<u32>, mut at: CUdeviceptr) -> CUresult {
    let mut attributes: Vec<_> = cluster.map(|n| attribute([n, 1, 1])).into_iter().collect();
    let config = config(grid, &mut attributes);
    let mut values = [pointer(&mut at)];
    // SAFETY: the configuration and the parameter are live locals.
    let code = unsafe { cuLaunchKernelEx(&config, f, values.as_mut_ptr(), null_mut()) };
    ok!(cuCtxSynchronize());
    code
}

#[test]
fn launches_with_clusters() {
    let _c = Context::new();
    let m = module(PTX);
    let at = upload(&[0u32; 4]);
    let free = function(m, "free");
    assert_eq!(run(free, 6, Some(2), at), OK);
    assert_eq!(download::<u32>(at, 3), [3, 6, 1]);
    assert_eq!(run(free, 6, None, at), OK);
    assert_eq!(download::<u32>(at, 3), [6, 6, 0]);
    assert_eq!(run(free, 6, Some(4), at), BAD_CLUSTER);
    assert_eq!(run(free, 16, Some(16), at), BAD_CLUSTER);
    let large = CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
    ok!(cuFuncSetAttribute(free, large, 1));
    assert_eq!(run(free, 16, Some(16), at), OK);
    assert_eq!(download::<u32>(at, 3), [1, 16, 1]);
    assert_eq!(run(free, 32, Some(32), at), BAD_CLUSTER);
    assert_eq!(run(free, 4, Some(0), at), BAD_CLUSTER);

    // A size set for every launch: all extents, or none.
    use CUfunction_attribute as A;
    let width = A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;
    ok!(cuFuncSetAttribute(free, width, 2));
    assert_eq!(run(free, 4, None, at), BAD_CLUSTER);
    let rest = [
        A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
        A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
    ];
    for extent in rest {
        ok!(cuFuncSetAttribute(free, extent, 1));
    }
    assert_eq!(run(free, 4, None, at), OK);
    assert_eq!(download::<u32>(at, 3), [2, 4, 1]);
    let must = A::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET;
    code!(INVALID_VALUE, cuFuncSetAttribute(free, must, 1));

    let two = function(m, "two");
    ok!(cuFuncSetAttribute(two, width, 2));
    assert_eq!(run(two, 4, None, at), OK);
    assert_eq!(run(two, 4, Some(2), at), OK);
    assert_eq!(run(two, 4, Some(4), at), BAD_CLUSTER);
    assert_eq!(run(two, 3, None, at), BAD_CLUSTER);
    let explicit = function(m, "explicit");
    assert_eq!(run(explicit, 4, None, at), BAD_CLUSTER);
    assert_eq!(run(explicit, 4, Some(1), at), OK);
    let four = function(m, "four_at_most");
    assert_eq!(run(four, 8, Some(4), at), OK);
    assert_eq!(run(four, 8, Some(8), at), BAD_CLUSTER);
    assert_eq!(run(function(m, "of_clusters"), 3, None, at), OK);
    assert_eq!(download::<u32>(at, 2), [3, 6]);
    ok!(cuMemFree_v2(at));
}

#[test]
fn what_is_said_about_clusters() {
    let _c = Context::new();
    let m = module(PTX);
    use CUfunction_attribute as A;
    let of = |f, attribute| {
        let mut value = -1;
        ok!(cuFuncGetAttribute(&mut value, attribute, f));
        value
    };
    let two = function(m, "two");
    assert_eq!(of(two, A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), 2);
    assert_eq!(of(two, A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH), 1);
    assert_eq!(of(two, A::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET), 1);
    let free = function(m, "free");
    assert_eq!(of(free, A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), 0);
    assert_eq!(of(free, A::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET), 0);
    let mut clusters = 0;
    ok!(cuDeviceGetAttribute(
        &mut clusters,
        CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
        0
    ));
    assert_eq!(clusters, 1);
    let (mut most, mut active) = (0, 0);
    let mut none = [];
    let plain = config(4, &mut none);
    ok!(cuOccupancyMaxPotentialClusterSize(&mut most, free, &plain));
    assert_eq!(most, 8);
    ok!(cuOccupancyMaxActiveClusters(&mut active, free, &plain));
    assert_eq!(active, 0);
    let explicit = function(m, "explicit");
    code!(
        BAD_CLUSTER,
        cuOccupancyMaxActiveClusters(&mut active, explicit, &plain)
    );
    let mut attributes = [attribute([4, 1, 1])];
    let clustered = config(4, &mut attributes);
    ok!(cuOccupancyMaxActiveClusters(&mut active, free, &clustered));
    assert!(active >= 1);
}

#[test]
fn a_kernel_that_is_not_supported_does_not_stop_others() {
    let _c = Context::new();
    let m = module(
        r"
.version 9.0
.target sm_90a
.address_size 64
.extern .func (.param .b32 r) cudaSetDevice (.param .b32 d);
.visible .entry fine(.param .u64 p)
{
    .reg .b32 %r;
    .reg .b64 %a;
    ld.param.u64 %a, [p];
    mov.u32 %r, 5;
    st.global.u32 [%a], %r;
    ret;
}
.visible .entry everywhere() { .reg .b64 %a; multimem.red.relaxed.sys.global.add.u32 [%a], 1; ret; }
.visible .entry launches()
{
    .reg .b32 %r;
    .param .b32 q;
    .param .b32 x;
    mov.u32 %r, 0;
    st.param.b32 [x], %r;
    call (q), cudaSetDevice, (x);
    ret;
}
",
    );
    let at = upload(&[0u32]);
    assert_eq!(run(function(m, "fine"), 1, None, at), OK);
    assert_eq!(download::<u32>(at, 1), [5]);
    let unsupported = CUresult::CUDA_ERROR_NOT_SUPPORTED;
    for name in ["everywhere", "launches"] {
        let f = function(m, name);
        let no = null_mut;
        code!(
            unsupported,
            cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, CUstream::null(), no(), null_mut())
        );
    }
    ok!(cuMemFree_v2(at));
}
