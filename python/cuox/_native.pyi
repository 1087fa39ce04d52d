"""Types of the extension module."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import EllipsisType
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    NoReturn,
    Protocol,
    Self,
    SupportsFloat,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    TypeVar,
    final,
)

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer as _HostMemory
from typing_extensions import CapsuleType, disjoint_base

from ._internal.errors import ComputeCapability, MaxPotentialBlockSizeOccupancyResult, ParamInfo
from ._internal.graphs.condition import GraphCondition
from ._internal.graphs.definition import GraphDefinition
from ._internal.graphs.nodes import GraphNode
from ._internal.graphs.options import GraphCompleteOptions, GraphDebugPrintOptions
from ._internal.handles import CUevent, CUstream
from ._internal.memory.managed import ManagedBuffer
from ._internal.options import (
    DeviceMemoryResourceOptions,
    EventOptions,
    ManagedMemoryResourceOptions,
    PinnedMemoryResourceOptions,
    ProgramOptions,
    StreamOptions,
)
from ._internal.program_caches import ProgramCacheResource
from ._internal.resources import ContextOptions, DeviceResources
from ._internal.tensor_maps import (
    TensorMapDescriptor,
    TensorMapDescriptorOptions,
    TensorMapInterleave,
    TensorMapL2Promotion,
    TensorMapOOBFill,
    TensorMapSwizzle,
)
from ._internal.textures import (
    MipmappedArray,
    MipmappedArrayOptions,
    OpaqueArray,
    OpaqueArrayOptions,
    ResourceDescriptor,
    SurfaceObject,
    TextureObject,
    TextureObjectOptions,
)
from .cuda.core.system import Device as SystemDevice
from .cuda.core.typing import CompilerBackendType, ManagedMemoryLocationType, PCHStatusType

_A = TypeVar("_A")

class _HasCudaStream(Protocol):
    def __cuda_stream__(self) -> tuple[int, int]: ...

class _HasCudaArrayInterface(Protocol):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

class _FunctionPointer(Protocol):
    """`CUoccupancyB2DSize` and its like."""

    def getPtr(self) -> int: ...
    def __int__(self) -> int: ...

class _HasDLPack(Protocol):
    def __dlpack__(self) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

_StreamLike: TypeAlias = Stream | _HasCudaStream
_Size: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | list[SupportsIndex]
_Key: TypeAlias = (
    LaunchConfig
    | tuple[LaunchConfig, _StreamLike | None]
    | tuple[_Size, _Size]
    | tuple[_Size, _Size, _StreamLike | int | None]
    | tuple[_Size, _Size, _StreamLike | int | None, int | None]
)
_Argument: TypeAlias = (
    Buffer
    | Array
    | SupportsIndex
    | SupportsFloat
    | _HostMemory
    | _HasCudaArrayInterface
    | _HasDLPack
    | None
    | object  # a ctypes value or structure, a NumPy record: what the kernel declares decides at run time
)

__version__: Final[str]
LEGACY_DEFAULT_STREAM: Final[Stream]
PER_THREAD_DEFAULT_STREAM: Final[Stream]

@disjoint_base
class Buffer:
    """Memory that a device reaches.

    It is freed when it is closed or collected; `with buffer:` closes it. `Device.allocate` and memory resources make
    buffers.
    """

    @staticmethod
    def from_handle(
        ptr: int,
        size: int,
        mr: MemoryResource | None = None,
        owner: object | None = None,
        *,
        stream: _StreamLike | None = None,
    ) -> Buffer:
        """Wrap memory of another library: `size` bytes at the address `ptr`.

        mr: a memory resource; closing the buffer calls its `deallocate(ptr, size, stream=...)`.
        owner: an object that is kept until the buffer is closed, which frees nothing.
        stream: the stream in whose order `mr` frees the memory, and whose device it is of; None is the current device.

        Raises ValueError for both `mr` and `owner`, TypeError and OverflowError for other values.
        """
    def close(self, stream: _StreamLike | None = None) -> None:
        """Give the memory back, in the order of `stream`, else in the order in which it was allocated.

        Closing twice is fine. Driver API manual, `cuMemFreeAsync`, `cuMemFree`.
        """
    def _free(self) -> None: ...
    def _keeper(self) -> object: ...
    def _views(self) -> int: ...
    def set_deallocation_stream(self, stream: _StreamLike) -> None:
        """Have the memory freed in the order of another stream, when the buffer is closed without one or collected.

        Nothing waits for anything: all uses of the memory are to be in front of what comes in `stream` then.

        Raises ClosedError, TypeError if there is no stream.
        """
    @property
    def ipc_descriptor(self) -> Any:
        """What another process maps the memory by (`from_ipc_descriptor`): an `IPCBufferDescriptor`, which can be pickled.

        A buffer of another process is passed on as it came, even after `close`.

        Raises RuntimeError if the memory resource was made without `ipc_enabled`, ValueError for 0 bytes, ClosedError.
        Driver API manual, `cuMemPoolExportPointer`.
        """
    @staticmethod
    def from_ipc_descriptor(mr: MemoryResource, ipc_descriptor: Any, *, stream: _StreamLike | None = None) -> Buffer:
        """Map a buffer of another process.

        mr: the resource of the other process's pool, which is mapped here (`from_allocation_handle`).
        ipc_descriptor: the `ipc_descriptor` of the buffer there.
        stream: the stream in whose order the memory is given back; None is the default stream. That is to happen before
        the other process frees the memory.

        Raises TypeError, RuntimeError if the resource is not shared, ValueError if the descriptor's size or length is
        not right, CUDAError for a buffer of another pool. Driver API manual, `cuMemPoolImportPointer`.
        """
    def copy_from(self, src: Buffer, *, stream: _StreamLike | None = None, options: Any = None) -> None:
        """Copy another buffer of the same size, in bytes, to this one.

        options: `cuox.cuda.core.utils.CopyOptions`; the stream may then neither be LEGACY_DEFAULT_STREAM nor captured.

        Raises ValueError for another size, TypeError for such streams, ClosedError, CUDAError. Driver API manual,
        `cuMemcpyDtoDAsync`, `cuMemcpyBatchAsync`.
        """
    def copy_from_host(self, src: _HostMemory, *, stream: _StreamLike | None = None) -> None:
        """Copy host memory to the start of the buffer.

        src: contiguous memory of at most `size` bytes: bytes, an array of NumPy, anything with the buffer protocol.
        stream: with one, the copy is in that stream's order, and `src` must stay as it is until then; without one, it is done on return.

        Raises ValueError if there are more bytes than the buffer has, TypeError for objects without memory, ClosedError, CUDAError. Driver API manual,
        `cuMemcpyHtoDAsync`.
        """
    def copy_to(self, dst: Buffer | None = None, *, stream: _StreamLike | None = None, options: Any = None) -> Buffer:
        """Copy this buffer to another one of the same size, in bytes; to a new one of the same memory resource if none is
        given.

        options: as for `copy_from`.

        Returns the buffer that was copied to. Raises as `copy_from` does. Driver API manual, `cuMemcpyDtoDAsync`.
        """
    def copy_to_host(self, dst: _HostMemory, *, stream: _StreamLike | None = None) -> None:
        """Copy from the start of the buffer to host memory.

        dst: contiguous, writable memory of at most `size` bytes.
        stream: with one, the copy is in that stream's order: call `stream.sync()` before reading; without one, it is done on return.

        Raises ValueError if there is room for more bytes than the buffer has, TypeError for objects without writable memory, ClosedError, CUDAError. Driver API
        manual, `cuMemcpyDtoHAsync`.
        """
    def fill(self, value: int | _HostMemory, *, stream: _StreamLike | None = None) -> None:
        """Fill the buffer with one value, repeated.

        value: a byte as an int from 0 to 255, or 1, 2 or 4 bytes, of whose number the size is a multiple.

        Raises ValueError, TypeError, ClosedError, CUDAError. Driver API manual, `cuMemsetD8Async`, `cuMemsetD16Async`,
        `cuMemsetD32Async`.
        """
    @property
    def handle(self) -> int:
        """The address on the device (`CUdeviceptr`); 0 after `close`. Raises ClosedError after `Device.reset`."""
    @property
    def size(self) -> int:
        """The size in bytes; 0 after `close`."""
    @property
    def device(self) -> Device:
        """The device that the memory belongs to."""
    @property
    def device_id(self) -> int:
        """The number of the device that the memory belongs to; -1 for memory of the host that no driver knows."""
    @property
    def is_closed(self) -> bool:
        """True after `close`."""
    @property
    def is_device_accessible(self) -> bool:
        """True if kernels reach the memory."""
    @property
    def is_host_accessible(self) -> bool:
        """True if the host's processor reaches the memory: pinned and managed memory, and everything on the software GPU."""
    @property
    def is_managed(self) -> bool:
        """True for managed memory, which moves between host and device."""
    @property
    def is_mapped(self) -> bool:
        """True for memory of another process that is mapped here; False after `close`."""
    @property
    def memory_resource(self) -> MemoryResource | None:
        """The memory resource that the buffer came from; None for memory of another library, and after `close`."""
    @property
    def owner(self) -> Any:
        """The object that owns the memory (`from_handle`), or None."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn: ...
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __int__(self) -> int: ...
    def __len__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Context:
    """A context: the memory, streams and code of a device in this process. `Device.context` and `Stream.context` get it;
    `Device.create_context` makes one with a part of the device's multiprocessors, a green one.

    Driver API manual, *Context Management*, *Green Contexts*.
    """

    @property
    def handle(self) -> int | None:
        """The `CUcontext`, as an int; None after `close` and after `Device.reset`."""
    @property
    def is_closed(self) -> bool:
        """True after `close` and after `Device.reset`."""
    @property
    def is_green(self) -> bool:
        """True for a context with a part of the device's multiprocessors."""
    @property
    def device(self) -> Device:
        """The device."""
    @property
    def resources(self) -> DeviceResources:
        """The multiprocessors that the context has: DeviceResources. Raises ClosedError."""
    def create_stream(self, options: StreamOptions | Mapping[str, Any] | None = None) -> Stream:
        """Create a stream in a green context: its kernels run on the context's multiprocessors.

        options: StreamOptions, or a dict with some of its fields.

        Raises RuntimeError for another context, whose streams `Device.create_stream` makes, ValueError for a stream
        that waits for the default stream, CUDAError. Driver API manual, `cuGreenCtxStreamCreate`.
        """
    def close(self) -> None:
        """Let go of the context: a green one is destroyed when its streams and events are gone, another one the device
        keeps. Closing twice is fine. Raises RuntimeError for a green context that is current in this thread.
        """
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Device:
    """A GPU, or the software GPU. `Device(0)` is always the same device.

    device_id: its number, from 0 on; None is the current device, or device 0.
    kind: "gpu", "soft" or "auto", for this object; None is what `choose_device` or `CUOX_DEVICE` says.

    Raises NotFoundError if there is no driver of that kind, ValueError if there is no such device.
    """

    def __new__(
        cls, device_id: Device | SupportsIndex | None = None, *, kind: Literal["auto", "gpu", "soft"] | None = None
    ) -> Self: ...
    @staticmethod
    def get_all_devices() -> tuple[Device, ...]:
        """Return a tuple of all devices of the driver that was chosen."""
    def set_current(self, ctx: Context | None = None) -> Context | None:
        """Make this the current device of the calling thread. Driver API manual, `cuCtxSetCurrent`.

        ctx: a context of this device to make current instead, as `Device.context` gives it; then the context that was
        current is returned, or None if there was none. Raises RuntimeError for a context of another device.
        """
    def create_opaque_array(self, options: OpaqueArrayOptions | Mapping[str, Any]) -> OpaqueArray:
        """Create an array for textures and surfaces.

        options: OpaqueArrayOptions, or a dict with its fields.

        Returns OpaqueArray. Raises TypeError and ValueError for options that are wrong, CUDAError. Driver API manual,
        `cuArray3DCreate`.
        """
    def create_mipmapped_array(self, options: MipmappedArrayOptions | Mapping[str, Any]) -> MipmappedArray:
        """Create an array with levels, for textures.

        options: MipmappedArrayOptions, or a dict with its fields.

        Returns MipmappedArray. Raises TypeError and ValueError for options that are wrong, CUDAError. Driver API
        manual, `cuMipmappedArrayCreate`.
        """
    def to_system_device(self) -> SystemDevice:
        """Return the same device as NVML knows it: a `cuox.cuda.core.system.Device` with this UUID.

        Raises NvmlError, such as NotFoundError if the device is not of the driver that NVML tells of.
        """
    def create_texture_object(
        self, *, resource: ResourceDescriptor, options: TextureObjectOptions | Mapping[str, Any] | None = None
    ) -> TextureObject:
        """Create a texture, through which kernels read memory.

        resource: the memory, a ResourceDescriptor.
        options: how it is read: TextureObjectOptions, a dict with some of its fields, or None.

        Returns TextureObject. Raises TypeError and ValueError, CUDAError. Driver API manual, `cuTexObjectCreate`.
        """
    def create_surface_object(self, *, resource: ResourceDescriptor) -> SurfaceObject:
        """Create a surface, through which kernels read and write an array.

        resource: the array, a ResourceDescriptor of one that was made with `is_surface_load_store`.

        Returns SurfaceObject. Raises TypeError and ValueError, CUDAError. Driver API manual, `cuSurfObjectCreate`.
        """
    def use(self) -> None:
        """Make this the current device of the calling thread; the same as `set_current`."""
    def sync(self) -> None:
        """Wait until all work on the device is done; Ctrl-C ends the wait.

        Raises CUDAError, also for a kernel that has failed. Driver API manual, `cuCtxSynchronize`.
        """
    def synchronize(self) -> None:
        """Wait until all work on the device is done; the same as `sync`."""
    def reset(self) -> None:
        """End everything on the device (buffers, streams, events, loaded code), of cuox and of every other library in the
        process, and start afresh. This is the way on after a kernel has failed with an error that stays, such as
        CUDA_ERROR_ILLEGAL_ADDRESS.

        Objects that were made before raise `ClosedError` when they are used; programs that are compiled are loaded
        again by `get_kernel`. Running work is waited for by the driver, or cancelled.

        Raises BufferError while NumPy arrays, memoryviews or tensors still show memory of the device, and while PyTorch
        has memory of the software GPU or pinned memory (`cuox.torch`), CUDAError
        (CUDA_ERROR_NOT_PERMITTED) while green contexts of the device are alive, which their streams and events keep so,
        and CUDAError if the driver cannot start afresh: then the process has to be started again. (Driver API manual,
        `cuDevicePrimaryCtxReset`.)
        """

    def create_stream(
        self, obj: _HasCudaStream | None = None, options: StreamOptions | Mapping[str, Any] | None = None
    ) -> Stream:
        """Create a stream on the device, or wrap a foreign one.

        obj: an object with `__cuda_stream__`, whose stream is wrapped and stays its own; None makes a new stream.
        options: StreamOptions, or a dict with some of its fields.

        Raises TypeError for unknown options, CUDAError. Driver API manual, `cuStreamCreateWithPriority`.
        """
    def create_event(self, options: EventOptions | Mapping[str, Any] | None = None) -> Event:
        """Create an event, in no stream yet.

        options: EventOptions, or a dict with some of its fields.

        Raises TypeError for unknown options, CUDAError. Driver API manual, `cuEventCreate`.
        """
    def create_graph_builder(self) -> GraphBuilder:
        """Create a builder of graphs, on a stream of its own. Driver API manual, *Graph Management*."""
    def allocate(self, size: SupportsIndex, *, stream: _StreamLike | None = None) -> Buffer:
        """Allocate device memory of `size` bytes, in the stream's order; without a stream, in that of the default stream.

        Raises OutOfMemoryError, TypeError and OverflowError for other values. Driver API manual, `cuMemAllocAsync`.
        """
    def mem_alloc(self, nbytes: SupportsIndex) -> Buffer:
        """Allocate device memory of `nbytes` bytes, at once and in no stream's order.

        Raises OutOfMemoryError, TypeError and OverflowError for other values. Driver API manual, `cuMemAlloc`.
        """
    def can_access_peer(self, peer: Device | SupportsIndex) -> bool:
        """Return whether kernels of this device can be allowed to use memory of another; True for the device itself.

        peer: a device, or its number. Raises CUDAError. Driver API manual, `cuDeviceCanAccessPeer`.
        """
    def enable_peer_access(self, peer: Device | SupportsIndex) -> None:
        """Allow kernels of this device to use memory of another, also what is allocated later. Doing so twice is fine.

        peer: a device, or its number. Raises ValueError if the two devices cannot, CUDAError. Driver API manual,
        `cuCtxEnablePeerAccess`, `cuMemPoolSetAccess`.
        """
    def memory_info(self) -> tuple[int, int]:
        """Return the free and the total memory, in bytes. Driver API manual, `cuMemGetInfo`."""
    def create_context(self, options: ContextOptions | Mapping[str, Any] | None = None) -> Context:
        """Create a green context: kernels in its streams run on a part of the device's multiprocessors.

        options: ContextOptions, or a dict with its field: the parts, which `resources.sm.split` gives.

        Raises ValueError without parts or for parts of a dry run, TypeError, CUDAError. Driver API manual, *Green
        Contexts*, `cuGreenCtxCreate`.
        """
    @property
    def resources(self) -> DeviceResources:
        """The resources of the device that green contexts share out: DeviceResources."""
    @property
    def context(self) -> Context:
        """The context of the device, which all libraries of the process share: its primary context; or a green context of
        the device that is current in this thread.
        """
    @property
    def default_stream(self) -> Stream:
        """The default stream of the device, which work goes to that names no stream: always the same object."""
    @property
    def memory_resource(self) -> MemoryResource:
        """The memory resource that `allocate` takes memory from: always the same object; one of the device's default pool
        unless another one is set, for this thread.
        """
    @memory_resource.setter
    def memory_resource(self, value: MemoryResource) -> None: ...
    @property
    def device_id(self) -> int:
        """The number of the device, from 0 on."""
    @property
    def name(self) -> str:
        """The name of the device. Driver API manual, `cuDeviceGetName`."""
    @property
    def uuid(self) -> str:
        """The UUID of the device, as text. Driver API manual, `cuDeviceGetUuid`."""
    @property
    def pci_bus_id(self) -> str:
        """The PCI address of the device: `0000:3b:00.0`. Driver API manual, `cuDeviceGetPCIBusId`."""
    @property
    def compute_capability(self) -> ComputeCapability:
        """The compute capability: a named tuple of `major` and `minor`."""
    @property
    def arch(self) -> str:
        """The compute capability as architecture names spell it: "90"."""
    @property
    def is_soft(self) -> bool:
        """True for cuox's software GPU."""
    @property
    def check(self) -> Literal["memory"] | None:
        """The checks of the software GPU while kernels run: "memory" for every access to global memory, None for none.

        Set to "memory", None or "off" for kernels that start from then on; `CUOX_SOFT_CHECK=memory` in the environment
        is where a
        process begins. A bad access raises CUDAError (`CUDA_ERROR_ILLEGAL_ADDRESS`) where the kernel is waited for.
        Setting it
        to "memory" raises NotImplementedError on a GPU: use NVIDIA's compute-sanitizer there. See
        docs/checking-memory.md.
        """

    @check.setter
    def check(self, value: Literal["memory", "off"] | None) -> None: ...
    @property
    def properties(self) -> DeviceProperties:
        """The attributes of the device by name: `device.properties.warp_size`."""
    def __int__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Device], tuple[int]]: ...

@final
class DeviceProperties:
    """The attributes of a device, by their names in `cuda.h` in lower case: `properties.warp_size`.

    Driver API manual, `CUdevice_attribute`.
    """

    def __getattr__(self, name: str) -> Any: ...
    def __dir__(self) -> list[str]: ...

@disjoint_base
class Event:
    """A mark in a stream that can be waited for and timed.

    `later - earlier` is the time between two events in milliseconds, if both were made with `timing_enabled`.
    """

    def close(self) -> None:
        """Destroy the event. Closing twice is fine."""
    def record(self, stream: _StreamLike | None = None, /) -> None:
        """Record the event in a stream, behind the work that is in it now; without a stream, in the default stream.

        Raises ClosedError, CUDAError. Driver API manual, `cuEventRecord`.
        """
    def sync(self) -> None:
        """Wait until the event is reached; Ctrl-C ends the wait.

        Raises ClosedError, CUDAError, also for a kernel before it that has failed. Driver API manual,
        `cuEventSynchronize`.
        """
    def synchronize(self) -> None:
        """Wait until the event is reached; the same as `sync`."""
    @property
    def is_closed(self) -> bool:
        """True after `close`."""
    @property
    def is_done(self) -> bool:
        """True if the event is reached, or was never recorded; does not wait. Driver API manual, `cuEventQuery`."""
    @property
    def is_timing_enabled(self) -> bool:
        """True if the event keeps its time."""
    @property
    def is_blocking_sync(self) -> bool:
        """True if a thread that waits for the event sleeps instead of polling."""
    @property
    def is_ipc_enabled(self) -> bool:
        """True for events that other processes use too."""
    @property
    def ipc_descriptor(self) -> Any:
        """What another process opens the event by (`from_ipc_descriptor`): an `IPCEventDescriptor`, which can be pickled.

        Raises RuntimeError if the event was made without `ipc_enabled`, ClosedError. Driver API manual,
        `cuIpcGetEventHandle`.
        """
    @classmethod
    def from_ipc_descriptor(cls, ipc_descriptor: Any) -> Event:
        """Open an event of another process by the `ipc_descriptor` that it has there. Its `device` and `context` are None.

        Raises TypeError, CUDAError, also in the process that has made the event. Driver API manual,
        `cuIpcOpenEventHandle`.
        """
    def _exported(self) -> bytes: ...
    @staticmethod
    def _opened(exported: bytes, blocking: bool) -> Event: ...
    @property
    def handle(self) -> CUevent:
        """The `CUevent`: an int, which is taken for a `cuox.cuda.bindings.driver.CUevent`, too; 0 after `close`."""
    @property
    def context(self) -> Context:
        """The context that the event belongs to; None for another process's."""
    @property
    def device(self) -> Device:
        """The device that the event belongs to; None for another process's."""
    def __sub__(self, value: Event, /) -> float: ...
    def __rsub__(self, value: object, /) -> Any: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Graph:
    """A graph of work, launched as one. `GraphBuilder.complete` makes it."""

    def launch(self, stream: _StreamLike) -> None:
        """Put the whole graph into a stream. Driver API manual, `cuGraphLaunch`."""
    def upload(self, stream: _StreamLike) -> None:
        """Bring the graph to the device, so that its first launch costs no more than later ones. Driver API manual,
        `cuGraphUpload`.
        """
    def close(self) -> None:
        """Destroy the graph. Closing twice is fine."""
    @property
    def is_closed(self) -> bool:
        """True after `close`."""
    @property
    def device(self) -> Device:
        """The device that the graph runs on."""
    @property
    def handle(self) -> int:
        """The `CUgraphExec`, as an int; 0 after `close`. Raises ClosedError after `Device.reset`."""
    def update(self, source: GraphBuilder | GraphDefinition) -> None:
        """Take over the parameters of another graph of the same shape.

        source: a GraphBuilder after `end_building`, or a GraphDefinition.

        Raises TypeError for others, ValueError for a builder that has not ended, CUDAError for a graph of another
        shape. Driver API manual, `cuGraphExecUpdate`.
        """
    def __getitem__(self, key: GraphNode, /) -> Any: ...
    def _keep(self, node: int, object: object) -> None: ...

@final
class GraphBuilder:
    """Captures the work that is put into its stream: pass it to `launch` in place of a stream."""

    def begin_building(self, mode: Literal["global", "thread_local", "relaxed"] = "relaxed") -> Self:
        """Begin to capture.

        mode: "global", "thread_local" or "relaxed": the calls of this process that are an error meanwhile.

        Returns the builder. Driver API manual, `cuStreamBeginCapture`.
        """
    def end_building(self) -> Self:
        """End the capture.

        Returns the builder. Driver API manual, `cuStreamEndCapture`.
        """
    def complete(self, options: GraphCompleteOptions | Mapping[str, Any] | None = None) -> Graph:
        """Make a graph of the captured work, which can be launched any number of times. Driver API manual,
        `cuGraphInstantiate`.

        options: GraphCompleteOptions, or a dict with some of its fields.

        Raises RuntimeError before `end_building`, CUDAError.
        """
    def _graph(self) -> tuple[int, object]: ...
    def _body(self, graph: int) -> GraphBuilder: ...
    @property
    def _is_finished(self) -> bool: ...
    def _mark(self) -> _ContextMark: ...
    @property
    def _kept(self) -> list[object]: ...
    @property
    def graph_definition(self) -> GraphDefinition:
        """The captured graph as a `GraphDefinition`, to look at its nodes and to add some.

        Raises RuntimeError before `end_building`, and for a builder that `split` has made.
        """
    def debug_dot_print(self, path: str | PathLike[str], options: GraphDebugPrintOptions | None = None) -> None:
        """Write the captured graph as text for Graphviz.

        path: the file to write. options: GraphDebugPrintOptions.

        Driver API manual, `cuGraphDebugDotPrint`.
        """
    @property
    def is_join_required(self) -> bool:
        """True for a builder that `split` has made: it has to be joined before the graph is ended."""
    def split(self, count: SupportsIndex) -> tuple[GraphBuilder, ...]:
        """Split the builder into `count` ones, whose work goes on from here side by side.

        Returns a tuple of them, of which the first is this one. Raises RuntimeError before `begin_building`, ValueError
        for less than two.
        """
    @staticmethod
    def join(*graph_builders: GraphBuilder) -> GraphBuilder:
        """Join builders that `split` has made, and close all but the one that is returned: later work in that comes after
        all of theirs.

        Raises ValueError for less than two, RuntimeError if one is not building.
        """
    def callback(self, fn: Callable[..., Any], *, user_data: object = None) -> None:
        """Call a function on a thread of the driver at this point of the graph.

        fn: a callable without parameters, which must not use CUDA, or a ctypes function `void (*)(void *)`.
        user_data: for a ctypes function, what it is given: an address, or bytes, which are copied.

        Raises TypeError for a ctypes function of another kind, ValueError for `user_data` of a Python function. Driver
        API manual, `cuLaunchHostFunc`.
        """
    def embed(self, child: GraphBuilder) -> None:
        """Add a graph that another builder has captured, as one node.

        child: a builder after `end_building`.

        Raises ValueError if it has not ended. Driver API manual, `cuGraphAddChildGraphNode`.
        """
    def create_condition(self, default_value: int | None = None) -> GraphCondition:
        """Create a condition for conditional nodes.

        default_value: its number at the beginning of each launch; without one kernels have to set it.

        Returns a GraphCondition, which kernels take as `cudaGraphConditionalHandle`, to set it by
        `cudaGraphSetConditional`. Raises RuntimeError before `begin_building` and after `end_building`. Driver API
        manual, `cuGraphConditionalHandleCreate`.
        """
    def if_then(self, condition: GraphCondition) -> GraphBuilder:
        """Add a graph that runs if a condition is not 0.

        Returns its builder: `begin_building` and `end_building` capture the graph, or its `graph_definition` has
        methods that add nodes. Raises TypeError for other objects than conditions, CUDAError. Driver API manual,
        `cuGraphAddNode`.
        """
    def if_else(self, condition: GraphCondition) -> tuple[GraphBuilder, GraphBuilder]:
        """Add two graphs, of which the first runs if a condition is not 0, else the second.

        Returns a tuple of their builders, as `if_then` one. Raises TypeError, CUDAError.
        """
    def while_loop(self, condition: GraphCondition) -> GraphBuilder:
        """Add a graph that runs again as long as a condition is not 0.

        Returns its builder, as `if_then`. Raises TypeError, CUDAError.
        """
    def switch(self, condition: GraphCondition, count: SupportsIndex) -> tuple[GraphBuilder, ...]:
        """Add `count` graphs, of which that runs whose number a condition has.

        Returns a tuple of their builders, as `if_then` one. Raises TypeError, CUDAError.
        """
    def close(self) -> None:
        """Destroy the captured work; graphs that were made of it stay. Closing twice is fine."""
    @property
    def is_closed(self) -> bool:
        """True after `close`."""
    @property
    def is_building(self) -> bool:
        """True between `begin_building` and `end_building`."""
    @property
    def stream(self) -> Stream:
        """The stream whose work is captured."""
    def __cuda_stream__(self) -> tuple[int, int]: ...

@final
class Kernel:
    """A kernel, ready to be launched: `kernel[grid, block](*args)`, or with a stream `kernel[grid, block, stream](*args)`.

    `ObjectCode.get_kernel` gets it.
    """

    @staticmethod
    def _of_function(function: int) -> Kernel | None: ...
    def _check(self) -> None: ...
    @staticmethod
    def from_handle(handle: int, mod: object | None = None) -> Kernel:
        """Wrap a kernel of another library, which must stay loaded as long as the kernel is used.

        handle: the `CUkernel`. mod: the code that the kernel is of, if there is an object of it, which is kept.

        Warns if the kernel is not of that code. Raises TypeError, CUDAError. Driver API manual, `cuKernelGetFunction`.
        """
    def __getitem__(self, key: _Key, /) -> Callable[..., None]: ...
    def __call__(self, *_args: object, **_kwargs: object) -> NoReturn:
        """A kernel needs a configuration before its arguments: raises TypeError, which says how."""

    @property
    def name(self) -> str:
        """The name in the code (mangled, for C++)."""
    @property
    def signature(self) -> str | None:
        """The signature as text, as far as it is known: `saxpy(float a, const float *x, float *y, int n)`."""
    @property
    def num_arguments(self) -> int:
        """The number of parameters. Raises ValueError if the parameters are not known."""
    @property
    def arguments_info(self) -> list[ParamInfo]:
        """The `(offset, size)` of each parameter, in bytes. Raises ValueError if the parameters are not known."""
    @property
    def attributes(self) -> KernelAttributes:
        """The registers, memory and limits of the kernel, by name."""
    @property
    def occupancy(self) -> KernelOccupancy:
        """The numbers of blocks that fit on a device."""
    @property
    def device(self) -> Device:
        """The device that the kernel was loaded for."""
    @property
    def handle(self) -> int:
        """The `CUkernel`, as an int."""
    @property
    def code(self) -> ObjectCode:
        """The code that the kernel is in."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class KernelAttributes:
    """The registers, memory and limits of a kernel. Driver API manual, `CUfunction_attribute`."""

    def __getitem__(self, key: Device | int, /) -> KernelAttributes: ...
    @property
    def max_threads_per_block(self) -> int:
        """The largest number of threads in a block, which registers may limit."""
    @property
    def shared_size_bytes(self) -> int:
        """The static shared memory of a block, in bytes."""
    @property
    def const_size_bytes(self) -> int:
        """The constant memory of the kernel, in bytes."""
    @property
    def local_size_bytes(self) -> int:
        """The local memory of a thread, in bytes."""
    @property
    def num_regs(self) -> int:
        """The registers of a thread."""
    @property
    def ptx_version(self) -> int:
        """The PTX version that the kernel was compiled for: 90 is 9.0."""
    @property
    def binary_version(self) -> int:
        """The architecture that the kernel was compiled for: 90 is 9.0."""
    @property
    def cache_mode_ca(self) -> bool:
        """True if the kernel was compiled with `-Xptxas --dlcm=ca`."""
    @property
    def cluster_size_must_be_set(self) -> bool:
        """True if a launch needs a cluster's size."""
    @property
    def required_cluster_width(self) -> int:
        """The blocks of a cluster in x that the kernel was compiled for; 0 for any."""
    @property
    def required_cluster_height(self) -> int:
        """The blocks of a cluster in y that the kernel was compiled for; 0 for any."""
    @property
    def required_cluster_depth(self) -> int:
        """The blocks of a cluster in z that the kernel was compiled for; 0 for any."""
    @property
    def non_portable_cluster_size_allowed(self) -> bool:
        """True if clusters may be larger than all devices of this compute capability allow."""
    @property
    def cluster_scheduling_policy_preference(self) -> int:
        """The preferred way to spread a cluster's blocks (`CUclusterSchedulingPolicy`)."""
    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """The most dynamic shared memory of a block, in bytes; can be set. A launch that needs more sets it by itself."""
    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, value: int) -> None: ...
    @property
    def preferred_shared_memory_carveout(self) -> int:
        """The part of the L1 cache that is preferably shared memory, in percent; can be set. -1 is the driver's choice."""
    @preferred_shared_memory_carveout.setter
    def preferred_shared_memory_carveout(self, value: int) -> None: ...

@final
class KernelOccupancy:
    """The numbers of blocks of a kernel that fit on a device. Driver API manual, *Occupancy*."""

    def max_active_blocks_per_multiprocessor(self, block_size: int, dynamic_shared_memory_size: int) -> int:
        """Return the number of blocks that one multiprocessor holds.

        block_size: threads in a block.
        dynamic_shared_memory_size: dynamic shared memory of a block, in bytes.

        Driver API manual, `cuOccupancyMaxActiveBlocksPerMultiprocessor`.
        """
    def available_dynamic_shared_memory_per_block(self, num_blocks_per_multiprocessor: int, block_size: int) -> int:
        """Return the dynamic shared memory of a block, in bytes, with which so many blocks fit on a multiprocessor.

        num_blocks_per_multiprocessor: blocks at once on a multiprocessor.
        block_size: threads in a block.

        Driver API manual, `cuOccupancyAvailableDynamicSMemPerBlock`.
        """
    def max_potential_cluster_size(self, config: LaunchConfig, *, stream: _StreamLike | None = None) -> int:
        """Return the largest number of blocks that a cluster of a launch may have; its cluster's size does not count.

        config: the launch. stream: the stream that it would go into.

        Driver API manual, `cuOccupancyMaxPotentialClusterSize`.
        """
    def max_active_clusters(self, config: LaunchConfig, *, stream: _StreamLike | None = None) -> int:
        """Return the number of clusters of a launch that the device holds at once.

        config: the launch, with a cluster's size. stream: the stream that it would go into.

        Driver API manual, `cuOccupancyMaxActiveClusters`.
        """
    def max_potential_block_size(
        self, dynamic_shared_memory_needed: int | _FunctionPointer, block_size_limit: int
    ) -> MaxPotentialBlockSizeOccupancyResult:
        """Return the block size with the most threads in flight, and the smallest grid that fills the device with it.

        dynamic_shared_memory_needed: dynamic shared memory of a block, in bytes; or a `CUoccupancyB2DSize`, a function
            of C that says it for a number of threads.
        block_size_limit: the largest block size; 0 is the kernel's own limit.

        Driver API manual, `cuOccupancyMaxPotentialBlockSize`.
        """

@final
class LaunchConfig:
    """The number of threads that a kernel is launched with: `grid` blocks of `block` threads.

    grid, block, cluster: an int, or a tuple of up to three: x, y, z. With `cluster`, the grid counts clusters.
    shmem_size: dynamic shared memory of a block, in bytes.
    is_cooperative: all blocks run at once, so that they can wait for each other.
    programmatic_stream_serialization: permission to overlap with the kernel before, of which no use is made yet.

    Raises TypeError and ValueError. Programming guide, *Thread Hierarchy*.
    """

    def __new__(
        cls,
        grid: _Size | None = None,
        cluster: _Size | None = None,
        block: _Size | None = None,
        shmem_size: int | None = None,
        is_cooperative: bool = False,
        programmatic_stream_serialization: bool = False,
    ) -> Self: ...
    @property
    def grid(self) -> tuple[int, int, int]:
        """The blocks in x, y and z; with `cluster`, the clusters."""
    @property
    def block(self) -> tuple[int, int, int]:
        """The threads of a block in x, y and z."""
    @property
    def cluster(self) -> tuple[int, int, int] | None:
        """The blocks of a cluster in x, y and z, or None."""
    @property
    def shmem_size(self) -> int:
        """The dynamic shared memory of a block, in bytes."""
    @property
    def is_cooperative(self) -> bool:
        """True if all blocks run at once."""
    @property
    def programmatic_stream_serialization(self) -> bool:
        """True if the kernel may overlap with the one before it in its stream."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class MemoryResource:
    """The base class of memory resources, which buffers come from.

    A subclass in Python has `allocate(size, *, stream)`, which returns `Buffer.from_handle(ptr, size, mr=self)`,
    `deallocate(ptr, size, *, stream)`, which is called when that buffer is closed, and the properties
    `is_device_accessible`, `is_host_accessible` and `device_id`.
    """

    def __new__(cls, *_args: Any, **_kwargs: Any) -> Self: ...
    def allocate(self, size: SupportsIndex, *, stream: _StreamLike | None = None) -> Buffer:
        """Allocate a buffer of `size` bytes. Each resource has its own."""
    def deallocate(self, ptr: Any, size: int, *, stream: Any = None) -> None:
        """Free memory that `allocate` has given out: `size` bytes at the address `ptr`. Each resource has its own."""
    @property
    def device_id(self) -> int:
        """The number of the device that the memory belongs to; -1 for none."""
    @property
    def is_device_accessible(self) -> bool:
        """True if kernels reach the memory."""
    @property
    def is_host_accessible(self) -> bool:
        """True if the host's processor reaches the memory."""
    @property
    def is_managed(self) -> bool:
        """True for managed memory."""

@final
class _MemPoolAttributes:
    @property
    def reuse_follow_event_dependencies(self) -> bool: ...
    @property
    def reuse_allow_opportunistic(self) -> bool: ...
    @property
    def reuse_allow_internal_dependencies(self) -> bool: ...
    @property
    def release_threshold(self) -> int: ...
    @property
    def reserved_mem_current(self) -> int: ...
    @property
    def reserved_mem_high(self) -> int: ...
    @property
    def used_mem_current(self) -> int: ...
    @property
    def used_mem_high(self) -> int: ...

@disjoint_base
class _MemPool(MemoryResource):
    def close(self) -> None: ...
    @property
    def is_closed(self) -> bool: ...
    def deallocate(self, ptr: Any, size: int, *, stream: Any = None) -> None: ...
    @property
    def attributes(self) -> _MemPoolAttributes: ...
    @property
    def handle(self) -> int: ...
    @property
    def is_handle_owned(self) -> bool: ...
    @property
    def is_ipc_enabled(self) -> bool: ...
    @property
    def is_mapped(self) -> bool: ...
    @property
    def uuid(self) -> Any: ...
    @property
    def allocation_handle(self) -> Any: ...
    @staticmethod
    def from_registry(uuid: Any) -> Any: ...
    def register(self, uuid: Any) -> Any: ...

@disjoint_base
class DeviceMemoryResource(_MemPool):
    """Device memory in a stream's order, from the device's default pool, or with `options` from a pool of its own. Driver
    API manual, *Stream Ordered Memory Allocator*.

    options: DeviceMemoryResourceOptions, or a dict with some of its fields.
    """

    def __new__(
        cls,
        device_id: Device | SupportsIndex | None = None,
        options: DeviceMemoryResourceOptions | Mapping[str, Any] | None = None,
    ) -> Self: ...
    @classmethod
    def from_allocation_handle(cls, device_id: Device | SupportsIndex, alloc_handle: Any) -> DeviceMemoryResource:
        """Map another process's pool. Its memory is mapped by `Buffer.from_ipc_descriptor`.

        device_id: the device, or its number.
        alloc_handle: the `allocation_handle` of the other process's resource, or its file descriptor, which stays the
        caller's. A handle that has come by `multiprocessing` has the resource registered (`register`); if one with its
        UUID is registered already, that is returned.

        Raises TypeError for handles of other resources, ValueError, CUDAError for descriptors of something else. Driver
        API manual, `cuMemPoolImportFromShareableHandle`.
        """
    @staticmethod
    def _of_handle(device: Device, handle: Any) -> DeviceMemoryResource: ...
    def allocate(self, size: SupportsIndex, *, stream: _StreamLike | None = None) -> Buffer:
        """Allocate device memory of `size` bytes, in the stream's order; without a stream, in that of the default stream.

        Raises OutOfMemoryError, ClosedError after `close`. Driver API manual, `cuMemAllocAsync`,
        `cuMemAllocFromPoolAsync`.
        """
    @property
    def device_id(self) -> int:
        """The number of the device."""
    @property
    def device(self) -> Device:
        """The device."""
    @property
    def peer_accessible_by(self) -> Any:
        """The other devices that may read and write the pool's memory: a set, whose changes are made by the driver. It
        takes devices and their numbers. Driver API manual, `cuMemPoolSetAccess`.
        """
    @peer_accessible_by.setter
    def peer_accessible_by(self, value: Any, /) -> None: ...
    def _has_access(self, device: int) -> bool: ...
    def _set_access(self, devices: Sequence[tuple[int, bool]]) -> None: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class LegacyPinnedMemoryResource(MemoryResource):
    """Pinned host memory, which devices read and write, by `cuMemHostAlloc`: in no stream's order."""

    def __new__(cls, device_id: Device | SupportsIndex | None = None) -> Self: ...
    def allocate(self, size: SupportsIndex, *, stream: _StreamLike | None = None) -> Buffer:
        """Allocate memory of `size` bytes, at once; the stream is only checked.

        Raises OutOfMemoryError. Driver API manual, `cuMemHostAlloc`.
        """
    @property
    def device_id(self) -> NoReturn:
        """Raises RuntimeError: the memory is the host's."""

@disjoint_base
class PinnedMemoryResource(_MemPool):
    """Pinned host memory, which devices read and write: in a stream's order from a memory pool, or at once without a
    stream.

    options: PinnedMemoryResourceOptions, or a dict with some of its fields: then the pool is a new one. A number or a
    Device is the device in whose context memory is made.
    """

    def __new__(
        cls, options: PinnedMemoryResourceOptions | Mapping[str, Any] | Device | SupportsIndex | None = None
    ) -> Self: ...
    @classmethod
    def from_allocation_handle(cls, alloc_handle: Any) -> PinnedMemoryResource:
        """Map another process's pool. Its memory is mapped by `Buffer.from_ipc_descriptor`.

        alloc_handle: as for `DeviceMemoryResource.from_allocation_handle`, of a PinnedMemoryResource.

        Raises TypeError for handles of other resources, ValueError, CUDAError for descriptors of something else. Driver
        API manual, `cuMemPoolImportFromShareableHandle`.
        """
    @staticmethod
    def _of_handle(_device: None, handle: Any) -> PinnedMemoryResource: ...
    def allocate(self, size: SupportsIndex, *, stream: _StreamLike | None = None) -> Buffer:
        """Allocate memory of `size` bytes: in the stream's order from the pool; without a stream, or where the driver has
        no such pools and the resource no options, at once.

        Raises OutOfMemoryError, ClosedError after `close`. Driver API manual, `cuMemAllocFromPoolAsync`,
        `cuMemHostAlloc`.
        """
    @property
    def numa_id(self) -> int:
        """The number of the host's NUMA node; -1 for any."""

@disjoint_base
class ManagedMemoryResource(_MemPool):
    """Memory that moves between host and device by itself: in a stream's order from a memory pool, or at once without a
    stream. It gives `ManagedBuffer` objects.

    options: ManagedMemoryResourceOptions, or a dict with some of its fields: then the pool is a new one. A number or a
    Device is the device in whose context memory is made.
    """

    def __new__(
        cls, options: ManagedMemoryResourceOptions | Mapping[str, Any] | Device | SupportsIndex | None = None
    ) -> Self: ...
    def allocate(self, size: SupportsIndex, *, stream: _StreamLike | None = None) -> ManagedBuffer:
        """Allocate memory of `size` bytes, as a `ManagedBuffer`: in the stream's order from the pool; without a stream, or
        where the driver has no such pools and the resource no options, at once.

        Raises OutOfMemoryError, ClosedError after `close`. Driver API manual, `cuMemAllocFromPoolAsync`,
        `cuMemAllocManaged`.
        """
    @property
    def preferred_location(self) -> tuple[ManagedMemoryLocationType, int | None] | None:
        """Where the memory had better be: ("device", number), ("host", None), ("host_numa", number), or None for no
        preference.
        """

@final
class _StridedLayout:
    def __new__(
        cls, shape: Any, strides: Sequence[int] | None, itemsize: int, divide_strides: bool = False
    ) -> Self: ...
    @staticmethod
    def dense(shape: Any, itemsize: int, stride_order: str = "C") -> _StridedLayout: ...
    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...] | None: ...
    @property
    def strides_in_bytes(self) -> tuple[int, ...] | None: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def volume(self) -> int: ...
    @property
    def slice_offset(self) -> int: ...
    @property
    def slice_offset_in_bytes(self) -> int: ...
    @property
    def is_dense(self) -> bool: ...
    @property
    def is_contiguous_c(self) -> bool: ...
    @property
    def is_contiguous_f(self) -> bool: ...
    def required_size_in_bytes(self) -> int: ...
    def __getitem__(self, key: Any, /) -> _StridedLayout: ...
    def __eq__(self, value: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@disjoint_base
class StridedMemoryView:
    """A strided array of any library: where it is, its shape, strides and type of elements.

    `from_any_interface(obj, stream_ptr)` and its like make views; nothing is copied. `exporting_obj` keeps the memory.
    """

    __dlpack_c_exchange_api__: ClassVar[Any]
    __c_dlpack_exchange_api__: ClassVar[Any]
    def __new__(cls, obj: object | None = None, stream_ptr: int | None = None) -> Self: ...
    @classmethod
    def from_dlpack(cls, obj: object, stream_ptr: int | None = None) -> Self:
        """Make a view of an object that speaks DLPack.

        stream_ptr: the `CUstream` that uses the view, as an int, which is put behind the producer's work; -1 for no
        order. For an object with `__dlpack_c_exchange_api__`, no Python code runs.

        Raises BufferError for memory of other devices, and for `stream_ptr=None` but of pinned and managed memory.
        """
    @classmethod
    def from_cuda_array_interface(cls, obj: object, stream_ptr: int | None = None) -> Self:
        """Make a view of an object with the CUDA Array Interface, version 3.

        stream_ptr: as for `from_dlpack`. The type of elements is that of `typestr`.

        Raises BufferError for older versions, masks and `stream_ptr=None`, ValueError for strides that are no multiples
        of the element's size.
        """
    @classmethod
    def from_array_interface(cls, obj: object) -> Self:
        """Make a view of an object in host memory with NumPy's array interface.

        Raises BufferError for versions before 3 and masks, ValueError for strides that are no multiples of the
        element's size.
        """
    @classmethod
    def from_any_interface(cls, obj: object, stream_ptr: int | None = None) -> Self:
        """Make a view of an object that speaks DLPack, else of one with the CUDA Array Interface.

        stream_ptr: the `CUstream` that uses the view, as an int, which is put behind the producer's work; -1 for no
        order.

        Raises BufferError for other objects, and as `from_dlpack` and `from_cuda_array_interface` do.
        """
    @classmethod
    def from_buffer(
        cls,
        buffer: Buffer,
        shape: Any,
        strides: Sequence[int] | None = None,
        *,
        itemsize: int | None = None,
        dtype: Any = None,
        is_readonly: bool = False,
    ) -> Self:
        """Make a view of a buffer's memory. Nothing is put into an order.

        shape: the sizes; strides: in elements, None in C order without gaps; itemsize: bytes of an element, where there
        is no `dtype`.

        Raises ValueError for elements outside the buffer, and if neither or differing `itemsize` and `dtype` are given.
        """
    def view(self, layout: _StridedLayout | None = None, dtype: Any = None) -> Self:
        """Make a view of the same memory with another layout (a part of `_layout`), or another dtype of the same size.

        Returns the view itself if neither is given. Raises ValueError for another size of elements.
        """
    def as_tensor_map(
        self,
        box_dim: Sequence[int] | None = None,
        *,
        options: TensorMapDescriptorOptions | Mapping[str, Any] | None = None,
        element_strides: Sequence[int] | None = None,
        data_type: Any = None,
        interleave: TensorMapInterleave | None = None,
        swizzle: TensorMapSwizzle | None = None,
        l2_promotion: TensorMapL2Promotion | None = None,
        oob_fill: TensorMapOOBFill | None = None,
    ) -> TensorMapDescriptor:
        """Make a tensor map of the memory, by which kernels copy boxes of it to shared memory and back
        (`cp.async.bulk.tensor`): a `TensorMapDescriptor`, which launches take.

        box_dim: the elements that a copy moves along each dimension, from 1 to 256, in the order of the view's shape.
        options: a `TensorMapDescriptorOptions` or a mapping with its names, in place of all other arguments.
        data_type: the type of elements, where it is not the view's: of their size; a view of bytes is one of as many
        elements as they make, along its last dimension.

        The others are as those of `TensorMapDescriptorOptions`; None is the default. The view has one to five
        dimensions, the last of which is contiguous.

        Raises TypeError for arguments of other types, ValueError for a view that the current device does not reach,
        whose address is no multiple of 16 or whose dimensions do not fit, or for a `data_type` of another size than the
        elements where these are not bytes, ClosedError for memory of a buffer that was closed, also in launches,
        CUDAError for values that the driver refuses (CUDA Driver API, `cuTensorMapEncodeTiled`).
        """
    def copy_from(
        self,
        other: StridedMemoryView,
        stream: _StreamLike | None,
        allocator: None = None,
        blocking: bool | None = None,
    ) -> None:
        """Copy the elements of another view of the same shape and dtype to this one.

        stream: the stream of the copy; None is the default stream.
        blocking: True waits for the copy; None does so where one of the two is in host memory. Host memory that is not
        pinned may be waited for in any case.

        Raises NotImplementedError for two views of host memory and for an `allocator`, ValueError for differing shapes
        and views that may only be read, TypeError for differing dtypes, ClosedError for memory of a buffer that was
        closed.
        """
    def copy_to(
        self,
        other: StridedMemoryView,
        stream: _StreamLike | None = None,
        allocator: None = None,
        blocking: bool | None = None,
    ) -> None:
        """Copy the elements of this view to another one of the same shape and dtype: as its `copy_from`."""
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def _check_open(self) -> None: ...
    @property
    def ptr(self) -> int:
        """The address of the first element."""
    @property
    def device_id(self) -> int:
        """The number of the device; -1 for memory that the host alone reaches."""
    @property
    def is_device_accessible(self) -> bool:
        """True if kernels reach the memory."""
    @property
    def readonly(self) -> bool:
        """True if the memory may only be read."""
    @property
    def exporting_obj(self) -> Any:
        """The object whose memory this is."""
    @property
    def _layout(self) -> _StridedLayout: ...
    @property
    def size(self) -> int:
        """The number of elements."""
    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
    @property
    def strides(self) -> tuple[int, ...] | None:
        """Elements (not bytes) from one of a dimension to the next; None in C order without gaps, where nobody has said
        them.
        """
    @property
    def dtype(self) -> Any:
        """The NumPy type of the elements; None if nobody has said it.

        Raises NotImplementedError for types that NumPy has not, such as bfloat16 without `ml_dtypes`.
        """

@final
class ObjectCode:
    """Compiled code, to be loaded onto devices. `Program.compile` makes it."""

    @staticmethod
    def from_ptx(
        module: str | _HostMemory | PathLike[str],
        *,
        name: str | None = None,
        symbol_mapping: dict[str, str] | None = None,
    ) -> ObjectCode:
        """Take PTX that was compiled elsewhere.

        module: the text, or the path of a file with it.
        name: a name for messages.
        symbol_mapping: from name expressions to the names in the code.

        Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
        """
    @staticmethod
    def from_cubin(
        module: str | _HostMemory | PathLike[str],
        *,
        name: str | None = None,
        symbol_mapping: dict[str, str] | None = None,
    ) -> ObjectCode:
        """Take machine code for one architecture that was compiled elsewhere.

        module: the bytes, or the path of a file with them.
        name: a name for messages.
        symbol_mapping: from name expressions to the names in the code.

        Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
        """
    @staticmethod
    def from_fatbin(
        module: str | _HostMemory | PathLike[str],
        *,
        name: str | None = None,
        symbol_mapping: dict[str, str] | None = None,
    ) -> ObjectCode:
        """Take a fat binary, which has code for several architectures that was compiled elsewhere.

        module: the bytes, or the path of a file with them.
        name: a name for messages.
        symbol_mapping: from name expressions to the names in the code.

        Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
        """
    @staticmethod
    def from_ltoir(
        module: str | _HostMemory | PathLike[str],
        *,
        name: str | None = None,
        symbol_mapping: dict[str, str] | None = None,
    ) -> ObjectCode:
        """Take code for link-time optimisation that was compiled elsewhere.

        module: the bytes, or the path of a file with them.
        name: a name for messages.
        symbol_mapping: from name expressions to the names in the code.

        Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
        """
    @staticmethod
    def from_object(
        module: str | _HostMemory | PathLike[str],
        *,
        name: str | None = None,
        symbol_mapping: dict[str, str] | None = None,
    ) -> ObjectCode:
        """Take an object file with device code that was compiled elsewhere, for a linker: it has no kernels to get.

        module: the bytes, or the path of a file with them.
        name: a name for messages.
        symbol_mapping: from name expressions to the names in the code.

        Raises TypeError, OSError if the file cannot be read.
        """
    @staticmethod
    def from_library(
        module: str | _HostMemory | PathLike[str],
        *,
        name: str | None = None,
        symbol_mapping: dict[str, str] | None = None,
    ) -> ObjectCode:
        """Take a static library with device code that was compiled elsewhere, for a linker: it has no kernels to get.

        module: the bytes, or the path of a file with them.
        name: a name for messages.
        symbol_mapping: from name expressions to the names in the code.

        Raises TypeError, OSError if the file cannot be read.
        """
    def get_kernel(self, name: str | bytes) -> Kernel:
        """Get a kernel for the current device: by its name in the code, by a name expression, or by the plain name of a
        C++
        kernel that no other one shares.

        Raises NotFoundError if there is none, CUDAError if the driver refuses the code. Driver API manual,
        `cuLibraryGetKernel`.
        """
    def get_global(self, name: str) -> tuple[int, int]:
        """Return the address and the size in bytes of a `__device__` or `__constant__` variable on the current device.

        Raises NotFoundError, CUDAError. Driver API manual, `cuLibraryGetGlobal`.
        """
    @property
    def handle(self) -> int:
        """The `CUlibrary` on the current device, as an int: the code is loaded now if it is not yet.

        Raises CUDAError if the driver refuses the code. Driver API manual, `cuLibraryLoadData`.
        """
    def get_module(self) -> int:
        """Return the `CUmodule` of the library in the current context, as an int: for functions of the driver that take
        modules. It is the library's, and unloaded with it.

        Raises CUDAError if the driver refuses the code. Driver API manual, `cuLibraryGetModule`.
        """
    @property
    def code(self) -> bytes | str:
        """The bytes of the code; or the path, if it was taken from a file: `bytes(code)` are the bytes either way."""
    def __bytes__(self) -> bytes: ...
    @property
    def name(self) -> str:
        """The name for messages."""
    @property
    def code_type(self) -> Literal["ptx", "cubin", "fatbin", "ltoir", "object", "library"]:
        """The kind of code: "ptx", "cubin", "fatbin", "ltoir", "object" or "library"."""
    @property
    def symbol_mapping(self) -> dict[str, str]:
        """The names in the code, by name expressions."""
    @property
    def kernel_names(self) -> list[str]:
        """The kernels in the code, by the names they have there; empty where the PTX is not known."""
    def _shown_kernel_names(self) -> list[str]: ...
    @staticmethod
    def _restore(
        code_type: str, code: bytes, name: str, symbol_mapping: dict[str, str], ptx: str | None, source: str | None
    ) -> ObjectCode: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

class _Writable(Protocol):
    def write(self, text: str, /) -> object: ...

@final
class Program:
    """CUDA C++ (or PTX, or NVVM IR) to be compiled. A kernel is an attribute: `program.saxpy[grid, block](*args)`.

    code: the source text; NVVM IR may be bitcode.
    code_type: "c++", "ptx" or "nvvm".
    options: ProgramOptions, or a dict with some of its fields.

    Raises TypeError, ValueError, and RuntimeError for another code_type. NVRTC manual; libNVVM API.
    """

    def __new__(
        cls,
        code: str | _HostMemory,
        code_type: str = "c++",
        options: ProgramOptions | dict[str, Any] | None = None,
    ) -> Self: ...
    def compile(
        self,
        target_type: Literal["ptx", "cubin", "ltoir"] | str | Sequence[str | bytes] | None = None,
        name_expressions: str | bytes | Iterable[str | bytes] | None = None,
        logs: _Writable | None = None,
        *,
        options: Iterable[str | bytes] | None = None,
        cache: ProgramCacheResource | None = None,
    ) -> ObjectCode:
        """Compile to "ptx", "cubin" or "ltoir"; or with the compiler's options as a list, to PTX.

        target_type: None is what the current device runs. The architecture is that of the current device unless the
            options say
            another. The software GPU runs PTX: for it "cubin" gives PTX too.
        name_expressions: instances of templates to compile: `"add<float>"`.
        logs: an object with `write`, which gets the compiler's messages.
        options: further options of the compiler's command line.
        cache: a `ProgramCacheResource` (`cuox.cuda.core.utils`): code that it has is taken without compiling, else what
            is compiled is kept in it. Not with name_expressions or options=.

        Returns ObjectCode. Raises CompileError with the compiler's messages, NotFoundError if there is no NVRTC. NVRTC
        manual, `nvrtcCompileProgram`.
        """
    def __getattr__(self, name: str) -> Kernel: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def close(self) -> None:
        """Forget the code that was compiled."""
    @property
    def is_closed(self) -> bool:
        """True after `close`."""
    @property
    def name(self) -> str:
        """The name for messages: `ProgramOptions.name`."""
    @property
    def handle(self) -> Any:
        """The compiler's own object for this source, for functions of its C API: a `nvrtcProgram`, a `nvvmProgram` as an
        int, of PTX the linker's. It is made when it is asked for, compiled as the program is, and destroyed by `close`.
        What `compile` returns does not come from it.

        Raises CUDAError, ClosedError, NotFoundError if there is no such compiler. NVRTC manual, `nvrtcCreateProgram`.
        """
    @property
    def pch_status(self) -> PCHStatusType | None:
        """What has become of the precompiled header that the last `compile` was asked to write, a `PCHStatusType`; None
        before it, and without the options `pch` and `create_pch`. NVRTC manual, `nvrtcGetPCHCreateStatus`.
        """
    @property
    def backend(self) -> CompilerBackendType:
        """The compiler, a `CompilerBackendType`: "NVRTC", "NVVM"; "driver" for PTX, which the driver compiles when it is
        loaded, or "nvJitLink", which compiles PTX to a cubin for a GPU where it is installed.
        """

@final
class _Progress:
    """Work that takes long, in a `with` block: after two seconds a line on a terminal says so."""

    def __new__(cls, what: str) -> Self: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *_exception: object) -> None: ...

@disjoint_base
class Stream:
    """A queue of work on a device. `Device.create_stream` makes one."""

    @staticmethod
    def from_handle(handle: int) -> Stream:
        """Wrap a stream of another library by its `CUstream`, which must live as long as it is used here."""
    def close(self) -> None:
        """Destroy the stream when its work is done. Closing twice is fine; the default streams stay."""
    def sync(self) -> None:
        """Wait until all work in the stream is done; Ctrl-C ends the wait.

        Raises ClosedError, CUDAError, also for a kernel that has failed. Driver API manual, `cuStreamSynchronize`.
        """
    def synchronize(self) -> None:
        """Wait until all work in the stream is done; the same as `sync`."""
    def record(self, event: Event | None = None, options: EventOptions | Mapping[str, Any] | None = None) -> Event:
        """Record an event behind the work that is in the stream now.

        event: an event of this device; None makes one, with `options`.

        Returns the event. Raises ClosedError, CUDAError. Driver API manual, `cuEventRecord`.
        """
    def wait(self, event_or_stream: Event | _StreamLike) -> None:
        """Make later work wait for an event, or for the work that is now in another stream.

        Raises ValueError for anything else, ClosedError, CUDAError. Driver API manual, `cuStreamWaitEvent`.
        """
    def create_graph_builder(self) -> GraphBuilder:
        """Create a builder of graphs that captures the work that is put into this stream."""
    def add_callback(self, function: Callable[..., object], /, *args: object) -> None:
        """Call `function(*args)` on a thread of the driver when the work before it is done; never if that fails.

        It must not use CUDA: a call in which a driver could wait raises `CUDAError` with `CUDA_ERROR_NOT_PERMITTED`. An
        exception in it is
        printed, as those of `__del__` are. The program's end waits for callbacks; then this raises RuntimeError
        (docs/exits-and-interrupts.md). Driver API manual, `cuLaunchHostFunc`.
        """
    @property
    def is_closed(self) -> bool:
        """True after `close`."""
    @property
    def is_done(self) -> bool:
        """True if all work in the stream is done; does not wait. Driver API manual, `cuStreamQuery`."""
    @property
    def is_nonblocking(self) -> bool:
        """True if the stream does not wait for the default stream, nor the other way round."""
    @property
    def priority(self) -> int:
        """The priority; lower numbers run first. Driver API manual, `cuStreamGetPriority`."""
    @property
    def handle(self) -> CUstream:
        """The `CUstream`: an int, which is taken for a `cuox.cuda.bindings.driver.CUstream`, too; 0 after `close`. Raises
        ClosedError after `Device.reset`.
        """
    @property
    def context(self) -> Context:
        """The context that the stream is in; the current one for a default stream."""
    @property
    def resources(self) -> DeviceResources:
        """The multiprocessors that kernels in the stream run on, as those of its context: DeviceResources."""
    @property
    def device(self) -> Device:
        """The device that the stream is on."""
    @property
    def owner(self) -> Any:
        """The foreign object that owns the stream, or None."""
    def __cuda_stream__(self) -> tuple[int, int]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class _Function:
    def __new__(cls, kernel: Kernel) -> Self: ...
    def __call__(self, *args: Any, **kwargs: Any) -> float | None: ...
    def _launch(self, args: tuple[Any, ...], grid: Any, block: Any, stream: Any, shared: int | None) -> None: ...
    def _untyped(self, args: tuple[Any, ...], any_size: bool = False) -> tuple[Any, ...]: ...
    def prepared_call(self, grid: Any, block: Any, *args: Any, shared_size: int | None = None) -> None: ...
    def prepared_async_call(
        self, grid: Any, block: Any, stream: Any, *args: Any, shared_size: int | None = None
    ) -> None: ...
    @property
    def kernel(self) -> Kernel: ...

@disjoint_base
class _PythonKernel:
    def __new__(cls, *_args: Any, **_kwargs: Any) -> Self: ...
    def __call__(self, *_args: Any, **_kwargs: Any) -> None: ...
    def __getitem__(self, key: Any, /) -> _ConfiguredPythonKernel: ...
    def _launch(self, configured: _ConfiguredPythonKernel, args: tuple[Any, ...]) -> None: ...

@final
class _ConfiguredPythonKernel:
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def dispatcher(self) -> _PythonKernel: ...
    @property
    def stream(self) -> Any: ...
    @property
    def griddim(self) -> tuple[int, int, int]: ...
    @property
    def blockdim(self) -> tuple[int, int, int]: ...
    @property
    def sharedmem(self) -> int: ...
    @property
    def cluster(self) -> tuple[int, int, int] | None: ...

@final
class _Launches:
    def __new__(cls) -> Self: ...
    @property
    def are_over(self) -> bool: ...

@final
class _KernelVersion:
    def __new__(
        cls,
        kernel: Kernel,
        named: Sequence[tuple[str, str]],
        held: Sequence[Any],
        *,
        is_cooperative: bool = False,
        block: tuple[tuple[int, int, int], str] | None = None,
        launch: tuple[bool, Sequence[tuple[int, int]]] = ...,
        launched: Callable[[], None] | None = None,
        launches: _Launches | None = None,
        alone: Any = None,
        debugger: Callable[[], Callable[..., int]] | None = None,
    ) -> Self: ...
    @property
    def kernel(self) -> Kernel: ...
    @property
    def is_cooperative(self) -> bool: ...
    @property
    def is_loaded(self) -> bool: ...

@final
class _TranslatedKernel:
    @property
    def text(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def parameters(self) -> list[tuple[str, str]]: ...
    @property
    def result(self) -> str: ...
    @property
    def state(self) -> list[tuple[int, str]]: ...
    @property
    def exceptions(self) -> list[tuple[str, list[str], str, str, int]]: ...
    @property
    def is_cooperative(self) -> bool: ...
    @property
    def has_breakpoints(self) -> bool: ...
    @property
    def block(self) -> tuple[tuple[int, int, int], str] | None: ...
    @property
    def launch(self) -> tuple[bool, list[tuple[int, int]]]: ...
    @property
    def warnings(self) -> list[tuple[str, str, int]]: ...
    @property
    def has_checks(self) -> bool: ...
    @property
    def external(self) -> list[str]: ...

def _best_overloads(declared: Sequence[Sequence[str]], given: Sequence[str]) -> list[int]: ...
def _collective_storage(told: tuple[Any, ...]) -> tuple[int, int]: ...
def _collective_operators() -> list[tuple[str, str]]: ...
def _compiled_texts(file: str) -> list[str]: ...
def _keep_compiled_texts() -> None: ...
def _kernel_functions(namespace: str) -> list[tuple[str, str]]: ...
def _xoroshiro128p_states(count: int, seed: int, start: int) -> bytes: ...
def _translate(environment: Any, types: Sequence[str], **options: Any) -> _TranslatedKernel: ...
def _argument_type(object: Any) -> str | None: ...
def _read_kernel_memory(address: int, size: int) -> bytes: ...
def _write_kernel_memory(address: int, bytes: bytes) -> None: ...
def _pin_kernel_memory(address: int, size: int, on: bool) -> None: ...
def _packed(code: str, object: Any, stream: Any = None) -> bytes: ...

class _ArithmeticArray(Array):
    def __add__(self, value: Any, /) -> Any: ...
    def __radd__(self, value: Any, /) -> Any: ...
    def __iadd__(self, value: Any, /) -> Self: ...
    def __sub__(self, value: Any, /) -> Any: ...
    def __rsub__(self, value: Any, /) -> Any: ...
    def __isub__(self, value: Any, /) -> Self: ...
    def __mul__(self, value: Any, /) -> Any: ...
    def __rmul__(self, value: Any, /) -> Any: ...
    def __imul__(self, value: Any, /) -> Self: ...
    def __truediv__(self, value: Any, /) -> Any: ...
    def __rtruediv__(self, value: Any, /) -> Any: ...
    def __itruediv__(self, value: Any, /) -> Self: ...
    def __floordiv__(self, value: Any, /) -> Any: ...
    def __rfloordiv__(self, value: Any, /) -> Any: ...
    def __ifloordiv__(self, value: Any, /) -> Self: ...
    def __mod__(self, value: Any, /) -> Any: ...
    def __rmod__(self, value: Any, /) -> Any: ...
    def __imod__(self, value: Any, /) -> Self: ...
    def __and__(self, value: Any, /) -> Any: ...
    def __rand__(self, value: Any, /) -> Any: ...
    def __iand__(self, value: Any, /) -> Self: ...
    def __or__(self, value: Any, /) -> Any: ...
    def __ror__(self, value: Any, /) -> Any: ...
    def __ior__(self, value: Any, /) -> Self: ...
    def __xor__(self, value: Any, /) -> Any: ...
    def __rxor__(self, value: Any, /) -> Any: ...
    def __ixor__(self, value: Any, /) -> Self: ...
    def __lshift__(self, value: Any, /) -> Any: ...
    def __rlshift__(self, value: Any, /) -> Any: ...
    def __ilshift__(self, value: Any, /) -> Self: ...
    def __rshift__(self, value: Any, /) -> Any: ...
    def __rrshift__(self, value: Any, /) -> Any: ...
    def __irshift__(self, value: Any, /) -> Self: ...
    def __eq__(self, value: object, /) -> Any: ...
    def __ne__(self, value: object, /) -> Any: ...
    def __lt__(self, value: Any, /) -> Any: ...
    def __le__(self, value: Any, /) -> Any: ...
    def __gt__(self, value: Any, /) -> Any: ...
    def __ge__(self, value: Any, /) -> Any: ...
    def __neg__(self) -> Self: ...
    def __abs__(self) -> Self: ...
    def __invert__(self) -> Self: ...

_ArrayT = TypeVar("_ArrayT", bound=Array)

def _scalar_like(array: _ArrayT, dtype: Any) -> _ArrayT | None: ...

class _PyCudaStream(Stream):
    def __new__(cls, flags: int = 0) -> Self: ...

class _PyCudaEvent(Event):
    def __new__(cls, timing: bool = True, blocking: bool = False) -> Self: ...

@disjoint_base
class _DeviceMemoryPool:
    def __new__(cls, class_: type[Buffer], /) -> Self: ...
    def allocate(self, size: SupportsIndex) -> Any: ...
    def free_held(self) -> None: ...
    def stop_holding(self) -> None: ...
    def bin_number(self, size: int) -> int: ...
    def alloc_size(self, bin: int) -> int: ...
    @property
    def held_blocks(self) -> int: ...
    @property
    def active_blocks(self) -> int: ...
    @property
    def managed_bytes(self) -> int: ...
    @property
    def active_bytes(self) -> int: ...

_B = TypeVar("_B", bound=Buffer)

def _buffer_as(class_: type[_B], buffer: Buffer) -> _B: ...
def _pool_alloc_size(bin: int) -> int: ...
def _pool_bin_number(size: int) -> int: ...
def driver_path() -> PathLike[str]:
    """Return the file of the driver that was chosen."""

def _copy_batch(
    user: str,
    stream: Any,
    sources: Sequence[Buffer],
    destinations: Sequence[Buffer],
    options: Sequence[tuple[int, tuple[int, int] | None, tuple[int, int] | None, int]],
) -> None: ...
def _prefetch_batch(
    user: str, stream: Any, buffers: Sequence[Buffer], places: Sequence[tuple[int, int]] | None, discard: bool
) -> None: ...
def _note_foreign_use() -> None: ...
def _note_work() -> None: ...
def _green_context(device: Device, handle: int) -> Context: ...
def _last_fault() -> str | None: ...

@final
class _Compilation:
    def __new__(cls) -> _Compilation: ...
    def end(self) -> None: ...

def _leave_signals_alone(address: int) -> None: ...
def _kernel_launcher(
    raw: Callable[..., tuple[Any, ...]],
    place: int,
    function: int,
    convert: Callable[[Any, Any, str, int], tuple[int, Any, int]],
    describe: Callable[[Any], tuple[str, list[tuple[int, int]], bytes | None] | None],
) -> Callable[..., Any]: ...
def _source_ptx(text: str, kernel: str, options: Sequence[str], arch: str) -> bytes: ...
def _supply_code(text: str, kernel: str, options: Sequence[str], ptx: bytes) -> None: ...
def _take_code_back(option: str) -> None: ...
def _binary(
    op: str,
    a: object,
    b: object,
    out: Array | None = None,
    *,
    allocator: Callable[[int], Buffer] | None = None,
    stream: _StreamLike | None = None,
) -> Any: ...
def _unary(
    op: str,
    a: object,
    out: Array | None = None,
    *,
    allocator: Callable[[int], Buffer] | None = None,
    stream: _StreamLike | None = None,
) -> Any: ...
def _cast(
    a: _A,
    dtype: npt.DTypeLike,
    *,
    order: Literal["C", "F", "A", "K"] | None = None,
    allocator: Callable[[int], Buffer] | None = None,
    stream: _StreamLike | None = None,
) -> _A: ...

@final
class _Elementwise:
    def __new__(
        cls,
        parameters: Sequence[tuple[str, str, bool]],
        operation: str,
        *,
        name: str = "kernel",
        preamble: str = "",
        loop_prep: str = "",
        after_loop: str = "",
        options: Sequence[str] | None = None,
        pure: bool = False,
    ) -> Self: ...
    def _sources(self, *args: object, n: int) -> list[tuple[str, str, list[str]]]: ...
    def __call__(
        self,
        *args: object,
        n: int | None = None,
        range: tuple[int, int, int] | None = None,
        stream: _StreamLike | None = None,
    ) -> None: ...
    @property
    def name(self) -> str: ...

def _histogram(
    parameters: Sequence[tuple[str, str, bool]],
    c_type: str,
    load_expr: str,
    low_expr: str,
    high_expr: str,
    bins_expr: str,
    counts_expr: str,
    count_type: str,
    *,
    is_float: bool,
    bins: int,
    name: str,
    preamble: str,
    options: Sequence[str],
) -> _Elementwise: ...
def _segmented_reduction(
    parameters: Sequence[tuple[str, str, bool]],
    c_type: str,
    begin_expr: str,
    end_expr: str,
    load_expr: str,
    reduce_expr: str,
    first_expr: str,
    shift_expr: str,
    store: str,
    *,
    item_size: int,
    item_align: int,
    in_memory: bool,
    serial: bool,
    name: str,
    preamble: str,
    options: Sequence[str],
) -> _Elementwise: ...
def _search(
    parameters: Sequence[tuple[str, str, bool]],
    c_type: str,
    value_expr: str,
    count_expr: str,
    before_expr: str,
    store: str,
    *,
    name: str,
    preamble: str,
    options: Sequence[str],
) -> _Elementwise: ...

@final
class _Reduction:
    def __new__(
        cls,
        out_type: str,
        neutral: str | None,
        reduce_expr: str,
        map_expr: str,
        parameters: Sequence[tuple[str, str, bool]],
        *,
        store: str | None = None,
        name: str = "reduce",
        preamble: str = "",
        options: Sequence[str] | None = None,
    ) -> _Reduction: ...
    def _sources(self, *args: object, out: int, n: int) -> list[tuple[str, str, list[str]]]: ...
    def __call__(
        self,
        *args: object,
        out: Array | int,
        axis: int | tuple[int, ...] | None = None,
        n: int | None = None,
        range: tuple[int, int, int] | None = None,
        stream: _StreamLike | None = None,
    ) -> None: ...
    @property
    def name(self) -> str: ...

@final
class _Sort:
    def __new__(
        cls,
        c_type: str,
        item_size: int,
        parameters: Sequence[tuple[str, str, bool]],
        load_expr: str,
        less_expr: str,
        store_statement: str,
        *,
        segments: tuple[str, str] | None = None,
        name: str = "sort",
        preamble: str = "",
        options: Sequence[str] | None = None,
    ) -> Self: ...
    def _sources(self, *args: object, n: int, segments: int = 0) -> list[tuple[str, str, list[str]]]: ...
    def __call__(self, *args: object, n: int, segments: int = 0, stream: _StreamLike | None = None) -> None: ...
    @property
    def name(self) -> str: ...

@final
class _RadixSort:
    def __new__(
        cls, kind: str, key_size: int, value_size: int, value_align: int, *, options: Sequence[str] | None = None
    ) -> Self: ...
    def _sources(self, n: int, descends: bool) -> list[tuple[str, str, list[str]]]: ...
    def __call__(
        self,
        keys: Array,
        out_keys: Array,
        values: Array | None,
        out_values: Array | None,
        n: int,
        begin_bit: int,
        end_bit: int,
        descends: bool,
        *,
        stream: object,
        blocks: tuple[int, int, int, bool] | None = None,
    ) -> None: ...

@final
class _RememberedCalls:
    def __new__(cls, kinds: str, slow: Callable[..., object], iterator: type) -> Self: ...
    def __call__(self, stream: object, *args: object) -> None: ...
    def __len__(self) -> int: ...
    def clear(self) -> None: ...

@final
class _Scan:
    def __new__(
        cls,
        c_type: str,
        parameters: Sequence[tuple[str, str, bool]],
        input_expr: str,
        scan_expr: str,
        neutral: str | None,
        output_statement: str,
        *,
        is_segment_start_expr: str | None = None,
        input_fetch_exprs: Sequence[tuple[str, str, int]] | None = None,
        has_long_expressions: bool = False,
        name: str = "scan",
        preamble: str = "",
        options: Sequence[str] | None = None,
    ) -> _Scan: ...
    def _sources(self, *args: object, n: int) -> list[tuple[str, str, list[str]]]: ...
    def __call__(self, *args: object, n: int | None = None, stream: _StreamLike | None = None) -> None: ...
    @property
    def name(self) -> str: ...

def launch(stream: _StreamLike, config: LaunchConfig, kernel: Kernel, /, *kernel_args: _Argument) -> None:
    """Launch a kernel on a stream.

    config: the grid and the block.
    kernel_args: one value for each parameter of the kernel; numbers become the declared types, an array passes its address.

    Raises TypeError for a value that a parameter does not take, with its name and type; OverflowError for a number out of
    its range; CUDAError. Driver API manual, `cuLaunchKernel`.
    """

def choose_device(kind: Literal["auto", "gpu", "soft"] | None, /) -> None:
    """Choose where devices come from: "gpu", "soft" or "auto" (a GPU if there is one).

    It goes before `CUOX_DEVICE`. None gives the choice back to the environment. Raises ValueError for other words.
    """

class _Report(TypedDict):
    asked: str
    asked_by: str
    chosen: Literal["gpu", "soft"] | None
    reason: str
    nvidia: str
    soft: str

def chosen_driver() -> Literal["gpu", "soft"] | None:
    """Return the kind of driver that is chosen: "gpu", "soft", or None. The software GPU is not loaded for it."""

def choice_report() -> _Report:
    """Return the choice of the driver and the reasons, as a dict of texts."""

def cuda_include_dirs() -> list[PathLike[str]]:
    """Return the folders in which `#include`s of kernels are searched."""

def find_headers(name: str) -> tuple[PathLike[str], str]:
    """Return the folder with a component's headers, and the way it was found. Raises NotFoundError."""

def find_library(name: str) -> tuple[PathLike[str], str]:
    """Return the file of a library, and the way it was found. Raises NotFoundError."""

def catalogue(kind: str) -> list[tuple[str, list[str], list[str], list[str], bool, str]]:
    """Return the names of a kind in the catalogue, each with its files, the libraries that it needs and may need, whether
    it is to see its own symbols first, and whether "toolkit", "driver" or "other" ships it.
    """

def locate(
    kind: str, name: str, before_loader: bool, sites: Sequence[str]
) -> tuple[tuple[PathLike[str], str] | None, list[str]]:
    """Look for a thing of the catalogue in the places before the system's loader, or in those behind it; `sites` are the
    folders with Python's packages. Return its path and the way it was found, or None, and the places that were empty.
    """

def raise_not_found(kind: str, name: str, searched: Sequence[str]) -> None:
    """Raise the NotFoundError for a thing of the catalogue that is in none of these places."""

@final
class _NodeUses: ...

@final
class _ContextMark:
    def __init__(self) -> None: ...
    def check(self) -> None: ...
    @property
    def is_over(self) -> bool: ...

@final
class _HostFunction:
    def __new__(cls, function: Callable[[], Any]) -> Self: ...
    @property
    def address(self) -> int:
        """"""
    @property
    def data(self) -> int:
        """"""

def _attach(graph: int, object: object) -> int: ...
def _detach(graph: int, object: int) -> None: ...
def _update_graph(executable: int, graph: int) -> tuple[int, int]: ...
def _destroy_graph(graph: int) -> None: ...
def _instantiate_graph(graph: int, keeper: object, options: Any = None) -> Graph: ...
def _node_memory(array: Array, is_written: bool) -> tuple[int, _NodeUses]: ...
def _pack_arguments(kernel: Kernel, args: tuple[Any, ...]) -> tuple[bytes, list[tuple[int, int]], _NodeUses]: ...
def known_names() -> list[str]:
    """Return the names that `find_library` knows."""

def load_result(key: bytes) -> bytes | None:
    """Return what was kept under a text; None if there is nothing whole."""

def save_result(key: bytes, body: bytes) -> None:
    """Keep bytes under a text that says all that they depend on. That they cannot be kept is no error."""

def compiler_text(source: str, words: Sequence[str], target: str) -> str:
    """Return a text for what NVRTC makes of a program besides its source and options: the compiler, the architecture, and
    the folders of CUDA's headers if the source includes any.

    words: the compiler's command line. Raises NotFoundError if there is no NVRTC.
    """

def cache_info() -> tuple[PathLike[str], int, int] | None:
    """Return the folder with compiled code, the number of its files and their bytes; None if nothing is kept."""

def clear_cache() -> tuple[int, int]:
    """Remove all compiled code that is kept. Returns the numbers of files and bytes."""

def nvrtc_info() -> tuple[tuple[int, int], PathLike[str], list[int]]:
    """Return NVRTC's version, file and architectures. Raises NotFoundError."""

def nvrtc_include_dirs() -> list[PathLike[str]]:
    """Return the folders in which NVRTC looks for CUDA's headers. Raises NotFoundError."""

def package_of_header(header: str, version: tuple[int, int]) -> str | None:
    """Return what `pip install` takes for the package that has a header of CUDA's, for a version of NVRTC; None if it is
    none.
    """

def nvcc_hints(log: str, version: tuple[int, int]) -> str:
    """Return hints for a log of nvcc's, of CUDA `version`: packages of headers, and what has taken the place of names that
    were removed. Empty if there is nothing to say.
    """

def set_path(name: str, path: str | PathLike[str] | None) -> None:
    """Say where a component is, before everything else that is searched; None takes it back."""

def _nvrtc_supported(options: Sequence[str]) -> tuple[list[str], list[str]]: ...
def _set_up(package: str, site_packages: Sequence[str]) -> None: ...

_Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Order: TypeAlias = Literal["C", "F"]
_AnyOrder: TypeAlias = Literal["C", "F", "A", "K"]
_Subscript: TypeAlias = (
    SupportsIndex | slice | EllipsisType | None | tuple[SupportsIndex | slice | EllipsisType | None, ...] | str
)

@disjoint_base
class Array:
    """Device memory with a shape, strides and a NumPy type of elements.

    Views (`array[1:, ::2]`, `array.T`) share the memory. A kernel's pointer parameter takes an array whose elements are
    those that it points to and lie one after another. There is no arithmetic: kernels do that. Operations without a
    stream go to the stream that the memory was allocated on. See docs/arrays.md.
    """

    def __new__(
        cls,
        shape: _Shape,
        dtype: npt.DTypeLike | None = None,
        *,
        buffer: Buffer | Array | None = None,
        offset: int = 0,
        strides: Sequence[int] | None = None,
        order: _Order | None = None,
        device: Device | SupportsIndex | None = None,
        stream: _StreamLike | None = None,
    ) -> Self:
        """Make an array in memory that is there (`buffer`, from byte `offset` on, with `strides` in bytes), or in new
        memory, as `numpy.ndarray` does.

        Raises ValueError if the elements would lie outside the buffer.
        """

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type of the elements."""
    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element of each dimension to the next."""

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
    @property
    def size(self) -> int:
        """The number of elements."""

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
    @property
    def nbytes(self) -> int:
        """Bytes of all elements, without gaps between them."""
    @property
    def device(self) -> Device:
        """The device that the memory is on."""
    @property
    def buffer(self) -> Buffer:
        """The memory that the elements lie in. Closing it closes all its arrays."""

    @property
    def ptr(self) -> int:
        """The device address of the first element. Raises ClosedError."""

    @property
    def base(self) -> Any:
        """The array of which this is a view, or the object that owns the memory; None for memory of its own."""

    @property
    def is_c_contiguous(self) -> bool:
        """True if the elements lie one after another in C's order, the last dimension fastest."""
    @property
    def is_f_contiguous(self) -> bool:
        """True if the elements lie one after another in Fortran's order, the first dimension fastest."""
    @property
    def is_read_only(self) -> bool:
        """True if the elements may not be written to: a view of `broadcast_to`, or memory whose owner says so."""
    @property
    def T(self) -> Self:
        """A view with the dimensions reversed."""
    def to_host(self, out: npt.NDArray[Any] | None = None, *, stream: _StreamLike | None = None) -> npt.NDArray[Any]:
        """Copy the elements to a NumPy array: a new one of the same order, or `out`, of any strides. Returns it.

        Done on return; with a stream and an `out` in pinned memory in that stream's order. Raises ValueError for an
        `out` of another shape or one that is read-only, TypeError for one of another dtype, ClosedError.
        """

    def copy_from(
        self,
        src: npt.ArrayLike | Array | Buffer | _HasCudaArrayInterface | _HasDLPack,
        *,
        stream: _StreamLike | None = None,
    ) -> None:
        """Copy a host array, a number or an array on a device to all elements, broadcast to the array's shape.

        Values from the host are converted as NumPy does in assignments; those on a device must have the same dtype.
        From the host it is done on return if no stream is given. Raises ValueError for shapes that do not fit and for
        read-only arrays, TypeError for another dtype, ClosedError.
        """

    def copy(self, order: _AnyOrder | None = None, *, stream: _StreamLike | None = None) -> Self:
        """Copy to a new array on the same device: in C's order, with "F" Fortran's, with "K" the array's own, with "A"
        Fortran's if the array has it. Returns the new array.
        """

    def fill(self, value: Any, *, stream: _StreamLike | None = None) -> None:
        """Set all elements to one value, in the order of the stream.

        Raises ValueError for read-only arrays and for values that the dtype does not take, ClosedError.
        """

    def reshape(
        self, *shape: SupportsIndex | Sequence[SupportsIndex], order: Literal["C", "F", "A"] | None = None
    ) -> Self:
        """Show the elements under another shape: a view if that is possible, else of a copy. One size may be -1.

        Raises ValueError if the shape has another number of elements.
        """

    def ravel(self, order: _AnyOrder | None = None) -> Self:
        """Show the elements in one dimension without gaps: a view if that is possible, else of a copy."""

    def flatten(self, order: _AnyOrder | None = None) -> Self:
        """Copy the elements to one dimension."""

    def transpose(self, *axes: SupportsIndex | Sequence[SupportsIndex] | None) -> Self:
        """Return a view with the dimensions in the order `axes`; reversed without it.

        Raises ValueError if `axes` is no permutation of the dimensions.
        """
    def swapaxes(self, axis1: int, axis2: int) -> Self:
        """Return a view with two dimensions exchanged. Raises numpy.exceptions.AxisError for a dimension that there is
        not.
        """
    def squeeze(self, axis: SupportsIndex | Sequence[SupportsIndex] | None = None) -> Self:
        """Return a view without the dimensions of size 1, or without those of `axis`.

        Raises ValueError if one of them has another size.
        """
    def broadcast_to(self, shape: _Shape) -> Self:
        """Show the elements under a larger shape, in which they are repeated. The view is read-only.

        Raises ValueError if the shapes do not fit.
        """

    def view(self, dtype: npt.DTypeLike | None = None) -> Self:
        """Show the bytes as elements of another type.

        Raises ValueError if the size of the elements changes where the last dimension is not contiguous or no multiple
        of it.
        """

    def item(self) -> Any:
        """Copy the only element to the host, as a Python number. Raises ValueError if there are more or none."""

    def tolist(self) -> Any:
        """Copy the elements to the host, as nested lists of Python numbers."""
    def __getitem__(self, key: _Subscript, /) -> Self:
        """A view: integers, slices, `...`, None and names of fields. Integers for all dimensions give an array of no
        dimensions.
        """

    def __setitem__(self, key: _Subscript, value: Any, /) -> None:
        """Copy to a part, as `copy_from` does."""

    def __delitem__(self, key: Any, /) -> NoReturn: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> _ArrayIterator[Self]: ...
    def __contains__(self, key: Any, /) -> NoReturn: ...
    def __bool__(self) -> bool: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __format__(self, spec: str, /) -> str: ...
    def __eq__(self, other: object, /) -> Any: ...
    def __ne__(self, other: object, /) -> Any: ...
    def __lt__(self, other: Any, /) -> NoReturn: ...
    def __le__(self, other: Any, /) -> NoReturn: ...
    def __gt__(self, other: Any, /) -> NoReturn: ...
    def __ge__(self, other: Any, /) -> NoReturn: ...
    def __hash__(self) -> int: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...

@final
class _ArrayIterator(Iterator[_A]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> _A: ...

def empty(
    shape: _Shape,
    dtype: npt.DTypeLike | None = None,
    *,
    order: _Order | None = None,
    device: Device | SupportsIndex | None = None,
    stream: _StreamLike | None = None,
) -> Array:
    """Make an array without particular values, of float64 if no dtype is given.

    On the current device, or the stream's. Raises OutOfMemoryError, which says how much was free.
    """

def zeros(
    shape: _Shape,
    dtype: npt.DTypeLike | None = None,
    *,
    order: _Order | None = None,
    device: Device | SupportsIndex | None = None,
    stream: _StreamLike | None = None,
) -> Array:
    """Make an array of zeros. The arguments and errors are those of `empty`."""

def full(
    shape: _Shape,
    value: Any,
    dtype: npt.DTypeLike | None = None,
    *,
    order: _Order | None = None,
    device: Device | SupportsIndex | None = None,
    stream: _StreamLike | None = None,
) -> Array:
    """Make an array of one value everywhere, or of values that are broadcast to its shape. Without a dtype it is the
    value's.

    The other arguments and the errors are those of `empty`.
    """

def empty_like(
    prototype: Array | npt.ArrayLike,
    dtype: npt.DTypeLike | None = None,
    *,
    order: _AnyOrder | None = None,
    shape: _Shape | None = None,
    device: Device | SupportsIndex | None = None,
    stream: _StreamLike | None = None,
) -> Array:
    """Make an array of the shape, dtype, order, class and device of another, without particular values.

    prototype: a `cuox.Array`, or a host array. The other arguments replace what it says. Raises OutOfMemoryError.
    """

def zeros_like(
    prototype: Array | npt.ArrayLike,
    dtype: npt.DTypeLike | None = None,
    *,
    order: _AnyOrder | None = None,
    shape: _Shape | None = None,
    device: Device | SupportsIndex | None = None,
    stream: _StreamLike | None = None,
) -> Array:
    """Make an array like another, of zeros. The arguments and errors are those of `empty_like`."""

def full_like(
    prototype: Array | npt.ArrayLike,
    value: Any,
    dtype: npt.DTypeLike | None = None,
    *,
    order: _AnyOrder | None = None,
    shape: _Shape | None = None,
    device: Device | SupportsIndex | None = None,
    stream: _StreamLike | None = None,
) -> Array:
    """Make an array like another, of one value everywhere. The other arguments and the errors are those of `empty_like`."""

@final
class _Unordered:
    def __enter__(self) -> _Unordered: ...
    def __exit__(self, *_exception: object) -> None: ...

def unordered(*arrays: Array) -> _Unordered:
    """A context in which no use of these arrays' memory waits for uses in other streams: for kernels in two streams that
    signal each other, which would wait for ever.

        with cuox.unordered(flags):
            producer[1, 1, a](flags)
            consumer[1, 1, b](flags)

    Memory is still freed behind all uses. Raises TypeError for objects that are no `cuox.Array`. See docs/arrays.md.
    """

def to_device(
    x: npt.ArrayLike | Array | Buffer | _HasCudaArrayInterface | _HasDLPack,
    *,
    device: Device | SupportsIndex | None = None,
    stream: _StreamLike | None = None,
) -> Array:
    """Copy anything that NumPy turns into an array, or an array on a device, to a new array in the same order.

    Without a stream the copy is done on return. Raises TypeError for elements that are Python objects,
    OutOfMemoryError.
    """

def as_array(
    x: Array | Buffer | _HasCudaArrayInterface | _HasDLPack | npt.NDArray[Any], *, stream: _StreamLike | None = None
) -> Array:
    """Show another library's array on a device as an array of the same memory, or a `Buffer` as bytes.

    stream: put behind the work that the producer has in its own; the default stream if it is left out. Raises TypeError
    for host memory: use `to_device`. CUDA Array Interface, versions 0 to 3; DLPack.
    """

def from_dlpack(x: Array | Buffer | _HasDLPack | CapsuleType, *, stream: _StreamLike | None = None) -> Array:
    """Show the memory of an object that speaks DLPack, or of a DLPack capsule, as an array.

    stream: as for `as_array`. Raises TypeError for host memory that the device does not reach.
    """

def _restore_array(class_: type[Array], host: npt.NDArray[Any]) -> Array: ...
