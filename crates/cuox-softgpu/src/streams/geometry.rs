//! Shapes of copies and fills, and carrying them out.

use cuox_simt::trap::{self, Trap};

/// One side of a copy: where the first byte is, and the distances between rows and slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopySide {
    pub at: u64,
    pub pitch: u64,
    pub slice: u64,
}

impl CopySide {
    /// Bytes from the first to the one past the last, or `None` on overflow.
    pub fn span(&self, width: u64, height: u64, depth: u64) -> Option<u64> {
        if width == 0 || height == 0 || depth == 0 {
            return Some(0);
        }
        let rows = self.pitch.checked_mul(height - 1)?;
        let slices = self.slice.checked_mul(depth - 1)?;
        let span = slices.checked_add(rows)?.checked_add(width)?;
        self.at.checked_add(span)?;
        Some(span)
    }
}

/// A copy of `depth` slices of `height` rows of `width` bytes. Both sides have been checked for overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy3d {
    pub dst: CopySide,
    pub src: CopySide,
    pub width: u64,
    pub height: u64,
    pub depth: u64,
}

impl Copy3d {
    /// A plain copy of `len` bytes.
    pub fn line(dst: u64, src: u64, len: u64) -> Copy3d {
        let side = |at| CopySide {
            at,
            pitch: len,
            slice: len,
        };
        Copy3d {
            dst: side(dst),
            src: side(src),
            width: len,
            height: 1,
            depth: 1,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }

    fn packed(&self) -> bool {
        let flat = |s: &CopySide| {
            (self.height == 1 || s.pitch == self.width)
                && (self.depth == 1 || s.slice == self.width * self.height)
        };
        flat(&self.dst) && flat(&self.src)
    }

    /// Copies; an inaccessible address ends it.
    pub fn run(&self) -> Result<(), Trap> {
        if self.is_empty() {
            return Ok(());
        }
        if self.packed() {
            let len = self.width * self.height * self.depth;
            // SAFETY: the caller of the driver says that both ranges are theirs to copy; an inaccessible
            // address is caught.
            return unsafe { trap::copy(self.dst.at, self.src.at, len as usize) };
        }
        for z in 0..self.depth {
            for y in 0..self.height {
                let dst = self.dst.at + z * self.dst.slice + y * self.dst.pitch;
                let src = self.src.at + z * self.src.slice + y * self.src.pitch;
                // SAFETY: a row of ranges that the caller of the driver gave to be copied; a row that is not accessible
                // is caught.
                unsafe { trap::copy(dst, src, self.width as usize) }?;
            }
        }
        Ok(())
    }
}

/// A fill of `height` rows of `count` elements of 1, 2 or 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    pub at: u64,
    pub pitch: u64,
    pub count: u64,
    pub height: u64,
    pub size: u64,
    pub value: u32,
}

impl Fill {
    /// Bytes of a row.
    pub fn width(&self) -> u64 {
        self.count.saturating_mul(self.size)
    }

    /// Fills; an inaccessible address ends it.
    pub fn run(&self) -> Result<(), Trap> {
        let width = self.width();
        if width == 0 || self.height == 0 {
            return Ok(());
        }
        let bytes = self.value.to_le_bytes();
        let uniform = bytes[..self.size as usize].iter().all(|&b| b == bytes[0]);
        if uniform && (self.height == 1 || self.pitch == width) {
            // SAFETY: the driver checked that the range is an allocation of the caller's.
            return unsafe { trap::fill(self.at, bytes[0], (width * self.height) as usize) };
        }
        let pattern = if uniform {
            Vec::new()
        } else {
            bytes[..self.size as usize].repeat(self.pattern_elements())
        };
        for y in 0..self.height {
            let row = self.at + y * self.pitch;
            if uniform {
                // SAFETY: a row of the range that the driver checked to be an allocation of the caller's.
                unsafe { trap::fill(row, bytes[0], width as usize) }?;
                continue;
            }
            let mut done = 0;
            while done < width {
                let len = (width - done).min(pattern.len() as u64);
                // SAFETY: the destination is part of such a row; the source is the local pattern, which is `len` bytes
                // or longer.
                unsafe { trap::copy(row + done, pattern.as_ptr() as u64, len as usize) }?;
                done += len;
            }
        }
        Ok(())
    }

    fn pattern_elements(&self) -> usize {
        const LONGEST: u64 = 4096;
        self.count.min(LONGEST) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_copy_rows_and_slices() {
        let src: Vec<u8> = (0..120).collect();
        let mut dst = vec![0u8; 120];
        let b = Copy3d {
            dst: CopySide {
                at: dst.as_mut_ptr() as u64,
                pitch: 4,
                slice: 20,
            },
            src: CopySide {
                at: src.as_ptr() as u64 + 1,
                pitch: 10,
                slice: 60,
            },
            width: 3,
            height: 5,
            depth: 2,
        };
        b.run().unwrap();
        for z in 0..2 {
            for y in 0..5 {
                for x in 0..3 {
                    assert_eq!(dst[z * 20 + y * 4 + x], src[1 + z * 60 + y * 10 + x]);
                }
                assert_eq!(dst[z * 20 + y * 4 + 3], 0, "the gap stays");
            }
        }
        assert_eq!(b.src.span(3, 5, 2), Some(60 + 40 + 3));
        assert_eq!(b.src.span(u64::MAX, 5, 2), None);
        assert!(Copy3d::line(8, b.src.at, 4).run().is_err());
    }

    #[test]
    fn fills_repeat_their_pattern() {
        let mut dst = vec![0u8; 64];
        let at = dst.as_mut_ptr() as u64;
        Fill {
            at,
            pitch: 16,
            count: 3,
            height: 4,
            size: 4,
            value: 0x0403_0201,
        }
        .run()
        .unwrap();
        for row in dst.chunks(16) {
            assert_eq!(row[..12], [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]);
            assert_eq!(row[12..], [0; 4]);
        }
        let mut long = vec![0u8; 30_000];
        let at = long.as_mut_ptr() as u64;
        Fill {
            at,
            pitch: 0,
            count: 15_000,
            height: 1,
            size: 2,
            value: 0xab12,
        }
        .run()
        .unwrap();
        assert!(long.chunks(2).all(|c| c == [0x12, 0xab]));
    }
}
