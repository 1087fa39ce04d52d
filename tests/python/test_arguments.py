"""Arguments are converted by the kernel's real signature."""

import ctypes

import cuox
import numpy as np
import pytest
from conftest import download, upload
from cuox import LaunchConfig, Program, launch

SOURCE = r"""
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct Pair { int first; double second; };
extern "C" {
__global__ void f32(float *p, float v) { *p = v; }
__global__ void f64(double *p, double v) { *p = v; }
__global__ void f16(__half *p, __half v) { *p = v; }
__global__ void bf16(__nv_bfloat16 *p, __nv_bfloat16 v) { *p = v; }
__global__ void i8(signed char *p, signed char v) { *p = v; }
__global__ void u8(unsigned char *p, unsigned char v) { *p = v; }
__global__ void i16(short *p, short v) { *p = v; }
__global__ void u16(unsigned short *p, unsigned short v) { *p = v; }
__global__ void i32(int *p, int v) { *p = v; }
__global__ void u32(unsigned *p, unsigned v) { *p = v; }
__global__ void i64(long long *p, long long v) { *p = v; }
__global__ void u64(unsigned long long *p, unsigned long long v) { *p = v; }
__global__ void b(bool *p, bool v) { *p = v; }
__global__ void v4(float4 *p, float4 v) { *p = v; }
__global__ void pair(Pair *p, Pair v) { *p = v; }
__global__ void pointer(void **p, const void *v) { *p = (void *)v; }
__global__ void copy(const float *from, float *to) { *to = *from; }
__global__ void many(int a, double b, char c, float *p, short d) { *p = a + b + c + d; }
}
"""
ONE = LaunchConfig(grid=1, block=1)


@pytest.fixture(scope="module")
def code(device):
    return Program(SOURCE, code_type="c++").compile("ptx")


@pytest.fixture
def cell(device, stream):
    buffer = device.allocate(64, stream=stream)
    buffer.fill(0xEE, stream=stream)
    return buffer


INTEGERS = [
    ("i8", np.int8), ("u8", np.uint8), ("i16", np.int16), ("u16", np.uint16),
    ("i32", np.int32), ("u32", np.uint32), ("i64", np.int64), ("u64", np.uint64),
]  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), INTEGERS)
def test_integers(code, cell, stream, name, dtype):
    kernel = code.get_kernel(name)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    for value in (0, 1, low, high, dtype(high), np.int64(5), True):
        launch(stream, ONE, kernel, cell, value)
        assert download(cell, dtype, stream)[0] == value
    for value in (int(low) - 1, int(high) + 1, 1 << 70, -(1 << 70)):
        with pytest.raises(OverflowError, match=rf'{name}: parameter 2 "v"'):
            launch(stream, ONE, kernel, cell, value)
    for value in (1.0, "1", None, b"1", [1], np.float32(1), cell):
        with pytest.raises(TypeError, match=rf'{name}: parameter 2 "v"'):
            launch(stream, ONE, kernel, cell, value)


@pytest.mark.parametrize(("name", "dtype"), [("f16", np.float16), ("f32", np.float32), ("f64", np.float64)])
def test_floats(code, cell, stream, name, dtype):
    kernel = code.get_kernel(name)
    for value in (
        0.0,
        -1.5,
        1 / 3,
        2,
        True,
        np.float32(0.1),
        np.float64(0.1),
        np.float16(0.1),
        np.int32(3),
        float("inf"),
    ):
        launch(stream, ONE, kernel, cell, value)
        assert download(cell, dtype, stream)[0] == dtype(value)
    launch(stream, ONE, kernel, cell, float("nan"))
    assert np.isnan(download(cell, dtype, stream)[0])
    for value in ("1", None, 1j, [1.0], b"1"):
        with pytest.raises(TypeError, match=rf'{name}: parameter 2 "v"'):
            launch(stream, ONE, kernel, cell, value)
    if dtype is not np.float64:
        with pytest.raises(OverflowError, match=rf'{name}: parameter 2 "v"'):
            launch(stream, ONE, kernel, cell, 1e300)


def test_half_rounds_once_to_even(code, cell, stream):
    kernel = code.get_kernel("f16")
    for value in (1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-11 + 2**-40, 2**-24, 2**-25, 2**-25 * 1.001, 65504.0, 65519.99):
        launch(stream, ONE, kernel, cell, value)
        assert download(cell, np.float16, stream)[0] == np.float64(value).astype(np.float16), value


def test_bfloat16(code, cell, stream):
    launch(stream, ONE, code.get_kernel("bf16"), cell, 1.5)
    assert download(cell, np.uint16, stream)[0] == 0x3FC0


def test_bool(code, cell, stream):
    kernel = code.get_kernel("b")
    for value in (True, False, 1, 0, np.bool_(True), np.bool_(False)):
        launch(stream, ONE, kernel, cell, value)
        assert download(cell, np.uint8, stream)[0] == bool(value)
    with pytest.raises(OverflowError):
        launch(stream, ONE, kernel, cell, 2)
    with pytest.raises(TypeError, match="bool"):
        launch(stream, ONE, kernel, cell, "yes")


PTX = b"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) { ret; }
.visible .entry q(.param .u64 .ptr .global .align 4 p) { ret; }
"""


@pytest.mark.parametrize("value", [True, False, np.bool_(True), ctypes.c_bool(True)])
def test_a_truth_value_is_no_address(code, cell, device, stream, value):
    with pytest.raises(TypeError, match='"p".* takes a device pointer, not'):
        launch(stream, ONE, code.get_kernel("i32"), value, 1)
    loaded = cuox.ObjectCode.from_ptx(PTX)
    for name in ("k", "q"):
        with pytest.raises(TypeError, match="parameter 1 .* takes a device pointer"):
            launch(stream, ONE, loaded.get_kernel(name), value)
    launch(stream, ONE, loaded.get_kernel("k"), int(cell))
    for make in (lambda: cuox.Buffer.from_handle(value, 4), lambda: cuox.Stream.from_handle(value)):
        with pytest.raises(TypeError, match="from_handle: .*expected an int, got .*bool"):
            make()


def test_ctypes_values(code, cell, stream):
    launch(stream, ONE, code.get_kernel("i32"), cell, ctypes.c_int(-3))
    assert download(cell, np.int32, stream)[0] == -3
    launch(stream, ONE, code.get_kernel("f32"), ctypes.c_void_p(int(cell.handle)), ctypes.c_float(0.5))
    assert download(cell, np.float32, stream)[0] == 0.5


def test_structures(code, cell, stream):
    kernel = code.get_kernel("pair")
    dtype = np.dtype([("first", np.int32), ("second", np.float64)], align=True)
    record = np.array([(7, 2.5)], dtype)[0]

    class Pair(ctypes.Structure):
        _fields_ = [("first", ctypes.c_int), ("second", ctypes.c_double)]

    for value in (record, record.tobytes(), bytearray(record.tobytes()), Pair(7, 2.5)):
        cell.fill(0, stream=stream)
        launch(stream, ONE, kernel, cell, value)
        result = download(cell, np.uint8, stream)[:16].view(dtype)[0]
        assert (result["first"], result["second"]) == (7, 2.5)
    with pytest.raises(TypeError, match='pair: parameter 2 "v".*15 bytes'):
        launch(stream, ONE, kernel, cell, bytes(15))
    with pytest.raises(TypeError, match='pair: parameter 2 "v"'):
        launch(stream, ONE, kernel, cell, 7)


def test_pointers(code, cell, stream):
    kernel = code.get_kernel("pointer")
    for value, address in (
        (None, 0),
        (0, 0),
        (1 << 63, 1 << 63),
        (cell, int(cell.handle)),
        (np.uint64(64), 64),
        (ctypes.c_void_p(None), 0),
    ):
        launch(stream, ONE, kernel, cell, value)
        assert download(cell, np.uint64, stream)[0] == address
    for value in (1.0, "p", object(), [1]):
        with pytest.raises(TypeError, match=r'pointer: parameter 2 "v" \(const void ?\*\).*device pointer'):
            launch(stream, ONE, kernel, cell, value)
    with pytest.raises(OverflowError):
        launch(stream, ONE, kernel, cell, -1)


def test_host_memory_is_refused(code, cell, stream):
    kernel = code.get_kernel("copy")
    for host in (np.zeros(4, np.float32), bytearray(16), (ctypes.c_float * 4)(), b"0123"):
        with pytest.raises(TypeError, match=r'copy: parameter 1 "from" \(const float ?\*\).*host memory'):
            launch(stream, ONE, kernel, host, cell)


def test_pinned_host_memory_is_taken(code, cell, stream):
    pinned = np.from_dlpack(cuox.LegacyPinnedMemoryResource().allocate(16)).view(np.float32)
    if not pinned.flags.writeable:
        assert np.lib.NumpyVersion(np.__version__) < "2.0.0"
        pytest.skip("before NumPy 2 its arrays of DLPack are read-only")
    pinned[0] = 12.5
    launch(stream, ONE, code.get_kernel("copy"), pinned, cell)
    assert download(cell, np.float32, stream)[0] == 12.5


class Interface:
    def __init__(self, buffer, read_only=False, stream=None, **more):
        address = int(buffer.handle)
        self.__cuda_array_interface__ = {
            "shape": (4,), "typestr": "<f4", "data": (address, read_only), "version": 3, "stream": stream, **more,
        }  # fmt: skip


def test_cuda_array_interface(device, code, cell, stream):
    source = upload(device, np.array([3.25], np.float32), stream)
    launch(stream, ONE, code.get_kernel("copy"), Interface(source), Interface(cell))
    assert download(cell, np.float32, stream)[0] == 3.25


def test_read_only_arrays(device, code, cell, stream):
    source = upload(device, np.array([4.5], np.float32), stream)
    kernel = code.get_kernel("copy")
    launch(stream, ONE, kernel, Interface(source, read_only=True), cell)
    assert download(cell, np.float32, stream)[0] == 4.5
    with pytest.raises(TypeError, match='copy: parameter 2 "to".*read-only'):
        launch(stream, ONE, kernel, source, Interface(cell, read_only=True))


def test_strided_arrays_are_refused(device, code, cell, stream):
    with pytest.raises(TypeError, match="contiguous"):
        launch(stream, ONE, code.get_kernel("copy"), Interface(cell, strides=(8,)), cell)
    launch(stream, ONE, code.get_kernel("copy"), Interface(cell, strides=(4,)), cell)
    launch(stream, ONE, code.get_kernel("copy"), Interface(cell, shape=(2, 2), strides=(4, 8)), cell)


def test_the_producers_stream_is_waited_for(device, code, cell, stream):
    producer = device.create_stream()
    source = device.allocate(1 << 20, stream=producer)
    value = np.array([6.5], np.float32)
    for _ in range(20):
        source.fill(0, stream=producer)
    source.fill(value, stream=producer)
    kernel = code.get_kernel("copy")
    launch(stream, ONE, kernel, Interface(source, stream=int(producer.handle)), cell)
    assert download(cell, np.float32, stream)[0] == 6.5
    with pytest.raises(ValueError, match="stream 0"):
        launch(stream, ONE, kernel, Interface(source, stream=0), cell)
    with pytest.raises(TypeError, match="__cuda_array_interface__: 'stream' must be .*, got str 'x'"):
        launch(stream, ONE, kernel, Interface(source, stream="x"), cell)


def test_devices_of_dlpack_that_are_none(code, cell, stream):
    class Producer:
        def __dlpack__(self, **options):
            raise AssertionError("not asked")

        def __dlpack_device__(self):
            return 5

    with pytest.raises(TypeError, match=r"Producer.__dlpack_device__\(\) must return a tuple of two ints.*, got int 5"):
        launch(stream, ONE, code.get_kernel("copy"), Producer(), cell)


def test_dlpack(device, code, cell, stream):
    class Producer:
        def __init__(self, buffer):
            self.buffer = buffer
            self.asked = None

        def __dlpack_device__(self):
            return self.buffer.__dlpack_device__()

        def __dlpack__(self, **options):
            self.asked = options
            return self.buffer.__dlpack__(**options)

    source = upload(device, np.array([8.5], np.float32), stream)
    stream.sync()
    producer = Producer(source)
    launch(stream, ONE, code.get_kernel("copy"), producer, cell)
    assert download(cell, np.float32, stream)[0] == 8.5
    assert "max_version" in producer.asked


def test_wrong_count(code, cell, stream):
    kernel = code.get_kernel("copy")
    for arguments in ((), (cell,), (cell, cell, cell)):
        with pytest.raises(TypeError, match=rf"copy takes 2 arguments, not {len(arguments)}.*const float \*"):
            launch(stream, ONE, kernel, *arguments)


def test_mixed_sizes(code, cell, stream):
    launch(stream, ONE, code.get_kernel("many"), 1, 2.5, 3, cell, 4)
    assert download(cell, np.float32, stream)[0] == 10.5


def test_a_closed_buffer(device, code, cell, stream):
    gone = device.allocate(16, stream=stream)
    gone.close()
    with pytest.raises(cuox.CUDAError, match="buffer is closed"):
        launch(stream, ONE, code.get_kernel("copy"), gone, cell)


def test_code_that_is_known_as_ptx_only(code, cell, stream):
    bare = cuox.ObjectCode.from_ptx(code.code)
    for value in (-1, 1, 2**63):
        launch(stream, ONE, bare.get_kernel("i64"), cell, value)
        assert download(cell, np.uint64, stream)[0] == value % 2**64
    for value in (-1, 2**32 - 1):
        launch(stream, ONE, bare.get_kernel("i32"), cell, value)
        assert download(cell, np.uint32, stream)[0] == value % 2**32
    launch(stream, ONE, bare.get_kernel("f32"), cell, 0.25)
    assert download(cell, np.float32, stream)[0] == 0.25
    with pytest.raises(TypeError, match="f32: parameter 2"):
        launch(stream, ONE, bare.get_kernel("f32"), cell, "x")
    with pytest.raises(OverflowError, match="i64: parameter 2"):
        launch(stream, ONE, bare.get_kernel("i64"), cell, 2**64)


def test_vectors_by_value(code, cell, stream):
    kernel = code.get_kernel("v4")
    right = np.array([1, 2, 3, 4], "f4")
    for value in (right, right.tobytes(), right.view("V16")[0], (ctypes.c_float * 4)(*right)):
        launch(stream, ONE, kernel, cell, value)
        assert list(download(cell, np.float32, stream)[:4]) == [1, 2, 3, 4]
    for wrong, name in ((right.astype("i4"), "int32"), (np.array([1.0, 2.0]), "float64")):
        with pytest.raises(TypeError, match=rf"v4: parameter 2.*array of float32, not numpy.ndarray\[{name}\]"):
            launch(stream, ONE, kernel, cell, wrong)
    for name, wrong in (("v4", right.astype(">f4")), ("pair", right.astype(">f4"))):
        with pytest.raises(TypeError, match=rf"{name}: parameter 2.*big-endian.*newbyteorder"):
            launch(stream, ONE, code.get_kernel(name), cell, wrong)


def test_complex_numbers_are_no_floats(code, cell, stream):
    launch(stream, ONE, code.get_kernel("f32"), cell, np.float32(0.5))
    for value in (1 + 2j, np.complex64(1 + 2j), np.complex128(1), np.array(1 + 2j, "c8")):
        for name in ("f32", "f64", "f16"):
            with pytest.raises(TypeError, match=f"{name}: parameter 2"):
                launch(stream, ONE, code.get_kernel(name), cell, value)


def test_complex_numbers_by_value(cell, stream):
    source = """
    #include <cuda/std/complex>
    #include <cuComplex.h>
    template <class T> __global__ void put(T *p, T v) { *p = v; }
    struct Two { float a, b; };
    """
    types = ["cuda::std::complex<double>", "cuda::std::complex<float>", "cuDoubleComplex", "cuFloatComplex"]
    names = [f"put<{name}>" for name in (*types, "Two", "bool", "int")]
    code = Program(source, code_type="c++").compile("ptx", name_expressions=names)
    for name, dtype in zip(types, (np.complex128, np.complex64) * 2, strict=True):
        launch(stream, ONE, code.get_kernel(f"put<{name}>"), cell, 3 - 4j)
        assert download(cell, dtype, stream)[0] == 3 - 4j
    for name, dtype in (("bool", np.bool_), ("int", np.int32)):
        launch(stream, ONE, code.get_kernel(f"put<{name}>"), cell, np.bool_(True))
        assert download(cell, dtype, stream)[0] == 1
    with pytest.raises(TypeError, match="put<Two>: parameter 2"):
        launch(stream, ONE, code.get_kernel("put<Two>"), cell, 3 - 4j)


def test_an_integer_that_no_double_has_room_for(code, cell, stream):
    with pytest.raises(
        OverflowError,
        match=r"f64: parameter 2 .* takes a 64-bit floating-point number \(up to 1.8e308\), not 10+… \(.* digits\)$",
    ):
        launch(stream, ONE, code.get_kernel("f64"), cell, 10**400)


def test_what_is_checked_is_a_word(device):
    for value in (True, 1, b"memory"):
        with pytest.raises(TypeError, match=r'device\.check must be "memory", "off" or None, got (bool|int|bytes)'):
            device.check = value


def test_masked_arrays_are_not_copied(device, cell, stream):
    plain = np.arange(4, dtype="f4")
    with pytest.raises(TypeError, match="whose mask hides elements"):
        cell.copy_from_host(np.ma.masked_array(plain, mask=[0, 1, 0, 0]), stream=stream)
    cell.copy_from_host(np.ma.masked_array(plain), stream=stream)
    assert list(download(cell, np.float32, stream)[:4]) == [0, 1, 2, 3]


def test_an_array_that_names_sizes_that_are_none(code, cell, stream):
    class Array:
        __cuda_array_interface__ = {
            "shape": (1 << 70,),
            "typestr": "<f4",
            "data": (int(cell.handle), False),
            "version": 3,
        }

    with pytest.raises(OverflowError, match="'shape' has numbers that do not fit 64 bits"):
        launch(stream, ONE, code.get_kernel("f32"), Array(), 1.0)


def test_an_array_that_names_a_stream_that_is_none(device, code, cell, stream):
    if not device.is_soft:
        pytest.skip("a GPU's driver follows the handle")

    class Array:
        __cuda_array_interface__ = {
            "shape": (1,),
            "typestr": "<f4",
            "data": (int(cell.handle), False),
            "version": 3,
            "stream": 99,
        }

    with pytest.raises(
        cuox.CUDAError, match="the array's __cuda_array_interface__ names stream 99: CUDA_ERROR_INVALID_HANDLE"
    ):
        launch(stream, ONE, code.get_kernel("f32"), Array(), 1.0)


def test_an_array_that_names_an_address_or_a_stream_that_is_no_number_of_64_bits(device, code, cell, stream):
    class Array:
        def __init__(self, **more):
            self.__cuda_array_interface__ = {
                "shape": (1,),
                "typestr": "<f4",
                "data": (int(cell.handle), False),
                "version": 3,
                **more,
            }

    for more, text in (
        ({"data": (-1, False)}, r"'data' must be a pair .*, got \(-1, False\)"),
        ({"stream": -5}, "'stream' must be a stream's handle, 1, 2 or None, got -5"),
    ):
        with pytest.raises(ValueError, match=text):
            launch(stream, ONE, code.get_kernel("f32"), Array(**more), 1.0)
