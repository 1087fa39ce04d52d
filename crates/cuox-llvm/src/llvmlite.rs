//! LLVM by the functions of llvmlite's library, 0.45 and later: LLVM 20 and later (llvmlite, `ffi/`).

use crate::provider::{Pointer, Provider, Text, functions, no_zeros};
use libloading::Library;
use std::ffi::{CStr, CString, c_int, c_uint};
use std::ptr;

functions! { "LLVMPY_":
    version = "GetVersionInfo"() -> c_uint;
    initialize_target = "InitializeNativeTarget"();
    initialize_printer = "InitializeNativeAsmPrinter"();
    initialize_parser = "InitializeNativeAsmParser"();
    create_context = "ContextCreate"() -> Pointer;
    dispose_context = "ContextDispose"(Pointer);
    parse = "ParseAssembly"(Pointer, Text, *mut Text) -> Pointer;
    verify = "VerifyModule"(Pointer, *mut Text) -> c_int;
    set_target = "SetTarget"(Pointer, Text);
    set_layout = "SetDataLayout"(Pointer, Text);
    default_triple = "GetDefaultTargetTriple"(*mut Text);
    target = "GetTargetFromTriple"(Text, *mut Text) -> Pointer;
    create_machine = "CreateTargetMachine"(Pointer, Text, Text, Text, c_int, Text, Text, c_int, c_int, Text) -> Pointer;
    machine_data = "CreateTargetMachineData"(Pointer) -> Pointer;
    layout = "CopyStringRepOfTargetData"(Pointer, *mut Text);
    create_options = "CreatePipelineTuningOptions"() -> Pointer;
    set_loop_vectorization = "PTOSetLoopVectorization"(Pointer, bool);
    set_slp_vectorization = "PTOSetSLPVectorization"(Pointer, bool);
    create_builder = "CreatePassBuilder"(Pointer, Pointer) -> Pointer;
    pipeline = "buildPerModuleDefaultPipeline"(Pointer, c_int, c_int) -> Pointer;
    run = "RunNewModulePassManager"(Pointer, Pointer, Pointer);
    dispose_passes = "DisposeNewModulePassManger"(Pointer);
    dispose_builder = "DisposePassBuilder"(Pointer);
    emit = "TargetMachineEmitToMemory"(Pointer, Pointer, c_int, *mut Text) -> Pointer;
    start = "GetBufferStart"(Pointer) -> *const u8;
    size = "GetBufferSize"(Pointer) -> usize;
    dispose_buffer = "DisposeMemoryBuffer"(Pointer);
    dispose_module = "DisposeModule"(Pointer);
}

/// An LLVM for one processor.
pub struct Llvmlite {
    functions: Functions,
    triple: Text,
    machine: Pointer,
    layout: Text,
    _library: Library,
}

/// The level of optimisation: that of `-O2`.
const LEVEL: c_int = 2;
/// The kind of output of `TargetMachineEmitToMemory` that is an object.
const OBJECT: c_int = 1;

impl Llvmlite {
    /// Takes the library, for code that needs `cpu` and has `features` besides.
    pub fn new(library: Library, cpu: &str, features: &str) -> Result<Llvmlite, String> {
        let functions = Functions::load(&library)?;
        let [cpu, features] = no_zeros(cpu, features)?;
        let mut text: Text = ptr::null();
        // SAFETY: the arguments are as llvmlite declares them; its texts live as long as the process.
        unsafe {
            (functions.initialize_target)();
            (functions.initialize_printer)();
            (functions.initialize_parser)();
            let mut triple: Text = ptr::null();
            (functions.default_triple)(&mut triple);
            let target = (functions.target)(triple, &mut text);
            if target.is_null() {
                return Err(message(text));
            }
            let machine = (functions.create_machine)(
                target,
                triple,
                cpu.as_ptr(),
                features.as_ptr(),
                LEVEL,
                c"pic".as_ptr(),
                c"small".as_ptr(),
                0,
                0,
                c"".as_ptr(),
            );
            if machine.is_null() {
                return Err("LLVM has no machine of that kind".to_owned());
            }
            let mut layout: Text = ptr::null();
            (functions.layout)((functions.machine_data)(machine), &mut layout);
            Ok(Llvmlite {
                functions,
                triple,
                machine,
                layout,
                _library: library,
            })
        }
    }

    /// # Safety
    /// The context is alive.
    unsafe fn compile_in(&self, context: Pointer, text: &CStr) -> Result<Vec<u8>, String> {
        let f = &self.functions;
        let mut out: Text = ptr::null();
        // SAFETY: as `compile`.
        unsafe {
            let module = (f.parse)(context, text.as_ptr(), &mut out);
            if module.is_null() {
                return Err(message(out));
            }
            if (f.verify)(module, &mut out) & 255 != 0 {
                (f.dispose_module)(module);
                return Err(message(out));
            }
            (f.set_target)(module, self.triple);
            (f.set_layout)(module, self.layout);
            let options = (f.create_options)();
            (f.set_loop_vectorization)(options, false);
            (f.set_slp_vectorization)(options, false);
            let builder = (f.create_builder)(self.machine, options);
            let passes = (f.pipeline)(builder, LEVEL, 0);
            (f.run)(passes, module, builder);
            (f.dispose_passes)(passes);
            (f.dispose_builder)(builder);
            let buffer = (f.emit)(self.machine, module, OBJECT, &mut out);
            (f.dispose_module)(module);
            if buffer.is_null() {
                return Err(message(out));
            }
            let bytes = std::slice::from_raw_parts((f.start)(buffer), (f.size)(buffer)).to_vec();
            (f.dispose_buffer)(buffer);
            Ok(bytes)
        }
    }
}

impl Provider for Llvmlite {
    fn version(&self) -> [u32; 3] {
        // SAFETY: the function takes nothing.
        let version = unsafe { (self.functions.version)() };
        [version >> 16, version >> 8 & 255, version & 255]
    }

    fn compile(&self, text: &[u8]) -> Result<Vec<u8>, String> {
        let text = CString::new(text).map_err(|_| "the text has a zero".to_owned())?;
        let f = &self.functions;
        // SAFETY: the arguments are as llvmlite declares them, and nothing is used after it was disposed of.
        unsafe {
            let context = (f.create_context)();
            let found = self.compile_in(context, &text);
            (f.dispose_context)(context);
            found
        }
    }
}

/// A message of LLVM's.
fn message(text: Text) -> String {
    if text.is_null() {
        return "LLVM says nothing more".to_owned();
    }
    // SAFETY: LLVM's messages end with a zero.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
