"""`breakpoint()` in kernels on the software GPU: where it stops, what is seen there and can be changed, and how it goes
on.
"""

from __future__ import annotations

import bdb
import collections
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.numba import cuda, float32, int32

Hook = Callable[[FrameType], None]


@pytest.fixture
def hooked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Hook], None]]:
    """Sets a function that is called with the frame of each stop."""
    if not cuox.Device().is_soft:
        pytest.skip("kernels stop on the software GPU")

    def set_hook(hook: Hook) -> None:
        monkeypatch.setattr(sys, "breakpointhook", lambda *args, **named: hook(sys._getframe(1)))

    yield set_hook


def run(source: str, answers: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program with pdb's input."""
    if not cuox.Device().is_soft:
        pytest.skip("kernels stop on the software GPU")
    variables = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONBREAKPOINT", "CUOX_SOFT_CHECK")
    }
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)],
        input=answers,
        env={**variables, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# Where it stops, and what is seen there


def test_the_thread_that_comes_to_it_stops(hooked: Any) -> None:
    stops = []
    hooked(
        lambda frame: stops.append(
            (frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno, dict(frame.f_locals))
        )
    )

    @cuda.jit(debug=True)
    def kernel(x, out):
        i = cuda.grid(1)
        twice = x[i] * 2
        if i == 37:
            breakpoint()
        out[i] = twice

    x = np.arange(64, dtype=np.float32)
    out = cuda.to_device(np.zeros(64, np.float32))
    kernel[2, 32](cuda.to_device(x), out)
    assert (out.copy_to_host() == 2 * x).all()
    ((file, function, line, names),) = stops
    assert (file, function, line) == (__file__, "kernel", kernel.py_func.__code__.co_firstlineno + 5)
    assert names["i"] == 37 and names["twice"] == 74 and type(names["twice"]) is np.float64
    assert (names["x"] == x).all() and names["x"].dtype == np.float32
    assert (*names["threadIdx"], *names["blockIdx"], *names["blockDim"], *names["gridDim"]) == (
        5,
        0,
        0,
        1,
        0,
        0,
        32,
        1,
        1,
        2,
        1,
        1,
    )


def test_a_function_that_a_kernel_calls(hooked: Any) -> None:
    stops: list[Any] = []
    hooked(lambda frame: stops.append((frame.f_code.co_name, dict(frame.f_locals), frame.f_globals is globals())))

    def scaled(value, by):
        product = value * by
        breakpoint()
        return product

    @cuda.jit(debug=True)
    def kernel(x):
        def inner(value):
            here = value + 1
            breakpoint()
            return here

        for n in range(2):
            x[n] = scaled(x[n], 10) + inner(n)

    x = cuda.to_device(np.array([1.0, 2.0]))
    kernel[1, 1](x)
    assert x.copy_to_host().tolist() == [11.0, 22.0]
    assert [name for name, _, _ in stops] == ["scaled", "inner"] * 2
    assert [names["product"] for name, names, _ in stops if name == "scaled"] == [10.0, 20.0]
    assert [names["here"] for name, names, _ in stops if name == "inner"] == [1, 2]
    assert all(same for _, _, same in stops)


def test_values_of_all_kinds(hooked: Any) -> None:
    point = collections.namedtuple("point", "x y")
    record = np.dtype([("a", np.int8), ("b", np.float32), ("m", np.int16, (2, 2))], align=True)
    stops: list[Any] = []
    hooked(
        lambda frame: stops.append(
            {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in frame.f_locals.items()}
        )
    )
    outer = 12

    @cuda.jit(debug=True)
    def kernel(x, f, strided, t, p, r, flag, half, z, none, day, word):
        shared = cuda.shared.array(4, float32)
        local = cuda.local.array((2, 3), int32)
        local[1, 2] = 5
        shared[cuda.threadIdx.x] = cuda.threadIdx.x
        cuda.syncthreads()
        text, row, one, mixed, unsigned = "text", f[1], r[1], (1, t[2]), np.uint64(2**63)
        if cuda.threadIdx.x == 1:
            breakpoint()
        x[0] = outer

    arrays = [
        np.arange(4, dtype=np.complex64),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(10, dtype=np.int32),
        np.array([(1, 1.5, [[1, 2], [3, 4]]), (2, 2.5, [[5, 6], [7, 8]])], record),
        np.array([b"abc", b"de"]),
    ]
    x, f, strided, r, word = map(cuda.to_device, arrays)
    plain = (np.int8(1), np.int8(2), 3)
    kernel[1, 4](
        x,
        f,
        strided[1::3],
        plain,
        point(1.5, 2),
        r,
        True,
        np.float16(1.5),
        1 + 2j,
        None,
        np.datetime64("2020-01-01"),
        word,
    )
    (names,) = stops
    assert (names["x"] == arrays[0]).all() and names["x"].dtype == np.complex64
    assert (names["f"] == arrays[1]).all() and names["row"].tolist() == [3.0, 4.0, 5.0]
    assert names["strided"].tolist() == [1, 4, 7]
    assert names["t"] == plain and type(names["t"][1]) is np.int8 and names["mixed"] == (1, 3)
    assert names["p"] == (1.5, 2) and names["p"].y == 2
    assert (
        names["one"].a == 2
        and names["one"]["m"].tolist() == [[5, 6], [7, 8]]
        and names["r"]["b"].tolist() == [1.5, 2.5]
    )
    assert (
        names["flag"] == np.True_
        and names["half"] == np.float16(1.5)
        and type(names["half"]) is np.float16
        and names["z"] == 1 + 2j
    )
    assert (
        names["none"] is None
        and names["day"] == np.datetime64("2020-01-01")
        and names["word"].tolist() == [b"abc", b"de"]
    )
    assert names["text"] == "text" and names["unsigned"] == 2**63 and names["outer"] == 12
    assert names["shared"].tolist() == [0, 1, 2, 3] and names["local"][1, 2] == 5
    assert x.copy_to_host()[0] == 12


def test_names_of_cuda_are_the_threads(hooked: Any) -> None:
    found: list[Any] = []
    hooked(
        lambda frame: found.append(
            (cuda.threadIdx.x, cuda.blockIdx.y, cuda.blockDim.y, cuda.grid(1), cuda.grid(2), cuda.gridsize(2))
        )
    )

    @cuda.jit(debug=True)
    def kernel(x):
        if cuda.grid(2) == (5, 3):
            breakpoint()

    kernel[(2, 2), (4, 2)](cuda.to_device(np.zeros(1)))
    assert found == [(1, 1, 2, 5, (5, 3), (8, 4))]
    with pytest.raises(TypeError, match="inside of a kernel only"):
        cuda.grid(1)


def test_a_name_without_a_value_on_the_way_taken(hooked: Any) -> None:
    stops: list[Any] = []
    hooked(lambda frame: stops.append(dict(frame.f_locals)))

    @cuda.jit(debug=True)
    def kernel(x):
        i = cuda.grid(1)
        if x[i] > 1:
            part = x[1:]
            either = 1
        else:
            either = x
        breakpoint()
        x[i] = 0

    kernel[1, 1](cuda.to_device(np.zeros(2)))
    # Whatever is there: it must be shown without harm.
    repr(stops[0])


# What can be changed


def test_assignments_take_effect(hooked: Any) -> None:
    point = collections.namedtuple("point", "x y")

    def change(frame: FrameType) -> None:
        names = frame.f_locals
        names["n"] = 7
        names["real"] = np.float32(1.5)
        names["pair"] = (5, 2.5)
        names["p"] = (8, 9.0)
        names["a"][1] = 44
        names["scratch"][0] = 3
        names["one"].b = 6.5

    hooked(change)

    @cuda.jit(debug=True)
    def kernel(a, n, real, p, r, out):
        pair = (n, real)
        scratch = cuda.local.array(2, float32)
        scratch[0] = 0
        one = r[0]
        breakpoint()
        out[0], out[1], out[2], out[3], out[4], out[5], out[6] = n, real, pair[0], pair[1], p.x, p.y, scratch[0]

    a = cuda.to_device(np.zeros(3, np.int32))
    r = cuda.to_device(np.zeros(1, np.dtype([("a", np.int32), ("b", np.float32)])))
    out = cuda.to_device(np.zeros(7))
    kernel[1, 1](a, 1, np.float32(0), point(np.int8(0), 0.0), r, out)
    assert out.copy_to_host().tolist() == [7, 1.5, 5, 2.5, 8, 9, 3]
    assert a.copy_to_host().tolist() == [0, 44, 0] and r.copy_to_host()["b"].tolist() == [6.5]


def test_what_cannot_be_assigned_is_said(hooked: Any, capfd: pytest.CaptureFixture[str]) -> None:
    def change(frame: FrameType) -> None:
        frame.f_locals.update(a=np.zeros(3), known=6, small=300, n="text")

    hooked(change)

    @cuda.jit(debug=True)
    def kernel(a, small, n):
        known = 5
        breakpoint()
        a[0], a[1] = small, n

    a = cuda.to_device(np.zeros(3))
    kernel[1, 1](a, np.int8(1), 2)
    assert a.copy_to_host().tolist() == [1, 2, 0]
    said = capfd.readouterr().err
    assert "a is not changed: an array cannot be replaced by another: assign to its elements" in said
    assert "known is not changed: its value is known when the kernel is compiled" in said
    assert "small is not changed" in said and "n is not changed" in said


def test_an_array_outlives_the_stop_and_its_memory(hooked: Any) -> None:
    kept: list[Any] = []
    hooked(lambda frame: kept.append(frame.f_locals["a"]))

    @cuda.jit(debug=True)
    def kernel(a):
        if cuda.grid(1) == 0:
            breakpoint()

    a = cuda.to_device(np.ones(1 << 20))
    kernel[1, 32](a)
    del a
    for _ in range(4):
        cuda.synchronize()
        cuda.to_device(np.zeros(1 << 20))
    float(kept[0].sum())
    kept[0][:] = 3


# How it goes on


def test_threads_stop_one_after_the_other(hooked: Any) -> None:
    stops: list[Any] = []
    inside = threading.Lock()

    def hook(frame: FrameType) -> None:
        assert inside.acquire(blocking=False)
        stops.append((frame.f_locals["blockIdx"].x, frame.f_locals["threadIdx"].x))
        inside.release()

    hooked(hook)

    @cuda.jit(debug=True)
    def kernel(out):
        i = cuda.grid(1)
        if i % 3 == 0:
            breakpoint()
        cuda.syncthreads()
        out[i] = 1

    out = cuda.to_device(np.zeros(8 * 50))
    kernel[8, 50](out)
    assert sorted(stops) == [(i // 50, i % 50) for i in range(0, 400, 3)]
    assert out.copy_to_host().sum() == 400


def test_an_exception_ends_the_kernel_and_comes_out_of_the_launch(hooked: Any) -> None:
    stops = []

    def hook(frame: FrameType) -> None:
        stops.append(frame.f_locals["i"])
        if len(stops) == 3:
            raise LookupError("enough")

    hooked(hook)

    @cuda.jit(debug=True)
    def kernel(out):
        i = cuda.grid(1)
        while out[i] == 0:
            breakpoint()

    with pytest.raises(LookupError, match="enough"):
        kernel[40, 64](cuda.to_device(np.zeros(40 * 64)))
    assert len(stops) == 3
    # The device is as well as before.
    x = cuda.to_device(np.ones(40 * 64))
    kernel[40, 64](x)
    assert x.copy_to_host().sum() == 40 * 64 and len(stops) == 3


def test_launches_of_other_threads(hooked: Any) -> None:
    stops: dict[int, list[Any]] = {}

    def hook(frame: FrameType) -> None:
        mark = int(frame.f_locals["mark"])
        stops.setdefault(mark, []).append(threading.get_ident())
        if mark == 2:
            raise KeyError(mark)

    hooked(hook)

    @cuda.jit(debug=True)
    def kernel(x, mark):
        if cuda.grid(1) < 5:
            breakpoint()
        x[0] = mark

    raised: list[BaseException] = []

    def launch(mark: int) -> None:
        stream = cuda.stream()
        idents[mark] = threading.get_ident()
        try:
            kernel[4, 32, stream](cuda.to_device(np.zeros(1)), mark)
        except BaseException as error:
            raised.append(error)

    idents: dict[int, int] = {}
    threads = [threading.Thread(target=launch, args=(mark,)) for mark in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    # Each thread of Python's has the stops of its own launch.
    assert {mark: set(seen) for mark, seen in stops.items()} == {mark: {ident} for mark, ident in idents.items()}
    assert [len(stops[mark]) for mark in range(4)] == [5, 5, 1, 5]
    assert [repr(error) for error in raised] == ["KeyError(2)"]


def test_two_launches_in_one_stream(hooked: Any) -> None:
    stops: list[Any] = []
    hooked(lambda frame: stops.append((int(frame.f_locals["mark"]), threading.get_ident())))

    @cuda.jit(debug=True)
    def kernel(x, mark):
        if cuda.grid(1) < 3:
            breakpoint()

    kernel[1, 32](cuda.to_device(np.zeros(1)), -1)
    stops.clear()
    idents: dict[int, int] = {}

    def launch(mark: int) -> None:
        idents[mark] = threading.get_ident()
        for _ in range(5):
            kernel[1, 32](x, mark)

    x = cuda.to_device(np.zeros(1))
    threads = [threading.Thread(target=launch, args=(mark,)) for mark in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(stops) == 45


def test_waiting_for_the_device_at_a_breakpoint_is_an_error(hooked: Any) -> None:
    def hook(frame: FrameType) -> None:
        with pytest.raises(RuntimeError, match="a kernel has stopped at a breakpoint"):
            cuda.synchronize()
        with pytest.raises(RuntimeError, match="a kernel has stopped at a breakpoint"):
            x.copy_to_host()

    hooked(hook)

    @cuda.jit(debug=True)
    def kernel(x):
        breakpoint()
        x[0] = 3

    x = cuda.to_device(np.zeros(1))
    kernel[1, 1](x)
    assert x.copy_to_host()[0] == 3


# Python's debugger

PROGRAM = """
import bdb
import numpy as np
from cuox.numba import cuda

@cuda.jit(debug=True)
def kernel(x, out):
    i = cuda.grid(1)
    if i % 4 == 1:
        breakpoint()
    total = x[i] + 1
    total *= 2
    out[i] = total

x = cuda.to_device(np.arange(8.0))
out = cuda.to_device(np.zeros(8))
try:
    kernel[1, 8](x, out)
except bdb.BdbQuit:
    print("ended")
kernel[1, 1](x, out)
print(out.copy_to_host().tolist())
"""


def test_pdb_shows_the_kernel() -> None:
    done = run(PROGRAM, "p i, x[i], threadIdx.x\nl\nw\na\nc\np i\nc\n")
    assert done.returncode == 0, done.stderr
    out = done.stdout
    assert "block (0, 0, 0), thread (1, 0, 0)" in out and "> <string>(10)kernel()\n-> breakpoint()" in out
    assert "(np.int64(1), np.float64(1.0), 1)" in out
    assert " 11  \t    total = x[i] + 1" in out and " 10  ->\t        breakpoint()" in out
    assert "<string>(18)<module>()" in out and "cuox/" not in out
    assert "x = array([0., 1., 2., 3., 4., 5., 6., 7.])" in out
    assert "thread (5, 0, 0)" in out
    assert "[2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]" in out


def test_pdb_steps_and_assigns() -> None:
    done = run(PROGRAM.replace("i % 4", "i"), "n\nn\np total\n!total = 50.0\nn\nr\nb 3\nx[0] = 9\ns\n")
    assert done.returncode == 0, done.stderr
    assert "-> total = x[i] + 1" in done.stdout and "-> total *= 2" in done.stdout and "np.float64(2.0)" in done.stdout
    assert "-> out[i] = total" in done.stdout
    assert "*** r is not supported in a kernel" in done.stdout and "*** b is not supported in a kernel" in done.stdout
    # The second launch sees what was assigned to an element.
    assert "[20.0, 100.0, 6.0" in done.stdout


@pytest.mark.parametrize("answers", ["q\n", "p i\n"])
def test_pdb_ends_the_kernel(answers: str) -> None:
    done = run(PROGRAM, answers)
    assert done.returncode == 0, done.stderr
    assert "ended" in done.stdout and "[2.0, " in done.stdout


def test_pythonbreakpoint_0_stops_nowhere() -> None:
    done = run(PROGRAM, PYTHONBREAKPOINT="0")
    assert done.stdout == "[2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]\n", done.stderr


@pytest.mark.parametrize("engine", ["interpreter", "jit", "jit-narrow"])
def test_both_engines(engine: str) -> None:
    done = run(PROGRAM.replace("i % 4", "i"), "n\nn\n!total = 50.0\nfinish\n", CUOX_SOFT_ENGINE=engine)
    assert "[2.0, 100.0, 6.0" in done.stdout, done.stderr


def test_ctrl_c_leaves_a_kernel_that_does_not_end() -> None:
    source = """
    import os, signal, sys, threading, time
    import numpy as np
    from cuox.numba import cuda

    @cuda.jit(debug=True)
    def kernel(x):
        while x[0] < 1e12:
            if x[0] == 3:
                breakpoint()
            x[0] += 1

    sys.breakpointhook = lambda: print("stopped", flush=True)
    threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    try:
        kernel[1, 1](cuda.to_device(np.zeros(1)))
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - begun < 20, flush=True)
        os._exit(0)
    """
    done = run(source)
    assert done.stdout == "stopped\ninterrupted True\n", done.stderr


def test_a_graph_cannot_have_it(hooked: Any, no_garbage: None) -> None:
    hooked(lambda frame: None)

    @cuda.jit(debug=True)
    def kernel(x):
        breakpoint()

    x = cuda.to_device(np.zeros(1))
    kernel[1, 1](x)
    builder = cuox.Device().create_graph_builder()
    builder.begin_building()
    with pytest.raises(RuntimeError, match="cannot be captured"):
        kernel[1, 1, builder](x)
    builder.end_building()


def test_checks_of_memory_go_with_it() -> None:
    done = run(PROGRAM.replace("i % 4", "i"), "n\nn\n!total = 50.0\nfinish\n", CUOX_SOFT_CHECK="memory")
    assert "[2.0, 100.0, 6.0" in done.stdout, done.stderr


def test_a_function_that_calls_itself(hooked: Any) -> None:
    stops: list[Any] = []
    hooked(lambda frame: stops.append((int(frame.f_locals["n"]), frame.f_locals.get("below"))))

    def product(n):
        if n <= 1:
            breakpoint()
            return 1
        below = product(n - 1)
        breakpoint()
        return n * below

    @cuda.jit(debug=True)
    def kernel(x):
        x[0] = product(4)

    x = cuda.to_device(np.zeros(1))
    kernel[1, 1](x)
    assert x.copy_to_host()[0] == 24 and stops == [(1, None), (2, 1), (3, 2), (4, 6)]


def test_output_of_the_kernel_comes_first() -> None:
    source = """
    from cuox.numba import cuda
    import sys

    sys.breakpointhook = lambda: print("stopped", flush=True)

    @cuda.jit(debug=True)
    def kernel():
        print("before", cuda.threadIdx.x)
        if cuda.threadIdx.x == 0:
            breakpoint()
        cuda.syncthreads()
        print("after", cuda.threadIdx.x)

    kernel[1, 1]()
    """
    assert run(source).stdout == "before 0\nstopped\nafter 0\n"


def test_debuggers_that_trace(tmp_path: Path) -> None:
    # pytest's own, which sets a trace function and stops at the statement behind; from Python 3.13 on, at the call.
    file = tmp_path / "test_it.py"
    file.write_text(
        textwrap.dedent("""
        import numpy as np
        from cuox.numba import cuda

        @cuda.jit(debug=True)
        def kernel(x):
            i = cuda.grid(1)
            breakpoint()
            x[i] = 5

        def test_it():
            x = cuda.to_device(np.zeros(1))
            kernel[1, 1](x)
            assert x.copy_to_host()[0] == 5
        """)
    )
    if not cuox.Device().is_soft:
        pytest.skip("kernels stop on the software GPU")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(
        command, input="p 'index', i\nc\n", capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    shown = (
        ("test_it.py(8)kernel()", "-> breakpoint()")
        if sys.version_info >= (3, 13)
        else ("test_it.py(9)kernel()", "-> x[i] = 5")
    )
    assert all(text in done.stdout for text in shown) and "('index', np.int64(0))" in done.stdout


# Where there is none


def test_without_debug_it_is_an_error() -> None:
    @cuda.jit
    def kernel(x):
        breakpoint()

    with pytest.raises(
        TypeError, match=r"breakpoint\(\) is for kernels that are compiled for debugging(.|\n)*debug=True"
    ):
        kernel[1, 1](cuda.to_device(np.zeros(1)))


def test_it_takes_no_arguments() -> None:
    @cuda.jit(debug=True)
    def kernel(x):
        breakpoint(x)

    with pytest.raises(TypeError, match="breakpoint.. takes no arguments"):
        kernel[1, 1](cuda.to_device(np.zeros(1)))


def test_on_a_gpu_it_is_ignored_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    from cuox.numba.cuda import _breakpoints

    @cuda.jit(debug=True)
    def kernel(x):
        breakpoint()
        x[0] = 1

    if cuox.Device().is_soft:
        monkeypatch.setattr(_breakpoints, "kind_of", lambda device, debug: "ignored")
    x = cuda.to_device(np.zeros(1))
    with pytest.warns(RuntimeWarning, match="kernel: breakpoint.. has no effect on an NVIDIA GPU"):
        kernel[1, 1](x)
    assert x.copy_to_host()[0] == 1


def test_in_cuda_gdb_it_is_its_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    from cuox.numba.cuda import _breakpoints

    monkeypatch.setattr(_breakpoints, "kind_of", lambda device, debug: "instruction")

    @cuda.jit("void(float64[:])", debug=True)
    def kernel(x):
        breakpoint()

    assert "brkpt;" in next(iter(kernel.inspect_asm().values()))


def test_quit_is_pdbs(hooked: Any) -> None:
    def hook(frame: FrameType) -> None:
        raise bdb.BdbQuit

    hooked(hook)

    @cuda.jit(debug=True)
    def kernel(x):
        breakpoint()

    with pytest.raises(bdb.BdbQuit):
        kernel[1, 1](cuda.to_device(np.zeros(1)))
