"""Devices and contexts."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import cuox
from cuox._internal.errors import CUDAError

_F = TypeVar("_F", bound=Callable[..., Any])


class CudaSupportError(RuntimeError):
    """There is no device that can be used."""


CudaAPIError = CUDAError
CudaDriverError = CUDAError


class MemoryInfo(NamedTuple):
    """Bytes of a device's memory."""

    free: int
    total: int


class Device:
    """A device: `cuda.gpus[0]`, `cuda.get_current_device()`."""

    def __init__(self, number: int) -> None:
        self._device = cuox.Device(number)
        self.id = number

    @property
    def name(self) -> bytes:
        """The name, in bytes as Numba has it."""
        return self._device.name.encode()

    @property
    def uuid(self) -> str:
        """The identifier, as `nvidia-smi -L` shows it."""
        text = str(self._device.uuid)
        return text if text.startswith("GPU-") else f"GPU-{text}"

    @property
    def compute_capability(self) -> tuple[int, int]:
        """Major and minor number."""
        capability = self._device.compute_capability
        return (capability[0], capability[1])

    def __getattr__(self, name: str) -> Any:
        # CUDA's device attributes, under their names in capitals: WARP_SIZE, MAX_THREADS_PER_BLOCK.
        if name.isupper():
            from cuox.cuda.bindings import driver

            number = getattr(driver.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}", None)
            if number is not None:
                error, value = driver.cuDeviceGetAttribute(number, self.id)
                if not error:
                    return int(value or 0)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def get_primary_context(self) -> Context:
        """The device's context."""
        return Context(self)

    def reset(self) -> None:
        """Free everything on the device. Driver API manual, `cuDevicePrimaryCtxReset`."""
        from cuox.cuda.bindings import driver

        driver.cuDevicePrimaryCtxReset(self.id)

    @property
    def supports_float16(self) -> bool:
        """True if there is arithmetic on float16."""
        return self.compute_capability >= (5, 3)

    @property
    def supports_bfloat16(self) -> bool:
        """True if there is arithmetic on bfloat16."""
        return self.compute_capability >= (8, 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} '{self.name!r}'>"

    def __enter__(self) -> Context:
        return gpus[self.id].__enter__()

    def __exit__(self, *error: object) -> None:
        gpus[self.id].__exit__(*error)


class Context:
    """The context of a device."""

    def __init__(self, device: Device) -> None:
        self.device = device

    @property
    def handle(self) -> Any:
        """The `CUcontext`."""
        from cuox.cuda.bindings import driver

        return driver.cuCtxGetCurrent()[1]

    @property
    def id(self) -> int:
        """The number of the device."""
        return self.device.id

    def get_memory_info(self) -> MemoryInfo:
        """Free and all bytes of the device's memory."""
        from cuox.cuda.bindings import driver

        _, free, total = driver.cuMemGetInfo()
        return MemoryInfo(int(free or 0), int(total or 0))

    def synchronize(self) -> None:
        """Wait for all work; raises what kernels have raised."""
        from . import _raised

        _raised.synchronize()

    def reset(self) -> None:
        """Wait for all work. Memory is given back when its objects are."""
        self.synchronize()

    def memalloc(self, bytesize: int) -> Any:
        """Memory on the device."""
        from ._arrays import device_array

        return device_array(bytesize, "u1").gpu_data

    def create_stream(self) -> Any:
        """A new stream."""
        from ._streams import stream

        return stream()

    def create_event(self, timing: bool = True) -> Any:
        """A new event."""
        from ._streams import event

        return event(timing)

    def get_active_blocks_per_multiprocessor(self, func: Any, blocksize: int, memsize: int, flags: Any = None) -> int:
        """Blocks of a kernel that run on a multiprocessor at once."""
        return int(func.kernel.occupancy.max_active_blocks_per_multiprocessor(blocksize, memsize))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Context) and self.device == other.device

    def __hash__(self) -> int:
        return hash(self.device)

    def __repr__(self) -> str:
        return f"<CUDA context of device {self.device.id}>"


class _Managed:
    """A device of `cuda.gpus`: as a `with` block it is the current one inside."""

    def __init__(self, number: int) -> None:
        self._device = Device(number)
        self._before: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def __enter__(self) -> Context:
        self._before.append(get_current_device().id)
        cuox.Device(self._device.id).set_current()
        return self._device.get_primary_context()

    def __exit__(self, *error: object) -> None:
        cuox.Device(self._before.pop()).set_current()

    def __repr__(self) -> str:
        return f"<Managed Device {self._device.id}>"

    def __str__(self) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (_Managed, Device)) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self._device)


class _Devices:
    """All devices: `cuda.gpus`."""

    def __init__(self) -> None:
        self._all: list[_Managed] | None = None

    @property
    def lst(self) -> list[_Managed]:
        """The devices as a list."""
        if self._all is None:
            try:
                count = cuox.Device.count() if hasattr(cuox.Device, "count") else len(cuox.Device.get_all_devices())
            except Exception as error:
                raise CudaSupportError(str(error)) from error
            self._all = [_Managed(number) for number in range(count)]
        return self._all

    def __getitem__(self, number: int) -> _Managed:
        return self.lst[number]

    def __len__(self) -> int:
        return len(self.lst)

    def __iter__(self) -> Iterator[_Managed]:
        return iter(self.lst)

    def __str__(self) -> str:
        return ", ".join(map(str, self.lst))

    @property
    def current(self) -> Device:
        """The current device."""
        return get_current_device()


gpus = _Devices()


def current_context(devnum: int | None = None) -> Context:
    """The current device's context, or that of a device, which becomes the current one."""
    if devnum is not None:
        cuox.Device(devnum).set_current()
    return Context(get_current_device())


get_context = current_context


def get_current_device() -> Device:
    """The current device."""
    return Device(cuox.Device().device_id)


def select_device(device_id: int) -> Device:
    """Make a device the current one of this thread. Returns it."""
    cuox.Device(device_id).set_current()
    return get_current_device()


def list_devices() -> _Devices:
    """All devices."""
    return gpus


def close() -> None:
    """Wait for all work. Memory is given back when its objects are."""
    cuox.Device().sync()


def require_context(function: _F) -> _F:
    """A decorator: the function is called with a current context."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        cuox.Device().set_current()
        return function(*args, **kwargs)

    return called  # type: ignore[return-value]


def is_available() -> bool:
    """True if there is a device: the software GPU is one."""
    try:
        return len(gpus) > 0
    except CudaSupportError:
        return False


def cuda_error() -> str | None:
    """Why there is no device; None if there is one."""
    try:
        len(gpus)
    except CudaSupportError as error:
        return str(error)
    return None


def is_supported_version() -> bool:
    """True: the driver that is there is one that cuox knows."""
    return True


def is_float16_supported() -> bool:
    """True if the current device has arithmetic on float16."""
    return get_current_device().supports_float16


def is_bfloat16_supported() -> bool:
    """True if the current device has arithmetic on bfloat16."""
    return get_current_device().supports_bfloat16


def detect() -> bool:
    """Print what devices there are. Returns True if there is one."""
    devices = list(gpus)
    print(f"Found {len(devices)} CUDA devices")
    for device in devices:
        major, minor = device.compute_capability
        print(f"id {device.id}    {device.name!r:>30}                              [SUPPORTED]")
        print(f"{'Compute Capability':>40}: {major}.{minor}")
        print(f"{'PCI Device ID':>40}: {device.PCI_DEVICE_ID}")
        print(f"{'PCI Bus ID':>40}: {device.PCI_BUS_ID}")
        print(f"{'UUID':>40}: {device.uuid}")
        print(f"{'Watchdog':>40}: {'Enabled' if device.KERNEL_EXEC_TIMEOUT else 'Disabled'}")
        print(f"{'FP32/FP64 Performance Ratio':>40}: {device.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO}")
    print("Summary:")
    print(f"\t{len(devices)}/{len(devices)} devices are supported")
    return bool(devices)


@contextlib.contextmanager
def profiling() -> Iterator[None]:
    """A `with` block that profilers record."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


def profile_start() -> None:
    """Profilers record from here on. Driver API manual, `cuProfilerStart`."""
    from cuox.cuda.bindings import driver

    driver.cuProfilerStart()


def profile_stop() -> None:
    """Profilers record up to here."""
    from cuox.cuda.bindings import driver

    driver.cuProfilerStop()


class _Runtime:
    """Versions of CUDA."""

    def get_version(self) -> tuple[int, int]:
        """The version of CUDA that the driver has."""
        from cuox.cuda.bindings import driver

        version = int(driver.cuDriverGetVersion()[1] or 0)
        return version // 1000, version % 1000 // 10

    @property
    def supported_versions(self) -> list[tuple[int, int]]:
        """Versions that are known."""
        return [(12, minor) for minor in range(10)] + [(13, 0)]

    def is_supported_version(self) -> bool:
        """True for a version that is known."""
        return True


runtime = _Runtime()
