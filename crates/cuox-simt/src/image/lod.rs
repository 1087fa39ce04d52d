//! Which levels of a mipmap a fetch reads.

use super::{Level, Sampler, Texture};
use crate::ir::{Fetch, Lod};

/// One level, or two and the share of the second in 1/256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels {
    /// The finer one.
    pub first: u32,
    /// Share of the one after it.
    pub share: u32,
}

const FINEST: Levels = Levels { first: 0, share: 0 };

/// The levels that a fetch with those operands after its coordinates reads.
pub fn select(texture: &Texture, f: Fetch, args: &[u32]) -> Levels {
    let image = &texture.image;
    if image.levels.len() == 1 {
        return FINEST;
    }
    let detail = match f.lod {
        Lod::Base => return FINEST,
        Lod::Implicit => 0.0,
        Lod::Level => f32::from_bits(args[0]),
        Lod::Grad => {
            let axes = f.geometry.axes();
            let (dx, dy) = args[..2 * axes].split_at(axes);
            let step = |d: &[u32]| step(&image.levels[0], &texture.sampler, d);
            step(dx).max(step(dy)).log2()
        }
    };
    between(&texture.sampler, detail, image.levels.len() as u32)
}

/// How many texels a step goes.
fn step(level: &Level, sampler: &Sampler, gradient: &[u32]) -> f32 {
    let size = [level.width, level.height, level.depth];
    let sum = gradient.iter().zip(size).map(|(&bits, size)| {
        let d = f32::from_bits(bits) * if sampler.normalized { size as f32 } else { 1.0 };
        d * d
    });
    sum.sum::<f32>().sqrt()
}

fn between(sampler: &Sampler, detail: f32, count: u32) -> Levels {
    let [least, most] = sampler.levels;
    let detail = (detail + sampler.bias).min(most).max(least);
    let fixed = (detail.clamp(0.0, (count - 1) as f32) * 256.0).round_ties_even() as u32;
    if sampler.linear_levels {
        Levels {
            first: fixed >> 8,
            share: fixed & 255,
        }
    } else {
        Levels {
            first: (fixed + 128) >> 8,
            share: 0,
        }
    }
}
