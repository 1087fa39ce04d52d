//! Compiled functions and executable memory, with Cranelift's settings for this machine.
//!
//! [`compile`] turns a Cranelift function into a [`Routine`]: bytes and links to symbols. [`Code::place`] copies routines into an
//! anonymous mapping, resolves the links and makes the mapping executable.

use crate::jit::code::symbol::Symbol;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{ExternalName, Function};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, FinalizedRelocTarget};
use std::sync::OnceLock;

/// Numbers of blocks, and of instructions in one of them, from which a function counts as large.
const LARGE: usize = 4000;
const LONG: usize = 10_000;

/// Returns the target machine, or the reason why it is not supported.
pub fn isa() -> Result<&'static OwnedTargetIsa, String> {
    static ISA: OnceLock<Result<OwnedTargetIsa, String>> = OnceLock::new();
    target(&ISA, "backtracking", "speed")
}

/// Returns the target machine for large functions: the usual register allocator takes the square of their size, and
/// optimizations a quarter of the rest.
fn isa_for_large() -> Result<&'static OwnedTargetIsa, String> {
    static ISA: OnceLock<Result<OwnedTargetIsa, String>> = OnceLock::new();
    target(&ISA, "single_pass", "none")
}

fn target(
    made: &'static OnceLock<Result<OwnedTargetIsa, String>>,
    register_allocator: &str,
    opt_level: &str,
) -> Result<&'static OwnedTargetIsa, String> {
    made.get_or_init(|| {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", opt_level),
            ("regalloc_algorithm", register_allocator),
            // `compile` verifies what it is given, where debug assertions are on; that is what we can get wrong.
            ("enable_verifier", "false"),
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

/// Position in a routine that needs an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Offset of the address's eight bytes.
    pub offset: u32,
    /// Symbol whose address is needed.
    pub symbol: Symbol,
}

/// Compiled function, which can be placed at any multiple of 64.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Routine {
    /// Code, followed by its constants.
    pub bytes: Vec<u8>,
    /// Addresses to fill in.
    pub links: Vec<Link>,
}

/// Executable memory with the code of some functions; freed with the value.
pub struct Code {
    base: *mut u8,
    len: usize,
}

// SAFETY: the memory is written before it is shared and only executed after.
unsafe impl Send for Code {}
// SAFETY: the memory is written before it is shared and only executed after.
unsafe impl Sync for Code {}

impl Code {
    /// Places compiled functions and returns their entry addresses. `address_of` gives the addresses of the symbols
    /// that they refer to, which must stay valid as long as the code.
    pub fn place(
        functions: &[Routine],
        address_of: impl Fn(Symbol) -> Option<usize>,
    ) -> Result<(Code, Vec<usize>), String> {
        let mut offsets = Vec::new();
        let mut len = 0usize;
        for routine in functions {
            offsets.push(len);
            len = (len + routine.bytes.len()).next_multiple_of(64);
        }
        let len = len.next_multiple_of(4096).max(4096);
        // SAFETY: this creates a fresh anonymous mapping, which affects no existing memory.
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
            return Err("out of memory for machine code".to_owned());
        }
        let code = Code {
            base: base.cast(),
            len,
        };
        // SAFETY: the mapping has `len` bytes and is not shared yet.
        let memory = unsafe { std::slice::from_raw_parts_mut(code.base, len) };
        for (routine, &offset) in functions.iter().zip(&offsets) {
            let body = &mut memory[offset..offset + routine.bytes.len()];
            body.copy_from_slice(&routine.bytes);
            for link in &routine.links {
                let at = link.offset as usize;
                let (Some(place), Some(address)) =
                    (body.get_mut(at..at + 8), address_of(link.symbol))
                else {
                    return Err(format!(
                        "the code refers to the unknown symbol {:?}",
                        link.symbol
                    ));
                };
                place.copy_from_slice(&(address as u64).to_ne_bytes());
            }
        }
        // SAFETY: the mapping is ours; nothing writes to it after this call.
        let done = unsafe { libc::mprotect(base, len, libc::PROT_READ | libc::PROT_EXEC) };
        if done != 0 {
            return Err("the system forbids executable memory".to_owned());
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
        // SAFETY: `place` created the mapping with this length; nobody can call the code without holding this value.
        unsafe { libc::munmap(self.base.cast(), self.len) };
    }
}

/// Compiles one function.
pub fn compile(func: Function) -> Result<Routine, String> {
    let is_long = |block| func.layout.block_insts(block).nth(LONG - 1).is_some();
    let blocks = || func.layout.blocks();
    let isa = match blocks().nth(LARGE - 1).is_some() || blocks().any(is_long) {
        true => isa_for_large()?,
        false => isa()?,
    };
    if cfg!(debug_assertions) {
        cranelift_codegen::verify_function(&func, &**isa)
            .map_err(|errors| format!("ill-formed code: {errors}"))?;
    }
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
    let bytes = compiled.code_buffer().to_vec();
    let relocations = compiled.buffer.relocs().to_vec();
    let mut links = Vec::new();
    for relocation in relocations {
        let symbol = match &relocation.target {
            FinalizedRelocTarget::ExternalName(ExternalName::User(name)) => {
                let names = context.func.params.user_named_funcs();
                Symbol::from_name(&names[*name])
            }
            _ => None,
        };
        match symbol {
            Some(symbol) if relocation.kind == Reloc::Abs8 && relocation.addend == 0 => {
                links.push(Link {
                    offset: relocation.offset,
                    symbol,
                });
            }
            _ => {
                return Err(format!(
                    "an instruction is missing on this machine; the code would call {:?}",
                    relocation.target
                ));
            }
        }
    }
    Ok(Routine { bytes, links })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jit::code::symbol::Helper;

    #[test]
    fn addresses_are_put_where_links_say() {
        let address_of = |symbol| match symbol {
            Symbol::Helper(Helper::Clock) => Some(0x1234_5678_9abc_usize),
            Symbol::Op(1) => Some(77),
            _ => None,
        };
        let symbols = [Symbol::Helper(Helper::Clock), Symbol::Op(1)];
        let routine = Routine {
            bytes: vec![0x90; 32],
            links: vec![
                Link {
                    offset: 3,
                    symbol: symbols[0],
                },
                Link {
                    offset: 24,
                    symbol: symbols[1],
                },
            ],
        };
        let routines = [routine.clone(), routine];
        let (code, entries) = Code::place(&routines, address_of).expect("code");
        assert_eq!((entries.len(), entries[1] - entries[0]), (2, 64));
        for entry in entries {
            // SAFETY: both routines have 32 bytes, which are readable while `code` lives.
            let bytes = unsafe { std::slice::from_raw_parts(entry as *const u8, 32) };
            let mut expected = [0x90; 32];
            for (at, symbol) in [3, 24].into_iter().zip(symbols) {
                let address = address_of(symbol).expect("an address");
                expected[at..at + 8].copy_from_slice(&address.to_ne_bytes());
            }
            assert_eq!(bytes, expected);
        }
        drop(code);
    }

    #[test]
    fn links_to_nowhere_are_refused() {
        for (offset, symbol) in [
            (25, Symbol::Op(0)),
            (0, Symbol::Op(1)),
            (u32::MAX, Symbol::Op(0)),
        ] {
            let routine = Routine {
                bytes: vec![0; 32],
                links: vec![Link { offset, symbol }],
            };
            assert!(Code::place(&[routine], |s| (s == Symbol::Op(0)).then_some(1)).is_err());
        }
    }
}
