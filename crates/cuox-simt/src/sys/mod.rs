//! The operating system's part: address-space mappings and fault recovery.
//!
//! All `unsafe` that talks to the kernel about memory or signals is in this folder.

pub mod region;
pub mod trap;
