//! The CUDA C++ compiler NVRTC, loaded at run time.

mod arch;
mod flow;
mod library;
mod options;
mod program;
pub mod signals;

pub use library::Nvrtc;
pub use options::{ProgramOptions, bring_into};
pub use program::{Compiled, Program};
