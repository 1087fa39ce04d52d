//! The CUDA C++ compiler NVRTC, loaded at run time.

mod arch;
mod attempt;
pub mod entry;
mod fit;
mod flow;
mod headers;
pub mod hints;
mod host_headers;
mod implied;
mod kept;
mod library;
mod log;
mod marked;
mod options;
mod pch;
mod program;
mod removed;
pub mod signals;

pub use library::Nvrtc;
pub use options::{ProgramOptions, bring_into};
pub use pch::PchStatus;
pub use program::{Compiled, Program};
