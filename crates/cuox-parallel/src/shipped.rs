//! Code of kernels that hold nothing of the caller's, compiled beforehand: a first call takes it from here.
//!
//! It is found by the source's text. A source that was changed since is not found, and is compiled as any other;
//! `cargo run -p cuox-parallel --example ship` makes the archive again.

use std::collections::HashMap;
use std::sync::LazyLock;

use cuox::{CodeFormat, Device, Error, ObjectCode, Program, ProgramOptions, Result};

use crate::code::Source;

static ARCHIVE: &[u8] = include_bytes!("../shipped/archive.lz4");

/// The kernel and the devices that code is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// PTX for the software GPU.
    Soft,
    /// Machine code for devices of compute capability 9.0: their driver takes longer than NVRTC to compile PTX.
    Sm90,
}

impl Target {
    /// All there are.
    pub const ALL: [Target; 2] = [Target::Soft, Target::Sm90];

    fn of(device: Device) -> Option<Self> {
        if device.is_soft() {
            Some(Self::Soft)
        } else {
            (device.arch() == "90").then_some(Self::Sm90)
        }
    }

    fn tag(self) -> u8 {
        match self {
            Self::Soft => 0,
            Self::Sm90 => 1,
        }
    }

    fn compile(self, source: &Source) -> Result<ObjectCode> {
        let (arch, format) = match self {
            // The oldest one of CUDA 13.
            Self::Soft => ("compute_75", CodeFormat::Ptx),
            Self::Sm90 => ("sm_90", CodeFormat::Cubin),
        };
        let mut options = ProgramOptions::from_args(&source.options)?;
        options.arch = Some(arch.into());
        let program =
            Program::new(&source.text, format!("{}.cu", source.kernel)).with_options(options);
        Ok(program.compile(format, None, &[])?.code)
    }

    fn code(self, bytes: Vec<u8>) -> ObjectCode {
        match self {
            Self::Soft => ObjectCode::from_ptx(bytes),
            Self::Sm90 => ObjectCode::from_cubin(bytes),
        }
    }
}

type Entries = HashMap<(u8, u64), Vec<u8>>;

static ENTRIES: LazyLock<Entries> = LazyLock::new(|| unpack(ARCHIVE).unwrap_or_default());

/// The shipped code of a source for a device.
pub(crate) fn code(source: &Source, device: Device) -> Option<ObjectCode> {
    find(source, Target::of(device)?)
}

/// The shipped code of a source for a target.
pub fn find(source: &Source, target: Target) -> Option<ObjectCode> {
    // Most sources are the caller's: nothing is unpacked for them.
    if !source.kernel.starts_with("radix_") {
        return None;
    }
    let bytes = ENTRIES.get(&(target.tag(), fingerprint(source)))?;
    Some(target.code(bytes.clone()))
}

/// FNV-1a of the text and the options: the same with each compiler of Rust.
fn fingerprint(source: &Source) -> u64 {
    let texts = std::iter::once(&source.text).chain(&source.options);
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Compiles the sources to ship for each target, and packs their code.
///
/// # Errors
/// As [`Program::compile`].
pub fn archive(sources: impl Fn(Target) -> Result<Vec<Source>>) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    for target in Target::ALL {
        for source in sources(target)? {
            let code = target.compile(&source)?;
            let length = u32::try_from(code.bytes().len())
                .map_err(|_| Error::invalid("a kernel's code has more than 4 GiB"))?;
            all.push(target.tag());
            all.extend(fingerprint(&source).to_le_bytes());
            all.extend(length.to_le_bytes());
            all.extend(code.bytes());
        }
    }
    Ok(lz4_flex::compress_prepend_size(&all))
}

fn unpack(archive: &[u8]) -> Option<Entries> {
    let all = lz4_flex::decompress_size_prepended(archive).ok()?;
    let mut rest = all.as_slice();
    let mut entries = Entries::new();
    while let Some((&tag, behind)) = rest.split_first() {
        let (hash, behind) = behind.split_first_chunk::<8>()?;
        let (length, behind) = behind.split_first_chunk::<4>()?;
        let (code, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        entries.insert((tag, u64::from_le_bytes(*hash)), code.to_vec());
        rest = behind;
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_archives_are_empty() {
        assert!(unpack(&[]).is_none());
        assert!(unpack(&ARCHIVE[..ARCHIVE.len() / 2]).is_none());
        let cut = lz4_flex::compress_prepend_size(&[0, 1, 2, 3]);
        assert!(unpack(&cut).is_none());
    }
}
