//! Tensor maps as parameters of a test.

use crate::values::Elem;
use cuox_simt::tensor_map::{BYTES, Element, Interleave, MAX_RANK, Shape, Swizzle, TensorMap};

/// The tensor of a `tensor` line; its memory has no gaps. All lists are outermost first.
#[derive(Clone, Debug)]
pub struct Spec(TensorMap);

/// The numbers of a list, the last one first, in an array whose rest is `blank`.
fn reversed<T: std::str::FromStr + Copy, const N: usize>(
    text: &str,
    blank: T,
) -> Result<([T; N], usize), String> {
    let mut all = [blank; N];
    let mut count = 0;
    for (place, word) in all.iter_mut().zip(text.rsplit(',')) {
        *place = word
            .trim()
            .parse()
            .map_err(|_| format!("expected a number, found `{word}`"))?;
        count += 1;
    }
    match text.split(',').count() == count {
        true => Ok((all, count)),
        false => Err(format!("`{text}` has more than {N} numbers")),
    }
}

/// `f32[6,16] box=4,8 swizzle=3`: the description, and the type and number of its elements.
pub fn parse(text: &str) -> Result<(Spec, Elem, usize), String> {
    let mut words = text.split_whitespace();
    let first = words.next().ok_or("expected a type and extents")?;
    let (ty, extents) = first
        .strip_suffix(']')
        .and_then(|first| first.split_once('['))
        .ok_or("extents stand in brackets")?;
    let elem = Elem::parse(ty)?;
    let element = match ty {
        "u8" | "b8" => Element::Uint8,
        "u16" | "b16" => Element::Uint16,
        "u32" | "b32" => Element::Uint32,
        "s32" => Element::Int32,
        "u64" | "b64" => Element::Uint64,
        "s64" => Element::Int64,
        "f32" => Element::Float32,
        "f64" => Element::Float64,
        _ => return Err(format!("a tensor cannot hold `{ty}`")),
    };
    let (dims, rank) = reversed::<u64, MAX_RANK>(extents, 1)?;
    let mut strides = [0; MAX_RANK - 1];
    let mut bytes = u64::from(elem.bytes);
    for (stride, dim) in strides.iter_mut().zip(dims) {
        bytes *= dim;
        *stride = bytes;
    }
    let mut map = TensorMap {
        shape: Shape::Tiled([1; MAX_RANK]),
        address: 0,
        rank: rank as u32,
        element,
        dims,
        strides,
        element_strides: [1; MAX_RANK],
        interleave: Interleave::None,
        swizzle: Swizzle::None,
        fills_nan: false,
        l2_promotion: 0,
    };
    let (mut lower, mut upper, mut channels, mut pixels) = ([0; 3], [0; 3], 0, 0);
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || {
            value
                .parse::<u32>()
                .map_err(|_| format!("{key}= needs a number"))
        };
        let unknown = || format!("{word}: there is none");
        match key {
            "box" => map.shape = Shape::Tiled(reversed(value, 1)?.0),
            "step" => map.element_strides = reversed(value, 1)?.0,
            "dims" => map.dims = reversed(value, 1)?.0,
            "type" => map.element = Element::of_code(number()?).ok_or_else(unknown)?,
            "swizzle" => map.swizzle = Swizzle::of_code(number()?).ok_or_else(unknown)?,
            "interleave" => map.interleave = Interleave::of_code(number()?).ok_or_else(unknown)?,
            "nan" => map.fills_nan = true,
            "lower" => lower = reversed(value, 0)?.0,
            "upper" => upper = reversed(value, 0)?.0,
            "channels" => channels = number()?,
            "pixels" => pixels = number()?,
            _ => return Err(format!("unknown word `{word}` of a tensor")),
        }
    }
    if pixels > 0 {
        map.shape = Shape::Im2col {
            lower,
            upper,
            channels,
            pixels,
        };
    }
    Ok((Spec(map), elem, dims_product(extents)?))
}

fn dims_product(extents: &str) -> Result<usize, String> {
    let (dims, _) = reversed::<usize, MAX_RANK>(extents, 1)?;
    Ok(dims.iter().product())
}

impl Spec {
    /// The map of the tensor at that address.
    pub fn at(&self, address: u64) -> [u8; BYTES] {
        TensorMap { address, ..self.0 }.encode()
    }
}
