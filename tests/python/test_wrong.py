"""Calls that are wrong in ways that newcomers' are: each is an exception that names what is wrong."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import cuox
import numpy as np
import pytest
from conftest import SAXPY


def test_host_memory_of_other_kinds(device: cuox.Device, stream: cuox.Stream) -> None:
    buffer = device.allocate(64, stream=stream)
    strided = np.zeros((8, 2), np.float32)[:, 0]
    with pytest.raises(
        ValueError,
        match="copy_from_host: the elements of numpy.ndarray are not contiguous in memory; pass a contiguous copy",
    ):
        buffer.copy_from_host(strided, stream=stream)
    with pytest.raises(ValueError, match="copy_to_host: the elements of numpy.ndarray are not contiguous"):
        buffer.copy_to_host(strided, stream=stream)
    with pytest.raises((BufferError, ValueError), match="copy_to_host: bytes is read-only"):
        buffer.copy_to_host(bytes(64), stream=stream)
    frozen = np.zeros(8, np.float64)
    frozen.flags.writeable = False
    with pytest.raises((BufferError, ValueError), match="copy_to_host: numpy.ndarray is read-only"):
        buffer.copy_to_host(frozen, stream=stream)


def test_references_are_not_copied(device: cuox.Device, stream: cuox.Stream) -> None:
    buffer = device.allocate(64, stream=stream)
    record = np.dtype([("Other", "i8"), ("it", "O")])
    for array in (
        np.array([None] * 8),
        np.array([(1, "x")] * 4, record),
        np.full((2, 4), None),
        np.zeros(4, [("when", "M8[s]"), ("it", "O")]),
    ):
        for copy in (buffer.copy_from_host, buffer.copy_to_host):
            with pytest.raises(
                TypeError, match=rf"{copy.__name__}: expected an array of numbers, got numpy.ndarray of Python objects"
            ):
                copy(array, stream=stream)
    # A field's name says nothing of its type.
    plain = np.zeros(4, np.dtype([("O", "i8"), ("OO", "f8")]))
    buffer.copy_from_host(plain, stream=stream)
    buffer.copy_to_host(plain, stream=stream)
    kernel = cuox.Program('struct S { long a; }; extern "C" __global__ void f(S s) {}').compile("ptx").get_kernel("f")
    with pytest.raises(TypeError, match="of Python objects"):
        cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel, np.array([None]))


def test_numpy_does_not_read_buffers(device: cuox.Device, stream: cuox.Stream) -> None:
    buffer = device.allocate(64, stream=stream)
    for use in (np.asarray, np.array, np.sum, lambda given: np.float32(2) * given):
        with pytest.raises(
            TypeError, match=r"a Buffer is device memory.*numpy.empty\(64, numpy.uint8\); buffer.copy_to_host"
        ):
            use(buffer)
    pinned = cuox.LegacyPinnedMemoryResource().allocate(8)
    assert np.asarray(pinned).nbytes == 8


def test_code_types_and_files(tmp_path: Path) -> None:
    for wrong in ("fortran", "cxx"):
        with pytest.raises(RuntimeError, match=f"Unsupported code_type='{wrong}' "):
            cuox.Program(SAXPY, code_type=wrong)
    path = tmp_path / "none.ptx"
    with pytest.raises(FileNotFoundError, match="No such file or directory.*none.ptx"):
        cuox.ObjectCode.from_ptx(str(path))
    with pytest.raises(IsADirectoryError):
        cuox.ObjectCode.from_ptx(tmp_path)
    path.write_bytes(cuox.Program(SAXPY).compile("ptx").code)
    assert cuox.ObjectCode.from_ptx(path).get_kernel("saxpy")


def test_name_expressions(device: cuox.Device) -> None:
    program = cuox.Program("template<class T> __global__ void scale(T *x) { *x *= 2; }")
    assert program.compile("ptx", name_expressions="scale<float>").get_kernel("scale<float>")
    for wrong in ([3], 3):
        with pytest.raises(TypeError, match='compile: name_expressions: expected texts such as "scale<float>", got'):
            program.compile("ptx", name_expressions=wrong)


def test_what_is_bound() -> None:
    for wrong, given in (("headers", 3), ("include_dirs", [3]), ("arguments", 3)):
        with pytest.raises(TypeError, match=f"{wrong}: expected a str or path, or several, got"):
            cuox.bind(None, source="int f(void);", **{wrong: given})
    with pytest.raises(TypeError, match="library: expected a str or path, or several, got 3"):
        cuox.bind(3, source="int abs(int x);")
    with pytest.raises(TypeError, match=r"defines: expected a dict of names and values, got \['A'\]"):
        cuox.bind(None, source="int f(void);", defines=["A"])
    # One is as good as a list of one.
    library = cuox.bind(None, source="int abs(INT x);", arguments="-DINT=int", include_dirs="/usr/include")
    assert library.abs(-3) == 3


def test_options_and_handles(device: cuox.Device, stream: cuox.Stream) -> None:
    with pytest.raises(
        TypeError, match="options: int has no nonblocking; pass StreamOptions, EventOptions, a dict or None"
    ):
        device.create_stream(options=3)
    with pytest.raises(TypeError, match="options: priority: 'str'"):
        device.create_stream(options=cuox.StreamOptions(priority="high"))
    with pytest.raises(OverflowError, match="Buffer.from_handle: ptr: -1 does not fit a 64-bit address"):
        cuox.Buffer.from_handle(-1, 16)
    kernel = cuox.Program(SAXPY).compile("ptx").get_kernel("saxpy")
    config = cuox.LaunchConfig(grid=1, block=1)
    array = type(
        "Array", (), {"__cuda_array_interface__": {"data": 5, "shape": (1,), "typestr": "<f4", "version": 3}}
    )()
    with pytest.raises(ValueError, match="__cuda_array_interface__: 'data' must be a pair"):
        cuox.launch(stream, config, kernel, 1.0, array, array, 1)


def test_why_a_launch_is_refused(device: cuox.Device, stream: cuox.Stream) -> None:
    if not device.is_soft:
        pytest.skip("what the software GPU says")
    kernel = cuox.Program(SAXPY).compile("ptx").get_kernel("saxpy")
    config = cuox.LaunchConfig(grid=2, cluster=64, block=32)
    with pytest.raises(
        cuox.CUDAError,
        match="INVALID_CLUSTER_SIZE.*kernel saxpy: a cluster has 1 to 8 blocks; the launch has clusters of 64",
    ):
        cuox.launch(stream, config, kernel, 1.0, 0, 0, 0)


def test_a_way_of_calling_that_there_is_not(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    script = "import cuox; print(cuox.load('libc.so.6').abs(-3))"
    done = run_script(script, CUOX_CALL="quick")
    assert done.stdout == "3\n"
    assert done.stderr == "cuox: CUOX_CALL=quick is ignored: it must be api, code or nojit\n"
