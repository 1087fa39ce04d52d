"""Ctrl-C, and other signals, at everything that waits."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time

import cuox
import pytest

HEAD = """
import os, signal, sys, threading, time
import cuox
device = cuox.Device(); device.set_current(); stream = device.create_stream()
"""

# Sources that take NVRTC a while: to read, or to optimise. The number keeps it from being found in a cache.
LONG_TO_READ = "#include <cooperative_groups.h>\\n#include <cooperative_groups/reduce.h>\\n"
LONG_TO_OPTIMISE = (
    "template <int N> __device__ float f(float *x) { float s = 0;\\n#pragma unroll\\n"
    "for (int i = 0; i < N; i++) s += __sinf(x[i] * s) * x[i * 7 % N]; return s; }\\n"
    "__global__ void g(float *x) { x[0] = f<4000>(x) + f<4001>(x) + f<4002>(x) + f<4003>(x) + f<4004>(x) + f<4005>(x); }\\n"
)


def interrupted(
    script: str, *, after: float = 0.3, number: int = signal.SIGINT, limit: float = 60
) -> tuple[int, str, str, float]:
    """Runs a script, sends it a signal some time after it has printed a line, and says how it ended, and how long after
    that.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD + textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        assert line == "ready\n", (line, process.stderr.read())
        time.sleep(after)
        process.send_signal(number)
        begin = time.monotonic()
        out, err = process.communicate(timeout=limit)
        return process.returncode, out, err, time.monotonic() - begin
    finally:
        process.kill()


COMPILE = """
source = {source!r}.encode().decode("unicode_escape") + 'extern "C" __global__ void k%d(int *p) {{ *p = 1; }}' % time.time_ns()
program = cuox.Program(source, code_type="c++")
try:
    print("ready", flush=True)
    for i in range(20):
        program.compile("ptx", options=["-DTURN=%d%d" % (i, time.time_ns())])
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
os.kill(os.getpid(), signal.SIGUSR1)
cuox.Program('extern "C" __global__ void k(int *p) {{ *p = 1; }}', code_type="c++").compile("ptx")
print("goes on")
"""


@pytest.mark.parametrize("source", [LONG_TO_READ, LONG_TO_OPTIMISE], ids=["reading", "optimising"])
def test_a_compilation(source):
    script = "signal.signal(signal.SIGUSR1, lambda *_: print('other handlers stay'))\n" + COMPILE.format(source=source)
    code, out, err, _ = interrupted(script)
    assert (code, out, err) == (0, "interrupted\nother handlers stay\ngoes on\n", "")


def test_a_compilation_whose_handler_raises_something_else():
    code, out, err, _ = interrupted(
        f"""
        class Stop(Exception): pass
        def handler(*_): raise Stop("by hand")
        signal.signal(signal.SIGTERM, handler)
        program = cuox.Program({LONG_TO_READ!r}.encode().decode("unicode_escape") + "__device__ int i%d;" % time.time_ns(), code_type="c++")
        print("ready", flush=True)
        try:
            for i in range(20): program.compile("ptx", options=["-DTURN=%d%d" % (i, time.time_ns())])
        except Stop as error:
            print(error)
        """,
        number=signal.SIGTERM,
    )
    assert (code, out, err) == (0, "by hand\n", "")


# The signal must come while both compile.
@pytest.mark.serial
def test_compilations_in_threads_leave_handlers_alone():
    """NVRTC saves and restores handlers, and two threads would restore each other's."""
    code, out, err, _ = interrupted(
        f"""
        def work(n):
            source = {LONG_TO_READ!r}.encode().decode("unicode_escape") + "__device__ int i%d_%d;" % (n, time.time_ns())
            cuox.Program(source, code_type="c++").compile("ptx")
        threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
        for thread in threads: thread.start()
        print("ready", flush=True)
        try:
            for thread in threads: thread.join()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            for thread in threads: thread.join()
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt:
            print("again")
        """
    )
    assert (code, out, err) == (0, "interrupted\nagain\n", "")


def test_a_compilation_by_the_bindings():
    code, out, err, _ = interrupted(
        f"""
        from cuox.cuda.bindings import nvrtc
        from cuox import _native
        from pathlib import Path
        folders = [b"-I" + os.fsencode(folder) for folder in _native.cuda_include_dirs()]
        print("ready", flush=True)
        try:
            for i in range(20):
                source = {LONG_TO_READ!r}.encode().decode("unicode_escape") + "__device__ int i%d_%d;" % (i, time.time_ns())
                error, program = nvrtc.nvrtcCreateProgram(source.encode(), b"a.cu", 0, [], [])
                error, = nvrtc.nvrtcCompileProgram(program, len(folders), folders)
                assert error == 0, error
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    assert (code, out, err) == (0, "interrupted\n", "")


def test_a_compilation_ends_by_a_signal_that_nobody_handles():
    code, out, err, _ = interrupted(COMPILE.format(source=LONG_TO_READ), number=signal.SIGTERM)
    assert (code, out, err) == (-signal.SIGTERM, "", "")


def test_reading_input_after_a_compilation():
    """NVRTC's way of restoring a handler has system calls restarted: Ctrl-C would not end `input()` any more."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            HEAD
            + textwrap.dedent("""
            cuox.Program('extern "C" __global__ void k(int *p) { *p = %d; }' % (time.time_ns() % 10**9), code_type="c++").compile("ptx")
            print("ready", flush=True)
            try:
                os.read(0, 1)
            except KeyboardInterrupt:
                print("interrupted")
            """),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.wait(20)
        assert process.stdout.read() == "interrupted\n"
    finally:
        process.kill()
        process.stdin.close()


ENDLESS = """
source = 'extern "C" __global__ void endless(volatile int *p) {{ while (*p == 0) ; }}'
kernel = cuox.Program(source, code_type="c++").compile("ptx" if device.is_soft else "cubin").get_kernel("endless")
cell, other, config = device.mem_alloc(4), device.create_stream(), cuox.LaunchConfig(grid=1, block=1)
cell.fill(0, stream=stream)
stream.sync()
cuox.launch(stream, config, kernel, cell)
event = stream.record()
pinned = cuox.PinnedMemoryResource().allocate(1 << 20) if hasattr(cuox, "PinnedMemoryResource") else None
try:
    print("ready", flush=True)
    {wait}
    print("ended")
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
"""

WAITS = {
    "a stream": "stream.sync()",
    "a stream that waits for another": "other.wait(stream); other.sync()",
    "the device": "device.sync()",
    "an event": "event.sync()",
    "the default stream": "cuox.launch(device.default_stream, config, kernel, cell); device.default_stream.sync()",
    "a copy to the host": "cell.copy_to_host(bytearray(4), stream=stream); stream.sync()",
    "a copy without a stream": "cuox.launch(device.default_stream, config, kernel, cell); cell.copy_to_host(bytearray(4))",
    "freeing": "cell.close(); device.sync()",
    "a full queue": "while True: cuox.launch(stream, config, kernel, cell)",
    "callbacks behind it": "stream.add_callback(print); stream.sync()",
    "a callback": "other.add_callback(time.sleep, 20); other.sync()",
    "a with statement": "import contextlib\n    with contextlib.closing(device.create_stream()) as s: s.wait(event); s.sync()",
}


@pytest.mark.parametrize("what", WAITS)
def test_waits(what):
    if what == "a full queue" and not cuox.Device().is_soft:
        pytest.skip("NVIDIA's driver cannot be left while its queue is full")
    code, out, err, seconds = interrupted(ENDLESS.format(wait=WAITS[what]), limit=30)
    assert (code, out, err) == (0, "interrupted\n", "")
    assert seconds < 20


def test_a_wait_in_a_thread_leaves_ctrl_c_to_the_main_thread():
    code, out, err, _ = interrupted(
        ENDLESS.format(
            wait="thread = threading.Thread(target=lambda: (device.set_current(), stream.sync()), daemon=True)\n    thread.start(); thread.join()"
        )
    )
    assert (code, out, err) == (0, "interrupted\n", "")


def test_a_handler_that_raises_and_one_that_returns():
    code, out, err, _ = interrupted(
        """
        count = 0
        def handler(*_):
            global count
            count += 1
            if count == 2: raise ZeroDivisionError("twice")
            os.kill(os.getpid(), signal.SIGINT)
        signal.signal(signal.SIGINT, handler)
        """
        + textwrap.indent(
            ENDLESS.format(wait="stream.sync()").replace("except KeyboardInterrupt", "except ZeroDivisionError"),
            " " * 8,
        )
    )
    assert (code, out, err) == (0, "interrupted\n", "")


def test_a_signal_that_nobody_handles_ends_a_wait():
    code, out, err, _ = interrupted(ENDLESS.format(wait="stream.sync()"), number=signal.SIGTERM)
    assert (code, out, err) == (-signal.SIGTERM, "", "")


# By the time of the signal Python must have come to its end.
@pytest.mark.serial
def test_ctrl_c_while_the_end_waits_for_callbacks():
    code, out, err, seconds = interrupted(
        """
        stream.add_callback(time.sleep, 30)
        print("ready", flush=True)
        """,
        after=1.5,
        limit=30,
    )
    assert (code, out) == (0, "") and "KeyboardInterrupt" in err and "Fatal" not in err
    assert seconds < 15


@pytest.mark.parametrize("kind", ["array", "virtual"])
def test_closing_what_waits_for_the_device(kind):
    code, out, err, took = interrupted(
        f"""
        from cuox.cuda.core import VirtualMemoryResource
        from cuox.cuda.core.texture import OpaqueArrayOptions
        endless = cuox.Program('extern "C" __global__ void endless(volatile int *p) {{ while (*p == 0); }}').compile("ptx").get_kernel("endless")
        array = device.create_opaque_array(OpaqueArrayOptions(shape=(4, 2), format="float32", num_channels=1))
        kept = device.create_opaque_array(OpaqueArrayOptions(shape=(4, 2), format="float32", num_channels=1))
        virtual = VirtualMemoryResource(device).allocate(4)
        cell = cuox.PinnedMemoryResource().allocate(4)
        memoryview(cell).cast("B")[:] = bytes(4)
        endless[1, 1, stream](cell)
        print("ready", flush=True)
        try:
            {kind}.close()
        except KeyboardInterrupt:
            print("interrupted", {kind}.is_closed, flush=True)
        """
    )
    assert (code, out, err) == (0, "interrupted True\n", "") and took < 10


def test_ctrl_c_that_nobody_catches_ends_the_process():
    script = ENDLESS.format(wait="stream.sync()").replace("except KeyboardInterrupt", "except ZeroDivisionError")
    code, out, err, _ = interrupted(script, limit=30)
    assert code == -signal.SIGINT and err.endswith("KeyboardInterrupt\n") and out == ""
