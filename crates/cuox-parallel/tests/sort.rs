//! Sorts by a comparison on the device that there is.

use cuox::array::{Layout, Order};
use cuox::launch::ArrayMemory;
use cuox::{Buffer, Device};
use cuox_parallel::sort::{Extent, Parts, Sort};
use cuox_parallel::{Argument, Parameter};

fn numbers(count: usize) -> Vec<i32> {
    (0..count as i64)
        .map(|i| (i * 7919 % 10_007) as i32)
        .collect()
}

/// Sorts numbers, whole or segment by segment. The segments have `length` items, but the last one.
fn sorted(values: &[i32], length: Option<usize>) -> Vec<i32> {
    let device = Device::get(0).expect("a device");
    let stream = device.default_stream().expect("a stream");
    let layout = Layout::contiguous(&[values.len()], 4, Order::C).unwrap();
    let buffer = device.allocate(values.len() * 4, None).unwrap();
    buffer.copy_from_slice(values, None).unwrap();
    let out = device.allocate(values.len() * 4, None).unwrap();
    let array = |buffer: &Buffer| Argument::Array {
        memory: ArrayMemory {
            address: buffer.ptr(),
            read_only: false,
            dtype: None,
        },
        layout: &layout,
    };
    let segments = length.map(|length| (format!("i * {length}"), format!("(i + 1) * {length}")));
    let sort = Sort::new(Parts {
        c_type: "int".into(),
        item_size: 4,
        parameters: vec![
            Parameter::new("const int", "x", true),
            Parameter::new("int", "y", true),
        ],
        load_expr: "x[i]".into(),
        less_expr: "a < b".into(),
        store_statement: "y[i] = item".into(),
        segments,
        name: "sorted".into(),
        ..Parts::default()
    })
    .unwrap();
    let extent = Extent {
        count: values.len(),
        segments: length.map_or(0, |length| values.len().div_ceil(length)),
    };
    // SAFETY: the arrays have the elements that the expressions use, and live until the result is copied.
    unsafe {
        sort.launch(&stream, &[array(&buffer), array(&out)], extent)
            .unwrap();
    }
    out.to_vec::<i32>(Some(&stream)).unwrap()
}

#[test]
fn sorts_of_all() {
    for count in [1, 100, 5000, 100_000] {
        let values = numbers(count);
        let mut expected = values.clone();
        expected.sort();
        assert_eq!(sorted(&values, None), expected);
    }
}

#[test]
fn sorts_of_segments() {
    for (count, length) in [(100, 7), (100_000, 5), (100_000, 100), (100_000, 30_000)] {
        let values = numbers(count);
        let mut expected = values.clone();
        expected.chunks_mut(length).for_each(<[i32]>::sort);
        assert_eq!(sorted(&values, Some(length)), expected, "of {length}");
    }
}

#[test]
fn wrong_texts_are_refused() {
    let refused = |parts: Parts| Sort::new(parts).unwrap_err().to_string();
    let name = |name: &str, item_size| Parts {
        name: name.into(),
        item_size,
        ..Parts::default()
    };
    assert!(refused(name("a b", 4)).contains("the kernel's name"));
    let large = refused(name("large", 1025));
    assert!(
        large.contains("items of 1025 bytes cannot be sorted, only of 1 to 1024"),
        "{large}"
    );
}
