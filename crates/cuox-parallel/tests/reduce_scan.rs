//! Reductions and scans on the device that there is.

use cuox::array::layout::Index;
use cuox::array::{Layout, Order};
use cuox::launch::ArrayMemory;
use cuox::{Buffer, Device, Stream};
use cuox_parallel::elementwise::{Indices, Shaped};
use cuox_parallel::scan::Scan;
use cuox_parallel::{Argument, Parameter, Reduction, reduce, scan};

fn device() -> (Device, Stream) {
    let device = Device::get(0).expect("a device");
    let stream = device.default_stream().expect("a stream");
    (device, stream)
}

fn array<'a>(buffer: &Buffer, layout: &'a Layout) -> Argument<'a> {
    Argument::Array {
        memory: ArrayMemory {
            address: buffer.ptr(),
            read_only: false,
            dtype: None,
        },
        layout,
    }
}

fn ints(device: Device, values: &[i32]) -> Buffer {
    let buffer = device.allocate(values.len().max(1) * 4, None).unwrap();
    buffer.copy_from_slice(values, None).unwrap();
    buffer
}

fn sum() -> Reduction {
    Reduction::new(reduce::Parts {
        parameters: vec![Parameter::new("const int", "x", true)],
        out_type: "long long".into(),
        neutral: Some("0".into()),
        reduce_expr: "a + b".into(),
        name: "sum".into(),
        ..reduce::Parts::default()
    })
    .unwrap()
}

fn reduced(argument: &Argument<'_>, outputs: &[usize], axes: Option<&[usize]>) -> Vec<i64> {
    let (device, stream) = device();
    let layout = Layout::contiguous(outputs, 8, Order::C).unwrap();
    let out = device.allocate(layout.nbytes().max(8), None).unwrap();
    let shaped = Shaped {
        layout: Some(&layout),
        address: out.ptr(),
    };
    // SAFETY: the arrays have the elements that the expressions use, and live until the result is copied.
    unsafe {
        sum()
            .launch(
                &stream,
                std::slice::from_ref(argument),
                shaped,
                axes,
                Indices::All,
            )
            .unwrap();
    }
    let mut values = out.to_vec::<i64>(Some(&stream)).unwrap();
    values.truncate(layout.len());
    values
}

#[test]
#[allow(
    clippy::needless_range_loop,
    reason = "rows and columns are numbers here"
)]
fn sums_of_arrays_and_along_axes() {
    let (device, _) = device();
    let values: Vec<i32> = (0..60_000).map(|i| (i * 37) % 1001 - 500).collect();
    let buffer = ints(device, &values);
    let layout = Layout::contiguous(&[200, 300], 4, Order::C).unwrap();
    let at = |row: usize, column: usize| i64::from(values[row * 300 + column]);
    let all = reduced(&array(&buffer, &layout), &[], None);
    assert_eq!(all, [values.iter().map(|&v| i64::from(v)).sum::<i64>()]);
    let rows = reduced(&array(&buffer, &layout), &[200], Some(&[1]));
    let columns = reduced(&array(&buffer, &layout), &[300], Some(&[0]));
    for row in 0..200 {
        assert_eq!(rows[row], (0..300).map(|c| at(row, c)).sum::<i64>());
    }
    for column in 0..300 {
        assert_eq!(
            columns[column],
            (0..200).map(|r| at(r, column)).sum::<i64>()
        );
    }
    let second = Index::Range {
        start: 0,
        step: 2,
        len: 150,
    };
    let (stepped, moved) = layout.index(&[Index::All, second]).unwrap();
    assert_eq!(moved, 0);
    let rows = reduced(&array(&buffer, &stepped), &[200], Some(&[1]));
    for row in 0..200 {
        let want: i64 = (0..300).step_by(2).map(|c| at(row, c)).sum();
        assert_eq!(rows[row], want);
    }
}

#[test]
fn no_elements_give_the_neutral_one() {
    let (device, _) = device();
    let buffer = ints(device, &[]);
    let layout = Layout::contiguous(&[3, 0], 4, Order::C).unwrap();
    assert_eq!(
        reduced(&array(&buffer, &layout), &[3], Some(&[1])),
        [0, 0, 0]
    );
    assert_eq!(reduced(&array(&buffer, &layout), &[], None), [0]);
    assert!(reduced(&array(&buffer, &layout), &[0], Some(&[0])).is_empty());
}

#[test]
fn scans_in_place_and_with_the_last_item() {
    let (device, stream) = device();
    for (statement, last) in [("x[i] = item", false), ("x[i] = last_item - item", true)] {
        let scan = Scan::new(scan::Parts {
            c_type: "int".into(),
            parameters: vec![Parameter::new("int", "x", true)],
            input_expr: "x[i]".into(),
            scan_expr: "a + b".into(),
            output_statement: statement.into(),
            name: "running_sum".into(),
            ..scan::Parts::default()
        })
        .unwrap();
        for count in [0, 1, 100, 5000, 50_000] {
            let values: Vec<i32> = (0..count).map(|i| (i * 37) % 101 - 50).collect();
            let buffer = ints(device, &values);
            let layout = Layout::contiguous(&[count as usize], 4, Order::C).unwrap();
            // SAFETY: the array has the elements that the expressions use, and lives until the result is copied.
            unsafe {
                scan.launch(&stream, &[array(&buffer, &layout)], Indices::All)
                    .unwrap();
            }
            let total: i32 = values.iter().sum();
            let mut sum = 0;
            let want: Vec<i32> = values
                .iter()
                .map(|value| {
                    sum += value;
                    if last { total - sum } else { sum }
                })
                .collect();
            let mut got = buffer.to_vec::<i32>(Some(&stream)).unwrap();
            got.truncate(values.len());
            assert_eq!(got, want, "{statement} for {count}");
        }
    }
}

#[test]
fn wrong_texts_are_refused() {
    let parts = || scan::Parts {
        c_type: "int".into(),
        parameters: vec![Parameter::new("int", "x", true)],
        input_expr: "x[i]".into(),
        scan_expr: "a + b".into(),
        name: "s".into(),
        ..scan::Parts::default()
    };
    assert!(Scan::new(parts()).is_ok());
    let without_neutral = scan::Parts {
        output_statement: "x[i] = prev_item".into(),
        ..parts()
    };
    assert!(Scan::new(without_neutral).is_err());
    assert!(Reduction::new(reduce::Parts::default()).is_err());
}
