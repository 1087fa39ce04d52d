"""Bindings of cuda_runtime_api.h."""
# ruff: noqa

from collections.abc import Callable
from enum import IntEnum
from collections.abc import Sequence
from typing import Any, Final

from cuox_bind.bound import Address, Text
from cuox_bind import Handle, Pointer, Record

class cudaTextureObject_t(Handle):
    """A handle, which stays the library's."""

class cudaSurfaceObject_t(Handle):
    """A handle, which stays the library's."""

class cudaGraphConditionalHandle(Handle):
    """A handle, which stays the library's."""

class cudaLogIterator(Handle):
    """A handle, which stays the library's."""

class EGLImageKHR(Handle):
    """A handle, which stays the library's."""

class EGLSyncKHR(Handle):
    """A handle, which stays the library's."""

class cudaArray_t(Handle):
    """A handle. One that is yours is ended by cudaFreeArray() when it is closed or no longer used."""

class cudaMipmappedArray_t(Handle):
    """A handle. One that is yours is ended by cudaFreeMipmappedArray() when it is closed or no longer used."""

class cudaGraphicsResource_t(Handle):
    """A handle, which stays the library's."""

class cudaStream_t(Handle):
    """A handle. One that is yours is ended by cudaStreamDestroy() when it is closed or no longer used."""

class cudaEvent_t(Handle):
    """A handle. One that is yours is ended by cudaEventDestroy() when it is closed or no longer used."""

class cudaExternalMemory_t(Handle):
    """A handle. One that is yours is ended by cudaDestroyExternalMemory() when it is closed or no longer used."""

class cudaExternalSemaphore_t(Handle):
    """A handle. One that is yours is ended by cudaDestroyExternalSemaphore() when it is closed or no longer used."""

class cudaGraph_t(Handle):
    """A handle. One that is yours is ended by cudaGraphDestroy() when it is closed or no longer used."""

class cudaGraphNode_t(Handle):
    """A handle. One that is yours is ended by cudaGraphDestroyNode() when it is closed or no longer used."""

class cudaUserObject_t(Handle):
    """A handle, which stays the library's."""

class cudaFunction_t(Handle):
    """A handle, which stays the library's."""

class cudaKernel_t(Handle):
    """A handle, which stays the library's."""

class cudaLibrary_t(Handle):
    """A handle. One that is yours is ended by cudaLibraryUnload() when it is closed or no longer used."""

class cudaMemPool_t(Handle):
    """A handle. One that is yours is ended by cudaMemPoolDestroy() when it is closed or no longer used."""

class cudaGraphExec_t(Handle):
    """A handle. One that is yours is ended by cudaGraphExecDestroy() when it is closed or no longer used."""

class cudaGraphDeviceNode_t(Handle):
    """A handle, which stays the library's."""

class cudaAsyncCallbackHandle_t(Handle):
    """A handle, which stays the library's."""

class cudaLogsCallbackHandle(Handle):
    """A handle, which stays the library's."""

class cudaEglStreamConnection(Handle):
    """A handle, which stays the library's."""

class EGLStreamKHR(Handle):
    """A handle, which stays the library's."""

class char1(Record):
    """vector_types.h:175"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class uchar1(Record):
    """vector_types.h:180"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class char2(Record):
    """vector_types.h:186"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class uchar2(Record):
    """vector_types.h:191"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class char3(Record):
    """vector_types.h:196"""
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

class uchar3(Record):
    """vector_types.h:201"""
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

class char4(Record):
    """vector_types.h:206"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class uchar4(Record):
    """vector_types.h:211"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class short1(Record):
    """vector_types.h:216"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class ushort1(Record):
    """vector_types.h:221"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class short2(Record):
    """vector_types.h:226"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class ushort2(Record):
    """vector_types.h:231"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class short3(Record):
    """vector_types.h:236"""
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

class ushort3(Record):
    """vector_types.h:241"""
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

class short4(Record):
    """vector_types.h:246"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class ushort4(Record):
    """vector_types.h:247"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class int1(Record):
    """vector_types.h:249"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class uint1(Record):
    """vector_types.h:254"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class int2(Record):
    """vector_types.h:259"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class uint2(Record):
    """vector_types.h:260"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class int3(Record):
    """vector_types.h:262"""
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

class uint3(Record):
    """vector_types.h:267"""
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

class int4(Record):
    """vector_types.h:272"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class uint4(Record):
    """vector_types.h:277"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class long1(Record):
    """vector_types.h:282"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class ulong1(Record):
    """vector_types.h:287"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class long2(Record):
    """vector_types.h:297"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class ulong2(Record):
    """vector_types.h:302"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class long3(Record):
    """vector_types.h:309"""
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

class ulong3(Record):
    """vector_types.h:314"""
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

class long4(Record):
    """vector_types.h:320"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class ulong4(Record):
    """vector_types.h:326"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class long4_16a(Record):
    """vector_types.h:331"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class ulong4_16a(Record):
    """vector_types.h:336"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class long4_32a(Record):
    """vector_types.h:345"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class ulong4_32a(Record):
    """vector_types.h:350"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class float1(Record):
    """vector_types.h:358"""
    def __init__(self, x: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...

class float2(Record):
    """vector_types.h:380"""
    def __init__(self, x: float = ..., y: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...

class float3(Record):
    """vector_types.h:385"""
    def __init__(self, x: float = ..., y: float = ..., z: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...
    @property
    def z(self) -> float:
        ...
    @z.setter
    def z(self, value: float) -> None: ...

class float4(Record):
    """vector_types.h:390"""
    def __init__(self, x: float = ..., y: float = ..., z: float = ..., w: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...
    @property
    def z(self) -> float:
        ...
    @z.setter
    def z(self, value: float) -> None: ...
    @property
    def w(self) -> float:
        ...
    @w.setter
    def w(self, value: float) -> None: ...

class longlong1(Record):
    """vector_types.h:395"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class ulonglong1(Record):
    """vector_types.h:400"""
    def __init__(self, x: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        ...
    @x.setter
    def x(self, value: int) -> None: ...

class longlong2(Record):
    """vector_types.h:405"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class ulonglong2(Record):
    """vector_types.h:410"""
    def __init__(self, x: int = ..., y: int = ..., *, _ptr: int = ...) -> None: ...
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

class longlong3(Record):
    """vector_types.h:415"""
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

class ulonglong3(Record):
    """vector_types.h:420"""
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

class longlong4(Record):
    """vector_types.h:426"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class longlong4_16a(Record):
    """vector_types.h:431"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class longlong4_32a(Record):
    """vector_types.h:436"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class ulonglong4(Record):
    """vector_types.h:442"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class ulonglong4_16a(Record):
    """vector_types.h:447"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class ulonglong4_32a(Record):
    """vector_types.h:452"""
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., *, _ptr: int = ...) -> None: ...
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
    @property
    def w(self) -> int:
        ...
    @w.setter
    def w(self, value: int) -> None: ...

class double1(Record):
    """vector_types.h:458"""
    def __init__(self, x: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...

class double2(Record):
    """vector_types.h:463"""
    def __init__(self, x: float = ..., y: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...

class double3(Record):
    """vector_types.h:468"""
    def __init__(self, x: float = ..., y: float = ..., z: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...
    @property
    def z(self) -> float:
        ...
    @z.setter
    def z(self, value: float) -> None: ...

class double4(Record):
    """vector_types.h:474"""
    def __init__(self, x: float = ..., y: float = ..., z: float = ..., w: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...
    @property
    def z(self) -> float:
        ...
    @z.setter
    def z(self, value: float) -> None: ...
    @property
    def w(self) -> float:
        ...
    @w.setter
    def w(self, value: float) -> None: ...

class double4_16a(Record):
    """vector_types.h:479"""
    def __init__(self, x: float = ..., y: float = ..., z: float = ..., w: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...
    @property
    def z(self) -> float:
        ...
    @z.setter
    def z(self, value: float) -> None: ...
    @property
    def w(self) -> float:
        ...
    @w.setter
    def w(self, value: float) -> None: ...

class double4_32a(Record):
    """vector_types.h:484"""
    def __init__(self, x: float = ..., y: float = ..., z: float = ..., w: float = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> float:
        ...
    @x.setter
    def x(self, value: float) -> None: ...
    @property
    def y(self) -> float:
        ...
    @y.setter
    def y(self, value: float) -> None: ...
    @property
    def z(self) -> float:
        ...
    @z.setter
    def z(self, value: float) -> None: ...
    @property
    def w(self) -> float:
        ...
    @w.setter
    def w(self, value: float) -> None: ...

class dim3(Record):
    """vector_types.h:576"""
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

class cudaChannelFormatDesc(Record):
    """CUDA Channel format descriptor

    driver_types.h:1169
    """
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., w: int = ..., f: cudaChannelFormatKind | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        """x"""
        ...
    @x.setter
    def x(self, value: int) -> None: ...
    @property
    def y(self) -> int:
        """y"""
        ...
    @y.setter
    def y(self, value: int) -> None: ...
    @property
    def z(self) -> int:
        """z"""
        ...
    @z.setter
    def z(self, value: int) -> None: ...
    @property
    def w(self) -> int:
        """w"""
        ...
    @w.setter
    def w(self, value: int) -> None: ...
    @property
    def f(self) -> cudaChannelFormatKind:
        """Channel format kind"""
        ...
    @f.setter
    def f(self, value: cudaChannelFormatKind | int) -> None: ...

class cudaArraySparseProperties(Record):
    """Sparse CUDA array and CUDA mipmapped array properties

    driver_types.h:1210
    """
    def __init__(self, tileExtent: cudaArraySparseProperties_tileExtent | tuple[Any, ...] | dict[str, Any] = ..., miptailFirstLevel: int = ..., miptailSize: int = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def tileExtent(self) -> cudaArraySparseProperties_tileExtent:
        ...
    @tileExtent.setter
    def tileExtent(self, value: cudaArraySparseProperties_tileExtent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def miptailFirstLevel(self) -> int:
        """First mip level at which the mip tail begins"""
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
        """Flags will either be zero or cudaArraySparsePropertiesSingleMipTail"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaArrayMemoryRequirements(Record):
    """CUDA array and CUDA mipmapped array memory requirements

    driver_types.h:1225
    """
    def __init__(self, size: int = ..., alignment: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def size(self) -> int:
        """Total size of the array."""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def alignment(self) -> int:
        """Alignment necessary for mapping the array."""
        ...
    @alignment.setter
    def alignment(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaPitchedPtr(Record):
    """CUDA Pitched memory pointer

    driver_types.h:1259
    """
    def __init__(self, ptr: Sequence[Any] | Address | None = ..., pitch: int = ..., xsize: int = ..., ysize: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def ptr(self) -> int:
        """Pointer to allocated memory"""
        ...
    @ptr.setter
    def ptr(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def pitch(self) -> int:
        """Pitch of allocated memory in bytes"""
        ...
    @pitch.setter
    def pitch(self, value: int) -> None: ...
    @property
    def xsize(self) -> int:
        """Logical width of allocation in elements"""
        ...
    @xsize.setter
    def xsize(self, value: int) -> None: ...
    @property
    def ysize(self) -> int:
        """Logical height of allocation in elements"""
        ...
    @ysize.setter
    def ysize(self, value: int) -> None: ...

class cudaExtent(Record):
    """CUDA extent

    driver_types.h:1272
    """
    def __init__(self, width: int = ..., height: int = ..., depth: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def width(self) -> int:
        """Width in elements when referring to array memory, in bytes when referring to linear memory"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Height in elements"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def depth(self) -> int:
        """Depth in elements"""
        ...
    @depth.setter
    def depth(self, value: int) -> None: ...

class cudaPos(Record):
    """CUDA 3D position

    driver_types.h:1284
    """
    def __init__(self, x: int = ..., y: int = ..., z: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def x(self) -> int:
        """x"""
        ...
    @x.setter
    def x(self, value: int) -> None: ...
    @property
    def y(self) -> int:
        """y"""
        ...
    @y.setter
    def y(self, value: int) -> None: ...
    @property
    def z(self) -> int:
        """z"""
        ...
    @z.setter
    def z(self, value: int) -> None: ...

class cudaMemcpy3DParms(Record):
    """CUDA 3D memory copying parameters

    driver_types.h:1294
    """
    def __init__(self, srcArray: cudaArray_t | None | int = ..., srcPos: cudaPos | tuple[Any, ...] | dict[str, Any] = ..., srcPtr: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any] = ..., dstArray: cudaArray_t | None | int = ..., dstPos: cudaPos | tuple[Any, ...] | dict[str, Any] = ..., dstPtr: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any] = ..., extent: cudaExtent | tuple[Any, ...] | dict[str, Any] = ..., kind: cudaMemcpyKind | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcArray(self) -> cudaArray_t:
        """Source memory address"""
        ...
    @srcArray.setter
    def srcArray(self, value: cudaArray_t | None | int) -> None: ...
    @property
    def srcPos(self) -> cudaPos:
        """Source position offset"""
        ...
    @srcPos.setter
    def srcPos(self, value: cudaPos | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def srcPtr(self) -> cudaPitchedPtr:
        """Pitched source memory address"""
        ...
    @srcPtr.setter
    def srcPtr(self, value: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dstArray(self) -> cudaArray_t:
        """Destination memory address"""
        ...
    @dstArray.setter
    def dstArray(self, value: cudaArray_t | None | int) -> None: ...
    @property
    def dstPos(self) -> cudaPos:
        """Destination position offset"""
        ...
    @dstPos.setter
    def dstPos(self, value: cudaPos | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dstPtr(self) -> cudaPitchedPtr:
        """Pitched destination memory address"""
        ...
    @dstPtr.setter
    def dstPtr(self, value: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extent(self) -> cudaExtent:
        """Requested memory copy size"""
        ...
    @extent.setter
    def extent(self, value: cudaExtent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def kind(self) -> cudaMemcpyKind:
        """Type of transfer"""
        ...
    @kind.setter
    def kind(self, value: cudaMemcpyKind | int) -> None: ...

class cudaMemcpyNodeParams(Record):
    """Memcpy node parameters

    driver_types.h:1311
    """
    def __init__(self, flags: int = ..., reserved: Any = ..., copyParams: cudaMemcpy3DParms | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def flags(self) -> int:
        """Must be zero"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...
    @property
    def copyParams(self) -> cudaMemcpy3DParms:
        """Parameters for the memory copy"""
        ...
    @copyParams.setter
    def copyParams(self, value: cudaMemcpy3DParms | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaMemcpy3DPeerParms(Record):
    """CUDA 3D cross-device memory copying parameters

    driver_types.h:1320
    """
    def __init__(self, srcArray: cudaArray_t | None | int = ..., srcPos: cudaPos | tuple[Any, ...] | dict[str, Any] = ..., srcPtr: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any] = ..., srcDevice: int = ..., dstArray: cudaArray_t | None | int = ..., dstPos: cudaPos | tuple[Any, ...] | dict[str, Any] = ..., dstPtr: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any] = ..., dstDevice: int = ..., extent: cudaExtent | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcArray(self) -> cudaArray_t:
        """Source memory address"""
        ...
    @srcArray.setter
    def srcArray(self, value: cudaArray_t | None | int) -> None: ...
    @property
    def srcPos(self) -> cudaPos:
        """Source position offset"""
        ...
    @srcPos.setter
    def srcPos(self, value: cudaPos | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def srcPtr(self) -> cudaPitchedPtr:
        """Pitched source memory address"""
        ...
    @srcPtr.setter
    def srcPtr(self, value: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def srcDevice(self) -> int:
        """Source device"""
        ...
    @srcDevice.setter
    def srcDevice(self, value: int) -> None: ...
    @property
    def dstArray(self) -> cudaArray_t:
        """Destination memory address"""
        ...
    @dstArray.setter
    def dstArray(self, value: cudaArray_t | None | int) -> None: ...
    @property
    def dstPos(self) -> cudaPos:
        """Destination position offset"""
        ...
    @dstPos.setter
    def dstPos(self, value: cudaPos | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dstPtr(self) -> cudaPitchedPtr:
        """Pitched destination memory address"""
        ...
    @dstPtr.setter
    def dstPtr(self, value: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dstDevice(self) -> int:
        """Destination device"""
        ...
    @dstDevice.setter
    def dstDevice(self, value: int) -> None: ...
    @property
    def extent(self) -> cudaExtent:
        """Requested memory copy size"""
        ...
    @extent.setter
    def extent(self, value: cudaExtent | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaMemsetParams(Record):
    """CUDA Memset node parameters

    driver_types.h:1338
    """
    def __init__(self, dst: Sequence[Any] | Address | None = ..., pitch: int = ..., value: int = ..., elementSize: int = ..., width: int = ..., height: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def dst(self) -> int:
        """Destination device pointer"""
        ...
    @dst.setter
    def dst(self, value: Sequence[Any] | Address | None) -> None: ...
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

class cudaMemsetParamsV2(Record):
    """CUDA Memset node parameters

    driver_types.h:1350
    """
    def __init__(self, dst: Sequence[Any] | Address | None = ..., pitch: int = ..., value: int = ..., elementSize: int = ..., width: int = ..., height: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def dst(self) -> int:
        """Destination device pointer"""
        ...
    @dst.setter
    def dst(self, value: Sequence[Any] | Address | None) -> None: ...
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

class cudaAccessPolicyWindow(Record):
    """Specifies an access policy for a window, a contiguous extent of memory beginning at base_ptr and ending at base_ptr + num_bytes. Partition into many segments and assign segments such that. sum of "hit segments" / window == approx. ratio. sum of "miss segments" / window == approx 1-ratio. Segments and ratio specifications are fitted to the capabilities of the architecture. Accesses in a hit segment apply the hitProp access policy. Accesses in a miss segment apply the missProp access policy.

    driver_types.h:1379
    """
    def __init__(self, base_ptr: Sequence[Any] | Address | None = ..., num_bytes: int = ..., hitRatio: float = ..., hitProp: cudaAccessProperty | int = ..., missProp: cudaAccessProperty | int = ..., *, _ptr: int = ...) -> None: ...
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
    def hitProp(self) -> cudaAccessProperty:
        """CUaccessProperty set for hit."""
        ...
    @hitProp.setter
    def hitProp(self, value: cudaAccessProperty | int) -> None: ...
    @property
    def missProp(self) -> cudaAccessProperty:
        """CUaccessProperty set for miss. Must be either NORMAL or STREAMING."""
        ...
    @missProp.setter
    def missProp(self, value: cudaAccessProperty | int) -> None: ...

class cudaHostNodeParams(Record):
    """CUDA host node parameters

    driver_types.h:1402
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

class cudaHostNodeParamsV2(Record):
    """CUDA host node parameters

    driver_types.h:1410
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

class cudaResourceDesc(Record):
    """CUDA resource descriptor

    driver_types.h:1569
    """
    def __init__(self, resType: cudaResourceType | int = ..., res: cudaResourceDesc_res | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def resType(self) -> cudaResourceType:
        """Resource type"""
        ...
    @resType.setter
    def resType(self, value: cudaResourceType | int) -> None: ...
    @property
    def res(self) -> cudaResourceDesc_res:
        ...
    @res.setter
    def res(self, value: cudaResourceDesc_res | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Flags (must be zero)"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class cudaResourceViewDesc(Record):
    """CUDA resource view descriptor

    driver_types.h:1602
    """
    def __init__(self, format: cudaResourceViewFormat | int = ..., width: int = ..., height: int = ..., depth: int = ..., firstMipmapLevel: int = ..., lastMipmapLevel: int = ..., firstLayer: int = ..., lastLayer: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def format(self) -> cudaResourceViewFormat:
        """Resource view format"""
        ...
    @format.setter
    def format(self, value: cudaResourceViewFormat | int) -> None: ...
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
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaPointerAttributes(Record):
    """CUDA pointer attributes

    driver_types.h:1618
    """
    def __init__(self, type: cudaMemoryType | int = ..., device: int = ..., devicePointer: Sequence[Any] | Address | None = ..., hostPointer: Sequence[Any] | Address | None = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> cudaMemoryType:
        """The type of memory - cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice or cudaMemoryTypeManaged."""
        ...
    @type.setter
    def type(self, value: cudaMemoryType | int) -> None: ...
    @property
    def device(self) -> int:
        """The device against which the memory was allocated or registered. If the memory type is cudaMemoryTypeDevice then this identifies the device on which the memory referred physically resides. If the memory type is cudaMemoryTypeHost orcudaMemoryTypeManaged then this identifies the device which was current when the memory was allocated or registered (and if that device is deinitialized then this allocation will vanish with that device's state)."""
        ...
    @device.setter
    def device(self, value: int) -> None: ...
    @property
    def devicePointer(self) -> int:
        """The address which may be dereferenced on the current device to access the memory or NULL if no such address exists."""
        ...
    @devicePointer.setter
    def devicePointer(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def hostPointer(self) -> int:
        """The address which may be dereferenced on the host to access the memory or NULL if no such address exists."""
        ...
    @hostPointer.setter
    def hostPointer(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaFuncAttributes(Record):
    """CUDA function attributes

    driver_types.h:1661
    """
    def __init__(self, sharedSizeBytes: int = ..., constSizeBytes: int = ..., localSizeBytes: int = ..., maxThreadsPerBlock: int = ..., numRegs: int = ..., ptxVersion: int = ..., binaryVersion: int = ..., cacheModeCA: int = ..., maxDynamicSharedSizeBytes: int = ..., preferredShmemCarveout: int = ..., clusterDimMustBeSet: int = ..., requiredClusterWidth: int = ..., requiredClusterHeight: int = ..., requiredClusterDepth: int = ..., clusterSchedulingPolicyPreference: int = ..., nonPortableClusterSizeAllowed: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def sharedSizeBytes(self) -> int:
        """The size in bytes of statically-allocated shared memory per block required by this function. This does not include dynamically-allocated shared memory requested by the user at runtime."""
        ...
    @sharedSizeBytes.setter
    def sharedSizeBytes(self, value: int) -> None: ...
    @property
    def constSizeBytes(self) -> int:
        """The size in bytes of user-allocated constant memory required by this function."""
        ...
    @constSizeBytes.setter
    def constSizeBytes(self, value: int) -> None: ...
    @property
    def localSizeBytes(self) -> int:
        """The size in bytes of local memory used by each thread of this function."""
        ...
    @localSizeBytes.setter
    def localSizeBytes(self, value: int) -> None: ...
    @property
    def maxThreadsPerBlock(self) -> int:
        """The maximum number of threads per block, beyond which a launch of the function would fail. This number depends on both the function and the device on which the function is currently loaded."""
        ...
    @maxThreadsPerBlock.setter
    def maxThreadsPerBlock(self, value: int) -> None: ...
    @property
    def numRegs(self) -> int:
        """The number of registers used by each thread of this function."""
        ...
    @numRegs.setter
    def numRegs(self, value: int) -> None: ...
    @property
    def ptxVersion(self) -> int:
        """The PTX virtual architecture version for which the function was compiled. This value is the major PTX version * 10 + the minor PTX version, so a PTX version 1.3 function would return the value 13."""
        ...
    @ptxVersion.setter
    def ptxVersion(self, value: int) -> None: ...
    @property
    def binaryVersion(self) -> int:
        """The binary architecture version for which the function was compiled. This value is the major binary version * 10 + the minor binary version, so a binary version 1.3 function would return the value 13."""
        ...
    @binaryVersion.setter
    def binaryVersion(self, value: int) -> None: ...
    @property
    def cacheModeCA(self) -> int:
        """The attribute to indicate whether the function has been compiled with user specified option "-Xptxas --dlcm=ca" set."""
        ...
    @cacheModeCA.setter
    def cacheModeCA(self, value: int) -> None: ...
    @property
    def maxDynamicSharedSizeBytes(self) -> int:
        """The maximum size in bytes of dynamic shared memory per block for this function. Any launch must have a dynamic shared memory size smaller than this value."""
        ...
    @maxDynamicSharedSizeBytes.setter
    def maxDynamicSharedSizeBytes(self, value: int) -> None: ...
    @property
    def preferredShmemCarveout(self) -> int:
        """On devices where the L1 cache and shared memory use the same hardware resources, this sets the shared memory carveout preference, in percent of the maximum shared memory. Refer to cudaDevAttrMaxSharedMemoryPerMultiprocessor. This is only a hint, and the driver can choose a different ratio if required to execute the function. See cudaFuncSetAttribute"""
        ...
    @preferredShmemCarveout.setter
    def preferredShmemCarveout(self, value: int) -> None: ...
    @property
    def clusterDimMustBeSet(self) -> int:
        """If this attribute is set, the kernel must launch with a valid cluster dimension specified."""
        ...
    @clusterDimMustBeSet.setter
    def clusterDimMustBeSet(self, value: int) -> None: ...
    @property
    def requiredClusterWidth(self) -> int:
        """The required cluster width/height/depth in blocks. The values must either all be 0 or all be positive. The validity of the cluster dimensions is otherwise checked at launch time.

        If the value is set during compile time, it cannot be set at runtime. Setting it at runtime should return cudaErrorNotPermitted. See cudaFuncSetAttribute
        """
        ...
    @requiredClusterWidth.setter
    def requiredClusterWidth(self, value: int) -> None: ...
    @property
    def requiredClusterHeight(self) -> int:
        ...
    @requiredClusterHeight.setter
    def requiredClusterHeight(self, value: int) -> None: ...
    @property
    def requiredClusterDepth(self) -> int:
        ...
    @requiredClusterDepth.setter
    def requiredClusterDepth(self, value: int) -> None: ...
    @property
    def clusterSchedulingPolicyPreference(self) -> int:
        """The block scheduling policy of a function. See cudaFuncSetAttribute"""
        ...
    @clusterSchedulingPolicyPreference.setter
    def clusterSchedulingPolicyPreference(self, value: int) -> None: ...
    @property
    def nonPortableClusterSizeAllowed(self) -> int:
        """Whether the function can be launched with non-portable cluster size. 1 is allowed, 0 is disallowed. A non-portable cluster size may only function on the specific SKUs the program is tested on. The launch might fail if the program is run on a different hardware platform.

        CUDA API provides cudaOccupancyMaxActiveClusters to assist with checking whether the desired size can be launched on the current device.

        Portable Cluster Size

        A portable cluster size is guaranteed to be functional on all compute capabilities higher than the target compute capability. The portable cluster size for sm_90 is 8 blocks per cluster. This value may increase for future compute capabilities.

        The specific hardware unit may support higher cluster sizes that’s not guaranteed to be portable. See cudaFuncSetAttribute
        """
        ...
    @nonPortableClusterSizeAllowed.setter
    def nonPortableClusterSizeAllowed(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Reserved for future use."""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaMemLocation(Record):
    """Specifies a memory location.

    To specify a gpu, set type = cudaMemLocationTypeDevice and set id = the gpu's device ordinal. To specify a cpu NUMA node, set type = cudaMemLocationTypeHostNuma and set id = host NUMA node id.

    driver_types.h:2147
    """
    def __init__(self, type: cudaMemLocationType | int = ..., id: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> cudaMemLocationType:
        """Specifies the location type, which modifies the meaning of id."""
        ...
    @type.setter
    def type(self, value: cudaMemLocationType | int) -> None: ...
    @property
    def id(self) -> int:
        """identifier for a given this location's CUmemLocationType."""
        ...
    @id.setter
    def id(self, value: int) -> None: ...

class cudaMemAccessDesc(Record):
    """Memory access descriptor

    driver_types.h:2164
    """
    def __init__(self, location: cudaMemLocation | tuple[Any, ...] | dict[str, Any] = ..., flags: cudaMemAccessFlags | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def location(self) -> cudaMemLocation:
        """Location on which the request is to change it's accessibility"""
        ...
    @location.setter
    def location(self, value: cudaMemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> cudaMemAccessFlags:
        """CUmemProt accessibility flags to set on the request"""
        ...
    @flags.setter
    def flags(self, value: cudaMemAccessFlags | int) -> None: ...

class cudaMemPoolProps(Record):
    """Specifies the properties of allocations made from the pool.

    driver_types.h:2204
    """
    def __init__(self, allocType: cudaMemAllocationType | int = ..., handleTypes: cudaMemAllocationHandleType | int = ..., location: cudaMemLocation | tuple[Any, ...] | dict[str, Any] = ..., win32SecurityAttributes: Sequence[Any] | Address | None = ..., maxSize: int = ..., usage: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def allocType(self) -> cudaMemAllocationType:
        """Allocation type. Currently must be specified as cudaMemAllocationTypePinned"""
        ...
    @allocType.setter
    def allocType(self, value: cudaMemAllocationType | int) -> None: ...
    @property
    def handleTypes(self) -> cudaMemAllocationHandleType:
        """Handle types that will be supported by allocations from the pool."""
        ...
    @handleTypes.setter
    def handleTypes(self, value: cudaMemAllocationHandleType | int) -> None: ...
    @property
    def location(self) -> cudaMemLocation:
        """Location allocations should reside."""
        ...
    @location.setter
    def location(self, value: cudaMemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def win32SecurityAttributes(self) -> int:
        """Windows-specific LPSECURITYATTRIBUTES required when cudaMemHandleTypeWin32 is specified. This security attribute defines the scope of which exported allocations may be tranferred to other processes. In all other cases, this field is required to be zero."""
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

class cudaMemPoolPtrExportData(Record):
    """Opaque data for exporting a pool allocation

    driver_types.h:2223
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaMemAllocNodeParams(Record):
    """Memory allocation node parameters

    driver_types.h:2230
    """
    def __init__(self, poolProps: cudaMemPoolProps | tuple[Any, ...] | dict[str, Any] = ..., accessDescs: cudaMemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., accessDescCount: int = ..., bytesize: int = ..., dptr: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def poolProps(self) -> cudaMemPoolProps:
        """in: array of memory access descriptors. Used to describe peer GPU access"""
        ...
    @poolProps.setter
    def poolProps(self, value: cudaMemPoolProps | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def accessDescs(self) -> list[cudaMemAccessDesc]:
        """in: number of memory access descriptors. Must not exceed the number of GPUs."""
        ...
    @accessDescs.setter
    def accessDescs(self, value: cudaMemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def accessDescCount(self) -> int:
        """in: Number of `accessDescs`s"""
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
    def dptr(self) -> int:
        """out: address of the allocation returned by CUDA"""
        ...
    @dptr.setter
    def dptr(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaMemAllocNodeParamsV2(Record):
    """Memory allocation node parameters

    driver_types.h:2245
    """
    def __init__(self, poolProps: cudaMemPoolProps | tuple[Any, ...] | dict[str, Any] = ..., accessDescs: cudaMemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., accessDescCount: int = ..., bytesize: int = ..., dptr: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def poolProps(self) -> cudaMemPoolProps:
        """in: array of memory access descriptors. Used to describe peer GPU access"""
        ...
    @poolProps.setter
    def poolProps(self, value: cudaMemPoolProps | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def accessDescs(self) -> list[cudaMemAccessDesc]:
        """in: number of memory access descriptors. Must not exceed the number of GPUs."""
        ...
    @accessDescs.setter
    def accessDescs(self, value: cudaMemAccessDesc | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def accessDescCount(self) -> int:
        """in: Number of `accessDescs`s"""
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
    def dptr(self) -> int:
        """out: address of the allocation returned by CUDA"""
        ...
    @dptr.setter
    def dptr(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaMemFreeNodeParams(Record):
    """Memory free node parameters

    driver_types.h:2260
    """
    def __init__(self, dptr: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def dptr(self) -> int:
        """in: the pointer to free"""
        ...
    @dptr.setter
    def dptr(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaMemcpyAttributes(Record):
    """Attributes specific to copies within a batch. For more details on usage see cudaMemcpyBatchAsync.

    driver_types.h:2345
    """
    def __init__(self, srcAccessOrder: cudaMemcpySrcAccessOrder | int = ..., srcLocHint: cudaMemLocation | tuple[Any, ...] | dict[str, Any] = ..., dstLocHint: cudaMemLocation | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def srcAccessOrder(self) -> cudaMemcpySrcAccessOrder:
        """Source access ordering to be observed for copies with this attribute."""
        ...
    @srcAccessOrder.setter
    def srcAccessOrder(self, value: cudaMemcpySrcAccessOrder | int) -> None: ...
    @property
    def srcLocHint(self) -> cudaMemLocation:
        """Hint location for the source operand. Ignored when the pointers are not managed memory or memory allocated outside CUDA."""
        ...
    @srcLocHint.setter
    def srcLocHint(self, value: cudaMemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dstLocHint(self) -> cudaMemLocation:
        """Hint location for the destination operand. Ignored when the pointers are not managed memory or memory allocated outside CUDA."""
        ...
    @dstLocHint.setter
    def dstLocHint(self, value: cudaMemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Additional flags for copies with this attribute. See cudaMemcpyFlags."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class cudaOffset3D(Record):
    """Struct representing offset into a cudaArray_t in elements

    driver_types.h:2364
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

class cudaMemcpy3DOperand(Record):
    """Struct representing an operand for copy with cudaMemcpy3DBatchAsync

    driver_types.h:2373
    """
    def __init__(self, type: cudaMemcpy3DOperandType | int = ..., op: cudaMemcpy3DOperand_op | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> cudaMemcpy3DOperandType:
        ...
    @type.setter
    def type(self, value: cudaMemcpy3DOperandType | int) -> None: ...
    @property
    def op(self) -> cudaMemcpy3DOperand_op:
        ...
    @op.setter
    def op(self, value: cudaMemcpy3DOperand_op | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaMemcpy3DBatchOp(Record):
    """driver_types.h:2396"""
    def __init__(self, src: cudaMemcpy3DOperand | tuple[Any, ...] | dict[str, Any] = ..., dst: cudaMemcpy3DOperand | tuple[Any, ...] | dict[str, Any] = ..., extent: cudaExtent | tuple[Any, ...] | dict[str, Any] = ..., srcAccessOrder: cudaMemcpySrcAccessOrder | int = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def src(self) -> cudaMemcpy3DOperand:
        """Source memcpy operand."""
        ...
    @src.setter
    def src(self, value: cudaMemcpy3DOperand | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dst(self) -> cudaMemcpy3DOperand:
        """Destination memcpy operand."""
        ...
    @dst.setter
    def dst(self, value: cudaMemcpy3DOperand | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extent(self) -> cudaExtent:
        """Extents of the memcpy between src and dst. The width, height and depth components must not be 0."""
        ...
    @extent.setter
    def extent(self, value: cudaExtent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def srcAccessOrder(self) -> cudaMemcpySrcAccessOrder:
        """Source access ordering to be observed for copy from src to dst."""
        ...
    @srcAccessOrder.setter
    def srcAccessOrder(self, value: cudaMemcpySrcAccessOrder | int) -> None: ...
    @property
    def flags(self) -> int:
        """Additional flags for copy from src to dst. See cudaMemcpyFlags."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class CUuuid(Record):
    """driver_types.h:2457"""
    def __init__(self, bytes: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def bytes(self) -> bytes:
        ...
    @bytes.setter
    def bytes(self, value: Any) -> None: ...

class cudaDeviceProp(Record):
    """CUDA device properties

    driver_types.h:2467
    """
    def __init__(self, name: Any = ..., uuid: CUuuid | tuple[Any, ...] | dict[str, Any] = ..., luid: Any = ..., luidDeviceNodeMask: int = ..., totalGlobalMem: int = ..., sharedMemPerBlock: int = ..., regsPerBlock: int = ..., warpSize: int = ..., memPitch: int = ..., maxThreadsPerBlock: int = ..., maxThreadsDim: Any = ..., maxGridSize: Any = ..., totalConstMem: int = ..., major: int = ..., minor: int = ..., textureAlignment: int = ..., texturePitchAlignment: int = ..., multiProcessorCount: int = ..., integrated: int = ..., canMapHostMemory: int = ..., maxTexture1D: int = ..., maxTexture1DMipmap: int = ..., maxTexture2D: Any = ..., maxTexture2DMipmap: Any = ..., maxTexture2DLinear: Any = ..., maxTexture2DGather: Any = ..., maxTexture3D: Any = ..., maxTexture3DAlt: Any = ..., maxTextureCubemap: int = ..., maxTexture1DLayered: Any = ..., maxTexture2DLayered: Any = ..., maxTextureCubemapLayered: Any = ..., maxSurface1D: int = ..., maxSurface2D: Any = ..., maxSurface3D: Any = ..., maxSurface1DLayered: Any = ..., maxSurface2DLayered: Any = ..., maxSurfaceCubemap: int = ..., maxSurfaceCubemapLayered: Any = ..., surfaceAlignment: int = ..., concurrentKernels: int = ..., ECCEnabled: int = ..., pciBusID: int = ..., pciDeviceID: int = ..., pciDomainID: int = ..., tccDriver: int = ..., asyncEngineCount: int = ..., unifiedAddressing: int = ..., memoryBusWidth: int = ..., l2CacheSize: int = ..., persistingL2CacheMaxSize: int = ..., maxThreadsPerMultiProcessor: int = ..., streamPrioritiesSupported: int = ..., globalL1CacheSupported: int = ..., localL1CacheSupported: int = ..., sharedMemPerMultiprocessor: int = ..., regsPerMultiprocessor: int = ..., managedMemory: int = ..., isMultiGpuBoard: int = ..., multiGpuBoardGroupID: int = ..., hostNativeAtomicSupported: int = ..., pageableMemoryAccess: int = ..., concurrentManagedAccess: int = ..., computePreemptionSupported: int = ..., canUseHostPointerForRegisteredMem: int = ..., cooperativeLaunch: int = ..., sharedMemPerBlockOptin: int = ..., pageableMemoryAccessUsesHostPageTables: int = ..., directManagedMemAccessFromHost: int = ..., maxBlocksPerMultiProcessor: int = ..., accessPolicyMaxWindowSize: int = ..., reservedSharedMemPerBlock: int = ..., hostRegisterSupported: int = ..., sparseCudaArraySupported: int = ..., hostRegisterReadOnlySupported: int = ..., timelineSemaphoreInteropSupported: int = ..., memoryPoolsSupported: int = ..., gpuDirectRDMASupported: int = ..., gpuDirectRDMAFlushWritesOptions: int = ..., gpuDirectRDMAWritesOrdering: int = ..., memoryPoolSupportedHandleTypes: int = ..., deferredMappingCudaArraySupported: int = ..., ipcEventSupported: int = ..., clusterLaunch: int = ..., unifiedFunctionPointers: int = ..., deviceNumaConfig: int = ..., deviceNumaId: int = ..., mpsEnabled: int = ..., hostNumaId: int = ..., gpuPciDeviceID: int = ..., gpuPciSubsystemID: int = ..., hostNumaMultinodeIpcSupported: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def name(self) -> bytes:
        """ASCII string identifying device"""
        ...
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def uuid(self) -> CUuuid:
        """16-byte unique identifier"""
        ...
    @uuid.setter
    def uuid(self, value: CUuuid | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def luid(self) -> bytes:
        """8-byte locally unique identifier. Value is undefined on TCC and non-Windows platforms"""
        ...
    @luid.setter
    def luid(self, value: Any) -> None: ...
    @property
    def luidDeviceNodeMask(self) -> int:
        """LUID device node mask. Value is undefined on TCC and non-Windows platforms"""
        ...
    @luidDeviceNodeMask.setter
    def luidDeviceNodeMask(self, value: int) -> None: ...
    @property
    def totalGlobalMem(self) -> int:
        """Global memory available on device in bytes"""
        ...
    @totalGlobalMem.setter
    def totalGlobalMem(self, value: int) -> None: ...
    @property
    def sharedMemPerBlock(self) -> int:
        """Shared memory available per block in bytes"""
        ...
    @sharedMemPerBlock.setter
    def sharedMemPerBlock(self, value: int) -> None: ...
    @property
    def regsPerBlock(self) -> int:
        """32-bit registers available per block"""
        ...
    @regsPerBlock.setter
    def regsPerBlock(self, value: int) -> None: ...
    @property
    def warpSize(self) -> int:
        """Warp size in threads"""
        ...
    @warpSize.setter
    def warpSize(self, value: int) -> None: ...
    @property
    def memPitch(self) -> int:
        """Maximum pitch in bytes allowed by memory copies"""
        ...
    @memPitch.setter
    def memPitch(self, value: int) -> None: ...
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
    def totalConstMem(self) -> int:
        """Constant memory available on device in bytes"""
        ...
    @totalConstMem.setter
    def totalConstMem(self, value: int) -> None: ...
    @property
    def major(self) -> int:
        """Major compute capability"""
        ...
    @major.setter
    def major(self, value: int) -> None: ...
    @property
    def minor(self) -> int:
        """Minor compute capability"""
        ...
    @minor.setter
    def minor(self, value: int) -> None: ...
    @property
    def textureAlignment(self) -> int:
        """Alignment requirement for textures"""
        ...
    @textureAlignment.setter
    def textureAlignment(self, value: int) -> None: ...
    @property
    def texturePitchAlignment(self) -> int:
        """Pitch alignment requirement for texture references bound to pitched memory"""
        ...
    @texturePitchAlignment.setter
    def texturePitchAlignment(self, value: int) -> None: ...
    @property
    def multiProcessorCount(self) -> int:
        """Number of multiprocessors on device"""
        ...
    @multiProcessorCount.setter
    def multiProcessorCount(self, value: int) -> None: ...
    @property
    def integrated(self) -> int:
        """Device is integrated as opposed to discrete"""
        ...
    @integrated.setter
    def integrated(self, value: int) -> None: ...
    @property
    def canMapHostMemory(self) -> int:
        """Device can map host memory with cudaHostAlloc/cudaHostGetDevicePointer"""
        ...
    @canMapHostMemory.setter
    def canMapHostMemory(self, value: int) -> None: ...
    @property
    def maxTexture1D(self) -> int:
        """Maximum 1D texture size"""
        ...
    @maxTexture1D.setter
    def maxTexture1D(self, value: int) -> None: ...
    @property
    def maxTexture1DMipmap(self) -> int:
        """Maximum 1D mipmapped texture size"""
        ...
    @maxTexture1DMipmap.setter
    def maxTexture1DMipmap(self, value: int) -> None: ...
    @property
    def maxTexture2D(self) -> list[int]:
        """Maximum 2D texture dimensions"""
        ...
    @maxTexture2D.setter
    def maxTexture2D(self, value: Any) -> None: ...
    @property
    def maxTexture2DMipmap(self) -> list[int]:
        """Maximum 2D mipmapped texture dimensions"""
        ...
    @maxTexture2DMipmap.setter
    def maxTexture2DMipmap(self, value: Any) -> None: ...
    @property
    def maxTexture2DLinear(self) -> list[int]:
        """Maximum dimensions (width, height, pitch) for 2D textures bound to pitched memory"""
        ...
    @maxTexture2DLinear.setter
    def maxTexture2DLinear(self, value: Any) -> None: ...
    @property
    def maxTexture2DGather(self) -> list[int]:
        """Maximum 2D texture dimensions if texture gather operations have to be performed"""
        ...
    @maxTexture2DGather.setter
    def maxTexture2DGather(self, value: Any) -> None: ...
    @property
    def maxTexture3D(self) -> list[int]:
        """Maximum 3D texture dimensions"""
        ...
    @maxTexture3D.setter
    def maxTexture3D(self, value: Any) -> None: ...
    @property
    def maxTexture3DAlt(self) -> list[int]:
        """Maximum alternate 3D texture dimensions"""
        ...
    @maxTexture3DAlt.setter
    def maxTexture3DAlt(self, value: Any) -> None: ...
    @property
    def maxTextureCubemap(self) -> int:
        """Maximum Cubemap texture dimensions"""
        ...
    @maxTextureCubemap.setter
    def maxTextureCubemap(self, value: int) -> None: ...
    @property
    def maxTexture1DLayered(self) -> list[int]:
        """Maximum 1D layered texture dimensions"""
        ...
    @maxTexture1DLayered.setter
    def maxTexture1DLayered(self, value: Any) -> None: ...
    @property
    def maxTexture2DLayered(self) -> list[int]:
        """Maximum 2D layered texture dimensions"""
        ...
    @maxTexture2DLayered.setter
    def maxTexture2DLayered(self, value: Any) -> None: ...
    @property
    def maxTextureCubemapLayered(self) -> list[int]:
        """Maximum Cubemap layered texture dimensions"""
        ...
    @maxTextureCubemapLayered.setter
    def maxTextureCubemapLayered(self, value: Any) -> None: ...
    @property
    def maxSurface1D(self) -> int:
        """Maximum 1D surface size"""
        ...
    @maxSurface1D.setter
    def maxSurface1D(self, value: int) -> None: ...
    @property
    def maxSurface2D(self) -> list[int]:
        """Maximum 2D surface dimensions"""
        ...
    @maxSurface2D.setter
    def maxSurface2D(self, value: Any) -> None: ...
    @property
    def maxSurface3D(self) -> list[int]:
        """Maximum 3D surface dimensions"""
        ...
    @maxSurface3D.setter
    def maxSurface3D(self, value: Any) -> None: ...
    @property
    def maxSurface1DLayered(self) -> list[int]:
        """Maximum 1D layered surface dimensions"""
        ...
    @maxSurface1DLayered.setter
    def maxSurface1DLayered(self, value: Any) -> None: ...
    @property
    def maxSurface2DLayered(self) -> list[int]:
        """Maximum 2D layered surface dimensions"""
        ...
    @maxSurface2DLayered.setter
    def maxSurface2DLayered(self, value: Any) -> None: ...
    @property
    def maxSurfaceCubemap(self) -> int:
        """Maximum Cubemap surface dimensions"""
        ...
    @maxSurfaceCubemap.setter
    def maxSurfaceCubemap(self, value: int) -> None: ...
    @property
    def maxSurfaceCubemapLayered(self) -> list[int]:
        """Maximum Cubemap layered surface dimensions"""
        ...
    @maxSurfaceCubemapLayered.setter
    def maxSurfaceCubemapLayered(self, value: Any) -> None: ...
    @property
    def surfaceAlignment(self) -> int:
        """Alignment requirements for surfaces"""
        ...
    @surfaceAlignment.setter
    def surfaceAlignment(self, value: int) -> None: ...
    @property
    def concurrentKernels(self) -> int:
        """Device can possibly execute multiple kernels concurrently"""
        ...
    @concurrentKernels.setter
    def concurrentKernels(self, value: int) -> None: ...
    @property
    def ECCEnabled(self) -> int:
        """Device has ECC support enabled"""
        ...
    @ECCEnabled.setter
    def ECCEnabled(self, value: int) -> None: ...
    @property
    def pciBusID(self) -> int:
        """PCI bus ID of the device"""
        ...
    @pciBusID.setter
    def pciBusID(self, value: int) -> None: ...
    @property
    def pciDeviceID(self) -> int:
        """PCI device ID of the device"""
        ...
    @pciDeviceID.setter
    def pciDeviceID(self, value: int) -> None: ...
    @property
    def pciDomainID(self) -> int:
        """PCI domain ID of the device"""
        ...
    @pciDomainID.setter
    def pciDomainID(self, value: int) -> None: ...
    @property
    def tccDriver(self) -> int:
        """1 if device is a Tesla device using TCC driver, 0 otherwise"""
        ...
    @tccDriver.setter
    def tccDriver(self, value: int) -> None: ...
    @property
    def asyncEngineCount(self) -> int:
        """Number of asynchronous engines"""
        ...
    @asyncEngineCount.setter
    def asyncEngineCount(self, value: int) -> None: ...
    @property
    def unifiedAddressing(self) -> int:
        """Device shares a unified address space with the host"""
        ...
    @unifiedAddressing.setter
    def unifiedAddressing(self, value: int) -> None: ...
    @property
    def memoryBusWidth(self) -> int:
        """Global memory bus width in bits"""
        ...
    @memoryBusWidth.setter
    def memoryBusWidth(self, value: int) -> None: ...
    @property
    def l2CacheSize(self) -> int:
        """Size of L2 cache in bytes"""
        ...
    @l2CacheSize.setter
    def l2CacheSize(self, value: int) -> None: ...
    @property
    def persistingL2CacheMaxSize(self) -> int:
        """Device's maximum l2 persisting lines capacity setting in bytes"""
        ...
    @persistingL2CacheMaxSize.setter
    def persistingL2CacheMaxSize(self, value: int) -> None: ...
    @property
    def maxThreadsPerMultiProcessor(self) -> int:
        """Maximum resident threads per multiprocessor"""
        ...
    @maxThreadsPerMultiProcessor.setter
    def maxThreadsPerMultiProcessor(self, value: int) -> None: ...
    @property
    def streamPrioritiesSupported(self) -> int:
        """Device supports stream priorities"""
        ...
    @streamPrioritiesSupported.setter
    def streamPrioritiesSupported(self, value: int) -> None: ...
    @property
    def globalL1CacheSupported(self) -> int:
        """Device supports caching globals in L1"""
        ...
    @globalL1CacheSupported.setter
    def globalL1CacheSupported(self, value: int) -> None: ...
    @property
    def localL1CacheSupported(self) -> int:
        """Device supports caching locals in L1"""
        ...
    @localL1CacheSupported.setter
    def localL1CacheSupported(self, value: int) -> None: ...
    @property
    def sharedMemPerMultiprocessor(self) -> int:
        """Shared memory available per multiprocessor in bytes"""
        ...
    @sharedMemPerMultiprocessor.setter
    def sharedMemPerMultiprocessor(self, value: int) -> None: ...
    @property
    def regsPerMultiprocessor(self) -> int:
        """32-bit registers available per multiprocessor"""
        ...
    @regsPerMultiprocessor.setter
    def regsPerMultiprocessor(self, value: int) -> None: ...
    @property
    def managedMemory(self) -> int:
        """Device supports allocating managed memory on this system"""
        ...
    @managedMemory.setter
    def managedMemory(self, value: int) -> None: ...
    @property
    def isMultiGpuBoard(self) -> int:
        """Device is on a multi-GPU board"""
        ...
    @isMultiGpuBoard.setter
    def isMultiGpuBoard(self, value: int) -> None: ...
    @property
    def multiGpuBoardGroupID(self) -> int:
        """Unique identifier for a group of devices on the same multi-GPU board"""
        ...
    @multiGpuBoardGroupID.setter
    def multiGpuBoardGroupID(self, value: int) -> None: ...
    @property
    def hostNativeAtomicSupported(self) -> int:
        """Link between the device and the host supports native atomic operations"""
        ...
    @hostNativeAtomicSupported.setter
    def hostNativeAtomicSupported(self, value: int) -> None: ...
    @property
    def pageableMemoryAccess(self) -> int:
        """Device supports coherently accessing pageable memory without calling cudaHostRegister on it"""
        ...
    @pageableMemoryAccess.setter
    def pageableMemoryAccess(self, value: int) -> None: ...
    @property
    def concurrentManagedAccess(self) -> int:
        """Device can coherently access managed memory concurrently with the CPU"""
        ...
    @concurrentManagedAccess.setter
    def concurrentManagedAccess(self, value: int) -> None: ...
    @property
    def computePreemptionSupported(self) -> int:
        """Device supports Compute Preemption"""
        ...
    @computePreemptionSupported.setter
    def computePreemptionSupported(self, value: int) -> None: ...
    @property
    def canUseHostPointerForRegisteredMem(self) -> int:
        """Device can access host registered memory at the same virtual address as the CPU"""
        ...
    @canUseHostPointerForRegisteredMem.setter
    def canUseHostPointerForRegisteredMem(self, value: int) -> None: ...
    @property
    def cooperativeLaunch(self) -> int:
        """Device supports launching cooperative kernels via cudaLaunchCooperativeKernel"""
        ...
    @cooperativeLaunch.setter
    def cooperativeLaunch(self, value: int) -> None: ...
    @property
    def sharedMemPerBlockOptin(self) -> int:
        """Per device maximum shared memory per block usable by special opt in"""
        ...
    @sharedMemPerBlockOptin.setter
    def sharedMemPerBlockOptin(self, value: int) -> None: ...
    @property
    def pageableMemoryAccessUsesHostPageTables(self) -> int:
        """Device accesses pageable memory via the host's page tables"""
        ...
    @pageableMemoryAccessUsesHostPageTables.setter
    def pageableMemoryAccessUsesHostPageTables(self, value: int) -> None: ...
    @property
    def directManagedMemAccessFromHost(self) -> int:
        """Host can directly access managed memory on the device without migration."""
        ...
    @directManagedMemAccessFromHost.setter
    def directManagedMemAccessFromHost(self, value: int) -> None: ...
    @property
    def maxBlocksPerMultiProcessor(self) -> int:
        """Maximum number of resident blocks per multiprocessor"""
        ...
    @maxBlocksPerMultiProcessor.setter
    def maxBlocksPerMultiProcessor(self, value: int) -> None: ...
    @property
    def accessPolicyMaxWindowSize(self) -> int:
        """The maximum value of cudaAccessPolicyWindownum_bytes."""
        ...
    @accessPolicyMaxWindowSize.setter
    def accessPolicyMaxWindowSize(self, value: int) -> None: ...
    @property
    def reservedSharedMemPerBlock(self) -> int:
        """Shared memory reserved by CUDA driver per block in bytes"""
        ...
    @reservedSharedMemPerBlock.setter
    def reservedSharedMemPerBlock(self, value: int) -> None: ...
    @property
    def hostRegisterSupported(self) -> int:
        """Device supports host memory registration via cudaHostRegister."""
        ...
    @hostRegisterSupported.setter
    def hostRegisterSupported(self, value: int) -> None: ...
    @property
    def sparseCudaArraySupported(self) -> int:
        """1 if the device supports sparse CUDA arrays and sparse CUDA mipmapped arrays, 0 otherwise"""
        ...
    @sparseCudaArraySupported.setter
    def sparseCudaArraySupported(self, value: int) -> None: ...
    @property
    def hostRegisterReadOnlySupported(self) -> int:
        """Device supports using the cudaHostRegister flag cudaHostRegisterReadOnly to register memory that must be mapped as read-only to the GPU"""
        ...
    @hostRegisterReadOnlySupported.setter
    def hostRegisterReadOnlySupported(self, value: int) -> None: ...
    @property
    def timelineSemaphoreInteropSupported(self) -> int:
        """External timeline semaphore interop is supported on the device"""
        ...
    @timelineSemaphoreInteropSupported.setter
    def timelineSemaphoreInteropSupported(self, value: int) -> None: ...
    @property
    def memoryPoolsSupported(self) -> int:
        """1 if the device supports using the cudaMallocAsync and cudaMemPool family of APIs, 0 otherwise"""
        ...
    @memoryPoolsSupported.setter
    def memoryPoolsSupported(self, value: int) -> None: ...
    @property
    def gpuDirectRDMASupported(self) -> int:
        """1 if the device supports GPUDirect RDMA APIs, 0 otherwise"""
        ...
    @gpuDirectRDMASupported.setter
    def gpuDirectRDMASupported(self, value: int) -> None: ...
    @property
    def gpuDirectRDMAFlushWritesOptions(self) -> int:
        """Bitmask to be interpreted according to the cudaFlushGPUDirectRDMAWritesOptions enum"""
        ...
    @gpuDirectRDMAFlushWritesOptions.setter
    def gpuDirectRDMAFlushWritesOptions(self, value: int) -> None: ...
    @property
    def gpuDirectRDMAWritesOrdering(self) -> int:
        """See the cudaGPUDirectRDMAWritesOrdering enum for numerical values"""
        ...
    @gpuDirectRDMAWritesOrdering.setter
    def gpuDirectRDMAWritesOrdering(self, value: int) -> None: ...
    @property
    def memoryPoolSupportedHandleTypes(self) -> int:
        """Bitmask of handle types supported with mempool-based IPC"""
        ...
    @memoryPoolSupportedHandleTypes.setter
    def memoryPoolSupportedHandleTypes(self, value: int) -> None: ...
    @property
    def deferredMappingCudaArraySupported(self) -> int:
        """1 if the device supports deferred mapping CUDA arrays and CUDA mipmapped arrays"""
        ...
    @deferredMappingCudaArraySupported.setter
    def deferredMappingCudaArraySupported(self, value: int) -> None: ...
    @property
    def ipcEventSupported(self) -> int:
        """Device supports IPC Events."""
        ...
    @ipcEventSupported.setter
    def ipcEventSupported(self, value: int) -> None: ...
    @property
    def clusterLaunch(self) -> int:
        """Indicates device supports cluster launch"""
        ...
    @clusterLaunch.setter
    def clusterLaunch(self, value: int) -> None: ...
    @property
    def unifiedFunctionPointers(self) -> int:
        """Indicates device supports unified pointers"""
        ...
    @unifiedFunctionPointers.setter
    def unifiedFunctionPointers(self, value: int) -> None: ...
    @property
    def deviceNumaConfig(self) -> int:
        """NUMA configuration of a device: value is of type cudaDeviceNumaConfig enum"""
        ...
    @deviceNumaConfig.setter
    def deviceNumaConfig(self, value: int) -> None: ...
    @property
    def deviceNumaId(self) -> int:
        """NUMA node ID of the GPU memory"""
        ...
    @deviceNumaId.setter
    def deviceNumaId(self, value: int) -> None: ...
    @property
    def mpsEnabled(self) -> int:
        """Indicates if contexts created on this device will be shared via MPS"""
        ...
    @mpsEnabled.setter
    def mpsEnabled(self, value: int) -> None: ...
    @property
    def hostNumaId(self) -> int:
        """NUMA ID of the host node closest to the device or -1 when system does not support NUMA"""
        ...
    @hostNumaId.setter
    def hostNumaId(self, value: int) -> None: ...
    @property
    def gpuPciDeviceID(self) -> int:
        """The combined 16-bit PCI device ID and 16-bit PCI vendor ID"""
        ...
    @gpuPciDeviceID.setter
    def gpuPciDeviceID(self, value: int) -> None: ...
    @property
    def gpuPciSubsystemID(self) -> int:
        """The combined 16-bit PCI subsystem ID and 16-bit PCI subsystem vendor ID"""
        ...
    @gpuPciSubsystemID.setter
    def gpuPciSubsystemID(self, value: int) -> None: ...
    @property
    def hostNumaMultinodeIpcSupported(self) -> int:
        """1 if the device supports HostNuma location IPC between nodes in a multi-node system."""
        ...
    @hostNumaMultinodeIpcSupported.setter
    def hostNumaMultinodeIpcSupported(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Reserved for future use"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaIpcEventHandle_t(Record):
    """CUDA IPC event handle

    driver_types.h:2572
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaIpcMemHandle_t(Record):
    """CUDA IPC memory handle

    driver_types.h:2580
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaMemFabricHandle_t(Record):
    """CUDA Mem Fabric Handle

    driver_types.h:2588
    """
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> bytes:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaExternalMemoryHandleDesc(Record):
    """External memory handle descriptor

    driver_types.h:2671
    """
    def __init__(self, type: cudaExternalMemoryHandleType | int = ..., handle: cudaExternalMemoryHandleDesc_handle | tuple[Any, ...] | dict[str, Any] = ..., size: int = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> cudaExternalMemoryHandleType:
        """Type of the handle"""
        ...
    @type.setter
    def type(self, value: cudaExternalMemoryHandleType | int) -> None: ...
    @property
    def handle(self) -> cudaExternalMemoryHandleDesc_handle:
        ...
    @handle.setter
    def handle(self, value: cudaExternalMemoryHandleDesc_handle | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def size(self) -> int:
        """Size of the memory allocation"""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def flags(self) -> int:
        """Flags must either be zero or cudaExternalMemoryDedicated"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaExternalMemoryBufferDesc(Record):
    """External memory buffer descriptor

    driver_types.h:2732
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
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaExternalMemoryMipmappedArrayDesc(Record):
    """External memory mipmap descriptor

    driver_types.h:2754
    """
    def __init__(self, offset: int = ..., formatDesc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] = ..., extent: cudaExtent | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., numLevels: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def offset(self) -> int:
        """Offset into the memory object where the base level of the mipmap chain is."""
        ...
    @offset.setter
    def offset(self, value: int) -> None: ...
    @property
    def formatDesc(self) -> cudaChannelFormatDesc:
        """Format of base level of the mipmap chain"""
        ...
    @formatDesc.setter
    def formatDesc(self, value: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extent(self) -> cudaExtent:
        """Dimensions of base level of the mipmap chain"""
        ...
    @extent.setter
    def extent(self, value: cudaExtent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Flags associated with CUDA mipmapped arrays. See cudaMallocMipmappedArray"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def numLevels(self) -> int:
        """Total number of levels in the mipmap chain"""
        ...
    @numLevels.setter
    def numLevels(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaExternalSemaphoreHandleDesc(Record):
    """External semaphore handle descriptor

    driver_types.h:2832
    """
    def __init__(self, type: cudaExternalSemaphoreHandleType | int = ..., handle: cudaExternalSemaphoreHandleDesc_handle | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> cudaExternalSemaphoreHandleType:
        """Type of the handle"""
        ...
    @type.setter
    def type(self, value: cudaExternalSemaphoreHandleType | int) -> None: ...
    @property
    def handle(self) -> cudaExternalSemaphoreHandleDesc_handle:
        ...
    @handle.setter
    def handle(self, value: cudaExternalSemaphoreHandleDesc_handle | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Flags reserved for the future. Must be zero."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Must be zero"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaExternalSemaphoreSignalParams(Record):
    """External semaphore signal parameters, compatible with driver type

    driver_types.h:2889
    """
    def __init__(self, params: cudaExternalSemaphoreSignalParams_params | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def params(self) -> cudaExternalSemaphoreSignalParams_params:
        ...
    @params.setter
    def params(self, value: cudaExternalSemaphoreSignalParams_params | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Only when cudaExternalSemaphoreSignalParams is used to signal a cudaExternalSemaphore_t of type cudaExternalSemaphoreHandleTypeNvSciSync, the valid flag is cudaExternalSemaphoreSignalSkipNvSciBufMemSync: which indicates that while signaling the cudaExternalSemaphore_t, no memory synchronization operations should be performed for any external memory object imported as cudaExternalMemoryHandleTypeNvSciBuf. For all other types of cudaExternalSemaphore_t, flags must be zero."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaExternalSemaphoreWaitParams(Record):
    """External semaphore wait parameters, compatible with driver type

    driver_types.h:2936
    """
    def __init__(self, params: cudaExternalSemaphoreWaitParams_params | tuple[Any, ...] | dict[str, Any] = ..., flags: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def params(self) -> cudaExternalSemaphoreWaitParams_params:
        ...
    @params.setter
    def params(self, value: cudaExternalSemaphoreWaitParams_params | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def flags(self) -> int:
        """Only when cudaExternalSemaphoreSignalParams is used to signal a cudaExternalSemaphore_t of type cudaExternalSemaphoreHandleTypeNvSciSync, the valid flag is cudaExternalSemaphoreSignalSkipNvSciBufMemSync: which indicates that while waiting for the cudaExternalSemaphore_t, no memory synchronization operations should be performed for any external memory object imported as cudaExternalMemoryHandleTypeNvSciBuf. For all other types of cudaExternalSemaphore_t, flags must be zero."""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudalibraryHostUniversalFunctionAndDataTable(Record):
    """driver_types.h:3230"""
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

class cudaKernelNodeParams(Record):
    """CUDA GPU kernel node parameters

    driver_types.h:3280
    """
    def __init__(self, func: Sequence[Any] | Address | None = ..., gridDim: dim3 | tuple[Any, ...] | dict[str, Any] = ..., blockDim: dim3 | tuple[Any, ...] | dict[str, Any] = ..., sharedMemBytes: int = ..., kernelParams: Sequence[Any] | Address | None = ..., extra: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def func(self) -> int:
        """Kernel to launch"""
        ...
    @func.setter
    def func(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def gridDim(self) -> dim3:
        """Grid dimensions"""
        ...
    @gridDim.setter
    def gridDim(self, value: dim3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def blockDim(self) -> dim3:
        """Block dimensions"""
        ...
    @blockDim.setter
    def blockDim(self, value: dim3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def sharedMemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @sharedMemBytes.setter
    def sharedMemBytes(self, value: int) -> None: ...
    @property
    def kernelParams(self) -> int:
        """Array of pointers to individual kernel arguments"""
        ...
    @kernelParams.setter
    def kernelParams(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def extra(self) -> int:
        """Pointer to kernel arguments in the "extra" format"""
        ...
    @extra.setter
    def extra(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaKernelNodeParamsV2(Record):
    """CUDA GPU kernel node parameters

    driver_types.h:3292
    """
    def __init__(self, func: Sequence[Any] | Address | None = ..., gridDim: dim3 | tuple[Any, ...] | dict[str, Any] = ..., blockDim: dim3 | tuple[Any, ...] | dict[str, Any] = ..., sharedMemBytes: int = ..., kernelParams: Sequence[Any] | Address | None = ..., extra: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def func(self) -> int:
        """Kernel to launch"""
        ...
    @func.setter
    def func(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def gridDim(self) -> dim3:
        """Grid dimensions"""
        ...
    @gridDim.setter
    def gridDim(self, value: dim3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def blockDim(self) -> dim3:
        """Block dimensions"""
        ...
    @blockDim.setter
    def blockDim(self, value: dim3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def sharedMemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @sharedMemBytes.setter
    def sharedMemBytes(self, value: int) -> None: ...
    @property
    def kernelParams(self) -> int:
        """Array of pointers to individual kernel arguments"""
        ...
    @kernelParams.setter
    def kernelParams(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def extra(self) -> int:
        """Pointer to kernel arguments in the "extra" format"""
        ...
    @extra.setter
    def extra(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaExternalSemaphoreSignalNodeParams(Record):
    """External semaphore signal node parameters

    driver_types.h:3310
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: cudaExternalSemaphoreSignalParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[cudaExternalSemaphoreSignalParams]:
        """Array of external semaphore signal parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: cudaExternalSemaphoreSignalParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class cudaExternalSemaphoreSignalNodeParamsV2(Record):
    """External semaphore signal node parameters

    driver_types.h:3319
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: cudaExternalSemaphoreSignalParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[cudaExternalSemaphoreSignalParams]:
        """Array of external semaphore signal parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: cudaExternalSemaphoreSignalParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class cudaExternalSemaphoreWaitNodeParams(Record):
    """External semaphore wait node parameters

    driver_types.h:3328
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: cudaExternalSemaphoreWaitParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[cudaExternalSemaphoreWaitParams]:
        """Array of external semaphore wait parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: cudaExternalSemaphoreWaitParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class cudaExternalSemaphoreWaitNodeParamsV2(Record):
    """External semaphore wait node parameters

    driver_types.h:3337
    """
    def __init__(self, extSemArray: Sequence[Any] | Address | None = ..., paramsArray: cudaExternalSemaphoreWaitParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None = ..., numExtSems: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def extSemArray(self) -> list[Any]:
        """Array of external semaphore handles."""
        ...
    @extSemArray.setter
    def extSemArray(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def paramsArray(self) -> list[cudaExternalSemaphoreWaitParams]:
        """Array of external semaphore wait parameters."""
        ...
    @paramsArray.setter
    def paramsArray(self, value: cudaExternalSemaphoreWaitParams | tuple[Any, ...] | dict[str, Any] | Sequence[Any] | Address | None) -> None: ...
    @property
    def numExtSems(self) -> int:
        """Number of handles and parameters supplied in extSemArray and paramsArray."""
        ...
    @numExtSems.setter
    def numExtSems(self, value: int) -> None: ...

class cudaConditionalNodeParams(Record):
    """CUDA conditional node parameters

    driver_types.h:3359
    """
    def __init__(self, handle: cudaGraphConditionalHandle = ..., type: cudaGraphConditionalNodeType | int = ..., size: int = ..., phGraph_out: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def handle(self) -> cudaGraphConditionalHandle:
        """Conditional node handle. Handles must be created in advance of creating the node using cudaGraphConditionalHandleCreate."""
        ...
    @handle.setter
    def handle(self, value: cudaGraphConditionalHandle) -> None: ...
    @property
    def type(self) -> cudaGraphConditionalNodeType:
        """Type of conditional node."""
        ...
    @type.setter
    def type(self, value: cudaGraphConditionalNodeType | int) -> None: ...
    @property
    def size(self) -> int:
        """Size of graph output array. Allowed values are 1 for cudaGraphCondTypeWhile, 1 or 2 for cudaGraphCondTypeIf, or any value greater than zero for cudaGraphCondTypeSwitch."""
        ...
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def phGraph_out(self) -> list[Any]:
        """CUDA-owned array populated with conditional node child graphs during creation of the node. Valid for the lifetime of the conditional node. The contents of the graph(s) are subject to the following constraints:

        - Allowed node types are kernel nodes, empty nodes, child graphs, memsets, memcopies, and conditionals. This applies recursively to child graphs and conditional bodies. - All kernels, including kernels in nested conditionals or child graphs at any level, must belong to the same CUDA context.

        These graphs may be populated using graph node creation APIs or cudaStreamBeginCaptureToGraph. cudaGraphCondTypeIf: phGraph_out[0] is executed when the condition is non-zero. If size == 2, phGraph_out[1] will be executed when the condition is zero. cudaGraphCondTypeWhile: phGraph_out[0] is executed as long as the condition is non-zero. cudaGraphCondTypeSwitch: phGraph_out[n] is executed when the condition is equal to n. If the condition >= size, no body graph is executed.
        """
        ...
    @phGraph_out.setter
    def phGraph_out(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaChildGraphNodeParams(Record):
    """Child graph node parameters

    driver_types.h:3444
    """
    def __init__(self, graph: cudaGraph_t | None | int = ..., ownership: cudaGraphChildGraphNodeOwnership | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def graph(self) -> cudaGraph_t:
        """The child graph to clone into the node for node creation, or a handle to the graph owned by the node for node query. The graph must not contain conditional nodes. Graphs containing memory allocation or memory free nodes must set the ownership to be moved to the parent."""
        ...
    @graph.setter
    def graph(self, value: cudaGraph_t | None | int) -> None: ...
    @property
    def ownership(self) -> cudaGraphChildGraphNodeOwnership:
        """The ownership relationship of the child graph node."""
        ...
    @ownership.setter
    def ownership(self, value: cudaGraphChildGraphNodeOwnership | int) -> None: ...

class cudaEventRecordNodeParams(Record):
    """Event record node parameters

    driver_types.h:3457
    """
    def __init__(self, event: cudaEvent_t | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> cudaEvent_t:
        """The event to record when the node executes"""
        ...
    @event.setter
    def event(self, value: cudaEvent_t | None | int) -> None: ...

class cudaEventWaitNodeParams(Record):
    """Event wait node parameters

    driver_types.h:3464
    """
    def __init__(self, event: cudaEvent_t | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> cudaEvent_t:
        """The event to wait on from the node"""
        ...
    @event.setter
    def event(self, value: cudaEvent_t | None | int) -> None: ...

class cudaGraphNodeParams(Record):
    """Graph node parameters. See cudaGraphAddNode.

    driver_types.h:3471
    """
    def __init__(self, type: cudaGraphNodeType | int = ..., reserved0: Any = ..., reserved1: Any = ..., kernel: cudaKernelNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., memcpy: cudaMemcpyNodeParams | tuple[Any, ...] | dict[str, Any] = ..., memset: cudaMemsetParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., host: cudaHostNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., graph: cudaChildGraphNodeParams | tuple[Any, ...] | dict[str, Any] = ..., eventWait: cudaEventWaitNodeParams | tuple[Any, ...] | dict[str, Any] = ..., eventRecord: cudaEventRecordNodeParams | tuple[Any, ...] | dict[str, Any] = ..., extSemSignal: cudaExternalSemaphoreSignalNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., extSemWait: cudaExternalSemaphoreWaitNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., alloc: cudaMemAllocNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., free: cudaMemFreeNodeParams | tuple[Any, ...] | dict[str, Any] = ..., conditional: cudaConditionalNodeParams | tuple[Any, ...] | dict[str, Any] = ..., reserved2: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> cudaGraphNodeType:
        """Type of the node"""
        ...
    @type.setter
    def type(self, value: cudaGraphNodeType | int) -> None: ...
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
    def kernel(self) -> cudaKernelNodeParamsV2:
        """Kernel node parameters."""
        ...
    @kernel.setter
    def kernel(self, value: cudaKernelNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memcpy(self) -> cudaMemcpyNodeParams:
        """Memcpy node parameters."""
        ...
    @memcpy.setter
    def memcpy(self, value: cudaMemcpyNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memset(self) -> cudaMemsetParamsV2:
        """Memset node parameters."""
        ...
    @memset.setter
    def memset(self, value: cudaMemsetParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def host(self) -> cudaHostNodeParamsV2:
        """Host node parameters."""
        ...
    @host.setter
    def host(self, value: cudaHostNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def graph(self) -> cudaChildGraphNodeParams:
        """Child graph node parameters."""
        ...
    @graph.setter
    def graph(self, value: cudaChildGraphNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventWait(self) -> cudaEventWaitNodeParams:
        """Event wait node parameters."""
        ...
    @eventWait.setter
    def eventWait(self, value: cudaEventWaitNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventRecord(self) -> cudaEventRecordNodeParams:
        """Event record node parameters."""
        ...
    @eventRecord.setter
    def eventRecord(self, value: cudaEventRecordNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemSignal(self) -> cudaExternalSemaphoreSignalNodeParamsV2:
        """External semaphore signal node parameters."""
        ...
    @extSemSignal.setter
    def extSemSignal(self, value: cudaExternalSemaphoreSignalNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemWait(self) -> cudaExternalSemaphoreWaitNodeParamsV2:
        """External semaphore wait node parameters."""
        ...
    @extSemWait.setter
    def extSemWait(self, value: cudaExternalSemaphoreWaitNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def alloc(self) -> cudaMemAllocNodeParamsV2:
        """Memory allocation node parameters."""
        ...
    @alloc.setter
    def alloc(self, value: cudaMemAllocNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def free(self) -> cudaMemFreeNodeParams:
        """Memory free node parameters."""
        ...
    @free.setter
    def free(self, value: cudaMemFreeNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def conditional(self) -> cudaConditionalNodeParams:
        """Conditional node parameters."""
        ...
    @conditional.setter
    def conditional(self, value: cudaConditionalNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved2(self) -> int:
        """Reserved bytes. Must be zero."""
        ...
    @reserved2.setter
    def reserved2(self, value: int) -> None: ...

class cudaGraphEdgeData(Record):
    """Optional annotation for edges in a CUDA graph. Note, all edges implicitly have annotations and default to a zero-initialized value if not specified. A zero-initialized struct indicates a standard full serialization of two nodes with memory visibility.

    driver_types.h:3511
    """
    def __init__(self, from_port: int = ..., to_port: int = ..., type: int = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def from_port(self) -> int:
        """This indicates when the dependency is triggered from the upstream node on the edge. The meaning is specfic to the node type. A value of 0 in all cases means full completion of the upstream node, with memory visibility to the downstream node or portion thereof (indicated by to_port). <br> Only kernel nodes define non-zero ports. A kernel node can use the following output port types: cudaGraphKernelNodePortDefault, cudaGraphKernelNodePortProgrammatic, or cudaGraphKernelNodePortLaunchCompletion."""
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
        """This should be populated with a value from cudaGraphDependencyType. (It is typed as char due to compiler-specific layout of bitfields.) See cudaGraphDependencyType."""
        ...
    @type.setter
    def type(self, value: int) -> None: ...
    @property
    def reserved(self) -> bytes:
        """These bytes are unused and must be zeroed. This ensures compatibility if additional fields are added in the future."""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaGraphInstantiateParams(Record):
    """Graph instantiation parameters

    driver_types.h:3587
    """
    def __init__(self, flags: int = ..., uploadStream: cudaStream_t | None | int = ..., errNode_out: cudaGraphNode_t | None | int = ..., result_out: cudaGraphInstantiateResult | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def flags(self) -> int:
        """Instantiation flags"""
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...
    @property
    def uploadStream(self) -> cudaStream_t:
        """Upload stream"""
        ...
    @uploadStream.setter
    def uploadStream(self, value: cudaStream_t | None | int) -> None: ...
    @property
    def errNode_out(self) -> cudaGraphNode_t:
        """The node which caused instantiation to fail, if any"""
        ...
    @errNode_out.setter
    def errNode_out(self, value: cudaGraphNode_t | None | int) -> None: ...
    @property
    def result_out(self) -> cudaGraphInstantiateResult:
        """Whether instantiation was successful. If it failed, the reason why"""
        ...
    @result_out.setter
    def result_out(self, value: cudaGraphInstantiateResult | int) -> None: ...

class cudaGraphExecUpdateResultInfo(Record):
    """Result information returned by cudaGraphExecUpdate

    driver_types.h:3598
    """
    def __init__(self, result: cudaGraphExecUpdateResult | int = ..., errorNode: cudaGraphNode_t | None | int = ..., errorFromNode: cudaGraphNode_t | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def result(self) -> cudaGraphExecUpdateResult:
        """Gives more specific detail when a cuda graph update fails."""
        ...
    @result.setter
    def result(self, value: cudaGraphExecUpdateResult | int) -> None: ...
    @property
    def errorNode(self) -> cudaGraphNode_t:
        """The "to node" of the error edge when the topologies do not match. The error node when the error is associated with a specific node. NULL when the error is generic."""
        ...
    @errorNode.setter
    def errorNode(self, value: cudaGraphNode_t | None | int) -> None: ...
    @property
    def errorFromNode(self) -> cudaGraphNode_t:
        """The from node of error edge when the topologies do not match. Otherwise NULL."""
        ...
    @errorFromNode.setter
    def errorFromNode(self, value: cudaGraphNode_t | None | int) -> None: ...

class cudaGraphKernelNodeUpdate(Record):
    """Struct to specify a single node update to pass as part of a larger array to cudaGraphKernelNodeUpdatesApply

    driver_types.h:3636
    """
    def __init__(self, node: cudaGraphDeviceNode_t | None | int = ..., field: cudaGraphKernelNodeField | int = ..., updateData: cudaGraphKernelNodeUpdate_updateData | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def node(self) -> cudaGraphDeviceNode_t:
        """Node to update"""
        ...
    @node.setter
    def node(self, value: cudaGraphDeviceNode_t | None | int) -> None: ...
    @property
    def field(self) -> cudaGraphKernelNodeField:
        """Which type of update to apply. Determines how updateData is interpreted"""
        ...
    @field.setter
    def field(self, value: cudaGraphKernelNodeField | int) -> None: ...
    @property
    def updateData(self) -> cudaGraphKernelNodeUpdate_updateData:
        """Update data to apply. Which field is used depends on field's value"""
        ...
    @updateData.setter
    def updateData(self, value: cudaGraphKernelNodeUpdate_updateData | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaLaunchMemSyncDomainMap(Record):
    """Memory Synchronization Domain map

    See cudaLaunchMemSyncDomain.

    By default, kernels are launched in domain 0. Kernel launched with cudaLaunchMemSyncDomainRemote will have a different domain ID. User may also alter the domain ID with cudaLaunchMemSyncDomainMap for a specific stream / graph node / kernel launch. See cudaLaunchAttributeMemSyncDomainMap.

    Domain ID range is available through cudaDevAttrMemSyncDomainCount.

    driver_types.h:3738
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

class cudaLaunchAttributeValue(Record):
    """Launch attributes union; used as value field of cudaLaunchAttribute

    driver_types.h:3911
    """
    def __init__(self, pad: Any = ..., accessPolicyWindow: cudaAccessPolicyWindow | tuple[Any, ...] | dict[str, Any] = ..., cooperative: int = ..., syncPolicy: cudaSynchronizationPolicy | int = ..., clusterDim: cudaLaunchAttributeValue_clusterDim | tuple[Any, ...] | dict[str, Any] = ..., clusterSchedulingPolicyPreference: cudaClusterSchedulingPolicy | int = ..., programmaticStreamSerializationAllowed: int = ..., programmaticEvent: cudaLaunchAttributeValue_programmaticEvent | tuple[Any, ...] | dict[str, Any] = ..., priority: int = ..., memSyncDomainMap: cudaLaunchMemSyncDomainMap | tuple[Any, ...] | dict[str, Any] = ..., memSyncDomain: cudaLaunchMemSyncDomain | int = ..., preferredClusterDim: cudaLaunchAttributeValue_preferredClusterDim | tuple[Any, ...] | dict[str, Any] = ..., launchCompletionEvent: cudaLaunchAttributeValue_launchCompletionEvent | tuple[Any, ...] | dict[str, Any] = ..., deviceUpdatableKernelNode: cudaLaunchAttributeValue_deviceUpdatableKernelNode | tuple[Any, ...] | dict[str, Any] = ..., sharedMemCarveout: int = ..., nvlinkUtilCentricScheduling: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def pad(self) -> bytes:
        """Pad to 64 bytes"""
        ...
    @pad.setter
    def pad(self, value: Any) -> None: ...
    @property
    def accessPolicyWindow(self) -> cudaAccessPolicyWindow:
        """Value of launch attribute cudaLaunchAttributeAccessPolicyWindow."""
        ...
    @accessPolicyWindow.setter
    def accessPolicyWindow(self, value: cudaAccessPolicyWindow | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def cooperative(self) -> int:
        """Value of launch attribute cudaLaunchAttributeCooperative. Nonzero indicates a cooperative kernel (see cudaLaunchCooperativeKernel)."""
        ...
    @cooperative.setter
    def cooperative(self, value: int) -> None: ...
    @property
    def syncPolicy(self) -> cudaSynchronizationPolicy:
        """Value of launch attribute cudaLaunchAttributeSynchronizationPolicy. cudaSynchronizationPolicy for work queued up in this stream."""
        ...
    @syncPolicy.setter
    def syncPolicy(self, value: cudaSynchronizationPolicy | int) -> None: ...
    @property
    def clusterDim(self) -> cudaLaunchAttributeValue_clusterDim:
        ...
    @clusterDim.setter
    def clusterDim(self, value: cudaLaunchAttributeValue_clusterDim | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def clusterSchedulingPolicyPreference(self) -> cudaClusterSchedulingPolicy:
        """Value of launch attribute cudaLaunchAttributeClusterSchedulingPolicyPreference. Cluster scheduling policy preference for the kernel."""
        ...
    @clusterSchedulingPolicyPreference.setter
    def clusterSchedulingPolicyPreference(self, value: cudaClusterSchedulingPolicy | int) -> None: ...
    @property
    def programmaticStreamSerializationAllowed(self) -> int:
        """Value of launch attribute cudaLaunchAttributeProgrammaticStreamSerialization."""
        ...
    @programmaticStreamSerializationAllowed.setter
    def programmaticStreamSerializationAllowed(self, value: int) -> None: ...
    @property
    def programmaticEvent(self) -> cudaLaunchAttributeValue_programmaticEvent:
        ...
    @programmaticEvent.setter
    def programmaticEvent(self, value: cudaLaunchAttributeValue_programmaticEvent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def priority(self) -> int:
        """Value of launch attribute cudaLaunchAttributePriority. Execution priority of the kernel."""
        ...
    @priority.setter
    def priority(self, value: int) -> None: ...
    @property
    def memSyncDomainMap(self) -> cudaLaunchMemSyncDomainMap:
        """Value of launch attribute cudaLaunchAttributeMemSyncDomainMap. See cudaLaunchMemSyncDomainMap."""
        ...
    @memSyncDomainMap.setter
    def memSyncDomainMap(self, value: cudaLaunchMemSyncDomainMap | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memSyncDomain(self) -> cudaLaunchMemSyncDomain:
        """Value of launch attribute cudaLaunchAttributeMemSyncDomain. See cudaLaunchMemSyncDomain."""
        ...
    @memSyncDomain.setter
    def memSyncDomain(self, value: cudaLaunchMemSyncDomain | int) -> None: ...
    @property
    def preferredClusterDim(self) -> cudaLaunchAttributeValue_preferredClusterDim:
        ...
    @preferredClusterDim.setter
    def preferredClusterDim(self, value: cudaLaunchAttributeValue_preferredClusterDim | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def launchCompletionEvent(self) -> cudaLaunchAttributeValue_launchCompletionEvent:
        ...
    @launchCompletionEvent.setter
    def launchCompletionEvent(self, value: cudaLaunchAttributeValue_launchCompletionEvent | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def deviceUpdatableKernelNode(self) -> cudaLaunchAttributeValue_deviceUpdatableKernelNode:
        ...
    @deviceUpdatableKernelNode.setter
    def deviceUpdatableKernelNode(self, value: cudaLaunchAttributeValue_deviceUpdatableKernelNode | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def sharedMemCarveout(self) -> int:
        """Value of launch attribute cudaLaunchAttributePreferredSharedMemoryCarveout."""
        ...
    @sharedMemCarveout.setter
    def sharedMemCarveout(self, value: int) -> None: ...
    @property
    def nvlinkUtilCentricScheduling(self) -> int:
        """Value of launch attribute cudaLaunchAttributeNvlinkUtilCentricScheduling."""
        ...
    @nvlinkUtilCentricScheduling.setter
    def nvlinkUtilCentricScheduling(self, value: int) -> None: ...

class cudaLaunchAttribute(Record):
    """Launch attribute

    driver_types.h:4009
    """
    def __init__(self, id: cudaLaunchAttributeID | int = ..., pad: Any = ..., val: cudaLaunchAttributeValue | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def id(self) -> cudaLaunchAttributeID:
        """Attribute to set"""
        ...
    @id.setter
    def id(self, value: cudaLaunchAttributeID | int) -> None: ...
    @property
    def pad(self) -> bytes:
        ...
    @pad.setter
    def pad(self, value: Any) -> None: ...
    @property
    def val(self) -> cudaLaunchAttributeValue:
        """Value of the attribute"""
        ...
    @val.setter
    def val(self, value: cudaLaunchAttributeValue | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaLaunchConfig_t(Record):
    """CUDA extensible launch configuration

    driver_types.h:4018
    """
    def __init__(self, gridDim: dim3 | tuple[Any, ...] | dict[str, Any] = ..., blockDim: dim3 | tuple[Any, ...] | dict[str, Any] = ..., dynamicSmemBytes: int = ..., stream: cudaStream_t | None | int = ..., attrs: cudaLaunchAttribute | Sequence[Any] | Address | None = ..., numAttrs: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def gridDim(self) -> dim3:
        """Grid dimensions"""
        ...
    @gridDim.setter
    def gridDim(self, value: dim3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def blockDim(self) -> dim3:
        """Block dimensions"""
        ...
    @blockDim.setter
    def blockDim(self, value: dim3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def dynamicSmemBytes(self) -> int:
        """Dynamic shared-memory size per thread block in bytes"""
        ...
    @dynamicSmemBytes.setter
    def dynamicSmemBytes(self, value: int) -> None: ...
    @property
    def stream(self) -> cudaStream_t:
        """Stream identifier"""
        ...
    @stream.setter
    def stream(self, value: cudaStream_t | None | int) -> None: ...
    @property
    def attrs(self) -> list[cudaLaunchAttribute]:
        """List of attributes; nullable if cudaLaunchConfig_tnumAttrs == 0"""
        ...
    @attrs.setter
    def attrs(self, value: cudaLaunchAttribute | Sequence[Any] | Address | None) -> None: ...
    @property
    def numAttrs(self) -> int:
        """Number of attributes populated in cudaLaunchConfig_tattrs"""
        ...
    @numAttrs.setter
    def numAttrs(self, value: int) -> None: ...

class cudaAsyncNotificationInfo_t(Record):
    """Information describing an async notification event

    driver_types.h:4076
    """
    def __init__(self, type: cudaAsyncNotificationType | int = ..., info: cudaAsyncNotificationInfo_info | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def type(self) -> cudaAsyncNotificationType:
        """The type of notification being sent"""
        ...
    @type.setter
    def type(self, value: cudaAsyncNotificationType | int) -> None: ...
    @property
    def info(self) -> cudaAsyncNotificationInfo_info:
        """Information about the notification. type must be checked in order to interpret this field."""
        ...
    @info.setter
    def info(self, value: cudaAsyncNotificationInfo_info | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaTextureDesc(Record):
    """CUDA texture descriptor

    texture_types.h:115
    """
    def __init__(self, addressMode: Any = ..., filterMode: cudaTextureFilterMode | int = ..., readMode: cudaTextureReadMode | int = ..., sRGB: int = ..., borderColor: Any = ..., normalizedCoords: int = ..., maxAnisotropy: int = ..., mipmapFilterMode: cudaTextureFilterMode | int = ..., mipmapLevelBias: float = ..., minMipmapLevelClamp: float = ..., maxMipmapLevelClamp: float = ..., disableTrilinearOptimization: int = ..., seamlessCubemap: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def addressMode(self) -> list[int]:
        """Texture address mode for up to 3 dimensions"""
        ...
    @addressMode.setter
    def addressMode(self, value: Any) -> None: ...
    @property
    def filterMode(self) -> cudaTextureFilterMode:
        """Texture filter mode"""
        ...
    @filterMode.setter
    def filterMode(self, value: cudaTextureFilterMode | int) -> None: ...
    @property
    def readMode(self) -> cudaTextureReadMode:
        """Texture read mode"""
        ...
    @readMode.setter
    def readMode(self, value: cudaTextureReadMode | int) -> None: ...
    @property
    def sRGB(self) -> int:
        """Perform sRGB->linear conversion during texture read"""
        ...
    @sRGB.setter
    def sRGB(self, value: int) -> None: ...
    @property
    def borderColor(self) -> list[float]:
        """Texture Border Color"""
        ...
    @borderColor.setter
    def borderColor(self, value: Any) -> None: ...
    @property
    def normalizedCoords(self) -> int:
        """Indicates whether texture reads are normalized or not"""
        ...
    @normalizedCoords.setter
    def normalizedCoords(self, value: int) -> None: ...
    @property
    def maxAnisotropy(self) -> int:
        """Limit to the anisotropy ratio"""
        ...
    @maxAnisotropy.setter
    def maxAnisotropy(self, value: int) -> None: ...
    @property
    def mipmapFilterMode(self) -> cudaTextureFilterMode:
        """Mipmap filter mode"""
        ...
    @mipmapFilterMode.setter
    def mipmapFilterMode(self, value: cudaTextureFilterMode | int) -> None: ...
    @property
    def mipmapLevelBias(self) -> float:
        """Offset applied to the supplied mipmap level"""
        ...
    @mipmapLevelBias.setter
    def mipmapLevelBias(self, value: float) -> None: ...
    @property
    def minMipmapLevelClamp(self) -> float:
        """Lower end of the mipmap level range to clamp access to"""
        ...
    @minMipmapLevelClamp.setter
    def minMipmapLevelClamp(self, value: float) -> None: ...
    @property
    def maxMipmapLevelClamp(self) -> float:
        """Upper end of the mipmap level range to clamp access to"""
        ...
    @maxMipmapLevelClamp.setter
    def maxMipmapLevelClamp(self, value: float) -> None: ...
    @property
    def disableTrilinearOptimization(self) -> int:
        """Disable any trilinear filtering optimizations."""
        ...
    @disableTrilinearOptimization.setter
    def disableTrilinearOptimization(self, value: int) -> None: ...
    @property
    def seamlessCubemap(self) -> int:
        """Enable seamless cube map filtering."""
        ...
    @seamlessCubemap.setter
    def seamlessCubemap(self, value: int) -> None: ...

class cudaEglPlaneDesc(Record):
    """CUDA EGL Plane Descriptor - structure defining each plane of a CUDA EGLFrame

    cuda_egl_interop.h:227
    """
    def __init__(self, width: int = ..., height: int = ..., depth: int = ..., pitch: int = ..., numChannels: int = ..., channelDesc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def width(self) -> int:
        """Width of plane"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Height of plane"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def depth(self) -> int:
        """Depth of plane"""
        ...
    @depth.setter
    def depth(self, value: int) -> None: ...
    @property
    def pitch(self) -> int:
        """Pitch of plane"""
        ...
    @pitch.setter
    def pitch(self, value: int) -> None: ...
    @property
    def numChannels(self) -> int:
        """Number of channels for the plane"""
        ...
    @numChannels.setter
    def numChannels(self, value: int) -> None: ...
    @property
    def channelDesc(self) -> cudaChannelFormatDesc:
        """Channel Format Descriptor"""
        ...
    @channelDesc.setter
    def channelDesc(self, value: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved(self) -> list[int]:
        """Reserved for future use"""
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaEglFrame(Record):
    """CUDA EGLFrame Descriptor - structure defining one frame of EGL.

    Each frame may contain one or more planes depending on whether the surface is Multiplanar or not. Each plane of EGLFrame is represented by cudaEglPlaneDesc which is defined as:

    cuda_egl_interop.h:255
    """
    def __init__(self, frame: cudaEglFrame_st_frame | tuple[Any, ...] | dict[str, Any] = ..., planeDesc: Any = ..., planeCount: int = ..., frameType: cudaEglFrameType | int = ..., eglColorFormat: cudaEglColorFormat | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def frame(self) -> cudaEglFrame_st_frame:
        ...
    @frame.setter
    def frame(self, value: cudaEglFrame_st_frame | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def planeDesc(self) -> list[cudaEglPlaneDesc]:
        """CUDA EGL Plane Descriptor cudaEglPlaneDesc"""
        ...
    @planeDesc.setter
    def planeDesc(self, value: Any) -> None: ...
    @property
    def planeCount(self) -> int:
        """Number of planes"""
        ...
    @planeCount.setter
    def planeCount(self, value: int) -> None: ...
    @property
    def frameType(self) -> cudaEglFrameType:
        """Array or Pitch"""
        ...
    @frameType.setter
    def frameType(self, value: cudaEglFrameType | int) -> None: ...
    @property
    def eglColorFormat(self) -> cudaEglColorFormat:
        """CUDA EGL Color Format"""
        ...
    @eglColorFormat.setter
    def eglColorFormat(self, value: cudaEglColorFormat | int) -> None: ...

class cudaArraySparseProperties_tileExtent(Record):
    """driver_types.h:1211"""
    def __init__(self, width: int = ..., height: int = ..., depth: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def width(self) -> int:
        """Tile width in elements"""
        ...
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """Tile height in elements"""
        ...
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def depth(self) -> int:
        """Tile depth in elements"""
        ...
    @depth.setter
    def depth(self, value: int) -> None: ...

class cudaResourceDesc_res(Record):
    """driver_types.h:1572"""
    def __init__(self, array: cudaResourceDesc_res_array | tuple[Any, ...] | dict[str, Any] = ..., mipmap: cudaResourceDesc_res_mipmap | tuple[Any, ...] | dict[str, Any] = ..., linear: cudaResourceDesc_res_linear | tuple[Any, ...] | dict[str, Any] = ..., pitch2D: cudaResourceDesc_res_pitch2D | tuple[Any, ...] | dict[str, Any] = ..., reserved: cudaResourceDesc_res_reserved | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> cudaResourceDesc_res_array:
        ...
    @array.setter
    def array(self, value: cudaResourceDesc_res_array | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def mipmap(self) -> cudaResourceDesc_res_mipmap:
        ...
    @mipmap.setter
    def mipmap(self, value: cudaResourceDesc_res_mipmap | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def linear(self) -> cudaResourceDesc_res_linear:
        ...
    @linear.setter
    def linear(self, value: cudaResourceDesc_res_linear | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def pitch2D(self) -> cudaResourceDesc_res_pitch2D:
        ...
    @pitch2D.setter
    def pitch2D(self, value: cudaResourceDesc_res_pitch2D | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved(self) -> cudaResourceDesc_res_reserved:
        ...
    @reserved.setter
    def reserved(self, value: cudaResourceDesc_res_reserved | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaMemcpy3DOperand_op(Record):
    """driver_types.h:2375"""
    def __init__(self, ptr: cudaMemcpy3DOperand_op_ptr | tuple[Any, ...] | dict[str, Any] = ..., array: cudaMemcpy3DOperand_op_array | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def ptr(self) -> cudaMemcpy3DOperand_op_ptr:
        ...
    @ptr.setter
    def ptr(self, value: cudaMemcpy3DOperand_op_ptr | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> cudaMemcpy3DOperand_op_array:
        ...
    @array.setter
    def array(self, value: cudaMemcpy3DOperand_op_array | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaExternalMemoryHandleDesc_handle(Record):
    """driver_types.h:2676"""
    def __init__(self, fd: int = ..., win32: cudaExternalMemoryHandleDesc_handle_win32 | tuple[Any, ...] | dict[str, Any] = ..., nvSciBufObject: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fd(self) -> int:
        """File descriptor referencing the memory object. Valid when type is cudaExternalMemoryHandleTypeOpaqueFd"""
        ...
    @fd.setter
    def fd(self, value: int) -> None: ...
    @property
    def win32(self) -> cudaExternalMemoryHandleDesc_handle_win32:
        ...
    @win32.setter
    def win32(self, value: cudaExternalMemoryHandleDesc_handle_win32 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciBufObject(self) -> int:
        """A handle representing NvSciBuf Object. Valid when type is cudaExternalMemoryHandleTypeNvSciBuf"""
        ...
    @nvSciBufObject.setter
    def nvSciBufObject(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaExternalSemaphoreHandleDesc_handle(Record):
    """driver_types.h:2837"""
    def __init__(self, fd: int = ..., win32: cudaExternalSemaphoreHandleDesc_handle_win32 | tuple[Any, ...] | dict[str, Any] = ..., nvSciSyncObj: Sequence[Any] | Address | None = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fd(self) -> int:
        """File descriptor referencing the semaphore object. Valid when type is one of the following: - cudaExternalSemaphoreHandleTypeOpaqueFd - cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd"""
        ...
    @fd.setter
    def fd(self, value: int) -> None: ...
    @property
    def win32(self) -> cudaExternalSemaphoreHandleDesc_handle_win32:
        ...
    @win32.setter
    def win32(self, value: cudaExternalSemaphoreHandleDesc_handle_win32 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciSyncObj(self) -> int:
        """Valid NvSciSyncObj. Must be non NULL"""
        ...
    @nvSciSyncObj.setter
    def nvSciSyncObj(self, value: Sequence[Any] | Address | None) -> None: ...

class cudaExternalSemaphoreSignalParams_params(Record):
    """driver_types.h:2890"""
    def __init__(self, fence: cudaExternalSemaphoreSignalParams_params_fence | tuple[Any, ...] | dict[str, Any] = ..., nvSciSync: cudaExternalSemaphoreSignalParams_params_nvSciSync | tuple[Any, ...] | dict[str, Any] = ..., keyedMutex: cudaExternalSemaphoreSignalParams_params_keyedMutex | tuple[Any, ...] | dict[str, Any] = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> cudaExternalSemaphoreSignalParams_params_fence:
        ...
    @fence.setter
    def fence(self, value: cudaExternalSemaphoreSignalParams_params_fence | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciSync(self) -> cudaExternalSemaphoreSignalParams_params_nvSciSync:
        ...
    @nvSciSync.setter
    def nvSciSync(self, value: cudaExternalSemaphoreSignalParams_params_nvSciSync | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def keyedMutex(self) -> cudaExternalSemaphoreSignalParams_params_keyedMutex:
        ...
    @keyedMutex.setter
    def keyedMutex(self, value: cudaExternalSemaphoreSignalParams_params_keyedMutex | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaExternalSemaphoreWaitParams_params(Record):
    """driver_types.h:2937"""
    def __init__(self, fence: cudaExternalSemaphoreWaitParams_params_fence | tuple[Any, ...] | dict[str, Any] = ..., nvSciSync: cudaExternalSemaphoreWaitParams_params_nvSciSync | tuple[Any, ...] | dict[str, Any] = ..., keyedMutex: cudaExternalSemaphoreWaitParams_params_keyedMutex | tuple[Any, ...] | dict[str, Any] = ..., reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> cudaExternalSemaphoreWaitParams_params_fence:
        ...
    @fence.setter
    def fence(self, value: cudaExternalSemaphoreWaitParams_params_fence | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def nvSciSync(self) -> cudaExternalSemaphoreWaitParams_params_nvSciSync:
        ...
    @nvSciSync.setter
    def nvSciSync(self, value: cudaExternalSemaphoreWaitParams_params_nvSciSync | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def keyedMutex(self) -> cudaExternalSemaphoreWaitParams_params_keyedMutex:
        ...
    @keyedMutex.setter
    def keyedMutex(self, value: cudaExternalSemaphoreWaitParams_params_keyedMutex | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaGraphNodeParams_anonymous1(Record):
    """driver_types.h:3475"""
    def __init__(self, reserved1: Any = ..., kernel: cudaKernelNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., memcpy: cudaMemcpyNodeParams | tuple[Any, ...] | dict[str, Any] = ..., memset: cudaMemsetParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., host: cudaHostNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., graph: cudaChildGraphNodeParams | tuple[Any, ...] | dict[str, Any] = ..., eventWait: cudaEventWaitNodeParams | tuple[Any, ...] | dict[str, Any] = ..., eventRecord: cudaEventRecordNodeParams | tuple[Any, ...] | dict[str, Any] = ..., extSemSignal: cudaExternalSemaphoreSignalNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., extSemWait: cudaExternalSemaphoreWaitNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., alloc: cudaMemAllocNodeParamsV2 | tuple[Any, ...] | dict[str, Any] = ..., free: cudaMemFreeNodeParams | tuple[Any, ...] | dict[str, Any] = ..., conditional: cudaConditionalNodeParams | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved1(self) -> list[int]:
        """Padding. Unused bytes must be zero."""
        ...
    @reserved1.setter
    def reserved1(self, value: Any) -> None: ...
    @property
    def kernel(self) -> cudaKernelNodeParamsV2:
        """Kernel node parameters."""
        ...
    @kernel.setter
    def kernel(self, value: cudaKernelNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memcpy(self) -> cudaMemcpyNodeParams:
        """Memcpy node parameters."""
        ...
    @memcpy.setter
    def memcpy(self, value: cudaMemcpyNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def memset(self) -> cudaMemsetParamsV2:
        """Memset node parameters."""
        ...
    @memset.setter
    def memset(self, value: cudaMemsetParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def host(self) -> cudaHostNodeParamsV2:
        """Host node parameters."""
        ...
    @host.setter
    def host(self, value: cudaHostNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def graph(self) -> cudaChildGraphNodeParams:
        """Child graph node parameters."""
        ...
    @graph.setter
    def graph(self, value: cudaChildGraphNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventWait(self) -> cudaEventWaitNodeParams:
        """Event wait node parameters."""
        ...
    @eventWait.setter
    def eventWait(self, value: cudaEventWaitNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def eventRecord(self) -> cudaEventRecordNodeParams:
        """Event record node parameters."""
        ...
    @eventRecord.setter
    def eventRecord(self, value: cudaEventRecordNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemSignal(self) -> cudaExternalSemaphoreSignalNodeParamsV2:
        """External semaphore signal node parameters."""
        ...
    @extSemSignal.setter
    def extSemSignal(self, value: cudaExternalSemaphoreSignalNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def extSemWait(self) -> cudaExternalSemaphoreWaitNodeParamsV2:
        """External semaphore wait node parameters."""
        ...
    @extSemWait.setter
    def extSemWait(self, value: cudaExternalSemaphoreWaitNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def alloc(self) -> cudaMemAllocNodeParamsV2:
        """Memory allocation node parameters."""
        ...
    @alloc.setter
    def alloc(self, value: cudaMemAllocNodeParamsV2 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def free(self) -> cudaMemFreeNodeParams:
        """Memory free node parameters."""
        ...
    @free.setter
    def free(self, value: cudaMemFreeNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def conditional(self) -> cudaConditionalNodeParams:
        """Conditional node parameters."""
        ...
    @conditional.setter
    def conditional(self, value: cudaConditionalNodeParams | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaGraphKernelNodeUpdate_updateData(Record):
    """driver_types.h:3639"""
    def __init__(self, gridDim: dim3 | tuple[Any, ...] | dict[str, Any] = ..., param: cudaGraphKernelNodeUpdate_updateData_param | tuple[Any, ...] | dict[str, Any] = ..., isEnabled: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def gridDim(self) -> dim3:
        """Grid dimensions"""
        ...
    @gridDim.setter
    def gridDim(self, value: dim3 | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def param(self) -> cudaGraphKernelNodeUpdate_updateData_param:
        """Kernel parameter data"""
        ...
    @param.setter
    def param(self, value: cudaGraphKernelNodeUpdate_updateData_param | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def isEnabled(self) -> int:
        """Node enable/disable data. Nonzero if the node should be enabled, 0 if it should be disabled"""
        ...
    @isEnabled.setter
    def isEnabled(self, value: int) -> None: ...

class cudaLaunchAttributeValue_clusterDim(Record):
    """Value of launch attribute cudaLaunchAttributeClusterDimension that represents the desired cluster dimensions for the kernel. Opaque type with the following fields: - x - The X dimension of the cluster, in blocks. Must be a divisor of the grid X dimension. - y - The Y dimension of the cluster, in blocks. Must be a divisor of the grid Y dimension. - z - The Z dimension of the cluster, in blocks. Must be a divisor of the grid Z dimension.

    driver_types.h:3930
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

class cudaLaunchAttributeValue_programmaticEvent(Record):
    """Value of launch attribute cudaLaunchAttributeProgrammaticEvent with the following fields: - cudaEvent_t event - Event to fire when all blocks trigger it. - int flags; - Event record flags, see cudaEventRecordWithFlags. Does not accept cudaEventRecordExternal. - int triggerAtBlockStart - If this is set to non-0, each block launch will automatically trigger the event.

    driver_types.h:3949
    """
    def __init__(self, event: cudaEvent_t | None | int = ..., flags: int = ..., triggerAtBlockStart: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> cudaEvent_t:
        ...
    @event.setter
    def event(self, value: cudaEvent_t | None | int) -> None: ...
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

class cudaLaunchAttributeValue_preferredClusterDim(Record):
    """Value of launch attribute cudaLaunchAttributePreferredClusterDimension that represents the desired preferred cluster dimensions for the kernel. Opaque type with the following fields: - x - The X dimension of the preferred cluster, in blocks. Must be a divisor of the grid X dimension, and must be a multiple of the x field of cudaLaunchAttributeValueclusterDim. - y - The Y dimension of the preferred cluster, in blocks. Must be a divisor of the grid Y dimension, and must be a multiple of the y field of cudaLaunchAttributeValueclusterDim. - z - The Z dimension of the preferred cluster, in blocks. Must be equal to the z field of cudaLaunchAttributeValueclusterDim.

    driver_types.h:3973
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

class cudaLaunchAttributeValue_launchCompletionEvent(Record):
    """Value of launch attribute cudaLaunchAttributeLaunchCompletionEvent with the following fields: - cudaEvent_t event - Event to fire when the last block launches. - int flags - Event record flags, see cudaEventRecordWithFlags. Does not accept cudaEventRecordExternal.

    driver_types.h:3986
    """
    def __init__(self, event: cudaEvent_t | None | int = ..., flags: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def event(self) -> cudaEvent_t:
        ...
    @event.setter
    def event(self, value: cudaEvent_t | None | int) -> None: ...
    @property
    def flags(self) -> int:
        ...
    @flags.setter
    def flags(self, value: int) -> None: ...

class cudaLaunchAttributeValue_deviceUpdatableKernelNode(Record):
    """Value of launch attribute cudaLaunchAttributeDeviceUpdatableKernelNode with the following fields: - int deviceUpdatable - Whether or not the resulting kernel node should be device-updatable. - cudaGraphDeviceNode_t devNode - Returns a handle to pass to the various device-side update functions.

    driver_types.h:3997
    """
    def __init__(self, deviceUpdatable: int = ..., devNode: cudaGraphDeviceNode_t | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def deviceUpdatable(self) -> int:
        ...
    @deviceUpdatable.setter
    def deviceUpdatable(self, value: int) -> None: ...
    @property
    def devNode(self) -> cudaGraphDeviceNode_t:
        ...
    @devNode.setter
    def devNode(self, value: cudaGraphDeviceNode_t | None | int) -> None: ...

class cudaAsyncNotificationInfo_info(Record):
    """driver_types.h:4079"""
    def __init__(self, overBudget: cudaAsyncNotificationInfo_info_overBudget | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def overBudget(self) -> cudaAsyncNotificationInfo_info_overBudget:
        """Information about notifications of type cudaAsyncNotificationTypeOverBudget"""
        ...
    @overBudget.setter
    def overBudget(self, value: cudaAsyncNotificationInfo_info_overBudget | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaEglFrame_st_frame(Record):
    """cuda_egl_interop.h:256"""
    def __init__(self, pArray: Any = ..., pPitch: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def pArray(self) -> list[cudaArray_t]:
        """Array of CUDA arrays corresponding to each plane"""
        ...
    @pArray.setter
    def pArray(self, value: Any) -> None: ...
    @property
    def pPitch(self) -> list[cudaPitchedPtr]:
        """Array of Pointers corresponding to each plane"""
        ...
    @pPitch.setter
    def pPitch(self, value: Any) -> None: ...

class cudaResourceDesc_res_array(Record):
    """driver_types.h:1573"""
    def __init__(self, array: cudaArray_t | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> cudaArray_t:
        """CUDA array"""
        ...
    @array.setter
    def array(self, value: cudaArray_t | None | int) -> None: ...

class cudaResourceDesc_res_mipmap(Record):
    """driver_types.h:1576"""
    def __init__(self, mipmap: cudaMipmappedArray_t | None | int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def mipmap(self) -> cudaMipmappedArray_t:
        """CUDA mipmapped array"""
        ...
    @mipmap.setter
    def mipmap(self, value: cudaMipmappedArray_t | None | int) -> None: ...

class cudaResourceDesc_res_linear(Record):
    """driver_types.h:1579"""
    def __init__(self, devPtr: Sequence[Any] | Address | None = ..., desc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] = ..., sizeInBytes: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def devPtr(self) -> int:
        """Device pointer"""
        ...
    @devPtr.setter
    def devPtr(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def desc(self) -> cudaChannelFormatDesc:
        """Channel descriptor"""
        ...
    @desc.setter
    def desc(self, value: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any]) -> None: ...
    @property
    def sizeInBytes(self) -> int:
        """Size in bytes"""
        ...
    @sizeInBytes.setter
    def sizeInBytes(self, value: int) -> None: ...

class cudaResourceDesc_res_pitch2D(Record):
    """driver_types.h:1584"""
    def __init__(self, devPtr: Sequence[Any] | Address | None = ..., desc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] = ..., width: int = ..., height: int = ..., pitchInBytes: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def devPtr(self) -> int:
        """Device pointer"""
        ...
    @devPtr.setter
    def devPtr(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def desc(self) -> cudaChannelFormatDesc:
        """Channel descriptor"""
        ...
    @desc.setter
    def desc(self, value: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any]) -> None: ...
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

class cudaResourceDesc_res_reserved(Record):
    """driver_types.h:1591"""
    def __init__(self, reserved: Any = ..., *, _ptr: int = ...) -> None: ...
    @property
    def reserved(self) -> list[int]:
        ...
    @reserved.setter
    def reserved(self, value: Any) -> None: ...

class cudaMemcpy3DOperand_op_ptr(Record):
    """Struct representing an operand when cudaMemcpy3DOperandtype is cudaMemcpyOperandTypePointer

    driver_types.h:2379
    """
    def __init__(self, ptr: Sequence[Any] | Address | None = ..., rowLength: int = ..., layerHeight: int = ..., locHint: cudaMemLocation | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property
    def ptr(self) -> int:
        ...
    @ptr.setter
    def ptr(self, value: Sequence[Any] | Address | None) -> None: ...
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
    def locHint(self) -> cudaMemLocation:
        """Hint location for the operand. Ignored when the pointers are not managed memory or memory allocated outside CUDA."""
        ...
    @locHint.setter
    def locHint(self, value: cudaMemLocation | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaMemcpy3DOperand_op_array(Record):
    """Struct representing an operand when cudaMemcpy3DOperandtype is cudaMemcpyOperandTypeArray

    driver_types.h:2389
    """
    def __init__(self, array: cudaArray_t | None | int = ..., offset: cudaOffset3D | tuple[Any, ...] | dict[str, Any] = ..., *, _ptr: int = ...) -> None: ...
    @property  # type: ignore[override]
    def array(self) -> cudaArray_t:
        ...
    @array.setter
    def array(self, value: cudaArray_t | None | int) -> None: ...
    @property
    def offset(self) -> cudaOffset3D:
        ...
    @offset.setter
    def offset(self, value: cudaOffset3D | tuple[Any, ...] | dict[str, Any]) -> None: ...

class cudaExternalMemoryHandleDesc_handle_win32(Record):
    """Win32 handle referencing the semaphore object. Valid when type is one of the following: - cudaExternalMemoryHandleTypeOpaqueWin32 - cudaExternalMemoryHandleTypeOpaqueWin32Kmt - cudaExternalMemoryHandleTypeD3D12Heap - cudaExternalMemoryHandleTypeD3D12Resource - cudaExternalMemoryHandleTypeD3D11Resource - cudaExternalMemoryHandleTypeD3D11ResourceKmt Exactly one of 'handle' and 'name' must be non-NULL. If type is one of the following: cudaExternalMemoryHandleTypeOpaqueWin32Kmt cudaExternalMemoryHandleTypeD3D11ResourceKmt then 'name' must be NULL.

    driver_types.h:2698
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

class cudaExternalSemaphoreHandleDesc_handle_win32(Record):
    """Win32 handle referencing the semaphore object. Valid when type is one of the following: - cudaExternalSemaphoreHandleTypeOpaqueWin32 - cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt - cudaExternalSemaphoreHandleTypeD3D12Fence - cudaExternalSemaphoreHandleTypeD3D11Fence - cudaExternalSemaphoreHandleTypeKeyedMutex - cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 Exactly one of 'handle' and 'name' must be non-NULL. If type is one of the following: cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt cudaExternalSemaphoreHandleTypeKeyedMutexKmt then 'name' must be NULL.

    driver_types.h:2860
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

class cudaExternalSemaphoreSignalParams_params_fence(Record):
    """Parameters for fence objects

    driver_types.h:2894
    """
    def __init__(self, value: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def value(self) -> int:
        """Value of fence to be signaled"""
        ...
    @value.setter
    def value(self, value: int) -> None: ...

class cudaExternalSemaphoreSignalParams_params_nvSciSync(Record):
    """driver_types.h:2900"""
    def __init__(self, fence: Sequence[Any] | Address | None = ..., reserved: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> int:
        """Pointer to NvSciSyncFence. Valid if cudaExternalSemaphoreHandleType is of type cudaExternalSemaphoreHandleTypeNvSciSync."""
        ...
    @fence.setter
    def fence(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def reserved(self) -> int:
        ...
    @reserved.setter
    def reserved(self, value: int) -> None: ...

class cudaExternalSemaphoreSignalParams_params_keyedMutex(Record):
    """Parameters for keyed mutex objects

    driver_types.h:2911
    """
    def __init__(self, key: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def key(self) -> int:
        """Value of key to release the mutex with"""
        ...
    @key.setter
    def key(self, value: int) -> None: ...

class cudaExternalSemaphoreWaitParams_params_fence(Record):
    """Parameters for fence objects

    driver_types.h:2941
    """
    def __init__(self, value: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def value(self) -> int:
        """Value of fence to be waited on"""
        ...
    @value.setter
    def value(self, value: int) -> None: ...

class cudaExternalSemaphoreWaitParams_params_nvSciSync(Record):
    """driver_types.h:2947"""
    def __init__(self, fence: Sequence[Any] | Address | None = ..., reserved: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def fence(self) -> int:
        """Pointer to NvSciSyncFence. Valid if cudaExternalSemaphoreHandleType is of type cudaExternalSemaphoreHandleTypeNvSciSync."""
        ...
    @fence.setter
    def fence(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def reserved(self) -> int:
        ...
    @reserved.setter
    def reserved(self, value: int) -> None: ...

class cudaExternalSemaphoreWaitParams_params_keyedMutex(Record):
    """Parameters for keyed mutex objects

    driver_types.h:2958
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

class cudaGraphKernelNodeUpdate_updateData_param(Record):
    """driver_types.h:3646"""
    def __init__(self, pValue: Sequence[Any] | Address | None = ..., offset: int = ..., size: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def pValue(self) -> int:
        """Kernel parameter data to write in"""
        ...
    @pValue.setter
    def pValue(self, value: Sequence[Any] | Address | None) -> None: ...
    @property
    def offset(self) -> int:
        """Offset into the parameter buffer at which to apply the update"""
        ...
    @offset.setter
    def offset(self, value: int) -> None: ...
    @property
    def size(self) -> int:
        """Number of bytes to update"""
        ...
    @size.setter
    def size(self, value: int) -> None: ...

class cudaAsyncNotificationInfo_info_overBudget(Record):
    """driver_types.h:4080"""
    def __init__(self, bytesOverBudget: int = ..., *, _ptr: int = ...) -> None: ...
    @property
    def bytesOverBudget(self) -> int:
        """The number of bytes that the process has allocated above its device memory budget"""
        ...
    @bytesOverBudget.setter
    def bytesOverBudget(self, value: int) -> None: ...

class cudaRoundMode(IntEnum):
    """device_types.h:68"""
    cudaRoundNearest = 0
    cudaRoundZero = 1
    cudaRoundPosInf = 2
    cudaRoundMinInf = 3

cudaRoundNearest: Final = cudaRoundMode.cudaRoundNearest
cudaRoundZero: Final = cudaRoundMode.cudaRoundZero
cudaRoundPosInf: Final = cudaRoundMode.cudaRoundPosInf
cudaRoundMinInf: Final = cudaRoundMode.cudaRoundMinInf

class cudaError_t(IntEnum):
    """CUDA error types

    driver_types.h:192
    """
    cudaSuccess = 0
    """The API call returned with no errors. In the case of query calls, this also means that the operation being queried is complete (see cudaEventQuery() and cudaStreamQuery())."""
    cudaErrorInvalidValue = 1
    """This indicates that one or more of the parameters passed to the API call is not within an acceptable range of values."""
    cudaErrorMemoryAllocation = 2
    """The API call failed because it was unable to allocate enough memory or other resources to perform the requested operation."""
    cudaErrorInitializationError = 3
    """The API call failed because the CUDA driver and runtime could not be initialized."""
    cudaErrorCudartUnloading = 4
    """This indicates that a CUDA Runtime API call cannot be executed because it is being called during process shut down, at a point in time after CUDA driver has been unloaded."""
    cudaErrorProfilerDisabled = 5
    """This indicates profiler is not initialized for this run. This can happen when the application is running with external profiling tools like visual profiler."""
    cudaErrorProfilerNotInitialized = 6
    cudaErrorProfilerAlreadyStarted = 7
    cudaErrorProfilerAlreadyStopped = 8
    cudaErrorInvalidConfiguration = 9
    """This indicates that a kernel launch is requesting resources that can never be satisfied by the current device. Requesting more shared memory per block than the device supports will trigger this error, as will requesting too many threads or blocks. See cudaDeviceProp for more device limitations."""
    cudaErrorInvalidPitchValue = 12
    """This indicates that one or more of the pitch-related parameters passed to the API call is not within the acceptable range for pitch."""
    cudaErrorInvalidSymbol = 13
    """This indicates that the symbol name/identifier passed to the API call is not a valid name or identifier."""
    cudaErrorInvalidHostPointer = 16
    """This indicates that at least one host pointer passed to the API call is not a valid host pointer."""
    cudaErrorInvalidDevicePointer = 17
    """This indicates that at least one device pointer passed to the API call is not a valid device pointer."""
    cudaErrorInvalidTexture = 18
    """This indicates that the texture passed to the API call is not a valid texture."""
    cudaErrorInvalidTextureBinding = 19
    """This indicates that the texture binding is not valid. This occurs if you call cudaGetTextureAlignmentOffset() with an unbound texture."""
    cudaErrorInvalidChannelDescriptor = 20
    """This indicates that the channel descriptor passed to the API call is not valid. This occurs if the format is not one of the formats specified by cudaChannelFormatKind, or if one of the dimensions is invalid."""
    cudaErrorInvalidMemcpyDirection = 21
    """This indicates that the direction of the memcpy passed to the API call is not one of the types specified by cudaMemcpyKind."""
    cudaErrorAddressOfConstant = 22
    """This indicated that the user has taken the address of a constant variable, which was forbidden up until the CUDA 3.1 release."""
    cudaErrorTextureFetchFailed = 23
    """This indicated that a texture fetch was not able to be performed. This was previously used for device emulation of texture operations."""
    cudaErrorTextureNotBound = 24
    """This indicated that a texture was not bound for access. This was previously used for device emulation of texture operations."""
    cudaErrorSynchronizationError = 25
    """This indicated that a synchronization operation had failed. This was previously used for some device emulation functions."""
    cudaErrorInvalidFilterSetting = 26
    """This indicates that a non-float texture was being accessed with linear filtering. This is not supported by CUDA."""
    cudaErrorInvalidNormSetting = 27
    """This indicates that an attempt was made to read an unsupported data type as a normalized float. This is not supported by CUDA."""
    cudaErrorMixedDeviceExecution = 28
    """Mixing of device and device emulation code was not allowed."""
    cudaErrorNotYetImplemented = 31
    """This indicates that the API call is not yet implemented. Production releases of CUDA will never return this error."""
    cudaErrorMemoryValueTooLarge = 32
    """This indicated that an emulated device pointer exceeded the 32-bit address range."""
    cudaErrorStubLibrary = 34
    """This indicates that the CUDA driver that the application has loaded is a stub library. Applications that run with the stub rather than a real driver loaded will result in CUDA API returning this error."""
    cudaErrorInsufficientDriver = 35
    """This indicates that the installed NVIDIA CUDA driver is older than the CUDA runtime library. This is not a supported configuration. Users should install an updated NVIDIA display driver to allow the application to run."""
    cudaErrorCallRequiresNewerDriver = 36
    """This indicates that the API call requires a newer CUDA driver than the one currently installed. Users should install an updated NVIDIA CUDA driver to allow the API call to succeed."""
    cudaErrorInvalidSurface = 37
    """This indicates that the surface passed to the API call is not a valid surface."""
    cudaErrorDuplicateVariableName = 43
    """This indicates that multiple global or constant variables (across separate CUDA source files in the application) share the same string name."""
    cudaErrorDuplicateTextureName = 44
    """This indicates that multiple textures (across separate CUDA source files in the application) share the same string name."""
    cudaErrorDuplicateSurfaceName = 45
    """This indicates that multiple surfaces (across separate CUDA source files in the application) share the same string name."""
    cudaErrorDevicesUnavailable = 46
    """This indicates that all CUDA devices are busy or unavailable at the current time. Devices are often busy/unavailable due to use of cudaComputeModeProhibited, cudaComputeModeExclusiveProcess, or when long running CUDA kernels have filled up the GPU and are blocking new work from starting. They can also be unavailable due to memory constraints on a device that already has active CUDA work being performed."""
    cudaErrorIncompatibleDriverContext = 49
    """This indicates that the current context is not compatible with this the CUDA Runtime. This can only occur if you are using CUDA Runtime/Driver interoperability and have created an existing Driver context using the driver API. The Driver context may be incompatible either because the Driver context was created using an older version of the API, because the Runtime API call expects a primary driver context and the Driver context is not primary, or because the Driver context has been destroyed. Please see CUDART_DRIVER "Interactions with the CUDA Driver API" for more information."""
    cudaErrorMissingConfiguration = 52
    """The device function being invoked (usually via cudaLaunchKernel()) was not previously configured via the cudaConfigureCall() function."""
    cudaErrorPriorLaunchFailure = 53
    """This indicated that a previous kernel launch failed. This was previously used for device emulation of kernel launches."""
    cudaErrorLaunchMaxDepthExceeded = 65
    """This error indicates that a device runtime grid launch did not occur because the depth of the child grid would exceed the maximum supported number of nested grid launches."""
    cudaErrorLaunchFileScopedTex = 66
    """This error indicates that a grid launch did not occur because the kernel uses file-scoped textures which are unsupported by the device runtime. Kernels launched via the device runtime only support textures created with the Texture Object API's."""
    cudaErrorLaunchFileScopedSurf = 67
    """This error indicates that a grid launch did not occur because the kernel uses file-scoped surfaces which are unsupported by the device runtime. Kernels launched via the device runtime only support surfaces created with the Surface Object API's."""
    cudaErrorSyncDepthExceeded = 68
    """This error indicates that a call to cudaDeviceSynchronize made from the device runtime failed because the call was made at grid depth greater than than either the default (2 levels of grids) or user specified device limit cudaLimitDevRuntimeSyncDepth. To be able to synchronize on launched grids at a greater depth successfully, the maximum nested depth at which cudaDeviceSynchronize will be called must be specified with the cudaLimitDevRuntimeSyncDepth limit to the cudaDeviceSetLimit api before the host-side launch of a kernel using the device runtime. Keep in mind that additional levels of sync depth require the runtime to reserve large amounts of device memory that cannot be used for user allocations. Note that cudaDeviceSynchronize made from device runtime is only supported on devices of compute capability < 9.0."""
    cudaErrorLaunchPendingCountExceeded = 69
    """This error indicates that a device runtime grid launch failed because the launch would exceed the limit cudaLimitDevRuntimePendingLaunchCount. For this launch to proceed successfully, cudaDeviceSetLimit must be called to set the cudaLimitDevRuntimePendingLaunchCount to be higher than the upper bound of outstanding launches that can be issued to the device runtime. Keep in mind that raising the limit of pending device runtime launches will require the runtime to reserve device memory that cannot be used for user allocations."""
    cudaErrorInvalidDeviceFunction = 98
    """The requested device function does not exist or is not compiled for the proper device architecture."""
    cudaErrorNoDevice = 100
    """This indicates that no CUDA-capable devices were detected by the installed CUDA driver."""
    cudaErrorInvalidDevice = 101
    """This indicates that the device ordinal supplied by the user does not correspond to a valid CUDA device or that the action requested is invalid for the specified device."""
    cudaErrorDeviceNotLicensed = 102
    """This indicates that the device doesn't have a valid Grid License."""
    cudaErrorSoftwareValidityNotEstablished = 103
    """By default, the CUDA runtime may perform a minimal set of self-tests, as well as CUDA driver tests, to establish the validity of both. Introduced in CUDA 11.2, this error return indicates that at least one of these tests has failed and the validity of either the runtime or the driver could not be established."""
    cudaErrorStartupFailure = 127
    """This indicates an internal startup failure in the CUDA runtime."""
    cudaErrorInvalidKernelImage = 200
    """This indicates that the device kernel image is invalid."""
    cudaErrorDeviceUninitialized = 201
    """This most frequently indicates that there is no context bound to the current thread. This can also be returned if the context passed to an API call is not a valid handle (such as a context that has had cuCtxDestroy() invoked on it). This can also be returned if a user mixes different API versions (i.e. 3010 context with 3020 API calls). See cuCtxGetApiVersion() for more details."""
    cudaErrorMapBufferObjectFailed = 205
    """This indicates that the buffer object could not be mapped."""
    cudaErrorUnmapBufferObjectFailed = 206
    """This indicates that the buffer object could not be unmapped."""
    cudaErrorArrayIsMapped = 207
    """This indicates that the specified array is currently mapped and thus cannot be destroyed."""
    cudaErrorAlreadyMapped = 208
    """This indicates that the resource is already mapped."""
    cudaErrorNoKernelImageForDevice = 209
    """This indicates that there is no kernel image available that is suitable for the device. This can occur when a user specifies code generation options for a particular CUDA source file that do not include the corresponding device configuration."""
    cudaErrorAlreadyAcquired = 210
    """This indicates that a resource has already been acquired."""
    cudaErrorNotMapped = 211
    """This indicates that a resource is not mapped."""
    cudaErrorNotMappedAsArray = 212
    """This indicates that a mapped resource is not available for access as an array."""
    cudaErrorNotMappedAsPointer = 213
    """This indicates that a mapped resource is not available for access as a pointer."""
    cudaErrorECCUncorrectable = 214
    """This indicates that an uncorrectable ECC error was detected during execution."""
    cudaErrorUnsupportedLimit = 215
    """This indicates that the cudaLimit passed to the API call is not supported by the active device."""
    cudaErrorDeviceAlreadyInUse = 216
    """This indicates that a call tried to access an exclusive-thread device that is already in use by a different thread."""
    cudaErrorPeerAccessUnsupported = 217
    """This error indicates that P2P access is not supported across the given devices."""
    cudaErrorInvalidPtx = 218
    """A PTX compilation failed. The runtime may fall back to compiling PTX if an application does not contain a suitable binary for the current device."""
    cudaErrorInvalidGraphicsContext = 219
    """This indicates an error with the OpenGL or DirectX context."""
    cudaErrorNvlinkUncorrectable = 220
    """This indicates that an uncorrectable NVLink error was detected during the execution."""
    cudaErrorJitCompilerNotFound = 221
    """This indicates that the PTX JIT compiler library was not found. The JIT Compiler library is used for PTX compilation. The runtime may fall back to compiling PTX if an application does not contain a suitable binary for the current device."""
    cudaErrorUnsupportedPtxVersion = 222
    """This indicates that the provided PTX was compiled with an unsupported toolchain. The most common reason for this, is the PTX was generated by a compiler newer than what is supported by the CUDA driver and PTX JIT compiler."""
    cudaErrorJitCompilationDisabled = 223
    """This indicates that the JIT compilation was disabled. The JIT compilation compiles PTX. The runtime may fall back to compiling PTX if an application does not contain a suitable binary for the current device."""
    cudaErrorUnsupportedExecAffinity = 224
    """This indicates that the provided execution affinity is not supported by the device."""
    cudaErrorUnsupportedDevSideSync = 225
    """This indicates that the code to be compiled by the PTX JIT contains unsupported call to cudaDeviceSynchronize."""
    cudaErrorContained = 226
    """This indicates that an exception occurred on the device that is now contained by the GPU's error containment capability. Common causes are - a. Certain types of invalid accesses of peer GPU memory over nvlink b. Certain classes of hardware errors This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorInvalidSource = 300
    """This indicates that the device kernel source is invalid."""
    cudaErrorFileNotFound = 301
    """This indicates that the file specified was not found."""
    cudaErrorSharedObjectSymbolNotFound = 302
    """This indicates that a link to a shared object failed to resolve."""
    cudaErrorSharedObjectInitFailed = 303
    """This indicates that initialization of a shared object failed."""
    cudaErrorOperatingSystem = 304
    """This error indicates that an OS call failed."""
    cudaErrorInvalidResourceHandle = 400
    """This indicates that a resource handle passed to the API call was not valid. Resource handles are opaque types like cudaStream_t and cudaEvent_t."""
    cudaErrorIllegalState = 401
    """This indicates that a resource required by the API call is not in a valid state to perform the requested operation."""
    cudaErrorLossyQuery = 402
    """This indicates an attempt was made to introspect an object in a way that would discard semantically important information. This is either due to the object using funtionality newer than the API version used to introspect it or omission of optional return arguments."""
    cudaErrorSymbolNotFound = 500
    """This indicates that a named symbol was not found. Examples of symbols are global/constant variable names, driver function names, texture names, and surface names."""
    cudaErrorNotReady = 600
    """This indicates that asynchronous operations issued previously have not completed yet. This result is not actually an error, but must be indicated differently than cudaSuccess (which indicates completion). Calls that may return this value include cudaEventQuery() and cudaStreamQuery()."""
    cudaErrorIllegalAddress = 700
    """The device encountered a load or store instruction on an invalid memory address. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorLaunchOutOfResources = 701
    """This indicates that a launch did not occur because it did not have appropriate resources. Although this error is similar to cudaErrorInvalidConfiguration, this error usually indicates that the user has attempted to pass too many arguments to the device kernel, or the kernel launch specifies too many threads for the kernel's register count."""
    cudaErrorLaunchTimeout = 702
    """This indicates that the device kernel took too long to execute. This can only occur if timeouts are enabled - see the device attribute cudaDeviceAttrcudaDevAttrKernelExecTimeout "cudaDevAttrKernelExecTimeout" for more information. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorLaunchIncompatibleTexturing = 703
    """This error indicates a kernel launch that uses an incompatible texturing mode."""
    cudaErrorPeerAccessAlreadyEnabled = 704
    """This error indicates that a call to cudaDeviceEnablePeerAccess() is trying to re-enable peer addressing on from a context which has already had peer addressing enabled."""
    cudaErrorPeerAccessNotEnabled = 705
    """This error indicates that cudaDeviceDisablePeerAccess() is trying to disable peer addressing which has not been enabled yet via cudaDeviceEnablePeerAccess()."""
    cudaErrorSetOnActiveProcess = 708
    """This indicates that the user has called cudaSetValidDevices(), cudaSetDeviceFlags(), cudaD3D9SetDirect3DDevice(), cudaD3D10SetDirect3DDevice, cudaD3D11SetDirect3DDevice(), or cudaVDPAUSetVDPAUDevice() after initializing the CUDA runtime by calling non-device management operations (allocating memory and launching kernels are examples of non-device management operations). This error can also be returned if using runtime/driver interoperability and there is an existing CUcontext active on the host thread."""
    cudaErrorContextIsDestroyed = 709
    """This error indicates that the context current to the calling thread has been destroyed using cuCtxDestroy, or is a primary context which has not yet been initialized."""
    cudaErrorAssert = 710
    """An assert triggered in device code during kernel execution. The device cannot be used again. All existing allocations are invalid. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorTooManyPeers = 711
    """This error indicates that the hardware resources required to enable peer access have been exhausted for one or more of the devices passed to cudaEnablePeerAccess()."""
    cudaErrorHostMemoryAlreadyRegistered = 712
    """This error indicates that the memory range passed to cudaHostRegister() has already been registered."""
    cudaErrorHostMemoryNotRegistered = 713
    """This error indicates that the pointer passed to cudaHostUnregister() does not correspond to any currently registered memory region."""
    cudaErrorHardwareStackError = 714
    """Device encountered an error in the call stack during kernel execution, possibly due to stack corruption or exceeding the stack size limit. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorIllegalInstruction = 715
    """The device encountered an illegal instruction during kernel execution This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorMisalignedAddress = 716
    """The device encountered a load or store instruction on a memory address which is not aligned. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorInvalidAddressSpace = 717
    """While executing a kernel, the device encountered an instruction which can only operate on memory locations in certain address spaces (global, shared, or local), but was supplied a memory address not belonging to an allowed address space. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorInvalidPc = 718
    """The device encountered an invalid program counter. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorLaunchFailure = 719
    """An exception occurred on the device while executing a kernel. Common causes include dereferencing an invalid device pointer and accessing out of bounds shared memory. Less common cases can be system specific - more information about these cases can be found in the system specific user guide. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorCooperativeLaunchTooLarge = 720
    """This error indicates that the number of blocks launched per grid for a kernel that was launched via either cudaLaunchCooperativeKernel exceeds the maximum number of blocks as allowed by cudaOccupancyMaxActiveBlocksPerMultiprocessor or cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags times the number of multiprocessors as specified by the device attribute cudaDevAttrMultiProcessorCount."""
    cudaErrorTensorMemoryLeak = 721
    """An exception occurred on the device while exiting a kernel using tensor memory: the tensor memory was not completely deallocated. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorNotPermitted = 800
    """This error indicates the attempted operation is not permitted."""
    cudaErrorNotSupported = 801
    """This error indicates the attempted operation is not supported on the current system or device."""
    cudaErrorSystemNotReady = 802
    """This error indicates that the system is not yet ready to start any CUDA work. To continue using CUDA, verify the system configuration is in a valid state and all required driver daemons are actively running. More information about this error can be found in the system specific user guide."""
    cudaErrorSystemDriverMismatch = 803
    """This error indicates that there is a mismatch between the versions of the display driver and the CUDA driver. Refer to the compatibility documentation for supported versions."""
    cudaErrorCompatNotSupportedOnDevice = 804
    """This error indicates that the system was upgraded to run with forward compatibility but the visible hardware detected by CUDA does not support this configuration. Refer to the compatibility documentation for the supported hardware matrix or ensure that only supported hardware is visible during initialization via the CUDA_VISIBLE_DEVICES environment variable."""
    cudaErrorMpsConnectionFailed = 805
    """This error indicates that the MPS client failed to connect to the MPS control daemon or the MPS server."""
    cudaErrorMpsRpcFailure = 806
    """This error indicates that the remote procedural call between the MPS server and the MPS client failed."""
    cudaErrorMpsServerNotReady = 807
    """This error indicates that the MPS server is not ready to accept new MPS client requests. This error can be returned when the MPS server is in the process of recovering from a fatal failure."""
    cudaErrorMpsMaxClientsReached = 808
    """This error indicates that the hardware resources required to create MPS client have been exhausted."""
    cudaErrorMpsMaxConnectionsReached = 809
    """This error indicates the the hardware resources required to device connections have been exhausted."""
    cudaErrorMpsClientTerminated = 810
    """This error indicates that the MPS client has been terminated by the server. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorCdpNotSupported = 811
    """This error indicates, that the program is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it."""
    cudaErrorCdpVersionMismatch = 812
    """This error indicates, that the program contains an unsupported interaction between different versions of CUDA Dynamic Parallelism."""
    cudaErrorStreamCaptureUnsupported = 900
    """The operation is not permitted when the stream is capturing."""
    cudaErrorStreamCaptureInvalidated = 901
    """The current capture sequence on the stream has been invalidated due to a previous error."""
    cudaErrorStreamCaptureMerge = 902
    """The operation would have resulted in a merge of two independent capture sequences."""
    cudaErrorStreamCaptureUnmatched = 903
    """The capture was not initiated in this stream."""
    cudaErrorStreamCaptureUnjoined = 904
    """The capture sequence contains a fork that was not joined to the primary stream."""
    cudaErrorStreamCaptureIsolation = 905
    """A dependency would have been created which crosses the capture sequence boundary. Only implicit in-stream ordering dependencies are allowed to cross the boundary."""
    cudaErrorStreamCaptureImplicit = 906
    """The operation would have resulted in a disallowed implicit dependency on a current capture sequence from cudaStreamLegacy."""
    cudaErrorCapturedEvent = 907
    """The operation is not permitted on an event which was last recorded in a capturing stream."""
    cudaErrorStreamCaptureWrongThread = 908
    """A stream capture sequence not initiated with the cudaStreamCaptureModeRelaxed argument to cudaStreamBeginCapture was passed to cudaStreamEndCapture in a different thread."""
    cudaErrorTimeout = 909
    """This indicates that the wait operation has timed out."""
    cudaErrorGraphExecUpdateFailure = 910
    """This error indicates that the graph update was not performed because it included changes which violated constraints specific to instantiated graph update."""
    cudaErrorExternalDevice = 911
    """This indicates that an async error has occurred in a device outside of CUDA. If CUDA was waiting for an external device's signal before consuming shared data, the external device signaled an error indicating that the data is not valid for consumption. This leaves the process in an inconsistent state and any further CUDA work will return the same error. To continue using CUDA, the process must be terminated and relaunched."""
    cudaErrorInvalidClusterSize = 912
    """This indicates that a kernel launch error has occurred due to cluster misconfiguration."""
    cudaErrorFunctionNotLoaded = 913
    """Indiciates a function handle is not loaded when calling an API that requires a loaded function."""
    cudaErrorInvalidResourceType = 914
    """This error indicates one or more resources passed in are not valid resource types for the operation."""
    cudaErrorInvalidResourceConfiguration = 915
    """This error indicates one or more resources are insufficient or non-applicable for the operation."""
    cudaErrorUnknown = 999
    """This indicates that an unknown internal error has occurred."""
    cudaErrorApiFailureBase = 10000
    """Any unhandled CUDA driver error is added to this value and returned via the runtime. Production releases of CUDA should not return such errors."""

cudaSuccess: Final = cudaError_t.cudaSuccess
cudaErrorInvalidValue: Final = cudaError_t.cudaErrorInvalidValue
cudaErrorMemoryAllocation: Final = cudaError_t.cudaErrorMemoryAllocation
cudaErrorInitializationError: Final = cudaError_t.cudaErrorInitializationError
cudaErrorCudartUnloading: Final = cudaError_t.cudaErrorCudartUnloading
cudaErrorProfilerDisabled: Final = cudaError_t.cudaErrorProfilerDisabled
cudaErrorProfilerNotInitialized: Final = cudaError_t.cudaErrorProfilerNotInitialized
cudaErrorProfilerAlreadyStarted: Final = cudaError_t.cudaErrorProfilerAlreadyStarted
cudaErrorProfilerAlreadyStopped: Final = cudaError_t.cudaErrorProfilerAlreadyStopped
cudaErrorInvalidConfiguration: Final = cudaError_t.cudaErrorInvalidConfiguration
cudaErrorInvalidPitchValue: Final = cudaError_t.cudaErrorInvalidPitchValue
cudaErrorInvalidSymbol: Final = cudaError_t.cudaErrorInvalidSymbol
cudaErrorInvalidHostPointer: Final = cudaError_t.cudaErrorInvalidHostPointer
cudaErrorInvalidDevicePointer: Final = cudaError_t.cudaErrorInvalidDevicePointer
cudaErrorInvalidTexture: Final = cudaError_t.cudaErrorInvalidTexture
cudaErrorInvalidTextureBinding: Final = cudaError_t.cudaErrorInvalidTextureBinding
cudaErrorInvalidChannelDescriptor: Final = cudaError_t.cudaErrorInvalidChannelDescriptor
cudaErrorInvalidMemcpyDirection: Final = cudaError_t.cudaErrorInvalidMemcpyDirection
cudaErrorAddressOfConstant: Final = cudaError_t.cudaErrorAddressOfConstant
cudaErrorTextureFetchFailed: Final = cudaError_t.cudaErrorTextureFetchFailed
cudaErrorTextureNotBound: Final = cudaError_t.cudaErrorTextureNotBound
cudaErrorSynchronizationError: Final = cudaError_t.cudaErrorSynchronizationError
cudaErrorInvalidFilterSetting: Final = cudaError_t.cudaErrorInvalidFilterSetting
cudaErrorInvalidNormSetting: Final = cudaError_t.cudaErrorInvalidNormSetting
cudaErrorMixedDeviceExecution: Final = cudaError_t.cudaErrorMixedDeviceExecution
cudaErrorNotYetImplemented: Final = cudaError_t.cudaErrorNotYetImplemented
cudaErrorMemoryValueTooLarge: Final = cudaError_t.cudaErrorMemoryValueTooLarge
cudaErrorStubLibrary: Final = cudaError_t.cudaErrorStubLibrary
cudaErrorInsufficientDriver: Final = cudaError_t.cudaErrorInsufficientDriver
cudaErrorCallRequiresNewerDriver: Final = cudaError_t.cudaErrorCallRequiresNewerDriver
cudaErrorInvalidSurface: Final = cudaError_t.cudaErrorInvalidSurface
cudaErrorDuplicateVariableName: Final = cudaError_t.cudaErrorDuplicateVariableName
cudaErrorDuplicateTextureName: Final = cudaError_t.cudaErrorDuplicateTextureName
cudaErrorDuplicateSurfaceName: Final = cudaError_t.cudaErrorDuplicateSurfaceName
cudaErrorDevicesUnavailable: Final = cudaError_t.cudaErrorDevicesUnavailable
cudaErrorIncompatibleDriverContext: Final = cudaError_t.cudaErrorIncompatibleDriverContext
cudaErrorMissingConfiguration: Final = cudaError_t.cudaErrorMissingConfiguration
cudaErrorPriorLaunchFailure: Final = cudaError_t.cudaErrorPriorLaunchFailure
cudaErrorLaunchMaxDepthExceeded: Final = cudaError_t.cudaErrorLaunchMaxDepthExceeded
cudaErrorLaunchFileScopedTex: Final = cudaError_t.cudaErrorLaunchFileScopedTex
cudaErrorLaunchFileScopedSurf: Final = cudaError_t.cudaErrorLaunchFileScopedSurf
cudaErrorSyncDepthExceeded: Final = cudaError_t.cudaErrorSyncDepthExceeded
cudaErrorLaunchPendingCountExceeded: Final = cudaError_t.cudaErrorLaunchPendingCountExceeded
cudaErrorInvalidDeviceFunction: Final = cudaError_t.cudaErrorInvalidDeviceFunction
cudaErrorNoDevice: Final = cudaError_t.cudaErrorNoDevice
cudaErrorInvalidDevice: Final = cudaError_t.cudaErrorInvalidDevice
cudaErrorDeviceNotLicensed: Final = cudaError_t.cudaErrorDeviceNotLicensed
cudaErrorSoftwareValidityNotEstablished: Final = cudaError_t.cudaErrorSoftwareValidityNotEstablished
cudaErrorStartupFailure: Final = cudaError_t.cudaErrorStartupFailure
cudaErrorInvalidKernelImage: Final = cudaError_t.cudaErrorInvalidKernelImage
cudaErrorDeviceUninitialized: Final = cudaError_t.cudaErrorDeviceUninitialized
cudaErrorMapBufferObjectFailed: Final = cudaError_t.cudaErrorMapBufferObjectFailed
cudaErrorUnmapBufferObjectFailed: Final = cudaError_t.cudaErrorUnmapBufferObjectFailed
cudaErrorArrayIsMapped: Final = cudaError_t.cudaErrorArrayIsMapped
cudaErrorAlreadyMapped: Final = cudaError_t.cudaErrorAlreadyMapped
cudaErrorNoKernelImageForDevice: Final = cudaError_t.cudaErrorNoKernelImageForDevice
cudaErrorAlreadyAcquired: Final = cudaError_t.cudaErrorAlreadyAcquired
cudaErrorNotMapped: Final = cudaError_t.cudaErrorNotMapped
cudaErrorNotMappedAsArray: Final = cudaError_t.cudaErrorNotMappedAsArray
cudaErrorNotMappedAsPointer: Final = cudaError_t.cudaErrorNotMappedAsPointer
cudaErrorECCUncorrectable: Final = cudaError_t.cudaErrorECCUncorrectable
cudaErrorUnsupportedLimit: Final = cudaError_t.cudaErrorUnsupportedLimit
cudaErrorDeviceAlreadyInUse: Final = cudaError_t.cudaErrorDeviceAlreadyInUse
cudaErrorPeerAccessUnsupported: Final = cudaError_t.cudaErrorPeerAccessUnsupported
cudaErrorInvalidPtx: Final = cudaError_t.cudaErrorInvalidPtx
cudaErrorInvalidGraphicsContext: Final = cudaError_t.cudaErrorInvalidGraphicsContext
cudaErrorNvlinkUncorrectable: Final = cudaError_t.cudaErrorNvlinkUncorrectable
cudaErrorJitCompilerNotFound: Final = cudaError_t.cudaErrorJitCompilerNotFound
cudaErrorUnsupportedPtxVersion: Final = cudaError_t.cudaErrorUnsupportedPtxVersion
cudaErrorJitCompilationDisabled: Final = cudaError_t.cudaErrorJitCompilationDisabled
cudaErrorUnsupportedExecAffinity: Final = cudaError_t.cudaErrorUnsupportedExecAffinity
cudaErrorUnsupportedDevSideSync: Final = cudaError_t.cudaErrorUnsupportedDevSideSync
cudaErrorContained: Final = cudaError_t.cudaErrorContained
cudaErrorInvalidSource: Final = cudaError_t.cudaErrorInvalidSource
cudaErrorFileNotFound: Final = cudaError_t.cudaErrorFileNotFound
cudaErrorSharedObjectSymbolNotFound: Final = cudaError_t.cudaErrorSharedObjectSymbolNotFound
cudaErrorSharedObjectInitFailed: Final = cudaError_t.cudaErrorSharedObjectInitFailed
cudaErrorOperatingSystem: Final = cudaError_t.cudaErrorOperatingSystem
cudaErrorInvalidResourceHandle: Final = cudaError_t.cudaErrorInvalidResourceHandle
cudaErrorIllegalState: Final = cudaError_t.cudaErrorIllegalState
cudaErrorLossyQuery: Final = cudaError_t.cudaErrorLossyQuery
cudaErrorSymbolNotFound: Final = cudaError_t.cudaErrorSymbolNotFound
cudaErrorNotReady: Final = cudaError_t.cudaErrorNotReady
cudaErrorIllegalAddress: Final = cudaError_t.cudaErrorIllegalAddress
cudaErrorLaunchOutOfResources: Final = cudaError_t.cudaErrorLaunchOutOfResources
cudaErrorLaunchTimeout: Final = cudaError_t.cudaErrorLaunchTimeout
cudaErrorLaunchIncompatibleTexturing: Final = cudaError_t.cudaErrorLaunchIncompatibleTexturing
cudaErrorPeerAccessAlreadyEnabled: Final = cudaError_t.cudaErrorPeerAccessAlreadyEnabled
cudaErrorPeerAccessNotEnabled: Final = cudaError_t.cudaErrorPeerAccessNotEnabled
cudaErrorSetOnActiveProcess: Final = cudaError_t.cudaErrorSetOnActiveProcess
cudaErrorContextIsDestroyed: Final = cudaError_t.cudaErrorContextIsDestroyed
cudaErrorAssert: Final = cudaError_t.cudaErrorAssert
cudaErrorTooManyPeers: Final = cudaError_t.cudaErrorTooManyPeers
cudaErrorHostMemoryAlreadyRegistered: Final = cudaError_t.cudaErrorHostMemoryAlreadyRegistered
cudaErrorHostMemoryNotRegistered: Final = cudaError_t.cudaErrorHostMemoryNotRegistered
cudaErrorHardwareStackError: Final = cudaError_t.cudaErrorHardwareStackError
cudaErrorIllegalInstruction: Final = cudaError_t.cudaErrorIllegalInstruction
cudaErrorMisalignedAddress: Final = cudaError_t.cudaErrorMisalignedAddress
cudaErrorInvalidAddressSpace: Final = cudaError_t.cudaErrorInvalidAddressSpace
cudaErrorInvalidPc: Final = cudaError_t.cudaErrorInvalidPc
cudaErrorLaunchFailure: Final = cudaError_t.cudaErrorLaunchFailure
cudaErrorCooperativeLaunchTooLarge: Final = cudaError_t.cudaErrorCooperativeLaunchTooLarge
cudaErrorTensorMemoryLeak: Final = cudaError_t.cudaErrorTensorMemoryLeak
cudaErrorNotPermitted: Final = cudaError_t.cudaErrorNotPermitted
cudaErrorNotSupported: Final = cudaError_t.cudaErrorNotSupported
cudaErrorSystemNotReady: Final = cudaError_t.cudaErrorSystemNotReady
cudaErrorSystemDriverMismatch: Final = cudaError_t.cudaErrorSystemDriverMismatch
cudaErrorCompatNotSupportedOnDevice: Final = cudaError_t.cudaErrorCompatNotSupportedOnDevice
cudaErrorMpsConnectionFailed: Final = cudaError_t.cudaErrorMpsConnectionFailed
cudaErrorMpsRpcFailure: Final = cudaError_t.cudaErrorMpsRpcFailure
cudaErrorMpsServerNotReady: Final = cudaError_t.cudaErrorMpsServerNotReady
cudaErrorMpsMaxClientsReached: Final = cudaError_t.cudaErrorMpsMaxClientsReached
cudaErrorMpsMaxConnectionsReached: Final = cudaError_t.cudaErrorMpsMaxConnectionsReached
cudaErrorMpsClientTerminated: Final = cudaError_t.cudaErrorMpsClientTerminated
cudaErrorCdpNotSupported: Final = cudaError_t.cudaErrorCdpNotSupported
cudaErrorCdpVersionMismatch: Final = cudaError_t.cudaErrorCdpVersionMismatch
cudaErrorStreamCaptureUnsupported: Final = cudaError_t.cudaErrorStreamCaptureUnsupported
cudaErrorStreamCaptureInvalidated: Final = cudaError_t.cudaErrorStreamCaptureInvalidated
cudaErrorStreamCaptureMerge: Final = cudaError_t.cudaErrorStreamCaptureMerge
cudaErrorStreamCaptureUnmatched: Final = cudaError_t.cudaErrorStreamCaptureUnmatched
cudaErrorStreamCaptureUnjoined: Final = cudaError_t.cudaErrorStreamCaptureUnjoined
cudaErrorStreamCaptureIsolation: Final = cudaError_t.cudaErrorStreamCaptureIsolation
cudaErrorStreamCaptureImplicit: Final = cudaError_t.cudaErrorStreamCaptureImplicit
cudaErrorCapturedEvent: Final = cudaError_t.cudaErrorCapturedEvent
cudaErrorStreamCaptureWrongThread: Final = cudaError_t.cudaErrorStreamCaptureWrongThread
cudaErrorTimeout: Final = cudaError_t.cudaErrorTimeout
cudaErrorGraphExecUpdateFailure: Final = cudaError_t.cudaErrorGraphExecUpdateFailure
cudaErrorExternalDevice: Final = cudaError_t.cudaErrorExternalDevice
cudaErrorInvalidClusterSize: Final = cudaError_t.cudaErrorInvalidClusterSize
cudaErrorFunctionNotLoaded: Final = cudaError_t.cudaErrorFunctionNotLoaded
cudaErrorInvalidResourceType: Final = cudaError_t.cudaErrorInvalidResourceType
cudaErrorInvalidResourceConfiguration: Final = cudaError_t.cudaErrorInvalidResourceConfiguration
cudaErrorUnknown: Final = cudaError_t.cudaErrorUnknown
cudaErrorApiFailureBase: Final = cudaError_t.cudaErrorApiFailureBase

class cudaChannelFormatKind(IntEnum):
    """Channel format kind

    driver_types.h:1129
    """
    cudaChannelFormatKindSigned = 0
    """Signed channel format"""
    cudaChannelFormatKindUnsigned = 1
    """Unsigned channel format"""
    cudaChannelFormatKindFloat = 2
    """Float channel format"""
    cudaChannelFormatKindNone = 3
    """No channel format"""
    cudaChannelFormatKindNV12 = 4
    """Unsigned 8-bit integers, planar 4:2:0 YUV format"""
    cudaChannelFormatKindUnsignedNormalized8X1 = 5
    """1 channel unsigned 8-bit normalized integer"""
    cudaChannelFormatKindUnsignedNormalized8X2 = 6
    """2 channel unsigned 8-bit normalized integer"""
    cudaChannelFormatKindUnsignedNormalized8X4 = 7
    """4 channel unsigned 8-bit normalized integer"""
    cudaChannelFormatKindUnsignedNormalized16X1 = 8
    """1 channel unsigned 16-bit normalized integer"""
    cudaChannelFormatKindUnsignedNormalized16X2 = 9
    """2 channel unsigned 16-bit normalized integer"""
    cudaChannelFormatKindUnsignedNormalized16X4 = 10
    """4 channel unsigned 16-bit normalized integer"""
    cudaChannelFormatKindSignedNormalized8X1 = 11
    """1 channel signed 8-bit normalized integer"""
    cudaChannelFormatKindSignedNormalized8X2 = 12
    """2 channel signed 8-bit normalized integer"""
    cudaChannelFormatKindSignedNormalized8X4 = 13
    """4 channel signed 8-bit normalized integer"""
    cudaChannelFormatKindSignedNormalized16X1 = 14
    """1 channel signed 16-bit normalized integer"""
    cudaChannelFormatKindSignedNormalized16X2 = 15
    """2 channel signed 16-bit normalized integer"""
    cudaChannelFormatKindSignedNormalized16X4 = 16
    """4 channel signed 16-bit normalized integer"""
    cudaChannelFormatKindUnsignedBlockCompressed1 = 17
    """4 channel unsigned normalized block-compressed (BC1 compression) format"""
    cudaChannelFormatKindUnsignedBlockCompressed1SRGB = 18
    """4 channel unsigned normalized block-compressed (BC1 compression) format with sRGB encoding"""
    cudaChannelFormatKindUnsignedBlockCompressed2 = 19
    """4 channel unsigned normalized block-compressed (BC2 compression) format"""
    cudaChannelFormatKindUnsignedBlockCompressed2SRGB = 20
    """4 channel unsigned normalized block-compressed (BC2 compression) format with sRGB encoding"""
    cudaChannelFormatKindUnsignedBlockCompressed3 = 21
    """4 channel unsigned normalized block-compressed (BC3 compression) format"""
    cudaChannelFormatKindUnsignedBlockCompressed3SRGB = 22
    """4 channel unsigned normalized block-compressed (BC3 compression) format with sRGB encoding"""
    cudaChannelFormatKindUnsignedBlockCompressed4 = 23
    """1 channel unsigned normalized block-compressed (BC4 compression) format"""
    cudaChannelFormatKindSignedBlockCompressed4 = 24
    """1 channel signed normalized block-compressed (BC4 compression) format"""
    cudaChannelFormatKindUnsignedBlockCompressed5 = 25
    """2 channel unsigned normalized block-compressed (BC5 compression) format"""
    cudaChannelFormatKindSignedBlockCompressed5 = 26
    """2 channel signed normalized block-compressed (BC5 compression) format"""
    cudaChannelFormatKindUnsignedBlockCompressed6H = 27
    """3 channel unsigned half-float block-compressed (BC6H compression) format"""
    cudaChannelFormatKindSignedBlockCompressed6H = 28
    """3 channel signed half-float block-compressed (BC6H compression) format"""
    cudaChannelFormatKindUnsignedBlockCompressed7 = 29
    """4 channel unsigned normalized block-compressed (BC7 compression) format"""
    cudaChannelFormatKindUnsignedBlockCompressed7SRGB = 30
    """4 channel unsigned normalized block-compressed (BC7 compression) format with sRGB encoding"""
    cudaChannelFormatKindUnsignedNormalized1010102 = 31
    """4 channel unsigned normalized (10-bit, 10-bit, 10-bit, 2-bit) format"""

cudaChannelFormatKindSigned: Final = cudaChannelFormatKind.cudaChannelFormatKindSigned
cudaChannelFormatKindUnsigned: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsigned
cudaChannelFormatKindFloat: Final = cudaChannelFormatKind.cudaChannelFormatKindFloat
cudaChannelFormatKindNone: Final = cudaChannelFormatKind.cudaChannelFormatKindNone
cudaChannelFormatKindNV12: Final = cudaChannelFormatKind.cudaChannelFormatKindNV12
cudaChannelFormatKindUnsignedNormalized8X1: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedNormalized8X1
cudaChannelFormatKindUnsignedNormalized8X2: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedNormalized8X2
cudaChannelFormatKindUnsignedNormalized8X4: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedNormalized8X4
cudaChannelFormatKindUnsignedNormalized16X1: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedNormalized16X1
cudaChannelFormatKindUnsignedNormalized16X2: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedNormalized16X2
cudaChannelFormatKindUnsignedNormalized16X4: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedNormalized16X4
cudaChannelFormatKindSignedNormalized8X1: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedNormalized8X1
cudaChannelFormatKindSignedNormalized8X2: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedNormalized8X2
cudaChannelFormatKindSignedNormalized8X4: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedNormalized8X4
cudaChannelFormatKindSignedNormalized16X1: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedNormalized16X1
cudaChannelFormatKindSignedNormalized16X2: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedNormalized16X2
cudaChannelFormatKindSignedNormalized16X4: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedNormalized16X4
cudaChannelFormatKindUnsignedBlockCompressed1: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed1
cudaChannelFormatKindUnsignedBlockCompressed1SRGB: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed1SRGB
cudaChannelFormatKindUnsignedBlockCompressed2: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed2
cudaChannelFormatKindUnsignedBlockCompressed2SRGB: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed2SRGB
cudaChannelFormatKindUnsignedBlockCompressed3: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed3
cudaChannelFormatKindUnsignedBlockCompressed3SRGB: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed3SRGB
cudaChannelFormatKindUnsignedBlockCompressed4: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed4
cudaChannelFormatKindSignedBlockCompressed4: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedBlockCompressed4
cudaChannelFormatKindUnsignedBlockCompressed5: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed5
cudaChannelFormatKindSignedBlockCompressed5: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedBlockCompressed5
cudaChannelFormatKindUnsignedBlockCompressed6H: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed6H
cudaChannelFormatKindSignedBlockCompressed6H: Final = cudaChannelFormatKind.cudaChannelFormatKindSignedBlockCompressed6H
cudaChannelFormatKindUnsignedBlockCompressed7: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed7
cudaChannelFormatKindUnsignedBlockCompressed7SRGB: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedBlockCompressed7SRGB
cudaChannelFormatKindUnsignedNormalized1010102: Final = cudaChannelFormatKind.cudaChannelFormatKindUnsignedNormalized1010102

class cudaMemoryType(IntEnum):
    """CUDA memory types

    driver_types.h:1234
    """
    cudaMemoryTypeUnregistered = 0
    """Unregistered memory"""
    cudaMemoryTypeHost = 1
    """Host memory"""
    cudaMemoryTypeDevice = 2
    """Device memory"""
    cudaMemoryTypeManaged = 3
    """Managed memory"""

cudaMemoryTypeUnregistered: Final = cudaMemoryType.cudaMemoryTypeUnregistered
cudaMemoryTypeHost: Final = cudaMemoryType.cudaMemoryTypeHost
cudaMemoryTypeDevice: Final = cudaMemoryType.cudaMemoryTypeDevice
cudaMemoryTypeManaged: Final = cudaMemoryType.cudaMemoryTypeManaged

class cudaMemcpyKind(IntEnum):
    """CUDA memory copy types

    driver_types.h:1245
    """
    cudaMemcpyHostToHost = 0
    """Host -> Host"""
    cudaMemcpyHostToDevice = 1
    """Host -> Device"""
    cudaMemcpyDeviceToHost = 2
    """Device -> Host"""
    cudaMemcpyDeviceToDevice = 3
    """Device -> Device"""
    cudaMemcpyDefault = 4
    """Direction of the transfer is inferred from the pointer values. Requires unified virtual addressing"""

cudaMemcpyHostToHost: Final = cudaMemcpyKind.cudaMemcpyHostToHost
cudaMemcpyHostToDevice: Final = cudaMemcpyKind.cudaMemcpyHostToDevice
cudaMemcpyDeviceToHost: Final = cudaMemcpyKind.cudaMemcpyDeviceToHost
cudaMemcpyDeviceToDevice: Final = cudaMemcpyKind.cudaMemcpyDeviceToDevice
cudaMemcpyDefault: Final = cudaMemcpyKind.cudaMemcpyDefault

class cudaAccessProperty(IntEnum):
    """Specifies performance hint with cudaAccessPolicyWindow for hitProp and missProp members.

    driver_types.h:1362
    """
    cudaAccessPropertyNormal = 0
    """Normal cache persistence."""
    cudaAccessPropertyStreaming = 1
    """Streaming access is less likely to persit from cache."""
    cudaAccessPropertyPersisting = 2
    """Persisting access is more likely to persist in cache."""

cudaAccessPropertyNormal: Final = cudaAccessProperty.cudaAccessPropertyNormal
cudaAccessPropertyStreaming: Final = cudaAccessProperty.cudaAccessPropertyStreaming
cudaAccessPropertyPersisting: Final = cudaAccessProperty.cudaAccessPropertyPersisting

class cudaStreamCaptureStatus(IntEnum):
    """Possible stream capture statuses returned by cudaStreamIsCapturing

    driver_types.h:1418
    """
    cudaStreamCaptureStatusNone = 0
    """Stream is not capturing"""
    cudaStreamCaptureStatusActive = 1
    """Stream is actively capturing"""
    cudaStreamCaptureStatusInvalidated = 2
    """Stream is part of a capture sequence that has been invalidated, but not terminated"""

cudaStreamCaptureStatusNone: Final = cudaStreamCaptureStatus.cudaStreamCaptureStatusNone
cudaStreamCaptureStatusActive: Final = cudaStreamCaptureStatus.cudaStreamCaptureStatusActive
cudaStreamCaptureStatusInvalidated: Final = cudaStreamCaptureStatus.cudaStreamCaptureStatusInvalidated

class cudaStreamCaptureMode(IntEnum):
    """Possible modes for stream capture thread interactions. For more details see cudaStreamBeginCapture and cudaThreadExchangeStreamCaptureMode

    driver_types.h:1429
    """
    cudaStreamCaptureModeGlobal = 0
    cudaStreamCaptureModeThreadLocal = 1
    cudaStreamCaptureModeRelaxed = 2

cudaStreamCaptureModeGlobal: Final = cudaStreamCaptureMode.cudaStreamCaptureModeGlobal
cudaStreamCaptureModeThreadLocal: Final = cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal
cudaStreamCaptureModeRelaxed: Final = cudaStreamCaptureMode.cudaStreamCaptureModeRelaxed

class cudaSynchronizationPolicy(IntEnum):
    """driver_types.h:1435"""
    cudaSyncPolicyAuto = 1
    cudaSyncPolicySpin = 2
    cudaSyncPolicyYield = 3
    cudaSyncPolicyBlockingSync = 4

cudaSyncPolicyAuto: Final = cudaSynchronizationPolicy.cudaSyncPolicyAuto
cudaSyncPolicySpin: Final = cudaSynchronizationPolicy.cudaSyncPolicySpin
cudaSyncPolicyYield: Final = cudaSynchronizationPolicy.cudaSyncPolicyYield
cudaSyncPolicyBlockingSync: Final = cudaSynchronizationPolicy.cudaSyncPolicyBlockingSync

class cudaClusterSchedulingPolicy(IntEnum):
    """Cluster scheduling policies. These may be passed to cudaFuncSetAttribute

    driver_types.h:1445
    """
    cudaClusterSchedulingPolicyDefault = 0
    """the default policy"""
    cudaClusterSchedulingPolicySpread = 1
    """spread the blocks within a cluster to the SMs"""
    cudaClusterSchedulingPolicyLoadBalancing = 2
    """allow the hardware to load-balance the blocks in a cluster to the SMs"""

cudaClusterSchedulingPolicyDefault: Final = cudaClusterSchedulingPolicy.cudaClusterSchedulingPolicyDefault
cudaClusterSchedulingPolicySpread: Final = cudaClusterSchedulingPolicy.cudaClusterSchedulingPolicySpread
cudaClusterSchedulingPolicyLoadBalancing: Final = cudaClusterSchedulingPolicy.cudaClusterSchedulingPolicyLoadBalancing

class cudaStreamUpdateCaptureDependenciesFlags(IntEnum):
    """Flags for cudaStreamUpdateCaptureDependencies

    driver_types.h:1454
    """
    cudaStreamAddCaptureDependencies = 0
    """Add new nodes to the dependency set"""
    cudaStreamSetCaptureDependencies = 1
    """Replace the dependency set with the new nodes"""

cudaStreamAddCaptureDependencies: Final = cudaStreamUpdateCaptureDependenciesFlags.cudaStreamAddCaptureDependencies
cudaStreamSetCaptureDependencies: Final = cudaStreamUpdateCaptureDependenciesFlags.cudaStreamSetCaptureDependencies

class cudaUserObjectFlags(IntEnum):
    """Flags for user objects for graphs

    driver_types.h:1462
    """
    cudaUserObjectNoDestructorSync = 1
    """Indicates the destructor execution is not synchronized by any CUDA handle."""

cudaUserObjectNoDestructorSync: Final = cudaUserObjectFlags.cudaUserObjectNoDestructorSync

class cudaUserObjectRetainFlags(IntEnum):
    """Flags for retaining user object references for graphs

    driver_types.h:1469
    """
    cudaGraphUserObjectMove = 1
    """Transfer references from the caller rather than creating new references."""

cudaGraphUserObjectMove: Final = cudaUserObjectRetainFlags.cudaGraphUserObjectMove

class cudaGraphicsRegisterFlags(IntEnum):
    """CUDA graphics interop register flags

    driver_types.h:1481
    """
    cudaGraphicsRegisterFlagsNone = 0
    """Default"""
    cudaGraphicsRegisterFlagsReadOnly = 1
    """CUDA will not write to this resource"""
    cudaGraphicsRegisterFlagsWriteDiscard = 2
    """CUDA will only write to and will not read from this resource"""
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4
    """CUDA will bind this resource to a surface reference"""
    cudaGraphicsRegisterFlagsTextureGather = 8
    """CUDA will perform texture gather operations on this resource"""

cudaGraphicsRegisterFlagsNone: Final = cudaGraphicsRegisterFlags.cudaGraphicsRegisterFlagsNone
cudaGraphicsRegisterFlagsReadOnly: Final = cudaGraphicsRegisterFlags.cudaGraphicsRegisterFlagsReadOnly
cudaGraphicsRegisterFlagsWriteDiscard: Final = cudaGraphicsRegisterFlags.cudaGraphicsRegisterFlagsWriteDiscard
cudaGraphicsRegisterFlagsSurfaceLoadStore: Final = cudaGraphicsRegisterFlags.cudaGraphicsRegisterFlagsSurfaceLoadStore
cudaGraphicsRegisterFlagsTextureGather: Final = cudaGraphicsRegisterFlags.cudaGraphicsRegisterFlagsTextureGather

class cudaGraphicsMapFlags(IntEnum):
    """CUDA graphics interop map flags

    driver_types.h:1493
    """
    cudaGraphicsMapFlagsNone = 0
    """Default; Assume resource can be read/written"""
    cudaGraphicsMapFlagsReadOnly = 1
    """CUDA will not write to this resource"""
    cudaGraphicsMapFlagsWriteDiscard = 2
    """CUDA will only write to and will not read from this resource"""

cudaGraphicsMapFlagsNone: Final = cudaGraphicsMapFlags.cudaGraphicsMapFlagsNone
cudaGraphicsMapFlagsReadOnly: Final = cudaGraphicsMapFlags.cudaGraphicsMapFlagsReadOnly
cudaGraphicsMapFlagsWriteDiscard: Final = cudaGraphicsMapFlags.cudaGraphicsMapFlagsWriteDiscard

class cudaGraphicsCubeFace(IntEnum):
    """CUDA graphics interop array indices for cube maps

    driver_types.h:1503
    """
    cudaGraphicsCubeFacePositiveX = 0
    """Positive X face of cubemap"""
    cudaGraphicsCubeFaceNegativeX = 1
    """Negative X face of cubemap"""
    cudaGraphicsCubeFacePositiveY = 2
    """Positive Y face of cubemap"""
    cudaGraphicsCubeFaceNegativeY = 3
    """Negative Y face of cubemap"""
    cudaGraphicsCubeFacePositiveZ = 4
    """Positive Z face of cubemap"""
    cudaGraphicsCubeFaceNegativeZ = 5
    """Negative Z face of cubemap"""

cudaGraphicsCubeFacePositiveX: Final = cudaGraphicsCubeFace.cudaGraphicsCubeFacePositiveX
cudaGraphicsCubeFaceNegativeX: Final = cudaGraphicsCubeFace.cudaGraphicsCubeFaceNegativeX
cudaGraphicsCubeFacePositiveY: Final = cudaGraphicsCubeFace.cudaGraphicsCubeFacePositiveY
cudaGraphicsCubeFaceNegativeY: Final = cudaGraphicsCubeFace.cudaGraphicsCubeFaceNegativeY
cudaGraphicsCubeFacePositiveZ: Final = cudaGraphicsCubeFace.cudaGraphicsCubeFacePositiveZ
cudaGraphicsCubeFaceNegativeZ: Final = cudaGraphicsCubeFace.cudaGraphicsCubeFaceNegativeZ

class cudaResourceType(IntEnum):
    """CUDA resource types

    driver_types.h:1516
    """
    cudaResourceTypeArray = 0
    """Array resource"""
    cudaResourceTypeMipmappedArray = 1
    """Mipmapped array resource"""
    cudaResourceTypeLinear = 2
    """Linear resource"""
    cudaResourceTypePitch2D = 3
    """Pitch 2D resource"""

cudaResourceTypeArray: Final = cudaResourceType.cudaResourceTypeArray
cudaResourceTypeMipmappedArray: Final = cudaResourceType.cudaResourceTypeMipmappedArray
cudaResourceTypeLinear: Final = cudaResourceType.cudaResourceTypeLinear
cudaResourceTypePitch2D: Final = cudaResourceType.cudaResourceTypePitch2D

class cudaResourceViewFormat(IntEnum):
    """CUDA texture resource view formats

    driver_types.h:1527
    """
    cudaResViewFormatNone = 0
    """No resource view format (use underlying resource format)"""
    cudaResViewFormatUnsignedChar1 = 1
    """1 channel unsigned 8-bit integers"""
    cudaResViewFormatUnsignedChar2 = 2
    """2 channel unsigned 8-bit integers"""
    cudaResViewFormatUnsignedChar4 = 3
    """4 channel unsigned 8-bit integers"""
    cudaResViewFormatSignedChar1 = 4
    """1 channel signed 8-bit integers"""
    cudaResViewFormatSignedChar2 = 5
    """2 channel signed 8-bit integers"""
    cudaResViewFormatSignedChar4 = 6
    """4 channel signed 8-bit integers"""
    cudaResViewFormatUnsignedShort1 = 7
    """1 channel unsigned 16-bit integers"""
    cudaResViewFormatUnsignedShort2 = 8
    """2 channel unsigned 16-bit integers"""
    cudaResViewFormatUnsignedShort4 = 9
    """4 channel unsigned 16-bit integers"""
    cudaResViewFormatSignedShort1 = 10
    """1 channel signed 16-bit integers"""
    cudaResViewFormatSignedShort2 = 11
    """2 channel signed 16-bit integers"""
    cudaResViewFormatSignedShort4 = 12
    """4 channel signed 16-bit integers"""
    cudaResViewFormatUnsignedInt1 = 13
    """1 channel unsigned 32-bit integers"""
    cudaResViewFormatUnsignedInt2 = 14
    """2 channel unsigned 32-bit integers"""
    cudaResViewFormatUnsignedInt4 = 15
    """4 channel unsigned 32-bit integers"""
    cudaResViewFormatSignedInt1 = 16
    """1 channel signed 32-bit integers"""
    cudaResViewFormatSignedInt2 = 17
    """2 channel signed 32-bit integers"""
    cudaResViewFormatSignedInt4 = 18
    """4 channel signed 32-bit integers"""
    cudaResViewFormatHalf1 = 19
    """1 channel 16-bit floating point"""
    cudaResViewFormatHalf2 = 20
    """2 channel 16-bit floating point"""
    cudaResViewFormatHalf4 = 21
    """4 channel 16-bit floating point"""
    cudaResViewFormatFloat1 = 22
    """1 channel 32-bit floating point"""
    cudaResViewFormatFloat2 = 23
    """2 channel 32-bit floating point"""
    cudaResViewFormatFloat4 = 24
    """4 channel 32-bit floating point"""
    cudaResViewFormatUnsignedBlockCompressed1 = 25
    """Block compressed 1"""
    cudaResViewFormatUnsignedBlockCompressed2 = 26
    """Block compressed 2"""
    cudaResViewFormatUnsignedBlockCompressed3 = 27
    """Block compressed 3"""
    cudaResViewFormatUnsignedBlockCompressed4 = 28
    """Block compressed 4 unsigned"""
    cudaResViewFormatSignedBlockCompressed4 = 29
    """Block compressed 4 signed"""
    cudaResViewFormatUnsignedBlockCompressed5 = 30
    """Block compressed 5 unsigned"""
    cudaResViewFormatSignedBlockCompressed5 = 31
    """Block compressed 5 signed"""
    cudaResViewFormatUnsignedBlockCompressed6H = 32
    """Block compressed 6 unsigned half-float"""
    cudaResViewFormatSignedBlockCompressed6H = 33
    """Block compressed 6 signed half-float"""
    cudaResViewFormatUnsignedBlockCompressed7 = 34
    """Block compressed 7"""

cudaResViewFormatNone: Final = cudaResourceViewFormat.cudaResViewFormatNone
cudaResViewFormatUnsignedChar1: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedChar1
cudaResViewFormatUnsignedChar2: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedChar2
cudaResViewFormatUnsignedChar4: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedChar4
cudaResViewFormatSignedChar1: Final = cudaResourceViewFormat.cudaResViewFormatSignedChar1
cudaResViewFormatSignedChar2: Final = cudaResourceViewFormat.cudaResViewFormatSignedChar2
cudaResViewFormatSignedChar4: Final = cudaResourceViewFormat.cudaResViewFormatSignedChar4
cudaResViewFormatUnsignedShort1: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedShort1
cudaResViewFormatUnsignedShort2: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedShort2
cudaResViewFormatUnsignedShort4: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedShort4
cudaResViewFormatSignedShort1: Final = cudaResourceViewFormat.cudaResViewFormatSignedShort1
cudaResViewFormatSignedShort2: Final = cudaResourceViewFormat.cudaResViewFormatSignedShort2
cudaResViewFormatSignedShort4: Final = cudaResourceViewFormat.cudaResViewFormatSignedShort4
cudaResViewFormatUnsignedInt1: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedInt1
cudaResViewFormatUnsignedInt2: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedInt2
cudaResViewFormatUnsignedInt4: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedInt4
cudaResViewFormatSignedInt1: Final = cudaResourceViewFormat.cudaResViewFormatSignedInt1
cudaResViewFormatSignedInt2: Final = cudaResourceViewFormat.cudaResViewFormatSignedInt2
cudaResViewFormatSignedInt4: Final = cudaResourceViewFormat.cudaResViewFormatSignedInt4
cudaResViewFormatHalf1: Final = cudaResourceViewFormat.cudaResViewFormatHalf1
cudaResViewFormatHalf2: Final = cudaResourceViewFormat.cudaResViewFormatHalf2
cudaResViewFormatHalf4: Final = cudaResourceViewFormat.cudaResViewFormatHalf4
cudaResViewFormatFloat1: Final = cudaResourceViewFormat.cudaResViewFormatFloat1
cudaResViewFormatFloat2: Final = cudaResourceViewFormat.cudaResViewFormatFloat2
cudaResViewFormatFloat4: Final = cudaResourceViewFormat.cudaResViewFormatFloat4
cudaResViewFormatUnsignedBlockCompressed1: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedBlockCompressed1
cudaResViewFormatUnsignedBlockCompressed2: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedBlockCompressed2
cudaResViewFormatUnsignedBlockCompressed3: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedBlockCompressed3
cudaResViewFormatUnsignedBlockCompressed4: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedBlockCompressed4
cudaResViewFormatSignedBlockCompressed4: Final = cudaResourceViewFormat.cudaResViewFormatSignedBlockCompressed4
cudaResViewFormatUnsignedBlockCompressed5: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedBlockCompressed5
cudaResViewFormatSignedBlockCompressed5: Final = cudaResourceViewFormat.cudaResViewFormatSignedBlockCompressed5
cudaResViewFormatUnsignedBlockCompressed6H: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedBlockCompressed6H
cudaResViewFormatSignedBlockCompressed6H: Final = cudaResourceViewFormat.cudaResViewFormatSignedBlockCompressed6H
cudaResViewFormatUnsignedBlockCompressed7: Final = cudaResourceViewFormat.cudaResViewFormatUnsignedBlockCompressed7

class cudaFuncAttribute(IntEnum):
    """CUDA function attributes that can be set using cudaFuncSetAttribute

    driver_types.h:1785
    """
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8
    """Maximum dynamic shared memory size"""
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
    """Preferred shared memory-L1 cache split"""
    cudaFuncAttributeClusterDimMustBeSet = 10
    """Indicator to enforce valid cluster dimension specification on kernel launch"""
    cudaFuncAttributeRequiredClusterWidth = 11
    """Required cluster width"""
    cudaFuncAttributeRequiredClusterHeight = 12
    """Required cluster height"""
    cudaFuncAttributeRequiredClusterDepth = 13
    """Required cluster depth"""
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14
    """Whether non-portable cluster scheduling policy is supported"""
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15
    """Required cluster scheduling policy preference"""
    cudaFuncAttributeMax = 16

cudaFuncAttributeMaxDynamicSharedMemorySize: Final = cudaFuncAttribute.cudaFuncAttributeMaxDynamicSharedMemorySize
cudaFuncAttributePreferredSharedMemoryCarveout: Final = cudaFuncAttribute.cudaFuncAttributePreferredSharedMemoryCarveout
cudaFuncAttributeClusterDimMustBeSet: Final = cudaFuncAttribute.cudaFuncAttributeClusterDimMustBeSet
cudaFuncAttributeRequiredClusterWidth: Final = cudaFuncAttribute.cudaFuncAttributeRequiredClusterWidth
cudaFuncAttributeRequiredClusterHeight: Final = cudaFuncAttribute.cudaFuncAttributeRequiredClusterHeight
cudaFuncAttributeRequiredClusterDepth: Final = cudaFuncAttribute.cudaFuncAttributeRequiredClusterDepth
cudaFuncAttributeNonPortableClusterSizeAllowed: Final = cudaFuncAttribute.cudaFuncAttributeNonPortableClusterSizeAllowed
cudaFuncAttributeClusterSchedulingPolicyPreference: Final = cudaFuncAttribute.cudaFuncAttributeClusterSchedulingPolicyPreference
cudaFuncAttributeMax: Final = cudaFuncAttribute.cudaFuncAttributeMax

class cudaFuncCache(IntEnum):
    """CUDA function cache configurations

    driver_types.h:1801
    """
    cudaFuncCachePreferNone = 0
    """Default function cache configuration, no preference"""
    cudaFuncCachePreferShared = 1
    """Prefer larger shared memory and smaller L1 cache"""
    cudaFuncCachePreferL1 = 2
    """Prefer larger L1 cache and smaller shared memory"""
    cudaFuncCachePreferEqual = 3
    """Prefer equal size L1 cache and shared memory"""

cudaFuncCachePreferNone: Final = cudaFuncCache.cudaFuncCachePreferNone
cudaFuncCachePreferShared: Final = cudaFuncCache.cudaFuncCachePreferShared
cudaFuncCachePreferL1: Final = cudaFuncCache.cudaFuncCachePreferL1
cudaFuncCachePreferEqual: Final = cudaFuncCache.cudaFuncCachePreferEqual

class cudaSharedMemConfig(IntEnum):
    """CUDA shared memory configuration

    driver_types.h:1813
    """
    cudaSharedMemBankSizeDefault = 0
    cudaSharedMemBankSizeFourByte = 1
    cudaSharedMemBankSizeEightByte = 2

cudaSharedMemBankSizeDefault: Final = cudaSharedMemConfig.cudaSharedMemBankSizeDefault
cudaSharedMemBankSizeFourByte: Final = cudaSharedMemConfig.cudaSharedMemBankSizeFourByte
cudaSharedMemBankSizeEightByte: Final = cudaSharedMemConfig.cudaSharedMemBankSizeEightByte

class cudaSharedCarveout(IntEnum):
    """Shared memory carveout configurations. These may be passed to cudaFuncSetAttribute

    driver_types.h:1823
    """
    cudaSharedmemCarveoutDefault = -1
    """No preference for shared memory or L1 (default)"""
    cudaSharedmemCarveoutMaxShared = 100
    """Prefer maximum available shared memory, minimum L1 cache"""
    cudaSharedmemCarveoutMaxL1 = 0
    """Prefer maximum available L1 cache, minimum shared memory"""

cudaSharedmemCarveoutDefault: Final = cudaSharedCarveout.cudaSharedmemCarveoutDefault
cudaSharedmemCarveoutMaxShared: Final = cudaSharedCarveout.cudaSharedmemCarveoutMaxShared
cudaSharedmemCarveoutMaxL1: Final = cudaSharedCarveout.cudaSharedmemCarveoutMaxL1

class cudaComputeMode(IntEnum):
    """CUDA device compute modes

    driver_types.h:1832
    """
    cudaComputeModeDefault = 0
    """Default compute mode (Multiple threads can use cudaSetDevice() with this device)"""
    cudaComputeModeExclusive = 1
    """Compute-exclusive-thread mode (Only one thread in one process will be able to use cudaSetDevice() with this device)"""
    cudaComputeModeProhibited = 2
    """Compute-prohibited mode (No threads can use cudaSetDevice() with this device)"""
    cudaComputeModeExclusiveProcess = 3
    """Compute-exclusive-process mode (Many threads in one process will be able to use cudaSetDevice() with this device)"""

cudaComputeModeDefault: Final = cudaComputeMode.cudaComputeModeDefault
cudaComputeModeExclusive: Final = cudaComputeMode.cudaComputeModeExclusive
cudaComputeModeProhibited: Final = cudaComputeMode.cudaComputeModeProhibited
cudaComputeModeExclusiveProcess: Final = cudaComputeMode.cudaComputeModeExclusiveProcess

class cudaLimit(IntEnum):
    """CUDA Limits

    driver_types.h:1843
    """
    cudaLimitStackSize = 0
    """GPU thread stack size"""
    cudaLimitPrintfFifoSize = 1
    """GPU printf FIFO size"""
    cudaLimitMallocHeapSize = 2
    """GPU malloc heap size"""
    cudaLimitDevRuntimeSyncDepth = 3
    """GPU device runtime synchronize depth"""
    cudaLimitDevRuntimePendingLaunchCount = 4
    """GPU device runtime pending launch count"""
    cudaLimitMaxL2FetchGranularity = 5
    """A value between 0 and 128 that indicates the maximum fetch granularity of L2 (in Bytes). This is a hint"""
    cudaLimitPersistingL2CacheSize = 6
    """A size in bytes for L2 persisting lines cache size"""

cudaLimitStackSize: Final = cudaLimit.cudaLimitStackSize
cudaLimitPrintfFifoSize: Final = cudaLimit.cudaLimitPrintfFifoSize
cudaLimitMallocHeapSize: Final = cudaLimit.cudaLimitMallocHeapSize
cudaLimitDevRuntimeSyncDepth: Final = cudaLimit.cudaLimitDevRuntimeSyncDepth
cudaLimitDevRuntimePendingLaunchCount: Final = cudaLimit.cudaLimitDevRuntimePendingLaunchCount
cudaLimitMaxL2FetchGranularity: Final = cudaLimit.cudaLimitMaxL2FetchGranularity
cudaLimitPersistingL2CacheSize: Final = cudaLimit.cudaLimitPersistingL2CacheSize

class cudaMemoryAdvise(IntEnum):
    """CUDA Memory Advise values

    driver_types.h:1857
    """
    cudaMemAdviseSetReadMostly = 1
    """Data will mostly be read and only occassionally be written to"""
    cudaMemAdviseUnsetReadMostly = 2
    """Undo the effect of cudaMemAdviseSetReadMostly"""
    cudaMemAdviseSetPreferredLocation = 3
    """Set the preferred location for the data as the specified device"""
    cudaMemAdviseUnsetPreferredLocation = 4
    """Clear the preferred location for the data"""
    cudaMemAdviseSetAccessedBy = 5
    """Data will be accessed by the specified device, so prevent page faults as much as possible"""
    cudaMemAdviseUnsetAccessedBy = 6
    """Let the Unified Memory subsystem decide on the page faulting policy for the specified device"""

cudaMemAdviseSetReadMostly: Final = cudaMemoryAdvise.cudaMemAdviseSetReadMostly
cudaMemAdviseUnsetReadMostly: Final = cudaMemoryAdvise.cudaMemAdviseUnsetReadMostly
cudaMemAdviseSetPreferredLocation: Final = cudaMemoryAdvise.cudaMemAdviseSetPreferredLocation
cudaMemAdviseUnsetPreferredLocation: Final = cudaMemoryAdvise.cudaMemAdviseUnsetPreferredLocation
cudaMemAdviseSetAccessedBy: Final = cudaMemoryAdvise.cudaMemAdviseSetAccessedBy
cudaMemAdviseUnsetAccessedBy: Final = cudaMemoryAdvise.cudaMemAdviseUnsetAccessedBy

class cudaMemRangeAttribute(IntEnum):
    """CUDA range attributes

    driver_types.h:1870
    """
    cudaMemRangeAttributeReadMostly = 1
    """Whether the range will mostly be read and only occassionally be written to"""
    cudaMemRangeAttributePreferredLocation = 2
    """The preferred location of the range"""
    cudaMemRangeAttributeAccessedBy = 3
    """Memory range has cudaMemAdviseSetAccessedBy set for specified device"""
    cudaMemRangeAttributeLastPrefetchLocation = 4
    """The last location to which the range was prefetched"""
    cudaMemRangeAttributePreferredLocationType = 5
    """The preferred location type of the range"""
    cudaMemRangeAttributePreferredLocationId = 6
    """The preferred location id of the range"""
    cudaMemRangeAttributeLastPrefetchLocationType = 7
    """The last location type to which the range was prefetched"""
    cudaMemRangeAttributeLastPrefetchLocationId = 8
    """The last location id to which the range was prefetched"""

cudaMemRangeAttributeReadMostly: Final = cudaMemRangeAttribute.cudaMemRangeAttributeReadMostly
cudaMemRangeAttributePreferredLocation: Final = cudaMemRangeAttribute.cudaMemRangeAttributePreferredLocation
cudaMemRangeAttributeAccessedBy: Final = cudaMemRangeAttribute.cudaMemRangeAttributeAccessedBy
cudaMemRangeAttributeLastPrefetchLocation: Final = cudaMemRangeAttribute.cudaMemRangeAttributeLastPrefetchLocation
cudaMemRangeAttributePreferredLocationType: Final = cudaMemRangeAttribute.cudaMemRangeAttributePreferredLocationType
cudaMemRangeAttributePreferredLocationId: Final = cudaMemRangeAttribute.cudaMemRangeAttributePreferredLocationId
cudaMemRangeAttributeLastPrefetchLocationType: Final = cudaMemRangeAttribute.cudaMemRangeAttributeLastPrefetchLocationType
cudaMemRangeAttributeLastPrefetchLocationId: Final = cudaMemRangeAttribute.cudaMemRangeAttributeLastPrefetchLocationId

class cudaFlushGPUDirectRDMAWritesOptions(IntEnum):
    """CUDA GPUDirect RDMA flush writes APIs supported on the device

    driver_types.h:1885
    """
    cudaFlushGPUDirectRDMAWritesOptionHost = 1
    """cudaDeviceFlushGPUDirectRDMAWrites() and its CUDA Driver API counterpart are supported on the device."""
    cudaFlushGPUDirectRDMAWritesOptionMemOps = 2
    """The CU_STREAM_WAIT_VALUE_FLUSH flag and the CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES MemOp are supported on the CUDA device."""

cudaFlushGPUDirectRDMAWritesOptionHost: Final = cudaFlushGPUDirectRDMAWritesOptions.cudaFlushGPUDirectRDMAWritesOptionHost
cudaFlushGPUDirectRDMAWritesOptionMemOps: Final = cudaFlushGPUDirectRDMAWritesOptions.cudaFlushGPUDirectRDMAWritesOptionMemOps

class cudaGPUDirectRDMAWritesOrdering(IntEnum):
    """CUDA GPUDirect RDMA flush writes ordering features of the device

    driver_types.h:1893
    """
    cudaGPUDirectRDMAWritesOrderingNone = 0
    """The device does not natively support ordering of GPUDirect RDMA writes. cudaFlushGPUDirectRDMAWrites() can be leveraged if supported."""
    cudaGPUDirectRDMAWritesOrderingOwner = 100
    """Natively, the device can consistently consume GPUDirect RDMA writes, although other CUDA devices may not."""
    cudaGPUDirectRDMAWritesOrderingAllDevices = 200
    """Any CUDA device in the system can consistently consume GPUDirect RDMA writes to this device."""

cudaGPUDirectRDMAWritesOrderingNone: Final = cudaGPUDirectRDMAWritesOrdering.cudaGPUDirectRDMAWritesOrderingNone
cudaGPUDirectRDMAWritesOrderingOwner: Final = cudaGPUDirectRDMAWritesOrdering.cudaGPUDirectRDMAWritesOrderingOwner
cudaGPUDirectRDMAWritesOrderingAllDevices: Final = cudaGPUDirectRDMAWritesOrdering.cudaGPUDirectRDMAWritesOrderingAllDevices

class cudaFlushGPUDirectRDMAWritesScope(IntEnum):
    """CUDA GPUDirect RDMA flush writes scopes

    driver_types.h:1902
    """
    cudaFlushGPUDirectRDMAWritesToOwner = 100
    """Blocks until remote writes are visible to the CUDA device context owning the data."""
    cudaFlushGPUDirectRDMAWritesToAllDevices = 200
    """Blocks until remote writes are visible to all CUDA device contexts."""

cudaFlushGPUDirectRDMAWritesToOwner: Final = cudaFlushGPUDirectRDMAWritesScope.cudaFlushGPUDirectRDMAWritesToOwner
cudaFlushGPUDirectRDMAWritesToAllDevices: Final = cudaFlushGPUDirectRDMAWritesScope.cudaFlushGPUDirectRDMAWritesToAllDevices

class cudaFlushGPUDirectRDMAWritesTarget(IntEnum):
    """CUDA GPUDirect RDMA flush writes targets

    driver_types.h:1910
    """
    cudaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0
    """Sets the target for cudaDeviceFlushGPUDirectRDMAWrites() to the currently active CUDA device context."""

cudaFlushGPUDirectRDMAWritesTargetCurrentDevice: Final = cudaFlushGPUDirectRDMAWritesTarget.cudaFlushGPUDirectRDMAWritesTargetCurrentDevice

class cudaDeviceAttr(IntEnum):
    """CUDA device attributes

    driver_types.h:1918
    """
    cudaDevAttrMaxThreadsPerBlock = 1
    """Maximum number of threads per block"""
    cudaDevAttrMaxBlockDimX = 2
    """Maximum block dimension X"""
    cudaDevAttrMaxBlockDimY = 3
    """Maximum block dimension Y"""
    cudaDevAttrMaxBlockDimZ = 4
    """Maximum block dimension Z"""
    cudaDevAttrMaxGridDimX = 5
    """Maximum grid dimension X"""
    cudaDevAttrMaxGridDimY = 6
    """Maximum grid dimension Y"""
    cudaDevAttrMaxGridDimZ = 7
    """Maximum grid dimension Z"""
    cudaDevAttrMaxSharedMemoryPerBlock = 8
    """Maximum shared memory available per block in bytes"""
    cudaDevAttrTotalConstantMemory = 9
    """Memory available on device for __constant__ variables in a CUDA C kernel in bytes"""
    cudaDevAttrWarpSize = 10
    """Warp size in threads"""
    cudaDevAttrMaxPitch = 11
    """Maximum pitch in bytes allowed by memory copies"""
    cudaDevAttrMaxRegistersPerBlock = 12
    """Maximum number of 32-bit registers available per block"""
    cudaDevAttrClockRate = 13
    """Peak clock frequency in kilohertz"""
    cudaDevAttrTextureAlignment = 14
    """Alignment requirement for textures"""
    cudaDevAttrGpuOverlap = 15
    """Device can possibly copy memory and execute a kernel concurrently"""
    cudaDevAttrMultiProcessorCount = 16
    """Number of multiprocessors on device"""
    cudaDevAttrKernelExecTimeout = 17
    """Specifies whether there is a run time limit on kernels"""
    cudaDevAttrIntegrated = 18
    """Device is integrated with host memory"""
    cudaDevAttrCanMapHostMemory = 19
    """Device can map host memory into CUDA address space"""
    cudaDevAttrComputeMode = 20
    """Compute mode (See cudaComputeMode for details)"""
    cudaDevAttrMaxTexture1DWidth = 21
    """Maximum 1D texture width"""
    cudaDevAttrMaxTexture2DWidth = 22
    """Maximum 2D texture width"""
    cudaDevAttrMaxTexture2DHeight = 23
    """Maximum 2D texture height"""
    cudaDevAttrMaxTexture3DWidth = 24
    """Maximum 3D texture width"""
    cudaDevAttrMaxTexture3DHeight = 25
    """Maximum 3D texture height"""
    cudaDevAttrMaxTexture3DDepth = 26
    """Maximum 3D texture depth"""
    cudaDevAttrMaxTexture2DLayeredWidth = 27
    """Maximum 2D layered texture width"""
    cudaDevAttrMaxTexture2DLayeredHeight = 28
    """Maximum 2D layered texture height"""
    cudaDevAttrMaxTexture2DLayeredLayers = 29
    """Maximum layers in a 2D layered texture"""
    cudaDevAttrSurfaceAlignment = 30
    """Alignment requirement for surfaces"""
    cudaDevAttrConcurrentKernels = 31
    """Device can possibly execute multiple kernels concurrently"""
    cudaDevAttrEccEnabled = 32
    """Device has ECC support enabled"""
    cudaDevAttrPciBusId = 33
    """PCI bus ID of the device"""
    cudaDevAttrPciDeviceId = 34
    """PCI device ID of the device"""
    cudaDevAttrTccDriver = 35
    """Device is using TCC driver model"""
    cudaDevAttrMemoryClockRate = 36
    """Peak memory clock frequency in kilohertz"""
    cudaDevAttrGlobalMemoryBusWidth = 37
    """Global memory bus width in bits"""
    cudaDevAttrL2CacheSize = 38
    """Size of L2 cache in bytes"""
    cudaDevAttrMaxThreadsPerMultiProcessor = 39
    """Maximum resident threads per multiprocessor"""
    cudaDevAttrAsyncEngineCount = 40
    """Number of asynchronous engines"""
    cudaDevAttrUnifiedAddressing = 41
    """Device shares a unified address space with the host"""
    cudaDevAttrMaxTexture1DLayeredWidth = 42
    """Maximum 1D layered texture width"""
    cudaDevAttrMaxTexture1DLayeredLayers = 43
    """Maximum layers in a 1D layered texture"""
    cudaDevAttrMaxTexture2DGatherWidth = 45
    """Maximum 2D texture width if cudaArrayTextureGather is set"""
    cudaDevAttrMaxTexture2DGatherHeight = 46
    """Maximum 2D texture height if cudaArrayTextureGather is set"""
    cudaDevAttrMaxTexture3DWidthAlt = 47
    """Alternate maximum 3D texture width"""
    cudaDevAttrMaxTexture3DHeightAlt = 48
    """Alternate maximum 3D texture height"""
    cudaDevAttrMaxTexture3DDepthAlt = 49
    """Alternate maximum 3D texture depth"""
    cudaDevAttrPciDomainId = 50
    """PCI domain ID of the device"""
    cudaDevAttrTexturePitchAlignment = 51
    """Pitch alignment requirement for textures"""
    cudaDevAttrMaxTextureCubemapWidth = 52
    """Maximum cubemap texture width/height"""
    cudaDevAttrMaxTextureCubemapLayeredWidth = 53
    """Maximum cubemap layered texture width/height"""
    cudaDevAttrMaxTextureCubemapLayeredLayers = 54
    """Maximum layers in a cubemap layered texture"""
    cudaDevAttrMaxSurface1DWidth = 55
    """Maximum 1D surface width"""
    cudaDevAttrMaxSurface2DWidth = 56
    """Maximum 2D surface width"""
    cudaDevAttrMaxSurface2DHeight = 57
    """Maximum 2D surface height"""
    cudaDevAttrMaxSurface3DWidth = 58
    """Maximum 3D surface width"""
    cudaDevAttrMaxSurface3DHeight = 59
    """Maximum 3D surface height"""
    cudaDevAttrMaxSurface3DDepth = 60
    """Maximum 3D surface depth"""
    cudaDevAttrMaxSurface1DLayeredWidth = 61
    """Maximum 1D layered surface width"""
    cudaDevAttrMaxSurface1DLayeredLayers = 62
    """Maximum layers in a 1D layered surface"""
    cudaDevAttrMaxSurface2DLayeredWidth = 63
    """Maximum 2D layered surface width"""
    cudaDevAttrMaxSurface2DLayeredHeight = 64
    """Maximum 2D layered surface height"""
    cudaDevAttrMaxSurface2DLayeredLayers = 65
    """Maximum layers in a 2D layered surface"""
    cudaDevAttrMaxSurfaceCubemapWidth = 66
    """Maximum cubemap surface width"""
    cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67
    """Maximum cubemap layered surface width"""
    cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68
    """Maximum layers in a cubemap layered surface"""
    cudaDevAttrMaxTexture1DLinearWidth = 69
    """Maximum 1D linear texture width"""
    cudaDevAttrMaxTexture2DLinearWidth = 70
    """Maximum 2D linear texture width"""
    cudaDevAttrMaxTexture2DLinearHeight = 71
    """Maximum 2D linear texture height"""
    cudaDevAttrMaxTexture2DLinearPitch = 72
    """Maximum 2D linear texture pitch in bytes"""
    cudaDevAttrMaxTexture2DMipmappedWidth = 73
    """Maximum mipmapped 2D texture width"""
    cudaDevAttrMaxTexture2DMipmappedHeight = 74
    """Maximum mipmapped 2D texture height"""
    cudaDevAttrComputeCapabilityMajor = 75
    """Major compute capability version number"""
    cudaDevAttrComputeCapabilityMinor = 76
    """Minor compute capability version number"""
    cudaDevAttrMaxTexture1DMipmappedWidth = 77
    """Maximum mipmapped 1D texture width"""
    cudaDevAttrStreamPrioritiesSupported = 78
    """Device supports stream priorities"""
    cudaDevAttrGlobalL1CacheSupported = 79
    """Device supports caching globals in L1"""
    cudaDevAttrLocalL1CacheSupported = 80
    """Device supports caching locals in L1"""
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81
    """Maximum shared memory available per multiprocessor in bytes"""
    cudaDevAttrMaxRegistersPerMultiprocessor = 82
    """Maximum number of 32-bit registers available per multiprocessor"""
    cudaDevAttrManagedMemory = 83
    """Device can allocate managed memory on this system"""
    cudaDevAttrIsMultiGpuBoard = 84
    """Device is on a multi-GPU board"""
    cudaDevAttrMultiGpuBoardGroupID = 85
    """Unique identifier for a group of devices on the same multi-GPU board"""
    cudaDevAttrHostNativeAtomicSupported = 86
    """Link between the device and the host supports native atomic operations"""
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87
    """Ratio of single precision performance (in floating-point operations per second) to double precision performance"""
    cudaDevAttrPageableMemoryAccess = 88
    """Device supports coherently accessing pageable memory without calling cudaHostRegister on it"""
    cudaDevAttrConcurrentManagedAccess = 89
    """Device can coherently access managed memory concurrently with the CPU"""
    cudaDevAttrComputePreemptionSupported = 90
    """Device supports Compute Preemption"""
    cudaDevAttrCanUseHostPointerForRegisteredMem = 91
    """Device can access host registered memory at the same virtual address as the CPU"""
    cudaDevAttrReserved92 = 92
    cudaDevAttrReserved93 = 93
    cudaDevAttrReserved94 = 94
    cudaDevAttrCooperativeLaunch = 95
    """Device supports launching cooperative kernels via cudaLaunchCooperativeKernel"""
    cudaDevAttrReserved96 = 96
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
    """The maximum optin shared memory per block. This value may vary by chip. See cudaFuncSetAttribute"""
    cudaDevAttrCanFlushRemoteWrites = 98
    """Device supports flushing of outstanding remote writes."""
    cudaDevAttrHostRegisterSupported = 99
    """Device supports host memory registration via cudaHostRegister."""
    cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100
    """Device accesses pageable memory via the host's page tables."""
    cudaDevAttrDirectManagedMemAccessFromHost = 101
    """Host can directly access managed memory on the device without migration."""
    cudaDevAttrMaxBlocksPerMultiprocessor = 106
    """Maximum number of blocks per multiprocessor"""
    cudaDevAttrMaxPersistingL2CacheSize = 108
    """Maximum L2 persisting lines capacity setting in bytes."""
    cudaDevAttrMaxAccessPolicyWindowSize = 109
    """Maximum value of cudaAccessPolicyWindownum_bytes."""
    cudaDevAttrReservedSharedMemoryPerBlock = 111
    """Shared memory reserved by CUDA driver per block in bytes"""
    cudaDevAttrSparseCudaArraySupported = 112
    """Device supports sparse CUDA arrays and sparse CUDA mipmapped arrays"""
    cudaDevAttrHostRegisterReadOnlySupported = 113
    """Device supports using the cudaHostRegister flag cudaHostRegisterReadOnly to register memory that must be mapped as read-only to the GPU"""
    cudaDevAttrTimelineSemaphoreInteropSupported = 114
    """External timeline semaphore interop is supported on the device"""
    cudaDevAttrMemoryPoolsSupported = 115
    """Device supports using the cudaMallocAsync and cudaMemPool family of APIs"""
    cudaDevAttrGPUDirectRDMASupported = 116
    """Device supports GPUDirect RDMA APIs, like nvidia_p2p_get_pages (see https://docs.nvidia.com/cuda/gpudirect-rdma for more information)"""
    cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117
    """The returned attribute shall be interpreted as a bitmask, where the individual bits are listed in the cudaFlushGPUDirectRDMAWritesOptions enum"""
    cudaDevAttrGPUDirectRDMAWritesOrdering = 118
    """GPUDirect RDMA writes to the device do not need to be flushed for consumers within the scope indicated by the returned attribute. See cudaGPUDirectRDMAWritesOrdering for the numerical values returned here."""
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119
    """Handle types supported with mempool based IPC"""
    cudaDevAttrClusterLaunch = 120
    """Indicates device supports cluster launch"""
    cudaDevAttrDeferredMappingCudaArraySupported = 121
    """Device supports deferred mapping CUDA arrays and CUDA mipmapped arrays"""
    cudaDevAttrReserved122 = 122
    cudaDevAttrReserved123 = 123
    cudaDevAttrReserved124 = 124
    cudaDevAttrIpcEventSupport = 125
    """Device supports IPC Events."""
    cudaDevAttrMemSyncDomainCount = 126
    """Number of memory synchronization domains the device supports."""
    cudaDevAttrReserved127 = 127
    cudaDevAttrReserved128 = 128
    cudaDevAttrReserved129 = 129
    cudaDevAttrNumaConfig = 130
    """NUMA configuration of a device: value is of type cudaDeviceNumaConfig enum"""
    cudaDevAttrNumaId = 131
    """NUMA node ID of the GPU memory"""
    cudaDevAttrReserved132 = 132
    cudaDevAttrMpsEnabled = 133
    """Contexts created on this device will be shared via MPS"""
    cudaDevAttrHostNumaId = 134
    """NUMA ID of the host node closest to the device or -1 when system does not support NUMA"""
    cudaDevAttrD3D12CigSupported = 135
    """Device supports CIG with D3D12."""
    cudaDevAttrVulkanCigSupported = 138
    """Device supports CIG with Vulkan."""
    cudaDevAttrGpuPciDeviceId = 139
    """The combined 16-bit PCI device ID and 16-bit PCI vendor ID."""
    cudaDevAttrGpuPciSubsystemId = 140
    """The combined 16-bit PCI subsystem ID and 16-bit PCI subsystem vendor ID."""
    cudaDevAttrReserved141 = 141
    cudaDevAttrHostNumaMemoryPoolsSupported = 142
    """Device supports HOST_NUMA location with the cudaMallocAsync and cudaMemPool family of APIs"""
    cudaDevAttrHostNumaMultinodeIpcSupported = 143
    """Device supports HostNuma location IPC between nodes in a multi-node system."""
    cudaDevAttrHostMemoryPoolsSupported = 144
    """Device suports HOST location with the cuMemAllocAsync and cuMemPool family of APIs"""
    cudaDevAttrReserved145 = 145
    cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147
    """Link between the device and the host supports only some native atomic operations"""
    cudaDevAttrMax = 148

cudaDevAttrMaxThreadsPerBlock: Final = cudaDeviceAttr.cudaDevAttrMaxThreadsPerBlock
cudaDevAttrMaxBlockDimX: Final = cudaDeviceAttr.cudaDevAttrMaxBlockDimX
cudaDevAttrMaxBlockDimY: Final = cudaDeviceAttr.cudaDevAttrMaxBlockDimY
cudaDevAttrMaxBlockDimZ: Final = cudaDeviceAttr.cudaDevAttrMaxBlockDimZ
cudaDevAttrMaxGridDimX: Final = cudaDeviceAttr.cudaDevAttrMaxGridDimX
cudaDevAttrMaxGridDimY: Final = cudaDeviceAttr.cudaDevAttrMaxGridDimY
cudaDevAttrMaxGridDimZ: Final = cudaDeviceAttr.cudaDevAttrMaxGridDimZ
cudaDevAttrMaxSharedMemoryPerBlock: Final = cudaDeviceAttr.cudaDevAttrMaxSharedMemoryPerBlock
cudaDevAttrTotalConstantMemory: Final = cudaDeviceAttr.cudaDevAttrTotalConstantMemory
cudaDevAttrWarpSize: Final = cudaDeviceAttr.cudaDevAttrWarpSize
cudaDevAttrMaxPitch: Final = cudaDeviceAttr.cudaDevAttrMaxPitch
cudaDevAttrMaxRegistersPerBlock: Final = cudaDeviceAttr.cudaDevAttrMaxRegistersPerBlock
cudaDevAttrClockRate: Final = cudaDeviceAttr.cudaDevAttrClockRate
cudaDevAttrTextureAlignment: Final = cudaDeviceAttr.cudaDevAttrTextureAlignment
cudaDevAttrGpuOverlap: Final = cudaDeviceAttr.cudaDevAttrGpuOverlap
cudaDevAttrMultiProcessorCount: Final = cudaDeviceAttr.cudaDevAttrMultiProcessorCount
cudaDevAttrKernelExecTimeout: Final = cudaDeviceAttr.cudaDevAttrKernelExecTimeout
cudaDevAttrIntegrated: Final = cudaDeviceAttr.cudaDevAttrIntegrated
cudaDevAttrCanMapHostMemory: Final = cudaDeviceAttr.cudaDevAttrCanMapHostMemory
cudaDevAttrComputeMode: Final = cudaDeviceAttr.cudaDevAttrComputeMode
cudaDevAttrMaxTexture1DWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture1DWidth
cudaDevAttrMaxTexture2DWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DWidth
cudaDevAttrMaxTexture2DHeight: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DHeight
cudaDevAttrMaxTexture3DWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture3DWidth
cudaDevAttrMaxTexture3DHeight: Final = cudaDeviceAttr.cudaDevAttrMaxTexture3DHeight
cudaDevAttrMaxTexture3DDepth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture3DDepth
cudaDevAttrMaxTexture2DLayeredWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DLayeredWidth
cudaDevAttrMaxTexture2DLayeredHeight: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DLayeredHeight
cudaDevAttrMaxTexture2DLayeredLayers: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DLayeredLayers
cudaDevAttrSurfaceAlignment: Final = cudaDeviceAttr.cudaDevAttrSurfaceAlignment
cudaDevAttrConcurrentKernels: Final = cudaDeviceAttr.cudaDevAttrConcurrentKernels
cudaDevAttrEccEnabled: Final = cudaDeviceAttr.cudaDevAttrEccEnabled
cudaDevAttrPciBusId: Final = cudaDeviceAttr.cudaDevAttrPciBusId
cudaDevAttrPciDeviceId: Final = cudaDeviceAttr.cudaDevAttrPciDeviceId
cudaDevAttrTccDriver: Final = cudaDeviceAttr.cudaDevAttrTccDriver
cudaDevAttrMemoryClockRate: Final = cudaDeviceAttr.cudaDevAttrMemoryClockRate
cudaDevAttrGlobalMemoryBusWidth: Final = cudaDeviceAttr.cudaDevAttrGlobalMemoryBusWidth
cudaDevAttrL2CacheSize: Final = cudaDeviceAttr.cudaDevAttrL2CacheSize
cudaDevAttrMaxThreadsPerMultiProcessor: Final = cudaDeviceAttr.cudaDevAttrMaxThreadsPerMultiProcessor
cudaDevAttrAsyncEngineCount: Final = cudaDeviceAttr.cudaDevAttrAsyncEngineCount
cudaDevAttrUnifiedAddressing: Final = cudaDeviceAttr.cudaDevAttrUnifiedAddressing
cudaDevAttrMaxTexture1DLayeredWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture1DLayeredWidth
cudaDevAttrMaxTexture1DLayeredLayers: Final = cudaDeviceAttr.cudaDevAttrMaxTexture1DLayeredLayers
cudaDevAttrMaxTexture2DGatherWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DGatherWidth
cudaDevAttrMaxTexture2DGatherHeight: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DGatherHeight
cudaDevAttrMaxTexture3DWidthAlt: Final = cudaDeviceAttr.cudaDevAttrMaxTexture3DWidthAlt
cudaDevAttrMaxTexture3DHeightAlt: Final = cudaDeviceAttr.cudaDevAttrMaxTexture3DHeightAlt
cudaDevAttrMaxTexture3DDepthAlt: Final = cudaDeviceAttr.cudaDevAttrMaxTexture3DDepthAlt
cudaDevAttrPciDomainId: Final = cudaDeviceAttr.cudaDevAttrPciDomainId
cudaDevAttrTexturePitchAlignment: Final = cudaDeviceAttr.cudaDevAttrTexturePitchAlignment
cudaDevAttrMaxTextureCubemapWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTextureCubemapWidth
cudaDevAttrMaxTextureCubemapLayeredWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTextureCubemapLayeredWidth
cudaDevAttrMaxTextureCubemapLayeredLayers: Final = cudaDeviceAttr.cudaDevAttrMaxTextureCubemapLayeredLayers
cudaDevAttrMaxSurface1DWidth: Final = cudaDeviceAttr.cudaDevAttrMaxSurface1DWidth
cudaDevAttrMaxSurface2DWidth: Final = cudaDeviceAttr.cudaDevAttrMaxSurface2DWidth
cudaDevAttrMaxSurface2DHeight: Final = cudaDeviceAttr.cudaDevAttrMaxSurface2DHeight
cudaDevAttrMaxSurface3DWidth: Final = cudaDeviceAttr.cudaDevAttrMaxSurface3DWidth
cudaDevAttrMaxSurface3DHeight: Final = cudaDeviceAttr.cudaDevAttrMaxSurface3DHeight
cudaDevAttrMaxSurface3DDepth: Final = cudaDeviceAttr.cudaDevAttrMaxSurface3DDepth
cudaDevAttrMaxSurface1DLayeredWidth: Final = cudaDeviceAttr.cudaDevAttrMaxSurface1DLayeredWidth
cudaDevAttrMaxSurface1DLayeredLayers: Final = cudaDeviceAttr.cudaDevAttrMaxSurface1DLayeredLayers
cudaDevAttrMaxSurface2DLayeredWidth: Final = cudaDeviceAttr.cudaDevAttrMaxSurface2DLayeredWidth
cudaDevAttrMaxSurface2DLayeredHeight: Final = cudaDeviceAttr.cudaDevAttrMaxSurface2DLayeredHeight
cudaDevAttrMaxSurface2DLayeredLayers: Final = cudaDeviceAttr.cudaDevAttrMaxSurface2DLayeredLayers
cudaDevAttrMaxSurfaceCubemapWidth: Final = cudaDeviceAttr.cudaDevAttrMaxSurfaceCubemapWidth
cudaDevAttrMaxSurfaceCubemapLayeredWidth: Final = cudaDeviceAttr.cudaDevAttrMaxSurfaceCubemapLayeredWidth
cudaDevAttrMaxSurfaceCubemapLayeredLayers: Final = cudaDeviceAttr.cudaDevAttrMaxSurfaceCubemapLayeredLayers
cudaDevAttrMaxTexture1DLinearWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture1DLinearWidth
cudaDevAttrMaxTexture2DLinearWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DLinearWidth
cudaDevAttrMaxTexture2DLinearHeight: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DLinearHeight
cudaDevAttrMaxTexture2DLinearPitch: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DLinearPitch
cudaDevAttrMaxTexture2DMipmappedWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DMipmappedWidth
cudaDevAttrMaxTexture2DMipmappedHeight: Final = cudaDeviceAttr.cudaDevAttrMaxTexture2DMipmappedHeight
cudaDevAttrComputeCapabilityMajor: Final = cudaDeviceAttr.cudaDevAttrComputeCapabilityMajor
cudaDevAttrComputeCapabilityMinor: Final = cudaDeviceAttr.cudaDevAttrComputeCapabilityMinor
cudaDevAttrMaxTexture1DMipmappedWidth: Final = cudaDeviceAttr.cudaDevAttrMaxTexture1DMipmappedWidth
cudaDevAttrStreamPrioritiesSupported: Final = cudaDeviceAttr.cudaDevAttrStreamPrioritiesSupported
cudaDevAttrGlobalL1CacheSupported: Final = cudaDeviceAttr.cudaDevAttrGlobalL1CacheSupported
cudaDevAttrLocalL1CacheSupported: Final = cudaDeviceAttr.cudaDevAttrLocalL1CacheSupported
cudaDevAttrMaxSharedMemoryPerMultiprocessor: Final = cudaDeviceAttr.cudaDevAttrMaxSharedMemoryPerMultiprocessor
cudaDevAttrMaxRegistersPerMultiprocessor: Final = cudaDeviceAttr.cudaDevAttrMaxRegistersPerMultiprocessor
cudaDevAttrManagedMemory: Final = cudaDeviceAttr.cudaDevAttrManagedMemory
cudaDevAttrIsMultiGpuBoard: Final = cudaDeviceAttr.cudaDevAttrIsMultiGpuBoard
cudaDevAttrMultiGpuBoardGroupID: Final = cudaDeviceAttr.cudaDevAttrMultiGpuBoardGroupID
cudaDevAttrHostNativeAtomicSupported: Final = cudaDeviceAttr.cudaDevAttrHostNativeAtomicSupported
cudaDevAttrSingleToDoublePrecisionPerfRatio: Final = cudaDeviceAttr.cudaDevAttrSingleToDoublePrecisionPerfRatio
cudaDevAttrPageableMemoryAccess: Final = cudaDeviceAttr.cudaDevAttrPageableMemoryAccess
cudaDevAttrConcurrentManagedAccess: Final = cudaDeviceAttr.cudaDevAttrConcurrentManagedAccess
cudaDevAttrComputePreemptionSupported: Final = cudaDeviceAttr.cudaDevAttrComputePreemptionSupported
cudaDevAttrCanUseHostPointerForRegisteredMem: Final = cudaDeviceAttr.cudaDevAttrCanUseHostPointerForRegisteredMem
cudaDevAttrReserved92: Final = cudaDeviceAttr.cudaDevAttrReserved92
cudaDevAttrReserved93: Final = cudaDeviceAttr.cudaDevAttrReserved93
cudaDevAttrReserved94: Final = cudaDeviceAttr.cudaDevAttrReserved94
cudaDevAttrCooperativeLaunch: Final = cudaDeviceAttr.cudaDevAttrCooperativeLaunch
cudaDevAttrReserved96: Final = cudaDeviceAttr.cudaDevAttrReserved96
cudaDevAttrMaxSharedMemoryPerBlockOptin: Final = cudaDeviceAttr.cudaDevAttrMaxSharedMemoryPerBlockOptin
cudaDevAttrCanFlushRemoteWrites: Final = cudaDeviceAttr.cudaDevAttrCanFlushRemoteWrites
cudaDevAttrHostRegisterSupported: Final = cudaDeviceAttr.cudaDevAttrHostRegisterSupported
cudaDevAttrPageableMemoryAccessUsesHostPageTables: Final = cudaDeviceAttr.cudaDevAttrPageableMemoryAccessUsesHostPageTables
cudaDevAttrDirectManagedMemAccessFromHost: Final = cudaDeviceAttr.cudaDevAttrDirectManagedMemAccessFromHost
cudaDevAttrMaxBlocksPerMultiprocessor: Final = cudaDeviceAttr.cudaDevAttrMaxBlocksPerMultiprocessor
cudaDevAttrMaxPersistingL2CacheSize: Final = cudaDeviceAttr.cudaDevAttrMaxPersistingL2CacheSize
cudaDevAttrMaxAccessPolicyWindowSize: Final = cudaDeviceAttr.cudaDevAttrMaxAccessPolicyWindowSize
cudaDevAttrReservedSharedMemoryPerBlock: Final = cudaDeviceAttr.cudaDevAttrReservedSharedMemoryPerBlock
cudaDevAttrSparseCudaArraySupported: Final = cudaDeviceAttr.cudaDevAttrSparseCudaArraySupported
cudaDevAttrHostRegisterReadOnlySupported: Final = cudaDeviceAttr.cudaDevAttrHostRegisterReadOnlySupported
cudaDevAttrTimelineSemaphoreInteropSupported: Final = cudaDeviceAttr.cudaDevAttrTimelineSemaphoreInteropSupported
cudaDevAttrMemoryPoolsSupported: Final = cudaDeviceAttr.cudaDevAttrMemoryPoolsSupported
cudaDevAttrGPUDirectRDMASupported: Final = cudaDeviceAttr.cudaDevAttrGPUDirectRDMASupported
cudaDevAttrGPUDirectRDMAFlushWritesOptions: Final = cudaDeviceAttr.cudaDevAttrGPUDirectRDMAFlushWritesOptions
cudaDevAttrGPUDirectRDMAWritesOrdering: Final = cudaDeviceAttr.cudaDevAttrGPUDirectRDMAWritesOrdering
cudaDevAttrMemoryPoolSupportedHandleTypes: Final = cudaDeviceAttr.cudaDevAttrMemoryPoolSupportedHandleTypes
cudaDevAttrClusterLaunch: Final = cudaDeviceAttr.cudaDevAttrClusterLaunch
cudaDevAttrDeferredMappingCudaArraySupported: Final = cudaDeviceAttr.cudaDevAttrDeferredMappingCudaArraySupported
cudaDevAttrReserved122: Final = cudaDeviceAttr.cudaDevAttrReserved122
cudaDevAttrReserved123: Final = cudaDeviceAttr.cudaDevAttrReserved123
cudaDevAttrReserved124: Final = cudaDeviceAttr.cudaDevAttrReserved124
cudaDevAttrIpcEventSupport: Final = cudaDeviceAttr.cudaDevAttrIpcEventSupport
cudaDevAttrMemSyncDomainCount: Final = cudaDeviceAttr.cudaDevAttrMemSyncDomainCount
cudaDevAttrReserved127: Final = cudaDeviceAttr.cudaDevAttrReserved127
cudaDevAttrReserved128: Final = cudaDeviceAttr.cudaDevAttrReserved128
cudaDevAttrReserved129: Final = cudaDeviceAttr.cudaDevAttrReserved129
cudaDevAttrNumaConfig: Final = cudaDeviceAttr.cudaDevAttrNumaConfig
cudaDevAttrNumaId: Final = cudaDeviceAttr.cudaDevAttrNumaId
cudaDevAttrReserved132: Final = cudaDeviceAttr.cudaDevAttrReserved132
cudaDevAttrMpsEnabled: Final = cudaDeviceAttr.cudaDevAttrMpsEnabled
cudaDevAttrHostNumaId: Final = cudaDeviceAttr.cudaDevAttrHostNumaId
cudaDevAttrD3D12CigSupported: Final = cudaDeviceAttr.cudaDevAttrD3D12CigSupported
cudaDevAttrVulkanCigSupported: Final = cudaDeviceAttr.cudaDevAttrVulkanCigSupported
cudaDevAttrGpuPciDeviceId: Final = cudaDeviceAttr.cudaDevAttrGpuPciDeviceId
cudaDevAttrGpuPciSubsystemId: Final = cudaDeviceAttr.cudaDevAttrGpuPciSubsystemId
cudaDevAttrReserved141: Final = cudaDeviceAttr.cudaDevAttrReserved141
cudaDevAttrHostNumaMemoryPoolsSupported: Final = cudaDeviceAttr.cudaDevAttrHostNumaMemoryPoolsSupported
cudaDevAttrHostNumaMultinodeIpcSupported: Final = cudaDeviceAttr.cudaDevAttrHostNumaMultinodeIpcSupported
cudaDevAttrHostMemoryPoolsSupported: Final = cudaDeviceAttr.cudaDevAttrHostMemoryPoolsSupported
cudaDevAttrReserved145: Final = cudaDeviceAttr.cudaDevAttrReserved145
cudaDevAttrOnlyPartialHostNativeAtomicSupported: Final = cudaDeviceAttr.cudaDevAttrOnlyPartialHostNativeAtomicSupported
cudaDevAttrMax: Final = cudaDeviceAttr.cudaDevAttrMax

class cudaMemPoolAttr(IntEnum):
    """CUDA memory pool attributes

    driver_types.h:2064
    """
    cudaMemPoolReuseFollowEventDependencies = 1
    """(value type = int) Allow cuMemAllocAsync to use memory asynchronously freed in another streams as long as a stream ordering dependency of the allocating stream on the free action exists. Cuda events and null stream interactions can create the required stream ordered dependencies. (default enabled)"""
    cudaMemPoolReuseAllowOpportunistic = 2
    """(value type = int) Allow reuse of already completed frees when there is no dependency between the free and allocation. (default enabled)"""
    cudaMemPoolReuseAllowInternalDependencies = 3
    """(value type = int) Allow cuMemAllocAsync to insert new stream dependencies in order to establish the stream ordering required to reuse a piece of memory released by cuFreeAsync (default enabled)."""
    cudaMemPoolAttrReleaseThreshold = 4
    """(value type = cuuint64_t) Amount of reserved memory in bytes to hold onto before trying to release memory back to the OS. When more than the release threshold bytes of memory are held by the memory pool, the allocator will try to release memory back to the OS on the next call to stream, event or context synchronize. (default 0)"""
    cudaMemPoolAttrReservedMemCurrent = 5
    """(value type = cuuint64_t) Amount of backing memory currently allocated for the mempool."""
    cudaMemPoolAttrReservedMemHigh = 6
    """(value type = cuuint64_t) High watermark of backing memory allocated for the mempool since the last time it was reset. High watermark can only be reset to zero."""
    cudaMemPoolAttrUsedMemCurrent = 7
    """(value type = cuuint64_t) Amount of memory from the pool that is currently in use by the application."""
    cudaMemPoolAttrUsedMemHigh = 8
    """(value type = cuuint64_t) High watermark of the amount of memory from the pool that was in use by the application since the last time it was reset. High watermark can only be reset to zero."""

cudaMemPoolReuseFollowEventDependencies: Final = cudaMemPoolAttr.cudaMemPoolReuseFollowEventDependencies
cudaMemPoolReuseAllowOpportunistic: Final = cudaMemPoolAttr.cudaMemPoolReuseAllowOpportunistic
cudaMemPoolReuseAllowInternalDependencies: Final = cudaMemPoolAttr.cudaMemPoolReuseAllowInternalDependencies
cudaMemPoolAttrReleaseThreshold: Final = cudaMemPoolAttr.cudaMemPoolAttrReleaseThreshold
cudaMemPoolAttrReservedMemCurrent: Final = cudaMemPoolAttr.cudaMemPoolAttrReservedMemCurrent
cudaMemPoolAttrReservedMemHigh: Final = cudaMemPoolAttr.cudaMemPoolAttrReservedMemHigh
cudaMemPoolAttrUsedMemCurrent: Final = cudaMemPoolAttr.cudaMemPoolAttrUsedMemCurrent
cudaMemPoolAttrUsedMemHigh: Final = cudaMemPoolAttr.cudaMemPoolAttrUsedMemHigh

class cudaMemLocationType(IntEnum):
    """Specifies the type of location

    driver_types.h:2132
    """
    cudaMemLocationTypeInvalid = 0
    cudaMemLocationTypeNone = 0
    """Location is unspecified. This is used when creating a managed memory pool to indicate no preferred location for the pool"""
    cudaMemLocationTypeDevice = 1
    """Location is a device location, thus id is a device ordinal"""
    cudaMemLocationTypeHost = 2
    """Location is host, id is ignored"""
    cudaMemLocationTypeHostNuma = 3
    """Location is a host NUMA node, thus id is a host NUMA node id"""
    cudaMemLocationTypeHostNumaCurrent = 4
    """Location is the host NUMA node closest to the current thread's CPU, id is ignored"""

cudaMemLocationTypeInvalid: Final = cudaMemLocationType.cudaMemLocationTypeInvalid
cudaMemLocationTypeNone: Final = cudaMemLocationType.cudaMemLocationTypeNone
cudaMemLocationTypeDevice: Final = cudaMemLocationType.cudaMemLocationTypeDevice
cudaMemLocationTypeHost: Final = cudaMemLocationType.cudaMemLocationTypeHost
cudaMemLocationTypeHostNuma: Final = cudaMemLocationType.cudaMemLocationTypeHostNuma
cudaMemLocationTypeHostNumaCurrent: Final = cudaMemLocationType.cudaMemLocationTypeHostNumaCurrent

class cudaMemAccessFlags(IntEnum):
    """Specifies the memory protection flags for mapping.

    driver_types.h:2155
    """
    cudaMemAccessFlagsProtNone = 0
    """Default, make the address range not accessible"""
    cudaMemAccessFlagsProtRead = 1
    """Make the address range read accessible"""
    cudaMemAccessFlagsProtReadWrite = 3
    """Make the address range read-write accessible"""

cudaMemAccessFlagsProtNone: Final = cudaMemAccessFlags.cudaMemAccessFlagsProtNone
cudaMemAccessFlagsProtRead: Final = cudaMemAccessFlags.cudaMemAccessFlagsProtRead
cudaMemAccessFlagsProtReadWrite: Final = cudaMemAccessFlags.cudaMemAccessFlagsProtReadWrite

class cudaMemAllocationType(IntEnum):
    """Defines the allocation types available

    driver_types.h:2172
    """
    cudaMemAllocationTypeInvalid = 0
    cudaMemAllocationTypePinned = 1
    """This allocation type is 'pinned', i.e. cannot migrate from its current location while the application is actively using it"""
    cudaMemAllocationTypeManaged = 2
    """This allocation type is managed memory"""
    cudaMemAllocationTypeMax = 2147483647
    """This allocation type is managed memory"""

cudaMemAllocationTypeInvalid: Final = cudaMemAllocationType.cudaMemAllocationTypeInvalid
cudaMemAllocationTypePinned: Final = cudaMemAllocationType.cudaMemAllocationTypePinned
cudaMemAllocationTypeManaged: Final = cudaMemAllocationType.cudaMemAllocationTypeManaged
cudaMemAllocationTypeMax: Final = cudaMemAllocationType.cudaMemAllocationTypeMax

class cudaMemAllocationHandleType(IntEnum):
    """Flags for specifying particular handle types

    driver_types.h:2187
    """
    cudaMemHandleTypeNone = 0
    """Does not allow any export mechanism. >"""
    cudaMemHandleTypePosixFileDescriptor = 1
    """Allows a file descriptor to be used for exporting. Permitted only on POSIX systems. (int)"""
    cudaMemHandleTypeWin32 = 2
    """Allows a Win32 NT handle to be used for exporting. (HANDLE)"""
    cudaMemHandleTypeWin32Kmt = 4
    """Allows a Win32 KMT handle to be used for exporting. (D3DKMT_HANDLE)"""
    cudaMemHandleTypeFabric = 8
    """Allows a fabric handle to be used for exporting. (cudaMemFabricHandle_t)"""

cudaMemHandleTypeNone: Final = cudaMemAllocationHandleType.cudaMemHandleTypeNone
cudaMemHandleTypePosixFileDescriptor: Final = cudaMemAllocationHandleType.cudaMemHandleTypePosixFileDescriptor
cudaMemHandleTypeWin32: Final = cudaMemAllocationHandleType.cudaMemHandleTypeWin32
cudaMemHandleTypeWin32Kmt: Final = cudaMemAllocationHandleType.cudaMemHandleTypeWin32Kmt
cudaMemHandleTypeFabric: Final = cudaMemAllocationHandleType.cudaMemHandleTypeFabric

class cudaGraphMemAttributeType(IntEnum):
    """Graph memory attributes

    driver_types.h:2267
    """
    cudaGraphMemAttrUsedMemCurrent = 0
    """(value type = cuuint64_t) Amount of memory, in bytes, currently associated with graphs."""
    cudaGraphMemAttrUsedMemHigh = 1
    """(value type = cuuint64_t) High watermark of memory, in bytes, associated with graphs since the last time it was reset. High watermark can only be reset to zero."""
    cudaGraphMemAttrReservedMemCurrent = 2
    """(value type = cuuint64_t) Amount of memory, in bytes, currently allocated for use by the CUDA graphs asynchronous allocator."""
    cudaGraphMemAttrReservedMemHigh = 3
    """(value type = cuuint64_t) High watermark of memory, in bytes, currently allocated for use by the CUDA graphs asynchronous allocator."""

cudaGraphMemAttrUsedMemCurrent: Final = cudaGraphMemAttributeType.cudaGraphMemAttrUsedMemCurrent
cudaGraphMemAttrUsedMemHigh: Final = cudaGraphMemAttributeType.cudaGraphMemAttrUsedMemHigh
cudaGraphMemAttrReservedMemCurrent: Final = cudaGraphMemAttributeType.cudaGraphMemAttrReservedMemCurrent
cudaGraphMemAttrReservedMemHigh: Final = cudaGraphMemAttributeType.cudaGraphMemAttrReservedMemHigh

class cudaMemcpyFlags(IntEnum):
    """Flags to specify for copies within a batch. For more details see cudaMemcpyBatchAsync.

    driver_types.h:2299
    """
    cudaMemcpyFlagDefault = 0
    cudaMemcpyFlagPreferOverlapWithCompute = 1
    """Hint to the driver to try and overlap the copy with compute work on the SMs."""

cudaMemcpyFlagDefault: Final = cudaMemcpyFlags.cudaMemcpyFlagDefault
cudaMemcpyFlagPreferOverlapWithCompute: Final = cudaMemcpyFlags.cudaMemcpyFlagPreferOverlapWithCompute

class cudaMemcpySrcAccessOrder(IntEnum):
    """driver_types.h:2308"""
    cudaMemcpySrcAccessOrderInvalid = 0
    """Default invalid."""
    cudaMemcpySrcAccessOrderStream = 1
    """Indicates that access to the source pointer must be in stream order."""
    cudaMemcpySrcAccessOrderDuringApiCall = 2
    """Indicates that access to the source pointer can be out of stream order and all accesses must be complete before the API call returns. This flag is suited for ephemeral sources (ex., stack variables) when it's known that no prior operations in the stream can be accessing the memory and also that the lifetime of the memory is limited to the scope that the source variable was declared in. Specifying this flag allows the driver to optimize the copy and removes the need for the user to synchronize the stream after the API call."""
    cudaMemcpySrcAccessOrderAny = 3
    """Indicates that access to the source pointer can be out of stream order and the accesses can happen even after the API call returns. This flag is suited for host pointers allocated outside CUDA (ex., via malloc) when it's known that no prior operations in the stream can be accessing the memory. Specifying this flag allows the driver to optimize the copy on certain platforms."""
    cudaMemcpySrcAccessOrderMax = 2147483647
    """Indicates that access to the source pointer can be out of stream order and the accesses can happen even after the API call returns. This flag is suited for host pointers allocated outside CUDA (ex., via malloc) when it's known that no prior operations in the stream can be accessing the memory. Specifying this flag allows the driver to optimize the copy on certain platforms."""

cudaMemcpySrcAccessOrderInvalid: Final = cudaMemcpySrcAccessOrder.cudaMemcpySrcAccessOrderInvalid
cudaMemcpySrcAccessOrderStream: Final = cudaMemcpySrcAccessOrder.cudaMemcpySrcAccessOrderStream
cudaMemcpySrcAccessOrderDuringApiCall: Final = cudaMemcpySrcAccessOrder.cudaMemcpySrcAccessOrderDuringApiCall
cudaMemcpySrcAccessOrderAny: Final = cudaMemcpySrcAccessOrder.cudaMemcpySrcAccessOrderAny
cudaMemcpySrcAccessOrderMax: Final = cudaMemcpySrcAccessOrder.cudaMemcpySrcAccessOrderMax

class cudaMemcpy3DOperandType(IntEnum):
    """These flags allow applications to convey the operand type for individual copies specified in cudaMemcpy3DBatchAsync.

    driver_types.h:2355
    """
    cudaMemcpyOperandTypePointer = 1
    """Memcpy operand is a valid pointer."""
    cudaMemcpyOperandTypeArray = 2
    """Memcpy operand is a CUarray."""
    cudaMemcpyOperandTypeMax = 2147483647

cudaMemcpyOperandTypePointer: Final = cudaMemcpy3DOperandType.cudaMemcpyOperandTypePointer
cudaMemcpyOperandTypeArray: Final = cudaMemcpy3DOperandType.cudaMemcpyOperandTypeArray
cudaMemcpyOperandTypeMax: Final = cudaMemcpy3DOperandType.cudaMemcpyOperandTypeMax

class cudaDeviceP2PAttr(IntEnum):
    """CUDA device P2P attributes

    driver_types.h:2408
    """
    cudaDevP2PAttrPerformanceRank = 1
    """A relative value indicating the performance of the link between two devices"""
    cudaDevP2PAttrAccessSupported = 2
    """Peer access is enabled"""
    cudaDevP2PAttrNativeAtomicSupported = 3
    """Native atomic operation over the link supported"""
    cudaDevP2PAttrCudaArrayAccessSupported = 4
    """Accessing CUDA arrays over the link supported"""
    cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5
    """Only some CUDA-valid atomic operations over the link are supported."""

cudaDevP2PAttrPerformanceRank: Final = cudaDeviceP2PAttr.cudaDevP2PAttrPerformanceRank
cudaDevP2PAttrAccessSupported: Final = cudaDeviceP2PAttr.cudaDevP2PAttrAccessSupported
cudaDevP2PAttrNativeAtomicSupported: Final = cudaDeviceP2PAttr.cudaDevP2PAttrNativeAtomicSupported
cudaDevP2PAttrCudaArrayAccessSupported: Final = cudaDeviceP2PAttr.cudaDevP2PAttrCudaArrayAccessSupported
cudaDevP2PAttrOnlyPartialNativeAtomicSupported: Final = cudaDeviceP2PAttr.cudaDevP2PAttrOnlyPartialNativeAtomicSupported

class cudaAtomicOperation(IntEnum):
    """CUDA-valid Atomic Operations

    driver_types.h:2421
    """
    cudaAtomicOperationIntegerAdd = 0
    cudaAtomicOperationIntegerMin = 1
    cudaAtomicOperationIntegerMax = 2
    cudaAtomicOperationIntegerIncrement = 3
    cudaAtomicOperationIntegerDecrement = 4
    cudaAtomicOperationAnd = 5
    cudaAtomicOperationOr = 6
    cudaAtomicOperationXOR = 7
    cudaAtomicOperationExchange = 8
    cudaAtomicOperationCAS = 9
    cudaAtomicOperationFloatAdd = 10
    cudaAtomicOperationFloatMin = 11
    cudaAtomicOperationFloatMax = 12

cudaAtomicOperationIntegerAdd: Final = cudaAtomicOperation.cudaAtomicOperationIntegerAdd
cudaAtomicOperationIntegerMin: Final = cudaAtomicOperation.cudaAtomicOperationIntegerMin
cudaAtomicOperationIntegerMax: Final = cudaAtomicOperation.cudaAtomicOperationIntegerMax
cudaAtomicOperationIntegerIncrement: Final = cudaAtomicOperation.cudaAtomicOperationIntegerIncrement
cudaAtomicOperationIntegerDecrement: Final = cudaAtomicOperation.cudaAtomicOperationIntegerDecrement
cudaAtomicOperationAnd: Final = cudaAtomicOperation.cudaAtomicOperationAnd
cudaAtomicOperationOr: Final = cudaAtomicOperation.cudaAtomicOperationOr
cudaAtomicOperationXOR: Final = cudaAtomicOperation.cudaAtomicOperationXOR
cudaAtomicOperationExchange: Final = cudaAtomicOperation.cudaAtomicOperationExchange
cudaAtomicOperationCAS: Final = cudaAtomicOperation.cudaAtomicOperationCAS
cudaAtomicOperationFloatAdd: Final = cudaAtomicOperation.cudaAtomicOperationFloatAdd
cudaAtomicOperationFloatMin: Final = cudaAtomicOperation.cudaAtomicOperationFloatMin
cudaAtomicOperationFloatMax: Final = cudaAtomicOperation.cudaAtomicOperationFloatMax

class cudaAtomicOperationCapability(IntEnum):
    """CUDA-valid Atomic Operation capabilities

    driver_types.h:2440
    """
    cudaAtomicCapabilitySigned = 1
    cudaAtomicCapabilityUnsigned = 2
    cudaAtomicCapabilityReduction = 4
    cudaAtomicCapabilityScalar32 = 8
    cudaAtomicCapabilityScalar64 = 16
    cudaAtomicCapabilityScalar128 = 32
    cudaAtomicCapabilityVector32x4 = 64

cudaAtomicCapabilitySigned: Final = cudaAtomicOperationCapability.cudaAtomicCapabilitySigned
cudaAtomicCapabilityUnsigned: Final = cudaAtomicOperationCapability.cudaAtomicCapabilityUnsigned
cudaAtomicCapabilityReduction: Final = cudaAtomicOperationCapability.cudaAtomicCapabilityReduction
cudaAtomicCapabilityScalar32: Final = cudaAtomicOperationCapability.cudaAtomicCapabilityScalar32
cudaAtomicCapabilityScalar64: Final = cudaAtomicOperationCapability.cudaAtomicCapabilityScalar64
cudaAtomicCapabilityScalar128: Final = cudaAtomicOperationCapability.cudaAtomicCapabilityScalar128
cudaAtomicCapabilityVector32x4: Final = cudaAtomicOperationCapability.cudaAtomicCapabilityVector32x4

class cudaExternalMemoryHandleType(IntEnum):
    """External memory handle types

    driver_types.h:2596
    """
    cudaExternalMemoryHandleTypeOpaqueFd = 1
    """Handle is an opaque file descriptor"""
    cudaExternalMemoryHandleTypeOpaqueWin32 = 2
    """Handle is an opaque shared NT handle"""
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3
    """Handle is an opaque, globally shared handle"""
    cudaExternalMemoryHandleTypeD3D12Heap = 4
    """Handle is a D3D12 heap object"""
    cudaExternalMemoryHandleTypeD3D12Resource = 5
    """Handle is a D3D12 committed resource"""
    cudaExternalMemoryHandleTypeD3D11Resource = 6
    """Handle is a shared NT handle to a D3D11 resource"""
    cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7
    """Handle is a globally shared handle to a D3D11 resource"""
    cudaExternalMemoryHandleTypeNvSciBuf = 8
    """Handle is an NvSciBuf object"""

cudaExternalMemoryHandleTypeOpaqueFd: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeOpaqueFd
cudaExternalMemoryHandleTypeOpaqueWin32: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeOpaqueWin32
cudaExternalMemoryHandleTypeOpaqueWin32Kmt: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeOpaqueWin32Kmt
cudaExternalMemoryHandleTypeD3D12Heap: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeD3D12Heap
cudaExternalMemoryHandleTypeD3D12Resource: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeD3D12Resource
cudaExternalMemoryHandleTypeD3D11Resource: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeD3D11Resource
cudaExternalMemoryHandleTypeD3D11ResourceKmt: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeD3D11ResourceKmt
cudaExternalMemoryHandleTypeNvSciBuf: Final = cudaExternalMemoryHandleType.cudaExternalMemoryHandleTypeNvSciBuf

class cudaExternalSemaphoreHandleType(IntEnum):
    """External semaphore handle types

    driver_types.h:2786
    """
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1
    """Handle is an opaque file descriptor"""
    cudaExternalSemaphoreHandleTypeOpaqueWin32 = 2
    """Handle is an opaque shared NT handle"""
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3
    """Handle is an opaque, globally shared handle"""
    cudaExternalSemaphoreHandleTypeD3D12Fence = 4
    """Handle is a shared NT handle referencing a D3D12 fence object"""
    cudaExternalSemaphoreHandleTypeD3D11Fence = 5
    """Handle is a shared NT handle referencing a D3D11 fence object"""
    cudaExternalSemaphoreHandleTypeNvSciSync = 6
    """Opaque handle to NvSciSync Object"""
    cudaExternalSemaphoreHandleTypeKeyedMutex = 7
    """Handle is a shared NT handle referencing a D3D11 keyed mutex object"""
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt = 8
    """Handle is a shared KMT handle referencing a D3D11 keyed mutex object"""
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9
    """Handle is an opaque handle file descriptor referencing a timeline semaphore"""
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10
    """Handle is an opaque handle file descriptor referencing a timeline semaphore"""

cudaExternalSemaphoreHandleTypeOpaqueFd: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeOpaqueFd
cudaExternalSemaphoreHandleTypeOpaqueWin32: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeOpaqueWin32
cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt
cudaExternalSemaphoreHandleTypeD3D12Fence: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeD3D12Fence
cudaExternalSemaphoreHandleTypeD3D11Fence: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeD3D11Fence
cudaExternalSemaphoreHandleTypeNvSciSync: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeNvSciSync
cudaExternalSemaphoreHandleTypeKeyedMutex: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeKeyedMutex
cudaExternalSemaphoreHandleTypeKeyedMutexKmt: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeKeyedMutexKmt
cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd
cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32: Final = cudaExternalSemaphoreHandleType.cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32

class cudaJitOption(IntEnum):
    """Online compiler and linker options

    driver_types.h:3053
    """
    cudaJitMaxRegisters = 0
    """Max number of registers that a thread may use.\\n Option type: unsigned int\\n Applies to: compiler only"""
    cudaJitThreadsPerBlock = 1
    """IN: Specifies minimum number of threads per block to target compilation for\\n OUT: Returns the number of threads the compiler actually targeted. This restricts the resource utilization of the compiler (e.g. max registers) such that a block with the given number of threads should be able to launch based on register limitations. Note, this option does not currently take into account any other resource limitations, such as shared memory utilization.\\n Option type: unsigned int\\n Applies to: compiler only"""
    cudaJitWallTime = 2
    """Overwrites the option value with the total wall clock time, in milliseconds, spent in the compiler and linker\\n Option type: float\\n Applies to: compiler and linker"""
    cudaJitInfoLogBuffer = 3
    """Pointer to a buffer in which to print any log messages that are informational in nature (the buffer size is specified via option cudaJitInfoLogBufferSizeBytes)\\n Option type: char *\\n Applies to: compiler and linker"""
    cudaJitInfoLogBufferSizeBytes = 4
    """IN: Log buffer size in bytes. Log messages will be capped at this size (including null terminator)\\n OUT: Amount of log buffer filled with messages\\n Option type: unsigned int\\n Applies to: compiler and linker"""
    cudaJitErrorLogBuffer = 5
    """Pointer to a buffer in which to print any log messages that reflect errors (the buffer size is specified via option cudaJitErrorLogBufferSizeBytes)\\n Option type: char *\\n Applies to: compiler and linker"""
    cudaJitErrorLogBufferSizeBytes = 6
    """IN: Log buffer size in bytes. Log messages will be capped at this size (including null terminator)\\n OUT: Amount of log buffer filled with messages\\n Option type: unsigned int\\n Applies to: compiler and linker"""
    cudaJitOptimizationLevel = 7
    """Level of optimizations to apply to generated code (0 - 4), with 4 being the default and highest level of optimizations.\\n Option type: unsigned int\\n Applies to: compiler only"""
    cudaJitFallbackStrategy = 10
    """Specifies choice of fallback strategy if matching cubin is not found. Choice is based on supplied cudaJit_Fallback. Option type: unsigned int for enumerated type cudaJit_Fallback\\n Applies to: compiler only"""
    cudaJitGenerateDebugInfo = 11
    """Specifies whether to create debug information in output (-g) (0: false, default)\\n Option type: int\\n Applies to: compiler and linker"""
    cudaJitLogVerbose = 12
    """Generate verbose log messages (0: false, default)\\n Option type: int\\n Applies to: compiler and linker"""
    cudaJitGenerateLineInfo = 13
    """Generate line number information (-lineinfo) (0: false, default)\\n Option type: int\\n Applies to: compiler only"""
    cudaJitCacheMode = 14
    """Specifies whether to enable caching explicitly (-dlcm) Choice is based on supplied cudaJit_CacheMode.\\n Option type: unsigned int for enumerated type cudaJit_CacheMode\\n Applies to: compiler only"""
    cudaJitPositionIndependentCode = 30
    """Generate position independent code (0: false)\\n Option type: int\\n Applies to: compiler only"""
    cudaJitMinCtaPerSm = 31
    """This option hints to the JIT compiler the minimum number of CTAs from the kernel’s grid to be mapped to a SM. This option is ignored when used together with cudaJitMaxRegisters or cudaJitThreadsPerBlock. Optimizations based on this option need cudaJitMaxThreadsPerBlock to be specified as well. For kernels already using PTX directive .minnctapersm, this option will be ignored by default. Use cudaJitOverrideDirectiveValues to let this option take precedence over the PTX directive. Option type: unsigned int\\n Applies to: compiler only"""
    cudaJitMaxThreadsPerBlock = 32
    """Maximum number threads in a thread block, computed as the product of the maximum extent specifed for each dimension of the block. This limit is guaranteed not to be exeeded in any invocation of the kernel. Exceeding the the maximum number of threads results in runtime error or kernel launch failure. For kernels already using PTX directive .maxntid, this option will be ignored by default. Use cudaJitOverrideDirectiveValues to let this option take precedence over the PTX directive. Option type: int\\n Applies to: compiler only"""
    cudaJitOverrideDirectiveValues = 33
    """This option lets the values specified using cudaJitMaxRegisters, cudaJitThreadsPerBlock, cudaJitMaxThreadsPerBlock and cudaJitMinCtaPerSm take precedence over any PTX directives. (0: Disable, default; 1: Enable) Option type: int\\n Applies to: compiler only"""

cudaJitMaxRegisters: Final = cudaJitOption.cudaJitMaxRegisters
cudaJitThreadsPerBlock: Final = cudaJitOption.cudaJitThreadsPerBlock
cudaJitWallTime: Final = cudaJitOption.cudaJitWallTime
cudaJitInfoLogBuffer: Final = cudaJitOption.cudaJitInfoLogBuffer
cudaJitInfoLogBufferSizeBytes: Final = cudaJitOption.cudaJitInfoLogBufferSizeBytes
cudaJitErrorLogBuffer: Final = cudaJitOption.cudaJitErrorLogBuffer
cudaJitErrorLogBufferSizeBytes: Final = cudaJitOption.cudaJitErrorLogBufferSizeBytes
cudaJitOptimizationLevel: Final = cudaJitOption.cudaJitOptimizationLevel
cudaJitFallbackStrategy: Final = cudaJitOption.cudaJitFallbackStrategy
cudaJitGenerateDebugInfo: Final = cudaJitOption.cudaJitGenerateDebugInfo
cudaJitLogVerbose: Final = cudaJitOption.cudaJitLogVerbose
cudaJitGenerateLineInfo: Final = cudaJitOption.cudaJitGenerateLineInfo
cudaJitCacheMode: Final = cudaJitOption.cudaJitCacheMode
cudaJitPositionIndependentCode: Final = cudaJitOption.cudaJitPositionIndependentCode
cudaJitMinCtaPerSm: Final = cudaJitOption.cudaJitMinCtaPerSm
cudaJitMaxThreadsPerBlock: Final = cudaJitOption.cudaJitMaxThreadsPerBlock
cudaJitOverrideDirectiveValues: Final = cudaJitOption.cudaJitOverrideDirectiveValues

class cudaLibraryOption(IntEnum):
    """Library options to be specified with cudaLibraryLoadData() or cudaLibraryLoadFromFile()

    driver_types.h:3214
    """
    cudaLibraryHostUniversalFunctionAndDataTable = 0
    cudaLibraryBinaryIsPreserved = 1
    """Specifes that the argument code passed to cudaLibraryLoadData() will be preserved. Specifying this option will let the driver know that code can be accessed at any point until cudaLibraryUnload(). The default behavior is for the driver to allocate and maintain its own copy of code. Note that this is only a memory usage optimization hint and the driver can choose to ignore it if required. Specifying this option with cudaLibraryLoadFromFile() is invalid and will return cudaErrorInvalidValue."""

cudaLibraryHostUniversalFunctionAndDataTable: Final = cudaLibraryOption.cudaLibraryHostUniversalFunctionAndDataTable
cudaLibraryBinaryIsPreserved: Final = cudaLibraryOption.cudaLibraryBinaryIsPreserved

class cudaJit_CacheMode(IntEnum):
    """Caching modes for dlcm

    driver_types.h:3241
    """
    cudaJitCacheOptionNone = 0
    """Compile with no -dlcm flag specified"""
    cudaJitCacheOptionCG = 1
    """Compile with L1 cache disabled"""
    cudaJitCacheOptionCA = 2
    """Compile with L1 cache enabled"""

cudaJitCacheOptionNone: Final = cudaJit_CacheMode.cudaJitCacheOptionNone
cudaJitCacheOptionCG: Final = cudaJit_CacheMode.cudaJitCacheOptionCG
cudaJitCacheOptionCA: Final = cudaJit_CacheMode.cudaJitCacheOptionCA

class cudaJit_Fallback(IntEnum):
    """Cubin matching fallback strategies

    driver_types.h:3251
    """
    cudaPreferPtx = 0
    """Prefer to compile ptx if exact binary match not found"""
    cudaPreferBinary = 1
    """Prefer to fall back to compatible binary code if exact match not found"""

cudaPreferPtx: Final = cudaJit_Fallback.cudaPreferPtx
cudaPreferBinary: Final = cudaJit_Fallback.cudaPreferBinary

class cudaCGScope(IntEnum):
    """CUDA cooperative group scope

    driver_types.h:3271
    """
    cudaCGScopeInvalid = 0
    """Invalid cooperative group scope"""
    cudaCGScopeGrid = 1
    """Scope represented by a grid_group"""
    cudaCGScopeReserved = 2
    """Reserved"""

cudaCGScopeInvalid: Final = cudaCGScope.cudaCGScopeInvalid
cudaCGScopeGrid: Final = cudaCGScope.cudaCGScopeGrid
cudaCGScopeReserved: Final = cudaCGScope.cudaCGScopeReserved

class cudaGraphConditionalHandleFlags(IntEnum):
    """driver_types.h:3343"""
    cudaGraphCondAssignDefault = 1
    """Apply default handle value when graph is launched."""

cudaGraphCondAssignDefault: Final = cudaGraphConditionalHandleFlags.cudaGraphCondAssignDefault

class cudaGraphConditionalNodeType(IntEnum):
    """CUDA conditional node types

    driver_types.h:3350
    """
    cudaGraphCondTypeIf = 0
    """Conditional 'if/else' Node. Body[0] executed if condition is non-zero. If size == 2, an optional ELSE graph is created and this is executed if the condition is zero."""
    cudaGraphCondTypeWhile = 1
    """Conditional 'while' Node. Body executed repeatedly while condition value is non-zero."""
    cudaGraphCondTypeSwitch = 2
    """Conditional 'switch' Node. Body[n] is executed once, where 'n' is the value of the condition. If the condition does not match a body index, no body is launched."""

cudaGraphCondTypeIf: Final = cudaGraphConditionalNodeType.cudaGraphCondTypeIf
cudaGraphCondTypeWhile: Final = cudaGraphConditionalNodeType.cudaGraphCondTypeWhile
cudaGraphCondTypeSwitch: Final = cudaGraphConditionalNodeType.cudaGraphCondTypeSwitch

class cudaGraphNodeType(IntEnum):
    """CUDA Graph node types

    driver_types.h:3390
    """
    cudaGraphNodeTypeKernel = 0
    """GPU kernel node"""
    cudaGraphNodeTypeMemcpy = 1
    """Memcpy node"""
    cudaGraphNodeTypeMemset = 2
    """Memset node"""
    cudaGraphNodeTypeHost = 3
    """Host (executable) node"""
    cudaGraphNodeTypeGraph = 4
    """Node which executes an embedded graph"""
    cudaGraphNodeTypeEmpty = 5
    """Empty (no-op) node"""
    cudaGraphNodeTypeWaitEvent = 6
    """External event wait node"""
    cudaGraphNodeTypeEventRecord = 7
    """External event record node"""
    cudaGraphNodeTypeExtSemaphoreSignal = 8
    """External semaphore signal node"""
    cudaGraphNodeTypeExtSemaphoreWait = 9
    """External semaphore wait node"""
    cudaGraphNodeTypeMemAlloc = 10
    """Memory allocation node"""
    cudaGraphNodeTypeMemFree = 11
    """Memory free node"""
    cudaGraphNodeTypeConditional = 13
    """Conditional node

    May be used to implement a conditional execution path or loop inside of a graph. The graph(s) contained within the body of the conditional node can be selectively executed or iterated upon based on the value of a conditional variable.

    Handles must be created in advance of creating the node using cudaGraphConditionalHandleCreate.

    The following restrictions apply to graphs which contain conditional nodes: The graph cannot be used in a child node. Only one instantiation of the graph may exist at any point in time. The graph cannot be cloned.

    To set the control value, supply a default value when creating the handle and/or call cudaGraphSetConditional from device code.
    """
    cudaGraphNodeTypeCount = 14

cudaGraphNodeTypeKernel: Final = cudaGraphNodeType.cudaGraphNodeTypeKernel
cudaGraphNodeTypeMemcpy: Final = cudaGraphNodeType.cudaGraphNodeTypeMemcpy
cudaGraphNodeTypeMemset: Final = cudaGraphNodeType.cudaGraphNodeTypeMemset
cudaGraphNodeTypeHost: Final = cudaGraphNodeType.cudaGraphNodeTypeHost
cudaGraphNodeTypeGraph: Final = cudaGraphNodeType.cudaGraphNodeTypeGraph
cudaGraphNodeTypeEmpty: Final = cudaGraphNodeType.cudaGraphNodeTypeEmpty
cudaGraphNodeTypeWaitEvent: Final = cudaGraphNodeType.cudaGraphNodeTypeWaitEvent
cudaGraphNodeTypeEventRecord: Final = cudaGraphNodeType.cudaGraphNodeTypeEventRecord
cudaGraphNodeTypeExtSemaphoreSignal: Final = cudaGraphNodeType.cudaGraphNodeTypeExtSemaphoreSignal
cudaGraphNodeTypeExtSemaphoreWait: Final = cudaGraphNodeType.cudaGraphNodeTypeExtSemaphoreWait
cudaGraphNodeTypeMemAlloc: Final = cudaGraphNodeType.cudaGraphNodeTypeMemAlloc
cudaGraphNodeTypeMemFree: Final = cudaGraphNodeType.cudaGraphNodeTypeMemFree
cudaGraphNodeTypeConditional: Final = cudaGraphNodeType.cudaGraphNodeTypeConditional
cudaGraphNodeTypeCount: Final = cudaGraphNodeType.cudaGraphNodeTypeCount

class cudaGraphChildGraphNodeOwnership(IntEnum):
    """Child graph node ownership

    driver_types.h:3426
    """
    cudaGraphChildGraphOwnershipClone = 0
    """Default behavior for a child graph node. Child graph is cloned into the parent and memory allocation/free nodes can't be present in the child graph."""
    cudaGraphChildGraphOwnershipMove = 1
    """The child graph is moved to the parent. The handle to the child graph is owned by the parent and will be destroyed when the parent is destroyed.

    The following restrictions apply to child graphs after they have been moved: Cannot be independently instantiated or destroyed; Cannot be added as a child graph of a separate parent graph; Cannot be used as an argument to cudaGraphExecUpdate; Cannot have additional memory allocation or free nodes added.
    """

cudaGraphChildGraphOwnershipClone: Final = cudaGraphChildGraphNodeOwnership.cudaGraphChildGraphOwnershipClone
cudaGraphChildGraphOwnershipMove: Final = cudaGraphChildGraphNodeOwnership.cudaGraphChildGraphOwnershipMove

class cudaGraphDependencyType(IntEnum):
    """Type annotations that can be applied to graph edges as part of cudaGraphEdgeData.

    driver_types.h:3497
    """
    cudaGraphDependencyTypeDefault = 0
    """This is an ordinary dependency."""
    cudaGraphDependencyTypeProgrammatic = 1
    """This dependency type allows the downstream node to use cudaGridDependencySynchronize(). It may only be used between kernel nodes, and must be used with either the cudaGraphKernelNodePortProgrammatic or cudaGraphKernelNodePortLaunchCompletion outgoing port."""

cudaGraphDependencyTypeDefault: Final = cudaGraphDependencyType.cudaGraphDependencyTypeDefault
cudaGraphDependencyTypeProgrammatic: Final = cudaGraphDependencyType.cudaGraphDependencyTypeProgrammatic

class cudaGraphExecUpdateResult(IntEnum):
    """CUDA Graph Update error types

    driver_types.h:3560
    """
    cudaGraphExecUpdateSuccess = 0
    """The update succeeded"""
    cudaGraphExecUpdateError = 1
    """The update failed for an unexpected reason which is described in the return value of the function"""
    cudaGraphExecUpdateErrorTopologyChanged = 2
    """The update failed because the topology changed"""
    cudaGraphExecUpdateErrorNodeTypeChanged = 3
    """The update failed because a node type changed"""
    cudaGraphExecUpdateErrorFunctionChanged = 4
    """The update failed because the function of a kernel node changed (CUDA driver < 11.2)"""
    cudaGraphExecUpdateErrorParametersChanged = 5
    """The update failed because the parameters changed in a way that is not supported"""
    cudaGraphExecUpdateErrorNotSupported = 6
    """The update failed because something about the node is not supported"""
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7
    """The update failed because the function of a kernel node changed in an unsupported way"""
    cudaGraphExecUpdateErrorAttributesChanged = 8
    """The update failed because the node attributes changed in a way that is not supported"""

cudaGraphExecUpdateSuccess: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateSuccess
cudaGraphExecUpdateError: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateError
cudaGraphExecUpdateErrorTopologyChanged: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateErrorTopologyChanged
cudaGraphExecUpdateErrorNodeTypeChanged: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateErrorNodeTypeChanged
cudaGraphExecUpdateErrorFunctionChanged: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateErrorFunctionChanged
cudaGraphExecUpdateErrorParametersChanged: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateErrorParametersChanged
cudaGraphExecUpdateErrorNotSupported: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateErrorNotSupported
cudaGraphExecUpdateErrorUnsupportedFunctionChange: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateErrorUnsupportedFunctionChange
cudaGraphExecUpdateErrorAttributesChanged: Final = cudaGraphExecUpdateResult.cudaGraphExecUpdateErrorAttributesChanged

class cudaGraphInstantiateResult(IntEnum):
    """Graph instantiation results

    driver_types.h:3575
    """
    cudaGraphInstantiateSuccess = 0
    """Instantiation succeeded"""
    cudaGraphInstantiateError = 1
    """Instantiation failed for an unexpected reason which is described in the return value of the function"""
    cudaGraphInstantiateInvalidStructure = 2
    """Instantiation failed due to invalid structure, such as cycles"""
    cudaGraphInstantiateNodeOperationNotSupported = 3
    """Instantiation for device launch failed because the graph contained an unsupported operation"""
    cudaGraphInstantiateMultipleDevicesNotSupported = 4
    """Instantiation for device launch failed due to the nodes belonging to different contexts"""
    cudaGraphInstantiateConditionalHandleUnused = 5
    """One or more conditional handles are not associated with conditional nodes"""

cudaGraphInstantiateSuccess: Final = cudaGraphInstantiateResult.cudaGraphInstantiateSuccess
cudaGraphInstantiateError: Final = cudaGraphInstantiateResult.cudaGraphInstantiateError
cudaGraphInstantiateInvalidStructure: Final = cudaGraphInstantiateResult.cudaGraphInstantiateInvalidStructure
cudaGraphInstantiateNodeOperationNotSupported: Final = cudaGraphInstantiateResult.cudaGraphInstantiateNodeOperationNotSupported
cudaGraphInstantiateMultipleDevicesNotSupported: Final = cudaGraphInstantiateResult.cudaGraphInstantiateMultipleDevicesNotSupported
cudaGraphInstantiateConditionalHandleUnused: Final = cudaGraphInstantiateResult.cudaGraphInstantiateConditionalHandleUnused

class cudaGraphKernelNodeField(IntEnum):
    """Specifies the field to update when performing multiple node updates from the device

    driver_types.h:3625
    """
    cudaGraphKernelNodeFieldInvalid = 0
    """Invalid field"""
    cudaGraphKernelNodeFieldGridDim = 1
    """Grid dimension update"""
    cudaGraphKernelNodeFieldParam = 2
    """Kernel parameter update"""
    cudaGraphKernelNodeFieldEnabled = 3
    """Node enable/disable"""

cudaGraphKernelNodeFieldInvalid: Final = cudaGraphKernelNodeField.cudaGraphKernelNodeFieldInvalid
cudaGraphKernelNodeFieldGridDim: Final = cudaGraphKernelNodeField.cudaGraphKernelNodeFieldGridDim
cudaGraphKernelNodeFieldParam: Final = cudaGraphKernelNodeField.cudaGraphKernelNodeFieldParam
cudaGraphKernelNodeFieldEnabled: Final = cudaGraphKernelNodeField.cudaGraphKernelNodeFieldEnabled

class cudaGetDriverEntryPointFlags(IntEnum):
    """Flags to specify search options to be used with cudaGetDriverEntryPoint For more details see cuGetProcAddress

    driver_types.h:3659
    """
    cudaEnableDefault = 0
    """Default search mode for driver symbols."""
    cudaEnableLegacyStream = 1
    """Search for legacy versions of driver symbols."""
    cudaEnablePerThreadDefaultStream = 2
    """Search for per-thread versions of driver symbols."""

cudaEnableDefault: Final = cudaGetDriverEntryPointFlags.cudaEnableDefault
cudaEnableLegacyStream: Final = cudaGetDriverEntryPointFlags.cudaEnableLegacyStream
cudaEnablePerThreadDefaultStream: Final = cudaGetDriverEntryPointFlags.cudaEnablePerThreadDefaultStream

class cudaDriverEntryPointQueryResult(IntEnum):
    """Enum for status from obtaining driver entry points, used with cudaApiGetDriverEntryPoint

    driver_types.h:3668
    """
    cudaDriverEntryPointSuccess = 0
    """Search for symbol found a match"""
    cudaDriverEntryPointSymbolNotFound = 1
    """Search for symbol was not found"""
    cudaDriverEntryPointVersionNotSufficent = 2
    """Search for symbol was found but version wasn't great enough"""

cudaDriverEntryPointSuccess: Final = cudaDriverEntryPointQueryResult.cudaDriverEntryPointSuccess
cudaDriverEntryPointSymbolNotFound: Final = cudaDriverEntryPointQueryResult.cudaDriverEntryPointSymbolNotFound
cudaDriverEntryPointVersionNotSufficent: Final = cudaDriverEntryPointQueryResult.cudaDriverEntryPointVersionNotSufficent

class cudaGraphDebugDotFlags(IntEnum):
    """CUDA Graph debug write options

    driver_types.h:3677
    """
    cudaGraphDebugDotFlagsVerbose = 1
    """Output all debug data as if every debug flag is enabled"""
    cudaGraphDebugDotFlagsKernelNodeParams = 4
    """Adds cudaKernelNodeParams to output"""
    cudaGraphDebugDotFlagsMemcpyNodeParams = 8
    """Adds cudaMemcpy3DParms to output"""
    cudaGraphDebugDotFlagsMemsetNodeParams = 16
    """Adds cudaMemsetParams to output"""
    cudaGraphDebugDotFlagsHostNodeParams = 32
    """Adds cudaHostNodeParams to output"""
    cudaGraphDebugDotFlagsEventNodeParams = 64
    """Adds cudaEvent_t handle from record and wait nodes to output"""
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 128
    """Adds cudaExternalSemaphoreSignalNodeParams values to output"""
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 256
    """Adds cudaExternalSemaphoreWaitNodeParams to output"""
    cudaGraphDebugDotFlagsKernelNodeAttributes = 512
    """Adds cudaKernelNodeAttrID values to output"""
    cudaGraphDebugDotFlagsHandles = 1024
    """Adds node handles and every kernel function handle to output"""
    cudaGraphDebugDotFlagsConditionalNodeParams = 32768
    """Adds cudaConditionalNodeParams to output"""

cudaGraphDebugDotFlagsVerbose: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsVerbose
cudaGraphDebugDotFlagsKernelNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsKernelNodeParams
cudaGraphDebugDotFlagsMemcpyNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsMemcpyNodeParams
cudaGraphDebugDotFlagsMemsetNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsMemsetNodeParams
cudaGraphDebugDotFlagsHostNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsHostNodeParams
cudaGraphDebugDotFlagsEventNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsEventNodeParams
cudaGraphDebugDotFlagsExtSemasSignalNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsExtSemasSignalNodeParams
cudaGraphDebugDotFlagsExtSemasWaitNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsExtSemasWaitNodeParams
cudaGraphDebugDotFlagsKernelNodeAttributes: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsKernelNodeAttributes
cudaGraphDebugDotFlagsHandles: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsHandles
cudaGraphDebugDotFlagsConditionalNodeParams: Final = cudaGraphDebugDotFlags.cudaGraphDebugDotFlagsConditionalNodeParams

class cudaGraphInstantiateFlags(IntEnum):
    """Flags for instantiating a graph

    driver_types.h:3694
    """
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1
    """Automatically free memory allocated in a graph before relaunching."""
    cudaGraphInstantiateFlagUpload = 2
    """Automatically upload the graph after instantiation. Only supported by cudaGraphInstantiateWithParams. The upload will be performed using the stream provided in instantiateParams."""
    cudaGraphInstantiateFlagDeviceLaunch = 4
    """Instantiate the graph to be launchable from the device. This flag can only be used on platforms which support unified addressing. This flag cannot be used in conjunction with cudaGraphInstantiateFlagAutoFreeOnLaunch."""
    cudaGraphInstantiateFlagUseNodePriority = 8
    """Run the graph using the per-node priority attributes rather than the priority of the stream it is launched into."""

cudaGraphInstantiateFlagAutoFreeOnLaunch: Final = cudaGraphInstantiateFlags.cudaGraphInstantiateFlagAutoFreeOnLaunch
cudaGraphInstantiateFlagUpload: Final = cudaGraphInstantiateFlags.cudaGraphInstantiateFlagUpload
cudaGraphInstantiateFlagDeviceLaunch: Final = cudaGraphInstantiateFlags.cudaGraphInstantiateFlagDeviceLaunch
cudaGraphInstantiateFlagUseNodePriority: Final = cudaGraphInstantiateFlags.cudaGraphInstantiateFlagUseNodePriority

class cudaLaunchMemSyncDomain(IntEnum):
    """Memory Synchronization Domain

    A kernel can be launched in a specified memory synchronization domain that affects all memory operations issued by that kernel. A memory barrier issued in one domain will only order memory operations in that domain, thus eliminating latency increase from memory barriers ordering unrelated traffic.

    By default, kernels are launched in domain 0. Kernel launched with cudaLaunchMemSyncDomainRemote will have a different domain ID. User may also alter the domain ID with cudaLaunchMemSyncDomainMap for a specific stream / graph node / kernel launch. See cudaLaunchAttributeMemSyncDomain, cudaStreamSetAttribute, cudaLaunchKernelEx, cudaGraphKernelNodeSetAttribute.

    Memory operations done in kernels launched in different domains are considered system-scope distanced. In other words, a GPU scoped memory synchronization is not sufficient for memory order to be observed by kernels in another memory synchronization domain even if they are on the same GPU.

    driver_types.h:3722
    """
    cudaLaunchMemSyncDomainDefault = 0
    """Launch kernels in the default domain"""
    cudaLaunchMemSyncDomainRemote = 1
    """Launch kernels in the remote domain"""

cudaLaunchMemSyncDomainDefault: Final = cudaLaunchMemSyncDomain.cudaLaunchMemSyncDomainDefault
cudaLaunchMemSyncDomainRemote: Final = cudaLaunchMemSyncDomain.cudaLaunchMemSyncDomainRemote

class cudaLaunchAttributeID(IntEnum):
    """Launch attributes enum; used as id field of cudaLaunchAttribute

    driver_types.h:3746
    """
    cudaLaunchAttributeIgnore = 0
    """Ignored entry, for convenient composition"""
    cudaLaunchAttributeAccessPolicyWindow = 1
    """Valid for streams, graph nodes, launches. See cudaLaunchAttributeValueaccessPolicyWindow."""
    cudaLaunchAttributeCooperative = 2
    """Valid for graph nodes, launches. See cudaLaunchAttributeValuecooperative."""
    cudaLaunchAttributeSynchronizationPolicy = 3
    """Valid for streams. See cudaLaunchAttributeValuesyncPolicy."""
    cudaLaunchAttributeClusterDimension = 4
    """Valid for graph nodes, launches. See cudaLaunchAttributeValueclusterDim."""
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5
    """Valid for graph nodes, launches. See cudaLaunchAttributeValueclusterSchedulingPolicyPreference."""
    cudaLaunchAttributeProgrammaticStreamSerialization = 6
    """Valid for launches. Setting cudaLaunchAttributeValueprogrammaticStreamSerializationAllowed to non-0 signals that the kernel will use programmatic means to resolve its stream dependency, so that the CUDA runtime should opportunistically allow the grid's execution to overlap with the previous kernel in the stream, if that kernel requests the overlap. The dependent launches can choose to wait on the dependency using the programmatic sync (cudaGridDependencySynchronize() or equivalent PTX instructions)."""
    cudaLaunchAttributeProgrammaticEvent = 7
    """Valid for launches. Set cudaLaunchAttributeValueprogrammaticEvent to record the event. Event recorded through this launch attribute is guaranteed to only trigger after all block in the associated kernel trigger the event. A block can trigger the event programmatically in a future CUDA release. A trigger can also be inserted at the beginning of each block's execution if triggerAtBlockStart is set to non-0. The dependent launches can choose to wait on the dependency using the programmatic sync (cudaGridDependencySynchronize() or equivalent PTX instructions). Note that dependents (including the CPU thread calling cudaEventSynchronize()) are not guaranteed to observe the release precisely when it is released. For example, cudaEventSynchronize() may only observe the event trigger long after the associated kernel has completed. This recording type is primarily meant for establishing programmatic dependency between device tasks. Note also this type of dependency allows, but does not guarantee, concurrent execution of tasks. <br> The event supplied must not be an interprocess or interop event. The event must disable timing (i.e. must be created with the cudaEventDisableTiming flag set)."""
    cudaLaunchAttributePriority = 8
    """Valid for streams, graph nodes, launches. See cudaLaunchAttributeValuepriority."""
    cudaLaunchAttributeMemSyncDomainMap = 9
    """Valid for streams, graph nodes, launches. See cudaLaunchAttributeValuememSyncDomainMap."""
    cudaLaunchAttributeMemSyncDomain = 10
    """Valid for streams, graph nodes, launches. See cudaLaunchAttributeValuememSyncDomain."""
    cudaLaunchAttributePreferredClusterDimension = 11
    """Valid for graph nodes and launches. Set cudaLaunchAttributeValuepreferredClusterDim to allow the kernel launch to specify a preferred substitute cluster dimension. Blocks may be grouped according to either the dimensions specified with this attribute (grouped into a "preferred substitute cluster"), or the one specified with cudaLaunchAttributeClusterDimension attribute (grouped into a "regular cluster"). The cluster dimensions of a "preferred substitute cluster" shall be an integer multiple greater than zero of the regular cluster dimensions. The device will attempt - on a best-effort basis - to group thread blocks into preferred clusters over grouping them into regular clusters. When it deems necessary (primarily when the device temporarily runs out of physical resources to launch the larger preferred clusters), the device may switch to launch the regular clusters instead to attempt to utilize as much of the physical device resources as possible. <br> Each type of cluster will have its enumeration / coordinate setup as if the grid consists solely of its type of cluster. For example, if the preferred substitute cluster dimensions double the regular cluster dimensions, there might be simultaneously a regular cluster indexed at (1,0,0), and a preferred cluster indexed at (1,0,0). In this example, the preferred substitute cluster (1,0,0) replaces regular clusters (2,0,0) and (3,0,0) and groups their blocks. <br> This attribute will only take effect when a regular cluster dimension has been specified. The preferred substitute cluster dimension must be an integer multiple greater than zero of the regular cluster dimension and must divide the grid. It must also be no more than `maxBlocksPerCluster`, if it is set in the kernel's `__launch_bounds__`. Otherwise it must be less than the maximum value the driver can support. Otherwise, setting this attribute to a value physically unable to fit on any particular device is permitted."""
    cudaLaunchAttributeLaunchCompletionEvent = 12
    """Valid for launches. Set cudaLaunchAttributeValuelaunchCompletionEvent to record the event. <br> Nominally, the event is triggered once all blocks of the kernel have begun execution. Currently this is a best effort. If a kernel B has a launch completion dependency on a kernel A, B may wait until A is complete. Alternatively, blocks of B may begin before all blocks of A have begun, for example if B can claim execution resources unavailable to A (e.g. they run on different GPUs) or if B is a higher priority than A. Exercise caution if such an ordering inversion could lead to deadlock. <br> A launch completion event is nominally similar to a programmatic event with triggerAtBlockStart set except that it is not visible to cudaGridDependencySynchronize() and can be used with compute capability less than 9.0. <br> The event supplied must not be an interprocess or interop event. The event must disable timing (i.e. must be created with the cudaEventDisableTiming flag set)."""
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13
    """Valid for graph nodes, launches. This attribute is graphs-only, and passing it to a launch in a non-capturing stream will result in an error. <br> :cudaLaunchAttributeValuedeviceUpdatableKernelNodedeviceUpdatable can only be set to 0 or 1. Setting the field to 1 indicates that the corresponding kernel node should be device-updatable. On success, a handle will be returned via cudaLaunchAttributeValuedeviceUpdatableKernelNodedevNode which can be passed to the various device-side update functions to update the node's kernel parameters from within another kernel. For more information on the types of device updates that can be made, as well as the relevant limitations thereof, see cudaGraphKernelNodeUpdatesApply. <br> Nodes which are device-updatable have additional restrictions compared to regular kernel nodes. Firstly, device-updatable nodes cannot be removed from their graph via cudaGraphDestroyNode. Additionally, once opted-in to this functionality, a node cannot opt out, and any attempt to set the deviceUpdatable attribute to 0 will result in an error. Device-updatable kernel nodes also cannot have their attributes copied to/from another kernel node via cudaGraphKernelNodeCopyAttributes. Graphs containing one or more device-updatable nodes also do not allow multiple instantiation, and neither the graph nor its instantiated version can be passed to cudaGraphExecUpdate. <br> If a graph contains device-updatable nodes and updates those nodes from the device from within the graph, the graph must be uploaded with cuGraphUpload before it is launched. For such a graph, if host-side executable graph updates are made to the device-updatable nodes, the graph must be uploaded before it is launched again."""
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14
    """Valid for launches. On devices where the L1 cache and shared memory use the same hardware resources, setting cudaLaunchAttributeValuesharedMemCarveout to a percentage between 0-100 signals sets the shared memory carveout preference in percent of the total shared memory for that kernel launch. This attribute takes precedence over cudaFuncAttributePreferredSharedMemoryCarveout. This is only a hint, and the driver can choose a different configuration if required for the launch."""
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16
    """Valid for streams, graph nodes, launches. This attribute is a hint to the CUDA runtime that the launch should attempt to make the kernel maximize its NVLINK utilization. <br> When possible to honor this hint, CUDA will assume each block in the grid launch will carry out an even amount of NVLINK traffic, and make a best-effort attempt to adjust the kernel launch based on that assumption. <br> This attribute is a hint only. CUDA makes no functional or performance guarantee. Its applicability can be affected by many different factors, including driver version (i.e. CUDA doesn't guarantee the performance characteristics will be maintained between driver versions or a driver update could alter or regress previously observed perf characteristics.) It also doesn't guarantee a successful result, i.e. applying the attribute may not improve the performance of either the targeted kernel or the encapsulating application. <br> Valid values for cudaLaunchAttributeValuenvlinkUtilCentricScheduling are 0 (disabled) and 1 (enabled)."""

cudaLaunchAttributeIgnore: Final = cudaLaunchAttributeID.cudaLaunchAttributeIgnore
cudaLaunchAttributeAccessPolicyWindow: Final = cudaLaunchAttributeID.cudaLaunchAttributeAccessPolicyWindow
cudaLaunchAttributeCooperative: Final = cudaLaunchAttributeID.cudaLaunchAttributeCooperative
cudaLaunchAttributeSynchronizationPolicy: Final = cudaLaunchAttributeID.cudaLaunchAttributeSynchronizationPolicy
cudaLaunchAttributeClusterDimension: Final = cudaLaunchAttributeID.cudaLaunchAttributeClusterDimension
cudaLaunchAttributeClusterSchedulingPolicyPreference: Final = cudaLaunchAttributeID.cudaLaunchAttributeClusterSchedulingPolicyPreference
cudaLaunchAttributeProgrammaticStreamSerialization: Final = cudaLaunchAttributeID.cudaLaunchAttributeProgrammaticStreamSerialization
cudaLaunchAttributeProgrammaticEvent: Final = cudaLaunchAttributeID.cudaLaunchAttributeProgrammaticEvent
cudaLaunchAttributePriority: Final = cudaLaunchAttributeID.cudaLaunchAttributePriority
cudaLaunchAttributeMemSyncDomainMap: Final = cudaLaunchAttributeID.cudaLaunchAttributeMemSyncDomainMap
cudaLaunchAttributeMemSyncDomain: Final = cudaLaunchAttributeID.cudaLaunchAttributeMemSyncDomain
cudaLaunchAttributePreferredClusterDimension: Final = cudaLaunchAttributeID.cudaLaunchAttributePreferredClusterDimension
cudaLaunchAttributeLaunchCompletionEvent: Final = cudaLaunchAttributeID.cudaLaunchAttributeLaunchCompletionEvent
cudaLaunchAttributeDeviceUpdatableKernelNode: Final = cudaLaunchAttributeID.cudaLaunchAttributeDeviceUpdatableKernelNode
cudaLaunchAttributePreferredSharedMemoryCarveout: Final = cudaLaunchAttributeID.cudaLaunchAttributePreferredSharedMemoryCarveout
cudaLaunchAttributeNvlinkUtilCentricScheduling: Final = cudaLaunchAttributeID.cudaLaunchAttributeNvlinkUtilCentricScheduling

class cudaDeviceNumaConfig(IntEnum):
    """CUDA device NUMA config

    driver_types.h:4054
    """
    cudaDeviceNumaConfigNone = 0
    """The GPU is not a NUMA node"""
    cudaDeviceNumaConfigNumaNode = 1
    """The GPU is a NUMA node, cudaDevAttrNumaId contains its NUMA ID"""

cudaDeviceNumaConfigNone: Final = cudaDeviceNumaConfig.cudaDeviceNumaConfigNone
cudaDeviceNumaConfigNumaNode: Final = cudaDeviceNumaConfig.cudaDeviceNumaConfigNumaNode

class cudaAsyncNotificationType(IntEnum):
    """Types of async notification that can occur

    driver_types.h:4069
    """
    cudaAsyncNotificationTypeOverBudget = 1
    """Sent when the process has exceeded its device memory budget"""

cudaAsyncNotificationTypeOverBudget: Final = cudaAsyncNotificationType.cudaAsyncNotificationTypeOverBudget

class cudaLogLevel(IntEnum):
    """driver_types.h:4088"""
    cudaLogLevelError = 0
    cudaLogLevelWarning = 1

cudaLogLevelError: Final = cudaLogLevel.cudaLogLevelError
cudaLogLevelWarning: Final = cudaLogLevel.cudaLogLevelWarning

class cudaSurfaceBoundaryMode(IntEnum):
    """CUDA Surface boundary modes

    surface_types.h:86
    """
    cudaBoundaryModeZero = 0
    """Zero boundary mode"""
    cudaBoundaryModeClamp = 1
    """Clamp boundary mode"""
    cudaBoundaryModeTrap = 2
    """Trap boundary mode"""

cudaBoundaryModeZero: Final = cudaSurfaceBoundaryMode.cudaBoundaryModeZero
cudaBoundaryModeClamp: Final = cudaSurfaceBoundaryMode.cudaBoundaryModeClamp
cudaBoundaryModeTrap: Final = cudaSurfaceBoundaryMode.cudaBoundaryModeTrap

class cudaSurfaceFormatMode(IntEnum):
    """CUDA Surface format modes

    surface_types.h:96
    """
    cudaFormatModeForced = 0
    """Forced format mode"""
    cudaFormatModeAuto = 1
    """Auto format mode"""

cudaFormatModeForced: Final = cudaSurfaceFormatMode.cudaFormatModeForced
cudaFormatModeAuto: Final = cudaSurfaceFormatMode.cudaFormatModeAuto

class cudaTextureAddressMode(IntEnum):
    """CUDA texture address modes

    texture_types.h:86
    """
    cudaAddressModeWrap = 0
    """Wrapping address mode"""
    cudaAddressModeClamp = 1
    """Clamp to edge address mode"""
    cudaAddressModeMirror = 2
    """Mirror address mode"""
    cudaAddressModeBorder = 3
    """Border address mode"""

cudaAddressModeWrap: Final = cudaTextureAddressMode.cudaAddressModeWrap
cudaAddressModeClamp: Final = cudaTextureAddressMode.cudaAddressModeClamp
cudaAddressModeMirror: Final = cudaTextureAddressMode.cudaAddressModeMirror
cudaAddressModeBorder: Final = cudaTextureAddressMode.cudaAddressModeBorder

class cudaTextureFilterMode(IntEnum):
    """CUDA texture filter modes

    texture_types.h:97
    """
    cudaFilterModePoint = 0
    """Point filter mode"""
    cudaFilterModeLinear = 1
    """Linear filter mode"""

cudaFilterModePoint: Final = cudaTextureFilterMode.cudaFilterModePoint
cudaFilterModeLinear: Final = cudaTextureFilterMode.cudaFilterModeLinear

class cudaTextureReadMode(IntEnum):
    """CUDA texture read modes

    texture_types.h:106
    """
    cudaReadModeElementType = 0
    """Read texture as specified element type"""
    cudaReadModeNormalizedFloat = 1
    """Read texture as normalized float"""

cudaReadModeElementType: Final = cudaTextureReadMode.cudaReadModeElementType
cudaReadModeNormalizedFloat: Final = cudaTextureReadMode.cudaReadModeNormalizedFloat

class cudaDataType(IntEnum):
    """library_types.h:57"""
    CUDA_R_16F = 2
    """real as a half"""
    CUDA_C_16F = 6
    """complex as a pair of half numbers"""
    CUDA_R_16BF = 14
    """real as a nv_bfloat16"""
    CUDA_C_16BF = 15
    """complex as a pair of nv_bfloat16 numbers"""
    CUDA_R_32F = 0
    """real as a float"""
    CUDA_C_32F = 4
    """complex as a pair of float numbers"""
    CUDA_R_64F = 1
    """real as a double"""
    CUDA_C_64F = 5
    """complex as a pair of double numbers"""
    CUDA_R_4I = 16
    """real as a signed 4-bit int"""
    CUDA_C_4I = 17
    """complex as a pair of signed 4-bit int numbers"""
    CUDA_R_4U = 18
    """real as a unsigned 4-bit int"""
    CUDA_C_4U = 19
    """complex as a pair of unsigned 4-bit int numbers"""
    CUDA_R_8I = 3
    """real as a signed 8-bit int"""
    CUDA_C_8I = 7
    """complex as a pair of signed 8-bit int numbers"""
    CUDA_R_8U = 8
    """real as a unsigned 8-bit int"""
    CUDA_C_8U = 9
    """complex as a pair of unsigned 8-bit int numbers"""
    CUDA_R_16I = 20
    """real as a signed 16-bit int"""
    CUDA_C_16I = 21
    """complex as a pair of signed 16-bit int numbers"""
    CUDA_R_16U = 22
    """real as a unsigned 16-bit int"""
    CUDA_C_16U = 23
    """complex as a pair of unsigned 16-bit int numbers"""
    CUDA_R_32I = 10
    """real as a signed 32-bit int"""
    CUDA_C_32I = 11
    """complex as a pair of signed 32-bit int numbers"""
    CUDA_R_32U = 12
    """real as a unsigned 32-bit int"""
    CUDA_C_32U = 13
    """complex as a pair of unsigned 32-bit int numbers"""
    CUDA_R_64I = 24
    """real as a signed 64-bit int"""
    CUDA_C_64I = 25
    """complex as a pair of signed 64-bit int numbers"""
    CUDA_R_64U = 26
    """real as a unsigned 64-bit int"""
    CUDA_C_64U = 27
    """complex as a pair of unsigned 64-bit int numbers"""
    CUDA_R_8F_E4M3 = 28
    """real as a nv_fp8_e4m3"""
    CUDA_R_8F_UE4M3 = 28
    """real as an unsigned nv_fp8_e4m3"""
    CUDA_R_8F_E5M2 = 29
    """real as a nv_fp8_e5m2"""
    CUDA_R_8F_UE8M0 = 30
    """real as an exponent-only unsigned nv_fp8_e8m0"""
    CUDA_R_6F_E2M3 = 31
    """real as a nv_fp6_e2m3"""
    CUDA_R_6F_E3M2 = 32
    """real as a nv_fp6_e3m2"""
    CUDA_R_4F_E2M1 = 33
    """real as a nv_fp4_e2m1"""

CUDA_R_16F: Final = cudaDataType.CUDA_R_16F
CUDA_C_16F: Final = cudaDataType.CUDA_C_16F
CUDA_R_16BF: Final = cudaDataType.CUDA_R_16BF
CUDA_C_16BF: Final = cudaDataType.CUDA_C_16BF
CUDA_R_32F: Final = cudaDataType.CUDA_R_32F
CUDA_C_32F: Final = cudaDataType.CUDA_C_32F
CUDA_R_64F: Final = cudaDataType.CUDA_R_64F
CUDA_C_64F: Final = cudaDataType.CUDA_C_64F
CUDA_R_4I: Final = cudaDataType.CUDA_R_4I
CUDA_C_4I: Final = cudaDataType.CUDA_C_4I
CUDA_R_4U: Final = cudaDataType.CUDA_R_4U
CUDA_C_4U: Final = cudaDataType.CUDA_C_4U
CUDA_R_8I: Final = cudaDataType.CUDA_R_8I
CUDA_C_8I: Final = cudaDataType.CUDA_C_8I
CUDA_R_8U: Final = cudaDataType.CUDA_R_8U
CUDA_C_8U: Final = cudaDataType.CUDA_C_8U
CUDA_R_16I: Final = cudaDataType.CUDA_R_16I
CUDA_C_16I: Final = cudaDataType.CUDA_C_16I
CUDA_R_16U: Final = cudaDataType.CUDA_R_16U
CUDA_C_16U: Final = cudaDataType.CUDA_C_16U
CUDA_R_32I: Final = cudaDataType.CUDA_R_32I
CUDA_C_32I: Final = cudaDataType.CUDA_C_32I
CUDA_R_32U: Final = cudaDataType.CUDA_R_32U
CUDA_C_32U: Final = cudaDataType.CUDA_C_32U
CUDA_R_64I: Final = cudaDataType.CUDA_R_64I
CUDA_C_64I: Final = cudaDataType.CUDA_C_64I
CUDA_R_64U: Final = cudaDataType.CUDA_R_64U
CUDA_C_64U: Final = cudaDataType.CUDA_C_64U
CUDA_R_8F_E4M3: Final = cudaDataType.CUDA_R_8F_E4M3
CUDA_R_8F_UE4M3: Final = cudaDataType.CUDA_R_8F_UE4M3
CUDA_R_8F_E5M2: Final = cudaDataType.CUDA_R_8F_E5M2
CUDA_R_8F_UE8M0: Final = cudaDataType.CUDA_R_8F_UE8M0
CUDA_R_6F_E2M3: Final = cudaDataType.CUDA_R_6F_E2M3
CUDA_R_6F_E3M2: Final = cudaDataType.CUDA_R_6F_E3M2
CUDA_R_4F_E2M1: Final = cudaDataType.CUDA_R_4F_E2M1

class cudaEmulationStrategy(IntEnum):
    """Enum for specifying how to leverage floating-point emulation algorithms

    library_types.h:98
    """
    CUDA_EMULATION_STRATEGY_DEFAULT = 0
    """The default emulation strategy. For emulated computations, this is equivalent to CUDA_EMULATION_STRATEGY_PERFORMANT, unless a library dependent environment variable is set"""
    CUDA_EMULATION_STRATEGY_PERFORMANT = 1
    """An emulation strategy which configures libraries to use emulation when it provides a performance benefit"""
    CUDA_EMULATION_STRATEGY_EAGER = 2
    """An emulation strategy which configures libraries to use emulation whenever possible"""

CUDA_EMULATION_STRATEGY_DEFAULT: Final = cudaEmulationStrategy.CUDA_EMULATION_STRATEGY_DEFAULT
CUDA_EMULATION_STRATEGY_PERFORMANT: Final = cudaEmulationStrategy.CUDA_EMULATION_STRATEGY_PERFORMANT
CUDA_EMULATION_STRATEGY_EAGER: Final = cudaEmulationStrategy.CUDA_EMULATION_STRATEGY_EAGER

class cudaEmulationMantissaControl(IntEnum):
    """Enum to configure the mantissa related parameters for floating-point emulation algorithms

    library_types.h:120
    """
    CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC = 0
    """The number of retained mantissa bits are computed at runtime to ensure the same or better accuracy than the floating point representation being emulated"""
    CUDA_EMULATION_MANTISSA_CONTROL_FIXED = 1
    """The number of retained mantissa bits are known at runtime"""

CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC: Final = cudaEmulationMantissaControl.CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC
CUDA_EMULATION_MANTISSA_CONTROL_FIXED: Final = cudaEmulationMantissaControl.CUDA_EMULATION_MANTISSA_CONTROL_FIXED

class cudaEmulationSpecialValuesSupport(IntEnum):
    """Enum to configure how special floating-point values will be handled by emulation algorithms

    library_types.h:136
    """
    CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT = 65535
    """The default special value support mask which contains support for signed infinities and NaN values"""
    CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NONE = 0
    """There are no requirements for emulation algorithms to support special values"""
    CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_INFINITY = 1
    """Require emulation algorithms to handle signed infinity inputs and outputs"""
    CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN = 2
    """Require emulation algorithms to handle NaN inputs and outputs"""

CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT: Final = cudaEmulationSpecialValuesSupport.CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT
CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NONE: Final = cudaEmulationSpecialValuesSupport.CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NONE
CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_INFINITY: Final = cudaEmulationSpecialValuesSupport.CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_INFINITY
CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN: Final = cudaEmulationSpecialValuesSupport.CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN

class libraryPropertyType(IntEnum):
    """library_types.h:158"""
    MAJOR_VERSION = 0
    MINOR_VERSION = 1
    PATCH_LEVEL = 2

MAJOR_VERSION: Final = libraryPropertyType.MAJOR_VERSION
MINOR_VERSION: Final = libraryPropertyType.MINOR_VERSION
PATCH_LEVEL: Final = libraryPropertyType.PATCH_LEVEL

class cudaEglFrameType(IntEnum):
    """CUDA EglFrame type - array or pointer

    cuda_egl_interop.h:76
    """
    cudaEglFrameTypeArray = 0
    """Frame type CUDA array"""
    cudaEglFrameTypePitch = 1
    """Frame type CUDA pointer"""

cudaEglFrameTypeArray: Final = cudaEglFrameType.cudaEglFrameTypeArray
cudaEglFrameTypePitch: Final = cudaEglFrameType.cudaEglFrameTypePitch

class cudaEglResourceLocationFlags(IntEnum):
    """Resource location flags- sysmem or vidmem

    For CUDA context on iGPU, since video and system memory are equivalent - these flags will not have an effect on the execution.

    For CUDA context on dGPU, applications can use the flag cudaEglResourceLocationFlags to give a hint about the desired location.

    cudaEglResourceLocationSysmem - the frame data is made resident on the system memory to be accessed by CUDA.

    cudaEglResourceLocationVidmem - the frame data is made resident on the dedicated video memory to be accessed by CUDA.

    There may be an additional latency due to new allocation and data migration, if the frame is produced on a different memory.

    cuda_egl_interop.h:100
    """
    cudaEglResourceLocationSysmem = 0
    """Resource location sysmem"""
    cudaEglResourceLocationVidmem = 1
    """Resource location vidmem"""

cudaEglResourceLocationSysmem: Final = cudaEglResourceLocationFlags.cudaEglResourceLocationSysmem
cudaEglResourceLocationVidmem: Final = cudaEglResourceLocationFlags.cudaEglResourceLocationVidmem

class cudaEglColorFormat(IntEnum):
    """CUDA EGL Color Format - The different planar and multiplanar formats currently supported for CUDA_EGL interops.

    cuda_egl_interop.h:108
    """
    cudaEglColorFormatYUV420Planar = 0
    """Y, U, V in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYUV420SemiPlanar = 1
    """Y, UV in two surfaces (UV as one surface) with VU byte ordering, width, height ratio same as YUV420Planar."""
    cudaEglColorFormatYUV422Planar = 2
    """Y, U, V each in a separate surface, U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatYUV422SemiPlanar = 3
    """Y, UV in two surfaces with VU byte ordering, width, height ratio same as YUV422Planar."""
    cudaEglColorFormatARGB = 6
    """R/G/B/A four channels in one surface with BGRA byte ordering."""
    cudaEglColorFormatRGBA = 7
    """R/G/B/A four channels in one surface with ABGR byte ordering."""
    cudaEglColorFormatL = 8
    """single luminance channel in one surface."""
    cudaEglColorFormatR = 9
    """single color channel in one surface."""
    cudaEglColorFormatYUV444Planar = 10
    """Y, U, V in three surfaces, each in a separate surface, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatYUV444SemiPlanar = 11
    """Y, UV in two surfaces (UV as one surface) with VU byte ordering, width, height ratio same as YUV444Planar."""
    cudaEglColorFormatYUYV422 = 12
    """Y, U, V in one surface, interleaved as UYVY in one channel."""
    cudaEglColorFormatUYVY422 = 13
    """Y, U, V in one surface, interleaved as YUYV in one channel."""
    cudaEglColorFormatABGR = 14
    """R/G/B/A four channels in one surface with RGBA byte ordering."""
    cudaEglColorFormatBGRA = 15
    """R/G/B/A four channels in one surface with ARGB byte ordering."""
    cudaEglColorFormatA = 16
    """Alpha color format - one channel in one surface."""
    cudaEglColorFormatRG = 17
    """R/G color format - two channels in one surface with GR byte ordering"""
    cudaEglColorFormatAYUV = 18
    """Y, U, V, A four channels in one surface, interleaved as VUYA."""
    cudaEglColorFormatYVU444SemiPlanar = 19
    """Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatYVU422SemiPlanar = 20
    """Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatYVU420SemiPlanar = 21
    """Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY10V10U10_444SemiPlanar = 22
    """Y10, V10U10 in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatY10V10U10_420SemiPlanar = 23
    """Y10, V10U10 in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY12V12U12_444SemiPlanar = 24
    """Y12, V12U12 in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatY12V12U12_420SemiPlanar = 25
    """Y12, V12U12 in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatVYUY_ER = 26
    """Extended Range Y, U, V in one surface, interleaved as YVYU in one channel."""
    cudaEglColorFormatUYVY_ER = 27
    """Extended Range Y, U, V in one surface, interleaved as YUYV in one channel."""
    cudaEglColorFormatYUYV_ER = 28
    """Extended Range Y, U, V in one surface, interleaved as UYVY in one channel."""
    cudaEglColorFormatYVYU_ER = 29
    """Extended Range Y, U, V in one surface, interleaved as VYUY in one channel."""
    cudaEglColorFormatYUVA_ER = 31
    """Extended Range Y, U, V, A four channels in one surface, interleaved as AVUY."""
    cudaEglColorFormatAYUV_ER = 32
    """Extended Range Y, U, V, A four channels in one surface, interleaved as VUYA."""
    cudaEglColorFormatYUV444Planar_ER = 33
    """Extended Range Y, U, V in three surfaces, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatYUV422Planar_ER = 34
    """Extended Range Y, U, V in three surfaces, U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatYUV420Planar_ER = 35
    """Extended Range Y, U, V in three surfaces, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYUV444SemiPlanar_ER = 36
    """Extended Range Y, UV in two surfaces (UV as one surface) with VU byte ordering, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatYUV422SemiPlanar_ER = 37
    """Extended Range Y, UV in two surfaces (UV as one surface) with VU byte ordering, U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatYUV420SemiPlanar_ER = 38
    """Extended Range Y, UV in two surfaces (UV as one surface) with VU byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYVU444Planar_ER = 39
    """Extended Range Y, V, U in three surfaces, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatYVU422Planar_ER = 40
    """Extended Range Y, V, U in three surfaces, U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatYVU420Planar_ER = 41
    """Extended Range Y, V, U in three surfaces, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYVU444SemiPlanar_ER = 42
    """Extended Range Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatYVU422SemiPlanar_ER = 43
    """Extended Range Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatYVU420SemiPlanar_ER = 44
    """Extended Range Y, VU in two surfaces (VU as one surface) with UV byte ordering, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatBayerRGGB = 45
    """Bayer format - one channel in one surface with interleaved RGGB ordering."""
    cudaEglColorFormatBayerBGGR = 46
    """Bayer format - one channel in one surface with interleaved BGGR ordering."""
    cudaEglColorFormatBayerGRBG = 47
    """Bayer format - one channel in one surface with interleaved GRBG ordering."""
    cudaEglColorFormatBayerGBRG = 48
    """Bayer format - one channel in one surface with interleaved GBRG ordering."""
    cudaEglColorFormatBayer10RGGB = 49
    """Bayer10 format - one channel in one surface with interleaved RGGB ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    cudaEglColorFormatBayer10BGGR = 50
    """Bayer10 format - one channel in one surface with interleaved BGGR ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    cudaEglColorFormatBayer10GRBG = 51
    """Bayer10 format - one channel in one surface with interleaved GRBG ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    cudaEglColorFormatBayer10GBRG = 52
    """Bayer10 format - one channel in one surface with interleaved GBRG ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    cudaEglColorFormatBayer12RGGB = 53
    """Bayer12 format - one channel in one surface with interleaved RGGB ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer12BGGR = 54
    """Bayer12 format - one channel in one surface with interleaved BGGR ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer12GRBG = 55
    """Bayer12 format - one channel in one surface with interleaved GRBG ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer12GBRG = 56
    """Bayer12 format - one channel in one surface with interleaved GBRG ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer14RGGB = 57
    """Bayer14 format - one channel in one surface with interleaved RGGB ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    cudaEglColorFormatBayer14BGGR = 58
    """Bayer14 format - one channel in one surface with interleaved BGGR ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    cudaEglColorFormatBayer14GRBG = 59
    """Bayer14 format - one channel in one surface with interleaved GRBG ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    cudaEglColorFormatBayer14GBRG = 60
    """Bayer14 format - one channel in one surface with interleaved GBRG ordering. Out of 16 bits, 14 bits used 2 bits No-op."""
    cudaEglColorFormatBayer20RGGB = 61
    """Bayer20 format - one channel in one surface with interleaved RGGB ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    cudaEglColorFormatBayer20BGGR = 62
    """Bayer20 format - one channel in one surface with interleaved BGGR ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    cudaEglColorFormatBayer20GRBG = 63
    """Bayer20 format - one channel in one surface with interleaved GRBG ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    cudaEglColorFormatBayer20GBRG = 64
    """Bayer20 format - one channel in one surface with interleaved GBRG ordering. Out of 32 bits, 20 bits used 12 bits No-op."""
    cudaEglColorFormatYVU444Planar = 65
    """Y, V, U in three surfaces, each in a separate surface, U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatYVU422Planar = 66
    """Y, V, U in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatYVU420Planar = 67
    """Y, V, U in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatBayerIspRGGB = 68
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved RGGB ordering and mapped to opaque integer datatype."""
    cudaEglColorFormatBayerIspBGGR = 69
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved BGGR ordering and mapped to opaque integer datatype."""
    cudaEglColorFormatBayerIspGRBG = 70
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved GRBG ordering and mapped to opaque integer datatype."""
    cudaEglColorFormatBayerIspGBRG = 71
    """Nvidia proprietary Bayer ISP format - one channel in one surface with interleaved GBRG ordering and mapped to opaque integer datatype."""
    cudaEglColorFormatBayerBCCR = 72
    """Bayer format - one channel in one surface with interleaved BCCR ordering."""
    cudaEglColorFormatBayerRCCB = 73
    """Bayer format - one channel in one surface with interleaved RCCB ordering."""
    cudaEglColorFormatBayerCRBC = 74
    """Bayer format - one channel in one surface with interleaved CRBC ordering."""
    cudaEglColorFormatBayerCBRC = 75
    """Bayer format - one channel in one surface with interleaved CBRC ordering."""
    cudaEglColorFormatBayer10CCCC = 76
    """Bayer10 format - one channel in one surface with interleaved CCCC ordering. Out of 16 bits, 10 bits used 6 bits No-op."""
    cudaEglColorFormatBayer12BCCR = 77
    """Bayer12 format - one channel in one surface with interleaved BCCR ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer12RCCB = 78
    """Bayer12 format - one channel in one surface with interleaved RCCB ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer12CRBC = 79
    """Bayer12 format - one channel in one surface with interleaved CRBC ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer12CBRC = 80
    """Bayer12 format - one channel in one surface with interleaved CBRC ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatBayer12CCCC = 81
    """Bayer12 format - one channel in one surface with interleaved CCCC ordering. Out of 16 bits, 12 bits used 4 bits No-op."""
    cudaEglColorFormatY = 82
    """Color format for single Y plane."""
    cudaEglColorFormatYUV420SemiPlanar_2020 = 83
    """Y, UV in two surfaces (UV as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYVU420SemiPlanar_2020 = 84
    """Y, VU in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYUV420Planar_2020 = 85
    """Y, U, V in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYVU420Planar_2020 = 86
    """Y, V, U in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYUV420SemiPlanar_709 = 87
    """Y, UV in two surfaces (UV as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYVU420SemiPlanar_709 = 88
    """Y, VU in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYUV420Planar_709 = 89
    """Y, U, V in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatYVU420Planar_709 = 90
    """Y, V, U in three surfaces, each in a separate surface, U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY10V10U10_420SemiPlanar_709 = 91
    """Y10, V10U10 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY10V10U10_420SemiPlanar_2020 = 92
    """Y10, V10U10 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY10V10U10_422SemiPlanar_2020 = 93
    """Y10, V10U10 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatY10V10U10_422SemiPlanar = 94
    """Y10, V10U10 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatY10V10U10_422SemiPlanar_709 = 95
    """Y10, V10U10 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = Y height."""
    cudaEglColorFormatY_ER = 96
    """Extended Range Color format for single Y plane."""
    cudaEglColorFormatY_709_ER = 97
    """Extended Range Color format for single Y plane."""
    cudaEglColorFormatY10_ER = 98
    """Extended Range Color format for single Y10 plane."""
    cudaEglColorFormatY10_709_ER = 99
    """Extended Range Color format for single Y10 plane."""
    cudaEglColorFormatY12_ER = 100
    """Extended Range Color format for single Y12 plane."""
    cudaEglColorFormatY12_709_ER = 101
    """Extended Range Color format for single Y12 plane."""
    cudaEglColorFormatYUVA = 102
    """Y, U, V, A four channels in one surface, interleaved as AVUY."""
    cudaEglColorFormatYVYU = 104
    """Y, U, V in one surface, interleaved as YVYU in one channel."""
    cudaEglColorFormatVYUY = 105
    """Y, U, V in one surface, interleaved as VYUY in one channel."""
    cudaEglColorFormatY10V10U10_420SemiPlanar_ER = 106
    """Extended Range Y10, V10U10 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY10V10U10_420SemiPlanar_709_ER = 107
    """Extended Range Y10, V10U10 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY10V10U10_444SemiPlanar_ER = 108
    """Extended Range Y10, V10U10 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatY10V10U10_444SemiPlanar_709_ER = 109
    """Extended Range Y10, V10U10 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatY12V12U12_420SemiPlanar_ER = 110
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY12V12U12_420SemiPlanar_709_ER = 111
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = 1/2 Y width, U/V height = 1/2 Y height."""
    cudaEglColorFormatY12V12U12_444SemiPlanar_ER = 112
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatY12V12U12_444SemiPlanar_709_ER = 113
    """Extended Range Y12, V12U12 in two surfaces (VU as one surface) U/V width = Y width, U/V height = Y height."""
    cudaEglColorFormatUYVY709 = 114
    """Y, U, V in one surface, interleaved as UYVY in one channel."""
    cudaEglColorFormatUYVY709_ER = 115
    """Extended Range Y, U, V in one surface, interleaved as UYVY in one channel."""
    cudaEglColorFormatUYVY2020 = 116
    """Y, U, V in one surface, interleaved as UYVY in one channel."""

cudaEglColorFormatYUV420Planar: Final = cudaEglColorFormat.cudaEglColorFormatYUV420Planar
cudaEglColorFormatYUV420SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatYUV420SemiPlanar
cudaEglColorFormatYUV422Planar: Final = cudaEglColorFormat.cudaEglColorFormatYUV422Planar
cudaEglColorFormatYUV422SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatYUV422SemiPlanar
cudaEglColorFormatARGB: Final = cudaEglColorFormat.cudaEglColorFormatARGB
cudaEglColorFormatRGBA: Final = cudaEglColorFormat.cudaEglColorFormatRGBA
cudaEglColorFormatL: Final = cudaEglColorFormat.cudaEglColorFormatL
cudaEglColorFormatR: Final = cudaEglColorFormat.cudaEglColorFormatR
cudaEglColorFormatYUV444Planar: Final = cudaEglColorFormat.cudaEglColorFormatYUV444Planar
cudaEglColorFormatYUV444SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatYUV444SemiPlanar
cudaEglColorFormatYUYV422: Final = cudaEglColorFormat.cudaEglColorFormatYUYV422
cudaEglColorFormatUYVY422: Final = cudaEglColorFormat.cudaEglColorFormatUYVY422
cudaEglColorFormatABGR: Final = cudaEglColorFormat.cudaEglColorFormatABGR
cudaEglColorFormatBGRA: Final = cudaEglColorFormat.cudaEglColorFormatBGRA
cudaEglColorFormatA: Final = cudaEglColorFormat.cudaEglColorFormatA
cudaEglColorFormatRG: Final = cudaEglColorFormat.cudaEglColorFormatRG
cudaEglColorFormatAYUV: Final = cudaEglColorFormat.cudaEglColorFormatAYUV
cudaEglColorFormatYVU444SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatYVU444SemiPlanar
cudaEglColorFormatYVU422SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatYVU422SemiPlanar
cudaEglColorFormatYVU420SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatYVU420SemiPlanar
cudaEglColorFormatY10V10U10_444SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_444SemiPlanar
cudaEglColorFormatY10V10U10_420SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_420SemiPlanar
cudaEglColorFormatY12V12U12_444SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatY12V12U12_444SemiPlanar
cudaEglColorFormatY12V12U12_420SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatY12V12U12_420SemiPlanar
cudaEglColorFormatVYUY_ER: Final = cudaEglColorFormat.cudaEglColorFormatVYUY_ER
cudaEglColorFormatUYVY_ER: Final = cudaEglColorFormat.cudaEglColorFormatUYVY_ER
cudaEglColorFormatYUYV_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUYV_ER
cudaEglColorFormatYVYU_ER: Final = cudaEglColorFormat.cudaEglColorFormatYVYU_ER
cudaEglColorFormatYUVA_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUVA_ER
cudaEglColorFormatAYUV_ER: Final = cudaEglColorFormat.cudaEglColorFormatAYUV_ER
cudaEglColorFormatYUV444Planar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUV444Planar_ER
cudaEglColorFormatYUV422Planar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUV422Planar_ER
cudaEglColorFormatYUV420Planar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUV420Planar_ER
cudaEglColorFormatYUV444SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUV444SemiPlanar_ER
cudaEglColorFormatYUV422SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUV422SemiPlanar_ER
cudaEglColorFormatYUV420SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYUV420SemiPlanar_ER
cudaEglColorFormatYVU444Planar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYVU444Planar_ER
cudaEglColorFormatYVU422Planar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYVU422Planar_ER
cudaEglColorFormatYVU420Planar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYVU420Planar_ER
cudaEglColorFormatYVU444SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYVU444SemiPlanar_ER
cudaEglColorFormatYVU422SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYVU422SemiPlanar_ER
cudaEglColorFormatYVU420SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatYVU420SemiPlanar_ER
cudaEglColorFormatBayerRGGB: Final = cudaEglColorFormat.cudaEglColorFormatBayerRGGB
cudaEglColorFormatBayerBGGR: Final = cudaEglColorFormat.cudaEglColorFormatBayerBGGR
cudaEglColorFormatBayerGRBG: Final = cudaEglColorFormat.cudaEglColorFormatBayerGRBG
cudaEglColorFormatBayerGBRG: Final = cudaEglColorFormat.cudaEglColorFormatBayerGBRG
cudaEglColorFormatBayer10RGGB: Final = cudaEglColorFormat.cudaEglColorFormatBayer10RGGB
cudaEglColorFormatBayer10BGGR: Final = cudaEglColorFormat.cudaEglColorFormatBayer10BGGR
cudaEglColorFormatBayer10GRBG: Final = cudaEglColorFormat.cudaEglColorFormatBayer10GRBG
cudaEglColorFormatBayer10GBRG: Final = cudaEglColorFormat.cudaEglColorFormatBayer10GBRG
cudaEglColorFormatBayer12RGGB: Final = cudaEglColorFormat.cudaEglColorFormatBayer12RGGB
cudaEglColorFormatBayer12BGGR: Final = cudaEglColorFormat.cudaEglColorFormatBayer12BGGR
cudaEglColorFormatBayer12GRBG: Final = cudaEglColorFormat.cudaEglColorFormatBayer12GRBG
cudaEglColorFormatBayer12GBRG: Final = cudaEglColorFormat.cudaEglColorFormatBayer12GBRG
cudaEglColorFormatBayer14RGGB: Final = cudaEglColorFormat.cudaEglColorFormatBayer14RGGB
cudaEglColorFormatBayer14BGGR: Final = cudaEglColorFormat.cudaEglColorFormatBayer14BGGR
cudaEglColorFormatBayer14GRBG: Final = cudaEglColorFormat.cudaEglColorFormatBayer14GRBG
cudaEglColorFormatBayer14GBRG: Final = cudaEglColorFormat.cudaEglColorFormatBayer14GBRG
cudaEglColorFormatBayer20RGGB: Final = cudaEglColorFormat.cudaEglColorFormatBayer20RGGB
cudaEglColorFormatBayer20BGGR: Final = cudaEglColorFormat.cudaEglColorFormatBayer20BGGR
cudaEglColorFormatBayer20GRBG: Final = cudaEglColorFormat.cudaEglColorFormatBayer20GRBG
cudaEglColorFormatBayer20GBRG: Final = cudaEglColorFormat.cudaEglColorFormatBayer20GBRG
cudaEglColorFormatYVU444Planar: Final = cudaEglColorFormat.cudaEglColorFormatYVU444Planar
cudaEglColorFormatYVU422Planar: Final = cudaEglColorFormat.cudaEglColorFormatYVU422Planar
cudaEglColorFormatYVU420Planar: Final = cudaEglColorFormat.cudaEglColorFormatYVU420Planar
cudaEglColorFormatBayerIspRGGB: Final = cudaEglColorFormat.cudaEglColorFormatBayerIspRGGB
cudaEglColorFormatBayerIspBGGR: Final = cudaEglColorFormat.cudaEglColorFormatBayerIspBGGR
cudaEglColorFormatBayerIspGRBG: Final = cudaEglColorFormat.cudaEglColorFormatBayerIspGRBG
cudaEglColorFormatBayerIspGBRG: Final = cudaEglColorFormat.cudaEglColorFormatBayerIspGBRG
cudaEglColorFormatBayerBCCR: Final = cudaEglColorFormat.cudaEglColorFormatBayerBCCR
cudaEglColorFormatBayerRCCB: Final = cudaEglColorFormat.cudaEglColorFormatBayerRCCB
cudaEglColorFormatBayerCRBC: Final = cudaEglColorFormat.cudaEglColorFormatBayerCRBC
cudaEglColorFormatBayerCBRC: Final = cudaEglColorFormat.cudaEglColorFormatBayerCBRC
cudaEglColorFormatBayer10CCCC: Final = cudaEglColorFormat.cudaEglColorFormatBayer10CCCC
cudaEglColorFormatBayer12BCCR: Final = cudaEglColorFormat.cudaEglColorFormatBayer12BCCR
cudaEglColorFormatBayer12RCCB: Final = cudaEglColorFormat.cudaEglColorFormatBayer12RCCB
cudaEglColorFormatBayer12CRBC: Final = cudaEglColorFormat.cudaEglColorFormatBayer12CRBC
cudaEglColorFormatBayer12CBRC: Final = cudaEglColorFormat.cudaEglColorFormatBayer12CBRC
cudaEglColorFormatBayer12CCCC: Final = cudaEglColorFormat.cudaEglColorFormatBayer12CCCC
cudaEglColorFormatY: Final = cudaEglColorFormat.cudaEglColorFormatY
cudaEglColorFormatYUV420SemiPlanar_2020: Final = cudaEglColorFormat.cudaEglColorFormatYUV420SemiPlanar_2020
cudaEglColorFormatYVU420SemiPlanar_2020: Final = cudaEglColorFormat.cudaEglColorFormatYVU420SemiPlanar_2020
cudaEglColorFormatYUV420Planar_2020: Final = cudaEglColorFormat.cudaEglColorFormatYUV420Planar_2020
cudaEglColorFormatYVU420Planar_2020: Final = cudaEglColorFormat.cudaEglColorFormatYVU420Planar_2020
cudaEglColorFormatYUV420SemiPlanar_709: Final = cudaEglColorFormat.cudaEglColorFormatYUV420SemiPlanar_709
cudaEglColorFormatYVU420SemiPlanar_709: Final = cudaEglColorFormat.cudaEglColorFormatYVU420SemiPlanar_709
cudaEglColorFormatYUV420Planar_709: Final = cudaEglColorFormat.cudaEglColorFormatYUV420Planar_709
cudaEglColorFormatYVU420Planar_709: Final = cudaEglColorFormat.cudaEglColorFormatYVU420Planar_709
cudaEglColorFormatY10V10U10_420SemiPlanar_709: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_420SemiPlanar_709
cudaEglColorFormatY10V10U10_420SemiPlanar_2020: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_420SemiPlanar_2020
cudaEglColorFormatY10V10U10_422SemiPlanar_2020: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_422SemiPlanar_2020
cudaEglColorFormatY10V10U10_422SemiPlanar: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_422SemiPlanar
cudaEglColorFormatY10V10U10_422SemiPlanar_709: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_422SemiPlanar_709
cudaEglColorFormatY_ER: Final = cudaEglColorFormat.cudaEglColorFormatY_ER
cudaEglColorFormatY_709_ER: Final = cudaEglColorFormat.cudaEglColorFormatY_709_ER
cudaEglColorFormatY10_ER: Final = cudaEglColorFormat.cudaEglColorFormatY10_ER
cudaEglColorFormatY10_709_ER: Final = cudaEglColorFormat.cudaEglColorFormatY10_709_ER
cudaEglColorFormatY12_ER: Final = cudaEglColorFormat.cudaEglColorFormatY12_ER
cudaEglColorFormatY12_709_ER: Final = cudaEglColorFormat.cudaEglColorFormatY12_709_ER
cudaEglColorFormatYUVA: Final = cudaEglColorFormat.cudaEglColorFormatYUVA
cudaEglColorFormatYVYU: Final = cudaEglColorFormat.cudaEglColorFormatYVYU
cudaEglColorFormatVYUY: Final = cudaEglColorFormat.cudaEglColorFormatVYUY
cudaEglColorFormatY10V10U10_420SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_420SemiPlanar_ER
cudaEglColorFormatY10V10U10_420SemiPlanar_709_ER: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_420SemiPlanar_709_ER
cudaEglColorFormatY10V10U10_444SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_444SemiPlanar_ER
cudaEglColorFormatY10V10U10_444SemiPlanar_709_ER: Final = cudaEglColorFormat.cudaEglColorFormatY10V10U10_444SemiPlanar_709_ER
cudaEglColorFormatY12V12U12_420SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatY12V12U12_420SemiPlanar_ER
cudaEglColorFormatY12V12U12_420SemiPlanar_709_ER: Final = cudaEglColorFormat.cudaEglColorFormatY12V12U12_420SemiPlanar_709_ER
cudaEglColorFormatY12V12U12_444SemiPlanar_ER: Final = cudaEglColorFormat.cudaEglColorFormatY12V12U12_444SemiPlanar_ER
cudaEglColorFormatY12V12U12_444SemiPlanar_709_ER: Final = cudaEglColorFormat.cudaEglColorFormatY12V12U12_444SemiPlanar_709_ER
cudaEglColorFormatUYVY709: Final = cudaEglColorFormat.cudaEglColorFormatUYVY709
cudaEglColorFormatUYVY709_ER: Final = cudaEglColorFormat.cudaEglColorFormatUYVY709_ER
cudaEglColorFormatUYVY2020: Final = cudaEglColorFormat.cudaEglColorFormatUYVY2020

class cudaGLDeviceList(IntEnum):
    """CUDA devices corresponding to the current OpenGL context

    cuda_gl_interop.h:100
    """
    cudaGLDeviceListAll = 1
    """The CUDA devices for all GPUs used by the current OpenGL context"""
    cudaGLDeviceListCurrentFrame = 2
    """The CUDA devices for the GPUs used by the current OpenGL context in its currently rendering frame"""
    cudaGLDeviceListNextFrame = 3
    """The CUDA devices for the GPUs to be used by the current OpenGL context in the next frame"""

cudaGLDeviceListAll: Final = cudaGLDeviceList.cudaGLDeviceListAll
cudaGLDeviceListCurrentFrame: Final = cudaGLDeviceList.cudaGLDeviceListCurrentFrame
cudaGLDeviceListNextFrame: Final = cudaGLDeviceList.cudaGLDeviceListNextFrame

class cudaGLMapFlags(IntEnum):
    """CUDA GL Map Flags

    cuda_gl_interop.h:282
    """
    cudaGLMapFlagsNone = 0
    """Default; Assume resource can be read/written"""
    cudaGLMapFlagsReadOnly = 1
    """CUDA kernels will not write to this resource"""
    cudaGLMapFlagsWriteDiscard = 2
    """CUDA kernels will only write to and will not read from this resource"""

cudaGLMapFlagsNone: Final = cudaGLMapFlags.cudaGLMapFlagsNone
cudaGLMapFlagsReadOnly: Final = cudaGLMapFlags.cudaGLMapFlagsReadOnly
cudaGLMapFlagsWriteDiscard: Final = cudaGLMapFlags.cudaGLMapFlagsWriteDiscard

CUDART_VERSION: Final[int]
"""CUDA Runtime API Version"""
__CUDART_API_VERSION: Final[int]
cudaHostAllocDefault: Final[int]
"""Default page-locked allocation flag"""
cudaHostAllocPortable: Final[int]
"""Pinned memory accessible by all CUDA contexts"""
cudaHostAllocMapped: Final[int]
"""Map allocation into device space"""
cudaHostAllocWriteCombined: Final[int]
"""Write-combined memory"""
cudaHostRegisterDefault: Final[int]
"""Default host memory registration flag"""
cudaHostRegisterPortable: Final[int]
"""Pinned memory accessible by all CUDA contexts"""
cudaHostRegisterMapped: Final[int]
"""Map registered memory into device space"""
cudaHostRegisterIoMemory: Final[int]
"""Memory-mapped I/O space"""
cudaHostRegisterReadOnly: Final[int]
"""Memory-mapped read-only"""
cudaPeerAccessDefault: Final[int]
"""Default peer addressing enable flag"""
cudaStreamDefault: Final[int]
"""Default stream flag"""
cudaStreamNonBlocking: Final[int]
"""Stream does not synchronize with stream 0 (the NULL stream)"""
cudaStreamLegacy: Final[int]
"""Legacy stream handle

Stream handle that can be passed as a cudaStream_t to use an implicit stream with legacy synchronization behavior.

See details of the
"""
cudaStreamPerThread: Final[int]
"""Per-thread stream handle

Stream handle that can be passed as a cudaStream_t to use an implicit stream with per-thread synchronization behavior.

See details of the
"""
cudaEventDefault: Final[int]
"""Default event flag"""
cudaEventBlockingSync: Final[int]
"""Event uses blocking synchronization"""
cudaEventDisableTiming: Final[int]
"""Event will not record timing data"""
cudaEventInterprocess: Final[int]
"""Event is suitable for interprocess use. cudaEventDisableTiming must be set"""
cudaEventRecordDefault: Final[int]
"""Default event record flag"""
cudaEventRecordExternal: Final[int]
"""Event is captured in the graph as an external event node when performing stream capture"""
cudaEventWaitDefault: Final[int]
"""Default event wait flag"""
cudaEventWaitExternal: Final[int]
"""Event is captured in the graph as an external event node when performing stream capture"""
cudaDeviceScheduleAuto: Final[int]
"""Device flag - Automatic scheduling"""
cudaDeviceScheduleSpin: Final[int]
"""Device flag - Spin default scheduling"""
cudaDeviceScheduleYield: Final[int]
"""Device flag - Yield default scheduling"""
cudaDeviceScheduleBlockingSync: Final[int]
"""Device flag - Use blocking synchronization"""
cudaDeviceBlockingSync: Final[int]
"""Device flag - Use blocking synchronization"""
cudaDeviceScheduleMask: Final[int]
"""Device schedule flags mask"""
cudaDeviceMapHost: Final[int]
"""Device flag - Support mapped pinned allocations"""
cudaDeviceLmemResizeToMax: Final[int]
"""Device flag - Keep local memory allocation after launch"""
cudaDeviceSyncMemops: Final[int]
"""Device flag - Ensure synchronous memory operations on this context will synchronize"""
cudaDeviceMask: Final[int]
"""Device flags mask"""
cudaArrayDefault: Final[int]
"""Default CUDA array allocation flag"""
cudaArrayLayered: Final[int]
"""Must be set in cudaMalloc3DArray to create a layered CUDA array"""
cudaArraySurfaceLoadStore: Final[int]
"""Must be set in cudaMallocArray or cudaMalloc3DArray in order to bind surfaces to the CUDA array"""
cudaArrayCubemap: Final[int]
"""Must be set in cudaMalloc3DArray to create a cubemap CUDA array"""
cudaArrayTextureGather: Final[int]
"""Must be set in cudaMallocArray or cudaMalloc3DArray in order to perform texture gather operations on the CUDA array"""
cudaArrayColorAttachment: Final[int]
"""Must be set in cudaExternalMemoryGetMappedMipmappedArray if the mipmapped array is used as a color target in a graphics API"""
cudaArraySparse: Final[int]
"""Must be set in cudaMallocArray, cudaMalloc3DArray or cudaMallocMipmappedArray in order to create a sparse CUDA array or CUDA mipmapped array"""
cudaArrayDeferredMapping: Final[int]
"""Must be set in cudaMallocArray, cudaMalloc3DArray or cudaMallocMipmappedArray in order to create a deferred mapping CUDA array or CUDA mipmapped array"""
cudaIpcMemLazyEnablePeerAccess: Final[int]
"""Automatically enable peer access between remote devices as needed"""
cudaMemAttachGlobal: Final[int]
"""Memory can be accessed by any stream on any device"""
cudaMemAttachHost: Final[int]
"""Memory cannot be accessed by any stream on any device"""
cudaMemAttachSingle: Final[int]
"""Memory can only be accessed by a single stream on the associated device"""
cudaOccupancyDefault: Final[int]
"""Default behavior"""
cudaOccupancyDisableCachingOverride: Final[int]
"""Assume global caching is enabled and cannot be automatically turned off"""
cudaCpuDeviceId: Final[int]
"""Device id that represents the CPU"""
cudaInvalidDeviceId: Final[int]
"""Device id that represents an invalid device"""
cudaInitDeviceFlagsAreValid: Final[int]
"""Tell the CUDA runtime that DeviceFlags is being set in cudaInitDevice call"""
cudaArraySparsePropertiesSingleMipTail: Final[int]
"""Indicates that the layered sparse CUDA array or CUDA mipmapped array has a single mip tail region for all layers"""
cudaMemPoolCreateUsageHwDecompress: Final[int]
"""This flag, if set, indicates that the memory will be used as a buffer for hardware accelerated decompression."""
CUDA_IPC_HANDLE_SIZE: Final[int]
"""CUDA IPC Handle Size"""
cudaExternalMemoryDedicated: Final[int]
"""Indicates that the external memory object is a dedicated resource"""
cudaExternalSemaphoreSignalSkipNvSciBufMemSync: Final[int]
"""When the /p flags parameter of cudaExternalSemaphoreSignalParams contains this flag, it indicates that signaling an external semaphore object should skip performing appropriate memory synchronization operations over all the external memory objects that are imported as cudaExternalMemoryHandleTypeNvSciBuf, which otherwise are performed by default to ensure data coherency with other importers of the same NvSciBuf memory objects."""
cudaExternalSemaphoreWaitSkipNvSciBufMemSync: Final[int]
"""When the /p flags parameter of cudaExternalSemaphoreWaitParams contains this flag, it indicates that waiting an external semaphore object should skip performing appropriate memory synchronization operations over all the external memory objects that are imported as cudaExternalMemoryHandleTypeNvSciBuf, which otherwise are performed by default to ensure data coherency with other importers of the same NvSciBuf memory objects."""
cudaNvSciSyncAttrSignal: Final[int]
"""When /p flags of cudaDeviceGetNvSciSyncAttributes is set to this, it indicates that application need signaler specific NvSciSyncAttr to be filled by cudaDeviceGetNvSciSyncAttributes."""
cudaNvSciSyncAttrWait: Final[int]
"""When /p flags of cudaDeviceGetNvSciSyncAttributes is set to this, it indicates that application need waiter specific NvSciSyncAttr to be filled by cudaDeviceGetNvSciSyncAttributes."""
cudaGraphKernelNodePortDefault: Final[int]
"""This port activates when the kernel has finished executing."""
cudaGraphKernelNodePortProgrammatic: Final[int]
"""This port activates when all blocks of the kernel have performed cudaTriggerProgrammaticLaunchCompletion() or have terminated. It must be used with edge type cudaGraphDependencyTypeProgrammatic. See also cudaLaunchAttributeProgrammaticEvent."""
cudaGraphKernelNodePortLaunchCompletion: Final[int]
"""This port activates when all blocks of the kernel have begun execution. See also cudaLaunchAttributeLaunchCompletionEvent."""
cudaStreamAttributeAccessPolicyWindow: Final[int]
cudaStreamAttributeSynchronizationPolicy: Final[int]
cudaStreamAttributeMemSyncDomainMap: Final[int]
cudaStreamAttributeMemSyncDomain: Final[int]
cudaStreamAttributePriority: Final[int]
cudaKernelNodeAttributeAccessPolicyWindow: Final[int]
cudaKernelNodeAttributeCooperative: Final[int]
cudaKernelNodeAttributePriority: Final[int]
cudaKernelNodeAttributeClusterDimension: Final[int]
cudaKernelNodeAttributeClusterSchedulingPolicyPreference: Final[int]
cudaKernelNodeAttributeMemSyncDomainMap: Final[int]
cudaKernelNodeAttributeMemSyncDomain: Final[int]
cudaKernelNodeAttributePreferredSharedMemoryCarveout: Final[int]
cudaKernelNodeAttributeDeviceUpdatableKernelNode: Final[int]
cudaKernelNodeAttributeNvlinkUtilCentricScheduling: Final[int]
cudaSurfaceType1D: Final[int]
cudaSurfaceType2D: Final[int]
cudaSurfaceType3D: Final[int]
cudaSurfaceTypeCubemap: Final[int]
cudaSurfaceType1DLayered: Final[int]
cudaSurfaceType2DLayered: Final[int]
cudaSurfaceTypeCubemapLayered: Final[int]
cudaTextureType1D: Final[int]
cudaTextureType2D: Final[int]
cudaTextureType3D: Final[int]
cudaTextureTypeCubemap: Final[int]
cudaTextureType1DLayered: Final[int]
cudaTextureType2DLayered: Final[int]
cudaTextureTypeCubemapLayered: Final[int]
isEglSupported: Final[int]
CUDA_EGL_MAX_PLANES: Final[int]
"""Maximum number of planes per frame"""
def cudaDeviceReset() -> tuple[cudaError_t]:
    """Destroy all allocations and reset all state on the current device in the current process.

    C: cudaError_t cudaDeviceReset(void)

    cuda_runtime_api.h:330
    """
    ...

def cudaDeviceSynchronize() -> tuple[cudaError_t]:
    """Wait for compute device to finish

    C: cudaError_t cudaDeviceSynchronize(void)

    cuda_runtime_api.h:352
    """
    ...

def cudaDeviceSetLimit(limit: cudaLimit | int, value: int) -> tuple[cudaError_t]:
    """Set resource limits

    limit: Limit to set
    value: Size of limit

    C: cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)

    cuda_runtime_api.h:438
    """
    ...

def cudaDeviceGetLimit(limit: cudaLimit | int) -> tuple[cudaError_t, int | None]:
    """Return resource limits

    limit: Limit to query
    pValue: Returned size of the limit

    C: cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)

    cuda_runtime_api.h:474
    """
    ...

def cudaDeviceGetTexture1DLinearMaxWidth(fmtDesc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] | Address | None, device: int) -> tuple[cudaError_t, int | None]:
    """Returns the maximum number of elements allocatable in a 1D linear texture for a given element size.

    maxWidthInElements: Returns maximum number of texture elements allocatable for given fmtDesc.
    fmtDesc: Texture format description.

    C: cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, const struct cudaChannelFormatDesc *fmtDesc, int device)

    cuda_runtime_api.h:497
    """
    ...

def cudaDeviceGetCacheConfig() -> tuple[cudaError_t, cudaFuncCache | None]:
    """Returns the preferred cache configuration for the current device.

    pCacheConfig: Returned cache configuration

    C: cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)

    cuda_runtime_api.h:531
    """
    ...

def cudaDeviceGetStreamPriorityRange() -> tuple[cudaError_t, int | None, int | None]:
    """Returns numerical values that correspond to the least and greatest stream priorities.

    leastPriority: Pointer to an int in which the numerical value for least stream priority is returned
    greatestPriority: Pointer to an int in which the numerical value for greatest stream priority is returned

    C: cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)

    cuda_runtime_api.h:568
    """
    ...

def cudaDeviceSetCacheConfig(cacheConfig: cudaFuncCache | int) -> tuple[cudaError_t]:
    """Sets the preferred cache configuration for the current device.

    cacheConfig: Requested cache configuration

    C: cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)

    cuda_runtime_api.h:612
    """
    ...

def cudaDeviceGetByPCIBusId(pciBusId: Text | None) -> tuple[cudaError_t, int | None]:
    """Returns a handle to a compute device

    device: Returned device ordinal
    pciBusId: String in one of the following forms: [domain]:[bus]:[device].[function] [domain]:[bus]:[device] [bus]:[device].[function] where domain, bus, device, and function are all hexadecimal values

    C: cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)

    cuda_runtime_api.h:639
    """
    ...

def cudaDeviceGetPCIBusId(length: int, device: int) -> tuple[cudaError_t, bytes | None]:
    """Returns a PCI Bus Id string for the device

    pciBusId: Returned identifier string for the device in the following format [domain]:[bus]:[device].[function] where domain, bus, device, and function are all hexadecimal values. pciBusId should be large enough to store 13 characters including the NULL-terminator.
    len: Maximum length of string to store in name
    device: Device to get identifier string for

    C: cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)

    cuda_runtime_api.h:669
    """
    ...

def cudaIpcGetEventHandle(event: cudaEvent_t | int | None) -> tuple[cudaError_t, cudaIpcEventHandle_t | None]:
    """Gets an interprocess handle for a previously allocated event

    handle: Pointer to a user allocated cudaIpcEventHandle in which to return the opaque event handle
    event: Event allocated with cudaEventInterprocess and cudaEventDisableTiming flags.

    C: cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)

    cuda_runtime_api.h:720
    """
    ...

def cudaIpcOpenEventHandle(handle: cudaIpcEventHandle_t | tuple[Any, ...] | dict[str, Any]) -> tuple[cudaError_t, cudaEvent_t | None]:
    """Opens an interprocess event handle for use in the current process

    event: Returns the imported event
    handle: Interprocess handle to open

    C: cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)

    cuda_runtime_api.h:764
    """
    ...

def cudaIpcGetMemHandle(devPtr: Address | None) -> tuple[cudaError_t, cudaIpcMemHandle_t | None]:
    """Gets an interprocess memory handle for an existing device memory allocation

    handle: Pointer to user allocated cudaIpcMemHandle to return the handle in.
    devPtr: Base pointer to previously allocated device memory

    C: cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr)

    cuda_runtime_api.h:809
    """
    ...

def cudaIpcOpenMemHandle(handle: cudaIpcMemHandle_t | tuple[Any, ...] | dict[str, Any], flags: int) -> tuple[cudaError_t, int | None]:
    """Opens an interprocess memory handle exported from another process and returns a device pointer usable in the local process.

    devPtr: Returned device pointer
    handle: cudaIpcMemHandle to open
    flags: Flags for this operation. Must be specified as cudaIpcMemLazyEnablePeerAccess

    C: cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)

    cuda_runtime_api.h:876
    """
    ...

def cudaIpcCloseMemHandle(devPtr: Address | None) -> tuple[cudaError_t]:
    """Attempts to close memory mapped with cudaIpcOpenMemHandle

    devPtr: Device pointer returned by cudaIpcOpenMemHandle

    C: cudaError_t cudaIpcCloseMemHandle(void *devPtr)

    cuda_runtime_api.h:915
    """
    ...

def cudaDeviceFlushGPUDirectRDMAWrites(target: cudaFlushGPUDirectRDMAWritesTarget | int, scope: cudaFlushGPUDirectRDMAWritesScope | int) -> tuple[cudaError_t]:
    """Blocks until remote writes are visible to the specified scope

    target: The target of the operation, see cudaFlushGPUDirectRDMAWritesTarget
    scope: The scope of the operation, see cudaFlushGPUDirectRDMAWritesScope

    C: cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target, enum cudaFlushGPUDirectRDMAWritesScope scope)

    cuda_runtime_api.h:947
    """
    ...

def cudaDeviceRegisterAsyncNotification(device: int, callbackFunc: Callable[[Pointer, Pointer, cudaAsyncCallbackHandle_t], object] | None, userData: Address | None) -> tuple[cudaError_t, cudaAsyncCallbackHandle_t | None]:
    """Registers a callback function to receive async notifications

    device: The device on which to register the callback
    callbackFunc: The function to register as a callback
    userData: A generic pointer to user data. This is passed into the callback function.
    callback: A handle representing the registered callback instance

    C: cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void *userData, cudaAsyncCallbackHandle_t *callback)

    cuda_runtime_api.h:985
    """
    ...

def cudaDeviceUnregisterAsyncNotification(device: int, callback: cudaAsyncCallbackHandle_t | int | None) -> tuple[cudaError_t]:
    """Unregisters an async notification callback

    device: The device from which to remove callback.
    callback: The callback instance to unregister from receiving async notifications.

    C: cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback)

    cuda_runtime_api.h:1008
    """
    ...

def cudaDeviceGetSharedMemConfig() -> tuple[cudaError_t, cudaSharedMemConfig | None]:
    """Returns the shared memory configuration for the current device.

    pConfig: Returned cache configuration

    C: cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)

    Deprecated.

    cuda_runtime_api.h:1055
    """
    ...

def cudaDeviceSetSharedMemConfig(config: cudaSharedMemConfig | int) -> tuple[cudaError_t]:
    """Sets the shared memory configuration for the current device.

    config: Requested cache configuration

    C: cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)

    Deprecated.

    cuda_runtime_api.h:1101
    """
    ...

def cudaGetLastError() -> cudaError_t:
    """Returns the last error from a runtime call

    C: cudaError_t cudaGetLastError(void)

    cuda_runtime_api.h:1165
    """
    ...

def cudaPeekAtLastError() -> cudaError_t:
    """Returns the last error from a runtime call

    C: cudaError_t cudaPeekAtLastError(void)

    cuda_runtime_api.h:1216
    """
    ...

def cudaGetDeviceCount() -> tuple[cudaError_t, int | None]:
    """Returns the number of compute-capable devices

    count: Returns the number of devices with compute capability greater or equal to 2.0

    C: cudaError_t cudaGetDeviceCount(int *count)

    cuda_runtime_api.h:1277
    """
    ...

def cudaGetDeviceProperties(device: int) -> tuple[cudaError_t, cudaDeviceProp | None]:
    """Returns information about the compute-device

    prop: Properties for the specified device
    device: Device number to get properties for

    C: cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)

    cuda_runtime_api.h:1299
    """
    ...

def cudaDeviceGetAttribute(attr: cudaDeviceAttr | int, device: int) -> tuple[cudaError_t, int | None]:
    """Returns information about the device

    value: Returned device attribute value
    attr: Device attribute to query
    device: Device number to query

    C: cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)

    cuda_runtime_api.h:1324
    """
    ...

def cudaDeviceGetDefaultMemPool(device: int) -> tuple[cudaError_t, cudaMemPool_t | None]:
    """Returns the default mempool of a device

    C: cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)

    cuda_runtime_api.h:1375
    """
    ...

def cudaDeviceSetMemPool(device: int, memPool: cudaMemPool_t | int | None) -> tuple[cudaError_t]:
    """Sets the current memory pool of a device

    C: cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)

    cuda_runtime_api.h:1399
    """
    ...

def cudaDeviceGetMemPool(device: int) -> tuple[cudaError_t, cudaMemPool_t | None]:
    """Gets the current mempool for a device

    C: cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)

    cuda_runtime_api.h:1419
    """
    ...

def cudaDeviceGetNvSciSyncAttributes(nvSciSyncAttrList: Address | None, device: int, flags: int) -> tuple[cudaError_t]:
    """Return NvSciSync attributes that this device can support.

    nvSciSyncAttrList: Return NvSciSync attributes supported.
    device: Valid Cuda Device to get NvSciSync attributes for.
    flags: flags describing NvSciSync usage.

    C: cudaError_t cudaDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList, int device, int flags)

    cuda_runtime_api.h:1481
    """
    ...

def cudaDeviceGetP2PAttribute(attr: cudaDeviceP2PAttr | int, srcDevice: int, dstDevice: int) -> tuple[cudaError_t, int | None]:
    """Queries attributes of the link between two devices.

    value: Returned value of the requested attribute
    attrib: The requested attribute of the link between srcDevice and dstDevice.
    srcDevice: The source device of the target link.
    dstDevice: The destination device of the target link.

    C: cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice)

    cuda_runtime_api.h:1525
    """
    ...

def cudaChooseDevice(prop: cudaDeviceProp | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, int | None]:
    """Select compute-device which best matches criteria

    device: Device with best match
    prop: Desired device properties

    C: cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)

    cuda_runtime_api.h:1584
    """
    ...

def cudaInitDevice(device: int, deviceFlags: int, flags: int) -> tuple[cudaError_t]:
    """Initialize device to be used for GPU executions

    device: Device on which the runtime will initialize itself.
    deviceFlags: Parameters for device operation.
    flags: Flags for controlling the device initialization.

    C: cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)

    cuda_runtime_api.h:1613
    """
    ...

def cudaSetDevice(device: int) -> tuple[cudaError_t]:
    """Set device to be used for GPU executions

    device: Device on which the active host thread should execute the device code.

    C: cudaError_t cudaSetDevice(int device)

    cuda_runtime_api.h:1659
    """
    ...

def cudaGetDevice() -> tuple[cudaError_t, int | None]:
    """Returns which device is currently being used

    device: Returns the device on which the active host thread executes the device code.

    C: cudaError_t cudaGetDevice(int *device)

    cuda_runtime_api.h:1681
    """
    ...

def cudaSetValidDevices(device_arr: Address | None, len: int) -> tuple[cudaError_t]:
    """Set a list of devices that can be used for CUDA

    device_arr: List of devices to try
    len: Number of devices in specified list

    C: cudaError_t cudaSetValidDevices(int *device_arr, int len)

    cuda_runtime_api.h:1712
    """
    ...

def cudaSetDeviceFlags(flags: int) -> tuple[cudaError_t]:
    """Sets flags to be used for device executions

    flags: Parameters for device operation

    C: cudaError_t cudaSetDeviceFlags(unsigned int flags)

    cuda_runtime_api.h:1782
    """
    ...

def cudaGetDeviceFlags() -> tuple[cudaError_t, int | None]:
    """Gets the flags for the current device

    flags: Pointer to store the device flags

    C: cudaError_t cudaGetDeviceFlags(unsigned int *flags)

    cuda_runtime_api.h:1827
    """
    ...

def cudaStreamCreate() -> tuple[cudaError_t, cudaStream_t | None]:
    """Create an asynchronous stream

    pStream: Pointer to new stream identifier

    C: cudaError_t cudaStreamCreate(cudaStream_t *pStream)

    cuda_runtime_api.h:1871
    """
    ...

def cudaStreamCreateWithFlags(flags: int) -> tuple[cudaError_t, cudaStream_t | None]:
    """Create an asynchronous stream

    pStream: Pointer to new stream identifier
    flags: Parameters for stream creation

    C: cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)

    cuda_runtime_api.h:1907
    """
    ...

def cudaStreamCreateWithPriority(flags: int, priority: int) -> tuple[cudaError_t, cudaStream_t | None]:
    """Create an asynchronous stream with the specified priority

    pStream: Pointer to new stream identifier
    flags: Flags for stream creation. See cudaStreamCreateWithFlags for a list of valid flags that can be passed
    priority: Priority of the stream. Lower numbers represent higher priorities. See cudaDeviceGetStreamPriorityRange for more information about the meaningful stream priorities that can be passed.

    C: cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)

    cuda_runtime_api.h:1959
    """
    ...

def cudaStreamGetPriority(hStream: cudaStream_t | int | None) -> tuple[cudaError_t, int | None]:
    """Query the priority of a stream

    hStream: Handle to the stream to be queried
    priority: Pointer to a signed integer in which the stream's priority is returned

    C: cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)

    cuda_runtime_api.h:1987
    """
    ...

def cudaStreamGetFlags(hStream: cudaStream_t | int | None) -> tuple[cudaError_t, int | None]:
    """Query the flags of a stream

    hStream: Handle to the stream to be queried
    flags: Pointer to an unsigned integer in which the stream's flags are returned

    C: cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)

    cuda_runtime_api.h:2013
    """
    ...

def cudaStreamGetId(hStream: cudaStream_t | int | None) -> tuple[cudaError_t, int | None]:
    """Query the Id of a stream

    hStream: Handle to the stream to be queried
    streamId: Pointer to an unsigned long long in which the stream Id is returned

    C: cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long *streamId)

    cuda_runtime_api.h:2050
    """
    ...

def cudaStreamGetDevice(hStream: cudaStream_t | int | None) -> tuple[cudaError_t, int | None]:
    """Query the device of a stream

    hStream: Handle to the stream to be queried
    device: Returns the device to which the stream belongs

    C: cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device)

    cuda_runtime_api.h:2076
    """
    ...

def cudaCtxResetPersistingL2Cache() -> tuple[cudaError_t]:
    """Resets all persisting lines in cache to normal status.

    C: cudaError_t cudaCtxResetPersistingL2Cache(void)

    cuda_runtime_api.h:2091
    """
    ...

def cudaStreamCopyAttributes(dst: cudaStream_t | int | None, src: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies attributes from source stream to destination stream.

    dst: Destination stream
    src: Source stream For attributes see cudaStreamAttrID

    C: cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)

    cuda_runtime_api.h:2111
    """
    ...

def cudaStreamGetAttribute(hStream: cudaStream_t | int | None, attr: cudaLaunchAttributeID | int) -> tuple[cudaError_t, cudaLaunchAttributeValue | None]:
    """Queries stream attribute.

    C: cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value_out)

    cuda_runtime_api.h:2132
    """
    ...

def cudaStreamSetAttribute(hStream: cudaStream_t | int | None, attr: cudaLaunchAttributeID | int, value: cudaLaunchAttributeValue | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets stream attribute.

    C: cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value)

    cuda_runtime_api.h:2156
    """
    ...

def cudaStreamDestroy(stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Destroys and cleans up an asynchronous stream

    stream: Stream identifier

    C: cudaError_t cudaStreamDestroy(cudaStream_t stream)

    cuda_runtime_api.h:2190
    """
    ...

def cudaStreamWaitEvent(stream: cudaStream_t | int | None, event: cudaEvent_t | int | None, flags: int) -> tuple[cudaError_t]:
    """Make a compute stream wait on an event

    stream: Stream to wait
    event: Event to wait on
    flags: Parameters for the operation(See above)

    C: cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)

    cuda_runtime_api.h:2221
    """
    ...

def cudaStreamAddCallback(stream: cudaStream_t | int | None, callback: Callable[[cudaStream_t, cudaError_t, Pointer], object] | None, userData: Address | None, flags: int) -> tuple[cudaError_t]:
    """Add a callback to a compute stream

    stream: Stream to add callback to
    callback: The function to call once preceding stream operations are complete
    userData: User specified data to be passed to the callback function
    flags: Reserved for future use, must be 0

    C: cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned int flags)

    cuda_runtime_api.h:2296
    """
    ...

def cudaStreamSynchronize(stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Waits for stream tasks to complete

    stream: Stream identifier

    C: cudaError_t cudaStreamSynchronize(cudaStream_t stream)

    cuda_runtime_api.h:2320
    """
    ...

def cudaStreamQuery(stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Queries an asynchronous stream for completion status

    stream: Stream identifier

    C: cudaError_t cudaStreamQuery(cudaStream_t stream)

    cuda_runtime_api.h:2345
    """
    ...

def cudaStreamAttachMemAsync(stream: cudaStream_t | int | None, devPtr: Address | None, length: int, flags: int) -> tuple[cudaError_t]:
    """C: cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags)

    cuda_runtime_api.h:2431
    """
    ...

def cudaStreamBeginCapture(stream: cudaStream_t | int | None, mode: cudaStreamCaptureMode | int) -> tuple[cudaError_t]:
    """Begins graph capture on a stream

    stream: Stream in which to initiate capture
    mode: Controls the interaction of this capture sequence with other API calls that are potentially unsafe. For more details see cudaThreadExchangeStreamCaptureMode.

    C: cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)

    cuda_runtime_api.h:2468
    """
    ...

def cudaStreamBeginCaptureToGraph(stream: cudaStream_t | int | None, graph: cudaGraph_t | int | None, dependencies: Address | None, dependencyData: cudaGraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, mode: cudaStreamCaptureMode | int) -> tuple[cudaError_t]:
    """Begins graph capture on a stream to an existing graph

    stream: Stream in which to initiate capture.
    graph: Graph to capture into.
    dependencies: Dependencies of the first node captured in the stream. Can be NULL if numDependencies is 0.
    dependencyData: Optional array of data associated with each dependency.
    numDependencies: Number of dependencies.
    mode: Controls the interaction of this capture sequence with other API calls that are potentially unsafe. For more details see cudaThreadExchangeStreamCaptureMode.

    C: cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *dependencyData, size_t numDependencies, enum cudaStreamCaptureMode mode)

    cuda_runtime_api.h:2509
    """
    ...

def cudaStreamEndCapture(stream: cudaStream_t | int | None) -> tuple[cudaError_t, cudaGraph_t | None]:
    """Ends capture on a stream, returning the captured graph

    stream: Stream to query
    pGraph: The captured graph

    C: cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)

    cuda_runtime_api.h:2589
    """
    ...

def cudaStreamIsCapturing(stream: cudaStream_t | int | None) -> tuple[cudaError_t, cudaStreamCaptureStatus | None]:
    """Returns a stream's capture status

    stream: Stream to query
    pCaptureStatus: Returns the stream's capture status

    C: cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus)

    cuda_runtime_api.h:2627
    """
    ...

def cudaStreamUpdateCaptureDependencies(stream: cudaStream_t | int | None, dependencies: Address | None, dependencyData: cudaGraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, flags: int) -> tuple[cudaError_t]:
    """Update the set of dependencies in a capturing stream

    stream: The stream to update
    dependencies: The set of dependencies to add
    dependencyData: Optional array of data associated with each dependency.
    numDependencies: The size of the dependencies array
    flags: See above

    C: cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies, const cudaGraphEdgeData *dependencyData, size_t numDependencies, unsigned int flags)

    cuda_runtime_api.h:2724
    """
    ...

def cudaEventCreate() -> tuple[cudaError_t, cudaEvent_t | None]:
    """Creates an event object

    event: Newly created event

    C: cudaError_t cudaEventCreate(cudaEvent_t *event)

    cuda_runtime_api.h:2761
    """
    ...

def cudaEventCreateWithFlags(flags: int) -> tuple[cudaError_t, cudaEvent_t | None]:
    """Creates an event object with the specified flags

    event: Newly created event
    flags: Flags for new event

    C: cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)

    cuda_runtime_api.h:2798
    """
    ...

def cudaEventRecord(event: cudaEvent_t | int | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Records an event

    event: Event to record
    stream: Stream in which to record event

    C: cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)

    cuda_runtime_api.h:2839
    """
    ...

def cudaEventRecordWithFlags(event: cudaEvent_t | int | None, stream: cudaStream_t | int | None, flags: int) -> tuple[cudaError_t]:
    """Records an event

    event: Event to record
    stream: Stream in which to record event
    flags: Parameters for the operation(See above)

    C: cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)

    cuda_runtime_api.h:2887
    """
    ...

def cudaEventQuery(event: cudaEvent_t | int | None) -> tuple[cudaError_t]:
    """Queries an event's status

    event: Event to query

    C: cudaError_t cudaEventQuery(cudaEvent_t event)

    cuda_runtime_api.h:2920
    """
    ...

def cudaEventSynchronize(event: cudaEvent_t | int | None) -> tuple[cudaError_t]:
    """Waits for an event to complete

    event: Event to wait for

    C: cudaError_t cudaEventSynchronize(cudaEvent_t event)

    cuda_runtime_api.h:2951
    """
    ...

def cudaEventDestroy(event: cudaEvent_t | int | None) -> tuple[cudaError_t]:
    """Destroys an event object

    event: Event to destroy

    C: cudaError_t cudaEventDestroy(cudaEvent_t event)

    cuda_runtime_api.h:2981
    """
    ...

def cudaEventElapsedTime(start: cudaEvent_t | int | None, end: cudaEvent_t | int | None) -> tuple[cudaError_t, float | None]:
    """Computes the elapsed time between events

    ms: Time between start and end in ms
    start: Starting event
    end: Ending event

    C: cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)

    cuda_runtime_api.h:3029
    """
    ...

def cudaImportExternalMemory(memHandleDesc: cudaExternalMemoryHandleDesc | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaExternalMemory_t | None]:
    """Imports an external memory object

    extMem_out: Returned handle to an external memory object
    memHandleDesc: Memory import handle descriptor

    C: cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *extMem_out, const struct cudaExternalMemoryHandleDesc *memHandleDesc)

    cuda_runtime_api.h:3210
    """
    ...

def cudaExternalMemoryGetMappedBuffer(extMem: cudaExternalMemory_t | int | None, bufferDesc: cudaExternalMemoryBufferDesc | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, int | None]:
    """Maps a buffer onto an imported memory object

    devPtr: Returned device pointer to buffer
    extMem: Handle to external memory object
    bufferDesc: Buffer descriptor

    C: cudaError_t cudaExternalMemoryGetMappedBuffer(void **devPtr, cudaExternalMemory_t extMem, const struct cudaExternalMemoryBufferDesc *bufferDesc)

    cuda_runtime_api.h:3265
    """
    ...

def cudaExternalMemoryGetMappedMipmappedArray(extMem: cudaExternalMemory_t | int | None, mipmapDesc: cudaExternalMemoryMipmappedArrayDesc | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaMipmappedArray_t | None]:
    """Maps a CUDA mipmapped array onto an external memory object

    mipmap: Returned CUDA mipmapped array
    extMem: Handle to external memory object
    mipmapDesc: CUDA array descriptor

    C: cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *mipmap, cudaExternalMemory_t extMem, const struct cudaExternalMemoryMipmappedArrayDesc *mipmapDesc)

    cuda_runtime_api.h:3325
    """
    ...

def cudaDestroyExternalMemory(extMem: cudaExternalMemory_t | int | None) -> tuple[cudaError_t]:
    """Destroys an external memory object.

    extMem: External memory object to be destroyed

    C: cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem)

    cuda_runtime_api.h:3349
    """
    ...

def cudaImportExternalSemaphore(semHandleDesc: cudaExternalSemaphoreHandleDesc | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaExternalSemaphore_t | None]:
    """Imports an external semaphore

    extSem_out: Returned handle to an external semaphore
    semHandleDesc: Semaphore import handle descriptor

    C: cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *extSem_out, const struct cudaExternalSemaphoreHandleDesc *semHandleDesc)

    cuda_runtime_api.h:3503
    """
    ...

def cudaSignalExternalSemaphoresAsync(extSemArray: Address | None, paramsArray: cudaExternalSemaphoreSignalParams | tuple[Any, ...] | dict[str, Any] | Address | None, numExtSems: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Signals a set of external semaphore objects

    extSemArray: Set of external semaphores to be signaled
    paramsArray: Array of semaphore parameters
    numExtSems: Number of semaphores to signal
    stream: Stream to enqueue the signal operations in

    C: cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray, const struct cudaExternalSemaphoreSignalParams *paramsArray, unsigned int numExtSems, cudaStream_t stream)

    cuda_runtime_api.h:3599
    """
    ...

def cudaWaitExternalSemaphoresAsync(extSemArray: Address | None, paramsArray: cudaExternalSemaphoreWaitParams | tuple[Any, ...] | dict[str, Any] | Address | None, numExtSems: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Waits on a set of external semaphore objects

    extSemArray: External semaphores to be waited on
    paramsArray: Array of semaphore parameters
    numExtSems: Number of semaphores to wait on
    stream: Stream to enqueue the wait operations in

    C: cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray, const struct cudaExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems, cudaStream_t stream)

    cuda_runtime_api.h:3675
    """
    ...

def cudaDestroyExternalSemaphore(extSem: cudaExternalSemaphore_t | int | None) -> tuple[cudaError_t]:
    """Destroys an external semaphore

    extSem: External semaphore to be destroyed

    C: cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem)

    cuda_runtime_api.h:3698
    """
    ...

def cudaLaunchKernel(func: Address | None, gridDim: dim3 | tuple[Any, ...] | dict[str, Any], blockDim: dim3 | tuple[Any, ...] | dict[str, Any], args: Address | None, sharedMem: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Launches a device function

    func: Device function symbol
    gridDim: Grid dimentions
    blockDim: Block dimentions
    args: Arguments
    sharedMem: Shared memory
    stream: Stream identifier

    C: cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream)

    cuda_runtime_api.h:3766
    """
    ...

def cudaLaunchKernelExC(config: cudaLaunchConfig_t | tuple[Any, ...] | dict[str, Any] | Address | None, func: Address | None, args: Address | None) -> tuple[cudaError_t]:
    """Launches a CUDA function with launch-time configuration

    config: Launch configuration
    func: Kernel to launch
    args: Array of pointers to kernel parameters

    C: cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)

    cuda_runtime_api.h:3829
    """
    ...

def cudaLaunchCooperativeKernel(func: Address | None, gridDim: dim3 | tuple[Any, ...] | dict[str, Any], blockDim: dim3 | tuple[Any, ...] | dict[str, Any], args: Address | None, sharedMem: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Launches a device function where thread blocks can cooperate and synchronize as they execute

    func: Device function symbol
    gridDim: Grid dimentions
    blockDim: Block dimentions
    args: Arguments
    sharedMem: Shared memory
    stream: Stream identifier

    C: cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream)

    cuda_runtime_api.h:3886
    """
    ...

def cudaFuncSetCacheConfig(func: Address | None, cacheConfig: cudaFuncCache | int) -> tuple[cudaError_t]:
    """Sets the preferred cache configuration for a device function

    func: Device function symbol
    cacheConfig: Requested cache configuration

    C: cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)

    cuda_runtime_api.h:3936
    """
    ...

def cudaFuncGetAttributes(func: Address | None) -> tuple[cudaError_t, cudaFuncAttributes | None]:
    """Find out attributes for a given function

    attr: Return pointer to function's attributes
    func: Device function symbol

    C: cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)

    cuda_runtime_api.h:3971
    """
    ...

def cudaFuncSetAttribute(func: Address | None, attr: cudaFuncAttribute | int, value: int) -> tuple[cudaError_t]:
    """Set attributes for a given function

    func: Function to get attributes of
    attr: Attribute to set
    value: Value to set

    C: cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)

    cuda_runtime_api.h:4030
    """
    ...

def cudaFuncGetName(func: Address | None) -> tuple[cudaError_t, str | None]:
    """Returns the function name for a device entry function pointer.

    name: The returned name of the function
    func: The function pointer to retrieve name for

    C: cudaError_t cudaFuncGetName(const char **name, const void *func)

    cuda_runtime_api.h:4056
    """
    ...

def cudaFuncGetParamInfo(func: Address | None, paramIndex: int, paramOffset: Address | None) -> tuple[cudaError_t, int | None]:
    """Returns the offset and size of a kernel parameter in the device-side parameter layout.

    func: The function to query
    paramIndex: The parameter index to query
    paramOffset: The offset into the device-side parameter layout at which the parameter resides
    paramSize: The size of the parameter in the device-side parameter layout

    C: cudaError_t cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)

    cuda_runtime_api.h:4079
    """
    ...

def cudaLaunchHostFunc(stream: cudaStream_t | int | None, fn: Callable[[Pointer], object] | None, userData: Address | None) -> tuple[cudaError_t]:
    """Enqueues a host function call in a stream

    hStream: Stream to enqueue function call in
    fn: The function to call once preceding stream operations are complete
    userData: User-specified data to be passed to the function

    C: cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)

    cuda_runtime_api.h:4145
    """
    ...

def cudaFuncSetSharedMemConfig(func: Address | None, config: cudaSharedMemConfig | int) -> tuple[cudaError_t]:
    """Sets the shared memory configuration for a device function

    func: Device function symbol
    config: Requested shared memory configuration

    C: cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)

    Deprecated.

    cuda_runtime_api.h:4219
    """
    ...

def cudaOccupancyMaxActiveBlocksPerMultiprocessor(func: Address | None, blockSize: int, dynamicSMemSize: int) -> tuple[cudaError_t, int | None]:
    """Returns occupancy for a device function

    numBlocks: Returned occupancy
    func: Kernel function for which occupancy is calculated
    blockSize: Block size the kernel is intended to be launched with
    dynamicSMemSize: Per-block dynamic shared memory usage intended, in bytes

    C: cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize)

    cuda_runtime_api.h:4276
    """
    ...

def cudaOccupancyAvailableDynamicSMemPerBlock(func: Address | None, numBlocks: int, blockSize: int) -> tuple[cudaError_t, int | None]:
    """Returns dynamic shared memory available per block when launching numBlocks blocks on SM.

    dynamicSmemSize: Returned maximum dynamic shared memory
    func: Kernel function for which occupancy is calculated
    numBlocks: Number of blocks to fit on SM
    blockSize: Size of the block

    C: cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func, int numBlocks, int blockSize)

    cuda_runtime_api.h:4306
    """
    ...

def cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(func: Address | None, blockSize: int, dynamicSMemSize: int, flags: int) -> tuple[cudaError_t, int | None]:
    """Returns occupancy for a device function with the specified flags

    numBlocks: Returned occupancy
    func: Kernel function for which occupancy is calculated
    blockSize: Block size the kernel is intended to be launched with
    dynamicSMemSize: Per-block dynamic shared memory usage intended, in bytes
    flags: Requested behavior for the occupancy calculator

    C: cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize, unsigned int flags)

    cuda_runtime_api.h:4352
    """
    ...

def cudaOccupancyMaxPotentialClusterSize(func: Address | None, launchConfig: cudaLaunchConfig_t | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, int | None]:
    """Given the kernel function (\\p func) and launch configuration (\\p config), return the maximum cluster size in *clusterSize.

    clusterSize: Returned maximum cluster size that can be launched for the given kernel function and launch configuration
    func: Kernel function for which maximum cluster size is calculated
    config: Launch configuration for the given kernel function

    C: cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func, const cudaLaunchConfig_t *launchConfig)

    cuda_runtime_api.h:4388
    """
    ...

def cudaOccupancyMaxActiveClusters(func: Address | None, launchConfig: cudaLaunchConfig_t | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, int | None]:
    """Given the kernel function (\\p func) and launch configuration (\\p config), return the maximum number of clusters that could co-exist on the target device in *numClusters.

    numClusters: Returned maximum number of clusters that could co-exist on the target device
    func: Kernel function for which maximum number of clusters are calculated
    config: Launch configuration for the given kernel function

    C: cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func, const cudaLaunchConfig_t *launchConfig)

    cuda_runtime_api.h:4428
    """
    ...

def cudaMallocManaged(size: int, flags: int) -> tuple[cudaError_t, int | None]:
    """C: cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)

    cuda_runtime_api.h:4550
    """
    ...

def cudaMalloc(size: int) -> tuple[cudaError_t, int | None]:
    """Allocate memory on the device

    devPtr: Pointer to allocated device memory
    size: Requested allocation size in bytes

    C: cudaError_t cudaMalloc(void **devPtr, size_t size)

    cuda_runtime_api.h:4581
    """
    ...

def cudaMallocHost(size: int) -> tuple[cudaError_t, int | None]:
    """Allocates page-locked memory on the host

    ptr: Pointer to allocated host memory
    size: Requested allocation size in bytes

    C: cudaError_t cudaMallocHost(void **ptr, size_t size)

    cuda_runtime_api.h:4618
    """
    ...

def cudaMallocPitch(width: int, height: int) -> tuple[cudaError_t, int | None, int | None]:
    """Allocates pitched memory on the device

    devPtr: Pointer to allocated pitched device memory
    pitch: Pitch for allocation
    width: Requested pitched allocation width (in bytes)
    height: Requested pitched allocation height

    C: cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)

    cuda_runtime_api.h:4661
    """
    ...

def cudaMallocArray(desc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] | Address | None, width: int, height: int, flags: int) -> tuple[cudaError_t, cudaArray_t | None]:
    """Allocate an array on the device

    array: Pointer to allocated array in device memory
    desc: Requested channel format
    width: Requested array allocation width
    height: Requested array allocation height
    flags: Requested properties of allocated array

    C: cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height, unsigned int flags)

    cuda_runtime_api.h:4713
    """
    ...

def cudaFree(devPtr: Address | None) -> tuple[cudaError_t]:
    """Frees memory on the device

    devPtr: Device pointer to memory to free

    C: cudaError_t cudaFree(void *devPtr)

    cuda_runtime_api.h:4752
    """
    ...

def cudaFreeHost(ptr: Address | None) -> tuple[cudaError_t]:
    """Frees page-locked memory

    ptr: Pointer to memory to free

    C: cudaError_t cudaFreeHost(void *ptr)

    cuda_runtime_api.h:4775
    """
    ...

def cudaFreeArray(array: cudaArray_t | int | None) -> tuple[cudaError_t]:
    """Frees an array on the device

    array: Pointer to array to free

    C: cudaError_t cudaFreeArray(cudaArray_t array)

    cuda_runtime_api.h:4798
    """
    ...

def cudaFreeMipmappedArray(mipmappedArray: cudaMipmappedArray_t | int | None) -> tuple[cudaError_t]:
    """Frees a mipmapped array on the device

    mipmappedArray: Pointer to mipmapped array to free

    C: cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray)

    cuda_runtime_api.h:4821
    """
    ...

def cudaHostAlloc(size: int, flags: int) -> tuple[cudaError_t, int | None]:
    """Allocates page-locked memory on the host

    pHost: Device pointer to allocated memory
    size: Requested allocation size in bytes
    flags: Requested properties of allocated memory

    C: cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)

    cuda_runtime_api.h:4887
    """
    ...

def cudaHostRegister(ptr: Address | None, size: int, flags: int) -> tuple[cudaError_t]:
    """Registers an existing host memory range for use by CUDA

    ptr: Host pointer to memory to page-lock
    size: Size in bytes of the address range to page-lock in bytes
    flags: Flags for allocation request

    C: cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)

    cuda_runtime_api.h:4984
    """
    ...

def cudaHostUnregister(ptr: Address | None) -> tuple[cudaError_t]:
    """Unregisters a memory range that was registered with cudaHostRegister

    ptr: Host pointer to memory to unregister

    C: cudaError_t cudaHostUnregister(void *ptr)

    cuda_runtime_api.h:5007
    """
    ...

def cudaHostGetDevicePointer(pHost: Address | None, flags: int) -> tuple[cudaError_t, int | None]:
    """Passes back device pointer of mapped host memory allocated by cudaHostAlloc or registered by cudaHostRegister

    pDevice: Returned device pointer for mapped memory
    pHost: Requested host pointer mapping
    flags: Flags for extensions (must be 0 for now)

    C: cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)

    cuda_runtime_api.h:5052
    """
    ...

def cudaHostGetFlags(pHost: Address | None) -> tuple[cudaError_t, int | None]:
    """Passes back flags used to allocate pinned host memory allocated by cudaHostAlloc

    pFlags: Returned flags word
    pHost: Host pointer

    C: cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)

    cuda_runtime_api.h:5074
    """
    ...

def cudaMalloc3D(extent: cudaExtent | tuple[Any, ...] | dict[str, Any]) -> tuple[cudaError_t, cudaPitchedPtr | None]:
    """Allocates logical 1D, 2D, or 3D memory objects on the device

    pitchedDevPtr: Pointer to allocated pitched device memory
    extent: Requested allocation size (\\p width field in bytes)

    C: cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)

    cuda_runtime_api.h:5113
    """
    ...

def cudaMalloc3DArray(desc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] | Address | None, extent: cudaExtent | tuple[Any, ...] | dict[str, Any], flags: int) -> tuple[cudaError_t, cudaArray_t | None]:
    """Allocate an array on the device

    array: Pointer to allocated array in device memory
    desc: Requested channel format
    extent: Requested allocation size (\\p width field in elements)
    flags: Flags for extensions

    C: cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned int flags)

    cuda_runtime_api.h:5258
    """
    ...

def cudaMallocMipmappedArray(desc: cudaChannelFormatDesc | tuple[Any, ...] | dict[str, Any] | Address | None, extent: cudaExtent | tuple[Any, ...] | dict[str, Any], numLevels: int, flags: int) -> tuple[cudaError_t, cudaMipmappedArray_t | None]:
    """Allocate a mipmapped array on the device

    mipmappedArray: Pointer to allocated mipmapped array in device memory
    desc: Requested channel format
    extent: Requested allocation size (\\p width field in elements)
    numLevels: Number of mipmap levels to allocate
    flags: Flags for extensions

    C: cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned int numLevels, unsigned int flags)

    cuda_runtime_api.h:5403
    """
    ...

def cudaGetMipmappedArrayLevel(mipmappedArray: cudaMipmappedArray_t | int | None, level: int) -> tuple[cudaError_t, cudaArray_t | None]:
    """Gets a mipmap level of a CUDA mipmapped array

    levelArray: Returned mipmap level CUDA array
    mipmappedArray: CUDA mipmapped array
    level: Mipmap level

    C: cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray, unsigned int level)

    cuda_runtime_api.h:5436
    """
    ...

def cudaMemcpy3D(p: cudaMemcpy3DParms | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Copies data between 3D objects

    p: 3D memory copy parameters

    C: cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)

    cuda_runtime_api.h:5541
    """
    ...

def cudaMemcpy3DPeer(p: cudaMemcpy3DPeerParms | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Copies memory between devices

    p: Parameters for the memory copy

    C: cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)

    cuda_runtime_api.h:5573
    """
    ...

def cudaMemcpy3DAsync(p: cudaMemcpy3DParms | tuple[Any, ...] | dict[str, Any] | Address | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data between 3D objects

    p: 3D memory copy parameters
    stream: Stream identifier

    C: cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)

    cuda_runtime_api.h:5691
    """
    ...

def cudaMemcpy3DPeerAsync(p: cudaMemcpy3DPeerParms | tuple[Any, ...] | dict[str, Any] | Address | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies memory between devices asynchronously.

    p: Parameters for the memory copy
    stream: Stream identifier

    C: cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)

    cuda_runtime_api.h:5718
    """
    ...

def cudaMemGetInfo() -> tuple[cudaError_t, int | None, int | None]:
    """Gets free and total device memory

    free: Returned free memory in bytes
    total: Returned total memory in bytes

    C: cudaError_t cudaMemGetInfo(size_t *free, size_t *total)

    cuda_runtime_api.h:5752
    """
    ...

def cudaArrayGetInfo(array: cudaArray_t | int | None) -> tuple[cudaError_t, cudaChannelFormatDesc | None, cudaExtent | None, int | None]:
    """Gets info about the specified cudaArray

    desc: Returned array type
    extent: Returned array shape. 2D arrays will have depth of zero
    flags: Returned array flags
    array: The cudaArray to get info for

    C: cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags, cudaArray_t array)

    cuda_runtime_api.h:5778
    """
    ...

def cudaArrayGetPlane(hArray: cudaArray_t | int | None, planeIdx: int) -> tuple[cudaError_t, cudaArray_t | None]:
    """Gets a CUDA array plane from a CUDA array

    pPlaneArray: Returned CUDA array referenced by the planeIdx
    hArray: CUDA array
    planeIdx: Plane index

    C: cudaError_t cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned int planeIdx)

    cuda_runtime_api.h:5807
    """
    ...

def cudaArrayGetMemoryRequirements(array: cudaArray_t | int | None, device: int) -> tuple[cudaError_t, cudaArrayMemoryRequirements | None]:
    """Returns the memory requirements of a CUDA array

    memoryRequirements: Pointer to cudaArrayMemoryRequirements
    array: CUDA array to get the memory requirements of
    device: Device to get the memory requirements for

    C: cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array, int device)

    cuda_runtime_api.h:5830
    """
    ...

def cudaMipmappedArrayGetMemoryRequirements(mipmap: cudaMipmappedArray_t | int | None, device: int) -> tuple[cudaError_t, cudaArrayMemoryRequirements | None]:
    """Returns the memory requirements of a CUDA mipmapped array

    memoryRequirements: Pointer to cudaArrayMemoryRequirements
    mipmap: CUDA mipmapped array to get the memory requirements of
    device: Device to get the memory requirements for

    C: cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements, cudaMipmappedArray_t mipmap, int device)

    cuda_runtime_api.h:5854
    """
    ...

def cudaArrayGetSparseProperties(array: cudaArray_t | int | None) -> tuple[cudaError_t, cudaArraySparseProperties | None]:
    """Returns the layout properties of a sparse CUDA array

    sparseProperties: Pointer to return the cudaArraySparseProperties
    array: The CUDA array to get the sparse properties of

    C: cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties, cudaArray_t array)

    cuda_runtime_api.h:5882
    """
    ...

def cudaMipmappedArrayGetSparseProperties(mipmap: cudaMipmappedArray_t | int | None) -> tuple[cudaError_t, cudaArraySparseProperties | None]:
    """Returns the layout properties of a sparse CUDA mipmapped array

    sparseProperties: Pointer to return cudaArraySparseProperties
    mipmap: The CUDA mipmapped array to get the sparse properties of

    C: cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties, cudaMipmappedArray_t mipmap)

    cuda_runtime_api.h:5912
    """
    ...

def cudaMemcpy(dst: Address | None, src: Address | None, count: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    src: Source memory address
    count: Size in bytes to copy
    kind: Type of transfer

    C: cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:5957
    """
    ...

def cudaMemcpyPeer(dst: Address | None, dstDevice: int, src: Address | None, srcDevice: int, count: int) -> tuple[cudaError_t]:
    """Copies memory between two devices

    dst: Destination device pointer
    dstDevice: Destination device
    src: Source device pointer
    srcDevice: Source device
    count: Size of memory copy in bytes

    C: cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)

    cuda_runtime_api.h:5992
    """
    ...

def cudaMemcpy2D(dst: Address | None, dpitch: int, src: Address | None, spitch: int, width: int, height: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    dpitch: Pitch of destination memory
    src: Source memory address
    spitch: Pitch of source memory
    width: Width of matrix transfer (columns in bytes)
    height: Height of matrix transfer (rows)
    kind: Type of transfer

    C: cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:6041
    """
    ...

def cudaMemcpy2DToArray(dst: cudaArray_t | int | None, wOffset: int, hOffset: int, src: Address | None, spitch: int, width: int, height: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    wOffset: Destination starting X offset (columns in bytes)
    hOffset: Destination starting Y offset (rows)
    src: Source memory address
    spitch: Pitch of source memory
    width: Width of matrix transfer (columns in bytes)
    height: Height of matrix transfer (rows)
    kind: Type of transfer

    C: cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:6091
    """
    ...

def cudaMemcpy2DFromArray(dst: Address | None, dpitch: int, src: cudaArray_t | int | None, wOffset: int, hOffset: int, width: int, height: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    dpitch: Pitch of destination memory
    src: Source memory address
    wOffset: Source starting X offset (columns in bytes)
    hOffset: Source starting Y offset (rows)
    width: Width of matrix transfer (columns in bytes)
    height: Height of matrix transfer (rows)
    kind: Type of transfer

    C: cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:6141
    """
    ...

def cudaMemcpy2DArrayToArray(dst: cudaArray_t | int | None, wOffsetDst: int, hOffsetDst: int, src: cudaArray_t | int | None, wOffsetSrc: int, hOffsetSrc: int, width: int, height: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    wOffsetDst: Destination starting X offset (columns in bytes)
    hOffsetDst: Destination starting Y offset (rows)
    src: Source memory address
    wOffsetSrc: Source starting X offset (columns in bytes)
    hOffsetSrc: Source starting Y offset (rows)
    width: Width of matrix transfer (columns in bytes)
    height: Height of matrix transfer (rows)
    kind: Type of transfer

    C: cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:6188
    """
    ...

def cudaMemcpyToSymbol(symbol: Address | None, src: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data to the given symbol on the device

    symbol: Device symbol address
    src: Source memory address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:6231
    """
    ...

def cudaMemcpyFromSymbol(dst: Address | None, symbol: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data from the given symbol on the device

    dst: Destination memory address
    symbol: Device symbol address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:6275
    """
    ...

def cudaMemcpyAsync(dst: Address | None, src: Address | None, count: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    src: Source memory address
    count: Size in bytes to copy
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)

    cuda_runtime_api.h:6332
    """
    ...

def cudaMemcpyPeerAsync(dst: Address | None, dstDevice: int, src: Address | None, srcDevice: int, count: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies memory between two devices asynchronously.

    dst: Destination device pointer
    dstDevice: Destination device
    src: Source device pointer
    srcDevice: Source device
    count: Size of memory copy in bytes
    stream: Stream identifier

    C: cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count, cudaStream_t stream)

    cuda_runtime_api.h:6367
    """
    ...

def cudaMemcpyBatchAsync(dsts: Address | None, srcs: Address | None, sizes: Address | None, count: int, attrs: cudaMemcpyAttributes | Address | None, attrsIdxs: Address | None, numAttrs: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Performs a batch of memory copies asynchronously.

    dsts: Array of destination pointers.
    srcs: Array of memcpy source pointers.
    sizes: Array of sizes for memcpy operations.
    count: Size of dsts, srcs and sizes arrays
    attrs: Array of memcpy attributes.
    attrsIdxs: Array of indices to specify which copies each entry in the attrs array applies to. The attributes specified in attrs[k] will be applied to copies starting from attrsIdxs[k] through attrsIdxs[k+1] - 1. Also attrs[numAttrs-1] will apply to copies starting from attrsIdxs[numAttrs-1] through count - 1.
    numAttrs: Size of attrs and attrsIdxs arrays.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count, struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, cudaStream_t stream)

    cuda_runtime_api.h:6435
    """
    ...

def cudaMemcpy3DBatchAsync(numOps: int, opList: cudaMemcpy3DBatchOp | Address | None, flags: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Performs a batch of 3D memory copies asynchronously.

    numOps: Total number of memcpy operations.
    opList: Array of size numOps containing the actual memcpy operations.
    flags: Flags for future use, must be zero now.
    hStream: The stream to enqueue the operations in. Must not be default NULL stream.

    C: cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long flags, cudaStream_t stream)

    cuda_runtime_api.h:6499
    """
    ...

def cudaMemcpy2DAsync(dst: Address | None, dpitch: int, src: Address | None, spitch: int, width: int, height: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    dpitch: Pitch of destination memory
    src: Source memory address
    spitch: Pitch of source memory
    width: Width of matrix transfer (columns in bytes)
    height: Height of matrix transfer (rows)
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)

    cuda_runtime_api.h:6561
    """
    ...

def cudaMemcpy2DToArrayAsync(dst: cudaArray_t | int | None, wOffset: int, hOffset: int, src: Address | None, spitch: int, width: int, height: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    wOffset: Destination starting X offset (columns in bytes)
    hOffset: Destination starting Y offset (rows)
    src: Source memory address
    spitch: Pitch of source memory
    width: Width of matrix transfer (columns in bytes)
    height: Height of matrix transfer (rows)
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)

    cuda_runtime_api.h:6619
    """
    ...

def cudaMemcpy2DFromArrayAsync(dst: Address | None, dpitch: int, src: cudaArray_t | int | None, wOffset: int, hOffset: int, width: int, height: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    dpitch: Pitch of destination memory
    src: Source memory address
    wOffset: Source starting X offset (columns in bytes)
    hOffset: Source starting Y offset (rows)
    width: Width of matrix transfer (columns in bytes)
    height: Height of matrix transfer (rows)
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)

    cuda_runtime_api.h:6676
    """
    ...

def cudaMemcpyToSymbolAsync(symbol: Address | None, src: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data to the given symbol on the device

    symbol: Device symbol address
    src: Source memory address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)

    cuda_runtime_api.h:6727
    """
    ...

def cudaMemcpyFromSymbolAsync(dst: Address | None, symbol: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data from the given symbol on the device

    dst: Destination memory address
    symbol: Device symbol address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)

    cuda_runtime_api.h:6778
    """
    ...

def cudaMemset(devPtr: Address | None, value: int, count: int) -> tuple[cudaError_t]:
    """Initializes or sets device memory to a value

    devPtr: Pointer to device memory
    value: Value to set for each byte of specified memory
    count: Size in bytes to set

    C: cudaError_t cudaMemset(void *devPtr, int value, size_t count)

    cuda_runtime_api.h:6807
    """
    ...

def cudaMemset2D(devPtr: Address | None, pitch: int, value: int, width: int, height: int) -> tuple[cudaError_t]:
    """Initializes or sets device memory to a value

    devPtr: Pointer to 2D device memory
    pitch: Pitch in bytes of 2D device memory(Unused if height is 1)
    value: Value to set for each byte of specified memory
    width: Width of matrix set (columns in bytes)
    height: Height of matrix set (rows)

    C: cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)

    cuda_runtime_api.h:6841
    """
    ...

def cudaMemset3D(pitchedDevPtr: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any], value: int, extent: cudaExtent | tuple[Any, ...] | dict[str, Any]) -> tuple[cudaError_t]:
    """Initializes or sets device memory to a value

    pitchedDevPtr: Pointer to pitched device memory
    value: Value to set for each byte of specified memory
    extent: Size parameters for where to set device memory (\\p width field in bytes)

    C: cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)

    cuda_runtime_api.h:6887
    """
    ...

def cudaMemsetAsync(devPtr: Address | None, value: int, count: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Initializes or sets device memory to a value

    devPtr: Pointer to device memory
    value: Value to set for each byte of specified memory
    count: Size in bytes to set
    stream: Stream identifier

    C: cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)

    cuda_runtime_api.h:6923
    """
    ...

def cudaMemset2DAsync(devPtr: Address | None, pitch: int, value: int, width: int, height: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Initializes or sets device memory to a value

    devPtr: Pointer to 2D device memory
    pitch: Pitch in bytes of 2D device memory(Unused if height is 1)
    value: Value to set for each byte of specified memory
    width: Width of matrix set (columns in bytes)
    height: Height of matrix set (rows)
    stream: Stream identifier

    C: cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)

    cuda_runtime_api.h:6964
    """
    ...

def cudaMemset3DAsync(pitchedDevPtr: cudaPitchedPtr | tuple[Any, ...] | dict[str, Any], value: int, extent: cudaExtent | tuple[Any, ...] | dict[str, Any], stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Initializes or sets device memory to a value

    pitchedDevPtr: Pointer to pitched device memory
    value: Value to set for each byte of specified memory
    extent: Size parameters for where to set device memory (\\p width field in bytes)
    stream: Stream identifier

    C: cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent, cudaStream_t stream)

    cuda_runtime_api.h:7017
    """
    ...

def cudaGetSymbolAddress(symbol: Address | None) -> tuple[cudaError_t, int | None]:
    """Finds the address associated with a CUDA symbol

    devPtr: Return device pointer associated with symbol
    symbol: Device symbol address

    C: cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)

    cuda_runtime_api.h:7045
    """
    ...

def cudaGetSymbolSize(symbol: Address | None) -> tuple[cudaError_t, int | None]:
    """Finds the size of the object associated with a CUDA symbol

    size: Size of object associated with symbol
    symbol: Device symbol address

    C: cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)

    cuda_runtime_api.h:7072
    """
    ...

def cudaMemPrefetchAsync(devPtr: Address | None, count: int, location: cudaMemLocation | tuple[Any, ...] | dict[str, Any], flags: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Prefetches memory to the specified destination location

    devPtr: Pointer to be prefetched
    count: Size in bytes
    location: location to prefetch to
    flags: flags for future use, must be zero now.
    stream: Stream to enqueue prefetch operation

    C: cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location, unsigned int flags, cudaStream_t stream)

    cuda_runtime_api.h:7152
    """
    ...

def cudaMemPrefetchBatchAsync(dptrs: Address | None, sizes: Address | None, count: int, prefetchLocs: cudaMemLocation | Address | None, prefetchLocIdxs: Address | None, numPrefetchLocs: int, flags: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Performs a batch of memory prefetches asynchronously

    dptrs: Array of pointers to be prefetched
    sizes: Array of sizes for memory prefetch operations.
    count: Size of dptrs and sizes arrays.
    prefetchLocs: Array of locations to prefetch to.
    prefetchLocIdxs: Array of indices to specify which operands each entry in the prefetchLocs array applies to. The locations specified in prefetchLocs[k] will be applied to copies starting from prefetchLocIdxs[k] through prefetchLocIdxs[k+1] - 1. Also prefetchLocs[numPrefetchLocs - 1] will apply to prefetches starting from prefetchLocIdxs[numPrefetchLocs - 1] through count - 1.
    numPrefetchLocs: Size of prefetchLocs and prefetchLocIdxs arrays.
    flags: Flags reserved for future use. Must be zero.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long flags, cudaStream_t stream)

    cuda_runtime_api.h:7193
    """
    ...

def cudaMemDiscardBatchAsync(dptrs: Address | None, sizes: Address | None, count: int, flags: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Performs a batch of memory discards asynchronously

    dptrs: Array of pointers to be discarded
    sizes: Array of sizes for memory discard operations.
    count: Size of dptrs and sizes arrays.
    flags: Flags reserved for future use. Must be zero.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long flags, cudaStream_t stream)

    cuda_runtime_api.h:7226
    """
    ...

def cudaMemDiscardAndPrefetchBatchAsync(dptrs: Address | None, sizes: Address | None, count: int, prefetchLocs: cudaMemLocation | Address | None, prefetchLocIdxs: Address | None, numPrefetchLocs: int, flags: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Performs a batch of memory discards and prefetches asynchronously

    dptrs: Array of pointers to be discarded
    sizes: Array of sizes for memory discard operations.
    count: Size of dptrs and sizes arrays.
    prefetchLocs: Array of locations to prefetch to.
    prefetchLocIdxs: Array of indices to specify which operands each entry in the prefetchLocs array applies to. The locations specified in prefetchLocs[k] will be applied to operations starting from prefetchLocIdxs[k] through prefetchLocIdxs[k+1] - 1. Also prefetchLocs[numPrefetchLocs - 1] will apply to copies starting from prefetchLocIdxs[numPrefetchLocs - 1] through count - 1.
    numPrefetchLocs: Size of prefetchLocs and prefetchLocIdxs arrays.
    flags: Flags reserved for future use. Must be zero.
    hStream: The stream to enqueue the operations in. Must not be legacy NULL stream.

    C: cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long flags, cudaStream_t stream)

    cuda_runtime_api.h:7274
    """
    ...

def cudaMemAdvise(devPtr: Address | None, count: int, advice: cudaMemoryAdvise | int, location: cudaMemLocation | tuple[Any, ...] | dict[str, Any]) -> tuple[cudaError_t]:
    """Advise about the usage of a given memory range

    devPtr: Pointer to memory to set the advice for
    count: Size in bytes of the memory range
    advice: Advice to be applied for the specified memory range
    location: location to apply the advice for

    C: cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, struct cudaMemLocation location)

    cuda_runtime_api.h:7399
    """
    ...

def cudaMemcpyToArray(dst: cudaArray_t | int | None, wOffset: int, hOffset: int, src: Address | None, count: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    wOffset: Destination starting X offset (columns in bytes)
    hOffset: Destination starting Y offset (rows)
    src: Source memory address
    count: Size in bytes to copy
    kind: Type of transfer

    C: cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count, enum cudaMemcpyKind kind)

    Deprecated.

    cuda_runtime_api.h:7584
    """
    ...

def cudaMemcpyFromArray(dst: Address | None, src: cudaArray_t | int | None, wOffset: int, hOffset: int, count: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    src: Source memory address
    wOffset: Source starting X offset (columns in bytes)
    hOffset: Source starting Y offset (rows)
    count: Size in bytes to copy
    kind: Type of transfer

    C: cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count, enum cudaMemcpyKind kind)

    Deprecated.

    cuda_runtime_api.h:7626
    """
    ...

def cudaMemcpyArrayToArray(dst: cudaArray_t | int | None, wOffsetDst: int, hOffsetDst: int, src: cudaArray_t | int | None, wOffsetSrc: int, hOffsetSrc: int, count: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    wOffsetDst: Destination starting X offset (columns in bytes)
    hOffsetDst: Destination starting Y offset (rows)
    src: Source memory address
    wOffsetSrc: Source starting X offset (columns in bytes)
    hOffsetSrc: Source starting Y offset (rows)
    count: Size in bytes to copy
    kind: Type of transfer

    C: cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t count, enum cudaMemcpyKind kind)

    Deprecated.

    cuda_runtime_api.h:7669
    """
    ...

def cudaMemcpyToArrayAsync(dst: cudaArray_t | int | None, wOffset: int, hOffset: int, src: Address | None, count: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    wOffset: Destination starting X offset (columns in bytes)
    hOffset: Destination starting Y offset (rows)
    src: Source memory address
    count: Size in bytes to copy
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)

    Deprecated.

    cuda_runtime_api.h:7720
    """
    ...

def cudaMemcpyFromArrayAsync(dst: Address | None, src: cudaArray_t | int | None, wOffset: int, hOffset: int, count: int, kind: cudaMemcpyKind | int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Copies data between host and device

    dst: Destination memory address
    src: Source memory address
    wOffset: Source starting X offset (columns in bytes)
    hOffset: Source starting Y offset (rows)
    count: Size in bytes to copy
    kind: Type of transfer
    stream: Stream identifier

    C: cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)

    Deprecated.

    cuda_runtime_api.h:7770
    """
    ...

def cudaMallocAsync(size: int, hStream: cudaStream_t | int | None) -> tuple[cudaError_t, int | None]:
    """Allocates memory with stream ordered semantics

    devPtr: Returned device pointer
    size: Number of bytes to allocate
    hStream: The stream establishing the stream ordering contract and the memory pool to allocate from

    C: cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)

    cuda_runtime_api.h:7839
    """
    ...

def cudaFreeAsync(devPtr: Address | None, hStream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Frees memory with stream ordered semantics

    dptr: memory to free
    hStream: The stream establishing the stream ordering promise

    C: cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)

    cuda_runtime_api.h:7865
    """
    ...

def cudaMemPoolTrimTo(memPool: cudaMemPool_t | int | None, minBytesToKeep: int) -> tuple[cudaError_t]:
    """Tries to release memory back to the OS

    pool: The memory pool to trim
    minBytesToKeep: If the pool has less than minBytesToKeep reserved, the TrimTo operation is a no-op. Otherwise the pool will be guaranteed to have at least minBytesToKeep bytes reserved after the operation.

    C: cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)

    cuda_runtime_api.h:7890
    """
    ...

def cudaMemPoolSetAccess(memPool: cudaMemPool_t | int | None, descList: cudaMemAccessDesc | tuple[Any, ...] | dict[str, Any] | Address | None, count: int) -> tuple[cudaError_t]:
    """Controls visibility of pools between devices

    pool: The pool being modified
    map: Array of access descriptors. Each descriptor instructs the access to enable for a single gpu
    count: Number of descriptors in the map array.

    C: cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList, size_t count)

    cuda_runtime_api.h:7997
    """
    ...

def cudaMemPoolGetAccess(memPool: cudaMemPool_t | int | None, location: cudaMemLocation | Address | None) -> tuple[cudaError_t, cudaMemAccessFlags | None]:
    """Returns the accessibility of a pool from a device

    flags: the accessibility of the pool from the specified location
    memPool: the pool being queried
    location: the location accessing the pool

    C: cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool, struct cudaMemLocation *location)

    cuda_runtime_api.h:8010
    """
    ...

def cudaMemPoolCreate(poolProps: cudaMemPoolProps | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaMemPool_t | None]:
    """Creates a memory pool

    C: cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)

    cuda_runtime_api.h:8061
    """
    ...

def cudaMemPoolDestroy(memPool: cudaMemPool_t | int | None) -> tuple[cudaError_t]:
    """Destroys the specified memory pool

    C: cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)

    cuda_runtime_api.h:8083
    """
    ...

def cudaMemGetDefaultMemPool(location: cudaMemLocation | Address | None, typename: cudaMemAllocationType | int) -> tuple[cudaError_t, cudaMemPool_t | None]:
    """Returns the default memory pool for a given location and allocation type

    C: cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location, enum cudaMemAllocationType type)

    cuda_runtime_api.h:8102
    """
    ...

def cudaMemGetMemPool(location: cudaMemLocation | Address | None, typename: cudaMemAllocationType | int) -> tuple[cudaError_t, cudaMemPool_t | None]:
    """Gets the current memory pool for a given memory location and allocation type

    C: cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location, enum cudaMemAllocationType type)

    cuda_runtime_api.h:8125
    """
    ...

def cudaMemSetMemPool(location: cudaMemLocation | Address | None, typename: cudaMemAllocationType | int, memPool: cudaMemPool_t | int | None) -> tuple[cudaError_t]:
    """Sets the current memory pool for a memory location and allocation type

    C: cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t memPool)

    cuda_runtime_api.h:8153
    """
    ...

def cudaMallocFromPoolAsync(size: int, memPool: cudaMemPool_t | int | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t, int | None]:
    """Allocates memory from a specified pool with stream ordered semantics.

    ptr: Returned device pointer
    bytesize: Number of bytes to allocate
    memPool: The pool to allocate from
    stream: The stream establishing the stream ordering semantic

    C: cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)

    cuda_runtime_api.h:8189
    """
    ...

def cudaMemPoolImportFromShareableHandle(shareableHandle: Address | None, handleType: cudaMemAllocationHandleType | int, flags: int) -> tuple[cudaError_t, cudaMemPool_t | None]:
    """imports a memory pool from a shared handle.

    pool_out: Returned memory pool
    handle: OS handle of the pool to open
    handleType: The type of handle being imported
    flags: must be 0

    C: cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle, enum cudaMemAllocationHandleType handleType, unsigned int flags)

    cuda_runtime_api.h:8241
    """
    ...

def cudaMemPoolExportPointer(ptr: Address | None) -> tuple[cudaError_t, cudaMemPoolPtrExportData | None]:
    """Export data to share a memory pool allocation between processes.

    shareData_out: Returned export data
    ptr: pointer to memory being exported

    C: cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr)

    cuda_runtime_api.h:8264
    """
    ...

def cudaMemPoolImportPointer(memPool: cudaMemPool_t | int | None, exportData: cudaMemPoolPtrExportData | Address | None) -> tuple[cudaError_t, int | None]:
    """Import a memory pool allocation from another process.

    ptr_out: pointer to imported memory
    pool: pool from which to import
    shareData: data specifying the memory to import

    C: cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool, struct cudaMemPoolPtrExportData *exportData)

    cuda_runtime_api.h:8293
    """
    ...

def cudaPointerGetAttributes(ptr: Address | None) -> tuple[cudaError_t, cudaPointerAttributes | None]:
    """Returns attributes about a specified pointer

    attributes: Attributes for the specified pointer
    ptr: Pointer to get attributes for

    C: cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)

    cuda_runtime_api.h:8446
    """
    ...

def cudaDeviceCanAccessPeer(device: int, peerDevice: int) -> tuple[cudaError_t, int | None]:
    """Queries if a device may directly access a peer device's memory.

    canAccessPeer: Returned access capability
    device: Device from which allocations on peerDevice are to be directly accessed.
    peerDevice: Device on which the allocations to be directly accessed by device reside.

    C: cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)

    cuda_runtime_api.h:8487
    """
    ...

def cudaDeviceEnablePeerAccess(peerDevice: int, flags: int) -> tuple[cudaError_t]:
    """Enables direct access to memory allocations on a peer device.

    peerDevice: Peer device to enable direct access to from the current device
    flags: Reserved for future use and must be set to 0

    C: cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)

    cuda_runtime_api.h:8529
    """
    ...

def cudaDeviceDisablePeerAccess(peerDevice: int) -> tuple[cudaError_t]:
    """Disables direct access to memory allocations on a peer device.

    peerDevice: Peer device to disable direct access to

    C: cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)

    cuda_runtime_api.h:8551
    """
    ...

def cudaGraphicsUnregisterResource(resource: cudaGraphicsResource_t | int | None) -> tuple[cudaError_t]:
    """Unregisters a graphics resource for access by CUDA

    resource: Resource to unregister

    C: cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource)

    cuda_runtime_api.h:8615
    """
    ...

def cudaGraphicsResourceSetMapFlags(resource: cudaGraphicsResource_t | int | None, flags: int) -> tuple[cudaError_t]:
    """Set usage flags for mapping a graphics resource

    resource: Registered resource to set flags for
    flags: Parameters for resource mapping

    C: cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags)

    cuda_runtime_api.h:8650
    """
    ...

def cudaGraphicsMapResources(count: int, resources: Address | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Map graphics resources for access by CUDA

    count: Number of resources to map
    resources: Resources to map for CUDA
    stream: Stream for synchronization

    C: cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)

    cuda_runtime_api.h:8689
    """
    ...

def cudaGraphicsUnmapResources(count: int, resources: Address | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Unmap graphics resources.

    count: Number of resources to unmap
    resources: Resources to unmap
    stream: Stream for synchronization

    C: cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)

    cuda_runtime_api.h:8724
    """
    ...

def cudaGraphicsResourceGetMappedPointer(resource: cudaGraphicsResource_t | int | None) -> tuple[cudaError_t, int | None, int | None]:
    """Get an device pointer through which to access a mapped graphics resource.

    devPtr: Returned pointer through which resource may be accessed
    size: Returned size of the buffer accessible starting at *devPtr
    resource: Mapped resource to access

    C: cudaError_t cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size, cudaGraphicsResource_t resource)

    cuda_runtime_api.h:8756
    """
    ...

def cudaGraphicsSubResourceGetMappedArray(resource: cudaGraphicsResource_t | int | None, arrayIndex: int, mipLevel: int) -> tuple[cudaError_t, cudaArray_t | None]:
    """Get an array through which to access a subresource of a mapped graphics resource.

    array: Returned array through which a subresource of resource may be accessed
    resource: Mapped resource to access
    arrayIndex: Array index for array textures or cubemap face index as defined by cudaGraphicsCubeFace for cubemap textures for the subresource to access
    mipLevel: Mipmap level for the subresource to access

    C: cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource, unsigned int arrayIndex, unsigned int mipLevel)

    cuda_runtime_api.h:8794
    """
    ...

def cudaGraphicsResourceGetMappedMipmappedArray(resource: cudaGraphicsResource_t | int | None) -> tuple[cudaError_t, cudaMipmappedArray_t | None]:
    """Get a mipmapped array through which to access a mapped graphics resource.

    mipmappedArray: Returned mipmapped array through which resource may be accessed
    resource: Mapped resource to access

    C: cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmappedArray, cudaGraphicsResource_t resource)

    cuda_runtime_api.h:8823
    """
    ...

def cudaGetChannelDesc(array: cudaArray_t | int | None) -> tuple[cudaError_t, cudaChannelFormatDesc | None]:
    """Get the channel descriptor of an array

    desc: Channel format
    array: Memory array on device

    C: cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)

    cuda_runtime_api.h:8858
    """
    ...

def cudaCreateTextureObject(pResDesc: cudaResourceDesc | tuple[Any, ...] | dict[str, Any] | Address | None, pTexDesc: cudaTextureDesc | tuple[Any, ...] | dict[str, Any] | Address | None, pResViewDesc: cudaResourceViewDesc | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaTextureObject_t | None]:
    """Creates a texture object

    pTexObject: Texture object to create
    pResDesc: Resource descriptor
    pTexDesc: Texture descriptor
    pResViewDesc: Resource view descriptor

    C: cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc, const struct cudaTextureDesc *pTexDesc, const struct cudaResourceViewDesc *pResViewDesc)

    cuda_runtime_api.h:9113
    """
    ...

def cudaDestroyTextureObject(texObject: cudaTextureObject_t | int | None) -> tuple[cudaError_t]:
    """Destroys a texture object

    texObject: Texture object to destroy

    C: cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)

    cuda_runtime_api.h:9133
    """
    ...

def cudaGetTextureObjectResourceDesc(texObject: cudaTextureObject_t | int | None) -> tuple[cudaError_t, cudaResourceDesc | None]:
    """Returns a texture object's resource descriptor

    pResDesc: Resource descriptor
    texObject: Texture object

    C: cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject)

    cuda_runtime_api.h:9153
    """
    ...

def cudaGetTextureObjectTextureDesc(texObject: cudaTextureObject_t | int | None) -> tuple[cudaError_t, cudaTextureDesc | None]:
    """Returns a texture object's texture descriptor

    pTexDesc: Texture descriptor
    texObject: Texture object

    C: cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject)

    cuda_runtime_api.h:9173
    """
    ...

def cudaGetTextureObjectResourceViewDesc(texObject: cudaTextureObject_t | int | None) -> tuple[cudaError_t, cudaResourceViewDesc | None]:
    """Returns a texture object's resource view descriptor

    pResViewDesc: Resource view descriptor
    texObject: Texture object

    C: cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc, cudaTextureObject_t texObject)

    cuda_runtime_api.h:9194
    """
    ...

def cudaCreateSurfaceObject(pResDesc: cudaResourceDesc | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaSurfaceObject_t | None]:
    """Creates a surface object

    pSurfObject: Surface object to create
    pResDesc: Resource descriptor

    C: cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const struct cudaResourceDesc *pResDesc)

    cuda_runtime_api.h:9239
    """
    ...

def cudaDestroySurfaceObject(surfObject: cudaSurfaceObject_t | int | None) -> tuple[cudaError_t]:
    """Destroys a surface object

    surfObject: Surface object to destroy

    C: cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)

    cuda_runtime_api.h:9259
    """
    ...

def cudaGetSurfaceObjectResourceDesc(surfObject: cudaSurfaceObject_t | int | None) -> tuple[cudaError_t, cudaResourceDesc | None]:
    """Returns a surface object's resource descriptor Returns the resource descriptor for the surface object specified by surfObject.

    pResDesc: Resource descriptor
    surfObject: Surface object

    C: cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject)

    cuda_runtime_api.h:9278
    """
    ...

def cudaDriverGetVersion() -> tuple[cudaError_t, int | None]:
    """Returns the latest version of CUDA supported by the driver

    driverVersion: Returns the CUDA driver version.

    C: cudaError_t cudaDriverGetVersion(int *driverVersion)

    cuda_runtime_api.h:9312
    """
    ...

def cudaRuntimeGetVersion() -> tuple[cudaError_t, int | None]:
    """Returns the CUDA Runtime version

    runtimeVersion: Returns the CUDA Runtime version.

    C: cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)

    cuda_runtime_api.h:9341
    """
    ...

def cudaLogsRegisterCallback(callbackFunc: Callable[[Pointer, cudaLogLevel, Pointer, int], object] | None, userData: Address | None) -> tuple[cudaError_t, cudaLogsCallbackHandle | None]:
    """Register a callback function to receive error log messages

    callbackFunc: The function to register as a callback
    userData: A generic pointer to user data. This is passed into the callback function.
    callback_out: Optional location to store the callback handle after it is registered

    C: cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData, cudaLogsCallbackHandle *callback_out)

    cuda_runtime_api.h:9378
    """
    ...

def cudaLogsUnregisterCallback(callback: cudaLogsCallbackHandle | int | None) -> tuple[cudaError_t]:
    """Unregister a log message callback

    callback: The callback instance to unregister from receiving log messages

    C: cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback)

    cuda_runtime_api.h:9389
    """
    ...

def cudaLogsCurrent(flags: int) -> tuple[cudaError_t, cudaLogIterator | None]:
    """Sets log iterator to point to the end of log buffer, where the next message would be written.

    iterator_out: Location to store an iterator to the current tail of the logs
    flags: Reserved for future use, must be 0

    C: cudaError_t cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned int flags)

    cuda_runtime_api.h:9401
    """
    ...

def cudaGraphCreate(flags: int) -> tuple[cudaError_t, cudaGraph_t | None]:
    """Creates a graph

    pGraph: Returns newly created graph
    flags: Graph creation flags, must be 0

    C: cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)

    cuda_runtime_api.h:9508
    """
    ...

def cudaGraphAddKernelNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, pNodeParams: cudaKernelNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a kernel execution node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    pNodeParams: Parameters for the GPU execution node

    C: cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, const struct cudaKernelNodeParams *pNodeParams)

    cuda_runtime_api.h:9607
    """
    ...

def cudaGraphKernelNodeGetParams(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaKernelNodeParams | None]:
    """Returns a kernel node's parameters

    node: Node to get the parameters for
    pNodeParams: Pointer to return the parameters

    C: cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *pNodeParams)

    cuda_runtime_api.h:9640
    """
    ...

def cudaGraphKernelNodeSetParams(node: cudaGraphNode_t | int | None, pNodeParams: cudaKernelNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets a kernel node's parameters

    node: Node to set the parameters for
    pNodeParams: Parameters to copy

    C: cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *pNodeParams)

    cuda_runtime_api.h:9667
    """
    ...

def cudaGraphKernelNodeCopyAttributes(hDst: cudaGraphNode_t | int | None, hSrc: cudaGraphNode_t | int | None) -> tuple[cudaError_t]:
    """Copies attributes from source node to destination node.

    hDst: Destination node
    hSrc: Source node For list of attributes see cudaKernelNodeAttrID

    C: cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc)

    cuda_runtime_api.h:9687
    """
    ...

def cudaGraphKernelNodeGetAttribute(hNode: cudaGraphNode_t | int | None, attr: cudaLaunchAttributeID | int) -> tuple[cudaError_t, cudaLaunchAttributeValue | None]:
    """Queries node attribute.

    C: cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value_out)

    cuda_runtime_api.h:9710
    """
    ...

def cudaGraphKernelNodeSetAttribute(hNode: cudaGraphNode_t | int | None, attr: cudaLaunchAttributeID | int, value: cudaLaunchAttributeValue | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets node attribute.

    C: cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value)

    cuda_runtime_api.h:9734
    """
    ...

def cudaGraphAddMemcpyNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, pCopyParams: cudaMemcpy3DParms | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a memcpy node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    pCopyParams: Parameters for the memory copy

    C: cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, const struct cudaMemcpy3DParms *pCopyParams)

    cuda_runtime_api.h:9785
    """
    ...

def cudaGraphAddMemcpyNodeToSymbol(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, symbol: Address | None, src: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a memcpy node to copy to a symbol on the device and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    symbol: Device symbol address
    src: Source memory address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:9844
    """
    ...

def cudaGraphAddMemcpyNodeFromSymbol(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, dst: Address | None, symbol: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a memcpy node to copy from a symbol on the device and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    dst: Destination memory address
    symbol: Device symbol address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:9913
    """
    ...

def cudaGraphAddMemcpyNode1D(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, dst: Address | None, src: Address | None, count: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a 1D memcpy node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    dst: Destination memory address
    src: Source memory address
    count: Size in bytes to copy
    kind: Type of transfer

    C: cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:9981
    """
    ...

def cudaGraphMemcpyNodeGetParams(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaMemcpy3DParms | None]:
    """Returns a memcpy node's parameters

    node: Node to get the parameters for
    pNodeParams: Pointer to return the parameters

    C: cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *pNodeParams)

    cuda_runtime_api.h:10013
    """
    ...

def cudaGraphMemcpyNodeSetParams(node: cudaGraphNode_t | int | None, pNodeParams: cudaMemcpy3DParms | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets a memcpy node's parameters

    node: Node to set the parameters for
    pNodeParams: Parameters to copy

    C: cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *pNodeParams)

    cuda_runtime_api.h:10040
    """
    ...

def cudaGraphMemcpyNodeSetParamsToSymbol(node: cudaGraphNode_t | int | None, symbol: Address | None, src: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Sets a memcpy node's parameters to copy to a symbol on the device

    node: Node to set the parameters for
    symbol: Device symbol address
    src: Source memory address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:10079
    """
    ...

def cudaGraphMemcpyNodeSetParamsFromSymbol(node: cudaGraphNode_t | int | None, dst: Address | None, symbol: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Sets a memcpy node's parameters to copy from a symbol on the device

    node: Node to set the parameters for
    dst: Destination memory address
    symbol: Device symbol address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:10125
    """
    ...

def cudaGraphMemcpyNodeSetParams1D(node: cudaGraphNode_t | int | None, dst: Address | None, src: Address | None, count: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Sets a memcpy node's parameters to perform a 1-dimensional copy

    node: Node to set the parameters for
    dst: Destination memory address
    src: Source memory address
    count: Size in bytes to copy
    kind: Type of transfer

    C: cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:10171
    """
    ...

def cudaGraphAddMemsetNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, pMemsetParams: cudaMemsetParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a memset node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    pMemsetParams: Parameters for the memory set

    C: cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, const struct cudaMemsetParams *pMemsetParams)

    cuda_runtime_api.h:10219
    """
    ...

def cudaGraphMemsetNodeGetParams(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaMemsetParams | None]:
    """Returns a memset node's parameters

    node: Node to get the parameters for
    pNodeParams: Pointer to return the parameters

    C: cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *pNodeParams)

    cuda_runtime_api.h:10242
    """
    ...

def cudaGraphMemsetNodeSetParams(node: cudaGraphNode_t | int | None, pNodeParams: cudaMemsetParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets a memset node's parameters

    node: Node to set the parameters for
    pNodeParams: Parameters to copy

    C: cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *pNodeParams)

    cuda_runtime_api.h:10266
    """
    ...

def cudaGraphAddHostNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, pNodeParams: cudaHostNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a host execution node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    pNodeParams: Parameters for the host node

    C: cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, const struct cudaHostNodeParams *pNodeParams)

    cuda_runtime_api.h:10308
    """
    ...

def cudaGraphHostNodeGetParams(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaHostNodeParams | None]:
    """Returns a host node's parameters

    node: Node to get the parameters for
    pNodeParams: Pointer to return the parameters

    C: cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams)

    cuda_runtime_api.h:10331
    """
    ...

def cudaGraphHostNodeSetParams(node: cudaGraphNode_t | int | None, pNodeParams: cudaHostNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets a host node's parameters

    node: Node to set the parameters for
    pNodeParams: Parameters to copy

    C: cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *pNodeParams)

    cuda_runtime_api.h:10355
    """
    ...

def cudaGraphAddChildGraphNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, childGraph: cudaGraph_t | int | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a child graph node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    childGraph: The graph to clone into this node

    C: cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, cudaGraph_t childGraph)

    cuda_runtime_api.h:10397
    """
    ...

def cudaGraphChildGraphNodeGetGraph(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaGraph_t | None]:
    """Gets a handle to the embedded graph of a child graph node

    node: Node to get the embedded graph for
    pGraph: Location to store a handle to the graph

    C: cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph)

    cuda_runtime_api.h:10424
    """
    ...

def cudaGraphAddEmptyNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates an empty node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies

    C: cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies)

    cuda_runtime_api.h:10462
    """
    ...

def cudaGraphAddEventRecordNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, event: cudaEvent_t | int | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates an event record node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    event: Event for the node

    C: cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, cudaEvent_t event)

    cuda_runtime_api.h:10506
    """
    ...

def cudaGraphEventRecordNodeGetEvent(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaEvent_t | None]:
    """Returns the event associated with an event record node

    hNode: Node to get the event for
    event_out: Pointer to return the event

    C: cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)

    cuda_runtime_api.h:10533
    """
    ...

def cudaGraphEventRecordNodeSetEvent(node: cudaGraphNode_t | int | None, event: cudaEvent_t | int | None) -> tuple[cudaError_t]:
    """Sets an event record node's event

    hNode: Node to set the event for
    event: Event to use

    C: cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)

    cuda_runtime_api.h:10561
    """
    ...

def cudaGraphAddEventWaitNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, event: cudaEvent_t | int | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates an event wait node and adds it to a graph

    phGraphNode: Returns newly created node
    hGraph: Graph to which to add the node
    dependencies: Dependencies of the node
    numDependencies: Number of dependencies
    event: Event for the node

    C: cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, cudaEvent_t event)

    cuda_runtime_api.h:10608
    """
    ...

def cudaGraphEventWaitNodeGetEvent(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaEvent_t | None]:
    """Returns the event associated with an event wait node

    hNode: Node to get the event for
    event_out: Pointer to return the event

    C: cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)

    cuda_runtime_api.h:10635
    """
    ...

def cudaGraphEventWaitNodeSetEvent(node: cudaGraphNode_t | int | None, event: cudaEvent_t | int | None) -> tuple[cudaError_t]:
    """Sets an event wait node's event

    hNode: Node to set the event for
    event: Event to use

    C: cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)

    cuda_runtime_api.h:10663
    """
    ...

def cudaGraphAddExternalSemaphoresSignalNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, nodeParams: cudaExternalSemaphoreSignalNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates an external semaphore signal node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the node

    C: cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, const struct cudaExternalSemaphoreSignalNodeParams *nodeParams)

    cuda_runtime_api.h:10713
    """
    ...

def cudaGraphExternalSemaphoresSignalNodeGetParams(hNode: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaExternalSemaphoreSignalNodeParams | None]:
    """Returns an external semaphore signal node's parameters

    hNode: Node to get the parameters for
    params_out: Pointer to return the parameters

    C: cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t hNode, struct cudaExternalSemaphoreSignalNodeParams *params_out)

    cuda_runtime_api.h:10746
    """
    ...

def cudaGraphExternalSemaphoresSignalNodeSetParams(hNode: cudaGraphNode_t | int | None, nodeParams: cudaExternalSemaphoreSignalNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets an external semaphore signal node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t hNode, const struct cudaExternalSemaphoreSignalNodeParams *nodeParams)

    cuda_runtime_api.h:10774
    """
    ...

def cudaGraphAddExternalSemaphoresWaitNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, nodeParams: cudaExternalSemaphoreWaitNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates an external semaphore wait node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the node

    C: cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, const struct cudaExternalSemaphoreWaitNodeParams *nodeParams)

    cuda_runtime_api.h:10824
    """
    ...

def cudaGraphExternalSemaphoresWaitNodeGetParams(hNode: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaExternalSemaphoreWaitNodeParams | None]:
    """Returns an external semaphore wait node's parameters

    hNode: Node to get the parameters for
    params_out: Pointer to return the parameters

    C: cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t hNode, struct cudaExternalSemaphoreWaitNodeParams *params_out)

    cuda_runtime_api.h:10857
    """
    ...

def cudaGraphExternalSemaphoresWaitNodeSetParams(hNode: cudaGraphNode_t | int | None, nodeParams: cudaExternalSemaphoreWaitNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets an external semaphore wait node's parameters

    hNode: Node to set the parameters for
    nodeParams: Parameters to copy

    C: cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t hNode, const struct cudaExternalSemaphoreWaitNodeParams *nodeParams)

    cuda_runtime_api.h:10885
    """
    ...

def cudaGraphAddMemAllocNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, nodeParams: cudaMemAllocNodeParams | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates an allocation node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    nodeParams: Parameters for the node

    C: cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, struct cudaMemAllocNodeParams *nodeParams)

    cuda_runtime_api.h:10963
    """
    ...

def cudaGraphMemAllocNodeGetParams(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaMemAllocNodeParams | None]:
    """Returns a memory alloc node's parameters

    node: Node to get the parameters for
    params_out: Pointer to return the parameters

    C: cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params_out)

    cuda_runtime_api.h:10990
    """
    ...

def cudaGraphAddMemFreeNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, numDependencies: int, dptr: Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Creates a memory free node and adds it to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    numDependencies: Number of dependencies
    dptr: Address of memory to free

    C: cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dptr)

    cuda_runtime_api.h:11051
    """
    ...

def cudaDeviceGraphMemTrim(device: int) -> tuple[cudaError_t]:
    """Free unused memory that was cached on the specified device for use with graphs back to the OS.

    device: The device for which cached memory should be freed.

    C: cudaError_t cudaDeviceGraphMemTrim(int device)

    cuda_runtime_api.h:11103
    """
    ...

def cudaGraphClone(originalGraph: cudaGraph_t | int | None) -> tuple[cudaError_t, cudaGraph_t | None]:
    """Clones a graph

    pGraphClone: Returns newly created cloned graph
    originalGraph: Graph to clone

    C: cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)

    cuda_runtime_api.h:11205
    """
    ...

def cudaGraphNodeFindInClone(originalNode: cudaGraphNode_t | int | None, clonedGraph: cudaGraph_t | int | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Finds a cloned version of a node

    pNode: Returns handle to the cloned node
    originalNode: Handle to the original node
    clonedGraph: Cloned graph to query

    C: cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph)

    cuda_runtime_api.h:11233
    """
    ...

def cudaGraphNodeGetType(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t, cudaGraphNodeType | None]:
    """Returns a node's type

    node: Node to query
    pType: Pointer to return the node type

    C: cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType)

    cuda_runtime_api.h:11264
    """
    ...

def cudaGraphAddDependencies(graph: cudaGraph_t | int | None, from_: Address | None, to: Address | None, edgeData: cudaGraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int) -> tuple[cudaError_t]:
    """Adds dependency edges to a graph.

    graph: Graph to which dependencies are added
    from: Array of nodes that provide the dependencies
    to: Array of dependent nodes
    edgeData: Optional array of edge data. If NULL, default (zeroed) edge data is assumed.
    numDependencies: Number of dependencies to be added

    C: cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData, size_t numDependencies)

    cuda_runtime_api.h:11473
    """
    ...

def cudaGraphRemoveDependencies(graph: cudaGraph_t | int | None, from_: Address | None, to: Address | None, edgeData: cudaGraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int) -> tuple[cudaError_t]:
    """Removes dependency edges from a graph.

    graph: Graph from which to remove dependencies
    from: Array of nodes that provide the dependencies
    to: Array of dependent nodes
    edgeData: Optional array of edge data. If NULL, edge data is assumed to be default (zeroed).
    numDependencies: Number of dependencies to be removed

    C: cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData, size_t numDependencies)

    cuda_runtime_api.h:11508
    """
    ...

def cudaGraphDestroyNode(node: cudaGraphNode_t | int | None) -> tuple[cudaError_t]:
    """Remove a node from the graph

    node: Node to remove

    C: cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)

    cuda_runtime_api.h:11538
    """
    ...

def cudaGraphInstantiate(graph: cudaGraph_t | int | None, flags: int) -> tuple[cudaError_t, cudaGraphExec_t | None]:
    """Creates an executable graph from a graph

    pGraphExec: Returns instantiated graph
    graph: Graph to instantiate
    flags: Flags to control instantiation. See CUgraphInstantiate_flags.

    C: cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long flags)

    cuda_runtime_api.h:11609
    """
    ...

def cudaGraphInstantiateWithFlags(graph: cudaGraph_t | int | None, flags: int) -> tuple[cudaError_t, cudaGraphExec_t | None]:
    """Creates an executable graph from a graph

    pGraphExec: Returns instantiated graph
    graph: Graph to instantiate
    flags: Flags to control instantiation. See CUgraphInstantiate_flags.

    C: cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long flags)

    cuda_runtime_api.h:11682
    """
    ...

def cudaGraphInstantiateWithParams(graph: cudaGraph_t | int | None, instantiateParams: cudaGraphInstantiateParams | Address | None) -> tuple[cudaError_t, cudaGraphExec_t | None]:
    """Creates an executable graph from a graph

    pGraphExec: Returns instantiated graph
    graph: Graph to instantiate
    instantiateParams: Instantiation parameters

    C: cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, cudaGraphInstantiateParams *instantiateParams)

    cuda_runtime_api.h:11789
    """
    ...

def cudaGraphExecGetFlags(graphExec: cudaGraphExec_t | int | None) -> tuple[cudaError_t, int | None]:
    """Query the instantiation flags of an executable graph

    graphExec: The executable graph to query
    flags: Returns the instantiation flags

    C: cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long *flags)

    cuda_runtime_api.h:11814
    """
    ...

def cudaGraphExecKernelNodeSetParams(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, pNodeParams: cudaKernelNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets the parameters for a kernel node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    node: kernel node from the graph from which graphExec was instantiated
    pNodeParams: Updated Parameters to set

    C: cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const struct cudaKernelNodeParams *pNodeParams)

    cuda_runtime_api.h:11874
    """
    ...

def cudaGraphExecMemcpyNodeSetParams(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, pNodeParams: cudaMemcpy3DParms | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets the parameters for a memcpy node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    node: Memcpy node from the graph which was used to instantiate graphExec
    pNodeParams: Updated Parameters to set

    C: cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *pNodeParams)

    cuda_runtime_api.h:11925
    """
    ...

def cudaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, symbol: Address | None, src: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Sets the parameters for a memcpy node in the given graphExec to copy to a symbol on the device

    hGraphExec: The executable graph in which to set the specified node
    node: Memcpy node from the graph which was used to instantiate graphExec
    symbol: Device symbol address
    src: Source memory address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:11980
    """
    ...

def cudaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, dst: Address | None, symbol: Address | None, count: int, offset: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Sets the parameters for a memcpy node in the given graphExec to copy from a symbol on the device

    hGraphExec: The executable graph in which to set the specified node
    node: Memcpy node from the graph which was used to instantiate graphExec
    dst: Destination memory address
    symbol: Device symbol address
    count: Size in bytes to copy
    offset: Offset from start of symbol in bytes
    kind: Type of transfer

    C: cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:12043
    """
    ...

def cudaGraphExecMemcpyNodeSetParams1D(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, dst: Address | None, src: Address | None, count: int, kind: cudaMemcpyKind | int) -> tuple[cudaError_t]:
    """Sets the parameters for a memcpy node in the given graphExec to perform a 1-dimensional copy

    hGraphExec: The executable graph in which to set the specified node
    node: Memcpy node from the graph which was used to instantiate graphExec
    dst: Destination memory address
    src: Source memory address
    count: Size in bytes to copy
    kind: Type of transfer

    C: cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)

    cuda_runtime_api.h:12104
    """
    ...

def cudaGraphExecMemsetNodeSetParams(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, pNodeParams: cudaMemsetParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets the parameters for a memset node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    node: Memset node from the graph which was used to instantiate graphExec
    pNodeParams: Updated Parameters to set

    C: cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const struct cudaMemsetParams *pNodeParams)

    cuda_runtime_api.h:12163
    """
    ...

def cudaGraphExecHostNodeSetParams(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, pNodeParams: cudaHostNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets the parameters for a host node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    node: Host node from the graph which was used to instantiate graphExec
    pNodeParams: Updated Parameters to set

    C: cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const struct cudaHostNodeParams *pNodeParams)

    cuda_runtime_api.h:12203
    """
    ...

def cudaGraphExecChildGraphNodeSetParams(hGraphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, childGraph: cudaGraph_t | int | None) -> tuple[cudaError_t]:
    """Updates node parameters in the child graph node in the given graphExec.

    hGraphExec: The executable graph in which to set the specified node
    node: Host node from the graph which was used to instantiate graphExec
    childGraph: The graph supplying the updated parameters

    C: cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, cudaGraph_t childGraph)

    cuda_runtime_api.h:12250
    """
    ...

def cudaGraphExecEventRecordNodeSetEvent(hGraphExec: cudaGraphExec_t | int | None, hNode: cudaGraphNode_t | int | None, event: cudaEvent_t | int | None) -> tuple[cudaError_t]:
    """Sets the event for an event record node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: Event record node from the graph from which graphExec was instantiated
    event: Updated event to use

    C: cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event)

    cuda_runtime_api.h:12295
    """
    ...

def cudaGraphExecEventWaitNodeSetEvent(hGraphExec: cudaGraphExec_t | int | None, hNode: cudaGraphNode_t | int | None, event: cudaEvent_t | int | None) -> tuple[cudaError_t]:
    """Sets the event for an event wait node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: Event wait node from the graph from which graphExec was instantiated
    event: Updated event to use

    C: cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event)

    cuda_runtime_api.h:12340
    """
    ...

def cudaGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec: cudaGraphExec_t | int | None, hNode: cudaGraphNode_t | int | None, nodeParams: cudaExternalSemaphoreSignalNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets the parameters for an external semaphore signal node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: semaphore signal node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, const struct cudaExternalSemaphoreSignalNodeParams *nodeParams)

    cuda_runtime_api.h:12388
    """
    ...

def cudaGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec: cudaGraphExec_t | int | None, hNode: cudaGraphNode_t | int | None, nodeParams: cudaExternalSemaphoreWaitNodeParams | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t]:
    """Sets the parameters for an external semaphore wait node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: semaphore wait node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, const struct cudaExternalSemaphoreWaitNodeParams *nodeParams)

    cuda_runtime_api.h:12436
    """
    ...

def cudaGraphNodeSetEnabled(hGraphExec: cudaGraphExec_t | int | None, hNode: cudaGraphNode_t | int | None, isEnabled: int) -> tuple[cudaError_t]:
    """Enables or disables the specified node in the given graphExec

    hGraphExec: The executable graph in which to set the specified node
    hNode: Node from the graph from which graphExec was instantiated
    isEnabled: Node is enabled if != 0, otherwise the node is disabled

    C: cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled)

    cuda_runtime_api.h:12476
    """
    ...

def cudaGraphNodeGetEnabled(hGraphExec: cudaGraphExec_t | int | None, hNode: cudaGraphNode_t | int | None) -> tuple[cudaError_t, int | None]:
    """Query whether a node in the given graphExec is enabled

    hGraphExec: The executable graph in which to set the specified node
    hNode: Node from the graph from which graphExec was instantiated
    isEnabled: Location to return the enabled status of the node

    C: cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int *isEnabled)

    cuda_runtime_api.h:12510
    """
    ...

def cudaGraphExecUpdate(hGraphExec: cudaGraphExec_t | int | None, hGraph: cudaGraph_t | int | None) -> tuple[cudaError_t, cudaGraphExecUpdateResultInfo | None]:
    """Check whether an executable graph can be updated with a graph and perform the update if possible

    hGraphExec: The instantiated graph to be updated
    hGraph: The graph containing the updated parameters
    resultInfo: the error info structure

    C: cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphExecUpdateResultInfo *resultInfo)

    cuda_runtime_api.h:12604
    """
    ...

def cudaGraphUpload(graphExec: cudaGraphExec_t | int | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Uploads an executable graph in a stream

    hGraphExec: Executable graph to upload
    hStream: Stream in which to upload the graph

    C: cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)

    cuda_runtime_api.h:12629
    """
    ...

def cudaGraphLaunch(graphExec: cudaGraphExec_t | int | None, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Launches an executable graph in a stream

    graphExec: Executable graph to launch
    stream: Stream in which to launch the graph

    C: cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)

    cuda_runtime_api.h:12660
    """
    ...

def cudaGraphExecDestroy(graphExec: cudaGraphExec_t | int | None) -> tuple[cudaError_t]:
    """Destroys an executable graph

    graphExec: Executable graph to destroy

    C: cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)

    cuda_runtime_api.h:12683
    """
    ...

def cudaGraphDestroy(graph: cudaGraph_t | int | None) -> tuple[cudaError_t]:
    """Destroys a graph

    graph: Graph to destroy

    C: cudaError_t cudaGraphDestroy(cudaGraph_t graph)

    cuda_runtime_api.h:12704
    """
    ...

def cudaGraphDebugDotPrint(graph: cudaGraph_t | int | None, path: Text | None, flags: int) -> tuple[cudaError_t]:
    """Write a DOT file describing graph structure

    graph: The graph to create a DOT file from
    path: The path to write the DOT file to
    flags: Flags from cudaGraphDebugDotFlags for specifying which additional node information to write

    C: cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags)

    cuda_runtime_api.h:12723
    """
    ...

def cudaUserObjectCreate(ptr: Address | None, destroy: Callable[[Pointer], object] | None, initialRefcount: int, flags: int) -> tuple[cudaError_t, cudaUserObject_t | None]:
    """Create a user object

    object_out: Location to return the user object handle
    ptr: The pointer to pass to the destroy function
    destroy: Callback to free the user object when it is no longer in use
    initialRefcount: The initial refcount to create the object with, typically 1. The initial references are owned by the calling thread.
    flags: Currently it is required to pass cudaUserObjectNoDestructorSync, which is the only defined flag. This indicates that the destroy callback cannot be waited on by any CUDA API. Users requiring synchronization of the callback should signal its completion manually.

    C: cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy, unsigned int initialRefcount, unsigned int flags)

    cuda_runtime_api.h:12759
    """
    ...

def cudaUserObjectRetain(object: cudaUserObject_t | int | None, count: int) -> tuple[cudaError_t]:
    """Retain a reference to a user object

    object: The object to retain
    count: The number of references to retain, typically 1. Must be nonzero and not larger than INT_MAX.

    C: cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)

    cuda_runtime_api.h:12783
    """
    ...

def cudaUserObjectRelease(object: cudaUserObject_t | int | None, count: int) -> tuple[cudaError_t]:
    """Release a reference to a user object

    object: The object to release
    count: The number of references to release, typically 1. Must be nonzero and not larger than INT_MAX.

    C: cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)

    cuda_runtime_api.h:12811
    """
    ...

def cudaGraphRetainUserObject(graph: cudaGraph_t | int | None, object: cudaUserObject_t | int | None, count: int, flags: int) -> tuple[cudaError_t]:
    """Retain a reference to a user object from a graph

    graph: The graph to associate the reference with
    object: The user object to retain a reference for
    count: The number of references to add to the graph, typically 1. Must be nonzero and not larger than INT_MAX.
    flags: The optional flag cudaGraphUserObjectMove transfers references from the calling thread, rather than create new references. Pass 0 to create new references.

    C: cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count, unsigned int flags)

    cuda_runtime_api.h:12839
    """
    ...

def cudaGraphReleaseUserObject(graph: cudaGraph_t | int | None, object: cudaUserObject_t | int | None, count: int) -> tuple[cudaError_t]:
    """Release a user object reference from a graph

    graph: The graph that will release the reference
    object: The user object to release a reference for
    count: The number of references to release, typically 1. Must be nonzero and not larger than INT_MAX.

    C: cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count)

    cuda_runtime_api.h:12864
    """
    ...

def cudaGraphAddNode(graph: cudaGraph_t | int | None, pDependencies: Address | None, dependencyData: cudaGraphEdgeData | tuple[Any, ...] | dict[str, Any] | Address | None, numDependencies: int, nodeParams: cudaGraphNodeParams | Address | None) -> tuple[cudaError_t, cudaGraphNode_t | None]:
    """Adds a node of arbitrary type to a graph

    pGraphNode: Returns newly created node
    graph: Graph to which to add the node
    pDependencies: Dependencies of the node
    dependencyData: Optional edge data for the dependencies. If NULL, the data is assumed to be default (zeroed) for all dependencies.
    numDependencies: Number of dependencies
    nodeParams: Specification of the node

    C: cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, const cudaGraphEdgeData *dependencyData, size_t numDependencies, struct cudaGraphNodeParams *nodeParams)

    cuda_runtime_api.h:12908
    """
    ...

def cudaGraphNodeSetParams(node: cudaGraphNode_t | int | None, nodeParams: cudaGraphNodeParams | Address | None) -> tuple[cudaError_t]:
    """Update's a graph node's parameters

    node: Node to set the parameters for
    nodeParams: Parameters to copy

    C: cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams)

    cuda_runtime_api.h:12937
    """
    ...

def cudaGraphExecNodeSetParams(graphExec: cudaGraphExec_t | int | None, node: cudaGraphNode_t | int | None, nodeParams: cudaGraphNodeParams | Address | None) -> tuple[cudaError_t]:
    """Update's a graph node's parameters in an instantiated graph

    graphExec: The executable graph in which to update the specified node
    node: Corresponding node from the graph from which graphExec was instantiated
    nodeParams: Updated Parameters to set

    C: cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams)

    cuda_runtime_api.h:12986
    """
    ...

def cudaGraphConditionalHandleCreate(graph: cudaGraph_t | int | None, defaultLaunchValue: int, flags: int) -> tuple[cudaError_t, cudaGraphConditionalHandle | None]:
    """Create a conditional handle

    pHandle_out: Pointer used to return the handle to the caller.
    hGraph: Graph which will contain the conditional node using this handle.
    defaultLaunchValue: Optional initial value for the conditional variable. Applied at the beginning of each graph execution if cudaGraphCondAssignDefault is set in flags.
    flags: Currently must be cudaGraphCondAssignDefault or 0.

    C: cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph, unsigned int defaultLaunchValue, unsigned int flags)

    cuda_runtime_api.h:13013
    """
    ...

def cudaGetDriverEntryPoint(symbol: Text | None, flags: int) -> tuple[cudaError_t, int | None, cudaDriverEntryPointQueryResult | None]:
    """C: cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long flags, enum cudaDriverEntryPointQueryResult *driverStatus)

    Deprecated.

    cuda_runtime_api.h:13103
    """
    ...

def cudaGetDriverEntryPointByVersion(symbol: Text | None, cudaVersion: int, flags: int) -> tuple[cudaError_t, int | None, cudaDriverEntryPointQueryResult | None]:
    """C: cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion, unsigned long flags, enum cudaDriverEntryPointQueryResult *driverStatus)

    cuda_runtime_api.h:13180
    """
    ...

def cudaLibraryLoadData(code: Address | None, jitOptions: Address | None, jitOptionsValues: Address | None, numJitOptions: int, libraryOptions: Address | None, libraryOptionValues: Address | None, numLibraryOptions: int) -> tuple[cudaError_t, cudaLibrary_t | None]:
    """Load a library with specified code and options

    library: Returned library
    code: Code to load
    jitOptions: Options for JIT
    jitOptionsValues: Option values for JIT
    numJitOptions: Number of options
    libraryOptions: Options for loading
    libraryOptionValues: Option values for loading
    numLibraryOptions: Number of options for loading

    C: cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, enum cudaLibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)

    cuda_runtime_api.h:13253
    """
    ...

def cudaLibraryLoadFromFile(fileName: Text | None, jitOptions: Address | None, jitOptionsValues: Address | None, numJitOptions: int, libraryOptions: Address | None, libraryOptionValues: Address | None, numLibraryOptions: int) -> tuple[cudaError_t, cudaLibrary_t | None]:
    """Load a library with specified file and options

    library: Returned library
    fileName: File to load from
    jitOptions: Options for JIT
    jitOptionsValues: Option values for JIT
    numJitOptions: Number of options
    libraryOptions: Options for loading
    libraryOptionValues: Option values for loading
    numLibraryOptions: Number of options for loading

    C: cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName, enum cudaJitOption *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, enum cudaLibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)

    cuda_runtime_api.h:13313
    """
    ...

def cudaLibraryUnload(library: cudaLibrary_t | int | None) -> tuple[cudaError_t]:
    """Unloads a library

    library: Library to unload

    C: cudaError_t cudaLibraryUnload(cudaLibrary_t library)

    cuda_runtime_api.h:13334
    """
    ...

def cudaLibraryGetKernel(library: cudaLibrary_t | int | None, name: Text | None) -> tuple[cudaError_t, cudaKernel_t | None]:
    """Returns a kernel handle

    pKernel: Returned kernel handle
    library: Library to retrieve kernel from
    name: Name of kernel to retrieve

    C: cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name)

    cuda_runtime_api.h:13359
    """
    ...

def cudaLibraryGetGlobal(library: cudaLibrary_t | int | None, name: Text | None) -> tuple[cudaError_t, int | None, int | None]:
    """Returns a global device pointer

    dptr: Returned global device pointer for the requested library
    bytes: Returned global size in bytes
    library: Library to retrieve global from
    name: Name of global to retrieve

    C: cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name)

    cuda_runtime_api.h:13393
    """
    ...

def cudaLibraryGetManaged(library: cudaLibrary_t | int | None, name: Text | None) -> tuple[cudaError_t, int | None, int | None]:
    """Returns a pointer to managed memory

    dptr: Returned pointer to the managed memory
    bytes: Returned memory size in bytes
    library: Library to retrieve managed memory from
    name: Name of managed memory to retrieve

    C: cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name)

    cuda_runtime_api.h:13426
    """
    ...

def cudaLibraryGetUnifiedFunction(library: cudaLibrary_t | int | None, symbol: Text | None) -> tuple[cudaError_t, int | None]:
    """Returns a pointer to a unified function

    fptr: Returned pointer to a unified function
    library: Library to retrieve function pointer memory from
    symbol: Name of function pointer to retrieve

    C: cudaError_t cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library, const char *symbol)

    cuda_runtime_api.h:13453
    """
    ...

def cudaLibraryGetKernelCount(lib: cudaLibrary_t | int | None) -> tuple[cudaError_t, int | None]:
    """Returns the number of kernels within a library

    count: Number of kernels found within the library
    lib: Library to query

    C: cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib)

    cuda_runtime_api.h:13475
    """
    ...

def cudaKernelSetAttributeForDevice(kernel: cudaKernel_t | int | None, attr: cudaFuncAttribute | int, value: int, device: int) -> tuple[cudaError_t]:
    """Sets information about a kernel

    kernel: Kernel to set attribute of
    attr: Attribute requested
    value: Value to set
    device: Device to set attribute of

    C: cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device)

    cuda_runtime_api.h:13566
    """
    ...

def cudaGetExportTable(pExportTableId: CUuuid | tuple[Any, ...] | dict[str, Any] | Address | None) -> tuple[cudaError_t, int | None]:
    """impl_private

    C: cudaError_t cudaGetExportTable(const void **ppExportTable, const cudaUUID_t *pExportTableId)

    cuda_runtime_api.h:13571
    """
    ...

def cudaGetFuncBySymbol(symbolPtr: Address | None) -> tuple[cudaError_t, cudaFunction_t | None]:
    """Get pointer to device entry function that matches entry function symbolPtr

    functionPtr: Returns the device entry function
    symbolPtr: Pointer to device entry function to search for

    C: cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)

    cuda_runtime_api.h:13757
    """
    ...

def cudaGetKernel(entryFuncAddr: Address | None) -> tuple[cudaError_t, cudaKernel_t | None]:
    """Get pointer to device kernel that matches entry function entryFuncAddr

    kernelPtr: Returns the device kernel
    entryFuncAddr: Address of device entry function to search kernel for

    C: cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)

    cuda_runtime_api.h:13781
    """
    ...

def cudaGraphicsEGLRegisterImage(image: EGLImageKHR | int | None, flags: int) -> tuple[cudaError_t, cudaGraphicsResource_t | None]:
    """Registers an EGL image

    pCudaResource: Pointer to the returned object handle
    image: An EGLImageKHR image which can be used to create target resource.
    flags: Map flags

    C: cudaError_t cudaGraphicsEGLRegisterImage(struct cudaGraphicsResource **pCudaResource, EGLImageKHR image, unsigned int flags)

    cuda_egl_interop.h:328
    """
    ...

def cudaEGLStreamConsumerConnect(eglStream: EGLStreamKHR | int | None) -> tuple[cudaError_t, cudaEglStreamConnection | None]:
    """Connect CUDA to EGLStream as a consumer.

    conn: Pointer to the returned connection handle
    eglStream: EGLStreamKHR handle

    C: cudaError_t cudaEGLStreamConsumerConnect(cudaEglStreamConnection *conn, EGLStreamKHR eglStream)

    cuda_egl_interop.h:352
    """
    ...

def cudaEGLStreamConsumerConnectWithFlags(eglStream: EGLStreamKHR | int | None, flags: int) -> tuple[cudaError_t, cudaEglStreamConnection | None]:
    """Connect CUDA to EGLStream as a consumer with given flags.

    conn: Pointer to the returned connection handle
    eglStream: EGLStreamKHR handle
    flags: Flags denote intended location - system or video.

    C: cudaError_t cudaEGLStreamConsumerConnectWithFlags(cudaEglStreamConnection *conn, EGLStreamKHR eglStream, unsigned int flags)

    cuda_egl_interop.h:378
    """
    ...

def cudaEGLStreamConsumerDisconnect(conn: Address | None) -> tuple[cudaError_t]:
    """Disconnect CUDA as a consumer to EGLStream .

    conn: Conection to disconnect.

    C: cudaError_t cudaEGLStreamConsumerDisconnect(cudaEglStreamConnection *conn)

    cuda_egl_interop.h:398
    """
    ...

def cudaEGLStreamConsumerAcquireFrame(conn: Address | None, pCudaResource: Address | None, pStream: Address | None, timeout: int) -> tuple[cudaError_t]:
    """Acquire an image frame from the EGLStream with CUDA as a consumer.

    conn: Connection on which to acquire
    pCudaResource: CUDA resource on which the EGLStream frame will be mapped for use.
    pStream: CUDA stream for synchronization and any data migrations implied by cudaEglResourceLocationFlags.
    timeout: Desired timeout in usec.

    C: cudaError_t cudaEGLStreamConsumerAcquireFrame(cudaEglStreamConnection *conn, cudaGraphicsResource_t *pCudaResource, cudaStream_t *pStream, unsigned int timeout)

    cuda_egl_interop.h:426
    """
    ...

def cudaEGLStreamConsumerReleaseFrame(conn: Address | None, pCudaResource: cudaGraphicsResource_t | int | None, pStream: Address | None) -> tuple[cudaError_t]:
    """Releases the last frame acquired from the EGLStream.

    conn: Connection on which to release
    pCudaResource: CUDA resource whose corresponding frame is to be released
    pStream: CUDA stream on which release will be done.

    C: cudaError_t cudaEGLStreamConsumerReleaseFrame(cudaEglStreamConnection *conn, cudaGraphicsResource_t pCudaResource, cudaStream_t *pStream)

    cuda_egl_interop.h:448
    """
    ...

def cudaEGLStreamProducerConnect(eglStream: EGLStreamKHR | int | None, width: int, height: int) -> tuple[cudaError_t, cudaEglStreamConnection | None]:
    """Connect CUDA to EGLStream as a producer.

    conn: Pointer to the returned connection handle
    eglStream: EGLStreamKHR handle
    width: width of the image to be submitted to the stream
    height: height of the image to be submitted to the stream

    C: cudaError_t cudaEGLStreamProducerConnect(cudaEglStreamConnection *conn, EGLStreamKHR eglStream, EGLint width, EGLint height)

    cuda_egl_interop.h:475
    """
    ...

def cudaEGLStreamProducerDisconnect(conn: Address | None) -> tuple[cudaError_t]:
    """Disconnect CUDA as a producer to EGLStream .

    conn: Conection to disconnect.

    C: cudaError_t cudaEGLStreamProducerDisconnect(cudaEglStreamConnection *conn)

    cuda_egl_interop.h:496
    """
    ...

def cudaEGLStreamProducerPresentFrame(conn: Address | None, eglframe: cudaEglFrame | tuple[Any, ...] | dict[str, Any], pStream: Address | None) -> tuple[cudaError_t]:
    """Present a CUDA eglFrame to the EGLStream with CUDA as a producer.

    conn: Connection on which to present the CUDA array
    eglframe: CUDA Eglstream Proucer Frame handle to be sent to the consumer over EglStream.
    pStream: CUDA stream on which to present the frame.

    C: cudaError_t cudaEGLStreamProducerPresentFrame(cudaEglStreamConnection *conn, cudaEglFrame eglframe, cudaStream_t *pStream)

    cuda_egl_interop.h:534
    """
    ...

def cudaEGLStreamProducerReturnFrame(conn: Address | None, eglframe: cudaEglFrame | Address | None, pStream: Address | None) -> tuple[cudaError_t]:
    """Return the CUDA eglFrame to the EGLStream last released by the consumer.

    conn: Connection on which to present the CUDA array
    eglframe: CUDA Eglstream Proucer Frame handle returned from the consumer over EglStream.
    pStream: CUDA stream on which to return the frame.

    C: cudaError_t cudaEGLStreamProducerReturnFrame(cudaEglStreamConnection *conn, cudaEglFrame *eglframe, cudaStream_t *pStream)

    cuda_egl_interop.h:559
    """
    ...

def cudaGraphicsResourceGetMappedEglFrame(resource: cudaGraphicsResource_t | int | None, index: int, mipLevel: int) -> tuple[cudaError_t, cudaEglFrame | None]:
    """Get an eglFrame through which to access a registered EGL graphics resource.

    eglFrame: Returned eglFrame.
    resource: Registered resource to access.
    index: Index for cubemap surfaces.
    mipLevel: Mipmap level for the subresource to access.

    C: cudaError_t cudaGraphicsResourceGetMappedEglFrame(cudaEglFrame *eglFrame, cudaGraphicsResource_t resource, unsigned int index, unsigned int mipLevel)

    cuda_egl_interop.h:601
    """
    ...

def cudaEventCreateFromEGLSync(eglSync: EGLSyncKHR | int | None, flags: int) -> tuple[cudaError_t, cudaEvent_t | None]:
    """Creates an event from EGLSync object

    phEvent: Returns newly created event
    eglSync: Opaque handle to EGLSync object
    flags: Event creation flags

    C: cudaError_t cudaEventCreateFromEGLSync(cudaEvent_t *phEvent, EGLSyncKHR eglSync, unsigned int flags)

    cuda_egl_interop.h:636
    """
    ...

def cudaGraphicsGLRegisterImage(image: int, target: int, flags: int) -> tuple[cudaError_t, cudaGraphicsResource_t | None]:
    """Register an OpenGL texture or renderbuffer object

    resource: Pointer to the returned object handle
    image: name of texture or renderbuffer object to be registered
    target: Identifies the type of object specified by image
    flags: Register flags

    C: cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, GLuint image, GLenum target, unsigned int flags)

    cuda_gl_interop.h:204
    """
    ...

def cudaGraphicsGLRegisterBuffer(buffer: int, flags: int) -> tuple[cudaError_t, cudaGraphicsResource_t | None]:
    """Registers an OpenGL buffer object

    resource: Pointer to the returned object handle
    buffer: name of buffer object to be registered
    flags: Register flags

    C: cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, GLuint buffer, unsigned int flags)

    cuda_gl_interop.h:243
    """
    ...

def cudaGLSetGLDevice(device: int) -> tuple[cudaError_t]:
    """Sets a CUDA device to use OpenGL interoperability

    device: Device to use for OpenGL interoperability

    C: cudaError_t cudaGLSetGLDevice(int device)

    Deprecated.

    cuda_gl_interop.h:311
    """
    ...

def cudaGLRegisterBufferObject(bufObj: int) -> tuple[cudaError_t]:
    """Registers a buffer object for access by CUDA

    bufObj: Buffer object ID to register

    C: cudaError_t cudaGLRegisterBufferObject(GLuint bufObj)

    Deprecated.

    cuda_gl_interop.h:333
    """
    ...

def cudaGLMapBufferObject(bufObj: int) -> tuple[cudaError_t, int | None]:
    """Maps a buffer object for access by CUDA

    devPtr: Returned device pointer to CUDA object
    bufObj: Buffer object ID to map

    C: cudaError_t cudaGLMapBufferObject(void **devPtr, GLuint bufObj)

    Deprecated.

    cuda_gl_interop.h:362
    """
    ...

def cudaGLUnmapBufferObject(bufObj: int) -> tuple[cudaError_t]:
    """Unmaps a buffer object for access by CUDA

    bufObj: Buffer object to unmap

    C: cudaError_t cudaGLUnmapBufferObject(GLuint bufObj)

    Deprecated.

    cuda_gl_interop.h:388
    """
    ...

def cudaGLUnregisterBufferObject(bufObj: int) -> tuple[cudaError_t]:
    """Unregisters a buffer object for access by CUDA

    bufObj: Buffer object to unregister

    C: cudaError_t cudaGLUnregisterBufferObject(GLuint bufObj)

    Deprecated.

    cuda_gl_interop.h:410
    """
    ...

def cudaGLSetBufferObjectMapFlags(bufObj: int, flags: int) -> tuple[cudaError_t]:
    """Set usage flags for mapping an OpenGL buffer

    bufObj: Registered buffer object to set flags for
    flags: Parameters for buffer mapping

    C: cudaError_t cudaGLSetBufferObjectMapFlags(GLuint bufObj, unsigned int flags)

    Deprecated.

    cuda_gl_interop.h:448
    """
    ...

def cudaGLMapBufferObjectAsync(bufObj: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t, int | None]:
    """Maps a buffer object for access by CUDA

    devPtr: Returned device pointer to CUDA object
    bufObj: Buffer object ID to map
    stream: Stream to synchronize

    C: cudaError_t cudaGLMapBufferObjectAsync(void **devPtr, GLuint bufObj, cudaStream_t stream)

    Deprecated.

    cuda_gl_interop.h:477
    """
    ...

def cudaGLUnmapBufferObjectAsync(bufObj: int, stream: cudaStream_t | int | None) -> tuple[cudaError_t]:
    """Unmaps a buffer object for access by CUDA

    bufObj: Buffer object to unmap
    stream: Stream to synchronize

    C: cudaError_t cudaGLUnmapBufferObjectAsync(GLuint bufObj, cudaStream_t stream)

    Deprecated.

    cuda_gl_interop.h:503
    """
    ...

def cudaVDPAUGetDevice(vdpDevice: int, vdpGetProcAddress: Callable[[int, int, Pointer], int] | None) -> tuple[cudaError_t, int | None]:
    """Gets the CUDA device associated with a VdpDevice.

    device: Returns the device associated with vdpDevice, or -1 if the device associated with vdpDevice is not a compute device.
    vdpDevice: A VdpDevice handle
    vdpGetProcAddress: VDPAU's VdpGetProcAddress function pointer

    C: cudaError_t cudaVDPAUGetDevice(int *device, VdpDevice vdpDevice, VdpGetProcAddress *vdpGetProcAddress)

    cuda_vdpau_interop.h:87
    """
    ...

def cudaVDPAUSetVDPAUDevice(device: int, vdpDevice: int, vdpGetProcAddress: Callable[[int, int, Pointer], int] | None) -> tuple[cudaError_t]:
    """Sets a CUDA device to use VDPAU interoperability

    device: Device to use for VDPAU interoperability
    vdpDevice: The VdpDevice to interoperate with
    vdpGetProcAddress: VDPAU's VdpGetProcAddress function pointer

    C: cudaError_t cudaVDPAUSetVDPAUDevice(int device, VdpDevice vdpDevice, VdpGetProcAddress *vdpGetProcAddress)

    cuda_vdpau_interop.h:118
    """
    ...

def cudaGraphicsVDPAURegisterVideoSurface(vdpSurface: int, flags: int) -> tuple[cudaError_t, cudaGraphicsResource_t | None]:
    """Register a VdpVideoSurface object

    resource: Pointer to the returned object handle
    vdpSurface: VDPAU object to be registered
    flags: Map flags

    C: cudaError_t cudaGraphicsVDPAURegisterVideoSurface(struct cudaGraphicsResource **resource, VdpVideoSurface vdpSurface, unsigned int flags)

    cuda_vdpau_interop.h:155
    """
    ...

def cudaGraphicsVDPAURegisterOutputSurface(vdpSurface: int, flags: int) -> tuple[cudaError_t, cudaGraphicsResource_t | None]:
    """Register a VdpOutputSurface object

    resource: Pointer to the returned object handle
    vdpSurface: VDPAU object to be registered
    flags: Map flags

    C: cudaError_t cudaGraphicsVDPAURegisterOutputSurface(struct cudaGraphicsResource **resource, VdpOutputSurface vdpSurface, unsigned int flags)

    cuda_vdpau_interop.h:192
    """
    ...

def cudaProfilerStart() -> tuple[cudaError_t]:
    """Enable profiling

    C: cudaError_t cudaProfilerStart(void)

    <source>:2
    """
    ...

def cudaProfilerStop() -> tuple[cudaError_t]:
    """Disable profiling

    C: cudaError_t cudaProfilerStop(void)

    <source>:4
    """
    ...

def sizeof(objType: type) -> int:
    """The size in bytes of what a class stands for in C."""
    ...

cudaStreamAttrID = cudaLaunchAttributeID
cudaKernelNodeAttrID = cudaLaunchAttributeID
cudaStreamAttrValue = cudaLaunchAttributeValue
cudaKernelNodeAttrValue = cudaLaunchAttributeValue
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

def cudaCreateChannelDesc(x: int, y: int, z: int, w: int, f: Any) -> tuple[cudaError_t, cudaChannelFormatDesc]:
    """A channel's format: (cudaSuccess, cudaChannelFormatDesc). C has no status for it."""
    ...

def make_cudaExtent(w: int, h: int, d: int) -> cudaExtent:
    """An extent: w is in elements for arrays, in bytes for linear memory."""
    ...

def make_cudaPos(x: int, y: int, z: int) -> cudaPos:
    """A position: x is in elements for arrays, in bytes for linear memory."""
    ...

def make_cudaPitchedPtr(d: Any, p: int, xsz: int, ysz: int) -> cudaPitchedPtr:
    """Memory of rows: where it is, the distance between rows in bytes, a row's length in bytes, and how many rows there are."""
    ...

def cudaGetErrorName(error: Any) -> tuple[cudaError_t, bytes]:
    """A status's name: (cudaSuccess, bytes)."""
    ...

def cudaGetErrorString(error: Any) -> tuple[cudaError_t, bytes]:
    """A status in words: (cudaSuccess, bytes)."""
    ...

def getLocalRuntimeVersion() -> tuple[cudaError_t, int | None]:
    """The version of libcudart that is in use: (status, int)."""
    ...

def cudaThreadExchangeStreamCaptureMode(mode: Any) -> tuple[cudaError_t, cudaStreamCaptureMode | None]:
    """Swap the calling thread's capture mode: (status, the mode that it had)."""
    ...

def cudaGraphGetNodes(graph: Any, numNodes: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, int | None]:
    """So many nodes of a graph: (status, list, how many there are)."""
    ...

def cudaGraphGetRootNodes(graph: Any, pNumRootNodes: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, int | None]:
    """So many nodes of a graph that wait for no other: (status, list, how many there are)."""
    ...

def cudaGraphGetEdges(graph: Any, numEdges: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
    """So many edges of a graph: (status, nodes, nodes that wait for them, edges' data, how many there are)."""
    ...

def cudaGraphNodeGetDependencies(node: Any, pNumDependencies: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
    """So many nodes that a node waits for: (status, nodes, edges' data, how many there are)."""
    ...

def cudaGraphNodeGetDependentNodes(node: Any, pNumDependentNodes: int = 0) -> tuple[cudaError_t, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
    """So many nodes that wait for a node: (status, nodes, edges' data, how many there are)."""
    ...

def cudaLibraryEnumerateKernels(numKernels: int, lib: Any) -> tuple[cudaError_t, list[cudaKernel_t] | None]:
    """The kernels of a library, at most so many: (status, list)."""
    ...

def cudaStreamGetCaptureInfo(stream: Any) -> tuple[cudaError_t, cudaStreamCaptureStatus | None, int | None, cudaGraph_t | None, list[cudaGraphNode_t] | None, list[cudaGraphEdgeData] | None, int | None]:
    """A capture's state: (status, capture status, id, graph, dependencies, their edges, how many there are)."""
    ...

def cudaMemPoolGetAttribute(memPool: Any, attr: Any) -> tuple[cudaError_t, int | None]:
    """One attribute of a memory pool: (status, int)."""
    ...

def cudaMemPoolSetAttribute(memPool: Any, attr: Any, value: Any) -> tuple[cudaError_t]:
    """Set one attribute of a memory pool to an int."""
    ...

def cudaDeviceGetGraphMemAttribute(device: int, attr: Any) -> tuple[cudaError_t, int | None]:
    """Return the memory that graphs use on a device, in bytes: (status, int)."""
    ...

def cudaDeviceSetGraphMemAttribute(device: int, attr: Any, value: Any) -> tuple[cudaError_t]:
    """Set how much memory graphs use at most; only to 0, to begin again."""
    ...

def cudaMemPoolExportToShareableHandle(memPool: Any, handleType: Any, flags: int) -> tuple[cudaError_t, Any]:
    """A handle by which other processes can use a pool: (status, int), a file descriptor on Linux; or what the type says."""
    ...

def cudaGraphMemFreeNodeGetParams(node: Any) -> tuple[cudaError_t, int | None]:
    """Return the address that a node frees: (status, address)."""
    ...

def cudaMemRangeGetAttribute(dataSize: int, attribute: Any, devPtr: Any, count: int) -> tuple[cudaError_t, Any]:
    """One attribute of a range of managed memory: an int, or a list of ints if it has several."""
    ...

def cudaMemRangeGetAttributes(dataSizes: Sequence[int], attributes: Sequence[Any] | None, numAttributes: int, devPtr: Any, count: int) -> tuple[cudaError_t, list[Any] | None]:
    """Several attributes of a range of managed memory: (status, list)."""
    ...

def cudaDeviceGetHostAtomicCapabilities(operations: Sequence[Any] | None, count: int, device: int) -> tuple[cudaError_t, list[int] | None]:
    """Which atomic operations a device can do on the host's memory: (status, one int for each operation)."""
    ...

def cudaDeviceGetP2PAtomicCapabilities(operations: Sequence[Any] | None, count: int, srcDevice: int, dstDevice: int) -> tuple[cudaError_t, list[int] | None]:
    """Which atomic operations a device can do on another's memory: (status, one int for each operation)."""
    ...

def cudaLogsDumpToFile(iterator: cudaLogIterator | None, pathToFile: str | bytes, flags: int) -> tuple[cudaError_t, cudaLogIterator | None]:
    """Writes what has been logged since `iterator`, which moves on, to a file."""
    ...

def cudaLogsDumpToMemory(iterator: cudaLogIterator | None, buffer: Any, size: int, flags: int) -> tuple[cudaError_t, cudaLogIterator | None, int | None]:
    """Writes what has been logged since `iterator`, which moves on, to memory; the last is how much."""
    ...

def cudaGLGetDevices(cudaDeviceCount: int, deviceList: cudaGLDeviceList) -> tuple[cudaError_t, int | None, list[int] | None]:
    """The devices of the current OpenGL context: (status, how many, so many of them)."""
    ...

