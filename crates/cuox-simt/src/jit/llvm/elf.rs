//! Functions out of the relocatable objects that LLVM makes (System V ABI, *Object Files*; x86-64 psABI, *Relocation*).
//!
//! The only relocations are between an object's own sections: a function takes the addresses of everything else from a
//! table, `links`.

use crate::jit::code::routine::{Link, Routine};
use crate::jit::code::symbol::Symbol;

const HEADER: usize = 64;
const SYMTAB: u32 = 2;
const RELA: u32 = 4;
const NOBITS: u32 = 8;
const ALLOCATED: u64 = 2;
/// `R_X86_64_PC32` and `R_X86_64_PLT32`.
const RELATIVE: [u32; 2] = [2, 4];

/// An object's bytes. Every read is checked.
struct Elf<'a>(&'a [u8]);

impl Elf<'_> {
    fn number<const N: usize>(&self, at: usize) -> Option<u64> {
        let bytes = self.0.get(at..at.checked_add(N)?)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |all, &b| all << 8 | u64::from(b)),
        )
    }

    fn word(&self, at: usize) -> Option<u32> {
        Some(self.number::<4>(at)? as u32)
    }

    fn long(&self, at: usize) -> Option<usize> {
        usize::try_from(self.number::<8>(at)?).ok()
    }

    fn half(&self, at: usize) -> Option<usize> {
        Some(self.number::<2>(at)? as usize)
    }
}

struct Section {
    kind: u32,
    flags: u64,
    offset: usize,
    size: usize,
    link: usize,
    info: usize,
    align: usize,
}

/// Returns the function `f` of an object, with its table of addresses filled from `symbols`.
pub fn routine(object: &[u8], symbols: &[Symbol]) -> Result<Routine, String> {
    read(object, symbols).ok_or_else(|| {
        "the object that LLVM has made is none, or refers to something outside".to_owned()
    })
}

fn read(object: &[u8], symbols: &[Symbol]) -> Option<Routine> {
    let elf = Elf(object);
    if object.get(..4)? != b"\x7fELF" || object.len() < HEADER {
        return None;
    }
    let (table, size, count) = (elf.long(40)?, elf.half(58)?, elf.half(60)?);
    let sections: Vec<Section> = (0..count)
        .map(|n| {
            let at = table.checked_add(n.checked_mul(size)?)?;
            Some(Section {
                kind: elf.word(at + 4)?,
                flags: elf.number::<8>(at + 8)?,
                offset: elf.long(at + 24)?,
                size: elf.long(at + 32)?,
                link: elf.word(at + 40)? as usize,
                info: elf.word(at + 44)? as usize,
                align: elf.long(at + 48)?,
            })
        })
        .collect::<Option<_>>()?;
    let symtab = sections.iter().find(|s| s.kind == SYMTAB)?;
    let strings = sections.get(symtab.link)?.offset;
    let symbol = |n: usize| {
        let at = symtab.offset.checked_add(n.checked_mul(24)?)?;
        Some((elf.word(at)? as usize, elf.half(at + 6)?, elf.long(at + 8)?))
    };
    let named = |wanted: &[u8]| {
        (0..symtab.size / 24).find_map(|n| {
            let (name, section, value) = symbol(n)?;
            let start = strings.checked_add(name)?;
            let text = object.get(start..start.checked_add(wanted.len() + 1)?)?;
            (text.strip_suffix(b"\0") == Some(wanted)).then_some((section, value))
        })
    };
    let (code, entry) = named(b"f")?;
    // The function first: it is entered at the routine's start.
    if entry != 0 {
        return None;
    }
    let mut starts: Vec<Option<usize>> = vec![None; sections.len()];
    let mut bytes: Vec<u8> = Vec::new();
    let order = std::iter::once(code).chain((0..sections.len()).filter(|&n| n != code));
    for n in order {
        let section = sections.get(n)?;
        // The table may be empty, and is where a symbol says all the same.
        if section.flags & ALLOCATED == 0 {
            continue;
        }
        let align = section.align.clamp(1, 64);
        bytes.resize(bytes.len().next_multiple_of(align), 0xcc);
        starts[n] = Some(bytes.len());
        match section.kind {
            NOBITS => bytes.resize(bytes.len().checked_add(section.size)?, 0),
            _ => {
                let end = section.offset.checked_add(section.size)?;
                bytes.extend_from_slice(object.get(section.offset..end)?);
            }
        }
    }
    for section in sections.iter().filter(|s| s.kind == RELA) {
        let Some(start) = *starts.get(section.info)? else {
            continue;
        };
        for n in 0..section.size / 24 {
            let at = section.offset.checked_add(n * 24)?;
            let (offset, kind, number) = (elf.long(at)?, elf.word(at + 8)?, elf.word(at + 12)?);
            let addend = elf.number::<8>(at + 16)? as i64;
            if !RELATIVE.contains(&kind) {
                return None;
            }
            let (_, section, value) = symbol(number as usize)?;
            let target = starts.get(section).copied().flatten()?.checked_add(value)?;
            let place = start.checked_add(offset)?;
            let distance = (target as i64).checked_add(addend)? - place as i64;
            let field = bytes.get_mut(place..place.checked_add(4)?)?;
            field.copy_from_slice(&i32::try_from(distance).ok()?.to_le_bytes());
        }
    }
    let mut links = Vec::new();
    if !symbols.is_empty() {
        let (section, value) = named(b"links")?;
        let table = starts.get(section).copied().flatten()?.checked_add(value)?;
        for (n, &symbol) in symbols.iter().enumerate() {
            let offset = table.checked_add(8 * n)?;
            bytes.get(offset..offset.checked_add(8)?)?;
            links.push(Link {
                offset: u32::try_from(offset).ok()?,
                symbol,
            });
        }
    }
    Some(Routine { bytes, links })
}
