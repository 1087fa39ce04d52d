"""`StridedMemoryView`: what any library's array says of itself, and DLPack's C functions."""

from __future__ import annotations

import ctypes
import gc
import sys
import weakref
from types import SimpleNamespace
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.core import Buffer, Device
from cuox.cuda.core.utils import StridedMemoryView, args_viewable_as_strided_memory

HOST = [
    np.arange(5, dtype=np.int32),
    np.arange(36, dtype=np.float64).reshape(6, 6)[::2, 1::3],
    np.arange(12, dtype=np.complex64).reshape(3, 4).T,
    np.arange(7, dtype=np.uint16)[::-1],
    np.array(2.5, dtype=np.float16),
    np.empty((0, 3), dtype=bool),
]


def counts(array: np.ndarray) -> tuple[int, ...]:
    return tuple(stride // array.itemsize for stride in array.strides)


def interface(**entries: Any) -> SimpleNamespace:
    known = {"shape": (4,), "typestr": "<f4", "data": (0, False), "version": 3, **entries}
    return SimpleNamespace(__cuda_array_interface__=known)


@pytest.mark.parametrize("array", HOST, ids=lambda array: f"{array.dtype}-{array.shape}")
def test_arrays_of_numpy(device: cuox.Device, array: np.ndarray) -> None:
    ways = [
        StridedMemoryView.from_any_interface(array, -1),
        StridedMemoryView.from_dlpack(array, stream_ptr=-1),
        StridedMemoryView.from_array_interface(array),
    ]
    with pytest.deprecated_call():
        ways.append(StridedMemoryView(array, -1))
    for view in ways:
        assert (view.ptr, view.shape, view.size) == (array.ctypes.data, array.shape, array.size)
        assert view.strides == counts(array) or (view.strides is None and array.flags.c_contiguous)
        assert view.dtype == array.dtype
        assert not view.is_device_accessible and not view.readonly
        assert view.exporting_obj is array
        back = np.from_dlpack(view)
        assert back.dtype == array.dtype and np.array_equal(back, array)
        assert back.ctypes.data == array.ctypes.data
    assert [view.device_id for view in ways[:2]] == [-1, -1]
    assert repr(ways[0]).startswith(f"StridedMemoryView(ptr={array.ctypes.data},")


def test_memory_that_may_only_be_read(device: cuox.Device) -> None:
    array = np.frombuffer(b"12345678", dtype=np.uint16)
    for view in (StridedMemoryView.from_any_interface(array, -1), StridedMemoryView.from_array_interface(array)):
        assert view.readonly
        with pytest.raises(BufferError, match="max_version"):
            view.__dlpack__()
        assert not np.from_dlpack(view).flags.writeable


def test_a_view_keeps_the_memory(device: cuox.Device) -> None:
    class Owned(np.ndarray):
        pass

    array = np.zeros(1000).view(Owned)
    gone = weakref.ref(array)
    before = sys.getrefcount(array)
    for _ in range(3):
        StridedMemoryView.from_any_interface(array, -1)
    assert sys.getrefcount(array) == before
    view = StridedMemoryView.from_any_interface(array, -1)
    part = view.view(view._layout[10:20])
    del array, view
    gc.collect()
    assert gone() is not None and part.shape == (10,)
    del part
    gc.collect()
    assert gone() is None


def test_arrays_and_buffers_of_cuox(device: cuox.Device, stream: cuox.Stream) -> None:
    array = cuox.to_device(np.arange(24, dtype=np.float32).reshape(4, 6))[1:, ::2]
    for stream_ptr in (-1, stream.handle):
        view = StridedMemoryView.from_any_interface(array, stream_ptr)
        assert (view.ptr, view.shape, view.strides) == (array.ptr, (3, 3), (6, 2))
        assert view.dtype == np.float32 and view.exporting_obj is array
        assert view.is_device_accessible and view.device_id == device.device_id
    with pytest.raises(BufferError, match="stream=None is ambiguous"):
        StridedMemoryView.from_dlpack(array)
    buffer = device.allocate(64)
    view = StridedMemoryView.from_any_interface(buffer, -1)
    assert (view.ptr, view.shape, view.dtype) == (int(buffer.handle), (64,), np.uint8)
    managed = cuox.ManagedMemoryResource().allocate(64)
    assert StridedMemoryView.from_any_interface(managed, None).__dlpack_device__()[0] == 13
    buffer.close()
    with pytest.raises(cuox.ClosedError):
        StridedMemoryView.from_any_interface(buffer, -1)


def test_the_consumer_waits_for_the_producer(device: cuox.Device) -> None:
    first, second = device.create_stream(), device.create_stream()
    array = cuox.zeros(1 << 20, np.uint8, stream=first)
    array.fill(7, stream=first)
    # By the CUDA Array Interface too, whose dict names the stream.
    shown = SimpleNamespace(__cuda_array_interface__=dict(array.__cuda_array_interface__, stream=first.handle))
    for source in (array, shown):
        view = StridedMemoryView.from_any_interface(source, second.handle)
        out = np.zeros(1 << 20, np.uint8)
        StridedMemoryView.from_any_interface(out, -1).copy_from(view, second)
        assert (out == 7).all()


def test_the_cuda_array_interface(device: cuox.Device) -> None:
    buffer = device.allocate(64)
    data = (int(buffer.handle), True)
    view = StridedMemoryView.from_cuda_array_interface(interface(data=data, shape=(2, 3), strides=(4, 8)), -1)
    assert (view.ptr, view.strides, view.readonly) == (data[0], (1, 2), True)
    assert view.is_device_accessible and view.device_id == device.device_id
    assert view.__dlpack_device__() == buffer.__dlpack_device__()
    assert StridedMemoryView.from_any_interface(interface(), -1).strides is None
    assert StridedMemoryView.from_any_interface(interface(shape=(0, 3), strides=(12, 4)), -1).strides == (3, 1)

    def refused(error: type[Exception], match: str, stream_ptr: int | None = -1, **entries: Any) -> None:
        with pytest.raises(error, match=match):
            StridedMemoryView.from_cuda_array_interface(interface(**entries), stream_ptr)

    refused(BufferError, "v3 or above", version=2)
    refused(BufferError, "mask is not supported", mask=object())
    refused(BufferError, "stream=None is ambiguous", None)
    refused(ValueError, "divisible by itemsize", strides=(6,))
    refused(ValueError, "'typestr' must be a type", typestr="<z9")
    refused(ValueError, "not memory of a device", data=(64, False))
    refused(ValueError, "negative", shape=(-1,))
    host = SimpleNamespace(__array_interface__={**np.zeros(3).__array_interface__, "version": 2})
    with pytest.raises(BufferError, match="v3 or above"):
        StridedMemoryView.from_array_interface(host)
    with pytest.raises(BufferError, match="does not support any data exchange protocol"):
        StridedMemoryView.from_any_interface(object(), -1)


def test_views_of_buffers(device: cuox.Device) -> None:
    buffer = device.allocate(80)
    view = StridedMemoryView.from_buffer(buffer, (5, 4), dtype=np.float32, is_readonly=True)
    assert (view.shape, view.strides, view.readonly, view.exporting_obj) == ((5, 4), None, True, buffer)
    assert StridedMemoryView.from_buffer(buffer, (5, 4), (1, 5), itemsize=4).strides == (1, 5)
    untyped = StridedMemoryView.from_buffer(buffer, 80, itemsize=1)
    assert untyped.dtype is None and "dtype=NoneType" in repr(untyped)
    with pytest.raises(BufferError, match="dtype"):
        untyped.__dlpack__()
    for shape, options, match in [
        ((5,), {}, "itemsize or dtype must be specified"),
        ((5,), {"dtype": np.int16, "itemsize": 1}, "itemsize .+ does not match dtype.itemsize .+"),
        ((21,), {"dtype": np.float32}, "Expected at least 84 bytes, got 80 bytes."),
        ((5, 4), {"dtype": np.uint8, "strides": (-4, 1)}, "before the start of the memory"),
        ((2,), {"dtype": np.uint8, "strides": (1, 1)}, "strides"),
        ((2, 2), {"dtype": "(2,)f4"}, "dimensions of its own"),
    ]:
        with pytest.raises(ValueError, match=match):
            StridedMemoryView.from_buffer(buffer, shape, **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a cuox.Buffer"):
        StridedMemoryView.from_buffer(np.zeros(3), (3,), itemsize=8)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", ["C", "F"])
def test_parts_are_those_of_numpy(device: cuox.Device, order: Any) -> None:
    array = np.arange(10 * 13 * 11, dtype=np.int32).reshape((10, 13, 11), order=order)
    view = StridedMemoryView.from_dlpack(array, -1)
    assert view._layout is view._layout
    assert view._layout.is_dense and view._layout.required_size_in_bytes() == array.nbytes
    for key in [(slice(None, None, 2), slice(None, None, -1), slice(2, -3)), (3, ...), (..., None, 4), slice(2, 3)]:
        expected, layout = array[key], view._layout[key]
        part = view.view(layout)
        assert part._layout is layout and not layout.is_dense
        assert (part.ptr, part.shape) == (expected.ctypes.data, expected.shape)
        assert layout.strides_in_bytes == expected.strides
        assert np.array_equal(np.from_dlpack(part), expected)
        # A part of a part is one of the whole.
        assert view.view(layout[:1]).ptr == part.view(layout[:1]).ptr == expected[:1].ctypes.data
    with pytest.raises(IndexError):
        view._layout[20]


def test_other_dtypes(device: cuox.Device) -> None:
    view = StridedMemoryView.from_any_interface(np.arange(4, dtype=np.float32), -1)
    assert view.view() is view
    assert view.view(dtype=np.int32).dtype == np.int32
    with pytest.raises(ValueError, match="itemsize"):
        view.view(dtype=np.int64)
    wide = StridedMemoryView.from_any_interface(np.zeros(3, np.int64), -1)
    for dtype, match in [
        ([("x", "f4"), ("y", "i4")], "Structured dtypes"),
        ("V8", "Unsupported dtype for DLPack export"),
        (np.dtype(np.int64).newbyteorder("S"), "Non-native-endian"),
    ]:
        with pytest.raises(BufferError, match=match):
            wide.view(dtype=dtype).__dlpack__()
    with pytest.raises(TypeError, match="_layout"):
        view.view(layout=(3,))  # type: ignore[arg-type]


def test_copies_between_host_and_device(device: cuox.Device, stream: cuox.Stream) -> None:
    def seen(array: object) -> StridedMemoryView:
        return StridedMemoryView.from_any_interface(array, -1)

    source = np.arange(60, dtype=np.int16).reshape(6, 10)
    there, back = cuox.zeros((6, 10), np.int16), np.zeros((6, 10), np.int16)
    for part in [np.s_[:, :], np.s_[::2, ::-3], np.s_[1:3, 4]]:
        there.fill(0)
        device.sync()
        back[...] = 0
        seen(there[part]).copy_from(seen(source[part]), stream)
        assert np.array_equal(there[part].to_host(), source[part])
        assert there.to_host().sum() == source[part].sum()
        seen(there[part]).copy_to(seen(back[part]))
        assert np.array_equal(back[part], source[part]) and back.sum() == source[part].sum()
    other = cuox.zeros((10, 6), np.int16)
    device.sync()  # the views ask for no order
    seen(other.T).copy_from(seen(there), stream, blocking=True)
    assert np.array_equal(other.T.to_host(), there.to_host())
    with pytest.raises(NotImplementedError, match="copy_from"):
        seen(back).copy_from(seen(source), None)
    with pytest.raises(NotImplementedError, match="allocator"):
        seen(back).copy_from(seen(there), stream, allocator=device.memory_resource)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shapes differ"):
        seen(back[0]).copy_from(seen(there), stream)
    with pytest.raises(TypeError, match="dtypes differ"):
        seen(np.zeros((6, 10), np.float16)).copy_from(seen(there), stream)
    with pytest.raises(ValueError, match="may only be read"):
        seen(np.broadcast_to(np.int16(0), (6, 10))).copy_from(seen(there), stream)
    with pytest.raises(TypeError, match="StridedMemoryView"):
        seen(back).copy_from(there, stream)  # type: ignore[arg-type]


def test_memory_of_a_buffer_that_was_closed(device: cuox.Device, stream: cuox.Stream) -> None:
    shape, dtype = (64,), np.dtype(np.float32)
    for resource in (device.memory_resource, cuox.PinnedMemoryResource()):
        closed, other = resource.allocate(256, stream=stream), resource.allocate(256, stream=stream)
        view = StridedMemoryView.from_buffer(closed, shape, dtype=dtype)
        there = StridedMemoryView.from_buffer(other, shape, dtype=dtype)
        host = StridedMemoryView.from_any_interface(np.full(64, 7, dtype), -1)
        part, array = view.view(view._layout[:]), cuox.as_array(closed).view(dtype)
        by_array = StridedMemoryView.from_any_interface(array, -1)
        closed.close(stream)
        for gone in (view, part, by_array):
            for use in (
                lambda gone=gone: gone.copy_from(host, stream),
                lambda gone=gone: gone.copy_from(there, stream),
                lambda gone=gone: there.copy_from(gone, stream),
                lambda gone=gone: gone.copy_to(there, stream),
                lambda gone=gone: gone.copy_to(host, stream),
                lambda gone=gone: gone.__dlpack__(),
                lambda gone=gone: StridedMemoryView.from_any_interface(gone, -1),
            ):
                with pytest.raises(cuox.ClosedError):
                    use()


def test_what_is_exported_keeps_the_memory_after_close(device: cuox.Device, stream: cuox.Stream) -> None:
    resource = cuox.PinnedMemoryResource()
    shown = [np.from_dlpack, lambda view: np.from_dlpack(view.view(view._layout[:]))]
    if device.is_soft:
        # What goes through the functions in C and comes back as a view.
        shown.append(lambda view: np.from_dlpack(StridedMemoryView.from_dlpack(view, -1)))
    for show in shown:
        buffer = resource.allocate(1 << 20)
        array = show(StridedMemoryView.from_buffer(buffer, (1 << 18,), dtype=np.dtype(np.float32)))
        array[:] = 3
        buffer.close()
        others = [resource.allocate(1 << 20) for _ in range(3)]
        for other in others:
            np.from_dlpack(other)[:] = 0
        assert (array == 3).all()


def test_what_dlpack_producers_may_do_wrong(device: cuox.Device) -> None:
    def fake(place: Any, give: Any = None) -> Any:
        return type("Fake", (), {"__dlpack_device__": lambda _: place, "__dlpack__": lambda _, **_options: give})()

    with pytest.raises(BufferError, match="device not supported"):
        StridedMemoryView.from_dlpack(fake((7, 0)), 0)
    with pytest.raises(TypeError, match="tuple of two ints"):
        StridedMemoryView.from_dlpack(fake("x"), 0)
    with pytest.raises(TypeError, match="capsule"):
        StridedMemoryView.from_dlpack(fake((1, 0), 3), 0)
    with pytest.raises(TypeError, match="stream_ptr"):
        StridedMemoryView.from_any_interface(np.zeros(3), "x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="-2"):
        StridedMemoryView.from_any_interface(np.zeros(3), -2)
    with pytest.deprecated_call():
        empty = StridedMemoryView()
    with pytest.raises(ValueError, match="Cannot infer layout"):
        print(empty.shape)


def test_a_producer_from_before_dlpack_1(device: cuox.Device) -> None:
    class Older:
        def __init__(self, array: np.ndarray) -> None:
            self.view = StridedMemoryView.from_any_interface(array, -1)
            self.asked: list[Any] = []

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.view.__dlpack_device__()

        def __dlpack__(self, *, stream: Any = None, **options: Any) -> object:
            self.asked.append(options.get("max_version"))
            if options:
                raise TypeError("unexpected keyword")
            return self.view.__dlpack__(stream=stream)

    array = np.arange(6)
    older = Older(array)
    view = StridedMemoryView.from_dlpack(older, -1)
    assert older.asked == [(1, 0), None] and view.ptr == array.ctypes.data
    for options, match in [
        ({"copy": True}, "copy=True"),
        ({"dl_device": (2, 5)}, "dl_device"),
        ({"max_version": (9,)}, "max_version"),
    ]:
        with pytest.raises(BufferError, match=match):
            view.__dlpack__(**options)  # type: ignore[arg-type]


def test_arguments_that_are_arrays_of_any_library(device: cuox.Device) -> None:
    @args_viewable_as_strided_memory((1,))
    def function(scale: int, array: Any, *, stream: int) -> tuple[Any, ...]:
        """Doc."""
        return scale, array.view(stream).shape, array.obj

    array = np.zeros((2, 3))
    assert function(3, array, stream=-1)[:2] == (3, (2, 3)) and function.__doc__ == "Doc."
    assert function(1, interface(), stream=-1)[1] == (4,)
    with pytest.raises(BufferError, match="does not support any data exchange protocol"):
        function(1, 2, stream=-1)
    with pytest.raises(TypeError, match="positional arguments"):
        function(1, stream=-1)


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint8 * 4),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


POINTER = ctypes.POINTER(ctypes.c_void_p)


class Api(ctypes.Structure):
    _fields_ = [
        ("version", Version),
        ("previous", ctypes.c_void_p),
        ("allocator", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, POINTER, ctypes.c_void_p, ctypes.c_void_p)),
        ("managed_from", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, POINTER)),
        ("managed_to", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, POINTER)),
        ("borrowed_from", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Tensor))),
        ("current_stream", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, POINTER)),
    ]


def pointer_of(capsule: object) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.argtypes, get.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
    return int(get(capsule, b"dlpack_exchange_api"))


def capsule_of(api: Api) -> object:
    new = ctypes.pythonapi.PyCapsule_New
    new.argtypes, new.restype = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p), ctypes.py_object
    return new(ctypes.addressof(api), b"dlpack_exchange_api", None)


def test_functions_in_c_for_others(device: cuox.Device) -> None:
    capsule = StridedMemoryView.__dlpack_c_exchange_api__
    assert StridedMemoryView.__c_dlpack_exchange_api__ is capsule
    api = Api.from_address(pointer_of(capsule))
    assert api.version.major == 1 and not api.previous
    array = np.arange(12, dtype=np.int32).reshape(3, 4)[:, 1:]
    view = StridedMemoryView.from_any_interface(array, -1)
    tensor = Tensor()
    assert api.borrowed_from(id(view), ctypes.byref(tensor)) == 0
    assert tensor.data == array.ctypes.data and tuple(tensor.device) == (1, 0)
    assert (tensor.shape[0:2], tensor.strides[0:2]) == ([3, 3], [4, 1])
    assert tuple(tensor.dtype) == (0, 32, 1, 0)
    managed, made = ctypes.c_void_p(), ctypes.c_void_p()
    before = sys.getrefcount(view)
    assert api.managed_from(id(view), ctypes.byref(managed)) == 0
    assert sys.getrefcount(view) == before + 1
    assert api.managed_to(managed, ctypes.byref(made)) == 0
    other = ctypes.cast(made, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(other))
    assert other.shape == (3, 3) and other.exporting_obj is None
    assert np.array_equal(np.from_dlpack(other), array)
    del other
    gc.collect()
    assert sys.getrefcount(view) == before
    stream = ctypes.c_void_p(5)
    assert api.current_stream(1, 0, ctypes.byref(stream)) == 0 and not stream.value
    with pytest.raises(TypeError, match="must be a StridedMemoryView, got int"):
        api.borrowed_from(id(3), ctypes.byref(tensor))
    with pytest.raises(RuntimeError, match="cannot be NULL"):
        api.managed_to(None, ctypes.byref(made))
    with pytest.raises(NotImplementedError, match="not supported"):
        api.allocator(None, ctypes.byref(made), None, None)


def test_a_library_with_functions_in_c(device: cuox.Device) -> None:
    """An array as a library in C would show it: no method in Python is called."""
    buffer = device.allocate(64)
    shape = (ctypes.c_int64 * 2)(2, 4)
    state: dict[str, Any] = {"device": (2, device.device_id), "dtype": (2, 32, 1, 0), "fail": False, "asked": 0}
    stream = device.create_stream()

    def borrow(_object: int, out: Any) -> int:
        if state["fail"]:
            return -1
        tensor = out[0]
        tensor.data, tensor.ndim, tensor.byte_offset = int(buffer.handle), 2, 8
        tensor.device[:], tensor.dtype[:] = state["device"], state["dtype"]
        tensor.shape, tensor.strides = shape, None
        return 0

    def current_stream(_kind: int, _id: int, out: Any) -> int:
        state["asked"] += 1
        out[0] = int(stream.handle)
        return 0

    fields = dict(Api._fields_)
    api = Api(Version(1, 3), None)
    api.borrowed_from, api.current_stream = fields["borrowed_from"](borrow), fields["current_stream"](current_stream)
    newer = Api(Version(2, 0), ctypes.addressof(api))

    class Library:
        __dlpack_c_exchange_api__ = capsule_of(newer)

    array = Library()
    for make in (StridedMemoryView.from_any_interface, StridedMemoryView.from_dlpack):
        view = make(array, -1)
        assert (view.ptr, view.shape, view.strides) == (int(buffer.handle) + 8, (2, 4), None)
        assert view.dtype == np.float32 and view.is_device_accessible and view.exporting_obj is array
    assert state["asked"] == 0
    assert StridedMemoryView.from_dlpack(array, device.create_stream().handle).size == 8
    assert state["asked"] == 1
    with pytest.raises(BufferError, match="ambiguous"):
        StridedMemoryView.from_any_interface(array)
    state["dtype"] = (5, 64, 1, 0)
    assert StridedMemoryView.from_any_interface(array, -1).dtype == np.complex64

    class Conjugated(Library):
        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 0

        def __dlpack__(self, **_options: Any) -> None:
            raise BufferError("not yet conjugated")

    with pytest.raises(BufferError, match="not yet conjugated"):
        StridedMemoryView.from_any_interface(Conjugated(), -1)
    state["device"] = (7, 0)
    with pytest.raises(BufferError, match="device not supported"):
        StridedMemoryView.from_any_interface(array, -1)
    state["fail"] = True
    with pytest.raises(BufferError, match="dltensor_from_py_object_no_sync"):
        StridedMemoryView.from_any_interface(array, -1)


def test_subclasses_and_cycles(device: cuox.Device) -> None:
    class Mine(StridedMemoryView):
        pass

    class Mutable:
        __array_interface__: Any
        view: Any

    array = np.zeros((2, 3))
    view = Mine.from_any_interface(array, -1)
    assert type(view) is Mine and type(view.view(dtype=np.int64)) is Mine
    holder = Mutable()
    holder.__array_interface__ = array.__array_interface__
    holder.view = StridedMemoryView.from_array_interface(holder)
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None
    # A view of a view goes by the functions in C.
    again = StridedMemoryView.from_dlpack(view, -1)
    assert again.exporting_obj is view and again.shape == (2, 3)


def test_device_memory_of_the_software_gpu(device: cuox.Device) -> None:
    view = StridedMemoryView.from_any_interface(cuox.to_device(np.arange(3)), -1)
    if not device.is_soft:
        assert view.__dlpack_device__() == (2, device.device_id)
        return
    assert view.__dlpack_device__() == (1, 0)
    with pytest.warns(cuox.PortabilityWarning):
        assert np.from_dlpack(view).tolist() == [0, 1, 2]


def test_buffers_say_where_they_are(device: cuox.Device) -> None:
    bytes_ = ctypes.create_string_buffer(16)
    host = Buffer.from_handle(ctypes.addressof(bytes_), 16, owner=bytes_)
    assert host.__dlpack_device__() == (1, 0)
    memoryview(host)[0] = 65
    assert bytes_.raw[:1] == b"A"
    pinned = cuox.PinnedMemoryResource().allocate(16)
    assert Buffer.from_handle(int(pinned.handle), 16).__dlpack_device__() == (3, 0)
    assert pinned.__dlpack_device__() == (3, 0)
    assert Device().allocate(16).__dlpack_device__() == ((1, 0) if device.is_soft else (2, device.device_id))
