"""Protocols of the objects of `cuox.cuda.core`: identity, equality, weak references, resources written in Python."""

from __future__ import annotations

import ctypes
import gc
import threading
import weakref
from typing import Any

import cuox
import pytest
from cuox.cuda.bindings import driver
from cuox.cuda.core import Buffer, Device, MemoryResource


class Tracking(MemoryResource):
    """A resource that keeps account of what it has given out."""

    def __init__(self) -> None:
        self.given: dict[int, int] = {}
        self.streams: list[Any] = []

    def allocate(self, size: int, *, stream: Any = None) -> Buffer:
        code, address = driver.cuMemAlloc(size)
        assert code == 0
        self.given[int(address)] = size
        return Buffer.from_handle(address, size, mr=self, stream=stream)

    def deallocate(self, ptr: int, size: int, *, stream: Any = None) -> None:
        assert self.given.pop(ptr) == size
        self.streams.append(stream)
        assert driver.cuMemFree(ptr)[0] == 0

    @property
    def is_device_accessible(self) -> bool:
        return True

    @property
    def is_host_accessible(self) -> bool:
        return False

    @property
    def device_id(self) -> int:
        return 7


@pytest.fixture
def device() -> Device:
    device = Device()
    device.set_current()
    return device


def test_a_resource_in_python_frees_what_it_has_given(device: Device) -> None:
    resource = Tracking()
    stream = device.create_stream()
    buffer = resource.allocate(64, stream=stream)
    assert buffer.memory_resource is resource and buffer.device_id == 7 and not buffer.is_host_accessible
    again = resource.allocate(64)
    again.copy_from(buffer, stream=stream)
    stream.sync()
    buffer.close()
    assert buffer.handle == 0 and buffer.size == 0 and buffer.memory_resource is None and len(resource.given) == 1
    again.close(stream)
    assert resource.streams == [stream, stream] and not resource.given
    resource.allocate(8)
    gc.collect()
    assert not resource.given
    with pytest.raises(ValueError, match="owner and memory resource"):
        Buffer.from_handle(64, 8, mr=resource, owner=resource)
    with pytest.raises(TypeError, match="MemoryResource"):
        Buffer.from_handle(64, 8, mr=object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"allocate\(\) of its own"):
        MemoryResource().allocate(8)


def test_what_a_resource_raises_comes_out_of_close(device: Device) -> None:
    class Broken(Tracking):
        def deallocate(self, ptr: int, size: int, *, stream: Any = None) -> None:
            super().deallocate(ptr, size, stream=stream)
            raise KeyError("broken")

    resource = Broken()
    with pytest.raises(KeyError, match="broken"):
        resource.allocate(8).close()
    assert not resource.given


def test_the_resource_of_a_device_can_be_set(device: Device) -> None:
    own, resource = device.memory_resource, Tracking()
    device.memory_resource = resource
    try:
        assert Device().memory_resource is resource
        with device.allocate(32) as buffer:
            assert resource.given == {buffer.handle: 32}
        assert resource.streams == [device.default_stream]
        with pytest.raises(TypeError, match="MemoryResource"):
            device.memory_resource = "none"  # type: ignore[assignment]
    finally:
        device.memory_resource = own
    assert device.memory_resource is own and device.allocate(8).memory_resource is own


def test_one_object_for_each_device_and_thread(device: Device) -> None:
    assert Device() is device is Device(device.device_id) is Device(device)
    stream = device.create_stream()
    assert stream.device is device and device.default_stream is device.default_stream
    assert device.default_stream == cuox.LEGACY_DEFAULT_STREAM != stream
    assert hash(device.default_stream) == hash(cuox.LEGACY_DEFAULT_STREAM)
    assert Device.get_all_devices()[device.device_id] is device
    found: list[Device] = []
    thread = threading.Thread(target=lambda: found.append(Device(device.device_id)))
    thread.start()
    thread.join()
    assert found[0] is not device and found[0] == device


def test_weak_references_end_with_their_object(device: Device) -> None:
    made = [device.allocate(8), device.create_stream(), device.create_event(), cuox.LaunchConfig(1, block=1)]
    ended: list[Any] = []
    references = [weakref.ref(one, ended.append) for one in made]
    assert [reference() for reference in references] == made
    del made
    gc.collect()
    assert [reference() for reference in references] == [None] * 4 and len(ended) == 4
    # The blocks of buffers are used again: a new one has none of the old one's references.
    buffers = [device.allocate(8) for _ in range(40)]
    assert all(weakref.getweakrefcount(buffer) == 0 for buffer in buffers)


def test_buffers_of_the_same_memory_are_equal(device: Device) -> None:
    buffer = device.allocate(64)
    same = Buffer.from_handle(buffer.handle, 64, owner=buffer)
    assert same == buffer and hash(same) == hash(buffer) and same != Buffer.from_handle(buffer.handle, 32)
    assert same.is_device_accessible and same.device_id == device.device_id
    assert same.owner is buffer and same.memory_resource is None
    same.close()
    assert same.owner is None and not buffer.is_closed


def test_memory_of_the_host_is_known_as_such(device: Device) -> None:
    host = (ctypes.c_byte * 16)()
    buffer = Buffer.from_handle(ctypes.addressof(host), 16, owner=host)
    assert (buffer.is_device_accessible, buffer.is_host_accessible, buffer.device_id) == (False, True, -1)


def test_contexts(device: Device) -> None:
    context = device.context
    assert context == device.create_stream().context == device.create_event().context and context.device is device
    assert hash(context) == hash(device.context) and not context.is_green and context.handle
    assert device.set_current(context) == context
    context.close()
    assert context.is_closed and context.handle is None and device.context != context
    with pytest.raises(cuox.ClosedError):
        device.set_current(context)
    with pytest.raises(ValueError, match="resources must be provided"):
        device.create_context()


def test_kernels_tell_what_fits(device: Device) -> None:
    source = 'extern "C" __global__ void k(int *a) { __shared__ int b[8]; b[threadIdx.x] = 1; *a = b[0]; }'
    code = cuox.Program(source).compile("ptx")
    kernel = code.get_kernel("k")
    assert kernel.attributes[device].shared_size_bytes == kernel.attributes[device.device_id].shared_size_bytes == 32
    assert kernel.attributes.required_cluster_width == 0 and not kernel.attributes.cluster_size_must_be_set
    with pytest.raises(ValueError, match="no device"):
        kernel.attributes[-1]
    stream = device.default_stream
    assert kernel.occupancy.available_dynamic_shared_memory_per_block(1, 32) > 1024
    assert kernel.occupancy.max_potential_cluster_size(cuox.LaunchConfig(8, block=32), stream=stream) >= 1
    assert kernel.occupancy.max_active_clusters(cuox.LaunchConfig(8, cluster=2, block=32), stream=stream) >= 1
    for made, kind in [(cuox.ObjectCode.from_object(b"x"), "object"), (cuox.ObjectCode.from_library(b"x"), "library")]:
        assert made.code == b"x" and made.code_type == kind
        with pytest.raises(RuntimeError, match=f'Unsupported code type "{kind}"'):
            made.get_kernel("k")
