//! Operations of all threads of a block or warp together: sums, scans, sorts, loads and stores.
//!
//! A program makes one outside of its kernels, by the names of NVIDIA's `cuda.coop`, and a kernel calls it. It is a
//! typed operation here, whatever its name was: the calls become calls of the prelude's templates.

use crate::host::Value;
use crate::types::Type;

/// Threads of a warp. CUDA C++ Programming Guide, "SIMT Architecture".
pub(crate) const WARP: u64 = 32;
/// The alignment of the storage of what moves whole items.
const ALIGN: u64 = 16;
/// The bytes of a thread's counters in a radix sort, of 16 digits.
const COUNTERS: u64 = 32;
/// The most bytes of a radix sort whose keys and counters lie apart.
const APART: u64 = 24_576;

/// The threads that do it together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// All threads of a block of this shape.
    Block([u32; 3]),
    /// This many neighbouring threads of a warp.
    Warp(u32),
}

/// The places of items in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// A thread's items lie one behind the other.
    Blocked,
    /// The same, moved through shared memory such that neighbouring threads reach neighbouring places.
    Transposed,
    /// A thread's items are as far from each other as there are threads.
    Striped,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Items of an array become the threads' own.
    Load(Arrangement),
    /// The reverse.
    Store(Arrangement),
    /// A striped arrangement becomes a blocked one.
    StripedToBlocked,
    /// All items become one, which the first thread gets.
    Reduce,
    /// Each item becomes the combination of those before it: with itself, or without.
    Scan {
        /// With itself.
        inclusive: bool,
    },
    /// A stable sort by a comparison.
    MergeSort,
    /// A stable sort of numbers by their bits.
    RadixSort {
        /// The greatest first.
        descending: bool,
    },
}

/// The function that combines two items.
#[derive(Debug, Clone, PartialEq)]
pub enum Operator {
    /// One of the prelude, by its name there: `plus`, `minimum`.
    Named(String),
    /// A function of the program.
    Function(Value),
}

/// Such an operation for items of a type.
#[derive(Debug, Clone, PartialEq)]
pub struct Collective {
    /// The name that made it, for messages: `block.sum`.
    pub name: String,
    /// What is done.
    pub operation: Operation,
    /// By whom.
    pub group: Group,
    /// The type of an item.
    pub item: Type,
    /// The number of a thread's items.
    pub items: u32,
    /// What combines or compares two items; loads, stores and radix sorts have none.
    pub operator: Option<Operator>,
    /// The function that gives a scan what comes before the block's items, and whether calls pass it a state.
    pub prefix: Option<(Value, bool)>,
    /// What a scan begins with.
    pub initial: Option<Value>,
}

/// Shared memory that a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storage {
    /// Bytes for one group; 0 for a call that needs none.
    pub bytes: u64,
    /// The alignment.
    pub align: u64,
}

impl Storage {
    /// The bytes that a user's storage must have: an array of bytes may lie anywhere.
    pub fn asked(self) -> u64 {
        self.bytes.max(1) + self.align - 1
    }
}

impl Group {
    /// The number of threads.
    pub fn threads(self) -> u64 {
        match self {
            Self::Block(shape) => shape.into_iter().map(u64::from).product(),
            Self::Warp(threads) => u64::from(threads),
        }
    }

    /// The number of warps.
    pub fn warps(self) -> u64 {
        self.threads().div_ceil(WARP)
    }

    /// Groups in a warp; a block is one group. Lanes at the end of a warp may be no whole one.
    pub fn in_warp(self) -> u64 {
        match self {
            Self::Block(_) => 1,
            Self::Warp(threads) => WARP.div_ceil(u64::from(threads.max(1))),
        }
    }
}

impl Collective {
    /// The shared memory of a group.
    pub fn storage(&self) -> Storage {
        let size = self.item.size().unwrap_or(1);
        let align = self.item.align().unwrap_or(1);
        let (threads, warps) = (self.group.threads(), self.group.warps());
        let all = threads * u64::from(self.items) * size;
        let several = u64::from(warps > 1);
        let (bytes, align) = match self.operation {
            Operation::Reduce => (several * warps * size, align),
            Operation::Scan { .. } => (several * (warps + 1) * size, ALIGN),
            Operation::Load(arrangement) | Operation::Store(arrangement) => (
                if arrangement == Arrangement::Transposed {
                    all
                } else {
                    0
                },
                ALIGN,
            ),
            Operation::StripedToBlocked | Operation::MergeSort => (all, ALIGN),
            Operation::RadixSort { .. } => {
                // As `radix_storage` of the prelude has it.
                let (keys, counters) = (all.next_multiple_of(ALIGN), COUNTERS * threads);
                let sums = match keys + counters {
                    apart if apart <= APART => apart,
                    _ => keys.max(counters),
                };
                (sums + warps * 4, ALIGN)
            }
        };
        Storage { bytes, align }
    }
}
