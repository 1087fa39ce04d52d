"""`cuox.cuda.bindings`: what calls take for handles and for kernels' parameters, and that results are nobody else's."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import cuox
import exhaustive
import pytest
from cuox.cuda.bindings import driver

np = pytest.importorskip("numpy")

OK = driver.CUresult.CUDA_SUCCESS
WARP = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE
THREADS = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK
REGISTERS = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK
POINTER = ctypes.POINTER(ctypes.c_int)

# The stored values: a, b, c, d and p, at 0, 8, 16, 20 and 24.
STORE = b"""
.version 8.0
.target sm_75
.address_size 64
.visible .entry store(.param .u64 to, .param .f32 a, .param .f64 b, .param .s32 c, .param .u8 d, .param .u64 p)
{
    .reg .b64 %to, %p;
    .reg .f32 %a;
    .reg .f64 %b;
    .reg .b32 %c, %d;
    ld.param.u64 %to, [to];
    ld.param.f32 %a, [a];
    ld.param.f64 %b, [b];
    ld.param.s32 %c, [c];
    ld.param.u8 %d, [d];
    ld.param.u64 %p, [p];
    cvta.to.global.u64 %to, %to;
    st.global.f32 [%to], %a;
    st.global.f64 [%to+8], %b;
    st.global.s32 [%to+16], %c;
    st.global.u32 [%to+20], %d;
    st.global.u64 [%to+24], %p;
    ret;
}
.visible .entry nothing() { ret; }
"""


def checked(result: tuple[Any, ...]) -> Any:
    assert result[0] == OK
    return result[1] if len(result) == 2 else result[1:]


@pytest.fixture(scope="module")
def device() -> Iterator[driver.CUdevice]:
    assert driver.cuInit(0) == (OK,)
    device = checked(driver.cuDeviceGet(0))
    assert driver.cuCtxSetCurrent(checked(driver.cuDevicePrimaryCtxRetain(device))) == (OK,)
    yield device
    assert driver.cuDevicePrimaryCtxRelease(device) == (OK,)


@pytest.fixture(scope="module")
def module(device: driver.CUdevice) -> driver.CUmodule:
    return checked(driver.cuModuleLoadData(STORE))


class Store:
    """The kernel, launched with parameters, and what it has stored."""

    WANTED = (1.5, 2.25, -3, 1, 0xDEADBEEF)

    def __init__(self, module: driver.CUmodule) -> None:
        self.kernel = checked(driver.cuModuleGetFunction(module, b"store"))
        self.to = checked(driver.cuMemAlloc(32))

    def __call__(self, parameters: object) -> None:
        host = np.zeros(32, np.uint8)
        for named in (False, True):
            assert driver.cuMemsetD8(self.to, 0xEE, 32) == (OK,)
            if named:
                status = driver.cuLaunchKernel(
                    f=self.kernel, gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=1, blockDimY=1, blockDimZ=1, sharedMemBytes=0, hStream=0,
                    kernelParams=parameters, extra=0,
                )  # fmt: skip
            else:
                status = driver.cuLaunchKernel(self.kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0)
            assert status == (OK,)
            assert driver.cuMemcpyDtoH(host, self.to, 32) == (OK,)
            a, b, c, d, p = (
                host[at : at + size].view(kind)[0]
                for at, size, kind in ((0, 4, "f4"), (8, 8, "f8"), (16, 4, "i4"), (20, 1, "u1"), (24, 8, "u8"))
            )
            assert (a, b, c, d, p) == self.WANTED


@pytest.fixture(scope="module")
def store(module: driver.CUmodule) -> Iterator[Store]:
    store = Store(module)
    yield store
    assert driver.cuMemFree(store.to) == (OK,)


class Held:
    def __init__(self, value: Any) -> None:
        self.value = value

    def getPtr(self) -> int:
        return ctypes.addressof(self.value)


class Large(IntEnum):
    NUMBER = 256


class Single(ctypes.Structure):
    _fields_ = [("a", ctypes.c_float)]


class One(ctypes.Structure):
    _fields_ = [("a", ctypes.c_double)]


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_double), ("b", ctypes.c_double)]


def forms(to: driver.CUdeviceptr) -> list[Any]:
    c = ctypes
    return [
        ((to, 1.5, 2.25, -3, True, 0xDEADBEEF), (c.c_void_p, c.c_float, c.c_double, c.c_int, c.c_bool, c.c_void_p)),
        ((int(to), 1.5, 2.25, -3, 1, 0xDEADBEEF), (c.c_uint64, c.c_float, c.c_double, c.c_longlong, c.c_ubyte, c.c_size_t)),
        ((to, c.c_float(1.5), c.c_double(2.25), c.c_int(-3), c.c_ubyte(1), 0xDEADBEEF), (None,) * 6),
        ((c.c_void_p(int(to)), c.c_float(1.5), c.c_float(2.25), c.c_int(-3), c.c_bool(1), c.c_void_p(0xDEADBEEF)),
         (c.c_void_p, c.c_float, c.c_double, c.c_int, c.c_bool, c.c_void_p)),
        ([to, 1.5, 2.25, -3, b"\x01", np.uint64(0xDEADBEEF)], [None, c.c_float, c.c_double, c.c_int, c.c_char, c.c_void_p]),
        ((np.array([int(to)], np.uint64), np.float32(1.5), np.float64(2.25), np.int32(-3), np.bool_(1), np.uint64(0xDEADBEEF)),
         (None, c.c_float, c.c_double, c.c_int, c.c_bool, c.c_void_p)),
        [to, np.float32(1.5), np.float64(2.25), np.int32(-3), np.uint8(1), np.uint64(0xDEADBEEF)],
        ([to, np.float32(1.5), np.array(2.25), np.array([-3], np.int32), driver.CUctx_flags(1), 0xDEADBEEF], None),
        (driver.cuuint64_t(int(to)), np.array(1.5, np.float32), One(2.25), Held(c.c_int(-3)), np.bool_(1), c.cast(0xDEADBEEF, POINTER)),
        [to, Single(1.5), np.array([2.25, 7])[::2], np.array([-3], np.int32), c.c_byte(1), driver.CUstream(0xDEADBEEF)],
    ]  # fmt: skip


@pytest.mark.parametrize("form", range(len(forms(driver.CUdeviceptr(0)))))
def test_parameters_of_a_kernel(store: Store, form: int) -> None:
    store(forms(store.to)[form])


def test_parameters_as_in_c(store: Store) -> None:
    c = ctypes
    values = (
        c.c_uint64(int(store.to)),
        c.c_float(1.5),
        c.c_double(2.25),
        c.c_int(-3),
        c.c_ubyte(1),
        c.c_uint64(0xDEADBEEF),
    )
    addresses = [c.addressof(value) for value in values]
    array = (c.c_void_p * len(values))(*addresses)
    for given in (array, c.addressof(array), np.array(addresses, np.uint64)):
        store(given)


def test_more_parameters_than_lie_on_the_stack(device: driver.CUdevice, store: Store) -> None:
    names = [f"p{i}" for i in range(100)]
    code = f"""
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .entry many(.param .u64 to, {", ".join(f".param .s32 {name}" for name in names)})
    {{
        .reg .b64 %to;
        .reg .b32 %r;
        ld.param.u64 %to, [to];
        {"".join(f"ld.param.s32 %r, [{name}]; st.global.s32 [%to+{4 * (i % 8)}], %r;" for i, name in enumerate(names))}
        ret;
    }}
    """
    module = checked(driver.cuModuleLoadData(code.encode()))
    kernel = checked(driver.cuModuleGetFunction(module, b"many"))
    host = np.zeros(8, np.int32)
    for given in ([store.to, *range(100)], ((store.to, *range(100)), (ctypes.c_void_p, *[ctypes.c_int] * 100))):
        assert driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, given, 0) == (OK,)
        assert driver.cuMemcpyDtoH(host, store.to, 32) == (OK,)
        assert sorted(host) == list(range(92, 100))
    assert driver.cuModuleUnload(module) == (OK,)


SIGNATURE = r"store\(.u64, float, double, int32_t, int8_t, .u64\)$"
WHOLE = "; the kernel is " + SIGNATURE


def test_values_that_are_not_the_kernels(module: driver.CUmodule, store: Store) -> None:
    c = ctypes
    config = driver.CUlaunchConfig(gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=1, blockDimY=1, blockDimZ=1)
    launches: list[Any] = [
        lambda parameters, kernel=store.kernel: driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0),
        lambda parameters, kernel=store.kernel: driver.cuLaunchKernelEx(config, kernel, parameters, 0),
        lambda parameters, kernel=store.kernel: driver.cuLaunchCooperativeKernel(
            kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters
        ),
    ]
    right = forms(store.to)[6]
    for launch in launches:
        assert launch(right) == (OK,)
        for wrong, text in (
            (right[:5], "kernelParams: store takes 6 arguments, not 5: "),
            (right[:1], "kernelParams: store takes 6 arguments, not 1: "),
            ([*right, np.int32(1)], "kernelParams: store takes 6 arguments, not 7: "),
            (((1,), (c.c_int,)), "kernelParams: store takes 6 arguments, not 1: "),
            ([], "kernelParams: store takes 6 arguments, not 0: "),
            (None, "kernelParams: store takes 6 arguments, not 0: "),
            (0, "kernelParams: store takes 6 arguments, not 0: "),
            (
                5,
                "kernelParams: expected a list or tuple of values, or the address of their addresses, got 5; the kernel is ",
            ),
            (True, "addresses, got 1; the kernel is "),
            (np.zeros(5, np.uint64), "kernelParams: expected 6 addresses of values, got room for 5; the kernel is "),
            (bytes(47), "kernelParams: expected 6 addresses of values, got room for 5; the kernel is "),
        ):
            with pytest.raises(TypeError, match=text + SIGNATURE):
                launch(wrong)
        for types in (("P", "f", "q", "i", "B", "f"), (1, 2, 3, 4, 5, 6)):
            with pytest.raises(
                TypeError, match=rf"kernelParams\[0\]: the type of .* must be a ctypes type or None, got {types[0]!r}"
            ):
                launch((tuple(range(6)), types))
        for index, value, text in (
            (1, np.float64(1.5), r"2 \(float\) takes a 32-bit floating-point number, not numpy.float64 of 8 bytes"),
            (2, np.float32(1.5), r"3 \(double\) takes a 64-bit floating-point number, not numpy.float32 of 4 bytes"),
            (2, c.c_float(1.5), "3 .* not ctypes.c_float of 4 bytes"),
            (2, Pair(1, 2), "3 .*Pair of 16 bytes"),
            (3, store.to, r"4 \(int32_t\) takes a 32-bit integer, not .*CUdeviceptr of 8 bytes"),
            (3, 1 << 32, r"4 .* takes a 32-bit integer \(-2147483648 to 4294967295\), not 4294967296"),
            (3, np.int64(-1 << 31) - 1, "4 .*, not -2147483649"),
            (4, 256, r"5 \(int8_t\) takes an 8-bit integer \(-128 to 255\), not 256"),
            (4, Large.NUMBER, "5 .*, not 256"),
            (
                0,
                np.zeros(2, np.uint64),
                r"1 \(.u64\) takes a device pointer or a 64-bit integer, not numpy.ndarray \(host memory\); pass a device pointer",
            ),
        ):
            with pytest.raises(TypeError, match=rf"kernelParams\[{index}\]: store: parameter {text}$"):
                launch([*right[:index], value, *right[index + 1 :]])
        with pytest.raises(TypeError, match=r"kernelParams: nothing takes 0 arguments, not 6: nothing\(\)$"):
            launch(right, checked(driver.cuModuleGetFunction(module, b"nothing")))
        # The driver refuses a handle that is not one of its functions.
        if cuox.Device().is_soft:
            for nothing in (driver.CUfunction(1234), 1234, driver.CUfunction(), None, 0):
                assert launch(right, nothing)[0] in (
                    driver.CUresult.CUDA_ERROR_INVALID_HANDLE,
                    driver.CUresult.CUDA_ERROR_INVALID_VALUE,
                )


def test_numbers_that_are_no_addresses_of_parameters_in_one_piece(store: Store) -> None:
    for parameters in (0, None, forms(store.to)[6]):
        with pytest.raises(TypeError, match=r"cuLaunchKernel\(\): extra: expected the address of an array .*, got 5"):
            driver.cuLaunchKernel(store.kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 5)


def test_integers_become_as_large_as_their_parameters(store: Store) -> None:
    c = ctypes
    right = forms(store.to)[6]
    for index, values in (
        (3, (-3, np.int64(-3), np.int8(-3), np.array(-3), c.c_byte(-3), c.c_longlong(-3), np.array([-3], np.int16))),
        (4, (np.bool_(1), 1, np.uint64(1), c.c_int(1))),
        (5, (np.uint32(0xDEADBEEF), c.c_uint(0xDEADBEEF), np.int64(0xDEADBEEF))),
    ):
        for value in values:
            store([*right[:index], value, *right[index + 1 :]])
    # A conversion to another type than the value's, and then to the parameter's size.
    store((right, (*[None] * 3, c.c_longlong, *[None] * 2)))


def test_integers_are_no_floating_point_numbers(store: Store) -> None:
    c = ctypes
    right = forms(store.to)[6]
    for index, text in (
        (1, r"numpy\.float32\(value\) or ctypes\.c_float"),
        (2, r"numpy\.float64\(value\) or ctypes\.c_double"),
    ):
        for value in (
            2,
            np.int32(2),
            np.uint8(2),
            np.int64(2),
            c.c_int(2),
            c.c_longlong(2),
            np.array(2),
            driver.CUctx_flags(1),
        ):
            with pytest.raises(
                TypeError, match=rf"kernelParams\[{index}\]: .* floating-point number, not .*, an integer; pass {text}"
            ):
                store([*right[:index], value, *right[index + 1 :]])
        with pytest.raises(TypeError, match=rf"kernelParams\[{index}\]: .*, not ctypes.c_int, an integer"):
            store(((*right[:index], 2, *right[index + 1 :]), (*[None] * index, c.c_int, *[None] * (5 - index))))


def test_what_a_kernel_takes_is_known_of_libraries_too(device: driver.CUdevice, store: Store) -> None:
    library = checked(driver.cuLibraryLoadData(STORE, None, None, 0, None, None, 0))
    kernel = checked(driver.cuLibraryGetKernel(library, b"store"))
    with pytest.raises(TypeError, match=r"kernelParams\[1\]: .*, not int, an integer"):
        driver.cuLaunchKernel(
            kernel, 1, 1, 1, 1, 1, 1, 0, 0, [store.to, 2, np.float64(2), np.int32(3), np.uint8(1), 0], 0
        )
    assert driver.cuLibraryUnload(library) == (OK,)


def test_small_integers_where_no_text_says_what_a_kernel_takes(device: driver.CUdevice, store: Store) -> None:
    text = ctypes.create_string_buffer(STORE)
    module = checked(driver.cuModuleLoadDataEx(ctypes.addressof(text), 0, None, None))
    kernel = checked(driver.cuModuleGetFunction(module, b"store"))
    right = forms(store.to)[6]

    def launch(index: int, value: object) -> Any:
        return driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, [*right[:index], value, *right[index + 1 :]], 0)

    for index, value in ((1, np.uint8(2)), (1, ctypes.c_byte(2)), (2, np.int32(2)), (5, np.int32(2))):
        with pytest.raises(
            TypeError, match=rf"kernelParams\[{index}\]: .* takes a value of . bytes, not .* of . bytes?"
        ):
            launch(index, value)
    assert launch(5, 2) == (OK,)
    assert driver.cuModuleUnload(module) == (OK,)


def test_numbers_that_are_no_addresses_of_values(store: Store) -> None:
    def launch(parameters: object, extra: object = 0) -> Any:
        return driver.cuLaunchKernel(store.kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters, extra)

    class Five:
        def getPtr(self) -> int:
            return 5

    ones = np.ones(6, "u8")
    far = np.full(6, 1 << 63, "u8")
    for addresses in (ones, far, ones.ctypes.data, far.ctypes.data):
        with pytest.raises(TypeError, match=r"kernelParams\[0\]: expected the address of a value, got [0-9]+"):
            launch(addresses)
    with pytest.raises(TypeError, match="addresses, got 9223372036854775808"):
        launch(1 << 63)
    with pytest.raises(TypeError, match=r"kernelParams\[0\]: getPtr\(\) must return the value's address, got 5"):
        launch([Five(), *forms(store.to)[6][1:]])
    with pytest.raises(TypeError, match="extra: expected an address behind CU_LAUNCH_PARAM_BUFFER_POINTER, got 5"):
        launch(0, [1, 5, 2, 6, 0])
    words = np.array([1, ones.ctypes.data, 2, 6, 0], "u8")
    for extra in (words.ctypes.data, words.tolist()):
        with pytest.raises(TypeError, match="extra: expected an address behind CU_LAUNCH_PARAM_BUFFER_SIZE, got 6"):
            launch(0, extra)


def test_values_whose_bytes_are_in_the_other_order(store: Store) -> None:
    right = forms(store.to)[6]
    for value in (np.array(1.5, ">f4"), np.array([1.5], ">f4"), np.array((1.5,), [("a", ">f4")])):
        with pytest.raises(TypeError, match=r"kernelParams\[1\]: expected little-endian .*big-endian .*newbyteorder"):
            store([right[0], value, *right[2:]])
    store([right[0], np.array(1.5, "<f4"), *right[2:]])


def test_host_arrays_are_no_pointers(store: Store) -> None:
    right = forms(store.to)[6]
    for value in (np.zeros(1), np.zeros(2, "f4"), np.zeros(8, "u1")):
        with pytest.raises(
            TypeError, match=r"kernelParams\[5\]: .*, not numpy.ndarray \(host memory\); pass a device pointer"
        ):
            store([*right[:5], value])


def test_numbers_that_their_types_have_no_room_for(store: Store) -> None:
    c = ctypes
    right = forms(store.to)[6]
    types = [None] * 6
    for index, value, class_ in (
        (3, 1 << 40, c.c_int),
        (3, -3 - 2**32, c.c_int),
        (3, np.int64(1 << 40), c.c_int),
        (5, 1 << 64, c.c_void_p),
    ):
        with pytest.raises(
            OverflowError,
            match=rf"kernelParams\[{index}\]: expected a number of .. bits for ctypes.{class_.__name__}, got {value}",
        ):
            store(((*right[:index], value, *right[index + 1 :]), (*types[:index], class_, *types[index + 1 :])))
    with pytest.raises(
        OverflowError, match=r"kernelParams\[5\]: expected an integer of 64 bits, got 18446744073709551617"
    ):
        store([*right[:5], 2**64 + 1])


def test_a_function_whose_value_was_another_ones(module: driver.CUmodule, store: Store) -> None:
    # A driver may give a value again: what is remembered of it is not believed when it does not fit.
    right = forms(store.to)[6]
    launch = driver.cuLaunchKernel
    assert launch(store.kernel, 1, 1, 1, 1, 1, 1, 0, 0, right, 0) == (OK,)
    for _ in range(3):
        other = checked(driver.cuModuleLoadData(STORE.replace(b"nothing()", b"nothing(.param .u32 n)")))
        assert launch(
            checked(driver.cuModuleGetFunction(other, b"nothing")), 1, 1, 1, 1, 1, 1, 0, 0, [np.int32(1)], 0
        ) == (OK,)
        assert driver.cuModuleUnload(other) == (OK,)
        other = checked(driver.cuModuleLoadData(STORE))
        assert launch(checked(driver.cuModuleGetFunction(other, b"nothing")), 1, 1, 1, 1, 1, 1, 0, 0, 0, 0) == (OK,)
        assert driver.cuModuleUnload(other) == (OK,)


@pytest.mark.parametrize("nothing", [None, 0, False, (), [], ((), ()), ([], []), ((), None)])
def test_no_parameters(module: driver.CUmodule, nothing: object) -> None:
    kernel = checked(driver.cuModuleGetFunction(module, b"nothing"))
    for extra in (0, None, False, (), []):
        assert driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, driver.CUstream(0), nothing, extra) == (OK,)
    assert driver.cuLaunchCooperativeKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, nothing) == (OK,)


@pytest.mark.parametrize(
    ("bad", "error", "text"),
    [
        ([True], TypeError, "a value that has a size in C, got a bool"),
        ([object()], TypeError, "a value that has a size in C, got object"),
        (((1, 2), (None,)), ValueError, "expected a type for each of 2 values, got 1"),
        (((1,), (ctypes.c_int, None)), ValueError, "expected a type for each of 1 values, got 2"),
        (((object(),), (ctypes.c_int,)), TypeError, None),
        ((("x",), (ctypes.c_float,)), TypeError, None),
        (((1,), (int,)), TypeError, None),
        ([driver.CUlaunchConfig], TypeError, None),
        ("params", TypeError, "kernelParams"),
        (1.5, TypeError, "kernelParams"),
    ],
)
def test_wrong_parameters(store: Store, bad: object, error: type[Exception], text: str | None) -> None:
    with pytest.raises(error, match=text):
        driver.cuLaunchKernel(store.kernel, 1, 1, 1, 1, 1, 1, 0, 0, bad, 0)


def test_closed_handles_are_no_parameters(store: Store) -> None:
    for given in (lambda gone: [gone], lambda gone: ((gone,), (None,)), lambda gone: ((gone,), (ctypes.c_void_p,))):
        gone = driver.CUdeviceptr(64)
        gone.close()
        with pytest.raises(ValueError, match="this CUdeviceptr is closed"):
            driver.cuLaunchKernel(store.kernel, 1, 1, 1, 1, 1, 1, 0, 0, given(gone), 0)


def test_parameters_that_change_while_they_are_read(store: Store) -> None:
    given = forms(store.to)[6]
    values: list[Any] = list(given)

    class Late:
        def getPtr(self) -> int:
            values.clear()
            gc.collect()
            return self.at

        def __init__(self) -> None:
            self.value = ctypes.c_uint64(int(store.to))
            self.at = ctypes.addressof(self.value)

    late = Late()
    values[0] = late
    assert driver.cuLaunchKernel(store.kernel, 1, 1, 1, 1, 1, 1, 0, 0, values, 0) == (OK,)
    assert values == []


def test_a_parameter_that_raises(store: Store) -> None:
    class Failing:
        def getPtr(self) -> int:
            raise KeyError("mine")

    buffer = bytearray(64)
    array = np.frombuffer(buffer, np.uint8)
    with pytest.raises(KeyError, match="mine"):
        driver.cuLaunchKernel(store.kernel, 1, 1, 1, 1, 1, 1, 0, 0, [array, Failing()], 0)
    del array
    buffer.append(1)  # nobody holds it any more


def test_handles_as_ints(device: driver.CUdevice) -> None:
    event = checked(driver.cuEventCreate(0))
    assert (
        driver.cuEventQuery(event)
        == driver.cuEventQuery(int(event))
        == driver.cuEventQuery(np.uint64(int(event)))
        == (OK,)
    )
    for stream in (0, None, driver.CUstream(0), driver.CUstream()):
        assert driver.cuEventRecord(event, stream) == (OK,)
        assert driver.cuStreamSynchronize(stream) == (OK,)
    warp = driver.cuDeviceGetAttribute(WARP, device)
    assert (
        warp
        == driver.cuDeviceGetAttribute(WARP, 0)
        == driver.cuDeviceGetAttribute(int(WARP), driver.CUdevice(0))
        == (OK, 32)
    )
    (status,) = driver.cuEventQuery(0)
    assert status != OK
    status, found = driver.cuDeviceGetAttribute(WARP, -1)
    assert status == driver.CUresult.CUDA_ERROR_INVALID_DEVICE and found is None
    for wrong in (True, 1.0, "0", -1, 2**64):
        with pytest.raises((TypeError, OverflowError), match="cuEventQuery"):
            driver.cuEventQuery(wrong)
    with pytest.raises((TypeError, OverflowError), match="cuDeviceGetAttribute"):
        driver.cuDeviceGetAttribute(WARP, 2**31)
    assert driver.cuEventDestroy(int(event)) == (OK,)


def test_results_are_nobody_elses(device: driver.CUdevice) -> None:
    first = driver.cuDeviceGetAttribute(WARP, device)
    second = driver.cuDeviceGetAttribute(THREADS, device)
    assert first is not second and first == (OK, 32) and second == (OK, 1024)
    kept = [driver.cuDeviceGetAttribute(WARP if i % 2 else THREADS, device) for i in range(10)]
    assert [value for _, value in kept] == [1024, 32] * 5 and len({id(one) for one in kept}) == 10
    assert len({hash(one) for one in kept}) == 2
    del kept, first, second
    # In a loop that keeps nothing, with large numbers and small ones, and with hashes taken of what is reused.
    for attribute, value in (
        (WARP, 32),
        (REGISTERS, 65536),
        (WARP, 32),
        (THREADS, 1024),
        (REGISTERS, 65536),
        (REGISTERS, 65536),
    ):
        found = driver.cuDeviceGetAttribute(attribute, device)
        assert found == (OK, value) and {found: 1}[(OK, value)] == 1
        del found
    status = driver.cuCtxSetCurrent(checked(driver.cuCtxGetCurrent()))
    other = driver.cuCtxSetCurrent(checked(driver.cuCtxGetCurrent()))
    assert status is not other and status == other == (OK,)
    free, total = checked(driver.cuMemGetInfo())
    assert 0 < free <= total and driver.cuMemGetInfo()[2] == total


def test_each_failure_has_its_status(device: driver.CUdevice) -> None:
    statuses = driver.CUresult.CUDA_ERROR_INVALID_DEVICE, driver.CUresult.CUDA_ERROR_INVALID_VALUE
    for _ in range(3):
        kept = [
            driver.cuDeviceGetAttribute(WARP, 99),
            driver.cuDeviceGetAttribute(WARP, 98),
            driver.cuDeviceGetAttribute(999999, device),
        ]
        assert [one[0] for one in kept] == [statuses[0], *statuses] and kept[0] is not kept[1]
        assert all(type(one[0]) is driver.CUresult and one[1] is None for one in kept)
        assert driver.cuDeviceGetAttribute(WARP, device) == (OK, 32)


def test_values_whose_type_depends_on_an_attribute(device: driver.CUdevice) -> None:
    kind = driver.CUpointer_attribute
    memory = checked(driver.cuMemAlloc(1000))
    for _ in range(2):
        assert (
            type(checked(driver.cuPointerGetAttribute(kind.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory)))
            is driver.CUmemorytype
        )
        assert checked(driver.cuPointerGetAttribute(kind.CU_POINTER_ATTRIBUTE_CONTEXT, memory)) == checked(
            driver.cuCtxGetCurrent()
        )
        assert (
            checked(driver.cuPointerGetAttribute(int(kind.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR), int(memory)))
            == memory
        )
        assert checked(driver.cuPointerGetAttribute(kind.CU_POINTER_ATTRIBUTE_IS_MANAGED, memory)) is False
        assert (
            checked(driver.cuPointerGetAttribute(attribute=kind.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, ptr=memory)) == 0
        )
    status, value = driver.cuPointerGetAttribute(4711, memory)
    assert status == driver.CUresult.CUDA_ERROR_INVALID_VALUE and value is None
    for wrong in ("one", "1.5", None):
        with pytest.raises(TypeError, match="cuPointerGetAttribute"):
            driver.cuPointerGetAttribute(wrong, memory)
    assert driver.cuMemFree(memory) == (OK,)


def test_references_are_counted_right(device: driver.CUdevice) -> None:
    def calls() -> None:
        for _ in range(200):
            driver.cuDeviceGetAttribute(WARP, device)
            driver.cuDeviceGetAttribute(REGISTERS, device)
            driver.cuDeviceGetAttribute(REGISTERS, 99)
            driver.cuCtxGetCurrent()
            driver.cuCtxGetDevice()
            kept = [driver.cuDeviceGetAttribute(THREADS, 0), driver.cuDeviceGetAttribute(WARP, 0)]
            del kept

    calls()
    counted = (OK, 32, 65536, None, driver.CUcontext, driver.CUdevice, True)
    before = [sys.getrefcount(one) for one in counted]
    calls()
    after = [sys.getrefcount(one) for one in counted]
    assert [abs(a - b) < 50 for a, b in zip(after, before, strict=True)] == [True] * len(counted), (before, after)


def test_handles_that_are_returned_are_new_ones(device: driver.CUdevice) -> None:
    first, second = (checked(driver.cuCtxGetCurrent()) for _ in range(2))
    assert first is not second and first == second and type(first) is driver.CUcontext
    value = int(first)
    first.__init__(0x123)
    assert int(second) == value and int(checked(driver.cuCtxGetCurrent())) == value
    # Nobody is told when one ends: like an int, it has no weak references.
    with pytest.raises(TypeError, match="weak reference"):
        weakref.ref(second)
    first.close()
    with pytest.raises(ValueError, match="closed"):
        int(first)
    for _ in range(100):
        new = checked(driver.cuCtxGetCurrent())
        assert not new.closed and not new.owned and int(new) == value
        new.close()
    handles = [checked(driver.cuCtxGetCurrent()) for _ in range(100)]
    assert len({id(one) for one in handles}) == 100
    del handles
    # One that has been kept, changed and dropped is not seen again.
    kept = driver.CUcontext(5)
    for change in (
        lambda one: one.__init__(7),
        lambda one: one.__init__(kept),
        lambda one: one.detach(),
        lambda one: one.close(),
        lambda one: kept.__init__(one),
    ):
        result = driver.cuCtxGetCurrent()
        change(result[1])
        del result
        result = driver.cuCtxGetCurrent()
        assert int(result[1]) == value and not result[1].closed and not result[1].owned
        other = driver.cuCtxGetCurrent()
        assert other is not result and other[1] is not result[1] and other == result
        mine = other[1]
        del other, result
        driver.cuCtxGetCurrent()[1].close()
        assert int(mine) == value and {mine: 1}[driver.CUcontext(value)] == 1
    assert all(not driver.CUcontext(i + 1).closed and int(driver.CUcontext(i + 1)) == i + 1 for i in range(100))


def test_subclasses_of_handles(device: driver.CUdevice) -> None:
    class Mine(driver.CUcontext):
        pass

    mine = Mine(int(checked(driver.cuCtxGetCurrent())))
    mine.note = mine  # a cycle
    for _ in range(3):
        assert driver.cuCtxSetCurrent(mine) == (OK,)
        assert driver.cuCtxSetCurrent(checked(driver.cuCtxGetCurrent())) == (OK,)
    reference = weakref.ref(mine)
    del mine
    gc.collect()
    assert reference() is None
    for _ in range(50):
        assert type(checked(driver.cuCtxGetCurrent())) is driver.CUcontext
        assert type(Mine(1)) is Mine


def test_a_handle_that_keeps_another_alive() -> None:
    class Mine(driver.CUcontext):
        pass

    for _ in range(exhaustive.rounds(5, 50)):
        first = Mine(7)
        reference = weakref.ref(first)
        second = driver.CUcontext(first)
        del first
        gc.collect()
        assert reference() is not None and gc.is_tracked(second)
        assert int(second) == 7
        del second
        gc.collect()
        assert reference() is None
    assert int(driver.CUcontext(8)) == 8


def test_threads_get_their_own_results(device: driver.CUdevice) -> None:
    context = checked(driver.cuCtxGetCurrent())
    wrong: list[object] = []

    def calls(attribute: driver.CUdevice_attribute, value: int) -> None:
        driver.cuCtxSetCurrent(context)
        for _ in range(5000):
            found = driver.cuDeviceGetAttribute(attribute, device)
            current = driver.cuCtxGetCurrent()
            if found != (OK, value) or int(current[1]) != int(context):
                wrong.append((found, current))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [
            threading.Thread(target=calls, args=pair) for pair in ((WARP, 32), (THREADS, 1024), (REGISTERS, 65536))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []
