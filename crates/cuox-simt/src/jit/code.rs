//! Machine code: Cranelift's settings for this machine, and memory that can be executed.

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, FinalizedRelocTarget};
use std::sync::OnceLock;

/// The machine we generate code for, or why we cannot.
pub fn isa() -> Result<&'static OwnedTargetIsa, String> {
    static ISA: OnceLock<Result<OwnedTargetIsa, String>> = OnceLock::new();
    ISA.get_or_init(|| {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            (
                "enable_verifier",
                if cfg!(debug_assertions) {
                    "true"
                } else {
                    "false"
                },
            ),
            ("enable_probestack", "false"),
            ("unwind_info", "false"),
            ("enable_alias_analysis", "true"),
        ] {
            flags.set(name, value).map_err(|e| format!("{name}: {e}"))?;
        }
        let builder = cranelift_native::builder().map_err(str::to_owned)?;
        builder
            .finish(settings::Flags::new(flags))
            .map_err(|e| e.to_string())
    })
    .as_ref()
    .map_err(Clone::clone)
}

/// Executable code of some functions, one after the other; freed with the value.
pub struct Code {
    base: *mut u8,
    len: usize,
}

// SAFETY: the memory is written before it is shared and only executed after.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// Places compiled functions; answers their entry addresses too.
    pub fn place(functions: &[Vec<u8>]) -> Result<(Code, Vec<usize>), String> {
        let mut offsets = Vec::new();
        let mut len = 0usize;
        for body in functions {
            offsets.push(len);
            len = (len + body.len()).next_multiple_of(64);
        }
        let len = len.next_multiple_of(4096).max(4096);
        // SAFETY: a fresh anonymous mapping.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err("no memory for machine code".to_owned());
        }
        let code = Code {
            base: base.cast(),
            len,
        };
        for (body, &offset) in functions.iter().zip(&offsets) {
            // SAFETY: the mapping is as long as all bodies with their padding.
            unsafe {
                std::ptr::copy_nonoverlapping(body.as_ptr(), code.base.add(offset), body.len())
            };
        }
        // SAFETY: our own mapping; nothing writes to it from here on.
        let done = unsafe { libc::mprotect(base, len, libc::PROT_READ | libc::PROT_EXEC) };
        if done != 0 {
            return Err("this system forbids code made at run time".to_owned());
        }
        let entries = offsets
            .iter()
            .map(|&offset| code.base as usize + offset)
            .collect();
        Ok((code, entries))
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `place`; whoever can call the code holds this value.
        unsafe { libc::munmap(self.base.cast(), self.len) };
    }
}

/// Compiles one function to position-independent bytes.
pub fn compile(func: Function) -> Result<Vec<u8>, String> {
    let isa = isa()?;
    let mut context = Context::for_function(func);
    context.set_disasm(std::env::var_os("CUOX_DISASM").is_some());
    if context.want_disasm {
        eprintln!("{}", context.func.display());
    }
    let compiled = context
        .compile(&**isa, &mut ControlPlane::default())
        .map_err(|e| format!("{:?}", e.inner))?;
    if let Some(text) = &compiled.vcode {
        eprintln!("{text}");
    }
    if let Some(reloc) = compiled.buffer.relocs().first() {
        let target = match &reloc.target {
            FinalizedRelocTarget::ExternalName(name) => format!("{name:?}"),
            FinalizedRelocTarget::Func(_) => "the function itself".to_owned(),
        };
        return Err(format!(
            "this machine lacks an instruction and would call {target}"
        ));
    }
    Ok(compiled.code_buffer().to_vec())
}
