"""Devices and contexts."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import cuox
from cuox._internal.errors import CUDAError

from .core import config

_F = TypeVar("_F", bound=Callable[..., Any])


class CudaSupportError(RuntimeError):
    """There is no device that can be used. `msg` says why."""

    @property
    def msg(self) -> str:
        """The reason."""
        return str(self)


CudaAPIError = CUDAError
CudaDriverError = CUDAError


def checked(name: str, *args: Any) -> Any:
    """Call a function of the driver. Returns its result, a tuple of several, None without one; raises CudaAPIError."""
    from cuox.cuda.bindings import driver

    error, *results = getattr(driver, name)(*args)
    if error:
        _, text = driver.cuGetErrorString(error)
        description = text.decode() if isinstance(text, bytes) else str(text or "")
        raise CudaAPIError(f"{name}: {error.name} ({int(error)}): {description}", int(error), error.name, description)
    return (results[0] if len(results) == 1 else tuple(results)) if results else None


def require_enabled() -> None:
    """Raise CudaSupportError if the user has switched CUDA off."""
    if config.DISABLE_CUDA:
        raise CudaSupportError(
            "CUDA is disabled due to setting NUMBA_DISABLE_CUDA=1 in the environment, or because CUDA is unsupported on 32-bit systems."
        )


def require_current() -> None:
    """Make sure that this thread has a context."""
    if not int(checked("cuCtxGetCurrent")):
        cuox.Device().set_current()


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
        return _context_of(self)

    def reset(self) -> None:
        """Free everything on the device; the software GPU starts afresh, also after a kernel has failed. Driver API
        manual, `cuDevicePrimaryCtxReset`.
        """
        device = cuox.Device(self.id)
        if device.is_soft:
            device.reset()
        else:
            checked("cuDevicePrimaryCtxReset", self.id)

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
    """The context of a device: `cuda.current_context()`."""

    def __init__(self, device: Any, handle: Any = None) -> None:
        self.device: Device = device if isinstance(device, Device) else Device(int(device))
        self._handle = handle
        self._manager: Any = None

    @property
    def handle(self) -> Any:
        """The `CUcontext`."""
        if self._handle is not None:
            return self._handle
        require_current()
        return checked("cuCtxGetCurrent")

    @property
    def id(self) -> int:
        """The number of the device."""
        return self.device.id

    @property
    def memory_manager(self) -> Any:
        """What makes the memory of device arrays; see `cuda.set_memory_manager`."""
        if self._manager is None:
            from ._pointers import manager_of

            self.memory_manager = manager_of(self)
        return self._manager

    @memory_manager.setter
    def memory_manager(self, manager: Any) -> None:
        from ._pointers import DefaultMemoryManager

        manager.initialize()
        self._manager = manager
        (_own_managers.discard if type(manager) is DefaultMemoryManager else _own_managers.add)(self.id)

    @property
    def deallocations(self) -> Any:
        """Memory that waits to be given back: an object that is always empty, since memory goes back in the order of
        streams.
        """
        return getattr(self.memory_manager, "deallocations", None)

    def get_memory_info(self) -> MemoryInfo:
        """Free and all bytes of the device's memory."""
        info: MemoryInfo = self.memory_manager.get_memory_info()
        return info

    def synchronize(self) -> None:
        """Wait for all work; raises what kernels have raised."""
        from . import _raised

        _raised.synchronize()

    def reset(self) -> None:
        """Wait for all work, and call the callbacks for the end of linked code. Memory is given back when its objects
        are.
        """
        from . import _linking

        self.synchronize()
        _linking.tear_down_all()
        self.memory_manager.reset()

    def push(self) -> None:
        """Make the context the current one of this thread. Driver API manual, `cuCtxPushCurrent`."""
        checked("cuCtxPushCurrent", self.handle)

    def pop(self) -> None:
        """Make the one before current again."""
        checked("cuCtxPopCurrent")

    def memalloc(self, bytesize: int) -> Any:
        """Memory on the device, as a pointer that gives it back when it is gone."""
        return self.memory_manager.memalloc(bytesize)

    def memhostalloc(self, bytesize: int, mapped: bool = False, portable: bool = False, wc: bool = False) -> Any:
        """Pinned memory on the host. mapped: kernels reach it, too."""
        return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def memallocmanaged(self, bytesize: int, attach_global: bool = True) -> Any:
        """Memory that moves between host and device by itself."""
        return self.memory_manager.memallocmanaged(bytesize, attach_global)

    def mempin(self, owner: Any, pointer: Any, size: int, mapped: bool = False) -> Any:
        """Pin memory of the host until the object that is returned is gone."""
        return self.memory_manager.mempin(owner, pointer, size, mapped)

    def get_ipc_handle(self, memory: Any) -> Any:
        """A handle of memory for other processes."""
        return self.memory_manager.get_ipc_handle(memory)

    def create_stream(self) -> Any:
        """A new stream."""
        from ._streams import stream

        return stream()

    def get_default_stream(self) -> Any:
        """The default stream."""
        from ._streams import default_stream

        return default_stream()

    def get_legacy_default_stream(self) -> Any:
        """The legacy default stream."""
        from ._streams import legacy_default_stream

        return legacy_default_stream()

    def get_per_thread_default_stream(self) -> Any:
        """The default stream of the calling thread."""
        from ._streams import per_thread_default_stream

        return per_thread_default_stream()

    def create_external_stream(self, ptr: int) -> Any:
        """The stream of another library by its `CUstream`."""
        from ._streams import external_stream

        return external_stream(ptr)

    def create_event(self, timing: bool = True) -> Any:
        """A new event."""
        from ._streams import event

        return event(timing)

    def create_module_ptx(self, ptx: Any) -> Any:
        """Load PTX. Functions of the module: `module.get_function(name)`."""
        from ._modules import Module

        return Module(ptx)

    create_module_image = create_module_ptx

    def can_access_peer(self, peer_context: Any) -> bool:
        """True if kernels reach the memory of another context's device. Driver API manual, `cuDeviceCanAccessPeer`."""
        return bool(
            checked(
                "cuDeviceCanAccessPeer",
                self.device.id,
                peer_context.device.id if isinstance(peer_context, Context) else int(peer_context),
            )
        )

    def get_active_blocks_per_multiprocessor(self, func: Any, blocksize: int, memsize: int, flags: Any = None) -> int:
        """Blocks of a kernel that run on a multiprocessor at once."""
        return int(func.kernel.occupancy.max_active_blocks_per_multiprocessor(blocksize, memsize))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Context) and self.device == other.device

    def __hash__(self) -> int:
        return hash(self.device)

    def __repr__(self) -> str:
        return f"<CUDA context of device {self.device.id}>"


_contexts: dict[int, Context] = {}


def forget_managers() -> None:
    """Let contexts make their memory managers anew: the class of them was set."""
    for context in _contexts.values():
        context._manager = None
    _own_managers.update(range(len(gpus)))


def own_memory() -> Context | None:
    """The current context if its memory manager is not cuox's."""
    if not _own_managers and config.CUDA_MEMORY_MANAGER == "default":
        return None
    context = current_context()
    context.memory_manager  # noqa: B018
    return context if context.id in _own_managers else None


# Devices whose memory is not made by cuox.
_own_managers: set[int] = set()


def _context_of(device: Device) -> Context:
    """The one context of a device."""
    made = _contexts.get(device.id)
    return made if made is not None else _contexts.setdefault(device.id, Context(device))


class _Managed:
    """A device of `cuda.gpus`: as a `with` block it is the current one inside."""

    def __init__(self, number: int) -> None:
        self._device = Device(number)
        self._before: list[tuple[cuox.Device, int]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def __enter__(self) -> Context:
        self._before.append((cuox.Device(), int(checked("cuCtxGetCurrent"))))
        cuox.Device(self._device.id).set_current()
        return self._device.get_primary_context()

    def __exit__(self, *error: object) -> None:
        device, context = self._before.pop()
        device.set_current()
        checked("cuCtxSetCurrent", context)

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
        require_enabled()
        if self._all is None:
            try:
                count = len(cuox.Device.get_all_devices())
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
    device = get_current_device()
    _require_primary(device)
    return _context_of(device)


def _require_primary(device: Device) -> None:
    handle = int(checked("cuCtxGetCurrent"))
    if not handle:
        cuox.Device(device.id).set_current()
        return
    # Asked for once: a primary context keeps its address as long as it is retained, which cuox does.
    primary = _primary.get(device.id)
    if primary != handle:
        primary = _primary[device.id] = int(checked("cuDevicePrimaryCtxRetain", device.id))
        checked("cuDevicePrimaryCtxRelease", device.id)
    if primary != handle:
        raise RuntimeError(
            f"Numba cannot operate on non-primary CUDA context {handle:x}: pop it, or use the device's primary context"
        )


_primary: dict[int, int] = {}


get_context = current_context


def get_current_device() -> Device:
    """The current device."""
    require_enabled()
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
    require_current()
    checked("cuProfilerStart")


def profile_stop() -> None:
    """Profilers record up to here."""
    require_current()
    checked("cuProfilerStop")


class _Runtime:
    """Versions of CUDA."""

    def get_version(self) -> tuple[int, int]:
        """The version of CUDA that the driver has."""
        version = int(checked("cuDriverGetVersion"))
        return version // 1000, version % 1000 // 10

    @property
    def supported_versions(self) -> list[tuple[int, int]]:
        """Versions that are known."""
        return [(12, minor) for minor in range(10)] + [(13, 0)]

    def is_supported_version(self) -> bool:
        """True for a version that is known."""
        return True


runtime = _Runtime()
