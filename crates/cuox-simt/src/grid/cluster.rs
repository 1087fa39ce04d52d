//! A cluster: blocks in flight together, whose shared windows lie side by side and whose threads have a barrier.
//!
//! One worker runs all blocks of a cluster, in turns. So a cluster ends however few workers there are, and what its blocks do
//! to each other's shared memory needs no more care than what the threads of one block do.

use super::{Code, Run};
use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress, WINDOW_BITS};
use crate::fault::{Fault, FaultKind};

/// The blocks of a cluster; `None` for those that have ended.
pub(super) struct Cluster<'a> {
    blocks: Vec<Option<Run<'a>>>,
    first: [u32; 3],
}

impl<'a> Cluster<'a> {
    /// A cluster whose first block is `first`. Its windows are followed by those of the others.
    pub fn new(code: Code<'a>, env: &'a GridEnv<'a>, first: BlockEnv) -> Self {
        let [x, y, _] = env.cluster;
        let local = u64::from(env.local_bytes) * u64::from(env.threads());
        let member = |rank: u32| {
            let ahead = [rank % x, rank / x % y, rank / x / y];
            let block = BlockEnv {
                ctaid: [0, 1, 2].map(|axis| first.ctaid[axis] + ahead[axis]),
                rank,
                shared: first.shared + (u64::from(rank) << WINDOW_BITS),
                local: first.local + u64::from(rank) * local,
                ..first
            };
            Some(Run::new(code, env, block, 0))
        };
        Cluster {
            blocks: (0..env.cluster_blocks()).map(member).collect(),
            first: first.ctaid,
        }
    }

    fn deadlock(&self) -> Fault {
        let left = self.blocks.iter().flatten().count();
        let mut fault = Fault::new(
            FaultKind::Deadlock,
            format!(
                "deadlock: {left} blocks of a cluster wait at its barrier for threads that never come"
            ),
        );
        fault.block = Some(self.first);
        fault
    }
}

impl BlockRun for Cluster<'_> {
    fn run(&mut self) -> Result<Progress, Fault> {
        loop {
            let mut yielded = false;
            for slot in &mut self.blocks {
                let Some(block) = slot else { continue };
                match block.run()? {
                    Progress::Done => *slot = None,
                    Progress::Yielded => yielded = true,
                    Progress::Waiting => {}
                }
            }
            if self.blocks.iter().all(Option::is_none) {
                return Ok(Progress::Done);
            }
            let arrivals = self.arrivals();
            if arrivals.any && arrivals.all {
                self.open_cluster();
            } else if yielded {
                return Ok(Progress::Yielded);
            } else {
                return Err(self.deadlock());
            }
        }
    }

    fn arrivals(&self) -> Arrivals {
        let each = || self.blocks.iter().flatten().map(BlockRun::arrivals);
        Arrivals {
            any: each().any(|a| a.any),
            all: each().all(|a| a.all),
        }
    }

    fn open_cluster(&mut self) {
        for block in self.blocks.iter_mut().flatten() {
            block.open_cluster();
        }
    }
}
