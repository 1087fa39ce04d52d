"""SWIG interface files: `cuox bind driver.i`, and what its directives do."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox import _native
from cuox.__main__ import main

pytest.importorskip("clang", reason="headers are read with libclang")

EXAMPLES = Path(__file__).parents[2] / "examples" / "tutorial"


def has_runtime() -> bool:
    """Tell whether there are CUDA's headers and a runtime for this device."""
    from cuox._internal import cuda_runtime

    try:
        _native.find_headers("cudart")
        cuda_runtime.find()
    except cuox.NotFoundError:
        return False
    return True


needs_runtime = pytest.mark.skipif(not has_runtime(), reason="CUDA's headers or a CUDA runtime are not there")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module that the tutorial's command writes."""
    folder = tmp_path_factory.mktemp("driver")
    for name in ("driver.i", "use_driver.py"):
        shutil.copy(EXAMPLES / name, folder)
    done = subprocess.run(
        [sys.executable, "-m", "cuox", "bind", "driver.i", "-l", "cudart", "-o", "driver.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return folder


@needs_runtime
def test_the_tutorial(written: Path) -> None:
    done = subprocess.run(
        [sys.executable, "use_driver.py"], cwd=written, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    name, failure, last = done.stdout.splitlines()
    assert name == cuox.Device().name
    assert failure == "cudaMalloc() cudaErrorMemoryAllocation (2): out of memory"
    assert last == "the numbers are correct"


@needs_runtime
def test_the_module_can_be_moved(written: Path, tmp_path: Path) -> None:
    """It holds no absolute path, and needs neither the header nor libclang."""
    text = (written / "driver.py").read_text() + (written / "driver.pyi").read_text()
    assert '\n_LIBRARIES = ["cudart"]\n' in text
    assert str(written) not in text and sys.prefix not in text
    assert "# Made by: python -m cuox_bind driver.i -l cudart -o driver.py" in text
    shutil.copy(written / "driver.py", tmp_path / "moved.py")
    script = "import moved, sys; p = moved.cudaMalloc(64); moved.cudaFree(p); assert 'clang' not in sys.modules; print(int(p) > 0)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CUOX_LIBCLANG": "/nowhere"},
    )
    assert done.stdout == "True\n", done.stderr


@needs_runtime
def test_the_runtime_without_a_module() -> None:
    driver = cuox.bind("cudart", EXAMPLES / "driver.i")
    pointer = driver.cudaMalloc(64)
    numbers = np.arange(16, dtype=np.int32)
    driver.cudaMemcpy(pointer, numbers, 64, driver.cudaMemcpyHostToDevice)
    back = bytearray(64)
    driver.cudaMemcpy(back, pointer, 64, driver.cudaMemcpyDeviceToHost)
    assert bytes(back) == numbers.tobytes()
    with pytest.raises(ValueError, match="cudaMemcpy.*'dst'"):
        driver.cudaMemcpy(bytearray(8), pointer, 64, driver.cudaMemcpyDeviceToHost)
    assert driver.cudaGetDeviceProperties(0).name == cuox.Device().name
    pitched, pitch = driver.cudaMallocPitch(100, 4)
    assert pitch >= 100
    with driver.cudaStreamCreate() as stream, driver.cudaEventCreate() as first, driver.cudaEventCreate() as last:
        driver.cudaEventRecord(first, stream)
        driver.cudaMemsetAsync(pointer, 1, 64, stream)
        driver.cudaEventRecord(last, stream)
        driver.cudaStreamSynchronize(stream)
        assert driver.cudaEventElapsedTime(first, last) >= 0
    driver.cudaMemcpy(back, pointer, 64, driver.cudaMemcpyDeviceToHost)
    assert bytes(back) == b"\1" * 64
    with pytest.raises(cuox.CallError) as failure:
        driver.cudaSetDevice(10_000)
    assert failure.value.code is driver.cudaErrorInvalidDevice and failure.value.function == "cudaSetDevice"
    driver.cudaFree(pointer)
    driver.cudaFree(pitched)


@needs_runtime
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_code_of_an_interface_calls_the_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))
    text = (EXAMPLES / "driver.i").read_text()
    code = """
%inline %{
void *zeros(size_t size) {
    void *made = NULL;
    if (cudaMalloc(&made, size) != cudaSuccess || cudaMemset(made, 0, size) != cudaSuccess)
        return NULL;
    return made;
}
%}
"""
    (tmp_path / "driver.i").write_text(text + code)
    driver = cuox.bind("cudart", tmp_path / "driver.i")
    pointer = driver.zeros(16)
    back = bytearray(b"x" * 16)
    driver.cudaMemcpy(back, pointer, 16, driver.cudaMemcpyDeviceToHost)
    assert bytes(back) == bytes(16)
    driver.cudaFree(pointer)


@needs_runtime
def test_docstrings_are_read_by_people(written: Path) -> None:
    driver = cuox.bind("cudart", EXAMPLES / "driver.i")
    doc = driver.cudaMalloc.__doc__
    assert doc.startswith(
        "Allocate memory on the device\n\nAllocates size bytes of linear memory on the device and returns in *devPtr a pointer"
    )
    assert doc.endswith(
        "Parameters:\n    size: Requested allocation size in bytes\n\nReturns:\n    devPtr: Pointer to allocated device memory\n\n"
        "Raises CallError: cudaErrorInvalidValue, cudaErrorMemoryAllocation"
    )
    # No mark of Doxygen's is left anywhere, in the stub neither.
    stub = (written / "driver.pyi").read_text()
    assert not re.findall(r"\\\\[a-z_]+\b", stub)
    assert not re.findall(r"(?<![\w>])::[a-zA-Z]", stub)
    assert "notefnerr" not in stub and "note_init_rt" not in stub


def test_an_interface_is_known_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.i").write_text("%module a\nint f(int x);\n")
    (tmp_path / "b.i").write_text("%module b\n")
    assert main(["bind", str(tmp_path / "a.i"), "--explain", "f"]) == 0
    assert "f(x: int)" in capsys.readouterr().out
    assert main(["bind", str(tmp_path / "a.i"), str(tmp_path / "b.i"), "--table"]) == 2
    assert "one SWIG interface file" in capsys.readouterr().err
    assert main(["bind", str(tmp_path / "none.i"), "--table"]) == 1
    assert "none.i" in capsys.readouterr().err


VECTORS = """
#ifndef VECTORS_H
#define VECTORS_H
#define VECTORS_MOST 8
typedef struct { double x, y; } vec;
typedef enum { AXIS_X, AXIS_Y = 4 } axis;
/** \\\\brief Adds numbers. \\\\param n how many */
double vec_sum(const double *numbers, int n);
void vec_scale(double *numbers, int n, double by);
void vec_parts(double whole, double *part, double *rest);
int vec_count(void);
double vec_old(vec v);
#endif
"""

SOURCE = """
#include "vectors.h"
double vec_sum(const double *numbers, int n) { double s = 0; for (int i = 0; i < n; i++) s += numbers[i]; return s; }
void vec_scale(double *numbers, int n, double by) { for (int i = 0; i < n; i++) numbers[i] *= by; }
void vec_parts(double whole, double *part, double *rest) { *part = (long)whole; *rest = whole - *part; }
int vec_count(void) { return 3; }
double vec_old(vec v) { return v.x; }
"""

PLAIN = """%module vectors
%{
#define SWIG_FILE_WITH_INIT
#include "vectors.h"
%}
%include "typemaps.i"
%apply double *OUTPUT { double *part, double *rest };
%ignore vec_old;
%rename(count) vec_count;
%constant int LIMIT = 0x10;
#ifdef SWIG
%rename(total) vec_sum;
#else
%nonsense
#endif
%include "vectors.h"
%inline %{
/* Functions of the file's own. */
static inline int twice(int x) { return 2 * x; }
%}
"""

CODE = """%module(docstring="Vectors and more.") vectors
%{
#include "vectors.h"
#include <math.h>
static double helper(double x) { return x + vec_count(); }
%}
%include "numpy.i"
%init %{ import_array(); %}
%apply (double *IN_ARRAY1, int DIM1) { (const double *numbers, int n) };
%apply (double *INPLACE_ARRAY1, int DIM1) { (double *numbers, int n) };
%feature("docstring") vec_count "Count them.";
%include "vectors.h"
double helper(double x);
%extend vec {
  double length(void) { return sqrt($self->x * $self->x + $self->y * $self->y); }
  void move(double by) { $self->x += by; }
}
%define SQUARE(T, name)
%inline %{
T square_##name(T x) { return x * x; }
%}
%enddef
SQUARE(int, i)
SQUARE(double, d);
%pointer_functions(int, intp);
%array_functions(double, doubles)
%array_class(double, Doubles);
%array_class(vec, Vecs);
%pointer_class(int, IntPointer)
%pythoncode %{
def more():
    return vec_count() + LOCAL
LOCAL = 4
%}
"""


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("vectors")
    (folder / "vectors.h").write_text(VECTORS.replace("\\\\", "\\"))
    (folder / "vectors.c").write_text(SOURCE)
    (folder / "plain.i").write_text(PLAIN)
    (folder / "code.i").write_text(CODE)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", folder / "libvectors.so", folder / "vectors.c"], check=True)
    return folder


def check_code(m: Any) -> None:
    """What the interface file with code gives, be it a library or a written module."""
    numbers = np.arange(4.0)
    assert m.vec_sum(numbers) == 6 and m.vec_sum([1.0, 2.0]) == 3
    m.vec_scale(numbers, 2.0)
    assert numbers.tolist() == [0, 2, 4, 6]
    assert m.vec_count.__doc__.endswith("Count them.")
    assert m.helper(1) == 4, "a static function of the code, which calls the library's"
    v = m.vec(x=3, y=4)
    assert v.length() == 5 and m.vec_length(v) == 5
    v.move(by=2)
    assert v.x == 5
    assert m.square_i(3) == 9 and m.square_d(0.5) == 0.25
    pointer = m.new_intp()
    m.intp_assign(pointer, 7)
    assert m.intp_value(pointer) == 7 and m.intp_value(m.copy_intp(3)) == 3
    m.delete_intp(pointer)
    array = m.new_doubles(3)
    for index in range(3):
        m.doubles_setitem(array, index, index + 0.5)
    assert m.doubles_getitem(array, 2) == 2.5 and m.vec_sum(array) == 4.5
    with pytest.raises(IndexError):
        m.doubles_getitem(array, 3)
    made = m.Doubles(2)
    made[1] = 1.5
    assert len(made) == 2 and m.vec_sum(made) == 1.5 and np.asarray(made).tolist() == [0, 1.5]
    records = m.Vecs(2)
    records[1] = (1, 2)
    assert records[1].y == 2
    assert m.Doubles.frompointer(made)[1] == 1.5 and made.cast() is made
    one = m.IntPointer()
    one.assign(9)
    assert one.value() == 9
    assert m.more() == 7


def test_code_in_a_written_module(vectors: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("vectors.h", "libvectors.so", "code.i"):
        shutil.copy(vectors / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["bind", "code.i", "-l", "./libvectors.so", "-o", "vectors_code.py"]) == 0
    assert (tmp_path / "_vectors_code.so").is_file()
    assert '_LIBRARIES = ["./libvectors.so", "./_vectors_code.so"]' in (tmp_path / "vectors_code.py").read_text()
    assert (
        "more: Any" not in (tmp_path / "vectors_code.pyi").read_text()
        and "Doubles: Any" in (tmp_path / "vectors_code.pyi").read_text()
    )
    # It goes where its folder goes.
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("vectors_code.py", "libvectors.so", "_vectors_code.so"):
        shutil.move(tmp_path / name, moved)
    monkeypatch.syspath_prepend(str(moved))
    monkeypatch.chdir("/")
    module = importlib.import_module("vectors_code")
    assert module.__doc__.startswith("Vectors and more.")
    check_code(module)


def test_code_without_a_module(vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))
    check_code(cuox.bind(vectors / "libvectors.so", vectors / "code.i"))
    assert len(list((tmp_path / "libraries").glob("libinterface-*.so"))) == 1


def test_code_that_cannot_be_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))
    (tmp_path / "bad.i").write_text("%module bad\n%inline %{\n\nint f(int x) { return y; }\n%}\n")
    with pytest.raises(cuox.CompileError, match=r"bad\.i:4:\d+: error: .y. undeclared"):
        cuox.bind(None, tmp_path / "bad.i")
    assert main(["bind", str(tmp_path / "bad.i"), "-o", str(tmp_path / "bad.py")]) == 1
    assert "bad.i:4:" in capsys.readouterr().err and not (tmp_path / "bad.py").exists()
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(cuox.NotFoundError, match="no C compiler 'no-such-compiler'"):
        cuox.bind(None, tmp_path / "bad.i")


def test_errors_show_the_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.i").write_text("%module wrong\n  %exeption { }\n")
    with pytest.raises(cuox.BindError) as error:
        cuox.bind(None, tmp_path / "wrong.i")
    assert str(error.value).endswith(
        "unknown directive %exeption; did you mean '%exception'?\n      %exeption { }\n      ^"
    )
    assert error.value.line == 2
    (tmp_path / "missing.i").write_text('%module missing\n%include "no_such_header.h"\n')
    with pytest.raises(cuox.BindError, match=r"missing\.i:2: .*'no_such_header\.h' file not found") as error:
        cuox.bind(None, tmp_path / "missing.i")
    assert error.value.line == 2


@pytest.mark.skipif(shutil.which("swig", path=os.path.dirname(sys.executable)) is None, reason="SWIG is not installed")
def test_the_names_are_swigs(vectors: Path) -> None:
    """What SWIG's module defines for users, this one does."""
    swig = shutil.which("swig", path=os.path.dirname(sys.executable))
    subprocess.run([swig, "-python", "-o", "wrap.c", "plain.i"], cwd=vectors, check=True, capture_output=True)
    theirs = set(
        re.findall(r"^(?:def|class) (\w+)|^(\w+) = _vectors\.", (vectors / "vectors.py").read_text(), re.MULTILINE)
    )
    names = {one or other for one, other in theirs if not (one or other).startswith("_")}
    assert {
        "total",
        "count",
        "twice",
        "LIMIT",
        "VECTORS_MOST",
        "AXIS_Y",
        "vec",
        "vec_parts",
    } <= names and "vec_old" not in names
    ours = cuox.bind(vectors / "libvectors.so", vectors / "plain.i")
    assert names <= set(ours.names)
    assert ours.vec_parts(2.5) == (2, 0.5) and ours.total([1.0], 1) == 1 and ours.twice(4) == 8 and ours.LIMIT == 16
    with pytest.raises(AttributeError):
        ours.vec_old
