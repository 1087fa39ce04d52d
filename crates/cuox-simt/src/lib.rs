//! How a grid runs: typed IR, verifier, interpreter, Cranelift JIT, block scheduler

pub mod space;
mod sys;

pub use sys::trap;
