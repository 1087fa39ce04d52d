//! `tex` and `tld4`: filtered reads at coordinates.

use super::addressing::{Along, Axis};
use super::mix::Mean;
use super::texel::{self, Reading, Words};
use super::{Level, Shape, Texture, Wrap};
use super::{cube, lod, mix, quad};
use crate::ir::{Fetch, Geometry};

/// The sampling of an axis that the image lacks.
const NOWHERE: Along = Along {
    size: 1,
    wrap: Wrap::Clamp,
    normalized: false,
    linear: false,
    ends: true,
    offset: 0,
};
const ORIGIN: Axis = Axis { first: 0, share: 0 };

#[derive(Clone, Copy)]
enum Coordinate {
    /// In texels, or normalized from 0 to 1.
    Float(f32),
    /// In texels.
    Texel(i32),
}

/// The point of a sample: coordinates on the axes, and a layer or a face.
#[derive(Clone, Copy)]
struct Point {
    axes: usize,
    coordinates: [Coordinate; 3],
    offsets: [i32; 3],
    layer: u32,
    /// True if the layer is a face of a cube.
    cube: bool,
    /// True if a filter stops at the edges.
    ends: bool,
    /// True if integer coordinates are outside of the image; such reads give zeros.
    outside: bool,
}

/// The texels of a level that a sample reads.
struct Footprint<'t> {
    texture: &'t Texture,
    level: &'t Level,
    along: [Along; 3],
    axis: [Axis; 3],
    axes: usize,
    layer: u32,
    /// True if a filter continues on the neighbouring face.
    over_edges: bool,
}

impl Texture {
    /// Reads the element at an address, or the border.
    ///
    /// # Safety
    /// An address must be an element's. An inaccessible page faults here.
    #[inline]
    pub(super) unsafe fn texel(&self, at: Option<u64>) -> Words {
        match at {
            // SAFETY: `at` is an element of this texture's image; an inaccessible page ends the protected call.
            Some(at) => unsafe { texel::read(self.image.format, at) },
            None => self.border,
        }
    }

    /// Converts an element to an instruction's result. Channels that the format lacks are 0.
    #[inline]
    pub(super) fn given(&self, texel: Words) -> Words {
        match self.reading {
            Reading::AsIs => texel,
            reading => {
                let [x, y, z, w] = texel::colour(self.image.format, reading, texel);
                [x.to_bits(), y.to_bits(), z.to_bits(), w.to_bits()]
            }
        }
    }

    #[inline]
    fn mean<const N: usize>(&self, mean: &Mean<N>) -> Words {
        mean.of(self.image.format, self.reading)
    }
}

impl Point {
    /// Reads the point from an instruction's operands; also returns their number.
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
        let layer = layer.min((image.layers / faces).max(1) - 1);
        let mut point = Point {
            axes,
            coordinates: [Coordinate::Texel(0); 3],
            offsets: [0; 3],
            layer,
            cube: geometry.cube(),
            ends: true,
            outside: false,
        };
        if geometry.cube() {
            let to = cube::hit([0, 1, 2].map(|n| f32::from_bits(at[n])));
            point.axes = 2;
            point.coordinates[0] = Coordinate::Float(to.s);
            point.coordinates[1] = Coordinate::Float(to.t);
            point.layer = (layer * 6 + to.face).min(image.layers - 1);
            return (point, used);
        }
        // Only integer coordinates read linear memory, and only linear memory is read by integer coordinates in one
        // dimension.
        point.outside = match geometry {
            Geometry::D1 => int_coords != (image.shape == Shape::Linear),
            _ => false,
        };
        if int_coords {
            let level = &image.levels[0];
            let sizes = [level.width, level.height, level.depth];
            let inside = at.iter().zip(sizes).take(axes).all(|(&x, size)| x < size);
            point.outside |= !inside || geometry.layered() && args[0] != layer;
        }
        for (coordinate, &bits) in point.coordinates[..axes].iter_mut().zip(at) {
            *coordinate = match int_coords {
                true => Coordinate::Texel(bits as i32),
                false => Coordinate::Float(f32::from_bits(bits)),
            };
        }
        (point, used)
    }

    /// Returns the footprint on a level.
    fn on<'t>(&self, texture: &'t Texture, level: &'t Level, linear: bool) -> Footprint<'t> {
        let sampler = &texture.sampler;
        let sizes = [level.width, level.height, level.depth];
        let is_cube = matches!(texture.image.shape, Shape::Cube | Shape::Acube);
        let over_edges = self.cube && is_cube && sampler.seamless;
        let (mut along, mut axis) = ([NOWHERE; 3], [ORIGIN; 3]);
        for n in 0..self.axes {
            along[n] = Along {
                size: sizes[n],
                wrap: sampler.wrap[n],
                normalized: sampler.normalized || self.cube,
                linear,
                ends: self.ends && !over_edges,
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
            texture,
            level,
            along,
            axis,
            axes: self.axes,
            layer: self.layer,
            over_edges,
        }
    }
}

impl Footprint<'_> {
    /// Returns the address of the texel `step` away from the first; `None` for the border.
    fn address(&self, step: [usize; 3]) -> Option<u64> {
        let mut at = [0; 3];
        for n in 0..self.axes {
            at[n] = self.along[n].texel(self.axis[n].first + step[n] as i64)?;
        }
        let z = if self.axes == 3 { at[2] } else { self.layer };
        Some(texel::address(
            &self.texture.image,
            self.level,
            at[0],
            at[1],
            z,
        ))
    }

    /// Reads the texel `step` away from the first.
    unsafe fn texel(&self, step: [usize; 3]) -> Words {
        // SAFETY: `address` returns the address of an element of the level, or `None`.
        unsafe { self.texture.texel(self.address(step)) }
    }

    /// Reads a texel of a cube beyond the edge of a face; `None` past a corner.
    unsafe fn over_edge(&self, [right, down, _]: [usize; 3]) -> Option<Words> {
        let (cube, face) = (self.layer / 6 * 6, self.layer % 6);
        let (x, y) = (
            self.axis[0].first + right as i64,
            self.axis[1].first + down as i64,
        );
        let (face, x, y) = cube::neighbour(face, x, y, self.level.width)?;
        let at = texel::address(&self.texture.image, self.level, x, y, cube + face);
        // SAFETY: `neighbour` returns coordinates within the neighbouring face, so the address is an element's.
        Some(unsafe { self.texture.texel(Some(at)) })
    }

    /// Adds the footprint's texels, with weights that sum to `share`.
    unsafe fn add_to(&self, mean: &mut Mean<{ mix::MOST }>, share: u32) {
        let [x, y, z] = self.axis.map(|axis| axis.share);
        if self.axes == 1 {
            mean.next_group();
            for (n, part) in mix::line(share, x).into_iter().enumerate() {
                // SAFETY: `texel` reads elements of the image; the caller is in a protected call, which an
                // inaccessible page ends.
                mean.add(unsafe { self.texel([n, 0, 0]) }, part);
            }
            return;
        }
        let slices = if self.axes == 3 {
            mix::slices(share, z)
        } else {
            [share, 0]
        };
        for (slice, share) in slices.into_iter().enumerate() {
            mean.next_group();
            for (row, parts) in mix::square(share, [x, y]).into_iter().enumerate() {
                for (column, part) in parts.into_iter().enumerate() {
                    // SAFETY: `add_one` reads elements of the image; the caller is in a protected call, which an
                    // inaccessible page ends.
                    unsafe { self.add_one(mean, [column, row, slice], part) };
                }
            }
        }
    }

    unsafe fn add_one(&self, mean: &mut Mean<{ mix::MOST }>, step: [usize; 3], part: u32) {
        if part == 0 {
            return;
        }
        if !self.over_edges {
            // SAFETY: `texel` reads elements of the image; the caller is in a protected call, which an inaccessible
            // page ends.
            mean.add(unsafe { self.texel(step) }, part);
            return;
        }
        // SAFETY: `over_edge` reads elements of the image; the caller is in a protected call, which an inaccessible
        // page ends.
        if let Some(texel) = unsafe { self.over_edge(step) } {
            mean.add(texel, part);
            return;
        }
        // Past a corner there is no texel: the other three share its weight.
        let other = (part + 1) / 3;
        for step in [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] {
            // SAFETY: `over_edge` reads elements of the image; the caller is in a protected call, which an
            // inaccessible page ends.
            if let Some(texel) = unsafe { self.over_edge(step) } {
                let own = self.inside(step);
                mean.add(texel, if own { part - 2 * other } else { other });
            }
        }
    }

    /// Returns true if the texel `step` away from the first is on the face itself.
    fn inside(&self, step: [usize; 3]) -> bool {
        let size = i64::from(self.level.width);
        let along = self.axis.iter().zip(step).take(2);
        along
            .into_iter()
            .all(|(axis, step)| (0..size).contains(&(axis.first + step as i64)))
    }
}

/// `tex` of linear memory.
///
/// # Safety
/// The caller must be in a protected call: an inaccessible page of the image faults here.
#[inline]
pub unsafe fn fetch_linear(texture: &Texture, x: u32) -> Words {
    let level = &texture.image.levels[0];
    if x >= level.width {
        return [0; 4];
    }
    let at = texel::address(&texture.image, level, x, 0, 0);
    // SAFETY: `x` is below the width, so the address is an element's; the caller is in a protected call, which an
    // inaccessible page ends.
    texture.given(unsafe { texture.texel(Some(at)) })
}

/// Linear memory whose elements are words that are read as they are. Generated code reads it, too.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C)]
pub struct LinearWords {
    /// Address of the first element.
    pub at: u64,
    /// The number of elements.
    pub width: u32,
    /// The words of an element: 1, 2 or 4.
    pub channels: u32,
}

/// Returns that of a texture, if it is such.
pub fn linear_words(texture: &Texture) -> Option<LinearWords> {
    let image = &texture.image;
    let level = image.levels.first()?;
    let as_is = texture.reading == Reading::AsIs && image.format.channel.bytes() == 4;
    (image.shape == Shape::Linear && as_is).then_some(LinearWords {
        at: level.at,
        width: level.width,
        channels: u32::from(image.format.channels).min(4),
    })
}

impl LinearWords {
    /// `tex` for the threads of a mask: four rows of words.
    ///
    /// # Safety
    /// The caller must be in a protected call: an inaccessible page of the memory faults here.
    pub unsafe fn fetch(&self, x: [u32; 16], results: &mut [[u32; 16]], mask: u32) {
        let (from, channels) = (self.at as *const u32, self.channels as usize);
        for (channel, result) in results.iter_mut().take(4).enumerate() {
            if channel >= channels {
                result.fill(0);
                continue;
            }
            for (lane, word) in result.iter_mut().enumerate() {
                *word = match x[lane] < self.width && mask >> lane & 1 != 0 {
                    // SAFETY: the element is in the memory, and an inaccessible page ends the protected call.
                    true => unsafe {
                        from.add(x[lane] as usize * channels + channel)
                            .read_unaligned()
                    },
                    false => 0,
                };
            }
        }
    }
}

/// `tex` of one or two dimensions, of a texture with one level and one layer.
///
/// # Safety
/// The caller must be in a protected call: an inaccessible page of the image faults here.
#[inline(always)]
pub unsafe fn fetch_plain(texture: &Texture, axes: usize, at: [f32; 2]) -> Words {
    let (image, sampler) = (&texture.image, &texture.sampler);
    let level = &image.levels[0];
    let along = |n: usize, size: u32| Along {
        size,
        wrap: sampler.wrap[n],
        normalized: sampler.normalized,
        linear: texture.filters,
        ends: true,
        offset: 0,
    };
    let (on_x, on_y) = (along(0, level.width), along(1, level.height));
    let x = on_x.at(at[0]);
    // One dimension is treated as two with a height of 1; a filter would otherwise read above and below.
    let y = on_y.at(if axes == 2 { at[1] } else { 0.0 });
    let address = |x: Option<u32>, y: Option<u32>| {
        let (x, y) = (x?, y?);
        Some(texel::address(image, level, x, y, 0))
    };
    if !texture.filters {
        let at = address(on_x.texel(x.first), on_y.texel(y.first));
        // SAFETY: both coordinates are inside the level, so the address is an element's; or it is `None`.
        return texture.given(unsafe { texture.texel(at) });
    }
    // SAFETY: `filtered` reads elements of the image; the caller is in a protected call, which an inaccessible page
    // ends.
    unsafe { quad::filtered(texture, (on_x, x), (on_y, y)) }
}

/// `tex`.
///
/// # Safety
/// The caller must be in a protected call: an inaccessible page of the image faults here.
pub unsafe fn fetch(texture: &Texture, f: Fetch, args: &[u32]) -> Words {
    let (mut point, used) = Point::new(texture, f.geometry, f.int_coords, args);
    let rest = &args[used..];
    let levels = lod::select(texture, f, rest);
    if f.offset {
        for (to, &offset) in point.offsets[..point.axes]
            .iter_mut()
            .zip(&rest[f.lod_words()..])
        {
            *to = offset as i32;
        }
    }
    if point.outside {
        return [0; 4];
    }
    let linear = texture.filters && !f.int_coords;
    let foot = |level: u32| point.on(texture, &texture.image.levels[level as usize], linear);
    if !linear && levels.share == 0 {
        let at = foot(levels.first).address([0; 3]);
        // SAFETY: `address` returns the address of an element of the level, or `None`.
        return texture.given(unsafe { texture.texel(at) });
    }
    let mut mean = Mean::new();
    let parts = [mix::WHOLE - levels.share, levels.share];
    for (level, part) in (levels.first..).zip(parts) {
        if part > 0 {
            // SAFETY: `add_to` reads elements of the image; the caller is in a protected call, which an inaccessible
            // page ends.
            unsafe { foot(level).add_to(&mut mean, part) };
        }
    }
    texture.mean(&mean)
}

/// [`gather`] without offsets, from a two-dimensional texture with one level and one layer.
///
/// # Safety
/// The same as for [`fetch`].
#[inline(always)]
pub unsafe fn gather_plain(texture: &Texture, channel: u8, at: [f32; 2]) -> Words {
    let (image, sampler) = (&texture.image, &texture.sampler);
    let level = &image.levels[0];
    let along = |n: usize, size: u32| Along {
        size,
        wrap: sampler.wrap[n],
        normalized: sampler.normalized,
        linear: true,
        ends: false,
        offset: 0,
    };
    let (on_x, on_y) = (along(0, level.width), along(1, level.height));
    let (x, y) = (on_x.at(at[0]), on_y.at(at[1]));
    // SAFETY: the caller is in a protected call, which an inaccessible page ends.
    unsafe { quad::gathered(texture, (on_x, x), (on_y, y), channel) }
}

/// `tld4`: one channel of the four texels that a linear filter reads, counter-clockwise from the lower left.
///
/// # Safety
/// The caller must be in a protected call: an inaccessible page of the image faults here.
pub unsafe fn gather(
    texture: &Texture,
    geometry: Geometry,
    channel: u8,
    offset: bool,
    args: &[u32],
) -> Words {
    let (mut point, used) = Point::new(texture, geometry, false, args);
    if offset {
        for (to, &offset) in point.offsets[..2].iter_mut().zip(&args[used..]) {
            *to = offset as i32;
        }
    }
    point.ends = false;
    let foot = point.on(texture, &texture.image.levels[0], true);
    let mut out = [0; 4];
    for (out, step) in out
        .iter_mut()
        .zip([[0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]])
    {
        // SAFETY: `texel` reads elements of the image; the caller is in a protected call, which an inaccessible page
        // ends.
        let words = texture.given(unsafe { foot.texel(step) });
        *out = words[usize::from(channel) & 3];
    }
    out
}
