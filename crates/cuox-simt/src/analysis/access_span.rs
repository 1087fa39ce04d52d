//! Accesses of a block that go to constant distances from one address: they are checked together.

use crate::ir::{Address, Inst, Operand, Reg, Space};
use std::collections::HashMap;

/// Offsets that far apart are not taken together.
const REACH: i64 = 1 << 20;

/// The accesses that an access is checked with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first of them in the block.
    pub leader: usize,
    /// Offset of the lowest byte that they touch.
    pub low: i64,
    /// Bytes from there to the end of the highest.
    pub bytes: u32,
    /// What the lowest address must be a multiple of.
    pub align: u32,
}

/// Bytes that a lane reads or writes, for loads and stores.
pub fn access_bytes(inst: &Inst) -> Option<u32> {
    match inst {
        Inst::Load { dsts, ty, .. } => Some(ty.bytes() * dsts.len() as u32),
        Inst::Store { srcs, ty, .. } => Some(ty.bytes() * srcs.len() as u32),
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Atomic { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => None,
    }
}

/// The constant part of an address; window offsets have 32 bits.
fn offset(addr: &Address) -> i64 {
    match addr.space {
        Space::Flat => addr.offset,
        Space::Shared | Space::Local | Space::Param | Space::Slot(_) => {
            i64::from(addr.offset as i32)
        }
    }
}

/// The span of every load and store among `insts`.
pub fn spans(insts: &[Inst]) -> Vec<Option<Span>> {
    let mut versions: HashMap<Reg, u32> = HashMap::new();
    let mut groups: HashMap<(Space, Reg, u32), Vec<usize>> = HashMap::new();
    let mut out = vec![None; insts.len()];
    for (i, inst) in insts.iter().enumerate() {
        if let (Some(bytes), Some(addr)) = (access_bytes(inst), inst.address()) {
            out[i] = Some(Span {
                leader: i,
                low: offset(addr),
                bytes,
                align: bytes,
            });
            if let Operand::Reg(reg) = addr.base
                && bytes.is_power_of_two()
                && offset(addr).abs() < REACH
            {
                let version = versions.get(&reg).copied().unwrap_or(0);
                groups
                    .entry((addr.space, reg, version))
                    .or_default()
                    .push(i);
            }
        }
        inst.defs(|reg| *versions.entry(reg).or_default() += 1);
    }
    for members in groups.into_values().filter(|m| m.len() > 1) {
        let of = |i: usize| (out[i].map_or(0, |s| s.low), out[i].map_or(1, |s| s.bytes));
        let align = members.iter().map(|&i| of(i).1).max().unwrap_or(1);
        let low = members.iter().map(|&i| of(i).0).min().unwrap_or(0);
        let end = members.iter().map(|&i| of(i).0 + i64::from(of(i).1)).max();
        // Each is where its own alignment wants it if the lowest is aligned as the widest must be.
        if members
            .iter()
            .any(|&i| (of(i).0 - low) % i64::from(of(i).1) != 0)
        {
            continue;
        }
        let span = Span {
            leader: members[0],
            low,
            bytes: (end.unwrap_or(low) - low) as u32,
            align,
        };
        for i in members {
            out[i] = Some(span);
        }
    }
    out
}

impl Span {
    /// How far behind the lowest byte an access begins.
    pub fn ahead(&self, addr: &Address) -> i64 {
        offset(addr) - self.low
    }

    /// The access to the whole span.
    pub fn address(&self, addr: &Address) -> Address {
        Address {
            offset: self.low,
            ..*addr
        }
    }

    /// How far the highest aligned address is from the lowest.
    pub fn extra(&self) -> i64 {
        i64::from((self.bytes - 1) / self.align * self.align)
    }
}
