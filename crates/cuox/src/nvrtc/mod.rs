//! The CUDA C++ compiler NVRTC, loaded at run time.

mod arch;
mod library;
mod options;
mod program;

pub use library::Nvrtc;
pub use options::{ProgramOptions, bring_into};
pub use program::{Compiled, Program};
