"""Bad input: compilers' errors, stray pointers, endless kernels, forks."""

import signal
import subprocess
import sys
import textwrap
import time

import cuox
import pytest
from conftest import SAXPY
from cuox import ObjectCode, Program, ProgramOptions, _native


def test_syntax_error_in_cuda_cpp():
    program = Program("__global__ void k(int *p) { *p = ; }", code_type="c++", options=ProgramOptions(name="bad.cu"))
    with pytest.raises(cuox.CompileError) as caught:
        program.compile("ptx")
    assert "bad.cu(1)" in caught.value.log and "expected an expression" in caught.value.log
    assert caught.value.log.strip() in str(caught.value)
    assert isinstance(caught.value, cuox.CUDAError) is False
    assert caught.value.name == "NVRTC_ERROR_COMPILATION"


def test_unknown_option():
    with pytest.raises(cuox.CompileError, match="no-such-option"):
        Program(SAXPY, "a.cu").compile(["--no-such-option"])


def test_syntax_error_in_ptx():
    ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %r1;\n  blah.s32 %r1, 1;\n  ret;\n}\n"
    with pytest.raises(cuox.CUDAError) as caught:
        ObjectCode.from_ptx(ptx).get_kernel("k")
    text = str(caught.value)
    assert "line 7" in text or ":7" in text or "7:" in text, text
    assert "blah" in text, text
    assert caught.value.code in (218, 200)


def test_not_ptx_at_all():
    with pytest.raises(cuox.CUDAError):
        ObjectCode.from_ptx(b"this is not PTX").get_kernel("k")


def test_missing_kernel(device):
    code = Program(SAXPY, code_type="c++").compile("ptx")
    with pytest.raises(cuox.NotFoundError, match='no kernel "saxpi"; available: saxpy$'):
        code.get_kernel("saxpi")


def test_an_old_architecture_is_raised(device):
    program = Program(SAXPY, "saxpy.cu")
    oldest = _native.nvrtc_info()[2][0]
    with pytest.warns(UserWarning, match=f"compute_{oldest - 5}.*compute_{oldest}"):
        program.compile([f"--gpu-architecture=compute_{oldest - 5}"])


def test_bad_program_arguments():
    with pytest.raises((TypeError, ValueError)):
        Program(3, code_type="c++")
    with pytest.raises(RuntimeError, match="fortran"):
        Program("", code_type="fortran")
    with pytest.raises(ValueError, match="exe"):
        Program(SAXPY, code_type="c++").compile("exe")
    with pytest.raises(ValueError, match="NUL|null|zero"):
        Program("a\0b", code_type="c++").compile("ptx")


STRAY = """
import numpy as np, cuox
device = cuox.Device(); device.set_current(); stream = device.create_stream()
kernel = cuox.Program('extern "C" __global__ void stray(int *p) { *p = 1; }', code_type="c++").compile("ptx").get_kernel("stray")
try:
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel, 64)
    stream.sync()
except cuox.CUDAError as error:
    print("caught", error.code, error.name)
try:
    device.sync()
except cuox.CUDAError as error:
    print("sticky", error.code)
print("alive")
"""


def test_stray_pointer(run_script):
    result = run_script(STRAY)
    assert result.stdout.split("\n")[:3] == ["caught 700 CUDA_ERROR_ILLEGAL_ADDRESS", "sticky 700", "alive"], result
    assert result.returncode == 0


ENDLESS = """
import cuox, sys
device = cuox.Device(); device.set_current(); stream = device.create_stream()
source = 'extern "C" __global__ void endless(volatile int *p) { while (*p == 0) ; }'
kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("endless")
cell = device.allocate(4, stream=stream)
cell.fill(0, stream=stream)
stream.sync()
cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel, cell)
print("launched", flush=True)
try:
    {wait}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os
    os._exit(0)
print("ended")
"""


@pytest.mark.parametrize(
    "wait",
    [
        "stream.sync()",
        "device.sync()",
        "stream.record().sync()",
        "cell.copy_to_host(bytearray(4), stream=stream); stream.sync()",
    ],
)
def test_an_endless_kernel_and_ctrl_c(wait):
    script = textwrap.dedent(ENDLESS).replace("{wait}", wait)
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "launched\n", process.stderr.read()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert out == "interrupted\n", (out, err)
        assert process.returncode == 0
    finally:
        process.kill()


AFTERWARDS = """
import cuox, gc
device = cuox.Device(); device.set_current()
def work():
    stream = device.create_stream()
    source = 'extern "C" __global__ void endless(volatile int *p) { while (*p == 0) ; }'
    kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("endless")
    cell = device.mem_alloc(4)
    cell.fill(0, stream=stream)
    stream.sync()
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel, cell)
    print("launched", flush=True)
    {wait}
try:
    work()
except KeyboardInterrupt:
    print("interrupted", flush=True)
gc.collect()
device.create_stream().sync()
print("goes on", flush=True)
"""


@pytest.mark.parametrize("wait", ["stream.sync()", "cell.close()"])
def test_after_ctrl_c_objects_are_dropped_and_the_process_ends(wait, device):
    process = subprocess.Popen(
        [sys.executable, "-c", AFTERWARDS.replace("{wait}", wait)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "launched\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert out == "interrupted\ngoes on\n"
        assert process.returncode == 0
    finally:
        process.kill()


def test_waiting_lets_other_threads_run(run_script):
    result = run_script(
        """
        import threading, time, cuox
        device = cuox.Device(); device.set_current(); stream = device.create_stream()
        source = 'extern "C" __global__ void wait(volatile int *p) { while (*p == 0) ; }'
        kernel = cuox.Program(source, code_type="c++").compile("ptx").get_kernel("wait")
        flag = cuox.LegacyPinnedMemoryResource().allocate(4)
        view = memoryview(flag)
        view[:] = bytes(4)
        cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel, flag)
        def release():
            time.sleep(0.3)
            view[:] = b"\\1\\0\\0\\0"
        thread = threading.Thread(target=release); thread.start()
        stream.sync()
        thread.join()
        print("done")
        """,
        timeout=60,
    )
    assert result.stdout == "done\n", result


def test_fork(run_script):
    result = run_script(
        """
        import os, sys, warnings, cuox
        warnings.simplefilter("ignore")
        device = cuox.Device(); device.set_current(); stream = device.create_stream()
        buffer = device.allocate(16, stream=stream)
        stream.sync()
        child = os.fork()
        if child == 0:
            failures = 0
            for use in (stream.sync, device.sync, lambda: device.allocate(16, stream=stream), device.create_stream,
                        lambda: buffer.fill(0, stream=stream), lambda: cuox.Device(0).name and cuox.Device(0).create_event()):
                try:
                    use()
                except cuox.CUDAError as error:
                    failures += "fork" in str(error)
            os._exit(failures)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status))
        stream.sync()
        print("parent lives")
        """
    )
    assert result.stdout == "6\nparent lives\n", result


def test_a_bad_choice_of_device(run_script):
    result = run_script("import cuox; cuox.Device()", CUOX_DEVICE="cpu")
    assert result.returncode == 1
    assert "CUOX_DEVICE" in result.stderr and "auto, gpu or soft" in result.stderr


def test_both_devices_if_both_are_there(run_script):
    result = run_script("import cuox; print(cuox.Device(0, kind='soft').is_soft)")
    assert result.stdout == "True\n", result


def test_importing_opens_nothing(run_script):
    result = run_script("import cuox; print(any('libcuda' in line for line in open('/proc/self/maps')))")
    assert result.stdout == "False\n", result


def test_choosing_in_code_goes_before_the_environment(run_script):
    result = run_script(
        """
        import cuox
        cuox.choose_device("soft")
        print(cuox.Device().is_soft)
        for bad in ("cpu", 3):
            try:
                cuox.choose_device(bad)
            except (ValueError, TypeError) as error:
                print(type(error).__name__)
        """,
        CUOX_DEVICE="gpu",
    )
    assert result.stdout == "True\nValueError\nTypeError\n", result


def test_a_fault_in_ptx_that_is_found_at_the_launch_names_line_and_token(device, stream):
    text = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k()
{
    .reg .b32 %r<4>;
    add.u32 %r1, %nowhere, 1;
    ret;
}
"""
    if not device.is_soft:
        pytest.skip("NVIDIA's compiler looks at all code when it loads a module")
    with pytest.raises(cuox.CUDAError, match=r"ptx:7:\d+.*nowhere"):
        kernel = cuox.ObjectCode.from_ptx(text).get_kernel("k")
        cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel)
        stream.sync()
