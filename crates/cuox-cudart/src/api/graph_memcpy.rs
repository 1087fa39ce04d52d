//! Nodes that copy linear memory and variables.

use core::ffi::c_void;

use cuox_abi::{CUDA_MEMCPY3D, CUgraphNode};

use crate::api::array_copy::copy_3d;
use crate::api::convert::{alike, device_pointer, out};
use crate::api::copy::{check_kind, check_symbol_kind, in_symbol, memory_types};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaError, cudaGraph_t, cudaGraphExec_t, cudaGraphNode_t, cudaMemcpy3DParms,
    cudaMemcpyKind as Kind,
};
use crate::runtime::current;

/// The driver's description of a copy of `count` bytes.
fn one_row(
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: Kind,
) -> Result<CUDA_MEMCPY3D> {
    check_kind(kind)?;
    let (from, to) = memory_types(kind);
    // One of the two fields of each side counts.
    Ok(CUDA_MEMCPY3D {
        srcMemoryType: from,
        srcHost: src,
        srcDevice: device_pointer(src),
        srcPitch: count,
        srcHeight: 1,
        dstMemoryType: to,
        dstHost: dst,
        dstDevice: device_pointer(dst),
        dstPitch: count,
        dstHeight: 1,
        WidthInBytes: count,
        Height: 1,
        Depth: 1,
        ..Default::default()
    })
}

fn to_symbol(
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result<CUDA_MEMCPY3D> {
    check_symbol_kind(kind, Kind::cudaMemcpyHostToDevice)?;
    one_row(in_symbol(symbol, count, offset)?, src, count, kind)
}

fn from_symbol(
    dst: *mut c_void,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result<CUDA_MEMCPY3D> {
    check_symbol_kind(kind, Kind::cudaMemcpyDeviceToHost)?;
    one_row(dst, in_symbol(symbol, count, offset)?, count, kind)
}

unsafe fn add(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    numDependencies: usize,
    copy: &CUDA_MEMCPY3D,
) -> Result {
    let runtime = current()?;
    let context = runtime.context()?;
    // SAFETY: the driver knows its graphs and nodes; the caller gives lists of these lengths.
    unsafe {
        runtime
            .driver
            .cuGraphAddMemcpyNode(
                alike(out(pGraphNode)?),
                alike(graph),
                alike(pDependencies),
                numDependencies,
                copy,
                context,
            )
            .check()
    }
}

unsafe fn set(node: cudaGraphNode_t, copy: &CUDA_MEMCPY3D) -> Result {
    // SAFETY: the driver knows its nodes.
    unsafe {
        current()?
            .driver
            .cuGraphMemcpyNodeSetParams(CUgraphNode(node.0), copy)
            .check()
    }
}

unsafe fn set_in(exec: cudaGraphExec_t, node: cudaGraphNode_t, copy: &CUDA_MEMCPY3D) -> Result {
    let runtime = current()?;
    let context = runtime.context()?;
    // SAFETY: the driver knows its graphs and nodes.
    unsafe {
        runtime
            .driver
            .cuGraphExecMemcpyNodeSetParams(alike(exec), CUgraphNode(node.0), copy, context)
            .check()
    }
}

pub unsafe fn cudaGraphAddMemcpyNode1D(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    numDependencies: usize,
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: Kind,
) -> Result {
    let copy = one_row(dst, src, count, kind)?;
    // SAFETY: as here.
    unsafe { add(pGraphNode, graph, pDependencies, numDependencies, &copy) }
}

pub unsafe fn cudaGraphMemcpyNodeSetParams1D(
    node: cudaGraphNode_t,
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: Kind,
) -> Result {
    let copy = one_row(dst, src, count, kind)?;
    // SAFETY: as here.
    unsafe { set(node, &copy) }
}

pub unsafe fn cudaGraphExecMemcpyNodeSetParams1D(
    hGraphExec: cudaGraphExec_t,
    node: cudaGraphNode_t,
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: Kind,
) -> Result {
    let copy = one_row(dst, src, count, kind)?;
    // SAFETY: as here.
    unsafe { set_in(hGraphExec, node, &copy) }
}

pub unsafe fn cudaGraphAddMemcpyNodeToSymbol(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    numDependencies: usize,
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    let copy = to_symbol(symbol, src, count, offset, kind)?;
    // SAFETY: as here.
    unsafe { add(pGraphNode, graph, pDependencies, numDependencies, &copy) }
}

pub unsafe fn cudaGraphMemcpyNodeSetParamsToSymbol(
    node: cudaGraphNode_t,
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    let copy = to_symbol(symbol, src, count, offset, kind)?;
    // SAFETY: as here.
    unsafe { set(node, &copy) }
}

pub unsafe fn cudaGraphExecMemcpyNodeSetParamsToSymbol(
    hGraphExec: cudaGraphExec_t,
    node: cudaGraphNode_t,
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    let copy = to_symbol(symbol, src, count, offset, kind)?;
    // SAFETY: as here.
    unsafe { set_in(hGraphExec, node, &copy) }
}

pub unsafe fn cudaGraphAddMemcpyNodeFromSymbol(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    numDependencies: usize,
    dst: *mut c_void,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    let copy = from_symbol(dst, symbol, count, offset, kind)?;
    // SAFETY: as here.
    unsafe { add(pGraphNode, graph, pDependencies, numDependencies, &copy) }
}

pub unsafe fn cudaGraphMemcpyNodeSetParamsFromSymbol(
    node: cudaGraphNode_t,
    dst: *mut c_void,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    let copy = from_symbol(dst, symbol, count, offset, kind)?;
    // SAFETY: as here.
    unsafe { set(node, &copy) }
}

pub unsafe fn cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    hGraphExec: cudaGraphExec_t,
    node: cudaGraphNode_t,
    dst: *mut c_void,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    let copy = from_symbol(dst, symbol, count, offset, kind)?;
    // SAFETY: as here.
    unsafe { set_in(hGraphExec, node, &copy) }
}

/// The driver's description of a copy of a box, which holds something.
unsafe fn a_box(params: *const cudaMemcpy3DParms) -> Result<CUDA_MEMCPY3D> {
    // SAFETY: the caller gives null or a structure.
    let params = unsafe { params.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    copy_3d(params)?.ok_or(cudaError::cudaErrorInvalidValue)
}

pub unsafe fn cudaGraphAddMemcpyNode(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    numDependencies: usize,
    pCopyParams: *const cudaMemcpy3DParms,
) -> Result {
    // SAFETY: as here.
    unsafe {
        let copy = a_box(pCopyParams)?;
        add(pGraphNode, graph, pDependencies, numDependencies, &copy)
    }
}

pub unsafe fn cudaGraphMemcpyNodeSetParams(
    node: cudaGraphNode_t,
    pNodeParams: *const cudaMemcpy3DParms,
) -> Result {
    // SAFETY: as here.
    unsafe {
        let copy = a_box(pNodeParams)?;
        set(node, &copy)
    }
}

pub unsafe fn cudaGraphExecMemcpyNodeSetParams(
    hGraphExec: cudaGraphExec_t,
    node: cudaGraphNode_t,
    pNodeParams: *const cudaMemcpy3DParms,
) -> Result {
    // SAFETY: as here.
    unsafe {
        let copy = a_box(pNodeParams)?;
        set_in(hGraphExec, node, &copy)
    }
}
