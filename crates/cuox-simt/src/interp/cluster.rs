//! The barrier of a cluster, as one of its blocks sees it: who has arrived. When every block says that all have, it opens.

use super::Env;
use super::thread::{Status, Thread};
use crate::env::Arrivals;
use crate::ir::{BlockId, ClusterStep, Terminator};

/// Threads that have arrived since the barrier opened last.
pub(super) struct ClusterBarrier {
    arrived: Vec<bool>,
    count: usize,
}

impl ClusterBarrier {
    pub fn new(threads: usize) -> ClusterBarrier {
        ClusterBarrier {
            arrived: vec![false; threads],
            count: 0,
        }
    }

    /// Lets a thread arrive, or wait if its arrival is one that the barrier has not opened for.
    pub fn step(&mut self, thread: &mut Thread, step: ClusterStep, next: BlockId) {
        let here = &mut self.arrived[thread.index as usize];
        match step {
            ClusterStep::Wait if *here => {
                thread.status = Status::Cluster;
                return;
            }
            ClusterStep::Wait => {}
            ClusterStep::Arrive => {
                self.count += usize::from(!*here);
                *here = true;
            }
        }
        thread.top_mut().go(next);
    }

    /// Who has come.
    pub fn arrivals(&self, threads: &[Thread]) -> Arrivals {
        let counted = |(t, &here): (&Thread, &bool)| here || t.status == Status::Exited;
        Arrivals {
            any: self.count > 0,
            all: threads.iter().zip(&self.arrived).all(counted),
        }
    }

    /// Begins the next phase.
    pub fn open(&mut self, env: &Env<'_>, threads: &mut [Thread]) {
        self.arrived.fill(false);
        self.count = 0;
        for thread in threads.iter_mut().filter(|t| t.status == Status::Cluster) {
            thread.status = Status::Runnable;
            if let Terminator::Cluster { next, .. } = thread.terminator(env) {
                thread.top_mut().go(*next);
            }
        }
    }
}
