"""`copy_batch` and `CopyOptions`; managed memory: advice, prefetches and discards; `Host`."""

from __future__ import annotations

import copy
import pickle
from collections.abc import MutableSet
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import driver
from cuox.cuda.core import Buffer, Device, Host, ManagedBuffer, ManagedMemoryResource, utils
from cuox.cuda.core.utils import CopyOptions, MemcpyOverlapMode, MemcpySrcAccessOrder, copy_batch

SIZE = 4096


def filled(device: cuox.Device, *values: int) -> list[Buffer]:
    buffers = [device.allocate(100 + value) for value in values]
    for buffer, value in zip(buffers, values, strict=True):
        buffer.fill(value)
    device.sync()
    return buffers


def read(buffer: Buffer) -> set[int]:
    out = np.empty(buffer.size, np.uint8)
    buffer.copy_to_host(out)
    return set(out.tolist())


def test_options() -> None:
    options = CopyOptions()
    assert options == CopyOptions(src_access_order="stream", overlap_mode="default")
    assert options.src_access_order is MemcpySrcAccessOrder.STREAM
    assert CopyOptions(overlap_mode="prefer_overlap_with_compute").overlap_mode is (
        MemcpyOverlapMode.PREFER_OVERLAP_WITH_COMPUTE
    )
    assert hash(options) == hash(copy.copy(options)) and pickle.loads(pickle.dumps(options)) == options
    with pytest.raises(AttributeError):
        options.overlap_mode = "default"  # type: ignore[misc]
    for wrong in ({"src_access_order": "later"}, {"overlap_mode": 3}):
        with pytest.raises(ValueError, match=f"invalid {next(iter(wrong))}: .*it is one of '"):
            CopyOptions(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["none", "one", "each", "during"])
def test_a_batch(device: cuox.Device, stream: cuox.Stream, how: str) -> None:
    sources = filled(device, 1, 2, 2, 3)
    targets = [device.allocate(source.size) for source in sources]
    overlapped = CopyOptions(overlap_mode="prefer_overlap_with_compute", src_location_hint=device)
    options: Any = {
        "none": None,
        "one": overlapped,
        "each": [CopyOptions(), overlapped, overlapped, CopyOptions("any", dst_location_hint=Host())],
        "during": CopyOptions("during_api_call"),
    }[how]
    copy_batch(stream, sources, targets, options=options)
    if how == "during":
        sources[0].fill(9)
    stream.sync()
    assert [read(target) for target in targets] == [{1}, {2}, {2}, {3}]


def test_nothing_and_empty_buffers(device: cuox.Device, stream: cuox.Stream) -> None:
    copy_batch(stream, [], [])
    (source,) = filled(device, 5)
    target = device.allocate(source.size)
    copy_batch(stream, [device.allocate(0), source], [device.allocate(0), target])
    stream.sync()
    assert read(target) == {5}


def test_what_a_batch_refuses(device: cuox.Device, stream: cuox.Stream) -> None:
    one, other = filled(device, 1, 2)
    same = device.allocate(one.size)
    for arguments, error, match in [
        ((stream, one, [same]), TypeError, "srcs: expected a sequence of Buffers, got Buffer"),
        ((stream, [one], [3]), TypeError, "dsts: .*one of them is int"),
        ((stream, [one], [same, same]), ValueError, "different lengths: 1 and 2"),
        ((stream, [one, one], [same, other]), ValueError, "buffer 1: the source has 101 bytes, the destination 102"),
        ((None, [one], [same]), TypeError, "stream is missing"),
        ((cuox.LEGACY_DEFAULT_STREAM, [one], [same]), TypeError, "LEGACY_DEFAULT_STREAM"),
        ((device.create_graph_builder(), [one], [same]), TypeError, "GraphBuilder"),
    ]:
        with pytest.raises(error, match=match):
            copy_batch(*arguments)  # type: ignore[arg-type]
    for options, error, match in [
        ([CopyOptions()] * 2, ValueError, "options has the length 2"),
        ("stream", TypeError, "expected CopyOptions, got str"),
        ([{}], TypeError, "expected CopyOptions, got dict"),
        (CopyOptions(src_location_hint=3), TypeError, "src_location_hint must be a Device"),  # type: ignore[arg-type]
    ]:
        with pytest.raises(error, match=match):
            copy_batch(stream, [one], [same], options=options)  # type: ignore[arg-type]
    builder = stream.create_graph_builder().begin_building()
    with pytest.raises(TypeError, match="captured"):
        copy_batch(stream, [one], [same])
    with pytest.raises(TypeError, match="captured"):
        one.copy_to(same, stream=stream, options=CopyOptions())
    builder.end_building()
    same.close()
    with pytest.raises(cuox.ClosedError):
        copy_batch(stream, [one], [same])


def test_copies_with_options(device: cuox.Device, stream: cuox.Stream) -> None:
    (source,) = filled(device, 4)
    target = source.copy_to(stream=stream, options=CopyOptions("during_api_call"))
    again = device.allocate(source.size)
    again.copy_from(target, stream=stream, options=CopyOptions(overlap_mode="prefer_overlap_with_compute"))
    stream.sync()
    assert read(target) == read(again) == {4}
    with pytest.raises(TypeError, match="expected CopyOptions, got dict"):
        again.copy_from(target, stream=stream, options={})
    with pytest.raises(TypeError, match="LEGACY_DEFAULT_STREAM"):
        again.copy_from(target, stream=cuox.LEGACY_DEFAULT_STREAM, options=CopyOptions())
    # Without a destination, the new buffer is of the same kind of memory.
    pinned = cuox.PinnedMemoryResource().allocate(8)
    assert memoryview(pinned.copy_to(stream=stream)).nbytes == 8


def test_host() -> None:
    assert Host() is Host() and Host(numa_id=1) is Host(1) and Host.numa_current() is Host(is_numa_current=True)
    hosts = [Host(), Host(0), Host(1), Host.numa_current()]
    assert len(set(hosts)) == 4 and [host.numa_id for host in hosts] == [None, 0, 1, None]
    assert [host.is_numa_current for host in hosts] == [False, False, False, True]
    assert [repr(host) for host in hosts] == ["Host()", "Host(numa_id=0)", "Host(numa_id=1)", "Host.numa_current()"]
    assert all(pickle.loads(pickle.dumps(host)) is host for host in hosts)
    assert Host() != 3
    with pytest.raises(ValueError, match="mutually exclusive"):
        Host(1, is_numa_current=True)
    for wrong in (-1, True, "x"):
        with pytest.raises(ValueError, match="non-negative int"):
            Host(wrong)  # type: ignore[arg-type]


@pytest.fixture
def managed(device: cuox.Device) -> ManagedBuffer:
    if not device.properties.concurrent_managed_access:
        pytest.skip("the device does not reach managed memory while the host does")
    return ManagedMemoryResource().allocate(SIZE)


def prefetched(buffer: Buffer) -> int:
    attribute = driver.CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION
    code, place = driver.cuMemRangeGetAttribute(4, attribute, int(buffer.handle), buffer.size)
    assert code == 0
    return int(place)


def test_advice(device: cuox.Device, managed: ManagedBuffer) -> None:
    assert isinstance(managed, ManagedBuffer) and managed.is_managed
    for value in (True, False):
        managed.read_mostly = value
        assert managed.read_mostly is value
    for place in (device, Host(), None):
        managed.preferred_location = place
        assert managed.preferred_location == place
    with pytest.raises(TypeError, match="must be a Device, Host, or None; got int"):
        managed.preferred_location = 3  # type: ignore[assignment]


def test_accessed_by_is_a_set(device: cuox.Device, managed: ManagedBuffer) -> None:
    places = managed.accessed_by
    assert isinstance(places, MutableSet) and not places and repr(places).endswith("(set())")
    places.add(device)
    assert device in places and Host() not in places and list(places) == [device] and places == {device}
    places |= {Host()}
    assert places == {device, Host()} and len(managed.accessed_by) == 2
    places &= {Host(), 5}
    places ^= {device, Host()}
    assert places == {device} and places | {Host()} == {device, Host()}
    places -= {device, "x"}
    assert not places
    managed.accessed_by = {device, Host()}
    for wrong in (Host(0), Host.numa_current()):
        with pytest.raises(ValueError, match="does not support location_type='host_numa"):
            managed.accessed_by = {wrong}
        assert wrong not in places
        places.discard(wrong)
    with pytest.raises(TypeError, match="must be Device or Host"):
        places.add(3)
    assert places == {device, Host()}
    assert places.pop() in {device, Host()}
    places.clear()
    assert not managed.accessed_by
    with pytest.raises(KeyError):
        places.remove(device)


def test_prefetches(device: cuox.Device, stream: cuox.Stream, managed: ManagedBuffer) -> None:
    others = [ManagedMemoryResource().allocate(SIZE) for _ in range(3)]
    utils.prefetch_batch(stream, others, [Host(), device, device])
    managed.prefetch(device, stream=stream)
    stream.sync()
    assert [prefetched(buffer) for buffer in (managed, *others)] == [0, -1, 0, 0]
    utils.prefetch_batch(cuox.LEGACY_DEFAULT_STREAM, others, Host())
    managed.discard_prefetch(Host(), stream=stream)
    utils.discard_batch(stream, others)
    stream.sync()
    assert [prefetched(buffer) for buffer in (managed, *others)] == [-1] * 4
    utils.discard_prefetch_batch(stream, others, device)
    managed.discard(stream=stream)
    stream.sync()
    assert [prefetched(buffer) for buffer in others] == [0] * 3
    utils.prefetch_batch(stream, [], device)


def test_what_managed_memory_refuses(device: cuox.Device, stream: cuox.Stream, managed: ManagedBuffer) -> None:
    plain = device.allocate(SIZE)
    wrapped = ManagedBuffer.from_handle(int(plain.handle), SIZE, owner=plain)
    assert isinstance(wrapped, ManagedBuffer) and wrapped.owner is plain
    for use in (
        lambda: setattr(wrapped, "read_mostly", True),
        lambda: wrapped.preferred_location,
        lambda: wrapped.accessed_by,
        lambda: wrapped.prefetch(device, stream=stream),
        lambda: wrapped.discard_prefetch(device, stream=stream),
        lambda: utils.discard_batch(stream, [plain]),
    ):
        with pytest.raises(ValueError, match="managed-memory allocation"):
            use()
    with pytest.raises(ValueError, match="location is required"):
        managed.prefetch(None, stream=stream)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="stream is missing"):
        managed.discard(stream=None)  # type: ignore[arg-type]
    for function, places in [(utils.prefetch_batch, [Host()]), (utils.discard_prefetch_batch, [Host()])]:
        with pytest.raises(ValueError, match="length"):
            function(stream, [managed, managed], places)
        with pytest.raises(TypeError, match="sequence of Buffers"):
            function(stream, managed, places)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="sequence of Buffers"):
        utils.discard_batch(stream, managed)  # type: ignore[arg-type]
    managed.close()
    with pytest.raises(cuox.ClosedError):
        _ = managed.read_mostly


def test_memory_of_another_library(device: cuox.Device) -> None:
    code, address = driver.cuMemAllocManaged(SIZE, driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)
    assert code == 0
    buffer = ManagedBuffer.from_handle(address, SIZE)
    assert buffer.is_managed and buffer.memory_resource is None
    if Device().properties.concurrent_managed_access:
        buffer.read_mostly = True
        assert buffer.read_mostly
    driver.cuMemFree(address)
