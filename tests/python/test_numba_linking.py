"""What kernels in Python link: CUDA C++, PTX, fat binaries; callbacks of modules; declared functions."""

from __future__ import annotations

import gc
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.numba import cuda, types
from cuox.numba.cuda.cudadrv.driver import LinkerError

TRIPLE = """
extern "C" __device__ int triple(int *out, int a) { *out = 3 * a; return 0; }
"""


def run(link: Any, name: str = "triple", signature: Any = "int32(int32)", **options: Any) -> list[int]:
    declared = cuda.declare_device(name, signature, link=link, **options)

    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        x[i] = declared(x[i])

    x = cuda.to_device(np.arange(4, dtype=np.int32))
    kernel[1, 4](x)
    found: list[int] = x.copy_to_host().tolist()
    return found


def test_texts_and_open_files() -> None:
    assert (
        run(cuda.CUSource(TRIPLE))
        == run(cuda.CUSource(TRIPLE.encode()))
        == run(cuda.CUSource(io.StringIO(TRIPLE)))
        == [0, 3, 6, 9]
    )


def test_an_open_file_serves_each_version() -> None:
    triple = cuda.declare_device("triple", "int32(int32)", link=cuda.CUSource(io.StringIO(TRIPLE)))

    @cuda.jit
    def kernel(x):
        x[0] = triple(x[0])

    for dtype in (np.int32, np.float32):
        x = cuda.to_device(np.full(1, 5, dtype))
        kernel[1, 1](x)
        assert x.copy_to_host().tolist() == [15]


def test_files_of_cuda_and_of_ptx(tmp_path: Path) -> None:
    source = tmp_path / "triple.cu"
    source.write_text(TRIPLE)
    assert run(str(source)) == run(source) == run([source, source]) == [0, 3, 6, 9]
    ptx = tmp_path / "triple.ptx"
    ptx.write_bytes(
        bytes(cuox.Program(TRIPLE, "triple.cu").compile("ptx", options=["--relocatable-device-code=true"]).code)
    )
    assert run(str(ptx)) == run(cuda.PTXSource(ptx.read_text())) == run({ptx}) == [0, 3, 6, 9]


def test_sources_that_call_each_other() -> None:
    nine = """
extern "C" __device__ int triple(int *out, int a);
extern "C" __device__ int nine(int *out, int a) { triple(out, a); return triple(out, *out); }
"""
    assert run([cuda.CUSource(TRIPLE), cuda.CUSource(nine)], "nine") == [0, 9, 18, 27]
    ptx = bytes(cuox.Program(TRIPLE, "triple.cu").compile("ptx", options=["--relocatable-device-code=true"]).code)
    assert run([cuda.PTXSource(ptx), cuda.CUSource(nine)], "nine") == [0, 9, 18, 27]


def test_other_declarations_than_the_kernels() -> None:
    """A reference, a type of the same size, a header with names of its own: compiled apart."""
    assert run(
        cuda.CUSource('extern "C" __device__ int triple(unsigned &out, unsigned a) { out = 3 * a; return 0; }')
    ) == [0, 3, 6, 9]
    assert run(cuda.CUSource("struct array {}; namespace py { struct slice {}; }" + TRIPLE)) == [0, 3, 6, 9]


def test_functions_by_the_c_abi() -> None:
    source = cuda.CUSource('extern "C" __device__ int twice(int a) { return 2 * a; }')
    assert run(source, "twice", abi="c") == [0, 2, 4, 6]


def test_warnings_and_errors_of_the_compiler(tmp_path: Path) -> None:
    source = tmp_path / "careless.cu"
    source.write_text(TRIPLE.replace("{", "{ int unused;"))
    with pytest.warns(UserWarning, match=r"(?s)NVRTC log messages whilst compiling careless.cu.*never referenced"):
        assert run(source) == [0, 3, 6, 9]
    source.write_text("SYNTAX ERROR\n" + TRIPLE)
    with pytest.raises(cuox.CompileError, match=r'(?s)careless.cu\(1\): error.*in the compilation of "careless.cu"'):
        run(source)


def test_what_cannot_be_linked(tmp_path: Path, device: cuox.Device) -> None:
    with pytest.raises(RuntimeError, match="Don't know how to link file with extension .cuh"):
        run(str(tmp_path / "header.cuh"))
    with pytest.raises(RuntimeError, match="Don't know how to link file with no extension"):
        run("data")
    with pytest.raises(LinkerError, match="nonexistent.a not found"):
        run("nonexistent.a")
    with pytest.raises(NotImplementedError, match="nvJitLink"):
        run(cuda.LTOIR(b"x"))
    with pytest.raises(LinkerError, match="cannot be linked|machine code"):
        run(cuda.Cubin(b"nonsense"))
    with pytest.raises(LinkerError, match="broken.ptx cannot be linked"):
        run(cuda.PTXSource(".version 9.0\n.target sm_90\nnonsense", name="broken.ptx"))
    with pytest.raises(NotImplementedError, match="only CUDA C\\+\\+ can be linked"):
        cuda.vectorize(["int32(int32)"], link=[cuda.PTXSource("")])(lambda x: x)(np.arange(3, dtype=np.int32))


def test_declarations() -> None:
    declared = cuda.declare_device("f", "int32(float32[:])")
    assert declared.name == "f" and declared.sig.args == (types.float32[:],) and declared.sig.return_type == types.int32
    for wrong in ["(float32[:],)", (types.float32[:],)]:
        with pytest.raises(TypeError, match="Return type must be provided"):
            cuda.declare_device("f", wrong)
    with pytest.raises(RuntimeError, match="by kernels only"):
        declared(1)


def test_a_variable_set_by_a_callback() -> None:
    from cuox.cuda.bindings import driver

    def setup(code: cuox.ObjectCode) -> None:
        error, place, size = driver.cuLibraryGetGlobal(code.handle, b"number")
        assert not error and size == 4
        driver.cuMemcpyHtoD(place, np.array([42], np.int32), size)

    source = (
        '__device__ int number = 0; extern "C" __device__ int triple(int &out, int a) { out = number + a; return 0; }'
    )
    assert run(cuda.CUSource(source, setup_callback=setup)) == [42, 43, 44, 45]


def test_callbacks_come_once_for_each_module() -> None:
    begun, ended = [], []
    link = cuda.CUSource(
        "",
        setup_callback=lambda code: begun.append(code.handle),
        teardown_callback=lambda code: ended.append(code.handle),
    )

    @cuda.jit(link=[link])
    def kernel(x):
        pass

    kernel[1, 1](1)
    kernel[1, 1](2)
    assert len(begun) == 1
    kernel[1, 1](2.5)
    assert len(set(begun)) == 2 and not ended
    del kernel
    gc.collect()
    assert sorted(ended) == sorted(begun)

    @cuda.jit(link=[link])
    def other():
        pass

    other[1, 1]()
    cuda.current_context().reset()
    assert sorted(ended) == sorted(begun) and len(begun) == 3
    del other
    gc.collect()
    assert len(ended) == 3


def test_callbacks_at_the_end_of_the_program(run_script: Callable[..., Any]) -> None:
    result = run_script("""
from cuox.numba import cuda

def setup(code): print("begun", code.handle != 0)
def teardown(code): print("ended", code.get_global("number")[1])

@cuda.jit(link=[cuda.CUSource("extern __device__ int number; __device__ int number = 1;", setup_callback=setup, teardown_callback=teardown)])
def kernel():
    pass

kernel[1, 1]()
""")
    assert result.stdout.split("\n")[:2] == ["begun True", "ended 4"], result.stdout + result.stderr


def test_pointers_by_cffi() -> None:
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    source = cuda.CUSource('extern "C" __device__ void put(int *a) { *a = 42; }')
    put = cuda.declare_device("put", types.void(types.CPointer(types.int32)), link=source, abi="c")

    @cuda.jit
    def kernel(x):
        put(ffi.from_buffer(x[cuda.grid(1) :]))

    x = cuda.to_device(np.zeros(4, np.int32))
    kernel[1, 3](x)
    assert x.copy_to_host().tolist() == [42, 42, 42, 0]


def test_folders_of_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "factor.h").write_text("#define FACTOR 5\n")
    monkeypatch.setattr(cuda.config, "CUDA_NVRTC_EXTRA_SEARCH_PATHS", str(tmp_path))
    assert run(cuda.CUSource("#include <factor.h>\n" + TRIPLE.replace("3", "FACTOR"))) == [0, 5, 10, 15]


def test_the_most_registers() -> None:
    @cuda.jit(max_registers=40)
    def kernel(x):
        x[0] = 1

    kernel[1, 1](cuda.to_device(np.zeros(1)))
    assert next(iter(kernel.get_regs_per_thread().values())) <= 40


def test_device_functions_are_shown() -> None:
    @cuda.jit(device=True, fastmath=True)
    def half(x):
        return x / np.float32(3)

    assert "div.approx" in half.inspect_asm((types.float32,))
    with pytest.raises(RuntimeError, match="Cannot inspect SASS of a device function"):
        half.inspect_sass((types.float32,))
    with pytest.raises(RuntimeError, match="Cannot compile a device function as a kernel"):
        half[1, 1]
