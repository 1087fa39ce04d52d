//! Groups the memory accesses of a block that lie at constant distances from one base address.
//!
//! One check covers the whole group: its [`Span`] is the range from the lowest byte to the end of the highest. The
//! first access of the group, the leader, performs that check; the others rely on it.

use crate::ir::{Address, Inst, Operand, Reg, Space};
use std::collections::HashMap;

/// Largest offset from the base of an access that is grouped with others.
const REACH: i64 = 1 << 20;

/// Range of memory that a group of accesses is checked as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Index of the group's first access in the block.
    pub leader: usize,
    /// Offset of the lowest byte accessed.
    pub low: i64,
    /// Length of the span in bytes.
    pub bytes: u32,
    /// Alignment required of the lowest address.
    pub align: u32,
}

/// Returns the number of bytes that a lane reads or writes in a load or store.
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

/// Returns the constant part of an address. Offsets into a memory window have 32 bits.
fn offset(addr: &Address) -> i64 {
    match addr.space {
        Space::Flat => addr.offset,
        Space::Shared | Space::Local | Space::Param | Space::Slot(_) => {
            i64::from(addr.offset as i32)
        }
    }
}

/// Returns the span of every load and store in `insts`.
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
        // If the lowest address has the alignment of the widest access, each access must be aligned too.
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
    /// Returns the offset of an access in the span.
    pub fn ahead(&self, addr: &Address) -> i64 {
        offset(addr) - self.low
    }

    /// Returns the address of the span.
    pub fn address(&self, addr: &Address) -> Address {
        Address {
            offset: self.low,
            ..*addr
        }
    }

    /// Returns the offset in the span of the last address with the span's alignment.
    pub fn extra(&self) -> i64 {
        i64::from((self.bytes - 1) / self.align * self.align)
    }
}
