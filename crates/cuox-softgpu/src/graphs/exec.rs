//! Executable graphs: a graph's work in an order that its edges allow, ready to be run again and again.

use crate::code::{INVALID_VALUE, Res};
use crate::context_state::ContextState;
use crate::graphs::graph::Graph;
use crate::graphs::memory::{GraphMemory, InFlight};
use crate::graphs::node::{Node, NodeWork};
use crate::graphs::user_object::UserReferences;
use crate::streams::event::{Event, Record, Recorded};
use crate::streams::progress::{Point, Progress};
use cuox_abi::{CUgraphExecUpdateResult as Update, CUgraphNodeType};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A node's work in an executable graph.
#[derive(Clone)]
pub struct Step {
    /// The node that it was made of.
    pub node: u64,
    /// The node's place in the order in which the graph's nodes were made.
    place: usize,
    pub work: StepWork,
    pub enabled: bool,
}

#[derive(Clone)]
pub enum StepWork {
    One(NodeWork),
    Child(Arc<Plan>),
}

/// A graph's steps in the order in which they run, and the graph's edges.
#[derive(Clone)]
pub struct Plan {
    pub steps: Vec<Step>,
    edges: Vec<(usize, usize)>,
    /// Kept as long as an executable graph or a launch has the plan.
    user_objects: Vec<UserReferences>,
}

/// An executable graph.
pub struct Exec {
    pub handle: u64,
    pub flags: u64,
    /// The graph that it was made of, which may be gone.
    pub source: u64,
    plan: Mutex<Arc<Plan>>,
    /// The end of its newest launch, for which the next one waits in whatever stream.
    pub launched: Mutex<Option<Point>>,
}

/// A failed update: the kind of failure, and the node of the new graph at which it was found.
pub type Difference = (Update, Option<u64>);

impl Plan {
    /// The work of a graph, or the node that cannot be brought into an order.
    pub fn of(graph: &Graph) -> Result<Plan, u64> {
        let shape = graph.shape();
        let order = shape.order().map_err(|stuck| shape.nodes[stuck].handle)?;
        let step = |place: usize| -> Result<Step, u64> {
            let node: &Node = &shape.nodes[place];
            let work = match &*node.work.read() {
                NodeWork::Graph(child) => StepWork::Child(Arc::new(Plan::of(child)?)),
                one => StepWork::One(one.clone()),
            };
            Ok(Step {
                node: node.handle,
                place,
                work,
                enabled: true,
            })
        };
        let steps = order.into_iter().map(step).collect::<Result<_, _>>()?;
        let mut edges = shape.edges;
        edges.sort_unstable();
        let user_objects = graph.user_objects();
        Ok(Plan {
            steps,
            edges,
            user_objects,
        })
    }

    /// Calls `change` for the step of that node, here or in a graph inside.
    fn change<R>(&mut self, node: u64, change: &mut impl FnMut(&mut Step) -> R) -> Option<R> {
        for step in &mut self.steps {
            if step.node == node {
                return Some(change(step));
            }
            if let StepWork::Child(child) = &mut step.work
                && child.has(node)
            {
                return Arc::make_mut(child).change(node, change);
            }
        }
        None
    }

    fn find(&self, node: u64) -> Option<&Step> {
        self.steps.iter().find_map(|step| match &step.work {
            _ if step.node == node => Some(step),
            StepWork::Child(child) => child.find(node),
            StepWork::One(_) => None,
        })
    }

    fn has(&self, node: u64) -> bool {
        self.find(node).is_some()
    }

    /// Takes over the work of a plan of the same shape.
    pub fn take_over(&mut self, new: &Plan) -> Result<(), Difference> {
        let topology = |node| Err((Update::CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, node));
        if self.steps.len() != new.steps.len() || self.edges != new.edges {
            return topology(None);
        }
        for (old, new) in self.steps.iter_mut().zip(&new.steps) {
            if old.place != new.place {
                return topology(Some(new.node));
            }
            if old.kind() != new.kind() {
                let kind = Update::CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
                return Err((kind, Some(new.node)));
            }
            match (&mut old.work, &new.work) {
                (StepWork::Child(old), StepWork::Child(new)) => {
                    Arc::make_mut(old).take_over(new)?;
                }
                (StepWork::One(NodeWork::Alloc(old)), StepWork::One(NodeWork::Alloc(new)))
                    if old.memory.at != new.memory.at =>
                {
                    let kind = Update::CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
                    return Err((kind, None));
                }
                (old, new) => *old = new.clone(),
            }
        }
        self.user_objects.clone_from(&new.user_objects);
        Ok(())
    }

    /// The memory that a launch allocates, each range once.
    pub fn memory(&self) -> Vec<Arc<GraphMemory>> {
        let mut ranges = BTreeMap::new();
        self.each_enabled(&mut |work| {
            if let NodeWork::Alloc(alloc) = work {
                ranges.insert(alloc.memory.at, alloc.memory.clone());
            }
        });
        ranges.into_values().collect()
    }

    /// Calls `see` for each step that will run, those of graphs inside included.
    fn each_enabled(&self, see: &mut impl FnMut(&NodeWork)) {
        for step in self.steps.iter().filter(|s| s.enabled) {
            match &step.work {
                StepWork::One(work) => see(work),
                StepWork::Child(child) => child.each_enabled(see),
            }
        }
    }
}

impl Step {
    pub fn kind(&self) -> CUgraphNodeType {
        match &self.work {
            StepWork::One(work) => work.kind(),
            StepWork::Child(_) => CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH,
        }
    }
}

impl Exec {
    pub fn new(handle: u64, flags: u64, graph: &Graph, plan: Plan) -> Exec {
        Exec {
            handle,
            flags,
            source: graph.handle,
            plan: Mutex::new(Arc::new(plan)),
            launched: Mutex::default(),
        }
    }

    /// Changes the step of a node. Launches that are queued keep what they have.
    pub fn change<R>(&self, node: u64, mut change: impl FnMut(&mut Step) -> R) -> Res<R> {
        let mut plan = self.plan.lock();
        if !plan.has(node) {
            return Err(INVALID_VALUE);
        }
        Arc::make_mut(&mut plan)
            .change(node, &mut change)
            .ok_or(INVALID_VALUE)
    }

    /// True if the step of a node runs.
    pub fn is_enabled(&self, node: u64) -> Res<bool> {
        let plan = self.plan.lock();
        plan.find(node).map(|s| s.enabled).ok_or(INVALID_VALUE)
    }

    /// Takes over the work of a graph of the same shape, all or nothing.
    pub fn update(&self, graph: &Graph) -> Result<(), Difference> {
        let circle = |node| (Update::CU_GRAPH_EXEC_UPDATE_ERROR, Some(node));
        let new = Plan::of(graph).map_err(circle)?;
        let mut plan = self.plan.lock();
        let mut changed = Plan::clone(&plan);
        changed.take_over(&new)?;
        let old = std::mem::replace(&mut *plan, Arc::new(changed));
        // The program's functions for its objects run without the lock.
        drop(plan);
        drop(old);
        Ok(())
    }

    /// The plan of a launch.
    pub fn plan(&self) -> Arc<Plan> {
        self.plan.lock().clone()
    }
}

/// One launch of an executable graph. When it is dropped, whoever waits for the events that it records goes on, whether
/// it has run or not.
pub struct Run {
    pub plan: Arc<Plan>,
    /// For each step that records an event, in the order in which they run.
    records: Vec<(Arc<Record>, Arc<Progress>)>,
    /// It may change what is allocated.
    _in_flight: InFlight,
}

impl Drop for Run {
    fn drop(&mut self) {
        for (record, progress) in &self.records {
            if record.time().is_none() {
                record.stamp();
                progress.finish(1);
            }
        }
    }
}

impl Run {
    /// Prepares a launch: from now on the events that it records stand for its recordings.
    pub fn prepare(plan: Arc<Plan>) -> Run {
        let mut records = Vec::new();
        plan.each_enabled(&mut |work| {
            if let NodeWork::RecordEvent(event) = work {
                let (record, progress) =
                    (Arc::new(Record::default()), Arc::new(Progress::default()));
                let point = Point {
                    progress: progress.clone(),
                    seq: progress.next(),
                };
                *event.latest.lock() = Some(Recorded {
                    record: record.clone(),
                    point,
                });
                records.push((record, progress));
            }
        });
        Run {
            plan,
            records,
            _in_flight: InFlight::begin(),
        }
    }

    /// Runs the steps one after the other. `one` does a step's work, unless the context has an error.
    pub fn run(self, context: &ContextState, mut one: impl FnMut(&NodeWork)) {
        let mut records = self.records.iter();
        // An event that this very launch records later cannot be waited for.
        let later = |event: &Event| {
            let latest = event.latest();
            latest.is_some_and(|r| {
                let own = |(_, p): &(_, Arc<Progress>)| Arc::ptr_eq(p, &r.point.progress);
                !r.point.reached() && self.records.iter().any(own)
            })
        };
        self.plan.each_enabled(&mut |work| match work {
            NodeWork::RecordEvent(_) => {
                // Somebody may wait for it, whatever has become of the context.
                if let Some((record, progress)) = records.next() {
                    record.stamp();
                    progress.finish(1);
                }
            }
            NodeWork::WaitEvent(event) if later(event) => {}
            _ if context.sticky.check().is_ok() && !context.cancel.load(Ordering::Relaxed) => {
                one(work);
            }
            _ => {}
        });
    }
}
