"""cuox.cuda.bindings.runtime and .utils, on the software GPU over cuox's own libcudart."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from cuox.cuda.bindings import runtime, utils


def checked(result: tuple):
    status, *outputs = result
    assert status == runtime.cudaError_t.cudaSuccess, status
    return outputs[0] if len(outputs) == 1 else outputs


def test_names() -> None:
    names = dir(runtime)
    functions = [name for name in names if name.startswith("cuda") and name[4:5].isupper()]
    assert len(functions) > 300
    assert {
        "cudaMalloc",
        "cudaGLGetDevices",
        "cudaProfilerStart",
        "make_cudaExtent",
        "getLocalRuntimeVersion",
        "cudaStream_t",
        "cudaDeviceProp",
    } <= set(names)
    with pytest.raises(AttributeError, match="cudaNope"):
        runtime.cudaNope


def test_enumerations() -> None:
    assert runtime.cudaError_t.cudaErrorMemoryAllocation == 2
    assert runtime.cudaMemcpyKind.cudaMemcpyHostToDevice == 1
    assert "memory" in (runtime.cudaError_t.cudaErrorMemoryAllocation.__doc__ or "")


def test_structures() -> None:
    extent = runtime.make_cudaExtent(4, 5, 6)
    assert (extent.width, extent.height, extent.depth) == (4, 5, 6)
    position = runtime.make_cudaPos(1, 2, 3)
    assert (position.x, position.y, position.z) == (1, 2, 3)
    pitched = runtime.make_cudaPitchedPtr(4096, 512, 500, 7)
    assert (int(pitched.ptr), pitched.pitch, pitched.xsize, pitched.ysize) == (4096, 512, 500, 7)
    description = runtime.cudaExternalMemoryMipmappedArrayDesc()
    description.extent = extent
    description.extent.width = 40
    description.formatDesc.f = runtime.cudaChannelFormatKind.cudaChannelFormatKindFloat
    assert (description.extent.width, extent.width) == (40, 4)
    assert description.formatDesc.f == runtime.cudaChannelFormatKind.cudaChannelFormatKindFloat


def test_handles() -> None:
    stream = runtime.cudaStream_t(5)
    assert int(stream) == 5 and utils.get_cuda_native_handle(stream) == 5
    for other in (5, None, "5", [5]):
        with pytest.raises(TypeError):
            utils.get_cuda_native_handle(other)


@pytest.mark.parametrize(
    ("version", "cuda"), [("9.0", 13000), ("8.8", 12090), ("8.6", 12070), ("7.0", 11000), ("3.2", 5050), ("1.0", 1000)]
)
def test_versions_of_ptx(version: str, cuda: int) -> None:
    assert utils.get_ptx_ver(f"//\n// made by hand\n.version  {version}\n.target sm_90\n") == version
    assert utils.get_minimal_required_cuda_ver_from_ptx_ver(version) == cuda


def test_unknown_versions_of_ptx() -> None:
    with pytest.raises(ValueError, match="PTX with a .version directive"):
        utils.get_ptx_ver("extern void f();")
    with pytest.raises(ValueError, match="'99.0'"):
        utils.get_minimal_required_cuda_ver_from_ptx_ver("99.0")


def test_copies() -> None:
    checked(runtime.cudaSetDevice(0))
    device = checked(runtime.cudaMalloc(1024))
    assert isinstance(device, int)
    one = np.arange(256, dtype=np.int32)
    two = np.zeros_like(one)
    checked(runtime.cudaMemcpy(device, one, 1024, runtime.cudaMemcpyKind.cudaMemcpyHostToDevice))
    checked(runtime.cudaMemcpy(two, device, 1024, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost))
    assert (one == two).all()
    checked(runtime.cudaFree(device))
    status, nothing = runtime.cudaMalloc(1 << 60)
    assert status == runtime.cudaError_t.cudaErrorMemoryAllocation and nothing is None
    # The runtime remembers it for whoever asks next in this process.
    runtime.cudaGetLastError()


def test_streams_and_callbacks() -> None:
    stream = checked(runtime.cudaStreamCreate())
    called = []
    checked(runtime.cudaLaunchHostFunc(stream, lambda data: called.append(int(data or 0)), 7))
    checked(runtime.cudaStreamSynchronize(stream))
    assert called == [7]
    checked(runtime.cudaStreamDestroy(stream))


def test_graphs(no_garbage: None) -> None:
    stream = checked(runtime.cudaStreamCreate())
    (status,) = runtime.cudaStreamBeginCapture(stream, runtime.cudaStreamCaptureMode.cudaStreamCaptureModeGlobal)
    if status == runtime.cudaError_t.cudaErrorNotSupported:
        runtime.cudaGetLastError()
        pytest.skip("the software GPU has no graphs")
    assert status == runtime.cudaError_t.cudaSuccess
    memory = ctypes.c_int(1)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data: None)
    checked(runtime.cudaLaunchHostFunc(stream, function, ctypes.addressof(memory)))
    captured = checked(runtime.cudaStreamGetCaptureInfo(stream))
    assert captured[0] == runtime.cudaStreamCaptureStatus.cudaStreamCaptureStatusActive and len(captured[3]) == 1
    graph = checked(runtime.cudaStreamEndCapture(stream))
    assert checked(runtime.cudaGraphGetNodes(graph)) == [[], 1]
    nodes, count = checked(runtime.cudaGraphGetNodes(graph, 1))
    assert (
        count == 1
        and checked(runtime.cudaGraphNodeGetType(nodes[0])) == runtime.cudaGraphNodeType.cudaGraphNodeTypeHost
    )
    checked(runtime.cudaGraphDestroy(graph))
    checked(runtime.cudaStreamDestroy(stream))


def test_attributes() -> None:
    properties = checked(runtime.cudaGetDeviceProperties(0))
    assert properties.multiProcessorCount > 0 and properties.warpSize == 32
    assert checked(runtime.cudaGetErrorString(runtime.cudaError_t.cudaErrorMemoryAllocation)) == b"out of memory"
    pool = checked(runtime.cudaDeviceGetDefaultMemPool(0))
    attribute = runtime.cudaMemPoolAttr.cudaMemPoolAttrReleaseThreshold
    checked(runtime.cudaMemPoolSetAttribute(pool, attribute, 4096))
    assert checked(runtime.cudaMemPoolGetAttribute(pool, attribute)) == 4096
