//! Shared memory of collectives: the user's, or a region that all calls without share.

use super::super::memory::MOST_SHARED;
use super::{Call, is_array};
use crate::collective::{Collective, Group, Operation, Part, Scratch, Shuffle};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::{FunctionId, Value};
use crate::infer::{Arguments, SharedRegions};
use crate::operand::Operand;
use crate::types::{Layout, UINT8};

/// The storage of calls that bring none, of blocks and of warps.
const BLOCK_REGION: &str = "cuox_block_storage";
const WARP_REGION: &str = "cuox_warp_storage";
/// The number of the first region that the kernel made itself.
const FIRST_SCRATCH: usize = 2;
/// The least alignment of regions.
const ALIGN: u64 = 16;
/// Stands for these among a kernel's shared arrays.
const PLANNED: FunctionId = FunctionId(u32::MAX);

/// Takes the storage that the user gave off the arguments: an array of bytes in front of the others. Where items are
/// bytes, too, the rest must be what the operation takes.
pub(super) fn take_storage(collective: &Collective, given: &mut Arguments) -> Option<Operand> {
    let named = |(name, _): &(String, Operand)| name == "temp_storage";
    if let Some(at) = given.keywords.iter().position(named) {
        let (_, storage) = given.keywords.remove(at);
        return (!matches!(storage, Operand::Constant(Value::None))).then_some(storage);
    }
    let [Operand::Value(first), rest @ ..] = &given.positional[..] else {
        return None;
    };
    let shape = match first.ty.as_array() {
        Some(array) if array.element == UINT8 && !rest.is_empty() => array.shape.as_deref(),
        _ => return None,
    };
    let arrays = rest.iter().take_while(|one| is_array(one)).count();
    let is_storage = collective.item != UINT8
        || match collective.operation {
            Operation::Load(_) | Operation::Store(_) => arrays >= 2,
            Operation::Scan { .. } => {
                let has_state = matches!(collective.prefix, Some((_, true)));
                arrays == 0 || arrays >= 2 + usize::from(has_state)
            }
            Operation::ReduceBatched { .. } => false,
            Operation::Reduce { .. } => arrays >= 1 || collective.items == 1,
            Operation::Exchange(_) => arrays >= 2 || shape != Some(&[u64::from(collective.items)]),
            Operation::Shuffle(Shuffle::Offset | Shuffle::Rotate) => arrays == 0,
            Operation::Shuffle(_)
            | Operation::AdjacentDifference { .. }
            | Operation::RadixRank { .. }
            | Operation::Histogram { .. } => arrays >= 2,
            Operation::Discontinuity { heads, tails } => {
                arrays >= 1 + usize::from(heads) + usize::from(tails)
            }
            Operation::RunLengthDecode { .. } => arrays >= 3,
            Operation::MergeSort | Operation::RadixSort { .. } => {
                arrays > usize::from(collective.other.is_some())
            }
        };
    is_storage.then(|| given.positional.remove(0))
}

impl Call<'_, '_, '_, '_> {
    /// The pointer to the storage. All calls that bring none share one region; before a call that is not the kernel's
    /// first one stands the barrier that they need.
    pub(super) fn storage(&mut self) -> Result<String> {
        let needed = self.collective.storage();
        let group = self.collective.group;
        let is_needed = needed.bytes > 0;
        let mut column = Some(u32::from(matches!(group, Group::Warp(_))));
        if self.explicit.is_some() && matches!(group, Group::Warps(..)) {
            let text = "groups of warps bring no storage: leave temp_storage out";
            return Err(self.failure(Code::Arguments, text));
        }
        let text = match self.explicit.take() {
            Some(Operand::Constant(Value::Part(Part::Scratch(scratch)))) => {
                let region = self.scratch(&scratch)?;
                column = scratch.syncs.then_some(region);
                scratch_name(region)
            }
            Some(storage) => self.explicit_storage(storage)?,
            None if !is_needed => "nullptr".to_owned(),
            None => {
                let stride = needed.bytes.next_multiple_of(ALIGN);
                self.plan(column.unwrap_or(0), stride * group.beside(), ALIGN)?;
                match group {
                    Group::Block(_) => BLOCK_REGION.to_owned(),
                    Group::Warps(..) => {
                        format!("{BLOCK_REGION} + {}::number() * {stride}", self.group())
                    }
                    Group::Warp(_) => format!(
                        "{WARP_REGION} + {0}::warp_number() * {WARP_REGION}_each + {0}::number() * {stride}",
                        self.group()
                    ),
                }
            }
        };
        if let Some(column) = column.filter(|_| is_needed) {
            self.barrier(column);
        }
        Ok(text)
    }

    /// The number of a region that the kernel made.
    fn scratch(&mut self, scratch: &Scratch) -> Result<u32> {
        if matches!(self.collective.group, Group::Warp(_)) {
            let text = "TempStorage is a block's: leave temp_storage out for warps";
            return Err(self.failure(Code::Arguments, text));
        }
        let needed = self.collective.storage();
        if let Some(bytes) = scratch.bytes.filter(|bytes| *bytes < needed.bytes) {
            let text = format!(
                "its TempStorage has {bytes} bytes, and {} are needed",
                needed.bytes
            );
            return Err(self.failure(Code::Range, &text));
        }
        let owner = self.frame.owner;
        let span = self.frame.span;
        let call = scratch.is_exclusive.then_some((span.line, span.column));
        let key = (owner, scratch.place, call);
        let all = &mut self.frame.program.scratches;
        let number = all.iter().position(|one| *one == key).unwrap_or_else(|| {
            all.push(key);
            all.len() - 1
        });
        let column = u32::try_from(number + FIRST_SCRATCH).unwrap_or(u32::MAX);
        let bytes = scratch.bytes.unwrap_or(needed.bytes).max(1);
        self.plan(column, bytes, scratch.align.max(ALIGN))?;
        Ok(column)
    }

    fn explicit_storage(&mut self, storage: Operand) -> Result<String> {
        let needed = self.collective.storage();
        let storage = self.frame.value(storage)?;
        let Some(array) = storage
            .ty
            .as_array()
            .filter(|array| array.layout == Layout::C)
        else {
            let text = format!(
                "temp_storage must be an array of bytes in shared memory, got {}",
                storage.ty.shown()
            );
            return Err(self.failure(Code::Type, &text));
        };
        let given = array.shape.as_ref().and_then(|shape| {
            let count = shape
                .iter()
                .try_fold(1_u64, |all, length| all.checked_mul(*length))?;
            count.checked_mul(array.element.size()?)
        });
        let wanted = needed.asked();
        if let Some(bytes) = given.filter(|bytes| *bytes < wanted) {
            let text = format!(
                "temp_storage has {bytes} bytes, and {wanted} are needed: see its temp_storage_bytes"
            );
            return Err(self.failure(Code::Range, &text));
        }
        let storage = self.frame.hoist(storage);
        let test = format!("!__isShared({}.data)", storage.text);
        self.refuse(&test, "TypeError", "temp_storage must be in shared memory");
        Ok(format!(
            "py::collective::aligned({}.data, {})",
            storage.text, needed.align
        ))
    }

    /// Counts the region of calls without storage: bytes for a block, or for a warp.
    fn plan(&mut self, column: u32, bytes: u64, align: u64) -> Result<()> {
        let warps = self.frame.program.most_warps();
        let known = self.frame.program.stored.entry(column).or_default();
        known.align = known.align.max(align);
        if bytes > known.bytes {
            known.bytes = bytes;
            known.name.clone_from(&self.collective.name);
        }
        let mut named = Vec::new();
        let mut planned = 0;
        for (column, region) in &self.frame.program.stored {
            let bytes = match *column {
                1 => region.bytes * warps,
                _ => region.bytes,
            };
            let name = &region.name;
            self.frame
                .program
                .shared
                .insert((PLANNED, 0, *column), bytes);
            let whom = if *column == 1 {
                format!(" for {warps} warps")
            } else {
                String::new()
            };
            named.push(format!("{name}() needs {bytes} bytes{whom}"));
            planned += bytes;
        }
        let sum: u64 = self.frame.program.shared.values().sum();
        if sum <= MOST_SHARED {
            return Ok(());
        }
        let rest = if planned < sum {
            format!(", other shared arrays have {}", sum - planned)
        } else {
            String::new()
        };
        let help = if column == 1 {
            "use fewer items per thread, or say how many threads a block has: cuda.jit(launch_bounds=...)"
        } else {
            "use fewer items per thread or smaller blocks"
        };
        Err(Failure::new(
            Code::Range,
            format!(
                "{}{rest}: a block has {MOST_SHARED} bytes of shared memory",
                named.join(", ")
            ),
        )
        .help(help))
    }

    /// The barrier between the uses of a region, where none stands yet.
    fn barrier(&mut self, column: u32) {
        // What the kernel made itself has the other bits; from the eighth region on they share one.
        let own = 1 << column.min(7);
        if self.frame.open_storage & own != 0 {
            let group = self.group();
            self.frame.code.statement(format!("{group}::sync();"));
            if self.collective.group.block().is_some() {
                self.frame.synchronized();
            }
        }
        self.frame.open_storage |= own;
    }
}

/// The declarations of the regions that calls without storage share, in blocks of this many warps.
pub fn declarations(stored: &SharedRegions, warps: u64) -> Vec<String> {
    let regions = stored.iter().map(|(column, region)| {
        let bytes = region.bytes;
        let head = format!("alignas({}) static __shared__ unsigned char", region.align);
        match *column {
            0 => format!("{head} {BLOCK_REGION}[{bytes}];"),
            1 => {
                let all = bytes * warps;
                format!(
                    "{head} {WARP_REGION}[{all}];\nstatic const int {WARP_REGION}_each = {bytes};"
                )
            }
            column => format!("{head} {}[{bytes}];", scratch_name(column)),
        }
    });
    regions.collect()
}

/// The name of a region that the kernel made.
fn scratch_name(column: u32) -> String {
    format!("cuox_scratch_{column}")
}
