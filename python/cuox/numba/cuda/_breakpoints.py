"""`breakpoint()` in kernels: what it becomes on a device, and Python at a thread of the software GPU that has
stopped."""

from __future__ import annotations

import ast
import json
import linecache
import os
import struct
import sys
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

import cuox
from cuox._internal import kernel_source
from cuox._native import _read_kernel_memory

from . import _names, _stopped_values

# How a thread goes on.
CONTINUE, STEP, FINISH, QUIT = 0, 1, 2, -1

Triple = tuple[int, int, int]
Index = namedtuple("Index", "x y z")


def kind_of(device: cuox.Device, debug: bool) -> str:
    """What `breakpoint()` becomes in a kernel for this device: an option of the translation."""
    if not debug:
        return "refused"
    if device.is_soft:
        return "called"
    return "instruction" if _in_cuda_gdb() else "ignored"


def _in_cuda_gdb() -> bool:
    """True if NVIDIA's debugger watches this process: the instruction ends a kernel that nobody watches."""
    try:
        with open("/proc/self/status", encoding="utf-8") as file:
            tracer = next((line.split()[1] for line in file if line.startswith("TracerPid:")), "0")
        if tracer == "0":
            return False
        with open(f"/proc/{tracer}/comm", encoding="utf-8") as file:
            return file.read().startswith("cuda-gdb")
    except OSError:
        return False


def warn_ignored(name: str) -> None:
    """Say that a kernel for a GPU does not stop."""
    text = f"{name}: breakpoint() has no effect on an NVIDIA GPU without cuda-gdb; CUOX_DEVICE=soft runs the program on the software GPU, where it stops"
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def debugger(functions: list[Any]) -> Callable[[], Session]:
    """What makes a session for each launch of a kernel of these functions."""
    return lambda: Session(functions)


class Session:
    """The stops of one launch."""

    def __init__(self, functions: list[Any]) -> None:
        self._functions = [getattr(function, "py_func", function) for function in functions]
        self._pdb: Any = None
        # The thread that was shown last.
        self._thread = ""

    def __call__(
        self, place: bytes, variables: int, grid: Triple, block: Triple, block_index: Triple, thread_index: Triple
    ) -> int:
        """Show a thread that has stopped, and return how it goes on. An exception ends the kernel."""
        asked = os.environ.get("PYTHONBREAKPOINT", "")
        is_default = sys.breakpointhook is sys.__breakpointhook__
        if is_default and asked == "0":
            return FINISH
        if is_default and asked in ("", "pdb.set_trace"):
            import pdb

            # pytest has a debugger of its own there.
            is_default = pdb.set_trace.__module__ == "pdb"
        else:
            is_default = False
        stop = Stop(json.loads(place), _function_text(variables), variables, self._functions)
        stop.indices = {"threadIdx": thread_index, "blockIdx": block_index, "blockDim": block, "gridDim": grid}
        try:
            with at_stop(stop.indices):
                if is_default:
                    return self._ask(stop)
                stop.run("breakpoint()", stop.next_line)
                return CONTINUE
        finally:
            sys.stdout.flush()
            stop.write_back(lambda text: print(f"*** {text}", file=sys.stderr))

    def _ask(self, stop: Stop) -> int:
        import bdb

        from ._kernel_pdb import KernelDebugger

        if self._pdb is None:
            self._pdb = KernelDebugger()
        debugger = self._pdb
        debugger.parameters = stop.parameters
        thread = f"block {stop.indices['blockIdx']}, thread {stop.indices['threadIdx']}"
        if thread != self._thread:
            debugger.message(thread)
        self._thread = thread
        answers = []

        def ask() -> None:
            frame = sys._getframe(1)
            del frame.f_locals[_HOOK]
            answers.append(debugger.ask(frame))

        stop.run(f"{_HOOK}()", stop.line, {_HOOK: ask})
        stop.write_back(debugger.error)
        if answers == [QUIT]:
            raise bdb.BdbQuit
        return int(answers[0])


_HOOK = "__cuox_stop__"


class Stop:
    """A thread that has stopped: its names and their values."""

    def __init__(self, place: Any, function: Any, variables: int, functions: list[FunctionType]) -> None:
        self.file, self.function = str(function["file"]), str(function["function"])
        self.first, self.line, self.next_line = int(function["first"]), int(place["line"]), int(place["next"])
        self.parameters = list(function["parameters"])
        self.indices: dict[str, Triple] = {}
        self._python = self._function_of(functions)
        if self._python is not None:
            _show_source(self.file, self._python)
        self._variables: dict[str, Any] = {}
        self._given: dict[str, Any] = {}
        names = [function["names"][number] for number in place["names"]]
        count = 1 + max((number for _, told in names for number in _numbers(told)), default=0)
        addresses = struct.unpack(f"<{count}Q", _read_kernel_memory(variables, 8 * count))
        for name, told in names:
            self._variables[name] = told
            self._given[name] = self._value(told, addresses)
        self._addresses = addresses
        self._locals: dict[str, Any] = {}

    def _function_of(self, functions: list[FunctionType]) -> FunctionType | None:
        named = [
            function
            for function in functions
            if getattr(function, "__code__", None) is not None and function.__code__.co_name == self.function
        ]
        exact = [
            function
            for function in named
            if function.__code__.co_filename == self.file and function.__code__.co_firstlineno <= self.first
        ]
        found = max(exact, key=lambda function: function.__code__.co_firstlineno, default=None)
        if found is None:
            # A function inside of another has the names of its module at least.
            found = next((function for function in functions if getattr(function, "__code__", None) is not None), None)
        return found

    def _value(self, told: Any, addresses: tuple[int, ...]) -> Any:
        kind, value = told[0], told[1]
        if kind == "v":
            try:
                return _stopped_values.read(value, addresses[told[2]], told[4])
            except (MemoryError, TypeError) as error:
                return _stopped_values.NotShown(str(error))
        if kind == "t":
            return tuple(self._value(item, addresses) for item in value)
        if kind == "c":
            return _as_tuples(value)
        return _stopped_values.NotShown(value)

    def run(self, text: str, line: int, extra: dict[str, Any] | None = None) -> None:
        """Run Python code in a frame that looks like the kernel's, at this line."""
        names: dict[str, Any] = {name: Index(*value) for name, value in self.indices.items()}
        python = self._python
        if python is not None:
            for name, cell in zip(python.__code__.co_freevars, python.__closure__ or (), strict=False):
                try:
                    names[name] = cell.cell_contents
                except ValueError:
                    continue
        names.update(self._given)
        names.update(extra or {})
        self._locals = names
        exec(
            self._code(text, line), python.__globals__ if python is not None else {"__builtins__": __builtins__}, names
        )

    def _code(self, text: str, line: int) -> CodeType:
        tree = ast.parse(text)
        # Debuggers that trace stop at the statement behind: where the kernel goes on.
        tree.body.append(ast.Pass())
        lines = [self.line, line]
        for statement, at in zip(tree.body, lines, strict=True):
            for node in ast.walk(statement):
                if isinstance(node, (ast.stmt, ast.expr)):
                    node.lineno = node.end_lineno = max(1, at - self.first + 1)
                    node.col_offset = node.end_col_offset = 0
        code = compile(tree, self.file, "exec")
        return code.replace(co_name=self.function, co_qualname=self.function, co_firstlineno=self.first)

    def write_back(self, complain: Callable[[str], None]) -> None:
        """Give the thread the values of names that Python code has assigned."""
        for name, told in self._variables.items():
            if name not in self._locals or self._locals[name] is self._given[name]:
                continue
            new = self._given[name] = self._locals[name]
            try:
                self._write(name, told, new)
            except Exception as error:
                complain(f"{name} is not changed: {error}")

    def _write(self, name: str, told: Any, value: Any) -> None:
        if told[0] != "v":
            raise TypeError("it is known when the kernel is compiled, and part of its code")
        _stopped_values.write(told[1], self._addresses[told[2]], value)
        if told[3]:
            raise TypeError("its value is known when the kernel is compiled, and part of its code")


def _function_text(variables: int) -> Any:
    """What is known of the function of a stop: the first of its addresses is that of a text."""
    (address,) = struct.unpack("<Q", _read_kernel_memory(variables, 8))
    text = b""
    while b"\0" not in text:
        # Not beyond the page that it ends in.
        size = 4096 - address % 4096
        text += _read_kernel_memory(address, size)
        address += size
    return json.loads(text[: text.index(b"\0")])


def _show_source(file: str, function: FunctionType) -> None:
    """Let debuggers show the lines of a function whose text is in no file."""
    if linecache.getlines(file, function.__globals__):
        return
    try:
        _, _, found, lines, first = kernel_source.of(function)
    except Exception:
        return
    if found == file:
        text = [""] * (first - 1) + list(lines)
        linecache.cache[file] = (sum(map(len, text)), None, [f"{line.rstrip()}\n" for line in text], file)


def _numbers(told: Any) -> Iterator[int]:
    if told[0] == "v":
        yield told[2]
    elif told[0] == "t":
        for item in told[1]:
            yield from _numbers(item)


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


@contextmanager
def at_stop(indices: dict[str, Triple]) -> Iterator[None]:
    """Let `cuda.threadIdx` and the like have the values of a thread that has stopped, on this thread of Python's."""
    before = getattr(_names.stopped, "indices", None)
    _names.stopped.indices = indices
    try:
        yield
    finally:
        _names.stopped.indices = before
