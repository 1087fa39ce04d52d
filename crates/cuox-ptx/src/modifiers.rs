//! The modifiers of one instruction, with the questions that lowering asks of them.

use crate::isa::{Modifier, ScalarType};

/// Most modifiers an instruction may carry; the longest real form has fewer.
pub const MAX_MODIFIERS: usize = 20;
/// Most types among them.
pub const MAX_TYPES: usize = 6;

/// The dotted words of one instruction in written order.
///
/// The accessors answer by word, not by instruction: `.lo` is both a half of a product and a
/// comparison, so [`Modifiers::compare`] means something only on an instruction that compares.
#[derive(Clone, Copy)]
pub struct Modifiers {
    words: [Modifier; MAX_MODIFIERS],
    types: [ScalarType; MAX_TYPES],
    len: u8,
    type_count: u8,
}

impl Default for Modifiers {
    fn default() -> Self {
        Self {
            words: [Modifier::U8; MAX_MODIFIERS],
            types: [ScalarType::U8; MAX_TYPES],
            len: 0,
            type_count: 0,
        }
    }
}

impl PartialEq for Modifiers {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Modifiers {}

impl std::fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl std::fmt::Display for Modifiers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().iter().try_for_each(|m| write!(f, "{m}"))
    }
}

/// The rounding of a result that does not fit.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Rn,
    Rz,
    Rm,
    Rp,
    Rna,
    Rs,
    Rni,
    Rzi,
    Rmi,
    Rpi,
}

impl Rounding {
    /// True if the result is rounded to an integral value.
    pub fn is_integral(self) -> bool {
        matches!(self, Self::Rni | Self::Rzi | Self::Rmi | Self::Rpi)
    }
}

/// A comparison.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Lo,
    Ls,
    Hi,
    Hs,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan,
}

/// The operation that combines a comparison's result with a predicate.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoolOp {
    And,
    Or,
    Xor,
}

/// The memory ordering of an operation.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Semantics {
    Weak,
    Volatile,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    Sc,
    Mmio,
}

/// The set of threads that a memory operation is ordered for.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    Cta,
    Cluster,
    Gpu,
    Sys,
}

/// The operation of `atom`, `red`, `redux` and `bar.red`.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomOp {
    And,
    Or,
    Xor,
    Exch,
    Cas,
    Add,
    Inc,
    Dec,
    Min,
    Max,
    Popc,
}

/// The lane that a shuffle reads.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShuffleMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// The result of a vote; `match` has `All` and `Any`.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VoteMode {
    All,
    Any,
    Uni,
    Ballot,
}

/// The bytes that a `prmt` picks.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PermuteMode {
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// The property that a `testp` tests.
#[allow(
    missing_docs,
    reason = "each variant is the modifier that its name spells"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatTest {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

macro_rules! pick {
    ($(#[doc = $doc:literal] $name:ident -> $ty:ident { $($from:ident => $to:ident),* $(,)? })*) => {
        $(#[doc = $doc]
        pub fn $name(&self) -> Option<$ty> {
            self.as_slice().iter().find_map(|m| match m {
                $(Modifier::$from => Some($ty::$to),)*
                _ => None,
            })
        })*
    };
}

macro_rules! flags {
    ($($name:ident $word:ident,)*) => {
        $(#[doc = concat!("Whether `.", stringify!($name), "` is given.")]
        pub fn $name(&self) -> bool {
            self.has(Modifier::$word)
        })*
    };
}

impl Modifiers {
    /// Adds a word at the end; false if there is no room for it.
    #[must_use]
    pub fn push(&mut self, word: Modifier) -> bool {
        if self.len as usize == MAX_MODIFIERS {
            return false;
        }
        if let Some(t) = word.scalar_type() {
            if self.type_count as usize == MAX_TYPES {
                return false;
            }
            self.types[self.type_count as usize] = t;
            self.type_count += 1;
        }
        self.words[self.len as usize] = word;
        self.len += 1;
        true
    }

    /// All words in written order, types included.
    pub fn as_slice(&self) -> &[Modifier] {
        &self.words[..self.len as usize]
    }

    /// The types in written order: of `cvt.f64.f32`, first `.f64` and then `.f32`.
    pub fn types(&self) -> &[ScalarType] {
        &self.types[..self.type_count as usize]
    }

    /// The first type, where there is one.
    pub fn first_type(&self) -> Option<ScalarType> {
        self.types().first().copied()
    }

    /// True if a word is given.
    pub fn has(&self, word: Modifier) -> bool {
        self.as_slice().contains(&word)
    }

    /// The number of times that a word is given.
    pub fn count(&self, word: Modifier) -> usize {
        self.as_slice().iter().filter(|&&m| m == word).count()
    }

    flags! {
        ftz Ftz, sat Sat, satfinite Satfinite, approx Approx, full Full, wide Wide, hi Hi, lo Lo, cc Cc,
        relu Relu, xorsign XorSign, nan NaN, abs Abs, oob Oob, to To, uni Uni, sync Sync,
        aligned Aligned, volatile Volatile, nc Nc, clamp Clamp, wrap Wrap, shiftamt ShiftAmt,
        noftz Noftz, arrive Arrive, trans Trans, noinc Noinc, parity Parity,
    }

    pick! {
        /// The rounding mode; the one that rounds to an integral value too.
        rounding -> Rounding {
            Rn => Rn, Rz => Rz, Rm => Rm, Rp => Rp, Rna => Rna, Rs => Rs,
            Rni => Rni, Rzi => Rzi, Rmi => Rmi, Rpi => Rpi,
        }
        /// The comparison, on an instruction that compares.
        compare -> Compare {
            Eq => Eq, Ne => Ne, Lt => Lt, Le => Le, Gt => Gt, Ge => Ge,
            Lo => Lo, Ls => Ls, Hi => Hi, Hs => Hs,
            Equ => Equ, Neu => Neu, Ltu => Ltu, Leu => Leu, Gtu => Gtu, Geu => Geu,
            Num => Num, Nan => Nan,
        }
        /// The Boolean operation after a comparison, or that of `lop3`.
        bool_op -> BoolOp { And => And, Or => Or, Xor => Xor }
        /// The memory order.
        semantics -> Semantics {
            Weak => Weak, Volatile => Volatile, Relaxed => Relaxed, Acquire => Acquire,
            Release => Release, AcqRel => AcqRel, Sc => Sc, Mmio => Mmio,
        }
        /// The scope; `.gl` of `membar` is the GPU.
        scope -> Scope { Cta => Cta, Cluster => Cluster, Gpu => Gpu, Gl => Gpu, Sys => Sys }
        /// The operation of an atomic, a reduction, `redux` or `bar.red`.
        atom_op -> AtomOp {
            And => And, Or => Or, Xor => Xor, Exch => Exch, Cas => Cas, Add => Add, Inc => Inc,
            Dec => Dec, Min => Min, Max => Max, Popc => Popc,
        }
        /// The lane that a shuffle reads.
        shuffle_mode -> ShuffleMode { Up => Up, Down => Down, Bfly => Bfly, Idx => Idx }
        /// The result of a vote or a `match`.
        vote_mode -> VoteMode { All => All, Any => Any, Uni => Uni, Ballot => Ballot }
        /// The mode of `prmt`; `None` is the general form.
        permute_mode -> PermuteMode {
            F4e => F4e, B4e => B4e, Rc8 => Rc8, Ecl => Ecl, Ecr => Ecr, Rc16 => Rc16,
        }
        /// The question of `testp`.
        float_test -> FloatTest {
            Finite => Finite, Infinite => Infinite, Number => Number, NotANumber => NotANumber,
            Normal => Normal, Subnormal => Subnormal,
        }
    }

    /// The first state space named; `.shared::cta` is `Shared`, `.param::entry` is `Param`.
    pub fn space(&self) -> Option<StateSpace> {
        self.spaces().next()
    }

    /// Every state space named, in written order.
    pub fn spaces(&self) -> impl Iterator<Item = StateSpace> + '_ {
        self.as_slice().iter().filter_map(|m| {
            Some(match m {
                Modifier::Global => StateSpace::Global,
                Modifier::Shared | Modifier::SharedCta => StateSpace::Shared,
                Modifier::SharedCluster => StateSpace::SharedCluster,
                Modifier::Local => StateSpace::Local,
                Modifier::Const => StateSpace::Const,
                Modifier::Param | Modifier::ParamEntry | Modifier::ParamFunc => StateSpace::Param,
                _ => return None,
            })
        })
    }

    /// The number of elements that `.v2`, `.v4` or `.v8` gives; `None` for a scalar.
    pub fn vector(&self) -> Option<u8> {
        self.as_slice().iter().find_map(|m| match m {
            Modifier::V2 => Some(2),
            Modifier::V4 => Some(4),
            Modifier::V8 => Some(8),
            Modifier::V16 => Some(16),
            Modifier::V32 => Some(32),
            _ => None,
        })
    }
}

/// The state space of a variable or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateSpace {
    /// Registers.
    Reg,
    /// Special registers.
    SReg,
    /// Constant memory.
    Const,
    /// Global memory.
    Global,
    /// A thread's own memory.
    Local,
    /// Kernel and function parameters.
    Param,
    /// Shared memory of the block.
    Shared,
    /// Shared memory of any block in the cluster; only in instructions.
    SharedCluster,
    /// Textures (deprecated form of a global `.texref`).
    Tex,
}

impl StateSpace {
    /// The name without the leading dot.
    pub fn text(self) -> &'static str {
        match self {
            Self::Reg => "reg",
            Self::SReg => "sreg",
            Self::Const => "const",
            Self::Global => "global",
            Self::Local => "local",
            Self::Param => "param",
            Self::Shared => "shared",
            Self::SharedCluster => "shared::cluster",
            Self::Tex => "tex",
        }
    }
}

impl std::fmt::Display for StateSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, ".{}", self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &str) -> Modifiers {
        let mut m = Modifiers::default();
        for w in words.split_whitespace() {
            assert!(m.push(Modifier::from_text(w).expect(w)));
        }
        m
    }

    #[test]
    fn accessors_answer() {
        let m = of("rn ftz f32 s32");
        assert_eq!(m.rounding(), Some(Rounding::Rn));
        assert!(m.ftz() && !m.sat());
        assert_eq!(m.types(), [ScalarType::F32, ScalarType::S32]);
        let m = of("acquire gpu shared::cta v4 b32");
        assert_eq!(m.semantics(), Some(Semantics::Acquire));
        assert_eq!(m.scope(), Some(Scope::Gpu));
        assert_eq!(m.space(), Some(StateSpace::Shared));
        assert_eq!(m.vector(), Some(4));
        assert_eq!(m.to_string(), ".acquire.gpu.shared::cta.v4.b32");
    }

    #[test]
    fn there_is_an_end_of_room() {
        let mut m = Modifiers::default();
        for _ in 0..MAX_MODIFIERS {
            assert!(m.push(Modifier::Rn));
        }
        assert!(!m.push(Modifier::Rn));
    }
}
