//! The way in which calls are made.

use std::sync::LazyLock;

use parking_lot::Mutex;

/// The way in which calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As [`Mode::Code`] from a function's [`CALLS_BEFORE_COMPILE`]th call on, or from the first where other functions have the code already; until then as
    /// [`Mode::NoJit`].
    CodeWhenHot,
    /// By generated code that reads the interpreter's objects in place.
    Code,
    /// By generated code that reads no object of Python's own in place: such arguments are converted the careful way.
    Api,
    /// Without generated code.
    NoJit,
}

static MODE: LazyLock<Mutex<Mode>> = LazyLock::new(|| {
    Mutex::new(match std::env::var("CUOX_CALL").as_deref() {
        Ok("api") => Mode::Api,
        Ok("nojit") => Mode::NoJit,
        Ok("code") => Mode::Code,
        Err(_) | Ok("") => Mode::CodeWhenHot,
        Ok(other) => {
            eprintln!("cuox: CUOX_CALL={other} is ignored: it takes api, code or nojit");
            Mode::CodeWhenHot
        }
    })
});

/// Sets the mode of callables that are made from now on; returns the mode before.
pub fn set_mode(mode: Mode) -> Mode {
    std::mem::replace(&mut *MODE.lock(), mode)
}

/// The mode of callables that are made from now on.
pub fn mode() -> Mode {
    *MODE.lock()
}
