"""What `Program` and `ObjectCode` of cuda.core show besides code: the compiler's object, headers, files."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import nvrtc
from cuox.cuda.core import Linker, ObjectCode, Program, ProgramOptions
from cuox.cuda.core.typing import PCHStatusType
from cuox.cuda.core.utils import FileStreamProgramCache

SOURCE = 'extern "C" __global__ void fill(int *out) { *out = VALUE; }'


def log_of(program: Any) -> str:
    _, size = nvrtc.nvrtcGetProgramLogSize(program)
    text = b" " * size
    nvrtc.nvrtcGetProgramLog(program, text)
    return text.rstrip(b"\0").decode()


def ptx_of(program: Any) -> bytes:
    error, size = nvrtc.nvrtcGetPTXSize(program)
    if int(error):
        return b""
    text = b" " * size
    nvrtc.nvrtcGetPTX(program, text)
    return text.strip()


def test_the_handle_is_compiled_as_the_program_is() -> None:
    program = Program(SOURCE, "c++", ProgramOptions(define_macro=("VALUE", "7")))
    handle = program.handle
    assert int(handle) and int(program.handle) == int(handle) and not ptx_of(handle)
    program.compile("ptx")
    assert b".entry fill" in ptx_of(handle)
    program.close()
    with pytest.raises(cuox.ClosedError):
        program.handle
    later = Program(SOURCE, "c++", ProgramOptions(define_macro=("VALUE", "7")))
    later.compile("ptx")
    assert b".entry fill" in ptx_of(later.handle)


def test_the_handle_of_a_wrong_program_has_its_log() -> None:
    program = Program("__global__ void k() { missing(); }", "c++")
    with pytest.raises(cuox.CompileError, match="compilation log"):
        program.compile("ptx")
    handle = program.handle
    nvrtc.nvrtcCompileProgram(handle, 0, [])
    assert '"missing" is undefined' in log_of(handle)


def test_the_handle_of_ptx_is_a_linker() -> None:
    cuox.Device().set_current()
    ptx = Program(SOURCE, "c++", ProgramOptions(define_macro=("VALUE", "1"))).compile("ptx")
    program = Program(bytes(ptx).decode(), "ptx")
    assert int(program.handle)
    program.close()
    program.close()


def test_precompiled_headers_say_what_became_of_them(tmp_path: Path) -> None:
    header = tmp_path / "values.h"
    header.write_text("#define VALUE 5\n")
    source = f'#include "{header}"\n#pragma nv_hdrstop\n{SOURCE}'
    plain = Program(source, "c++")
    assert plain.pch_status is None
    plain.compile("ptx")
    assert plain.pch_status is None
    kept = str(tmp_path / "values.pch")
    program = Program(source, "c++", ProgramOptions(create_pch=kept))
    assert program.pch_status is None
    code = program.compile("ptx")
    assert program.pch_status is PCHStatusType.CREATED and Path(kept).stat().st_size > 0
    cuox.Device().set_current()
    out = cuox.zeros(1, "i4")
    code.get_kernel("fill")[1, 1](out)
    assert out.to_host().tolist() == [5]
    user = Program(source, "c++", ProgramOptions(use_pch=kept))
    assert b".entry fill" in bytes(user.compile("ptx")) and user.pch_status is None


def test_another_code_type_is_refused_by_the_name_of_the_kinds() -> None:
    with pytest.raises(
        RuntimeError, match=r"^Unsupported code_type='fortran' \(supported_code_types=\('c\+\+', 'ptx', 'nvvm'\)\)$"
    ):
        Program("goto 100", "FORTRAN")


@pytest.mark.parametrize("kind", [str, Path])
def test_code_of_a_file_shows_its_path(tmp_path: Path, kind: Any) -> None:
    code = Program(SOURCE, "c++", ProgramOptions(define_macro=("VALUE", "9"))).compile("ptx")
    file = tmp_path / "fill.ptx"
    file.write_bytes(bytes(code))
    read = ObjectCode.from_ptx(kind(file), name="fill")
    assert read.code == str(file) and bytes(read) == bytes(code)
    with FileStreamProgramCache(tmp_path / "cache") as cache:
        cache[b"key"] = read
        assert cache[b"key"] == bytes(code)
    cuox.Device().set_current()
    out = cuox.zeros(1, "i4")
    read.get_kernel("fill")[1, 1](out)
    assert out.to_host().tolist() == [9]


def test_damaged_code_is_refused_when_it_is_loaded() -> None:
    cuox.Device().set_current()
    code = ObjectCode.from_cubin(b"\x7fELF cut off")
    assert code.code == b"\x7fELF cut off"
    with pytest.raises(ValueError, match="this is not a cubin that can be loaded"):
        code.get_kernel("k")


def test_intermediate_code_has_no_kernels() -> None:
    code = ObjectCode.from_ltoir(b"\xedCN\x7f")
    with pytest.raises(RuntimeError, match='Unsupported code type "ltoir".*link it first'):
        code.get_kernel("k")


CALLER = 'extern __device__ int base(int); extern "C" __global__ void fill(int *out) { *out = base(2); }'
CALLED = "__device__ int base(int x) { return 40 + x; }"


def compiled(source: str, kind: str) -> ObjectCode:
    options = ProgramOptions(relocatable_device_code=True, link_time_optimization=kind == "ltoir")
    return Program(source, "c++", options).compile(kind)


@pytest.mark.parametrize("called", ["ltoir", "ptx"])
def test_intermediate_code_is_linked(called: str) -> None:
    device = cuox.Device()
    device.set_current()
    options = None if device.is_soft else {"link_time_optimization": True}
    linker = Linker(compiled(CALLER, "ltoir"), compiled(CALLED, called), options=options)
    code = linker.link("cubin")
    linker.close()
    out = cuox.zeros(1, "i4")
    code.get_kernel("fill")[1, 1](out)
    assert out.to_host().tolist() == [42]


@pytest.mark.parametrize("called", ["ltoir", "ptx"])
def test_ptx_calls_functions_of_intermediate_code(called: str) -> None:
    device = cuox.Device()
    device.set_current()
    options = {"link_time_optimization": True} if not device.is_soft and called == "ltoir" else None
    linker = Linker(compiled(CALLER, "ptx"), compiled(CALLED, called), options=options)
    code = linker.link("cubin")
    linker.close()
    out = cuox.zeros(1, "i4")
    code.get_kernel("fill")[1, 1](out)
    assert out.to_host().tolist() == [42]


@pytest.mark.parametrize("change", ["", "/* .extern .func (.param .b32 x) gone(); */ .extern // one\n .func"])
def test_ptx_calls_functions_of_intermediate_code_and_of_the_runtime(change: str) -> None:
    device = cuox.Device()
    device.set_current()
    options = None if device.is_soft else {"link_time_optimization": True}
    caller = bytes(compiled("#include <cassert>\n" + CALLER.replace("*out =", "assert(out); *out ="), "ptx")).decode()
    assert ".extern .func" in caller and "__assertfail" in caller
    ptx = ObjectCode.from_ptx(caller.replace(".extern .func", change or ".extern .func").encode())
    linker = Linker(ptx, compiled(CALLED, "ltoir"), options=options)
    code = linker.link("cubin")
    linker.close()
    out = cuox.zeros(1, "i4")
    code.get_kernel("fill")[1, 1](out)
    assert out.to_host().tolist() == [42]


@pytest.mark.skipif(not cuox.Device().is_soft, reason="nvJitLink alone links for a GPU")
def test_a_function_that_no_intermediate_code_has() -> None:
    other = compiled("__device__ int other(int x) { return x; }", "ltoir")
    linker = Linker(compiled(CALLER, "ptx"), other)
    with pytest.raises(cuox.CUDAError, match="(?s)_Z4basei.*LTO-IR has only what its own kernels and PTX beside it"):
        linker.link("cubin")


def test_a_kernel_by_its_handle_keeps_the_code_of_ours() -> None:
    cuox.Device().set_current()
    code = Program(SOURCE, "c++", ProgramOptions(define_macro=("VALUE", "3"))).compile("ptx")
    kernel = code.get_kernel("fill")
    again = cuox.Kernel.from_handle(int(kernel.handle))
    del kernel, code
    gc.collect()
    assert again.attributes.max_threads_per_block > 0
    out = cuox.zeros(1, "i4")
    again[1, 1](out)
    assert np.array_equal(out.to_host(), [3])
