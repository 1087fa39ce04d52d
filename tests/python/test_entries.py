"""The methods that the interpreter enters directly: they read their arguments as any other method does."""

from __future__ import annotations

import inspect

import cuox
import pytest


@pytest.fixture
def buffer(device):
    return device.mem_alloc(64)


def joined(*parts: str) -> str:
    """A string that is made at run time, so that it is not the interned one."""
    return "".join(parts)


def test_signatures():
    def text(method):
        return str(inspect.signature(method))

    assert text(cuox.Device.allocate) == "(self, /, size, *, stream=None)"
    assert text(cuox.Buffer.close) == "(self, /, stream=None)"
    assert text(cuox.Buffer.copy_from_host) == "(self, /, src, *, stream=None)"
    assert text(cuox.Buffer.copy_to_host) == "(self, /, dst, *, stream=None)"
    assert text(cuox.Event.record) == "(self, stream=None, /)"
    assert text(cuox.Stream.record) == "(self, /, event=None, options=None)"
    assert cuox.Buffer.close.__doc__.startswith("Give the memory back")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda d, s, b: d.allocate(), "Device.allocate.*missing.*'size'"),
        (lambda d, s, b: d.allocate(stream=s), "missing.*'size'"),
        (lambda d, s, b: d.allocate(4, s), "at most 1 positional"),
        (lambda d, s, b: d.allocate(4, size=4), "multiple values.*'size'"),
        (lambda d, s, b: d.allocate(4, strem=s), "unexpected keyword argument 'strem'"),
        (lambda d, s, b: d.allocate(4, stream=3), "stream: expected a cuox.Stream"),
        (lambda d, s, b: d.allocate("4", stream=s), "size: expected an int, got str"),
        (lambda d, s, b: b.close(s, s), "at most 1 positional"),
        (lambda d, s, b: b.copy_from_host(), "missing.*'src'"),
        (lambda d, s, b: b.copy_to_host(bytearray(4), s), "at most 1 positional"),
        (lambda d, s, b: b.copy_from_host(5), "expected host memory.*got int"),
        (lambda d, s, b: d.create_event().record(stream=s), "unexpected keyword argument 'stream'"),
        (lambda d, s, b: d.create_event().record(7), "stream: expected a cuox.Stream"),
        (lambda d, s, b: s.record(7), "event: expected a cuox.Event, got int"),
        (lambda d, s, b: cuox.Buffer.close(s), "Buffer"),
        (lambda d, s, b: cuox.Buffer.close(), "argument"),
    ],
)
def test_wrong_calls(device, stream, buffer, call, words):
    with pytest.raises(TypeError, match=words):
        call(device, stream, buffer)
    buffer.copy_from_host(b"1234")


def test_keywords_that_are_not_interned(device, stream, buffer):
    device.allocate(**{joined("si", "ze"): 16, joined("str", "eam"): stream}).close(**{joined("str", "eam"): stream})
    buffer.copy_from_host(**{joined("s", "rc"): b"abcd", joined("str", "eam"): stream})
    back = bytearray(4)
    buffer.copy_to_host(**{joined("d", "st"): back, joined("str", "eam"): stream})
    stream.sync()
    assert back == b"abcd"


def test_sizes(device, stream):
    class Eight:
        def __index__(self):
            return 8

    assert device.allocate(Eight(), stream=stream).size == 8
    assert device.allocate(0, stream=stream).size == 0
    for size in (-1, 1 << 70):
        with pytest.raises(ValueError, match="size: expected a number of bytes"):
            device.allocate(size, stream=stream)


def test_closed_objects(device, stream, buffer):
    event = device.create_event()
    assert stream.record(event) is event
    assert event.record(stream) is None
    event.close()
    for call in (lambda: stream.record(event), lambda: event.record(stream), lambda: event.record()):
        with pytest.raises(cuox.ClosedError, match="event"):
            call()
    buffer.copy_from_host(b"1234")
    buffer.close()
    for call in (lambda: buffer.copy_from_host(b"1234"), lambda: buffer.copy_to_host(bytearray(4))):
        with pytest.raises(cuox.ClosedError, match="buffer"):
            call()
    ordered = device.allocate(64, stream=stream)
    stream.close()
    for call in (
        lambda: stream.record(),
        lambda: device.create_event().record(stream),
        lambda: device.allocate(4, stream=stream),
    ):
        with pytest.raises(cuox.ClosedError, match="stream"):
            call()
    ordered.close()
    ordered.close()


def test_small_copies_that_do_not_fit(device, buffer):
    for _ in range(2):  # before and after the device is known to be idle
        with pytest.raises(ValueError, match="do not fit a buffer of 64 bytes"):
            buffer.copy_from_host(bytes(65))
        with pytest.raises(ValueError, match="do not fit a buffer of 64 bytes"):
            buffer.copy_to_host(bytearray(65))
        with pytest.raises((BufferError, TypeError, ValueError)):
            buffer.copy_to_host(b"read-only")
        with pytest.raises((BufferError, ValueError)):
            buffer.copy_from_host(memoryview(bytes(16))[::2])
        buffer.copy_from_host(b"")
        buffer.copy_from_host(b"12345678")
        back = bytearray(8)
        buffer.copy_to_host(back)
        assert back == b"12345678"


def test_ordered_memory_outlives_close_of_a_view(device, stream):
    buffer = device.allocate(16, stream=stream)
    buffer.copy_from_host(bytes(range(16)))
    view = buffer.__cuda_array_interface__
    assert view["data"][0] == int(buffer) and view["stream"] == stream.handle
    copy = buffer.copy_to(stream=stream)
    stream.sync()
    buffer.close(device.create_stream())
    back = bytearray(16)
    copy.copy_to_host(back, stream=stream)
    stream.sync()
    assert back == bytes(range(16))


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (lambda s: (), TypeError),
        (lambda s: 1, TypeError),
        (lambda s: (1, 32, s, 0, 5), TypeError),
        (lambda s: (0, 32), ValueError),
        (lambda s: (1, -32), ValueError),
        (lambda s: (1 << 70, 32), ValueError),
        (lambda s: (1.5, 32), TypeError),
        (lambda s: (1, 32, "stream"), TypeError),
    ],
)
def test_what_stands_in_brackets(device, stream, key, error):
    kernel = (
        cuox.Program('extern "C" __global__ void nothing() {}', code_type="c++").compile("cubin").get_kernel("nothing")
    )
    with pytest.raises(error):
        kernel[key(stream)]
    for good in ((1, 32), (1, 32, stream), (1, 32, None, 16), ((1, 1), (32, 1, 1), 0), (True, 32, stream)):
        kernel[good]()
    stream.sync()


def test_keywords_that_run_code_when_they_go(device):
    """The names of the last call are kept; to let go of them may call the same method with others."""

    class Name(str):
        __slots__ = ()

        def __del__(self):
            device.allocate(8).close()
            device.allocate(stream=device.default_stream, size=8).close()

    for _ in range(20):
        device.allocate(**{Name("size"): 16}).close()
        device.allocate(size=32, stream=None).close()
        made = device.allocate(stream=None, **{Name("size"): 64})
        assert made.size == 64
        made.close()


def test_what_an_int_raises_is_not_lost(device):
    class Size:
        def __init__(self, error):
            self.error = error

        def __index__(self):
            raise self.error

    for error in (KeyboardInterrupt(), ZeroDivisionError("none")):
        with pytest.raises(type(error)):
            device.allocate(Size(error))
        with pytest.raises(type(error)):
            cuox.LaunchConfig(grid=1, block=1, shmem_size=Size(error))
    with pytest.raises(TypeError, match="size: expected an int, got str"):
        device.allocate("16")
