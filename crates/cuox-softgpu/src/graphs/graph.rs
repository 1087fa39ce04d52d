//! Graphs: nodes and the edges between them.

use crate::code::{INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, Res};
use crate::fault;
use crate::graphs::condition::Condition;
use crate::graphs::memory::GraphMemory;
use crate::graphs::node::{Node, NodeWork};
use crate::graphs::user_object::UserReferences;
use crate::handle::Table;
use crate::memory::{Kind, Memory, Owner};
use parking_lot::{Mutex, RwLock};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// An edge: the second node waits for the first.
pub type Edge = (u64, u64);

/// A graph.
pub struct Graph {
    pub handle: u64,
    /// How many graphs it is inside of.
    depth: usize,
    /// The graph around it, if it is one of a conditional node's; else 0.
    around: u64,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// In the order of their making.
    nodes: Vec<Arc<Node>>,
    edges: Vec<Edge>,
    user_objects: Vec<UserReferences>,
    conditions: Vec<Condition>,
    /// What the graph's nodes have allocated, by addresses, until another node frees it.
    allocated: HashMap<u64, Arc<GraphMemory>>,
    /// Memory that nodes have freed, by these nodes.
    freed: HashMap<u64, Arc<GraphMemory>>,
}

/// The tables that a graph's parts are in.
#[derive(Clone, Copy)]
pub struct Tables {
    pub graphs: &'static Table<Graph>,
    pub nodes: &'static Table<Node>,
}

/// A graph's nodes in the order of their making, with edges between their places.
pub struct Shape {
    pub nodes: Vec<Arc<Node>>,
    pub edges: Vec<(usize, usize)>,
}

/// Graphs inside of more graphs are refused: plans and copies of them are made on the stack, which is the program's.
const MOST_DEPTH: usize = 64;

impl Graph {
    pub fn create(tables: Tables) -> Res<Arc<Graph>> {
        Graph::create_at(tables, 0, 0)
    }

    /// A graph of a conditional node in this one.
    pub fn create_body(&self, tables: Tables) -> Res<Arc<Graph>> {
        Graph::create_at(tables, self.depth + 1, self.handle)
    }

    /// True if it is the graph of a node, which destroys it.
    pub fn is_embedded(&self) -> bool {
        self.depth > 0
    }

    fn create_at(tables: Tables, depth: usize, around: u64) -> Res<Arc<Graph>> {
        if depth > MOST_DEPTH {
            fault::explain(format!(
                "graphs are nested {depth} deep; the software GPU takes {MOST_DEPTH}"
            ));
            return Err(NOT_SUPPORTED);
        }
        let make = |handle| Graph {
            handle,
            depth,
            around,
            inner: Mutex::default(),
        };
        tables.graphs.insert(make).ok_or(OUT_OF_MEMORY)
    }

    /// Adds a condition, for a node in this graph or in one inside of it.
    pub fn add_condition(&self, condition: Condition) {
        self.inner.lock().conditions.push(condition);
    }

    /// The condition with that handle, if a new node of this graph may have it: no other node has it.
    pub fn free_condition(&self, tables: Tables, handle: u64) -> Option<Condition> {
        let conditions = self.inner.lock().conditions.clone();
        match conditions.into_iter().find(|c| c.handle == handle) {
            Some(found) => (!self.conditions().1.contains(&handle)).then_some(found),
            None => tables
                .graphs
                .get(self.around)?
                .free_condition(tables, handle),
        }
    }

    /// True if each of the conditions, here and in graphs inside, has a node.
    pub fn uses_its_conditions(&self) -> bool {
        let (made, used) = self.conditions();
        made.iter().all(|handle| used.contains(handle))
    }

    /// The conditions of this graph and of those inside, and the ones that nodes have.
    fn conditions(&self) -> (Vec<u64>, HashSet<u64>) {
        let (mut made, mut used) = (Vec::new(), HashSet::new());
        self.see_conditions(&mut made, &mut used);
        (made, used)
    }

    fn see_conditions(&self, made: &mut Vec<u64>, used: &mut HashSet<u64>) {
        let inner = self.inner.lock();
        made.extend(inner.conditions.iter().map(|c| c.handle));
        let nodes = inner.nodes.clone();
        drop(inner);
        for node in &nodes {
            let work = node.work.read();
            if let NodeWork::Conditional(node) = &*work {
                used.insert(node.condition.handle);
            }
            for graph in work.inner() {
                graph.see_conditions(made, used);
            }
        }
    }

    /// Adds a node that waits for `after`, which are nodes of this graph. If it is refused, the graphs inside of its
    /// work go, too.
    pub fn add(&self, tables: Tables, work: NodeWork, after: &[u64], original: u64) -> Res<u64> {
        let inside = work.inner().to_vec();
        let added = self.add_node(tables, work, after, original);
        if added.is_err() {
            forget_graphs(tables, &inside);
        }
        added
    }

    fn add_node(&self, tables: Tables, work: NodeWork, after: &[u64], original: u64) -> Res<u64> {
        let mut inner = self.inner.lock();
        let distinct: HashSet<u64> = after.iter().copied().collect();
        // A capture waits for what it has recorded last.
        let known = |handle: &u64| inner.nodes.iter().rev().any(|n| n.handle == *handle);
        if distinct.len() != after.len() || !after.iter().all(known) {
            return Err(INVALID_VALUE);
        }
        let graph = self.handle;
        let (allocates, frees) = match &work {
            NodeWork::Alloc(alloc) => (Some(alloc.memory.clone()), None),
            NodeWork::Free(at) => (None, Some(*at)),
            _ => (None, None),
        };
        let make = |handle| Node {
            handle,
            graph,
            original,
            work: RwLock::new(work),
        };
        let node = tables.nodes.insert(make).ok_or(OUT_OF_MEMORY)?;
        let handle = node.handle;
        inner.nodes.push(node);
        inner.edges.extend(after.iter().map(|&from| (from, handle)));
        if let Some(memory) = allocates {
            inner.allocated.insert(memory.at, memory);
        }
        if let Some(memory) = frees.and_then(|at| inner.allocated.remove(&at)) {
            inner.freed.insert(handle, memory);
        }
        Ok(handle)
    }

    /// Memory for an allocation behind these nodes that a node in front of it has freed: the nearest that is of the
    /// same size, else the smallest that is large enough. It is that allocation's now.
    pub fn take_freed(
        &self,
        after: &[u64],
        len: u64,
        owner: Owner,
        kind: Kind,
    ) -> Option<Arc<GraphMemory>> {
        let mut inner = self.inner.lock();
        let fits = |memory: &Arc<GraphMemory>| memory.fits(len, owner, kind);
        if !inner.freed.values().any(fits) {
            return None;
        }
        let same = Memory::in_pages(len).ok()?;
        let mut best: Option<(u64, u64)> = None;
        let mut see = |node: u64| {
            let bytes = inner.freed.get(&node).filter(|m| fits(m)).map(|m| m.bytes);
            if let Some(bytes) = bytes
                && best.is_none_or(|(least, _)| bytes < least)
            {
                best = Some((bytes, node));
            }
            bytes == Some(same)
        };
        let mut before: HashSet<u64> = after.iter().copied().collect();
        // Edges that were added between older nodes may hide something, for which there is other memory.
        let _ = after.iter().any(|&node| see(node))
            || inner
                .edges
                .iter()
                .rev()
                .any(|&(from, to)| before.contains(&to) && before.insert(from) && see(from));
        let (_, node) = best?;
        inner.freed.remove(&node)
    }

    /// Refuses what a GPU's driver does not do with a graph that allocates or frees memory.
    pub fn check_without_memory_nodes(&self, what: &str) -> Res {
        if !self.has(&|work| matches!(work, NodeWork::Alloc(_) | NodeWork::Free(_))) {
            return Ok(());
        }
        fault::explain(format!("{what} of a graph that allocates or frees memory"));
        Err(NOT_SUPPORTED)
    }

    /// Refuses a second graph with the same nodes where a GPU's driver makes none: memory and conditions are there
    /// once.
    pub fn check_can_be_copied(&self, what: &str) -> Res {
        self.check_without_memory_nodes(what)?;
        if !self.has(&|work| matches!(work, NodeWork::Conditional(_))) {
            return Ok(());
        }
        fault::explain(format!("{what} of a graph with conditional nodes"));
        Err(NOT_SUPPORTED)
    }

    /// True if a node, here or in a graph inside, is so.
    fn has(&self, is_so: &dyn Fn(&NodeWork) -> bool) -> bool {
        let nodes = self.inner.lock().nodes.clone();
        nodes.iter().any(|node| {
            let work = node.work.read();
            is_so(&work) || work.inner().iter().any(|graph| graph.has(is_so))
        })
    }

    pub fn nodes(&self) -> Vec<u64> {
        self.inner.lock().nodes.iter().map(|n| n.handle).collect()
    }

    /// Nodes that wait for nobody.
    pub fn roots(&self) -> Vec<u64> {
        let inner = self.inner.lock();
        let waiting: HashSet<u64> = inner.edges.iter().map(|e| e.1).collect();
        let handles = inner.nodes.iter().map(|n| n.handle);
        handles.filter(|n| !waiting.contains(n)).collect()
    }

    pub fn edges(&self) -> Vec<Edge> {
        self.inner.lock().edges.clone()
    }

    /// Adds edges, all or none. Circles are found when the graph is instantiated.
    pub fn connect(&self, edges: &[Edge]) -> Res {
        let mut inner = self.inner.lock();
        let nodes: HashSet<u64> = inner.nodes.iter().map(|n| n.handle).collect();
        let mut have: HashSet<Edge> = inner.edges.iter().copied().collect();
        for edge in edges {
            let known = nodes.contains(&edge.0) && nodes.contains(&edge.1) && edge.0 != edge.1;
            if !known || !have.insert(*edge) {
                return Err(INVALID_VALUE);
            }
        }
        inner.edges.extend_from_slice(edges);
        Ok(())
    }

    /// Removes edges, all or none.
    pub fn disconnect(&self, edges: &[Edge]) -> Res {
        let mut inner = self.inner.lock();
        if !edges.iter().all(|e| inner.edges.contains(e)) {
            return Err(INVALID_VALUE);
        }
        inner.edges.retain(|e| !edges.contains(e));
        Ok(())
    }

    /// Removes a node and its edges.
    pub fn remove(&self, tables: Tables, node: u64) {
        let mut inner = self.inner.lock();
        inner.nodes.retain(|n| n.handle != node);
        inner.edges.retain(|e| e.0 != node && e.1 != node);
        drop(inner);
        forget_node(tables, node);
    }

    /// Forgets all nodes, with the graphs inside of them.
    pub fn clear(&self, tables: Tables) {
        let gone = std::mem::take(&mut *self.inner.lock());
        for node in &gone.nodes {
            forget_node(tables, node.handle);
        }
    }

    /// A copy with nodes of its own.
    pub fn copy(&self, tables: Tables) -> Res<Arc<Graph>> {
        self.copy_at(tables, 0)
    }

    /// The work of a node in this graph with a copy of another one.
    pub fn embed(&self, tables: Tables, child: &Graph) -> Res<NodeWork> {
        Ok(NodeWork::Graph(child.copy_at(tables, self.depth + 1)?))
    }

    fn copy_at(&self, tables: Tables, depth: usize) -> Res<Arc<Graph>> {
        let copy = Graph::create_at(tables, depth, 0)?;
        let made = self.copy_into(tables, &copy);
        if made.is_err() {
            forget_graphs(tables, std::slice::from_ref(&copy));
        }
        made.map(|()| copy)
    }

    fn copy_into(&self, tables: Tables, copy: &Graph) -> Res {
        let shape = self.shape();
        let mut handles = Vec::with_capacity(shape.nodes.len());
        for node in &shape.nodes {
            let work = match &*node.work.read() {
                NodeWork::Graph(child) => copy.embed(tables, child)?,
                other => other.clone(),
            };
            handles.push(copy.add(tables, work, &[], node.handle)?);
        }
        let edges = shape.edges.iter().map(|&(a, b)| (handles[a], handles[b]));
        let mut inner = copy.inner.lock();
        inner.edges = edges.collect();
        inner.user_objects = self.inner.lock().user_objects.clone();
        Ok(())
    }

    pub fn shape(&self) -> Shape {
        let inner = self.inner.lock();
        let place: HashMap<u64, usize> = inner
            .nodes
            .iter()
            .enumerate()
            .map(|(i, n)| (n.handle, i))
            .collect();
        let edges = inner.edges.iter().map(|(a, b)| (place[a], place[b]));
        Shape {
            edges: edges.collect(),
            nodes: inner.nodes.clone(),
        }
    }

    /// The graph becomes the owner of references that the caller has counted.
    pub fn own(&self, references: UserReferences) {
        self.inner.lock().user_objects.push(references);
    }

    pub fn user_objects(&self) -> Vec<UserReferences> {
        self.inner.lock().user_objects.clone()
    }

    /// Gives up references to a user object.
    pub fn disown(&self, object: u64, mut count: u32) -> Res {
        let mut inner = self.inner.lock();
        let mine = |r: &&mut UserReferences| r.object.handle == object;
        let have = inner
            .user_objects
            .iter()
            .filter(|r| r.object.handle == object);
        if have.map(|r| u64::from(r.count)).sum::<u64>() < count.into() {
            return Err(INVALID_VALUE);
        }
        let mut gone = Vec::new();
        for references in inner.user_objects.iter_mut().filter(mine) {
            let taken = references.count.min(count);
            references.count -= taken;
            count -= taken;
            gone.push(UserReferences::taken(references.object.clone(), taken));
        }
        inner.user_objects.retain(|r| r.count > 0);
        // The program's function runs without the graph's lock.
        drop(inner);
        drop(gone);
        Ok(())
    }
}

fn forget_node(tables: Tables, node: u64) {
    if let Some(node) = tables.nodes.remove(node) {
        // Not under the lock: the end of what they have is the program's functions.
        let inner = node.work.read().inner().to_vec();
        forget_graphs(tables, &inner);
    }
}

/// Forgets the graphs inside of a node's work.
pub fn forget_graphs(tables: Tables, graphs: &[Arc<Graph>]) {
    for graph in graphs {
        graph.clear(tables);
        tables.graphs.remove(graph.handle);
    }
}

impl Shape {
    /// The places of the nodes in an order in which each comes after those it waits for, or a node of a circle.
    pub fn order(&self) -> Result<Vec<usize>, usize> {
        let mut waits = vec![0usize; self.nodes.len()];
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &(from, to) in &self.edges {
            waits[to] += 1;
            next[from].push(to);
        }
        // The smallest place first: the order in which the program made the nodes, as far as edges allow.
        let ready = |waits: &[usize]| (0..waits.len()).filter(|&i| waits[i] == 0).collect();
        let mut queue: std::collections::BTreeSet<usize> = ready(&waits);
        let mut order = Vec::with_capacity(waits.len());
        while let Some(at) = queue.pop_first() {
            order.push(at);
            for &to in &next[at] {
                waits[to] -= 1;
                if waits[to] == 0 {
                    queue.insert(to);
                }
            }
        }
        match waits.iter().position(|&n| n > 0) {
            Some(stuck) => Err(stuck),
            None => Ok(order),
        }
    }
}
