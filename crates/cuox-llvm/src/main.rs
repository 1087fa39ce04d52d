//! `cuox-llvm CPU FEATURES [LIBRARY]`: compiles LLVM IR that comes in, for the software GPU.
//!
//! It is a process of its own because LLVM ends its process where it finds IR to be wrong. `LIBRARY` is llvmlite's
//! (`libllvmlite.so`) or LLVM's own (`libLLVM.so`); without it the program looks for one ([`search`]). `CPU` and
//! `FEATURES` are LLVM's names. First it writes a line with the version of LLVM, or with why it can't work, after `! `.
//! Then, until its input ends, it reads a module and writes an object.
//!
//! A module is the number of its bytes (four bytes, the least first) and its text. An answer is a byte, 0 for an object
//! and 1 for a message, the number of its bytes, and these.

mod libllvm;
mod llvmlite;
mod provider;
mod search;

use provider::Provider;
use std::ffi::OsString;
use std::io::{self, Read, Write};

/// The LLVM that the arguments ask for.
fn llvm(arguments: &[OsString]) -> Result<Box<dyn Provider>, String> {
    let usage = || "usage: cuox-llvm CPU FEATURES [LIBRARY]".to_owned();
    let [cpu, features, library @ ..] = arguments else {
        return Err(usage());
    };
    // Paths need not be UTF-8, as LLVM's names are.
    let (Some(cpu), Some(features)) = (cpu.to_str(), features.to_str()) else {
        return Err(usage());
    };
    match library {
        [] => search::first(|library| provider::open(library, cpu, features)),
        [library] => provider::open(library, cpu, features),
        _ => Err(usage()),
    }
}

/// The largest module.
const MOST: u32 = 64 << 20;

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    // What runs kernels meanwhile comes first.
    // SAFETY: the call takes a number.
    unsafe { libc::nice(5) };
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let llvm = match llvm(&arguments) {
        Ok(llvm) => llvm,
        Err(why) => {
            writeln!(output, "! {}", why.replace('\n', " "))?;
            return output.flush();
        }
    };
    let [major, minor, patch] = llvm.version();
    writeln!(output, "LLVM {major}.{minor}.{patch}")?;
    output.flush()?;
    let mut input = io::stdin().lock();
    loop {
        let mut length = [0; 4];
        match input.read_exact(&mut length) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            read => read?,
        }
        let length = u32::from_le_bytes(length);
        if length > MOST {
            return Err(io::Error::other("the module is too large"));
        }
        let mut text = vec![0; length as usize];
        input.read_exact(&mut text)?;
        let (status, bytes) = match llvm.compile(&text) {
            Ok(object) => (0, object),
            Err(why) => (1, why.into_bytes()),
        };
        output.write_all(&[status])?;
        output.write_all(&(bytes.len() as u32).to_le_bytes())?;
        output.write_all(&bytes)?;
        output.flush()?;
    }
}
