//! Which driver, and how it is opened.

mod choice;
mod loader;
pub mod sys;

pub(crate) use choice::gpu_driver_version;
pub use choice::{Choice, ChoiceReport, choice_report, chosen, default_driver, set_choice};
pub(crate) use loader::loader_text;
pub use loader::{
    Debugger, DebuggerFunctions, Driver, DriverKind, Stopped, forked, set_soft_library_path,
};
