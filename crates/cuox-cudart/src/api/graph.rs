//! Graphs: making, copying and taking them apart, and what is known of them.

use core::ffi::{c_char, c_void};

use crate::api::convert::{alike, forward, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaGraph_t, cudaGraphConditionalHandle, cudaGraphEdgeData, cudaGraphMemAttributeType,
    cudaGraphNode_t, cudaGraphNodeType, cudaHostFn_t, cudaUserObject_t,
};
use crate::runtime::current;

forward! {
    cudaGraphCreate(pGraph: *mut cudaGraph_t, flags: u32) => cuGraphCreate;
    cudaGraphDestroy(graph: cudaGraph_t) => cuGraphDestroy;
    cudaGraphClone(pGraphClone: *mut cudaGraph_t, originalGraph: cudaGraph_t) => cuGraphClone;
    cudaGraphNodeFindInClone(pNode: *mut cudaGraphNode_t, originalNode: cudaGraphNode_t, clonedGraph: cudaGraph_t) => cuGraphNodeFindInClone;
    cudaGraphNodeGetType(node: cudaGraphNode_t, pType: *mut cudaGraphNodeType) => cuGraphNodeGetType;
    cudaGraphGetNodes(graph: cudaGraph_t, nodes: *mut cudaGraphNode_t, numNodes: *mut usize) => cuGraphGetNodes;
    cudaGraphGetRootNodes(graph: cudaGraph_t, pRootNodes: *mut cudaGraphNode_t, pNumRootNodes: *mut usize) => cuGraphGetRootNodes;
    cudaGraphGetEdges(graph: cudaGraph_t, from: *mut cudaGraphNode_t, to: *mut cudaGraphNode_t, edgeData: *mut cudaGraphEdgeData, numEdges: *mut usize) => cuGraphGetEdges_v2;
    cudaGraphNodeGetDependencies(node: cudaGraphNode_t, pDependencies: *mut cudaGraphNode_t, edgeData: *mut cudaGraphEdgeData, pNumDependencies: *mut usize) => cuGraphNodeGetDependencies_v2;
    cudaGraphNodeGetDependentNodes(node: cudaGraphNode_t, pDependentNodes: *mut cudaGraphNode_t, edgeData: *mut cudaGraphEdgeData, pNumDependentNodes: *mut usize) => cuGraphNodeGetDependentNodes_v2;
    cudaGraphAddDependencies(graph: cudaGraph_t, from: *const cudaGraphNode_t, to: *const cudaGraphNode_t, edgeData: *const cudaGraphEdgeData, numDependencies: usize) => cuGraphAddDependencies_v2;
    cudaGraphRemoveDependencies(graph: cudaGraph_t, from: *const cudaGraphNode_t, to: *const cudaGraphNode_t, edgeData: *const cudaGraphEdgeData, numDependencies: usize) => cuGraphRemoveDependencies_v2;
    cudaGraphDestroyNode(node: cudaGraphNode_t) => cuGraphDestroyNode;
    cudaGraphDebugDotPrint(graph: cudaGraph_t, path: *const c_char, flags: u32) => cuGraphDebugDotPrint;
    cudaUserObjectCreate(object_out: *mut cudaUserObject_t, ptr: *mut c_void, destroy: cudaHostFn_t, initialRefcount: u32, flags: u32) => cuUserObjectCreate;
    cudaUserObjectRetain(object: cudaUserObject_t, count: u32) => cuUserObjectRetain;
    cudaUserObjectRelease(object: cudaUserObject_t, count: u32) => cuUserObjectRelease;
    cudaGraphRetainUserObject(graph: cudaGraph_t, object: cudaUserObject_t, count: u32, flags: u32) => cuGraphRetainUserObject;
    cudaGraphReleaseUserObject(graph: cudaGraph_t, object: cudaUserObject_t, count: u32) => cuGraphReleaseUserObject;
    cudaDeviceGraphMemTrim(device: i32) => cuDeviceGraphMemTrim;
    cudaDeviceGetGraphMemAttribute(device: i32, attr: cudaGraphMemAttributeType, value: *mut c_void) => cuDeviceGetGraphMemAttribute;
    cudaDeviceSetGraphMemAttribute(device: i32, attr: cudaGraphMemAttributeType, value: *mut c_void) => cuDeviceSetGraphMemAttribute;
}

/// The handle of a condition belongs to the current context.
pub unsafe fn cudaGraphConditionalHandleCreate(
    pHandle_out: *mut cudaGraphConditionalHandle,
    graph: cudaGraph_t,
    defaultLaunchValue: u32,
    flags: u32,
) -> Result {
    let runtime = current()?;
    let context = runtime.context()?;
    // SAFETY: the driver knows its graphs; the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuGraphConditionalHandleCreate(
                out(pHandle_out)?,
                alike(graph),
                context,
                defaultLaunchValue,
                flags,
            )
            .check()
    }
}
