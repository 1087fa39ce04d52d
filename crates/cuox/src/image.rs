//! A look at code before a driver gets it. The driver takes an address without a size and reads as far as the headers
//! there say, or to a zero byte that need not be there; and of what is no code it says no more than a number.

use crate::code::CodeFormat;
use crate::error::{Error, Result};

const ELF: [u8; 4] = *b"\x7fELF";
/// The machine of a cubin's ELF header (`EM_CUDA`).
const CUDA: u16 = 190;
/// Of a 64-bit ELF file (System V ABI, *Object Files*): bytes of its header, of a program header and of a section
/// header.
const HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
const SECTION_HEADER: usize = 64;
/// Section types whose contents are in the file: `SHT_PROGBITS`, `SHT_SYMTAB`, `SHT_STRTAB`.
const IN_FILE: std::ops::RangeInclusive<u32> = 1..=3;

/// The beginnings of a fatbin, written today and by older compilers, and that of a structure with a fatbin's address.
const FATBIN: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
const OLD_FATBIN: [u8; 4] = 0x1ee5_5a01_u32.to_le_bytes();
const WRAPPER: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();

/// True if bytes look like PTX: text with a `.version`.
pub(crate) fn is_ptx(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.contains(".version"))
}

/// Says in words what is wrong with bytes that ought to be of this format.
///
/// # Errors
/// [`Error::Invalid`].
pub(crate) fn check(format: CodeFormat, bytes: &[u8]) -> Result<()> {
    match format {
        CodeFormat::Cubin => cubin(bytes),
        CodeFormat::Fatbin => fatbin(bytes),
        CodeFormat::Ptx => ptx(bytes),
        CodeFormat::LtoIr | CodeFormat::Object | CodeFormat::Library => Ok(()),
    }
    .map_err(|what| {
        Error::invalid(format!(
            "this is not a {} that can be loaded: {what}",
            format.as_str()
        ))
    })
}

type Checked = std::result::Result<(), String>;

/// The name of the format that bytes have.
fn other(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes.first_chunk() {
        Some(&ELF) => "it is an ELF file, as cubins are",
        Some(&(FATBIN | OLD_FATBIN)) => "it is a fatbin",
        Some(&WRAPPER) => "it is the structure that holds a fatbin's address, not the fatbin",
        _ if is_ptx(bytes) => "it is PTX",
        _ => return None,
    })
}

/// The first bytes, and those that the format begins with.
fn begins(bytes: &[u8], expected: [u8; 4]) -> String {
    let hex = |bytes: &[u8]| {
        let words: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
        words.join(" ")
    };
    match other(bytes) {
        _ if bytes.is_empty() => "it has no bytes".into(),
        Some(other) => other.into(),
        None => format!(
            "its {} bytes begin with {}, not with {}",
            bytes.len(),
            hex(&bytes[..bytes.len().min(4)]),
            hex(&expected)
        ),
    }
}

/// That `bytes` hold `count` things of `size` bytes from `offset` on.
fn holds(bytes: &[u8], what: &str, offset: u64, count: u64, size: u64) -> Checked {
    let end = count.checked_mul(size).and_then(|n| n.checked_add(offset));
    match end {
        Some(end) if end <= bytes.len() as u64 => Ok(()),
        Some(end) => Err(format!(
            "it is cut off, or damaged: its {what} would end at byte {end}, and it has {} bytes",
            bytes.len()
        )),
        None => Err(format!("it is damaged: its {what} are nowhere")),
    }
}

/// `N` bytes at `offset`, which lie inside.
fn at<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let found = bytes.get(offset..).and_then(<[u8]>::first_chunk);
    found.copied().unwrap_or([0; N])
}

fn cubin(bytes: &[u8]) -> Checked {
    if !bytes.starts_with(&ELF) {
        return Err(begins(bytes, ELF));
    }
    holds(bytes, "ELF header", 0, 1, HEADER as u64)?;
    let u16_at = |offset| u16::from_le_bytes(at(bytes, offset));
    let u64_at = |offset| u64::from_le_bytes(at(bytes, offset));
    if at(bytes, 4) != [2, 1] {
        return Err("it is not a 64-bit little-endian ELF file".into());
    }
    if u16_at(18) != CUDA {
        return Err(format!(
            "it is an ELF file for machine {}, not for CUDA ({CUDA})",
            u16_at(18)
        ));
    }
    let (programs, sections) = (u64::from(u16_at(56)), u64::from(u16_at(60)));
    if programs > 0 && usize::from(u16_at(54)) != PROGRAM_HEADER
        || sections > 0 && usize::from(u16_at(58)) != SECTION_HEADER
    {
        return Err("it is damaged: its headers have sizes that no ELF file's have".into());
    }
    holds(
        bytes,
        "program headers",
        u64_at(32),
        programs,
        PROGRAM_HEADER as u64,
    )?;
    let first = u64_at(40);
    holds(
        bytes,
        "section headers",
        first,
        sections,
        SECTION_HEADER as u64,
    )?;
    for i in 0..sections as usize {
        let header = first as usize + i * SECTION_HEADER;
        if IN_FILE.contains(&u32::from_le_bytes(at(bytes, header + 4))) {
            let (offset, size) = (u64_at(header + 24), u64_at(header + 32));
            holds(bytes, "sections", offset, 1, size)?;
        }
    }
    Ok(())
}

fn fatbin(bytes: &[u8]) -> Checked {
    if !matches!(bytes.first_chunk(), Some(&(FATBIN | OLD_FATBIN))) {
        return Err(begins(bytes, FATBIN));
    }
    holds(bytes, "header", 0, 1, 16)?;
    let header = u64::from(u16::from_le_bytes(at(bytes, 6)));
    if header < 16 {
        return Err(format!("it is damaged: its header has {header} bytes"));
    }
    holds(
        bytes,
        "members",
        header,
        1,
        u64::from_le_bytes(at(bytes, 8)),
    )
}

fn ptx(bytes: &[u8]) -> Checked {
    // Errors in the text are reported by the driver's compiler.
    match bytes.first_chunk() {
        Some(&(ELF | FATBIN | OLD_FATBIN | WRAPPER)) => {
            Err(other(bytes).unwrap_or_default().into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(format: CodeFormat, bytes: &[u8]) -> String {
        check(format, bytes).unwrap_err().to_string()
    }

    /// A cubin of nothing but headers and a section of 8 bytes behind them.
    fn smallest() -> Vec<u8> {
        let mut bytes = vec![0; HEADER + SECTION_HEADER + 8];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[18..20].copy_from_slice(&CUDA.to_le_bytes());
        bytes[40..48].copy_from_slice(&(HEADER as u64).to_le_bytes());
        bytes[58..60].copy_from_slice(&(SECTION_HEADER as u16).to_le_bytes());
        bytes[60..62].copy_from_slice(&1u16.to_le_bytes());
        bytes[HEADER + 4] = 1;
        bytes[HEADER + 24..HEADER + 32].copy_from_slice(&128u64.to_le_bytes());
        bytes[HEADER + 32..HEADER + 40].copy_from_slice(&8u64.to_le_bytes());
        bytes
    }

    #[test]
    fn a_cubin_lies_within_its_bytes() {
        let good = smallest();
        check(CodeFormat::Cubin, &good).unwrap();
        for length in 4..good.len() {
            let text = why(CodeFormat::Cubin, &good[..length]);
            assert!(text.contains("cut off"), "{length}: {text}");
        }
        for (place, value, words) in [
            (4, 1, "64-bit"),
            (18, 62, "machine 62"),
            (47, 0xff, "section headers"),
            (58, 63, "sizes"),
            (HEADER + 39, 0xff, "sections"),
        ] {
            let mut bad = good.clone();
            bad[place] = value;
            let text = why(CodeFormat::Cubin, &bad);
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn what_something_else_is() {
        let ptx = b".version 8.0\n.target sm_90\n";
        assert_eq!(
            why(CodeFormat::Cubin, b"garbage"),
            "this is not a cubin that can be loaded: its 7 bytes begin with 67 61 72 62, not with 7f 45 4c 46"
        );
        assert!(why(CodeFormat::Cubin, b"").contains("no bytes"));
        assert!(why(CodeFormat::Cubin, b"ab").contains("its 2 bytes begin with 61 62"));
        assert!(why(CodeFormat::Cubin, ptx).contains("it is PTX"));
        assert!(why(CodeFormat::Fatbin, ptx).contains("it is PTX"));
        assert!(why(CodeFormat::Fatbin, &smallest()).contains("ELF"));
        assert!(why(CodeFormat::Ptx, &smallest()).contains("ELF"));
        assert!(why(CodeFormat::Fatbin, &[WRAPPER, [0; 4]].concat()).contains("address"));
        check(CodeFormat::Ptx, b"anything else").unwrap();
    }

    #[test]
    fn a_fatbin_has_its_members() {
        let mut bytes = [&FATBIN[..], &[1, 0, 16, 0], &8u64.to_le_bytes(), &[0; 8]].concat();
        check(CodeFormat::Fatbin, &bytes).unwrap();
        for length in 4..bytes.len() {
            let text = why(CodeFormat::Fatbin, &bytes[..length]);
            assert!(text.contains("cut off"), "{length}: {text}");
        }
        bytes[8..16].fill(0xff);
        assert!(why(CodeFormat::Fatbin, &bytes).contains("members"));
        bytes[6] = 15;
        assert!(why(CodeFormat::Fatbin, &bytes).contains("header has 15 bytes"));
    }
}
