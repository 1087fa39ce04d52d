"""`%load_ext cuox`: cells of CUDA C++ in an IPython shell."""

from __future__ import annotations

import _thread
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ctools import needs_nvcc
from cuox._internal.notebook import CellError, options, streams
from exhaustive import mark
from notebook_shell import make_shell, run_cell

HELLO = r"""#include <cstdio>
#include "count.h"
__global__ void hello() { printf("thread %d of %d\n", threadIdx.x, COUNT); }
int main(int count, char **arguments) {
    printf("%d %s\n", count, arguments[count - 1]);
    hello<<<1, COUNT>>>();
    fprintf(stderr, "%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return count - 3;
}
"""
FOR_EVER = """
#include <cstdio>
__global__ void wait(volatile int *p) {
    while (*p == 0);
}
int main() {
    int *p;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    wait<<<1, 2>>>(p);
    printf("waiting\\n");
    cudaDeviceSynchronize();
}
"""

Run = Callable[[str], BaseException | None]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a cell in a folder of the test's; its result is the exception that ended it."""
    monkeypatch.chdir(tmp_path)
    shell = make_shell(tmp_path)
    run_cell(shell, "%load_ext cuox")

    def run(text: str) -> BaseException | None:
        capsys.readouterr()
        return run_cell(shell, text)

    return run


@needs_nvcc
def test_a_program_runs_in_its_cell(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("%%cuda --name count.h\n#define COUNT 2") is None
    assert capsys.readouterr().out == "count.h is written\n"
    assert run("%%cuda --name far/away/count.h\n#define COUNT 2") is None
    assert capsys.readouterr().out == "far/away/count.h is written\n"
    assert run(f"%%cuda -O3 -- one two\n{HELLO}") is None
    said = capsys.readouterr()
    assert (said.out, said.err) == ("3 two\nthread 0 of 2\nthread 1 of 2\n", "cudaSuccess\n")
    failed = run(f"%%cu -O3 -- one two three\n{HELLO}")
    assert isinstance(failed, CellError) and str(failed) == "In[5]: the program ended with exit status 1"
    # Notebooks show this alone.
    assert failed._render_traceback_() == ["In[5]: the program ended with exit status 1"]


@needs_nvcc
def test_errors_of_the_compiler_have_the_cells_lines(run: Run) -> None:
    error = run("%%cuda\nint main() {\n    return no_such;\n}\n")
    assert isinstance(error, CellError)
    assert str(error).startswith('In[2](3): error: identifier "no_such" is undefined\n'), error
    assert "cell.cu" not in str(error)


@needs_nvcc
@mark
def test_a_cell_without_main_says_what_to_do(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    error = run("%%cuda\n__global__ void k() {} // no main()\n")
    assert str(error) == "In[2] has no main. Kernels that Python launches: %%cuda --module NAME"
    assert run("%%cuda -n part.cu\n__global__ void k() {} /* main() */\n") is None
    assert capsys.readouterr().out == "part.cu is written; it has no main, so nothing is run\n"
    assert Path("part.cu").read_text().startswith("// %%cuda -n part.cu\n__global__")
    error = run("%%cuda --name wrong.cu\nint main() { return no_such; }\n")
    assert str(error).startswith('wrong.cu(2): error: identifier "no_such"')


@needs_nvcc
@mark
def test_warnings_of_the_compiler_are_shown(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("%%cuda\nint main() { int unused; return 0; }\n") is None
    assert 'In[2](2): warning #177-D: variable "unused"' in capsys.readouterr().err


@needs_nvcc
@mark
def test_crashes_and_faults_are_told(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    error = run('%%cuda\n#include <cstdio>\nint main() { printf("before\\n"); *(volatile int *)0 = 1; }\n')
    assert str(error) == "In[2]: the program was ended by SIGSEGV (segmentation fault)"
    assert capsys.readouterr().out.startswith("before\n")
    stray = (
        "__global__ void stray(int *p) {\n    p[threadIdx.x] = 1;\n}\n"
        "int main() {\n    int *p;\n    cudaMalloc(&p, 40);\n    stray<<<1, 11>>>(p);\n    cudaDeviceSynchronize();\n}\n"
    )
    assert run(f"%%cuda\n{stray}") is None
    error = run(f"%%cuda --check\n{stray}")
    said = capsys.readouterr().err
    assert str(error) == "In[4]: the program ended with exit status 1"
    assert "Invalid __global__ write of size 4 bytes" in said and "(In[4]:3)" in said, said


@needs_nvcc
@mark
def test_kernels_that_never_end_are_ended(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"%%cuda --timeout 1\n{FOR_EVER}") is None
    said = capsys.readouterr()
    assert said.out == "waiting\n"
    assert "2 threads of 1 block at In[2]:5" in said.err, said.err
    timer = threading.Timer(6, _thread.interrupt_main)
    timer.start()
    error = run(f"%%cuda\n{FOR_EVER}")
    timer.cancel()
    assert "interrupted" in str(error) and capsys.readouterr().out.startswith("waiting\n"), error
    assert run("1 + 1") is None


def test_kernels_without_main(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    kernels = """%%cuda --module kernels -DSTEP=2
    template <class T> __global__ void scale(T *p, T by) { p[threadIdx.x] *= by; }
    __global__ void fill(float *p) { p[threadIdx.x] = STEP * threadIdx.x; }
    """
    assert run(kernels) is None
    use = 'import cuox\na = cuox.zeros(3, "f4")\nkernels.fill[1, 3](a)\nkernels["scale<float>"][1, 3](a, 10.0)\nprint(a.to_host(), kernels)'
    assert run(use) is None
    assert capsys.readouterr().out == "[ 0. 20. 40.] <kernels of In[2]: fill(float *p)>\n"
    assert run("assert 'fill' in dir(kernels)\nkernels.spill").args[0] == (  # type: ignore[union-attr]
        'In[2]: no kernel "spill"; available: fill'
    )
    error = run("%%cuda --module kernels\n\n__global__ void fill(float *p) { *p = no_such; }\n")
    assert isinstance(error, CellError) and str(error).startswith('In[5](3): error: identifier "no_such"')
    error = run("%%cuda --module kernels\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    assert isinstance(error, CellError) and "host code that launches them is a program" in str(error)
    error = run("%%cuda --module kernels\nint main() { return 0; }\n")
    assert isinstance(error, CellError) and "has a main, which would not run" in str(error)
    assert run("assert 'fill' in kernels and 'spill' not in kernels") is None
    assert "is a template" in str(run("kernels['scale']"))
    assert "expected the name of a kernel" in str(run("kernels[0]"))
    assert run("kernels.fill[1, 3](a)") is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--module 3d", "expected a name for a variable"),
        ("--module class", "expected a name for a variable of Python, got 'class'"),
        ("--module m --check", "are for programs"),
        ("--module m -- 3", "takes no arguments"),
        ("--timeout soon", "expected a number of seconds, got 'soon'"),
        ("--timeout nan", "expected a number of seconds"),
        ("--name", "--name lacks its value"),
        ("--profile", "--profile is not supported: profilers need a GPU"),
        ("-t", "-t is not supported: measure in the program"),
        ("-c 'unclosed", "No closing quotation"),
        ("-ptx", "for other uses of nvcc"),
        ("-o there", "for other uses of nvcc"),
        ("--name text.txt", "expected a name that ends with .cu or .h"),
        ("--module m -lcublas", "without a host compiler or linker: -lcublas"),
        ("--module m -fno-such", "NVRTC, which does not know -fno-such"),
    ],
)
def test_wrong_lines_are_explained(run: Run, line: str, why: str) -> None:
    error = run(f"%%cuda {line}\nint main() {{}}\n")
    assert isinstance(error, CellError) and why in str(error), error


def test_options_of_nvcc_and_of_the_program_are_kept_apart() -> None:
    read = options.read('-O3 --check -std=c++20 -c "-t 4" --timeout=2 -lcublas -- --check -n x')
    assert read.check and read.timeout == 2 and read.name is None
    assert read.compiler == ["-O3", "-std=c++20", "-t", "4", "-lcublas"]
    assert read.arguments == ["--check", "-n", "x"]


def test_the_help_lists_all_options(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("%%cuda --help\n ") is None
    said = capsys.readouterr().out
    assert all(name in said for name in (*options._WITH_VALUE, "--check", "--leak-check"))


class Sink:
    """A stream that notes when text came."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, text: str) -> None:
        self.pieces.append(text)

    def flush(self) -> None:
        pass


def streamed(program: str, names: dict[str, str], limit: float | None = None) -> tuple[streams.Ended, Sink, Sink]:
    output, errors = Sink(), Sink()
    found = streams.run_streamed(
        [sys.executable, "-c", program], os.environ, streams.Streams(output, errors, names), limit
    )  # type: ignore[arg-type]
    return found, output, errors


def test_output_comes_as_it_is_written_and_paths_get_names() -> None:
    program = (
        "import os, sys, time\n"
        "os.write(1, b'at /fold'); time.sleep(0.1); os.write(1, b'er/cell.cu:3 and /fol'); time.sleep(0.1)\n"
        "os.write(1, 'd \\u00e4'.encode()[:-1]); time.sleep(0.1); os.write(1, '\\u00e4\\r\\n'.encode()[1:])\n"
        "print('error', file=sys.stderr); print(sys.stdin.read() == '', os.isatty(1)); sys.exit(7)"
    )
    ended, output, errors = streamed(program, {"/folder/cell.cu": "In[9]"})
    assert ended == streams.Ended(7)
    assert "".join(output.pieces) == "at In[9]:3 and /fold ä\r\nTrue True\n"
    assert output.pieces[0] == "at " and len(output.pieces) >= 4
    assert "".join(errors.pieces) == "error\n"


def test_a_program_is_ended_by_an_interrupt_and_by_its_limit() -> None:
    stubborn = (
        "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('up', flush=True)\ntime.sleep(60)"
    )
    ended, output, _ = streamed(stubborn, {}, 0.5)
    assert (ended.status, ended.late, "".join(output.pieces)) == (-9, True, "up\n")
    timer = threading.Timer(0.4, _thread.interrupt_main)
    timer.start()
    ended, _, errors = streamed("import time\ntime.sleep(60)", {})
    timer.cancel()
    assert ended.interrupted and ended.status != 0
    assert "KeyboardInterrupt" in "".join(errors.pieces)  # it was told first


def test_importing_cuox_does_not_load_the_cells(run_script: Callable[..., Any]) -> None:
    said = run_script(
        "import sys, cuox\nprint([name for name in sys.modules if 'notebook' in name or name == 'IPython'])"
    )
    assert said.stdout == "[]\n", said.stderr
