//! What code generation makes of a kernel, before it is placed, and its form in a file.
//!
//! All numbers are little-endian. What code refers to by number is in the plan ([`crate::jit::code::symbol::Numbers`]), which is made again from the
//! PTX before code is looked for.

use crate::jit::code::routine::{Link, Routine};
use crate::jit::code::symbol::{Numbers, Symbol};
use cranelift_codegen::ir::UserExternalName;

/// A part of a kernel's code.
#[derive(PartialEq, Debug)]
pub struct Object {
    /// The function that the engine enters, and those that it calls; at least one.
    pub routines: Vec<Routine>,
}

fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

/// What is left of a file; every read is checked.
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

    /// A list: its length, then its items, of which each takes some bytes.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = self.word()?;
        // A length that is wrong finds the end of the file before it asks for much memory.
        (0..n).map(|_| item(self)).collect()
    }
}

impl Object {
    /// Its bytes, if it refers to nothing that its plan has not.
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

    /// What [`Object::encode`] made bytes of, for the same plan.
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
