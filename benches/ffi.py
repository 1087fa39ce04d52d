"""The cost of one call of a C function from Python: cuox.bind beside ctypes, cffi, Cython, pybind11, nanobind and
hand-written C extensions.

    python benches/ffi.py [TECHNOLOGY ...]      needs cc and numpy; leaves out what is not installed of the rest,
                                                and says so

Nanoseconds per call, the interpreter's loop included; medians of rounds in which all technologies take turns in random
order, by the thread's own clock. What is compared is what each does by itself, and that differs: ctypes and cffi give
the interpreter's lock up; only cuox checks text for a NUL inside; cuox, Cython, pybind11 and nanobind take keywords.
The last four rows are of what foreign function interfaces alone have. Where a technology takes no str, array or output,
what a user writes around it is timed too.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import os
import platform
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ROWS = [
    "nothing",
    "add",
    "fma",
    "mix, small",
    "mix, wide",
    "length",
    "name",
    "output",
    "array",
    "handle",
    "make + free",
]
ROWS += ["keywords", "pair", "large record", "variadic", "10 callbacks"]
DATA = np.ones(16, np.float32)
TEXT = "cudaMemcpyAsync"
SMALL = (1, 2, 3, 4, 5, 6, 7, 8)
WIDE = (1, 2**20, 2**31, 2**40, 0x7F12_3456_7890, 2**59, 2**63, 2**64 - 1)
UNROLLED, ROUNDS, SAMPLE_NS = 10, 25, 3_000_000
Row = tuple[str, dict[str, Any]]
# A row may be made when it is measured: as long as there are callbacks, all calls take a little longer.
Rows = dict[str, Row | Callable[[], Row]]

CDEF = """
void ffi_nothing(void); int ffi_add(int, int); double ffi_fma(double, double, double);
uint64_t ffi_mix(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
size_t ffi_length(const char *); const char *ffi_name(int); int ffi_halve(int, int *); void ffi_scale(float *, int, float);
typedef struct ffi_box ffi_box; ffi_box *ffi_box_new(int); int ffi_box_get(ffi_box *); void ffi_box_free(ffi_box *);
typedef struct { int x, y; } ffi_pair; ffi_pair ffi_swap(ffi_pair); typedef struct { int64_t v[5]; } ffi_large; ffi_large ffi_shift(ffi_large, int64_t);
int ffi_sum(int, ...); int ffi_each(int (*)(int), int);
"""

CYTHON = """
from libc.stdint cimport uint64_t
cdef extern from "ffi.h":
    void c_nothing "ffi_nothing"()
    int c_add "ffi_add"(int, int)
    double c_fma "ffi_fma"(double, double, double)
    uint64_t c_mix "ffi_mix"(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)
    size_t c_length "ffi_length"(const char *)
    const char *c_name "ffi_name"(int)
    int c_halve "ffi_halve"(int, int *)
    void c_scale "ffi_scale"(float *, int, float)
    ctypedef struct ffi_box
    ffi_box *c_new "ffi_box_new"(int)
    int c_get "ffi_box_get"(ffi_box *)
    void c_free "ffi_box_free"(ffi_box *)
cdef class Box:
    cdef ffi_box *box
def ffi_nothing(): c_nothing()
def ffi_add(int a, int b): return c_add(a, b)
def ffi_fma(double a, double b, double c): return c_fma(a, b, c)
def ffi_mix(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h): return c_mix(a, b, c, d, e, f, g, h)
def ffi_length(str text): return c_length(text)
def ffi_name(int i): return c_name(i)
def ffi_halve(int x):
    cdef int half
    if c_halve(x, &half): raise RuntimeError
    return half
def ffi_scale(float[::1] data, int count, float by): c_scale(&data[0], count, by)
def ffi_box_new(int n):
    cdef Box b = Box.__new__(Box)
    b.box = c_new(n)
    return b
def ffi_box_get(Box b not None): return c_get(b.box)
def ffi_box_free(Box b not None):
    c_free(b.box)
    b.box = NULL
"""

PYBIND = """
#include "ffi.h"
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
namespace py = pybind11;
struct Box { ffi_box *box; };
PYBIND11_MODULE(ffi_pybind, m) {
    py::class_<Box>(m, "Box");
    m.def("ffi_nothing", &ffi_nothing); m.def("ffi_add", &ffi_add); m.def("ffi_fma", &ffi_fma); m.def("ffi_mix", &ffi_mix);
    m.def("ffi_length", &ffi_length); m.def("ffi_name", &ffi_name);
    m.def("ffi_halve", [](int x) { int half; if (ffi_halve(x, &half)) throw std::runtime_error("odd"); return half; });
    m.def("ffi_scale", [](py::array_t<float, py::array::c_style> a, int n, float by) { ffi_scale(a.mutable_data(), n, by); });
    m.def("ffi_box_new", [](int n) { return Box{ffi_box_new(n)}; });
    m.def("ffi_box_get", [](Box &b) { return ffi_box_get(b.box); });
    m.def("ffi_box_free", [](Box &b) { ffi_box_free(b.box); b.box = nullptr; });
}
"""

NANOBIND = (
    PYBIND.replace("pybind11/numpy.h", "nanobind/ndarray.h")
    .replace("pybind11/pybind11.h", "nanobind/nanobind.h>\n#include <stdexcept")
    .replace("pybind11", "nanobind")
    .replace("PYBIND11_MODULE(ffi_pybind", "NB_MODULE(ffi_nanobind")
    .replace("py::array_t<float, py::array::c_style> a", "py::ndarray<float, py::c_contig, py::device::cpu> a")
    .replace("a.mutable_data()", "a.data()")
)


def plain(module: Any, **other: Any) -> Rows:
    """The rows of a module whose functions take and give Python's own values."""
    rows: dict[str, Any] = {
        "nothing": ("f()", {"f": module.ffi_nothing}),
        "add": ("f(a, b)", {"f": module.ffi_add, "a": 3, "b": 4}),
        "fma": ("f(a, b, c)", {"f": module.ffi_fma, "a": 1.5, "b": 2.5, "c": 3.5}),
        "length": ("f(s)", {"f": module.ffi_length, "s": TEXT}),
        "name": ("f(i)", {"f": module.ffi_name, "i": 1}),
        "output": ("f(x)", {"f": module.ffi_halve, "x": 84}),
        "array": ("f(p, n, x)", {"f": module.ffi_scale, "p": DATA, "n": 16, "x": 1.0}),
        "handle": ("f(h)", {"f": module.ffi_box_get, "h": module.ffi_box_new(41)}),
        "make + free": ("d(m(i))", {"m": module.ffi_box_new, "d": module.ffi_box_free, "i": 41}),
    }
    for name, values in (("mix, small", SMALL), ("mix, wide", WIDE)):
        rows[name] = ("f(a, b, c, d, e, g, h, i)", dict(zip("abcdeghi", values, strict=True), f=module.ffi_mix))
    rows.update(other)
    return {name: row for name, row in rows.items() if row}


def keywords(module: Any) -> Row:
    return ("f(a=a, b=b)", {"f": module.ffi_add, "a": 3, "b": 4})


def rare(module: Any, pair: Any, large: Any, callback: Callable[[], Any], count: Any = 5) -> dict[str, Any]:
    """The rows of what only foreign function interfaces have, for the values that a technology has made."""
    return {
        "pair": ("f(p)", {"f": module.ffi_swap, "p": pair}),
        "large record": ("f(p, i)", {"f": module.ffi_shift, "p": large, "i": 1}),
        "variadic": ("f(n, a, a, a)", {"f": module.ffi_sum, "n": 3, "a": count}),
        "10 callbacks": lambda: ("f(c, n)", {"f": module.ffi_each, "c": callback(), "n": 10}),
    }


class Builder:
    """Makes what there is to be compared."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = folder / "libffi_bench.so"
        self.suffix = sysconfig.get_config_var("EXT_SUFFIX")
        subprocess.run(
            [os.environ.get("CC", "cc"), "-O2", "-fPIC", "-shared", "-o", self.library, HERE / "ffi.c"], check=True
        )
        sys.path.insert(0, str(folder))

    def module(self, name: str, *sources: Path, options: tuple[str, ...] = ()) -> Any:
        cxx = any(source.suffix == ".cpp" for source in sources)
        compiler = [os.environ.get("CXX", "c++"), "-std=c++17"] if cxx else [os.environ.get("CC", "cc")]
        includes = [f"-I{HERE}", f"-I{sysconfig.get_paths()['include']}"]
        link = [f"-L{self.folder}", "-lffi_bench", f"-Wl,-rpath,{self.folder}"]
        flags = ["-O3", "-DNDEBUG", "-fwrapv", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-strict-aliasing", "-w"]
        out = self.folder / f"{name}{self.suffix}"
        subprocess.run([*compiler, *flags, *options, *includes, *sources, "-o", out, *link], check=True)
        return importlib.import_module(name)

    def cuox(self) -> Rows:
        import cuox

        rules = {
            "ffi_halve": {"result": "status", "params": {"half": "output"}},
            "ffi_scale": {"params": {"data": {"role": "memory", "writable": True}}},
        }
        c = cuox.bind(str(self.library), headers=["ffi.h"], include_dirs=[str(HERE)], rules=rules)
        values = c.ffi_pair(1, 2), c.ffi_large(v=[1, 2, 3, 4, 5]), lambda: c.ffi_function(lambda i: i)
        return plain(c, keywords=keywords(c), **rare(c, *values))

    def ctypes(self) -> Rows:
        c = ctypes.CDLL(str(self.library))
        integer, u64, pointer = ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p

        class Pair(ctypes.Structure):
            _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))

        class Large(ctypes.Structure):
            _fields_ = (("v", ctypes.c_int64 * 5),)

        function = ctypes.CFUNCTYPE(integer, integer)
        array = np.ctypeslib.ndpointer(np.float32, 1, flags="C_CONTIGUOUS")
        for name, result, *takes in (
            ("nothing", None), ("add", integer, integer, integer), ("fma", ctypes.c_double, *[ctypes.c_double] * 3), ("mix", u64, *[u64] * 8),
            ("length", ctypes.c_size_t, ctypes.c_char_p), ("name", ctypes.c_char_p, integer), ("halve", integer, integer, ctypes.POINTER(integer)),
            ("scale", None, array, integer, ctypes.c_float), ("box_new", pointer, integer), ("box_get", integer, pointer), ("box_free", None, pointer),
            ("swap", Pair, Pair), ("shift", Large, Large, ctypes.c_int64), ("each", integer, function, integer),
        ):  # fmt: skip
            f = getattr(c, f"ffi_{name}")
            f.restype, f.argtypes = result, list(takes)
        return plain(
            c,
            length=("f(s.encode())", {"f": c.ffi_length, "s": TEXT}),
            name=("f(i).decode()", {"f": c.ffi_name, "i": 1}),
            output=(
                "o = new(); f(x, ref(o)); o.value",
                {"f": c.ffi_halve, "x": 84, "new": integer, "ref": ctypes.byref},
            ),
            **rare(c, Pair(1, 2), Large((1, 2, 3, 4, 5)), lambda: function(lambda i: i)),
        )

    def cffi(self, ffi: Any, c: Any) -> Rows:
        def callback() -> Any:
            return ffi.callback("int(int)")(lambda i: i)

        return plain(
            c,
            length=("f(s.encode())", {"f": c.ffi_length, "s": TEXT}),
            name=("t(f(i)).decode()", {"f": c.ffi_name, "i": 1, "t": ffi.string}),
            output=("o = new(t); f(x, o); o[0]", {"f": c.ffi_halve, "x": 84, "new": ffi.new, "t": ffi.typeof("int *")}),
            array=(
                "f(buf(t, p), n, x)",
                {"f": c.ffi_scale, "buf": ffi.from_buffer, "t": ffi.typeof("float[]"), "p": DATA, "n": 16, "x": 1.0},
            ),
            **rare(
                c,
                ffi.new("ffi_pair *", [1, 2])[0],
                ffi.new("ffi_large *", [[1, 2, 3, 4, 5]])[0],
                callback,
                ffi.cast("int", 5),
            ),
        )

    def cffi_abi(self) -> Rows:
        import cffi

        ffi = cffi.FFI()
        ffi.cdef(CDEF)
        return self.cffi(ffi, ffi.dlopen(str(self.library)))

    def cffi_api(self) -> Rows:
        import cffi

        ffi = cffi.FFI()
        ffi.cdef(CDEF)
        ffi.set_source("ffi_cffi", '#include "ffi.h"')
        source = self.folder / "ffi_cffi.c"
        ffi.emit_c_code(str(source))
        module = self.module("ffi_cffi", source)
        return self.cffi(module.ffi, module.lib)

    def cython(self) -> Rows:
        importlib.import_module("Cython")
        source = self.folder / "ffi_cython.pyx"
        source.write_text(CYTHON)
        subprocess.run(
            [sys.executable, "-m", "cython", "-3", "-X", "c_string_type=str,c_string_encoding=utf8", source], check=True
        )
        module = self.module("ffi_cython", source.with_suffix(".c"))
        return plain(module, keywords=keywords(module))

    def pybind11(self) -> Rows:
        import pybind11

        source = self.folder / "ffi_pybind.cpp"
        source.write_text(PYBIND)
        return plain(self.module("ffi_pybind", source, options=(f"-I{pybind11.get_include()}",)))

    def nanobind(self) -> Rows:
        import nanobind

        source = self.folder / "ffi_nanobind.cpp"
        source.write_text(NANOBIND)
        root = Path(nanobind.include_dir()).parent
        options = (f"-I{root}/include", f"-I{root}/ext/robin_map/include", "-DNB_COMPACT_ASSERTIONS")
        return plain(self.module("ffi_nanobind", source, root / "src" / "nb_combined.cpp", options=options))

    def c_plain(self) -> Rows:
        return plain(self.module("ffi_plain", HERE / "ffi_extension.c"))

    def c_tuned(self) -> Rows:
        return plain(self.module("ffi_tuned", HERE / "ffi_extension.c", options=("-DTUNED", f"-I{np.get_include()}")))


TECHNOLOGIES: dict[str, Callable[[Builder], Rows]] = {
    "ctypes": Builder.ctypes, "cffi ABI": Builder.cffi_abi, "cffi API": Builder.cffi_api, "pybind11": Builder.pybind11,
    "nanobind": Builder.nanobind, "Cython": Builder.cython, "C": Builder.c_plain, "C tuned": Builder.c_tuned, "cuox": Builder.cuox,
}  # fmt: skip


def timer(row: Row) -> Callable[[int], int]:
    """A function that runs the statement so often, with code of its own, and answers nanoseconds."""
    statement, names = row
    body = "\n        ".join([statement] * UNROLLED)
    takes = "".join(f", {name}={name}" for name in names)
    source = f"def run(times_, now_{takes}):\n    start_ = now_()\n    for _ in range(times_):\n        {body}\n    return now_() - start_\n"
    scope = dict(names)
    exec(source, scope)
    run = scope["run"]
    return lambda times: int(run(times, time.thread_time_ns))


def measure(rows: dict[str, Row], chance: random.Random) -> dict[str, float]:
    timers, times, taken = {name: timer(row) for name, row in rows.items()}, {}, {name: [] for name in rows}
    for name, run in timers.items():
        run(200)
        count = 100
        while run(count) < SAMPLE_NS / 2:
            count *= 2
        times[name] = count
    for _ in range(ROUNDS):
        for name in chance.sample(list(rows), len(rows)):
            taken[name].append(timers[name](times[name]) / times[name] / UNROLLED)
    return {name: statistics.median(values) for name, values in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names",
        nargs="*",
        choices=[*TECHNOLOGIES, []],
        metavar="TECHNOLOGY",
        help=f"of {', '.join(TECHNOLOGIES)} (all)",
    )
    wanted = parser.parse_args().names or list(TECHNOLOGIES)
    found: dict[str, Rows] = {}
    with tempfile.TemporaryDirectory() as folder:
        builder = Builder(Path(folder))
        for name in wanted:
            try:
                found[name] = TECHNOLOGIES[name](builder)
            except ModuleNotFoundError as error:
                package = (error.name or name).partition(".")[0].lower()
                print(f"{name} is left out: {package} is not installed (pip install {package})", file=sys.stderr)
            except (ImportError, OSError, subprocess.CalledProcessError) as error:
                print(f"{name} is left out: it cannot be built here ({error})", file=sys.stderr)
        if not found:
            sys.exit("nothing is left to be measured")
        print(
            f"{time.strftime('%Y-%m-%d')}, {platform.machine()}, {os.cpu_count()} CPUs, CPython {platform.python_version()}, NumPy {np.__version__}"
        )
        print(
            f"{'ns per call':12}"
            + "".join(f"{name:>10}" for name in found)
            + ("  cuox / C tuned" if {"cuox", "C tuned"} <= set(found) else "")
        )
        chance = random.Random(1)
        for row in ROWS:
            cells = {name: rows[row] for name, rows in found.items() if row in rows}
            ns = measure({name: cell() if callable(cell) else cell for name, cell in cells.items()}, chance)
            ratio = f"{ns['cuox'] / ns['C tuned']:16.2f}" if {"cuox", "C tuned"} <= set(ns) else ""
            print(
                f"{row:12}" + "".join(f"{ns[name]:10.1f}" if name in ns else f"{'-':>10}" for name in found) + ratio,
                flush=True,
            )


if __name__ == "__main__":
    main()
