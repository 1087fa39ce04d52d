"""Errors and warnings, under Numba's names."""

from __future__ import annotations

from cuox._internal.kernel_errors import KernelSourceError, KernelTypeError


class NumbaWarning(Warning):
    """A remark on a program."""


class NumbaPerformanceWarning(NumbaWarning):
    """Something that costs time."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """Something that should be written in another way."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """Something that will be written in another way."""


class NumbaInvalidConfigWarning(NumbaWarning):
    """Options that do not go together."""


class NumbaDebugInfoWarning(NumbaWarning):
    """Something about what debuggers see."""


class NumbaTypeSafetyWarning(NumbaWarning):
    """A conversion that may lose something."""


NumbaError = KernelTypeError
TypingError = KernelTypeError
"""A function that cannot be a kernel. `cuox._internal.kernel_errors.KernelTypeError`."""
LoweringError = KernelTypeError
UnsupportedError = KernelTypeError
UnsupportedBytecodeError = KernelTypeError
NumbaTypeError = KernelTypeError
NumbaValueError = KernelTypeError
RequireLiteralValue = KernelTypeError
ConstantInferenceError = KernelTypeError
CompilerError = KernelTypeError
SourceError = KernelSourceError
