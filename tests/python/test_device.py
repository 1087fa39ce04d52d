import cuox
import cuox.cuda.core
import cuox.cuda.core.experimental
import pytest


def test_the_same_objects_under_both_names():
    names = set(cuox.cuda.core.experimental.__all__)
    assert len(names) > 40 and names <= set(cuox.__all__) and names <= set(cuox.cuda.core.__all__)
    for name in names:
        assert getattr(cuox.cuda.core, name) is getattr(cuox.cuda.core.experimental, name) is getattr(cuox, name)


def test_every_public_name_is_there():
    for name in cuox.__all__:
        assert hasattr(cuox, name), name


def test_device_is_one_per_number(device):
    assert cuox.Device(0) == cuox.Device(0)
    assert hash(cuox.Device(0)) == hash(cuox.Device(0))
    assert int(device) == device.device_id
    assert device.use() is None
    assert cuox.Device().device_id == device.device_id


def test_device_facts(device):
    major, minor = device.compute_capability
    assert device.compute_capability.major == major >= 5
    assert device.arch == f"{major}{minor}"
    assert device.name and isinstance(device.name, str)
    assert len(device.uuid) == 36 and device.uuid.count("-") == 4
    assert device.properties.warp_size == 32
    assert device.properties.max_threads_per_block >= 1024
    assert device.properties.max_grid_dim_x == 2**31 - 1
    assert isinstance(device.properties.unified_addressing, bool)
    free, total = device.memory_info()
    assert 0 < free <= total
    assert str(device.device_id) in repr(device)
    assert cuox.Device.get_all_devices()[0] == cuox.Device(0)


def test_no_such_device():
    with pytest.raises(ValueError, match="99"):
        cuox.Device(99)
    with pytest.raises((ValueError, OverflowError)):
        cuox.Device(-1)
    with pytest.raises(TypeError):
        cuox.Device("0")


def test_sync_has_two_names(device, stream):
    device.sync()
    device.synchronize()
    stream.sync()
    stream.synchronize()


def test_stream_options(device):
    stream = device.create_stream(options=cuox.StreamOptions(nonblocking=True, priority=0))
    assert stream.is_nonblocking
    assert stream.priority == 0
    assert stream.device == device
    assert stream.__cuda_stream__() == (0, int(stream.handle))
    same = cuox.Stream.from_handle(int(stream.handle))
    assert same == stream
    stream.close()
    assert stream.is_closed
    with pytest.raises(cuox.CUDAError, match="closed"):
        stream.sync()
    blocking = device.create_stream(options={"nonblocking": False})
    assert not blocking.is_nonblocking


def test_foreign_stream(device, stream):
    class Foreign:
        def __cuda_stream__(self):
            return (0, int(stream.handle))

    wrapped = device.create_stream(Foreign())
    assert wrapped == stream
    wrapped.sync()
    with pytest.raises(TypeError, match="__cuda_stream__"):
        device.create_stream(object())


def test_default_stream(device):
    device.default_stream.sync()
    assert device.default_stream.handle == 1 or int(device.default_stream.handle) in (0, 1, 2)
    assert cuox.LEGACY_DEFAULT_STREAM.__cuda_stream__()[1] == 1
    assert cuox.PER_THREAD_DEFAULT_STREAM.__cuda_stream__()[1] == 2


def test_events(device, stream):
    options = cuox.EventOptions(timing_enabled=True)
    start = device.create_event(options)
    stop = device.create_event({"timing_enabled": True})
    assert start.is_timing_enabled and not start.is_closed
    stream.record(start)
    buffer = device.allocate(1 << 20, stream=stream)
    buffer.fill(1, stream=stream)
    assert stream.record(stop) is stop
    stop.sync()
    assert stop.is_done
    milliseconds = stop - start
    assert isinstance(milliseconds, float) and milliseconds >= 0
    other = device.create_stream()
    other.wait(stop)
    other.wait(stream)
    other.sync()
    plain = stream.record()
    assert not plain.is_timing_enabled
    plain.synchronize()
    with pytest.raises(RuntimeError, match="timing"):
        plain - start
    with pytest.raises(TypeError):
        start - 1
    start.close()
    assert start.is_closed
    with pytest.raises(cuox.CUDAError, match="closed"):
        start.sync()


def test_stream_callback(device, stream):
    seen = []
    stream.add_callback(seen.append, 1)
    stream.add_callback(lambda: seen.append(2))
    stream.sync()
    assert seen == [1, 2]


def test_use_of_closed_objects_names_them(device, stream):
    buffer = device.allocate(16, stream=stream)
    buffer.close()
    buffer.close()
    assert buffer.is_closed
    for use in (
        lambda: buffer.copy_from_host(b"x" * 16),
        lambda: buffer.copy_to_host(bytearray(16)),
        lambda: buffer.fill(0, stream=stream),
        lambda: buffer.__dlpack__(),
        lambda: buffer.__cuda_array_interface__,
    ):
        with pytest.raises(cuox.CUDAError, match="buffer is closed"):
            use()
