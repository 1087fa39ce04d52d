//! What code generation makes of a kernel, before it is placed, and its form in a file.
//!
//! All numbers are little-endian. Operations and sites are written as the number of an instruction in the plan that has them: the plan is
//! made again from the PTX before code is looked for.

use super::code::{Link, Routine};
use super::compile::Site;
use super::symbol::Symbol;
use crate::ir::{Function, Inst, Op};
use cranelift_codegen::ir::UserExternalName;

/// A kernel's code.
#[derive(PartialEq, Debug)]
pub struct Object {
    /// Team mode, thread mode, and wide functions.
    pub routines: Vec<Routine>,
    /// Operations that symbols number.
    pub ops: Vec<Op>,
    /// Sites that code numbers.
    pub sites: Vec<Site>,
}

fn insts(func: &Function) -> impl Iterator<Item = &Inst> {
    func.blocks.iter().flat_map(|b| &b.insts)
}

fn op_of(inst: &Inst) -> Option<Op> {
    match *inst {
        Inst::Op { op, .. } => Some(op),
        _ => None,
    }
}

fn site_of(inst: &Inst) -> Option<Site> {
    match *inst {
        Inst::Syscall { call, .. } => Some(Site::Syscall(call)),
        Inst::Image { op, .. } => Some(Site::Image(op)),
        Inst::Atomic {
            op, num, packed, ..
        } => Some(Site::Atomic(op, num, packed)),
        _ => None,
    }
}

/// Writes, for each item, which instruction has it; `None` if one of them is nobody's.
fn put_items<T: PartialEq>(
    out: &mut Vec<u8>,
    items: &[T],
    func: &Function,
    of: impl Fn(&Inst) -> Option<T>,
) -> Option<()> {
    put(out, items.len() as u32);
    for item in items {
        let number = insts(func).position(|inst| of(inst).as_ref() == Some(item))?;
        put(out, number as u32);
    }
    Some(())
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

    fn items<T>(&mut self, insts: &[&Inst], of: impl Fn(&Inst) -> Option<T>) -> Option<Vec<T>> {
        self.list(|reader| of(insts.get(reader.word()? as usize)?))
    }
}

impl Object {
    /// Its bytes, if it refers to nothing that `func`, the plan's function, has not.
    pub fn encode(&self, func: &Function) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        put_items(&mut out, &self.ops, func, op_of)?;
        put_items(&mut out, &self.sites, func, site_of)?;
        put(&mut out, self.routines.len() as u32);
        for routine in &self.routines {
            put(&mut out, u32::try_from(routine.bytes.len()).ok()?);
            out.extend_from_slice(&routine.bytes);
            put(&mut out, routine.links.len() as u32);
            for link in &routine.links {
                let name = link.symbol.name();
                put(&mut out, link.offset);
                put(&mut out, name.namespace);
                put(&mut out, name.index);
            }
        }
        Some(out)
    }

    /// What [`Object::encode`] made bytes of, for the same function.
    pub fn decode(bytes: &[u8], func: &Function) -> Option<Object> {
        let insts: Vec<&Inst> = insts(func).collect();
        let mut reader = Reader(bytes);
        let ops = reader.items(&insts, op_of)?;
        let sites = reader.items(&insts, site_of)?;
        let known = |symbol: &Symbol| match *symbol {
            Symbol::Op(number) => (number as usize) < ops.len(),
            Symbol::Helper(_) | Symbol::Table(_) => true,
        };
        let routines = reader.list(|reader| {
            let len = reader.word()? as usize;
            let bytes = reader.bytes(len)?.to_vec();
            let links = reader.list(|reader| {
                let offset = reader.word()?;
                let name = UserExternalName::new(reader.word()?, reader.word()?);
                let symbol = Symbol::from_name(&name).filter(known)?;
                let fits = (offset as usize)
                    .checked_add(8)
                    .is_some_and(|end| end <= len);
                fits.then_some(Link { offset, symbol })
            })?;
            Some(Routine { bytes, links })
        })?;
        (reader.0.is_empty() && routines.len() >= 2).then_some(Object {
            routines,
            ops,
            sites,
        })
    }
}
