//! Count of the steps that passes and analyses take, for tests that their work is linear: a time would depend on the
//! machine and on what else it does. Everything that walks the IR does so through visits of operands, registers and
//! successors, and through sets of registers, which count here. Outside of tests nothing is counted.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts steps.
#[inline]
pub(crate) fn count(_steps: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + _steps as u64));
}

/// Returns the result of a function and the steps that it has taken on this thread.
#[cfg(test)]
pub(crate) fn counted<T>(function: impl FnOnce() -> T) -> (T, u64) {
    let before = STEPS.get();
    let result = function();
    (result, STEPS.get() - before)
}
