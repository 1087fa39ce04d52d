//! What an LLVM is to this program, whichever library it comes by.

use crate::libllvm::LibLlvm;
use crate::llvmlite::Llvmlite;
use libloading::Library;
use std::error::Error;
use std::ffi::{CString, OsStr, c_char, c_void};
use std::path::Path;

pub type Pointer = *mut c_void;
pub type Text = *const c_char;

/// The versions of LLVM that read the IR, by the first number.
const VERSIONS: std::ops::RangeInclusive<u32> = 20..=23;

/// An LLVM for one processor.
pub trait Provider {
    /// The version of LLVM.
    fn version(&self) -> [u32; 3];

    /// Compiles a module's text to an object.
    fn compile(&self, text: &[u8]) -> Result<Vec<u8>, String>;
}

/// A table of a library's functions, whose names begin alike.
macro_rules! functions {
    ($prefix:literal: $($name:ident = $symbol:literal ($($ty:ty),*) $(-> $ret:ty)?;)*) => {
        struct Functions { $($name: unsafe extern "C" fn($($ty),*) $(-> $ret)?,)* }

        impl Functions {
            fn load(library: &libloading::Library) -> Result<Functions, String> {
                // SAFETY: the functions are called as their sources declare them.
                Ok(unsafe { Functions { $($name: {
                    let name = concat!($prefix, $symbol);
                    let found = library.get::<unsafe extern "C" fn($($ty),*) $(-> $ret)?>(name.as_bytes());
                    *found.map_err(|_| format!("the library has no {name}"))?
                },)* } })
            }
        }
    };
}
pub(crate) use functions;

/// LLVM's names of a processor and its features, as it takes them.
pub fn no_zeros(cpu: &str, features: &str) -> Result<[CString; 2], String> {
    match [cpu, features].map(CString::new) {
        [Ok(cpu), Ok(features)] => Ok([cpu, features]),
        _ => Err("CPU and FEATURES have no zeros".to_owned()),
    }
}

/// Loads a library, for code that needs `cpu` and has `features` besides.
pub fn open(library: &OsStr, cpu: &str, features: &str) -> Result<Box<dyn Provider>, String> {
    take(library, cpu, features).map_err(|why| {
        let name = Path::new(library).display().to_string();
        // The loader's errors name the file.
        match why.starts_with(&name) {
            true => why,
            false => format!("{name}: {why}"),
        }
    })
}

fn take(library: &OsStr, cpu: &str, features: &str) -> Result<Box<dyn Provider>, String> {
    // SAFETY: what the library does when it is loaded is the installer's choice.
    let library = unsafe { Library::new(library) }.map_err(|error| {
        let cause = error.source();
        cause.map_or(error.to_string(), ToString::to_string)
    })?;
    // SAFETY: the symbols are looked for, and not used.
    let has = |name: &[u8]| unsafe { library.get::<Pointer>(name) }.is_ok();
    let found: Box<dyn Provider> = match (has(b"LLVMPY_GetVersionInfo"), has(b"LLVMContextCreate"))
    {
        (true, _) => Box::new(Llvmlite::new(library, cpu, features)?),
        (_, true) => Box::new(LibLlvm::new(library, cpu, features)?),
        _ => return Err("the library is neither llvmlite's nor libLLVM".to_owned()),
    };
    let [major, minor, patch] = found.version();
    match VERSIONS.contains(&major) {
        true => Ok(found),
        false => Err(format!(
            "LLVM {major}.{minor}.{patch}, and LLVM {} to {} can be used",
            VERSIONS.start(),
            VERSIONS.end()
        )),
    }
}
