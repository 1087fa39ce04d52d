//! Means of the four texels around a point of a one- or two-dimensional image: [`super::mix`] for all channels at
//! once.

use super::addressing::{Along, Axis};
use super::mix::{self, F16, Float, Mean, SINGLE, WHOLE};
use super::texel::{self, Reading, Words};
use super::{Channel, Texture};

/// Four texels, from the upper left, row by row.
type Quad = [Words; 4];

/// Returns the mean of the texels around a point of a texture with one level and one layer.
///
/// # Safety
/// The caller must be in a protected call: an inaccessible page of the image faults here.
#[inline(always)]
pub(super) unsafe fn filtered(texture: &Texture, x: (Along, Axis), y: (Along, Axis)) -> Words {
    let [[a, b], [c, d]] = mix::square(WHOLE, [x.1.share, y.1.share]);
    let shares = [a, b, c, d];
    // SAFETY: the addresses are of elements of the image, or `None`; the caller is in a protected call, which an
    // inaccessible page ends.
    let texels = unsafe { read(texture, texel_addresses(texture, x, y), shares) };
    let (format, reading) = (texture.image.format, texture.reading);
    let channels = usize::from(format.channels);
    let mean = match (reading, format.channel) {
        (Reading::AsIs, _) => floats(&texels, shares, channels, SINGLE),
        (Reading::F16, _) => floats(&texels, shares, channels, F16),
        (Reading::Fraction, Channel::U8) => Some(fractions(&texels, shares, 257)),
        (Reading::Fraction, Channel::U16) => Some(fractions(&texels, shares, 1)),
        _ => None,
    };
    // Channels that the format lacks are 0 in all texels, so their mean is 0.
    if let Some(mean) = mean {
        return [
            mean[0].to_bits(),
            mean[1].to_bits(),
            mean[2].to_bits(),
            mean[3].to_bits(),
        ];
    }
    let mut all = Mean::<4>::new();
    for (texel, share) in texels.into_iter().zip(shares) {
        all.add(texel, share);
    }
    all.of(format, reading)
}

/// Returns one channel of the same texels, counter-clockwise from the lower left.
///
/// # Safety
/// The same as for [`filtered`].
#[inline(always)]
pub(super) unsafe fn gathered(
    texture: &Texture,
    x: (Along, Axis),
    y: (Along, Axis),
    channel: u8,
) -> Words {
    let format = texture.image.format;
    let (channel, wide) = (usize::from(channel) & 3, format.channel.bytes() == 4);
    let [a, b, c, d] = texel_addresses(texture, x, y);
    let mut out = [0; 4];
    for (out, address) in out.iter_mut().zip([c, d, b, a]) {
        *out = match address {
            // Words are returned unchanged.
            Some(_) if wide && channel >= usize::from(format.channels) => 0,
            // SAFETY: the address is an element's; the caller is in a protected call, which an inaccessible page
            // ends.
            Some(at) if wide => unsafe { (at as *const u32).add(channel).read_unaligned() },
            // SAFETY: the address is an element's, or `None`; the caller is in a protected call, which an
            // inaccessible page ends.
            _ => texture.given(unsafe { texture.texel(address) })[channel],
        };
    }
    out
}

/// Returns the texels' addresses; `None` is the border.
#[inline(always)]
fn texel_addresses(texture: &Texture, x: (Along, Axis), y: (Along, Axis)) -> [Option<u64>; 4] {
    let (image, level) = (&texture.image, &texture.image.levels[0]);
    let (first, bytes) = ([x.1.first, y.1.first], u64::from(image.format.bytes()));
    let inside = |first: i64, size: u32| first >= 0 && first + 1 < i64::from(size);
    if inside(first[0], level.width) && inside(first[1], level.height) {
        let at = texel::address(image, level, first[0] as u32, first[1] as u32, 0);
        let below = at + level.pitch;
        return [Some(at), Some(at + bytes), Some(below), Some(below + bytes)];
    }
    let xs = [x.0.texel(first[0]), x.0.texel(first[0] + 1)];
    let ys = [y.0.texel(first[1]), y.0.texel(first[1] + 1)];
    let mut addresses = [None; 4];
    for (n, address) in addresses.iter_mut().enumerate() {
        if let (Some(x), Some(y)) = (xs[n % 2], ys[n / 2]) {
            *address = Some(texel::address(image, level, x, y, 0));
        }
    }
    addresses
}

/// Reads the texels with a nonzero weight; the others are 0.
///
/// # Safety
/// The caller must be in a protected call. The addresses must be those of elements of the image; an inaccessible page
/// faults here.
#[inline(always)]
unsafe fn read(texture: &Texture, addresses: [Option<u64>; 4], shares: [u32; 4]) -> Quad {
    let format = texture.image.format;
    let mut texels = [[0; 4]; 4];
    let wanted = texels.iter_mut().zip(addresses).zip(shares);
    macro_rules! each {
        ($read:expr) => {
            for ((texel, at), share) in wanted {
                if share > 0 {
                    *texel = match at {
                        // SAFETY: the address is that of an element of the image; the caller is in a protected call,
                        // which an inaccessible page ends.
                        Some(at) => unsafe { $read(at) },
                        None => texture.border,
                    };
                }
            }
        };
    }
    match (format.channel, format.channels) {
        (Channel::F32, 1) => each!(|at| [(at as *const u32).read_unaligned(), 0, 0, 0]),
        (Channel::F32, 4) => each!(|at| (at as *const Words).read_unaligned()),
        (Channel::U8, 1) => each!(|at| [u32::from((at as *const u8).read()), 0, 0, 0]),
        (Channel::U8, 4) => each!(|at| {
            let [x, y, z, w] = (at as *const [u8; 4]).read();
            [u32::from(x), u32::from(y), u32::from(z), u32::from(w)]
        }),
        _ => each!(|at| texel::read(format, at)),
    }
    texels
}

/// Returns the mean of floats; `None` if some are infinite or NaN. Texels without weight are 0, with the smallest
/// exponent.
#[inline(always)]
fn floats(texels: &Quad, shares: [u32; 4], channels: usize, float: Float) -> Option<[f32; 4]> {
    let mut out = [0.0; 4];
    let mut special = false;
    for (channel, out) in out.iter_mut().enumerate().take(channels) {
        let mut most = 1;
        for texel in texels {
            most = most.max(float.exponent(texel[channel]));
        }
        special |= most == float.special();
        let mut sum = 0;
        for (texel, share) in texels.iter().zip(shares) {
            let bits = texel[channel];
            let aligned = float.aligned(bits, most - float.exponent(bits));
            let term = aligned * i64::from(share);
            sum += if float.negative(bits) { -term } else { term };
        }
        *out = float.rounded(sum, most);
    }
    (!special).then_some(out)
}

/// Returns the mean of fractions in 1/65535.
#[inline(always)]
fn fractions(texels: &Quad, shares: [u32; 4], unit: u32) -> [f32; 4] {
    let mut out = [0.0; 4];
    for (channel, out) in out.iter_mut().enumerate() {
        // At most 65535 * 256.
        let mut sum = 0;
        for (texel, share) in texels.iter().zip(shares) {
            sum += texel[channel] * unit * share;
        }
        *out = ((sum + 128) >> 8) as f32 / 65535.0;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Format;

    /// Returns a random number of any size.
    fn random(seed: &mut u32) -> u32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let x = (*seed ^ *seed >> 16).wrapping_mul(0x45d_9f3b);
        x ^ x >> 16
    }

    #[test]
    fn means_are_those_of_one_channel_at_a_time() {
        let seed = &mut 7;
        for round in 0..200_000 {
            let [x, y] = [random(seed) & 255, random(seed) & 255];
            let [[a, b], [c, d]] = mix::square(WHOLE, [x, y]);
            let shares = [a, b, c, d];
            let near = round % 4 != 0;
            for (channel, reading) in [
                (Channel::F32, Reading::AsIs),
                (Channel::F16, Reading::F16),
                (Channel::U8, Reading::Fraction),
                (Channel::U16, Reading::Fraction),
            ] {
                let mut texel = || {
                    let bits = random(seed);
                    match channel {
                        // Mostly numbers of similar size.
                        Channel::F32 if near => bits & 0x83ff_ffff | 0x3c00_0000,
                        Channel::F32 => bits,
                        Channel::F16 if near => bits & 0x8fff | 0x3000,
                        Channel::U8 => bits & 255,
                        _ => bits & 0xffff,
                    }
                };
                let mut texels: Quad = std::array::from_fn(|_| std::array::from_fn(|_| texel()));
                let mut all = Mean::<4>::new();
                for (texel, share) in texels.iter_mut().zip(shares) {
                    all.add(*texel, share);
                    if share == 0 {
                        *texel = [0; 4];
                    }
                }
                let format = Format {
                    channel,
                    channels: 4,
                };
                let channels = 4;
                let mean = match channel {
                    Channel::F32 => floats(&texels, shares, channels, SINGLE),
                    Channel::F16 => floats(&texels, shares, channels, F16),
                    Channel::U8 => Some(fractions(&texels, shares, 257)),
                    _ => Some(fractions(&texels, shares, 1)),
                };
                if let Some(mean) = mean {
                    let wanted = all.of(format, reading);
                    assert_eq!(
                        mean.map(f32::to_bits),
                        wanted,
                        "{texels:x?} {shares:?} {channel:?}"
                    );
                }
            }
        }
    }
}
