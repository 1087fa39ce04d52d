//! Why a grid ended early.

use std::fmt;

/// The kinds of fault that a driver tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An address that no allocation covers.
    IllegalAddress,
    /// An address that is no multiple of the access's size.
    MisalignedAddress,
    /// Code that must not be reached, such as a switch out of range.
    IllegalInstruction,
    /// The kernel executed `trap`.
    Trap,
    /// A device-side assertion failed.
    Assert,
    /// No thread can go on: a barrier or warp operation waits for threads that never come.
    Deadlock,
    /// A thread's stack of device function calls is full.
    StackOverflow,
    /// The launch was told to stop.
    Cancelled,
    /// Windows for shared or local memory could not be had.
    OutOfResources,
    /// The engine lacks something; the message names it.
    Unsupported,
    /// The engine itself is broken.
    Internal,
}

/// A fault, with as much of its place as is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// What happened, in words that stand alone.
    pub message: String,
    /// `blockIdx` of the offender.
    pub block: Option<[u32; 3]>,
    /// `threadIdx` of the offender, where the engine knows it.
    pub thread: Option<[u32; 3]>,
    /// PTX line, where the engine knows it.
    pub line: Option<u32>,
    /// That line's place in the source that the PTX was compiled from, such as `saxpy.cu:7`, if the PTX says so.
    pub source: Option<Box<str>>,
    /// The address that was not legal, of memory that a driver allocates.
    pub address: Option<u64>,
    /// How many bytes were accessed there; 0 where that is not known.
    pub bytes: u32,
}

impl Fault {
    /// A fault whose place is not known yet.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault {
            kind,
            message: message.into(),
            block: None,
            thread: None,
            line: None,
            source: None,
            address: None,
            bytes: 0,
        }
    }

    /// The same, of an access to `address`.
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
