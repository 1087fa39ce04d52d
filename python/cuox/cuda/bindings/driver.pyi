"""Bindings of cuda.h."""
# ruff: noqa

from collections.abc import Callable
from enum import IntEnum
from collections.abc import Sequence
from typing import Any, Final

from cuox_bind.bound import Address, Text
from cuox_bind import Handle, Pointer, Record

class CUdevice(Handle):
    """A handle, which stays the library's."""

class CUdeviceptr(Handle):
    """A handle, which stays the library's."""

class CUtexObject(Handle):
    """A handle, which stays the library's."""

class CUsurfObject(Handle):
    """A handle, which stays the library's."""

class CUmemGenericAllocationHandle(Handle):
    """A handle, which stays the library's."""

class CUgraphConditionalHandle(Handle):
    """A handle, which stays the library's."""

class CUlogIterator(Handle):
    """A handle, which stays the library's."""

class EGLImageKHR(Handle):
    """A handle, which stays the library's."""

class EGLSyncKHR(Handle):
    """A handle, which stays the library's."""

class CUcontext(Handle):
    """A handle. One that is yours is ended by cuCtxDestroy() when it is closed or no longer used."""

class CUmodule(Handle):
    """A handle. One that is yours is ended by cuModuleUnload() when it is closed or no longer used."""

class CUfunction(Handle):
    """A handle, which stays the library's."""

class CUlibrary(Handle):
    """A handle. One that is yours is ended by cuLibraryUnload() when it is closed or no longer used."""

class CUkernel(Handle):
    """A handle, which stays the library's."""

class CUarray(Handle):
    """A handle. One that is yours is ended by cuArrayDestroy() when it is closed or no longer used."""

class CUmipmappedArray(Handle):
    """A handle. One that is yours is ended by cuMipmappedArrayDestroy() when it is closed or no longer used."""

class CUtexref(Handle):
    """A handle. One that is yours is ended by cuTexRefDestroy() when it is closed or no longer used."""

class CUsurfref(Handle):
    """A handle, which stays the library's."""

class CUevent(Handle):
    """A handle. One that is yours is ended by cuEventDestroy() when it is closed or no longer used."""

class CUstream(Handle):
    """A handle. One that is yours is ended by cuStreamDestroy() when it is closed or no longer used."""

class CUgraphicsResource(Handle):
    """A handle, which stays the library's."""

class CUexternalMemory(Handle):
    """A handle. One that is yours is ended by cuDestroyExternalMemory() when it is closed or no longer used."""

class CUexternalSemaphore(Handle):
    """A handle. One that is yours is ended by cuDestroyExternalSemaphore() when it is closed or no longer used."""

class CUgraph(Handle):
    """A handle. One that is yours is ended by cuGraphDestroy() when it is closed or no longer used."""

class CUgraphNode(Handle):
    """A handle. One that is yours is ended by cuGraphDestroyNode() when it is closed or no longer used."""

class CUgraphExec(Handle):
    """A handle. One that is yours is ended by cuGraphExecDestroy() when it is closed or no longer used."""

class CUmemoryPool(Handle):
    """A handle. One that is yours is ended by cuMemPoolDestroy() when it is closed or no longer used."""

class CUuserObject(Handle):
    """A handle, which stays the library's."""

class CUgraphDeviceNode(Handle):
    """A handle, which stays the library's."""

class CUasyncCallbackHandle(Handle):
    """A handle, which stays the library's."""

class CUgreenCtx(Handle):
    """A handle. One that is yours is ended by cuGreenCtxDestroy() when it is closed or no longer used."""

class CUlinkState(Handle):
    """A handle. One that is yours is ended by cuLinkDestroy() when it is closed or no longer used."""

class CUdevResourceDesc(Handle):
    """A handle, which stays the library's."""

class CUlogsCallbackHandle(Handle):
    """A handle, which stays the library's."""

class CUeglStreamConnection(Handle):
    """A handle, which stays the library's."""

class EGLStreamKHR(Handle):
    """A handle, which stays the library's."""

class CUuuid(Record):
    """cuda.h:317"""
    def __init__(self, bytes: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def bytes(self) -> bytes:
        ...
    @bytes.setter
    def bytes(self, value: Any) -> None: ...

class CUmemFabricHandle(Record):
    """Fabric handle - An opaque handle representing a memory allocation that can be exported to processes in same or different nodes. For IPC between processes on different nodes they must be connected via the NVSwitch fabric.

    cuda.h:333
    """
    def __init__(self, data: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def data(self) -> bytes:
        ...
    @data.setter
    def data(self, value: Any) -> None: ...

class CUipcEventHandle(Record):
    """CUDA IPC event handle

    cuda.h:341
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUipcMemHandle(Record):
    """CUDA IPC mem handle

    cuda.h:349
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUstreamBatchMemOpParams(Record):
    """Per-operation parameters for cuStreamBatchMemOp

    cuda.h:543
    """
    def __init__(self, operation: CUstreamBatchMemOpType | int = ..., waitValue: CUstreamMemOpWaitValueParams_st | tuple[Any, ...] | dict[str, Any] = ..., writeValue: CUstreamMemOpWriteValueParams_st | tuple[Any, ...] | dict[str, Any] = ..., flushRemoteWrites: CUstreamMemOpFlushRemoteWritesParams_st | tuple[Any, ...] | dict[str, Any] = ..., memoryBarrier: CUstreamMemOpMemoryBarrierParams_st | tuple[Any, ...] | dict[str, Any] = ..., pad: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def operation(self) -> CUstreamBatchMemOpType:
        """Operation. This is the first field of all the union elemets and acts as a TAG to determine which union member is valid."""
        ...
    @operation.setter
    def operation(self, value: CUstreamBatchMemOpType | int) -> None: ...
    @property
    def waitValue(self) -> CUstreamMemOpWaitValueParams_st:
        """Params for CU_STREAM_MEM_OP_WAIT_VALUE_32 and CU_STREAM_MEM_OP_WAIT_VALUE_64 operations."""
        ...
    @waitValue.setter
    def waitValue(self, value: CUstreamMemOpWaitValueParams_st | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def writeValue(self) -> CUstreamMemOpWriteValueParams_st:
        """Params for CU_STREAM_MEM_OP_WRITE_VALUE_32 and CU_STREAM_MEM_OP_WRITE_VALUE_64 operations."""
        ...
    @writeValue.setter
    def writeValue(self, value: CUstreamMemOpWriteValueParams_st | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flushRemoteWrites(self) -> CUstreamMemOpFlushRemoteWritesParams_st:
        """Params for CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES operations."""
        ...
    @flushRemoteWrites.setter
    def flushRemoteWrites(self, value: CUstreamMemOpFlushRemoteWritesParams_st | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memoryBarrier(self) -> CUstreamMemOpMemoryBarrierParams_st:
        """Params for CU_STREAM_MEM_OP_BARRIER operations."""
        ...
    @memoryBarrier.setter
    def memoryBarrier(self, value: CUstreamMemOpMemoryBarrierParams_st | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def pad(self) -> list[int]:
        ...
    @pad.setter
    def pad(self, value: Any) -> None: ...

class CUDA_BATCH_MEM_OP_NODE_PARAMS(Record):
    """Batch memory operation node parameters

    Used in the legacy cuGraphAddBatchMemOpNode api. New code should use cuGraphAddNode()

    cuda.h:583
    """
    def __init__(self, ctx: CUcontext | None | int = ..., count: int = ..., paramArray: CUstreamBatchMemOpParams | Sequence[Any] | Address | None = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def ctx(self) -> CUcontext:
        ...
    @ctx.setter
    def ctx(self, value: CUcontext | None | int) -> None: ...
    @property
    def count(self) -> int:
        ...
    @count.setter
    def count(self, value: int) -> None: ...
    @property
    def paramArray(self) -> list[CUstreamBatchMemOpParams]:
        ...
    @paramArray.setter
    def paramArray(self, value: CUstreamBatchMemOpParams | Sequence[Any] | Address | None) -> None: ...
    @property
    def flags(self) -> int:
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUDA_BATCH_MEM_OP_NODE_PARAMS_v2(Record):
    """Batch memory operation node parameters

    cuda.h:594
    """
    def __init__(self, ctx: CUcontext | None | int = ..., count: int = ..., paramArray: CUstreamBatchMemOpParams | Sequence[Any] | Address | None = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def ctx(self) -> CUcontext:
        """Context to use for the operations."""
        ...
    @ctx.setter
    def ctx(self, value: CUcontext | None | int) -> None: ...
    @property
    def count(self) -> int:
        """Number of operations in paramArray."""
        ...
    @count.setter
    def count(self, value: int) -> None: ...
    @property
    def paramArray(self) -> list[CUstreamBatchMemOpParams]:
        """Array of batch memory operations."""
        ...
    @paramArray.setter
    def paramArray(self, value: CUstreamBatchMemOpParams | Sequence[Any] | Address | None) -> None: ...
    @property
    def flags(self) -> int:
        """Flags to control the node."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUasyncNotificationInfo(Record):
    """Information passed to the user via the async notification callback

    cuda.h:627
    """
    def __init__(self, type: CUasyncNotificationType | int = ..., info: CUasyncNotificationInfo_st_info | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUasyncNotificationType:
        """The type of notification being sent"""
        ...
    @type.setter
    def type(self, value: CUasyncNotificationType | int) -> None: ...
    @property
    def info(self) -> CUasyncNotificationInfo_st_info:
        """Information about the notification. type must be checked in order to interpret this field."""
        ...
    @info.setter
    def info(self, value: CUasyncNotificationInfo_st_info | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUdevprop(Record):
    """Legacy device properties

    cuda.h:883
    """
    def __init__(self, maxThreadsPerBlock: int = ..., maxThreadsDim: Any = ..., maxGridSize: Any = ..., sharedMemPerBlock: int = ..., totalConstantMemory: int = ..., SIMDWidth: int = ..., memPitch: int = ..., regsPerBlock: int = ..., clockRate: int = ..., textureAlign: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def maxThreadsPerBlock(self) -> int:
        """Maximum number of threads per block"""
        ...
    @maxThreadsPerBlock.setter
    def maxThreadsPerBlock(self, value: int) -> None: ...
    @property
    def maxThreadsDim(self) -> list[int]:
        """Maximum size of each dimension of a block"""
        ...
    @maxThreadsDim.setter
    def maxThreadsDim(self, value: Any) -> None: ...
    @property
    def maxGridSize(self) -> list[int]:
        """Maximum size of each dimension of a grid"""
        ...
    @maxGridSize.setter
    def maxGridSize(self, value: Any) -> None: ...
    @property
    def sharedMemPerBlock(self) -> int:
        """Shared memory available per block in bytes"""
        ...
    @sharedMemPerBlock.setter
    def sharedMemPerBlock(self, value: int) -> None: ...
    @property
    def totalConstantMemory(self) -> int:
        """Constant memory available on device in bytes"""
        ...
    @totalConstantMemory.setter
    def totalConstantMemory(self, value: int) -> None: ...
    @property
    def SIMDWidth(self) -> int:
        """Warp size in threads"""
        ...
    @SIMDWidth.setter
    def SIMDWidth(self, value: int) -> None: ...
    @property
    def memPitch(self) -> int:
        """Maximum pitch in bytes allowed by memory copies"""
        ...
    @memPitch.setter
    def memPitch(self, value: int) -> None: ...
    @property
    def regsPerBlock(self) -> int:
        """32-bit registers available per block"""
        ...
    @regsPerBlock.setter
    def regsPerBlock(self, value: int) -> None: ...
    @property
    def clockRate(self) -> int:
        """Clock frequency in kilohertz"""
        ...
    @clockRate.setter
    def clockRate(self, value: int) -> None: ...
    @property
    def textureAlign(self) -> int:
        """Alignment requirement for textures"""
        ...
    @textureAlign.setter
    def textureAlign(self, value: int) -> None: ...

class CUaccessPolicyWindow(Record):
    """Specifies an access policy for a window, a contiguous extent of memory beginning at base_ptr and ending at base_ptr + num_bytes. num_bytes is limited by CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE. Partition into many segments and assign segments such that: sum of "hit segments" / window == approx. ratio. sum of "miss segments" / window == approx 1-ratio. Segments and ratio specifications are fitted to the capabilities of the architecture. Accesses in a hit segment apply the hitProp access policy. Accesses in a miss segment apply the missProp access policy.

    cuda.h:1745
    """
    def __init__(self, base_ptr: Sequence[Any] | Address | None = ..., num_bytes: int = ..., hitRatio: float = ..., hitProp: CUaccessProperty | int = ..., missProp: CUaccessProperty | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def base_ptr(self) -> int:
        """Starting address of the access policy window. CUDA driver may align it."""
        ...
    @base_ptr.setter
    def base_ptr(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def num_bytes(self) -> int:
        """Size in bytes of the window policy. CUDA driver may restrict the maximum size and alignment."""
        ...
    @num_bytes.setter
    def num_bytes(self, value: int) -> None: ...
    @property
    def hitRatio(self) -> float:
        """hitRatio specifies percentage of lines assigned hitProp, rest are assigned missProp."""
        ...
    @hitRatio.setter
    def hitRatio(self, value: float) -> None: ...
    @property
    def hitProp(self) -> CUaccessProperty:
        """CUaccessProperty set for hit."""
        ...
    @hitProp.setter
    def hitProp(self, value: CUaccessProperty | int) -> None: ...
    @property
    def missProp(self) -> CUaccessProperty:
        """CUaccessProperty set for miss. Must be either NORMAL or STREAMING"""
        ...
    @missProp.setter
    def missProp(self, value: CUaccessProperty | int) -> None: ...

class CUDA_KERNEL_NODE_PARAMS_v1(Record):
    """GPU kernel node parameters

    cuda.h:1760
    """
    def __init__(self, func: CUfunction | None | int = ..., gridDimX: int = ..., gridDimY: int = ..., gridDimZ: int = ..., blockDimX: int = ..., blockDimY: int = ..., blockDimZ: int = ..., sharedMemBytes: int = ..., kernelParams: Sequence[Any] | Address | None = ..., extra: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def func(self) -> CUfunction:
        """Kernel to launch"""
        ...
    @func.setter
    def func(self, value: CUfunction | None | int) -> None: ...
    @property
    def gridDimX(self) -> int:
        """Width of grid in blocks"""
        ...
    @gridDimX.setter
    def gridDimX(self, value: int) -> None: ...
    @property
    def gridDimY(self) -> int:
        """Height of grid in blocks"""
        ...
    @gridDimY.setter
    def gridDimY(self, value: int) -> None: ...
    @property
    def gridDimZ(self) -> int:
        """Depth of grid in blocks"""
        ...
    @gridDimZ.setter
    def gridDimZ(self, value: int) -> None: ...
    @property
    def blockDimX(self) -> int:
        """X dimension of each thread block"""
        ...
    @blockDimX.setter
    def blockDimX(self, value: int) -> None: ...
    @property
    def blockDimY(self) -> int:
        """Y dimension of each thread block"""
        ...
    @blockDimY.setter
    def blockDimY(self, value: int) -> None: ...
    @property
    def blockDimZ(self) -> int:
        """Z dimension of each thread block"""
        ...
    @blockDimZ.setter
    def blockDimZ(self, value: int) -> None: ...
    @property
    def sharedMemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @sharedMemBytes.setter
    def sharedMemBytes(self, value: int) -> None: ...
    @property
    def kernelParams(self) -> int:
        """Array of pointers to kernel parameters"""
        ...
    @kernelParams.setter
    def kernelParams(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def extra(self) -> int:
        """Extra options"""
        ...
    @extra.setter
    def extra(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_KERNEL_NODE_PARAMS(Record):
    """GPU kernel node parameters

    cuda.h:1776
    """
    def __init__(self, func: CUfunction | None | int = ..., gridDimX: int = ..., gridDimY: int = ..., gridDimZ: int = ..., blockDimX: int = ..., blockDimY: int = ..., blockDimZ: int = ..., sharedMemBytes: int = ..., kernelParams: Sequence[Any] | Address | None = ..., extra: Sequence[Any] | Address | None = ..., kern: CUkernel | None | int = ..., ctx: CUcontext | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def func(self) -> CUfunction:
        """Kernel to launch"""
        ...
    @func.setter
    def func(self, value: CUfunction | None | int) -> None: ...
    @property
    def gridDimX(self) -> int:
        """Width of grid in blocks"""
        ...
    @gridDimX.setter
    def gridDimX(self, value: int) -> None: ...
    @property
    def gridDimY(self) -> int:
        """Height of grid in blocks"""
        ...
    @gridDimY.setter
    def gridDimY(self, value: int) -> None: ...
    @property
    def gridDimZ(self) -> int:
        """Depth of grid in blocks"""
        ...
    @gridDimZ.setter
    def gridDimZ(self, value: int) -> None: ...
    @property
    def blockDimX(self) -> int:
        """X dimension of each thread block"""
        ...
    @blockDimX.setter
    def blockDimX(self, value: int) -> None: ...
    @property
    def blockDimY(self) -> int:
        """Y dimension of each thread block"""
        ...
    @blockDimY.setter
    def blockDimY(self, value: int) -> None: ...
    @property
    def blockDimZ(self) -> int:
        """Z dimension of each thread block"""
        ...
    @blockDimZ.setter
    def blockDimZ(self, value: int) -> None: ...
    @property
    def sharedMemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @sharedMemBytes.setter
    def sharedMemBytes(self, value: int) -> None: ...
    @property
    def kernelParams(self) -> int:
        """Array of pointers to kernel parameters"""
        ...
    @kernelParams.setter
    def kernelParams(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def extra(self) -> int:
        """Extra options"""
        ...
    @extra.setter
    def extra(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def kern(self) -> CUkernel:
        """Kernel to launch, will only be referenced if func is NULL"""
        ...
    @kern.setter
    def kern(self, value: CUkernel | None | int) -> None: ...
    @property
    def ctx(self) -> CUcontext:
        """Context for the kernel task to run in. The value NULL will indicate the current context should be used by the api. This field is ignored if func is set."""
        ...
    @ctx.setter
    def ctx(self, value: CUcontext | None | int) -> None: ...

class CUDA_KERNEL_NODE_PARAMS_v3(Record):
    """GPU kernel node parameters

    cuda.h:1795
    """
    def __init__(self, func: CUfunction | None | int = ..., gridDimX: int = ..., gridDimY: int = ..., gridDimZ: int = ..., blockDimX: int = ..., blockDimY: int = ..., blockDimZ: int = ..., sharedMemBytes: int = ..., kernelParams: Sequence[Any] | Address | None = ..., extra: Sequence[Any] | Address | None = ..., kern: CUkernel | None | int = ..., ctx: CUcontext | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def func(self) -> CUfunction:
        """Kernel to launch"""
        ...
    @func.setter
    def func(self, value: CUfunction | None | int) -> None: ...
    @property
    def gridDimX(self) -> int:
        """Width of grid in blocks"""
        ...
    @gridDimX.setter
    def gridDimX(self, value: int) -> None: ...
    @property
    def gridDimY(self) -> int:
        """Height of grid in blocks"""
        ...
    @gridDimY.setter
    def gridDimY(self, value: int) -> None: ...
    @property
    def gridDimZ(self) -> int:
        """Depth of grid in blocks"""
        ...
    @gridDimZ.setter
    def gridDimZ(self, value: int) -> None: ...
    @property
    def blockDimX(self) -> int:
        """X dimension of each thread block"""
        ...
    @blockDimX.setter
    def blockDimX(self, value: int) -> None: ...
    @property
    def blockDimY(self) -> int:
        """Y dimension of each thread block"""
        ...
    @blockDimY.setter
    def blockDimY(self, value: int) -> None: ...
    @property
    def blockDimZ(self) -> int:
        """Z dimension of each thread block"""
        ...
    @blockDimZ.setter
    def blockDimZ(self, value: int) -> None: ...
    @property
    def sharedMemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @sharedMemBytes.setter
    def sharedMemBytes(self, value: int) -> None: ...
    @property
    def kernelParams(self) -> int:
        """Array of pointers to kernel parameters"""
        ...
    @kernelParams.setter
    def kernelParams(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def extra(self) -> int:
        """Extra options"""
        ...
    @extra.setter
    def extra(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def kern(self) -> CUkernel:
        """Kernel to launch, will only be referenced if func is NULL"""
        ...
    @kern.setter
    def kern(self, value: CUkernel | None | int) -> None: ...
    @property
    def ctx(self) -> CUcontext:
        """Context for the kernel task to run in. The value NULL will indicate the current context should be used by the api. This field is ignored if func is set."""
        ...
    @ctx.setter
    def ctx(self, value: CUcontext | None | int) -> None: ...

class CUDA_MEMSET_NODE_PARAMS(Record):
    """Memset node parameters

    cuda.h:1813
    """
    def __init__(self, dst: CUdeviceptr = ..., pitch: int = ..., value: int = ..., elementSize: int = ..., width: int = ..., height: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def dst(self) -> CUdeviceptr:
        """Destination device pointer"""
        ...
    @dst.setter
    def dst(self, value: CUdeviceptr) -> None: ...
    @property
    def pitch(self) -> int:
        """Pitch of destination device pointer. Unused if height is 1"""
        ...
    @pitch.setter
    def pitch(self, value: int) -> None: ...
    @property
    def value(self) -> int:
        """Value to be set"""
        ...
    @value.setter
    def value(self, value: int) -> None: ...
    @property
    def elementSize(self) -> int:
        """Size of each element in bytes. Must be 1, 2, or 4."""
        ...
    @elementSize.setter
    def elementSize(self, value: int) -> None: ...
    @property
    def width(self) -> int:
        """Width of the row in elements"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Number of rows"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...

class CUDA_MEMSET_NODE_PARAMS_v2(Record):
    """Memset node parameters

    cuda.h:1826
    """
    def __init__(self, dst: CUdeviceptr = ..., pitch: int = ..., value: int = ..., elementSize: int = ..., width: int = ..., height: int = ..., ctx: CUcontext | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def dst(self) -> CUdeviceptr:
        """Destination device pointer"""
        ...
    @dst.setter
    def dst(self, value: CUdeviceptr) -> None: ...
    @property
    def pitch(self) -> int:
        """Pitch of destination device pointer. Unused if height is 1"""
        ...
    @pitch.setter
    def pitch(self, value: int) -> None: ...
    @property
    def value(self) -> int:
        """Value to be set"""
        ...
    @value.setter
    def value(self, value: int) -> None: ...
    @property
    def elementSize(self) -> int:
        """Size of each element in bytes. Must be 1, 2, or 4."""
        ...
    @elementSize.setter
    def elementSize(self, value: int) -> None: ...
    @property
    def width(self) -> int:
        """Width of the row in elements"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Number of rows"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def ctx(self) -> CUcontext:
        """Context on which to run the node"""
        ...
    @ctx.setter
    def ctx(self, value: CUcontext | None | int) -> None: ...

class CUDA_HOST_NODE_PARAMS(Record):
    """Host node parameters

    cuda.h:1839
    """
    def __init__(self, fn: Callable[[Pointer], object] | None | str | bytes = ..., userData: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fn(self) -> Callable[[Pointer], object]:
        """The function to call when the node executes"""
        ...
    @fn.setter
    def fn(self, value: Callable[[Pointer], object] | None | str | bytes) -> None: ...
    @property
    def userData(self) -> int:
        """Argument to pass to the function"""
        ...
    @userData.setter
    def userData(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_HOST_NODE_PARAMS_v2(Record):
    """Host node parameters

    cuda.h:1848
    """
    def __init__(self, fn: Callable[[Pointer], object] | None | str | bytes = ..., userData: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fn(self) -> Callable[[Pointer], object]:
        """The function to call when the node executes"""
        ...
    @fn.setter
    def fn(self, value: Callable[[Pointer], object] | None | str | bytes) -> None: ...
    @property
    def userData(self) -> int:
        """Argument to pass to the function"""
        ...
    @userData.setter
    def userData(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_CONDITIONAL_NODE_PARAMS(Record):
    """Conditional node parameters

    cuda.h:1870
    """
    def __init__(self, handle: CUgraphConditionalHandle = ..., type: CUgraphConditionalNodeType | int = ..., size: int = ..., phGraph_out: Sequence[Any] | Address | None = ..., ctx: CUcontext | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def handle(self) -> CUgraphConditionalHandle:
        """Conditional node handle. Handles must be created in advance of creating the node using cuGraphConditionalHandleCreate."""
        ...
    @handle.setter
    def handle(self, value: CUgraphConditionalHandle) -> None: ...
    @property
    def type(self) -> CUgraphConditionalNodeType:
        """Type of conditional node."""
        ...
    @type.setter
    def type(self, value: CUgraphConditionalNodeType | int) -> None: ...
    @property
    def size(self) -> int:
        """Size of graph output array. Allowed values are 1 for CU_GRAPH_COND_TYPE_WHILE, 1 or 2 for CU_GRAPH_COND_TYPE_IF, or any value greater than zero for CU_GRAPH_COND_TYPE_SWITCH."""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def phGraph_out(self) -> list[Any]:
        """CUDA-owned array populated with conditional node child graphs during creation of the node. Valid for the lifetime of the conditional node. The contents of the graph(s) are subject to the following constraints:

        - Allowed node types are kernel nodes, empty nodes, child graphs, memsets, memcopies, and conditionals. This applies recursively to child graphs and conditional bodies. - All kernels, including kernels in nested conditionals or child graphs at any level, must belong to the same CUDA context.

        These graphs may be populated using graph node creation APIs or cuStreamBeginCaptureToGraph.

        CU_GRAPH_COND_TYPE_IF: phGraph_out[0] is executed when the condition is non-zero. If size == 2, phGraph_out[1] will be executed when the condition is zero. CU_GRAPH_COND_TYPE_WHILE: phGraph_out[0] is executed as long as the condition is non-zero. CU_GRAPH_COND_TYPE_SWITCH: phGraph_out[n] is executed when the condition is equal to n. If the condition >= size, no body graph is executed.
        """
        ...
    @phGraph_out.setter
    def phGraph_out(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def ctx(self) -> CUcontext:
        """Context on which to run the node. Must match context used to create the handle and all body nodes."""
        ...
    @ctx.setter
    def ctx(self, value: CUcontext | None | int) -> None: ...

class CUgraphEdgeData(Record):
    """Optional annotation for edges in a CUDA graph. Note, all edges implicitly have annotations and default to a zero-initialized value if not specified. A zero-initialized struct indicates a standard full serialization of two nodes with memory visibility.

    cuda.h:1970
    """
    def __init__(self, from_port: int = ..., to_port: int = ..., type: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def from_port(self) -> int:
        """This indicates when the dependency is triggered from the upstream node on the edge. The meaning is specfic to the node type. A value of 0 in all cases means full completion of the upstream node, with memory visibility to the downstream node or portion thereof (indicated by to_port). <br> Only kernel nodes define non-zero ports. A kernel node can use the following output port types: CU_GRAPH_KERNEL_NODE_PORT_DEFAULT, CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, or CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER."""
        ...
    @from_port.setter
    def from_port(self, value: int) -> None: ...
    @property
    def to_port(self) -> int:
        """This indicates what portion of the downstream node is dependent on the upstream node or portion thereof (indicated by from_port). The meaning is specific to the node type. A value of 0 in all cases means the entirety of the downstream node is dependent on the upstream work. <br> Currently no node types define non-zero ports. Accordingly, this field must be set to zero."""
        ...
    @to_port.setter
    def to_port(self, value: int) -> None: ...
    @property
    def type(self) -> int:
        """This should be populated with a value from CUgraphDependencyType. (It is typed as char due to compiler-specific layout of bitfields.) See CUgraphDependencyType."""
        ...
    @type.setter
    def type(self, value: int) -> None: ...
    @property
    def reserved(self) -> bytes:
        """These bytes are unused and must be zeroed. This ensures compatibility if additional fields are added in the future."""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_GRAPH_INSTANTIATE_PARAMS(Record):
    """Graph instantiation parameters

    cuda.h:2011
    """
    def __init__(self, flags: int = ..., hUploadStream: CUstream | None | int = ..., hErrNode_out: CUgraphNode | None | int = ..., result_out: CUgraphInstantiateResult | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def flags(self) -> int:
        """Instantiation flags"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def hUploadStream(self) -> CUstream:
        """Upload stream"""
        ...
    @hUploadStream.setter
    def hUploadStream(self, value: CUstream | None | int) -> None: ...
    @property
    def hErrNode_out(self) -> CUgraphNode:
        """The node which caused instantiation to fail, if any"""
        ...
    @hErrNode_out.setter
    def hErrNode_out(self, value: CUgraphNode | None | int) -> None: ...
    @property
    def result_out(self) -> CUgraphInstantiateResult:
        """Whether instantiation was successful. If it failed, the reason why"""
        ...
    @result_out.setter
    def result_out(self, value: CUgraphInstantiateResult | int) -> None: ...

class CUlaunchMemSyncDomainMap(Record):
    """Memory Synchronization Domain map

    See cudaLaunchMemSyncDomain.

    By default, kernels are launched in domain 0. Kernel launched with CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE will have a different domain ID. User may also alter the domain ID with CUlaunchMemSyncDomainMap for a specific stream / graph node / kernel launch. See CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP.

    Domain ID range is available through CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT.

    cuda.h:2067
    """
    def __init__(self, default_: int = ..., remote: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def default_(self) -> int:
        """The default domain ID to use for designated kernels"""
        ...
    @default_.setter
    def default_(self, value: int) -> None: ...
    @property
    def remote(self) -> int:
        """The remote domain ID to use for designated kernels"""
        ...
    @remote.setter
    def remote(self, value: int) -> None: ...

class CUlaunchAttributeValue(Record):
    """Launch attributes union; used as value field of CUlaunchAttribute

    cuda.h:2246
    """
    def __init__(self, pad: Any = ..., accessPolicyWindow: CUaccessPolicyWindow | tuple[Any, ...] | dict[str, Any] = ..., cooperative: int = ..., syncPolicy: CUsynchronizationPolicy | int = ..., clusterDim: CUlaunchAttributeValue_union_clusterDim | tuple[Any, ...] | dict[str, Any] = ..., clusterSchedulingPolicyPreference: CUclusterSchedulingPolicy | int = ..., programmaticStreamSerializationAllowed: int = ..., programmaticEvent: CUlaunchAttributeValue_union_programmaticEvent | tuple[Any, ...] | dict[str, Any] = ..., launchCompletionEvent: CUlaunchAttributeValue_union_launchCompletionEvent | tuple[Any, ...] | dict[str, Any] = ..., priority: int = ..., memSyncDomainMap: CUlaunchMemSyncDomainMap | tuple[Any, ...] | dict[str, Any] = ..., memSyncDomain: CUlaunchMemSyncDomain | int = ..., preferredClusterDim: CUlaunchAttributeValue_union_preferredClusterDim | tuple[Any, ...] | dict[str, Any] = ..., deviceUpdatableKernelNode: CUlaunchAttributeValue_union_deviceUpdatableKernelNode | tuple[Any, ...] | dict[str, Any] = ..., sharedMemCarveout: int = ..., nvlinkUtilCentricScheduling: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def pad(self) -> bytes:
        """Pad to 64 bytes"""
        ...
    @pad.setter
    def pad(self, value: Any) -> None: ...
    @property
    def accessPolicyWindow(self) -> CUaccessPolicyWindow:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW."""
        ...
    @accessPolicyWindow.setter
    def accessPolicyWindow(self, value: CUaccessPolicyWindow | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def cooperative(self) -> int:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_COOPERATIVE. Nonzero indicates a cooperative kernel (see cuLaunchCooperativeKernel)."""
        ...
    @cooperative.setter
    def cooperative(self, value: int) -> None: ...
    @property
    def syncPolicy(self) -> CUsynchronizationPolicy:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY. CUsynchronizationPolicy for work queued up in this stream"""
        ...
    @syncPolicy.setter
    def syncPolicy(self, value: CUsynchronizationPolicy | int) -> None: ...
    @property
    def clusterDim(self) -> CUlaunchAttributeValue_union_clusterDim:
        ...
    @clusterDim.setter
    def clusterDim(self, value: CUlaunchAttributeValue_union_clusterDim | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def clusterSchedulingPolicyPreference(self) -> CUclusterSchedulingPolicy:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE. Cluster scheduling policy preference for the kernel."""
        ...
    @clusterSchedulingPolicyPreference.setter
    def clusterSchedulingPolicyPreference(self, value: CUclusterSchedulingPolicy | int) -> None: ...
    @property
    def programmaticStreamSerializationAllowed(self) -> int:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION."""
        ...
    @programmaticStreamSerializationAllowed.setter
    def programmaticStreamSerializationAllowed(self, value: int) -> None: ...
    @property
    def programmaticEvent(self) -> CUlaunchAttributeValue_union_programmaticEvent:
        ...
    @programmaticEvent.setter
    def programmaticEvent(self, value: CUlaunchAttributeValue_union_programmaticEvent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def launchCompletionEvent(self) -> CUlaunchAttributeValue_union_launchCompletionEvent:
        ...
    @launchCompletionEvent.setter
    def launchCompletionEvent(self, value: CUlaunchAttributeValue_union_launchCompletionEvent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def priority(self) -> int:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_PRIORITY. Execution priority of the kernel."""
        ...
    @priority.setter
    def priority(self, value: int) -> None: ...
    @property
    def memSyncDomainMap(self) -> CUlaunchMemSyncDomainMap:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP. See CUlaunchMemSyncDomainMap."""
        ...
    @memSyncDomainMap.setter
    def memSyncDomainMap(self, value: CUlaunchMemSyncDomainMap | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memSyncDomain(self) -> CUlaunchMemSyncDomain:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN. SeeCUlaunchMemSyncDomain"""
        ...
    @memSyncDomain.setter
    def memSyncDomain(self, value: CUlaunchMemSyncDomain | int) -> None: ...
    @property
    def preferredClusterDim(self) -> CUlaunchAttributeValue_union_preferredClusterDim:
        ...
    @preferredClusterDim.setter
    def preferredClusterDim(self, value: CUlaunchAttributeValue_union_preferredClusterDim | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def deviceUpdatableKernelNode(self) -> CUlaunchAttributeValue_union_deviceUpdatableKernelNode:
        ...
    @deviceUpdatableKernelNode.setter
    def deviceUpdatableKernelNode(self, value: CUlaunchAttributeValue_union_deviceUpdatableKernelNode | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def sharedMemCarveout(self) -> int:
        """Value of launch attribute CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT."""
        ...
    @sharedMemCarveout.setter
    def sharedMemCarveout(self, value: int) -> None: ...
    @property
    def nvlinkUtilCentricScheduling(self) -> int:
        ...
    @nvlinkUtilCentricScheduling.setter
    def nvlinkUtilCentricScheduling(self, value: int) -> None: ...

class CUlaunchAttribute(Record):
    """Launch attribute

    cuda.h:2340
    """
    def __init__(self, id: CUlaunchAttributeID | int = ..., pad: Any = ..., value: CUlaunchAttributeValue | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def id(self) -> CUlaunchAttributeID:
        """Attribute to set"""
        ...
    @id.setter
    def id(self, value: CUlaunchAttributeID | int) -> None: ...
    @property
    def pad(self) -> bytes:
        ...
    @pad.setter
    def pad(self, value: Any) -> None: ...
    @property
    def value(self) -> CUlaunchAttributeValue:
        """Value of the attribute"""
        ...
    @value.setter
    def value(self, value: CUlaunchAttributeValue | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUlaunchConfig(Record):
    """CUDA extensible launch configuration

    cuda.h:2349
    """
    def __init__(self, gridDimX: int = ..., gridDimY: int = ..., gridDimZ: int = ..., blockDimX: int = ..., blockDimY: int = ..., blockDimZ: int = ..., sharedMemBytes: int = ..., hStream: CUstream | None | int = ..., attrs: CUlaunchAttribute | Sequence[Any] | Address | None = ..., numAttrs: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def gridDimX(self) -> int:
        """Width of grid in blocks"""
        ...
    @gridDimX.setter
    def gridDimX(self, value: int) -> None: ...
    @property
    def gridDimY(self) -> int:
        """Height of grid in blocks"""
        ...
    @gridDimY.setter
    def gridDimY(self, value: int) -> None: ...
    @property
    def gridDimZ(self) -> int:
        """Depth of grid in blocks"""
        ...
    @gridDimZ.setter
    def gridDimZ(self, value: int) -> None: ...
    @property
    def blockDimX(self) -> int:
        """X dimension of each thread block"""
        ...
    @blockDimX.setter
    def blockDimX(self, value: int) -> None: ...
    @property
    def blockDimY(self) -> int:
        """Y dimension of each thread block"""
        ...
    @blockDimY.setter
    def blockDimY(self, value: int) -> None: ...
    @property
    def blockDimZ(self) -> int:
        """Z dimension of each thread block"""
        ...
    @blockDimZ.setter
    def blockDimZ(self, value: int) -> None: ...
    @property
    def sharedMemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @sharedMemBytes.setter
    def sharedMemBytes(self, value: int) -> None: ...
    @property
    def hStream(self) -> CUstream:
        """Stream identifier"""
        ...
    @hStream.setter
    def hStream(self, value: CUstream | None | int) -> None: ...
    @property
    def attrs(self) -> list[CUlaunchAttribute]:
        """List of attributes; nullable if CUlaunchConfignumAttrs == 0"""
        ...
    @attrs.setter
    def attrs(self, value: CUlaunchAttribute | Sequence[Any] | Address | None) -> None: ...
    @property
    def numAttrs(self) -> int:
        """Number of attributes populated in CUlaunchConfigattrs"""
        ...
    @numAttrs.setter
    def numAttrs(self, value: int) -> None: ...

class CUexecAffinitySmCount(Record):
    """Value for CU_EXEC_AFFINITY_TYPE_SM_COUNT

    cuda.h:2436
    """
    def __init__(self, val: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def val(self) -> int:
        """The number of SMs the context is limited to use."""
        ...
    @val.setter
    def val(self, value: int) -> None: ...

class CUexecAffinityParam(Record):
    """Execution Affinity Parameters

    cuda.h:2444
    """
    def __init__(self, type: CUexecAffinityType | int = ..., param: CUexecAffinityParam_st_param | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUexecAffinityType:
        ...
    @type.setter
    def type(self, value: CUexecAffinityType | int) -> None: ...
    @property
    def param(self) -> CUexecAffinityParam_st_param:
        ...
    @param.setter
    def param(self, value: CUexecAffinityParam_st_param | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUctxCigParam(Record):
    """CIG Context Create Params

    cuda.h:2463
    """
    def __init__(self, sharedDataType: CUcigDataType | int = ..., sharedData: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def sharedDataType(self) -> CUcigDataType:
        ...
    @sharedDataType.setter
    def sharedDataType(self, value: CUcigDataType | int) -> None: ...
    @property
    def sharedData(self) -> int:
        ...
    @sharedData.setter
    def sharedData(self, value: Sequence[Any] | Address | None) -> None: ...

class CUctxCreateParams(Record):
    """Params for creating CUDA context Exactly one of execAffinityParams and cigParams must be non-NULL.

    cuda.h:2473
    """
    def __init__(self, execAffinityParams: CUexecAffinityParam | Sequence[Any] | Address | None = ..., numExecAffinityParams: int = ..., cigParams: CUctxCigParam | Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def execAffinityParams(self) -> list[CUexecAffinityParam]:
        ...
    @execAffinityParams.setter
    def execAffinityParams(self, value: CUexecAffinityParam | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExecAffinityParams(self) -> int:
        ...
    @numExecAffinityParams.setter
    def numExecAffinityParams(self, value: int) -> None: ...
    @property
    def cigParams(self) -> list[CUctxCigParam]:
        ...
    @cigParams.setter
    def cigParams(self, value: CUctxCigParam | Sequence[Any] | Address | None) -> None: ...

class CUlibraryHostUniversalFunctionAndDataTable(Record):
    """cuda.h:2500"""
    def __init__(self, functionTable: Sequence[Any] | Address | None = ..., functionWindowSize: int = ..., dataTable: Sequence[Any] | Address | None = ..., dataWindowSize: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def functionTable(self) -> int:
        ...
    @functionTable.setter
    def functionTable(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def functionWindowSize(self) -> int:
        ...
    @functionWindowSize.setter
    def functionWindowSize(self, value: int) -> None: ...
    @property
    def dataTable(self) -> int:
        ...
    @dataTable.setter
    def dataTable(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def dataWindowSize(self) -> int:
        ...
    @dataWindowSize.setter
    def dataWindowSize(self, value: int) -> None: ...

class CUDA_MEMCPY2D(Record):
    """2D memory copy parameters

    cuda.h:3306
    """
    def __init__(self, srcXInBytes: int = ..., srcY: int = ..., srcMemoryType: CUmemorytype | int = ..., srcHost: Sequence[Any] | Address | None = ..., srcDevice: CUdeviceptr = ..., srcArray: CUarray | None | int = ..., srcPitch: int = ..., dstXInBytes: int = ..., dstY: int = ..., dstMemoryType: CUmemorytype | int = ..., dstHost: Sequence[Any] | Address | None = ..., dstDevice: CUdeviceptr = ..., dstArray: CUarray | None | int = ..., dstPitch: int = ..., WidthInBytes: int = ..., Height: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcXInBytes(self) -> int:
        """Source X in bytes"""
        ...
    @srcXInBytes.setter
    def srcXInBytes(self, value: int) -> None: ...
    @property
    def srcY(self) -> int:
        """Source Y"""
        ...
    @srcY.setter
    def srcY(self, value: int) -> None: ...
    @property
    def srcMemoryType(self) -> CUmemorytype:
        """Source memory type (host, device, array)"""
        ...
    @srcMemoryType.setter
    def srcMemoryType(self, value: CUmemorytype | int) -> None: ...
    @property
    def srcHost(self) -> int:
        """Source host pointer"""
        ...
    @srcHost.setter
    def srcHost(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def srcDevice(self) -> CUdeviceptr:
        """Source device pointer"""
        ...
    @srcDevice.setter
    def srcDevice(self, value: CUdeviceptr) -> None: ...
    @property
    def srcArray(self) -> CUarray:
        """Source array reference"""
        ...
    @srcArray.setter
    def srcArray(self, value: CUarray | None | int) -> None: ...
    @property
    def srcPitch(self) -> int:
        """Source pitch (ignored when src is array)"""
        ...
    @srcPitch.setter
    def srcPitch(self, value: int) -> None: ...
    @property
    def dstXInBytes(self) -> int:
        """Destination X in bytes"""
        ...
    @dstXInBytes.setter
    def dstXInBytes(self, value: int) -> None: ...
    @property
    def dstY(self) -> int:
        """Destination Y"""
        ...
    @dstY.setter
    def dstY(self, value: int) -> None: ...
    @property
    def dstMemoryType(self) -> CUmemorytype:
        """Destination memory type (host, device, array)"""
        ...
    @dstMemoryType.setter
    def dstMemoryType(self, value: CUmemorytype | int) -> None: ...
    @property
    def dstHost(self) -> int:
        """Destination host pointer"""
        ...
    @dstHost.setter
    def dstHost(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def dstDevice(self) -> CUdeviceptr:
        """Destination device pointer"""
        ...
    @dstDevice.setter
    def dstDevice(self, value: CUdeviceptr) -> None: ...
    @property
    def dstArray(self) -> CUarray:
        """Destination array reference"""
        ...
    @dstArray.setter
    def dstArray(self, value: CUarray | None | int) -> None: ...
    @property
    def dstPitch(self) -> int:
        """Destination pitch (ignored when dst is array)"""
        ...
    @dstPitch.setter
    def dstPitch(self, value: int) -> None: ...
    @property
    def WidthInBytes(self) -> int:
        """Width of 2D memory copy in bytes"""
        ...
    @WidthInBytes.setter
    def WidthInBytes(self, value: int) -> None: ...
    @property
    def Height(self) -> int:
        """Height of 2D memory copy"""
        ...
    @Height.setter
    def Height(self, value: int) -> None: ...

class CUDA_MEMCPY3D(Record):
    """3D memory copy parameters

    cuda.h:3333
    """
    def __init__(self, srcXInBytes: int = ..., srcY: int = ..., srcZ: int = ..., srcLOD: int = ..., srcMemoryType: CUmemorytype | int = ..., srcHost: Sequence[Any] | Address | None = ..., srcDevice: CUdeviceptr = ..., srcArray: CUarray | None | int = ..., reserved0: Sequence[Any] | Address | None = ..., srcPitch: int = ..., srcHeight: int = ..., dstXInBytes: int = ..., dstY: int = ..., dstZ: int = ..., dstLOD: int = ..., dstMemoryType: CUmemorytype | int = ..., dstHost: Sequence[Any] | Address | None = ..., dstDevice: CUdeviceptr = ..., dstArray: CUarray | None | int = ..., reserved1: Sequence[Any] | Address | None = ..., dstPitch: int = ..., dstHeight: int = ..., WidthInBytes: int = ..., Height: int = ..., Depth: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcXInBytes(self) -> int:
        """Source X in bytes"""
        ...
    @srcXInBytes.setter
    def srcXInBytes(self, value: int) -> None: ...
    @property
    def srcY(self) -> int:
        """Source Y"""
        ...
    @srcY.setter
    def srcY(self, value: int) -> None: ...
    @property
    def srcZ(self) -> int:
        """Source Z"""
        ...
    @srcZ.setter
    def srcZ(self, value: int) -> None: ...
    @property
    def srcLOD(self) -> int:
        """Source LOD"""
        ...
    @srcLOD.setter
    def srcLOD(self, value: int) -> None: ...
    @property
    def srcMemoryType(self) -> CUmemorytype:
        """Source memory type (host, device, array)"""
        ...
    @srcMemoryType.setter
    def srcMemoryType(self, value: CUmemorytype | int) -> None: ...
    @property
    def srcHost(self) -> int:
        """Source host pointer"""
        ...
    @srcHost.setter
    def srcHost(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def srcDevice(self) -> CUdeviceptr:
        """Source device pointer"""
        ...
    @srcDevice.setter
    def srcDevice(self, value: CUdeviceptr) -> None: ...
    @property
    def srcArray(self) -> CUarray:
        """Source array reference"""
        ...
    @srcArray.setter
    def srcArray(self, value: CUarray | None | int) -> None: ...
    @property
    def reserved0(self) -> int:
        """Must be NULL"""
        ...
    @reserved0.setter
    def reserved0(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def srcPitch(self) -> int:
        """Source pitch (ignored when src is array)"""
        ...
    @srcPitch.setter
    def srcPitch(self, value: int) -> None: ...
    @property
    def srcHeight(self) -> int:
        """Source height (ignored when src is array; may be 0 if Depth==1)"""
        ...
    @srcHeight.setter
    def srcHeight(self, value: int) -> None: ...
    @property
    def dstXInBytes(self) -> int:
        """Destination X in bytes"""
        ...
    @dstXInBytes.setter
    def dstXInBytes(self, value: int) -> None: ...
    @property
    def dstY(self) -> int:
        """Destination Y"""
        ...
    @dstY.setter
    def dstY(self, value: int) -> None: ...
    @property
    def dstZ(self) -> int:
        """Destination Z"""
        ...
    @dstZ.setter
    def dstZ(self, value: int) -> None: ...
    @property
    def dstLOD(self) -> int:
        """Destination LOD"""
        ...
    @dstLOD.setter
    def dstLOD(self, value: int) -> None: ...
    @property
    def dstMemoryType(self) -> CUmemorytype:
        """Destination memory type (host, device, array)"""
        ...
    @dstMemoryType.setter
    def dstMemoryType(self, value: CUmemorytype | int) -> None: ...
    @property
    def dstHost(self) -> int:
        """Destination host pointer"""
        ...
    @dstHost.setter
    def dstHost(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def dstDevice(self) -> CUdeviceptr:
        """Destination device pointer"""
        ...
    @dstDevice.setter
    def dstDevice(self, value: CUdeviceptr) -> None: ...
    @property
    def dstArray(self) -> CUarray:
        """Destination array reference"""
        ...
    @dstArray.setter
    def dstArray(self, value: CUarray | None | int) -> None: ...
    @property
    def reserved1(self) -> int:
        """Must be NULL"""
        ...
    @reserved1.setter
    def reserved1(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def dstPitch(self) -> int:
        """Destination pitch (ignored when dst is array)"""
        ...
    @dstPitch.setter
    def dstPitch(self, value: int) -> None: ...
    @property
    def dstHeight(self) -> int:
        """Destination height (ignored when dst is array; may be 0 if Depth==1)"""
        ...
    @dstHeight.setter
    def dstHeight(self, value: int) -> None: ...
    @property
    def WidthInBytes(self) -> int:
        """Width of 3D memory copy in bytes"""
        ...
    @WidthInBytes.setter
    def WidthInBytes(self, value: int) -> None: ...
    @property
    def Height(self) -> int:
        """Height of 3D memory copy"""
        ...
    @Height.setter
    def Height(self, value: int) -> None: ...
    @property
    def Depth(self) -> int:
        """Depth of 3D memory copy"""
        ...
    @Depth.setter
    def Depth(self, value: int) -> None: ...

class CUDA_MEMCPY3D_PEER(Record):
    """3D memory cross-context copy parameters

    cuda.h:3367
    """
    def __init__(self, srcXInBytes: int = ..., srcY: int = ..., srcZ: int = ..., srcLOD: int = ..., srcMemoryType: CUmemorytype | int = ..., srcHost: Sequence[Any] | Address | None = ..., srcDevice: CUdeviceptr = ..., srcArray: CUarray | None | int = ..., srcContext: CUcontext | None | int = ..., srcPitch: int = ..., srcHeight: int = ..., dstXInBytes: int = ..., dstY: int = ..., dstZ: int = ..., dstLOD: int = ..., dstMemoryType: CUmemorytype | int = ..., dstHost: Sequence[Any] | Address | None = ..., dstDevice: CUdeviceptr = ..., dstArray: CUarray | None | int = ..., dstContext: CUcontext | None | int = ..., dstPitch: int = ..., dstHeight: int = ..., WidthInBytes: int = ..., Height: int = ..., Depth: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcXInBytes(self) -> int:
        """Source X in bytes"""
        ...
    @srcXInBytes.setter
    def srcXInBytes(self, value: int) -> None: ...
    @property
    def srcY(self) -> int:
        """Source Y"""
        ...
    @srcY.setter
    def srcY(self, value: int) -> None: ...
    @property
    def srcZ(self) -> int:
        """Source Z"""
        ...
    @srcZ.setter
    def srcZ(self, value: int) -> None: ...
    @property
    def srcLOD(self) -> int:
        """Source LOD"""
        ...
    @srcLOD.setter
    def srcLOD(self, value: int) -> None: ...
    @property
    def srcMemoryType(self) -> CUmemorytype:
        """Source memory type (host, device, array)"""
        ...
    @srcMemoryType.setter
    def srcMemoryType(self, value: CUmemorytype | int) -> None: ...
    @property
    def srcHost(self) -> int:
        """Source host pointer"""
        ...
    @srcHost.setter
    def srcHost(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def srcDevice(self) -> CUdeviceptr:
        """Source device pointer"""
        ...
    @srcDevice.setter
    def srcDevice(self, value: CUdeviceptr) -> None: ...
    @property
    def srcArray(self) -> CUarray:
        """Source array reference"""
        ...
    @srcArray.setter
    def srcArray(self, value: CUarray | None | int) -> None: ...
    @property
    def srcContext(self) -> CUcontext:
        """Source context (ignored with srcMemoryType is CU_MEMORYTYPE_ARRAY)"""
        ...
    @srcContext.setter
    def srcContext(self, value: CUcontext | None | int) -> None: ...
    @property
    def srcPitch(self) -> int:
        """Source pitch (ignored when src is array)"""
        ...
    @srcPitch.setter
    def srcPitch(self, value: int) -> None: ...
    @property
    def srcHeight(self) -> int:
        """Source height (ignored when src is array; may be 0 if Depth==1)"""
        ...
    @srcHeight.setter
    def srcHeight(self, value: int) -> None: ...
    @property
    def dstXInBytes(self) -> int:
        """Destination X in bytes"""
        ...
    @dstXInBytes.setter
    def dstXInBytes(self, value: int) -> None: ...
    @property
    def dstY(self) -> int:
        """Destination Y"""
        ...
    @dstY.setter
    def dstY(self, value: int) -> None: ...
    @property
    def dstZ(self) -> int:
        """Destination Z"""
        ...
    @dstZ.setter
    def dstZ(self, value: int) -> None: ...
    @property
    def dstLOD(self) -> int:
        """Destination LOD"""
        ...
    @dstLOD.setter
    def dstLOD(self, value: int) -> None: ...
    @property
    def dstMemoryType(self) -> CUmemorytype:
        """Destination memory type (host, device, array)"""
        ...
    @dstMemoryType.setter
    def dstMemoryType(self, value: CUmemorytype | int) -> None: ...
    @property
    def dstHost(self) -> int:
        """Destination host pointer"""
        ...
    @dstHost.setter
    def dstHost(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def dstDevice(self) -> CUdeviceptr:
        """Destination device pointer"""
        ...
    @dstDevice.setter
    def dstDevice(self, value: CUdeviceptr) -> None: ...
    @property
    def dstArray(self) -> CUarray:
        """Destination array reference"""
        ...
    @dstArray.setter
    def dstArray(self, value: CUarray | None | int) -> None: ...
    @property
    def dstContext(self) -> CUcontext:
        """Destination context (ignored with dstMemoryType is CU_MEMORYTYPE_ARRAY)"""
        ...
    @dstContext.setter
    def dstContext(self, value: CUcontext | None | int) -> None: ...
    @property
    def dstPitch(self) -> int:
        """Destination pitch (ignored when dst is array)"""
        ...
    @dstPitch.setter
    def dstPitch(self, value: int) -> None: ...
    @property
    def dstHeight(self) -> int:
        """Destination height (ignored when dst is array; may be 0 if Depth==1)"""
        ...
    @dstHeight.setter
    def dstHeight(self, value: int) -> None: ...
    @property
    def WidthInBytes(self) -> int:
        """Width of 3D memory copy in bytes"""
        ...
    @WidthInBytes.setter
    def WidthInBytes(self, value: int) -> None: ...
    @property
    def Height(self) -> int:
        """Height of 3D memory copy"""
        ...
    @Height.setter
    def Height(self, value: int) -> None: ...
    @property
    def Depth(self) -> int:
        """Depth of 3D memory copy"""
        ...
    @Depth.setter
    def Depth(self, value: int) -> None: ...

class CUDA_MEMCPY_NODE_PARAMS(Record):
    """Memcpy node parameters

    cuda.h:3401
    """
    def __init__(self, flags: int = ..., reserved: int = ..., copyCtx: CUcontext | None | int = ..., copyParams: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def flags(self) -> int:
        """Must be zero"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> int:
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: int) -> None: ...
    @property
    def copyCtx(self) -> CUcontext:
        """Context on which to run the node"""
        ...
    @copyCtx.setter
    def copyCtx(self, value: CUcontext | None | int) -> None: ...
    @property
    def copyParams(self) -> CUDA_MEMCPY3D:
        """Parameters for the memory copy"""
        ...
    @copyParams.setter
    def copyParams(self, value: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUDA_ARRAY_DESCRIPTOR(Record):
    """Array descriptor

    cuda.h:3411
    """
    def __init__(self, Width: int = ..., Height: int = ..., Format: CUarray_format | int = ..., NumChannels: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def Width(self) -> int:
        """Width of array"""
        ...
    @Width.setter
    def Width(self, value: int) -> None: ...
    @property
    def Height(self) -> int:
        """Height of array"""
        ...
    @Height.setter
    def Height(self, value: int) -> None: ...
    @property
    def Format(self) -> CUarray_format:
        """Array format"""
        ...
    @Format.setter
    def Format(self, value: CUarray_format | int) -> None: ...
    @property
    def NumChannels(self) -> int:
        """Channels per array element"""
        ...
    @NumChannels.setter
    def NumChannels(self, value: int) -> None: ...

class CUDA_ARRAY3D_DESCRIPTOR(Record):
    """3D array descriptor

    cuda.h:3424
    """
    def __init__(self, Width: int = ..., Height: int = ..., Depth: int = ..., Format: CUarray_format | int = ..., NumChannels: int = ..., Flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def Width(self) -> int:
        """Width of 3D array"""
        ...
    @Width.setter
    def Width(self, value: int) -> None: ...
    @property
    def Height(self) -> int:
        """Height of 3D array"""
        ...
    @Height.setter
    def Height(self, value: int) -> None: ...
    @property
    def Depth(self) -> int:
        """Depth of 3D array"""
        ...
    @Depth.setter
    def Depth(self, value: int) -> None: ...
    @property
    def Format(self) -> CUarray_format:
        """Array format"""
        ...
    @Format.setter
    def Format(self, value: CUarray_format | int) -> None: ...
    @property
    def NumChannels(self) -> int:
        """Channels per array element"""
        ...
    @NumChannels.setter
    def NumChannels(self, value: int) -> None: ...
    @property
    def Flags(self) -> int:
        """Flags"""
        ...
    @Flags.setter
    def Flags(self, value: int) -> None: ...

class CUDA_ARRAY_SPARSE_PROPERTIES(Record):
    """CUDA array sparse properties

    cuda.h:3444
    """
    def __init__(self, tileExtent: CUDA_ARRAY_SPARSE_PROPERTIES_st_tileExtent | tuple[Any, ...] | dict[str, Any] = ..., miptailFirstLevel: int = ..., miptailSize: int = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def tileExtent(self) -> CUDA_ARRAY_SPARSE_PROPERTIES_st_tileExtent:
        ...
    @tileExtent.setter
    def tileExtent(self, value: CUDA_ARRAY_SPARSE_PROPERTIES_st_tileExtent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def miptailFirstLevel(self) -> int:
        """First mip level at which the mip tail begins."""
        ...
    @miptailFirstLevel.setter
    def miptailFirstLevel(self, value: int) -> None: ...
    @property
    def miptailSize(self) -> int:
        """Total size of the mip tail."""
        ...
    @miptailSize.setter
    def miptailSize(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """Flags will either be zero or CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_ARRAY_MEMORY_REQUIREMENTS(Record):
    """CUDA array memory requirements

    cuda.h:3470
    """
    def __init__(self, size: int = ..., alignment: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def size(self) -> int:
        """Total required memory size"""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def alignment(self) -> int:
        """alignment requirement"""
        ...
    @alignment.setter
    def alignment(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_RESOURCE_DESC(Record):
    """CUDA Resource descriptor

    cuda.h:3480
    """
    def __init__(self, resType: CUresourcetype | int = ..., res: CUDA_RESOURCE_DESC_st_res | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def resType(self) -> CUresourcetype:
        """Resource type"""
        ...
    @resType.setter
    def resType(self, value: CUresourcetype | int) -> None: ...
    @property
    def res(self) -> CUDA_RESOURCE_DESC_st_res:
        ...
    @res.setter
    def res(self, value: CUDA_RESOURCE_DESC_st_res | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Flags (must be zero)"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUDA_TEXTURE_DESC(Record):
    """Texture descriptor

    cuda.h:3517
    """
    def __init__(self, addressMode: Any = ..., filterMode: CUfilter_mode | int = ..., flags: int = ..., maxAnisotropy: int = ..., mipmapFilterMode: CUfilter_mode | int = ..., mipmapLevelBias: float = ..., minMipmapLevelClamp: float = ..., maxMipmapLevelClamp: float = ..., borderColor: Any = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def addressMode(self) -> list[int]:
        """Address modes"""
        ...
    @addressMode.setter
    def addressMode(self, value: Any) -> None: ...
    @property
    def filterMode(self) -> CUfilter_mode:
        """Filter mode"""
        ...
    @filterMode.setter
    def filterMode(self, value: CUfilter_mode | int) -> None: ...
    @property
    def flags(self) -> int:
        """Flags"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def maxAnisotropy(self) -> int:
        """Maximum anisotropy ratio"""
        ...
    @maxAnisotropy.setter
    def maxAnisotropy(self, value: int) -> None: ...
    @property
    def mipmapFilterMode(self) -> CUfilter_mode:
        """Mipmap filter mode"""
        ...
    @mipmapFilterMode.setter
    def mipmapFilterMode(self, value: CUfilter_mode | int) -> None: ...
    @property
    def mipmapLevelBias(self) -> float:
        """Mipmap level bias"""
        ...
    @mipmapLevelBias.setter
    def mipmapLevelBias(self, value: float) -> None: ...
    @property
    def minMipmapLevelClamp(self) -> float:
        """Mipmap minimum level clamp"""
        ...
    @minMipmapLevelClamp.setter
    def minMipmapLevelClamp(self, value: float) -> None: ...
    @property
    def maxMipmapLevelClamp(self) -> float:
        """Mipmap maximum level clamp"""
        ...
    @maxMipmapLevelClamp.setter
    def maxMipmapLevelClamp(self, value: float) -> None: ...
    @property
    def borderColor(self) -> list[float]:
        """Border Color"""
        ...
    @borderColor.setter
    def borderColor(self, value: Any) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_RESOURCE_VIEW_DESC(Record):
    """Resource view descriptor

    cuda.h:3576
    """
    def __init__(self, format: CUresourceViewFormat | int = ..., width: int = ..., height: int = ..., depth: int = ..., firstMipmapLevel: int = ..., lastMipmapLevel: int = ..., firstLayer: int = ..., lastLayer: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def format(self) -> CUresourceViewFormat:
        """Resource view format"""
        ...
    @format.setter
    def format(self, value: CUresourceViewFormat | int) -> None: ...
    @property
    def width(self) -> int:
        """Width of the resource view"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Height of the resource view"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def depth(self) -> int:
        """Depth of the resource view"""
        ...
    @depth.setter
    def depth(self, value: int) -> None: ...
    @property
    def firstMipmapLevel(self) -> int:
        """First defined mipmap level"""
        ...
    @firstMipmapLevel.setter
    def firstMipmapLevel(self, value: int) -> None: ...
    @property
    def lastMipmapLevel(self) -> int:
        """Last defined mipmap level"""
        ...
    @lastMipmapLevel.setter
    def lastMipmapLevel(self, value: int) -> None: ...
    @property
    def firstLayer(self) -> int:
        """First layer index"""
        ...
    @firstLayer.setter
    def firstLayer(self, value: int) -> None: ...
    @property
    def lastLayer(self) -> int:
        """Last layer index"""
        ...
    @lastLayer.setter
    def lastLayer(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUtensorMap(Record):
    """Tensor map descriptor. Requires compiler support for aligning to 128 bytes.

    cuda.h:3598
    """
    def __init__(self, opaque: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def opaque(self) -> list[int]:
        ...
    @opaque.setter
    def opaque(self, value: Any) -> None: ...

class CUDA_POINTER_ATTRIBUTE_P2P_TOKENS(Record):
    """GPU Direct v3 tokens

    cuda.h:3680
    """
    def __init__(self, p2pToken: int = ..., vaSpaceToken: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def p2pToken(self) -> int:
        ...
    @p2pToken.setter
    def p2pToken(self, value: int) -> None: ...
    @property
    def vaSpaceToken(self) -> int:
        ...
    @vaSpaceToken.setter
    def vaSpaceToken(self, value: int) -> None: ...

class CUDA_LAUNCH_PARAMS(Record):
    """Kernel launch parameters

    cuda.h:3699
    """
    def __init__(self, function: CUfunction | None | int = ..., gridDimX: int = ..., gridDimY: int = ..., gridDimZ: int = ..., blockDimX: int = ..., blockDimY: int = ..., blockDimZ: int = ..., sharedMemBytes: int = ..., hStream: CUstream | None | int = ..., kernelParams: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def function(self) -> CUfunction:
        """Kernel to launch"""
        ...
    @function.setter
    def function(self, value: CUfunction | None | int) -> None: ...
    @property
    def gridDimX(self) -> int:
        """Width of grid in blocks"""
        ...
    @gridDimX.setter
    def gridDimX(self, value: int) -> None: ...
    @property
    def gridDimY(self) -> int:
        """Height of grid in blocks"""
        ...
    @gridDimY.setter
    def gridDimY(self, value: int) -> None: ...
    @property
    def gridDimZ(self) -> int:
        """Depth of grid in blocks"""
        ...
    @gridDimZ.setter
    def gridDimZ(self, value: int) -> None: ...
    @property
    def blockDimX(self) -> int:
        """X dimension of each thread block"""
        ...
    @blockDimX.setter
    def blockDimX(self, value: int) -> None: ...
    @property
    def blockDimY(self) -> int:
        """Y dimension of each thread block"""
        ...
    @blockDimY.setter
    def blockDimY(self, value: int) -> None: ...
    @property
    def blockDimZ(self) -> int:
        """Z dimension of each thread block"""
        ...
    @blockDimZ.setter
    def blockDimZ(self, value: int) -> None: ...
    @property
    def sharedMemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @sharedMemBytes.setter
    def sharedMemBytes(self, value: int) -> None: ...
    @property
    def hStream(self) -> CUstream:
        """Stream identifier"""
        ...
    @hStream.setter
    def hStream(self, value: CUstream | None | int) -> None: ...
    @property
    def kernelParams(self) -> int:
        """Array of pointers to kernel parameters"""
        ...
    @kernelParams.setter
    def kernelParams(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_EXTERNAL_MEMORY_HANDLE_DESC(Record):
    """External memory handle descriptor

    cuda.h:3794
    """
    def __init__(self, type: CUexternalMemoryHandleType | int = ..., handle: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle | tuple[Any, ...] | dict[str, Any] = ..., size: int = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUexternalMemoryHandleType:
        """Type of the handle"""
        ...
    @type.setter
    def type(self, value: CUexternalMemoryHandleType | int) -> None: ...
    @property
    def handle(self) -> CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle:
        ...
    @handle.setter
    def handle(self, value: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def size(self) -> int:
        """Size of the memory allocation"""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """Flags must either be zero or CUDA_EXTERNAL_MEMORY_DEDICATED"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXTERNAL_MEMORY_BUFFER_DESC(Record):
    """External memory buffer descriptor

    cuda.h:3853
    """
    def __init__(self, offset: int = ..., size: int = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def offset(self) -> int:
        """Offset into the memory object where the buffer's base is"""
        ...
    @offset.setter
    def offset(self, value: int) -> None: ...
    @property
    def size(self) -> int:
        """Size of the buffer"""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """Flags reserved for future use. Must be zero."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC(Record):
    """External memory mipmap descriptor

    cuda.h:3873
    """
    def __init__(self, offset: int = ..., arrayDesc: CUDA_ARRAY3D_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] = ..., numLevels: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def offset(self) -> int:
        """Offset into the memory object where the base level of the mipmap chain is."""
        ...
    @offset.setter
    def offset(self, value: int) -> None: ...
    @property
    def arrayDesc(self) -> CUDA_ARRAY3D_DESCRIPTOR:
        """Format, dimension and type of base level of the mipmap chain"""
        ...
    @arrayDesc.setter
    def arrayDesc(self, value: CUDA_ARRAY3D_DESCRIPTOR | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def numLevels(self) -> int:
        """Total number of levels in the mipmap chain"""
        ...
    @numLevels.setter
    def numLevels(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC(Record):
    """External semaphore handle descriptor

    cuda.h:3940
    """
    def __init__(self, type: CUexternalSemaphoreHandleType | int = ..., handle: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUexternalSemaphoreHandleType:
        """Type of the handle"""
        ...
    @type.setter
    def type(self, value: CUexternalSemaphoreHandleType | int) -> None: ...
    @property
    def handle(self) -> CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle:
        ...
    @handle.setter
    def handle(self, value: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Flags reserved for the future. Must be zero."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS(Record):
    """External semaphore signal parameters

    cuda.h:3995
    """
    def __init__(self, params: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def params(self) -> CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params:
        ...
    @params.setter
    def params(self, value: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Only when CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS is used to signal a CUexternalSemaphore of type CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC, the valid flag is CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC which indicates that while signaling the CUexternalSemaphore, no memory synchronization operations should be performed for any external memory object imported as CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF. For all other types of CUexternalSemaphore, flags must be zero."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS(Record):
    """External semaphore wait parameters

    cuda.h:4043
    """
    def __init__(self, params: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def params(self) -> CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params:
        ...
    @params.setter
    def params(self, value: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Only when CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS is used to wait on a CUexternalSemaphore of type CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC, the valid flag is CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC which indicates that while waiting for the CUexternalSemaphore, no memory synchronization operations should be performed for any external memory object imported as CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF. For all other types of CUexternalSemaphore, flags must be zero."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXT_SEM_SIGNAL_NODE_PARAMS(Record):
    """Semaphore signal node parameters

    cuda.h:4094
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS]:
        """Array of external semaphore signal parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2(Record):
    """Semaphore signal node parameters

    cuda.h:4104
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS]:
        """Array of external semaphore signal parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class CUDA_EXT_SEM_WAIT_NODE_PARAMS(Record):
    """Semaphore wait node parameters

    cuda.h:4113
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS]:
        """Array of external semaphore wait parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2(Record):
    """Semaphore wait node parameters

    cuda.h:4123
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS]:
        """Array of external semaphore wait parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class CUarrayMapInfo(Record):
    """Specifies the CUDA array or CUDA mipmapped array memory mapping information

    cuda.h:4233
    """
    def __init__(self, resourceType: CUresourcetype | int = ..., resource: CUarrayMapInfo_st_resource | tuple[Any, ...] | dict[str, Any] = ..., subresourceType: CUarraySparseSubresourceType | int = ..., subresource: CUarrayMapInfo_st_subresource | tuple[Any, ...] | dict[str, Any] = ..., memOperationType: CUmemOperationType | int = ..., memHandleType: CUmemHandleType | int = ..., memHandle: CUarrayMapInfo_st_memHandle | tuple[Any, ...] | dict[str, Any] = ..., offset: int = ..., deviceBitMask: int = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def resourceType(self) -> CUresourcetype:
        """Resource type"""
        ...
    @resourceType.setter
    def resourceType(self, value: CUresourcetype | int) -> None: ...
    @property
    def resource(self) -> CUarrayMapInfo_st_resource:
        ...
    @resource.setter
    def resource(self, value: CUarrayMapInfo_st_resource | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def subresourceType(self) -> CUarraySparseSubresourceType:
        """Sparse subresource type"""
        ...
    @subresourceType.setter
    def subresourceType(self, value: CUarraySparseSubresourceType | int) -> None: ...
    @property
    def subresource(self) -> CUarrayMapInfo_st_subresource:
        ...
    @subresource.setter
    def subresource(self, value: CUarrayMapInfo_st_subresource | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memOperationType(self) -> CUmemOperationType:
        """Memory operation type"""
        ...
    @memOperationType.setter
    def memOperationType(self, value: CUmemOperationType | int) -> None: ...
    @property
    def memHandleType(self) -> CUmemHandleType:
        """Memory handle type"""
        ...
    @memHandleType.setter
    def memHandleType(self, value: CUmemHandleType | int) -> None: ...
    @property
    def memHandle(self) -> CUarrayMapInfo_st_memHandle:
        ...
    @memHandle.setter
    def memHandle(self, value: CUarrayMapInfo_st_memHandle | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def offset(self) -> int:
        """Offset within the memory"""
        ...
    @offset.setter
    def offset(self, value: int) -> None: ...
    @property
    def deviceBitMask(self) -> int:
        """Device ordinal bit mask"""
        ...
    @deviceBitMask.setter
    def deviceBitMask(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """flags for future use, must be zero now."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Reserved for future use, must be zero now."""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUmemLocation(Record):
    """Specifies a memory location.

    cuda.h:4278
    """
    def __init__(self, type: CUmemLocationType | int = ..., id: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUmemLocationType:
        """Specifies the location type, which modifies the meaning of id."""
        ...
    @type.setter
    def type(self, value: CUmemLocationType | int) -> None: ...
    @property
    def id(self) -> int:
        """identifier for a given this location's CUmemLocationType."""
        ...
    @id.setter
    def id(self, value: int) -> None: ...

class CUmemAllocationProp(Record):
    """Specifies the allocation properties for a allocation.

    cuda.h:4305
    """
    def __init__(self, type: CUmemAllocationType | int = ..., requestedHandleTypes: CUmemAllocationHandleType | int = ..., location: CUmemLocation | tuple[Any, ...] | dict[str, Any] = ..., win32HandleMetaData: Sequence[Any] | Address | None = ..., allocFlags: CUmemAllocationProp_st_allocFlags | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUmemAllocationType:
        """Allocation type"""
        ...
    @type.setter
    def type(self, value: CUmemAllocationType | int) -> None: ...
    @property
    def requestedHandleTypes(self) -> CUmemAllocationHandleType:
        """requested CUmemAllocationHandleType"""
        ...
    @requestedHandleTypes.setter
    def requestedHandleTypes(self, value: CUmemAllocationHandleType | int) -> None: ...
    @property
    def location(self) -> CUmemLocation:
        """Location of allocation"""
        ...
    @location.setter
    def location(self, value: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def win32HandleMetaData(self) -> int:
        """Windows-specific POBJECT_ATTRIBUTES required when CU_MEM_HANDLE_TYPE_WIN32 is specified. This object attributes structure includes security attributes that define the scope of which exported allocations may be transferred to other processes. In all other cases, this field is required to be zero."""
        ...
    @win32HandleMetaData.setter
    def win32HandleMetaData(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def allocFlags(self) -> CUmemAllocationProp_st_allocFlags:
        ...
    @allocFlags.setter
    def allocFlags(self, value: CUmemAllocationProp_st_allocFlags | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUmulticastObjectProp(Record):
    """Specifies the properties for a multicast object.

    cuda.h:4351
    """
    def __init__(self, numDevices: int = ..., size: int = ..., handleTypes: int = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def numDevices(self) -> int:
        """The number of devices in the multicast team that will bind memory to this object"""
        ...
    @numDevices.setter
    def numDevices(self, value: int) -> None: ...
    @property
    def size(self) -> int:
        """The maximum amount of memory that can be bound to this multicast object per device"""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def handleTypes(self) -> int:
        """Bitmask of exportable handle types (see CUmemAllocationHandleType) for this object"""
        ...
    @handleTypes.setter
    def handleTypes(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """Flags for future use, must be zero now"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUmemAccessDesc(Record):
    """Memory access descriptor

    cuda.h:4377
    """
    def __init__(self, location: CUmemLocation | tuple[Any, ...] | dict[str, Any] = ..., flags: CUmemAccess_flags | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def location(self) -> CUmemLocation:
        """Location on which the request is to change it's accessibility"""
        ...
    @location.setter
    def location(self, value: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> CUmemAccess_flags:
        """CUmemProt accessibility flags to set on the request"""
        ...
    @flags.setter
    def flags(self, value: CUmemAccess_flags | int) -> None: ...

class CUgraphExecUpdateResultInfo(Record):
    """Result information returned by cuGraphExecUpdate

    cuda.h:4401
    """
    def __init__(self, result: CUgraphExecUpdateResult | int = ..., errorNode: CUgraphNode | None | int = ..., errorFromNode: CUgraphNode | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def result(self) -> CUgraphExecUpdateResult:
        """Gives more specific detail when a cuda graph update fails."""
        ...
    @result.setter
    def result(self, value: CUgraphExecUpdateResult | int) -> None: ...
    @property
    def errorNode(self) -> CUgraphNode:
        """The "to node" of the error edge when the topologies do not match. The error node when the error is associated with a specific node. NULL when the error is generic."""
        ...
    @errorNode.setter
    def errorNode(self, value: CUgraphNode | None | int) -> None: ...
    @property
    def errorFromNode(self) -> CUgraphNode:
        """The from node of error edge when the topologies do not match. Otherwise NULL."""
        ...
    @errorFromNode.setter
    def errorFromNode(self, value: CUgraphNode | None | int) -> None: ...

class CUmemPoolProps(Record):
    """Specifies the properties of allocations made from the pool.

    cuda.h:4496
    """
    def __init__(self, allocType: CUmemAllocationType | int = ..., handleTypes: CUmemAllocationHandleType | int = ..., location: CUmemLocation | tuple[Any, ...] | dict[str, Any] = ..., win32SecurityAttributes: Sequence[Any] | Address | None = ..., maxSize: int = ..., usage: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def allocType(self) -> CUmemAllocationType:
        """Allocation type. Currently must be specified as CU_MEM_ALLOCATION_TYPE_PINNED"""
        ...
    @allocType.setter
    def allocType(self, value: CUmemAllocationType | int) -> None: ...
    @property
    def handleTypes(self) -> CUmemAllocationHandleType:
        """Handle types that will be supported by allocations from the pool."""
        ...
    @handleTypes.setter
    def handleTypes(self, value: CUmemAllocationHandleType | int) -> None: ...
    @property
    def location(self) -> CUmemLocation:
        """Location where allocations should reside."""
        ...
    @location.setter
    def location(self, value: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def win32SecurityAttributes(self) -> int:
        """Windows-specific LPSECURITYATTRIBUTES required when CU_MEM_HANDLE_TYPE_WIN32 is specified. This security attribute defines the scope of which exported allocations may be transferred to other processes. In all other cases, this field is required to be zero."""
        ...
    @win32SecurityAttributes.setter
    def win32SecurityAttributes(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def maxSize(self) -> int:
        """Maximum pool size. When set to 0, defaults to a system dependent value."""
        ...
    @maxSize.setter
    def maxSize(self, value: int) -> None: ...
    @property
    def usage(self) -> int:
        """Bitmask indicating intended usage for the pool."""
        ...
    @usage.setter
    def usage(self, value: int) -> None: ...
    @property
    def reserved(self) -> bytes:
        """reserved for future use, must be 0"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUmemPoolPtrExportData(Record):
    """Opaque data for exporting a pool allocation

    cuda.h:4516
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUmemcpyAttributes(Record):
    """Attributes specific to copies within a batch. For more details on usage see cuMemcpyBatchAsync.

    cuda.h:4574
    """
    def __init__(self, srcAccessOrder: CUmemcpySrcAccessOrder | int = ..., srcLocHint: CUmemLocation | tuple[Any, ...] | dict[str, Any] = ..., dstLocHint: CUmemLocation | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcAccessOrder(self) -> CUmemcpySrcAccessOrder:
        """Source access ordering to be observed for copies with this attribute."""
        ...
    @srcAccessOrder.setter
    def srcAccessOrder(self, value: CUmemcpySrcAccessOrder | int) -> None: ...
    @property
    def srcLocHint(self) -> CUmemLocation:
        """Hint location for the source operand. Ignored when the pointers are not managed memory or memory allocated outside CUDA."""
        ...
    @srcLocHint.setter
    def srcLocHint(self, value: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dstLocHint(self) -> CUmemLocation:
        """Hint location for the destination operand. Ignored when the pointers are not managed memory or memory allocated outside CUDA."""
        ...
    @dstLocHint.setter
    def dstLocHint(self, value: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Additional flags for copies with this attribute. See CUmemcpyFlags"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUoffset3D(Record):
    """Struct representing offset into a CUarray in elements

    cuda.h:4594
    """
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...
    @property
    def y(self) -> int:
        ...
    @y.setter
    def y(self, value: int) -> None: ...
    @property
    def z(self) -> int:
        ...
    @z.setter
    def z(self, value: int) -> None: ...

class CUextent3D(Record):
    """Struct representing width/height/depth of a CUarray in elements

    cuda.h:4604
    """
    def __init__(self, width: int = ..., height: int = ..., depth: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def width(self) -> int:
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def depth(self) -> int:
        ...
    @depth.setter
    def depth(self, value: int) -> None: ...

class CUmemcpy3DOperand(Record):
    """Struct representing an operand for copy with cuMemcpy3DBatchAsync

    cuda.h:4614
    """
    def __init__(self, type: CUmemcpy3DOperandType | int = ..., op: CUmemcpy3DOperand_st_op | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUmemcpy3DOperandType:
        ...
    @type.setter
    def type(self, value: CUmemcpy3DOperandType | int) -> None: ...
    @property
    def op(self) -> CUmemcpy3DOperand_st_op:
        ...
    @op.setter
    def op(self, value: CUmemcpy3DOperand_st_op | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUDA_MEMCPY3D_BATCH_OP(Record):
    """cuda.h:4638"""
    def __init__(self, src: CUmemcpy3DOperand | tuple[Any, ...] | dict[str, Any] = ..., dst: CUmemcpy3DOperand | tuple[Any, ...] | dict[str, Any] = ..., extent: CUextent3D | tuple[Any, ...] | dict[str, Any] = ..., srcAccessOrder: CUmemcpySrcAccessOrder | int = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def src(self) -> CUmemcpy3DOperand:
        """Source memcpy operand."""
        ...
    @src.setter
    def src(self, value: CUmemcpy3DOperand | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dst(self) -> CUmemcpy3DOperand:
        """Destination memcpy operand."""
        ...
    @dst.setter
    def dst(self, value: CUmemcpy3DOperand | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extent(self) -> CUextent3D:
        """Extents of the memcpy between src and dst. The width, height and depth components must not be 0."""
        ...
    @extent.setter
    def extent(self, value: CUextent3D | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def srcAccessOrder(self) -> CUmemcpySrcAccessOrder:
        """Source access ordering to be observed for copy from src to dst."""
        ...
    @srcAccessOrder.setter
    def srcAccessOrder(self, value: CUmemcpySrcAccessOrder | int) -> None: ...
    @property
    def flags(self) -> int:
        """Additional flags for copies with this attribute. See CUmemcpyFlags"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUDA_MEM_ALLOC_NODE_PARAMS(Record):
    """Memory allocation node parameters

    cuda.h:4650
    """
    def __init__(self, poolProps: CUmemPoolProps | tuple[Any, ...] | dict[str, Any] = ..., accessDescs: CUmemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., accessDescCount: int = ..., bytesize: int = ..., dptr: CUdeviceptr = ..., *, _ptr: int = ...) -> None: ...
    @property
    def poolProps(self) -> CUmemPoolProps:
        """in: location where the allocation should reside (specified in location). handleTypes must be CU_MEM_HANDLE_TYPE_NONE. IPC is not supported."""
        ...
    @poolProps.setter
    def poolProps(self, value: CUmemPoolProps | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def accessDescs(self) -> list[CUmemAccessDesc]:
        """in: array of memory access descriptors. Used to describe peer GPU access"""
        ...
    @accessDescs.setter
    def accessDescs(self, value: CUmemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def accessDescCount(self) -> int:
        """in: number of memory access descriptors. Must not exceed the number of GPUs."""
        ...
    @accessDescCount.setter
    def accessDescCount(self, value: int) -> None: ...
    @property
    def bytesize(self) -> int:
        """in: size in bytes of the requested allocation"""
        ...
    @bytesize.setter
    def bytesize(self, value: int) -> None: ...
    @property
    def dptr(self) -> CUdeviceptr:
        """out: address of the allocation returned by CUDA"""
        ...
    @dptr.setter
    def dptr(self, value: CUdeviceptr) -> None: ...

class CUDA_MEM_ALLOC_NODE_PARAMS_v2(Record):
    """Memory allocation node parameters

    cuda.h:4666
    """
    def __init__(self, poolProps: CUmemPoolProps | tuple[Any, ...] | dict[str, Any] = ..., accessDescs: CUmemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., accessDescCount: int = ..., bytesize: int = ..., dptr: CUdeviceptr = ..., *, _ptr: int = ...) -> None: ...
    @property
    def poolProps(self) -> CUmemPoolProps:
        """in: location where the allocation should reside (specified in location). handleTypes must be CU_MEM_HANDLE_TYPE_NONE. IPC is not supported."""
        ...
    @poolProps.setter
    def poolProps(self, value: CUmemPoolProps | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def accessDescs(self) -> list[CUmemAccessDesc]:
        """in: array of memory access descriptors. Used to describe peer GPU access"""
        ...
    @accessDescs.setter
    def accessDescs(self, value: CUmemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def accessDescCount(self) -> int:
        """in: number of memory access descriptors. Must not exceed the number of GPUs."""
        ...
    @accessDescCount.setter
    def accessDescCount(self, value: int) -> None: ...
    @property
    def bytesize(self) -> int:
        """in: size in bytes of the requested allocation"""
        ...
    @bytesize.setter
    def bytesize(self, value: int) -> None: ...
    @property
    def dptr(self) -> CUdeviceptr:
        """out: address of the allocation returned by CUDA"""
        ...
    @dptr.setter
    def dptr(self, value: CUdeviceptr) -> None: ...

class CUDA_MEM_FREE_NODE_PARAMS(Record):
    """Memory free node parameters

    cuda.h:4681
    """
    def __init__(self, dptr: CUdeviceptr = ..., *, _ptr: int = ...) -> None: ...
    @property
    def dptr(self) -> CUdeviceptr:
        """in: the pointer to free"""
        ...
    @dptr.setter
    def dptr(self, value: CUdeviceptr) -> None: ...

class CUDA_CHILD_GRAPH_NODE_PARAMS(Record):
    """Child graph node parameters

    cuda.h:4735
    """
    def __init__(self, graph: CUgraph | None | int = ..., ownership: CUgraphChildGraphNodeOwnership | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def graph(self) -> CUgraph:
        """The child graph to clone into the node for node creation, or a handle to the graph owned by the node for node query. The graph must not contain conditional nodes. Graphs containing memory allocation or memory free nodes must set the ownership to be moved to the parent."""
        ...
    @graph.setter
    def graph(self, value: CUgraph | None | int) -> None: ...
    @property
    def ownership(self) -> CUgraphChildGraphNodeOwnership:
        """The ownership relationship of the child graph node."""
        ...
    @ownership.setter
    def ownership(self, value: CUgraphChildGraphNodeOwnership | int) -> None: ...

class CUDA_EVENT_RECORD_NODE_PARAMS(Record):
    """Event record node parameters

    cuda.h:4748
    """
    def __init__(self, event: CUevent | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> CUevent:
        """The event to record when the node executes"""
        ...
    @event.setter
    def event(self, value: CUevent | None | int) -> None: ...

class CUDA_EVENT_WAIT_NODE_PARAMS(Record):
    """Event wait node parameters

    cuda.h:4755
    """
    def __init__(self, event: CUevent | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> CUevent:
        """The event to wait on from the node"""
        ...
    @event.setter
    def event(self, value: CUevent | None | int) -> None: ...

class CUgraphNodeParams(Record):
    """Graph node parameters. See cuGraphAddNode.

    cuda.h:4762
    """
    def __init__(self, type: CUgraphNodeType | int = ..., reserved0: Any = ..., reserved1: Any = ..., kernel: CUDA_KERNEL_NODE_PARAMS_v3 | tuple[Any, ...] | dict[str, Any] = ..., memcpy: CUDA_MEMCPY_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., memset: CUDA_MEMSET_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., host: CUDA_HOST_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., graph: CUDA_CHILD_GRAPH_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., eventWait: CUDA_EVENT_WAIT_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., eventRecord: CUDA_EVENT_RECORD_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., extSemSignal: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., extSemWait: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., alloc: CUDA_MEM_ALLOC_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., free: CUDA_MEM_FREE_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., memOp: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., conditional: CUDA_CONDITIONAL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., reserved2: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUgraphNodeType:
        """Type of the node"""
        ...
    @type.setter
    def type(self, value: CUgraphNodeType | int) -> None: ...
    @property
    def reserved0(self) -> list[int]:
        """Reserved. Must be zero."""
        ...
    @reserved0.setter
    def reserved0(self, value: Any) -> None: ...
    @property
    def reserved1(self) -> list[int]:
        """Padding. Unused bytes must be zero."""
        ...
    @reserved1.setter
    def reserved1(self, value: Any) -> None: ...
    @property
    def kernel(self) -> CUDA_KERNEL_NODE_PARAMS_v3:
        """Kernel node parameters."""
        ...
    @kernel.setter
    def kernel(self, value: CUDA_KERNEL_NODE_PARAMS_v3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memcpy(self) -> CUDA_MEMCPY_NODE_PARAMS:
        """Memcpy node parameters."""
        ...
    @memcpy.setter
    def memcpy(self, value: CUDA_MEMCPY_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memset(self) -> CUDA_MEMSET_NODE_PARAMS_v2:
        """Memset node parameters."""
        ...
    @memset.setter
    def memset(self, value: CUDA_MEMSET_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def host(self) -> CUDA_HOST_NODE_PARAMS_v2:
        """Host node parameters."""
        ...
    @host.setter
    def host(self, value: CUDA_HOST_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def graph(self) -> CUDA_CHILD_GRAPH_NODE_PARAMS:
        """Child graph node parameters."""
        ...
    @graph.setter
    def graph(self, value: CUDA_CHILD_GRAPH_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventWait(self) -> CUDA_EVENT_WAIT_NODE_PARAMS:
        """Event wait node parameters."""
        ...
    @eventWait.setter
    def eventWait(self, value: CUDA_EVENT_WAIT_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventRecord(self) -> CUDA_EVENT_RECORD_NODE_PARAMS:
        """Event record node parameters."""
        ...
    @eventRecord.setter
    def eventRecord(self, value: CUDA_EVENT_RECORD_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemSignal(self) -> CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2:
        """External semaphore signal node parameters."""
        ...
    @extSemSignal.setter
    def extSemSignal(self, value: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemWait(self) -> CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2:
        """External semaphore wait node parameters."""
        ...
    @extSemWait.setter
    def extSemWait(self, value: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def alloc(self) -> CUDA_MEM_ALLOC_NODE_PARAMS_v2:
        """Memory allocation node parameters."""
        ...
    @alloc.setter
    def alloc(self, value: CUDA_MEM_ALLOC_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def free(self) -> CUDA_MEM_FREE_NODE_PARAMS:
        """Memory free node parameters."""
        ...
    @free.setter
    def free(self, value: CUDA_MEM_FREE_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memOp(self) -> CUDA_BATCH_MEM_OP_NODE_PARAMS_v2:
        """MemOp node parameters."""
        ...
    @memOp.setter
    def memOp(self, value: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def conditional(self) -> CUDA_CONDITIONAL_NODE_PARAMS:
        """Conditional node parameters."""
        ...
    @conditional.setter
    def conditional(self, value: CUDA_CONDITIONAL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved2(self) -> int:
        """Reserved bytes. Must be zero."""
        ...
    @reserved2.setter
    def reserved2(self, value: int) -> None: ...

class CUcheckpointLockArgs(Record):
    """CUDA checkpoint optional lock arguments

    cuda.h:5066
    """
    def __init__(self, timeoutMs: int = ..., reserved0: int = ..., reserved1: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def timeoutMs(self) -> int:
        """Timeout in milliseconds to attempt to lock the process, 0 indicates no timeout"""
        ...
    @timeoutMs.setter
    def timeoutMs(self, value: int) -> None: ...
    @property
    def reserved0(self) -> int:
        """Reserved for future use, must be zero"""
        ...
    @reserved0.setter
    def reserved0(self, value: int) -> None: ...
    @property
    def reserved1(self) -> list[int]:
        """Reserved for future use, must be zeroed"""
        ...
    @reserved1.setter
    def reserved1(self, value: Any) -> None: ...

class CUcheckpointCheckpointArgs(Record):
    """CUDA checkpoint optional checkpoint arguments

    cuda.h:5075
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Reserved for future use, must be zeroed"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUcheckpointGpuPair(Record):
    """CUDA checkpoint GPU UUID pairs for device remapping during restore

    cuda.h:5082
    """
    def __init__(self, oldUuid: CUuuid | tuple[Any, ...] | dict[str, Any] = ..., newUuid: CUuuid | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def oldUuid(self) -> CUuuid:
        """UUID of the GPU that was checkpointed"""
        ...
    @oldUuid.setter
    def oldUuid(self, value: CUuuid | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def newUuid(self) -> CUuuid:
        """UUID of the GPU to restore onto"""
        ...
    @newUuid.setter
    def newUuid(self, value: CUuuid | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUcheckpointRestoreArgs(Record):
    """CUDA checkpoint optional restore arguments

    cuda.h:5090
    """
    def __init__(self, gpuPairs: CUcheckpointGpuPair | Sequence[Any] | Address | None = ..., gpuPairsCount: int = ..., reserved: Any = ..., reserved1: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def gpuPairs(self) -> list[CUcheckpointGpuPair]:
        """Pointer to array of gpu pairs that indicate how to remap GPUs during restore"""
        ...
    @gpuPairs.setter
    def gpuPairs(self, value: CUcheckpointGpuPair | Sequence[Any] | Address | None) -> None: ...
    @property
    def gpuPairsCount(self) -> int:
        """Number of gpu pairs to remap"""
        ...
    @gpuPairsCount.setter
    def gpuPairsCount(self, value: int) -> None: ...
    @property
    def reserved(self) -> bytes:
        """Reserved for future use, must be zeroed"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...
    @property
    def reserved1(self) -> int:
        """Reserved for future use, must be zeroed"""
        ...
    @reserved1.setter
    def reserved1(self, value: int) -> None: ...

class CUcheckpointUnlockArgs(Record):
    """CUDA checkpoint optional unlock arguments

    cuda.h:5100
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Reserved for future use, must be zeroed"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUmemDecompressParams(Record):
    """Structure describing the parameters that compose a single decompression operation.

    cuda.h:12613
    """
    def __init__(self, srcNumBytes: int = ..., dstNumBytes: int = ..., dstActBytes: Sequence[Any] | Address | None = ..., src: Sequence[Any] | Address | None = ..., dst: Sequence[Any] | Address | None = ..., algo: CUmemDecompressAlgorithm | int = ..., padding: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcNumBytes(self) -> int:
        """The number of bytes to be read and decompressed from CUmemDecompressParams_st.src."""
        ...
    @srcNumBytes.setter
    def srcNumBytes(self, value: int) -> None: ...
    @property
    def dstNumBytes(self) -> int:
        """The number of bytes that the decompression operation will be expected to write to CUmemDecompressParams_st.dst. This value is optional; if present, it may be used by the CUDA driver as a heuristic for scheduling the individual decompression operations."""
        ...
    @dstNumBytes.setter
    def dstNumBytes(self, value: int) -> None: ...
    @property
    def dstActBytes(self) -> int:
        """After the decompression operation has completed, the actual number of bytes written to CUmemDecompressParams.dst will be recorded as a 32-bit unsigned integer in the memory at this address."""
        ...
    @dstActBytes.setter
    def dstActBytes(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def src(self) -> int:
        """Pointer to a buffer of at least CUmemDecompressParams_st.srcNumBytes compressed bytes."""
        ...
    @src.setter
    def src(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def dst(self) -> int:
        """Pointer to a buffer where the decompressed data will be written. The number of bytes written to this location will be recorded in the memory pointed to by CUmemDecompressParams_st.dstActBytes"""
        ...
    @dst.setter
    def dst(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def algo(self) -> CUmemDecompressAlgorithm:
        """The decompression algorithm to use."""
        ...
    @algo.setter
    def algo(self, value: CUmemDecompressAlgorithm | int) -> None: ...
    @property
    def padding(self) -> bytes:
        """These bytes are unused and must be zeroed. This ensures compatibility if additional fields are added in the future."""
        ...
    @padding.setter
    def padding(self, value: Any) -> None: ...

class CUdevSmResource(Record):
    """CUdevSmResource Data for SM-related resources

    cuda.h:24770
    """
    def __init__(self, smCount: int = ..., minSmPartitionSize: int = ..., smCoscheduledAlignment: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def smCount(self) -> int:
        """The amount of streaming multiprocessors available in this resource. This is an output parameter only, do not write to this field."""
        ...
    @smCount.setter
    def smCount(self, value: int) -> None: ...
    @property
    def minSmPartitionSize(self) -> int:
        """The minimum number of streaming multiprocessors required to partition this resource. This is an output parameter only, do not write to this field."""
        ...
    @minSmPartitionSize.setter
    def minSmPartitionSize(self, value: int) -> None: ...
    @property
    def smCoscheduledAlignment(self) -> int:
        """The number of streaming multiprocessors in this resource that are guaranteed to be co-scheduled on the same GPU processing cluster. smCount is a multiple of this value. This is an output parameter only, do not write to this field."""
        ...
    @smCoscheduledAlignment.setter
    def smCoscheduledAlignment(self, value: int) -> None: ...

class CUdevResource(Record):
    """CUdevResource A tagged union describing different resources identified by the type field. This structure should not be directly modified outside of the API that created it.

    cuda.h:24794
    """
    def __init__(self, type: CUdevResourceType | int = ..., _internal_padding: Any = ..., sm: CUdevSmResource | tuple[Any, ...] | dict[str, Any] = ..., _oversize: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> CUdevResourceType:
        """Type of resource, dictates which union field was last set"""
        ...
    @type.setter
    def type(self, value: CUdevResourceType | int) -> None: ...
    @property
    def _internal_padding(self) -> bytes:
        ...
    @_internal_padding.setter
    def _internal_padding(self, value: Any) -> None: ...
    @property
    def sm(self) -> CUdevSmResource:
        """Resource corresponding to CU_DEV_RESOURCE_TYPE_SM type."""
        ...
    @sm.setter
    def sm(self, value: CUdevSmResource | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def _oversize(self) -> bytes:
        ...
    @_oversize.setter
    def _oversize(self, value: Any) -> None: ...

class CUeglFrame(Record):
    """CUDA EGLFrame structure Descriptor - structure defining one frame of EGL.

    Each frame may contain one or more planes depending on whether the surface * is Multiplanar or not.

    cudaEGL.h:245
    """
    def __init__(self, frame: CUeglFrame_st_frame | tuple[Any, ...] | dict[str, Any] = ..., width: int = ..., height: int = ..., depth: int = ..., pitch: int = ..., planeCount: int = ..., numChannels: int = ..., frameType: CUeglFrameType | int = ..., eglColorFormat: CUeglColorFormat | int = ..., cuFormat: CUarray_format | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def frame(self) -> CUeglFrame_st_frame:
        ...
    @frame.setter
    def frame(self, value: CUeglFrame_st_frame | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def width(self) -> int:
        """Width of first plane"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Height of first plane"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def depth(self) -> int:
        """Depth of first plane"""
        ...
    @depth.setter
    def depth(self, value: int) -> None: ...
    @property
    def pitch(self) -> int:
        """Pitch of first plane"""
        ...
    @pitch.setter
    def pitch(self, value: int) -> None: ...
    @property
    def planeCount(self) -> int:
        """Number of planes"""
        ...
    @planeCount.setter
    def planeCount(self, value: int) -> None: ...
    @property
    def numChannels(self) -> int:
        """Number of channels for the plane"""
        ...
    @numChannels.setter
    def numChannels(self, value: int) -> None: ...
    @property
    def frameType(self) -> CUeglFrameType:
        """Array or Pitch"""
        ...
    @frameType.setter
    def frameType(self, value: CUeglFrameType | int) -> None: ...
    @property
    def eglColorFormat(self) -> CUeglColorFormat:
        """CUDA EGL Color Format"""
        ...
    @eglColorFormat.setter
    def eglColorFormat(self, value: CUeglColorFormat | int) -> None: ...
    @property
    def cuFormat(self) -> CUarray_format:
        """CUDA Array Format"""
        ...
    @cuFormat.setter
    def cuFormat(self, value: CUarray_format | int) -> None: ...

class CUstreamMemOpWaitValueParams_st(Record):
    """cuda.h:545"""
    def __init__(self, operation: CUstreamBatchMemOpType | int = ..., address: CUdeviceptr = ..., value: int = ..., value64: int = ..., flags: int = ..., alias: CUdeviceptr = ..., *, _ptr: int = ...) -> None: ...
    @property
    def operation(self) -> CUstreamBatchMemOpType:
        ...
    @operation.setter
    def operation(self, value: CUstreamBatchMemOpType | int) -> None: ...
    @property  # type: ignore[override]
    def address(self) -> CUdeviceptr:
        ...
    @address.setter
    def address(self, value: CUdeviceptr) -> None: ...
    @property
    def value(self) -> int:
        ...
    @value.setter
    def value(self, value: int) -> None: ...
    @property
    def value64(self) -> int:
        ...
    @value64.setter
    def value64(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """See CUstreamWaitValue_flags."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def alias(self) -> CUdeviceptr:
        """For driver internal use. Initial value is unimportant."""
        ...
    @alias.setter
    def alias(self, value: CUdeviceptr) -> None: ...

class CUstreamMemOpWriteValueParams_st(Record):
    """cuda.h:555"""
    def __init__(self, operation: CUstreamBatchMemOpType | int = ..., address: CUdeviceptr = ..., value: int = ..., value64: int = ..., flags: int = ..., alias: CUdeviceptr = ..., *, _ptr: int = ...) -> None: ...
    @property
    def operation(self) -> CUstreamBatchMemOpType:
        ...
    @operation.setter
    def operation(self, value: CUstreamBatchMemOpType | int) -> None: ...
    @property  # type: ignore[override]
    def address(self) -> CUdeviceptr:
        ...
    @address.setter
    def address(self, value: CUdeviceptr) -> None: ...
    @property
    def value(self) -> int:
        ...
    @value.setter
    def value(self, value: int) -> None: ...
    @property
    def value64(self) -> int:
        ...
    @value64.setter
    def value64(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """See CUstreamWriteValue_flags."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def alias(self) -> CUdeviceptr:
        """For driver internal use. Initial value is unimportant."""
        ...
    @alias.setter
    def alias(self, value: CUdeviceptr) -> None: ...

class CUstreamMemOpFlushRemoteWritesParams_st(Record):
    """cuda.h:565"""
    def __init__(self, operation: CUstreamBatchMemOpType | int = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def operation(self) -> CUstreamBatchMemOpType:
        ...
    @operation.setter
    def operation(self, value: CUstreamBatchMemOpType | int) -> None: ...
    @property
    def flags(self) -> int:
        """Must be 0."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUstreamMemOpMemoryBarrierParams_st(Record):
    """cuda.h:569"""
    def __init__(self, operation: CUstreamBatchMemOpType | int = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def operation(self) -> CUstreamBatchMemOpType:
        ...
    @operation.setter
    def operation(self, value: CUstreamBatchMemOpType | int) -> None: ...
    @property
    def flags(self) -> int:
        """See CUstreamMemoryBarrier_flags"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUasyncNotificationInfo_st_info(Record):
    """cuda.h:629"""
    def __init__(self, overBudget: CUasyncNotificationInfo_st_info_overBudget | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def overBudget(self) -> CUasyncNotificationInfo_st_info_overBudget:
        """Information about notifications of type CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET"""
        ...
    @overBudget.setter
    def overBudget(self, value: CUasyncNotificationInfo_st_info_overBudget | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUlaunchAttributeValue_union_clusterDim(Record):
    """Value of launch attribute CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION that represents the desired cluster dimensions for the kernel. Opaque type with the following fields: - x - The X dimension of the cluster, in blocks. Must be a divisor of the grid X dimension. - y - The Y dimension of the cluster, in blocks. Must be a divisor of the grid Y dimension. - z - The Z dimension of the cluster, in blocks. Must be a divisor of the grid Z dimension.

    cuda.h:2266
    """
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...
    @property
    def y(self) -> int:
        ...
    @y.setter
    def y(self, value: int) -> None: ...
    @property
    def z(self) -> int:
        ...
    @z.setter
    def z(self, value: int) -> None: ...

class CUlaunchAttributeValue_union_programmaticEvent(Record):
    """Value of launch attribute CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT with the following fields: - CUevent event - Event to fire when all blocks trigger it. - Event record flags, see cuEventRecordWithFlags. Does not accept :CU_EVENT_RECORD_EXTERNAL. - triggerAtBlockStart - If this is set to non-0, each block launch will automatically trigger the event.

    cuda.h:2283
    """
    def __init__(self, event: CUevent | None | int = ..., flags: int = ..., triggerAtBlockStart: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> CUevent:
        ...
    @event.setter
    def event(self, value: CUevent | None | int) -> None: ...
    @property
    def flags(self) -> int:
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def triggerAtBlockStart(self) -> int:
        ...
    @triggerAtBlockStart.setter
    def triggerAtBlockStart(self, value: int) -> None: ...

class CUlaunchAttributeValue_union_launchCompletionEvent(Record):
    """Value of launch attribute CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT with the following fields: - CUevent event - Event to fire when the last block launches - int flags; - Event record flags, see cuEventRecordWithFlags. Does not accept CU_EVENT_RECORD_EXTERNAL.

    cuda.h:2294
    """
    def __init__(self, event: CUevent | None | int = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> CUevent:
        ...
    @event.setter
    def event(self, value: CUevent | None | int) -> None: ...
    @property
    def flags(self) -> int:
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUlaunchAttributeValue_union_preferredClusterDim(Record):
    """Value of launch attribute CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION that represents the desired preferred cluster dimensions for the kernel. Opaque type with the following fields: - x - The X dimension of the preferred cluster, in blocks. Must be a divisor of the grid X dimension, and must be a multiple of the x field of CUlaunchAttributeValueclusterDim. - y - The Y dimension of the preferred cluster, in blocks. Must be a divisor of the grid Y dimension, and must be a multiple of the y field of CUlaunchAttributeValueclusterDim. - z - The Z dimension of the preferred cluster, in blocks. Must be equal to the z field of CUlaunchAttributeValueclusterDim.

    cuda.h:2317
    """
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...
    @property
    def y(self) -> int:
        ...
    @y.setter
    def y(self, value: int) -> None: ...
    @property
    def z(self) -> int:
        ...
    @z.setter
    def z(self, value: int) -> None: ...

class CUlaunchAttributeValue_union_deviceUpdatableKernelNode(Record):
    """Value of launch attribute CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE. with the following fields: - int deviceUpdatable - Whether or not the resulting kernel node should be device-updatable. - CUgraphDeviceNode devNode - Returns a handle to pass to the various device-side update functions.

    cuda.h:2329
    """
    def __init__(self, deviceUpdatable: int = ..., devNode: CUgraphDeviceNode | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def deviceUpdatable(self) -> int:
        ...
    @deviceUpdatable.setter
    def deviceUpdatable(self, value: int) -> None: ...
    @property
    def devNode(self) -> CUgraphDeviceNode:
        ...
    @devNode.setter
    def devNode(self, value: CUgraphDeviceNode | None | int) -> None: ...

class CUexecAffinityParam_st_param(Record):
    """cuda.h:2446"""
    def __init__(self, smCount: CUexecAffinitySmCount | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def smCount(self) -> CUexecAffinitySmCount:
        ...
    @smCount.setter
    def smCount(self, value: CUexecAffinitySmCount | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUDA_ARRAY_SPARSE_PROPERTIES_st_tileExtent(Record):
    """cuda.h:3445"""
    def __init__(self, width: int = ..., height: int = ..., depth: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def width(self) -> int:
        """Width of sparse tile in elements"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Height of sparse tile in elements"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def depth(self) -> int:
        """Depth of sparse tile in elements"""
        ...
    @depth.setter
    def depth(self, value: int) -> None: ...

class CUDA_RESOURCE_DESC_st_res(Record):
    """cuda.h:3484"""
    def __init__(self, array: CUDA_RESOURCE_DESC_st_res_array | tuple[Any, ...] | dict[str, Any] = ..., mipmap: CUDA_RESOURCE_DESC_st_res_mipmap | tuple[Any, ...] | dict[str, Any] = ..., linear: CUDA_RESOURCE_DESC_st_res_linear | tuple[Any, ...] | dict[str, Any] = ..., pitch2D: CUDA_RESOURCE_DESC_st_res_pitch2D | tuple[Any, ...] | dict[str, Any] = ..., reserved: CUDA_RESOURCE_DESC_st_res_reserved | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> CUDA_RESOURCE_DESC_st_res_array:
        ...
    @array.setter
    def array(self, value: CUDA_RESOURCE_DESC_st_res_array | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def mipmap(self) -> CUDA_RESOURCE_DESC_st_res_mipmap:
        ...
    @mipmap.setter
    def mipmap(self, value: CUDA_RESOURCE_DESC_st_res_mipmap | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def linear(self) -> CUDA_RESOURCE_DESC_st_res_linear:
        ...
    @linear.setter
    def linear(self, value: CUDA_RESOURCE_DESC_st_res_linear | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def pitch2D(self) -> CUDA_RESOURCE_DESC_st_res_pitch2D:
        ...
    @pitch2D.setter
    def pitch2D(self, value: CUDA_RESOURCE_DESC_st_res_pitch2D | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved(self) -> CUDA_RESOURCE_DESC_st_res_reserved:
        ...
    @reserved.setter
    def reserved(self, value: CUDA_RESOURCE_DESC_st_res_reserved | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle(Record):
    """cuda.h:3799"""
    def __init__(self, fd: int = ..., win32: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle_win32 | tuple[Any, ...] | dict[str, Any] = ..., nvSciBufObject: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fd(self) -> int:
        """File descriptor referencing the memory object. Valid when type is CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD"""
        ...
    @fd.setter
    def fd(self, value: int) -> None: ...
    @property
    def win32(self) -> CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle_win32:
        ...
    @win32.setter
    def win32(self, value: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle_win32 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciBufObject(self) -> int:
        """A handle representing an NvSciBuf Object. Valid when type is CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF"""
        ...
    @nvSciBufObject.setter
    def nvSciBufObject(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle(Record):
    """cuda.h:3945"""
    def __init__(self, fd: int = ..., win32: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle_win32 | tuple[Any, ...] | dict[str, Any] = ..., nvSciSyncObj: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fd(self) -> int:
        """File descriptor referencing the semaphore object. Valid when type is one of the following: - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD"""
        ...
    @fd.setter
    def fd(self, value: int) -> None: ...
    @property
    def win32(self) -> CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle_win32:
        ...
    @win32.setter
    def win32(self, value: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle_win32 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciSyncObj(self) -> int:
        """Valid NvSciSyncObj. Must be non NULL"""
        ...
    @nvSciSyncObj.setter
    def nvSciSyncObj(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params(Record):
    """cuda.h:3996"""
    def __init__(self, fence: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_fence | tuple[Any, ...] | dict[str, Any] = ..., nvSciSync: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_nvSciSync | tuple[Any, ...] | dict[str, Any] = ..., keyedMutex: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_keyedMutex | tuple[Any, ...] | dict[str, Any] = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_fence:
        ...
    @fence.setter
    def fence(self, value: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_fence | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciSync(self) -> CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_nvSciSync:
        ...
    @nvSciSync.setter
    def nvSciSync(self, value: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_nvSciSync | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def keyedMutex(self) -> CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_keyedMutex:
        ...
    @keyedMutex.setter
    def keyedMutex(self, value: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_keyedMutex | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params(Record):
    """cuda.h:4044"""
    def __init__(self, fence: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_fence | tuple[Any, ...] | dict[str, Any] = ..., nvSciSync: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_nvSciSync | tuple[Any, ...] | dict[str, Any] = ..., keyedMutex: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_keyedMutex | tuple[Any, ...] | dict[str, Any] = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_fence:
        ...
    @fence.setter
    def fence(self, value: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_fence | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciSync(self) -> CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_nvSciSync:
        ...
    @nvSciSync.setter
    def nvSciSync(self, value: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_nvSciSync | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def keyedMutex(self) -> CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_keyedMutex:
        ...
    @keyedMutex.setter
    def keyedMutex(self, value: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_keyedMutex | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUarrayMapInfo_st_resource(Record):
    """cuda.h:4236"""
    def __init__(self, mipmap: CUmipmappedArray | None | int = ..., array: CUarray | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def mipmap(self) -> CUmipmappedArray:
        ...
    @mipmap.setter
    def mipmap(self, value: CUmipmappedArray | None | int) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> CUarray:
        ...
    @array.setter
    def array(self, value: CUarray | None | int) -> None: ...

class CUarrayMapInfo_st_subresource(Record):
    """cuda.h:4243"""
    def __init__(self, sparseLevel: CUarrayMapInfo_st_subresource_sparseLevel | tuple[Any, ...] | dict[str, Any] = ..., miptail: CUarrayMapInfo_st_subresource_miptail | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def sparseLevel(self) -> CUarrayMapInfo_st_subresource_sparseLevel:
        ...
    @sparseLevel.setter
    def sparseLevel(self, value: CUarrayMapInfo_st_subresource_sparseLevel | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def miptail(self) -> CUarrayMapInfo_st_subresource_miptail:
        ...
    @miptail.setter
    def miptail(self, value: CUarrayMapInfo_st_subresource_miptail | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUarrayMapInfo_st_memHandle(Record):
    """cuda.h:4264"""
    def __init__(self, memHandle: CUmemGenericAllocationHandle = ..., *, _ptr: int = ...) -> None: ...
    @property
    def memHandle(self) -> CUmemGenericAllocationHandle:
        ...
    @memHandle.setter
    def memHandle(self, value: CUmemGenericAllocationHandle) -> None: ...

class CUmemAllocationProp_st_allocFlags(Record):
    """cuda.h:4320"""
    def __init__(self, compressionType: int = ..., gpuDirectRDMACapable: int = ..., usage: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def compressionType(self) -> int:
        """Allocation hint for requesting compressible memory. On devices that support Compute Data Compression, compressible memory can be used to accelerate accesses to data with unstructured sparsity and other compressible data patterns. Applications are expected to query allocation property of the handle obtained with cuMemCreate using cuMemGetAllocationPropertiesFromHandle to validate if the obtained allocation is compressible or not. Note that compressed memory may not be mappable on all devices."""
        ...
    @compressionType.setter
    def compressionType(self, value: int) -> None: ...
    @property
    def gpuDirectRDMACapable(self) -> int:
        ...
    @gpuDirectRDMACapable.setter
    def gpuDirectRDMACapable(self, value: int) -> None: ...
    @property
    def usage(self) -> int:
        """Bitmask indicating intended usage for this allocation"""
        ...
    @usage.setter
    def usage(self, value: int) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUmemcpy3DOperand_st_op(Record):
    """cuda.h:4616"""
    def __init__(self, ptr: CUmemcpy3DOperand_st_op_ptr | tuple[Any, ...] | dict[str, Any] = ..., array: CUmemcpy3DOperand_st_op_array | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def ptr(self) -> CUmemcpy3DOperand_st_op_ptr:
        ...
    @ptr.setter
    def ptr(self, value: CUmemcpy3DOperand_st_op_ptr | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> CUmemcpy3DOperand_st_op_array:
        ...
    @array.setter
    def array(self, value: CUmemcpy3DOperand_st_op_array | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUgraphNodeParams_st_anonymous1(Record):
    """cuda.h:4766"""
    def __init__(self, reserved1: Any = ..., kernel: CUDA_KERNEL_NODE_PARAMS_v3 | tuple[Any, ...] | dict[str, Any] = ..., memcpy: CUDA_MEMCPY_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., memset: CUDA_MEMSET_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., host: CUDA_HOST_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., graph: CUDA_CHILD_GRAPH_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., eventWait: CUDA_EVENT_WAIT_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., eventRecord: CUDA_EVENT_RECORD_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., extSemSignal: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., extSemWait: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., alloc: CUDA_MEM_ALLOC_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., free: CUDA_MEM_FREE_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., memOp: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any] = ..., conditional: CUDA_CONDITIONAL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved1(self) -> list[int]:
        """Padding. Unused bytes must be zero."""
        ...
    @reserved1.setter
    def reserved1(self, value: Any) -> None: ...
    @property
    def kernel(self) -> CUDA_KERNEL_NODE_PARAMS_v3:
        """Kernel node parameters."""
        ...
    @kernel.setter
    def kernel(self, value: CUDA_KERNEL_NODE_PARAMS_v3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memcpy(self) -> CUDA_MEMCPY_NODE_PARAMS:
        """Memcpy node parameters."""
        ...
    @memcpy.setter
    def memcpy(self, value: CUDA_MEMCPY_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memset(self) -> CUDA_MEMSET_NODE_PARAMS_v2:
        """Memset node parameters."""
        ...
    @memset.setter
    def memset(self, value: CUDA_MEMSET_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def host(self) -> CUDA_HOST_NODE_PARAMS_v2:
        """Host node parameters."""
        ...
    @host.setter
    def host(self, value: CUDA_HOST_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def graph(self) -> CUDA_CHILD_GRAPH_NODE_PARAMS:
        """Child graph node parameters."""
        ...
    @graph.setter
    def graph(self, value: CUDA_CHILD_GRAPH_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventWait(self) -> CUDA_EVENT_WAIT_NODE_PARAMS:
        """Event wait node parameters."""
        ...
    @eventWait.setter
    def eventWait(self, value: CUDA_EVENT_WAIT_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventRecord(self) -> CUDA_EVENT_RECORD_NODE_PARAMS:
        """Event record node parameters."""
        ...
    @eventRecord.setter
    def eventRecord(self, value: CUDA_EVENT_RECORD_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemSignal(self) -> CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2:
        """External semaphore signal node parameters."""
        ...
    @extSemSignal.setter
    def extSemSignal(self, value: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemWait(self) -> CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2:
        """External semaphore wait node parameters."""
        ...
    @extSemWait.setter
    def extSemWait(self, value: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def alloc(self) -> CUDA_MEM_ALLOC_NODE_PARAMS_v2:
        """Memory allocation node parameters."""
        ...
    @alloc.setter
    def alloc(self, value: CUDA_MEM_ALLOC_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def free(self) -> CUDA_MEM_FREE_NODE_PARAMS:
        """Memory free node parameters."""
        ...
    @free.setter
    def free(self, value: CUDA_MEM_FREE_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memOp(self) -> CUDA_BATCH_MEM_OP_NODE_PARAMS_v2:
        """MemOp node parameters."""
        ...
    @memOp.setter
    def memOp(self, value: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def conditional(self) -> CUDA_CONDITIONAL_NODE_PARAMS:
        """Conditional node parameters."""
        ...
    @conditional.setter
    def conditional(self, value: CUDA_CONDITIONAL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUdevResource_st_anonymous1(Record):
    """cuda.h:24797"""
    def __init__(self, sm: CUdevSmResource | tuple[Any, ...] | dict[str, Any] = ..., _oversize: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def sm(self) -> CUdevSmResource:
        """Resource corresponding to CU_DEV_RESOURCE_TYPE_SM type."""
        ...
    @sm.setter
    def sm(self, value: CUdevSmResource | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def _oversize(self) -> bytes:
        ...
    @_oversize.setter
    def _oversize(self, value: Any) -> None: ...

class CUeglFrame_st_frame(Record):
    """cudaEGL.h:246"""
    def __init__(self, pArray: Any = ..., pPitch: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def pArray(self) -> list[CUarray]:
        """Array of CUarray corresponding to each plane"""
        ...
    @pArray.setter
    def pArray(self, value: Any) -> None: ...
    @property
    def pPitch(self) -> list[int]:
        """Array of Pointers corresponding to each plane"""
        ...
    @pPitch.setter
    def pPitch(self, value: Any) -> None: ...

class CUstreamMemOpWaitValueParams_st_anonymous1(Record):
    """cuda.h:548"""
    def __init__(self, value: int = ..., value64: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def value(self) -> int:
        ...
    @value.setter
    def value(self, value: int) -> None: ...
    @property
    def value64(self) -> int:
        ...
    @value64.setter
    def value64(self, value: int) -> None: ...

class CUstreamMemOpWriteValueParams_st_anonymous1(Record):
    """cuda.h:558"""
    def __init__(self, value: int = ..., value64: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def value(self) -> int:
        ...
    @value.setter
    def value(self, value: int) -> None: ...
    @property
    def value64(self) -> int:
        ...
    @value64.setter
    def value64(self, value: int) -> None: ...

class CUasyncNotificationInfo_st_info_overBudget(Record):
    """cuda.h:630"""
    def __init__(self, bytesOverBudget: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def bytesOverBudget(self) -> int:
        """The number of bytes that the process has allocated above its device memory budget"""
        ...
    @bytesOverBudget.setter
    def bytesOverBudget(self, value: int) -> None: ...

class CUDA_RESOURCE_DESC_st_res_array(Record):
    """cuda.h:3485"""
    def __init__(self, hArray: CUarray | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def hArray(self) -> CUarray:
        """CUDA array"""
        ...
    @hArray.setter
    def hArray(self, value: CUarray | None | int) -> None: ...

class CUDA_RESOURCE_DESC_st_res_mipmap(Record):
    """cuda.h:3488"""
    def __init__(self, hMipmappedArray: CUmipmappedArray | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def hMipmappedArray(self) -> CUmipmappedArray:
        """CUDA mipmapped array"""
        ...
    @hMipmappedArray.setter
    def hMipmappedArray(self, value: CUmipmappedArray | None | int) -> None: ...

class CUDA_RESOURCE_DESC_st_res_linear(Record):
    """cuda.h:3491"""
    def __init__(self, devPtr: CUdeviceptr = ..., format: CUarray_format | int = ..., numChannels: int = ..., sizeInBytes: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def devPtr(self) -> CUdeviceptr:
        """Device pointer"""
        ...
    @devPtr.setter
    def devPtr(self, value: CUdeviceptr) -> None: ...
    @property
    def format(self) -> CUarray_format:
        """Array format"""
        ...
    @format.setter
    def format(self, value: CUarray_format | int) -> None: ...
    @property
    def numChannels(self) -> int:
        """Channels per array element"""
        ...
    @numChannels.setter
    def numChannels(self, value: int) -> None: ...
    @property
    def sizeInBytes(self) -> int:
        """Size in bytes"""
        ...
    @sizeInBytes.setter
    def sizeInBytes(self, value: int) -> None: ...

class CUDA_RESOURCE_DESC_st_res_pitch2D(Record):
    """cuda.h:3497"""
    def __init__(self, devPtr: CUdeviceptr = ..., format: CUarray_format | int = ..., numChannels: int = ..., width: int = ..., height: int = ..., pitchInBytes: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def devPtr(self) -> CUdeviceptr:
        """Device pointer"""
        ...
    @devPtr.setter
    def devPtr(self, value: CUdeviceptr) -> None: ...
    @property
    def format(self) -> CUarray_format:
        """Array format"""
        ...
    @format.setter
    def format(self, value: CUarray_format | int) -> None: ...
    @property
    def numChannels(self) -> int:
        """Channels per array element"""
        ...
    @numChannels.setter
    def numChannels(self, value: int) -> None: ...
    @property
    def width(self) -> int:
        """Width of the array in elements"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Height of the array in elements"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def pitchInBytes(self) -> int:
        """Pitch between two rows in bytes"""
        ...
    @pitchInBytes.setter
    def pitchInBytes(self, value: int) -> None: ...

class CUDA_RESOURCE_DESC_st_res_reserved(Record):
    """cuda.h:3505"""
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st_handle_win32(Record):
    """Win32 handle referencing the semaphore object. Valid when type is one of the following: - CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 - CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT - CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP - CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE - CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE - CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT Exactly one of 'handle' and 'name' must be non-NULL. If type is one of the following: CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT then 'name' must be NULL.

    cuda.h:3821
    """
    def __init__(self, handle: Sequence[Any] | Address | None = ..., name: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def handle(self) -> int:
        """Valid NT handle. Must be NULL if 'name' is non-NULL"""
        ...
    @handle.setter
    def handle(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def name(self) -> int:
        """Name of a valid memory object. Must be NULL if 'handle' is non-NULL."""
        ...
    @name.setter
    def name(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st_handle_win32(Record):
    """Win32 handle referencing the semaphore object. Valid when type is one of the following: - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 Exactly one of 'handle' and 'name' must be non-NULL. If type is one of the following: - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT - CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT then 'name' must be NULL.

    cuda.h:3968
    """
    def __init__(self, handle: Sequence[Any] | Address | None = ..., name: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def handle(self) -> int:
        """Valid NT handle. Must be NULL if 'name' is non-NULL"""
        ...
    @handle.setter
    def handle(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def name(self) -> int:
        """Name of a valid synchronization primitive. Must be NULL if 'handle' is non-NULL."""
        ...
    @name.setter
    def name(self, value: Sequence[Any] | Address | None) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_fence(Record):
    """Parameters for fence objects

    cuda.h:4000
    """
    def __init__(self, value: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def value(self) -> int:
        """Value of fence to be signaled"""
        ...
    @value.setter
    def value(self, value: int) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_nvSciSync(Record):
    """cuda.h:4006"""
    def __init__(self, fence: Sequence[Any] | Address | None = ..., reserved: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> int:
        """Pointer to NvSciSyncFence. Valid if CUexternalSemaphoreHandleType is of type CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC."""
        ...
    @fence.setter
    def fence(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def reserved(self) -> int:
        ...
    @reserved.setter
    def reserved(self, value: int) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st_params_keyedMutex(Record):
    """Parameters for keyed mutex objects

    cuda.h:4017
    """
    def __init__(self, key: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def key(self) -> int:
        """Value of key to release the mutex with"""
        ...
    @key.setter
    def key(self, value: int) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_fence(Record):
    """Parameters for fence objects

    cuda.h:4048
    """
    def __init__(self, value: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def value(self) -> int:
        """Value of fence to be waited on"""
        ...
    @value.setter
    def value(self, value: int) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_nvSciSync(Record):
    """Pointer to NvSciSyncFence. Valid if CUexternalSemaphoreHandleType is of type CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC.

    cuda.h:4058
    """
    def __init__(self, fence: Sequence[Any] | Address | None = ..., reserved: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> int:
        ...
    @fence.setter
    def fence(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def reserved(self) -> int:
        ...
    @reserved.setter
    def reserved(self, value: int) -> None: ...

class CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st_params_keyedMutex(Record):
    """Parameters for keyed mutex objects

    cuda.h:4065
    """
    def __init__(self, key: int = ..., timeoutMs: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def key(self) -> int:
        """Value of key to acquire the mutex with"""
        ...
    @key.setter
    def key(self, value: int) -> None: ...
    @property
    def timeoutMs(self) -> int:
        """Timeout in milliseconds to wait to acquire the mutex"""
        ...
    @timeoutMs.setter
    def timeoutMs(self, value: int) -> None: ...

class CUarrayMapInfo_st_subresource_sparseLevel(Record):
    """cuda.h:4244"""
    def __init__(self, level: int = ..., layer: int = ..., offsetX: int = ..., offsetY: int = ..., offsetZ: int = ..., extentWidth: int = ..., extentHeight: int = ..., extentDepth: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def level(self) -> int:
        """For CUDA mipmapped arrays must a valid mipmap level. For CUDA arrays must be zero"""
        ...
    @level.setter
    def level(self, value: int) -> None: ...
    @property
    def layer(self) -> int:
        """For CUDA layered arrays must be a valid layer index. Otherwise, must be zero"""
        ...
    @layer.setter
    def layer(self, value: int) -> None: ...
    @property
    def offsetX(self) -> int:
        """Starting X offset in elements"""
        ...
    @offsetX.setter
    def offsetX(self, value: int) -> None: ...
    @property
    def offsetY(self) -> int:
        """Starting Y offset in elements"""
        ...
    @offsetY.setter
    def offsetY(self, value: int) -> None: ...
    @property
    def offsetZ(self) -> int:
        """Starting Z offset in elements"""
        ...
    @offsetZ.setter
    def offsetZ(self, value: int) -> None: ...
    @property
    def extentWidth(self) -> int:
        """Width in elements"""
        ...
    @extentWidth.setter
    def extentWidth(self, value: int) -> None: ...
    @property
    def extentHeight(self) -> int:
        """Height in elements"""
        ...
    @extentHeight.setter
    def extentHeight(self, value: int) -> None: ...
    @property
    def extentDepth(self) -> int:
        """Depth in elements"""
        ...
    @extentDepth.setter
    def extentDepth(self, value: int) -> None: ...

class CUarrayMapInfo_st_subresource_miptail(Record):
    """cuda.h:4254"""
    def __init__(self, layer: int = ..., offset: int = ..., size: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def layer(self) -> int:
        """For CUDA layered arrays must be a valid layer index. Otherwise, must be zero"""
        ...
    @layer.setter
    def layer(self, value: int) -> None: ...
    @property
    def offset(self) -> int:
        """Offset within mip tail"""
        ...
    @offset.setter
    def offset(self, value: int) -> None: ...
    @property
    def size(self) -> int:
        """Extent in bytes"""
        ...
    @size.setter
    def size(self, value: int) -> None: ...

class CUmemcpy3DOperand_st_op_ptr(Record):
    """Struct representing an operand when CUmemcpy3DOperandtype is CU_MEMCPY_OPERAND_TYPE_POINTER

    cuda.h:4620
    """
    def __init__(self, ptr: CUdeviceptr = ..., rowLength: int = ..., layerHeight: int = ..., locHint: CUmemLocation | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def ptr(self) -> CUdeviceptr:
        ...
    @ptr.setter
    def ptr(self, value: CUdeviceptr) -> None: ...
    @property
    def rowLength(self) -> int:
        """Length of each row in elements."""
        ...
    @rowLength.setter
    def rowLength(self, value: int) -> None: ...
    @property
    def layerHeight(self) -> int:
        """Height of each layer in elements."""
        ...
    @layerHeight.setter
    def layerHeight(self, value: int) -> None: ...
    @property
    def locHint(self) -> CUmemLocation:
        """Hint location for the operand. Ignored when the pointers are not managed memory or memory allocated outside CUDA."""
        ...
    @locHint.setter
    def locHint(self, value: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUmemcpy3DOperand_st_op_array(Record):
    """Struct representing an operand when CUmemcpy3DOperandtype is CU_MEMCPY_OPERAND_TYPE_ARRAY

    cuda.h:4630
    """
    def __init__(self, array: CUarray | None | int = ..., offset: CUoffset3D | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> CUarray:
        ...
    @array.setter
    def array(self, value: CUarray | None | int) -> None: ...
    @property
    def offset(self) -> CUoffset3D:
        ...
    @offset.setter
    def offset(self, value: CUoffset3D | tuple[Any, ...] | dict[str, Any]) -> None: ...

class CUipcMem_flags(IntEnum):
    """CUDA Ipc Mem Flags

    cuda.h:357
    """
    CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1
    """Automatically enable peer access between remote devices as needed"""

CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS: Final = CUipcMem_flags.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS

class CUmemAttach_flags(IntEnum):
    """CUDA Mem Attach Flags

    cuda.h:365
    """
    CU_MEM_ATTACH_GLOBAL = 1
    """Memory can be accessed by any stream on any device"""
    CU_MEM_ATTACH_HOST = 2
    """Memory cannot be accessed by any stream on any device"""
    CU_MEM_ATTACH_SINGLE = 4
    """Memory can only be accessed by a single stream on the associated device"""

CU_MEM_ATTACH_GLOBAL: Final = CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL
CU_MEM_ATTACH_HOST: Final = CUmemAttach_flags.CU_MEM_ATTACH_HOST
CU_MEM_ATTACH_SINGLE: Final = CUmemAttach_flags.CU_MEM_ATTACH_SINGLE

class CUctx_flags(IntEnum):
    """Context creation flags

    cuda.h:374
    """
    CU_CTX_SCHED_AUTO = 0
    """Automatic scheduling"""
    CU_CTX_SCHED_SPIN = 1
    """Set spin as default scheduling"""
    CU_CTX_SCHED_YIELD = 2
    """Set yield as default scheduling"""
    CU_CTX_SCHED_BLOCKING_SYNC = 4
    """Set blocking synchronization as default scheduling"""
    CU_CTX_BLOCKING_SYNC = 4
    """Set blocking synchronization as default scheduling"""
    CU_CTX_SCHED_MASK = 7
    CU_CTX_MAP_HOST = 8
    CU_CTX_LMEM_RESIZE_TO_MAX = 16
    """Keep local memory allocation after launch"""
    CU_CTX_COREDUMP_ENABLE = 32
    """Trigger coredumps from exceptions in this context"""
    CU_CTX_USER_COREDUMP_ENABLE = 64
    """Enable user pipe to trigger coredumps in this context"""
    CU_CTX_SYNC_MEMOPS = 128
    """Ensure synchronous memory operations on this context will synchronize"""
    CU_CTX_FLAGS_MASK = 255

CU_CTX_SCHED_AUTO: Final = CUctx_flags.CU_CTX_SCHED_AUTO
CU_CTX_SCHED_SPIN: Final = CUctx_flags.CU_CTX_SCHED_SPIN
CU_CTX_SCHED_YIELD: Final = CUctx_flags.CU_CTX_SCHED_YIELD
CU_CTX_SCHED_BLOCKING_SYNC: Final = CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC
CU_CTX_BLOCKING_SYNC: Final = CUctx_flags.CU_CTX_BLOCKING_SYNC
CU_CTX_SCHED_MASK: Final = CUctx_flags.CU_CTX_SCHED_MASK
CU_CTX_MAP_HOST: Final = CUctx_flags.CU_CTX_MAP_HOST
CU_CTX_LMEM_RESIZE_TO_MAX: Final = CUctx_flags.CU_CTX_LMEM_RESIZE_TO_MAX
CU_CTX_COREDUMP_ENABLE: Final = CUctx_flags.CU_CTX_COREDUMP_ENABLE
CU_CTX_USER_COREDUMP_ENABLE: Final = CUctx_flags.CU_CTX_USER_COREDUMP_ENABLE
CU_CTX_SYNC_MEMOPS: Final = CUctx_flags.CU_CTX_SYNC_MEMOPS
CU_CTX_FLAGS_MASK: Final = CUctx_flags.CU_CTX_FLAGS_MASK

class CUevent_sched_flags(IntEnum):
    """Event sched flags

    cuda.h:396
    """
    CU_EVENT_SCHED_AUTO = 0
    """Automatic scheduling"""
    CU_EVENT_SCHED_SPIN = 1
    """Set spin as default scheduling"""
    CU_EVENT_SCHED_YIELD = 2
    """Set yield as default scheduling"""
    CU_EVENT_SCHED_BLOCKING_SYNC = 4
    """Set blocking synchronization as default scheduling"""

CU_EVENT_SCHED_AUTO: Final = CUevent_sched_flags.CU_EVENT_SCHED_AUTO
CU_EVENT_SCHED_SPIN: Final = CUevent_sched_flags.CU_EVENT_SCHED_SPIN
CU_EVENT_SCHED_YIELD: Final = CUevent_sched_flags.CU_EVENT_SCHED_YIELD
CU_EVENT_SCHED_BLOCKING_SYNC: Final = CUevent_sched_flags.CU_EVENT_SCHED_BLOCKING_SYNC

class cl_event_flags(IntEnum):
    """NVCL event scheduling flags

    cuda.h:406
    """
    NVCL_EVENT_SCHED_AUTO = 0
    """Automatic scheduling"""
    NVCL_EVENT_SCHED_SPIN = 1
    """Set spin as default scheduling"""
    NVCL_EVENT_SCHED_YIELD = 2
    """Set yield as default scheduling"""
    NVCL_EVENT_SCHED_BLOCKING_SYNC = 4
    """Set blocking synchronization as default scheduling"""

NVCL_EVENT_SCHED_AUTO: Final = cl_event_flags.NVCL_EVENT_SCHED_AUTO
NVCL_EVENT_SCHED_SPIN: Final = cl_event_flags.NVCL_EVENT_SCHED_SPIN
NVCL_EVENT_SCHED_YIELD: Final = cl_event_flags.NVCL_EVENT_SCHED_YIELD
NVCL_EVENT_SCHED_BLOCKING_SYNC: Final = cl_event_flags.NVCL_EVENT_SCHED_BLOCKING_SYNC

class cl_context_flags(IntEnum):
    """NVCL context scheduling flags

    cuda.h:416
    """
    NVCL_CTX_SCHED_AUTO = 0
    """Automatic scheduling"""
    NVCL_CTX_SCHED_SPIN = 1
    """Set spin as default scheduling"""
    NVCL_CTX_SCHED_YIELD = 2
    """Set yield as default scheduling"""
    NVCL_CTX_SCHED_BLOCKING_SYNC = 4
    """Set blocking synchronization as default scheduling"""

NVCL_CTX_SCHED_AUTO: Final = cl_context_flags.NVCL_CTX_SCHED_AUTO
NVCL_CTX_SCHED_SPIN: Final = cl_context_flags.NVCL_CTX_SCHED_SPIN
NVCL_CTX_SCHED_YIELD: Final = cl_context_flags.NVCL_CTX_SCHED_YIELD
NVCL_CTX_SCHED_BLOCKING_SYNC: Final = cl_context_flags.NVCL_CTX_SCHED_BLOCKING_SYNC

class CUstream_flags(IntEnum):
    """Stream creation flags

    cuda.h:427
    """
    CU_STREAM_DEFAULT = 0
    """Default stream flag"""
    CU_STREAM_NON_BLOCKING = 1
    """Stream does not synchronize with stream 0 (the NULL stream)"""

CU_STREAM_DEFAULT: Final = CUstream_flags.CU_STREAM_DEFAULT
CU_STREAM_NON_BLOCKING: Final = CUstream_flags.CU_STREAM_NON_BLOCKING

class CUevent_flags(IntEnum):
    """Event creation flags

    cuda.h:455
    """
    CU_EVENT_DEFAULT = 0
    """Default event flag"""
    CU_EVENT_BLOCKING_SYNC = 1
    """Event uses blocking synchronization"""
    CU_EVENT_DISABLE_TIMING = 2
    """Event will not record timing data"""
    CU_EVENT_INTERPROCESS = 4
    """Event is suitable for interprocess use. CU_EVENT_DISABLE_TIMING must be set"""

CU_EVENT_DEFAULT: Final = CUevent_flags.CU_EVENT_DEFAULT
CU_EVENT_BLOCKING_SYNC: Final = CUevent_flags.CU_EVENT_BLOCKING_SYNC
CU_EVENT_DISABLE_TIMING: Final = CUevent_flags.CU_EVENT_DISABLE_TIMING
CU_EVENT_INTERPROCESS: Final = CUevent_flags.CU_EVENT_INTERPROCESS

class CUevent_record_flags(IntEnum):
    """Event record flags

    cuda.h:465
    """
    CU_EVENT_RECORD_DEFAULT = 0
    """Default event record flag"""
    CU_EVENT_RECORD_EXTERNAL = 1
    """When using stream capture, create an event record node instead of the default behavior. This flag is invalid when used outside of capture."""

CU_EVENT_RECORD_DEFAULT: Final = CUevent_record_flags.CU_EVENT_RECORD_DEFAULT
CU_EVENT_RECORD_EXTERNAL: Final = CUevent_record_flags.CU_EVENT_RECORD_EXTERNAL

class CUevent_wait_flags(IntEnum):
    """Event wait flags

    cuda.h:475
    """
    CU_EVENT_WAIT_DEFAULT = 0
    """Default event wait flag"""
    CU_EVENT_WAIT_EXTERNAL = 1
    """When using stream capture, create an event wait node instead of the default behavior. This flag is invalid when used outside of capture."""

CU_EVENT_WAIT_DEFAULT: Final = CUevent_wait_flags.CU_EVENT_WAIT_DEFAULT
CU_EVENT_WAIT_EXTERNAL: Final = CUevent_wait_flags.CU_EVENT_WAIT_EXTERNAL

class CUstreamWaitValue_flags(IntEnum):
    """Flags for cuStreamWaitValue32 and cuStreamWaitValue64

    cuda.h:485
    """
    CU_STREAM_WAIT_VALUE_GEQ = 0
    """Wait until (int32_t)(*addr - value) >= 0 (or int64_t for 64 bit values). Note this is a cyclic comparison which ignores wraparound. (Default behavior.)"""
    CU_STREAM_WAIT_VALUE_EQ = 1
    """Wait until *addr == value."""
    CU_STREAM_WAIT_VALUE_AND = 2
    """Wait until (*addr & value) != 0."""
    CU_STREAM_WAIT_VALUE_NOR = 3
    """Wait until ~(*addr | value) != 0. Support for this operation can be queried with cuDeviceGetAttribute() and CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR."""
    CU_STREAM_WAIT_VALUE_FLUSH = 1073741824
    """Follow the wait operation with a flush of outstanding remote writes. This means that, if a remote write operation is guaranteed to have reached the device before the wait can be satisfied, that write is guaranteed to be visible to downstream device work. The device is permitted to reorder remote writes internally. For example, this flag would be required if two remote writes arrive in a defined order, the wait is satisfied by the second write, and downstream work needs to observe the first write. Support for this operation is restricted to selected platforms and can be queried with CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES."""

CU_STREAM_WAIT_VALUE_GEQ: Final = CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ
CU_STREAM_WAIT_VALUE_EQ: Final = CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_EQ
CU_STREAM_WAIT_VALUE_AND: Final = CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_AND
CU_STREAM_WAIT_VALUE_NOR: Final = CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_NOR
CU_STREAM_WAIT_VALUE_FLUSH: Final = CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_FLUSH

class CUstreamWriteValue_flags(IntEnum):
    """Flags for cuStreamWriteValue32

    cuda.h:508
    """
    CU_STREAM_WRITE_VALUE_DEFAULT = 0
    """Default behavior"""
    CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1
    """Permits the write to be reordered with writes which were issued before it, as a performance optimization. Normally, cuStreamWriteValue32 will provide a memory fence before the write, which has similar semantics to __threadfence_system() but is scoped to the stream rather than a CUDA thread. This flag is not supported in the v2 API."""

CU_STREAM_WRITE_VALUE_DEFAULT: Final = CUstreamWriteValue_flags.CU_STREAM_WRITE_VALUE_DEFAULT
CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER: Final = CUstreamWriteValue_flags.CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER

class CUstreamBatchMemOpType(IntEnum):
    """Operations for cuStreamBatchMemOp

    cuda.h:522
    """
    CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1
    """Represents a cuStreamWaitValue32 operation"""
    CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2
    """Represents a cuStreamWriteValue32 operation"""
    CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4
    """Represents a cuStreamWaitValue64 operation"""
    CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5
    """Represents a cuStreamWriteValue64 operation"""
    CU_STREAM_MEM_OP_BARRIER = 6
    """Insert a memory barrier of the specified type"""
    CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3
    """This has the same effect as CU_STREAM_WAIT_VALUE_FLUSH, but as a standalone operation."""

CU_STREAM_MEM_OP_WAIT_VALUE_32: Final = CUstreamBatchMemOpType.CU_STREAM_MEM_OP_WAIT_VALUE_32
CU_STREAM_MEM_OP_WRITE_VALUE_32: Final = CUstreamBatchMemOpType.CU_STREAM_MEM_OP_WRITE_VALUE_32
CU_STREAM_MEM_OP_WAIT_VALUE_64: Final = CUstreamBatchMemOpType.CU_STREAM_MEM_OP_WAIT_VALUE_64
CU_STREAM_MEM_OP_WRITE_VALUE_64: Final = CUstreamBatchMemOpType.CU_STREAM_MEM_OP_WRITE_VALUE_64
CU_STREAM_MEM_OP_BARRIER: Final = CUstreamBatchMemOpType.CU_STREAM_MEM_OP_BARRIER
CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES: Final = CUstreamBatchMemOpType.CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES

class CUstreamMemoryBarrier_flags(IntEnum):
    """Flags for CUstreamBatchMemOpParamsmemoryBarrier

    cuda.h:535
    """
    CU_STREAM_MEMORY_BARRIER_TYPE_SYS = 0
    """System-wide memory barrier."""
    CU_STREAM_MEMORY_BARRIER_TYPE_GPU = 1
    """Limit memory barrier scope to the GPU."""

CU_STREAM_MEMORY_BARRIER_TYPE_SYS: Final = CUstreamMemoryBarrier_flags.CU_STREAM_MEMORY_BARRIER_TYPE_SYS
CU_STREAM_MEMORY_BARRIER_TYPE_GPU: Final = CUstreamMemoryBarrier_flags.CU_STREAM_MEMORY_BARRIER_TYPE_GPU

class CUoccupancy_flags(IntEnum):
    """Occupancy calculator flag

    cuda.h:604
    """
    CU_OCCUPANCY_DEFAULT = 0
    """Default behavior"""
    CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 1
    """Assume global caching is enabled and cannot be automatically turned off"""

CU_OCCUPANCY_DEFAULT: Final = CUoccupancy_flags.CU_OCCUPANCY_DEFAULT
CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE: Final = CUoccupancy_flags.CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE

class CUstreamUpdateCaptureDependencies_flags(IntEnum):
    """Flags for cuStreamUpdateCaptureDependencies

    cuda.h:612
    """
    CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0
    """Add new nodes to the dependency set"""
    CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1
    """Replace the dependency set with the new nodes"""

CU_STREAM_ADD_CAPTURE_DEPENDENCIES: Final = CUstreamUpdateCaptureDependencies_flags.CU_STREAM_ADD_CAPTURE_DEPENDENCIES
CU_STREAM_SET_CAPTURE_DEPENDENCIES: Final = CUstreamUpdateCaptureDependencies_flags.CU_STREAM_SET_CAPTURE_DEPENDENCIES

class CUasyncNotificationType(IntEnum):
    """Types of async notification that can be sent

    cuda.h:620
    """
    CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET = 1
    """Sent when the process has exceeded its device memory budget"""

CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET: Final = CUasyncNotificationType.CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET

class CUarray_format(IntEnum):
    """Array formats

    cuda.h:647
    """
    CU_AD_FORMAT_UNSIGNED_INT8 = 1
    """Unsigned 8-bit integers"""
    CU_AD_FORMAT_UNSIGNED_INT16 = 2
    """Unsigned 16-bit integers"""
    CU_AD_FORMAT_UNSIGNED_INT32 = 3
    """Unsigned 32-bit integers"""
    CU_AD_FORMAT_SIGNED_INT8 = 8
    """Signed 8-bit integers"""
    CU_AD_FORMAT_SIGNED_INT16 = 9
    """Signed 16-bit integers"""
    CU_AD_FORMAT_SIGNED_INT32 = 10
    """Signed 32-bit integers"""
    CU_AD_FORMAT_HALF = 16
    """16-bit floating point"""
    CU_AD_FORMAT_FLOAT = 32
    """32-bit floating point"""
    CU_AD_FORMAT_NV12 = 176
    """8-bit YUV planar format, with 4:2:0 sampling"""
    CU_AD_FORMAT_UNORM_INT8X1 = 192
    """1 channel unsigned 8-bit normalized integer"""
    CU_AD_FORMAT_UNORM_INT8X2 = 193
    """2 channel unsigned 8-bit normalized integer"""
    CU_AD_FORMAT_UNORM_INT8X4 = 194
    """4 channel unsigned 8-bit normalized integer"""
    CU_AD_FORMAT_UNORM_INT16X1 = 195
    """1 channel unsigned 16-bit normalized integer"""
    CU_AD_FORMAT_UNORM_INT16X2 = 196
    """2 channel unsigned 16-bit normalized integer"""
    CU_AD_FORMAT_UNORM_INT16X4 = 197
    """4 channel unsigned 16-bit normalized integer"""
    CU_AD_FORMAT_SNORM_INT8X1 = 198
    """1 channel signed 8-bit normalized integer"""
    CU_AD_FORMAT_SNORM_INT8X2 = 199
    """2 channel signed 8-bit normalized integer"""
    CU_AD_FORMAT_SNORM_INT8X4 = 200
    """4 channel signed 8-bit normalized integer"""
    CU_AD_FORMAT_SNORM_INT16X1 = 201
    """1 channel signed 16-bit normalized integer"""
    CU_AD_FORMAT_SNORM_INT16X2 = 202
    """2 channel signed 16-bit normalized integer"""
    CU_AD_FORMAT_SNORM_INT16X4 = 203
    """4 channel signed 16-bit normalized integer"""
    CU_AD_FORMAT_BC1_UNORM = 145
    """4 channel unsigned normalized block-compressed (BC1 compression) format"""
    CU_AD_FORMAT_BC1_UNORM_SRGB = 146
    """4 channel unsigned normalized block-compressed (BC1 compression) format with sRGB encoding"""
    CU_AD_FORMAT_BC2_UNORM = 147
    """4 channel unsigned normalized block-compressed (BC2 compression) format"""
    CU_AD_FORMAT_BC2_UNORM_SRGB = 148
    """4 channel unsigned normalized block-compressed (BC2 compression) format with sRGB encoding"""
    CU_AD_FORMAT_BC3_UNORM = 149
    """4 channel unsigned normalized block-compressed (BC3 compression) format"""
    CU_AD_FORMAT_BC3_UNORM_SRGB = 150
    """4 channel unsigned normalized block-compressed (BC3 compression) format with sRGB encoding"""
    CU_AD_FORMAT_BC4_UNORM = 151
    """1 channel unsigned normalized block-compressed (BC4 compression) format"""
    CU_AD_FORMAT_BC4_SNORM = 152
    """1 channel signed normalized block-compressed (BC4 compression) format"""
    CU_AD_FORMAT_BC5_UNORM = 153
    """2 channel unsigned normalized block-compressed (BC5 compression) format"""
    CU_AD_FORMAT_BC5_SNORM = 154
    """2 channel signed normalized block-compressed (BC5 compression) format"""
    CU_AD_FORMAT_BC6H_UF16 = 155
    """3 channel unsigned half-float block-compressed (BC6H compression) format"""
    CU_AD_FORMAT_BC6H_SF16 = 156
    """3 channel signed half-float block-compressed (BC6H compression) format"""
    CU_AD_FORMAT_BC7_UNORM = 157
    """4 channel unsigned normalized block-compressed (BC7 compression) format"""
    CU_AD_FORMAT_BC7_UNORM_SRGB = 158
    """4 channel unsigned normalized block-compressed (BC7 compression) format with sRGB encoding"""
    CU_AD_FORMAT_P010 = 159
    """10-bit YUV planar format, with 4:2:0 sampling"""
    CU_AD_FORMAT_P016 = 161
    """16-bit YUV planar format, with 4:2:0 sampling"""
    CU_AD_FORMAT_NV16 = 162
    """8-bit YUV planar format, with 4:2:2 sampling"""
    CU_AD_FORMAT_P210 = 163
    """10-bit YUV planar format, with 4:2:2 sampling"""
    CU_AD_FORMAT_P216 = 164
    """16-bit YUV planar format, with 4:2:2 sampling"""
    CU_AD_FORMAT_YUY2 = 165
    """2 channel, 8-bit YUV packed planar format, with 4:2:2 sampling"""
    CU_AD_FORMAT_Y210 = 166
    """2 channel, 10-bit YUV packed planar format, with 4:2:2 sampling"""
    CU_AD_FORMAT_Y216 = 167
    """2 channel, 16-bit YUV packed planar format, with 4:2:2 sampling"""
    CU_AD_FORMAT_AYUV = 168
    """4 channel, 8-bit YUV packed planar format, with 4:4:4 sampling"""
    CU_AD_FORMAT_Y410 = 169
    """10-bit YUV packed planar format, with 4:4:4 sampling"""
    CU_AD_FORMAT_Y416 = 177
    """4 channel, 12-bit YUV packed planar format, with 4:4:4 sampling"""
    CU_AD_FORMAT_Y444_PLANAR8 = 178
    """3 channel 8-bit YUV planar format, with 4:4:4 sampling"""
    CU_AD_FORMAT_Y444_PLANAR10 = 179
    """3 channel 10-bit YUV planar format, with 4:4:4 sampling"""
    CU_AD_FORMAT_YUV444_8bit_SemiPlanar = 180
    """3 channel 8-bit YUV semi-planar format, with 4:4:4 sampling"""
    CU_AD_FORMAT_YUV444_16bit_SemiPlanar = 181
    """3 channel 16-bit YUV semi-planar format, with 4:4:4 sampling"""
    CU_AD_FORMAT_UNORM_INT_101010_2 = 80
    """4 channel unorm R10G10B10A2 RGB format"""
    CU_AD_FORMAT_MAX = 2147483647

CU_AD_FORMAT_UNSIGNED_INT8: Final = CUarray_format.CU_AD_FORMAT_UNSIGNED_INT8
CU_AD_FORMAT_UNSIGNED_INT16: Final = CUarray_format.CU_AD_FORMAT_UNSIGNED_INT16
CU_AD_FORMAT_UNSIGNED_INT32: Final = CUarray_format.CU_AD_FORMAT_UNSIGNED_INT32
CU_AD_FORMAT_SIGNED_INT8: Final = CUarray_format.CU_AD_FORMAT_SIGNED_INT8
CU_AD_FORMAT_SIGNED_INT16: Final = CUarray_format.CU_AD_FORMAT_SIGNED_INT16
CU_AD_FORMAT_SIGNED_INT32: Final = CUarray_format.CU_AD_FORMAT_SIGNED_INT32
CU_AD_FORMAT_HALF: Final = CUarray_format.CU_AD_FORMAT_HALF
CU_AD_FORMAT_FLOAT: Final = CUarray_format.CU_AD_FORMAT_FLOAT
CU_AD_FORMAT_NV12: Final = CUarray_format.CU_AD_FORMAT_NV12
CU_AD_FORMAT_UNORM_INT8X1: Final = CUarray_format.CU_AD_FORMAT_UNORM_INT8X1
CU_AD_FORMAT_UNORM_INT8X2: Final = CUarray_format.CU_AD_FORMAT_UNORM_INT8X2
CU_AD_FORMAT_UNORM_INT8X4: Final = CUarray_format.CU_AD_FORMAT_UNORM_INT8X4
CU_AD_FORMAT_UNORM_INT16X1: Final = CUarray_format.CU_AD_FORMAT_UNORM_INT16X1
CU_AD_FORMAT_UNORM_INT16X2: Final = CUarray_format.CU_AD_FORMAT_UNORM_INT16X2
CU_AD_FORMAT_UNORM_INT16X4: Final = CUarray_format.CU_AD_FORMAT_UNORM_INT16X4
CU_AD_FORMAT_SNORM_INT8X1: Final = CUarray_format.CU_AD_FORMAT_SNORM_INT8X1
CU_AD_FORMAT_SNORM_INT8X2: Final = CUarray_format.CU_AD_FORMAT_SNORM_INT8X2
CU_AD_FORMAT_SNORM_INT8X4: Final = CUarray_format.CU_AD_FORMAT_SNORM_INT8X4
CU_AD_FORMAT_SNORM_INT16X1: Final = CUarray_format.CU_AD_FORMAT_SNORM_INT16X1
CU_AD_FORMAT_SNORM_INT16X2: Final = CUarray_format.CU_AD_FORMAT_SNORM_INT16X2
CU_AD_FORMAT_SNORM_INT16X4: Final = CUarray_format.CU_AD_FORMAT_SNORM_INT16X4
CU_AD_FORMAT_BC1_UNORM: Final = CUarray_format.CU_AD_FORMAT_BC1_UNORM
CU_AD_FORMAT_BC1_UNORM_SRGB: Final = CUarray_format.CU_AD_FORMAT_BC1_UNORM_SRGB
CU_AD_FORMAT_BC2_UNORM: Final = CUarray_format.CU_AD_FORMAT_BC2_UNORM
CU_AD_FORMAT_BC2_UNORM_SRGB: Final = CUarray_format.CU_AD_FORMAT_BC2_UNORM_SRGB
CU_AD_FORMAT_BC3_UNORM: Final = CUarray_format.CU_AD_FORMAT_BC3_UNORM
CU_AD_FORMAT_BC3_UNORM_SRGB: Final = CUarray_format.CU_AD_FORMAT_BC3_UNORM_SRGB
CU_AD_FORMAT_BC4_UNORM: Final = CUarray_format.CU_AD_FORMAT_BC4_UNORM
CU_AD_FORMAT_BC4_SNORM: Final = CUarray_format.CU_AD_FORMAT_BC4_SNORM
CU_AD_FORMAT_BC5_UNORM: Final = CUarray_format.CU_AD_FORMAT_BC5_UNORM
CU_AD_FORMAT_BC5_SNORM: Final = CUarray_format.CU_AD_FORMAT_BC5_SNORM
CU_AD_FORMAT_BC6H_UF16: Final = CUarray_format.CU_AD_FORMAT_BC6H_UF16
CU_AD_FORMAT_BC6H_SF16: Final = CUarray_format.CU_AD_FORMAT_BC6H_SF16
CU_AD_FORMAT_BC7_UNORM: Final = CUarray_format.CU_AD_FORMAT_BC7_UNORM
CU_AD_FORMAT_BC7_UNORM_SRGB: Final = CUarray_format.CU_AD_FORMAT_BC7_UNORM_SRGB
CU_AD_FORMAT_P010: Final = CUarray_format.CU_AD_FORMAT_P010
CU_AD_FORMAT_P016: Final = CUarray_format.CU_AD_FORMAT_P016
CU_AD_FORMAT_NV16: Final = CUarray_format.CU_AD_FORMAT_NV16
CU_AD_FORMAT_P210: Final = CUarray_format.CU_AD_FORMAT_P210
CU_AD_FORMAT_P216: Final = CUarray_format.CU_AD_FORMAT_P216
CU_AD_FORMAT_YUY2: Final = CUarray_format.CU_AD_FORMAT_YUY2
CU_AD_FORMAT_Y210: Final = CUarray_format.CU_AD_FORMAT_Y210
CU_AD_FORMAT_Y216: Final = CUarray_format.CU_AD_FORMAT_Y216
CU_AD_FORMAT_AYUV: Final = CUarray_format.CU_AD_FORMAT_AYUV
CU_AD_FORMAT_Y410: Final = CUarray_format.CU_AD_FORMAT_Y410
CU_AD_FORMAT_Y416: Final = CUarray_format.CU_AD_FORMAT_Y416
CU_AD_FORMAT_Y444_PLANAR8: Final = CUarray_format.CU_AD_FORMAT_Y444_PLANAR8
CU_AD_FORMAT_Y444_PLANAR10: Final = CUarray_format.CU_AD_FORMAT_Y444_PLANAR10
CU_AD_FORMAT_YUV444_8bit_SemiPlanar: Final = CUarray_format.CU_AD_FORMAT_YUV444_8bit_SemiPlanar
CU_AD_FORMAT_YUV444_16bit_SemiPlanar: Final = CUarray_format.CU_AD_FORMAT_YUV444_16bit_SemiPlanar
CU_AD_FORMAT_UNORM_INT_101010_2: Final = CUarray_format.CU_AD_FORMAT_UNORM_INT_101010_2
CU_AD_FORMAT_MAX: Final = CUarray_format.CU_AD_FORMAT_MAX

class CUaddress_mode(IntEnum):
    """Texture reference addressing modes

    cuda.h:705
    """
    CU_TR_ADDRESS_MODE_WRAP = 0
    """Wrapping address mode"""
    CU_TR_ADDRESS_MODE_CLAMP = 1
    """Clamp to edge address mode"""
    CU_TR_ADDRESS_MODE_MIRROR = 2
    """Mirror address mode"""
    CU_TR_ADDRESS_MODE_BORDER = 3
    """Border address mode"""

CU_TR_ADDRESS_MODE_WRAP: Final = CUaddress_mode.CU_TR_ADDRESS_MODE_WRAP
CU_TR_ADDRESS_MODE_CLAMP: Final = CUaddress_mode.CU_TR_ADDRESS_MODE_CLAMP
CU_TR_ADDRESS_MODE_MIRROR: Final = CUaddress_mode.CU_TR_ADDRESS_MODE_MIRROR
CU_TR_ADDRESS_MODE_BORDER: Final = CUaddress_mode.CU_TR_ADDRESS_MODE_BORDER

class CUfilter_mode(IntEnum):
    """Texture reference filtering modes

    cuda.h:715
    """
    CU_TR_FILTER_MODE_POINT = 0
    """Point filter mode"""
    CU_TR_FILTER_MODE_LINEAR = 1
    """Linear filter mode"""

CU_TR_FILTER_MODE_POINT: Final = CUfilter_mode.CU_TR_FILTER_MODE_POINT
CU_TR_FILTER_MODE_LINEAR: Final = CUfilter_mode.CU_TR_FILTER_MODE_LINEAR

class CUdevice_attribute(IntEnum):
    """Device properties

    cuda.h:723
    """
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1
    """Maximum number of threads per block"""
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2
    """Maximum block dimension X"""
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3
    """Maximum block dimension Y"""
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4
    """Maximum block dimension Z"""
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5
    """Maximum grid dimension X"""
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6
    """Maximum grid dimension Y"""
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7
    """Maximum grid dimension Z"""
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8
    """Maximum shared memory available per block in bytes"""
    CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8
    """Deprecated, use CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK"""
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9
    """Memory available on device for __constant__ variables in a CUDA C kernel in bytes"""
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10
    """Warp size in threads"""
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11
    """Maximum pitch in bytes allowed by memory copies"""
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12
    """Maximum number of 32-bit registers available per block"""
    CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12
    """Deprecated, use CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK"""
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13
    """Typical clock frequency in kilohertz"""
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14
    """Alignment requirement for textures"""
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15
    """Device can possibly copy memory and execute a kernel concurrently. Deprecated. Use instead CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT."""
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16
    """Number of multiprocessors on device"""
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17
    """Specifies whether there is a run time limit on kernels"""
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18
    """Device is integrated with host memory"""
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19
    """Device can map host memory into CUDA address space"""
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20
    """Compute mode (See CUcomputemode for details)"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21
    """Maximum 1D texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22
    """Maximum 2D texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23
    """Maximum 2D texture height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24
    """Maximum 3D texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25
    """Maximum 3D texture height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26
    """Maximum 3D texture depth"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27
    """Maximum 2D layered texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28
    """Maximum 2D layered texture height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29
    """Maximum layers in a 2D layered texture"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27
    """Deprecated, use CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28
    """Deprecated, use CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29
    """Deprecated, use CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS"""
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30
    """Alignment requirement for surfaces"""
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31
    """Device can possibly execute multiple kernels concurrently"""
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32
    """Device has ECC support enabled"""
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33
    """PCI bus ID of the device"""
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34
    """PCI device ID of the device"""
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35
    """Device is using TCC driver model"""
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36
    """Peak memory clock frequency in kilohertz"""
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37
    """Global memory bus width in bits"""
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38
    """Size of L2 cache in bytes"""
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39
    """Maximum resident threads per multiprocessor"""
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40
    """Number of asynchronous engines"""
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41
    """Device shares a unified address space with the host"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42
    """Maximum 1D layered texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43
    """Maximum layers in a 1D layered texture"""
    CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44
    """Deprecated, do not use."""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45
    """Maximum 2D texture width if CUDA_ARRAY3D_TEXTURE_GATHER is set"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46
    """Maximum 2D texture height if CUDA_ARRAY3D_TEXTURE_GATHER is set"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47
    """Alternate maximum 3D texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48
    """Alternate maximum 3D texture height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49
    """Alternate maximum 3D texture depth"""
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50
    """PCI domain ID of the device"""
    CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51
    """Pitch alignment requirement for textures"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52
    """Maximum cubemap texture width/height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53
    """Maximum cubemap layered texture width/height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54
    """Maximum layers in a cubemap layered texture"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55
    """Maximum 1D surface width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56
    """Maximum 2D surface width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57
    """Maximum 2D surface height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58
    """Maximum 3D surface width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59
    """Maximum 3D surface height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60
    """Maximum 3D surface depth"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61
    """Maximum 1D layered surface width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62
    """Maximum layers in a 1D layered surface"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63
    """Maximum 2D layered surface width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64
    """Maximum 2D layered surface height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65
    """Maximum layers in a 2D layered surface"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66
    """Maximum cubemap surface width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67
    """Maximum cubemap layered surface width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68
    """Maximum layers in a cubemap layered surface"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69
    """Deprecated, do not use. Use cudaDeviceGetTexture1DLinearMaxWidth() or cuDeviceGetTexture1DLinearMaxWidth() instead."""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70
    """Maximum 2D linear texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71
    """Maximum 2D linear texture height"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72
    """Maximum 2D linear texture pitch in bytes"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73
    """Maximum mipmapped 2D texture width"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74
    """Maximum mipmapped 2D texture height"""
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    """Major compute capability version number"""
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
    """Minor compute capability version number"""
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77
    """Maximum mipmapped 1D texture width"""
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78
    """Device supports stream priorities"""
    CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79
    """Device supports caching globals in L1"""
    CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80
    """Device supports caching locals in L1"""
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81
    """Maximum shared memory available per multiprocessor in bytes"""
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82
    """Maximum number of 32-bit registers available per multiprocessor"""
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83
    """Device can allocate managed memory on this system"""
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84
    """Device is on a multi-GPU board"""
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85
    """Unique id for a group of devices on the same multi-GPU board"""
    CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86
    """Link between the device and the host supports all native atomic operations"""
    CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87
    """Ratio of single precision performance (in floating-point operations per second) to double precision performance"""
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88
    """Device supports coherently accessing pageable memory without calling cudaHostRegister on it"""
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89
    """Device can coherently access managed memory concurrently with the CPU"""
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90
    """Device supports compute preemption."""
    CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91
    """Device can access host registered memory at the same virtual address as the CPU"""
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 = 92
    """Deprecated, along with v1 MemOps API, cuStreamBatchMemOp and related APIs are supported."""
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93
    """Deprecated, along with v1 MemOps API, 64-bit operations are supported in cuStreamBatchMemOp and related APIs."""
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94
    """Deprecated, along with v1 MemOps API, CU_STREAM_WAIT_VALUE_NOR is supported."""
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95
    """Device supports launching cooperative kernels via cuLaunchCooperativeKernel"""
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96
    """Deprecated, cuLaunchCooperativeKernelMultiDevice is deprecated."""
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
    """Maximum optin shared memory per block"""
    CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = 98
    """The CU_STREAM_WAIT_VALUE_FLUSH flag and the CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES MemOp are supported on the device. See CUDA_MEMOP for additional details."""
    CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99
    """Device supports host memory registration via cudaHostRegister."""
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100
    """Device accesses pageable memory via the host's page tables."""
    CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101
    """The host can directly access managed memory on the device without migration."""
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102
    """Deprecated, Use CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED"""
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102
    """Device supports virtual memory management APIs like cuMemAddressReserve, cuMemCreate, cuMemMap and related APIs"""
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103
    """Device supports exporting memory to a posix file descriptor with cuMemExportToShareableHandle, if requested via cuMemCreate"""
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104
    """Device supports exporting memory to a Win32 NT handle with cuMemExportToShareableHandle, if requested via cuMemCreate"""
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105
    """Device supports exporting memory to a Win32 KMT handle with cuMemExportToShareableHandle, if requested via cuMemCreate"""
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106
    """Maximum number of blocks per multiprocessor"""
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107
    """Device supports compression of memory"""
    CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108
    """Maximum L2 persisting lines capacity setting in bytes."""
    CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109
    """Maximum value of CUaccessPolicyWindownum_bytes."""
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110
    """Device supports specifying the GPUDirect RDMA flag with cuMemCreate"""
    CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111
    """Shared memory reserved by CUDA driver per block in bytes"""
    CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112
    """Device supports sparse CUDA arrays and sparse CUDA mipmapped arrays"""
    CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113
    """Device supports using the cuMemHostRegister flag CU_MEMHOSTERGISTER_READ_ONLY to register memory that must be mapped as read-only to the GPU"""
    CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114
    """External timeline semaphore interop is supported on the device"""
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
    """Device supports using the cuMemAllocAsync and cuMemPool family of APIs"""
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116
    """Device supports GPUDirect RDMA APIs, like nvidia_p2p_get_pages (see https://docs.nvidia.com/cuda/gpudirect-rdma for more information)"""
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117
    """The returned attribute shall be interpreted as a bitmask, where the individual bits are described by the CUflushGPUDirectRDMAWritesOptions enum"""
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118
    """GPUDirect RDMA writes to the device do not need to be flushed for consumers within the scope indicated by the returned attribute. See CUGPUDirectRDMAWritesOrdering for the numerical values returned here."""
    CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119
    """Handle types supported with mempool based IPC"""
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120
    """Indicates device supports cluster launch"""
    CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121
    """Device supports deferred mapping CUDA arrays and CUDA mipmapped arrays"""
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS = 122
    """64-bit operations are supported in cuStreamBatchMemOp and related MemOp APIs."""
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR = 123
    """CU_STREAM_WAIT_VALUE_NOR is supported by MemOp APIs."""
    CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124
    """Device supports buffer sharing with dma_buf mechanism."""
    CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED = 125
    """Device supports IPC Events."""
    CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT = 126
    """Number of memory domains the device supports."""
    CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED = 127
    """Device supports accessing memory using Tensor Map."""
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED = 128
    """Device supports exporting memory to a fabric handle with cuMemExportToShareableHandle() or requested with cuMemCreate()"""
    CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129
    """Device supports unified function pointers."""
    CU_DEVICE_ATTRIBUTE_NUMA_CONFIG = 130
    """NUMA configuration of a device: value is of type CUdeviceNumaConfig enum"""
    CU_DEVICE_ATTRIBUTE_NUMA_ID = 131
    """NUMA node ID of the GPU memory"""
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132
    """Device supports switch multicast and reduction operations."""
    CU_DEVICE_ATTRIBUTE_MPS_ENABLED = 133
    """Indicates if contexts created on this device will be shared via MPS"""
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134
    """NUMA ID of the host node closest to the device. Returns -1 when system does not support NUMA."""
    CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED = 135
    """Device supports CIG with D3D12."""
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136
    """The returned valued shall be interpreted as a bitmask, where the individual bits are described by the CUmemDecompressAlgorithm enum."""
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137
    """The returned valued is the maximum length in bytes of a single decompress operation that is allowed."""
    CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED = 138
    """Device supports CIG with Vulkan."""
    CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID = 139
    """The combined 16-bit PCI device ID and 16-bit PCI vendor ID."""
    CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID = 140
    """The combined 16-bit PCI subsystem ID and 16-bit PCI subsystem vendor ID."""
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 141
    """Device supports HOST_NUMA location with the virtual memory management APIs like cuMemCreate, cuMemMap and related APIs"""
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED = 142
    """Device supports HOST_NUMA location with the cuMemAllocAsync and cuMemPool family of APIs"""
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED = 143
    """Device supports HOST_NUMA location IPC between nodes in a multi-node system."""
    CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED = 144
    """Device suports HOST location with the cuMemAllocAsync and cuMemPool family of APIs"""
    CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 145
    """Device supports HOST location with the virtual memory management APIs like cuMemCreate, cuMemMap and related APIs"""
    CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED = 146
    """Device supports page-locked host memory buffer sharing with dma_buf mechanism."""
    CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED = 147
    """Link between the device and the host supports only some native atomic operations"""
    CU_DEVICE_ATTRIBUTE_MAX = 148

CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK
CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X
CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y
CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z
CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X
CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y
CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z
CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK
CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK
CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY
CU_DEVICE_ATTRIBUTE_WARP_SIZE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE
CU_DEVICE_ATTRIBUTE_MAX_PITCH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_PITCH
CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK
CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK
CU_DEVICE_ATTRIBUTE_CLOCK_RATE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CLOCK_RATE
CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT
CU_DEVICE_ATTRIBUTE_GPU_OVERLAP: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_OVERLAP
CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT
CU_DEVICE_ATTRIBUTE_INTEGRATED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_INTEGRATED
CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY
CU_DEVICE_ATTRIBUTE_COMPUTE_MODE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_MODE
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES
CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT
CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS
CU_DEVICE_ATTRIBUTE_ECC_ENABLED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_ECC_ENABLED
CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID
CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID
CU_DEVICE_ATTRIBUTE_TCC_DRIVER: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_TCC_DRIVER
CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE
CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH
CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR
CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT
CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS
CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE
CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID
CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT
CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH
CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED
CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED
CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED
CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR
CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY
CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD
CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID
CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED
CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS
CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED
CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1
CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1
CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1
CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH
CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH
CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES
CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED
CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES
CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED
CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED
CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED
CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR
CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED
CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE
CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE
CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED
CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK
CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED
CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED
CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED
CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED
CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS
CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING
CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES
CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH
CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED
CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS
CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR
CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED
CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED
CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT
CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED
CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED
CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS
CU_DEVICE_ATTRIBUTE_NUMA_CONFIG: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_NUMA_CONFIG
CU_DEVICE_ATTRIBUTE_NUMA_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_NUMA_ID
CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED
CU_DEVICE_ATTRIBUTE_MPS_ENABLED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MPS_ENABLED
CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID
CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED
CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK
CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH
CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED
CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID
CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID
CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED
CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED
CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED
CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED
CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED
CU_DEVICE_ATTRIBUTE_MAX: Final = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX

class CUpointer_attribute(IntEnum):
    """Pointer information

    cuda.h:900
    """
    CU_POINTER_ATTRIBUTE_CONTEXT = 1
    """The CUcontext on which a pointer was allocated or registered"""
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2
    """The CUmemorytype describing the physical location of a pointer"""
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3
    """The address at which a pointer's memory may be accessed on the device"""
    CU_POINTER_ATTRIBUTE_HOST_POINTER = 4
    """The address at which a pointer's memory may be accessed on the host"""
    CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5
    """A pair of tokens for use with the nv-p2p.h Linux kernel interface"""
    CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6
    """Synchronize every synchronous memory operation initiated on this region"""
    CU_POINTER_ATTRIBUTE_BUFFER_ID = 7
    """A process-wide unique ID for an allocated memory region"""
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8
    """Indicates if the pointer points to managed memory"""
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9
    """A device ordinal of a device on which a pointer was allocated or registered"""
    CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10
    """1 if this pointer maps to an allocation that is suitable for cudaIpcGetMemHandle, 0 otherwise"""
    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11
    """Starting address for this requested pointer"""
    CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12
    """Size of the address range for this requested pointer"""
    CU_POINTER_ATTRIBUTE_MAPPED = 13
    """1 if this pointer is in a valid address range that is mapped to a backing allocation, 0 otherwise"""
    CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14
    """Bitmask of allowed CUmemAllocationHandleType for this allocation"""
    CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15
    """1 if the memory this pointer is referencing can be used with the GPUDirect RDMA API"""
    CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16
    """Returns the access flags the device associated with the current context has on the corresponding memory referenced by the pointer given"""
    CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17
    """Returns the mempool handle for the allocation if it was allocated from a mempool. Otherwise returns NULL."""
    CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18
    """Size of the actual underlying mapping that the pointer belongs to"""
    CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19
    """The start address of the mapping that the pointer belongs to"""
    CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20
    """A process-wide unique id corresponding to the physical allocation the pointer belongs to"""
    CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21
    """Returns in *data a boolean that indicates whether the pointer points to memory that is capable to be used for hardware accelerated decompression."""

CU_POINTER_ATTRIBUTE_CONTEXT: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT
CU_POINTER_ATTRIBUTE_MEMORY_TYPE: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE
CU_POINTER_ATTRIBUTE_DEVICE_POINTER: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_POINTER
CU_POINTER_ATTRIBUTE_HOST_POINTER: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_HOST_POINTER
CU_POINTER_ATTRIBUTE_P2P_TOKENS: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_P2P_TOKENS
CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
CU_POINTER_ATTRIBUTE_BUFFER_ID: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_BUFFER_ID
CU_POINTER_ATTRIBUTE_IS_MANAGED: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED
CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE
CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
CU_POINTER_ATTRIBUTE_RANGE_SIZE: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_RANGE_SIZE
CU_POINTER_ATTRIBUTE_MAPPED: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_MAPPED
CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES
CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE
CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_ACCESS_FLAGS
CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE
CU_POINTER_ATTRIBUTE_MAPPING_SIZE: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_MAPPING_SIZE
CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR
CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID
CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: Final = CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE

class CUfunction_attribute(IntEnum):
    """Function properties

    cuda.h:927
    """
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0
    """The maximum number of threads per block, beyond which a launch of the function would fail. This number depends on both the function and the device on which the function is currently loaded."""
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1
    """The size in bytes of statically-allocated shared memory required by this function. This does not include dynamically-allocated shared memory requested by the user at runtime."""
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2
    """The size in bytes of user-allocated constant memory required by this function."""
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3
    """The size in bytes of local memory used by each thread of this function."""
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4
    """The number of registers used by each thread of this function."""
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5
    """The PTX virtual architecture version for which the function was compiled. This value is the major PTX version * 10 + the minor PTX version, so a PTX version 1.3 function would return the value 13. Note that this may return the undefined value of 0 for cubins compiled prior to CUDA 3.0."""
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6
    """The binary architecture version for which the function was compiled. This value is the major binary version * 10 + the minor binary version, so a binary version 1.3 function would return the value 13. Note that this will return a value of 10 for legacy cubins that do not have a properly-encoded binary architecture version."""
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7
    """The attribute to indicate whether the function has been compiled with user specified option "-Xptxas --dlcm=ca" set ."""
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
    """The maximum size in bytes of dynamically-allocated shared memory that can be used by this function. If the user-specified dynamic shared memory size is larger than this value, the launch will fail. The default value of this attribute is CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK - CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, except when CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES is greater than CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, then the default value of this attribute is 0. The value can be increased to CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN - CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES. See cuFuncSetAttribute, cuKernelSetAttribute"""
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9
    """On devices where the L1 cache and shared memory use the same hardware resources, this sets the shared memory carveout preference, in percent of the total shared memory. Refer to CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR. This is only a hint, and the driver can choose a different ratio if required to execute the function. See cuFuncSetAttribute, cuKernelSetAttribute"""
    CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10
    """If this attribute is set, the kernel must launch with a valid cluster size specified. See cuFuncSetAttribute, cuKernelSetAttribute"""
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11
    """The required cluster width in blocks. The values must either all be 0 or all be positive. The validity of the cluster dimensions is otherwise checked at launch time.

    If the value is set during compile time, it cannot be set at runtime. Setting it at runtime will return CUDA_ERROR_NOT_PERMITTED. See cuFuncSetAttribute, cuKernelSetAttribute
    """
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12
    """The required cluster height in blocks. The values must either all be 0 or all be positive. The validity of the cluster dimensions is otherwise checked at launch time.

    If the value is set during compile time, it cannot be set at runtime. Setting it at runtime should return CUDA_ERROR_NOT_PERMITTED. See cuFuncSetAttribute, cuKernelSetAttribute
    """
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13
    """The required cluster depth in blocks. The values must either all be 0 or all be positive. The validity of the cluster dimensions is otherwise checked at launch time.

    If the value is set during compile time, it cannot be set at runtime. Setting it at runtime should return CUDA_ERROR_NOT_PERMITTED. See cuFuncSetAttribute, cuKernelSetAttribute
    """
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
    """Whether the function can be launched with non-portable cluster size. 1 is allowed, 0 is disallowed. A non-portable cluster size may only function on the specific SKUs the program is tested on. The launch might fail if the program is run on a different hardware platform.

    CUDA API provides cudaOccupancyMaxActiveClusters to assist with checking whether the desired size can be launched on the current device.

    Portable Cluster Size

    A portable cluster size is guaranteed to be functional on all compute capabilities higher than the target compute capability. The portable cluster size for sm_90 is 8 blocks per cluster. This value may increase for future compute capabilities.

    The specific hardware unit may support higher cluster sizes that’s not guaranteed to be portable. See cuFuncSetAttribute, cuKernelSetAttribute
    """
    CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15
    """The block scheduling policy of a function. The value type is CUclusterSchedulingPolicy / cudaClusterSchedulingPolicy. See cuFuncSetAttribute, cuKernelSetAttribute"""
    CU_FUNC_ATTRIBUTE_MAX = 16
    """The block scheduling policy of a function. The value type is CUclusterSchedulingPolicy / cudaClusterSchedulingPolicy. See cuFuncSetAttribute, cuKernelSetAttribute"""

CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES
CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
CU_FUNC_ATTRIBUTE_NUM_REGS: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS
CU_FUNC_ATTRIBUTE_PTX_VERSION: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_PTX_VERSION
CU_FUNC_ATTRIBUTE_BINARY_VERSION: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_BINARY_VERSION
CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_CACHE_MODE_CA
CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET
CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH
CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT
CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH
CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
CU_FUNC_ATTRIBUTE_MAX: Final = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX

class CUfunc_cache(IntEnum):
    """Function cache configurations

    cuda.h:1080
    """
    CU_FUNC_CACHE_PREFER_NONE = 0
    """no preference for shared memory or L1 (default)"""
    CU_FUNC_CACHE_PREFER_SHARED = 1
    """prefer larger shared memory and smaller L1 cache"""
    CU_FUNC_CACHE_PREFER_L1 = 2
    """prefer larger L1 cache and smaller shared memory"""
    CU_FUNC_CACHE_PREFER_EQUAL = 3
    """prefer equal sized L1 cache and shared memory"""

CU_FUNC_CACHE_PREFER_NONE: Final = CUfunc_cache.CU_FUNC_CACHE_PREFER_NONE
CU_FUNC_CACHE_PREFER_SHARED: Final = CUfunc_cache.CU_FUNC_CACHE_PREFER_SHARED
CU_FUNC_CACHE_PREFER_L1: Final = CUfunc_cache.CU_FUNC_CACHE_PREFER_L1
CU_FUNC_CACHE_PREFER_EQUAL: Final = CUfunc_cache.CU_FUNC_CACHE_PREFER_EQUAL

class CUsharedconfig(IntEnum):
    """cuda.h:1092"""
    CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0
    """set default shared memory bank size"""
    CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1
    """set shared memory bank width to four bytes"""
    CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2
    """set shared memory bank width to eight bytes"""

CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE: Final = CUsharedconfig.CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE
CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE: Final = CUsharedconfig.CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE
CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE: Final = CUsharedconfig.CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE

class CUshared_carveout(IntEnum):
    """Shared memory carveout configurations. These may be passed to cuFuncSetAttribute or cuKernelSetAttribute

    cuda.h:1101
    """
    CU_SHAREDMEM_CARVEOUT_DEFAULT = -1
    """No preference for shared memory or L1 (default)"""
    CU_SHAREDMEM_CARVEOUT_MAX_SHARED = 100
    """Prefer maximum available shared memory, minimum L1 cache"""
    CU_SHAREDMEM_CARVEOUT_MAX_L1 = 0
    """Prefer maximum available L1 cache, minimum shared memory"""

CU_SHAREDMEM_CARVEOUT_DEFAULT: Final = CUshared_carveout.CU_SHAREDMEM_CARVEOUT_DEFAULT
CU_SHAREDMEM_CARVEOUT_MAX_SHARED: Final = CUshared_carveout.CU_SHAREDMEM_CARVEOUT_MAX_SHARED
CU_SHAREDMEM_CARVEOUT_MAX_L1: Final = CUshared_carveout.CU_SHAREDMEM_CARVEOUT_MAX_L1

class CUmemorytype(IntEnum):
    """Memory types

    cuda.h:1110
    """
    CU_MEMORYTYPE_HOST = 1
    """Host memory"""
    CU_MEMORYTYPE_DEVICE = 2
    """Device memory"""
    CU_MEMORYTYPE_ARRAY = 3
    """Array memory"""
    CU_MEMORYTYPE_UNIFIED = 4
    """Unified device or host memory"""

CU_MEMORYTYPE_HOST: Final = CUmemorytype.CU_MEMORYTYPE_HOST
CU_MEMORYTYPE_DEVICE: Final = CUmemorytype.CU_MEMORYTYPE_DEVICE
CU_MEMORYTYPE_ARRAY: Final = CUmemorytype.CU_MEMORYTYPE_ARRAY
CU_MEMORYTYPE_UNIFIED: Final = CUmemorytype.CU_MEMORYTYPE_UNIFIED

class CUcomputemode(IntEnum):
    """Compute Modes

    cuda.h:1120
    """
    CU_COMPUTEMODE_DEFAULT = 0
    """Default compute mode (Multiple contexts allowed per device)"""
    CU_COMPUTEMODE_PROHIBITED = 2
    """Compute-prohibited mode (No contexts can be created on this device at this time)"""
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
    """Compute-exclusive-process mode (Only one context used by a single process can be present on this device at a time)"""

CU_COMPUTEMODE_DEFAULT: Final = CUcomputemode.CU_COMPUTEMODE_DEFAULT
CU_COMPUTEMODE_PROHIBITED: Final = CUcomputemode.CU_COMPUTEMODE_PROHIBITED
CU_COMPUTEMODE_EXCLUSIVE_PROCESS: Final = CUcomputemode.CU_COMPUTEMODE_EXCLUSIVE_PROCESS

class CUmem_advise(IntEnum):
    """Memory advise values

    cuda.h:1129
    """
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1
    """Data will mostly be read and only occasionally be written to"""
    CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2
    """Undo the effect of CU_MEM_ADVISE_SET_READ_MOSTLY"""
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3
    """Set the preferred location for the data as the specified device"""
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4
    """Clear the preferred location for the data"""
    CU_MEM_ADVISE_SET_ACCESSED_BY = 5
    """Data will be accessed by the specified device, so prevent page faults as much as possible"""
    CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
    """Let the Unified Memory subsystem decide on the page faulting policy for the specified device"""

CU_MEM_ADVISE_SET_READ_MOSTLY: Final = CUmem_advise.CU_MEM_ADVISE_SET_READ_MOSTLY
CU_MEM_ADVISE_UNSET_READ_MOSTLY: Final = CUmem_advise.CU_MEM_ADVISE_UNSET_READ_MOSTLY
CU_MEM_ADVISE_SET_PREFERRED_LOCATION: Final = CUmem_advise.CU_MEM_ADVISE_SET_PREFERRED_LOCATION
CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: Final = CUmem_advise.CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION
CU_MEM_ADVISE_SET_ACCESSED_BY: Final = CUmem_advise.CU_MEM_ADVISE_SET_ACCESSED_BY
CU_MEM_ADVISE_UNSET_ACCESSED_BY: Final = CUmem_advise.CU_MEM_ADVISE_UNSET_ACCESSED_BY

class CUmem_range_attribute(IntEnum):
    """cuda.h:1138"""
    CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1
    """Whether the range will mostly be read and only occasionally be written to"""
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2
    """The preferred location of the range"""
    CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3
    """Memory range has CU_MEM_ADVISE_SET_ACCESSED_BY set for specified device"""
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4
    """The last location to which the range was prefetched"""
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5
    """The preferred location type of the range"""
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6
    """The preferred location id of the range"""
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7
    """The last location type to which the range was prefetched"""
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
    """The last location id to which the range was prefetched"""

CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY
CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION
CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY
CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION
CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE
CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID
CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE
CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: Final = CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID

class CUjit_option(IntEnum):
    """Online compiler and linker options

    cuda.h:1152
    """
    CU_JIT_MAX_REGISTERS = 0
    """Max number of registers that a thread may use.\\n Option type: unsigned int\\n Applies to: compiler only"""
    CU_JIT_THREADS_PER_BLOCK = 1
    """IN: Specifies minimum number of threads per block to target compilation for\\n OUT: Returns the number of threads the compiler actually targeted. This restricts the resource utilization of the compiler (e.g. max registers) such that a block with the given number of threads should be able to launch based on register limitations. Note, this option does not currently take into account any other resource limitations, such as shared memory utilization.\\n Cannot be combined with CU_JIT_TARGET.\\n Option type: unsigned int\\n Applies to: compiler only"""
    CU_JIT_WALL_TIME = 2
    """Overwrites the option value with the total wall clock time, in milliseconds, spent in the compiler and linker\\n Option type: float\\n Applies to: compiler and linker"""
    CU_JIT_INFO_LOG_BUFFER = 3
    """Pointer to a buffer in which to print any log messages that are informational in nature (the buffer size is specified via option CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)\\n Option type: char *\\n Applies to: compiler and linker"""
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4
    """IN: Log buffer size in bytes. Log messages will be capped at this size (including null terminator)\\n OUT: Amount of log buffer filled with messages\\n Option type: unsigned int\\n Applies to: compiler and linker"""
    CU_JIT_ERROR_LOG_BUFFER = 5
    """Pointer to a buffer in which to print any log messages that reflect errors (the buffer size is specified via option CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)\\n Option type: char *\\n Applies to: compiler and linker"""
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
    """IN: Log buffer size in bytes. Log messages will be capped at this size (including null terminator)\\n OUT: Amount of log buffer filled with messages\\n Option type: unsigned int\\n Applies to: compiler and linker"""
    CU_JIT_OPTIMIZATION_LEVEL = 7
    """Level of optimizations to apply to generated code (0 - 4), with 4 being the default and highest level of optimizations.\\n Option type: unsigned int\\n Applies to: compiler only"""
    CU_JIT_TARGET_FROM_CUCONTEXT = 8
    """No option value required. Determines the target based on the current attached context (default)\\n Option type: No option value needed\\n Applies to: compiler and linker"""
    CU_JIT_TARGET = 9
    """Target is chosen based on supplied CUjit_target. Cannot be combined with CU_JIT_THREADS_PER_BLOCK.\\n Option type: unsigned int for enumerated type CUjit_target\\n Applies to: compiler and linker"""
    CU_JIT_FALLBACK_STRATEGY = 10
    """Specifies choice of fallback strategy if matching cubin is not found. Choice is based on supplied CUjit_fallback. This option cannot be used with cuLink* APIs as the linker requires exact matches.\\n Option type: unsigned int for enumerated type CUjit_fallback\\n Applies to: compiler only"""
    CU_JIT_GENERATE_DEBUG_INFO = 11
    """Specifies whether to create debug information in output (-g) (0: false, default)\\n Option type: int\\n Applies to: compiler and linker"""
    CU_JIT_LOG_VERBOSE = 12
    """Generate verbose log messages (0: false, default)\\n Option type: int\\n Applies to: compiler and linker"""
    CU_JIT_GENERATE_LINE_INFO = 13
    """Generate line number information (-lineinfo) (0: false, default)\\n Option type: int\\n Applies to: compiler only"""
    CU_JIT_CACHE_MODE = 14
    """Specifies whether to enable caching explicitly (-dlcm) Choice is based on supplied CUjit_cacheMode_enum.\\n Option type: unsigned int for enumerated type CUjit_cacheMode_enum\\n Applies to: compiler only"""
    CU_JIT_NEW_SM3X_OPT = 15
    CU_JIT_FAST_COMPILE = 16
    """This jit option is used for internal purpose only."""
    CU_JIT_GLOBAL_SYMBOL_NAMES = 17
    """Array of device symbol names that will be relocated to the corresponding host addresses stored in CU_JIT_GLOBAL_SYMBOL_ADDRESSES.\\n Must contain CU_JIT_GLOBAL_SYMBOL_COUNT entries.\\n When loading a device module, driver will relocate all encountered unresolved symbols to the host addresses.\\n It is only allowed to register symbols that correspond to unresolved global variables.\\n It is illegal to register the same device symbol at multiple addresses.\\n Option type: const char **\\n Applies to: dynamic linker only"""
    CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18
    """Array of host addresses that will be used to relocate corresponding device symbols stored in CU_JIT_GLOBAL_SYMBOL_NAMES.\\n Must contain CU_JIT_GLOBAL_SYMBOL_COUNT entries.\\n Option type: void **\\n Applies to: dynamic linker only"""
    CU_JIT_GLOBAL_SYMBOL_COUNT = 19
    """Number of entries in CU_JIT_GLOBAL_SYMBOL_NAMES and CU_JIT_GLOBAL_SYMBOL_ADDRESSES arrays.\\n Option type: unsigned int\\n Applies to: dynamic linker only"""
    CU_JIT_LTO = 20
    CU_JIT_FTZ = 21
    CU_JIT_PREC_DIV = 22
    CU_JIT_PREC_SQRT = 23
    CU_JIT_FMA = 24
    CU_JIT_REFERENCED_KERNEL_NAMES = 25
    CU_JIT_REFERENCED_KERNEL_COUNT = 26
    CU_JIT_REFERENCED_VARIABLE_NAMES = 27
    CU_JIT_REFERENCED_VARIABLE_COUNT = 28
    CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29
    CU_JIT_POSITION_INDEPENDENT_CODE = 30
    """Generate position independent code (0: false)\\n Option type: int\\n Applies to: compiler only"""
    CU_JIT_MIN_CTA_PER_SM = 31
    """This option hints to the JIT compiler the minimum number of CTAs from the kernel’s grid to be mapped to a SM. This option is ignored when used together with CU_JIT_MAX_REGISTERS or CU_JIT_THREADS_PER_BLOCK. Optimizations based on this option need CU_JIT_MAX_THREADS_PER_BLOCK to be specified as well. For kernels already using PTX directive .minnctapersm, this option will be ignored by default. Use CU_JIT_OVERRIDE_DIRECTIVE_VALUES to let this option take precedence over the PTX directive. Option type: unsigned int\\n Applies to: compiler only"""
    CU_JIT_MAX_THREADS_PER_BLOCK = 32
    """Maximum number threads in a thread block, computed as the product of the maximum extent specifed for each dimension of the block. This limit is guaranteed not to be exeeded in any invocation of the kernel. Exceeding the the maximum number of threads results in runtime error or kernel launch failure. For kernels already using PTX directive .maxntid, this option will be ignored by default. Use CU_JIT_OVERRIDE_DIRECTIVE_VALUES to let this option take precedence over the PTX directive. Option type: int\\n Applies to: compiler only"""
    CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33
    """This option lets the values specified using CU_JIT_MAX_REGISTERS, CU_JIT_THREADS_PER_BLOCK, CU_JIT_MAX_THREADS_PER_BLOCK and CU_JIT_MIN_CTA_PER_SM take precedence over any PTX directives. (0: Disable, default; 1: Enable) Option type: int\\n Applies to: compiler only"""
    CU_JIT_SPLIT_COMPILE = 34
    """This option specifies the maximum number of concurrent threads to use when running compiler optimizations. If the specified value is 1, the option will be ignored. If the specified value is 0, the number of threads will match the number of CPUs on the underlying machine. Otherwise, if the option is N, then up to N threads will be used. Option type: unsigned int\\n Applies to: compiler only"""
    CU_JIT_NUM_OPTIONS = 35
    """This option specifies the maximum number of concurrent threads to use when running compiler optimizations. If the specified value is 1, the option will be ignored. If the specified value is 0, the number of threads will match the number of CPUs on the underlying machine. Otherwise, if the option is N, then up to N threads will be used. Option type: unsigned int\\n Applies to: compiler only"""

CU_JIT_MAX_REGISTERS: Final = CUjit_option.CU_JIT_MAX_REGISTERS
CU_JIT_THREADS_PER_BLOCK: Final = CUjit_option.CU_JIT_THREADS_PER_BLOCK
CU_JIT_WALL_TIME: Final = CUjit_option.CU_JIT_WALL_TIME
CU_JIT_INFO_LOG_BUFFER: Final = CUjit_option.CU_JIT_INFO_LOG_BUFFER
CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: Final = CUjit_option.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES
CU_JIT_ERROR_LOG_BUFFER: Final = CUjit_option.CU_JIT_ERROR_LOG_BUFFER
CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: Final = CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
CU_JIT_OPTIMIZATION_LEVEL: Final = CUjit_option.CU_JIT_OPTIMIZATION_LEVEL
CU_JIT_TARGET_FROM_CUCONTEXT: Final = CUjit_option.CU_JIT_TARGET_FROM_CUCONTEXT
CU_JIT_TARGET: Final = CUjit_option.CU_JIT_TARGET
CU_JIT_FALLBACK_STRATEGY: Final = CUjit_option.CU_JIT_FALLBACK_STRATEGY
CU_JIT_GENERATE_DEBUG_INFO: Final = CUjit_option.CU_JIT_GENERATE_DEBUG_INFO
CU_JIT_LOG_VERBOSE: Final = CUjit_option.CU_JIT_LOG_VERBOSE
CU_JIT_GENERATE_LINE_INFO: Final = CUjit_option.CU_JIT_GENERATE_LINE_INFO
CU_JIT_CACHE_MODE: Final = CUjit_option.CU_JIT_CACHE_MODE
CU_JIT_NEW_SM3X_OPT: Final = CUjit_option.CU_JIT_NEW_SM3X_OPT
CU_JIT_FAST_COMPILE: Final = CUjit_option.CU_JIT_FAST_COMPILE
CU_JIT_GLOBAL_SYMBOL_NAMES: Final = CUjit_option.CU_JIT_GLOBAL_SYMBOL_NAMES
CU_JIT_GLOBAL_SYMBOL_ADDRESSES: Final = CUjit_option.CU_JIT_GLOBAL_SYMBOL_ADDRESSES
CU_JIT_GLOBAL_SYMBOL_COUNT: Final = CUjit_option.CU_JIT_GLOBAL_SYMBOL_COUNT
CU_JIT_LTO: Final = CUjit_option.CU_JIT_LTO
CU_JIT_FTZ: Final = CUjit_option.CU_JIT_FTZ
CU_JIT_PREC_DIV: Final = CUjit_option.CU_JIT_PREC_DIV
CU_JIT_PREC_SQRT: Final = CUjit_option.CU_JIT_PREC_SQRT
CU_JIT_FMA: Final = CUjit_option.CU_JIT_FMA
CU_JIT_REFERENCED_KERNEL_NAMES: Final = CUjit_option.CU_JIT_REFERENCED_KERNEL_NAMES
CU_JIT_REFERENCED_KERNEL_COUNT: Final = CUjit_option.CU_JIT_REFERENCED_KERNEL_COUNT
CU_JIT_REFERENCED_VARIABLE_NAMES: Final = CUjit_option.CU_JIT_REFERENCED_VARIABLE_NAMES
CU_JIT_REFERENCED_VARIABLE_COUNT: Final = CUjit_option.CU_JIT_REFERENCED_VARIABLE_COUNT
CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES: Final = CUjit_option.CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES
CU_JIT_POSITION_INDEPENDENT_CODE: Final = CUjit_option.CU_JIT_POSITION_INDEPENDENT_CODE
CU_JIT_MIN_CTA_PER_SM: Final = CUjit_option.CU_JIT_MIN_CTA_PER_SM
CU_JIT_MAX_THREADS_PER_BLOCK: Final = CUjit_option.CU_JIT_MAX_THREADS_PER_BLOCK
CU_JIT_OVERRIDE_DIRECTIVE_VALUES: Final = CUjit_option.CU_JIT_OVERRIDE_DIRECTIVE_VALUES
CU_JIT_SPLIT_COMPILE: Final = CUjit_option.CU_JIT_SPLIT_COMPILE
CU_JIT_NUM_OPTIONS: Final = CUjit_option.CU_JIT_NUM_OPTIONS

class CUjit_target(IntEnum):
    """Online compilation targets

    cuda.h:1532
    """
    CU_TARGET_COMPUTE_30 = 30
    """Compute device class 3.0"""
    CU_TARGET_COMPUTE_32 = 32
    """Compute device class 3.2"""
    CU_TARGET_COMPUTE_35 = 35
    """Compute device class 3.5"""
    CU_TARGET_COMPUTE_37 = 37
    """Compute device class 3.7"""
    CU_TARGET_COMPUTE_50 = 50
    """Compute device class 5.0"""
    CU_TARGET_COMPUTE_52 = 52
    """Compute device class 5.2"""
    CU_TARGET_COMPUTE_53 = 53
    """Compute device class 5.3"""
    CU_TARGET_COMPUTE_60 = 60
    """Compute device class 6.0."""
    CU_TARGET_COMPUTE_61 = 61
    """Compute device class 6.1."""
    CU_TARGET_COMPUTE_62 = 62
    """Compute device class 6.2."""
    CU_TARGET_COMPUTE_70 = 70
    """Compute device class 7.0."""
    CU_TARGET_COMPUTE_72 = 72
    """Compute device class 7.2."""
    CU_TARGET_COMPUTE_75 = 75
    """Compute device class 7.5."""
    CU_TARGET_COMPUTE_80 = 80
    """Compute device class 8.0."""
    CU_TARGET_COMPUTE_86 = 86
    """Compute device class 8.6."""
    CU_TARGET_COMPUTE_87 = 87
    """Compute device class 8.7."""
    CU_TARGET_COMPUTE_89 = 89
    """Compute device class 8.9."""
    CU_TARGET_COMPUTE_90 = 90
    """Compute device class 9.0."""
    CU_TARGET_COMPUTE_100 = 100
    """Compute device class 10.0."""
    CU_TARGET_COMPUTE_110 = 110
    """Compute device class 11.0."""
    CU_TARGET_COMPUTE_103 = 103
    """Compute device class 10.3."""
    CU_TARGET_COMPUTE_120 = 120
    """Compute device class 12.0."""
    CU_TARGET_COMPUTE_121 = 121
    """Compute device class 12.1."""
    CU_TARGET_COMPUTE_90A = 65626
    CU_TARGET_COMPUTE_100A = 65636
    CU_TARGET_COMPUTE_110A = 65646
    CU_TARGET_COMPUTE_103A = 65639
    CU_TARGET_COMPUTE_120A = 65656
    CU_TARGET_COMPUTE_121A = 65657
    CU_TARGET_COMPUTE_100F = 131172
    CU_TARGET_COMPUTE_110F = 131182
    CU_TARGET_COMPUTE_103F = 131175
    CU_TARGET_COMPUTE_120F = 131192
    CU_TARGET_COMPUTE_121F = 131193

CU_TARGET_COMPUTE_30: Final = CUjit_target.CU_TARGET_COMPUTE_30
CU_TARGET_COMPUTE_32: Final = CUjit_target.CU_TARGET_COMPUTE_32
CU_TARGET_COMPUTE_35: Final = CUjit_target.CU_TARGET_COMPUTE_35
CU_TARGET_COMPUTE_37: Final = CUjit_target.CU_TARGET_COMPUTE_37
CU_TARGET_COMPUTE_50: Final = CUjit_target.CU_TARGET_COMPUTE_50
CU_TARGET_COMPUTE_52: Final = CUjit_target.CU_TARGET_COMPUTE_52
CU_TARGET_COMPUTE_53: Final = CUjit_target.CU_TARGET_COMPUTE_53
CU_TARGET_COMPUTE_60: Final = CUjit_target.CU_TARGET_COMPUTE_60
CU_TARGET_COMPUTE_61: Final = CUjit_target.CU_TARGET_COMPUTE_61
CU_TARGET_COMPUTE_62: Final = CUjit_target.CU_TARGET_COMPUTE_62
CU_TARGET_COMPUTE_70: Final = CUjit_target.CU_TARGET_COMPUTE_70
CU_TARGET_COMPUTE_72: Final = CUjit_target.CU_TARGET_COMPUTE_72
CU_TARGET_COMPUTE_75: Final = CUjit_target.CU_TARGET_COMPUTE_75
CU_TARGET_COMPUTE_80: Final = CUjit_target.CU_TARGET_COMPUTE_80
CU_TARGET_COMPUTE_86: Final = CUjit_target.CU_TARGET_COMPUTE_86
CU_TARGET_COMPUTE_87: Final = CUjit_target.CU_TARGET_COMPUTE_87
CU_TARGET_COMPUTE_89: Final = CUjit_target.CU_TARGET_COMPUTE_89
CU_TARGET_COMPUTE_90: Final = CUjit_target.CU_TARGET_COMPUTE_90
CU_TARGET_COMPUTE_100: Final = CUjit_target.CU_TARGET_COMPUTE_100
CU_TARGET_COMPUTE_110: Final = CUjit_target.CU_TARGET_COMPUTE_110
CU_TARGET_COMPUTE_103: Final = CUjit_target.CU_TARGET_COMPUTE_103
CU_TARGET_COMPUTE_120: Final = CUjit_target.CU_TARGET_COMPUTE_120
CU_TARGET_COMPUTE_121: Final = CUjit_target.CU_TARGET_COMPUTE_121
CU_TARGET_COMPUTE_90A: Final = CUjit_target.CU_TARGET_COMPUTE_90A
CU_TARGET_COMPUTE_100A: Final = CUjit_target.CU_TARGET_COMPUTE_100A
CU_TARGET_COMPUTE_110A: Final = CUjit_target.CU_TARGET_COMPUTE_110A
CU_TARGET_COMPUTE_103A: Final = CUjit_target.CU_TARGET_COMPUTE_103A
CU_TARGET_COMPUTE_120A: Final = CUjit_target.CU_TARGET_COMPUTE_120A
CU_TARGET_COMPUTE_121A: Final = CUjit_target.CU_TARGET_COMPUTE_121A
CU_TARGET_COMPUTE_100F: Final = CUjit_target.CU_TARGET_COMPUTE_100F
CU_TARGET_COMPUTE_110F: Final = CUjit_target.CU_TARGET_COMPUTE_110F
CU_TARGET_COMPUTE_103F: Final = CUjit_target.CU_TARGET_COMPUTE_103F
CU_TARGET_COMPUTE_120F: Final = CUjit_target.CU_TARGET_COMPUTE_120F
CU_TARGET_COMPUTE_121F: Final = CUjit_target.CU_TARGET_COMPUTE_121F

class CUjit_fallback(IntEnum):
    """Cubin matching fallback strategies

    cuda.h:1586
    """
    CU_PREFER_PTX = 0
    """Prefer to compile ptx if exact binary match not found"""
    CU_PREFER_BINARY = 1
    """Prefer to fall back to compatible binary code if exact match not found"""

CU_PREFER_PTX: Final = CUjit_fallback.CU_PREFER_PTX
CU_PREFER_BINARY: Final = CUjit_fallback.CU_PREFER_BINARY

class CUjit_cacheMode(IntEnum):
    """Caching modes for dlcm

    cuda.h:1597
    """
    CU_JIT_CACHE_OPTION_NONE = 0
    """Compile with no -dlcm flag specified"""
    CU_JIT_CACHE_OPTION_CG = 1
    """Compile with L1 cache disabled"""
    CU_JIT_CACHE_OPTION_CA = 2
    """Compile with L1 cache enabled"""

CU_JIT_CACHE_OPTION_NONE: Final = CUjit_cacheMode.CU_JIT_CACHE_OPTION_NONE
CU_JIT_CACHE_OPTION_CG: Final = CUjit_cacheMode.CU_JIT_CACHE_OPTION_CG
CU_JIT_CACHE_OPTION_CA: Final = CUjit_cacheMode.CU_JIT_CACHE_OPTION_CA

class CUjitInputType(IntEnum):
    """Device code formats

    cuda.h:1607
    """
    CU_JIT_INPUT_CUBIN = 0
    """Compiled device-class-specific device code\\n Applicable options: none"""
    CU_JIT_INPUT_PTX = 1
    """PTX source code\\n Applicable options: PTX compiler options"""
    CU_JIT_INPUT_FATBINARY = 2
    """Bundle of multiple cubins and/or PTX of some device code\\n Applicable options: PTX compiler options, CU_JIT_FALLBACK_STRATEGY"""
    CU_JIT_INPUT_OBJECT = 3
    """Host object with embedded device code\\n Applicable options: PTX compiler options, CU_JIT_FALLBACK_STRATEGY"""
    CU_JIT_INPUT_LIBRARY = 4
    """Archive of host objects with embedded device code\\n Applicable options: PTX compiler options, CU_JIT_FALLBACK_STRATEGY"""
    CU_JIT_INPUT_NVVM = 5
    CU_JIT_NUM_INPUT_TYPES = 6

CU_JIT_INPUT_CUBIN: Final = CUjitInputType.CU_JIT_INPUT_CUBIN
CU_JIT_INPUT_PTX: Final = CUjitInputType.CU_JIT_INPUT_PTX
CU_JIT_INPUT_FATBINARY: Final = CUjitInputType.CU_JIT_INPUT_FATBINARY
CU_JIT_INPUT_OBJECT: Final = CUjitInputType.CU_JIT_INPUT_OBJECT
CU_JIT_INPUT_LIBRARY: Final = CUjitInputType.CU_JIT_INPUT_LIBRARY
CU_JIT_INPUT_NVVM: Final = CUjitInputType.CU_JIT_INPUT_NVVM
CU_JIT_NUM_INPUT_TYPES: Final = CUjitInputType.CU_JIT_NUM_INPUT_TYPES

class CUgraphicsRegisterFlags(IntEnum):
    """Flags to register a graphics resource

    cuda.h:1656
    """
    CU_GRAPHICS_REGISTER_FLAGS_NONE = 0
    CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY = 1
    CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD = 2
    CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST = 4
    CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER = 8

CU_GRAPHICS_REGISTER_FLAGS_NONE: Final = CUgraphicsRegisterFlags.CU_GRAPHICS_REGISTER_FLAGS_NONE
CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY: Final = CUgraphicsRegisterFlags.CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY
CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD: Final = CUgraphicsRegisterFlags.CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD
CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST: Final = CUgraphicsRegisterFlags.CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST
CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER: Final = CUgraphicsRegisterFlags.CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER

class CUgraphicsMapResourceFlags(IntEnum):
    """Flags for mapping and unmapping interop resources

    cuda.h:1667
    """
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE = 0
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY = 1
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2

CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE: Final = CUgraphicsMapResourceFlags.CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE
CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY: Final = CUgraphicsMapResourceFlags.CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY
CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD: Final = CUgraphicsMapResourceFlags.CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD

class CUarray_cubemap_face(IntEnum):
    """Array indices for cube faces

    cuda.h:1676
    """
    CU_CUBEMAP_FACE_POSITIVE_X = 0
    """Positive X face of cubemap"""
    CU_CUBEMAP_FACE_NEGATIVE_X = 1
    """Negative X face of cubemap"""
    CU_CUBEMAP_FACE_POSITIVE_Y = 2
    """Positive Y face of cubemap"""
    CU_CUBEMAP_FACE_NEGATIVE_Y = 3
    """Negative Y face of cubemap"""
    CU_CUBEMAP_FACE_POSITIVE_Z = 4
    """Positive Z face of cubemap"""
    CU_CUBEMAP_FACE_NEGATIVE_Z = 5
    """Negative Z face of cubemap"""

CU_CUBEMAP_FACE_POSITIVE_X: Final = CUarray_cubemap_face.CU_CUBEMAP_FACE_POSITIVE_X
CU_CUBEMAP_FACE_NEGATIVE_X: Final = CUarray_cubemap_face.CU_CUBEMAP_FACE_NEGATIVE_X
CU_CUBEMAP_FACE_POSITIVE_Y: Final = CUarray_cubemap_face.CU_CUBEMAP_FACE_POSITIVE_Y
CU_CUBEMAP_FACE_NEGATIVE_Y: Final = CUarray_cubemap_face.CU_CUBEMAP_FACE_NEGATIVE_Y
CU_CUBEMAP_FACE_POSITIVE_Z: Final = CUarray_cubemap_face.CU_CUBEMAP_FACE_POSITIVE_Z
CU_CUBEMAP_FACE_NEGATIVE_Z: Final = CUarray_cubemap_face.CU_CUBEMAP_FACE_NEGATIVE_Z

class CUlimit(IntEnum):
    """Limits

    cuda.h:1688
    """
    CU_LIMIT_STACK_SIZE = 0
    """GPU thread stack size"""
    CU_LIMIT_PRINTF_FIFO_SIZE = 1
    """GPU printf FIFO size"""
    CU_LIMIT_MALLOC_HEAP_SIZE = 2
    """GPU malloc heap size"""
    CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3
    """GPU device runtime launch synchronize depth"""
    CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4
    """GPU device runtime pending launch count"""
    CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5
    """A value between 0 and 128 that indicates the maximum fetch granularity of L2 (in Bytes). This is a hint"""
    CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6
    """A size in bytes for L2 persisting lines cache size"""
    CU_LIMIT_SHMEM_SIZE = 7
    """A maximum size in bytes of shared memory available to CUDA kernels on a CIG context. Can only be queried, cannot be set"""
    CU_LIMIT_CIG_ENABLED = 8
    """A non-zero value indicates this CUDA context is a CIG-enabled context. Can only be queried, cannot be set"""
    CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 9
    """When set to zero, CUDA will fail to launch a kernel on a CIG context, instead of using the fallback path, if the kernel uses more shared memory than available"""
    CU_LIMIT_MAX = 10

CU_LIMIT_STACK_SIZE: Final = CUlimit.CU_LIMIT_STACK_SIZE
CU_LIMIT_PRINTF_FIFO_SIZE: Final = CUlimit.CU_LIMIT_PRINTF_FIFO_SIZE
CU_LIMIT_MALLOC_HEAP_SIZE: Final = CUlimit.CU_LIMIT_MALLOC_HEAP_SIZE
CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH: Final = CUlimit.CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH
CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT: Final = CUlimit.CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
CU_LIMIT_MAX_L2_FETCH_GRANULARITY: Final = CUlimit.CU_LIMIT_MAX_L2_FETCH_GRANULARITY
CU_LIMIT_PERSISTING_L2_CACHE_SIZE: Final = CUlimit.CU_LIMIT_PERSISTING_L2_CACHE_SIZE
CU_LIMIT_SHMEM_SIZE: Final = CUlimit.CU_LIMIT_SHMEM_SIZE
CU_LIMIT_CIG_ENABLED: Final = CUlimit.CU_LIMIT_CIG_ENABLED
CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED: Final = CUlimit.CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED
CU_LIMIT_MAX: Final = CUlimit.CU_LIMIT_MAX

class CUresourcetype(IntEnum):
    """Resource types

    cuda.h:1705
    """
    CU_RESOURCE_TYPE_ARRAY = 0
    """Array resource"""
    CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1
    """Mipmapped array resource"""
    CU_RESOURCE_TYPE_LINEAR = 2
    """Linear resource"""
    CU_RESOURCE_TYPE_PITCH2D = 3
    """Pitch 2D resource"""

CU_RESOURCE_TYPE_ARRAY: Final = CUresourcetype.CU_RESOURCE_TYPE_ARRAY
CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: Final = CUresourcetype.CU_RESOURCE_TYPE_MIPMAPPED_ARRAY
CU_RESOURCE_TYPE_LINEAR: Final = CUresourcetype.CU_RESOURCE_TYPE_LINEAR
CU_RESOURCE_TYPE_PITCH2D: Final = CUresourcetype.CU_RESOURCE_TYPE_PITCH2D

class CUaccessProperty(IntEnum):
    """Specifies performance hint with CUaccessPolicyWindow for hitProp and missProp members.

    cuda.h:1727
    """
    CU_ACCESS_PROPERTY_NORMAL = 0
    """Normal cache persistence."""
    CU_ACCESS_PROPERTY_STREAMING = 1
    """Streaming access is less likely to persit from cache."""
    CU_ACCESS_PROPERTY_PERSISTING = 2
    """Persisting access is more likely to persist in cache."""

CU_ACCESS_PROPERTY_NORMAL: Final = CUaccessProperty.CU_ACCESS_PROPERTY_NORMAL
CU_ACCESS_PROPERTY_STREAMING: Final = CUaccessProperty.CU_ACCESS_PROPERTY_STREAMING
CU_ACCESS_PROPERTY_PERSISTING: Final = CUaccessProperty.CU_ACCESS_PROPERTY_PERSISTING

class CUgraphConditionalNodeType(IntEnum):
    """Conditional node types

    cuda.h:1861
    """
    CU_GRAPH_COND_TYPE_IF = 0
    """Conditional 'if/else' Node. Body[0] executed if condition is non-zero. If size == 2, an optional ELSE graph is created and this is executed if the condition is zero."""
    CU_GRAPH_COND_TYPE_WHILE = 1
    """Conditional 'while' Node. Body executed repeatedly while condition value is non-zero."""
    CU_GRAPH_COND_TYPE_SWITCH = 2
    """Conditional 'switch' Node. Body[n] is executed once, where 'n' is the value of the condition. If the condition does not match a body index, no body is launched."""

CU_GRAPH_COND_TYPE_IF: Final = CUgraphConditionalNodeType.CU_GRAPH_COND_TYPE_IF
CU_GRAPH_COND_TYPE_WHILE: Final = CUgraphConditionalNodeType.CU_GRAPH_COND_TYPE_WHILE
CU_GRAPH_COND_TYPE_SWITCH: Final = CUgraphConditionalNodeType.CU_GRAPH_COND_TYPE_SWITCH

class CUgraphNodeType(IntEnum):
    """Graph node types

    cuda.h:1903
    """
    CU_GRAPH_NODE_TYPE_KERNEL = 0
    """GPU kernel node"""
    CU_GRAPH_NODE_TYPE_MEMCPY = 1
    """Memcpy node"""
    CU_GRAPH_NODE_TYPE_MEMSET = 2
    """Memset node"""
    CU_GRAPH_NODE_TYPE_HOST = 3
    """Host (executable) node"""
    CU_GRAPH_NODE_TYPE_GRAPH = 4
    """Node which executes an embedded graph"""
    CU_GRAPH_NODE_TYPE_EMPTY = 5
    """Empty (no-op) node"""
    CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6
    """External event wait node"""
    CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7
    """External event record node"""
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8
    """External semaphore signal node"""
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9
    """External semaphore wait node"""
    CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10
    """Memory Allocation Node"""
    CU_GRAPH_NODE_TYPE_MEM_FREE = 11
    """Memory Free Node"""
    CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12
    """Batch MemOp Node See cuStreamBatchMemOp and CUstreamBatchMemOpType for what these nodes can do."""
    CU_GRAPH_NODE_TYPE_CONDITIONAL = 13
    """Conditional Node

    May be used to implement a conditional execution path or loop inside of a graph. The graph(s) contained within the body of the conditional node can be selectively executed or iterated upon based on the value of a conditional variable.

    Handles must be created in advance of creating the node using cuGraphConditionalHandleCreate.

    The following restrictions apply to graphs which contain conditional nodes: The graph cannot be used in a child node. Only one instantiation of the graph may exist at any point in time. The graph cannot be cloned.

    To set the control value, supply a default value when creating the handle and/or call cudaGraphSetConditional from device code.
    """

CU_GRAPH_NODE_TYPE_KERNEL: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_KERNEL
CU_GRAPH_NODE_TYPE_MEMCPY: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_MEMCPY
CU_GRAPH_NODE_TYPE_MEMSET: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_MEMSET
CU_GRAPH_NODE_TYPE_HOST: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_HOST
CU_GRAPH_NODE_TYPE_GRAPH: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_GRAPH
CU_GRAPH_NODE_TYPE_EMPTY: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_EMPTY
CU_GRAPH_NODE_TYPE_WAIT_EVENT: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_WAIT_EVENT
CU_GRAPH_NODE_TYPE_EVENT_RECORD: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_EVENT_RECORD
CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL
CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT
CU_GRAPH_NODE_TYPE_MEM_ALLOC: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_MEM_ALLOC
CU_GRAPH_NODE_TYPE_MEM_FREE: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_MEM_FREE
CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_BATCH_MEM_OP
CU_GRAPH_NODE_TYPE_CONDITIONAL: Final = CUgraphNodeType.CU_GRAPH_NODE_TYPE_CONDITIONAL

class CUgraphDependencyType(IntEnum):
    """Type annotations that can be applied to graph edges as part of CUgraphEdgeData.

    cuda.h:1940
    """
    CU_GRAPH_DEPENDENCY_TYPE_DEFAULT = 0
    """This is an ordinary dependency."""
    CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1
    """This dependency type allows the downstream node to use cudaGridDependencySynchronize(). It may only be used between kernel nodes, and must be used with either the CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC or CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER outgoing port."""

CU_GRAPH_DEPENDENCY_TYPE_DEFAULT: Final = CUgraphDependencyType.CU_GRAPH_DEPENDENCY_TYPE_DEFAULT
CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC: Final = CUgraphDependencyType.CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC

class CUgraphInstantiateResult(IntEnum):
    """Graph instantiation results

    cuda.h:1998
    """
    CUDA_GRAPH_INSTANTIATE_SUCCESS = 0
    """Instantiation succeeded"""
    CUDA_GRAPH_INSTANTIATE_ERROR = 1
    """Instantiation failed for an unexpected reason which is described in the return value of the function"""
    CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE = 2
    """Instantiation failed due to invalid structure, such as cycles"""
    CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED = 3
    """Instantiation for device launch failed because the graph contained an unsupported operation"""
    CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED = 4
    """Instantiation for device launch failed due to the nodes belonging to different contexts"""
    CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED = 5
    """One or more conditional handles are not associated with conditional nodes"""

CUDA_GRAPH_INSTANTIATE_SUCCESS: Final = CUgraphInstantiateResult.CUDA_GRAPH_INSTANTIATE_SUCCESS
CUDA_GRAPH_INSTANTIATE_ERROR: Final = CUgraphInstantiateResult.CUDA_GRAPH_INSTANTIATE_ERROR
CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE: Final = CUgraphInstantiateResult.CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE
CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED: Final = CUgraphInstantiateResult.CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED
CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED: Final = CUgraphInstantiateResult.CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED
CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED: Final = CUgraphInstantiateResult.CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED

class CUsynchronizationPolicy(IntEnum):
    """cuda.h:2019"""
    CU_SYNC_POLICY_AUTO = 1
    CU_SYNC_POLICY_SPIN = 2
    CU_SYNC_POLICY_YIELD = 3
    CU_SYNC_POLICY_BLOCKING_SYNC = 4

CU_SYNC_POLICY_AUTO: Final = CUsynchronizationPolicy.CU_SYNC_POLICY_AUTO
CU_SYNC_POLICY_SPIN: Final = CUsynchronizationPolicy.CU_SYNC_POLICY_SPIN
CU_SYNC_POLICY_YIELD: Final = CUsynchronizationPolicy.CU_SYNC_POLICY_YIELD
CU_SYNC_POLICY_BLOCKING_SYNC: Final = CUsynchronizationPolicy.CU_SYNC_POLICY_BLOCKING_SYNC

class CUclusterSchedulingPolicy(IntEnum):
    """Cluster scheduling policies. These may be passed to cuFuncSetAttribute or cuKernelSetAttribute

    cuda.h:2029
    """
    CU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0
    """the default policy"""
    CU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1
    """spread the blocks within a cluster to the SMs"""
    CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2
    """allow the hardware to load-balance the blocks in a cluster to the SMs"""

CU_CLUSTER_SCHEDULING_POLICY_DEFAULT: Final = CUclusterSchedulingPolicy.CU_CLUSTER_SCHEDULING_POLICY_DEFAULT
CU_CLUSTER_SCHEDULING_POLICY_SPREAD: Final = CUclusterSchedulingPolicy.CU_CLUSTER_SCHEDULING_POLICY_SPREAD
CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING: Final = CUclusterSchedulingPolicy.CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING

class CUlaunchMemSyncDomain(IntEnum):
    """Memory Synchronization Domain

    A kernel can be launched in a specified memory synchronization domain that affects all memory operations issued by that kernel. A memory barrier issued in one domain will only order memory operations in that domain, thus eliminating latency increase from memory barriers ordering unrelated traffic.

    By default, kernels are launched in domain 0. Kernel launched with CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE will have a different domain ID. User may also alter the domain ID with CUlaunchMemSyncDomainMap for a specific stream / graph node / kernel launch. See CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, cuStreamSetAttribute, cuLaunchKernelEx, cuGraphKernelNodeSetAttribute.

    Memory operations done in kernels launched in different domains are considered system-scope distanced. In other words, a GPU scoped memory synchronization is not sufficient for memory order to be observed by kernels in another memory synchronization domain even if they are on the same GPU.

    cuda.h:2051
    """
    CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT = 0
    """Launch kernels in the default domain"""
    CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE = 1
    """Launch kernels in the remote domain"""

CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT: Final = CUlaunchMemSyncDomain.CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT
CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE: Final = CUlaunchMemSyncDomain.CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE

class CUlaunchAttributeID(IntEnum):
    """Launch attributes enum; used as id field of CUlaunchAttribute

    cuda.h:2075
    """
    CU_LAUNCH_ATTRIBUTE_IGNORE = 0
    """Ignored entry, for convenient composition"""
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1
    """Valid for streams, graph nodes, launches. See CUlaunchAttributeValueaccessPolicyWindow."""
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2
    """Valid for graph nodes, launches. See CUlaunchAttributeValuecooperative."""
    CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3
    """Valid for streams. See CUlaunchAttributeValuesyncPolicy."""
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4
    """Valid for graph nodes, launches. See CUlaunchAttributeValueclusterDim."""
    CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5
    """Valid for graph nodes, launches. See CUlaunchAttributeValueclusterSchedulingPolicyPreference."""
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6
    """Valid for launches. Setting CUlaunchAttributeValueprogrammaticStreamSerializationAllowed to non-0 signals that the kernel will use programmatic means to resolve its stream dependency, so that the CUDA runtime should opportunistically allow the grid's execution to overlap with the previous kernel in the stream, if that kernel requests the overlap. The dependent launches can choose to wait on the dependency using the programmatic sync (cudaGridDependencySynchronize() or equivalent PTX instructions)."""
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7
    """Valid for launches. Set CUlaunchAttributeValueprogrammaticEvent to record the event. Event recorded through this launch attribute is guaranteed to only trigger after all block in the associated kernel trigger the event. A block can trigger the event through PTX launchdep.release or CUDA builtin function cudaTriggerProgrammaticLaunchCompletion(). A trigger can also be inserted at the beginning of each block's execution if triggerAtBlockStart is set to non-0. The dependent launches can choose to wait on the dependency using the programmatic sync (cudaGridDependencySynchronize() or equivalent PTX instructions). Note that dependents (including the CPU thread calling cuEventSynchronize()) are not guaranteed to observe the release precisely when it is released. For example, cuEventSynchronize() may only observe the event trigger long after the associated kernel has completed. This recording type is primarily meant for establishing programmatic dependency between device tasks. Note also this type of dependency allows, but does not guarantee, concurrent execution of tasks. <br> The event supplied must not be an interprocess or interop event. The event must disable timing (i.e. must be created with the CU_EVENT_DISABLE_TIMING flag set)."""
    CU_LAUNCH_ATTRIBUTE_PRIORITY = 8
    """Valid for streams, graph nodes, launches. See CUlaunchAttributeValuepriority."""
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9
    """Valid for streams, graph nodes, launches. See CUlaunchAttributeValuememSyncDomainMap."""
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10
    """Valid for streams, graph nodes, launches. See CUlaunchAttributeValuememSyncDomain."""
    CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11
    """Valid for graph nodes, launches. Set CUlaunchAttributeValuepreferredClusterDim to allow the kernel launch to specify a preferred substitute cluster dimension. Blocks may be grouped according to either the dimensions specified with this attribute (grouped into a "preferred substitute cluster"), or the one specified with CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION attribute (grouped into a "regular cluster"). The cluster dimensions of a "preferred substitute cluster" shall be an integer multiple greater than zero of the regular cluster dimensions. The device will attempt - on a best-effort basis - to group thread blocks into preferred clusters over grouping them into regular clusters. When it deems necessary (primarily when the device temporarily runs out of physical resources to launch the larger preferred clusters), the device may switch to launch the regular clusters instead to attempt to utilize as much of the physical device resources as possible. <br> Each type of cluster will have its enumeration / coordinate setup as if the grid consists solely of its type of cluster. For example, if the preferred substitute cluster dimensions double the regular cluster dimensions, there might be simultaneously a regular cluster indexed at (1,0,0), and a preferred cluster indexed at (1,0,0). In this example, the preferred substitute cluster (1,0,0) replaces regular clusters (2,0,0) and (3,0,0) and groups their blocks. <br> This attribute will only take effect when a regular cluster dimension has been specified. The preferred substitute cluster dimension must be an integer multiple greater than zero of the regular cluster dimension and must divide the grid. It must also be no more than `maxBlocksPerCluster`, if it is set in the kernel's `__launch_bounds__`. Otherwise it must be less than the maximum value the driver can support. Otherwise, setting this attribute to a value physically unable to fit on any particular device is permitted."""
    CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12
    """Valid for launches. Set CUlaunchAttributeValuelaunchCompletionEvent to record the event. <br> Nominally, the event is triggered once all blocks of the kernel have begun execution. Currently this is a best effort. If a kernel B has a launch completion dependency on a kernel A, B may wait until A is complete. Alternatively, blocks of B may begin before all blocks of A have begun, for example if B can claim execution resources unavailable to A (e.g. they run on different GPUs) or if B is a higher priority than A. Exercise caution if such an ordering inversion could lead to deadlock. <br> A launch completion event is nominally similar to a programmatic event with triggerAtBlockStart set except that it is not visible to cudaGridDependencySynchronize() and can be used with compute capability less than 9.0. <br> The event supplied must not be an interprocess or interop event. The event must disable timing (i.e. must be created with the CU_EVENT_DISABLE_TIMING flag set)."""
    CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13
    """Valid for graph nodes, launches. This attribute is graphs-only, and passing it to a launch in a non-capturing stream will result in an error. <br> CUlaunchAttributeValuedeviceUpdatableKernelNodedeviceUpdatable can only be set to 0 or 1. Setting the field to 1 indicates that the corresponding kernel node should be device-updatable. On success, a handle will be returned via CUlaunchAttributeValuedeviceUpdatableKernelNodedevNode which can be passed to the various device-side update functions to update the node's kernel parameters from within another kernel. For more information on the types of device updates that can be made, as well as the relevant limitations thereof, see cudaGraphKernelNodeUpdatesApply. <br> Nodes which are device-updatable have additional restrictions compared to regular kernel nodes. Firstly, device-updatable nodes cannot be removed from their graph via cuGraphDestroyNode. Additionally, once opted-in to this functionality, a node cannot opt out, and any attempt to set the deviceUpdatable attribute to 0 will result in an error. Device-updatable kernel nodes also cannot have their attributes copied to/from another kernel node via cuGraphKernelNodeCopyAttributes. Graphs containing one or more device-updatable nodes also do not allow multiple instantiation, and neither the graph nor its instantiated version can be passed to cuGraphExecUpdate. <br> If a graph contains device-updatable nodes and updates those nodes from the device from within the graph, the graph must be uploaded with cuGraphUpload before it is launched. For such a graph, if host-side executable graph updates are made to the device-updatable nodes, the graph must be uploaded before it is launched again."""
    CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14
    """Valid for launches. On devices where the L1 cache and shared memory use the same hardware resources, setting CUlaunchAttributeValuesharedMemCarveout to a percentage between 0-100 signals the CUDA driver to set the shared memory carveout preference, in percent of the total shared memory for that kernel launch. This attribute takes precedence over CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT. This is only a hint, and the CUDA driver can choose a different configuration if required for the launch."""
    CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING = 16
    """Valid for streams, graph nodes, launches. This attribute is a hint to the CUDA runtime that the launch should attempt to make the kernel maximize its NVLINK utilization. <br> When possible to honor this hint, CUDA will assume each block in the grid launch will carry out an even amount of NVLINK traffic, and make a best-effort attempt to adjust the kernel launch based on that assumption. <br> This attribute is a hint only. CUDA makes no functional or performance guarantee. Its applicability can be affected by many different factors, including driver version (i.e. CUDA doesn't guarantee the performance characteristics will be maintained between driver versions or a driver update could alter or regress previously observed perf characteristics.) It also doesn't guarantee a successful result, i.e. applying the attribute may not improve the performance of either the targeted kernel or the encapsulating application. <br> Valid values for CUlaunchAttributeValuenvlinkUtilCentricScheduling are 0 (disabled) and 1 (enabled)."""

CU_LAUNCH_ATTRIBUTE_IGNORE: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_IGNORE
CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
CU_LAUNCH_ATTRIBUTE_COOPERATIVE: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_COOPERATIVE
CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT
CU_LAUNCH_ATTRIBUTE_PRIORITY: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PRIORITY
CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION
CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT
CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE
CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING: Final = CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING

class CUstreamCaptureStatus(IntEnum):
    """Possible stream capture statuses returned by cuStreamIsCapturing

    cuda.h:2380
    """
    CU_STREAM_CAPTURE_STATUS_NONE = 0
    """Stream is not capturing"""
    CU_STREAM_CAPTURE_STATUS_ACTIVE = 1
    """Stream is actively capturing"""
    CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
    """Stream is part of a capture sequence that has been invalidated, but not terminated"""

CU_STREAM_CAPTURE_STATUS_NONE: Final = CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_NONE
CU_STREAM_CAPTURE_STATUS_ACTIVE: Final = CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_ACTIVE
CU_STREAM_CAPTURE_STATUS_INVALIDATED: Final = CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_INVALIDATED

class CUstreamCaptureMode(IntEnum):
    """Possible modes for stream capture thread interactions. For more details see cuStreamBeginCapture and cuThreadExchangeStreamCaptureMode

    cuda.h:2391
    """
    CU_STREAM_CAPTURE_MODE_GLOBAL = 0
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1
    CU_STREAM_CAPTURE_MODE_RELAXED = 2

CU_STREAM_CAPTURE_MODE_GLOBAL: Final = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL
CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: Final = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
CU_STREAM_CAPTURE_MODE_RELAXED: Final = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED

class CUdriverProcAddress_flags(IntEnum):
    """Flags to specify search options. For more details see cuGetProcAddress

    cuda.h:2410
    """
    CU_GET_PROC_ADDRESS_DEFAULT = 0
    """Default search mode for driver symbols."""
    CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1
    """Search for legacy versions of driver symbols."""
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2
    """Search for per-thread versions of driver symbols."""

CU_GET_PROC_ADDRESS_DEFAULT: Final = CUdriverProcAddress_flags.CU_GET_PROC_ADDRESS_DEFAULT
CU_GET_PROC_ADDRESS_LEGACY_STREAM: Final = CUdriverProcAddress_flags.CU_GET_PROC_ADDRESS_LEGACY_STREAM
CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM: Final = CUdriverProcAddress_flags.CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM

class CUdriverProcAddressQueryResult(IntEnum):
    """Flags to indicate search status. For more details see cuGetProcAddress

    cuda.h:2419
    """
    CU_GET_PROC_ADDRESS_SUCCESS = 0
    """Symbol was succesfully found"""
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1
    """Symbol was not found in search"""
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
    """Symbol was found but version supplied was not sufficient"""

CU_GET_PROC_ADDRESS_SUCCESS: Final = CUdriverProcAddressQueryResult.CU_GET_PROC_ADDRESS_SUCCESS
CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND: Final = CUdriverProcAddressQueryResult.CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT: Final = CUdriverProcAddressQueryResult.CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT

class CUexecAffinityType(IntEnum):
    """Execution Affinity Types

    cuda.h:2428
    """
    CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0
    """Create a context with limited SMs."""
    CU_EXEC_AFFINITY_TYPE_MAX = 1

CU_EXEC_AFFINITY_TYPE_SM_COUNT: Final = CUexecAffinityType.CU_EXEC_AFFINITY_TYPE_SM_COUNT
CU_EXEC_AFFINITY_TYPE_MAX: Final = CUexecAffinityType.CU_EXEC_AFFINITY_TYPE_MAX

class CUcigDataType(IntEnum):
    """cuda.h:2455"""
    CIG_DATA_TYPE_D3D12_COMMAND_QUEUE = 1
    CIG_DATA_TYPE_NV_BLOB = 2
    """D3D12 Command Queue Handle"""

CIG_DATA_TYPE_D3D12_COMMAND_QUEUE: Final = CUcigDataType.CIG_DATA_TYPE_D3D12_COMMAND_QUEUE
CIG_DATA_TYPE_NV_BLOB: Final = CUcigDataType.CIG_DATA_TYPE_NV_BLOB

class CUlibraryOption(IntEnum):
    """Library options to be specified with cuLibraryLoadData() or cuLibraryLoadFromFile()

    cuda.h:2482
    """
    CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0
    CU_LIBRARY_BINARY_IS_PRESERVED = 1
    """Specifes that the argument code passed to cuLibraryLoadData() will be preserved. Specifying this option will let the driver know that code can be accessed at any point until cuLibraryUnload(). The default behavior is for the driver to allocate and maintain its own copy of code. Note that this is only a memory usage optimization hint and the driver can choose to ignore it if required. Specifying this option with cuLibraryLoadFromFile() is invalid and will return CUDA_ERROR_INVALID_VALUE."""
    CU_LIBRARY_NUM_OPTIONS = 2
    """Specifes that the argument code passed to cuLibraryLoadData() will be preserved. Specifying this option will let the driver know that code can be accessed at any point until cuLibraryUnload(). The default behavior is for the driver to allocate and maintain its own copy of code. Note that this is only a memory usage optimization hint and the driver can choose to ignore it if required. Specifying this option with cuLibraryLoadFromFile() is invalid and will return CUDA_ERROR_INVALID_VALUE."""

CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE: Final = CUlibraryOption.CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE
CU_LIBRARY_BINARY_IS_PRESERVED: Final = CUlibraryOption.CU_LIBRARY_BINARY_IS_PRESERVED
CU_LIBRARY_NUM_OPTIONS: Final = CUlibraryOption.CU_LIBRARY_NUM_OPTIONS

class CUresult(IntEnum):
    """Error codes

    cuda.h:2511
    """
    CUDA_SUCCESS = 0
    """The API call returned with no errors. In the case of query calls, this also means that the operation being queried is complete (see cuEventQuery() and cuStreamQuery())."""
    CUDA_ERROR_INVALID_VALUE = 1
    """This indicates that one or more of the parameters passed to the API call is not within an acceptable range of values."""
    CUDA_ERROR_OUT_OF_MEMORY = 2
    """The API call failed because it was unable to allocate enough memory or other resources to perform the requested operation."""
    CUDA_ERROR_NOT_INITIALIZED = 3
    """This indicates that the CUDA driver has not been initialized with cuInit() or that initialization has failed."""
    CUDA_ERROR_DEINITIALIZED = 4
    """This indicates that the CUDA driver is in the process of shutting down."""
    CUDA_ERROR_PROFILER_DISABLED = 5
    """This indicates profiler is not initialized for this run. This can happen when the application is running with external profiling tools like visual profiler."""
    CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6
    CUDA_ERROR_PROFILER_ALREADY_STARTED = 7
    CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8
    CUDA_ERROR_STUB_LIBRARY = 34
    """This indicates that the CUDA driver that the application has loaded is a stub library. Applications that run with the stub rather than a real driver loaded will result in CUDA API returning this error."""
    CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36
    """This indicates that the API call requires a newer CUDA driver than the one currently installed. Users should install an updated NVIDIA CUDA driver to allow the API call to succeed."""
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46
    """This indicates that requested CUDA device is unavailable at the current time. Devices are often unavailable due to use of CU_COMPUTEMODE_EXCLUSIVE_PROCESS or CU_COMPUTEMODE_PROHIBITED."""
    CUDA_ERROR_NO_DEVICE = 100
    """This indicates that no CUDA-capable devices were detected by the installed CUDA driver."""
    CUDA_ERROR_INVALID_DEVICE = 101
    """This indicates that the device ordinal supplied by the user does not correspond to a valid CUDA device or that the action requested is invalid for the specified device."""
    CUDA_ERROR_DEVICE_NOT_LICENSED = 102
    """This error indicates that the Grid license is not applied."""
    CUDA_ERROR_INVALID_IMAGE = 200
    """This indicates that the device kernel image is invalid. This can also indicate an invalid CUDA module."""
    CUDA_ERROR_INVALID_CONTEXT = 201
    """This most frequently indicates that there is no context bound to the current thread. This can also be returned if the context passed to an API call is not a valid handle (such as a context that has had cuCtxDestroy() invoked on it). This can also be returned if a user mixes different API versions (i.e. 3010 context with 3020 API calls). See cuCtxGetApiVersion() for more details. This can also be returned if the green context passed to an API call was not converted to a CUcontext using cuCtxFromGreenCtx API."""
    CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202
    """This indicated that the context being supplied as a parameter to the API call was already the active context."""
    CUDA_ERROR_MAP_FAILED = 205
    """This indicates that a map or register operation has failed."""
    CUDA_ERROR_UNMAP_FAILED = 206
    """This indicates that an unmap or unregister operation has failed."""
    CUDA_ERROR_ARRAY_IS_MAPPED = 207
    """This indicates that the specified array is currently mapped and thus cannot be destroyed."""
    CUDA_ERROR_ALREADY_MAPPED = 208
    """This indicates that the resource is already mapped."""
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209
    """This indicates that there is no kernel image available that is suitable for the device. This can occur when a user specifies code generation options for a particular CUDA source file that do not include the corresponding device configuration."""
    CUDA_ERROR_ALREADY_ACQUIRED = 210
    """This indicates that a resource has already been acquired."""
    CUDA_ERROR_NOT_MAPPED = 211
    """This indicates that a resource is not mapped."""
    CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212
    """This indicates that a mapped resource is not available for access as an array."""
    CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213
    """This indicates that a mapped resource is not available for access as a pointer."""
    CUDA_ERROR_ECC_UNCORRECTABLE = 214
    """This indicates that an uncorrectable ECC error was detected during execution."""
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215
    """This indicates that the CUlimit passed to the API call is not supported by the active device."""
    CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216
    """This indicates that the CUcontext passed to the API call can only be bound to a single CPU thread at a time but is already bound to a CPU thread."""
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217
    """This indicates that peer access is not supported across the given devices."""
    CUDA_ERROR_INVALID_PTX = 218
    """This indicates that a PTX JIT compilation failed."""
    CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219
    """This indicates an error with OpenGL or DirectX context."""
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220
    """This indicates that an uncorrectable NVLink error was detected during the execution."""
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221
    """This indicates that the PTX JIT compiler library was not found."""
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222
    """This indicates that the provided PTX was compiled with an unsupported toolchain."""
    CUDA_ERROR_JIT_COMPILATION_DISABLED = 223
    """This indicates that the PTX JIT compilation was disabled."""
    CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224
    """This indicates that the CUexecAffinityType passed to the API call is not supported by the active device."""
    CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225
    """This indicates that the code to be compiled by the PTX JIT contains unsupported call to cudaDeviceSynchronize."""
    CUDA_ERROR_CONTAINED = 226
    """This indicates that an exception occurred on the device that is now contained by the GPU's error containment capability. Common causes are - a. Certain types of invalid accesses of peer GPU memory over nvlink b. Certain classes of hardware errors This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_INVALID_SOURCE = 300
    """This indicates that the device kernel source is invalid. This includes compilation/linker errors encountered in device code or user error."""
    CUDA_ERROR_FILE_NOT_FOUND = 301
    """This indicates that the file specified was not found."""
    CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302
    """This indicates that a link to a shared object failed to resolve."""
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303
    """This indicates that initialization of a shared object failed."""
    CUDA_ERROR_OPERATING_SYSTEM = 304
    """This indicates that an OS call failed."""
    CUDA_ERROR_INVALID_HANDLE = 400
    """This indicates that a resource handle passed to the API call was not valid. Resource handles are opaque types like CUstream and CUevent."""
    CUDA_ERROR_ILLEGAL_STATE = 401
    """This indicates that a resource required by the API call is not in a valid state to perform the requested operation."""
    CUDA_ERROR_LOSSY_QUERY = 402
    """This indicates an attempt was made to introspect an object in a way that would discard semantically important information. This is either due to the object using funtionality newer than the API version used to introspect it or omission of optional return arguments."""
    CUDA_ERROR_NOT_FOUND = 500
    """This indicates that a named symbol was not found. Examples of symbols are global/constant variable names, driver function names, texture names, and surface names."""
    CUDA_ERROR_NOT_READY = 600
    """This indicates that asynchronous operations issued previously have not completed yet. This result is not actually an error, but must be indicated differently than CUDA_SUCCESS (which indicates completion). Calls that may return this value include cuEventQuery() and cuStreamQuery()."""
    CUDA_ERROR_ILLEGAL_ADDRESS = 700
    """While executing a kernel, the device encountered a load or store instruction on an invalid memory address. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701
    """This indicates that a launch did not occur because it did not have appropriate resources. This error usually indicates that the user has attempted to pass too many arguments to the device kernel, or the kernel launch specifies too many threads for the kernel's register count. Passing arguments of the wrong size (i.e. a 64-bit pointer when a 32-bit int is expected) is equivalent to passing too many arguments and can also result in this error."""
    CUDA_ERROR_LAUNCH_TIMEOUT = 702
    """This indicates that the device kernel took too long to execute. This can only occur if timeouts are enabled - see the device attribute CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT for more information. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703
    """This error indicates a kernel launch that uses an incompatible texturing mode."""
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704
    """This error indicates that a call to cuCtxEnablePeerAccess() is trying to re-enable peer access to a context which has already had peer access to it enabled."""
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705
    """This error indicates that cuCtxDisablePeerAccess() is trying to disable peer access which has not been enabled yet via cuCtxEnablePeerAccess()."""
    CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708
    """This error indicates that the primary context for the specified device has already been initialized."""
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709
    """This error indicates that the context current to the calling thread has been destroyed using cuCtxDestroy, or is a primary context which has not yet been initialized."""
    CUDA_ERROR_ASSERT = 710
    """A device-side assert triggered during kernel execution. The context cannot be used anymore, and must be destroyed. All existing device memory allocations from this context are invalid and must be reconstructed if the program is to continue using CUDA."""
    CUDA_ERROR_TOO_MANY_PEERS = 711
    """This error indicates that the hardware resources required to enable peer access have been exhausted for one or more of the devices passed to cuCtxEnablePeerAccess()."""
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712
    """This error indicates that the memory range passed to cuMemHostRegister() has already been registered."""
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713
    """This error indicates that the pointer passed to cuMemHostUnregister() does not correspond to any currently registered memory region."""
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714
    """While executing a kernel, the device encountered a stack error. This can be due to stack corruption or exceeding the stack size limit. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715
    """While executing a kernel, the device encountered an illegal instruction. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_MISALIGNED_ADDRESS = 716
    """While executing a kernel, the device encountered a load or store instruction on a memory address which is not aligned. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717
    """While executing a kernel, the device encountered an instruction which can only operate on memory locations in certain address spaces (global, shared, or local), but was supplied a memory address not belonging to an allowed address space. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_INVALID_PC = 718
    """While executing a kernel, the device program counter wrapped its address space. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_LAUNCH_FAILED = 719
    """An exception occurred on the device while executing a kernel. Common causes include dereferencing an invalid device pointer and accessing out of bounds shared memory. Less common cases can be system specific - more information about these cases can be found in the system specific user guide. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720
    """This error indicates that the number of blocks launched per grid for a kernel that was launched via either cuLaunchCooperativeKernel or cuLaunchCooperativeKernelMultiDevice exceeds the maximum number of blocks as allowed by cuOccupancyMaxActiveBlocksPerMultiprocessor or cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags times the number of multiprocessors as specified by the device attribute CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT."""
    CUDA_ERROR_TENSOR_MEMORY_LEAK = 721
    """An exception occurred on the device while exiting a kernel using tensor memory: the tensor memory was not completely deallocated. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_NOT_PERMITTED = 800
    """This error indicates that the attempted operation is not permitted."""
    CUDA_ERROR_NOT_SUPPORTED = 801
    """This error indicates that the attempted operation is not supported on the current system or device."""
    CUDA_ERROR_SYSTEM_NOT_READY = 802
    """This error indicates that the system is not yet ready to start any CUDA work. To continue using CUDA, verify the system configuration is in a valid state and all required driver daemons are actively running. More information about this error can be found in the system specific user guide."""
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803
    """This error indicates that there is a mismatch between the versions of the display driver and the CUDA driver. Refer to the compatibility documentation for supported versions."""
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804
    """This error indicates that the system was upgraded to run with forward compatibility but the visible hardware detected by CUDA does not support this configuration. Refer to the compatibility documentation for the supported hardware matrix or ensure that only supported hardware is visible during initialization via the CUDA_VISIBLE_DEVICES environment variable."""
    CUDA_ERROR_MPS_CONNECTION_FAILED = 805
    """This error indicates that the MPS client failed to connect to the MPS control daemon or the MPS server."""
    CUDA_ERROR_MPS_RPC_FAILURE = 806
    """This error indicates that the remote procedural call between the MPS server and the MPS client failed."""
    CUDA_ERROR_MPS_SERVER_NOT_READY = 807
    """This error indicates that the MPS server is not ready to accept new MPS client requests. This error can be returned when the MPS server is in the process of recovering from a fatal failure."""
    CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808
    """This error indicates that the hardware resources required to create MPS client have been exhausted."""
    CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809
    """This error indicates the the hardware resources required to support device connections have been exhausted."""
    CUDA_ERROR_MPS_CLIENT_TERMINATED = 810
    """This error indicates that the MPS client has been terminated by the server. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_CDP_NOT_SUPPORTED = 811
    """This error indicates that the module is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it."""
    CUDA_ERROR_CDP_VERSION_MISMATCH = 812
    """This error indicates that a module contains an unsupported interaction between different versions of CUDA Dynamic Parallelism."""
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900
    """This error indicates that the operation is not permitted when the stream is capturing."""
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901
    """This error indicates that the current capture sequence on the stream has been invalidated due to a previous error."""
    CUDA_ERROR_STREAM_CAPTURE_MERGE = 902
    """This error indicates that the operation would have resulted in a merge of two independent capture sequences."""
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903
    """This error indicates that the capture was not initiated in this stream."""
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904
    """This error indicates that the capture sequence contains a fork that was not joined to the primary stream."""
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905
    """This error indicates that a dependency would have been created which crosses the capture sequence boundary. Only implicit in-stream ordering dependencies are allowed to cross the boundary."""
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906
    """This error indicates a disallowed implicit dependency on a current capture sequence from cudaStreamLegacy."""
    CUDA_ERROR_CAPTURED_EVENT = 907
    """This error indicates that the operation is not permitted on an event which was last recorded in a capturing stream."""
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908
    """A stream capture sequence not initiated with the CU_STREAM_CAPTURE_MODE_RELAXED argument to cuStreamBeginCapture was passed to cuStreamEndCapture in a different thread."""
    CUDA_ERROR_TIMEOUT = 909
    """This error indicates that the timeout specified for the wait operation has lapsed."""
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910
    """This error indicates that the graph update was not performed because it included changes which violated constraints specific to instantiated graph update."""
    CUDA_ERROR_EXTERNAL_DEVICE = 911
    """This indicates that an async error has occurred in a device outside of CUDA. If CUDA was waiting for an external device's signal before consuming shared data, the external device signaled an error indicating that the data is not valid for consumption. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    CUDA_ERROR_INVALID_CLUSTER_SIZE = 912
    """Indicates a kernel launch error due to cluster misconfiguration."""
    CUDA_ERROR_FUNCTION_NOT_LOADED = 913
    """Indiciates a function handle is not loaded when calling an API that requires a loaded function."""
    CUDA_ERROR_INVALID_RESOURCE_TYPE = 914
    """This error indicates one or more resources passed in are not valid resource types for the operation."""
    CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915
    """This error indicates one or more resources are insufficient or non-applicable for the operation."""
    CUDA_ERROR_KEY_ROTATION = 916
    """This error indicates that an error happened during the key rotation sequence."""
    CUDA_ERROR_UNKNOWN = 999
    """This indicates that an unknown internal error has occurred."""

CUDA_SUCCESS: Final = CUresult.CUDA_SUCCESS
CUDA_ERROR_INVALID_VALUE: Final = CUresult.CUDA_ERROR_INVALID_VALUE
CUDA_ERROR_OUT_OF_MEMORY: Final = CUresult.CUDA_ERROR_OUT_OF_MEMORY
CUDA_ERROR_NOT_INITIALIZED: Final = CUresult.CUDA_ERROR_NOT_INITIALIZED
CUDA_ERROR_DEINITIALIZED: Final = CUresult.CUDA_ERROR_DEINITIALIZED
CUDA_ERROR_PROFILER_DISABLED: Final = CUresult.CUDA_ERROR_PROFILER_DISABLED
CUDA_ERROR_PROFILER_NOT_INITIALIZED: Final = CUresult.CUDA_ERROR_PROFILER_NOT_INITIALIZED
CUDA_ERROR_PROFILER_ALREADY_STARTED: Final = CUresult.CUDA_ERROR_PROFILER_ALREADY_STARTED
CUDA_ERROR_PROFILER_ALREADY_STOPPED: Final = CUresult.CUDA_ERROR_PROFILER_ALREADY_STOPPED
CUDA_ERROR_STUB_LIBRARY: Final = CUresult.CUDA_ERROR_STUB_LIBRARY
CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER: Final = CUresult.CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER
CUDA_ERROR_DEVICE_UNAVAILABLE: Final = CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE
CUDA_ERROR_NO_DEVICE: Final = CUresult.CUDA_ERROR_NO_DEVICE
CUDA_ERROR_INVALID_DEVICE: Final = CUresult.CUDA_ERROR_INVALID_DEVICE
CUDA_ERROR_DEVICE_NOT_LICENSED: Final = CUresult.CUDA_ERROR_DEVICE_NOT_LICENSED
CUDA_ERROR_INVALID_IMAGE: Final = CUresult.CUDA_ERROR_INVALID_IMAGE
CUDA_ERROR_INVALID_CONTEXT: Final = CUresult.CUDA_ERROR_INVALID_CONTEXT
CUDA_ERROR_CONTEXT_ALREADY_CURRENT: Final = CUresult.CUDA_ERROR_CONTEXT_ALREADY_CURRENT
CUDA_ERROR_MAP_FAILED: Final = CUresult.CUDA_ERROR_MAP_FAILED
CUDA_ERROR_UNMAP_FAILED: Final = CUresult.CUDA_ERROR_UNMAP_FAILED
CUDA_ERROR_ARRAY_IS_MAPPED: Final = CUresult.CUDA_ERROR_ARRAY_IS_MAPPED
CUDA_ERROR_ALREADY_MAPPED: Final = CUresult.CUDA_ERROR_ALREADY_MAPPED
CUDA_ERROR_NO_BINARY_FOR_GPU: Final = CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU
CUDA_ERROR_ALREADY_ACQUIRED: Final = CUresult.CUDA_ERROR_ALREADY_ACQUIRED
CUDA_ERROR_NOT_MAPPED: Final = CUresult.CUDA_ERROR_NOT_MAPPED
CUDA_ERROR_NOT_MAPPED_AS_ARRAY: Final = CUresult.CUDA_ERROR_NOT_MAPPED_AS_ARRAY
CUDA_ERROR_NOT_MAPPED_AS_POINTER: Final = CUresult.CUDA_ERROR_NOT_MAPPED_AS_POINTER
CUDA_ERROR_ECC_UNCORRECTABLE: Final = CUresult.CUDA_ERROR_ECC_UNCORRECTABLE
CUDA_ERROR_UNSUPPORTED_LIMIT: Final = CUresult.CUDA_ERROR_UNSUPPORTED_LIMIT
CUDA_ERROR_CONTEXT_ALREADY_IN_USE: Final = CUresult.CUDA_ERROR_CONTEXT_ALREADY_IN_USE
CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: Final = CUresult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
CUDA_ERROR_INVALID_PTX: Final = CUresult.CUDA_ERROR_INVALID_PTX
CUDA_ERROR_INVALID_GRAPHICS_CONTEXT: Final = CUresult.CUDA_ERROR_INVALID_GRAPHICS_CONTEXT
CUDA_ERROR_NVLINK_UNCORRECTABLE: Final = CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE
CUDA_ERROR_JIT_COMPILER_NOT_FOUND: Final = CUresult.CUDA_ERROR_JIT_COMPILER_NOT_FOUND
CUDA_ERROR_UNSUPPORTED_PTX_VERSION: Final = CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION
CUDA_ERROR_JIT_COMPILATION_DISABLED: Final = CUresult.CUDA_ERROR_JIT_COMPILATION_DISABLED
CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY: Final = CUresult.CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC: Final = CUresult.CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC
CUDA_ERROR_CONTAINED: Final = CUresult.CUDA_ERROR_CONTAINED
CUDA_ERROR_INVALID_SOURCE: Final = CUresult.CUDA_ERROR_INVALID_SOURCE
CUDA_ERROR_FILE_NOT_FOUND: Final = CUresult.CUDA_ERROR_FILE_NOT_FOUND
CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND: Final = CUresult.CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND
CUDA_ERROR_SHARED_OBJECT_INIT_FAILED: Final = CUresult.CUDA_ERROR_SHARED_OBJECT_INIT_FAILED
CUDA_ERROR_OPERATING_SYSTEM: Final = CUresult.CUDA_ERROR_OPERATING_SYSTEM
CUDA_ERROR_INVALID_HANDLE: Final = CUresult.CUDA_ERROR_INVALID_HANDLE
CUDA_ERROR_ILLEGAL_STATE: Final = CUresult.CUDA_ERROR_ILLEGAL_STATE
CUDA_ERROR_LOSSY_QUERY: Final = CUresult.CUDA_ERROR_LOSSY_QUERY
CUDA_ERROR_NOT_FOUND: Final = CUresult.CUDA_ERROR_NOT_FOUND
CUDA_ERROR_NOT_READY: Final = CUresult.CUDA_ERROR_NOT_READY
CUDA_ERROR_ILLEGAL_ADDRESS: Final = CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: Final = CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
CUDA_ERROR_LAUNCH_TIMEOUT: Final = CUresult.CUDA_ERROR_LAUNCH_TIMEOUT
CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING: Final = CUresult.CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING
CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED: Final = CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
CUDA_ERROR_PEER_ACCESS_NOT_ENABLED: Final = CUresult.CUDA_ERROR_PEER_ACCESS_NOT_ENABLED
CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE: Final = CUresult.CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE
CUDA_ERROR_CONTEXT_IS_DESTROYED: Final = CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED
CUDA_ERROR_ASSERT: Final = CUresult.CUDA_ERROR_ASSERT
CUDA_ERROR_TOO_MANY_PEERS: Final = CUresult.CUDA_ERROR_TOO_MANY_PEERS
CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: Final = CUresult.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED: Final = CUresult.CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
CUDA_ERROR_HARDWARE_STACK_ERROR: Final = CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR
CUDA_ERROR_ILLEGAL_INSTRUCTION: Final = CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION
CUDA_ERROR_MISALIGNED_ADDRESS: Final = CUresult.CUDA_ERROR_MISALIGNED_ADDRESS
CUDA_ERROR_INVALID_ADDRESS_SPACE: Final = CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE
CUDA_ERROR_INVALID_PC: Final = CUresult.CUDA_ERROR_INVALID_PC
CUDA_ERROR_LAUNCH_FAILED: Final = CUresult.CUDA_ERROR_LAUNCH_FAILED
CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: Final = CUresult.CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
CUDA_ERROR_TENSOR_MEMORY_LEAK: Final = CUresult.CUDA_ERROR_TENSOR_MEMORY_LEAK
CUDA_ERROR_NOT_PERMITTED: Final = CUresult.CUDA_ERROR_NOT_PERMITTED
CUDA_ERROR_NOT_SUPPORTED: Final = CUresult.CUDA_ERROR_NOT_SUPPORTED
CUDA_ERROR_SYSTEM_NOT_READY: Final = CUresult.CUDA_ERROR_SYSTEM_NOT_READY
CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: Final = CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE: Final = CUresult.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
CUDA_ERROR_MPS_CONNECTION_FAILED: Final = CUresult.CUDA_ERROR_MPS_CONNECTION_FAILED
CUDA_ERROR_MPS_RPC_FAILURE: Final = CUresult.CUDA_ERROR_MPS_RPC_FAILURE
CUDA_ERROR_MPS_SERVER_NOT_READY: Final = CUresult.CUDA_ERROR_MPS_SERVER_NOT_READY
CUDA_ERROR_MPS_MAX_CLIENTS_REACHED: Final = CUresult.CUDA_ERROR_MPS_MAX_CLIENTS_REACHED
CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED: Final = CUresult.CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED
CUDA_ERROR_MPS_CLIENT_TERMINATED: Final = CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED
CUDA_ERROR_CDP_NOT_SUPPORTED: Final = CUresult.CUDA_ERROR_CDP_NOT_SUPPORTED
CUDA_ERROR_CDP_VERSION_MISMATCH: Final = CUresult.CUDA_ERROR_CDP_VERSION_MISMATCH
CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
CUDA_ERROR_STREAM_CAPTURE_INVALIDATED: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
CUDA_ERROR_STREAM_CAPTURE_MERGE: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_MERGE
CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_UNMATCHED
CUDA_ERROR_STREAM_CAPTURE_UNJOINED: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_UNJOINED
CUDA_ERROR_STREAM_CAPTURE_ISOLATION: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_ISOLATION
CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
CUDA_ERROR_CAPTURED_EVENT: Final = CUresult.CUDA_ERROR_CAPTURED_EVENT
CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: Final = CUresult.CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
CUDA_ERROR_TIMEOUT: Final = CUresult.CUDA_ERROR_TIMEOUT
CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: Final = CUresult.CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
CUDA_ERROR_EXTERNAL_DEVICE: Final = CUresult.CUDA_ERROR_EXTERNAL_DEVICE
CUDA_ERROR_INVALID_CLUSTER_SIZE: Final = CUresult.CUDA_ERROR_INVALID_CLUSTER_SIZE
CUDA_ERROR_FUNCTION_NOT_LOADED: Final = CUresult.CUDA_ERROR_FUNCTION_NOT_LOADED
CUDA_ERROR_INVALID_RESOURCE_TYPE: Final = CUresult.CUDA_ERROR_INVALID_RESOURCE_TYPE
CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION: Final = CUresult.CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION
CUDA_ERROR_KEY_ROTATION: Final = CUresult.CUDA_ERROR_KEY_ROTATION
CUDA_ERROR_UNKNOWN: Final = CUresult.CUDA_ERROR_UNKNOWN

class CUdevice_P2PAttribute(IntEnum):
    """P2P Attributes

    cuda.h:3184
    """
    CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1
    """A relative value indicating the performance of the link between two devices"""
    CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 2
    """P2P Access is enable"""
    CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3
    """All CUDA-valid atomic operation over the link are supported"""
    CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED = 4
    CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 4
    """Accessing CUDA arrays over the link supported"""
    CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED = 5
    """Only some CUDA-valid atomic operations over the link are supported."""

CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: Final = CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK
CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED: Final = CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED
CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED: Final = CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED
CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED: Final = CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED
CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED: Final = CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED
CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED: Final = CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED

class CUatomicOperation(IntEnum):
    """CUDA-valid Atomic Operations

    cuda.h:3197
    """
    CU_ATOMIC_OPERATION_INTEGER_ADD = 0
    CU_ATOMIC_OPERATION_INTEGER_MIN = 1
    CU_ATOMIC_OPERATION_INTEGER_MAX = 2
    CU_ATOMIC_OPERATION_INTEGER_INCREMENT = 3
    CU_ATOMIC_OPERATION_INTEGER_DECREMENT = 4
    CU_ATOMIC_OPERATION_AND = 5
    CU_ATOMIC_OPERATION_OR = 6
    CU_ATOMIC_OPERATION_XOR = 7
    CU_ATOMIC_OPERATION_EXCHANGE = 8
    CU_ATOMIC_OPERATION_CAS = 9
    CU_ATOMIC_OPERATION_FLOAT_ADD = 10
    CU_ATOMIC_OPERATION_FLOAT_MIN = 11
    CU_ATOMIC_OPERATION_FLOAT_MAX = 12
    CU_ATOMIC_OPERATION_MAX = 13

CU_ATOMIC_OPERATION_INTEGER_ADD: Final = CUatomicOperation.CU_ATOMIC_OPERATION_INTEGER_ADD
CU_ATOMIC_OPERATION_INTEGER_MIN: Final = CUatomicOperation.CU_ATOMIC_OPERATION_INTEGER_MIN
CU_ATOMIC_OPERATION_INTEGER_MAX: Final = CUatomicOperation.CU_ATOMIC_OPERATION_INTEGER_MAX
CU_ATOMIC_OPERATION_INTEGER_INCREMENT: Final = CUatomicOperation.CU_ATOMIC_OPERATION_INTEGER_INCREMENT
CU_ATOMIC_OPERATION_INTEGER_DECREMENT: Final = CUatomicOperation.CU_ATOMIC_OPERATION_INTEGER_DECREMENT
CU_ATOMIC_OPERATION_AND: Final = CUatomicOperation.CU_ATOMIC_OPERATION_AND
CU_ATOMIC_OPERATION_OR: Final = CUatomicOperation.CU_ATOMIC_OPERATION_OR
CU_ATOMIC_OPERATION_XOR: Final = CUatomicOperation.CU_ATOMIC_OPERATION_XOR
CU_ATOMIC_OPERATION_EXCHANGE: Final = CUatomicOperation.CU_ATOMIC_OPERATION_EXCHANGE
CU_ATOMIC_OPERATION_CAS: Final = CUatomicOperation.CU_ATOMIC_OPERATION_CAS
CU_ATOMIC_OPERATION_FLOAT_ADD: Final = CUatomicOperation.CU_ATOMIC_OPERATION_FLOAT_ADD
CU_ATOMIC_OPERATION_FLOAT_MIN: Final = CUatomicOperation.CU_ATOMIC_OPERATION_FLOAT_MIN
CU_ATOMIC_OPERATION_FLOAT_MAX: Final = CUatomicOperation.CU_ATOMIC_OPERATION_FLOAT_MAX
CU_ATOMIC_OPERATION_MAX: Final = CUatomicOperation.CU_ATOMIC_OPERATION_MAX

class CUatomicOperationCapability(IntEnum):
    """CUDA-valid Atomic Operation capabilities

    cuda.h:3217
    """
    CU_ATOMIC_CAPABILITY_SIGNED = 1
    CU_ATOMIC_CAPABILITY_UNSIGNED = 2
    CU_ATOMIC_CAPABILITY_REDUCTION = 4
    CU_ATOMIC_CAPABILITY_SCALAR_32 = 8
    CU_ATOMIC_CAPABILITY_SCALAR_64 = 16
    CU_ATOMIC_CAPABILITY_SCALAR_128 = 32
    CU_ATOMIC_CAPABILITY_VECTOR_32x4 = 64

CU_ATOMIC_CAPABILITY_SIGNED: Final = CUatomicOperationCapability.CU_ATOMIC_CAPABILITY_SIGNED
CU_ATOMIC_CAPABILITY_UNSIGNED: Final = CUatomicOperationCapability.CU_ATOMIC_CAPABILITY_UNSIGNED
CU_ATOMIC_CAPABILITY_REDUCTION: Final = CUatomicOperationCapability.CU_ATOMIC_CAPABILITY_REDUCTION
CU_ATOMIC_CAPABILITY_SCALAR_32: Final = CUatomicOperationCapability.CU_ATOMIC_CAPABILITY_SCALAR_32
CU_ATOMIC_CAPABILITY_SCALAR_64: Final = CUatomicOperationCapability.CU_ATOMIC_CAPABILITY_SCALAR_64
CU_ATOMIC_CAPABILITY_SCALAR_128: Final = CUatomicOperationCapability.CU_ATOMIC_CAPABILITY_SCALAR_128
CU_ATOMIC_CAPABILITY_VECTOR_32x4: Final = CUatomicOperationCapability.CU_ATOMIC_CAPABILITY_VECTOR_32x4

class CUresourceViewFormat(IntEnum):
    """Resource view format

    cuda.h:3534
    """
    CU_RES_VIEW_FORMAT_NONE = 0
    """No resource view format (use underlying resource format)"""
    CU_RES_VIEW_FORMAT_UINT_1X8 = 1
    """1 channel unsigned 8-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_2X8 = 2
    """2 channel unsigned 8-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_4X8 = 3
    """4 channel unsigned 8-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_1X8 = 4
    """1 channel signed 8-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_2X8 = 5
    """2 channel signed 8-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_4X8 = 6
    """4 channel signed 8-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_1X16 = 7
    """1 channel unsigned 16-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_2X16 = 8
    """2 channel unsigned 16-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_4X16 = 9
    """4 channel unsigned 16-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_1X16 = 10
    """1 channel signed 16-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_2X16 = 11
    """2 channel signed 16-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_4X16 = 12
    """4 channel signed 16-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_1X32 = 13
    """1 channel unsigned 32-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_2X32 = 14
    """2 channel unsigned 32-bit integers"""
    CU_RES_VIEW_FORMAT_UINT_4X32 = 15
    """4 channel unsigned 32-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_1X32 = 16
    """1 channel signed 32-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_2X32 = 17
    """2 channel signed 32-bit integers"""
    CU_RES_VIEW_FORMAT_SINT_4X32 = 18
    """4 channel signed 32-bit integers"""
    CU_RES_VIEW_FORMAT_FLOAT_1X16 = 19
    """1 channel 16-bit floating point"""
    CU_RES_VIEW_FORMAT_FLOAT_2X16 = 20
    """2 channel 16-bit floating point"""
    CU_RES_VIEW_FORMAT_FLOAT_4X16 = 21
    """4 channel 16-bit floating point"""
    CU_RES_VIEW_FORMAT_FLOAT_1X32 = 22
    """1 channel 32-bit floating point"""
    CU_RES_VIEW_FORMAT_FLOAT_2X32 = 23
    """2 channel 32-bit floating point"""
    CU_RES_VIEW_FORMAT_FLOAT_4X32 = 24
    """4 channel 32-bit floating point"""
    CU_RES_VIEW_FORMAT_UNSIGNED_BC1 = 25
    """Block compressed 1"""
    CU_RES_VIEW_FORMAT_UNSIGNED_BC2 = 26
    """Block compressed 2"""
    CU_RES_VIEW_FORMAT_UNSIGNED_BC3 = 27
    """Block compressed 3"""
    CU_RES_VIEW_FORMAT_UNSIGNED_BC4 = 28
    """Block compressed 4 unsigned"""
    CU_RES_VIEW_FORMAT_SIGNED_BC4 = 29
    """Block compressed 4 signed"""
    CU_RES_VIEW_FORMAT_UNSIGNED_BC5 = 30
    """Block compressed 5 unsigned"""
    CU_RES_VIEW_FORMAT_SIGNED_BC5 = 31
    """Block compressed 5 signed"""
    CU_RES_VIEW_FORMAT_UNSIGNED_BC6H = 32
    """Block compressed 6 unsigned half-float"""
    CU_RES_VIEW_FORMAT_SIGNED_BC6H = 33
    """Block compressed 6 signed half-float"""
    CU_RES_VIEW_FORMAT_UNSIGNED_BC7 = 34
    """Block compressed 7"""

CU_RES_VIEW_FORMAT_NONE: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_NONE
CU_RES_VIEW_FORMAT_UINT_1X8: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_1X8
CU_RES_VIEW_FORMAT_UINT_2X8: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_2X8
CU_RES_VIEW_FORMAT_UINT_4X8: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_4X8
CU_RES_VIEW_FORMAT_SINT_1X8: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_1X8
CU_RES_VIEW_FORMAT_SINT_2X8: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_2X8
CU_RES_VIEW_FORMAT_SINT_4X8: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_4X8
CU_RES_VIEW_FORMAT_UINT_1X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_1X16
CU_RES_VIEW_FORMAT_UINT_2X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_2X16
CU_RES_VIEW_FORMAT_UINT_4X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_4X16
CU_RES_VIEW_FORMAT_SINT_1X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_1X16
CU_RES_VIEW_FORMAT_SINT_2X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_2X16
CU_RES_VIEW_FORMAT_SINT_4X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_4X16
CU_RES_VIEW_FORMAT_UINT_1X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_1X32
CU_RES_VIEW_FORMAT_UINT_2X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_2X32
CU_RES_VIEW_FORMAT_UINT_4X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UINT_4X32
CU_RES_VIEW_FORMAT_SINT_1X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_1X32
CU_RES_VIEW_FORMAT_SINT_2X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_2X32
CU_RES_VIEW_FORMAT_SINT_4X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SINT_4X32
CU_RES_VIEW_FORMAT_FLOAT_1X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_FLOAT_1X16
CU_RES_VIEW_FORMAT_FLOAT_2X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_FLOAT_2X16
CU_RES_VIEW_FORMAT_FLOAT_4X16: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_FLOAT_4X16
CU_RES_VIEW_FORMAT_FLOAT_1X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_FLOAT_1X32
CU_RES_VIEW_FORMAT_FLOAT_2X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_FLOAT_2X32
CU_RES_VIEW_FORMAT_FLOAT_4X32: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_FLOAT_4X32
CU_RES_VIEW_FORMAT_UNSIGNED_BC1: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UNSIGNED_BC1
CU_RES_VIEW_FORMAT_UNSIGNED_BC2: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UNSIGNED_BC2
CU_RES_VIEW_FORMAT_UNSIGNED_BC3: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UNSIGNED_BC3
CU_RES_VIEW_FORMAT_UNSIGNED_BC4: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UNSIGNED_BC4
CU_RES_VIEW_FORMAT_SIGNED_BC4: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SIGNED_BC4
CU_RES_VIEW_FORMAT_UNSIGNED_BC5: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UNSIGNED_BC5
CU_RES_VIEW_FORMAT_SIGNED_BC5: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SIGNED_BC5
CU_RES_VIEW_FORMAT_UNSIGNED_BC6H: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UNSIGNED_BC6H
CU_RES_VIEW_FORMAT_SIGNED_BC6H: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_SIGNED_BC6H
CU_RES_VIEW_FORMAT_UNSIGNED_BC7: Final = CUresourceViewFormat.CU_RES_VIEW_FORMAT_UNSIGNED_BC7

class CUtensorMapDataType(IntEnum):
    """Tensor map data type

    cuda.h:3610
    """
    CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0
    CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1
    CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2
    CU_TENSOR_MAP_DATA_TYPE_INT32 = 3
    CU_TENSOR_MAP_DATA_TYPE_UINT64 = 4
    CU_TENSOR_MAP_DATA_TYPE_INT64 = 5
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ = 10
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ = 12
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B = 13
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B = 14
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B = 15

CU_TENSOR_MAP_DATA_TYPE_UINT8: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_UINT8
CU_TENSOR_MAP_DATA_TYPE_UINT16: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_UINT16
CU_TENSOR_MAP_DATA_TYPE_UINT32: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_UINT32
CU_TENSOR_MAP_DATA_TYPE_INT32: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_INT32
CU_TENSOR_MAP_DATA_TYPE_UINT64: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_UINT64
CU_TENSOR_MAP_DATA_TYPE_INT64: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_INT64
CU_TENSOR_MAP_DATA_TYPE_FLOAT16: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT16
CU_TENSOR_MAP_DATA_TYPE_FLOAT32: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT32
CU_TENSOR_MAP_DATA_TYPE_FLOAT64: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT64
CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ
CU_TENSOR_MAP_DATA_TYPE_TFLOAT32: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B
CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B
CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B: Final = CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B

class CUtensorMapInterleave(IntEnum):
    """Tensor map interleave layout type

    cuda.h:3632
    """
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0
    CU_TENSOR_MAP_INTERLEAVE_16B = 1
    CU_TENSOR_MAP_INTERLEAVE_32B = 2

CU_TENSOR_MAP_INTERLEAVE_NONE: Final = CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE
CU_TENSOR_MAP_INTERLEAVE_16B: Final = CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_16B
CU_TENSOR_MAP_INTERLEAVE_32B: Final = CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_32B

class CUtensorMapSwizzle(IntEnum):
    """Tensor map swizzling mode of shared memory banks

    cuda.h:3641
    """
    CU_TENSOR_MAP_SWIZZLE_NONE = 0
    CU_TENSOR_MAP_SWIZZLE_32B = 1
    CU_TENSOR_MAP_SWIZZLE_64B = 2
    CU_TENSOR_MAP_SWIZZLE_128B = 3
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B = 4
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B = 6

CU_TENSOR_MAP_SWIZZLE_NONE: Final = CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_NONE
CU_TENSOR_MAP_SWIZZLE_32B: Final = CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_32B
CU_TENSOR_MAP_SWIZZLE_64B: Final = CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_64B
CU_TENSOR_MAP_SWIZZLE_128B: Final = CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B
CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B: Final = CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B
CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B: Final = CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B
CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B: Final = CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B

class CUtensorMapL2promotion(IntEnum):
    """Tensor map L2 promotion type

    cuda.h:3654
    """
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3

CU_TENSOR_MAP_L2_PROMOTION_NONE: Final = CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_NONE
CU_TENSOR_MAP_L2_PROMOTION_L2_64B: Final = CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_64B
CU_TENSOR_MAP_L2_PROMOTION_L2_128B: Final = CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B
CU_TENSOR_MAP_L2_PROMOTION_L2_256B: Final = CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_256B

class CUtensorMapFloatOOBfill(IntEnum):
    """Tensor map out-of-bounds fill type

    cuda.h:3664
    """
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1

CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE: Final = CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE
CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA: Final = CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA

class CUtensorMapIm2ColWideMode(IntEnum):
    """Tensor map Im2Col wide mode

    cuda.h:3672
    """
    CU_TENSOR_MAP_IM2COL_WIDE_MODE_W = 0
    CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 = 1

CU_TENSOR_MAP_IM2COL_WIDE_MODE_W: Final = CUtensorMapIm2ColWideMode.CU_TENSOR_MAP_IM2COL_WIDE_MODE_W
CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128: Final = CUtensorMapIm2ColWideMode.CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128

class CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS(IntEnum):
    """Access flags that specify the level of access the current context's device has on the memory referenced.

    cuda.h:3690
    """
    CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE = 0
    """No access, meaning the device cannot access this memory at all, thus must be staged through accessible memory in order to complete certain operations"""
    CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ = 1
    """Read-only access, meaning writes to this memory are considered invalid accesses and thus return error in that case."""
    CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE = 3
    """Read-write access, the device has full read-write access to the memory"""

CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE: Final = CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS.CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE
CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ: Final = CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS.CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ
CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE: Final = CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS.CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE

class CUexternalMemoryHandleType(IntEnum):
    """External memory handle types

    cuda.h:3716
    """
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1
    """Handle is an opaque file descriptor"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 = 2
    """Handle is an opaque shared NT handle"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3
    """Handle is an opaque, globally shared handle"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 4
    """Handle is a D3D12 heap object"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 5
    """Handle is a D3D12 committed resource"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE = 6
    """Handle is a shared NT handle to a D3D11 resource"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT = 7
    """Handle is a globally shared handle to a D3D11 resource"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF = 8
    """Handle is an NvSciBuf object"""
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD = 9
    """Handle is a dma_buf file descriptor"""

CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD
CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32
CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT
CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP
CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE
CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE
CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT
CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF
CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD: Final = CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD

class CUexternalSemaphoreHandleType(IntEnum):
    """External semaphore handle types

    cuda.h:3894
    """
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1
    """Handle is an opaque file descriptor"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 = 2
    """Handle is an opaque shared NT handle"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3
    """Handle is an opaque, globally shared handle"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE = 4
    """Handle is a shared NT handle referencing a D3D12 fence object"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE = 5
    """Handle is a shared NT handle referencing a D3D11 fence object"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC = 6
    """Opaque handle to NvSciSync Object"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX = 7
    """Handle is a shared NT handle referencing a D3D11 keyed mutex object"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT = 8
    """Handle is a globally shared handle referencing a D3D11 keyed mutex object"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9
    """Handle is an opaque file descriptor referencing a timeline semaphore"""
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 = 10
    """Handle is an opaque shared NT handle referencing a timeline semaphore"""

CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD
CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32: Final = CUexternalSemaphoreHandleType.CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32

class CUmemAllocationHandleType(IntEnum):
    """Flags for specifying particular handle types

    cuda.h:4135
    """
    CU_MEM_HANDLE_TYPE_NONE = 0
    """Does not allow any export mechanism. >"""
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1
    """Allows a file descriptor to be used for exporting. Permitted only on POSIX systems. (int)"""
    CU_MEM_HANDLE_TYPE_WIN32 = 2
    """Allows a Win32 NT handle to be used for exporting. (HANDLE)"""
    CU_MEM_HANDLE_TYPE_WIN32_KMT = 4
    """Allows a Win32 KMT handle to be used for exporting. (D3DKMT_HANDLE)"""
    CU_MEM_HANDLE_TYPE_FABRIC = 8
    """Allows a fabric handle to be used for exporting. (CUmemFabricHandle)"""
    CU_MEM_HANDLE_TYPE_MAX = 2147483647

CU_MEM_HANDLE_TYPE_NONE: Final = CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_NONE
CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR: Final = CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
CU_MEM_HANDLE_TYPE_WIN32: Final = CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_WIN32
CU_MEM_HANDLE_TYPE_WIN32_KMT: Final = CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_WIN32_KMT
CU_MEM_HANDLE_TYPE_FABRIC: Final = CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_FABRIC
CU_MEM_HANDLE_TYPE_MAX: Final = CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_MAX

class CUmemAccess_flags(IntEnum):
    """Specifies the memory protection flags for mapping.

    cuda.h:4147
    """
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0
    """Default, make the address range not accessible"""
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1
    """Make the address range read accessible"""
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
    """Make the address range read-write accessible"""
    CU_MEM_ACCESS_FLAGS_PROT_MAX = 2147483647

CU_MEM_ACCESS_FLAGS_PROT_NONE: Final = CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_NONE
CU_MEM_ACCESS_FLAGS_PROT_READ: Final = CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READ
CU_MEM_ACCESS_FLAGS_PROT_READWRITE: Final = CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
CU_MEM_ACCESS_FLAGS_PROT_MAX: Final = CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_MAX

class CUmemLocationType(IntEnum):
    """Specifies the type of location

    cuda.h:4157
    """
    CU_MEM_LOCATION_TYPE_INVALID = 0
    CU_MEM_LOCATION_TYPE_NONE = 0
    """Location is unspecified. This is used when creating a managed memory pool to indicate no preferred location for the pool"""
    CU_MEM_LOCATION_TYPE_DEVICE = 1
    """Location is a device location, thus id is a device ordinal"""
    CU_MEM_LOCATION_TYPE_HOST = 2
    """Location is host, id is ignored"""
    CU_MEM_LOCATION_TYPE_HOST_NUMA = 3
    """Location is a host NUMA node, thus id is a host NUMA node id"""
    CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4
    """Location is a host NUMA node of the current thread, id is ignored"""
    CU_MEM_LOCATION_TYPE_MAX = 2147483647

CU_MEM_LOCATION_TYPE_INVALID: Final = CUmemLocationType.CU_MEM_LOCATION_TYPE_INVALID
CU_MEM_LOCATION_TYPE_NONE: Final = CUmemLocationType.CU_MEM_LOCATION_TYPE_NONE
CU_MEM_LOCATION_TYPE_DEVICE: Final = CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
CU_MEM_LOCATION_TYPE_HOST: Final = CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST
CU_MEM_LOCATION_TYPE_HOST_NUMA: Final = CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST_NUMA
CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: Final = CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
CU_MEM_LOCATION_TYPE_MAX: Final = CUmemLocationType.CU_MEM_LOCATION_TYPE_MAX

class CUmemAllocationType(IntEnum):
    """Defines the allocation types available

    cuda.h:4170
    """
    CU_MEM_ALLOCATION_TYPE_INVALID = 0
    CU_MEM_ALLOCATION_TYPE_PINNED = 1
    """This allocation type is 'pinned', i.e. cannot migrate from its current location while the application is actively using it"""
    CU_MEM_ALLOCATION_TYPE_MANAGED = 2
    """This allocation type is managed memory"""
    CU_MEM_ALLOCATION_TYPE_MAX = 2147483647
    """This allocation type is managed memory"""

CU_MEM_ALLOCATION_TYPE_INVALID: Final = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_INVALID
CU_MEM_ALLOCATION_TYPE_PINNED: Final = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
CU_MEM_ALLOCATION_TYPE_MANAGED: Final = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_MANAGED
CU_MEM_ALLOCATION_TYPE_MAX: Final = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_MAX

class CUmemAllocationGranularity_flags(IntEnum):
    """Flag for requesting different optimal and required granularities for an allocation.

    cuda.h:4186
    """
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0
    """Minimum required granularity for allocation"""
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
    """Recommended granularity for allocation for best performance"""

CU_MEM_ALLOC_GRANULARITY_MINIMUM: Final = CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
CU_MEM_ALLOC_GRANULARITY_RECOMMENDED: Final = CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED

class CUmemRangeHandleType(IntEnum):
    """Specifies the handle type for address range

    cuda.h:4194
    """
    CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 1
    CU_MEM_RANGE_HANDLE_TYPE_MAX = 2147483647

CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD: Final = CUmemRangeHandleType.CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD
CU_MEM_RANGE_HANDLE_TYPE_MAX: Final = CUmemRangeHandleType.CU_MEM_RANGE_HANDLE_TYPE_MAX

class CUmemRangeFlags(IntEnum):
    """Flag for requesting handle type for address range.

    cuda.h:4203
    """
    CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE = 1
    """Indicates that DMA_BUF handle should be mapped via PCIe BAR1"""

CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE: Final = CUmemRangeFlags.CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE

class CUarraySparseSubresourceType(IntEnum):
    """Sparse subresource types

    cuda.h:4210
    """
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1

CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL: Final = CUarraySparseSubresourceType.CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL
CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL: Final = CUarraySparseSubresourceType.CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL

class CUmemOperationType(IntEnum):
    """Memory operation types

    cuda.h:4218
    """
    CU_MEM_OPERATION_TYPE_MAP = 1
    CU_MEM_OPERATION_TYPE_UNMAP = 2

CU_MEM_OPERATION_TYPE_MAP: Final = CUmemOperationType.CU_MEM_OPERATION_TYPE_MAP
CU_MEM_OPERATION_TYPE_UNMAP: Final = CUmemOperationType.CU_MEM_OPERATION_TYPE_UNMAP

class CUmemHandleType(IntEnum):
    """Memory handle types

    cuda.h:4226
    """
    CU_MEM_HANDLE_TYPE_GENERIC = 0

CU_MEM_HANDLE_TYPE_GENERIC: Final = CUmemHandleType.CU_MEM_HANDLE_TYPE_GENERIC

class CUmemAllocationCompType(IntEnum):
    """Specifies compression attribute for an allocation.

    cuda.h:4287
    """
    CU_MEM_ALLOCATION_COMP_NONE = 0
    """Allocating non-compressible memory"""
    CU_MEM_ALLOCATION_COMP_GENERIC = 1
    """Allocating compressible memory"""

CU_MEM_ALLOCATION_COMP_NONE: Final = CUmemAllocationCompType.CU_MEM_ALLOCATION_COMP_NONE
CU_MEM_ALLOCATION_COMP_GENERIC: Final = CUmemAllocationCompType.CU_MEM_ALLOCATION_COMP_GENERIC

class CUmulticastGranularity_flags(IntEnum):
    """Flags for querying different granularities for a multicast object

    cuda.h:4343
    """
    CU_MULTICAST_GRANULARITY_MINIMUM = 0
    """Minimum required granularity"""
    CU_MULTICAST_GRANULARITY_RECOMMENDED = 1
    """Recommended granularity for best performance"""

CU_MULTICAST_GRANULARITY_MINIMUM: Final = CUmulticastGranularity_flags.CU_MULTICAST_GRANULARITY_MINIMUM
CU_MULTICAST_GRANULARITY_RECOMMENDED: Final = CUmulticastGranularity_flags.CU_MULTICAST_GRANULARITY_RECOMMENDED

class CUgraphExecUpdateResult(IntEnum):
    """CUDA Graph Update error types

    cuda.h:4386
    """
    CU_GRAPH_EXEC_UPDATE_SUCCESS = 0
    """The update succeeded"""
    CU_GRAPH_EXEC_UPDATE_ERROR = 1
    """The update failed for an unexpected reason which is described in the return value of the function"""
    CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2
    """The update failed because the topology changed"""
    CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3
    """The update failed because a node type changed"""
    CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4
    """The update failed because the function of a kernel node changed (CUDA driver < 11.2)"""
    CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5
    """The update failed because the parameters changed in a way that is not supported"""
    CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6
    """The update failed because something about the node is not supported"""
    CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7
    """The update failed because the function of a kernel node changed in an unsupported way"""
    CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8
    """The update failed because the node attributes changed in a way that is not supported"""

CU_GRAPH_EXEC_UPDATE_SUCCESS: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_SUCCESS
CU_GRAPH_EXEC_UPDATE_ERROR: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR
CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED
CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED
CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED
CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED
CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE
CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED: Final = CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED

class CUmemPool_attribute(IntEnum):
    """CUDA memory pool attributes

    cuda.h:4424
    """
    CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1
    """(value type = int) Allow cuMemAllocAsync to use memory asynchronously freed in another streams as long as a stream ordering dependency of the allocating stream on the free action exists. Cuda events and null stream interactions can create the required stream ordered dependencies. (default enabled)"""
    CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2
    """(value type = int) Allow reuse of already completed frees when there is no dependency between the free and allocation. (default enabled)"""
    CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3
    """(value type = int) Allow cuMemAllocAsync to insert new stream dependencies in order to establish the stream ordering required to reuse a piece of memory released by cuMemFreeAsync (default enabled)."""
    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4
    """(value type = cuuint64_t) Amount of reserved memory in bytes to hold onto before trying to release memory back to the OS. When more than the release threshold bytes of memory are held by the memory pool, the allocator will try to release memory back to the OS on the next call to stream, event or context synchronize. (default 0)"""
    CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5
    """(value type = cuuint64_t) Amount of backing memory currently allocated for the mempool."""
    CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6
    """(value type = cuuint64_t) High watermark of backing memory allocated for the mempool since the last time it was reset. High watermark can only be reset to zero."""
    CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7
    """(value type = cuuint64_t) Amount of memory from the pool that is currently in use by the application."""
    CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8
    """(value type = cuuint64_t) High watermark of the amount of memory from the pool that was in use by the application since the last time it was reset. High watermark can only be reset to zero."""

CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES
CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT
CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH
CU_MEMPOOL_ATTR_USED_MEM_CURRENT: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_USED_MEM_CURRENT
CU_MEMPOOL_ATTR_USED_MEM_HIGH: Final = CUmemPool_attribute.CU_MEMPOOL_ATTR_USED_MEM_HIGH

class CUmemcpyFlags(IntEnum):
    """Flags to specify for copies within a batch. For more details see cuMemcpyBatchAsync.

    cuda.h:4524
    """
    CU_MEMCPY_FLAG_DEFAULT = 0
    CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE = 1
    """Hint to the driver to try and overlap the copy with compute work on the SMs."""

CU_MEMCPY_FLAG_DEFAULT: Final = CUmemcpyFlags.CU_MEMCPY_FLAG_DEFAULT
CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE: Final = CUmemcpyFlags.CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE

class CUmemcpySrcAccessOrder(IntEnum):
    """These flags allow applications to convey the source access ordering CUDA must maintain. The destination will always be accessed in stream order.

    cuda.h:4537
    """
    CU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0
    """Default invalid."""
    CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 1
    """Indicates that access to the source pointer must be in stream order."""
    CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 2
    """Indicates that access to the source pointer can be out of stream order and all accesses must be complete before the API call returns. This flag is suited for ephemeral sources (ex., stack variables) when it's known that no prior operations in the stream can be accessing the memory and also that the lifetime of the memory is limited to the scope that the source variable was declared in. Specifying this flag allows the driver to optimize the copy and removes the need for the user to synchronize the stream after the API call."""
    CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 3
    """Indicates that access to the source pointer can be out of stream order and the accesses can happen even after the API call returns. This flag is suited for host pointers allocated outside CUDA (ex., via malloc) when it's known that no prior operations in the stream can be accessing the memory. Specifying this flag allows the driver to optimize the copy on certain platforms."""
    CU_MEMCPY_SRC_ACCESS_ORDER_MAX = 2147483647
    """Indicates that access to the source pointer can be out of stream order and the accesses can happen even after the API call returns. This flag is suited for host pointers allocated outside CUDA (ex., via malloc) when it's known that no prior operations in the stream can be accessing the memory. Specifying this flag allows the driver to optimize the copy on certain platforms."""

CU_MEMCPY_SRC_ACCESS_ORDER_INVALID: Final = CUmemcpySrcAccessOrder.CU_MEMCPY_SRC_ACCESS_ORDER_INVALID
CU_MEMCPY_SRC_ACCESS_ORDER_STREAM: Final = CUmemcpySrcAccessOrder.CU_MEMCPY_SRC_ACCESS_ORDER_STREAM
CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL: Final = CUmemcpySrcAccessOrder.CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL
CU_MEMCPY_SRC_ACCESS_ORDER_ANY: Final = CUmemcpySrcAccessOrder.CU_MEMCPY_SRC_ACCESS_ORDER_ANY
CU_MEMCPY_SRC_ACCESS_ORDER_MAX: Final = CUmemcpySrcAccessOrder.CU_MEMCPY_SRC_ACCESS_ORDER_MAX

class CUmemcpy3DOperandType(IntEnum):
    """These flags allow applications to convey the operand type for individual copies specified in cuMemcpy3DBatchAsync.

    cuda.h:4585
    """
    CU_MEMCPY_OPERAND_TYPE_POINTER = 1
    """Memcpy operand is a valid pointer."""
    CU_MEMCPY_OPERAND_TYPE_ARRAY = 2
    """Memcpy operand is a CUarray."""
    CU_MEMCPY_OPERAND_TYPE_MAX = 2147483647

CU_MEMCPY_OPERAND_TYPE_POINTER: Final = CUmemcpy3DOperandType.CU_MEMCPY_OPERAND_TYPE_POINTER
CU_MEMCPY_OPERAND_TYPE_ARRAY: Final = CUmemcpy3DOperandType.CU_MEMCPY_OPERAND_TYPE_ARRAY
CU_MEMCPY_OPERAND_TYPE_MAX: Final = CUmemcpy3DOperandType.CU_MEMCPY_OPERAND_TYPE_MAX

class CUgraphMem_attribute(IntEnum):
    """cuda.h:4685"""
    CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0
    """(value type = cuuint64_t) Amount of memory, in bytes, currently associated with graphs"""
    CU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1
    """(value type = cuuint64_t) High watermark of memory, in bytes, associated with graphs since the last time it was reset. High watermark can only be reset to zero."""
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2
    """(value type = cuuint64_t) Amount of memory, in bytes, currently allocated for use by the CUDA graphs asynchronous allocator."""
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3
    """(value type = cuuint64_t) High watermark of memory, in bytes, currently allocated for use by the CUDA graphs asynchronous allocator."""

CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT: Final = CUgraphMem_attribute.CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT
CU_GRAPH_MEM_ATTR_USED_MEM_HIGH: Final = CUgraphMem_attribute.CU_GRAPH_MEM_ATTR_USED_MEM_HIGH
CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT: Final = CUgraphMem_attribute.CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT
CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH: Final = CUgraphMem_attribute.CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH

class CUgraphChildGraphNodeOwnership(IntEnum):
    """Child graph node ownership

    cuda.h:4717
    """
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE = 0
    """Default behavior for a child graph node. Child graph is cloned into the parent and memory allocation/free nodes can't be present in the child graph."""
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE = 1
    """The child graph is moved to the parent. The handle to the child graph is owned by the parent and will be destroyed when the parent is destroyed.

    The following restrictions apply to child graphs after they have been moved: Cannot be independently instantiated or destroyed; Cannot be added as a child graph of a separate parent graph; Cannot be used as an argument to cuGraphExecUpdate; Cannot have additional memory allocation or free nodes added.
    """

CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE: Final = CUgraphChildGraphNodeOwnership.CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE
CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE: Final = CUgraphChildGraphNodeOwnership.CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE

class CUflushGPUDirectRDMAWritesOptions(IntEnum):
    """Bitmasks for CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS

    cuda.h:4965
    """
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST = 1
    """cuFlushGPUDirectRDMAWrites() and its CUDA Runtime API counterpart are supported on the device."""
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS = 2
    """The CU_STREAM_WAIT_VALUE_FLUSH flag and the CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES MemOp are supported on the device."""

CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST: Final = CUflushGPUDirectRDMAWritesOptions.CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST
CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS: Final = CUflushGPUDirectRDMAWritesOptions.CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS

class CUGPUDirectRDMAWritesOrdering(IntEnum):
    """Platform native ordering for GPUDirect RDMA writes

    cuda.h:4973
    """
    CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE = 0
    """The device does not natively support ordering of remote writes. cuFlushGPUDirectRDMAWrites() can be leveraged if supported."""
    CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER = 100
    """Natively, the device can consistently consume remote writes, although other CUDA devices may not."""
    CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES = 200
    """Any CUDA device in the system can consistently consume remote writes to this device."""

CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE: Final = CUGPUDirectRDMAWritesOrdering.CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE
CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER: Final = CUGPUDirectRDMAWritesOrdering.CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER
CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES: Final = CUGPUDirectRDMAWritesOrdering.CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES

class CUflushGPUDirectRDMAWritesScope(IntEnum):
    """The scopes for cuFlushGPUDirectRDMAWrites

    cuda.h:4982
    """
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER = 100
    """Blocks until remote writes are visible to the CUDA device context owning the data."""
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES = 200
    """Blocks until remote writes are visible to all CUDA device contexts."""

CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER: Final = CUflushGPUDirectRDMAWritesScope.CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER
CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES: Final = CUflushGPUDirectRDMAWritesScope.CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES

class CUflushGPUDirectRDMAWritesTarget(IntEnum):
    """The targets for cuFlushGPUDirectRDMAWrites

    cuda.h:4990
    """
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX = 0
    """Sets the target for cuFlushGPUDirectRDMAWrites() to the currently active CUDA device context."""

CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX: Final = CUflushGPUDirectRDMAWritesTarget.CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX

class CUgraphDebugDot_flags(IntEnum):
    """The additional write options for cuGraphDebugDotPrint

    cuda.h:4997
    """
    CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE = 1
    """Output all debug data as if every debug flag is enabled"""
    CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES = 2
    """Use CUDA Runtime structures for output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS = 4
    """Adds CUDA_KERNEL_NODE_PARAMS values to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS = 8
    """Adds CUDA_MEMCPY3D values to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS = 16
    """Adds CUDA_MEMSET_NODE_PARAMS values to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS = 32
    """Adds CUDA_HOST_NODE_PARAMS values to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS = 64
    """Adds CUevent handle from record and wait nodes to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS = 128
    """Adds CUDA_EXT_SEM_SIGNAL_NODE_PARAMS values to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS = 256
    """Adds CUDA_EXT_SEM_WAIT_NODE_PARAMS values to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES = 512
    """Adds CUkernelNodeAttrValue values to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES = 1024
    """Adds node handles and every kernel function handle to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS = 2048
    """Adds memory alloc node parameters to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS = 4096
    """Adds memory free node parameters to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS = 8192
    """Adds batch mem op node parameters to output"""
    CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO = 16384
    """Adds edge numbering information"""
    CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS = 32768
    """Adds conditional node parameters to output"""

CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE
CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES
CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES
CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES
CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS
CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO
CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS: Final = CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS

class CUuserObject_flags(IntEnum):
    """Flags for user objects for graphs

    cuda.h:5019
    """
    CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1
    """Indicates the destructor execution is not synchronized by any CUDA handle."""

CU_USER_OBJECT_NO_DESTRUCTOR_SYNC: Final = CUuserObject_flags.CU_USER_OBJECT_NO_DESTRUCTOR_SYNC

class CUuserObjectRetain_flags(IntEnum):
    """Flags for retaining user object references for graphs

    cuda.h:5026
    """
    CU_GRAPH_USER_OBJECT_MOVE = 1
    """Transfer references from the caller rather than creating new references."""

CU_GRAPH_USER_OBJECT_MOVE: Final = CUuserObjectRetain_flags.CU_GRAPH_USER_OBJECT_MOVE

class CUgraphInstantiate_flags(IntEnum):
    """Flags for instantiating a graph

    cuda.h:5033
    """
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1
    """Automatically free memory allocated in a graph before relaunching."""
    CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2
    """Automatically upload the graph after instantiation. Only supported by cuGraphInstantiateWithParams. The upload will be performed using the stream provided in instantiateParams."""
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4
    """Instantiate the graph to be launchable from the device. This flag can only be used on platforms which support unified addressing. This flag cannot be used in conjunction with CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH."""
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8
    """Run the graph using the per-node priority attributes rather than the priority of the stream it is launched into."""

CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH: Final = CUgraphInstantiate_flags.CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH
CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD: Final = CUgraphInstantiate_flags.CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD
CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH: Final = CUgraphInstantiate_flags.CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH
CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY: Final = CUgraphInstantiate_flags.CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY

class CUdeviceNumaConfig(IntEnum):
    """CUDA device NUMA configuration

    cuda.h:5048
    """
    CU_DEVICE_NUMA_CONFIG_NONE = 0
    """The GPU is not a NUMA node"""
    CU_DEVICE_NUMA_CONFIG_NUMA_NODE = 1
    """The GPU is a NUMA node, CU_DEVICE_ATTRIBUTE_NUMA_ID contains its NUMA ID"""

CU_DEVICE_NUMA_CONFIG_NONE: Final = CUdeviceNumaConfig.CU_DEVICE_NUMA_CONFIG_NONE
CU_DEVICE_NUMA_CONFIG_NUMA_NODE: Final = CUdeviceNumaConfig.CU_DEVICE_NUMA_CONFIG_NUMA_NODE

class CUprocessState(IntEnum):
    """CUDA Process States

    cuda.h:5056
    """
    CU_PROCESS_STATE_RUNNING = 0
    """Default process state"""
    CU_PROCESS_STATE_LOCKED = 1
    """CUDA API locks are taken so further CUDA API calls will block"""
    CU_PROCESS_STATE_CHECKPOINTED = 2
    """Application memory contents have been checkpointed and underlying allocations and device handles have been released"""
    CU_PROCESS_STATE_FAILED = 3
    """Application entered an uncorrectable error during the checkpoint/restore process"""

CU_PROCESS_STATE_RUNNING: Final = CUprocessState.CU_PROCESS_STATE_RUNNING
CU_PROCESS_STATE_LOCKED: Final = CUprocessState.CU_PROCESS_STATE_LOCKED
CU_PROCESS_STATE_CHECKPOINTED: Final = CUprocessState.CU_PROCESS_STATE_CHECKPOINTED
CU_PROCESS_STATE_FAILED: Final = CUprocessState.CU_PROCESS_STATE_FAILED

class CUmoduleLoadingMode(IntEnum):
    """CUDA Lazy Loading status

    cuda.h:7481
    """
    CU_MODULE_EAGER_LOADING = 1
    """Lazy Kernel Loading is not enabled"""
    CU_MODULE_LAZY_LOADING = 2
    """Lazy Kernel Loading is enabled"""

CU_MODULE_EAGER_LOADING: Final = CUmoduleLoadingMode.CU_MODULE_EAGER_LOADING
CU_MODULE_LAZY_LOADING: Final = CUmoduleLoadingMode.CU_MODULE_LAZY_LOADING

class CUmemDecompressAlgorithm(IntEnum):
    """Bitmasks for CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK.

    cuda.h:12602
    """
    CU_MEM_DECOMPRESS_UNSUPPORTED = 0
    """Decompression is unsupported."""
    CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE = 1
    """Deflate is supported."""
    CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY = 2
    """Snappy is supported."""
    CU_MEM_DECOMPRESS_ALGORITHM_LZ4 = 4
    """LZ4 is supported."""

CU_MEM_DECOMPRESS_UNSUPPORTED: Final = CUmemDecompressAlgorithm.CU_MEM_DECOMPRESS_UNSUPPORTED
CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE: Final = CUmemDecompressAlgorithm.CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE
CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY: Final = CUmemDecompressAlgorithm.CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY
CU_MEM_DECOMPRESS_ALGORITHM_LZ4: Final = CUmemDecompressAlgorithm.CU_MEM_DECOMPRESS_ALGORITHM_LZ4

class CUfunctionLoadingState(IntEnum):
    """cuda.h:17376"""
    CU_FUNCTION_LOADING_STATE_UNLOADED = 0
    CU_FUNCTION_LOADING_STATE_LOADED = 1
    CU_FUNCTION_LOADING_STATE_MAX = 2

CU_FUNCTION_LOADING_STATE_UNLOADED: Final = CUfunctionLoadingState.CU_FUNCTION_LOADING_STATE_UNLOADED
CU_FUNCTION_LOADING_STATE_LOADED: Final = CUfunctionLoadingState.CU_FUNCTION_LOADING_STATE_LOADED
CU_FUNCTION_LOADING_STATE_MAX: Final = CUfunctionLoadingState.CU_FUNCTION_LOADING_STATE_MAX

class CUcoredumpSettings(IntEnum):
    """Flags for choosing a coredump attribute to get/set

    cuda.h:24366
    """
    CU_COREDUMP_ENABLE_ON_EXCEPTION = 1
    CU_COREDUMP_TRIGGER_HOST = 2
    CU_COREDUMP_LIGHTWEIGHT = 3
    CU_COREDUMP_ENABLE_USER_TRIGGER = 4
    CU_COREDUMP_FILE = 5
    CU_COREDUMP_PIPE = 6
    CU_COREDUMP_GENERATION_FLAGS = 7
    CU_COREDUMP_MAX = 8

CU_COREDUMP_ENABLE_ON_EXCEPTION: Final = CUcoredumpSettings.CU_COREDUMP_ENABLE_ON_EXCEPTION
CU_COREDUMP_TRIGGER_HOST: Final = CUcoredumpSettings.CU_COREDUMP_TRIGGER_HOST
CU_COREDUMP_LIGHTWEIGHT: Final = CUcoredumpSettings.CU_COREDUMP_LIGHTWEIGHT
CU_COREDUMP_ENABLE_USER_TRIGGER: Final = CUcoredumpSettings.CU_COREDUMP_ENABLE_USER_TRIGGER
CU_COREDUMP_FILE: Final = CUcoredumpSettings.CU_COREDUMP_FILE
CU_COREDUMP_PIPE: Final = CUcoredumpSettings.CU_COREDUMP_PIPE
CU_COREDUMP_GENERATION_FLAGS: Final = CUcoredumpSettings.CU_COREDUMP_GENERATION_FLAGS
CU_COREDUMP_MAX: Final = CUcoredumpSettings.CU_COREDUMP_MAX

class CUCoredumpGenerationFlags(IntEnum):
    """Flags for controlling coredump contents

    cuda.h:24380
    """
    CU_COREDUMP_DEFAULT_FLAGS = 0
    CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES = 1
    CU_COREDUMP_SKIP_GLOBAL_MEMORY = 2
    CU_COREDUMP_SKIP_SHARED_MEMORY = 4
    CU_COREDUMP_SKIP_LOCAL_MEMORY = 8
    CU_COREDUMP_SKIP_ABORT = 16
    CU_COREDUMP_SKIP_CONSTBANK_MEMORY = 32
    CU_COREDUMP_LIGHTWEIGHT_FLAGS = 47

CU_COREDUMP_DEFAULT_FLAGS: Final = CUCoredumpGenerationFlags.CU_COREDUMP_DEFAULT_FLAGS
CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES: Final = CUCoredumpGenerationFlags.CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES
CU_COREDUMP_SKIP_GLOBAL_MEMORY: Final = CUCoredumpGenerationFlags.CU_COREDUMP_SKIP_GLOBAL_MEMORY
CU_COREDUMP_SKIP_SHARED_MEMORY: Final = CUCoredumpGenerationFlags.CU_COREDUMP_SKIP_SHARED_MEMORY
CU_COREDUMP_SKIP_LOCAL_MEMORY: Final = CUCoredumpGenerationFlags.CU_COREDUMP_SKIP_LOCAL_MEMORY
CU_COREDUMP_SKIP_ABORT: Final = CUCoredumpGenerationFlags.CU_COREDUMP_SKIP_ABORT
CU_COREDUMP_SKIP_CONSTBANK_MEMORY: Final = CUCoredumpGenerationFlags.CU_COREDUMP_SKIP_CONSTBANK_MEMORY
CU_COREDUMP_LIGHTWEIGHT_FLAGS: Final = CUCoredumpGenerationFlags.CU_COREDUMP_LIGHTWEIGHT_FLAGS

class CUgreenCtxCreate_flags(IntEnum):
    """cuda.h:24739"""
    CU_GREEN_CTX_DEFAULT_STREAM = 1
    """Required. Creates a default stream to use inside the green context"""

CU_GREEN_CTX_DEFAULT_STREAM: Final = CUgreenCtxCreate_flags.CU_GREEN_CTX_DEFAULT_STREAM

class CUdevSmResourceSplit_flags(IntEnum):
    """cuda.h:24743"""
    CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 1
    CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE = 2

CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING: Final = CUdevSmResourceSplit_flags.CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING
CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE: Final = CUdevSmResourceSplit_flags.CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE

class CUdevResourceType(IntEnum):
    """enum CUdevResourceType Type of resource

    cuda.h:24758
    """
    CU_DEV_RESOURCE_TYPE_INVALID = 0
    CU_DEV_RESOURCE_TYPE_SM = 1
    """Streaming multiprocessors related information"""

CU_DEV_RESOURCE_TYPE_INVALID: Final = CUdevResourceType.CU_DEV_RESOURCE_TYPE_INVALID
CU_DEV_RESOURCE_TYPE_SM: Final = CUdevResourceType.CU_DEV_RESOURCE_TYPE_SM

class CUlogLevel(IntEnum):
    """CUDA_LOGS Error Log Management Functions

    ___MANBRIEF___ error log management functions for the low-level CUDA API (___CURRENT_FILE___) ___ENDMANBRIEF___

    This section describes the error log management functions of the low-level CUDA driver application programming interface.

    @{

    cuda.h:25297
    """
    CU_LOG_LEVEL_ERROR = 0
    CU_LOG_LEVEL_WARNING = 1

CU_LOG_LEVEL_ERROR: Final = CUlogLevel.CU_LOG_LEVEL_ERROR
CU_LOG_LEVEL_WARNING: Final = CUlogLevel.CU_LOG_LEVEL_WARNING

class CUeglFrameType(IntEnum):
    """CUDA EglFrame type - array or pointer

    cudaEGL.h:79
    """
    CU_EGL_FRAME_TYPE_ARRAY = 0
    """Frame type CUDA array"""
    CU_EGL_FRAME_TYPE_PITCH = 1
    """Frame type pointer"""

CU_EGL_FRAME_TYPE_ARRAY: Final = CUeglFrameType.CU_EGL_FRAME_TYPE_ARRAY
CU_EGL_FRAME_TYPE_PITCH: Final = CUeglFrameType.CU_EGL_FRAME_TYPE_PITCH

class CUeglResourceLocationFlags(IntEnum):
    """Resource location flags- sysmem or vidmem

    For CUDA context on iGPU, since video and system memory are equivalent - these flags will not have an effect on the execution.

    For CUDA context on dGPU, applications can use the flag CUeglResourceLocationFlags to give a hint about the desired location.

    CU_EGL_RESOURCE_LOCATION_SYSMEM - the frame data is made resident on the system memory to be accessed by CUDA.

    CU_EGL_RESOURCE_LOCATION_VIDMEM - the frame data is made resident on the dedicated video memory to be accessed by CUDA.

    There may be an additional latency due to new allocation and data migration, if the frame is produced on a different memory.

    cudaEGL.h:108
    """
    CU_EGL_RESOURCE_LOCATION_SYSMEM = 0
    """Resource location sysmem"""
    CU_EGL_RESOURCE_LOCATION_VIDMEM = 1
    """Resource location vidmem"""

CU_EGL_RESOURCE_LOCATION_SYSMEM: Final = CUeglResourceLocationFlags.CU_EGL_RESOURCE_LOCATION_SYSMEM
CU_EGL_RESOURCE_LOCATION_VIDMEM: Final = CUeglResourceLocationFlags.CU_EGL_RESOURCE_LOCATION_VIDMEM

class CUeglColorFormat(IntEnum):
    """CUDA EGL Color Format - The different planar and multiplanar formats currently supported for CUDA_EGL interops. Three channel formats are currently not supported for CU_EGL_FRAME_TYPE_ARRAY

    cudaEGL.h:117
    """
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR = 0
    """Y, U, V in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR = 1
    """Y, UV in two surfaces (UV as one surface) with VU byte ordering, width, height ratio same as YUV420Planar."""
    CU_EGL_COLOR_FORMAT_YUV422_PLANAR = 2
    """Y, U, V each in a separate surface, U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR = 3
    """Y, UV in two surfaces with VU byte ordering, width, height ratio same as YUV422Planar."""
    CU_EGL_COLOR_FORMAT_RGB = 4
    """R/G/B three channels in one surface with BGR byte ordering. Only pitch linear format supported."""
    CU_EGL_COLOR_FORMAT_BGR = 5
    """R/G/B three channels in one surface with RGB byte ordering. Only pitch linear format supported."""
    CU_EGL_COLOR_FORMAT_ARGB = 6
    """R/G/B/A four channels in one surface with BGRA byte ordering."""
    CU_EGL_COLOR_FORMAT_RGBA = 7
    """R/G/B/A four channels in one surface with ABGR byte ordering."""
    CU_EGL_COLOR_FORMAT_L = 8
    """single luminance channel in one surface."""
    CU_EGL_COLOR_FORMAT_R = 9
    """single color channel in one surface."""
    CU_EGL_COLOR_FORMAT_YUV444_PLANAR = 10
    """Y, U, V in three surfaces, each in a separate surface, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR = 11
    """Y, UV in two surfaces (UV as one surface) with VU byte ordering, width, height ratio same as YUV444Planar."""
    CU_EGL_COLOR_FORMAT_YUYV_422 = 12
    """Y, U, V in one surface, interleaved as UYVY in one channel."""
    CU_EGL_COLOR_FORMAT_UYVY_422 = 13
    """Y, U, V in one surface, interleaved as YUYV in one channel."""
    CU_EGL_COLOR_FORMAT_ABGR = 14
    """R/G/B/A four channels in one surface with RGBA byte ordering."""
    CU_EGL_COLOR_FORMAT_BGRA = 15
    """R/G/B/A four channels in one surface with ARGB byte ordering."""
    CU_EGL_COLOR_FORMAT_A = 16
    """Alpha color format - one channel in one surface."""
    CU_EGL_COLOR_FORMAT_RG = 17
    """R/G color format - two channels in one surface with GR byte ordering"""
    CU_EGL_COLOR_FORMAT_AYUV = 18
    """Y, U, V, A four channels in one surface, interleaved as VUYA."""
    CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR = 19
    """Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR = 20
    """Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR = 21
    """Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR = 22
    """Y10, V10U10 in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR = 23
    """Y10, V10U10 in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR = 24
    """Y12, V12U12 in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR = 25
    """Y12, V12U12 in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_VYUY_ER = 26
    """Extended Range Y, U, V in one surface, interleaved as YVYU in one channel."""
    CU_EGL_COLOR_FORMAT_UYVY_ER = 27
    """Extended Range Y, U, V in one surface, interleaved as YUYV in one channel."""
    CU_EGL_COLOR_FORMAT_YUYV_ER = 28
    """Extended Range Y, U, V in one surface, interleaved as UYVY in one channel."""
    CU_EGL_COLOR_FORMAT_YVYU_ER = 29
    """Extended Range Y, U, V in one surface, interleaved as VYUY in one channel."""
    CU_EGL_COLOR_FORMAT_YUV_ER = 30
    """Extended Range Y, U, V three channels in one surface, interleaved as VUY. Only pitch linear format supported."""
    CU_EGL_COLOR_FORMAT_YUVA_ER = 31
    """Extended Range Y, U, V, A four channels in one surface, interleaved as AVUY."""
    CU_EGL_COLOR_FORMAT_AYUV_ER = 32
    """Extended Range Y, U, V, A four channels in one surface, interleaved as VUYA."""
    CU_EGL_COLOR_FORMAT_YUV444_PLANAR_ER = 33
    """Extended Range Y, U, V in three surfaces, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YUV422_PLANAR_ER = 34
    """Extended Range Y, U, V in three surfaces, U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR_ER = 35
    """Extended Range Y, U, V in three surfaces, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR_ER = 36
    """Extended Range Y, UV in two surfaces (UV as one surface) with VU byte ordering, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR_ER = 37
    """Extended Range Y, UV in two surfaces (UV as one surface) with VU byte ordering, U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_ER = 38
    """Extended Range Y, UV in two surfaces (UV as one surface) with VU byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YVU444_PLANAR_ER = 39
    """Extended Range Y, V, U in three surfaces, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU422_PLANAR_ER = 40
    """Extended Range Y, V, U in three surfaces, U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR_ER = 41
    """Extended Range Y, V, U in three surfaces, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR_ER = 42
    """Extended Range Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR_ER = 43
    """Extended Range Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_ER = 44
    """Extended Range Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_BAYER_RGGB = 45
    """Bayer format - one channel in one surface with interleaved RGGB ordering."""
    CU_EGL_COLOR_FORMAT_BAYER_BGGR = 46
    """Bayer format - one channel in one surface with interleaved BGGR ordering."""
    CU_EGL_COLOR_FORMAT_BAYER_GRBG = 47
    """Bayer format - one channel in one surface with interleaved GRBG ordering."""
    CU_EGL_COLOR_FORMAT_BAYER_GBRG = 48
    """Bayer format - one channel in one surface with interleaved GBRG ordering."""
    CU_EGL_COLOR_FORMAT_BAYER10_RGGB = 49
    """Bayer10 format - one channel in one surface with interleaved RGGB ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER10_BGGR = 50
    """Bayer10 format - one channel in one surface with interleaved BGGR ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER10_GRBG = 51
    """Bayer10 format - one channel in one surface with interleaved GRBG ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER10_GBRG = 52
    """Bayer10 format - one channel in one surface with interleaved GBRG ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_RGGB = 53
    """Bayer12 format - one channel in one surface with interleaved RGGB ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_BGGR = 54
    """Bayer12 format - one channel in one surface with interleaved BGGR ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_GRBG = 55
    """Bayer12 format - one channel in one surface with interleaved GRBG ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_GBRG = 56
    """Bayer12 format - one channel in one surface with interleaved GBRG ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER14_RGGB = 57
    """Bayer14 format - one channel in one surface with interleaved RGGB ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER14_BGGR = 58
    """Bayer14 format - one channel in one surface with interleaved BGGR ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER14_GRBG = 59
    """Bayer14 format - one channel in one surface with interleaved GRBG ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER14_GBRG = 60
    """Bayer14 format - one channel in one surface with interleaved GBRG ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER20_RGGB = 61
    """Bayer20 format - one channel in one surface with interleaved RGGB ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER20_BGGR = 62
    """Bayer20 format - one channel in one surface with interleaved BGGR ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER20_GRBG = 63
    """Bayer20 format - one channel in one surface with interleaved GRBG ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER20_GBRG = 64
    """Bayer20 format - one channel in one surface with interleaved GBRG ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    CU_EGL_COLOR_FORMAT_YVU444_PLANAR = 65
    """Y, V, U in three surfaces, each in a separate surface, U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU422_PLANAR = 66
    """Y, V, U in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR = 67
    """Y, V, U in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_BAYER_ISP_RGGB = 68
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved RGGB ordering and mapped to opaque integer datatype."""
    CU_EGL_COLOR_FORMAT_BAYER_ISP_BGGR = 69
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved BGGR ordering and mapped to opaque integer datatype."""
    CU_EGL_COLOR_FORMAT_BAYER_ISP_GRBG = 70
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved GRBG ordering and mapped to opaque integer datatype."""
    CU_EGL_COLOR_FORMAT_BAYER_ISP_GBRG = 71
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved GBRG ordering and mapped to opaque integer datatype."""
    CU_EGL_COLOR_FORMAT_BAYER_BCCR = 72
    """Bayer format - one channel in one surface with interleaved BCCR ordering."""
    CU_EGL_COLOR_FORMAT_BAYER_RCCB = 73
    """Bayer format - one channel in one surface with interleaved RCCB ordering."""
    CU_EGL_COLOR_FORMAT_BAYER_CRBC = 74
    """Bayer format - one channel in one surface with interleaved CRBC ordering."""
    CU_EGL_COLOR_FORMAT_BAYER_CBRC = 75
    """Bayer format - one channel in one surface with interleaved CBRC ordering."""
    CU_EGL_COLOR_FORMAT_BAYER10_CCCC = 76
    """Bayer10 format - one channel in one surface with interleaved CCCC ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_BCCR = 77
    """Bayer12 format - one channel in one surface with interleaved BCCR ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_RCCB = 78
    """Bayer12 format - one channel in one surface with interleaved RCCB ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_CRBC = 79
    """Bayer12 format - one channel in one surface with interleaved CRBC ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_CBRC = 80
    """Bayer12 format - one channel in one surface with interleaved CBRC ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_BAYER12_CCCC = 81
    """Bayer12 format - one channel in one surface with interleaved CCCC ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    CU_EGL_COLOR_FORMAT_Y = 82
    """Color format for single Y plane."""
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_2020 = 83
    """Y, UV in two surfaces (UV as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_2020 = 84
    """Y, VU in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR_2020 = 85
    """Y, U, V each in a separate surface, U/V width = 1/2 Y width, U/V height= 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR_2020 = 86
    """Y, V, U each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_709 = 87
    """Y, UV in two surfaces (UV as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_709 = 88
    """Y, VU in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR_709 = 89
    """Y, U, V each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR_709 = 90
    """Y, V, U each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709 = 91
    """Y10, V10U10 in two surfaces (VU as one surface), U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_2020 = 92
    """Y10, V10U10 in two surfaces (VU as one surface), U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_2020 = 93
    """Y10, V10U10 in two surfaces(VU as one surface) U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR = 94
    """Y10, V10U10 in two surfaces(VU as one surface) U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_709 = 95
    """Y10, V10U10 in two surfaces(VU as one surface) U/V width = 1/2 Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y_ER = 96
    """Extended Range Color format for single Y plane."""
    CU_EGL_COLOR_FORMAT_Y_709_ER = 97
    """Extended Range Color format for single Y plane."""
    CU_EGL_COLOR_FORMAT_Y10_ER = 98
    """Extended Range Color format for single Y10 plane."""
    CU_EGL_COLOR_FORMAT_Y10_709_ER = 99
    """Extended Range Color format for single Y10 plane."""
    CU_EGL_COLOR_FORMAT_Y12_ER = 100
    """Extended Range Color format for single Y12 plane."""
    CU_EGL_COLOR_FORMAT_Y12_709_ER = 101
    """Extended Range Color format for single Y12 plane."""
    CU_EGL_COLOR_FORMAT_YUVA = 102
    """Y, U, V, A four channels in one surface, interleaved as AVUY."""
    CU_EGL_COLOR_FORMAT_YUV = 103
    """Y, U, V three channels in one surface, interleaved as VUY. Only pitch linear format supported."""
    CU_EGL_COLOR_FORMAT_YVYU = 104
    """Y, U, V in one surface, interleaved as YVYU in one channel."""
    CU_EGL_COLOR_FORMAT_VYUY = 105
    """Y, U, V in one surface, interleaved as VYUY in one channel."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_ER = 106
    """Extended Range Y10, V10U10 in two surfaces(VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709_ER = 107
    """Extended Range Y10, V10U10 in two surfaces(VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_ER = 108
    """Extended Range Y10, V10U10 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_709_ER = 109
    """Extended Range Y10, V10U10 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_ER = 110
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_709_ER = 111
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_ER = 112
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_709_ER = 113
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    CU_EGL_COLOR_FORMAT_UYVY_709 = 114
    """Y, U, V in one surface, interleaved as UYVY in one channel."""
    CU_EGL_COLOR_FORMAT_UYVY_709_ER = 115
    """Extended Range Y, U, V in one surface, interleaved as UYVY in one channel."""
    CU_EGL_COLOR_FORMAT_UYVY_2020 = 116
    """Y, U, V in one surface, interleaved as UYVY in one channel."""
    CU_EGL_COLOR_FORMAT_MAX = 117

CU_EGL_COLOR_FORMAT_YUV420_PLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_PLANAR
CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR
CU_EGL_COLOR_FORMAT_YUV422_PLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV422_PLANAR
CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR
CU_EGL_COLOR_FORMAT_RGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_RGB
CU_EGL_COLOR_FORMAT_BGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BGR
CU_EGL_COLOR_FORMAT_ARGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_ARGB
CU_EGL_COLOR_FORMAT_RGBA: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_RGBA
CU_EGL_COLOR_FORMAT_L: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_L
CU_EGL_COLOR_FORMAT_R: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_R
CU_EGL_COLOR_FORMAT_YUV444_PLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV444_PLANAR
CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR
CU_EGL_COLOR_FORMAT_YUYV_422: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUYV_422
CU_EGL_COLOR_FORMAT_UYVY_422: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_UYVY_422
CU_EGL_COLOR_FORMAT_ABGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_ABGR
CU_EGL_COLOR_FORMAT_BGRA: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BGRA
CU_EGL_COLOR_FORMAT_A: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_A
CU_EGL_COLOR_FORMAT_RG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_RG
CU_EGL_COLOR_FORMAT_AYUV: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_AYUV
CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR
CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR
CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR
CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR
CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR
CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR
CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR
CU_EGL_COLOR_FORMAT_VYUY_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_VYUY_ER
CU_EGL_COLOR_FORMAT_UYVY_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_UYVY_ER
CU_EGL_COLOR_FORMAT_YUYV_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUYV_ER
CU_EGL_COLOR_FORMAT_YVYU_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVYU_ER
CU_EGL_COLOR_FORMAT_YUV_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV_ER
CU_EGL_COLOR_FORMAT_YUVA_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUVA_ER
CU_EGL_COLOR_FORMAT_AYUV_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_AYUV_ER
CU_EGL_COLOR_FORMAT_YUV444_PLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV444_PLANAR_ER
CU_EGL_COLOR_FORMAT_YUV422_PLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV422_PLANAR_ER
CU_EGL_COLOR_FORMAT_YUV420_PLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_PLANAR_ER
CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_YVU444_PLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU444_PLANAR_ER
CU_EGL_COLOR_FORMAT_YVU422_PLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU422_PLANAR_ER
CU_EGL_COLOR_FORMAT_YVU420_PLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_PLANAR_ER
CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_BAYER_RGGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_RGGB
CU_EGL_COLOR_FORMAT_BAYER_BGGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_BGGR
CU_EGL_COLOR_FORMAT_BAYER_GRBG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_GRBG
CU_EGL_COLOR_FORMAT_BAYER_GBRG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_GBRG
CU_EGL_COLOR_FORMAT_BAYER10_RGGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER10_RGGB
CU_EGL_COLOR_FORMAT_BAYER10_BGGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER10_BGGR
CU_EGL_COLOR_FORMAT_BAYER10_GRBG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER10_GRBG
CU_EGL_COLOR_FORMAT_BAYER10_GBRG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER10_GBRG
CU_EGL_COLOR_FORMAT_BAYER12_RGGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_RGGB
CU_EGL_COLOR_FORMAT_BAYER12_BGGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_BGGR
CU_EGL_COLOR_FORMAT_BAYER12_GRBG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_GRBG
CU_EGL_COLOR_FORMAT_BAYER12_GBRG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_GBRG
CU_EGL_COLOR_FORMAT_BAYER14_RGGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER14_RGGB
CU_EGL_COLOR_FORMAT_BAYER14_BGGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER14_BGGR
CU_EGL_COLOR_FORMAT_BAYER14_GRBG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER14_GRBG
CU_EGL_COLOR_FORMAT_BAYER14_GBRG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER14_GBRG
CU_EGL_COLOR_FORMAT_BAYER20_RGGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER20_RGGB
CU_EGL_COLOR_FORMAT_BAYER20_BGGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER20_BGGR
CU_EGL_COLOR_FORMAT_BAYER20_GRBG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER20_GRBG
CU_EGL_COLOR_FORMAT_BAYER20_GBRG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER20_GBRG
CU_EGL_COLOR_FORMAT_YVU444_PLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU444_PLANAR
CU_EGL_COLOR_FORMAT_YVU422_PLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU422_PLANAR
CU_EGL_COLOR_FORMAT_YVU420_PLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_PLANAR
CU_EGL_COLOR_FORMAT_BAYER_ISP_RGGB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_ISP_RGGB
CU_EGL_COLOR_FORMAT_BAYER_ISP_BGGR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_ISP_BGGR
CU_EGL_COLOR_FORMAT_BAYER_ISP_GRBG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_ISP_GRBG
CU_EGL_COLOR_FORMAT_BAYER_ISP_GBRG: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_ISP_GBRG
CU_EGL_COLOR_FORMAT_BAYER_BCCR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_BCCR
CU_EGL_COLOR_FORMAT_BAYER_RCCB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_RCCB
CU_EGL_COLOR_FORMAT_BAYER_CRBC: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_CRBC
CU_EGL_COLOR_FORMAT_BAYER_CBRC: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER_CBRC
CU_EGL_COLOR_FORMAT_BAYER10_CCCC: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER10_CCCC
CU_EGL_COLOR_FORMAT_BAYER12_BCCR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_BCCR
CU_EGL_COLOR_FORMAT_BAYER12_RCCB: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_RCCB
CU_EGL_COLOR_FORMAT_BAYER12_CRBC: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_CRBC
CU_EGL_COLOR_FORMAT_BAYER12_CBRC: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_CBRC
CU_EGL_COLOR_FORMAT_BAYER12_CCCC: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_BAYER12_CCCC
CU_EGL_COLOR_FORMAT_Y: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y
CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_2020: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_2020
CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_2020: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_2020
CU_EGL_COLOR_FORMAT_YUV420_PLANAR_2020: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_PLANAR_2020
CU_EGL_COLOR_FORMAT_YVU420_PLANAR_2020: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_PLANAR_2020
CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_709: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_709
CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_709: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_709
CU_EGL_COLOR_FORMAT_YUV420_PLANAR_709: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV420_PLANAR_709
CU_EGL_COLOR_FORMAT_YVU420_PLANAR_709: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVU420_PLANAR_709
CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709
CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_2020: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_2020
CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_2020: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_2020
CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR
CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_709: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_709
CU_EGL_COLOR_FORMAT_Y_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y_ER
CU_EGL_COLOR_FORMAT_Y_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y_709_ER
CU_EGL_COLOR_FORMAT_Y10_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10_ER
CU_EGL_COLOR_FORMAT_Y10_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10_709_ER
CU_EGL_COLOR_FORMAT_Y12_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12_ER
CU_EGL_COLOR_FORMAT_Y12_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12_709_ER
CU_EGL_COLOR_FORMAT_YUVA: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUVA
CU_EGL_COLOR_FORMAT_YUV: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YUV
CU_EGL_COLOR_FORMAT_YVYU: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_YVYU
CU_EGL_COLOR_FORMAT_VYUY: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_VYUY
CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709_ER
CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_709_ER
CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_709_ER
CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_ER
CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_709_ER
CU_EGL_COLOR_FORMAT_UYVY_709: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_UYVY_709
CU_EGL_COLOR_FORMAT_UYVY_709_ER: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_UYVY_709_ER
CU_EGL_COLOR_FORMAT_UYVY_2020: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_UYVY_2020
CU_EGL_COLOR_FORMAT_MAX: Final = CUeglColorFormat.CU_EGL_COLOR_FORMAT_MAX

class CUGLDeviceList(IntEnum):
    """CUDA devices corresponding to an OpenGL device

    cudaGL.h:242
    """
    CU_GL_DEVICE_LIST_ALL = 1
    """The CUDA devices for all GPUs used by the current OpenGL context"""
    CU_GL_DEVICE_LIST_CURRENT_FRAME = 2
    """The CUDA devices for the GPUs used by the current OpenGL context in its currently rendering frame"""
    CU_GL_DEVICE_LIST_NEXT_FRAME = 3
    """The CUDA devices for the GPUs to be used by the current OpenGL context in the next frame"""

CU_GL_DEVICE_LIST_ALL: Final = CUGLDeviceList.CU_GL_DEVICE_LIST_ALL
CU_GL_DEVICE_LIST_CURRENT_FRAME: Final = CUGLDeviceList.CU_GL_DEVICE_LIST_CURRENT_FRAME
CU_GL_DEVICE_LIST_NEXT_FRAME: Final = CUGLDeviceList.CU_GL_DEVICE_LIST_NEXT_FRAME

class CUGLmap_flags(IntEnum):
    """Flags to map or unmap a resource

    cudaGL.h:298
    """
    CU_GL_MAP_RESOURCE_FLAGS_NONE = 0
    CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 1
    CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2

CU_GL_MAP_RESOURCE_FLAGS_NONE: Final = CUGLmap_flags.CU_GL_MAP_RESOURCE_FLAGS_NONE
CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY: Final = CUGLmap_flags.CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY
CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD: Final = CUGLmap_flags.CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD

class CUoutput_mode(IntEnum):
    """Profiler Output Modes

    <source>:6
    """
    CU_OUT_KEY_VALUE_PAIR = 0
    CU_OUT_CSV = 1

CU_OUT_KEY_VALUE_PAIR: Final = CUoutput_mode.CU_OUT_KEY_VALUE_PAIR
CU_OUT_CSV: Final = CUoutput_mode.CU_OUT_CSV

CUDA_VERSION: Final[int]
"""CUDA API version number"""
CU_IPC_HANDLE_SIZE: Final[int]
"""CUDA IPC handle size"""
CU_STREAM_LEGACY: Final[int]
"""Legacy stream handle

Stream handle that can be passed as a CUstream to use an implicit stream with legacy synchronization behavior.

See details of the
"""
CU_STREAM_PER_THREAD: Final[int]
"""Per-thread stream handle

Stream handle that can be passed as a CUstream to use an implicit stream with per-thread synchronization behavior.

See details of the
"""
CU_COMPUTE_ACCELERATED_TARGET_BASE: Final[int]
"""Indicates that compute device class supports accelerated features."""
CU_COMPUTE_FAMILY_TARGET_BASE: Final[int]
"""Indicates that compute device class supports family features."""
CU_GRAPH_COND_ASSIGN_DEFAULT: Final[int]
"""Default value is applied when graph is launched."""
CU_GRAPH_KERNEL_NODE_PORT_DEFAULT: Final[int]
"""This port activates when the kernel has finished executing."""
CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC: Final[int]
"""This port activates when all blocks of the kernel have performed cudaTriggerProgrammaticLaunchCompletion() or have terminated. It must be used with edge type CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC. See also CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT."""
CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER: Final[int]
"""This port activates when all blocks of the kernel have begun execution. See also CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT."""
CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_PRIORITY: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: Final[int]
CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: Final[int]
CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW: Final[int]
CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: Final[int]
CU_STREAM_ATTRIBUTE_PRIORITY: Final[int]
CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: Final[int]
CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN: Final[int]
CU_MEMHOSTALLOC_PORTABLE: Final[int]
"""If set, host memory is portable between CUDA contexts. Flag for cuMemHostAlloc()"""
CU_MEMHOSTALLOC_DEVICEMAP: Final[int]
"""If set, host memory is mapped into CUDA address space and cuMemHostGetDevicePointer() may be called on the host pointer. Flag for cuMemHostAlloc()"""
CU_MEMHOSTALLOC_WRITECOMBINED: Final[int]
"""If set, host memory is allocated as write-combined - fast to write, faster to DMA, slow to read except via SSE4 streaming load instruction (MOVNTDQA). Flag for cuMemHostAlloc()"""
CU_MEMHOSTREGISTER_PORTABLE: Final[int]
"""If set, host memory is portable between CUDA contexts. Flag for cuMemHostRegister()"""
CU_MEMHOSTREGISTER_DEVICEMAP: Final[int]
"""If set, host memory is mapped into CUDA address space and cuMemHostGetDevicePointer() may be called on the host pointer. Flag for cuMemHostRegister()"""
CU_MEMHOSTREGISTER_IOMEMORY: Final[int]
"""If set, the passed memory pointer is treated as pointing to some memory-mapped I/O space, e.g. belonging to a third-party PCIe device. On Windows the flag is a no-op. On Linux that memory is marked as non cache-coherent for the GPU and is expected to be physically contiguous. It may return CUDA_ERROR_NOT_PERMITTED if run as an unprivileged user, CUDA_ERROR_NOT_SUPPORTED on older Linux kernel versions. On all other platforms, it is not supported and CUDA_ERROR_NOT_SUPPORTED is returned. Flag for cuMemHostRegister()"""
CU_MEMHOSTREGISTER_READ_ONLY: Final[int]
"""If set, the passed memory pointer is treated as pointing to memory that is considered read-only by the device. On platforms without CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, this flag is required in order to register memory mapped to the CPU as read-only. Support for the use of this flag can be queried from the device attribute CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED. Using this flag with a current context associated with a device that does not have this attribute set will cause cuMemHostRegister to error with CUDA_ERROR_NOT_SUPPORTED."""
CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL: Final[int]
"""Indicates that the layered sparse CUDA array or CUDA mipmapped array has a single mip tail region for all layers"""
CU_TENSOR_MAP_NUM_QWORDS: Final[int]
"""Size of tensor map descriptor"""
CUDA_EXTERNAL_MEMORY_DEDICATED: Final[int]
"""Indicates that the external memory object is a dedicated resource"""
CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC: Final[int]
"""When the flags parameter of CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS contains this flag, it indicates that signaling an external semaphore object should skip performing appropriate memory synchronization operations over all the external memory objects that are imported as CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF, which otherwise are performed by default to ensure data coherency with other importers of the same NvSciBuf memory objects."""
CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC: Final[int]
"""When the flags parameter of CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS contains this flag, it indicates that waiting on an external semaphore object should skip performing appropriate memory synchronization operations over all the external memory objects that are imported as CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF, which otherwise are performed by default to ensure data coherency with other importers of the same NvSciBuf memory objects."""
CUDA_NVSCISYNC_ATTR_SIGNAL: Final[int]
"""When flags of cuDeviceGetNvSciSyncAttributes is set to this, it indicates that application needs signaler specific NvSciSyncAttr to be filled by cuDeviceGetNvSciSyncAttributes."""
CUDA_NVSCISYNC_ATTR_WAIT: Final[int]
"""When flags of cuDeviceGetNvSciSyncAttributes is set to this, it indicates that application needs waiter specific NvSciSyncAttr to be filled by cuDeviceGetNvSciSyncAttributes."""
CU_MEM_CREATE_USAGE_TILE_POOL: Final[int]
"""This flag if set indicates that the memory will be used as a tile pool."""
CU_MEM_CREATE_USAGE_HW_DECOMPRESS: Final[int]
"""This flag, if set, indicates that the memory will be used as a buffer for hardware accelerated decompression."""
CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS: Final[int]
"""This flag, if set, indicates that the memory will be used as a buffer for hardware accelerated decompression."""
CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC: Final[int]
"""If set, each kernel launched as part of cuLaunchCooperativeKernelMultiDevice only waits for prior work in the stream corresponding to that GPU to complete before the kernel begins execution."""
CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC: Final[int]
"""If set, any subsequent work pushed in a stream that participated in a call to cuLaunchCooperativeKernelMultiDevice will only wait for the kernel launched on the GPU corresponding to that stream to complete before it begins execution."""
CUDA_ARRAY3D_LAYERED: Final[int]
"""If set, the CUDA array is a collection of layers, where each layer is either a 1D or a 2D array and the Depth member of CUDA_ARRAY3D_DESCRIPTOR specifies the number of layers, not the depth of a 3D array."""
CUDA_ARRAY3D_2DARRAY: Final[int]
"""Deprecated, use CUDA_ARRAY3D_LAYERED"""
CUDA_ARRAY3D_SURFACE_LDST: Final[int]
"""This flag must be set in order to bind a surface reference to the CUDA array"""
CUDA_ARRAY3D_CUBEMAP: Final[int]
"""If set, the CUDA array is a collection of six 2D arrays, representing faces of a cube. The width of such a CUDA array must be equal to its height, and Depth must be six. If CUDA_ARRAY3D_LAYERED flag is also set, then the CUDA array is a collection of cubemaps and Depth must be a multiple of six."""
CUDA_ARRAY3D_TEXTURE_GATHER: Final[int]
"""This flag must be set in order to perform texture gather operations on a CUDA array."""
CUDA_ARRAY3D_DEPTH_TEXTURE: Final[int]
"""This flag if set indicates that the CUDA array is a DEPTH_TEXTURE."""
CUDA_ARRAY3D_COLOR_ATTACHMENT: Final[int]
"""This flag indicates that the CUDA array may be bound as a color target in an external graphics API"""
CUDA_ARRAY3D_SPARSE: Final[int]
"""This flag if set indicates that the CUDA array or CUDA mipmapped array is a sparse CUDA array or CUDA mipmapped array respectively"""
CUDA_ARRAY3D_DEFERRED_MAPPING: Final[int]
"""This flag if set indicates that the CUDA array or CUDA mipmapped array will allow deferred memory mapping"""
CUDA_ARRAY3D_VIDEO_ENCODE_DECODE: Final[int]
"""This flag indicates that the CUDA array will be used for hardware accelerated video encode/decode operations."""
CU_TRSA_OVERRIDE_FORMAT: Final[int]
"""Override the texref format with a format inferred from the array. Flag for cuTexRefSetArray()"""
CU_TRSF_READ_AS_INTEGER: Final[int]
"""Read the texture as integers rather than promoting the values to floats in the range [0,1]. Flag for cuTexRefSetFlags() and cuTexObjectCreate()"""
CU_TRSF_NORMALIZED_COORDINATES: Final[int]
"""Use normalized texture coordinates in the range [0,1) instead of [0,dim). Flag for cuTexRefSetFlags() and cuTexObjectCreate()"""
CU_TRSF_SRGB: Final[int]
"""Perform sRGB->linear conversion during texture read. Flag for cuTexRefSetFlags() and cuTexObjectCreate()"""
CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION: Final[int]
"""Disable any trilinear filtering optimizations. Flag for cuTexRefSetFlags() and cuTexObjectCreate()"""
CU_TRSF_SEAMLESS_CUBEMAP: Final[int]
"""Enable seamless cube map filtering. Flag for cuTexObjectCreate()"""
CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM: Final[int]
"""Launch with the required block dimension."""
CU_LAUNCH_PARAM_END_AS_INT: Final[int]
"""C++ compile time constant for CU_LAUNCH_PARAM_END"""
"""End of array terminator for the extra parameter to cuLaunchKernel"""
CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT: Final[int]
"""C++ compile time constant for CU_LAUNCH_PARAM_BUFFER_POINTER"""
CU_LAUNCH_PARAM_BUFFER_POINTER: Final[int]
"""Indicator that the next value in the extra parameter to cuLaunchKernel will be a pointer to a buffer containing all kernel parameters used for launching kernel f. This buffer needs to honor all alignment/padding requirements of the individual parameters. If CU_LAUNCH_PARAM_BUFFER_SIZE is not also specified in the extra array, then CU_LAUNCH_PARAM_BUFFER_POINTER will have no effect."""
CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT: Final[int]
"""C++ compile time constant for CU_LAUNCH_PARAM_BUFFER_SIZE"""
CU_LAUNCH_PARAM_BUFFER_SIZE: Final[int]
"""Indicator that the next value in the extra parameter to cuLaunchKernel will be a pointer to a size_t which contains the size of the buffer specified with CU_LAUNCH_PARAM_BUFFER_POINTER. It is required that CU_LAUNCH_PARAM_BUFFER_POINTER also be specified in the extra array if the value associated with CU_LAUNCH_PARAM_BUFFER_SIZE is not zero."""
CU_PARAM_TR_DEFAULT: Final[int]
"""For texture references loaded into the module, use default texunit from texture reference."""
CU_DEVICE_CPU: Final[int]
"""Device that represents the CPU"""
CU_DEVICE_INVALID: Final[int]
"""Device that represents an invalid device"""
RESOURCE_ABI_VERSION: Final[int]
RESOURCE_ABI_EXTERNAL_BYTES: Final[int]
MAX_PLANES: Final[int]
"""Maximum number of planes per frame"""
CUDA_EGL_INFINITE_TIMEOUT: Final[int]
"""Indicates that timeout for cuEGLStreamConsumerAcquireFrame is infinite."""
def cuGetErrorString(error: CUresult | int) -> tuple[CUresult, bytes | None]:
    """Gets the string description of an error code

    error: Error code to convert to string
    pStr: Address of the string pointer.

    C: CUresult cuGetErrorString(CUresult error, const char **pStr)

    cuda.h:5149
    """
    ...

def cuGetErrorName(error: CUresult | int) -> tuple[CUresult, bytes | None]:
    """Gets the string representation of an error code enum name

    error: Error code to convert to string
    pStr: Address of the string pointer.

    C: CUresult cuGetErrorName(CUresult error, const char **pStr)

    cuda.h:5170
    """
    ...

def cuInit(Flags: int) -> tuple[CUresult]:
    """Initialize the CUDA driver API Initializes the driver API and must be called before any other function from the driver API in the current process. Currently, the Flags parameter must be 0. If cuInit() has not been called, any function from the driver API will return CUDA_ERROR_NOT_INITIALIZED.

    Flags: Initialization flag for CUDA.

    C: CUresult cuInit(unsigned int Flags)

    cuda.h:5207
    """
    ...

def cuDriverGetVersion() -> tuple[CUresult, int | None]:
    """Returns the latest CUDA version supported by driver

    driverVersion: Returns the CUDA driver version

    C: CUresult cuDriverGetVersion(int *driverVersion)

    cuda.h:5245
    """
    ...

def cuDeviceGet(ordinal: int) -> tuple[CUresult, CUdevice | None]:
    """Returns a handle to a compute device

    device: Returned device handle
    ordinal: Device number to get handle for

    C: CUresult cuDeviceGet(CUdevice *device, int ordinal)

    cuda.h:5288
    """
    ...

def cuDeviceGetCount() -> tuple[CUresult, int | None]:
    """Returns the number of compute-capable devices

    count: Returned number of compute-capable devices

    C: CUresult cuDeviceGetCount(int *count)

    cuda.h:5317
    """
    ...

def cuDeviceGetName(length: int, dev: CUdevice | int | None) -> tuple[CUresult, bytes | None]:
    """Returns an identifier string for the device

    name: Returned identifier string for the device
    len: Maximum length of string to store in name
    dev: Device to get identifier string for

    C: CUresult cuDeviceGetName(char *name, int len, CUdevice dev)

    cuda.h:5349
    """
    ...

def cuDeviceGetUuid_v2(dev: CUdevice | int | None) -> tuple[CUresult, CUuuid | None]:
    """Return an UUID for the device

    uuid: Returned UUID
    dev: Device to get identifier string for

    C: CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)

    cuda.h:5378
    """
    ...

def cuDeviceTotalMem_v2(dev: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Returns the total amount of memory on the device

    bytes: Returned memory available on device in bytes
    dev: Device handle

    C: CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)

    cuda.h:5436
    """
    ...

def cuDeviceGetTexture1DLinearMaxWidth(pformat: CUarray_format | int, numChannels: int, dev: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Returns the maximum number of elements allocatable in a 1D linear texture for a given texture element size.

    maxWidthInElements: Returned maximum number of texture elements allocatable for given format and numChannels.
    format: Texture format.
    numChannels: Number of channels per texture element.
    dev: Device handle.

    C: CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, CUarray_format format, unsigned int numChannels, CUdevice dev)

    cuda.h:5467
    """
    ...

def cuDeviceGetAttribute(attrib: CUdevice_attribute | int, dev: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Returns information about the device

    pi: Returned device attribute value
    attrib: Device attribute to query
    dev: Device handle

    C: CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)

    cuda.h:5498
    """
    ...

def cuDeviceGetNvSciSyncAttributes(nvSciSyncAttrList: Address | None, dev: CUdevice | int | None, flags: int) -> tuple[CUresult]:
    """Return NvSciSync attributes that this device can support.

    nvSciSyncAttrList: Return NvSciSync attributes supported.
    dev: Valid Cuda Device to get NvSciSync attributes for.
    flags: flags describing NvSciSync usage.

    C: CUresult cuDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList, CUdevice dev, int flags)

    cuda.h:5594
    """
    ...

def cuDeviceSetMemPool(dev: CUdevice | int | None, pool: CUmemoryPool | int | None) -> tuple[CUresult]:
    """Sets the current memory pool of a device

    C: CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)

    cuda.h:5612
    """
    ...

def cuDeviceGetMemPool(dev: CUdevice | int | None) -> tuple[CUresult, CUmemoryPool | None]:
    """Gets the current mempool for a device

    C: CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)

    cuda.h:5628
    """
    ...

def cuDeviceGetDefaultMemPool(dev: CUdevice | int | None) -> tuple[CUresult, CUmemoryPool | None]:
    """Returns the default mempool of a device

    C: CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)

    cuda.h:5646
    """
    ...

def cuDeviceGetExecAffinitySupport(typename: CUexecAffinityType | int, dev: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Returns information about the execution affinity support of the device.

    pi: 1 if the execution affinity type type is supported by the device, or 0 if not
    type: Execution affinity type to query
    dev: Device handle

    C: CUresult cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev)

    cuda.h:5677
    """
    ...

def cuFlushGPUDirectRDMAWrites(target: CUflushGPUDirectRDMAWritesTarget | int, scope: CUflushGPUDirectRDMAWritesScope | int) -> tuple[CUresult]:
    """Blocks until remote writes are visible to the specified scope

    target: The target of the operation, see CUflushGPUDirectRDMAWritesTarget
    scope: The scope of the operation, see CUflushGPUDirectRDMAWritesScope

    C: CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope)

    cuda.h:5717
    """
    ...

def cuDeviceGetProperties(dev: CUdevice | int | None) -> tuple[CUresult, CUdevprop | None]:
    """Returns properties for a selected device

    prop: Returned properties of device
    dev: Device to get properties for

    C: CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)

    Deprecated.

    cuda.h:5795
    """
    ...

def cuDeviceComputeCapability(dev: CUdevice | int | None) -> tuple[CUresult, int | None, int | None]:
    """Returns the compute capability of the device

    major: Major revision number
    minor: Minor revision number
    dev: Device handle

    C: CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)

    Deprecated.

    cuda.h:5829
    """
    ...

def cuDevicePrimaryCtxRetain(dev: CUdevice | int | None) -> tuple[CUresult, CUcontext | None]:
    """Retain the primary context on the GPU

    pctx: Returned context handle of the new context
    dev: Device for which primary context is requested

    C: CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)

    cuda.h:5896
    """
    ...

def cuDevicePrimaryCtxRelease_v2(dev: CUdevice | int | None) -> tuple[CUresult]:
    """Release the primary context on the GPU

    dev: Device which primary context is released

    C: CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)

    cuda.h:5937
    """
    ...

def cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice | int | None, flags: int) -> tuple[CUresult]:
    """Set flags for the primary context

    dev: Device for which the primary context flags are set
    flags: New flags for the device

    C: CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags)

    cuda.h:6033
    """
    ...

def cuDevicePrimaryCtxGetState(dev: CUdevice | int | None) -> tuple[CUresult, int | None, int | None]:
    """Get the state of the primary context

    dev: Device to get primary context flags for
    flags: Pointer to store flags
    active: Pointer to store context state; 0 = inactive, 1 = active

    C: CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)

    cuda.h:6060
    """
    ...

def cuDevicePrimaryCtxReset_v2(dev: CUdevice | int | None) -> tuple[CUresult]:
    """Destroy all allocations and reset all state on the primary context

    dev: Device for which primary context is destroyed

    C: CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev)

    cuda.h:6100
    """
    ...

def cuCtxCreate_v4(ctxCreateParams: CUctxCreateParams | Address | None, flags: int, dev: CUdevice | int | None) -> tuple[CUresult, CUcontext | None]:
    """Create a CUDA context

    pctx: Returned context handle of the new context
    ctxCreateParams: Context creation parameters
    flags: Context creation flags
    dev: Device to create context on

    C: CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev)

    cuda.h:6275
    """
    ...

def cuCtxDestroy_v2(ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Destroy a CUDA context

    ctx: Context to destroy

    C: CUresult cuCtxDestroy_v2(CUcontext ctx)

    cuda.h:6325
    """
    ...

def cuCtxPushCurrent_v2(ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Pushes a context on the current CPU thread

    ctx: Context to push

    C: CUresult cuCtxPushCurrent_v2(CUcontext ctx)

    cuda.h:6359
    """
    ...

def cuCtxPopCurrent_v2() -> tuple[CUresult, CUcontext | None]:
    """Pops the current CUDA context from the current CPU thread.

    pctx: Returned popped context handle

    C: CUresult cuCtxPopCurrent_v2(CUcontext *pctx)

    cuda.h:6393
    """
    ...

def cuCtxSetCurrent(ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Binds the specified CUDA context to the calling CPU thread

    ctx: Context to bind to the calling CPU thread

    C: CUresult cuCtxSetCurrent(CUcontext ctx)

    cuda.h:6423
    """
    ...

def cuCtxGetCurrent() -> tuple[CUresult, CUcontext | None]:
    """Returns the CUDA context bound to the calling CPU thread.

    pctx: Returned context handle

    C: CUresult cuCtxGetCurrent(CUcontext *pctx)

    cuda.h:6446
    """
    ...

def cuCtxGetDevice() -> tuple[CUresult, CUdevice | None]:
    """Returns the device handle for the current context

    device: Returned device handle for the current context

    C: CUresult cuCtxGetDevice(CUdevice *device)

    cuda.h:6476
    """
    ...

def cuCtxGetDevice_v2(ctx: CUcontext | int | None) -> tuple[CUresult, CUdevice | None]:
    """Returns the device handle for the specified context

    device: Returned device handle for the specified context
    ctx: Context for which to obtain the device

    C: CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)

    cuda.h:6499
    """
    ...

def cuCtxGetFlags() -> tuple[CUresult, int | None]:
    """Returns the flags for the current context

    flags: Pointer to store flags of current context

    C: CUresult cuCtxGetFlags(unsigned int *flags)

    cuda.h:6528
    """
    ...

def cuCtxSetFlags(flags: int) -> tuple[CUresult]:
    """Sets the flags for the current context

    flags: Flags to set on the current context

    C: CUresult cuCtxSetFlags(unsigned int flags)

    cuda.h:6558
    """
    ...

def cuCtxGetId(ctx: CUcontext | int | None) -> tuple[CUresult, int | None]:
    """Returns the unique Id associated with the context supplied

    ctx: Context for which to obtain the Id
    ctxId: Pointer to store the Id of the context

    C: CUresult cuCtxGetId(CUcontext ctx, unsigned long *ctxId)

    cuda.h:6589
    """
    ...

def cuCtxSynchronize() -> tuple[CUresult]:
    """Block for the current context's tasks to complete

    C: CUresult cuCtxSynchronize(void)

    cuda.h:6621
    """
    ...

def cuCtxSynchronize_v2(ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Block for the specified context's tasks to complete

    ctx: Context to synchronize

    C: CUresult cuCtxSynchronize_v2(CUcontext ctx)

    cuda.h:6653
    """
    ...

def cuCtxSetLimit(limit: CUlimit | int, value: int) -> tuple[CUresult]:
    """Set resource limits

    limit: Limit to set
    value: Size of limit

    C: CUresult cuCtxSetLimit(CUlimit limit, size_t value)

    cuda.h:6752
    """
    ...

def cuCtxGetLimit(limit: CUlimit | int) -> tuple[CUresult, int | None]:
    """Returns resource limits

    limit: Limit to query
    pvalue: Returned size of limit

    C: CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)

    cuda.h:6794
    """
    ...

def cuCtxGetCacheConfig() -> tuple[CUresult, CUfunc_cache | None]:
    """Returns the preferred cache configuration for the current context.

    pconfig: Returned cache configuration

    C: CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig)

    cuda.h:6838
    """
    ...

def cuCtxSetCacheConfig(config: CUfunc_cache | int) -> tuple[CUresult]:
    """Sets the preferred cache configuration for the current context.

    config: Requested cache configuration

    C: CUresult cuCtxSetCacheConfig(CUfunc_cache config)

    cuda.h:6890
    """
    ...

def cuCtxGetApiVersion(ctx: CUcontext | int | None) -> tuple[CUresult, int | None]:
    """Gets the context's API version.

    ctx: Context to check
    version: Pointer to version

    C: CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)

    cuda.h:6928
    """
    ...

def cuCtxGetStreamPriorityRange() -> tuple[CUresult, int | None, int | None]:
    """Returns numerical values that correspond to the least and greatest stream priorities.

    leastPriority: Pointer to an int in which the numerical value for least stream priority is returned
    greatestPriority: Pointer to an int in which the numerical value for greatest stream priority is returned

    C: CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)

    cuda.h:6968
    """
    ...

def cuCtxResetPersistingL2Cache() -> tuple[CUresult]:
    """Resets all persisting lines in cache to normal status.

    C: CUresult cuCtxResetPersistingL2Cache(void)

    cuda.h:6984
    """
    ...

def cuCtxGetExecAffinity(typename: CUexecAffinityType | int) -> tuple[CUresult, CUexecAffinityParam | None]:
    """Returns the execution affinity setting for the current context.

    type: Execution affinity type to query
    pExecAffinity: Returned execution affinity

    C: CUresult cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity, CUexecAffinityType type)

    cuda.h:7008
    """
    ...

def cuCtxRecordEvent(hCtx: CUcontext | int | None, hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Records an event.

    hCtx: Context to record event for
    hEvent: Event to record

    C: CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent)

    cuda.h:7045
    """
    ...

def cuCtxWaitEvent(hCtx: CUcontext | int | None, hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Make a context wait on an event

    hCtx: Context to wait
    hEvent: Event to wait on

    C: CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent)

    cuda.h:7082
    """
    ...

def cuCtxAttach(flags: int) -> tuple[CUresult, CUcontext | None]:
    """Increment a context's usage-count

    pctx: Returned context handle of the current context
    flags: Context attach flags (must be 0)

    C: CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags)

    Deprecated.

    cuda.h:7137
    """
    ...

def cuCtxDetach(ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Decrement a context's usage-count

    ctx: Context to destroy

    C: CUresult cuCtxDetach(CUcontext ctx)

    Deprecated.

    cuda.h:7173
    """
    ...

def cuCtxGetSharedMemConfig() -> tuple[CUresult, CUsharedconfig | None]:
    """Returns the current shared memory configuration for the current context.

    pConfig: returned shared memory configuration

    C: CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig)

    Deprecated.

    cuda.h:7218
    """
    ...

def cuCtxSetSharedMemConfig(config: CUsharedconfig | int) -> tuple[CUresult]:
    """Sets the shared memory configuration for the current context.

    config: requested shared memory configuration

    C: CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)

    Deprecated.

    cuda.h:7273
    """
    ...

def cuModuleLoad(fname: Text | None) -> tuple[CUresult, CUmodule | None]:
    """Loads a compute module

    module: Returned module
    fname: Filename of module to load

    C: CUresult cuModuleLoad(CUmodule *module, const char *fname)

    cuda.h:7329
    """
    ...

def cuModuleLoadData(image: Address | None) -> tuple[CUresult, CUmodule | None]:
    """Load a module's data

    module: Returned module
    image: Module data to load

    C: CUresult cuModuleLoadData(CUmodule *module, const void *image)

    cuda.h:7365
    """
    ...

def cuModuleLoadDataEx(image: Address | None, numOptions: int, options: Address | None, optionValues: Address | None) -> tuple[CUresult, CUmodule | None]:
    """Load a module's data with options

    module: Returned module
    image: Module data to load
    numOptions: Number of options
    options: Options for JIT
    optionValues: Option values for JIT

    C: CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options, void **optionValues)

    cuda.h:7404
    """
    ...

def cuModuleLoadFatBinary(fatCubin: Address | None) -> tuple[CUresult, CUmodule | None]:
    """Load a module's data

    module: Returned module
    fatCubin: Fat binary to load

    C: CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)

    cuda.h:7447
    """
    ...

def cuModuleUnload(hmod: CUmodule | int | None) -> tuple[CUresult]:
    """Unloads a module

    hmod: Module to unload

    C: CUresult cuModuleUnload(CUmodule hmod)

    cuda.h:7476
    """
    ...

def cuModuleGetLoadingMode() -> tuple[CUresult, CUmoduleLoadingMode | None]:
    """Query lazy loading mode

    mode: Returns the lazy loading mode

    C: CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)

    cuda.h:7502
    """
    ...

def cuModuleGetFunction(hmod: CUmodule | int | None, name: Text | None) -> tuple[CUresult, CUfunction | None]:
    """Returns a function handle

    hfunc: Returned function handle
    hmod: Module to retrieve function from
    name: Name of function to retrieve

    C: CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)

    cuda.h:7532
    """
    ...

def cuModuleGetFunctionCount(mod: CUmodule | int | None) -> tuple[CUresult, int | None]:
    """Returns the number of functions within a module

    count: Number of functions found within the module
    mod: Module to query

    C: CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod)

    cuda.h:7547
    """
    ...

def cuModuleGetGlobal_v2(hmod: CUmodule | int | None, name: Text | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Returns a global pointer from a module

    dptr: Returned global device pointer
    bytes: Returned global size in bytes
    hmod: Module to retrieve global from
    name: Name of global to retrieve

    C: CUresult cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)

    cuda.h:7609
    """
    ...

def cuLinkCreate_v2(numOptions: int, options: Address | None, optionValues: Address | None) -> tuple[CUresult, CUlinkState | None]:
    """Creates a pending JIT linker invocation.

    numOptions: Size of options arrays
    options: Array of linker and compiler options
    optionValues: Array of option values, each cast to void *
    stateOut: On success, this will contain a CUlinkState to specify and complete this action

    C: CUresult cuLinkCreate_v2(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut)

    cuda.h:7657
    """
    ...

def cuLinkAddData_v2(state: CUlinkState | int | None, type: CUjitInputType | int, data: Address | None, size: int, name: Text | None, numOptions: int, options: Address | None, optionValues: Address | None) -> tuple[CUresult]:
    """Add an input to a pending linker invocation

    state: A pending linker action.
    type: The type of the input data.
    data: The input data. PTX must be NULL-terminated.
    size: The length of the input data.
    name: An optional name for this input in log messages.
    numOptions: Size of options.
    options: Options to be applied only for this input (overrides options from cuLinkCreate).
    optionValues: Array of option values, each cast to void *.

    C: CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned int numOptions, CUjit_option *options, void **optionValues)

    cuda.h:7697
    """
    ...

def cuLinkAddFile_v2(state: CUlinkState | int | None, type: CUjitInputType | int, path: Text | None, numOptions: int, options: Address | None, optionValues: Address | None) -> tuple[CUresult]:
    """Add a file input to a pending linker invocation

    state: A pending linker action
    type: The type of the input data
    path: Path to the input file
    numOptions: Size of options
    options: Options to be applied only for this input (overrides options from cuLinkCreate)
    optionValues: Array of option values, each cast to void *

    C: CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions, CUjit_option *options, void **optionValues)

    cuda.h:7739
    """
    ...

def cuLinkComplete(state: CUlinkState | int | None) -> tuple[CUresult, int | None, int | None]:
    """Complete a pending linker invocation

    state: A pending linker invocation
    cubinOut: On success, this will point to the output image
    sizeOut: Optional parameter to receive the size of the generated image

    C: CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut)

    cuda.h:7766
    """
    ...

def cuModuleGetTexRef(hmod: CUmodule | int | None, name: Text | None) -> tuple[CUresult, CUtexref | None]:
    """Returns a handle to a texture reference

    pTexRef: Returned texture reference
    hmod: Module to retrieve texture reference from
    name: Name of texture reference to retrieve

    C: CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name)

    Deprecated.

    cuda.h:7830
    """
    ...

def cuModuleGetSurfRef(hmod: CUmodule | int | None, name: Text | None) -> tuple[CUresult, CUsurfref | None]:
    """Returns a handle to a surface reference

    pSurfRef: Returned surface reference
    hmod: Module to retrieve surface reference from
    name: Name of surface reference to retrieve

    C: CUresult cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name)

    Deprecated.

    cuda.h:7864
    """
    ...

def cuLibraryLoadData(code: Address | None, jitOptions: Address | None, jitOptionsValues: Address | None, numJitOptions: int, libraryOptions: Address | None, libraryOptionValues: Address | None, numLibraryOptions: int) -> tuple[CUresult, CUlibrary | None]:
    """Load a library with specified code and options

    library: Returned library
    code: Code to load
    jitOptions: Options for JIT
    jitOptionsValues: Option values for JIT
    numJitOptions: Number of options
    libraryOptions: Options for loading
    libraryOptionValues: Option values for loading
    numLibraryOptions: Number of options for loading

    C: CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)

    cuda.h:7938
    """
    ...

def cuLibraryLoadFromFile(fileName: Text | None, jitOptions: Address | None, jitOptionsValues: Address | None, numJitOptions: int, libraryOptions: Address | None, libraryOptionValues: Address | None, numLibraryOptions: int) -> tuple[CUresult, CUlibrary | None]:
    """Load a library with specified file and options

    library: Returned library
    fileName: File to load from
    jitOptions: Options for JIT
    jitOptionsValues: Option values for JIT
    numJitOptions: Number of options
    libraryOptions: Options for loading
    libraryOptionValues: Option values for loading
    numLibraryOptions: Number of options for loading

    C: CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)

    cuda.h:8000
    """
    ...

def cuLibraryUnload(library: CUlibrary | int | None) -> tuple[CUresult]:
    """Unloads a library

    library: Library to unload

    C: CUresult cuLibraryUnload(CUlibrary library)

    cuda.h:8021
    """
    ...

def cuLibraryGetKernel(library: CUlibrary | int | None, name: Text | None) -> tuple[CUresult, CUkernel | None]:
    """Returns a kernel handle

    pKernel: Returned kernel handle
    library: Library to retrieve kernel from
    name: Name of kernel to retrieve

    C: CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)

    cuda.h:8048
    """
    ...

def cuLibraryGetKernelCount(lib: CUlibrary | int | None) -> tuple[CUresult, int | None]:
    """Returns the number of kernels within a library

    count: Number of kernels found within the library
    lib: Library to query

    C: CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib)

    cuda.h:8063
    """
    ...

def cuLibraryGetModule(library: CUlibrary | int | None) -> tuple[CUresult, CUmodule | None]:
    """Returns a module handle

    pMod: Returned module handle
    library: Library to retrieve module from

    C: CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library)

    cuda.h:8108
    """
    ...

def cuKernelGetFunction(kernel: CUkernel | int | None) -> tuple[CUresult, CUfunction | None]:
    """Returns a function handle

    pFunc: Returned function handle
    kernel: Kernel to retrieve function for the requested context

    C: CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)

    cuda.h:8136
    """
    ...

def cuKernelGetLibrary(kernel: CUkernel | int | None) -> tuple[CUresult, CUlibrary | None]:
    """Returns a library handle

    pLib: Returned library handle
    kernel: Kernel to retrieve library handle

    C: CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel)

    cuda.h:8159
    """
    ...

def cuLibraryGetGlobal(library: CUlibrary | int | None, name: Text | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Returns a global device pointer

    dptr: Returned global device pointer for the requested context
    bytes: Returned global size in bytes
    library: Library to retrieve global from
    name: Name of global to retrieve

    C: CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)

    cuda.h:8191
    """
    ...

def cuLibraryGetManaged(library: CUlibrary | int | None, name: Text | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Returns a pointer to managed memory

    dptr: Returned pointer to the managed memory
    bytes: Returned memory size in bytes
    library: Library to retrieve managed memory from
    name: Name of managed memory to retrieve

    C: CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)

    cuda.h:8220
    """
    ...

def cuLibraryGetUnifiedFunction(library: CUlibrary | int | None, symbol: Text | None) -> tuple[CUresult, int | None]:
    """Returns a pointer to a unified function

    fptr: Returned pointer to a unified function
    library: Library to retrieve function pointer memory from
    symbol: Name of function pointer to retrieve

    C: CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol)

    cuda.h:8246
    """
    ...

def cuKernelGetAttribute(attrib: CUfunction_attribute | int, kernel: CUkernel | int | None, dev: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Returns information about a kernel

    pi: Returned attribute value
    attrib: Attribute requested
    kernel: Kernel to query attribute of
    dev: Device to query attribute of

    C: CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev)

    cuda.h:8334
    """
    ...

def cuKernelSetAttribute(attrib: CUfunction_attribute | int, val: int, kernel: CUkernel | int | None, dev: CUdevice | int | None) -> tuple[CUresult]:
    """Sets information about a kernel

    attrib: Attribute requested
    val: Value to set
    kernel: Kernel to set attribute of
    dev: Device to set attribute of

    C: CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev)

    cuda.h:8415
    """
    ...

def cuKernelSetCacheConfig(kernel: CUkernel | int | None, config: CUfunc_cache | int, dev: CUdevice | int | None) -> tuple[CUresult]:
    """Sets the preferred cache configuration for a device kernel.

    kernel: Kernel to configure cache for
    config: Requested cache configuration
    dev: Device to set attribute of

    C: CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev)

    cuda.h:8474
    """
    ...

def cuKernelGetName(hfunc: CUkernel | int | None) -> tuple[CUresult, bytes | None]:
    """Returns the function name for a CUkernel handle

    name: The returned name of the function
    hfunc: The function handle to retrieve the name for

    C: CUresult cuKernelGetName(const char **name, CUkernel hfunc)

    cuda.h:8495
    """
    ...

def cuKernelGetParamInfo(kernel: CUkernel | int | None, paramIndex: int) -> tuple[CUresult, int | None, int | None]:
    """Returns the offset and size of a kernel parameter in the device-side parameter layout

    kernel: The kernel to query
    paramIndex: The parameter index to query
    paramOffset: Returns the offset into the device-side parameter layout at which the parameter resides
    paramSize: Optionally returns the size of the parameter in the device-side parameter layout

    C: CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize)

    cuda.h:8519
    """
    ...

def cuMemGetInfo_v2() -> tuple[CUresult, int | None, int | None]:
    """Gets free and total memory

    free: Returned free memory in bytes
    total: Returned total memory in bytes

    C: CUresult cuMemGetInfo_v2(size_t *free, size_t *total)

    cuda.h:8575
    """
    ...

def cuMemAlloc_v2(bytesize: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Allocates device memory

    dptr: Returned device pointer
    bytesize: Requested allocation size in bytes

    C: CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)

    cuda.h:8609
    """
    ...

def cuMemAllocPitch_v2(WidthInBytes: int, Height: int, ElementSizeBytes: int) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Allocates pitched device memory

    dptr: Returned device pointer
    pPitch: Returned pitch of allocation in bytes
    WidthInBytes: Requested allocation width in bytes
    Height: Requested allocation height in rows
    ElementSizeBytes: Size of largest reads/writes for range

    C: CUresult cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes)

    cuda.h:8671
    """
    ...

def cuMemFree_v2(dptr: CUdeviceptr | int | None) -> tuple[CUresult]:
    """Frees device memory

    dptr: Pointer to memory to free

    C: CUresult cuMemFree_v2(CUdeviceptr dptr)

    cuda.h:8708
    """
    ...

def cuMemGetAddressRange_v2(dptr: CUdeviceptr | int | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Get information on memory allocations

    pbase: Returned base address
    psize: Returned size of device memory allocation
    dptr: Device pointer to query

    C: CUresult cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)

    cuda.h:8742
    """
    ...

def cuMemAllocHost_v2(bytesize: int) -> tuple[CUresult, int | None]:
    """Allocates page-locked host memory

    pp: Returned pointer to host memory
    bytesize: Requested allocation size in bytes

    C: CUresult cuMemAllocHost_v2(void **pp, size_t bytesize)

    cuda.h:8793
    """
    ...

def cuMemFreeHost(p: Address | None) -> tuple[CUresult]:
    """Frees page-locked host memory

    p: Pointer to memory to free

    C: CUresult cuMemFreeHost(void *p)

    cuda.h:8823
    """
    ...

def cuMemHostAlloc(bytesize: int, Flags: int) -> tuple[CUresult, int | None]:
    """Allocates page-locked host memory

    pp: Returned pointer to host memory
    bytesize: Requested allocation size in bytes
    Flags: Flags for allocation request

    C: CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)

    cuda.h:8906
    """
    ...

def cuMemHostGetDevicePointer_v2(p: Address | None, Flags: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Passes back device pointer of mapped pinned memory

    pdptr: Returned device pointer
    p: Host pointer
    Flags: Options (must be 0)

    C: CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int Flags)

    cuda.h:8959
    """
    ...

def cuMemHostGetFlags(p: Address | None) -> tuple[CUresult, int | None]:
    """Passes back flags that were used for a pinned allocation

    pFlags: Returned flags word
    p: Host pointer

    C: CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)

    cuda.h:8986
    """
    ...

def cuMemAllocManaged(bytesize: int, flags: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Allocates memory that will be automatically managed by the Unified Memory system

    dptr: Returned device pointer
    bytesize: Requested allocation size in bytes
    flags: Must be one of CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST

    C: CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)

    cuda.h:9096
    """
    ...

def cuDeviceRegisterAsyncNotification(device: CUdevice | int | None, callbackFunc: Callable[[Pointer, Pointer, CUasyncCallbackHandle], object] | None, userData: Address | None) -> tuple[CUresult, CUasyncCallbackHandle | None]:
    """Registers a callback function to receive async notifications

    device: The device on which to register the callback
    callbackFunc: The function to register as a callback
    userData: A generic pointer to user data. This is passed into the callback function.
    callback: A handle representing the registered callback instance

    C: CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void *userData, CUasyncCallbackHandle *callback)

    cuda.h:9133
    """
    ...

def cuDeviceUnregisterAsyncNotification(device: CUdevice | int | None, callback: CUasyncCallbackHandle | int | None) -> tuple[CUresult]:
    """Unregisters an async notification callback

    device: The device from which to remove callback.
    callback: The callback instance to unregister from receiving async notifications.

    C: CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback)

    cuda.h:9156
    """
    ...

def cuDeviceGetByPCIBusId(pciBusId: Text | None) -> tuple[CUresult, CUdevice | None]:
    """Returns a handle to a compute device

    dev: Returned device handle
    pciBusId: String in one of the following forms: [domain]:[bus]:[device].[function] [domain]:[bus]:[device] [bus]:[device].[function] where domain, bus, device, and function are all hexadecimal values

    C: CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)

    cuda.h:9185
    """
    ...

def cuDeviceGetPCIBusId(length: int, dev: CUdevice | int | None) -> tuple[CUresult, bytes | None]:
    """Returns a PCI Bus Id string for the device

    pciBusId: Returned identifier string for the device in the following format [domain]:[bus]:[device].[function] where domain, bus, device, and function are all hexadecimal values. pciBusId should be large enough to store 13 characters including the NULL-terminator.
    len: Maximum length of string to store in name
    dev: Device to get identifier string for

    C: CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)

    cuda.h:9217
    """
    ...

def cuIpcGetEventHandle(event: CUevent | int | None) -> tuple[CUresult, CUipcEventHandle | None]:
    """Gets an interprocess handle for a previously allocated event

    pHandle: Pointer to a user allocated CUipcEventHandle in which to return the opaque event handle
    event: Event allocated with CU_EVENT_INTERPROCESS and CU_EVENT_DISABLE_TIMING flags.

    C: CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)

    cuda.h:9265
    """
    ...

def cuIpcOpenEventHandle(handle: CUipcEventHandle | tuple[Any, ...] | dict[str, Any]) -> tuple[CUresult, CUevent | None]:
    """Opens an interprocess event handle for use in the current process

    phEvent: Returns the imported event
    handle: Interprocess handle to open

    C: CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)

    cuda.h:9308
    """
    ...

def cuIpcGetMemHandle(dptr: CUdeviceptr | int | None) -> tuple[CUresult, CUipcMemHandle | None]:
    """Gets an interprocess memory handle for an existing device memory allocation

    pHandle: Pointer to user allocated CUipcMemHandle to return the handle in.
    dptr: Base pointer to previously allocated device memory

    C: CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)

    cuda.h:9352
    """
    ...

def cuIpcOpenMemHandle_v2(handle: CUipcMemHandle | tuple[Any, ...] | dict[str, Any], Flags: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Opens an interprocess memory handle exported from another process and returns a device pointer usable in the local process.

    pdptr: Returned device pointer
    handle: CUipcMemHandle to open
    Flags: Flags for this operation. Must be specified as CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS

    C: CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)

    cuda.h:9413
    """
    ...

def cuIpcCloseMemHandle(dptr: CUdeviceptr | int | None) -> tuple[CUresult]:
    """Attempts to close memory mapped with cuIpcOpenMemHandle

    dptr: Device pointer returned by cuIpcOpenMemHandle

    C: CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)

    cuda.h:9450
    """
    ...

def cuMemHostRegister_v2(p: Address | None, bytesize: int, Flags: int) -> tuple[CUresult]:
    """Registers an existing host memory range for use by CUDA

    p: Host pointer to memory to page-lock
    bytesize: Size in bytes of the address range to page-lock
    Flags: Flags for allocation request

    C: CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)

    cuda.h:9541
    """
    ...

def cuMemHostUnregister(p: Address | None) -> tuple[CUresult]:
    """Unregisters a memory range that was registered with cuMemHostRegister.

    p: Host pointer to memory to unregister

    C: CUresult cuMemHostUnregister(void *p)

    cuda.h:9567
    """
    ...

def cuMemcpy(dst: CUdeviceptr | int | None, src: CUdeviceptr | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory

    dst: Destination unified virtual address space pointer
    src: Source unified virtual address space pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)

    cuda.h:9607
    """
    ...

def cuMemcpyPeer(dstDevice: CUdeviceptr | int | None, dstContext: CUcontext | int | None, srcDevice: CUdeviceptr | int | None, srcContext: CUcontext | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies device memory between two contexts

    dstDevice: Destination device pointer
    dstContext: Destination context
    srcDevice: Source device pointer
    srcContext: Source context
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount)

    cuda.h:9637
    """
    ...

def cuMemcpyHtoD_v2(dstDevice: CUdeviceptr | int | None, srcHost: Address | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Host to Device

    dstDevice: Destination device pointer
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)

    cuda.h:9673
    """
    ...

def cuMemcpyDtoH_v2(dstHost: Address | None, srcDevice: CUdeviceptr | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Device to Host

    dstHost: Destination host pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyDtoH_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)

    cuda.h:9709
    """
    ...

def cuMemcpyDtoD_v2(dstDevice: CUdeviceptr | int | None, srcDevice: CUdeviceptr | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Device to Device

    dstDevice: Destination device pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)

    cuda.h:9745
    """
    ...

def cuMemcpyDtoA_v2(dstArray: CUarray | int | None, dstOffset: int, srcDevice: CUdeviceptr | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Device to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount)

    cuda.h:9781
    """
    ...

def cuMemcpyAtoD_v2(dstDevice: CUdeviceptr | int | None, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Array to Device

    dstDevice: Destination device pointer
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount)

    cuda.h:9819
    """
    ...

def cuMemcpyHtoA_v2(dstArray: CUarray | int | None, dstOffset: int, srcHost: Address | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Host to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)

    cuda.h:9856
    """
    ...

def cuMemcpyAtoH_v2(dstHost: Address | None, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Array to Host

    dstHost: Destination device pointer
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyAtoH_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)

    cuda.h:9893
    """
    ...

def cuMemcpyAtoA_v2(dstArray: CUarray | int | None, dstOffset: int, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Array to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount)

    cuda.h:9933
    """
    ...

def cuMemcpy2D_v2(pCopy: CUDA_MEMCPY2D | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Copies memory for 2D arrays

    pCopy: Parameters for the memory copy

    C: CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy)

    cuda.h:10097
    """
    ...

def cuMemcpy2DUnaligned_v2(pCopy: CUDA_MEMCPY2D | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Copies memory for 2D arrays

    pCopy: Parameters for the memory copy

    C: CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy)

    cuda.h:10259
    """
    ...

def cuMemcpy3D_v2(pCopy: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Copies memory for 3D arrays

    pCopy: Parameters for the memory copy

    C: CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *pCopy)

    cuda.h:10428
    """
    ...

def cuMemcpy3DPeer(pCopy: CUDA_MEMCPY3D_PEER | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Copies memory between contexts

    pCopy: Parameters for the memory copy

    C: CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)

    cuda.h:10452
    """
    ...

def cuMemcpyAsync(dst: CUdeviceptr | int | None, src: CUdeviceptr | int | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory asynchronously

    dst: Destination unified virtual address space pointer
    src: Source unified virtual address space pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)

    cuda.h:10497
    """
    ...

def cuMemcpyPeerAsync(dstDevice: CUdeviceptr | int | None, dstContext: CUcontext | int | None, srcDevice: CUdeviceptr | int | None, srcContext: CUcontext | int | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies device memory between two contexts asynchronously.

    dstDevice: Destination device pointer
    dstContext: Destination context
    srcDevice: Source device pointer
    srcContext: Source context
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount, CUstream hStream)

    cuda.h:10530
    """
    ...

def cuMemcpyHtoDAsync_v2(dstDevice: CUdeviceptr | int | None, srcHost: Address | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Host to Device

    dstDevice: Destination device pointer
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)

    cuda.h:10571
    """
    ...

def cuMemcpyDtoHAsync_v2(dstHost: Address | None, srcDevice: CUdeviceptr | int | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Device to Host

    dstHost: Destination host pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)

    cuda.h:10612
    """
    ...

def cuMemcpyDtoDAsync_v2(dstDevice: CUdeviceptr | int | None, srcDevice: CUdeviceptr | int | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Device to Device

    dstDevice: Destination device pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)

    cuda.h:10653
    """
    ...

def cuMemcpyHtoAAsync_v2(dstArray: CUarray | int | None, dstOffset: int, srcHost: Address | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Host to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount, CUstream hStream)

    cuda.h:10695
    """
    ...

def cuMemcpyAtoHAsync_v2(dstHost: Address | None, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Array to Host

    dstHost: Destination pointer
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyAtoHAsync_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream)

    cuda.h:10737
    """
    ...

def cuMemcpy2DAsync_v2(pCopy: CUDA_MEMCPY2D | tuple[Any, ...] | dict[str, Any] | Address | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory for 2D arrays

    pCopy: Parameters for the memory copy
    hStream: Stream identifier

    C: CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream)

    cuda.h:10906
    """
    ...

def cuMemcpy3DAsync_v2(pCopy: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] | Address | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory for 3D arrays

    pCopy: Parameters for the memory copy
    hStream: Stream identifier

    C: CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *pCopy, CUstream hStream)

    cuda.h:11080
    """
    ...

def cuMemcpy3DPeerAsync(pCopy: CUDA_MEMCPY3D_PEER | tuple[Any, ...] | dict[str, Any] | Address | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory between contexts asynchronously.

    pCopy: Parameters for the memory copy
    hStream: Stream identifier

    C: CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)

    cuda.h:11106
    """
    ...

def cuMemcpyBatchAsync_v2(dsts: Address | None, srcs: Address | None, sizes: Address | None, count: int, attrs: CUmemcpyAttributes | Address | None, attrsIdxs: Address | None, numAttrs: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Performs a batch of memory copies asynchronously.

    dsts: Array of destination pointers.
    srcs: Array of memcpy source pointers.
    sizes: Array of sizes for memcpy operations.
    count: Size of dsts, srcs and sizes arrays
    attrs: Array of memcpy attributes.
    attrsIdxs: Array of indices to specify which copies each entry in the attrs array applies to. The attributes specified in attrs[k] will be applied to copies starting from attrsIdxs[k] through attrsIdxs[k+1] - 1. Also attrs[numAttrs-1] will apply to copies starting from attrsIdxs[numAttrs-1] through count - 1.
    numAttrs: Size of attrs and attrsIdxs arrays.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream)

    cuda.h:11176
    """
    ...

def cuMemcpy3DBatchAsync_v2(numOps: int, opList: CUDA_MEMCPY3D_BATCH_OP | Address | None, flags: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Performs a batch of 3D memory copies asynchronously.

    numOps: Total number of memcpy operations.
    opList: Array of size numOps containing the actual memcpy operations.
    flags: Flags for future use, must be zero now.
    hStream: The stream to enqueue the operations in. Must not be default NULL stream.

    C: CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long flags, CUstream hStream)

    cuda.h:11243
    """
    ...

def cuMemsetD8_v2(dstDevice: CUdeviceptr | int | None, uc: int, N: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    uc: Value to set
    N: Number of elements

    C: CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N)

    cuda.h:11278
    """
    ...

def cuMemsetD16_v2(dstDevice: CUdeviceptr | int | None, us: int, N: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    us: Value to set
    N: Number of elements

    C: CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N)

    cuda.h:11313
    """
    ...

def cuMemsetD32_v2(dstDevice: CUdeviceptr | int | None, ui: int, N: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    ui: Value to set
    N: Number of elements

    C: CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N)

    cuda.h:11348
    """
    ...

def cuMemsetD2D8_v2(dstDevice: CUdeviceptr | int | None, dstPitch: int, uc: int, Width: int, Height: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    uc: Value to set
    Width: Width of row
    Height: Number of rows

    C: CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height)

    cuda.h:11388
    """
    ...

def cuMemsetD2D16_v2(dstDevice: CUdeviceptr | int | None, dstPitch: int, us: int, Width: int, Height: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    us: Value to set
    Width: Width of row
    Height: Number of rows

    C: CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height)

    cuda.h:11429
    """
    ...

def cuMemsetD2D32_v2(dstDevice: CUdeviceptr | int | None, dstPitch: int, ui: int, Width: int, Height: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    ui: Value to set
    Width: Width of row
    Height: Number of rows

    C: CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height)

    cuda.h:11470
    """
    ...

def cuMemsetD8Async(dstDevice: CUdeviceptr | int | None, uc: int, N: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Sets device memory

    dstDevice: Destination device pointer
    uc: Value to set
    N: Number of elements
    hStream: Stream identifier

    C: CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)

    cuda.h:11507
    """
    ...

def cuMemsetD16Async(dstDevice: CUdeviceptr | int | None, us: int, N: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Sets device memory

    dstDevice: Destination device pointer
    us: Value to set
    N: Number of elements
    hStream: Stream identifier

    C: CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)

    cuda.h:11544
    """
    ...

def cuMemsetD32Async(dstDevice: CUdeviceptr | int | None, ui: int, N: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Sets device memory

    dstDevice: Destination device pointer
    ui: Value to set
    N: Number of elements
    hStream: Stream identifier

    C: CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)

    cuda.h:11580
    """
    ...

def cuMemsetD2D8Async(dstDevice: CUdeviceptr | int | None, dstPitch: int, uc: int, Width: int, Height: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Sets device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    uc: Value to set
    Width: Width of row
    Height: Number of rows
    hStream: Stream identifier

    C: CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, CUstream hStream)

    cuda.h:11622
    """
    ...

def cuMemsetD2D16Async(dstDevice: CUdeviceptr | int | None, dstPitch: int, us: int, Width: int, Height: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Sets device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    us: Value to set
    Width: Width of row
    Height: Number of rows
    hStream: Stream identifier

    C: CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height, CUstream hStream)

    cuda.h:11665
    """
    ...

def cuMemsetD2D32Async(dstDevice: CUdeviceptr | int | None, dstPitch: int, ui: int, Width: int, Height: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Sets device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    ui: Value to set
    Width: Width of row
    Height: Number of rows
    hStream: Stream identifier

    C: CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height, CUstream hStream)

    cuda.h:11708
    """
    ...

def cuArrayCreate_v2(pAllocateArray: CUDA_ARRAY_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUarray | None]:
    """Creates a 1D or 2D CUDA array

    pHandle: Returned array
    pAllocateArray: Array descriptor

    C: CUresult cuArrayCreate_v2(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)

    cuda.h:11855
    """
    ...

def cuArrayGetDescriptor_v2(pArrayDescriptor: CUDA_ARRAY_DESCRIPTOR | Address | None, hArray: CUarray | int | None) -> tuple[CUresult]:
    """Get a 1D or 2D CUDA array descriptor

    pArrayDescriptor: Returned array descriptor
    hArray: Array to get descriptor of

    C: CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)

    cuda.h:11889
    """
    ...

def cuArrayGetSparseProperties(array: CUarray | int | None) -> tuple[CUresult, CUDA_ARRAY_SPARSE_PROPERTIES | None]:
    """Returns the layout properties of a sparse CUDA array

    sparseProperties: Pointer to CUDA_ARRAY_SPARSE_PROPERTIES
    array: CUDA array to get the sparse properties of

    C: CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUarray array)

    cuda.h:11913
    """
    ...

def cuMipmappedArrayGetSparseProperties(mipmap: CUmipmappedArray | int | None) -> tuple[CUresult, CUDA_ARRAY_SPARSE_PROPERTIES | None]:
    """Returns the layout properties of a sparse CUDA mipmapped array

    sparseProperties: Pointer to CUDA_ARRAY_SPARSE_PROPERTIES
    mipmap: CUDA mipmapped array to get the sparse properties of

    C: CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUmipmappedArray mipmap)

    cuda.h:11938
    """
    ...

def cuArrayGetMemoryRequirements(array: CUarray | int | None, device: CUdevice | int | None) -> tuple[CUresult, CUDA_ARRAY_MEMORY_REQUIREMENTS | None]:
    """Returns the memory requirements of a CUDA array

    memoryRequirements: Pointer to CUDA_ARRAY_MEMORY_REQUIREMENTS
    array: CUDA array to get the memory requirements of
    device: Device to get the memory requirements for

    C: CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements, CUarray array, CUdevice device)

    cuda.h:11961
    """
    ...

def cuMipmappedArrayGetMemoryRequirements(mipmap: CUmipmappedArray | int | None, device: CUdevice | int | None) -> tuple[CUresult, CUDA_ARRAY_MEMORY_REQUIREMENTS | None]:
    """Returns the memory requirements of a CUDA mipmapped array

    memoryRequirements: Pointer to CUDA_ARRAY_MEMORY_REQUIREMENTS
    mipmap: CUDA mipmapped array to get the memory requirements of
    device: Device to get the memory requirements for

    C: CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements, CUmipmappedArray mipmap, CUdevice device)

    cuda.h:11985
    """
    ...

def cuArrayGetPlane(hArray: CUarray | int | None, planeIdx: int) -> tuple[CUresult, CUarray | None]:
    """Gets a CUDA array plane from a CUDA array

    pPlaneArray: Returned CUDA array referenced by the planeIdx
    hArray: Multiplanar CUDA array
    planeIdx: Plane index

    C: CUresult cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray, unsigned int planeIdx)

    cuda.h:12018
    """
    ...

def cuArrayDestroy(hArray: CUarray | int | None) -> tuple[CUresult]:
    """Destroys a CUDA array

    hArray: Array to destroy

    C: CUresult cuArrayDestroy(CUarray hArray)

    cuda.h:12049
    """
    ...

def cuArray3DCreate_v2(pAllocateArray: CUDA_ARRAY3D_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUarray | None]:
    """Creates a 3D CUDA array

    pHandle: Returned array
    pAllocateArray: 3D array descriptor

    C: CUresult cuArray3DCreate_v2(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)

    cuda.h:12272
    """
    ...

def cuArray3DGetDescriptor_v2(pArrayDescriptor: CUDA_ARRAY3D_DESCRIPTOR | Address | None, hArray: CUarray | int | None) -> tuple[CUresult]:
    """Get a 3D CUDA array descriptor

    pArrayDescriptor: Returned 3D array descriptor
    hArray: 3D array to get descriptor of

    C: CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)

    cuda.h:12310
    """
    ...

def cuMipmappedArrayCreate(pMipmappedArrayDesc: CUDA_ARRAY3D_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] | Address | None, numMipmapLevels: int) -> tuple[CUresult, CUmipmappedArray | None]:
    """Creates a CUDA mipmapped array

    pHandle: Returned mipmapped array
    pMipmappedArrayDesc: mipmapped array descriptor
    numMipmapLevels: Number of mipmap levels

    C: CUresult cuMipmappedArrayCreate(CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc, unsigned int numMipmapLevels)

    cuda.h:12495
    """
    ...

def cuMipmappedArrayGetLevel(hMipmappedArray: CUmipmappedArray | int | None, level: int) -> tuple[CUresult, CUarray | None]:
    """Gets a mipmap level of a CUDA mipmapped array

    pLevelArray: Returned mipmap level CUDA array
    hMipmappedArray: CUDA mipmapped array
    level: Mipmap level

    C: CUresult cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level)

    cuda.h:12525
    """
    ...

def cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray | int | None) -> tuple[CUresult]:
    """Destroys a CUDA mipmapped array

    hMipmappedArray: Mipmapped array to destroy

    C: CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray)

    cuda.h:12550
    """
    ...

def cuMemBatchDecompressAsync(paramsArray: CUmemDecompressParams | Address | None, count: int, flags: int, stream: CUstream | int | None) -> tuple[CUresult, int | None]:
    """Submit a batch of count independent decompression operations.

    paramsArray: The array of structures describing the independent decompression operations.
    count: The number of entries in paramsArray array.
    flags: Must be 0.
    errorIndex: The index into paramsArray of the decompression operation for which the error returned by this function pertains to. If index is SIZE_MAX and the value returned is not CUDA_SUCCESS, then the error returned by this function should be considered a general error that does not pertain to a particular decompression operation. May be NULL, in which case, no index will be recorded in the event of error.
    stream: The stream where the work will be enqueued.

    C: CUresult cuMemBatchDecompressAsync(CUmemDecompressParams *paramsArray, size_t count, unsigned int flags, size_t *errorIndex, CUstream stream)

    cuda.h:12698
    """
    ...

def cuMemAddressReserve(size: int, alignment: int, addr: CUdeviceptr | int | None, flags: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Allocate an address range reservation.

    ptr: Resulting pointer to start of virtual address range allocated
    size: Size of the reserved virtual address range requested
    alignment: Alignment of the reserved virtual address range requested
    addr: Hint address for the start of the address range
    flags: Currently unused, must be zero

    C: CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned long flags)

    cuda.h:12747
    """
    ...

def cuMemAddressFree(ptr: CUdeviceptr | int | None, size: int) -> tuple[CUresult]:
    """Free an address range reservation.

    ptr: Starting address of the virtual address range to free
    size: Size of the virtual address region to free

    C: CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)

    cuda.h:12768
    """
    ...

def cuMemCreate(size: int, prop: CUmemAllocationProp | tuple[Any, ...] | dict[str, Any] | Address | None, flags: int) -> tuple[CUresult, CUmemGenericAllocationHandle | None]:
    """Create a CUDA memory handle representing a memory allocation of a given size described by the given properties

    handle: Value of handle returned. All operations on this allocation are to be performed using this handle.
    size: Size of the allocation requested
    prop: Properties of the allocation to create.
    flags: flags for future use, must be zero now.

    C: CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop, unsigned long flags)

    cuda.h:12834
    """
    ...

def cuMemRelease(handle: CUmemGenericAllocationHandle | int | None) -> tuple[CUresult]:
    """Release a memory handle representing a memory allocation which was previously allocated through cuMemCreate.

    handle: Value of handle which was returned previously by cuMemCreate.

    C: CUresult cuMemRelease(CUmemGenericAllocationHandle handle)

    cuda.h:12861
    """
    ...

def cuMemMap(ptr: CUdeviceptr | int | None, size: int, offset: int, handle: CUmemGenericAllocationHandle | int | None, flags: int) -> tuple[CUresult]:
    """Maps an allocation handle to a reserved virtual address range.

    ptr: Address where memory will be mapped.
    size: Size of the memory mapping.
    offset: Offset into the memory represented by - handle from which to start mapping - Note: currently must be zero.
    handle: Handle to a shareable memory
    flags: flags for future use, must be zero now.

    C: CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long flags)

    cuda.h:12918
    """
    ...

def cuMemMapArrayAsync(mapInfoList: CUarrayMapInfo | Address | None, count: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Maps or unmaps subregions of sparse CUDA arrays and sparse CUDA mipmapped arrays

    mapInfoList: List of CUarrayMapInfo
    count: Count of CUarrayMapInfo in mapInfoList
    hStream: Stream identifier for the stream to use for map or unmap operations

    C: CUresult cuMemMapArrayAsync(CUarrayMapInfo *mapInfoList, unsigned int count, CUstream hStream)

    cuda.h:13053
    """
    ...

def cuMemUnmap(ptr: CUdeviceptr | int | None, size: int) -> tuple[CUresult]:
    """Unmap the backing memory of a given address range.

    ptr: Starting address for the virtual address range to unmap
    size: Size of the virtual address range to unmap

    C: CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)

    cuda.h:13082
    """
    ...

def cuMemSetAccess(ptr: CUdeviceptr | int | None, size: int, desc: CUmemAccessDesc | tuple[Any, ...] | dict[str, Any] | Address | None, count: int) -> tuple[CUresult]:
    """Set the access flags for each location specified in desc for the given virtual address range

    ptr: Starting address for the virtual address range
    size: Length of the virtual address range
    desc: Array of CUmemAccessDesc that describe how to change the - mapping for each location specified
    count: Number of CUmemAccessDesc in desc

    C: CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)

    cuda.h:13116
    """
    ...

def cuMemGetAccess(location: CUmemLocation | tuple[Any, ...] | dict[str, Any] | Address | None, ptr: CUdeviceptr | int | None) -> tuple[CUresult, int | None]:
    """Get the access flags set for the given location and ptr

    flags: Flags set for this location
    location: Location in which to check the flags for
    ptr: Address in which to check the access flags for

    C: CUresult cuMemGetAccess(unsigned long *flags, const CUmemLocation *location, CUdeviceptr ptr)

    cuda.h:13135
    """
    ...

def cuMemImportFromShareableHandle(osHandle: Address | None, shHandleType: CUmemAllocationHandleType | int) -> tuple[CUresult, CUmemGenericAllocationHandle | None]:
    """Imports an allocation from a requested shareable handle type.

    handle: CUDA Memory handle for the memory allocation.
    osHandle: Shareable Handle representing the memory allocation that is to be imported.
    shHandleType: handle type of the exported handle CUmemAllocationHandleType.

    C: CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle, CUmemAllocationHandleType shHandleType)

    cuda.h:13199
    """
    ...

def cuMemGetAllocationGranularity(prop: CUmemAllocationProp | tuple[Any, ...] | dict[str, Any] | Address | None, option: CUmemAllocationGranularity_flags | int) -> tuple[CUresult, int | None]:
    """Calculates either the minimal or recommended granularity

    granularity: Returned granularity.
    prop: Property for which to determine the granularity for
    option: Determines which granularity to return

    C: CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags option)

    cuda.h:13221
    """
    ...

def cuMemGetAllocationPropertiesFromHandle(handle: CUmemGenericAllocationHandle | int | None) -> tuple[CUresult, CUmemAllocationProp | None]:
    """Retrieve the contents of the property structure defining properties for this handle

    prop: Pointer to a properties structure which will hold the information about this handle
    handle: Handle which to perform the query on

    C: CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)

    cuda.h:13238
    """
    ...

def cuMemRetainAllocationHandle(addr: Address | None) -> tuple[CUresult, CUmemGenericAllocationHandle | None]:
    """Given an address addr, returns the allocation handle of the backing memory allocation.

    handle: CUDA Memory handle for the backing memory allocation.
    addr: Memory address to query, that has been mapped previously.

    C: CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)

    cuda.h:13262
    """
    ...

def cuMemFreeAsync(dptr: CUdeviceptr | int | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Frees memory with stream ordered semantics

    dptr: memory to free
    hStream: The stream establishing the stream ordering contract.

    C: CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)

    cuda.h:13319
    """
    ...

def cuMemAllocAsync(bytesize: int, hStream: CUstream | int | None) -> tuple[CUresult, CUdeviceptr | None]:
    """Allocates memory with stream ordered semantics

    dptr: Returned device pointer
    bytesize: Number of bytes to allocate
    hStream: The stream establishing the stream ordering contract and the memory pool to allocate from

    C: CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)

    cuda.h:13352
    """
    ...

def cuMemPoolTrimTo(pool: CUmemoryPool | int | None, minBytesToKeep: int) -> tuple[CUresult]:
    """Tries to release memory back to the OS

    pool: The memory pool to trim
    minBytesToKeep: If the pool has less than minBytesToKeep reserved, the TrimTo operation is a no-op. Otherwise the pool will be guaranteed to have at least minBytesToKeep bytes reserved after the operation.

    C: CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)

    cuda.h:13378
    """
    ...

def cuMemPoolSetAccess(pool: CUmemoryPool | int | None, map: CUmemAccessDesc | tuple[Any, ...] | dict[str, Any] | Address | None, count: int) -> tuple[CUresult]:
    """Controls visibility of pools between devices

    pool: The pool being modified
    map: Array of access descriptors. Each descriptor instructs the access to enable for a single gpu.
    count: Number of descriptors in the map array.

    C: CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)

    cuda.h:13485
    """
    ...

def cuMemPoolGetAccess(memPool: CUmemoryPool | int | None, location: CUmemLocation | Address | None) -> tuple[CUresult, CUmemAccess_flags | None]:
    """Returns the accessibility of a pool from a device

    flags: the accessibility of the pool from the specified location
    memPool: the pool being queried
    location: the location accessing the pool

    C: CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location)

    cuda.h:13499
    """
    ...

def cuMemPoolCreate(poolProps: CUmemPoolProps | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUmemoryPool | None]:
    """Creates a memory pool

    C: CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)

    cuda.h:13553
    """
    ...

def cuMemPoolDestroy(pool: CUmemoryPool | int | None) -> tuple[CUresult]:
    """Destroys the specified memory pool

    C: CUresult cuMemPoolDestroy(CUmemoryPool pool)

    cuda.h:13576
    """
    ...

def cuMemGetDefaultMemPool(location: CUmemLocation | Address | None, typename: CUmemAllocationType | int) -> tuple[CUresult, CUmemoryPool | None]:
    """Returns the default memory pool for a given location and allocation type

    C: CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location, CUmemAllocationType type)

    cuda.h:13598
    """
    ...

def cuMemGetMemPool(location: CUmemLocation | Address | None, typename: CUmemAllocationType | int) -> tuple[CUresult, CUmemoryPool | None]:
    """Gets the current memory pool for a memory location and of a particular allocation type

    C: CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)

    cuda.h:13620
    """
    ...

def cuMemSetMemPool(location: CUmemLocation | Address | None, typename: CUmemAllocationType | int, pool: CUmemoryPool | int | None) -> tuple[CUresult]:
    """Sets the current memory pool for a memory location and allocation type

    C: CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)

    cuda.h:13647
    """
    ...

def cuMemAllocFromPoolAsync(bytesize: int, pool: CUmemoryPool | int | None, hStream: CUstream | int | None) -> tuple[CUresult, CUdeviceptr | None]:
    """Allocates memory from a specified pool with stream ordered semantics.

    dptr: Returned device pointer
    bytesize: Number of bytes to allocate
    pool: The pool to allocate from
    hStream: The stream establishing the stream ordering semantic

    C: CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream)

    cuda.h:13685
    """
    ...

def cuMemPoolImportFromShareableHandle(handle: Address | None, handleType: CUmemAllocationHandleType | int, flags: int) -> tuple[CUresult, CUmemoryPool | None]:
    """imports a memory pool from a shared handle.

    pool_out: Returned memory pool
    handle: OS handle of the pool to open
    handleType: The type of handle being imported
    flags: must be 0

    C: CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle, CUmemAllocationHandleType handleType, unsigned long flags)

    cuda.h:13743
    """
    ...

def cuMemPoolExportPointer(ptr: CUdeviceptr | int | None) -> tuple[CUresult, CUmemPoolPtrExportData | None]:
    """Export data to share a memory pool allocation between processes.

    shareData_out: Returned export data
    ptr: pointer to memory being exported

    C: CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr)

    cuda.h:13767
    """
    ...

def cuMemPoolImportPointer(pool: CUmemoryPool | int | None, shareData: CUmemPoolPtrExportData | Address | None) -> tuple[CUresult, CUdeviceptr | None]:
    """Import a memory pool allocation from another process.

    ptr_out: pointer to imported memory
    pool: pool from which to import
    shareData: data specifying the memory to import

    C: CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData *shareData)

    cuda.h:13796
    """
    ...

def cuMulticastCreate(prop: CUmulticastObjectProp | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUmemGenericAllocationHandle | None]:
    """Create a generic allocation handle representing a multicast object described by the given properties.

    mcHandle: Value of handle returned.
    prop: Properties of the multicast object to create.

    C: CUresult cuMulticastCreate(CUmemGenericAllocationHandle *mcHandle, const CUmulticastObjectProp *prop)

    cuda.h:13867
    """
    ...

def cuMulticastAddDevice(mcHandle: CUmemGenericAllocationHandle | int | None, dev: CUdevice | int | None) -> tuple[CUresult]:
    """Associate a device to a multicast object.

    mcHandle: Handle representing a multicast object.
    dev: Device that will be associated to the multicast object.

    C: CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice dev)

    cuda.h:13900
    """
    ...

def cuMulticastBindMem(mcHandle: CUmemGenericAllocationHandle | int | None, mcOffset: int, memHandle: CUmemGenericAllocationHandle | int | None, memOffset: int, size: int, flags: int) -> tuple[CUresult]:
    """Bind a memory allocation represented by a handle to a multicast object.

    mcHandle: Handle representing a multicast object.
    mcOffset: Offset into the multicast object for attachment.
    memHandle: Handle representing a memory allocation.
    memOffset: Offset into the memory for attachment.
    size: Size of the memory that will be bound to the multicast object.
    flags: Flags for future use, must be zero for now.

    C: CUresult cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUmemGenericAllocationHandle memHandle, size_t memOffset, size_t size, unsigned long flags)

    cuda.h:13955
    """
    ...

def cuMulticastBindAddr(mcHandle: CUmemGenericAllocationHandle | int | None, mcOffset: int, memptr: CUdeviceptr | int | None, size: int, flags: int) -> tuple[CUresult]:
    """Bind a memory allocation represented by a virtual address to a multicast object.

    mcHandle: Handle representing a multicast object.
    mcOffset: Offset into multicast va range for attachment.
    memptr: Virtual address of the memory allocation.
    size: Size of memory that will be bound to the multicast object.
    flags: Flags for future use, must be zero now.

    C: CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr memptr, size_t size, unsigned long flags)

    cuda.h:14008
    """
    ...

def cuMulticastUnbind(mcHandle: CUmemGenericAllocationHandle | int | None, dev: CUdevice | int | None, mcOffset: int, size: int) -> tuple[CUresult]:
    """Unbind any memory allocations bound to a multicast object at a given offset and upto a given size.

    mcHandle: Handle representing a multicast object.
    dev: Device that hosts the memory allocation.
    mcOffset: Offset into the multicast object.
    size: Desired size to unbind.

    C: CUresult cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev, size_t mcOffset, size_t size)

    cuda.h:14042
    """
    ...

def cuMulticastGetGranularity(prop: CUmulticastObjectProp | tuple[Any, ...] | dict[str, Any] | Address | None, option: CUmulticastGranularity_flags | int) -> tuple[CUresult, int | None]:
    """Calculates either the minimal or recommended granularity for multicast object

    granularity: Returned granularity.
    prop: Properties of the multicast object.
    option: Determines which granularity to return.

    C: CUresult cuMulticastGetGranularity(size_t *granularity, const CUmulticastObjectProp *prop, CUmulticastGranularity_flags option)

    cuda.h:14066
    """
    ...

def cuMemPrefetchAsync_v2(devPtr: CUdeviceptr | int | None, count: int, location: CUmemLocation | tuple[Any, ...] | dict[str, Any], flags: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Prefetches memory to the specified destination location

    devPtr: Pointer to be prefetched
    count: Size in bytes
    location: Location to prefetch to
    flags: flags for future use, must be zero now.
    hStream: Stream to enqueue prefetch operation

    C: CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream)

    cuda.h:14434
    """
    ...

def cuMemAdvise_v2(devPtr: CUdeviceptr | int | None, count: int, advice: CUmem_advise | int, location: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> tuple[CUresult]:
    """Advise about the usage of a given memory range

    devPtr: Pointer to memory to set the advice for
    count: Size in bytes of the memory range
    advice: Advice to be applied for the specified memory range
    location: location to apply the advice for

    C: CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)

    cuda.h:14555
    """
    ...

def cuMemPrefetchBatchAsync(dptrs: Address | None, sizes: Address | None, count: int, prefetchLocs: CUmemLocation | Address | None, prefetchLocIdxs: Address | None, numPrefetchLocs: int, flags: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Performs a batch of memory prefetches asynchronously

    dptrs: Array of pointers to be prefetched
    sizes: Array of sizes for memory prefetch operations.
    count: Size of dptrs and sizes arrays.
    prefetchLocs: Array of locations to prefetch to.
    prefetchLocIdxs: Array of indices to specify which operands each entry in the prefetchLocs array applies to. The locations specified in prefetchLocs[k] will be applied to copies starting from prefetchLocIdxs[k] through prefetchLocIdxs[k+1] - 1. Also prefetchLocs[numPrefetchLocs - 1] will apply to prefetches starting from prefetchLocIdxs[numPrefetchLocs - 1] through count - 1.
    numPrefetchLocs: Size of prefetchLocs and prefetchLocIdxs arrays.
    flags: Flags reserved for future use. Must be zero.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: CUresult cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long flags, CUstream hStream)

    cuda.h:14596
    """
    ...

def cuMemDiscardBatchAsync(dptrs: Address | None, sizes: Address | None, count: int, flags: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Performs a batch of memory discards asynchronously

    dptrs: Array of pointers to be discarded
    sizes: Array of sizes for memory discard operations.
    count: Size of dptrs and sizes arrays.
    flags: Flags reserved for future use. Must be zero.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: CUresult cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long flags, CUstream hStream)

    cuda.h:14629
    """
    ...

def cuMemDiscardAndPrefetchBatchAsync(dptrs: Address | None, sizes: Address | None, count: int, prefetchLocs: CUmemLocation | Address | None, prefetchLocIdxs: Address | None, numPrefetchLocs: int, flags: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Performs a batch of memory discards and prefetches asynchronously

    dptrs: Array of pointers to be discarded
    sizes: Array of sizes for memory discard operations.
    count: Size of dptrs and sizes arrays.
    prefetchLocs: Array of locations to prefetch to.
    prefetchLocIdxs: Array of indices to specify which operands each entry in the prefetchLocs array applies to. The locations specified in prefetchLocs[k] will be applied to operations starting from prefetchLocIdxs[k] through prefetchLocIdxs[k+1] - 1. Also prefetchLocs[numPrefetchLocs - 1] will apply to copies starting from prefetchLocIdxs[numPrefetchLocs - 1] through count - 1.
    numPrefetchLocs: Size of prefetchLocs and prefetchLocIdxs arrays.
    flags: Flags reserved for future use. Must be zero.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long flags, CUstream hStream)

    cuda.h:14677
    """
    ...

def cuStreamCreate(Flags: int) -> tuple[CUresult, CUstream | None]:
    """Create a stream

    phStream: Returned newly created stream
    Flags: Parameters for stream creation

    C: CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)

    cuda.h:14949
    """
    ...

def cuStreamCreateWithPriority(flags: int, priority: int) -> tuple[CUresult, CUstream | None]:
    """Create a stream with the given priority

    phStream: Returned newly created stream
    flags: Flags for stream creation. See cuStreamCreate for a list of valid flags
    priority: Stream priority. Lower numbers represent higher priorities. See cuCtxGetStreamPriorityRange for more information about meaningful stream priorities that can be passed.

    C: CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)

    cuda.h:15002
    """
    ...

def cuStreamGetPriority(hStream: CUstream | int | None) -> tuple[CUresult, int | None]:
    """Query the priority of a given stream

    hStream: Handle to the stream to be queried
    priority: Pointer to a signed integer in which the stream's priority is returned

    C: CUresult cuStreamGetPriority(CUstream hStream, int *priority)

    cuda.h:15034
    """
    ...

def cuStreamGetDevice(hStream: CUstream | int | None) -> tuple[CUresult, CUdevice | None]:
    """Returns the device handle of the stream

    hStream: Handle to the stream to be queried
    device: Returns the device to which a stream belongs

    C: CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device)

    cuda.h:15060
    """
    ...

def cuStreamGetFlags(hStream: CUstream | int | None) -> tuple[CUresult, int | None]:
    """Query the flags of a given stream

    hStream: Handle to the stream to be queried
    flags: Pointer to an unsigned integer in which the stream's flags are returned The value returned in flags is a logical 'OR' of all flags that were used while creating this stream. See cuStreamCreate for the list of valid flags

    C: CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)

    cuda.h:15090
    """
    ...

def cuStreamGetId(hStream: CUstream | int | None) -> tuple[CUresult, int | None]:
    """Returns the unique Id associated with the stream handle supplied

    hStream: Handle to the stream to be queried
    streamId: Pointer to store the Id of the stream

    C: CUresult cuStreamGetId(CUstream hStream, unsigned long *streamId)

    cuda.h:15123
    """
    ...

def cuStreamGetCtx(hStream: CUstream | int | None) -> tuple[CUresult, CUcontext | None]:
    """Query the context associated with a stream

    hStream: Handle to the stream to be queried
    pctx: Returned context associated with the stream

    C: CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)

    cuda.h:15173
    """
    ...

def cuStreamGetCtx_v2(hStream: CUstream | int | None) -> tuple[CUresult, CUcontext | None, CUgreenCtx | None]:
    """Query the contexts associated with a stream

    hStream: Handle to the stream to be queried
    pCtx: Returned regular context associated with the stream
    pGreenCtx: Returned green context if the stream is associated with a green context or NULL if not

    C: CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx)

    cuda.h:15231
    """
    ...

def cuStreamWaitEvent(hStream: CUstream | int | None, hEvent: CUevent | int | None, Flags: int) -> tuple[CUresult]:
    """Make a compute stream wait on an event

    hStream: Stream to wait
    hEvent: Event to wait on (may not be NULL)
    Flags: See CUevent_capture_flags

    C: CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)

    cuda.h:15268
    """
    ...

def cuStreamAddCallback(hStream: CUstream | int | None, callback: Callable[[CUstream, CUresult, Pointer], object] | None, userData: Address | None, flags: int) -> tuple[CUresult]:
    """Add a callback to a compute stream

    hStream: Stream to add callback to
    callback: The function to call once preceding stream operations are complete
    userData: User specified data to be passed to the callback function
    flags: Reserved for future use, must be 0

    C: CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags)

    cuda.h:15343
    """
    ...

def cuStreamBeginCapture_v2(hStream: CUstream | int | None, mode: CUstreamCaptureMode | int) -> tuple[CUresult]:
    """Begins graph capture on a stream

    hStream: Stream in which to initiate capture
    mode: Controls the interaction of this capture sequence with other API calls that are potentially unsafe. For more details see cuThreadExchangeStreamCaptureMode.

    C: CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode)

    cuda.h:15381
    """
    ...

def cuStreamBeginCaptureToGraph(hStream: CUstream | int | None, hGraph: CUgraph | int | None, dependencies: Address | None, dependencyData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, mode: CUstreamCaptureMode | int) -> tuple[CUresult]:
    """Begins graph capture on a stream to an existing graph

    hStream: Stream in which to initiate capture.
    hGraph: Graph to capture into.
    dependencies: Dependencies of the first node captured in the stream. Can be NULL if numDependencies is 0.
    dependencyData: Optional array of data associated with each dependency.
    numDependencies: Number of dependencies.
    mode: Controls the interaction of this capture sequence with other API calls that are potentially unsafe. For more details see cuThreadExchangeStreamCaptureMode.

    C: CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, CUstreamCaptureMode mode)

    cuda.h:15427
    """
    ...

def cuThreadExchangeStreamCaptureMode(mode: CUstreamCaptureMode | int) -> tuple[CUresult, CUstreamCaptureMode | None]:
    """Swaps the stream capture interaction mode for a thread

    mode: Pointer to mode value to swap with the current mode

    C: CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)

    cuda.h:15480
    """
    ...

def cuStreamEndCapture(hStream: CUstream | int | None) -> tuple[CUresult, CUgraph | None]:
    """Ends capture on a stream, returning the captured graph

    hStream: Stream to query
    phGraph: The captured graph

    C: CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)

    cuda.h:15511
    """
    ...

def cuStreamIsCapturing(hStream: CUstream | int | None) -> tuple[CUresult, CUstreamCaptureStatus | None]:
    """Returns a stream's capture status

    hStream: Stream to query
    captureStatus: Returns the stream's capture status

    C: CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)

    cuda.h:15551
    """
    ...

def cuStreamGetCaptureInfo_v3(hStream: CUstream | int | None, id_out: Address | None, graph_out: Address | None, dependencies_out: Address | None, edgeData_out: Address | None, numDependencies_out: Address | None) -> tuple[CUresult, CUstreamCaptureStatus | None]:
    """Query a stream's capture state

    hStream: The stream to query
    captureStatus_out: Location to return the capture status of the stream; required
    id_out: Optional location to return an id for the capture sequence, which is unique over the lifetime of the process
    graph_out: Optional location to return the graph being captured into. All operations other than destroy and node removal are permitted on the graph while the capture sequence is in progress. This API does not transfer ownership of the graph, which is transferred or destroyed at cuStreamEndCapture. Note that the graph handle may be invalidated before end of capture for certain errors. Nodes that are or become unreachable from the original stream at cuStreamEndCapture due to direct actions on the graph do not trigger CUDA_ERROR_STREAM_CAPTURE_UNJOINED.
    dependencies_out: Optional location to store a pointer to an array of nodes. The next node to be captured in the stream will depend on this set of nodes, absent operations such as event wait which modify this set. The array pointer is valid until the next API call which operates on the stream or until the capture is terminated. The node handles may be copied out and are valid until they or the graph is destroyed. The driver-owned array may also be passed directly to APIs that operate on the graph (not the stream) without copying.
    edgeData_out: Optional location to store a pointer to an array of graph edge data. This array parallels dependencies_out; the next node to be added has an edge to dependencies_out[i] with annotation edgeData_out[i] for each i. The array pointer is valid until the next API call which operates on the stream or until the capture is terminated.
    numDependencies_out: Optional location to store the size of the array returned in dependencies_out.

    C: CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out, CUgraph *graph_out, const CUgraphNode **dependencies_out, const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out)

    cuda.h:15610
    """
    ...

def cuStreamUpdateCaptureDependencies_v2(hStream: CUstream | int | None, dependencies: Address | None, dependencyData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, flags: int) -> tuple[CUresult]:
    """Update the set of dependencies in a capturing stream

    hStream: The stream to update
    dependencies: The set of dependencies to add
    dependencyData: Optional array of data associated with each dependency.
    numDependencies: The size of the dependencies array
    flags: See above

    C: CUresult cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, unsigned int flags)

    cuda.h:15647
    """
    ...

def cuStreamAttachMemAsync(hStream: CUstream | int | None, dptr: CUdeviceptr | int | None, length: int, flags: int) -> tuple[CUresult]:
    """Attach memory to a stream asynchronously

    hStream: Stream in which to enqueue the attach operation
    dptr: Pointer to memory (must be a pointer to managed memory or to a valid host-accessible region of system-allocated pageable memory)
    length: Length of memory
    flags: Must be one of CUmemAttach_flags

    C: CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags)

    cuda.h:15736
    """
    ...

def cuStreamQuery(hStream: CUstream | int | None) -> tuple[CUresult]:
    """Determine status of a compute stream

    hStream: Stream to query status of

    C: CUresult cuStreamQuery(CUstream hStream)

    cuda.h:15766
    """
    ...

def cuStreamSynchronize(hStream: CUstream | int | None) -> tuple[CUresult]:
    """Wait until a stream's tasks are completed

    hStream: Stream to wait for

    C: CUresult cuStreamSynchronize(CUstream hStream)

    cuda.h:15795
    """
    ...

def cuStreamDestroy_v2(hStream: CUstream | int | None) -> tuple[CUresult]:
    """Destroys a stream

    hStream: Stream to destroy

    C: CUresult cuStreamDestroy_v2(CUstream hStream)

    cuda.h:15825
    """
    ...

def cuStreamCopyAttributes(dst: CUstream | int | None, src: CUstream | int | None) -> tuple[CUresult]:
    """Copies attributes from source stream to destination stream.

    dst: Destination stream
    src: Source stream For list of attributes see CUstreamAttrID

    C: CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)

    cuda.h:15845
    """
    ...

def cuStreamGetAttribute(hStream: CUstream | int | None, attr: CUlaunchAttributeID | int) -> tuple[CUresult, CUlaunchAttributeValue | None]:
    """Queries stream attribute.

    C: CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out)

    cuda.h:15866
    """
    ...

def cuStreamSetAttribute(hStream: CUstream | int | None, attr: CUlaunchAttributeID | int, value: CUlaunchAttributeValue | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets stream attribute.

    C: CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value)

    cuda.h:15889
    """
    ...

def cuEventCreate(Flags: int) -> tuple[CUresult, CUevent | None]:
    """Creates an event

    phEvent: Returns newly created event
    Flags: Event creation flags

    C: CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)

    cuda.h:15946
    """
    ...

def cuEventRecord(hEvent: CUevent | int | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Records an event

    hEvent: Event to record
    hStream: Stream to record event for

    C: CUresult cuEventRecord(CUevent hEvent, CUstream hStream)

    cuda.h:15989
    """
    ...

def cuEventRecordWithFlags(hEvent: CUevent | int | None, hStream: CUstream | int | None, flags: int) -> tuple[CUresult]:
    """Records an event

    hEvent: Event to record
    hStream: Stream to record event for
    flags: See CUevent_capture_flags

    C: CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)

    cuda.h:16039
    """
    ...

def cuEventQuery(hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Queries an event's status

    hEvent: Event to query

    C: CUresult cuEventQuery(CUevent hEvent)

    cuda.h:16071
    """
    ...

def cuEventSynchronize(hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Waits for an event to complete

    hEvent: Event to wait for

    C: CUresult cuEventSynchronize(CUevent hEvent)

    cuda.h:16102
    """
    ...

def cuEventDestroy_v2(hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Destroys an event

    hEvent: Event to destroy

    C: CUresult cuEventDestroy_v2(CUevent hEvent)

    cuda.h:16131
    """
    ...

def cuEventElapsedTime_v2(pMilliseconds: Address | None, hStart: CUevent | int | None, hEnd: CUevent | int | None) -> tuple[CUresult]:
    """Computes the elapsed time between two events

    pMilliseconds: Time between hStart and hEnd in ms
    hStart: Starting event
    hEnd: Ending event

    C: CUresult cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd)

    cuda.h:16179
    """
    ...

def cuImportExternalMemory(memHandleDesc: CUDA_EXTERNAL_MEMORY_HANDLE_DESC | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUexternalMemory | None]:
    """Imports an external memory object

    extMem_out: Returned handle to an external memory object
    memHandleDesc: Memory import handle descriptor

    C: CUresult cuImportExternalMemory(CUexternalMemory *extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc)

    cuda.h:16368
    """
    ...

def cuExternalMemoryGetMappedBuffer(extMem: CUexternalMemory | int | None, bufferDesc: CUDA_EXTERNAL_MEMORY_BUFFER_DESC | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUdeviceptr | None]:
    """Maps a buffer onto an imported memory object

    devPtr: Returned device pointer to buffer
    extMem: Handle to external memory object
    bufferDesc: Buffer descriptor

    C: CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc)

    cuda.h:16422
    """
    ...

def cuExternalMemoryGetMappedMipmappedArray(extMem: CUexternalMemory | int | None, mipmapDesc: CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUmipmappedArray | None]:
    """Maps a CUDA mipmapped array onto an external memory object

    mipmap: Returned CUDA mipmapped array
    extMem: Handle to external memory object
    mipmapDesc: CUDA array descriptor

    C: CUresult cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *mipmap, CUexternalMemory extMem, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc)

    cuda.h:16478
    """
    ...

def cuDestroyExternalMemory(extMem: CUexternalMemory | int | None) -> tuple[CUresult]:
    """Destroys an external memory object.

    extMem: External memory object to be destroyed

    C: CUresult cuDestroyExternalMemory(CUexternalMemory extMem)

    cuda.h:16500
    """
    ...

def cuImportExternalSemaphore(semHandleDesc: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUexternalSemaphore | None]:
    """Imports an external semaphore

    extSem_out: Returned handle to an external semaphore
    semHandleDesc: Semaphore import handle descriptor

    C: CUresult cuImportExternalSemaphore(CUexternalSemaphore *extSem_out, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc)

    cuda.h:16658
    """
    ...

def cuSignalExternalSemaphoresAsync(extSemArray: Address | None, paramsArray: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None, numExtSems: int, stream: CUstream | int | None) -> tuple[CUresult]:
    """Signals a set of external semaphore objects

    extSemArray: Set of external semaphores to be signaled
    paramsArray: Array of semaphore parameters
    numExtSems: Number of semaphores to signal
    stream: Stream to enqueue the signal operations in

    C: CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray, unsigned int numExtSems, CUstream stream)

    cuda.h:16753
    """
    ...

def cuWaitExternalSemaphoresAsync(extSemArray: Address | None, paramsArray: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None, numExtSems: int, stream: CUstream | int | None) -> tuple[CUresult]:
    """Waits on a set of external semaphore objects

    extSemArray: External semaphores to be waited on
    paramsArray: Array of semaphore parameters
    numExtSems: Number of semaphores to wait on
    stream: Stream to enqueue the wait operations in

    C: CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray, unsigned int numExtSems, CUstream stream)

    cuda.h:16829
    """
    ...

def cuDestroyExternalSemaphore(extSem: CUexternalSemaphore | int | None) -> tuple[CUresult]:
    """Destroys an external semaphore

    extSem: External semaphore to be destroyed

    C: CUresult cuDestroyExternalSemaphore(CUexternalSemaphore extSem)

    cuda.h:16850
    """
    ...

def cuStreamWaitValue32_v2(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Wait on a memory location

    stream: The stream to synchronize on the memory location.
    addr: The memory location to wait on.
    value: The value to compare with the memory location.
    flags: See CUstreamWaitValue_flags.

    C: CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)

    cuda.h:16936
    """
    ...

def cuStreamWaitValue64_v2(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Wait on a memory location

    stream: The stream to synchronize on the memory location.
    addr: The memory location to wait on.
    value: The value to compare with the memory location.
    flags: See CUstreamWaitValue_flags.

    C: CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)

    cuda.h:16979
    """
    ...

def cuStreamWriteValue32_v2(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Write a value to memory

    stream: The stream to do the write in.
    addr: The device address to write to.
    value: The value to write.
    flags: See CUstreamWriteValue_flags.

    C: CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)

    cuda.h:17008
    """
    ...

def cuStreamWriteValue64_v2(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Write a value to memory

    stream: The stream to do the write in.
    addr: The device address to write to.
    value: The value to write.
    flags: See CUstreamWriteValue_flags.

    C: CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)

    cuda.h:17039
    """
    ...

def cuStreamBatchMemOp_v2(stream: CUstream | int | None, count: int, paramArray: CUstreamBatchMemOpParams | Address | None, flags: int) -> tuple[CUresult]:
    """Batch operations to synchronize the stream via memory operations

    stream: The stream to enqueue the operations in.
    count: The number of operations in the array. Must be less than 256.
    paramArray: The types and parameters of the individual operations.
    flags: Reserved for future expansion; must be 0.

    C: CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray, unsigned int flags)

    cuda.h:17080
    """
    ...

def cuFuncGetAttribute(attrib: CUfunction_attribute | int, hfunc: CUfunction | int | None) -> tuple[CUresult, int | None]:
    """Returns information about a function

    pi: Returned attribute value
    attrib: Attribute requested
    hfunc: Function to query attribute of

    C: CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)

    cuda.h:17190
    """
    ...

def cuFuncSetAttribute(hfunc: CUfunction | int | None, attrib: CUfunction_attribute | int, value: int) -> tuple[CUresult]:
    """Sets information about a function

    hfunc: Function to query attribute of
    attrib: Attribute requested
    value: The value to set

    C: CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)

    cuda.h:17257
    """
    ...

def cuFuncSetCacheConfig(hfunc: CUfunction | int | None, config: CUfunc_cache | int) -> tuple[CUresult]:
    """Sets the preferred cache configuration for a device function

    hfunc: Kernel to configure cache for
    config: Requested cache configuration

    C: CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)

    cuda.h:17302
    """
    ...

def cuFuncGetModule(hfunc: CUfunction | int | None) -> tuple[CUresult, CUmodule | None]:
    """Returns a module handle

    hmod: Returned module handle
    hfunc: Function to retrieve module for

    C: CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)

    cuda.h:17329
    """
    ...

def cuFuncGetName(hfunc: CUfunction | int | None) -> tuple[CUresult, bytes | None]:
    """Returns the function name for a CUfunction handle

    name: The returned name of the function
    hfunc: The function handle to retrieve the name for

    C: CUresult cuFuncGetName(const char **name, CUfunction hfunc)

    cuda.h:17350
    """
    ...

def cuFuncGetParamInfo(func: CUfunction | int | None, paramIndex: int) -> tuple[CUresult, int | None, int | None]:
    """Returns the offset and size of a kernel parameter in the device-side parameter layout

    func: The function to query
    paramIndex: The parameter index to query
    paramOffset: Returns the offset into the device-side parameter layout at which the parameter resides
    paramSize: Optionally returns the size of the parameter in the device-side parameter layout

    C: CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)

    cuda.h:17374
    """
    ...

def cuFuncIsLoaded(function: CUfunction | int | None) -> tuple[CUresult, CUfunctionLoadingState | None]:
    """Returns if the function is loaded

    state: returned loading state
    function: the function to check

    C: CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)

    cuda.h:17398
    """
    ...

def cuFuncLoad(function: CUfunction | int | None) -> tuple[CUresult]:
    """Loads a function

    function: the function to load

    C: CUresult cuFuncLoad(CUfunction function)

    cuda.h:17416
    """
    ...

def cuLaunchKernel(f: CUfunction | int | None, gridDimX: int, gridDimY: int, gridDimZ: int, blockDimX: int, blockDimY: int, blockDimZ: int, sharedMemBytes: int, hStream: CUstream | int | None, kernelParams: Address | None, extra: Address | None) -> tuple[CUresult]:
    """Launches a CUDA function CUfunction or a CUDA kernel CUkernel

    f: Function CUfunction or Kernel CUkernel to launch
    gridDimX: Width of grid in blocks
    gridDimY: Height of grid in blocks
    gridDimZ: Depth of grid in blocks
    blockDimX: X dimension of each thread block
    blockDimY: Y dimension of each thread block
    blockDimZ: Z dimension of each thread block
    sharedMemBytes: Dynamic shared-memory size per thread block in bytes
    hStream: Stream identifier
    kernelParams: Array of pointers to kernel parameters
    extra: Extra options

    C: CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)

    cuda.h:17537
    """
    ...

def cuLaunchKernelEx(config: CUlaunchConfig | tuple[Any, ...] | dict[str, Any] | Address | None, f: CUfunction | int | None, kernelParams: Address | None, extra: Address | None) -> tuple[CUresult]:
    """Launches a CUDA function CUfunction or a CUDA kernel CUkernel with launch-time configuration

    config: Config to launch
    f: Function CUfunction or Kernel CUkernel to launch
    kernelParams: Array of pointers to kernel parameters
    extra: Extra options

    C: CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)

    cuda.h:17820
    """
    ...

def cuLaunchCooperativeKernel(f: CUfunction | int | None, gridDimX: int, gridDimY: int, gridDimZ: int, blockDimX: int, blockDimY: int, blockDimZ: int, sharedMemBytes: int, hStream: CUstream | int | None, kernelParams: Address | None) -> tuple[CUresult]:
    """Launches a CUDA function CUfunction or a CUDA kernel CUkernel where thread blocks can cooperate and synchronize as they execute

    f: Function CUfunction or Kernel CUkernel to launch
    gridDimX: Width of grid in blocks
    gridDimY: Height of grid in blocks
    gridDimZ: Depth of grid in blocks
    blockDimX: X dimension of each thread block
    blockDimY: Y dimension of each thread block
    blockDimZ: Z dimension of each thread block
    sharedMemBytes: Dynamic shared-memory size per thread block in bytes
    hStream: Stream identifier
    kernelParams: Array of pointers to kernel parameters

    C: CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void **kernelParams)

    cuda.h:17913
    """
    ...

def cuLaunchCooperativeKernelMultiDevice(launchParamsList: CUDA_LAUNCH_PARAMS | Address | None, numDevices: int, flags: int) -> tuple[CUresult]:
    """Launches CUDA functions on multiple devices where thread blocks can cooperate and synchronize as they execute

    launchParamsList: List of launch parameters, one per device
    numDevices: Size of the launchParamsList array
    flags: Flags to control launch behavior

    C: CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList, unsigned int numDevices, unsigned int flags)

    Deprecated.

    cuda.h:18062
    """
    ...

def cuLaunchHostFunc(hStream: CUstream | int | None, fn: Callable[[Pointer], object] | None, userData: Address | None) -> tuple[CUresult]:
    """Enqueues a host function call in a stream

    hStream: Stream to enqueue function call in
    fn: The function to call once preceding stream operations are complete
    userData: User-specified data to be passed to the function

    C: CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)

    cuda.h:18127
    """
    ...

def cuFuncSetBlockShape(hfunc: CUfunction | int | None, x: int, y: int, z: int) -> tuple[CUresult]:
    """Sets the block-dimensions for the function

    hfunc: Kernel to specify dimensions of
    x: X dimension
    y: Y dimension
    z: Z dimension

    C: CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)

    Deprecated.

    cuda.h:18177
    """
    ...

def cuFuncSetSharedSize(hfunc: CUfunction | int | None, numbytes: int) -> tuple[CUresult]:
    """Sets the dynamic shared-memory size for the function

    hfunc: Kernel to specify dynamic shared-memory size for
    bytes: Dynamic shared-memory size per thread in bytes

    C: CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)

    Deprecated.

    cuda.h:18211
    """
    ...

def cuParamSetSize(hfunc: CUfunction | int | None, numbytes: int) -> tuple[CUresult]:
    """Sets the parameter size for the function

    hfunc: Kernel to set parameter size for
    numbytes: Size of parameter list in bytes

    C: CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes)

    Deprecated.

    cuda.h:18243
    """
    ...

def cuParamSeti(hfunc: CUfunction | int | None, offset: int, value: int) -> tuple[CUresult]:
    """Adds an integer parameter to the function's argument list

    hfunc: Kernel to add parameter to
    offset: Offset to add parameter to argument list
    value: Value of parameter

    C: CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value)

    Deprecated.

    cuda.h:18276
    """
    ...

def cuParamSetf(hfunc: CUfunction | int | None, offset: int, value: float) -> tuple[CUresult]:
    """Adds a floating-point parameter to the function's argument list

    hfunc: Kernel to add parameter to
    offset: Offset to add parameter to argument list
    value: Value of parameter

    C: CUresult cuParamSetf(CUfunction hfunc, int offset, float value)

    Deprecated.

    cuda.h:18309
    """
    ...

def cuParamSetv(hfunc: CUfunction | int | None, offset: int, ptr: Address | None, numbytes: int) -> tuple[CUresult]:
    """Adds arbitrary data to the function's argument list

    hfunc: Kernel to add data to
    offset: Offset to add data to argument list
    ptr: Pointer to arbitrary data
    numbytes: Size of data to copy in bytes

    C: CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes)

    Deprecated.

    cuda.h:18344
    """
    ...

def cuLaunch(f: CUfunction | int | None) -> tuple[CUresult]:
    """Launches a CUDA function

    f: Kernel to launch

    C: CUresult cuLaunch(CUfunction f)

    Deprecated.

    cuda.h:18396
    """
    ...

def cuLaunchGrid(f: CUfunction | int | None, grid_width: int, grid_height: int) -> tuple[CUresult]:
    """Launches a CUDA function

    f: Kernel to launch
    grid_width: Width of grid in blocks
    grid_height: Height of grid in blocks

    C: CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height)

    Deprecated.

    cuda.h:18450
    """
    ...

def cuLaunchGridAsync(f: CUfunction | int | None, grid_width: int, grid_height: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Launches a CUDA function

    f: Kernel to launch
    grid_width: Width of grid in blocks
    grid_height: Height of grid in blocks
    hStream: Stream identifier

    C: CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream)

    Deprecated.

    cuda.h:18512
    """
    ...

def cuParamSetTexRef(hfunc: CUfunction | int | None, texunit: int, hTexRef: CUtexref | int | None) -> tuple[CUresult]:
    """Adds a texture-reference to the function's argument list

    hfunc: Kernel to add texture-reference to
    texunit: Texture unit (must be CU_PARAM_TR_DEFAULT)
    hTexRef: Texture-reference to add to argument list

    C: CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef)

    Deprecated.

    cuda.h:18537
    """
    ...

def cuFuncSetSharedMemConfig(hfunc: CUfunction | int | None, config: CUsharedconfig | int) -> tuple[CUresult]:
    """Sets the shared memory configuration for a device function.

    hfunc: kernel to be given a shared memory config
    config: requested shared memory configuration

    C: CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config)

    Deprecated.

    cuda.h:18591
    """
    ...

def cuGraphCreate(flags: int) -> tuple[CUresult, CUgraph | None]:
    """Creates a graph

    phGraph: Returns newly created graph
    flags: Graph creation flags, must be 0

    C: CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags)

    cuda.h:18638
    """
    ...

def cuGraphAddKernelNode_v2(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, nodeParams: CUDA_KERNEL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a kernel execution node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the GPU execution node

    C: CUresult cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:18741
    """
    ...

def cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_KERNEL_NODE_PARAMS | None]:
    """Returns a kernel node's parameters

    hNode: Node to get the parameters for
    nodeParams: Pointer to return the parameters

    C: CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:18773
    """
    ...

def cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode | int | None, nodeParams: CUDA_KERNEL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets a kernel node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:18797
    """
    ...

def cuGraphAddMemcpyNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, copyParams: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] | Address | None, ctx: CUcontext | int | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a memcpy node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    copyParams: Parameters for the memory copy
    ctx: Context on which to run the node

    C: CUresult cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx)

    cuda.h:18846
    """
    ...

def cuGraphMemcpyNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_MEMCPY3D | None]:
    """Returns a memcpy node's parameters

    hNode: Node to get the parameters for
    nodeParams: Pointer to return the parameters

    C: CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)

    cuda.h:18869
    """
    ...

def cuGraphMemcpyNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets a memcpy node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams)

    cuda.h:18893
    """
    ...

def cuGraphAddMemsetNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, memsetParams: CUDA_MEMSET_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None, ctx: CUcontext | int | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a memset node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    memsetParams: Parameters for the memory set
    ctx: Context on which to run the node

    C: CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)

    cuda.h:18936
    """
    ...

def cuGraphMemsetNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_MEMSET_NODE_PARAMS | None]:
    """Returns a memset node's parameters

    hNode: Node to get the parameters for
    nodeParams: Pointer to return the parameters

    C: CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams)

    cuda.h:18959
    """
    ...

def cuGraphMemsetNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUDA_MEMSET_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets a memset node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams)

    cuda.h:18983
    """
    ...

def cuGraphAddHostNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, nodeParams: CUDA_HOST_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a host execution node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the host node

    C: CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams)

    cuda.h:19025
    """
    ...

def cuGraphHostNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_HOST_NODE_PARAMS | None]:
    """Returns a host node's parameters

    hNode: Node to get the parameters for
    nodeParams: Pointer to return the parameters

    C: CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams)

    cuda.h:19048
    """
    ...

def cuGraphHostNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUDA_HOST_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets a host node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)

    cuda.h:19072
    """
    ...

def cuGraphAddChildGraphNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, childGraph: CUgraph | int | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a child graph node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    childGraph: The graph to clone into this node

    C: CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUgraph childGraph)

    cuda.h:19114
    """
    ...

def cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUgraph | None]:
    """Gets a handle to the embedded graph of a child graph node

    hNode: Node to get the embedded graph for
    phGraph: Location to store a handle to the graph

    C: CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)

    cuda.h:19141
    """
    ...

def cuGraphAddEmptyNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int) -> tuple[CUresult, CUgraphNode | None]:
    """Creates an empty node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies

    C: CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies)

    cuda.h:19180
    """
    ...

def cuGraphAddEventRecordNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, event: CUevent | int | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates an event record node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    event: Event for the node

    C: CUresult cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUevent event)

    cuda.h:19222
    """
    ...

def cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUevent | None]:
    """Returns the event associated with an event record node

    hNode: Node to get the event for
    event_out: Pointer to return the event

    C: CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out)

    cuda.h:19247
    """
    ...

def cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode | int | None, event: CUevent | int | None) -> tuple[CUresult]:
    """Sets an event record node's event

    hNode: Node to set the event for
    event: Event to use

    C: CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event)

    cuda.h:19273
    """
    ...

def cuGraphAddEventWaitNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, event: CUevent | int | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates an event wait node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    event: Event for the node

    C: CUresult cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUevent event)

    cuda.h:19316
    """
    ...

def cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUevent | None]:
    """Returns the event associated with an event wait node

    hNode: Node to get the event for
    event_out: Pointer to return the event

    C: CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out)

    cuda.h:19341
    """
    ...

def cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode | int | None, event: CUevent | int | None) -> tuple[CUresult]:
    """Sets an event wait node's event

    hNode: Node to set the event for
    event: Event to use

    C: CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event)

    cuda.h:19367
    """
    ...

def cuGraphAddExternalSemaphoresSignalNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, nodeParams: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates an external semaphore signal node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the node

    C: CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)

    cuda.h:19416
    """
    ...

def cuGraphExternalSemaphoresSignalNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS | None]:
    """Returns an external semaphore signal node's parameters

    hNode: Node to get the parameters for
    params_out: Pointer to return the parameters

    C: CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out)

    cuda.h:19447
    """
    ...

def cuGraphExternalSemaphoresSignalNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets an external semaphore signal node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)

    cuda.h:19473
    """
    ...

def cuGraphAddExternalSemaphoresWaitNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, nodeParams: CUDA_EXT_SEM_WAIT_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates an external semaphore wait node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the node

    C: CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)

    cuda.h:19522
    """
    ...

def cuGraphExternalSemaphoresWaitNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_EXT_SEM_WAIT_NODE_PARAMS | None]:
    """Returns an external semaphore wait node's parameters

    hNode: Node to get the parameters for
    params_out: Pointer to return the parameters

    C: CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out)

    cuda.h:19553
    """
    ...

def cuGraphExternalSemaphoresWaitNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUDA_EXT_SEM_WAIT_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets an external semaphore wait node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)

    cuda.h:19579
    """
    ...

def cuGraphAddBatchMemOpNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, nodeParams: CUDA_BATCH_MEM_OP_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a batch memory operation node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the node

    C: CUresult cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)

    cuda.h:19633
    """
    ...

def cuGraphBatchMemOpNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_BATCH_MEM_OP_NODE_PARAMS | None]:
    """Returns a batch mem op node's parameters

    hNode: Node to get the parameters for
    nodeParams_out: Pointer to return the parameters

    C: CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out)

    cuda.h:19661
    """
    ...

def cuGraphBatchMemOpNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUDA_BATCH_MEM_OP_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets a batch mem op node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)

    cuda.h:19688
    """
    ...

def cuGraphExecBatchMemOpNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, nodeParams: CUDA_BATCH_MEM_OP_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets the parameters for a batch mem op node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: Batch mem op node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)

    cuda.h:19735
    """
    ...

def cuGraphAddMemAllocNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, nodeParams: CUDA_MEM_ALLOC_NODE_PARAMS | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates an allocation node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the node

    C: CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)

    cuda.h:19810
    """
    ...

def cuGraphMemAllocNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_MEM_ALLOC_NODE_PARAMS | None]:
    """Returns a memory alloc node's parameters

    hNode: Node to get the parameters for
    params_out: Pointer to return the parameters

    C: CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out)

    cuda.h:19835
    """
    ...

def cuGraphAddMemFreeNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, dptr: CUdeviceptr | int | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a memory free node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    dptr: Address of memory to free

    C: CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, CUdeviceptr dptr)

    cuda.h:19893
    """
    ...

def cuGraphMemFreeNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUdeviceptr | None]:
    """Returns a memory free node's parameters

    hNode: Node to get the parameters for
    dptr_out: Pointer to return the device address

    C: CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out)

    cuda.h:19915
    """
    ...

def cuDeviceGraphMemTrim(device: CUdevice | int | None) -> tuple[CUresult]:
    """Free unused memory that was cached on the specified device for use with graphs back to the OS.

    device: The device for which cached memory should be freed.

    C: CUresult cuDeviceGraphMemTrim(CUdevice device)

    cuda.h:19935
    """
    ...

def cuGraphClone(originalGraph: CUgraph | int | None) -> tuple[CUresult, CUgraph | None]:
    """Clones a graph

    phGraphClone: Returns newly created cloned graph
    originalGraph: Graph to clone

    C: CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)

    cuda.h:20016
    """
    ...

def cuGraphNodeFindInClone(hOriginalNode: CUgraphNode | int | None, hClonedGraph: CUgraph | int | None) -> tuple[CUresult, CUgraphNode | None]:
    """Finds a cloned version of a node

    phNode: Returns handle to the cloned node
    hOriginalNode: Handle to the original node
    hClonedGraph: Cloned graph to query

    C: CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph)

    cuda.h:20042
    """
    ...

def cuGraphNodeGetType(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUgraphNodeType | None]:
    """Returns a node's type

    hNode: Node to query
    type: Pointer to return the node type

    C: CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)

    cuda.h:20073
    """
    ...

def cuGraphGetEdges_v2(hGraph: CUgraph | int | None, from_: Address | None, to: Address | None, edgeData: CUgraphEdgeData | Address | None, numEdges: Address | None) -> tuple[CUresult]:
    """Returns a graph's dependency edges

    hGraph: Graph to get the edges from
    from: Location to return edge endpoints
    to: Location to return edge endpoints
    edgeData: Optional location to return edge data
    numEdges: See description

    C: CUresult cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData, size_t *numEdges)

    cuda.h:20175
    """
    ...

def cuGraphNodeGetDependencies_v2(hNode: CUgraphNode | int | None, dependencies: Address | None, edgeData: CUgraphEdgeData | Address | None, numDependencies: Address | None) -> tuple[CUresult]:
    """Returns a node's dependencies

    hNode: Node to query
    dependencies: Pointer to return the dependencies
    edgeData: Optional array to return edge data for each dependency
    numDependencies: See description

    C: CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode *dependencies, CUgraphEdgeData *edgeData, size_t *numDependencies)

    cuda.h:20212
    """
    ...

def cuGraphNodeGetDependentNodes_v2(hNode: CUgraphNode | int | None, dependentNodes: Address | None, edgeData: CUgraphEdgeData | Address | None, numDependentNodes: Address | None) -> tuple[CUresult]:
    """Returns a node's dependent nodes

    hNode: Node to query
    dependentNodes: Pointer to return the dependent nodes
    edgeData: Optional pointer to return edge data for dependent nodes
    numDependentNodes: See description

    C: CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode *dependentNodes, CUgraphEdgeData *edgeData, size_t *numDependentNodes)

    cuda.h:20250
    """
    ...

def cuGraphAddDependencies_v2(hGraph: CUgraph | int | None, from_: Address | None, to: Address | None, edgeData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int) -> tuple[CUresult]:
    """Adds dependency edges to a graph

    hGraph: Graph to which dependencies are added
    from: Array of nodes that provide the dependencies
    to: Array of dependent nodes
    edgeData: Optional array of edge data. If NULL, default (zeroed) edge data is assumed.
    numDependencies: Number of dependencies to be added

    C: CUresult cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edgeData, size_t numDependencies)

    cuda.h:20280
    """
    ...

def cuGraphRemoveDependencies_v2(hGraph: CUgraph | int | None, from_: Address | None, to: Address | None, edgeData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int) -> tuple[CUresult]:
    """Removes dependency edges from a graph

    hGraph: Graph from which to remove dependencies
    from: Array of nodes that provide the dependencies
    to: Array of dependent nodes
    edgeData: Optional array of edge data. If NULL, edge data is assumed to be default (zeroed).
    numDependencies: Number of dependencies to be removed

    C: CUresult cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edgeData, size_t numDependencies)

    cuda.h:20316
    """
    ...

def cuGraphDestroyNode(hNode: CUgraphNode | int | None) -> tuple[CUresult]:
    """Remove a node from the graph

    hNode: Node to remove

    C: CUresult cuGraphDestroyNode(CUgraphNode hNode)

    cuda.h:20343
    """
    ...

def cuGraphInstantiateWithFlags(hGraph: CUgraph | int | None, flags: int) -> tuple[CUresult, CUgraphExec | None]:
    """Creates an executable graph from a graph

    phGraphExec: Returns instantiated graph
    hGraph: Graph to instantiate
    flags: Flags to control instantiation. See CUgraphInstantiate_flags.

    C: CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long flags)

    cuda.h:20415
    """
    ...

def cuGraphInstantiateWithParams(hGraph: CUgraph | int | None, instantiateParams: CUDA_GRAPH_INSTANTIATE_PARAMS | Address | None) -> tuple[CUresult, CUgraphExec | None]:
    """Creates an executable graph from a graph

    phGraphExec: Returns instantiated graph
    hGraph: Graph to instantiate
    instantiateParams: Instantiation parameters

    C: CUresult cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)

    cuda.h:20518
    """
    ...

def cuGraphExecGetFlags(hGraphExec: CUgraphExec | int | None) -> tuple[CUresult, int | None]:
    """Query the instantiation flags of an executable graph

    hGraphExec: The executable graph to query
    flags: Returns the instantiation flags

    C: CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)

    cuda.h:20540
    """
    ...

def cuGraphExecKernelNodeSetParams_v2(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, nodeParams: CUDA_KERNEL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets the parameters for a kernel node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: kernel node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:20597
    """
    ...

def cuGraphExecMemcpyNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, copyParams: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] | Address | None, ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Sets the parameters for a memcpy node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    hNode: Memcpy node from the graph which was used to instantiate graphExec
    copyParams: The updated parameters to set
    ctx: Context on which to run the node

    C: CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D *copyParams, CUcontext ctx)

    cuda.h:20644
    """
    ...

def cuGraphExecMemsetNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, memsetParams: CUDA_MEMSET_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None, ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Sets the parameters for a memset node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    hNode: Memset node from the graph which was used to instantiate graphExec
    memsetParams: The updated parameters to set
    ctx: Context on which to run the node

    C: CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)

    cuda.h:20695
    """
    ...

def cuGraphExecHostNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, nodeParams: CUDA_HOST_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets the parameters for a host node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    hNode: Host node from the graph which was used to instantiate graphExec
    nodeParams: The updated parameters to set

    C: CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)

    cuda.h:20733
    """
    ...

def cuGraphExecChildGraphNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, childGraph: CUgraph | int | None) -> tuple[CUresult]:
    """Updates node parameters in the child graph node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    hNode: Host node from the graph which was used to instantiate graphExec
    childGraph: The graph supplying the updated parameters

    C: CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph)

    cuda.h:20777
    """
    ...

def cuGraphExecEventRecordNodeSetEvent(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, event: CUevent | int | None) -> tuple[CUresult]:
    """Sets the event for an event record node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: event record node from the graph from which graphExec was instantiated
    event: Updated event to use

    C: CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)

    cuda.h:20818
    """
    ...

def cuGraphExecEventWaitNodeSetEvent(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, event: CUevent | int | None) -> tuple[CUresult]:
    """Sets the event for an event wait node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: event wait node from the graph from which graphExec was instantiated
    event: Updated event to use

    C: CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)

    cuda.h:20859
    """
    ...

def cuGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, nodeParams: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets the parameters for an external semaphore signal node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: semaphore signal node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)

    cuda.h:20903
    """
    ...

def cuGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, nodeParams: CUDA_EXT_SEM_WAIT_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets the parameters for an external semaphore wait node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: semaphore wait node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)

    cuda.h:20947
    """
    ...

def cuGraphNodeSetEnabled(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, isEnabled: int) -> tuple[CUresult]:
    """Enables or disables the specified node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: Node from the graph from which graphExec was instantiated
    isEnabled: Node is enabled if != 0, otherwise the node is disabled

    C: CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled)

    cuda.h:20988
    """
    ...

def cuGraphNodeGetEnabled(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None) -> tuple[CUresult, int | None]:
    """Query whether a node in the given graphExec is enabled

    hGraphExec: The executable graph in which to set the specified node
    hNode: Node from the graph from which graphExec was instantiated
    isEnabled: Location to return the enabled status of the node

    C: CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int *isEnabled)

    cuda.h:21019
    """
    ...

def cuGraphUpload(hGraphExec: CUgraphExec | int | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Uploads an executable graph in a stream

    hGraphExec: Executable graph to upload
    hStream: Stream in which to upload the graph

    C: CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)

    cuda.h:21045
    """
    ...

def cuGraphLaunch(hGraphExec: CUgraphExec | int | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Launches an executable graph in a stream

    hGraphExec: Executable graph to launch
    hStream: Stream in which to launch the graph

    C: CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)

    cuda.h:21075
    """
    ...

def cuGraphExecDestroy(hGraphExec: CUgraphExec | int | None) -> tuple[CUresult]:
    """Destroys an executable graph

    hGraphExec: Executable graph to destroy

    C: CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)

    cuda.h:21100
    """
    ...

def cuGraphDestroy(hGraph: CUgraph | int | None) -> tuple[CUresult]:
    """Destroys a graph

    hGraph: Graph to destroy

    C: CUresult cuGraphDestroy(CUgraph hGraph)

    cuda.h:21120
    """
    ...

def cuGraphExecUpdate_v2(hGraphExec: CUgraphExec | int | None, hGraph: CUgraph | int | None, resultInfo: CUgraphExecUpdateResultInfo | Address | None) -> tuple[CUresult]:
    """Check whether an executable graph can be updated with a graph and perform the update if possible

    hGraphExec: The instantiated graph to be updated
    hGraph: The graph containing the updated parameters
    resultInfo: the error info structure

    C: CUresult cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo)

    cuda.h:21212
    """
    ...

def cuGraphKernelNodeCopyAttributes(dst: CUgraphNode | int | None, src: CUgraphNode | int | None) -> tuple[CUresult]:
    """Copies attributes from source node to destination node.

    dst: Destination node
    src: Source node For list of attributes see CUkernelNodeAttrID

    C: CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src)

    cuda.h:21232
    """
    ...

def cuGraphKernelNodeGetAttribute(hNode: CUgraphNode | int | None, attr: CUlaunchAttributeID | int) -> tuple[CUresult, CUlaunchAttributeValue | None]:
    """Queries node attribute.

    C: CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value_out)

    cuda.h:21253
    """
    ...

def cuGraphKernelNodeSetAttribute(hNode: CUgraphNode | int | None, attr: CUlaunchAttributeID | int, value: CUlaunchAttributeValue | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets node attribute.

    C: CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value)

    cuda.h:21275
    """
    ...

def cuGraphDebugDotPrint(hGraph: CUgraph | int | None, path: Text | None, flags: int) -> tuple[CUresult]:
    """Write a DOT file describing graph structure

    hGraph: The graph to create a DOT file from
    path: The path to write the DOT file to
    flags: Flags from CUgraphDebugDot_flags for specifying which additional node information to write

    C: CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)

    cuda.h:21295
    """
    ...

def cuUserObjectCreate(ptr: Address | None, destroy: Callable[[Pointer], object] | None, initialRefcount: int, flags: int) -> tuple[CUresult, CUuserObject | None]:
    """Create a user object

    object_out: Location to return the user object handle
    ptr: The pointer to pass to the destroy function
    destroy: Callback to free the user object when it is no longer in use
    initialRefcount: The initial refcount to create the object with, typically 1. The initial references are owned by the calling thread.
    flags: Currently it is required to pass CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, which is the only defined flag. This indicates that the destroy callback cannot be waited on by any CUDA API. Users requiring synchronization of the callback should signal its completion manually.

    C: CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy, unsigned int initialRefcount, unsigned int flags)

    cuda.h:21331
    """
    ...

def cuUserObjectRetain(object: CUuserObject | int | None, count: int) -> tuple[CUresult]:
    """Retain a reference to a user object

    object: The object to retain
    count: The number of references to retain, typically 1. Must be nonzero and not larger than INT_MAX.

    C: CUresult cuUserObjectRetain(CUuserObject object, unsigned int count)

    cuda.h:21356
    """
    ...

def cuUserObjectRelease(object: CUuserObject | int | None, count: int) -> tuple[CUresult]:
    """Release a reference to a user object

    object: The object to release
    count: The number of references to release, typically 1. Must be nonzero and not larger than INT_MAX.

    C: CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)

    cuda.h:21384
    """
    ...

def cuGraphRetainUserObject(graph: CUgraph | int | None, object: CUuserObject | int | None, count: int, flags: int) -> tuple[CUresult]:
    """Retain a reference to a user object from a graph

    graph: The graph to associate the reference with
    object: The user object to retain a reference for
    count: The number of references to add to the graph, typically 1. Must be nonzero and not larger than INT_MAX.
    flags: The optional flag CU_GRAPH_USER_OBJECT_MOVE transfers references from the calling thread, rather than create new references. Pass 0 to create new references.

    C: CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags)

    cuda.h:21412
    """
    ...

def cuGraphReleaseUserObject(graph: CUgraph | int | None, object: CUuserObject | int | None, count: int) -> tuple[CUresult]:
    """Release a user object reference from a graph

    graph: The graph that will release the reference
    object: The user object to release a reference for
    count: The number of references to release, typically 1. Must be nonzero and not larger than INT_MAX.

    C: CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)

    cuda.h:21437
    """
    ...

def cuGraphAddNode_v2(hGraph: CUgraph | int | None, dependencies: Address | None, dependencyData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, nodeParams: CUgraphNodeParams | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Adds a node of arbitrary type to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    dependencyData: Optional edge data for the dependencies. If NULL, the data is assumed to be default (zeroed) for all dependencies.
    numDependencies: Number of dependencies
    nodeParams: Specification of the node

    C: CUresult cuGraphAddNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, CUgraphNodeParams *nodeParams)

    cuda.h:21479
    """
    ...

def cuGraphNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUgraphNodeParams | Address | None) -> tuple[CUresult]:
    """Update's a graph node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams)

    cuda.h:21505
    """
    ...

def cuGraphExecNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, nodeParams: CUgraphNodeParams | Address | None) -> tuple[CUresult]:
    """Update's a graph node's parameters in an instantiated graph

    hGraphExec: The executable graph in which to update the specified node
    hNode: Corresponding node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams)

    cuda.h:21552
    """
    ...

def cuGraphConditionalHandleCreate(hGraph: CUgraph | int | None, ctx: CUcontext | int | None, defaultLaunchValue: int, flags: int) -> tuple[CUresult, CUgraphConditionalHandle | None]:
    """Create a conditional handle

    pHandle_out: Pointer used to return the handle to the caller.
    hGraph: Graph which will contain the conditional node using this handle.
    ctx: Context for the handle and associated conditional node.
    defaultLaunchValue: Optional initial value for the conditional variable. Applied at the beginning of each graph execution if CU_GRAPH_COND_ASSIGN_DEFAULT is set in flags.
    flags: Currently must be CU_GRAPH_COND_ASSIGN_DEFAULT or 0.

    C: CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext ctx, unsigned int defaultLaunchValue, unsigned int flags)

    cuda.h:21582
    """
    ...

def cuOccupancyMaxActiveBlocksPerMultiprocessor(func: CUfunction | int | None, blockSize: int, dynamicSMemSize: int) -> tuple[CUresult, int | None]:
    """Returns occupancy of a function

    numBlocks: Returned occupancy
    func: Kernel for which occupancy is calculated
    blockSize: Block size the kernel is intended to be launched with
    dynamicSMemSize: Per-block dynamic shared memory usage intended, in bytes

    C: CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)

    cuda.h:21626
    """
    ...

def cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(func: CUfunction | int | None, blockSize: int, dynamicSMemSize: int, flags: int) -> tuple[CUresult, int | None]:
    """Returns occupancy of a function

    numBlocks: Returned occupancy
    func: Kernel for which occupancy is calculated
    blockSize: Block size the kernel is intended to be launched with
    dynamicSMemSize: Per-block dynamic shared memory usage intended, in bytes
    flags: Requested behavior for the occupancy calculator

    C: CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags)

    cuda.h:21673
    """
    ...

def cuOccupancyMaxPotentialBlockSize(func: CUfunction | int | None, blockSizeToDynamicSMemSize: Callable[[int], int] | None, dynamicSMemSize: int, blockSizeLimit: int) -> tuple[CUresult, int | None, int | None]:
    """Suggest a launch configuration with reasonable occupancy

    minGridSize: Returned minimum grid size needed to achieve the maximum occupancy
    blockSize: Returned maximum block size that can achieve the maximum occupancy
    func: Kernel for which launch configuration is calculated
    blockSizeToDynamicSMemSize: A function that calculates how much per-block dynamic shared memory func uses based on the block size
    dynamicSMemSize: Dynamic shared memory usage intended, in bytes
    blockSizeLimit: The maximum block size func is designed to handle

    C: CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit)

    cuda.h:21730
    """
    ...

def cuOccupancyMaxPotentialBlockSizeWithFlags(func: CUfunction | int | None, blockSizeToDynamicSMemSize: Callable[[int], int] | None, dynamicSMemSize: int, blockSizeLimit: int, flags: int) -> tuple[CUresult, int | None, int | None]:
    """Suggest a launch configuration with reasonable occupancy

    minGridSize: Returned minimum grid size needed to achieve the maximum occupancy
    blockSize: Returned maximum block size that can achieve the maximum occupancy
    func: Kernel for which launch configuration is calculated
    blockSizeToDynamicSMemSize: A function that calculates how much per-block dynamic shared memory func uses based on the block size
    dynamicSMemSize: Dynamic shared memory usage intended, in bytes
    blockSizeLimit: The maximum block size func is designed to handle
    flags: Options

    C: CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags)

    cuda.h:21781
    """
    ...

def cuOccupancyAvailableDynamicSMemPerBlock(func: CUfunction | int | None, numBlocks: int, blockSize: int) -> tuple[CUresult, int | None]:
    """Returns dynamic shared memory available per block when launching numBlocks blocks on SM

    dynamicSmemSize: Returned maximum dynamic shared memory
    func: Kernel function for which occupancy is calculated
    numBlocks: Number of blocks to fit on SM
    blockSize: Size of the blocks

    C: CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func, int numBlocks, int blockSize)

    cuda.h:21807
    """
    ...

def cuOccupancyMaxPotentialClusterSize(func: CUfunction | int | None, config: CUlaunchConfig | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, int | None]:
    """Given the kernel function (\\p func) and launch configuration (\\p config), return the maximum cluster size in *clusterSize.

    clusterSize: Returned maximum cluster size that can be launched for the given kernel function and launch configuration
    func: Kernel function for which maximum cluster size is calculated
    config: Launch configuration for the given kernel function

    C: CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func, const CUlaunchConfig *config)

    cuda.h:21848
    """
    ...

def cuOccupancyMaxActiveClusters(func: CUfunction | int | None, config: CUlaunchConfig | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, int | None]:
    """Given the kernel function (\\p func) and launch configuration (\\p config), return the maximum number of clusters that could co-exist on the target device in *numClusters.

    numClusters: Returned maximum number of clusters that could co-exist on the target device
    func: Kernel function for which maximum number of clusters are calculated
    config: Launch configuration for the given kernel function

    C: CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func, const CUlaunchConfig *config)

    cuda.h:21891
    """
    ...

def cuTexRefSetArray(hTexRef: CUtexref | int | None, hArray: CUarray | int | None, Flags: int) -> tuple[CUresult]:
    """Binds an array as a texture reference

    hTexRef: Texture reference to bind
    hArray: Array to bind
    Flags: Options (must be CU_TRSA_OVERRIDE_FORMAT)

    C: CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags)

    Deprecated.

    cuda.h:21935
    """
    ...

def cuTexRefSetMipmappedArray(hTexRef: CUtexref | int | None, hMipmappedArray: CUmipmappedArray | int | None, Flags: int) -> tuple[CUresult]:
    """Binds a mipmapped array to a texture reference

    hTexRef: Texture reference to bind
    hMipmappedArray: Mipmapped array to bind
    Flags: Options (must be CU_TRSA_OVERRIDE_FORMAT)

    C: CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags)

    Deprecated.

    cuda.h:21965
    """
    ...

def cuTexRefSetAddress_v2(hTexRef: CUtexref | int | None, dptr: CUdeviceptr | int | None, bytes: int) -> tuple[CUresult, int | None]:
    """Binds an address as a texture reference

    ByteOffset: Returned byte offset
    hTexRef: Texture reference to bind
    dptr: Device pointer to bind
    bytes: Size of memory to bind in bytes

    C: CUresult cuTexRefSetAddress_v2(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)

    Deprecated.

    cuda.h:22011
    """
    ...

def cuTexRefSetAddress2D_v3(hTexRef: CUtexref | int | None, desc: CUDA_ARRAY_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] | Address | None, dptr: CUdeviceptr | int | None, Pitch: int) -> tuple[CUresult]:
    """Binds an address as a 2D texture reference

    hTexRef: Texture reference to bind
    desc: Descriptor of CUDA array
    dptr: Device pointer to bind
    Pitch: Line pitch in bytes

    C: CUresult cuTexRefSetAddress2D_v3(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch)

    Deprecated.

    cuda.h:22066
    """
    ...

def cuTexRefSetFormat(hTexRef: CUtexref | int | None, fmt: CUarray_format | int, NumPackedComponents: int) -> tuple[CUresult]:
    """Sets the format for a texture reference

    hTexRef: Texture reference
    fmt: Format to set
    NumPackedComponents: Number of components per array element

    C: CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents)

    Deprecated.

    cuda.h:22098
    """
    ...

def cuTexRefSetAddressMode(hTexRef: CUtexref | int | None, dim: int, am: CUaddress_mode | int) -> tuple[CUresult]:
    """Sets the addressing mode for a texture reference

    hTexRef: Texture reference
    dim: Dimension
    am: Addressing mode to set

    C: CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am)

    Deprecated.

    cuda.h:22141
    """
    ...

def cuTexRefSetFilterMode(hTexRef: CUtexref | int | None, fm: CUfilter_mode | int) -> tuple[CUresult]:
    """Sets the filtering mode for a texture reference

    hTexRef: Texture reference
    fm: Filtering mode to set

    C: CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm)

    Deprecated.

    cuda.h:22177
    """
    ...

def cuTexRefSetMipmapFilterMode(hTexRef: CUtexref | int | None, fm: CUfilter_mode | int) -> tuple[CUresult]:
    """Sets the mipmap filtering mode for a texture reference

    hTexRef: Texture reference
    fm: Filtering mode to set

    C: CUresult cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm)

    Deprecated.

    cuda.h:22213
    """
    ...

def cuTexRefSetMipmapLevelBias(hTexRef: CUtexref | int | None, bias: float) -> tuple[CUresult]:
    """Sets the mipmap level bias for a texture reference

    hTexRef: Texture reference
    bias: Mipmap level bias

    C: CUresult cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias)

    Deprecated.

    cuda.h:22242
    """
    ...

def cuTexRefSetMipmapLevelClamp(hTexRef: CUtexref | int | None, minMipmapLevelClamp: float, maxMipmapLevelClamp: float) -> tuple[CUresult]:
    """Sets the mipmap min/max mipmap level clamps for a texture reference

    hTexRef: Texture reference
    minMipmapLevelClamp: Mipmap min level clamp
    maxMipmapLevelClamp: Mipmap max level clamp

    C: CUresult cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp)

    Deprecated.

    cuda.h:22273
    """
    ...

def cuTexRefSetMaxAnisotropy(hTexRef: CUtexref | int | None, maxAniso: int) -> tuple[CUresult]:
    """Sets the maximum anisotropy for a texture reference

    hTexRef: Texture reference
    maxAniso: Maximum anisotropy

    C: CUresult cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso)

    Deprecated.

    cuda.h:22302
    """
    ...

def cuTexRefSetBorderColor(hTexRef: CUtexref | int | None, pBorderColor: Address | None) -> tuple[CUresult]:
    """Sets the border color for a texture reference

    hTexRef: Texture reference
    pBorderColor: RGBA color

    C: CUresult cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor)

    Deprecated.

    cuda.h:22335
    """
    ...

def cuTexRefSetFlags(hTexRef: CUtexref | int | None, Flags: int) -> tuple[CUresult]:
    """Sets the flags for a texture reference

    hTexRef: Texture reference
    Flags: Optional flags to set

    C: CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags)

    Deprecated.

    cuda.h:22377
    """
    ...

def cuTexRefGetAddress_v2(hTexRef: CUtexref | int | None) -> tuple[CUresult, CUdeviceptr | None]:
    """Gets the address associated with a texture reference

    pdptr: Returned device address
    hTexRef: Texture reference

    C: CUresult cuTexRefGetAddress_v2(CUdeviceptr *pdptr, CUtexref hTexRef)

    Deprecated.

    cuda.h:22404
    """
    ...

def cuTexRefGetArray(hTexRef: CUtexref | int | None) -> tuple[CUresult, CUarray | None]:
    """Gets the array bound to a texture reference

    phArray: Returned array
    hTexRef: Texture reference

    C: CUresult cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef)

    Deprecated.

    cuda.h:22431
    """
    ...

def cuTexRefGetMipmappedArray(hTexRef: CUtexref | int | None) -> tuple[CUresult, CUmipmappedArray | None]:
    """Gets the mipmapped array bound to a texture reference

    phMipmappedArray: Returned mipmapped array
    hTexRef: Texture reference

    C: CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef)

    Deprecated.

    cuda.h:22458
    """
    ...

def cuTexRefGetAddressMode(hTexRef: CUtexref | int | None, dim: int) -> tuple[CUresult, CUaddress_mode | None]:
    """Gets the addressing mode used by a texture reference

    pam: Returned addressing mode
    hTexRef: Texture reference
    dim: Dimension

    C: CUresult cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim)

    Deprecated.

    cuda.h:22486
    """
    ...

def cuTexRefGetFilterMode(hTexRef: CUtexref | int | None) -> tuple[CUresult, CUfilter_mode | None]:
    """Gets the filter-mode used by a texture reference

    pfm: Returned filtering mode
    hTexRef: Texture reference

    C: CUresult cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef)

    Deprecated.

    cuda.h:22512
    """
    ...

def cuTexRefGetFormat(hTexRef: CUtexref | int | None) -> tuple[CUresult, CUarray_format | None, int | None]:
    """Gets the format used by a texture reference

    pFormat: Returned format
    pNumChannels: Returned number of components
    hTexRef: Texture reference

    C: CUresult cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef)

    Deprecated.

    cuda.h:22540
    """
    ...

def cuTexRefGetMipmapFilterMode(hTexRef: CUtexref | int | None) -> tuple[CUresult, CUfilter_mode | None]:
    """Gets the mipmap filtering mode for a texture reference

    pfm: Returned mipmap filtering mode
    hTexRef: Texture reference

    C: CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref hTexRef)

    Deprecated.

    cuda.h:22566
    """
    ...

def cuTexRefGetMipmapLevelBias(hTexRef: CUtexref | int | None) -> tuple[CUresult, float | None]:
    """Gets the mipmap level bias for a texture reference

    pbias: Returned mipmap level bias
    hTexRef: Texture reference

    C: CUresult cuTexRefGetMipmapLevelBias(float *pbias, CUtexref hTexRef)

    Deprecated.

    cuda.h:22592
    """
    ...

def cuTexRefGetMipmapLevelClamp(hTexRef: CUtexref | int | None) -> tuple[CUresult, float | None, float | None]:
    """Gets the min/max mipmap level clamps for a texture reference

    pminMipmapLevelClamp: Returned mipmap min level clamp
    pmaxMipmapLevelClamp: Returned mipmap max level clamp
    hTexRef: Texture reference

    C: CUresult cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp, CUtexref hTexRef)

    Deprecated.

    cuda.h:22619
    """
    ...

def cuTexRefGetMaxAnisotropy(hTexRef: CUtexref | int | None) -> tuple[CUresult, int | None]:
    """Gets the maximum anisotropy for a texture reference

    pmaxAniso: Returned maximum anisotropy
    hTexRef: Texture reference

    C: CUresult cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef)

    Deprecated.

    cuda.h:22645
    """
    ...

def cuTexRefGetBorderColor(hTexRef: CUtexref | int | None) -> tuple[CUresult, float | None]:
    """Gets the border color used by a texture reference

    hTexRef: Texture reference
    pBorderColor: Returned Type and Value of RGBA color

    C: CUresult cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef)

    Deprecated.

    cuda.h:22674
    """
    ...

def cuTexRefGetFlags(hTexRef: CUtexref | int | None) -> tuple[CUresult, int | None]:
    """Gets the flags used by a texture reference

    pFlags: Returned flags
    hTexRef: Texture reference

    C: CUresult cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef)

    Deprecated.

    cuda.h:22699
    """
    ...

def cuTexRefCreate() -> tuple[CUresult, CUtexref | None]:
    """Creates a texture reference

    pTexRef: Returned texture reference

    C: CUresult cuTexRefCreate(CUtexref *pTexRef)

    Deprecated.

    cuda.h:22724
    """
    ...

def cuTexRefDestroy(hTexRef: CUtexref | int | None) -> tuple[CUresult]:
    """Destroys a texture reference

    hTexRef: Texture reference to destroy

    C: CUresult cuTexRefDestroy(CUtexref hTexRef)

    Deprecated.

    cuda.h:22744
    """
    ...

def cuSurfRefSetArray(hSurfRef: CUsurfref | int | None, hArray: CUarray | int | None, Flags: int) -> tuple[CUresult]:
    """Sets the CUDA array for a surface reference.

    hSurfRef: Surface reference handle
    hArray: CUDA array handle
    Flags: set to 0

    C: CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags)

    Deprecated.

    cuda.h:22787
    """
    ...

def cuSurfRefGetArray(hSurfRef: CUsurfref | int | None) -> tuple[CUresult, CUarray | None]:
    """Passes back the CUDA array bound to a surface reference.

    phArray: Surface reference handle
    hSurfRef: Surface reference handle

    C: CUresult cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef)

    Deprecated.

    cuda.h:22810
    """
    ...

def cuTexObjectCreate(pResDesc: CUDA_RESOURCE_DESC | tuple[Any, ...] | dict[str, Any] | Address | None, pTexDesc: CUDA_TEXTURE_DESC | tuple[Any, ...] | dict[str, Any] | Address | None, pResViewDesc: CUDA_RESOURCE_VIEW_DESC | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUtexObject | None]:
    """Creates a texture object

    pTexObject: Texture object to create
    pResDesc: Resource descriptor
    pTexDesc: Texture descriptor
    pResViewDesc: Resource view descriptor

    C: CUresult cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc, const CUDA_TEXTURE_DESC *pTexDesc, const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)

    cuda.h:23051
    """
    ...

def cuTexObjectDestroy(texObject: CUtexObject | int | None) -> tuple[CUresult]:
    """Destroys a texture object

    texObject: Texture object to destroy

    C: CUresult cuTexObjectDestroy(CUtexObject texObject)

    cuda.h:23071
    """
    ...

def cuTexObjectGetResourceDesc(texObject: CUtexObject | int | None) -> tuple[CUresult, CUDA_RESOURCE_DESC | None]:
    """Returns a texture object's resource descriptor

    pResDesc: Resource descriptor
    texObject: Texture object

    C: CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject)

    cuda.h:23092
    """
    ...

def cuTexObjectGetTextureDesc(texObject: CUtexObject | int | None) -> tuple[CUresult, CUDA_TEXTURE_DESC | None]:
    """Returns a texture object's texture descriptor

    pTexDesc: Texture descriptor
    texObject: Texture object

    C: CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject)

    cuda.h:23113
    """
    ...

def cuTexObjectGetResourceViewDesc(texObject: CUtexObject | int | None) -> tuple[CUresult, CUDA_RESOURCE_VIEW_DESC | None]:
    """Returns a texture object's resource view descriptor

    pResViewDesc: Resource view descriptor
    texObject: Texture object

    C: CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject)

    cuda.h:23135
    """
    ...

def cuSurfObjectCreate(pResDesc: CUDA_RESOURCE_DESC | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUsurfObject | None]:
    """Creates a surface object

    pSurfObject: Surface object to create
    pResDesc: Resource descriptor

    C: CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc)

    cuda.h:23178
    """
    ...

def cuSurfObjectDestroy(surfObject: CUsurfObject | int | None) -> tuple[CUresult]:
    """Destroys a surface object

    surfObject: Surface object to destroy

    C: CUresult cuSurfObjectDestroy(CUsurfObject surfObject)

    cuda.h:23198
    """
    ...

def cuSurfObjectGetResourceDesc(surfObject: CUsurfObject | int | None) -> tuple[CUresult, CUDA_RESOURCE_DESC | None]:
    """Returns a surface object's resource descriptor

    pResDesc: Resource descriptor
    surfObject: Surface object

    C: CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject)

    cuda.h:23219
    """
    ...

def cuTensorMapEncodeTiled(tensorDataType: CUtensorMapDataType | int, tensorRank: int, globalAddress: Address | None, globalDim: Address | None, globalStrides: Address | None, boxDim: Address | None, elementStrides: Address | None, interleave: CUtensorMapInterleave | int, swizzle: CUtensorMapSwizzle | int, l2Promotion: CUtensorMapL2promotion | int, oobFill: CUtensorMapFloatOOBfill | int) -> tuple[CUresult, CUtensorMap | None]:
    """Create a tensor map descriptor object representing tiled memory region

    tensorMap: Tensor map object to create
    tensorDataType: Tensor data type
    tensorRank: Dimensionality of tensor
    globalAddress: Starting address of memory region described by tensor
    globalDim: Array containing tensor size (number of elements) along each of the tensorRank dimensions
    globalStrides: Array containing stride size (in bytes) along each of the tensorRank - 1 dimensions
    boxDim: Array containing traversal box size (number of elments) along each of the tensorRank dimensions. Specifies how many elements to be traversed along each tensor dimension.
    elementStrides: Array containing traversal stride in each of the tensorRank dimensions
    interleave: Type of interleaved layout the tensor addresses
    swizzle: Bank swizzling pattern inside shared memory
    l2Promotion: L2 promotion size
    oobFill: Indicate whether zero or special NaN constant must be used to fill out-of-bound elements

    C: CUresult cuTensorMapEncodeTiled(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides, const cuuint32_t *boxDim, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)

    cuda.h:23403
    """
    ...

def cuTensorMapEncodeIm2col(tensorDataType: CUtensorMapDataType | int, tensorRank: int, globalAddress: Address | None, globalDim: Address | None, globalStrides: Address | None, pixelBoxLowerCorner: Address | None, pixelBoxUpperCorner: Address | None, channelsPerPixel: int, pixelsPerColumn: int, elementStrides: Address | None, interleave: CUtensorMapInterleave | int, swizzle: CUtensorMapSwizzle | int, l2Promotion: CUtensorMapL2promotion | int, oobFill: CUtensorMapFloatOOBfill | int) -> tuple[CUresult, CUtensorMap | None]:
    """Create a tensor map descriptor object representing im2col memory region

    tensorMap: Tensor map object to create
    tensorDataType: Tensor data type
    tensorRank: Dimensionality of tensor; must be at least 3
    globalAddress: Starting address of memory region described by tensor
    globalDim: Array containing tensor size (number of elements) along each of the tensorRank dimensions
    globalStrides: Array containing stride size (in bytes) along each of the tensorRank - 1 dimensions
    pixelBoxLowerCorner: Array containing DHW dimensions of lower box corner
    pixelBoxUpperCorner: Array containing DHW dimensions of upper box corner
    channelsPerPixel: Number of channels per pixel
    pixelsPerColumn: Number of pixels per column
    elementStrides: Array containing traversal stride in each of the tensorRank dimensions
    interleave: Type of interleaved layout the tensor addresses
    swizzle: Bank swizzling pattern inside shared memory
    l2Promotion: L2 promotion size
    oobFill: Indicate whether zero or special NaN constant will be used to fill out-of-bound elements

    C: CUresult cuTensorMapEncodeIm2col(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides, const int *pixelBoxLowerCorner, const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)

    cuda.h:23588
    """
    ...

def cuTensorMapEncodeIm2colWide(tensorDataType: CUtensorMapDataType | int, tensorRank: int, globalAddress: Address | None, globalDim: Address | None, globalStrides: Address | None, pixelBoxLowerCornerWidth: int, pixelBoxUpperCornerWidth: int, channelsPerPixel: int, pixelsPerColumn: int, elementStrides: Address | None, interleave: CUtensorMapInterleave | int, mode: CUtensorMapIm2ColWideMode | int, swizzle: CUtensorMapSwizzle | int, l2Promotion: CUtensorMapL2promotion | int, oobFill: CUtensorMapFloatOOBfill | int) -> tuple[CUresult, CUtensorMap | None]:
    """Create a tensor map descriptor object representing im2col memory region, but where the elements are exclusively loaded along the W dimension.

    tensorMap: Tensor map object to create
    tensorDataType: Tensor data type
    tensorRank: Dimensionality of tensor; must be at least 3
    globalAddress: Starting address of memory region described by tensor
    globalDim: Array containing tensor size (number of elements) along each of the tensorRank dimensions
    globalStrides: Array containing stride size (in bytes) along each of the tensorRank - 1 dimensions
    pixelBoxLowerCornerWidth: Width offset of left box corner
    pixelBoxUpperCornerWidth: Width offset of right box corner
    channelsPerPixel: Number of channels per pixel
    pixelsPerColumn: Number of pixels per column
    elementStrides: Array containing traversal stride in each of the tensorRank dimensions
    interleave: Type of interleaved layout the tensor addresses
    mode: W or W128 mode
    swizzle: Bank swizzling pattern inside shared memory
    l2Promotion: L2 promotion size
    oobFill: Indicate whether zero or special NaN constant will be used to fill out-of-bound elements

    C: CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides, int pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)

    cuda.h:23772
    """
    ...

def cuTensorMapReplaceAddress(tensorMap: CUtensorMap | Address | None, globalAddress: Address | None) -> tuple[CUresult]:
    """Modify an existing tensor map descriptor with an updated global address

    tensorMap: Tensor map object to modify
    globalAddress: Starting address of memory region described by tensor, must follow previous alignment requirements

    C: CUresult cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress)

    cuda.h:23799
    """
    ...

def cuDeviceCanAccessPeer(dev: CUdevice | int | None, peerDev: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Queries if a device may directly access a peer device's memory.

    canAccessPeer: Returned access capability
    dev: Device from which allocations on peerDev are to be directly accessed.
    peerDev: Device on which the allocations to be directly accessed by dev reside.

    C: CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)

    cuda.h:23842
    """
    ...

def cuCtxEnablePeerAccess(peerContext: CUcontext | int | None, Flags: int) -> tuple[CUresult]:
    """Enables direct access to memory allocations in a peer context.

    peerContext: Peer context to enable direct access to from the current context
    Flags: Reserved for future use and must be set to 0

    C: CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)

    cuda.h:23895
    """
    ...

def cuCtxDisablePeerAccess(peerContext: CUcontext | int | None) -> tuple[CUresult]:
    """Disables direct access to memory allocations in a peer context and unregisters any registered allocations.

    peerContext: Peer context to disable direct access to

    C: CUresult cuCtxDisablePeerAccess(CUcontext peerContext)

    cuda.h:23922
    """
    ...

def cuDeviceGetP2PAttribute(attrib: CUdevice_P2PAttribute | int, srcDevice: CUdevice | int | None, dstDevice: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Queries attributes of the link between two devices.

    value: Returned value of the requested attribute
    attrib: The requested attribute of the link between srcDevice and dstDevice.
    srcDevice: The source device of the target link.
    dstDevice: The destination device of the target link.

    C: CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice)

    cuda.h:23966
    """
    ...

def cuGraphicsUnregisterResource(resource: CUgraphicsResource | int | None) -> tuple[CUresult]:
    """Unregisters a graphics resource for access by CUDA

    resource: Resource to unregister

    C: CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource)

    cuda.h:24046
    """
    ...

def cuGraphicsSubResourceGetMappedArray(resource: CUgraphicsResource | int | None, arrayIndex: int, mipLevel: int) -> tuple[CUresult, CUarray | None]:
    """Get an array through which to access a subresource of a mapped graphics resource.

    pArray: Returned array through which a subresource of resource may be accessed
    resource: Mapped resource to access
    arrayIndex: Array index for array textures or cubemap face index as defined by CUarray_cubemap_face for cubemap textures for the subresource to access
    mipLevel: Mipmap level for the subresource to access

    C: CUresult cuGraphicsSubResourceGetMappedArray(CUarray *pArray, CUgraphicsResource resource, unsigned int arrayIndex, unsigned int mipLevel)

    cuda.h:24086
    """
    ...

def cuGraphicsResourceGetMappedMipmappedArray(resource: CUgraphicsResource | int | None) -> tuple[CUresult, CUmipmappedArray | None]:
    """Get a mipmapped array through which to access a mapped graphics resource.

    pMipmappedArray: Returned mipmapped array through which resource may be accessed
    resource: Mapped resource to access

    C: CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *pMipmappedArray, CUgraphicsResource resource)

    cuda.h:24117
    """
    ...

def cuGraphicsResourceGetMappedPointer_v2(pSize: int, resource: CUgraphicsResource | int | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Get a device pointer through which to access a mapped graphics resource.

    pDevPtr: Returned pointer through which resource may be accessed
    pSize: Returned size of the buffer accessible starting at *pPointer
    resource: Mapped resource to access

    C: CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *pDevPtr, size_t *pSize, CUgraphicsResource resource)

    cuda.h:24151
    """
    ...

def cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource | int | None, flags: int) -> tuple[CUresult]:
    """Set usage flags for mapping a graphics resource

    resource: Registered resource to set flags for
    flags: Parameters for resource mapping

    C: CUresult cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource resource, unsigned int flags)

    cuda.h:24192
    """
    ...

def cuGraphicsMapResources(count: int, resources: Address | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Map graphics resources for access by CUDA

    count: Number of resources to map
    resources: Resources to map for CUDA usage
    hStream: Stream with which to synchronize

    C: CUresult cuGraphicsMapResources(unsigned int count, CUgraphicsResource *resources, CUstream hStream)

    cuda.h:24232
    """
    ...

def cuGraphicsUnmapResources(count: int, resources: Address | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Unmap graphics resources.

    count: Number of resources to unmap
    resources: Resources to unmap
    hStream: Stream with which to synchronize

    C: CUresult cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource *resources, CUstream hStream)

    cuda.h:24269
    """
    ...

def cuGetProcAddress_v2(symbol: Text | None, cudaVersion: int, flags: int) -> tuple[CUresult, int | None, CUdriverProcAddressQueryResult | None]:
    """Returns the requested driver API function pointer

    symbol: The base name of the driver API function to look for. As an example, for the driver API cuMemAlloc_v2, symbol would be cuMemAlloc and cudaVersion would be the ABI compatible CUDA version for the _v2 variant.
    pfn: Location to return the function pointer to the requested driver function
    cudaVersion: The CUDA version to look for the requested driver symbol
    flags: Flags to specify search options.
    symbolStatus: Optional location to store the status of the search for symbol based on cudaVersion. See CUdriverProcAddressQueryResult for possible values.

    C: CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags, CUdriverProcAddressQueryResult *symbolStatus)

    cuda.h:24347
    """
    ...

def cuGetExportTable(pExportTableId: CUuuid | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, int | None]:
    """C: CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)

    cuda.h:24683
    """
    ...

def cuGreenCtxCreate(desc: CUdevResourceDesc | int | None, dev: CUdevice | int | None, flags: int) -> tuple[CUresult, CUgreenCtx | None]:
    """Creates a green context with a specified set of resources.

    phCtx: Pointer for the output handle to the green context
    desc: Descriptor generated via cuDevResourceGenerateDesc which contains the set of resources to be used
    dev: Device on which to create the green context.
    flags: One of the supported green context creation flags. CU_GREEN_CTX_DEFAULT_STREAM is required.

    C: CUresult cuGreenCtxCreate(CUgreenCtx *phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags)

    cuda.h:24853
    """
    ...

def cuGreenCtxDestroy(hCtx: CUgreenCtx | int | None) -> tuple[CUresult]:
    """Destroys a green context

    hCtx: Green context to be destroyed

    C: CUresult cuGreenCtxDestroy(CUgreenCtx hCtx)

    cuda.h:24879
    """
    ...

def cuCtxFromGreenCtx(hCtx: CUgreenCtx | int | None) -> tuple[CUresult, CUcontext | None]:
    """Converts a green context into the primary context

    pContext: Returned primary context with green context resources
    hCtx: Green context to convert

    C: CUresult cuCtxFromGreenCtx(CUcontext *pContext, CUgreenCtx hCtx)

    cuda.h:24906
    """
    ...

def cuDeviceGetDevResource(device: CUdevice | int | None, typename: CUdevResourceType | int) -> tuple[CUresult, CUdevResource | None]:
    """Get device resources

    device: Device to get resource for
    resource: Output pointer to a CUdevResource structure
    type: Type of resource to retrieve

    C: CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type)

    cuda.h:24931
    """
    ...

def cuCtxGetDevResource(hCtx: CUcontext | int | None, typename: CUdevResourceType | int) -> tuple[CUresult, CUdevResource | None]:
    """Get context resources

    hCtx: Context to get resource for
    resource: Output pointer to a CUdevResource structure
    type: Type of resource to retrieve

    C: CUresult cuCtxGetDevResource(CUcontext hCtx, CUdevResource *resource, CUdevResourceType type)

    cuda.h:24955
    """
    ...

def cuGreenCtxGetDevResource(hCtx: CUgreenCtx | int | None, typename: CUdevResourceType | int) -> tuple[CUresult, CUdevResource | None]:
    """Get green context resources

    hCtx: Green context to get resource for
    resource: Output pointer to a CUdevResource structure
    type: Type of resource to retrieve

    C: CUresult cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource *resource, CUdevResourceType type)

    cuda.h:24976
    """
    ...

def cuDevResourceGenerateDesc(resources: CUdevResource | Address | None, nbResources: int) -> tuple[CUresult, CUdevResourceDesc | None]:
    """Generate a resource descriptor

    phDesc: Output descriptor
    resources: Array of resources to be included in the descriptor
    nbResources: Number of resources passed in resources

    C: CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *phDesc, CUdevResource *resources, unsigned int nbResources)

    cuda.h:25076
    """
    ...

def cuGreenCtxRecordEvent(hCtx: CUgreenCtx | int | None, hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Records an event.

    hCtx: Green context to record event for
    hEvent: Event to record

    C: CUresult cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent)

    cuda.h:25109
    """
    ...

def cuGreenCtxWaitEvent(hCtx: CUgreenCtx | int | None, hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Make a green context wait on an event

    hCtx: Green context to wait
    hEvent: Event to wait on

    C: CUresult cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent)

    cuda.h:25143
    """
    ...

def cuStreamGetGreenCtx(hStream: CUstream | int | None) -> tuple[CUresult, CUgreenCtx | None]:
    """Query the green context associated with a stream

    hStream: Handle to the stream to be queried
    phCtx: Returned green context associated with the stream

    C: CUresult cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx *phCtx)

    cuda.h:25196
    """
    ...

def cuGreenCtxStreamCreate(greenCtx: CUgreenCtx | int | None, flags: int, priority: int) -> tuple[CUresult, CUstream | None]:
    """Create a stream for use in the green context

    phStream: Returned newly created stream
    greenCtx: Green context for which to create the stream for
    flags: Flags for stream creation. CU_STREAM_NON_BLOCKING must be specified.
    priority: Stream priority. Lower numbers represent higher priorities. See cuCtxGetStreamPriorityRange for more information about meaningful stream priorities that can be passed.

    C: CUresult cuGreenCtxStreamCreate(CUstream *phStream, CUgreenCtx greenCtx, unsigned int flags, int priority)

    cuda.h:25252
    """
    ...

def cuGreenCtxGetId(greenCtx: CUgreenCtx | int | None) -> tuple[CUresult, int | None]:
    """Returns the unique Id associated with the green context supplied

    greenCtx: Green context for which to obtain the Id
    greenCtxId: Pointer to store the Id of the green context

    C: CUresult cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long *greenCtxId)

    cuda.h:25278
    """
    ...

def cuLogsRegisterCallback(callbackFunc: Callable[[Pointer, CUlogLevel, Pointer, int], object] | None, userData: Address | None) -> tuple[CUresult, CUlogsCallbackHandle | None]:
    """Register a callback function to receive error log messages

    callbackFunc: The function to register as a callback
    userData: A generic pointer to user data. This is passed into the callback function.
    callback_out: Optional location to store the callback handle after it is registered

    C: CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void *userData, CUlogsCallbackHandle *callback_out)

    cuda.h:25317
    """
    ...

def cuLogsUnregisterCallback(callback: CUlogsCallbackHandle | int | None) -> tuple[CUresult]:
    """Unregister a log message callback

    callback: The callback instance to unregister from receiving log messages

    C: CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback)

    cuda.h:25328
    """
    ...

def cuLogsCurrent(flags: int) -> tuple[CUresult, CUlogIterator | None]:
    """Sets log iterator to point to the end of log buffer, where the next message would be written.

    iterator_out: Location to store an iterator to the current tail of the logs
    flags: Reserved for future use, must be 0

    C: CUresult cuLogsCurrent(CUlogIterator *iterator_out, unsigned int flags)

    cuda.h:25340
    """
    ...

def cuCheckpointProcessGetRestoreThreadId(pid: int) -> tuple[CUresult, int | None]:
    """Returns the restore thread ID for a CUDA process

    pid: The process ID of the CUDA process
    tid: Returned restore thread ID

    C: CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int *tid)

    cuda.h:25878
    """
    ...

def cuCheckpointProcessGetState(pid: int) -> tuple[CUresult, CUprocessState | None]:
    """Returns the process state of a CUDA process

    pid: The process ID of the CUDA process
    state: Returned CUDA process state

    C: CUresult cuCheckpointProcessGetState(int pid, CUprocessState *state)

    cuda.h:25894
    """
    ...

def cuCheckpointProcessLock(pid: int, args: CUcheckpointLockArgs | Address | None) -> tuple[CUresult]:
    """Lock a running CUDA process

    pid: The process ID of the CUDA process
    args: Optional lock operation arguments

    C: CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args)

    cuda.h:25918
    """
    ...

def cuCheckpointProcessCheckpoint(pid: int, args: CUcheckpointCheckpointArgs | Address | None) -> tuple[CUresult]:
    """Checkpoint a CUDA process's GPU memory contents

    pid: The process ID of the CUDA process
    args: Optional checkpoint operation arguments

    C: CUresult cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs *args)

    cuda.h:25940
    """
    ...

def cuCheckpointProcessRestore(pid: int, args: CUcheckpointRestoreArgs | Address | None) -> tuple[CUresult]:
    """Restore a CUDA process's GPU memory contents from its last checkpoint

    pid: The process ID of the CUDA process
    args: Optional restore operation arguments

    C: CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args)

    cuda.h:25971
    """
    ...

def cuCheckpointProcessUnlock(pid: int, args: CUcheckpointUnlockArgs | Address | None) -> tuple[CUresult]:
    """Unlock a CUDA process to allow CUDA API calls

    pid: The process ID of the CUDA process
    args: Optional unlock operation arguments

    C: CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args)

    cuda.h:25991
    """
    ...

def cuGraphicsEGLRegisterImage(image: EGLImageKHR | int | None, flags: int) -> tuple[CUresult, CUgraphicsResource | None]:
    """Registers an EGL image

    pCudaResource: Pointer to the returned object handle
    image: An EGLImageKHR image which can be used to create target resource.
    flags: Map flags

    C: CUresult cuGraphicsEGLRegisterImage(CUgraphicsResource *pCudaResource, EGLImageKHR image, unsigned int flags)

    cudaEGL.h:335
    """
    ...

def cuEGLStreamConsumerConnect(stream: EGLStreamKHR | int | None) -> tuple[CUresult, CUeglStreamConnection | None]:
    """Connect CUDA to EGLStream as a consumer.

    conn: Pointer to the returned connection handle
    stream: EGLStreamKHR handle

    C: CUresult cuEGLStreamConsumerConnect(CUeglStreamConnection *conn, EGLStreamKHR stream)

    cudaEGL.h:357
    """
    ...

def cuEGLStreamConsumerConnectWithFlags(stream: EGLStreamKHR | int | None, flags: int) -> tuple[CUresult, CUeglStreamConnection | None]:
    """Connect CUDA to EGLStream as a consumer with given flags.

    conn: Pointer to the returned connection handle
    stream: EGLStreamKHR handle
    flags: Flags denote intended location - system or video.

    C: CUresult cuEGLStreamConsumerConnectWithFlags(CUeglStreamConnection *conn, EGLStreamKHR stream, unsigned int flags)

    cudaEGL.h:381
    """
    ...

def cuEGLStreamConsumerDisconnect(conn: Address | None) -> tuple[CUresult]:
    """Disconnect CUDA as a consumer to EGLStream .

    conn: Conection to disconnect.

    C: CUresult cuEGLStreamConsumerDisconnect(CUeglStreamConnection *conn)

    cudaEGL.h:399
    """
    ...

def cuEGLStreamConsumerAcquireFrame(conn: Address | None, pCudaResource: Address | None, pStream: Address | None, timeout: int) -> tuple[CUresult]:
    """Acquire an image frame from the EGLStream with CUDA as a consumer.

    conn: Connection on which to acquire
    pCudaResource: CUDA resource on which the stream frame will be mapped for use.
    pStream: CUDA stream for synchronization and any data migrations implied by CUeglResourceLocationFlags.
    timeout: Desired timeout in usec for a new frame to be acquired. If set as CUDA_EGL_INFINITE_TIMEOUT, acquire waits infinitely. After timeout occurs CUDA consumer tries to acquire an old frame if available and EGL_SUPPORT_REUSE_NV flag is set.

    C: CUresult cuEGLStreamConsumerAcquireFrame(CUeglStreamConnection *conn, CUgraphicsResource *pCudaResource, CUstream *pStream, unsigned int timeout)

    cudaEGL.h:428
    """
    ...

def cuEGLStreamConsumerReleaseFrame(conn: Address | None, pCudaResource: CUgraphicsResource | int | None, pStream: Address | None) -> tuple[CUresult]:
    """Releases the last frame acquired from the EGLStream.

    conn: Connection on which to release
    pCudaResource: CUDA resource whose corresponding frame is to be released
    pStream: CUDA stream on which release will be done.

    C: CUresult cuEGLStreamConsumerReleaseFrame(CUeglStreamConnection *conn, CUgraphicsResource pCudaResource, CUstream *pStream)

    cudaEGL.h:450
    """
    ...

def cuEGLStreamProducerConnect(stream: EGLStreamKHR | int | None, width: int, height: int) -> tuple[CUresult, CUeglStreamConnection | None]:
    """Connect CUDA to EGLStream as a producer.

    conn: Pointer to the returned connection handle
    stream: EGLStreamKHR handle
    width: width of the image to be submitted to the stream
    height: height of the image to be submitted to the stream

    C: CUresult cuEGLStreamProducerConnect(CUeglStreamConnection *conn, EGLStreamKHR stream, EGLint width, EGLint height)

    cudaEGL.h:475
    """
    ...

def cuEGLStreamProducerDisconnect(conn: Address | None) -> tuple[CUresult]:
    """Disconnect CUDA as a producer to EGLStream .

    conn: Conection to disconnect.

    C: CUresult cuEGLStreamProducerDisconnect(CUeglStreamConnection *conn)

    cudaEGL.h:494
    """
    ...

def cuEGLStreamProducerPresentFrame(conn: Address | None, eglframe: CUeglFrame | tuple[Any, ...] | dict[str, Any], pStream: Address | None) -> tuple[CUresult]:
    """Present a CUDA eglFrame to the EGLStream with CUDA as a producer.

    conn: Connection on which to present the CUDA array
    eglframe: CUDA Eglstream Proucer Frame handle to be sent to the consumer over EglStream.
    pStream: CUDA stream on which to present the frame.

    C: CUresult cuEGLStreamProducerPresentFrame(CUeglStreamConnection *conn, CUeglFrame eglframe, CUstream *pStream)

    cudaEGL.h:542
    """
    ...

def cuEGLStreamProducerReturnFrame(conn: Address | None, eglframe: CUeglFrame | Address | None, pStream: Address | None) -> tuple[CUresult]:
    """Return the CUDA eglFrame to the EGLStream released by the consumer.

    conn: Connection on which to return
    eglframe: CUDA Eglstream Proucer Frame handle returned from the consumer over EglStream.
    pStream: CUDA stream on which to return the frame.

    C: CUresult cuEGLStreamProducerReturnFrame(CUeglStreamConnection *conn, CUeglFrame *eglframe, CUstream *pStream)

    cudaEGL.h:564
    """
    ...

def cuGraphicsResourceGetMappedEglFrame(resource: CUgraphicsResource | int | None, index: int, mipLevel: int) -> tuple[CUresult, CUeglFrame | None]:
    """Get an eglFrame through which to access a registered EGL graphics resource.

    eglFrame: Returned eglFrame.
    resource: Registered resource to access.
    index: Index for cubemap surfaces.
    mipLevel: Mipmap level for the subresource to access.

    C: CUresult cuGraphicsResourceGetMappedEglFrame(CUeglFrame *eglFrame, CUgraphicsResource resource, unsigned int index, unsigned int mipLevel)

    cudaEGL.h:615
    """
    ...

def cuEventCreateFromEGLSync(eglSync: EGLSyncKHR | int | None, flags: int) -> tuple[CUresult, CUevent | None]:
    """Creates an event from EGLSync object

    phEvent: Returns newly created event
    eglSync: Opaque handle to EGLSync object
    flags: Event creation flags

    C: CUresult cuEventCreateFromEGLSync(CUevent *phEvent, EGLSyncKHR eglSync, unsigned int flags)

    cudaEGL.h:653
    """
    ...

def cuGraphicsGLRegisterBuffer(buffer: int, Flags: int) -> tuple[CUresult, CUgraphicsResource | None]:
    """Registers an OpenGL buffer object

    pCudaResource: Pointer to the returned object handle
    buffer: name of buffer object to be registered
    Flags: Register flags

    C: CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource, GLuint buffer, unsigned int Flags)

    cudaGL.h:151
    """
    ...

def cuGraphicsGLRegisterImage(image: int, target: int, Flags: int) -> tuple[CUresult, CUgraphicsResource | None]:
    """Register an OpenGL texture or renderbuffer object

    pCudaResource: Pointer to the returned object handle
    image: name of texture or renderbuffer object to be registered
    target: Identifies the type of object specified by image
    Flags: Register flags

    C: CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource, GLuint image, GLenum target, unsigned int Flags)

    cudaGL.h:210
    """
    ...

def cuGLGetDevices_v2(pCudaDevices: Address | None, cudaDeviceCount: int, deviceList: CUGLDeviceList | int) -> tuple[CUresult, int | None]:
    """Gets the CUDA devices associated with the current OpenGL context

    pCudaDeviceCount: Returned number of CUDA devices.
    pCudaDevices: Returned CUDA devices.
    cudaDeviceCount: The size of the output device array pCudaDevices.
    deviceList: The set of devices to return.

    C: CUresult cuGLGetDevices_v2(unsigned int *pCudaDeviceCount, CUdevice *pCudaDevices, unsigned int cudaDeviceCount, CUGLDeviceList deviceList)

    cudaGL.h:284
    """
    ...

def cuGLCtxCreate_v2(Flags: int, device: CUdevice | int | None) -> tuple[CUresult, CUcontext | None]:
    """Create a CUDA context for interoperability with OpenGL

    pCtx: Returned CUDA context
    Flags: Options for CUDA context creation
    device: Device on which to create the context

    C: CUresult cuGLCtxCreate_v2(CUcontext *pCtx, unsigned int Flags, CUdevice device)

    Deprecated.

    cudaGL.h:332
    """
    ...

def cuGLInit() -> tuple[CUresult]:
    """Initializes OpenGL interoperability

    C: CUresult cuGLInit(void)

    Deprecated.

    cudaGL.h:357
    """
    ...

def cuGLRegisterBufferObject(buffer: int) -> tuple[CUresult]:
    """Registers an OpenGL buffer object

    buffer: The name of the buffer object to register.

    C: CUresult cuGLRegisterBufferObject(GLuint buffer)

    Deprecated.

    cudaGL.h:382
    """
    ...

def cuGLMapBufferObject_v2(buffer: int) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Maps an OpenGL buffer object

    dptr: Returned mapped base pointer
    size: Returned size of mapping
    buffer: The name of the buffer object to map

    C: CUresult cuGLMapBufferObject_v2(CUdeviceptr *dptr, size_t *size, GLuint buffer)

    Deprecated.

    cudaGL.h:416
    """
    ...

def cuGLUnmapBufferObject(buffer: int) -> tuple[CUresult]:
    """Unmaps an OpenGL buffer object

    buffer: Buffer object to unmap

    C: CUresult cuGLUnmapBufferObject(GLuint buffer)

    Deprecated.

    cudaGL.h:445
    """
    ...

def cuGLUnregisterBufferObject(buffer: int) -> tuple[CUresult]:
    """Unregister an OpenGL buffer object

    buffer: Name of the buffer object to unregister

    C: CUresult cuGLUnregisterBufferObject(GLuint buffer)

    Deprecated.

    cudaGL.h:474
    """
    ...

def cuGLSetBufferObjectMapFlags(buffer: int, Flags: int) -> tuple[CUresult]:
    """Set the map flags for an OpenGL buffer object

    buffer: Buffer object to unmap
    Flags: Map flags

    C: CUresult cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned int Flags)

    Deprecated.

    cudaGL.h:517
    """
    ...

def cuGLMapBufferObjectAsync_v2(buffer: int, hStream: CUstream | int | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Maps an OpenGL buffer object

    dptr: Returned mapped base pointer
    size: Returned size of mapping
    buffer: The name of the buffer object to map
    hStream: Stream to synchronize

    C: CUresult cuGLMapBufferObjectAsync_v2(CUdeviceptr *dptr, size_t *size, GLuint buffer, CUstream hStream)

    Deprecated.

    cudaGL.h:552
    """
    ...

def cuGLUnmapBufferObjectAsync(buffer: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Unmaps an OpenGL buffer object

    buffer: Name of the buffer object to unmap
    hStream: Stream to synchronize

    C: CUresult cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream hStream)

    Deprecated.

    cudaGL.h:582
    """
    ...

def cuVDPAUGetDevice(vdpDevice: int, vdpGetProcAddress: Callable[[int, int, Pointer], int] | None) -> tuple[CUresult, CUdevice | None]:
    """Gets the CUDA device associated with a VDPAU device

    pDevice: Device associated with vdpDevice
    vdpDevice: A VdpDevice handle
    vdpGetProcAddress: VDPAU's VdpGetProcAddress function pointer

    C: CUresult cuVDPAUGetDevice(CUdevice *pDevice, VdpDevice vdpDevice, VdpGetProcAddress *vdpGetProcAddress)

    cudaVDPAU.h:100
    """
    ...

def cuVDPAUCtxCreate_v2(flags: int, device: CUdevice | int | None, vdpDevice: int, vdpGetProcAddress: Callable[[int, int, Pointer], int] | None) -> tuple[CUresult, CUcontext | None]:
    """Create a CUDA context for interoperability with VDPAU

    pCtx: Returned CUDA context
    flags: Options for CUDA context creation
    device: Device on which to create the context
    vdpDevice: The VdpDevice to interop with
    vdpGetProcAddress: VDPAU's VdpGetProcAddress function pointer

    C: CUresult cuVDPAUCtxCreate_v2(CUcontext *pCtx, unsigned int flags, CUdevice device, VdpDevice vdpDevice, VdpGetProcAddress *vdpGetProcAddress)

    cudaVDPAU.h:132
    """
    ...

def cuGraphicsVDPAURegisterVideoSurface(vdpSurface: int, flags: int) -> tuple[CUresult, CUgraphicsResource | None]:
    """Registers a VDPAU VdpVideoSurface object

    pCudaResource: Pointer to the returned object handle
    vdpSurface: The VdpVideoSurface to be registered
    flags: Map flags

    C: CUresult cuGraphicsVDPAURegisterVideoSurface(CUgraphicsResource *pCudaResource, VdpVideoSurface vdpSurface, unsigned int flags)

    cudaVDPAU.h:206
    """
    ...

def cuGraphicsVDPAURegisterOutputSurface(vdpSurface: int, flags: int) -> tuple[CUresult, CUgraphicsResource | None]:
    """Registers a VDPAU VdpOutputSurface object

    pCudaResource: Pointer to the returned object handle
    vdpSurface: The VdpOutputSurface to be registered
    flags: Map flags

    C: CUresult cuGraphicsVDPAURegisterOutputSurface(CUgraphicsResource *pCudaResource, VdpOutputSurface vdpSurface, unsigned int flags)

    cudaVDPAU.h:267
    """
    ...

def cuProfilerStart() -> tuple[CUresult]:
    """Enable profiling

    C: CUresult cuProfilerStart(void)

    <source>:2
    """
    ...

def cuProfilerStop() -> tuple[CUresult]:
    """Disable profiling

    C: CUresult cuProfilerStop(void)

    <source>:4
    """
    ...

def cuDeviceTotalMem(dev: CUdevice | int | None) -> tuple[CUresult, int | None]:
    """Returns the total amount of memory on the device

    bytes: Returned memory available on device in bytes
    dev: Device handle

    C: CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)

    cuda.h:5436
    """
    ...

def cuCtxCreate(ctxCreateParams: CUctxCreateParams | Address | None, flags: int, dev: CUdevice | int | None) -> tuple[CUresult, CUcontext | None]:
    """Create a CUDA context

    pctx: Returned context handle of the new context
    ctxCreateParams: Context creation parameters
    flags: Context creation flags
    dev: Device to create context on

    C: CUresult cuCtxCreate(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev)

    cuda.h:6275
    """
    ...

def cuModuleGetGlobal(hmod: CUmodule | int | None, name: Text | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Returns a global pointer from a module

    dptr: Returned global device pointer
    bytes: Returned global size in bytes
    hmod: Module to retrieve global from
    name: Name of global to retrieve

    C: CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)

    cuda.h:7609
    """
    ...

def cuMemGetInfo() -> tuple[CUresult, int | None, int | None]:
    """Gets free and total memory

    free: Returned free memory in bytes
    total: Returned total memory in bytes

    C: CUresult cuMemGetInfo(size_t *free, size_t *total)

    cuda.h:8575
    """
    ...

def cuMemAlloc(bytesize: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Allocates device memory

    dptr: Returned device pointer
    bytesize: Requested allocation size in bytes

    C: CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)

    cuda.h:8609
    """
    ...

def cuMemAllocPitch(WidthInBytes: int, Height: int, ElementSizeBytes: int) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Allocates pitched device memory

    dptr: Returned device pointer
    pPitch: Returned pitch of allocation in bytes
    WidthInBytes: Requested allocation width in bytes
    Height: Requested allocation height in rows
    ElementSizeBytes: Size of largest reads/writes for range

    C: CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes)

    cuda.h:8671
    """
    ...

def cuMemFree(dptr: CUdeviceptr | int | None) -> tuple[CUresult]:
    """Frees device memory

    dptr: Pointer to memory to free

    C: CUresult cuMemFree(CUdeviceptr dptr)

    cuda.h:8708
    """
    ...

def cuMemGetAddressRange(dptr: CUdeviceptr | int | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Get information on memory allocations

    pbase: Returned base address
    psize: Returned size of device memory allocation
    dptr: Device pointer to query

    C: CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)

    cuda.h:8742
    """
    ...

def cuMemAllocHost(bytesize: int) -> tuple[CUresult, int | None]:
    """Allocates page-locked host memory

    pp: Returned pointer to host memory
    bytesize: Requested allocation size in bytes

    C: CUresult cuMemAllocHost(void **pp, size_t bytesize)

    cuda.h:8793
    """
    ...

def cuMemHostGetDevicePointer(p: Address | None, Flags: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Passes back device pointer of mapped pinned memory

    pdptr: Returned device pointer
    p: Host pointer
    Flags: Options (must be 0)

    C: CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)

    cuda.h:8959
    """
    ...

def cuMemAdvise(devPtr: CUdeviceptr | int | None, count: int, advice: CUmem_advise | int, location: CUmemLocation | tuple[Any, ...] | dict[str, Any]) -> tuple[CUresult]:
    """Advise about the usage of a given memory range

    devPtr: Pointer to memory to set the advice for
    count: Size in bytes of the memory range
    advice: Advice to be applied for the specified memory range
    location: location to apply the advice for

    C: CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)

    cuda.h:14555
    """
    ...

def cuArrayCreate(pAllocateArray: CUDA_ARRAY_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUarray | None]:
    """Creates a 1D or 2D CUDA array

    pHandle: Returned array
    pAllocateArray: Array descriptor

    C: CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)

    cuda.h:11855
    """
    ...

def cuArrayGetDescriptor(hArray: CUarray | int | None) -> tuple[CUresult, CUDA_ARRAY_DESCRIPTOR | None]:
    """Get a 1D or 2D CUDA array descriptor

    pArrayDescriptor: Returned array descriptor
    hArray: Array to get descriptor of

    C: CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)

    cuda.h:11889
    """
    ...

def cuArray3DCreate(pAllocateArray: CUDA_ARRAY3D_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUarray | None]:
    """Creates a 3D CUDA array

    pHandle: Returned array
    pAllocateArray: 3D array descriptor

    C: CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)

    cuda.h:12272
    """
    ...

def cuArray3DGetDescriptor(hArray: CUarray | int | None) -> tuple[CUresult, CUDA_ARRAY3D_DESCRIPTOR | None]:
    """Get a 3D CUDA array descriptor

    pArrayDescriptor: Returned 3D array descriptor
    hArray: 3D array to get descriptor of

    C: CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)

    cuda.h:12310
    """
    ...

def cuTexRefSetAddress(hTexRef: CUtexref | int | None, dptr: CUdeviceptr | int | None, numbytes: int) -> tuple[CUresult, int | None]:
    """Binds an address as a texture reference

    ByteOffset: Returned byte offset
    hTexRef: Texture reference to bind
    dptr: Device pointer to bind
    bytes: Size of memory to bind in bytes

    C: CUresult cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)

    Deprecated.

    cuda.h:22011
    """
    ...

def cuTexRefGetAddress(hTexRef: CUtexref | int | None) -> tuple[CUresult, CUdeviceptr | None]:
    """Gets the address associated with a texture reference

    pdptr: Returned device address
    hTexRef: Texture reference

    C: CUresult cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef)

    Deprecated.

    cuda.h:22404
    """
    ...

def cuGraphicsResourceGetMappedPointer(resource: CUgraphicsResource | int | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Get a device pointer through which to access a mapped graphics resource.

    pDevPtr: Returned pointer through which resource may be accessed
    pSize: Returned size of the buffer accessible starting at *pPointer
    resource: Mapped resource to access

    C: CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *pDevPtr, size_t *pSize, CUgraphicsResource resource)

    cuda.h:24151
    """
    ...

def cuCtxDestroy(ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Destroy a CUDA context

    ctx: Context to destroy

    C: CUresult cuCtxDestroy(CUcontext ctx)

    cuda.h:6325
    """
    ...

def cuCtxPopCurrent() -> tuple[CUresult, CUcontext | None]:
    """Pops the current CUDA context from the current CPU thread.

    pctx: Returned popped context handle

    C: CUresult cuCtxPopCurrent(CUcontext *pctx)

    cuda.h:6393
    """
    ...

def cuCtxPushCurrent(ctx: CUcontext | int | None) -> tuple[CUresult]:
    """Pushes a context on the current CPU thread

    ctx: Context to push

    C: CUresult cuCtxPushCurrent(CUcontext ctx)

    cuda.h:6359
    """
    ...

def cuStreamDestroy(hStream: CUstream | int | None) -> tuple[CUresult]:
    """Destroys a stream

    hStream: Stream to destroy

    C: CUresult cuStreamDestroy(CUstream hStream)

    cuda.h:15825
    """
    ...

def cuEventDestroy(hEvent: CUevent | int | None) -> tuple[CUresult]:
    """Destroys an event

    hEvent: Event to destroy

    C: CUresult cuEventDestroy(CUevent hEvent)

    cuda.h:16131
    """
    ...

def cuTexRefSetAddress2D(hTexRef: CUtexref | int | None, desc: CUDA_ARRAY_DESCRIPTOR | tuple[Any, ...] | dict[str, Any] | Address | None, dptr: CUdeviceptr | int | None, Pitch: int) -> tuple[CUresult]:
    """Binds an address as a 2D texture reference

    hTexRef: Texture reference to bind
    desc: Descriptor of CUDA array
    dptr: Device pointer to bind
    Pitch: Line pitch in bytes

    C: CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch)

    Deprecated.

    cuda.h:22066
    """
    ...

def cuLinkCreate(numOptions: int, options: Address | None, optionValues: Address | None) -> tuple[CUresult, CUlinkState | None]:
    """Creates a pending JIT linker invocation.

    numOptions: Size of options arrays
    options: Array of linker and compiler options
    optionValues: Array of option values, each cast to void *
    stateOut: On success, this will contain a CUlinkState to specify and complete this action

    C: CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut)

    cuda.h:7657
    """
    ...

def cuLinkAddData(state: CUlinkState | int | None, typename: CUjitInputType | int, data: Address | None, size: int, name: Text | None, numOptions: int, options: Address | None, optionValues: Address | None) -> tuple[CUresult]:
    """Add an input to a pending linker invocation

    state: A pending linker action.
    type: The type of the input data.
    data: The input data. PTX must be NULL-terminated.
    size: The length of the input data.
    name: An optional name for this input in log messages.
    numOptions: Size of options.
    options: Options to be applied only for this input (overrides options from cuLinkCreate).
    optionValues: Array of option values, each cast to void *.

    C: CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned int numOptions, CUjit_option *options, void **optionValues)

    cuda.h:7697
    """
    ...

def cuLinkAddFile(state: CUlinkState | int | None, typename: CUjitInputType | int, path: Text | None, numOptions: int, options: Address | None, optionValues: Address | None) -> tuple[CUresult]:
    """Add a file input to a pending linker invocation

    state: A pending linker action
    type: The type of the input data
    path: Path to the input file
    numOptions: Size of options
    options: Options to be applied only for this input (overrides options from cuLinkCreate)
    optionValues: Array of option values, each cast to void *

    C: CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions, CUjit_option *options, void **optionValues)

    cuda.h:7739
    """
    ...

def cuMemHostRegister(p: Address | None, bytesize: int, Flags: int) -> tuple[CUresult]:
    """Registers an existing host memory range for use by CUDA

    p: Host pointer to memory to page-lock
    bytesize: Size in bytes of the address range to page-lock
    Flags: Flags for allocation request

    C: CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)

    cuda.h:9541
    """
    ...

def cuGraphicsResourceSetMapFlags(resource: CUgraphicsResource | int | None, flags: int) -> tuple[CUresult]:
    """Set usage flags for mapping a graphics resource

    resource: Registered resource to set flags for
    flags: Parameters for resource mapping

    C: CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags)

    cuda.h:24192
    """
    ...

def cuDevicePrimaryCtxRelease(dev: CUdevice | int | None) -> tuple[CUresult]:
    """Release the primary context on the GPU

    dev: Device which primary context is released

    C: CUresult cuDevicePrimaryCtxRelease(CUdevice dev)

    cuda.h:5937
    """
    ...

def cuDevicePrimaryCtxReset(dev: CUdevice | int | None) -> tuple[CUresult]:
    """Destroy all allocations and reset all state on the primary context

    dev: Device for which primary context is destroyed

    C: CUresult cuDevicePrimaryCtxReset(CUdevice dev)

    cuda.h:6100
    """
    ...

def cuDevicePrimaryCtxSetFlags(dev: CUdevice | int | None, flags: int) -> tuple[CUresult]:
    """Set flags for the primary context

    dev: Device for which the primary context flags are set
    flags: New flags for the device

    C: CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)

    cuda.h:6033
    """
    ...

def cuDeviceGetUuid(dev: CUdevice | int | None) -> tuple[CUresult, CUuuid | None]:
    """Return an UUID for the device

    uuid: Returned UUID
    dev: Device to get identifier string for

    C: CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)

    cuda.h:5378
    """
    ...

def cuIpcOpenMemHandle(handle: CUipcMemHandle | tuple[Any, ...] | dict[str, Any], Flags: int) -> tuple[CUresult, CUdeviceptr | None]:
    """Opens an interprocess memory handle exported from another process and returns a device pointer usable in the local process.

    pdptr: Returned device pointer
    handle: CUipcMemHandle to open
    Flags: Flags for this operation. Must be specified as CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS

    C: CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)

    cuda.h:9413
    """
    ...

def cuGraphInstantiate(hGraph: CUgraph | int | None, flags: int) -> tuple[CUresult, CUgraphExec | None]:
    """Creates an executable graph from a graph

    phGraphExec: Returns instantiated graph
    hGraph: Graph to instantiate
    flags: Flags to control instantiation. See CUgraphInstantiate_flags.

    C: CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long flags)

    cuda.h:20415
    """
    ...

def cuGraphExecUpdate(hGraphExec: CUgraphExec | int | None, hGraph: CUgraph | int | None) -> tuple[CUresult, CUgraphExecUpdateResultInfo | None]:
    """Check whether an executable graph can be updated with a graph and perform the update if possible

    hGraphExec: The instantiated graph to be updated
    hGraph: The graph containing the updated parameters
    resultInfo: the error info structure

    C: CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo)

    cuda.h:21212
    """
    ...

def cuGetProcAddress(symbol: Text | None, cudaVersion: int, flags: int) -> tuple[CUresult, int | None, CUdriverProcAddressQueryResult | None]:
    """Returns the requested driver API function pointer

    symbol: The base name of the driver API function to look for. As an example, for the driver API cuMemAlloc_v2, symbol would be cuMemAlloc and cudaVersion would be the ABI compatible CUDA version for the _v2 variant.
    pfn: Location to return the function pointer to the requested driver function
    cudaVersion: The CUDA version to look for the requested driver symbol
    flags: Flags to specify search options.
    symbolStatus: Optional location to store the status of the search for symbol based on cudaVersion. See CUdriverProcAddressQueryResult for possible values.

    C: CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags, CUdriverProcAddressQueryResult *symbolStatus)

    cuda.h:24347
    """
    ...

def cuGraphAddKernelNode(hGraph: CUgraph | int | None, dependencies: Address | None, numDependencies: int, nodeParams: CUDA_KERNEL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Creates a kernel execution node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the GPU execution node

    C: CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:18741
    """
    ...

def cuGraphKernelNodeGetParams(hNode: CUgraphNode | int | None) -> tuple[CUresult, CUDA_KERNEL_NODE_PARAMS | None]:
    """Returns a kernel node's parameters

    hNode: Node to get the parameters for
    nodeParams: Pointer to return the parameters

    C: CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:18773
    """
    ...

def cuGraphKernelNodeSetParams(hNode: CUgraphNode | int | None, nodeParams: CUDA_KERNEL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets a kernel node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:18797
    """
    ...

def cuGraphExecKernelNodeSetParams(hGraphExec: CUgraphExec | int | None, hNode: CUgraphNode | int | None, nodeParams: CUDA_KERNEL_NODE_PARAMS | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Sets the parameters for a kernel node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: kernel node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)

    cuda.h:20597
    """
    ...

def cuGraphAddDependencies(hGraph: CUgraph | int | None, from_: Address | None, to: Address | None, edgeData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int) -> tuple[CUresult]:
    """Adds dependency edges to a graph

    hGraph: Graph to which dependencies are added
    from: Array of nodes that provide the dependencies
    to: Array of dependent nodes
    edgeData: Optional array of edge data. If NULL, default (zeroed) edge data is assumed.
    numDependencies: Number of dependencies to be added

    C: CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edgeData, size_t numDependencies)

    cuda.h:20280
    """
    ...

def cuGraphRemoveDependencies(hGraph: CUgraph | int | None, from_: Address | None, to: Address | None, edgeData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int) -> tuple[CUresult]:
    """Removes dependency edges from a graph

    hGraph: Graph from which to remove dependencies
    from: Array of nodes that provide the dependencies
    to: Array of dependent nodes
    edgeData: Optional array of edge data. If NULL, edge data is assumed to be default (zeroed).
    numDependencies: Number of dependencies to be removed

    C: CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edgeData, size_t numDependencies)

    cuda.h:20316
    """
    ...

def cuGraphAddNode(hGraph: CUgraph | int | None, dependencies: Address | None, dependencyData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, nodeParams: CUgraphNodeParams | Address | None) -> tuple[CUresult, CUgraphNode | None]:
    """Adds a node of arbitrary type to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    dependencyData: Optional edge data for the dependencies. If NULL, the data is assumed to be default (zeroed) for all dependencies.
    numDependencies: Number of dependencies
    nodeParams: Specification of the node

    C: CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, CUgraphNodeParams *nodeParams)

    cuda.h:21479
    """
    ...

def cuEventElapsedTime(hStart: CUevent | int | None, hEnd: CUevent | int | None) -> tuple[CUresult, float | None]:
    """Computes the elapsed time between two events

    pMilliseconds: Time between hStart and hEnd in ms
    hStart: Starting event
    hEnd: Ending event

    C: CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)

    cuda.h:16179
    """
    ...

def cuGLCtxCreate(Flags: int, device: CUdevice | int | None) -> tuple[CUresult, CUcontext | None]:
    """Create a CUDA context for interoperability with OpenGL

    pCtx: Returned CUDA context
    Flags: Options for CUDA context creation
    device: Device on which to create the context

    C: CUresult cuGLCtxCreate(CUcontext *pCtx, unsigned int Flags, CUdevice device)

    Deprecated.

    cudaGL.h:332
    """
    ...

def cuVDPAUCtxCreate(flags: int, device: CUdevice | int | None, vdpDevice: int, vdpGetProcAddress: Callable[[int, int, Pointer], int] | None) -> tuple[CUresult, CUcontext | None]:
    """Create a CUDA context for interoperability with VDPAU

    pCtx: Returned CUDA context
    flags: Options for CUDA context creation
    device: Device on which to create the context
    vdpDevice: The VdpDevice to interop with
    vdpGetProcAddress: VDPAU's VdpGetProcAddress function pointer

    C: CUresult cuVDPAUCtxCreate(CUcontext *pCtx, unsigned int flags, CUdevice device, VdpDevice vdpDevice, VdpGetProcAddress *vdpGetProcAddress)

    cudaVDPAU.h:132
    """
    ...

def cuMemPrefetchAsync(devPtr: CUdeviceptr | int | None, count: int, location: CUmemLocation | tuple[Any, ...] | dict[str, Any], flags: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Prefetches memory to the specified destination location

    devPtr: Pointer to be prefetched
    count: Size in bytes
    location: Location to prefetch to
    flags: flags for future use, must be zero now.
    hStream: Stream to enqueue prefetch operation

    C: CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream)

    cuda.h:14434
    """
    ...

def cuMemcpyHtoD(dstDevice: CUdeviceptr | int | None, srcHost: Address | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Host to Device

    dstDevice: Destination device pointer
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)

    cuda.h:9673
    """
    ...

def cuMemcpyDtoH(dstHost: Address | None, srcDevice: CUdeviceptr | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Device to Host

    dstHost: Destination host pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)

    cuda.h:9709
    """
    ...

def cuMemcpyDtoD(dstDevice: CUdeviceptr | int | None, srcDevice: CUdeviceptr | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Device to Device

    dstDevice: Destination device pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)

    cuda.h:9745
    """
    ...

def cuMemcpyDtoA(dstArray: CUarray | int | None, dstOffset: int, srcDevice: CUdeviceptr | int | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Device to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount)

    cuda.h:9781
    """
    ...

def cuMemcpyAtoD(dstDevice: CUdeviceptr | int | None, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Array to Device

    dstDevice: Destination device pointer
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount)

    cuda.h:9819
    """
    ...

def cuMemcpyHtoA(dstArray: CUarray | int | None, dstOffset: int, srcHost: Address | None, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Host to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)

    cuda.h:9856
    """
    ...

def cuMemcpyAtoH(dstHost: Address | None, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Array to Host

    dstHost: Destination device pointer
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)

    cuda.h:9893
    """
    ...

def cuMemcpyAtoA(dstArray: CUarray | int | None, dstOffset: int, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int) -> tuple[CUresult]:
    """Copies memory from Array to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes

    C: CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount)

    cuda.h:9933
    """
    ...

def cuMemcpyHtoAAsync(dstArray: CUarray | int | None, dstOffset: int, srcHost: Address | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Host to Array

    dstArray: Destination array
    dstOffset: Offset in bytes of destination array
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount, CUstream hStream)

    cuda.h:10695
    """
    ...

def cuMemcpyAtoHAsync(dstHost: Address | None, srcArray: CUarray | int | None, srcOffset: int, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Array to Host

    dstHost: Destination pointer
    srcArray: Source array
    srcOffset: Offset in bytes of source array
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream)

    cuda.h:10737
    """
    ...

def cuMemcpy2D(pCopy: CUDA_MEMCPY2D | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Copies memory for 2D arrays

    pCopy: Parameters for the memory copy

    C: CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)

    cuda.h:10097
    """
    ...

def cuMemcpy2DUnaligned(pCopy: CUDA_MEMCPY2D | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Copies memory for 2D arrays

    pCopy: Parameters for the memory copy

    C: CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)

    cuda.h:10259
    """
    ...

def cuMemcpy3D(pCopy: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[CUresult]:
    """Copies memory for 3D arrays

    pCopy: Parameters for the memory copy

    C: CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy)

    cuda.h:10428
    """
    ...

def cuMemcpyHtoDAsync(dstDevice: CUdeviceptr | int | None, srcHost: Address | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Host to Device

    dstDevice: Destination device pointer
    srcHost: Source host pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)

    cuda.h:10571
    """
    ...

def cuMemcpyDtoHAsync(dstHost: Address | None, srcDevice: CUdeviceptr | int | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Device to Host

    dstHost: Destination host pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)

    cuda.h:10612
    """
    ...

def cuMemcpyDtoDAsync(dstDevice: CUdeviceptr | int | None, srcDevice: CUdeviceptr | int | None, ByteCount: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory from Device to Device

    dstDevice: Destination device pointer
    srcDevice: Source device pointer
    ByteCount: Size of memory copy in bytes
    hStream: Stream identifier

    C: CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)

    cuda.h:10653
    """
    ...

def cuMemcpy2DAsync(pCopy: CUDA_MEMCPY2D | tuple[Any, ...] | dict[str, Any] | Address | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory for 2D arrays

    pCopy: Parameters for the memory copy
    hStream: Stream identifier

    C: CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)

    cuda.h:10906
    """
    ...

def cuMemcpy3DAsync(pCopy: CUDA_MEMCPY3D | tuple[Any, ...] | dict[str, Any] | Address | None, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Copies memory for 3D arrays

    pCopy: Parameters for the memory copy
    hStream: Stream identifier

    C: CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream)

    cuda.h:11080
    """
    ...

def cuMemcpyBatchAsync(dsts: Address | None, srcs: Address | None, sizes: Address | None, count: int, attrs: CUmemcpyAttributes | Address | None, attrsIdxs: Address | None, numAttrs: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Performs a batch of memory copies asynchronously.

    dsts: Array of destination pointers.
    srcs: Array of memcpy source pointers.
    sizes: Array of sizes for memcpy operations.
    count: Size of dsts, srcs and sizes arrays
    attrs: Array of memcpy attributes.
    attrsIdxs: Array of indices to specify which copies each entry in the attrs array applies to. The attributes specified in attrs[k] will be applied to copies starting from attrsIdxs[k] through attrsIdxs[k+1] - 1. Also attrs[numAttrs-1] will apply to copies starting from attrsIdxs[numAttrs-1] through count - 1.
    numAttrs: Size of attrs and attrsIdxs arrays.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream)

    cuda.h:11176
    """
    ...

def cuMemcpy3DBatchAsync(numOps: int, opList: CUDA_MEMCPY3D_BATCH_OP | Address | None, flags: int, hStream: CUstream | int | None) -> tuple[CUresult]:
    """Performs a batch of 3D memory copies asynchronously.

    numOps: Total number of memcpy operations.
    opList: Array of size numOps containing the actual memcpy operations.
    flags: Flags for future use, must be zero now.
    hStream: The stream to enqueue the operations in. Must not be default NULL stream.

    C: CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long flags, CUstream hStream)

    cuda.h:11243
    """
    ...

def cuMemsetD8(dstDevice: CUdeviceptr | int | None, uc: int, N: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    uc: Value to set
    N: Number of elements

    C: CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)

    cuda.h:11278
    """
    ...

def cuMemsetD16(dstDevice: CUdeviceptr | int | None, us: int, N: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    us: Value to set
    N: Number of elements

    C: CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)

    cuda.h:11313
    """
    ...

def cuMemsetD32(dstDevice: CUdeviceptr | int | None, ui: int, N: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    ui: Value to set
    N: Number of elements

    C: CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)

    cuda.h:11348
    """
    ...

def cuMemsetD2D8(dstDevice: CUdeviceptr | int | None, dstPitch: int, uc: int, Width: int, Height: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    uc: Value to set
    Width: Width of row
    Height: Number of rows

    C: CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height)

    cuda.h:11388
    """
    ...

def cuMemsetD2D16(dstDevice: CUdeviceptr | int | None, dstPitch: int, us: int, Width: int, Height: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    us: Value to set
    Width: Width of row
    Height: Number of rows

    C: CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height)

    cuda.h:11429
    """
    ...

def cuMemsetD2D32(dstDevice: CUdeviceptr | int | None, dstPitch: int, ui: int, Width: int, Height: int) -> tuple[CUresult]:
    """Initializes device memory

    dstDevice: Destination device pointer
    dstPitch: Pitch of destination device pointer(Unused if Height is 1)
    ui: Value to set
    Width: Width of row
    Height: Number of rows

    C: CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height)

    cuda.h:11470
    """
    ...

def cuStreamBeginCapture(hStream: CUstream | int | None, mode: CUstreamCaptureMode | int) -> tuple[CUresult]:
    """Begins graph capture on a stream

    hStream: Stream in which to initiate capture
    mode: Controls the interaction of this capture sequence with other API calls that are potentially unsafe. For more details see cuThreadExchangeStreamCaptureMode.

    C: CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)

    cuda.h:15381
    """
    ...

def cuStreamWriteValue32(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Write a value to memory

    stream: The stream to do the write in.
    addr: The device address to write to.
    value: The value to write.
    flags: See CUstreamWriteValue_flags.

    C: CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)

    cuda.h:17008
    """
    ...

def cuStreamWaitValue32(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Wait on a memory location

    stream: The stream to synchronize on the memory location.
    addr: The memory location to wait on.
    value: The value to compare with the memory location.
    flags: See CUstreamWaitValue_flags.

    C: CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)

    cuda.h:16936
    """
    ...

def cuStreamWriteValue64(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Write a value to memory

    stream: The stream to do the write in.
    addr: The device address to write to.
    value: The value to write.
    flags: See CUstreamWriteValue_flags.

    C: CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)

    cuda.h:17039
    """
    ...

def cuStreamWaitValue64(stream: CUstream | int | None, addr: CUdeviceptr | int | None, value: int, flags: int) -> tuple[CUresult]:
    """Wait on a memory location

    stream: The stream to synchronize on the memory location.
    addr: The memory location to wait on.
    value: The value to compare with the memory location.
    flags: See CUstreamWaitValue_flags.

    C: CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)

    cuda.h:16979
    """
    ...

def cuStreamBatchMemOp(stream: CUstream | int | None, count: int, paramArray: CUstreamBatchMemOpParams | Address | None, flags: int) -> tuple[CUresult]:
    """Batch operations to synchronize the stream via memory operations

    stream: The stream to enqueue the operations in.
    count: The number of operations in the array. Must be less than 256.
    paramArray: The types and parameters of the individual operations.
    flags: Reserved for future expansion; must be 0.

    C: CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray, unsigned int flags)

    cuda.h:17080
    """
    ...

def cuStreamUpdateCaptureDependencies(hStream: CUstream | int | None, dependencies: Address | None, dependencyData: CUgraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, flags: int) -> tuple[CUresult]:
    """Update the set of dependencies in a capturing stream

    hStream: The stream to update
    dependencies: The set of dependencies to add
    dependencyData: Optional array of data associated with each dependency.
    numDependencies: The size of the dependencies array
    flags: See above

    C: CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, unsigned int flags)

    cuda.h:15647
    """
    ...

def cuGLMapBufferObject(buffer: int) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Maps an OpenGL buffer object

    dptr: Returned mapped base pointer
    size: Returned size of mapping
    buffer: The name of the buffer object to map

    C: CUresult cuGLMapBufferObject(CUdeviceptr *dptr, size_t *size, GLuint buffer)

    Deprecated.

    cudaGL.h:416
    """
    ...

def cuGLMapBufferObjectAsync(buffer: int, hStream: CUstream | int | None) -> tuple[CUresult, CUdeviceptr | None, int | None]:
    """Maps an OpenGL buffer object

    dptr: Returned mapped base pointer
    size: Returned size of mapping
    buffer: The name of the buffer object to map
    hStream: Stream to synchronize

    C: CUresult cuGLMapBufferObjectAsync(CUdeviceptr *dptr, size_t *size, GLuint buffer, CUstream hStream)

    Deprecated.

    cudaGL.h:552
    """
    ...

CUdevice_v1 = CUdevice
CUdeviceptr_v2 = CUdeviceptr
CUmemGenericAllocationHandle_v1 = CUmemGenericAllocationHandle
CUsurfObject_v1 = CUsurfObject
CUtexObject_v1 = CUtexObject
CUkernelNodeAttrID = CUlaunchAttributeID
CUstreamAttrID = CUlaunchAttributeID
CUkernelNodeAttrValue = CUlaunchAttributeValue
CUkernelNodeAttrValue_v1 = CUlaunchAttributeValue
CUstreamAttrValue = CUlaunchAttributeValue
CUstreamAttrValue_v1 = CUlaunchAttributeValue
class cuuint32_t:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class cuuint64_t:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class GLenum:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class GLuint:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class EGLint:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class VdpDevice:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class VdpGetProcAddress:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class VdpVideoSurface:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

class VdpOutputSurface:
    def __init__(self, value: int = 0, _ptr: int = 0) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def getPtr(self) -> int: ...

CU_LAUNCH_PARAM_END: Final = 0
def sizeof(objType: type) -> int:
    """The size in bytes of what a class stands for in C."""
    ...

def cuLinkDestroy(state: CUlinkState | int | None) -> tuple[CUresult]:
    """Ends a link."""
    ...

def cuDeviceGetLuid(dev: CUdevice) -> tuple[CUresult, bytes | None, int | None]:
    """The LUID and node mask of a device: (status, bytes, int)."""
    ...

def cuPointerGetAttribute(attribute: CUpointer_attribute, ptr: CUdeviceptr) -> tuple[CUresult, Any]:
    """One attribute of a pointer, with the type that the attribute has."""
    ...

def cuPointerGetAttributes(numAttributes: int, attributes: Sequence[CUpointer_attribute] | None, ptr: CUdeviceptr) -> tuple[CUresult, list[Any] | None]:
    """Several attributes of a pointer."""
    ...

def cuPointerSetAttribute(value: Any, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> tuple[CUresult]:
    """Sets an attribute of a pointer."""
    ...

def cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute) -> tuple[CUresult, Any]:
    """One attribute of a memory pool."""
    ...

def cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: Any) -> tuple[CUresult]:
    """Sets an attribute of a memory pool."""
    ...

def cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute) -> tuple[CUresult, int | None]:
    """Return the memory that the graphs of a device use, in bytes."""
    ...

def cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: Any) -> tuple[CUresult]:
    """Sets an attribute of graphs' memory."""
    ...

def cuMemRangeGetAttribute(dataSize: int, attribute: CUmem_range_attribute, devPtr: CUdeviceptr, count: int) -> tuple[CUresult, Any]:
    """One attribute of a range of managed memory: an int, or a list of ints if it has several."""
    ...

def cuMemRangeGetAttributes(dataSizes: Sequence[int], attributes: Sequence[CUmem_range_attribute] | None, numAttributes: int, devPtr: CUdeviceptr, count: int) -> tuple[CUresult, list[Any] | None]:
    """Several attributes of a range of managed memory."""
    ...

def cuGraphGetNodes(hGraph: CUgraph, numNodes: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, int | None]:
    """So many nodes of a graph, and how many it has."""
    ...

def cuGraphGetRootNodes(hGraph: CUgraph, numRootNodes: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, int | None]:
    """So many nodes of a graph that depend on none, and how many it has."""
    ...

def cuGraphGetEdges(hGraph: CUgraph, numEdges: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
    """So many edges of a graph (from, to, and their data), and how many it has."""
    ...

def cuGraphNodeGetDependencies(hNode: CUgraphNode, numDependencies: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
    """So many nodes that a node depends on, with the edges' data, and how many there are."""
    ...

def cuGraphNodeGetDependentNodes(hNode: CUgraphNode, numDependentNodes: int = 0) -> tuple[CUresult, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
    """So many nodes that depend on a node, with the edges' data, and how many there are."""
    ...

def cuModuleEnumerateFunctions(numFunctions: int, mod: CUmodule) -> tuple[CUresult, list[CUfunction] | None]:
    """So many functions of a module."""
    ...

def cuLibraryEnumerateKernels(numKernels: int, lib: CUlibrary) -> tuple[CUresult, list[CUkernel] | None]:
    """So many kernels of a library."""
    ...

def cuDeviceGetHostAtomicCapabilities(operations: Sequence[CUatomicOperation] | None, count: int, dev: CUdevice) -> tuple[CUresult, list[int] | None]:
    """Return a device's capabilities for each atomic operation on the host's memory."""
    ...

def cuDeviceGetP2PAtomicCapabilities(operations: Sequence[CUatomicOperation] | None, count: int, srcDevice: CUdevice, dstDevice: CUdevice) -> tuple[CUresult, list[int] | None]:
    """Return a device's capabilities for each atomic operation on another's memory."""
    ...

def cuGLGetDevices(cudaDeviceCount: int, deviceList: CUGLDeviceList) -> tuple[CUresult, int | None, list[CUdevice] | None]:
    """The devices of the current OpenGL context: how many, and so many of them."""
    ...

def cuMemExportToShareableHandle(handle: CUmemGenericAllocationHandle, handleType: CUmemAllocationHandleType, flags: int) -> tuple[CUresult, Any]:
    """A handle of the operating system for an allocation: a file descriptor, or what the type says."""
    ...

def cuMemPoolExportToShareableHandle(pool: CUmemoryPool, handleType: CUmemAllocationHandleType, flags: int) -> tuple[CUresult, Any]:
    """A handle of the operating system for a memory pool: a file descriptor, or what the type says."""
    ...

def cuMemGetHandleForAddressRange(dptr: CUdeviceptr, size: int, handleType: CUmemRangeHandleType, flags: int) -> tuple[CUresult, int | None]:
    """A dma_buf's file descriptor for a range of memory."""
    ...

def cuStreamGetCaptureInfo(hStream: CUstream | None) -> tuple[CUresult, CUstreamCaptureStatus | None, int | None, CUgraph | None, list[CUgraphNode] | None, list[CUgraphEdgeData] | None, int | None]:
    """A stream's capture: its state, number, graph, the nodes that the next one will depend on with the edges' data, and how many these are."""
    ...

def cuDevSmResourceSplitByCount(nbGroups: int, input_: CUdevResource | None, useFlags: int, minCount: int) -> tuple[CUresult, list[CUdevResource] | None, int | None, CUdevResource | None]:
    """Splits multiprocessors: so many groups, how many there can be, and what remains."""
    ...

def cuCoredumpGetAttribute(attrib: CUcoredumpSettings) -> tuple[CUresult, Any]:
    """A setting of core dumps: bytes for names of files, a bool, or flags."""
    ...

def cuCoredumpGetAttributeGlobal(attrib: CUcoredumpSettings) -> tuple[CUresult, Any]:
    """A setting of core dumps of all contexts: bytes for names of files, a bool, or flags."""
    ...

def cuCoredumpSetAttribute(attrib: CUcoredumpSettings, value: bytes | str | bool | int) -> tuple[CUresult]:
    """Sets how core dumps are made."""
    ...

def cuCoredumpSetAttributeGlobal(attrib: CUcoredumpSettings, value: bytes | str | bool | int) -> tuple[CUresult]:
    """Sets how core dumps of all contexts are made."""
    ...

def cuLogsDumpToFile(iterator: CUlogIterator | None, pathToFile: str | bytes, flags: int) -> tuple[CUresult, CUlogIterator | None]:
    """Writes what the driver has logged since `iterator`, which moves on, to a file."""
    ...

def cuLogsDumpToMemory(iterator: CUlogIterator | None, buffer: Any, size: int, flags: int) -> tuple[CUresult, CUlogIterator | None, int | None]:
    """Writes what the driver has logged since `iterator`, which moves on, to memory; the last is how much."""
    ...

