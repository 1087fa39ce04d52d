//! Tests of the encoding and of the order in shared memory. Copies are tested by `filetests/ptx/run/async/tensor.ptx`
//! and `tests/python/test_tensor_maps.py`.

use super::{BYTES, Element, Interleave, Shape, Swizzle, TensorMap};

fn tiled() -> TensorMap {
    TensorMap {
        shape: Shape::Tiled([16, 8, 2, 1, 1]),
        address: 0x7_1234_5670,
        rank: 3,
        element: Element::Bfloat16,
        dims: [64, 1 << 32, 5, 1, 1],
        strides: [256, (1 << 40) - 16, 0, 0],
        element_strides: [1, 8, 2, 1, 1],
        interleave: Interleave::None,
        swizzle: Swizzle::B128,
        fills_nan: true,
        l2_promotion: 3,
    }
}

fn im2col() -> TensorMap {
    TensorMap {
        shape: Shape::Im2col {
            lower: [-32768, 0, 0],
            upper: [32767, 0, 0],
            channels: 256,
            pixels: 1024,
        },
        swizzle: Swizzle::None,
        ..tiled()
    }
}

fn im2col_wide(pixels: Option<u32>) -> TensorMap {
    TensorMap {
        shape: Shape::Im2colWide {
            lower: -3,
            upper: 32767,
            channels: 64,
            pixels,
        },
        ..tiled()
    }
}

#[test]
fn a_map_is_what_its_bytes_say() {
    let wide = [im2col_wide(Some(1024)), im2col_wide(None)];
    for map in [tiled(), im2col()].into_iter().chain(wide) {
        assert_eq!(map.check(), Ok(()));
        assert_eq!(TensorMap::decode(&map.encode()), Some(map));
    }
}

#[test]
fn damaged_bytes_are_no_map() {
    let bytes = im2col().encode();
    for bit in 0..8 * BYTES {
        let mut damaged = bytes;
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(TensorMap::decode(&damaged), None, "bit {bit}");
    }
    assert_eq!(TensorMap::decode(&[0; BYTES]), None);
    assert_eq!(TensorMap::decode(&[0xff; BYTES]), None);
}

#[test]
fn values_beyond_the_limits_stay_so() {
    let wide = TensorMap {
        shape: Shape::Tiled([1 << 20; 5]),
        rank: 1000,
        element_strides: [300; 5],
        ..tiled()
    };
    let found = TensorMap::decode(&wide.encode()).expect("it is a map");
    assert!(found.rank > 5 && found.element_strides[1] > 8);
    assert!(matches!(found.shape, Shape::Tiled(dims) if dims[0] > 256));
}

#[test]
fn requirements_are_told_by_the_names_of_parameters() {
    let wrong = |change: &dyn Fn(&mut TensorMap)| {
        let mut map = tiled();
        change(&mut map);
        map.check().expect_err("it is wrong")
    };
    assert!(wrong(&|m| m.strides[1] = 1 << 40).starts_with("globalStrides[1] is 1099511627776"));
    assert!(wrong(&|m| m.dims[2] = 0).starts_with("globalDim[2] is 0"));
    assert!(wrong(&|m| m.element = Element::Int32).contains("oobFill"));
    assert!(
        wrong(&|m| m.shape = Shape::Tiled([128, 1, 1, 1, 1])).contains("boxDim[0] is 256 bytes")
    );
    let slices = |m: &mut TensorMap| {
        m.interleave = Interleave::B16;
        m.shape = Shape::Tiled([4, 1, 1, 1, 1]);
    };
    assert!(wrong(&slices).contains("boxDim[0] is 4 elements of 2 bytes"));
    assert!(wrong(&|m| m.element_strides[0] = 9).starts_with("elementStrides[0] is 9"));
    let wide = |m: &mut TensorMap| {
        m.shape = Shape::Im2colWide {
            lower: 0,
            upper: 0,
            channels: 8,
            pixels: Some(1025),
        }
    };
    assert!(wrong(&wide).starts_with("pixelsPerColumn is 1025"));
}

#[test]
fn swizzling_is_as_in_the_manuals_tables() {
    // Chunks of 16 bytes in lines of 128, line by line.
    let tables: [(Swizzle, &[&str]); 3] = [
        (Swizzle::B32, &["01234567", "10325476"]),
        (
            Swizzle::B64,
            &["01234567", "10325476", "23016745", "32107654"],
        ),
        (
            Swizzle::B128,
            &[
                "01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301",
                "76543210",
            ],
        ),
    ];
    for (swizzle, table) in tables {
        for line in 0..16 {
            let row = table[line % table.len()].bytes();
            for (chunk, digit) in row.enumerate() {
                let at = (line * 128 + chunk * 16 + 5) as u64;
                let expected = (line * 128 + usize::from(digit - b'0') * 16 + 5) as u64;
                assert_eq!(swizzle.place(at), expected, "{swizzle:?} line {line}");
            }
        }
    }
    assert_eq!(Swizzle::None.place(777), 777);
}
