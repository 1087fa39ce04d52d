//! Shared memory of collectives: the user's, or a region that all calls without share.

use super::super::memory::MOST_SHARED;
use super::{Call, is_array};
use crate::collective::{Collective, Group, Operation};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::{FunctionId, Value};
use crate::infer::{Arguments, SharedRegions};
use crate::operand::Operand;
use crate::types::{Layout, UINT8};

/// The storage of calls that bring none, of blocks and of warps.
const BLOCK_STORAGE: &str = "cuox_block_storage";
const WARP_STORAGE: &str = "cuox_warp_storage";
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
            Operation::Reduce => arrays >= 1 || collective.items == 1,
            Operation::StripedToBlocked => {
                arrays >= 2 || shape != Some(&[u64::from(collective.items)])
            }
            Operation::MergeSort | Operation::RadixSort { .. } => arrays >= 1,
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
        let text = match self.explicit.take() {
            Some(storage) => self.explicit_storage(storage)?,
            None if !is_needed => "nullptr".to_owned(),
            None => {
                let stride = needed.bytes.next_multiple_of(16);
                self.plan(stride * group.in_warp())?;
                match group {
                    Group::Block(_) => BLOCK_STORAGE.to_owned(),
                    Group::Warp(_) => format!(
                        "{WARP_STORAGE} + {0}::warp_number() * {WARP_STORAGE}_each + {0}::number() * {stride}",
                        self.group()
                    ),
                }
            }
        };
        if is_needed {
            self.barrier();
        }
        Ok(text)
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
        Ok(format!(
            "py::collective::aligned({}.data, {})",
            storage.text, needed.align
        ))
    }

    /// Counts the region of calls without storage: bytes for a block, or for a warp.
    fn plan(&mut self, bytes: u64) -> Result<()> {
        let column = u32::from(matches!(self.collective.group, Group::Warp(_)));
        let warps = self.frame.program.most_warps();
        let known = self.frame.program.stored.entry(column).or_default();
        if bytes > known.0 {
            *known = (bytes, self.collective.name.clone());
        }
        let mut named = Vec::new();
        let mut planned = 0;
        for (column, (bytes, name)) in &self.frame.program.stored {
            let bytes = if *column == 1 { bytes * warps } else { *bytes };
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

    /// The barrier between the uses of a storage. The first call of a kernel needs none, unless it stands in a loop.
    fn barrier(&mut self) {
        let at = (
            self.frame.owner,
            self.frame.span.line,
            self.frame.span.column,
        );
        let first = *self.frame.program.first_collective.get_or_insert(at);
        if first == at && self.frame.is_kernel && !self.frame.is_in_loop() {
            return;
        }
        let group = self.group();
        self.frame.code.statement(format!("{group}::sync();"));
    }
}

/// The declarations of the regions that calls without storage share, in blocks of this many warps.
pub fn declarations(stored: &SharedRegions, warps: u64) -> Vec<String> {
    let regions = stored.iter().map(|(column, (bytes, _))| {
        if *column == 1 {
            let all = bytes * warps;
            format!("alignas(16) static __shared__ unsigned char {WARP_STORAGE}[{all}];\nstatic const int {WARP_STORAGE}_each = {bytes};")
        } else {
            format!("alignas(16) static __shared__ unsigned char {BLOCK_STORAGE}[{bytes}];")
        }
    });
    regions.collect()
}
