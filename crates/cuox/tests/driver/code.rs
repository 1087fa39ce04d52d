use cuox::{CodeFormat, CodeParts, Device, Error, LaunchConfig, ObjectCode, StreamOptions};

use crate::{SAXPY, SAXPY_SOURCE, ptx};

/// PTX as if NVRTC had made it: with its source.
pub fn code_of(name: &str, body: &str, source: &str) -> ObjectCode {
    ObjectCode::new(CodeParts {
        source: Some(source.into()),
        ..CodeParts::new(CodeFormat::Ptx, ptx(body).into_bytes(), name)
    })
}

/// SAXPY with its source.
pub fn saxpy_code() -> ObjectCode {
    code_of("saxpy.cu", SAXPY, SAXPY_SOURCE)
}

pub fn saxpy_from_ptx(device: Device) {
    let n = 100_003usize;
    let kernel = saxpy_code().kernel(device, "saxpy").unwrap();
    assert_eq!(
        kernel.signature().unwrap().to_string(),
        "saxpy(float a, const float *x, float *y, int n)"
    );
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let y: Vec<f32> = (0..n).map(|i| 2.0 * i as f32).collect();
    let (dx, dy) = (
        device.allocate(4 * n, Some(&stream)).unwrap(),
        device.allocate(4 * n, Some(&stream)).unwrap(),
    );
    dx.copy_from_slice(&x, Some(&stream)).unwrap();
    dy.copy_from_slice(&y, Some(&stream)).unwrap();
    let config = LaunchConfig::for_elements(n as u32, 256);
    // SAFETY: both buffers hold n floats and live until the stream is synchronised.
    unsafe { kernel.launch(&stream, &config, &[&3.0f32, &dx, &dy, &n]) }.unwrap();
    let got = dy.to_vec::<f32>(Some(&stream)).unwrap();
    for i in 0..n {
        assert_eq!(got[i], 3.0f32.mul_add(x[i], y[i]), "element {i}");
    }
}

pub fn bad_ptx_says_where(device: Device) {
    let code = ObjectCode::from_ptx(ptx(
        ".visible .entry k()\n{\n    add.wrong %r1, 1;\n    ret;\n}\n",
    ));
    let error = code.kernel(device, "k").unwrap_err();
    assert_eq!(error.driver_code(), Some(218), "{error}");
    let text = error.to_string();
    assert!(text.contains("CUDA_ERROR_INVALID_PTX"), "{text}");
    // Three lines of header, then the third of the body.
    assert!(text.contains("line 6") || text.contains(":6"), "{text}");
    assert!(text.contains("wrong"), "{text}");
    let error = ObjectCode::from_ptx("").kernel(device, "k").unwrap_err();
    assert!(error.driver_code().is_some(), "{error}");
}

pub fn missing_kernels_list_those_there(device: Device) {
    let error = saxpy_code().kernel(device, "daxpy").unwrap_err();
    let Error::NoSuchKernel { available, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(available.as_ref(), ["saxpy"]);
    assert_eq!(error.to_string(), "no kernel \"daxpy\"; available: saxpy");
    let code = ObjectCode::from_ptx(ptx(
        ".visible .entry _Z3addPfi(.param .u64 a, .param .u32 b)\n{\n ret;\n}\n",
    ));
    assert_eq!(code.kernel(device, "add").unwrap().name(), "_Z3addPfi");
    assert!(code.kernel(device, "a\0b").is_err());
}

pub fn globals(device: Device) {
    let code = ObjectCode::from_ptx(ptx(
        ".visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};\n.visible .entry k()\n{\n ret;\n}\n",
    ));
    let (pointer, bytes) = code.global(device, "table").unwrap();
    assert_eq!(bytes, 16);
    let context = device.context().unwrap();
    // SAFETY: the variable lives as long as the code.
    let table =
        unsafe { cuox::Buffer::borrowed(&context, pointer, bytes, Some(Box::new(code.clone()))) };
    assert_eq!(table.to_vec::<u32>(None).unwrap(), [1, 2, 3, 4]);
    assert_eq!(
        code.global(device, "nothing").unwrap_err().driver_code(),
        Some(500)
    );
}

pub fn attributes(device: Device) {
    let kernel = saxpy_code().kernel(device, "saxpy").unwrap();
    let attributes = kernel.attributes().unwrap();
    assert!(attributes.max_threads_per_block >= 32);
    assert_eq!(attributes.shared_size_bytes, 0);
    assert!(kernel.max_active_blocks(256, 0).unwrap() >= 1);
    let (grid, block) = kernel.max_potential_block_size(0, 0).unwrap();
    assert!(grid >= 1 && block >= 32, "{grid} {block}");
}
