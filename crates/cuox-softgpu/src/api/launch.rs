//! Launches, the deprecated forms included.

use crate::api::function::named;
use crate::api::{driver_functions, event};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, Res};
use crate::driver::{self, Driver};
use crate::graphs::capture;
use crate::loading::module::{Function, MOST_PARAM_BYTES};
use crate::multiprocessors::Multiprocessors;
use crate::streams::launch::{self, GridLaunch};
use crate::streams::stream_op::StreamOp;
use crate::{current, fault};
use core::ffi::c_void;
use cuox_abi::{CUevent, CUfunction, CUlaunchAttributeID as Id, CUlaunchConfig, CUstream};
use std::sync::Arc;

/// Everything about a launch but its parameters.
pub(super) struct Shape {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub cluster: Option<[u32; 3]>,
    pub shared: u32,
    pub stream: CUstream,
    pub cooperative: bool,
    /// To be recorded behind the kernel.
    done: Option<CUevent>,
}

impl Shape {
    pub fn plain(grid: [u32; 3], block: [u32; 3], shared: u32, stream: CUstream) -> Shape {
        Shape {
            grid,
            block,
            cluster: None,
            shared,
            stream,
            cooperative: false,
            done: None,
        }
    }
}

/// Checks a launch and makes the grid ready to run.
pub(super) fn prepare(
    driver: &'static Driver,
    function: &Function,
    shape: &Shape,
    params: Vec<u8>,
    part: Option<Arc<Multiprocessors>>,
) -> Res<GridLaunch> {
    let cluster = launch::check(
        function,
        shape.grid,
        shape.block,
        shape.cluster,
        shape.shared,
        shape.cooperative,
        part.as_deref(),
    )?;
    let kernel = function.kernel()?;
    Ok(GridLaunch {
        memory: &driver.memory,
        textures: &driver.textures,
        surfaces: &driver.surfaces,
        modules: &driver.modules,
        functions: &driver.functions,
        function: function.handle,
        module: function.module,
        depth: 0,
        kernel,
        name: function.name.clone(),
        grid: shape.grid,
        block: shape.block,
        cluster,
        dynamic_shared: shape.shared,
        params,
        cooperative: shape.cooperative,
        graph: None,
        part,
    })
}

fn submit(named: Arc<Function>, shape: &Shape, params: Vec<u8>) -> Res {
    let driver = driver::get()?;
    let stream = current::stream(driver, shape.stream.addr() as u64)?;
    stream.context.sticky.check()?;
    let done = match shape.done {
        Some(e) => Some(driver.events.get(e.addr() as u64).ok_or(INVALID_HANDLE)?),
        None => None,
    };
    let function = current::function(driver, named, stream.context.device)?;
    if function.owner.device != stream.context.device {
        fault::explain(format!(
            "the kernel is loaded on device {}, the stream is on device {}",
            function.owner.device, stream.context.device
        ));
        return Err(INVALID_HANDLE);
    }
    let part = current::part_of(driver, &stream);
    let launch = prepare(driver, &function, shape, params, part)?;
    capture::submit(&stream, StreamOp::Launch(Box::new(launch)))?;
    match done {
        Some(done) => event::record_on(&done, &stream),
        None => Ok(()),
    }
}

/// Packs parameters from either of the two forms.
///
/// # Safety
/// The arrays are as `cuLaunchKernel` describes them for this function's parameters.
pub(super) unsafe fn pack(
    function: &Function,
    values: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Res<Vec<u8>> {
    let info = &function.info;
    let mut packed = vec![0u8; info.param_bytes as usize];
    if !values.is_null() && !extra.is_null() {
        return Err(INVALID_VALUE);
    }
    if !extra.is_null() {
        // SAFETY: `extra` is not null, so by this function's contract a list of keys and values that ends with key 0.
        unsafe { pack_extra(function, extra, &mut packed) }?;
        return Ok(packed);
    }
    if values.is_null() && !info.params.is_empty() {
        return Err(INVALID_VALUE);
    }
    for (i, param) in info.params.iter().enumerate() {
        // SAFETY: the array has one element for each parameter.
        let value = unsafe { values.add(i).read() }.cast::<u8>();
        let room = packed.get_mut(param.offset as usize..(param.offset + param.size) as usize);
        let room = room.filter(|_| !value.is_null()).ok_or(INVALID_VALUE)?;
        // SAFETY: each element points to a value of its parameter's size.
        unsafe {
            room.as_mut_ptr()
                .copy_from_nonoverlapping(value, room.len())
        };
    }
    Ok(packed)
}

/// The form with one buffer: keys 1 (buffer), 2 (pointer to its size) and 0 (end).
///
/// # Safety
/// The list ends with a 0 key, and the buffer has as many bytes as its size says.
unsafe fn pack_extra(function: &Function, extra: *mut *mut c_void, packed: &mut [u8]) -> Res {
    const MOST_PAIRS: usize = 16;
    let (mut buffer, mut size) = (core::ptr::null::<u8>(), None);
    for pair in 0..MOST_PAIRS {
        // SAFETY: all keys before this one were other than 0, so the list goes on to this one.
        let key = unsafe { extra.add(2 * pair).read() } as usize;
        if key == 0 {
            break;
        }
        // SAFETY: every key but 0 has a value behind it.
        let value = unsafe { extra.add(2 * pair + 1).read() };
        match key {
            1 => buffer = value.cast(),
            2 if value.is_null() => return Err(INVALID_VALUE),
            // SAFETY: the value of key 2 points to a size.
            2 => size = Some(unsafe { value.cast::<usize>().read_unaligned() }),
            _ => return Err(INVALID_VALUE),
        }
    }
    let needed = function
        .info
        .params
        .iter()
        .map(|p| (p.offset + p.size) as usize)
        .max()
        .unwrap_or(0);
    let size = size.unwrap_or(0);
    if size < needed || (buffer.is_null() && needed > 0) {
        return Err(INVALID_VALUE);
    }
    // The end may be padded, or not.
    let len = size.min(packed.len());
    if len > 0 {
        // SAFETY: the buffer has `size` bytes by this function's contract, and `len` is at most that and `packed`'s
        // length.
        unsafe { packed.as_mut_ptr().copy_from_nonoverlapping(buffer, len) };
    }
    Ok(())
}

/// The cluster of a launch with that configuration record, if it has one.
///
/// # Safety
/// The record's attribute array has `numAttrs` elements.
pub unsafe fn cluster_of(function: &Function, config: &CUlaunchConfig) -> Res<Option<[u32; 3]>> {
    // SAFETY: the attributes of `config` are an array of `numAttrs` elements, by this function's contract.
    let shape = unsafe { shape_of(config) }?;
    launch::cluster_of(function, shape.grid, shape.cluster)
}

/// A launch as a configuration record describes it.
///
/// # Safety
/// The record's attribute array has `numAttrs` elements.
unsafe fn shape_of(config: &CUlaunchConfig) -> Res<Shape> {
    let mut shape = Shape::plain(
        [config.gridDimX, config.gridDimY, config.gridDimZ],
        [config.blockDimX, config.blockDimY, config.blockDimZ],
        config.sharedMemBytes,
        config.hStream,
    );
    if config.numAttrs > 0 && config.attrs.is_null() {
        return Err(INVALID_VALUE);
    }
    for i in 0..config.numAttrs as usize {
        // SAFETY: the array has `numAttrs` elements.
        let attribute = unsafe { &*config.attrs.add(i) };
        // SAFETY: the id says which member is meant; all are plain numbers, of which any bits are a value.
        unsafe {
            match attribute.id {
                Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE => {
                    shape.cooperative = attribute.value.cooperative != 0
                }
                Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                    let c = attribute.value.clusterDim;
                    let size = [c.x, c.y, c.z];
                    shape.cluster = Some(size).filter(|size| *size != [0; 3]);
                }
                Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT => {
                    shape.done = Some(attribute.value.programmaticEvent.event);
                }
                Id::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT => {
                    shape.done = Some(attribute.value.launchCompletionEvent.event);
                }
                // All other attributes are hints about speed.
                _ => {}
            }
        }
    }
    Ok(shape)
}

/// The deprecated launch, with the arguments that the function has collected.
fn launch_collected(f: CUfunction, grid: [i32; 2], stream: CUstream) -> Res {
    let function = named(f)?;
    let grid = grid.map(|n| u32::try_from(n).map_err(|_| INVALID_VALUE));
    let (block, shared, mut params) = {
        let legacy = function.legacy.lock();
        (legacy.block, legacy.shared, legacy.params.clone())
    };
    params.resize(function.info.param_bytes as usize, 0);
    let block = if block[0] == 0 { [1, 1, 1] } else { block };
    submit(
        function,
        &Shape::plain([grid[0]?, grid[1]?, 1], block, shared, stream),
        params,
    )
}

/// Collects parameter bytes for the deprecated launch.
fn collect(f: CUfunction, offset: i32, bytes: &[u8]) -> Res {
    let function = named(f)?;
    let start = usize::try_from(offset).map_err(|_| INVALID_VALUE)?;
    let end = start
        .checked_add(bytes.len())
        .filter(|&e| e <= MOST_PARAM_BYTES)
        .ok_or(INVALID_VALUE)?;
    let mut legacy = function.legacy.lock();
    if legacy.params.len() < end {
        legacy.params.resize(end, 0);
    }
    legacy.params[start..end].copy_from_slice(bytes);
    Ok(())
}

driver_functions! {
    fn cuLaunchKernel(f: CUfunction, gridDimX: u32, gridDimY: u32, gridDimZ: u32, blockDimX: u32, blockDimY: u32, blockDimZ: u32, sharedMemBytes: u32, hStream: CUstream, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) {
        let function = named(f)?;
        let shape = Shape::plain([gridDimX, gridDimY, gridDimZ], [blockDimX, blockDimY, blockDimZ], sharedMemBytes, hStream);
        let params = pack(&function, kernelParams, extra)?;
        submit(function, &shape, params)
    }

    fn cuLaunchKernelEx(config: *const CUlaunchConfig, f: CUfunction, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) {
        let function = named(f)?;
        let shape = shape_of(config.as_ref().ok_or(INVALID_VALUE)?)?;
        let params = pack(&function, kernelParams, extra)?;
        submit(function, &shape, params)
    }

    fn cuLaunchCooperativeKernel(f: CUfunction, gridDimX: u32, gridDimY: u32, gridDimZ: u32, blockDimX: u32, blockDimY: u32, blockDimZ: u32, sharedMemBytes: u32, hStream: CUstream, kernelParams: *mut *mut c_void) {
        let function = named(f)?;
        let mut shape = Shape::plain([gridDimX, gridDimY, gridDimZ], [blockDimX, blockDimY, blockDimZ], sharedMemBytes, hStream);
        shape.cooperative = true;
        let params = pack(&function, kernelParams, core::ptr::null_mut())?;
        submit(function, &shape, params)
    }

    fn cuFuncSetBlockShape(hfunc: CUfunction, x: i32, y: i32, z: i32) {
        let function = named(hfunc)?;
        let side = |n: i32| u32::try_from(n).ok().filter(|&n| n > 0).ok_or(INVALID_VALUE);
        function.legacy.lock().block = [side(x)?, side(y)?, side(z)?];
        Ok(())
    }

    fn cuFuncSetSharedSize(hfunc: CUfunction, bytes: u32) {
        named(hfunc)?.legacy.lock().shared = bytes;
        Ok(())
    }

    fn cuParamSetSize(hfunc: CUfunction, numbytes: u32) {
        let function = named(hfunc)?;
        if numbytes as usize > MOST_PARAM_BYTES {
            return Err(INVALID_VALUE);
        }
        function.legacy.lock().params.resize(numbytes as usize, 0);
        Ok(())
    }

    fn cuParamSeti(hfunc: CUfunction, offset: i32, value: u32) {
        collect(hfunc, offset, &value.to_ne_bytes())
    }

    fn cuParamSetf(hfunc: CUfunction, offset: i32, value: f32) {
        collect(hfunc, offset, &value.to_ne_bytes())
    }

    fn cuParamSetv(hfunc: CUfunction, offset: i32, ptr: *mut c_void, numbytes: u32) {
        if ptr.is_null() || numbytes as usize > MOST_PARAM_BYTES {
            return Err(INVALID_VALUE);
        }
        collect(hfunc, offset, core::slice::from_raw_parts(ptr.cast::<u8>(), numbytes as usize))
    }

    fn cuLaunch(f: CUfunction) {
        launch_collected(f, [1, 1], CUstream::null())
    }

    fn cuLaunchGrid(f: CUfunction, grid_width: i32, grid_height: i32) {
        launch_collected(f, [grid_width, grid_height], CUstream::null())
    }

    fn cuLaunchGridAsync(f: CUfunction, grid_width: i32, grid_height: i32, hStream: CUstream) {
        launch_collected(f, [grid_width, grid_height], hStream)
    }
}
