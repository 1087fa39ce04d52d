//! Graphs that kernels launch (Programming guide, *Device Graph Launch*).
//!
//! What the kernels of a graph ask for is kept until the graph has run: then the graphs that were launched at once run
//! in the order in which they were asked for, and after them, and after what they launch, those of the tail. A program
//! that keeps to CUDA's rules cannot tell this from a GPU, where the former run beside the graph.

use crate::context_state::ContextState;
use crate::graphs::condition::Conditions;
use crate::graphs::exec::{Exec, Run};
use crate::graphs::node::NodeWork;
use crate::graphs::running::{DEVICE_LAUNCH, RunningGraph};
use crate::handle::Table;
use crate::streams::host_call::as_host_call;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The streams that kernels launch graphs in (cuda_device_runtime_api.h).
const TAIL: u64 = 1 << 56;
const FIRE_AND_FORGET: u64 = 2 << 56;
const FIRE_AND_FORGET_AS_SIBLING: u64 = 3 << 56;
/// Most graphs that one launch of a graph can have launched at once, and those that can wait for its end.
const MOST_AT_ONCE: usize = 120;
const MOST_AT_TAIL: usize = 255;

/// A launch of a graph, and what its kernels have launched.
struct Running {
    /// The executable graph.
    handle: u64,
    /// True if kernels may launch it.
    is_for_device: bool,
    conditions: Arc<Conditions>,
    others: &'static Table<Exec>,
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    at_once: Vec<Launched>,
    tail: Vec<Launched>,
}

/// A graph that a kernel has launched. While there is one, the graph counts as launched.
struct Launched(Arc<Exec>);

impl Drop for Launched {
    fn drop(&mut self) {
        self.0.launches.end();
    }
}

impl Running {
    fn new(run: &Run) -> Arc<Running> {
        Arc::new(Running {
            handle: run.exec,
            is_for_device: run.flags & DEVICE_LAUNCH != 0,
            conditions: run.plan.conditions.clone(),
            others: run.others,
            asked: Mutex::default(),
        })
    }

    fn take(&self) -> Asked {
        std::mem::take(&mut *self.asked.lock())
    }
}

impl RunningGraph for Running {
    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn seen_handle(&self) -> u64 {
        match self.is_for_device {
            true => self.handle,
            false => 0,
        }
    }

    fn launch(&self, exec: u64, stream: u64) -> bool {
        let found = self.others.get(exec);
        let Some(exec) = found.filter(|e| e.flags & DEVICE_LAUNCH != 0 && e.is_uploaded()) else {
            return false;
        };
        let mut asked = self.asked.lock();
        let is_tail = match stream {
            TAIL => true,
            FIRE_AND_FORGET | FIRE_AND_FORGET_AS_SIBLING => false,
            _ => return false,
        };
        let itself = is_tail
            && exec.handle == self.handle
            && !asked.tail.iter().any(|one| one.0.handle == exec.handle);
        if !exec.launches.begin(itself) {
            return false;
        }
        let launched = Launched(exec);
        let (list, most) = match is_tail {
            true => (&mut asked.tail, MOST_AT_TAIL),
            false => (&mut asked.at_once, MOST_AT_ONCE),
        };
        if list.len() >= most {
            return false;
        }
        list.push(launched);
        true
    }
}

/// Runs a launch of a graph, and what its kernels launch. `one` does the work of a node in a graph that runs.
pub fn run_all(
    first: Run,
    context: &ContextState,
    mut one: impl FnMut(&NodeWork, &Arc<dyn RunningGraph>),
) {
    let others = first.others;
    let mut run = |run: Run| {
        let (running, plan) = (Running::new(&run), run.plan.clone());
        let seen: Arc<dyn RunningGraph> = running.clone();
        run.run(context, |work| one(work, &seen));
        // The launch may be the last to have the program's objects, whose functions are called then.
        as_host_call(|| drop(plan));
        running.take()
    };
    // The next one is the last.
    let mut stack = Vec::new();
    let add = |stack: &mut Vec<Launched>, asked: Asked| {
        stack.extend(asked.tail.into_iter().rev());
        stack.extend(asked.at_once.into_iter().rev());
    };
    let asked = run(first);
    add(&mut stack, asked);
    while let Some(launched) = stack.pop() {
        if context.sticky.check().is_err() || context.cancel.load(Ordering::Relaxed) {
            continue;
        }
        let asked = run(Run::prepare(&launched.0, others));
        add(&mut stack, asked);
    }
}
