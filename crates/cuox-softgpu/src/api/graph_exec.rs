//! Executable graphs: making, changing, launching them.

use crate::api::graph::{graph_named, node_named};
use crate::api::graph_node::{
    any_work, copy_work, event_work, fill_work, host_work, kernel_of, kernel_work, upgraded,
};
use crate::api::{driver_functions, put, put_if};
use crate::code::{Code, GRAPH_EXEC_UPDATE_FAILURE, INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::driver::{self, Driver};
use crate::graphs::exec::{Difference, Exec, NoPlan, Plan, Run, StepWork};
use crate::graphs::node::NodeWork;
use crate::graphs::running::DEVICE_LAUNCH;
use crate::graphs::{capture, memory};
use crate::streams::progress::Point;
use crate::streams::stream_op::StreamOp;
use crate::{current, fault};
use core::ffi::c_char;
use cuox_abi::{
    CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS,
    CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUevent,
    CUgraph, CUgraphExec, CUgraphExecUpdateResult as Update, CUgraphExecUpdateResultInfo,
    CUgraphInstantiateResult as Outcome, CUgraphNode, CUgraphNodeParams, CUgraphNodeType, CUstream,
    cuuint64_t,
};
use std::sync::Arc;

/// Flags of instantiation (`CUgraphInstantiate_flags`).
const KNOWN_FLAGS: u64 = 0xf;
const AUTO_FREE_ON_LAUNCH: u64 = 1;
const UPLOAD: u64 = 2;

fn named(driver: &Driver, exec: CUgraphExec) -> Res<Arc<Exec>> {
    let found = driver.graph_execs.get(exec.addr() as u64);
    found.ok_or(INVALID_VALUE)
}

/// Why a graph cannot be launched.
struct Refused {
    code: Code,
    outcome: Outcome,
    /// The node that is to blame, or 0.
    node: u64,
}

impl From<NoPlan> for Refused {
    fn from(why: NoPlan) -> Refused {
        match why {
            NoPlan::Circle(node) => {
                fault::explain("the graph's dependencies form a circle".into());
                Refused {
                    code: INVALID_VALUE,
                    outcome: Outcome::CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE,
                    node,
                }
            }
            NoPlan::NotForDevice(node) | NoPlan::NotConditional(node) => {
                let (whose, also) = match why {
                    NoPlan::NotConditional(_) => (
                        "of conditional nodes",
                        ", empty nodes, child graphs and conditional nodes",
                    ),
                    _ => ("that kernels launch", " and child graphs"),
                };
                fault::explain(format!(
                    "graphs {whose} have kernels, copies between memory that the device reaches, fills{also} only"
                ));
                Refused {
                    code: INVALID_VALUE,
                    outcome: Outcome::CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED,
                    node,
                }
            }
        }
    }
}

/// Makes an executable graph.
fn instantiate(graph: CUgraph, flags: u64) -> Result<CUgraphExec, Refused> {
    let plain = |code| Refused {
        code,
        outcome: Outcome::CUDA_GRAPH_INSTANTIATE_ERROR,
        node: 0,
    };
    let driver = driver::get().map_err(plain)?;
    let graph = graph_named(driver, graph).map_err(plain)?;
    if flags & !KNOWN_FLAGS != 0 {
        return Err(plain(INVALID_VALUE));
    }
    if flags & DEVICE_LAUNCH != 0 && flags & AUTO_FREE_ON_LAUNCH != 0 {
        fault::explain("graphs that kernels launch free nothing at their launch".into());
        return Err(plain(INVALID_VALUE));
    }
    if !driver
        .graph_execs
        .select(|e| e.source == graph.handle)
        .is_empty()
    {
        graph
            .check_can_be_copied("a second executable graph")
            .map_err(plain)?;
    }
    if !graph.uses_its_conditions() {
        fault::explain("a condition of the graph has no conditional node".into());
        return Err(Refused {
            outcome: Outcome::CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED,
            ..plain(INVALID_VALUE)
        });
    }
    let plan = Plan::of(&graph, &driver.memory, flags)?;
    let made = driver
        .graph_execs
        .insert(|handle| Exec::new(handle, flags, &graph, plan));
    let made = made.ok_or_else(|| plain(OUT_OF_MEMORY))?;
    if flags & UPLOAD != 0 {
        made.upload();
    }
    Ok(CUgraphExec::from_addr(made.handle as usize))
}

/// The older form of instantiation, which tells the node that is wrong.
///
/// # Safety
/// The pointers are null or writable, the log for `log_size` bytes.
unsafe fn instantiate_with_node(
    exec: *mut CUgraphExec,
    graph: CUgraph,
    error_node: *mut CUgraphNode,
    log: *mut c_char,
    log_size: usize,
) -> Res {
    if exec.is_null() {
        return Err(INVALID_VALUE);
    }
    let made = instantiate(graph, 0);
    let node = made.as_ref().err().map_or(0, |why| why.node);
    // SAFETY: by this function's contract.
    unsafe {
        if !log.is_null() && log_size > 0 {
            log.write(0);
        }
        put_if(error_node, CUgraphNode::from_addr(node as usize));
        put(exec, made.map_err(|why| why.code)?)
    }
}

/// Changes the step of a node to work of the same kind.
fn change(
    exec: CUgraphExec,
    node: CUgraphNode,
    work: impl FnOnce(&'static Driver, &NodeWork) -> Res<NodeWork>,
) -> Res {
    let driver = driver::get()?;
    let exec = named(driver, exec)?;
    let mut work = Some(work);
    exec.change(node.addr() as u64, |step| {
        let StepWork::One(old) = &mut step.work else {
            return Err(INVALID_VALUE);
        };
        let make = work.take().ok_or(INVALID_VALUE)?;
        let new = make(driver, old)?;
        if new.kind() != old.kind() {
            return Err(INVALID_VALUE);
        }
        *old = new;
        Ok(())
    })?
}

/// Changes the graph inside of a node's step.
fn change_child(exec: CUgraphExec, node: CUgraphNode, graph: CUgraph) -> Res {
    let driver = driver::get()?;
    let exec = named(driver, exec)?;
    let graph = graph_named(driver, graph)?;
    let new = Plan::of(&graph, &driver.memory, exec.flags).map_err(|_| INVALID_VALUE)?;
    // What only the old plan has is dropped without the lock.
    let old = exec.change(node.addr() as u64, |step| match &mut step.work {
        StepWork::Child(old) => {
            let mut changed = Plan::clone(old);
            changed
                .take_over(&new)
                .map_err(|_| GRAPH_EXEC_UPDATE_FAILURE)?;
            Ok(std::mem::replace(old, Arc::new(changed)))
        }
        StepWork::One(_) | StepWork::Branch(_) => Err(INVALID_VALUE),
    })?;
    old.map(drop)
}

fn launch(exec: CUgraphExec, stream: CUstream) -> Res {
    let driver = driver::get()?;
    let exec = named(driver, exec)?;
    let stream = current::stream(driver, stream.addr() as u64)?;
    stream.context.sticky.check()?;
    if stream.is_capturing() {
        let source = driver.graphs.get(exec.source).ok_or(INVALID_VALUE)?;
        source.check_can_be_copied("a copy for a capture")?;
        let tables = driver.graph_tables();
        return capture::add_behind(&stream, |graph, _| graph.embed(tables, &source)).map(drop);
    }
    // A launch that is refused must leave the graph's events as they are.
    capture::check_implicit(&stream)?;
    let plan = exec.plan();
    let ranges = plan.memory();
    if exec.flags & AUTO_FREE_ON_LAUNCH == 0 && memory::check_freed(&ranges).is_err() {
        fault::explain(
            "memory that the graph allocated in a launch before is not freed, and the graph was made without \
             CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH"
                .into(),
        );
        return Err(INVALID_VALUE);
    }
    memory::check(&driver.memory, &ranges)?;
    // Not with the lock, for which launches in other streams would wait.
    stream.wait_for_room(Some(0));
    let mut launched = exec.launched.lock();
    // The order within a stream is the order anyway.
    let elsewhere = |before: &Point| !Arc::ptr_eq(&before.progress, &stream.progress);
    if let Some(before) = launched.as_ref().filter(|b| elsewhere(b) && !b.reached()) {
        capture::submit(&stream, StreamOp::Wait(before.clone()))?;
    }
    let (left, freed) = plan.left_and_freed();
    exec.upload();
    let point = capture::submit(
        &stream,
        StreamOp::Graph(Run::prepare(&exec, &driver.graph_execs)),
    )?;
    if !(left.is_empty() && freed.is_empty()) {
        memory::note_launch(left, freed);
    }
    *launched = Some(point);
    Ok(())
}

fn update(exec: CUgraphExec, graph: CUgraph) -> Res<Result<(), Difference>> {
    let driver = driver::get()?;
    let exec = named(driver, exec)?;
    Ok(exec.update(&*graph_named(driver, graph)?, &driver.memory))
}

driver_functions! {
    fn cuGraphInstantiate(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, phErrorNode: *mut CUgraphNode, logBuffer: *mut c_char, bufferSize: usize) {
        instantiate_with_node(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize)
    }

    fn cuGraphInstantiate_v2(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, phErrorNode: *mut CUgraphNode, logBuffer: *mut c_char, bufferSize: usize) {
        instantiate_with_node(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize)
    }

    fn cuGraphInstantiateWithFlags(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, flags: cuuint64_t) {
        if phGraphExec.is_null() {
            return Err(INVALID_VALUE);
        }
        put(phGraphExec, instantiate(hGraph, flags).map_err(|why| why.code)?)
    }

    fn cuGraphInstantiateWithParams(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS) {
        let params = instantiateParams.as_mut().ok_or(INVALID_VALUE)?;
        if phGraphExec.is_null() {
            return Err(INVALID_VALUE);
        }
        params.hErrNode_out = CUgraphNode::null();
        match instantiate(hGraph, params.flags) {
            Ok(exec) => {
                params.result_out = Outcome::CUDA_GRAPH_INSTANTIATE_SUCCESS;
                put(phGraphExec, exec)
            }
            Err(why) => {
                params.hErrNode_out = CUgraphNode::from_addr(why.node as usize);
                params.result_out = why.outcome;
                Err(why.code)
            }
        }
    }

    fn cuGraphExecDestroy(hGraphExec: CUgraphExec) {
        // Launches that are queued have what they need.
        driver::get()?.graph_execs.remove(hGraphExec.addr() as u64).map(drop).ok_or(INVALID_VALUE)
    }

    fn cuGraphExecGetFlags(hGraphExec: CUgraphExec, flags: *mut cuuint64_t) {
        put(flags, named(driver::get()?, hGraphExec)?.flags)
    }

    fn cuGraphLaunch(hGraph: CUgraphExec, hStream: CUstream) { launch(hGraph, hStream) }

    fn cuGraphUpload(hGraph: CUgraphExec, hStream: CUstream) {
        let driver = driver::get()?;
        let exec = named(driver, hGraph)?;
        current::stream(driver, hStream.addr() as u64)?.context.sticky.check()?;
        // There is nowhere to upload it to.
        exec.upload();
        Ok(())
    }

    fn cuGraphExecUpdate(hGraphExec: CUgraphExec, hGraph: CUgraph, hErrorNode_out: *mut CUgraphNode, updateResult_out: *mut Update) {
        let (result, node) = match update(hGraphExec, hGraph)? {
            Ok(()) => (Update::CU_GRAPH_EXEC_UPDATE_SUCCESS, None),
            Err(difference) => difference,
        };
        put_if(hErrorNode_out, CUgraphNode::from_addr(node.unwrap_or(0) as usize));
        put_if(updateResult_out, result);
        if result == Update::CU_GRAPH_EXEC_UPDATE_SUCCESS { Ok(()) } else { Err(GRAPH_EXEC_UPDATE_FAILURE) }
    }

    fn cuGraphExecUpdate_v2(hGraphExec: CUgraphExec, hGraph: CUgraph, resultInfo: *mut CUgraphExecUpdateResultInfo) {
        let info = resultInfo.as_mut().ok_or(INVALID_VALUE)?;
        let (result, node) = match update(hGraphExec, hGraph)? {
            Ok(()) => (Update::CU_GRAPH_EXEC_UPDATE_SUCCESS, None),
            Err(difference) => difference,
        };
        info.result = result;
        info.errorNode = CUgraphNode::from_addr(node.unwrap_or(0) as usize);
        info.errorFromNode = CUgraphNode::null();
        if result == Update::CU_GRAPH_EXEC_UPDATE_SUCCESS { Ok(()) } else { Err(GRAPH_EXEC_UPDATE_FAILURE) }
    }

    fn cuGraphExecKernelNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) {
        let params = upgraded(nodeParams.as_ref().ok_or(INVALID_VALUE)?);
        change(hGraphExec, hNode, |d, old| kernel_work(d, &params, Some(kernel_of(old)?)))
    }

    fn cuGraphExecKernelNodeSetParams_v2(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        change(hGraphExec, hNode, |d, old| kernel_work(d, params, Some(kernel_of(old)?)))
    }

    fn cuGraphExecMemcpyNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, copyParams: *const CUDA_MEMCPY3D, _ctx: CUcontext) {
        let params = copyParams.as_ref().ok_or(INVALID_VALUE)?;
        change(hGraphExec, hNode, |d, _| copy_work(d, params))
    }

    fn cuGraphExecMemsetNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, memsetParams: *const CUDA_MEMSET_NODE_PARAMS, _ctx: CUcontext) {
        let params = memsetParams.as_ref().ok_or(INVALID_VALUE)?;
        change(hGraphExec, hNode, |d, _| fill_work(d, params))
    }

    fn cuGraphExecHostNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_HOST_NODE_PARAMS) {
        let params = nodeParams.as_ref().ok_or(INVALID_VALUE)?;
        change(hGraphExec, hNode, |_, _| host_work(params))
    }

    fn cuGraphExecChildGraphNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, childGraph: CUgraph) {
        change_child(hGraphExec, hNode, childGraph)
    }

    fn cuGraphExecEventRecordNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) {
        change(hGraphExec, hNode, |d, _| event_work(d, event, false))
    }

    fn cuGraphExecEventWaitNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) {
        change(hGraphExec, hNode, |d, _| event_work(d, event, true))
    }

    fn cuGraphExecNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) {
        let params = nodeParams.as_mut().ok_or(INVALID_VALUE)?;
        if params.type_ == CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH {
            return change_child(hGraphExec, hNode, params.anon0.graph.graph);
        }
        change(hGraphExec, hNode, |d, old| any_work(d, params, kernel_of(old).ok().map(|k| &**k), None, None))
    }

    fn cuGraphNodeSetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: u32) {
        use CUgraphNodeType as T;
        let exec = named(driver::get()?, hGraphExec)?;
        exec.change(hNode.addr() as u64, |step| {
            let kinds = [T::CU_GRAPH_NODE_TYPE_KERNEL, T::CU_GRAPH_NODE_TYPE_MEMCPY, T::CU_GRAPH_NODE_TYPE_MEMSET];
            if !kinds.contains(&step.kind()) {
                return Err(INVALID_VALUE);
            }
            step.enabled = isEnabled != 0;
            Ok(())
        })?
    }

    fn cuGraphNodeGetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: *mut u32) {
        let driver = driver::get()?;
        node_named(driver, hNode)?;
        put(isEnabled, named(driver, hGraphExec)?.is_enabled(hNode.addr() as u64)?.into())
    }
}
