//! The program's modules, kernels and variables, as its start-up code registers them.
//!
//! Records are never freed: handles of kernels stay valid after their module is gone, and say so.

use core::cell::Cell;
use core::ffi::{CStr, c_void};
use std::collections::{HashMap, HashSet};
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use cuox_abi::{CU_LIBRARY_BINARY_IS_PRESERVED, CUkernel, CUlibrary, CUresult};

use crate::error::{Check as _, Result, from_driver};
use crate::generated::cudaError;
use crate::log;
use crate::report;
use crate::runtime::{Runtime, runtime};

/// A registered fat binary.
pub struct Module {
    /// The wrapper that `.nvFatBinSegment` holds.
    image: *const c_void,
    library: Mutex<Option<Result<CUlibrary>>>,
    managed: Mutex<Vec<&'static Variable>>,
    alive: AtomicBool,
}

// SAFETY: the image is constant data of the program's.
unsafe impl Send for Module {}
// SAFETY: as for `Send`.
unsafe impl Sync for Module {}

/// A kernel. Its address is the handle that `__cudaGetKernel` gives.
pub struct Function {
    module: &'static Module,
    name: CString,
    /// The driver's handle, once it is known.
    kernel: AtomicPtr<c_void>,
}

/// A variable of device memory.
pub struct Variable {
    module: &'static Module,
    name: CString,
    /// The program's pointer to a managed variable's storage.
    pointer: *mut *mut c_void,
}

// SAFETY: the program's pointer is written once, under the module's lock.
unsafe impl Send for Variable {}
// SAFETY: as for `Send`.
unsafe impl Sync for Variable {}

#[derive(Default)]
struct Tables {
    /// By handle.
    modules: HashMap<usize, &'static Module>,
    /// By the address of the host's function, and by the record's own.
    functions: HashMap<usize, &'static Function>,
    /// By the address of the host's variable, and for a managed one by its storage's.
    variables: HashMap<usize, &'static Variable>,
    /// Kernels that the program asked the driver's handle of.
    kernels: HashSet<usize>,
}

static TABLES: RwLock<Option<Tables>> = RwLock::new(None);
/// Counts what was taken out of the tables; what threads remember is of one count.
static REMOVALS: AtomicU64 = AtomicU64::new(1);
static EXITING: AtomicBool = AtomicBool::new(false);

fn read<R>(look: impl FnOnce(&Tables) -> Option<R>) -> Option<R> {
    let tables = TABLES.read().unwrap_or_else(PoisonError::into_inner);
    tables.as_ref().and_then(look)
}

fn write<R>(change: impl FnOnce(&mut Tables) -> R) -> R {
    let mut tables = TABLES.write().unwrap_or_else(PoisonError::into_inner);
    change(tables.get_or_insert_default())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a fat binary and returns its handle.
pub fn add_module(image: *const c_void) -> *mut c_void {
    let module: &'static Module = Box::leak(Box::new(Module {
        image,
        library: Mutex::new(None),
        managed: Mutex::new(Vec::new()),
        alive: AtomicBool::new(true),
    }));
    let handle = (&raw const *module).cast_mut().cast::<c_void>();
    write(|tables| tables.modules.insert(handle.addr(), module));
    handle
}

/// The module with this handle.
pub fn module(handle: *mut c_void) -> Option<&'static Module> {
    read(|tables| tables.modules.get(&handle.addr()).copied())
}

/// Registers a kernel under the address of its host function. The first one stays if there are several.
pub fn add_function(module: &'static Module, host: *const c_void, name: &CStr) {
    let function: &'static Function = Box::leak(Box::new(Function {
        module,
        name: name.to_owned(),
        kernel: AtomicPtr::new(core::ptr::null_mut()),
    }));
    write(|tables| {
        tables.functions.entry(host.addr()).or_insert(function);
        let own = (&raw const *function).addr();
        tables.functions.insert(own, function);
    });
}

/// Registers a variable under the address of its host counterpart, which for a managed one is the pointer to its
/// storage.
pub fn add_variable(module: &'static Module, host: *const c_void, name: &CStr, managed: bool) {
    let pointer = if managed {
        host.cast_mut().cast()
    } else {
        core::ptr::null_mut()
    };
    let variable: &'static Variable = Box::leak(Box::new(Variable {
        module,
        name: name.to_owned(),
        pointer,
    }));
    write(|tables| {
        tables.variables.entry(host.addr()).or_insert(variable);
    });
    if managed {
        locked(&module.managed).push(variable);
    }
}

/// Takes a module and all that is in it out of the tables, and unloads it.
pub fn remove_module(handle: *mut c_void) {
    let module = write(|tables| {
        let module = tables.modules.remove(&handle.addr())?;
        module.alive.store(false, Ordering::Release);
        tables
            .functions
            .retain(|_, function| !core::ptr::eq(function.module, module));
        tables
            .variables
            .retain(|_, variable| !core::ptr::eq(variable.module, module));
        Some(module)
    });
    REMOVALS.fetch_add(1, Ordering::AcqRel);
    let Some(module) = module else { return };
    let library = locked(&module.library).take();
    if EXITING.load(Ordering::Acquire) {
        // The driver goes too; what it has of the image it will not touch again.
        return;
    }
    if let (Some(Ok(library)), Ok(runtime)) = (library, runtime()) {
        // SAFETY: the library was loaded here and nobody finds it any more.
        let _ = unsafe { runtime.driver.cuLibraryUnload(library) };
    }
}

/// Called when the process ends, before the destructors of what was there when the driver was first used: kernels end,
/// and what they print is out.
extern "C" fn exiting() {
    EXITING.store(true, Ordering::Release);
    // No call of the program's.
    let report = report::begin_own();
    let _ = std::panic::catch_unwind(|| runtime().map(Runtime::finish));
    if let Some(report) = report {
        report.end();
    }
}

impl Module {
    /// The driver's library, which the first call loads.
    fn library(&'static self, runtime: &Runtime) -> Result<CUlibrary> {
        let mut library = locked(&self.library);
        if !self.alive.load(Ordering::Acquire) {
            return Err(cudaError::cudaErrorInvalidResourceHandle);
        }
        if let Some(known) = *library {
            return known;
        }
        static AT_EXIT: std::sync::Once = std::sync::Once::new();
        AT_EXIT.call_once(|| {
            // SAFETY: the function lives as long as this library, which is never unloaded.
            unsafe { libc::atexit(exiting) };
        });
        let loaded = self.load(runtime);
        if let Err(error) = loaded {
            log::note(&format!("a module of the program does not load: {error:?}"));
        }
        *library = Some(loaded);
        if let Ok(library) = loaded {
            for variable in locked(&self.managed).iter() {
                variable.place(runtime, library)?;
            }
        }
        loaded
    }

    fn load(&self, runtime: &Runtime) -> Result<CUlibrary> {
        let mut library = CUlibrary::null();
        let mut option = CU_LIBRARY_BINARY_IS_PRESERVED;
        let mut value = core::ptr::without_provenance_mut::<c_void>(1);
        // SAFETY: the image is what the program registered; the option's value is given by value.
        unsafe {
            runtime
                .driver
                .cuLibraryLoadData(
                    &mut library,
                    self.image,
                    core::ptr::null_mut(),
                    core::ptr::null_mut(),
                    0,
                    &mut option,
                    &mut value,
                    1,
                )
                .check()?;
        }
        Ok(library)
    }

    /// Loads the module if it has managed variables, whose storage the host may use at once.
    pub fn place_managed(&'static self) -> Result {
        if locked(&self.managed).is_empty() {
            return Ok(());
        }
        self.library(runtime()?).map(drop)
    }
}

impl Function {
    /// The driver's handle.
    #[inline]
    pub fn kernel(&self) -> Result<CUkernel> {
        let kernel = self.kernel.load(Ordering::Acquire);
        if kernel.is_null() {
            self.load()
        } else {
            Ok(CUkernel(kernel))
        }
    }

    #[cold]
    fn load(&self) -> Result<CUkernel> {
        let runtime = runtime()?;
        let library = self.module.library(runtime)?;
        let mut kernel = CUkernel::null();
        // SAFETY: the library is alive while its module is; the name is a C string.
        let result = unsafe {
            runtime
                .driver
                .cuLibraryGetKernel(&mut kernel, library, self.name.as_ptr())
        };
        match result {
            CUresult::CUDA_SUCCESS => {
                self.kernel.store(kernel.0, Ordering::Release);
                Ok(kernel)
            }
            CUresult::CUDA_ERROR_NOT_FOUND => Err(cudaError::cudaErrorInvalidDeviceFunction),
            other => Err(from_driver(other)),
        }
    }

    pub fn name(&self) -> &CStr {
        &self.name
    }
}

impl Variable {
    /// The address in the current context's device.
    pub fn address(&self, runtime: &Runtime) -> Result<(u64, usize)> {
        let library = self.module.library(runtime)?;
        let (mut address, mut size) = (0, 0);
        // SAFETY: the library is alive while its module is; the name is a C string; the function writes to both.
        let result = unsafe {
            if self.pointer.is_null() {
                runtime.driver.cuLibraryGetGlobal(
                    &mut address,
                    &mut size,
                    library,
                    self.name.as_ptr(),
                )
            } else {
                runtime.driver.cuLibraryGetManaged(
                    &mut address,
                    &mut size,
                    library,
                    self.name.as_ptr(),
                )
            }
        };
        match result {
            CUresult::CUDA_SUCCESS => Ok((address, size)),
            CUresult::CUDA_ERROR_NOT_FOUND => Err(cudaError::cudaErrorInvalidSymbol),
            other => Err(from_driver(other)),
        }
    }

    /// Gives the program the address of a managed variable's storage.
    fn place(&'static self, runtime: &Runtime, library: CUlibrary) -> Result {
        let (mut address, mut size) = (0u64, 0);
        // SAFETY: as in `address`.
        unsafe {
            runtime
                .driver
                .cuLibraryGetManaged(&mut address, &mut size, library, self.name.as_ptr())
                .check()?;
        }
        let address = address as usize;
        // SAFETY: the program registered its pointer for this.
        unsafe {
            self.pointer
                .write(core::ptr::with_exposed_provenance_mut(address))
        };
        write(|tables| tables.variables.insert(address, self));
        Ok(())
    }
}

/// How many handles a thread remembers.
const REMEMBERED: usize = 64;

struct Memory {
    removals: Cell<u64>,
    entries: [Cell<(usize, Option<&'static Function>)>; REMEMBERED],
}

thread_local! {
    static MEMORY: Memory = const {
        Memory {
            removals: Cell::new(0),
            entries: [const { Cell::new((0, None)) }; REMEMBERED],
        }
    };
}

/// The kernel with this host function or handle.
#[inline]
pub fn function(key: *const c_void) -> Option<&'static Function> {
    let key = key.addr();
    MEMORY.with(|memory| {
        let removals = REMOVALS.load(Ordering::Acquire);
        let entry = &memory.entries[(key >> 4 ^ key >> 10) % REMEMBERED];
        if memory.removals.get() == removals {
            if let (known, Some(function)) = entry.get()
                && known == key
            {
                return Some(function);
            }
        } else {
            for entry in &memory.entries {
                entry.set((0, None));
            }
            memory.removals.set(removals);
        }
        let function = read(|tables| tables.functions.get(&key).copied())?;
        entry.set((key, Some(function)));
        Some(function)
    })
}

/// The variable with this address in the host's program.
pub fn variable(host: *const c_void) -> Option<&'static Variable> {
    read(|tables| tables.variables.get(&host.addr()).copied())
}

/// The variable with this address, as [`variable`] finds it. Where a program gives its name as a text, the reason why
/// there is none is said once.
pub fn symbol(host: *const c_void) -> Result<&'static Variable> {
    variable(host).ok_or_else(|| {
        explain_text(host);
        cudaError::cudaErrorInvalidSymbol
    })
}

#[cold]
fn explain_text(at: *const c_void) {
    static SAID: std::sync::Once = std::sync::Once::new();
    let named = read(|tables| {
        let mut names = tables.variables.values().map(|one| one.name.as_c_str());
        names.find(|name| holds(at, name.to_bytes_with_nul()))
    });
    if let Some(name) = named {
        let name = name.to_string_lossy();
        SAID.call_once(|| {
            log::line(&format!(
                "\"{name}\" is the name of a variable as a text, which CUDA has not taken since version 5: pass the variable \
                 itself, {name} without quotes"
            ));
        });
    }
}

/// True if these bytes are at an address, which may lead to no memory.
fn holds(at: *const c_void, bytes: &[u8]) -> bool {
    let mut found = vec![0_u8; bytes.len()];
    let local = libc::iovec {
        iov_base: found.as_mut_ptr().cast(),
        iov_len: found.len(),
    };
    let remote = libc::iovec {
        iov_base: at.cast_mut(),
        iov_len: found.len(),
    };
    // SAFETY: the kernel writes to `found` only, and answers with an error for addresses without memory.
    let got = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    usize::try_from(got) == Ok(bytes.len()) && found == bytes
}

/// The address of the program's function for a kernel, or the kernel's own handle, which is as good.
pub fn host_function(kernel: CUkernel) -> *mut c_void {
    let host = read(|tables| {
        let found = tables.functions.iter().find(|(key, function)| {
            **key != (&raw const ***function).addr()
                && function.kernel.load(Ordering::Acquire) == kernel.0
        });
        found.map(|(key, _)| core::ptr::with_exposed_provenance_mut(*key))
    });
    host.unwrap_or_else(|| {
        know_kernel(kernel);
        kernel.0
    })
}

/// Remembers a kernel of the driver's that the program has the handle of.
pub fn know_kernel(kernel: CUkernel) {
    write(|tables| tables.kernels.insert(kernel.addr()));
}

/// The driver's kernel for the argument of a runtime function: the address of a host function, or a `cudaKernel_t`.
#[inline]
pub fn kernel(function: *const c_void) -> Result<CUkernel> {
    match self::function(function) {
        Some(function) => function.kernel(),
        None => known_kernel(function),
    }
}

#[cold]
fn known_kernel(handle: *const c_void) -> Result<CUkernel> {
    if handle.is_null() {
        return Err(cudaError::cudaErrorInvalidDeviceFunction);
    }
    // NVIDIA's runtime takes any address that it does not know for a handle, so the error is about one.
    read(|tables| tables.kernels.get(&handle.addr()).copied())
        .map(|_| CUkernel(handle.cast_mut()))
        .ok_or(cudaError::cudaErrorInvalidResourceHandle)
}
