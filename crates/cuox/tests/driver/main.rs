//! Tests against a driver: cuox's and NVIDIA's, whichever are on this machine. Each test runs once per driver; the
//! tests of a driver that is not there are counted as ignored. `CUOX_TEST_REQUIRE=soft,gpu` makes that a failure.

mod apart;
mod arguments;
mod arrays;
mod code;
mod kernels;
mod memory;
mod orders;
mod streams;

use cuox::{Device, Driver, DriverKind};
use libtest_mimic::{Arguments, Failed, Trial};

/// One test of one device.
type Test = fn(Device);

/// Lists tests by name.
macro_rules! tests {
    ($module:ident: $($name:ident),* $(,)?) => {
        [$((concat!(stringify!($module), "::", stringify!($name)), crate::$module::$name as Test)),*]
    };
}

fn main() {
    if let Ok(name) = std::env::var(apart::CHILD) {
        apart::run_child(&name);
    }
    let arguments = Arguments::from_args();
    let mut all: Vec<(&str, Test)> = Vec::new();
    all.extend(tests!(memory: round_trip, fills, ranges_are_checked, in_stream_order, pinned_and_managed, out_of_memory));
    all.extend(tests!(arrays: arrays_have_shapes_and_views, arrays_stay_inside_their_buffer, arrays_are_kernel_arguments));
    all.extend(tests!(orders: reads_wait_for_writes, memory_is_freed_behind_its_uses, any_mix_of_streams_is_right));
    all.extend(tests!(streams: a_thread_ends_after_the_work_in_its_default_stream, events_time, callbacks_run_in_order, waits_can_be_interrupted, streams_wait, properties));
    all.extend(tests!(code: saxpy_from_ptx, bad_ptx_says_where, missing_kernels_list_those_there, globals, attributes));
    all.extend(
        tests!(arguments: every_kind_arrives, wrong_ones_are_named, many_parameters, structures),
    );
    all.extend(
        tests!(kernels: eight_threads, too_big_blocks_say_so, much_shared_memory, created_contexts),
    );
    all.extend(tests!(apart: a_stray_pointer_is_an_error, a_forked_child_is_told));
    let required = std::env::var("CUOX_TEST_REQUIRE").unwrap_or_default();
    let mut trials = Vec::new();
    for kind in [DriverKind::Soft, DriverKind::Nvidia] {
        let device = Driver::of(kind).and_then(|driver| Device::of(driver, 0));
        let must = required.split(',').any(|name| name == kind.as_str());
        if let Err(error) = &device {
            eprintln!(
                "no {}: {}",
                kind.as_str(),
                error.to_string().lines().next().unwrap_or_default()
            );
        }
        for (name, test) in &all {
            let (device, test) = (device.clone(), *test);
            let ignored = device.is_err() && !must;
            let trial = Trial::test(format!("{}::{name}", kind.as_str()), move || {
                let device = device.map_err(|e| Failed::from(e.to_string()))?;
                test(device);
                Ok(())
            });
            trials.push(trial.with_ignored_flag(ignored));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// PTX with this text behind the header.
pub fn ptx(body: &str) -> String {
    format!(".version 7.0\n.target sm_70\n.address_size 64\n{body}")
}

/// `y[i] = a * x[i] + y[i]`.
pub const SAXPY: &str = "
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .f32 %f<5>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.f32 %f1, [a];
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mul.wide.s32 %rd5, %r5, 4;
    add.s64 %rd6, %rd3, %rd5;
    add.s64 %rd7, %rd4, %rd5;
    ld.global.f32 %f2, [%rd6];
    ld.global.f32 %f3, [%rd7];
    fma.rn.f32 %f4, %f1, %f2, %f3;
    st.global.f32 [%rd7], %f4;
DONE:
    ret;
}
";

/// The declaration that goes with [`SAXPY`].
pub const SAXPY_SOURCE: &str =
    "extern \"C\" __global__ void saxpy(float a, const float *x, float *y, int n);";
