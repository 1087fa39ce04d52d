//! Registers and stack: where the System V x86-64 psABI (3.2.3) has arguments and results.

/// The way a record is passed by value (System V x86-64 psABI, 3.2.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// In memory, copied to the stack; as a result, through a pointer that the caller gives.
    Memory,
    /// In registers, one for each eight bytes that hold anything: `true` for a vector register. None for an empty
    /// record.
    Registers(Vec<bool>),
    /// It cannot be passed by value, for this reason.
    Refused(&'static str),
}

/// The most bytes of arguments on the stack: far above what C passes, far below what a thread's stack has.
pub const MAX_STACK_ARGS: usize = 64 << 10;

/// The place where a C function leaves its result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResultLocation {
    /// Nowhere.
    Nothing,
    /// In `rax`.
    Integer,
    /// In `rax` and `rdx`.
    IntegerPair,
    /// In `xmm0`.
    Vector,
    /// In `st(0)`.
    X87,
    /// In registers, a record's eightbytes in order; `true` for a vector register.
    Registers(Vec<bool>),
    /// In memory of this size, whose address is passed first.
    Memory(usize),
}

/// The places of a callback's arguments and result.
pub struct CallbackLocations {
    /// The place of each argument.
    pub arguments: Vec<ArgLocation>,
    /// The place of the result.
    pub result: CallbackResultLocation,
    /// The result's C type, for errors.
    pub result_type: String,
}

/// The place of an argument when C calls.
pub enum ArgLocation {
    /// Registers: for each eightbyte `true` if it is in a vector register, and the register's number among its kind.
    Registers(Vec<(bool, usize)>),
    /// The stack.
    Stack {
        /// The argument's size in bytes.
        size: usize,
        /// Its alignment in bytes.
        align: usize,
    },
}

/// The place where C expects a callback's result.
pub enum CallbackResultLocation {
    /// Nowhere: `void`.
    Nothing,
    /// Registers: for each eightbyte `true` if it is a vector register.
    Registers(Vec<bool>),
    /// Memory whose address is in the first general register.
    Memory,
    /// `st(0)`.
    X87,
}
