//! Conversions between texels and instructions' values.

use super::{Channel, Format, Image, Level, Sampler};
use crate::ir::{Conversion, Float, Num, Op, Round};
use crate::sem;

/// Four channels as bits: f32, or 32-bit integers.
pub type Words = [u32; 4];
/// Four channels as numbers.
pub type Colour = [f32; 4];

/// The conversion of a channel's bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Integers and f32, unchanged.
    AsIs,
    /// f16 to f32.
    F16,
    /// Integers to fractions of the largest value.
    Fraction,
    /// Integers to fractions, of which all but alpha are sRGB.
    Srgb,
}

impl Reading {
    /// Returns the number of sRGB channels; the others are alpha.
    pub fn srgb_channels(self, format: Format) -> usize {
        match (self, format.channels) {
            (Reading::Srgb, 4) => 3,
            (Reading::Srgb, _) => 1,
            _ => 0,
        }
    }

    /// Returns the conversion of a format by a sampler.
    pub fn new(format: Format, sampler: &Sampler) -> Reading {
        match format.channel {
            Channel::F16 => Reading::F16,
            Channel::U8 if !sampler.integers && sampler.srgb => Reading::Srgb,
            Channel::U8 | Channel::S8 | Channel::U16 | Channel::S16 if !sampler.integers => {
                Reading::Fraction
            }
            _ => Reading::AsIs,
        }
    }
}

/// Reads an element: its channels with sign, then zeros.
///
/// # Safety
/// `at` must be the address of an element; an inaccessible page faults here.
#[inline]
pub unsafe fn read(format: Format, at: u64) -> Words {
    let mut out = [0; 4];
    // SAFETY: an element of the format is at `at`, and only its channels are read; an inaccessible page ends the
    // protected call.
    unsafe {
        macro_rules! each {
            ($ty:ty) => {
                for (n, word) in out[..usize::from(format.channels)].iter_mut().enumerate() {
                    *word = (at as *const $ty).add(n).read_unaligned() as i32 as u32;
                }
            };
        }
        match format.channel {
            Channel::U8 => each!(u8),
            Channel::S8 => each!(i8),
            Channel::U16 | Channel::F16 => each!(u16),
            Channel::S16 => each!(i16),
            Channel::U32 | Channel::S32 | Channel::F32 => each!(u32),
        }
    }
    out
}

/// Converts f16 to f32.
pub fn f16_to_f32(bits: u32) -> f32 {
    let exponent = bits >> 10 & 31;
    let sign = (bits & 0x8000) << 16;
    match exponent {
        0 => {
            let magnitude = (bits & 0x3ff) as f32 / 16_777_216.0;
            f32::from_bits(magnitude.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 0x7f80_0000 | (bits & 0x3ff) << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | (bits & 0x3ff) << 13),
    }
}

/// Converts f32 to f16.
pub fn to_f16(value: u32, round: Round) -> u32 {
    let op = Op::Convert(Conversion {
        from: Num::F(Float::F32),
        to: Num::F(Float::F16),
        round,
        integral: false,
        ftz: false,
        sat: false,
        relu: false,
    });
    sem::eval(op, &[u64::from(value), 0, 0, 0]) as u32
}

fn fraction(channel: Channel, bits: u32) -> f32 {
    match channel {
        Channel::U8 => bits as f32 / 255.0,
        Channel::U16 => bits as f32 / 65535.0,
        Channel::S8 => (bits as i32 as f32 / 127.0).max(-1.0),
        _ => (bits as i32 as f32 / 32767.0).max(-1.0),
    }
}

/// Converts sRGB to linear (IEC 61966-2-1), in 2^-14: a multiple of 2^n, and n. The steps at which n grows were
/// derived from recordings of an H200.
fn linear(bits: u32) -> (u32, u32) {
    const GROWS: [u32; 7] = [32, 48, 64, 96, 135, 184, 248];
    let c = f64::from(bits) / 255.0;
    let l = if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    };
    let exponent = GROWS.iter().filter(|&&at| bits >= at).count() as u32;
    let value = (l * f64::from(1 << (14 - exponent))).round() as u32;
    (value << exponent, exponent)
}

/// Returns an sRGB value in 2^-14, and the exponent of its unit.
pub fn srgb(bits: u32) -> (u32, u32) {
    static TABLE: std::sync::OnceLock<[(u32, u32); 256]> = std::sync::OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(|n| linear(n as u32)))[bits as usize & 255]
}

/// Returns the channels as f32.
#[inline]
pub fn colour(format: Format, reading: Reading, words: Words) -> Colour {
    let colours = reading.srgb_channels(format);
    let mut out = [0.0; 4];
    for (n, (out, word)) in out.iter_mut().zip(words).enumerate() {
        *out = match reading {
            Reading::AsIs => f32::from_bits(word),
            Reading::F16 => f16_to_f32(word),
            Reading::Srgb if n < colours => srgb(word).0 as f32 / 16384.0,
            Reading::Fraction | Reading::Srgb => fraction(format.channel, word),
        };
    }
    out
}

/// Returns the border colour as an element of the format; fractions halfway between two are rounded down.
pub fn border(format: Format, reading: Reading, colour: Colour) -> Words {
    let largest = match format.channel {
        Channel::U8 => 255.0,
        Channel::U16 => 65535.0,
        Channel::S8 => 127.0,
        _ => 32767.0,
    };
    let signed = matches!(format.channel, Channel::S8 | Channel::S16);
    let least = if signed { -largest } else { 0.0 };
    let mask = u32::MAX >> (32 - 8 * format.channel.bytes());
    let mut out = colour.map(|c| match reading {
        Reading::AsIs => c.to_bits() & mask,
        Reading::F16 => to_f16(c.to_bits(), Round::Nearest),
        Reading::Fraction | Reading::Srgb => {
            let value = (f64::from(c) * largest - 0.5).ceil();
            value.clamp(least, largest) as i32 as u32
        }
    });
    out[usize::from(format.channels)..].fill(0);
    out
}

/// Returns the address of an element; the coordinates are inside.
#[inline]
pub fn address(image: &Image, level: &Level, x: u32, y: u32, z: u32) -> u64 {
    level.at
        + u64::from(z) * level.slice
        + u64::from(y) * level.pitch
        + u64::from(x) * u64::from(image.format.bytes())
}
