"""Memory pools, buffers and events that two processes share, by `cuox.cuda.core` and `multiprocessing`."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import uuid
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

import cuox
import numpy as np
import pytest
from cuox._internal.memory import sharing
from cuox._internal.memory.sharing import IPCAllocationHandle, IPCBufferDescriptor, IPCEventDescriptor
from cuox.cuda.core import (
    Buffer,
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    Event,
    EventOptions,
    PinnedMemoryResource,
    PinnedMemoryResourceOptions,
)

# Processes are spawned here, whatever is the default.
pytestmark = pytest.mark.filterwarnings("ignore:the start method of multiprocessing")

KINDS = ["device", "pinned"]
SIZE = 4096


def made(kind: str) -> Any:
    """A resource that other processes map."""
    if kind == "device":
        return DeviceMemoryResource(Device(), DeviceMemoryResourceOptions(ipc_enabled=True))
    if not Device().properties.host_numa_memory_pools_supported:
        pytest.skip("no pools of the host's memory")
    return PinnedMemoryResource(PinnedMemoryResourceOptions(ipc_enabled=True))


@pytest.fixture(autouse=True)
def shared_pools(device: cuox.Device) -> None:
    device.set_current()
    if not device.properties.handle_type_posix_file_descriptor_supported:
        pytest.skip("no handles of pools")


def contents(buffer: Buffer) -> list[int]:
    """The bytes of a buffer that differ."""
    host = np.empty(buffer.size, np.uint8)
    buffer.copy_to_host(host)
    return sorted(set(host.tolist()))


def error_of(call: Callable[[], object]) -> str:
    """The error of a call: its class and what it says."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "none"


def served(pipe: Connection) -> None:
    """The other process: each function that it gets is called with what follows, and the result goes back."""
    Device().set_current()
    kept: dict[str, Any] = {}
    while (task := pipe.recv()) is not None:
        function, *arguments = task
        pipe.send(function(kept, *arguments))


class Peer:
    """Another process, which the tests share."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=served, args=(there,), daemon=True)
        self.process.start()
        there.close()

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.pipe.send((function, *arguments))
        assert self.pipe.poll(60), "the other process does not answer"
        return self.pipe.recv()


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    peer = Peer()
    yield peer
    peer.pipe.send(None)
    peer.process.join(20)
    assert peer.process.exitcode == 0


def fill(kept: dict[str, Any], buffer: Buffer, value: int) -> tuple[Any, ...]:
    """Says what a mapped buffer is, and fills it."""
    resource: Any = buffer.memory_resource
    known = (contents(buffer), buffer.is_mapped, buffer.size, resource.is_mapped, resource.is_ipc_enabled)
    stream = Device().create_stream()
    buffer.fill(value, stream=stream)
    # Closed in the order of another stream: it stays mapped until the fill is done.
    buffer.close()
    assert not buffer.is_mapped
    stream.sync()
    return (*known, resource.uuid, error_of(lambda: resource.allocate(8)))


@pytest.mark.parametrize("kind", KINDS)
def test_buffers_go_with_their_resources(peer: Peer, kind: str) -> None:
    resource = made(kind)
    assert resource.is_ipc_enabled and not resource.is_mapped and isinstance(resource.uuid, uuid.UUID)
    buffer = resource.allocate(SIZE, stream=Device().default_stream)
    buffer.fill(3)
    Device().sync()
    assert not buffer.is_mapped
    refusal = "TypeError: Cannot allocate from a mapped IPC-enabled memory resource"
    expected = (True, SIZE, True, True, resource.uuid, refusal)
    assert peer(fill, buffer, 7) == ([3], *expected)
    assert contents(buffer) == [7]
    assert peer(fill, buffer, 9) == ([7], *expected)
    assert contents(buffer) == [9]
    buffer.close()
    resource.close()


def keep(kept: dict[str, Any], resource: Any) -> tuple[Any, ...]:
    """Keeps a resource, so that pickles of buffers find it."""
    kept["resource"] = resource
    cls = type(resource)
    other: Any = PinnedMemoryResource if cls is DeviceMemoryResource else DeviceMemoryResource
    device = (Device(),) if other is DeviceMemoryResource else ()
    return (
        cls.from_registry(resource.uuid) is resource and pickle.loads(pickle.dumps(resource)) is resource,
        resource.register(resource.uuid) is resource,
        error_of(lambda: other.from_allocation_handle(*device, resource.allocation_handle)).partition(":")[0],
        error_of(lambda: resource.register(uuid.UUID(int=1))).partition(":")[0],
    )


def open_pickled(kept: dict[str, Any], text: bytes, value: int) -> list[int]:
    buffer = pickle.loads(text)
    before = contents(buffer)
    # A second import is the same memory, which goes with the last.
    again = Buffer.from_ipc_descriptor(kept["resource"], buffer.ipc_descriptor, stream=Device().default_stream)
    assert again == buffer and bytes(again.ipc_descriptor._payload) == bytes(buffer.ipc_descriptor._payload)
    buffer.close()
    again.fill(value)
    Device().sync()
    assert contents(again) == [value]
    # It is passed on although it is closed.
    again.close()
    assert pickle.loads(pickle.dumps(again)).size == buffer.ipc_descriptor.size
    return before


def misuse(kept: dict[str, Any], descriptor: IPCBufferDescriptor, other: IPCBufferDescriptor) -> list[str]:
    resource = kept["resource"]
    tries: list[Any] = [
        IPCBufferDescriptor._init(descriptor._payload, SIZE * 100),
        IPCBufferDescriptor._init(b"short", 5),
        IPCBufferDescriptor._init(bytes(64), 5),
        other,
        "x",
    ]
    return [error_of(lambda d=d: Buffer.from_ipc_descriptor(resource, d)) for d in tries]  # type: ignore[misc]


@pytest.mark.parametrize("kind", KINDS)
def test_descriptors(peer: Peer, kind: str) -> None:
    resource, another = made(kind), made(kind)
    assert peer(keep, resource) == (True, True, "TypeError", "ValueError")
    stream = Device().default_stream
    buffer, foreign = resource.allocate(SIZE, stream=stream), another.allocate(SIZE, stream=stream)
    buffer.fill(1)
    Device().sync()
    assert peer(open_pickled, pickle.dumps(buffer), 5) == [1]
    assert contents(buffer) == [5]
    assert error_of(lambda: resource.allocate(0).ipc_descriptor).startswith("ValueError: ipc_descriptor")
    oversized, short, nothing, wrong, text = peer(misuse, buffer.ipc_descriptor, foreign.ipc_descriptor)
    assert oversized.startswith("ValueError") and "exceeds the mapped allocation extent" in oversized
    assert short.startswith("ValueError") and "is 5 bytes; expected at least 64" in short
    assert all(error.startswith("CUDAError") and "CUDA_ERROR_INVALID_VALUE" in error for error in (nothing, wrong))
    assert text.startswith("TypeError: Argument 'ipc_descriptor' has incorrect type")
    # It was mapped and given back for the error: it can be mapped again.
    assert peer(open_pickled, pickle.dumps(buffer), 6) == [5]
    # Nothing there knows of this one.
    text = peer(load, pickle.dumps(foreign))
    assert text.startswith(f"RuntimeError: Memory resource {another.uuid} was not found")


def load(kept: dict[str, Any], text: bytes) -> str:
    return error_of(lambda: pickle.loads(text))


def test_handles() -> None:
    made("device").close()  # the driver opens what it keeps
    before = len(os.listdir("/proc/self/fd"))
    resource = made("device")
    handle = resource.allocation_handle
    assert handle is resource.allocation_handle and int(handle) == handle.handle and handle.uuid == resource.uuid
    os.fstat(handle.handle)
    # By its number alone, also in this process: the number stays the caller's.
    mapped = DeviceMemoryResource.from_allocation_handle(Device(), handle.handle)
    assert mapped.is_mapped and mapped.is_handle_owned and mapped.uuid is None
    key = uuid.uuid4()
    assert mapped.register(key) is mapped is DeviceMemoryResource.from_registry(key) and mapped.uuid == key
    del mapped
    gc.collect()
    with pytest.raises(RuntimeError, match=rf"Memory resource {key} was not found"):
        DeviceMemoryResource.from_registry(key)
    resource.close()
    assert handle.is_closed and not resource.is_ipc_enabled and resource.uuid is None
    with pytest.raises(ValueError, match="closed"):
        int(handle)
    with pytest.raises(ValueError, match=r"Invalid allocation handle \(fd\) -1"):
        DeviceMemoryResource.from_allocation_handle(0, -1)
    with pytest.raises(TypeError, match="expected an IPCAllocationHandle or a file descriptor, got str"):
        DeviceMemoryResource.from_allocation_handle(0, "x")
    with open(os.devnull) as other, pytest.raises(cuox.CUDAError):
        DeviceMemoryResource.from_allocation_handle(0, other.fileno())
    for cls in (IPCAllocationHandle, IPCBufferDescriptor, IPCEventDescriptor):
        with pytest.raises(RuntimeError, match="cannot be instantiated directly"):
            cls()
    # What the driver keeps of a pool goes with it.
    assert len(os.listdir("/proc/self/fd")) <= before


def test_what_is_not_shared_is_not_pickled() -> None:
    plain = DeviceMemoryResource(Device(), {})
    for value, error in [
        (plain, RuntimeError),
        (plain.allocate(8), TypeError),
        (made("device").allocation_handle, TypeError),
        (Device().default_stream.record(), TypeError),
    ]:
        with pytest.raises(error, match=r"IPC-enabled|pickle"):
            pickle.dumps(value)
    with pytest.raises(RuntimeError, match="not IPC-enabled"):
        plain.register(uuid.uuid4())
    with pytest.raises(RuntimeError, match="not IPC-enabled"):
        Buffer.from_ipc_descriptor(plain, IPCBufferDescriptor._init(bytes(64), 8))


def wait_for(kept: dict[str, Any], event: Event) -> tuple[Any, ...]:
    stream = Device().create_stream()
    stream.wait(event)
    stream.sync()
    event.sync()
    flags = (event.is_ipc_enabled, event.is_timing_enabled, event.is_blocking_sync, event.is_done)
    return (event.ipc_descriptor, *flags, event.device, event.context)


@pytest.mark.parametrize("blocking", [True, False])
def test_events(peer: Peer, blocking: bool) -> None:
    stream = Device().create_stream()
    event = stream.record(options=EventOptions(ipc_enabled=True, blocking_sync=blocking))
    assert event.is_ipc_enabled and not event.is_timing_enabled and event.device == Device()
    assert peer(wait_for, event) == (event.ipc_descriptor, True, False, blocking, True, None, None)
    for record in (lambda: stream.record(event), lambda: event.record(stream)):
        with pytest.raises(TypeError, match="IPC-enabled events should not be re-recorded"):
            record()
    with pytest.raises(TypeError, match="IPC-enabled events must be bound"):
        Device().create_event({"ipc_enabled": True})
    with pytest.raises(TypeError, match="IPC-enabled events cannot use timing"):
        stream.record(options={"ipc_enabled": True, "timing_enabled": True})
    with pytest.raises(RuntimeError, match="Event is not IPC-enabled"):
        _ = stream.record().ipc_descriptor
    with pytest.raises(TypeError, match="Argument 'ipc_descriptor' has incorrect type"):
        Event.from_ipc_descriptor("x")
    with pytest.raises(ValueError, match="is 3 bytes; expected at least 64"):
        Event.from_ipc_descriptor(IPCEventDescriptor._init(b"abc", False))
    event.close()
    with pytest.raises(cuox.ClosedError):
        _ = event.ipc_descriptor


def test_a_warning_of_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing._Fork, "warned", False)
    resource = made("device")
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "spawn")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sharing._device_resource_for_process(resource)
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "fork")
    with pytest.warns(UserWarning, match=r"undefined behavior: call multiprocessing.set_start_method\('spawn'\)"):
        sharing._device_resource_for_process(resource)
