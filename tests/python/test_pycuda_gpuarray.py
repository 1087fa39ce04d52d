"""`cuox.pycuda.gpuarray`: what PyCUDA's own tests do not ask, and what PyCUDA answers wrongly without an error."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.pycuda import cumath, driver, gpuarray
from cuox.pycuda.elementwise import ElementwiseKernel


@pytest.fixture(autouse=True)
def current(device: cuox.Device) -> None:
    device.set_current()


def equal(array: Any, wanted: Any) -> None:
    wanted = np.asarray(wanted)
    assert isinstance(array, gpuarray.GPUArray)
    assert (array.dtype, array.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(array.get(), wanted)


def numbers(*shape: int, dtype: Any = np.float32, order: Any = "C") -> np.ndarray:
    return np.asarray(np.arange(1, 1 + int(np.prod(shape))).reshape(shape), dtype, order=order)


# --- Right where PyCUDA is silently wrong


def test_operands_of_different_orders_meet_element_by_element() -> None:
    c, f = numbers(3, 4), numbers(3, 4, order="F") * 10
    f = np.asfortranarray(f)
    on_c, on_f = gpuarray.to_gpu(c), gpuarray.to_gpu(f)
    assert on_f.flags.f_contiguous and not on_f.flags.c_contiguous
    equal(on_c + on_f, c + f)
    equal(on_f - on_c, f - c)
    equal(on_c > on_f, c > f)
    equal(gpuarray.maximum(on_c, on_f), np.maximum(c, f))
    equal(gpuarray.where(on_c > 5, on_f, on_c), np.where(c > 5, f, c))
    assert abs(float(gpuarray.dot(on_c, on_f).get()) - float((c * f).sum())) < 1e-2
    on_c += on_f
    equal(on_c, c + f)
    assert (on_f + on_f).flags.f_contiguous


def test_assignments_take_another_order() -> None:
    c, f = numbers(3, 4), np.asfortranarray(numbers(3, 4) * 2)
    array = gpuarray.to_gpu(c)
    array[...] = gpuarray.to_gpu(f)
    equal(array, f)
    array[:, ::-1] = gpuarray.to_gpu(f)
    equal(array, f[:, ::-1])
    array.set(f)
    equal(array, f)
    array[1] = gpuarray.to_gpu(np.arange(4))
    f[1] = np.arange(4)
    equal(array, f)


def test_an_array_without_dimensions_is_compared_with_all_elements() -> None:
    host, one = numbers(5), np.float32(3)
    array, zero_d = gpuarray.to_gpu(host), gpuarray.to_gpu(np.array(3, np.float32))
    assert zero_d.shape == ()
    equal(array > zero_d, host > one)
    equal(zero_d == array, one == host)
    equal(zero_d <= zero_d.copy(), np.bool_(True))
    equal(array**zero_d, host**3)


def test_functions_of_mathematics_write_to_their_output() -> None:
    host = np.linspace(-1, 1, 20, dtype=np.float64)
    array = gpuarray.to_gpu(host)
    out = gpuarray.zeros_like(array)
    assert cumath.exp(array, out=out) is out
    np.testing.assert_allclose(out.get(), np.exp(host), rtol=1e-15)
    turned = gpuarray.zeros((5, 4), np.float64).T
    assert cumath.exp(array.reshape(4, 5), out=turned) is turned
    np.testing.assert_allclose(turned.get(), np.exp(host.reshape(4, 5)), rtol=1e-15)


def test_quotients_are_divided_not_multiplied_by_a_reciprocal() -> None:
    host = np.arange(1, 2000, dtype=np.float32)
    equal(gpuarray.to_gpu(host) / 3, host / np.float32(3))
    equal(7 / gpuarray.to_gpu(host), 7 / host)
    whole = np.arange(-7, 8, dtype=np.int32)
    array = gpuarray.to_gpu(whole)
    equal(array / 2, whole / 2)
    equal(array / gpuarray.to_gpu(np.full_like(whole, 4)), whole / 4)
    equal(array // 2, whole // 2)
    equal(array % 3, whole % 3)
    for got, wanted in zip(divmod(array, 4), divmod(whole, 4), strict=True):
        equal(got, wanted)
    equal(-8 // gpuarray.to_gpu(np.array([3, -3], np.int8)), -8 // np.array([3, -3], np.int8))


def test_integers_do_not_take_fractions_in_place() -> None:
    array = gpuarray.to_gpu(np.arange(4, dtype=np.int32))
    with pytest.raises(TypeError, match="int32.*same_kind"):
        array /= 2
    with pytest.raises(TypeError, match="same_kind"):
        array += 0.5
    equal(array, np.arange(4, dtype=np.int32))


def test_empty_and_reversed_slices() -> None:
    host = numbers(6)
    array = gpuarray.to_gpu(host)
    equal(array[5:2], host[5:2])
    equal(array[::-1], host[::-1])
    equal(array[::-2] + array[1::2], host[::-2] + host[1::2])
    equal(array[:0] * 2, host[:0] * 2)
    equal(gpuarray.concatenate([array[5:2], array[:2]]), host[:2])


def test_arrays_without_elements() -> None:
    empty = gpuarray.empty((0, 3), np.float32)
    assert empty.gpudata is None
    equal(empty + 1, np.empty((0, 3), np.float32))
    equal(gpuarray.sum(empty), np.float32(0))
    equal(empty.sum(axis=0), np.zeros(3, np.float32))
    equal(gpuarray.any(empty), np.bool_(False))
    equal(gpuarray.all(empty), np.bool_(True))
    with pytest.raises(ValueError, match="no elements"):
        gpuarray.max(empty)


def test_half_precision() -> None:
    host = np.linspace(-3, 3, 50).astype(np.float16)
    array = gpuarray.to_gpu(host)
    for got, wanted in [
        (array + array, host + host),
        (array * 3, host * np.float16(3)),
        (array / 7, host / np.float16(7)),
        (array > 0, host > 0),
    ]:
        equal(got, wanted)
    equal(array.astype(np.float64), host.astype(np.float64))
    equal(
        gpuarray.to_gpu(np.array([0.1, 65504.0, 1e-7])).astype(np.float16),
        np.array([0.1, 65504.0, 1e-7]).astype(np.float16),
    )
    assert gpuarray.sum(array).dtype == np.float16
    many = gpuarray.ones(4096, np.float16)
    equal(gpuarray.sum(many), np.float16(4096))
    equal(np.max(array), host.max())


def test_broadcasting() -> None:
    rows, columns = numbers(3, 1), numbers(4) * 10
    equal(gpuarray.to_gpu(rows) + gpuarray.to_gpu(columns), rows + columns)
    table = gpuarray.to_gpu(numbers(3, 4))
    table *= gpuarray.to_gpu(rows)
    equal(table, numbers(3, 4) * rows)
    with pytest.raises(ValueError, match="broadcast"):
        gpuarray.to_gpu(numbers(3)) + gpuarray.to_gpu(numbers(4))
    with pytest.raises(ValueError, match="shape"):
        small = gpuarray.to_gpu(numbers(4))
        small += table


def test_reductions_along_axes() -> None:
    host = numbers(3, 4, 5)
    array = gpuarray.to_gpu(host)
    for axis in (0, 1, -1, (0, 2)):
        equal(gpuarray.sum(array, axis=axis), host.sum(axis=axis))
        equal(array.max(axis=axis), host.max(axis=axis))
        equal(gpuarray.any(array > 59, axis=axis), (host > 59).any(axis=axis))
    equal(array.T.sum(axis=0), host.T.sum(axis=0))
    equal(array[:, ::2].min(), host.min())
    with pytest.raises(ValueError, match="out of bounds"):
        array.sum(axis=3)


def test_small_integers_are_added_without_overflow() -> None:
    host = np.full(1000, 100, np.int8)
    equal(gpuarray.sum(gpuarray.to_gpu(host)), host.sum())
    equal(gpuarray.sum(gpuarray.to_gpu(host > 0)), (host > 0).sum())
    assert gpuarray.sum(gpuarray.to_gpu(host), dtype=np.int8).dtype == np.int8


def test_nan_is_not_passed_over() -> None:
    host = np.array([1, np.nan, 3, 0], np.float32)
    array = gpuarray.to_gpu(host)
    assert np.isnan(gpuarray.max(array).get()) and np.isnan(gpuarray.min(array).get())
    equal(gpuarray.maximum(array, 2), np.maximum(host, np.float32(2)))


def test_overlapping_writes_read_first() -> None:
    host = numbers(1000)
    array = gpuarray.to_gpu(host)
    array[1:] += array[:-1]
    host[1:] += host[:-1].copy()
    equal(array, host)


def test_take_needs_no_textures() -> None:
    host = numbers(100, dtype=np.complex128)
    array = gpuarray.to_gpu(host)
    for dtype in (np.uint32, np.int64, np.int8):
        indices = np.array([[3, 99], [0, 7]], dtype)
        equal(gpuarray.take(array, gpuarray.to_gpu(indices)), host[indices])
    equal(
        gpuarray.take(array.reshape(10, 10).T, gpuarray.to_gpu(np.array([1, 2]))), host.reshape(10, 10).T.ravel()[1:3]
    )
    with pytest.raises(TypeError, match="integers"):
        gpuarray.take(array, gpuarray.zeros(3))


def test_several_arrays_are_taken_and_put() -> None:
    hosts = [numbers(10) * k for k in range(1, 26)]
    arrays = [gpuarray.to_gpu(host) for host in hosts]
    indices, places = np.array([1, 5, 9], np.int32), np.array([2, 0, 1], np.int32)
    on_indices, on_places = gpuarray.to_gpu(indices), gpuarray.to_gpu(places)
    for got, host in zip(gpuarray.multi_take(arrays, on_indices), hosts, strict=True):
        equal(got, host[indices])
    for got, host in zip(
        gpuarray.multi_put([array[:3] for array in arrays], on_places, dest_shape=(3,)), hosts, strict=True
    ):
        equal(got, host[:3][np.argsort(places)])
    offsets = [0] * 24 + [-1]
    got = gpuarray.multi_take_put(arrays, on_places, on_indices, dest_shape=(3,), src_offsets=offsets)
    equal(got[0], hosts[0][indices][np.argsort(places)])
    equal(got[24], hosts[24][indices - 1][np.argsort(places)])
    assert gpuarray.multi_take([], on_indices) == []
    with pytest.raises(ValueError, match="same length"):
        gpuarray.multi_take_put(arrays, on_places, on_indices, dest_shape=(3,), src_offsets=[1])


# --- NumPy


def test_numpys_functions_stay_on_the_device() -> None:
    host = numbers(3, 4)
    array = gpuarray.to_gpu(host)
    np.testing.assert_allclose(np.sin(array).get(), np.sin(host), rtol=1e-6)
    equal(np.add(array, 1), np.add(host, 1))
    equal(np.float32(2) * array, np.float32(2) * host)
    equal(np.concatenate([array, array], axis=1), np.concatenate([host, host], axis=1))
    equal(np.where(array > 3, array, 0), np.where(host > 3, host, 0))
    equal(np.sum(array, axis=0, keepdims=True), np.sum(host, axis=0, keepdims=True))
    equal(np.add.reduce(array), np.add.reduce(host))
    equal(np.full_like(array, 3), np.full_like(host, 3))
    assert np.array_equal(array, array) and not np.array_equal(array, array + 1)
    assert np.shape(array) == (3, 4)
    out = gpuarray.empty_like(array)
    assert np.multiply(array, 2, out=out) is out
    equal(out, host * 2)


def test_host_arrays_are_not_mixed_in_silently() -> None:
    array = gpuarray.to_gpu(numbers(3))
    for operation in (
        lambda: array + numbers(3),
        lambda: numbers(3) + array,
        lambda: np.linalg.norm(array),
        lambda: np.sort(array),
    ):
        with pytest.raises(TypeError):
            operation()
    with pytest.raises(TypeError, match="to_gpu"):
        gpuarray.maximum(array, numbers(3))
    with pytest.raises(TypeError, match="to_gpu"):
        gpuarray.sum(numbers(3))


def test_numbers_beyond_the_type() -> None:
    array = gpuarray.to_gpu(np.array([1, 255], np.uint8))
    with pytest.raises(OverflowError):
        array + 256
    equal(array < 256, [True, True])
    equal(array == -1, [False, False])
    equal(300 > array, [True, True])
    signed, unsigned = np.array([-1, 5]), np.array([5, 2**63], np.uint64)
    equal(gpuarray.to_gpu(signed) < gpuarray.to_gpu(unsigned), signed < unsigned)
    equal(gpuarray.to_gpu(unsigned) >= gpuarray.to_gpu(signed), unsigned >= signed)


def test_powers() -> None:
    host = np.array([-3, -1, 0, 1, 2, 7], np.int32)
    array = gpuarray.to_gpu(host)
    equal(array**3, host**3)
    equal(
        array ** gpuarray.to_gpu(np.array([0, 1, 2, 30, 31, 2], np.int32)),
        host ** np.array([0, 1, 2, 30, 31, 2], np.int32),
    )
    with pytest.raises(ValueError, match="negative integer powers"):
        array**-1
    real = np.linspace(0.1, 3, 7, dtype=np.float32)
    equal(gpuarray.to_gpu(real) ** 2, real**2)
    np.testing.assert_allclose((2 ** gpuarray.to_gpu(real)).get(), 2**real, rtol=1e-6)


# --- Arrays and memory


def test_strides_that_are_given() -> None:
    host = np.arange(24, dtype=np.int32)
    base = gpuarray.to_gpu(host)
    view = gpuarray.GPUArray((2, 3), np.int32, base=base, gpudata=int(base.gpudata) + 8, strides=(16, 4))
    equal(view, np.lib.stride_tricks.as_strided(host[2:], (2, 3), (16, 4)))
    back = gpuarray.GPUArray((4,), np.int32, base=base, gpudata=base.ptr + 12, strides=(-4,))
    equal(back, host[3::-1])
    assert view.base is base and int(view.gpudata) == base.ptr + 8
    del base
    view += 1
    equal(view[0], host[2:5] + 1)
    with pytest.raises(ValueError, match="strides"):
        gpuarray.GPUArray((2, 3), np.int32, strides=(4,))
    with pytest.raises(ValueError, match="order"):
        gpuarray.GPUArray((2, 3), np.int32, order="K")  # type: ignore[arg-type]


def test_allocators_are_called_and_kept() -> None:
    sizes: list[int] = []

    def allocate(size: int) -> Any:
        sizes.append(size)
        return driver.mem_alloc(size)

    array = gpuarray.to_gpu(numbers(10), allocator=allocate)
    assert sizes == [40] and array.allocator is allocate
    assert int(array.gpudata) == array.ptr
    doubled = array[::2] * 2
    assert sizes == [40, 20] and doubled.allocator is allocate
    equal(doubled, numbers(10)[::2] * 2)
    equal(gpuarray.sum(array, allocator=allocate), np.float32(55))
    copied = array.copy()
    assert copied.allocator is allocate and gpuarray.empty_like(array).allocator is allocate
    assert gpuarray.zeros(3).allocator is driver.mem_alloc
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert gpuarray.arange(3, allocator=allocate).allocator is allocate


def test_memory_can_be_freed_by_hand() -> None:
    array = gpuarray.zeros(10)
    assert int(array.gpudata) == array.ptr and array[2:].gpudata == array.ptr + 16
    array.gpudata.free()
    with pytest.raises(driver.LogicError):
        array.get()


def test_copies_to_and_from_the_host() -> None:
    array = gpuarray.to_gpu(numbers(2, 3))
    out = np.zeros((2, 3), np.float32)
    assert array.get(out) is out
    np.testing.assert_array_equal(out, numbers(2, 3))
    turned = np.zeros((3, 2), np.float32).T
    array.get(turned)
    np.testing.assert_array_equal(turned, out)
    with pytest.warns(DeprecationWarning):
        array.get(flat := np.zeros(6, np.float32))
    np.testing.assert_array_equal(flat, numbers(6))
    with pytest.raises(TypeError, match="dtype"):
        array.get(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="elements"):
        array.get(np.zeros(5, np.float32))
    with pytest.raises(ValueError, match="dtype"):
        array.set(np.zeros((2, 3)))
    stream = driver.Stream()
    pinned = array.get(pagelocked=True, async_=True, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(pinned, out)
    pinned[...] = 7
    array.set_async(pinned, stream)
    stream.synchronize()
    equal(array, np.full((2, 3), 7, np.float32))
    np.testing.assert_array_equal(gpuarray.to_gpu_async(out, stream=stream).get(), out)


def test_copies_and_pickles() -> None:
    host = np.asfortranarray(numbers(3, 4))
    array = gpuarray.to_gpu(host)
    for other in (copy.copy(array), copy.deepcopy(array), array.copy(), pickle.loads(pickle.dumps(array))):
        equal(other, host)
        assert other.strides == host.strides and other.ptr != array.ptr


def test_shapes() -> None:
    host = numbers(4, 6)
    array = gpuarray.to_gpu(host)
    equal(array.T.reshape(8, 3), host.T.reshape(8, 3))
    equal(array[:, ::2].reshape(-1), host[:, ::2].reshape(-1))
    equal(gpuarray.transpose(array, (1, 0)), host.T)
    equal(gpuarray.reshape(array, (3, 8)), host.reshape(3, 8))
    turned = gpuarray.to_gpu(np.asfortranarray(host))
    assert turned.view(np.int16).shape == (8, 6)
    equal(array.reverse(), host.ravel()[::-1].reshape(4, 6))
    equal(gpuarray.stack([array, array], axis=1), np.stack([host, host], axis=1))
    assert array.reshape(4, 6).base is array


def test_arange() -> None:
    for arguments in [(0, 10, 3), (5,), (10, 0, -2), (2, 2), (1.5, 4.0, 0.5), (0, 1, 0.1)]:
        for dtype in (np.float32, np.float64, np.int32, np.uint8, np.complex64):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = np.arange(*arguments, dtype=dtype)
            np.testing.assert_allclose(gpuarray.arange(*arguments, dtype=dtype).get(), wanted, rtol=1e-6)
    with pytest.warns(UserWarning, match="int64"):
        equal(gpuarray.arange(4), np.arange(4))
    for wrong in [(), (1, 2, 3, 4)]:
        with pytest.raises(ValueError):
            gpuarray.arange(*wrong, dtype=np.int32)


def test_vectors() -> None:
    names = [name for name in dir(gpuarray.vec) if not name.startswith(("_", "make_"))]
    assert len(names) == 42 and gpuarray.vec.float3 == np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])
    one = gpuarray.vec.make_float2(1, y=2)
    assert one.dtype == gpuarray.vec.float2 and one["y"] == 2
    with pytest.raises(TypeError, match="x, y"):
        gpuarray.vec.make_float2(1)
    array = gpuarray.empty(5, gpuarray.vec.float2).fill(one)
    kernel = ElementwiseKernel("float2 *v, float *sum", "sum[i] = v[i].x + v[i].y")
    total = gpuarray.empty(5, np.float32)
    kernel(array, total)
    equal(total, np.full(5, 3, np.float32))
    equal(array["y"], np.full(5, 2, np.float32))


def test_truth_hash_and_text() -> None:
    array = gpuarray.to_gpu(numbers(3))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(array)
    with pytest.raises(TypeError, match="hashable"):
        hash(array)
    assert str(array) == str(numbers(3)) and repr(array) == repr(numbers(3))
    assert len(array) == 3 and array.mem_size == 3 and array.nbytes == 12
    assert bool(gpuarray.ones((1, 1)))


def test_linear_combinations() -> None:
    x, y = numbers(5), numbers(5) * 3
    on_x, on_y = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
    equal(on_x.mul_add(2, on_y, 3), 2 * x + 3 * y)
    equal(on_x[::-1].mul_add(2, on_y, 0.5), 2 * x[::-1] + np.float32(0.5) * y)
    timed: list[Any] = []
    equal(on_x.mul_add(1, on_y, 1, add_timer=lambda count, time: timed.append((count, time()))), x + y)
    assert timed[0][0] == 15 and timed[0][1] >= 0


def test_grids_for_kernels() -> None:
    for n in (0, 1, 31, 33, 10**5, 10**8):
        (blocks, one), (threads, *rest) = gpuarray.splay(n)
        assert one == 1 and rest == [1, 1] and blocks >= 1 and threads % 32 == 0
    array = gpuarray.zeros(1000)
    assert (array._grid, array._block) == gpuarray.splay(1000)
