//! Reading memory of the caller's that may not be accessible.

use crate::code::{INVALID_IMAGE, Res};
use cuox_simt::trap;

/// An image at an address; with a limit when the caller gave its size.
#[derive(Clone, Copy)]
pub struct Reader {
    start: u64,
    limit: Option<u64>,
}

/// More than any image has; a garbage length must not become an allocation.
const LARGEST: u64 = 4 << 30;

impl Reader {
    pub fn new(start: u64, limit: Option<u64>) -> Reader {
        Reader { start, limit }
    }

    /// A reader that begins `offset` further on.
    pub fn at(self, offset: u64) -> Res<Reader> {
        let start = self.start.checked_add(offset).ok_or(INVALID_IMAGE)?;
        let limit = match self.limit {
            Some(limit) => Some(limit.checked_sub(offset).ok_or(INVALID_IMAGE)?),
            None => None,
        };
        Ok(Reader { start, limit })
    }

    pub fn address(self) -> u64 {
        self.start
    }

    /// `len` bytes, copied.
    pub fn bytes(self, len: u64) -> Res<Vec<u8>> {
        if len > self.limit.unwrap_or(LARGEST) {
            return Err(INVALID_IMAGE);
        }
        let mut bytes = vec![0u8; len as usize];
        // SAFETY: the destination is the local buffer; an inaccessible source is caught.
        unsafe { trap::copy(bytes.as_mut_ptr() as u64, self.start, bytes.len()) }
            .map_err(|_| INVALID_IMAGE)?;
        Ok(bytes)
    }

    pub fn array<const N: usize>(self) -> Res<[u8; N]> {
        if self.limit.is_some_and(|limit| limit < N as u64) {
            return Err(INVALID_IMAGE);
        }
        let mut bytes = [0u8; N];
        // SAFETY: the destination is the local array of N bytes; an inaccessible source is caught.
        unsafe { trap::copy(bytes.as_mut_ptr() as u64, self.start, N) }
            .map_err(|_| INVALID_IMAGE)?;
        Ok(bytes)
    }

    /// Bytes up to the first NUL or the limit.
    pub fn until_nul(self) -> Res<Vec<u8>> {
        const STEP: u64 = 4096;
        let mut text = Vec::new();
        let mut at = self.start;
        let end = match self.limit {
            Some(limit) => self.start.checked_add(limit).ok_or(INVALID_IMAGE)?,
            None => self.start.saturating_add(LARGEST),
        };
        while at < end {
            // Up to the next page boundary only: the text may end right before a page that is not mapped.
            let len = (STEP - at % STEP).min(end - at);
            let part = Reader::new(at, None).bytes(len)?;
            if let Some(nul) = part.iter().position(|&b| b == 0) {
                text.extend_from_slice(&part[..nul]);
                return Ok(text);
            }
            text.extend_from_slice(&part);
            at += len;
        }
        if self.limit.is_some() {
            Ok(text)
        } else {
            Err(INVALID_IMAGE)
        }
    }
}

/// Little-endian numbers out of a byte array that is known to be long enough.
pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// See [`u16_at`].
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// See [`u16_at`].
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
