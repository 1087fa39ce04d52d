//! Fat binaries: reading their PTX members, choosing among them, and writing one.

use crate::code::{INVALID_IMAGE, NO_BINARY_FOR_GPU, Res};
use crate::fault::explain;
use crate::loading::module_image::reader::{Reader, u16_at, u32_at, u64_at};
use std::io::Read as _;

pub const WRAPPER_MAGIC: u32 = 0x4662_43b1;
pub const MAGIC: u32 = 0xba55_ed50;
/// An older compiler's header, laid out alike.
pub const OLD_MAGIC: u32 = 0x1ee5_5a01;
const HEADER_BYTES: usize = 16;
const FILE_BYTES: usize = 64;
/// Where a file's header says at which offset the block of options is: offset and length of a text, then the text.
const OPTIONS_AT: usize = 0x14;
const OPTIONS_BYTES: usize = 8;
/// The option of the compiler's for the most registers of a thread.
const MAX_REGISTERS: &str = "-maxrregcount=";
const KIND_PTX: u16 = 1;
const FLAG_64BIT: u64 = 0x1;
const FLAG_LINUX: u64 = 0x10;
const FLAG_LZ4: u64 = 0x2000;
const FLAG_ZSTD: u64 = 0x8000;
const FLAG_LTO: u64 = 0x1_0000;
const FLAG_ARCH_SPECIFIC: u64 = 0x10_0000;
const FLAG_FAMILY_SPECIFIC: u64 = 0x20_0000;
/// A decompressed text beyond this is not believed.
const LARGEST_TEXT: u64 = 1 << 30;

/// One PTX member, not read yet.
#[derive(Clone, Copy)]
struct Member {
    payload: Reader,
    stored: u64,
    compressed: u64,
    plain: u64,
    arch: u32,
    flags: u64,
    max_registers: Option<u32>,
}

/// A PTX text, and the most registers of a thread that its compiler was told, if it was told any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The text without its final NUL.
    pub bytes: Vec<u8>,
    /// The value of `-maxrregcount`.
    pub max_registers: Option<u32>,
}

/// The best PTX of the fat binary at `at`; several texts when several members are of that kind.
pub fn best_ptx(at: Reader, sm: u32) -> Res<Vec<Text>> {
    let members = members(at)?;
    let best = members
        .iter()
        .filter_map(|m| Some((rank(m, sm)?, m)))
        .max_by_key(|(rank, _)| *rank);
    let Some((_, best)) = best else {
        if let Some(oldest) = members
            .iter()
            .map(|m| m.arch)
            .filter(|arch| *arch > sm)
            .min()
        {
            explain(format!(
                "the oldest PTX is for sm_{oldest}; the device is an sm_{sm}: compile for sm_{sm} or older"
            ));
        }
        return Err(NO_BINARY_FOR_GPU);
    };
    let specific = |m: &Member| m.flags & (FLAG_ARCH_SPECIFIC | FLAG_FAMILY_SPECIFIC);
    members
        .iter()
        .filter(|m| m.arch == best.arch && specific(m) == specific(best))
        .map(|m| {
            let max_registers = m.max_registers;
            text(m).map(|bytes| Text {
                bytes,
                max_registers,
            })
        })
        .collect()
}

/// The best PTX of a fat binary that lies in `bytes`, whole.
pub fn best_ptx_of_bytes(bytes: &[u8], sm: u32) -> Res<Vec<Text>> {
    let (start, len) = (bytes.as_ptr() as u64, bytes.len() as u64);
    best_ptx(Reader::new(start, Some(len)), sm)
}

/// Larger is better; `None` is unusable, as code for a newer device is on a GPU.
fn rank(member: &Member, sm: u32) -> Option<u32> {
    let specific = member.flags & FLAG_ARCH_SPECIFIC != 0 && member.arch != sm;
    let family = member.flags & FLAG_FAMILY_SPECIFIC != 0 && member.arch / 10 != sm / 10;
    (member.arch <= sm && !specific && !family).then_some(member.arch)
}

fn members(at: Reader) -> Res<Vec<Member>> {
    let header: [u8; HEADER_BYTES] = at.array()?;
    if !matches!(u32_at(&header, 0), MAGIC | OLD_MAGIC) {
        return Err(INVALID_IMAGE);
    }
    let start = u64::from(u16_at(&header, 6));
    let end = start.checked_add(u64_at(&header, 8)).ok_or(INVALID_IMAGE)?;
    let mut found = Vec::new();
    let mut offset = start;
    while offset < end {
        let file = at.at(offset)?;
        let head: [u8; FILE_BYTES] = file.array()?;
        let head_bytes = u64::from(u32_at(&head, 4));
        let stored = u64_at(&head, 8);
        let next = offset
            .checked_add(head_bytes)
            .and_then(|o| o.checked_add(stored));
        let next = next
            .filter(|&n| n <= end && head_bytes >= FILE_BYTES as u64)
            .ok_or(INVALID_IMAGE)?;
        at.at(next)?;
        let flags = u64_at(&head, 0x28);
        if u16_at(&head, 0) == KIND_PTX && flags & FLAG_LTO == 0 {
            found.push(Member {
                payload: file.at(head_bytes)?,
                stored,
                compressed: u64::from(u32_at(&head, 0x10)),
                plain: u64_at(&head, 0x38),
                arch: u32_at(&head, 0x1c),
                flags,
                max_registers: max_registers(file, u32_at(&head, OPTIONS_AT), head_bytes),
            });
        }
        offset = next;
    }
    Ok(found)
}

/// The most registers that a file's options name. Options that cannot be read are none: nothing but speed depends on
/// them.
fn max_registers(file: Reader, at: u32, head_bytes: u64) -> Option<u32> {
    let at = u64::from(at);
    if at < FILE_BYTES as u64 || at + OPTIONS_BYTES as u64 > head_bytes {
        return None;
    }
    let place: [u8; OPTIONS_BYTES] = file.at(at).ok()?.array().ok()?;
    let (start, len) = (u64::from(u32_at(&place, 0)), u64::from(u32_at(&place, 4)));
    if start + len > head_bytes {
        return None;
    }
    let options = file.at(start).ok()?.bytes(len).ok()?;
    let options = String::from_utf8_lossy(&options);
    let mut words = options.split([' ', '\0']).filter(|w| !w.is_empty());
    let value = words.find_map(|w| w.trim_start_matches('-').strip_prefix(&MAX_REGISTERS[1..]))?;
    value.parse().ok().filter(|&n| n > 0)
}

fn text(member: &Member) -> Res<Vec<u8>> {
    if member.compressed == 0 {
        return Ok(up_to_nul(member.payload.bytes(member.stored)?));
    }
    if member.compressed > member.stored || member.plain > LARGEST_TEXT {
        return Err(INVALID_IMAGE);
    }
    let packed = member.payload.bytes(member.compressed)?;
    let plain = if member.flags & FLAG_LZ4 != 0 {
        lz4_flex::block::decompress(&packed, member.plain as usize).map_err(|_| INVALID_IMAGE)?
    } else if member.flags & FLAG_ZSTD != 0 {
        let frames = ruzstd::decoding::StreamingDecoder::new(packed.as_slice())
            .map_err(|_| INVALID_IMAGE)?;
        let mut plain = Vec::with_capacity(member.plain as usize);
        frames
            .take(LARGEST_TEXT)
            .read_to_end(&mut plain)
            .map_err(|_| INVALID_IMAGE)?;
        plain
    } else {
        return Err(INVALID_IMAGE);
    };
    Ok(up_to_nul(plain))
}

fn up_to_nul(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(nul) = bytes.iter().position(|&b| b == 0) {
        bytes.truncate(nul);
    }
    bytes
}

/// A fat binary of uncompressed PTX members, all marked as being for `arch`, so that all are taken.
pub fn write(texts: &[Text], arch: u32, version: (u32, u32)) -> Vec<u8> {
    let mut files = Vec::new();
    for Text {
        bytes: text,
        max_registers,
    } in texts
    {
        let options = max_registers.map(|n| format!(" {MAX_REGISTERS}{n} ").into_bytes());
        let block = options.map_or(Vec::new(), |options| {
            let start = (FILE_BYTES + OPTIONS_BYTES) as u32;
            let mut block = [start.to_le_bytes(), (options.len() as u32).to_le_bytes()].concat();
            block.extend_from_slice(&options);
            block.resize(block.len().next_multiple_of(8), 0);
            block
        });
        let payload = (text.len() + 1).next_multiple_of(8);
        let mut head = [0u8; FILE_BYTES];
        head[0..2].copy_from_slice(&KIND_PTX.to_le_bytes());
        head[2..4].copy_from_slice(&0x0101u16.to_le_bytes());
        let head_bytes = FILE_BYTES + block.len();
        head[4..8].copy_from_slice(&(head_bytes as u32).to_le_bytes());
        if !block.is_empty() {
            head[OPTIONS_AT..][..4].copy_from_slice(&(FILE_BYTES as u32).to_le_bytes());
        }
        head[8..16].copy_from_slice(&(payload as u64).to_le_bytes());
        head[0x18..0x1a].copy_from_slice(&(version.1 as u16).to_le_bytes());
        head[0x1a..0x1c].copy_from_slice(&(version.0 as u16).to_le_bytes());
        head[0x1c..0x20].copy_from_slice(&arch.to_le_bytes());
        head[0x28..0x30].copy_from_slice(&(FLAG_64BIT | FLAG_LINUX).to_le_bytes());
        files.extend_from_slice(&head);
        files.extend_from_slice(&block);
        files.extend_from_slice(text);
        files.resize(files.len() + payload - text.len(), 0);
    }
    let mut out = Vec::with_capacity(HEADER_BYTES + files.len());
    out.extend_from_slice(&MAGIC.to_le_bytes());
    out.extend_from_slice(&1u16.to_le_bytes());
    out.extend_from_slice(&(HEADER_BYTES as u16).to_le_bytes());
    out.extend_from_slice(&(files.len() as u64).to_le_bytes());
    out.extend_from_slice(&files);
    out
}

#[cfg(test)]
mod tests {
    use super::best_ptx_of_bytes as read;
    use crate::loading::module_image::fatbin::*;

    fn plain(text: &str) -> Text {
        Text {
            bytes: text.as_bytes().to_vec(),
            max_registers: None,
        }
    }

    /// A fat binary of (architecture, extra flags, text) members, packed by the flags.
    fn build(members: &[(u32, u64, &str)]) -> Vec<u8> {
        let mut body = Vec::new();
        for &(arch, flags, text) in members {
            let mut one = write(&[plain(text)], arch, (9, 0)).split_off(HEADER_BYTES);
            one[0x28..0x30].copy_from_slice(&(flags | FLAG_64BIT).to_le_bytes());
            if flags & FLAG_LZ4 != 0 {
                let packed = lz4_flex::block::compress(&[text.as_bytes(), b"\0"].concat());
                let stored = packed.len().next_multiple_of(8);
                one[8..16].copy_from_slice(&(stored as u64).to_le_bytes());
                one[0x10..0x14].copy_from_slice(&(packed.len() as u32).to_le_bytes());
                one[0x38..0x40].copy_from_slice(&(text.len() as u64 + 1).to_le_bytes());
                one.truncate(FILE_BYTES);
                one.extend_from_slice(&packed);
                one.resize(FILE_BYTES + stored, 0);
            }
            body.extend_from_slice(&one);
        }
        let mut out = write(&[], 0, (0, 0));
        out[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
        out.extend_from_slice(&body);
        out
    }

    #[test]
    fn the_right_member_is_taken() {
        let all = build(&[
            (75, 0, "t75"),
            (90, FLAG_LZ4, "t90 t90 t90 t90 t90 t90 t90"),
            (90, FLAG_ARCH_SPECIFIC, "t90a"),
            (100, FLAG_FAMILY_SPECIFIC, "t100f"),
            (120, 0, "t120"),
            (90, FLAG_LTO, "not text"),
        ]);
        let one = |sm| String::from_utf8(read(&all, sm).unwrap().remove(0).bytes).unwrap();
        assert!(one(89).starts_with("t75"));
        assert!(one(90).starts_with("t90"));
        assert_eq!(one(103), "t100f");
        assert_eq!(one(121), "t120");
        assert_eq!(read(&all, 50), Err(NO_BINARY_FOR_GPU));
        assert_eq!(read(&build(&[]), 90), Err(NO_BINARY_FOR_GPU));
        assert_eq!(
            read(&build(&[(90, FLAG_ARCH_SPECIFIC, "x")]), 80),
            Err(NO_BINARY_FOR_GPU)
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut texts = vec![plain("first"), plain("second module"), plain("third")];
        texts[1].max_registers = Some(40);
        assert_eq!(read(&write(&texts, 90, (9, 0)), 90).unwrap(), texts);
    }

    #[test]
    fn damage_is_an_error() {
        let good = build(&[
            (90, FLAG_LZ4, "some text, some text, some text"),
            (75, 0, "other"),
        ]);
        for cut in 0..good.len() {
            assert!(read(&good[..cut], 90).is_err());
        }
        let mut limited = plain("text with options");
        limited.max_registers = Some(64);
        let limited = write(&[limited], 90, (9, 0));
        for at in 0..limited.len() {
            for bit in 0..8 {
                let mut bad = limited.clone();
                bad[at] ^= 1 << bit;
                let _ = read(&bad, 90);
            }
        }
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = read(&bad, 90);
            }
        }
        assert_eq!(best_ptx(Reader::new(8, None), 90), Err(INVALID_IMAGE));
    }
}
