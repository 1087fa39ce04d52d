"""Memory that a call is given is as long as other arguments say that C reads or writes there, or the call is
refused."""

from __future__ import annotations

import array
import ctypes
import re
from pathlib import Path
from typing import Any

import cuox
import cuox_bind
import numpy as np
import pytest
from ctools import build, needs_compiler
from cuox.cuda.bindings import driver, nvrtc

pytest.importorskip("clang", reason="headers are read with libclang")
pytestmark = needs_compiler

SOURCE = """
#include <string.h>
#include <stddef.h>
typedef struct { double x, y; } pair;
int put(void *to, int value, size_t count) { memset(to, value, count); return 0; }
long long sum(const int *values, int count) { long long s = 0; for (int i = 0; i < count; i++) s += values[i]; return s; }
double last(const pair *pairs, unsigned count) { return count ? pairs[count - 1].y : -1; }
int ends(const double *knots, int degree) { return knots ? (int)knots[degree] : -1; }
int rows(unsigned char *to, size_t pitch, size_t width, size_t height) {
    for (size_t i = 0; i < height; i++) memset(to + i * pitch, 7, width);
    return 0;
}
float four(const float *color) { return color[3]; }
int used(char *to, size_t *size) { if (*size > 3) *size = 3; memset(to, 1, *size); return 0; }
"""
HEADER = "".join(f"{prototype};\n" for prototype in re.findall(r"^(\w[\w *]*\([^{]*\)) \{", SOURCE, re.M))
RULES = {
    "put": {"result": "value", "params": {"to": {"role": "memory", "nullable": True, "bytes": "count"}}},
    "sum": {"params": {"values": {"role": "memory", "elements": "count"}, "count": "input"}},
    "last": {"params": {"pairs": {"elements": "count"}}},
    "ends": {"result": "value", "params": {"knots": {"role": "memory", "nullable": True, "elements": "degree + 1"}}},
    "rows": {
        "result": "value",
        "params": {"to": {"role": "memory", "bytes": "width", "rows": "height", "pitch": "pitch"}},
    },
    "four": {"params": {"color": {"role": "memory", "elements": 4}}},
    "used": {"result": "value", "params": {"to": {"role": "memory", "bytes": "size"}, "size": "inout"}},
}


@pytest.fixture(scope="module")
def lib() -> Any:
    library = build(SOURCE)
    header = "#include <stddef.h>\ntypedef struct { double x, y; } pair;\n" + HEADER
    return cuox.bind(library._name, source=header, rules=RULES)


REFUSED = r"\(\): parameter '{}' \(C '.*'\): C {} {} bytes there \({}\), got {} with {}$"


def refused(call: Any, name: str, uses: str, needed: int, told: str, given: str, there: int) -> None:
    # Calls that generated code leaves to the generic path are refused each time.
    for _ in range(3):
        with pytest.raises(ValueError, match=REFUSED.format(name, uses, needed, told, given, there)):
            call()


def test_bytes(lib: Any) -> None:
    buffers = [
        bytearray(16),
        np.zeros(16, np.uint8),
        np.zeros((2, 2), np.float32),
        np.zeros((2, 2), np.float32).T,
        array.array("d", [0, 0]),
        (ctypes.c_int * 4)(),
        memoryview(bytearray(16)),
        np.zeros(1, "S16"),
    ]
    for buffer in buffers:
        for count in (0, 1, 16):
            assert lib.put(buffer, 5, count) == 0
        assert (
            bytes(memoryview(buffer).cast("B") if not isinstance(buffer, np.ndarray) else buffer.tobytes())
            == b"\5" * 16
        )
        for count in (17, 1 << 20, 2**63, 2**64 - 1):
            refused(lambda: lib.put(buffer, 5, count), "to", "writes", count, f"'count' is {count}", r"[\w.]*", 16)
    # Of an address nobody knows the length; a null pointer is C's business.
    plain = (ctypes.c_char * 16)()
    assert lib.put(ctypes.addressof(plain), 6, 16) == 0 and plain.raw == b"\6" * 16
    assert lib.put(None, 6, 0) == 0
    with pytest.raises(TypeError, match="writable"):
        lib.put(b"0123456789abcdef", 5, 3)
    with pytest.raises(OverflowError):
        lib.put(buffers[0], 5, -1)


def test_elements(lib: Any) -> None:
    for values in (
        np.arange(5, dtype=np.int32),
        array.array("i", range(5)),
        list(range(5)),
        tuple(range(5)),
        (ctypes.c_int * 5)(*range(5)),
    ):
        for count in (-3, 0, 2, 5):
            assert lib.sum(values, count) == sum(range(max(count, 0)))
        refused(lambda: lib.sum(values, 6), "values", "reads", 24, "'count' is 6", r"[\w.]*", 20)
        refused(
            lambda: lib.sum(values, 2**31 - 1),
            "values",
            "reads",
            4 * (2**31 - 1),
            "'count' is 2147483647",
            r"[\w.]*",
            20,
        )
    assert lib.ends(np.arange(4.0), 3) == 3 and lib.ends(None, 1000) == -1
    refused(lambda: lib.ends(np.arange(4.0), 4), "knots", "reads", 40, "'degree' is 4", "numpy.ndarray", 32)
    assert lib.four(np.arange(4, dtype=np.float32)) == 3
    with pytest.raises(ValueError, match=r"C reads 16 bytes there \(4 elements\), got numpy.ndarray with 12$"):
        lib.four(np.arange(3, dtype=np.float32))


def test_records(lib: Any) -> None:
    pairs = lib.pair.array(3)
    pairs[2].y = 2.5
    assert lib.last(pairs, 3) == 2.5 and lib.last(pairs, 0) == -1
    refused(lambda: lib.last(pairs, 4), "pairs", "reads", 64, "'count' is 4", r".*", 48)
    one = lib.pair(x=1, y=2)
    assert lib.last(one, 1) == 2
    with pytest.raises(ValueError, match="C reads 32 bytes there"):
        lib.last(one, 2)


def test_rows(lib: Any) -> None:
    image = np.zeros((4, 10), np.uint8)
    assert lib.rows(image, 10, 6, 4) == 0
    assert image[:, :6].all() and not image[:, 6:].any()
    # The last row needs no room behind it.
    assert lib.rows(image.ravel()[:36], 10, 6, 4) == 0
    assert lib.rows(np.zeros(1, np.uint8), 10, 6, 0) == lib.rows(np.zeros(1, np.uint8), 10, 0, 4) == 0
    for arguments in ((10, 6, 5), (10, 11, 4), (2**40, 1, 2), (2**63, 1, 2), (12, 6, 4), (2**32, 1, 2**32)):
        with pytest.raises(
            ValueError,
            match=r"C writes \d+ bytes there \('width' is \d+, 'height' is \d+, 'pitch' is \d+\), got numpy.ndarray with 40$",
        ):
            lib.rows(image, *arguments)


def test_counts_that_c_changes(lib: Any) -> None:
    assert lib.used(bytearray(8), 8) in (3, (0, 3))
    with pytest.raises(ValueError, match=r"C writes 9 bytes there \('size' is 9\), got bytearray with 8"):
        lib.used(bytearray(8), 9)


def test_rules_that_cannot_be_carried_out() -> None:
    for rule, message in (
        ({"bytes": "cuont"}, "has no parameter 'cuont'; did you mean 'count'"),
        (
            {"bytes": "values"},
            "'values' is not an integer that the caller gives or a length, so it cannot count memory",
        ),
        ({"bytes": "count", "elements": 3}, "in 'bytes' or in 'elements', not both"),
        ({"rows": "count"}, "go with the 'bytes' or 'elements'"),
        ({"bytes": "count", "rows": "count"}, "'rows' and 'pitch' are needed together"),
        ({"bytes": "count - x"}, "a parameter's name, a number"),
        ({"role": "output", "bytes": "count"}, "only memory that the caller gives has an extent"),
    ):
        with pytest.raises(cuox.BindError, match=message):
            cuox.bind(
                None,
                source="int f(int *values, int count);",
                rules={"f": {"params": {"values": rule, "count": "input"}}},
            )


def test_rules_are_explained() -> None:
    text = cuox.bind(
        None,
        source="int f(int *values, int count);",
        rules={"f": {"params": {"values": {"elements": "count - 1"}, "count": "input"}}},
    ).explain("f")
    assert "at least count - 1 elements" in text and "rule: rules" in text


OK = driver.CUresult.CUDA_SUCCESS


@pytest.fixture
def memory() -> Any:
    assert driver.cuInit(0) == (OK,)
    device = driver.cuDeviceGet(0)[1]
    status, context = driver.cuCtxCreate(None, 0, device)
    assert status == OK
    status, pointer = driver.cuMemAlloc(1 << 20)
    assert status == OK
    yield pointer
    assert driver.cuMemFree(pointer) == driver.cuCtxDestroy(context) == (OK,)


def test_the_drivers_copies(memory: Any) -> None:
    short = np.zeros(4, np.uint8)
    for to_host in (driver.cuMemcpyDtoH, lambda *arguments: driver.cuMemcpyDtoHAsync(*arguments, None)):
        with pytest.raises(
            ValueError,
            match=r"cuMemcpyDtoH\w*\(\): parameter 'dstHost' .* C writes 1048576 bytes there \('ByteCount' is 1048576\), got numpy.ndarray with 4",
        ):
            to_host(short, memory, 1 << 20)
        with pytest.raises(TypeError, match="writable"):
            to_host(bytes(4), memory, 4)
        assert to_host(short, memory, 4) == (OK,)
        assert to_host(short.ctypes.data, memory, 4) == (OK,), "an int is an address here"
    for to_device in (driver.cuMemcpyHtoD, lambda *arguments: driver.cuMemcpyHtoDAsync(*arguments, None)):
        with pytest.raises(
            ValueError,
            match=r"cuMemcpyHtoD\w*\(\): parameter 'srcHost' .* C reads 5 bytes there \('ByteCount' is 5\), got bytes with 4",
        ):
            to_device(memory, b"1234", 5)
        assert to_device(memory, b"1234", 4) == (OK,)
    assert driver.cuMemcpyHtoD(memory, None, 4)[0] != OK
    assert driver.cuCtxSynchronize() == (OK,)


def test_outputs_that_are_passed_in(memory: Any) -> None:
    name = bytearray(100)
    device = driver.cuDeviceGet(0)[1]
    assert driver.cuDeviceGetName(name, 100, device) == (OK,)
    assert name.rstrip(b"\0") == driver.cuDeviceGetName(100, device)[1].rstrip(b"\0")
    for buffer in (bytearray(99), np.zeros(3, np.uint8)):
        with pytest.raises(
            ValueError,
            match=rf"cuDeviceGetName\(\): parameter 'name' .* C writes 100 bytes there \('length' is 100\), got [\w.]* with {len(buffer)}",
        ):
            driver.cuDeviceGetName(buffer, 100, device)
    with pytest.raises(TypeError, match="writable"):
        driver.cuDeviceGetName(bytes(100), 100, device)
    with pytest.raises(ValueError, match=r"C writes 8 bytes there, got numpy.ndarray with 0"):
        driver.cuMemGetInfo(np.zeros(0, np.uint64), np.zeros(1, np.uint64))
    with pytest.raises((ValueError, TypeError)):
        driver.cuMemGetInfo(bytearray(0), bytearray(8))


def test_images_need_no_nul(memory: Any) -> None:
    text = b".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry f() { ret; }\n"
    wide = np.frombuffer(text + b"garbage behind it", np.uint8)
    for image in (text, np.array(wide[: len(text)]), wide[: len(text)], bytearray(text), memoryview(wide)[: len(text)]):
        status, module = driver.cuModuleLoadData(image)
        assert status == OK and driver.cuModuleUnload(module) == (OK,)
        module = driver.CUmodule()
        assert driver.cuModuleLoadData(module, image) == (OK,) and driver.cuModuleUnload(module) == (OK,)


def test_host_memory_is_registered_as_far_as_it_goes(memory: Any) -> None:
    with pytest.raises(ValueError, match=r"'bytesize' is 1048576\), got numpy.ndarray with 4"):
        driver.cuMemHostRegister(np.zeros(4, np.uint8), 1 << 20, 0)


def test_numbers_that_are_no_addresses(memory: Any) -> None:
    for number in (1, 5, 4095):
        with pytest.raises(ValueError, match=f"must be memory or its address, got {number}"):
            driver.cuMemcpyDtoH(number, memory, 4)
        for function in (driver.cuMemcpy2D, driver.cuMemcpy3D, driver.cuArrayCreate, driver.cuMemPoolCreate):
            with pytest.raises(ValueError, match=f"must be memory or its address, got {number}"):
                function(number)
        with pytest.raises(TypeError, match=f"must be a callable or a function's address, got {number}"):
            driver.cuStreamAddCallback(None, number, None, 0)
    assert driver.cuMemcpyDtoH(5, memory, 0) == (OK,)


def test_lists_that_are_counted(memory: Any) -> None:
    graph, node = driver.CUgraph(), driver.CUgraphNode()
    with pytest.raises(
        ValueError, match=r"'dependencies' .* C reads 16 bytes there \('numDependencies' is 2\), got list with 8"
    ):
        driver.cuGraphAddEmptyNode(graph, [node], 2)
    with pytest.raises(ValueError, match=r"'headers' .* C reads 16 bytes there \('numHeaders' is 2\), got list with 8"):
        nvrtc.nvrtcCreateProgram("", "x.cu", 2, ["a"], ["b"])
    program = nvrtc.nvrtcCreateProgram("", "x.cu", 0, None, None)[1]
    with pytest.raises(ValueError, match=r"'options' .* C reads 24 bytes there \('numOptions' is 3\), got list with 8"):
        nvrtc.nvrtcCompileProgram(program, 3, ["-G"])
    assert nvrtc.nvrtcDestroyProgram(program) == (0,)


def test_every_function_with_memory_and_a_number_of_bytes_knows_it() -> None:
    """So that a function which the next CUDA brings is not forgotten."""
    stub = Path(driver.__file__).with_suffix(".pyi").read_text()
    explain = cuox_bind._native.Binding.from_data(
        (Path(driver.__file__).parent / "_internal" / "data" / "driver.txt").read_text().partition("\n")[2]
    ).explain
    missing = []
    for name in re.findall(r"C: CUresult (cuMemcpy\w*)\(.*(?:Host|void \*).*ByteCount", stub):
        if "at least ByteCount bytes" not in (explain(name) or ""):
            missing.append(name)
    assert not missing


DECLARED = """
#include <stdlib.h>
typedef double vector[3];
typedef struct { int id; double weight; } item;
double dot3(const double a[3], const vector b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
void scale(double a[static 2], double by) { a[0] *= by; a[1] *= by; }
double total(int n, const double values[n]) { double s = 0; for (int i = 0; i < n; i++) s += values[i]; return s; }
double weights(const item items[2]) { return items[0].weight + items[1].weight; }
int short_text(const char name[8]) { return name[0]; }
int get_size(int size_out[2]) { size_out[0] = 640; size_out[1] = 480; return 0; }
double dasum(int n, const double *dx, int incx) {
    double s = 0;
    for (int i = 0; i < n; i++) s += abs((int)dx[i * abs(incx)]);
    return s;
}
void saxpy(int n, float a, const float *x, int incx, float *y, int incy) {
    for (int i = 0; i < n; i++) y[i * incy] += a * x[i * incx];
}
long every(long count, const int *values, long step) {
    long s = 0;
    for (long i = 0; i < count; i++) s += values[i * step];
    return s;
}
"""


@pytest.fixture(scope="module")
def arrays() -> Any:
    library = build(DECLARED)
    header = re.sub(r"^(\w[\w *]*\(.*\)) \{(?:.*\}|\n(?:    .*\n)*\})$", r"\1;", DECLARED, flags=re.M)
    rules = {"every": {"params": {"values": {"elements": "count", "step": "step"}}}}
    return cuox.bind(library._name, source=header, rules=rules)


def test_declared_arrays(arrays: Any) -> None:
    for _ in range(3):
        assert arrays.dot3([1, 2, 3], np.arange(3.0)) == arrays.dot3((1, 2, 3, 4), [0, 1, 2]) == 8
        for short in ([1, 2], (1, 2), np.ones(2), array.array("d", [1, 2]), b"\0" * 16):
            with pytest.raises(ValueError, match=r"'a' .*: C reads 24 bytes there \(3 elements\), got .* with 16$"):
                arrays.dot3(short, [1, 2, 3])
        with pytest.raises(
            ValueError, match=r"'b' .*: C reads 24 bytes there \(3 elements\), got numpy.ndarray with 8$"
        ):
            arrays.dot3([1, 2, 3], np.ones(1))
    values = np.ones(2)
    arrays.scale(values, 3.0)
    assert values.tolist() == [3, 3]
    with pytest.raises(ValueError, match=r"C writes 16 bytes there \(2 elements\), got numpy.ndarray with 8$"):
        arrays.scale(values[:1], 3.0)
    assert arrays.total(2, [1, 2, 3]) == 3 and arrays.total(0, []) == 0
    with pytest.raises(ValueError, match=r"C reads 32 bytes there \('n' is 4\), got list with 24$"):
        arrays.total(4, [1, 2, 3])
    assert arrays.weights([(1, 0.5), (2, 1.5)]) == 2
    with pytest.raises(ValueError, match=r"C reads 32 bytes there \(2 elements\)"):
        arrays.weights([(1, 0.5)])
    assert arrays.short_text("a") == ord("a")  # a text ends by itself


def test_no_single_output_is_guessed_of_an_array(arrays: Any) -> None:
    size = np.zeros(2, np.int32)
    assert arrays.get_size(size) == 0 and size.tolist() == [640, 480]
    with pytest.raises(cuox.BindError, match="'size_out': it is an array of several values, and an output is one"):
        cuox.bind(None, source="int get_size(int size_out[2]);", rules={"get_size": {"params": {"size_out": "output"}}})


def test_increments(arrays: Any) -> None:
    for _ in range(3):
        assert arrays.dasum(3, np.ones(3), 1) == arrays.dasum(3, np.ones(5), 2) == arrays.dasum(3, np.ones(5), -2) == 3
        assert arrays.dasum(3, np.ones(1), 0) == 3 and arrays.dasum(0, np.ones(1), 7) == 0
        for count, step, needed in ((3, 2, 40), (3, -2, 40), (5, 1, 40), (2**31 - 1, 2**31 - 1, None)):
            with pytest.raises(
                ValueError,
                match=rf"'dx' .*: C reads {needed or r'.*'} bytes there \('n' is {count}, 'incx' is {step}\)",
            ):
                arrays.dasum(count, np.ones(4), step)
    x, y = np.ones(3, np.float32), np.zeros(5, np.float32)
    arrays.saxpy(3, 2.0, x, 1, y, 2)
    assert y.tolist() == [2, 0, 2, 0, 2]
    with pytest.raises(ValueError, match=r"'y' .*: C writes 28 bytes there \('n' is 3, 'incy' is 3\)"):
        arrays.saxpy(3, 2.0, x, 1, y, 3)
    with pytest.raises(ValueError, match=r"'x' .*: C reads 16 bytes there \('n' is 4, 'incx' is 1\)"):
        arrays.saxpy(4, 2.0, x, 1, y, 1)
    assert "n elements, each |incx| behind the one before" in arrays.explain("dasum")


def test_a_rule_for_increments(arrays: Any) -> None:
    values = np.arange(7, dtype=np.int32)
    assert arrays.every(3, values, 3) == 9
    with pytest.raises(
        ValueError, match=r"C reads 40 bytes there \('count' is 4, 'step' is 3\), got numpy.ndarray with 28"
    ):
        arrays.every(4, values, 3)
    for rule in ({"step": "step"}, {"bytes": "count", "step": "step"}, {"elements": 4, "step": "step"}):
        with pytest.raises(cuox.BindError, match="'step'"):
            cuox.bind(
                None,
                source="long every(long count, const int *values, long step);",
                rules={"every": {"params": {"values": rule}}},
            )


ROOM = """
#include <string.h>
int fill(char *buf, unsigned len) { memset(buf, 'x', len); return (int)len; }
int digest(void *out, int out_size, int value) { memset(out, value, (size_t)out_size); return 0; }
int pack(unsigned char *dest, unsigned long *destLen) { memset(dest, 1, *destLen); *destLen = 1; return 0; }
int repeat(char *text, int count) { return text[0] * count; }
"""


def test_room_for_bytes() -> None:
    header = re.sub(r"^(int \w+\(.*\)) \{.*$", r"\1;", ROOM, flags=re.M)
    lib = cuox.bind(build(ROOM)._name, source=header)
    memory = bytearray(8)
    for _ in range(3):
        assert lib.fill(memory, 8) == 8 and lib.digest(memory, 8, 7) == 0 and memory == b"\7" * 8
        assert lib.pack(memory, 8) == (0, 1) and memory == b"\1" * 8
        for call, told in (
            (lambda: lib.fill(memory, 9), "'len' is 9"),
            (lambda: lib.digest(memory, 9, 7), "'out_size' is 9"),
            (lambda: lib.pack(memory, 9), "'destLen' is 9"),
        ):
            with pytest.raises(ValueError, match=rf"C writes 9 bytes there \({told}\), got bytearray with 8$"):
                call()
    # A number of another kind says nothing.
    assert lib.repeat(memory, 9) == 9
