//! The places in the code where the threads of a grid are when its time is over.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The largest number of places that are listed.
const LISTED: usize = 8;

/// The reason why threads do not run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Waits {
    /// They run.
    No,
    /// A barrier of the block.
    Barrier,
    /// The barrier of the cluster.
    Cluster,
    /// An operation of the warp.
    Warp,
}

/// Threads of a block at one place.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The PTX line.
    pub line: u32,
    /// The reason why they do not run.
    pub waits: Waits,
    /// Their number.
    pub threads: u32,
    /// `threadIdx` of one of them.
    pub thread: [u32; 3],
    /// `blockIdx`.
    pub block: [u32; 3],
}

#[derive(Default, Clone, PartialEq, Eq, Debug)]
struct Group {
    threads: u64,
    blocks: u64,
    /// `blockIdx` and `threadIdx` of one of the threads: of the first block.
    one: ([u32; 3], [u32; 3]),
}

/// The places of a grid's threads.
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    groups: BTreeMap<(u32, Waits), Group>,
    /// The number of blocks in the grid, and of those that have not begun.
    pub blocks: u64,
    pub not_begun: u64,
    started: u64,
}

impl Places {
    /// Adds the places of one block.
    pub fn add_block(&mut self, collect: impl FnOnce(&mut dyn FnMut(Place))) {
        let mut here: BTreeMap<(u32, Waits), Group> = BTreeMap::new();
        collect(&mut |place: Place| {
            let group = here
                .entry((place.line, place.waits))
                .or_insert_with(|| Group {
                    threads: 0,
                    blocks: 1,
                    one: (place.block, place.thread),
                });
            group.threads += u64::from(place.threads);
        });
        self.started += u64::from(!here.is_empty());
        for (key, group) in here {
            let all = self.groups.entry(key).or_default();
            let [x, y, z] = group.one.0;
            let [a, b, c] = all.one.0;
            if all.blocks == 0 || (z, y, x) < (c, b, a) {
                all.one = group.one;
            }
            all.threads += group.threads;
            all.blocks += group.blocks;
        }
    }

    /// Describes the places, with those in the source that `source_of` knows for a PTX line.
    pub fn describe(&self, source_of: &dyn Fn(u32) -> Option<String>) -> String {
        let mut text = format!(
            "; {} of its {} blocks were running",
            self.started, self.blocks
        );
        if self.not_begun > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, " and {} had not begun", self.not_begun);
        }
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.threads));
        for &(&(line, waits), group) in groups.iter().take(LISTED) {
            let place = match source_of(line) {
                Some(source) => format!("{source} (PTX line {line})"),
                None => format!("PTX line {line}"),
            };
            let verb = match waits {
                Waits::No => "at",
                Waits::Barrier => "waiting at the barrier at",
                Waits::Cluster => "waiting at the cluster's barrier at",
                Waits::Warp => "waiting in the warp operation at",
            };
            let plural = |n: u64, word: &str| match n {
                1 => format!("1 {word}"),
                n => format!("{n} {word}s"),
            };
            let (threads, blocks) = (
                plural(group.threads, "thread"),
                plural(group.blocks, "block"),
            );
            let ([x, y, z], [a, b, c]) = group.one;
            let _ = write!(
                text,
                "; {threads} of {blocks} {verb} {place}, one of them block ({x}, {y}, {z}) thread ({a}, {b}, {c})"
            );
        }
        if let Some(more) = groups.len().checked_sub(LISTED).filter(|&n| n > 0) {
            let _ = write!(text, "; and threads at {more} other places");
        }
        text
    }
}
