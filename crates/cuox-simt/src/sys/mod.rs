//! Operating system services: address-space mappings and fault recovery.
//!
//! All `unsafe` calls of the kernel about memory, signals or processors are in this folder.

pub mod cpus;
pub mod float_mode;
pub mod heap;
pub mod level;
pub mod region;
pub mod replacing;
pub mod trap;
