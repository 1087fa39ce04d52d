//! `tex` and `tld4`: from coordinates to a colour.

use super::cube;
use super::lod;
use super::place::{Along, Axis};
use super::texel::{self, Colour, Reading, Words};
use super::{Image, Level, Sampler, Texture};
use crate::ir::{Fetch, Geometry};

/// Where a sample lies: coordinates on the axes, and a layer or a face.
#[derive(Clone, Copy)]
struct Point {
    axes: usize,
    coordinates: [Coordinate; 3],
    offsets: [i32; 3],
    layer: u32,
    /// The layer is a face of a cube.
    cube: bool,
}

#[derive(Clone, Copy)]
enum Coordinate {
    /// In texels, or from 0 to 1.
    Float(f32),
    /// In texels.
    Texel(i32),
}

/// What a sample reads on each axis of a level.
struct Footprint<'t> {
    image: &'t Image,
    sampler: &'t Sampler,
    level: &'t Level,
    along: [Along; 3],
    axis: [Axis; 3],
    axes: usize,
    layer: u32,
    over_edges: bool,
}

impl Point {
    /// From an instruction's operands; answers how many there were.
    #[inline]
    fn new(
        texture: &Texture,
        geometry: Geometry,
        int_coords: bool,
        args: &[u32],
    ) -> (Point, usize) {
        let (image, axes) = (&texture.image, geometry.axes());
        let used = axes + usize::from(geometry.layered());
        let (layer, at) = match geometry.layered() {
            true => (args[0], &args[1..]),
            false => (0, args),
        };
        let faces = if geometry.cube() { 6 } else { 1 };
        let last = (image.layers / faces).max(1) - 1;
        let layer = layer.min(last);
        let mut point = Point {
            axes,
            coordinates: [Coordinate::Texel(0); 3],
            offsets: [0; 3],
            layer,
            cube: geometry.cube(),
        };
        if geometry.cube() {
            let to = cube::place([0, 1, 2].map(|n| f32::from_bits(at[n])));
            point.axes = 2;
            point.coordinates[0] = Coordinate::Float(to.s);
            point.coordinates[1] = Coordinate::Float(to.t);
            point.layer = (layer * 6 + to.face).min(image.layers - 1);
            return (point, used);
        }
        for (coordinate, &bits) in point.coordinates[..axes].iter_mut().zip(at) {
            *coordinate = match int_coords {
                true => Coordinate::Texel(bits as i32),
                false => Coordinate::Float(f32::from_bits(bits)),
            };
        }
        (point, used)
    }

    /// What it reads of a level.
    #[inline]
    fn on<'t>(&self, texture: &'t Texture, level: &'t Level, linear: bool) -> Footprint<'t> {
        let sampler = &texture.sampler;
        let sizes = [level.width, level.height, level.depth];
        let mut along = [Along {
            size: 1,
            wrap: super::Wrap::Clamp,
            normalized: false,
            linear: false,
            offset: 0,
        }; 3];
        let mut axis = [Axis { first: 0, share: 0 }; 3];
        for n in 0..self.axes {
            along[n] = Along {
                size: sizes[n],
                wrap: if self.cube {
                    super::Wrap::Clamp
                } else {
                    sampler.wrap[n]
                },
                normalized: sampler.normalized || self.cube,
                linear,
                offset: self.offsets[n],
            };
            axis[n] = match self.coordinates[n] {
                Coordinate::Float(x) => along[n].at(x),
                Coordinate::Texel(x) => Axis {
                    first: i64::from(x) + i64::from(self.offsets[n]),
                    share: 0,
                },
            };
        }
        Footprint {
            image: &texture.image,
            sampler,
            level,
            along,
            axis,
            axes: self.axes,
            layer: self.layer,
            over_edges: self.cube && sampler.seamless,
        }
    }
}

impl Footprint<'_> {
    /// The address of the texel `step` on from the first, `None` for the border.
    #[inline]
    fn texel(&self, step: [i64; 3]) -> Option<u64> {
        let mut at = [0; 3];
        for n in 0..self.axes {
            at[n] = self.along[n].texel(self.axis[n].first + step[n])?;
        }
        let z = if self.axes == 3 { at[2] } else { self.layer };
        Some(texel::address(self.image, self.level, at[0], at[1], z))
    }

    /// The texels that a cube's filter reads over its edges.
    unsafe fn over_edges(&self, reading: Reading) -> [Colour; 4] {
        let mut found = [None; 4];
        let (cube, face) = (self.layer / 6 * 6, self.layer % 6);
        for (n, found) in found.iter_mut().enumerate() {
            let (x, y) = (
                self.axis[0].first + (n as i64 & 1),
                self.axis[1].first + (n as i64 >> 1),
            );
            *found = cube::neighbour(face, x, y, self.level.width).map(|(face, x, y)| {
                let at = texel::address(self.image, self.level, x, y, cube + face);
                // SAFETY: by the caller's contract.
                let words = unsafe { texel::read(self.image.format, at) };
                texel::colour(self.image.format, reading, words)
            });
        }
        // Past a corner stands the mean of the three that meet there.
        let mut mean = [0.0f32; 4];
        for colour in found.iter().flatten() {
            for (sum, c) in mean.iter_mut().zip(colour) {
                *sum += c / 3.0;
            }
        }
        found.map(|f| f.unwrap_or(mean))
    }

    /// The colour of a texel.
    #[inline]
    unsafe fn colour(&self, reading: Reading, step: [i64; 3]) -> Colour {
        match self.texel(step) {
            Some(at) => {
                // SAFETY: by the caller's contract.
                let words = unsafe { texel::read(self.image.format, at) };
                texel::colour(self.image.format, reading, words)
            }
            None => self.sampler.border,
        }
    }

    /// The mean of the texels by their shares.
    unsafe fn filtered(&self, reading: Reading) -> Colour {
        let corners = 1 << self.axes;
        let mut sum = [0.0f32; 4];
        // SAFETY: by the caller's contract.
        let edges = self.over_edges.then(|| unsafe { self.over_edges(reading) });
        for corner in 0..corners {
            let step = [corner & 1, corner >> 1 & 1, corner >> 2 & 1];
            let mut weight = 1.0f32;
            for (axis, &step) in self.axis.iter().zip(&step).take(self.axes) {
                let share = axis.share as f32 / 256.0;
                weight *= if step == 1 { share } else { 1.0 - share };
            }
            let colour = match edges {
                Some(found) => found[corner as usize],
                // SAFETY: by the caller's contract.
                None => unsafe { self.colour(reading, step) },
            };
            if weight != 0.0 {
                for (sum, c) in sum.iter_mut().zip(colour) {
                    *sum += weight * c;
                }
            }
        }
        sum
    }

    /// The nearest texel.
    unsafe fn nearest(&self, reading: Reading) -> Words {
        match self.texel([0; 3]) {
            Some(at) => {
                // SAFETY: by the caller's contract.
                let words = unsafe { texel::read(self.image.format, at) };
                match reading {
                    Reading::AsIs => words,
                    reading => texel::colour(self.image.format, reading, words).map(f32::to_bits),
                }
            }
            None => self.sampler.border.map(f32::to_bits),
        }
    }
}

/// Whether a filter applies to what the texture holds.
fn filters(texture: &Texture, reading: Reading) -> bool {
    texture.sampler.linear && (reading != Reading::AsIs || texture.image.format.channel.is_float())
}

/// The channels that an image lacks: none of the first three, all of the last.
fn complete(texture: &Texture, reading: Reading, mut words: Words) -> Words {
    let float = reading != Reading::AsIs || texture.image.format.channel.is_float();
    let one = if float { 1.0f32.to_bits() } else { 1 };
    for (n, word) in words
        .iter_mut()
        .enumerate()
        .skip(usize::from(texture.image.format.channels))
    {
        *word = if n == 3 { one } else { 0 };
    }
    words
}

/// `tex`.
///
/// # Safety
/// The image's memory is read; a page that is missing faults here.
pub unsafe fn fetch(texture: &Texture, f: Fetch, args: &[u32]) -> Words {
    let (mut point, used) = Point::new(texture, f.geometry, f.int_coords, args);
    let rest = &args[used..];
    let levels = lod::select(texture, f, rest);
    if f.offset {
        let skip = f_words(f);
        for n in 0..point.axes {
            point.offsets[n] = rest[skip + n] as i32;
        }
    }
    let image = &texture.image;
    let reading = Reading::new(image.format, &texture.sampler);
    let linear = filters(texture, reading) && !f.int_coords;
    let sample = |level: u32| {
        let foot = point.on(texture, &image.levels[level as usize], linear);
        // SAFETY: by contract.
        unsafe {
            if linear {
                foot.filtered(reading).map(f32::to_bits)
            } else {
                foot.nearest(reading)
            }
        }
    };
    let first = sample(levels.first);
    let out = if levels.share == 0 {
        first
    } else {
        let second = sample(levels.first + 1);
        let share = levels.share as f32 / 256.0;
        std::array::from_fn(|n| {
            let (a, b) = (f32::from_bits(first[n]), f32::from_bits(second[n]));
            (a * (1.0 - share) + b * share).to_bits()
        })
    };
    complete(texture, reading, out)
}

/// Words of the level or the gradients.
fn f_words(f: Fetch) -> usize {
    use crate::ir::Lod;
    match f.lod {
        Lod::Implicit | Lod::Base => 0,
        Lod::Level => 1,
        Lod::Grad => 2 * f.geometry.axes(),
    }
}

/// `tld4`: a channel of the four texels that a linear filter reads, against the clock from the lower left.
///
/// # Safety
/// As for [`fetch`].
pub unsafe fn gather(
    texture: &Texture,
    geometry: Geometry,
    channel: u8,
    offset: bool,
    args: &[u32],
) -> Words {
    let (mut point, used) = Point::new(texture, geometry, false, args);
    if offset {
        for n in 0..point.axes.min(2) {
            point.offsets[n] = args[used + n] as i32;
        }
    }
    let reading = Reading::new(texture.image.format, &texture.sampler);
    let foot = point.on(texture, &texture.image.levels[0], true);
    [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(x, y)| {
        let words = match foot.texel([x, y, 0]) {
            Some(at) => {
                // SAFETY: by contract.
                let words = unsafe { texel::read(texture.image.format, at) };
                match reading {
                    Reading::AsIs => words,
                    reading => {
                        texel::colour(texture.image.format, reading, words).map(f32::to_bits)
                    }
                }
            }
            None => texture.sampler.border.map(f32::to_bits),
        };
        complete(texture, reading, words)[usize::from(channel) & 3]
    })
}
