use cuox::array::{Index, Layout, Order};
use cuox::{Array, Device, Error, LaunchConfig, StreamOptions};

use crate::code::saxpy_code;

pub fn arrays_have_shapes_and_views(device: Device) {
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let values: Vec<f32> = (0..24u8).map(f32::from).collect();
    for stream in [None, Some(&stream)] {
        let x = Array::from_slice(device, &values, &[2, 3, 4], stream).unwrap();
        assert_eq!((x.shape(), x.len()), (&[2, 3, 4][..], 24));
        assert_eq!(x.to_vec(stream).unwrap(), values);
        let column = Index::Range {
            start: 3,
            step: -2,
            len: 2,
        };
        let part = x.index(&[Index::At(1), Index::All, column]).unwrap();
        assert_eq!(
            part.to_vec(stream).unwrap(),
            [15.0, 13.0, 19.0, 17.0, 23.0, 21.0]
        );
        let turned = x.reshape(&[6, 4]).unwrap().transpose(None).unwrap();
        assert_eq!(
            turned.to_vec(stream).unwrap()[..6],
            [0.0, 4.0, 8.0, 12.0, 16.0, 20.0]
        );
        assert!(matches!(turned.reshape(&[24]), Err(Error::Invalid(_))));
        assert!(matches!(x.index(&[Index::At(2)]), Err(Error::Invalid(_))));
        let shorter = &values[1..];
        assert!(matches!(
            x.copy_from_slice(shorter, stream),
            Err(Error::Invalid(_))
        ));
        assert_eq!(
            Array::full(device, &[5], 7i64, stream)
                .unwrap()
                .to_vec(stream)
                .unwrap(),
            [7; 5]
        );
        assert_eq!(
            Array::<u16>::zeros(device, &[0, 5], stream)
                .unwrap()
                .to_vec(stream)
                .unwrap(),
            []
        );
    }
}

pub fn arrays_stay_inside_their_buffer(device: Device) {
    let buffer = device.allocate(64, None).unwrap();
    let layout = |shape: &[usize]| Layout::contiguous(shape, 4, Order::C).unwrap();
    assert!(Array::<i32>::new(buffer.clone(), 0, layout(&[16])).is_ok());
    for (offset, shape) in [(4, 16), (60, 2), (usize::MAX, 1)] {
        let array = Array::<i32>::new(buffer.clone(), offset, layout(&[shape]));
        assert!(matches!(array, Err(Error::Invalid(_))), "{offset} {shape}");
    }
    let backwards = Layout::strided(&[16], &[-4], 4).unwrap();
    assert!(Array::<i32>::new(buffer.clone(), 0, backwards.clone()).is_err());
    assert!(Array::<i32>::new(buffer.clone(), 60, backwards).is_ok());
    assert!(Array::<i64>::new(buffer, 0, layout(&[2])).is_err());
}

pub fn arrays_are_kernel_arguments(device: Device) {
    let kernel = saxpy_code().kernel(device, "saxpy").unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let x = Array::full(device, &[8, 8], 3.0f32, Some(&stream)).unwrap();
    let y = Array::full(device, &[8, 8], 1.0f32, Some(&stream)).unwrap();
    // SAFETY: both arrays have the 64 elements that the kernel is told of.
    unsafe { kernel.launch(&stream, &LaunchConfig::new(1, 64), &[&2.0f32, &x, &y, &64]) }.unwrap();
    assert_eq!(y.to_vec(Some(&stream)).unwrap(), [7.0; 64]);
}
