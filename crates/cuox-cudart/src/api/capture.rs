//! Capture of streams into graphs.

use crate::api::convert::{alike, alike_mut, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaGraph_t, cudaGraphEdgeData, cudaGraphNode_t, cudaStream_t, cudaStreamCaptureMode,
    cudaStreamCaptureStatus,
};
use crate::runtime::{current, runtime};

pub unsafe fn cudaStreamBeginCapture(stream: cudaStream_t, mode: cudaStreamCaptureMode) -> Result {
    let on = crate::thread::stream(stream);
    // SAFETY: the driver knows its streams; both APIs number modes alike.
    unsafe {
        current()?
            .driver
            .cuStreamBeginCapture_v2(on, alike(mode))
            .check()
    }
}

pub unsafe fn cudaStreamBeginCaptureToGraph(
    stream: cudaStream_t,
    graph: cudaGraph_t,
    dependencies: *const cudaGraphNode_t,
    dependencyData: *const cudaGraphEdgeData,
    numDependencies: usize,
    mode: cudaStreamCaptureMode,
) -> Result {
    let on = crate::thread::stream(stream);
    // SAFETY: the driver knows its streams and graphs; the caller gives lists of this length.
    unsafe {
        current()?
            .driver
            .cuStreamBeginCaptureToGraph(
                on,
                alike(graph),
                alike(dependencies),
                alike(dependencyData),
                numDependencies,
                alike(mode),
            )
            .check()
    }
}

pub unsafe fn cudaStreamEndCapture(stream: cudaStream_t, pGraph: *mut cudaGraph_t) -> Result {
    let on = crate::thread::stream(stream);
    // SAFETY: the driver knows its streams; the caller gives null, if the graph is known already, or a pointer that may
    // be written to.
    unsafe {
        current()?
            .driver
            .cuStreamEndCapture(on, alike_mut(pGraph))
            .check()
    }
}

pub unsafe fn cudaStreamIsCapturing(
    stream: cudaStream_t,
    pCaptureStatus: *mut cudaStreamCaptureStatus,
) -> Result {
    let on = crate::thread::stream(stream);
    // SAFETY: the driver knows its streams; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamIsCapturing(on, alike_mut(out(pCaptureStatus)?))
            .check()
    }
}

pub unsafe fn cudaStreamGetCaptureInfo(
    stream: cudaStream_t,
    captureStatus_out: *mut cudaStreamCaptureStatus,
    id_out: *mut u64,
    graph_out: *mut cudaGraph_t,
    dependencies_out: *mut *const cudaGraphNode_t,
    edgeData_out: *mut *const cudaGraphEdgeData,
    numDependencies_out: *mut usize,
) -> Result {
    let on = crate::thread::stream(stream);
    // SAFETY: the driver knows its streams; the caller gives null or pointers that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamGetCaptureInfo_v3(
                on,
                alike_mut(out(captureStatus_out)?),
                id_out,
                alike(graph_out),
                alike(dependencies_out),
                alike(edgeData_out),
                numDependencies_out,
            )
            .check()
    }
}

pub unsafe fn cudaStreamUpdateCaptureDependencies(
    stream: cudaStream_t,
    dependencies: *mut cudaGraphNode_t,
    dependencyData: *const cudaGraphEdgeData,
    numDependencies: usize,
    flags: u32,
) -> Result {
    let on = crate::thread::stream(stream);
    // SAFETY: the driver knows its streams and nodes; the caller gives lists of this length.
    unsafe {
        current()?
            .driver
            .cuStreamUpdateCaptureDependencies_v2(
                on,
                alike(dependencies),
                alike(dependencyData),
                numDependencies,
                flags,
            )
            .check()
    }
}

pub unsafe fn cudaThreadExchangeStreamCaptureMode(mode: *mut cudaStreamCaptureMode) -> Result {
    // SAFETY: the caller gives a mode, which the driver replaces.
    unsafe {
        runtime()?
            .driver
            .cuThreadExchangeStreamCaptureMode(alike_mut(out(mode)?))
            .check()
    }
}
