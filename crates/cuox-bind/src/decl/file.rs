//! The file that a header, or something made of one, is kept in.
//!
//! ```text
//! 0   8   "cuoxbind"
//! 8   4   kind of contents: [`FileContents::KIND`]
//! 12  4   [`FileContents::VERSION`]
//! 16  8   length of the content
//! 24  8   FNV-1a of all other bytes
//! 32      the content: postcard, compressed as one LZ4 block
//! ```
//! Numbers are little-endian. A file may come from anywhere: of any bytes, [`read`] gives a value that
//! [`FileContents::check`] has seen, or an error.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::Header;

const MAGIC: &[u8; 8] = b"cuoxbind";
const CONTENT: usize = 32;
/// Larger contents are nobody's.
const MOST_BYTES: u64 = 256 << 20;
/// A byte of an LZ4 block makes at most so many (a length is counted in bytes of up to 255).
const MOST_RATIO: u64 = 255;

/// Types that can be kept in a file.
pub trait FileContents: Serialize + DeserializeOwned {
    /// Tells this from other kinds.
    const KIND: [u8; 4];
    /// Counts changes of its types: a file of another version is not read.
    const VERSION: u32;

    /// Checks that a decoder cannot make: the parts fit together.
    fn check(&self) -> Result<(), String>;
}

impl FileContents for Header {
    const KIND: [u8; 4] = *b"head";
    const VERSION: u32 = 7;

    fn check(&self) -> Result<(), String> {
        Header::check(self)
    }
}

/// The reason why a file cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FileError {
    #[error("not a file that cuox-bind has written")]
    NotOurs,
    #[error("expected a file of `{expected}`, this one holds `{found}`")]
    Kind { found: String, expected: String },
    #[error("it is of format {found}, and this cuox-bind reads format {expected}: make it again")]
    Version { found: u32, expected: u32 },
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// 64-bit FNV-1a: unlike the standard library's hash it is the same in every build, and no change of a single byte goes
/// unseen.
fn checksum(parts: [&[u8]; 2]) -> u64 {
    let bytes = parts.into_iter().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A file's bytes.
///
/// # Errors
/// If the value cannot be encoded, or is too large to be read again.
pub fn write<T: FileContents>(value: &T) -> Result<Vec<u8>, FileError> {
    let damaged = |error: String| FileError::Damaged(error);
    let content = postcard::to_allocvec(value).map_err(|e| damaged(e.to_string()))?;
    let length = content.len() as u64;
    if length > MOST_BYTES {
        return Err(damaged(format!("{length} bytes are too many")));
    }
    let mut file = Vec::with_capacity(CONTENT + content.len() / 3);
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&T::KIND);
    file.extend_from_slice(&T::VERSION.to_le_bytes());
    file.extend_from_slice(&length.to_le_bytes());
    let compressed = lz4_flex::block::compress(&content);
    let sum = checksum([&file, &compressed]);
    file.extend_from_slice(&sum.to_le_bytes());
    file.extend_from_slice(&compressed);
    Ok(file)
}

/// The value that a file's bytes hold.
///
/// # Errors
/// For any bytes that [`write()`] has not made of such a value.
pub fn read<T: FileContents>(file: &[u8]) -> Result<T, FileError> {
    let damaged = |text: &str| FileError::Damaged(text.to_owned());
    let (head, compressed) = file.split_at_checked(CONTENT).ok_or(FileError::NotOurs)?;
    let (magic, head) = head.split_first_chunk().ok_or(FileError::NotOurs)?;
    if magic != MAGIC {
        return Err(FileError::NotOurs);
    }
    let short = || damaged("it is cut off");
    let (kind, rest) = head.split_first_chunk::<4>().ok_or_else(short)?;
    let (version, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let (sum, _) = rest.split_first_chunk().ok_or_else(short)?;
    if *kind != T::KIND {
        let text = |kind: &[u8]| kind.escape_ascii().to_string();
        return Err(FileError::Kind {
            found: text(kind),
            expected: text(&T::KIND),
        });
    }
    let (found, expected) = (u32::from_le_bytes(*version), T::VERSION);
    if found != expected {
        return Err(FileError::Version { found, expected });
    }
    if checksum([&file[..CONTENT - 8], compressed]) != u64::from_le_bytes(*sum) {
        return Err(damaged("its checksum is another"));
    }
    let length = u64::from_le_bytes(*length);
    // Before anything of that length is allocated.
    if length > MOST_BYTES.min(compressed.len() as u64 * MOST_RATIO) {
        return Err(damaged("it claims to be longer than it can be"));
    }
    let content = lz4_flex::block::decompress(compressed, length as usize)
        .map_err(|error| FileError::Damaged(error.to_string()))?;
    if content.len() as u64 != length {
        return Err(damaged("its content has another length"));
    }
    let (value, rest) = postcard::take_from_bytes::<T>(&content)
        .map_err(|error| FileError::Damaged(error.to_string()))?;
    if !rest.is_empty() {
        return Err(damaged("something follows its content"));
    }
    value.check().map_err(FileError::Damaged)?;
    Ok(value)
}

/// Bounds the depth of types while they are read, as the decoder itself recurses.
pub(crate) mod nested {
    use std::cell::Cell;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer};

    /// No header has a type as deep, and any stack has room for it.
    pub const MOST: u32 = 128;

    thread_local! {
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }

    struct Level;

    impl Drop for Level {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        DEPTH.set(DEPTH.get() + 1);
        let _level = Level;
        if DEPTH.get() > MOST {
            return Err(D::Error::custom("types are nested too deep"));
        }
        T::deserialize(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decl::Type;

    /// Seals any content as a header's.
    fn sealed(content: &[u8]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend_from_slice(&Header::KIND);
        file.extend_from_slice(&Header::VERSION.to_le_bytes());
        file.extend_from_slice(&(content.len() as u64).to_le_bytes());
        let compressed = lz4_flex::block::compress(content);
        let sum = checksum([&file, &compressed]);
        file.extend_from_slice(&sum.to_le_bytes());
        file.extend_from_slice(&compressed);
        file
    }

    #[test]
    fn kinds_and_versions_are_told_apart() {
        let file = write(&Header::default()).unwrap();
        assert_eq!(read::<Header>(&file).unwrap(), Header::default());
        assert_eq!(read::<Header>(b""), Err(FileError::NotOurs));
        assert_eq!(read::<Header>(&[b'x'; 64]), Err(FileError::NotOurs));
        let mut other = file.clone();
        other[8] = b'x';
        let message = read::<Header>(&other).unwrap_err().to_string();
        assert_eq!(message, "expected a file of `head`, this one holds `xead`");
        let mut newer = file;
        newer[12] = 99;
        let message = read::<Header>(&newer).unwrap_err().to_string();
        assert!(message.contains("format 99"), "{message}");
    }

    #[test]
    fn types_that_never_end_are_refused() {
        // `Header` with one typedef whose type is pointers all the way.
        let mut content = vec![0, 0, 0, 0, 0, 1, 0];
        content.extend_from_slice(&vec![6; 1 << 20]);
        let error = read::<Header>(&sealed(&content)).unwrap_err();
        assert!(matches!(error, FileError::Damaged(_)), "{error}");
        // The greatest depth that is allowed is fine.
        let deep = (0..nested::MOST).fold(Type::Void, |to, _| Type::Pointer {
            to: to.into(),
            constant: false,
        });
        let bytes = postcard::to_allocvec(&deep).unwrap();
        assert_eq!(postcard::from_bytes::<Type>(&bytes).unwrap(), deep);
    }

    #[test]
    fn a_long_content_is_not_believed() {
        let mut file = sealed(&[]);
        file[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
        let sum = checksum([&file[..24], &file[32..]]);
        file[24..32].copy_from_slice(&sum.to_le_bytes());
        let message = read::<Header>(&file).unwrap_err().to_string();
        assert!(message.contains("longer than it can be"), "{message}");
    }

    /// Of a header that has everything: the files are of `tests/headers/*`, see `tests/headers.rs`.
    const REAL: &[u8] = include_bytes!("../../tests/real.header");

    #[test]
    fn a_file_of_this_version_is_read() {
        let header: Header =
            read(REAL).expect("a change of `decl` needs another `VERSION` and CUOX_BLESS=1");
        assert_eq!(write(&header).unwrap(), REAL);
        assert!(
            header.functions.len() > 20 && header.records.len() > 10 && header.constants.len() > 20
        );
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        for length in 0..REAL.len() {
            assert!(read::<Header>(&REAL[..length]).is_err(), "{length} bytes");
        }
        let mut file = REAL.to_vec();
        let mut random = Random(1);
        for _ in 0..100_000 {
            let at = random.below(file.len());
            let before = file[at];
            file[at] ^= 1 << random.below(8);
            assert!(read::<Header>(&file).is_err(), "byte {at}");
            file[at] = before;
        }
    }

    /// Somebody who writes a file on purpose gets the checksum right.
    #[test]
    fn a_file_made_up_is_an_error_or_consistent() {
        let header: Header = read(REAL).unwrap();
        let content = postcard::to_allocvec(&header).unwrap();
        let mut random = Random(2);
        let mut accepted = 0;
        for round in 0..20_000 {
            let mut content = content.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(content.len());
                match round % 3 {
                    0 => content[at] ^= 1 << random.below(8),
                    1 => content[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                    _ => {
                        content.remove(at);
                    }
                }
            }
            if let Ok(header) = read::<Header>(&sealed(&content)) {
                accepted += 1;
                // Whoever reads it goes through all of it.
                assert!(!header.to_string().is_empty());
                let types = header.records.iter().flat_map(|r| &r.fields).map(|f| &f.ty);
                let bytes: u64 = types
                    .filter_map(|ty| header.size_of(ty))
                    .fold(0, u64::wrapping_add);
                assert!(bytes > 0);
            }
        }
        assert!(accepted > 0);
    }

    /// SplitMix64.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ z >> 31) % bound as u64) as usize
        }
    }
}
