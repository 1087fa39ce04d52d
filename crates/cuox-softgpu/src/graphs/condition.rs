//! Conditions: numbers that kernels set and that say which graphs of conditional nodes run (Programming guide,
//! *Conditional Graph Nodes*).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A condition of a graph, for a conditional node in it or in a graph inside of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    pub handle: u64,
    /// The value at first.
    pub value: u32,
    /// It has that value again at the beginning of each launch.
    pub is_reset: bool,
}

impl Condition {
    /// A condition with a handle that no other one has had.
    pub fn new(value: u32, is_reset: bool) -> Condition {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        /// Told from an address and from the handles of [`crate::handle`].
        const MARK: u64 = 0x6376_636f << 32;
        Condition {
            handle: MARK | NEXT.fetch_add(1, Ordering::Relaxed),
            value,
            is_reset,
        }
    }
}

/// The conditions of an executable graph, by their handles.
#[derive(Default)]
pub struct Conditions(HashMap<u64, (Condition, AtomicU32)>);

impl Conditions {
    /// Those of these nodes.
    pub fn of(conditions: impl Iterator<Item = Condition>) -> Conditions {
        let value = |one: Condition| (one.handle, (one, AtomicU32::new(one.value)));
        Conditions(conditions.map(value).collect())
    }

    /// A launch begins.
    pub fn reset(&self) {
        for (condition, value) in self.0.values().filter(|(one, _)| one.is_reset) {
            value.store(condition.value, Ordering::Relaxed);
        }
    }

    /// A kernel sets a condition. One of another graph stays as it is.
    pub fn set(&self, handle: u64, to: u32) {
        if let Some((_, value)) = self.0.get(&handle) {
            value.store(to, Ordering::Relaxed);
        }
    }

    pub fn get(&self, handle: u64) -> u32 {
        let found = self.0.get(&handle);
        found.map_or(0, |(_, value)| value.load(Ordering::Relaxed))
    }
}
