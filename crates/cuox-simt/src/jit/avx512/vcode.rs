//! Straight-line code over virtual vectors and masks, before registers are assigned.
//!
//! Every virtual vector ([`V`], 64 bytes) and mask ([`K`], 16 bits) is written once.

use crate::jit::avx512::encode::Form;
use crate::jit::code::symbol::{Helper, Symbol};

/// A virtual vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct V(pub u32);

/// A virtual mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct K(pub u32);

/// Memory that wide code refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mem {
    /// An argument of the call, by its offset.
    Arg(i32),
    /// A value of this group of lanes, computed before, by its offset.
    GroupArg(i32),
    /// A lane slot at an offset, with so many bytes a lane (2, 4 or 8).
    Slot(i32, u8),
    /// A predicate's bits at an offset.
    Bits(i32),
    /// At the address that [`Vop::Pointer`] made last, plus an offset.
    Pointer(i32),
    /// Constants behind the code.
    Constant(u32),
    /// The scratch area on the stack.
    Scratch(i32),
}

/// The last operand of a vector instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Src {
    /// A vector.
    V(V),
    /// A whole vector in memory.
    Mem(Mem),
    /// One element in memory, for all lanes.
    Each(Mem),
}

/// Operations on two masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KOp {
    And,
    /// `!a & b`.
    AndNot,
    Or,
    Xor,
    /// `a << 8 | b`.
    Join,
}

/// A vector instruction.
#[derive(Clone, Copy, Debug)]
pub struct VInst {
    pub form: Form,
    /// The operand in `vvvv`.
    pub a: Option<V>,
    pub b: Src,
    pub imm: Option<u8>,
    /// Lanes that are written; the others keep `tied`'s, or become zero.
    pub mask: Option<K>,
    /// What the destination holds before.
    pub tied: Option<V>,
    pub round: Option<u8>,
}

/// Read-modify-write loops over the lanes, on values in the scratch area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rmw {
    /// `lock xadd`.
    Add,
    /// `xchg`.
    Exchange,
}

/// An argument that is known when code is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// A number.
    Value(u64),
    /// An address.
    Address(Symbol),
    /// An argument of the code, by its offset.
    Argument(i32),
}

/// An instruction.
#[derive(Clone, Debug)]
pub enum Vop {
    /// Writes a vector.
    Vector { dst: V, inst: VInst },
    /// Shifts by a constant: the opcode's digit is in the register field, the destination in `vvvv`.
    ShiftBy {
        dst: V,
        form: Form,
        digit: u8,
        a: V,
        by: u8,
    },
    /// Narrows: the destination is the last operand.
    Narrow {
        dst: V,
        form: Form,
        a: V,
        imm: Option<u8>,
    },
    /// Writes a mask: a comparison or test.
    Test {
        dst: K,
        form: Form,
        a: Option<V>,
        b: Src,
        imm: Option<u8>,
        mask: Option<K>,
    },
    /// Writes memory.
    Store {
        form: Form,
        from: V,
        to: Mem,
        mask: Option<K>,
    },
    /// Reads `pointer + index * scale`, lane by lane; other lanes keep `tied`'s. The index is half as wide as `dst` or as wide.
    Gather {
        dst: V,
        form: Form,
        index: V,
        pointer: bool,
        offset: i32,
        mask: Option<K>,
        tied: V,
    },
    /// The reverse.
    Scatter {
        form: Form,
        from: V,
        index: V,
        pointer: bool,
        offset: i32,
        mask: Option<K>,
    },
    /// Operations on masks.
    Mask { dst: K, op: KOp, a: K, b: K },
    /// The upper half of a mask.
    UpperHalf { dst: K, a: K },
    /// A mask from memory.
    LoadMask { dst: K, from: Mem },
    /// A mask into memory.
    StoreMask { from: K, to: Mem },
    /// `[from]` plus the lane's number times `stride`, lane 0's of the group, in all lanes.
    Affine {
        dst: V,
        from: Mem,
        stride: i32,
        wide: bool,
    },
    /// Makes `[from] + lane * stride` the pointer; with a window, `[from]` is an offset from the address in `[window]`. What is `down`
    /// comes on top so many times.
    Pointer {
        from: Mem,
        stride: i64,
        window: Option<Mem>,
        down: Option<(Mem, u8)>,
    },
    /// The same for vector indices, which leave no room for the lane's.
    PointerAt {
        from: Mem,
        stride: i64,
        window: Option<Mem>,
    },
    /// Asks for the lines `bytes` long that are `[ahead]` past what the pointer and an offset lead to, to write them if `write`.
    Prefetch {
        ahead: Mem,
        offset: i32,
        bytes: i32,
        write: bool,
    },
    /// Writes a vector behind the pointer, which fills a line of the caches: past them if `[keep]` is 0, else with a prefetch of
    /// what is `[ahead]`.
    Stream {
        from: V,
        offset: i32,
        keep: Mem,
        ahead: Option<Mem>,
    },
    /// Goes on with the next group if no bit is set.
    SkipUnless { any: K },
    /// Leaves with a fault at instruction `inst` if a bit is set; `at` are the lanes' addresses (two vectors) or offsets.
    Fault {
        bad: K,
        at: [V; 2],
        wide: bool,
        inst: u32,
    },
    /// Combines masks into the votes: the lanes that speak against none, and those that hold.
    Vote { all: K, any: K },
    /// Calls `f(scratch area, environment, constant, constant, mask)`.
    Call {
        target: Helper,
        constants: [Constant; 2],
        mask: Option<K>,
    },
    /// Read-modify-write for the lanes in turn: addresses, operands and results in the scratch area.
    Rmw {
        op: Rmw,
        wide: bool,
        locked: bool,
        old: bool,
        mask: Option<K>,
    },
    /// Writes the lanes' values in turn: addresses and values of `bytes` in the scratch area.
    Lanes { bytes: u8, mask: Option<K> },
    /// `mfence`.
    Fence,
}

impl Vop {
    /// The vector it writes.
    pub fn vector(&self) -> Option<V> {
        match self {
            Vop::Vector { dst, .. }
            | Vop::ShiftBy { dst, .. }
            | Vop::Narrow { dst, .. }
            | Vop::Gather { dst, .. }
            | Vop::Affine { dst, .. } => Some(*dst),
            _ => None,
        }
    }

    /// Whether it needs the scratch area.
    pub fn has_scratch(&self) -> bool {
        matches!(self, Vop::Call { .. } | Vop::Rmw { .. } | Vop::Lanes { .. })
    }

    /// The mask it writes.
    pub fn mask(&self) -> Option<K> {
        match self {
            Vop::Test { dst, .. }
            | Vop::Mask { dst, .. }
            | Vop::UpperHalf { dst, .. }
            | Vop::LoadMask { dst, .. } => Some(*dst),
            _ => None,
        }
    }

    /// Calls `f` for the memory that it accesses itself; not for where pointers come from.
    pub fn memory(&self, mut f: impl FnMut(Mem)) {
        let src = match self {
            Vop::Vector { inst, .. } => inst.b,
            Vop::Test { b, .. } => *b,
            Vop::Store { to: mem, .. }
            | Vop::StoreMask { to: mem, .. }
            | Vop::LoadMask { from: mem, .. }
            | Vop::Affine { from: mem, .. }
            | Vop::Stream { keep: mem, .. } => Src::Mem(*mem),
            Vop::ShiftBy { .. }
            | Vop::Narrow { .. }
            | Vop::Gather { .. }
            | Vop::Scatter { .. }
            | Vop::Mask { .. }
            | Vop::UpperHalf { .. }
            | Vop::Pointer { .. }
            | Vop::PointerAt { .. }
            | Vop::Prefetch { .. }
            | Vop::SkipUnless { .. }
            | Vop::Fault { .. }
            | Vop::Vote { .. }
            | Vop::Call { .. }
            | Vop::Rmw { .. }
            | Vop::Lanes { .. }
            | Vop::Fence => return,
        };
        if let Src::Mem(mem) | Src::Each(mem) = src {
            f(mem);
        }
    }

    /// Calls `v` and `k` for every vector and mask it reads.
    pub fn uses(&self, mut v: impl FnMut(V), mut k: impl FnMut(K)) {
        let mut src = |s: &Src| {
            if let Src::V(x) = s {
                v(*x);
            }
        };
        match self {
            Vop::Vector { inst, .. } => {
                src(&inst.b);
                inst.a.iter().chain(&inst.tied).for_each(|&x| v(x));
                inst.mask.iter().for_each(|&m| k(m));
            }
            Vop::ShiftBy { a, .. } | Vop::Narrow { a, .. } | Vop::Stream { from: a, .. } => v(*a),
            Vop::Test { a, b, mask, .. } => {
                src(b);
                a.iter().for_each(|&x| v(x));
                mask.iter().for_each(|&m| k(m));
            }
            Vop::Store { from, mask, .. } => {
                v(*from);
                mask.iter().for_each(|&m| k(m));
            }
            Vop::Gather {
                index, mask, tied, ..
            } => {
                v(*index);
                v(*tied);
                mask.iter().for_each(|&m| k(m));
            }
            Vop::Scatter {
                from, index, mask, ..
            } => {
                v(*from);
                v(*index);
                mask.iter().for_each(|&m| k(m));
            }
            Vop::Mask { a, b, .. } => {
                k(*a);
                k(*b);
            }
            Vop::UpperHalf { a, .. } => k(*a),
            Vop::StoreMask { from, .. } | Vop::SkipUnless { any: from } => k(*from),
            Vop::Vote { all, any } => {
                k(*all);
                k(*any);
            }
            Vop::Fault { bad, at, wide, .. } => {
                k(*bad);
                v(at[0]);
                if *wide {
                    v(at[1]);
                }
            }
            Vop::Call { mask, .. } | Vop::Rmw { mask, .. } | Vop::Lanes { mask, .. } => {
                mask.iter().for_each(|&m| k(m));
            }
            Vop::LoadMask { .. }
            | Vop::Affine { .. }
            | Vop::Pointer { .. }
            | Vop::PointerAt { .. }
            | Vop::Prefetch { .. }
            | Vop::Fence => {}
        }
    }
}

/// The code without what nobody needs the result of. What reads memory that a program names stays, as it may fault.
pub fn without_unused(code: Vec<Vop>, [vectors, masks]: [u32; 2]) -> Vec<Vop> {
    let (mut vs, mut ks) = (vec![false; vectors as usize], vec![false; masks as usize]);
    let mut kept: Vec<Vop> = Vec::with_capacity(code.len());
    for op in code.into_iter().rev() {
        let wanted = match (op.vector(), op.mask()) {
            (Some(v), _) => vs[v.0 as usize],
            (_, Some(k)) => ks[k.0 as usize],
            _ => true,
        };
        let mut reads = matches!(op, Vop::Gather { .. });
        op.memory(|mem| reads |= matches!(mem, Mem::Pointer(_)));
        if wanted || reads {
            op.uses(|v| vs[v.0 as usize] = true, |k| ks[k.0 as usize] = true);
            kept.push(op);
        }
    }
    kept.reverse();
    kept
}

/// Offsets in the arguments of wide code.
pub mod args {
    /// The first lane's place in lane slots of 2, 4 and 8 bytes.
    pub const SLOTS_2: i32 = 0;
    pub const SLOTS_4: i32 = 8;
    pub const SLOTS_8: i32 = 16;
    /// How many lanes there are.
    pub const COUNT: i32 = 24;
    /// The predicates' bits of the first lane.
    pub const BITS: i32 = 32;
    /// Values of groups.
    pub const GROUPS: i32 = 40;
    /// The gang's state.
    pub const TEAM: i32 = 48;
    /// The block's environment.
    pub const ENV: i32 = 56;
    /// Votes: bits that are set in all groups, and in any (16 bits each, 4 bytes apart).
    pub const VOTES: i32 = 64;
    /// Lanes of a row.
    pub const WIDTH: i32 = 72;
    /// Where the row at hand ends, in lanes.
    pub const ROW_END: i32 = 80;
    /// The first value.
    pub const VALUES: i32 = 88;
}

/// Where in the scratch area helpers leave results. Operands are 128 bytes apart.
pub const RESULT: i32 = 512;
/// The same of atomics on neighbours, whose operands are 64 bytes apart.
pub const NEIGHBOURS: i32 = 384;
/// Bytes of the scratch area.
pub const SCRATCH: i32 = 768;
