//! Which driver, and how it is opened.

mod choice;
mod loader;
pub mod sys;

pub use choice::{Choice, ChoiceReport, choice_report, default_driver, set_choice};
pub use loader::{Driver, DriverKind, forked, set_soft_library_path};
