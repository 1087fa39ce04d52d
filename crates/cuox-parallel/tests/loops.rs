//! Histograms, reductions of segments and searches on the device that there is.

use cuox::{Buffer, Device, Stream};
use cuox_parallel::elementwise::Indices;
use cuox_parallel::{Argument, Elementwise, Parameter, histogram, search, segmented_reduce};

fn device() -> (Device, Stream) {
    let device = Device::get(0).expect("a device");
    let stream = device.default_stream().expect("a stream");
    (device, stream)
}

fn pointers(types: &[(&str, &str)]) -> Vec<Parameter> {
    let each = types.iter();
    each.map(|(c_type, name)| Parameter::new(*c_type, *name, false))
        .collect()
}

fn numbers(count: usize) -> Vec<i32> {
    let each = 0..count as i64;
    each.map(|i| (i * 7919 % 1009) as i32 - 4).collect()
}

fn on_device<T: cuox::memory::Pod>(device: Device, values: &[T]) -> Buffer {
    let buffer = device.allocate(size_of_val(values).max(1), None).unwrap();
    buffer.copy_from_slice(values, None).unwrap();
    buffer
}

fn run(kernel: &Elementwise, buffers: &[&Buffer], count: usize) {
    let (_, stream) = device();
    let arguments: Vec<_> = buffers
        .iter()
        .map(|buffer| Argument::Pointer(buffer.ptr()))
        .collect();
    // SAFETY: the expressions stay within these buffers, which live until the results are copied.
    unsafe {
        kernel
            .launch(&stream, &arguments, Indices::Count(count))
            .unwrap();
    }
}

#[test]
fn counts_in_bins() {
    let (device, stream) = device();
    // With bins in shared memory, and more than have room there.
    for bins in [1, 10, 300, 9000] {
        let values = numbers(50_000);
        let width = 1000 / bins.min(1000);
        let high = (width * bins) as i32;
        let x = on_device(device, &values);
        let counts = on_device(device, &vec![0u32; bins]);
        let kernel = histogram::new(histogram::Parts {
            parameters: pointers(&[("const int *", "x"), ("unsigned int *", "counts")]),
            c_type: "int".into(),
            load_expr: "x[i]".into(),
            low_expr: "0".into(),
            high_expr: high.to_string(),
            bins_expr: bins.to_string(),
            bins,
            counts_expr: "counts".into(),
            count_type: "unsigned int".into(),
            name: "bins".into(),
            ..histogram::Parts::default()
        })
        .unwrap();
        run(&kernel, &[&x, &counts], values.len());
        let mut expected = vec![0u32; bins];
        for value in values.iter().filter(|value| (0..high).contains(*value)) {
            expected[*value as usize / width] += 1;
        }
        assert_eq!(counts.to_vec::<u32>(Some(&stream)).unwrap(), expected);
    }
}

#[test]
fn sums_of_segments() {
    let (device, stream) = device();
    for (length, serial, in_memory) in [
        (5, false, true),
        (5, true, false),
        (100, false, false),
        (100, true, true),
        (20_000, false, true),
        (20_000, true, true),
    ] {
        let values = numbers(60_000);
        let segments = values.len() / length;
        let (x, sums) = (
            on_device(device, &values),
            on_device(device, &vec![0i32; segments]),
        );
        let kernel = segmented_reduce::new(segmented_reduce::Parts {
            parameters: pointers(&[("const int *", "x"), ("int *", "sums")]),
            c_type: "int".into(),
            item_size: 4,
            item_align: 4,
            begin_expr: format!("i * {length}"),
            end_expr: format!("(i + 1) * {length}"),
            load_expr: "x[i]".into(),
            in_memory,
            reduce_expr: "a + b".into(),
            first_expr: "7".into(),
            shift_expr: "5".into(),
            store: "sums[i] = sum;".into(),
            serial,
            name: "sums".into(),
            ..segmented_reduce::Parts::default()
        })
        .unwrap();
        run(&kernel, &[&x, &sums], segments << 5);
        let expected: Vec<i32> = values
            .chunks_exact(length)
            .map(|part| 7 + part.iter().sum::<i32>())
            .collect();
        let found = sums.to_vec::<i32>(Some(&stream)).unwrap();
        assert_eq!(found, expected, "{length} {serial}");
    }
}

#[test]
fn places_of_values() {
    let (device, stream) = device();
    let sorted: Vec<i32> = (0..1000).map(|i| i * 3).collect();
    let values: Vec<i32> = (-2..3010).collect();
    let (x, wanted) = (on_device(device, &sorted), on_device(device, &values));
    let places = on_device(device, &vec![0i64; values.len()]);
    let kernel = search::new(search::Parts {
        parameters: pointers(&[
            ("const int *", "x"),
            ("const int *", "wanted"),
            ("long long *", "places"),
        ]),
        c_type: "int".into(),
        value_expr: "wanted[i]".into(),
        count_expr: "1000".into(),
        before_expr: "x[middle] < value".into(),
        store: "places[i] = place;".into(),
        name: "search".into(),
        ..search::Parts::default()
    })
    .unwrap();
    run(&kernel, &[&x, &wanted, &places], values.len());
    let expected: Vec<i64> = values
        .iter()
        .map(|value| sorted.partition_point(|one| one < value) as i64)
        .collect();
    assert_eq!(places.to_vec::<i64>(Some(&stream)).unwrap(), expected);
}

#[test]
fn wrong_names_are_refused() {
    let name = || "a b".to_owned();
    let errors = [
        histogram::new(histogram::Parts {
            name: name(),
            ..histogram::Parts::default()
        }),
        segmented_reduce::new(segmented_reduce::Parts {
            name: name(),
            ..segmented_reduce::Parts::default()
        }),
        search::new(search::Parts {
            name: name(),
            ..search::Parts::default()
        }),
    ];
    for error in errors {
        assert!(error.unwrap_err().to_string().contains("the kernel's name"));
    }
}
