//! The way in which calls are made.

use std::io::Write as _;
use std::sync::LazyLock;

use parking_lot::Mutex;

/// The way in which calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The generic call path for a function's first calls, then [`Mode::Code`]; the latter from the first call on if
    /// the code exists already.
    CodeWhenHot,
    /// Generated code that reads the interpreter's objects in place.
    Code,
    /// Generated code that reads no Python object in place, only objects of C values; other arguments go to the generic
    /// call path.
    Api,
    /// The generic call path alone.
    NoJit,
}

static MODE: LazyLock<Mutex<Mode>> = LazyLock::new(|| {
    Mutex::new(match std::env::var("CUOX_CALL").as_deref() {
        Ok("api") => Mode::Api,
        Ok("nojit") => Mode::NoJit,
        Ok("code") => Mode::Code,
        Err(_) | Ok("") => Mode::CodeWhenHot,
        Ok(other) => {
            // Not eprintln!, which panics where nothing can be written.
            let _ = writeln!(
                std::io::stderr(),
                "cuox: CUOX_CALL={other} is ignored: it must be api, code or nojit"
            );
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
