//! Many copies in one call. All are checked before the first is made.

use crate::api::copy::{Operand, Where, boxed, line};
use crate::api::{self, driver_functions, put_if};
use crate::code::{Code, INVALID_HANDLE, INVALID_VALUE, Res, STREAM_CAPTURE_UNSUPPORTED};
use crate::context_state::StreamOrdering;
use crate::current;
use crate::driver::{self, Driver};
use crate::streams::geometry::Copy3d;
use crate::streams::stream::Stream;
use crate::streams::transfer;
use cuox_abi::{
    CUDA_MEMCPY3D_BATCH_OP, CUdeviceptr, CUmemcpy3DOperand, CUmemcpy3DOperandType,
    CUmemcpyAttributes, CUmemcpyFlags, CUmemcpySrcAccessOrder as Order, CUmemorytype, CUresult,
    CUstream,
};
use std::sync::Arc;

/// A failure, and the copy that it is about, or `usize::MAX`.
type Failure = (usize, Code);

fn general(code: Code) -> Failure {
    (usize::MAX, code)
}

/// The stream of a batch: none that waits for others and is waited for, none that is captured.
fn stream(driver: &Driver, handle: CUstream) -> Res<Arc<Stream>> {
    let stream = current::stream(driver, handle.addr() as u64)?;
    stream.context.sticky.check()?;
    if matches!(stream.ordering, StreamOrdering::Legacy) {
        return Err(INVALID_VALUE);
    }
    if stream.is_capturing() {
        return Err(STREAM_CAPTURE_UNSUPPORTED);
    }
    Ok(stream)
}

/// True if a copy's source must have been read when the call returns.
fn reads_at_once(order: Order, flags: u32) -> Res<bool> {
    if flags & !(CUmemcpyFlags::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE.0) != 0 {
        return Err(INVALID_VALUE);
    }
    match order {
        Order::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM | Order::CU_MEMCPY_SRC_ACCESS_ORDER_ANY => {
            Ok(false)
        }
        Order::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL => Ok(true),
        _ => Err(INVALID_VALUE),
    }
}

fn run(driver: &Driver, stream: &Arc<Stream>, copies: Vec<Copy3d>, at_once: bool) -> Res {
    for copy in copies {
        transfer::copy_async(driver, stream, copy)?;
    }
    if at_once {
        stream.wait();
        stream.context.sticky.check()?;
    }
    Ok(())
}

/// A list of the caller's.
///
/// # Safety
/// As for `api::list_of`.
unsafe fn list<'a, T>(at: *const T, len: usize) -> Result<&'a [T], Failure> {
    // SAFETY: as the caller says.
    unsafe { api::list_of(at, len) }.map_err(general)
}

/// Copies of bytes. `attrs[k]` is about the copies from `firsts[k]` to `firsts[k + 1]`.
fn copy_lines(
    dsts: &[CUdeviceptr],
    srcs: &[CUdeviceptr],
    sizes: &[usize],
    attrs: &[CUmemcpyAttributes],
    firsts: &[usize],
    on: CUstream,
) -> Result<(), Failure> {
    let ascends = firsts.windows(2).all(|pair| pair[0] < pair[1]);
    let within = firsts.last().is_some_and(|last| *last < sizes.len());
    if firsts.first() != Some(&0) || !ascends || !within {
        return Err(general(INVALID_VALUE));
    }
    let driver = driver::get().map_err(general)?;
    let stream = stream(driver, on).map_err(general)?;
    let mut at_once = false;
    for (attributes, first) in attrs.iter().zip(firsts) {
        let reads = reads_at_once(attributes.srcAccessOrder, attributes.flags);
        at_once |= reads.map_err(|code| (*first, code))?;
    }
    let copies = dsts.iter().zip(srcs).zip(sizes).enumerate();
    let copies = copies.map(|(index, ((dst, src), size))| {
        if *size == 0 {
            return Err((index, INVALID_VALUE));
        }
        line(driver, Where::Any(*dst), Where::Any(*src), *size).map_err(|code| (index, code))
    });
    let copies = copies.collect::<Result<_, _>>()?;
    run(driver, &stream, copies, at_once).map_err(general)
}

/// The bytes of an operand's element, if it is an array.
fn element(driver: &Driver, operand: &CUmemcpy3DOperand) -> Res<Option<usize>> {
    match operand.type_ {
        CUmemcpy3DOperandType::CU_MEMCPY_OPERAND_TYPE_POINTER => Ok(None),
        CUmemcpy3DOperandType::CU_MEMCPY_OPERAND_TYPE_ARRAY => {
            // SAFETY: the type says which member is there; a handle is looked up, not trusted.
            let handle = unsafe { operand.op.array.array };
            let array = driver.arrays.get(handle.addr() as u64);
            let array = array.ok_or(INVALID_HANDLE)?;
            Ok(Some(array.image.format.bytes() as usize))
        }
        _ => Err(INVALID_VALUE),
    }
}

/// One side of a copy of a box. `unit` is the bytes of an element.
fn side(operand: &CUmemcpy3DOperand, unit: usize, extent: [usize; 3]) -> Res<Operand> {
    let bytes = |elements: usize| elements.checked_mul(unit).ok_or(INVALID_VALUE);
    let [width, height, _] = extent;
    if operand.type_ == CUmemcpy3DOperandType::CU_MEMCPY_OPERAND_TYPE_ARRAY {
        // SAFETY: the type says which member is there.
        let place = unsafe { operand.op.array };
        return Ok(Operand {
            kind: CUmemorytype::CU_MEMORYTYPE_ARRAY,
            array: place.array,
            x: bytes(place.offset.x)?,
            y: place.offset.y,
            z: place.offset.z,
            ..Operand::default()
        });
    }
    // SAFETY: the type says which member is there.
    let memory = unsafe { operand.op.ptr };
    let or = |given: usize, least: usize| match given {
        0 => Ok(least),
        given if given >= least => Ok(given),
        _ => Err(INVALID_VALUE),
    };
    Ok(Operand {
        kind: CUmemorytype::CU_MEMORYTYPE_UNIFIED,
        device: memory.ptr,
        pitch: bytes(or(memory.rowLength, width)?)?,
        height: or(memory.layerHeight, height)?,
        ..Operand::default()
    })
}

fn copy_box(driver: &Driver, op: &CUDA_MEMCPY3D_BATCH_OP) -> Res<Copy3d> {
    let extent = [op.extent.width, op.extent.height, op.extent.depth];
    if extent.contains(&0) {
        return Err(INVALID_VALUE);
    }
    let (to, from) = (element(driver, &op.dst)?, element(driver, &op.src)?);
    if to.is_some_and(|to| from.is_some_and(|from| from != to)) {
        return Err(INVALID_VALUE);
    }
    let unit = to.or(from).unwrap_or(1);
    let [width, height, depth] = extent;
    let width = width.checked_mul(unit).ok_or(INVALID_VALUE)?;
    boxed(
        driver,
        &side(&op.dst, unit, extent)?,
        &side(&op.src, unit, extent)?,
        [width, height, depth],
    )
}

fn copy_boxes(ops: &[CUDA_MEMCPY3D_BATCH_OP], flags: u64, on: CUstream) -> Result<(), Failure> {
    if flags != 0 {
        return Err(general(INVALID_VALUE));
    }
    let driver = driver::get().map_err(general)?;
    let stream = stream(driver, on).map_err(general)?;
    let mut at_once = false;
    let mut copies = Vec::with_capacity(ops.len());
    for (index, op) in ops.iter().enumerate() {
        at_once |= reads_at_once(op.srcAccessOrder, op.flags).map_err(|code| (index, code))?;
        copies.push(copy_box(driver, op).map_err(|code| (index, code))?);
    }
    run(driver, &stream, copies, at_once).map_err(general)
}

driver_functions! {
    fn cuMemcpyBatchAsync_v2(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, hStream: CUstream) {
        let mut none = 0;
        match cuMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, &mut none, hStream) {
            CUresult::CUDA_SUCCESS => Ok(()),
            code => Err(code),
        }
    }

    fn cuMemcpyBatchAsync(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, failIdx: *mut usize, hStream: CUstream) {
        let copies = || {
            if numAttrs > count {
                return Err(general(INVALID_VALUE));
            }
            copy_lines(
                list(dsts, count)?,
                list(srcs, count)?,
                list(sizes, count)?,
                list(attrs, numAttrs)?,
                list(attrsIdxs, numAttrs)?,
                hStream,
            )
        };
        copies().map_err(|(index, code)| {
            put_if(failIdx, index);
            code
        })
    }

    fn cuMemcpy3DBatchAsync_v2(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, flags: u64, hStream: CUstream) {
        let copies = || copy_boxes(list(opList, numOps)?, flags, hStream);
        copies().map_err(|(_, code)| code)
    }

    fn cuMemcpy3DBatchAsync(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, failIdx: *mut usize, flags: u64, hStream: CUstream) {
        let copies = || copy_boxes(list(opList, numOps)?, flags, hStream);
        copies().map_err(|(index, code)| {
            put_if(failIdx, index);
            code
        })
    }
}
