//! Intermediate representation of wide code: straight-line code over virtual vectors and masks, before register
//! allocation.
//!
//! Every virtual vector ([`V`], 64 bytes) and mask ([`K`], 16 bits) is written once.

use crate::jit::avx512::encode::Form;
use crate::jit::code::symbol::{Helper, Symbol};

/// Virtual vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct V(pub u32);

/// Virtual mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct K(pub u32);

/// Memory operand of wide code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mem {
    /// Argument of the call, by its offset.
    Arg(i32),
    /// Value computed before for this group of lanes, by its offset.
    GroupArg(i32),
    /// Lane slot at an offset, with a number of bytes per lane (2, 4 or 8).
    Slot(i32, u8),
    /// Bits of a predicate at an offset.
    Bits(i32),
    /// Memory at the address of the last [`Vop::Pointer`], plus an offset.
    Pointer(i32),
    /// Constant behind the code.
    Constant(u32),
    /// Scratch area on the stack.
    Scratch(i32),
}

/// Last operand of a vector instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Src {
    /// Vector.
    V(V),
    /// Whole vector in memory.
    Mem(Mem),
    /// One element in memory, for all lanes.
    Each(Mem),
}

/// Operation on two masks.
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

/// Vector instruction.
#[derive(Clone, Copy, Debug)]
pub struct VInst {
    pub form: Form,
    /// Operand in `vvvv`.
    pub a: Option<V>,
    pub b: Src,
    pub imm: Option<u8>,
    /// Lanes that are written; the others keep the value of `tied`, or become zero.
    pub mask: Option<K>,
    /// Value of the destination on entry.
    pub tied: Option<V>,
    pub round: Option<u8>,
}

/// Read-modify-write loop over the lanes, on values in the scratch area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rmw {
    /// `lock xadd`.
    Add,
    /// `xchg`.
    Exchange,
}

/// Argument known at compile time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// Number.
    Value(u64),
    /// Address of a symbol.
    Address(Symbol),
    /// Argument of the code, by its offset.
    Argument(i32),
}

/// Instruction.
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
    /// Loads `pointer + index * scale`, lane by lane; the other lanes keep the value of `tied`. The index is as wide as
    /// `dst` or half as wide.
    Gather {
        dst: V,
        form: Form,
        index: V,
        pointer: bool,
        offset: i32,
        mask: Option<K>,
        tied: V,
    },
    /// Reads the words of a table among the constants, by the lanes of an index.
    LookUp { dst: V, table: u32, index: V },
    /// Stores to `pointer + index * scale`, lane by lane.
    Scatter {
        form: Form,
        from: V,
        index: V,
        pointer: bool,
        offset: i32,
        mask: Option<K>,
    },
    /// Operates on masks.
    Mask { dst: K, op: KOp, a: K, b: K },
    /// Returns the upper half of a mask.
    UpperHalf { dst: K, a: K },
    /// Loads a mask.
    LoadMask { dst: K, from: Mem },
    /// Stores a mask.
    StoreMask { from: K, to: Mem },
    /// Computes `[from] + lane * stride` for the group's first lane, in all lanes.
    Affine {
        dst: V,
        from: Mem,
        stride: i32,
        wide: bool,
    },
    /// Sets the pointer to `[from] + lane * stride`. With a window, `[from]` is an offset from the address in
    /// `[window]`. The amount of `down` is added the given number of times.
    Pointer {
        from: Mem,
        stride: i64,
        window: Option<Mem>,
        down: Option<(Mem, u8)>,
    },
    /// Sets the pointer for accesses with a vector index, whose addresses have no room for the lane's index.
    PointerAt {
        from: Mem,
        stride: i64,
        window: Option<Mem>,
    },
    /// Prefetches the `bytes` at the pointer plus an offset plus `[ahead]`, for writing if `write`.
    Prefetch {
        ahead: Mem,
        offset: i32,
        bytes: i32,
        write: bool,
    },
    /// Stores a vector that fills a cache line: with a non-temporal store if `[keep]` is 0, else with a prefetch at
    /// distance `[ahead]`.
    Stream {
        from: V,
        offset: i32,
        keep: Mem,
        ahead: Option<Mem>,
    },
    /// Continues with the next group if no bit is set.
    SkipUnless { any: K },
    /// Exits with a fault at instruction `inst` if a bit is set; `at` has the lanes' addresses (two vectors) or
    /// offsets.
    Fault {
        bad: K,
        at: [V; 2],
        wide: bool,
        inst: u32,
    },
    /// Combines masks into the votes: lanes that do not vote against `all`, and lanes in which the predicate is true.
    Vote { all: K, any: K },
    /// Calls `f(scratch area, environment, constant, constant, mask)`.
    Call {
        target: Helper,
        constants: [Constant; 2],
        mask: Option<K>,
    },
    /// Read-modify-write for one lane after the other: addresses, operands and results are in the scratch area.
    Rmw {
        op: Rmw,
        wide: bool,
        locked: bool,
        old: bool,
        mask: Option<K>,
    },
    /// Stores one lane after the other: addresses and values of `bytes` are in the scratch area.
    Lanes { bytes: u8, mask: Option<K> },
    /// `mfence`.
    Fence,
    /// Reads a channel of the elements at `x` of the linear memory of a texture, whose handle all lanes have, if a
    /// fetch has found it before; else `missed` has all bits set. For LLVM alone.
    Fetch {
        dst: V,
        missed: K,
        handle: Mem,
        channel: u8,
        x: V,
        mask: Option<K>,
    },
    /// Returns `usual`, or `other` of some code if a bit is set. For LLVM alone.
    Rare {
        dst: V,
        any: K,
        usual: V,
        code: Vec<Vop>,
        other: V,
    },
}

impl Vop {
    /// Returns the vector that the instruction writes.
    pub fn vector(&self) -> Option<V> {
        match self {
            Vop::Vector { dst, .. }
            | Vop::ShiftBy { dst, .. }
            | Vop::Narrow { dst, .. }
            | Vop::Gather { dst, .. }
            | Vop::LookUp { dst, .. }
            | Vop::Fetch { dst, .. }
            | Vop::Rare { dst, .. }
            | Vop::Affine { dst, .. } => Some(*dst),
            _ => None,
        }
    }

    /// Tells whether the instruction needs the scratch area.
    pub fn has_scratch(&self) -> bool {
        matches!(self, Vop::Call { .. } | Vop::Rmw { .. } | Vop::Lanes { .. })
    }

    /// Returns the mask that the instruction writes.
    pub fn mask(&self) -> Option<K> {
        match self {
            Vop::Test { dst, .. }
            | Vop::Mask { dst, .. }
            | Vop::UpperHalf { dst, .. }
            | Vop::LoadMask { dst, .. } => Some(*dst),
            _ => None,
        }
    }

    /// Calls `f` for the memory operands, except for sources of pointers.
    pub fn memory(&self, mut f: impl FnMut(Mem)) {
        let src = match self {
            Vop::Vector { inst, .. } => inst.b,
            Vop::Test { b, .. } => *b,
            Vop::Store { to: mem, .. }
            | Vop::StoreMask { to: mem, .. }
            | Vop::LoadMask { from: mem, .. }
            | Vop::Affine { from: mem, .. }
            | Vop::Fetch { handle: mem, .. }
            | Vop::Stream { keep: mem, .. } => Src::Mem(*mem),
            Vop::ShiftBy { .. }
            | Vop::Narrow { .. }
            | Vop::Gather { .. }
            | Vop::LookUp { .. }
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
            | Vop::Rare { .. }
            | Vop::Fence => return,
        };
        if let Src::Mem(mem) | Src::Each(mem) = src {
            f(mem);
        }
    }

    /// Calls `v` and `k` for every vector and mask that the instruction reads.
    pub fn uses(&self, v: &mut dyn FnMut(V), k: &mut dyn FnMut(K)) {
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
            Vop::ShiftBy { a, .. }
            | Vop::Narrow { a, .. }
            | Vop::Stream { from: a, .. }
            | Vop::LookUp { index: a, .. } => v(*a),
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
            Vop::Fetch { x, mask, .. } => {
                v(*x);
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
            Vop::Rare {
                any,
                usual,
                code,
                other,
                ..
            } => {
                k(*any);
                v(*usual);
                v(*other);
                code.iter().for_each(|op| op.uses(v, k));
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

/// Returns the code without instructions whose results are unused. Loads from the program's memory stay, as they may
/// fault.
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
            op.uses(&mut |v| vs[v.0 as usize] = true, &mut |k| {
                ks[k.0 as usize] = true
            });
            kept.push(op);
        }
    }
    kept.reverse();
    kept
}

/// Offsets in the arguments of wide code.
pub mod args {
    /// Address of the first lane's value in lane slots of 2, 4 and 8 bytes.
    pub const SLOTS_2: i32 = 0;
    pub const SLOTS_4: i32 = 8;
    pub const SLOTS_8: i32 = 16;
    /// Number of lanes.
    pub const COUNT: i32 = 24;
    /// Address of the predicates' bits of the first lane.
    pub const BITS: i32 = 32;
    /// Address of the values of groups.
    pub const GROUPS: i32 = 40;
    /// Address of the gang's state.
    pub const GANG: i32 = 48;
    /// Address of the block's environment.
    pub const ENV: i32 = 56;
    /// Votes: bits that are set in all groups, and in any (16 bits each, 4 bytes apart).
    pub const VOTES: i32 = 64;
    /// Number of lanes in a row.
    pub const WIDTH: i32 = 72;
    /// End of the current row, in lanes.
    pub const ROW_END: i32 = 80;
    /// First lane to visit, and the end of the lanes to visit, in masked blocks of large gangs.
    pub const FROM: i32 = 88;
    pub const END: i32 = 96;
    /// First input.
    pub const VALUES: i32 = 104;
}

/// Offset of helpers' results in the scratch area. Operands are 128 bytes apart.
pub const RESULT: i32 = 512;
/// Offset of the results of atomics on adjacent elements, whose operands are 64 bytes apart.
pub const NEIGHBOURS: i32 = 384;
/// Size of the scratch area in bytes.
pub const SCRATCH: i32 = 768;
