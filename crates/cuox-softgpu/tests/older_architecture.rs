//! A device that presents an older compute capability. A process of its own, since the environment is read once.

mod common;
use common::*;
use cuox_abi::CUdevice_attribute as A;

fn attribute(attribute: A) -> i32 {
    let mut value = -1;
    ok!(cuDeviceGetAttribute(&mut value, attribute, 0));
    value
}

#[test]
fn everything_follows_the_compute_capability() {
    // SAFETY: this is the only test of the process, and no other thread reads the environment yet.
    unsafe { std::env::set_var("CUOX_SOFT_ARCH", "8.0") };
    let _c = Context::new();
    let (mut major, mut minor) = (0, 0);
    ok!(cuDeviceComputeCapability(&mut major, &mut minor, 0));
    assert_eq!((major, minor), (8, 0));
    assert_eq!(
        attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
        8
    );
    assert_eq!(
        attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        0
    );
    assert_eq!(attribute(A::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH), 0);
    let shared = attribute(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    assert_eq!(shared, 163 << 10);

    // Of a fat binary the text for the device is taken, not the newest.
    let text = |sm: u32| {
        cuox_softgpu::FatbinText {
        bytes: format!(
            ".version 8.0\n.target sm_{sm}\n.address_size 64\n.visible .entry for_{sm}() {{ ret; }}\n"
        )
        .into_bytes(),
        max_registers: None,
    }
    };
    let write = |sms: &[u32]| {
        let members = sms
            .iter()
            .map(|&sm| cuox_softgpu::write_fatbin(&[text(sm)], sm, (8, 0)));
        let files: Vec<u8> = members.flat_map(|m| m[16..].to_vec()).collect();
        let mut image = cuox_softgpu::write_fatbin(&[], 0, (8, 0));
        image[8..16].copy_from_slice(&(files.len() as u64).to_le_bytes());
        image.extend_from_slice(&files);
        image
    };
    let image = write(&[75, 80, 90]);
    let mut m = CUmodule::null();
    ok!(cuModuleLoadData(&mut m, image.as_ptr().cast()));
    let f = function(m, "for_80");
    let mut found = CUfunction::null();
    code!(
        CUresult::CUDA_ERROR_NOT_FOUND,
        cuModuleGetFunction(&mut found, m, c"for_90".as_ptr())
    );
    for (name, expected) in [
        (CUfunction_attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION, 80),
        (CUfunction_attribute::CU_FUNC_ATTRIBUTE_BINARY_VERSION, 80),
    ] {
        let mut value = 0;
        ok!(cuFuncGetAttribute(&mut value, name, f));
        assert_eq!(value, expected);
    }
    assert_eq!(launch(f, 1, 32, CUstream::null(), &mut []), OK);
    ok!(cuCtxSynchronize());

    // Code for newer devices is refused by name, and so is what they alone have.
    let image = write(&[90]);
    code!(
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU,
        cuModuleLoadData(&mut m, image.as_ptr().cast())
    );
    assert!(cuox_softgpu::last_fault().contains("the device is an sm_80"));
    let mut cluster = CUlaunchAttribute {
        id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        // SAFETY: all zeros are a value.
        ..unsafe { std::mem::zeroed() }
    };
    // SAFETY: three words of the union.
    unsafe { (&raw mut cluster.value).cast::<[u32; 3]>().write([2, 1, 1]) };
    let config = CUlaunchConfig {
        gridDimX: 2,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        attrs: &mut cluster,
        numAttrs: 1,
        // SAFETY: all zeros are a value.
        ..unsafe { std::mem::zeroed() }
    };
    code!(
        CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE,
        cuLaunchKernelEx(&config, f, std::ptr::null_mut(), std::ptr::null_mut())
    );
    assert!(cuox_softgpu::last_fault().contains("compute capability 9.0"));
}
