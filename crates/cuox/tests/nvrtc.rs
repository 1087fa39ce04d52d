//! Compiling with NVRTC, wherever the pathfinder finds one. Without one the tests say that they were skipped.

use cuox::{CodeFormat, Error, Nvrtc, ParamKind, Program, ProgramOptions, Signature, pathfinder};

/// NVRTC, or a line that says what was skipped. `CUOX_TEST_REQUIRE=nvrtc` makes its absence a failure.
fn nvrtc(test: &str) -> Option<&'static Nvrtc> {
    match Nvrtc::get() {
        Ok(nvrtc) => Some(nvrtc),
        Err(error) if std::env::var("CUOX_TEST_REQUIRE").is_ok_and(|v| v.contains("nvrtc")) => {
            panic!("{error}")
        }
        Err(error) => {
            eprintln!(
                "skipped {test}: {}",
                error.to_string().lines().next().unwrap_or_default()
            );
            None
        }
    }
}

const SAXPY: &str = r#"
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"#;

#[test]
fn ptx_with_a_signature() {
    let Some(nvrtc) = nvrtc("ptx_with_a_signature") else {
        return;
    };
    assert!(nvrtc.version() >= (11, 0), "{nvrtc:?}");
    let done = Program::new(SAXPY, "saxpy.cu")
        .compile(CodeFormat::Ptx, None, &[])
        .unwrap();
    assert_eq!(done.warnings, Vec::<String>::new());
    assert_eq!(done.code.kernel_names(), ["saxpy"]);
    let kinds = cuox::signature::entry_params(done.code.ptx().unwrap(), "saxpy").unwrap();
    let mut signature = Signature::from_kinds("saxpy", kinds);
    signature.merge(
        "saxpy",
        &cuox::signature::kernel_params(SAXPY, "saxpy").unwrap(),
    );
    assert_eq!(
        signature.to_string(),
        "saxpy(float a, const float *x, float *y, int n)"
    );
    assert_eq!(signature.params()[0].kind, ParamKind::Float { bits: 32 });
}

#[test]
fn an_old_architecture_is_raised_with_a_warning() {
    let Some(nvrtc) = nvrtc("an_old_architecture_is_raised_with_a_warning") else {
        return;
    };
    let oldest = nvrtc.supported_archs()[0];
    let options = ProgramOptions::from_args(["--gpu-architecture=compute_30"]).unwrap();
    let done = Program::new(SAXPY, "saxpy.cu")
        .with_options(options)
        .compile(CodeFormat::Ptx, None, &[])
        .unwrap();
    assert_eq!(done.warnings.len(), 1);
    assert!(
        done.warnings[0].contains("compute_30")
            && done.warnings[0].contains(&format!("compute_{oldest}"))
    );
    assert!(
        done.code
            .ptx()
            .unwrap()
            .contains(&format!(".target sm_{oldest}"))
    );
}

#[test]
fn machine_code_keeps_the_ptx_for_its_signatures() {
    let Some(_) = nvrtc("machine_code_keeps_the_ptx_for_its_signatures") else {
        return;
    };
    let options = ProgramOptions::from_args(["--gpu-architecture=sm_90"]).unwrap();
    let done = Program::new(SAXPY, "saxpy.cu")
        .with_options(options)
        .compile(CodeFormat::Cubin, None, &[])
        .unwrap();
    assert_eq!(done.code.format(), CodeFormat::Cubin);
    assert_eq!(CodeFormat::detect(done.code.bytes()), CodeFormat::Cubin);
    assert_eq!(done.code.kernel_names(), ["saxpy"]);
}

#[test]
fn a_syntax_error_carries_the_log_with_file_and_line() {
    let Some(_) = nvrtc("a_syntax_error_carries_the_log_with_file_and_line") else {
        return;
    };
    let error = Program::new("__global__ void k() {\n  int x = ;\n}", "bad.cu")
        .compile(CodeFormat::Ptx, None, &[])
        .unwrap_err();
    let Error::Nvrtc { name, ref log, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(name, "NVRTC_ERROR_COMPILATION");
    assert!(log.contains("bad.cu(2)"), "{log}");
    assert!(error.to_string().contains("bad.cu(2)"));
}

#[test]
fn name_expressions_and_headers() {
    let Some(_) = nvrtc("name_expressions_and_headers") else {
        return;
    };
    let source = "#include \"plus.h\"\ntemplate<class T> __global__ void add(T *a, T b) { *a = plus(*a, b); }";
    let done = Program::new(source, "add.cu")
        .with_header(
            "plus.h",
            "template<class T> __device__ T plus(T a, T b) { return a + b; }",
        )
        .compile(CodeFormat::Ptx, None, &["add<float>", "add<long long>"])
        .unwrap();
    let names = done.code.lowered_names();
    assert_eq!(names.len(), 2);
    assert!(done.code.kernel_names().contains(&names["add<float>"]));
    let kinds =
        cuox::signature::entry_params(done.code.ptx().unwrap(), &names["add<float>"]).unwrap();
    assert_eq!(
        kinds,
        [ParamKind::PointerOrInt, ParamKind::Float { bits: 32 }]
    );
}

#[test]
fn bad_options_are_errors_that_name_them() {
    let Some(_) = nvrtc("bad_options_are_errors_that_name_them") else {
        return;
    };
    let with = |arg: &str| {
        let options = ProgramOptions::from_args([arg]).unwrap();
        Program::new(SAXPY, "saxpy.cu")
            .with_options(options)
            .compile(CodeFormat::Ptx, None, &[])
            .unwrap_err()
            .to_string()
    };
    assert!(
        with("--no-such-option").contains("no-such-option"),
        "{}",
        with("--no-such-option")
    );
    assert!(with("--gpu-architecture=volta").contains("volta"));
}

#[test]
fn cuda_headers_are_found_where_they_are_installed() {
    let Some(_) = nvrtc("cuda_headers_are_found_where_they_are_installed") else {
        return;
    };
    if let Err(error) = pathfinder::cuda_include_dirs() {
        eprintln!(
            "skipped cuda_headers_are_found: {}",
            error.to_string().lines().next().unwrap_or_default()
        );
        return;
    }
    let source = "#include <cuda_fp16.h>\nextern \"C\" __global__ void k(__half *p, __half v) { *p = __hadd(*p, v); }";
    let done = Program::new(source, "half.cu")
        .compile(CodeFormat::Ptx, None, &[])
        .unwrap();
    let kinds = cuox::signature::entry_params(done.code.ptx().unwrap(), "k").unwrap();
    let mut signature = Signature::from_kinds("k", kinds);
    signature.merge("k", &cuox::signature::kernel_params(source, "k").unwrap());
    assert_eq!(signature.params()[1].kind, ParamKind::Float { bits: 16 });
}
