//! Compiled code of one part of a kernel before placement, and its file format.
//!
//! All numbers are little-endian. Operations and sites are referred to by number
//! ([`crate::jit::code::symbol::Numbers`]); the plan, which is rebuilt from the PTX before a cache lookup, maps the
//! numbers back.

use crate::jit::code::routine::{Link, Routine};
use crate::jit::code::symbol::{Numbers, Symbol};
use cranelift_codegen::ir::UserExternalName;

/// Compiled code of one part of a kernel.
#[derive(PartialEq, Debug)]
pub struct Object {
    /// The function that the engine enters, and the functions that it calls; at least one.
    pub routines: Vec<Routine>,
}

fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

/// Unread rest of a file. Every read is bounds-checked.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n)?;
        self.0 = tail;
        Some(head)
    }

    fn word(&mut self) -> Option<u32> {
        let (head, tail) = self.0.split_first_chunk()?;
        self.0 = tail;
        Some(u32::from_le_bytes(*head))
    }

    /// Reads a list: its length, then its items, each of which takes at least one byte.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = self.word()?;
        // A wrong length reaches the end of the file before it allocates much memory.
        (0..n).map(|_| item(self)).collect()
    }
}

impl Object {
    /// Encodes the object. Returns `None` if it refers to something that its plan lacks.
    pub fn encode(&self, numbers: &Numbers) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        put(&mut out, self.routines.len() as u32);
        for routine in &self.routines {
            put(&mut out, u32::try_from(routine.bytes.len()).ok()?);
            out.extend_from_slice(&routine.bytes);
            put(&mut out, routine.links.len() as u32);
            for link in &routine.links {
                link.symbol.exists(numbers.ops()).then_some(())?;
                let name = link.symbol.name();
                put(&mut out, link.offset);
                put(&mut out, name.namespace);
                put(&mut out, name.index);
            }
        }
        Some(out)
    }

    /// Decodes the bytes of [`Object::encode`] for the same plan.
    pub fn decode(bytes: &[u8], numbers: &Numbers) -> Option<Object> {
        let mut reader = Reader(bytes);
        let routines = reader.list(|reader| {
            let len = reader.word()? as usize;
            let bytes = reader.bytes(len)?.to_vec();
            let links = reader.list(|reader| {
                let offset = reader.word()?;
                let name = UserExternalName::new(reader.word()?, reader.word()?);
                let symbol = Symbol::from_name(&name)?;
                symbol.exists(numbers.ops()).then_some(())?;
                let fits = (offset as usize)
                    .checked_add(8)
                    .is_some_and(|end| end <= len);
                fits.then_some(Link { offset, symbol })
            })?;
            Some(Routine { bytes, links })
        })?;
        (reader.0.is_empty() && !routines.is_empty()).then_some(Object { routines })
    }
}
