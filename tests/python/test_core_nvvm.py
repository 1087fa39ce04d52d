"""Programs of NVVM IR: `Program(ir, "nvvm")`."""

from __future__ import annotations

import io
import pickle

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import nvvm
from cuox.cuda.core import LaunchConfig, ObjectCode, Program, ProgramOptions, launch
from cuox.cuda.core.utils import InMemoryProgramCache


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    try:
        nvvm.version()
    except cuox.NotFoundError:
        pytest.skip("no libNVVM (nvidia-nvvm)")


def ir(body: str, more: str = "") -> str:
    """A kernel `k(float *out, float x)` that stores the result of the lines, in the IR of devices before 10.0."""
    major, minor, debug_major, debug_minor = nvvm.ir_version()
    return f"""
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
define void @k(float* %out, float %x) {{
{body}
  store float %y, float* %out
  ret void
}}
{more}
!nvvm.annotations = !{{!0}}
!0 = !{{void (float*, float)* @k, !"kernel", i32 1}}
!nvvmir.version = !{{!1}}
!1 = !{{i32 {major}, i32 {minor}, i32 {debug_major}, i32 {debug_minor}}}
"""


DOUBLED = "  %y = fadd float %x, %x"


def run(code: ObjectCode, x: float) -> float:
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    out = cuox.zeros(1, np.float32, stream=stream)
    launch(stream, LaunchConfig(grid=1, block=1), code.get_kernel("k"), out, np.float32(x))
    return float(out.to_host()[0])


@pytest.mark.parametrize("kind", [str, bytes, bytearray])
def test_text_is_compiled(kind: type) -> None:
    text = ir(DOUBLED)
    program = Program(text if kind is str else kind(text.encode()), "nvvm", ProgramOptions(name="doubled"))
    assert program.backend == "NVVM" and repr(program) == "<Program backend='NVVM'>" and program.name == "doubled"
    code = program.compile()
    assert code.code_type == "ptx" and code.name == "doubled" and b".entry k" in code.code
    assert run(code, 21) == 42
    assert run(pickle.loads(pickle.dumps(program)).compile("ptx"), 4) == 8
    program.close()
    with pytest.raises(cuox.ClosedError):
        program.compile()


def test_modules_and_libdevice() -> None:
    major, minor, debug_major, debug_minor = nvvm.ir_version()
    other = f"""
target triple = "nvptx64-nvidia-cuda"
define float @three(float %x) {{
  %y = fmul float %x, 3.0
  ret float %y
}}
!nvvmir.version = !{{!0}}
!0 = !{{i32 {major}, i32 {minor}, i32 {debug_major}, i32 {debug_minor}}}
"""
    text = ir(
        "  %t = call float @three(float %x)\n  %y = call float @__nv_sqrtf(float %t)",
        "declare float @three(float)\ndeclare float @__nv_sqrtf(float)",
    )
    options = ProgramOptions(extra_sources=[("other", other)], use_libdevice=True, ftz=True, device_code_optimize=True)
    assert run(Program(text, "nvvm", options).compile("ptx"), 12) == 6


def test_a_cache_keeps_it() -> None:
    cache = InMemoryProgramCache()
    options = ProgramOptions(arch="sm_75")
    made = [Program(ir(DOUBLED), "nvvm", options).compile("ptx", cache=cache).code for _ in range(2)]
    assert made[0] == made[1] and len(cache) == 1


def test_other_code_is_made_on_demand() -> None:
    code = Program(ir(DOUBLED), "nvvm", ProgramOptions(arch="sm_90")).compile("ltoir")
    assert code.code_type == "ltoir" and len(code.code) > 100
    with pytest.raises(ValueError, match='Unsupported target_type="cubin" for NVVM'):
        Program(ir(DOUBLED), "nvvm").compile("cubin")


def test_mistakes() -> None:
    log = io.StringIO()
    with pytest.raises(nvvm.nvvmError, match="ERROR_INVALID_IR|ERROR_COMPILATION|ERROR_NO_MODULE") as error:
        Program("this is no IR", "nvvm").compile("ptx", logs=log)
    assert "\n" in str(error.value)  # what the compiler says
    with pytest.raises(TypeError, match="NVVM IR code must be provided as str, bytes, or bytearray, got int"):
        Program(1, "nvvm")  # type: ignore[arg-type]
    options = ProgramOptions(arch="sm_80", lineinfo=True, include_path="here", std="c++17")
    with pytest.raises(cuox.CUDAError, match=r"not supported by NVVM backend: lineinfo, include_path, std"):
        options.as_bytes("nvvm")
    with pytest.raises(cuox.CUDAError, match="not supported by NVVM backend"):
        Program(ir(DOUBLED), "nvvm", options).compile()
    with pytest.raises(ValueError, match="are NVRTC's"):
        Program(ir(DOUBLED), "nvvm").compile("ptx", name_expressions=["k"])
    with pytest.raises(ValueError, match="as text, not bitcode"):
        Program(b"\xff\xfe", "nvvm").compile("ptx", cache=InMemoryProgramCache())
    words = ProgramOptions(arch="sm_80", debug=True, ftz=True, fma=False, numba_debug=True).as_bytes("nvvm", "ltoir")
    assert words == [b"-arch=compute_80", b"-g", b"--numba-debug", b"-ftz=1", b"-fma=0", b"-gen-lto"]
