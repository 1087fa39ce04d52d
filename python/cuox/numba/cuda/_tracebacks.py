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


def _is_about_the_program(error: BaseException) -> bool:
    if isinstance(error, (KernelTypeError, KernelSourceError, CUDAError)):
        return not isinstance(error, GeneratedCodeError)
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    code = last.tb_frame.f_code
    # Raised by the launch in native code: it refuses an argument.
    if code.co_qualname == "CUDADispatcher._launch_converted":
        return isinstance(error, (TypeError, ValueError, OverflowError))
    # Raised by the kernel itself.
    return code.co_filename == _raised.__file__
