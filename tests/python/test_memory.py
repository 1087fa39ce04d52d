import gc
import sys
import threading

import cuox
import numpy as np
import pytest
from conftest import download, upload


def test_round_trip(device, stream):
    data = np.arange(1000, dtype=np.float32)
    buffer = upload(device, data, stream)
    assert buffer.size == 4000
    assert buffer.is_device_accessible
    assert buffer.device_id == device.device_id
    assert (download(buffer, np.float32, stream) == data).all()


def test_tutorial_shapes(device):
    data = np.arange(256, dtype=np.int32)
    buffer = device.mem_alloc(data.nbytes)
    buffer.copy_from_host(data)
    back = np.zeros_like(data)
    buffer.copy_to_host(back)
    assert (back == data).all()
    assert int(buffer.handle) == int(buffer)


def test_copies_between_buffers(device, stream):
    data = np.arange(64, dtype=np.uint8)
    a = upload(device, data, stream)
    b = device.allocate(64, stream=stream)
    b.copy_from(a, stream=stream)
    assert a.copy_to(b, stream=stream) is b
    c = b.copy_to(stream=stream)
    assert (download(c, np.uint8, stream) == data).all()
    with pytest.raises(ValueError, match="64"):
        device.allocate(63, stream=stream).copy_from(a, stream=stream)


def test_fill(device, stream):
    buffer = device.allocate(64, stream=stream)
    buffer.fill(0x5A, stream=stream)
    assert (download(buffer, np.uint8, stream) == 0x5A).all()
    buffer.fill(np.uint16(0x1234), stream=stream)
    assert (download(buffer, np.uint16, stream) == 0x1234).all()
    buffer.fill(b"\1\2\3\4", stream=stream)
    assert (download(buffer, np.uint32, stream) == 0x04030201).all()
    with pytest.raises(OverflowError):
        buffer.fill(256, stream=stream)
    with pytest.raises(ValueError):
        buffer.fill(b"abc", stream=stream)
    with pytest.raises(TypeError):
        buffer.fill("a", stream=stream)


def test_sizes_must_fit(device, stream):
    buffer = device.allocate(16, stream=stream)
    with pytest.raises(ValueError, match="17 bytes.*16"):
        buffer.copy_from_host(bytes(17))
    with pytest.raises(ValueError, match="17 bytes.*16"):
        buffer.copy_to_host(bytearray(17))
    with pytest.raises((BufferError, ValueError, TypeError)):
        buffer.copy_to_host(b"\0" * 16)
    with pytest.raises((BufferError, ValueError)):
        buffer.copy_from_host(np.zeros((8, 8), np.uint8)[::2, ::2])
    with pytest.raises(TypeError):
        buffer.copy_from_host(3)
    with pytest.raises((ValueError, OverflowError)):
        device.allocate(-1, stream=stream)


def test_empty(device, stream):
    buffer = device.allocate(0, stream=stream)
    assert buffer.size == 0
    buffer.copy_from_host(b"")
    buffer.close()


def test_closing_with_a_with_statement(device, stream):
    with device.allocate(16, stream=stream) as buffer:
        assert not buffer.is_closed
    assert buffer.is_closed


def test_out_of_memory(device, stream):
    with pytest.raises(cuox.OutOfMemoryError) as caught:
        device.allocate(1 << 60, stream=stream)
    assert isinstance(caught.value, MemoryError) and isinstance(caught.value, cuox.CUDAError)
    assert caught.value.name == "CUDA_ERROR_OUT_OF_MEMORY"
    assert caught.value.code == 2
    # and nothing is broken afterwards
    device.allocate(1 << 10, stream=stream).close()
    stream.sync()


def test_pinned_memory(device, stream):
    pinned = cuox.LegacyPinnedMemoryResource().allocate(4096)
    assert pinned.is_host_accessible and pinned.is_device_accessible
    view = np.from_dlpack(pinned)
    view[:] = 7
    assert (np.frombuffer(pinned, np.uint8) == 7).all()
    target = device.allocate(4096, stream=stream)
    target.copy_from(pinned, stream=stream)
    assert (download(target, np.uint8, stream) == 7).all()


@pytest.mark.parametrize("kind", ["pinned", "managed"])
def test_closing_memory_that_numpy_views(device, kind):
    resource = cuox.LegacyPinnedMemoryResource() if kind == "pinned" else cuox.ManagedMemoryResource()
    buffer = resource.allocate(1 << 24)
    array = np.frombuffer(buffer, np.float32)
    array[:] = 2
    buffer.close()
    assert array.sum() == 2 * (1 << 22)


def test_memory_resource(device, stream):
    resource = device.memory_resource
    assert isinstance(resource, cuox.MemoryResource)
    assert resource.is_device_accessible and not resource.is_host_accessible
    buffer = cuox.DeviceMemoryResource(device).allocate(128, stream=stream)
    assert buffer.size == 128
    assert buffer.memory_resource is not None


def test_dlpack_of_a_buffer(device, stream):
    data = np.arange(32, dtype=np.uint8)
    buffer = upload(device, data, stream)
    stream.sync()
    kind, number = buffer.__dlpack_device__()
    if device.is_soft:
        assert (kind, number) == (1, 0)
        with pytest.warns(cuox.PortabilityWarning):
            view = np.from_dlpack(buffer)
        assert (view == data).all()
        view[0] = 99
        assert download(buffer, np.uint8, stream)[0] == 99
        del buffer
        assert view[0] == 99  # the view keeps the memory
    else:
        assert (kind, number) == (2, device.device_id)
        assert "dltensor" in repr(buffer.__dlpack__(stream=-1))
        assert "dltensor_versioned" in repr(buffer.__dlpack__(stream=-1, max_version=(1, 1)))


def test_cuda_array_interface(device, stream):
    buffer = device.allocate(48, stream=stream)
    interface = buffer.__cuda_array_interface__
    assert interface["version"] == 3
    assert interface["shape"] == (48,)
    assert interface["typestr"] == "|u1"
    assert interface["data"] == (int(buffer.handle), False)
    assert interface["stream"] == int(stream.handle)


def test_from_handle(device, stream):
    owner = device.allocate(64, stream=stream)
    part = cuox.Buffer.from_handle(int(owner.handle) + 16, 16, owner=owner)
    part.fill(3, stream=stream)
    part.close()
    assert (download(owner, np.uint8, stream)[16:32] == 3).all()


def test_buffers_leave_no_references(device, stream):
    """Buffers use each other's memory again as Python objects: what they hold on to goes all the same."""
    before = sys.getrefcount(cuox.Buffer)
    for closed in (2, 3, 5):
        buffers = [device.allocate(64, stream=stream) for _ in range(100)]
        for buffer in buffers[::closed]:
            buffer.close()
        assert len({id(buffer) for buffer in buffers}) == 100
        del buffer, buffers
    owner, resource = object(), cuox.LegacyPinnedMemoryResource()
    counts = sys.getrefcount(owner), sys.getrefcount(resource)
    kept = device.allocate(16, stream=stream)
    for _ in range(40):
        borrowed = cuox.Buffer.from_handle(int(kept), 16, owner=owner)
        assert borrowed.owner is owner
        assert resource.allocate(16).memory_resource is resource
        assert device.allocate(16, stream=stream).owner is None
    del borrowed, kept
    gc.collect()
    assert (sys.getrefcount(owner), sys.getrefcount(resource)) == counts
    # Objects hold their class; a few are there for other reasons, made when they are first needed.
    assert sys.getrefcount(cuox.Buffer) < before + 10


def test_buffers_of_many_threads(device, stream):
    wrong = []

    def work(number: int) -> None:
        for _ in range(2000):
            with device.allocate(number, stream=stream) as buffer:
                if buffer.size != number or buffer.is_closed:
                    wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
