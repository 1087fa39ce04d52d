"""What tests of CUDA code in Python use, under Numba's names."""

from __future__ import annotations

import contextlib
import io
import sys
import unittest as unittest
from collections.abc import Callable, Iterator
from typing import Any


class CUDATestCase(unittest.TestCase):
    """A test case with Numba's additions."""

    def setUp(self) -> None:
        from .core import config

        self._warnings = (config.CUDA_LOW_OCCUPANCY_WARNINGS, config.CUDA_WARN_ON_IMPLICIT_COPY)
        config.CUDA_LOW_OCCUPANCY_WARNINGS = config.CUDA_WARN_ON_IMPLICIT_COPY = 0

    def tearDown(self) -> None:
        from .core import config

        config.CUDA_LOW_OCCUPANCY_WARNINGS, config.CUDA_WARN_ON_IMPLICIT_COPY = self._warnings

    def skip_if_lto(self, reason: str) -> None:
        """Nothing is linked with LTO here."""

    def assertPreciseEqual(self, first: Any, second: Any, *args: Any, **kwargs: Any) -> None:
        """Equal values of one kind."""
        import numpy as np

        np.testing.assert_array_equal(first, second)

    @contextlib.contextmanager
    def assertRaisesStr(self, kind: Any, text: str) -> Iterator[None]:
        """An exception with a text in it."""
        with self.assertRaises(kind) as raised:
            yield
        self.assertIn(text, str(raised.exception))

    def assert_warns(self, *args: Any) -> Any:
        """A warning."""
        return self.assertWarns(*args)


class ContextResettingTestCase(CUDATestCase):
    """The same; contexts stay as they are."""


class DeprecatedDeviceArrayApiTest(CUDATestCase):
    """The same."""


ensure_supported_ccs_initialized = lambda: None  # noqa: E731


class ForeignArray:
    """An array of another library: it has nothing but the CUDA Array Interface."""

    def __init__(self, arr: Any) -> None:
        self._arr = arr
        self.__cuda_array_interface__ = arr.__cuda_array_interface__


def _always(given: Any) -> Any:
    # With a reason it makes a decorator, without it is one.
    return _always if isinstance(given, str) else given


def skip_on_cudasim(reason: str) -> Callable[[Any], Any]:
    """There is no simulator here."""
    return _always


def skip_unless_cudasim(reason: str) -> Callable[[Any], Any]:
    """There is no simulator here."""
    return unittest.skip(reason)


def xfail_unless_cudasim(given: Any) -> Any:
    """A test that Numba fails on a GPU."""
    return unittest.expectedFailure(given)


def skip_with_cuda_python(reason: str) -> Callable[[Any], Any]:
    """Tests for other bindings."""
    return unittest.skip(reason)


skip_on_arm = skip_on_wsl2 = skip_if_external_memmgr = skip_on_nvjitlink_13_1_sm_120 = skip_under_cuda_memcheck = (
    skip_on_cudasim
)
skip_with_nvdisasm = skip_without_nvdisasm = skip_if_nvjitlink_missing = skip_on_cudasim
skip_if_cuda_includes_missing = skip_if_curand_kernel_missing = skip_if_cudadevrt_missing = _always
skip_with_nvjitlink = skip_if_mvc_libraries_unavailable = skip_if_mvc_enabled = _always
skip_on_standalone_numba_cuda = unittest.skip("requires Numba's compiler for CPUs")


def _capability(major: int, minor: int) -> Callable[[Any], Any]:
    def decorate(given: Any) -> Any:
        from ._devices import get_current_device

        return unittest.skipUnless(
            get_current_device().compute_capability >= (major, minor), f"requires compute capability {major}.{minor}"
        )(given)

    return decorate


(
    skip_unless_cc_32,
    skip_unless_cc_50,
    skip_unless_cc_53,
    skip_unless_cc_60,
    skip_unless_cc_75,
    skip_unless_cc_80,
    skip_unless_cc_89,
    skip_unless_cc_90,
) = (_capability(*capability) for capability in ((3, 2), (5, 0), (5, 3), (6, 0), (7, 5), (8, 0), (8, 9), (9, 0)))
skip_unless_conda_cudatoolkit = skip_unless_cudasim


def cc_X_or_above(major: int, minor: int) -> bool:
    """True if the device has at least a compute capability."""
    from ._devices import get_current_device

    return get_current_device().compute_capability >= (major, minor)


@contextlib.contextmanager
def captured_cuda_stdout() -> Iterator[io.StringIO]:
    """What kernels print, as text. It is gathered at the end of the block."""
    import os
    import tempfile

    from ._streams import synchronize

    synchronize()
    sys.stdout.flush()
    saved = os.dup(1)
    text = io.StringIO()
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield text
            synchronize()
        finally:
            os.dup2(saved, 1)
            os.close(saved)
            file.seek(0)
            text.write(file.read().decode(errors="replace"))


captured_stdout = captured_cuda_stdout
