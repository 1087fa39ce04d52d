//! Nodes of graphs.

use core::ffi::c_void;

use cuox_abi::{CUDA_KERNEL_NODE_PARAMS, CUkernel};

use crate::api::convert::{alike, alike_ptr, forward, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaError, cudaEvent_t, cudaExternalSemaphoreSignalNodeParams,
    cudaExternalSemaphoreWaitNodeParams, cudaGraph_t, cudaGraphExec_t, cudaGraphNode_t,
    cudaHostNodeParams, cudaKernelNodeParams, cudaLaunchAttributeID, cudaLaunchAttributeValue,
    cudaMemAllocNodeParams, cudaMemsetParams, dim3,
};
use crate::registration::{host_function, kernel};
use crate::runtime::current;

forward! {
    cudaGraphAddEmptyNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize) => cuGraphAddEmptyNode;
    cudaGraphAddHostNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, pNodeParams: *const cudaHostNodeParams) => cuGraphAddHostNode;
    cudaGraphHostNodeGetParams(node: cudaGraphNode_t, pNodeParams: *mut cudaHostNodeParams) => cuGraphHostNodeGetParams;
    cudaGraphHostNodeSetParams(node: cudaGraphNode_t, pNodeParams: *const cudaHostNodeParams) => cuGraphHostNodeSetParams;
    cudaGraphAddChildGraphNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, childGraph: cudaGraph_t) => cuGraphAddChildGraphNode;
    cudaGraphChildGraphNodeGetGraph(node: cudaGraphNode_t, pGraph: *mut cudaGraph_t) => cuGraphChildGraphNodeGetGraph;
    cudaGraphAddEventRecordNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, event: cudaEvent_t) => cuGraphAddEventRecordNode;
    cudaGraphEventRecordNodeGetEvent(node: cudaGraphNode_t, event_out: *mut cudaEvent_t) => cuGraphEventRecordNodeGetEvent;
    cudaGraphEventRecordNodeSetEvent(node: cudaGraphNode_t, event: cudaEvent_t) => cuGraphEventRecordNodeSetEvent;
    cudaGraphAddEventWaitNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, event: cudaEvent_t) => cuGraphAddEventWaitNode;
    cudaGraphEventWaitNodeGetEvent(node: cudaGraphNode_t, event_out: *mut cudaEvent_t) => cuGraphEventWaitNodeGetEvent;
    cudaGraphEventWaitNodeSetEvent(node: cudaGraphNode_t, event: cudaEvent_t) => cuGraphEventWaitNodeSetEvent;
    cudaGraphAddExternalSemaphoresSignalNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, nodeParams: *const cudaExternalSemaphoreSignalNodeParams) => cuGraphAddExternalSemaphoresSignalNode;
    cudaGraphExternalSemaphoresSignalNodeGetParams(hNode: cudaGraphNode_t, params_out: *mut cudaExternalSemaphoreSignalNodeParams) => cuGraphExternalSemaphoresSignalNodeGetParams;
    cudaGraphExternalSemaphoresSignalNodeSetParams(hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreSignalNodeParams) => cuGraphExternalSemaphoresSignalNodeSetParams;
    cudaGraphAddExternalSemaphoresWaitNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, nodeParams: *const cudaExternalSemaphoreWaitNodeParams) => cuGraphAddExternalSemaphoresWaitNode;
    cudaGraphExternalSemaphoresWaitNodeGetParams(hNode: cudaGraphNode_t, params_out: *mut cudaExternalSemaphoreWaitNodeParams) => cuGraphExternalSemaphoresWaitNodeGetParams;
    cudaGraphExternalSemaphoresWaitNodeSetParams(hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreWaitNodeParams) => cuGraphExternalSemaphoresWaitNodeSetParams;
    cudaGraphAddMemAllocNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, nodeParams: *mut cudaMemAllocNodeParams) => cuGraphAddMemAllocNode;
    cudaGraphMemAllocNodeGetParams(node: cudaGraphNode_t, params_out: *mut cudaMemAllocNodeParams) => cuGraphMemAllocNodeGetParams;
    cudaGraphAddMemFreeNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, dptr: *mut c_void) => cuGraphAddMemFreeNode;
    cudaGraphMemFreeNodeGetParams(node: cudaGraphNode_t, dptr_out: *mut c_void) => cuGraphMemFreeNodeGetParams;
    cudaGraphMemsetNodeGetParams(node: cudaGraphNode_t, pNodeParams: *mut cudaMemsetParams) => cuGraphMemsetNodeGetParams;
    cudaGraphMemsetNodeSetParams(node: cudaGraphNode_t, pNodeParams: *const cudaMemsetParams) => cuGraphMemsetNodeSetParams;
    cudaGraphKernelNodeCopyAttributes(hDst: cudaGraphNode_t, hSrc: cudaGraphNode_t) => cuGraphKernelNodeCopyAttributes;
    cudaGraphKernelNodeGetAttribute(hNode: cudaGraphNode_t, attr: cudaLaunchAttributeID, value_out: *mut cudaLaunchAttributeValue) => cuGraphKernelNodeGetAttribute;
    cudaGraphKernelNodeSetAttribute(hNode: cudaGraphNode_t, attr: cudaLaunchAttributeID, value: *const cudaLaunchAttributeValue) => cuGraphKernelNodeSetAttribute;
}

/// The driver's description of a kernel node.
unsafe fn kernel_params(params: *const cudaKernelNodeParams) -> Result<CUDA_KERNEL_NODE_PARAMS> {
    // SAFETY: the caller gives null or a structure.
    let params = unsafe { params.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    Ok(CUDA_KERNEL_NODE_PARAMS {
        kern: kernel(params.func)?,
        gridDimX: params.gridDim.x,
        gridDimY: params.gridDim.y,
        gridDimZ: params.gridDim.z,
        blockDimX: params.blockDim.x,
        blockDimY: params.blockDim.y,
        blockDimZ: params.blockDim.z,
        sharedMemBytes: params.sharedMemBytes,
        kernelParams: params.kernelParams,
        extra: params.extra,
        ..Default::default()
    })
}

pub unsafe fn cudaGraphAddKernelNode(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    numDependencies: usize,
    pNodeParams: *const cudaKernelNodeParams,
) -> Result {
    let driver = current()?.driver;
    // SAFETY: the driver knows its graphs and nodes; the caller gives lists of these lengths.
    unsafe {
        let params = kernel_params(pNodeParams)?;
        driver
            .cuGraphAddKernelNode_v2(
                alike(out(pGraphNode)?),
                alike(graph),
                alike(pDependencies),
                numDependencies,
                &params,
            )
            .check()
    }
}

pub unsafe fn cudaGraphKernelNodeSetParams(
    node: cudaGraphNode_t,
    pNodeParams: *const cudaKernelNodeParams,
) -> Result {
    let driver = current()?.driver;
    // SAFETY: the driver knows its nodes.
    unsafe {
        let params = kernel_params(pNodeParams)?;
        driver
            .cuGraphKernelNodeSetParams_v2(alike(node), &params)
            .check()
    }
}

pub unsafe fn cudaGraphExecKernelNodeSetParams(
    hGraphExec: cudaGraphExec_t,
    node: cudaGraphNode_t,
    pNodeParams: *const cudaKernelNodeParams,
) -> Result {
    let driver = current()?.driver;
    // SAFETY: the driver knows its graphs and nodes.
    unsafe {
        let params = kernel_params(pNodeParams)?;
        driver
            .cuGraphExecKernelNodeSetParams_v2(alike(hGraphExec), alike(node), &params)
            .check()
    }
}

pub unsafe fn cudaGraphKernelNodeGetParams(
    node: cudaGraphNode_t,
    pNodeParams: *mut cudaKernelNodeParams,
) -> Result {
    let pNodeParams = out(pNodeParams)?;
    let mut params = CUDA_KERNEL_NODE_PARAMS::default();
    // SAFETY: the driver knows its nodes.
    unsafe {
        current()?
            .driver
            .cuGraphKernelNodeGetParams_v2(alike(node), &mut params)
            .check()?;
    }
    let kernel = if params.kern.is_null() {
        CUkernel(params.func.0)
    } else {
        params.kern
    };
    let (grid, block) = (
        [params.gridDimX, params.gridDimY, params.gridDimZ],
        [params.blockDimX, params.blockDimY, params.blockDimZ],
    );
    let shape = |[x, y, z]: [u32; 3]| dim3 { x, y, z };
    let found = cudaKernelNodeParams {
        func: host_function(kernel),
        gridDim: shape(grid),
        blockDim: shape(block),
        sharedMemBytes: params.sharedMemBytes,
        kernelParams: params.kernelParams,
        extra: params.extra,
    };
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { pNodeParams.write(found) };
    Ok(())
}

pub unsafe fn cudaGraphAddMemsetNode(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    numDependencies: usize,
    pMemsetParams: *const cudaMemsetParams,
) -> Result {
    let runtime = current()?;
    let context = runtime.context()?;
    // SAFETY: the driver knows its graphs and nodes; both APIs describe a fill alike; the caller gives lists of these
    // lengths.
    unsafe {
        runtime
            .driver
            .cuGraphAddMemsetNode(
                alike(out(pGraphNode)?),
                alike(graph),
                alike(pDependencies),
                numDependencies,
                alike_ptr(out(pMemsetParams.cast_mut())?),
                context,
            )
            .check()
    }
}

pub unsafe fn cudaGraphExecMemsetNodeSetParams(
    hGraphExec: cudaGraphExec_t,
    node: cudaGraphNode_t,
    pNodeParams: *const cudaMemsetParams,
) -> Result {
    let runtime = current()?;
    let context = runtime.context()?;
    // SAFETY: the driver knows its graphs and nodes; both APIs describe a fill alike.
    unsafe {
        runtime
            .driver
            .cuGraphExecMemsetNodeSetParams(
                alike(hGraphExec),
                alike(node),
                alike_ptr(out(pNodeParams.cast_mut())?),
                context,
            )
            .check()
    }
}
