//! The processor's mode for floating-point numbers.

/// Runs code in the mode in which subnormal operands count as zero and subnormal results are zero. If it does not
/// return, whoever goes on sets the mode of before.
#[cfg(target_arch = "x86_64")]
pub fn flushing<R>(run: impl FnOnce() -> R) -> R {
    use std::arch::asm;
    /// Flush to zero, and denormals are zeros (Intel SDM, volume 1, section 10.2.3).
    const FLUSH: u32 = 1 << 15 | 1 << 6;
    let mut before = 0u32;
    // SAFETY: the instruction stores four bytes there.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut before, options(nostack)) };
    let set = |mode: u32| {
        // SAFETY: the instruction loads four bytes from there, which have no reserved bits: they are those of before
        // and two that every 64-bit processor has.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const mode, options(nostack)) };
    };
    set(before | FLUSH);
    let result = run();
    set(before);
    result
}

/// Other processors have no code that asks for it.
#[cfg(not(target_arch = "x86_64"))]
pub fn flushing<R>(run: impl FnOnce() -> R) -> R {
    run()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::flushing;
    use std::hint::black_box;

    #[test]
    fn subnormal_numbers_are_flushed_within_and_not_after() {
        let small = black_box(1e-40f32);
        let product = || black_box(small) * black_box(1.5);
        assert_eq!(flushing(product).to_bits(), 0);
        assert!(product() > 0.0);
    }
}
