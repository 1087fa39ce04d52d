"""`cuox.Array` and other libraries' arrays: the CUDA Array Interface and DLPack, both ways."""

from __future__ import annotations

import warnings
from typing import Any

import cuox
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore::cuox.PortabilityWarning")

DLPACK_TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "?"]


class Interface:
    """Another library's array: it shows `array`'s memory with changes."""

    def __init__(self, array: cuox.Array, **changes: Any) -> None:
        self.array = array
        interface = {**array.__cuda_array_interface__, **changes}
        self.__cuda_array_interface__ = {key: value for key, value in interface.items() if value != "gone"}


class Tensor:
    """A library that speaks DLPack only."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.streams: list[Any] = []

    def __dlpack__(self, **options: Any) -> Any:
        self.streams.append(options.get("stream", "none"))
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


VIEWS = [
    lambda a: a,
    lambda a: a.T,
    lambda a: a[1:, ::2],
    lambda a: a[::-1, ::-2],
    lambda a: a[:, 2:3],
    lambda a: a[0, 0, ...],
    lambda a: a[:0],
    lambda a: a[1],
]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", [*DLPACK_TYPES, "M8[ns]", "S3", "V6", ">f4", "i4,f8"])
def test_the_array_interface_comes_back(device: cuox.Device, view: Any, dtype: str) -> None:
    host = np.zeros((3, 5), dtype)
    host.view(np.uint8 if host.dtype.kind != "b" else "?").reshape(-1)[:] = np.arange(host.nbytes) % 2
    array, expected = view(cuox.to_device(host)), view(host)
    interface = array.__cuda_array_interface__
    assert (
        interface["shape"] == expected.shape
        and interface["typestr"] == expected.dtype.str
        and interface["version"] == 3
    )
    assert interface["strides"] == (None if array.is_c_contiguous else expected.strides)
    assert interface["data"] == (array.ptr if array.size else 0, False)
    for changes in ({}, {"strides": expected.strides}, {"version": 2, "stream": "gone"}, {"stream": None}):
        back = cuox.as_array(Interface(array, **changes))
        assert (back.shape, back.dtype) == (expected.shape, expected.dtype) and (back.ptr == array.ptr or not back.size)
        assert back.to_host().tobytes() == expected.tobytes() and not back.is_read_only


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", DLPACK_TYPES)
def test_dlpack_comes_back(device: cuox.Device, view: Any, dtype: str) -> None:
    host = (np.arange(15) % 3).astype(dtype).reshape(3, 5)
    array, expected = view(cuox.to_device(host)), view(host)
    for back in (
        cuox.from_dlpack(Tensor(array)),
        cuox.as_array(Tensor(array)),
        cuox.from_dlpack(array.__dlpack__()),
        cuox.from_dlpack(array.__dlpack__(max_version=(1, 0))),
    ):
        assert (back.shape, back.dtype) == (expected.shape, expected.dtype) and (back.ptr == array.ptr or not back.size)
        assert back.to_host().tobytes() == expected.tobytes()
    if array.size:
        back[...] = np.zeros((), dtype)
        assert not array.to_host().any()
    assert array.__dlpack_device__() == array.buffer.__dlpack_device__()
    copied = cuox.from_dlpack(array.__dlpack__(copy=True))
    assert copied.ptr != array.ptr or not array.size


def test_numpy_sees_the_software_gpus_memory(device: cuox.Device) -> None:
    if not device.is_soft:
        pytest.skip("about the software GPU")
    host = np.arange(24, dtype="f4").reshape(2, 3, 4)
    array = cuox.to_device(host)
    with pytest.warns(cuox.PortabilityWarning, match=r"copy it with array.to_host\(\)"):
        seen = np.from_dlpack(array[:, ::-1].T)
    assert (seen == host[:, ::-1].T).all()
    array.fill(3)
    device.sync()
    assert (seen == 3).all()
    del array
    assert (seen == 3).all()


def test_pinned_memory_is_shared_with_numpy(device: cuox.Device, stream: cuox.Stream) -> None:
    pinned = cuox.PinnedMemoryResource().allocate(48)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seen = np.from_dlpack(cuox.Array((3, 4), "i4", buffer=pinned))
        if not seen.flags.writeable:
            assert np.lib.NumpyVersion(np.__version__) < "2.0.0"
            pytest.skip("before NumPy 2 its arrays of DLPack are read-only")
        seen[...] = np.arange(12).reshape(3, 4)
        again = cuox.as_array(seen)
        assert again.ptr == pinned.handle and (again.T.to_host() == seen.T).all()
        assert not np.shares_memory(again.to_host(), seen)


def test_what_dlpack_cannot_say(device: cuox.Device) -> None:
    for dtype in ("M8[s]", "S3", "V8", ">f4", "i4,f4"):
        with pytest.raises(BufferError, match="DLPack has no type"):
            cuox.zeros(3, dtype).__dlpack__()
    odd = cuox.Array((3,), "f4", buffer=cuox.zeros(32, "u1").buffer, strides=(6,))
    with pytest.raises(BufferError, match="strides"):
        odd.__dlpack__()
    with pytest.raises(BufferError, match="dl_device must be"):
        cuox.zeros(3).__dlpack__(dl_device=(99, 0))
    with pytest.raises(BufferError, match="max_version"):
        cuox.zeros(3).broadcast_to((2, 3)).__dlpack__()
    read_only = cuox.from_dlpack(Tensor(cuox.zeros(3).broadcast_to((2, 3))))
    assert read_only.is_read_only and read_only.strides == (0, 8)


def test_read_only_memory(device: cuox.Device) -> None:
    array = cuox.zeros(4, "f4")
    view = cuox.as_array(Interface(array, data=(array.ptr, True)))
    assert view.is_read_only and view[1:].is_read_only and view.__cuda_array_interface__["data"][1] is True
    for write in (lambda: view.fill(1), lambda: view.copy_from(1), lambda: view.__setitem__(0, 1)):
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert not view.copy().is_read_only


def test_buffers_are_bytes(device: cuox.Device) -> None:
    buffer = cuox.to_device(np.arange(16, dtype="u1")).buffer
    array = cuox.as_array(buffer)
    assert (array.shape, array.dtype, array.buffer is buffer) == ((16,), np.uint8, True)
    assert array.view("u4").reshape(2, 2)[1].to_host().tobytes() == bytes(range(8, 16))
    same = cuox.zeros(3)
    assert cuox.as_array(same) is same and cuox.from_dlpack(same) is same


def test_the_producers_memory_is_kept(device: cuox.Device) -> None:
    views = [cuox.as_array(Interface(cuox.full(1000, i, "i4"))) for i in range(10)] + [
        cuox.from_dlpack(cuox.full(1000, i, "i4").__dlpack__()) for i in range(10)
    ]
    others = [cuox.full(1000, -1, "i4") for _ in range(30)]
    parts = [view[::2] for view in views]
    del views
    assert all((part.to_host() == i % 10).all() for i, part in enumerate(parts)) and len(others) == 30


def test_streams_are_ordered(device: cuox.Device) -> None:
    kernel = (
        cuox.Program(
            'extern "C" __global__ void slow(int *x, int n) { for (int k = 0; k < 200; k++) for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += 1; }'
        )
        .compile()
        .get_kernel("slow")
    )
    producer, consumer = device.create_stream(), device.create_stream()
    array = cuox.zeros(20_000, "i4", stream=producer)
    kernel[1, 64, producer](array, array.size)
    tensor = Tensor(array)
    # The consumer's stream waits for the producer's; the host does not.
    for view in (cuox.as_array(Interface(array), stream=consumer), cuox.from_dlpack(tensor, stream=consumer)):
        assert (view.to_host(stream=consumer) == 200).all()
    if not device.is_soft:
        assert tensor.streams == [consumer.handle]
    kernel[1, 64, producer](array, array.size)
    target = cuox.zeros(20_000, "i4", stream=consumer)
    target.copy_from(Interface(array), stream=consumer)
    assert (target.to_host(stream=consumer) == 400).all()
    kernel[1, 64, producer](array, array.size)
    # Without a stream, an array's own work comes before it is copied to another one.
    target.copy_from(array)
    assert (target.to_host() == 600).all()
    assert (cuox.to_device(array).to_host() == 600).all()


def test_what_is_wrong_with_an_interface(device: cuox.Device) -> None:
    array = cuox.zeros((2, 3), "f4")
    for changes in (
        {"typestr": "nonsense"},
        {"typestr": 3},
        {"typestr": "gone"},
        {"typestr": "|O8"},
        {"shape": (2, -3)},
        {"shape": "23"},
        {"shape": "gone"},
        {"shape": (2**40, 2**40)},
        {"strides": (4,)},
        {"strides": (2**62, 2**62)},
        {"strides": "ab"},
        {"data": array.ptr},
        {"data": (0, False)},
        {"data": (-1, False)},
        {"data": "gone"},
        {"mask": array},
        {"stream": 0},
        {"stream": "x"},
    ):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            cuox.as_array(Interface(array, **changes))
    for wrong in (None, 3, 1.5, "x", [1, 2], np.zeros(3), np.float32(1), object(), b"abc"):
        with pytest.raises(
            TypeError, match=r"as_array: .* is not memory of a device; copy it there: cuox.to_device\(x\)"
        ):
            cuox.as_array(wrong)
        with pytest.raises(TypeError):
            cuox.from_dlpack(wrong)

    class Broken:
        @property
        def __cuda_array_interface__(self) -> dict[str, Any]:
            raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        cuox.as_array(Broken())
    capsule = array.__dlpack__()
    cuox.from_dlpack(capsule)
    with pytest.raises(TypeError, match="unused DLPack capsule"):
        cuox.from_dlpack(capsule)


def test_torch(device: cuox.Device) -> None:
    torch = pytest.importorskip("torch")
    host = np.arange(24, dtype="f4").reshape(2, 3, 4)
    array = cuox.to_device(host)
    tensor = torch.from_dlpack(array.T)
    assert tensor.is_cuda is not device.is_soft and tensor.stride() == (1, 4, 12)
    assert (tensor.cpu().numpy() == host.T).all()
    if not device.is_soft:
        back = cuox.as_array(torch.arange(12, device="cuda").reshape(3, 4).T)
        assert (back.to_host() == np.arange(12).reshape(3, 4).T).all() and back.dtype == np.int64
        half = cuox.to_device(torch.ones(3, device="cuda", dtype=torch.float16))
        assert half.dtype == np.float16
    assert (cuox.to_device(torch.arange(3)).to_host() == np.arange(3)).all()


def test_cupy(device: cuox.Device) -> None:
    if device.is_soft:
        pytest.skip("needs a GPU")
    cupy = pytest.importorskip("cupy")
    host = np.arange(24, dtype="f4").reshape(2, 3, 4)
    assert (cupy.asnumpy(cupy.asarray(cuox.to_device(host)[:, ::-1])) == host[:, ::-1]).all()
    back = cuox.as_array(cupy.arange(12).reshape(3, 4)[:, ::-2])
    assert (back.to_host() == np.arange(12).reshape(3, 4)[:, ::-2]).all()


def test_ml_dtypes(device: cuox.Device) -> None:
    types = pytest.importorskip("ml_dtypes")
    kernel = (
        cuox.Program('#include <cuda_bf16.h>\nextern "C" __global__ void f(__nv_bfloat16 *x) { x[0] = x[1]; }')
        .compile()
        .get_kernel("f")
    )
    host = np.array([1, 2.5, -3], types.bfloat16)
    array = cuox.to_device(host)
    kernel[1, 1](array)
    assert array.dtype == types.bfloat16 and array.to_host().tolist() == [2.5, 2.5, -3]
    back = cuox.from_dlpack(Tensor(array))
    assert back.dtype == types.bfloat16 and back.to_host().tolist() == [2.5, 2.5, -3]
    assert cuox.from_dlpack(Tensor(cuox.zeros(3, types.float8_e4m3fn))).dtype == types.float8_e4m3fn
