//! LLVM by the functions of its own library for C, `libLLVM.so` of LLVM 20 and later (LLVM, `include/llvm-c/`).

use crate::provider::{Pointer, Provider, Text, functions, no_zeros};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::ptr;

type Message = *mut c_char;

functions! { "LLVM":
    version = "GetVersion"(*mut c_uint, *mut c_uint, *mut c_uint);
    create_context = "ContextCreate"() -> Pointer;
    dispose_context = "ContextDispose"(Pointer);
    copy_text = "CreateMemoryBufferWithMemoryRangeCopy"(*const u8, usize, Text) -> Pointer;
    parse = "ParseIRInContext"(Pointer, Pointer, *mut Pointer, *mut Message) -> c_int;
    verify = "VerifyModule"(Pointer, c_int, *mut Message) -> c_int;
    set_target = "SetTarget"(Pointer, Text);
    set_layout = "SetModuleDataLayout"(Pointer, Pointer);
    default_triple = "GetDefaultTargetTriple"() -> Message;
    target = "GetTargetFromTriple"(Text, *mut Pointer, *mut Message) -> c_int;
    create_machine = "CreateTargetMachine"(Pointer, Text, Text, Text, c_int, c_int, c_int) -> Pointer;
    machine_layout = "CreateTargetDataLayout"(Pointer) -> Pointer;
    create_options = "CreatePassBuilderOptions"() -> Pointer;
    set_loop_vectorization = "PassBuilderOptionsSetLoopVectorization"(Pointer, c_int);
    set_slp_vectorization = "PassBuilderOptionsSetSLPVectorization"(Pointer, c_int);
    run = "RunPasses"(Pointer, Text, Pointer, Pointer) -> Pointer;
    dispose_options = "DisposePassBuilderOptions"(Pointer);
    error_message = "GetErrorMessage"(Pointer) -> Message;
    dispose_error_message = "DisposeErrorMessage"(Message);
    emit = "TargetMachineEmitToMemoryBuffer"(Pointer, Pointer, c_int, *mut Message, *mut Pointer) -> c_int;
    start = "GetBufferStart"(Pointer) -> *const u8;
    size = "GetBufferSize"(Pointer) -> usize;
    dispose_buffer = "DisposeMemoryBuffer"(Pointer);
    dispose_module = "DisposeModule"(Pointer);
    dispose_message = "DisposeMessage"(Message);
}

/// What the header's `LLVMInitializeNativeTarget`, `…AsmPrinter` and `…AsmParser` call.
#[cfg(target_arch = "x86_64")]
const INITIALIZERS: [&CStr; 5] = [
    c"LLVMInitializeX86TargetInfo",
    c"LLVMInitializeX86Target",
    c"LLVMInitializeX86TargetMC",
    c"LLVMInitializeX86AsmPrinter",
    c"LLVMInitializeX86AsmParser",
];
#[cfg(target_arch = "aarch64")]
const INITIALIZERS: [&CStr; 5] = [
    c"LLVMInitializeAArch64TargetInfo",
    c"LLVMInitializeAArch64Target",
    c"LLVMInitializeAArch64TargetMC",
    c"LLVMInitializeAArch64AsmPrinter",
    c"LLVMInitializeAArch64AsmParser",
];

/// The level of optimisation of code generation: that of `-O2` (`LLVMCodeGenLevelDefault`).
const LEVEL: c_int = 2;
/// `LLVMRelocPIC`.
const PIC: c_int = 2;
/// `LLVMCodeModelSmall`.
const SMALL: c_int = 3;
/// `LLVMReturnStatusAction`.
const RETURN_STATUS: c_int = 2;
/// `LLVMObjectFile`.
const OBJECT: c_int = 1;

/// An LLVM for one processor.
pub struct LibLlvm {
    functions: Functions,
    triple: Message,
    machine: Pointer,
    layout: Pointer,
    _library: Library,
}

impl LibLlvm {
    /// Takes a library, for code that needs `cpu` and has `features` besides.
    pub fn new(library: Library, cpu: &str, features: &str) -> Result<LibLlvm, String> {
        let functions = Functions::load(&library)?;
        let [cpu, features] = no_zeros(cpu, features)?;
        // SAFETY: the arguments are as LLVM's headers declare them.
        unsafe {
            for name in INITIALIZERS {
                let initialize = library.get::<unsafe extern "C" fn()>(name.to_bytes());
                let initialize = initialize
                    .map_err(|_| format!("LLVM's library has no {}", name.to_string_lossy()))?;
                initialize();
            }
            let triple = (functions.default_triple)();
            let (mut target, mut message) = (ptr::null_mut(), ptr::null_mut());
            if (functions.target)(triple, &mut target, &mut message) != 0 {
                return Err(functions.told(message));
            }
            let machine = (functions.create_machine)(
                target,
                triple,
                cpu.as_ptr(),
                features.as_ptr(),
                LEVEL,
                PIC,
                SMALL,
            );
            if machine.is_null() {
                return Err("LLVM has no machine of that kind".to_owned());
            }
            let layout = (functions.machine_layout)(machine);
            Ok(LibLlvm {
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
    unsafe fn compile_in(&self, context: Pointer, text: &[u8]) -> Result<Vec<u8>, String> {
        let f = &self.functions;
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: as `compile`. A module that is parsed has taken the text over, also where that failed.
        unsafe {
            let text = (f.copy_text)(text.as_ptr(), text.len(), c"module".as_ptr());
            if (f.parse)(context, text, &mut module, &mut message) != 0 {
                return Err(f.told(message));
            }
            let made = self.compile_module(module);
            (f.dispose_module)(module);
            made
        }
    }

    /// # Safety
    /// The module is alive.
    unsafe fn compile_module(&self, module: Pointer) -> Result<Vec<u8>, String> {
        let f = &self.functions;
        let (mut buffer, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: as `compile`.
        unsafe {
            if (f.verify)(module, RETURN_STATUS, &mut message) != 0 {
                return Err(f.told(message));
            }
            (f.dispose_message)(message);
            (f.set_target)(module, self.triple);
            (f.set_layout)(module, self.layout);
            let options = (f.create_options)();
            (f.set_loop_vectorization)(options, 0);
            (f.set_slp_vectorization)(options, 0);
            let error = (f.run)(module, c"default<O2>".as_ptr(), self.machine, options);
            (f.dispose_options)(options);
            if !error.is_null() {
                let message = (f.error_message)(error);
                let told = CStr::from_ptr(message).to_string_lossy().into_owned();
                (f.dispose_error_message)(message);
                return Err(told);
            }
            message = ptr::null_mut();
            if (f.emit)(self.machine, module, OBJECT, &mut message, &mut buffer) != 0 {
                return Err(f.told(message));
            }
            let bytes = std::slice::from_raw_parts((f.start)(buffer), (f.size)(buffer)).to_vec();
            (f.dispose_buffer)(buffer);
            Ok(bytes)
        }
    }
}

impl Provider for LibLlvm {
    fn version(&self) -> [u32; 3] {
        let [mut major, mut minor, mut patch] = [0; 3];
        // SAFETY: three places for numbers.
        unsafe { (self.functions.version)(&mut major, &mut minor, &mut patch) };
        [major, minor, patch]
    }

    fn compile(&self, text: &[u8]) -> Result<Vec<u8>, String> {
        let f = &self.functions;
        // SAFETY: the arguments are as LLVM's headers declare them, and nothing is used after it was disposed of.
        unsafe {
            let context = (f.create_context)();
            let found = self.compile_in(context, text);
            (f.dispose_context)(context);
            found
        }
    }
}

impl Functions {
    /// A message of LLVM's, which is given back.
    ///
    /// # Safety
    /// Null, or a message that was given out.
    unsafe fn told(&self, message: Message) -> String {
        if message.is_null() {
            return "LLVM says nothing more".to_owned();
        }
        // SAFETY: LLVM's messages end with a zero.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (self.dispose_message)(message);
            text
        }
    }
}
