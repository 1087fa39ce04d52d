//! Modules, libraries and the functions in them.

use crate::architecture::limits;
use crate::code::{
    Code, INVALID_IMAGE, INVALID_PTX, INVALID_VALUE, NOT_FOUND, NOT_PERMITTED, NOT_SUPPORTED,
    OUT_OF_MEMORY, Res, UNSUPPORTED_PTX_VERSION,
};
use crate::fault::explain;
use crate::handle::Table;
use crate::loading::module_image::Image;
use crate::loading::{ptx_link, ptx_statements};
use crate::memory::{Kind, Memory, Owner, Request};
use crate::{device, settings, statistics};
use cuox_abi::CUfunction_attribute as A;
use cuox_simt::trap;
use cuox_simt::{self as engine, Diagnostics, Kernel, KernelInfo, LoadError, Program};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// The reason why an image could not be loaded: the code, and the text for the error log.
pub struct LoadFailure {
    pub code: Code,
    pub log: String,
}

impl From<Code> for LoadFailure {
    fn from(code: Code) -> LoadFailure {
        LoadFailure {
            code,
            log: String::new(),
        }
    }
}

/// A module-scope variable in memory.
#[derive(Clone)]
pub struct Global {
    pub at: u64,
    pub len: u64,
    pub managed: bool,
    /// Its first contents, for libraries: they outlive a reset. Empty if the storage is another module's.
    initial: Vec<u8>,
}

/// Loaded code. More than one part when several PTX texts make up one image.
pub struct Module {
    pub handle: u64,
    /// Its context is 0 for a library's.
    pub owner: Owner,
    /// True if it is a library's.
    pub of_library: bool,
    library: AtomicU64,
    parts: Vec<Arc<engine::Module>>,
    globals: HashMap<String, Global>,
    addresses: Vec<u64>,
    functions: Mutex<HashMap<String, u64>>,
    max_registers: Option<u32>,
}

/// A library: code that needs no context.
pub struct Library {
    pub handle: u64,
    /// The module on device 0.
    pub module: Arc<Module>,
    /// Those on other devices, each from its first use on.
    others: Mutex<BTreeMap<usize, Arc<Module>>>,
    /// Handles of kernels that are no functions.
    kernels: Mutex<HashMap<String, u64>>,
}

impl Library {
    pub fn new(handle: u64, module: Arc<Module>) -> Library {
        module.set_library(handle);
        Library {
            handle,
            module,
            others: Mutex::default(),
            kernels: Mutex::default(),
        }
    }

    /// The handle of a kernel. It is the function's, too, where there is one device only, which makes launches cheaper.
    pub fn kernel(&self, functions: &Table<Function>, name: &str, devices: usize) -> Res<u64> {
        match devices {
            1 => self.module.function(functions, name),
            _ => self.module.named_once(&self.kernels, functions, name, true),
        }
    }

    /// The module on a device.
    pub fn on_device(
        &self,
        memory: &Memory,
        modules: &Table<Module>,
        device: usize,
    ) -> Res<Arc<Module>> {
        if device == self.module.owner.device {
            return Ok(self.module.clone());
        }
        let mut others = self.others.lock();
        if let Some(known) = others.get(&device) {
            return Ok(known.clone());
        }
        let made = self.module.load_again(memory, modules, device)?;
        made.set_library(self.handle);
        others.insert(device, made.clone());
        Ok(made)
    }

    /// Takes the modules, functions and kernels out of the tables and frees the variables. All work has ended.
    pub fn forget(&self, memory: &Memory, modules: &Table<Module>, functions: &Table<Function>) {
        for (_, kernel) in self.kernels.lock().drain() {
            functions.remove(kernel);
        }
        for module in std::iter::once(&self.module).chain(self.others.lock().values()) {
            module.forget(memory, modules, functions);
        }
    }
}

fn not_accepted(diagnostics: &impl std::fmt::Display) -> LoadFailure {
    refused(INVALID_PTX, diagnostics)
}

fn refused(code: Code, diagnostics: &impl std::fmt::Display) -> LoadFailure {
    let log = diagnostics.to_string();
    explain(format!("PTX was not accepted:\n{log}"));
    LoadFailure { code, log }
}

/// The code for a text that is wrong. What does not begin with `.version` is no PTX to a driver.
fn code_of(text: &str, diagnostics: &Diagnostics) -> Code {
    if ptx_statements::directive(text) != ".version" {
        return INVALID_IMAGE;
    }
    match diagnostics.iter().any(|d| d.code == "E-version") {
        true => UNSUPPORTED_PTX_VERSION,
        false => INVALID_PTX,
    }
}

/// True if a device can run code that was made for a target: an older one, or its own or its family's features.
fn runs_on(sm: u32, target: engine::Target) -> bool {
    match target.suffix {
        None => target.sm <= sm,
        Some('f') => target.sm <= sm && target.sm / 10 == sm / 10,
        Some(_) => target.sm == sm,
    }
}

/// The program of a text, which must be for this device or older ones.
pub fn program(text: &str) -> Result<Program, LoadFailure> {
    let program = cuox_stack::with_room(|| Program::from_ptx(text)).map_err(|_| OUT_OF_MEMORY)?;
    let program = program.map_err(|d| refused(code_of(text, &d), &d))?;
    let (sm, target) = (settings::sm(), program.target());
    if runs_on(sm, target) {
        return Ok(program);
    }
    let suffix = target.suffix.map(String::from).unwrap_or_default();
    Err(not_accepted(&format_args!(
        "the module is for sm_{}{suffix}; the device is an sm_{sm}: compile for sm_{sm} or older",
        target.sm
    )))
}

/// The programs of texts that may refer to each other.
pub fn linked(texts: Vec<String>) -> Result<Vec<Program>, LoadFailure> {
    let texts = cuox_stack::with_room(|| ptx_link::link(texts)).map_err(|_| OUT_OF_MEMORY)?;
    texts.iter().map(|text| program(text)).collect()
}

/// The first kernel that uses what is declared but not defined, and the name of that.
pub fn missing(programs: &[Program]) -> Option<(String, String)> {
    let mut all = programs
        .iter()
        .flat_map(|p| p.kernels().into_iter().filter_map(|k| p.kernel_info(k)));
    all.find_map(|info| Some((info.name.clone(), info.missing.clone()?)))
}

impl Module {
    /// Loads PTX texts for an owner, which is a library if its context is 0, and stores the module.
    pub fn load(
        memory: &Memory,
        modules: &Table<Module>,
        image: Image,
        owner: Owner,
    ) -> Result<Arc<Module>, LoadFailure> {
        let started = Instant::now();
        let programs = linked(image.texts)?;
        if let Some((kernel, name)) = missing(&programs) {
            return Err(not_accepted(&format_args!(
                "the kernel {kernel} uses {name}, which is declared but not defined"
            )));
        }
        let programs: Vec<_> = programs.into_iter().map(Arc::new).collect();
        let count = programs.len();
        let module = Module::place(memory, modules, programs, image.max_registers, owner, None)?;
        statistics::loaded(count, started.elapsed());
        Ok(module)
    }

    /// The same code for another device, with variables of its own. Managed variables are on all devices the same.
    fn load_again(
        &self,
        memory: &Memory,
        modules: &Table<Module>,
        device: usize,
    ) -> Res<Arc<Module>> {
        let programs = self.parts.iter().map(|p| p.program().clone()).collect();
        let owner = Owner {
            device,
            ..self.owner
        };
        let made = Module::place(
            memory,
            modules,
            programs,
            self.max_registers,
            owner,
            Some(self),
        );
        made.map_err(|failure| failure.code)
    }

    /// Gives programs' variables memory, and stores the module. `first` is the module of the same programs on another
    /// device, if there is one.
    fn place(
        memory: &Memory,
        modules: &Table<Module>,
        programs: Vec<Arc<Program>>,
        max_registers: Option<u32>,
        owner: Owner,
        first: Option<&Module>,
    ) -> Result<Arc<Module>, LoadFailure> {
        let of_library = owner.context == 0;
        let mut parts = Vec::new();
        let mut globals = HashMap::new();
        let mut addresses = Vec::new();
        let place = || -> Result<(), LoadFailure> {
            for (index, program) in programs.into_iter().enumerate() {
                let mut places = Vec::new();
                for v in program.variables() {
                    // A variable that is declared and defined nowhere is handled like any other.
                    let kind = if v.managed {
                        Kind::ManagedGlobal
                    } else {
                        Kind::Global
                    };
                    let mut request = Request::new(v.size.max(1), kind, owner);
                    request.align = u64::from(v.align.max(1))
                        .next_power_of_two()
                        .max(request.align);
                    let at = match first.filter(|_| v.managed) {
                        Some(first) => first.addresses[addresses.len()],
                        None => memory.allocate(request)?.start,
                    };
                    addresses.push(at);
                    places.push(at);
                }
                // SAFETY: each address is an allocation of its variable's size, freed only after the
                // module's work has ended.
                let part = unsafe {
                    match first {
                        Some(first) => first.parts[index].load_again(places.clone()),
                        None => engine::Module::load(program.clone(), places.clone())
                            .map_err(|d| not_accepted(&d))?,
                    }
                };
                parts.push(Arc::new(part));
                for (v, &at) in program.variables().iter().zip(&places) {
                    let restored = of_library && !(v.managed && first.is_some());
                    let mut initial = vec![0u8; if restored { v.size as usize } else { 0 }];
                    // SAFETY: both are as long as `initial`.
                    let _ = unsafe { trap::copy(initial.as_mut_ptr() as u64, at, initial.len()) };
                    let global = Global {
                        at,
                        len: v.size,
                        managed: v.managed,
                        initial,
                    };
                    if v.visible || !globals.contains_key(&v.name) {
                        globals.insert(v.name.clone(), global);
                    }
                }
            }
            Ok(())
        };
        let placed = place();
        let stored = placed.and_then(|()| {
            let functions = Mutex::default();
            let addresses = addresses.clone();
            let library = AtomicU64::new(0);
            let make = |handle| Module {
                handle,
                owner,
                of_library,
                library,
                parts,
                globals,
                addresses,
                functions,
                max_registers,
            };
            modules.insert(make).ok_or_else(|| OUT_OF_MEMORY.into())
        });
        if stored.is_err() {
            free_variables(memory, &addresses, owner);
        }
        stored
    }

    /// The library's handle, 0 for a module of its own.
    pub fn library(&self) -> u64 {
        self.library.load(Ordering::Acquire)
    }

    /// Says which library this is the module of.
    pub fn set_library(&self, handle: u64) {
        self.library.store(handle, Ordering::Release);
    }

    /// The handle of a kernel, made at its first use.
    pub fn function(&self, functions: &Table<Function>, name: &str) -> Res<u64> {
        self.named_once(&self.functions, functions, name, false)
    }

    /// The handle of a kernel among those that are known, made at its first use.
    fn named_once(
        &self,
        known: &Mutex<HashMap<String, u64>>,
        functions: &Table<Function>,
        name: &str,
        of_any_device: bool,
    ) -> Res<u64> {
        let mut known = known.lock();
        if let Some(&handle) = known.get(name) {
            return Ok(handle);
        }
        let found = self
            .parts
            .iter()
            .find_map(|p| Some((p, p.program().kernel_info(name)?.clone())));
        let (part, info) = found.ok_or(NOT_FOUND)?;
        let make = |handle| Function {
            of_any_device,
            ..Function::new(handle, self, part.clone(), info)
        };
        let function = functions.insert(make);
        let handle = function.ok_or(OUT_OF_MEMORY)?.handle;
        known.insert(name.to_owned(), handle);
        Ok(handle)
    }

    /// The names of all kernels, in order.
    pub fn kernels(&self) -> Vec<String> {
        let names = self.parts.iter().flat_map(|p| {
            p.program()
                .kernels()
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        names.collect()
    }

    pub fn global(&self, name: &str) -> Res<&Global> {
        self.globals.get(name).ok_or(NOT_FOUND)
    }

    /// Gives every variable its first value again.
    pub fn restore_variables(&self) {
        for global in self.globals.values() {
            // SAFETY: the variable's storage lives as long as the module, and `initial` is not longer.
            let _ = unsafe {
                trap::copy(
                    global.at,
                    global.initial.as_ptr() as u64,
                    global.initial.len(),
                )
            };
        }
    }

    /// Takes the module and its functions out of the tables and frees its variables. Its work has ended.
    pub fn forget(&self, memory: &Memory, modules: &Table<Module>, functions: &Table<Function>) {
        modules.remove(self.handle);
        for (_, function) in self.functions.lock().drain() {
            functions.remove(function);
        }
        free_variables(memory, &self.addresses, self.owner);
    }
}

/// Frees the variables that are of an owner's device: managed ones may be another module's.
fn free_variables(memory: &Memory, addresses: &[u64], owner: Owner) {
    for &at in addresses {
        let _ = memory.free(at, |a| a.owner.device == owner.device);
    }
}

/// A kernel, which both `CUfunction` and `CUkernel` name.
pub struct Function {
    pub handle: u64,
    pub name: Arc<str>,
    pub module: u64,
    /// The owner of its module.
    pub owner: Owner,
    /// A library's kernel, which has a function on each device.
    pub of_any_device: bool,
    pub info: KernelInfo,
    c_name: CString,
    sm: u32,
    part: Arc<engine::Module>,
    kernel: OnceLock<Arc<Kernel>>,
    /// The functions of a library's kernel.
    on_devices: Mutex<BTreeMap<usize, Arc<Function>>>,
    /// −1 until it is set.
    max_dynamic_shared: AtomicI32,
    carveout: AtomicI32,
    /// The cluster that the program has set for every launch; zeros if it has not.
    cluster: [AtomicU32; 3],
    /// True if clusters may be larger than every device can run.
    large_clusters: AtomicBool,
    pub cache_config: AtomicU32,
    /// Arguments that the deprecated launch functions collect.
    pub legacy: Mutex<LegacyLaunch>,
}

/// State of `cuFuncSetBlockShape`, `cuParamSet…` and `cuFuncSetSharedSize`.
#[derive(Default)]
pub struct LegacyLaunch {
    pub block: [u32; 3],
    pub shared: u32,
    pub params: Vec<u8>,
}

/// Parameters of a kernel are never longer than this.
pub const MOST_PARAM_BYTES: usize = 32764;

impl Function {
    fn new(
        handle: u64,
        module: &Module,
        part: Arc<engine::Module>,
        mut info: KernelInfo,
    ) -> Function {
        /// NVIDIA's compiler raises a limit to what its calling convention needs.
        const FEWEST_REGISTERS: u32 = 16;
        if let Some(most) = module.max_registers {
            info.registers = info.registers.min(most.max(FEWEST_REGISTERS));
        }
        Function {
            handle,
            name: info.name.as_str().into(),
            module: module.handle,
            owner: module.owner,
            of_any_device: false,
            c_name: CString::new(info.name.as_str()).unwrap_or_default(),
            sm: part.program().target().sm,
            info,
            part,
            kernel: OnceLock::new(),
            on_devices: Mutex::default(),
            max_dynamic_shared: AtomicI32::new(-1),
            carveout: AtomicI32::new(-1),
            cluster: Default::default(),
            large_clusters: AtomicBool::new(false),
            cache_config: AtomicU32::new(0),
            legacy: Mutex::default(),
        }
    }

    pub fn c_name(&self) -> &CStr {
        &self.c_name
    }

    /// The function of a library's kernel on a device, which `find` finds the first time.
    pub fn on_device(
        &self,
        device: usize,
        find: impl FnOnce() -> Res<Arc<Function>>,
    ) -> Res<Arc<Function>> {
        let mut on_devices = self.on_devices.lock();
        if let Some(known) = on_devices.get(&device) {
            return Ok(known.clone());
        }
        let found = find()?;
        on_devices.insert(device, found.clone());
        Ok(found)
    }

    /// The compiled kernel; the first call compiles.
    pub fn kernel(&self) -> Res<Arc<Kernel>> {
        if let Some(kernel) = self.kernel.get() {
            return Ok(kernel.clone());
        }
        let made = cuox_stack::with_room(|| self.part.kernel(&self.info.name));
        let kernel = made.map_err(|_| OUT_OF_MEMORY)?.map_err(|error| {
            let (code, why) = match error {
                LoadError::NotFound => (NOT_FOUND, "is not in its module".to_string()),
                LoadError::Unsupported(d) => {
                    (NOT_SUPPORTED, format!("uses unsupported features:\n{d}"))
                }
                LoadError::Invalid(d) => (INVALID_PTX, format!("is invalid:\n{d}")),
            };
            explain(format!("kernel {} {why}", self.info.name));
            code
        })?;
        Ok(self.kernel.get_or_init(|| kernel).clone())
    }

    pub fn is_loaded(&self) -> bool {
        self.kernel.get().is_some()
    }

    /// Bytes of dynamic shared memory that a launch may ask for.
    pub fn max_dynamic_shared(&self) -> u32 {
        match u32::try_from(self.max_dynamic_shared.load(Ordering::Relaxed)) {
            Ok(set) => set,
            Err(_) => device::SHARED_DEFAULT.saturating_sub(self.info.static_shared),
        }
    }

    /// The cluster that every launch has: the one of `.reqnctapercluster`, or the one that the program has set.
    pub fn required_cluster(&self) -> Option<[u32; 3]> {
        let set = self.cluster.each_ref().map(|n| n.load(Ordering::Relaxed));
        let set = Some(set).filter(|size| *size != [0; 3]);
        self.info.required_cluster.or(set)
    }

    /// Sets an extent of the cluster that every launch has.
    fn require_cluster(&self, axis: usize, extent: i32) -> Res {
        let extent = u32::try_from(extent).map_err(|_| INVALID_VALUE)?;
        match self.info.required_cluster {
            Some(size) if size[axis] == extent => {}
            Some(_) => return Err(NOT_PERMITTED),
            None => self.cluster[axis].store(extent, Ordering::Relaxed),
        }
        Ok(())
    }

    /// Most blocks of a cluster.
    pub fn max_cluster(&self) -> u32 {
        let most = self.device_cluster();
        self.info.max_cluster.map_or(most, |n| n.min(most))
    }

    /// Most blocks of a cluster that the device would run for this kernel.
    pub fn device_cluster(&self) -> u32 {
        match self.large_clusters.load(Ordering::Relaxed) {
            true => device::MAX_CLUSTER,
            false => device::PORTABLE_CLUSTER,
        }
    }

    pub fn attribute(&self, attribute: A) -> Res<i32> {
        let info = &self.info;
        let extent = |axis: usize| self.required_cluster().map_or(0, |size| size[axis] as i32);
        Ok(match attribute {
            A::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK => info.max_threads as i32,
            A::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES => info.static_shared as i32,
            A::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES => info.local_bytes as i32,
            A::CU_FUNC_ATTRIBUTE_NUM_REGS => info.registers as i32,
            A::CU_FUNC_ATTRIBUTE_PTX_VERSION => self.sm as i32,
            A::CU_FUNC_ATTRIBUTE_BINARY_VERSION => settings::sm() as i32,
            A::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => self.max_dynamic_shared() as i32,
            A::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => {
                self.carveout.load(Ordering::Relaxed)
            }
            A::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET => i32::from(info.explicit_cluster),
            A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH => extent(0),
            A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT => extent(1),
            A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH => extent(2),
            A::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED => {
                i32::from(self.large_clusters.load(Ordering::Relaxed))
            }
            A::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES => {
                self.part.program().constant_bytes().min(i32::MAX as u64) as i32
            }
            A::CU_FUNC_ATTRIBUTE_CACHE_MODE_CA
            | A::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => 0,
            _ => return Err(INVALID_VALUE),
        })
    }

    pub fn set_attribute(&self, attribute: A, value: i32) -> Res {
        match attribute {
            A::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => {
                let most = limits()
                    .shared_optin
                    .saturating_sub(self.info.static_shared);
                if !u32::try_from(value).is_ok_and(|v| v <= most) {
                    return Err(INVALID_VALUE);
                }
                self.max_dynamic_shared.store(value, Ordering::Relaxed);
            }
            A::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
                if (-1..=100).contains(&value) =>
            {
                self.carveout.store(value, Ordering::Relaxed);
            }
            A::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED if matches!(value, 0 | 1) => {
                self.large_clusters.store(value == 1, Ordering::Relaxed);
            }
            A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH => self.require_cluster(0, value)?,
            A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT => self.require_cluster(1, value)?,
            A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH => self.require_cluster(2, value)?,
            // A hint about speed.
            A::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => {}
            _ => return Err(INVALID_VALUE),
        }
        Ok(())
    }
}
