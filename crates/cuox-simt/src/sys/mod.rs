//! The operating system's part: address-space mappings and fault recovery.
//!
//! All `unsafe` that talks to the kernel about memory, signals or processors is in this folder.

pub mod cpus;
pub mod region;
pub mod trap;
