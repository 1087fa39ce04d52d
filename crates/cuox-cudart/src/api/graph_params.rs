//! Nodes of any type, by one record; and what a node copies.

use cuox_abi::{
    CUDA_CONDITIONAL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v3, CUDA_MEMCPY_NODE_PARAMS,
    CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS_v2, CUarray, CUdeviceptr, CUgraphNodeParams,
    CUgraphNodeParams_anon0 as Members, CUmemorytype,
};

use crate::api::array::{descriptor, element_bytes};
use crate::api::array_copy::copy_3d;
use crate::api::convert::{alike, device_pointer, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaArray_t, cudaError, cudaExtent, cudaGraph_t, cudaGraphEdgeData, cudaGraphExec_t,
    cudaGraphNode_t, cudaGraphNodeParams, cudaGraphNodeType as Type, cudaMemcpy3DParms,
    cudaMemcpyKind as Kind, cudaPitchedPtr, cudaPos,
};
use crate::registration::kernel;
use crate::runtime::{Runtime, current};

/// The error for a function that is none: here a kernel counts as a handle.
fn handle_error(error: cudaError) -> cudaError {
    match error {
        cudaError::cudaErrorInvalidDeviceFunction => cudaError::cudaErrorInvalidResourceHandle,
        other => other,
    }
}

/// The driver's record of a node's parameters.
unsafe fn driver_params(
    runtime: &Runtime,
    params: &cudaGraphNodeParams,
) -> Result<CUgraphNodeParams> {
    let ctx = runtime.context()?;
    let given = &params.anon0;
    // SAFETY: the type says which member is there; where the types are laid out alike, they are the same in both APIs.
    unsafe {
        // The driver refuses a record with anything but zeros where the member has nothing.
        let mut anon0 = Members::default();
        match params.type_ {
            Type::cudaGraphNodeTypeKernel => {
                let k = given.kernel;
                anon0.kernel = CUDA_KERNEL_NODE_PARAMS_v3 {
                    gridDimX: k.gridDim.x,
                    gridDimY: k.gridDim.y,
                    gridDimZ: k.gridDim.z,
                    blockDimX: k.blockDim.x,
                    blockDimY: k.blockDim.y,
                    blockDimZ: k.blockDim.z,
                    sharedMemBytes: k.sharedMemBytes,
                    kernelParams: k.kernelParams,
                    extra: k.extra,
                    kern: kernel(k.func).map_err(handle_error)?,
                    ctx,
                    ..Default::default()
                };
            }
            Type::cudaGraphNodeTypeMemcpy => {
                let copy = copy_3d(&given.memcpy.copyParams)?;
                anon0.memcpy = CUDA_MEMCPY_NODE_PARAMS {
                    flags: given.memcpy.flags,
                    copyCtx: ctx,
                    copyParams: copy.ok_or(cudaError::cudaErrorInvalidValue)?,
                    ..Default::default()
                };
            }
            Type::cudaGraphNodeTypeMemset => {
                let m = given.memset;
                anon0.memset = CUDA_MEMSET_NODE_PARAMS_v2 {
                    dst: device_pointer(m.dst),
                    pitch: m.pitch,
                    value: m.value,
                    elementSize: m.elementSize,
                    width: m.width,
                    height: m.height,
                    ctx,
                };
            }
            Type::cudaGraphNodeTypeConditional => {
                let c = given.conditional;
                anon0.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
                    handle: c.handle,
                    type_: alike(c.type_),
                    size: c.size,
                    phGraph_out: core::ptr::null_mut(),
                    ctx,
                };
            }
            Type::cudaGraphNodeTypeHost
            | Type::cudaGraphNodeTypeGraph
            | Type::cudaGraphNodeTypeEmpty
            | Type::cudaGraphNodeTypeWaitEvent
            | Type::cudaGraphNodeTypeEventRecord
            | Type::cudaGraphNodeTypeExtSemaphoreSignal
            | Type::cudaGraphNodeTypeExtSemaphoreWait
            | Type::cudaGraphNodeTypeMemAlloc
            | Type::cudaGraphNodeTypeMemFree => anon0 = alike(*given),
            _ => return Err(cudaError::cudaErrorInvalidValue),
        }
        Ok(CUgraphNodeParams {
            type_: alike(params.type_),
            reserved0: params.reserved0,
            anon0,
            reserved2: params.reserved2,
        })
    }
}

/// What a driver says of a new node: the address of its memory, the bodies of its condition.
fn answer(params: &mut cudaGraphNodeParams, made: &CUgraphNodeParams) {
    // SAFETY: the type says which member is there.
    unsafe {
        match params.type_ {
            Type::cudaGraphNodeTypeMemAlloc => {
                params.anon0.alloc.dptr = pointer(made.anon0.alloc.dptr);
            }
            Type::cudaGraphNodeTypeConditional => {
                params.anon0.conditional.phGraph_out = made.anon0.conditional.phGraph_out.cast();
            }
            _ => {}
        }
    }
}

pub unsafe fn cudaGraphAddNode(
    pGraphNode: *mut cudaGraphNode_t,
    graph: cudaGraph_t,
    pDependencies: *const cudaGraphNode_t,
    dependencyData: *const cudaGraphEdgeData,
    numDependencies: usize,
    nodeParams: *mut cudaGraphNodeParams,
) -> Result {
    let node = out(pGraphNode)?;
    let runtime = current()?;
    // SAFETY: the caller gives a record and lists of these lengths; the driver knows its graphs and nodes.
    unsafe {
        let params = nodeParams
            .as_mut()
            .ok_or(cudaError::cudaErrorInvalidValue)?;
        let mut record = driver_params(runtime, params)?;
        runtime
            .driver
            .cuGraphAddNode_v2(
                alike(node),
                alike(graph),
                alike(pDependencies),
                alike(dependencyData),
                numDependencies,
                &mut record,
            )
            .check()?;
        answer(params, &record);
    }
    Ok(())
}

pub unsafe fn cudaGraphNodeSetParams(
    node: cudaGraphNode_t,
    nodeParams: *mut cudaGraphNodeParams,
) -> Result {
    let runtime = current()?;
    // SAFETY: the caller gives a record; the driver knows its nodes.
    unsafe {
        let params = nodeParams
            .as_ref()
            .ok_or(cudaError::cudaErrorInvalidValue)?;
        let mut record = driver_params(runtime, params)?;
        runtime
            .driver
            .cuGraphNodeSetParams(alike(node), &mut record)
            .check()
    }
}

pub unsafe fn cudaGraphExecNodeSetParams(
    graphExec: cudaGraphExec_t,
    node: cudaGraphNode_t,
    nodeParams: *mut cudaGraphNodeParams,
) -> Result {
    let runtime = current()?;
    // SAFETY: the caller gives a record; the driver knows its graphs and nodes.
    unsafe {
        let params = nodeParams
            .as_ref()
            .ok_or(cudaError::cudaErrorInvalidValue)?;
        let mut record = driver_params(runtime, params)?;
        runtime
            .driver
            .cuGraphExecNodeSetParams(alike(graphExec), alike(node), &mut record)
            .check()
    }
}

/// One side of a copy of the driver's.
struct Side {
    kind: CUmemorytype,
    array: CUarray,
    host: *mut core::ffi::c_void,
    device: CUdeviceptr,
    pitch: usize,
    rows: usize,
}

impl Side {
    /// The same side in the runtime's words, and the bytes of an array's element.
    fn own(&self) -> Result<(cudaArray_t, cudaPitchedPtr, Option<usize>)> {
        if self.kind == CUmemorytype::CU_MEMORYTYPE_ARRAY {
            // SAFETY: both are pointers, and any value is one.
            let array: cudaArray_t = unsafe { alike(self.array) };
            let element = element_bytes(&descriptor(array)?)?.max(1);
            return Ok((array, cudaPitchedPtr::default(), Some(element)));
        }
        let ptr = if self.kind == CUmemorytype::CU_MEMORYTYPE_HOST {
            self.host
        } else {
            pointer(self.device)
        };
        // The driver does not keep the width that the program gave.
        let memory = cudaPitchedPtr {
            ptr,
            pitch: self.pitch,
            xsize: 0,
            ysize: self.rows,
        };
        Ok((cudaArray_t::null(), memory, None))
    }
}

/// The direction of a copy between memory of these types.
fn direction(from: CUmemorytype, to: CUmemorytype) -> Kind {
    use CUmemorytype as T;
    let (host, unified) = (T::CU_MEMORYTYPE_HOST, T::CU_MEMORYTYPE_UNIFIED);
    match (from, to) {
        _ if from == unified || to == unified => Kind::cudaMemcpyDefault,
        _ if from == host && to == host => Kind::cudaMemcpyHostToHost,
        _ if from == host => Kind::cudaMemcpyHostToDevice,
        _ if to == host => Kind::cudaMemcpyDeviceToHost,
        _ => Kind::cudaMemcpyDeviceToDevice,
    }
}

/// The runtime's description of a copy of the driver's.
fn own_copy(copy: &CUDA_MEMCPY3D) -> Result<cudaMemcpy3DParms> {
    let from = Side {
        kind: copy.srcMemoryType,
        array: copy.srcArray,
        host: copy.srcHost.cast_mut(),
        device: copy.srcDevice,
        pitch: copy.srcPitch,
        rows: copy.srcHeight,
    };
    let to = Side {
        kind: copy.dstMemoryType,
        array: copy.dstArray,
        host: copy.dstHost,
        device: copy.dstDevice,
        pitch: copy.dstPitch,
        rows: copy.dstHeight,
    };
    let (srcArray, srcPtr, src_element) = from.own()?;
    let (dstArray, dstPtr, dst_element) = to.own()?;
    // With an array, the width and the places of both sides count its elements.
    let unit = src_element.or(dst_element).unwrap_or(1);
    let place = |x, y, z| cudaPos { x: x / unit, y, z };
    Ok(cudaMemcpy3DParms {
        srcArray,
        srcPos: place(copy.srcXInBytes, copy.srcY, copy.srcZ),
        srcPtr,
        dstArray,
        dstPos: place(copy.dstXInBytes, copy.dstY, copy.dstZ),
        dstPtr,
        extent: cudaExtent {
            width: copy.WidthInBytes / unit,
            height: copy.Height,
            depth: copy.Depth,
        },
        kind: direction(from.kind, to.kind),
    })
}

pub unsafe fn cudaGraphMemcpyNodeGetParams(
    node: cudaGraphNode_t,
    pNodeParams: *mut cudaMemcpy3DParms,
) -> Result {
    let params = out(pNodeParams)?;
    let mut copy = CUDA_MEMCPY3D::default();
    // SAFETY: the driver knows its nodes and writes to `copy`; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuGraphMemcpyNodeGetParams(alike(node), &mut copy)
            .check()?;
        params.write(own_copy(&copy)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_memory_go_both_ways() {
        for kind in [
            Kind::cudaMemcpyHostToHost,
            Kind::cudaMemcpyHostToDevice,
            Kind::cudaMemcpyDeviceToHost,
            Kind::cudaMemcpyDeviceToDevice,
            Kind::cudaMemcpyDefault,
        ] {
            let memory = |address, pitch, ysize| cudaPitchedPtr {
                ptr: pointer(address),
                pitch,
                xsize: pitch,
                ysize,
            };
            let given = cudaMemcpy3DParms {
                srcPtr: memory(0x1000, 64, 5),
                srcPos: cudaPos { x: 1, y: 2, z: 3 },
                dstPtr: memory(0x9000, 128, 7),
                dstPos: cudaPos { x: 4, y: 5, z: 6 },
                extent: cudaExtent {
                    width: 8,
                    height: 3,
                    depth: 2,
                },
                kind,
                ..Default::default()
            };
            let copy = copy_3d(&given).expect("valid").expect("not empty");
            let back = own_copy(&copy).expect("memory");
            assert_eq!(back.kind, kind);
            assert_eq!(
                (back.srcPtr.ptr, back.srcPtr.pitch, back.srcPtr.ysize),
                (pointer(0x1000), 64, 5)
            );
            assert_eq!(
                (back.dstPtr.ptr, back.dstPtr.pitch, back.dstPtr.ysize),
                (pointer(0x9000), 128, 7)
            );
            assert_eq!((back.srcPos.x, back.srcPos.y, back.srcPos.z), (1, 2, 3));
            assert_eq!((back.dstPos.x, back.dstPos.y, back.dstPos.z), (4, 5, 6));
            assert_eq!(
                (back.extent.width, back.extent.height, back.extent.depth),
                (8, 3, 2)
            );
        }
    }
}
