"""Memory resources with pools, their options and attributes; memory of graphs; the stream that frees a buffer."""

from __future__ import annotations

import ctypes
import gc
import itertools
import sys
import time
import warnings
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import driver
from cuox.cuda.core import (
    Buffer,
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    GraphMemoryResource,
    LegacyPinnedMemoryResource,
    ManagedBuffer,
    ManagedMemoryResource,
    ManagedMemoryResourceOptions,
    PinnedMemoryResource,
    PinnedMemoryResourceOptions,
)

KINDS = ["device", "pinned", "managed"]


def made(kind: str, device: cuox.Device, **options: Any) -> Any:
    """A resource with a pool of its own, if the driver has such pools."""
    known = device.properties
    if kind == "device":
        return DeviceMemoryResource(device, DeviceMemoryResourceOptions(**options))
    if kind == "pinned":
        if not known.host_memory_pools_supported:
            pytest.skip("no pools of the host's memory")
        return PinnedMemoryResource(PinnedMemoryResourceOptions(**options))
    if not known.concurrent_managed_access:
        pytest.skip("no pools of managed memory")
    options.pop("max_size", None)
    return ManagedMemoryResource(ManagedMemoryResourceOptions(**options))


@pytest.mark.parametrize("kind", KINDS)
def test_a_pool_of_its_own(device: cuox.Device, stream: cuox.Stream, kind: str) -> None:
    resource = made(kind, device, max_size=1 << 21)
    assert resource.is_handle_owned and resource.handle and not resource.is_closed
    assert (resource.is_ipc_enabled, resource.is_mapped, resource.uuid) == (False, False, None)
    assert resource.is_managed == (kind == "managed") and resource.is_host_accessible == (kind != "device")
    assert resource.is_device_accessible
    assert resource.device_id == (device.device_id if kind == "device" else -1)
    buffer = resource.allocate(1000, stream=stream)
    assert buffer.memory_resource is resource and buffer.size == 1000 and int(buffer.handle)
    assert isinstance(buffer, ManagedBuffer) == (kind == "managed")
    assert (buffer.is_managed, buffer.is_host_accessible) == (kind == "managed", kind != "device")
    assert buffer.device_id == resource.device_id
    attribute = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE
    code, pool = driver.cuPointerGetAttribute(attribute, int(buffer.handle))
    assert code == 0 and int(pool) == resource.handle
    buffer.fill(7, stream=stream)
    if kind != "device":
        stream.sync()
        assert bytes(memoryview(buffer)) == bytes([7]) * 1000
    copied = buffer.copy_to(stream=stream)
    assert copied.memory_resource is resource
    out = np.zeros(1000, np.uint8)
    copied.copy_to_host(out)
    assert (out == 7).all()
    assert resource.attributes.used_mem_current >= 2000
    copied.close()
    buffer.close(stream)
    stream.sync()
    device.sync()
    assert resource.attributes.used_mem_current == 0 and resource.attributes.used_mem_high >= 2000
    nothing = resource.allocate(0, stream=stream)
    assert nothing.size == 0 and int(nothing.handle) == 0
    assert resource == resource and resource != made(kind, device)


@pytest.mark.parametrize("kind", KINDS)
def test_closing_a_resource(device: cuox.Device, stream: cuox.Stream, kind: str) -> None:
    resource = made(kind, device)
    buffer = resource.allocate(100, stream=stream)
    attributes = resource.attributes
    resource.close()
    resource.close()
    assert resource.is_closed and resource.handle == 0 and not resource.is_handle_owned
    with pytest.raises(cuox.ClosedError, match="memory resource"):
        resource.allocate(1, stream=stream)
    with pytest.raises(cuox.ClosedError):
        _ = resource.attributes
    assert attributes.used_mem_current >= 100
    buffer.fill(1, stream=stream)
    buffer.close()
    stream.sync()


def test_attributes(device: cuox.Device) -> None:
    attributes = DeviceMemoryResource(device, {"max_size": 1 << 20}).attributes
    numbers = ["release_threshold", "reserved_mem_current", "reserved_mem_high", "used_mem_current", "used_mem_high"]
    truths = [
        f"reuse_{name}" for name in ("allow_internal_dependencies", "allow_opportunistic", "follow_event_dependencies")
    ]
    assert all(type(getattr(attributes, name)) is int for name in numbers)
    # What is freed is kept for the next allocation.
    assert attributes.release_threshold == 2**64 - 1
    assert all(getattr(attributes, name) is True for name in truths)
    text = repr(attributes)
    assert all(f"{name}=" in text for name in (*numbers, *truths))
    with pytest.raises(TypeError):
        type(attributes)()
    with pytest.raises(AttributeError):
        attributes.release_threshold = 0  # type: ignore[misc]


def test_the_current_pools(device: cuox.Device, stream: cuox.Stream) -> None:
    resource = DeviceMemoryResource(device)
    assert not resource.is_handle_owned and resource == device.memory_resource
    assert resource != DeviceMemoryResource(device, {}) and resource.handle == device.memory_resource.handle
    assert resource.attributes.used_mem_high >= 0
    assert list(resource.peer_accessible_by) == [] and device not in resource.peer_accessible_by
    resource.peer_accessible_by = [device]
    with pytest.raises(ValueError, match="99"):
        resource.peer_accessible_by.add(99)
    # Without a stream, the host may use memory at once.
    for made_at_once in (PinnedMemoryResource().allocate(8), ManagedMemoryResource().allocate(8)):
        memoryview(made_at_once)[:] = bytes(8)
    ordered = ManagedMemoryResource().allocate(8, stream=stream)
    stream.sync()
    memoryview(ordered)[:] = bytes(8)
    assert ordered.__dlpack_device__()[0] == 13


def test_options_that_are_wrong(device: cuox.Device) -> None:
    for call, error, match in [
        (lambda: DeviceMemoryResource(device, {"size": 3}), TypeError, "unknown key 'size'"),
        (lambda: DeviceMemoryResource(device, {"max_size": "x"}), TypeError, "max_size"),
        (lambda: DeviceMemoryResource(device, 3), TypeError, "options"),
        (lambda: PinnedMemoryResource({"numa_id": -1}), ValueError, "numa_id must be >= 0, got -1"),
        (lambda: PinnedMemoryResource("x"), TypeError, "expected PinnedMemoryResourceOptions"),
        (
            lambda: ManagedMemoryResource({"preferred_location": -2}),
            ValueError,
            "preferred_location must be .*, got -2",
        ),
    ]:
        with pytest.raises(error, match=match):
            call()
    for kind, place, match in [
        ("device", None, "must be a device ordinal"),
        ("device", -1, "must be a device ordinal"),
        ("host", 0, "must be None"),
        ("host_numa", -1, "must be a NUMA node ID"),
        ("disk", None, "'disk' is not a valid ManagedMemoryLocationType. Must be one of"),
    ]:
        with pytest.raises(ValueError, match=match):
            ManagedMemoryResource(ManagedMemoryResourceOptions(place, kind))
    for call in (lambda: DeviceMemoryResource(device).allocation_handle, lambda: device.allocate(4).ipc_descriptor):
        with pytest.raises(RuntimeError, match="Memory resource is not IPC-enabled"):
            call()


def test_the_preferred_location(device: cuox.Device) -> None:
    assert ManagedMemoryResource().preferred_location is None
    for options, expected in [
        ({}, None),
        ({"preferred_location": device.device_id}, ("device", device.device_id)),
        ({"preferred_location": 0, "preferred_location_type": "device"}, ("device", 0)),
        ({"preferred_location": -1}, ("host", None)),
        ({"preferred_location_type": "host"}, ("host", None)),
    ]:
        resource = made("managed", device, **options)
        assert resource.preferred_location == expected
        assert resource.device_id == (expected[1] if expected and expected[0] == "device" else -1)


def test_memory_that_is_freed_by_hand(device: cuox.Device, stream: cuox.Stream) -> None:
    resource = DeviceMemoryResource(device)
    code, address = driver.cuMemAllocAsync(64, stream.handle)
    assert code == 0
    resource.deallocate(address, 64, stream=stream)
    legacy = LegacyPinnedMemoryResource()
    code, host = driver.cuMemHostAlloc(64, 0)
    assert code == 0
    legacy.deallocate(int(host), 64, stream=stream)
    assert int(legacy.allocate(0).handle) == 0
    with pytest.raises(RuntimeError, match="not bound to any GPU"):
        _ = legacy.device_id
    with pytest.raises(TypeError, match="deallocate: ptr"):
        resource.deallocate("x", 64)


class Recording(cuox.MemoryResource):
    """Tells in which stream memory was freed."""

    is_device_accessible, is_host_accessible, device_id = True, False, 0

    def __init__(self) -> None:
        self.streams: list[int] = []

    def deallocate(self, ptr: int, size: int, *, stream: Any = None) -> None:
        self.streams.append(stream.handle)


def test_the_stream_that_frees_a_buffer(device: cuox.Device) -> None:
    first, second = device.create_stream(), device.create_stream()
    resource = Recording()
    wrapped = Buffer.from_handle(1, 8, mr=resource, stream=first)
    wrapped.set_deallocation_stream(second)
    del wrapped
    gc.collect()
    Buffer.from_handle(1, 8, mr=resource, stream=first).close()
    assert resource.streams == [second.handle, first.handle]
    pool = DeviceMemoryResource(device, {})
    for close, shared in itertools.product((True, False), repeat=2):
        buffer = pool.allocate(1 << 10, stream=first)
        if shared:
            # Whatever has had a part in it.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", cuox.PortabilityWarning)
                buffer.__dlpack__()
        buffer.fill(3, stream=first)
        second.wait(first)
        buffer.set_deallocation_stream(second)
        # It stays usable, in its own stream too.
        buffer.fill(4, stream=first)
        second.wait(first)
        if close:
            buffer.close()
            with pytest.raises(cuox.ClosedError):
                buffer.set_deallocation_stream(second)
        del buffer
        gc.collect()
        second.sync()
        assert pool.attributes.used_mem_current == 0
    with pytest.raises(TypeError, match="stream"):
        device.allocate(8).set_deallocation_stream(None)  # type: ignore[arg-type]
    managed = ManagedMemoryResource().allocate(8)
    managed.set_deallocation_stream(second)
    managed.close()


def test_memory_of_a_graph(device: cuox.Device, stream: cuox.Stream) -> None:
    resource = GraphMemoryResource(device)
    assert resource is GraphMemoryResource(device.device_id) and resource.device_id == device.device_id
    assert resource.is_device_accessible and not resource.is_host_accessible and not resource.is_managed
    out = device.allocate(64, stream=stream)
    out.fill(1, stream=stream)
    builder = device.create_graph_builder().begin_building()
    buffer = resource.allocate(64, stream=builder)
    assert buffer.memory_resource is resource
    empty = resource.allocate(0, stream=builder)
    buffer.copy_from(out, stream=builder)
    out.fill(9, stream=builder)
    out.copy_from(buffer, stream=builder)
    buffer.close()
    empty.close()
    with pytest.raises(RuntimeError, match="capturing stream .consider using GraphMemoryResource"):
        DeviceMemoryResource(device).allocate(8, stream=builder)
    graph = builder.end_building().complete()
    for _ in range(2):
        graph.launch(stream)
    host = np.zeros(64, np.uint8)
    out.copy_to_host(host, stream=stream)
    stream.sync()
    assert (host == 1).all()
    attributes = resource.attributes
    assert attributes.reserved_mem_high >= attributes.reserved_mem_current >= 0
    assert repr(attributes).startswith("GraphMemoryResourceAttributes(reserved_mem_current=")
    attributes.reserved_mem_high = 0
    attributes.used_mem_high = 0
    for name in ("reserved_mem_high", "used_mem_high"):
        with pytest.raises(AttributeError, match=f"Attribute '{name}' may only be set to zero .got 1"):
            setattr(attributes, name, 1)
    with pytest.raises(AttributeError, match="not writable"):
        attributes.used_mem_current = 0  # type: ignore[misc]
    with pytest.raises(RuntimeError, match="cannot be instantiated directly"):
        type(attributes)()
    with pytest.raises(RuntimeError, match="non-capturing stream"):
        resource.allocate(8, stream=stream)
    for wrong in (None, 3):
        with pytest.raises(TypeError, match="stream"):
            resource.allocate(8, stream=wrong)
    resource.trim()
    resource.close()


def test_the_buffer_protocol(device: cuox.Device) -> None:
    buffer = PinnedMemoryResource().allocate(16)
    view = memoryview(buffer)
    view[:3] = b"abc"
    assert ctypes.string_at(int(buffer.handle), 3) == b"abc"
    if sys.version_info >= (3, 12):
        assert buffer.__buffer__(0).tobytes()[:3] == b"abc"
    with pytest.raises(BufferError, match="device memory is not host memory"):
        memoryview(Device().allocate(16))


@pytest.mark.parametrize("kind", ["device", "managed"])
def test_kinds_of_memory_that_graphs_allocate(device: cuox.Device, stream: cuox.Stream, kind: str) -> None:
    from cuox.cuda.core.graph import GraphDefinition

    if kind != "device" and not device.properties.host_memory_pools_supported:
        pytest.skip("no pools of such memory")
    result = PinnedMemoryResource().allocate(64)
    definition = GraphDefinition()
    memory = definition.allocate(64, memory_type=kind)
    node = memory.memset(memory.dptr, 7, 64).memcpy(result, memory.dptr, 64)
    code, managed = driver.cuPointerGetAttribute(
        driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED, memory.dptr
    )
    if code == 0 and device.is_soft:
        assert bool(managed) == (kind == "managed")
    node.deallocate(memory.dptr)
    with pytest.raises(cuox.CUDAError) as error:
        definition.allocate(64, memory_type="host")
    assert error.value.name == "CUDA_ERROR_NOT_SUPPORTED"
    graph = definition.instantiate()
    for _ in range(2):
        memoryview(result)[:] = bytes(64)
        graph.launch(stream)
        stream.sync()
        assert bytes(memoryview(result)) == bytes([7]) * 64


def test_a_pool_that_goes_inside_of_a_host_function_is_destroyed(device: cuox.Device, stream: cuox.Stream) -> None:
    from cuox.cuda.core.graph import GraphDefinition

    if not device.is_soft:
        pytest.skip("a GPU's driver does not find out that a pool is gone")
    held = [DeviceMemoryResource(device, {})]
    pool = driver.CUmemoryPool(int(held[0].handle))
    used = driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_USED_MEM_CURRENT
    assert driver.cuMemPoolGetAttribute(pool, used)[0] == 0
    definition = GraphDefinition()
    definition.callback(held.clear)
    definition.instantiate().launch(stream)
    stream.sync()
    deadline = time.monotonic() + 10
    while driver.cuMemPoolGetAttribute(pool, used)[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not held and driver.cuMemPoolGetAttribute(pool, used)[0] == driver.CUresult.CUDA_ERROR_INVALID_HANDLE
