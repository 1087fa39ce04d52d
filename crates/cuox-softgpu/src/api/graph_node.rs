//! Nodes of graphs: adding them, and their parameters.

use crate::api::copy::solid;
use crate::api::function::named as function_named;
use crate::api::graph::{check_context, check_edge_data, graph_named, node_list, node_named};
use crate::api::launch::{self, Shape};
use crate::api::{driver_functions, pool, put, set};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, NOT_SUPPORTED, Res};
use crate::driver::{self, Driver};
use crate::graphs::capture;
use crate::graphs::graph::{Graph, forget_graphs};
use crate::graphs::memory::GraphMemory;
use crate::graphs::node::{AllocNode, ConditionalNode, CopyNode, HostNode, KernelNode, NodeWork};
use crate::memory::{Kind, Owner};
use crate::streams::geometry::Fill;
use crate::streams::stream::Stream;
use crate::{current, fault, thread};
use cuox_abi::{
    CUDA_CONDITIONAL_NODE_PARAMS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS,
    CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS,
    CUcontext, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphEdgeData, CUgraphNode,
    CUgraphNodeParams, CUgraphNodeType, CUkernelNodeAttrID, CUkernelNodeAttrValue,
    CUlaunchAttributeID as Id, CUlaunchAttributeValue, CUmemAllocationType, CUmemLocationType,
    CUstream,
};
use std::sync::Arc;

/// Adds a node to a graph.
///
/// # Safety
/// `dependencies` is null or has `count` elements; `node` is null or writable.
unsafe fn add(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    work: impl FnOnce(&'static Driver) -> Res<NodeWork>,
) -> Res {
    // SAFETY: by this function's contract.
    unsafe {
        add_behind(node, graph, dependencies, count, |driver, _, _| {
            work(driver)
        })
    }
}

/// Adds a node whose work depends on the graph and the nodes that it comes behind.
///
/// # Safety
/// As for [`add`].
unsafe fn add_behind(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    work: impl FnOnce(&'static Driver, &Graph, &[u64]) -> Res<NodeWork>,
) -> Res {
    let driver = driver::get()?;
    let graph = graph_named(driver, graph)?;
    if node.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: by this function's contract.
    unsafe {
        let after = node_list(dependencies, count)?;
        let work = work(driver, &graph, &after)?;
        let made = graph.add(driver.graph_tables(), work, &after, 0)?;
        put(node, CUgraphNode::from_addr(made as usize))
    }
}

/// The work of a kernel node. Its cooperation and cluster are those of `old`, if there is one.
///
/// # Safety
/// The parameters' arrays are as `cuLaunchKernel` describes them.
pub(super) unsafe fn kernel_work(
    driver: &'static Driver,
    params: &CUDA_KERNEL_NODE_PARAMS,
    old: Option<&KernelNode>,
) -> Res<NodeWork> {
    let handle = if params.func.is_null() {
        CUfunction::from_addr(params.kern.addr())
    } else {
        params.func
    };
    let device = match params.ctx.addr() as u64 {
        0 => current::context(driver).map_or(0, |now| now.state.device),
        context => current::device_of(driver, context)?,
    };
    let function = current::function(driver, function_named(handle)?, device)?;
    let mut shape = Shape::plain(
        [params.gridDimX, params.gridDimY, params.gridDimZ],
        [params.blockDimX, params.blockDimY, params.blockDimZ],
        params.sharedMemBytes,
        CUstream::null(),
    );
    if let Some(old) = old {
        shape.cooperative = old.launch.cooperative;
        shape.cluster = old.launch.cluster;
    }
    // SAFETY: by this function's contract.
    let packed = unsafe { launch::pack(&function, params.kernelParams, params.extra) }?;
    let context = match params.ctx.addr() as u64 {
        0 => thread::top(),
        context => context,
    };
    let green = current::green_by_context(driver, context);
    let green = green.map(|green| green.part.multiprocessors.clone());
    let part = green.or_else(|| old.and_then(|old| old.launch.part.clone()));
    let launch = launch::prepare(driver, &function, &shape, packed, part)?;
    let attributes = old.map_or_else(Vec::new, |old| old.attributes.clone());
    Ok(NodeWork::Kernel(KernelNode::new(
        function, launch, attributes,
    )))
}

/// The newer record of an older one.
pub(super) fn upgraded(old: &CUDA_KERNEL_NODE_PARAMS_v1) -> CUDA_KERNEL_NODE_PARAMS {
    CUDA_KERNEL_NODE_PARAMS {
        func: old.func,
        gridDimX: old.gridDimX,
        gridDimY: old.gridDimY,
        gridDimZ: old.gridDimZ,
        blockDimX: old.blockDimX,
        blockDimY: old.blockDimY,
        blockDimZ: old.blockDimZ,
        sharedMemBytes: old.sharedMemBytes,
        kernelParams: old.kernelParams,
        extra: old.extra,
        ..CUDA_KERNEL_NODE_PARAMS::default()
    }
}

pub(super) fn copy_work(driver: &Driver, record: &CUDA_MEMCPY3D) -> Res<NodeWork> {
    Ok(NodeWork::Copy(Arc::new(CopyNode {
        record: *record,
        shape: solid(driver, record)?,
    })))
}

pub(super) fn fill_work(driver: &Driver, record: &CUDA_MEMSET_NODE_PARAMS) -> Res<NodeWork> {
    if ![1, 2, 4].contains(&record.elementSize) || record.height == 0 {
        return Err(INVALID_VALUE);
    }
    let fill = Fill {
        at: record.dst,
        pitch: record.pitch as u64,
        count: record.width as u64,
        height: record.height as u64,
        size: record.elementSize.into(),
        value: record.value,
    };
    Ok(NodeWork::Fill(set::checked(driver, fill)?))
}

pub(super) fn host_work(record: &CUDA_HOST_NODE_PARAMS) -> Res<NodeWork> {
    Ok(NodeWork::Host(HostNode {
        call: record.fn_.ok_or(INVALID_VALUE)?,
        data: record.userData as usize,
    }))
}

pub(super) fn event_work(driver: &Driver, event: CUevent, wait: bool) -> Res<NodeWork> {
    let event = driver.events.get(event.addr() as u64);
    let event = event.ok_or(INVALID_HANDLE)?;
    if event.shared.is_some() {
        fault::explain("a graph's node cannot wait for or record an interprocess event".into());
        return Err(NOT_SUPPORTED);
    }
    Ok(match wait {
        true => NodeWork::WaitEvent(event),
        false => NodeWork::RecordEvent(event),
    })
}

/// Memory for an allocation of a graph behind these nodes.
fn graph_memory(
    driver: &'static Driver,
    len: u64,
    owner: Owner,
    kind: Kind,
    (graph, after): (&Graph, &[u64]),
) -> Res<Arc<GraphMemory>> {
    match graph.take_freed(after, len, owner, kind) {
        Some(memory) => Ok(memory),
        None => GraphMemory::reserve(&driver.memory, len, owner, kind),
    }
}

fn allocate(
    driver: &'static Driver,
    record: &mut CUDA_MEM_ALLOC_NODE_PARAMS,
    behind: (&Graph, &[u64]),
) -> Res<NodeWork> {
    let now = current::healthy(driver)?;
    let properties = &record.poolProps;
    if record.bytesize == 0 {
        return Err(INVALID_VALUE);
    }
    let (kind, device, place) = pool::kind_at(driver, properties.allocType, properties.location)?;
    if place.type_ != CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE {
        fault::explain("graphs allocate memory of devices, and managed memory at devices".into());
        return Err(NOT_SUPPORTED);
    }
    let owner = Owner {
        device,
        ..now.state.owner()
    };
    let kind = match kind {
        Kind::PooledManaged => Kind::GraphManaged,
        _ => Kind::Graph,
    };
    let memory = graph_memory(driver, record.bytesize as u64, owner, kind, behind)?;
    record.dptr = memory.at;
    Ok(NodeWork::Alloc(Arc::new(AllocNode {
        record: *record,
        memory,
    })))
}

/// A stream-ordered allocation in a stream that is captured.
pub(super) fn record_allocation(driver: &'static Driver, stream: &Stream, len: u64) -> Res<u64> {
    let mut at = 0;
    capture::add_behind(stream, |graph, after| {
        let owner = stream.context.owner();
        let memory = graph_memory(driver, len, owner, Kind::Graph, (graph, after))?;
        at = memory.at;
        let mut record = CUDA_MEM_ALLOC_NODE_PARAMS {
            bytesize: len as usize,
            dptr: at,
            ..CUDA_MEM_ALLOC_NODE_PARAMS::default()
        };
        record.poolProps.allocType = CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        record.poolProps.location.type_ = CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
        record.poolProps.location.id = stream.context.device as i32;
        Ok(NodeWork::Alloc(Arc::new(AllocNode { record, memory })))
    })?;
    Ok(at)
}

/// More graphs of a node are not believed.
const MOST_BODIES: u32 = 1 << 16;

/// The work of a conditional node in `graph`, whose own graphs are new.
fn conditional_work(
    driver: &'static Driver,
    params: &mut CUDA_CONDITIONAL_NODE_PARAMS,
    graph: &Graph,
) -> Res<NodeWork> {
    check_context(driver, params.ctx)?;
    let tables = driver.graph_tables();
    let condition = graph.free_condition(tables, params.handle);
    let condition = condition.ok_or_else(|| {
        fault::explain(
            "the condition is not of this graph or one around it, or another node has it".into(),
        );
        INVALID_VALUE
    })?;
    if !ConditionalNode::can_have(params.type_, params.size) || params.size > MOST_BODIES {
        return Err(INVALID_VALUE);
    }
    let mut bodies = Vec::new();
    for _ in 0..params.size {
        let body = graph.create_body(tables);
        bodies.push(body.inspect_err(|_| forget_graphs(tables, &bodies))?);
    }
    let node = Arc::new(ConditionalNode::new(condition, params.type_, bodies));
    params.phGraph_out = node.list();
    Ok(NodeWork::Conditional(node))
}

/// The work that a record of any kind describes.
///
/// # Safety
/// The record's pointers are as the driver API asks for that kind of node.
pub(super) unsafe fn any_work(
    driver: &'static Driver,
    params: &mut CUgraphNodeParams,
    old: Option<&KernelNode>,
    graph: Option<&Graph>,
    after: Option<&[u64]>,
) -> Res<NodeWork> {
    use CUgraphNodeType as T;
    // SAFETY: the type says which member is meant; all are plain data.
    unsafe {
        match params.type_ {
            T::CU_GRAPH_NODE_TYPE_KERNEL => {
                let k = &params.anon0.kernel;
                let record = CUDA_KERNEL_NODE_PARAMS {
                    func: k.func,
                    gridDimX: k.gridDimX,
                    gridDimY: k.gridDimY,
                    gridDimZ: k.gridDimZ,
                    blockDimX: k.blockDimX,
                    blockDimY: k.blockDimY,
                    blockDimZ: k.blockDimZ,
                    sharedMemBytes: k.sharedMemBytes,
                    kernelParams: k.kernelParams,
                    extra: k.extra,
                    kern: k.kern,
                    ctx: k.ctx,
                };
                kernel_work(driver, &record, old)
            }
            T::CU_GRAPH_NODE_TYPE_MEMCPY => copy_work(driver, &params.anon0.memcpy.copyParams),
            T::CU_GRAPH_NODE_TYPE_MEMSET => {
                let m = &params.anon0.memset;
                let record = CUDA_MEMSET_NODE_PARAMS {
                    dst: m.dst,
                    pitch: m.pitch,
                    value: m.value,
                    elementSize: m.elementSize,
                    width: m.width,
                    height: m.height,
                };
                fill_work(driver, &record)
            }
            T::CU_GRAPH_NODE_TYPE_HOST => {
                let h = &params.anon0.host;
                host_work(&CUDA_HOST_NODE_PARAMS {
                    fn_: h.fn_,
                    userData: h.userData,
                })
            }
            T::CU_GRAPH_NODE_TYPE_GRAPH => {
                let child = graph_named(driver, params.anon0.graph.graph)?;
                child.check_can_be_copied("a copy for a node")?;
                let graph = graph.ok_or(INVALID_VALUE)?;
                graph.embed(driver.graph_tables(), &child)
            }
            T::CU_GRAPH_NODE_TYPE_EMPTY => Ok(NodeWork::Empty),
            T::CU_GRAPH_NODE_TYPE_WAIT_EVENT => {
                event_work(driver, params.anon0.eventWait.event, true)
            }
            T::CU_GRAPH_NODE_TYPE_EVENT_RECORD => {
                event_work(driver, params.anon0.eventRecord.event, false)
            }
            T::CU_GRAPH_NODE_TYPE_MEM_ALLOC => {
                let a = &params.anon0.alloc;
                let mut record = CUDA_MEM_ALLOC_NODE_PARAMS {
                    poolProps: a.poolProps,
                    accessDescs: a.accessDescs,
                    accessDescCount: a.accessDescCount,
                    bytesize: a.bytesize,
                    dptr: 0,
                };
                // Memory is for nodes to come.
                let work = allocate(driver, &mut record, graph.zip(after).ok_or(INVALID_VALUE)?)?;
                params.anon0.alloc.dptr = record.dptr;
                Ok(work)
            }
            T::CU_GRAPH_NODE_TYPE_MEM_FREE => Ok(NodeWork::Free(params.anon0.free.dptr)),
            T::CU_GRAPH_NODE_TYPE_CONDITIONAL => {
                // The graphs inside are those of a new node.
                let (graph, _) = graph.zip(after).ok_or(NOT_SUPPORTED)?;
                conditional_work(driver, &mut params.anon0.conditional, graph)
            }
            kind => {
                let name = kind.name().unwrap_or("of that number");
                fault::explain(format!("the software GPU has no graph nodes {name}"));
                Err(NOT_SUPPORTED)
            }
        }
    }
}

/// Replaces a node's work by work of the same kind.
fn replace(
    node: CUgraphNode,
    work: impl FnOnce(&'static Driver, &NodeWork) -> Res<NodeWork>,
) -> Res {
    let driver = driver::get()?;
    let node = node_named(driver, node)?;
    let new = work(driver, &node.work.read())?;
    let mut now = node.work.write();
    let (gone, done) = match now.kind() == new.kind() {
        true => (std::mem::replace(&mut *now, new), Ok(())),
        false => (new, Err(INVALID_VALUE)),
    };
    // The program's functions may run as it goes.
    drop(now);
    forget_graphs(driver.graph_tables(), gone.inner());
    done
}

/// The kernel of a kernel node.
pub(super) fn kernel_of(work: &NodeWork) -> Res<&Arc<KernelNode>> {
    match work {
        NodeWork::Kernel(kernel) => Ok(kernel),
        _ => Err(INVALID_VALUE),
    }
}

fn kernel_record(kernel: &KernelNode) -> CUDA_KERNEL_NODE_PARAMS {
    let launch = &kernel.launch;
    let ([gx, gy, gz], [bx, by, bz]) = (launch.grid, launch.block);
    CUDA_KERNEL_NODE_PARAMS {
        func: CUfunction::from_addr(kernel.function.handle as usize),
        gridDimX: gx,
        gridDimY: gy,
        gridDimZ: gz,
        blockDimX: bx,
        blockDimY: by,
        blockDimZ: bz,
        sharedMemBytes: launch.dynamic_shared,
        kernelParams: kernel.kernel_params(),
        ..CUDA_KERNEL_NODE_PARAMS::default()
    }
}

/// The kernel of a node, which the program may look at for as long as the node is not changed.
fn kernel_named(node: CUgraphNode) -> Res<Arc<KernelNode>> {
    let node = node_named(driver::get()?, node)?;
    let work = node.work.read();
    kernel_of(&work).cloned()
}

/// A kernel with another value of an attribute.
fn with_attribute(old: &KernelNode, id: Id, value: &CUlaunchAttributeValue) -> Res<NodeWork> {
    let mut launch = old.launch.clone();
    let mut attributes = old.attributes.clone();
    // SAFETY: the id says which member is meant; both are plain numbers.
    unsafe {
        match id {
            Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE => launch.cooperative = value.cooperative != 0,
            Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                let c = value.clusterDim;
                let size = Some([c.x, c.y, c.z]).filter(|size| *size != [0; 3]);
                let cluster = crate::streams::launch::cluster_of(&old.function, launch.grid, size)?;
                launch.cluster = cluster;
            }
            _ => {
                attributes.retain(|(known, _)| *known != id);
                attributes.push((id, *value));
            }
        }
    }
    Ok(NodeWork::Kernel(KernelNode::new(
        old.function.clone(),
        launch,
        attributes,
    )))
}

fn attribute(kernel: &KernelNode, id: Id) -> CUlaunchAttributeValue {
    let mut value = CUlaunchAttributeValue::default();
    match id {
        Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE => {
            value.cooperative = kernel.launch.cooperative.into();
        }
        Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
            let [x, y, z] = kernel.launch.cluster.unwrap_or_default();
            value.clusterDim = cuox_abi::CUlaunchAttributeValue_clusterDim { x, y, z };
        }
        _ => {
            let known = kernel.attributes.iter().find(|(known, _)| *known == id);
            if let Some((_, known)) = known {
                value = *known;
            }
        }
    }
    value
}

driver_functions! {
    fn cuGraphAddKernelNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) {
        let params = upgraded(nodeParams.as_ref().ok_or(INVALID_VALUE)?);
        add(phGraphNode, hGraph, dependencies, numDependencies, |d| kernel_work(d, &params, None))
    }

    fn cuGraphAddKernelNode_v2(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        add(phGraphNode, hGraph, dependencies, numDependencies, |d| kernel_work(d, params, None))
    }

    fn cuGraphAddMemcpyNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, copyParams: *const CUDA_MEMCPY3D, ctx: CUcontext) {
        let params = copyParams.as_ref().ok_or(INVALID_VALUE)?;
        add(phGraphNode, hGraph, dependencies, numDependencies, |d| {
            check_context(d, ctx)?;
            copy_work(d, params)
        })
    }

    fn cuGraphAddMemsetNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, memsetParams: *const CUDA_MEMSET_NODE_PARAMS, ctx: CUcontext) {
        let params = memsetParams.as_ref().ok_or(INVALID_VALUE)?;
        add(phGraphNode, hGraph, dependencies, numDependencies, |d| {
            check_context(d, ctx)?;
            fill_work(d, params)
        })
    }

    fn cuGraphAddHostNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_HOST_NODE_PARAMS) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        add(phGraphNode, hGraph, dependencies, numDependencies, |_| host_work(params))
    }

    fn cuGraphAddChildGraphNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, childGraph: CUgraph) {
        add_behind(phGraphNode, hGraph, dependencies, numDependencies, |d, graph, _| {
            let child = graph_named(d, childGraph)?;
            child.check_can_be_copied("a copy for a node")?;
            graph.embed(d.graph_tables(), &child)
        })
    }

    fn cuGraphAddEmptyNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize) {
        add(phGraphNode, hGraph, dependencies, numDependencies, |_| Ok(NodeWork::Empty))
    }

    fn cuGraphAddEventRecordNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, event: CUevent) {
        add(phGraphNode, hGraph, dependencies, numDependencies, |d| event_work(d, event, false))
    }

    fn cuGraphAddEventWaitNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, event: CUevent) {
        add(phGraphNode, hGraph, dependencies, numDependencies, |d| event_work(d, event, true))
    }

    fn cuGraphAddMemAllocNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *mut CUDA_MEM_ALLOC_NODE_PARAMS) {
        let params = nodeParams.as_mut().ok_or(INVALID_VALUE)?;
        add_behind(phGraphNode, hGraph, dependencies, numDependencies, |d, graph, after| allocate(d, params, (graph, after)))
    }

    fn cuGraphAddMemFreeNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, dptr: CUdeviceptr) {
        add(phGraphNode, hGraph, dependencies, numDependencies, |d| {
            let found = d.memory.find(dptr).filter(|a| a.start == dptr);
            found.map(|_| NodeWork::Free(dptr)).ok_or(INVALID_VALUE)
        })
    }

    fn cuGraphAddNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) {
        let params = nodeParams.as_mut().ok_or(INVALID_VALUE)?;
        add_behind(phGraphNode, hGraph, dependencies, numDependencies, |d, graph, after| any_work(d, params, None, Some(graph), Some(after)))
    }

    fn cuGraphAddNode_v2(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) {
        check_edge_data(dependencyData, numDependencies)?;
        let params = nodeParams.as_mut().ok_or(INVALID_VALUE)?;
        add_behind(phGraphNode, hGraph, dependencies, numDependencies, |d, graph, after| any_work(d, params, None, Some(graph), Some(after)))
    }

    fn cuGraphNodeSetParams(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) {
        let params = nodeParams.as_mut().ok_or(INVALID_VALUE)?;
        let driver = driver::get()?;
        let graph = driver.graphs.get(node_named(driver, hNode)?.graph);
        replace(hNode, |d, old| any_work(d, params, kernel_of(old).ok().map(|k| &**k), graph.as_deref(), None))
    }

    fn cuGraphKernelNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_KERNEL_NODE_PARAMS_v1) {
        let new = kernel_record(&*kernel_named(hNode)?);
        put(nodeParams, CUDA_KERNEL_NODE_PARAMS_v1 {
            func: new.func,
            gridDimX: new.gridDimX,
            gridDimY: new.gridDimY,
            gridDimZ: new.gridDimZ,
            blockDimX: new.blockDimX,
            blockDimY: new.blockDimY,
            blockDimZ: new.blockDimZ,
            sharedMemBytes: new.sharedMemBytes,
            kernelParams: new.kernelParams,
            extra: core::ptr::null_mut(),
        })
    }

    fn cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode, nodeParams: *mut CUDA_KERNEL_NODE_PARAMS) {
        put(nodeParams, kernel_record(&*kernel_named(hNode)?))
    }

    fn cuGraphKernelNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) {
        let params = upgraded(nodeParams.as_ref().ok_or(INVALID_VALUE)?);
        replace(hNode, |d, old| kernel_work(d, &params, Some(kernel_of(old)?)))
    }

    fn cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        replace(hNode, |d, old| kernel_work(d, params, Some(kernel_of(old)?)))
    }

    fn cuGraphKernelNodeGetAttribute(hNode: CUgraphNode, attr: CUkernelNodeAttrID, value_out: *mut CUkernelNodeAttrValue) {
        put(value_out, attribute(&*kernel_named(hNode)?, attr))
    }

    fn cuGraphKernelNodeSetAttribute(hNode: CUgraphNode, attr: CUkernelNodeAttrID, value: *const CUkernelNodeAttrValue) {
        let value = value.as_ref().ok_or(INVALID_VALUE)?;
        replace(hNode, |_, old| with_attribute(kernel_of(old)?, attr, value))
    }

    fn cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) {
        let from = kernel_named(src)?;
        replace(dst, |_, old| {
            let old = kernel_of(old)?;
            let mut launch = old.launch.clone();
            launch.cooperative = from.launch.cooperative;
            launch.cluster = from.launch.cluster;
            Ok(NodeWork::Kernel(KernelNode::new(old.function.clone(), launch, from.attributes.clone())))
        })
    }

    fn cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMCPY3D) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::Copy(copy) => put(nodeParams, copy.record),
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuGraphMemcpyNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_MEMCPY3D) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        replace(hNode, |d, _| copy_work(d, params))
    }

    fn cuGraphMemsetNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMSET_NODE_PARAMS) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::Fill(fill) => put(nodeParams, CUDA_MEMSET_NODE_PARAMS {
                dst: fill.at,
                pitch: fill.pitch as usize,
                value: fill.value,
                elementSize: fill.size as u32,
                width: fill.count as usize,
                height: fill.height as usize,
            }),
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuGraphMemsetNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_MEMSET_NODE_PARAMS) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        replace(hNode, |d, _| fill_work(d, params))
    }

    fn cuGraphHostNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_HOST_NODE_PARAMS) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::Host(host) => put(nodeParams, CUDA_HOST_NODE_PARAMS {
                fn_: Some(host.call),
                userData: host.data as *mut _,
            }),
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuGraphHostNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_HOST_NODE_PARAMS) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        replace(hNode, |_, _| host_work(params))
    }

    fn cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::RecordEvent(event) => put(event_out, CUevent::from_addr(event.handle as usize)),
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode, event: CUevent) {
        replace(hNode, |d, _| event_work(d, event, false))
    }

    fn cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::WaitEvent(event) => put(event_out, CUevent::from_addr(event.handle as usize)),
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode, event: CUevent) {
        replace(hNode, |d, _| event_work(d, event, true))
    }

    fn cuGraphMemAllocNodeGetParams(hNode: CUgraphNode, params_out: *mut CUDA_MEM_ALLOC_NODE_PARAMS) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::Alloc(alloc) => put(params_out, alloc.record),
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuGraphMemFreeNodeGetParams(hNode: CUgraphNode, dptr_out: *mut CUdeviceptr) {
        let node = node_named(driver::get()?, hNode)?;
        match &*node.work.read() {
            NodeWork::Free(at) => put(dptr_out, *at),
            _ => Err(INVALID_VALUE),
        }
    }
}
