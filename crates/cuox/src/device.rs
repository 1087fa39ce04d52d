//! Devices and what they can do.

use std::cell::Cell;
use std::ffi::CStr;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::callback;
use crate::context::Context;
use crate::driver::sys::{
    CUcontext, CUdevice, CUdevice_attribute, CUmemPool_attribute, CUmemoryPool, CUuuid, call,
};
use crate::driver::{self, Driver};
use crate::error::{Error, Result};
use crate::green::GreenContext;
use crate::stream::{Stream, StreamOptions};

/// `CUDA_ERROR_NOT_PERMITTED`.
const NOT_PERMITTED: i32 = 800;

/// One device of one driver. Cheap to copy; its primary context is retained when first needed and kept until the
/// process ends, or until [`Device::reset`].
#[derive(Clone, Copy)]
pub struct Device(&'static DeviceState);

/// The state of each device of a driver, once per process.
pub struct DeviceState {
    driver: &'static Driver,
    raw: CUdevice,
    ordinal: usize,
    name: String,
    uuid: [u8; 16],
    compute_capability: (u32, u32),
    pools: bool,
    /// The primary context, null before it is first used. It is never freed, as its streams are not counted.
    primary: AtomicPtr<Primary>,
    /// Held while the primary context is made or reset.
    changing: Mutex<()>,
    resets: AtomicU32,
    was_active: AtomicBool,
    pool_ready: AtomicBool,
}

/// A primary context, with the handle of its legacy default stream that most work is put into.
struct Primary {
    context: Context,
    default_stream: Stream,
}

thread_local! {
    static CURRENT: Cell<Option<Device>> = const { Cell::new(None) };
}

impl DeviceState {
    pub(crate) fn all(driver: &'static Driver) -> Result<Box<[Self]>> {
        let mut count = 0;
        // SAFETY: the pointer is to a live local.
        unsafe { call!(driver, cuDeviceGetCount(&mut count)) }?;
        (0..count)
            .map(|ordinal| Self::read(driver, ordinal))
            .collect()
    }

    fn read(driver: &'static Driver, ordinal: i32) -> Result<Self> {
        let mut raw = 0;
        // SAFETY: the pointer is to a live local.
        unsafe { call!(driver, cuDeviceGet(&mut raw, ordinal)) }?;
        let mut name = [0u8; 256];
        // SAFETY: the buffer has the stated length.
        unsafe { call!(driver, cuDeviceGetName(name.as_mut_ptr().cast(), 256, raw)) }?;
        let mut uuid = CUuuid::default();
        // SAFETY: the pointer is to a live local of the type the call fills.
        unsafe { call!(driver, cuDeviceGetUuid_v2(&mut uuid, raw)) }?;
        let attribute = |a| attribute_of(driver, raw, a);
        Ok(Self {
            driver,
            raw,
            ordinal: ordinal as usize,
            name: text(&name),
            uuid: uuid.bytes.map(|byte| byte.to_ne_bytes()[0]),
            compute_capability: (attribute(75)?.unsigned_abs(), attribute(76)?.unsigned_abs()),
            pools: attribute(115).unwrap_or(0) != 0,
            primary: AtomicPtr::new(ptr::null_mut()),
            changing: Mutex::new(()),
            resets: AtomicU32::new(0),
            was_active: AtomicBool::new(false),
            pool_ready: AtomicBool::new(false),
        })
    }
}

/// The text up to the first zero byte.
fn text(buffer: &[u8]) -> String {
    CStr::from_bytes_until_nul(buffer)
        .map_or_else(|_| String::new(), |s| s.to_string_lossy().into_owned())
}

fn attribute_of(driver: &Driver, raw: CUdevice, attribute: u32) -> Result<i32> {
    let mut value = 0;
    // SAFETY: the pointer is to a live local; the driver checks the attribute's number.
    unsafe {
        call!(
            driver,
            cuDeviceGetAttribute(&mut value, CUdevice_attribute(attribute), raw)
        )
    }?;
    Ok(value)
}

impl Device {
    /// The number of devices the [default driver](crate::default_driver) has.
    ///
    /// # Errors
    /// As [`crate::default_driver`].
    pub fn count() -> Result<usize> {
        Ok(driver::default_driver()?.devices()?.len())
    }

    /// Device number `ordinal` of the [default driver](crate::default_driver).
    ///
    /// # Errors
    /// As [`crate::default_driver`]; `CUDA_ERROR_INVALID_DEVICE` for a number that is too high.
    pub fn get(ordinal: usize) -> Result<Self> {
        Self::of(driver::default_driver()?, ordinal)
    }

    /// Device number `ordinal` of this driver.
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_DEVICE` for a number that is too high.
    pub fn of(driver: &'static Driver, ordinal: usize) -> Result<Self> {
        let all = driver.devices()?;
        all.get(ordinal).map(Self).ok_or_else(|| {
            let have = match all.len() {
                0 => "there is none".to_owned(),
                1 => "there is only device 0".to_owned(),
                n => format!("there are devices 0 to {}", n - 1),
            };
            Error::driver(101, "cuDeviceGet")
                .with_hint(format!("device {ordinal} was asked for; {have}"))
        })
    }

    /// The device that this thread last passed to [`Device::set_current`].
    pub fn current() -> Option<Self> {
        CURRENT.with(Cell::get)
    }

    /// Makes it this thread's current device, with its primary context current in the driver too.
    ///
    /// # Errors
    /// The errors of retaining the primary context.
    pub fn set_current(self) -> Result<()> {
        let context = self.context()?;
        if GreenContext::current().is_some() {
            GreenContext::leave();
            context.make_current()?;
        }
        context.bind()?;
        CURRENT.with(|c| c.set(Some(self)));
        Ok(())
    }

    /// Its driver.
    #[inline]
    pub fn driver(self) -> &'static Driver {
        self.0.driver
    }

    /// Its number in its driver.
    pub fn ordinal(self) -> usize {
        self.0.ordinal
    }

    /// The `CUdevice`.
    pub fn raw(self) -> CUdevice {
        self.0.raw
    }

    /// True if it is cuox's software GPU.
    pub fn is_soft(self) -> bool {
        self.0.driver.is_soft()
    }

    /// True if every access of kernels to global memory is checked against the allocations (`CUOX_SOFT_CHECK=memory`,
    /// or
    /// [`Device::check_memory`]); never on a GPU.
    pub fn checks_memory(self) -> bool {
        self.0.driver.checks_memory()
    }

    /// Checks accesses of kernels that start from now on, or checks them no more. A bad access then ends its kernel
    /// with `CUDA_ERROR_ILLEGAL_ADDRESS`, and the error says which thread made it, where, and what was allocated there.
    ///
    /// # Errors
    /// [`Error::Invalid`] on a GPU, which cannot do that by itself.
    pub fn check_memory(self, on: bool) -> Result<()> {
        if self.0.driver.check_memory(on) || !on {
            return Ok(());
        }
        Err(Error::invalid(
            "only the software GPU checks memory by itself; on a GPU, run the program under NVIDIA's tool: compute-sanitizer python program.py",
        ))
    }

    /// The product's name.
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// 16 bytes that name this device for good.
    pub fn uuid(self) -> [u8; 16] {
        self.0.uuid
    }

    /// The UUID as `nvidia-smi` prints it, without the leading `GPU-`.
    pub fn uuid_text(self) -> String {
        let mut text = String::with_capacity(36);
        for (i, byte) in self.0.uuid.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            text.push_str(&format!("{byte:02x}"));
        }
        text
    }

    /// Compute capability, `(major, minor)`.
    pub fn compute_capability(self) -> (u32, u32) {
        self.0.compute_capability
    }

    /// The compute capability as architecture names spell it: `90` for 9.0.
    pub fn arch(self) -> String {
        format!(
            "{}{}",
            self.0.compute_capability.0, self.0.compute_capability.1
        )
    }

    /// A `CUdevice_attribute` by number (Driver API manual, *Device Management*).
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_VALUE` for a number that the driver does not know.
    pub fn attribute(self, attribute: u32) -> Result<i32> {
        attribute_of(self.0.driver, self.0.raw, attribute)
    }

    /// The limits that launches meet most.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn properties(self) -> Result<Properties> {
        let get = |a| self.attribute(a).map(i64::from);
        Ok(Properties {
            max_threads_per_block: get(1)?,
            max_block_dim: [get(2)?, get(3)?, get(4)?],
            max_grid_dim: [get(5)?, get(6)?, get(7)?],
            max_shared_memory_per_block: get(8)?,
            max_shared_memory_per_block_optin: get(97)?,
            total_constant_memory: get(9)?,
            warp_size: get(10)?,
            max_registers_per_block: get(12)?,
            clock_rate_khz: get(13)?,
            multiprocessor_count: get(16)?,
            max_threads_per_multiprocessor: get(39)?,
            l2_cache_size: get(38)?,
            unified_addressing: get(41)? != 0,
            managed_memory: get(83)? != 0,
            cooperative_launch: get(95)? != 0,
            memory_pools: self.0.pools,
        })
    }

    /// All device memory in bytes.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn total_memory(self) -> Result<usize> {
        let mut bytes = 0;
        // SAFETY: the pointer is to a live local.
        unsafe { call!(self.0.driver, cuDeviceTotalMem_v2(&mut bytes, self.0.raw)) }?;
        Ok(bytes)
    }

    /// Free and total memory in bytes.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn memory_info(self) -> Result<(usize, usize)> {
        self.context()?.memory_info()
    }

    /// The PCI address, `domain:bus:device.function`.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn pci_bus_id(self) -> Result<String> {
        let mut buffer = [0u8; 32];
        // SAFETY: the buffer has the stated length.
        unsafe {
            call!(
                self.0.driver,
                cuDeviceGetPCIBusId(buffer.as_mut_ptr().cast(), 32, self.0.raw)
            )
        }?;
        Ok(text(&buffer))
    }

    /// Its primary context, which CUDA's runtime and other libraries use too.
    ///
    /// # Errors
    /// The errors of `cuDevicePrimaryCtxRetain`, [`Error::Forked`] in a forked child.
    pub fn context(self) -> Result<Context> {
        self.context_ref().cloned()
    }

    /// True if the primary context was active before it was first used here: then another library of the process puts
    /// work into it too.
    pub fn context_was_active(self) -> bool {
        self.0.was_active.load(Ordering::Relaxed)
    }

    /// The number of times it was [reset](Self::reset): objects that were made at another count are gone.
    #[inline]
    pub fn resets(self) -> u32 {
        self.0.resets.load(Ordering::Relaxed)
    }

    /// Ends its primary context and everything in it (memory, streams, events, loaded code), of this crate and of every
    /// other library in the process, and makes a new one (`cuDevicePrimaryCtxReset`). This is the way on after a kernel
    /// has failed.
    ///
    /// Objects that were made before answer [`Error::Reset`] to every later use, and may be dropped as usual. Work that
    /// is running is waited for by the driver, or cancelled.
    ///
    /// # Safety
    /// Host memory of the context ([`PinnedBuffer`](crate::memory::PinnedBuffer), managed memory) is freed: nothing may
    /// read or write it afterwards. No other thread uses the device meanwhile.
    ///
    /// # Errors
    /// The errors of the driver, if the device does not work afterwards: then the process has to be started again.
    /// `CUDA_ERROR_NOT_PERMITTED` inside a stream's callback, and while a green context of the device is alive. Where
    /// the driver refuses, everything stays as it was.
    pub unsafe fn reset(self) -> Result<()> {
        if driver::forked() {
            return Err(Error::Forked);
        }
        callback::check("cuDevicePrimaryCtxReset_v2")?;
        let ended = {
            let _changing = self
                .0
                .changing
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            self.0.resets.fetch_add(1, Ordering::SeqCst);
            let place = self.0.primary.swap(ptr::null_mut(), Ordering::AcqRel);
            // SAFETY: null, or leaked by `make_context`.
            let old = unsafe { place.as_ref() }.map(|primary| &primary.context);
            if let Some(old) = old {
                old.set_ended(true);
            }
            let pool_ready = self.0.pool_ready.swap(false, Ordering::Relaxed);
            // SAFETY: the device is the driver's own; the caller vouches that nothing uses what the reset frees.
            let ended = unsafe { call!(self.0.driver, cuDevicePrimaryCtxReset_v2(self.0.raw)) };
            // A failure of a kernel, which may be reported here once more, is no refusal.
            if let (Err(error), Some(old)) = (&ended, old)
                && !error.is_sticky()
            {
                old.set_ended(false);
                // The driver has done nothing then, even if a kernel has failed.
                let permitted = error.driver_code() != Some(NOT_PERMITTED);
                let refused = !permitted || old.make_current().and_then(|()| old.sync()).is_ok();
                if refused {
                    self.0.pool_ready.store(pool_ready, Ordering::Relaxed);
                    self.0.primary.store(place, Ordering::Release);
                    self.0.resets.fetch_sub(1, Ordering::SeqCst);
                    return ended.map_err(|error| match permitted {
                        true => error,
                        false => error.with_hint(
                            "the driver refuses while green contexts of the device are alive: close them, and their streams and events, first",
                        ),
                    });
                }
                old.set_ended(true);
            }
            ended
        };
        // The failure that is being left behind may be reported once more: what counts is whether the device works.
        let works = self
            .context_ref()
            .and_then(|context| context.make_current().and_then(|()| context.sync()));
        match (ended, works) {
            (_, Ok(())) => Ok(()),
            (Err(error), Err(_)) | (Ok(()), Err(error)) => {
                Err(error.with_hint("the driver could not start afresh; start the process again"))
            }
        }
    }

    #[inline]
    pub(crate) fn context_ref(self) -> Result<&'static Context> {
        self.primary().map(|primary| &primary.context)
    }

    #[inline]
    fn primary(self) -> Result<&'static Primary> {
        if driver::forked() {
            return Err(Error::Forked);
        }
        // SAFETY: null, or leaked by `make_context`.
        match unsafe { self.0.primary.load(Ordering::Acquire).as_ref() } {
            Some(primary) => Ok(primary),
            None => self.make_context(),
        }
    }

    #[cold]
    fn make_context(self) -> Result<&'static Primary> {
        // A reset holds the lock while the driver waits for callbacks: in one of them, nobody may wait for it.
        callback::check("cuDevicePrimaryCtxRetain")?;
        let _changing = self
            .0
            .changing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the pointer is null, or to a context that is never freed.
        if let Some(primary) = unsafe { self.0.primary.load(Ordering::Acquire).as_ref() } {
            return Ok(primary);
        }
        let (mut raw, mut flags, mut active) = (CUcontext::null(), 0, 0);
        // SAFETY: the pointers are to live locals.
        let asked = unsafe {
            call!(
                self.0.driver,
                cuDevicePrimaryCtxGetState(self.0.raw, &mut flags, &mut active)
            )
        };
        // If this is not known, another library may use the context.
        let was_active = asked.is_err() || active != 0;
        self.0.was_active.store(was_active, Ordering::Relaxed);
        // SAFETY: the pointer is to a live local.
        unsafe {
            call!(
                self.0.driver,
                cuDevicePrimaryCtxRetain(&mut raw, self.0.raw)
            )
        }?;
        let context = Context::primary(self, raw);
        let primary: &'static Primary = Box::leak(Box::new(Primary {
            default_stream: Stream::legacy(&context),
            context,
        }));
        self.0
            .primary
            .store(ptr::from_ref(primary).cast_mut(), Ordering::Release);
        Ok(primary)
    }

    /// A new stream in the primary context.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn create_stream(self, options: StreamOptions) -> Result<Stream> {
        Stream::new(self.context_ref()?, options)
    }

    /// The primary context's legacy default stream.
    ///
    /// # Errors
    /// The errors of retaining the context.
    pub fn default_stream(self) -> Result<Stream> {
        self.default_stream_ref().cloned()
    }

    /// As [`default_stream`](Self::default_stream), without a handle of its own: for launches, which come in great
    /// numbers.
    ///
    /// # Errors
    /// The errors of retaining the context.
    #[inline]
    pub fn default_stream_ref(self) -> Result<&'static Stream> {
        self.primary().map(|primary| &primary.default_stream)
    }

    /// True if it has stream-ordered memory pools (device attribute 115).
    pub fn has_memory_pools(self) -> bool {
        self.0.pools
    }

    /// Waits for all work in the primary context.
    ///
    /// # Errors
    /// The failure of any kernel or copy that ran.
    pub fn sync(self) -> Result<()> {
        self.context_ref()?.sync()
    }

    /// Lets the default pool keep freed memory instead of giving it back at each synchronisation, unless the
    /// process has set a threshold already. Once per device.
    #[inline]
    pub(crate) fn prepare_pool(self) {
        if self.0.pool_ready.load(Ordering::Relaxed) {
            return;
        }
        self.set_pool_up();
    }

    #[cold]
    fn set_pool_up(self) {
        let set = || -> Result<()> {
            let driver = self.0.driver;
            let mut pool = CUmemoryPool::null();
            // SAFETY: the pointer is to a live local, and the pool the device's own.
            unsafe {
                call!(driver, cuDeviceGetDefaultMemPool(&mut pool, self.0.raw))?;
                keep_memory(driver, pool)
            }
        };
        // Only speed is lost without it.
        let _ = set();
        self.0.pool_ready.store(true, Ordering::Relaxed);
    }
}

/// Lets a pool keep freed memory instead of giving it back at each synchronisation, unless someone has set a threshold
/// already.
///
/// # Safety
/// A pool of this driver.
pub(crate) unsafe fn keep_memory(driver: &Driver, pool: CUmemoryPool) -> Result<()> {
    let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    let mut threshold = 0u64;
    // SAFETY: the pool is as the caller says, and the pointer is to a live local of 64 bits, as this attribute has.
    unsafe {
        call!(
            driver,
            cuMemPoolGetAttribute(pool, attribute, (&raw mut threshold).cast())
        )?;
        if threshold == 0 {
            threshold = u64::MAX;
            call!(
                driver,
                cuMemPoolSetAttribute(pool, attribute, (&raw mut threshold).cast())
            )?;
        }
    }
    Ok(())
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for Device {}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Device({} {}, {:?})",
            self.0.driver.kind().as_str(),
            self.0.ordinal,
            self.0.name
        )
    }
}

/// Limits and sizes of a device. Sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each field is the device attribute of the same name"
)]
pub struct Properties {
    pub max_threads_per_block: i64,
    pub max_block_dim: [i64; 3],
    pub max_grid_dim: [i64; 3],
    pub max_shared_memory_per_block: i64,
    pub max_shared_memory_per_block_optin: i64,
    pub total_constant_memory: i64,
    pub warp_size: i64,
    pub max_registers_per_block: i64,
    pub clock_rate_khz: i64,
    pub multiprocessor_count: i64,
    pub max_threads_per_multiprocessor: i64,
    pub l2_cache_size: i64,
    pub unified_addressing: bool,
    pub managed_memory: bool,
    pub cooperative_launch: bool,
    pub memory_pools: bool,
}
