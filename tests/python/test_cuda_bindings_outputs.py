"""Python objects made by `cuox.cuda.bindings` from memory that C fills: functions of Python stand in for the runtime's,
which need a GPU.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
from cuox.cuda.bindings import driver, runtime
from cuox.cuda.bindings._internal import runtime as _runtime

OK = runtime.cudaError_t.cudaSuccess
BAD = runtime.cudaError_t.cudaErrorInvalidValue


def put(address: int | None, kind: Any, *values: int) -> None:
    """Writes as C does."""
    assert address
    (kind * len(values)).from_address(address)[:] = values


def function(name: str, stand_in: Callable[..., Any]) -> Callable[..., Any]:
    """The runtime's function of a name, over another one of C."""

    def raw(asked: str) -> Callable[..., Any]:
        assert asked == name
        return stand_in

    return _runtime.special(runtime._names, raw)[name]


def test_nodes_and_edges() -> None:
    def dependencies(node: Any, nodes: int | None, edges: int | None, count: int) -> tuple[Any, ...]:
        room = ctypes.c_size_t.from_address(count).value
        if room:
            put(nodes, ctypes.c_void_p, 8, 16)
            put(edges, ctypes.c_ubyte, *[1] + [0] * 7, *[2] + [0] * 7)
        put(count, ctypes.c_size_t, 2)
        return (OK,)

    get = function("cudaGraphNodeGetDependencies", dependencies)
    assert get(5) == (OK, [], [], 2)
    # As many as were asked for: null behind those that there are.
    status, nodes, edges, count = get(5, 3)
    assert (status, [int(node) for node in nodes], count) == (OK, [8, 16, 0], 2)
    assert [edge.from_port for edge in edges] == [1, 2, 0]
    assert type(nodes[0]) is runtime.cudaGraphNode_t and type(edges[0]) is runtime.cudaGraphEdgeData
    assert function("cudaGraphGetEdges", lambda *_args: (BAD,))(5, 3) == (BAD, None, None, None, None)


def test_capture() -> None:
    nodes = (ctypes.c_void_p * 2)(8, 16)
    edges = (ctypes.c_ubyte * 16)(3, *[0] * 7, 4)

    def info(stream: Any, number: int, graph: int, dependencies: int, data: int, count: int) -> tuple[Any, ...]:
        for place, value in (
            (number, 7),
            (graph, 64),
            (dependencies, ctypes.addressof(nodes)),
            (data, ctypes.addressof(edges)),
            (count, 2),
        ):
            put(place, ctypes.c_uint64, value)
        return (OK, runtime.cudaStreamCaptureStatus.cudaStreamCaptureStatusActive)

    status, state, number, graph, found, data, count = function("cudaStreamGetCaptureInfo", info)(0)
    assert (status, state, number, graph, count) == (OK, 1, 7, runtime.cudaGraph_t(64), 2)
    edges[0] = 9  # what is returned is a copy
    assert [int(node) for node in found] == [8, 16] and [edge.from_port for edge in data] == [3, 4]
    assert function("cudaStreamGetCaptureInfo", lambda *_args: (BAD, None))(0) == (BAD, *[None] * 6)


@pytest.mark.parametrize(
    ("type_", "size", "wanted"),
    [
        ("PosixFileDescriptor", 4, 0x01010101),
        ("Win32", 8, 0x0101010101010101),
        ("Win32Kmt", 4, 0x01010101),
        ("Fabric", 64, b"\1" * 64),
    ],
)
def test_handles_of_the_operating_system(type_: str, size: int, wanted: Any) -> None:
    def export(room: int, pool: Any, kind: Any, flags: int) -> tuple[Any, ...]:
        ctypes.memset(room, 1, size)
        return (OK,)

    member = getattr(runtime.cudaMemAllocationHandleType, f"cudaMemHandleType{type_}")
    for kind in (member, int(member)):
        status, handle = function("cudaMemPoolExportToShareableHandle", export)(1, kind, 0)
        assert status == OK and (handle.reserved if type_ == "Fabric" else handle) == wanted


def test_values_by_attribute() -> None:
    stored: dict[int, int] = {}
    attributes = runtime.cudaMemPoolAttr

    def kind(attribute: int) -> Any:
        return ctypes.c_uint64 if attribute >= attributes.cudaMemPoolAttrReleaseThreshold else ctypes.c_int

    def store(pool: Any, attribute: int, place: int) -> tuple[Any, ...]:
        stored[attribute] = kind(attribute).from_address(place).value
        return (OK,)

    def load(pool: Any, attribute: int, place: int) -> tuple[Any, ...]:
        put(place, kind(attribute), stored[attribute])
        return (OK,)

    for attribute, value in (
        (attributes.cudaMemPoolReuseAllowOpportunistic, 1),
        (attributes.cudaMemPoolAttrReleaseThreshold, 1 << 40),
    ):
        assert function("cudaMemPoolSetAttribute", store)(1, attribute, value) == (OK,)
        assert function("cudaMemPoolGetAttribute", load)(1, attribute) == (OK, value)
    assert function("cudaMemPoolGetAttribute", lambda *_args: (BAD,))(
        1, attributes.cudaMemPoolAttrReleaseThreshold
    ) == (BAD, None)
    old = runtime.cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal

    def exchange(place: int) -> tuple[Any, ...]:
        assert ctypes.c_int.from_address(place).value == 2
        put(place, ctypes.c_int, int(old))
        return (OK,)

    swapped = function("cudaThreadExchangeStreamCaptureMode", exchange)(
        runtime.cudaStreamCaptureMode.cudaStreamCaptureModeRelaxed
    )
    assert swapped == (OK, old) and isinstance(swapped[1], runtime.cudaStreamCaptureMode)


def test_attributes_of_ranges() -> None:
    def several(places: int, sizes: Any, attributes: Any, number: int, pointer: Any, count: int) -> tuple[Any, ...]:
        assert len(sizes) == len(attributes) == number == 2
        one, two = (ctypes.c_void_p * 2).from_address(places)
        put(one, ctypes.c_int, 5)
        put(two, ctypes.c_int, 6, 7)
        return (OK,)

    get = function("cudaMemRangeGetAttributes", several)
    assert get([4, 8], [1, 4], 2, 4096, 64) == (OK, [5, [6, 7]])
    # C is told of no more than there is.
    assert get([4, 8, 4], [1, 4], 2, 4096, 64) == (OK, [5, [6, 7]])
    with pytest.raises(
        ValueError, match=r"cudaMemRangeGetAttributes: dataSizes: expected 2 items, as the count says, got 1"
    ):
        get([4], [1, 4], 2, 4096, 64)
    with pytest.raises(
        ValueError, match=r"cudaMemRangeGetAttributes: attributes: expected 2 items, as the count says, got 0"
    ):
        get([4, 8], None, 2, 4096, 64)


def test_devices() -> None:
    def devices(total: int, room: int | None, count: int, of: Any) -> tuple[Any, ...]:
        put(total, ctypes.c_uint, 1)
        if count:
            put(room, ctypes.c_int, 3)
        return (OK,)

    get = function("cudaGLGetDevices", devices)
    every = runtime.cudaGLDeviceList.cudaGLDeviceListAll
    assert get(1, every) == (OK, 1, [3]) and get(0, every) == (OK, 1, [])


def test_texts() -> None:
    place = function("cudaDeviceGetPCIBusId", lambda *_args: (OK, "0000:01:00.0")).make()
    assert place(13, 0) == (OK, b"0000:01:00.0")
    assert function("cudaGetErrorName", lambda _error: "cudaSuccess")(0) == (OK, b"cudaSuccess")


@pytest.mark.parametrize("name", ["cuDeviceGetHostAtomicCapabilities", "cuDeviceGetP2PAtomicCapabilities"])
def test_more_operations_announced_than_given(name: str) -> None:
    operation = driver.CUatomicOperation(0)
    devices = (0,) if "Host" in name else (0, 0)
    with pytest.raises(ValueError, match=f"{name}: operations: expected 1000000 items, as the count says, got 1"):
        getattr(driver, name)([operation], 1_000_000, *devices)


def test_more_attributes_announced_than_given() -> None:
    with pytest.raises(
        ValueError, match="cuPointerGetAttributes: attributes: expected 2 items, as the count says, got 1"
    ):
        driver.cuPointerGetAttributes(2, [driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT], 4096)
