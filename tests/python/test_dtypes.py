"""Arrays whose elements are not what the kernel's parameter points to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cuox
import numpy as np
import pytest
from cuox import LaunchConfig, launch

SOURCE = r"""
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct Particle { float x, y; };
typedef float real;
template<class T> __global__ void generic(T *const p) {}
__global__ void known_alias(const real *p) {}
extern "C" {
__global__ void f32(const float *p) {}
__global__ void f64(const double *p) {}
__global__ void f16(const __half *p) {}
__global__ void bf16(const __nv_bfloat16 *p) {}
__global__ void i32(const int *p) {}
__global__ void u32(const unsigned int *p) {}
__global__ void i16(const short *p) {}
__global__ void size(const size_t *p) {}
__global__ void i64(const long *p) {}
__global__ void i8(const signed char *p) {}
__global__ void truth(const bool *p) {}
__global__ void f2(const float2 *p) {}
__global__ void f4(const float4 *p) {}
__global__ void pointers(const float *const *p) {}
__global__ void nothing(const void *p) {}
__global__ void bytes(const unsigned char *p) {}
__global__ void particle(const Particle *p) {}
__global__ void alias(const real *p) {}
__global__ void writes(float *p) {}
}
"""
ONE = LaunchConfig(grid=1, block=1)
TYPES = [
    "<f8",
    ">f4",
    "<f4",
    "<f2",
    "<i8",
    "<u8",
    "<i4",
    "<u4",
    "<i2",
    "<u2",
    "|i1",
    "|u1",
    "|b1",
    "<c8",
    "<c16",
    "|V8",
    "<V2",
    "<M8[ns]",
    ">i4",
]
# Bytes fit everything.
BYTES = {"|i1", "|u1", "|V8", "<V2"}
ANY = set(TYPES)
FITTING = {
    "f32": BYTES | {"<f4"},
    "f64": BYTES | {"<f8"},
    "f16": BYTES | {"<f2", "<i2", "<u2"},
    "bf16": BYTES | {"<i2", "<u2"},
    "i32": BYTES | {"<i4", "<u4"},
    "u32": BYTES | {"<i4", "<u4"},
    "i16": BYTES | {"<i2", "<u2"},
    "size": BYTES | {"<i8", "<u8", "<M8[ns]"},
    "i64": BYTES | {"<i8", "<u8", "<M8[ns]"},
    "i8": BYTES | {"|b1"},
    "truth": BYTES | {"|b1"},
    "f2": BYTES | {"<f4", "<c8"},
    "f4": BYTES | {"<f4"},
    "pointers": BYTES | {"<i8", "<u8", "<M8[ns]"},
    "nothing": ANY,
    "bytes": ANY,
    "particle": ANY,
    "alias": ANY,
    "generic<float>": BYTES | {"<f4"},
    "generic<const long>": BYTES | {"<i8", "<u8", "<M8[ns]"},
    "generic<char>": ANY,
    "known_alias": BYTES | {"<f4"},
}


class Array:
    """An object with `__cuda_array_interface__` only."""

    def __init__(self, address: int, typestr: str, *, read_only: bool = False, **more: Any) -> None:
        self.__cuda_array_interface__ = {
            "shape": (4,),
            "typestr": typestr,
            "data": (address, read_only),
            "version": 3,
            **more,
        }


class Exporter:
    """An object with DLPack only."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, max_version: object = None) -> object:
        return self.array.__dlpack__()


@pytest.fixture(scope="module")
def code(device: cuox.Device) -> cuox.ObjectCode:
    return cuox.Program(SOURCE).compile(
        "ptx", name_expressions=["generic<float>", "generic<const long>", "generic<char>"]
    )


@pytest.fixture(scope="module")
def memory(device: cuox.Device) -> Iterator[cuox.Buffer]:
    """Pinned memory, which is at one address for host and device."""
    yield cuox.PinnedMemoryResource().allocate(256)


@pytest.mark.parametrize("name", FITTING)
def test_which_elements_fit(code: cuox.ObjectCode, memory: cuox.Buffer, stream: cuox.Stream, name: str) -> None:
    kernel = code.get_kernel(name)
    taken = set()
    for typestr in TYPES:
        try:
            launch(stream, ONE, kernel, Array(int(memory), typestr))
            taken.add(typestr)
        except TypeError as error:
            assert f'{name}: parameter 1 "p"' in str(
                error
            ) and f"Array[{np.dtype(typestr.replace('>', '<')).name.split('[')[0]}" in str(error), error
    assert taken == FITTING[name]


def test_the_message_names_both_types(code: cuox.ObjectCode, memory: cuox.Buffer, stream: cuox.Stream) -> None:
    kernel = code.get_kernel("f32")
    with pytest.raises(TypeError) as caught:
        kernel[1, 1, stream](Array(int(memory), "<f8"))
    assert str(caught.value) == (
        f'f32: parameter 1 "p" (const float *) takes an array of float32, not {__name__}.Array[float64]; '
        "convert it, or pass its address as an int to have the bytes taken as they are"
    )
    with pytest.raises(TypeError, match=r"array of float32, not .*Array\[float32, big-endian\]"):
        launch(stream, ONE, kernel, Array(int(memory), ">f4"))
    with pytest.raises(
        TypeError, match=r"\(const float2 \*\) takes an array of float32 or complex64, not .*Array\[int32\]"
    ):
        launch(stream, ONE, code.get_kernel("f2"), Array(int(memory), "<i4"))
    # The ways that are not checked.
    launch(stream, ONE, kernel, int(memory))
    launch(stream, ONE, kernel, Array(int(memory), "<f8").__cuda_array_interface__["data"][0])
    launch(stream, ONE, kernel, memory)
    stream.sync()


@pytest.mark.parametrize("wrap", [lambda array: array, Exporter], ids=["numpy", "dlpack"])
def test_arrays_of_numpy_and_dlpack(
    code: cuox.ObjectCode, memory: cuox.Buffer, stream: cuox.Stream, wrap: Callable[[np.ndarray], object]
) -> None:
    view = np.frombuffer(memory, np.uint8)
    for dtype in ("f8", "f4", "f2", "i8", "i4", "i2", "u1", "c8", "c16"):
        array = wrap(view.view(dtype))
        for name in ("f32", "f64", "i32", "f2"):
            typestr = np.dtype(dtype).str
            if typestr in FITTING[name]:
                launch(stream, ONE, code.get_kernel(name), array)
            else:
                with pytest.raises(
                    TypeError, match=rf"{name}: parameter 1 .* takes an array of .*\[{np.dtype(dtype).name}\]"
                ):
                    launch(stream, ONE, code.get_kernel(name), array)
    stream.sync()


def test_ptx_alone_says_nothing_of_elements(code: cuox.ObjectCode, memory: cuox.Buffer, stream: cuox.Stream) -> None:
    kernel = cuox.ObjectCode.from_ptx(code.code).get_kernel("f32")
    for typestr in TYPES:
        launch(stream, ONE, kernel, Array(int(memory), typestr))
    stream.sync()


def test_masks_and_memory_that_is_read_only(code: cuox.ObjectCode, memory: cuox.Buffer, stream: cuox.Stream) -> None:
    mask = Array(int(memory), "|b1")
    for name in ("f32", "nothing"):
        launch(stream, ONE, code.get_kernel(name), Array(int(memory), "<f4", mask=None))
        with pytest.raises(TypeError, match=f'{name}: parameter 1 "p".*Array with a mask, which a kernel does not see'):
            launch(stream, ONE, code.get_kernel(name), Array(int(memory), "<f4", mask=mask))
    launch(stream, ONE, code.get_kernel("f32"), Array(int(memory), "<f4", read_only=True))
    with pytest.raises(
        TypeError, match=r'writes: parameter 1 "p" \(float \*\).*read-only.*declare the parameter const'
    ):
        launch(stream, ONE, code.get_kernel("writes"), Array(int(memory), "<f4", read_only=True))
    frozen = np.frombuffer(memory, np.float32)
    frozen.flags.writeable = False
    launch(stream, ONE, code.get_kernel("f32"), frozen)
    with pytest.raises(TypeError, match="writes: .*read-only"):
        launch(stream, ONE, code.get_kernel("writes"), frozen)
    stream.sync()


def test_interfaces_that_are_damaged(code: cuox.ObjectCode, stream: cuox.Stream) -> None:
    kernel = code.get_kernel("f32")
    for typestr in ("", "f4", "<f", "<fé", "é", "<é4", 3, None):
        with pytest.raises((TypeError, ValueError), match="'typestr' must be a type such as '<f4', got"):
            launch(stream, ONE, kernel, Array(0, typestr))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'shape' must be a tuple of ints, got int"):
        launch(stream, ONE, kernel, Array(0, "<f4", shape=4))
    with pytest.raises(ValueError, match="1 sizes in 'shape' and 2 in 'strides'"):
        launch(stream, ONE, kernel, Array(0, "<f4", strides=(4, 4)))
    array = Array(0, "<f4")
    for key in ("typestr", "shape", "data"):
        broken = Array(0, "<f4")
        broken.__cuda_array_interface__ = {
            name: value for name, value in array.__cuda_array_interface__.items() if name != key
        }
        with pytest.raises(ValueError, match=f"__cuda_array_interface__ has no '{key}'"):
            launch(stream, ONE, kernel, broken)
