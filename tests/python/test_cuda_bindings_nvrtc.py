"""cuox.cuda.bindings.nvrtc as tutorials use it: sizes in place of buffers, dropped architectures, and arguments that
would make NVRTC crash.
"""

from __future__ import annotations

import array
import ctypes
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from cuox.cuda.bindings import nvrtc
from cuox.cuda.bindings.nvrtc import nvrtcProgram, nvrtcResult

OK = nvrtcResult.NVRTC_SUCCESS
NO_PROGRAM = nvrtcResult.NVRTC_ERROR_INVALID_PROGRAM
CODE = 'extern "C" __global__ void add(float *x, float y) { x[threadIdx.x] += y; }'


@pytest.fixture
def program() -> Iterator[nvrtcProgram]:
    made = nvrtcProgram()
    assert nvrtc.nvrtcCreateProgram(made, CODE, "add.cu", 0, None, None) == (OK,)
    yield made
    if int(made):
        assert nvrtc.nvrtcDestroyProgram(made) == (OK,)


@pytest.fixture
def compiled(program: nvrtcProgram) -> nvrtcProgram:
    assert nvrtc.nvrtcCompileProgram(program, 1, ["--gpu-architecture=sm_75"]) == (OK,)
    return program


def dropped() -> str:
    """An architecture that was there once and that this NVRTC does not have."""
    oldest = min(nvrtc.nvrtcGetSupportedArchs()[1])
    return "compute_20" if oldest > 20 else pytest.skip("this NVRTC has them all")


def test_the_size_in_place_of_the_buffer(compiled: nvrtcProgram) -> None:
    for get, size_of, start in (
        (nvrtc.nvrtcGetPTX, nvrtc.nvrtcGetPTXSize, b"//"),
        (nvrtc.nvrtcGetCUBIN, nvrtc.nvrtcGetCUBINSize, b"\x7fELF"),
        (nvrtc.nvrtcGetProgramLog, nvrtc.nvrtcGetProgramLogSize, b"\0"),
    ):
        size = size_of(compiled)[1]
        status, made = get(compiled, size)
        assert status == OK and type(made) is bytes and len(made) == size and made.startswith(start)
        for buffer in (
            bytearray(size),
            np.zeros(size, np.uint8),
            (ctypes.c_char * size)(),
            b" " * size,
            memoryview(bytearray(size)),
        ):
            assert get(compiled, buffer) == (OK,)
            # A bytes object of one byte is not written to: all of Python shares it.
            assert bytes(buffer) == (made if size > 1 or not isinstance(buffer, bytes) else b" ")
        # C's other way to say it, and more room than needed.
        filled = ctypes.c_size_t()
        assert size_of(compiled, filled) == (OK,) and filled.value == size
        assert get(compiled, size + 1) == (OK, made) == get(compiled, np.int64(size))
    assert nvrtc.nvrtcGetPTX(compiled, nvrtc.nvrtcGetPTXSize(compiled)[1])[1].decode().rstrip("\0").endswith("}\n\n")


def test_the_log_of_a_failure() -> None:
    program = nvrtcProgram()
    assert nvrtc.nvrtcCreateProgram(program, "this is not C++", "wrong.cu", 0, None, None) == (OK,)
    assert nvrtc.nvrtcCompileProgram(program, 0, None)[0] == nvrtcResult.NVRTC_ERROR_COMPILATION
    log = nvrtc.nvrtcGetProgramLog(program, nvrtc.nvrtcGetProgramLogSize(program)[1])[1].decode()
    assert "wrong.cu(1): error" in log
    assert nvrtc.nvrtcDestroyProgram(program) == (OK,)


@pytest.mark.parametrize("number", [0, 1, -1, 1 << 40, 0x7F00_0000_0000, 2**64 - 1, 2**64, -(2**63)])
def test_a_number_that_is_not_the_size(compiled: nvrtcProgram, number: int) -> None:
    size = nvrtc.nvrtcGetPTXSize(compiled)[1]
    with pytest.raises(
        ValueError, match=rf"nvrtcGetPTX: an int is the size .*nvrtcGetPTXSize says {size}, got {number}"
    ):
        nvrtc.nvrtcGetPTX(compiled, number)


def test_buffers_that_are_too_short_or_wrong(compiled: nvrtcProgram) -> None:
    size = nvrtc.nvrtcGetPTXSize(compiled)[1]
    for short in (
        bytearray(3),
        bytearray(size - 1),
        np.zeros(size - 1, np.uint8),
        (ctypes.c_char * 3)(),
        b"",
        np.zeros((2, 2), np.uint8),
        array.array("b", [0]),
    ):
        length = memoryview(short).nbytes
        with pytest.raises(ValueError, match=rf"nvrtcGetPTX writes {size} bytes, the buffer has {length}"):
            nvrtc.nvrtcGetPTX(compiled, short)
    read_only = np.zeros(size, np.uint8)
    read_only.flags.writeable = False
    for wrong in (
        read_only,
        memoryview(bytes(size)),
        np.zeros(2 * size, np.uint8)[::2],
        "x" * size,
        True,
        1.5,
        [0] * size,
        object(),
    ):
        with pytest.raises((TypeError, ValueError, BufferError)):
            nvrtc.nvrtcGetPTX(compiled, wrong)
    assert nvrtc.nvrtcGetPTX(compiled, None)[0] == nvrtcResult.NVRTC_ERROR_INVALID_INPUT


def test_programs_that_are_none(program: nvrtcProgram) -> None:
    old = int(program)
    again = nvrtcProgram(old)
    assert nvrtc.nvrtcGetProgramLogSize(old)[0] == OK, "a program's value is as good as its object"
    assert nvrtc.nvrtcDestroyProgram(program) == (OK,)
    for none in (
        nvrtcProgram(1234),
        1234,
        np.int64(1234),
        np.array(1234),
        again,
        old,
        program,
        nvrtcProgram(),
        None,
        0,
        2**64 - 1,
    ):
        assert nvrtc.nvrtcCompileProgram(none, 0, None) == (NO_PROGRAM,)
        assert nvrtc.nvrtcGetPTX(none, bytearray(10)) == (NO_PROGRAM,)
        assert nvrtc.nvrtcGetPTX(none, 10) == (NO_PROGRAM, None)
        assert (
            nvrtc.nvrtcGetPTXSize(none)
            == nvrtc.nvrtcGetProgramLogSize(none)
            == nvrtc.nvrtcGetLoweredName(none, "f")
            == (NO_PROGRAM, None)
        )
        assert nvrtc.nvrtcGetPTXSize(none, ctypes.c_size_t()) == (NO_PROGRAM,)
        assert nvrtc.nvrtcAddNameExpression(none, "f<int>") == (NO_PROGRAM,)
        assert nvrtc.nvrtcDestroyProgram(none) == (NO_PROGRAM,)
    for wrong in ("program", 1.5, [], object()):
        for call in (
            nvrtc.nvrtcGetPTXSize,
            nvrtc.nvrtcDestroyProgram,
            lambda program: nvrtc.nvrtcGetPTX(program, 10),
            lambda program: nvrtc.nvrtcCompileProgram(program, 0, None),
        ):
            with pytest.raises(TypeError, match="prog"):
                call(wrong)


@pytest.mark.parametrize("line", ["--gpu-architecture={}", "-arch={}", "-arch {}", "-lineinfo --gpu-architecture={}"])
@pytest.mark.parametrize("kind", [str, str.encode])
def test_a_dropped_architecture_is_raised(program: nvrtcProgram, line: str, kind: type) -> None:
    arch = dropped()
    options = [kind(word) for word in line.format(arch).split()]
    with pytest.warns(UserWarning, match=f"this NVRTC does not support {arch}; it was raised to compute_") as caught:
        assert nvrtc.nvrtcCompileProgram(program, len(options), options) == (OK,)
    assert [warning.filename for warning in caught] == [__file__]
    oldest = min(nvrtc.nvrtcGetSupportedArchs()[1])
    assert f".target sm_{oldest}".encode() in nvrtc.nvrtcGetPTX(program, nvrtc.nvrtcGetPTXSize(program)[1])[1]


def test_other_architectures_are_left_alone(program: nvrtcProgram) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        newest = max(nvrtc.nvrtcGetSupportedArchs()[1])
        # Options behind those that are counted are not NVRTC's.
        assert nvrtc.nvrtcCompileProgram(program, 1, [f"-arch=compute_{newest}", f"-arch={dropped()}"]) == (OK,)
        assert nvrtc.nvrtcCompileProgram(program, 1, ["-arch=pentium"])[0] == nvrtcResult.NVRTC_ERROR_INVALID_OPTION


@pytest.mark.parametrize("size", [3.5, True])
def test_sizes_that_are_no_ints(program: nvrtcProgram, size: float) -> None:
    assert nvrtc.nvrtcCompileProgram(program, 0, None) == (OK,)
    with pytest.raises(
        TypeError, match=f"nvrtcGetPTX takes a buffer of [0-9]+ bytes, or that size as an int .*, got {size}"
    ):
        nvrtc.nvrtcGetPTX(program, size)


def test_lists_of_anything_but_texts(program: nvrtcProgram) -> None:
    for options, text in (
        ((5,), r"'options\[0\]' takes str or bytes, got int"),
        ([None], "got NoneType"),
        (["-G", 1.5], r"options\[1\]"),
        ("-G", "not one text"),
        (b"-G", "not one text"),
    ):
        with pytest.raises(TypeError, match=text):
            nvrtc.nvrtcCompileProgram(program, 1, options)
    for lists in (([5], ["a.h"]), (["int a;"], [None]), ("int a;", ["a.h"])):
        with pytest.raises(TypeError, match=r"nvrtcCreateProgram\(\): parameter '(headers|includeNames)"):
            nvrtc.nvrtcCreateProgram(CODE, "add.cu", 1, *lists)
        with pytest.raises(TypeError, match=r"nvrtcCreateProgram\(\): parameter '(headers|includeNames)"):
            nvrtc.nvrtcCreateProgram(nvrtcProgram(), CODE, "add.cu", 1, *lists)
        with pytest.raises(TypeError, match=r"nvrtcCreateProgram\(\): parameter '(headers|includeNames)"):
            nvrtc.nvrtcCreateProgram(CODE, "add.cu", 1, lists[0], includeNames=lists[1])
        with pytest.raises(TypeError, match=r"nvrtcCreateProgram\(\): parameter '(headers|includeNames)"):
            nvrtc.nvrtcCreateProgram(CODE, "add.cu", 1, headers=lists[0], includeNames=lists[1])
    for nothing in (5, 4095):
        with pytest.raises(ValueError, match=f"must be memory or its address, got {nothing}"):
            nvrtc.nvrtcCompileProgram(program, 1, nothing)
    assert nvrtc.nvrtcCompileProgram(program, 0, None) == (OK,)
