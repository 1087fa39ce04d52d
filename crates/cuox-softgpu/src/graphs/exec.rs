//! Executable graphs: a graph's work in an order that its edges allow, ready to be run again and again.

use crate::code::{INVALID_VALUE, Res};
use crate::context_state::ContextState;
use crate::graphs::condition::{Condition, Conditions};
use crate::graphs::graph::Graph;
use crate::graphs::memory::{GraphMemory, InFlight};
use crate::graphs::node::{Node, NodeWork};
use crate::graphs::running::{DEVICE_LAUNCH, DeviceLaunches};
use crate::graphs::user_object::UserReferences;
use crate::handle::Table;
use crate::memory::Memory;
use crate::streams::event::{Event, Record, Recorded};
use crate::streams::progress::{Point, Progress};
use cuox_abi::{
    CUgraphConditionalNodeType as Kind, CUgraphExecUpdateResult as Update, CUgraphNodeType,
};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    Branch(Branch),
}

/// A conditional node's work in an executable graph.
#[derive(Clone)]
pub struct Branch {
    pub condition: Condition,
    pub kind: Kind,
    pub bodies: Vec<Arc<Plan>>,
}

impl Branch {
    /// Calls `run` for each graph that runs, in order, until `goes_on` says no.
    pub fn choose(
        &self,
        conditions: &Conditions,
        goes_on: &dyn Fn() -> bool,
        run: &mut dyn FnMut(&Plan),
    ) {
        let value = || conditions.get(self.condition.handle);
        let place = match self.kind {
            Kind::CU_GRAPH_COND_TYPE_WHILE => {
                while goes_on() && value() != 0 {
                    self.bodies.iter().for_each(|body| run(body));
                }
                return;
            }
            Kind::CU_GRAPH_COND_TYPE_IF => usize::from(value() == 0),
            _ => value() as usize,
        };
        if let Some(body) = self.bodies.get(place) {
            run(body);
        }
    }
}

impl StepWork {
    /// The plans of the graphs inside.
    fn inner(&self) -> &[Arc<Plan>] {
        match self {
            StepWork::One(_) => &[],
            StepWork::Child(child) => std::slice::from_ref(child),
            StepWork::Branch(branch) => &branch.bodies,
        }
    }

    fn inner_mut(&mut self) -> &mut [Arc<Plan>] {
        match self {
            StepWork::One(_) => &mut [],
            StepWork::Child(child) => std::slice::from_mut(child),
            StepWork::Branch(branch) => &mut branch.bodies,
        }
    }
}

/// A graph's steps in the order in which they run, and the graph's edges.
#[derive(Clone)]
pub struct Plan {
    pub steps: Vec<Step>,
    edges: Vec<(usize, usize)>,
    /// Those of the whole graph, in the plan of that.
    pub conditions: Arc<Conditions>,
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
    /// It was uploaded to the device, or launched, since it was made or changed.
    uploaded: AtomicBool,
    pub launches: DeviceLaunches,
}

/// A failed update: the kind of failure, and the node of the new graph at which it was found.
pub type Difference = (Update, Option<u64>);

/// Why a graph has no plan, with the node that is to blame.
#[derive(Clone, Copy)]
pub enum NoPlan {
    Circle(u64),
    /// A node of a kind that conditional nodes' graphs cannot have.
    NotConditional(u64),
    /// A node of a kind that graphs which kernels launch cannot have.
    NotForDevice(u64),
}

impl NoPlan {
    /// The node that is to blame.
    pub fn node(self) -> u64 {
        match self {
            NoPlan::Circle(node) | NoPlan::NotConditional(node) | NoPlan::NotForDevice(node) => {
                node
            }
        }
    }
}

impl Plan {
    /// The work of a graph.
    pub fn of(graph: &Graph, memory: &Memory, flags: u64) -> Result<Plan, NoPlan> {
        let mut plan = Plan::part(graph, memory, false)?;
        if flags & DEVICE_LAUNCH != 0
            && let Some(node) = plan.find_step(&|step| !step.may_be_launched_by_kernels(memory))
        {
            return Err(NoPlan::NotForDevice(node));
        }
        let mut conditions = Vec::new();
        plan.each_branch(&mut |branch| conditions.push(branch.condition));
        plan.conditions = Arc::new(Conditions::of(conditions.into_iter()));
        Ok(plan)
    }

    /// The work of a graph, which may be inside of another one.
    fn part(graph: &Graph, memory: &Memory, is_conditional: bool) -> Result<Plan, NoPlan> {
        let shape = graph.shape();
        let order = shape.order();
        let order = order.map_err(|stuck| NoPlan::Circle(shape.nodes[stuck].handle))?;
        let step = |place: usize| -> Result<Step, NoPlan> {
            let node: &Node = &shape.nodes[place];
            let work = &*node.work.read();
            if is_conditional && !work.may_be_conditional(memory) {
                return Err(NoPlan::NotConditional(node.handle));
            }
            let work = match work {
                NodeWork::Graph(child) => {
                    StepWork::Child(Arc::new(Plan::part(child, memory, is_conditional)?))
                }
                NodeWork::Conditional(node) => {
                    let body = |graph: &Arc<Graph>| Plan::part(graph, memory, true).map(Arc::new);
                    StepWork::Branch(Branch {
                        condition: node.condition,
                        kind: node.kind,
                        bodies: node.bodies.iter().map(body).collect::<Result<_, _>>()?,
                    })
                }
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
            conditions: Arc::default(),
            user_objects,
        })
    }

    /// Calls `see` for each conditional step, here and in graphs inside.
    fn each_branch(&self, see: &mut dyn FnMut(&Branch)) {
        for step in &self.steps {
            if let StepWork::Branch(branch) = &step.work {
                see(branch);
            }
            for plan in step.work.inner() {
                plan.each_branch(see);
            }
        }
    }

    /// The node of the first step that is so, here or in a graph inside.
    fn find_step(&self, is_so: &dyn Fn(&Step) -> bool) -> Option<u64> {
        self.steps.iter().find_map(|step| match is_so(step) {
            true => Some(step.node),
            false => {
                let mut inner = step.work.inner().iter();
                inner.find_map(|plan| plan.find_step(is_so))
            }
        })
    }

    /// Calls `change` for the step of that node, here or in a graph inside.
    fn change<R>(&mut self, node: u64, change: &mut impl FnMut(&mut Step) -> R) -> Option<R> {
        for step in &mut self.steps {
            if step.node == node {
                return Some(change(step));
            }
            let mut inner = step.work.inner_mut().iter_mut();
            if let Some(plan) = inner.find(|plan| plan.has(node)) {
                return Arc::make_mut(plan).change(node, change);
            }
        }
        None
    }

    fn find(&self, node: u64) -> Option<&Step> {
        self.steps.iter().find_map(|step| match step.node == node {
            true => Some(step),
            false => step.work.inner().iter().find_map(|plan| plan.find(node)),
        })
    }

    fn has(&self, node: u64) -> bool {
        self.find(node).is_some()
    }

    /// Takes over the work of a plan of the same shape, and its conditions.
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
                (StepWork::Branch(old), StepWork::Branch(changed)) => {
                    if old.kind != changed.kind || old.bodies.len() != changed.bodies.len() {
                        let kind = Update::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
                        return Err((kind, Some(new.node)));
                    }
                    old.condition = changed.condition;
                    for (old, new) in old.bodies.iter_mut().zip(&changed.bodies) {
                        Arc::make_mut(old).take_over(new)?;
                    }
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
        self.conditions = new.conditions.clone();
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

    /// The addresses at which a launch leaves allocations, and those that it frees.
    pub fn left_and_freed(&self) -> (Vec<u64>, Vec<u64>) {
        let mut counts = BTreeMap::<u64, i64>::new();
        self.each_enabled(&mut |work| match work {
            NodeWork::Alloc(alloc) => *counts.entry(alloc.memory.at).or_default() += 1,
            NodeWork::Free(at) => *counts.entry(*at).or_default() -= 1,
            _ => {}
        });
        let (left, freed): (Vec<_>, Vec<_>) = counts.into_iter().partition(|(_, n)| *n > 0);
        let addresses = |all: Vec<(u64, i64)>| all.into_iter().map(|(at, _)| at).collect();
        (addresses(left), addresses(freed))
    }

    /// Calls `see` for each step that will run or may, those of graphs inside included.
    fn each_enabled(&self, see: &mut dyn FnMut(&NodeWork)) {
        for step in self.steps.iter().filter(|s| s.enabled) {
            if let StepWork::One(work) = &step.work {
                see(work);
            }
            for plan in step.work.inner() {
                plan.each_enabled(see);
            }
        }
    }

    /// Calls `one` for each step that runs, as conditions say, until `goes_on` says no.
    fn run(
        &self,
        conditions: &Conditions,
        goes_on: &dyn Fn() -> bool,
        one: &mut dyn FnMut(&NodeWork),
    ) {
        for step in self.steps.iter().filter(|s| s.enabled) {
            match &step.work {
                StepWork::One(work) => one(work),
                StepWork::Child(child) => child.run(conditions, goes_on, one),
                StepWork::Branch(branch) => branch.choose(conditions, goes_on, &mut |body| {
                    body.run(conditions, goes_on, one);
                }),
            }
        }
    }
}

impl Step {
    /// True for what graphs that kernels launch may have: kernels, fills, copies of memory that the device reaches, and
    /// child graphs.
    fn may_be_launched_by_kernels(&self, memory: &Memory) -> bool {
        match &self.work {
            StepWork::One(NodeWork::Empty) | StepWork::Branch(_) => false,
            StepWork::One(work) => work.may_be_conditional(memory),
            StepWork::Child(_) => true,
        }
    }

    pub fn kind(&self) -> CUgraphNodeType {
        match &self.work {
            StepWork::One(work) => work.kind(),
            StepWork::Child(_) => CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH,
            StepWork::Branch(_) => CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL,
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
            uploaded: AtomicBool::new(false),
            launches: DeviceLaunches::default(),
        }
    }

    /// It is on the device from now on.
    pub fn upload(&self) {
        self.uploaded.store(true, Ordering::Relaxed);
    }

    /// True if it was uploaded since it was made or changed.
    pub fn is_uploaded(&self) -> bool {
        self.uploaded.load(Ordering::Relaxed)
    }

    /// Changes the step of a node. Launches that are queued keep what they have.
    pub fn change<R>(&self, node: u64, mut change: impl FnMut(&mut Step) -> R) -> Res<R> {
        let mut plan = self.plan.lock();
        if !plan.has(node) {
            return Err(INVALID_VALUE);
        }
        self.uploaded.store(false, Ordering::Relaxed);
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
    pub fn update(&self, graph: &Graph, memory: &Memory) -> Result<(), Difference> {
        let new = Plan::of(graph, memory, self.flags)
            .map_err(|why| (Update::CU_GRAPH_EXEC_UPDATE_ERROR, Some(why.node())))?;
        let mut plan = self.plan.lock();
        let mut changed = Plan::clone(&plan);
        changed.take_over(&new)?;
        let old = std::mem::replace(&mut *plan, Arc::new(changed));
        self.uploaded.store(false, Ordering::Relaxed);
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
    /// The handle and flags of the executable graph.
    pub exec: u64,
    pub flags: u64,
    /// Those that its kernels may launch.
    pub others: &'static Table<Exec>,
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
    pub fn prepare(exec: &Exec, others: &'static Table<Exec>) -> Run {
        let plan = exec.plan();
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
            exec: exec.handle,
            flags: exec.flags,
            others,
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
        let goes_on = || context.sticky.check().is_ok() && !context.cancel.load(Ordering::Relaxed);
        let conditions = &self.plan.conditions;
        conditions.reset();
        self.plan.run(conditions, &goes_on, &mut |work| match work {
            NodeWork::RecordEvent(_) => {
                // Somebody may wait for it, whatever has become of the context.
                if let Some((record, progress)) = records.next() {
                    record.stamp();
                    progress.finish(1);
                }
            }
            NodeWork::WaitEvent(event) if later(event) => {}
            _ if goes_on() => one(work),
            _ => {}
        });
    }
}
