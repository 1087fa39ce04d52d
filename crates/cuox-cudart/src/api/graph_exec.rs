//! Graphs that can be launched, and changes to them.

use crate::api::convert::{alike, forward};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaEvent_t, cudaExternalSemaphoreSignalNodeParams, cudaExternalSemaphoreWaitNodeParams,
    cudaGraph_t, cudaGraphExec_t, cudaGraphExecUpdateResultInfo, cudaGraphInstantiateParams,
    cudaGraphNode_t, cudaHostNodeParams, cudaStream_t,
};
use crate::runtime::current;
use crate::thread::stream;

forward! {
    cudaGraphInstantiate(pGraphExec: *mut cudaGraphExec_t, graph: cudaGraph_t, flags: u64) => cuGraphInstantiateWithFlags;
    cudaGraphInstantiateWithFlags(pGraphExec: *mut cudaGraphExec_t, graph: cudaGraph_t, flags: u64) => cuGraphInstantiateWithFlags;
    cudaGraphInstantiateWithParams(pGraphExec: *mut cudaGraphExec_t, graph: cudaGraph_t, instantiateParams: *mut cudaGraphInstantiateParams) => cuGraphInstantiateWithParams;
    cudaGraphExecGetFlags(graphExec: cudaGraphExec_t, flags: *mut u64) => cuGraphExecGetFlags;
    cudaGraphExecDestroy(graphExec: cudaGraphExec_t) => cuGraphExecDestroy;
    cudaGraphExecUpdate(hGraphExec: cudaGraphExec_t, hGraph: cudaGraph_t, resultInfo: *mut cudaGraphExecUpdateResultInfo) => cuGraphExecUpdate_v2;
    cudaGraphNodeSetEnabled(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, isEnabled: u32) => cuGraphNodeSetEnabled;
    cudaGraphNodeGetEnabled(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, isEnabled: *mut u32) => cuGraphNodeGetEnabled;
    cudaGraphExecHostNodeSetParams(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, pNodeParams: *const cudaHostNodeParams) => cuGraphExecHostNodeSetParams;
    cudaGraphExecChildGraphNodeSetParams(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, childGraph: cudaGraph_t) => cuGraphExecChildGraphNodeSetParams;
    cudaGraphExecEventRecordNodeSetEvent(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, event: cudaEvent_t) => cuGraphExecEventRecordNodeSetEvent;
    cudaGraphExecEventWaitNodeSetEvent(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, event: cudaEvent_t) => cuGraphExecEventWaitNodeSetEvent;
    cudaGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreSignalNodeParams) => cuGraphExecExternalSemaphoresSignalNodeSetParams;
    cudaGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreWaitNodeParams) => cuGraphExecExternalSemaphoresWaitNodeSetParams;
}

pub unsafe fn cudaGraphLaunch(graphExec: cudaGraphExec_t, stream: cudaStream_t) -> Result {
    // SAFETY: the driver knows its graphs and streams.
    unsafe {
        current()?
            .driver
            .cuGraphLaunch(alike(graphExec), self::stream(stream))
            .check()
    }
}

pub unsafe fn cudaGraphUpload(graphExec: cudaGraphExec_t, stream: cudaStream_t) -> Result {
    // SAFETY: the driver knows its graphs and streams.
    unsafe {
        current()?
            .driver
            .cuGraphUpload(alike(graphExec), self::stream(stream))
            .check()
    }
}
