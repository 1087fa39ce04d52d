//! Recording streams into graphs.

use crate::api::graph::{check_edge_data, graph_named, node_list};
use crate::api::{driver_functions, put, put_if};
use crate::code::{ILLEGAL_STATE, INVALID_VALUE, Res};
use crate::graphs::capture::{self, Info};
use crate::graphs::graph::Graph;
use crate::streams::stream::Stream;
use crate::{current, driver};
use cuox_abi::{
    CUgraph, CUgraphEdgeData, CUgraphNode, CUstream, CUstreamCaptureMode, CUstreamCaptureStatus,
    cuuint64_t,
};
use std::sync::Arc;

const SET_DEPENDENCIES: u32 = 1;

fn named(stream: CUstream) -> Res<Arc<Stream>> {
    current::stream(driver::get()?, stream.addr() as u64)
}

fn begin(stream: CUstream, mode: CUstreamCaptureMode) -> Res {
    let driver = driver::get()?;
    let stream = named(stream)?;
    stream.context.sticky.check()?;
    if mode.0 > CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED.0 {
        return Err(INVALID_VALUE);
    }
    let tables = driver.graph_tables();
    let graph = Graph::create(tables)?;
    let handle = graph.handle;
    capture::begin(&stream, graph, tables, Vec::new(), mode).inspect_err(|_| {
        driver.graphs.remove(handle);
    })
}

/// Stores what is asked for of a stream's capture.
///
/// # Safety
/// The pointers are null or writable.
unsafe fn put_info(
    info: &Info,
    status: *mut CUstreamCaptureStatus,
    id: *mut cuuint64_t,
    graph: *mut CUgraph,
    dependencies: *mut *const CUgraphNode,
    count: *mut usize,
) -> Res {
    // SAFETY: by this function's contract.
    unsafe {
        put_if(id, info.id);
        put_if(graph, CUgraph::from_addr(info.graph as usize));
        put_if(dependencies, info.tail);
        put_if(count, info.tail_len);
        put(status, info.status)
    }
}

driver_functions! {
    fn cuStreamBeginCapture(hStream: CUstream) {
        begin(hStream, CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL)
    }

    fn cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode) { begin(hStream, mode) }

    fn cuStreamBeginCaptureToGraph(hStream: CUstream, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, mode: CUstreamCaptureMode) {
        let driver = driver::get()?;
        let stream = named(hStream)?;
        stream.context.sticky.check()?;
        if mode.0 > CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED.0 {
            return Err(INVALID_VALUE);
        }
        check_edge_data(dependencyData, numDependencies)?;
        let graph = graph_named(driver, hGraph)?;
        let after = node_list(dependencies, numDependencies)?;
        capture::begin(&stream, graph, driver.graph_tables(), after, mode)
    }

    fn cuStreamEndCapture(hStream: CUstream, phGraph: *mut CUgraph) {
        let stream = named(hStream)?;
        put_if(phGraph, CUgraph::null());
        let graph = capture::end(&stream)?;
        // A capture into a graph of the program's own gives it nothing new.
        put_if(phGraph, CUgraph::from_addr(graph.handle as usize));
        Ok(())
    }

    fn cuStreamIsCapturing(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus) {
        put(captureStatus, capture::info(&*named(hStream)?).status)
    }

    fn cuStreamGetCaptureInfo(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t) {
        let info = capture::info(&*named(hStream)?);
        let none = (core::ptr::null_mut(), core::ptr::null_mut(), core::ptr::null_mut());
        put_info(&info, captureStatus_out, id_out, none.0, none.1, none.2)
    }

    fn cuStreamGetCaptureInfo_v2(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, numDependencies_out: *mut usize) {
        let info = capture::info(&*named(hStream)?);
        put_info(&info, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out)
    }

    fn cuStreamGetCaptureInfo_v3(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, edgeData_out: *mut *const CUgraphEdgeData, numDependencies_out: *mut usize) {
        let info = capture::info(&*named(hStream)?);
        // One for each dependency: the Python bindings of NVIDIA read them without looking for a null.
        put_if(edgeData_out, info.kinds);
        put_info(&info, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out)
    }

    fn cuStreamUpdateCaptureDependencies(hStream: CUstream, dependencies: *mut CUgraphNode, numDependencies: usize, flags: u32) {
        let stream = named(hStream)?;
        if !stream.is_capturing() {
            return Err(ILLEGAL_STATE);
        }
        capture::set_tail(&stream, node_list(dependencies, numDependencies)?, flags & SET_DEPENDENCIES == 0)
    }

    fn cuStreamUpdateCaptureDependencies_v2(hStream: CUstream, dependencies: *mut CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, flags: u32) {
        let stream = named(hStream)?;
        check_edge_data(dependencyData, numDependencies)?;
        if !stream.is_capturing() {
            return Err(ILLEGAL_STATE);
        }
        capture::set_tail(&stream, node_list(dependencies, numDependencies)?, flags & SET_DEPENDENCIES == 0)
    }
}
