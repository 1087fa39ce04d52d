"""Tracebacks of errors about kernels, without the frames of cuox that lead to them."""

from __future__ import annotations

import os
from types import TracebackType

import cuox
from cuox._internal.errors import CUDAError
from cuox._internal.kernel_errors import GeneratedCodeError, KernelSourceError, KernelTypeError

from . import _raised
from .core import config

_OWN = os.path.dirname(cuox.__file__) + os.sep


def shown(error: BaseException) -> TracebackType | None:
    """Return the traceback of an error of a launch that its author reads: from the first frame on that is not cuox's.

    The whole one where the error may be cuox's, and with `NUMBA_FULL_TRACEBACKS=1`.
    """
    first = error.__traceback__
    if config.FULL_TRACEBACKS or not _is_about_the_program(error):
        return first
    while first is not None and first.tb_frame.f_code.co_filename.startswith(_OWN):
        first = first.tb_next
    return first


class _Trimmed:
    """A `with` block, in a function that the program calls, that leads to such errors: no frame of cuox is shown, also
    not that of the function.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            # The interpreter goes on with what stands here.
            error.__traceback__ = shown(error)


trimmed = _Trimmed()

# Functions that refuse what the program gives: arguments of launches, of them those in native code, and signatures.
_REFUSING = ("CUDADispatcher._launch_converted", "Converted._host", "type_code", "parse_signature")


def _is_about_the_program(error: BaseException) -> bool:
    if isinstance(error, (KernelTypeError, KernelSourceError, CUDAError)):
        return not isinstance(error, GeneratedCodeError)
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    code = last.tb_frame.f_code
    if code.co_qualname in _REFUSING and code.co_filename.startswith(_OWN):
        return isinstance(error, (NameError, TypeError, ValueError, OverflowError))
    # Raised by the kernel itself.
    return code.co_filename == _raised.__file__
