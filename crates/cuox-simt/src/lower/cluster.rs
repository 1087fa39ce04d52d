//! Clusters: shared memory of other blocks, ranks, and the barrier of a cluster.
//!
//! The shared windows of a cluster's blocks lie side by side on the host, ordered by rank. A 32-bit address of
//! `.shared::cluster` whose two top bits are `10` is an offset from the first block's window. Any other address is a
//! signed offset from the window of the block that uses it. So an address of `.shared::cta` is also one of
//! `.shared::cluster`, and so is the result of `cvta.to.shared` for a generic address in another block's window.

use super::build::Lower;
use super::operand::{arg, first_type, width};
use super::{Result, fail};
use crate::env::WINDOW_BITS;
use crate::ir::{
    Address, ClusterStep, Cmp, IntOp, Num, Op, Operand, Order, Space, Special, Terminator, Ty,
};
use cuox_ptx::ast::{Instruction, Modifier, Opcode, ScalarType, SpecialRegister, StateSpace};

/// The top bits of an address, which tell its kind.
const KIND: Operand = Operand::Imm(0xc000_0000);
const FROM_FIRST: u64 = 0x8000_0000;
/// The offset bits of an address.
const OFFSET: Operand = Operand::Imm(0x3fff_ffff);
/// The bits of an offset within a block's window.
const IN_WINDOW: Operand = Operand::Imm((1 << WINDOW_BITS) - 1);
const SHIFT: Operand = Operand::Imm(WINDOW_BITS as u64);

impl Lower<'_> {
    /// Returns the host address of the shared window of the cluster's first block.
    fn cluster_base(&mut self) -> Operand {
        let base = self.special(Special::SharedBase);
        let rank = self.special(Special::ClusterRank);
        let rank = self.resize(rank, Ty::B32, Ty::B64, false);
        let ahead = self.int(IntOp::Shl, Ty::B64, &[rank, SHIFT]);
        self.int(IntOp::Sub, Ty::B64, &[base, ahead])
    }

    /// Returns the number of blocks of the cluster, b32.
    fn cluster_blocks(&mut self) -> Operand {
        let [x, y, z] = [0, 1, 2].map(|axis| self.special(Special::ClusterNctaid(axis)));
        let xy = self.int(IntOp::Mul, Ty::B32, &[x, y]);
        self.int(IntOp::Mul, Ty::B32, &[xy, z])
    }

    /// Returns the host address of the shared window of the block with that rank, b32; 0, which is never mapped, if
    /// there is no such block.
    fn window_of(&mut self, rank: Operand) -> Operand {
        let (first, blocks) = (self.cluster_base(), self.cluster_blocks());
        let less = Op::Compare {
            cmp: Cmp::Lt,
            num: Num::U(Ty::B32),
            ftz: false,
        };
        let exists = self.op(less, &[rank, blocks]);
        let rank = self.resize(rank, Ty::B32, Ty::B64, false);
        let ahead = self.int(IntOp::Shl, Ty::B64, &[rank, SHIFT]);
        let window = self.int(IntOp::Add, Ty::B64, &[first, ahead]);
        self.op(Op::Select(Ty::B64), &[exists, window, Operand::Imm(0)])
    }

    /// Returns the host address for an address of `.shared::cluster`, of which the low 32 bits count.
    pub fn cluster_address(&mut self, address: Operand, have: Ty) -> Operand {
        let address = self.resize(address, have, Ty::B32, false);
        let kind = self.int(IntOp::And, Ty::B32, &[address, KIND]);
        let equal = Op::Compare {
            cmp: Cmp::Eq,
            num: Num::U(Ty::B32),
            ftz: false,
        };
        let from_first = self.op(equal, &[kind, Operand::Imm(FROM_FIRST)]);
        let inner = self.int(IntOp::And, Ty::B32, &[address, OFFSET]);
        let ahead = self.int(IntOp::And, Ty::B32, &[inner, IN_WINDOW]);
        let offset = self.op(Op::Select(Ty::B32), &[from_first, ahead, address]);
        let offset = self.resize(offset, Ty::B32, Ty::B64, true);
        let rank = self.int(IntOp::ShrU, Ty::B32, &[inner, SHIFT]);
        let first = self.window_of(rank);
        let own = self.special(Special::SharedBase);
        let base = self.op(Op::Select(Ty::B64), &[from_first, first, own]);
        self.int(IntOp::Add, Ty::B64, &[base, offset])
    }

    /// Returns the address of `.shared::cluster` for a host address; it is the same in every block of the cluster.
    pub fn cluster_offset(&mut self, host: Operand) -> Operand {
        let first = self.cluster_base();
        let offset = self.int(IntOp::Sub, Ty::B64, &[host, first]);
        self.int(IntOp::Or, Ty::B64, &[offset, Operand::Imm(FROM_FIRST)])
    }

    /// Returns the address of `.shared::cluster` for the corresponding byte in the window of another block of the
    /// cluster.
    fn offset_in_block(&mut self, host: Operand, rank: Operand) -> Operand {
        let first = self.cluster_base();
        let offset = self.int(IntOp::Sub, Ty::B64, &[host, first]);
        let offset = self.int(IntOp::And, Ty::B64, &[offset, IN_WINDOW]);
        let rank = self.resize(rank, Ty::B32, Ty::B64, false);
        let ahead = self.int(IntOp::Shl, Ty::B64, &[rank, SHIFT]);
        let offset = self.int(IntOp::Add, Ty::B64, &[ahead, offset]);
        self.int(IntOp::Or, Ty::B64, &[offset, Operand::Imm(FROM_FIRST)])
    }

    /// Moves the host address `host` to the window of another block of the cluster.
    pub fn in_block(&mut self, host: Operand, rank: Operand) -> Operand {
        let first = self.cluster_base();
        let offset = self.int(IntOp::Sub, Ty::B64, &[host, first]);
        let offset = self.int(IntOp::And, Ty::B64, &[offset, IN_WINDOW]);
        let window = self.window_of(rank);
        self.int(IntOp::Add, Ty::B64, &[window, offset])
    }

    /// Returns the host address for `address`, which is in flat or shared memory.
    pub fn host_address(&mut self, address: Address) -> Operand {
        let shared = address.space == Space::Shared;
        let ty = if shared { Ty::B32 } else { Ty::B64 };
        let have = address.base.reg().map_or(ty, |reg| self.ty(reg));
        let at = self.resize(address.base, have, ty, false);
        let ahead = Operand::Imm(address.offset as u64 & ty.mask());
        let at = self.int(IntOp::Add, ty, &[at, ahead]);
        if !shared {
            return at;
        }
        let at = self.resize(at, Ty::B32, Ty::B64, false);
        let base = self.special(Special::SharedBase);
        self.int(IntOp::Add, Ty::B64, &[base, at])
    }

    /// Tests whether a host address is in the cluster's shared windows.
    pub fn in_cluster(&mut self, address: Operand) -> Operand {
        let first = self.cluster_base();
        let blocks = self.cluster_blocks();
        let blocks = self.resize(blocks, Ty::B32, Ty::B64, false);
        let size = self.int(IntOp::Shl, Ty::B64, &[blocks, SHIFT]);
        let offset = self.int(IntOp::Sub, Ty::B64, &[address, first]);
        let less = Op::Compare {
            cmp: Cmp::Lt,
            num: Num::U(Ty::B64),
            ftz: false,
        };
        let cluster = self.op(less, &[offset, size]);
        // Of each window, only the block's shared memory counts.
        let inner = self.int(IntOp::And, Ty::B64, &[offset, IN_WINDOW]);
        let bytes = self.special(Special::TotalSharedSize);
        let bytes = self.resize(bytes, Ty::B32, Ty::B64, false);
        let window = self.op(less, &[inner, bytes]);
        self.logic(crate::ir::PredOp::And, &[cluster, window])
    }

    /// Returns the value of a special register about clusters; `None` for any other register.
    pub fn cluster_register(&mut self, register: SpecialRegister, axis: u8) -> Option<Operand> {
        use SpecialRegister as S;
        let divided = |l: &mut Self, of: Special, op: IntOp| {
            let (a, b) = (l.special(of), l.special(Special::ClusterNctaid(axis)));
            l.int(op, Ty::B32, &[a, b])
        };
        Some(match register {
            S::ClusterId => divided(self, Special::Ctaid(axis), IntOp::DivU),
            S::NClusterId => divided(self, Special::Nctaid(axis), IntOp::DivU),
            S::ClusterCtaId => divided(self, Special::Ctaid(axis), IntOp::RemU),
            S::ClusterNCtaId => self.special(Special::ClusterNctaid(axis)),
            S::ClusterCtaRank => self.special(Special::ClusterRank),
            S::ClusterNCtaRank => self.cluster_blocks(),
            _ => return None,
        })
    }
}

/// Returns operand `n`, a generic address or one of `.shared::cluster`, as a host address.
fn operand_host(l: &mut Lower<'_>, i: &Instruction, n: usize) -> Result<Operand> {
    let operand = arg(i, n)?;
    let shared = i.modifiers.space() == Some(StateSpace::SharedCluster);
    let pt = if shared {
        ScalarType::B32
    } else {
        ScalarType::B64
    };
    let (value, have) = l.value_of_any_width(operand, pt)?;
    if !matches!(have, Ty::B32 | Ty::B64) {
        return fail(operand.span, "an address must be b32 or b64");
    }
    Ok(match shared {
        true => l.cluster_address(value, have),
        false => l.resize(value, have, Ty::B64, false),
    })
}

/// `mapa`: the corresponding address in another block of the cluster.
pub(super) fn mapa(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let ty = width(i, first_type(i)?)?;
    let host = operand_host(l, i, 1)?;
    let rank = l.src32(i, 2)?;
    let value = match i.modifiers.space() {
        Some(StateSpace::SharedCluster) => l.offset_in_block(host, rank),
        _ => l.in_block(host, rank),
    };
    let value = l.resize(value, Ty::B64, ty, false);
    l.put_value(i, ty, value)
}

/// `getctarank`: the block whose shared memory contains an address.
pub(super) fn rank_of(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let host = operand_host(l, i, 1)?;
    let first = l.cluster_base();
    let offset = l.int(IntOp::Sub, Ty::B64, &[host, first]);
    let rank = l.int(IntOp::ShrU, Ty::B64, &[offset, SHIFT]);
    let rank = l.resize(rank, Ty::B64, Ty::B32, false);
    l.put_value(i, Ty::B32, rank)
}

/// `barrier.cluster`: an arrival releases and a wait acquires unless it is `.relaxed`.
pub(super) fn barrier(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let arrive = i.opcode == Opcode::BarrierClusterArrive;
    let (step, order) = match arrive {
        true => (ClusterStep::Arrive, Order::Release),
        false => (ClusterStep::Wait, Order::Acquire),
    };
    let fence = crate::ir::Inst::Fence(order);
    if arrive && !i.modifiers.has(Modifier::Relaxed) {
        l.emit(fence.clone());
    }
    let next = l.new_block();
    l.end(Terminator::Cluster { step, next });
    l.switch_to(next);
    if !arrive {
        l.emit(fence);
    }
    Ok(())
}
