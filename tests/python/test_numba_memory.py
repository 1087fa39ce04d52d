"""Elements of arrays that are no numbers, and other views of an array's memory."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from cuox.numba import carray, cuda, farray, literal_unroll, types
from cuox.numba.cuda.core.errors import TypingError
from test_numba_kernels import same


def test_texts_in_arrays() -> None:
    @cuda.jit
    def kernel(names, found):
        i = cuda.grid(1)
        if i < len(names):
            if names[i] == "b":
                names[i] = "longer than twelve characters"
                found[i] = 1
            elif names[i] != "ab":
                found[i] = 2
            elif "ab" == names[i]:
                names[i] = ""
                found[i] = 3

    names, found = cuda.to_device(np.array(["b", "ab", "abc", "ü"], "<U12")), cuda.to_device(np.zeros(4, np.int32))
    kernel[1, 8](names, found)
    assert names.copy_to_host().tolist() == ["longer than ", "", "abc", "ü"]
    assert found.copy_to_host().tolist() == [1, 3, 2, 2]


def test_bytes_in_records() -> None:
    def kernel(rows):
        for i in range(len(rows)):
            rows[i]["name"] = b"XYZ"
            rows[i]["count"] = i

    same(kernel, np.zeros(3, [("count", np.int32), ("name", "S5")]))


def test_a_text_is_no_bytes() -> None:
    @cuda.jit
    def kernel(x):
        x[0] = "text"

    with pytest.raises(TypingError, match='expected bytes, got the text "text"'):
        kernel[1, 1](cuda.to_device(np.zeros(2, "S4")))


def test_views_of_other_sizes() -> None:
    def kernel(data, found):
        words = data[4:12].view(np.int32)
        found[0] = words[0]
        found[1] = len(words)
        halves = words.view(np.uint16)
        found[2] = len(halves)
        found[3] = halves[3]

    def rows(table, found):
        wide = table.view(np.int64)
        found[0] = wide.shape[0]
        found[1] = wide.shape[1]
        found[2] = wide[1, 1]

    same(kernel, np.arange(64, dtype=np.uint8), np.zeros(4, np.int64))
    same(rows, np.arange(24, dtype=np.int32).reshape(4, 6), np.zeros(3, np.int64))


def test_views_that_cannot_be() -> None:
    @cuda.jit(boundscheck=True)
    def uneven(data, found):
        found[0] = data.view(np.int32)[0]

    found = cuda.to_device(np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="cannot be divided into elements"):
        uneven[1, 1](cuda.to_device(np.zeros(7, np.uint8)), found)
        cuda.synchronize()

    @cuda.jit
    def strided(data, found):
        found[0] = data[::2].view(np.int32)[0]

    with pytest.raises(TypingError, match="one behind the other"):
        strided[1, 1](cuda.to_device(np.zeros(16, np.uint8)), found)


def test_copies_are_of_the_thread() -> None:
    table = np.arange(6.0).reshape(2, 3)[::-1]

    @cuda.jit
    def kernel(found):
        i = cuda.grid(1)
        own = table.copy()
        own[0, 0] += i
        found[i] = own[0, 0] + table[0, 0]

    found = cuda.to_device(np.zeros(4))
    kernel[1, 4](found)
    assert found.copy_to_host().tolist() == [6, 7, 8, 9]


def test_arrays_over_pointers() -> None:
    @cuda.jit(types.void(types.CPointer(types.float32), types.uint64, types.int64, types.float32[:]))
    def kernel(pointer, address, rows, found):
        found[0] = farray(pointer, (rows, 2))[0, 1]
        found[1] = carray(pointer, (rows, 2), dtype=np.float32)[0, 1]
        found[2] = carray(address, 4, np.float32)[3]
        carray(pointer, 4)[0] = 10

    data, found = cuda.to_device(np.arange(4, dtype=np.float32)), cuda.to_device(np.zeros(3, np.float32))
    place = data.__cuda_array_interface__["data"][0]
    kernel[1, 1](place, place, 2, found)
    assert found.copy_to_host().tolist() == [2, 1, 3]
    assert data.copy_to_host()[0] == 10


def test_pointers_of_another_type() -> None:
    def kernel(pointer):
        carray(pointer, 4, np.float64)

    with pytest.raises(TypingError, match="dtype float64 does not match the pointer, which is one to float32"):
        cuda.jit(types.void(types.CPointer(types.float32)))(kernel)


def test_names_can_be_pickled() -> None:
    for name in (literal_unroll, carray, cuda.atomic.add, cuda.threadIdx.x, cuda.libdevice.sin):
        assert pickle.loads(pickle.dumps(name)) is name
