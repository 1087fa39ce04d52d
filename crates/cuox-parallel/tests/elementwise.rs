//! Operations on arrays of many layouts, on the device that there is.

use cuox::array::layout::Index;
use cuox::array::{Layout, Order};
use cuox::launch::ArrayMemory;
use cuox::{Buffer, Device, Stream};
use cuox_parallel::caller::RustCaller;
use cuox_parallel::elementwise::{Elementwise, Indices, Parts, Shaped};
use cuox_parallel::{Argument, Parameter};

fn device() -> (Device, Stream) {
    let device = Device::get(0).expect("a device");
    let stream = device.default_stream().expect("a stream");
    (device, stream)
}

fn vectors(list: &[&str]) -> Vec<Parameter> {
    list.iter()
        .map(|text| {
            let (c_type, name) = text.rsplit_once(' ').unwrap();
            match name.strip_prefix('*') {
                Some(name) => Parameter::new(c_type, name, true),
                None => Parameter::new(c_type, name, false),
            }
        })
        .collect()
}

fn operation(parameters: &[&str], operation: &str, pure: bool) -> Elementwise {
    Elementwise::new(Parts {
        parameters: vectors(parameters),
        operation: operation.into(),
        name: "test_kernel".into(),
        pure,
        ..Parts::default()
    })
    .unwrap()
}

fn array<'a>(buffer: &Buffer, offset: isize, layout: &'a Layout) -> Argument<'a> {
    Argument::Array {
        memory: ArrayMemory {
            address: buffer.ptr().wrapping_add_signed(offset as i64),
            read_only: false,
            dtype: None,
        },
        layout,
    }
}

fn floats(device: Device, count: usize, of: impl Fn(usize) -> f32) -> Buffer {
    let buffer = device.allocate(count.max(1) * 4, None).unwrap();
    let values: Vec<f32> = (0..count).map(of).collect();
    buffer.copy_from_slice(&values, None).unwrap();
    buffer
}

#[test]
fn contiguous_arrays_and_scalars() {
    let (device, stream) = device();
    for pure in [false, true] {
        let axpy = operation(
            &["float *z", "const float *x", "float a"],
            "z[i] = a * x[i] + n",
            pure,
        );
        for count in [1, 5, 16, 1000, 100_003] {
            let (z, x) = (
                floats(device, count, |_| -1.0),
                floats(device, count, |i| (i % 100) as f32),
            );
            let layout = Layout::contiguous(&[count], 4, Order::C).unwrap();
            let arguments = [
                array(&z, 0, &layout),
                array(&x, 0, &layout),
                Argument::Scalar(&2f32.to_ne_bytes()),
            ];
            // SAFETY: each element is in its array.
            unsafe { axpy.launch(&stream, &arguments, Indices::All) }.unwrap();
            let found: Vec<f32> = z.to_vec(Some(&stream)).unwrap();
            for (i, value) in found.iter().take(count).enumerate() {
                assert_eq!(*value, 2.0 * (i % 100) as f32 + count as f32, "{count} {i}");
            }
        }
    }
}

#[test]
fn any_strides() {
    let (device, stream) = device();
    let shape = [3, 4, 5];
    let whole = Layout::contiguous(&[6, 4, 10], 4, Order::C).unwrap();
    let items = [
        Index::Range {
            start: 5,
            step: -2,
            len: 3,
        },
        Index::All,
        Index::Range {
            start: 1,
            step: 2,
            len: 5,
        },
    ];
    let (part, offset) = whole.index(&items).unwrap();
    let fortran = Layout::contiguous(&shape, 4, Order::F).unwrap();
    for pure in [false, true] {
        let copy = operation(&["float *z", "const float *x"], "z[i] = x[i] + 1", pure);
        let x = floats(device, whole.len(), |i| i as f32);
        let z = floats(device, 60, |_| -1.0);
        let arguments = [array(&z, 0, &fortran), array(&x, offset, &part)];
        // SAFETY: each element is in its array.
        unsafe { copy.launch(&stream, &arguments, Indices::All) }.unwrap();
        let found: Vec<f32> = z.to_vec(Some(&stream)).unwrap();
        for (a, b, c) in (0..60).map(|i| (i / 20, i / 5 % 4, i % 5)) {
            let expected = ((5 - 2 * a) * 40 + b * 10 + 1 + 2 * c) as f32 + 1.0;
            assert_eq!(found[a + 3 * b + 12 * c], expected, "{a} {b} {c} {pure}");
        }
    }
}

#[test]
fn ranges_and_other_shapes() {
    let (device, stream) = device();
    let take = operation(
        &["float *z", "const float *x"],
        "z[i] = x[i / 2] + step",
        false,
    );
    let (z, x) = (
        floats(device, 20, |_| -1.0),
        floats(device, 30, |i| i as f32),
    );
    let long = Layout::contiguous(&[20], 4, Order::C).unwrap();
    let every_third = Layout::strided(&[10], &[12], 4).unwrap();
    let arguments = [array(&z, 0, &long), array(&x, 0, &every_third)];
    // SAFETY: indices up to 18 of 20, and half of that of 10.
    unsafe { take.launch(&stream, &arguments, Indices::Range(18, 1, -4)) }.unwrap();
    let found: Vec<f32> = z.to_vec(Some(&stream)).unwrap();
    for (i, value) in found.iter().enumerate() {
        let is_in = i >= 2 && i % 4 == 2;
        let expected = if is_in {
            (i / 2 * 3) as f32 - 4.0
        } else {
            -1.0
        };
        assert_eq!(*value, expected, "{i}");
    }
}

#[test]
fn nothing_is_launched_for_no_elements() {
    let (device, stream) = device();
    let broken = operation(&["float *z"], "this is not compiled", false);
    let none = Layout::contiguous(&[3, 0], 4, Order::C).unwrap();
    let z = floats(device, 1, |_| 0.0);
    // SAFETY: there are no elements.
    unsafe { broken.launch(&stream, &[array(&z, 0, &none)], Indices::All) }.unwrap();
}

#[test]
fn errors_have_the_lines_of_the_operation() {
    let (device, stream) = device();
    let broken = operation(&["float *z"], "z[i] = 1;\nz[i] = missing", false);
    let layout = Layout::contiguous(&[3], 4, Order::C).unwrap();
    let z = floats(device, 3, |_| 0.0);
    // SAFETY: it does not compile.
    let error = unsafe { broken.launch(&stream, &[array(&z, 0, &layout)], Indices::All) };
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("operation(2)") && text.contains("missing"),
        "{text}"
    );
}

#[test]
fn several_elements_at_once() {
    let (device, stream) = device();
    let axpy = operation(
        &["float *z", "const float *x", "float a"],
        "z[i] = a * x[i] + i",
        true,
    );
    for count in [16, 17, 1003, 70_001] {
        let (z, x) = (
            floats(device, count, |_| -1.0),
            floats(device, count, |i| (i % 100) as f32),
        );
        let layout = Layout::contiguous(&[count], 4, Order::C).unwrap();
        let arguments = [
            array(&z, 0, &layout),
            array(&x, 0, &layout),
            Argument::Scalar(&2f32.to_ne_bytes()),
        ];
        let shaped = arguments.map(|argument| Shaped {
            layout: argument.layout(),
            address: argument.address(),
        });
        let plan = axpy.plan_with(&shaped, Indices::All, true).unwrap();
        // SAFETY: each element is in its array.
        unsafe { axpy.launch_plan(&RustCaller(&arguments), &stream, &plan) }.unwrap();
        let found: Vec<f32> = z.to_vec(Some(&stream)).unwrap();
        for (i, value) in found.iter().take(count).enumerate() {
            assert_eq!(*value, 2.0 * (i % 100) as f32 + i as f32, "{count} {i}");
        }
    }
}
