//! The barrier of a cluster, from the view of one of its blocks: the threads that have arrived. It opens when all
//! threads of every block have arrived.

use super::Env;
use super::thread::{Status, Thread};
use crate::env::Arrivals;
use crate::ir::{BlockId, ClusterStep, Terminator};

/// Threads that have arrived since the barrier last opened.
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

    /// Lets a thread arrive; or wait, if the barrier has not yet opened for its arrival.
    pub fn step(&mut self, env: &Env<'_>, thread: &mut Thread, step: ClusterStep, next: BlockId) {
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
        thread.top_mut().go(env, next);
    }

    /// Returns the threads that have arrived.
    pub fn arrivals(&self, threads: &[Thread]) -> Arrivals {
        let counted = |(t, &here): (&Thread, &bool)| here || t.status == Status::Exited;
        Arrivals {
            any: self.count > 0,
            all: threads.iter().zip(&self.arrived).all(counted),
        }
    }

    /// Starts the next phase.
    pub fn open(&mut self, env: &Env<'_>, threads: &mut [Thread]) {
        self.arrived.fill(false);
        self.count = 0;
        for thread in threads.iter_mut().filter(|t| t.status == Status::Cluster) {
            thread.status = Status::Runnable;
            if let Terminator::Cluster { next, .. } = thread.terminator(env) {
                thread.top_mut().go(env, *next);
            }
        }
    }
}
