//! The mipmap levels that a fetch reads.

use super::{Sampler, Texture};
use crate::ir::{Fetch, Lod};

/// One level, or two with the weight of the second in 1/256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels {
    /// The finer one.
    pub first: u32,
    /// Weight of the next level.
    pub share: u32,
}

const FINEST: Levels = Levels { first: 0, share: 0 };

/// Returns the levels for a fetch; `args` are the operands after its coordinates.
pub fn select(texture: &Texture, f: Fetch, args: &[u32]) -> Levels {
    let image = &texture.image;
    if image.levels.len() == 1 {
        return FINEST;
    }
    let detail = match f.lod {
        Lod::Base | Lod::Implicit => 0.0,
        Lod::Level => f32::from_bits(args[0]),
        Lod::Grad => {
            let axes = f.geometry.axes();
            let (dx, dy) = args[..2 * axes].split_at(axes);
            let size = match f.geometry.cube() {
                // A direction covers -1 to 1 while a face covers 0 to 1.
                true => [image.levels[0].width; 3].map(|size| size as f32 * 0.5),
                false => {
                    let level = &image.levels[0];
                    [level.width, level.height, level.depth].map(|size| size as f32)
                }
            };
            logarithm(step(dx, dy, size))
        }
    };
    let biased = !matches!(f.lod, Lod::Base | Lod::Implicit);
    between(&texture.sampler, detail, biased, image.levels.len() as u32)
}

/// Returns the length of a step in texels as an H200 estimates it: the longest of the two gradients, of their sum
/// over √2 and of their difference over √2.
fn step(dx: &[u32], dy: &[u32], size: [f32; 3]) -> f32 {
    let texels = |bits: &[u32]| -> [f32; 3] {
        std::array::from_fn(|n| bits.get(n).map_or(0.0, |&b| f32::from_bits(b) * size[n]))
    };
    let (x, y) = (texels(dx), texels(dy));
    let sum = std::array::from_fn(|n| x[n] + y[n]);
    let difference = std::array::from_fn(|n| x[n] - y[n]);
    let diagonal = length(sum).max(length(difference));
    length(x).max(length(y)).max(diagonal * (11.0 / 16.0))
}

/// Returns an estimate of the length: the largest component, and a third of the others.
fn length(of: [f32; 3]) -> f32 {
    let parts = of.map(f32::abs);
    let largest = parts[0].max(parts[1]).max(parts[2]);
    let others = parts[0] + parts[1] + parts[2] - largest;
    largest + others * (11.0 / 32.0)
}

/// Returns the binary logarithm of a number's first nine bits, in 1/256.
fn logarithm(of: f32) -> f32 {
    let cut = f32::from_bits(of.to_bits() & !0x7fff | 0x4000);
    (f64::from(cut).log2() * 256.0).round() as f32 / 256.0
}

/// Converts a level of detail to fixed point with 8 fraction bits; the rest is truncated.
fn fixed(detail: f32) -> i32 {
    (detail.clamp(-1024.0, 1024.0) * 256.0) as i32
}

fn between(sampler: &Sampler, detail: f32, biased: bool, count: u32) -> Levels {
    let [least, most] = sampler.levels.map(fixed);
    let last = (count as i32 - 1) * 256;
    let bias = if biased { fixed(sampler.bias) } else { 0 };
    let detail = (fixed(detail) + bias).min(most).max(least).clamp(0, last) as u32;
    if sampler.linear_levels {
        Levels {
            first: detail >> 8,
            share: detail & 255,
        }
    } else {
        Levels {
            first: (detail + 128) >> 8,
            share: 0,
        }
    }
}
