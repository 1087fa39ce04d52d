//! CUDA's device runtime: launches, copies and fills that kernels ask for.
//!
//! The requests of a grid's threads are kept until the grid has ended, and then run in the order in which they were
//! made, each item with all that it asks for itself; work in the tail stream comes last. A program cannot tell this
//! from a GPU: a kernel cannot wait for its children, a stream's work is in order, and a grid is complete when its
//! children are.

use crate::code::{COOPERATIVE_LAUNCH_TOO_LARGE, Code, LAUNCH_OUT_OF_RESOURCES};
use crate::context_state::ContextState;
use crate::loading::module::Function;
use crate::memory::{Allocation, Kind, Request};
use crate::streams::geometry::{Copy3d, CopySide, Fill};
use crate::streams::launch::{self, GridLaunch};
use crate::{device, fault};
use cuox_abi::{CUdevice_attribute, CUfunction_attribute};
use cuox_simt::demangle;
use cuox_simt::{RuntimeCall, space, trap};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A thread: its block's index and its number there.
type Thread = ([u32; 3], u32);

/// Levels of launches below the one from the host.
const DEEPEST: u32 = 24;
/// Launches that may wait for their start unless the program has set `CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT`: more
/// than the default of CUDA, since ours start later.
const MOST_PENDING: u64 = 1 << 20;

/// Values of `cudaError_t`.
mod error {
    pub const INVALID_VALUE: u32 = 1;
    pub const MEMORY_ALLOCATION: u32 = 2;
    pub const INVALID_CONFIGURATION: u32 = 9;
    pub const MAX_DEPTH_EXCEEDED: u32 = 65;
    pub const PENDING_COUNT_EXCEEDED: u32 = 69;
    pub const INVALID_DEVICE_FUNCTION: u32 = 98;
    pub const INVALID_DEVICE: u32 = 101;
    pub const UNSUPPORTED_LIMIT: u32 = 215;
    pub const INVALID_RESOURCE_HANDLE: u32 = 400;
    pub const LAUNCH_OUT_OF_RESOURCES: u32 = 701;
    pub const COOPERATIVE_LAUNCH_TOO_LARGE: u32 = 720;
}

/// Streams with a meaning of their own.
const DEFAULT_STREAMS: std::ops::RangeInclusive<u64> = 0..=2;
const TAIL: u64 = 3;
const FIRE_AND_FORGET: u64 = 4;
/// Upper halves of handles that kernels made.
const STREAMS: u64 = 0x6376_7374 << 32;
const EVENTS: u64 = 0x6376_6576 << 32;

/// A piece of work that a kernel asked for.
pub enum DeviceWork {
    Grid(Box<GridLaunch>),
    Copy(Copy3d),
    Fill(Fill),
}

/// The work that a grid asked for, and that for its tail stream.
pub type Work = (Vec<DeviceWork>, Vec<DeviceWork>);

/// The requests of a running grid's threads.
#[derive(Default)]
pub struct DeviceRuntime {
    inner: Mutex<Asked>,
    names: AtomicU64,
}

#[derive(Default)]
struct Asked {
    /// Launches whose parameters are being stored, by the address of those.
    prepared: HashMap<u64, Box<GridLaunch>>,
    handles: HashSet<u64>,
    work: Vec<DeviceWork>,
    tail: Vec<DeviceWork>,
    errors: HashMap<Thread, u32>,
}

/// A grid and the context that it runs in.
#[derive(Clone, Copy)]
pub struct Parent<'a> {
    pub launch: &'a GridLaunch,
    pub context: &'a ContextState,
}

fn error_of(code: Code) -> u32 {
    match code {
        LAUNCH_OUT_OF_RESOURCES => error::LAUNCH_OUT_OF_RESOURCES,
        COOPERATIVE_LAUNCH_TOO_LARGE => error::COOPERATIVE_LAUNCH_TOO_LARGE,
        _ => error::INVALID_CONFIGURATION,
    }
}

impl DeviceRuntime {
    /// The work that was asked for, and that for the tail stream. The memory of parameters that were never used is
    /// freed.
    pub fn finish(self, parent: Parent<'_>) -> Work {
        let asked = self.inner.into_inner();
        for &at in asked.prepared.keys() {
            free_parameters(parent, at);
        }
        (asked.work, asked.tail)
    }

    /// Executes a function for a thread.
    pub fn call(&self, parent: Parent<'_>, call: RuntimeCall, thread: Thread, args: &[u64]) -> u64 {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let done = |result: Result<(), u32>| match result {
            Ok(()) => 0,
            Err(error) => self.fail(thread, error),
        };
        let value = |result: Result<u64, u32>| match result {
            Ok(value) => value,
            Err(error) => RuntimeCall::ERROR | self.fail(thread, error),
        };
        match call {
            RuntimeCall::ParameterBuffer => match self.prepare(parent, args) {
                Ok(at) => at,
                Err(error) => {
                    self.fail(thread, error);
                    0
                }
            },
            RuntimeCall::Launch => done(self.launch(parent, arg(0), arg(1))),
            RuntimeCall::LastError => {
                let forgotten = self.inner.lock().errors.remove(&thread);
                u64::from(forgotten.unwrap_or(0))
            }
            RuntimeCall::PeekError => {
                let known = self.inner.lock().errors.get(&thread).copied();
                u64::from(known.unwrap_or(0))
            }
            RuntimeCall::ErrorName => text(parent, arg(0) as u32, true),
            RuntimeCall::ErrorString => text(parent, arg(0) as u32, false),
            // A stream must be non-blocking, an event without timing.
            RuntimeCall::CreateStream => value(self.create(STREAMS, arg(0) == 1)),
            RuntimeCall::CreateEvent => value(self.create(EVENTS, arg(0) == 2)),
            RuntimeCall::DestroyStream | RuntimeCall::DestroyEvent => {
                let known = self.inner.lock().handles.remove(&arg(0));
                done(known.then_some(()).ok_or(error::INVALID_RESOURCE_HANDLE))
            }
            // All work is in order anyway.
            RuntimeCall::RecordEvent => done(self.check(arg(0), arg(1))),
            RuntimeCall::WaitEvent => done(self.check(arg(1), arg(0))),
            RuntimeCall::Malloc => value(malloc(parent, arg(0))),
            RuntimeCall::Free => done(free(parent, arg(0))),
            RuntimeCall::Copy => done(self.copy(parent, [0, 1, 2, 4].map(arg))),
            RuntimeCall::Fill => done(self.fill(parent, [0, 1, 2, 3].map(arg))),
            RuntimeCall::Device => parent.context.device as u64,
            RuntimeCall::DeviceCount => parent.launch.memory.devices() as u64,
            RuntimeCall::Attribute => value(attribute(parent, arg(0) as u32, arg(1) as i32)),
            RuntimeCall::Limit => value(limit(parent, arg(0) as u32)),
            RuntimeCall::Version => device::DRIVER_VERSION as u64,
            RuntimeCall::Copy2d => done(self.copy_2d(parent, [0, 1, 2, 3, 4, 5, 7].map(arg))),
            RuntimeCall::Fill2d => done(self.fill_2d(parent, [0, 1, 2, 3, 4, 5].map(arg))),
            RuntimeCall::CacheConfig => 0,
            RuntimeCall::Occupancy => value(occupancy(parent, arg(0), arg(1) as u32, arg(2))),
            RuntimeCall::SetCondition => {
                if let Some(graph) = &parent.launch.graph {
                    graph.conditions().set(arg(0), arg(1) as u32);
                }
                0
            }
            RuntimeCall::LaunchGraph => {
                let graph = parent.launch.graph.as_ref();
                let is_launched = graph.is_some_and(|graph| graph.launch(arg(0), arg(1)));
                done(is_launched.then_some(()).ok_or(error::INVALID_VALUE))
            }
            RuntimeCall::CurrentGraph => {
                let graph = parent.launch.graph.as_ref();
                graph.map_or(0, |graph| graph.seen_handle())
            }
            RuntimeCall::FunctionAttributes => done(function_attributes(parent, arg(0), arg(1))),
        }
    }

    /// Remembers a thread's error; returns it.
    fn fail(&self, thread: Thread, error: u32) -> u64 {
        self.inner.lock().errors.insert(thread, error);
        u64::from(error)
    }

    fn create(&self, kind: u64, right: bool) -> Result<u64, u32> {
        if !right {
            return Err(error::INVALID_VALUE);
        }
        let handle = kind | (self.names.fetch_add(1, Ordering::Relaxed) & u64::from(u32::MAX));
        self.inner.lock().handles.insert(handle);
        Ok(handle)
    }

    fn check_stream(&self, stream: u64) -> Result<(), u32> {
        let own = || stream >> 32 == STREAMS >> 32 && self.inner.lock().handles.contains(&stream);
        let known = DEFAULT_STREAMS.contains(&stream)
            || stream == TAIL
            || stream == FIRE_AND_FORGET
            || own();
        known.then_some(()).ok_or(error::INVALID_RESOURCE_HANDLE)
    }

    fn check(&self, event: u64, stream: u64) -> Result<(), u32> {
        self.check_stream(stream)?;
        let known = event >> 32 == EVENTS >> 32 && self.inner.lock().handles.contains(&event);
        known.then_some(()).ok_or(error::INVALID_RESOURCE_HANDLE)
    }

    /// Memory for the parameters of a launch, whose shape is checked.
    fn prepare(&self, parent: Parent<'_>, args: &[u64]) -> Result<u64, u32> {
        let &[kernel, gx, gy, gz, bx, by, bz, shared] = args else {
            return Err(error::INVALID_VALUE);
        };
        let launch = parent.launch;
        let function = function_of(parent, kernel)?;
        let (grid, block) = ([gx, gy, gz], [bx, by, bz]);
        let [grid, block] = [grid, block].map(|side| side.map(|n| n as u32));
        let shared = shared as u32;
        let cluster = launch::check(
            &function,
            grid,
            block,
            None,
            shared,
            false,
            launch.part.as_deref(),
        );
        let cluster = cluster.map_err(error_of)?;
        let child = function.kernel().map_err(|code| {
            let (child, parent_name) = (&function.name, &launch.name);
            let [child, parent_name] = [child, parent_name].map(|n| demangle::readable(n));
            parent.context.sticky.set(code, || {
                let why = fault::last_fault();
                format!("kernel {parent_name} launches kernel {child}: {why}")
            });
            error::INVALID_DEVICE_FUNCTION
        })?;
        let size = function.info.param_bytes;
        let owner = parent.context.owner();
        let request = Request::new(u64::from(size.max(1)), Kind::Heap, owner);
        let buffer = launch.memory.allocate(request);
        let buffer = buffer.map_err(|_| error::LAUNCH_OUT_OF_RESOURCES)?.start;
        let child = GridLaunch {
            kernel: child,
            name: function.name.clone(),
            function: function.handle,
            grid,
            block,
            cluster,
            dynamic_shared: shared,
            params: vec![0; size as usize],
            cooperative: false,
            depth: launch.depth,
            graph: launch.graph.clone(),
            part: launch.part.clone(),
            ..*launch
        };
        self.inner.lock().prepared.insert(buffer, Box::new(child));
        Ok(buffer)
    }

    fn launch(&self, parent: Parent<'_>, buffer: u64, stream: u64) -> Result<(), u32> {
        let prepared = self.inner.lock().prepared.remove(&buffer);
        let mut child = prepared.ok_or(error::INVALID_VALUE)?;
        let params = &mut child.params;
        // SAFETY: the vector has that many bytes, and so has the memory, which only this call frees.
        let copied = unsafe { trap::copy(params.as_mut_ptr() as u64, buffer, params.len()) };
        free_parameters(parent, buffer);
        copied.map_err(|_| error::INVALID_VALUE)?;
        self.check_stream(stream)?;
        // A tail launch takes the place of its grid: a chain of them has no end.
        if stream != TAIL {
            child.depth += 1;
        }
        if child.depth > DEEPEST {
            return Err(error::MAX_DEPTH_EXCEEDED);
        }
        let limit = match parent.context.launch_limit.load(Ordering::Relaxed) {
            0 => MOST_PENDING,
            set => set,
        };
        let pending = &parent.context.pending_launches;
        let order = Ordering::Relaxed;
        let counted = pending.fetch_update(order, order, |n| (n < limit).then_some(n + 1));
        counted.map_err(|_| error::PENDING_COUNT_EXCEEDED)?;
        self.put(DeviceWork::Grid(child), stream);
        Ok(())
    }

    fn put(&self, work: DeviceWork, stream: u64) {
        let mut asked = self.inner.lock();
        match stream {
            TAIL => asked.tail.push(work),
            _ => asked.work.push(work),
        }
    }

    fn copy(&self, parent: Parent<'_>, [to, from, bytes, stream]: [u64; 4]) -> Result<(), u32> {
        self.check_stream(stream)?;
        let memory = parent.launch.memory;
        if bytes == 0 {
            return Ok(());
        }
        if !memory.is_live(to, bytes) || !memory.is_live(from, bytes) {
            return Err(error::INVALID_VALUE);
        }
        self.put(DeviceWork::Copy(Copy3d::line(to, from, bytes)), stream);
        Ok(())
    }

    fn copy_2d(
        &self,
        parent: Parent<'_>,
        [to, to_pitch, from, from_pitch, width, height, stream]: [u64; 7],
    ) -> Result<(), u32> {
        self.check_stream(stream)?;
        if width == 0 || height == 0 {
            return Ok(());
        }
        check_rows(parent, to, to_pitch, width, height)?;
        check_rows(parent, from, from_pitch, width, height)?;
        let side = |at, pitch: u64| CopySide {
            at,
            pitch,
            slice: pitch.saturating_mul(height),
        };
        let copy = Copy3d {
            dst: side(to, to_pitch),
            src: side(from, from_pitch),
            width,
            height,
            depth: 1,
        };
        self.put(DeviceWork::Copy(copy), stream);
        Ok(())
    }

    fn fill_2d(
        &self,
        parent: Parent<'_>,
        [to, pitch, value, width, height, stream]: [u64; 6],
    ) -> Result<(), u32> {
        self.check_stream(stream)?;
        if width == 0 || height == 0 {
            return Ok(());
        }
        check_rows(parent, to, pitch, width, height)?;
        let fill = Fill {
            at: to,
            pitch,
            count: width,
            height,
            size: 1,
            value: value as u32 & 0xff,
        };
        self.put(DeviceWork::Fill(fill), stream);
        Ok(())
    }

    fn fill(&self, parent: Parent<'_>, [to, value, bytes, stream]: [u64; 4]) -> Result<(), u32> {
        self.check_stream(stream)?;
        if bytes == 0 {
            return Ok(());
        }
        if !parent.launch.memory.is_live(to, bytes) {
            return Err(error::INVALID_VALUE);
        }
        let fill = Fill {
            at: to,
            pitch: bytes,
            count: bytes,
            height: 1,
            size: 1,
            value: value as u32 & 0xff,
        };
        self.put(DeviceWork::Fill(fill), stream);
        Ok(())
    }
}

/// The function whose address device code has.
fn function_of(parent: Parent<'_>, kernel: u64) -> Result<Arc<Function>, u32> {
    let launch = parent.launch;
    let program = launch.kernel.program();
    let name = program.kernel_of_handle(kernel);
    let name = name.ok_or(error::INVALID_DEVICE_FUNCTION)?;
    let module = launch.modules.get(launch.module);
    let found = module.and_then(|m| m.function(launch.functions, name).ok());
    let function = found.and_then(|handle| launch.functions.get(handle));
    function.ok_or(error::INVALID_DEVICE_FUNCTION)
}

/// Checks that rows of memory belong to live allocations.
fn check_rows(parent: Parent<'_>, at: u64, pitch: u64, width: u64, height: u64) -> Result<(), u32> {
    let last = (height - 1).checked_mul(pitch);
    let bytes = last.and_then(|last| last.checked_add(width));
    let bytes = bytes
        .filter(|_| width <= pitch)
        .ok_or(error::INVALID_VALUE)?;
    match parent.launch.memory.is_live(at, bytes) {
        true => Ok(()),
        false => Err(error::INVALID_VALUE),
    }
}

/// Blocks that a multiprocessor holds.
fn occupancy(parent: Parent<'_>, kernel: u64, threads: u32, dynamic: u64) -> Result<u64, u32> {
    let function = function_of(parent, kernel)?;
    if threads == 0 || threads > i32::MAX as u32 {
        return Err(error::INVALID_VALUE);
    }
    let shared = u64::from(function.info.static_shared).saturating_add(dynamic);
    let shared = u32::try_from(shared).unwrap_or(u32::MAX);
    if threads > function.info.max_threads {
        return Ok(0);
    }
    let registers = function.info.registers;
    let blocks = device::blocks_per_multiprocessor(threads, shared, registers);
    Ok(u64::from(blocks))
}

/// Writes a `cudaFuncAttributes`: three sizes, numbers in the order of the runtime's header, and reserved ones.
fn function_attributes(parent: Parent<'_>, to: u64, kernel: u64) -> Result<(), u32> {
    use CUfunction_attribute as F;
    const SIZES: [F; 3] = [
        F::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        F::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
        F::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    ];
    const NUMBERS: [F; 13] = [
        F::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        F::CU_FUNC_ATTRIBUTE_NUM_REGS,
        F::CU_FUNC_ATTRIBUTE_PTX_VERSION,
        F::CU_FUNC_ATTRIBUTE_BINARY_VERSION,
        F::CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
        F::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        F::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
        F::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
        F::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
        F::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
        F::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
        F::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
        F::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
    ];
    const RESERVED: usize = 16;
    let function = function_of(parent, kernel)?;
    let value = |attribute| function.attribute(attribute).unwrap_or(0);
    let sizes = SIZES
        .iter()
        .flat_map(|&size| i64::from(value(size)).to_le_bytes());
    let numbers = NUMBERS
        .iter()
        .flat_map(|&number| value(number).to_le_bytes());
    let mut bytes: Vec<u8> = sizes.chain(numbers).collect();
    bytes.resize((bytes.len() + 4 * RESERVED).next_multiple_of(8), 0);
    // A thread's own variables are in the device's range too.
    if !space::contains(to, bytes.len() as u64) {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the vector has that many bytes, and the range is the device's; a place in it that is not accessible is
    // caught.
    let copied = unsafe { trap::copy(to, bytes.as_ptr() as u64, bytes.len()) };
    copied.map_err(|_| error::INVALID_VALUE)
}

fn of_heap(context: &ContextState) -> impl Fn(&Allocation) -> bool {
    let handle = context.handle;
    move |a| a.kind == Kind::Heap && a.owner.context == handle
}

fn free_parameters(parent: Parent<'_>, at: u64) {
    let _ = parent.launch.memory.free(at, of_heap(parent.context));
}

fn malloc(parent: Parent<'_>, bytes: u64) -> Result<u64, u32> {
    match launch::device_malloc(parent, bytes) {
        0 if bytes > 0 => Err(error::MEMORY_ALLOCATION),
        at => Ok(at),
    }
}

fn free(parent: Parent<'_>, at: u64) -> Result<(), u32> {
    match at == 0 || launch::device_free(parent, at) {
        true => Ok(()),
        false => Err(error::INVALID_VALUE),
    }
}

fn attribute(parent: Parent<'_>, attribute: u32, device: i32) -> Result<u64, u32> {
    let device = usize::try_from(device).ok();
    let device = device.filter(|&device| device < parent.launch.memory.devices());
    let device = device.ok_or(error::INVALID_DEVICE)?;
    // The numbers of `cudaDeviceAttr` are the driver's.
    let value = device::attribute(device, CUdevice_attribute(attribute));
    let value = value.ok_or(error::INVALID_VALUE)?;
    Ok(u64::from(value as u32))
}

fn limit(parent: Parent<'_>, limit: u32) -> Result<u64, u32> {
    let context = parent.context;
    match limit {
        0 => Ok(context.stack_limit.load(Ordering::Relaxed)),
        2 => Ok(context.heap_limit.load(Ordering::Relaxed)),
        _ => Err(error::UNSUPPORTED_LIMIT),
    }
}

/// The address of an error's name or description in device memory, made when it is first asked for; 0 if there is no
/// memory.
fn text(parent: Parent<'_>, error: u32, name: bool) -> u64 {
    let mut texts = parent.context.error_texts.lock();
    if let Some(&at) = texts.get(&(error, name)) {
        return at;
    }
    let code = cuox_abi::CUresult(driver_code(error));
    let mut bytes = match (name, cuox_abi::result_description(code)) {
        (true, _) => name_of(error).into_bytes(),
        (false, Some(text)) => text.to_bytes().to_vec(),
        (false, None) => b"unrecognized error code".to_vec(),
    };
    bytes.push(0);
    let request = Request::new(bytes.len() as u64, Kind::Heap, parent.context.owner());
    let Ok(made) = parent.launch.memory.allocate(request) else {
        return 0;
    };
    // SAFETY: the allocation is as long as the bytes, and nobody knows it yet.
    let _ = unsafe { trap::copy(made.start, bytes.as_ptr() as u64, bytes.len()) };
    texts.insert((error, name), made.start);
    made.start
}

/// The driver's number of an error: nearly all are the same.
fn driver_code(error: u32) -> u32 {
    match error {
        error::INVALID_CONFIGURATION => 1,
        error::MAX_DEPTH_EXCEEDED | error::PENDING_COUNT_EXCEEDED => 701,
        error::INVALID_DEVICE_FUNCTION => 500,
        other => other,
    }
}

/// The runtime's name of an error: `cudaErrorInvalidValue` for `CUDA_ERROR_INVALID_VALUE`.
fn name_of(error: u32) -> String {
    match error {
        0 => return "cudaSuccess".into(),
        error::MEMORY_ALLOCATION => return "cudaErrorMemoryAllocation".into(),
        error::INVALID_CONFIGURATION => return "cudaErrorInvalidConfiguration".into(),
        error::MAX_DEPTH_EXCEEDED => return "cudaErrorLaunchMaxDepthExceeded".into(),
        error::PENDING_COUNT_EXCEEDED => return "cudaErrorLaunchPendingCountExceeded".into(),
        error::INVALID_DEVICE_FUNCTION => return "cudaErrorInvalidDeviceFunction".into(),
        error::INVALID_RESOURCE_HANDLE => return "cudaErrorInvalidResourceHandle".into(),
        _ => {}
    }
    let known = cuox_abi::result_name(cuox_abi::CUresult(error)).and_then(|n| n.to_str().ok());
    let Some(words) = known.and_then(|n| n.strip_prefix("CUDA_ERROR_")) else {
        return "unrecognized error code".into();
    };
    let mut name = String::from("cudaError");
    for word in words.split('_') {
        let (first, rest) = word.split_at(1.min(word.len()));
        name.push_str(first);
        name.push_str(&rest.to_lowercase());
    }
    name
}

/// Runs what a grid asked for, in order, and what that asks for.
pub fn run_all(first: Box<GridLaunch>, context: &ContextState) {
    // The next item is the last.
    let mut stack = vec![DeviceWork::Grid(first)];
    let mut from_host = true;
    while let Some(work) = stack.pop() {
        if let DeviceWork::Grid(_) = &work
            && !std::mem::take(&mut from_host)
        {
            context.pending_launches.fetch_sub(1, Ordering::Relaxed);
        }
        if context.sticky.check().is_err() || context.cancel.load(Ordering::Relaxed) {
            continue;
        }
        match work {
            DeviceWork::Grid(grid) => {
                let (work, tail) = grid.run(context);
                stack.extend(tail.into_iter().rev());
                stack.extend(work.into_iter().rev());
            }
            DeviceWork::Copy(copy) => context.finish_memory_op("copy", copy.run()),
            DeviceWork::Fill(fill) => {
                context.finish_memory_op("memset", fill.run());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_names_of_the_runtime() {
        assert_eq!(name_of(0), "cudaSuccess");
        assert_eq!(name_of(1), "cudaErrorInvalidValue");
        assert_eq!(name_of(69), "cudaErrorLaunchPendingCountExceeded");
        assert_eq!(name_of(701), "cudaErrorLaunchOutOfResources");
        assert_eq!(name_of(12345), "unrecognized error code");
    }
}
