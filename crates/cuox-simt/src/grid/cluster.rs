//! A cluster: blocks that run together, with adjacent shared windows and a common barrier.
//!
//! One worker runs all blocks of a cluster, in turns. A cluster therefore ends with any number of workers, and
//! accesses to another block's shared memory need no more synchronisation than those to the own block's.

use super::{Code, Run};
use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress, WINDOW_BITS};
use crate::fault::{Fault, FaultKind};
use crate::places::Place;

/// A block of a cluster.
struct Member<'a> {
    run: Run<'a>,
    ended: bool,
}

/// The blocks of a cluster, by rank.
pub(super) struct Cluster<'a> {
    members: Vec<Member<'a>>,
    /// Blocks of a cluster along each axis.
    extent: [u32; 3],
    /// `blockIdx` of the first block.
    first: [u32; 3],
}

/// Returns `blockIdx` of block `rank` of the cluster whose first block is `first`.
fn block_index(first: [u32; 3], [x, y, _]: [u32; 3], rank: u32) -> [u32; 3] {
    let ahead = [rank % x, rank / x % y, rank / x / y];
    [0, 1, 2].map(|axis| first[axis] + ahead[axis])
}

impl<'a> Cluster<'a> {
    /// Creates a cluster whose first block is `first`. The other blocks' windows follow the first one's.
    pub fn new(code: Code<'a>, env: &'a GridEnv<'a>, first: BlockEnv) -> Self {
        let local = env.block_local();
        let member = |rank: u32| {
            let block = BlockEnv {
                ctaid: block_index(first.ctaid, env.cluster, rank),
                rank,
                shared: first.shared + (u64::from(rank) << WINDOW_BITS),
                local: first.local + u64::from(rank) * local,
                ..first
            };
            Member {
                run: Run::new(code, env, block, 0),
                ended: false,
            }
        };
        Cluster {
            members: (0..env.cluster_blocks()).map(member).collect(),
            extent: env.cluster,
            first: first.ctaid,
        }
    }

    /// Restarts as the cluster whose first block is `first`, in the same windows; returns false if its blocks cannot
    /// be reused.
    pub fn restart(&mut self, first: [u32; 3]) -> bool {
        self.first = first;
        for (rank, member) in (0..).zip(&mut self.members) {
            let Run::Jit(block) = &mut member.run else {
                return false;
            };
            block.restart(block_index(first, self.extent, rank), 0);
            member.ended = false;
        }
        true
    }

    fn deadlock(&self) -> Fault {
        let left = self.members.iter().filter(|m| !m.ended).count();
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
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault> {
        loop {
            let mut yielded = false;
            for member in self.members.iter_mut().filter(|m| !m.ended) {
                match member.run.run(meanwhile)? {
                    Progress::Done => member.ended = true,
                    Progress::Yielded => yielded = true,
                    Progress::Waiting => {}
                }
            }
            if self.members.iter().all(|m| m.ended) {
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
        let running = || self.members.iter().filter(|m| !m.ended);
        let each = || running().map(|m| m.run.arrivals());
        Arrivals {
            any: each().any(|a| a.any),
            all: each().all(|a| a.all),
        }
    }

    fn places(&self, add: &mut dyn FnMut(Place)) {
        for member in self.members.iter().filter(|m| !m.ended) {
            member.run.places(add);
        }
    }

    fn open_cluster(&mut self) {
        for member in self.members.iter_mut().filter(|m| !m.ended) {
            member.run.open_cluster();
        }
    }
}
