//! Faults: the reasons why a grid ended early.

use crate::places::Places;
use std::fmt;

/// The kinds of fault that a driver tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An address that no allocation covers.
    IllegalAddress,
    /// An address that is not a multiple of the access's size.
    MisalignedAddress,
    /// Code that must not be executed, such as a switch out of range.
    IllegalInstruction,
    /// The kernel executed `trap`.
    Trap,
    /// A device-side assertion failed.
    Assert,
    /// No thread can go on: a barrier or warp operation waits for threads that never come.
    Deadlock,
    /// A thread's stack of device function calls is full.
    StackOverflow,
    /// The launch was cancelled.
    Cancelled,
    /// The grid took longer than it may.
    Timeout,
    /// A debugger ended the grid: no error.
    Quit,
    /// Memory for shared or local windows could not be allocated.
    OutOfResources,
    /// The engine does not support something; the message names it.
    Unsupported,
    /// A bug of the engine.
    Internal,
}

/// A fault, with the known part of its location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// A description that is complete by itself.
    pub message: String,
    /// `blockIdx` of the faulting thread.
    pub block: Option<[u32; 3]>,
    /// `threadIdx` of the faulting thread, if known.
    pub thread: Option<[u32; 3]>,
    /// The PTX line, if known.
    pub line: Option<u32>,
    /// The line's location in the source from which the PTX was compiled, such as `saxpy.cu:7`, if the PTX has it.
    pub source: Option<Box<str>>,
    /// The places where the threads of the blocks were, if the grid took too long.
    pub(crate) places: Option<Box<Places>>,
    /// The illegal address, if it is one of memory that a driver allocates.
    pub address: Option<u64>,
    /// The number of bytes accessed there; 0 if unknown.
    pub bytes: u32,
}

impl Fault {
    /// Creates a fault without a location.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault {
            kind,
            message: message.into(),
            block: None,
            thread: None,
            line: None,
            source: None,
            places: None,
            address: None,
            bytes: 0,
        }
    }

    /// Tells whether both are faults of blocks, and this one's block comes before the other's.
    pub(crate) fn is_of_block_before(&self, other: &Fault) -> bool {
        let order = |[x, y, z]: [u32; 3]| [z, y, x];
        match (self.block, other.block) {
            (Some(one), Some(other)) => order(one) < order(other),
            _ => false,
        }
    }

    /// Adds the accessed address.
    pub(crate) fn at(mut self, address: u64) -> Self {
        self.address = Some(address);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some([x, y, z]) = self.block {
            write!(f, ", block ({x}, {y}, {z})")?;
        }
        if let Some([x, y, z]) = self.thread {
            write!(f, ", thread ({x}, {y}, {z})")?;
        }
        match (self.line, &self.source) {
            (Some(line), Some(source)) => write!(f, ", PTX line {line} ({source})"),
            (Some(line), None) => write!(f, ", PTX line {line}"),
            (None, _) => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_by_z_then_y_then_x() {
        let of = |block| Fault {
            block,
            ..Fault::new(FaultKind::Trap, "")
        };
        for (one, other, before) in [
            (Some([1, 0, 0]), Some([2, 0, 0]), true),
            (Some([2, 0, 0]), Some([1, 0, 0]), false),
            (Some([9, 0, 0]), Some([0, 1, 0]), true),
            (Some([9, 9, 0]), Some([0, 0, 1]), true),
            (Some([1, 1, 1]), Some([1, 1, 1]), false),
            (None, Some([1, 0, 0]), false),
            (Some([0, 0, 0]), None, false),
        ] {
            let found = of(one).is_of_block_before(&of(other));
            assert_eq!(found, before, "{one:?} {other:?}");
        }
    }
}
