//! Handles that can be checked: an opaque number names a slot and a generation, never an address, so
//! that a stale or invented handle is found out without being dereferenced.

use parking_lot::RwLock;
use std::collections::VecDeque;
use std::sync::Arc;

/// The kind of object that a handle names; part of the number, so that a stream is never taken for an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum HandleKind {
    Context = 0x11,
    Stream = 0x12,
    Event = 0x13,
    Module = 0x14,
    Function = 0x15,
    Library = 0x16,
    Linker = 0x17,
    Pool = 0x18,
    Array = 0x19,
    Mipmap = 0x1a,
    Texture = 0x1b,
    Surface = 0x1c,
    Graph = 0x1d,
    GraphNode = 0x1e,
    GraphExec = 0x1f,
    UserObject = 0x20,
    PhysicalMemory = 0x21,
    GreenContext = 0x22,
    /// A green context as a `CUcontext`.
    GreenAsContext = 0x23,
}

impl HandleKind {
    /// The handle of this kind that has the rest of another kind's.
    pub fn with_rest_of(self, handle: u64) -> u64 {
        let rest = handle & ((1 << KIND_SHIFT) - 1);
        (u64::from(self as u8) << KIND_SHIFT) | rest
    }

    /// True if a handle says that it is of this kind.
    #[inline]
    pub fn is_of(self, handle: u64) -> bool {
        handle >> KIND_SHIFT == u64::from(self as u8)
    }
}

const INDEX_BITS: u32 = 24;
const GENERATION_BITS: u32 = 20;
/// The low bits stay zero, as in a pointer.
const SHIFT: u32 = 4;
const KIND_SHIFT: u32 = SHIFT + INDEX_BITS + GENERATION_BITS;

struct Slot<T> {
    generation: u32,
    item: Option<Arc<T>>,
}

struct Slots<T> {
    slots: Vec<Slot<T>>,
    /// Reused oldest first, which makes a stale handle stay stale for long.
    free: VecDeque<u32>,
}

/// The objects of one kind.
pub struct Table<T> {
    kind: HandleKind,
    inner: RwLock<Slots<T>>,
}

impl<T> Table<T> {
    pub fn new(kind: HandleKind) -> Table<T> {
        Table {
            kind,
            inner: RwLock::new(Slots {
                slots: Vec::new(),
                free: VecDeque::new(),
            }),
        }
    }

    fn encode(&self, index: u32, generation: u32) -> u64 {
        (u64::from(self.kind as u8) << KIND_SHIFT)
            | (u64::from(generation) << (SHIFT + INDEX_BITS))
            | (u64::from(index) << SHIFT)
    }

    fn decode(&self, handle: u64) -> Option<(usize, u32)> {
        let index = (handle >> SHIFT) & ((1 << INDEX_BITS) - 1);
        let generation = ((handle >> (SHIFT + INDEX_BITS)) & ((1 << GENERATION_BITS) - 1)) as u32;
        (self.encode(index as u32, generation) == handle).then_some((index as usize, generation))
    }

    /// Stores the object that `make` makes for its new handle. `None` when the table is full.
    pub fn insert(&self, make: impl FnOnce(u64) -> T) -> Option<Arc<T>> {
        let mut inner = self.inner.write();
        // A slot is reused only after many others have been free for longer.
        const LINGER: usize = 64;
        let reuse = if inner.free.len() > LINGER {
            inner.free.pop_front()
        } else {
            None
        };
        let index = match reuse {
            Some(index) => index,
            None => {
                let index = inner.slots.len() as u32;
                if index >= 1 << INDEX_BITS {
                    inner.free.pop_front()?
                } else {
                    inner.slots.push(Slot {
                        generation: 1,
                        item: None,
                    });
                    index
                }
            }
        };
        let slot = inner.slots.get_mut(index as usize)?;
        let item = Arc::new(make(self.encode(index, slot.generation)));
        slot.item = Some(item.clone());
        Some(item)
    }

    pub fn get(&self, handle: u64) -> Option<Arc<T>> {
        let (index, generation) = self.decode(handle)?;
        let inner = self.inner.read();
        let slot = inner.slots.get(index)?;
        if slot.generation == generation {
            slot.item.clone()
        } else {
            None
        }
    }

    /// Takes the object out; its handle is stale from now on.
    pub fn remove(&self, handle: u64) -> Option<Arc<T>> {
        let (index, generation) = self.decode(handle)?;
        let mut inner = self.inner.write();
        let slot = inner.slots.get_mut(index)?;
        if slot.generation != generation {
            return None;
        }
        let item = slot.item.take()?;
        slot.generation = (slot.generation + 1) & ((1 << GENERATION_BITS) - 1);
        inner.free.push_back(index as u32);
        Some(item)
    }

    /// Every object that `wanted` accepts.
    pub fn select(&self, wanted: impl Fn(&T) -> bool) -> Vec<Arc<T>> {
        let inner = self.inner.read();
        inner
            .slots
            .iter()
            .filter_map(|s| s.item.as_ref())
            .filter(|t| wanted(t))
            .cloned()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_and_foreign_handles_are_unknown() {
        let t = Table::new(HandleKind::Stream);
        let a = t.insert(|h| h).unwrap();
        assert_eq!(t.get(*a).as_deref(), Some(&*a));
        for bad in [0, 1, 2, u64::MAX, *a + 1, *a ^ (1 << 30), *a + 16] {
            assert!(t.get(bad).is_none(), "{bad:#x}");
        }
        assert!(Table::<u64>::new(HandleKind::Event).get(*a).is_none());
        assert!(t.remove(*a).is_some());
        assert!(t.remove(*a).is_none() && t.get(*a).is_none());
        for _ in 0..200 {
            let b = t.insert(|h| h).unwrap();
            assert_ne!(a, b);
            t.remove(*b);
        }
        assert!(t.inner.read().slots.len() < 100);
    }
}
