//! Matrices in shared memory, by the descriptors of `wgmma` (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared
//! Memory Layout").
//!
//! A matrix consists of chunks of 16 bytes. Eight neighbouring rows, each of as many bytes as the swizzle mode's span
//! (16, 32, 64 or 128), lie one after the other; so they make an atom. In a matrix that is stored along `k`, the rows
//! are those of A (the columns of B), and atoms repeat along them at the stride offset. In one that is stored across
//! `k`, the rows of atoms run along `k`, and there are several atoms in both directions. A swizzle exchanges chunks
//! within the span, by bits of the address.

use crate::sem::warp::Words;
use crate::trap;

/// A descriptor's fields, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Descriptor {
    start: u32,
    leading: u32,
    stride: u32,
    /// Bits 7 to 9 of the address at which the swizzle's pattern begins.
    base: u32,
    /// Bytes of an atom's row: 16 (no swizzle), 32, 64 or 128.
    span: u32,
}

impl Descriptor {
    /// Reads a descriptor. All values are valid; bits without a meaning are ignored.
    fn new(bits: u64) -> Descriptor {
        let bytes = |shift: u32| ((bits >> shift) as u32 & 0x3fff) << 4;
        Descriptor {
            start: bytes(0),
            leading: bytes(16),
            stride: bytes(32),
            base: (bits >> 49) as u32 & 7,
            span: match bits >> 62 {
                0 => 16,
                1 => 128,
                2 => 64,
                _ => 32,
            },
        }
    }

    /// Returns the place of chunk `chunk` of row `row`, in a matrix that is stored along `k`.
    fn along(self, row: u32, chunk: u32) -> u32 {
        // Without a swizzle, all chunks are in different atoms.
        let inner = self.span / 16;
        let ahead = chunk / inner * self.leading + chunk % inner * 16;
        self.place(row / 8 * self.stride + row % 8 * self.span + ahead)
    }

    /// Returns the place of eight elements of 16 bits, of the rows from `8 * group` on, at `k`, in a matrix that is
    /// stored across `k`.
    fn across(self, group: u32, k: u32) -> u32 {
        let groups = self.span / 16;
        let (along, over) = match self.span {
            16 => (self.stride, self.leading),
            _ => (self.leading, self.stride),
        };
        let atom = group / groups * along + k / 8 * over;
        self.place(atom + k % 8 * self.span + group % groups * 16)
    }

    /// Returns the offset in shared memory of a chunk that is `ahead` bytes from the start before the swizzle.
    fn place(self, ahead: u32) -> u32 {
        let at = self.start + ahead;
        let chunks = self.span / 16 - 1;
        let turn = (at >> 7).wrapping_sub(self.base) & chunks;
        at ^ turn << 4
    }
}

/// A part of a matrix of a `wgmma`.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The matrix descriptor.
    pub descriptor: u64,
    /// The matrix is stored across `k`.
    pub across: bool,
    /// The first row (of A; or column of B), a multiple of 8.
    pub first: u32,
    /// The number of rows, a multiple of 8.
    pub rows: u32,
    /// The number of words of a lane for eight rows: one for 16 bytes along `k`.
    pub words: u32,
}

/// The most words of a lane for eight rows: those of B if A is sparse.
pub const WORDS: usize = 4;

/// The shared memory of a block.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Host address.
    pub at: u64,
    /// Size in bytes.
    pub bytes: u32,
}

/// The offset in shared memory of a chunk that is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outside(pub u32);

impl Window {
    /// Reads a part of a matrix: for each eight rows, the words of the lanes in the layout of a factor of `mma`.
    pub fn read(self, part: Part) -> Result<Vec<[Words; WORDS]>, Outside> {
        let descriptor = Descriptor::new(part.descriptor);
        let groups = part.first / 8..(part.first + part.rows) / 8;
        let places: Vec<u32> = groups
            .flat_map(|group| {
                (0..8 * part.words).map(move |n| match part.across {
                    true => descriptor.across(group, n),
                    false => descriptor.along(8 * group + n % 8, n / 8),
                })
            })
            .collect();
        let mut read = Read {
            window: self.at,
            chunks: vec![[0; 4]; places.len()],
            places,
        };
        let outside = |&&at: &&u32| u64::from(at) + 16 > u64::from(self.bytes);
        if let Some(&at) = read.places.iter().find(outside) {
            return Err(Outside(at));
        }
        // SAFETY: `chunks` gets its own kind of argument, and holds no lock when it faults.
        unsafe { trap::protected(chunks, (&raw mut read).cast()) }
            .map_err(|trap| Outside(trap.address.wrapping_sub(self.at) as u32))?;
        let layout = if part.across { turned } else { straight };
        let chunks = read.chunks.chunks_exact(8 * part.words as usize);
        Ok(chunks.map(layout).collect())
    }
}

/// The argument of a protected call.
struct Read {
    window: u64,
    places: Vec<u32>,
    chunks: Vec<[u32; 4]>,
}

unsafe extern "C" fn chunks(arg: *mut u8) -> u64 {
    // SAFETY: `read` passes its own structure, whose places are in the window; a page that is inaccessible ends this
    // call.
    unsafe {
        let read = &mut *arg.cast::<Read>();
        for (&place, chunk) in read.places.iter().zip(&mut read.chunks) {
            let from = (read.window + u64::from(place)) as *const [u32; 4];
            *chunk = from.read_unaligned();
        }
    }
    0
}

/// Returns the lanes' words of eight rows, whose first chunks are given, then the second ones and so on.
fn straight(chunks: &[[u32; 4]]) -> [Words; WORDS] {
    words(chunks, |n, lane| chunks[8 * n + lane / 4][lane % 4])
}

/// Returns the lanes' words of eight rows of 16-bit elements, whose columns are given.
fn turned(chunks: &[[u32; 4]]) -> [Words; WORDS] {
    let element = |row: usize, k: usize| chunks[k][row / 2] >> (16 * (row % 2)) & 0xffff;
    words(chunks, |n, lane| {
        let (row, k) = (lane / 4, 8 * n + lane % 4 * 2);
        element(row, k) | element(row, k + 1) << 16
    })
}

/// Returns the words that a function of their number and the lane gives, one for eight chunks.
fn words(chunks: &[[u32; 4]], word: impl Fn(usize, usize) -> u32) -> [Words; WORDS] {
    let mut words = [[0; 32]; WORDS];
    for (n, words) in words.iter_mut().enumerate().take(chunks.len() / 8) {
        *words = std::array::from_fn(|lane| word(n, lane));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(start: u32, leading: u32, stride: u32, mode: u64) -> Descriptor {
        let bits = |x: u32, shift: u32| u64::from(x >> 4) << shift;
        Descriptor::new(bits(start, 0) | bits(leading, 16) | bits(stride, 32) | mode << 62)
    }

    #[test]
    fn chunks_are_where_the_manual_has_them() {
        let plain = descriptor(256, 128, 512, 0);
        assert_eq!(plain.along(9, 1), 256 + 512 + 16 + 128);
        assert_eq!(plain.across(3, 9), 256 + 3 * 512 + 16 + 128);
        // The widest swizzle: row 3 of an atom has chunk 1 in place of chunk 2.
        let wide = descriptor(1024, 16, 2048, 1);
        assert_eq!(wide.along(11, 1), 1024 + 2048 + 3 * 128 + 2 * 16);
        let wide = descriptor(1024 + 32, 16, 2048, 1);
        assert_eq!(wide.along(3, 0), 1024 + 3 * 128 + 16);
        // Rows 2 and 3 of 64 bytes share 128 bytes, and so the exchange.
        let middle = descriptor(0, 16, 512, 2);
        assert_eq!(middle.along(3, 1), 3 * 64);
        assert_eq!(middle.along(1, 1), 64 + 16);
        let narrow = descriptor(0, 16, 256, 3);
        assert_eq!(
            [narrow.along(3, 1), narrow.along(4, 1)],
            [3 * 32 + 16, 4 * 32]
        );
        // Across `k`, an atom of the middle swizzle has 32 rows.
        let across = descriptor(0, 4096, 512, 2);
        assert_eq!(across.across(5, 10), 4096 + 512 + 2 * 64);
    }

    #[test]
    fn a_chunk_outside_is_named() {
        let memory = [7u32; 64];
        let window = Window {
            at: memory.as_ptr() as u64,
            bytes: 256,
        };
        let part = Part {
            descriptor: 8 << 16 | 16 << 32,
            across: false,
            first: 0,
            rows: 8,
            words: 2,
        };
        assert_eq!(window.read(part).map(|words| words[0][1]), Ok([7; 32]));
        let rows = 16;
        assert_eq!(window.read(Part { rows, ..part }), Err(Outside(256)));
    }
}
