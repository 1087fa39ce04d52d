//! Operations of all threads of a block or warp together: sums, scans, sorts, loads and stores.
//!
//! A program makes one outside of its kernels, by the names of NVIDIA's `cuda.coop`, and a kernel calls it. It is a
//! typed operation here, whatever its name was: the calls become calls of the prelude's templates.

use std::sync::Arc;

use crate::host::Value;
use crate::operand::Closure;
use crate::types::Type;

/// Threads of a warp. CUDA C++ Programming Guide, "SIMT Architecture".
pub(crate) const WARP: u64 = 32;
/// From so many warps on the first one of a block rakes in scans. On an H200 four warps took an eighth longer so, and
/// eight a third less.
const LEAST_RAKED: u64 = 6;
/// The alignment of the storage of what moves whole items.
const ALIGN: u64 = 16;
/// The bytes of a thread's counters in a radix sort, of 16 digits.
const COUNTERS: u64 = 32;
/// The least bytes of the number of an item that a run begins with.
const RUN_BYTES: u64 = 4;
/// The most bytes of a radix sort whose keys and counters lie apart.
const APART: u64 = 24_576;

/// The threads that do it together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// All threads of a block of this shape.
    Block([u32; 3]),
    /// This many neighbouring threads of a warp.
    Warp(u32),
    /// So many neighbouring warps of a block of this shape. All threads of the block get to the call.
    Warps([u32; 3], u32),
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

impl Arrangement {
    /// That of an algorithm of loads and stores: each moves the items to the same places, but for `striped`.
    pub fn named(algorithm: &str) -> Option<Self> {
        Some(match algorithm {
            // The last one would take less shared memory; here it takes none.
            "direct" | "vectorize" | "warp_transpose_timesliced" => Self::Blocked,
            "striped" => Self::Striped,
            "transpose" | "warp_transpose" => Self::Transposed,
            _ => return None,
        })
    }
}

/// The threads that a kernel names for a call: `coop.this_block()`, `coop.this_warp().group_by(8)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// The calling one, to ask for its place.
    Thread,
    /// All threads of a launch, to ask for places in them.
    Grid,
    /// The block, of the shape that the launch gives it.
    Block,
    /// This many neighbouring threads of a warp.
    Warp(u32),
    /// This many neighbouring warps of the block.
    Warps(u32),
}

/// Storage that a kernel names for calls: `coop.TempStorage()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scratch {
    /// The line and column that made it: the same place makes the same storage.
    pub place: (u32, u32),
    /// Its bytes, if they were given; else as many as the largest call needs.
    pub bytes: Option<u64>,
    /// The least alignment.
    pub align: u64,
    /// A barrier is put between its uses.
    pub syncs: bool,
    /// Each call has a part of its own.
    pub is_exclusive: bool,
}

/// The items of a thread whose type is found later: `coop.ThreadData(4)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untyped {
    /// Where they were made: the version of the function, line and column.
    pub place: Place,
    /// The number of items.
    pub items: u64,
}

/// A place in a version of a function, by its name in CUDA C++.
pub type Place = (String, u32, u32);

/// The operators that have a name: as a program writes it, and as the prelude does.
pub const OPERATORS: &[(&str, &str)] = &[
    ("+", "plus"),
    ("add", "plus"),
    ("plus", "plus"),
    ("sum", "plus"),
    ("*", "multiplies"),
    ("mul", "multiplies"),
    ("multiply", "multiplies"),
    ("multiplies", "multiplies"),
    ("min", "minimum"),
    ("minimum", "minimum"),
    ("max", "maximum"),
    ("maximum", "maximum"),
    ("&", "bit_and"),
    ("and", "bit_and"),
    ("bit_and", "bit_and"),
    ("|", "bit_or"),
    ("or", "bit_or"),
    ("bit_or", "bit_or"),
    ("^", "bit_xor"),
    ("xor", "bit_xor"),
    ("bit_xor", "bit_xor"),
];

/// One of them.
pub(crate) fn named_operator(name: &str) -> Option<&'static str> {
    let found = OPERATORS.iter().find(|(written, _)| *written == name);
    found.map(|(_, name)| *name)
}

/// As programs write an operator of the prelude.
pub(crate) fn operator_symbol(name: &str) -> &str {
    match name {
        "minus" => "-",
        "less" => "<",
        "greater" => ">",
        "differs" => "!=",
        _ => {
            let found = OPERATORS.iter().find(|(_, known)| *known == name);
            found.map_or(name, |(written, _)| written)
        }
    }
}

/// What kernels make for calls of collectives, known when they are compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Threads.
    Group(Threads),
    /// Storage.
    Scratch(Scratch),
    /// Items.
    Items(Untyped),
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Items of an array become the threads' own.
    Load(Arrangement),
    /// The reverse.
    Store(Arrangement),
    /// Items change their threads.
    Exchange(Exchange),
    /// Values or items of other threads.
    Shuffle(Shuffle),
    /// What a function makes of each item and its neighbour.
    AdjacentDifference {
        /// The neighbour behind; else the one before.
        right: bool,
    },
    /// Flags of items that a function tells from their neighbours.
    Discontinuity {
        /// From the one before.
        heads: bool,
        /// From the one behind.
        tails: bool,
    },
    /// All items become one, which the first thread gets.
    Reduce {
        /// All threads get it.
        broadcast: bool,
    },
    /// All first items become one, all second ones, and so on; each thread gets its share of the results.
    ReduceBatched {
        /// A thread's results are neighbours; else they are as far apart as there are threads.
        blocked: bool,
    },
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
    /// The places of integers in the order of these bits.
    RadixRank {
        /// The greatest first.
        descending: bool,
        /// The first bit.
        begin: u32,
        /// The bit behind the last one.
        end: u32,
    },
    /// How often each value occurs, from 0 to below this number.
    Histogram {
        /// The number of values.
        bins: u32,
        /// The bins of each thread in the result; 0 for an array in shared memory.
        each: u32,
    },
    /// Runs become this many items of each thread; 0 for all items in an array in memory.
    RunLengthDecode {
        /// Items of each thread.
        decoded: u32,
    },
}

/// Exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// An arrangement becomes another one.
    Layout {
        /// The one that there is.
        from: Order,
        /// The one that is made.
        to: Order,
    },
    /// Each item goes to the place that is given with it.
    Scatter {
        /// The arrangement of these places.
        to: Order,
        /// Which items go.
        guard: Guard,
    },
}

/// The order of a group's items by their threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// A thread's items are neighbours.
    Blocked,
    /// Neighbours are items of neighbouring threads.
    Striped,
    /// The same within each warp.
    WarpStriped,
}

/// Which items of a scatter go to their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// All.
    None,
    /// Those whose place is not negative.
    Rank,
    /// Those with a flag.
    Flag,
}

/// Shuffles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shuffle {
    /// One value of the thread that is so far behind.
    Offset,
    /// The same, with the first thread behind the last one.
    Rotate,
    /// Items move to the next place.
    Up,
    /// Items move to the place before.
    Down,
}

impl Exchange {
    /// By NVIDIA's name: `striped_to_blocked`.
    pub fn named(name: &str) -> Option<Self> {
        use Order::{Blocked, Striped, WarpStriped};
        let layout = |from, to| Some(Self::Layout { from, to });
        let scatter = |to, guard| Some(Self::Scatter { to, guard });
        match name {
            "striped_to_blocked" => layout(Striped, Blocked),
            "blocked_to_striped" => layout(Blocked, Striped),
            "warp_striped_to_blocked" => layout(WarpStriped, Blocked),
            "blocked_to_warp_striped" => layout(Blocked, WarpStriped),
            "scatter_to_blocked" => scatter(Blocked, Guard::None),
            "scatter_to_striped" => scatter(Striped, Guard::None),
            "scatter_to_striped_guarded" => scatter(Striped, Guard::Rank),
            "scatter_to_striped_flagged" => scatter(Striped, Guard::Flag),
            _ => None,
        }
    }

    /// True if it goes by whole warps.
    pub fn is_of_warps(self) -> bool {
        match self {
            Self::Layout { from, to } => [from, to].contains(&Order::WarpStriped),
            Self::Scatter { .. } => false,
        }
    }
}

impl Shuffle {
    /// By NVIDIA's name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "offset" => Self::Offset,
            "rotate" => Self::Rotate,
            "up" => Self::Up,
            "down" => Self::Down,
            _ => return None,
        })
    }
}

/// The function that combines two items.
#[derive(Debug, Clone, PartialEq)]
pub enum Operator {
    /// One of the prelude, by its name there: `plus`, `minimum`.
    Named(String),
    /// A function of the program.
    Function(Value),
    /// A function that is defined inside of the kernel.
    Inside(Arc<Closure>),
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
    /// The type of what belongs to them: the values of a sort by keys, counters, lengths of runs.
    pub other: Option<Type>,
    /// What combines or compares two items; loads, stores and radix sorts have none.
    pub operator: Option<Operator>,
    /// The function that gives a scan what comes before the block's items, and whether calls pass it a state.
    pub prefix: Option<(Operator, bool)>,
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

/// The shape of a block in messages.
pub fn shown(shape: [u32; 3]) -> String {
    match shape {
        [x, 1, 1] => format!("{x} threads"),
        [x, y, 1] => format!("{x} x {y} threads"),
        [x, y, z] => format!("{x} x {y} x {z} threads"),
    }
}

impl Group {
    /// Its class in the prelude.
    pub fn class(self) -> String {
        match self {
            Self::Block([x, y, z]) => format!("py::collective::block<{x}, {y}, {z}>"),
            Self::Warp(threads) => format!("py::collective::warp<{threads}>"),
            Self::Warps([x, y, z], warps) => {
                format!("py::collective::group_of_warps<{x}, {y}, {z}, {warps}>")
            }
        }
    }

    /// The number of threads.
    pub fn threads(self) -> u64 {
        match self {
            Self::Block(shape) => shape.into_iter().map(u64::from).product(),
            Self::Warp(threads) => u64::from(threads),
            Self::Warps(_, warps) => u64::from(warps) * WARP,
        }
    }

    /// The shape of the block whose threads all get to the call.
    pub fn block(self) -> Option<[u32; 3]> {
        match self {
            Self::Block(shape) | Self::Warps(shape, _) => Some(shape),
            Self::Warp(_) => None,
        }
    }

    /// The number of warps.
    pub fn warps(self) -> u64 {
        self.threads().div_ceil(WARP)
    }

    /// True if a scan by the first warp alone may be faster: all warps are whole, and there are some.
    pub fn may_rake(self) -> bool {
        self.warps() >= LEAST_RAKED && self.threads().is_multiple_of(WARP)
    }

    /// Groups in a warp, or in a block. What is left at the end may be no whole one.
    pub fn beside(self) -> u64 {
        match self {
            Self::Block(_) => 1,
            Self::Warp(threads) => WARP.div_ceil(u64::from(threads.max(1))),
            Self::Warps(shape, _) => Self::Block(shape).threads().div_ceil(self.threads().max(1)),
        }
    }
}

impl Collective {
    /// The bytes of what belongs to an item.
    fn other_size(&self) -> u64 {
        self.other.as_ref().and_then(Type::size).unwrap_or(0)
    }

    /// The bytes of a radix sort of items of this size: as `radix_storage` of the prelude has it.
    fn radix_bytes(&self, size: u64) -> u64 {
        let threads = self.group.threads();
        let keys = (threads * u64::from(self.items) * size).next_multiple_of(ALIGN);
        let counters = COUNTERS * threads;
        let sums = match keys + counters {
            apart if apart <= APART => apart,
            _ => keys.max(counters),
        };
        sums + self.group.warps() * 4
    }

    /// The shared memory of a group.
    pub fn storage(&self) -> Storage {
        let size = self.item.size().unwrap_or(1);
        let align = self.item.align().unwrap_or(1);
        let (threads, warps) = (self.group.threads(), self.group.warps());
        let all = threads * u64::from(self.items) * size;
        let several = u64::from(warps > 1);
        let (bytes, align) = match self.operation {
            Operation::Reduce { .. } | Operation::ReduceBatched { .. } => {
                (several * warps * size, align)
            }
            Operation::Scan { .. } if self.group.may_rake() => {
                // As `raking` of the prelude has it, and two values more.
                ((WARP * ((threads / WARP) | 1) + 2) * size, ALIGN)
            }
            Operation::Scan { .. } => (several * (warps + 1) * size, ALIGN),
            Operation::Load(arrangement) | Operation::Store(arrangement) => (
                if arrangement == Arrangement::Transposed {
                    all
                } else {
                    0
                },
                ALIGN,
            ),
            Operation::Exchange(_) => (all, ALIGN),
            Operation::MergeSort => {
                let values = threads * u64::from(self.items) * self.other_size();
                (all.max(values), ALIGN)
            }
            Operation::Shuffle(_) | Operation::AdjacentDifference { .. } => (threads * size, ALIGN),
            Operation::Discontinuity { heads, tails } => {
                let boundaries = u64::from(heads) + u64::from(tails);
                (boundaries * threads * size, ALIGN)
            }
            Operation::RadixSort { .. } => (self.radix_bytes(size.max(self.other_size())), ALIGN),
            // The places of the keys go with them.
            Operation::RadixRank { .. } => (self.radix_bytes(size.max(4)), ALIGN),
            Operation::Histogram { bins, each } => {
                let own = if each > 0 { u64::from(bins) } else { 0 };
                (own * self.other_size(), ALIGN)
            }
            Operation::RunLengthDecode { .. } => {
                // As `runs` of the prelude has it.
                let runs = threads * u64::from(self.items);
                let offset = self.other_size().max(RUN_BYTES);
                let begins = ((warps + 1 + runs) * offset).next_multiple_of(ALIGN);
                (begins + runs * size, ALIGN)
            }
        };
        Storage { bytes, align }
    }
}
