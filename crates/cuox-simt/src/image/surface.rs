//! `suld`, `sust`, `sured`.

use super::{Channel, Image, texel};
use crate::fault::{Fault, FaultKind};
use crate::ir::{AtomOp, Bounds, Geometry, ImageOp, Num, Round, Ty};
use crate::sem::atom;

/// Returns the address of an access of `bytes` bytes whose `x` is in units of `unit` bytes; `None` if there is no
/// access.
fn locate(
    image: &Image,
    geometry: Geometry,
    args: &[u32],
    unit: u32,
    bytes: u32,
    bounds: Bounds,
) -> Result<Option<u64>, Fault> {
    let level = &image.levels[0];
    let (layer, rest) = match geometry.layered() {
        true => (args[0], &args[1..]),
        false => (0u32, args),
    };
    let axes = geometry.axes();
    let along = |n: usize| if n < axes { rest[n] as i32 } else { 0 };
    let row = i64::from(level.width) * i64::from(image.format.bytes());
    let x = i64::from(along(0)) * i64::from(unit);
    let (y, z) = (i64::from(along(1)), i64::from(along(2)));
    let layer = i64::from(layer);
    let slices = i64::from(level.depth.max(image.layers));
    let slice = if geometry.layered() { layer } else { z };
    let last = row - i64::from(bytes);
    if x & (i64::from(bytes) - 1) != 0 {
        let message = format!(
            "surface access of {bytes} bytes at byte {x}, which is not a multiple of {bytes}"
        );
        return Err(Fault::new(FaultKind::MisalignedAddress, message));
    }
    let inside = (0..=last).contains(&x)
        && (0..i64::from(level.height)).contains(&y)
        && (0..slices).contains(&slice);
    let (x, y, slice) = match bounds {
        _ if inside => (x, y, slice),
        Bounds::Zero => return Ok(None),
        Bounds::Trap => {
            let message = format!(
                "surface access at byte {x}, row {y}, slice {slice} is outside of {row} x {} x {slices}",
                level.height
            );
            return Err(Fault::new(FaultKind::IllegalAddress, message));
        }
        Bounds::Clamp if last < 0 => return Ok(None),
        Bounds::Clamp => (
            x.clamp(0, last),
            y.clamp(0, i64::from(level.height) - 1),
            slice.clamp(0, slices - 1),
        ),
    };
    Ok(Some(
        level.at + slice as u64 * level.slice + y as u64 * level.pitch + x as u64,
    ))
}

/// Performs an access; returns the words of a load.
///
/// # Safety
/// The caller must be in a protected call: an inaccessible page faults here.
pub unsafe fn access(image: &Image, op: ImageOp, args: &[u32]) -> Result<[u32; 4], Fault> {
    let data = |geometry: Geometry| &args[geometry.axes() + usize::from(geometry.layered())..];
    let mut out = [0; 4];
    match op {
        ImageOp::Load {
            geometry,
            size,
            count,
            bounds,
        } => {
            let bytes = u32::from(size) * u32::from(count);
            if let Some(at) = locate(image, geometry, args, 1, bytes, bounds)? {
                // SAFETY: `locate` returns the address of that many bytes within the surface; the caller is in a
                // protected call, which an inaccessible page ends.
                unsafe { read(at, size, count, &mut out) };
            }
        }
        ImageOp::Store {
            geometry,
            size,
            count,
            bounds,
        } => {
            let bytes = u32::from(size) * u32::from(count);
            if let Some(at) = locate(image, geometry, args, 1, bytes, bounds)? {
                // SAFETY: `locate` returns the address of that many bytes within the surface; the caller is in a
                // protected call, which an inaccessible page ends.
                unsafe { write(at, size, count, data(geometry)) };
            }
        }
        ImageOp::StoreFormatted {
            geometry,
            count,
            bounds,
        } => {
            let bytes = image.format.bytes();
            if let Some(at) = locate(image, geometry, args, bytes, bytes, bounds)? {
                let channel = image.format.channel;
                let mut words = [0; 4];
                let given = usize::from(count);
                for (to, &word) in words.iter_mut().zip(&data(geometry)[..given]) {
                    *to = store_as(channel, word);
                }
                let (size, count) = (channel.bytes() as u8, image.format.channels);
                // SAFETY: `locate` returns the address of an element with these channels; the caller is in a
                // protected call, which an inaccessible page ends.
                unsafe { write(at, size, count, &words) };
            }
        }
        ImageOp::Reduce {
            geometry,
            op,
            num,
            scaled,
            bounds,
        } => {
            let bytes = num.ty().bytes();
            let unit = if scaled { image.format.bytes() } else { 1 };
            // The number type of `sured.p.b32` is that of the surface's channels.
            let num = match (scaled, image.format.channel) {
                (true, Channel::S32) if num == Num::U(Ty::B32) => Num::S(Ty::B32),
                _ => num,
            };
            if let Some(at) = locate(image, geometry, args, unit, bytes, bounds)? {
                let data = data(geometry);
                let high = if bytes == 8 { u64::from(data[1]) } else { 0 };
                let value = high << 32 | u64::from(data[0]);
                // SAFETY: `locate` returns an address inside the surface, aligned to the number; the caller is in a
                // protected call, which an inaccessible page ends.
                unsafe { reduce(op, num, at, value) };
            }
        }
        _ => {}
    }
    Ok(out)
}

unsafe fn reduce(op: AtomOp, num: Num, at: u64, value: u64) {
    // SAFETY: `at` is aligned to the number, and device memory that threads share is only accessed atomically.
    unsafe { atom::atomic(op, num, false, at as *mut u8, [value, 0]) };
}

/// Converts a word to the bits of a channel. A GPU truncates to f16.
fn store_as(channel: Channel, word: u32) -> u32 {
    let signed = |low: i32, high: i32| (word as i32).clamp(low, high) as u32;
    match channel {
        Channel::U8 => word.min(0xff),
        Channel::U16 => word.min(0xffff),
        Channel::S8 => signed(-0x80, 0x7f),
        Channel::S16 => signed(-0x8000, 0x7fff),
        Channel::F16 => texel::to_f16(word, Round::Zero),
        Channel::U32 | Channel::S32 | Channel::F32 => word,
    }
}

unsafe fn read(at: u64, size: u8, count: u8, out: &mut [u32; 4]) {
    // SAFETY: the caller checked that `size * count` bytes at `at` are in a surface; an inaccessible page ends the
    // protected call.
    unsafe {
        for n in 0..usize::from(count) {
            match size {
                1 => out[n] = u32::from((at as *const u8).add(n).read()),
                2 => out[n] = u32::from((at as *const u16).add(n).read_unaligned()),
                4 => out[n] = (at as *const u32).add(n).read_unaligned(),
                _ => {
                    let word = (at as *const u64).add(n).read_unaligned();
                    out[2 * n] = word as u32;
                    out[2 * n + 1] = (word >> 32) as u32;
                }
            }
        }
    }
}

unsafe fn write(at: u64, size: u8, count: u8, words: &[u32]) {
    // SAFETY: the caller checked that `size * count` bytes at `at` are in a surface; an inaccessible page ends the
    // protected call.
    unsafe {
        for n in 0..usize::from(count) {
            match size {
                1 => (at as *mut u8).add(n).write(words[n] as u8),
                2 => (at as *mut u16).add(n).write_unaligned(words[n] as u16),
                4 => (at as *mut u32).add(n).write_unaligned(words[n]),
                _ => {
                    let word = u64::from(words[2 * n + 1]) << 32 | u64::from(words[2 * n]);
                    (at as *mut u64).add(n).write_unaligned(word);
                }
            }
        }
    }
}
