use std::fmt::Write;

use cuox::{ArgPacker, Device, LaunchConfig, ObjectCode, StreamOptions};

use crate::code::{code_of, saxpy_code};
use crate::ptx;

fn with_source(body: &str, source: &str) -> ObjectCode {
    code_of("", body, source)
}

/// Stores each of its parameters at its own place.
const KINDS: &str = "
.visible .entry kinds(
    .param .u64 out, .param .u8 b, .param .u8 c, .param .u16 s, .param .u32 u, .param .u64 l, .param .f64 d,
    .param .align 2 .b8 h[2]
)
{
    .reg .b16 %rs<5>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    .reg .f64 %fd<2>;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd2, %rd1;
    ld.param.u8 %rs1, [b];
    st.global.u8 [%rd2], %rs1;
    ld.param.u8 %rs2, [c];
    st.global.u8 [%rd2+1], %rs2;
    ld.param.u16 %rs3, [s];
    st.global.u16 [%rd2+2], %rs3;
    ld.param.u32 %r1, [u];
    st.global.u32 [%rd2+4], %r1;
    ld.param.u64 %rd3, [l];
    st.global.u64 [%rd2+8], %rd3;
    ld.param.f64 %fd1, [d];
    st.global.f64 [%rd2+16], %fd1;
    ld.param.u16 %rs4, [h];
    st.global.u16 [%rd2+24], %rs4;
    ret;
}
";
const KINDS_SOURCE: &str = "__global__ void kinds(void *out, bool b, signed char c, short s, unsigned u, long long l, double d, __half h);";

pub fn every_kind_arrives(device: Device) {
    let kernel = with_source(KINDS, KINDS_SOURCE)
        .kernel(device, "kinds")
        .unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let out = device.allocate(32, Some(&stream)).unwrap();
    let config = LaunchConfig::new(1, 1);
    // SAFETY: the kernel writes 26 bytes to `out`.
    unsafe {
        kernel
            .launch(
                &stream,
                &config,
                &[
                    &out,
                    &true,
                    &-3i8,
                    &-300i64,
                    &u32::MAX,
                    &i64::MIN,
                    &0.1f64,
                    &1.5f32,
                ],
            )
            .unwrap();
    }
    let got = out.to_vec::<u8>(Some(&stream)).unwrap();
    assert_eq!((got[0], got[1]), (1, 0xfd));
    assert_eq!(i16::from_ne_bytes([got[2], got[3]]), -300);
    assert_eq!(got[4..8], u32::MAX.to_ne_bytes());
    assert_eq!(got[8..16], i64::MIN.to_ne_bytes());
    assert_eq!(got[16..24], 0.1f64.to_ne_bytes());
    assert_eq!(got[24..26], 0x3e00u16.to_ne_bytes());
}

pub fn wrong_ones_are_named(device: Device) {
    let kernel = saxpy_code().kernel(device, "saxpy").unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let config = LaunchConfig::new(1, 1);
    let buffer = device.allocate(4, None).unwrap();
    let text = |args: &[&dyn cuox::KernelArg]| {
        // SAFETY: no launch gets past its arguments.
        let done = unsafe { kernel.launch(&stream, &config, args) };
        done.unwrap_err().to_string()
    };
    assert_eq!(
        text(&[&1.0f32, &1.0f32, &buffer, &1]),
        "saxpy: parameter 2 \"x\" (const float *) takes a device pointer, not float"
    );
    assert_eq!(
        text(&[&1.0f32, &buffer]),
        "saxpy takes 4 arguments, not 2: saxpy(float a, const float *x, float *y, int n)"
    );
    assert_eq!(
        text(&[&1.0f32, &buffer, &buffer, &(1u64 << 31)]),
        "saxpy: parameter 4 \"n\" (int) takes a 32-bit integer (-2147483648 to 2147483647), not 2147483648"
    );
    assert_eq!(
        text(&[&1.0f32, &buffer, &buffer, &0.5f64]),
        "saxpy: parameter 4 \"n\" (int) takes a 32-bit integer, not float"
    );
    assert_eq!(
        text(&[&buffer, &buffer, &buffer, &1]),
        "saxpy: parameter 1 \"a\" (float) takes a 32-bit floating-point number, not a device pointer"
    );
    assert_eq!(
        text(&[&1e300f64, &buffer, &buffer, &1]),
        "saxpy: parameter 1 \"a\" (float) takes a 32-bit floating-point number (up to 3.4e38), not 1e300"
    );
    // Null is a pointer like any other.
    let mut packer = ArgPacker::new(&kernel).unwrap();
    packer.push_int(1).unwrap();
    packer.push_pointer(0).unwrap();
    packer.push_int(-1).unwrap_err();
    assert!(
        packer
            .mismatch("list")
            .to_string()
            .ends_with("takes a device pointer, not list")
    );
}

pub fn many_parameters(device: Device) {
    // More than the packer keeps on the stack: 100 parameters, 800 bytes.
    let count = 100u64;
    let mut body = String::from(".visible .entry many(.param .u64 out");
    for i in 1..count {
        write!(body, ", .param .u64 p{i}").unwrap();
    }
    body.push_str(
        ")\n{\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd1, %rd1;\n",
    );
    for i in 1..count {
        writeln!(
            body,
            "ld.param.u64 %rd2, [p{i}];\nst.global.u64 [%rd1+{}], %rd2;",
            8 * i
        )
        .unwrap();
    }
    body.push_str("ret;\n}\n");
    let kernel = ObjectCode::from_ptx(ptx(&body))
        .kernel(device, "many")
        .unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let out = device.allocate(8 * count as usize, Some(&stream)).unwrap();
    let mut packer = ArgPacker::new(&kernel).unwrap();
    packer.push_pointer(out.ptr()).unwrap();
    for i in 1..count {
        packer.push_uint(i * i).unwrap();
    }
    assert!(packer.push_uint(0).is_err());
    // SAFETY: the kernel writes 8 bytes per parameter to `out`.
    unsafe { packer.launch(&stream, &LaunchConfig::new(1, 1)) }.unwrap();
    let got = out.to_vec::<u64>(Some(&stream)).unwrap();
    for i in 1..count {
        assert_eq!(got[i as usize], i * i);
    }
}

const STRUCTURE: &str = "
.visible .entry st(.param .u64 out, .param .align 8 .b8 p[24])
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd2, %rd1;
    ld.param.u32 %r1, [p+8];
    st.global.u32 [%rd2], %r1;
    ld.param.u64 %rd3, [p+16];
    st.global.u64 [%rd2+8], %rd3;
    ret;
}
";

pub fn structures(device: Device) {
    let kernel = with_source(STRUCTURE, "__global__ void st(void *out, P p);")
        .kernel(device, "st")
        .unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let out = device.allocate(16, Some(&stream)).unwrap();
    let mut bytes = [0u8; 24];
    bytes[8..12].copy_from_slice(&7u32.to_ne_bytes());
    bytes[16..24].copy_from_slice(&99u64.to_ne_bytes());
    let config = LaunchConfig::new(1, 1);
    // SAFETY: the kernel writes 16 bytes to `out`.
    unsafe { kernel.launch(&stream, &config, &[&out, &&bytes[..]]) }.unwrap();
    let got = out.to_vec::<u64>(Some(&stream)).unwrap();
    assert_eq!((got[0] as u32, got[1]), (7, 99));
    // SAFETY: this one does not get past its arguments.
    let error = unsafe { kernel.launch(&stream, &config, &[&out, &&bytes[..20]]) }
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "st: parameter 2 \"p\" (P) takes a structure of 24 bytes, not bytes of 20 bytes"
    );
}
