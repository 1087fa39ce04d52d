//! A call of any C function, put together while the program runs (System V x86-64 psABI, 3.2.3).

use smallvec::SmallVec;

use crate::types::abi::{Passing, ResultLocation};

/// The registers of a call, before and after.
#[repr(C, align(16))]
#[derive(Default)]
pub struct SysvRegisters {
    /// `rdi`, `rsi`, `rdx`, `rcx`, `r8`, `r9`.
    integer: [u64; 6],
    /// The low halves of `xmm0` ... `xmm7`.
    vector: [u64; 8],
    /// `al`: how many vector registers a variadic function has to save.
    vectors: u64,
    /// True if the result is in `st(0)`.
    x87: u64,
    /// `rax` and `rdx` afterwards.
    integer_results: [u64; 2],
    /// The low halves of `xmm0` and `xmm1` afterwards.
    vector_results: [u64; 2],
    /// `st(0)` afterwards: ten bytes.
    x87_result: [u64; 2],
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
std::arch::global_asm!(
    ".text",
    ".p2align 4",
    ".hidden cuox_call_sysv",
    ".globl cuox_call_sysv",
    ".type cuox_call_sysv, @function",
    "cuox_call_sysv:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "push rbx",
    ".cfi_offset rbx, -24",
    "sub rsp, 8",
    "mov rbx, rsi",
    "mov r11, rdi",
    "lea rax, [rcx*8]",
    "sub rsp, rax",
    "2:",
    "test rcx, rcx",
    "jz 3f",
    "mov rax, [rdx + rcx*8 - 8]",
    "mov [rsp + rcx*8 - 8], rax",
    "dec rcx",
    "jmp 2b",
    "3:",
    "movsd xmm0, qword ptr [rbx + 48]",
    "movsd xmm1, qword ptr [rbx + 56]",
    "movsd xmm2, qword ptr [rbx + 64]",
    "movsd xmm3, qword ptr [rbx + 72]",
    "movsd xmm4, qword ptr [rbx + 80]",
    "movsd xmm5, qword ptr [rbx + 88]",
    "movsd xmm6, qword ptr [rbx + 96]",
    "movsd xmm7, qword ptr [rbx + 104]",
    "mov rdi, [rbx]",
    "mov rsi, [rbx + 8]",
    "mov rdx, [rbx + 16]",
    "mov rcx, [rbx + 24]",
    "mov r8, [rbx + 32]",
    "mov r9, [rbx + 40]",
    "mov rax, [rbx + 112]",
    "call r11",
    "mov [rbx + 128], rax",
    "mov [rbx + 136], rdx",
    "movsd qword ptr [rbx + 144], xmm0",
    "movsd qword ptr [rbx + 152], xmm1",
    "cmp qword ptr [rbx + 120], 0",
    "je 4f",
    "fstp tbyte ptr [rbx + 160]",
    "4:",
    "mov rbx, [rbp - 8]",
    "leave",
    ".cfi_def_cfa rsp, 8",
    "ret",
    ".cfi_endproc",
    ".size cuox_call_sysv, . - cuox_call_sysv",
);

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
unsafe extern "C" {
    /// Calls `target` with `words` (an even number) of `stack`.
    fn cuox_call_sysv(
        target: usize,
        registers: *mut SysvRegisters,
        stack: *const u64,
        words: usize,
    );
}

/// Only so that the crate compiles: [`crate::compile::callable`] refuses other machines before.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
unsafe fn cuox_call_sysv(_: usize, _: *mut SysvRegisters, _: *const u64, _: usize) {}

/// The arguments of one call.
#[derive(Default)]
pub struct SysvArguments {
    registers: SysvRegisters,
    integers: usize,
    stack: SmallVec<[u64; 16]>,
}

impl SysvArguments {
    /// An integer or pointer, extended to 64 bits.
    #[inline]
    pub fn integer(&mut self, value: u64) {
        if self.integers < 6 {
            self.registers.integer[self.integers] = value;
            self.integers += 1;
        } else {
            self.stack.push(value);
        }
    }

    /// `float` or `double`, its bits in the low end.
    #[inline]
    pub fn vector(&mut self, bits: u64) {
        let used = self.registers.vectors as usize;
        if used < 8 {
            self.registers.vector[used] = bits;
            self.registers.vectors += 1;
        } else {
            self.stack.push(bits);
        }
    }

    /// `__int128`.
    #[inline]
    pub fn wide(&mut self, [low, high]: [u64; 2]) {
        if self.integers + 2 <= 6 {
            self.integer(low);
            self.integer(high);
        } else {
            self.align(16);
            self.stack.extend([low, high]);
        }
    }

    /// `long double`, as it lies in memory.
    #[inline]
    pub fn long(&mut self, words: [u64; 2]) {
        self.align(16);
        self.stack.extend(words);
    }

    /// A record by value.
    #[inline]
    pub fn record(&mut self, bytes: &[u8], align: usize, passing: &Passing) {
        let words = || {
            bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            })
        };
        if let Passing::Registers(classes) = passing {
            let vectors = classes.iter().filter(|vector| **vector).count();
            let integers = classes.len() - vectors;
            if self.integers + integers <= 6 && self.registers.vectors as usize + vectors <= 8 {
                for (word, vector) in words().zip(classes) {
                    if *vector {
                        self.vector(word)
                    } else {
                        self.integer(word)
                    }
                }
                return;
            }
        }
        self.align(align.max(8));
        self.stack.extend(words());
    }

    #[inline]
    fn align(&mut self, align: usize) {
        while !(self.stack.len() * 8).is_multiple_of(align) {
            self.stack.push(0);
        }
    }

    /// The number of bytes passed on the stack.
    #[inline]
    pub fn stack_bytes(&self) -> usize {
        self.stack.len() * 8
    }

    /// Makes the call.
    ///
    /// # Safety
    /// `target` is a C function that takes these arguments and leaves its result at `result_location`.
    #[inline]
    pub unsafe fn call(&mut self, target: usize, result_location: &ResultLocation) {
        self.align(16);
        self.registers.x87 = u64::from(*result_location == ResultLocation::X87);
        // SAFETY: `align` has made the number of stack words even, as the assembly needs it; `target` takes these
        // arguments (`# Safety`).
        unsafe {
            cuox_call_sysv(
                target,
                &raw mut self.registers,
                self.stack.as_ptr(),
                self.stack.len(),
            )
        }
    }

    /// The result's bytes, if it is in registers.
    #[inline]
    pub fn result(&self, result_location: &ResultLocation) -> [u64; 2] {
        let registers = &self.registers;
        match result_location {
            ResultLocation::Nothing | ResultLocation::Memory(_) => [0; 2],
            ResultLocation::Integer | ResultLocation::IntegerPair => registers.integer_results,
            ResultLocation::Vector => registers.vector_results,
            ResultLocation::X87 => [registers.x87_result[0], registers.x87_result[1] & 0xffff],
            ResultLocation::Registers(classes) => {
                let (mut integers, mut vectors) = (
                    registers.integer_results.iter(),
                    registers.vector_results.iter(),
                );
                let mut words = [0; 2];
                for (word, vector) in words.iter_mut().zip(classes) {
                    let from = if *vector { &mut vectors } else { &mut integers };
                    *word = from.next().copied().unwrap_or_default();
                }
                words
            }
        }
    }
}
