//! The functions that a module may call without a definition of its own: the driver's services, and CUDA's device
//! runtime.

use crate::ir::{Syscall, Ty};

/// The driver's functions: name, service, argument types, and result type.
pub(super) const SYSCALLS: &[(&str, Syscall, &[Ty], Option<Ty>)] = &[
    (
        "vprintf",
        Syscall::Printf,
        &[Ty::B64, Ty::B64],
        Some(Ty::B32),
    ),
    ("malloc", Syscall::Malloc, &[Ty::B64], Some(Ty::B64)),
    ("free", Syscall::Free, &[Ty::B64], None),
    (
        "__assertfail",
        Syscall::AssertFail,
        &[Ty::B64, Ty::B64, Ty::B32, Ty::B64, Ty::B64],
        None,
    ),
    (
        "cuox_breakpoint",
        Syscall::Breakpoint,
        &[Ty::B64, Ty::B64],
        Some(Ty::B32),
    ),
];

/// Returns true if the driver has the function, or if it belongs to the device runtime.
pub(super) fn is_known(name: &str) -> bool {
    is_device_runtime(name) || SYSCALLS.iter().any(|s| *s.0 == *name)
}

/// Returns true for functions of CUDA's device runtime.
pub(super) fn is_device_runtime(name: &str) -> bool {
    name.starts_with("cuda") || name.starts_with("__cudaCDP2")
}
