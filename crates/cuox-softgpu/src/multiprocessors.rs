//! Sets of a device's multiprocessors: the resources that green contexts are made of.

use crate::code::{INVALID_RESOURCE_CONFIGURATION, INVALID_RESOURCE_TYPE, INVALID_VALUE, Res};
use crate::context_state::Barriers;
use crate::fault::explain;
use crate::settings;
use cuox_abi::{CUdevResource, CUdevResourceType, CUdevSmResource};
use parking_lot::Mutex;
use std::sync::Arc;

/// `CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING`.
pub const IGNORE_COSCHEDULING: u32 = 1;

/// Some multiprocessors of a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Multiprocessors {
    pub device: usize,
    /// Their numbers, in order.
    pub numbers: Vec<u32>,
    /// True for those of a split.
    is_part: bool,
}

/// What a green context has of its own.
pub struct Part {
    /// The green context's handle.
    pub handle: u64,
    pub id: u64,
    pub multiprocessors: Arc<Multiprocessors>,
    /// What work that is submitted from now on comes behind.
    pub barriers: Barriers,
}

/// All sets of multiprocessors that the program has seen; a resource and a descriptor name one by its number.
#[derive(Default)]
pub struct Resources(Mutex<Vec<Arc<Multiprocessors>>>);

/// What the bytes of a resource begin with that are the driver's.
const MAGIC: &[u8; 8] = b"cuoxdevR";

/// The smallest part and the step of its size, as the Driver API manual has it (`cuDevSmResourceSplitByCount`).
fn smallest_part(flags: u32) -> u32 {
    match settings::sm() / 10 {
        9.. if flags & IGNORE_COSCHEDULING == 0 => 8,
        8 => 4,
        _ => 2,
    }
}

/// The step of a part's size.
fn step(flags: u32) -> u32 {
    match settings::sm() / 10 {
        9.. if flags & IGNORE_COSCHEDULING == 0 => 8,
        _ => 2,
    }
}

impl Resources {
    /// The number of a set.
    fn number_of(&self, set: Multiprocessors) -> u64 {
        let mut all = self.0.lock();
        let known = all.iter().position(|known| **known == set);
        let at = known.unwrap_or_else(|| {
            all.push(Arc::new(set));
            all.len() - 1
        });
        at as u64
    }

    /// The set with that number.
    pub fn get(&self, number: u64) -> Option<Arc<Multiprocessors>> {
        let at = usize::try_from(number).ok()?;
        self.0.lock().get(at).cloned()
    }

    /// All multiprocessors of a device.
    pub fn of_device(&self, device: usize) -> u64 {
        self.number_of(Multiprocessors {
            device,
            numbers: (0..cuox_simt::multiprocessors()).collect(),
            is_part: false,
        })
    }

    /// A set as the header has it; an empty one is no resource. Parts do not say how they may be split, as on an H200.
    pub fn describe(&self, number: u64) -> CUdevResource {
        let mut made = CUdevResource::default();
        let Some(set) = self.get(number).filter(|set| !set.numbers.is_empty()) else {
            return made;
        };
        let of_whole = |value: u32| if set.is_part { 0 } else { value };
        made.type_ = CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM;
        made._internal_padding[..8].copy_from_slice(MAGIC);
        made._internal_padding[8..16].copy_from_slice(&number.to_le_bytes());
        made.anon0.sm = CUdevSmResource {
            smCount: set.numbers.len() as u32,
            minSmPartitionSize: of_whole(smallest_part(0)),
            smCoscheduledAlignment: of_whole(step(0)),
        };
        made
    }

    /// The set that a resource of the program's is.
    pub fn named(&self, resource: &CUdevResource) -> Res<(u64, Arc<Multiprocessors>)> {
        if resource.type_ != CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM {
            explain(format!(
                "a resource of multiprocessors (CU_DEV_RESOURCE_TYPE_SM) is expected, this is one of type {}",
                resource.type_.0
            ));
            return Err(INVALID_RESOURCE_TYPE);
        }
        let mut number = [0; 8];
        number.copy_from_slice(&resource._internal_padding[8..16]);
        let number = u64::from_le_bytes(number);
        // SAFETY: the type says that this member is meant; all its bits are numbers.
        let count = unsafe { resource.anon0.sm }.smCount;
        let is_ours = resource._internal_padding[..8] == *MAGIC;
        let found = self
            .get(number)
            .filter(|set| is_ours && set.numbers.len() == count as usize);
        found.map(|set| (number, set)).ok_or_else(|| {
            explain(
                "the resource is not as the driver has given it (cuDeviceGetDevResource, cuDevSmResourceSplitByCount)"
                    .into(),
            );
            INVALID_RESOURCE_CONFIGURATION
        })
    }

    /// Splits a set into as many parts as there are, or fewer, of at least `count` multiprocessors each. Answers the
    /// parts, and what is left. Flags that have no meaning here have none on an H200 either.
    pub fn split(
        &self,
        set: &Multiprocessors,
        most: Option<u32>,
        count: u32,
        flags: u32,
    ) -> Res<(Vec<u64>, u64)> {
        let whole = set.numbers.len() as u64;
        let least = u64::from(count.max(smallest_part(flags)));
        let size = least.next_multiple_of(u64::from(step(flags)));
        let possible = whole / size;
        if possible == 0 {
            explain(format!(
                "parts have at least {size} multiprocessors, and there are {whole} (CUOX_SOFT_MULTIPROCESSORS gives a device more)"
            ));
            return Err(INVALID_RESOURCE_CONFIGURATION);
        }
        let parts = possible.min(u64::from(most.unwrap_or(u32::MAX)));
        let part = |numbers: &[u32]| {
            self.number_of(Multiprocessors {
                device: set.device,
                numbers: numbers.to_vec(),
                is_part: true,
            })
        };
        let (taken, left) = set.numbers.split_at((parts * size) as usize);
        Ok((taken.chunks(size as usize).map(part).collect(), part(left)))
    }

    /// The set that several resources of a device are together. They may overlap.
    pub fn union(&self, resources: &[CUdevResource]) -> Res<u64> {
        let named = resources.iter().map(|one| self.named(one));
        let named = named.collect::<Res<Vec<_>>>()?;
        let device = match &named[..] {
            [] => return Err(INVALID_VALUE),
            [(number, _)] => return Ok(*number),
            [(_, first), ..] => first.device,
        };
        if named.iter().any(|(_, set)| set.device != device) {
            explain("the resources are of several devices".into());
            return Err(INVALID_RESOURCE_CONFIGURATION);
        }
        let mut numbers: Vec<u32> = named
            .iter()
            .flat_map(|(_, set)| set.numbers.iter().copied())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(self.number_of(Multiprocessors {
            device,
            numbers,
            is_part: true,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(resources: &Resources, number: u64) -> Vec<u32> {
        resources.get(number).unwrap().numbers.clone()
    }

    #[test]
    fn parts_are_disjoint_and_go_together_again() {
        let resources = Resources::default();
        let all = Multiprocessors {
            device: 0,
            numbers: (0..20).collect(),
            is_part: false,
        };
        let (parts, left) = resources.split(&all, None, 3, 0).unwrap();
        assert_eq!(parts.len(), 2);
        assert_eq!(set(&resources, parts[1]), (8..16).collect::<Vec<_>>());
        assert_eq!(set(&resources, left), (16..20).collect::<Vec<_>>());
        let (one, left) = resources.split(&all, Some(1), 9, 0).unwrap();
        assert_eq!((one.len(), set(&resources, left).len()), (1, 4));
        let (small, _) = resources.split(&all, None, 1, IGNORE_COSCHEDULING).unwrap();
        assert_eq!(small.len(), 10);
        assert_eq!(
            resources.split(&all, None, 21, 0),
            Err(INVALID_RESOURCE_CONFIGURATION)
        );
        let (parts_of_flag, _) = resources.split(&all, None, 8, 4).unwrap();
        assert_eq!(parts_of_flag.len(), 2);
        assert_eq!(
            resources.split(&all, None, u32::MAX, 0),
            Err(INVALID_RESOURCE_CONFIGURATION)
        );
        let described = [parts[1], parts[0]].map(|part| resources.describe(part));
        let union = resources.union(&described).unwrap();
        assert_eq!(set(&resources, union), (0..16).collect::<Vec<_>>());
        // Overlaps count once, whatever split a part is of.
        let mixed = [described[0], described[0], resources.describe(one[0])];
        let union = resources.union(&mixed).unwrap();
        assert_eq!(set(&resources, union), (0..16).collect::<Vec<_>>());
        let other = Multiprocessors {
            device: 1,
            ..all.clone()
        };
        let elsewhere = resources.describe(resources.number_of(other));
        assert_eq!(
            resources.union(&[described[0], elsewhere]),
            Err(INVALID_RESOURCE_CONFIGURATION)
        );
        // SAFETY: this member was described.
        let said = |of: &CUdevResource| unsafe { of.anon0.sm };
        assert_eq!(said(&described[0]).minSmPartitionSize, 0);
        assert_ne!(said(&elsewhere).minSmPartitionSize, 0);
        let mut changed = described[0];
        changed.anon0.sm.smCount = 9;
        assert_eq!(
            resources.named(&changed).err(),
            Some(INVALID_RESOURCE_CONFIGURATION)
        );
        let nothing = CUdevResource::default();
        assert_eq!(resources.named(&nothing).err(), Some(INVALID_RESOURCE_TYPE));
    }
}
