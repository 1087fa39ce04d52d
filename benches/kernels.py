"""Kernels of the kinds that people write, on the software GPU beside the same work in C, OpenCL (PoCL), Numba and
Python
(cuox.numba.cuda).

    python benches/kernels.py [--kernel julia,scan] [--runs 11] [--engine jit-narrow] [--columns c,pocl]

One process, in turn: C, kernel, ..., C, kernel, ...; a ratio is taken round by round and its median printed, because
the speed of a shared machine drifts. Every result is checked against NumPy's first. What is not there (a C compiler,
pyopencl with PoCL, Numba) is left out with a word. `CC` names the C compiler (it must know -fopenmp). With
`CUOX_SOFT_CPU=x86-64-v3` the software GPU and C take no more than these processors have.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "kernels"
sys.path.insert(0, str(SOURCES))

os.environ.setdefault("CUOX_DEVICE", "soft")
# OpenMP's threads would otherwise spin for a while after each loop, in the time of what is measured next.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ["PYOPENCL_NO_CACHE"] = "1"

import cuox
import numpy as np
from cases import CASES, Case, Launch

COLUMNS = {
    "c": "C, as benches/kernels.c has it",
    "c-fast": "the same with -ffast-math and the widest vectors",
    "pocl": "OpenCL on PoCL",
    "numba": "Numba, @njit(parallel=True, fastmath=True)",
    "python": "the kernels in Python, cuox.numba.cuda",
}
FLAGS = {"c": [], "c-fast": ["-ffast-math", "-mprefer-vector-width=512"]}


class Absent(Exception):
    """A column's requirement is missing; the message names it."""


@dataclass
class Prepared:
    """A case in one column: what runs it once and waits, and where its arrays are."""

    run: Callable[[], object]
    clear: Callable[[Iterable[str]], None]
    result: Callable[[str], np.ndarray]


@dataclass
class Times:
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def take(self, prepared: Prepared, case: Case) -> None:
        prepared.clear(case.zeroed)
        wall, cpu = time.perf_counter(), time.process_time()
        prepared.run()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)


class Memory:
    """A case's arrays in the software GPU's memory, whose addresses are the host's: C and Numba work on the same
    bytes."""

    def __init__(self, device: cuox.Device, case: Case) -> None:
        self.buffers: dict[str, cuox.Buffer] = {}
        self.views: dict[str, np.ndarray] = {}
        for name, values in case.arrays.items():
            values = np.ascontiguousarray(values)
            buffer = self.buffers[name] = device.mem_alloc(values.nbytes)
            memory = (ctypes.c_uint8 * values.nbytes).from_address(int(buffer))
            view = self.views[name] = np.frombuffer(memory, values.dtype)
            view[:] = values.reshape(-1)

    def clear(self, names: Iterable[str]) -> None:
        for name in names:
            self.views[name][:] = 0

    def prepared(self, run: Callable[[], object]) -> Prepared:
        return Prepared(run, self.clear, self.views.__getitem__)

    def close(self) -> None:
        self.views.clear()
        for buffer in self.buffers.values():
            buffer.close()


class Cuox:
    def __init__(self, device: cuox.Device) -> None:
        self.stream = device.create_stream()

    @staticmethod
    def ptx(name: str) -> bytes:
        source = (SOURCES / f"{name}.cu").read_text()
        return bytes(cuox.Program(source, code_type="c++").compile("ptx").code)

    def prepare(self, code: cuox.ObjectCode, case: Case, memory: Memory, one_block: bool = False) -> Prepared:
        calls = []
        for launch in case.launches:
            config = cuox.LaunchConfig(grid=(1, 1, 1) if one_block else launch.grid, block=launch.block)
            arguments = [memory.buffers[a] if isinstance(a, str) else a.item() for a in launch.arguments]
            calls.append((config, code.get_kernel(launch.entry), arguments))

        def run() -> None:
            for config, kernel, arguments in calls:
                cuox.launch(self.stream, config, kernel, *arguments)
            self.stream.sync()

        return memory.prepared(run)

    def compile_time(self, text: bytes, case: Case, memory: Memory) -> float:
        """From PTX text to the end of the first launches, of one block each."""

        def once() -> float:
            start = time.perf_counter()
            self.prepare(cuox.ObjectCode.from_ptx(text), case, memory, one_block=True).run()
            return time.perf_counter() - start

        return statistics.median(once() for _ in range(3))


class C:
    def __init__(self, column: str) -> None:
        compiler = os.environ.get("CC", "cc")
        if not shutil.which(compiler):
            raise Absent(f"no C compiler ({compiler})")
        flags = ["-O3", f"-march={os.environ.get('CUOX_SOFT_CPU', 'native')}", "-fopenmp", *FLAGS[column]]
        self.folder = tempfile.TemporaryDirectory()
        built = str(Path(self.folder.name, f"{column}.o"))
        library = built.replace(".o", ".so")
        try:
            for command in (
                [compiler, *flags, "-fPIC", "-c", "-o", built, str(HERE / "kernels.c")],
                # By itself: told of -ffast-math, gcc's linker adds code that rounds subnormals to 0 in the whole
                # process.
                [compiler, "-fopenmp", "-shared", "-o", library, built, "-lm"],
            ):
                subprocess.run(command, check=True, capture_output=True, text=True)
        except subprocess.CalledProcessError as error:
            raise Absent(f"{compiler} failed: {error.stderr.strip()[:300]}") from None
        self.library = ctypes.CDLL(library)
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
        self.note = f"{version.partition(chr(10))[0]}; {' '.join(flags)}"

    def prepare(self, name: str, case: Case, memory: Memory) -> Prepared:
        function = getattr(self.library, name)
        function.restype = None
        kinds = {"int32": ctypes.c_int32, "float32": ctypes.c_float}
        arguments = [
            ctypes.c_void_p(int(memory.buffers[a])) if isinstance(a, str) else kinds[a.dtype.name](a.item())
            for a in case.native
        ]
        return memory.prepared(lambda: function(*arguments))


class Numba:
    def __init__(self, _column: str) -> None:
        try:
            import numba
        except ImportError as error:
            raise Absent(str(error)) from None
        import in_numba

        self.module = in_numba
        self.note = f"Numba {numba.__version__}, {numba.get_num_threads()} threads"

    def prepare(self, name: str, case: Case, memory: Memory) -> Prepared:
        function = getattr(self.module, name)
        arguments = [memory.views[a] if isinstance(a, str) else a for a in case.native]
        return memory.prepared(lambda: function(*arguments))


class Python:
    """The kernels as Python functions, on the same software GPU."""

    def __init__(self, _column: str) -> None:
        import in_python

        self.module = in_python
        self.stream = cuox.Device().create_stream()
        self.note = f"cuox {cuox.__version__}"

    def prepare(self, name: str, case: Case, memory: Memory) -> Prepared:
        from cuox.numba import cuda

        def array(name: str) -> object:
            view = memory.views[name]
            return cuda.from_cuda_array_interface(
                {**view.__array_interface__, "data": (view.ctypes.data, False), "strides": None, "version": 3}
            )

        arrays = {name: array(name) for name in memory.views}
        calls = []
        for launch in case.launches:
            kernel = getattr(self.module, launch.entry)[launch.grid, launch.block, self.stream]
            calls.append((kernel, [arrays[a] if isinstance(a, str) else a for a in launch.arguments]))

        def run() -> None:
            for kernel, arguments in calls:
                kernel(*arguments)
            self.stream.sync()

        return memory.prepared(run)


class Pocl:
    def __init__(self, _column: str) -> None:
        self.cache = tempfile.TemporaryDirectory()
        os.environ["POCL_CACHE_DIR"] = self.cache.name
        try:
            import pyopencl as cl

            platform = next((p for p in cl.get_platforms() if "Portable Computing" in p.name), None)
        except Exception as error:  # pyopencl's own kinds differ from version to version
            raise Absent(f"pyopencl: {error}") from None
        if platform is None:
            raise Absent("no OpenCL platform is PoCL")
        self.cl, device = cl, platform.get_devices()[0]
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.note = f"{' '.join(platform.version.split()[2:4])}, {device.name}"

    def prepare(self, name: str, case: Case, _memory: Memory) -> Prepared:
        cl = self.cl
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        buffers = {
            key: cl.Buffer(self.context, flags, hostbuf=np.ascontiguousarray(values))
            for key, values in case.arrays.items()
        }
        program = cl.Program(self.context, (SOURCES / f"{name}.cl").read_text()).build()

        def call(launch: Launch) -> tuple:
            kernel = cl.Kernel(program, launch.entry)
            kernel.set_args(*(buffers[a] if isinstance(a, str) else a for a in launch.arguments))
            return kernel, tuple(g * b for g, b in zip(launch.grid, launch.block, strict=True)), launch.block

        calls = [call(launch) for launch in case.launches]

        def run() -> None:
            for kernel, size, local in calls:
                cl.enqueue_nd_range_kernel(self.queue, kernel, size, local)
            self.queue.finish()

        def clear(names: Iterable[str]) -> None:
            for key in names:
                cl.enqueue_copy(self.queue, buffers[key], np.zeros_like(case.arrays[key]))
            self.queue.finish()

        def result(key: str) -> np.ndarray:
            out = np.empty_like(case.arrays[key])
            cl.enqueue_copy(self.queue, out, buffers[key])
            self.queue.finish()
            return out

        return Prepared(run, clear, result)


Peer = C | Pocl | Numba | Python
PEERS: dict[str, Callable[[str], Peer]] = {"c": C, "c-fast": C, "pocl": Pocl, "numba": Numba, "python": Python}


def checked(column: str, prepared: Prepared, case: Case) -> str:
    """Runs a case for the first time; what is wrong with its results, or nothing."""
    prepared.clear(case.answers)
    prepared.run()
    wrong = case.wrong({name: prepared.result(name) for name in case.answers})
    return f"{column}: {wrong}" if wrong else ""


def busy() -> tuple[float, float]:
    """Processor seconds that the whole machine and that this process have used."""
    own = os.times()
    try:
        user, nice, system, _idle, _wait, *rest = map(int, Path("/proc/stat").read_text().split()[1:9])
    except OSError:
        return 0.0, 0.0
    machine = (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")
    return machine, own.user + own.system + own.children_user + own.children_system


@dataclass
class Row:
    name: str
    size: str
    compile: float
    times: dict[str, Times]

    def ratio(self, peer: str, clock: str = "wall") -> float:
        """The speed of cuox in multiples of the peer's: above 1, cuox wins."""
        pairs = zip(getattr(self.times[peer], clock), getattr(self.times["cuox"], clock), strict=True)
        return statistics.median(theirs / max(ours, 1e-9) for theirs, ours in pairs)

    def milliseconds(self, column: str) -> float:
        return statistics.median(self.times[column].wall) * 1e3


def measure(name: str, device: cuox.Device, ours: Cuox, peers: dict[str, Peer], runs: int) -> Row | list[str]:
    """A row of the table, or what is wrong."""
    case = CASES[name]()
    memory = Memory(device, case)
    text = ours.ptx(name)
    compiling = ours.compile_time(text, case, memory)
    columns = {column: peer.prepare(name, case, memory) for column, peer in peers.items()}
    columns["cuox"] = ours.prepare(cuox.ObjectCode.from_ptx(text), case, memory)
    if wrong := [said for column, prepared in columns.items() if (said := checked(column, prepared, case))]:
        return wrong
    times = {column: Times() for column in columns}
    for prepared in columns.values():
        Times().take(prepared, case)
    for _ in range(runs):
        for column, prepared in columns.items():
            times[column].take(prepared, case)
    del columns
    memory.close()
    return Row(name, case.size, compiling, times)


def ratio(value: float) -> str:
    return f"{value:6.2f}" if value >= 0.095 else f"{value:6.3f}"


def line(row: Row, peers: Iterable[str]) -> str:
    cells = [f"{row.name:<14}", f"{row.size:<30}", f"{row.compile * 1e3:10.1f}", f"{row.milliseconds('cuox'):8.2f}"]
    for peer in peers:
        cells += [f"{row.milliseconds(peer):8.2f}", ratio(row.ratio(peer)), ratio(row.ratio(peer, "cpu"))]
    return " ".join(cells)


def arguments() -> argparse.Namespace:
    def names(text: str) -> list[str]:
        return [name for name in text.split(",") if name]

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--kernel", type=names, default=list(CASES), metavar="A,B", help=f"of {', '.join(CASES)}; all without it"
    )
    parser.add_argument("--runs", type=int, default=11, metavar="N", help="rounds, each with one run in every column")
    parser.add_argument("--engine", choices=("jit", "jit-narrow", "llvm"), help="what CUOX_SOFT_ENGINE says")
    columns = "; ".join(f"{name}: {what}" for name, what in COLUMNS.items())
    parser.add_argument("--columns", type=names, default=list(COLUMNS), metavar="A,B", help=columns)
    given = parser.parse_args()
    for asked, known in ((given.kernel, CASES), (given.columns, COLUMNS)):
        if unknown := [name for name in asked if name not in known]:
            parser.error(f"{', '.join(unknown)}: not of {', '.join(known)}")
    if given.runs < 1:
        parser.error("--runs: at least 1")
    return given


def main() -> int:
    given = arguments()
    if given.engine:
        os.environ["CUOX_SOFT_ENGINE"] = given.engine
    device = cuox.Device()
    device.set_current()
    if not device.is_soft:
        raise SystemExit("this benchmark is about the software GPU: CUOX_DEVICE=soft")
    print(
        f"{device.name}, engine {os.environ.get('CUOX_SOFT_ENGINE', 'jit')}; {platform.processor() or platform.machine()}, "
        f"{os.cpu_count()} processors; Python {platform.python_version()}, NumPy {np.__version__}"
    )
    peers = {}
    for column in given.columns:
        try:
            peers[column] = PEERS[column](column)
            print(f"{column}: {COLUMNS[column]}: {peers[column].note}")
        except Absent as why:
            print(f"{column}: left out: {why}")

    print(
        f"\nms: median of {given.runs} runs; /: how many times as fast cuox is, by the clock and by CPU time (below 1 it loses);"
    )
    print("compile: ms from PTX text to the end of the first launch, of one block")
    heads = "".join(f" {peer + ' ms':>8} {'/':>6} {'CPU':>6}" for peer in peers)
    print(f"{'kernel':<14} {'size':<30} {'compile':>10} {'cuox ms':>8}{heads}")
    ours, rows, wrong = Cuox(device), [], 0
    start, (all_before, own_before) = time.perf_counter(), busy()
    for name in given.kernel:
        match measure(name, device, ours, peers, given.runs):
            case Row() as row:
                rows.append(row)
                print(line(row, peers), flush=True)
            case said:
                wrong += 1
                print(f"{name:<14} WRONG: {'; '.join(said)}", flush=True)
    if rows and peers:
        means = ""
        for peer in peers:
            wall, cpu = (statistics.geometric_mean(row.ratio(peer, clock) for row in rows) for clock in ("wall", "cpu"))
            means += f" {'':8} {ratio(wall)} {ratio(cpu)}"
        print(f"{'geometric mean':<14} {'':<30} {'':>10} {'':>8}{means}")
    all_after, own_after = busy()
    others = (all_after - all_before - own_after + own_before) / (time.perf_counter() - start) / (os.cpu_count() or 1)
    print(f"\nother processes used {max(others, 0):.0%} of the machine meanwhile")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
