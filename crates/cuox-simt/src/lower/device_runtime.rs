//! Functions that device code may call though no module has them: services of the driver, and CUDA's device runtime, which is not supported.

use super::Result;
use crate::ir::{Syscall, Ty};
use cuox_ptx::ast::Span;
use cuox_ptx::diagnostic::Diagnostic;

/// Functions that the driver provides: their name, argument types, and result type.
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
];

/// Whether the driver has a function, or we know why it is not ours to have.
pub(super) fn is_known(name: &str) -> bool {
    is_device_runtime(name) || SYSCALLS.iter().any(|s| *s.0 == *name)
}

/// Whether that is a function of CUDA's device runtime, with which kernels launch kernels.
pub(super) fn is_device_runtime(name: &str) -> bool {
    name.starts_with("cuda") || name.starts_with("__cudaCDP2")
}

/// The code launches kernels itself, which we do not know how to do.
pub(super) fn dynamic_parallelism<T>(span: Span, what: &str) -> Result<T> {
    Err(Box::new(Diagnostic::unsupported(
        "E-unsupported",
        span,
        format!("dynamic parallelism ({what})"),
    )))
}
