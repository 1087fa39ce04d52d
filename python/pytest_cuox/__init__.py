"""A pytest plugin for tests that launch CUDA kernels: the device, limits of time, checks of memory, markers.

pytest imports it in every session where cuox is installed. So it imports nothing of cuox, and does nothing, until an
option asks for it, a test has a marker of its, or the tests themselves import cuox.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator

import pytest

_FAILED = pytest.StashKey[bool]()
_MARKERS = {"cuox_gpu": ("gpu", "an NVIDIA GPU"), "cuox_soft": ("soft", "the software GPU")}


def _seconds(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ValueError(f"expected a number of seconds, got {text!r}")
    return f"{number:g}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and lines of the same names in pytest's configuration file."""
    group = parser.getgroup("cuox", "CUDA kernels on a GPU, or on cuox's software GPU")
    group.addoption(
        "--cuox-device",
        choices=("auto", "gpu", "soft"),
        help="run on a GPU if there is one, on a GPU, or on the software GPU (CUOX_DEVICE)",
    )
    group.addoption(
        "--cuox-timeout",
        metavar="SECONDS",
        help="end a kernel of the software GPU that takes longer, and say where its threads are (CUOX_SOFT_TIMEOUT)",
    )
    group.addoption(
        "--cuox-check",
        action="store_true",
        default=None,
        help="run on the software GPU and check every access of kernels to memory (CUOX_SOFT_CHECK)",
    )
    parser.addini("cuox_device", "the device: auto, gpu or soft", default="")
    parser.addini("cuox_timeout", "the seconds that a kernel of the software GPU may take", default="")
    parser.addini("cuox_check", "check every access of kernels to memory", type="bool", default=False)


def _settings(config: pytest.Config) -> dict[str, str]:
    """The environment variables that options and the configuration file ask for. Raises UsageError."""
    options = config.known_args_namespace
    device = options.cuox_device or config.getini("cuox_device")
    timeout = options.cuox_timeout or config.getini("cuox_timeout")
    check = options.cuox_check or config.getini("cuox_check")
    made = {}
    if device:
        if device not in ("auto", "gpu", "soft"):
            raise pytest.UsageError(f"cuox_device: expected auto, gpu or soft, got {device!r}")
        made["CUOX_DEVICE"] = device
    if timeout:
        try:
            made["CUOX_SOFT_TIMEOUT"] = _seconds(timeout)
        except ValueError as error:
            raise pytest.UsageError(f"--cuox-timeout: {error}") from None
    if check:
        if (device or os.environ.get("CUOX_DEVICE")) == "gpu":
            raise pytest.UsageError("--cuox-check needs the software GPU; for a GPU there is compute-sanitizer")
        made |= {"CUOX_DEVICE": "soft", "CUOX_SOFT_CHECK": "memory"}
    return made


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Set the environment variables before a conftest.py can use a device."""
    settings = _settings(early_config)
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)

    def restore() -> None:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    early_config.add_cleanup(restore)


def pytest_configure(config: pytest.Config) -> None:
    """Describe the markers."""
    for name, (_, what) in _MARKERS.items():
        config.addinivalue_line("markers", f"{name}(reason=''): run only where the device is {what}")


def _is_used(config: pytest.Config) -> bool:
    return "cuox" in sys.modules or bool(_settings(config))


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the device, if the tests have to do with cuox."""
    if not _is_used(config):
        return None
    from . import _device

    limits = []
    if timeout := os.environ.get("CUOX_SOFT_TIMEOUT"):
        limits.append(f"kernels may take {timeout} s")
    if os.environ.get("CUOX_SOFT_CHECK") == "memory":
        limits.append("every access is checked")
    found = _device.describe()
    if limits and found.kind == "gpu":
        limits = ["limits of time and checks are for the software GPU only"]
    return f"cuox: {', '.join([found.text, *limits])}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose marker asks for another device."""
    for name, (kind, what) in _MARKERS.items():
        for marker in item.iter_markers(name):
            from . import _device

            found = _device.describe()
            if found.kind != kind:
                reason = marker.kwargs.get("reason") or next(iter(marker.args), "")
                pytest.skip(f"needs {what}" + (f": {reason}" if reason else "") + f"; the device is {found.text}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Where kernels are checked or limited, wait for those of a test, so that it is that test that fails."""
    __tracebackhide__ = True  # the test's report is about its kernel, not about the plugin
    try:
        result = yield
    except pytest.skip.Exception:
        _wait(item.config)
        raise
    _wait(item.config)
    return result


def _wait(config: pytest.Config) -> None:
    __tracebackhide__ = True
    if "cuox" in sys.modules and {"CUOX_SOFT_TIMEOUT", "CUOX_SOFT_CHECK"} & set(_settings(config)):
        from . import _device

        _device.wait()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """When a test that has failed, as was expected or not, is over with its fixtures, make the device usable for the
    tests that follow, if a kernel's fault has made it unusable.
    """
    report = yield
    if report.failed or hasattr(report, "wasxfail"):
        item.stash[_FAILED] = True
    if call.when == "teardown" and item.stash.get(_FAILED, False) and "cuox" in sys.modules:
        from . import _device

        if said := _device.make_usable():
            report.sections.append(("Captured cuox teardown", said))
    return report
