//! An image operation of up to four threads.

use super::filter::LinearWords;
use super::{Image, Shape, Surface, Texture, filter, query, surface};
use crate::fault::{Fault, FaultKind};
use crate::ir::{Fetch, Geometry, ImageOp, MAX_IMAGE_ARGS};
use crate::launch::Host;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The largest number of threads per call.
pub const LANES: usize = 4;
/// Operand words after the handle.
pub const ROWS: usize = MAX_IMAGE_ARGS - 1;

/// Operands of up to four threads; results replace them.
#[repr(C, align(16))]
#[derive(Clone, Default)]
pub struct Words {
    /// The objects' handles.
    pub handles: [u64; LANES],
    /// Operand words: each row has one word of every thread.
    pub rows: [[u32; LANES]; ROWS],
}

impl Words {
    /// Returns the operands of one thread.
    #[inline]
    fn column(&self, lane: usize) -> [u32; ROWS] {
        std::array::from_fn(|row| self.rows[row][lane])
    }

    #[inline]
    fn put(&mut self, lane: usize, results: [u32; 4]) {
        for (row, word) in self.rows.iter_mut().zip(results) {
            row[lane] = word;
        }
    }
}

/// Operands of the threads of a group, as wide code has them in its scratch area; results replace the words.
#[repr(C)]
pub struct Lanes {
    /// The objects' handles.
    pub handles: [u64; Lanes::COUNT],
    /// Operand words: each row has one word of every thread.
    pub rows: [[u32; Lanes::COUNT]; Lanes::ROWS],
}

impl Lanes {
    const COUNT: usize = 16;
    /// The largest number of operand words, and more than that of results.
    pub const ROWS: usize = 6;

    /// The handle that the threads of a mask have, if all have one.
    fn one_handle(&self, mask: u32) -> Option<u64> {
        let first = self.handles[mask.trailing_zeros() as usize % Lanes::COUNT];
        let other = |(lane, &handle): (usize, &u64)| mask >> lane & 1 != 0 && handle != first;
        (!self.handles.iter().enumerate().any(other)).then_some(first)
    }
}

/// Objects of one kind that have been looked up, with the last one at hand.
struct Known<T> {
    all: RefCell<Vec<(u64, Arc<T>)>>,
    last: Cell<(u64, *const T)>,
}

impl<T> Known<T> {
    fn new() -> Known<T> {
        Known {
            all: RefCell::new(Vec::new()),
            last: Cell::new((0, std::ptr::null())),
        }
    }

    #[inline]
    fn get(&self, handle: u64, find: impl FnOnce() -> Option<Arc<T>>) -> Option<&T> {
        let (last, object) = self.last.get();
        if last == handle && !object.is_null() {
            // SAFETY: the object is in `all`, which keeps it while `self` lives: objects are never removed.
            return Some(unsafe { &*object });
        }
        let mut all = self.all.borrow_mut();
        let object = match all.iter().find(|(known, _)| *known == handle) {
            Some((_, object)) => Arc::as_ptr(object),
            None => {
                let object = find()?;
                let at = Arc::as_ptr(&object);
                all.push((handle, object));
                at
            }
        };
        self.last.set((handle, object));
        // SAFETY: the object is in `all`, which keeps it while `self` lives: objects are never removed.
        Some(unsafe { &*object })
    }
}

/// The objects that a worker has used in a launch. They are kept until its end: destroying an object that a running
/// kernel uses is an error of the program.
pub struct Handles<'h> {
    host: &'h dyn Host,
    textures: Known<Texture>,
    surfaces: Known<Surface>,
}

/// The fault of an instruction, and the index of the thread that caused it.
pub type Failure = (usize, Fault);

impl<'h> Handles<'h> {
    /// Creates an empty cache of objects.
    pub fn new(host: &'h dyn Host) -> Handles<'h> {
        Handles {
            host,
            textures: Known::new(),
            surfaces: Known::new(),
        }
    }

    #[inline]
    fn texture(&self, handle: u64) -> Option<&Texture> {
        let live = |t: &Arc<Texture>| self.is_live(&t.image);
        let find = || self.host.texture(handle).filter(live);
        self.textures.get(handle, find)
    }

    #[inline]
    fn surface(&self, handle: u64) -> Option<&Surface> {
        let live = |s: &Arc<Surface>| self.is_live(&s.image);
        let find = || self.host.surface(handle).filter(live);
        self.surfaces.get(handle, find)
    }

    /// Returns true if an image's memory is still allocated, as far as that is checked.
    fn is_live(&self, image: &Image) -> bool {
        !self.host.checks_memory() || self.gone(image).is_none()
    }

    /// Returns the address of an image's memory if it is no longer allocated.
    fn gone(&self, image: &Image) -> Option<u64> {
        let element = u64::from(image.format.bytes());
        let mut levels = image.levels.iter();
        let gone = levels.find(|l| {
            let slices = u64::from(l.depth.max(image.layers).max(1));
            let rows = l.slice * (slices - 1) + l.pitch * u64::from(l.height.max(1) - 1);
            let end = l.at + rows + u64::from(l.width) * element;
            let found = self.host.allocation(l.at);
            found.is_none_or(|(start, len)| end > start + len)
        })?;
        Some(gone.at)
    }

    /// Returns the fault for a handle without an object.
    fn missing(&self, lane: usize, what: &str, handle: u64) -> Failure {
        let gone = match what {
            "texture" => self.host.texture(handle).map(|t| self.gone(&t.image)),
            _ => self.host.surface(handle).map(|s| self.gone(&s.image)),
        };
        let mut fault = Fault::new(
            FaultKind::IllegalAddress,
            format!("{handle:#x} is not a {what} object"),
        );
        if let Some(Some(at)) = gone {
            fault.message = format!(
                "Invalid access to {what} object {handle:#x}: its memory at {at:#x} is not allocated"
            );
            fault.address = Some(at);
        }
        (lane, fault)
    }
}

/// Performs `op` for the first `lanes` threads.
///
/// # Safety
/// The caller must be in a protected call: inaccessible memory faults here, while no lock is held.
pub unsafe fn perform(
    op: ImageOp,
    words: &mut Words,
    lanes: usize,
    objects: &Handles<'_>,
) -> Result<(), Failure> {
    if let ImageOp::Fetch(f) = op {
        // SAFETY: the caller is in a protected call, as `fetch` requires.
        return unsafe { fetch(f, words, lanes.min(LANES), objects) };
    }
    if let ImageOp::Gather {
        geometry: Geometry::D2,
        channel,
        offset: false,
    } = op
    {
        // SAFETY: the caller is in a protected call, as `gather` requires.
        return unsafe { gather(channel, words, lanes.min(LANES), objects) };
    }
    for lane in 0..lanes.min(LANES) {
        let handle = words.handles[lane];
        let texture = || {
            objects
                .texture(handle)
                .ok_or_else(|| objects.missing(lane, "texture", handle))
        };
        let surface = || {
            objects
                .surface(handle)
                .ok_or_else(|| objects.missing(lane, "surface", handle))
        };
        let out = match op {
            ImageOp::QueryTexture { query, level } => {
                let args = words.column(lane);
                let level = if level { args[0] } else { 0 };
                [query::texture(texture()?, query, level), 0, 0, 0]
            }
            ImageOp::QuerySurface(query) => [query::surface(&surface()?.image, query), 0, 0, 0],
            ImageOp::Gather {
                geometry,
                channel,
                offset,
            } => {
                let args = words.column(lane);
                // SAFETY: the caller is in a protected call, as `gather` requires.
                unsafe { filter::gather(texture()?, geometry, channel, offset, &args) }
            }
            // Handled above.
            ImageOp::Fetch(_) => return Ok(()),
            ImageOp::Load { .. }
            | ImageOp::Store { .. }
            | ImageOp::StoreFormatted { .. }
            | ImageOp::Reduce { .. } => {
                let args = words.column(lane);
                // SAFETY: the caller is in a protected call, as `access` requires.
                let done = unsafe { surface::access(&surface()?.image, op, &args) };
                done.map_err(|fault| (lane, fault))?
            }
        };
        words.put(lane, out);
    }
    Ok(())
}

/// What the texture of a handle reads, as generated code finds it without a call.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C, align(32))]
pub struct Fetched {
    /// The handle.
    pub handle: u64,
    /// The memory; of no elements if nothing is known.
    pub words: LinearWords,
}

/// Performs `op` for the threads of a mask. Returns what one texture reads for all of them, if generated code could
/// have done so.
///
/// # Safety
/// As for [`perform`].
pub unsafe fn perform_lanes(
    op: ImageOp,
    lanes: &mut Lanes,
    mask: u32,
    objects: &Handles<'_>,
) -> Result<Option<Fetched>, Failure> {
    if op.may_read_linear()
        && let Some(handle) = lanes.one_handle(mask)
        && let Some(texture) = objects.texture(handle)
        && let Some(words) = filter::linear_words(texture)
    {
        // SAFETY: the caller is in a protected call, as `fetch` requires.
        unsafe { words.fetch(lanes.rows[0], &mut lanes.rows, mask) };
        // Generated code has offsets of 32 bits with a sign.
        let bytes = u64::from(words.width) * u64::from(words.channels) * 4;
        let fits = i32::try_from(bytes).is_ok();
        return Ok(fits.then_some(Fetched { handle, words }));
    }
    let mut left = mask;
    while left != 0 {
        let mut words = Words::default();
        let mut these = [0; LANES];
        let mut count = 0;
        while left != 0 && count < LANES {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            these[count] = lane;
            words.handles[count] = lanes.handles[lane];
            for (to, from) in words.rows.iter_mut().zip(&lanes.rows) {
                to[count] = from[lane];
            }
            count += 1;
        }
        // SAFETY: the caller is in a protected call, as `perform` requires.
        let done = unsafe { perform(op, &mut words, count, objects) };
        done.map_err(|(n, fault)| (these[n], fault))?;
        for (n, &lane) in these[..count].iter().enumerate() {
            for (to, from) in lanes.rows.iter_mut().zip(&words.rows) {
                to[lane] = from[n];
            }
        }
    }
    Ok(None)
}

/// `tex` for the first `lanes` threads, by code for this processor.
unsafe fn fetch(
    f: Fetch,
    words: &mut Words,
    lanes: usize,
    objects: &Handles<'_>,
) -> Result<(), Failure> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("lzcnt")
    {
        // SAFETY: the processor has these features, and the caller is in a protected call.
        return unsafe { fetch_avx2(f, words, lanes, objects) };
    }
    // SAFETY: the caller is in a protected call, as `fetch_each` requires.
    unsafe { fetch_each(f, words, lanes, objects) }
}

/// `tld4` of two-dimensional textures for the first `lanes` threads.
unsafe fn gather(
    channel: u8,
    words: &mut Words,
    lanes: usize,
    objects: &Handles<'_>,
) -> Result<(), Failure> {
    let mut known = None;
    for lane in 0..lanes {
        let handle = words.handles[lane];
        let texture = match known {
            Some((last, texture)) if last == handle => texture,
            _ => objects
                .texture(handle)
                .ok_or_else(|| objects.missing(lane, "texture", handle))?,
        };
        known = Some((handle, texture));
        let out = if texture.is_plain() {
            let [x, y] = [words.rows[0][lane], words.rows[1][lane]];
            let at = [f32::from_bits(x), f32::from_bits(y)];
            // SAFETY: the caller is in a protected call, as `gather_plain` requires.
            unsafe { filter::gather_plain(texture, channel, at) }
        } else {
            let args = words.column(lane);
            // SAFETY: the caller is in a protected call, as `gather` requires.
            unsafe { filter::gather(texture, Geometry::D2, channel, false, &args) }
        };
        words.put(lane, out);
    }
    Ok(())
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
unsafe fn fetch_avx2(
    f: Fetch,
    words: &mut Words,
    lanes: usize,
    objects: &Handles<'_>,
) -> Result<(), Failure> {
    // SAFETY: the caller is in a protected call, as `fetch_each` requires.
    unsafe { fetch_each(f, words, lanes, objects) }
}

/// `tex` for the first `lanes` threads, which usually read the same texture.
#[inline(always)]
unsafe fn fetch_each(
    f: Fetch,
    words: &mut Words,
    lanes: usize,
    objects: &Handles<'_>,
) -> Result<(), Failure> {
    let linear = f.may_read_linear();
    let simple = !f.int_coords && !f.offset && matches!(f.geometry, Geometry::D1 | Geometry::D2);
    let axes = f.geometry.axes();
    let mut known = None;
    for lane in 0..lanes {
        let handle = words.handles[lane];
        let texture = match known {
            Some((last, texture)) if last == handle => texture,
            _ => objects
                .texture(handle)
                .ok_or_else(|| objects.missing(lane, "texture", handle))?,
        };
        known = Some((handle, texture));
        let out = if simple && texture.is_plain() {
            let [x, y] = [words.rows[0][lane], words.rows[1][lane]];
            let at = [f32::from_bits(x), f32::from_bits(y)];
            // SAFETY: the caller is in a protected call, and `is_plain` says that the texture has one level and one
            // layer.
            unsafe { filter::fetch_plain(texture, axes, at) }
        } else if linear && texture.image.shape == Shape::Linear {
            // SAFETY: the caller is in a protected call, as `fetch_linear` requires.
            unsafe { filter::fetch_linear(texture, words.rows[0][lane]) }
        } else {
            // SAFETY: the caller is in a protected call, as `fetch` requires.
            unsafe { filter::fetch(texture, f, &words.column(lane)) }
        };
        words.put(lane, out);
    }
    Ok(())
}
