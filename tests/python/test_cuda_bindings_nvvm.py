"""cuox.cuda.bindings.nvvm: NVVM IR becomes PTX. Skipped where the package nvidia-nvvm is not installed."""

from __future__ import annotations

import pickle
import threading

import cuox
import pytest
from cuox.cuda.bindings import nvvm

try:
    nvvm.version()
except cuox.NotFoundError as error:
    pytest.skip(str(error), allow_module_level=True)

MAJOR, _, DEBUG_MAJOR, _ = nvvm.ir_version()
IR = f"""
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
define void @kernel() {{
  ret void
}}
!nvvm.annotations = !{{!0}}
!0 = !{{void ()* @kernel, !"kernel", i32 1}}
!nvvmir.version = !{{!1}}
!1 = !{{i32 {MAJOR}, i32 0, i32 {DEBUG_MAJOR}, i32 0}}
"""


@pytest.fixture
def program():
    handle = nvvm.create_program()
    yield handle
    nvvm.destroy_program(handle)


def test_version() -> None:
    assert nvvm.version() >= (1, 0)
    assert len(nvvm.ir_version()) == 4


def test_result_is_the_header_s() -> None:
    declared = {member.name.removeprefix("NVVM_"): int(member) for member in nvvm._call.library.nvvmResult}
    assert {member.name: int(member) for member in nvvm.Result} == declared


def test_error_strings() -> None:
    assert nvvm.get_error_string(nvvm.Result.SUCCESS) == "NVVM_SUCCESS"
    assert nvvm.get_error_string(nvvm.Result.ERROR_COMPILATION) == "NVVM_ERROR_COMPILATION"


def test_compile(program: int) -> None:
    assert isinstance(program, int)
    ir = IR.encode()
    nvvm.add_module_to_program(program, ir, len(ir), "kernel.ll")
    nvvm.verify_program(program, 0, [])
    nvvm.compile_program(program, 2, ["-arch=compute_90", b"-opt=3"])
    buffer = bytearray(nvvm.get_compiled_result_size(program))
    nvvm.get_compiled_result(program, buffer)
    assert b".visible .entry kernel()" in buffer and b".target sm_90" in buffer
    # The size in place of the buffer; any other int is refused.
    assert nvvm.get_compiled_result(program, len(buffer)) == bytes(buffer)
    for wrong in (len(buffer) - 1, -1, 1 << 40):
        with pytest.raises(ValueError, match=f"nvvmGetCompiledResultSize says {len(buffer)}, got {wrong}"):
            nvvm.get_compiled_result(program, wrong)


def test_what_cannot_be_compiled(program: int) -> None:
    nvvm.add_module_to_program(program, b"nonsense", 8, "nonsense.ll")
    with pytest.raises(nvvm.nvvmError, match=r"^ERROR_COMPILATION \(9\)$") as caught:
        nvvm.compile_program(program, 0, [])
    assert caught.value.status == nvvm.Result.ERROR_COMPILATION
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), copy.status, str(copy)) == (nvvm.nvvmError, 9, str(caught.value))
    log = bytearray(nvvm.get_program_log_size(program))
    nvvm.get_program_log(program, log)
    assert log.startswith(b"nonsense.ll (1, 0)")
    assert nvvm.get_program_log(program, nvvm.get_program_log_size(program)) == bytes(log)


def test_wrong_arguments(program: int) -> None:
    with pytest.raises(ValueError, match="buffer"):
        nvvm.add_module_to_program(program, None, 0, "x.ll")
    with pytest.raises(ValueError, match="size: expected at most the buffer's 8 bytes, got 9"):
        nvvm.add_module_to_program(program, b"nonsense", 9, "x.ll")
    with pytest.raises(TypeError, match="name: expected a str"):
        nvvm.add_module_to_program(program, b"", 0, None)
    with pytest.raises(ValueError, match="options: expected 2, as num_options says, got 1"):
        nvvm.compile_program(program, 2, ["-opt=0"])
    with pytest.raises(TypeError, match="got one text"):
        nvvm.compile_program(program, 1, "-opt=0")
    with pytest.raises(ValueError, match="writable"):
        nvvm.get_program_log(program, b" ")
    with pytest.raises(ValueError, match="writes 1 bytes, the buffer has 0"):
        nvvm.get_program_log(program, bytearray())


def test_programs_that_are_none() -> None:
    ended = nvvm.create_program()
    nvvm.destroy_program(ended)
    for none in (1234, 0, ended, 2**64 - 1, -1):
        for call in (
            nvvm.destroy_program,
            nvvm.get_program_log_size,
            lambda handle: nvvm.compile_program(handle, 0, []),
            lambda handle: nvvm.get_program_log(handle, 5),
        ):
            with pytest.raises(nvvm.nvvmError, match="ERROR_INVALID_PROGRAM"):
                call(none)


def test_several_threads_compile() -> None:
    failed: list[BaseException] = []

    def compile_one() -> None:
        try:
            handle = nvvm.create_program()
            ir = IR.encode()
            nvvm.add_module_to_program(handle, ir, len(ir), "kernel.ll")
            nvvm.compile_program(handle, 0, [])
            nvvm.destroy_program(handle)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=compile_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed and not any(thread.is_alive() for thread in threads)
