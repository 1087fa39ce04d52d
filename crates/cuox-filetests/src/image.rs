//! Textures and surfaces as parameters of a test.

use crate::values::Elem;
use cuox_simt::image::{Channel, Format, Image, Level, Sampler, Shape, Surface, Texture, Wrap};

/// The image of a `texture` or `surface` line; its memory has no gaps.
#[derive(Clone, Debug)]
pub struct Spec {
    image: Image,
    /// The sampler; `None` for a surface.
    sampler: Option<Sampler>,
}

/// `f32x4[8,4] linear wrap normalized`: the description, and the type and number of its elements' channels.
pub fn parse(text: &str, surface: bool) -> Result<(Spec, Elem, usize), String> {
    let mut words = text.split_whitespace();
    let first = words.next().ok_or("expected a type and extents")?;
    let (ty, extents) = first.split_once('[').ok_or("extents stand in brackets")?;
    let extents = extents
        .strip_suffix(']')
        .ok_or("extents stand in brackets")?;
    let (ty, channels) = match ty.split_once('x') {
        Some((ty, n)) => (
            ty,
            n.parse()
                .map_err(|_| format!("expected a number of channels, found `{n}`"))?,
        ),
        None => (ty, 1),
    };
    let channel = match ty {
        "u8" => Channel::U8,
        "u16" => Channel::U16,
        "u32" => Channel::U32,
        "s8" => Channel::S8,
        "s16" => Channel::S16,
        "s32" => Channel::S32,
        "f16" => Channel::F16,
        "f32" => Channel::F32,
        _ => return Err(format!("an image cannot hold `{ty}`")),
    };
    let elem = Elem::parse(if ty == "f16" { "b16" } else { ty })?;
    let mut extent = [0u32; 3];
    for (n, word) in extents.split(',').enumerate() {
        *extent
            .get_mut(n)
            .ok_or("an image has three extents at most")? = word
            .trim()
            .parse()
            .map_err(|_| format!("expected an extent, found `{word}`"))?;
    }
    let mut sampler = Sampler {
        wrap: [Wrap::Clamp; 3],
        linear: false,
        linear_levels: false,
        normalized: false,
        integers: false,
        srgb: false,
        seamless: false,
        bias: 0.0,
        levels: [0.0; 2],
        border: [0.25, 0.5, 0.75, 0.125],
    };
    let (mut layered, mut cube, mut memory) = (false, false, false);
    for word in words {
        match word {
            "layered" => layered = true,
            "cube" => cube = true,
            "memory" => memory = true,
            "linear" => sampler.linear = true,
            "normalized" => sampler.normalized = true,
            "integers" => sampler.integers = true,
            "srgb" => sampler.srgb = true,
            "seamless" => sampler.seamless = true,
            "wrap" => sampler.wrap = [Wrap::Repeat; 3],
            "clamp" => sampler.wrap = [Wrap::Clamp; 3],
            "mirror" => sampler.wrap = [Wrap::Mirror; 3],
            "border" => sampler.wrap = [Wrap::Border; 3],
            _ => return Err(format!("unknown word `{word}`")),
        }
    }
    let [w, h, d] = extent;
    let shape = match (layered, cube) {
        (false, false) if d > 0 => Shape::D3,
        (false, false) if h > 0 => Shape::D2,
        (false, false) if memory => Shape::Linear,
        (false, false) => Shape::D1,
        (true, false) if h > 0 => Shape::A2d,
        (true, false) => Shape::A1d,
        (false, true) => Shape::Cube,
        (true, true) => Shape::Acube,
    };
    let format = Format { channel, channels };
    let layers = if layered || cube { d.max(1) } else { 1 };
    let (h, d) = (h.max(1), if layers > 1 { 1 } else { d.max(1) });
    let pitch = u64::from(w * format.bytes());
    let image = Image {
        shape,
        format,
        layers,
        levels: vec![Level {
            at: 0,
            width: w,
            height: h,
            depth: d,
            pitch,
            slice: pitch * u64::from(h),
        }],
    };
    let count = w as usize * h as usize * d as usize * layers as usize * usize::from(channels);
    let spec = Spec {
        image,
        sampler: (!surface).then_some(sampler),
    };
    Ok((spec, elem, count))
}

/// An object in memory.
pub enum Object {
    /// A texture.
    Texture(Texture),
    /// A surface.
    Surface(Surface),
}

impl Spec {
    /// The object whose elements begin at `address`.
    pub fn at(&self, address: u64) -> Object {
        let mut image = self.image.clone();
        for level in &mut image.levels {
            level.at += address;
        }
        match &self.sampler {
            Some(sampler) => Object::Texture(Texture::new(image, sampler.clone())),
            None => Object::Surface(Surface { image }),
        }
    }
}
