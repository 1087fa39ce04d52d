//! Graphs: work with dependencies, made by hand or recorded from streams, and launched as one.

pub(crate) mod capture;
pub(crate) mod condition;
pub(crate) mod device_launch;
pub(crate) mod exec;
pub(crate) mod graph;
pub(crate) mod memory;
pub(crate) mod node;
pub(crate) mod running;
pub(crate) mod user_object;
