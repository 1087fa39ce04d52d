use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cuox::{
    Device, Error, EventOptions, Fill, LaunchConfig, ObjectCode, PinnedBuffer, PinnedOptions,
    StreamOptions,
};

use crate::ptx;

pub fn properties(device: Device) {
    assert!(!device.name().is_empty());
    assert!(device.compute_capability() >= (3, 0));
    assert_eq!(device.attribute(10).unwrap(), 32);
    let (free, total) = device.memory_info().unwrap();
    assert!(free > 0 && free <= total && total <= device.total_memory().unwrap());
    assert_eq!(device.uuid_text().len(), 36);
    let properties = device.properties().unwrap();
    assert_eq!(properties.warp_size, 32);
    assert!(properties.max_threads_per_block >= 512 && properties.multiprocessor_count > 0);
    let error = Device::of(device.driver(), 99).unwrap_err().to_string();
    assert!(error.contains("device 99 was asked for"), "{error}");
    assert!(device.attribute(100_000).is_err());
    device.set_current().unwrap();
    assert_eq!(Device::current(), Some(device));
}

pub fn events_time(device: Device) {
    let stream = device
        .create_stream(StreamOptions {
            priority: 0,
            nonblocking: true,
        })
        .unwrap();
    assert!(stream.is_nonblocking().unwrap());
    let start = stream.record(EventOptions::default()).unwrap();
    stream
        .host_callback(|| std::thread::sleep(Duration::from_millis(5)))
        .unwrap();
    let end = stream
        .record(EventOptions {
            blocking: true,
            ..EventOptions::default()
        })
        .unwrap();
    end.sync().unwrap();
    assert!(start.is_done().unwrap() && end.is_done().unwrap());
    let ms = end.elapsed_ms(&start).unwrap();
    assert!((4.0..5000.0).contains(&ms), "{ms}");
    let untimed = stream
        .record(EventOptions {
            timing: false,
            ..EventOptions::default()
        })
        .unwrap();
    untimed.sync().unwrap();
    let error = untimed.elapsed_ms(&start).unwrap_err().to_string();
    assert!(error.contains("made with timing"), "{error}");
}

pub fn callbacks_run_in_order(device: Device) {
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    for i in 0..50 {
        let seen = Arc::clone(&seen);
        stream
            .host_callback(move || seen.lock().unwrap().push(i))
            .unwrap();
    }
    // One that panics disturbs nothing.
    std::panic::set_hook(Box::new(|_| {}));
    stream.host_callback(|| panic!("on purpose")).unwrap();
    stream.sync().unwrap();
    let _ = std::panic::take_hook();
    assert_eq!(*seen.lock().unwrap(), (0..50).collect::<Vec<_>>());
    assert!(stream.is_done().unwrap());
}

/// Runs until the host writes to `flag`.
const SPIN: &str = "
.visible .entry spin(.param .u64 flag)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [flag];
    cvta.to.global.u64 %rd2, %rd1;
LOOP:
    ld.volatile.global.u32 %r1, [%rd2];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra LOOP;
    ret;
}
";

pub fn waits_can_be_interrupted(device: Device) {
    let context = device.context().unwrap();
    let code = ObjectCode::from_ptx(ptx(SPIN));
    let spin = code.kernel(device, "spin").unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let options = PinnedOptions {
        mapped: true,
        ..PinnedOptions::default()
    };
    let flag = PinnedBuffer::new(&context, 4, options).unwrap();
    // SAFETY: the flag outlives the kernel: it is synchronised below.
    unsafe { spin.launch(&stream, &LaunchConfig::new(1, 1), &[&flag]) }.unwrap();
    let event = stream.record(EventOptions::default()).unwrap();
    let start = Instant::now();
    let mut stop = || start.elapsed() > Duration::from_millis(20);
    assert!(matches!(
        stream.sync_with(&mut stop),
        Err(Error::Interrupted)
    ));
    assert!(matches!(
        event.sync_with(&mut || true),
        Err(Error::Interrupted)
    ));
    assert!(matches!(
        context.sync_with(&mut || true),
        Err(Error::Interrupted)
    ));
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(!stream.is_done().unwrap() && !event.is_done().unwrap());
    // SAFETY: the kernel reads the flag as a volatile; this is the one write.
    unsafe { flag.as_ptr().cast::<u32>().write_volatile(1) };
    stream.sync_with(&mut || false).unwrap();
    event.sync_with(&mut || panic!("it is done")).unwrap();
    context.sync_with(&mut || false).unwrap();
}

pub fn streams_wait(device: Device) {
    let context = device.context().unwrap();
    let (least, greatest) = context.stream_priorities().unwrap();
    assert!(greatest <= least);
    let first = device
        .create_stream(StreamOptions {
            priority: greatest,
            nonblocking: true,
        })
        .unwrap();
    assert_eq!(first.priority().unwrap(), greatest);
    let second = device.create_stream(StreamOptions::default()).unwrap();
    let buffer = device.allocate(4, None).unwrap();
    buffer.fill(Fill::U32(1), None).unwrap();
    context.sync().unwrap();
    first
        .host_callback(|| std::thread::sleep(Duration::from_millis(10)))
        .unwrap();
    buffer.fill(Fill::U32(2), Some(&first)).unwrap();
    second.wait_stream(&first).unwrap();
    assert_eq!(buffer.to_vec::<u32>(Some(&second)).unwrap(), [2]);
    assert_eq!(second.raw_context().unwrap(), context.raw());
    let default = device.default_stream().unwrap();
    default.sync().unwrap();
    assert_ne!(first, second);
}

/// On a GPU; the software GPU's threads need not wait.
pub fn a_thread_ends_after_the_work_in_its_default_stream(device: Device) {
    let context = device.context().unwrap();
    let done = std::thread::spawn(move || {
        let stream = cuox::Stream::per_thread(&context);
        stream
            .host_callback(|| std::thread::sleep(Duration::from_millis(20)))
            .unwrap();
        stream.record(EventOptions::default()).unwrap()
    });
    let done = done.join().unwrap();
    assert!(device.is_soft() || done.is_done().unwrap());
    done.sync().unwrap();
}
