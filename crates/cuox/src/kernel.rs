//! Kernels: handles, attributes and signatures.

use std::collections::HashMap;
use std::ffi::{CStr, c_int};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use crate::code::{Library, ObjectCode};
use crate::context::Context;
use crate::device::Device;
use crate::driver::sys::{CUfunction, CUfunction_attribute, CUkernel, CUoccupancyB2DSize, call};
use crate::error::{Error, Result};
use crate::launch::parameters::Parameters;
use crate::launch::{LaunchConfig, last};
use crate::signature::{Signature, kernel_overloads, mangled_params, readable};
use crate::stream::Stream;

/// A kernel of some [`ObjectCode`], ready for one context. A cheap handle; it keeps the code loaded.
#[derive(Clone)]
pub struct Kernel(Arc<KernelState>);

struct KernelState {
    context: Context,
    raw: CUkernel,
    function: CUfunction,
    /// The name in the code.
    name: String,
    parameters: Option<Parameters>,
    /// By which launches are noted.
    number: usize,
    code: ObjectCode,
    _library: Option<Arc<Library>>,
}

type Known = HashMap<usize, Weak<KernelState>>;

/// The kernels that there are, by their `CUfunction`s: a driver tells no `CUkernel` of one.
static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

fn known() -> std::sync::MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for KernelState {
    fn drop(&mut self) {
        let mut known = known();
        let function = self.function.addr();
        // Another object may be of the same kernel.
        if known
            .get(&function)
            .is_some_and(|it| it.strong_count() == 0)
        {
            known.remove(&function);
        }
    }
}

/// The compiler's figures about a kernel. Sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each field is the CU_FUNC_ATTRIBUTE of the same name"
)]
pub struct KernelAttributes {
    pub max_threads_per_block: i32,
    pub shared_size_bytes: i32,
    pub const_size_bytes: i32,
    pub local_size_bytes: i32,
    pub num_regs: i32,
    pub ptx_version: i32,
    pub binary_version: i32,
    pub cache_mode_ca: bool,
    pub max_dynamic_shared_size_bytes: i32,
    pub preferred_shared_memory_carveout: i32,
}

impl Kernel {
    pub(crate) fn new(
        context: &Context,
        code: &ObjectCode,
        library: Arc<Library>,
        raw: CUkernel,
        shown: &str,
        name: String,
    ) -> Result<Self> {
        let driver = context.driver();
        context.bind()?;
        let mut function = CUfunction::null();
        // SAFETY: the kernel is loaded, the context current and the pointer to a live local.
        unsafe { call!(driver, cuKernelGetFunction(&mut function, raw)) }
            .map_err(|error| library.explain(error))?;
        let layout = param_layout(context, raw);
        let parameters = signature(code, shown, &name, layout.as_deref()).map(Parameters::new);
        let (context, code) = (context.clone(), code.clone());
        let number = match &parameters {
            Some(parameters) => last::number(parameters.signature().name()),
            None => last::number(&readable(&name)),
        };
        Ok(Self::made(KernelState {
            context,
            raw,
            function,
            name,
            parameters,
            number,
            code,
            _library: Some(library),
        }))
    }

    /// Wraps a kernel that another library has loaded. With the code that it is of, parameters have names.
    ///
    /// # Errors
    /// The errors of `cuKernelGetFunction`, and of `cuKernelGetName`, which a driver before CUDA 12.3 lacks.
    ///
    /// # Safety
    /// `raw` is a kernel of the context's driver, and stays loaded as long as this handle and its clones.
    pub unsafe fn from_raw(
        context: &Context,
        raw: CUkernel,
        code: Option<&ObjectCode>,
    ) -> Result<Self> {
        let driver = context.driver();
        context.bind()?;
        let (mut function, mut name) = (CUfunction::null(), std::ptr::null());
        // SAFETY: the caller promises the kernel; the pointers are to live locals, and the text is the driver's.
        let name = unsafe {
            call!(driver, cuKernelGetFunction(&mut function, raw))?;
            call!(driver, cuKernelGetName(&mut name, raw))?;
            CStr::from_ptr(name).to_string_lossy().into_owned()
        };
        // Of a kernel of our own code the code is kept.
        if code.is_none()
            && let Some(kernel) = Self::of_function(function)
            && kernel.raw() == raw
        {
            return Ok(kernel);
        }
        let code = code.cloned().unwrap_or_else(|| ObjectCode::unknown(&name));
        let layout = param_layout(context, raw);
        let parameters = signature(&code, &name, &name, layout.as_deref()).map(Parameters::new);
        let number = match &parameters {
            Some(parameters) => last::number(parameters.signature().name()),
            None => last::number(&readable(&name)),
        };
        Ok(Self::made(KernelState {
            context: context.clone(),
            raw,
            function,
            name,
            parameters,
            number,
            code,
            _library: None,
        }))
    }

    fn made(state: KernelState) -> Self {
        let function = state.function.addr();
        let made = Self(Arc::new(state));
        known().insert(function, Arc::downgrade(&made.0));
        made
    }

    /// The kernel of a `CUfunction`, if there is one of it here that no [`Device::reset`] has ended.
    pub fn of_function(function: CUfunction) -> Option<Self> {
        let found = known().get(&function.addr()).and_then(Weak::upgrade);
        found
            .map(Self)
            .filter(|kernel| kernel.context().check().is_ok())
    }

    /// The name in the code (mangled, for C++).
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Gives the parameters names, which errors of the software GPU use.
    pub fn name_parameters(&self, names: Vec<String>) {
        crate::launch::named::remember(self.name(), names);
    }

    /// The parameters; unknown only for code without PTX on a driver older than CUDA 12.4.
    #[inline]
    pub fn signature(&self) -> Option<&Signature> {
        self.0.parameters.as_ref().map(Parameters::signature)
    }

    /// The name that people write: of the source, as far as it is known.
    pub fn shown_name(&self) -> String {
        match self.signature() {
            Some(signature) => signature.name().to_owned(),
            None => readable(&self.0.name),
        }
    }

    /// The number by which a launch is noted.
    #[inline]
    pub(crate) fn number(&self) -> usize {
        self.0.number
    }

    /// The code it is in.
    pub fn code(&self) -> &ObjectCode {
        &self.0.code
    }

    /// The context it was loaded for.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The device it was loaded for.
    pub fn device(&self) -> Device {
        self.0.context.device()
    }

    /// The `CUkernel`, good in every context of the driver.
    #[inline]
    pub fn raw(&self) -> CUkernel {
        self.0.raw
    }

    /// The `CUfunction` of [`Kernel::context`].
    #[inline]
    pub fn function(&self) -> CUfunction {
        self.0.function
    }

    /// An attribute by number (`CUfunction_attribute`).
    ///
    /// # Errors
    /// The errors of `cuKernelGetAttribute`.
    pub fn attribute(&self, attribute: u32) -> Result<i32> {
        self.attribute_on(self.device(), attribute)
    }

    /// An attribute on any device of the driver.
    ///
    /// # Errors
    /// The errors of `cuKernelGetAttribute`.
    pub fn attribute_on(&self, device: Device, attribute: u32) -> Result<i32> {
        self.0.context.bind()?;
        let mut value = 0;
        let attribute = CUfunction_attribute(attribute);
        let device = device.raw();
        // SAFETY: the kernel is loaded and the pointer is to a live local.
        unsafe {
            call!(
                self.0.context.driver(),
                cuKernelGetAttribute(&mut value, attribute, self.0.raw, device)
            )
        }?;
        Ok(value)
    }

    /// Sets an attribute by number (`CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES` is 8).
    ///
    /// # Errors
    /// The errors of `cuKernelSetAttribute`.
    pub fn set_attribute(&self, attribute: u32, value: i32) -> Result<()> {
        self.0.context.bind()?;
        let attribute = CUfunction_attribute(attribute);
        let device = self.device().raw();
        // SAFETY: the kernel is loaded; the driver checks the numbers.
        unsafe {
            call!(
                self.0.context.driver(),
                cuKernelSetAttribute(attribute, value, self.0.raw, device)
            )
        }
    }

    /// The common attributes.
    ///
    /// # Errors
    /// The errors of `cuKernelGetAttribute`.
    pub fn attributes(&self) -> Result<KernelAttributes> {
        Ok(KernelAttributes {
            max_threads_per_block: self.attribute(0)?,
            shared_size_bytes: self.attribute(1)?,
            const_size_bytes: self.attribute(2)?,
            local_size_bytes: self.attribute(3)?,
            num_regs: self.attribute(4)?,
            ptx_version: self.attribute(5)?,
            binary_version: self.attribute(6)?,
            cache_mode_ca: self.attribute(7)? != 0,
            max_dynamic_shared_size_bytes: self.attribute(8)?,
            preferred_shared_memory_carveout: self.attribute(9)?,
        })
    }

    /// The number of blocks of `threads` threads and `shared` bytes of dynamic shared memory that fit on a
    /// multiprocessor.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn max_active_blocks(&self, threads: i32, shared: usize) -> Result<i32> {
        self.0.context.bind()?;
        let mut blocks = 0;
        // SAFETY: the function is loaded and the pointer is to a live local.
        unsafe {
            call!(
                self.0.context.driver(),
                cuOccupancyMaxActiveBlocksPerMultiprocessor(
                    &mut blocks,
                    self.0.function,
                    threads,
                    shared
                )
            )
        }?;
        Ok(blocks)
    }

    /// The dynamic shared memory of a block, in bytes, with which `blocks` blocks of `threads` threads fit on a
    /// multiprocessor.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn available_shared(&self, blocks: i32, threads: i32) -> Result<usize> {
        self.0.context.bind()?;
        let mut bytes = 0;
        // SAFETY: the function is loaded and the pointer is to a live local.
        unsafe {
            call!(
                self.0.context.driver(),
                cuOccupancyAvailableDynamicSMemPerBlock(
                    &mut bytes,
                    self.0.function,
                    blocks,
                    threads
                )
            )
        }?;
        Ok(bytes)
    }

    /// The largest number of blocks of a cluster in a launch; the launch's own cluster does not count.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn max_cluster_size(&self, config: &LaunchConfig, stream: &Stream) -> Result<i32> {
        let any = LaunchConfig {
            cluster: None,
            ..*config
        };
        let mut size = 0;
        any.with_driver_config(stream, |config| {
            // SAFETY: the function is loaded; the pointers are to live values.
            unsafe {
                call!(
                    self.0.context.driver(),
                    cuOccupancyMaxPotentialClusterSize(&mut size, self.0.function, config)
                )
            }
        })?;
        Ok(size)
    }

    /// The number of clusters of a launch that the device holds at once.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn max_active_clusters(&self, config: &LaunchConfig, stream: &Stream) -> Result<i32> {
        let mut count = 0;
        config.with_driver_config(stream, |config| {
            // SAFETY: the function is loaded; the pointers are to live values.
            unsafe {
                call!(
                    self.0.context.driver(),
                    cuOccupancyMaxActiveClusters(&mut count, self.0.function, config)
                )
            }
        })?;
        Ok(count)
    }

    /// The block size with the most threads in flight, and the grid that fills the device with it:
    /// `(grid, block)`.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn max_potential_block_size(&self, shared: usize, limit: i32) -> Result<(i32, i32)> {
        // SAFETY: no callback is given.
        unsafe { self.potential_block_size(None, shared, limit) }
    }

    /// As [`max_potential_block_size`](Self::max_potential_block_size), where `shared_of` says the dynamic shared
    /// memory, in bytes, of a block with a number of threads.
    ///
    /// # Safety
    /// `shared_of` may be called with any number of threads.
    ///
    /// # Errors
    /// The errors of the driver.
    pub unsafe fn max_potential_block_size_by(
        &self,
        shared_of: unsafe extern "C" fn(c_int) -> usize,
        limit: i32,
    ) -> Result<(i32, i32)> {
        // SAFETY: by this function's contract.
        unsafe { self.potential_block_size(Some(shared_of), 0, limit) }
    }

    /// # Safety
    /// `shared_of` may be called with any number of threads.
    unsafe fn potential_block_size(
        &self,
        shared_of: CUoccupancyB2DSize,
        shared: usize,
        limit: i32,
    ) -> Result<(i32, i32)> {
        self.0.context.bind()?;
        let (mut grid, mut block) = (0, 0);
        // SAFETY: the function is loaded, both pointers are to live locals, and the callback is the caller's promise.
        unsafe {
            call!(
                self.0.context.driver(),
                cuOccupancyMaxPotentialBlockSize(
                    &mut grid,
                    &mut block,
                    self.0.function,
                    shared_of,
                    shared,
                    limit
                )
            )
        }?;
        Ok((grid, block))
    }

    /// The parameters, ready for a launch.
    ///
    /// # Errors
    /// [`Error::Invalid`] when they are not known: see [`Kernel::signature`].
    #[inline]
    pub fn parameters(&self) -> Result<&Parameters> {
        match &self.0.parameters {
            Some(parameters) => Ok(parameters),
            None => Err(self.parameters_unknown()),
        }
    }

    #[cold]
    fn parameters_unknown(&self) -> Error {
        Error::invalid(format!(
            "the parameters of {} are not known: its code came without PTX, and this driver cannot tell them",
            self.shown_name()
        ))
    }
}

/// The parameters' `(offset, size)` from the driver, if it can say (CUDA 12.4).
fn param_layout(context: &Context, kernel: CUkernel) -> Option<Vec<(usize, usize)>> {
    let driver = context.driver();
    let mut layout = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the kernel is loaded and both pointers are to live locals.
        match unsafe {
            call!(
                driver,
                cuKernelGetParamInfo(kernel, layout.len(), &mut offset, &mut size)
            )
        } {
            Ok(()) => layout.push((offset, size)),
            // Out of range: that was the last one.
            Err(error) if error.driver_code() == Some(1) => return Some(layout),
            Err(_) => return None,
        }
    }
}

/// The parameters of a kernel that goes by `name` in the code, and by `shown` in the source.
pub(crate) fn signature(
    code: &ObjectCode,
    shown: &str,
    name: &str,
    layout: Option<&[(usize, usize)]>,
) -> Option<Signature> {
    // People read the message: a mangled name is shown as the source has it.
    let title = &readable(shown);
    let mut signature = Signature::of_kernel(title, name, code.ptx(), layout)?;
    if let Some(source) = code.source() {
        let count = signature.params().len();
        let mut fitting = kernel_overloads(source, shown)
            .into_iter()
            .filter(|p| p.len() == count);
        if let (Some(params), None) = (fitting.next(), fitting.next()) {
            signature.merge(title, &params);
        }
        if let Some(exact) = mangled_params(name) {
            signature.resolve(&exact);
        }
    }
    Some(signature)
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.signature() {
            Some(signature) => write!(f, "Kernel({signature} on {:?})", self.device()),
            None => write!(f, "Kernel({} on {:?})", self.shown_name(), self.device()),
        }
    }
}
