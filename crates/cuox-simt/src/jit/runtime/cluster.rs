//! The cluster barrier, as one block of the cluster sees it: arrival and release.
//!
//! A block records which of its lanes have arrived. The scheduler of the cluster compares the arrivals of all blocks
//! and releases them together, unless the cluster has one block only.

use crate::env::Arrivals;
use crate::ir::{BlockId, ClusterStep, Terminator};
use crate::jit::runtime::block::{JitBlock, Mode, TurnOutcome};
use crate::sem;

/// Lanes of each warp that have arrived since the barrier was last released.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cluster {
    arrived: [u32; 32],
}

impl JitBlock<'_> {
    /// Handles the arrival of a gang at the cluster barrier.
    pub(crate) fn gang_at_cluster_barrier(
        &mut self,
        w: usize,
        block: BlockId,
        step: ClusterStep,
        next: BlockId,
    ) -> Option<TurnOutcome> {
        let gang = w..w + self.warps[w].gang;
        let arrived = &mut self.cluster.arrived[gang];
        match step {
            ClusterStep::Arrive => arrived.fill(u32::MAX),
            ClusterStep::Wait if arrived.iter().any(|&lanes| lanes != 0) => {
                self.warps[w].mode = Mode::GangAtCluster(block);
                return Some(TurnOutcome::Stopped);
            }
            ClusterStep::Wait => {}
        }
        self.warps[w].mode = Mode::Gang(next);
        None
    }

    /// Handles the arrival of some lanes of a warp at the cluster barrier.
    pub(crate) fn threads_at_cluster_barrier(
        &mut self,
        w: usize,
        block: BlockId,
        mask: u32,
        step: ClusterStep,
        next: BlockId,
    ) {
        let lanes = &mut self.warps[w].lanes;
        let waits = match step {
            ClusterStep::Arrive => {
                self.cluster.arrived[w] |= mask;
                0
            }
            ClusterStep::Wait => mask & self.cluster.arrived[w],
        };
        lanes.in_cluster |= waits;
        for lane in sem::warp::lanes_of(waits) {
            lanes.block[lane] = block.0;
        }
        lanes.pcs.add(next.index(), mask & !waits);
    }

    /// Returns the numbers of threads that have arrived and that wait.
    pub(crate) fn cluster_arrivals(&self) -> Arrivals {
        if !self.compiled.plan.has_cluster_barrier {
            return Arrivals {
                any: false,
                all: self.alive_threads == 0,
            };
        }
        let arrived = || self.cluster.arrived.iter().zip(&self.warps);
        Arrivals {
            any: arrived().any(|(&here, _)| here != 0),
            all: arrived().all(|(&here, warp)| warp.alive & !here == 0),
        }
    }

    /// Tells whether the barrier is complete in a cluster that consists of this block alone.
    pub(crate) fn opens(&self) -> bool {
        let arrivals = self.cluster_arrivals();
        arrivals.any && arrivals.all
    }

    /// Tells whether a thread waits for the rest of the cluster.
    pub(crate) fn waits_for_cluster(&self) -> bool {
        self.warps.iter().any(|warp| match warp.mode {
            Mode::GangAtCluster(_) => true,
            Mode::Threads => warp.lanes.in_cluster != 0,
            Mode::Gang(_) | Mode::GangAtBarrier(..) | Mode::Member | Mode::Done => false,
        })
    }

    /// Releases the waiting threads and starts the next phase.
    pub(crate) fn release_cluster(&mut self) {
        let compiled = self.compiled;
        let next_of = |block: BlockId| match compiled.plan.func.blocks[block.index()].end {
            Terminator::Cluster { next, .. } => next,
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => block,
        };
        self.cluster = Cluster::default();
        let mut opened = None;
        for w in 0..self.warps.len() {
            match self.warps[w].mode {
                Mode::GangAtCluster(block) => {
                    let next = next_of(block);
                    self.warps[w].mode = Mode::Gang(next);
                    opened = Some(next);
                }
                Mode::Threads if self.warps[w].lanes.in_cluster != 0 => {
                    let lanes = &mut self.warps[w].lanes;
                    for lane in sem::warp::lanes_of(std::mem::take(&mut lanes.in_cluster)) {
                        let next = next_of(BlockId(lanes.block[lane]));
                        lanes.pcs.add(next.index(), 1 << lane);
                    }
                    if let Some(at) = lanes.pcs.common_block() {
                        self.try_reconverge(w, BlockId(at as u32));
                    }
                }
                Mode::Gang(_)
                | Mode::GangAtBarrier(..)
                | Mode::Member
                | Mode::Threads
                | Mode::Done => {}
            }
        }
        if let Some(next) = opened {
            self.merge(next);
        }
    }
}
