//! Graphs: making them, their nodes and edges, copies, user objects.

use crate::api::{driver_functions, name_of, put};
use crate::code::{INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::current;
use crate::driver::{self, Driver};
use crate::graphs::condition::Condition;
use crate::graphs::graph::{Edge, Graph};
use crate::graphs::memory;
use crate::graphs::node::{Node, NodeWork};
use crate::graphs::user_object::{UserObject, UserReferences};
use core::ffi::{c_char, c_void};
use cuox_abi::{
    CUcontext, CUdevice, CUgraph, CUgraphConditionalHandle, CUgraphEdgeData, CUgraphMem_attribute,
    CUgraphNode, CUgraphNodeType, CUhostFn, CUuserObject, cuuint64_t,
};
use std::fmt::Write as _;
use std::sync::Arc;

/// Longer lists are not believed.
const MOST: usize = 1 << 24;

/// The graph with that handle.
pub(super) fn graph_named(driver: &Driver, graph: CUgraph) -> Res<Arc<Graph>> {
    driver.graphs.get(graph.addr() as u64).ok_or(INVALID_VALUE)
}

/// The node with that handle.
pub(super) fn node_named(driver: &Driver, node: CUgraphNode) -> Res<Arc<Node>> {
    driver
        .graph_nodes
        .get(node.addr() as u64)
        .ok_or(INVALID_VALUE)
}

/// Refuses contexts that there are not; null is the current one.
pub(super) fn check_context(driver: &Driver, context: CUcontext) -> Res {
    match context.addr() as u64 {
        0 => current::context(driver).map(drop),
        handle => current::by_handle(driver, handle).map(drop),
    }
}

/// A list of nodes.
///
/// # Safety
/// `list` is null or has `count` elements.
pub(super) unsafe fn node_list(list: *const CUgraphNode, count: usize) -> Res<Vec<u64>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if list.is_null() || count > MOST {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null, so `count` elements.
    let nodes = unsafe { core::slice::from_raw_parts(list, count) };
    Ok(nodes.iter().map(|node| node.addr() as u64).collect())
}

/// Refuses edges with ports or of another kind than full dependencies, which only programmatic launches have.
///
/// # Safety
/// `data` is null or has `count` elements.
pub(super) unsafe fn check_edge_data(data: *const CUgraphEdgeData, count: usize) -> Res {
    if data.is_null() {
        return Ok(());
    }
    for at in 0..count.min(MOST) {
        // SAFETY: not null, so `count` elements.
        let edge = unsafe { data.add(at).read() };
        if edge.from_port != 0 || edge.to_port != 0 || edge.type_ != 0 {
            return Err(crate::code::NOT_SUPPORTED);
        }
    }
    Ok(())
}

/// Gives a list in CUDA's way: without room its length, else as many as there is room for, and zeros behind them.
///
/// # Safety
/// `count` is null or a number; `room` is null or has that many elements.
unsafe fn put_list<T: Default>(items: Vec<T>, room: *mut T, count: *mut usize) -> Res {
    // SAFETY: null or a number.
    let count = unsafe { count.as_mut() }.ok_or(INVALID_VALUE)?;
    if !room.is_null() {
        let len = items.len();
        let padded = items.into_iter().chain(std::iter::repeat_with(T::default));
        for (at, item) in padded.take(*count).enumerate() {
            // SAFETY: not null, so as many elements as `count` says.
            unsafe { room.add(at).write(item) };
        }
        *count = len.min(*count);
    } else {
        *count = items.len();
    }
    Ok(())
}

fn handles(nodes: Vec<u64>) -> Vec<CUgraphNode> {
    let handle = |node| CUgraphNode::from_addr(node as usize);
    nodes.into_iter().map(handle).collect()
}

/// Edges, the two ends in lists of their own.
///
/// # Safety
/// As for `cuGraphGetEdges_v2`.
unsafe fn put_edges(
    edges: Vec<Edge>,
    from: *mut CUgraphNode,
    to: *mut CUgraphNode,
    data: *mut CUgraphEdgeData,
    count: *mut usize,
) -> Res {
    if from.is_null() != to.is_null() {
        return Err(INVALID_VALUE);
    }
    let (sources, targets) = edges.into_iter().unzip();
    let (sources, targets) = (handles(sources), handles(targets));
    let kinds = vec![CUgraphEdgeData::default(); sources.len()];
    // SAFETY: by this function's contract.
    unsafe {
        let room = *count.as_ref().ok_or(INVALID_VALUE)?;
        let mut again = room;
        put_list(sources, from, &mut again)?;
        again = room;
        if !data.is_null() {
            put_list(kinds, data, &mut again)?;
        }
        put_list(targets, to, count)
    }
}

/// Two lists of nodes as edges.
///
/// # Safety
/// Both lists are null or have `count` elements.
unsafe fn edges_of(
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    count: usize,
) -> Res<Vec<Edge>> {
    // SAFETY: by this function's contract.
    let (from, to) = unsafe { (node_list(from, count)?, node_list(to, count)?) };
    Ok(from.into_iter().zip(to).collect())
}

/// Nodes that the node waits for (`before`), or that wait for it.
fn neighbours(node: CUgraphNode, before: bool) -> Res<Vec<u64>> {
    let driver = driver::get()?;
    let node = node_named(driver, node)?;
    let graph = driver.graphs.get(node.graph).ok_or(INVALID_VALUE)?;
    let edges = graph.edges().into_iter();
    Ok(match before {
        true => edges.filter(|e| e.1 == node.handle).map(|e| e.0).collect(),
        false => edges.filter(|e| e.0 == node.handle).map(|e| e.1).collect(),
    })
}

/// A description in Graphviz' language.
fn dot(graph: &Graph) -> String {
    let shape = graph.shape();
    let mut text = String::from("digraph dot {\n");
    let name = |at: usize| format!("graph_{:x}_node_{at}", graph.handle);
    for (at, node) in shape.nodes.iter().enumerate() {
        let work = node.work.read();
        let what = match &*work {
            NodeWork::Kernel(kernel) => {
                let launch = &kernel.launch;
                let name = cuox_simt::demangle::readable(&launch.name);
                let kernel = name.replace('\\', "\\\\").replace('"', "\\\"");
                format!(
                    "KERNEL\\n{kernel}\\ngrid {:?} block {:?} shared {}",
                    launch.grid, launch.block, launch.dynamic_shared
                )
            }
            other => {
                let kind = other.kind().name().unwrap_or("?");
                kind.trim_start_matches("CU_GRAPH_NODE_TYPE_").to_owned()
            }
        };
        let _ = writeln!(
            text,
            "  \"{}\" [shape=\"record\", label=\"{at}: {what}\"];",
            name(at)
        );
    }
    for (from, to) in &shape.edges {
        let _ = writeln!(text, "  \"{}\" -> \"{}\";", name(*from), name(*to));
    }
    text.push_str("}\n");
    text
}

fn forget_user_object(handle: u64) {
    if let Ok(driver) = driver::get() {
        driver.user_objects.remove(handle);
    }
}

fn user_object(driver: &Driver, object: CUuserObject) -> Res<Arc<UserObject>> {
    let found = driver.user_objects.get(object.addr() as u64);
    found.ok_or(INVALID_VALUE)
}

/// A condition has its first value again at the beginning of each launch (`CU_GRAPH_COND_ASSIGN_DEFAULT`).
const ASSIGN_DEFAULT: u32 = 1;
/// The graph becomes the owner of the caller's references instead of taking new ones.
const MOVE: u32 = 1;
/// A user object's destructor may run at any time; the only flag there is, and it is required.
const NO_DESTRUCTOR_SYNC: u32 = 1;

fn disconnect(graph: CUgraph, edges: &[Edge]) -> Res {
    let graph = graph_named(driver::get()?, graph)?;
    if !edges.is_empty() {
        graph.check_without_memory_nodes("removing an edge")?;
    }
    graph.disconnect(edges)
}

driver_functions! {
    fn cuGraphCreate(phGraph: *mut CUgraph, flags: u32) {
        let driver = driver::get()?;
        if phGraph.is_null() || flags != 0 {
            return Err(INVALID_VALUE);
        }
        let made = Graph::create(driver.graph_tables())?;
        put(phGraph, CUgraph::from_addr(made.handle as usize))
    }

    fn cuGraphDestroy(hGraph: CUgraph) {
        let driver = driver::get()?;
        let graph = graph_named(driver, hGraph)?;
        if graph.is_embedded() {
            return Err(INVALID_VALUE);
        }
        graph.clear(driver.graph_tables());
        driver.graphs.remove(graph.handle).map(drop).ok_or(INVALID_VALUE)
    }

    fn cuGraphClone(phGraphClone: *mut CUgraph, originalGraph: CUgraph) {
        let driver = driver::get()?;
        let graph = graph_named(driver, originalGraph)?;
        if phGraphClone.is_null() {
            return Err(INVALID_VALUE);
        }
        graph.check_can_be_copied("a clone")?;
        let copy = graph.copy(driver.graph_tables())?;
        put(phGraphClone, CUgraph::from_addr(copy.handle as usize))
    }

    fn cuGraphNodeFindInClone(phNode: *mut CUgraphNode, hOriginalNode: CUgraphNode, hClonedGraph: CUgraph) {
        let driver = driver::get()?;
        let original = node_named(driver, hOriginalNode)?;
        let clone = graph_named(driver, hClonedGraph)?;
        let nodes = clone.shape().nodes;
        let found = nodes.iter().find(|n| n.original == original.handle).ok_or(INVALID_VALUE)?;
        put(phNode, CUgraphNode::from_addr(found.handle as usize))
    }

    fn cuGraphConditionalHandleCreate(pHandle_out: *mut CUgraphConditionalHandle, hGraph: CUgraph, ctx: CUcontext, defaultLaunchValue: u32, flags: u32) {
        let driver = driver::get()?;
        let graph = graph_named(driver, hGraph)?;
        check_context(driver, ctx)?;
        if pHandle_out.is_null() || flags & !ASSIGN_DEFAULT != 0 {
            return Err(INVALID_VALUE);
        }
        let condition = Condition::new(defaultLaunchValue, flags & ASSIGN_DEFAULT != 0);
        graph.add_condition(condition);
        put(pHandle_out, condition.handle)
    }

    fn cuGraphGetNodes(hGraph: CUgraph, nodes: *mut CUgraphNode, numNodes: *mut usize) {
        let graph = graph_named(driver::get()?, hGraph)?;
        put_list(handles(graph.nodes()), nodes, numNodes)
    }

    fn cuGraphGetRootNodes(hGraph: CUgraph, rootNodes: *mut CUgraphNode, numRootNodes: *mut usize) {
        let graph = graph_named(driver::get()?, hGraph)?;
        put_list(handles(graph.roots()), rootNodes, numRootNodes)
    }

    fn cuGraphGetEdges(hGraph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, numEdges: *mut usize) {
        let graph = graph_named(driver::get()?, hGraph)?;
        put_edges(graph.edges(), from, to, core::ptr::null_mut(), numEdges)
    }

    fn cuGraphGetEdges_v2(hGraph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numEdges: *mut usize) {
        let graph = graph_named(driver::get()?, hGraph)?;
        put_edges(graph.edges(), from, to, edgeData, numEdges)
    }

    fn cuGraphNodeGetDependencies(hNode: CUgraphNode, dependencies: *mut CUgraphNode, numDependencies: *mut usize) {
        put_list(handles(neighbours(hNode, true)?), dependencies, numDependencies)
    }

    fn cuGraphNodeGetDependencies_v2(hNode: CUgraphNode, dependencies: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numDependencies: *mut usize) {
        let found = neighbours(hNode, true)?;
        if !edgeData.is_null() {
            let mut room = *numDependencies.as_ref().ok_or(INVALID_VALUE)?;
            put_list(vec![CUgraphEdgeData::default(); found.len()], edgeData, &mut room)?;
        }
        put_list(handles(found), dependencies, numDependencies)
    }

    fn cuGraphNodeGetDependentNodes(hNode: CUgraphNode, dependentNodes: *mut CUgraphNode, numDependentNodes: *mut usize) {
        put_list(handles(neighbours(hNode, false)?), dependentNodes, numDependentNodes)
    }

    fn cuGraphNodeGetDependentNodes_v2(hNode: CUgraphNode, dependentNodes: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numDependentNodes: *mut usize) {
        let found = neighbours(hNode, false)?;
        if !edgeData.is_null() {
            let mut room = *numDependentNodes.as_ref().ok_or(INVALID_VALUE)?;
            put_list(vec![CUgraphEdgeData::default(); found.len()], edgeData, &mut room)?;
        }
        put_list(handles(found), dependentNodes, numDependentNodes)
    }

    fn cuGraphAddDependencies(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, numDependencies: usize) {
        graph_named(driver::get()?, hGraph)?.connect(&edges_of(from, to, numDependencies)?)
    }

    fn cuGraphAddDependencies_v2(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, edgeData: *const CUgraphEdgeData, numDependencies: usize) {
        check_edge_data(edgeData, numDependencies)?;
        graph_named(driver::get()?, hGraph)?.connect(&edges_of(from, to, numDependencies)?)
    }

    fn cuGraphRemoveDependencies(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, numDependencies: usize) {
        disconnect(hGraph, &edges_of(from, to, numDependencies)?)
    }

    fn cuGraphRemoveDependencies_v2(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, edgeData: *const CUgraphEdgeData, numDependencies: usize) {
        check_edge_data(edgeData, numDependencies)?;
        disconnect(hGraph, &edges_of(from, to, numDependencies)?)
    }

    fn cuGraphDestroyNode(hNode: CUgraphNode) {
        let driver = driver::get()?;
        let node = node_named(driver, hNode)?;
        let graph = driver.graphs.get(node.graph).ok_or(INVALID_VALUE)?;
        graph.check_without_memory_nodes("removing a node")?;
        graph.remove(driver.graph_tables(), node.handle);
        Ok(())
    }

    fn cuGraphNodeGetType(hNode: CUgraphNode, type_: *mut CUgraphNodeType) {
        let kind = node_named(driver::get()?, hNode)?.work.read().kind();
        put(type_, kind)
    }

    fn cuGraphDebugDotPrint(hGraph: CUgraph, path: *const c_char, _flags: u32) {
        let graph = graph_named(driver::get()?, hGraph)?;
        std::fs::write(name_of(path)?, dot(&graph)).map_err(|_| crate::code::OPERATING_SYSTEM)
    }

    fn cuUserObjectCreate(object_out: *mut CUuserObject, ptr: *mut c_void, destroy: CUhostFn, initialRefcount: u32, flags: u32) {
        let driver = driver::get()?;
        let destroy = destroy.ok_or(INVALID_VALUE)?;
        if object_out.is_null() || initialRefcount == 0 || initialRefcount > i32::MAX as u32 || flags != NO_DESTRUCTOR_SYNC {
            return Err(INVALID_VALUE);
        }
        let make = |handle| UserObject::new(handle, ptr as usize, destroy, initialRefcount, forget_user_object);
        let made = driver.user_objects.insert(make).ok_or(OUT_OF_MEMORY)?;
        put(object_out, CUuserObject::from_addr(made.handle as usize))
    }

    fn cuUserObjectRetain(object: CUuserObject, count: u32) {
        if count == 0 || count > i32::MAX as u32 {
            return Err(INVALID_VALUE);
        }
        let object = user_object(driver::get()?, object)?;
        if object.retain(count) { Ok(()) } else { Err(INVALID_VALUE) }
    }

    fn cuUserObjectRelease(object: CUuserObject, count: u32) {
        if count == 0 || count > i32::MAX as u32 {
            return Err(INVALID_VALUE);
        }
        let object = user_object(driver::get()?, object)?;
        object.release(count);
        Ok(())
    }

    fn cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: u32, flags: u32) {
        let driver = driver::get()?;
        let graph = graph_named(driver, graph)?;
        let object = user_object(driver, object)?;
        if count == 0 || count > i32::MAX as u32 || flags & !MOVE != 0 {
            return Err(INVALID_VALUE);
        }
        if flags & MOVE == 0 && !object.retain(count) {
            return Err(INVALID_VALUE);
        }
        graph.own(UserReferences::taken(object, count));
        Ok(())
    }

    fn cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: u32) {
        let driver = driver::get()?;
        graph_named(driver, graph)?.disown(object.addr() as u64, count)
    }

    fn cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) {
        let device = driver::get()?.device(device)?.ordinal;
        use CUgraphMem_attribute as A;
        let answer = match attr {
            A::CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT | A::CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT => memory::reserved(device),
            A::CU_GRAPH_MEM_ATTR_USED_MEM_HIGH | A::CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH => memory::reserved_high(device),
            _ => return Err(INVALID_VALUE),
        };
        put(value.cast::<cuuint64_t>(), answer)
    }

    fn cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) {
        let device = driver::get()?.device(device)?.ordinal;
        use CUgraphMem_attribute as A;
        let high = [A::CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, A::CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH];
        if value.is_null() || !high.contains(&attr) || value.cast::<cuuint64_t>().read_unaligned() != 0 {
            return Err(INVALID_VALUE);
        }
        memory::reset_high(device);
        Ok(())
    }

    fn cuDeviceGraphMemTrim(device: CUdevice) {
        let driver = driver::get()?;
        memory::trim(&driver.memory, driver.device(device)?.ordinal);
        Ok(())
    }

    fn cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode, phGraph: *mut CUgraph) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::Graph(child) => put(phGraph, CUgraph::from_addr(child.handle as usize)),
            _ => Err(INVALID_VALUE),
        }
    }
}
